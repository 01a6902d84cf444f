"""All tours of a problem by edge deletion, for tests of its rules and for figures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from heuristics.papers.large_boards.edge_deletion import search
from heuristics.papers.large_boards.edge_deletion.walk import EXHAUSTED, FOUND
from heuristics.simple_graph import simple_graph_or_result
from kt_models.problem import Problem, solution_edges
from kt_models.result import Result
from kt_models.tour import Tour


def every_tour(
    problem: Problem,
    *,
    seed: int = 0,
    order: str = "mixed",
    without: str = "",
    island_limit: int = 300,
    toughness: int = 1,
) -> Iterator[Tour]:
    """Yield every tour of a problem once; of moves that join the same two cells only one is used.

    The parameters are those of the method `edge-deletion`.

    Raises
    ------
    KTError
        As there.
    """
    problem = replace(problem, symmetry=())
    rules, visit = search._rules(without, toughness), search._visit_orders(problem, order, seed)
    instance = simple_graph_or_result(problem)
    if isinstance(instance, Result):
        if instance.tour is not None:
            yield instance.tour
        return
    walk = search._walk(instance, visit(instance, 0), search._first(problem, ""), rules, island_limit)
    while (status := walk.run(search.SLICE_STEPS)) != EXHAUSTED:
        if status == FOUND:
            tour = instance.lift(walk.path)
            solution_edges(problem, tour)  # Verify each tour before it is yielded.
            yield tour
