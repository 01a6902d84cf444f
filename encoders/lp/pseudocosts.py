"""Pseudo-costs: what splits by a property have gained, from which it is foretold what one would gain elsewhere.

Benichou and others (1971); that they are not relied on before a property was tried a few times is reliability branching
(Achterberg, Koch and Martin 2005).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from kt_models.certificates.nodes import Branching

LEAST_MISSING = 0.05
"""A gain over a smaller change of the solution than this says little of what one of a whole unit is."""


@dataclass
class PseudoCosts:
    """Gains for each unit of what the solution of the linear program lacked of a child's property."""

    _of: dict[tuple[Branching, int], tuple[float, int]] = field(default_factory=dict)
    _of_all: list[tuple[float, int]] = field(default_factory=lambda: [(0.0, 0), (0.0, 0)])

    def record(self, branching: Branching, child: int, gain: float, missing: float) -> None:
        """Remember a gain of the first (0) or second (1) child."""
        unit = gain / max(missing, LEAST_MISSING)
        total, times = self._of.get((branching, child), (0.0, 0))
        self._of[branching, child] = total + unit, times + 1
        total, times = self._of_all[child]
        self._of_all[child] = total + unit, times + 1

    def expected(self, branching: Branching, child: int, missing: float) -> float:
        """What a child is likely to gain."""
        total, times = self._of.get((branching, child)) or self._of_all[child]
        return missing * (total / times if times else 1.0)

    def times(self, branching: Branching) -> int:
        """How often both children were tried."""
        return min(self._of.get((branching, child), (0.0, 0))[1] for child in (0, 1))
