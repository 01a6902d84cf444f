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
border of two sides is that strip and the last D columns: it counts once.

The sweep
---------
The cells are taken in an order: column by column, then, for a border of two sides, row by row.  A *state* says which
moves lead from cells that were taken to cells of the border that were not.  For each state the least excess so far is
kept if it is below what is to be shown.  If no state is left at the end, no choice has less.

All sizes
---------
Let R be the reach of the tables, M the modulus of the claim, a multiple of their period, and let both sides be 2 R or
more.  As is said in `turns`, what a cell sees depends on its distance from the left side if that is less than R,
likewise from the right side, and else on its column modulo M; the same of rows.  So all is known from one board whose
sides are 2 R + M or a little more (`size`).  A state names cells by how much later they are taken.  So the columns
from R on, M of them in turn, lead from state to state, whatever the width: all states that can be reached, after so
many columns modulo M, are found by going on until none is new, and none is reached with less excess than before.
Those for the remainder of w - R are the states, for all widths w at once, before the last R columns; after these none
may be left.  For a border of two sides what is left there, for all widths at once, is taken on in the same way along
the second side, whose first rows are those of the corner.  (D is so much less than R that only the last R columns have
moves to further rows of the second side.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from kt_models.cells import Cell
from kt_models.errors import CertificateError
from kt_models.limits import Limits
from kt_models.reading import integer

MAX_BORDER_ROWS = 8
MAX_STATES = 400_000
MOVES = 8
"""Most moves of a cell."""

PairExcesses = list[tuple[int, tuple[int, int], tuple[int, int]]]
"""Of a cell: the excess of two moves, and the moves."""
BorderStates = dict[int, int]
"""The least excess by state: bit 8 i + m for the move number m of the cell that is taken i cells later."""


@dataclass(frozen=True)
class Border:
    """`rows` deep, along one side or two, the first of which has the remainder number `along` of those claimed.

    No choice of moves has less than `excess`, times the denominator.
    """

    rows: int
    sides: int
    along: int
    excess: int

    @property
    def gain(self) -> int:
        """What the borders of this kind add to the sum of least values."""
        return self.excess * (2 if self.sides == 1 else 1)

    def order(self, width: int, height: int) -> list[Cell]:
        """Its cells on a board, as they are taken."""
        cells = [(x, y) for x in range(width) for y in range(self.rows)]
        if self.sides == 2:
            cells += [(x, y) for y in range(self.rows, height) for x in range(width - self.rows, width)]
        return cells


def read_border(data: Any) -> Border:
    """The border of a file.

    Raises
    ------
    CertificateError
        If it is none.
    """
    ranges = {"rows": (1, MAX_BORDER_ROWS), "sides": (1, 2), "along": (0, 1), "excess": (1, 2**40)}
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
        if self.border.rows + max(map(max, self.moves)) > self.reach or len(self.moves) > MOVES:
            raise CertificateError("turns: a border is too deep for its tables, or the piece has too many moves")
        states = self._side({0: 0}, 0)
        if self.border.sides == 2:
            states = self._side(states, 1)
        if states:
            raise CertificateError(
                f"turns: a border may have an excess of {min(states.values())}, not {self.border.excess}"
            )

    def _side(self, states: BorderStates, axis: int) -> BorderStates:
        """The states at the end of a side, of any length, from those at its beginning."""
        first = self.border.rows * axis  # columns (rows) that were taken before
        known = self.middle(self.advance(states, axis, first, self.reach), axis)
        last = self.size[axis] - self.reach
        return self.advance(known[(last - self.reach) % self.modulus], axis, last, last + self.reach)

    def middle(self, states: BorderStates, axis: int) -> list[BorderStates]:
        """The states after any number of columns (rows) of the middle of a side, by that number modulo the modulus."""
        known: list[BorderStates] = [{} for _ in range(self.modulus)]
        at = 0
        while states:
            here = known[at % self.modulus]
            states = {state: total for state, total in states.items() if total < here.get(state, total + 1)}
            here.update(states)
            if sum(map(len, known)) > MAX_STATES:
                raise CertificateError(f"turns: a border has more than {MAX_STATES:,} states")
            column = self.reach + at % self.modulus
            states = self.advance(states, axis, column, column + 1)
            at += 1
        return known

    def advance(self, states: BorderStates, axis: int, low: int, high: int) -> BorderStates:
        """The states after some more columns (rows)."""
        rows = self.border.rows
        start = 0 if axis == 0 else rows * (self.size[0] - rows)
        for number in range(start + rows * low, start + rows * high):
            self.limits.check()
            choices = self._choices[number]
            following: BorderStates = {}
            for state, total in states.items():
                for after, excess in choices.get(state & 2**MOVES - 1, ()):
                    key, now = state >> MOVES | after, total + excess
                    if now < following.get(key, self.border.excess):
                        following[key] = now
            states = following
            if len(states) > MAX_STATES:
                raise CertificateError(f"turns: a border has more than {MAX_STATES:,} states")
        return states

    @cached_property
    def _choices(self) -> list[dict[int, set[tuple[int, int]]]]:
        """For each cell, by its moves to cells taken before it: the bits of its moves to later ones, and the excess."""
        order = self.border.order(*self.size)
        place = {cell: number for number, cell in enumerate(order)}
        found = []
        for number, (x, y) in enumerate(order):
            choices: dict[int, set[tuple[int, int]]] = {}
            for excess, *pair in self.options[x, y]:
                before = after = 0
                for dx, dy in pair:
                    other = place.get((x + dx, y + dy))
                    if other is not None and other < number:
                        before |= 1 << self.moves.index((dx, dy))
                    elif other is not None:
                        after |= 1 << MOVES * (other - number - 1) + self.moves.index((-dx, -dy))
                if excess < self.border.excess:
                    choices.setdefault(before, set()).add((after, excess))
            found.append(choices)
        return found
