"""The engines as the tests ask them, and what each of them answers."""

from __future__ import annotations

from collections.abc import Iterator

from pysat.solvers import Solver

from encoders import solve
from encoders.sat.formula import Formula
from encoders.sat.optimise import solve as solve_here
from encoders.sat.options import SatOptions
from encoders.work.run import Run
from kt_models import Problem, Result, Symmetry, graph_of
from kt_models.limits import Limits

BOARDS = [f"{w}x{h}" for h in range(1, 7) for w in range(1, min(h, 5) + 1)]
WITH_TOURS = [("3x4", False), ("4x5", False), ("5x5", False), ("4x6", False), ("5x6", True), ("5x6", False)]
"""Those of `BOARDS`, of more than one cell, that have tours; `test_existence` says so."""
FINDERS = [
    SatOptions(),
    SatOptions(merge=False),
    SatOptions(solver="glucose4"),
    SatOptions(solver="cadical195", merge=False),
]
MINIMISERS = [
    SatOptions(mode=mode, solver=solver) for mode in ("descent", "core") for solver in ("cadical153", "glucose4")
]


def problem_of(board: str, closed: bool, objective: str | None = None, symmetry: str | None = None) -> Problem:
    generators = (Symmetry.parse(symmetry),) if symmetry else ()
    return Problem(graph_of(board), "cycle" if closed else "path", objective, symmetry=generators)


def by_sat(problem: Problem, options: SatOptions, seed: int = 0) -> Result:
    """What a SAT search in this process answers, verified."""
    found = solve_here(problem, Run(Limits(600, seed=seed)), options)
    assert found.conclusive
    bound = found.bound if problem.objective is not None else None
    return Result(problem, found.status, edges=found.edges, bound=bound, engine=found.engine)


def answers(problem: Problem, sat: list[SatOptions]) -> Iterator[tuple[object, Result]]:
    """What `solve` answers, CP-SAT by either encoding from nothing, and some SAT searches."""
    yield "solve", solve(problem)
    for encoding in ("circuit", "cut-set"):
        yield encoding, solve(problem, engine="cpsat", encoding=encoding, hint=False)
    for options in sat:
        yield options, by_sat(problem, options)


def models(formula: Formula) -> set[frozenset[int]]:
    """The models of a formula, seen on its edge variables, by forbidding each one found."""
    found = set()
    variables = sorted(set(formula.edge))
    with Solver("cadical153", bootstrap_with=formula.clauses) as solver:
        while solver.solve():
            true = {x for x in solver.get_model() if x > 0}
            edges = frozenset(e for e, x in enumerate(formula.edge) if x in true)
            assert edges not in found
            found.add(edges)
            solver.add_clause([-x if x in true else x for x in variables])
    return found
