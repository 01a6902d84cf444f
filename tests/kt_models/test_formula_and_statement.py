"""What a formula rules out follows from the statement, on every route from the one to the other.

Weights have common divisors and bounds are multiples of nothing. A claim above the least value has to be refused by
every checker, whatever comes with it; and a claim that is true is accepted with what was made for it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from encoders.bounds.methods.branching import make
from encoders.pb.proof import CuttingPlanes
from encoders.pb.sweep import refute_by_sweep
from encoders.pb.write import prove_by_cutting_planes
from encoders.proof import write_folder
from encoders.proof.formula import ProofFormula
from kt_models import CertificateError, KTError, Leaper, MoveGraph, Problem, Symmetry, Weights, graph_of
from kt_models.files.check import check_directory
from kt_models.kernel.certificates import Certificate, Checked, Statement
from kt_models.kernel.certificates.proofs.check_folder import check_folder
from kt_models.kernel.certificates.proofs.cutting_planes import (
    FORMULA,
    MODEL,
    PROOF,
    check_formula,
    formula_of,
    model_to_json,
)
from kt_models.kernel.certificates.proofs.manifest import MANIFEST, Manifest
from kt_models.kernel.certificates.proofs.meaning import Meaning
from kt_models.kernel.certificates.rounding import greatest_below, ruled_out, value_step
from tests.command import kt
from tests.effort import part_of
from tests.pb_reader import parse, refuted
from tests.proof_tools import seal
from tests.small_problems import random_problem, solutions, value

Values = list[tuple[frozenset[int], int]]


def divisible(random: Random, most: int = 13, connectivity: str | None = None) -> tuple[Problem, Values]:
    """A problem whose weights share a divisor (but for one, sometimes), and its solutions with their values."""
    while True:
        problem = random_problem(random, objective=False, most=most)
        m = problem.graph.m
        if m < 2 or problem.graph.n < 3 or (connectivity and problem.connectivity != connectivity):
            continue
        step, low = random.choice((2, 2, 3, 4, 6)), random.choice((0, 0, -3))
        rows = [(*random.choices(range(m), k=2), step * random.randint(low, 4)) for _ in range(random.randint(1, 9))]
        if random.random() < 0.4:  # An edge that shifts the values of those that use it
            e = random.randrange(m)
            rows.append((e, e, random.randint(1, 5)))
        first, second, weight = np.array(rows, dtype=np.int64).T
        problem = replace(problem, objective=Weights(first.astype(np.int32), second.astype(np.int32), weight))
        listed = [(chosen, value(problem, chosen)) for chosen in solutions(problem)]
        if listed:
            return problem, [(chosen, int(worth or 0)) for chosen, worth in listed]


@pytest.mark.parametrize("seed", range(part_of(150)))
def test_values_are_multiples_and_what_is_ruled_out_is_below_the_bound(seed: int) -> None:
    problem, listed = divisible(Random(seed))
    step = value_step(problem)
    assert all(worth % step == 0 for _, worth in listed)
    for bound in range(-15, 16):
        greatest = greatest_below(problem, bound)
        assert ruled_out(Statement(problem, "at-least", bound)) == greatest
        assert greatest % step == 0 and greatest < bound <= greatest + step
        assert all(worth <= greatest for _, worth in listed if worth < bound)


@pytest.mark.parametrize("seed", range(part_of(120)))
def test_values_are_even_where_pairs_weigh_by_two_colours_of_edges(seed: int) -> None:
    """As turns in a grid do, whose colours are the two directions. One odd weight more, and they need not be."""
    random = Random(seed)
    while True:
        problem = random_problem(random, objective=False, most=13)
        listed = solutions(problem) if problem.graph.n > 2 and problem.connectivity in ("cycle", "any") else []
        if listed:
            break
    ends, unit = problem.graph.ends.tolist(), random.choice((1, 3))
    colour = [random.randint(0, 1) for _ in ends]
    rows = [(e, e, 2 * unit * random.randint(-1, 2)) for e in range(len(ends))]
    for f in range(len(ends)):
        for e in range(f):
            if set(ends[e]) & set(ends[f]):
                rows.append((e, f, unit * (abs(colour[e] - colour[f]) + 2 * random.randint(-1, 1))))
    spoilt = random.random() < 0.5
    if spoilt:
        rows.append((*random.choices(range(len(ends)), k=2), unit))
    first, second, weight = np.array(rows, dtype=np.int64).T
    problem = replace(problem, objective=Weights(first.astype(np.int32), second.astype(np.int32), weight))
    step = value_step(problem)
    assert all((value(problem, chosen) or 0) % step == 0 for chosen in listed)
    distinct = len({tuple(sorted(pair)) for pair in ends}) == len(ends)
    if distinct and not spoilt and not problem.terminals:
        assert step % (2 * unit) == 0


def test_turns_in_a_grid_are_even_and_those_of_knights_are_not() -> None:
    for board, leaper, step in (("6x6", "0,1", 2), ("6x6", "1,2", 1), ("6x6", "0,1+1,1", 1), ("torus:4x6", "0,1", 2)):
        assert value_step(Problem(graph_of(board, Leaper.parse(leaper)), "cycle", "turns")) == step
    assert value_step(Problem(graph_of("6x6", Leaper.parse("0,1")), "path", "turns")) == 1


def test_only_bounds_and_impossibility_are_shown_by_refutation() -> None:
    problem = Problem(graph_of("5x6"), "cycle", "turns")
    assert ruled_out(Statement(problem, "infeasible")) is None
    for kind in ("optimum", "tour", "count"):
        with pytest.raises(CertificateError, match="refutation"):
            ruled_out(Statement(problem, kind, 28))  # type: ignore[arg-type]


# -- formulas of cutting planes ---------------------------------------------------------------------------------------


def least_solution(text: str, edges: int, chosen: frozenset[int], variables: list[int]) -> bool:
    """Whether a formula in OPB has a solution with just these edges; by CP-SAT, from the text alone."""
    from ortools.sat.python import cp_model

    model, solver = cp_model.CpModel(), cp_model.CpSolver()
    solver.parameters.num_workers = 1
    number = int(text.split("#variable= ")[1].split()[0])
    x = [None, *(model.new_bool_var("") for _ in range(number))]
    for line in text.splitlines():
        if not line.startswith("*"):
            for terms, degree in parse(line):
                model.add(sum(c * (x[v] if v > 0 else 1 - x[-v]) for v, c in terms.items()) >= degree)
    for e in range(edges):
        model.add(x[variables[e]] == int(e in chosen))
    return solver.solve(model) in (cp_model.OPTIMAL, cp_model.FEASIBLE)


@pytest.mark.parametrize("seed", range(part_of(60)))
def test_a_solution_below_the_bound_fulfils_the_formula(seed: int) -> None:
    """A solution that is not below does not fulfil it, so that a true bound can be shown at all."""
    random = Random(seed)
    problem, listed = divisible(random)
    chosen, worth = random.choice(listed)
    for bound in range(worth - 2, worth + value_step(problem) + 3):
        model = formula_of(problem, bound, ())
        assert least_solution(model.opb(), problem.graph.m, chosen, model.edge) == (worth < bound)


def sealed(folder: Path, problem: Problem, bound: int | None, proved: CuttingPlanes, formula: str) -> None:
    """The folder of a claim, with whatever formula and proof, and the digests right."""
    texts = {FORMULA: formula, PROOF: proved.proof}
    digests = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in texts.items()}
    texts[MODEL] = json.dumps(model_to_json(proved.model, problem, bound, digests))
    for name, text in texts.items():
        (folder / name).write_text(text)


def proof_of(problem: Problem, least: int) -> CuttingPlanes | None:
    """A proof that no solution is below the least value."""
    try:
        if problem.connectivity == "cycle" and len(problem.group) == 1:
            return refute_by_sweep(problem, least)
        data = make(problem, at_least=least)
        if data is None:
            return None
        return prove_by_cutting_planes(Certificate("tree", Statement(problem, "at-least", least), data))
    except KTError:
        return None


@pytest.mark.parametrize("seed", range(part_of(40)))
def test_a_proof_of_the_least_value_shows_no_other(seed: int, tmp_path: Path) -> None:
    """The proof stays valid for its formula, and the claim is raised: by less than a step, by a step, by more."""
    problem, listed = divisible(Random(seed))
    least, step = min(worth for _, worth in listed), value_step(problem)
    proved = proof_of(problem, least)
    if proved is None:
        return
    formula = proved.model.opb()
    refuted(formula, proved.proof)
    for bound in range(least - step + 1, least + 1):  # All of these say the same
        sealed(tmp_path, problem, bound, proved, formula)
        assert check_formula(tmp_path).value == bound
    for bound in (*range(least + 1, least + step + 2), None):
        sealed(tmp_path, problem, bound, proved, formula)
        with pytest.raises(CertificateError, match="not the formula"):
            check_formula(tmp_path)


def other_problems(problem: Problem) -> dict[str, Problem]:
    """Problems a little different from one of the closed tours of a graph."""
    graph, weights = problem.graph, problem.weights
    assert weights is not None
    order = np.roll(np.arange(graph.n), 1)
    turned = [[int(order[u]), int(order[v])] for u, v in graph.ends.tolist()]
    chords = [(v, u) for u in range(graph.n) for v in range(u) if [v, u] not in graph.ends.tolist()]
    heavier = Weights(weights.first, weights.second, weights.weight + 1)
    longer = MoveGraph.from_edges(graph.n, np.array([*graph.ends.tolist(), *chords[:1]]))
    return {
        "other graph": replace(problem, graph=MoveGraph.from_edges(graph.n, np.array(turned))),
        "without an edge": replace(problem, forbidden=frozenset({graph.m - 1})),
        "with an edge": replace(problem, required=frozenset({0})),
        "open": replace(problem, connectivity="path"),
        "degrees": replace(problem, connectivity="any"),
        "heavier": replace(problem, objective=heavier),
        "no weights": replace(problem, objective=None),
        "one more edge": replace(problem, graph=longer),
    }


def prism() -> Problem:
    """A graph of six vertices with weights that are even; its best cycle weighs 6."""
    edges = [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5), (0, 3), (1, 4), (2, 5)]
    rows = [(e, f, 2 * (1 + (e + 2 * f) % 3)) for e in range(9) for f in range(e) if set(edges[e]) & set(edges[f])]
    first, second, weight = np.array(rows).T
    weights = Weights(first.astype(np.int32), second.astype(np.int32), weight.astype(np.int64))
    return Problem(MoveGraph.from_edges(6, np.array(edges)), "cycle", weights)


def test_a_formula_of_another_problem_or_with_another_row_is_refused(tmp_path: Path) -> None:
    problem = prism()
    least = min(value(problem, chosen) or 0 for chosen in solutions(problem))
    proved = refute_by_sweep(problem, least)
    formula = proved.model.opb()
    sealed(tmp_path, problem, least, proved, formula)
    assert check_formula(tmp_path) == Statement(problem, "at-least", least)
    lines = formula.splitlines()
    rows = [i for i, line in enumerate(lines) if not line.startswith("*")]
    right = int(lines[-1].split()[-2])
    forged = {
        "no row of the value": lines[:-1],
        "a smaller value": [*lines[:-1], lines[-1].replace(f">= {right}", f">= {right + 2}")],
        "a value that none has": [*lines[:-1], lines[-1].replace(f">= {right}", f">= {right + 1}")],
        "a greater value": [*lines[:-1], lines[-1].replace(f">= {right}", f">= {right - 1}")],
        "one row less": [line for i, line in enumerate(lines) if i != rows[3]],
        "one row more": [*lines, "+1 x1 >= 1 ;"],
        "rows exchanged": [*lines[: rows[0]], lines[rows[1]], lines[rows[0]], *lines[rows[2] :]],
        "a comment": ["* it is true", *lines],
        "an equation": [lines[0], *(line.replace(">=", "=") for line in lines[1:])],
        "another header": [lines[0].replace("#constraint= ", "#constraint= 1"), *lines[1:]],
    }
    for text in forged.values():
        sealed(tmp_path, problem, least, proved, "\n".join(text) + "\n")
        with pytest.raises(CertificateError, match="not the formula"):
            check_formula(tmp_path)
    for other in other_problems(problem).values():
        sealed(tmp_path, other, None if other.objective is None else least, proved, formula)
        with pytest.raises(KTError):
            check_formula(tmp_path)


def test_a_claim_beside_the_formula_is_judged_by_the_formula(tmp_path: Path) -> None:
    """A valid proof that a triangle's tour does not weigh 1 or less does not show that it weighs 3."""
    graph = MoveGraph.from_edges(3, np.array([[0, 1], [0, 2], [1, 2]]), name="triangle")
    weights = Weights(np.array([0], np.int32), np.array([1], np.int32), np.array([2]), "w")
    problem = Problem(graph, "cycle", weights)
    proved = refute_by_sweep(problem, 2)
    forged = proved.model.opb().replace(">= 0 ;\n", ">= -1 ;\n") if proved.model.opb().endswith(">= 0 ;\n") else ""
    assert forged
    sealed(tmp_path, problem, 3, proved, forged)
    with pytest.raises(CertificateError, match="not the formula of a weight of at least 3"):
        check_directory(tmp_path, ask=lambda name: f"{name} accepted")
    checked = kt("check", tmp_path)
    assert checked.exit_code == 1
    assert "not the formula of a weight of at least 3" in checked.output


