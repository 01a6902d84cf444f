"""The stages of a solve; each module here declares one or more, as a `Stage`.

A stage brings tours, bounds, or a reason that there is no solution, and offers them to the `Standing` of the solve.
A new stage is a new module (docs/use/extending.md); its name is written nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING, Literal

from encoders import presolve
from encoders.engines import asks_any_tour
from encoders.standing import Standing
from encoders.work.run import Run
from kt_models.problem import Problem
from kt_models.registry import rows
from kt_models.result import Result, WarmStart

if TYPE_CHECKING:
    from encoders.bound_engine import BoundEngine
    from encoders.lp.engine import BranchAndBound
    from encoders.presolve.reduce import Remainder
    from encoders.sat.plain import PlainSearch
    from encoders.sweep_engine import SweepingEngine
    from heuristics.best_known import BestKnown
    from kt_models.board import IntArray

Brings = Literal["tour", "bound", "refutation", "certificate"]
MAX_QUICK_CELLS = 400
"""Most vertices of a graph whose linear relaxation is solved before anything else, in some tenths of a second."""
CLOSE_GAP = 0.01
"""Relative gap at which a solve of a large graph ends: neither a better tour nor a proof has come from going on."""


@dataclass
class Solving:
    """A problem on its way through the stages, with the state that the stages share.

    Parameters
    ----------
    problem, run
        The problem, and the limits and the standing of the solve.
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
    """

    problem: Problem
    run: Run
    engine: str = "auto"
    encoding: str = ""
    solver: str = ""
    hint: bool | Literal["best"] = True
    check_stated: bool = False
    cheap_only: bool = False
    proof: str = ""
    plain_search: PlainSearch | None = None
    """A plain search that has used up its first budget."""
    remainder: Remainder | None = None
    """The problem that a reduction has left."""
    part_edges: list[IntArray | None] = field(default_factory=list)
    """For each part of the remainder the edges of a tour, if one is known."""
    part_engines: list[str] = field(default_factory=list)
    """The engines that answered for parts of the remainder."""
    part_searches: list[PlainSearch | None] = field(default_factory=list)
    """For each part of the remainder a plain search that has used up its first budgets."""
    known: BestKnown | None = None
    """The delivered tour and bound of the problem."""
    done: set[str] = field(default_factory=set)
    """Names of the stages that have worked."""
    answered_by: str = ""
    """The engine of the answer, if it did not find the tour."""
    reason: str = ""
    """The reason why there is no certificate."""

    @property
    def standing(self) -> Standing:
        """The best tour and bound so far."""
        return self.run.standing

    @cached_property
    def plain(self) -> bool:
        """Whether the choice of engine is free."""
        return self.engine == "auto" and not (self.encoding or self.solver)

    @property
    def proving(self) -> bool:
        """Whether to use an engine that logs its proof."""
        return bool(self.proof) and self.plain and asks_any_tour(self.problem)

    @cached_property
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

    @property
    def constructed(self) -> bool:
        """Whether the best tour comes from a construction, and no search has improved it."""
        return "construction" in self.done and self.standing.source.startswith("find/")

    @cached_property
    def sweeping(self) -> SweepingEngine | None:
        """The sweep, if it applies to the problem."""
        if self.problem.objective is None or self.problem.constraints:
            return None
        from encoders.sweep_engine import SweepingEngine

        return SweepingEngine.of(self.problem)

    @cached_property
    def bounding(self) -> BoundEngine | None:
        """A thread that proves bounds of crossings from the beginning, if no sweep is as quick."""
        # One thread leaves none for a second line of work.
        if not self.problem.counts_apart or self.problem.constraints or not self.plain or self.run.threads == 1:
            return None
        if self.sweeping is not None and self.sweeping.quick:
            return None
        from encoders.bound_engine import BoundEngine

        return BoundEngine(self.problem)

    @cached_property
    def prover(self) -> BranchAndBound | None:
        """Branch and bound, if it applies to the problem."""
        if self.problem.objective is None or self.problem.constraints or not self.plain:
            return None
        from encoders.lp.engine import BranchAndBound

        prover, run = BranchAndBound.of(self.problem), self.run
        if prover is not None:
            run.helpers.enter_context(prover)
            run.helpers.callback(lambda: run.count(prover.name, {"nodes": prover.grown}))
        return prover

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
        """What is still to be found."""
        standing = self.standing
        if standing.decided:
            return frozenset() if standing.certified else frozenset({"certificate"})
        value = standing.value
        if self.plain and self.searched and value is not None and value <= self.good_value:
            return frozenset()
        return frozenset({"tour", "bound", "refutation"})

    def start_from_standing(self) -> None:
        """Record the tour that engines start from."""
        standing = self.standing
        if standing.edges is not None:
            self.run.start = WarmStart(standing.value, standing.source)


@dataclass(frozen=True)
class Stage:
    """A part of a solve.

    Parameters
    ----------
    name
        Name of the stage.
    summary
        Its work in a few words.
    order
        Its place among the stages: the cheaper a stage is for what it brings, the earlier.
    brings
        What it may add to the standing.
    work
        Does the work and offers the result to the standing.
    applies
        Whether the stage applies to a solve in its present state.
    cheap
        Whether the stage takes tenths of a second on most boards; `best` runs no other stages.
    numbered
        Whether the stage applies to problems with given numbers.
    constrained
        Whether it serves problems with constraints.
    """

    name: str
    summary: str
    order: int
    brings: frozenset[Brings]
    work: Callable[[Solving], None]
    applies: Callable[[Solving], bool] = lambda solving: True
    cheap: bool = False
    numbered: bool = False
    constrained: bool = False


def stages() -> list[Stage]:
    """Every stage, in the order in which they work."""
    return sorted(rows(__name__, Stage).values(), key=lambda stage: stage.order)


def answer(solving: Solving) -> Result:
    """Run one stage after the other until nothing is missing, and return the answer.

    A stage that has worked does not run again, so `answer` may be called with `cheap_only` first, and then without.
    """
    # The helpers work in the background, and end here.
    run = solving.run
    with run.helpers:
        for stage in stages():
            able = stage.name not in solving.done and (stage.cheap or not solving.cheap_only)
            able = able and (stage.numbered or solving.problem.numbers is None)
            able = able and (stage.constrained or not solving.problem.constraints)
            if able and stage.brings & solving.missing and stage.applies(solving):
                solving.done.add(stage.name)
                stage.work(solving)
        result = run.standing.result(solving.answered_by, run.elapsed)
    statistics = {**result.statistics, **+run.counts}
    start = run.start if result.edges is not None and not solving.cheap_only else None
    return result.with_notes(warm_start=start, statistics=statistics, reason=solving.reason or None)
