"""The best known, delivered with the package: what it is used for, and that nothing in its files is believed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from encoders import solve
from encoders.best import best
from encoders.bounds import certify_lower_bound
from heuristics import best_known as delivered
from heuristics.best_known import BestKnown, best_known
from kt_models import Board, MoveGraph, Problem, Symmetry, graph_of, write_tour
from kt_models.kernel.certificates.certificate import digest
from kt_models.limits import Limits
from kt_models.result import Stated
from tests.command import kt, kt_json, one_line_refusal

ROT180 = Symmetry.parse("rot180")


def stated_bound(known: BestKnown) -> int | None:
    return None if known.stated is None else known.stated.bound


def test_a_file_gives_tour_and_bound() -> None:
    known = best_known(Problem(graph_of("6x6"), objective="turns"))
    assert known is not None and known.stated is None
    assert (known.result.status, known.result.value) == ("optimal", 32)
    assert known.tour_file.name == known.bound_file.name == "turns-6x6.json"  # type: ignore[union-attr]


def test_the_better_of_two_files_is_taken() -> None:
    """The record of 18x18 has the same tour and a weaker certificate than the result."""
    known = best_known(Problem(graph_of("18x18"), objective="turns"))
    assert known is not None and known.result.bound == 123
    assert known.bound_file is not None and known.bound_file.parent.name == "results"


def test_stated_bounds_are_no_bounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "results").mkdir()
    data = json.loads((delivered.DELIVERED / "results" / "crossings-8x8.json").read_text())
    monkeypatch.setattr(delivered, "DELIVERED", tmp_path)
    del data["certificate"]
    for written in (data, data | {"certificate": None}):
        (tmp_path / "results" / "crossings-8x8.json").write_text(json.dumps(written))
        known = best_known(Problem(graph_of("8x8"), objective="crossings"))
        assert known is not None
        assert (known.result.value, known.result.bound, known.result.status, stated_bound(known)) == (
            69,
            None,
            "feasible",
            69,
        )


def test_a_turned_board_has_the_tour_and_the_bound() -> None:
    known = best_known(Problem(graph_of("8x6"), objective="turns"))
    assert known is not None and known.result.certificate is not None
    assert known.result.tour is not None and known.result.tour.graph.name == "8x6"
    assert (known.result.status, known.result.value, known.result.bound) == ("optimal", 39, 39)
    assert known.result.certificate.method == "turned" and known.bound_file == known.tour_file


def test_a_tour_with_more_symmetry_serves() -> None:
    known = best_known(Problem(graph_of("10x10"), objective="turns", symmetry=(ROT180,)))
    assert known is not None and known.tour_file.name == "turns-10x10-rot90.json"
    assert known.result.value == 68 and known.bound_file is None


@pytest.mark.parametrize(
    "problem",
    [
        Problem(graph_of("6x6"), objective="turns", forbidden=frozenset({0})),  # The corner's: no tour is without it
        Problem(graph_of("5x6"), "path", "crossings", terminals=(0, 1)),
        Problem(graph_of("6x6-a1,b2"), objective="turns"),
        Problem(MoveGraph.of(Board.parse("6x6")), "cycle"),
    ],
)
def test_answers_about_other_problems_are_not_taken(problem: Problem) -> None:
    assert best_known(problem) is None


def forge(home: Path, **changes: object) -> None:
    """A folder with one file, 6x6, that claims something else."""
    (home / "results").mkdir()
    data = json.loads((delivered.DELIVERED / "results" / "turns-6x6.json").read_text())
    certificate = data["certificate"] | {"bound": changes.pop("bound", 32)}
    certificate["sha256"] = digest({k: v for k, v in certificate.items() if k != "sha256"})
    data |= {"certificate": certificate, "bound": certificate["bound"]} | changes
    (home / "results" / "turns-6x6.json").write_text(json.dumps(data))


@pytest.mark.parametrize("bound", [33, 31])
def test_a_forged_bound_is_not_used(bound: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """33 is not shown by the certificate; 31 is, and is what counts then."""
    forge(tmp_path, bound=bound)
    monkeypatch.setattr(delivered, "DELIVERED", tmp_path)
    known = best_known(Problem(graph_of("6x6"), objective="turns"))
    assert known is not None and known.result.status == "feasible"
    assert (known.result.bound, stated_bound(known)) == ((None, 33) if bound == 33 else (31, None))


def test_a_forged_tour_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = json.loads((delivered.DELIVERED / "results" / "turns-6x6.json").read_text())
    tour = data["tour"]
    tour[3], tour[4] = tour[4], tour[3]
    forge(tmp_path, tour=tour)
    monkeypatch.setattr(delivered, "DELIVERED", tmp_path)
    assert best_known(Problem(graph_of("6x6"), objective="turns")) is None


def test_no_time_for_the_certificate_leaves_the_tour() -> None:
    problem = Problem(graph_of("7x8"), objective="crossings")  # Its sweep takes half a minute
    known = best_known(problem, Limits(0.2))
    assert known is not None and known.result.value == 65
    assert known.result.bound is None and stated_bound(known) == 65


def test_what_is_stated_is_not_said_beside_a_bound_that_is_as_good(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    forge(tmp_path, status="feasible", bound=20, certificate={})
    monkeypatch.setattr(delivered, "DELIVERED", tmp_path)
    problem = Problem(graph_of("6x6"), objective="turns")
    known, outcome = best_known(problem), best(problem)
    assert known is not None and stated_bound(known) == 20
    assert outcome.result.stated is None and outcome.result.bound is not None and outcome.result.bound >= 20


def test_a_bound_knows_what_is_delivered() -> None:
    problem = Problem(graph_of("6x6"), objective="crossings")
    assert certify_lower_bound(problem, limits=Limits(60)).bound == 52
    assert (certify_lower_bound(problem, limits=Limits(60), known=False).bound or 0) < 52
    assert certify_lower_bound(problem, 52, limits=Limits(60)).method == "frontier"


def test_a_check_that_takes_long_is_left_out_and_its_bound_is_stated(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is checked is decided by measured seconds, not by the clock."""
    problem = Problem(graph_of("6x6"), objective="crossings")
    monkeypatch.setattr(delivered, "_measured", lambda: {"results/crossings-6x6.json": 130.0})
    known = best_known(problem)
    assert known is not None and known.result.bound is None
    assert known.stated == Stated(52, "results/crossings-6x6.json", 130.0)
    assert "whose check takes about 2 minutes" in known.stated.text
    checked = best_known(problem, check_stated=True)
    assert checked is not None and checked.stated is None and checked.result.status == "optimal"
    assert best(problem).result.stated == known.stated
    monkeypatch.setattr(delivered, "_measured", lambda: {"results/crossings-6x6.json": None})
    unknown = best_known(problem)
    assert unknown is not None and unknown.stated is not None and unknown.stated.text.endswith("check takes long")


