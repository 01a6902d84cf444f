"""Lower bounds and their certificates: never above an optimum, whatever is done to them; what `kt bound` says."""

from __future__ import annotations

import copy
import itertools
import json
from functools import lru_cache
from typing import Any

import numpy as np
import pytest

from encoders import solve
from encoders.bounds import NotShown, certified, certify_lower_bound
from encoders.lp import branching, relaxation
from heuristics.local_search import improve
from heuristics.searches.merge import merge
from kt_models import (
    Certificate,
    CertificateError,
    KTError,
    MoveGraph,
    Problem,
    Result,
    Symmetry,
    check,
    graph_of,
)
from kt_models.files.check import check_directory, check_file
from kt_models.kernel.certificates import tree
from kt_models.kernel.certificates.nodes import Instance
from kt_models.limits import Limits
from tests import brute
from tests.command import kt
from tests.effort import slow_rows
from tests.processes import PATIENCE, StopAfter

SMALL = [("5x6", True), ("3x10", True), ("6x6", True), ("4x5", False), ("5x5", False)]


def problem_of(board: str, closed: bool = True, **more: Any) -> Problem:
    return Problem(graph_of(board), "cycle" if closed else "path", "turns", **more)


@lru_cache
def optimum(board: str, closed: bool) -> int:
    """The fewest turns, by looking at every tour."""
    return min(brute.values(board, closed, "turns"))


@lru_cache
def certificate_of(board: str, closed: bool) -> Certificate:
    return certify_lower_bound(problem_of(board, closed), method="relaxation")


# -- the relaxation ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("board", "closed"),
    [pytest.param(*case, marks=pytest.mark.slow if case == ("6x6", True) else ()) for case in SMALL],
)
def test_relaxation_never_exceeds_the_optimum(board: str, closed: bool) -> None:
    best = optimum(board, closed)
    proved = certificate_of(board, closed).bound
    assert proved is not None and proved <= best
    assert best - proved <= 3  # And it is a good one


@pytest.mark.parametrize(("board", "bound"), [("5x6", 28), ("3x10", 26), ("6x6", 32), ("6x7", 35), ("8x8", 44)])
def test_relaxation_is_as_good_as_measured(board: str, bound: int) -> None:
    assert certify_lower_bound(problem_of(board), known=False).bound == bound


def test_bound_of_a_large_board_is_eight_per_unit_of_side() -> None:
    certificate = certify_lower_bound(problem_of("30x30"), method="relaxation")
    assert certificate.bound is not None and certificate.bound >= 8 * 30 - 25
    assert len(json.dumps(certificate.to_json())) < 20_000


KINDS = ("aztec:4", "8x8-d4,e4", "7x7-d4", "3x3x4", "4x4x3", "torus:5x6", "cylinder:4x8", "9x4")


@pytest.mark.parametrize(
    ("board", "closed"),
    [
        *zip(KINDS, [True, False] * 4, strict=True),
        *slow_rows(zip(KINDS, [False, True] * 4, strict=True)),
    ],
)
def test_every_kind_of_board(board: str, closed: bool) -> None:
    problem = problem_of(board, closed)
    certificate = certify_lower_bound(problem)
    assert check(certificate)
    tour = merge(problem).tour
    assert certificate.bound is None or tour is not None
    if tour is not None and certificate.bound is not None:
        near = improve(tour, problem, max_steps=200_000).measure("turns")
        assert certificate.bound <= near <= 1.5 * certificate.bound + 9


@pytest.mark.parametrize("leaper", ["1,4", "2,3", "1,3"])
def test_bounds_of_other_leapers_are_certified(leaper: str) -> None:
    from kt_models import Board, Leaper

    graph = MoveGraph.of(Board.box(10, 10), Leaper.parse(leaper))
    if leaper == "1,3":  # One colour only: no tour, and that is what is certified
        assert certify_lower_bound(Problem(graph, objective="turns")).statement.kind == "infeasible"
        return
    bound = certify_lower_bound(Problem(graph, objective="turns")).bound
    assert bound is not None and bound > 0