def test_names_cannot_add_rows() -> None:
    """The names of a graph's vertices are not in its formula, so they cannot add lines to it."""
    problem = prism()
    plain = formula_of(problem, 6, ()).opb()
    graph = problem.graph.having(labels=tuple(f"{v}\n+1 x1 >= 2 ;" for v in range(6)))
    assert formula_of(replace(problem, graph=graph), 6, ()).opb() == plain


# -- clauses ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(part_of(60)))
def test_clauses_of_a_smaller_bound_are_not_those_of_a_greater(seed: int) -> None:
    """What accepts the clauses of the least value for a raised claim has to leave the least solution alone."""
    problem, listed = divisible(Random(seed), most=11)
    assert problem.weights is not None
    if int(problem.weights.weight.min()) < 0:
        return
    least, step = min(worth for _, worth in listed), value_step(problem)
    if least == 0:
        return
    formula = ProofFormula(problem, least - 1)
    parts = tuple(formula.counted), tuple(formula.counters), tuple(formula.groups)
    for bound in range(1, least + 1):
        if greatest_below(problem, bound) == greatest_below(problem, least):
            Meaning(Manifest(problem, bound, {}, *parts)).check(formula.groups, formula.clauses)
    for bound in range(least + 1, least + step + 2):
        assert accepted_solutions(Manifest(problem, bound, {}, *parts), formula, listed, bound)


