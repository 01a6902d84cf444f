"""Pictures of arguments, sheets of several tours, marks of direction, print, and galleries."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import kt as kt_door
from drawing.certificate_pictures import _cases, draw_argument
from drawing.draw import draw_picture, draw_svg
from drawing.options import DrawOptions
from drawing.page_entries import layer_of
from encoders.bounds import certify_lower_bound
from heuristics.find import find
from heuristics.obstruction import find_obstruction
from kt_models import Certificate, KTError, MoveGraph, Problem, Tour, graph_of, write_tour
from tests.command import kt, one_line_refusal

RESULTS = Path(__file__).parents[2] / "heuristics" / "delivered" / "results"
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def tour() -> Tour:
    found = find(Problem(graph_of("6x6"))).tour
    assert found is not None
    return found


@pytest.fixture(scope="module")
def bound() -> Certificate:
    return certify_lower_bound(Problem(graph_of("6x6"), objective="turns"), method="relaxation")


def texts(svg: str, name: str) -> list[str]:
    root = ET.fromstring(svg)
    return [
        text.text or ""
        for group in root.iter(f"{SVG}g")
        if group.get("class") == name
        for text in group.iter(f"{SVG}text")
    ]


def obstruction(board: str) -> Certificate:
    certificate = find_obstruction(Problem(graph_of(board)))
    assert certificate is not None
    return certificate


def test_two_colours_are_two_colours() -> None:
    layer = layer_of(obstruction("5x5"))
    assert layer is not None and len(layer.palette) == 2
    assert np.bincount(layer.rows).tolist() == [12, 13]
    graph = graph_of("5x5")
    assert (layer.rows[graph.tails] != layer.rows[graph.heads]).all()
    words = texts(draw_svg(obstruction("5x5")), "key")
    assert "13 cells: no move joins two of these" in words


def test_a_cut_is_drawn_with_the_moves_that_are_left() -> None:
    certificate = obstruction("4x6")
    canvas, title = draw_argument(certificate, DrawOptions())
    (lines,) = [item for item in canvas.items if item.name == "moves"]
    removed = {tuple(cell) for cell in certificate.problem.graph.board.cells[certificate.data["removed"]].tolist()}  # type: ignore[union-attr]
    ends = {tuple(point) for line in lines.points for point in line.tolist()}  # type: ignore[attr-defined]
    assert ends and not ends & removed and title == "there is no closed knight's tour of 4x6"


def test_the_numbers_on_a_dual_picture_add_up_to_the_bound(bound: Certificate) -> None:
    """Added up from what the file says, by nothing but its text."""
    svg = draw_svg(bound)
    least = [Fraction(text) for text in texts(svg, "least")]
    assert len(least) == 36 and sum(least) == 32
    assert any("add up to 32: at least 32" in line for line in texts(svg, "key"))
    assert kt_door.draw(bound) == svg
    paid = texts(svg, "multipliers")
    assert paid and all(Fraction(text) > 0 for text in paid)


def test_a_tree_of_cases_is_drawn_as_a_tree() -> None:
    data = json.loads((RESULTS / "turns-8x8.json").read_text())["certificate"]
    certificate = Certificate.from_json(data)
    cases = list(_cases(certificate))
    leaves = [case for case in cases if case.bound is not None]
    assert len(cases) == len(data["data"]["nodes"]) and all(case.bound and case.bound >= 45 for case in leaves)
    for number, case in enumerate(cases[1:], start=1):
        assert 0 <= case.parent < number and case.depth == cases[case.parent].depth + 1 and case.answer in ("yes", "no")
    svg = draw_svg(certificate)
    assert texts(svg, "bounds").count("≥ 45") == sum(case.bound == 45 for case in leaves)
    assert r"\begin{tikzpicture}" in str(draw_picture([(certificate, None)], ".tex"))


def test_objects_without_a_picture_say_so() -> None:
    data = json.loads((RESULTS / "crossings-3x10.json").read_text())["certificate"]
    certificate = Certificate.from_json(data)
    with pytest.raises(KTError, match="has no picture of cells"):
        draw_svg(certificate)


def test_direction_and_print(tour: Tour) -> None:
    plain, marked = draw_svg(tour), draw_svg(tour, direction=True)
    for name in ("start", "heads"):
        assert f'class="{name}"' not in plain and f'class="{name}"' in marked
    colours = set(re.findall(r'(?:fill|stroke)="(#[0-9a-f]{6})"', draw_svg(tour, theme="print", direction=True)))
    assert all(colour[1:3] == colour[3:5] == colour[5:] for colour in colours)
    with pytest.raises(KTError, match="unknown theme"):
        draw_svg(tour, theme="sketch")


def test_a_sheet_has_all_drawings_apart(tour: Tour) -> None:
    root = ET.fromstring(draw_picture([(tour, None)] * 5, ".svg", size=150))
    boxes = [
        [int(float(inner.get(key, "0"))) for key in ("x", "y", "width", "height")]
        for inner in root.findall(f"{SVG}svg")
    ]
    assert len(boxes) == 5
    for i, (x, y, w, h) in enumerate(boxes):
        assert x + w <= int(root.get("width", "0")) and y + h <= int(root.get("height", "0"))
        assert all(x + w <= u or u + v <= x or y + h <= s or s + t <= y for u, s, v, t in boxes[:i])


def test_the_command_draws_lists_arguments_and_galleries(tour: Tour, bound: Certificate, tmp_path: Path) -> None:
    paths = {name: tmp_path / name for name in ("a.tour", "c.json", "all.jsonl", "all.svg", "why.svg")}
    write_tour(paths["a.tour"], tour)
    paths["c.json"].write_text(json.dumps(bound.to_json()))
    paths["all.jsonl"].write_text(kt("enumerate", "5x6").stdout)
    assert kt("draw", paths["all.jsonl"], "-o", paths["all.svg"], "--size", 120).exit_code == 0
    assert paths["all.svg"].read_text().count("<svg") == 9
    assert kt("draw", paths["c.json"], "-o", paths["why.svg"]).exit_code == 0
    one_line_refusal(kt("draw", paths["a.tour"], "-o", paths["why.svg"], "--argument"), "no certificate")
    one_line_refusal(kt("draw", *["5x5"] * 17, "-o", tmp_path / "x.html"), "more than 16")

    site, wrong = tmp_path / "site", tmp_path / "wrong.json"
    wrong.write_text("{}")
    ledger = RESULTS / "aztec.json"
    made = kt("draw", paths["a.tour"], paths["c.json"], ledger, "-o", f"{site}/")
    assert made.exit_code == 0 and made.stderr.startswith("kt: left out: ") and made.stderr.count("\n") == 2
    index = (site / "index.html").read_text()
    links = re.findall(r'(?:href|src)="([^"]+)"', index)
    assert len(links) == 6 and all((site / link).is_file() for link in links)
    assert "class-0" in (site / "c.svg").read_text() and "<text" not in (site / "c.svg").read_text()  # No empty board
    assert 'content="default-src' in (site / "a.html").read_text() and "At least 32 turns" in index
    assert kt("draw", wrong, paths["a.tour"], "-o", f"{site}/").exit_code == 2  # The other one is there all the same
    one_line_refusal(kt("draw", paths["a.tour"], "-o", f"{tmp_path}/"), "not a gallery", "--force")


def test_a_graph_without_a_board_is_refused(tmp_path: Path) -> None:
    with pytest.raises(KTError, match="no board"):
        draw_svg(MoveGraph.from_edges(3, [(0, 1), (1, 2), (0, 2)]))
