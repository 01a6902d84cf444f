"""`solve`: problem -> `Result`.  Impossible at sight, found by a heuristic, or handed to an engine; always verified."""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from encoders import presolve
from encoders.cpsat import BYTES_PER_EDGE
from encoders.engines import check_choice, start
from encoders.work.run import GRACE, Engine, Run, in_time, race
from heuristics.best_known import best_known
from heuristics.find import construct, find, quick_seconds
from heuristics.obstruction import find_obstruction
from kt_models.certificates import Certificate
from kt_models.certificates.rewritten import without_gains_apart
from kt_models.errors import CertificateError, KTError, TooLarge
from kt_models.limits import NO_LIMITS, Limits, Listener, Report, Stopped, silent
from kt_models.problem import Problem
from kt_models.result import Result, WarmStart
from kt_models.tour import Tour

if TYPE_CHECKING:
    from encoders.lp.engine import BranchAndBound
    from encoders.sweeping import Sweeping

HEAD_START = 1.0
"""Seconds that a heuristic has before a problem is reduced, in proportion more where it is large."""
LARGE = 10_000
"""Vertices of a large graph."""
SMALLER = 0.9
"""Share of a problem's vertices below which a part of it is worth another moment."""
PRESOLVE = "presolve"
"""The name of what reduces a problem, as `Result.engine` has it."""
QUICK_SECONDS = 20.0
"""Longest time for a certificate that takes some tenths of a second where nothing else keeps the machine busy."""
EXCHANGES = 5_000
"""Exchanges for each cell that a solution is made better by before the engines start: half a second on 10x10."""
ANNEALED_FIRST = 10_000
"""Exchanges for each cell before branch and bound where they go on beside it: a third of a second on 10x10."""
QUICK_CELLS = 400
"""Most vertices of a graph whose linear relaxation is solved before anything else: some tenths of a second."""
SMALL_CELLS = 16
"""Vertices of a graph that is swept in a moment, whatever its edges and pairs of edges weigh."""
UNCERTIFIED = (
    "no certificate: no checker takes weights below 0 of two edges that do not meet where a path may end anywhere, or "
    "weights that are too large"
)
"""Why a bound has none."""
CLOSE = 0.01
"""Share of the value: on a larger graph no search has made a tour better whose gap is so small, nor does it end."""


def solve(
    problem: Problem,
    *,
    engine: str = "auto",
    encoding: str = "",
    solver: str = "",
    hint: Tour | bool | Literal["best"] = True,
    time_limit: float | None = None,
    limits: Limits = NO_LIMITS,
    on_progress: Listener = silent,
) -> Result:
    """Solve a problem, and verify the answer.

    Parameters
    ----------
    problem
        What to solve.
    engine
        `auto` takes a heuristic's tour where nothing is to be minimised, and otherwise the engines that measured best;
        the name of one (`encoders.engines`) asks it whatever the heuristics could do.
    encoding
        An encoding of the engine: `circuit` or `cut-set` of CP-SAT, `cut-set` or a complete one of SAT
        (`encoders.sat.encodings`); the best by default.
    solver
        The SAT solver, as PySAT names it (`encoders.sat.oracle.SOLVERS`).
    hint
        A tour to start from; True to make one, False for none; `best` for the best known (`heuristics.best_known`),
        with its bound if the certificate delivered with it is right: that may well be the whole answer.  Engines and
        encodings that are named start as if it were True.
    time_limit, limits
        When to end, with the best answer so far; the seconds are besides the limits.  On a graph of more than
        `QUICK_CELLS` vertices a first tour that is `CLOSE` to the bound ends it too.  Workers are threads.  The same
        seed gives the same answer on one worker (if no other limit cuts in).
    on_progress
        Called with every better value or bound, from whichever thread has it.

    Returns
    -------
    Result
        Verified.  `unknown` if a limit came first and nothing was found.

    Raises
    ------
    KTError
        If the arguments do not fit the problem, or the hint is not a solution of it.
    """
    check_choice(engine, encoding, solver)
    run = Run(limits.with_time_limit(time_limit), problem.objective is not None, on_progress)
    with run.helpers:
        first = Result(problem, "feasible", hint, engine="hint") if isinstance(hint, Tour) else None
        if first is not None and problem.objective is None and (engine != "auto" or encoding or solver):
            named = " ".join(filter(None, (engine.replace("auto", ""), encoding, solver)))
            raise KTError(f"{named}: it has nothing to do, as the hint is a tour and nothing is to be least")
        given: Any = hint if first is None else True
        result = _Solving(problem, run, engine, encoding, solver, given, first).result()
    statistics = {**result.statistics, **+run.counts}
    return result.with_notes(warm_start=run.start if result.edges is not None else None, statistics=statistics)


