"""`Spending`: a budget of work for a search, so that a busy machine takes longer and answers the same."""

from __future__ import annotations

from math import inf


class Spent(Exception):
    """A search has used up its budget."""


class Spending:
    """The rest of a budget.

    Parameters
    ----------
    conflicts
        Conflicts of a solver.
    looks
        Edges looked at between a solver's answers, and what takes as long.
    """

    def __init__(self, conflicts: float = inf, looks: float = inf) -> None:
        self.conflicts, self.looks = conflicts, looks

    def require_more(self) -> None:
        """Raise `Spent` if nothing is left."""
        if self.conflicts <= 0 or self.looks <= 0:
            raise Spent

    def without_end(self) -> None:
        """Let the search go on for as long as it takes."""
        self.conflicts = self.looks = inf
