"""What is known already is used: constructions, certificates in files, and lists of tours that are read again."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest

from encoders import solve
from heuristics.find import find
from kt_models import Problem, graph_of
from kt_models.limits import Limits, Report
from tests.command import kt, kt_json
from tests.effort import slow_rows

RESULTS = Path(__file__).parents[2] / "heuristics" / "delivered" / "results"


@pytest.mark.parametrize(("metric", "most"), slow_rows([("turns", 8 * 82 - 18), ("crossings", 19 * 82 // 3 + 86)]))
def test_large_boards_begin_with_a_construction_and_a_theorem(metric: str, most: int) -> None:
    least, stop = {"turns": 8 * 82 - 22, "crossings": 4 * 82 + 36}[metric], threading.Event()

    def on_progress(now: Report) -> None:
        if now.value is not None and now.value <= most and now.bound == least:
            stop.set()

    result = solve(
        Problem(graph_of("82x82"), objective=metric), on_progress=on_progress, limits=Limits(stop=stop, workers=2)
    )
    assert result.value is not None and result.value <= most
    assert result.certificate is not None and result.bound == least
    ended = threading.Event()
    found = find(
        Problem(graph_of("82x82"), objective=metric),
        limits=Limits(stop=ended),
        on_progress=lambda now: now.edges is not None and ended.set(),  # type: ignore[func-returns-value]
    )
    assert found.value is not None and found.value <= most


@pytest.mark.slow
def test_no_construction_without_an_objective_or_for_other_boards() -> None:
    def engine(board: str, objective: str | None = None) -> str:
        return find(Problem(graph_of(board), objective=objective), quick=True).engine

    assert engine("20x20") == engine("10x10-a1,b1", "turns") == "find/merge"
    assert engine("12x13", "turns") == "find/strands"


def test_improve_takes_the_bound_of_its_file(tmp_path: Path) -> None:
    best, out = RESULTS / "turns-8x8.json", tmp_path / "out.json"
    data = kt_json("improve", best, "--minimize", "turns", "-o", out)
    assert (data["exit"], data["status"], data["value"], data["bound"]) == (0, "optimal", 45, 45)
    assert kt("check", out).exit_code == 0
    other = kt_json("improve", best, "--minimize", "crossings", "--time-limit", "0.3")
    assert other["exit"] == 3 and other["value"] >= other.get("bound", 0) != 45


def test_lists_of_tours_are_checked(tmp_path: Path) -> None:
    path = tmp_path / "tours.jsonl"
    assert kt("enumerate", "5x6", "-o", path).exit_code == 0
    result = kt("check", path)
    assert result.exit_code == 0 and "8 different tours" in result.stdout
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines, lines[3]]))
    assert kt("check", path, tmp_path / "missing.json").exit_code == 1  # Wrong, whatever else could not be read
    path.write_text(json.dumps(json.loads(lines[0]) | {"turns": 1}))
    assert kt("check", path).exit_code == 1  # What a line says of its tour is compared, as in a file of one
    damaged = json.loads(lines[0])
    damaged["tour"][0], damaged["tour"][1] = damaged["tour"][1], damaged["tour"][0]
    path.write_text(json.dumps(damaged))
    assert kt("check", path).exit_code == 1
    path.write_text("{\n")
    assert kt("check", path).exit_code == 2
    assert kt("enumerate", "5x6", "-o", tmp_path / "tours.svg").exit_code == 2


def test_a_bound_that_is_too_high_is_refuted_by_a_tour() -> None:
    result = kt("bound", "8x8", "--at-least", "46", "--json")
    assert result.exit_code == 1
    assert result.stderr == "kt: there is no bound of 46: a solution has the value 45\n"
    data = json.loads(result.stdout)
    assert (data["refuted"], data["claimed"], data["value"], len(data["tour"])) == (True, 46, 45, 64)
