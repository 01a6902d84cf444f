"""Every Hamiltonian cycle and path of a small graph, by a search that shares nothing with the toolkit's engines."""

from __future__ import annotations

from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations, pairwise
from operator import mul

import numpy as np
from numba import njit

from kt_models import MoveGraph, graph_of

MOST = 400_000
"""Most paths kept from one start."""


def cycles(graph: MoveGraph) -> list[tuple[int, ...]]:
    """Vertex orders of every Hamiltonian cycle, each once (started at 0, second vertex below the last)."""
    if graph.n < 3:
        return []
    return [tuple(order) for order in _paths_from(graph, 0, closed=True).tolist() if order[1] < order[-1]]


def paths(graph: MoveGraph) -> list[tuple[int, ...]]:
    """Vertex orders of every Hamiltonian path, each once (first vertex below the last)."""
    found = (order for start in range(graph.n) for order in _paths_from(graph, start).tolist())
    return [tuple(order) for order in found if order[0] <= order[-1]]


@lru_cache(maxsize=256)
def tours(board: str, closed: bool) -> tuple[tuple[int, ...], ...]:
    """All undirected knight's tours of a board."""
    graph = graph_of(board)
    return tuple(cycles(graph) if closed else paths(graph))


def has_tour(board: str, closed: bool) -> bool:
    """Whether a board has a knight's tour: no further start is tried once there is one."""
    graph = graph_of(board)
    return bool(cycles(graph)) if closed else any(len(_paths_from(graph, start)) for start in range(graph.n))


def turns(graph: MoveGraph, order: tuple[int, ...], closed: bool) -> int:
    """Cells at which three consecutive cells are not on one line, evenly spaced (by coordinates alone)."""
    every = graph.board.cells.tolist()
    cells = [every[v] for v in order]
    n = len(cells)
    middles = range(n) if closed else range(1, n - 1)
    return sum(
        any(cells[(i + 1) % n][d] - cells[i][d] != cells[i][d] - cells[i - 1][d] for d in range(len(cells[i])))
        for i in middles
    )


def crossings(graph: MoveGraph, order: tuple[int, ...], closed: bool) -> int:
    """Pairs of moves with a common point inside both, found by solving for it (Cramer's rule)."""
    cells = [tuple(map(int, graph.board.cells[v])) for v in order]
    segments = list(zip(cells, cells[1:] + cells[:1], strict=True))
    if not closed:
        segments.pop()
    return sum(_meet(*s, *t) for s, t in combinations(segments, 2))


@cache
def _meet(p, q, r, s) -> bool:
    d, e = (q[0] - p[0], q[1] - p[1]), (s[0] - r[0], s[1] - r[1])
    det = d[0] * -e[1] + e[0] * d[1]
    if det == 0:
        return False
    b = (r[0] - p[0], r[1] - p[1])
    t, u = b[0] * -e[1] + e[0] * b[1], d[0] * b[1] - d[1] * b[0]
    if det < 0:
        det, t, u = -det, -t, -u
    return 0 < t < det and 0 < u < det  # t/det and u/det say where along each segment they meet


def meet_in_space(p, q, r, s) -> bool:
    """Whether two open segments that are not parallel meet: the nearest points of their lines, by normal equations."""
    d, e, w = ([y - x for x, y in zip(*ends, strict=True)] for ends in ((p, q), (r, s), (r, p)))
    dd, de, ee, dw, ew = (sum(map(mul, u, v)) for u, v in ((d, d), (d, e), (e, e), (d, w), (e, w)))
    if dd * ee == de * de:
        return False
    t, u = Fraction(de * ew - ee * dw, dd * ee - de * de), Fraction(dd * ew - de * dw, dd * ee - de * de)
    gap = [wi + t * di - u * ei for wi, di, ei in zip(w, d, e, strict=True)]
    return 0 < t < 1 and 0 < u < 1 and not any(gap)


