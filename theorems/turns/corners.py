"""Corners: all ways to fill one between two calm sides, and which lines each of them joins.

Lemma 29 (fillings of a corner) says what is swept, and that of the fillings which join the same one is kept.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kt_models.cells import Cell
from kt_models.errors import CertificateError
from theorems.turns.cached_methods import cached_method
from theorems.turns.joins import STEEP, CellPath, Filling, PathEnd, paths
from theorems.turns.quarters import Quarter
from theorems.turns.rounds import Round
from theorems.turns.side_walks import OpenMoves
from theorems.turns.sweeps import START, WORD, CellSweep, SweepStates

MAX_FILLINGS = 200_000


@dataclass(frozen=True, eq=False)
class Choices:
    """The choices of some cells, one after the other, with less excess than a number.

    Parameters
    ----------
    numbers
        Of the cells in the sweep.  Where one does not follow the one before, the states have to be the same there.
    start
        Before the first of them.
    """

    sweep: CellSweep
    numbers: Sequence[int]
    start: SweepStates
    below: int

    @cached_property
    def _layers(self) -> list[SweepStates]:
        found = [self.start]
        for number in self.numbers:
            found.append(self.sweep.advance(found[-1], number, number + 1, self.below))
        return found

    @property
    def last(self) -> SweepStates:
        """The states behind the last cell."""
        return self._layers[-1]

    @cached_property
    def _known(self) -> list[dict[int, int]]:
        """The least excess of each state, by layer."""
        return [dict(zip(_as_numbers(states), states.excess[0].tolist(), strict=True)) for states in self._layers]

    @cached_property
    def _pairs(self) -> dict[int, list[tuple[int, int, int, tuple[Cell, Cell]]]]:
        """Of each cell: the bits before and after, the excess, and the moves of each pair that it may choose."""
        return {number: list(self.sweep.choices(number)) for number in set(self.numbers)}

    def ways(self, index: int) -> Iterator[list[tuple[Cell, Cell]]]:
        """All ways that lead to a state behind the last cell: the moves of the cells, the last one first."""
        left: list[tuple[int, int, list[tuple[Cell, Cell]]]] = [(_as_numbers(self.last)[index], self.below - 1, [])]
        while left:
            self.sweep.limits.check()
            state, most, chosen = left.pop()
            place = len(self.numbers) - len(chosen)
            if self._known[place].get(state, self.below) > most:
                continue
            if not place:
                yield chosen
                continue
            number = self.numbers[place - 1]
            falling, later = self.sweep.shape(number)
            rest, seen = state, 0
            for bit in reversed(later):
                seen |= rest & 1 << bit
                rest = rest & (1 << bit) - 1 | rest >> bit + 1 << bit
            for before, after, excess, pair in self._pairs[number]:
                if after == seen:
                    left.append((rest << falling | before, most - excess, [*chosen, pair]))


def _as_numbers(states: SweepStates) -> list[int]:
    words = [word.tolist() for word in states.words]
    return [sum(word << WORD * k for k, word in enumerate(own)) for own in zip(*words, strict=True)]


@dataclass(frozen=True, eq=False)
class Corners:
    """The corners of squares all of whose sides are calm."""

    round: Round

    @cached_method
    def _choices(self, side: int, calm: bool) -> Choices:
        """Of the corner to the right of a side, if the others have what they have at least, between calm sides or any.

        The first cells are those of the last two columns before it.
        """
        leasts = self._calm_leasts if calm else self.round.leasts
        below, own = self.round.sweep.excess - sum(leasts) + leasts[side], self.round.quarters[side]
        numbers = [k for x in self.round.last_columns for k in range(own.column(x), own.column(x + 1))]
        numbers += range(own.column(self.round.corner), own.row(self.round.place))
        return Choices(own.sweep, numbers, self._start(side), below)

    @cached_method
    def _start(self, side: int) -> SweepStates:
        """The states without excess before the last two columns of a side.

        Raises
        ------
        CertificateError
            If there are none.
        """
        own, place = self.round.quarters[side], self.round.place
        first = own.column(place)
        known = own.sweep.repeated(own.sweep.advance(START, 0, first, 1), first, own.deep, self.round.period, 1)
        states = known[self.round.last_columns[0] - place]
        if not len(states):
            raise CertificateError("turns: a side without any excess has no states")
        return states

    @cached_property
    def _calm_leasts(self) -> list[int]:
        """What the corners to the right of the sides have at least between calm sides."""
        return [self._choices(side, calm=False).last.least or 0 for side in range(4)]

    @cached_method
    def fillings(self, side: int) -> dict[OpenMoves, list[Filling]]:
        """The ways to fill the corner to the left of a side, one of those that join the same, as seen from this side.

        Checks Lemma 29 (fillings of a corner).

        By the state `EARLY` columns behind the beginning of its middle.

        Raises
        ------
        CertificateError
            If there are too many.
        """
        before, place = (side - 1) % 4, self.round.place
        own, following, choices = (
            self.round.quarters[before],
            self.round.quarters[side],
            self._choices(before, calm=True),
        )
        plane, rows = self.round.planes[side], self.round.sweep.rows
        found: dict[OpenMoves, dict[frozenset[CellPath], Filling]] = defaultdict(dict)
        number = 0
        for index in range(len(choices.last)):
            one = own.moved(choices.last.select(np.array([index])), following)
            for name in following.names(place, one):
                for way in choices.ways(index):
                    filling = self._seen_from_next(own, choices, way)
                    joined = paths(filling, lambda cell: min(cell) >= rows and plane.direction(*cell) == STEEP)
                    # others end in S, along no such line, or in the side before
                    joined = frozenset(path for path in joined if all(self._matters(end) for end in path))
                    found[name].setdefault(joined, filling)
                    number += 1
                    if number > MAX_FILLINGS:
                        raise CertificateError(f"turns: a corner has more than {MAX_FILLINGS:,} fillings")
        return {name: list(each.values()) for name, each in found.items()}

    def _matters(self, end: PathEnd) -> bool:
        """Whether a path ends at a line, or leads to a column behind the corner."""
        if isinstance(end, int):
            return True
        (x, y), (dx, dy) = end
        return x + dx >= self.round.place and y + dy < self.round.sweep.rows

    def _seen_from_next(self, own: Quarter, choices: Choices, way: Sequence[tuple[Cell, Cell]]) -> Filling:
        """A way, the last cell first, as seen from the side behind the corner."""
        columns, found = len(self.round.last_columns), {}
        for k, (number, pair) in enumerate(zip(choices.numbers, reversed(way), strict=True)):
            x, y = own.sweep.cells[number]
            if k < columns * own.deep:  # these stand for the last columns
                x = self.round.corner - columns + k // own.deep
            (a, b), (c, d) = pair
            found[y, self.round.side - 1 - x] = (b, -a), (d, -c)
        return found
