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
"""Laps of a board from which V is taken. Any V gives a valid bound; more laps take time."""


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

    def columns(self, width: int, height: int) -> list[list[list[Cell]]]:
        """Cells of the belt by side and column: counterclockwise, each side with the corner at its end."""
        sides = (
            (width, lambda at, deep: (at, deep)),
            (height, lambda at, deep: (width - 1 - deep, at)),
            (width, lambda at, deep: (width - 1 - at, height - 1 - deep)),
            (height, lambda at, deep: (deep, height - 1 - at)),
        )
        return [
            [[place(at, d) for d in range(self.rows)] for at in range(self.rows, length)] for length, place in sides
        ]


@dataclass(frozen=True)
class StationaryBelt:
    """V where it is stationary along a side, at the column `first`: it grows by `more` with each column.

    `names` are the moves of its states, by their ends as seen from the column behind which V is taken (see
    `BeltSweep.names`).
    """

    first: int
    more: int
    front: Front
    names: tuple[frozenset[Cell], ...]


@dataclass(frozen=True)
class Lap:
    """One lap around a board: V after the lap, the minimum of W - V, and the columns of each side that repeat."""

    front: Front
    least: int
    repeats: tuple[tuple[StationaryBelt, ...], ...]

    @property
    def stationary(self) -> tuple[StationaryBelt | None, ...]:
        """The first stationary V of each side; `None` for a side without a column that may be repeated."""
        return tuple(side[0] if side else None for side in self.repeats)

    @property
    def more(self) -> tuple[int, ...]:
        """Growth of V with one more column of each side; 0 where it is unknown."""
        return tuple(side.more if side else 0 for side in self.stationary)


@dataclass(frozen=True, eq=False)
class BeltSweep:
    """Sweep around one board, a rectangle without the cells `holes`."""

    belt: Belt
    width: int
    height: int
    holes: frozenset[Cell] = frozenset()

    @cached_property
    def columns(self) -> list[list[list[Cell]]]:
        """Cells of the belt by side and column, in order."""
        sides = self.belt.columns(self.width, self.height)
        return [[[cell for cell in column if cell not in self.holes] for column in side] for side in sides]

    @cached_property
    def cells(self) -> list[Cell]:
        """Cells of the belt in order."""
        return [cell for side in self.columns for column in side for cell in column]

    @cached_property
    def problem(self) -> Problem:
        """Tours of the board with few crossings."""
        board = Board.box(self.width, self.height)
        if self.holes:
            mask = np.ones(board.shape, dtype=bool)
            mask[tuple(np.array(sorted(self.holes)).T)] = False
            board = Board(board.shape, mask)
        graph = MoveGraph.of(board, self.belt.leaper)
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
            places = (self.seen_from(side, (x, y)) for x, y in graph.board.cells[graph.ends[e]].tolist())
            names.append(frozenset((along - column, deep) for along, deep in places))
        return names

    def seen_from(self, side: int, cell: Cell) -> Cell:
        """A cell by its column and its depth, as seen from a side."""
        x, y = cell
        across, up = self.width - 1 - x, self.height - 1 - y
        return ((x, y), (y, across), (across, up), (up, x))[side]

    def marks(self, side: int) -> list[int]:
        """Columns of the missing cells that steps along a side may see."""
        places = (self.seen_from(side, cell) for cell in self.holes)
        return [along for along, deep in places if deep < self.belt.rows + self.belt.view]

    def tail(self, memory: states.Memory, columns: int) -> Front:
        """States that the last columns of a lap allow, swept from an empty state; ends are forgotten."""
        belt, count = self.belt, len(self.cells)
        front, live = _nothing(), dict[int, int]()
        for i in range(count - sum(map(len, self.columns[-1][-columns:])), count):
            step, live = self.sweep._step(i, i, live, 2, belt.ends)
            front, _ = memory.apply(step, front)
        if list(live) != list(self.live):
            raise CertificateError("crossings: too few columns precede the beginning of a lap")
        return states.without_ends(front, 0)

    def lap(
        self, front: Front, memory: states.Memory, *, first: bool = False, usual: StationaryBelt | None = None
    ) -> Lap:
        """One lap that begins with a function V; the first lap begins with nothing, and shows nothing.

        Where V repeats, it is lowered to the `usual` one.
        """
        belt, rows, count = self.belt, self.belt.rows, len(self.cells)
        before, live, cost, start = front, {} if first else self.live, 0, 0 if first else count
        repeats, i = list[tuple[StationaryBelt, ...]](), 0
        for side, columns in enumerate(self.columns):
            last: tuple[bytes, list[frozenset[Cell]]] | None = None
            stationary, marks = [], self.marks(side)
            for x, column in enumerate(columns, rows):
                added = 0
                for _ in column:
                    step, live = self.sweep._step(i, start + i, live, 2, belt.ends)
                    front, extra = memory.apply(step, front)
                    added += extra
                    i += 1
                cost += added
                now = front.digest, self.names(live, side, x)
                # Columns that see neither corner and no missing cell
                inner = x - belt.view >= rows and x + belt.view < len(columns)
                inner = inner and all(abs(x - mark) > belt.view for mark in marks)
                # The same function twice in a row: every further column repeats it
                if inner and now == last:
                    lower, more = _lowered(front, now[1], usual)
                    if lower.digest == front.digest:
                        stationary.append(StationaryBelt(x, added, front, tuple(now[1])))
                    front, cost, now = lower, cost + more, (lower.digest, now[1])
                last = now
            repeats.append(tuple(stationary))
        if not first and list(live) != list(self.live):
            raise CertificateError("crossings: the states at the end of a lap differ from those at its beginning")
        excesses = states.differences(before.states, front.states, cost, belt.ends)
        return Lap(states.without_ends(front, belt.penalty), min(excesses), tuple(repeats))


def _nothing() -> Front:
    return states.reduce_states([np.zeros(1, dtype=np.uint64)])[0]


def _lowered(front: Front, names: list[frozenset[Cell]], usual: StationaryBelt | None) -> tuple[Front, int]:
    """The usual V plus a constant, at most V; and the constant. V itself and 0 if their states differ."""
    if usual is None or names != list(usual.names):
        return front, 0
    bits, low = np.uint64(states.COST_BITS), np.uint64((1 << states.COST_BITS) - 1)
    words, known = front.states, usual.front.states
    if not np.array_equal(words >> bits, known >> bits):
        return front, 0
    return usual.front, int(((words & low).astype(np.int64) - (known & low).astype(np.int64)).min())


def start_values(
    board: BeltSweep, memory: states.Memory, usual: StationaryBelt | None = None
) -> tuple[Front, list[frozenset[Cell]]]:
    """V after some laps of a board, and the moves that its states are sets of."""
    front = board.lap(_nothing(), memory, first=True, usual=usual).front
    for _ in range(START_LAPS - 1):
        front = board.lap(front, memory, usual=usual).front
    return front, board.names(board.live)


def require_known(board: BeltSweep, front: Front, memory: states.Memory) -> None:
    """Refuse a V that does not cover all states of tours.

    Checks Lemma 4 (V is finite).
    """
    belt = board.belt
    needed = board.tail(memory, belt.least - belt.rows).states >> np.uint64(states.COST_BITS)
    if not np.isin(needed, front.states >> np.uint64(states.COST_BITS), assume_unique=True).all():
        raise CertificateError("crossings: V is not known for all states")
