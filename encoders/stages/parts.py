"""Parts behind few edges that no cycle can pass, and graphs that are narrow along a tree."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from encoders.stages import Solving, Stage
from encoders.work.run import in_time
from kt_models.kernel.certificates import Checked

MAX_EDGES = 20_000
"""Edges of the largest graph that is taken apart, in some seconds."""
MAX_QUICK_EDGES = 2_000
"""Most edges of a cubic graph for the quick attempt if it may have a cycle. With 1,500 edges, in vain, it takes half a
second of processor time, and the search that follows takes several."""
TIME_SHARE = 0.3
"""Share of the time that is left, if engines follow."""


def work(solving: Solving) -> None:
    """Look for such parts."""
    from encoders.presolve.refute import refutation

    # Where the answer is known, no other work has to follow.
    limits = solving.run.limits if solving.standing.refuted_by else solving.run.limits.part(TIME_SHARE)
    _refute(solving, partial(refutation, solving.problem, limits))


def work_quickly(solving: Solving) -> None:
    """Look for parts behind two to four edges."""
    from encoders.presolve.refute import quick_refutation

    _refute(solving, partial(quick_refutation, solving.problem, solving.run.limits))


def _refute(solving: Solving, search: Callable[[], Checked | None]) -> None:
    certificate = in_time(solving.run, search)
    if certificate is not None:
        solving.standing.refute("presolve", certificate)


def _applies(solving: Solving) -> bool:
    graph = solving.problem.graph
    return solving.request.reducible and graph.board is None and graph.m <= MAX_EDGES


def _is_cubic(solving: Solving) -> bool:
    """Whether no vertex has more than three neighbours, and the parts are found quickly.

    Unless two edges separate such a graph, k vertices leave at most k pieces: each piece has three of their edges.
    """
    most = MAX_EDGES if solving.standing.refuted_by else MAX_QUICK_EDGES
    return _applies(solving) and solving.problem.graph.m <= most and int(solving.problem.graph.degrees.max()) <= 3


QUICK = Stage(
    "small parts",
    "parts behind two to four edges of a cubic graph",
    frozenset({"refutation", "certificate"}),
    work_quickly,
    _is_cubic,
)
CERTIFYING = Stage(
    "certifying parts",
    "parts behind few edges, where it is known that there is no tour",
    frozenset({"certificate"}),
    work,
    lambda solving: solving.request.reducible,
)
REFUTING = Stage(
    "parts",
    "parts behind few edges that no cycle can pass",
    frozenset({"refutation"}),
    work,
    _applies,
)
