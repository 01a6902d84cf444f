"""What children of a step cost: the compiled loop between `forms.branch` and the hash table."""

from __future__ import annotations

import numpy as np

from kt_models.jit import kernel
from kt_models.sweeps.bits import Ints, Words, bare_kernel, ones
from kt_models.sweeps.forms import CHOICE, PARENT_AT
from kt_models.sweeps.values import EDGES, LABEL_BITS

COST_STEP = (
    "int64[::1], int64[:, ::1], int64[::1], uint64[::1], int64[::1], uint64[::1], int64[::1], int64[::1], uint64[::1]"
)
"""How numba calls `CostStep.arguments`."""


@bare_kernel
def charged(label: int, begin: int, stop: int, masks: Words, weights: Ints) -> int:
    """The weights of masks, each as often as it has a bit in common with a label."""
    total = 0
    for i in range(begin, stop):
        total += weights[i] * ones(masks[i] & label)
    return total


@kernel(f"void(uint64[:, ::1], int64, uint64[:, ::1], uint64[:, ::1], int64, {COST_STEP})", counts=False)
def charge(
    old: Words, begin: int, fresh: Words, origins: Words, filled: int,
    bits: Ints, within: Ints, charge_at: Ints, charge_masks: Words, charge_weights: Ints, keep: Words, doubtful: Ints,
    partner_at: Ints, partner_masks: Words,
) -> None:  # fmt: skip
    """Write the label of each child of the old rows from `begin` on: the edges remembered, and the cost."""
    values = ~np.uint64(EDGES)
    for q in range(filled):
        origin = np.int64(origins[q, 0])
        label = old[begin + (origin >> PARENT_AT), 1]
        first, second = origin & CHOICE, origin >> 20 & CHOICE
        now, cost = label, 0
        for choice in (first, second):
            if choice > 0:
                e = choice - 1
                cost += within[e, e] + charged(label, charge_at[e], charge_at[e + 1], charge_masks, charge_weights)
                if bits[e] >= 0:
                    now |= np.uint64(1) << np.uint64(bits[e])
        if second > 0:
            cost += within[first - 1, second - 1]
        now &= keep[0] | values
        for d in range(len(doubtful)):
            bit = np.uint64(1) << np.uint64(doubtful[d])
            if now & bit:
                matters = False
                for k in range(partner_at[d], partner_at[d + 1]):
                    matters = matters or origins[q, 1] & partner_masks[k] == 0
                if not matters:
                    now &= ~bit
        fresh[q, 1] = now + (np.uint64(cost) << np.uint64(LABEL_BITS))
