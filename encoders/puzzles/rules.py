"""Solving as a person does: the rules, one look ahead, and the difficulty that follows from them.

The rules are unit propagation on clauses that say what a person sees:

- *single candidates*: a number or path that fits only one place, and a place that only one number or path fits;
- *reachability*: what cannot be reached from the given numbers is ruled out;
- *forced moves*: a cell with only two moves left makes both, and a cell that makes two moves makes no other;
- *dead ends*: a move that would close a path too early is ruled out.

If they do not suffice, a person looks ahead: where the next number, or the next move of a path, is tried in one way and
the rules then lead to a contradiction, this way is ruled out. A puzzle is *easy* if the rules solve it, *medium* if one
look ahead at a time does, and *hard* otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol, Self

from kt_models.files.puzzles import DIFFICULTIES
from kt_models.limits import NO_LIMITS, Limits

PROPAGATOR = "minisat22"
"""A solver that propagates assumptions without a search."""


class Reasoning(Protocol):
    """Knowledge of a person about the puzzles of a board, in literals of some variables."""

    clauses: list[list[int]]

    def is_solved(self, known: set[int]) -> bool:
        """Whether what is known is the whole solution."""
        ...

    def consequences(self, known: set[int]) -> list[int] | None:
        """More that follows by rules that are no clauses; None if they find a contradiction."""
        ...

    def attempts(self, known: set[int]) -> Iterable[int]:
        """The ways in which a person may try to go on."""
        ...


class Person:
    """Somebody who solves the puzzles of a board by the rules."""

    def __init__(self, reasoning: Reasoning) -> None:
        from pysat.solvers import Solver

        self.reasoning = reasoning
        # A propagator names only what follows from assumptions, not what its clauses fix at once.
        self._facts = [clause[0] for clause in reasoning.clauses if len(clause) == 1]
        self._solver = Solver(PROPAGATOR, bootstrap_with=[clause for clause in reasoning.clauses if len(clause) > 1])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._solver.delete()

    def known(self, clues: Iterable[int]) -> set[int] | None:
        """All literals that the rules show; None if they find a contradiction."""
        literals = [*self._facts, *clues]
        while True:
            possible, implied = self._solver.propagate(literals)
            if not possible:
                return None
            known = set(implied) | set(literals)
            more = self.reasoning.consequences(known)
            if more is None:
                return None
            more = [literal for literal in more if literal not in known]
            if not more:
                return known
            literals += more

    def difficulty(self, clues: Iterable[int], limits: Limits = NO_LIMITS, wanted: str | None = None) -> str:
        """How difficult a puzzle with these literals is.

        Parameters
        ----------
        wanted
            The only difficulty of interest; it may save a long look at a puzzle of another one.

        Raises
        ------
        Stopped
            If the limits are reached first.
        """
        easy, medium, hard = DIFFICULTIES
        literals = list(clues)
        known = self.known(literals)
        if known is None or self.reasoning.is_solved(known):
            return easy
        if wanted == easy:
            return medium
        return medium if self._looks_ahead(known, self.reasoning.is_solved, limits) else hard

    def _looks_ahead(self, known: set[int], is_solved: Callable[[set[int]], bool], limits: Limits) -> bool:
        """Whether one look ahead at a time solves a puzzle."""
        while not is_solved(known):
            limits.check()
            for literal in self.reasoning.attempts(known):
                if self.known([*known, literal]) is None:
                    more = self.known([*known, -literal])
                    if more is None:
                        return True
                    known = more
                    break
            else:
                return False
        return True
