"""Minimisation by SAT: from the best known value downwards, or from below by unsatisfiable cores.

Cut-sets are added lazily.

`descent` asks for less than the best known value, with a totalizer over the objective's literals and the bound as an
assumption, until no edges with the right degrees and the cut-sets so far have such a value.

`core` is RC2 (Ignatiev, Morgado and Marques-Silva 2019) on the degrees alone: every core raises a lower bound that
holds for the problem. At its optimum the violated cut-sets are added, and RC2 goes on with its cores.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from encoders.sat.formula import Formula
from encoders.sat.lazy import clauses_broken_by
from encoders.sat.objective import Objective
from encoders.sat.options import SatOptions
from encoders.sat.oracle import Count, solve_in_slices
from encoders.sat.search import connect, formula_of, oracle_of, search
from encoders.sat.totalizer import Totalizer
from encoders.work.run import Run
from kt_models.limits import Report
from kt_models.problem import Problem


def solve(problem: Problem, run: Run, options: SatOptions) -> Report:
    """A solution, of least value if there is an objective, or the answer that there is none; in this process.

    Raises
    ------
    Stopped
        If the run is over.
    """
    return search(problem, run, options) if problem.objective is None else minimise(problem, run, options)


def minimise(problem: Problem, run: Run, options: SatOptions) -> Report:
    """A solution of least value, starting from what the run knows."""
    formula = formula_of(problem, options)
    objective = Objective(formula, run.limits.check)
    work = _core_guided if options.mode == "core" else _descent
    return work(formula, objective, run, options)


def _descent(formula: Formula, objective: Objective, run: Run, options: SatOptions) -> Report:
    problem, name = formula.problem, options.name
    if run.value is None:
        with oracle_of(formula, run, options) as oracle:  # This solver is not shared, because it is given preferences.
            edges = connect(formula, oracle, run.limits, options.merge)
        if edges is None:
            return Report(name, status="infeasible", conclusive=True)
        run.report(name, edges=edges, value=problem.cost(edges))
    assert run.value is not None
    with oracle_of(formula, run, options) as oracle:
        most = run.value - objective.base
        totalizer = Totalizer([*objective.weights.items()], most, formula.new, run.limits.check)
        oracle.add(totalizer.clauses)
        while True:
            target = run.value - objective.step  # Another engine may have lowered the value meanwhile.
            if (run.bound is not None and target < run.bound) or target < objective.base:
                return Report(name, run.value, run.value, run.edges, status="optimal", conclusive=True)
            if not oracle.solve(totalizer.at_most(target - objective.base)):
                run.report(name, bound=target + objective.step)
                continue
            edges = formula.edges_of(oracle.model())
            _, clauses = clauses_broken_by(formula, edges)
            if clauses:
                oracle.add(clauses)
            else:
                run.report(name, edges=edges, value=problem.cost(edges))


def _core_guided(formula: Formula, objective: Objective, run: Run, options: SatOptions) -> Report:
    from pysat.examples.rc2 import RC2
    from pysat.formula import WCNF

    problem, name = formula.problem, options.name
    cnf = WCNF()
    cnf.extend(formula.clauses)
    for literal, weight in objective.weights.items():
        cnf.append([-literal], weight=weight)
    cnf.nv = max(cnf.nv, formula.top)
    with RC2(cnf, solver=options.solver, adapt=True) as rc2:

        def look_up() -> None:
            run.report(name, bound=objective.base + rc2.cost)
            run.limits.check()

        rc2.oracle = _Sliced(rc2.oracle, look_up, partial(run.count, name))
        while True:
            model = rc2.compute()
            if model is None:
                return Report(name, status="infeasible", conclusive=True)
            bound = objective.base + rc2.cost
            run.report(name, bound=bound)
            edges = formula.edges_of(model)
            _, clauses = clauses_broken_by(formula, edges)
            if not clauses:
                run.report(name, edges=edges, value=problem.cost(edges))
                return Report(name, bound, bound, edges, status="optimal", conclusive=True)
            if run.decided:
                return Report(name, run.value, run.value, run.edges, status="optimal", conclusive=True)
            for clause in clauses:
                rc2.add_clause(clause)


class _Sliced:
    """The solver of RC2, run in slices however RC2 calls it."""

    def __init__(self, solver: Any, check: Callable[[], None], count: Count) -> None:
        self._solver, self._check, self._count = solver, check, count

    def __getattr__(self, name: str) -> Any:
        return getattr(self._solver, name)

    def solve(self, assumptions: Sequence[int] = ()) -> bool:
        return solve_in_slices(self._solver, assumptions, self._check, self._count)

    def solve_limited(self, assumptions: Sequence[int] = (), expect_interrupt: bool = False) -> bool:
        return self.solve(assumptions)
