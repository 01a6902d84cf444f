"""A finished branch and bound tree as the data of a certificate, with numbers as few and as small as the claim allows.

All multipliers are rounded to the smallest denominator at which every leaf still proves the bound. The multipliers of
the root apply everywhere; each leaf then reverts its changes that are not needed, the smallest first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from encoders.lp.duals import DENOMINATORS, pairs, without_idle
from kt_models.kernel.certificates.cut_inequalities import Cut
from kt_models.kernel.certificates.integers import Ints
from kt_models.kernel.certificates.nodes import HEAVY, LEAF, LIGHT, UNUSED, USED, Instance, State
from kt_models.kernel.certificates.tree import Evaluator, Preorder

MULTIPLIER_BLOCKS = 32
"""Blocks of a leaf's multipliers, each reverted as a whole or not; to try them one by one takes longer than the
tree."""
START = {LEAF: 1, USED: 2, UNUSED: 2, LIGHT: 3, HEAVY: 3}
"""Index at which the changes of a node begin, by its kind."""


def changes_of(old: Ints, new: Ints) -> list[int]:
    """The pairs of index and change of a node."""
    return pairs(old, new).reshape(-1).tolist()


def compact(
    instance: Instance, evaluator: Evaluator, cuts: list[Cut], nodes: list[list[int]], below: int
) -> dict[str, Any]:
    """The data of a certificate.

    Parameters
    ----------
    instance, evaluator, cuts
        What the tree was grown with; `evaluator.denominator` is lowered.
    nodes
        The tree, all of whose leaves prove more than `below`; empty if nothing is allowed at its root.
    """
    if not nodes:
        return {"nodes": []}
    leaves, root = _leaves(Preorder(instance, evaluator), nodes)
    fine = evaluator.denominator

    def rounded(multipliers: Ints) -> Ints:
        return np.rint(multipliers * (evaluator.denominator / fine)).astype(np.int64)

    def shows(state: State, multipliers: Ints) -> bool:
        return evaluator.bound(state, multipliers) > below * evaluator.denominator

    for evaluator.denominator in sorted({d for d in DENOMINATORS if d < fine} | {fine}):
        if all(shows(state, rounded(multipliers)) for state, multipliers in leaves):
            break
    base = rounded(root)
    kept = iter([_trimmed(shows, state, base, rounded(multipliers)) for state, multipliers in leaves])
    small = [[LEAF, *changes_of(base, next(kept))] if node[0] == LEAF else node[: START[node[0]]] for node in nodes]
    if nodes[0][0] == LEAF:
        small[0] = [LEAF, *changes_of(np.zeros_like(base), base)]
    elif leaves:
        small[0] += changes_of(np.zeros_like(base), base)
    return _without_idle_cuts(instance.m + 1, cuts, small, evaluator.denominator)


def _leaves(walk: Preorder, nodes: list[list[int]]) -> tuple[list[tuple[State, Ints]], Ints]:
    """State and multipliers of every leaf, and the multipliers of the root."""
    entered = [walk.step(node) for node in nodes]
    return [(state, multipliers) for state, multipliers, branching in entered if branching is None], entered[0][1]


def _trimmed(shows: Callable[[State, Ints], bool], state: State, base: Ints, multipliers: Ints) -> Ints:
    """A leaf's multipliers, as many as possible equal to those of the root."""
    kept = multipliers.copy()
    change = np.abs(kept - base)
    order = np.argsort(change, kind="stable")
    for block in np.array_split(order[change[order] > 0], MULTIPLIER_BLOCKS):
        kept[block] = base[block]
        if not shows(state, kept):
            kept[block] = multipliers[block]
    return kept


def _without_idle_cuts(first: int, cuts: list[Cut], nodes: list[list[int]], denominator: int) -> dict[str, Any]:
    """The certificate's data without cuts that have no multiplier; the others are renumbered from `first`."""
    kept, number = without_idle(cuts, (i for node in nodes for i in node[START[node[0]] :: 2]), first)
    for node in nodes:
        for place in range(START[node[0]], len(node), 2):
            node[place] = number.get(node[place], node[place])
    return {"denominator": denominator, "cuts": kept, "nodes": nodes}
