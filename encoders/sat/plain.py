"""The plainest SAT search, in this process: degrees, and a cut-set against each component of a wrong answer.

It is over on many graphs before a process for another solver would have been started, and before what heuristics are
compiled to has been loaded.  Its budget is counted in conflicts and in edges looked at, so the clock decides nothing,
and where it runs out, the search goes on later from where it was.
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
"""Edges that are looked at in the time that a round takes for a small graph."""
SOLVER = "glucose4"
"""Quickest to begin, and on graphs that are no harder than this."""


@dataclass(frozen=True)
class Budget:
    """How far to search.

    Parameters
    ----------
    conflicts
        Of the solver.
    looks
        Edges looked at between its answers: all of them after each, and `EDGES_PER_ROUND` more for what else there is
        to do.
    """

    conflicts: int
    looks: int


BUDGETS = (Budget(2_000, 400_000), Budget(20_000, 1_500_000), Budget(60_000, 10_000_000))
"""One after the other, as other things are tried between: a moment, some tenths of a second, a few seconds."""


class PlainSearch:
    """A search for one cycle or path that can be continued; `close` ends it.

    Parameters
    ----------
    check
        Called now and then; it raises when it is time to give up.
    count
        Hears what the solver counts.
    """

    name = f"sat/cut-set {SOLVER}"

    def __init__(self, problem: Problem, check: Callable[[], None], count: Callable[[Mapping[str, int]], None]) -> None:
        self._problem = problem
        self._formula = Formula(problem)
        self._edge = np.array(self._formula.edge, dtype=np.int64)
        self._oracle = Oracle(SOLVER, self._formula.clauses, 0, check, count)
        self._lock = threading.Lock()

    def close(self) -> None:
        """Free the solver, for good, unless it is at work, in a thread that was late."""
        if self._lock.acquire(blocking=False):  # and never released
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
        """For each walk, that an edge leaves its vertices; for two of them that is the same."""
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
