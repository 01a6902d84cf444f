"""Octant families: a seed, its zones, and the larger squares that they make.

These are definitions, so what constructs the tours (`heuristics.constructions.octants`) imports them; `octants` says
what the words mean, and proves that the squares have one cycle.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from kt_models.certificates.families.codes import MOVES, PAIRS, Codes, check_codes, read_codes, write_codes
from kt_models.certificates.families.zones import Zone, read_zones
from kt_models.certificates.integers import Ints, integer
from kt_models.errors import CertificateError

KIND = "octants"
CORNER, CENTRE, DIAGONAL, MIDDLE, SIDE = 10, 8, 4, 8, 8
"""How many cells each part of a quarter is wide (see `octants`)."""
STEP = 6
"""By how much half the side grows in a step."""
ZONES = {"diagonal": (6,), "middle": (6,), "bottom": (3, 3), "left": (3, 3)}
"""Periods of the zones along each part."""
STEPS = 6
"""With so many steps the copies of a zone are long enough for a cut, a slab and a margin."""


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
        The two moves at each cell of the seed; by x and y.
    diagonal, middle, bottom, left
        The zones along these parts of a quarter, of the periods `ZONES`.
    least
        The fewest steps: -1 if the zones may be left out.

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

    def __post_init__(self) -> None:
        side, other = self.codes.shape
        if side != other or side % 2 or side < 4 * CORNER:
            raise CertificateError("the seed of an octant family is a square of even side, 40 or more")
        for name, periods in ZONES.items():
            zones = getattr(self, name)
            if tuple(zone.period for zone in zones) != periods:
                raise CertificateError(f"the zones of the part {name!r} have the periods {periods}")
            margin = DIAGONAL if name == "diagonal" else 0
            ends = [CORNER + margin, *(at for zone in zones for at in (zone.start, zone.end))]
            if sorted(ends := [*ends, side // 2 - CENTRE - margin]) != ends:
                raise CertificateError(f"a zone of the part {name!r} reaches into another, a corner, or a middle")
        if not -1 <= self.least <= STEPS:
            raise CertificateError(f"the fewest steps are from -1 to {STEPS}")
        for steps in (0, 1, 2, self.least):
            check_codes(self.board_codes(steps))
        if not np.array_equal(self.board_codes(0), self.codes):
            raise CertificateError("a cell of the seed that belongs to no part is not a cell of a line")
        self._check_lines()

    def _check_lines(self) -> None:
        """Check that the cells of no part have moves along lines of the direction of their octant."""
        for quarter in range(4):
            turned = np.rot90(self.codes, -quarter)
            for cell, direction in zip(self._lines, ((2, 1), (1, 2)), strict=True):
                found = set()
                for move in PAIRS[turned[cell]]:
                    dx, dy = MOVES[move]
                    for _ in range(quarter):
                        dx, dy = dy, -dx
                    found.add((dx, dy))
                if found != {direction, (-direction[0], -direction[1])}:
                    raise CertificateError("the lines of an octant have another direction")

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
        along = {name: stretched(h0, getattr(self, name), 1 + steps) for name in ZONES}
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
        zones = {name: [[zone.start, zone.period] for zone in getattr(self, name)] for name in ZONES}
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
        return cls(codes, **zones, least=integer(data.get("least"), "least", -1, STEPS))
