"""Seeds of octant families for rectangles whose shorter side is odd, made from those for rectangles of even width.

A rectangle of even width gets one column more at the right.  Each row then has one cell more of one colour, so colour
has to flow from the lower to the upper corner at the right; all else stays as it is.  Two patterns of the right side
carry it, with 5 crossings for 2 rows: `STEADY` around the corners and above the right middle, `DRIFTING` where lines
come from the left side, and up to the right middle.  Either would close lines where the other is.  The two corners, the
right middle, and a block where the pattern changes are filled in.
"""

from __future__ import annotations

import contextlib
import itertools
from dataclasses import replace

import numpy as np

from benchmarks.few_crossings.blocks import OPEN, annealed, board, code, cost, filled
from benchmarks.few_crossings.parts import free_moves, merged_family, stays
from benchmarks.few_crossings.rectangles import wrong_cells
from benchmarks.few_crossings.regimes import Cell
from benchmarks.few_crossings.squares import FAR, NEAR
from kt_models.certificates.families.codes import Codes
from kt_models.certificates.families.octant_data import BAND, SIDE, STEP, Octants
from kt_models.certificates.families.zones import Zone
from kt_models.errors import CertificateError

STEADY = (
    (((1, 2), (2, -1)), ((1, 2), (2, 1))),
    (((-1, -2), (2, -1)), ((-1, -2), (2, -1))),
    (((-2, -1), (2, -1)), ((-2, 1), (2, -1))),
)
"""The two moves at each depth, in even and in odd rows, of a side whose lines are (2, -1), seen from the left."""
DRIFTING = (
    (((2, -1), (1, -2)), ((2, 1), (1, -2))),
    (((-1, 2), (2, -1)), ((-1, 2), (2, -1))),
    (((-2, -1), (2, -1)), ((-2, 1), (2, -1))),
)
CORNER, MIDDLE, DEPTH = 10, 7, 7
"""Sizes of the blocks that are filled in."""
CORNERS = 2
"""How many of the blocks are corners."""


def painted(codes: Codes, pattern: tuple[tuple[tuple[Cell, Cell], ...], ...], rows: range, up: bool) -> None:
    """Give the right side a pattern in some rows; its lines lead down to it, or up."""
    for depth, y in itertools.product(range(SIDE + 1), rows):
        own = pattern[depth][(y + up) % 2] if depth < len(pattern) else ((2, -1), (-2, 1))
        codes[len(codes) - 1 - depth, y] = code(*((-a, b if up else -b) for a, b in own))


def widened(even: Codes, change: range) -> tuple[Codes, list[set[Cell]]]:
    """The rectangle with one column more, and the blocks that are open: corners, middle, change.

    Parameters
    ----------
    change
        In which rows the pattern changes.
    """
    square, height = even.shape
    width, middle = square + 1, height - square // 2
    codes = np.full((width, height), OPEN, dtype=np.uint8)
    codes[: square - SIDE] = even[: square - SIDE]
    painted(codes, STEADY, range(change.start), False)
    painted(codes, DRIFTING, range(change.start, middle), False)
    painted(codes, STEADY, range(middle + 1, height), True)
    codes[square - SIDE :, middle] = code((2, -1), (2, 1))
    rows = [range(CORNER), range(height - CORNER, height), range(middle - MIDDLE, middle + MIDDLE + 1), change]
    depths = CORNER, CORNER, DEPTH, DEPTH
    blocks = [set(itertools.product(range(width - d, width), own)) for d, own in zip(depths, rows, strict=True)]
    for cell in set[Cell]().union(*blocks):
        codes[cell] = OPEN
    return codes, blocks


def with_corners(codes: Codes, old: Octants) -> list[set[Cell]]:
    """Give a table the corners at the right of an earlier family; the cells there that do not fit become open."""
    (width, height), found = codes.shape, []
    for start, rows in ((0, range(CORNER)), (-CORNER, range(height - CORNER, height))):
        codes[width - CORNER - 1 :, rows] = old.codes[old.width - CORNER - 1 :, range(start, start + CORNER)]
        wrong = [cell for cell in wrong_cells(codes) if min(abs(cell[1] - row) for row in rows) <= 2]
        block = {(u, v) for x, y in wrong for u in range(x - 2, min(x + 3, width)) for v in range(y - 2, y + 3)}
        found.append({(x, y) for x, y in block if y in rows or x < width - SIDE - 1})
    for cell in set[Cell]().union(*found):
        codes[cell] = OPEN
    return found


def odd_of(
    even: Octants, steps: int, bands: int, tries: int, seed: int = 0, old: Octants | None = None
) -> Octants | None:
    """The family of one column more, from a board of a family of even width; None if none was found.

    The boards of the latter may have several cycles.

    Parameters
    ----------
    tries, seed
        How often each block is annealed; from which seed of a search on.
    old
        An odd family whose corners are taken.
    """
    table = even.board_codes(steps, bands)
    (side, height), half = table.shape, len(table) // 2
    near, far = half - NEAR - STEP * steps, half - FAR - STEP // 2 * steps
    codes, blocks = widened(table, range(near + STEP // 2 * (1 + steps), far - BAND))  # and room for that of the band
    if old is not None:
        blocks[:CORNERS] = with_corners(codes, old)
    blocks = [block for block in blocks if block]
    whole = filled(codes, blocks)
    if whole is None:
        return None
    sides = Zone(near, STEP), Zone(far, STEP)
    zones = (Zone(even.diagonal[0].start, 2 * STEP),), (Zone(even.middle[0].start, 2 * STEP),), sides, sides
    for start in range(height // 2, height - 20):
        with contextlib.suppress(CertificateError):
            family = Octants(whole, *zones, band=(Zone(start, 2 * BAND),))
            break
    else:
        return None
    graph = board(side + 1, height)
    free = {divmod(v, height) for v in np.unique(graph.ends[free_moves(family, graph)]).tolist()}
    for number, block in enumerate(blocks):
        (left, low), (right, high) = np.min(sorted(block), axis=0).tolist(), np.max(sorted(block), axis=0).tolist()
        about = {(x, y) for x, y in free if left - SIDE <= x <= right + SIDE and low - SIDE <= y <= high + SIDE}
        seeds = range(tries * seed, tries * (seed + 1))
        ways = (replace(family, codes=annealed(family.codes, about, k)) for k in seeds)
        if old is None and number < CORNERS:
            ways = (way for way in ways if stays(way))
        family = min(ways, key=lambda way: cost(way.codes), default=family)
    return merged_family(family, seed)
