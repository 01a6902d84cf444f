"""The tree of branch and bound while it grows: interrupted, gone on with, raced, and what it shows then."""

from __future__ import annotations

import importlib
import sys
from dataclasses import replace

import pytest

from encoders import solve
from encoders.local_search_engine import Alternation, LocalSearchEngine
from encoders.lp.branching import CaseTree, TooHigh
from encoders.lp.engine import BranchAndBound
from encoders.work.run import Run
from heuristics.find import find
from kt_models import Problem, graph_of
from kt_models.kernel.certificates import Checked
from kt_models.kernel.certificates.tree import bound
from kt_models.limits import NO_LIMITS, Limits
from tests.processes import StopAfter


def turns(board: str) -> Problem:
    return Problem(graph_of(board), objective="turns")


@pytest.mark.slow
def test_a_tree_that_is_interrupted_goes_on_as_if_it_were_not() -> None:
    """The solver keeps what it was told last: once interrupted, it would give up every program after that."""
    whole, parts = CaseTree(turns("8x8"), 45), CaseTree(turns("8x8"), 45)
    assert whole.grow()
    for looks in (40, 100, 300, 1000):
        parts.grow(Limits(stop=StopAfter(looks)))
    assert parts.grow() and bound(turns("8x8"), parts.data()) == 45
    assert len(parts.nodes) <= 2 * len(whole.nodes)


def test_tree_grows_by_the_nodes_that_are_allowed() -> None:
    tree = CaseTree(turns("8x8"), 45)
    assert not tree.grow(nodes=3) and len(tree.nodes) == 3
    assert not tree.grow(nodes=0) and tree.grow() and len(tree.nodes) > 3


def test_the_tree_that_was_begun_is_the_certificate() -> None:
    engine, run = BranchAndBound(turns("8x8")), Run()
    assert engine.begin(run) is None  # There is no tour yet to aim at
    with pytest.raises(TooHigh) as higher:
        engine.prove(60, NO_LIMITS)
    run.report("hint", edges=higher.value.edges, value=higher.value.value)
    certificate = engine.begin(run)
    while certificate is None:
        try:
            certificate = engine.prove(run.value or 0, NO_LIMITS)
        except TooHigh as better:
            run.report("branching", edges=better.edges, value=better.value)
    assert isinstance(certificate, Checked) and certificate.bound == run.value == 45


@pytest.mark.parametrize(("board", "value"), [("6x6", 32), pytest.param("6x8", 39, marks=pytest.mark.slow)])
def test_small_boards_are_settled_before_other_engines_start(board: str, value: int, monkeypatch) -> None:
    monkeypatch.setattr(importlib.import_module("encoders.stages.engines"), "start", None)
    for workers in (1, 2):
        result = solve(turns(board), limits=Limits(workers=workers))
        assert (result.status, result.value) == ("optimal", value)
        assert isinstance(result.certificate, Checked)


def test_proof_and_annealing_take_turns_on_one_thread(monkeypatch) -> None:
    monkeypatch.setattr(sys.modules["encoders.local_search_engine"], "NODES_PER_TURN", 4)
    monkeypatch.setattr(sys.modules["encoders.local_search_engine"], "STEPS_PER_CELL", 500)
    values = []
    for _ in range(2):  # The same seed gives the same answer
        problem, run = turns("6x8"), Run(Limits(workers=1))
        first = find(replace(problem, objective=None), "merge").edges
        run.report("hint", edges=first, value=problem.value(first))  # type: ignore[arg-type]
        engine = Alternation(BranchAndBound(problem), LocalSearchEngine(problem))
        engine.work(run)
        assert run.decided and run.value == 39
        values.append(run.edges.tolist())  # type: ignore[union-attr]
    assert values[0] == values[1]


def test_no_engine_for_crossings_or_large_boards() -> None:
    assert BranchAndBound.of(turns("6x6")) is not None
    assert BranchAndBound.of(Problem(graph_of("6x6"), objective="crossings")) is None
    assert BranchAndBound.of(Problem(graph_of("6x6"))) is None
    assert BranchAndBound.of(turns("30x30")) is None
