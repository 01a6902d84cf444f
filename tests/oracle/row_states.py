"""Boards of one width and every length: the states between two rows, and how one row leads to the next.

All that matters of the rows behind is the *state* of the next few: how many moves each of their cells has, and which
are the two ends of a path. Of a given width there are finitely many states. The number of tours of width w and length
n is then u M^n v for a matrix M of as many rows as there are states, so by the theorem of Cayley and Hamilton it
satisfies a linear recurrence of no larger order. A recurrence that holds for that many lengths in a row holds for all:
what it misses by is a sequence of the same kind.

This shares no code with the sweeps; it is plain Python, and meant for narrow boards.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from kt_models.errors import KTError, TooLarge
from kt_models.jit import kernel
from kt_models.kernel.certificates.integers import Ints
from kt_models.leaper import KNIGHT, Leaper
from kt_models.limits import NO_LIMITS, Limits

SPARE = 8
"""Bits more than the floating point numbers ask for."""
FULL, END = -1, -2
"""Of a cell: it has two moves; its path leads to an end of the tour."""
MOST_STATES = 400_000

RowState = tuple[int, ...]
"""By cell of the next rows the other end of its path (itself if it has no move), `FULL` or `END`; last the number of
ends of the tour that there are."""
DONE: RowState = ()


class _Rows:
    """How states follow each other."""

    def __init__(self, width: int, leaper: Leaper, ends: bool) -> None:
        if len(leaper.offsets) != 2:
            raise KTError(f"leaper {leaper}: its moves are not those of a plane")
        a, b = leaper.offsets
        self.width, self.reach, self.ends = width, b, ends
        moves = {(dy, dx) for p, q in ((a, b), (b, a)) for dy in (p, -p) for dx in (q, -q)}
        self.steps = sorted(move for move in moves if move > (0, 0))

    def start(self) -> RowState:
        """The state before the first row."""
        return (*range(self.width * self.reach), 0)

    def next(self, state: RowState, rows: int) -> dict[RowState, int]:
        """The states after one more row, and in how many ways, if there are so many rows left with it."""
        w = self.width
        states = {state[:-1] + tuple(range(len(state) - 1, (self.reach + 1) * w)) + state[-1:]: 1}
        for x in range(w):
            after: dict[RowState, int] = {}
            far = [dy * w + x + dx for dy, dx in self.steps if 0 <= x + dx < w and dy < rows]
            for before, number in states.items():
                for made in self._cell(before, x, far, rows):
                    after[made] = after.get(made, 0) + number
            states = after
        return {made if made == DONE else _shifted(made, w): number for made, number in states.items()}

    def _cell(self, state: RowState, cell: int, far: list[int], rows: int) -> Iterator[RowState]:
        """Give a cell the moves it lacks."""
        if state == DONE or state[cell] == FULL:
            yield state
            return
        for i, other in enumerate(far):
            joined = self._join(state, cell, other, rows)
            if joined is None:
                continue
            if joined == DONE or joined[cell] == FULL:
                yield joined
                continue
            for second in far[i + 1 :]:
                twice_joined = self._join(joined, cell, second, rows)
                if twice_joined is not None:
                    yield twice_joined
            if self.ends and (twice_joined := self._finish(joined, cell, rows)) is not None:
                yield twice_joined
        if self.ends and state[cell] != cell and (joined := self._finish(state, cell, rows)) is not None:
            yield joined

    def _join(self, state: RowState, a: int, b: int, rows: int) -> RowState | None:
        """With a move more."""
        if state[b] == FULL:
            return None
        end_a, end_b, cells = state[a], state[b], list(state)
        if end_a == b and self.ends:  # A closed tour is no open one
            return None
        closed = end_a == b or (end_a == END and end_b == END)
        for v, end in ((a, end_a), (b, end_b)):
            if end != v:
                cells[v] = FULL
        if closed:
            return self._closed(cells, rows)
        for end, other in ((end_a, end_b), (end_b, end_a)):
            if end != END:
                cells[end] = other
        return tuple(cells)

    def _finish(self, state: RowState, cell: int, rows: int) -> RowState | None:
        """With an end of the tour at a cell that has one move."""
        if state[-1] == 2:
            return None
        cells, other = list(state), state[cell]
        cells[cell], cells[-1] = FULL, state[-1] + 1
        if other == END:
            return self._closed(cells, rows)
        cells[other] = END
        return tuple(cells)

    def _closed(self, cells: list[int], rows: int) -> RowState | None:
        """What a tour that is closed comes to: it is all, or nothing."""
        if rows > self.reach or any(v != FULL for v in cells[: rows * self.width]):
            return None
        return DONE

    def mirrored(self, state: RowState) -> RowState:
        """The same on the board reflected."""
        w = self.width
        turn = [v - v % w + w - 1 - v % w for v in range(len(state) - 1)]
        return (*(turn[state[v]] if state[v] >= 0 else state[v] for v in turn), state[-1])


def _shifted(state: RowState, width: int) -> RowState:
    return (*(v - width if v >= 0 else v for v in state[width:-1]), state[-1])


@kernel("void(int64[::1], int64[::1], int64[::1], int64[::1], int64, int64[::1], int64[::1], int64[::1])", counts=False)
def _fill_terms(
    sources: Ints, starts: Ints, numbers: Ints, endings: Ints, prime: int, vector: Ints, after: Ints, terms: Ints
) -> None:
    """See `RowMatrix.terms`; `vector` begins with one way to the state before the first row."""
    for n in range(len(terms)):
        total = 0
        for s in range(len(vector)):
            total = (total + vector[s] * endings[s]) % prime
        terms[n] = total
        for s in range(len(vector)):
            total = 0
            for i in range(starts[s], starts[s + 1]):  # Few and small numbers: far below 2**63
                total += vector[sources[i]] * numbers[i]
            after[s] = total % prime
        for s in range(len(vector)):
            vector[s] = after[s]


@dataclass(frozen=True)
class RowMatrix:
    """The states between rows that a tour can pass, two that are each other's mirror image as one.

    Parameters
    ----------
    states
        How many there are: no more than so many terms determine all.
    first
        The shortest length that the numbers speak of.
    """

    states: int
    first: int
    sources: Ints
    starts: Ints
    numbers: Ints
    endings: Ints

    def terms(self, many: int, prime: int) -> list[int]:
        """The numbers of tours of `many` lengths, modulo a prime below 2**31."""
        terms = np.zeros(many, dtype=np.int64)
        vector, after = np.zeros((2, self.states), dtype=np.int64)
        vector[0] = 1
        _fill_terms(self.sources, self.starts, self.numbers, self.endings, prime, vector, after, terms)
        return terms.tolist()

    def exact_terms(self, many: int) -> list[int]:
        """The numbers themselves, by the Chinese remainder theorem."""
        vector, scale, bits = np.zeros(self.states), 0.0, 1.0
        vector[0] = 1.0
        for _ in range(many):  # All numbers are positive, so that floating point tells how long the largest is
            bits = max(bits, scale + float(np.log2(max(1.0, float(vector @ self.endings)))))
            sums = np.add.reduceat(np.append(vector[self.sources] * self.numbers, 0.0), self.starts[:-1])
            vector = np.where(np.diff(self.starts) > 0, sums, 0.0)
            largest = max(1.0, float(vector.max(initial=0.0)))
            vector, scale = vector / largest, scale + float(np.log2(largest))
        known, modulus = [0] * many, 1
        for prime in primes_below(1 << 31):
            if modulus.bit_length() > bits + SPARE:
                return known
            inverse = pow(modulus, -1, prime)
            residues = self.terms(many, prime)
            known = [
                term + modulus * ((residue - term) * inverse % prime)
                for term, residue in zip(known, residues, strict=True)
            ]
            modulus *= prime
        raise TooLarge("not enough primes")


def primes_below(high: int) -> Iterator[int]:
    """Primes in decreasing order, as many as are asked for."""
    for number in range(high - 1, 2, -2):
        if all(pow(base, number - 1, number) == 1 for base in (2, 3, 5, 7)) and all(
            number % d for d in range(3, int(number**0.5) + 1, 2)
        ):
            yield number


def row_matrix(width: int, leaper: Leaper = KNIGHT, *, ends: bool = False, limits: Limits = NO_LIMITS) -> RowMatrix:
    """All states of the rows of a board of some width.

    Parameters
    ----------
    ends
        Count open tours.

    Raises
    ------
    TooLarge
        Above `MOST_STATES` states.
    Stopped
        If the limits end it.
    """
    rows = _Rows(width, leaper, ends)
    classes: dict[RowState, int] = {}
    members: list[RowState] = []

    def number_of(state: RowState) -> int:
        least = min(state, rows.mirrored(state))
        if least not in classes:
            if len(classes) == MOST_STATES:
                raise TooLarge(f"width {width}: more than {MOST_STATES:,} states between two rows")
            classes[least] = len(members)
            members.append(least)
        return classes[least]

    number_of(rows.start())
    arcs: list[tuple[int, int, int]] = []
    at = 0
    while at < len(members):
        limits.check()
        arcs += [(number_of(made), at, many) for made, many in rows.next(members[at], rows.reach + 1).items()]
        at += 1
    endings = np.array([_endings(rows, state, limits) for state in members])
    return _trimmed(np.array(arcs, dtype=np.int64).reshape(-1, 3), endings, rows.reach)


def _endings(rows: _Rows, state: RowState, limits: Limits) -> int:
    """In how many ways the last rows make a tour of it."""
    limits.check()
    states = {state: 1}
    for left in range(rows.reach, 0, -1):
        after: dict[RowState, int] = {}
        for before, number in states.items():
            if before == DONE:
                after[DONE] = after.get(DONE, 0) + number
                continue
            for made, many in rows.next(before, left).items():
                after[made] = after.get(made, 0) + number * many
        states = after
    return states.get(DONE, 0)


def _trimmed(arcs: Ints, endings: Ints, first: int) -> RowMatrix:
    """Without the states that no tour passes."""
    alive = endings > 0
    alive[0] = True
    while True:
        more = np.zeros(len(alive), dtype=bool)
        more[arcs[alive[arcs[:, 0]], 1]] = True
        if not (more & ~alive).any():
            break
        alive |= more
    to = np.cumsum(alive) - 1
    arcs = arcs[alive[arcs[:, 0]] & alive[arcs[:, 1]]]
    arcs = arcs[np.argsort(arcs[:, 0], kind="stable")]
    states = int(alive.sum())
    starts = np.searchsorted(to[arcs[:, 0]], np.arange(states + 1))
    return RowMatrix(states, first, to[arcs[:, 1]], starts, arcs[:, 2].copy(), endings[alive])
