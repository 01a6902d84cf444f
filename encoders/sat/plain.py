"""The plainest SAT search, in this process: degrees, and a cut-set against each component of a wrong answer.

On many graphs it ends before a process for another solver would have started, and before the compiled heuristics are
loaded. Its budget counts conflicts and edges looked at, so the clock decides nothing. When the budget is used up, the
search can go on later from the same state.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from encoders.sat.formula import Clause, Formula
from encoders.sat.oracle import Oracle
from kt_models.board import IntArray
from kt_models.problem import Problem
from kt_models.walks import Walk, walks_of

EDGES_PER_ROUND = 1_000
"""Number of edges whose scan costs as much as a round on a small graph."""
SOLVER = "glucose4"
"""The solver that starts quickest, and is fast enough on graphs that are this easy."""


@dataclass(frozen=True)
class Budget:
    """The extent of a search.

    Parameters
    ----------
    conflicts
        Conflicts of the solver.
    looks
        Edges looked at between its answers: all edges after each answer, and `EDGES_PER_ROUND` more for the other work.
    """

    conflicts: int
    looks: int


BUDGETS = (Budget(2_000, 400_000), Budget(20_000, 1_500_000), Budget(60_000, 10_000_000))
"""Successive budgets, between which other methods are tried; the last one takes a few seconds."""


class PlainSearch:
    """A search for one cycle or path that can be continued; `close` ends it.

    Parameters
    ----------
    check
        Called now and then; it raises when the time is up.
    count
        Called with the solver's counts.
    """

    name = f"sat/cut-set {SOLVER}"

    def __init__(self, problem: Problem, check: Callable[[], None], count: Callable[[Mapping[str, int]], None]) -> None:
        self._problem = problem
        self._formula = Formula(problem)
        self._edge = np.array(self._formula.edge, dtype=np.int64)
        self._oracle = Oracle(SOLVER, self._formula.clauses, 0, check, count)
        self._lock = threading.Lock()

    def close(self) -> None:
        """Free the solver for good, unless it is at work in a thread that was late."""
        if self._lock.acquire(blocking=False):  # The lock is never released again.
            self._oracle.close()

    def work(self, budget: Budget) -> IntArray | Literal[False] | None:
        """The edges of a cycle or path; False if there is none, None if the budget is used up."""
        with self._lock:
            return self._work(budget.conflicts, budget.looks)

    def _work(self, conflicts: int, looks: int) -> IntArray | Literal[False] | None:
        m = self._problem.graph.m
        while conflicts > 0 and looks > 0:
            answer, used = self._oracle.solve_within(conflicts)
            conflicts -= used
            looks -= m + EDGES_PER_ROUND
            if not answer:
                return None if answer is None else False
            edges = self._edges(self._oracle.model())
            walks = walks_of(self._problem.graph.n, self._problem.graph.ends[edges], edges)
            if len(walks) == 1:
                return edges
            self._oracle.add(self._cut_sets(walks))
        return None

    def _edges(self, model: list[int]) -> IntArray:
        literals = np.array(model, dtype=np.int64)
        true = np.zeros(self._formula.top + 1, dtype=bool)
        true[literals[(literals > 0) & (literals <= self._formula.top)]] = True
        return np.flatnonzero(true[self._edge]).astype(np.int32)

    def _cut_sets(self, walks: list[Walk]) -> list[Clause]:
        """Clause for each walk that an edge leaves its vertices; of two walks, one is enough."""
        graph = self._problem.graph
        walk_of = np.empty(graph.n, dtype=np.int64)
        for number, walk in enumerate(walks):
            walk_of[list(walk.vertices)] = number
        sides = walk_of[graph.ends]
        crossing = np.flatnonzero(sides[:, 0] != sides[:, 1])
        clauses: list[set[int]] = [set() for _ in walks]
        for variable, (a, b) in zip(self._edge[crossing].tolist(), sides[crossing].tolist(), strict=True):
            clauses[a].add(variable)
            clauses[b].add(variable)
        return [sorted(clause) for clause in clauses[: 1 if len(walks) == 2 else None]]
