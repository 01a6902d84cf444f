"""`Oracle`: one PySAT solver, called again and again while clauses are added, in slices of bounded length.

A slice is a number of conflicts, because not all of PySAT's solvers can be interrupted (CaDiCaL cannot), and a solver
keeps Python's lock while it searches. Between two slices the caller may give up and other threads run. The slices are
so long (`FIRST_CONFLICTS`, doubled up to `MAX_CONFLICTS`) that the cost of the restarts they force could not be
measured.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Self

import numpy as np

from kt_models.errors import KTError, excerpt, unknown

SOLVERS = (
    "cadical153",
    "cadical195",
    "cadical300",
    "glucose4",
    "glucose42",
    "maplechrono",
    "maplecm",
    "mergesat3",
    "minisat22",
)
"""PySAT's solvers that support budgets and phases."""
Count = Callable[[Mapping[str, int]], None]
"""Called with a solver's new counts: answers, conflicts, decisions, propagations, restarts."""
FIRST_CONFLICTS, MAX_CONFLICTS = 2_000, 32_000
"""Conflicts in the first and in the longest slice."""


class Oracle:
    """A solver with some clauses.

    Parameters
    ----------
    name
        One of `SOLVERS`.
    seed
        Above 0 it shuffles the clauses and their literals, and seeds CaDiCaL's own randomness.
    check
        Called between slices; it raises when the time is up.
    count
        Called after each slice.

    Raises
    ------
    KTError
        If there is no such solver, or not in this version of PySAT.
    """

    def __init__(
        self,
        name: str,
        clauses: Iterable[Sequence[int]],
        seed: int = 0,
        check: Callable[[], None] = lambda: None,
        count: Count = lambda counts: None,
    ) -> None:
        from pysat.solvers import NoSuchSolverError, Solver

        check_solver(name)
        try:
            self._solver = Solver(name)
        except NoSuchSolverError:
            raise KTError(f"solver {excerpt(name)} is not in this version of PySAT") from None
        if seed:
            clauses = shuffle(clauses, np.random.default_rng(seed))
            if name.startswith("cadical"):
                self._solver.configure({"seed": seed})
        self._check, self._count = check, count
        for number, clause in enumerate(clauses):
            self._solver.add_clause(clause)
            if number % 100_000 == 0:
                check()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Free the solver."""
        self._solver.delete()

    def add(self, clauses: Iterable[Sequence[int]]) -> None:
        """Add clauses."""
        for clause in clauses:
            self._solver.add_clause(clause)

    def phases(self, literals: Sequence[int]) -> None:
        """Set the value to try first for some variables, from now on, in place of the solver's own memory."""
        self._solver.set_phases(list(literals))

    def solve(self, assumptions: Sequence[int] = ()) -> bool:
        """Decide whether the clauses and the assumptions are satisfiable."""
        return solve_in_slices(self._solver, assumptions, self._check, self._count)

    def solve_within(self, conflicts: int) -> tuple[bool | None, int]:
        """The same within a budget of conflicts: None if it is used up; and the number of conflicts."""
        used = 0
        while used < conflicts:
            self._check()
            before = Counter(self._solver.accum_stats())
            self._solver.conf_budget(min(FIRST_CONFLICTS, conflicts - used))
            answer = self._solver.solve_limited()
            counts = Counter({"searches": int(answer is not None), **self._solver.accum_stats()}) - before
            self._count(counts)
            used += counts["conflicts"]
            if answer is not None:
                return bool(answer), used
        return None, used

    def model(self) -> list[int]:
        """The true literals of the last answer."""
        return list(self._solver.get_model() or ())


def solve_in_slices(
    solver: Any, assumptions: Sequence[int], check: Callable[[], None], count: Count = lambda counts: None
) -> bool:
    """Call a PySAT solver, with `check` before every slice and `count` after it."""
    budget = FIRST_CONFLICTS
    while True:
        check()
        before = Counter(solver.accum_stats())
        solver.conf_budget(budget)
        answer = solver.solve_limited(assumptions=list(assumptions))
        count(Counter({"searches": int(answer is not None), **solver.accum_stats()}) - before)
        if answer is not None:
            return bool(answer)
        budget = min(MAX_CONFLICTS, 2 * budget)


def check_solver(name: str) -> None:
    """Raise a `KTError` if a name is not one of `SOLVERS`."""
    if name not in SOLVERS:
        raise unknown("SAT solver", name, SOLVERS)


def shuffle(clauses: Iterable[Sequence[int]], rng: np.random.Generator) -> list[list[int]]:
    """The clauses in random order (shuffling within each clause as well would take longer than most solves)."""
    rows = list(clauses)
    return [list(rows[k]) for k in rng.permutation(len(rows)).tolist()]
