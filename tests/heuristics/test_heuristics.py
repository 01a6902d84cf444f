"""The room of heuristics: never a wrong tour, the constraints kept, the boards that are known to have tours solved."""

from __future__ import annotations

import itertools
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from heuristics.local_search import improve
from heuristics.searches.merge import merge
from kt_models.board import Board
from kt_models.errors import KTError
from kt_models.graph import MoveGraph
from kt_models.leaper import Leaper
from kt_models.limits import Limits
from kt_models.problem import Problem, solution_edges, verify_edges
from kt_models.tour import Tour, verify
from kt_models.weights import Weights
from tests.effort import part_of
from tests.processes import StopAfter

SLOW = settings(max_examples=part_of(60), deadline=None, suppress_health_check=[HealthCheck.too_slow])


def board(text: str, leaper: str = "1,2") -> MoveGraph:
    return MoveGraph.of(Board.parse(text), Leaper.parse(leaper))


# -- boards ------------------------------------------------------------------------------------------------------------

CLOSED = [
    *(["6x6", "8x8", "20x20", "61x60", "3x10", "3x12", "3x50", "5x6", "6x7", "5x20", "4x4x4", "2x4x8", "5x5x4"]),
    *(f"aztec:{radius}" for radius in (2, 3, 4, 5, 6, 7, 8, 12, 20, 60)),
    *(["torus:3x3", "torus:4x4", "torus:7x7", "torus:8x9", "cylinder:7x5", "cylinder:4x10", "cylinder:3x6"]),
]


@pytest.mark.parametrize("text", CLOSED)
@pytest.mark.parametrize("seed", [0, 1])
def test_merging_finds_closed_tours(text: str, seed: int) -> None:
    problem = Problem(board(text))
    tour = merge(problem, limits=Limits(seed=seed)).tour
    assert tour is not None and tour.closed
    verify_edges(problem, tour.edges)


@pytest.mark.parametrize(
    ("text", "connectivity"),
    [
        ("4x4", "cycle"),
        ("4x4", "path"),
        pytest.param("3x8", "cycle", marks=pytest.mark.slow),
        ("3x5", "path"),
        ("5x5", "cycle"),
        ("2x2", "path"),
        ("1x1", "cycle"),
        pytest.param("4x20", "cycle", marks=pytest.mark.slow),
    ],
)
def test_gives_up_soon_where_there_is_none(text: str, connectivity: str) -> None:
    """Soon is: without a limit, after work that is bounded by the size of the board."""
    assert merge(Problem(board(text), connectivity)).tour is None  # type: ignore[arg-type]


def test_ends_of_one_colour_or_of_the_wrong_one() -> None:
    graph = board("8x8")
    assert merge(Problem(graph, "path", terminals=(graph.find("a1"), graph.find("h8")))).tour is None
    graph = board("5x5")
    assert merge(Problem(graph, "path", terminals=(graph.find("a2"),))).tour is None


# -- constraints -------------------------------------------------------------------------------------------------------


@SLOW
@given(st.data())
def test_constraints_are_kept(data: st.DataObject) -> None:
    graph = board(
        data.draw(
            st.sampled_from(["5x5", "5x6", "6x6", "8x8", "aztec:4", "torus:4x4", "torus:5x5", "cylinder:4x4", "3x3x4"])
        )
    )
    edges = st.integers(0, graph.m - 1)
    required = data.draw(st.frozensets(edges, max_size=8))
    forbidden = data.draw(st.frozensets(edges, max_size=8))
    connectivity = data.draw(st.sampled_from(["cycle", "path"]))
    vertices = st.lists(st.integers(0, graph.n - 1), max_size=2, unique=True)
    terminals = tuple(data.draw(vertices)) if connectivity == "path" else ()
    problem = Problem(graph, connectivity, terminals=terminals, required=required, forbidden=forbidden)
    tour = merge(problem).tour
    if tour is not None:
        verify_edges(problem, tour.edges)


