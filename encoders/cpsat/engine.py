"""The CP-SAT engine: a model, its search parameters, and its limits.

Of many pairs of edges that do not meet, such as crossings, the model has only those that answers had so far (`Model`).

With `circuit` it searches tours (for a linkage, tours whose pairs may be swapped). With `cut-set` it searches edges
with the right degrees only, which proves bounds much faster. It adds the cut-sets that an answer violates until the
answer is connected, or until its bound, which holds for the problem in each round, meets a tour of another engine.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from ortools.sat.python import cp_model

from encoders.cpsat import ENCODINGS, excess
from encoders.cpsat.model import Model
from encoders.cutsets import violated
from encoders.work.run import Engine, Run, race
from heuristics.symmetric_merge import merge_symmetric
from kt_models.board import IntArray
from kt_models.errors import KTError, TooLarge, excerpt
from kt_models.limits import Report
from kt_models.problem import LEFT_OUT, Problem


def solve(problem: Problem, run: Run, encoding: str = "") -> Report:
    """Solve a problem by CP-SAT, starting from the knowledge of the run.

    Parameters
    ----------
    encoding
        `circuit`, `cut-set`, or `race`: both side by side. By default the one that measured best.
    """
    return race(run, engines(problem, run.threads, encoding))


def engines(problem: Problem, threads: int, encoding: str = "") -> list[Engine]:
    """The engines for a problem, with their numbers of threads and CP-SAT's subsolvers (see docs/theory/models.md).

    Most important is one thread that always solves the full linear relaxation (`max_lp`). The default portfolio of a
    few threads has no such search, and its bound hardly moves.

    Raises
    ------
    KTError
        If the encoding is unknown.
    TooLarge
        If there are too many edges, or the weights are too large (`encoders.cpsat.excess`).
    """
    if encoding and encoding not in ENCODINGS:
        raise KTError(f"unknown CP-SAT encoding {excerpt(encoding)}: use {', '.join(ENCODINGS)}")
    if too_much := excess(problem):
        raise TooLarge(f"{problem.graph.name}: {too_much}")
    if problem.optional:
        if encoding not in ("", "circuit"):
            raise KTError(f"encoding {encoding}: {LEFT_OUT} are served by circuit only")
        encoding = "circuit"
    if not encoding:
        both = problem.pairs_meet if problem.weights is not None else bool(problem.symmetry)
        encoding = "race" if both and threads > 1 and problem.connectivity != "any" else "circuit"
    if encoding == "race" and threads > 1:
        bounding = threads // 2
        return [
            CpSatEngine(problem, "circuit", threads - bounding, ["max_lp"]),
            CpSatEngine(problem, "cut-set", bounding, ["lb_tree_search", "max_lp"][:bounding]),
        ]
    if encoding == "cut-set":
        return [CpSatEngine(problem, "cut-set", threads, ["lb_tree_search", "max_lp"][-threads:])]
    return [CpSatEngine(problem, "circuit", threads, ["max_lp", "core"][:threads])]


class CpSatEngine:
    """A solver, its parameters, and the loop of searches of one encoding."""

    def __init__(self, problem: Problem, encoding: str, threads: int, subsolvers: Sequence[str] = ()) -> None:
        self.problem = problem
        self.encoding = encoding
        self.name = f"cpsat/{encoding}"
        self.threads = threads
        self.solver = cp_model.CpSolver()
        self._interrupted = False
        if problem.objective is not None:
            self.solver.parameters.subsolvers.extend(subsolvers)

    def interrupt(self) -> None:
        """End the search soon."""
        self._interrupted = True
        self.solver.stop_search()

    def configure(self, run: Run) -> None:
        """Pass the run's limits to the solver."""
        parameters = self.solver.parameters
        parameters.num_workers = self.threads
        parameters.random_seed = run.limits.seed
        parameters.catch_sigint_signal = False  # Signals belong to the caller.
        if run.limits.memory is not None:
            parameters.max_memory_in_mb = max(1, run.limits.memory // 10**6)
        if run.limits.left < math.inf:
            parameters.max_time_in_seconds = max(0.01, run.limits.left)

    def work(self, run: Run) -> Report:
        """Search, and add the cut-sets that the answer violates, until there are none."""
        model = Model(self.problem, self.encoding, run.limits.check)
        minimises = self.problem.objective is not None
        while True:
            if run.edges is not None:
                model.add_pairs(run.edges)
                model.hint(run.edges)
            report, lacking = self.search(model, run)
            if lacking:
                if self._interrupted or run.over or run.decided:
                    return Report(self.name, bound=report.bound)
                for edges in lacking:
                    model.add_pairs(edges)
                    for cut in violated(self.problem, edges)[1]:
                        model.add_cut(cut.vertices, cut.edges, cut.demand)
                if minimises and report.bound is not None:
                    model.cp.add(model.objective >= report.bound)
                continue
            if not report.conclusive or report.edges is None:
                return replace(report, value=None, edges=None)
            _, cuts = violated(self.problem, report.edges)
            if not cuts:
                return report
            if run.decided:
                return Report(self.name)
            if self.problem.symmetry and self.problem.closed and not (minimises or self.problem.is_constrained):
                merged = merge_symmetric(self.problem, report.edges, seed=run.limits.seed, limits=run.limits)
                if self.is_solution(merged):
                    return Report(self.name, edges=merged, status="feasible", conclusive=True)
            for cut in cuts:
                model.add_cut(cut.vertices, cut.edges, cut.demand)
            if minimises and report.bound is not None:
                model.cp.add(model.objective >= report.bound)

    def is_solution(self, edges: IntArray) -> bool:
        """Whether edges of the right degrees have the right connectivity."""
        return not violated(self.problem, edges)[1]

    def search(self, model: Model, run: Run) -> tuple[Report, list[IntArray]]:
        """Search a model once, or until an answer has pairs of edges that the sums lack; return such answers, too.

        Only solutions of the problem, not of a relaxation, are reported to the run.
        """
        problem, engine = self.problem, self
        minimises = problem.objective is not None
        lacking: list[IntArray] = []

        class Incumbents(cp_model.CpSolverSolutionCallback):
            def on_solution_callback(self) -> None:
                edges = np.flatnonzero([self.boolean_value(x) for x in model.edge]).astype(np.int32)
                if model.lacks(edges):
                    lacking.append(edges)
                    self.stop_search()
                    if any(constraint.fault(problem.graph, edges) for constraint in problem.constraints):
                        return
                if engine.is_solution(edges):
                    run.report(engine.name, edges=edges, value=problem.cost(edges))

        def on_bound(bound: float) -> None:
            run.report(engine.name, bound=integer_bound(bound))

        if run.over or self._interrupted:
            return Report(self.name), []
        self.configure(run)
        if minimises:
            self.solver.best_bound_callback = on_bound
        status = self.solver.solve(model.cp, Incumbents())
        counts = {"searches": 1, "conflicts": self.solver.num_conflicts, "branches": self.solver.num_branches}
        run.count(self.name, counts)
        if status == cp_model.MODEL_INVALID:
            raise RuntimeError(f"CP-SAT refuses the model of {problem.graph.name}")
        if status == cp_model.INFEASIBLE:
            return Report(self.name, status="infeasible", conclusive=True), []
        if status == cp_model.UNKNOWN:
            return Report(self.name, bound=run.bound), []
        edges = np.flatnonzero([self.solver.boolean_value(x) for x in model.edge]).astype(np.int32)
        if not minimises:
            return Report(self.name, edges=edges, status="feasible", conclusive=True), lacking
        bound = integer_bound(self.solver.best_objective_bound)
        run.report(self.name, bound=bound)
        ended = "optimal" if status == cp_model.OPTIMAL else "feasible"
        conclusive = status == cp_model.OPTIMAL
        return Report(self.name, problem.cost(edges), bound, edges, status=ended, conclusive=conclusive), lacking


def integer_bound(bound: float) -> int | None:
    """The integer bound for an integral objective, from CP-SAT's float."""
    # A float of 1.4e11 was seen 2e-5 above the integer; what is taken off more makes the bound no less true.
    slack = max(1e-6, 1e-14 * abs(bound))
    return math.ceil(bound - slack) if math.isfinite(bound) and abs(bound) < 1e15 else None
