"""A sweep of some cells with whole moves: what it costs to give each of them two moves that fit.

It is that of Lemma 6 (least excess of a border).  Each cell chooses two of its moves, a pair, at the excess that
`options` names.  A *state* says which moves lead from cells that were taken to cells that were not.
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
MAX_FOLLOWING = 4 * MAX_STATES
"""Most states at a cell, once for each origin, and before those that are the same are put together."""
WORD, MAX_WORDS = 64, 2
"""Bits of a word, and the most words of a state."""
MASK = (1 << WORD) - 1
MOVES = 8
"""Most moves of a cell."""

PairExcesses = list[tuple[int, tuple[int, int], tuple[int, int]]]
"""Of a cell: the excess of two moves, and the moves."""

Word = npt.NDArray[np.uint64]
"""One word of each state."""


def ones(bits: int) -> np.uint64:
    """A word whose lowest bits are 1."""
    return np.uint64((1 << bits) - 1)


@dataclass(frozen=True, eq=False)
class SweepStates:
    """States before a cell, each once and in order, and the least excess that each has.

    Bit k of a state is for the k-th of the moves that may lead there (`CellSweep.open_moves`): bit k % 64 of its word
    k // 64.  Words that are not there are 0.

    A sweep may begin at several *origins* at once.  Then each state has a least excess from each of them, a column of
    `excess` for a state and a row for an origin, or `NEVER` where it is not reached with less than what is looked for.
    """

    words: tuple[Word, ...]
    excess: npt.NDArray[np.int64]

    @classmethod
    def of(cls, bits: Word, excess: int = 0) -> SweepStates:
        """States of one word that all have some excess."""
        return cls((bits,), np.full((1, len(bits)), excess, dtype=np.int64))

    @classmethod
    def joined(cls, parts: Sequence[SweepStates], words: int) -> SweepStates:
        """All of these, one part at least, as they come, with so many words."""
        return cls(
            tuple(np.concatenate([part.word(k) for part in parts]) for k in range(words)),
            np.concatenate([part.excess for part in parts], axis=1),
        )

    def __len__(self) -> int:
        return self.excess.shape[1]

    @property
    def least(self) -> int | None:
        """The least excess, if there are any states."""
        return int(self.excess.min()) if len(self) else None

    @property
    def forgotten(self) -> SweepStates:
        """Before a cell that has no moves to cells taken before: all that is known is the least excess."""
        return SweepStates.of(np.zeros(1, dtype=np.uint64), self.least or 0)

    def wide(self, words: int) -> SweepStates:
        """With so many words."""
        return replace(self, words=tuple(self.word(k) for k in range(words)))

    def word(self, k: int) -> Word:
        """A word."""
        return self.words[k] if k < len(self.words) else np.zeros(len(self), dtype=np.uint64)

    def select(self, numbers: npt.NDArray[np.intp]) -> SweepStates:
        """Those with some numbers."""
        return SweepStates(tuple(word.take(numbers) for word in self.words), self.excess.take(numbers, axis=1))

    def where(self, chosen: npt.NDArray[np.bool_]) -> SweepStates:
        """Some of them."""
        return self.select(np.flatnonzero(chosen))

    @property
    def none(self) -> SweepStates:
        """None of them."""
        return self.select(np.arange(0))

    def least_at(self, others: SweepStates) -> npt.NDArray[np.int64]:
        """The least excess that each of some states has, a column of the result, from each origin."""
        found = np.full((len(self.excess), len(others)), NEVER)
        for number in range(len(others)):
            wanted = zip(self.words, others.words, strict=True)
            (places,) = np.nonzero(np.logical_and.reduce([own == word[number] for own, word in wanted]))
            found[:, number] = self.excess.take(places, axis=1).min(axis=1, initial=NEVER)
        return found

    def bits(self, place: int, count: int) -> Word:
        """Some bits of each that follow one another, at most as many as a word has."""
        k, shift = divmod(place, WORD)
        found = self.word(k) >> np.uint64(shift)
        if shift:
            found = found | self.word(k + 1) << np.uint64(WORD - shift)
        return found & ones(count)

    def without(self, count: int) -> SweepStates:
        """Without some of the lowest bits, fewer than a word has."""
        words = tuple(self.bits(k * WORD + count, WORD) for k in range(len(self.words)))
        return replace(self, words=words) if count else self

    def widened(self, place: int) -> SweepStates:
        """With a bit that is 0 put in at a place."""
        found = []
        for k, word in enumerate(self.words):
            below = ones(min(max(place - k * WORD, 0), WORD))
            carried = self.words[k - 1] >> np.uint64(WORD - 1) if k and place < k * WORD else np.uint64(0)
            found.append(word & below | (word & ~below) << np.uint64(1) | carried)
        return replace(self, words=tuple(found))

    def least_of_each(self) -> SweepStates:
        """The states in order, each once, with the least excess that it has from each origin."""
        words = self.words
        states = self.select(np.argsort(words[0], kind="stable") if len(words) == 1 else np.lexsort(words))
        if len(states):
            first = np.ones(len(states), dtype=np.bool_)
            first[1:] = np.logical_or.reduce([word[1:] != word[:-1] for word in states.words])
            places = np.flatnonzero(first)
            excess = np.minimum.reduceat(states.excess, places, axis=1)
            states = SweepStates(tuple(word.take(places) for word in states.words), excess)
        return states

    def __sub__(self, known: SweepStates) -> SweepStates:
        """Those of these that are not among the known ones, or have less excess from some origin.

        All known ones are among these.
        """
        new = np.ones(len(self), dtype=np.bool_)
        both = SweepStates.joined([self, known], len(self.words))
        order = np.lexsort((np.arange(len(both)), *both.words))
        states = both.select(order)
        again = np.logical_and.reduce([key[1:] == key[:-1] for key in (*states.words, *states.excess)])
        new[order[:-1][again]] = False
        return self.where(new)


NEVER = 2**62
"""Much more than any excess."""
START = SweepStates.of(np.zeros(1, dtype=np.uint64))
"""Before the first cell nothing is chosen."""


class SweepStep(NamedTuple):
    """What may follow at a cell: its two moves as bits, those to cells taken before and those to later ones.

    The lowest `before` bits of the state are for moves to this cell.  They fall out, and then bits are put in at the
    places `later`, from the lowest on.
    """

    before: int
    later: tuple[int, ...]
    moves: npt.NDArray[np.int64]
    """Of each pair: the bits of its moves to cells taken before."""
    later_moves: tuple[Word, ...]
    """The bits of those to later ones, by word."""
    more: npt.NDArray[np.int64]
    """The excess."""
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
    settled
        Cells whose moves to each other are not asked about: these fit whatever is chosen.
    """

    cells: Sequence[Cell]
    options: Mapping[Cell, PairExcesses]
    excess: int
    moves: Sequence[Cell]
    limits: Limits
    settled: Set[Cell] = frozenset()

    def advance(self, states: SweepStates, first: int, last: int, below: int) -> SweepStates:
        """The states before a cell, from those before an earlier one, with less excess than a number."""
        for number in range(first, last):
            self.limits.check()
            states = self._after(states, self._step(number), below)
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
        known = [states.none] * period
        at = 0
        while len(states):
            before = known[at].wide(self.words)
            known[at] = both = SweepStates.joined([before, states], self.words).least_of_each()
            states = both - before
            if sum(states.excess.size for states in known) > MAX_STATES:
                raise CertificateError(f"turns: a border has more than {MAX_STATES:,} states")
            column = first + at * rows
            states = self.advance(states, column, column + rows, below)
            at = (at + 1) % period
        return known

    def open_moves(self, number: int) -> list[int]:
        """The moves that may lead to a cell or later ones from cells taken before, in the order of a state's bits.

        `MOVES * i + m` is the move number m of the cell that is taken i cells later.
        """
        return [move - MOVES * number for move in self._open[number]]

    def shape(self, number: int) -> tuple[int, tuple[int, ...]]:
        """At a cell: how many of the lowest bits fall out, and the places where bits are put in then."""
        return self._step(number).before, self._step(number).later

    def choices(self, number: int) -> Iterator[tuple[int, int, int, tuple[Cell, Cell]]]:
        """The pairs of a cell: its moves to cells taken before and to later ones as bits, the excess, and the moves."""
        (x, y), place = self.cells[number], self._numbers
        here = {move: 1 << k for k, move in enumerate(self._open[number])}
        there = {move: 1 << k for k, move in enumerate(self._open[number + 1])}
        for excess, *pair in self._pairs[x, y]:
            before = after = 0
            for dx, dy in pair:
                other = x + dx, y + dy
                if other not in place or self._fit((x, y), other):
                    continue
                if place[other] < number:
                    before |= here[MOVES * number + self.moves.index((dx, dy))]
                else:
                    after |= there[MOVES * place[other] + self.moves.index((-dx, -dy))]
            yield before, after, excess, (pair[0], pair[1])

    @cached_property
    def bits(self) -> int:
        """The most bits that a state has."""
        return max(map(len, self._open))

    @cached_property
    def words(self) -> int:
        """How many words a state has."""
        return -(-self.bits // WORD) or 1

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
                if place.get(other, 0) > number and back in self._wanted[other] and not self._fit((x, y), other)
            ]
            found.append(sorted([move for move in found[-1] if move >= MOVES * (number + 1)] + later))
        if max(map(len, found)) > WORD * MAX_WORDS:
            raise CertificateError("turns: a border has too many moves between its cells")
        return found

    def _fit(self, cell: Cell, other: Cell) -> bool:
        """Whether it is not asked if both choose the move between them."""
        return cell in self.settled and other in self.settled

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

    @cached_method
    def _step(self, number: int) -> SweepStep:
        own, following = self._open[number], self._open[number + 1]
        pairs: dict[tuple[int, int], int] = {}
        for before, after, excess, _ in self.choices(number):
            pairs[before, after] = min(excess, pairs.get((before, after), excess))
        old = set(own)
        later = tuple(k for k, move in enumerate(following) if move not in old)
        falling = bisect(own, MOVES * (number + 1) - 1)
        touched = sorted({following[k] // MOVES for k in later})
        fits = tuple(self._fitting(following, other) for other in touched)
        words = (np.array([after >> WORD * k & MASK for _, after in pairs], dtype=np.uint64) for k in range(self.words))
        moves = np.array([before for before, _ in pairs], dtype=np.int64)
        return SweepStep(falling, later, moves, tuple(words), np.array([*pairs.values()], dtype=np.int64), fits)

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
        rest, own = states.wide(self.words), states.bits(0, step.before).astype(np.int64)
        rest = rest.without(step.before)
        for place in step.later:
            rest = rest.widened(place)
        # states with the same moves to the cell lie together then, those with less excess first
        keys = own * (below + 1) + rest.excess.min(axis=0, initial=below)
        keys = keys.astype(np.min_scalar_type((below + 1) << step.before))
        order = np.argsort(keys, kind="stable")
        cheap = step.more < below
        before, more = step.moves[cheap] * (below + 1), step.more[cheap]
        ends = np.array([before, before + below - more]).astype(keys.dtype)
        first, last = np.searchsorted(keys[order], ends)
        counts = last - first
        if counts.sum() * len(rest.excess) > MAX_FOLLOWING:
            raise CertificateError(f"turns: a border has more than {MAX_STATES:,} states")
        numbers = np.concatenate([order[:0], *map(order.__getitem__, map(slice, first, last))])
        excess = rest.excess.take(numbers, axis=1) + np.repeat(more, counts)
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
