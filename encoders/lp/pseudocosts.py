"""Pseudo-costs: the gains of earlier splits by a property, from which later gains are estimated.

Benichou and others (1971). They are used only once a property was tried a few times (reliability branching: Achterberg,
Koch and Martin 2005). All images of an edge or a vertex under the symmetries of the problem share theirs, which halves
the time on 12x12.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from kt_models.kernel.certificates.nodes import UNUSED, USED, Branching, Instance

MIN_MISSING = 0.05
"""Least change of the solution whose gain is recorded: from a smaller one, the gain per unit is unreliable."""


Gains = tuple[int, int, int, int, float, int]
"""A property of the first of its images, the number of the child, the sum of its gains, and their number."""


class PseudoCosts:
    """Gains per unit of what the solution of the linear program lacked of a child's property."""

    def __init__(self, instance: Instance) -> None:
        self._orbit = [np.array(images).min(axis=0).tolist() for images in zip(*instance.symmetries, strict=True)]
        self._of: dict[tuple[Branching, int], tuple[float, int]] = {}
        self._of_all = [(0.0, 0), (0.0, 0)]
        self._news: list[Gains] = []

    def _key(self, branching: Branching, child: int) -> tuple[Branching, int]:
        orbit = self._orbit[1 if branching.kind in (USED, UNUSED) else 0]
        return branching._replace(subject=orbit[branching.subject]), child

    def record(self, branching: Branching, child: int, gain: float, missing: float) -> None:
        """Record a gain of the first (0) or second (1) child."""
        known, number = self._key(branching, child)
        row = *known, number, gain / max(missing, MIN_MISSING), 1
        self._news.append(row)
        self.take([row])

    def expected(self, branching: Branching, child: int, missing: float) -> float:
        """The expected gain of a child."""
        total, times = self._of.get(self._key(branching, child)) or self._of_all[child]
        return missing * (total / times if times else 1.0)

    def rows(self) -> list[Gains]:
        """All gains, for a process that continues from here."""
        return [(*branching, child, *known) for (branching, child), known in self._of.items()]

    def news(self) -> list[Gains]:
        """The gains recorded since the last call."""
        news, self._news = self._news, []
        return news

    def take(self, rows: Iterable[Sequence[Any]]) -> None:
        """Add the gains of another process."""
        for kind, subject, threshold, child, gains, times in rows:
            key = Branching(kind, subject, threshold), child
            before, tried = self._of.get(key, (0.0, 0))
            self._of[key] = before + gains, tried + times
            before, tried = self._of_all[child]
            self._of_all[child] = before + gains, tried + times

    def times(self, branching: Branching) -> int:
        """How often both children were tried."""
        return min(self._of.get(self._key(branching, child), (0.0, 0))[1] for child in (0, 1))
