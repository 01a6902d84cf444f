"""The 2-factors that merging starts from, and the kicks that join the last cycles."""

from __future__ import annotations

import random
from functools import partial
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heuristics import merging, slabs
from heuristics.compiled_helpers import random_state
from heuristics.find import find
from heuristics.searches.merge import merge, slab_cycle
from heuristics.simple_graph import box_colouring, two_colouring
from heuristics.two_factor import random_cover
from kt_models import Problem, graph_of
from kt_models.graph import MoveGraph
from kt_models.leaper import Leaper
from kt_models.limits import NO_LIMITS, Limits
from tests.effort import part_of

BOARDS = ["8x8", "10x10", "3x12", "aztec:5", "torus:5x5", "torus:7x7"]


def cover_of(graph: MoveGraph, seed: int) -> np.ndarray | None:
    colour, bipartite = two_colouring(graph.indptr, graph.neighbours)
    return random_cover(graph, colour if bipartite else None, np.random.default_rng(seed))


def check_cover(graph: MoveGraph, links: np.ndarray, simple: bool) -> None:
    joined = {frozenset(edge) for edge in graph.ends.tolist()}
    for u, (a, b) in enumerate(links.tolist()):
        assert frozenset((u, a)) in joined and frozenset((u, b)) in joined
        assert u in links[a] and u in links[b]
        assert a != b or (not simple and list(links[a]) == [u, u])


def two_factor_exists(left: int, edges: list[tuple[int, int]]) -> bool:
    """By networkx: a flow of two units from every left to every right vertex."""
    import networkx

    flow = networkx.DiGraph()
    for u in range(left):
        flow.add_edge("s", u, capacity=2)
        flow.add_edge(left + u, "t", capacity=2)
    flow.add_edges_from(((u, v) for u, v in edges), capacity=1)
    return networkx.maximum_flow_value(flow, "s", "t") == 2 * left


@settings(max_examples=part_of(200), deadline=None)
@given(st.integers(2, 8), st.floats(0.2, 0.9), st.integers(0, 2**32))
def test_a_cover_is_found_just_if_there_is_one(left: int, share: float, seed: int) -> None:
    rng = random.Random(seed)
    edges = [(u, left + v) for u in range(left) for v in range(left) if rng.random() < share]
    graph = MoveGraph.from_edges(2 * left, edges)
    colour = (np.arange(2 * left) >= left).astype(np.int8)
    links = random_cover(graph, colour, np.random.default_rng(seed))
    assert (links is not None) == two_factor_exists(left, edges)
    if links is not None:
        check_cover(graph, links, simple=True)


@settings(max_examples=part_of(200), deadline=None)
@given(st.integers(3, 9), st.floats(0.1, 0.8), st.integers(0, 2**32))
def test_a_cover_by_successors_is_found_just_if_there_is_one(n: int, share: float, seed: int) -> None:
    import networkx

    rng = random.Random(seed)
    edges = [(u, v) for u in range(n) for v in range(u) if rng.random() < share]
    graph = MoveGraph.from_edges(n, edges)
    double = networkx.Graph()
    double.add_nodes_from(range(2 * n))
    double.add_edges_from([(u, n + v) for u, v in edges] + [(v, n + u) for u, v in edges])
    matching = networkx.bipartite.hopcroft_karp_matching(double, range(n))
    links = random_cover(graph, None, np.random.default_rng(seed))
    assert (links is not None) == (len(matching) == 2 * n)
    if links is not None:
        check_cover(graph, links, simple=False)


@pytest.mark.parametrize("text", ["120x120", "aztec:100", "torus:101x101", "24x24x24", "3x4000"])
def test_covers_of_large_boards(text: str) -> None:
    graph = graph_of(text)
    links = cover_of(graph, 1)
    assert links is not None
    back = links[links]  # The links of both links
    assert (back == np.arange(graph.n)[:, None, None]).any(axis=2).all()
    assert np.array_equal(links, cover_of(graph, 1))


def test_where_no_vertex_is_short_of_neighbours_but_there_is_no_cover() -> None:
    # Three vertices whose neighbours, together, are two: found by the search, not by counting degrees
    edges = [(u, 6 + v) for u in range(3) for v in range(2)]
    edges += [(u, 6 + v) for u in range(3, 6) for v in range(6)]
    graph = MoveGraph.from_edges(12, edges)
    assert random_cover(graph, (np.arange(12) >= 6).astype(np.int8), np.random.default_rng(0)) is None


@pytest.mark.parametrize("text", BOARDS)
def test_the_gain_of_a_walk_is_what_it_gains(text: str) -> None:
    graph = graph_of(text)
    tested = 0
    for seed in range(30):
        rng = random.Random(seed)
        links = cover_of(graph, seed)
        assert links is not None
        root, place = np.empty((2, graph.n), dtype=np.int32)
        cycles = merging.label_cycles(links, root)
        merging._number(links, root, place)
        size = np.bincount(root, minlength=graph.n).astype(np.int32)
        for _ in range(100):
            walk = closed_walk(graph, links, rng)
            if walk is None:
                continue
            padded = np.zeros((merging.MAX_EXCHANGES, 2), dtype=np.int32)
            padded[: len(walk)] = walk
            side, along = (
                np.empty(merging.MAX_EXCHANGES, dtype=np.int64),
                np.empty(2 * merging.MAX_EXCHANGES, dtype=np.int64),
            )
            gain = merging._gain(padded, len(walk), root, place, size, side, along)
            after = links.copy()
            for p, q in walk:
                merging._relink(after, p, q, -1)
                merging._relink(after, q, p, -1)
            for (_, q), (p, _) in zip(walk, walk[1:] + walk[:1], strict=True):
                merging._relink(after, q, -1, p)
                merging._relink(after, p, -1, q)
            assert cycles - merging.label_cycles(after, root.copy()) == gain
            tested += 1
    assert tested > 50


