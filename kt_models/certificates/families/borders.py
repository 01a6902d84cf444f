"""What the sides of a rectangle add to the bound of `turns`: strips of cells, swept with whole moves.

`turns` gives each move a number at either end, and adds up, over the cells, the least that any two moves of a cell
make of their numbers and of a turn.  Let the *excess* of a cell of a tour be what its two moves make, less that least
value. It is never negative, and a tour has as many turns as the sum of all least values and all excesses.

In the sum of least values a cell may want a move that its neighbour does not.  In a tour none does.  So take some
cells, the *border*, and give each of them two moves so that a move from one cell of the border to another is there at
both or at neither; moves out of the border are free.  What such choices have as least excess, over the border, any
tour has.

The borders
-----------
A border of one side is the strip of the first D rows, all columns.  The last D rows are another one, its mirror image,
as the numbers are symmetric.  They have no cell in common if there are 2 D rows or more, so both excesses count.  A
border of two sides is that strip and the last D columns, and one of three sides has the last D rows too: these count
once.

The sweep
---------
The cells are taken in an order: column by column, round the corner, then row by row, and so on.  A *state* says which
moves lead from cells that were taken to cells of the border that were not.  For each state the least excess so far is
kept if it is below what is to be shown.  If no state is left at the end, no choice has less.

The last two of three sides are a border of two sides, turned and mirrored, as the numbers are symmetric.  If these have
an excess of at least `rest`, then before the first of their cells is taken only states are needed whose excess so far
is less by so much.

All sizes
---------
Let R be the reach of the tables, M the modulus of the claim, a multiple of their period, and let both sides be 2 R or
more.  As is said in `turns`, what a cell sees depends on its distance from the left side if that is less than R,
likewise from the right side, and else on its column modulo M; the same of rows.  So all is known from one board whose
sides are 2 R + M or a little more (`size`).  A state names cells by how much later they are taken, and has a bit for
every move of the piece to them.  So the columns from R on, M of them in turn, lead from state to state, whatever the
width: all states that can be reached, after so many columns modulo M, are found by going on until none is new, and none
is reached with less excess than before.  The states for the remainder of w - 2 R are those, for all widths w at once,
before the last R columns; after these none may be left.  For more sides what is left there, for all widths at once, is
taken on in the same way along the next side, whose first rows are those of the corner.  (D is so much less than R that
only the last R columns have moves to cells of the next side.)
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kt_models.cells import Cell
from kt_models.errors import CertificateError
from kt_models.limits import Limits
from kt_models.reading import integer

MAX_BORDER_ROWS = 8
MAX_STATES = 8_000_000
MAX_FOLLOWING = 4 * MAX_STATES
"""Most states at a cell, and before those that are the same are put together."""
MAX_BITS = 63
"""Of a state and its excess."""
MOVES = 8
"""Most moves of a cell."""
START = np.zeros(1, dtype=np.uint64)
"""Before the first cell nothing is chosen."""

PairExcesses = list[tuple[int, tuple[int, int], tuple[int, int]]]
"""Of a cell: the excess of two moves, and the moves."""


BorderStates = npt.NDArray[np.uint64]
"""States before a cell, each once and in order, and in the lowest bits of each the least excess that it has.