def accepted_solutions(manifest: Manifest, formula: ProofFormula, listed: Values, bound: int) -> bool:
    """Whether clauses are refused, or every solution below the bound fulfils them."""
    from pysat.solvers import Solver

    try:
        Meaning(manifest).check(formula.groups, formula.clauses)
    except CertificateError:
        return True
    with Solver("cadical153", bootstrap_with=formula.clauses) as solver:
        for chosen, worth in listed:
            edges = [x if e in chosen else -x for e, x in enumerate(formula.edge)]
            if worth < bound and not solver.solve(assumptions=edges):
                return False
    return True


def test_a_proof_by_clauses_of_another_claim_or_problem_is_refused(tmp_path: Path) -> None:
    problem = prism()
    least = min(value(problem, chosen) or 0 for chosen in solutions(problem))
    write_folder(problem, least - 1, tmp_path)
    assert check_folder(tmp_path).statement == Statement(problem, "at-least", least)
    data = json.loads((tmp_path / MANIFEST).read_text())
    for bound in (least - 1, least - 2):  # Of even values the first says the same, and the other less
        seal(tmp_path, {**data, "claim": {"bound": bound}})
        assert check_folder(tmp_path).statement.value == bound
    for claim in ({"bound": least + 1}, {"bound": least + 2}, {"status": "infeasible"}):
        seal(tmp_path, {**data, "claim": claim})
        with pytest.raises(CertificateError):
            check_folder(tmp_path)
    refused = 0
    for other in other_problems(problem).values():
        seal(tmp_path, {**data, "problem": other.to_json()})
        try:
            statement = check_folder(tmp_path).statement
        except CertificateError:
            refused += 1
            continue
        assert all((value(statement.problem, chosen) or 0) >= least for chosen in solutions(statement.problem))
    assert refused >= 4