@dataclass
class _Solving:
    """A problem on its way through the stages, each of which may be the last.

    Attributes
    ----------
    engine, encoding, solver
        What was asked for, as of `solve`.
    hint
        Whether to start from a tour; the best known was asked for if `best`.
    first
        The tour to start from, once there is one.
    shown
        The certificate of the best bound so far.
    prover, sweeping
        Branch and bound, and the sweep, where they are for the problem.
    """

    problem: Problem
    run: Run
    engine: str
    encoding: str
    solver: str
    hint: bool | Literal["best"]
    first: Result | None = None
    shown: Certificate | None = None
    prover: BranchAndBound | None = None
    sweeping: Sweeping | None = None

    def __post_init__(self) -> None:
        problem = self.problem
        self.plain = self.engine == "auto" and not (self.encoding or self.solver)
        self.searched = self.hint is not False and self.first is None  # the first tour is ours to choose
        self.reducible = self.plain and self.searched and presolve.serves(problem)
        self.reduced_first = self.reducible and presolve.is_reduced_first(problem)
        if problem.objective == "crossings":
            from encoders.sweeping import Sweeping

            self.sweeping = Sweeping.of(problem)

    def result(self) -> Result:
        """The answer of the first stage that has one; the race always has."""
        stages = (
            self._impossible, self._best_known, self._reduced_at_once, self._first_bound, self._warm_start,
            self._second_bound, self._swept, self._enough, self._reduced, self._grown,
        )  # fmt: skip
        return next((result for stage in stages if (result := stage()) is not None), None) or self._raced()

    def _impossible(self) -> Result | None:
        self.run.bound = _trivial_bound(self.problem)
        if certificate := find_obstruction(self.problem, self.run.limits):
            return self._ended(Result(self.problem, "infeasible", engine="obstruction", certificate=certificate))
        return None

    def _best_known(self) -> Result | None:
        if self.hint != "best" or not self.plain:
            return None
        self.first = _known(self.problem, self.run)
        if self.first is not None:
            self.shown = self.first.certificate
            if self.first.status == "optimal":
                self._start_from(self.first)
                return self._ended(self.first)
        return None

    def _reduced_at_once(self) -> Result | None:
        return _by_reduction(self.problem, self.run) if self.reduced_first else None

    def _first_bound(self) -> None:
        """A bound, which branch and bound builds on, and on a large board says when a tour is good enough."""
        if self.problem.objective != "crossings" or self.problem.graph.n > QUICK_CELLS:
            self._bound()

    def _warm_start(self) -> Result | None:
        problem, run = self.problem, self.run
        self.prover = _prover(problem, run) if self.plain else None
        wanted = self.searched and (self.plain or problem.objective is not None)
        if self.first is None and wanted and not self.reduced_first:
            if self.prover is not None and self.prover.takes_long and run.threads > 1:
                self.prover.call(run.threads)
            beside = self.plain and problem.objective == "turns" and problem.graph.n <= QUICK_CELLS
            exchanges = ANNEALED_FIRST * problem.graph.n if beside else None
            self.first = in_time(run, partial(warm_start, problem, run, exchanges), _patience(problem, run))
        if self.first is None:
            return None
        if self.first.status == "infeasible":
            return self._ended(self.first)
        self._start_from(self.first)
        return self._ended(self.first) if self.plain and problem.objective is None else None

    def _second_bound(self) -> None:
        """A bound that takes longer than the first tour, unless a sweep shows the least value as soon."""
        if self.problem.objective == "crossings" and (self.sweeping is None or not self.sweeping.quick):
            self._bound()

    def _swept(self) -> None:
        """The least value, while the first tour is made better where there is a thread for it."""
        run, sweeping = self.run, self.sweeping
        if sweeping is None or not self.plain or self.first is None or run.settled:
            return
        from encoders.annealing import Annealing

        sweeping.beside = Annealing(self.problem, run.elapsed) if run.threads > 1 else None
        race(run, [engine for engine in (sweeping, sweeping.beside) if engine is not None])
        if sweeping.certificate is not None and sweeping.certificate.bound == run.bound:
            self.shown = sweeping.certificate

    def _enough(self) -> Result | None:
        """What there is, if it is the best, or on a large board close to it."""
        run, first = self.run, self.first
        if first is None:
            return None
        close = self.plain and self.searched and (run.value or math.inf) <= _good_value(self.problem, run)
        if not run.settled and not close:
            return None
        if run.value == first.value:
            result = _bounded(first, run, self.shown)
        else:
            result = _result(self.problem, run, run.summary(run.engine), self.shown)
        if result.status == "optimal" and result.certificate is None:  # no choice of edges weighs less
            from encoders.bounds import certified

            result = self._ended(certified(result, limits=run.limits.within(QUICK_SECONDS + run.elapsed)))
        return result

    def _reduced(self) -> Result | None:
        return _by_reduction(self.problem, self.run) if self.reducible and not self.reduced_first else None

    def _grown(self) -> Result | None:
        if self.prover is None or (certificate := in_time(self.run, partial(self.prover.begin, self.run))) is None:
            return None
        return _result(self.problem, self.run, self.run.summary(self.prover.name), certificate)

    def _raced(self) -> Result:
        """What the engines come to; an optimum with a certificate, if one is to be had as quickly."""
        problem, run, prover = self.problem, self.run, self.prover
        report = _by_engines(problem, run, prover, self.engine, self.encoding, self.solver)
        result = _result(problem, run, report, prover.certificate if prover else None, self.shown)
        if result.status == "infeasible" and result.certificate is None:
            from encoders.presolve.refute import refutation

            return replace(result, certificate=refutation(problem, run.limits.within(1.0 + run.elapsed)))
        if result.status != "optimal" or result.certificate is not None or run.limits.stopped:
            return result
        limits = run.limits.within(QUICK_SECONDS + run.elapsed)
        if prover is not None and result.value is not None:
            certificate = None
            with suppress(CertificateError, TooLarge):  # numbers that no tree of cases takes
                certificate = in_time(run, partial(prover.prove, result.value, limits))
            return replace(result, seconds=run.elapsed, certificate=certificate)
        if _has_quick_certificate(problem) or self.sweeping is not None:
            from encoders.bounds import certified

            result = self._ended(certified(result, limits=limits))
        elif problem.gains_apart and without_gains_apart(problem) is None:
            result = result.with_notes(reason=UNCERTIFIED)
        return result

    def _bound(self) -> None:
        if self.shown is None:
            self.shown = quick_certificate(self.problem, _quick_limits(self.problem, self.run.limits))
            if self.shown is not None and self.shown.bound is not None:
                self.run.report(self.shown.method, bound=max(self.shown.bound, self.run.bound or 0))

    def _start_from(self, first: Result) -> None:
        self.run.report(first.engine, edges=first.edges, value=first.value)  # a hint is not there yet
        self.run.start = WarmStart(first.value, first.engine)

    def _ended(self, result: Result) -> Result:
        return result.with_notes(seconds=self.run.elapsed)


