"""Engines for given numbers: CP-SAT, and SAT if there are no sums and no objective."""

from __future__ import annotations

from ortools.sat.python import cp_model

from encoders.cpsat.engine import CpSatEngine, integer_bound
from encoders.numbering import is_plain
from encoders.numbering.clauses import SOLVER, NumberClauses, edges_of, limited_table
from encoders.numbering.model import NumberModel
from encoders.sat.oracle import check_solver
from encoders.sat.solver_program import SolverProgram, open_oracle
from encoders.work.run import Engine, Run
from heuristics.numbering import NumberSearch, is_possible, table_of
from kt_models.errors import KTError
from kt_models.limits import Report, Stopped
from kt_models.numbers import Order
from kt_models.problem import Problem


class NumberEngine(CpSatEngine):
    """CP-SAT on the Booleans of numbers.

    Parameters
    ----------
    model
        By default made from the problem.
    work_limit
        CP-SAT's deterministic seconds, which do not depend on the machine; by default unlimited.

    Attributes
    ----------
    order
        The last numbering found.
    """

    def __init__(
        self, problem: Problem, threads: int, model: NumberModel | None = None, work_limit: float | None = None
    ) -> None:
        super().__init__(problem, "numbers", threads, ["max_lp"])
        self.model = model
        if work_limit is not None:
            self.solver.parameters.max_deterministic_time = work_limit
        self.order: Order | None = None

    def work(self, run: Run) -> Report:
        """Solve once: the model is complete."""
        problem = self.problem
        minimises = problem.objective is not None
        model = self.model or NumberModel(problem, run.limits)
        if run.over:
            return Report(self.name)
        self.configure(run)
        engine = self

        class FoundNumberings(cp_model.CpSolverSolutionCallback):
            def on_solution_callback(self) -> None:
                edges = edges_of(problem, model.order(lambda x: bool(self.boolean_value(x))))
                run.report(engine.name, edges=edges, value=problem.cost(edges))

        status = self.solver.solve(model.cp, FoundNumberings() if minimises else None)
        if status == cp_model.INFEASIBLE:
            return Report(self.name, status="infeasible", conclusive=True)
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return Report(self.name)
        self.order = model.order(lambda x: bool(self.solver.boolean_value(x)))
        edges = edges_of(problem, self.order)
        if not minimises:
            return Report(self.name, edges=edges, status="feasible", conclusive=True)
        bound = integer_bound(self.solver.best_objective_bound)
        done = status == cp_model.OPTIMAL
        return Report(
            self.name, problem.cost(edges), bound, edges, status="optimal" if done else "feasible", conclusive=done
        )


class NumberSatEngine:
    """SAT on the same Booleans."""

    def __init__(self, problem: Problem, solver: str | SolverProgram = "") -> None:
        self.problem, self.solver = problem, solver or SOLVER
        self.name = f"sat/numbers/{self.solver if isinstance(self.solver, str) else self.solver.name}"
        self._ended = False

    def interrupt(self) -> None:
        """End the search soon."""
        self._ended = True

    def work(self, run: Run) -> Report:
        """Solve once."""

        def check() -> None:
            run.limits.check()
            if self._ended or run.over:
                raise Stopped("ended")

        try:
            table = limited_table(self.problem, run.limits)
            if not is_possible(table):
                return Report(self.name, status="infeasible", conclusive=True)
            clauses = NumberClauses(self.problem, table)
            with open_oracle(self.solver, clauses.clauses, run.limits.seed, check) as oracle:
                if not oracle.solve():
                    return Report(self.name, status="infeasible", conclusive=True)
                order = clauses.order(oracle.model())
        except Stopped:
            return Report(self.name)
        return Report(self.name, edges=edges_of(self.problem, order), status="feasible", conclusive=True)


class NumberSearchEngine:
    """The search without a solver beside the solvers: now and then it succeeds on a large board."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.name = "search/numbers"
        self._ended = False

    def interrupt(self) -> None:
        """End the search soon."""
        self._ended = True

    def work(self, run: Run) -> Report:
        """Search until a numbering is found, or all were tried."""
        limits = run.limits.until(lambda: self._ended)
        try:
            search = NumberSearch(self.problem, table_of(self.problem, limits), up_to_symmetry=True)
            for order in search.run(limits):
                return Report(self.name, edges=edges_of(self.problem, order), status="feasible", conclusive=True)
        except Stopped:
            return Report(self.name)
        return Report(self.name, status="infeasible", conclusive=True)


def cpsat_engines(problem: Problem, threads: int, encoding: str) -> list[Engine]:
    """CP-SAT for a problem with given numbers.

    Raises
    ------
    KTError
        If an encoding is named: numbers have only one.
    """
    _require_no(encoding)
    return [NumberEngine(problem, threads)]


def sat_engines(problem: Problem, encoding: str, solver: str | SolverProgram) -> list[Engine]:
    """SAT for a problem with given numbers.

    Raises
    ------
    KTError
        If an encoding is named, or there are sums, an objective or a symmetry.
    """
    _require_no(encoding)
    if not is_plain(problem):
        raise KTError("given numbers with sums, an objective or a symmetry: use the engine cpsat")
    if isinstance(solver, str) and solver:
        check_solver(solver)
    return [NumberSatEngine(problem, solver)]


def _require_no(encoding: str) -> None:
    if encoding:
        raise KTError(f"encoding {encoding}: given numbers have one encoding; leave it out")
