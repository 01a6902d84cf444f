"""A quarter of the circuit round a square whose interior follows a plane: the moves that its cells may choose.

Lemma 21 (corner cells and turning cells) says which cells are free, which may turn, and why.
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

CORNER_CELLS = ((0, 0), (1, 0), (0, 1), (2, 0), (0, 2), (3, 0), (0, 3), (1, 1))
TURNING_CELLS = ((2, 2), (3, 2), (2, 3))
"""Cells of S counted from a corner: those that need not follow the plane, and those that may be the turn."""
TURNING_ROWS = 2
"""Outer rows of S that may have a turn."""


@dataclass(frozen=True, eq=False)
class CircuitQuarter:
    """A quarter of the circuit, from the middle of the bottom to the middle of the right side.

    Parameters
    ----------
    options
        Excesses of pairs at the cells of a square of `side` cells a side.
    rows
        D, the number of outer rows that do not belong to the interior S.
    turns
        T, the largest number of turns in S.
    middle_start
        First column of the middle of a side: cells from there on see nothing of the corner.
    first, last
        The first column that is taken, and the row behind the last one.
    below
        Limit of the excess: a pair of moves with that much or more is not chosen.
    open_interior
        Whether the moves to S are unknown, and all cells of S are left out.
    back
        Whether the cells are taken in the reverse order.
    """

    plane: Plane
    options: Mapping[Cell, PairExcesses]
    side: int
    rows: int
    turns: int
    middle_start: int
    first: int
    last: int
    below: int
    limits: Limits
    open_interior: bool = False
    back: bool = False

    @cached_property
    def sweep(self) -> CellSweep:
        """Sweep of the cells of the quarter."""
        # Columns of the bottom, then the corner by angle, then rows of the right side: few moves are open at any cut
        start, deep = self.side - self.block, self.depth
        cells = [(x, y) for x in range(self.first, start) for y in range(deep)] + self._corner
        cells += [(x, y) for y in range(self.block, self.last) for x in range(self.side - deep, self.side)]
        options = {cell: self._free_pairs(cell) if self._is_free(cell) else self._plane_pairs(cell) for cell in cells}
        plane_cells = frozenset(cell for cell in cells if not self._is_free(cell))
        # Backwards, for the half of a quarter that is swept from its end
        order = cells[::-1] if self.back else cells
        return CellSweep(order, options, self.below, KNIGHT_MOVES, self.limits, plane_cells)

    @property
    def depth(self) -> int:
        """Number of rows taken along a side."""
        return self.rows + TURNING_ROWS * self.turns

    @cached_property
    def block(self) -> int:
        """Side of the square at the corner whose cells are taken in another order."""
        return block_of(self.rows, self.turns)

    @cached_property
    def _corner(self) -> list[Cell]:
        """Cells of this square, in the order in which they are taken."""
        start = self.side - self.block
        cells = [(start + right, up) for right, up in corner_order(self.block)]
        return [cell for cell in cells if self._is_free(cell) or self._may_turn(cell)]

    def _counted_from_corner(self, cells: tuple[Cell, ...]) -> set[Cell]:
        """Cells at given distances from the corner of S."""
        last = self.side - self.rows - 1
        return {(last - u, self.rows + v) for u, v in cells}

    @cached_property
    def _corner_cells(self) -> set[Cell]:
        return self._counted_from_corner(() if self.open_interior else CORNER_CELLS if self.turns else CORNER_CELLS[:1])

    def _is_free(self, cell: Cell) -> bool:
        """Whether a cell is outside S, or a corner cell."""
        # S without its corner cells
        inside = range(self.rows, self.side - self.rows)
        return cell[0] not in inside or cell[1] not in inside or cell in self._corner_cells

    def _may_turn(self, cell: Cell) -> bool:
        """Whether another cell may be the turn."""
        outer = cell[1] < self.depth or cell[0] >= self.side - self.depth
        return self.turns > 0 and (outer or cell in self._counted_from_corner(TURNING_CELLS))

    def _free_pairs(self, cell: Cell) -> PairExcesses:
        """Pairs of a free cell whose moves to cells of S that may not turn are exactly those of the plane."""
        if self.open_interior:
            return [pair for pair in self.options[cell] if pair[0] < self.below]
        inner, wanted = set(), set()
        for dx, dy in KNIGHT_MOVES:
            neighbour = cell[0] + dx, cell[1] + dy
            if not self._is_free(neighbour) and not self._may_turn(neighbour):
                inner.add((dx, dy))
                if self.plane.direction(*neighbour) == direction_of(dx, dy):
                    wanted.add((dx, dy))
        # Cells of S that cannot turn follow the plane, so their moves into the border are known
        return [pair for pair in self.options[cell] if pair[0] < self.below and {*pair[1:]} & inner == wanted]

    def _plane_pairs(self, cell: Cell) -> PairExcesses:
        """Pairs of another cell: both moves of the plane, or one of them where a turn may be."""
        dx, dy = self.plane.direction(*cell)
        along = {(dx, dy), (-dx, -dy)}
        pairs = []
        for pair in self.options[cell]:
            kept, off_plane = along.intersection(pair[1:]), set(pair[1:]) - along
            leads = [*((-dx, -dy) for dx, dy in kept), *off_plane]
            # A turn keeps one move of the plane; all cells that its new moves concern must be free to answer
            turning = len(kept) == 1 and all(self._is_free((cell[0] + dx, cell[1] + dy)) for dx, dy in leads)
            if pair[0] < self.below and (len(kept) == 2 or turning):
                pairs.append(pair)
        return pairs

    def column(self, x: int) -> int:
        """Number of cells taken at the cut before a column of the bottom."""
        return self._taken(self.depth * (x - self.first))

    def row(self, y: int) -> int:
        """Number of cells taken at the cut before a row of the right side."""
        return self._taken(self._corner_begins + len(self._corner) + self.depth * (y - self.block))

    @property
    def middle(self) -> int:
        """Number of cells taken at the middle of the square at the corner."""
        return self._taken(self._corner_begins + len(self._corner) // 2)

    @property
    def _corner_begins(self) -> int:
        return self.depth * (self.side - self.block - self.first)

    def _taken(self, before: int) -> int:
        """Number of cells taken on this side of a cut that has `before` cells on the side of the first column."""
        return len(self.sweep.cells) - before if self.back else before

    def open_moves(self, number: int) -> list[tuple[Cell, Cell]]:
        """Moves that the bits of states stand for: the cell farther on, and its move to the cell before."""
        moves = [divmod(move, MOVES) for move in self.sweep.open_moves(number)]
        forward = [(self.sweep.cells[number + later], KNIGHT_MOVES[move]) for later, move in moves]
        return [((x + dx, y + dy), (-dx, -dy)) for (x, y), (dx, dy) in forward] if self.back else forward

    def names(self, place: int, states: SweepStates) -> list[OpenMoves]:
        """Open moves between free cells, for each state before a column."""
        bits = []
        for k, ((x, y), (dx, dy)) in enumerate(self.open_moves(self.column(place))):
            if y < self.rows and y + dy < self.rows:
                bits.append(((x - place, y, (dx, dy)), states.bits(k, 1)))
        return [frozenset(name for name, bit in bits if bit[i]) for i in range(len(states))]

    def states(self, place: int, names: Sequence[OpenMoves]) -> SweepStates:
        """The state before a column for each set of open moves between free cells; each state is an origin.

        All lines near the column are those of the plane.
        """
        words = np.zeros((self.sweep.words, len(names)), dtype=np.uint64)
        for k, ((x, y), (dx, dy)) in enumerate(self.open_moves(self.column(place))):
            if y < self.rows and y + dy < self.rows:
                bits = [(x - place, y, (dx, dy)) in name for name in names]
            else:
                # The end of the move that lies in S decides whether the plane has it
                inside = (x, y) if y >= self.rows else (x + dx, y + dy)
                bits = [self.plane.direction(*inside) == direction_of(dx, dy)] * len(names)
            words[k // WORD] |= np.array(bits, dtype=np.uint64) << np.uint64(k % WORD)
        return SweepStates(tuple(words), np.where(np.eye(len(names), dtype=np.bool_), 0, NEVER))

    def moved(self, states: SweepStates, following: CircuitQuarter) -> SweepStates:
        """States before row `middle_start` + 2, as states of the next quarter before the column of this number."""
        return _renamed(states, self._last_moves, following._first_moves, following.sweep.words)

    def moved_back(self, states: SweepStates, before: CircuitQuarter) -> SweepStates:
        """The reverse, from the quarter before."""
        return _renamed(states, self._first_moves, before._last_moves, before.sweep.words)

    @property
    def _first_moves(self) -> list[tuple[Cell, Cell]]:
        """Open moves before column `middle_start` + 2."""
        return self.open_moves(self.column(self.middle_start + 2))

    @property
    def _last_moves(self) -> list[tuple[Cell, Cell]]:
        """Open moves before row `middle_start` + 2, as seen from the next quarter."""
        moves = self.open_moves(self.row(self.middle_start + 2))
        return [((y, self.side - 1 - x), (dy, -dx)) for (x, y), (dx, dy) in moves]


def _renamed(states: SweepStates, old: Sequence[object], new: Sequence[object], words: int) -> SweepStates:
    """Rename the bits of states, and drop states with a bit that has no new name."""
    # A state that needs a move which the new quarter never has cannot be continued
    for k, name in enumerate(old):  # No pair of the other quarter has these moves
        if name not in new:
            states = states.where(states.bits(k, 1) == 0)
    new_words = [np.zeros(len(states), dtype=np.uint64) for _ in range(words)]
    for k, name in enumerate(new):
        if name in old:
            new_words[k // WORD] |= states.bits(old.index(name), 1) << np.uint64(k % WORD)
    return replace(states, words=tuple(new_words))


def block_of(rows: int, turns: int) -> int:
    """Side of the square at a corner that contains the border, the corner cells and the turning cells."""
    return rows + 1 + (max(map(max, CORNER_CELLS)) if turns else 0)
