"""Puzzles with given numbers, as clauses: places of numbers, and moves between them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from typing import Self

from encoders.numbering.clauses import SOLVER, NumberClauses
from encoders.sat.oracle import Oracle
from heuristics.numbering import neighbours_of, table_of
from kt_models.files.puzzles import Route
from kt_models.limits import Limits
from kt_models.problem import Problem


class Numbered:
    """Knowledge about all numberings of a board: `Reasoning` about the puzzles.

    Besides the clauses of `NumberClauses` moves have variables: each cell makes two of them, an end one.
    """

    def __init__(self, problem: Problem, limits: Limits) -> None:
        self.n, self.closed = problem.graph.n, problem.closed
        base = NumberClauses(problem, table_of(problem, limits))
        self.number, self.place = base.number, base.places
        self.clauses = base.clauses
        near, degrees = neighbours_of(problem)
        self.near: list[list[int]] = [near[v, : degrees[v]].tolist() for v in range(self.n)]
        pairs = sorted({(min(u, v), max(u, v)) for u in range(self.n) for v in self.near[u]})
        self.move = {pair: len(self.place) + k for k, pair in enumerate(pairs, start=1)}
        self.variables = len(self.place) + len(pairs)
        self.clauses += self._moves()
        self.clauses += self._degrees()

    def at(self, k: int, v: int) -> int:
        """The literal that a vertex has the number k, counted from 0."""
        return self.number[k, v]

    def beside(self, k: int) -> list[int]:
        """The numbers before and after a number."""
        both = [(k + step) % self.n if self.closed else k + step for step in (-1, 1)]
        return [j for j in both if 0 <= j < self.n]

    def _moves(self) -> Iterator[list[int]]:
        """Consecutive numbers make the move between them, and a move is made by consecutive numbers."""
        for (a, b), move in self.move.items():
            for u, v in ((a, b), (b, a)):
                for k in range(self.n):
                    around = [self.number[j, v] for j in self.beside(k) if (j, v) in self.number]
                    if (k, u) in self.number:
                        yield [-move, -self.number[k, u], *around]
                        for literal in around:
                            yield [-self.number[k, u], -literal, move]

    def _degrees(self) -> Iterator[list[int]]:
        for v in range(self.n):
            moves = [self.move[min(u, v), max(u, v)] for u in self.near[v]]
            ends = [] if self.closed else [self.number[k, v] for k in (0, self.n - 1) if (k, v) in self.number]
            yield from ([-x for x in triple] for triple in combinations(moves, 3))
            for moves_but_one in combinations(moves, len(moves) - 1):
                yield [*moves_but_one, *ends]
            if ends:
                yield moves
                yield from ([-end, -x, -y] for end in ends for x, y in combinations(moves, 2))

    # -- what a person sees ----------------------------------------------------------------------------------------

    def is_solved(self, known: set[int]) -> bool:
        """Whether every number has its place."""
        return sum(0 < x <= len(self.place) for x in known) == self.n

    def consequences(self, known: set[int]) -> list[int]:
        """Nothing: distances to given numbers follow from the clauses, and so does everything else."""
        return []

    def attempts(self, known: set[int]) -> Iterator[int]:
        """Places of the numbers before and after a number whose place is known."""
        placed = dict(self.place[x - 1] for x in known if 0 < x <= len(self.place))
        for k, v in sorted(placed.items()):
            for j in self.beside(k):
                if j not in placed:
                    for u in self.near[v]:
                        if (j, u) in self.number and -self.number[j, u] not in known:
                            yield self.number[j, u]


class NumberRivals:
    """Looks for numberings other than a wanted one that have some of its numbers, with one solver for all of them."""

    def __init__(self, numbered: Numbered, check: Callable[[], None]) -> None:
        self.numbered = numbered
        self._oracle = Oracle(SOLVER, numbered.clauses, 0, check)
        self._next = numbered.variables
        self._way: Route = ()
        self._rivals: list[frozenset[int]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._oracle.close()

    def want(self, way: Sequence[int]) -> None:
        """Look for rivals of this numbering from now on."""
        if self._way:
            self._oracle.add([[-self._next]])
        self._way, self._rivals = tuple(way), []
        self._next += 1
        self._oracle.add([[-self._next, *(-self.numbered.at(k, v) for k, v in enumerate(way))]])

    def is_only(self, numbers: Iterable[int]) -> bool:
        """Whether no other numbering has these numbers, counted from 0, where the wanted one has them."""
        clues = frozenset(numbers)
        if any(clues <= shared for shared in self._rivals):
            return False
        if not self._oracle.solve([self._next, *(self.numbered.at(k, self._way[k]) for k in sorted(clues))]):
            return True
        chosen = (self.numbered.place[x - 1] for x in self._oracle.model() if 0 < x <= len(self.numbered.place))
        self._rivals.append(frozenset(k for k, v in chosen if self._way[k] == v))
        return False
