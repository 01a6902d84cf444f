"""The graph of a sweep (a net), and the order of its vertices.

A problem becomes a `Net`: a multigraph in which every vertex has a degree to reach. A path with free or given ends is
a cycle through one more vertex, the *hub*, joined to every cell that may be an end. So one mechanism serves closed and
open tours. Forbidden edges are left out.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from kt_models.errors import KTError, TooLarge
from kt_models.graph import MoveGraph
from kt_models.kernel.sweeps.bits import Ints
from kt_models.problem import Problem, require_no_optional

MOST_VERTICES = 20_000
"""Most vertices of a graph that is swept."""

Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Winding:
    """How edges wind around a board that is periodic along an axis, and which walks may do so.

    Parameters
    ----------
    gain
        The number of periods from the tail to the head of each edge, shape (m,), for any choice of a translate of each
        vertex.
    strands
        Whether closed cycles may wind around the board, and paths may lead anywhere. Otherwise no cycle is allowed, and
        every path between two terminals has a total of 0.
    """

    gain: Ints
    strands: bool


@dataclass(frozen=True)
class Net:
    """A problem as degrees to be reached.

    Parameters
    ----------
    n
        Number of vertices, the hub (if there is one) last.
    ends
        Shape (m, 2); the first `m_graph` edges are those of the graph, the others join the hub.
    target
        Degree of every vertex, 1 or 2; 0 if any degree is allowed, and then no edge joins two such vertices.
    label
        For a vertex of degree 1 the number of its linkage (0 if any pairing will do).
    labels
        Number of linkages.
    usable, required
        For each edge; an edge that is required and not usable makes the problem infeasible.
    hub
        Number of the hub, or -1.
    connected
        Whether the solution must be one cycle through everything; `free`: whether connectivity does not matter.
    inner
        The vertices whose degree `border_of` ignores.
    winding
        The winding of edges, if it matters.
    """

    n: int
    ends: Ints
    m_graph: int
    target: Ints
    label: Ints
    labels: int
    usable: Bools
    required: Bools
    hub: int
    connected: bool
    free: bool
    inner: Bools
    winding: Winding | None = None


def net_of(
    problem: Problem, *, relaxed: bool = False, inner: Sequence[int] = (), winding: Winding | None = None
) -> Net:
    """The net of a problem; its symmetry is ignored.

    Parameters
    ----------
    relaxed
        Require only the degrees, whatever the connectivity.
    inner
        See `both_ends`.
    winding
        For connectivity `any` or `linkage`: distinguish walks by their winding.

    Raises
    ------
    TooLarge
        Above `MOST_VERTICES` vertices.
    KTError
        If solutions may leave vertices out.
    """
    require_no_optional(problem, "a sweep")
    graph = problem.graph
    n, hub = graph.n, -1
    if n > MOST_VERTICES:
        raise TooLarge(f"{graph.name}: {n:,} vertices, over the limit of {MOST_VERTICES:,} for a sweep")
    ends = graph.ends.astype(np.int64)
    target, label = np.full(n, 2), np.zeros(n, dtype=np.int64)
    required = np.zeros(graph.m, dtype=bool)
    required[list(problem.required)] = True
    usable = np.ones(graph.m, dtype=bool)
    usable[list(problem.forbidden)] = False
    labels = 0
    if problem.connectivity == "path":
        hub = n
        may_end = np.arange(n) if problem.free_ends else np.array(sorted(problem.terminals))
        ends = np.concatenate([ends, np.stack([may_end, np.full(len(may_end), hub)], axis=1)])
        required = np.concatenate([required, np.isin(may_end, problem.terminals)])
        usable = np.concatenate([usable, np.ones(len(may_end), dtype=bool)])
        target = np.full(n + 1, 2)
        label = np.zeros(n + 1, dtype=np.int64)
        n += 1
    elif problem.terminals:
        target[list(problem.terminals)] = 1
        labels = 1
        if problem.connectivity == "linkage" and not relaxed:
            label[list(problem.terminals)] = np.arange(len(problem.terminals)) // 2
            labels = len(problem.terminals) // 2
    free = relaxed or (problem.connectivity == "any" and winding is None)
    connected = not free and problem.connectivity in ("cycle", "path")
    among = np.isin(np.arange(n), np.array(inner, dtype=np.int64))
    labels = max(labels, int(free))
    return Net(n, ends, graph.m, target, label, labels, usable, required, hub, connected, free, among, winding)


def loose(net: Net) -> Net:
    """The same net without connectivity."""
    return replace(net, connected=False, free=True, label=np.zeros_like(net.label), labels=1)


def border_of(net: Net) -> Net:
    """The same net with only the degrees of the border, the vertices that are not inner."""
    usable = net.usable & ~net.inner[net.ends].all(axis=1)
    target = np.where(net.inner, 0, net.target)
    return replace(loose(net), target=target, usable=usable, required=net.required & usable)


def good_order(graph: MoveGraph) -> Ints:
    """An order of the vertices with a narrow frontier: the best of a few natural ones, shape (n,).

    On a board: rank by rank along each axis and diagonal by diagonal; for every graph also reverse Cuthill-McKee.
    """
    candidates = [np.arange(graph.n)]
    if graph.board is not None:
        cells = graph.board.cells.astype(np.int64)
        for axes in itertools.permutations(range(graph.board.dimension)):
            candidates.append(np.lexsort([cells[:, axis] for axis in reversed(axes)]))
        for sign in (1, -1):
            candidates.append(np.lexsort([cells[:, 0], cells[:, 0] + sign * cells[:, 1]]))
    if graph.m:
        candidates.append(_reverse_cuthill_mckee(graph))
    return min(candidates, key=lambda order: frontier_width(graph, order))


def _reverse_cuthill_mckee(graph: MoveGraph) -> Ints:
    """Breadth first from a vertex of least degree, neighbours of small degree first, and then backwards."""
    near: list[set[int]] = [set() for _ in range(graph.n)]
    for tail, head in graph.ends.tolist():
        near[tail].add(head)
        near[head].add(tail)
    degree = [len(others) for others in near]
    order: list[int] = []
    reached = [False] * graph.n
    for start in sorted(range(graph.n), key=degree.__getitem__):
        if reached[start]:
            continue
        reached[start] = True
        place = len(order)
        order.append(start)
        while place < len(order):
            for vertex in sorted(near[order[place]], key=lambda v: (degree[v], v)):
                if not reached[vertex]:
                    reached[vertex] = True
                    order.append(vertex)
            place += 1
    return np.array(order[::-1], dtype=np.int64)


def frontier_width(graph: MoveGraph, order: Ints) -> tuple[int, int]:
    """The largest and the total size of the frontier, the vertices that are reached and not yet taken."""
    position = np.empty(graph.n, dtype=np.int64)
    position[order] = np.arange(graph.n)
    reached = position.copy()
    if graph.m:
        np.minimum.at(reached, graph.tails, position[graph.heads])
        np.minimum.at(reached, graph.heads, position[graph.tails])
    change = np.zeros(graph.n + 1, dtype=np.int64)
    np.add.at(change, reached, 1)
    np.add.at(change, position + 1, -1)
    width = np.cumsum(change)
    return int(width.max()), int(width.sum())


def checked_order(graph: MoveGraph, order: Sequence[int] | None) -> Ints:
    """A given order of the vertices, or a good one.

    Raises
    ------
    KTError
        If it is not a permutation of the vertices.
    """
    if order is None:
        return good_order(graph)
    if len(order) != graph.n or sorted(order) != list(range(graph.n)):
        raise KTError("the order is not a permutation of the vertices")
    return np.array(order, dtype=np.int64)
