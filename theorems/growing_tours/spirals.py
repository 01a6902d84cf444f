"""Spirals: tours of squares with lines of the directions (2, 1) and (1, -2), as one cycle, by taking lines away.

Lemma 21 (taking lines away) says why the number of cycles stays the same. Turns and boards are those of `strands`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from kt_models.errors import CertificateError
from kt_models.json_values import integer
from kt_models.kernel.certificates.integers import Ints
from kt_models.limits import NO_LIMITS, Limits
from theorems.growing_tours.bundles import Slabs
from theorems.growing_tours.lines import MAX_MARGINS
from theorems.growing_tours.rectangles import RectangleBoard
from theorems.growing_tours.spiral_shapes import (
    MAX_PARTNER_DISTANCE,
    MIN_PERIOD,
    LinePort,
    Spiral,
    SpiralShape,
    SpiralSides,
)
from theorems.growing_tours.strands import MAX_FAMILIES, check_covered, check_lines, satisfies
from theorems.growing_tours.zones import RIGHT_ANGLE_LINES, SPIRALS_KIND, TourFamily
from theorems.statement import FamilyKind, FamilyStatement, sharing

MAX_PERIOD, MAX_SHAPES = 30, 3000
WINDOWS = 160, 80
"""W in steps -1 and 0."""


@dataclass(frozen=True, eq=False)
class SpiralFamily(TourFamily):
    """A family whose sides join ports with the period P after some steps."""

    period: int = 0

    @cached_property
    def windows(self) -> tuple[int, ...]:
        """W in the steps that are the same for all squares of the family, and in later steps; it never grows.

        From one square to the next, N less the near cut grows by a known number, which must be a multiple of 2P.

        Raises
        ------
        CertificateError
            If there are fewer such steps than wide windows.
        """
        growths_by_step, more = [], self.added_side
        # A step halves the growth; the steps agree as long as it is a multiple of 2P
        while more % (2 * self.period) == 0:
            growths_by_step.append(more)
            more = self.added_side - more // 2
        if len(growths_by_step) < len(WINDOWS):
            raise CertificateError("the first steps are not the same for all squares of the family")
        return *WINDOWS, *[2 * self.period + 4] * (len(growths_by_step) - 1)

    @cached_property
    def depth(self) -> int:
        """Number of columns and rows at each side that do not belong to the interior.

        Raises
        ------
        CertificateError
            If some of them are in zones, so that a repetition would leave the margin.
        """
        # The deepest cell off all lines determines the margin
        off_lines = np.argwhere(~np.isin(self.codes, RIGHT_ANGLE_LINES))
        depth = int(np.minimum(off_lines, np.array(self.size) - 1 - off_lines).min(axis=1).max()) + 1
        (left, right, low, high), (width, height) = self.zoned, self.size
        if depth > min(left, width - right, low, height - high):
            raise CertificateError("a zone has cells near a side that are on no line")
        return depth

    @classmethod
    def from_json(cls, data: Any) -> SpiralFamily:
        """Read the family of a JSON object with `period`.

        Raises
        ------
        CertificateError
            If the data are malformed.
        """
        return cls(
            **vars(TourFamily.from_json(data)), period=integer(data.get("period"), "period", MIN_PERIOD, MAX_PERIOD)
        )


def least_size(period: int, window: int) -> int:
    """S: half a spiral of this size has room for the windows and for the routes between them."""
    return 10 * period + 4 * window


@dataclass(frozen=True, eq=False)
class SpiralBoard(RectangleBoard):
    """The square D(k), its ports, and its paths."""

    family: SpiralFamily

    @classmethod
    def of(cls, family: SpiralFamily, k: int) -> SpiralBoard:
        """D(k)."""
        return cls(family, Slabs((k, k)))

    @property
    def box(self) -> tuple[int, int, int, int]:
        """The interior: all cells at a distance from the sides at which there are only line cells."""
        depth, side = self.family.depth, self.last + 1
        return depth, side - depth, depth, side - depth

    @property
    def last(self) -> int:
        """N."""
        return self.size[0] - 1

    @cached_property
    def margin(self) -> tuple[Ints, Ints]:
        """The cells of all paths, and to which path each belongs."""
        margin = ~self.nodes.inner
        return self.nodes.cells[margin], self.path[margin]

    @cached_property
    def pairs(self) -> dict[LinePort, LinePort]:
        """Pairs of ports, including the flat ends outside the square.

        Raises
        ------
        CertificateError
            If two ports have the same name.
        """
        cells = self.nodes.cells
        begins, ends = (cells[self.beside[self.first + end]] for end in (0, 1))
        runs = zip(
            *(of.tolist() for of in self.line(begins, self.walk.into)), begins.tolist(), ends.tolist(), strict=True
        )
        named = [
            (self._name(way, number, a[way] < b[way]), self._name(way, number, a[way] > b[way]))
            for way, number, a, b in runs
        ]
        pairs: dict[LinePort, LinePort] = {}
        for number, (begin, _) in enumerate(named):
            end = named[number - 1][1]
            pairs[begin], pairs[end] = end, begin
        for side, _, at in [port for port in pairs if port[1] and port[2] > self.last]:
            pairs[(side - 1) % 4, 0, 2 * (self.last - at)] = (side + 1) % 4, 0, 2 * (at - 2 * self.last)
        if len(pairs) != 2 * len(named) + sum(1 for port in pairs if port[2] < 0):
            raise CertificateError("two ends of lines are in one place")
        return pairs

    def _name(self, direction: int, number: int, low: bool) -> LinePort:
        """Port at the left (direction 0) or lower (direction 1) end of a line, or at the other end."""
        last = self.last
        if direction == 0:
            if low:
                return (0, 0, 2 * number) if number >= 0 else (3, 1, 2 * last + number)
            return (1, 1, last - number) if number > -last else (2, 0, 2 * (-last - number))
        if low:
            return (0, 1, number) if number < 2 * last else (1, 0, 2 * (number - 2 * last))
        return (3, 0, 2 * (last - number)) if number <= last else (2, 1, 3 * last - number)

    def start(self, period: int, window: int) -> Spiral:
        """The spiral of this square, D(K), before step -1; all D(K + h) have its shape.

        Checks Lemma 23 (the first spiral).

        Raises
        ------
        CertificateError
            If a condition fails.
        """
        family, last = self.family, self.last
        self._check_paths(window + 2 * family.depth)
        periods = {zone.period for zone in family.columns + family.rows}
        zone_period = max(periods)
        if len(periods) > 1 or period % zone_period or family.added_side % (2 * period):
            raise CertificateError("the periods of a family do not fit together")
        # A place in the middle of a zone of the side
        quarter = 2 * (last // 4)
        pattern = {}
        for (side, steep, at), partner in self.pairs.items():
            if quarter <= at < quarter + 2 * zone_period:
                if partner[0] != side or abs(partner[2] - at) > 2 * MAX_PARTNER_DISTANCE:
                    raise CertificateError("the middle of a zone of a side is not joined in itself")
                pattern[side, steep, at % (2 * zone_period)] = partner[1], partner[2] - at
        sides = SpiralSides(tuple(sorted(pattern.items())), zone_period, period)
        return Spiral(sides, last, (-last, 0, last, last // 2), self.pairs, {}, window)

    def _check_paths(self, slack: int) -> None:
        """Check the conditions of `start` on the paths, and the distance of the middles from the places of the cuts."""
        family, last = self.family, self.last
        added = family.added(self.times)
        cells, path = self.margin
        # First cell of each path, for `reduceat`
        starts = np.flatnonzero(np.diff(path, prepend=-1))
        for axis, zones in enumerate((family.columns, family.rows)):
            growth = family.growths[axis]
            if len(zones) != 2 or {*(growth.columns, growth.rows)[axis]} != {family.added_side // 2}:
                raise CertificateError("the squares of the family do not grow by the same amount in two zones")
            least, most = (of.reduceat(cells[:, axis], starts) for of in (np.minimum, np.maximum))
            begun = 0
            for number, (zone, more) in enumerate(zip(zones, added[axis], strict=True)):
                start, end = zone.start + begun, zone.end + begun + more
                middle = (start + end - zone.period) // 2
                behind = middle + zone.period
                bounds = number * last // 2 + slack, (number + 1) * last // 2 - slack
                in_place = (most < middle) | (least >= behind) | ((least >= start) & (most < end))
                if not in_place.all() or not bounds[0] < middle < behind < bounds[1]:
                    raise CertificateError("a path of margin cells does not stay in one place as the family grows")
                begun += more


def check_grows(family: SpiralFamily) -> None:
    """Check that the interior has line cells only, and that the squares grow without end, from the seed on.

    Checks Lemma 11 (squares that grow).

    Raises
    ------
    CertificateError
        If this is not so.
    """
    check_lines(family, RIGHT_ANGLE_LINES)
    (width, height), p = family.size, family.added_side
    if width != height or [growth.step for growth in family.growths] != [(p, 0), (0, p)]:
        raise CertificateError("the family is not one of squares that grow by columns and by as many rows")
    # D(0) is the seed: the numbers k of the checks count from it
    if any(growth.least for growth in family.growths):
        raise CertificateError("the squares of the family begin with its seed")


KnownShapes = frozenset[tuple[SpiralSides, SpiralShape]]
"""Shapes whose spirals have one cycle, for all sizes from S/2 - 2 on."""


def check_larger(board: SpiralBoard, limits: Limits = NO_LIMITS, known: KnownShapes = frozenset()) -> KnownShapes:
    """Check that all larger squares of a family have one cycle, given that this one has.

    Checks Lemma 24 (shapes of spirals).

    Returns
    -------
    The known shapes, extended by those that the family reaches after the steps that are the same for all its squares.

    Raises
    ------
    CertificateError
        If the argument fails for the family, or some squares have several cycles.
    Stopped
        If a limit is reached.
    """
    family = board.family
    spiral = board.start(family.period, family.windows[0])
    shape, sides, last, near = spiral.shape(), spiral.sides, board.last, 0
    for number, window in enumerate(family.windows[:-1]):
        bit = (last - near) // family.period % 2
        spiral_before = shape.spiral(sides, bit, least_size(family.period, window), window)
        shape, near = spiral_before.step(family.windows[number + 1]).next_shape(), (last - near) // 2
    period, width = family.period, family.windows[-1]
    least = least_size(period, width)
    shapes, new = {*known, (sides, shape)}, [] if (sides, shape) in known else [shape]
    while new:
        limits.check()
        shape = new.pop()
        for bit in (0, 1):
            # Every spiral shrinks to a size in this range, with unchanged number of cycles
            for size in range(least // 2 - 2, least, 2 * period):
                if shape.spiral(sides, bit, size, width).cycles > 1:
                    raise CertificateError("some squares of the family have several cycles")
            next_shape = shape.spiral(sides, bit, least, width).step(width).next_shape()
            if (sides, next_shape) not in shapes:
                shapes.add((sides, next_shape))
                new.append(next_shape)
        if len(shapes) > MAX_SHAPES:
            raise CertificateError(f"there are more than {MAX_SHAPES} shapes")
    return frozenset(shapes)


class SpiralProver:
    """Checks families, and remembers the shapes of earlier ones."""

    known: KnownShapes = frozenset()

    def check(self, family: SpiralFamily, limits: Limits = NO_LIMITS, cells: int = MAX_MARGINS) -> int:
        """Check a family as `check_chains` does, by taking lines away."""
        check_grows(family)
        board = SpiralBoard.of(family, 0)
        followed = board.check_one_cycle(cells)
        needed = [least_size(family.period, window) + 3 for window in family.windows[:-1]]
        while board.last < max(size << number for number, size in enumerate(needed)):
            limits.check()
            board = SpiralBoard.of(family, board.times[0] + 1)
            followed += board.check_one_cycle(cells - followed)
        self.known = check_larger(board, limits, self.known)
        return followed


def check(data: Any, limits: Limits = NO_LIMITS) -> tuple[FamilyStatement, ...]:
    """Check the claims of a file of kind `strands-spirals`; raises the errors of `FamilyKind.check`."""
    prove = sharing(MAX_MARGINS, SpiralProver().check)
    return FamilyKind(
        SPIRALS_KIND, "families", MAX_FAMILIES, ("squares",), SpiralFamily.from_json, prove, satisfies, check_covered
    ).check(data, limits)
