"""A window of a tour: the rest is fixed, and the window is a small Hamiltonian cycle problem.

The allowed edges with both ends in a set of vertices are free; all others stay as in the tour. Without its free edges
the tour falls into strands. The vertices inside a strand have all their edges and play no further part; a strand that
joins two vertices becomes a path of two required edges. A choice of free edges makes the whole one cycle exactly when
it makes the contracted graph one cycle. So the window is a `Problem` of connectivity `cycle`, solved by the same model
(`encoders.cpsat.model`) as any other.

The objective is carried over exactly. Pairs of free edges keep their weight; a free edge and a fixed one add to the
weight of the free edge alone; pairs of fixed edges are a constant, and left out.

An open tour becomes a cycle by one more vertex, n, joined to its ends by edges m + v of weight 0. Under a symmetry the
set of vertices is a union of orbits, and the free edges of an orbit share a variable.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kt_models.board import BoolArray, IntArray
from kt_models.graph import MoveGraph
from kt_models.problem import Problem
from kt_models.symmetry import orbits
from kt_models.weights import Weights

MAX_NOISE = 8
"""Greatest random weight of an edge."""
OBJECTIVE_UNIT = 32
"""Weight of a unit of the objective beside the random weights, which must not outweigh it often."""


@dataclass(frozen=True, eq=False)
class Tied(Problem):
    """A problem in which some edges are chosen together or not at all.

    Parameters
    ----------
    ties
        The least edge of each edge's class, shape (m,).
    """

    ties: IntArray | None = None

    @cached_property
    def edge_orbits(self) -> IntArray:
        """The least edge of each edge's class, shape (m,)."""
        return np.arange(self.graph.m, dtype=np.int32) if self.ties is None else self.ties


class Window(NamedTuple):
    """A contracted window, in small arrays that can be sent to another process.

    Attributes
    ----------
    n
        Vertices of the contracted graph.
    ends
        Its edges, shape (k, 2), in increasing order.
    edges
        For each edge its edge in the whole graph, -1 for the halves of strands (which are required); shape (k,).
    required
        Numbers of the required edges.
    ties
        See `Tied`; None without symmetry.
    pairs
        Pair weights in columns: edge, edge, weight; shape (p, 3).
    now
        Numbers of the edges of the present tour.
    """

    n: int
    ends: IntArray
    edges: IntArray
    required: IntArray
    ties: IntArray | None
    pairs: npt.NDArray[np.int64]
    now: IntArray

    @property
    def problem(self) -> Problem:
        """The window as a problem."""
        first, second, weight = self.pairs.T
        weights = Weights(first.astype(np.int32), second.astype(np.int32), weight)
        graph = MoveGraph.from_edges(self.n, self.ends, "window")
        return Tied(graph, "cycle", weights, required=frozenset(self.required.tolist()), ties=self.ties)


class Ground:
    """The common base of all windows of a problem: edges (with those to the vertex n of an open tour) and pair weights.

    Parameters
    ----------
    problem
        A problem of connectivity `cycle` or `path`, with an objective.

    Attributes
    ----------
    ends
        Ends of every edge, shape (m, 2), or (m + n, 2) for an open tour.
    pairs
        Symmetric matrix of the pair weights; the diagonal has the weights of single edges.
    """

    def __init__(self, problem: Problem) -> None:
        from scipy.sparse import csr_array

        graph, n, m = problem.graph, problem.graph.n, problem.graph.m
        self.problem = problem
        self.n = n + (not problem.closed)
        self.ends = graph.ends
        allowed = np.ones(m, dtype=bool)
        allowed[list(problem.forbidden)] = False
        required = set(problem.required)
        # The edge from vertex v to the added vertex n has number m + v.
        if not problem.closed:
            joints = np.stack([np.arange(n), np.full(n, n)], axis=1).astype(np.int32)
            self.ends = np.concatenate([graph.ends, joints])
            # With two given terminals all other joints are forbidden; with fewer any vertex may end the tour.
            allowed = np.concatenate([allowed, np.full(n, len(problem.terminals) < 2)])
            allowed[[m + t for t in problem.terminals]] = True
            required |= {m + t for t in problem.terminals}
        self.allowed = allowed
        self.required = np.zeros(len(self.ends), dtype=bool)
        self.required[list(required)] = True
        weights = problem.weights
        assert weights is not None
        # The matrix is symmetric, so each pair is entered twice, but a weight of a single edge stands on the diagonal
        # once.
        alone = weights.first == weights.second
        rows = np.concatenate([weights.first, weights.second[~alone]])
        columns = np.concatenate([weights.second, weights.first[~alone]])
        values = np.concatenate([weights.weight, weights.weight[~alone]])
        self.pairs = csr_array((values, (rows, columns)), shape=(len(self.ends),) * 2)
        # The added vertex n is fixed by every symmetry.
        self.places: IntArray = np.arange(n + 1, dtype=np.int32)  # Orbits of the vertices.
        self.orbits: IntArray | None = None  # Orbits of the edges.
        if len(problem.group) > 1:
            board, _ = graph.geometry
            self.places = orbits((np.append(s.permutation(board), np.int32(n)) for s in problem.symmetry), n + 1)
            joints = m + self.places[:n]
            self.orbits = np.concatenate([problem.edge_orbits, joints])[: len(self.ends)].astype(np.int32)

    def closure(self, vertices: IntArray) -> BoolArray:
        """The vertices of a window: those given, their images, and the vertex n of an open tour."""
        inside = np.zeros(self.n, dtype=bool)
        inside[self.places[vertices]] = True
        inside = inside[self.places[: self.n]]
        inside[self.problem.graph.n :] = True
        return inside

    def costs(self, chosen: BoolArray) -> npt.NDArray[np.float64]:
        """Weight at each vertex of the pairs in which its chosen edges take part, shape (n,)."""
        edges = np.flatnonzero(chosen)
        weight = np.repeat(self.pairs[edges] @ chosen.astype(np.int64), 2)
        return np.bincount(self.ends[edges].reshape(-1), weight, minlength=self.n).astype(np.float64)


