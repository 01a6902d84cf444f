"""States of a sweep over regions: the effect of a step on them, and steps that are computed once and then looked up.

A state is a word of 64 bits: its cost above the least one (12 bits), which of the live moves are chosen (50 bits), and
its layer (2 bits): how many ends of an open tour were met, or a sum modulo 3.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kt_models.errors import CertificateError
from kt_models.limits import Limits

MAX_ROWS = 10_000_000
"""Most continuations of states in one step: 80 MB of words, and most of a second."""
BYTES_PER_ROW = 64
"""Bytes that a continuation takes while the continuations are sorted, roughly."""
MAX_WORK = 2_000_000_000
"""Most continuations in one check: some minutes."""
MERGED_STATES = 2_000_000
"""Continuations that wait before they are merged: 32 MB, and some times as much while they are sorted."""
MAX_KEPT = 50_000_000
"""Most states that are kept for looking steps up: 400 MB."""

# Layout of a state's 64-bit word, from the lowest bit: cost (12), one bit for each open move (50), ends met (2).
COST_BITS, LAYER_BIT = 12, 62
MAX_LIVE = LAYER_BIT - COST_BITS

States = npt.NDArray[np.uint64]
# Above every cost, and far enough from 2**63 that sums of two do not overflow.
INFINITE = 1 << 60


class Front(NamedTuple):
    """Distinct states in increasing order, with least cost 0, and their SHA-256, by which steps are looked up."""

    states: States
    digest: bytes


@dataclass
class Memory:
    """Steps already computed: outcome by step (up to names) and by the states before it; a measure of the work."""

    limits: Limits
    outcomes: dict[tuple[CellStep, bytes], tuple[Front, int]] = field(default_factory=dict)
    kept: int = 0
    work: int = 0

    def apply(self, step: CellStep, front: Front) -> tuple[Front, int]:
        """States after a step, and the cost that was subtracted from all of them."""
        self.limits.check()
        key = step, front.digest
        if key not in self.outcomes:
            after, rows = step.apply(front.states, self.limits)
            self.work += rows
            if self.work > MAX_WORK:
                raise CertificateError(f"regions: more than {MAX_WORK:,} continuations of states")
            outcome = reduce_states(after)
            self.kept += len(outcome[0].states)
            if self.kept > MAX_KEPT:
                return outcome
            self.outcomes[key] = outcome
        return self.outcomes[key]


@dataclass(frozen=True)
class CellStep:
    """A step at a cell, in terms of the places of moves in the state; it names no cell and no move.

    Parameters
    ----------
    degree, free
        The number of moves that the cell gets; the most ends of the path in all.
    old
        Places of the moves at the cell that are decided.
    weights, required
        By move to be decided: its weight; whether it must be chosen.
    with_old
        By move to be decided: pairs (place, weight) that it makes with decided moves.
    with_new
        (i, j, weight) for pairs of moves to be decided.
    stay, enter
        Places that stay in the state, in their new order; then the moves to be decided that enter it.
    flux
        By move to be decided, what it adds to the layer modulo 3 if it is chosen; empty where the layer counts ends.
    """

    degree: int
    free: int
    old: tuple[int, ...]
    weights: tuple[int, ...]
    required: tuple[bool, ...]
    with_old: tuple[tuple[tuple[int, int], ...], ...]
    with_new: tuple[tuple[int, int, int], ...]
    stay: tuple[int, ...]
    enter: tuple[bool, ...]
    flux: tuple[int, ...] = ()

    def apply(self, states: States, limits: Limits) -> tuple[list[States], int]:
        """All continuations of all states, and their number."""
        most = (
            sum(self.weights) + sum(w for pairs in self.with_old for _, w in pairs) + sum(w for *_, w in self.with_new)
        )
        if int((states & _word((1 << COST_BITS) - 1)).max()) + most >= 1 << COST_BITS:
            raise CertificateError("regions: the costs of states differ by too much")
        have = _chosen(states, self.old)
        entered = {i: len(self.stay) + rank for rank, i in enumerate(i for i, e in enumerate(self.enter) if e)}
        must = {i for i, required in enumerate(self.required) if required}
        between: dict[tuple[int, ...], int] = {}
        for i, j, w in self.with_new:
            between[min(i, j), max(i, j)] = between.get((min(i, j), max(i, j)), 0) + w
        largest = MAX_ROWS if limits.memory is None else min(MAX_ROWS, limits.memory // BYTES_PER_ROW)
        out, rows = [], 0
        for missing, chosen in self._counts():
            ready = have == _word(self.degree - missing - chosen)
            if missing:
                ready &= (states >> _word(LAYER_BIT)) < _word(self.free)
            entering = states[ready]
            if not len(entering):
                continue
            rows += len(entering) * comb(len(self.weights), chosen)
            if rows > largest:
                raise CertificateError(f"regions: more than {largest:,} continuations of states in one step")
            start = (entering & _word((1 << COST_BITS) - 1 | 3 << LAYER_BIT)) + _word(missing << LAYER_BIT)
            for shift, places in _grouped((was - place, was) for place, was in enumerate(self.stay)):
                start |= (entering & _mask(places)) >> _word(shift)
            extra = [
                sum(
                    (_chosen(entering, places) * _word(w) for w, places in _grouped(_total(pairs))),
                    np.full(len(entering), cost, dtype=np.uint64),
                )
                for cost, pairs in zip(self.weights, self.with_old, strict=True)
                if chosen
            ]
            for choice in combinations(range(len(self.weights)), chosen):
                limits.check()
                if not must.issubset(choice):
                    continue
                bits = sum(1 << COST_BITS + entered[i] for i in choice if i in entered)
                following = start + _word(bits + between.get(choice, 0))
                for i in choice:
                    following += extra[i]
                if self.flux and (more := sum(self.flux[i] for i in choice) % 3):
                    following = charged(following, more)
                out.append(following)
        return out, rows

    def _counts(self) -> Iterator[tuple[int, int]]:
        """Numbers of moves that the cell may lack, being an end, and that it may choose now."""
        for missing in range(min(1, self.free, self.degree) + 1):
            for chosen in range(self.degree - missing + 1):
                yield missing, chosen


def reduce_states(parts: Iterable[States]) -> tuple[Front, int]:
    """Distinct states with their least costs, reduced by the least of all, and the reduction."""
    words = least_costs(parts)
    if not len(words):
        raise CertificateError("regions: a cell cannot get its degree: the problem has no solution")
    least = int((words & _word((1 << COST_BITS) - 1)).min())
    words -= _word(least)
    return Front(words, hashlib.sha256(words.tobytes()).digest()), least


def least_costs(parts: Iterable[States]) -> States:
    """Distinct states in order, each with its least cost."""
    waiting = [np.zeros(0, dtype=np.uint64)]
    for part in parts:
        waiting.append(part)
        # Most states are made many times, so merging early keeps the memory small.
        if sum(map(len, waiting[1:])) > max(MERGED_STATES, len(waiting[0])):
            waiting = [_merged(waiting)]
    return _merged(waiting)


def _merged(parts: list[States]) -> States:
    """The distinct states of some parts, each with its least cost; the list is emptied."""
    words = np.concatenate(parts)
    parts.clear()  # They take as much memory again
    # The parts are sorted runs: a stable sort merges them six times as fast as it would sort random words
    words.sort(kind="stable")
    first = np.ones(len(words), dtype=bool)
    np.greater(words[1:] ^ words[:-1], _word((1 << COST_BITS) - 1), out=first[1:])
    return words[first]


def charged(states: States, more: States | int) -> States:
    """States with `more` added to their layer, modulo 3."""
    layer = ((states >> _word(LAYER_BIT)) + np.asarray(more, dtype=np.uint64)) % _word(3)
    return (states & _word((1 << LAYER_BIT) - 1)) | (layer << _word(LAYER_BIT))


def differences(before: States, after: States, cost: int, free: int) -> list[int]:
    """Map of each number of ends met to the least cost after a lap, plus `cost`, less the cost before it.

    The minimum is over the states that exist at both times.
    """
    low, plain = _word((1 << COST_BITS) - 1), _word((1 << LAYER_BIT) - 1)
    gains = []
    for ends in range(free + 1):
        later = after[(after >> _word(LAYER_BIT)) == _word(ends)] & plain
        # Both arrays are sorted and distinct, so the intersection is a merge
        _, a, b = np.intersect1d(
            later >> _word(COST_BITS), before >> _word(COST_BITS), assume_unique=True, return_indices=True
        )
        costs = (later[a] & low).astype(np.int64) - (before[b] & low).astype(np.int64)
        gains.append(int(costs.min()) + cost if len(costs) else INFINITE)
    return gains


def without_ends(front: Front, penalty: int) -> Front:
    """The function V after a lap: the ends met are forgotten, each for a penalty."""
    states = front.states
    ends = states >> _word(LAYER_BIT)
    if not ends.any():
        return front
    cost = (states & _word((1 << COST_BITS) - 1)) + ends * _word(penalty)
    # A larger cost would spill into the bits of the moves
    if int(cost.max()) >= 1 << COST_BITS:
        raise CertificateError("regions: the costs of states differ by too much")
    plain = states & _word((1 << LAYER_BIT) - (1 << COST_BITS))
    return reduce_states([plain | cost])[0]


def _mask(places: Iterable[int]) -> np.uint64:
    """The bits of live moves."""
    return _word(sum(1 << COST_BITS + place for place in places))


def _chosen(states: States, places: Iterable[int]) -> States:
    """How many of some live moves each state has chosen."""
    return np.bitwise_count(states & _mask(places)).astype(np.uint64)


def _grouped(pairs: Iterable[tuple[int, int]]) -> list[tuple[int, list[int]]]:
    """The second numbers of pairs, by the first ones."""
    groups: dict[int, list[int]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return list(groups.items())


def _total(pairs: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Weights and places of pairs of a place and a weight; a place that occurs again has the sum of its weights."""
    totals: dict[int, int] = {}
    for place, weight in pairs:
        totals[place] = totals.get(place, 0) + weight
    return ((weight, place) for place, weight in totals.items())


def _word(value: int) -> np.uint64:
    return np.uint64(value)
