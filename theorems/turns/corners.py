"""Corners between two tight sides: all fillings of a corner, and the lines that each of them joins.

Lemma 29 (fillings of a corner) describes the sweep, which keeps one filling of those that join the same lines.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np

from kt_models.cells import Cell
from kt_models.errors import CertificateError
from theorems.turns.cached_methods import cached_method
from theorems.turns.circuit_quarters import CircuitQuarter
from theorems.turns.circuits import SquareCircuit
from theorems.turns.joins import STEEP, CellPath, Filling, PathEnd, paths
from theorems.turns.planes import KNIGHT_MOVES
from theorems.turns.side_walks import OpenMoves
from theorems.turns.sweeps import START, WORD, CellSweep, SweepStates

# Each filling is followed cell by cell: the limit bounds this work.
MAX_FILLINGS = 200_000


TURNED_BACK = {((a, b), (c, d)): ((b, -a), (d, -c)) for a, b in KNIGHT_MOVES for c, d in KNIGHT_MOVES}
"""Two moves of a cell, as seen from the side behind the corner."""

LaterMoves: TypeAlias = "tuple[tuple[Cell, Cell], LaterMoves] | None"
"""Moves of a cell, and of the cells behind it: ways that agree there share them."""


@dataclass(frozen=True, eq=False)
class Choices:
    """Choices of moves at consecutive cells, with less excess than `below`.

    Parameters
    ----------
    numbers
        Numbers of the cells in the sweep. Where they jump, both cells must have the same set of states.
    start
        States before the first cell.
    """

    sweep: CellSweep
    numbers: Sequence[int]
    start: SweepStates
    below: int

    @cached_property
    def _layers(self) -> list[SweepStates]:
        layers = [self.start]
        for number in self.numbers:
            layers.append(self.sweep.advance(layers[-1], number, number + 1, self.below))
        return layers

    @property
    def last(self) -> SweepStates:
        """States behind the last cell."""
        return self._layers[-1]

    @cached_property
    def _known(self) -> list[dict[int, int]]:
        """Least excess of each state, layer by layer."""
        return [dict(zip(_as_numbers(states), states.excess[0].tolist(), strict=True)) for states in self._layers]

    @cached_property
    def _pairs(self) -> dict[int, list[tuple[int, int, int, tuple[Cell, Cell]]]]:
        """Pairs that each cell may choose: bits before and after, excess, and moves."""
        return {number: list(self.sweep.choices(number)) for number in set(self.numbers)}

    def ways(self, index: int) -> Iterator[list[tuple[Cell, Cell]]]:
        """All choices that lead to a state behind the last cell; each lists moves from the first cell to the last."""
        # Depth-first from the last cell to the first; the layers' least excesses prune every dead end
        last_state = _as_numbers(self.last)[index]
        left: list[tuple[int, int, int, LaterMoves]] = [(len(self.numbers), last_state, self.below - 1, None)]
        while left:
            place, state, most, chosen = left.pop()
            # No way to this state is cheap enough
            if self._known[place].get(state, self.below) > most:
                continue
            if not place:
                self.sweep.limits.check()
                yield _listed(chosen)
                continue
            number = self.numbers[place - 1]
            falling, later = self.sweep.shape(number)
            rest, seen = state, 0
            # Undo the step: take out the inserted bits, from the highest on
            for bit in reversed(later):
                seen |= rest & 1 << bit
                rest = rest & (1 << bit) - 1 | rest >> bit + 1 << bit
            for before, after, excess, pair in self._pairs[number]:
                if after == seen:
                    left.append((place - 1, rest << falling | before, most - excess, (pair, chosen)))


def _listed(moves: LaterMoves) -> list[tuple[Cell, Cell]]:
    """Moves of all cells, from the first on."""
    listed = []
    while moves:
        pair, moves = moves
        listed.append(pair)
    return listed


def _as_numbers(states: SweepStates) -> list[int]:
    words = [word.tolist() for word in states.words]
    return [sum(word << WORD * k for k, word in enumerate(state_words)) for state_words in zip(*words, strict=True)]


@dataclass(frozen=True, eq=False)
class Corners:
    """Corners of squares whose four sides are tight."""

    circuit: SquareCircuit

    @cached_method
    def _choices(self, side: int, tight: bool) -> Choices:
        """Choices at the corner to the right of a side, given the least excess of the other corners.

        Its neighbouring sides are tight, or any. The first cells are those of the last two columns before the corner.
        """
        # The other corners have at least this, so the excess left for this one is small
        leasts = self._tight_corner_excesses if tight else self.circuit.corner_excesses
        below, quarter = self.circuit.sweep.excess - sum(leasts) + leasts[side], self.circuit.quarters[side]
        # The last two columns repeat earlier ones of the sweep, which stand for them
        numbers = [k for x in self.circuit.last_columns for k in range(quarter.column(x), quarter.column(x + 1))]
        numbers += range(quarter.column(self.circuit.corner_start), quarter.row(self.circuit.repeat_start))
        return Choices(quarter.sweep, numbers, self._start(side), below)

    @cached_method
    def _start(self, side: int) -> SweepStates:
        """States without excess before the last two columns of a side.

        Raises
        ------
        CertificateError
            If there are none.
        """
        quarter, place = self.circuit.quarters[side], self.circuit.repeat_start
        first = quarter.column(place)
        known = quarter.sweep.repeated(
            quarter.sweep.advance(START, 0, first, 1), first, quarter.depth, self.circuit.period, 1
        )
        states = known[self.circuit.last_columns[0] - place]
        if not len(states):
            raise CertificateError("turns: no choice of moves leaves a side without excess")
        return states

    @cached_property
    def _tight_corner_excesses(self) -> list[int]:
        """Least excess of the corner to the right of each side, if its neighbouring sides are tight."""
        return [self._choices(side, tight=False).last.least or 0 for side in range(4)]

    @cached_method
    def fillings(self, side: int) -> dict[OpenMoves, list[Filling]]:
        """Fillings of the corner to the left of a side, seen from that side; one of those that join the same lines.

        They are grouped by the state `CLEAR_AFTER` columns behind the beginning of the middle of the side.

        Checks Lemma 29 (fillings of a corner).

        Raises
        ------
        CertificateError
            If there are too many.
        """
        before, place = (side - 1) % 4, self.circuit.repeat_start
        quarter, following, choices = (
            self.circuit.quarters[before],
            self.circuit.quarters[side],
            self._choices(before, tight=True),
        )
        plane, rows = self.circuit.planes[side], self.circuit.sweep.rows
        cells = self._seen_from_next(quarter, choices)
        kept: dict[OpenMoves, dict[frozenset[CellPath], Filling]] = defaultdict(dict)
        number = 0

        def leads(cell: Cell) -> bool:
            return min(cell) >= rows and plane.direction(*cell) == STEEP

        for index in range(len(choices.last)):
            last_state = quarter.moved(choices.last.select(np.array([index])), following)
            for name in following.names(place, last_state):
                for way in choices.ways(index):
                    filling = dict(zip(cells, map(TURNED_BACK.__getitem__, way), strict=True))
                    # The remaining ends lie in S on no such line, or on the side before, where nothing joins them again
                    # only joins that a later line or column can meet make a difference
                    joined = paths(filling, leads, self._matters)
                    # One filling for each set of joins is enough
                    kept[name].setdefault(joined, filling)
                    number += 1
                    if number > MAX_FILLINGS:
                        raise CertificateError(f"turns: a corner has more than {MAX_FILLINGS:,} fillings")
        return {name: list(each.values()) for name, each in kept.items()}

    def _matters(self, end: PathEnd) -> bool:
        """Whether a path ends at a line, or leads to a column behind the corner."""
        if isinstance(end, int):
            return True
        (x, y), (dx, dy) = end
        return x + dx >= self.circuit.repeat_start and y + dy < self.circuit.sweep.rows

    def _seen_from_next(self, quarter: CircuitQuarter, choices: Choices) -> list[Cell]:
        """The cells of a filling, seen from the side behind the corner."""
        columns, cells = len(self.circuit.last_columns), []
        for k, number in enumerate(choices.numbers):
            x, y = quarter.sweep.cells[number]
            if k < columns * quarter.depth:  # These stand for the last columns
                x = self.circuit.corner_start - columns + k // quarter.depth
            cells.append((y, self.circuit.side - 1 - x))
        return cells
