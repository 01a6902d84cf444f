"""Tours of squares of all sizes with lines of the directions (2, 1) and (1, -2): one cycle, by taking lines away.

A family as in `chains`: D(h) is its square of side n + hp, its cells are line cells of the interior or cells of the
margins, and a tour is made of runs along lines and of paths of margin cells.  In `chains` the lines form chains that
end.  Here each side may join lines of one direction with lines of the other, so that a chain becomes narrower from side
to side and does not end.  Instead, all lines that begin in the outer half of each side are taken away.  What is left
is like a square half as large.

*Places.*  The sides are numbered 0 to 3, from the bottom one anticlockwise, and places along each from 0 to N, which is
the side less 1.  *Line* u of side k, 0 <= u <= N, begins at place u of side k, which it meets flat, and ends at place
(N - u)/2 of side k + 1, which it meets steeply.  (Of the bottom side this is the line x - 2y = u, and a quarter turn
leads to the others.)  A *port* is an end of a line: (k, 0, 2u), the flat end, and (k + 1, 1, N - u), the steep one; the
third number is twice the place.  The lines that meet no side flat lead from a place z/2 > N/2 of side k + 1, steeply,
to the place (3N - z)/2 of side k + 3.  Each counts as two: to line u of side k, with u = N - z < 0, whose flat end is
only thought, and to line -N - u of side k + 2, the two flat ends being joined.  So the lines have -N < u <= N.

The paths join the ports in pairs.  The cycles of the square lead along lines and from port to port of a pair.  To
*take a line away* is to join the two ports that its ends are paired with.  This does not change the number of cycles,
unless its ends are paired with each other: then a cycle is lost.

*Cuts.*  Let c(-3) = -N, c(-2) = N, c(-1) = 0, and c(m + 1) = floor((N - c(m))/2).  They come close to N/3, from both
sides.  For m = -1, 0, 1, ... take all lines of all four sides away that have u between c(m) and c(m - 2): between two
cuts means from the lesser one on, and below the greater.  Before *step* m only lines between c(m - 1) and c(m - 2) are
left: so flat ports have places between these cuts, steep ones, but for roundings, between c(m) and c(m - 1).  c(m - 2),
c(m), c(m - 1) and c(m + 1) are called the *far*, *near*, *inner* and *next* cut.  The *zone* is between the near and
the far cut, the next zone between the next and the inner one.  To a line of the zone of side k, at u, belongs a place of
the next zone of side k + 1; near and far cut belong to next and inner cut.

*Shapes.*  What there is before step m is a *spiral*: N, the four cuts and the pairs of ports.  Some ports have a *usual*
partner.  In the zone a flat port is usually joined with a flat port of the same side, so and so much farther, or with
one of the opposite side, where far and near cut change places; which, depends on the side and on the place modulo P.
Elsewhere the *pattern* says, by the side and the place modulo its own period (which divides P), whether there is a port
and which of the same side is its partner.  The *shape* of a spiral consists of these rules for the zone, of all ports
with another partner, or with one that is missing, or missing themselves, together with their partners: all of them must
be in the *windows*, W places or less from a cut, and they are written down by the cut and how far they are from it; of
the cuts and N modulo P; of which cut is greater; and of the roundings.  The *size* of a spiral is |3c(m) - N|.  The
zone has about as many places, the next zone half as many.  A shape and a size, which modulo 2P must be one of two
numbers, give the spiral, up to a translation along all sides that changes no rule.

*A step, for all sizes.*  Let X be a spiral of some shape, let Y be that with the same shape whose size is greater by
2Ph, and take the lines of the zone away in both.  In Y the far cut is farther from the near cut by 2Ph, and the inner
cut from the next one by Ph.  A flat port of X in the zone, or the line that it belongs to, *may move by v*, a multiple
of 2P from 0 to 2Ph: to the line of Y that is v farther from the near cut than it is in X; a place of the next zone that
belongs to the line then is v/2 farther from the next cut.  (On the opposite side, when a pair leads there, 2Ph - v takes
the place of v.)  Ports of windows of the near and the next cut are *near* and move by 0; those of windows of the far and
the inner cut are *far* and move by 2Ph.  All others may move by any v: what the usual partner is does not change.

From each port that is left follow the pairs and the lines that are taken away, to another port that is left: its
*route*.  A pair that is not usual leads from window to window, and each of its ports moves with its cut.  Such pairs
part the route into *stretches*.  It is checked that no stretch has both near and far ports, or else that it has a part
Q, without ports of windows, after which it goes on with the first line of Q moved by 2P, from near to far or from far
to near as the stretch leads; and that what is before Q has ports of the one kind only, and what is behind it those of
the other kind.  A stretch with a near port moves by 0, with a far one by 2Ph, one with neither by any v.  In the
stretch with Q, what is before Q moves by the one and what is behind by the other, and between them there are, in Y,
copies of Q moved by all v.  (Any part that can stand for Q will do: the largest set of ports that are in one is taken as
movable.)  So these are routes of Y.  It is checked that all stretches that move by 0 are nearer to the near cut than
to the far one, and those that move by 2Ph nearer to the far one, by P + 2 places or more.  So a part of the zone of 2P
lines in the middle, and the part of the next zone that belongs to it, have only ports that may move by any v.  Hence
every port of Y is one of X moved by some v by which its stretch moves: those before the middle part by 0, those behind
it by 2Ph, and those of the middle by all v.  It is checked that the routes of X pass each line that is taken away.  So
those of Y do, and no cycle is lost.

So step m does to Y what it does to X.  The two ends of a route of Y are those of X moved.  If they are not in windows,
they are usual partners after the step if they are so in X.  (If one of them moves by 0 and the other by 2Ph, or both by
the same on opposite sides, they have to be in windows.)  Pairs that no route concerns lie between the next and the near
cut, and are usual or in windows.  So after the step Y has the shape that X has.

*What is checked.*  The shape of a square D(K), before step -1.  It is that of D(K + h) for all h: see `start`.  From a
shape the next one depends on the size modulo 2P, that is, on one bit.  For the first steps the bit is the same for all
h.  From then on both are tried, until there are no new shapes, each step in the smallest spiral of size S or more.  A
spiral of size s leads to one whose size is at least (s - 3)/2 and at most (s + 3)/2.  So every D(K + h) leads, through
these shapes, to a spiral of one of them with a size less than S, and of S/2 - 2 at least.  All these are followed: each
is one cycle.  So D(K + h) is one cycle of lines, and no cycle lies in its margins alone (`start`).  D(0), ..., D(K)
are followed cell by cell.

Turns are counted as in `strands`, and the boards served are told as there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from kt_models.certificates.families.chains import MAX_MARGINS, SquareBoard, check_grows
from kt_models.certificates.families.statement import FamilyKind, FamilyStatement, sharing
from kt_models.certificates.families.strands import MAX_FAMILIES, keeps, serves
from kt_models.certificates.families.zones import SPIRALS_KIND, TourFamily
from kt_models.certificates.integers import Ints
from kt_models.errors import CertificateError
from kt_models.limits import NO_LIMITS, Limits
from kt_models.reading import integer

Port = tuple[int, int, int]
"""A side, 1 if the line is steep there and otherwise 0, and twice the place."""
Placed = tuple[int, int, int, int]
"""The number of a cut, and a port with twice its place from this cut on."""
Rules = Mapping[Port, tuple[int, int]]
"""By a port modulo the period.  Of a pattern: the second number of the partner, and by how much its third is more.  Of
a zone: 0, and by how much it is more; or 1, and the sum of both less twice that of the near and the far cut."""
Stretch = list[tuple[Port, int]]
"""Ports of a route, and whether they are, by an odd number of pairs, on the other side than the first one."""
FAR, NEAR, INNER, NEXT = range(4)
"""The numbers of the cuts."""
MOST_PERIOD, MAX_SHAPES = 80, 3000
WINDOWS = 160, 80, 24
"""W in steps -1 and 0, and from step 1 on."""
FARTHEST = 40
"""How far apart usual partners are, in places, at most."""


@dataclass(frozen=True, eq=False)
class SpiralFamily(TourFamily):
    """A family with the period P of what its sides join after some steps."""

    period: int

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
        return cls(**own, period=integer(data.get("period"), "period", 1, MOST_PERIOD))


def least_size(period: int, window: int = WINDOWS[-1]) -> int:
    """S: windows and what routes need between them fit into half a spiral of this size."""
    return 10 * period + 4 * window


def along(port: Port, last: int) -> Port:
    """The other end of a line, where N is `last`."""
    side, steep, at = port
    return ((side - 1) % 4, 0, 2 * (last - at)) if steep else ((side + 1) % 4, 1, last - at // 2)


@dataclass(frozen=True)
class Sides:
    """What is the same for all spirals of a family: the pattern, its period, and P."""

    pattern: Rules
    own: int
    period: int

    def partner(self, port: Port) -> Port | None:
        """That of the pattern."""
        side, steep, at = port
        found = self.pattern.get((side, steep, at % (2 * self.own)))
        return None if found is None else (side, found[0], at + found[1])


@dataclass(frozen=True)
class Shape:
    """See the docstring of the module.

    Parameters
    ----------
    last, near
        N and the near cut modulo P.
    sign
        1 if the near cut is greater than the inner one, otherwise -1.
    odd
        What is rounded off at the near and at the inner cut.
    zone
        The rules of the zone.
    words
        Unusual pairs, each in both directions, and ports that are missing.
    """

    last: int
    near: int
    sign: int
    odd: tuple[int, int]
    zone: tuple[tuple[Port, tuple[int, int]], ...]
    words: frozenset[tuple[Placed, Placed | None]]

    def spiral(self, sides: Sides, bit: int, least: int, window: int = WINDOWS[-1]) -> Spiral:
        """The smallest of at least some size for which (N less the near cut) / P, rounded down, is odd if the bit is 1.

        Raises
        ------
        CertificateError
            If the pairs do not fit together.
        """
        last = 3 * self.near - self.sign * least
        while last % sides.period != self.last or (last - self.near) // sides.period % 2 != bit:
            last -= self.sign
        inner = last - 2 * self.near - self.odd[0]
        cuts = last - 2 * inner - self.odd[1], self.near, inner, (last - self.near) // 2
        words = {_port(one, cuts): other and _port(other, cuts) for one, other in self.words}
        found = Spiral(sides, last, cuts, {}, dict(self.zone), window)
        for port in found.expected():
            if (other := words.get(port, found.usual(port))) is not None:
                found.pairs[port] = other
        if any(found.pairs.get(other) != port or other == port for port, other in found.pairs.items()):
            raise CertificateError("the pairs of a shape do not fit together")
        if any(along(port, last) not in found.pairs for port in found.pairs):
            raise CertificateError("a line of a shape has one end")
        return found


def _port(placed: Placed, cuts: Sequence[int]) -> Port:
    cut, side, steep, at = placed
    return side, steep, at + 2 * cuts[cut]


@dataclass(frozen=True, eq=False)
class Spiral:
    """See the docstring of the module.

    Parameters
    ----------
    last
        N.
    cuts
        Far, near, inner, next.
    pairs
        Of ports, in both directions.
    zone
        The rules of the zone.
    window
        W.
    """

    sides: Sides
    last: int
    cuts: tuple[int, int, int, int]
    pairs: dict[Port, Port]
    zone: Rules
    window: int

    def zoned(self, line: int) -> bool:
        """Whether a line, or the place where its flat end is, belongs to the zone."""
        return min(self.cuts[:2]) <= line < max(self.cuts[:2])

    def goes(self, port: Port) -> bool:
        """Whether the line of a port is taken away."""
        return self.zoned(self.last - port[2] if port[1] else port[2] // 2)

    def follows(self, port: Port) -> bool:
        """Whether it is a port of the next zone."""
        ends = 2 * self.cuts[INNER], 2 * self.cuts[NEXT]
        return self.goes(port) if port[1] else min(ends) <= port[2] < max(ends)

    def expected(self) -> Iterator[Port]:
        """The ports that there are by the pattern."""
        ends = self.cuts[FAR], self.cuts[INNER]
        for side in range(4):
            for line in range(min(ends), max(ends)):
                if (side, 0, 2 * line % (2 * self.sides.own)) in self.sides.pattern:
                    yield side, 0, 2 * line
                    yield (side + 1) % 4, 1, self.last - line

    def usual(self, port: Port) -> Port | None:
        """The usual partner."""
        side, steep, at = port
        if steep or not self.zoned(at // 2):
            return self.sides.partner(port)
        if (found := self.zone.get((side, 0, at % (2 * self.sides.period)))) is None:
            return None
        other, more = found
        both = 2 * (self.cuts[FAR] + self.cuts[NEAR])
        return ((side + 2) % 4, 0, both + more - at) if other else (side, 0, at + more)

    def cut_of(self, port: Port) -> int | None:
        """In the window of which cut it is."""
        return next((n for n, cut in enumerate(self.cuts) if abs(port[2] - 2 * cut) <= 2 * self.window), None)

    def far(self, port: Port) -> int | None:
        """1 for a far port, 0 for a near one."""
        cut = self.cut_of(port)
        return None if cut is None else int(cut in (FAR, INNER))

    def shape(self) -> Shape:
        """The shape; the rules of the zone are read in its middle.

        Raises
        ------
        CertificateError
            If it has none.
        """
        far, near, inner, _ = self.cuts
        middle = (far + near) // 2 - self.sides.period // 2
        zone = {}
        for side in range(4):
            for at in range(2 * middle, 2 * (middle + self.sides.period), 2):
                if (other := self.pairs.get((side, 0, at))) is not None:
                    across = int(other[0] != side)
                    more = other[2] + at - 2 * (far + near) if across else other[2] - at
                    if other[1] or (other[0] - side) % 2 or abs(more) > 2 * FARTHEST:
                        raise CertificateError("the middle of a zone is not joined in itself")
                    zone[side, 0, at % (2 * self.sides.period)] = across, more
        own = replace(self, zone=zone)
        expected = {*own.expected()}
        if not self.pairs.keys() <= expected:
            raise CertificateError("there is a port that the pattern does not have")
        unusual = (port for port in expected if self.pairs.get(port) != own.usual(port))
        return Shape(
            self.last % self.sides.period,
            near % self.sides.period,
            1 if near > inner else -1,
            (self.last - inner - 2 * near, self.last - far - 2 * inner),
            tuple(sorted(zone.items())),
            frozenset((self._placed(port), self._placed(self.pairs.get(port))) for port in unusual),
        )

    def _placed(self, port: Port | None) -> Any:
        if port is None:
            return None
        if (cut := self.cut_of(port)) is None:
            raise CertificateError("a port that is joined in an unusual way is far from all cuts")
        return cut, port[0], port[1], port[2] - 2 * self.cuts[cut]

    def step(self, window: int = WINDOWS[-1]) -> Spiral:
        """The lines of the zone are taken away; the windows become so wide.

        Raises
        ------
        CertificateError
            If this may not be so for larger spirals of the shape, or cycles are lost.
        """
        pairs: dict[Port, Port] = {}
        passed = 0
        for start in self.pairs:
            if not self.goes(start) and start not in pairs:
                stretches = self.route(start)
                end = stretches[-1][-1][0]
                pairs[start], pairs[end] = end, start
                ports = [port for stretch in stretches for port, _ in stretch]
                passed += len(ports) - 2
                if len(ports) > 2 or self.follows(start) or self.follows(end):
                    self._moves(stretches)
        if passed != sum(map(self.goes, self.pairs)):
            raise CertificateError("a cycle is lost")
        _, near, inner, following = self.cuts
        cuts = inner, following, near, (self.last - following) // 2
        return replace(self, cuts=cuts, pairs=pairs, zone={}, window=window)

    def route(self, start: Port) -> list[Stretch]:
        """The stretches of a route."""
        found: list[Stretch] = [[(start, 0)]]
        port, opposite = start, 0
        while True:
            other = self.pairs[port]
            if other == self.usual(port):
                opposite ^= int(other[0] != port[0])
                found[-1].append((other, opposite))
            else:
                opposite = 0
                found.append([(other, 0)])
            if not self.goes(other):
                return found
            port = along(other, self.last)
            found[-1].append((port, opposite))

    def _moves(self, stretches: list[Stretch]) -> None:
        """Check how a route moves."""
        ends = stretches[0][0][0], stretches[-1][-1][0]
        if any(not self.follows(port) and self.far(port) != 0 for port in ends):
            raise CertificateError("a route leads between the next and the near cut")
        first, last = self._kinds(stretches[0])[0], self._kinds(stretches[-1])[1]
        if None not in (first, last) and (first != last) != (ends[0][0] != ends[1][0]):
            if any(self.far(port) is None for port in ends):
                raise CertificateError("ends of a route that move apart are not in windows")
        for stretch in stretches[1:-1]:
            self._kinds(stretch)

    def _kinds(self, stretch: Stretch) -> tuple[int | None, int | None]:
        """Whether the first and the last port of a stretch are far; None if it moves by any v."""
        kinds = self._found(stretch)
        if len(kinds) == 2:
            first = next(kind ^ opposite for port, opposite in stretch if (kind := self.far(port)) is not None)
            begin, end = self._repeated(stretch, first)
            if self._found(stretch[:begin]) != {first} or self._found(stretch[end:]) != {1 - first}:
                raise CertificateError("a route leads from the near to the far cut and back")
            self._apart(stretch[:begin], first)
            self._apart(stretch[end:], 1 - first)
            return first, 1 - first ^ stretch[-1][1]
        if not kinds:
            return None, None
        (kind,) = kinds
        self._apart(stretch, kind)
        return kind, kind ^ stretch[-1][1]

    def _found(self, stretch: Stretch) -> set[int]:
        return {kind ^ opposite for port, opposite in stretch if (kind := self.far(port)) is not None}

    def _apart(self, stretch: Stretch, kind: int) -> None:
        """Check that ports of a stretch that is near, or far, are so by P + 2 places."""
        size, slack = abs(self.cuts[FAR] - self.cuts[NEAR]), 2 * self.sides.period + 4
        for port, opposite in stretch:
            if self.goes(port) and not port[1]:
                twice = 2 * abs(port[2] // 2 - self.cuts[NEAR])
            elif self.follows(port):
                twice = 2 * abs(port[2] - 2 * self.cuts[NEXT])
            else:
                continue  # an end of the route, of which `_moves` knows that it is near
            if (twice <= size + slack) if kind ^ opposite else (twice >= size - slack):
                raise CertificateError("a route leads into the other half of a zone")

    def _repeated(self, stretch: Stretch, first: int) -> tuple[int, int]:
        """Which ports of a stretch may move by any v: from one to another."""
        by = 2 * self.sides.period * (1 if (self.cuts[FAR] > self.cuts[NEAR]) == (first == 0) else -1)

        def moved(number: int) -> tuple[Port, int]:
            (side, steep, at), opposite = stretch[number]
            more = -by if opposite else by
            return (side, steep, at - more if steep else at + 2 * more), opposite

        def again(number: int) -> bool:
            inside = 0 <= number and number + length < len(stretch)
            return inside and stretch[number + length] == moved(number)

        place = {one: number for number, one in enumerate(stretch)}
        begin = end = len(stretch) // 2
        length = place.get(moved(begin), begin) - begin
        if length <= 0:
            raise CertificateError("a route goes along a zone without repeating itself")
        while again(begin - 1) and self.far(stretch[begin - 1][0]) is None:
            begin -= 1
        while again(end) and self.far(stretch[end + length][0]) is None:
            end += 1
        if end == begin or any(self.far(port) is not None for port, _ in stretch[begin : end + length]):
            raise CertificateError("what a route repeats along a zone is not clear of the windows")
        return begin, end + length

    @property
    def cycles(self) -> int:
        """How many cycles there are."""
        left, number = {*self.pairs}, 0
        while left:
            port = next(iter(left))
            while port in left:
                other = self.pairs[port]
                left -= {port, other}
                port = along(other, self.last)
            number += 1
        return number


# -- the square --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class SpiralBoard(SquareBoard):
    """D(k), its ports and where its paths are."""

    family: SpiralFamily

    @property
    def last(self) -> int:
        """N."""
        return int(self.family.grown((self.k, self.k))[0]) - 1

    @cached_property
    def pairs(self) -> dict[Port, Port]:
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
        found: dict[Port, Port] = {}
        for number, (one, _) in enumerate(named):
            other = named[number - 1][1]
            found[one], found[other] = other, one
        for side, _, at in [port for port in found if port[1] and port[2] > self.last]:
            found[(side - 1) % 4, 0, 2 * (self.last - at)] = (side + 1) % 4, 0, 2 * (at - 2 * self.last)
        if len(found) != 2 * len(named) + sum(1 for port in found if port[2] < 0):
            raise CertificateError("two ends of lines are in one place")
        return found

    def _name(self, direction: int, number: int, low: bool) -> Port:
        """The port at an end of a line: at the left one of direction 0, at the lower one of direction 1, or the other."""
        last = self.last
        if direction == 0:
            if low:
                return (0, 0, 2 * number) if number >= 0 else (3, 1, 2 * last + number)
            return (1, 1, last - number) if number > -last else (2, 0, 2 * (-last - number))
        if low:
            return (0, 1, number) if number < 2 * last else (1, 0, 2 * (number - 2 * last))
        return (3, 0, 2 * (last - number)) if number <= last else (2, 1, 3 * last - number)

    def start(self, period: int, window: int) -> Spiral:
        """The spiral of this square before step -1, if its shape is that of all larger ones of the family.

        With h steps more, the columns grow by ph/2 in each of two zones, and the rows too.  The middle of a zone here
        is one of its periods.  Along each axis, a path with a cell before the middle of a zone has none behind the
        zone, one with a cell behind the middle has none before the zone, and one with a cell in it has neither.  So
        paths before the middle of the first zone keep their columns, those between the two middles move by ph/2, those
        behind by ph, and those with a cell in a middle are there moved by any whole number of periods that fits; and
        these are all paths, as every margin cell of the larger square is one here, moved so.  In particular all are
        on cycles with lines.  The ports of a path move with it.  The middles are far enough from the windows of the cuts
        0, N and N/2, which move by 0, ph and ph/2 as well, so that the ports there are the same; all others are paired
        as usual.

        Raises
        ------
        CertificateError
            If this is not so.
        """
        family, last = self.family, self.last
        added = family.added((self.k, self.k))
        margin = max(family.zoned[0], family.zoned[2], *(s - z for s, z in zip(family.size, family.zoned[1::2])))
        slack = window + 2 * margin
        cells, path = self.margin
        starts = np.flatnonzero(np.diff(path, prepend=-1))
        periods = {zone.period for zone in family.columns + family.rows}
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
                before = (least < middle) & (most >= end)
                after = (most >= behind) & (least < start)
                within = (least < behind) & (most >= middle) & ((least < start) | (most >= end))
                if (before | after | within).any() or not bounds[0] < middle < behind < bounds[1]:
                    raise CertificateError("a path of margin cells is not in one place as the family grows")
                begun += more
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
        return Spiral(Sides(pattern, own, period), last, (-last, 0, last, last // 2), self.pairs, {}, window)


def shapes(board: SpiralBoard, limits: Limits = NO_LIMITS) -> tuple[Sides, set[Shape]]:
    """The shapes that the squares of a family come to, from this one on, after the steps that are the same for all.

    Raises
    ------
    CertificateError
        If a step may differ for larger squares, or there are too many shapes.
    """
    period, added = board.family.period, board.family.added_side
    least = least_size(period)
    spiral = board.start(period, WINDOWS[0])
    shape, sides, last, near, moves = spiral.shape(), spiral.sides, board.last, 0, 0
    for window, narrower in pairwise(WINDOWS):  # the near cut moves by `moves` from a square to the next
        if (added - moves) % (2 * period):
            raise CertificateError("the first steps are not the same for all squares of the family")
        bit = (last - near) // period % 2
        shape = shape.spiral(sides, bit, least_size(period, window), window).step(narrower).shape()
        near, moves = (last - near) // 2, (added - moves) // 2
    found, new = {shape}, [shape]
    while new:
        limits.check()
        shape = new.pop()
        for bit in (0, 1):
            other = shape.spiral(sides, bit, least).step().shape()
            if other not in found:
                found.add(other)
                new.append(other)
        if len(found) > MAX_SHAPES:
            raise CertificateError(f"there are more than {MAX_SHAPES} shapes")
    return sides, found


def check_spirals(family: SpiralFamily, limits: Limits = NO_LIMITS, cells: int = MAX_MARGINS) -> int:
    """Check that every square of a family has one cycle, by the argument of this module.

    Returns
    -------
    How many cells of margins were followed.

    Raises
    ------
    CertificateError
        If the argument does not hold for the family, or more than `cells` have to be followed.
    Stopped
        If the limits do not suffice.
    """
    check_grows(family)
    board, least = SpiralBoard(family, 0), least_size(family.period)
    followed = board.check_one_cycle(cells)
    while board.last < max((least_size(family.period, window) + 3) << k for k, window in enumerate(WINDOWS)):
        limits.check()
        board = SpiralBoard(family, board.k + 1)
        followed += board.check_one_cycle(cells - followed)
    sides, found = shapes(board, limits)
    for shape in found:
        limits.check()
        for bit in (0, 1):
            for size in range(least // 2 - 2, least, 2 * family.period):
                if shape.spiral(sides, bit, size).cycles > 1:
                    raise CertificateError("some squares of the family have several cycles")
    return followed


def check(data: Any, limits: Limits = NO_LIMITS) -> tuple[FamilyStatement, ...]:
    """Check the claims of a file of kind `strands-spirals`; errors are those of `FamilyKind.check`."""
    prove = sharing(MAX_MARGINS, check_spirals)
    return FamilyKind(
        SPIRALS_KIND, "families", MAX_FAMILIES, ("squares",), SpiralFamily.from_json, prove, keeps, serves
    ).check(data, limits)
