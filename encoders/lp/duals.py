"""From floating point to integers: the multipliers of a dual solution, in units of 1 / denominator.

Dual solutions at a vertex of their polyhedron are simple fractions, which a small denominator represents exactly.
Otherwise the rounded multipliers are still a certificate, of a slightly smaller bound, which the checker computes anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

import numpy as np

from encoders.lp.program import Floats
from kt_models.errors import KTError
from kt_models.kernel.certificates.cut_inequalities import Cut
from kt_models.kernel.certificates.integers import Ints

DENOMINATORS = (1, 2, 3, 4, 6, 12, 24, 60, 120, 360, 840, 2520)
"""Denominators in the order of the trials: the highly divisible ones come first, as they represent simple fractions."""
FINE_DENOMINATORS = (27_720, 720_720, 2**24)
"""Denominators for solutions that are not at a vertex."""
TOLERANCE = 1e-6
"""Greatest error of a number of the solver."""


def integers(values: Floats, denominator: int) -> Ints:
    """Numbers in units of 1 / denominator."""
    return np.rint(values * denominator).astype(np.int64)


def multipliers(edges: Floats, ends: float, cuts: Floats, denominator: int) -> Ints:
    """The multipliers in the order of `kt_models.kernel.certificates.tree.Evaluator`.

    Parameters
    ----------
    edges
        The duals of "both ends of an edge agree", tail less head, shape (m,).
    ends
        The dual of the number of free ends.
    cuts
        The duals of the cuts, which are lower bounds.
    """
    return integers(np.concatenate([-edges, [-ends], np.maximum(cuts, 0)]), denominator)


def pairs(old: Ints, new: Ints) -> Ints:
    """The multipliers that change, and their changes, shape (k, 2)."""
    where = np.flatnonzero(old != new)
    return np.stack([where, (new - old)[where]], axis=1)


def without_idle(
    cuts: Sequence[Cut], numbers: Iterable[int], first: int
) -> tuple[list[list[list[int]]], dict[int, int]]:
    """The cuts with these numbers, renumbered from `first`, and their new numbers."""
    used = sorted({i for i in numbers if i >= first})
    kept = [[list(cuts[i - first].vertices), list(cuts[i - first].teeth)] for i in used]
    return kept, {i: first + k for k, i in enumerate(used)}


def simple_fraction(number: float) -> Fraction:
    """The simple fraction that an optimum equals, up to rounding.

    Raises
    ------
    KTError
        If it is not a simple fraction.
    """
    fraction = Fraction(number).limit_denominator(DENOMINATORS[-1])
    if abs(fraction - number) > TOLERANCE:
        raise KTError(f"{number} is not a simple fraction")
    return fraction
