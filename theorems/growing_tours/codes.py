"""Codes for the two moves at each cell of a board in the plane: checks, cycles, turns and crossings.

These are definitions, so the programs that construct tours import them too; those have faster ways of their own to
follow and count.
"""

from __future__ import annotations

import itertools
import string
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_models.cells import Cell
from kt_models.errors import CertificateError
from kt_models.kernel.certificates.integers import Ints

MOVES = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
"""The knight's moves, clockwise; move k + 4 (modulo 8) undoes move k."""
PAIRS = tuple(itertools.combinations(range(8), 2))
"""The two moves at a cell, by code."""
LETTERS = string.ascii_letters[: len(PAIRS)]
"""Letters that stand for the codes in a file."""
REACH = 2
"""Reach of a knight's move along an axis."""
# Limit on files: a table is checked cell by cell.
MAX_SEED = 192
"""Longest side of a table in a file."""

Codes = npt.NDArray[np.uint8]
"""For each x and y, the index in `PAIRS` of the two moves at the cell."""
CutMove = tuple[Cell, Cell]
"""A move across a cut: its cell on the near side, and its cell on the far side."""
Linkage = frozenset[frozenset[CutMove]]
"""Pairs of moves across a cut that are joined on its near side."""

# Moves k and k + 4 are opposite, so only pairs at a distance of 4 go straight.
_TURN = np.array([b - a != 4 for a, b in PAIRS])
_HAS = np.array([[move in pair for pair in PAIRS] for move in range(8)])


def changed(move: Callable[[int], int]) -> Codes:
    """By code: that of a cell whose moves are changed, as by a symmetry."""
    return np.array([PAIRS.index(tuple(sorted(map(move, pair)))) for pair in PAIRS], dtype=np.uint8)


def read_codes(rows: Any) -> Codes:
    """Read a table from a file: rows from the bottom up, a letter for each cell.

    Raises
    ------
    CertificateError
        If the data are malformed.
    """
    if type(rows) is not list or not 3 <= len(rows) <= MAX_SEED or any(type(row) is not str for row in rows):
        raise CertificateError(f"a table of moves is a list of 3 to {MAX_SEED} rows of letters")
    if not 3 <= len(rows[0]) <= MAX_SEED or any(len(row) != len(rows[0]) for row in rows):
        raise CertificateError(f"the rows of a table of moves have one length, from 3 to {MAX_SEED}")
    if not set("".join(rows)) <= set(LETTERS):
        raise CertificateError("a letter of a table of moves is not a code")
    return np.array([[LETTERS.index(letter) for letter in row] for row in rows], dtype=np.uint8).T


def write_codes(codes: Codes) -> list[str]:
    """Write the rows that `read_codes` reads."""
    letters = np.array(list(LETTERS))
    return ["".join(letters[row]) for row in codes.T]


def check_codes(codes: Codes) -> None:
    """Check that every move leads to a cell of the board that has the reverse move.

    Checks Lemma 1 (two moves at each cell).

    Raises
    ------
    CertificateError
        Naming a cell whose move does not.
    """
    if codes.ndim != 2 or min(codes.shape) < 3 or codes.max() >= len(PAIRS):
        raise CertificateError("the moves at the cells are not a table of codes")
    width, height = codes.shape
    # Whole-array comparison per move; slices keep targets on the board, so moves off it fail
    for move, (dx, dy) in enumerate(MOVES):
        has, back = _HAS[move][codes], np.zeros(codes.shape, dtype=bool)
        x, y, u, v = max(0, -dx), max(0, -dy), width - max(0, dx), height - max(0, dy)
        back[x:u, y:v] = _HAS[(move + 4) % 8][codes[x + dx : u + dx, y + dy : v + dy]]
        if (wrong := np.argwhere(has & ~back)).size:
            cell = tuple(wrong[0].tolist())
            raise CertificateError(f"the move {dx},{dy} of cell {cell} leads to no cell with the reverse move")


