"""Exhaustive search for the gadgets of a frame, or for those with the fewest turns or crossings, by a SAT solver.

The clauses are those of the frame's `Problem` (degrees; the objective as a totalizer over its literals). An answer with
the wrong connectivity is excluded by a clause that every gadget of the frame satisfies:

- a closed cycle, or a path that joins two ports that may not be joined: some edge leaves its vertices;
- ports joined in pairs that are each allowed, but not together: some edge leaves one of the paths;
- a closed cycle where the frame is periodic (there a path may run round the same vertices): one of its edges is not
  chosen.

First descent finds the least value. For large regions `encoders.solve` comes before it, because CP-SAT is better at
bounds: turns of a 10x10 junction in 26 s, by descent not in 40. Then the solver lists the answers with that value, each
excluded by a clause over the moves alone, until it proves that there are no more. So no gadget is missed, and none
found twice.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from encoders.work.run import Run, in_time
from kt_models.errors import KTError, TooLarge
from kt_models.gadgets.count import count_gadgets
from kt_models.gadgets.frame import Frame
from kt_models.gadgets.gadget import Gadget, paths_of, unfold
from kt_models.gadgets.statement import MAX_COUNTED
from kt_models.gadgets.wanted import MAX_PAIRED, Wanted, drift_of
from kt_models.limits import NO_LIMITS, Limits, Listener, Report, Stopped, silent
from kt_models.runs.cubes import Cube
from kt_models.walks import Walk, walks_of

if TYPE_CHECKING:
    from encoders.sat.formula import Clause
    from kt_models.board import IntArray
    from kt_models.problem import Problem
    from kt_models.runs.gadget_task import GadgetTask

MAX_SEARCHED_CELLS = 2_000
"""Most cells of a region, with its lines outside, for a search."""
MAX_COUNT_SECONDS = 120.0
"""Longest time, in seconds, for a second count of the gadgets."""
IMPROVE_SHARE, IMPROVE_SECONDS = 0.5, 60.0
"""Share of the time, and longest time, for windows of a known gadget of a large region."""
MIN_SOLVED_CELLS = 50
"""Cells from which on `encoders.solve` comes first; smaller regions are done before its engines have started."""


@dataclass(frozen=True)
class GadgetResult:
    """The outcome of a search.

    Parameters
    ----------
    frame
        What was searched.
    gadgets
        Distinct gadgets; all with the value `value` if there is an objective.
    value
        Value of each gadget; None without an objective, or if nothing was found.
    bound
        Lower bound for all gadgets of this frame; None without an objective.
    complete
        Whether there are no other gadgets (of least value).
    infeasible
        Whether it was proved that there is none.
    wanted, at_most
        The conditions of the search; None without conditions on the ports, or without a greatest value.
    counted
        Whether an exact sweep, which shares nothing with the search, counted exactly these gadgets (if complete) and
        none below the bound.
    """

    frame: Frame
    gadgets: tuple[Gadget, ...]
    minimize: str | None = None
    value: int | None = None
    bound: int | None = None
    complete: bool = False
    infeasible: bool = False
    seconds: float = 0.0
    wanted: Wanted | None = None
    at_most: int | None = None
    counted: bool = False

    @property
    def status(self) -> str:
        """`optimal`, `feasible` (found, and not proved least or nothing was to be least), `infeasible` or `unknown`."""
        if self.infeasible:
            return "infeasible"
        return "optimal" if self.optimal else "feasible" if self.gadgets else "unknown"

    @property
    def optimal(self) -> bool:
        return self.value is not None and self.value == self.bound


def search(
    frame: Frame,
    *,
    minimize: str | None = None,
    wanted: Wanted | None = None,
    most: int | None = None,
    at_most: int | None = None,
    start: Gadget | None = None,
    limits: Limits = NO_LIMITS,
    on_progress: Listener = silent,
) -> GadgetResult:
    """Find every gadget of a frame.

    Parameters
    ----------
    minimize
        `turns` or `crossings`, for the gadgets with the fewest; None for all.
    wanted
        The ports that must be joined.
    most
        Stop after this many gadgets.
    at_most
        With `minimize`: all gadgets up to this value instead of those of least value.
    start
        A known gadget of the frame. With `minimize`, the search starts from it if it is wanted.
    limits
        Limits, after which the answer is what was found by then.
    on_progress
        Called with a report now and then.

    Raises
    ------
    KTError
        If these are inconsistent.
    TooLarge
        If the region has more than `MAX_SEARCHED_CELLS` cells.
    """
    wanted = wanted or Wanted()
    wanted.check(frame)
    if at_most is not None and minimize is None:
        raise KTError("a greatest value needs an objective: minimise turns or crossings")
    run = Run(limits, minimize is not None)
    work = _GadgetSearch(frame, minimize, wanted, frame.problem(minimize), run, on_progress)
    if start is not None and minimize is not None and at_most is None and wanted.admits(start):
        work.start(start)
    result = work.result(most, at_most)
    on_progress(Report(words=f"{len(result.gadgets)} found, counting them again"))
    return counted_again(result, run.limits)


def search_cube(task: GadgetTask, cube: Cube, most: int, limits: Limits) -> GadgetResult:
    """Every gadget of a task within a cube; stop after `most`."""
    run = Run(limits, task.minimize is not None)
    work = _GadgetSearch(task.frame, task.minimize, task.wanted, cube.of(task.problem), run, silent)
    return work.result(most, task.at_most)


def counted_again(result: GadgetResult, limits: Limits) -> GadgetResult:
    """The result, with the answer whether a sweep confirms it, if there is time for a sweep."""
    # A sweep checks a complete list, or that nothing is below the least value.
    if result.wanted is None or len(result.frame.cells) > MAX_COUNTED or not (result.complete or result.optimal):
        return result
    limits = limits.within(MAX_COUNT_SECONDS)
    most = result.at_most if result.value is None else result.value
    metric = None if most is None else result.minimize
    try:
        # With the least value proved but not all gadgets listed, only values below it are counted.
        if not result.complete and most is not None:
            most -= 1
        counts = limits.run(lambda: count_gadgets(result.frame, result.wanted or Wanted(), metric, most, limits))
    except (KTError, Stopped):
        return result
    count = sum(counts.values())
    if count != (len(result.gadgets) if result.complete else 0):
        raise RuntimeError(f"a sweep counts {count} gadgets, and the search has {len(result.gadgets)}")
    return replace(result, counted=True)


class _GadgetSearch:
    """One search: the solver's clauses so far, and the gadgets found."""

    def __init__(
        self,
        frame: Frame,
        minimize: str | None,
        wanted: Wanted,
        problem: Problem,
        run: Run,
        on_progress: Listener,
    ) -> None:
        if frame.graph.n > MAX_SEARCHED_CELLS:
            size = f"a region of {frame.graph.n:,} cells with its lines outside"
            raise TooLarge(f"{size}: at most {MAX_SEARCHED_CELLS:,} are searched")
        self.frame, self.minimize, self.wanted, self.run = frame, minimize, wanted, run
        self.problem, self.on_progress = problem, on_progress
        self.pairs = wanted.pairs(frame)
        self.gadgets: list[Gadget] = []
        self.value: int | None = None
        self.bound: int | None = None
        self.complete = False
        self._edges: IntArray | None = None

    def start(self, gadget: Gadget) -> None:
        """Start from a gadget, which is the answer until there is a better one."""
        self._better(gadget.edges)

    def result(self, most: int | None, at_most: int | None) -> GadgetResult:
        """Search, and return the outcome."""
        with contextlib.suppress(Stopped):
            # Work in a thread, so that signals are seen meanwhile.
            in_time(self.run, lambda: self.run_all(most, at_most))
        return GadgetResult(
            self.frame,
            tuple(sorted(self.gadgets, key=lambda gadget: [path.cells for path in gadget.paths])),
            self.minimize,
            self.value if at_most is None else None,
            self.bound,
            self.complete,
            self.complete and not self.gadgets,
            self.run.elapsed,
            self.wanted,
            at_most,
        )

    def run_all(self, most: int | None, at_most: int | None) -> None:
        from encoders.sat.formula import Formula
        from encoders.sat.listing import Lister

        self.formula = Formula(self.problem)
        first = self._asked_first() if self.minimize and at_most is None else None
        if self.complete:
            return
        with Lister(self.formula, self.run.limits, self._clauses_against) as lister:
            if self.minimize and at_most is None:
                first = lister.least(self._better, first, self.bound)
                self.bound = at_most = self.value
            # The list begins again: the least gadget is among those to come.
            self.gadgets.clear()
            for edges in lister.all(at_most, first):
                self.gadgets.append(Gadget.of_edges(self.frame, edges))
                if len(self.gadgets) % 10 == 0:
                    self.on_progress(Report(words=f"{len(self.gadgets)} found"))
                if most is not None and len(self.gadgets) >= most:
                    return
        self.complete = True

    def _asked_first(self) -> IntArray | None:
        """The best gadget so far, for a large region after windows and `encoders.solve`; its bound always holds."""
        frame, run = self.frame, self.run
        if frame.periodic or len(frame.cells) < MIN_SOLVED_CELLS:
            return self._edges
        from encoders.gadgets.improve import improve_paths
        from encoders.solve import solve

        if self._edges is not None:
            ends = self.problem.graph.ends[self._edges]
            paths = [walk.vertices for walk in walks_of(self.problem.graph.n, ends, self._edges)]
            limits = run.limits.part(IMPROVE_SHARE).within(IMPROVE_SECONDS)
            improve_paths(self.problem, paths, limits, lambda edges: not self._clauses_against(edges), self._better)
        problem, exact = self.problem, self.wanted == Wanted()
        # With one possible pairing the search is for paths between given ends, which `solve` knows.
        pairings = self.wanted.pairings(frame) if len(frame.ports) <= MAX_PAIRED and not exact else []
        if len(pairings) == 1:
            terminals = tuple(frame.ends[k] for pair in pairings[0] for k in sorted(pair))
            problem, exact = replace(problem, connectivity="linkage", terminals=terminals), True

        result = solve(problem, limits=run.limits.part(1.0 if exact else 0.5), on_progress=self.on_progress)
        self.complete = result.status == "infeasible"
        self.bound = result.cost_bound
        if result.edges is not None and not self._clauses_against(result.edges):
            self._better(result.edges)  # Keep it even if the run is over now.
        return self._edges

    def _better(self, edges: IntArray) -> None:
        value = self.problem.cost(edges)
        if self.value is not None and value is not None and value > self.value:
            return
        self._edges, self.value = edges, value
        self.gadgets[:] = [Gadget.of_edges(self.frame, edges)]
        self.on_progress(Report(words=f"{self.value} {self.minimize}, looking for less"))

    def _clauses_against(self, edges: IntArray) -> list[Clause]:
        graph, frame = self.problem.graph, self.frame
        walks = walks_of(graph.n, graph.ends[edges], edges)
        port = {vertex: k for k, vertex in enumerate(frame.ends)}
        clauses, pairing = [], set()
        for walk in walks:
            if walk.closed:
                # On a periodic board a cycle may wind around, which is no cycle in the plane.
                if frame.periodic:
                    if self.wanted.drift is not None or _returns(frame, walk):
                        clauses.append([-self.formula.edge[e] for e in walk.edges])
                else:
                    clauses.append(self.formula.cut_set(walk.vertices))
                continue
            pair = frozenset((port[walk.vertices[0]], port[walk.vertices[-1]]))
            pairing.add(pair)
            if pair not in self.pairs or self.wanted.drift not in (None, drift_of(frame, *paths_of(frame, [walk]))):
                clauses.append(self._leave([walk]))
        if not clauses and not self.wanted.allows(frame, frozenset(pairing)):
            clauses.append(self._leave([walk for walk in walks if not walk.closed]))
        return clauses

    def _leave(self, walks: list[Walk]) -> Clause:
        """Require an edge out of one of these paths; on a periodic board, exclude one of their edges."""
        if self.frame.periodic:
            return [-self.formula.edge[e] for walk in walks for e in walk.edges if e not in self.problem.required]
        return sorted({literal for walk in walks for literal in self.formula.cut_set(walk.vertices)})


def _returns(frame: Frame, walk: Walk) -> bool:
    """Whether a cycle on the board is closed in the plane too."""
    cells = unfold(frame, walk)
    return cells[0] == cells[-1]
