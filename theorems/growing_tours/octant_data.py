"""Octant families: a seed, its zones, and the larger boards that they make.

These are definitions, so the construction (`heuristics.constructions.octants`) imports them. `octants` explains the
terms and proves that the boards have one cycle.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_models.errors import CertificateError
from kt_models.json_values import integer
from kt_models.kernel.certificates.integers import Ints
from theorems.growing_tours.codes import MOVES, PAIRS, Codes, check_codes, read_codes, write_codes
from theorems.growing_tours.zones import Zone, read_zones, sources

KIND = "octants"
CORNER, CENTRE, DIAGONAL, MIDDLE, SIDE = 10, 8, 4, 8, 8
"""Widths of the parts of a quarter in cells (see `octants`)."""
STEP = 6
"""Growth of half the width in a step, if the width is even."""
HEIGHT_STEP = 2
"""Growth of the height in a height step, if the width is even."""
ZONES = {"diagonal": (6,), "middle": (6,), "bottom": (3, 3), "left": (3, 3)}
"""Periods of the zones along each part, if the width is even; for odd widths, periods and steps are twice as long."""
MAX_STEPS, MAX_HEIGHT_STEPS = (6, 4), (10, 8)
"""Steps after which copies of a zone are long enough for a cut, a slab and a margin, for even and odd widths."""
DIRECTIONS = ((2, 1), (2, -1), (1, 2), (1, -2))
"""Directions of lines."""

Places = tuple[Ints, Ints, Ints]
"""For each cell of a board, by x and y: its part, and the cell of the seed with the same moves."""
BoardPart = tuple[npt.NDArray[np.bool_], Ints, Ints]
"""The cells of a part, and for each of them the cell of the seed."""
LEFT, RIGHT, LINES = 14, 15, 19
"""Numbers of three parts; the last consists of lines (2, -1)."""


def stretched(size: int, zones: Sequence[tuple[Zone, int]]) -> Ints:
    """Cells of the seed for each cell along a part, with every zone repeated a number of times."""
    added = [(times - 1) * zone.period for zone, times in zones]
    return sources(np.arange(size + sum(added)), [zone for zone, _ in zones], added)


@dataclass(frozen=True, eq=False)
class Octants:
    """A seed and its zones.

    Checks Lemma 16 (parts of octant squares).

    Parameters
    ----------
    codes
        The two moves at each cell of the seed, by x and y.
    diagonal, middle, bottom, left
        Zones along these parts of a quarter, with the periods `ZONES`.
    least
        Least number of steps: -1 if the zones may be left out.
    height_zone
        The zone of rows of the left side that makes the board only higher, with the period `HEIGHT_STEP`; or none.

    Raises
    ------
    CertificateError
        If the moves do not fit together or the zones may not be repeated.
    """

    codes: Codes
    diagonal: tuple[Zone, ...]
    middle: tuple[Zone, ...]
    bottom: tuple[Zone, ...]
    left: tuple[Zone, ...]
    least: int = -1
    height_zone: tuple[Zone, ...] = ()

    def __post_init__(self) -> None:
        width, height = self.codes.shape
        # Room for two corners and two zones along a side
        if not 4 * CORNER <= width <= height:
            raise CertificateError("the seed of an octant family has the width 40 or more, and at least this height")
        for name, even in ZONES.items():
            zones, periods = getattr(self, name), tuple(period * self.step // STEP for period in even)
            if tuple(zone.period for zone in zones) != periods:
                raise CertificateError(f"the zones of the part {name!r} have the periods {periods}")
            margin = DIAGONAL if name == "diagonal" else 0
            ends = [CORNER + margin, *(at for zone in zones for at in (zone.start, zone.end))]
            if sorted(ends := [*ends, width // 2 - CENTRE - margin]) != ends:
                raise CertificateError(f"a zone of the part {name!r} reaches into another, a corner, or a middle")
        if tuple(zone.period for zone in self.height_zone) != (self.rows,) * (height > width):
            raise CertificateError(f"the part 'band' has one zone of the period {self.rows} if the seed is not square")
        if any(before.end > zone.start for (before, _), (zone, _) in itertools.pairwise(self._left(0, 0))):
            raise CertificateError("the zone 'band' reaches into another zone")
        if not -1 <= self.least <= self.max_steps[0]:
            raise CertificateError(f"the fewest steps are from -1 to {self.max_steps[0]}")
        # Two further copies of each zone show every neighbourhood of any board
        for steps in {0, 1, 2, self.least}:
            for height_steps in (0, 1, 2) if self.height_zone else (0,):
                check_codes(self.board_codes(steps, height_steps))
        # Cells outside all parts are drawn as lines; the seed must agree
        if not np.array_equal(self.board_codes(0), self.codes):
            raise CertificateError("a cell of the seed is in no part and on no line")
        for (dx, dy), cell in zip(DIRECTIONS, self._lines, strict=True):
            if {MOVES[move] for move in PAIRS[self.codes[cell]]} != {(dx, dy), (-dx, -dy)}:
                raise CertificateError("the lines of an octant have another direction")

    @property
    def width(self) -> int:
        """Width of the seed."""
        return int(self.codes.shape[0])

    @property
    def odd(self) -> int:
        """1 if the width is odd, with the right side one column farther out than that of the square; otherwise 0."""
        return self.width % 2

    @property
    def step(self) -> int:
        """Growth of half the width in a step."""
        return STEP * (1 + self.odd)

    @property
    def rows(self) -> int:
        """Growth of the height in a height step."""
        return HEIGHT_STEP * (1 + self.odd)

    @property
    def max_steps(self) -> tuple[int, int]:
        """Most steps, and most height steps, of the boards that are followed."""
        return MAX_STEPS[self.odd], MAX_HEIGHT_STEPS[self.odd] if self.height_zone else 0

    @property
    def extra_height(self) -> int:
        """Height of the seed less its width."""
        return int(self.codes.shape[1]) - self.width

    def steps(self, width: int, height: int) -> tuple[int, int] | None:
        """Steps and height steps that lead to a board; `None` if it is not of this family."""
        steps, rest = divmod(width - self.width, 2 * self.step)
        height_steps, odd = divmod(height - width - self.extra_height, self.rows)
        fits = (
            steps >= self.least and not (rest or odd) and (height_steps >= 0 if self.height_zone else height_steps == 0)
        )
        return (steps, height_steps) if fits else None

    def size(self, steps: int, height_steps: int = 0) -> tuple[int, int]:
        """Width and height of a board."""
        width = self.width + 2 * self.step * steps
        return width, width + self.extra_height + self.rows * height_steps

    @property
    def _lines(self) -> tuple[tuple[int, int], ...]:
        """A line cell of the seed for each of `DIRECTIONS`."""
        width, height = self.codes.shape
        far = SIDE + DIAGONAL + 1
        return (SIDE, far), (SIDE, height - 1 - far), (far, SIDE), (width - 1 - far, SIDE)

    def _left(self, steps: int, height_steps: int) -> list[tuple[Zone, int]]:
        """Zones of the left side from the bottom up, with the number of their copies.

        Those of the upper half are the bottom zones of the quarter that is turned there.
        """
        middle, corner = _mirrored(self.bottom, self.width - self.odd)  # A higher board has the corner zone farther up
        corner = Zone(corner.start + self.extra_height + self.odd, corner.period)
        near = [(zone, 1 + steps) for zone in (*self.left, middle)]
        return [*near, *((zone, 1 + height_steps) for zone in self.height_zone), (corner, 1 + steps)]

    def copies(self, steps: int, height_steps: int) -> tuple[int, int]:
        """First and last row of the left side that is a copy of the height zone."""
        zone = self.height_zone[0]
        first = zone.start + sum(below.period for below in (*self.left, self.bottom[1])) * steps
        return first, first + self.rows * (1 + height_steps) - 1

    def places(self, steps: int, height_steps: int = 0) -> Places:
        """Origins of the cells of a board."""
        (w, h), (w0, h0) = self.size(steps, height_steps), self.codes.shape
        x, y = np.meshgrid(np.arange(w), np.arange(h), indexing="ij")
        # An odd board is an even one with an extra column -1 or w
        w, w0 = w - self.odd, w0 - self.odd
        below, above = self._half(steps, height_steps, x, y), self._half(steps, height_steps, w - 1 - x, h - 1 - y)
        parts: list[BoardPart] = []
        for part, (cells, u, v) in zip(below, above, strict=True):
            # Each part, then its image under the half turn
            parts += [part, (cells, w0 - 1 - u, h0 - 1 - v)]
        rising = ((x < w // 2) & (y < w // 2)) | ((x >= w // 2) & (h - 1 - y < w // 2))
        flat = np.minimum(x, w - 1 - x) <= np.minimum(y, h - 1 - y)
        *others, last = self._lines
        for cells, (a, b) in zip((flat & rising, flat, rising), others, strict=True):
            parts.append((cells, np.full_like(x, a), np.full_like(x, b)))
        conditions = [cells for cells, _, _ in parts]
        return (
            np.select(conditions, list(range(len(parts))), len(parts)),
            np.select(conditions, [u for _, u, _ in parts], last[0]),
            np.select(conditions, [v for _, _, v in parts], last[1]),
        )

    def _half(self, steps: int, height_steps: int, x: Ints, y: Ints) -> list[BoardPart]:
        """Parts of one half of a board, in order of precedence; the other half is its image under the half turn.

        With an odd width there is a column -1 or w. Its cells belong to corners, to the left side, or to the left
        middle line.
        """
        w, (w0, h0) = self.size(steps, height_steps)[0] - self.odd, self.codes.shape
        w0, more = w0 - self.odd, self.step * steps
        m, m0 = w // 2, w0 // 2
        diagonal, middle = (
            stretched(m0, [(zone, 1 + steps) for zone in zones]) for zones in (self.diagonal, self.middle)
        )
        left = stretched(h0, self._left(steps, height_steps))
        bottom = stretched(w0, [(zone, 1 + steps) for zone in (*self.bottom, *_mirrored(self.left, w0))])
        centre = m if self.height_zone else m + CENTRE - 1  # Higher boards have two centres
        far, inside = w - 1 - x, (x >= m - CENTRE) & (x < m + CENTRE)
        # Positions along the diagonals: stretched by the mean of both coordinates
        mean, mirrored = (np.minimum((across + y) // 2, m - 1) for across in (x, far))
        shift, back = mean - diagonal[mean], mirrored - diagonal[mirrored]
        across_middle = np.where(x < 0, x, middle[np.minimum(x, m - 1)])
        return [
            ((x < CORNER) & (y < CORNER), x, y),
            ((far < CORNER) & (y < CORNER), x - 2 * more, y),
            (inside & (y >= m - CENTRE) & (y <= centre), x - more, y - more),
            ((np.abs(y - x) <= DIAGONAL) & (x < m) & (y < m), x - shift, y - shift),
            ((np.abs(y - far) <= DIAGONAL) & (far < m) & (y < m), w0 - 1 - far + back, y - back),
            ((x < m - CENTRE) & (y >= m - MIDDLE) & (y < m + MIDDLE - 1), across_middle, y - more),
            ((y < m) & (x > m - MIDDLE) & (x < m + MIDDLE), x - more, middle[np.minimum(y, m - 1)]),
            (x < SIDE, x, left[y]),
            (y < SIDE, bottom[np.minimum(x, w - 1)], y),
        ]

    def board_codes(self, steps: int, height_steps: int = 0) -> Codes:
        """The two moves at each cell of a board."""
        _, u, v = self.places(steps, height_steps)
        return self.codes[u, v]

    def to_json(self) -> dict[str, Any]:
        """The JSON object that `from_json` reads: rows of the seed from the bottom up, a letter for each cell."""
        named = {name: getattr(self, name) for name in ZONES}
        named |= {"band": self.height_zone} if self.height_zone else {}
        zones = {name: [[zone.start, zone.period] for zone in part] for name, part in named.items()}
        return {"seed": write_codes(self.codes), **zones, "least": self.least}

    @classmethod
    def from_json(cls, data: Any) -> Octants:
        """Read the family of a JSON object.

        Raises
        ------
        CertificateError
            If the data are malformed.
        """
        if type(data) is not dict:
            raise CertificateError("a family is not an object")
        codes = read_codes(data.get("seed"))
        zones = {name: read_zones(data.get(name), name) for name in ZONES}
        height_zone = read_zones(data.get("band", []), "band")
        return cls(
            codes, **zones, least=integer(data.get("least"), "least", -1, max(MAX_STEPS)), height_zone=height_zone
        )


def _mirrored(zones: Sequence[Zone], size: int) -> list[Zone]:
    return [Zone(size - zone.end, zone.period) for zone in reversed(zones)]