def cycle(codes: Codes) -> Ints:
    """Cells of the cycle through the bottom left cell of a checked table, shape (k, 2)."""
    height = codes.shape[1]
    # Flat offsets: plain Python integers are faster here than numpy scalars
    steps = [dx * height + dy for dx, dy in MOVES]
    table = codes.reshape(-1).tolist()
    order: list[int] = []
    at, back = 0, PAIRS[table[0]][1]
    # A cell has two moves, so the first repeated cell is the start
    while not order or at:
        order.append(at)
        first, second = PAIRS[table[at]]
        move = second if first == back else first
        at += steps[move]
        back = (move + 4) % 8
    return np.stack(np.divmod(np.array(order, dtype=np.int64), height), axis=1)


def checked_cycle(codes: Codes) -> Ints:
    """Cells of the cycle through the bottom left cell of any table.

    Raises
    ------
    CertificateError
        As `check_codes`.
    """
    check_codes(codes)
    return cycle(codes)


def turns(codes: Codes) -> int:
    """Number of cells whose two moves are not opposite."""
    return int(_TURN[codes].sum())


def crossings(codes: Codes) -> int:
    """Number of crossing pairs of moves in a checked table."""
    width, height = codes.shape
    # Moves to the right only: each once. The rim avoids bounds checks
    there = np.zeros((4, width + 8, height + 8), dtype=bool)
    for move in range(4):
        there[move, 4:-4, 4:-4] = _HAS[move][codes]
    total = 0
    for first, second, dx, dy in _CROSSING:
        moved = there[second, 4 + dx : 4 + dx + width, 4 + dy : 4 + dy + height]
        total += int((there[first, 4:-4, 4:-4] & moved).sum())
    return total


def _crosses(first: tuple[int, int], second: tuple[int, int], start: tuple[int, int]) -> bool:
    """Whether a move from (0, 0) and a move from `start` meet in an inner point of both."""
    (a, b), (c, d), (x, y) = first, second, start
    across = a * d - b * c  # Start + t (c, d) = s (a, b), both times `across`
    # The determinant: 0 for parallel moves
    if across == 0:
        return False  # Parallel knight's moves on one line share no inner point: there is no cell between their ends
    s, t = x * d - y * c, x * b - y * a
    return all(0 < value * (1 if across > 0 else -1) < abs(across) for value in (s, t))


_CROSSING = [
    (i, j, dx, dy)
    for i in range(4)
    for j in range(4)
    for dx, dy in itertools.product(range(-4, 5), repeat=2)
    if (i, 0, 0) < (j, dx, dy) and _crosses(MOVES[i], MOVES[j], (dx, dy))
]
"""Crossing pairs of moves to the right: both moves, and the offset of the second start; each pair once."""


def count(codes: Codes, metric: str) -> int:
    """Number of turns or crossings."""
    return turns(codes) if metric == "turns" else crossings(codes)


def moves_across(order: Ints, within: npt.NDArray[np.bool_]) -> list[CutMove]:
    """Moves of a cycle across a cut, in the order of the cycle; the first two are joined on the near side.

    Parameters
    ----------
    order
        The cells of the cycle, shape (k, 2).
    within
        Which of them are on the near side.
    """
    crossing = np.flatnonzero(within != np.roll(within, -1))
    following = np.roll(order, -1, axis=0)
    # This move leads out, so an arc begins at the next one
    first = int(np.argmax(within[crossing])) if len(crossing) else 0
    moves: list[CutMove] = []
    for step in np.roll(crossing, -first - 1).tolist():
        cell, target = tuple(order[step].tolist()), tuple(following[step].tolist())
        moves.append((cell, target) if within[step] else (target, cell))
    return moves


def linkage_of(moves: list[CutMove]) -> Linkage:
    """Linkage of the moves across a cut, given in the order of the cycle."""
    return frozenset(frozenset(pair) for pair in zip(moves[::2], moves[1::2], strict=True))