@pytest.mark.parametrize(
    "text", ["torus:1x2", "torus:2x1", "cylinder:2x1", "torus:2x2", "1x2", "cylinder:4x1", "torus:1x3"]
)
@pytest.mark.parametrize("leaper", ["0,1", "1,2", "1,1"])
@pytest.mark.parametrize("connectivity", ["cycle", "path"])
def test_two_or_three_cells(text: str, leaper: str, connectivity: str) -> None:
    """Against every choice of edges."""
    graph = board(text, leaper)
    for forbidden in [frozenset[int](), frozenset([0])] if graph.m else [frozenset[int]()]:
        for required in [frozenset[int](), frozenset([graph.m - 1])] if graph.m else [frozenset[int]()]:
            problem = Problem(graph, connectivity, required=required, forbidden=forbidden)  # type: ignore[arg-type]
            tour = merge(problem).tour
            assert (tour is not None) == exists(problem)
            if tour is not None:
                verify_edges(problem, tour.edges)


def exists(problem: Problem) -> bool:
    """Whether a problem has a tour, by trying every set of edges of the right size."""
    size = problem.graph.n - (not problem.closed)
    for edges in itertools.combinations(range(problem.graph.m), size):
        try:
            verify_edges(problem, np.array(edges, dtype=np.int64))
        except KTError:
            continue
        return True
    return False


def test_other_connectivities_are_refused() -> None:
    with pytest.raises(KTError, match="one cycle or one path"):
        merge(Problem(board("5x5"), "paths", terminals=(0, 1)))


# -- graphs without a board --------------------------------------------------------------------------------------------


@SLOW
@given(st.integers(3, 6), st.data())
def test_small_graphs_against_every_order(n: int, data: st.DataObject) -> None:
    """On tiny graphs what is not found does not exist."""
    pairs = [pair for pair in itertools.combinations(range(n), 2) if data.draw(st.integers(0, 3))]
    graph = MoveGraph.from_edges(n, np.array(pairs, dtype=np.int64).reshape(-1, 2))
    joined = {frozenset(pair) for pair in pairs}
    for connectivity in ("cycle", "path"):
        terminals = (
            tuple(data.draw(st.lists(st.integers(0, n - 1), max_size=2, unique=True))) if connectivity == "path" else ()
        )
        found = merge(Problem(graph, connectivity, terminals=terminals)).tour  # type: ignore[arg-type]
        there = any(
            all(frozenset(step) in joined for step in itertools.pairwise(order + order[: connectivity == "cycle"]))
            and set(terminals) <= {order[0], order[-1]}
            for order in itertools.permutations(range(n))
        )
        assert (found is not None) == there


@SLOW
@given(st.integers(8, 60), st.integers(0, 10**6), st.booleans())
def test_planted_cycles_are_found(n: int, seed: int, bipartite: bool) -> None:
    rng = np.random.default_rng(seed)
    n += n % 2 if bipartite else 0
    order = rng.permutation(n)
    planted = np.stack([np.arange(n), np.roll(np.arange(n), -1)], axis=1)
    extra = rng.integers(0, n, size=(n, 2))
    if bipartite:
        extra[:, 1] += extra.sum(axis=1) % 2 == 0
        extra %= n
    graph = MoveGraph.from_edges(n, order[np.concatenate([planted, extra])])
    tour = merge(Problem(graph), limits=Limits(seed=seed)).tour
    assert tour is not None
    verify(tour)


# -- time and seeds ----------------------------------------------------------------------------------------------------


def turns(tour: Tour) -> Problem:
    return Problem(tour.graph, "cycle" if tour.closed else "path", objective="turns")


def test_the_same_seed_gives_the_same_tour() -> None:
    problem = Problem(board("20x20"))
    first, again, other = (merge(problem, limits=Limits(seed=seed)).tour for seed in (5, 5, 6))
    assert first is not None and again is not None and other is not None
    assert first.order.tolist() == again.order.tolist() != other.order.tolist()
    better = [improve(first, turns(first), max_steps=50_000, limits=Limits(seed=1)) for _ in range(2)]
    assert better[0].order.tolist() == better[1].order.tolist()