def test_files_whose_check_takes_long_are_delivered() -> None:
    for name, seconds in json.loads(delivered.CHECK_SECONDS.read_text()).items():
        assert (delivered.DELIVERED / name).exists() and (seconds is None or seconds > 0), name


def test_solve_starts_from_it_if_asked() -> None:
    problem = Problem(graph_of("14x14"), objective="turns")
    result = solve(problem, hint="best", limits=Limits(60))
    assert (result.status, result.value) == ("optimal", 92) and result.certificate is not None
    assert "turns-14x14.json" in result.engine


def test_solve_keeps_its_warm_start() -> None:
    data = kt_json("solve", "5x6", "--minimize", "turns", "--no-best", "--workers", "1")
    assert data["warm_start"]["engine"].startswith("find/") and data["warm_start"]["value"] >= data["value"] == 28
    assert "best known" not in data["engine"]
    answer = kt_json("solve", "5x6", "--minimize", "turns")
    assert answer["warm_start"] == {"value": 28, "engine": answer["engine"]} and "turns-5x6.json" in answer["engine"]


@pytest.mark.slow
def test_a_better_start_than_the_known_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With what is delivered made worse, `improve` goes from the tour that it is given."""
    good = best_known(Problem(graph_of("6x6"), objective="turns"))
    assert good is not None and good.result.tour is not None
    write_tour(tmp_path / "good.json", good.result.tour)
    worse = solve(Problem(graph_of("6x6")), hint=True).tour
    assert worse is not None and worse.measure("turns") > 32
    write_tour(tmp_path / "worse.json", worse)
    data = kt_json("improve", tmp_path / "worse.json", "--minimize", "turns")
    assert data["value"] == 32 and data["warm_start"]["value"] == 32 and "turns-6x6" in data["warm_start"]["engine"]
    answer = kt_json("improve", tmp_path / "worse.json", "--minimize", "turns", "--no-best", "--time-limit", "60")
    assert answer["warm_start"] == {"value": worse.measure("turns"), "engine": "given"}
    home = tmp_path / "home"
    home.mkdir()
    forge(home, tour=[list(map(int, cell)) for cell in worse.graph.board.cells[worse.order]])  # type: ignore[union-attr]
    monkeypatch.setattr(delivered, "DELIVERED", home)
    kept = kt_json("improve", tmp_path / "good.json", "--minimize", "turns")
    assert kept["value"] == 32 and kept["warm_start"]["engine"] == "given"


# -- kt best -----------------------------------------------------------------------------------------------------------


def test_the_construction_is_taken_where_no_file_is() -> None:
    """4(w + h) - 14 turns, or fewer, and 4(w + h) - 24 at least: the theorems' own numbers."""
    row = best(Problem(graph_of("18x20"), objective="turns"))
    assert row.tour_source == "construction sides" and 4 * 38 - 24 <= row.result.bound  # type: ignore[operator]
    assert row.result.value <= 4 * 38 - 14  # type: ignore[operator]
    command, again = row.checks
    value = kt_json(*command.removeprefix("kt ").split())["turns"]
    assert value == row.result.value and again.startswith("kt bound 18x20 --minimize turns")


