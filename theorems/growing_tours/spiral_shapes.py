"""Squares with lines of the directions (2, 1) and (1, -2), when lines are taken away: what is left, at every size.

Sides are numbered 0 to 3 from the bottom one anticlockwise, and the places along each from 0 to N, the side of the
square less 1.  Line u of side k begins at place u of side k, which it meets flat, and ends at place (N - u)/2 of side
k + 1, which it meets steeply.  A *port* is an end of a line: (k, 0, 2u) is its flat end, and (k + 1, 1, N - u) the
steep one; the third number is twice the place.  The section on spirals of `proof.md` has cuts, steps, shapes and sizes.
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
    """See the section on spirals of `proof.md`.

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
    """See the section on spirals of `proof.md`.

    Checks Lemma 26 (a step is the same for all sizes).

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
