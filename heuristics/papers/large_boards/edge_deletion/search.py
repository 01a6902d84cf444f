"""Searches with different orders, side by side."""

from __future__ import annotations

import math
import threading
from collections import deque
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from heuristics.papers.large_boards.edge_deletion.names import COUNTERS, RULES
from heuristics.papers.large_boards.edge_deletion.orders import good_ranking, parse_ranking, random_order, uniform_order
from heuristics.papers.large_boards.edge_deletion.walk import EXHAUSTED, FOUND, RUNNING, DeletionSearch
from heuristics.simple_graph import SimpleGraph, simple_graph_or_result
from kt_models.errors import KTError, unknown
from kt_models.limits import Limits
from kt_models.machine import usable_cores
from kt_models.problem import Problem
from kt_models.recording import KEPT as KEPT_EDGES
from kt_models.recording import OPEN, Recording
from kt_models.result import Result

ORDERS = ("mixed", "random", "uniform")
"""Kinds of visit orders; any other name is a single order, given by its moves."""
WORDS = {
    "terminal": "a cell has one edge left",
    "three-way": "a cell has three edges that have to be kept",
    "loop": "kept edges make a cycle that is too short",
    "parity": "an island has the wrong number of ways in",
    "bridgeless": "an edge to an island is a bridge",
    "balance": "an island has too many cells of one colour",
    "two-factor": "no cover by cycles is left",
    "toughness": "a cell leaves two pieces",
    "pairs": "two cells leave three pieces",
}
"""Reasons for a dead end, by rule."""
SLICE_STEPS = 20_000_000
"""Vertices times steps between two looks at the clock, some hundredths of a second."""


def searched(
    problem: Problem,
    limits: Limits,
    watch: Recording | None = None,
    *,
    order: str,
    orders: int,
    patience: float,
    sequential: float,
    origin: str,
    without: str,
    island_limit: int,
    toughness: int,
) -> Result:
    """The answer of the method `edge-deletion`, whose docstring explains the parameters."""
    rules = _rules(without, toughness)
    if orders < 1 or island_limit < 0:
        raise KTError("edge-deletion: at least one order, an island limit of at least 0")
    if not (0 <= sequential <= 1 and patience >= 0):
        raise KTError("edge-deletion: `sequential` is between 0 and 1, and `patience` is not negative")
    visit = _visit_orders(problem, order, limits.seed)
    first = _first(problem, origin)
    instance = simple_graph_or_result(problem)
    if isinstance(instance, Result):
        return instance
    trunk = _walk(instance, visit(instance, 0), first, rules, island_limit)
    single = order not in ORDERS
    advance = _advance if watch is None else _Watched(watch).advance
    portfolio = _Portfolio(
        trunk, lambda number: visit(instance, number), math.inf if single else patience or math.inf, advance
    )
    portfolio.go_alone(sequential, limits)
    workers = 1 if single or watch is not None else limits.workers or usable_cores()
    portfolio.run(1 if single else max(orders, workers), workers, limits)
    count = portfolio.statistics
    if portfolio.cycle is not None:
        return Result(problem, "feasible", instance.lift(portfolio.cycle), statistics=count)
    return Result(problem, "infeasible" if portfolio.exhausted else "unknown", statistics=count)


def _advance(walk: DeletionSearch, steps: int, until: int) -> int:
    return walk.run(steps, until)


class _Watched:
    """Runs searches one step at a time, and records each."""

    def __init__(self, steps: Recording) -> None:
        self._steps = steps

    def advance(self, walk: DeletionSearch, steps: int, until: int) -> int:
        """Run a search as `DeletionSearch.run` does."""
        status = RUNNING
        for _ in range(steps):
            before = walk.counts.copy()
            status = walk.run(1, until)
            self._record(walk, dict(zip(COUNTERS, (walk.counts - before).tolist(), strict=True)))
            if status != RUNNING or walk.depth == until:
                break
        return status

    def _record(self, walk: DeletionSearch, more: dict[str, int]) -> None:
        name, path = self._steps.name, walk.path.tolist()
        if not any(more.values()):
            return
        reasons = [WORDS[rule] for rule in RULES if more[rule] and rule in WORDS]
        why = f" ({', '.join(reasons)})" if reasons else ""
        last = name(path[-1])
        if more["backtracks"]:
            text = f"Back to {last}: the edge that was chosen there is deleted, as it led to no tour."
        else:
            kind = "a choice" if more["choices"] else "the only way"
            text = f"On to {last}, {kind}."
        if count := more["deletions"]:
            text += f" {count} edge{'s are' if count > 1 else ' is'} deleted."
        if more["stuck"] or reasons:
            text += f" A dead end{why or ': no way leads on'}."
        kept, free = walk.edges_by_state
        self._steps.record(text, path=path, pairs={KEPT_EDGES: kept, OPEN: free}, cells=path[-1:])


