"""Tangles: what a part of a tour joins, what several copies of it join, and how many cycles parts make together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kt_models.errors import CertificateError
from kt_models.limits import NO_LIMITS, Limits

MAX_POWERS = 5_000
"""Copies of a tangle that are composed before it has to repeat."""

Joint = tuple[int, int]
"""Two ports that are joined."""


@dataclass(frozen=True)
class Tangle:
    """A matching of ports, and closed loops beside it.

    Parameters
    ----------
    partner
        Of each port.  Ports 0 to m - 1 lead in, ports m to 2m - 1 lead out: port m + k of one copy is port k of the
        next.
    loops
        How many cycles meet no port.
    """

    partner: tuple[int, ...]
    loops: int = 0

    def __post_init__(self) -> None:
        ports = range(len(self.partner))
        if len(ports) % 2 or any(q not in ports or q == p or self.partner[q] != p for p, q in enumerate(self.partner)):
            raise CertificateError("a tangle joins each port to one other port")

    @property
    def width(self) -> int:
        """How many ports lead in; as many lead out."""
        return len(self.partner) // 2

    def then(self, other: Tangle) -> Tangle:
        """This tangle with another one behind it."""
        m = self.width
        if other.width != m:
            raise CertificateError("tangles with different ports are put together")
        # ports of the first tangle are 0 to 2m - 1, those of the second 2m to 4m - 1
        inner = {m + k: 2 * m + k for k in range(m)} | {2 * m + k: m + k for k in range(m)}
        partner = self.partner + tuple(2 * m + port for port in other.partner)
        left, ends = set(inner), []
        for port in (*range(m), *range(3 * m, 4 * m)):
            at = partner[port]
            while at in inner:
                left -= {at, inner[at]}
                at = partner[inner[at]]
            ends.append(at if at < m else at - 2 * m)
        return Tangle(tuple(ends), self.loops + other.loops + _cycles(left, partner, inner))


@dataclass(frozen=True)
class Powers:
    """All powers of a tangle S.

    Parameters
    ----------
    first
        S, S^2, ..., up to the exponent before the first one that joins what an earlier one joins.
    start, period
        S^(n + period) joins what S^n joins for n >= start.
    more
        How many loops it has more.
    """

    first: tuple[Tangle, ...]
    start: int
    period: int
    more: int

    def power(self, exponent: int) -> Tangle:
        """S^exponent, of a positive exponent."""
        if exponent < self.start + self.period:
            return self.first[exponent - 1]
        periods, rest = divmod(exponent - self.start, self.period)
        base = self.first[self.start + rest - 1]
        return Tangle(base.partner, base.loops + periods * self.more)


def powers(tangle: Tangle, limits: Limits = NO_LIMITS) -> Powers:
    """The powers of a tangle, until they repeat.

    Raises
    ------
    CertificateError
        If `MAX_POWERS` are not enough.
    Stopped
        If a limit is reached.
    """
    known: dict[tuple[int, ...], int] = {}
    found: list[Tangle] = []
    power = tangle
    while power.partner not in known:
        limits.check()
        if len(found) == MAX_POWERS:
            raise CertificateError(f"{MAX_POWERS} copies of a slab do not repeat what fewer join")
        found.append(power)
        known[power.partner] = len(found)
        power = power.then(tangle)
    start = known[power.partner]
    return Powers(tuple(found), start, len(found) + 1 - start, power.loops - found[start - 1].loops)


def count_cycles(rest: Iterable[Joint], tangles: Sequence[Tangle]) -> int:
    """How many cycles tangles make with what joins their ports from outside.

    Parameters
    ----------
    rest
        Pairs of ports, each port once; the ports of a tangle are numbered behind those of the ones before.
    """
    partner: list[int] = []
    for tangle in tangles:
        begin = len(partner)
        partner.extend(begin + port for port in tangle.partner)
    outer = {p: q for joint in rest for p, q in (joint, joint[::-1])}
    if outer.keys() != set(range(len(partner))):
        raise CertificateError("the ports of the slabs are not those of the rest")
    return sum(tangle.loops for tangle in tangles) + _cycles(set(outer), partner, outer)


def _cycles(ports: set[int], partner: Sequence[int], outer: dict[int, int]) -> int:
    """How many cycles go through some ports, along both matchings in turn."""
    left, cycles = set(ports), 0
    while left:
        cycles, at = cycles + 1, next(iter(left))
        while at in left:
            left -= {at, partner[at]}
            at = outer[partner[at]]
    return cycles
