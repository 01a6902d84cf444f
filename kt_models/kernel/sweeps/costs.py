"""Costs in the steps of a sweep: the edges to remember, and the charges of each step.

A pair of edges that one sweep decides is charged when the second of them is decided, or later on request; until then
bits remember its edges. An edge is remembered to the end if one of its pairs has an edge that the sweep does not
decide. A state drops a bit when no partner can be chosen any more.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from itertools import accumulate

import numpy as np

from kt_models.kernel.sweeps.bits import Ints, Words
from kt_models.kernel.sweeps.net import Net
from kt_models.kernel.sweeps.plan import CostStep, SweepPlan

WeightedPair = tuple[int, int, int]
"""Two edges, or twice the same one, and their weight."""


@dataclass
class Remembered:
    """The edges that a sweep remembers.

    Parameters
    ----------
    decided
        For each edge, the step that decides it.
    until
        For each remembered edge, the last step that reads its bit; the number of steps if it is remembered at the end.
    bits
        For each remembered edge, its bit; bits are reused.
    first
        Lower bits are no edges, and are kept.
    """

    decided: dict[int, int]
    until: dict[int, int]
    bits: dict[int, int]
    first: int = 0

    @property
    def size(self) -> int:
        """Number of bits."""
        return 1 + max(self.bits.values(), default=self.first - 1)


def memory(
    plan: SweepPlan, pairs: Sequence[WeightedPair], due: Sequence[int] | None, more: Mapping[int, int], first: int = 0
) -> Remembered:
    """The edges that a sweep remembers, how long and where.

    Parameters
    ----------
    due
        By pair the step before whose end it is not to be charged; None: as soon as both edges are decided.
    more
        For each edge, a step up to which it is remembered whatever its pairs are.
    first
        The lowest bit of an edge.
    """
    end = len(plan.steps)
    decided = {e: number for number, step in enumerate(plan.steps) for e in step.names}
    last = {e: max(step, decided[e]) for e, step in more.items() if e in decided}
    for number, (e, f, _) in enumerate(pairs):
        both = max(decided.get(e, end), decided.get(f, end))
        at = both if due is None else max(both, due[number])
        for edge in (e, f):
            if edge in decided and at > decided[edge]:
                last[edge] = max(last.get(edge, 0), at)
    until = {e: last[e] for e in decided if e in last}
    return Remembered(decided, until, bits_of(((e, decided[e], step) for e, step in until.items()), first), first)


def bits_of(spans: Iterable[tuple[int, int, int]], first: int = 0) -> dict[int, int]:
    """A bit of the label for each edge, exclusive for a span of steps; as few bits as possible, from `first` on.

    Parameters
    ----------
    spans
        Edges, each with the first and the last step of its span, in the order of the first steps.
    """
    bits: dict[int, int] = {}
    free: list[int] = []
    busy: list[tuple[int, int]] = []  # The step that reads a bit last, and the bit
    for e, begin, end in spans:
        while busy and busy[0][0] < begin:
            heappush(free, heappop(busy)[1])
        bits[e] = heappop(free) if free else first + len(busy)
        heappush(busy, (end, bits[e]))
    return bits


def with_costs(
    net: Net, plan: SweepPlan, pairs: Sequence[WeightedPair], remembered: Remembered, labels: int,
    due: Sequence[int] | None = None, *, forgets: bool = True,
) -> SweepPlan:  # fmt: skip
    """The plan with what each step charges.

    Parameters
    ----------
    labels
        Words of a label.
    due
        As for `memory`.
    forgets
        Drop bits that do not matter any more.
    """
    end, decided, bits = len(plan.steps), remembered.decided, remembered.bits
    within: list[dict[tuple[int, int], int]] = [{} for _ in plan.steps]
    charges: list[dict[int, dict[int, int]]] = [defaultdict(dict) for _ in plan.steps]
    waiting: list[dict[int, dict[int, int]]] = [defaultdict(dict) for _ in plan.steps]
    partners: dict[int, list[int]] = defaultdict(list)
    for number, (e, f, w) in enumerate(pairs):
        at_e, at_f = decided.get(e, end), decided.get(f, end)
        if forgets and e != f:
            partners[e].append(f)
            partners[f].append(e)
        both = max(at_e, at_f)
        at = both if due is None else max(both, due[number])
        if at == end:
            continue
        if at > both:
            waiting[at][bits[f]][bits[e]] = w
        elif at_e == at_f:
            within[at][e, f] = within[at][f, e] = w
        else:
            early, late = (e, f) if at_e < at_f else (f, e)
            charges[at][late][bits[early]] = w
    live: dict[int, int] = {}  # By remembered edge its bit
    made = []
    for number, step in enumerate(plan.steps):
        live = {e: bit for e, bit in live.items() if remembered.until[e] > number}
        live |= {e: bits[e] for e in step.names if e in bits and remembered.until[e] > number}
        doubtful = _doubtful(net, dict(step.held), live, partners, decided, number) if forgets else {}
        rows = [masks_of_bits(charges[number].get(e, {})) for e in step.names]
        waited = sorted(waiting[number].items())
        due_rows = [masks_of_bits(row) for _, row in waited]
        pair = within[number]
        made.append(
            CostStep(
                bits=np.array([bits.get(e, -1) for e in step.names], dtype=np.int64),
                within=_square([[pair.get((e, f), 0) for f in step.names] for e in step.names]),
                charge_at=_offsets(rows),
                charge_masks=as_words([mask for row in rows for mask, _ in row], labels),
                charge_weights=np.array([w for row in rows for _, w in row], dtype=np.int64),
                due=np.array([bit for bit, _ in waited], dtype=np.int64),
                due_at=_offsets(due_rows),
                due_masks=as_words([mask for row in due_rows for mask, _ in row], labels),
                due_weights=np.array([w for row in due_rows for _, w in row], dtype=np.int64),
                keep=as_words([sum(1 << bit for bit in (*live.values(), *range(remembered.first)))], labels)[0],
                doubtful=np.array(list(doubtful), dtype=np.int64),
                partner_at=_offsets(list(doubtful.values())),
                partners=np.array([mask for row in doubtful.values() for mask in row], dtype=np.uint64),
            )
        )
    return replace(plan, costs=tuple(made))


def _doubtful(
    net: Net, slots: Mapping[int, int], live: Mapping[int, int], partners: Mapping[int, list[int]],
    decided: Mapping[int, int], number: int,
) -> dict[int, list[int]]:  # fmt: skip
    """Slots of which one is full after a step, for each bit that may then cease to matter, and each partner."""
    found = {}
    for e, bit in live.items():
        masks = set()
        for f in partners[e]:
            if decided.get(f, len(net.ends)) > number:
                masks.add(sum({1 << slots[v] for v in net.ends[f].tolist() if v in slots}))
                if 0 in masks:
                    break
        if 0 not in masks:
            found[bit] = sorted(masks)
    return found


def masks_of_bits(weight_of: Mapping[int, int]) -> list[tuple[int, int]]:
    """Bits of one weight as one mask."""
    masks: dict[int, int] = defaultdict(int)
    for bit, w in weight_of.items():
        masks[w] |= 1 << bit
    return [(mask, w) for w, mask in sorted(masks.items())]


def _square(rows: list[list[int]]) -> Ints:
    return np.array(rows, dtype=np.int64).reshape(len(rows), len(rows))


def as_words(masks: Iterable[int], words: int) -> Words:
    """Masks of bits as rows of words."""
    rows = [[mask >> 64 * k & (1 << 64) - 1 for k in range(words)] for mask in masks]
    return np.array(rows, dtype=np.uint64).reshape(-1, words)


def _offsets(rows: Sequence[Sequence[object]]) -> Ints:
    return np.array([0, *accumulate(map(len, rows))], dtype=np.int64)
