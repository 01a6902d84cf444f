"""Symmetric tours of cylinders and tori: every engine, beside a brute force that shares no code with the product."""

from __future__ import annotations

import itertools
from collections import Counter
from functools import cache
from random import Random

import numpy as np
import pytest

import kt
from encoders import solve
from encoders.enumeration import enumerate_tours, sweep
from kt_models import Leaper, Problem, Symmetry, Tour, graph_of
from kt_models.board import Board
from kt_models.graph import has_parallel_edges
from kt_models.limits import Limits
from kt_models.runs.tour_task import TourTask
from tests.command import kt_json
from tests.effort import part_of
from tests.kt_models.test_board_symmetries import brute_group, group_of, same

SHAPES = (
    "cylinder:3x3", "cylinder:4x2", "cylinder:5x2", "cylinder:3x4", "cylinder:6x2", "cylinder:5x2-a1", "cylinder:1x5",
    "cylinder:4x3-a1,c1", "cylinder:6x2-a1,d2", "torus:3x3", "torus:3x4", "torus:5x2", "torus:3x3-a1", "torus:1x6",
    "torus:6x3-a1,d1,b2,e2,c3,f3", "torus:4x3-a1,c1", "cylinder:2x3", "cylinder:2x4", "torus:2x2", "torus:2x3",
    "torus:4x2", "torus:4x3", "torus:2x4-a1,b3",
)  # fmt: skip
PIECES = ("0,1", "1,2", "1,1", "0,1+1,1", "0,1+0,2", "1,3")
ROWS = [*itertools.product(SHAPES, PIECES, (True, False))]
MOST = 4000
"""Most tours of a board that is listed here."""


@cache
def tours(shape: str, piece: str, closed: bool) -> frozenset[tuple[int, ...]] | None:
    """All tours as orders of cells, by trying all; None if there are too many."""
    graph = graph_of(shape, Leaper.parse(piece))
    near: list[list[int]] = [[] for _ in range(graph.n)]
    for u, v in graph.ends.tolist():
        near[u].append(v)
        near[v].append(u)
    found: set[tuple[int, ...]] = set()
    steps = 0

    def extend(path: list[int], left: set[int]) -> bool:
        nonlocal steps
        steps += 1
        if not left and (not closed or path[0] in near[path[-1]]) and (not closed or len(path) > 2):
            found.add(same(tuple(path), closed))
        if len(found) > MOST or steps > 300_000:
            return False
        return all(extend([*path, v], left - {v}) for v in near[path[-1]] if v in left)

    starts = range(1) if closed else range(graph.n)
    return frozenset(found) if all(extend([s], set(range(graph.n)) - {s}) for s in starts) else None


def fixed(shape: str, piece: str, closed: bool, image: tuple[int, ...]) -> set[tuple[int, ...]]:
    every = tours(shape, piece, closed)
    assert every is not None
    return {tour for tour in every if same(tuple(image[v] for v in tour), closed) == tour}


def names(shape: str) -> list[str]:
    """A text for each symmetry of the board, written by brute force."""
    board = Board.parse(shape)
    texts = {}
    for mirrors in itertools.product((1, -1), repeat=2):
        for axes in ((0, 1), (1, 0)):
            for shift in itertools.product(
                *(range(s if w else 1) for s, w in zip(board.shape, board.wraps, strict=True))
            ):
                parts = [
                    ("-" if mirrors[i] < 0 else "") + "xy"[axes[i]] + (f"+{shift[i]}" if shift[i] else "")
                    for i in (0, 1)
                ]
                symmetry = Symmetry.parse(f"({','.join(parts)})")
                if symmetry.fixes(board):
                    texts[tuple(symmetry.permutation(board).tolist())] = str(symmetry)
    assert set(texts) == brute_group(board.shape, board.wraps, [tuple(c) for c in board.cells.tolist()])
    return list(texts.values())


def cases(number: int) -> list[tuple[str, str, bool, str]]:
    """Boards, pieces, open or closed, and symmetries."""
    rng = Random("translations")
    rows = [row for row in ROWS if tours(*row) is not None]
    every = [(*row, name) for row in rows for name in names(row[0])]
    return rng.sample(every, min(number, len(every)))


