"""From floating point to integers: the multipliers of a dual solution, in units of 1 / denominator.

Dual solutions at a vertex of their polyhedron are simple fractions, so that a small denominator gives them exactly; and
where it does not, what is rounded is still a certificate, only of a little less: its checker works the bound out anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

import numpy as np

from encoders.lp.program import Floats
from kt_models.certificates.cuts import Cut
from kt_models.certificates.integers import Ints
from kt_models.errors import KTError

DENOMINATORS = (1, 2, 3, 4, 6, 12, 24, 60, 120, 360, 840, 2520)
"""Tried in turn."""
FINE_DENOMINATORS = (27_720, 720_720, 2**24)
"""Tried after them where a solution is not at a vertex."""
TOLERANCE = 1e-6
"""How far from what it is meant to be a number of the solver may be."""


def integers(values: Floats, denominator: int) -> Ints:
    """Numbers in units of 1 / denominator."""
    return np.rint(values * denominator).astype(np.int64)


def multipliers(edges: Floats, ends: float, cuts: Floats, denominator: int) -> Ints:
    """The multipliers in the order of `kt_models.certificates.tree.Evaluator`.

    Parameters
    ----------
    edges
        The duals of "both ends of an edge agree", its tail less its head, shape (m,).
    ends
        That of the number of free ends.
    cuts
        Those of the cuts, which are at least something.
    """
    return integers(np.concatenate([-edges, [-ends], np.maximum(cuts, 0)]), denominator)


def pairs(old: Ints, new: Ints) -> Ints:
    """Which multipliers change, and by how much, shape (k, 2)."""
    where = np.flatnonzero(old != new)
    return np.stack([where, (new - old)[where]], axis=1)


def without_idle(
    cuts: Sequence[Cut], numbers: Iterable[int], first: int
) -> tuple[list[list[list[int]]], dict[int, int]]:
    """The cuts, numbered from `first`, that are among some numbers, and their new numbers."""
    used = sorted({i for i in numbers if i >= first})
    kept = [[list(cuts[i - first].vertices), list(cuts[i - first].teeth)] for i in used]
    return kept, {i: first + k for k, i in enumerate(used)}


def simple_fraction(number: float) -> Fraction:
    """The simple fraction that an optimum is, up to rounding.

    Raises
    ------
    KTError
        If it is none.
    """
    fraction = Fraction(number).limit_denominator(DENOMINATORS[-1])
    if abs(fraction - number) > TOLERANCE:
        raise KTError(f"{number} is no simple fraction")
    return fraction
