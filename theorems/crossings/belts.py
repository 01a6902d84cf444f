"""Belts: the sweep around a belt of cells along the sides of a rectangle, as in Lemma 1 (laps)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from kt_models.board import Board
from kt_models.cells import Cell
from kt_models.errors import CertificateError
from kt_models.graph import MoveGraph
from kt_models.kernel.certificates import regions, states
from kt_models.kernel.certificates.states import Front
from kt_models.leaper import Leaper
from kt_models.limits import NO_LIMITS
from kt_models.problem import Problem

START_LAPS = 2
"""Laps of the largest square from which V is taken. Any V gives a valid bound; more laps take time."""


@dataclass(frozen=True)
class Belt:
    """Parameters of the computation of a bound (see `proof.md`)."""

    leaper: Leaper
    closed: bool
    rows: int
    full: int
    laps: int
    penalty: int

    @property
    def ends(self) -> int:
        """Number of ends of a tour."""
        return 0 if self.closed else 2

    @property
    def view(self) -> int:
        """Most columns that a step looks away."""
        return 2 * self.leaper.b - 1

    @property
    def least(self) -> int:
        """Least side of a board to which the argument applies."""
        return 2 * self.rows + self.view

    def cells(self, width: int, height: int) -> list[Cell]:
        """Cells of the belt in order: counterclockwise, each side with the corner at its end."""
        sides = (
            (width, lambda at, deep: (at, deep)),
            (height, lambda at, deep: (width - 1 - deep, at)),
            (width, lambda at, deep: (width - 1 - at, height - 1 - deep)),
            (height, lambda at, deep: (deep, height - 1 - at)),
        )
        return [place(at, d) for length, place in sides for at in range(self.rows, length) for d in range(self.rows)]


@dataclass(frozen=True)
class StationaryBelt:
    """V where it is stationary along a side, from the column `first` on: it grows by `more` with each column.

    `names` are the moves of its states, by their ends as seen from the column behind which V is taken (see
    `BeltSweep.names`).
    """

    first: int
    more: int
    front: Front
    names: tuple[frozenset[Cell], ...]


@dataclass(frozen=True)
class Lap:
    """One lap around a board: V after the lap, the minimum of W - V, and the stationary V of each side.

    `stationary` has `None` for a side without a column that may be repeated.
    """

    front: Front
    least: int
    stationary: tuple[StationaryBelt | None, ...]

    @property
    def more(self) -> tuple[int, ...]:
        """Growth of V with one more column of each side; 0 where it is unknown."""
        return tuple(side.more if side else 0 for side in self.stationary)


@dataclass(frozen=True, eq=False)
class BeltSweep:
    """Sweep around one board."""

    belt: Belt
    width: int
    height: int

    @cached_property
    def cells(self) -> list[Cell]:
        """Cells of the belt in order."""
        return self.belt.cells(self.width, self.height)

    @cached_property
    def problem(self) -> Problem:
        """Tours of the board with few crossings."""
        graph = MoveGraph.of(Board.box(self.width, self.height), self.belt.leaper)
        return Problem(graph, "cycle" if self.belt.closed else "path", "crossings")

    @cached_property
    def sweep(self) -> Any:
        """The steps of `regions`."""
        graph, weights = self.problem.graph, self.problem.weights
        assert graph.board is not None and weights is not None
        numbers = graph.board.numbers(np.array(self.cells))
        inside = np.zeros(graph.n, dtype=bool)
        inside[numbers] = True
        # Pairs with an end of both moves in the belt are charged to it
        seen = inside[graph.tails] | inside[graph.heads]
        mine = seen[weights.first] & seen[weights.second]
        pairs = [a[mine].tolist() for a in (weights.first, weights.second, weights.weight)]
        region = regions.Region(tuple(numbers.tolist()), True)
        return regions._Sweep(self.problem, region, list(zip(*pairs, strict=True)), NO_LIMITS)

    @cached_property
    def lengths(self) -> list[int]:
        """Columns of each side, including the corner at its end but not the one at its beginning."""
        return [length - self.belt.rows for length in (self.width, self.height) * 2]

    @cached_property
    def live(self) -> dict[int, int]:
        """Moves of a state where a lap begins, and the step until which each is needed."""
        live: dict[int, int] = {}
        # One lap without states finds which moves are open where a lap begins
        for i in range(len(self.cells)):
            _, live = self.sweep._step(i, i, live, 2, self.belt.ends)
        return live

    def names(self, live: dict[int, int], side: int = 0, column: int = 0) -> list[frozenset[Cell]]:
        """Moves of a state in order, by their ends as seen from a column of a side; x leads along the side."""
        graph = self.problem.graph
        assert graph.board is not None
        names = []
        for e in live:
            ends = []
            for x, y in graph.board.cells[graph.ends[e]].tolist():
                rotated = [(x, y), (y, self.width - 1 - x), (self.width - 1 - x, self.height - 1 - y)]
                along, deep = [*rotated, (self.height - 1 - y, x)][side]
                ends.append((along - column, deep))
            names.append(frozenset(ends))
        return names

    def tail(self, memory: states.Memory, columns: int) -> Front:
        """States that the last columns of a lap allow, swept from an empty state; ends are forgotten."""
        belt, count = self.belt, len(self.cells)
        front, live = _nothing(), dict[int, int]()
        for i in range(count - columns * belt.rows, count):
            step, live = self.sweep._step(i, i, live, 2, belt.ends)
            front, _ = memory.apply(step, front)
        if list(live) != list(self.live):
            raise CertificateError("crossings: too few columns precede the beginning of a lap")
        return states.without_ends(front, 0)

    def lap(self, front: Front, memory: states.Memory, *, first: bool = False) -> Lap:
        """One lap that begins with a function V; the first lap begins with nothing, and shows nothing."""
        belt, rows, count = self.belt, self.belt.rows, len(self.cells)
        before, live, cost, start = front, {} if first else self.live, 0, 0 if first else count
        stationary, i = list[StationaryBelt | None](), 0
        for side, length in enumerate(self.lengths):
            last: tuple[bytes, list[frozenset[Cell]]] | None = None
            stationary.append(None)
            for x in range(rows, rows + length):
                added = 0
                for _ in range(rows):
                    step, live = self.sweep._step(i, start + i, live, 2, belt.ends)
                    front, extra = memory.apply(step, front)
                    added += extra
                    i += 1
                cost += added
                now = front.digest, self.names(live, side, x)
                # Columns that see neither corner
                inner = x - belt.view >= rows and x + belt.view < length
                # The same function twice in a row: every further column repeats it
                if inner and now == last and stationary[side] is None:
                    stationary[side] = StationaryBelt(x, added, front, tuple(now[1]))
                last = now
        if not first and list(live) != list(self.live):
            raise CertificateError("crossings: the states at the end of a lap differ from those at its beginning")
        excesses = states.differences(before.states, front.states, cost, belt.ends)
        return Lap(states.without_ends(front, belt.penalty), min(excesses), tuple(stationary))


def _nothing() -> Front:
    return states.reduce_states([np.zeros(1, dtype=np.uint64)])[0]


def start_values(belt: Belt, memory: states.Memory) -> tuple[Front, list[frozenset[Cell]]]:
    """V after some laps of the largest square, and the moves that its states are sets of."""
    board = BeltSweep(belt, belt.full, belt.full)
    front = board.lap(_nothing(), memory, first=True).front
    for _ in range(START_LAPS - 1):
        front = board.lap(front, memory).front
    return front, board.names(board.live)
