"""A quarter of the way round a square: what its cells may choose where all lines inside are those of a plane.

Lemma 21 (strays and turners) says which cells are free, which may turn, and why.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from kt_models.cells import Cell
from kt_models.limits import Limits
from theorems.turns.borders import corner_order
from theorems.turns.planes import KNIGHT_MOVES, Plane, direction_of
from theorems.turns.side_walks import OpenMoves
from theorems.turns.sweeps import MOVES, NEVER, WORD, CellSweep, PairExcesses, SweepStates

STRAYS = ((0, 0), (1, 0), (0, 1), (2, 0), (0, 2), (3, 0), (0, 3), (1, 1))
TURNERS = ((2, 2), (3, 2), (2, 3))
"""Cells counted from a corner of S."""
TURNING_ROWS = 2
"""Outer rows of S that may have a turn."""


@dataclass(frozen=True, eq=False)
class Quarter:
    """A quarter of the way round a square, from the middle of the bottom to the middle of the right side.

    Parameters
    ----------
    options
        Of the cells of a square of `side` cells a side.
    rows
        D.
    turns
        T.
    edge
        The middle of a side begins with the column of this number: cells from there on see nothing of the corner.
    first, last
        The first column that is taken, and the row behind the last one.
    most
        Only pairs with less excess are chosen.
    wild
        Whether nothing is known of the moves to S, and all of its cells are left out.
    back
        Whether its cells are taken the other way, from the last one to the first.
    """

    plane: Plane
    options: Mapping[Cell, PairExcesses]
    side: int
    rows: int
    turns: int
    edge: int
    first: int
    last: int
    most: int
    limits: Limits
    wild: bool = False
    back: bool = False

    @cached_property
    def sweep(self) -> CellSweep:
        """The sweep of its cells."""
        start, deep = self.side - self.block, self.deep
        cells = [(x, y) for x in range(self.first, start) for y in range(deep)] + self._corner
        cells += [(x, y) for y in range(self.block, self.last) for x in range(self.side - deep, self.side)]
        options = {cell: self._free(cell) if self._is_free(cell) else self._straight(cell) for cell in cells}
        settled = frozenset(cell for cell in cells if not self._is_free(cell))
        order = cells[::-1] if self.back else cells
        return CellSweep(order, options, self.most, KNIGHT_MOVES, self.limits, settled)

    @property
    def deep(self) -> int:
        """How many rows are taken along a side."""
        return self.rows + TURNING_ROWS * self.turns

    @cached_property
    def block(self) -> int:
        """The cells along a side of the square at the corner in which they are taken in another order."""
        return block_of(self.rows, self.turns)

    @cached_property
    def _corner(self) -> list[Cell]:
        """The cells of this square, as they are taken."""
        start = self.side - self.block
        cells = [(start + right, up) for right, up in corner_order(self.block)]
        return [cell for cell in cells if self._is_free(cell) or self._may_turn(cell)]

    def _near(self, cells: tuple[Cell, ...]) -> set[Cell]:
        """Cells that are counted from the corner of S."""
        last = self.side - self.rows - 1
        return {(last - u, self.rows + v) for u, v in cells}

    @cached_property
    def _strays(self) -> set[Cell]:
        return self._near(() if self.wild else STRAYS if self.turns else STRAYS[:1])

    def _is_free(self, cell: Cell) -> bool:
        """Whether a cell is outside of S, or a stray."""
        inside = range(self.rows, self.side - self.rows)
        return cell[0] not in inside or cell[1] not in inside or cell in self._strays

    def _may_turn(self, cell: Cell) -> bool:
        """Whether another cell may be the turn."""
        outer = cell[1] < self.deep or cell[0] >= self.side - self.deep
        return self.turns > 0 and (outer or cell in self._near(TURNERS))

    def _free(self, cell: Cell) -> PairExcesses:
        """The pairs of a free cell that have the moves of the plane to cells of S which may not turn, and no others."""
        if self.wild:
            return [pair for pair in self.options[cell] if pair[0] < self.most]
        inner, wanted = set(), set()
        for dx, dy in KNIGHT_MOVES:
            other = cell[0] + dx, cell[1] + dy
            if not self._is_free(other) and not self._may_turn(other):
                inner.add((dx, dy))
                if self.plane.direction(*other) == direction_of(dx, dy):
                    wanted.add((dx, dy))
        return [pair for pair in self.options[cell] if pair[0] < self.most and {*pair[1:]} & inner == wanted]

    def _straight(self, cell: Cell) -> PairExcesses:
        """The pairs of another cell: both moves of the plane, or one of them, where a turn may be."""
        dx, dy = self.plane.direction(*cell)
        along = {(dx, dy), (-dx, -dy)}
        found = []
        for pair in self.options[cell]:
            kept, other = along.intersection(pair[1:]), set(pair[1:]) - along
            leads = [*((-dx, -dy) for dx, dy in kept), *other]
            turning = len(kept) == 1 and all(self._is_free((cell[0] + dx, cell[1] + dy)) for dx, dy in leads)
            if pair[0] < self.most and (len(kept) == 2 or turning):
                found.append(pair)
        return found

    def column(self, x: int) -> int:
        """How many cells are taken where all those before a column of the bottom are, and no others, or the reverse."""
        return self._taken(self.deep * (x - self.first))

    def row(self, y: int) -> int:
        """The same for a row of the right side."""
        return self._taken(self._corner_begins + len(self._corner) + self.deep * (y - self.block))

    @property
    def middle(self) -> int:
        """The same for the middle of the square at the corner."""
        return self._taken(self._corner_begins + len(self._corner) // 2)

    @property
    def _corner_begins(self) -> int:
        return self.deep * (self.side - self.block - self.first)

    def _taken(self, before: int) -> int:
        """How many cells are taken where so many, from the first column on, are, and no others, or the reverse."""
        return len(self.sweep.cells) - before if self.back else before

    def open_moves(self, number: int) -> list[tuple[Cell, Cell]]:
        """The moves that bits of states are for: the cell farther on, and its move to the one before."""
        moves = [divmod(move, MOVES) for move in self.sweep.open_moves(number)]
        found = [(self.sweep.cells[number + later], KNIGHT_MOVES[move]) for later, move in moves]
        return [((x + dx, y + dy), (-dx, -dy)) for (x, y), (dx, dy) in found] if self.back else found

    def names(self, place: int, states: SweepStates) -> list[OpenMoves]:
        """For each of some states before a column: the moves between free cells that are open."""
        bits = []
        for k, ((x, y), (dx, dy)) in enumerate(self.open_moves(self.column(place))):
            if y < self.rows and y + dy < self.rows:
                bits.append(((x - place, y, (dx, dy)), states.bits(k, 1)))
        return [frozenset(name for name, bit in bits if bit[i]) for i in range(len(states))]

    def states(self, place: int, names: Sequence[OpenMoves]) -> SweepStates:
        """For each name, the state before a column with these moves between free cells, each an origin.

        All lines near the column are those of the plane.
        """
        words = np.zeros((self.sweep.words, len(names)), dtype=np.uint64)
        for k, ((x, y), (dx, dy)) in enumerate(self.open_moves(self.column(place))):
            if y < self.rows and y + dy < self.rows:
                bits = [(x - place, y, (dx, dy)) in name for name in names]
            else:
                inside = (x, y) if y >= self.rows else (x + dx, y + dy)
                bits = [self.plane.direction(*inside) == direction_of(dx, dy)] * len(names)
            words[k // WORD] |= np.array(bits, dtype=np.uint64) << np.uint64(k % WORD)
        return SweepStates(tuple(words), np.where(np.eye(len(names), dtype=np.bool_), 0, NEVER))

    def moved(self, states: SweepStates, following: Quarter) -> SweepStates:
        """States before the row number `edge` + 2, as those of the next quarter before the column of this number."""
        return _renamed(states, self._turned, following._begin, following.sweep.words)

    def moved_back(self, states: SweepStates, before: Quarter) -> SweepStates:
        """The reverse, from the quarter before."""
        return _renamed(states, self._begin, before._turned, before.sweep.words)

    @property
    def _begin(self) -> list[tuple[Cell, Cell]]:
        """The open moves before the column number `edge` + 2."""
        return self.open_moves(self.column(self.edge + 2))

    @property
    def _turned(self) -> list[tuple[Cell, Cell]]:
        """Those before the row of this number, as seen from the next quarter."""
        moves = self.open_moves(self.row(self.edge + 2))
        return [((y, self.side - 1 - x), (dy, -dx)) for (x, y), (dx, dy) in moves]


def _renamed(states: SweepStates, old: Sequence[object], new: Sequence[object], words: int) -> SweepStates:
    """States whose bits have names, with those bits that have one of the new names."""
    for k, name in enumerate(old):  # moves that the other quarter has in no pair
        if name not in new:
            states = states.where(states.bits(k, 1) == 0)
    found = [np.zeros(len(states), dtype=np.uint64) for _ in range(words)]
    for k, name in enumerate(new):
        if name in old:
            found[k // WORD] |= states.bits(old.index(name), 1) << np.uint64(k % WORD)
    return replace(states, words=tuple(found))


def block_of(rows: int, turns: int) -> int:
    """The side of the square at a corner that has the border, the strays and the turners."""
    return rows + 1 + (max(map(max, STRAYS)) if turns else 0)