def _prover(problem: Problem, run: Run) -> BranchAndBound | None:
    """Branch and bound, if it is for the problem."""
    if problem.objective is None:
        return None
    from encoders.lp.engine import BranchAndBound

    prover = BranchAndBound.of(problem)
    if prover is not None:
        run.helpers.enter_context(prover)
        run.helpers.callback(lambda: run.count(prover.name, {"nodes": prover.grown}))
    return prover


def _known(problem: Problem, run: Run) -> Result | None:
    """The best tour delivered, with the bound that is shown there, each reported to the run as soon as it is there."""

    def hear(tour: Result) -> None:
        run.report(tour.engine, edges=tour.edges, value=tour.value)

    known = in_time(run, lambda: best_known(problem, run.limits.part(0.5), hear))
    if known is None:
        return None
    first = known.result
    if first.certificate is not None:
        run.report(first.certificate.method, bound=first.bound)
    return first


def _by_reduction(problem: Problem, run: Run) -> Result | None:
    """What comes of a problem by reducing it first; None where nothing can be reduced, or not in time.

    A heuristic is given a moment before: most graphs are no harder than that.  Of those that are it does few, and on
    sparse graphs it would only be in the engines' way.
    """
    if (first := _at_once(problem, run)) is not None:
        return first.with_notes(seconds=run.elapsed)
    from encoders.presolve.reduce import reduce
    from encoders.presolve.refute import refutation

    try:
        reduced = run.limits.run(lambda: reduce(problem, run.limits), GRACE)
    except Stopped:
        return None
    if reduced is None:
        shown = refutation(problem, run.limits.part(0.5).within(QUICK_SECONDS))
        return Result(problem, "infeasible", engine=PRESOLVE, seconds=run.elapsed, certificate=shown)
    if not reduced.changed:
        return None
    answers, names = [], [PRESOLVE]
    for part in reduced.problems():
        own = Run(run.limits, False)
        answer = _at_once(part, own) if part.graph.n < SMALLER * problem.graph.n else None
        if answer is None:
            answer = _result(part, own, _by_engines(part, own, None, "auto", "", ""))
        names.append(answer.engine)
        if answer.edges is None:
            return Result(problem, answer.status, engine="+".join(dict.fromkeys(names)), seconds=run.elapsed)
        answers.append(answer.edges)
    name = "+".join(dict.fromkeys(names))
    return Result(problem, "feasible", reduced.lift(answers), engine=name, seconds=run.elapsed)


