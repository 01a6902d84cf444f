"""A sweep of some cells with whole moves: what it costs to give each of them two moves that fit.

Each cell chooses two of its moves, a pair, at the excess that `options` names.  A move from one of the cells to another
has to be chosen at both or at neither; all other moves are free.  The cells are taken in order.  A *state* says which
moves lead from cells that were taken to cells that were not.  For each state the least excess so far is kept, if it is
less than what is to be shown.  If no state is left at the end, no choice has less.

A state is dropped as soon as some later cell has no pair left: none that has just those moves to cells taken so far
that the state has.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kt_models.cells import Cell
from kt_models.errors import CertificateError
from kt_models.limits import Limits

MAX_STATES = 8_000_000
MAX_FOLLOWING = 4 * MAX_STATES
"""Most states at a cell, and before those that are the same are put together."""
MAX_BITS = 63
"""Of a state and its excess."""
MOVES = 8
"""Most moves of a cell."""
START = np.zeros(1, dtype=np.uint64)
"""Before the first cell nothing is chosen."""

PairExcesses = list[tuple[int, tuple[int, int], tuple[int, int]]]
"""Of a cell: the excess of two moves, and the moves."""


SweepStates = npt.NDArray[np.uint64]
"""States before a cell, each once and in order, and in the lowest bits of each the least excess that it has.

