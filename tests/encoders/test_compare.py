"""Heuristics beside optima: every figure of a row is what the room that it is from gives."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from encoders import solve
from encoders.compare import Comparison, Effort, Score, compare
from encoders.compare.run import LOCAL, run_once
from encoders.compare.table import csv_text, page, plot, table
from encoders.find import METHODS, find
from heuristics.method import Method
from kt import tours
from kt_models import KTError, Problem, Result, graph_of
from kt_models.display import save
from kt_models.expressions import Expression
from kt_models.limits import Limits, Stopped
from tests.command import kt, kt_json, one_line_refusal
from tests.effort import slow_rows

FEW = ("merge", "warnsdorff", "parberry", "formation", "strands", "rings", "torus")
"""Methods that are done in a moment, so that no limit decides what comes out."""


@pytest.fixture(scope="module")
def rows() -> Iterator[list[Comparison]]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys.modules[run_once.__module__], "METHODS", {name: METHODS[name] for name in FEW})
        yield list(compare(["5x6", "5x5", "12x12"], "turns", effort=Effort(tries=2, seconds=100, proof=100)))


def test_a_row_has_the_optimum_and_its_certificate(rows: list[Comparison]) -> None:
    small, none, large = rows
    assert (small.bound, small.optimum, large.bound, large.optimum) == (28, 28, 77, 77)  # Docs/data/results.md
    assert none.result.status == "infeasible" and not none.scores
    for row in (small, large):
        assert row.result.certificate is not None and row.result.certificate.bound == row.reference
        for score in row.scores:
            assert score.best is None or score.best >= row.reference  # type: ignore[operator]


def test_every_method_that_takes_the_board_is_there_and_no_other(rows: list[Comparison]) -> None:
    names = [{score.method for score in row.scores} for row in rows]
    assert names[2] - names[0] == {"formation", "strands", "parberry"}  # 5x6 is too small for them
    assert names[0] == {"merge", "warnsdorff", LOCAL} and not {"rings", "torus"} & names[2]
    for score in rows[2].scores:
        assert len(score.seconds) == (1 if score.method in METHODS and METHODS[score.method].constructs else 2)


def test_a_value_is_that_of_the_tour_that_find_gives(rows: list[Comparison]) -> None:
    tour = find(Problem(graph_of("12x12")), "strands", few="turns").tour
    scores = {score.method: score for score in rows[2].scores}
    assert tour is not None and scores["strands"].values == (tour.measure("turns"),)
    again = find(Problem(graph_of("12x12")), "merge", limits=Limits(seed=1)).tour
    assert again is not None and again.measure("turns") == scores["merge"].values[1]


def test_a_search_that_finds_nothing_and_one_that_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(problem: Problem, *, limits: Limits) -> Result:
        raise Stopped("the time is up")

    monkeypatch.setitem(METHODS, "nothing", Method(nothing, "None."))
    text = json.dumps(Problem(graph_of("6x6"), objective="turns").to_json())
    assert run_once(text, "nothing", 0, 1.0, Limits())[:2] == ("none", None)
    assert run_once(text, "rings", 0, 1.0, Limits())[0] == "refused"


def test_the_first_try_has_all_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it takes to read or compile loops is not a part of it."""
    left, now = [], [0.0]
    monkeypatch.setattr("kt_models.limits.time.monotonic", lambda: now[0])

    def slow(problem: Problem, *, limits: Limits) -> Result:
        left.append(limits.left)
        now[0] += 60
        return Result(problem, "unknown")

    monkeypatch.setitem(METHODS, "slow", Method(slow, "Compiles for a minute."))
    run_once(json.dumps(Problem(graph_of("5x6"), "cycle", "turns").to_json()), "slow", 0, 2.0, Limits())
    assert left == [2.0, 2.0]


def test_gaps_are_measured_from_the_best_that_is_known() -> None:
    problem = Problem(graph_of("6x6"), objective="turns")
    row = Comparison(problem, (Score("a", (40, 48), (1.0, 3.0)), Score("b", (), (2.0,))), Result(problem, "unknown"))
    assert row.best == 40 and row.scores[0].median == 44 and row.scores[0].time == 2.0
    assert row.gap(40) is None and row.reference is None  # Nothing is known to hold it against
    known = solve(problem, hint="best")
    full = Comparison(problem, row.scores, known)
    assert full.reference == 32 and full.gap(40) == 25 and full.gap(None) is None
    assert table([full])[1][:5] == ["6x6", "turns", "32", "32", "0"]
    assert table([full])[1][7:] == ["40", "25.0%", "40/44 2s", "-"]


