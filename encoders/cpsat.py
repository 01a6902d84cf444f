"""The CP-SAT engine: build the model, search, listen for limits, and in `cut-set` encoding repeat until connected."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from ortools.sat.python import cp_model

from encoders.cpsat_model import MAX_MODEL_EDGES, Model
from encoders.cutsets import violated
from encoders.run import Answer, Run, call_until_over
from kt_models.board import IntArray
from kt_models.errors import KTError, TooLarge
from kt_models.problem import Problem

ENCODINGS = ("circuit", "cut-set")


def solve(problem: Problem, run: Run, hint: IntArray | None = None, encoding: str = "") -> Answer:
    """Solve a problem by CP-SAT.

    Parameters
    ----------
    hint
        Edges of a solution to start from.
    encoding
        `circuit` or `cut-set`; the better one for the problem if not given.

    Raises
    ------
    KTError
        If the encoding is unknown.
    TooLarge
        Above `MAX_MODEL_EDGES` edges.
    """
    encoding = encoding or "circuit"
    if encoding not in ENCODINGS:
        raise KTError(f"unknown CP-SAT encoding {encoding!r}: use {' or '.join(ENCODINGS)}")
    if problem.graph.m > MAX_MODEL_EDGES:
        raise TooLarge(f"{problem.graph.name}: {problem.graph.m:,} edges, over the limit of {MAX_MODEL_EDGES:,} for CP-SAT")
    name = f"cpsat/{encoding}"
    solver = cp_model.CpSolver()
    configure(solver, problem, run)

    def work() -> Answer:
        model = Model(problem, encoding)
        if hint is not None:
            model.hint(hint)
        if encoding == "circuit" or problem.connectivity == "any":
            return _search(model, solver, run, name, lambda edges: True)
        return _search_with_cuts(model, solver, run, name)

    return call_until_over(run, work, solver.stop_search, name)


def configure(solver: cp_model.CpSolver, problem: Problem, run: Run) -> None:
    """The parameters that measured best (docs/formulation.md)."""
    parameters = solver.parameters
    parameters.num_workers = run.threads
    parameters.random_seed = run.seed
    parameters.catch_sigint_signal = False  # signals are the caller's


def _search(model: Model, solver: cp_model.CpSolver, run: Run, name: str, is_solution: Callable[[IntArray], bool]) -> Answer:
    """One search.  Answers whose edges are not a solution of the problem (only of the relaxation) are not reported."""
    problem = model.problem
    has_objective = problem.objective is not None

    def edges_of(value: Callable[[Any], bool]) -> IntArray:
        return np.flatnonzero([value(x) for x in model.edge]).astype(np.int32)

    class Incumbents(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            edges = edges_of(self.boolean_value)
            if is_solution(edges):
                run.report(name, edges=edges, value=problem.value(edges))

    def on_bound(bound: float) -> None:
        run.report(name, bound=_integer_bound(bound))

    if run.over:
        return Answer("feasible" if run.edges is not None else "unknown", run.edges, run.bound, name)
    if has_objective:
        solver.best_bound_callback = on_bound
    if run.remaining < math.inf:
        solver.parameters.max_time_in_seconds = max(0.01, run.remaining)
    status = solver.solve(model.cp, Incumbents())
    if status == cp_model.MODEL_INVALID:
        raise RuntimeError(f"CP-SAT refuses the model of {problem.graph.name}")
    if status == cp_model.INFEASIBLE:
        return Answer("infeasible", engine=name)
    bound = _integer_bound(solver.best_objective_bound) if has_objective and status != cp_model.UNKNOWN else None
    if status == cp_model.UNKNOWN:
        return Answer("unknown", None, run.bound, name)
    edges = edges_of(solver.boolean_value)
    if bound is not None:
        run.report(name, bound=bound)
    found = "optimal" if status == cp_model.OPTIMAL and has_objective else "feasible"
    return Answer(found, edges, bound, name)


def _integer_bound(bound: float) -> int | None:
    """CP-SAT's objective is integral; its bound comes as a float."""
    return math.ceil(bound - 1e-6) if math.isfinite(bound) and abs(bound) < 1e15 else None


def _search_with_cuts(model: Model, solver: cp_model.CpSolver, run: Run, name: str) -> Answer:
    """Solve the degrees alone, add the cut-sets that the answer breaks, repeat.

    Each round's bound holds for the problem, as it is a relaxation.
    """
    problem = model.problem

    def is_solution(edges: IntArray) -> bool:
        _, cuts = violated(problem, edges)
        return not cuts

    while True:
        answer = _search(model, solver, run, name, is_solution)
        if answer.edges is None:
            return answer if answer.status == "infeasible" else Answer(
                "feasible" if run.edges is not None else "unknown", run.edges, run.bound, name
            )
        _, cuts = violated(problem, answer.edges)
        if not cuts:
            return answer
        for cut in cuts:
            model.add_cut(cut.vertices, cut.edges, cut.demand)
        if answer.bound is not None and problem.objective is not None:
            model.cp.add(model.objective >= answer.bound)
        if run.edges is not None:
            model.hint(run.edges)

