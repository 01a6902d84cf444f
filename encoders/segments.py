"""Stops in order as clauses: each vertex between two stops lies in one segment, and chosen edges stay in it.

With them every solution that is one tour visits the stops in their order: from a stop it can leave into the next
segment only on one side, and a segment leads nowhere but to the stops at its two ends. Each tour of this kind has one
choice of segments, so that lists and counts of solutions stay right. In a split graph the entry of a stop lies in the
segment before it, and its exit in the one after it, which gives the order its direction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from kt_models.conditions.in_order import is_order_free
from kt_models.directed import SplitGraph
from kt_models.errors import TooLarge
from kt_models.problem import Problem

MAX_CLAUSES = 4_000_000
"""Most clauses: 60x60 with 100 stops has two million."""


@dataclass(frozen=True)
class Segments:
    """The segments of a problem.

    Parameters
    ----------
    stops
        The stops as vertices of the graph.
    count
        Number of segments: of an open tour those before its first and after its last stop are the first and the last.
    fixed
        The only segment of some vertices.
    outer
        The segments in which an open tour may begin and end.
    """

    stops: tuple[int, ...]
    count: int
    fixed: dict[int, int]
    outer: tuple[int, ...]

    @classmethod
    def of(cls, problem: Problem) -> Segments | None:
        """The segments; None if every tour visits the stops in their order."""
        graph, stops, closed = problem.graph, problem.in_order, problem.closed
        if not stops or is_order_free(stops, closed, graph.directed is not None):
            return None
        count = len(stops) if closed else len(stops) + 1
        segments = cls(stops, count, {}, () if closed else (0, count - 1))
        if isinstance(graph, SplitGraph):
            for k, stop in enumerate(stops):
                segments.fixed[graph.entries + stop], segments.fixed[graph.exits + stop] = segments.beside(k)
            if not closed:
                start, end = graph.terminals
                segments.fixed[start], segments.fixed[end] = segments.outer
        return segments

    def beside(self, k: int) -> tuple[int, int]:
        """The segments before and after a stop."""
        return ((k - 1) % self.count, k) if not self.outer else (k, k + 1)


def order_clauses(
    problem: Problem,
    edge: Sequence[int],
    ends: Callable[[int], Iterable[int]],
    new: Callable[[], int],
    check: Callable[[], None] = lambda: None,
) -> list[list[int]]:
    """Clauses that make every tour visit the stops in their order, over the variables of edges and new ones.

    Parameters
    ----------
    edge
        The variable of each edge.
    ends
        Variables of which one is true if a path ends at a vertex, as far as its ends are free.
    new
        Makes a variable.

    Raises
    ------
    TooLarge
        Above `MAX_CLAUSES` clauses.
    """
    segments = Segments.of(problem)
    if segments is None:
        return []
    graph, terminals = problem.graph, set(problem.terminals)
    place = {stop: k for k, stop in enumerate(segments.stops)}
    degrees = [graph.degrees[stop] for stop in segments.stops]
    size = 2 * graph.m * segments.count + graph.n * segments.count**2 // 2 + sum(int(d) ** 2 for d in degrees)
    if size > MAX_CLAUSES:
        raise TooLarge(
            f"{graph.name}: {size:,} clauses for {len(segments.stops)} stops, over the limit of {MAX_CLAUSES:,}"
        )
    inside = [v for v in range(graph.n) if v not in place]
    at = {v: [new() for _ in range(segments.count)] for v in inside}
    clauses: list[list[int]] = []
    for v in inside:
        check()
        clauses.append(at[v])
        clauses += [[-x, -y] for x, y in combinations(at[v], 2)]
        if v in problem.optional:  # So that each walk has one choice of segments
            clauses.append([at[v][0], *(edge[e] for e in graph.edges_of(v).tolist())])
        if v in segments.fixed:
            clauses.append([at[v][segments.fixed[v]]])
        # A path begins and ends before the first or after the last stop.
        outer = [at[v][k] for k in segments.outer]
        clauses += [[-end, *outer] for end in ends(v)]
        if v in terminals:
            clauses.append(outer)
    for stop, k in place.items():
        if segments.outer and 0 < k < len(place) - 1:
            clauses += [[-end] for end in ends(stop)]
            clauses += [[]] if stop in terminals else []
    for e, (u, v) in enumerate(graph.ends.tolist()):
        check()
        if u not in place and v not in place:
            for x, y in zip(at[u], at[v], strict=True):
                clauses += [[-edge[e], -x, y], [-edge[e], x, -y]]
        elif u in place and v in place:
            apart = abs(place[u] - place[v])
            if apart != 1 and (segments.outer or apart != len(place) - 1):
                clauses.append([-edge[e]])
        else:
            stop, other = (u, v) if u in place else (v, u)
            clauses.append([-edge[e], *(at[other][k] for k in segments.beside(place[stop]))])
    for stop, k in place.items():
        clauses += _sides(problem, segments, place, at, edge, stop, k)
    return clauses


def _sides(
    problem: Problem,
    segments: Segments,
    place: dict[int, int],
    at: dict[int, list[int]],
    edge: Sequence[int],
    stop: int,
    k: int,
) -> list[list[int]]:
    """Clauses: one chosen edge at a stop leads into the segment before it, the other into the segment after it."""
    graph = problem.graph
    clauses: list[list[int]] = []
    for number, side in enumerate(segments.beside(k)):
        beside = (k + (1 if number else -1)) % len(place) if not segments.outer else k + (1 if number else -1)
        into: list[list[int]] = []  # Literals that all hold if an edge is chosen and leads into the segment.
        for e in graph.edges_of(stop).tolist():
            other = int(graph.tails[e]) + int(graph.heads[e]) - stop
            if other in at:
                into.append([-edge[e], -at[other][side]])
            elif place[other] == beside:
                into.append([-edge[e]])
        clauses += [[*dict.fromkeys(first + second)] for first, second in combinations(into, 2)]
    return clauses
