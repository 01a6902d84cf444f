"""Enumeration by depth-first search with edge deletion: for many tours, without a symmetry or value to prune by."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from encoders.work.spending import Spending
from kt_models.errors import InvalidTour
from kt_models.limits import Limits
from kt_models.problem import solution_edges
from kt_models.result import Result
from kt_models.runs.tour_task import TourTask
from kt_models.tour import Tour

MAX_ISLAND_CELLS = 300
"""Most cells of an island that is looked at; the search for articulation points is linear in them, at every node."""
LOOKS_PER_SLICE = 1_000_000
"""Edges whose scan in Python takes as long as a slice of the compiled search."""


def by_search(task: TourTask, limits: Limits, spending: Spending | None = None) -> Iterator[Tour]:
    """Yield the tours of a task once each, verified; symmetry, constraints and a value are filtered afterwards.

    Raises
    ------
    Stopped
        If the limits are reached; `Spent` if the work is.
    """
    from heuristics.papers.large_boards.edge_deletion.names import RULES
    from heuristics.papers.large_boards.edge_deletion.orders import good_ranking, uniform_order
    from heuristics.papers.large_boards.edge_deletion.search import SLICE_STEPS
    from heuristics.papers.large_boards.edge_deletion.walk import EXHAUSTED, FOUND, DeletionSearch
    from heuristics.simple_graph import simple_graph_or_result

    problem = replace(task.problem, symmetry=(), constraints=(), conditions=())
    instance = simple_graph_or_result(problem)
    if isinstance(instance, Result):
        tours = [] if instance.tour is None else [instance.tour]
        yield from (tour for tour in tours if _wanted(task, tour))
        return
    visit = uniform_order(instance.graph, problem.graph, good_ranking(problem.graph))
    start = 0 if problem.closed else problem.graph.n  # An open tour begins at the extra vertex that joins its ends.
    walk = DeletionSearch(instance.graph, visit, start, instance.colour, frozenset(RULES), MAX_ISLAND_CELLS)
    steps = max(50, SLICE_STEPS // walk.n)
    spending = spending or Spending()
    while (status := walk.run(steps)) != EXHAUSTED:
        if status == FOUND:
            tour = instance.lift(walk.path)
            solution_edges(problem, tour)  # Verify each tour before it is yielded.
            if _wanted(task, tour):
                yield tour
        else:
            spending.looks -= LOOKS_PER_SLICE
            spending.require_more()
        limits.check()


def _wanted(task: TourTask, tour: Tour) -> bool:
    if task.problem.conditions:
        try:
            solution_edges(replace(task.problem, symmetry=(), constraints=()), tour)
        except InvalidTour:
            return False
    chosen = set(tour.edges.tolist())
    graph = task.problem.graph
    if any(set(graph.edge_permutation(s)[tour.edges].tolist()) != chosen for s in task.problem.symmetry):
        return False
    return task.has_sums(tour.edges)
