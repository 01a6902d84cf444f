"""Seeds of octant families for rectangles whose shorter side is odd, made from those for rectangles of even width.

A rectangle of even width gets one column more at the right.  Each row then has one cell more of one colour, so colour
has to flow from the lower to the upper corner at the right; all else stays as it is.  Two patterns of the right side
carry it, with 5 crossings for 2 rows: `STEADY` around the corners and above the right middle, `DRIFTING` where lines
come from the left side, and up to the right middle.  Either would close lines where the other is.  The two corners, the
right middle, and two blocks where patterns change or lines from a corner meet others are filled in.
"""

from __future__ import annotations

import contextlib
import itertools
import random
from collections import defaultdict

import numpy as np

from benchmarks.few_crossings.octants import codes_of as codes_of_moves
from benchmarks.few_crossings.octants import fill, walks
from benchmarks.few_crossings.rectangles import OPEN, code, fixed_moves
from benchmarks.few_crossings.regimes import Cell, Move
from kt_models.certificates.families.codes import Codes
from kt_models.certificates.families.octant_data import BAND, DIAGONAL, SIDE, STEP, Octants
from kt_models.certificates.families.octants import check_one_cycle
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
CORNER, MIDDLE, DEPTH, CHANGE = 10, 7, 7, 5
"""Sizes of the blocks that are filled in."""
LEAST_CHANGE = 22
"""The lowest row, counted from a corner, about which a pattern may change, so that it does not meet a zone."""
NEAR = 28
"""A cut around a corner, in numbers of lines, that holds the block there."""


def painted(codes: Codes, pattern: tuple[tuple[tuple[Cell, Cell], ...], ...], rows: range, up: bool) -> None:
    """Give the right side a pattern in some rows; its lines lead down to it, or up."""
    for depth, y in itertools.product(range(SIDE + 1), rows):
        own = pattern[depth][(y + up) % 2] if depth < len(pattern) else ((2, -1), (-2, 1))
        codes[len(codes) - 1 - depth, y] = code(*((-a, b if up else -b) for a, b in own))


def widened(even: Codes, changes: tuple[int, int]) -> tuple[Codes, list[set[Cell]]]:
    """The rectangle with one column more, and the blocks that are open: corners, middle, changes.

    Parameters
    ----------
    changes
        How far from the corners the last two are.
    """
    square, height = even.shape
    width, middle = square + 1, height - square // 2
    codes = np.full((width, height), OPEN, dtype=np.uint8)
    codes[: square - SIDE] = even[: square - SIDE]
    painted(codes, STEADY, range(changes[0]), False)
    painted(codes, DRIFTING, range(changes[0], middle), False)
    painted(codes, STEADY, range(middle + 1, height), True)
    codes[square - SIDE :, middle] = code((2, -1), (2, 1))
    rows = [range(CORNER), range(height - CORNER, height), range(middle - MIDDLE, middle + MIDDLE + 1)]
    rows += [range(at - CHANGE, at + CHANGE + 1) for at in (changes[0], height - 1 - changes[1])]
    depths = CORNER, CORNER, DEPTH, DEPTH, DEPTH
    blocks = [set(itertools.product(range(width - d, width), own)) for d, own in zip(depths, rows, strict=True)]
    for cell in set[Cell]().union(*blocks):
        codes[cell] = OPEN
    return codes, blocks


def repeats(moves: set[Move], width: int, height: int, upper: bool) -> bool:
    """Whether moves join the same lines around a corner at the right within a cut and 2 `STEP` lines farther out."""
    beside: dict[Cell, list[Cell]] = defaultdict(list)
    for a, b in moves:
        a, b = (((width - 2 - x, height - 1 - y) if upper else (y, width - 2 - x)) for x, y in (a, b))
        beside[a].append(b)
        beside[b].append(a)

    def joined(t: int, by: int) -> set[frozenset[tuple[Cell, ...]]]:
        def inner(cell: Cell) -> bool:
            return max(2 * cell[1] - cell[0], 2 * cell[0] - cell[1]) < t

        def farther(cells: tuple[Cell, Cell]) -> tuple[Cell, ...]:
            (x, y), k = cells[0], by // 2
            dx, dy = (by, by) if abs(x - y) <= DIAGONAL else (k, 0) if y < x else (0, k)
            return tuple((u + dx, v + dy) for u, v in cells)

        found = set()
        for start in filter(inner, beside):
            for outer in beside[start]:
                if inner(outer):
                    continue
                before, at = outer, start
                while inner(at):
                    before, at = at, next(cell for cell in beside[at] if cell != before)
                found.add(frozenset((farther((start, outer)), farther((before, at)))))
        return found

    return joined(NEAR, 2 * STEP) == joined(NEAR + 2 * STEP, 0)


def corners(even: Octants, steps: int, seconds: float, rng: random.Random) -> list[set[Move]] | None:
    """Moves in the lower and in the upper corner at the right, counted from there; None if lines do not repeat."""
    board = even.board_codes(steps, 2)
    codes, blocks = widened(board, (len(board) // 4, len(board) // 4))
    (width, height), moves, found = codes.shape, fixed_moves(codes), []
    for upper, block in enumerate(blocks[:2]):
        own = fill(moves, block, True, seconds, rng.randrange(10**6))
        if own is None or not repeats(moves | own, width, height, bool(upper)):
            return None
        found.append(moved(own, -width, -height * upper))
    return found


def moved(moves: set[Move], x: int, y: int) -> set[Move]:
    """Moves so much farther right and up."""
    return {((a + x, b + y), (c + x, d + y)) for (a, b), (c, d) in moves}


def odd_of(even: Octants, steps: int, bands: int, seconds: float, rng: random.Random) -> Octants | None:
    """The family of one column more, from a board of a family of even width; None if none was found."""
    lower, upper = corners(even, steps + 2, seconds, rng) or (None, None)
    if lower is None or upper is None:
        return None
    codes = even.board_codes(steps, bands)
    changes = [max(LEAST_CHANGE, len(codes) // 4 + rng.randrange(-1, 2)) for _ in range(2)]
    codes, blocks = widened(codes, (changes[0], changes[1]))
    width, height = codes.shape
    moves = fixed_moves(codes) | moved(lower, width, 0) | moved(upper, width, height)
    if walks(moves)[0]:
        return None
    rest = blocks[2:]
    rng.shuffle(rest)
    for block in rest:
        found = fill(moves, block, True, seconds, rng.randrange(10**6))
        if found is None:
            return None
        moves |= found
    return family_of(codes_of_moves((width, height), moves), steps)


def family_of(codes: Codes, steps: int) -> Octants | None:
    """The family of a seed that has so many zones more than its family of even width; None if it makes none."""
    width, height = codes.shape
    side = Zone(11, STEP), Zone((width - 1) // 2 - 12 - 3 * steps, STEP)
    for start in range(height // 2, height - 20):
        with contextlib.suppress(CertificateError):
            band = (Zone(start, 2 * BAND),)
            family = Octants(codes, (Zone(16, 2 * STEP),), (Zone(17, 2 * STEP),), side, side, band=band)
            check_one_cycle(family)
            return family
    return None