@pytest.mark.parametrize("way", ["sat", "search", "sweep"])
def test_symmetric_tours_are_those_of_brute_force(way: str) -> None:
    compared = 0
    for shape, piece, closed, name in cases(part_of(60)):
        graph = graph_of(shape, Leaper.parse(piece))
        symmetry = Symmetry.parse(name)
        truth = fixed(shape, piece, closed, tuple(symmetry.permutation(graph.board).tolist()))
        task = TourTask(
            Problem(graph, "cycle" if closed else "path", symmetry=(symmetry,)).by_cells, counting=way == "sweep"
        )
        if way == "sweep":
            counted = sweep(task)
            assert counted is None or counted.count == len(truth), (shape, piece, closed, name)
            compared += counted is not None
            continue
        found = [same(tuple(t.order.tolist()), closed) for t in enumerate_tours(task, engine=way)]
        assert len(found) == len(set(found)) and set(found) == truth, (shape, piece, closed, name)
        compared += bool(found)
    assert compared > 3


@pytest.mark.parametrize("engine", ["cpsat", "sat", "auto"])
def test_engines_find_a_symmetric_tour_exactly_where_brute_force_does(engine: str) -> None:
    status = set()
    for shape, piece, closed, name in cases(part_of(90)):
        graph = graph_of(shape, Leaper.parse(piece))
        symmetry = Symmetry.parse(name)
        truth = fixed(shape, piece, closed, tuple(symmetry.permutation(graph.board).tolist()))
        problem = Problem(graph, "cycle" if closed else "path", symmetry=(symmetry,)).by_cells
        result = solve(problem, engine=engine, hint=None, limits=Limits(workers=1, seconds=60))
        assert (result.status == "feasible") == bool(truth), (shape, piece, closed, name, result)
        if truth:
            assert same(tuple(result.tour.order.tolist()), closed) in truth
        else:
            assert result.status == "infeasible", (shape, piece, closed, name)
        status.add(result.status)
    assert len(status) == 2


def test_a_required_pair_of_cells_is_met_where_brute_force_meets_it() -> None:
    """Also where several moves join the two cells: without an objective a tour is an order of cells at every door."""
    rng, status, several = Random("required"), set(), 0
    rows = [row for row in ROWS if tours(*row) is not None and graph_of(row[0], Leaper.parse(row[1])).n > 2]
    for shape, piece, closed in rng.sample(rows, min(len(rows), part_of(60))):
        graph, every = graph_of(shape, Leaper.parse(piece)), tours(shape, piece, closed)
        assert every is not None
        if not graph.m:
            continue
        u, v = map(int, rng.choice(graph.ends.tolist()))
        several += len(graph.edges_between(u, v)) > 1
        truth = {t for t in every if any({a, b} == {u, v} for a, b in zip(t, t[1:] + t[: int(closed)], strict=False))}
        asked = {
            "leaper": piece,
            "open": not closed,
            "require": [tuple(map(tuple, graph.board.cells[[u, v]].tolist()))],
        }
        result = kt.solve(shape, **asked, workers=1, time_limit=60)
        assert result.status == ("feasible" if truth else "infeasible"), (shape, piece, closed, u, v)
        assert result.tour is None or same(tuple(result.tour.order.tolist()), closed) in truth
        assert kt.count(shape, **asked) == len(truth), (shape, piece, closed, u, v)
        status.add(result.status)
    assert len(status) == 2 and several > 5


def test_symmetric_tours_are_counted_by_value() -> None:
    """No sweep knows values and a symmetry, so that `--count --by` lists the tours, as a count of one value does."""
    several = 0
    rows = [row for row in cases(400) if not has_parallel_edges(graph_of(row[0], Leaper.parse(row[1])))]
    for shape, piece, closed, name in rows[: part_of(25)]:
        graph = graph_of(shape, Leaper.parse(piece))
        truth = fixed(shape, piece, closed, tuple(Symmetry.parse(name).permutation(graph.board).tolist()))
        by = Counter(str(Tour(graph, np.array(t), closed).measure("turns")) for t in truth)
        words = [shape, "--leaper", piece, *([] if closed else ["--open"]), "--symmetry", name]
        answer = kt_json("enumerate", *words, "--count", "--by", "turns")
        assert (answer["count"], answer["by_value"]) == (len(truth), by), (shape, piece, closed, name)
        several += len(by) > 1
    assert several


