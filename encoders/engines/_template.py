"""`backtrack`: depth-first search from vertex to vertex, for closed tours of small graphs.

A template: a copy without the underscore is an engine.
"""

from __future__ import annotations

import threading

import numpy as np
from kt.encoders.engines import EngineKind
from kt.encoders.work.run import Engine, Report, Run
from kt.kt_models.errors import KTError
from kt.kt_models.problem import Problem


class Backtrack:
    name = "backtrack"

    def __init__(self, problem: Problem) -> None:
        if problem.connectivity != "cycle" or problem.objective or problem.required or problem.forbidden:
            raise KTError("backtrack: this engine finds closed tours, with no conditions")
        self.problem, self._stop = problem, threading.Event()

    def interrupt(self) -> None:
        self._stop.set()

    def work(self, run: Run) -> Report:
        limits, graph = run.limits.until(self._stop.is_set), self.problem.graph
        # The path: each vertex with its untried edges, and the edges between them.
        way, used = [(0, list(graph.edges_of(0)))], [0]
        seen = {0}
        while way:
            limits.check()
            vertex, left = way[-1]
            if not left:
                seen.discard(way.pop()[0])
                used.pop()
                continue
            edge = left.pop()
            neighbour = int(graph.ends[edge].sum()) - vertex
            if len(seen) == graph.n and neighbour == 0:
                edges = np.array([*used[1:], edge])
                run.report(self.name, edges=edges)
                return Report(self.name, edges=edges, status="feasible", conclusive=True)
            if neighbour not in seen:
                seen.add(neighbour)
                used.append(edge)
                way.append(
                    (neighbour, sorted(graph.edges_of(neighbour), key=lambda e: -graph.degrees[graph.ends[e]].sum()))
                )
        return Report(self.name, status="infeasible", conclusive=True)


def start(problem: Problem, threads: int, encoding: str, solver: str) -> list[Engine]:
    return [Backtrack(problem)]


ENGINE = EngineKind("backtrack", "from vertex to vertex, and back", start)