def contract(
    ground: Ground, order: IntArray, edges: IntArray, inside: BoolArray, rng: np.random.Generator
) -> Window | None:
    """The window of a tour on some vertices; None if nothing in it can change.

    Parameters
    ----------
    order, edges
        The tour as a cycle: `order[i]` is followed by `order[i + 1]` along `edges[i]`; shape (n,).
    inside
        Whether each vertex is in the window.
    """
    ends = ground.ends
    free = ground.allowed & inside[ends].all(axis=1)
    # The tour falls into strands at its free edges. With fewer than two of them there is one strand, and nothing can
    # change.
    breaks = np.flatnonzero(free[edges])
    if len(breaks) < 2:
        return None
    first = order[(np.roll(breaks, 1) + 1) % len(order)]  # A strand runs from one break to the next.
    last = order[breaks]
    # A strand of one vertex has no fixed edge, and needs no path of its own.
    joined = first != last
    kept = np.unique(np.concatenate([first, last]))
    local = np.full(ground.n, -1, dtype=np.int32)
    local[kept] = np.arange(len(kept), dtype=np.int32)
    chosen = np.zeros(len(ends), dtype=bool)
    chosen[edges] = True
    inner = np.flatnonzero(free & (local[ends] >= 0).all(axis=1))
    inner = _one_of_parallel(ends[inner], inner, chosen, rng)
    # Without a free edge outside the tour there is no second choice.
    if len(inner) <= len(breaks):
        return None
    # Each longer strand becomes two required edges with a vertex between them: the graph stays simple, even where a
    # free edge joins the ends of the same strand.
    middles = len(kept) + np.arange(np.count_nonzero(joined), dtype=np.int32)
    halves = [np.stack([local[side[joined]], middles], axis=1) for side in (first, last)]
    all_ends = np.sort(np.concatenate([local[ends[inner]], *halves]), axis=1)
    names = np.concatenate([inner, np.full(2 * len(middles), -1)]).astype(np.int32)
    by_ends = np.lexsort((all_ends[:, 1], all_ends[:, 0]))
    all_ends, names = all_ends[by_ends], names[by_ends]
    fixed = names < 0
    number = np.full(len(ends), -1, dtype=np.int32)
    number[names[~fixed]] = np.flatnonzero(~fixed)
    single = np.ones(len(kept) + len(middles), dtype=bool)  # Vertices without fixed edges.
    single[all_ends[fixed].reshape(-1)] = False
    return Window(
        n=len(kept) + len(middles),
        ends=all_ends,
        edges=names,
        required=np.flatnonzero(fixed | ((names >= 0) & ground.required[names])).astype(np.int32),
        ties=None if ground.orbits is None else _ties(ground.orbits, names),
        pairs=_pairs(ground, np.sort(inner), chosen & ~free, number, all_ends, single),
        now=np.flatnonzero(fixed | ((names >= 0) & chosen[names])).astype(np.int32),
    )


