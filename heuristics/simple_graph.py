"""Conversion of a tour problem to a Hamiltonian cycle problem in a simple graph, for methods that know no others.

Required and forbidden moves, given or free ends, and the parallel moves of periodic boards all become part of the
graph, so that the algorithms of this package need not know of them:

- forbidden edges are left out, and of parallel edges one is edges_used;
- a required edge is subdivided by two new vertices (two, so that a bipartite graph stays bipartite);
- a path is closed through auxiliary vertices that are adjacent to every vertex that may be its end.

Symmetry and objective are ignored.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import gcd
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_models.board import IntArray
from kt_models.errors import KTError
from kt_models.graph import MAX_TABLE_VERTICES, MoveGraph
from kt_models.jit import MAX_PLAIN_VERTICES, kernel
from kt_models.problem import Problem
from kt_models.result import Result
from kt_models.tour import Tour


@dataclass(frozen=True, eq=False)
class SimpleGraph:
    """A simple graph whose Hamiltonian cycles are the tours of a problem.

    Attributes
    ----------
    graph
        Connected, every degree at least 2. Vertices 0..n-1 are those of the problem's graph.
    colour
        0 or 1 for every vertex if the graph is bipartite (then with equal sides), otherwise None.
    """

    problem: Problem
    graph: MoveGraph
    colour: npt.NDArray[np.int8] | None = field(repr=False)
    _edges: npt.NDArray[np.int64] = field(repr=False)

    def lift(self, cycle: IntArray) -> Tour:
        """The tour of the problem's graph that a Hamiltonian cycle of `graph` stands for.

        Parameters
        ----------
        cycle
            Vertices of `graph` in order.
        """
        problem = self.problem
        # Start at an auxiliary vertex: the auxiliary vertices are consecutive, between the two ends.
        if not problem.closed:
            cycle = np.roll(cycle, -int(np.argmax(cycle == problem.graph.n)))
        if self.graph.n > problem.graph.n:
            cycle = cycle[cycle < problem.graph.n]
        return tour_of_order(problem, cycle, self._edges)


def simple_graph_of(problem: Problem) -> SimpleGraph | None:
    """The simple graph of a problem, or None if a simple test shows that there is no tour.

    Raises
    ------
    KTError
        If the problem is not about one cycle or one path, or has fewer than 3 vertices (see `tiny_result`).
    """
    graph, n = problem.graph, problem.graph.n
    if problem.connectivity not in ("cycle", "path"):
        raise KTError(f"connectivity {problem.connectivity!r}: the heuristics find one cycle or one path")
    if n < 3:
        raise KTError(f"graph {graph.name}: fewer than 3 vertices need no search")
    if is_plain(problem):
        # A large board gets a graph of its own, so that what the search adds to it is freed with it.
        plain = graph if n < MAX_TABLE_VERTICES else MoveGraph(graph.board, graph.leaper)
        return _checked(problem, plain, np.zeros(0, dtype=np.int64))
    edges_used = allowed_edges(problem)
    if edges_used is None:
        return None
    required = np.isin(edges_used, list(problem.required))
    if not _has_room_for_required(problem, graph.ends[edges_used[required]]):
        return None
    free, forced = graph.ends[edges_used[~required]], graph.ends[edges_used[required]]
    count = n
    if not problem.closed:
        base = MoveGraph.from_edges(n, graph.ends[edges_used])
        closing = _edges_that_close_path(problem, *two_colouring(base.indptr, base.neighbours))
        if closing is None:
            return None
        count, more_free, more_forced = closing
        free, forced = np.concatenate([free, more_free]), np.concatenate([forced, more_forced])
    plain = graph
    if len(free) + len(forced) > len(edges_used) or len(forced) or len(edges_used) < graph.m:
        middle = count + np.arange(2 * len(forced), dtype=np.int64).reshape(-1, 2)
        joints = [np.stack([forced[:, side], middle[:, side]], axis=1) for side in (0, 1)]
        chain = np.concatenate([*joints, middle])
        plain = MoveGraph.from_edges(count + 2 * len(forced), np.concatenate([free, chain]), graph.name)
    return _checked(problem, plain, edges_used)


def is_plain(problem: Problem) -> bool:
    """Whether the problem's graph itself serves; on large boards it pays not to list its edges."""
    board = problem.graph.board
    simple = board is not None and not any(board.wraps)
    return simple and problem.closed and not problem.required and not problem.forbidden


