"""All solutions of a small problem by brute force, in Python's integers.

Nothing here is the toolkit's: a problem is read as a bag of numbers (vertices, edges, displacements, cells), and what
a solution is, its turns, its crossings, its symmetry are told again from their definitions.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from itertools import combinations, combinations_with_replacement, product
from typing import Any

Vector = tuple[int, ...]
Row = tuple[int, int, int]

MAX_STEPS = 60_000
"""Most steps of one enumeration."""
MAX_SOLUTIONS = 8_000


_KNOWN: dict[Any, list[int] | None] = {}


class TooMany(Exception):
    """The enumeration would take too long; nothing is known."""


@dataclass(frozen=True)
class Case:
    """A problem.

    Parameters
    ----------
    n, edges
        Vertices, and the ends of each edge.
    vectors, cells, shape, wraps
        On a board: the displacement of each edge, the cells, the sides of the box, which axes are periodic.
    connectivity, terminals, required, forbidden
        As `Problem` has them.
    generators
        Symmetries that a solution has to have: (axes, signs, shifts) of each.
    objective
        `turns`, `crossings`, rows [edge, edge, weight], or None.
    directed
        Whether the edges are arcs, tail first. Then numbers beyond theirs stand for what a solution has besides: two
        for each vertex, which every solution has, and for a path one for each vertex that it may begin at, and one for
        each that it may end at.
    """

    n: int
    edges: tuple[tuple[int, int], ...]
    connectivity: str
    terminals: tuple[int, ...] = ()
    required: frozenset[int] = frozenset()
    forbidden: frozenset[int] = frozenset()
    objective: str | tuple[Row, ...] | None = None
    vectors: tuple[Vector, ...] = ()
    cells: tuple[Vector, ...] = ()
    shape: Vector = ()
    wraps: tuple[bool, ...] = ()
    generators: tuple[tuple[Vector, Vector, Vector], ...] = ()
    directed: bool = False

    @cached_property
    def weights(self) -> tuple[Row, ...]:
        """The objective as rows."""
        if self.objective is None or isinstance(self.objective, tuple):
            return self.objective or ()
        place = tuple(self.cells[tail] for tail, _ in self.edges)
        periods = tuple(side if wrap else 0 for side, wrap in zip(self.shape, self.wraps, strict=True))
        return _metric(self.objective, self.edges, place, self.vectors, periods)

    def value(self, chosen: int) -> int:
        """What a set of edges, a bit mask, weighs."""
        return sum(w for e, f, w in self.weights if chosen >> e & 1 and chosen >> f & 1)

    @cached_property
    def images(self) -> list[list[int]]:
        """The image of each edge under each generator."""
        if not self.generators:
            return []
        number = {cell: v for v, cell in enumerate(self.cells)}
        by_ends = {}
        for e, ((u, v), vector) in enumerate(zip(self.edges, self.vectors, strict=True)):
            by_ends[u, v, vector] = e
            by_ends[v, u, tuple(-c for c in vector)] = e
        result = []
        for axes, signs, shifts in self.generators:
            image = [
                number[
                    tuple(
                        ((cell[a] if s > 0 else self.shape[i] - 1 - cell[a]) + t) % self.shape[i]
                        for i, (a, s, t) in enumerate(zip(axes, signs, shifts, strict=True))
                    )
                ]
                for cell in self.cells
            ]
            turned = [tuple(s * vector[a] for a, s in zip(axes, signs, strict=True)) for vector in self.vectors]
            result.append([by_ends[image[u], image[v], turned[e]] for e, (u, v) in enumerate(self.edges)])
        return result

    @cached_property
    def solutions(self) -> list[int]:
        """Every solution, a bit mask of edges.

        Raises
        ------
        TooMany
            If there are too many, or they take too long to find.
        """
        place = (self.n, self.edges, self.vectors, self.cells, self.shape, self.generators)
        key = (place, self.directed, self.connectivity, self.terminals, self.required, self.forbidden)
        if key not in _KNOWN:
            if len(_KNOWN) > 500:
                _KNOWN.clear()
            try:
                _KNOWN[key] = enumerate_solutions(self)
            except TooMany:
                _KNOWN[key] = None
        known = _KNOWN[key]
        if known is None:
            raise TooMany
        return known

    @cached_property
    def least(self) -> int | None:
        """The least value of a solution; None if there is none."""
        return min(map(self.value, self.solutions), default=None)

    def asks(self, objective: str | tuple[Row, ...] | None) -> Case:
        """The same with another objective; what is known of its solutions stays known."""
        return replace(self, objective=objective)


def case_of(problem: Any) -> Case:
    """What a `Problem` of the toolkit says, as a bag of numbers."""
    graph = problem.graph
    if graph.directed is not None:
        return _directed_case(problem)
    more: dict[str, Any] = {}
    if graph.board is not None:
        moves = [tuple(move) for move in graph.moves.tolist()]
        more = {
            "vectors": tuple(moves[k] for k in graph.edge_move.tolist()),
            "cells": tuple(tuple(cell) for cell in graph.board.cells.tolist()),
            "shape": tuple(graph.board.shape),
            "wraps": tuple(map(bool, graph.board.wraps)),
            "generators": tuple((s.axes, s.signs, s.shifts) for s in problem.symmetry),
        }
    objective = problem.objective
    if objective is not None and not isinstance(objective, str):
        columns = (objective.first.tolist(), objective.second.tolist(), objective.weight.tolist())
        objective = tuple(zip(*columns, strict=True))
    return Case(
        graph.n,
        tuple((u, v) for u, v in graph.ends.tolist()),
        problem.connectivity,
        tuple(problem.terminals),
        frozenset(problem.required),
        frozenset(problem.forbidden),
        objective,
        **more,
    )


def _directed_case(problem: Any) -> Case:
    """The same of a directed graph, its arcs numbered first."""
    arcs, m = problem.graph.directed.arcs.tolist(), problem.graph.m
    objective = problem.objective
    if objective is not None:
        columns = (objective.first.tolist(), objective.second.tolist(), objective.weight.tolist())
        rows = list(zip(*columns, strict=True))
        objective = tuple(((e - m + len(arcs)) % m, (f - m + len(arcs)) % m, w) for e, f, w in rows)
    required, forbidden = (
        frozenset((e - m + len(arcs)) % m for e in edges) for edges in (problem.required, problem.forbidden)
    )
    ends = tuple((u, v) for u, v in arcs)
    n = problem.graph.directed.n
    return Case(n, ends, problem.connectivity, (), required, forbidden, objective, directed=True)


def edges_of(problem: Any, chosen: int) -> list[int]:
    """The edges of a `Problem` of the toolkit that a solution of its case, a bit mask, has."""
    m = problem.graph.m
    shift = 0 if problem.graph.directed is None else m - len(problem.graph.directed.arcs)
    return [e for e in range(m) if chosen >> (e - shift) % m & 1]


# -- solutions -------------------------------------------------------------------------------------------------------


def enumerate_solutions(case: Case) -> list[int]:
    """Depth first over the edges, vertex by vertex; a branch ends where a degree cannot come out right."""
    if case.directed:
        return _directed_solutions(case)
    n, edges = case.n, case.edges
    free = 2 - len(case.terminals) if case.connectivity == "path" else 0
    need = [2] * n
    for t in case.terminals:
        need[t] = 1
    slack = [0] * n  # How much less than `need` a vertex may have
    if case.connectivity == "path":
        if n == 1:
            return [0] if not case.required else []
        slack = [0 if v in case.terminals else 1 for v in range(n)]
    order = _edge_order(case)
    later = [0] * n  # Undecided edges at a vertex
    for e in order:
        for v in edges[e]:
            later[v] += 1
    degree = [0] * n
    short = 0  # Vertices known to stay below their degree
    parent = list(range(n))
    closed = case.connectivity == "cycle"
    found: list[int] = []
    steps = 0
    for v in range(n):
        if later[v] < need[v] - slack[v]:
            return []
        short += later[v] < need[v]
    if short > free:
        return []
    if case.required & case.forbidden:
        return []

    def root(v: int) -> int:
        while parent[v] != v:
            v = parent[v]
        return v

    def go(i: int, chosen: int, count: int) -> None:
        nonlocal short, steps
        steps += 1
        if steps > MAX_STEPS or len(found) > MAX_SOLUTIONS:
            raise TooMany
        if i == len(order):
            if short == free and _connected_as_asked(case, chosen) and _symmetric(case, chosen):
                found.append(chosen)
            return
        e = order[i]
        u, v = edges[e]
        later[u] -= 1
        later[v] -= 1
        if degree[u] < need[u] and degree[v] < need[v]:
            degree[u] += 1
            degree[v] += 1
            a, b = root(u), root(v)
            if a != b or case.connectivity == "any" or (closed and count == n - 1):
                parent[a] = b
                go(i + 1, chosen | 1 << e, count + 1)
                parent[a] = a
            degree[u] -= 1
            degree[v] -= 1
        if e not in case.required:
            before = short
            for w in (u, v):
                room = degree[w] + later[w]
                if room < need[w] - slack[w]:
                    break
                if room == need[w] - 1:
                    short += 1
            else:
                if short <= free:
                    go(i + 1, chosen, count)
            short = before
        later[u] += 1
        later[v] += 1

    go(0, 0, 0)
    return found


def _directed_solutions(case: Case) -> list[int]:
    """Follow arcs from a vertex, through each once."""
    n, number = case.n, {arc: e for e, arc in enumerate(case.edges)}
    closed, found, steps = case.connectivity == "cycle", [], 0
    inner = sum(1 << len(number) + i for i in range(2 * n))
    required, forbidden = (sum(1 << e for e in edges) for edges in (case.required, case.forbidden))

    def go(walk: list[int], chosen: int) -> None:
        nonlocal steps
        steps += 1
        if steps > MAX_STEPS or len(found) > MAX_SOLUTIONS:
            raise TooMany
        if len(walk) == n:
            if closed and n > 1 and (walk[-1], walk[0]) in number:
                chosen |= 1 << number[walk[-1], walk[0]]
            elif closed:
                return
            else:
                chosen |= 1 << len(number) + 2 * n + walk[0] | 1 << len(number) + 3 * n + walk[-1]
            if not required & ~chosen and not forbidden & chosen:
                found.append(chosen)
        for v in range(n):
            if v not in walk and (walk[-1], v) in number:
                go([*walk, v], chosen | 1 << number[walk[-1], v])

    for first in range(1 if closed else n):
        go([first], inner)
    return found


def _edge_order(case: Case) -> list[int]:
    """The edges that may be chosen; the edges of a vertex stay near each other."""
    at: list[list[int]] = [[] for _ in range(case.n)]
    for e, (u, v) in enumerate(case.edges):
        if e not in case.forbidden:
            at[u].append(e)
            at[v].append(e)
    order: list[int] = []
    taken: set[int] = set()
    done: set[int] = set()
    while len(done) < case.n:
        v = min((v for v in range(case.n) if v not in done), key=lambda v: (sum(e not in taken for e in at[v]), v))
        done.add(v)
        for e in at[v]:
            if e not in taken:
                taken.add(e)
                order.append(e)
    return order


def _connected_as_asked(case: Case, chosen: int) -> bool:
    """Follow the chosen edges from vertex to vertex."""
    if case.connectivity == "any":
        return True
    at: list[list[tuple[int, int]]] = [[] for _ in range(case.n)]
    for e, (u, v) in enumerate(case.edges):
        if chosen >> e & 1:
            at[u].append((e, v))
            at[v].append((e, u))
    piece = [-1] * case.n
    pieces = 0
    for start in range(case.n):
        if piece[start] >= 0:
            continue
        piece[start], todo = pieces, [start]
        for v in todo:
            for _, w in at[v]:
                if piece[w] < 0:
                    piece[w] = pieces
                    todo.append(w)
        pieces += 1
    if case.connectivity in ("cycle", "path"):
        return pieces == 1 and case.n > 0
    ends_of: dict[int, list[int]] = {p: [] for p in range(pieces)}
    for v in range(case.n):
        if len(at[v]) == 1:
            ends_of[piece[v]].append(v)
    if any(len(ends) != 2 for ends in ends_of.values()):
        return False  # A piece without ends is a cycle
    if case.connectivity == "linkage":
        pairs = zip(case.terminals[::2], case.terminals[1::2], strict=True)
        return all(piece[s] == piece[t] for s, t in pairs)
    return True


def _symmetric(case: Case, chosen: int) -> bool:
    return all(chosen >> image[e] & 1 for image in case.images for e in range(len(case.edges)) if chosen >> e & 1)


# -- turns and crossings ---------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def _metric(
    name: str,
    edges: tuple[tuple[int, int], ...],
    tails: tuple[Vector, ...],
    vectors: tuple[Vector, ...],
    periods: tuple[int, ...],
) -> tuple[Row, ...]:
    rows = []
    for e, f in combinations_with_replacement(range(len(edges)), 2):
        if name == "turns":
            count = _turns(edges, vectors, e, f) if e != f else 0
        else:
            count = _crossings(tails, vectors, periods, e, f)
        if count:
            rows.append((e, f, count))
    return tuple(rows)


def _turns(edges: tuple[tuple[int, int], ...], vectors: tuple[Vector, ...], e: int, f: int) -> int:
    """At how many cells two moves meet without going straight on."""
    count = 0
    for i, j in product((0, 1), repeat=2):
        if edges[e][i] == edges[f][j]:
            out, into = ([-c if side else c for c in vectors[g]] for g, side in ((e, i), (f, j)))
            count += out != [-c for c in into]
    return count


def _crossings(tails: tuple[Vector, ...], vectors: tuple[Vector, ...], periods: tuple[int, ...], e: int, f: int) -> int:
    """In how many places the inner parts of two moves meet; on a periodic board f has an image for every period."""
    p, a, q, b = tails[e], vectors[e], tails[f], vectors[f]
    count = 0
    sides = zip(periods, a, b, strict=True)
    reach = [0 if not period else 1 + (abs(u) + abs(v) + period) // period for period, u, v in sides]
    for shift in product(*(range(-r, r + 1) for r in reach)):
        if e == f and shift <= (0,) * len(shift):
            continue  # A move and its images: each pair once
        count += _meet(a, tuple(c - d + s * period for c, d, s, period in zip(q, p, shift, periods, strict=True)), b)
    return count


@cache
def _meet(a: Vector, apart: Vector, b: Vector) -> bool:
    """Whether s a = apart + t b for some s and t strictly between 0 and 1."""
    for i, j in combinations(range(len(a)), 2):
        if det := a[i] * b[j] - a[j] * b[i]:
            s, t = (apart[i] * vector[j] - apart[j] * vector[i] for vector in (b, a))  # Times det
            if det < 0:
                det, s, t = -det, -s, -t
            return (
                0 < s < det
                and 0 < t < det
                and all(s * u == c * det + t * v for u, c, v in zip(a, apart, b, strict=True))
            )
    if any(apart[i] * a[j] != apart[j] * a[i] for i, j in combinations(range(len(a)), 2)):
        return False  # Parallel
    first = sum(c * u for c, u in zip(apart, a, strict=True))
    last = first + sum(v * u for v, u in zip(b, a, strict=True))
    return min(first, last) < sum(u * u for u in a) and max(first, last) > 0
