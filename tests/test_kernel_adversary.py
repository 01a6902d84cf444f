"""What somebody tries who wants `kt check` to say ok of something false, to crash it or to hang it."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from cli.error_messages import one_line, printable
from cli.main import main
from cli.status import UNANSWERED
from kt_models import Board, KTError
from kt_models.errors import CertificateError, TooLarge
from kt_models.graph import MoveGraph
from kt_models.json_version import FORMAT_VERSION
from kt_models.kernel.certificates.certificate import digest
from kt_models.kernel.certificates.obstructions import refute_by_force
from kt_models.kernel.certificates.tree import bound
from kt_models.problem import Problem
from kt_models.storage import parse_json
from kt_models.symmetry import Symmetry, generate

GENERATORS = ["(y,x,z,w,v,u,t,s)", "(y,z,w,v,u,t,s,x)", "(-x,y,z,w,v,u,t,s)"]
"""Of all 10,321,920 symmetries of a cube in eight dimensions."""
INJECTED = "1\nother.json: ok: there is no closed knight's tour of 8x8\x1b[1A\u202e"


def problem(board: str = "8x8", **keys: Any) -> dict[str, Any]:
    return {"board": board, "leaper": "1,2", "connectivity": "cycle", **keys}


def result(status: str, board: str = "8x8", **keys: Any) -> dict[str, Any]:
    return {"version": FORMAT_VERSION, "kind": "result", "status": status, **problem(board), **keys}


def certificate(about: dict[str, Any], method: str, value: int | None = None, data: Any = None) -> dict[str, Any]:
    claim: dict[str, Any] = {"status": "infeasible"} if value is None else {"bound": value}
    body = {"version": FORMAT_VERSION, "kind": "certificate", "method": method, **claim}
    body |= {"problem": about, "data": data or {}}
    return {**body, "sha256": digest(body)}


@pytest.fixture
def checked(tmp_path: Path) -> Any:
    def check(data: Any, *options: str, name: str = "a.json") -> Result:
        path = tmp_path / name
        path.write_text(data if isinstance(data, str) else json.dumps(data))
        outcome = CliRunner().invoke(main, ["check", str(path), *options])
        assert "internal error" not in outcome.output
        assert len(outcome.output.splitlines()) == 1
        return outcome

    return check


def test_what_a_file_says_cannot_look_like_another_line(checked: Any) -> None:
    for data in (result("infeasible", value=INJECTED), result("infeasible", reason=INJECTED, engine=INJECTED)):
        outcome = checked(data)
        assert outcome.exit_code in (1, 3)
        assert "\x1b" not in outcome.output and "\u202e" not in outcome.output
    assert printable("a\nb\x1b\ud800ü") == "a\\nb\\x1b\\ud800ü"
    assert one_line("a\n b\x1b") == "a b\\x1b"


def test_half_a_character_is_no_text() -> None:
    with pytest.raises(KTError, match="half of a character"):
        parse_json('{"board": "\\ud800"}')
    assert parse_json('["\\ud83d\\ude00", "\\\\ud800"]') == ["\U0001f600", "\\ud800"]


@pytest.mark.slow
def test_groups_in_eight_dimensions_end_at_once(checked: Any) -> None:
    board = "2x2x2x2x2x2x2x2"
    assert checked(result("infeasible", board, symmetry=GENERATORS)).exit_code == 2
    about = problem(board, objective="turns")
    assert checked(certificate(about, "tree", 3, {"symmetry": GENERATORS})).exit_code == 1
    with pytest.raises(TooLarge):
        generate([Symmetry.parse(text, 8) for text in GENERATORS], Board.parse(board))


def test_generators_that_are_in_the_group_already_cost_nothing() -> None:
    quarter = Symmetry.parse("rot90")
    board = Board.box(4, 4)
    assert len(generate([quarter] * 100_000, board)) == 4
    assert generate([quarter, quarter @ quarter], board) == generate([quarter], board)


def test_many_symmetries_or_a_symmetry_of_a_huge_board_are_refused(checked: Any) -> None:
    assert checked(result("infeasible", symmetry=["rot90"] * 17)).exit_code == 2
    assert checked(result("infeasible", "14142x14142", symmetry=["rot90"])).exit_code == 2


@pytest.mark.slow
def test_few_cells_in_a_huge_box_are_refused(checked: Any) -> None:
    corners = [[0, 0], [14141, 14141], [14141, 0], [0, 14141]]
    about = problem("corners", cells=corners, objective="turns")
    for method, data in (("tree", {}), ("regions", {"regions": [{"cells": [0], "closed": False}]}), ("frontier", {})):
        assert checked(certificate(about, method, 3, data)).exit_code in (1, 2)


def test_leapers_of_thousands_of_moves_are_refused(checked: Any) -> None:
    about = {**problem("1x1x1x1x3x4x4x4", objective="turns"), "leaper": "1,2,3"}
    outcome = checked(certificate(about, "tree", 3))
    assert outcome.exit_code == 2 and "kinds of moves" in outcome.output


def test_cuts_that_take_too_long_to_look_at_are_refused(checked: Any) -> None:
    about = problem("200x200", objective="turns")
    outcome = checked(certificate(about, "tree", 3, {"cuts": [[[i], []] for i in range(30_000)]}))
    assert outcome.exit_code == 1 and "too many" in outcome.output


def test_a_cell_with_many_moves_takes_no_memory(checked: Any) -> None:
    star = {"board": "star", "vertices": 100_001, "edges": [[0, i] for i in range(1, 100_001)]}
    about = {**star, "connectivity": "cycle", "objective": "w", "weights": [[0, 1, 1]]}
    assert checked(certificate(about, "tree", 3)).exit_code == 2


def test_a_hundred_million_vertices_without_an_edge_take_no_time() -> None:
    about = Problem.from_json(
        {"vertices": 10**8, "edges": [], "connectivity": "cycle", "objective": "w", "weights": []}
    )
    with pytest.raises(CertificateError, match="no solution"):
        bound(about, {})


def test_forced_moves_of_a_long_path_take_linear_time() -> None:
    graph = MoveGraph.from_edges(100_000, [[i, i + 1] for i in range(99_999)])
    with pytest.raises(CertificateError, match="no contradiction"):
        refute_by_force(Problem(graph, "path"), {})


def test_a_million_required_moves_are_not_named_one_by_one(checked: Any) -> None:
    outcome = checked(result("infeasible", "300x300", required=list(range(300_000))))
    assert outcome.exit_code == 3 and "with the moves of SHA-256" in outcome.output


def test_a_time_limit_holds_where_nothing_looks_at_the_clock(checked: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kt_models.files.check.read_tour_json", lambda path, memory: time.sleep(60))
    outcome = checked({}, "--time-limit", "0.1")
    assert outcome.exit_code == 3 and "not done within 0.1 seconds" in outcome.output


def test_a_file_that_claims_nothing_is_about_no_board(checked: Any) -> None:
    assert checked(result("unknown")).exit_code == UNANSWERED
    assert checked(result("unknown"), "--board", "6x6").exit_code == 2
    assert checked(result("unknown"), "--leaper", "1,2").exit_code == 2


def test_claims_of_a_result_that_has_none_are_wrong(checked: Any) -> None:
    assert checked(result("unknown", claims=["there is no closed knight's tour of 6x6"])).exit_code == 1


def test_a_list_of_tours_has_nothing_but_tours(checked: Any) -> None:
    tour = {"board": "1x1", "leaper": "1,2", "tour": [[0, 0]], "closed": False}
    line = {**result("optimal", "1x1", connectivity="path", bound=1000), **tour}
    assert checked(line, name="a.jsonl").exit_code == 2
    assert checked({**tour, "version": FORMAT_VERSION, "kind": "tour"}, name="a.jsonl").exit_code == 0


def test_turns_of_a_graph_and_numbers_that_are_no_integers_are_wrong(checked: Any) -> None:
    triangle = {"board": "g", "vertices": 3, "edges": [[0, 1], [1, 2], [0, 2]], "tour": [[0], [1], [2]]}
    tour = {"version": FORMAT_VERSION, "kind": "tour", "closed": True}
    assert checked({**tour, **triangle}).exit_code == 0
    assert checked({**tour, **triangle, "turns": 0}).exit_code == 1
    single = {**tour, "board": "1x1", "leaper": "1,2", "tour": [[0, 0]], "closed": False}
    assert checked({**single, "turns": 0}).exit_code == 0
    assert checked({**single, "turns": False}).exit_code == 1
    assert checked({**single, "turns": 0.0}).exit_code == 1


def test_gadgets_are_told_with_piece_and_region_and_counted_again(checked: Any) -> None:
    path = Path(__file__).parent.parent / "docs/runs/heels-24-turns.json"
    data = json.loads(path.read_text())
    outcome = checked(data, "--leaper", "1,2")
    assert outcome.exit_code == 0
    assert "24 cells" in outcome.output and "claimed, not shown" not in outcome.output
    assert checked(data, "--leaper", "1,4").exit_code == 1
    assert checked({**data, "gadgets": data["gadgets"][1:], "count": 1}).exit_code == 1
    stated = checked({key: data[key] for key in data if key != "wanted"})
    assert stated.exit_code == 3 and "claimed, not shown" in stated.output
    alone = {key: data[key] for key in ("version", "kind", "gadgets")}
    assert checked(alone).exit_code == 0
    assert checked({**alone, "gadgets": []}).exit_code == 2
