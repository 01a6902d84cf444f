"""Reduction of a problem of one cycle or path to smaller problems, or to an answer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from encoders.presolve.decide import decide
from encoders.presolve.split import split
from encoders.presolve.subgraph import Contradiction, Subgraph
from encoders.presolve.sweep import TooWide
from heuristics.simple_graph import SimpleGraph, simple_graph_of
from kt_models.board import IntArray
from kt_models.graph import MoveGraph
from kt_models.limits import Limits
from kt_models.problem import Problem
from kt_models.tour import Tour
from kt_models.walks import walks_of


@dataclass(frozen=True)
class Remainder:
    """The rest of a problem after a reduction.

    Parameters
    ----------
    instance, whole
        The plain graph of the problem, and the steps of its reduction.
    parts
        The undecided parts, each to be solved by itself.
    cycle
        The edges of the cycles of the decided parts.
    """

    instance: SimpleGraph
    whole: Subgraph
    parts: tuple[Subgraph, ...]
    cycle: frozenset[int]

    @property
    def changed(self) -> bool:
        """Whether the reduction changed anything."""
        return bool(self.whole.undo) or not self.parts

    def problems(self) -> list[Problem]:
        """A problem for each part, with vertices and edges in the order of their numbers in the part."""
        return [_problem_of(part) for part in self.parts]

    def lift(self, answers: Iterable[IntArray]) -> Tour:
        """The tour of the problem, from the edges of a solution for each part."""
        cycle = set(self.cycle)
        for part, answer in zip(self.parts, answers, strict=True):
            names = list(_edges_of(part))
            cycle.update(names[edge] for edge in answer.tolist())
        graph = self.instance.graph
        (walk,) = walks_of(graph.n, graph.ends[sorted(self.whole.lift(cycle))])
        return self.instance.lift(np.array(walk.vertices, dtype=np.int32))


def reduce(problem: Problem, limits: Limits) -> Remainder | None:
    """The remainder of a problem, or None if the problem has no solution.

    Raises
    ------
    Stopped
        If the limits are reached.
    """
    instance = simple_graph_of(problem)
    if instance is None:
        return None
    whole = Subgraph.of(instance.graph.n, instance.graph.ends.tolist())
    parts = []
    try:
        left, cycle = split(whole, limits.check)
        for part in left:
            try:
                answer = decide(part.copy(), limits.check)
            except TooWide:
                parts.append(part)
                continue
            if answer is None:
                return None
            cycle |= answer
    except Contradiction:
        return None
    return Remainder(instance, whole, tuple(parts), frozenset(cycle))


def _edges_of(part: Subgraph) -> dict[int, tuple[int, int]]:
    """The edges of a part by their numbers in it, in the order of its problem's vertices."""
    number = {v: i for i, v in enumerate(sorted(part.at))}
    ends = {edge: (number[u], number[v]) for edge, (u, v) in part.ends.items()}
    return dict(sorted(ends.items(), key=lambda item: item[1]))


def _problem_of(part: Subgraph) -> Problem:
    ends = _edges_of(part)
    required = frozenset(i for i, edge in enumerate(ends) if edge in part.required)
    graph = MoveGraph.from_edges(len(part.at), np.array(list(ends.values())), "reduced graph")
    return Problem(graph, required=required)
