"""Enumeration of solutions: each one is blocked on the edge variables, and the solver is asked for another.

Connectivity is handled as in the lazy engine: an answer that breaks it adds clauses and is no solution. All solutions
of a problem have the same number of edges, so blocking one means that not all of its edges are chosen again. Under
symmetry the variables are orbits of edges; if one solution of each class is wanted, its images are blocked with it. The
clauses grow with every solution, so this is for few solutions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy.typing as npt

from encoders.sat.formula import Clause, Formula
from encoders.sat.lazy import clauses_broken_by
from encoders.sat.objective import Objective
from encoders.sat.plain import EDGES_PER_ROUND
from encoders.sat.solver_program import SolverProgram, open_oracle
from encoders.sat.totalizer import Totalizer
from encoders.work.spending import Spending
from kt_models.board import IntArray
from kt_models.limits import Limits

SOLVER = "cadical153"


class Lister:
    """A list of the solutions of a formula; a context, because it holds a solver.

    Parameters
    ----------
    formula
        Degrees and all other constraints except connectivity.
    limits
        `Stopped` is raised when they are reached.
    against
        Clauses that forbid some edges of the right degrees and that every solution satisfies; none if the edges are a
        solution. By default the cut-sets that the edges violate.
    spending
        `Spent` is raised when it is used up; the lister is closed then.
    program
        The outside program to ask in place of a solver of PySAT.
    """

    def __init__(
        self,
        formula: Formula,
        limits: Limits,
        against: Callable[[IntArray], list[Clause]] | None = None,
        spending: Spending | None = None,
        program: SolverProgram | None = None,
    ) -> None:
        self._formula, self._limits = formula, limits
        self._spending = spending or Spending()
        self._against = against or (lambda edges: clauses_broken_by(formula, edges)[1])
        self._oracle = open_oracle(program or SOLVER, formula.clauses, 0, self._check, self._count)
        self._totalizer: Totalizer | None = None
        self._base = 0

    def __enter__(self) -> Lister:
        return self

    def __exit__(self, *_: object) -> None:
        self._oracle.__exit__()

    def _check(self) -> None:
        self._limits.check()
        self._spending.require_more()

    def _count(self, counts: Mapping[str, int]) -> None:
        self._spending.conflicts -= counts.get("conflicts", 0)
        self._spending.looks -= counts["searches"] * (self._formula.problem.graph.m + EDGES_PER_ROUND)

    def next(self, at_most: int | None = None) -> IntArray | None:
        """The edges of a solution that is not blocked, of at most a value; None if there is none."""
        assumptions = [] if at_most is None else self._at_most(at_most)
        while assumptions is not None and self._oracle.solve(assumptions):
            edges = self._formula.edges_of(self._oracle.model())
            clauses = self._against(edges)
            if not clauses:
                return edges
            self._oracle.add(clauses)
        return None

    def least(
        self, on_better: Callable[[IntArray], None], edges: IntArray | None = None, bound: int | None = None
    ) -> IntArray | None:
        """The edges of a solution of least value, by descent; None if there is none.

        Parameters
        ----------
        on_better
            Called with each improving solution.
        edges
            Edges of a solution to start from.
        bound
            A lower bound for all solutions.
        """
        better = self.next() if edges is None else edges
        while better is not None:
            edges, value = better, self._formula.problem.cost(better)
            assert value is not None
            on_better(edges)
            better = None if value == bound else self.next(value - 1)
        return edges

    def all(
        self,
        at_most: int | None = None,
        first: IntArray | None = None,
        images: Callable[[IntArray], Iterable[npt.NDArray[Any]]] = lambda edges: [edges],
    ) -> Iterator[IntArray]:
        """Yield the edges of all solutions of at most a value.

        Parameters
        ----------
        at_most
            At most one above the first value that was requested.
        first
            A known solution.
        images
            Maps a solution to those that are not to be listed beside it.
        """
        edges = self.next(at_most) if first is None else first
        while edges is not None:
            yield edges
            self.block(*images(edges))
            self._limits.check()
            edges = self.next(at_most)

    def block(self, *solutions: npt.NDArray[Any]) -> None:
        """Block solutions, each given by its edges; a path that may leave vertices out can be part of a longer one."""
        variable, growing = self._formula.edge, self._formula.problem.connectivity == "subpath"
        for edges in solutions:
            chosen = {variable[e] for e in edges.tolist()}
            others = set(variable) - chosen if growing else set()
            self._oracle.add([sorted({-x for x in chosen} | others)])

    def _at_most(self, value: int) -> list[int] | None:
        """Assumptions that keep the objective at a value or less; None if that is impossible."""
        if self._totalizer is None:
            formula, known = self._formula, len(self._formula.clauses)
            objective = Objective(formula, self._limits.check)
            most = max(0, value + 1 - objective.base)
            self._base = objective.base
            self._totalizer = Totalizer([*objective.weights.items()], most, formula.new, self._limits.check)
            self._oracle.add(formula.clauses[known:] + self._totalizer.clauses)
        return self._totalizer.at_most(value - self._base) if value >= self._base else None
