"""Radial squares: all that is needed to draw tours that a quarter turn maps to themselves.

Let n be even, and let a = 2x - n + 1 and b = 2y - n + 1 be twice the distances of the cell (x, y) from the centre of
the n x n board.  They are odd, and so are s = 2a + b and t = a - 2b, which Lemma 16 (cells of radial squares) uses.

The *interior* has the cells that are D or more from all sides.  The *side* is D rows of n - D columns at the bottom: it
has the bottom left corner and not the bottom right one.  A family has the moves of the cells of one side, in which
*zones* of columns may be repeated: so many more columns of each zone (`added`) make the side of D(0), and each step
adds some to each zone (`grows`), p columns in all.

These are definitions, so what constructs the tours imports them; `radial` shows that each D(k) is a tour.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from kt_models.certificates.integers import Ints
from kt_models.errors import CertificateError
from kt_models.reading import integer, integers
from theorems.growing_tours.codes import MOVES, PAIRS, Codes, read_codes, write_codes
from theorems.growing_tours.slabs import MAX_STEPS, Bundles, read_slabs
from theorems.growing_tours.zones import ACROSS, MAX_STEP, Zone, check_apart, read_zones, sources

KIND = "radial"
Coordinate = TypeVar("Coordinate", int, Ints)
MAX_ADDED = 400
"""Most columns that D(0) has more of a zone than the seed."""
TURNED = np.array([PAIRS.index(tuple(sorted(((a - 2) % 8, (b - 2) % 8)))) for a, b in PAIRS], dtype=np.uint8)
"""The code of a cell after the board is turned by a quarter to the left."""
BENDS = {
    (one, other): PAIRS.index(tuple(sorted((MOVES.index((2 * one, one)), MOVES.index((other, -2 * other))))))
    for one in (1, -1)
    for other in (1, -1)
}
"""By the signs of s and t: the code of a cell where a line is bent."""


def numbers(side: int, x: Coordinate, y: Coordinate) -> tuple[Coordinate, Coordinate]:
    """The numbers s and t of a cell, or of cells."""
    a, b = 2 * x - side + 1, 2 * y - side + 1
    return 2 * a + b, a - 2 * b


def lines(side: int, x: Ints, y: Ints) -> Codes:
    """The moves of cells of the interior."""
    s, t = numbers(side, x, y)
    first = np.isin(t % 5, (1, 4)) | ((t % 5 == 0) & (abs(s) > abs(t)))
    codes = np.where(first, *ACROSS).astype(np.uint8)
    for (one, other), code in BENDS.items():
        codes[(t % 5 == 0) & (abs(s) == abs(t)) & (s * one > 0) & (t * other > 0)] = code
    return codes


def bends(side: int, depth: int) -> int:
    """How many lines are bent in an interior: there where one of the distances a and b is three times the other."""
    return 4 * (((side - 1 - 2 * depth) // 3 + 1) // 2)


@dataclass(frozen=True, eq=False)
class RadialFamily:
    """A side and its zones.

    Parameters
    ----------
    seed
        The moves of the cells of a side with one copy of each zone.
    zones
        From the left to the right, one copy each.
    added
        Columns of each zone that D(0) has more.
    grows
        Columns that each step adds to each zone.
    steps, slabs
        K, and the slabs of D(K) (see `slabs`); all bundles have the direction 0, and are meant for all four.
    """

    seed: Codes
    zones: tuple[Zone, ...]
    added: tuple[int, ...]
    grows: tuple[int, ...]
    steps: int
    slabs: tuple[Bundles, ...]

    @property
    def depth(self) -> int:
        """D."""
        return self.seed.shape[1]

    @property
    def step(self) -> int:
        """p."""
        return sum(self.grows)

    def side(self, k: int) -> int:
        """Of D(k)."""
        return len(self.seed) + self.depth + sum(self.added) + k * self.step

    def steps_to(self, side: int) -> int | None:
        """The number k of the square of a side, if the family has it."""
        k, rest = divmod(side - self.side(0), self.step)
        return None if rest or k < 0 else k

    def added_at(self, k: int) -> tuple[int, ...]:
        """Columns of each zone that D(k) has more than the seed."""
        return tuple(more + k * grown for more, grown in zip(self.added, self.grows, strict=True))

    def sources(self, k: int) -> Ints:
        """The seed's column for every column of a side of D(k)."""
        return sources(np.arange(self.side(k) - self.depth), self.zones, self.added_at(k))

    def codes(self, k: int) -> Codes:
        """The moves at each cell of D(k)."""
        side, depth = self.side(k), self.depth
        found = lines(side, *np.indices((side, side)))
        for _ in range(4):
            found[: side - depth, :depth] = self.seed[self.sources(k)]
            found = TURNED[found[:, ::-1].T]
        return np.ascontiguousarray(found)

    def turns(self, k: int) -> int:
        """How many turns D(k) has."""
        turning = np.array([b - a != 4 for a, b in PAIRS])[self.seed].sum(axis=1)
        return 4 * int(turning[self.sources(k)].sum()) + bends(self.side(k), self.depth)

    @classmethod
    def from_json(cls, data: Any) -> RadialFamily:
        """The family of a JSON object.

        Raises
        ------
        CertificateError
            If it is none.
        """
        if type(data) is not dict:
            raise CertificateError("a family is an object")
        seed, zones = read_codes(data.get("seed")), read_zones(data.get("zones"), "zones")
        check_apart(zones, len(seed))
        added, grows = (
            integers(data.get("added"), "added", 0, MAX_ADDED),
            integers(data.get("grows"), "grows", 0, MAX_STEP),
        )
        if not len(zones) == len(added) == len(grows) or not sum(grows):
            raise CertificateError("'added' and 'grows' have a number for each zone, and a step adds some columns")
        if any(more % zone.period for side in (added, grows) for zone, more in zip(zones, side, strict=True)):
            raise CertificateError("zones have whole periods more")
        steps = integer(data.get("steps"), "steps", 0, MAX_STEPS)
        return cls(seed, zones, tuple(added), tuple(grows), steps, read_slabs(data.get("slabs"), 1))

    def to_json(self) -> dict[str, Any]:
        """The JSON object that `from_json` reads."""
        return {
            "seed": write_codes(self.seed),
            "zones": [[zone.start, zone.period] for zone in self.zones],
            "added": list(self.added),
            "grows": list(self.grows),
            "steps": self.steps,
            "slabs": [[[one.direction, one.first, one.lines] for one in slab] for slab in self.slabs],
        }
