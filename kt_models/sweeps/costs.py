"""What an objective adds to the steps of a sweep: which edges are remembered, and what is charged when.

A pair of edges that one sweep decides is charged when the second of them is decided; until then a bit remembers the
first.  A pair of which each of two halves decides one is charged where the halves meet, so both are remembered to the
end.  A bit is dropped from a state in which no such partner can be chosen any more.

At every vertex one number may be subtracted from the weights of all pairs, as exactly one pair of its edges is chosen.
The weight that most pairs have is subtracted: turns then become straight lines of weight -1, and few edges are
remembered.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from kt_models.sweeps.bits import Ints, Words
from kt_models.sweeps.net import Net
from kt_models.sweeps.plan import CostStep, SweepPlan
from kt_models.sweeps.values import LABEL_BITS
from kt_models.weights import Weights

PartnerWeights = dict[int, dict[int, int]]
"""By edge its partners and what the pair weighs, both ways; an edge alone is its own partner."""


@dataclass(frozen=True)
class Across:
    """By bit of the first half (CSR) what it is charged with bits of the second where the halves meet."""

    at: Ints
    masks: Words
    weights: Ints


def pair_weights(net: Net, weights: Weights) -> tuple[int, PartnerWeights]:
    """A constant, and the weights that are left."""
    table: dict[tuple[int, int], int] = defaultdict(int)
    for e, f, w in zip(weights.first.tolist(), weights.second.tolist(), weights.weight.tolist(), strict=True):
        if net.usable[e] and net.usable[f]:
            table[min(e, f), max(e, f)] += w
    constant = 0
    at: list[list[int]] = [[] for _ in range(net.n)]
    for e in np.flatnonzero(net.usable).tolist():
        for v in net.ends[e].tolist():
            at[v].append(e)
    for v, edges in enumerate(at):
        pairs = list(combinations(edges, 2)) if v != net.hub else []
        common = Counter(table.get(pair, 0) for pair in pairs).most_common(1)
        if common and (most := common[0][0]):
            constant += most
            for pair in pairs:
                table[pair] -= most
    both: PartnerWeights = defaultdict(dict)
    for (e, f), w in table.items():
        if w:
            both[e][f] = both[f][e] = w
    return constant, both


def cost_halves(
    net: Net, parts: tuple[SweepPlan, SweepPlan], weights: PartnerWeights
) -> tuple[tuple[SweepPlan, SweepPlan], Across] | None:
    """Two halves with their costs; None if more edges are to be remembered than a label has bits."""
    decided = [{e: number for number, step in enumerate(half.steps) for e in step.names} for half in parts]
    bits = [_bits(own, len(half.steps), weights) for own, half in zip(decided, parts, strict=True)]
    if max((bit for own in bits for bit in own.values()), default=0) >= LABEL_BITS:
        return None
    made = [
        replace(half, costs=tuple(_step(net, half, number, own, bit, weights) for number in range(len(half.steps))))
        for half, own, bit in zip(parts, decided, bits, strict=True)
    ]
    rows = []
    for e, bit in sorted(bits[0].items(), key=lambda item: item[1]):
        last = {bits[1][f]: w for f, w in weights[e].items() if f in decided[1]}
        rows += [(bit, mask, w) for mask, w in _masks(last)]
    across = np.array([bit for bit, _, _ in rows], dtype=np.int64)
    order = np.argsort(across, kind="stable")
    at = np.searchsorted(across[order], np.arange(LABEL_BITS + 1))
    masks = np.array([rows[i][1] for i in order], dtype=np.uint64)
    across_weights = np.array([rows[i][2] for i in order], dtype=np.int64)
    return (made[0], made[1]), Across(at, masks, across_weights)


def _bits(decided: Mapping[int, int], steps: int, weights: PartnerWeights) -> dict[int, int]:
    """By edge that is remembered its bit, which is used again."""
    until = {e: max((decided.get(f, steps) for f in weights.get(e, ())), default=0) for e in decided}
    free_from: list[int] = []
    bits: dict[int, int] = {}
    for e, step in decided.items():
        if until[e] <= step:
            continue
        bit = next((b for b, free in enumerate(free_from) if free <= step), len(free_from))
        free_from[bit : bit + 1] = [until[e] + 1]  # a charge at the last step still reads it
        bits[e] = bit
    return bits


def _step(
    net: Net, plan: SweepPlan, number: int, decided: Mapping[int, int], bits: Mapping[int, int], weights: PartnerWeights
) -> CostStep:
    step, steps = plan.steps[number], len(plan.steps)
    slots = dict(step.held)
    within = np.array([[weights.get(e, {}).get(f, 0) for f in step.names] for e in step.names], dtype=np.int64)
    charges = [
        _masks({bits[f]: w for f, w in weights.get(e, {}).items() if decided.get(f, steps) < number})
        for e in step.names
    ]
    keep, doubtful, partners = 0, [], []
    for e, bit in bits.items():
        later = [f for f in weights[e] if decided.get(f, steps) > number]
        if decided[e] > number or not later:
            continue
        keep |= 1 << bit
        masks = {sum(1 << slots[v] for v in set(net.ends[f].tolist()) & slots.keys()) for f in later}
        if 0 not in masks:
            doubtful.append(bit)
            partners.append(sorted(masks))
    return CostStep(
        bits=np.array([bits.get(e, -1) for e in step.names], dtype=np.int64),
        within=within.reshape(len(step.names), len(step.names)),
        charge_at=_offsets(charges),
        charge_masks=np.array([mask for row in charges for mask, _ in row], dtype=np.uint64),
        charge_weights=np.array([w for row in charges for _, w in row], dtype=np.int64),
        keep=np.array([keep], dtype=np.uint64),
        doubtful=np.array(doubtful, dtype=np.int64),
        partner_at=_offsets(partners),
        partners=np.array([mask for row in partners for mask in row], dtype=np.uint64),
    )


def _masks(weight_of: Mapping[int, int]) -> list[tuple[int, int]]:
    """Bits of one weight as one mask."""
    masks: dict[int, int] = defaultdict(int)
    for bit, w in weight_of.items():
        masks[w] |= 1 << bit
    return [(mask, w) for w, mask in sorted(masks.items())]


def _offsets(rows: list[list[tuple[int, int]]] | list[list[int]]) -> Ints:
    return np.array([0, *np.cumsum([len(row) for row in rows], dtype=np.int64)], dtype=np.int64)
