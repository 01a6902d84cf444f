"""`find`: a tour of a problem without a solver, by a named method or by those that suit the problem best."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from math import inf
from typing import Any

import numpy as np

from heuristics import constructions, papers, searches
from heuristics.method import WATCH, Method
from heuristics.obstruction import find_obstruction, too_few_edges
from heuristics.simple_graph import tiny_result
from kt_models.errors import InvalidTour, KTError, TooLarge, row_named
from kt_models.graph import MoveGraph
from kt_models.limits import NO_LIMITS, Limits, Listener, Report, Stopped, silent
from kt_models.problem import Problem, require_unconstrained
from kt_models.recording import Recording
from kt_models.registry import rows
from kt_models.result import Result
from kt_models.tour import Tour

MAX_NUMBER_STEPS = 100_000_000
"""Steps of a search for given numbers: half a minute."""
MAX_QUICK_NUMBER_STEPS = 1_000_000
"""Steps of a quick search for given numbers: some tenths of a second."""
BYTES_PER_CELL = 100
"""Memory of the method that needs least (docs/use/limits.md); less is refused at once."""
GRACE_SECONDS = 1.0
"""Seconds that a method has to return its statistics once the limits are reached."""
IMPROVING_SECONDS = 5.0
"""Seconds for an objective if there is no time limit."""
MAX_SEARCH_SECONDS = 60.0
"""Longest time for a quick first tour. Up to 10,000 vertices the searches give up sooner by their own steps; on larger
graphs engines find little, and whoever waits for them wants to see them begin."""
LUCKY_SHARE = 0.3
"""Share of the time for searches that need luck for few turns; the constructions by rule come before them."""
MIN_SECONDS = 1e-4
"""Seconds per vertex below which exchanges improve no construction (300x300 has 5)."""


METHODS: dict[str, Method] = dict(
    sorted(
        (
            (name, row)
            for room in (searches, constructions, papers)
            for name, row in rows(room.__name__, Method).items()
        ),
        key=lambda item: (item[1].constructs, item[0]),
    )
)
"""Every method by name, searches first: the rows of each module or folder of `heuristics.searches`,
`heuristics.constructions` and `heuristics.papers`."""


def method_named(name: str) -> Method:
    """The method with a name (see `row_named`)."""
    return row_named(name, METHODS, "method")


def find(
    problem: Problem,
    method: str | Method | None = None,
    *,
    limits: Limits = NO_LIMITS,
    quick: bool = False,
    enough: float = -inf,
    watch: Recording | None = None,
    on_progress: Listener = silent,
    **parameters: Any,
) -> Result:
    """Find a tour, and improve it if the problem has an objective.

    If no method is named and there is an objective, the constructions with few turns or crossings come first, and the
    best of their tours is taken. Otherwise one search after the other is tried that supports the ends and the symmetry.
    After the first one has failed, `heuristics.obstruction` looks for a short proof that there is no tour.

    Parameters
    ----------
    problem
        Of connectivity `cycle` or `path`.
    method
        A name in `METHODS`, or a method of another room.
    limits
        Limits of everything. Without a time limit, an objective gets `IMPROVING_SECONDS` seconds. The same seed gives
        the same tour, unless the limits come first.
    quick
        Whether the tour is a start for a solver: then there is no complete search, which the solver will do, and an
        objective gets no more time than pays before a solver begins.
    enough
        A tour of at most this value is not improved.
    watch
        Where the named method records what it does.
    on_progress
        Called when a method begins, and with the first tour if there is an objective.
    parameters
        Parameters of the method (see `Method.parameters`); texts are converted to the right type.

    Returns
    -------
    Result
        The result, with the statistics of the last method. Its `reason` tells what was tried if there is no tour, and
        why an objective was not improved.

    Raises
    ------
    KTError
        If there is no such method or parameter, a value is invalid, or the method does not apply to this problem.
    """
    limits = limits.within(None)  # This call starts the clock.
    require_unconstrained(problem, "a search without a solver")
    if watch is not None and problem.numbers is not None:
        raise KTError("a search for given numbers does not record its steps")
    result = _found(problem, method, limits, quick, enough, watch, on_progress, parameters)
    if watch is not None:
        watch.finish(result)
    return result


def _found(
    problem: Problem,
    method: str | Method | None,
    limits: Limits,
    quick: bool,
    enough: float,
    watch: Recording | None,
    on_progress: Listener,
    parameters: dict[str, Any],
) -> Result:
    """The result of `find`."""
    if (certificate := too_few_edges(problem)) is not None:
        return Result(problem, "infeasible", engine="find/obstruction", certificate=certificate, seconds=limits.elapsed)
    method = method_named(method) if isinstance(method, str) else method
    if problem.numbers is not None:
        return _numbered(problem, method, limits, quick)
    if method is not None:
        result = _work(method, problem, limits, on_progress, parameters, watch)
    elif parameters:
        raise KTError(f"parameter {min(parameters)}: name the method that has it")
    elif problem.graph.is_implicit:
        result = _of_many_points(problem, limits, quick, on_progress)
    else:
        result = construct(problem, limits, on_progress, quick) or search(problem, limits, quick, on_progress)
    return made_better(result, limits, quick=quick, enough=enough, on_progress=on_progress)


def steps_for(graph: MoveGraph, method: str) -> Recording:
    """The record of the steps of a method.

    Raises
    ------
    KTError
        If it is one that does not record its steps.
    """
    able = [name for name, row in METHODS.items() if row.is_watched or row.explain is not None]
    if method not in able:
        raise KTError(f"method {method} does not record its steps; these do: {', '.join(able)}")
    return Recording(graph, method)


def _of_many_points(problem: Problem, limits: Limits, quick: bool, on_progress: Listener) -> Result:
    """The result for points all of whose pairs are edges, which only one method takes."""
    from heuristics.searches.or_opt import in_strips

    row = METHODS["or-opt"]
    first = in_strips(problem)
    result = _work(row, problem, limits, on_progress, dict(row.quick) if quick else {})
    if result.tour is None:
        return first.with_notes(engine=result.engine, reason="not improved: the time was up")
    metric = problem.objective_name
    if metric is not None and problem.expression is not None and not metric.startswith("length"):
        reason = f"not improved: the {len(result.tour):,} points are too many for {metric}; the tour is short"
        return result.with_notes(reason=reason)
    return result


def made_better(
    result: Result,
    limits: Limits,
    *,
    quick: bool = False,
    exchanges: int | None = None,
    enough: float = -inf,
    on_progress: Listener = silent,
) -> Result:
    """Improve the tour of `construct` or `search` if the problem has an objective.

    Parameters
    ----------
    exchanges
        Number of exchanges if quick; None for some time, more on larger boards.
    quick, enough, on_progress
        The keywords of `find`.
    """
    if result.tour is not None and result.problem.objective is not None:
        unit = result.problem.unit
        on_progress(Report(result.engine, result.value, edges=result.edges, seconds=limits.elapsed, unit=unit))
        if result.cost is not None and result.cost > enough:
            result = _improved(result, limits, quick, exchanges)
    return result.with_notes(seconds=limits.elapsed)


def _numbered(problem: Problem, method: Method | None, limits: Limits, quick: bool) -> Result:
    """Find a tour with given numbers: by methods if the numbers only mean moves and ends, otherwise by a search.

    An objective is ignored.
    """
    from heuristics.numbering import NumberSearch, counted_as_tours, table_of

    plain = replace(problem, objective=None)
    parts = counted_as_tours(plain)
    if parts is not None:
        results = (find(part, method, quick=quick, limits=limits) for part, _ in parts)
        last = None
        for last in results:
            if last.tour is not None:
                return Result(problem, "feasible", last.tour, engine=last.engine, seconds=limits.elapsed)
            if last.status == "unknown":
                break
        else:
            return Result(problem, "infeasible", engine="find/numbers", seconds=limits.elapsed)
        if method is not None:
            return Result(problem, "unknown", engine=last.engine, reason=last.reason, seconds=limits.elapsed)
    if method is not None:
        raise KTError(f"method {method.name}: it supports given numbers only if they are consecutive; leave it out")
    source, reason, steps = (
        "find/numbers",
        "no tour was found in time",
        MAX_QUICK_NUMBER_STEPS if quick else MAX_NUMBER_STEPS,
    )
    try:
        search = NumberSearch(plain, table_of(plain, limits), up_to_symmetry=problem.objective is None)
        for order in search.run(limits, steps):
            tour = Tour(problem.graph, order, problem.closed)
            try:
                return Result(problem, "feasible", tour, engine=source, seconds=limits.elapsed)
            except InvalidTour:  # The tour lacks the required symmetry.
                continue
        if search.over:
            return Result(problem, "infeasible", engine=source, seconds=limits.elapsed)
        reason = f"not found in {steps:,} steps; kt solve asks solvers"
    except Stopped:
        pass
    return Result(problem, "unknown", engine=source, reason=reason, seconds=limits.elapsed)


def _work(
    row: Method,
    problem: Problem,
    limits: Limits,
    on_progress: Listener,
    parameters: dict[str, Any],
    watch: Recording | None = None,
) -> Result:
    """The result of a method; unknown if it was not done in time."""
    values = row.checked_parameters(parameters)
    if watch is not None and row.is_watched:
        values |= {WATCH: watch}
    if problem.connectivity not in row.connectivities:
        raise KTError(
            f"method {row.name} does not take connectivity {problem.connectivity!r}: {', '.join(row.connectivities)}"
        )
    if problem.symmetry and not row.symmetric:
        able = [name for name, method in METHODS.items() if method.symmetric]
        raise KTError(f"method {row.name} supports no symmetry" + (f": use {' or '.join(able)}" if able else ""))

    def work() -> Result:
        result = tiny_result(problem) or row.function(problem, limits=limits, **values)
        if result.problem is not problem:  # The method solved another problem, so check the result against this one.
            return Result(problem, result.status, result.tour, statistics=result.statistics)
        return result

    engine = f"find/{row.name}"
    limits.require_room(problem.graph.vertex_count * BYTES_PER_CELL, f"{engine} on {problem.graph.name}")
    on_progress(Report(engine, seconds=limits.elapsed))
    try:
        result = limits.run(work, GRACE_SECONDS)
    except Stopped:
        limits.leave(engine)
        result = Result(problem, "unknown")
    if watch is not None and not row.is_watched and row.explain is not None and result.tour is not None:
        from drawing.steps import record_parts

        with suppress(KTError):  # A tour in space, or of another piece, has no picture of its strands
            record_parts(watch, result.tour, row.explain(result.tour))
    reason = result.reason
    if result.status == "infeasible":
        reason = f"the search by {row.name} is complete and found none"
    elif result.status == "unknown":
        reason = _not_found([row.name], limits)
    return result.with_notes(engine=engine, reason=reason)


def construct(
    problem: Problem, limits: Limits = NO_LIMITS, on_progress: Listener = silent, quick: bool = False
) -> Result | None:
    """The tour of least objective from the constructions for a board; None if there is none.

    The construction that is best most often comes first, and searches last.
    """
    if problem.objective is None:
        return None
    tours, metric = [], problem.objective_name
    for row in sorted(METHODS.values(), key=lambda row: (not row.constructs, row.rank(metric))):
        if row.near_optimal and row.applies(problem):
            share = limits if row.constructs or row.improves else limits.part(LUCKY_SHARE)
            parameters = row.parameters_for(problem) | dict(row.quick if quick and row.improves else {})
            try:
                tours.append(_work(row, problem, share, silent, parameters))
            except KTError:  # The method does not apply to this board.
                continue
    best = min((result for result in tours if result.cost is not None), key=lambda r: r.cost or 0, default=None)
    if best is not None:
        on_progress(Report(best.engine, seconds=limits.elapsed))
    return best


def search(problem: Problem, limits: Limits, quick: bool = False, on_progress: Listener = silent) -> Result:
    """The result of the searches, one after the other; `quick` as in `find`."""
    limits = limits.within(MAX_SEARCH_SECONDS if quick else None)
    in_turn = sorted(
        (row for row in METHODS.values() if row.priority and row.applies(problem)), key=lambda row: row.priority
    )
    tried: list[str] = []
    result = Result(problem, "unknown")
    for row in in_turn:
        if quick and row.complete:
            break
        if tried and limits.over:
            break
        result = _work(row, problem, limits, on_progress, dict(row.quick) if quick else {})
        tried.append(row.name)
        if result.status == "infeasible" and not quick and (certificate := find_obstruction(problem, limits)):
            return result.with_bound(result.status, result.bound, certificate)
        if result.status != "unknown":
            return result
        if len(tried) == 1 and not quick and not limits.over:
            tried.append("obstruction")
            on_progress(Report("find/obstruction", seconds=limits.elapsed))
            if certificate := find_obstruction(problem, limits):
                return Result(problem, "infeasible", engine="find/obstruction", certificate=certificate)
    if not tried:
        return result.with_notes(reason=f"no method takes connectivity {problem.connectivity!r}")
    return result.with_notes(engine=f"find/{tried[-1]}", reason=_not_found(tried, limits))


def _not_found(tried: list[str], limits: Limits) -> str:
    why = "stopped" if limits.stopped else "time limit" if limits.over else "gave up"
    return f"not found by {', then '.join(tried)} ({why})"


def _improved(first: Result, limits: Limits, quick: bool, exchanges: int | None) -> Result:
    """Improve a tour by exchanges of moves."""
    from heuristics.local_search import HOT, LUKEWARM, improve, phases_for
    from heuristics.orbit_search import improve_orbits

    tour, problem = first.tour, first.problem
    if tour is None:
        return first
    if not quick:
        limits = limits.within(IMPROVING_SECONDS if limits.seconds is None else None)
    else:
        limits = limits.part(0.2).within(quick_seconds(problem.graph.n) if exchanges is None else None)
    if METHODS[first.engine.removeprefix("find/")].improves:
        return first
    constructed = METHODS[first.engine.removeprefix("find/")].near_optimal
    if constructed and limits.left < MIN_SECONDS * problem.graph.n:
        limits.leave("improving")
        return first.with_notes(reason="not improved: for so large a board the time is too short")
    phases = phases_for(problem, limits) if constructed else HOT
    if quick and exchanges is not None:
        phases = LUKEWARM
    try:
        if problem.symmetry:
            edges = limits.run(
                lambda: improve_orbits(problem, tour.edges, max_steps=exchanges, limits=limits), GRACE_SECONDS
            )
            return Result(problem, "feasible", edges=edges, engine=first.engine, statistics=first.statistics)
        better = limits.run(
            lambda: improve(tour, problem, max_steps=exchanges, phases=phases, limits=limits), GRACE_SECONDS
        )
    except TooLarge as error:
        return first.with_notes(reason=f"not improved: {error}")
    except Stopped:
        limits.leave("improving")
        return first.with_notes(reason="not improved: the time was up")
    if better is tour:
        return first
    return Result(problem, "feasible", better, engine=first.engine, statistics=first.statistics)


def quick_seconds(n: int) -> float:
    """Time for the local search before a solver begins: almost none if the optimum is proved quickly."""
    return float(np.clip((n / 80) ** 1.5, 0.2, 60.0))
