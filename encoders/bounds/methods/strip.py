"""`strip`: the fewest turns or crossings on a narrow board of any length: the costs of a sweep by columns repeat."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import numpy.typing as npt

from encoders.bounds.methods import BoundMethod
from kt_models.errors import KTError
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem
from theorems.narrow_boards.strips import Columns, StateCosts, Strip, strip_of

MAX_COLUMNS = 80
"""Columns after which the search for a period ends."""
QUICK_WIDTHS = (3, 4)
"""Widths for which a column takes some hundredths of a second."""
MAX_SHORT_COLUMNS = 40
"""Columns up to which the other methods do as well."""


def make(problem: Problem, *, limits: Limits = NO_LIMITS) -> dict[str, Any]:
    """The data of a certificate of the fewest turns or crossings.

    Raises
    ------
    KTError
        If the problem is of another kind, or the costs do not repeat within `MAX_COLUMNS`.
    """
    placed = strip_of(problem)
    if placed is None:
        raise KTError("strip: it needs the turns or crossings of tours of a narrow rectangle")
    strip, columns = placed
    repeated = period_of(strip, min(MAX_COLUMNS, columns - strip.margin), limits)
    if repeated is None:
        raise KTError(f"strip: the costs on boards of width {strip.width} do not repeat soon enough")
    return dict(zip(("column", "period"), repeated, strict=True))


def period_of(strip: Strip, most: int, limits: Limits = NO_LIMITS) -> tuple[int, int] | None:
    """The first column whose costs repeat, and the period; None if none repeats up to a column.

    Costs repeat if all of them have grown by the same amount, or else if each has grown by as much as it had before.
    """
    columns, seen = Columns(strip, limits), list[tuple[bytes, npt.NDArray[np.int32]]]()
    front = columns.start()
    for k in range(strip.margin, most + 1):
        front = front.sorted()
        if not len(front.costs):
            return None
        rows = hashlib.sha256(front.rows.tobytes()).digest()
        for period in range(1, len(seen) + 1):
            same, last = seen[-period]
            if same != rows:
                continue
            column, first, more = k - period, last, front.costs - last
            if (more != more[0]).any():
                same, first = seen[-2 * period] if 2 * period <= len(seen) else (b"", last)
                if same != rows or (last - first != more).any():
                    continue
                column -= period
            if columns.rise(StateCosts(front.rows, first), StateCosts(front.rows, first + more), period) is not None:
                return column, period
        seen.append((rows, front.costs))
        front = columns.column(front)
    return None


def _worth(problem: Problem, at_least: int | None) -> bool:
    placed = strip_of(problem)
    return placed is not None and placed[0].width in QUICK_WIDTHS and placed[1] > MAX_SHORT_COLUMNS


METHOD = BoundMethod(
    "strip",
    "narrow boards of any length, column by column",
    make,
    kind="strip",
    rank=1,
    worth=_worth,
)