def _at_once(problem: Problem, run: Run) -> Result | None:
    """What a heuristic finds in a moment; nothing where there is one worker, as the clock would decide then."""
    if run.threads == 1:
        return None
    beside = Run(run.limits, False)
    try:
        patience = HEAD_START * max(1.0, problem.graph.n / LARGE)
        return in_time(beside, partial(warm_start, problem, beside), patience)
    finally:
        beside.end()


def quick_certificate(problem: Problem, limits: Limits) -> Certificate | None:
    """A bound that is a matter of a moment: of the linear relaxation where it is worth something, else by theorem."""
    from encoders.bounds import NotShown, certify_lower_bound

    if not _has_quick_certificate(problem):
        return None
    small, crossings = problem.graph.n <= QUICK_CELLS, problem.objective == "crossings"
    method = (
        "regions" if crossings or not (small or problem.objective == "turns") else "relaxation" if small else "family"
    )
    try:
        return certify_lower_bound(problem, method=method, limits=limits)
    except (NotShown, KTError):
        return None


def _quick_limits(problem: Problem, limits: Limits) -> Limits:
    """The time for a quick certificate: on a large board no engine gets far, and there is enough."""
    if problem.graph.n > QUICK_CELLS:
        return limits.part(0.5)
    return limits.part(0.3 if problem.objective == "crossings" else 0.2).within(QUICK_SECONDS)


def _has_quick_certificate(problem: Problem) -> bool:
    n = problem.graph.n
    if problem.objective is None or n < 3:
        return False
    if n <= SMALL_CELLS and (not problem.gains_apart or without_gains_apart(problem) is not None):
        return True
    return n > QUICK_CELLS or problem.pairs_meet or problem.objective == "crossings"


def _by_engines(
    problem: Problem, run: Run, prover: BranchAndBound | None, engine: str, encoding: str, solver: str
) -> Report:
    """What the engines come to; what there is already, and no bound, where they could not begin."""
    try:
        if prover is not None and problem.objective == "turns" and run.edges is not None:
            from encoders.annealing import Annealing, InTurn

            annealing = Annealing(problem, run.elapsed)  # CP-SAT is ten times slower, at what either does
            return race(run, [prover, annealing] if run.threads > 1 else [InTurn(prover, annealing)])

        def ready() -> list[Engine]:
            run.limits.require_room(problem.graph.m * BYTES_PER_EDGE, "a model of the problem")
            return start(problem, run.threads, engine, encoding, solver)

        engines = run.limits.run(ready)
        return race(run, [*engines, prover] if prover is not None and run.threads > 1 else engines)
    except TooLarge as error:
        if run.edges is None and not run.over:
            raise
        run.limits.leave(str(error))
    except Stopped:
        pass
    return run.summary(run.engine or "heuristic")


