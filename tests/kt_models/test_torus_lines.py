"""Fewest turns of tori by their straight lines, held against sweeps, which share no code with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from encoders.bounds import certify_lower_bound
from kt_models import CertificateError, Leaper, MoveGraph, Problem, graph_of
from kt_models.board import Board
from kt_models.errors import TooLarge
from kt_models.files.check import check_file
from kt_models.kernel.certificates.frontier import count_solutions
from kt_models.kernel.certificates.torus_lines import bound
from kt_models.limits import Limits, Stopped

RESULTS = Path(__file__).parents[2] / "heuristics" / "delivered" / "results"


def turns(board: str, leaper: str = "1,2") -> Problem:
    return Problem(MoveGraph.of(Board.parse(f"torus:{board}"), Leaper.parse(leaper)), "cycle", "turns")


@pytest.mark.parametrize(
    ("board", "leaper"),
    [("3x3", "1,2"), ("2x5", "1,2"), ("3x4", "1,2"), ("4x3", "0,1"), ("4x4", "0,1"), ("3x3", "1,1"), ("2x2x3", "0,1")],
)
def test_the_bound_holds_up_to_the_least_value(board: str, leaper: str) -> None:
    problem = turns(board, leaper)
    values = count_solutions(problem, by_value=True).by_value
    assert values
    for at_least in range(problem.graph.n + 1):
        if at_least <= min(values):
            assert bound(problem, {"at_least": at_least}) == at_least
        else:
            with pytest.raises(CertificateError, match="turn"):
                bound(problem, {"at_least": at_least})


def test_other_boards_have_no_bound_by_straight_lines() -> None:
    for problem in (
        Problem(graph_of("6x6"), "cycle", "turns"),
        Problem(graph_of("cylinder:6x6"), "cycle", "turns"),
        Problem(graph_of("torus:4x4"), "path", "turns"),
        Problem(graph_of("torus:4x4"), "cycle", "crossings"),
        Problem(graph_of("torus:4x4-a1"), "cycle", "turns"),
    ):
        with pytest.raises(CertificateError, match="torus"):
            bound(problem, {"at_least": 2})
    for data in ({}, {"at_least": "2"}, {"at_least": 17}, {"at_least": -1}):
        with pytest.raises(CertificateError):
            bound(turns("4x4"), data)
    with pytest.raises(Stopped):
        bound(turns("6x6"), {"at_least": 11}, Limits(stop=type("Set", (), {"is_set": lambda self: True})()))


def test_a_torus_gets_a_bound_by_straight_lines() -> None:
    assert certify_lower_bound(turns("5x5"), 10).method == "straight"


def test_a_large_torus_is_answered_at_once_or_refused() -> None:
    with pytest.raises(CertificateError, match="one move"):
        bound(turns("9000x9001"), {"at_least": 3})
    with pytest.raises(TooLarge):
        bound(turns("9000x9000"), {"at_least": 3})
    assert bound(turns("60x60"), {"at_least": 60}, Limits(seconds=60)) == 60


@pytest.mark.parametrize("path", sorted(RESULTS.glob("turns-torus-*.json")), ids=lambda path: path.stem)
def test_files_show_the_fewest_turns(path: Path) -> None:
    assert not check_file(path).stated
