"""Octant families: a seed, its zones, and the larger boards that they make.

These are definitions, so what constructs the tours (`heuristics.constructions.octants`) imports them; `octants` says
what the words mean, and proves that the boards have one cycle.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_models.certificates.integers import Ints
from kt_models.errors import CertificateError
from kt_models.reading import integer
from theorems.growing_tours.codes import MOVES, PAIRS, Codes, check_codes, read_codes, write_codes
from theorems.growing_tours.zones import Zone, read_zones

KIND = "octants"
CORNER, CENTRE, DIAGONAL, MIDDLE, SIDE = 10, 8, 4, 8, 8
"""How many cells each part of a quarter is wide (see `octants`)."""
STEP = 6
"""By how much half the width grows in a step, if the width is even."""
BAND = 2
"""By how much the height grows in a step of the band, if the width is even."""
ZONES = {"diagonal": (6,), "middle": (6,), "bottom": (3, 3), "left": (3, 3)}
"""Periods of the zones along each part, if the width is even; if it is odd, these and steps are twice as long."""
STEPS, BANDS = (6, 4), (10, 8)
"""With so many steps the copies of a zone are long enough for a cut, a slab and a margin; for even and odd widths."""
DIRECTIONS = ((2, 1), (2, -1), (1, 2), (1, -2))
"""Of lines."""

Places = tuple[Ints, Ints, Ints]
"""Of each cell of a board, by x and y: its part, and the cell of the seed with the same moves."""
BoardPart = tuple[npt.NDArray[np.bool_], Ints, Ints]
"""Which cells it has; for each, the cell of the seed."""
LEFT, RIGHT, LINES = 14, 15, 19
"""The numbers of these parts, the last being lines (2, -1)."""


def stretched(size: int, zones: Sequence[tuple[Zone, int]]) -> Ints:
    """The cell of the seed for each cell along a part, with every zone so many times."""
    pieces, at = [], 0
    for zone, times in zones:
        pieces += [np.arange(at, zone.start), np.tile(np.arange(zone.start, zone.end), times)]
        at = zone.end
    return np.concatenate([*pieces, np.arange(at, size)]).astype(np.int64)


@dataclass(frozen=True, eq=False)
class Octants:
    """A seed and its zones.

    Checks Lemma 20 (parts of octant squares).

    Parameters
    ----------
    codes
        The two moves at each cell of the seed; by x and y.
    diagonal, middle, bottom, left
        The zones along these parts of a quarter, of the periods `ZONES`.
    least
        The fewest steps: -1 if the zones may be left out.
    band
        The zone of rows of the left side that makes the board higher alone, of the period `BAND`, or none.

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
    band: tuple[Zone, ...] = ()

    def __post_init__(self) -> None:
        width, height = self.codes.shape
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
        if tuple(zone.period for zone in self.band) != (self.rows,) * (height > width):
            raise CertificateError(f"the part 'band' has one zone of the period {self.rows} if the seed is no square")
        if any(before.end > zone.start for (before, _), (zone, _) in itertools.pairwise(self._left(0, 0))):
            raise CertificateError("the zone of the band reaches into another")
        if not -1 <= self.least <= self.most[0]:
            raise CertificateError(f"the fewest steps are from -1 to {self.most[0]}")
        for steps in {0, 1, 2, self.least}:
            for bands in (0, 1, 2) if self.band else (0,):
                check_codes(self.board_codes(steps, bands))
        if not np.array_equal(self.board_codes(0), self.codes):
            raise CertificateError("a cell of the seed that belongs to no part is not a cell of a line")
        for (dx, dy), cell in zip(DIRECTIONS, self._lines, strict=True):
            if {MOVES[move] for move in PAIRS[self.codes[cell]]} != {(dx, dy), (-dx, -dy)}:
                raise CertificateError("the lines of an octant have another direction")

    @property
    def width(self) -> int:
        """Of the seed."""
        return int(self.codes.shape[0])

    @property
    def odd(self) -> int:
        """1 if the width is odd, and the right side one column farther out than that of the square; or 0."""
        return self.width % 2

    @property
    def step(self) -> int:
        """By how much half the width grows in a step."""
        return STEP * (1 + self.odd)

    @property
    def rows(self) -> int:
        """By how much the height grows in a step of the band."""
        return BAND * (1 + self.odd)

    @property
    def most(self) -> tuple[int, int]:
        """The most steps, and the most of the band, of the boards that are followed."""
        return STEPS[self.odd], BANDS[self.odd] if self.band else 0

    @property
    def longer(self) -> int:
        """By how much the height of the seed exceeds its width."""
        return int(self.codes.shape[1]) - self.width

    def steps(self, width: int, height: int) -> tuple[int, int] | None:
        """How many steps, and how many of the band, lead to a board; None if it is not of this family."""
        steps, rest = divmod(width - self.width, 2 * self.step)
        bands, odd = divmod(height - width - self.longer, self.rows)
        fits = steps >= self.least and not (rest or odd) and (bands >= 0 if self.band else bands == 0)
        return (steps, bands) if fits else None

    def size(self, steps: int, bands: int = 0) -> tuple[int, int]:
        """Width and height of a board."""
        width = self.width + 2 * self.step * steps
        return width, width + self.longer + self.rows * bands

    @property
    def _lines(self) -> tuple[tuple[int, int], ...]:
        """A line cell of the seed of each of `DIRECTIONS`."""
        width, height = self.codes.shape
        far = SIDE + DIAGONAL + 1
        return (SIDE, far), (SIDE, height - 1 - far), (far, SIDE), (width - 1 - far, SIDE)

    def _left(self, steps: int, bands: int) -> list[tuple[Zone, int]]:
        """The zones of the left side from the bottom to the top, with how often each is there.

        Those of its upper half are the zones of the bottom of the quarter that is turned there.
        """
        middle, corner = _mirrored(self.bottom, self.width - self.odd)  # the latter is farther up on a higher board
        corner = Zone(corner.start + self.longer + self.odd, corner.period)
        near = [(zone, 1 + steps) for zone in (*self.left, middle)]
        return [*near, *((zone, 1 + bands) for zone in self.band), (corner, 1 + steps)]

    def copies(self, steps: int, bands: int) -> tuple[int, int]:
        """First and last row of the left side that is a copy of the zone of the band."""
        zone = self.band[0]
        first = zone.start + sum(other.period for other in (*self.left, self.bottom[1])) * steps
        return first, first + self.rows * (1 + bands) - 1

    def places(self, steps: int, bands: int = 0) -> Places:
        """Where the cells of a board come from."""
        (w, h), (w0, h0) = self.size(steps, bands), self.codes.shape
        x, y = np.meshgrid(np.arange(w), np.arange(h), indexing="ij")
        w, w0 = w - self.odd, w0 - self.odd
        below, above = self._half(steps, bands, x, y), self._half(steps, bands, w - 1 - x, h - 1 - y)
        parts: list[BoardPart] = []
        for part, (cells, u, v) in zip(below, above, strict=True):
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

    def _half(self, steps: int, bands: int, x: Ints, y: Ints) -> list[BoardPart]:
        """The parts of one half of a board, the first that fits; the other half is treated alike after a half turn.

        With an odd width there is a column -1 or w, whose cells belong to corners, to the left side, or to the left
        middle line.
        """
        w, (w0, h0) = self.size(steps, bands)[0] - self.odd, self.codes.shape
        w0, more = w0 - self.odd, self.step * steps
        m, m0 = w // 2, w0 // 2
        diagonal, middle = (
            stretched(m0, [(zone, 1 + steps) for zone in zones]) for zones in (self.diagonal, self.middle)
        )
        left = stretched(h0, self._left(steps, bands))
        bottom = stretched(w0, [(zone, 1 + steps) for zone in (*self.bottom, *_mirrored(self.left, w0))])
        centre = m if self.band else m + CENTRE - 1  # with a band there are two of them
        far, inside = w - 1 - x, (x >= m - CENTRE) & (x < m + CENTRE)
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

    def board_codes(self, steps: int, bands: int = 0) -> Codes:
        """The two moves at each cell of the board after so many steps, and so many of the band."""
        _, u, v = self.places(steps, bands)
        return self.codes[u, v]

    def to_json(self) -> dict[str, Any]:
        """The keys of a family in a file; rows of the seed from the bottom up, a letter for each cell."""
        named = [*ZONES, "band"] if self.band else ZONES
        zones = {name: [[zone.start, zone.period] for zone in getattr(self, name)] for name in named}
        return {"seed": write_codes(self.codes), **zones, "least": self.least}

    @classmethod
    def from_json(cls, data: Any) -> Octants:
        """The family of a JSON object.

        Raises
        ------
        CertificateError
            If it is none.
        """
        if type(data) is not dict:
            raise CertificateError("a family is no object")
        codes = read_codes(data.get("seed"))
        zones = {name: read_zones(data.get(name), name) for name in ZONES}
        band = read_zones(data.get("band", []), "band")
        return cls(codes, **zones, least=integer(data.get("least"), "least", -1, max(STEPS)), band=band)


def _mirrored(zones: Sequence[Zone], size: int) -> list[Zone]:
    return [Zone(size - zone.end, zone.period) for zone in reversed(zones)]
