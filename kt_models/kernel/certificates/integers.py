"""Sums of machine integers that cannot overflow.

Every claim rests on integers. Python's have no limit. Machine integers are used for speed, after `require_fit` has
shown in Python's that no sum can overflow.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_models.errors import CertificateError
from kt_models.kernel import Ints as Ints

SUM_LIMIT = 2**62
"""Limit of sums in 64 bits: a further addition of two such sums still fits."""


def largest(values: npt.NDArray[np.integer[Any]]) -> int:
    """Greatest absolute value, as a Python integer (`np.abs` of the least machine integer is negative)."""
    return max(-int(values.min()), int(values.max())) if values.size else 0


def require_fit(bounds: Iterable[int], name: str) -> None:
    """Refuse a sum that might not fit into 64 bits.

    Parameters
    ----------
    bounds
        Greatest absolute value of each term of a sum.

    Raises
    ------
    CertificateError
        If the terms could add up to `SUM_LIMIT` or more.
    """
    if sum(abs(bound) for bound in bounds) >= SUM_LIMIT:
        raise CertificateError(f"{name}: the numbers are too large to be added up exactly")
