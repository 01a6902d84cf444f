"""The stages of a solve, by name: the modules here declare them, each as a `Stage`.

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
    from encoders.bounding import Bounding
    from encoders.lp.engine import BranchAndBound
    from encoders.presolve.reduce import Remainder
    from encoders.sat.plain import PlainSearch
    from encoders.sweeping import Sweeping
    from heuristics.best_known import BestKnown
    from kt_models.board import IntArray

Brings = Literal["tour", "bound", "refutation", "certificate"]
MAX_QUICK_CELLS = 400
"""Most vertices of a graph whose linear relaxation is solved before anything else: some tenths of a second."""
CLOSE_GAP = 0.01
"""Share of the value: on a larger graph no search has made a tour better whose gap is so small, nor does it end."""


@dataclass
class Solving:
    """A problem on its way through the stages, and what they share.

    Parameters
    ----------
    problem, run
        What is solved, and the limits and the standing of the solve.
    engine, encoding, solver
        As of `encoders.solve.solve`.
    hint
        Whether to look for a tour to start from; the best known was asked for if `best`.
    check_stated
        Whether delivered certificates are checked that take long.
    moments
        Whether only stages are asked that take a moment on most boards.
    proof
        A folder for the proof that there is no tour; empty if none was asked for.
    """

    problem: Problem
    run: Run
    engine: str = "auto"
    encoding: str = ""
    solver: str = ""
    hint: bool | Literal["best"] = True
    check_stated: bool = False
    moments: bool = False
    proof: str = ""
    plain_search: PlainSearch | None = None
    """A search that has used up its first budget."""
    remainder: Remainder | None = None
    """What a reduction has left."""
    part_edges: list[IntArray | None] = field(default_factory=list)
    """For each part of it the edges of a tour, where it is known."""
    part_engines: list[str] = field(default_factory=list)
    """Who answered for parts of it."""
    part_searches: list[PlainSearch | None] = field(default_factory=list)
    """For each part of it a search that has used up its first budgets."""
    known: BestKnown | None = None
    """What was delivered of it."""
    done: set[str] = field(default_factory=set)
    """The stages that have worked."""
    answered_by: str = ""
    """The engine of the answer, if it is not the one that the tour is from."""
    reason: str = ""
    """Why there is no certificate."""

    @property
    def standing(self) -> Standing:
        """The best tour and bound so far."""
        return self.run.standing

    @cached_property
    def plain(self) -> bool:
        """Whether nobody asked for an engine."""
        return self.engine == "auto" and not (self.encoding or self.solver)

    @property
    def proving(self) -> bool:
        """Whether the engine is to be one that logs its proof."""
        return bool(self.proof) and self.plain and asks_any_tour(self.problem)

    @cached_property
    def searched(self) -> bool:
        """Whether the first tour is ours to choose."""
        return self.hint is not False

    @cached_property
    def reducible(self) -> bool:
        """Whether the problem may be reduced."""
        return self.plain and self.searched and presolve.applies(self.problem)

    @cached_property
    def reduced_first(self) -> bool:
        """Whether that comes before any search."""
        return self.reducible and presolve.is_reduced_first(self.problem)

    @property
    def constructed(self) -> bool:
        """Whether the best tour is one by rule, which nobody has tried to make better."""
        return "construction" in self.done and self.standing.source.startswith("find/")

    @cached_property
    def sweeping(self) -> Sweeping | None:
        """The sweep, if it is for the problem."""
        if self.problem.objective is None or self.problem.constraints:
            return None
        from encoders.sweeping import Sweeping

        return Sweeping.of(self.problem)

    @cached_property
    def bounding(self) -> Bounding | None:
        """What shows bounds of crossings on a thread of its own, from the beginning, where no sweep is as quick."""
        if self.problem.objective != "crossings" or self.problem.constraints or not self.plain or self.run.threads == 1:
            return None
        if self.sweeping is not None and self.sweeping.quick:
            return None
        from encoders.bounding import Bounding

        return Bounding(self.problem)

    @cached_property
    def prover(self) -> BranchAndBound | None:
        """Branch and bound, if it is for the problem."""
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
        """The value of a tour that nothing more is tried for."""
        bound = self.standing.bound
        if bound is None or self.problem.graph.n <= MAX_QUICK_CELLS:
            return -inf
        return max(0, bound) / (1 - CLOSE_GAP)

    @property
    def missing(self) -> frozenset[Brings]:
        """What is left to look for."""
        standing = self.standing
        if standing.decided:
            return frozenset() if standing.certified else frozenset({"certificate"})
        value = standing.value
        if self.plain and self.searched and value is not None and value <= self.good_value:
            return frozenset()
        return frozenset({"tour", "bound", "refutation"})

    def start_from_standing(self) -> None:
        """Note the tour that engines start from."""
        standing = self.standing
        if standing.edges is not None:
            self.run.start = WarmStart(standing.value, standing.source)


@dataclass(frozen=True)
class Stage:
    """A part of a solve.

    Parameters
    ----------
    name
        Of the stage.
    summary
        What it does, in a few words.
    order
        The cheaper it is for what it brings, the earlier.
    brings
        What it may add to the standing.
    work
        Adds it.
    applies
        Whether it is for a solve as that stands.
    moment
        Whether it takes a moment on most boards: `best` asks no other.
    numbered
        Whether it serves problems with given numbers.
    constrained
        Whether it serves problems with constraints.
    """

    name: str
    summary: str
    order: int
    brings: frozenset[Brings]
    work: Callable[[Solving], None]
    applies: Callable[[Solving], bool] = lambda solving: True
    moment: bool = False
    numbered: bool = False
    constrained: bool = False


def stages() -> list[Stage]:
    """Every stage, in the order in which they work."""
    return sorted(rows(__name__, Stage).values(), key=lambda stage: stage.order)


def answer(solving: Solving) -> Result:
    """Let one stage after the other work, until nothing is missing: the answer.

    A stage that has worked is not asked again: `answer` may be called with `moments` first, and then without.
    """
    run = solving.run
    with run.helpers:
        for stage in stages():
            able = stage.name not in solving.done and (stage.moment or not solving.moments)
            able = able and (stage.numbered or solving.problem.numbers is None)
            able = able and (stage.constrained or not solving.problem.constraints)
            if able and stage.brings & solving.missing and stage.applies(solving):
                solving.done.add(stage.name)
                stage.work(solving)
        result = run.standing.result(solving.answered_by, run.elapsed)
    statistics = {**result.statistics, **+run.counts}
    start = run.start if result.edges is not None and not solving.moments else None
    return result.with_notes(warm_start=start, statistics=statistics, reason=solving.reason or None)