# -- certificates -----------------------------------------------------------------------------------------------------

Maker = Callable[[Problem, int], dict[str, Any] | None]
MAKERS: dict[str, Maker] = {
    "tree": lambda problem, bound: make(problem, at_least=bound),
    "frontier": lambda problem, bound: {"at_least": bound},
    "regions": lambda problem, bound: {"regions": [{"cells": list(range(problem.graph.n)), "closed": False}]},
}


@pytest.mark.parametrize("method", MAKERS)
@pytest.mark.parametrize("seed", range(part_of(40)))
def test_certificates_show_no_bound_above_the_least_value(method: str, seed: int) -> None:
    problem, listed = divisible(Random(seed))
    least, step = min(worth for _, worth in listed), value_step(problem)
    for bound in range(least - step - 1, least + step + 2):
        try:
            data = MAKERS[method](problem, bound)
            if data is None:
                continue
            Certificate(method, Statement(problem, "at-least", bound), data).check()
        except KTError:
            continue
        assert bound <= least
    try:
        certificate = Checked.of_bound(method, problem, MAKERS[method](problem, least) or {})
    except KTError:
        return
    assert certificate.bound is not None and certificate.bound <= least
    for bound in range(certificate.bound + 1, certificate.bound + step + 2):
        with pytest.raises(CertificateError, match="shows"):
            Certificate(method, Statement(problem, "at-least", bound), certificate.data).check()


@pytest.mark.parametrize(
    ("board", "metric", "symmetry", "least"),
    [("5x6", "turns", "mirror-y", None), ("6x6", "turns", "rot90", None), ("6x6", "crossings", "rot180", None)],
)
def test_symmetric_values_come_in_steps(board: str, metric: str, symmetry: str, least: int | None) -> None:
    """A claim between two steps rules out what lies below it, and no more."""
    problem = Problem(graph_of(board), "cycle", metric, symmetry=(Symmetry.parse(symmetry),))
    step = value_step(problem)
    assert step in (2, 4)
    for bound in range(20, 40):
        (row,) = formula_of(problem, bound, ()).rows[-1:]
        assert -row.right == greatest_below(problem, bound) < bound <= step - row.right
