"""Steps of algorithms: recording changes nothing, every step is a state of the graph, and each picture shows them."""

from __future__ import annotations

import io
import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

import kt
from drawing.steps import MAX_PANELS, draw_steps
from heuristics.find import METHODS, find, steps_for
from kt_models.errors import KTError, TooLarge
from kt_models.file_kinds import holds_another
from kt_models.limits import Limits
from kt_models.recording import MAX_STEPS, OPEN, Recording
from tests.command import answered, one_line_refusal
from tests.command import kt as kt_command

RUNS: list[tuple[str, str, bool, dict[str, Any]]] = [
    ("warnsdorff", "8x8", True, {}),
    ("warnsdorff", "5x6", False, {"tie_break": "random"}),
    ("euler", "6x6", False, {"begin": "none"}),
    ("euler", "8x8", True, {"begin": "none", "preset": "paper"}),
    ("path-conversion", "aztec:5", False, {"preset": "paper"}),
    ("path-conversion", "8x8", False, {"join": "shortest"}),
    ("path-conversion", "6x7", False, {}),
    ("merge", "8x8", False, {}),
    ("merge", "torus:5x6", False, {}),
    ("edge-deletion", "6x6", False, {"order": "random"}),
    ("edge-deletion", "3x4", True, {}),
    ("edge-deletion", "4x4", False, {}),
    ("formation", "16x16", False, {}),
]


def watched(method: str, board: str, is_open: bool, parameters: dict[str, Any]) -> tuple[kt.Result, Recording]:
    problem = kt.problem(board, open=is_open)
    steps = steps_for(problem.graph, method)
    return find(problem, METHODS[method], watch=steps, limits=Limits(workers=1, seed=3), **parameters), steps


@pytest.mark.parametrize(("method", "board", "is_open", "parameters"), RUNS)
def test_a_watched_search_finds_what_it_finds_alone(
    method: str, board: str, is_open: bool, parameters: dict[str, Any]
) -> None:
    result, steps = watched(method, board, is_open, parameters)
    alone = find(kt.problem(board, open=is_open), METHODS[method], limits=Limits(workers=1, seed=3), **parameters)
    assert (result.status, result.tour, result.statistics) == (alone.status, alone.tour, alone.statistics)
    now: dict[int, str] = {}
    for step, (same, state) in zip(steps.steps, steps.states(), strict=True):
        assert step is same and step.text.endswith(".") and set(step.gone) <= now.keys()
        assert all(now.get(edge) != kind for edge, kind in step.edges.items())
        assert all(0 <= v < steps.graph.n for v in (*step.cells, *step.marks))
        now = state
    assert max(now, default=0) < steps.graph.m
    if result.tour is not None:
        assert set(now) == set(result.tour.edges.tolist())


def test_every_method_that_is_watched_or_explained_is_tried() -> None:
    able = {name for name, row in METHODS.items() if row.is_watched}
    assert able == {method for method, *_ in RUNS} - {"formation"}


def test_no_parameter_of_a_method_has_the_name_of_the_hook() -> None:
    assert not [name for name, row in METHODS.items() if "watch" in row.parameters]


def test_steps_of_edge_deletion_show_that_a_path_avoids_deleted_edges() -> None:
    _, steps = watched("edge-deletion", "6x6", False, {"order": "random"})
    states = [*steps.states()][:-1]
    assert any(step.gone for step, _ in states) and any(OPEN in state.values() for _, state in states)
    possible = set(range(steps.graph.m))
    for step, state in states:
        if not step.text.startswith("Back"):  # A way back gives edges back
            assert set(state) <= possible
        possible = set(state)


def test_a_long_run_keeps_its_first_steps_and_its_end() -> None:
    steps = Recording(kt.graph("8x8"), "euler")
    for number in range(MAX_STEPS + 5):
        steps.record(f"{number}.")
    result = kt.find("8x8", "merge")
    steps.finish(result)
    assert len(steps) == MAX_STEPS + 1 and steps.steps[-1].text.startswith("5 steps later")


@pytest.mark.parametrize("suffix", [".html", ".svg", ".png", ".pdf", ".tex", ".gif"])
def test_each_kind_of_picture_has_the_steps(suffix: str) -> None:
    _, steps = watched("path-conversion", "aztec:5", False, {"preset": "paper"})
    data = draw_steps(steps, suffix)
    assert data == draw_steps(steps, suffix)
    if suffix == ".html":
        assert isinstance(data, str)
        held = json.loads(re.findall(r'id="data">(.*?)</script>', data)[0])
        assert [step["text"] for step in held["steps"]] == [step.text for step in steps.steps]
        assert len(held["lines"]) == len({edge for step in steps.steps for edge in step.edges})
    elif suffix == ".svg":
        root = ET.fromstring(data)
        panels = root.findall("{http://www.w3.org/2000/svg}svg")
        assert len([panel for panel in panels if "Cut" in "".join(panel.itertext())]) == 4
    elif suffix == ".gif":
        from PIL import Image

        assert isinstance(data, bytes)
        assert Image.open(io.BytesIO(data)).n_frames == len(steps)  # type: ignore[attr-defined]


@pytest.mark.parametrize("subject", ["board", "points", "gallery", "steps"])
def test_every_page_is_recognised_as_one_of_kt(subject: str, tmp_path: Path) -> None:
    """So it may be written again."""
    page = tmp_path / "page.html"
    if subject == "steps":
        page.write_text(str(draw_steps(watched("merge", "6x6", False, {})[1], ".html")))
    elif subject == "gallery":
        kt.draw([kt.find("5x6"), kt.find("6x6")], tmp_path / "all")
        page = tmp_path / "all" / "index.html"
    else:
        graph = kt.graph("5x6") if subject == "board" else kt.graph(points=[(0, 0), (1, 0), (1, 1), (0, 1)])
        kt.draw(kt.find(graph), page)
    assert holds_another(page, ()) is None


def test_a_sheet_of_many_steps_has_a_share_of_them() -> None:
    _, steps = watched("warnsdorff", "10x10", True, {})
    assert len(steps) > MAX_PANELS and f"{MAX_PANELS} of {len(steps)} steps" in str(draw_steps(steps, ".svg"))


def test_what_has_no_steps_is_refused_in_one_line() -> None:
    with pytest.raises(KTError, match="does not record its steps"):
        steps_for(kt.graph("8x8"), "uniform")
    with pytest.raises(TooLarge, match="at most 1,000"):
        steps_for(kt.graph("50x50"), "euler")
    with pytest.raises(KTError, match="in the plane"):
        draw_steps(Recording(kt.graph("3x4x2"), "merge"), ".svg")
    problem = kt.problem("6x6", numbers={"a1": 1, "b3": 5})
    steps = steps_for(problem.graph, "merge")
    with pytest.raises(KTError, match="given numbers"):
        find(problem, METHODS["merge"], watch=steps)


def test_the_command_writes_steps_in_place_of_the_tour(tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    arguments = ["find", "6x6", "--method", "merge", "--steps", "-o"]
    assert answered(*arguments, path)[0] == 0
    data = json.loads(path.read_text())
    assert data["kind"] == "steps" and data["board"] == "6x6" and data["steps"][-1]["text"] == "The tour is complete."
    page = tmp_path / "s.html"
    for _ in range(2):  # A page of steps may take the place of one
        assert answered(*arguments, page)[0] == 0
    assert answered("find", "6x6", "-o", path)[0] == 2
    for wrong in (["--steps"], ["--steps", "-o", "x.svg"], ["--method", "euler", "--steps", "-o", "x.txt"]):
        one_line_refusal(kt_command("find", "6x6", *wrong))
