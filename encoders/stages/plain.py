"""Cheap searches in this process: a plain SAT search, and tours merged from random 2-factors."""

from __future__ import annotations

from encoders.part_searches import PlainAnswer, answered, is_plain, merged, search_of
from encoders.stages import Brings, Solving, Stage
from encoders.work.run import in_time


def _tell(solving: Solving, answer: PlainAnswer | None) -> None:
    if answer is not None and answer.edges is None:
        solving.standing.refute(answer.engine)
    elif answer is not None and answer.edges is not None:
        solving.standing.accept_solution(answer.engine, answer.edges)


def work(solving: Solving) -> None:
    """Search with the first budget of `PlainSearch`."""

    def begin() -> None:
        solving.plain_search = search_of(solving.problem, solving.run)
        _tell(solving, answered(solving.plain_search, 0))

    in_time(solving.run, begin)


def go_on(solving: Solving) -> None:
    """Search with the second budget of `PlainSearch`."""
    in_time(solving.run, lambda: _tell(solving, answered(solving.plain_search, 1)))


def go_on_longer(solving: Solving) -> None:
    """Search with the third budget of `PlainSearch`, and merge tours."""
    run = solving.run
    in_time(run, lambda: _tell(solving, answered(solving.plain_search, 2) or merged(solving.problem, run)))


def _applies(solving: Solving) -> bool:
    request = solving.request
    able = request.plain and request.searched and not (request.cheap_only or request.proving)
    return able and request.problem.graph.board is None and is_plain(request.problem)


def _serves_whole(solving: Solving) -> bool:
    return _applies(solving) and solving.reduction is None


BRINGS: frozenset[Brings] = frozenset({"tour", "refutation"})
FIRST = Stage("plain", "a short SAT search in this process", BRINGS, work, _applies)
SECOND = Stage("more plain", "the same with a larger budget", BRINGS, go_on, _serves_whole)
THIRD = Stage("late plain", "the same with more again, and merged tours", BRINGS, go_on_longer, _serves_whole)
