"""Random small problems of every kind: whoever answers, lists, bounds or refutes them says what brute force says."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

from encoders import solve
from encoders.enumeration import enumerate_tours
from encoders.lp import relaxation
from encoders.presolve import applies
from encoders.presolve.reduce import reduce
from encoders.proof import write_folder
from encoders.sat.encodings import encode, encodings
from encoders.sat.formula import Formula
from encoders.sat.lazy import clauses_broken_by
from kt_models import CertificateError, KTError
from kt_models.kernel.certificates import tree
from kt_models.kernel.certificates.proofs.check_folder import check_folder
from kt_models.limits import NO_LIMITS
from kt_models.problem import solution_edges
from kt_models.runs.audit import audit
from kt_models.runs.bound_task import BoundTask
from kt_models.runs.tour_task import TourTask, has_parallel_edges
from tests.effort import part_of
from tests.engines import FINDERS, MINIMISERS, answers, models
from tests.oracle import problems as oracle
from tests.oracle.truth import TooMany, case_of
from tests.run_tools import finished
from tests.small_problems import random_problem, solutions, value

SEEDS = pytest.mark.parametrize("seed", range(part_of(120)))


@SEEDS
def test_random_problems_agree_with_brute_force(seed: int, tmp_path: Path) -> None:
    problem = random_problem(Random(seed), most=14)
    known = set(solutions(problem))
    for who, result in answers(problem, FINDERS):
        assert result.status == ("feasible" if known else "infeasible"), who
        assert result.edges is None or frozenset(result.edges.tolist()) in known, who
    for name in encodings():
        assert models(encode(problem, name)) == known, name
    if applies(problem):
        reduced = reduce(problem, NO_LIMITS)
        assert (reduced is not None) == bool(known)
        if reduced is not None and not reduced.parts:
            solution_edges(problem, reduced.lift([]))
    if not known:
        write_folder(problem, None, tmp_path)
        assert check_folder(tmp_path).statement.kind == "infeasible"
    else:
        with pytest.raises(KTError, match="there is a solution"):
            write_folder(problem, None, tmp_path)


@SEEDS
def test_every_solution_is_listed_once_and_refutes_that_there_is_none(seed: int, tmp_path: Path) -> None:
    problem = random_problem(Random(seed), most=14)
    if problem.connectivity not in ("cycle", "path"):
        return
    known = set(solutions(problem))
    for engine in ("sat",) if has_parallel_edges(problem.graph) else ("sat", "search"):
        tours = [frozenset(tour.edges.tolist()) for tour in enumerate_tours(TourTask(problem), engine=engine)]
        assert len(tours) == len(set(tours)) and set(tours) == known, engine
    folder = finished(tmp_path / "run", BoundTask(problem), 1 + seed % 6)
    if known:
        with pytest.raises(CertificateError, match="refuted"):
            audit(folder)
    else:
        assert "certificate checked" in audit(folder).text


@SEEDS
def test_the_least_value(seed: int, tmp_path: Path) -> None:
    problem = random_problem(Random(seed), objective=True, most=14)
    if problem.objective is None:
        return
    least = min((value(problem, chosen) for chosen in solutions(problem)), default=None)
    for who, result in answers(problem, MINIMISERS):
        assert (result.status, result.value) == ("infeasible" if least is None else "optimal", least), who
    wild = {"denominator": 3, "multipliers": [[e, (e * seed) % 19 - 9] for e in range(problem.graph.m)]}
    for make in (lambda: relaxation.make(problem), lambda: wild):
        try:
            proved = tree.bound(problem, make() or {})
        except KTError:
            continue
        assert least is None or proved <= least
    write_folder(problem, None if least is None else least - 1, tmp_path)
    assert check_folder(tmp_path).statement.value == least
    if least is not None:
        with pytest.raises(KTError, match="there is a solution"):
            write_folder(problem, least, tmp_path)


@pytest.mark.parametrize("seed", range(part_of(90)))
def test_crossings_space_and_weights_of_any_size(seed: int) -> None:
    """The problems that the oracle of checkers draws, and its truth."""
    _, problem = oracle.problem(Random(seed))
    try:
        solved = case_of(problem).solutions
    except TooMany:
        return
    result = solve(problem)
    if problem.objective is None:
        assert result.status == ("feasible" if solved else "infeasible")
    else:
        assert (result.status, result.value) == ("optimal" if solved else "infeasible", case_of(problem).least)


@SEEDS
def test_clauses_cut_off_no_solution(seed: int) -> None:
    """Whatever edges with the right degrees are given, their clauses hold in every solution, and not in them."""
    problem = random_problem(Random(seed), most=14)
    plain = not (problem.free_ends or problem.symmetry)
    covers = solutions(replace(problem, connectivity="any")) if plain else []
    if not covers:
        return
    formula, cover = Formula(problem), covers[seed % len(covers)]
    _, clauses = clauses_broken_by(formula, np.array(sorted(cover), dtype=np.int32))
    for edges in [*solutions(problem), cover]:
        true = {formula.edge[e] for e in edges}
        holds = [any(literal in true for literal in clause) for clause in clauses]
        assert all(holds) if edges is not cover else not clauses or not all(holds)
