"""Shapes of spirals: the ports and lines that remain, at every size, when lines are taken away.

Sides are numbered 0 to 3 from the bottom one anticlockwise, and the places along each from 0 to N, the side of the
square less 1. Line u of side k begins at place u of side k, which it meets flat, and ends at place (N - u)/2 of side
k + 1, which it meets steeply. A *port* is an end of a line: (k, 0, 2u) is its flat end, and (k + 1, 1, N - u) the
steep one; the third number is twice the place. The section on spirals of `proof.md` defines cuts, steps, shapes and
sizes.
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
"""The number of a cut, and a port whose doubled place is counted from this cut."""
PairRules = Mapping[LinePort, tuple[int, int]]
"""Rules by port modulo the period. In a pattern: the second number of the partner, and the difference of the third
numbers.
In a zone: 0 and that difference; or 1 and the sum of both, less twice the sum of the near and the far cut.
"""
RouteStretch = list[tuple[LinePort, int]]
"""Ports of a route, each with 1 if an odd number of pairs put it on the other side than the first port."""
FAR, NEAR, INNER, NEXT = range(4)
"""Numbers of the cuts."""
MAX_PARTNER_DISTANCE, MIN_PERIOD = 40, 10
"""Largest distance of usual partners in places; and the least P, so that 5P - 1 exceeds that distance."""


def along(port: LinePort, last: int) -> LinePort:
    """The other end of a line, where N is `last`."""
    side, steep, at = port
    return ((side - 1) % 4, 0, 2 * (last - at)) if steep else ((side + 1) % 4, 1, last - at // 2)


@dataclass(frozen=True)
class SpiralSides:
    """Data shared by all spirals of a family: the rules of the pattern, its period, and P."""

    rules: tuple[tuple[LinePort, tuple[int, int]], ...]
    pattern_period: int
    period: int

    @cached_property
    def pattern(self) -> PairRules:
        """Rules of the pattern, by port."""
        return dict(self.rules)

    def partner(self, port: LinePort) -> LinePort | None:
        """Partner of a port by the pattern."""
        side, steep, at = port
        rule = self.pattern.get((side, steep, at % (2 * self.pattern_period)))
        return None if rule is None else (side, rule[0], at + rule[1])


@dataclass(frozen=True)
class SpiralShape:
    """A shape of spirals (see the section on spirals of `proof.md`).

    Parameters
    ----------
    last, near
        N and the near cut modulo P.
    sign
        1 if the near cut is greater than the inner one, otherwise -1.
    odd
        Remainders that are rounded off at the near and at the inner cut.
    zone
        Rules of the zone.
    unusual
        Unusual pairs, each in both directions, and missing ports.
    """

    last: int
    near: int
    sign: int
    odd: tuple[int, int]
    zone: tuple[tuple[LinePort, tuple[int, int]], ...]
    unusual: frozenset[tuple[PlacedPort, PlacedPort | None]]

    def spiral(self, sides: SpiralSides, bit: int, least: int, window: int) -> Spiral:
        """The smallest spiral of a size of at least `least` in which (N less the near cut) / P, rounded down, has the
        parity `bit`.

        Raises
        ------
        CertificateError
            If the pairs do not fit together.
        """
        last = 3 * self.near - self.sign * least
        while last % sides.period != self.last or (last - self.near) // sides.period % 2 != bit:
            last -= self.sign
        # The cuts follow from N and the near cut, up to what rounding drops
        inner = last - 2 * self.near - self.odd[0]
        cuts = last - 2 * inner - self.odd[1], self.near, inner, (last - self.near) // 2
        unusual = {_port(port_of, cuts): partner and _port(partner, cuts) for port_of, partner in self.unusual}
        spiral = Spiral(sides, last, cuts, {}, dict(self.zone), window)
        for port in spiral.expected():
            if (partner := unusual.get(port, spiral.usual(port))) is not None:
                spiral.pairs[port] = partner
        for port, partner in spiral.pairs.items():
            if partner == port or spiral.pairs.get(partner) != port or along(port, last) not in spiral.pairs:
                raise CertificateError("the pairs and the lines of a shape do not fit together")
        return spiral


def _port(placed: PlacedPort, cuts: Sequence[int]) -> LinePort:
    cut, side, steep, at = placed
    return side, steep, at + 2 * cuts[cut]


@dataclass(frozen=True, eq=False)
class Spiral:
    """A spiral (see the section on spirals of `proof.md`).

    Checks Lemma 22 (a step is the same for all sizes).

    Parameters
    ----------
    last
        N.
    cuts
        The far, near, inner and next cut.
    pairs
        Pairs of ports, in both directions.
    zone
        Rules of the zone.
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
        """Whether a place is in the zone, so that the line that begins there is taken away."""
        return min(self.cuts[:2]) <= place < max(self.cuts[:2])

    def goes(self, port: LinePort) -> bool:
        """Whether the line of a port is taken away."""
        return self.zoned(self.last - port[2] if port[1] else port[2] // 2)

    def follows(self, port: LinePort) -> bool:
        """Whether a port is in the next zone; steep ports are there as the other ends of the lines of the zone."""
        ends = 2 * self.cuts[INNER], 2 * self.cuts[NEXT]
        return self.goes(port) if port[1] else min(ends) <= port[2] < max(ends)

    def expected(self) -> Iterator[LinePort]:
        """Ports that the pattern has."""
        ends = self.cuts[FAR], self.cuts[INNER]
        for side in range(4):
            for line in range(min(ends), max(ends)):
                if (side, 0, 2 * line % (2 * self.sides.pattern_period)) in self.sides.pattern:
                    yield side, 0, 2 * line
                    yield (side + 1) % 4, 1, self.last - line

    def usual(self, port: LinePort) -> LinePort | None:
        """Usual partner of a port."""
        side, steep, at = port
        if steep or not self.zoned(at // 2):
            return self.sides.partner(port)
        if (rule := self.zone.get((side, 0, at % (2 * self.sides.period)))) is None:
            return None
        opposite, more = rule
        both = 2 * (self.cuts[FAR] + self.cuts[NEAR])
        return ((side + 2) % 4, 0, both + more - at) if opposite else (side, 0, at + more)

    def cut_of(self, port: LinePort) -> int | None:
        """The cut in whose window a port is."""
        return next((n for n, cut in enumerate(self.cuts) if abs(port[2] - 2 * cut) <= 2 * self.window), None)

    def far(self, port: LinePort) -> int | None:
        """1 for a far port, 0 for a near one, `None` outside the windows."""
        cut = self.cut_of(port)
        return None if cut is None else int(cut in (FAR, INNER))

    def shape(self) -> SpiralShape:
        """The shape of the spiral; the rules of the zone are read in its middle.

        Raises
        ------
        CertificateError
            If the spiral has no shape.
        """
        far, near, inner, _ = self.cuts
        # Far from both ends of the zone, where its rules hold undisturbed
        middle = (far + near) // 2 - self.sides.period // 2
        zone = {}
        for side in range(4):
            for at in range(2 * middle, 2 * (middle + self.sides.period), 2):
                if (partner := self.pairs.get((side, 0, at))) is not None:
                    across = int(partner[0] != side)
                    more = partner[2] + at - 2 * (far + near) if across else partner[2] - at
                    if partner[1] or (partner[0] - side) % 2 or abs(more) > 2 * MAX_PARTNER_DISTANCE:
                        raise CertificateError("the middle of a zone is not joined in itself")
                    zone[side, 0, at % (2 * self.sides.period)] = across, more
        with_rules = replace(self, zone=zone)
        expected = {*with_rules.expected()}
        if not self.pairs.keys() <= expected:
            raise CertificateError("the spiral has a port that the pattern lacks")
        # Everything else follows from the rules, so a shape stays small
        unusual = (port for port in expected if self.pairs.get(port) != with_rules.usual(port))
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
            If there is no next cut, or a port is in the window of the new one: it has moved with another cut.
        """
        shape = self.shape()
        if any(placed is not None and placed[0] == NEXT for word in shape.unusual for placed in word):
            raise CertificateError("a port that is joined in an unusual way is near the next cut after a step")
        return shape

    def _placed(self, port: LinePort | None) -> Any:
        if port is None:
            return None
        if (cut := self.cut_of(port)) is None:
            raise CertificateError("a port that is joined in an unusual way is far from all cuts")
        return cut, port[0], port[1], port[2] - 2 * self.cuts[cut]

    def step(self, window: int) -> Spiral:
        """Take away the lines of the zone; the windows get the width `window`.

        Raises
        ------
        CertificateError
            If larger spirals of the shape may behave differently, or a cycle is lost.
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
        # The next zone lies between the old inner and next cuts
        cuts = inner, following, near, (self.last - following) // 2
        return replace(self, cuts=cuts, pairs=pairs, zone={}, window=window)

    def route(self, start: LinePort) -> list[RouteStretch]:
        """Stretches of a route."""
        stretches: list[RouteStretch] = [[(start, 0)]]
        port, opposite = start, 0
        while True:
            partner = self.pairs[port]
            if partner == self.usual(port):
                # A usual pair inside the zone may lead to the opposite side
                opposite ^= int(partner[0] != port[0])
                stretches[-1].append((partner, opposite))
            else:
                opposite = 0
                stretches.append([(partner, 0)])
            if not self.goes(partner):
                return stretches
            port = along(partner, self.last)
            stretches[-1].append((port, opposite))

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
        """Whether the first and the last port of a stretch are far; `None` if the stretch moves by any v."""
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
        """Check that the ports of a near (or far) stretch are nearer (or farther) by at least P + 2 places."""
        size, slack = abs(self.cuts[FAR] - self.cuts[NEAR]), 2 * self.sides.period + 4
        for port, opposite in stretch:
            if self.goes(port) and not port[1]:
                twice = 2 * abs(port[2] // 2 - self.cuts[NEAR])
            elif self.follows(port):
                twice = 2 * abs(port[2] - 2 * self.cuts[NEXT])
            else:
                continue  # Near ends of the route are checked in `_moves`
            if (twice <= size + slack) if kind ^ opposite else (twice >= size - slack):
                raise CertificateError("a route leads into the other half of a zone")

    def _repeated(self, stretch: RouteStretch, first: int) -> tuple[int, int]:
        """Range of the ports of a stretch that may move by any v."""
        # One period along the zone, doubled like all places, towards the far cut
        by = 2 * self.sides.period * (1 if (self.cuts[FAR] > self.cuts[NEAR]) == (first == 0) else -1)

        def moved(number: int) -> tuple[LinePort, int]:
            (side, steep, at), opposite = stretch[number]
            more = -by if opposite else by
            return (side, steep, at - more if steep else at + 2 * more), opposite

        def again(number: int) -> bool:
            inside = 0 <= number and number + length < len(stretch)
            return inside and stretch[number + length] == moved(number)

        place = {entry: number for number, entry in enumerate(stretch)}
        # The repetition must cover the middle of the stretch: extend it from there
        begin = end = len(stretch) // 2
        length = place.get(moved(begin), begin) - begin
        if length <= 0 or length % 2:
            raise CertificateError("a route goes along a zone without repeating itself")
        # Windows stay fixed, so the repeated part must not enter them
        while again(begin - 1) and self.far(stretch[begin - 1][0]) is None:
            begin -= 1
        while again(end) and self.far(stretch[end + length][0]) is None:
            end += 1
        if end == begin or any(self.far(port) is not None for port, _ in stretch[begin : end + length]):
            raise CertificateError("the repeated part of a route along a zone overlaps a window")
        return begin, end + length

    @property
    def cycles(self) -> int:
        """Number of cycles."""
        left, number = {*self.pairs}, 0
        while left:
            port = next(iter(left))
            while port in left:
                partner = self.pairs[port]
                left -= {port, partner}
                port = along(partner, self.last)
            number += 1
        return number