class _Portfolio:
    """Searches with different orders, side by side.

    Parameters
    ----------
    trunk
        The search in the first order, from which the others branch off.
    visit
        The visit order with a given number, from 0.
    patience
        Steps for each vertex and term of Luby's sequence, after which an order is replaced by the next.
    advance
        Runs a search for a number of steps, or up to a depth; returns its status.
    """

    def __init__(
        self,
        trunk: DeletionSearch,
        visit: Callable[[int], npt.NDArray[np.int64]],
        patience: float,
        advance: Callable[[DeletionSearch, int, int], int],
    ) -> None:
        self._trunk, self._advance = trunk, advance
        self._n = trunk.n
        # At least 50 steps on the largest graphs, so that the change between searches stays cheap.
        self._slice = max(50, SLICE_STEPS // self._n)
        self._visit = visit
        self._patience = patience
        self._lock = threading.Lock()
        self._begun = 0
        self._done = threading.Event()
        self._totals = dict.fromkeys(COUNTERS, 0)
        self.cycle: npt.NDArray[np.int32] | None = None
        self.exhausted = False

    @property
    def statistics(self) -> dict[str, int | float]:
        return {"orders": self._begun, **self._totals}

    def go_alone(self, part: float, limits: Limits) -> None:
        """Let the first order visit a share of the cells; the others will start from there."""
        # The first order gets four steps for each vertex; if it does not come that far, the others start from where it
        # is.
        goal, steps = int(part * self._n), 4 * self._n
        while 1 < goal != self._trunk.depth and steps > 0 and not self._done.is_set() and not limits.over:
            self._settle(self._trunk, self._advance(self._trunk, min(self._slice, steps), goal))
            steps -= self._slice

    def run(self, orders: int, workers: int, limits: Limits) -> None:
        """Search with several orders in turn, until one has the answer."""
        waiting = deque(self._next() for _ in range(orders) if not limits.over)
        if workers == 1:
            self._work(waiting, limits)
            return
        # The first slice runs before threads start, so that an easy graph needs none.
        self._turn(waiting, limits)
        threads = [threading.Thread(target=self._work, args=(waiting, limits)) for _ in range(workers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def _work(self, waiting: deque[tuple[DeletionSearch, float]], limits: Limits) -> None:
        while self._turn(waiting, limits):
            pass

    def _turn(self, waiting: deque[tuple[DeletionSearch, float]], limits: Limits) -> bool:
        """Run a slice of the search that has waited longest; return whether there may be another."""
        if self._done.is_set() or limits.over:
            return False
        try:
            walk, left = waiting.popleft()
        except IndexError:  # The other workers hold the remaining searches.
            return False
        steps = int(min(self._slice, left))
        status = self._advance(walk, steps, -1)
        self._settle(walk, status)
        if status == RUNNING:
            # A search that used up its steps makes way for the next order.
            waiting.append((walk, left - steps) if left > steps else self._next())
        return status == RUNNING

    def _next(self) -> tuple[DeletionSearch, float]:
        """A search in the next order, and its number of steps."""
        with self._lock:
            number = self._begun
            self._begun += 1
        allowed = self._patience * self._n * luby(number + 1)
        walk = self._trunk.copy(self._trunk.visit if number == 0 else self._visit(number))
        return walk, allowed if math.isinf(allowed) else max(1, int(allowed))

    def _settle(self, walk: DeletionSearch, status: int) -> None:
        """Add up the counts of a search, and record its answer."""
        with self._lock:
            for name, count in zip(COUNTERS, walk.counts.tolist(), strict=True):
                self._totals[name] += count
            # The counts were added to the total, and begin again.
            walk.counts[:] = 0
            if self._done.is_set():
                return
            if status == FOUND:
                self.cycle = walk.path
            self.exhausted = status == EXHAUSTED
            if status in (FOUND, EXHAUSTED):
                self._done.set()


def luby(i: int) -> int:
    """The i-th term, from 1, of 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 ... (Luby, Sinclair and Zuckerman 1993)."""
    # While i + 1 is no power of two, i repeats the earlier part of the sequence.
    while (i + 1) & i:
        i -= (1 << (i.bit_length() - 1)) - 1
    return (i + 1) // 2


def _walk(
    instance: SimpleGraph, visit: npt.NDArray[np.int64], start: int, rules: frozenset[str], island_limit: int
) -> DeletionSearch:
    return DeletionSearch(instance.graph, visit, start, instance.colour, rules, island_limit)


def _rules(without: str, toughness: int) -> frozenset[str]:
    if toughness not in (1, 2):
        raise KTError(f"edge-deletion: toughness {toughness}: it is 1 or 2")
    off = {name.strip() for name in without.split(",")} - {""}
    if strange := off - set(RULES):
        raise unknown("rule", min(strange), RULES)
    return frozenset(RULES) - off - ({"pairs"} if toughness == 1 else set())


def _first(problem: Problem, origin: str) -> int:
    """The start of the search: for an open tour the auxiliary vertex between its ends."""
    if not problem.closed:
        if origin:
            raise KTError("edge-deletion: `origin` is for closed tours; an open tour has given ends or free ones")
        return problem.graph.n
    return problem.graph.find(origin) if origin else 0


def _visit_orders(problem: Problem, order: str, seed: int) -> Callable[[SimpleGraph, int], npt.NDArray[np.int64]]:
    """The visit orders of a graph by number: see `order` in `edge_deletion`."""
    board = problem.graph
    named = None if order in ORDERS else parse_ranking(board, order)

    def visit(instance: SimpleGraph, number: int) -> npt.NDArray[np.int64]:
        rng = np.random.default_rng((seed, number))
        if named is not None:
            return uniform_order(instance.graph, board, named)
        if order == "random" or (number > 0 and (order == "mixed" or board.moves is None)):
            return random_order(instance.graph, rng)
        if number == 0 or board.moves is None:
            return uniform_order(instance.graph, board, good_ranking(board))
        return uniform_order(instance.graph, board, rng.permutation(2 * len(board.moves)))

    return visit