def test_a_solvers_word_is_no_bound(rows: list[Comparison]) -> None:
    result = rows[0].result
    row = Comparison(rows[0].problem, rows[0].scores, Result(rows[0].problem, "feasible", result.tour, bound=27))
    assert (row.bound, row.optimum, row.reference) == (None, None, None) and table([row])[1][8] == ""


def test_lines_for_a_spreadsheet(rows: list[Comparison]) -> None:
    lines = list(csv.DictReader(io.StringIO(csv_text(rows))))
    assert len(lines) == sum(len(row.scores) for row in rows)
    strands = next(line for line in lines if line["method"] == "strands")
    assert (strands["board"], strands["optimum"], strands["best"]) == ("12x12", "77", strands["median"])


def test_pictures_and_pages_have_every_row(rows: list[Comparison]) -> None:
    picture = plot(rows, "turns").decode()
    assert "strands" in picture and "12x12" in picture and "5x5" not in picture
    text = page(rows, "turns")
    assert text.count("<tr>") == len(rows) + 1 and "<svg" in text and not re.search(r"(src|href)=\"https?:", text)


def test_the_command_compares_with_the_optimum(tmp_path) -> None:
    words = ["compare", "6x6", "--minimize", "turns", "--tries", "1", "--seconds", "0.2", "--workers", "1"]
    data = kt_json(*words)
    (row,) = data["rows"]
    assert data["complete"] and row["optimum"] == 32 and row["gap_to"] == "optimum"
    assert {score["method"] for score in row["methods"]} > {"merge", LOCAL}
    answer = kt(*words, "-o", tmp_path / "c.html")
    assert answer.exit_code == 0 and answer.stdout.splitlines()[1].split()[:5] == ["6x6", "turns", "32", "32", "0"]
    assert "<svg" in (tmp_path / "c.html").read_text()
    for bad in (["--tries", "0"], ["--seconds", "-1"], ["--csv", "--json"], ["-o", "x.pdf"], ["--seed", "-1"]):
        one_line_refusal(kt(*words, *bad))
    one_line_refusal(kt("compare", "6x6..5x5", "--minimize", "turns"), "6x6..5x5")
    one_line_refusal(kt("compare", "6x6", "--minimize", "beauty"), "beauty")


def test_compare_stops_in_time() -> None:
    answer = kt("compare", "6x6..20x20", "--minimize", "turns", "--time-limit", "0.1", "--workers", "1")
    assert answer.exit_code == 3 and "stopped" in answer.stderr


def test_values_are_in_the_users_unit(tmp_path) -> None:
    """Bounds and optima of lengths are compared with the lengths of tours, not with their integers."""
    (tmp_path / "p.csv").write_text("name,x,y\na,0,0\nb,1,0\nc,2,0\nd,0,1\ne,1,1\nf,0,2.5\n")
    data = kt_json("compare", tmp_path / "p.csv", "--minimize", "length", "--tries", "1", "--workers", "1")
    row = data["rows"][0]
    assert row["optimum"] == row["bound"] == row["best_known"] == 7.71699, row
    for score in row["methods"]:
        assert score["gap_percent"] == round(100 * (score["best"] / row["optimum"] - 1), 2) >= 0


SUMS = {
    "turns + crossings": lambda tour: tour.measure("turns") + tour.measure("crossings"),
    "3*turns": lambda tour: 3 * tour.measure("turns"),
    "-turns": lambda tour: -tour.measure("turns"),
    "turns - crossings": lambda tour: tour.measure("turns") - tour.measure("crossings"),
    "length:manhattan": lambda tour: tour.measure("length:manhattan"),
    "length + 2*angle": lambda tour: round(tour.measure("length") + 2 * tour.measure("angle"), 6),
}
POINTS = "0 0\n1 0\n2 1\n3 0\n3 3\n0 3\n1 2\n"