@lru_cache(maxsize=256)
def values(board: str, closed: bool, metric: str) -> tuple[int, ...]:
    """The turns or the crossings of every tour of a board, in the order of `tours`."""
    graph = graph_of(board)
    orders = np.array(tours(board, closed), dtype=np.int64).reshape(-1, graph.n)
    orders = np.concatenate([orders, orders[:, : 2 * closed]], axis=1)  # Round to the second cell again
    if metric == "turns":
        steps = np.diff(graph.board.cells[orders], axis=1)
        return tuple((steps[:, 1:] != steps[:, :-1]).any(axis=2).sum(axis=1).tolist())
    cells = [tuple(map(int, cell)) for cell in graph.board.cells]
    ends = [(cells[u], cells[v]) for u, v in graph.ends.tolist()]
    meet = np.array([[_meet(*first, *second) for second in ends] for first in ends])
    number = np.zeros((graph.n, graph.n), dtype=np.int64)
    for (u, v), e in _numbers(graph).items():
        number[u, v] = e
    steps = number[orders[:, :-1], orders[:, 1:]][:, : graph.n - (not closed)]
    return tuple(int(meet[np.ix_(edges, edges)].sum()) // 2 for edges in steps)


def edge_set(graph: MoveGraph, order: tuple[int, ...], closed: bool) -> frozenset[int]:
    """The edges of a tour, looked up one by one."""
    steps = list(pairwise(order)) + ([(order[-1], order[0])] if closed else [])
    number = _numbers(graph)
    return frozenset(number[step] for step in steps)


@lru_cache(maxsize=256)
def edge_sets(board: str, closed: bool) -> tuple[frozenset[int], ...]:
    """The edges of every tour of a board, in the order of `tours`."""
    graph = graph_of(board)
    return tuple(edge_set(graph, order, closed) for order in tours(board, closed))


@lru_cache(maxsize=8)
def _numbers(graph: MoveGraph) -> dict[tuple[int, int], int]:
    """The (first) edge that joins two vertices, either way round."""
    return {step: e for e, (u, v) in reversed(list(enumerate(graph.ends.tolist()))) for step in ((u, v), (v, u))}


@njit(boundscheck=True, cache=True)
def _search(neighbours, degree, start, closed, out):  # pragma: no cover (compiled)
    """Fill `out` with every path from `start` through all vertices; the number of them.

    Depth-first over bit sets. A branch ends where an unvisited vertex has no unvisited neighbour and is not next to
    the head, or two unvisited vertices have but one and are not next to the head: only one can come last; and where a
    closed tour could not come back to its start.
    """
    n = len(degree)
    full = (np.uint64(1) << np.uint64(n)) - np.uint64(1)
    masks = np.zeros(n, np.uint64)
    for v in range(n):
        for i in range(degree[v]):
            masks[v] |= np.uint64(1) << np.uint64(neighbours[v, i])
    order = np.zeros(n, np.int64)
    choice = np.zeros(n, np.int64)
    order[0], depth, found = start, 0, 0
    visited = np.uint64(1) << np.uint64(start)
    if n == 1:
        return 1
    while depth >= 0:
        v = order[depth]
        if choice[depth] == 0 and depth > n // 3:
            lonely, dead = 0, False
            for u in range(n):
                bit = np.uint64(1) << np.uint64(u)
                if visited & bit or masks[v] & bit:
                    continue
                free = masks[u] & ~visited & full
                if free == 0:
                    dead = True
                    break
                if free & (free - np.uint64(1)) == 0:
                    lonely += 1
            if dead or lonely > 1:
                choice[depth] = degree[v]
        if choice[depth] == degree[v]:
            choice[depth] = 0
            visited &= ~(np.uint64(1) << np.uint64(v))
            depth -= 1
            continue
        u = neighbours[v, choice[depth]]
        choice[depth] += 1
        bit = np.uint64(1) << np.uint64(u)
        if visited & bit:
            continue
        order[depth + 1] = u
        if depth + 2 == n:
            if not closed or masks[start] & bit:
                out[found] = order  # Beyond the end this raises: boundscheck
                found += 1
            continue
        if closed and masks[start] & ~(visited | bit) == 0:
            continue
        visited |= bit
        depth += 1
    return found


def _paths_from(graph: MoveGraph, start: int, closed: bool = False) -> np.ndarray:
    degree = graph.degrees
    table = np.zeros((graph.n, max(1, int(degree.max(initial=0)))), dtype=np.int64)
    for v in range(graph.n):
        table[v, : degree[v]] = graph.neighbours[graph.indptr[v] : graph.indptr[v + 1]]
    out = np.zeros((MOST, graph.n), dtype=np.int64)
    out[0] = start
    return out[: _search(table, degree, start, closed, out)]