def test_symmetry_makes_the_value_even() -> None:
    plain, turned = problem_of("6x10"), problem_of("6x10", symmetry=(Symmetry.parse("rot180"),))
    bounds = certify_lower_bound(plain).bound, certify_lower_bound(turned, method="relaxation").bound
    assert bounds[0] is not None and bounds[1] is not None and bounds[1] % 2 == 0 and bounds[1] >= bounds[0]


def test_local_costs_are_those_of_brute_force() -> None:
    problem = problem_of("5x6", required=frozenset([3]), forbidden=frozenset([7]))
    graph = problem.graph
    rng = np.random.default_rng(1)
    numbers = rng.integers(-20, 20, graph.m)
    data = {"denominator": 10, "multipliers": list(enumerate(numbers.tolist()))}
    evaluator = tree.read_evaluator(Instance(problem), json.loads(json.dumps(data)))
    (least,) = evaluator.minima(evaluator.base)
    potential = np.stack([numbers, -numbers], axis=1).reshape(-1)
    turning = {(int(a), int(b)) for a, b in zip(problem.weights.first, problem.weights.second, strict=True)}  # type: ignore[union-attr]
    for v in range(graph.n):
        darts = [2 * e + i for e in range(graph.m) for i in (0, 1) if graph.ends[e, i] == v and e != 7]
        costs = [
            int(potential[a] + potential[b]) + 10 * ((a // 2, b // 2) in turning)
            for a, b in itertools.combinations(darts, 2)
            if v not in graph.ends[3] or 3 in (a // 2, b // 2)
        ]
        assert least[v] == min(costs)


# -- certificates that were tampered with ---------------------------------------------------------------------------


def test_a_row_helps_only_where_it_is_valid() -> None:
    """A cut-set of a `cycle` problem is none of an `any` problem."""
    problem = problem_of("6x7")
    data = relaxation.make(problem)
    assert data is not None and data.get("cuts")
    assert tree.bound(problem, data) == 35
    with pytest.raises(CertificateError, match="that requires no edge"):
        tree.bound(Problem(problem.graph, "any", "turns"), data)


# -- the front door ------------------------------------------------------------------------------------------------


def test_certify_at_least() -> None:
    certificate = certify_lower_bound(problem_of("6x6"), at_least=30)
    assert certificate.bound == 30 and check(certificate)
    with pytest.raises(KTError):
        certify_lower_bound(problem_of("6x6"), at_least=33)
    with pytest.raises(NotShown) as caught:
        certify_lower_bound(problem_of("6x6"), at_least=33, method="relaxation")
    assert caught.value.best is not None and caught.value.best.bound == 32
    with pytest.raises(NotShown, match="no bound on turns was shown"):
        certify_lower_bound(problem_of("6x6"), limits=Limits(0))


def test_one_cell_has_a_bound() -> None:
    assert certify_lower_bound(Problem(graph_of("1x1"), "path", objective="turns")).bound == 0


@pytest.mark.parametrize("method", ["straight", "quotient"])
def test_a_method_says_once_what_it_is_about(method: str) -> None:
    with pytest.raises(KTError, match=f"{method}: (it|this method) needs") as caught:
        certify_lower_bound(problem_of("6x6"), at_least=3, method=method)
    assert str(caught.value).count(method) == 1


def test_certified_result_meets_in_one_file(tmp_path: Any) -> None:
    result = certified(solve(problem_of("8x8")))
    assert result.status == "optimal" and result.certificate is not None and "certificate" in result.how
    (tmp_path / "r.json").write_text(json.dumps(result.to_json()))
    assert "45 turns are the fewest" in check_file(tmp_path / "r.json").text
    with pytest.raises(KTError):
        Result(problem_of("8x8"), "feasible", result.tour, bound=44, certificate=result.certificate)


def test_the_command_writes_a_certificate_that_checks(tmp_path: Any) -> None:
    path = str(tmp_path / "c.json")
    answer = kt("bound", "6x6", "--certificate", path)
    assert answer.exit_code == 0 and "at least 32" in answer.output
    checked = kt("check", path)
    assert checked.exit_code == 0 and "at least 32 turns in every closed knight's tour of 6x6" in checked.output
    data = json.loads(kt("bound", "8x8", "--open", "--json").output)
    assert data["bound"] > 30 and data["method"] == "tree" and data["closed"] is False
    infeasible = kt("bound", "7x7", "--json")
    assert infeasible.exit_code == 0 and json.loads(infeasible.output)["status"] == "infeasible"
    late = kt("bound", "20x20", "--at-least", "139", "--method", "relaxation")
    assert late.exit_code == 3 and "at least 136" in late.output
    for wrong in (["--method", "no"], ["--minimize", "no"], ["--certificate", "c.txt"], ["--time-limit", "-1"]):
        assert kt("bound", "6x6", *wrong).exit_code == 2
    assert kt("bound", "6x6", "--method", "branching").exit_code == 2  # Which bound?


def test_proof_folder_has_tour_and_certificate(tmp_path: Any) -> None:
    folder = tmp_path / "p"
    assert kt("solve", "6x6", "--minimize", "turns", "--proof", str(folder)).exit_code == 0
    message = check_directory(folder).text
    assert "32 turns are the fewest" in message and "certificate checked" in message and "LRAT" in message
    data = json.loads((folder / "result.json").read_text())
    altered = copy.deepcopy(data)
    altered["tour"][0], altered["tour"][1] = altered["tour"][1], altered["tour"][0]
    (folder / "result.json").write_text(json.dumps(altered))
    assert kt("check", str(folder)).exit_code == 1


@pytest.mark.parametrize("order", ["ortools.sat.python.cp_model highspy", "highspy ortools.sat.python.cp_model"])
def test_both_solvers_load_in_one_process(order: str) -> None:
    """OR-Tools has a HiGHS of its own inside; highspy 1.15 cannot be loaded beside it, in either order."""
    import subprocess
    import sys

    subprocess.run([sys.executable, "-c", f"import {order.replace(' ', ', ')}"], check=True)


def test_a_given_end_is_not_a_free_one() -> None:
    problem = Problem(graph_of("5x6"), "path", "turns", (0,))
    end = problem.graph.m
    bounds = {tree.bound(problem, {"multipliers": [[end, price]]}) for price in range(-3, 9)}
    assert max(bounds) <= 24  # The optimum, by looking at every tour from there
    certificate = certify_lower_bound(problem, method="relaxation")
    assert certificate.bound is not None and 20 <= certificate.bound <= 24
    assert solve(problem).value == 24


def test_a_long_proof_is_resumed(tmp_path: Any) -> None:
    state = tmp_path / "s.json"
    assert (
        branching.make(problem_of("8x8"), 45, limits=Limits(stop=StopAfter(30)), state=state) is None and state.exists()
    )
    again = kt("bound", "8x8", "--at-least", "45", "--method", "branching", "--state", str(state))
    assert again.exit_code == 0 and "at least 45" in again.output


def test_the_example_of_the_documentation_runs(tmp_path: Any) -> None:
    import os
    import re
    import subprocess
    import sys
    from pathlib import Path

    root = Path(__file__).parents[2]
    (example,) = re.findall(r"```python\n(.*?)```", (root / "docs/theory/bounds.md").read_text(), flags=re.DOTALL)
    environment = {**os.environ, "PYTHONPATH": str(root)}
    subprocess.run([sys.executable, "-c", example], check=True, cwd=tmp_path, timeout=PATIENCE, env=environment)
    assert check_file(tmp_path / "8x8.json").shown