def _checked(problem: Problem, plain: MoveGraph, edges_used: npt.NDArray[np.int64]) -> SimpleGraph | None:
    """The simple graph, unless its degrees or colours exclude a tour."""
    if plain.degrees.min() < 2:
        return None
    colour, bipartite = box_colouring(plain), True
    if colour is None:
        colour, bipartite = two_colouring(plain.indptr, plain.neighbours)
    if colour.min() < 0 or (bipartite and 2 * np.count_nonzero(colour) != plain.n):
        return None
    return SimpleGraph(problem, plain, colour if bipartite else None, edges_used)


def allowed_edges(problem: Problem) -> npt.NDArray[np.int64] | None:
    """The edges that a tour of 3 or more vertices may use, sorted by their ends: no forbidden ones, no parallel ones.

    None if two parallel edges are required, or an edge is required and forbidden.
    """
    graph = problem.graph
    if problem.required & problem.forbidden:
        return None
    if not problem.forbidden and (graph.board is None or not any(graph.board.wraps)):
        return np.arange(graph.m)
    edges = np.setdiff1d(np.arange(graph.m), list(problem.forbidden))
    required = np.isin(edges, list(problem.required))
    keys = _keys(graph.ends[edges], graph.n)
    order = np.lexsort((~required, keys))  # A required edge is the first of its parallels.
    first = np.ones(len(order), dtype=bool)
    first[1:] = keys[order][1:] != keys[order][:-1]
    if required[order][~first].any():
        return None
    return np.sort(edges[order[first]])


def tour_of_order(problem: Problem, order: IntArray, edges_used: npt.NDArray[np.int64]) -> Tour:
    """The tour in a given order, from the first given end; of parallel edges it takes those in `edges_used`."""
    graph = problem.graph
    if problem.terminals and order[0] != problem.terminals[0]:
        order = order[::-1]
    if graph.board is None or graph.moves is None or not any(graph.board.wraps):
        return Tour(graph, order, problem.closed)
    keys = _keys(graph.ends[edges_used], graph.n)
    by_key = np.argsort(keys)
    steps = np.stack([order, np.roll(order, -1)], axis=1)[: None if problem.closed else -1]
    edges = edges_used[by_key[np.searchsorted(keys[by_key], _keys(steps, graph.n))]]
    return Tour.along(graph, order, edges, problem.closed)


def simple_graph_or_result(problem: Problem) -> SimpleGraph | Result:
    """The simple graph for a method, or the result if no search is needed."""
    return tiny_result(problem) or simple_graph_of(problem) or Result(problem, "infeasible")


def tiny_result(problem: Problem) -> Result | None:
    """The result of a `cycle` or `path` problem on one or two vertices, which needs no method; else None."""
    if problem.graph.n >= 3 or problem.connectivity not in ("cycle", "path"):
        return None
    tour = _tiny_tour(problem)
    return Result(problem, "infeasible" if tour is None else "feasible", tour)


def _tiny_tour(problem: Problem) -> Tour | None:
    """The tour of a graph of one or two vertices, if there is one."""
    graph = problem.graph
    if problem.required & problem.forbidden:
        return None
    edges = sorted(set(range(graph.m)) - problem.forbidden, key=lambda edge: (edge not in problem.required, edge))
    size = graph.n - (not problem.closed)  # The number of edges of the tour.
    if graph.n == 1:
        return (
            Tour(graph, np.zeros(1, dtype=np.int32), False)
            if not problem.closed and not problem.terminals[1:]
            else None
        )
    if len(edges) < size or len(problem.required) > size:
        return None
    order = np.array([0, 1] if 1 not in problem.terminals[:1] else [1, 0], dtype=np.int32)
    return Tour.along(graph, order, edges[:size], problem.closed)


def _keys(ends: npt.NDArray[np.integer[Any]], n: int) -> npt.NDArray[np.int64]:
    """One number for each pair of vertices, whichever comes first."""
    wide: npt.NDArray[np.int64] = ends.astype(np.int64)
    return np.asarray(wide.min(axis=1) * n + wide.max(axis=1))


