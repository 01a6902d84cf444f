"""The way round a square from calm place to calm place, with any number of turns inside.

Lemma 32 (from calm place to calm place) has the tables M and W.  They are found up to limits that grow: what is less
than its limit is exact, and what is more is taken to be the limit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from kt_models.errors import CertificateError
from theorems.turns.cached_methods import cached_method
from theorems.turns.quarters import Quarter
from theorems.turns.rounds import Round
from theorems.turns.side_walks import OpenMoves

FIRST, FURTHER = 3, 8
"""The first limit is this part of E, and so is what is added to limits at most when more needs to be known."""

QuarterTable = npt.NDArray[np.int64]
"""Least excesses, by the number of the node where a quarter begins, and of that where it ends."""
QuarterPair = tuple[Quarter, Quarter]


@dataclass(frozen=True, eq=False)
class CalmRound:
    """The ways round squares of a plane.

    Parameters
    ----------
    excess
        E.
    turn
        t.
    """

    round: Round
    excess: int
    turn: int

    @cached_method
    def nodes(self, side: int) -> list[OpenMoves]:
        """The lasting nodes of a side in the columns that are the same modulo the period as `Round.place`."""
        own = self.round
        return sorted((name for x, name in own.walks[side].lasting if (x - own.place) % own.period == 0), key=sorted)

    def check(self) -> None:
        """Check that the way round has the excess E at least.

        Checks Lemma 32 (from calm place to calm place).

        Raises
        ------
        CertificateError
            If it may have less, or it takes too many states to see.
        """
        least = int(_through(self._quarters).min(initial=self.excess)) if self._has_places else self.excess
        if least < self.excess:
            raise CertificateError(f"turns: a way round may have an excess of {least}, not {self.excess}")

    def left(self) -> Iterator[tuple[OpenMoves, OpenMoves, OpenMoves]]:
        """The nodes of the bottom, the right side and the top of ways round that may have less excess than E."""
        if not self._has_places:
            return
        one, two, three, four = self._quarters
        rest = _sum(three, four)
        for b, low in enumerate(self.nodes(0)):
            for r, right in enumerate(self.nodes(1)):
                for t, high in enumerate(self.nodes(2)):
                    if one[b, r] + two[r, t] + rest[t, b] < self.excess:
                        yield low, right, high

    @property
    def _has_places(self) -> bool:
        """Whether all sides have nodes: if one has none, it has no calm place."""
        return all(self.nodes(side) for side in range(4))

    @cached_property
    def _quarters(self) -> list[QuarterTable]:
        """The least that each quarter has, or as much as is enough for the way round to have E."""
        planes, sizes = self.round.planes, [len(self.nodes(side)) for side in (0, 1, 2, 3, 0)]
        found, limits = ([np.zeros(size, dtype=np.int64) for size in pairwise(sizes)] for _ in range(2))
        first, further = self.excess // FIRST + 1, self.excess // FURTHER + 1
        side = known = 0
        while known < 4:
            wanted = self.excess - _sum(_sum(found[side - 3], found[side - 2]), found[side - 1]).T
            # what is less than its limit cannot be more
            left = (found[side] < wanted) & (found[side] >= limits[side])
            known += 1
            if left.any():
                known = 0
                below = max(first, int(np.minimum(wanted, limits[side] + further)[left].max()))
                starts, ends = (np.flatnonzero(left.any(axis=axis)) for axis in (1, 0))
                least = self._least(side, below, starts.tolist(), ends.tolist())
                # quarters of the same plane are the same
                for other in (k for k in range(4) if planes[k] == planes[side]):
                    some = np.ix_(starts, ends)
                    found[other][some] = np.maximum(found[other][some], least)
                    limits[other][some] = np.maximum(limits[other][some], below)
            side = (side + 1) % 4
        return found

    def _least(self, side: int, below: int, starts: Sequence[int], ends: Sequence[int]) -> QuarterTable:
        """What a quarter has at least from some nodes to some others, up to a limit."""
        found = np.full((len(starts), len(ends)), below, dtype=np.int64)
        # if a turn adds nothing, no quarter has less with the inside known
        for wild in (False, True) if self.turn else (True,):
            limit = below - self.turn * wild
            if limit > 0:
                found = np.minimum(found, self._table(side, limit, starts, ends, wild=wild) + self.turn * wild)
        return found

    def _table(self, side: int, below: int, starts: Sequence[int], ends: Sequence[int], *, wild: bool) -> QuarterTable:
        """Some rows and columns of the table M or W of a quarter, up to a limit."""
        begin = [self.nodes(side)[k] for k in starts]
        end = [self.nodes((side + 1) % 4)[k] for k in ends]
        half = below // 2
        forth = self._forth(self._pair(side, wild=wild, back=False), begin, end, half, below)
        back = self._back(self._pair(side, wild=wild, back=True), begin, end, below - half, below)
        return np.minimum(np.minimum(forth, back.T), below)

    def _forth(
        self, pair: QuarterPair, begin: Sequence[OpenMoves], end: Sequence[OpenMoves], half: int, below: int
    ) -> QuarterTable:
        """What quarters have at least that have less than a part of it up to the middle of the corner."""
        (one, other), own = pair, self.round
        known = one.sweep.repeated(one.states(own.place, begin), one.column(own.place), one.deep, own.period, half)
        states = known[(own.corner - own.place) % own.period]
        states = one.sweep.advance(states, one.column(own.corner), one.middle, half)
        states = one.moved(one.sweep.advance(states, one.middle, one.row(own.place), below), other)
        known = other.sweep.repeated(states, other.column(own.place), other.deep, own.period, below)
        return known[0].least_at(other.states(own.place, end))

    def _back(
        self, pair: QuarterPair, begin: Sequence[OpenMoves], end: Sequence[OpenMoves], half: int, below: int
    ) -> QuarterTable:
        """The same if they have less than a part of it from there on, by the node where they end."""
        (one, other), own = pair, self.round
        last, columns = own.place + own.period, (own.corner - own.place) % own.period
        known = other.sweep.repeated(other.states(last, end), other.column(last), other.deep, own.period, half)
        states = other.moved_back(known[0], one)
        states = one.sweep.advance(states, one.row(own.place), one.middle, half)
        states = one.sweep.advance(states, one.middle, one.column(own.corner), below)
        known = one.sweep.repeated(states, one.column(own.corner), one.deep, own.period, below)
        return known[columns].least_at(one.states(own.corner - columns, begin))

    @cached_method
    def _pair(self, side: int, *, wild: bool, back: bool) -> QuarterPair:
        """The quarter that begins on a side, and the next one, or both the other way."""
        edge = self.round.sweep.edge
        one, other = (
            self.round.quarter(k, self.excess, edge, edge + 4, wild=wild, back=back) for k in (side, (side + 1) % 4)
        )
        return one, other


def _sum(one: QuarterTable, other: QuarterTable) -> QuarterTable:
    """The least that two ways have which follow one another."""
    both: QuarterTable = (one[:, :, None] + other[None]).min(axis=1)
    return both


def _through(quarters: Sequence[QuarterTable]) -> QuarterTable:
    """The least that a way round has, by the node where the first quarter begins."""
    one, two, three, four = quarters
    return _sum(_sum(one, two), _sum(three, four)).diagonal()
