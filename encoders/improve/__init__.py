"""`improve`: a better tour from a given one by large-neighbourhood search.

Again and again a window of the tour is freed and solved (`window`), while the rest stays. Every worker is a process
with one window at a time; concurrent windows keep clear of each other if there is room. An answer replaces its window
if the whole is still one tour and no worse; the answers of two concurrent windows may not fit together. A tour of equal
value is taken too, because most ways to a better tour lead along such steps.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from encoders.work.run import Engine, Run, in_time, race
from kt_models.board import IntArray
from kt_models.errors import KTError
from kt_models.limits import NO_LIMITS, Limits, Listener, Report, silent
from kt_models.problem import Problem, require_plain
from kt_models.result import Result
from kt_models.tour import Tour
from kt_models.weights import Weights

ENGINE = "improve"
USUAL_SECONDS = 60.0
"""Time of an improvement without any limit."""
ANNEALING_SHARE, LONGER_FACTOR = 0.4, 4
"""Share of the time for exchanges at first, and the factor by which they may take longer than a solver's start."""
BOUND_SHARE = 0.5
"""Share of the time for a bound, beside the search."""


def improve(
    tour: Tour,
    objective: str | Weights | Problem,
    *,
    time_limit: float | None = None,
    limits: Limits = NO_LIMITS,
    anneal: bool = True,
    bound: bool = True,
    accepts: Callable[[IntArray], bool] | None = None,
    on_progress: Listener = silent,
    on_improvement: Callable[[Result], object] | None = None,
) -> Result:
    """Improve a tour; the answer is never worse.

    Parameters
    ----------
    tour
        A valid tour, closed or open.
    objective
        `turns`, `crossings` or weights on pairs of edges, to be minimised; or a problem that the tour solves, with
        further conditions to keep: moves, ends, a symmetry.
    time_limit, limits
        When to end; by default after `USUAL_SECONDS`. Workers are processes. On one worker the same seed gives the same
        answer, unless another limit comes first.
    anneal
        Whether to try the exchanges of `heuristics.local_search` briefly first; a tour made by a pattern does not
        gain by them.
    bound
        Whether to look for a lower bound beside the search.
    accepts
        A further condition on the edges of a tour; with one there are no exchanges, which do not know it.
    on_progress
        Called with every better value or bound.
    on_improvement
        Called with a verified result for every better tour.

    Returns
    -------
    Result
        A verified result: `optimal` if the value meets a certified bound, otherwise `feasible`.

    Raises
    ------
    InvalidTour
        If the given tour is invalid, or violates the conditions.
    KTError
        If the arguments are inconsistent.
    """
    from encoders.bound_engine import BoundEngine

    problem = objective
    if not isinstance(problem, Problem):
        problem = Problem(tour.graph, "cycle" if tour.closed else "path", problem)
    require_plain(problem, "improving a tour")
    if problem.objective is None:
        raise KTError("name an objective to improve the tour by: turns, crossings or weights")
    if time_limit is None and limits.seconds is None:
        time_limit = USUAL_SECONDS
    run = Run.of(problem, limits.with_time_limit(time_limit), on_progress)
    first = Result(problem, "feasible", tour, engine=ENGINE)
    if in_time(run, lambda: problem.weights) is None:  # For a million cells this takes seconds.
        return replace(first, seconds=run.elapsed)
    run.standing.accept(first)
    engines: list[Engine] = [Improving(first, anneal, on_improvement, accepts)]
    race(run, [*engines, BoundEngine(problem, BOUND_SHARE)] if bound else engines)
    return run.standing.result(ENGINE, run.elapsed).with_notes(statistics=+run.counts)


class Improving:
    """Exchanges for a while, then windows until the run is over.

    Parameters
    ----------
    first
        The tour to start from.
    anneal, on_improvement, accepts
        As of `improve`.
    """

    name = ENGINE

    def __init__(
        self,
        first: Result,
        anneal: bool,
        on_improvement: Callable[[Result], object] | None,
        accepts: Callable[[IntArray], bool] | None = None,
    ) -> None:
        self._first, self._anneal, self._on_improvement = first, anneal and accepts is None, on_improvement
        self._accepts = accepts or (lambda edges: True)

    def interrupt(self) -> None:
        """Do nothing: the work looks at the run."""

    def work(self, run: Run) -> Report:
        """Report each better tour to the run."""
        from encoders.improve.search import WindowSearch, tell

        best, problem = self._first, self._first.problem
        if self._anneal and problem.graph.n >= 5 and not problem.symmetry:
            best = in_time(run, lambda: _annealed(self._first, run)) or best
            tell(best, self._first, run, self._on_improvement)
        if problem.graph.n >= 5 and not run.over and not run.decided:
            search = in_time(run, lambda: WindowSearch(best, run, self._on_improvement, self._accepts))
            if search is not None:
                search.search()
        return Report(self.name)


def _annealed(first: Result, run: Run) -> Result:
    """The tour after a few exchanges, which need no solver."""
    from heuristics.find import quick_seconds
    from heuristics.local_search import improve as exchange
    from heuristics.local_search import phases_for

    problem, tour = first.problem, first.tour
    assert tour is not None and problem.objective is not None
    limits = run.limits.part(ANNEALING_SHARE).within(LONGER_FACTOR * quick_seconds(problem.graph.n))
    better = exchange(tour, problem, phases=phases_for(problem, limits), limits=limits)
    return first if better is tour else Result(problem, "feasible", better, engine=ENGINE)
