"""Families of tours: a small square or rectangle, the *seed*, and the columns and rows of it that may be repeated.

The seed gives the two moves at each cell. A *zone* of columns is a run of neighbouring columns; it may be repeated
where
the two columns before it carry the same moves, in every row, as its own last two. Zones of rows likewise. Two
*growths*
say how many columns and rows they add to every zone. Lemma 1 (two moves at each cell) says why the moves fit together,
and Lemma 2 (a half turn of a family) when they are symmetric.

These are definitions, so the construction (`heuristics.constructions.strands`) imports them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from kt_models.errors import CertificateError
from kt_models.json_values import integer, integers, rows
from kt_models.kernel.certificates.integers import Ints
from theorems.growing_tours.bundles import MAX_STEPS, Slabs, read_inflations
from theorems.growing_tours.codes import MAX_SEED, PAIRS, REACH, Codes, changed, check_codes, read_codes, write_codes

KIND = "strands"
SQUARES_KIND, CHAINS_KIND = "strands-squares", "strands-chains"
"""Kinds of families of squares only: with lines of two directions, and with lines at a right angle too."""
SPIRALS_KIND = "strands-spirals"
"""Kind of families of squares whose chains do not end: see `spirals`."""
LINE = PAIRS.index((2, 6))
"""Code of a *line cell*, with the moves (2, -1) and (-2, 1)."""
LINES = (LINE, PAIRS.index((1, 5)))
"""Codes of line cells; those of the second kind, with the moves (2, 1) and (-2, -1), are mirror images of the first."""
RIGHT_ANGLE_LINES = (PAIRS.index((1, 5)), PAIRS.index((3, 7)))
"""Codes of cells on lines of the directions (2, 1) and (1, -2), which are at a right angle."""
MIRRORED = changed(lambda move: 7 - move)
"""Codes of a cell after left and right are exchanged."""
HALF_TURNED = changed(lambda move: (move + 4) % 8)
"""Codes of a cell after a half turn of the board."""
# Limits on files: they bound the size of the boards that a check follows.
MAX_ZONES, MAX_STEP, MAX_LEAST, MAX_COPIES = 8, 160, 8, 32
MAX_SQUARES = 2 * MAX_STEPS
"""Most squares of a family that are looked at one by one."""


@dataclass(frozen=True)
class Zone:
    """Neighbouring columns, or rows, of the seed from `start` on: a number of copies of a period."""

    start: int
    period: int
    copies: int = 1

    @property
    def end(self) -> int:
        """The column (row) behind the last one."""
        return self.start + self.period * self.copies


@dataclass(frozen=True)
class Growth:
    """Columns added to each zone of columns, and rows to each zone of rows, in a step; at least `least` steps."""

    columns: tuple[int, ...]
    rows: tuple[int, ...]
    least: int = 0

    @property
    def step(self) -> tuple[int, int]:
        """Columns and rows added in all."""
        return sum(self.columns), sum(self.rows)


@dataclass(frozen=True, eq=False)
class TourFamily:
    """A seed, its zones, and how they grow. The constructor checks that the zones may be repeated.

    Parameters
    ----------
    codes
        The two moves at each cell of the seed: shape (width, height), by x and y.
    columns, rows
        The zones, from left to right and from the bottom up.
    growths
        Two, in different directions.
    inflations
        Boards with slabs, as far as a file names them.

    Raises
    ------
    CertificateError
        If the moves do not fit together, a zone may not be repeated, or the growths make no sense.
    """

    codes: Codes
    columns: tuple[Zone, ...]
    rows: tuple[Zone, ...]
    growths: tuple[Growth, Growth]
    inflations: tuple[Slabs, ...] = ()

    def __post_init__(self) -> None:
        check_codes(self.codes)
        for zones, codes in ((self.columns, self.codes), (self.rows, self.codes.T)):
            check_zones(zones, codes)
        if not self.columns or not self.rows:
            raise CertificateError("a family has a zone of columns and a zone of rows")
        if len(self.growths) != 2:
            raise CertificateError("a family has two growths")
        for growth in self.growths:
            if len(growth.columns) != len(self.columns) or len(growth.rows) != len(self.rows):
                raise CertificateError("a growth has a number for every zone")
            for zone, added in zip(self.columns + self.rows, growth.columns + growth.rows, strict=True):
                if added < 0 or added % zone.period:
                    raise CertificateError("a growth adds whole periods")
        # Dependent growths could not reach all boards
        if not self._determinant:
            raise CertificateError("the growths of a family are not independent")

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the seed."""
        return self.codes.shape[0], self.codes.shape[1]

    @property
    def mirrored(self) -> TourFamily:
        """The same boards with left and right exchanged."""
        columns = _reversed(self.columns, self.size[0])
        first, second = (Growth(growth.columns[::-1], growth.rows, growth.least) for growth in self.growths)
        return TourFamily(MIRRORED[self.codes][::-1], columns, self.rows, (first, second))

    @property
    def half_turned(self) -> bool:
        """Whether a half turn maps each board to itself."""
        zones = zip((self.columns, self.rows), self.size, strict=True)
        grown = (side for growth in self.growths for side in (growth.columns, growth.rows))
        return (
            all(side_zones == _reversed(side_zones, size) for side_zones, size in zones)
            and all(side == side[::-1] for side in grown)
            and np.array_equal(self.codes, HALF_TURNED[self.codes][::-1, ::-1])
        )

    @cached_property
    def one_direction(self) -> bool:
        """Whether the intersections of zones have line cells of the first kind only."""
        left, right, low, high = self.zoned
        return bool((self.codes[left:right, low:high] == LINE).all())

    @property
    def zoned(self) -> tuple[int, int, int, int]:
        """First column of the first zone, and the one behind the last zone; the same of rows."""
        return self.columns[0].start, self.columns[-1].end, self.rows[0].start, self.rows[-1].end

    @property
    def added_side(self) -> int:
        """Growth of the side in a step, for a family that `spirals` accepts."""
        return self.growths[0].step[0]

    @property
    def _determinant(self) -> int:
        (a, b), (c, d) = (growth.step for growth in self.growths)
        return a * d - b * c

    def times(self, width: int, height: int) -> tuple[int, int] | None:
        """Steps of each growth that reach a size; `None` if the board is not of this family."""
        (a, b), (c, d) = (growth.step for growth in self.growths)
        w, h = width - self.size[0], height - self.size[1]
        # Cramer's rule in integers
        i, first = divmod(w * d - h * c, self._determinant)
        j, second = divmod(a * h - b * w, self._determinant)
        return None if first or second or not self.has(i, j) else (i, j)

    def has(self, i: int, j: int) -> bool:
        """Whether there is a board after these steps of each growth."""
        return i >= self.growths[0].least and j >= self.growths[1].least and min(self.lengths(i, j)) >= 0

    def squares(self) -> Iterator[tuple[int, int]]:
        """Steps of each growth that lead to squares, from the least one to some that are too large to be followed.

        Each further square adds one step of both growths.

        Raises
        ------
        CertificateError
            If no steps lead from square to square.
        """
        (a, b), (none, c) = (growth.step for growth in self.growths)
        ahead, rest = divmod(self.size[0] - self.size[1], c or 1)
        if none or a != b + c or rest:
            raise CertificateError("the family is not one of squares that grow by as many columns as rows")
        first = max(self.growths[0].least, self.growths[1].least - ahead)
        return ((i, i + ahead) for i in range(first, first + MAX_SQUARES) if self.has(i, i + ahead))

    def lengths(self, i: int, j: int) -> tuple[int, ...]:
        """Columns of all copies of each zone of columns; then rows of each zone of rows."""
        columns, rows = self.added((i, j))
        return tuple(
            zone.end - zone.start + more for zone, more in zip(self.columns + self.rows, columns + rows, strict=True)
        )

    def grown(self, times: Sequence[int]) -> tuple[int, int]:
        """Width and height after some steps of each growth."""
        width, height = (
            side + sum(k * growth.step[axis] for k, growth in zip(times, self.growths, strict=True))
            for axis, side in enumerate(self.size)
        )
        return width, height

    def added(self, times: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Columns and rows added to every zone."""
        pairs = [(k, growth) for k, growth in zip(times, self.growths, strict=True)]
        return (
            tuple(sum(k * growth.columns[zone] for k, growth in pairs) for zone in range(len(self.columns))),
            tuple(sum(k * growth.rows[zone] for k, growth in pairs) for zone in range(len(self.rows))),
        )

    def sources(self, times: Sequence[int]) -> tuple[Ints, Ints]:
        """Columns of the seed for every column of the larger board, and rows for every row."""
        width, height = self.grown(times)
        columns, rows_ = self.added(times)
        return sources(np.arange(width), self.columns, columns), sources(np.arange(height), self.rows, rows_)

    def codes_at(self, times: Sequence[int], cells: Ints) -> Codes:
        """The two moves at cells of the larger board, shape (m, 2), in constant time per cell."""
        columns, rows_ = self.added(times)
        return self.codes[sources(cells[:, 0], self.columns, columns), sources(cells[:, 1], self.rows, rows_)]

    def board_codes(self, times: Sequence[int]) -> Codes:
        """The two moves at each cell of the larger board."""
        return self.codes[np.ix_(*self.sources(times))]

    def repeated(self, copies: int) -> TourFamily:
        """The family whose seed has `copies` copies of each zone."""

        def longer(zones: tuple[Zone, ...], size: int) -> tuple[tuple[Zone, ...], Ints]:
            added = [(copies - 1) * (zone.end - zone.start) for zone in zones]
            grown = (Zone(z.start + sum(added[:k]), z.period, z.copies * copies) for k, z in enumerate(zones))
            return tuple(grown), sources(np.arange(size + sum(added)), zones, added)

        (columns, across), (rows_, up) = longer(self.columns, self.size[0]), longer(self.rows, self.size[1])
        return TourFamily(self.codes[np.ix_(across, up)], columns, rows_, self.growths, self.inflations)

    def to_json(self) -> dict[str, Any]:
        """The JSON object that `from_json` reads: rows of the seed from the bottom up, a letter for each cell."""
        return {
            "seed": write_codes(self.codes),
            "columns": [[zone.start, zone.period] for zone in self.columns],
            "rows": [[zone.start, zone.period] for zone in self.rows],
            "growths": [
                {"columns": list(g.columns), "rows": list(g.rows), **({"least": g.least} if g.least else {})}
                for g in self.growths
            ],
            **({"inflations": [board.to_json() for board in self.inflations]} if self.inflations else {}),
        }

    @classmethod
    def from_json(cls, data: Any) -> TourFamily:
        """Read the family of a JSON object; with `copies`, its seed has that many copies of each zone.

        Raises
        ------
        CertificateError
            If the data are malformed.
        """
        if type(data) is not dict or type(data.get("growths")) is not list or len(data["growths"]) != 2:
            raise CertificateError("a family is an object with two growths")
        first, second = (_growth(growth) for growth in data["growths"])
        columns, rows_ = (read_zones(data.get(key), key) for key in ("columns", "rows"))
        copies = integer(data.get("copies", 1), "copies", 1, MAX_COPIES)
        inflations = read_inflations(data, -MAX_LEAST)
        if "slabs" in data and (first.least or second.least):
            raise CertificateError("the squares of a family with 'slabs' begin with its seed")
        codes = read_codes(data.get("seed"))
        return TourFamily(codes, columns, rows_, (first, second), inflations).repeated(copies)


def read_zones(data: Any, name: str) -> tuple[Zone, ...]:
    """Read the zones of a file, `[start, period]` each."""
    pairs = rows(data, name, 2)
    if len(pairs) > MAX_ZONES:
        raise CertificateError(f"{name}: more than {MAX_ZONES} zones")
    return tuple(Zone(*integers(pair, name, 0, MAX_SEED)) for pair in pairs)


def _growth(data: Any) -> Growth:
    if type(data) is not dict:
        raise CertificateError("a growth is not an object")
    columns, rows_ = (tuple(integers(data.get(key), f"growth: {key}", 0, MAX_STEP)) for key in ("columns", "rows"))
    return Growth(columns, rows_, integer(data.get("least", 0), "growth: least", -MAX_LEAST, MAX_LEAST))


def sources(at: Ints, zones: Sequence[Zone], added: Sequence[int]) -> Ints:
    """Columns of the seed for columns of a board that has `added` more columns of each zone.

    `added` may be negative. The number of operations per column does not depend on the board.
    """
    seed_columns, moved = at.copy(), 0
    for zone, more in zip(zones, added, strict=True):
        begin, end = zone.start + moved, zone.end + moved + more
        seed_columns = np.where((at >= begin) & (at < end), zone.start + (at - begin) % zone.period, seed_columns)
        moved += more
        seed_columns = np.where(at >= end, at - moved, seed_columns)
    return seed_columns


def _reversed(zones: Sequence[Zone], size: int) -> tuple[Zone, ...]:
    """The zones seen from the other side; the two columns before a zone equal its last two, and take their part."""
    return tuple(replace(zone, start=size + REACH - zone.end) for zone in reversed(zones))


def check_apart(zones: Sequence[Zone], length: int) -> None:
    """Check that zones lie inside a seed of some columns, from left to right.

    Raises
    ------
    CertificateError
        Naming one that is not.
    """
    # Two columns before the first zone: they are compared with its last two
    at = REACH
    for zone in zones:
        if zone.period < 1 or zone.start < at or zone.end > length - REACH:
            raise CertificateError(
                f"zone {zone.start} to {zone.end - 1} is not inside the seed, or meets the one before"
            )
        at = zone.end


def check_zones(zones: Sequence[Zone], codes: Codes) -> None:
    """Check that zones of columns may be repeated.

    Checks Lemma 1 (two moves at each cell).

    Raises
    ------
    CertificateError
        Naming one that may not.
    """
    check_apart(zones, len(codes))
    for zone in zones:
        columns = codes[zone.start : zone.end]
        if not np.array_equal(columns[zone.period :], columns[: -zone.period]):
            raise CertificateError(f"zone {zone.start} to {zone.end - 1} does not consist of copies of a period")
        if not np.array_equal(codes[zone.start - REACH : zone.start], codes[zone.end - REACH : zone.end]):
            raise CertificateError(
                f"zone {zone.start} to {zone.end - 1} may not be repeated: what is before it differs"
            )
