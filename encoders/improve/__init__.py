"""`improve`: a better tour from a given one by large-neighbourhood search.

Again and again a window of the tour is freed and solved (`window`), the rest stays.  Every worker is a process with
one window at a time; windows under way keep clear of each other where there is room.  What comes back replaces the
window if the whole is still one tour and no worse: two windows that were searched at the same time may not go
together.  A tour as good as the one before is taken too, as most ways to a better tour lead along such steps.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from encoders.work.run import Engine, Run, in_time, race
from kt_models.errors import KTError
from kt_models.limits import NO_LIMITS, Limits, Listener, Report, silent
from kt_models.problem import Problem, require_plain
from kt_models.result import Result
from kt_models.tour import Tour
from kt_models.weights import Weights

ENGINE = "improve"
USUAL_SECONDS = 60.0
"""How long it takes where nothing limits it."""
ANNEALING_SHARE, LONGER_FACTOR = 0.4, 4
"""Of the time, the most that exchanges may take at first, and times what they are given before a solver begins."""
BOUND_SHARE = 0.5
"""Of the time, the most that a bound may take, beside the search."""


def improve(
    tour: Tour,
    objective: str | Weights | Problem,
    *,
    time_limit: float | None = None,
    limits: Limits = NO_LIMITS,
    anneal: bool = True,
    bound: bool = True,
    on_progress: Listener = silent,
    on_improvement: Callable[[Result], object] | None = None,
) -> Result:
    """A tour that is no worse than the given one.

    Parameters
    ----------
    tour
        A valid tour, closed or open.
    objective
        `turns`, `crossings` or any weights on pairs of edges, of which less is better; or a problem that the tour
        solves, where there is more that has to stay: moves, ends, a symmetry.
    time_limit, limits
        When to end; by default after `USUAL_SECONDS`.  Workers are processes.  On one worker the same seed gives the
        same answer (if no other limit cuts in).
    anneal
        Whether the exchanges of `heuristics.local_search` are tried for a moment first; a tour made by a pattern does
        not gain by it.
    bound
        Whether a lower bound is looked for beside the search.
    on_progress
        Called with every better value or bound.
    on_improvement
        Called with a verified result for every better tour.

    Returns
    -------
    Result
        Verified.  `optimal` if the value meets a certified bound, otherwise `feasible`.

    Raises
    ------
    InvalidTour
        If the given tour is not what was asked for.
    KTError
        If the arguments do not fit together.
    """
    from encoders.bounding import Bounding

    problem = objective
    if not isinstance(problem, Problem):
        problem = Problem(tour.graph, "cycle" if tour.closed else "path", problem)
    require_plain(problem, "improving a tour")
    if problem.objective is None:
        raise KTError("a tour is improved by an objective, and there is none: turns, crossings or weights")
    if time_limit is None and limits.seconds is None:
        time_limit = USUAL_SECONDS
    run = Run.of(problem, limits.with_time_limit(time_limit), on_progress)
    first = Result(problem, "feasible", tour, engine=ENGINE)
    if in_time(run, lambda: problem.weights) is None:  # a million cells take seconds
        return replace(first, seconds=run.elapsed)
    run.standing.accept(first)
    engines: list[Engine] = [Improving(first, anneal, on_improvement)]
    race(run, [*engines, Bounding(problem, BOUND_SHARE)] if bound else engines)
    return run.standing.result(ENGINE, run.elapsed).with_notes(statistics=+run.counts)


class Improving:
    """Exchanges for a while, then windows until the run is over.

    Parameters
    ----------
    first
        The tour to start from.
    anneal, on_improvement
        As of `improve`.
    """

    name = ENGINE

    def __init__(self, first: Result, anneal: bool, on_improvement: Callable[[Result], object] | None) -> None:
        self._first, self._anneal, self._on_improvement = first, anneal, on_improvement

    def interrupt(self) -> None:
        """Nothing to do: it looks at the run."""

    def work(self, run: Run) -> Report:
        """Report each better tour to the run."""
        from encoders.improve.search import WindowSearch, tell

        best, problem = self._first, self._first.problem
        if self._anneal and problem.graph.n >= 5 and not problem.symmetry:
            best = in_time(run, lambda: _annealed(self._first, run)) or best
            tell(best, self._first, run, self._on_improvement)
        if problem.graph.n >= 5 and not run.over and not run.decided:
            search = in_time(run, lambda: WindowSearch(best, run, self._on_improvement))
            if search is not None:
                search.search()
        return Report(self.name)


def _annealed(first: Result, run: Run) -> Result:
    """The tour after a moment of exchanges, which need no solver."""
    from heuristics.find import quick_seconds
    from heuristics.local_search import improve as exchange
    from heuristics.local_search import phases_for

    problem, tour = first.problem, first.tour
    assert tour is not None and problem.objective is not None
    limits = run.limits.part(ANNEALING_SHARE).within(LONGER_FACTOR * quick_seconds(problem.graph.n))
    better = exchange(tour, problem, phases=phases_for(problem, limits), limits=limits)
    return first if better is tour else Result(problem, "feasible", better, engine=ENGINE)
