"""Sets of vertices whose removal leaves too many pieces, by a search or a linear program; or its dual as a reason."""

from __future__ import annotations

from functools import partial

from encoders.stages import Solving, Stage
from encoders.work.run import in_time
from kt_models.kernel.certificates import Checked

MAX_VERTICES, MAX_EDGES = 10_000, 40_000
"""Size of the largest graph for which the linear program is solved; that happens up to some hundred times."""
TIME_SHARE = 0.75
"""Share of the remaining time: if a linear program has to find a cut in 5,000 vertices, that takes up to ten seconds or
more, and engines show nothing there."""


def work(solving: Solving) -> None:
    """Look for such a set, or a dual solution, and check it."""
    certificate = in_time(solving.run, partial(_certificate, solving))
    if certificate is not None:
        solving.standing.refute("cut" if certificate.method == "cut" else "relaxation", certificate)


def _certificate(solving: Solving) -> Checked | None:
    from encoders.lp.farkas import of_dual
    from encoders.lp.toughness import Dual, too_many_pieces
    from heuristics.obstruction import cut_certificate, plain_graph

    problem, limits = solving.problem, solving.run.limits.part(TIME_SHARE)
    size, ends = plain_graph(problem)
    found = too_many_pieces(size, ends, limits)
    if isinstance(found, Dual):
        return of_dual(problem, found, limits)
    return None if found is None else cut_certificate(problem, size, found.tolist(), limits)


def _applies(solving: Solving) -> bool:
    problem, graph = solving.problem, solving.problem.graph
    small = graph.board is None and 3 <= graph.n <= MAX_VERTICES and graph.m <= MAX_EDGES
    return small and problem.objective is None and problem.connectivity in ("cycle", "path") and solving.request.plain


FIRST = Stage(
    "cut",
    "places whose removal leaves too many pieces",
    frozenset({"refutation", "certificate"}),
    work,
    lambda solving: solving.request.reduced_first and _applies(solving),
)
LATER = Stage(
    "late cut",
    "places whose removal leaves too many pieces, where searches found nothing",
    frozenset({"refutation", "certificate"}),
    work,
    lambda solving: not solving.request.reduced_first and _applies(solving),
)
