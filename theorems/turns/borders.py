"""Borders: how much the outer rows of a rectangle raise the bound on turns, by a sweep that gives each cell both moves.

Lemma 5 (excess of a border) says why every tour pays it, and Lemma 7 (borders of all sizes) why one board is enough.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from kt_models.cells import Cell
from kt_models.errors import CertificateError
from kt_models.json_values import integer
from kt_models.limits import Limits
from theorems.turns.sweeps import MOVES, START, CellSweep, PairExcesses, SweepStates

# The open moves of a border, and with them its states, grow with its depth.
MAX_BORDER_ROWS = 8


def transposed(options: dict[Cell, PairExcesses]) -> dict[Cell, PairExcesses]:
    """Exchange columns and rows in the excesses of pairs."""
    return {(y, x): [(more, a[::-1], b[::-1]) for more, a, b in pairs] for (x, y), pairs in options.items()}


def corner_order(rows: int) -> list[Cell]:
    """Cells of a corner, ordered by angle.

    A ray through the corner separates cells taken from cells not taken, so few moves are open at any time.
    """
    cells = ((right, up) for right in range(rows) for up in range(rows))
    # Slope of the line from the inner corner through the middle of the cell; fractions, because floats could tie
    # wrongly
    return sorted(cells, key=lambda cell: (Fraction(2 * cell[0] + 1, 2 * (rows - cell[1]) - 1), cell[0]))


@dataclass(frozen=True)
class Border:
    """A border `rows` deep along one, two or three sides; no choice of moves has less than `excess`.

    The first side is the one whose remainder in the claim has the number `along`. Excesses are multiplied by the
    denominator. Of three sides, the last two together have an excess of at least `rest`.
    """

    rows: int
    sides: int
    along: int
    excess: int
    rest: int = 0

    @property
    def gain(self) -> int:
        """Excess that all borders of this kind add to the sum of least values."""
        return self.excess * (2 if self.sides == 1 else 1)

    def order(self, width: int, height: int) -> list[Cell]:
        """Cells of the border on a board, in the order in which the sweep takes them."""
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
    """Read the border of a file.

    Raises
    ------
    CertificateError
        If the data are malformed.
    """
    # 2**40 keeps sums of excesses far inside 64 bits
    ranges = {"rows": (1, MAX_BORDER_ROWS), "sides": (1, 3), "along": (0, 1), "excess": (1, 2**40)}
    if type(data) is dict and data.get("sides") == 3 and "rest" in data:
        ranges["rest"] = (1, 2**40)
    if type(data) is not dict or set(data) != set(ranges):
        raise CertificateError("turns: a border is an object with the keys rows, sides, along and excess")
    return Border(**{key: integer(data[key], f"turns: {key} of a border", *least) for key, least in ranges.items()})


def sides_to_sweep(remainder: int, modulus: int, full: int, step: int, least: int) -> list[int]:
    """Side lengths that stand for all that leave a remainder and are at least `least`.

    `full` is 2 R and `step` is b.
    """
    short = [side for side in range(max(full, least), full + step) if side % modulus == remainder]
    # The last side is long enough to have a middle, and stands for all longer ones
    return [*short, full + step + modulus + (remainder - full - step) % modulus]


@dataclass(frozen=True, eq=False)
class BorderSweep:
    """A border, swept on the few boards that stand for all boards of a claim: Lemma 7 (borders of all sizes).

    Parameters
    ----------
    border
        The border; its first side is the width of the board, whatever the claim calls it.
    options
        Excesses of pairs at the cells of the board.
    size
        Size of the board. A side of 2 R + b or more stands for all sides at least as long and equal modulo `modulus`.
    moves
        Moves of the piece.
    """

    border: Border
    options: dict[Cell, PairExcesses]
    size: tuple[int, int]
    moves: Sequence[Cell]
    reach: int
    modulus: int
    limits: Limits

    def check(self) -> None:
        """Check that no choice of moves has less excess than the border claims.

        Checks Lemma 6 (least excess of a border).

        Raises
        ------
        CertificateError
            If some choice has less, or there are too many states.
        """
        border = self.border
        if border.rest:
            # The last two sides alone have the excess `rest`; only then may the first side stop at excess - rest
            replace(self.transposed(), border=replace(border, sides=2, excess=border.rest, rest=0)).check()
        excess = self.less()
        if excess is not None:
            raise CertificateError(f"turns: a border may have an excess of {excess}, not {border.excess}")

    def transposed(self) -> BorderSweep:
        """The same sweep with columns and rows exchanged."""
        return replace(self, options=transposed(self.options), size=self.size[::-1])

    def less(self) -> int | None:
        """Least excess if it is below that of the border, given `rest`; otherwise `None`."""
        border = self.border
        # A cell of the border must not see a number that depends on the far side
        if border.rows + max(map(max, self.moves)) > self.reach or len(self.moves) > MOVES:
            raise CertificateError("turns: a border is too deep for its tables, or the piece has too many moves")
        states = START
        for number in range(border.sides):
            states = self._side(states, number)
        return states.least

    @cached_property
    def sweep(self) -> CellSweep:
        """Sweep of the cells of the border."""
        return CellSweep(self.border.order(*self.size), self.options, self.border.excess, self.moves, self.limits)

    def _side(self, states: SweepStates, number: int) -> SweepStates:
        """States at the end of a side of any length, from those at its beginning."""
        # The corner at the beginning of a side belongs to the side before
        first = self.border.rows if number else 0  # Columns (rows) that were taken before
        length = self.size[number % 2]
        last = length - self.reach - max(map(max, self.moves))
        # Too short for a middle: all columns are swept one by one
        if last < self.reach:
            return self.advance(states, number, first, length)
        # The columns from R to `last` repeat with the modulus, so any number of them is covered
        known = self.middle(self.advance(states, number, first, self.reach), number)
        return self.advance(known[(last - self.reach) % self.modulus], number, last, length)

    def middle(self, states: SweepStates, side: int) -> list[SweepStates]:
        """States after any number of middle columns (rows) of a side, by that number modulo `modulus`."""
        # The first side must leave `rest` for the other two
        below = self.border.excess - (0 if side else self.border.rest)
        return self.sweep.repeated(states, self.place(side, self.reach), self.border.rows, self.modulus, below)

    def place(self, side: int, column: int) -> int:
        """Number of cells taken before a column (row) of a side."""
        before = sum(self.size[number % 2] - self.border.rows for number in range(side))
        return self.border.rows * (before + column)

    def advance(self, states: SweepStates, side: int, low: int, high: int) -> SweepStates:
        """States after the columns (rows) from `low` to `high`."""
        spared = self.place(0, self.size[0] - self.border.rows)
        first, last = self.place(side, low), self.place(side, high)
        # The first side ends at the corner; from there on, nothing has to be spared for `rest`
        split = min(max(first, spared), last)
        states = self.sweep.advance(states, first, split, self.border.excess - self.border.rest)
        return self.sweep.advance(states, split, last, self.border.excess)
