"""Seeds of octant families for squares, searched: the moves that repeat are given, the rest is filled in and annealed.

What repeats: the lines; the sides, whose pattern `PLAIN` has one crossing per row and `DEAR` two; and the diagonals,
with a pattern of 4 crossings per 6 steps that `regimes.search` finds, of those with the fewest turns. Open are the
corners, the middles of the sides, a place on each side where one pattern follows the other, and the centre. They are
filled in anyhow and annealed, all but the centre alike in the four quarters; then cycles are merged (`blocks`).

A corner has to join the same lines within a cut and farther out, as every board of the family does. What is near the
side does not depend on the board, and what is in the corners depends on the diagonal alone.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from kt_models.limits import Limits
from research.few_crossings.blocks import OPEN, annealed, code, cost, filled
from research.few_crossings.parts import fewest, merged_family, stays
from research.few_crossings.regimes import Cell, Join, Move, Regime, chevron, left, search
from theorems.growing_tours.codes import MOVES, PAIRS, Codes
from theorems.growing_tours.octant_data import CORNER, MIDDLE, STEP, Octants
from theorems.growing_tours.zones import Zone

PLAIN = (((2, -1), (1, -2)), ((2, -1), (-1, 2)))
"""The two moves at each depth of a side whose lines are (2, -1), seen from the left: 1 crossing per row."""
DEAR = (((1, 2), (2, -1)), ((-1, -2), (2, -1)))
"""A pattern with 2 crossings per row, that together with the plain one closes no line."""
AXIS_WIDTH, AXIS_PATTERNS = 2, 100
NEAR, FAR = 22, 11
"""Where the zones of a side begin, back from its middle."""
SLANTED, ALONG = 14, 12
"""Where those of the diagonal and of the middle line begin."""
CENTRE, DEPTHS = 10, (6, 10)
"""Sizes of the open blocks at the centre, at the change, and at the middle of a side."""
SIDES = range(64, 76, 2)
"""Sides of the seeds."""
LOOK = 2
"""Annealings of each block, for each pattern of the diagonal, before one is taken."""
KEPT = 3
"""Ways to fill each block, of which all combinations are tried."""


@cache
def axis_patterns(seconds: float = 60.0) -> tuple[tuple[Move, ...], ...]:
    """Patterns of the diagonal with which no line closes between two plain sides, 4 crossings per 6 steps.

    Those with the fewest turns, of as many as are found.
    """
    side = left(3, 2)
    regime = Regime((chevron(6, AXIS_WIDTH), side, side), (Join(0, 0, 1, 0, -1), Join(0, 1, 2, 0, -1)))
    plain = {((0, y), (1, y - 2)) for y in range(3)}
    known: list[tuple[tuple[Move, ...], ...]] = []
    while len(known) < AXIS_PATTERNS:
        answer = search(regime, at_most=10, forbid=known, limits=Limits(seconds))
        if not answer.moves:
            break
        known.append(answer.moves)
    found = [moves[0] for moves in known if set(moves[1]) == set(moves[2]) == plain]
    least = min(map(axis_turns, found), default=0)
    return tuple(moves for moves in found if axis_turns(moves) == least)


def at_base(moves: Iterable[Move]) -> dict[Cell, list[Cell]]:
    """The moves at each cell of the first period of the diagonal, those of lines included."""
    found: dict[Cell, list[Cell]] = defaultdict(list)
    for (x, y), (u, v) in moves:
        found[x, y].append((u - x, v - y))
        back = 6 * ((u + v) // 12)
        found[u - back, v - back].append((x - u, y - v))
    for (x, y), made in found.items():
        lines = [(-2, -1), (2, 1)] if y > x else [(-1, -2), (1, 2)] if y < x else [(-2, -1), (-1, -2)]
        made += [m for m in lines if abs(y + m[1] - x - m[0]) > AXIS_WIDTH]
    return found


def axis_turns(moves: Iterable[Move]) -> int:
    """The turns of a period of the diagonal."""
    return sum((a + c, b + d) != (0, 0) for (a, b), (c, d) in at_base(moves).values())


@dataclass(frozen=True)
class Quarters:
    """The quarters of a square, images of each other under quarter turns."""

    side: int

    @property
    def half(self) -> int:
        return self.side // 2

    def base(self, cell: Cell) -> tuple[Cell, int]:
        """The cell of the bottom left quarter that this one is turned from, and by how many quarter turns."""
        (x, y), turns = cell, 0
        while not (x < self.half and y < self.half):
            x, y, turns = y, self.side - 1 - x, turns + 1
        return (x, y), turns

    def turned(self, cell: Cell, turns: int) -> Cell:
        x, y = cell
        for _ in range(turns):
            x, y = self.side - 1 - y, x
        return x, y

    def spread(self, codes: Codes, cells: Iterable[Cell], source: Codes | None = None) -> Codes:
        """A table whose images of some cells are like these, which are those of another table if it is given."""
        found = codes.copy()
        for cell, turns in itertools.product(cells, range(4)):
            found[self.turned(cell, turns)] = turned_code(int((codes if source is None else source)[cell]), turns)
        return found


def turned_code(number: int, turns: int) -> int:
    """A code after so many quarter turns."""
    moves = [MOVES[way] for way in PAIRS[number]]
    for _ in range(turns % 4):
        moves = [(-b, a) for a, b in moves]
    return code(*moves)


@dataclass(frozen=True, eq=False)
class Square:
    """A square, the pattern of its diagonals, and what is open."""

    side: int
    axis: tuple[Move, ...]

    @cached_property
    def quarters(self) -> Quarters:
        return Quarters(self.side)

    @cached_property
    def _axis(self) -> dict[Cell, list[Cell]]:
        return at_base(self.axis)

    @property
    def corner(self) -> set[Cell]:
        """The open cells in the corner at the bottom left."""
        return set(itertools.product(range(CORNER), range(CORNER)))

    @property
    def sides(self) -> list[set[Cell]]:
        """Open blocks at the change and the middle of the left side."""
        half = self.side // 2
        rows = range(half - NEAR + 3, half - FAR), range(half - MIDDLE, half + MIDDLE - 1)
        return [set(itertools.product(range(depth), columns)) for depth, columns in zip(DEPTHS, rows, strict=True)]

    @property
    def centre(self) -> set[Cell]:
        inner = range(self.side // 2 - CENTRE, self.side // 2 + CENTRE)
        return set(itertools.product(inner, inner))

    def moves(self, cell: Cell) -> Sequence[Cell]:
        """The two moves at a cell that repeats, in the bottom left quarter."""
        (x, y), half = cell, self.side // 2
        if y == half - 1:
            return [(-2, 1), (-2, -1)]
        if abs(y - x) <= AXIS_WIDTH:
            back = 6 * ((x + y) // 12)
            return self._axis[x - back, y - back]
        pattern = DEAR if y > x and y >= half - NEAR + 3 else PLAIN
        depth = min(x, y)
        pair = pattern[depth] if depth < len(pattern) else ((2, -1), (-2, 1))
        return [(a, -b) if y > x else (-b, a) for a, b in pair]

    def paint(self) -> Codes:
        """The board with open blocks."""
        codes = np.empty((self.side, self.side), dtype=np.uint8)
        for cell in itertools.product(range(self.side), range(self.side)):
            base, turns = self.quarters.base(cell)
            codes[cell] = turned_code(code(*self.moves(base)), turns)
        for block in (self.corner, *self.sides):
            for cell, turns in itertools.product(block, range(4)):
                codes[self.quarters.turned(cell, turns)] = OPEN
        for cell in self.centre:
            codes[cell] = OPEN
        return codes

    def filled(self) -> Codes | None:
        """The board, its open blocks filled in anyhow, alike in all quarters; None if that cannot be done."""
        codes = self.paint()
        for block in (self.corner, *self.sides):
            filling = filled(codes, [block])
            if filling is None:
                return None
            codes = self.quarters.spread(filling, block)
        return filled(codes, [self.centre])

    def family(self, codes: Codes) -> Octants:
        """The family of a filled board; several cycles are not refused.

        Raises
        ------
        CertificateError
            If it is none.
        """
        half = self.side // 2
        left_zones, bottom = ((Zone(near, STEP // 2), Zone(half - FAR, STEP // 2)) for near in (half - NEAR, CORNER))
        return Octants(codes, (Zone(SLANTED, STEP),), (Zone(ALONG, STEP),), bottom, left_zones)


def square_family(side: int, tries: int) -> Octants | None:
    """The family of a side with the least cost, of so many annealings of each block; None if there is none.

    A few annealings tell which pattern of the diagonal is taken.
    """
    looks = [(square, combinations(square, LOOK)) for square in (Square(side, axis) for axis in axis_patterns())]
    square = min((look for look in looks if look[1]), key=lambda look: cost(look[1][0]))[0]
    best: Octants | None = None
    for codes in combinations(square, tries):
        if best is not None and cost(codes) >= cost(best.codes):
            break  # Merging costs more still
        best = fewest(best, merged_family(square.family(codes), 0))
    return best


def combinations(square: Square, tries: int) -> list[Codes]:
    """Fillings of a square, put together from the best of so many annealings of each block, those of least cost first.

    They may have several cycles.
    """
    start = square.filled()
    if start is None:
        return []
    spread, seeds = square.quarters.spread, range(tries)
    blocks = square.corner, *square.sides
    ways = [[spread(start, block, annealed(start, block, k)) for k in seeds] for block in blocks]
    ways[0] = [codes for codes in ways[0] if stays(square.family(codes))]
    ways.append([annealed(start, square.centre, k) for k in seeds])
    found = []
    for corner, change, middle, centre in itertools.product(*(sorted(some, key=cost)[:KEPT] for some in ways)):
        codes = spread(centre, square.corner, corner)
        for block, choice in zip(square.sides, (change, middle), strict=True):
            codes = spread(codes, block, choice)
        found.append(codes)
    return sorted(found, key=cost)
