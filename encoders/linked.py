"""Puzzles of paths between given cells, as clauses: moves, and the path on which each cell lies.

A tour through stops in order is such a puzzle too: a path leads from each stop to the next. Each stop is then two
cells, one where a path ends and one where the next begins (`encoders.counting.stops`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from encoders.counting.stops import CellLinkage
from encoders.sat.oracle import Oracle

SOLVER = "cadical195"
MAX_LITERALS = 50_000
"""Most pairs of a cell and a path: 30x30 with fifty paths."""


class Linked:
    """Knowledge about all solutions of a linkage: `Reasoning` about it.

    Attributes
    ----------
    clauses
        Clauses over moves and over the paths of cells. They leave cycles beside the paths possible.
    """

    def __init__(self, linkage: CellLinkage) -> None:
        self.linkage = linkage
        self.paths, self.n = len(linkage.pairs), len(linkage.cell)
        self.first_label = len(linkage.edges)
        self.edges_at: list[list[int]] = [[] for _ in range(self.n)]
        for e, (u, v) in enumerate(linkage.edges):
            self.edges_at[u].append(e)
            self.edges_at[v].append(e)
        self.ends = {end for pair in linkage.pairs for end in pair}
        self.clauses = [*self._labels(), *self._moves(), *self._degrees()]

    def move(self, edge: int) -> int:
        """The literal of an edge of the linkage."""
        return edge + 1

    def on(self, v: int, path: int) -> int:
        """The literal that a vertex lies on a path."""
        return self.first_label + v * self.paths + path + 1

    def _labels(self) -> Iterator[list[int]]:
        for v in range(self.n):
            some = [self.on(v, path) for path in range(self.paths)]
            yield some
            yield from ([-x, -y] for x, y in combinations(some, 2))
        yield from ([self.on(end, path)] for path, pair in enumerate(self.linkage.pairs) for end in pair)

    def _moves(self) -> Iterator[list[int]]:
        for e, (u, v) in enumerate(self.linkage.edges):
            for path in range(self.paths):
                yield [-self.move(e), -self.on(u, path), self.on(v, path)]
                yield [-self.move(e), -self.on(v, path), self.on(u, path)]

    def _degrees(self) -> Iterator[list[int]]:
        for v in range(self.n):
            moves = [self.move(e) for e in self.edges_at[v]]
            most = 1 if v in self.ends else 2
            yield from ([-x for x in some] for some in combinations(moves, most + 1))
            yield from (list(some) for some in combinations(moves, max(0, len(moves) - most + 1)))

    # -- what a person sees ----------------------------------------------------------------------------------------

    def is_solved(self, known: set[int]) -> bool:
        """Whether all moves of the paths are known."""
        return sum(0 < x <= self.first_label for x in known) == self.n - self.paths

    def _pieces(self, known: set[int]) -> list[int]:
        """The piece, by its least vertex, in which known moves join each vertex to others."""
        piece = list(range(self.n))

        def root(v: int) -> int:
            while piece[v] != v:
                piece[v] = piece[piece[v]]
                v = piece[v]
            return v

        for x in known:
            if 0 < x <= self.first_label:
                u, v = map(root, self.linkage.edges[x - 1])
                piece[max(u, v)] = min(u, v)
        return [root(v) for v in range(self.n)]

    def consequences(self, known: set[int]) -> list[int] | None:
        """No move closes a piece of a path, and no path goes where its ends do not reach."""
        piece = self._pieces(known)
        literals = []
        for e, (u, v) in enumerate(self.linkage.edges):
            if piece[u] == piece[v] and self.move(e) not in known and -self.move(e) not in known:
                literals.append(-self.move(e))
        for path, (start, end) in enumerate(self.linkage.pairs):
            reached, left = {start}, [start]
            while left:
                v = left.pop()
                for e in self.edges_at[v]:
                    a, b = self.linkage.edges[e]
                    w = b if a == v else a
                    if w not in reached and -self.move(e) not in known and -self.on(w, path) not in known:
                        reached.add(w)
                        if w not in self.ends:  # A path goes on from no end.
                            left.append(w)
            if end not in reached:
                return None
            for v in range(self.n):
                if v not in reached and -self.on(v, path) not in known:
                    literals.append(-self.on(v, path))
        return literals

    def attempts(self, known: set[int]) -> Iterator[int]:
        """The next moves of the paths, from both of their ends."""
        for pair in self.linkage.pairs:
            for end in pair:
                last, v = -1, end
                while True:
                    onward = [e for e in self.edges_at[v] if self.move(e) in known and e != last]
                    if not onward:
                        break
                    last = onward[0]
                    a, b = self.linkage.edges[last]
                    v = b if a == v else a
                if v == end or v not in self.ends:
                    yield from (self.move(e) for e in self.edges_at[v] if -self.move(e) not in known and e != last)


def rival_of(
    linkage: CellLinkage, ways: Sequence[Sequence[int]], check: Callable[[], None]
) -> list[tuple[int, ...]] | None:
    """The paths of another solution than the given one; None if it is the only one.

    Parameters
    ----------
    ways
        The paths of the wanted solution, in the order of the pairs.
    """
    linked = Linked(linkage)
    with Oracle(SOLVER, linked.clauses, 0, check) as oracle:
        oracle.add([[-linked.move(e) for e in linkage.edges_along(ways)]])
        while oracle.solve():
            chosen = [x - 1 for x in oracle.model() if 0 < x <= linked.first_label]
            found, cycles = linkage.ways(chosen)
            if not cycles:
                return found
            oracle.add([[-linked.move(e) for e in cycle] for cycle in cycles])
    return None


def first_ways(
    linkage: CellLinkage, most: int, conflicts: int, check: Callable[[], None]
) -> tuple[list[list[tuple[int, ...]]], bool]:
    """The first solutions that a short SAT search finds, each as its paths; and whether there are no others.

    Parameters
    ----------
    most
        How many are looked for.
    conflicts
        Conflicts after which the search ends.
    """
    found: list[list[tuple[int, ...]]] = []
    if len(linkage.cell) * len(linkage.pairs) > MAX_LITERALS:
        return found, False
    linked = Linked(linkage)
    with Oracle(SOLVER, linked.clauses, 0, check) as oracle:
        while len(found) < most:
            answer, used = oracle.solve_within(conflicts)
            conflicts -= used
            if not answer:
                return found, answer is False
            ways, cycles = linkage.ways([x - 1 for x in oracle.model() if 0 < x <= linked.first_label])
            if not cycles:
                found.append(ways)
                cycles = [linkage.edges_along(ways)]
            oracle.add([[-linked.move(e) for e in cycle] for cycle in cycles])
    return found, False
