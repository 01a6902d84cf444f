"""Drawings: valid files, every mark counted and in its place, one drawing for one subject, and clear refusals."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import xml.etree.ElementTree as ET
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from drawing.draw import draw_picture, draw_svg
from drawing.page import MAX_SIZE
from kt_models.board import Board
from kt_models.errors import InvalidTour, KTError, TooLarge
from kt_models.graph import MoveGraph
from kt_models.leaper import Leaper
from kt_models.tour import Tour, verify
from kt_models.walks import Walk, walks_of

SVG = "{http://www.w3.org/2000/svg}"
PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"


def tour_of(text: str, closed: bool = True, leaper: str = "1,2") -> Tour:
    """A tour by a path whose end is moved by rotations until it has every cell."""
    graph, rng = MoveGraph.of(Board.parse(text), Leaper.parse(leaper)), random.Random(1)
    near = [graph.neighbours[graph.indptr[v] : graph.indptr[v + 1]].tolist() for v in range(graph.n)]
    path = [0]
    while len(path) < graph.n or (closed and path[0] not in near[path[-1]]):
        free = [v for v in near[path[-1]] if v not in path]
        if free:
            path.append(min(free, key=lambda v: (sum(u not in path for u in near[v]), rng.random())))
        elif rng.random() < 0.1:
            path.reverse()
        else:
            place = path.index(rng.choice(near[path[-1]]))
            path[place + 1 :] = path[:place:-1]
    tour = Tour(graph, np.array(path, dtype=np.int32), closed)
    verify(tour)
    return tour


def drawn(subject: Any, suffix: str, **look: Any) -> Any:
    return draw_picture([(subject, None)], suffix, **look)


def snake(width: int, height: int) -> Tour:
    """The open tour of a wazir that goes up one file and down the next: 2(width - 1) turns."""
    graph = MoveGraph.of(Board.box(width, height), Leaper(0, 1))
    cells = [(x, y if x % 2 == 0 else height - 1 - y) for x in range(width) for y in range(height)]
    return Tour(graph, graph.board.numbers(np.array(cells)), closed=False)


def group(svg: str, name: str) -> ET.Element | None:
    return ET.fromstring(svg).find(f".//{SVG}g[@class='{name}']")


def marks(svg: str, name: str) -> list[tuple[float, float]]:
    """Where the discs of a group are, in pixels."""
    found = group(svg, name)
    return [] if found is None else [(float(c.get("cx")), float(c.get("cy"))) for c in found.iter(f"{SVG}circle")]


def count(svg: str, name: str) -> int:
    """How many marks a group has."""
    found = group(svg, name)
    return 0 if found is None else len(found.findall(f"./{SVG}g/*"))


def strokes(svg: str, name: str) -> list[list[tuple[float, float]]]:
    """The lines of a group, in pixels."""
    drawn = [part for path in group(svg, name).iter(f"{SVG}path") for part in path.get("d").split("M")[1:]]
    return [[tuple(map(float, point.split())) for point in part.split("L")] for part in drawn]


def segments(svg: str) -> np.ndarray:
    """The moves of the path, in pixels, shape (k, 2, 2)."""
    return np.array([pair for points in strokes(svg, "path") for pair in pairwise(points)])


def distances(point: tuple[float, float], lines: np.ndarray) -> np.ndarray:
    along = lines[:, 1] - lines[:, 0]
    place = ((point - lines[:, 0]) * along).sum(axis=1) / (along**2).sum(axis=1)
    return np.hypot(*(lines[:, 0] + place.clip(0, 1)[:, None] * along - point).T)


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(svg).iter(f"{SVG}text")]


PLANE = [
    ("6x6", True, "1,2"),
    ("5x5", False, "1,2"),
    ("aztec:4", False, "1,2"),
    ("8x8-d4,d5,e4,e5", True, "1,2"),
    ("10x10", True, "2,3"),
    ("torus:6x7", True, "1,2"),
    ("cylinder:6x5", True, "1,2"),
]


@pytest.mark.parametrize(("text", "closed", "leaper"), PLANE)
def test_as_many_marks_as_are_measured(text: str, closed: bool, leaper: str) -> None:
    tour = tour_of(text, closed, leaper)
    svg = draw_svg(tour)
    turns, crossings = tour.measure("turns"), tour.measure("crossings")
    assert len(marks(svg, "turns")) == turns
    assert len(marks(svg, "crossings")) == crossings
    assert f"{turns} turns, {crossings} crossings" in texts(svg)[-1]
    assert count(svg, "starts") == count(svg, "ends") == (0 if closed else 1)


@pytest.mark.parametrize(("text", "closed", "leaper"), PLANE)
def test_marks_are_where_the_moves_meet(text: str, closed: bool, leaper: str) -> None:
    svg = draw_svg(tour_of(text, closed, leaper))
    lines = segments(svg)
    ends = lines.reshape(-1, 2)
    for mark in marks(svg, "turns"):
        assert (np.hypot(*(ends - mark).T) < 0.02).sum() >= 2
    for mark in marks(svg, "crossings"):
        near = distances(mark, lines) < 0.02
        assert near.sum() >= 2
        assert len({tuple(np.round(line[1] - line[0], 1)) for line in lines[near]}) >= 2


def test_moves_that_wrap_do_not_cross_the_board() -> None:
    tour = tour_of("torus:6x7")
    lines = segments(draw_svg(tour))
    longest = np.hypot(*(lines[:, 1] - lines[:, 0]).T).max()
    plain = segments(draw_svg(tour_of("6x6")))
    move = np.hypot(*(plain[:, 1] - plain[:, 0]).T).max()
    assert longest < 1.2 * move
    assert len(lines) > len(tour)


def test_moves_on_one_line_are_marked_in_the_middle_of_what_they_share() -> None:
    graph = MoveGraph.of(Board.box(1, 4), Leaper(0, 2))
    walks = [Walk([0, 2], graph.edges_between(0, 2), False), Walk([1, 3], graph.edges_between(1, 3), False)]
    svg = draw_svg(graph, walks)
    (mark,) = marks(svg, "crossings")
    assert mark == pytest.approx(segments(svg).reshape(-1, 2).mean(axis=0))
    assert "1x4, 0,2-leaper, 2 paths, 0 turns, 1 crossing" in texts(svg)


def test_parts_that_are_switched_off_are_not_drawn() -> None:
    svg = draw_svg(tour_of("6x6"), turns=False, crossings=False, names=False)
    assert marks(svg, "turns") == marks(svg, "crossings") == []
    assert [text.split(",")[0] for text in texts(svg)] == ["6x6"]


def test_numbers_and_names() -> None:
    tour = tour_of("5x5", closed=False)
    svg = draw_svg(tour, numbers=True)
    assert texts(svg).count("25") == 1
    assert {"a", "e", "1", "5", *map(str, range(6, 26))} <= set(texts(svg))
    assert len(marks(svg, "turns")) == tour.measure("turns")
    wide = texts(draw_svg(Board.box(100, 100)))
    assert {"j", "cv", "100"} <= set(wide)
    assert len(wide) < 100


def test_layers_of_three_dimensions_are_drawn_side_by_side() -> None:
    tour = tour_of("4x4x4")
    svg = draw_svg(tour)
    assert {"z = 0", "z = 3"} <= set(texts(svg))
    assert len(marks(svg, "turns")) == tour.measure("turns")
    between = int((np.diff(tour.coordinates[:, 2], append=tour.coordinates[0, 2]) != 0).sum())
    assert len(strokes(svg, "stubs")) == 2 * between
    assert len(segments(svg)) == 64 - between
    assert f"4x4x4, closed, {tour.measure('turns')} turns" in texts(svg)
    assert draw_svg(tour_of("torus:4x4x3"), numbers=True)


@pytest.mark.parametrize("text", ["2x3x3x4", "3x2x4x3", "torus:3x3x3x3"])
def test_layers_of_four_dimensions_are_a_grid(text: str) -> None:
    tour = tour_of(text)
    board = tour.graph.board
    assert board is not None
    svg = draw_svg(tour)
    height, width = board.shape[2:]
    titles = [f"z = {z}, w = {w}" for z in range(height) for w in range(width)]
    drawn_titles = [element for element in ET.fromstring(svg).iter(f"{SVG}text") if element.text in titles]
    assert sorted(str(element.text) for element in drawn_titles) == sorted(titles)
    places = {str(e.text): (float(e.get("x", "nan")), float(e.get("y", "nan"))) for e in drawn_titles}
    for z in range(height):
        for w in range(width):
            (x, y), (left, low) = places[f"z = {z}, w = {w}"], places["z = 0, w = 0"]
            assert (x > left) == (w > 0) and (y < low) == (z > 0)
    assert len(marks(svg, "turns")) == tour.measure("turns")
    layers = tour.coordinates[:, 2:]
    between = int((layers != np.roll(layers, -1, axis=0)).any(axis=1).sum())
    assert len(strokes(svg, "stubs")) == 2 * between
    ends = [tuple(np.round(np.ravel(points), 3)) for points in strokes(svg, "stubs")]
    assert len(set(ends)) == len(ends), "no stub hides another"
    for suffix in (".png", ".pdf", ".tex"):
        assert drawn(tour, suffix, numbers=True)


def test_walks_have_one_colour_each() -> None:
    tour = tour_of("6x6")
    graph = tour.graph
    kept = np.delete(tour.edges, [3, 20])
    svg = draw_svg(graph, walks_of(graph.n, graph.ends[kept], kept))
    colours = {path.get("stroke") for path in group(svg, "path").iter(f"{SVG}path")}
    assert len(colours) == 2
    assert count(svg, "starts") == count(svg, "ends") == 2
    assert texts(svg)[-1].startswith("6x6, 2 paths, ")


def test_walks_on_a_torus_follow_their_own_edges() -> None:
    graph = MoveGraph.of(Board.torus(4, 4))
    first, second = graph.edges_between(*graph.ends[graph_pair(graph)])
    svg = draw_svg(graph, [Walk(graph.ends[first].tolist(), [first, second], True)])
    directions = {tuple(np.round(np.abs(line[1] - line[0]), 2)) for line in segments(svg)}
    assert len(directions) >= 2
    assert "1 of" not in texts(svg)[-1]
    assert "2 of 16 cells" in texts(svg)[-1]


def graph_pair(graph: MoveGraph) -> int:
    """An edge that has a parallel one."""
    return next(e for e in range(graph.m) if len(graph.edges_between(*graph.ends[e].tolist())) == 2)


def test_boards_with_holes() -> None:
    squares = group(draw_svg(Board.aztec(3)), "dark-squares").find(f"{SVG}path").get("d")
    assert squares.count("M") == 12
    svg = draw_svg(Board.parse("3x3-b2"))
    assert "3x3-b2, 8 cells" in texts(svg)
    assert len(strokes(svg, "border")) == 8


def test_the_same_drawing_is_the_same_text() -> None:
    tour = tour_of("6x6")
    svg = draw_svg(tour)
    assert svg == draw_svg(tour)
    code = f"""