def _result(problem: Problem, run: Run, report: Report, *shown: Certificate | None) -> Result:
    """The best of an engine's report and of what the run was told: one cut short may know less than its rivals."""
    if report.status == "infeasible":
        return Result(problem, "infeasible", engine=report.engine, seconds=run.elapsed)
    edges, bound = report.edges, None
    if problem.objective is None:
        edges = edges if edges is not None else run.edges
        status = "unknown" if edges is None else "feasible"
    else:
        if edges is None or (run.value is not None and run.value < (problem.value(edges) or 0)):
            edges = run.edges
        value = None if edges is None else problem.value(edges)
        bound = max((b for b in (report.bound, run.bound) if b is not None), default=None)
        if report.status == "optimal" and bound != value:  # its objective is not what we measure
            raise RuntimeError(f"{report.engine} claims an optimum of {bound}, but its tour has {value}")
        proved = value is not None and bound == value
        status = "optimal" if proved else "unknown" if edges is None else "feasible"
    return Result(
        problem,
        status,  # type: ignore[arg-type]
        edges=edges,
        bound=bound,
        engine=report.engine,
        seconds=run.elapsed,
        certificate=next((c for c in (report.certificate, *shown) if c is not None and c.bound == bound), None),
    )


def _bounded(first: Result, run: Run, shown: Certificate | None) -> Result:
    """A first solution with the bound that there is; its tour need not be put together from edges again."""
    certificate = shown if shown is not None and shown.bound == run.bound else None
    status: Literal["optimal", "feasible"] = "optimal" if run.settled else "feasible"
    return replace(first, status=status, bound=run.bound, seconds=run.elapsed, certificate=certificate)


def warm_start(problem: Problem, run: Run, exchanges: int | None = None) -> Result | None:
    """A solution that heuristics find, reported to the run as soon as it is there.

    None where nothing is to be minimised but there are linkages or a symmetry: engines start those from nothing.
    """
    if problem.connectivity not in ("cycle", "path") or problem.symmetry:
        if problem.objective is None:
            return None
        built = construct(problem, run.limits) if problem.connectivity == "cycle" else None
        if built is None:
            return _exchanged_start(problem, run)
        run.report(built.engine, edges=built.edges, value=built.value)
        return built

    def hear(now: Report) -> None:
        if now.edges is not None:
            run.report(now.engine, edges=now.edges, value=now.value)

    enough = _good_value(problem, run)
    result = find(problem, limits=run.limits, quick=True, exchanges=exchanges, enough=enough, on_progress=hear)
    if result.tour is None:
        return None
    run.report(result.engine, edges=result.edges, value=result.value)
    return result


def _exchanged_start(problem: Problem, run: Run) -> Result | None:
    """Any solution, by an engine that asks for no more, made better by exchanges; or that there is none."""
    from encoders.annealing import exchanged

    limits = run.limits.within(_patience(problem, run))
    first = solve(replace(problem, objective=None), limits=limits)
    if first.edges is None:
        return None if first.status == "unknown" else replace(first, problem=problem)
    value = problem.value(first.edges)
    run.report(first.engine, edges=first.edges, value=value)
    try:
        edges = exchanged(problem, first.edges, EXCHANGES * problem.graph.n, limits.part(0.5))
    except Stopped:
        edges = first.edges
    run.report(first.engine, edges=edges, value=problem.value(edges))
    return Result(problem, "feasible", edges=edges, engine=first.engine)


def _patience(problem: Problem, run: Run) -> float:
    """Seconds to wait for the warm start before the engines start beside it.

    It takes that long only where its code has to be compiled first, and then an engine may well be done sooner; not on
    boards that are too large for one.  One worker has no beside: there the same seed gives the same answer.
    """
    if problem.graph.n > LARGE or run.threads == 1:
        return math.inf
    return 4.0 if problem.objective is None else 4.0 + 2 * quick_seconds(problem.graph.n)


def _good_value(problem: Problem, run: Run) -> float:
    """The value of a tour that nothing more is tried for."""
    if run.bound is None or problem.graph.n <= QUICK_CELLS:
        return -math.inf
    return max(0, run.bound) / (1 - CLOSE)


def _trivial_bound(problem: Problem) -> int | None:
    """What no choice of edges can go below: nothing weighs less than 0 but a negative weight."""
    if problem.objective is None:
        return None
    return 0 if isinstance(problem.objective, str) else sum(np.minimum(problem.objective.weight, 0).tolist())
