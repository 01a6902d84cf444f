"""What objects show in a notebook, the live display, and the tutorials, which run from top to bottom."""

from __future__ import annotations

import json
import re
import runpy
import sys
import types
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import nbclient
import nbformat
import pytest

from drawing.live import chart, in_notebook, live, picture
from drawing.notebook import MAX_LISTED
from encoders import solve
from heuristics.find import find
from kt_models import Board, Certificate, MoveGraph, Problem, Result, Symmetry, graph_of
from kt_models.limits import Limits, Report
from tests.effort import slow

RECORDING = types.SimpleNamespace(**runpy.run_path(str(Path(__file__).parents[2] / "docs" / "site" / "notebooks.py")))
TUTORIALS = sorted((Path(__file__).parents[2] / "docs" / "use" / "tutorials").glob("*.ipynb"))


class Text(HTMLParser):
    """The words of a piece of HTML, its images, and whether every tag is closed."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.words, self.open, self.images = "", [""], 0
        self.feed(html)
        assert self.open == [""], self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "img":
            self.images += 1
            assert (dict(attrs)["src"] or "").startswith("data:image/svg+xml;base64,")
        else:
            assert tag in ("div", "table", "tr", "th", "td"), tag
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += " " + data


def text_of(thing: Any) -> Text:
    return Text(thing._repr_html_())


@pytest.fixture(scope="module")
def best() -> Result:
    return solve(Problem(graph_of("5x6"), objective="turns"), limits=Limits(workers=1))


# -- what objects show -------------------------------------------------------------------------------------------------


def test_a_result_shows_what_is_known_and_how(best: Result) -> None:
    text = text_of(best)
    for words in ("5x6, knight, 30 vertices", "optimal", "28 (least, proved)", "a closed tour", best.how):
        assert words in text.words
    assert text.images == 1


def test_a_result_without_a_tour_says_why() -> None:
    result = solve(Problem(graph_of("4x6")))
    text = text_of(result)
    assert result.reason in text.words and "infeasible" in text.words and text.images == 0


def test_a_certificate_says_whether_it_was_checked(best: Result) -> None:
    certificate = best.certificate
    assert certificate is not None
    fresh = Certificate.from_json(certificate.to_json())
    assert "at least 28 turns in every closed" in text_of(fresh).words and "not yet" in text_of(fresh).words
    text = text_of(fresh.checked())
    assert fresh.check() in text.words and "not yet" not in text.words


def test_a_problem_shows_its_conditions_and_not_all_of_a_long_list() -> None:
    graph = graph_of("8x8")
    problem = Problem(
        graph,
        connectivity="path",
        objective="crossings",
        terminals=(0, 63),
        forbidden=frozenset(range(100, 100 + MAX_LISTED + 5)),
        symmetry=(Symmetry.parse("rot180"),),
    )
    words = text_of(problem).words
    for part in ("an open tour with the least crossings", "a1, h8", "rot180", "and 5 more"):
        assert part in words


def test_a_search_shows_its_tour_or_what_its_absence_means() -> None:
    text = text_of(find(Problem(graph_of("8x8")), "euler"))
    assert text.images == 1 and "nearer" in text.words
    assert "gave up" in text_of(find(Problem(graph_of("4x6")), "warnsdorff")).words
    assert "complete" in text_of(find(Problem(graph_of("4x6")), "random-walk")).words


def test_boards_and_tours_are_drawn(best: Result) -> None:
    for thing in (Board.parse("aztec:3"), best.tour):
        drawing = thing._repr_svg_()
        assert drawing is not None and "<svg" in drawing


def test_names_are_escaped() -> None:
    board = Board.from_mask(["####"] * 4, "@<script>alert(1)</script>&.txt")
    html = Problem(MoveGraph.of(board))._repr_html_()
    assert "<script>" not in html and "<script>alert(1)</script>&" in Text(html).words


def test_large_things_show_without_a_drawing() -> None:
    assert text_of(find(Problem(graph_of("1200x1200")), "parberry")).images == 0


# -- the live display --------------------------------------------------------------------------------------------------


def test_live_does_nothing_outside_of_a_notebook(capsys: pytest.CaptureFixture[str]) -> None:
    assert not in_notebook()
    live()(Report("cpsat", 30, 20, seconds=1.0))
    assert capsys.readouterr() == ("", "")


def test_live_writes_anew_in_one_place(monkeypatch: pytest.MonkeyPatch) -> None:
    outputs: list[str] = []

    class Handle:
        def update(self, thing: Any) -> None:
            outputs.append(thing)

    display = types.SimpleNamespace(HTML=str, display=lambda thing, display_id: (outputs.append(thing), Handle())[1])
    shell = types.SimpleNamespace(kernel=object())
    monkeypatch.setitem(sys.modules, "IPython", types.SimpleNamespace(get_ipython=lambda: shell))  # type: ignore[arg-type]
    monkeypatch.setitem(sys.modules, "IPython.display", display)  # type: ignore[arg-type]
    result = solve(Problem(graph_of("5x6"), objective="turns"), on_progress=live(), limits=Limits(workers=1))
    assert "searching" in outputs[0] and len(outputs) >= 2
    assert f" {result.value} " in Text(outputs[-1]).words + " "


def test_the_picture_says_value_bound_and_gap() -> None:
    now = [
        Report("relaxation", None, 40, seconds=0.5),
        Report("heuristic", 50, 40, seconds=1.0),
        Report("cpsat", 47, 44, seconds=2.5),
    ]
    text = Text(picture(now))
    assert text.words.split() == ["best", "47", "bound", "44", "gap", "3", "after", "2.5", "s", "(cpsat)"]
    assert text.images == 1
    drawing = chart(now)
    assert drawing is not None and drawing.count("<polyline") == 2 and ">50<" in drawing and ">40<" in drawing
    assert chart([Report("cpsat", None, None, seconds=0.1)]) is None


# -- the tutorials -----------------------------------------------------------------------------------------------------


def test_the_tutorials_have_the_outputs_of_their_code() -> None:
    """After a change of a tutorial's code, `python docs/site/notebooks.py NAME` records what it shows."""
    assert len(TUTORIALS) == 7
    for path in TUTORIALS:
        notebook = nbformat.read(path, as_version=4)
        nbformat.validate(notebook)
        assert notebook.metadata.get("recorded") == RECORDING.code_digest(notebook), path.stem
        kinds = {kind for _, forms, _ in RECORDING.shown_by(notebook) for kind in forms}
        assert {"image/svg+xml", "text/html"} <= kinds, path.stem
        outputs = json.dumps([cell.outputs for cell in notebook.cells if cell.cell_type == "code"])
        assert not re.search(r"/tmp/|/home/|/root/|0x[0-9a-f]{8}", outputs), path.stem


@pytest.fixture(scope="module")
def kernel() -> Iterator[Any]:
    """One kernel for all tutorials: each forgets the names of the one before, and what they load is loaded once."""
    place = {"metadata": {"path": str(TUTORIALS[0].parents[2])}}
    client = nbclient.NotebookClient(nbformat.v4.new_notebook(), startup_timeout=600, resources=place)
    with client.setup_kernel():
        yield client.km


@pytest.mark.parametrize("path", [TUTORIALS[1], *slow([TUTORIALS[0], *TUTORIALS[2:]])], ids=lambda path: path.stem)
def test_the_tutorial_shows_what_is_recorded(path: Path, kernel: Any) -> None:
    notebook = nbformat.read(path, as_version=4)
    recorded = RECORDING.shown_by(notebook)
    notebook.cells.insert(0, nbformat.v4.new_code_cell("%reset -f"))
    client = nbclient.NotebookClient(notebook, km=kernel, timeout=600, startup_timeout=600)
    client.execute()
    client.kc.stop_channels()
    assert RECORDING.shown_by(notebook) == recorded