def closed_walk(graph: MoveGraph, links: np.ndarray, rng: random.Random) -> list[tuple[int, int]] | None:
    """The edges that a random alternating closed walk gives up."""
    start = rng.randrange(graph.n)
    a = int(links[start, rng.randrange(2)])
    walk, given_up, taken = [(start, a)], [{start, a}], []
    for _ in range(merging.MAX_EXCHANGES - 1):
        around = graph.neighbours[graph.indptr[a] : graph.indptr[a + 1]].tolist()
        if len(walk) > 1 and start in around and start not in links[a] and {a, start} not in taken:
            return walk
        x = rng.choice(around)
        y = int(links[x, rng.randrange(2)])
        if x in links[a] or y == a or {x, y} in given_up or {a, x} in taken:
            return None
        taken.append({a, x})
        given_up.append({x, y})
        walk.append((x, y))
        a = y
    return None


@pytest.mark.parametrize("text", ["3x200", "aztec:100", "torus:51x51"])
def test_a_round_of_kicks_leaves_a_cover(text: str) -> None:
    graph = graph_of(text)
    links = cover_of(graph, 0)
    assert links is not None
    root, place = np.empty((2, graph.n), dtype=np.int32)
    rng = np.random.default_rng(0)
    before = merging._merge_all(graph, links, root, rng, NO_LIMITS)
    assert before > 1
    old = links.copy()
    merging._number(links, root, place)
    merging._kick(graph.indptr, graph.neighbours, links, root, place, merging._sizes(root), 100, random_state(rng))
    check_cover(graph, links, simple=False)
    assert not np.array_equal(links, old)


@pytest.mark.parametrize("text", ["300x300", "aztec:200", "3x20000", "40x40x40"])
def test_large_boards_get_a_tour(text: str) -> None:
    problem = Problem(graph_of(text))
    tour = find(problem, "merge").tour
    assert tour is not None
    again = merge(problem).tour
    assert again is not None and np.array_equal(tour.order, again.order)


def test_the_colours_of_a_box_are_those_of_a_search() -> None:
    known = 0
    for r, s, width, height in product(range(4), range(1, 6), range(1, 11), range(1, 11)):
        graph = graph_of(f"{width}x{height}", Leaper(r, s))
        colours, (expected, is_proper) = box_colouring(graph), two_colouring(graph.indptr, graph.neighbours)
        if colours is not None:
            known += 1
            assert is_proper and colours.dtype == expected.dtype and colours.tolist() == expected.tolist()
    assert known > 300
    for board, leaper in (("torus:8x8", "1,2"), ("6x6x6", "1,2"), ("8x8-a1", "1,2"), ("8x8", "1,2+0,3")):
        assert box_colouring(graph_of(board, Leaper.parse(leaper))) is None


@pytest.mark.parametrize(
    ("board", "leaper", "joined"),
    [
        ("40x12", "1,2", True),
        ("41x30", "1,2", True),
        ("30x41", "1,2", True),
        ("24x8x4", "1,2", True),
        ("40x12", "0,1", True),
        ("40x12", "1,2+0,1", True),
        ("18x3", "1,2", False),  # It has a tour, but its slabs, of six rows, have none
        ("40x12", "0,2", False),
        ("41x31", "1,2", False),
        ("torus:40x12", "1,2", False),
        ("40x12-a1,b1", "1,2", False),
    ],
)
def test_a_large_box_has_the_tour_of_its_slabs(
    board: str, leaper: str, joined: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem = Problem(graph_of(board, Leaper.parse(leaper)))
    place, _ = problem.graph.geometry
    monkeypatch.setattr(slabs, "MAX_WHOLE_CELLS", 50)
    monkeypatch.setattr(slabs, "SLAB_CELLS", problem.graph.n // 3)
    monkeypatch.setattr(slabs, "MIN_SLAB_ROWS", 6)
    for seed in range(3):
        order = slabs.tour_of_slabs(problem, partial(slab_cycle, Limits(seed=seed)))
        assert (order is not None) == joined
        if order is not None:
            cells = place.cells[order].tolist()
            assert sorted(map(tuple, cells)) == sorted(product(*map(range, place.shape)))
            steps = {
                tuple(sorted(abs(a - b) for a, b in zip(cell, onward, strict=True)))[-2:]
                for cell, onward in zip(cells, cells[1:] + cells[:1], strict=True)
            }
            assert steps <= {tuple(map(int, part.split(","))) for part in leaper.split("+")}
        if leaper != "0,2" and board != "41x31":
            assert merge(problem, limits=Limits(seed=seed)).status == "feasible"


def test_conditions_leave_a_large_box_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slabs, "MAX_WHOLE_CELLS", 100)
    monkeypatch.setattr(slabs, "SLAB_CELLS", 150)
    monkeypatch.setattr(slabs, "MIN_SLAB_ROWS", 6)
    graph = graph_of("40x12")
    for problem in (
        Problem(graph, "path"),
        Problem(graph, required=frozenset({5})),
        Problem(graph, forbidden=frozenset({7})),
    ):
        assert slabs.tour_of_slabs(problem, lambda instance, number: pytest.fail("a slab is searched")) is None
        assert merge(problem).status == "feasible"
