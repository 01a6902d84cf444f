"""An *octant family*: one closed tour of a small square, the seed, that grows to any larger square of its class.

The two diagonals and the two middle lines part a square into eight octants. In each the interior is filled with
parallel lines, (1,2) or (2,1) up to signs, that start at the side which the octant has. Where two octants meet, the
lines of one are joined to those of the other: around a corner across a diagonal, around the middle of a side across
a middle line. Nothing crosses there unless that is wanted (see `docs/few-crossings.md` for why it is, on the
diagonals).

So only these cells have moves of their own: those near the sides, the diagonals and the middle lines, where the
moves repeat, and four corners, four middles of sides and the centre, where they do not. A square is parted into four
*quarters*, which are treated alike: the one at the bottom left, and its images under quarter turns. Within that
quarter cell (x, y), and h half the side, these parts are told apart, the first that fits:

- the corner, x and y < `CORNER`;
- the centre, x and y >= h - `CENTRE`;
- the diagonal, abs(y - x) <= `DIAGONAL`;
- the left middle line, y >= h - `MIDDLE` (and the cells beside the lower one, x >= h - `MIDDLE`);
- the left side, x < `SIDE`, and the bottom, y < `SIDE`;
- the rest: cells of lines, (2,1) above the diagonal and (1,2) below it.

A board that is 12 j larger has 6 j more cells along each of these parts. There a *zone* of the seed is repeated 1 +
j times: 6 cells of the diagonal and of the middle line, 3 of each side near the corner and 3 near the middle (where
the left side has another pattern). What is beyond a zone moves on. `check_octants` shows that one cycle comes of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from heuristics.strands.family import LETTERS, Codes, Ints, Zone, check_codes
from kt_models.errors import KTError

CORNER, CENTRE, DIAGONAL, MIDDLE, SIDE = 10, 8, 4, 8, 8
"""How many cells each part of a quarter is wide (see the module)."""
STEP = 6
"""By how much half the side grows in a step."""
ZONES = ("diagonal", "middle", "bottom", "left")


def stretched(size: int, zones: tuple[Zone, ...], times: int) -> Ints:
    """The cell of the seed for each cell along a part, with every zone so many times."""
    pieces, at = [], 0
    for zone in zones:
        pieces += [np.arange(at, zone.start), np.tile(np.arange(zone.start, zone.end), times)]
        at = zone.end
    return np.concatenate([*pieces, np.arange(at, size)]).astype(np.int64)


@dataclass(frozen=True, eq=False)
class Octants:
    """A seed and its zones.

    Parameters
    ----------
    codes
        The two moves at each cell of the seed, as an index into `heuristics.strands.family.PAIRS`; by x and y.
    diagonal, middle, bottom, left
        The zones along these parts of a quarter; each adds up to 6 cells.
    least
        The fewest steps: -1 if the zones may be left out.

    Raises
    ------
    KTError
        If the moves do not fit together or the zones may not be repeated.
    """

    codes: Codes
    diagonal: tuple[Zone, ...]
    middle: tuple[Zone, ...]
    bottom: tuple[Zone, ...]
    left: tuple[Zone, ...]
    least: int = -1

    def __post_init__(self) -> None:
        side, other = self.codes.shape
        if side != other or side % 2 or side < 4 * CORNER:
            raise KTError("the seed of an octant family is a square of even side, 40 or more")
        if any(sum(zone.period for zone in getattr(self, name)) != STEP for name in ZONES):
            raise KTError(f"the zones along each part add up to {STEP} cells")
        for name in ZONES:
            first, last = CORNER, side // 2 - CENTRE
            if name == "diagonal":
                first, last = first + DIAGONAL, last - DIAGONAL
            if any(zone.start < first or zone.end > last for zone in getattr(self, name)):
                raise KTError(f"a zone of the part {name!r} reaches into a corner, the centre, or the middle of a side")
        for steps in (0, 1, 2, self.least):
            check_codes(self.board_codes(steps))
        if not np.array_equal(self.board_codes(0), self.codes):
            raise KTError("a cell of the seed that belongs to no part is not a cell of a line")

    @property
    def side(self) -> int:
        """Of the seed."""
        return int(self.codes.shape[0])

    def steps(self, side: int) -> int | None:
        """How many steps lead to a board of a side; None if it is not of this family."""
        steps, rest = divmod(side - self.side, 2 * STEP)
        return None if rest or steps < self.least else steps

    @cached_property
    def _lines(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """A line cell of the seed above the diagonal of its quarter, and one below it."""
        y = SIDE + DIAGONAL + 1
        return (SIDE, y), (y, SIDE)

    def sources(self, steps: int) -> tuple[Ints, Ints]:
        """For each cell of the bottom left quarter, the cell of the seed with the same moves: two (h, h) arrays."""
        h0, more = self.side // 2, STEP * steps
        h = h0 + more
        along = {
            name: stretched(h0, zones, 1 + steps) for name, zones in ((name, getattr(self, name)) for name in ZONES)
        }
        x, y = np.meshgrid(np.arange(h), np.arange(h), indexing="ij")
        shift = (mean := (x + y) // 2) - along["diagonal"][mean]
        (above_x, above_y), (below_x, below_y) = self._lines
        parts = [
            ((x < CORNER) & (y < CORNER), x, y),
            ((x >= h - CENTRE) & (y >= h - CENTRE), x - more, y - more),
            (np.abs(y - x) <= DIAGONAL, x - shift, y - shift),
            (y >= h - MIDDLE, along["middle"][x], y - more),
            (x >= h - MIDDLE, x - more, along["middle"][y]),
            (x < SIDE, x, along["left"][y]),
            (y < SIDE, along["bottom"][x], y),
            (y > x, np.full_like(x, above_x), np.full_like(x, above_y)),
        ]
        which = [part for part, _, _ in parts]
        return np.select(which, [u for _, u, _ in parts], below_x), np.select(which, [v for _, _, v in parts], below_y)

    def board_codes(self, steps: int) -> Codes:
        """The two moves at each cell of the board after so many steps."""
        x, y = self.sources(steps)
        h0, h = self.side // 2, len(x)
        codes = np.empty((2 * h, 2 * h), dtype=np.uint8)
        for quarter in range(4):  # seed and board are turned back until it is at the bottom left
            np.rot90(codes, -quarter)[:h, :h] = np.rot90(self.codes, -quarter)[:h0, :h0][x, y]
        return codes

    def to_json(self) -> dict[str, Any]:
        """The keys of a family in a file; rows of the seed from the bottom up, a letter for each cell."""
        letters = np.array(list(LETTERS))
        zones = {name: [[zone.start, zone.period] for zone in getattr(self, name)] for name in ZONES}
        return {"seed": ["".join(letters[row]) for row in self.codes.T], **zones, "least": self.least}

    @classmethod
    def from_json(cls, data: Any) -> Octants:
        """The family of a JSON object.

        Raises
        ------
        KTError
            If it is none.
        """
        try:
            codes = np.array([[LETTERS.index(letter) for letter in row] for row in data["seed"]], dtype=np.uint8).T
            zones = {name: tuple(Zone(*map(int, zone)) for zone in data[name]) for name in ZONES}
            least = int(data["least"])
        except (KeyError, TypeError, ValueError) as error:
            raise KTError(f"not a family of octant tours: {error}") from None
        return cls(codes, **zones, least=least)
