"""A certificate that a graph has no Hamiltonian cycle, by small cuts: parts are treated alone and replaced by less.

The certificate lists the `steps` of the method `parts`, whose checker repeats them. Pieces behind two edges are treated
one by one. Parts behind three or four edges are replaced if they are small, smaller ones first. The rest is treated as
a whole, along a tree, as long as few vertices are adjacent to the taken ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from heapq import heapify, heappop, heappush
from itertools import combinations

import numpy as np

from encoders.presolve.edge_cuts import quadruples, rings, triples
from encoders.presolve.split import SIDE_LIMITS, CutEdges, pieces_between, side_of
from encoders.presolve.subgraph import Contradiction, Subgraph
from encoders.presolve.sweep import TooWide, narrow_order
from kt_models.errors import CertificateError, TooLarge
from kt_models.graph import MoveGraph, distinct_pairs
from kt_models.kernel.certificates import Certificate, Checked, Statement
from kt_models.kernel.certificates.elimination import Eliminated, eliminate
from kt_models.kernel.certificates.obstructions import plain_graph
from kt_models.limits import NO_LIMITS, Limits, Stopped
from kt_models.problem import Problem

Step = dict[str, list[int]]
Links = list[tuple[int, int, bool]]
"""Pairs of edges of a cut that a way through a part can join, and whether every way does."""
MAX_DEGREE = 24
"""Most neighbours of a vertex that is taken; its table has a state for each way to pair them."""
MIN_SIDE = {3: 2, 4: 4}
"""Least size of a part that is replaced, by the number of edges around it."""
MAX_PORTS = 4
"""Most edges around a part whose ways are distinguished edge by edge."""
MAX_TABLE_BYTES = 1 << 29
"""Bytes of tables: a second or two of work."""
FIRST_TABLE_BYTES = 1 << 24
"""Bytes of tables while parts may still be replaced, or a sweep may be quicker."""
QUICK_TABLE_BYTES = 1 << 20
"""Bytes of tables in a quick attempt."""
MAX_QUICK_VERTICES = 64
"""Most vertices that a quick attempt takes along a tree, once parts behind few edges are replaced."""
BYTES_PER_PAIR = 8
"""Bytes charged for each pair of states of two joined tables, which makes memory a measure of the work."""
MAX_SWEEP_BYTES = 1 << 27
"""Bytes of a sweep that comes before the last attempt."""
MAX_CHECK_BYTES = 1 << 30
"""Bytes for the checker, or its sweep."""
MAX_NARROW_FRONTIER = 18
"""Most vertices of a frontier for which a compiled sweep takes at most a second."""
MAX_FRONTIER = 24
"""Most vertices of the frontier of a sweep."""


def refutation(problem: Problem, limits: Limits) -> Checked | None:
    """A checked certificate that there is no solution; None if none is found.

    Small cuts are tried first, then a sweep if the whole graph is narrow, then cuts with more memory. Memory limits the
    work, so the clock decides nothing but whether the limits are reached.
    """
    try:
        # The cheap attempts come first.
        if certificate := _by_parts(problem, FIRST_TABLE_BYTES, limits):
            return certificate
        order = _order(problem.graph, MAX_NARROW_FRONTIER, limits)
        if order is not None and (certificate := _by_sweep(problem, order, MAX_SWEEP_BYTES, limits)):
            return certificate
        return _by_parts(problem, MAX_TABLE_BYTES, limits)
    except Stopped:
        return None


def quick_refutation(problem: Problem, limits: Limits) -> Checked | None:
    """A checked certificate that parts behind two to four edges give in tenths of a second; None if there is none.

    What is left must be small; otherwise nothing is taken along a tree.
    """
    try:
        return _by_parts(problem, QUICK_TABLE_BYTES, limits, MAX_QUICK_VERTICES)
    except Stopped:
        return None


def wide_refutation(problem: Problem, limits: Limits, work: int) -> Checked | None:
    """A checked certificate by a sweep of a whole graph that may be wide; None if there is none within the work.

    Parameters
    ----------
    work
        Bytes of the states after all steps together.
    """
    try:
        order = _order(problem.graph, MAX_FRONTIER, limits)
    except Stopped:
        return None
    memory = min(MAX_CHECK_BYTES, work // problem.graph.n)
    return None if order is None or not memory else _by_sweep(problem, order, memory, limits)


def _by_parts(problem: Problem, memory: int, limits: Limits, most: int | None = None) -> Checked | None:
    steps = refuting_steps(problem, memory, limits, most)
    if steps is None:
        return None
    with suppress(CertificateError, TooLarge):
        return Certificate("parts", Statement(problem, "infeasible"), {"steps": steps}).checked(
            _with_room(limits, MAX_CHECK_BYTES)
        )
    return None


def _by_sweep(problem: Problem, order: list[int], memory: int, limits: Limits) -> Checked | None:
    with suppress(CertificateError, TooLarge, Stopped):
        return Certificate("sweep", Statement(problem, "infeasible"), {"order": order[::-1]}).checked(
            _with_room(limits, memory)
        )
    return None


def _with_room(limits: Limits, memory: int) -> Limits:
    return replace(limits, memory=min(memory, limits.room(memory)))


def _order(graph: MoveGraph, widest: int, limits: Limits) -> list[int] | None:
    """An order for a sweep whose frontier has at most so many vertices; None if none is found."""
    with suppress(TooWide):
        order = narrow_order(Subgraph.of(graph.n, graph.ends.tolist()), limits.check, MAX_FRONTIER)
        if _width(graph, order) <= widest:
            return order
    return None


def _width(graph: MoveGraph, order: list[int]) -> int:
    """The largest frontier of an order: vertices that have come while a neighbour has not."""
    place = np.empty(graph.n, dtype=np.int64)
    place[order] = np.arange(graph.n)
    last = place.copy()
    # A vertex leaves the frontier after its last neighbour.
    np.maximum.at(last, graph.ends.ravel(), place[graph.ends[:, ::-1]].ravel())
    open_at = np.cumsum(
        np.bincount(place, minlength=graph.n + 1) - np.bincount(last + 1, minlength=graph.n + 2)[: graph.n + 1]
    )
    return int(open_at.max())


def refuting_steps(
    problem: Problem, memory: int = MAX_TABLE_BYTES, limits: Limits = NO_LIMITS, most: int | None = None
) -> list[Step] | None:
    """Steps of the method `parts` that lead to a contradiction; None if none are found.

    Parameters
    ----------
    memory
        Bytes for tables, as a measure of the work.
    most
        Most vertices that are taken as a whole; None for no limit.

    Raises
    ------
    Stopped
        If the limits end it.
    """
    size, ends = plain_graph(problem)
    whole = Subgraph.of(size, distinct_pairs(np.sort(ends, axis=1), size).tolist())
    limits = _with_room(limits, memory)
    # Each piece of a cut is a problem of its own, and one without a cycle refutes the whole.
    todo: list[tuple[Subgraph, list[Step]]] = [(whole, [])]
    while todo:
        part, steps = todo.pop()
        finder = _Finder(part, size, steps, limits, most)
        try:
            todo += [(piece, [*finder.steps, {"keep": sorted(piece.at)}]) for piece in finder.reduced()]
        except Contradiction as found:
            return finder.steps + ([{"keep": found.piece}] if found.piece else [])
    return None


class _Finder:
    """A graph, and the steps that led to it from the original one."""

    def __init__(self, part: Subgraph, size: int, steps: list[Step], limits: Limits, most: int | None) -> None:
        self.part, self.size, self.steps, self.limits, self.most = part, size, steps, limits, most

    def reduced(self) -> list[Subgraph]:
        """The pieces to treat by themselves; empty if nothing more is found.

        Raises
        ------
        Contradiction
            If there is no cycle.
        """
        part = self.part
        while part.settle(True, self.limits.check) is None:
            ends = part.ends
            for ring in rings(part):
                if pieces := pieces_between(part, ring, ends):
                    return pieces
            if self._replaced(triples(part)):
                continue
            if self.most is not None:
                small = len(part.at) <= self.most and self._take_all(self.limits.room(QUICK_TABLE_BYTES))
                if small or not self._replaced(quadruples(part)):
                    break
                continue
            # Cuts of four edges are more numerous, so they come after a first attempt at the whole.
            if self._take_all(FIRST_TABLE_BYTES):
                break
            if not self._replaced(quadruples(part)):
                self._take_all(self.limits.room(MAX_TABLE_BYTES))
                break
        return []

    # -- small parts -----------------------------------------------------------------------------------------------

    def _replaced(self, cuts: Iterable[CutEdges]) -> bool:
        """Replace small parts behind some cuts; return whether there was one."""
        part, ends, changed = self.part, self.part.ends, False
        # Small sides first: they are quick, and their replacement makes the others smaller.
        for size in SIDE_LIMITS:
            later = []
            for cut in cuts:
                self.limits.check()
                if not all(edge in part.at.get(ends[edge][0], ()) for edge in cut):
                    continue  # A vertex was removed since.
                side = side_of(part, cut, ends, size)
                if side is None:
                    later.append(cut)
                elif MIN_SIDE[len(cut)] <= len(side) < len(part.at) - 1:
                    with suppress(TooLarge):
                        changed |= self._replace(cut, side, ends)
            cuts = later
        return changed

    def _replace(self, cut: CutEdges, side: set[int], ends: dict[int, tuple[int, int]]) -> bool:
        """Replace a part by a vertex or edges, if that is possible."""
        part = self.part
        order, last = elimination_order({v: {w for w in part.at[v].values() if w in side} for v in side}, self.limits)
        if last is None:
            return False
        order.append(last)
        ways = _through(part, order, None, self.limits)
        # Vertices of the certificate are numbered on from those of the graph, by step.
        hub = self.size + len(self.steps)
        if ways.impassable:
            self.steps.append({"take": order})
            raise Contradiction
        rows = [[_links(row) for row in table.states.tolist()] for table in ways.tables]
        links: Links = [
            (~table.columns[i], ~table.columns[j], all((i, j) in row for row in listed))
            for table, listed in zip(ways.tables, rows, strict=True)
            for i, j in sorted(set().union(*listed))
        ]
        used = [edge for a, b, _ in links for edge in (a, b)]
        far = {edge: w for v in side for edge, w in part.at[v].items() if w not in side}
        common = {edge for edge in used if all(edge in (a, b) for a, b, _ in links)}
        as_vertex = [pair for pair in combinations(sorted(set(used)), 2) if common.issubset(pair)]
        # All ways through the part must look like the ways through a vertex.
        if len(rows) == 1 and all(len(row) == 1 for row in rows[0]) and len(as_vertex) == len(links):
            self.steps.append({"take": order})
            required = part.required & set(cut) | common
            self._remove(side)
            part.at[hub] = {}
            for edge in set(used):
                ends[edge] = (hub, far[edge])
                _add(part, edge, hub, far[edge], edge in required)
        elif len(cut) > 3 and len(set(used)) == len(used):
            self.steps.append({"take": order})
            self._remove(side)
            for a, b, always in links:
                if far[a] != far[b]:
                    _add(part, next(part.fresh), far[a], far[b], always)
                elif always:
                    raise Contradiction
        else:
            return False
        # Only their edges have changed.
        part.touch(v for v in (hub, *far.values()) if v in part.at)
        part.settle(False, self.limits.check)
        return True

    def _remove(self, side: set[int]) -> None:
        part = self.part
        for v in side:
            for edge, w in part.at.pop(v).items():
                part.required.discard(edge)
                if w not in side:
                    del part.at[w][edge]

    # -- all of it -------------------------------------------------------------------------------------------------

    def _take_all(self, memory: int) -> bool:
        """Take the vertices along a tree while they have few neighbours; return whether all together have a way."""
        part = self.part
        order, last = elimination_order({v: set(edges.values()) for v, edges in part.at.items()}, self.limits)
        if not order:
            return False
        try:
            ways = _through(part, order, last, _with_room(self.limits, memory))
        except TooLarge:
            return False
        if ways.impassable:
            self.steps.append({"take": order if last is None else [*order, last]})
            raise Contradiction
        return last is not None


def _add(part: Subgraph, edge: int, u: int, v: int, required: bool) -> None:
    """Add an edge; of parallel edges keep one, unless there are no other edges."""
    parallel = [name for name, w in part.at[u].items() if w == v]
    if parallel and len(part.at) > 2:
        if not required:
            return
        for name in parallel:
            part.drop(name, u)
    part.at[u][edge], part.at[v][edge] = v, u
    if required:
        part.required.add(edge)


def _links(row: list[int]) -> set[tuple[int, int]]:
    """The pairs of columns that a state joins."""
    return {(i, entry) for i, entry in enumerate(row) if i < entry}


def _through(part: Subgraph, order: Sequence[int], last: int | None, limits: Limits) -> Eliminated:
    """The ways through some vertices, or through all of them with the last one."""
    inside = set(order)
    ports: dict[int, tuple[int, ...]] = {}
    far = {edge: w for v in order for edge, w in part.at[v].items() if w not in inside}
    # The last vertex is left in place; its edges become ports, so that a way leaves it once and comes back once.
    if last is not None:
        out, back = ~next(part.fresh), ~next(part.fresh)
        ports = {
            edge: (out,) * (place < len(far) - 1) + (back,) * (place > 0) for place, edge in enumerate(part.at[last])
        }
    elif len(far) <= MAX_PORTS or len(inside) + len(set(far.values())) == len(part.at):
        ports = {edge: (~edge,) for edge in far}
    edges = {v: [(edge, ports.get(edge, (w,))) for edge, w in part.at[v].items()] for v in order}
    return eliminate(
        order, edges, part.required, last is not None, limits, limits.room(MAX_TABLE_BYTES) // BYTES_PER_PAIR
    )


def elimination_order(near: dict[int, set[int]], limits: Limits = NO_LIMITS) -> tuple[list[int], int | None]:
    """An order in which vertices are taken, and the last one if that is all of them.

    The next vertex is the one whose neighbours lack the fewest edges among them; these edges are added. The order ends
    when each vertex has more than `MAX_DEGREE` neighbours.
    """
    # Minimum fill: it keeps the tables narrow, which decides time and memory.
    near = {v: set(around) for v, around in near.items()}
    score: dict[int, tuple[int, int, int]] = {}

    def look(v: int) -> tuple[int, int, int]:
        around = near[v]
        if len(around) > MAX_DEGREE:
            return len(around) ** 2, len(around), v
        lacking = sum(len(around) - 1 - len(around & near[w]) for w in around)
        return lacking // 2, len(around), v

    for v in near:
        score[v] = look(v)
    heap = list(score.values())
    heapify(heap)
    order: list[int] = []
    while heap:
        if not len(order) % 64:
            limits.check()
        entry = heappop(heap)
        v = entry[2]
        # An old entry: the score of the vertex has changed since.
        if v not in near or score[v] != entry:
            continue
        if len(near[v]) > MAX_DEGREE:
            break
        around = near.pop(v)
        order.append(v)
        for w in around:
            near[w].discard(v)
        for w in around:
            near[w] |= around
            near[w].discard(w)
        for w in around.union(*(near[w] for w in around)):
            if len(near[w]) <= MAX_DEGREE or w in around:
                fresh = look(w)
                if fresh != score[w]:
                    score[w] = fresh
                    heappush(heap, fresh)
    return (order, None) if near else (order[:-1], order[-1])
