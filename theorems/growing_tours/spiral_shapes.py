"""Squares with lines of the directions (2, 1) and (1, -2), when lines are taken away: what is left, at every size.

`spirals` has what this is for.

*Lines and ports.*  The sides are numbered 0 to 3 from the bottom one anticlockwise, and the places along each, in this
sense, from 0 to N, which is the side of the square less 1.  Line u of side k, 0 <= u <= N, begins at place u of side k,
which it meets flat, and ends at place (N - u)/2 of side k + 1, which it meets steeply.  (For the bottom side this is
the line x - 2y = u.  A quarter turn leads to the other sides.)  A *port* is an end of a line: (k, 0, 2u) is its flat
end, and (k + 1, 1, N - u) the steep one.  The third number is twice the place.  The lines that meet no side flat lead
from a place z/2 > N/2 of a side k + 1 to the place (3N - z)/2 of side k + 3.  Such a line counts as two: as line u of
side k, where u = N - z < 0, with a flat end that is only thought, and as line -N - u of side k + 2 likewise; the two
flat ends are joined.  So all lines have -N < u <= N.

Paths of margin cells join the ports in pairs.  A cycle leads along lines and from ports to their partners.  To *take
a line away* means to join the partners of its two ports.  The number of cycles remains the same, unless the ports are
partners of each other: then a cycle is lost.

*Cuts.*  Let c(-3) = -N, c(-2) = N, c(-1) = 0, and c(m + 1) = floor((N - c(m))/2).  These numbers come close to N/3 from
both sides.  In *step* m, for m = -1, 0, 1, ..., the lines u of all sides with u between c(m) and c(m - 2) are taken
away.  (Between two numbers: from the lesser one on, and below the greater.)  So before step m the lines between
c(m - 1) and c(m - 2) are left.  Now c(m - 2), c(m), c(m - 1) and c(m + 1) are called the *far*, the *near*, the *inner*
and the *next* cut.  The *zone* is between the near and the far cut; in it are flat ports alone.  The *next zone* is
between the next and the inner cut.  The lines that begin in the zone end in the next zone, those that begin at the near
(far) cut at the next (inner) one, and a distance v in the zone is v/2 in the next zone.

*Shapes.*  What there is before a step is a *spiral*: N, the four cuts and the pairs.  Some ports have a *usual*
partner.  In the zone this is a flat port of the same side so and so much farther along, or one of the opposite side,
which is found likewise after the near and the far cut have changed places; which of these depends on the side and the
place modulo P.  Elsewhere the *pattern* says which ports there are and which port of the same side is the partner, by
the side and the place modulo the period of the pattern, which divides P.  The *windows* are the places that are not
more than W from a cut.  The *shape* of a spiral consists of these: the rules of the zone; the ports that have another
partner than the usual one, or none, or that are missing, and their partners, all of which have to be in windows, and
are told by the cut and the distance from it; N and the near cut modulo P; which cuts are greater; and what is rounded
off at the cuts.  The *size* is |3 c(m) - N|.  The zone is as long, but for roundings, and the next zone half as long.
A shape and a size give the spiral, up to a translation by multiples of P along all sides.  The shape tells the size
modulo P.  So one *bit* remains to be told if the size modulo 2P is asked for.

*A step is the same for all sizes.*  Let X be a spiral, and Y one of the same shape whose size is greater by 2Ph.  From
each port whose line is not taken away, follow pairs and lines that are taken away to another such port.  This is its
*route*.  It is compared to routes of Y.  In Y the far cut is farther from the near cut by 2Ph, and the inner one from
the next one by Ph.  To *move* a port of the zone of X by v, where v is a multiple of 2P from 0 to 2Ph, is to take the
port of Y that is farther from the near cut by v; a port of the next zone, the one that is farther from the next cut by
v/2.  The other end of a line moves by the same v.  A usual partner does as well if it is of the same side, and if it is
of the opposite side it moves by 2Ph - v.  *Near* ports, those in windows of the near and the next cut, have to move by
0, and *far* ones, in windows of the far and the inner cut, by 2Ph: then partners that are not the usual ones move with
them.  Ports that are in no windows may move by any v.  A route consists of *stretches*, between which there are pairs
that are not usual.  In what follows a port that is on the other side than the first one of its stretch counts as far
if it is near, and as near if it is far.  It is checked that a stretch is one of these:

1. It has no far ports, and has near ones.  It moves by 0.
2. It has no near ports, and has far ones.  It moves by 2Ph.
3. It has neither.  It moves by any v.
4. Some ports of it are followed, always by the same even number of ports later, by themselves moved on by 2P towards
   the far cut; these and all ports between them are in no windows.  The ports before them are as in 1, and those behind
   them as in 2.  In Y the stretch has copies of the ports in the middle moved by 0, 2P, ..., 2Ph, one after the other.
   (If the number were odd, the line of the one port would be where the other has its partner.)
5. The same with near and far exchanged.

So the stretches moved like this are stretches of Y.  It is checked that the ports that move by 0 alone are nearer to
the near (next) cut than to the far (inner) one, by P + 2 (P/2 + 1) places at least from the middle between these, and
that those that move by 2Ph alone are on the other side of the middle likewise.  So around the middle 2P lines and more
may move by any v.  Therefore each port of the zones of Y is one of X moved as its stretch is: by 0 before the middle,
by 2Ph behind it, and by some v in what there is more of it in Y.  It is checked that the routes of X pass all lines
that are taken away.  Then those of Y do so too, and no cycle is lost.

The ends of routes are ports of the next zone, or near.  (Pairs between the next and the near cut do not change.)  It is
checked that they have a common v, or are in windows.  With a common v they are usual partners in Y if and only if they
are so in X, unless one moves with the near cut and the other with another one.  Such ends, and ends without a common v,
are usual partners in neither.  For usual partners of one side are at most `FARTHEST` places apart, and two of opposite
sides have places that add up to those of the cuts at the ends of the next zone, but for as much.  These ends miss that
by 5P - 1 places at least, as windows of two cuts are so far apart by the size that is asked for (see `spirals`); and P
is so large that this is more than `FARTHEST`.

So after the step partners in Y are usual if and only if they are so in X, and otherwise they move with the cuts.  The
next cut of the new spiral is none of these four.  So it is checked that there is no such port in its window: it would
be told by a cut with which it does not move.  Hence after the step X and Y have the same shape again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from kt_models.errors import CertificateError

LinePort = tuple[int, int, int]
"""A side, 1 if the line is steep there and otherwise 0, and twice the place."""
PlacedPort = tuple[int, int, int, int]
"""The number of a cut, and a port with twice its place from this cut on."""
PairRules = Mapping[LinePort, tuple[int, int]]
"""By a port modulo the period.  Of a pattern: the second number of the partner, and by how much its third is more.  Of
a zone: 0, and by how much it is more; or 1, and the sum of both less twice that of the near and the far cut."""
RouteStretch = list[tuple[LinePort, int]]
"""Ports of a route, and whether they are, by an odd number of pairs, on the other side than the first one."""
FAR, NEAR, INNER, NEXT = range(4)
"""The numbers of the cuts."""
FARTHEST, LEAST_PERIOD = 40, 10
"""How far apart usual partners are, in places, at most; and the least P, so that 5P - 1 is more."""


def along(port: LinePort, last: int) -> LinePort:
    """The other end of a line, where N is `last`."""
    side, steep, at = port
    return ((side - 1) % 4, 0, 2 * (last - at)) if steep else ((side + 1) % 4, 1, last - at // 2)


@dataclass(frozen=True)
class SpiralSides:
    """What is the same for all spirals of a family: the rules of the pattern, its period, and P."""

    rules: tuple[tuple[LinePort, tuple[int, int]], ...]
    own: int
    period: int

    @cached_property
    def pattern(self) -> PairRules:
        """The rules, by port."""
        return dict(self.rules)

    def partner(self, port: LinePort) -> LinePort | None:
        """That of the pattern."""
        side, steep, at = port
        found = self.pattern.get((side, steep, at % (2 * self.own)))
        return None if found is None else (side, found[0], at + found[1])


@dataclass(frozen=True)
class SpiralShape:
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
    zone: tuple[tuple[LinePort, tuple[int, int]], ...]
    words: frozenset[tuple[PlacedPort, PlacedPort | None]]

    def spiral(self, sides: SpiralSides, bit: int, least: int, window: int) -> Spiral:
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
        for port, other in found.pairs.items():
            if other == port or found.pairs.get(other) != port or along(port, last) not in found.pairs:
                raise CertificateError("the pairs and the lines of a shape do not fit together")
        return found


def _port(placed: PlacedPort, cuts: Sequence[int]) -> LinePort:
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

    sides: SpiralSides
    last: int
    cuts: tuple[int, int, int, int]
    pairs: dict[LinePort, LinePort]
    zone: PairRules
    window: int

    def zoned(self, place: int) -> bool:
        """Whether a place is in the zone; then the line that begins there is taken away."""
        return min(self.cuts[:2]) <= place < max(self.cuts[:2])

    def goes(self, port: LinePort) -> bool:
        """Whether the line of a port is taken away."""
        return self.zoned(self.last - port[2] if port[1] else port[2] // 2)

    def follows(self, port: LinePort) -> bool:
        """Whether a port is in the next zone; the steep ones are the other ends of the lines of the zone."""
        ends = 2 * self.cuts[INNER], 2 * self.cuts[NEXT]
        return self.goes(port) if port[1] else min(ends) <= port[2] < max(ends)

    def expected(self) -> Iterator[LinePort]:
        """The ports that there are by the pattern."""
        ends = self.cuts[FAR], self.cuts[INNER]
        for side in range(4):
            for line in range(min(ends), max(ends)):
                if (side, 0, 2 * line % (2 * self.sides.own)) in self.sides.pattern:
                    yield side, 0, 2 * line
                    yield (side + 1) % 4, 1, self.last - line

    def usual(self, port: LinePort) -> LinePort | None:
        """The usual partner."""
        side, steep, at = port
        if steep or not self.zoned(at // 2):
            return self.sides.partner(port)
        if (found := self.zone.get((side, 0, at % (2 * self.sides.period)))) is None:
            return None
        other, more = found
        both = 2 * (self.cuts[FAR] + self.cuts[NEAR])
        return ((side + 2) % 4, 0, both + more - at) if other else (side, 0, at + more)

    def cut_of(self, port: LinePort) -> int | None:
        """In the window of which cut it is."""
        return next((n for n, cut in enumerate(self.cuts) if abs(port[2] - 2 * cut) <= 2 * self.window), None)

    def far(self, port: LinePort) -> int | None:
        """1 for a far port, 0 for a near one."""
        cut = self.cut_of(port)
        return None if cut is None else int(cut in (FAR, INNER))

    def shape(self) -> SpiralShape:
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
        return SpiralShape(
            self.last % self.sides.period,
            near % self.sides.period,
            1 if near > inner else -1,
            (self.last - inner - 2 * near, self.last - far - 2 * inner),
            tuple(sorted(zone.items())),
            frozenset((self._placed(port), self._placed(self.pairs.get(port))) for port in unusual),
        )

    def next_shape(self) -> SpiralShape:
        """The shape after a step.

        Raises
        ------
        CertificateError
            If it has none, or if a port is in a window of the cut that is next now: it has moved with another cut.
        """
        found = self.shape()
        if any(placed is not None and placed[0] == NEXT for word in found.words for placed in word):
            raise CertificateError("a port that is joined in an unusual way is near the next cut after a step")
        return found

    def _placed(self, port: LinePort | None) -> Any:
        if port is None:
            return None
        if (cut := self.cut_of(port)) is None:
            raise CertificateError("a port that is joined in an unusual way is far from all cuts")
        return cut, port[0], port[1], port[2] - 2 * self.cuts[cut]

    def step(self, window: int) -> Spiral:
        """The lines of the zone are taken away; the windows become so wide.

        Raises
        ------
        CertificateError
            If this may not be so for larger spirals of the shape, or cycles are lost.
        """
        pairs: dict[LinePort, LinePort] = {}
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

    def route(self, start: LinePort) -> list[RouteStretch]:
        """The stretches of a route."""
        found: list[RouteStretch] = [[(start, 0)]]
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

    def _moves(self, stretches: list[RouteStretch]) -> None:
        """Check how a route moves."""
        ends = stretches[0][0][0], stretches[-1][-1][0]
        if any(not self.follows(port) and self.far(port) != 0 for port in ends):
            raise CertificateError("a route leads between the next and the near cut")
        first, last = self._kinds(stretches[0])[0], self._kinds(stretches[-1])[1]
        apart = None not in (first, last) and (first != last) != (ends[0][0] != ends[1][0])
        if apart and any(self.far(port) is None for port in ends):
            raise CertificateError("ends of a route that move apart are not in windows")
        for stretch in stretches[1:-1]:
            self._kinds(stretch)

    def _kinds(self, stretch: RouteStretch) -> tuple[int | None, int | None]:
        """Whether the first and the last port of a stretch are far; None if it moves by any v."""
        kinds = self._found(stretch)
        if not kinds:
            return None, None
        first, last, parts = kinds[0], kinds[-1], [stretch]
        if first != last:
            begin, end = self._repeated(stretch, first)
            parts = [stretch[:begin], stretch[end:]]
        for part, kind in zip(parts, (first, last), strict=False):
            if {*self._found(part)} != {kind}:
                raise CertificateError("a route leads from the near to the far cut and back")
            self._apart(part, kind)
        return first, last ^ stretch[-1][1]

    def _found(self, stretch: RouteStretch) -> list[int]:
        return [kind ^ opposite for port, opposite in stretch if (kind := self.far(port)) is not None]

    def _apart(self, stretch: RouteStretch, kind: int) -> None:
        """Check that ports of a stretch that is near, or far, are so by P + 2 places."""
        size, slack = abs(self.cuts[FAR] - self.cuts[NEAR]), 2 * self.sides.period + 4
        for port, opposite in stretch:
            if self.goes(port) and not port[1]:
                twice = 2 * abs(port[2] // 2 - self.cuts[NEAR])
            elif self.follows(port):
                twice = 2 * abs(port[2] - 2 * self.cuts[NEXT])
            else:
                continue  # an end of the route that is near: see `_moves`
            if (twice <= size + slack) if kind ^ opposite else (twice >= size - slack):
                raise CertificateError("a route leads into the other half of a zone")

    def _repeated(self, stretch: RouteStretch, first: int) -> tuple[int, int]:
        """Which ports of a stretch may move by any v: from one to another."""
        by = 2 * self.sides.period * (1 if (self.cuts[FAR] > self.cuts[NEAR]) == (first == 0) else -1)

        def moved(number: int) -> tuple[LinePort, int]:
            (side, steep, at), opposite = stretch[number]
            more = -by if opposite else by
            return (side, steep, at - more if steep else at + 2 * more), opposite

        def again(number: int) -> bool:
            inside = 0 <= number and number + length < len(stretch)
            return inside and stretch[number + length] == moved(number)

        place = {one: number for number, one in enumerate(stretch)}
        begin = end = len(stretch) // 2
        length = place.get(moved(begin), begin) - begin
        if length <= 0 or length % 2:
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
