"""Uniformly random tours: every tour of the board has exactly the same probability.

Both halves of the board are swept as for counting (`encoders.counting.count`), and all layers of states are kept. They
number the tours: a pair of fitting states stands for the product of their numbers of partial tours, and the partial
tours of a state are numbered in the order of the states before it. A random number below the number of tours is drawn,
and traced from the middle to both ends. That takes the memory of all layers.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from heuristics.method import Method
from kt_models.errors import KTError
from kt_models.limits import NO_LIMITS, Limits, silent
from kt_models.problem import Problem
from kt_models.result import Result

if TYPE_CHECKING:
    from encoders.counting.walk import TourNumbers


def uniform(problem: Problem, *, limits: Limits = NO_LIMITS) -> Result:
    """A tour drawn uniformly from all tours of a problem."""
    numbers = tour_numbers(problem, limits)
    if not numbers.total:
        return Result(problem, "infeasible")
    edges = numbers.tour(random.Random(limits.seed).randrange(numbers.total))
    return Result(problem, "feasible", edges=edges, statistics={"tours": numbers.total})


def tour_numbers(problem: Problem, limits: Limits = NO_LIMITS) -> TourNumbers:
    """The numbering of the tours of a problem.

    Raises
    ------
    KTError
        If the graph is too small or too wide.
    TooLarge, Stopped
        As for counting.
    """
    from encoders.counting.count import FEWEST, form_of_halves, sweep_halves
    from encoders.counting.halves import halves, middle
    from encoders.counting.meet import Meeting
    from encoders.counting.walk import TourNumbers
    from kt_models.kernel.sweeps.net import good_order, net_of
    from kt_models.kernel.sweeps.run import SweepEngine
    from kt_models.kernel.sweeps.values import COUNT

    graph = problem.graph
    net, order = net_of(problem), good_order(graph)
    cut, _ = middle(net, order)
    parts = halves(net, order, cut) if graph.n >= FEWEST else None
    if parts is None:
        raise KTError(f"{graph.name}: too small or too wide to have its tours numbered")
    engine = SweepEngine(form_of_halves(parts), COUNT, limits, silent)
    swept = sweep_halves(parts, engine, keep=True)
    return TourNumbers(Meeting(engine, parts), swept, graph.m)


METHOD = Method(uniform, "A uniformly random tour, exactly: sweeps both halves of the board and keeps every layer.")
