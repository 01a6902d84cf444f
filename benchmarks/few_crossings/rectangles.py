"""Seeds of octant families for rectangles, made from those for squares.

The lower half of a square and its upper half are moved apart.  The rows between them are lines (2, -1) from the left
side to the right side: at the left with the pattern `PLAIN`, at the right with `DEAR`, which keeps the lines from
closing.  `DEAR` reaches from a quarter of the width up to the right middle; above that is `PLAIN`.  A block where the
pattern of the right side changes, the right middle and the two centres are filled in again.
"""

from __future__ import annotations

import contextlib
import itertools

import numpy as np

from benchmarks.few_crossings.octants import (
    CENTRE,
    CHANGE,
    CORNER,
    DEAR,
    DEPTH,
    MIDDLE,
    PLAIN,
    codes_of,
    family_of,
    fill,
)
from benchmarks.few_crossings.regimes import Cell, Move
from kt_models.certificates.families.codes import MOVES, PAIRS, Codes
from kt_models.certificates.families.octant_data import SIDE, Octants
from kt_models.certificates.families.octants import check_one_cycle
from kt_models.errors import CertificateError, KTError

LONGER = 8, 9
"""By how much a seed is higher than wide, an even and an odd number; `lowest` may take out rows."""
OPEN = 255
"""The code of a cell that is not filled yet."""


def code(*moves: Cell) -> int:
    """Of two moves."""
    one, other = sorted(map(MOVES.index, moves))
    return PAIRS.index((one, other))


def open_blocks(side: int, longer: int) -> list[set[Cell]]:
    """The cells of a rectangle, so much higher than wide, that are filled in again."""
    half, change, middle = side // 2, side // 4 - 1, side // 2 + longer
    rows = range(change - CHANGE, change + CHANGE + 1), range(middle - MIDDLE, middle + MIDDLE + 1)
    centres = range(half - CENTRE, half), range(middle, middle + CENTRE)
    return [
        set(itertools.product(range(side - CHANGE, side), rows[0])),
        set(itertools.product(range(side - DEPTH, side), rows[1])),
        *(set(itertools.product(range(half - CENTRE, half + CENTRE), centre)) for centre in centres),
    ]


def parted(square: Codes, longer: int) -> tuple[Codes, list[set[Cell]]]:
    """The rectangle that is so much higher than a square, without the moves of the blocks that are given too."""
    side = len(square)
    half, height = side // 2, side + longer
    change, middle = side // 4 - 1, height - half
    codes = np.full((side, height), code((2, -1), (-2, 1)), dtype=np.uint8)
    codes[:, :half], codes[:, middle:] = square[:, :half], square[:, half:]
    for depth, moves in enumerate(PLAIN):
        codes[depth, half:middle] = code(*moves)
    codes[side - SIDE :, change:middle] = code((2, -1), (-2, 1))
    for depth, moves in enumerate(DEAR):
        codes[side - 1 - depth, change:middle] = code(*((-a, -b) for a, b in moves))
    above = slice(middle + 1, height - CORNER - CHANGE)
    codes[side - SIDE :, above] = code((2, 1), (-2, -1))
    for depth, moves in enumerate(PLAIN):
        codes[side - 1 - depth, above] = code(*((-a, b) for a, b in moves))
    blocks = open_blocks(side, longer)
    for cell in set[Cell]().union(*blocks):
        codes[cell] = OPEN
    return codes, blocks


def fixed_moves(codes: Codes) -> set[Move]:
    """The moves at the cells that are filled.

    Raises
    ------
    KTError
        If they do not fit together.
    """
    found = set()
    for x, y in np.argwhere(codes != OPEN).tolist():
        for way in PAIRS[codes[x, y]]:
            u, v = x + MOVES[way][0], y + MOVES[way][1]
            if not (0 <= u < codes.shape[0] and 0 <= v < codes.shape[1]):
                raise KTError("a move leads off the board")
            if codes[u, v] != OPEN and (way + 4) % 8 not in PAIRS[codes[u, v]]:
                raise KTError("the moves that repeat do not fit together")
            found.add((min((x, y), (u, v)), max((x, y), (u, v))))
    return found


def rectangle_of(square: Octants, longer: int, seconds: float, seed: int = 0) -> Octants | None:
    """The family for rectangles of a family for squares, of the lowest seed; None if none was found.

    Raises
    ------
    KTError
        If what repeats does not fit together.
    """
    codes, blocks = parted(square.codes, longer)
    moves = fixed_moves(codes)
    for block in blocks:
        found = fill(moves, block, True, seconds, seed)
        if found is None:
            return None
        moves |= found
    return lowest(codes_of(codes.shape, moves))


def lowest(codes: Codes) -> Octants | None:
    """The family of a seed, with as few rows of the band as possible."""
    found = []
    with contextlib.suppress(KTError):
        while True:
            found.append(family_of(codes))
            codes = found[-1].board_codes(0, -1)
    for family in reversed(found):
        with contextlib.suppress(CertificateError):
            check_one_cycle(family)
            return family
    return None