Bit k of a state is for the k-th of the moves that may lead there (`BorderSweep.open_moves`).
"""


def transposed(options: dict[Cell, PairExcesses]) -> dict[Cell, PairExcesses]:
    """The excesses of pairs on the board with columns and rows exchanged."""
    return {(y, x): [(more, a[::-1], b[::-1]) for more, a, b in own] for (x, y), own in options.items()}


class BorderStep(NamedTuple):
    """What may follow at a cell: its two moves as bits, those to cells taken before and those to later ones.

    The lowest `before` bits of the state are for moves to this cell.  They fall out, and then bits are put in at the
    places `later`, from the lowest on.
    """

    before: int
    later: tuple[int, ...]
    pairs: tuple[tuple[int, int, int], ...]
    """Bits before, bits after, and the excess."""


@dataclass(frozen=True)
class Border:
    """`rows` deep, along so many sides, the first of which has the remainder number `along` of those claimed.

    No choice of moves has less than `excess`, times the denominator.  Of three sides the last two have no less than
    `rest`.
    """

    rows: int
    sides: int
    along: int
    excess: int
    rest: int = 0

    @property
    def gain(self) -> int:
        """What the borders of this kind add to the sum of least values."""
        return self.excess * (2 if self.sides == 1 else 1)

    def order(self, width: int, height: int) -> list[Cell]:
        """Its cells on a board, as they are taken."""
        rows = self.rows
        last, top = width - rows, height - rows
        if self.sides == 1:
            return [(x, y) for x in range(width) for y in range(rows)]
        # round a corner in the order of their angle, so that few moves lead from cells taken to others
        corner = sorted(
            ((right, up) for right in range(rows) for up in range(rows)),
            key=lambda cell: (Fraction(2 * cell[0] + 1, 2 * (rows - cell[1]) - 1), cell[0]),
        )
        cells = [(x, y) for x in range(last) for y in range(rows)] + [(last + right, up) for right, up in corner]
        if self.sides == 2:
            return cells + [(x, y) for y in range(rows, height) for x in range(last, width)]
        cells += [(x, y) for y in range(rows, top) for x in range(last, width)]
        cells += [(width - 1 - up, top + right) for right, up in corner]
        cells += [(x, y) for x in reversed(range(last)) for y in range(top, height)]
        return cells


def read_border(data: Any) -> Border:
    """The border of a file.

    Raises
    ------
    CertificateError
        If it is none.
    """
    ranges = {"rows": (1, MAX_BORDER_ROWS), "sides": (1, 3), "along": (0, 1), "excess": (1, 2**40)}
    if type(data) is dict and data.get("sides") == 3 and "rest" in data:
        ranges["rest"] = (1, 2**40)
    if type(data) is not dict or set(data) != set(ranges):
        raise CertificateError("turns: a border is an object with the keys rows, sides, along and excess")
    return Border(**{key: integer(data[key], f"turns: {key} of a border", *least) for key, least in ranges.items()})


@dataclass(frozen=True, eq=False)
class BorderSweep:
    """A border on all boards whose sides leave two remainders; `size` is that of a long one, as is said above.

    Parameters
    ----------
    border
        Its first side is the width, whatever the claim calls it.
    options
        Of the cells of the board on which all is seen.
    size
        Of this board: it leaves the two remainders, and has `modulus` more than twice the reach at least.
    moves
        Of the piece.
    """

    border: Border
    options: dict[Cell, PairExcesses]
    size: tuple[int, int]
    moves: Sequence[Cell]
    reach: int
    modulus: int
    limits: Limits

    def check(self) -> None:
        """Check that no choice has less excess, on boards of two sides of twice the reach or more.

        Raises
        ------
        CertificateError
            If there is one, or it takes too many states to see.
        """
        border = self.border
        if border.rest:
            replace(self.transposed(), border=replace(border, sides=2, excess=border.rest, rest=0)).check()
        found = self.less()
        if found is not None:
            raise CertificateError(f"turns: a border may have an excess of {found}, not {border.excess}")

    def transposed(self) -> BorderSweep:
        """The same with columns and rows exchanged: the first side is the height of the board."""
        return replace(self, options=transposed(self.options), size=self.size[::-1])

    def less(self) -> int | None:
        """The least excess if it is less than that of the border, the `rest` taken for granted; else None."""
        border = self.border
        if border.rows + max(map(max, self.moves)) > self.reach or len(self.moves) > MOVES:
            raise CertificateError("turns: a border is too deep for its tables, or the piece has too many moves")
        states = START
        for number in range(border.sides):
            states = self._side(states, number)
        return int((states & self._own_excess).min()) if len(states) else None

    def _side(self, states: BorderStates, number: int) -> BorderStates:
        """The states at the end of a side, of any length, from those at its beginning."""
        first = self.border.rows if number else 0  # columns (rows) that were taken before
        length = self.size[number % 2]
        known = self.middle(self.advance(states, number, first, self.reach), number)
        return self.advance(known[(length - 2 * self.reach) % self.modulus], number, length - self.reach, length)

    def middle(self, states: BorderStates, side: int) -> list[BorderStates]:
        """The states after any number of columns (rows) of the middle of a side, by that number modulo the modulus."""
        known = [np.zeros(0, dtype=np.uint64) for _ in range(self.modulus)]
        at = 0
        while len(states):
            before = known[at % self.modulus]
            known[at % self.modulus] = both = self._least(np.concatenate([before, states]))
            states = np.setdiff1d(both, before, assume_unique=True)
            if sum(map(len, known)) > MAX_STATES:
                raise CertificateError(f"turns: a border has more than {MAX_STATES:,} states")
            column = self.reach + at % self.modulus
            states = self.advance(states, side, column, column + 1)
            at += 1
        return known

    def place(self, side: int, column: int) -> int:
        """How many cells are taken before a column (row) of a side."""
        before = sum(self.size[number % 2] - self.border.rows for number in range(side))
        return self.border.rows * (before + column)

    def advance(self, states: BorderStates, side: int, low: int, high: int) -> BorderStates:
        """The states after some more columns (rows)."""
        spared = self.place(0, self.size[0] - self.border.rows)
        for number in range(self.place(side, low), self.place(side, high)):
            self.limits.check()
            below = self.border.excess - (self.border.rest if number < spared else 0)
            states = self._after(states, self._steps[number], below)
        return states

    def open_moves(self, number: int) -> list[int]:
        """The moves that may lead to a cell or later ones from cells taken before, in the order of a state's bits.

        `MOVES * i + m` is the move number m of the cell that is taken i cells later.
        """
        return [move - MOVES * number for move in self._open[number]]

    @property
    def low(self) -> int:
        """How many of the lowest bits have the excess."""
        return (self.border.excess - 1).bit_length()

    @property
    def _own_excess(self) -> np.uint64:
        return np.uint64((1 << self.low) - 1)

    @property
    def width(self) -> int:
        """The most bits that a state and its excess have."""
        return self.low + max(map(len, self._open))

    @cached_property
    def _numbers(self) -> dict[Cell, int]:
        """When each cell is taken, in this order."""
        return {cell: number for number, cell in enumerate(self.border.order(*self.size))}

    @cached_property
    def _open(self) -> list[list[int]]:
        """The same, with i counted from the first cell."""
        place = self._numbers
        found: list[list[int]] = [[]]
        for (x, y), number in place.items():
            others = [(place.get((x - dx, y - dy), 0), m) for m, (dx, dy) in enumerate(self.moves)]
            later = [MOVES * other + m for other, m in others if other > number]
            found.append(sorted([move for move in found[-1] if move >= MOVES * (number + 1)] + later))
        if max(map(len, found)) + self.low > MAX_BITS:
            raise CertificateError("turns: a border has too many moves between its cells")
        return found

    @cached_property
    def _steps(self) -> list[BorderStep]:
        place = self._numbers
        found = []
        for (x, y), number in place.items():
            own, following = self._open[number], self._open[number + 1]
            here = {move: 1 << k for k, move in enumerate(own)}
            there = {move: 1 << k for k, move in enumerate(following)}
            pairs: dict[tuple[int, int], int] = {}
            for excess, *pair in self.options[x, y]:
                if excess >= self.border.excess:
                    continue
                before = after = 0
                for dx, dy in pair:
                    other = place.get((x + dx, y + dy))
                    if other is not None and other < number:
                        before |= here[MOVES * number + self.moves.index((dx, dy))]
                    elif other is not None:
                        after |= there[MOVES * other + self.moves.index((-dx, -dy))]
                pairs[before, after] = min(excess, pairs.get((before, after), excess))
            old = set(own)
            later = tuple(k for k, move in enumerate(following) if move not in old)
            falling = bisect(own, MOVES * (number + 1) - 1)
            found.append(BorderStep(falling, later, tuple((*key, excess) for key, excess in pairs.items())))
        return found

    def _after(self, states: BorderStates, step: BorderStep, below: int) -> BorderStates:
        """The states after a cell with less excess than a number."""
        excess, bits = states & self._own_excess, states >> np.uint64(self.low)
        own, rest = bits & np.uint64((1 << step.before) - 1), bits >> np.uint64(step.before)
        for place in step.later:
            kept = np.uint64((1 << place) - 1)
            rest = rest & kept | (rest & ~kept) << np.uint64(1)
        rest = rest << np.uint64(self.low) | excess
        parts, count = [np.zeros(0, dtype=np.uint64)], 0
        for before, after, more in step.pairs:
            if more < below:
                chosen = (own == np.uint64(before)) & (excess < np.uint64(below - more))
                parts.append(rest[chosen] + np.uint64(after << self.low | more))
                count += len(parts[-1])
            if count > MAX_FOLLOWING:
                raise CertificateError(f"turns: a border has more than {MAX_STATES:,} states")
        following = self._least(np.concatenate(parts))
        if len(following) > MAX_STATES:
            raise CertificateError(f"turns: a border has more than {MAX_STATES:,} states")
        return following

    def _least(self, states: BorderStates) -> BorderStates:
        """States in order, with the least excess of each."""
        states = np.sort(states)
        bits = states >> np.uint64(self.low)
        first = np.ones(len(states), dtype=np.bool_)
        first[1:] = bits[1:] != bits[:-1]
        return states[first]