def test_every_stage_heeds_a_limit() -> None:
    """A limit is looked at in every stage of a search, and ends it within a few more looks."""
    problem = Problem(board("100x100"))
    assert merge(problem, limits=Limits(0)).tour is None
    whole = StopAfter(10**9)
    assert merge(problem, limits=Limits(stop=whole)).tour is not None and whole.seen >= 5
    for looks in range(whole.seen - 1):
        stop = StopAfter(looks)
        assert merge(problem, limits=Limits(stop=stop)).tour is None and stop.seen <= looks + 10
    tour = merge(Problem(board("8x8"))).tour
    assert tour is not None
    for stop in (StopAfter(0), StopAfter(3)):
        assert improve(tour, turns(tour), limits=Limits(stop=stop, workers=1)).measure("turns") <= tour.measure("turns")
        assert stop.seen == stop.looks + 1
    assert improve(tour, turns(tour), limits=Limits(0.2, workers=2)).measure("turns") < tour.measure("turns")


@pytest.mark.parametrize("connectivity", ["cycle", "path"])
def test_a_large_tour_is_made_better_part_by_part(connectivity: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """On every tour laid out anew from a part the value is what it is said to be, and required moves stay."""
    monkeypatch.setattr("heuristics.local_search.MIN_PARTED_VERTICES", 50)
    monkeypatch.setattr("heuristics.local_search.PART_VERTICES", 30)
    monkeypatch.setattr("heuristics.local_search.SLICE_EXCHANGES", 500)
    tour = merge(Problem(board("10x10"), connectivity)).tour
    assert tour is not None
    problem = Problem(tour.graph, connectivity, "crossings", required=frozenset(tour.edges[:20].tolist()))
    better = improve(tour, problem, max_steps=40_000, limits=Limits(seed=1))
    solution_edges(problem, better)
    assert better.measure("crossings") < 0.9 * tour.measure("crossings")


def test_compiling_leaves_the_standard_output_alone() -> None:
    """While numba words a fault, as it does again and again when it finds out about types, another thread may print."""
    code = (
        "import io, sys\n"
        "from kt_models import jit\n"
        "from numba.core.errors import termcolor\n"
        "class Words(str):\n"
        "    def encode(self, *words):\n"
        "        assert sys.stdout is out\n"
        "        return str(self).encode()\n"
        "sys.stdout = out = io.StringIO()\n"
        "termcolor().errmsg(Words('a fault'))\n"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# -- local search ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "metric", "reached"),
    [("6x6", "turns", 33), ("8x8", "turns", 47), ("8x8", "crossings", 73), ("20x20", "turns", 175)],
)
def test_improving_comes_as_far_as_it_did(text: str, metric: str, reached: int) -> None:
    tour = merge(Problem(board(text))).tour
    assert tour is not None
    better = improve(tour, Problem(tour.graph, objective=metric), max_steps=300_000)
    verify(better)
    assert better.closed and better.measure(metric) <= reached


@SLOW
@given(st.data())
def test_improvement_keeps_what_is_fixed(data: st.DataObject) -> None:
    graph = board(
        data.draw(st.sampled_from(["5x5", "6x6", "3x10", "aztec:4", "torus:4x4", "torus:3x3", "cylinder:4x5", "3x3x4"]))
    )
    connectivity = data.draw(st.sampled_from(["cycle", "path"]))
    seed = data.draw(st.integers(0, 99))
    tour = merge(Problem(graph, connectivity), limits=Limits(seed=seed)).tour
    if tour is None:
        return
    edges = tour.edges.tolist()
    required = data.draw(st.frozensets(st.sampled_from(edges), max_size=6))
    others = sorted(set(range(graph.m)) - set(edges))
    forbidden = data.draw(st.frozensets(st.sampled_from(others), max_size=6))
    ends = (int(tour.order[0]), int(tour.order[-1]))
    kept = ends[: data.draw(st.integers(0, 2))] if connectivity == "path" else ()
    if data.draw(st.booleans()):
        objective: str | Weights = "turns"
        before = tour.measure("turns")
    else:
        rng = np.random.default_rng(seed)
        first, second = rng.integers(0, graph.m, (2, 200)).astype(np.int32)
        objective = Weights(first, second, rng.integers(-3, 9, 200))
        before = objective.value(tour.edges)
    problem = Problem(graph, connectivity, objective, kept, required, forbidden)
    better = improve(tour, problem, max_steps=3000, limits=Limits(seed=seed))
    verify_edges(problem, better.edges)
    solution_edges(problem, better)
    assert (better.measure("turns") if objective == "turns" else objective.value(better.edges)) <= before  # type: ignore[union-attr]
