"""`Recording`: what an algorithm does, step by step, for a picture that plays.

A search that can be watched takes `watch`, which is `None` unless somebody watches, and records a step after each thing
that it does. A step is a sentence, the edges that the search has then (each of a kind), and cells with a mark. Edges
are kept as differences from the step before, as a step changes few of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_models.errors import KTError, TooLarge
from kt_models.graph import MoveGraph
from kt_models.result import Result

MAX_VERTICES = 1_000
"""Most vertices of a board whose steps are recorded: a step of a larger one cannot be seen."""
MAX_STEPS = 1_000
"""Most steps that are kept; of a longer search the last one follows after them."""
PATH, KEPT, OPEN, CYCLE, STRAND, TIE = "path", "kept", "open", "cycle", "strand", "tie"
"""Kinds of edges: of a path; that have to be used; still possible; of a cycle or a strand, `cycle 1` and so on; and
between strands."""


@dataclass(frozen=True)
class RecordedStep:
    """One step.

    Attributes
    ----------
    text
        A sentence.
    edges
        The kind of each edge that the step adds, or whose kind it changes, by its number in the graph.
    gone
        Edges that the search no longer has.
    cells
        Vertices that the sentence is about.
    marks
        A short text for some vertices, such as the number of ways on.
    """

    text: str
    edges: Mapping[int, str] = field(default_factory=dict)
    gone: tuple[int, ...] = ()
    cells: tuple[int, ...] = ()
    marks: Mapping[int, str] = field(default_factory=dict)


class Recording:
    """The steps of one run of an algorithm on a graph.

    Parameters
    ----------
    graph
        Of the problem; vertices and edges that a search adds for itself are left out.
    method
        The name of the algorithm.

    Raises
    ------
    TooLarge
        If the graph has more than `MAX_VERTICES` vertices.
    """

    def __init__(self, graph: MoveGraph, method: str) -> None:
        if graph.vertex_count > MAX_VERTICES:
            raise TooLarge(
                f"{graph.name}: {graph.vertex_count:,} cells; steps are recorded of at most {MAX_VERTICES:,}"
            )
        if graph.directed is not None:
            raise KTError(f"{graph.name} is directed, and steps are recorded on undirected graphs")
        self.graph, self.method = graph, method
        self.steps: list[RecordedStep] = []
        self.left_out = 0
        self._edge = {pair: edge for edge, pair in reversed([*enumerate(map(tuple, graph.ends.tolist()))])}
        self._now: dict[int, str] = {}

    def __len__(self) -> int:
        return len(self.steps)

    def _edge_of(self, u: int, v: int) -> int:
        """The edge of two vertices, or -1."""
        return self._edge.get((min(u, v), max(u, v)), -1)

    def name(self, vertex: int) -> str:
        """The name of a vertex; those that a search adds stand for the free ends of an open tour."""
        return self.graph.name_of(vertex) if vertex < self.graph.n else "a free end"

    def record(
        self,
        text: str,
        *,
        path: npt.ArrayLike = (),
        pairs: Mapping[str, Iterable[Sequence[int]]] | None = None,
        cells: Iterable[int] = (),
        marks: Mapping[int, str] | None = None,
    ) -> None:
        """Add a step.

        Parameters
        ----------
        path
            Vertices of a path in order; its edges get the kind `PATH`.
        pairs
            Edges of other kinds, each by its two vertices. Of two kinds the first one counts, and a path before both.
        cells, marks
            As of `RecordedStep`.
        """
        if len(self.steps) >= MAX_STEPS:
            self.left_out += 1
            return
        now: dict[int, str] = {}
        walk = np.asarray(path).tolist()
        for kind, of_kind in {PATH: pairwise(walk), **(pairs or {})}.items():
            for u, v in of_kind:
                if (edge := self._edge_of(u, v)) >= 0:
                    now.setdefault(edge, kind)
        n = self.graph.n
        self._add(text, now, (v for v in cells if v < n), {v: mark for v, mark in (marks or {}).items() if v < n})

    def record_cycles(self, text: str, links: npt.NDArray[np.int32], cells: Iterable[int] = ()) -> None:
        """Add a step of a cover by cycles, given by the two neighbours of each vertex, shape (n, 2)."""
        around, cycles = links.tolist(), list[list[tuple[int, int]]]()
        seen = [False] * len(around)
        for start in range(len(around)):
            before, u, edges = start, start, list[tuple[int, int]]()
            while not seen[u]:
                seen[u] = True
                onward = around[u][1] if around[u][0] == before else around[u][0]
                edges.append((u, onward))
                before, u = u, onward
            if edges:
                cycles.append(edges)
        pairs: dict[str, Iterable[Sequence[int]]] = {}
        free = (f"{CYCLE} {number}" for number in range(1, 2 * len(around)))
        kinds = set(self._now.values())
        for edges in sorted(cycles, key=len, reverse=True):
            # A cycle keeps the number that most of its edges had, so that its colour stays
            held = Counter(self._now.get(self._edge_of(u, v), "") for u, v in edges)
            old = [kind for kind, _ in held.most_common() if kind.startswith(CYCLE) and kind not in pairs]
            pairs[old[0] if old else next(kind for kind in free if kind not in kinds and kind not in pairs)] = edges
        self.record(text, pairs=pairs, cells=cells)

    def finish(self, result: Result) -> None:
        """Add the last step: the tour of a result, or that there is none."""
        tour = result.tour
        words = self.graph.words.tour
        text = f"No {words} was found." if tour is None else f"The {words} is complete."
        if self.left_out:
            text = f"{self.left_out:,} steps later: {text[0].lower()}{text[1:]}"
        self._add(text, dict(self._now) if tour is None else dict.fromkeys(tour.edges.tolist(), PATH), (), {})

    def _add(self, text: str, now: dict[int, str], cells: Iterable[int], marks: Mapping[int, str]) -> None:
        added = {edge: kind for edge, kind in now.items() if self._now.get(edge) != kind}
        gone = tuple(edge for edge in self._now if edge not in now)
        self.steps.append(RecordedStep(text, added, gone, tuple(int(v) for v in cells), marks))
        self._now = now

    def states(self) -> Iterator[tuple[RecordedStep, dict[int, str]]]:
        """Each step with the kind of every edge after it."""
        now: dict[int, str] = {}
        for step in self.steps:
            for edge in step.gone:
                del now[edge]
            now.update(step.edges)
            yield step, dict(now)

    def to_json(self) -> dict[str, Any]:
        """The JSON object: every edge by its two vertices, as users name them."""
        ends = self.graph.ends.tolist()
        names = [self.graph.name_of(v) for v in range(self.graph.n)]

        def move(edge: int) -> list[str]:
            return [names[v] for v in ends[edge]]

        return {
            "kind": "steps",
            **self.graph.to_json(),
            "method": self.method,
            "steps": [
                {
                    "text": step.text,
                    "edges": [[*move(edge), kind] for edge, kind in step.edges.items()],
                    "gone": [move(edge) for edge in step.gone],
                    "cells": [names[v] for v in step.cells],
                    "marks": {names[v]: mark for v, mark in step.marks.items()},
                }
                for step in self.steps
            ],
        }
