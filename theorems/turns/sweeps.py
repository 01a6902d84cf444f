"""Sweeps that give each cell two moves that fit together, and what they cost above the bound: the excess.

It is the sweep of Lemma 6 (least excess of a border). Each cell chooses a pair of its moves, at the excess listed in
`options`. A *state* is the set of moves that lead from cells already taken to cells not yet taken.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kt_models.cells import Cell
from kt_models.errors import CertificateError
from kt_models.limits import Limits
from theorems.turns.cached_methods import cached_method

MAX_STATES = 8_000_000
# Eight million states of two words with one origin take about 200 MB; a step holds a few copies.
MAX_FOLLOWING = 4 * MAX_STATES
"""Most states at a cell, counted once for each origin, before equal states are merged."""
WORD, MAX_WORDS = 64, 2
"""Bits of a word, and most words of a state."""
# Python integers are masked before they become numpy words.
MASK = (1 << WORD) - 1
MOVES = 8
"""Most moves of a cell."""

PairExcesses = list[tuple[int, tuple[int, int], tuple[int, int]]]
"""Pairs of a cell: the excess, and the two moves."""

Word = npt.NDArray[np.uint64]
"""One word of each state."""


def low_mask(bits: int) -> np.uint64:
    """A word whose lowest bits are 1."""
    return np.uint64((1 << bits) - 1)


@dataclass(frozen=True, eq=False)
class SweepStates:
    """Distinct states before a cell, in order, and the least excess of each.

    Bit k of a state stands for the k-th of the moves that may lead there (`CellSweep.open_moves`): bit k % 64 of word
    k // 64. Missing words are 0.

    A sweep may begin at several *origins* at once. Then `excess` has a row for each origin and a column for each
    state:
    the least excess from the origin to the state, or `NEVER` if it is not below the limit of the sweep.
    """

    words: tuple[Word, ...]
    excess: npt.NDArray[np.int64]

    @classmethod
    def of(cls, bits: Word, excess: int = 0) -> SweepStates:
        """States of one word with one excess."""
        return cls((bits,), np.full((1, len(bits)), excess, dtype=np.int64))

    @classmethod
    def joined(cls, parts: Sequence[SweepStates], words: int) -> SweepStates:
        """Concatenate states, widened to a number of words."""
        return cls(
            tuple(np.concatenate([part.word(k) for part in parts]) for k in range(words)),
            np.concatenate([part.excess for part in parts], axis=1),
        )

    def __len__(self) -> int:
        return self.excess.shape[1]

    @property
    def least(self) -> int | None:
        """Least excess; `None` without any states."""
        return int(self.excess.min()) if len(self) else None

    @property
    def forgotten(self) -> SweepStates:
        """The only state before a cell without moves to earlier cells, with the least excess so far."""
        return SweepStates.of(np.zeros(1, dtype=np.uint64), self.least or 0)

    def wide(self, words: int) -> SweepStates:
        """The same states with a number of words."""
        return replace(self, words=tuple(self.word(k) for k in range(words)))

    def word(self, k: int) -> Word:
        """Word `k` of each state."""
        return self.words[k] if k < len(self.words) else np.zeros(len(self), dtype=np.uint64)

    def select(self, numbers: npt.NDArray[np.intp]) -> SweepStates:
        """States with given numbers."""
        return SweepStates(tuple(word.take(numbers) for word in self.words), self.excess.take(numbers, axis=1))

    def where(self, chosen: npt.NDArray[np.bool_]) -> SweepStates:
        """States selected by a mask."""
        return self.select(np.flatnonzero(chosen))

    @property
    def none(self) -> SweepStates:
        """No states."""
        return self.select(np.arange(0))

    def least_at(self, others: SweepStates) -> npt.NDArray[np.int64]:
        """Least excess of each of the other states (columns) from each origin (rows)."""
        table = np.full((len(self.excess), len(others)), NEVER)
        for number in range(len(others)):
            wanted = zip(self.words, others.words, strict=True)
            (places,) = np.nonzero(np.logical_and.reduce([ours == word[number] for ours, word in wanted]))
            table[:, number] = self.excess.take(places, axis=1).min(axis=1, initial=NEVER)
        return table

    def bits(self, place: int, count: int) -> Word:
        """Consecutive bits of each state, at most one word of them."""
        k, shift = divmod(place, WORD)
        bits = self.word(k) >> np.uint64(shift)
        if shift:
            bits = bits | self.word(k + 1) << np.uint64(WORD - shift)
        return bits & low_mask(count)

    def without(self, count: int) -> SweepStates:
        """States without their lowest bits, fewer than a word of them."""
        words = tuple(self.bits(k * WORD + count, WORD) for k in range(len(self.words)))
        return replace(self, words=words) if count else self

    def widened(self, place: int) -> SweepStates:
        """States with a bit 0 inserted at a place."""
        widened = []
        for k, word in enumerate(self.words):
            below = low_mask(min(max(place - k * WORD, 0), WORD))
            # The highest bit of the word below moves up, except in the word of the insertion
            carried = self.words[k - 1] >> np.uint64(WORD - 1) if k and place < k * WORD else np.uint64(0)
            widened.append(word & below | (word & ~below) << np.uint64(1) | carried)
        return replace(self, words=tuple(widened))

    def least_of_each(self) -> SweepStates:
        """Distinct states in order, each with the least excess from each origin."""
        words = self.words
        # States of one word need no lexical sort
        states = self.select(np.argsort(words[0], kind="stable") if len(words) == 1 else np.lexsort(words))
        if len(states):
            first = np.ones(len(states), dtype=np.bool_)
            first[1:] = np.logical_or.reduce([word[1:] != word[:-1] for word in states.words])
            places = np.flatnonzero(first)
            # Equal states are now neighbours: one minimum for each run
            excess = np.minimum.reduceat(states.excess, places, axis=1)
            states = SweepStates(tuple(word.take(places) for word in states.words), excess)
        return states

    def __sub__(self, known: SweepStates) -> SweepStates:
        """States that are not among `known`, or have less excess there from some origin.

        All known states are among these.
        """
        new = np.ones(len(self), dtype=np.bool_)
        both = SweepStates.joined([self, known], len(self.words))
        # Self before known among equal states, so that a repetition marks the one of self
        order = np.lexsort((np.arange(len(both)), *both.words))
        states = both.select(order)
        # Same state and same excess from every origin: nothing new
        again = np.logical_and.reduce([key[1:] == key[:-1] for key in (*states.words, *states.excess)])
        new[order[:-1][again]] = False
        return self.where(new)


# Two such values still add up without overflow.
NEVER = 2**62
"""Stands for infinity: far above any excess."""
START = SweepStates.of(np.zeros(1, dtype=np.uint64))
"""The state before the first cell: nothing is chosen."""


class SweepStep(NamedTuple):
    """All choices at a cell: each pair of moves as bits, for the earlier cells and for the later ones.

    The lowest `before` bits of the state are the moves to this cell. They are removed. Then bits are inserted at the
    places `later`, from the lowest on.
    """

    before: int
    later: tuple[int, ...]
    moves: npt.NDArray[np.int64]
    """For each pair, the bits of its moves to earlier cells."""
    later_moves: tuple[Word, ...]
    """For each pair, the bits of its moves to later cells, by word."""
    more: npt.NDArray[np.int64]
    """For each pair, its excess."""
    fits: tuple[tuple[int, npt.NDArray[np.bool_]], ...]
    """For each later cell that gains a bit: the first of its bits in following states, and which values may be
    completed."""


@dataclass(frozen=True, eq=False)
class CellSweep:
    """Sweep of some cells.

    Parameters
    ----------
    cells
        Cells in the order in which they are taken.
    options
        Pairs and excesses of these cells, and possibly of others.
    excess
        Only choices with less excess are followed.
    moves
        Moves of the piece, at most `MOVES`.
    plane_cells
        Cells whose moves among themselves agree by construction, and are not checked.
    """

    cells: Sequence[Cell]
    options: Mapping[Cell, PairExcesses]
    excess: int
    moves: Sequence[Cell]
    limits: Limits
    plane_cells: Set[Cell] = frozenset()

    def advance(self, states: SweepStates, first: int, last: int, below: int) -> SweepStates:
        """States before the cell `last`, from those before the cell `first`, with less excess than `below`."""
        for number in range(first, last):
            self.limits.check()
            states = self._after(states, self._step(number), below)
        return states

    def repeated(self, states: SweepStates, first: int, rows: int, period: int, below: int) -> list[SweepStates]:
        """States after any number of columns, by that number modulo `period`, with less excess than `below`.

        The cell `first` begins `period` columns of `rows` cells each, and the columns behind them repeat these. States
        are valid where more such columns follow, as far as moves reach.

        Raises
        ------
        CertificateError
            If the open moves do not repeat, or there are too many states.
        """
        if self.open_moves(first) != self.open_moves(first + period * rows):
            raise CertificateError("turns: the columns in the middle of a side do not repeat")
        known = [states.none] * period
        at = 0
        while len(states):
            before = known[at].wide(self.words)
            known[at] = both = SweepStates.joined([before, states], self.words).least_of_each()
            # Only new or cheaper states have to be followed on
            states = both - before
            if sum(states.excess.size for states in known) > MAX_STATES:
                raise CertificateError(f"turns: a border has more than {MAX_STATES:,} states")
            column = first + at * rows
            states = self.advance(states, column, column + rows, below)
            at = (at + 1) % period
        return known

    def open_moves(self, number: int) -> list[int]:
        """Moves that may lead from earlier cells to a cell or later ones, in the order of the bits of a state.

        `MOVES * i + m` is move `m` of the cell that is taken `i` cells later.
        """
        return [move - MOVES * number for move in self._open[number]]

    def shape(self, number: int) -> tuple[int, tuple[int, ...]]:
        """Number of lowest bits that a cell removes, and the places where it inserts bits."""
        return self._step(number).before, self._step(number).later

    def choices(self, number: int) -> Iterator[tuple[int, int, int, tuple[Cell, Cell]]]:
        """Pairs of a cell: its moves to earlier and to later cells as bits, the excess, and the moves."""
        (x, y), place = self.cells[number], self._numbers
        bits = {move: 1 << k for k, move in enumerate(self._open[number])}
        next_bits = {move: 1 << k for k, move in enumerate(self._open[number + 1])}
        for excess, *pair in self._pairs[x, y]:
            before = after = 0
            for dx, dy in pair:
                neighbour = x + dx, y + dy
                if neighbour not in place or self._agree((x, y), neighbour):
                    continue
                if place[neighbour] < number:
                    before |= bits[MOVES * number + self.moves.index((dx, dy))]
                else:
                    after |= next_bits[MOVES * place[neighbour] + self.moves.index((-dx, -dy))]
            yield before, after, excess, (pair[0], pair[1])

    @cached_property
    def bits(self) -> int:
        """Most bits of a state."""
        return max(map(len, self._open))

    @cached_property
    def words(self) -> int:
        """Number of words of a state."""
        return -(-self.bits // WORD) or 1

    @cached_property
    def _numbers(self) -> dict[Cell, int]:
        """Position of each cell in the order."""
        return {cell: number for number, cell in enumerate(self.cells)}

    @cached_property
    def _wanted(self) -> dict[Cell, set[Cell]]:
        """Moves of each cell that are in some pair."""
        return {cell: {move for _, *pair in self.options[cell] for move in pair} for cell in self.cells}

    @cached_property
    def _open(self) -> list[list[int]]:
        """Open moves before each cell, with `i` counted from the first cell."""
        place = self._numbers
        open_moves: list[list[int]] = [[]]
        for (x, y), number in place.items():
            wanted = self._wanted[x, y]
            others = [((x + dx, y + dy), (-dx, -dy)) for dx, dy in wanted]
            later = [
                MOVES * place[neighbour] + self.moves.index(back)
                for neighbour, back in others
                if place.get(neighbour, 0) > number
                and back in self._wanted[neighbour]
                and not self._agree((x, y), neighbour)
            ]
            open_moves.append(sorted([move for move in open_moves[-1] if move >= MOVES * (number + 1)] + later))
        if max(map(len, open_moves)) > WORD * MAX_WORDS:
            raise CertificateError("turns: a border has too many moves between its cells")
        return open_moves

    def _agree(self, cell: Cell, neighbour: Cell) -> bool:
        """Whether the two cells agree about the move between them by construction."""
        return cell in self.plane_cells and neighbour in self.plane_cells

    @cached_property
    def _pairs(self) -> dict[Cell, PairExcesses]:
        """Pairs that each cell may choose: neighbours have matching pairs, and the excess is below the limit."""
        place, pairs = self._numbers, {}
        for x, y in self.cells:
            wanted = {
                (dx, dy)
                for dx, dy in self._wanted[x, y]
                if (x + dx, y + dy) not in place or (-dx, -dy) in self._wanted[x + dx, y + dy]
            }
            pairs[x, y] = [pair for pair in self.options[x, y] if pair[0] < self.excess and wanted.issuperset(pair[1:])]
        return pairs

    @cached_method
    def _step(self, number: int) -> SweepStep:
        current, following = self._open[number], self._open[number + 1]
        pairs: dict[tuple[int, int], int] = {}
        for before, after, excess, _ in self.choices(number):
            # Pairs with the same bits differ only in excess: the cheapest is enough
            pairs[before, after] = min(excess, pairs.get((before, after), excess))
        old = set(current)
        later = tuple(k for k, move in enumerate(following) if move not in old)
        falling = bisect(current, MOVES * (number + 1) - 1)
        # Later cells whose bits changed: a state that no pair there completes is dropped at once
        touched = sorted({following[k] // MOVES for k in later})
        fits = tuple(self._fitting(following, later_cell) for later_cell in touched)
        words = (np.array([after >> WORD * k & MASK for _, after in pairs], dtype=np.uint64) for k in range(self.words))
        moves = np.array([before for before, _ in pairs], dtype=np.int64)
        return SweepStep(falling, later, moves, tuple(words), np.array([*pairs.values()], dtype=np.int64), fits)

    def _fitting(self, following: list[int], later_cell: int) -> tuple[int, npt.NDArray[np.bool_]]:
        """First bit of a later cell in states with bits for these moves, and the values of its bits that fit a pair."""
        bits = [k for k, move in enumerate(following) if move // MOVES == later_cell]
        known = [self.moves[following[k] % MOVES] for k in bits]
        # A table over the few bits of one cell is faster than comparing pairs
        fits = np.zeros(1 << len(bits), dtype=np.bool_)
        for _, *pair in self._pairs[self.cells[later_cell]]:
            fits[sum(1 << k for k, move in enumerate(known) if move in pair)] = True
        return bits[0], fits

    def _after(self, states: SweepStates, step: SweepStep, below: int) -> SweepStates:
        """States after a cell, with less excess than `below`."""
        rest, moves_here = states.wide(self.words), states.bits(0, step.before).astype(np.int64)
        rest = rest.without(step.before)
        for place in step.later:
            rest = rest.widened(place)
        # Sorted by moves to the cell, then by excess: the states that one pair fits are a range, found by bisection
        # one integer key for moves and excess
        keys = moves_here * (below + 1) + rest.excess.min(axis=0, initial=below)
        # numpy's stable sort of integers up to 16 bits is a radix sort
        keys = keys.astype(np.min_scalar_type((below + 1) << step.before))
        order = np.argsort(keys, kind="stable")
        cheap = step.more < below
        before, more = step.moves[cheap] * (below + 1), step.more[cheap]
        ends = np.array([before, before + below - more]).astype(keys.dtype)
        first, last = np.searchsorted(keys[order], ends)
        counts = last - first
        if counts.sum() * len(rest.excess) > MAX_FOLLOWING:
            raise CertificateError(f"turns: a border has more than {MAX_STATES:,} states")
        # The empty slice keeps the type if no pair fits
        numbers = np.concatenate([order[:0], *map(order.__getitem__, map(slice, first, last))])
        excess = rest.excess.take(numbers, axis=1) + np.repeat(more, counts)
        # Too dear from this origin; another origin may still need the state
        excess[excess >= below] = NEVER
        words = zip(rest.words, step.later_moves, strict=True)
        following = SweepStates(
            tuple(word.take(numbers) | np.repeat(bits[cheap], counts) for word, bits in words), excess
        )
        if step.fits:
            every = [fits[following.bits(place, len(fits).bit_length() - 1)] for place, fits in step.fits]
            following = following.where(np.logical_and.reduce(every))
        following = following.least_of_each()
        if following.excess.size > MAX_STATES:
            raise CertificateError(f"turns: a border has more than {MAX_STATES:,} states")
        return following