def _one_of_parallel(
    ends: IntArray, edges: npt.NDArray[np.int64], chosen: BoolArray, rng: np.random.Generator
) -> npt.NDArray[np.int64]:
    """One of the moves that join two cells (periodic boards), the chosen one if any: the contraction is simple."""
    ends = np.sort(ends, axis=1)
    # Sort by ends, then chosen edges first, then at random, so that the first of each group is the one to keep.
    order = np.lexsort((rng.random(len(edges)), ~chosen[edges], ends[:, 1], ends[:, 0]))
    later = (np.diff(ends[order], axis=0) == 0).all(axis=1)
    return np.delete(edges[order], np.flatnonzero(later) + 1)


def _ties(orbits: IntArray, names: IntArray) -> IntArray:
    ties = np.arange(len(names), dtype=np.int32)
    real = np.flatnonzero(names >= 0)
    _, first, which = np.unique(orbits[names[real]], return_index=True, return_inverse=True)
    ties[real] = real[first][which]
    return ties


def _pairs(
    ground: Ground, inner: npt.NDArray[np.int64], fixed: BoolArray, number: IntArray, ends: IntArray, single: BoolArray
) -> npt.NDArray[np.int64]:
    """The weights of the contracted edges, in their numbering."""
    rows = ground.pairs[inner]
    # A free edge and a fixed edge meet whenever the free one is chosen, so their pair weight belongs to the free edge
    # alone.
    alone = np.asarray(rows @ fixed.astype(np.int64)) + ground.pairs.diagonal()[inner]
    table = rows.tocoo()
    first, second = number[inner[table.row]], number[table.col]
    both = first < second  # -1: not part of the window.
    columns = np.stack([first[both], second[both], table.data[both]], axis=1).astype(np.int64)
    # Two free edges at the end of a strand are never both chosen
    a, b = ends[columns[:, 0]], ends[columns[:, 1]]
    common = np.where((a[:, :1] == b).any(axis=1), a[:, 0], np.where((a[:, 1:] == b).any(axis=1), a[:, 1], -1))
    columns = columns[(common < 0) | single[common]]
    weigh = np.flatnonzero(alone)
    places = number[inner[weigh]].astype(np.int64)
    return np.concatenate([columns, np.stack([places, places, alone[weigh]], axis=1)])


def chosen_edges(window: Window, chosen: IntArray) -> IntArray:
    """The edges of the whole graph that a choice of contracted edges means."""
    names = window.edges[chosen]
    return names[names >= 0]


class WindowResult(NamedTuple):
    """The outcome of a search: the chosen edges (None if none were found), and whether it ended."""

    edges: IntArray | None
    finished: bool


def search(window: Window, seed: int, work: float, seconds: float) -> WindowResult:
    """Find a choice that costs no more than the present one, at random among equals.

    Random weights of the edges distinguish equally good choices. Without them most searches would end where they began,
    and progress needs many sideways steps.

    Parameters
    ----------
    work
        Limit in CP-SAT's deterministic time, about a second each on an idle machine; the answer depends on this limit
        and the seed.
    seconds
        Limit by the clock.
    """
    from ortools.sat.python import cp_model

    from encoders.cpsat.model import Model

    problem = window.problem
    model = Model(problem, "circuit")
    model.hint(window.now)
    value = problem.cost(window.now)
    assert value is not None
    model.cp.add(model.objective <= value)
    rng = np.random.default_rng(seed)
    # Tied edges share a variable, so a dictionary by index keeps each once.
    variables = {x.index: x for edge, x in enumerate(model.edge) if window.edges[edge] >= 0}
    weights = rng.integers(0, MAX_NOISE + 1, len(variables)).tolist()
    noise: Any = sum(weight * x for weight, x in zip(weights, variables.values(), strict=True))
    model.cp.minimize(OBJECTIVE_UNIT * model.objective + noise)
    solver = cp_model.CpSolver()
    # One thread and deterministic time make the answer reproducible; the caller searches several windows at once.
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = int(rng.integers(2**31))
    solver.parameters.linearization_level = 2
    solver.parameters.max_deterministic_time = work
    solver.parameters.max_time_in_seconds = seconds
    # The caller decides what a Ctrl-C means.
    solver.parameters.catch_sigint_signal = False
    status = solver.solve(model.cp)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return WindowResult(None, status == cp_model.INFEASIBLE)
    chosen = np.flatnonzero([solver.boolean_value(x) for x in model.edge]).astype(np.int32)
    return WindowResult(chosen, status == cp_model.OPTIMAL)
