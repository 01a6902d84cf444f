"""Seeds of octant families for rectangles, made from those for squares.

The lower half of a square and its upper half are moved apart. The rows between them are lines (2, -1) from the left
side to the right side: at the left with the pattern `PLAIN`, at the right with `DEAR`, which keeps the lines from
closing. So the right side is the left one of the square, with left and right exchanged, and as many rows more of
`DEAR`. The two centres, and cells where what is kept does not fit together, are filled in again and annealed.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import suppress

import numpy as np
from scipy.ndimage import label

from kt_models.errors import CertificateError
from research.few_crossings.blocks import OPEN, code, filled
from research.few_crossings.parts import fewest, merged_family, part_anew, parts_of
from research.few_crossings.regimes import Cell
from research.few_crossings.squares import CENTRE, PLAIN
from theorems.growing_tours.codes import MOVES, PAIRS, Codes
from theorems.growing_tours.octant_data import DIAGONAL, HEIGHT_STEP, SIDE, Octants
from theorems.growing_tours.zones import MIRRORED, Zone

LONGER = 9, 10
"""By how much a seed is higher than wide at first, an odd and an even number; rows of the band are taken out then."""
BESIDE = 8
"""So far a centre reaches where it has no middle line beside it."""
DEEPER = 10
"""Depth of the part of a middle that is taken from a square."""
OPENED = 2
"""So far from cells that do not fit together, others are open, too."""


def halves_apart(square: Octants, longer: int) -> Codes:
    """The rectangle that is so much higher than a square, with open centres."""
    side = square.width
    half, height = side // 2, side + longer
    middle, reach, (near, far) = half + longer, half - square.left[1].end, square.left
    falling = code((2, -1), (-2, 1))
    codes = np.full((side, height), falling, dtype=np.uint8)
    codes[:, :half], codes[:, middle:] = square.codes[:, :half], square.codes[:, half:]
    plain = np.array([code(*moves) for moves in PLAIN] + [falling] * (DEEPER - len(PLAIN)), dtype=np.uint8)[:, None]
    left = np.empty((DEEPER, height), dtype=np.uint8)
    left[:, : half + reach] = square.codes[:DEEPER, : half + reach]
    left[:, half + reach :] = plain
    codes[:DEEPER, half : middle + reach] = left[:, half : middle + reach]
    lower = near.start - square.bottom[0].start  # The change begins, to have room for the zone of the band
    left[:, near.start - lower : far.start - lower] = left[:, near.start : far.start].copy()
    left[:, far.start - lower : middle + 1 - reach] = square.codes[:DEEPER, far.start, None]
    left[:, middle + 1 - reach : middle + 1 + reach] = square.codes[:DEEPER, half - reach : half + reach]
    left[:, middle + 1 + reach :] = plain
    right = MIRRORED[left[::-1]]
    whole, about = slice(near.start - lower, height - near.start), slice(middle + 1 - reach, middle + 1 + reach)
    for rows, depth in ((whole, SIDE), (about, DEEPER)):
        codes[side - depth :, rows] = right[DEEPER - depth :, rows]
    for x, y in itertools.product(range(half + BESIDE, half + CENTRE), range(half - CENTRE, half)):
        if abs(side - 1 - x - y) > DIAGONAL:  # The square has a middle line there, the rectangle has none
            codes[x, y] = codes[side - 1 - x, height - 1 - y] = falling
    for cell in set[Cell]().union(*centres(side, height)):
        codes[cell] = OPEN
    return codes


def centres(side: int, height: int) -> list[set[Cell]]:
    """The two open centres of a rectangle; each has a middle line on one side only."""
    half, inner = side // 2, range(side // 2 - CENTRE, side // 2 + BESIDE)
    lower = set(itertools.product(inner, range(half - CENTRE, half)))
    return [lower, {(side - 1 - x, height - 1 - y) for x, y in lower}]


def wrong_cells(codes: Codes) -> Iterator[Cell]:
    """Cells with a move that leads to no cell that has it back, nor to an open one."""
    for x, y in np.argwhere(codes != OPEN).tolist():
        for way in PAIRS[codes[x, y]]:
            u, v = x + MOVES[way][0], y + MOVES[way][1]
            inside = 0 <= u < codes.shape[0] and 0 <= v < codes.shape[1]
            if not inside or (codes[u, v] != OPEN and (way + 4) % 8 not in PAIRS[codes[u, v]]):
                yield x, y


def open_blocks(codes: Codes) -> list[set[Cell]]:
    """The open cells, in parts so far from each other that no move joins them."""
    wide = np.zeros(codes.shape, dtype=np.bool_)
    for x, y in np.argwhere(codes == OPEN).tolist():
        wide[max(0, x - 1) : x + 2, max(0, y - 1) : y + 2] = True
    numbers, many = label(wide)
    return [{(x, y) for x, y in np.argwhere((numbers == k) & (codes == OPEN)).tolist()} for k in range(1, many + 1)]


def rectangle_family(square: Octants, longer: int, tries: int) -> Octants | None:
    """The family of rectangles as wide as a square, of the least cost of so many annealings; None if there is none.

    If there is no room for the band, the next larger square is taken.

    Parameters
    ----------
    longer
        By how much the seed is higher than wide, modulo `BAND`; the least such number is taken.
    """
    least = 1 + (longer - 1) % HEIGHT_STEP
    starts = (unmerged_rectangle(smaller, longer) for smaller in (square, larger(square)))
    start = next((candidate for candidate in starts if candidate is not None and candidate.extra_height == least), None)
    return None if start is None else fewest(*(merged_family(better(start, k, tries), k) for k in range(tries)))


def larger(square: Octants) -> Octants:
    """The family of squares that begins a step later, with more room between the corners and the zones of the left."""
    (near, far), period = square.left, square.left[0].period
    left = Zone(near.start + period, period), Zone(far.start + 2 * period, period)
    bottom = square.bottom[0], left[1]
    return Octants(square.board_codes(1), square.diagonal, square.middle, bottom, left)


def unmerged_rectangle(square: Octants, longer: int) -> Octants | None:
    """Family of rectangles whose boards may have several cycles, as low as it can be."""
    codes = halves_apart(square, longer)
    for x, y in list(wrong_cells(codes)):
        codes[max(0, x - OPENED) : x + OPENED + 1, max(0, y - OPENED) : y + OPENED + 1] = OPEN
    whole = filled(codes, open_blocks(codes))
    found = None
    while whole is not None:
        lower, whole = with_band(square, whole), None
        if lower is not None:
            found = lower
            with suppress(CertificateError, ValueError):
                whole = lower.board_codes(0, -1)
    return found


def with_band(square: Octants, codes: Codes) -> Octants | None:
    """The family of a rectangle with the zones of a square and one of the band; None if there is none."""
    zones, (width, height) = (square.diagonal, square.middle, square.bottom, square.left), codes.shape
    about = (height + width // 2) // 2
    for start in range(about - 3, about - 8, -1):
        with suppress(CertificateError):
            return Octants(codes, *zones, height_zone=(Zone(start, HEIGHT_STEP),))
    return None


def better(family: Octants, seed: int, tries: int) -> Octants:
    """The family with its centres and all parts annealed, whatever cycles come of it."""
    for part in (*centres(*family.codes.shape), *parts_of(family)):
        family = part_anew(family, part, range(seed * tries, (seed + 1) * tries))
    return family