def _has_room_for_required(problem: Problem, ends: IntArray) -> bool:
    """Whether each vertex has at most as many required edges as a tour has there."""
    room = np.full(problem.graph.n, 2)
    room[list(problem.terminals)] = 1
    return bool((np.bincount(ends.reshape(-1), minlength=problem.graph.n) <= room).all())


def _edges_that_close_path(
    problem: Problem, colour: npt.NDArray[np.int8], bipartite: bool
) -> tuple[int, npt.NDArray[np.int64], npt.NDArray[np.int64]] | None:
    """The closing of a path to a cycle: the number of vertices with the auxiliary ones, their free and forced edges.

    On a bipartite graph with equal sides the ends of a path have different colours: two auxiliary vertices, one for the
    end of each colour, are joined by a forced edge. Otherwise one is enough. On a bipartite graph it is adjacent to the
    larger side only, which keeps the graph bipartite.
    """
    n, terminals = problem.graph.n, problem.terminals
    if colour.min() < 0:
        return None
    may_end = np.ones(n, dtype=bool)
    if len(terminals) == 2:
        may_end[:] = False
        may_end[list(terminals)] = True
    none = np.zeros((0, 2), dtype=np.int64)
    excess = int(np.count_nonzero(colour == 0) - np.count_nonzero(colour == 1)) if bipartite else 1
    if abs(excess) > 1:
        return None
    if excess == 0:
        sides = []
        for side in (0, 1):
            given_here = [t for t in terminals if colour[t] == side]
            if len(given_here) == 2:
                return None
            ends = np.array(given_here) if given_here else np.flatnonzero(may_end & (colour == side))
            sides.append(np.stack([np.full(len(ends), n + side), ends], axis=1))
        return n + 2, np.concatenate(sides), np.array([[n, n + 1]])
    if bipartite:
        may_end &= colour == (0 if excess > 0 else 1)
        if not may_end[list(terminals)].all():
            return None
    ends = np.flatnonzero(may_end)
    closing = np.stack([np.full(len(ends), n), ends], axis=1)
    if len(terminals) == 1:  # The path has the given end, and any other end.
        chosen = ends == terminals[0]
        return n + 1, closing[~chosen], closing[chosen]
    return n + 1, closing, none


def box_colouring(graph: MoveGraph) -> npt.NDArray[np.int8] | None:
    """The result of `two_colouring` on a box where it is known: then every move changes the colour.

    The graph of an (r, s) leaper, r < s, is connected on a box in the plane if r and s have no common factor, r + s is
    odd, and the sides are at least r + s and 2s (Knuth, Leaper graphs, 1994).
    """
    board, leaper = graph.board, graph.leaper
    if board is None or leaper is None or not board.is_box or board.dimension != 2 or len(leaper.parts) != 1:
        return None
    r, s = sorted(leaper.parts[0])
    short, long = sorted(board.shape)
    if gcd(r, s) != 1 or (r + s) % 2 == 0 or short < r + s or long < 2 * s:
        return None
    rows, columns = (np.arange(extent) % 2 for extent in board.shape)
    return (rows.astype(np.int8)[:, None] ^ columns.astype(np.int8)).reshape(-1)


@kernel("Tuple((int8[::1], boolean))(int64[::1], int32[::1])", plain=MAX_PLAIN_VERTICES)
def two_colouring(
    indptr: npt.NDArray[np.int64], neighbours: npt.NDArray[np.int32]
) -> tuple[npt.NDArray[np.int8], bool]:
    """Colours 0 and 1 by breadth-first search from vertex 0 (-1 if unreached), and whether they are proper."""
    n = len(indptr) - 1
    colour = np.full(n, -1, dtype=np.int8)
    queue = np.empty(n, dtype=np.int32)
    queue[0] = 0
    colour[0] = 0
    size = 1
    proper = True
    done = 0
    while done < size:
        u = queue[done]
        done += 1
        for slot in range(indptr[u], indptr[u + 1]):
            v = neighbours[slot]
            if colour[v] < 0:
                colour[v] = 1 - colour[u]
                queue[size] = v
                size += 1
            elif colour[v] == colour[u]:
                proper = False
    return colour, proper
