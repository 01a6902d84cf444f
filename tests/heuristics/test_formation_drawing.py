"""Drawings of formation tours: strands and pieces are what they are said to be, and what is none of them is refused."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

import kt
from cli.main import main
from drawing.draw import draw_picture, draw_svg
from drawing.explanation_parts import Arrow, Mark, Outline, Parts
from heuristics.find import METHODS
from heuristics.method import Method
from heuristics.papers.taming.formation import formation
from heuristics.papers.taming.formation.giraffe import GIRAFFE
from heuristics.papers.taming.formation.picture import FRAMES, STRANDS, TIES, moves_of, strands_of
from kt_models import Leaper, graph_of
from kt_models.board import Board
from kt_models.errors import KTError
from kt_models.problem import Problem
from kt_models.result import Result as Answer
from kt_models.tour import Tour
from tests.effort import slow_rows

SVG = "{http://www.w3.org/2000/svg}"
BOARDS = ["24x20", "16x12", "17x18", "22x17", "6x10", "21x17-a1", "17x21-q21"]


def tour_of(text: str, **options: str) -> Tour:
    tour = formation(Problem(graph_of(text)), **options).tour
    assert tour is not None
    return tour


def ids(svg: str, prefix: str) -> list[ET.Element]:
    return [g for g in ET.fromstring(svg).iter(f"{SVG}g") if g.get("class", "").startswith(prefix)]


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(svg).iter(f"{SVG}text")]


@pytest.mark.parametrize("text", BOARDS)
@pytest.mark.parametrize("heel", ["turns", "plain", "crossings"])
def test_strands_are_paths_and_meet_only_in_the_junctions(text: str, heel: str) -> None:
    tour = tour_of(text, heel=heel)
    parts = strands_of(tour)
    steps = parts.steps
    assert steps is not None and len(steps) == len(tour)
    assert parts.palette == (*STRANDS, TIES)
    changes = [(a, b) for a, b in zip(steps.tolist(), np.roll(steps, -1).tolist(), strict=True) if a != b]
    assert len(changes) == 8  # Four strands, each one run of steps with a junction after it
    assert all((a == 4) != (b == 4) for a, b in changes)
    assert set(steps.tolist()) == {0, 1, 2, 3, 4}
    # A step in a junction has an end in a junction's frame, all others have none there
    junctions = {tuple(c) for f in parts.frames if f.label == "junction" for c in f.cells.tolist()}
    cells = [tuple(c) for c in tour.coordinates.tolist()]
    for row, a, b in zip(steps.tolist(), cells, cells[1:] + cells[:1], strict=True):
        assert (row == 4) == (a in junctions or b in junctions)


@pytest.mark.parametrize("text", BOARDS)
def test_off_the_frames_all_moves_are_parallel(text: str) -> None:
    tour = tour_of(text)
    parts = strands_of(tour)
    framed = {tuple(c) for f in parts.frames for c in f.cells.tolist()}
    cells = tour.coordinates.astype(np.int64)
    free = set()
    for a, b in zip(cells.tolist(), np.roll(cells, -1, axis=0).tolist(), strict=True):
        if tuple(a) not in framed and tuple(b) not in framed:
            free.add(tuple(sorted([(b[0] - a[0], b[1] - a[1]), (a[0] - b[0], a[1] - b[1])])))
    assert len(free) <= 1
    for frame in parts.frames:
        assert frame.colour in FRAMES.values()
        assert len(np.unique(frame.cells, axis=0)) >= 8


def test_strands_are_about_as_long_as_each_other() -> None:
    tour = tour_of("40x30")
    steps = strands_of(tour).steps
    assert steps is not None
    counts = np.bincount(steps, minlength=5)
    assert counts[:4].min() > 0.8 * counts[:4].max()


@pytest.mark.parametrize("text", ["24x20", "17x18", "21x17-a1"])
def test_a_tour_is_recognised_wherever_it_starts_and_however_it_lies(text: str) -> None:
    tour = tour_of(text)
    steps = strands_of(tour).steps
    assert steps is not None
    rolled = Tour(tour.graph, np.roll(tour.order, -7), True)
    assert np.array_equal(strands_of(rolled).steps, np.roll(steps, -7))
    assert np.array_equal(strands_of(tour.reversed()).steps, steps[::-1])
    for symmetry in tour.graph.symmetries():
        assert np.array_equal(strands_of(tour.transformed(symmetry)).steps, steps)


@pytest.mark.parametrize("junction", ["best", "square"])
def test_tours_with_other_junctions_are_drawn(junction: str) -> None:
    assert len(strands_of(tour_of("30x26", junction=junction)).frames) > 4


def test_other_tours_than_formation_tours_are_refused() -> None:
    tour = tour_of("24x20")
    open_tour = Tour(tour.graph, tour.order, False)
    swapped = np.array(tour.order)
    swapped[[3, 5]] = swapped[[5, 3]]
    for other in (open_tour, Tour(tour.graph, swapped, True)):
        with pytest.raises(KTError, match="not a formation tour"):
            strands_of(other)
    for text, leaper in (
        ("8x8", None),
        ("21x17-a1", None),
        ("torus:24x20", None),
        ("aztec:9", None),
        ("24x20", GIRAFFE),
    ):
        with pytest.raises(KTError, match="not a rectangle"):
            moves_of(graph_of(text, leaper))


@pytest.mark.parametrize(
    ("text", "options", "strands"),
    [
        ("16x12x3", {}, 4),
        ("12x3x16", {"heel": "crossings"}, 4),
        ("24x1x20", {}, 4),
        *slow_rows([("17x18x2", {"junction": "best"}, 4)]),
        ("34x34", {"symmetry": "rot90"}, 4),
        ("46x46", {"symmetry": "rot90", "heel": "plain"}, 4),
        ("52x22", {"leaper": "1,4"}, 16),
        ("22x52", {"leaper": "1,4"}, 16),
    ],
)
def test_formation_tours_of_space_quarter_turns_and_giraffes_are_drawn(
    text: str, options: dict[str, Any], strands: int
) -> None:
    about = {name: options[name] for name in ("symmetry", "leaper") if name in options}
    ways = {name: value for name, value in options.items() if name not in about}
    tour = formation(kt.problem(text, **about), **ways).tour
    assert tour is not None
    parts = strands_of(tour)
    assert parts.steps is not None and len(parts.palette) == strands + 1
    copies = 4 if "symmetry" in about else 1
    assert sum(frame.label == "junction" for frame in parts.frames) == 2 * copies
    counts = np.bincount(parts.steps, minlength=strands + 1)
    assert counts[:strands].min() > 0.5 * counts[:strands].max() and counts[strands] < counts[:strands].sum()
    # Each strand is one path in each of its copies, with junctions between; and no cell is in three pieces
    changes = int((parts.steps != np.roll(parts.steps, -1)).sum())
    assert changes == 2 * strands * copies
    framed = np.concatenate([frame.cells for frame in parts.frames])
    assert np.unique(framed, axis=0, return_counts=True)[1].max() <= 2
    symmetry = tour.graph.symmetries()[-1]
    moved = Tour(tour.graph, np.roll(tour.transformed(symmetry).order, 5), True)
    again = strands_of(moved).steps
    assert again is not None and np.array_equal(np.bincount(again), counts)
    assert len(ids(draw_svg(tour, parts=parts), "frame-")) == len(parts.frames)


@pytest.mark.parametrize(("text", "leaper", "words"), [("52x22", GIRAFFE, "giraffes"), ("16x12x3", None, "each level")])
def test_the_moves_of_giraffes_and_in_space_cover_what_the_pieces_do_not(
    text: str, leaper: Leaper | None, words: str
) -> None:
    graph = graph_of(text, leaper)
    parts = moves_of(graph)
    assert words in parts.caption and graph.board is not None
    side = 2 if leaper is None else 4
    covered = {tuple(c) for frame in parts.frames for c in frame.cells.astype(int).tolist()}
    for arrow in parts.arrows:
        a, b = np.array(arrow.start), np.array(arrow.end)
        count = int(max(1, np.gcd.reduce(np.abs(b - a).astype(int))))
        for k in range(count + 1):
            low = np.rint(a + (b - a) * k / count - np.array([(side - 1) / 2] * 2 + [0] * (len(a) - 2))).astype(int)
            covered |= {(low[0] + i, low[1] + j, *low[2:].tolist()) for i in range(side) for j in range(side)}
    assert covered == {tuple(c) for c in graph.board.cells.tolist()}
    assert "diagonal" in " ".join(texts(draw_svg(graph, parts=parts)))


@pytest.mark.parametrize("text", ["24x20", "17x18", "16x12", "30x30"])
def test_the_quartets_moves_cover_the_board_with_the_junctions(text: str) -> None:
    board = Board.parse(text)
    parts = moves_of(graph_of(text))
    covered = {tuple(c) for f in parts.frames if f.label == "junction" for c in f.cells.tolist()}
    for arrow, after in zip(parts.arrows, (*parts.arrows[1:], None), strict=True):
        a, b = np.array(arrow.start), np.array(arrow.end)
        assert after is None or after.start == arrow.end
        count = int(max(1, np.gcd(*np.abs(b - a).astype(int))))
        for k in range(count + 1):  # The quartet at every place along the arrow
            centre = a + (b - a) * k / count
            covered |= {
                tuple((centre + np.array([i, j])).astype(int).tolist()) for i in (-0.5, 0.5) for j in (-0.5, 0.5)
            }
    assert covered == {tuple(c) for c in board.cells.tolist()}
    found = re.search(r"(\d+) diagonal and (\d+) straight", parts.caption)
    assert found is not None
    # Every straight move is two knights' and every diagonal one four knights' steps; 2 paths more in either junction
    steps = 4 * int(found[1]) + 2 * int(found[2])
    junction_cells = sum(len(f.cells) for f in parts.frames if f.label == "junction")
    assert steps + 4 + junction_cells == board.n


def test_marks_of_the_svg() -> None:
    tour = tour_of("24x20")
    parts = strands_of(tour)
    svg = draw_svg(tour, parts=parts)
    assert len(svg) < 200_000
    assert svg == draw_svg(tour, parts=parts)
    assert len(ids(svg, "frame-")) == len(parts.frames)
    (path,) = ids(svg, "path")
    strokes = {m.lower() for m in re.findall(r'stroke="(#\w{6})"', ET.tostring(path, "unicode"))}
    assert strokes == {*STRANDS, TIES}
    written = texts(svg)
    assert written.count("junction") == 2 and "heel" in written and "strand 1, out" in written
    (crossings,) = ids(svg, "crossings")
    assert len(list(crossings.iter(f"{SVG}circle"))) == tour.measure("crossings")
    plain = draw_svg(tour)
    assert not ids(plain, "frame-") and "heel" not in texts(plain)


def test_moves_svg_and_sizes() -> None:
    board = Board.parse("24x20")
    parts = moves_of(graph_of("24x20"))
    svg = draw_svg(board, parts=parts)
    assert {"heel", "edge", "knight 4", "straight moves"} <= set(texts(svg))
    assert len(list(ids(svg, "heads")[0].iter(f"{SVG}path"))) == len(parts.arrows)
    for size in (50, 120, 200, 333, 1000):
        for subject, extra in (
            (board, parts),
            (Board.parse("12x30"), Parts(frames=(Outline(np.array([[3, 4]]), "x"),))),
        ):
            data = draw_picture([(subject, None)], ".png", parts=extra, size=size)
            assert max(int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")) == size


def test_parts_that_do_not_fit_are_refused() -> None:
    tour, board = tour_of("16x12"), Board.parse("16x12")
    cells = np.array([[0, 0]])
    for subject, parts in [
        (tour, Parts(steps=np.zeros(5, dtype=np.int32), palette=("red",))),
        (tour, Parts(steps=np.ones(192, dtype=np.int32), palette=("red",))),
        (board, Parts(steps=np.zeros(192, dtype=np.int32), palette=("red",))),
        (board, Parts(frames=(Outline(cells + 16),))),
        (board, Parts(frames=(Outline(cells[:0]),))),
        (Board.parse("4x4x4"), Parts(arrows=(Arrow((0, 0), (1, 1)),))),
    ]:
        with pytest.raises(KTError, match=r"parts|frame"):
            draw_svg(subject, parts=parts)


def test_an_open_tour_in_parts() -> None:
    tour = tour_of("16x12")
    opened = Tour(tour.graph, tour.order, False)
    parts = Parts(steps=np.arange(191, dtype=np.int32) % 2, palette=("#ff0000", "#0000ff"))
    assert ids(draw_svg(opened, parts=parts), "ends")


def test_kt_draw_shows_strands_of_formation_tours(tmp_path: Path) -> None:
    file, out, bad = tmp_path / "t.json", tmp_path / "o.svg", tmp_path / "bad.svg"
    assert _kt("find", "24x20", "--method", "formation", "-o", file).exit_code == 0
    assert _kt("draw", file, "-o", out, "--strands").exit_code == 0
    assert "strand 4, back" in texts(out.read_text())
    assert _kt("draw", "24x20", "-o", out, "--strands").exit_code == 0
    assert "knight 4" in texts(out.read_text())
    other = tmp_path / "other.json"
    assert _kt("find", "24x20", "-o", other).exit_code == 0
    for subject in (other, "8x8"):
        refusal = _kt("draw", subject, "-o", bad, "--strands")
        assert refusal.exit_code == 2 and refusal.stdout == "" and refusal.stderr.count("\n") == 1
        assert "--strands" in refusal.stderr and not bad.exists()


def test_any_method_explains_its_tours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that says how in its row is asked by `kt draw`, which names none."""

    def dotted(problem: Problem) -> Answer:
        raise NotImplementedError

    parts = Parts(marks=(Mark((0, 0)),), caption="one dot")
    monkeypatch.setitem(METHODS, "dotted", Method(dotted, "For this test.", explain=lambda subject: parts))
    file, out = tmp_path / "t.json", tmp_path / "o.svg"
    assert _kt("find", "8x8", "-o", file).exit_code == 0
    assert _kt("draw", file, "-o", out, "--strands").exit_code == 0
    assert "one dot" in texts(out.read_text())


def _kt(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(a) for a in arguments])
