"""Bounds of crossings by bands of columns: certificates are made, read and checked, and what is wrong is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from cli.main import main
from encoders.bounds.methods import bands
from encoders.bounds.methods.bands import METHOD
from kt_models import Certificate, CertificateError, KTError, Leaper, MoveGraph, Problem, Symmetry, graph_of
from kt_models.errors import TooLarge
from kt_models.kernel.certificates.bands.bound import bound
from kt_models.kernel.certificates.bands.step import MOST_PRICES
from kt_models.kernel.certificates.certificate import digest
from kt_models.limits import Limits, Report, Stopped
from research.few_crossings.two_factors import show_fewest
from tests.command import kt, one_line_refusal
from tests.kt_models.band_boards import prices_of, problem_of

FOUND = {("5x6", "cycle"): 49, ("5x6", "any"): 44, ("7x6", "cycle"): 56, ("7x6", "any"): 55}
"""Fewest crossings of closed tours (docs/data/results.md), and of 2-factors."""


@pytest.mark.parametrize(
    ("name", "connectivity"),
    [pytest.param(*case, marks=pytest.mark.slow if case[0] == "7x6" else ()) for case in FOUND],
)
def test_a_certificate_is_made_and_read(name: str, connectivity: str) -> None:
    problem = Problem(graph_of(name), connectivity, "crossings")
    certificate = METHOD.certify(problem, rounds=4)
    assert certificate is not None and certificate.bound == FOUND[name, connectivity]
    text = json.dumps(certificate.to_json())
    assert len(text) < 3000
    again = Certificate.from_json(json.loads(text))
    again.check()
    assert again.bound == certificate.bound


def test_a_symmetric_tour_is_a_tour() -> None:
    """Crossings of one that a quarter turn maps to itself come in fours."""
    problem = Problem(graph_of("6x6"), "cycle", "crossings", symmetry=(Symmetry.parse("rot90"),))
    assert [bound(problem, {**prices_of(6, 6), "at_least": n}) for n in (47, 48, 49, 50)] == [48, 48, 52, 52]


def test_the_command_makes_one_and_checks_it(tmp_path: Path) -> None:
    path = tmp_path / "bands.json"
    wanted = ["bound", "5x6", "--minimize", "crossings", "--method", "bands"]
    result = CliRunner().invoke(main, [*wanted, "--certificate", str(path)])
    assert result.exit_code == 0 and "at least 49" in result.output
    result = CliRunner().invoke(main, ["check", str(path)])
    assert result.exit_code == 0 and "at least 49 crossings in every closed knight's tour of 5x6" in result.output
    data = json.loads(path.read_text())
    del data["sha256"]
    data["bound"] = data["data"]["at_least"] = 50
    path.write_text(json.dumps({**data, "sha256": digest(data)}))
    result = CliRunner().invoke(main, ["check", str(path)])
    assert result.exit_code == 1 and "there is a closed tour with fewer than 50 crossings" in result.output
    for refused in (["torus:6x6"], ["cylinder:6x6"], ["6x6", "--open"], ["6x6", "--leaper", "1,4"]):
        result = CliRunner().invoke(main, ["bound", *refused, *wanted[2:]])
        assert result.exit_code and "crossings of closed knight's tours" in result.output, result.output


def test_the_benchmark_says_what_it_finds(capsys: pytest.CaptureFixture[str]) -> None:
    show_fewest(5, 6)
    assert "at least 44 crossings in every choice of knight's moves" in capsys.readouterr().out.splitlines()[-1]


def test_a_check_can_be_stopped() -> None:
    stopped = Limits(stop=type("S", (), {"is_set": bool})()).until(lambda: True)
    with pytest.raises(Stopped):
        bound(problem_of(6, 6), {**prices_of(6, 6), "at_least": 50}, stopped)


# -- what is refused ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        {"at_least": None},
        {"at_least": 53},
        {"at_least": -1},
        {"at_least": True},
        {"at_least": 50.0},
        {"at_least": "50"},
        {"at_least": 401},
        {"at_least": 10**40},
        {"bands": None},
        {"bands": []},
        {"bands": [0, 6]},
        {"bands": [7, -1]},
        {"bands": [3, 4]},
        {"bands": [3, 2]},
        {"bands": [3.0, 3]},
        {"bands": [True] * 6},
        {"bands": [10**40]},
        {"bands": 6},
        {"bands": {"0": 6}},
        {"bands": [1] * 10**5},
        {"across": None},
        {"across": []},
        {"across": [0]},
        {"across": [0] * 81},
        {"across": [False] * 80},
        {"across": [0.0] * 80},
        {"across": [10**40] * 80},
        {"across": [2**63] * 80},
        {"across": [MOST_PRICES] * 80},
        {"across": [MOST_PRICES, -MOST_PRICES] * 40},
        {"across": {}},
        {"middle": [[0]] * 80},
        {"middle": ["0"] * 80},
        {"middle": [-MOST_PRICES - 1] * 80},
        {"middle": [-MOST_PRICES, MOST_PRICES, MOST_PRICES] * 26 + [0, 0]},
    ],
)
def test_other_data_is_refused(change: dict[str, Any]) -> None:
    data = {**prices_of(6, 6), "at_least": 50}
    with pytest.raises((CertificateError, TooLarge)) as refusal:
        bound(problem_of(6, 6), {**data, **change})
    assert "\n" not in str(refusal.value) and len(str(refusal.value)) < 200


def test_certificates_of_bands_need_each_part() -> None:
    data = {**prices_of(6, 6), "at_least": 50}
    assert len(data["across"]) == 80
    assert bound(problem_of(6, 6), data) == 50
    for name in ("at_least", "bands", "across", "middle"):
        with pytest.raises(CertificateError):
            bound(problem_of(6, 6), {key: value for key, value in data.items() if key != name})


def test_other_problems_are_refused() -> None:
    board = graph_of("6x6")
    for problem in (
        Problem(board, "path", "crossings"),
        Problem(board, "cycle", "turns"),
        Problem(board, "cycle"),
        Problem(board, "any", "crossings", terminals=(0, 7)),
        Problem(board, "cycle", "crossings", required=frozenset([0])),
        Problem(board, "cycle", "crossings", forbidden=frozenset([0])),
        Problem(graph_of("aztec:16"), "cycle", "crossings"),
        Problem(graph_of("torus:6x6"), "cycle", "crossings"),
        Problem(graph_of("cylinder:6x6"), "cycle", "crossings"),
        Problem(graph_of("2x9"), "cycle", "crossings"),
        Problem(graph_of("3x3x4"), "cycle", "crossings"),
        Problem(graph_of("32x32"), "cycle", "crossings"),
        Problem(MoveGraph.of(board.board, Leaper.parse("1,4")), "cycle", "crossings"),
    ):
        with pytest.raises(CertificateError, match="in the plane"):
            bound(problem, {**prices_of(6, 6), "at_least": 50})
        with pytest.raises(KTError, match="in the plane"):
            METHOD.make(problem)


@pytest.mark.slow
def test_too_large_certificates_of_bands_are_refused() -> None:
    data = {**prices_of(8, 8, widths=[8]), "at_least": 60}
    with pytest.raises(TooLarge, match="states"):
        bound(problem_of(8, 8), data, Limits(memory=1 << 22))
    with pytest.raises(TooLarge, match="too many states"):
        bound(problem_of(6, 6), {**prices_of(6, 6, widths=[1] * 6), "at_least": 50}, Limits(memory=1 << 18))
    with pytest.raises(TooLarge, match="too long"):
        bound(problem_of(30, 30), {"at_least": 60, "bands": [1] * 30, "across": [], "middle": []})


def test_where_there_is_nothing_to_list_a_list_needs_no_room() -> None:
    data, limits = prices_of(6, 8, widths=[2, 2, 2]), Limits(memory=12_000_000)
    assert bound(problem_of(6, 8), {**data, "at_least": 58}, limits) == 58
    with pytest.raises(TooLarge, match="states"):
        bound(problem_of(6, 8), {**data, "at_least": 59}, limits)


# -- a state to go on from ------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_prices_are_learnt_on_from_a_file(tmp_path: Path) -> None:
    problem, state = Problem(graph_of("6x8"), "any", "crossings"), tmp_path / "s.json"
    bounds: list[float] = []

    def listen(report: Report) -> None:
        if "by bands alone" in report.words:
            bounds.append(float(report.words.split()[2].rstrip(",")))

    assert bands.make(problem, rounds=4, state=state, on_progress=listen)["at_least"] == 58
    first, kept = bounds[-1], json.loads(state.read_text())
    assert kept["wide"] and bounds[0] < first
    bands.make(problem, limits=Limits(0), state=tmp_path / "0.json")
    assert not json.loads((tmp_path / "0.json").read_text())["wide"]  # There was no time for narrow ones
    bounds.clear()
    assert bands.make(problem, rounds=4, state=state, on_progress=listen)["at_least"] == 58
    assert len(bounds) == 4 and bounds[0] == first  # With the wide bands alone, from where they were
    state.write_text(json.dumps(kept | {"wide": False}))
    bounds.clear()
    bands.make(problem, rounds=4, state=state, on_progress=listen)
    assert len(bounds) == 8 and bounds[-1] >= bounds[4] >= bounds[3] >= bounds[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"kind": "tour"}, "not the state of a search by bands"),
        ({"problem": {}}, "of a search for another problem"),
        ({"prices": [[0.5]]}, "'prices' are no 1 rows of"),
        ({"prices": "x"}, "'prices' are no"),
        ({"prices": [[1e300] * 160]}, "'prices' are no"),
        ({"prices": None}, "'prices' are no"),
        ({"prices": [[1], [2, 3]]}, "'prices' are no"),
    ],
)
def test_a_state_that_is_of_something_else_is_refused(tmp_path: Path, change: dict[str, Any], words: str) -> None:
    problem, state = Problem(graph_of("6x6"), "cycle", "crossings"), tmp_path / "s.json"
    bands.make(problem, rounds=0, state=state)
    kept = json.loads(state.read_text())
    state.write_text(json.dumps(kept | change))
    one_line_refusal(kt("bound", "6x6", "--minimize", "crossings", "--method", "bands", "--state", state), words)
    assert json.loads(state.read_text()) == kept | change
