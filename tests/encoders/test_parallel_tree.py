"""The tree of branch and bound that several processes grow: the same claim, met solutions, limits."""

from __future__ import annotations

from typing import Any

import pytest

from cli.status import UNANSWERED
from encoders import solve
from encoders.bounds import NotShown, certify_lower_bound
from encoders.lp.branching import CaseTree, TooHigh
from encoders.lp.parallel import Crew, Part, grow
from encoders.work.child import alive
from kt_models import Problem, graph_of
from kt_models.kernel.certificates import Checked
from kt_models.kernel.certificates.tree import bound
from kt_models.limits import NO_LIMITS, Limits
from tests.command import kt
from tests.processes import StopAfter


def turns(board: str) -> Problem:
    return Problem(graph_of(board), objective="turns")


@pytest.mark.parametrize("begun", [pytest.param(0, marks=pytest.mark.slow), 5])
def test_the_parts_are_one_tree(begun: int) -> None:
    problem = turns("8x8")
    tree = CaseTree(problem, 45)
    tree.grow(nodes=begun)
    with Crew(problem, 2) as crew:
        crew.ready.wait()
        assert grow(tree, NO_LIMITS, crew)
    assert bound(problem, tree.data()) == 45


@pytest.mark.slow
def test_a_crew_grows_one_tree_after_the_other() -> None:
    """The first ends by a solution that a process meets, the second by a limit, after which it is as it was."""
    problem = turns("8x8")
    tree = CaseTree(problem, 45)
    with Crew(problem, 2) as crew:
        crew.ready.wait()
        with pytest.raises(TooHigh) as higher:
            grow(CaseTree(problem, 50), NO_LIMITS, crew)
        assert problem.value(higher.value.edges) == higher.value.value < 50
        tree.grow(nodes=3)
        assert not grow(tree, Limits(stop=StopAfter(3)), crew) and len(tree.nodes) == 3
        assert grow(tree, NO_LIMITS, crew)
    assert bound(problem, tree.data()) == 45


def test_the_parent_works_while_the_crew_gets_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Crew, "_hear", lambda *_: None)
    tree = CaseTree(turns("6x6"), 32)
    with Crew(turns("6x6"), 2) as crew:
        assert grow(tree, NO_LIMITS, crew) and bound(turns("6x6"), tree.data()) == 32


def test_what_was_given_away_last_comes_first() -> None:
    state = CaseTree(turns("6x6"), 32).walk.pending[0][0]
    last = Part(2, state, [[4]], [Part(3, state, [[5]])])
    assert Part(0, state, [[1], [2]], [Part(1, state, [[6]]), last]).all_nodes() == [[1], [2], [4], [5], [6]]


@pytest.mark.slow
def test_solve_proves_by_several_processes() -> None:
    result = solve(turns("10x10"), limits=Limits(workers=2))
    assert (result.status, result.value) == ("optimal", 62)
    assert isinstance(result.certificate, Checked)
    assert not alive


def test_a_bound_is_shown_by_every_core(monkeypatch: pytest.MonkeyPatch) -> None:
    from encoders.lp import engine, parallel

    crews: list[int] = []
    grown = parallel.grow

    def watched(tree: CaseTree, limits: Limits, crew: Crew, *more: Any) -> bool:
        crews.append(len(crew.children))
        return grown(tree, limits, crew, *more)

    monkeypatch.setattr(parallel, "grow", watched)
    monkeypatch.setattr(engine, "WORK_ALONE", 0)
    for workers, asked in ((2, [2]), (1, [2])):
        limits = Limits(workers=workers)
        certificate = certify_lower_bound(turns("8x8"), 45, method="branching", limits=limits)
        assert certificate.bound == 45 and crews == asked
    with pytest.raises(NotShown):
        certify_lower_bound(turns("12x12"), 78, method="branching", limits=Limits(stop=StopAfter(20), workers=2))


def test_the_command_says_how_many(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int | None] = []

    def hear(*words: Any, limits: Limits, **more: Any) -> Any:
        asked.append(limits.workers)
        raise NotShown("not shown", None)

    monkeypatch.setattr("encoders.bounds.certify_lower_bound", hear)
    for words in ((), ("--workers", 2)):
        assert kt("bound", "6x6", "--at-least", 32, *words).exit_code == UNANSWERED
    assert asked == [None, 2]
