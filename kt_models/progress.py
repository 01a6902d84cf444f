"""What is told while somebody works on a problem: one shape, whoever works."""

from __future__ import annotations

from dataclasses import dataclass, field

from kt_models.board import IntArray


@dataclass(frozen=True)
class Progress:
    """A report while solving: seconds since the start, best value so far and proved bound (None while unknown).

    `edges` are those of the best solution so far, not verified yet.
    """

    seconds: float
    value: int | None
    bound: int | None
    engine: str
    edges: IntArray | None = field(default=None, repr=False, compare=False)
