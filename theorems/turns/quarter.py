"""What a quarter turn adds to the bound of `turns`: rings around the centre, swept with whole moves.

Let a quarter turn about the centre of an n x n board, n even, map two moves at each cell to themselves.  A *ring* of k
rows in a square of m x m cells about the same centre is the cells of the square with fewer than k cells between them
and its nearest side.  Its first m - k columns of the first k rows, and what three quarter turns make of them, part it
into four.  So if one of these parts has t turns or more, the ring has 4 t.

What is to be shown is that it has.  Suppose that the part has fewer than t, and let the moves out of the ring be free.

The sweep
---------
Take the cells of the ring column by column along the bottom, and, from the last k columns on, row by row along the
right side.  As in `borders`, a *state* says which moves lead from cells that were taken to cells that were not.  Let b
be the longer leg of the leaper, and r = k + b.  At a *cut*, before column a with r <= a <= m - r, only the columns
a - b to a - 1 have such moves, and all of them lead to the columns a to a + b - 1.  A quarter turn maps these states to
those before row a of the right side.  What is between both cuts is a quarter of the ring, too, and has fewer than t
turns.  So some state must lead to itself, turned, past the corner, with fewer than t turns.

If m >= (t + 1) r, the cuts before the columns r, 2 r, ... t r are of this kind.  Between one of them and the last one
(for the first: the left side) there is no turn in all r columns, as there are fewer than t turns.  What r columns
without a turn lead to, whatever was before them, are the *starts*.  So one of them has to lead to itself, turned.

All sizes
---------
There are m - r - a columns between the cut and the last r ones, and a - r rows between the row number r and the turned
cut.  All of these columns see the same, and all of these rows.  So what a start leads to after any number of them is
found by going on until no state is new, or reached with fewer turns.  If no start is among what it leads to, turned,
then no square of (t + 1) r or more cells a side has a ring with fewer than 4 t turns.

Rings of one board
------------------
Rings with no cell in common add up.  So do they and the sum of least values of `turns`, where all numbers are 0: a turn
in a cell there makes 1 more than the least pair, which is straight.  And no cell of a board of even side is its own
image.  So turns come in fours, and what is shown is rounded up to a multiple of 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from kt_models.cells import Cell
from kt_models.errors import CertificateError
from kt_models.limits import Limits
from kt_models.reading import integer
from theorems.turns.borders import MAX_BORDER_ROWS, Border, BorderSweep
from theorems.turns.sweeps import MOVES, START, WORD, SweepStates, ones

MAX_RINGS = 4
MAX_TURNS = 4


@dataclass(frozen=True)
class Ring:
    """`rows` deep, with `turns` or more in each quarter of it, in squares of `least` or more cells a side."""

    rows: int
    turns: int
    least: int


def read_rings(data: Any, step: int) -> tuple[Ring, ...]:
    """The rings of a file, for a leaper whose longer leg is `step`.

    Raises
    ------
    CertificateError
        If they are none.
    """
    if type(data) is not list or not 1 <= len(data) <= MAX_RINGS:
        raise CertificateError(f"turns: 'rings' is no list of 1 to {MAX_RINGS} rings")
    rings = []
    for entry in data:
        if type(entry) is not dict or set(entry) != {"rows", "turns"}:
            raise CertificateError("turns: a ring is an object with the keys rows and turns")
        rows = integer(entry["rows"], "turns: rows of a ring", 1, MAX_BORDER_ROWS)
        turns = integer(entry["turns"], "turns: turns of a ring", 1, MAX_TURNS)
        rings.append(Ring(rows, turns, (turns + 1) * (rows + step)))
    return tuple(rings)


def most(rings: Sequence[Ring], side: int) -> int:
    """The most turns that rings without a common cell show, in a square of so many cells a side."""
    best = [0]  # by half the side
    for half in range(1, side // 2 + 1):
        own = [4 * ring.turns + best[half - ring.rows] for ring in rings if ring.least <= 2 * half]
        best.append(max([best[-1], *own]))
    return best[max(side, 0) // 2]


def check_ring(ring: Ring, moves: Sequence[Cell], limits: Limits) -> None:
    """Check that no ring has fewer turns (see the module).

    Raises
    ------
    CertificateError
        If one may have, or it takes too many states to see.
    """
    if len(moves) > MOVES:
        raise CertificateError("turns: rings are for pieces with fewer moves")
    reach = ring.rows + max(map(max, moves))
    side = 2 * reach + 1
    pairs = [(0 if a == (-b[0], -b[1]) else 1, a, b) for a, b in combinations(moves, 2)]
    options = {(x, y): pairs for x in range(side) for y in range(side)}
    few = BorderSweep(Border(ring.rows, 2, 0, ring.turns), options, (side, side), moves, reach, 1, limits)
    bottom, right = (few.sweep.open_moves(few.place(number, reach)) for number in range(2))
    (starts,) = few.sweep.advance(START, 0, few.place(0, reach), 1).words
    if few.sweep.bits + len(starts).bit_length() > WORD:
        raise CertificateError("turns: a ring has too many states")
    # all are swept at once, with their numbers above the bits of the states
    numbered = SweepStates.of(np.arange(len(starts), dtype=np.uint64) << np.uint64(len(bottom)) | starts)
    states = few.advance(few.middle(numbered, 0)[0], 0, side - reach, side)
    (found,) = few.middle(few.advance(states, 1, ring.rows, reach), 1)[0].words
    turned = np.zeros(len(starts), dtype=np.uint64)
    for k, move in enumerate(bottom):
        place = np.uint64(right.index(_turned(move, ring.rows, moves)))
        turned |= (starts >> np.uint64(k) & np.uint64(1)) << place
    number = found >> np.uint64(len(right))
    if (turned[number] == found & ones(len(right))).any():
        raise CertificateError(f"turns: a ring of {ring.rows} rows may have fewer than {4 * ring.turns} turns")


def _turned(move: int, rows: int, moves: Sequence[Cell]) -> int:
    """A move to a column of the bottom (see `CellSweep.open_moves`) after a quarter turn: to a row of the right."""
    (later, row), (dx, dy) = divmod(move // MOVES, rows), moves[move % MOVES]
    return MOVES * (later * rows + rows - 1 - row) + moves.index((-dy, dx))