def test_the_command_says_where_it_is_from(tmp_path: Path) -> None:
    text = kt("best", "6x6").stdout
    assert [line.split()[1:4] for line in text.splitlines()[3:5]] == [["turns", "32", "32"], ["crossings", "52", "52"]]
    assert "results/turns-6x6.json" in text and "check    kt check " in text
    (row,) = kt_json("best", "3x10", "--minimize", "crossings")["best"]
    assert row["value"] == row["bound"] == row["certificate"]["bound"] == 55 and "stated" not in row
    assert kt("best", "6x6", "--minimize", "turns", "-o", tmp_path / "t.json").exit_code == 0
    assert kt("check", tmp_path / "t.json").exit_code == 0
    one_line_refusal(kt("best", "6x6", "-o", tmp_path / "t.json"), "--minimize")


def test_none_and_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    assert kt("best", "5x5").stdout.count("none ") == 2 and kt("best", "5x5").exit_code == 0
    monkeypatch.setattr("encoders.best.SEARCH_SECONDS", 0.0)
    answer = kt("best", "5x6", "--open", "--from", "b2", "--to", "b3", "--minimize", "turns")
    assert answer.exit_code == 3 and "no tour known" in answer.stdout


@pytest.mark.parametrize(("board", "option"), [("3x4x2", ""), ("5x6", "--open --from b2 --to b3"), ("3x7", "--open")])
def test_a_tour_that_is_not_known_is_found(board: str, option: str) -> None:
    (row,) = kt_json("best", board, *option.split(), "--minimize", "turns")["best"]
    assert row["status"] == "optimal" and row["value"] == row["bound"] == row["certificate"]["bound"]
    assert row["tour_source"].startswith("found now") and row["checks"][0].startswith(f"kt solve {board}")
    assert kt_json(*row["checks"][0].removeprefix("kt ").split())["value"] == row["value"]
