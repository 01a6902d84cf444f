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

The tables are found up to limits that grow: of a quarter no more needs to be known than what the other three leave of
E.  What is less than the limit of its row is exact, and what is more is taken to be the limit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
import numpy.typing as npt

from kt_models.certificates.families.rounds import Round
from kt_models.certificates.families.side_walks import OpenMoves
from kt_models.errors import CertificateError

FIRST, FURTHER = 4, 14
"""The first limit is a part of E, and so is what is added to limits at most when more needs to be known."""
TOGETHER = 3
"""Sweeps with more than this part of E begin at one node only, as they have many states."""

QuarterTable = npt.NDArray[np.int64]
"""Least excesses, by the number of the node where a quarter begins, and of that where it ends."""


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
        excess, planes = self.excess, self.round.planes
        found = [np.zeros((len(self.nodes(k)), len(self.nodes((k + 1) % 4))), dtype=np.int64) for k in range(4)]
        limits = [np.zeros((len(self.nodes(k)), 1), dtype=np.int64) for k in range(4)]
        while True:
            before = [limit.copy() for limit in limits]
            for side in range(4):
                wanted = excess - _sum(_sum(found[side - 3], found[side - 2]), found[side - 1]).T
                # what is less than its limit cannot be more
                wanted[(found[side] >= wanted) | (found[side] < limits[side])] = 0
                limit = np.minimum(wanted.max(axis=1), limits[side][:, 0] + excess // FURTHER + 1)
                limit = np.where(limit, np.maximum(limit, excess // FIRST + 1), 0)
                for below in sorted({*limit.tolist()} - {0}):
                    rows = np.flatnonzero(limit == below).tolist()
                    known = self._least(side, below, rows)
                    # quarters of the same plane are the same
                    for other in (k for k in range(4) if planes[k] == planes[side]):
                        found[other][rows], limits[other][rows] = known, below
            if all((limit == old).all() for limit, old in zip(limits, before, strict=True)):
                return found

    def _least(self, side: int, below: int, rows: Sequence[int]) -> QuarterTable:
        """Some rows of what a quarter has at least, up to a limit."""
        some = 1 if below > self.excess // TOGETHER else len(rows)
        parts = [rows[k : k + some] for k in range(0, len(rows), some)]
        found = np.full((len(rows), len(self.nodes((side + 1) % 4))), below, dtype=np.int64)
        # if a turn adds nothing, no quarter has less with the inside known
        for wild in (False, True) if self.turn else (True,):
            limit = below - self.turn * wild
            if limit > 0:
                known = np.concatenate([self._table(side, limit, part, wild=wild) for part in parts])
                found = np.minimum(found, known + self.turn * wild)
        return found

    def _table(self, side: int, below: int, rows: Sequence[int], *, wild: bool) -> QuarterTable:
        """Some rows of the table M or W of a quarter, up to a limit."""
        own, following = self.round, (side + 1) % 4
        edge, place, corner = own.sweep.edge, own.place, own.corner
        one, other = (own.quarter(k, below, edge, edge + 4, wild=wild) for k in (side, following))
        nodes, ends = self.nodes(side), self.nodes(following)
        states = one.states(place, [nodes[k] for k in rows])
        known = one.sweep.repeated(states, one.column(place), one.deep, own.period, below)
        states = known[(corner - place) % own.period]
        states = one.moved(one.sweep.advance(states, one.column(corner), one.row(place), below), other)
        known = other.sweep.repeated(states, other.column(place), other.deep, own.period, below)
        found = np.full((len(rows), len(ends)), below, dtype=np.int64)
        wanted = other.states(place, ends)
        for k in range(len(ends)):
            reached = known[0].same(wanted, k)
            found[reached.origins, k] = np.minimum(found[reached.origins, k], reached.excess)
        return found


def _sum(one: QuarterTable, other: QuarterTable) -> QuarterTable:
    """The least that two ways have which follow one another."""
    both: QuarterTable = (one[:, :, None] + other[None]).min(axis=1)
    return both


def _through(quarters: Sequence[QuarterTable]) -> QuarterTable:
    """The least that a way round has, by the node where the first quarter begins."""
    one, two, three, four = quarters
    return _sum(_sum(one, two), _sum(three, four)).diagonal()