import sys, numpy
from kt_models.board import Board
from drawing.draw import draw_svg
from kt_models.graph import MoveGraph
from kt_models.tour import Tour
sys.stdout.write(draw_svg(Tour(MoveGraph.of(Board.box(6, 6)), numpy.array({tour.order.tolist()}), True)))
assert "matplotlib" not in sys.modules
"""
    environment = {**os.environ, "PYTHONHASHSEED": "7", "PYTHONPATH": os.pathsep.join(sys.path)}
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    assert run.stdout == svg
    assert drawn(tour, ".png") == drawn(tour, ".png")


def test_the_users_style_neither_matters_nor_changes() -> None:
    import matplotlib

    tour = tour_of("6x6")
    plain = draw_svg(tour)
    with matplotlib.rc_context(
        {"font.size": 30, "figure.facecolor": "black", "savefig.bbox": "tight", "text.usetex": True}
    ):
        before = dict(matplotlib.rcParams)
        assert draw_svg(tour) == plain
        assert dict(matplotlib.rcParams) == before


def test_a_png_has_the_size_asked_for() -> None:
    for size in (100, 333, 800):
        png = drawn(tour_of("6x6"), ".png", size=size)
        assert png.startswith(PNG_SIGNATURE)
        assert max(int.from_bytes(png[16:20]), int.from_bytes(png[20:24])) == size
    width, height = (float(ET.fromstring(draw_svg(tour_of("6x6"), size=800)).get(k)) for k in ("width", "height"))
    assert max(width, height) == 800


def test_pictures_for_papers() -> None:
    tour = tour_of("6x6")
    pdf, tex = drawn(tour, ".pdf"), drawn(tour, ".tex")
    assert pdf.startswith(b"%PDF") and pdf == drawn(tour, ".pdf")
    assert tex.count("circle [radius") == tour.measure("turns") + tour.measure("crossings")
    assert tex.count(r"\begin{") == tex.count(r"\end{") == 2 and tex.count("{") == tex.count("}")
    assert r"36\_\%\{" in drawn(Board.from_mask(["##"], "@36_%{"), ".tex")
    with pytest.raises(TooLarge, match="too many lines for a TeX picture"):
        drawn(snake(150, 150), ".tex")


def test_a_page_sets_the_colours_of_a_drawing() -> None:
    root = ET.fromstring(draw_svg(Board.box(3, 3)))
    rules = root.findtext(f"{SVG}style", "")
    names = {e.get("class") for e in root.iter() if (e.get("class") or "").startswith("kt-")}
    assert {"kt-paper", "kt-light", "kt-dark", "kt-border-line", "kt-soft-ink"} <= names
    for e in root.iter():
        if (name := e.get("class") or "").startswith("kt-"):  # What knows no variables has the same colour
            line = name.endswith("-line")
            colour, name_of = e.get("stroke" if line else "fill"), name.removesuffix("-line")
            assert f".{name}{{{'stroke' if line else 'fill'}:var(--{name_of},{colour})}}" in rules


def test_strange_names_of_boards_are_harmless() -> None:
    text = "@a<b>&$x$\x01\ud800" + "long" * 20
    board = Board.from_mask(["##", "#."], text)
    assert texts(draw_svg(board))[-1].startswith("@a<b>&$x$??long")
    assert len(texts(draw_svg(board))[-1]) < 60
    assert drawn(Board.from_mask(["##"], "@騎士.txt"), ".png")


def test_graphs_without_a_board_are_refused() -> None:
    graph = MoveGraph.from_edges(3, [(0, 1), (1, 2)], "three.col")
    board = Board.box(4, 4)
    with pytest.raises(KTError, match=r"three\.col has no board"):
        draw_svg(graph)
    with pytest.raises(KTError, match="has no board"):
        drawn(Tour(graph, np.arange(3), closed=False), ".png")
    with pytest.raises(KTError, match="it has 5 dimensions; a picture shows at most 4"):
        draw_svg(Board.box(2, 2, 2, 2, 2))
    with pytest.raises(TooLarge, match="at most 1,000,000 are drawn"):
        draw_svg(Board.box(1001, 1000))
    with pytest.raises(TooLarge, match="at most 1,000,000 are drawn"):
        draw_svg(Board.from_cells([(0, 0), (3000, 3000)]))
    with pytest.raises(TooLarge, match="numbers are written in at most"):
        draw_svg(snake(150, 150), numbers=True)
    with pytest.raises(KTError, match="need about"):
        draw_svg(snake(20, 20), numbers=True, size=200)
    with pytest.raises(KTError, match="a drawing has"):
        draw_svg(board, size=MAX_SIZE + 1)
    with pytest.raises(KTError, match="walks are drawn on the graph"):
        draw_svg(board, [])
    with pytest.raises(InvalidTour, match="is not a 1,2 move"):
        draw_svg(Tour(MoveGraph.of(board), np.array([0, 1]), closed=False))
    for order in ([], [0, 99], [-1, 3]):
        with pytest.raises(InvalidTour):
            draw_svg(Tour(MoveGraph.of(board), np.array(order, dtype=np.int32), closed=False))


def test_a_part_of_a_tour_says_so() -> None:
    tour = tour_of("6x6")
    part = Tour(tour.graph, tour.order[:10], closed=False)
    assert "10 of 36 cells" in texts(draw_svg(part))[-1]
