"""Tangles: what a part of a tour joins, what several copies of it join, and how many cycles parts make together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, repeat
from operator import attrgetter

from kt_models.errors import CertificateError
from kt_models.limits import NO_LIMITS, Limits
from theorems.repetition import Repetition

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
        Partner of each port. Ports 0 to m - 1 lead in, ports m to 2m - 1 lead out: port m + k of one copy is port k of
        the next.
    loops
        Number of cycles that meet no port.
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
        # Ports of the first tangle are 0 to 2m - 1, those of the second 2m to 4m - 1
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
class Powers(Repetition[Tangle]):
    """The powers S, S^2, ... of a tangle S; term n is S^(n + 1)."""

    @cached_property
    def more(self) -> int:
        """How many loops a power has more than the one that joins the same, `period` copies before."""
        return self.terms[-1].then(self.terms[0]).loops - self.terms[self.start].loops

    def power(self, exponent: int) -> Tangle:
        """S^exponent, of a positive exponent."""
        base, periods = self.at(exponent - 1), max(0, exponent - 1 - self.start) // self.period
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
    message = f"{MAX_POWERS} copies of a slab do not repeat what fewer join"
    every = accumulate(repeat(tangle), Tangle.then)
    return Powers.of(every, MAX_POWERS, message, limits, attrgetter("partner"))


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
