"""Radial squares: the data of tours that a quarter turn maps to themselves.

Let n be even, and let a = 2x - n + 1 and b = 2y - n + 1 be twice the distances of the cell (x, y) from the centre of
the n x n board. They are odd, and so are s = 2a + b and t = a - 2b, which Lemma 12 (cells of radial squares) uses.

The *interior* consists of the cells at a distance of D or more from all sides. The *side* is D rows of n - D columns
at
the bottom: it contains the bottom left corner, but not the bottom right one. A family gives the moves of the cells of
one side, in which *zones* of columns may be repeated: `added` more columns of each zone make the side of D(0), and each
step adds `grows` columns to each zone, p in all.

These are definitions, so the programs that construct tours import them; `radial` shows that each D(k) is a tour.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from kt_models.errors import CertificateError
from kt_models.json_values import integers
from kt_models.kernel.certificates.integers import Ints
from theorems.growing_tours.bundles import Bundles, read_square, write_square
from theorems.growing_tours.codes import MOVES, PAIRS, Codes, changed, read_codes, turns, write_codes
from theorems.growing_tours.zones import MAX_STEP, RIGHT_ANGLE_LINES, Zone, check_apart, read_zones, sources

KIND = "radial"
Coordinate = TypeVar("Coordinate", int, Ints)
MAX_ADDED = 400
"""Most columns of a zone that D(0) has beyond the seed."""
QUARTER_TURNED = changed(lambda move: (move - 2) % 8)
"""Codes of a cell after a quarter turn of the board to the left."""
BENDS = {
    (s, t): PAIRS.index(tuple(sorted((MOVES.index((2 * s, s)), MOVES.index((t, -2 * t))))))
    for s in (1, -1)
    for t in (1, -1)
}
"""Code of a cell where a line is bent, by the signs of s and t."""


def numbers(side: int, x: Coordinate, y: Coordinate) -> tuple[Coordinate, Coordinate]:
    """Numbers s and t of cells."""
    a, b = 2 * x - side + 1, 2 * y - side + 1
    return 2 * a + b, a - 2 * b


def lines(side: int, x: Ints, y: Ints) -> Codes:
    """Moves of cells of the interior."""
    s, t = numbers(side, x, y)
    # t modulo 5 tells the line's direction; bent lines take the side on which the cell lies
    first = np.isin(t % 5, (1, 4)) | ((t % 5 == 0) & (abs(s) > abs(t)))
    codes = np.where(first, *RIGHT_ANGLE_LINES).astype(np.uint8)
    for (sign_s, sign_t), code in BENDS.items():
        codes[(t % 5 == 0) & (abs(s) == abs(t)) & (s * sign_s > 0) & (t * sign_t > 0)] = code
    return codes


def bends(side: int, depth: int) -> int:
    """Number of bent lines: a line bends where one of the distances a and b is three times the other."""
    return 4 * (((side - 1 - 2 * depth) // 3 + 1) // 2)


@dataclass(frozen=True, eq=False)
class RadialFamily:
    """A side and its zones.

    Parameters
    ----------
    seed
        Moves of the cells of a side with one copy of each zone.
    zones
        Zones from left to right, one copy each.
    added
        Columns of each zone that D(0) has beyond the seed.
    grows
        Columns that each step adds to each zone.
    steps, slabs
        K, and the slabs of D(K) (see `lines`); all bundles have the direction 0, and stand for all four.
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
        """Side of D(k)."""
        return len(self.seed) + self.depth + sum(self.added) + k * self.step

    def steps_to(self, side: int) -> int | None:
        """Number k of the square with a side, if the family has it."""
        k, rest = divmod(side - self.side(0), self.step)
        return None if rest or k < 0 else k

    def added_at(self, k: int) -> tuple[int, ...]:
        """Columns of each zone that D(k) has beyond the seed."""
        return tuple(more + k * grown for more, grown in zip(self.added, self.grows, strict=True))

    def sources(self, k: int) -> Ints:
        """Column of the seed for every column of a side of D(k)."""
        return sources(np.arange(self.side(k) - self.depth), self.zones, self.added_at(k))

    def codes(self, k: int) -> Codes:
        """Moves at each cell of D(k)."""
        side, depth = self.side(k), self.depth
        codes = lines(side, *np.indices((side, side)))
        # Place the side at the bottom and turn the board, four times
        for _ in range(4):
            codes[: side - depth, :depth] = self.seed[self.sources(k)]
            codes = QUARTER_TURNED[codes[:, ::-1].T]
        return np.ascontiguousarray(codes)

    def turns(self, k: int) -> int:
        """Number of turns of D(k)."""
        return 4 * turns(self.seed[self.sources(k)]) + bends(self.side(k), self.depth)

    @classmethod
    def from_json(cls, data: Any) -> RadialFamily:
        """Read the family of a JSON object.

        Raises
        ------
        CertificateError
            If the data are malformed.
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
            raise CertificateError("'added' and 'grows' are whole periods of zones")
        return cls(seed, zones, tuple(added), tuple(grows), *read_square(data, 1))

    def to_json(self) -> dict[str, Any]:
        """The JSON object that `from_json` reads."""
        return {
            "seed": write_codes(self.seed),
            "zones": [[zone.start, zone.period] for zone in self.zones],
            "added": list(self.added),
            "grows": list(self.grows),
            **write_square(self.steps, self.slabs),
        }
