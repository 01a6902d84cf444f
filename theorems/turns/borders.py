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
likewise from the right side, and else on its column modulo M; the same of rows.  A state names cells by how much later
they are taken, and has a bit for every move of the piece to them.  So the columns from R on, M of them in turn, lead
from state to state, whatever the width: all states that can be reached, after so many columns modulo M, are found by
going on until none is new, and none is reached with less excess than before.  A sweep looks b columns ahead, b being
the longer leg of the piece.  So these are also the states on all boards with w >= 2 R + b, by the remainder of
w - 2 R - b, before the last R + b columns; after these none may be left.  For more sides what is left there, for all
widths at once, is taken on in the same way along the next side, whose first rows are those of the corner.  (D is so
much less than R that only the last R columns have moves to cells of the next side.)  So all these boards are known from
one whose sides are 2 R + b + M or a little more (`size`).  Sides from 2 R to 2 R + b - 1 are swept by themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from kt_models.cells import Cell
from kt_models.errors import CertificateError
from kt_models.limits import Limits
from kt_models.reading import integer
from theorems.turns.sweeps import MOVES, START, CellSweep, PairExcesses, SweepStates

MAX_BORDER_ROWS = 8


def transposed(options: dict[Cell, PairExcesses]) -> dict[Cell, PairExcesses]:
    """The excesses of pairs on the board with columns and rows exchanged."""
    return {(y, x): [(more, a[::-1], b[::-1]) for more, a, b in own] for (x, y), own in options.items()}


def corner_order(rows: int) -> list[Cell]:
    """The cells of a corner, in the order of their angle, so that few moves lead from cells taken to others."""
    cells = ((right, up) for right in range(rows) for up in range(rows))
    return sorted(cells, key=lambda cell: (Fraction(2 * cell[0] + 1, 2 * (rows - cell[1]) - 1), cell[0]))


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
        corner = corner_order(rows)
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


def sides_to_sweep(remainder: int, modulus: int, full: int, step: int, least: int) -> list[int]:
    """The sides that stand for all that leave a remainder and are `least` or more; `full` is 2 R, and `step` b."""
    short = [side for side in range(max(full, least), full + step) if side % modulus == remainder]
    return [*short, full + step + modulus + (remainder - full - step) % modulus]


@dataclass(frozen=True, eq=False)
class BorderSweep:
    """A border on the boards for which one of them stands, as is said above.

    Parameters
    ----------
    border
        Its first side is the width, whatever the claim calls it.
    options
        Of the cells of the board on which all is seen.
    size
        Of this board.  A side of 2 R + b or more stands for all that are so long and the same modulo the modulus.
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
        """Check that no choice has less excess.

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
        return states.least

    @cached_property
    def sweep(self) -> CellSweep:
        """The sweep of the cells of the border."""
        return CellSweep(self.border.order(*self.size), self.options, self.border.excess, self.moves, self.limits)

    def _side(self, states: SweepStates, number: int) -> SweepStates:
        """The states at the end of a side, of any length, from those at its beginning."""
        first = self.border.rows if number else 0  # columns (rows) that were taken before
        length = self.size[number % 2]
        last = length - self.reach - max(map(max, self.moves))
        if last < self.reach:
            return self.advance(states, number, first, length)
        known = self.middle(self.advance(states, number, first, self.reach), number)
        return self.advance(known[(last - self.reach) % self.modulus], number, last, length)

    def middle(self, states: SweepStates, side: int) -> list[SweepStates]:
        """The states after any number of columns (rows) of the middle of a side, by that number modulo the modulus."""
        below = self.border.excess - (0 if side else self.border.rest)
        return self.sweep.repeated(states, self.place(side, self.reach), self.border.rows, self.modulus, below)

    def place(self, side: int, column: int) -> int:
        """How many cells are taken before a column (row) of a side."""
        before = sum(self.size[number % 2] - self.border.rows for number in range(side))
        return self.border.rows * (before + column)

    def advance(self, states: SweepStates, side: int, low: int, high: int) -> SweepStates:
        """The states after some more columns (rows)."""
        spared = self.place(0, self.size[0] - self.border.rows)
        first, last = self.place(side, low), self.place(side, high)
        turn = min(max(first, spared), last)
        states = self.sweep.advance(states, first, turn, self.border.excess - self.border.rest)
        return self.sweep.advance(states, turn, last, self.border.excess)
