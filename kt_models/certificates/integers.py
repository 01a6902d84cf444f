"""Integers of files: read with their range, and added up without ever running over.

Everything that is claimed rests on integers.  Python's have no limit; machine integers are used for speed where
`require_fit` has shown, in Python's, that no sum that is formed can leave them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_models.errors import CertificateError
from kt_models.reading import is_integer

Ints = npt.NDArray[np.int64]
ROOM = 2**62
"""What is added up in 64 bits stays below this: one more addition of two such sums still fits."""


def integer(value: Any, what: str, least: int, most: int) -> int:
    """An integer of a file (a boolean or a float is none) in a range.

    Raises
    ------
    CertificateError
        Naming `what` it should have been.
    """
    if not is_integer(value) or not least <= value <= most:
        text = f"{value:,}" if is_integer(value) and abs(value) < 10**30 else str(type(value).__name__)
        raise CertificateError(f"{what}: {text} stands where an integer from {least:,} to {most:,} should")
    return value


def integers(values: Any, what: str, least: int, most: int, *, distinct: bool = False) -> list[int]:
    """A list of integers of a file in a range; on request no two the same."""
    if type(values) is not list:
        raise CertificateError(f"{what}: no list of integers")
    for value in values:
        if not is_integer(value) or not least <= value <= most:
            integer(value, what, least, most)
    if distinct and len(set(values)) < len(values):
        raise CertificateError(f"{what}: a number stands there twice")
    return values


def rows(values: Any, what: str, width: int) -> list[list[Any]]:
    """A list of lists of one width."""
    if type(values) is not list or not all(type(row) is list and len(row) == width for row in values):
        raise CertificateError(f"{what}: no list of lists of {width}")
    return values


def largest(values: npt.NDArray[np.integer[Any]]) -> int:
    """The greatest absolute value, in Python's integers (`np.abs` of the least machine integer is negative)."""
    return max(-int(values.min()), int(values.max())) if values.size else 0


def require_fit(bounds: Iterable[int], what: str) -> None:
    """Refuse to calculate in 64 bits what might not fit there.

    Parameters
    ----------
    bounds
        How large, in absolute value, each of the terms of a sum can become at most.

    Raises
    ------
    CertificateError
        If the terms could add up to `ROOM` or more.
    """
    if sum(abs(bound) for bound in bounds) >= ROOM:
        raise CertificateError(f"{what}: the numbers are too large to be added up exactly")
