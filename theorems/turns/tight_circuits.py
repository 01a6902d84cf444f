"""Circuits round a square, swept from a tight place on one side to a tight place on the next.

Lemma 32 (from tight place to tight place) defines the tables M and W. Each entry is computed up to a limit that grows
until it suffices: an entry below its limit is exact, and an entry at its limit is a lower bound.
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
from theorems.turns.circuit_quarters import CircuitQuarter
from theorems.turns.circuits import SquareCircuit
from theorems.turns.side_walks import OpenMoves

FIRST_DIVISOR, STEP_DIVISOR = 3, 8
"""Divisors of E: the first limit is E / `FIRST_DIVISOR`, and limits grow by at most E / `STEP_DIVISOR`. Small limits
keep few states; many rounds repeat work.
"""

QuarterTable = npt.NDArray[np.int64]
"""Least excesses, by the numbers of the nodes where a quarter begins and ends."""
QuarterPair = tuple[CircuitQuarter, CircuitQuarter]


@dataclass(frozen=True, eq=False)
class TightCircuit:
    """Circuits round the squares of one plane.

    Parameters
    ----------
    circuit
        Circuits without turns inside.
    excess
        E.
    least_excess_of_turn
        t, the least excess of a turn inside.
    """

    circuit: SquareCircuit
    excess: int
    least_excess_of_turn: int

    @cached_method
    def nodes(self, side: int) -> list[OpenMoves]:
        """Essential nodes of a side in the columns that equal `SquareCircuit.repeat_start` modulo the period."""
        circuit = self.circuit
        return sorted(
            (name for x, name in circuit.walks[side].essential if (x - circuit.repeat_start) % circuit.period == 0),
            key=sorted,
        )

    def check(self) -> None:
        """Check that every circuit has an excess of at least E.

        Checks Lemma 32 (from tight place to tight place).

        Raises
        ------
        CertificateError
            If a circuit may have less, or there are too many states.
        """
        least = int(_through(self._quarters).min(initial=self.excess)) if self._has_places else self.excess
        if least < self.excess:
            raise CertificateError(f"turns: a circuit may have an excess of {least}, not {self.excess}")

    def left(self) -> Iterator[tuple[OpenMoves, OpenMoves, OpenMoves]]:
        """Nodes at the bottom, the right and the top of circuits whose excess may be below E."""
        if not self._has_places:
            return
        first, second, third, fourth = self._quarters
        # Half of the circuit is summed once, outside the loops
        rest = _sum(third, fourth)
        for b, low in enumerate(self.nodes(0)):
            for r, right in enumerate(self.nodes(1)):
                for t, high in enumerate(self.nodes(2)):
                    if first[b, r] + second[r, t] + rest[t, b] < self.excess:
                        yield low, right, high

    @property
    def _has_places(self) -> bool:
        """Whether every side has a node; a side without one has no tight place."""
        return all(self.nodes(side) for side in range(4))

    @cached_property
    def _quarters(self) -> list[QuarterTable]:
        """Least excess of each quarter, or enough of it to bring every circuit to E."""
        planes, sizes = self.circuit.planes, [len(self.nodes(side)) for side in (0, 1, 2, 3, 0)]
        tables, limits = ([np.zeros(size, dtype=np.int64) for size in pairwise(sizes)] for _ in range(2))
        first, further = self.excess // FIRST_DIVISOR + 1, self.excess // STEP_DIVISOR + 1
        side = known = 0
        while known < 4:
            # What this quarter still needs, given the current bounds of the other three
            wanted = self.excess - _sum(_sum(tables[side - 3], tables[side - 2]), tables[side - 1]).T
            # An entry below its limit is exact, so a higher limit would not raise it
            left = (tables[side] < wanted) & (tables[side] >= limits[side])
            known += 1
            if left.any():
                known = 0
                below = max(first, int(np.minimum(wanted, limits[side] + further)[left].max()))
                starts, ends = (np.flatnonzero(left.any(axis=axis)) for axis in (1, 0))
                least = self._least(side, below, starts.tolist(), ends.tolist())
                # Quarters of the same plane have the same table
                for same in (k for k in range(4) if planes[k] == planes[side]):
                    # Only the entries that need more are computed
                    some = np.ix_(starts, ends)
                    tables[same][some] = np.maximum(tables[same][some], least)
                    limits[same][some] = np.maximum(limits[same][some], below)
            side = (side + 1) % 4
        return tables

    def _least(self, side: int, below: int, starts: Sequence[int], ends: Sequence[int]) -> QuarterTable:
        """Least excess of a quarter between given nodes, up to a limit."""
        table = np.full((len(starts), len(ends)), below, dtype=np.int64)
        # A free turn leaves the interior unknown at no cost, which covers a known interior
        for open_interior in (False, True) if self.least_excess_of_turn else (True,):
            limit = below - self.least_excess_of_turn * open_interior
            if limit > 0:
                table = np.minimum(
                    table,
                    self._table(side, limit, starts, ends, open_interior=open_interior)
                    + self.least_excess_of_turn * open_interior,
                )
        return table

    def _table(
        self, side: int, below: int, starts: Sequence[int], ends: Sequence[int], *, open_interior: bool
    ) -> QuarterTable:
        """Some rows and columns of table M or W of a quarter, up to a limit."""
        begin = [self.nodes(side)[k] for k in starts]
        end = [self.nodes((side + 1) % 4)[k] for k in ends]
        half = below // 2
        # Cheap before the middle, or cheap behind it: one of the two holds for every quarter below the limit
        forth = self._forth(self._pair(side, open_interior=open_interior, back=False), begin, end, half, below)
        back = self._back(self._pair(side, open_interior=open_interior, back=True), begin, end, below - half, below)
        return np.minimum(np.minimum(forth, back.T), below)

    def _forth(
        self, pair: QuarterPair, begin: Sequence[OpenMoves], end: Sequence[OpenMoves], half: int, below: int
    ) -> QuarterTable:
        """Least excess of quarters that have less than `half` before the middle of the corner."""
        (quarter, following), circuit = pair, self.circuit
        known = quarter.sweep.repeated(
            quarter.states(circuit.repeat_start, begin),
            quarter.column(circuit.repeat_start),
            quarter.depth,
            circuit.period,
            half,
        )
        states = known[(circuit.corner_start - circuit.repeat_start) % circuit.period]
        states = quarter.sweep.advance(states, quarter.column(circuit.corner_start), quarter.middle, half)
        states = quarter.moved(
            quarter.sweep.advance(states, quarter.middle, quarter.row(circuit.repeat_start), below), following
        )
        known = following.sweep.repeated(
            states, following.column(circuit.repeat_start), following.depth, circuit.period, below
        )
        return known[0].least_at(following.states(circuit.repeat_start, end))

    def _back(
        self, pair: QuarterPair, begin: Sequence[OpenMoves], end: Sequence[OpenMoves], half: int, below: int
    ) -> QuarterTable:
        """Least excess of quarters that have less than `half` behind the middle, by the node where they end."""
        (quarter, following), circuit = pair, self.circuit
        last, columns = (
            circuit.repeat_start + circuit.period,
            (circuit.corner_start - circuit.repeat_start) % circuit.period,
        )
        known = following.sweep.repeated(
            following.states(last, end), following.column(last), following.depth, circuit.period, half
        )
        states = following.moved_back(known[0], quarter)
        states = quarter.sweep.advance(states, quarter.row(circuit.repeat_start), quarter.middle, half)
        states = quarter.sweep.advance(states, quarter.middle, quarter.column(circuit.corner_start), below)
        known = quarter.sweep.repeated(
            states, quarter.column(circuit.corner_start), quarter.depth, circuit.period, below
        )
        return known[columns].least_at(quarter.states(circuit.corner_start - columns, begin))

    @cached_method
    def _pair(self, side: int, *, open_interior: bool, back: bool) -> QuarterPair:
        """The quarter that begins on a side and the next one, both forwards or both backwards."""
        middle_start = self.circuit.sweep.middle_start
        quarter, following = (
            self.circuit.quarter(k, self.excess, middle_start, middle_start + 4, open_interior=open_interior, back=back)
            for k in (side, (side + 1) % 4)
        )
        return quarter, following


def _sum(first: QuarterTable, second: QuarterTable) -> QuarterTable:
    """Least excess of two stretches in a row, by the nodes at their ends."""
    table: QuarterTable = (first[:, :, None] + second[None]).min(axis=1)
    return table


def _through(quarters: Sequence[QuarterTable]) -> QuarterTable:
    """Least excess of a circuit, by the node where its first quarter begins."""
    first, second, third, fourth = quarters
    return _sum(_sum(first, second), _sum(third, fourth)).diagonal()
