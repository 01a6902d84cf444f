"""The stages of a solve; each module here declares one or more, as a `Stage`.

A stage brings tours, bounds, or a reason that there is no solution, and offers them to the `Standing` of the solve.
`encoders.solve.PLAN` has their order. A new stage is a new module that says before which stage it runs
(docs/use/extending.md).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING, Literal

from encoders import presolve
from encoders.engines import asks_any_tour
from encoders.standing import Standing
from encoders.work.run import Run
from kt_models.limits import Limits
from kt_models.problem import Problem
from kt_models.result import Result, WarmStart
from kt_models.speed import expected, fits

if TYPE_CHECKING:
    from encoders.bound_engine import BoundEngine
    from encoders.lp.engine import BranchAndBound
    from encoders.part_searches import Reduction
    from encoders.pb.minizinc import MiniZincSolver
    from encoders.sat.plain import PlainSearch
    from encoders.sat.solver_program import SolverProgram
    from encoders.sweep_engine import SweepingEngine
    from heuristics.best_known import BestKnown

Brings = Literal["tour", "bound", "refutation", "certificate"]
MAX_QUICK_CELLS = 400
"""Most vertices of a graph whose linear relaxation is solved before anything else, in some tenths of a second."""
CLOSE_GAP = 0.01
"""Relative gap at which a solve of a large graph ends: neither a better tour nor a proof has come from going on."""


@dataclass(frozen=True)
class Request:
    """A problem, and what is asked of a solve.

    Parameters
    ----------
    problem
        The problem.
    engine, encoding, solver
        As of `encoders.solve.solve`.
    hint
        Whether to look for a tour to start from; `best` starts from the best known tour.
    check_stated
        Whether to check delivered certificates however long that takes.
    cheap_only
        Whether to run only the stages that are cheap.
    proof
        A folder for the proof that there is no tour; empty for no proof.
    program
        An outside program, which answers in place of the engines.
    presolving
        Whether other stages than the engines may answer.
    """

    problem: Problem
    engine: str = "auto"
    encoding: str = ""
    solver: str = ""
    hint: bool | Literal["best"] = True
    check_stated: bool = False
    cheap_only: bool = False
    proof: str = ""
    program: SolverProgram | MiniZincSolver | None = None
    presolving: bool = True

    @cached_property
    def plain(self) -> bool:
        """Whether the choice of engine is free."""
        return self.engine == "auto" and not (self.encoding or self.solver or self.program)

    @property
    def proving(self) -> bool:
        """Whether to use an engine that logs its proof."""
        return bool(self.proof) and self.plain and asks_any_tour(self.problem)

    @property
    def searched(self) -> bool:
        """Whether the choice of the first tour is free."""
        return self.hint is not False

    @cached_property
    def reducible(self) -> bool:
        """Whether the problem may be reduced."""
        return self.plain and self.searched and presolve.applies(self.problem)

    @cached_property
    def reduced_first(self) -> bool:
        """Whether the reduction comes before any search."""
        return self.reducible and presolve.is_reduced_first(self.problem)


class Helpers:
    """The engines that several stages share; those that work in the background end with the run."""

    def __init__(self, request: Request, run: Run) -> None:
        self._request, self._run = request, run
        self._problem = request.problem

    @cached_property
    def sweep(self) -> SweepingEngine | None:
        """The sweep, if it applies to the problem."""
        if self._problem.objective is None or self._problem.is_constrained:
            return None
        from encoders.sweep_engine import SweepingEngine

        return SweepingEngine.of(self._problem)

    @cached_property
    def has_quick_sweep(self) -> bool:
        """Whether a sweep proves the least value in seconds, and these are left."""
        return self.sweep is not None and self.sweep.quick and fits(self.sweep_cost or 0, self._run.limits)

    @property
    def sweep_cost(self) -> float | None:
        """Reference seconds of the sweep; None if nothing is known."""
        return None if self.sweep is None else self.sweep.cost(self._run.threads)

    @cached_property
    def bounds(self) -> BoundEngine | None:
        """A thread for bounds where pairs count that do not meet, if no sweep is as quick."""
        # One thread leaves none for a second line of work.
        problem, plain = self._problem, self._request.plain
        if not problem.counts_apart or problem.is_constrained or not plain or self._run.threads == 1:
            return None
        if self.has_quick_sweep:
            return None
        from encoders.bound_engine import BoundEngine

        return BoundEngine(problem)

    def start_bounds(self) -> None:
        """Start the thread for bounds."""
        if self.bounds is not None:
            self._run.helpers.callback(self.bounds.interrupt)
            self.bounds.begin(self._run)

    def start_prover(self) -> BranchAndBound | None:
        """Branch and bound, if it applies to the problem; it is started once."""
        return self._prover

    @cached_property
    def _prover(self) -> BranchAndBound | None:
        problem, run = self._problem, self._run
        if problem.objective is None or problem.is_constrained or not self._request.plain:
            return None
        from encoders.lp.engine import BranchAndBound

        prover = BranchAndBound.of(problem)
        if prover is not None:
            run.helpers.enter_context(prover)
            run.helpers.callback(lambda: run.count(prover.name, {"nodes": prover.grown}))
        return prover


@dataclass
class Solving:
    """A request on its way through the stages, with what the stages share.

    Parameters
    ----------
    request
        The request.
    run
        The limits and the standing of the solve.
    plan
        The stages in order; `encoders.plan.plan` has all of them.
    """

    request: Request
    run: Run
    plan: Sequence[Stage] = ()
    done: set[str] = field(default_factory=set)
    """Names of the stages that have worked."""
    plain_search: PlainSearch | None = None
    """A plain search that has used up its first budget."""
    reduction: Reduction | None = None
    """The problem that a reduction has left, and the answers for its parts."""
    known: BestKnown | None = None
    """The delivered tour and bound of the problem."""
    answered_by: str = ""
    """The engine of the answer, if it did not find the tour."""
    reason: str = ""
    """The reason why there is no certificate."""
    left_out: list[str] = field(default_factory=list)
    """Stages that did not fit into the time that was left, with the seconds that they would take."""
    evidence: str = ""
    """How an answer without a certificate is known, if an engine says so."""

    def __post_init__(self) -> None:
        self.helpers = Helpers(self.request, self.run)

    @property
    def problem(self) -> Problem:
        """The problem of the request."""
        return self.request.problem

    @property
    def standing(self) -> Standing:
        """The best tour and bound so far."""
        return self.run.standing

    @property
    def constructed(self) -> bool:
        """Whether the best tour comes from a construction, and no search has improved it."""
        return "construction" in self.done and self.standing.source.startswith("find/")

    @property
    def good_value(self) -> float:
        """The value at which a tour is not improved further."""
        bound = self.standing.bound
        # Small boards are worth the optimum; on large ones a small gap ends the search.
        if bound is None or self.problem.graph.n <= MAX_QUICK_CELLS:
            return -inf
        return max(0, bound) / (1 - CLOSE_GAP)

    @property
    def missing(self) -> frozenset[Brings]:
        """The parts of an answer that are missing."""
        standing, request = self.standing, self.request
        if standing.decided:
            return frozenset() if standing.certified else frozenset({"certificate"})
        value = standing.value
        if request.plain and request.searched and value is not None and value <= self.good_value:
            return frozenset()
        return frozenset({"tour", "bound", "refutation"})

    def start_from_standing(self) -> None:
        """Record the tour that engines start from."""
        standing = self.standing
        if standing.edges is not None:
            self.run.start = WarmStart(self.problem.unit.value(standing.value), standing.source)

    def of(self, request: Request, run: Run) -> Solving:
        """The solve of another request by the same plan."""
        return Solving(request, run, self.plan)

    def go_on(self, quick: Result, limits: Limits) -> Result:
        """The answer of the stages that are not cheap, after that of those that are.

        Parameters
        ----------
        quick
            The answer so far. Its certificate is kept if the better answer has none.
        limits
            The limits of these stages.
        """
        request = replace(self.request, cheap_only=False)
        result = answer(replace(self, request=request, run=self.run.again(limits), left_out=[]))
        if result.certificate is None and result.status in ("feasible", "unknown") and quick.certificate is not None:
            return result.with_bound(result.status, quick.bound, quick.certificate)
        return result


@dataclass(frozen=True)
class Stage:
    """A part of a solve.

    Parameters
    ----------
    name
        Name of the stage.
    summary
        Its work in a few words.
    brings
        What it may add to the standing.
    work
        Does the work and offers the result to the standing.
    applies
        Whether the stage applies to a solve in its present state.
    cost
        Reference seconds (`kt_models.speed`) until it has brought something, if it can take long; the stage is left out
        if they do not fit into the time that is left. None for a moment, for work with a budget or a share of the time
        of its own, and where nothing is known.
    cheap
        Whether the stage takes tenths of a second on most boards; `best` runs no other stages.
    numbered
        Whether the stage applies to problems with given numbers.
    constrained
        Whether it serves problems with constraints.
    implicit
        Whether it serves graphs that do not list their edges, and no others.
    engine
        Whether it belongs to the engines, and works without presolving too.
    before
        For a stage that `encoders.solve.PLAN` does not list: the name of the stage before which it runs.
    """

    name: str
    summary: str
    brings: frozenset[Brings]
    work: Callable[[Solving], None]
    applies: Callable[[Solving], bool] = lambda solving: True
    cost: Callable[[Solving], float | None] = lambda solving: None
    cheap: bool = False
    numbered: bool = False
    constrained: bool = False
    implicit: bool = False
    engine: bool = False
    before: str = ""

    def serves(self, request: Request) -> bool:
        """Whether the stage serves a request at all."""
        problem = request.problem
        if problem.graph.is_implicit and not self.implicit:
            return False
        if not (request.presolving or self.engine):
            return False
        able = (self.cheap or not request.cheap_only) and (self.numbered or problem.numbers is None)
        return able and (self.constrained or not problem.is_constrained)


def answer(solving: Solving) -> Result:
    """Run one stage after the other until nothing is missing, and return the answer.

    A stage that has worked does not run again, so `answer` may be called with `cheap_only` first, and then without.
    """
    # The helpers work in the background, and end here.
    run, request = solving.run, solving.request
    with run.helpers:
        for stage in solving.plan:
            missing = solving.missing
            if not missing:
                break
            able = stage.name not in solving.done and stage.serves(request)
            if not (able and stage.brings & missing and stage.applies(solving)):
                continue
            cost = stage.cost(solving)
            if cost is not None and not fits(cost, run.limits):
                solving.left_out.append(expected(stage.name, cost))
                continue
            solving.done.add(stage.name)
            stage.work(solving)
        result = run.standing.result(solving.answered_by, run.elapsed)
    statistics = {**result.statistics, **+run.counts}
    start = run.start if result.edges is not None and not request.cheap_only else None
    return result.with_notes(
        warm_start=start,
        statistics=statistics,
        reason=solving.reason or None,
        evidence=solving.evidence or None,
        left_out=tuple(solving.left_out) if solving.missing else (),  # What was not needed is not missed.
    )