@pytest.mark.parametrize(
    ("name", "is_open"),
    [
        ("turns - crossings", False),
        ("length + 2*angle", False),
        *slow_rows([(name, True) for name in SUMS]),
        *slow_rows([(name, False) for name in ("turns + crossings", "3*turns", "-turns", "length:manhattan")]),
    ],
)
def test_every_sum_is_compared_as_brute_force_says(
    name: str, is_open: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules[run_once.__module__], "METHODS", {key: METHODS[key] for key in FEW[:2]})
    (tmp_path / "p.xy").write_text(POINTS)
    (row,) = compare([str(tmp_path / "p.xy")], name, closed=not is_open, effort=Effort(tries=2, seconds=9, proof=99))
    values = {SUMS[name](tour) for tour in tours(tmp_path / "p.xy", open=is_open)}
    least = min(values)
    assert row.optimum == least == row.least_value
    for score in row.scores:
        assert score.values and values.issuperset(score.values)
        gap = row.gap(score.best)
        assert gap is None if least == 0 else gap == pytest.approx(100 * (score.best - least) / abs(least))
    text = page([row], name)
    assert text.count("<tr>") == 2 and ("excess" in text) == (least < 0)
    assert table([row])[1][:3] == ["p.xy", name, f"{least:,}"]


def test_a_bound_below_zero_gives_no_gap_to_values_above() -> None:
    known = solve(Problem(graph_of("3x4"), "path", "-turns"))
    row = Comparison(known.problem, (), replace(known, status="feasible"))
    assert row.optimum is None and row.bound is not None and row.bound < 0
    assert (row.gap(row.bound), row.gap(0), row.gap(5)) == (0, 100, None)


COMMANDS: dict[str, tuple[bool, list[str]]] = {
    "solve": (True, ["{file}"]),
    "bound": (True, ["{file}"]),
    "enumerate": (True, ["{file}"]),
    "enumerate --count --by": (True, ["{file}"]),
    "find": (True, ["{file}", "--time-limit", "0.5"]),
    "improve": (True, ["{tour}", "--time-limit", "0.5"]),
    "compare": (True, ["{file}", "--tries", "1", "--proof", "0", "--workers", "1"]),
    "table": (True, ["{file}", "--seconds", "0"]),
    "convert": (True, ["{file}", "{model}", "--force"]),
    "best": (False, ["6x6"]),
    "search heel": (False, []),
    "search strip": (False, []),
    "magic": (False, ["4x4"]),
    "longest": (False, ["4x4"]),
    "measure": (False, ["{tour}"]),
    "show": (False, ["{tour}"]),
    "draw": (False, ["{tour}"]),
    "puzzle": (False, ["4x4"]),
    "explore": (False, []),
}
REFUSALS = ("turns and for crossings only", "turns and crossings only", "no such option '--minimize'")


@pytest.mark.parametrize("name", ["turns + crossings", pytest.param("length + 2*angle", marks=pytest.mark.slow)])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_serves_every_sum_or_says_that_it_takes_none(command: str, name: str, tmp_path: Path) -> None:
    """No command guesses that a sum is a misspelt measure."""
    files = {"file": tmp_path / "p.xy", "tour": tmp_path / "t.json", "model": tmp_path / "m.opb"}
    files["file"].write_text(POINTS)
    save(next(iter(tours(files["file"]))), files["tour"])
    serves, rest = COMMANDS[command]
    words = command.split() if "--by" in command else [*command.split(), "--minimize"]
    answer = kt(*words, name, *(word.format(**files) for word in rest))
    assert "did you mean" not in answer.stderr
    if serves:
        # The searches stop with what they have when their time is over.
        assert answer.exit_code == 0 or (answer.exit_code == 3 and "--time-limit" in rest), answer.output
    else:
        one_line_refusal(answer)
        assert any(refusal in answer.stderr for refusal in REFUSALS), answer.stderr


def test_a_problem_takes_a_sum_by_its_text() -> None:
    graph = graph_of("5x6")
    weights = Expression.parse("2*turns + crossings").weights(graph)
    assert Problem(graph, objective="2*turns + crossings") == Problem(graph, objective=weights)
    with pytest.raises(KTError, match="unknown objective 'tunrs', did you mean 'turns'"):
        Problem(graph_of("5x6"), objective="2*tunrs")
