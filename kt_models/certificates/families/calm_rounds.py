"""The way round a square from calm place to calm place, with any number of turns inside; see `many_turns`.

A *calm place* is in the middle of a side: all cells near it are without excess, and have the moves to S of the plane.
So what is open before its column is one of the lasting nodes of `side_walks`.  Let four of them be given, one on each
side, in columns that are the same modulo P as the first one behind a corner (`Round.place`).  If a side has no such
node, there is no calm place, and nothing to be shown.

From one to the next goes a *quarter*: the end of a side, a corner, and the beginning of the next side.  If all moves to
S are those of the plane, the least excess of its cells is a number of the table M, by the nodes at both ends.  It is
found as in `rounds`, from a single state.  If nothing is known of these moves, it is one of the table W, and there is a
turn in S, with the excess t at least.  So a quarter has the least of M and t + W, and the way round has the least sum
of four of these that fit.

What is more than a limit need not be known: then the limit is taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import ceil

import numpy as np
import numpy.typing as npt

from kt_models.certificates.families.rounds import Round
from kt_models.certificates.families.side_walks import OpenMoves
from kt_models.errors import CertificateError

LIMITS = ((Fraction(2, 5), Fraction(1, 5)), (Fraction(1, 2), Fraction(1, 3)))
"""Of the numbers in M and in W, as parts of E: those of the first attempt, which takes little time, and of the next."""

QuarterTable = npt.NDArray[np.int64]
"""Least excesses, by the number of the node where a quarter begins, and of that where it ends."""


@dataclass(frozen=True, eq=False)
class CalmRound:
    """The ways round squares of a plane."""

    round: Round

    @cache  # noqa: B019 -- four
    def nodes(self, side: int) -> list[OpenMoves]:
        """The lasting nodes of a side in the columns that are the same modulo the period as `Round.place`."""
        own = self.round
        return sorted((name for x, name in own.walks[side].lasting if (x - own.place) % own.period == 0), key=sorted)

    def check(self) -> None:
        """Check that the way round has the excess E at least.

        Raises
        ------
        CertificateError
            If it may have less, or it takes too many states to see.
        """
        if not all(self.nodes(side) for side in range(4)):
            return
        for attempt in range(len(LIMITS)):
            least = int(_through(self._quarters(attempt)).min(initial=self.round.sweep.excess))
            if least >= self.round.sweep.excess:
                return
        raise CertificateError(f"turns: a way round may have an excess of {least}, not {self.round.sweep.excess}")

    def left(self) -> Iterator[tuple[OpenMoves, OpenMoves, OpenMoves]]:
        """The nodes of the bottom, the right side and the top of ways round that may have less excess than E."""
        one, two, three, four = self._quarters(len(LIMITS) - 1)
        rest = _sum(three, four)
        for b, low in enumerate(self.nodes(0)):
            for r, right in enumerate(self.nodes(1)):
                for t, high in enumerate(self.nodes(2)):
                    if one[b, r] + two[r, t] + rest[t, b] < self.round.sweep.excess:
                        yield low, right, high

    @cache  # noqa: B019 -- two
    def _quarters(self, attempt: int) -> list[QuarterTable]:
        """The least that each quarter has, or less; known better where ways round had too little before."""
        calm, wild = (ceil(self.round.sweep.excess * part) for part in LIMITS[attempt])
        turn, planes = self.round.sweep.least_turn(self.round.remainder), self.round.planes
        before = self._quarters(attempt - 1) if attempt else [self._nothing(side) for side in range(4)]
        found: list[QuarterTable] = []
        for side, plane in enumerate(planes):
            if plane in planes[:side]:
                found.append(found[planes.index(plane)])
                continue
            rows = np.flatnonzero(_through(before[side:] + before[:side]) < self.round.sweep.excess)
            known = np.minimum(
                self._table(side, calm, rows, wild=False), turn + self._table(side, wild, rows, wild=True)
            )
            found.append(before[side].copy())
            found[side][rows] = known
        return found

    def _nothing(self, side: int) -> QuarterTable:
        return np.zeros((len(self.nodes(side)), len(self.nodes((side + 1) % 4))), dtype=np.int64)

    def _table(self, side: int, below: int, rows: Iterable[int], *, wild: bool) -> QuarterTable:
        """Some rows of the table M or W of a quarter, up to a limit."""
        own, following = self.round, (side + 1) % 4
        edge, place, corner = own.sweep.edge, own.place, own.corner
        one, other = (own.quarter(k, below, edge, edge + 4, wild=wild) for k in (side, following))
        ends = {name: k for k, name in enumerate(self.nodes(following))}
        found = []
        for name in (self.nodes(side)[k] for k in rows):
            known = one.sweep.repeated(one.state(place, name), one.column(place), one.deep, own.period, below)
            states = known[(corner - place) % own.period]
            states = one.moved(one.sweep.advance(states, one.column(corner), one.row(place), below), other)
            known = other.sweep.repeated(states, other.column(place), other.deep, own.period, below)
            found.append([below] * len(ends))
            for end, excess in zip(other.names(place, known[0]), known[0].excess.tolist(), strict=True):
                if end in ends:
                    found[-1][ends[end]] = min(found[-1][ends[end]], excess)
        return np.array(found, dtype=np.int64).reshape(-1, len(ends))


def _sum(one: QuarterTable, other: QuarterTable) -> QuarterTable:
    """The least that two ways have which follow one another."""
    both: QuarterTable = (one[:, :, None] + other[None]).min(axis=1)
    return both


def _through(quarters: Sequence[QuarterTable]) -> QuarterTable:
    """The least that a way round has, by the node where the first quarter begins."""
    one, two, three, four = quarters
    return _sum(_sum(one, two), _sum(three, four)).diagonal()