def test_classes_are_those_of_brute_force_and_of_burnside() -> None:
    """The orbits of tours; the mean number of tours that a symmetry keeps; kt's list and its count."""
    rng, several, swept = Random("classes"), 0, 0
    rows = [row for row in ROWS if tours(*row) is not None and len(tours(*row) or ()) < 1500]
    for shape, piece, closed in rng.sample(rows, min(len(rows), part_of(48))):
        every, group = tours(shape, piece, closed), group_of(shape)
        assert every is not None
        orbits = {min(same(tuple(g[v] for v in tour), closed) for g in group) for tour in every}
        assert sum(len(fixed(shape, piece, closed, g)) for g in group) == len(orbits) * len(group)
        problem = Problem(graph_of(shape, Leaper.parse(piece)), "cycle" if closed else "path").by_cells
        listed = [tuple(t.order.tolist()) for t in enumerate_tours(TourTask(problem, up_to_symmetry=True))]
        assert len({min(same(tuple(g[v] for v in t), closed) for g in group) for t in listed}) == len(listed)
        assert len(listed) == len(orbits), (shape, piece, closed)
        counted = sweep(TourTask(problem, up_to_symmetry=True))
        assert counted is None or counted.count == len(orbits), (shape, piece, closed)
        swept += counted is not None
        several += len(orbits) > 1
    assert several > 1 and swept > 1


@pytest.mark.parametrize(
    ("board", "symmetry", "objective"),
    [
        ("cylinder:6x5", "(x+2,y)", None),
        ("cylinder:6x5", "(x+3,-y)", "turns"),
        ("torus:6x6", "(x+3,y+3)", "crossings"),
        pytest.param("torus:6x6", "(x+1,y+1)", "turns", marks=pytest.mark.slow),
        pytest.param("torus:12x12", "(x+1,y+5)", "turns", marks=pytest.mark.slow),
        pytest.param("cylinder:40x30", "(x+8,y)", None, marks=pytest.mark.slow),
    ],
)
def test_larger_tours_that_a_translation_keeps(board: str, symmetry: str, objective: str | None) -> None:
    element = Symmetry.parse(symmetry)
    result = solve(
        Problem(graph_of(board), objective=objective, symmetry=(element,)), limits=Limits(seconds=3, workers=1, seed=1)
    )
    assert result.tour is not None
    assert np.array_equal(
        np.sort(result.problem.graph.edge_permutation(element)[result.tour.edges]), np.sort(result.tour.edges)
    )
    assert element in result.tour.symmetries()


def test_a_symmetry_keeps_the_order_of_cells_and_with_an_objective_every_move() -> None:
    """A mirror of a torus one cell wide exchanges two moves between the same cells: no tour of moves is symmetric."""
    by_cells = kt.solve("torus:1x6", symmetry="mirror-x")
    assert by_cells.status == "feasible" and len(list(kt.tours("torus:1x6", symmetry="mirror-x"))) > 0
    by_moves = kt.solve("torus:1x6", symmetry="mirror-x", minimize="turns")
    assert by_moves.status == "infeasible"
    claims = by_moves.to_json()["claims"]
    assert claims == ["there is no closed knight's tour of torus:1x6, symmetric under mirror-x, move by move"]
    assert kt.count("torus:1x6", symmetry="mirror-x", distinguish_moves=True) == 0


@pytest.mark.slow
def test_the_tours_of_the_four_cube_are_19_classes_under_the_128_symmetries_of_the_torus() -> None:
    """OEIS A066037 has 1,344 tours; the classes by taking away images, and once more by the lemma of Burnside."""
    steps = [(x, y) for x, y in itertools.product((1, -1, 2, -2), repeat=2) if abs(x) != abs(y)]
    near = {(x, y): {((x + a) % 4, (y + b) % 4) for a, b in steps} for x, y in itertools.product(range(4), repeat=2)}
    found: set[frozenset[frozenset[tuple[int, int]]]] = set()

    def extend(path: list[tuple[int, int]]) -> None:
        if len(path) == 16 and path[0] in near[path[-1]]:
            found.add(frozenset(frozenset(move) for move in zip(path, path[1:] + path[:1], strict=True)))
        for cell in near[path[-1]] - set(path):
            extend([*path, cell])

    extend([(0, 0)])
    images = []
    for turned, a, b, dx, dy in itertools.product((False, True), (1, -1), (1, -1), range(4), range(4)):
        at = {c: ((a * c[turned] + dx) % 4, (b * c[not turned] + dy) % 4) for c in near}
        images.append([frozenset(frozenset(at[cell] for cell in move) for move in tour) for tour in found])
    fixed = sum(tour == image for row in images for tour, image in zip(found, row, strict=True))
    classes = {frozenset(row) for row in zip(*images, strict=True)}
    assert (len(found), len(images), fixed, len(classes)) == (1344, 128, 19 * 128, 19)
    data = kt_json("enumerate", "torus:4x4", "--count", "--up-to-symmetry")
    assert data["count"] == 19 and "128 symmetries" in data["claims"][0]
