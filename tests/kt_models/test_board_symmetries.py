"""Symmetries of cylinders and tori, beside a brute force that shares no code with the product."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import cache
from random import Random

import numpy as np
import pytest

from kt_models import Board, KTError, Leaper, Problem, TooLarge, Tour, graph_of
from kt_models.symmetry import Symmetry, board_group, board_symmetries, generate, point_symmetries

Cell = tuple[int, ...]
Map = tuple[int, ...]

BOARDS = (
    "3x3", "3x4", "1x5", "4x4-a1,d4", "2x2x2",
    "cylinder:1x4", "cylinder:2x3", "cylinder:3x2", "cylinder:3x3", "cylinder:4x2", "cylinder:5x2", "cylinder:2x2x2",
    "cylinder:4x3-a1,c1", "cylinder:4x3-a1", "cylinder:6x2-a1,d1", "cylinder:6x2-a1,d2",
    "torus:1x4", "torus:2x2", "torus:2x3", "torus:2x4", "torus:3x3", "torus:4x4", "torus:3x4", "torus:5x2",
    "torus:3x3-a1", "torus:4x4-a1,c3", "torus:4x4-a1,c1,a3,c3", "torus:6x3-a1,d1", "torus:6x3-a1,c2,e3", "torus:3x2x2",
    "torus:2x6-a1,b4",
)  # fmt: skip


def brute_group(shape: Cell, wraps: tuple[bool, ...], cells: list[Cell]) -> set[Map]:
    """The distinct maps of cells: every order of axes, mirror and translation that keeps the set of cells."""
    number = {cell: v for v, cell in enumerate(cells)}
    maps = set()
    ways = itertools.product(
        itertools.permutations(range(len(shape))),
        itertools.product((False, True), repeat=len(shape)),
        itertools.product(*(range(side if wrap else 1) for side, wrap in zip(shape, wraps, strict=True))),
    )
    for axes, mirrors, shift in ways:
        if any((shape[a], wraps[a]) != (shape[i], wraps[i]) for i, a in enumerate(axes)):
            continue
        image = [
            tuple(
                ((shape[i] - 1 - cell[a] if mirrors[i] else cell[a]) + shift[i]) % shape[i] for i, a in enumerate(axes)
            )
            for cell in cells
        ]
        if set(image) == set(cells):
            maps.add(tuple(number[cell] for cell in image))
    return maps


@cache
def group_of(text: str) -> frozenset[Map]:
    board = Board.parse(text)
    return frozenset(brute_group(board.shape, board.wraps, [tuple(cell) for cell in board.cells.tolist()]))


def same(order: Map, closed: bool) -> Map:
    """One form for all orders that are the same tour."""
    n = len(order)
    ways = [order, order[::-1]]
    if closed:
        ways = [way[i:] + way[:i] for way in ways for i in range(n)]
    return min(ways)


def tours_of(text: str, leaper: str, closed: bool, most: int, seed: int = 0) -> Iterator[Map]:
    """Tours as orders of cells, each once, at most so many, in random order."""
    graph = graph_of(text, Leaper.parse(leaper))
    near = [sorted({int(u) for u in graph.neighbours[graph.indptr[v] : graph.indptr[v + 1]]}) for v in range(graph.n)]
    rng, seen = Random(seed), set()
    steps = 0
    starts = [0] if closed else rng.sample(range(graph.n), graph.n)
    for start in starts:
        path, options = [start], [rng.sample(near[start], len(near[start]))]
        while path:
            steps += 1
            if steps > 60_000:
                return
            if len(path) == graph.n:
                tour = same(tuple(path), closed)
                if (not closed or (graph.n > 2 and path[0] in near[path[-1]])) and tour not in seen:
                    seen.add(tour)
                    yield tour
                    if len(seen) == most:
                        return
            if len(path) < graph.n and options[-1]:
                following = options[-1].pop()
                if following not in path:
                    path.append(following)
                    options.append(rng.sample(near[following], len(near[following])))
            else:
                path.pop()
                options.pop()


@pytest.mark.parametrize("text", BOARDS)
def test_the_group_of_a_board_is_that_of_brute_force(text: str) -> None:
    board, group = Board.parse(text), board_group(Board.parse(text))
    maps = [tuple(symmetry.permutation(board).tolist()) for symmetry in group]
    assert group.order == len(group) == len(maps) == len(set(maps))
    assert set(maps) == group_of(text)
    assert maps[0] == tuple(range(board.n))
    assert all(Symmetry.parse(str(symmetry), board.dimension) == symmetry for symmetry in group)
    assert board_symmetries(board) == list(group)
    orbit = np.min([replaced.permutation(board) for replaced in generate(group.generators, board)], axis=0)
    assert np.array_equal(orbit, group.cell_orbits)


@pytest.mark.parametrize("text", BOARDS)
@pytest.mark.parametrize("leaper", ["1,2", "0,1", "0,1+1,1", "0,1+0,2"])
@pytest.mark.parametrize("closed", [True, False])
def test_canonical_forms_and_symmetries_of_tours_are_those_of_brute_force(text: str, leaper: str, closed: bool) -> None:
    board, graph = Board.parse(text), graph_of(text, Leaper.parse(leaper))
    maps = sorted(group_of(text))
    rng = Random(text)
    least: dict[Map, bytes] = {}
    for order in tours_of(text, leaper, closed, most=12):
        images = [same(tuple(g[v] for v in order), closed) for g in maps]
        tour = Tour(graph, np.array(order), closed)
        form = tour.canonical().order
        assert same(tuple(form.tolist()), closed) in images
        assert least.setdefault(min(images), form.tobytes()) == form.tobytes()
        turned = list(rng.choice(images))
        start = rng.randrange(len(turned)) if closed else 0
        turned = (turned[start:] + turned[:start])[:: rng.choice([1, -1])]
        assert Tour(graph, np.array(turned), closed).canonical().order.tolist() == form.tolist()
        kept = tour.symmetries()
        assert {tuple(s.permutation(board).tolist()) for s in kept} == {
            g for g, image in zip(maps, images, strict=True) if image == order
        }
        assert len(kept) == sum(image == order for image in images)
        assert set(kept) <= set(board_group(board))
    assert len(set(least.values())) == len(least)


def test_the_least_order_of_all_images_is_the_canonical_form_without_translations() -> None:
    for text, closed in (("3x4", False), ("5x5", False), ("5x6", True), ("4x4-a1,d4", False)):
        graph = graph_of(text)
        for order in tours_of(text, "1,2", closed, most=5):
            images = [tuple(g[v] for v in order) for g in group_of(text)]
            least = min(same(image, closed) for image in images)
            assert tuple(Tour(graph, np.array(order), closed).canonical().order.tolist()) == least


@pytest.mark.parametrize(
    ("text", "symmetry"),
    [
        ("(x+2,y)", Symmetry((0, 1), (1, 1), (2, 0))),
        ("(-x+1,y)", Symmetry((0, 1), (-1, 1), (1, 0))),
        ("( -Y - 3 , x + 12 )", Symmetry((1, 0), (-1, 1), (-3, 12))),
        ("(+x+0,y)", Symmetry((0, 1), (1, 1))),
    ],
)
def test_translations_are_read_and_written(text: str, symmetry: Symmetry) -> None:
    assert Symmetry.parse(text) == symmetry
    assert Symmetry.parse(str(symmetry)) == symmetry


@pytest.mark.parametrize("text", ["(x+,y)", "(x2,y)", "(2+x,y)", "(x+1.5,y)", "(x++1,y)", "(x+1,x)", "(x+y,y)"])
def test_translations_that_are_not_numbers_are_refused(text: str) -> None:
    with pytest.raises(KTError, match=r"unknown symmetry .*such as \(x\+2,y\)"):
        Symmetry.parse(text)


def test_translations_are_reduced_modulo_the_sides_and_refused_along_other_axes() -> None:
    cylinder = Board.cylinder(5, 4)
    assert str(Symmetry.parse("(x-3,-y)").on(cylinder)) == "(x+2,-y)"
    assert Symmetry.parse("(x+5,y)").on(cylinder) == Symmetry.identity(2)
    assert len(generate([Symmetry.parse("(x+7,y)")], cylinder)) == 5
    with pytest.raises(KTError, match=r"\(x,y\+1\): the board cylinder:5x4 is not periodic along y"):
        Problem(graph_of("cylinder:5x4"), symmetry=(Symmetry.parse("(x,y+1)"),))
    with pytest.raises(KTError, match="is not periodic along x"):
        Symmetry.parse("(x+1,y)").permutation(Board.box(5, 4))
    with pytest.raises(KTError, match=r"symmetry \(x\+1,y\): it does not map the board cylinder:5x4-a1 to itself"):
        Symmetry.parse("(x+1,y)").permutation(Board.parse("cylinder:5x4-a1"))
    equal = (
        Problem(graph_of("cylinder:6x4"), symmetry=(Symmetry.parse(t),)) for t in ("(x+2,y)", "(x-2,y)", "(x+8,y)")
    )
    assert len({problem.digest for problem in equal}) == 1


def test_names_without_a_translation_come_first() -> None:
    """A mirror of a cylinder with two cells around is its translation; lists have the name without it."""
    assert [symmetry.name for symmetry in board_symmetries(Board.cylinder(2, 3))] == [
        "identity", "mirror-y", "mirror-x", "rot180",
    ]  # fmt: skip
    assert [symmetry.name for symmetry in board_symmetries(Board.box(1, 3))] == ["identity", "mirror-y"]
    assert [symmetry.name for symmetry in point_symmetries(Board.box(1, 3))] == [
        "identity", "mirror-y", "mirror-x", "rot180",
    ]  # fmt: skip


def test_groups_that_are_too_large_are_counted_and_not_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    group = board_group(Board.torus(1000, 1000))
    assert group.order == 8_000_000 and group.words == "the 8,000,000 symmetries of the board"
    with pytest.raises(TooLarge, match="torus:1000x1000: it has 8,000,000 symmetries, and at most 50,000 are listed"):
        list(group)
    monkeypatch.setattr("kt_models.symmetry.MAX_GROUP", 500)
    with pytest.raises(TooLarge, match="over 500 elements"):
        generate([Symmetry.parse("(x+1,y)"), Symmetry.parse("(x,y+1)")], Board.torus(1000, 1000))


@pytest.mark.parametrize("side", [100, pytest.param(1000, marks=pytest.mark.slow)])
def test_a_tour_of_a_large_torus_has_one_canonical_form(side: int) -> None:
    """The tour winds around: up one column and to the next, so that as many translations as columns keep it."""
    board, graph = Board.torus(side, side), graph_of(f"torus:{side}x{side}", Leaper.parse("0,1"))
    step = np.arange(side * side)
    column, row = step // side, (step - step // side) % side
    tour = Tour(graph, board.numbers(np.stack([column, row], axis=1)), True)
    canonical = tour.canonical()
    assert canonical.order[:3].tolist() in ([0, 1, 2], [0, side, 2 * side])
    image = board.numbers(np.stack([(-row[::-1] + 7) % side, (column[::-1] + 123) % side], axis=1))
    assert np.array_equal(Tour(graph, np.roll(image, 432), True).canonical().order, canonical.order)
    kept = tour.symmetries()
    assert len(kept) == 2 * side
    translations = [symmetry for symmetry in kept if symmetry.axes == (0, 1) and symmetry.signs == (1, 1)]
    assert len(translations) == side and Symmetry.parse(f"(x+1,y+{side - 1})") in translations


def test_symmetries_of_a_large_torus_with_holes_are_found() -> None:
    mask = np.ones((300, 200), dtype=bool)
    mask[::15, ::10] = False
    board = Board((300, 200), mask, (True, True))
    group = board_group(board)
    assert group.order == 20 * 20 * 4
    mask[1, 2] = False
    assert board_group(Board((300, 200), mask, (True, True))).order == 1