Bit k of a state is for the k-th of the moves that may lead there (`CellSweep.open_moves`).
"""


class SweepStep(NamedTuple):
    """What may follow at a cell: its two moves as bits, those to cells taken before and those to later ones.

    The lowest `before` bits of the state are for moves to this cell.  They fall out, and then bits are put in at the
    places `later`, from the lowest on.
    """

    before: int
    later: tuple[int, ...]
    pairs: tuple[tuple[int, int, int], ...]
    """Bits before, bits after, and the excess."""
    fits: tuple[tuple[int, npt.NDArray[np.bool_]], ...]
    """For later cells that it has moves to: the first of their bits in the following states, and what these may be."""


@dataclass(frozen=True, eq=False)
class CellSweep:
    """The sweep of some cells.

    Parameters
    ----------
    cells
        In the order in which they are taken.
    options
        Of these cells, and maybe of others.
    excess
        What is to be shown: only choices with less are looked for.
    moves
        Of the piece, at most `MOVES`.
    """

    cells: Sequence[Cell]
    options: Mapping[Cell, PairExcesses]
    excess: int
    moves: Sequence[Cell]
    limits: Limits

    def advance(self, states: SweepStates, first: int, last: int, below: int) -> SweepStates:
        """The states before a cell, from those before an earlier one, with less excess than a number."""
        for number in range(first, last):
            self.limits.check()
            states = self._after(states, self._steps[number], below)
        return states

    def repeated(self, states: SweepStates, first: int, rows: int, period: int, below: int) -> list[SweepStates]:
        """The states after any number of columns, by that number modulo a period, with less excess than a number.

        The cell number `first` is the first one of so many columns as the period, each of so many cells (`rows`), and
        the columns after them are equal to these again.  The states found are those where more such columns follow, as
        far as moves lead.

        Raises
        ------
        CertificateError
            If the moves into the columns after them are not those into these, or there are too many states.
        """
        if self.open_moves(first) != self.open_moves(first + period * rows):
            raise CertificateError("turns: the columns of the middle of a side do not repeat")
        known = [np.zeros(0, dtype=np.uint64) for _ in range(period)]
        at = 0
        while len(states):
            before = known[at]
            known[at] = both = self._least_of_each(np.concatenate([before, states]))
            states = np.setdiff1d(both, before, assume_unique=True)
            if sum(map(len, known)) > MAX_STATES:
                raise CertificateError(f"turns: a border has more than {MAX_STATES:,} states")
            column = first + at * rows
            states = self.advance(states, column, column + rows, below)
            at = (at + 1) % period
        return known

    def least(self, states: SweepStates) -> int | None:
        """The least excess of some states, if there are any."""
        return int((states & self._own_excess).min()) if len(states) else None

    def open_moves(self, number: int) -> list[int]:
        """The moves that may lead to a cell or later ones from cells taken before, in the order of a state's bits.

        `MOVES * i + m` is the move number m of the cell that is taken i cells later.
        """
        return [move - MOVES * number for move in self._open[number]]

    @property
    def low(self) -> int:
        """How many of the lowest bits have the excess."""
        return (self.excess - 1).bit_length()

    @property
    def _own_excess(self) -> np.uint64:
        return np.uint64((1 << self.low) - 1)

    @property
    def width(self) -> int:
        """The most bits that a state and its excess have."""
        return self.low + max(map(len, self._open))

    @cached_property
    def _numbers(self) -> dict[Cell, int]:
        """When each cell is taken, in this order."""
        return {cell: number for number, cell in enumerate(self.cells)}

    @cached_property
    def _wanted(self) -> dict[Cell, set[Cell]]:
        """The moves of each cell that are in some pair."""
        return {cell: {move for _, *pair in self.options[cell] for move in pair} for cell in self.cells}

    @cached_property
    def _open(self) -> list[list[int]]:
        """The same, with i counted from the first cell."""
        place = self._numbers
        found: list[list[int]] = [[]]
        for (x, y), number in place.items():
            here = self._wanted[x, y]
            others = [((x + dx, y + dy), (-dx, -dy)) for dx, dy in here]
            later = [
                MOVES * place[other] + self.moves.index(back)
                for other, back in others
                if place.get(other, 0) > number and back in self._wanted[other]
            ]
            found.append(sorted([move for move in found[-1] if move >= MOVES * (number + 1)] + later))
        if max(map(len, found)) + self.low > MAX_BITS:
            raise CertificateError("turns: a border has too many moves between its cells")
        return found

    @cached_property
    def _pairs(self) -> dict[Cell, PairExcesses]:
        """The pairs of each cell that may be chosen: with moves that other cells want, too, and less excess."""
        place, found = self._numbers, {}
        for x, y in self.cells:
            wanted = {
                (dx, dy)
                for dx, dy in self._wanted[x, y]
                if (x + dx, y + dy) not in place or (-dx, -dy) in self._wanted[x + dx, y + dy]
            }
            found[x, y] = [pair for pair in self.options[x, y] if pair[0] < self.excess and wanted.issuperset(pair[1:])]
        return found

    @cached_property
    def _steps(self) -> list[SweepStep]:
        place = self._numbers
        found = []
        for (x, y), number in place.items():
            own, following = self._open[number], self._open[number + 1]
            here = {move: 1 << k for k, move in enumerate(own)}
            there = {move: 1 << k for k, move in enumerate(following)}
            pairs: dict[tuple[int, int], int] = {}
            for excess, *pair in self._pairs[x, y]:
                before = after = 0
                for dx, dy in pair:
                    other = x + dx, y + dy
                    if other not in place:
                        continue
                    if place[other] < number:
                        before |= here[MOVES * number + self.moves.index((dx, dy))]
                    else:
                        after |= there[MOVES * place[other] + self.moves.index((-dx, -dy))]
                pairs[before, after] = min(excess, pairs.get((before, after), excess))
            old = set(own)
            later = tuple(k for k, move in enumerate(following) if move not in old)
            falling = bisect(own, MOVES * (number + 1) - 1)
            touched = sorted({following[k] // MOVES for k in later})
            fits = tuple(self._fitting(following, other) for other in touched)
            found.append(SweepStep(falling, later, tuple((*key, excess) for key, excess in pairs.items()), fits))
        return found

    def _fitting(self, following: list[int], other: int) -> tuple[int, npt.NDArray[np.bool_]]:
        """Where a cell's bits begin in states that have bits for these moves, and which of their values a pair has."""
        bits = [k for k, move in enumerate(following) if move // MOVES == other]
        known = [self.moves[following[k] % MOVES] for k in bits]
        fits = np.zeros(1 << len(bits), dtype=np.bool_)
        for _, *pair in self._pairs[self.cells[other]]:
            fits[sum(1 << k for k, move in enumerate(known) if move in pair)] = True
        return bits[0], fits

    def _after(self, states: SweepStates, step: SweepStep, below: int) -> SweepStates:
        """The states after a cell with less excess than a number."""
        excess, bits = states & self._own_excess, states >> np.uint64(self.low)
        own, rest = bits & np.uint64((1 << step.before) - 1), bits >> np.uint64(step.before)
        for place in step.later:
            kept = np.uint64((1 << place) - 1)
            rest = rest & kept | (rest & ~kept) << np.uint64(1)
        rest = rest << np.uint64(self.low) | excess
        parts, count = [np.zeros(0, dtype=np.uint64)], 0
        for before, after, more in step.pairs:
            if more < below:
                chosen = (own == np.uint64(before)) & (excess < np.uint64(below - more))
                parts.append(rest[chosen] + np.uint64(after << self.low | more))
                count += len(parts[-1])
            if count > MAX_FOLLOWING:
                raise CertificateError(f"turns: a border has more than {MAX_STATES:,} states")
        following = np.concatenate(parts)
        for place, fits in step.fits:
            own = following >> np.uint64(self.low + place) & np.uint64(len(fits) - 1)
            following = following[fits[own]]
        following = self._least_of_each(following)
        if len(following) > MAX_STATES:
            raise CertificateError(f"turns: a border has more than {MAX_STATES:,} states")
        return following

    def _least_of_each(self, states: SweepStates) -> SweepStates:
        """States in order, with the least excess of each."""
        states = np.sort(states)
        bits = states >> np.uint64(self.low)
        first = np.ones(len(states), dtype=np.bool_)
        first[1:] = bits[1:] != bits[:-1]
        return states[first]
