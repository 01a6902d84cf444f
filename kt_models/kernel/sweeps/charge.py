"""Costs of the states that a step makes: the compiled loop between `forms.branch` and the hash table."""

from __future__ import annotations

import numpy as np

from kt_models.jit import Kernel, Template, kernel
from kt_models.kernel.sweeps.bits import Ints, Words, bare_kernel, popcount
from kt_models.kernel.sweeps.forms import CHOICE, PARENT_AT
from kt_models.kernel.sweeps.values import Value

COST_STEP = (
    "int64[::1], int64[:, ::1], int64[::1], uint64[:, ::1], int64[::1], int64[::1], int64[::1], uint64[:, ::1], "
    "int64[::1], uint64[::1], int64[::1], int64[::1], uint64[::1]"
)
"""Numba types of the fields of `CostStep`."""
LABELS: Template[int] = 1
"""Words of a label; 0 to read them from the arguments."""


@bare_kernel
def charged(rows: Words, p: int, first: int, labels: int, begin: int, stop: int, masks: Words, weights: Ints) -> int:
    """The weights of masks, each as often as it has a bit in common with the label of a row.

    Parameters
    ----------
    first, labels
        The first word of the label, and its words.
    """
    total = 0
    for i in range(begin, stop):
        for k in range(labels):
            total += weights[i] * popcount(masks[i, k] & rows[p, first + k])
    return total


@kernel(
    f"void(uint64[:, ::1], int64, uint64[:, ::1], uint64[:, ::1], int64, int64, int64, int64, {COST_STEP})",
    counts=False,
)
def charge(
    old: Words, begin: int, fresh: Words, origins: Words, filled: int, state_words: int, labels: int, cost_at: int,
    bits: Ints, within: Ints, charge_at: Ints, charge_masks: Words, charge_weights: Ints,
    due: Ints, due_at: Ints, due_masks: Words, due_weights: Ints, keep: Words,
    doubtful: Ints, partner_at: Ints, partners: Words,
) -> None:  # fmt: skip
    """Write the label of each child of the old rows from `begin` on: the edges remembered, and the cost."""
    labels = LABELS or labels
    last = state_words + labels - 1
    costs = ~((np.uint64(1) << np.uint64(cost_at)) - np.uint64(1))
    before, paid = np.int64(-1), 0
    for q in range(filled):
        origin = np.int64(origins[q, 0])
        parent = begin + (origin >> PARENT_AT)
        if parent != before:  # What is due costs all children of a row the same
            before, paid = parent, 0
            for i in range(len(due)):
                word = old[parent, state_words + (due[i] >> 6)]
                if word >> np.uint64(due[i] & 63) & np.uint64(1):
                    paid += charged(old, parent, state_words, labels, due_at[i], due_at[i + 1], due_masks, due_weights)
        first, second = origin & CHOICE, origin >> 20 & CHOICE
        for k in range(labels):
            fresh[q, state_words + k] = old[parent, state_words + k]
        cost = paid
        for choice in (first, second):
            if choice > 0:
                e = choice - 1
                cost += within[e, e] + charged(
                    old, parent, state_words, labels, charge_at[e], charge_at[e + 1], charge_masks, charge_weights
                )
                if bits[e] >= 0:
                    fresh[q, state_words + (bits[e] >> 6)] |= np.uint64(1) << np.uint64(bits[e] & 63)
        if second > 0:
            cost += within[first - 1, second - 1]
        for k in range(labels):
            fresh[q, state_words + k] &= keep[k] | (costs if k == labels - 1 else np.uint64(0))
        for d in range(len(doubtful)):
            at, bit = state_words + (doubtful[d] >> 6), np.uint64(1) << np.uint64(doubtful[d] & 63)
            if fresh[q, at] & bit:
                matters = False
                for k in range(partner_at[d], partner_at[d + 1]):
                    matters = matters or origins[q, 1] & partners[k] == 0
                if not matters:
                    fresh[q, at] &= ~bit
        fresh[q, last] += np.uint64(cost) << np.uint64(cost_at)


charge_wide = charge.instance("charge_wide", LABELS=0)


def charge_of(value: Value) -> Kernel:
    """The loop for the labels of a kind of value."""
    return charge if value.labels == 1 else charge_wide
