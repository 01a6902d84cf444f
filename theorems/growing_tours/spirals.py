"""Tours of squares of all sizes with lines of the directions (2, 1) and (1, -2): one cycle, by taking lines away.

Lemma 25 (taking lines away) says why the number of cycles stays.  Turns and boards are those of `strands`.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np

from kt_models.errors import CertificateError
from kt_models.limits import NO_LIMITS, Limits
from kt_models.reading import integer
from theorems.growing_tours.chains import SquareBoard, check_grows
from theorems.growing_tours.slabs import MAX_MARGINS
from theorems.growing_tours.spiral_shapes import (
    FARTHEST,
    LEAST_PERIOD,
    LinePort,
    Spiral,
    SpiralShape,
    SpiralSides,
)
from theorems.growing_tours.strands import MAX_FAMILIES, keeps, serves
from theorems.growing_tours.zones import ACROSS, SPIRALS_KIND, TourFamily
from theorems.statement import FamilyKind, FamilyStatement, sharing

MOST_PERIOD, MAX_SHAPES = 30, 3000
WINDOWS = 160, 80
"""W in steps -1 and 0."""


@dataclass(frozen=True, eq=False)
class SpiralFamily(TourFamily):
    """A family with the period P of what its sides join after some steps."""

    period: int

    @cached_property
    def windows(self) -> tuple[int, ...]:
        """W in the steps that are the same for all squares of the family, and in those behind them; it never grows.

        From one square to the next N less the near cut grows by a number that is known.  It has to be a multiple of 2P.

        Raises
        ------
        CertificateError
            If there are fewer such steps than windows that are wider.
        """
        found, more = [], self.added_side
        while more % (2 * self.period) == 0:
            found.append(more)
            more = self.added_side - more // 2
        if len(found) < len(WINDOWS):
            raise CertificateError("the first steps are not the same for all squares of the family")
        return *WINDOWS, *[2 * self.period + 4] * (len(found) - 1)

    @cached_property
    def depth(self) -> int:
        """How many columns and rows there are at each side that do not belong to the interior.

        Raises
        ------
        CertificateError
            If some are in zones: what is repeated would leave the margin.
        """
        other = np.argwhere(~np.isin(self.codes, ACROSS))
        found = int(np.minimum(other, np.array(self.size) - 1 - other).min(axis=1).max()) + 1
        (left, right, low, high), (width, height) = self.zoned, self.size
        if found > min(left, width - right, low, height - high):
            raise CertificateError("a zone has cells that are in no line near a side")
        return found

    @classmethod
    def from_json(cls, data: Any) -> SpiralFamily:
        """The family of a JSON object that has `period`.

        Raises
        ------
        CertificateError
            If it is none.
        """
        family = TourFamily.from_json(data)
        own = {field.name: getattr(family, field.name) for field in fields(TourFamily)}
        return cls(**own, period=integer(data.get("period"), "period", LEAST_PERIOD, MOST_PERIOD))


def least_size(period: int, window: int) -> int:
    """S: windows and what routes need between them fit into half a spiral of this size."""
    return 10 * period + 4 * window


@dataclass(frozen=True, eq=False)
class SpiralBoard(SquareBoard):
    """D(k), its ports and where its paths are."""

    family: SpiralFamily

    @property
    def box(self) -> tuple[int, int, int, int]:
        """Of the interior: all cells that are so far from the sides as there are line cells alone."""
        depth, side = self.family.depth, self.last + 1
        return depth, side - depth, depth, side - depth

    @property
    def last(self) -> int:
        """N."""
        return int(self.family.grown((self.k, self.k))[0]) - 1

    @cached_property
    def pairs(self) -> dict[LinePort, LinePort]:
        """Of ports, with the flat ends that are only thought.

        Raises
        ------
        CertificateError
            If two ports have one name.
        """
        begins, ends = self.ends[:, 1], np.roll(self.ends[:, 0], -1, axis=0)
        runs = zip(self.direction.tolist(), self.number.tolist(), begins.tolist(), ends.tolist(), strict=True)
        named = [
            (self._name(way, number, a[way] < b[way]), self._name(way, number, a[way] > b[way]))
            for way, number, a, b in runs
        ]
        found: dict[LinePort, LinePort] = {}
        for number, (one, _) in enumerate(named):
            other = named[number - 1][1]
            found[one], found[other] = other, one
        for side, _, at in [port for port in found if port[1] and port[2] > self.last]:
            found[(side - 1) % 4, 0, 2 * (self.last - at)] = (side + 1) % 4, 0, 2 * (at - 2 * self.last)
        if len(found) != 2 * len(named) + sum(1 for port in found if port[2] < 0):
            raise CertificateError("two ends of lines are in one place")
        return found

    def _name(self, direction: int, number: int, low: bool) -> LinePort:
        """The port at the left (direction 0) or lower (direction 1) end of a line, or at the other end."""
        last = self.last
        if direction == 0:
            if low:
                return (0, 0, 2 * number) if number >= 0 else (3, 1, 2 * last + number)
            return (1, 1, last - number) if number > -last else (2, 0, 2 * (-last - number))
        if low:
            return (0, 1, number) if number < 2 * last else (1, 0, 2 * (number - 2 * last))
        return (3, 0, 2 * (last - number)) if number <= last else (2, 1, 3 * last - number)

    def start(self, period: int, window: int) -> Spiral:
        """The spiral of this square, D(K), before step -1; its shape is that of all D(K + h).

        Checks Lemma 27 (the first spiral).

        In D(K + h) there are two zones of columns that are longer by ph/2 each, and the same of rows.  The *middle* of
        such a zone is one of its periods.  Of each path it is checked, along both axes, that all its cells are before
        the middle, or all behind it, or all in the zone.  Take the paths moved by 0 if they have a cell before the
        first middle; by ph/2 if they have one between the two, by ph if they have one behind the second, and by 0, a
        period and so on if they have one in a middle.  They are paths of D(K + h), and have all margin cells of it.  So
        all its cells are on cycles with ports.  The middles have a distance from the windows of the cuts 0, N/2 and N
        that is greater than that of the cells of ports from their places.  So in these windows D(K + h) has the pairs
        that D(K) has there, and elsewhere it has the usual ones.

        Raises
        ------
        CertificateError
            If this is not so.
        """
        family, last = self.family, self.last
        self._check_paths(window + 2 * family.depth)
        periods = {zone.period for zone in family.columns + family.rows}
        own = max(periods)
        if len(periods) > 1 or period % own or family.added_side % (2 * period):
            raise CertificateError("the periods of a family do not fit together")
        quarter = 2 * (last // 4)
        pattern = {}
        for (side, steep, at), other in self.pairs.items():
            if quarter <= at < quarter + 2 * own:
                if other[0] != side or abs(other[2] - at) > 2 * FARTHEST:
                    raise CertificateError("the middle of a zone of a side is not joined in itself")
                pattern[side, steep, at % (2 * own)] = other[1], other[2] - at
        sides = SpiralSides(tuple(sorted(pattern.items())), own, period)
        return Spiral(sides, last, (-last, 0, last, last // 2), self.pairs, {}, window)

    def _check_paths(self, slack: int) -> None:
        """Check what `start` says of the paths, and that the middles are so far from the places of the cuts."""
        family, last = self.family, self.last
        added = family.added((self.k, self.k))
        cells, path = self.margin
        starts = np.flatnonzero(np.diff(path, prepend=-1))
        for axis, zones in enumerate((family.columns, family.rows)):
            growth = family.growths[axis]
            if len(zones) != 2 or {*(growth.columns, growth.rows)[axis]} != {family.added_side // 2}:
                raise CertificateError("a square of the family does not grow in two zones by as much")
            least, most = (of.reduceat(cells[:, axis], starts) for of in (np.minimum, np.maximum))
            begun = 0
            for number, (zone, more) in enumerate(zip(zones, added[axis], strict=True)):
                start, end = zone.start + begun, zone.end + begun + more
                middle = (start + end - zone.period) // 2
                behind = middle + zone.period
                bounds = number * last // 2 + slack, (number + 1) * last // 2 - slack
                in_place = (most < middle) | (least >= behind) | ((least >= start) & (most < end))
                if not in_place.all() or not bounds[0] < middle < behind < bounds[1]:
                    raise CertificateError("a path of margin cells is not in one place as the family grows")
                begun += more


KnownShapes = frozenset[tuple[SpiralSides, SpiralShape]]
"""Shapes whose spirals of a size from S/2 - 2 on have one cycle."""


def check_larger(board: SpiralBoard, limits: Limits = NO_LIMITS, known: KnownShapes = frozenset()) -> KnownShapes:
    """Check that all squares of a family from one on have one cycle, given that this one has.

    Checks Lemma 28 (shapes of spirals).

    Returns
    -------
    What is known then: also of the shapes that they come to after the steps that are the same for all.

    Raises
    ------
    CertificateError
        If the argument does not hold for the family, or some have several.
    Stopped
        If the limits do not suffice.
    """
    family = board.family
    spiral = board.start(family.period, family.windows[0])
    shape, sides, last, near = spiral.shape(), spiral.sides, board.last, 0
    for number, window in enumerate(family.windows[:-1]):
        bit = (last - near) // family.period % 2
        own = shape.spiral(sides, bit, least_size(family.period, window), window)
        shape, near = own.step(family.windows[number + 1]).next_shape(), (last - near) // 2
    period, width = family.period, family.windows[-1]
    least = least_size(period, width)
    found, new = {*known, (sides, shape)}, [] if (sides, shape) in known else [shape]
    while new:
        limits.check()
        shape = new.pop()
        for bit in (0, 1):
            for size in range(least // 2 - 2, least, 2 * period):
                if shape.spiral(sides, bit, size, width).cycles > 1:
                    raise CertificateError("some squares of the family have several cycles")
            other = shape.spiral(sides, bit, least, width).step(width).next_shape()
            if (sides, other) not in found:
                found.add((sides, other))
                new.append(other)
        if len(found) > MAX_SHAPES:
            raise CertificateError(f"there are more than {MAX_SHAPES} shapes")
    return frozenset(found)


class SpiralProver:
    """Checks families, and knows the shapes of those before."""

    known: KnownShapes = frozenset()

    def check(self, family: SpiralFamily, limits: Limits = NO_LIMITS, cells: int = MAX_MARGINS) -> int:
        """The same as `check_chains`, by the argument of this module."""
        check_grows(family, ACROSS)
        board = SpiralBoard(family, 0)
        followed = board.check_one_cycle(cells)
        needed = [least_size(family.period, window) + 3 for window in family.windows[:-1]]
        while board.last < max(size << number for number, size in enumerate(needed)):
            limits.check()
            board = SpiralBoard(family, board.k + 1)
            followed += board.check_one_cycle(cells - followed)
        self.known = check_larger(board, limits, self.known)
        return followed


def check(data: Any, limits: Limits = NO_LIMITS) -> tuple[FamilyStatement, ...]:
    """Check the claims of a file of kind `strands-spirals`; errors are those of `FamilyKind.check`."""
    prove = sharing(MAX_MARGINS, SpiralProver().check)
    return FamilyKind(
        SPIRALS_KIND, "families", MAX_FAMILIES, ("squares",), SpiralFamily.from_json, prove, keeps, serves
    ).check(data, limits)
