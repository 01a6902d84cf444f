"""What is told while somebody works on a problem: one shape, whoever works."""

from __future__ import annotations

from dataclasses import dataclass, field

from kt_models.board import IntArray
from kt_models.certificates import Certificate


@dataclass(frozen=True)
class Report:
    """What an engine reports while it works, and at its end: not verified yet; `encoders.solve` makes it a `Result`.

    Parameters
    ----------
    value, edges
        Of the best solution so far; None while there is none.
    bound
        Nothing is below; None while nothing is proved.
    seconds
        Since the start.
    status
        As of a `Result`.
    conclusive
        Whether nothing is left to be found or proved.
    certificate
        Of the bound.
    """

    engine: str = ""
    value: int | None = None
    bound: int | None = None
    edges: IntArray | None = field(default=None, repr=False, compare=False)
    seconds: float = 0.0
    status: str = "unknown"
    conclusive: bool = False
    certificate: Certificate | None = None
