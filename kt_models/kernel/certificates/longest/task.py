"""`LongestTask`: the definition of a longest walk, which visits no vertex twice and may leave vertices out.

A vertex has two chosen edges or none (one at each end of an open walk), the chosen edges are connected, no two of them
cross if `uncrossed`, and their number is maximal.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from kt_models.errors import InvalidTour, KTError
from kt_models.graph import MoveGraph, not_for_directed
from kt_models.json_values import are_integers, is_boolean
from kt_models.kernel.certificates.integers import Ints
from kt_models.kernel.certificates.obstructions import two_colouring
from kt_models.kernel.certificates.statement import place
from kt_models.pairs import count_steps
from kt_models.walks import Walk, components, walks_of


@dataclass(frozen=True)
class LongestTask:
    """The task of finding a longest walk.

    Parameters
    ----------
    graph
        The graph of the walk.
    closed
        Whether the walk returns to its start.
    uncrossed
        Whether no two of its moves may cross; boards in the plane only.

    Raises
    ------
    KTError
        If crossings are not defined there.
    """

    graph: MoveGraph
    closed: bool = True
    uncrossed: bool = False

    def __post_init__(self) -> None:
        not_for_directed(self.graph, "longest walks")
        if self.uncrossed and (self.graph.board is None or self.graph.board.dimension != 2):
            raise KTError(f"crossings of {self.graph.name}: crossings are defined in the plane only")
        if self.graph.fixed:
            raise KTError(f"{self.graph.name} has fixed edges, and longest walks do not support required edges")

    @property
    def text(self) -> str:
        """The task in words."""
        kind = f"{'uncrossed ' if self.uncrossed else ''}{'closed' if self.closed else 'open'}"
        piece = "" if self.graph.leaper is None else f" of the {self.graph.leaper.piece}"
        return f"{kind} walk{piece} on {place(self.graph)}"

    @cached_property
    def core(self) -> LongestTask:
        """The task on the vertices that have an edge, if that is less than half of them; the edges keep their numbers.

        A walk stays among them, and a file of a few bytes can declare a hundred million others.
        """
        graph = self.graph
        if graph.board is not None or 4 * (graph.m + 1) >= graph.n:
            return self
        met, ends = np.unique(graph.ends, return_inverse=True)
        smaller = MoveGraph.from_edges(max(len(met), 1), ends.reshape(-1, 2), graph.name)
        return replace(self, graph=smaller)

    def to_json(self) -> dict[str, Any]:
        """The keys of the graph and of the task."""
        return {**self.graph.to_json(), "closed": self.closed, "uncrossed": self.uncrossed}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> LongestTask:
        """The task of a JSON object as `to_json` writes it.

        Raises
        ------
        KTError
            If a key is missing or of the wrong type.
        """
        if not is_boolean(data.get("closed")) or not is_boolean(data.get("uncrossed")):
            raise KTError("'closed' or 'uncrossed' is missing or is neither true nor false")
        return cls(MoveGraph.from_json(data), data["closed"], data["uncrossed"])

    def verify(self, edges: Ints) -> Walk:
        """Verify edges, and return their walk (for no edges, the walk of one vertex).

        Raises
        ------
        InvalidTour
            If the edges are no such walk.
        """
        graph = self.graph
        chosen = np.asarray(edges, dtype=np.int64)
        if len(np.unique(chosen)) < len(chosen) or (len(chosen) and not 0 <= chosen.min() <= chosen.max() < graph.m):
            raise InvalidTour(f"{graph.words.a_move} is used twice, or is not one of {graph.name}")
        if not len(chosen):
            if self.closed:
                raise InvalidTour("a closed walk has moves")
            return Walk((0,), (), False)
        met, places = np.unique(graph.ends[chosen], return_inverse=True)
        degree = np.bincount(places.reshape(-1))
        if degree.max() > 2:
            raise InvalidTour(f"{graph.name_of(int(met[degree.argmax()]))} is visited twice")
        walks = walks_of(len(met), places.reshape(-1, 2), chosen)
        if len(walks) != 1 or walks[0].closed != self.closed:
            raise InvalidTour(f"the {graph.words.moves} are no {'closed' if self.closed else 'open'} walk")
        if self.uncrossed:
            crossed = count_steps(graph, "crossings", graph.tails[chosen], graph.edge_move[chosen])
            if crossed:
                raise InvalidTour(f"the walk crosses itself {crossed} times")
        return walks[0]._replace(vertices=tuple(met[list(walks[0].vertices)].tolist()))

    def edges_of(self, data: Any) -> Ints:
        """Edge numbers from JSON.

        Raises
        ------
        KTError
            If they are not edge numbers.
        """
        if not are_integers(data):
            raise KTError("'chosen' is not a list of edge numbers")
        return np.array(data, dtype=np.int64)


def most_moves(task: LongestTask) -> int:
    """An upper bound on the moves of a walk, by counting vertices.

    A walk stays in one component and visits no vertex twice. In a bipartite component the walk alternates between the
    colours: a closed one visits equally many of both, and an open one at most one more of either.
    """
    graph = task.core.graph
    label, colours = components(graph.n, graph.ends), two_colouring(graph.n, graph.ends)
    sizes = np.bincount(label, minlength=graph.n)
    if colours is None:
        cells = int(sizes.max())
    else:
        coloured = np.bincount(label, weights=colours, minlength=graph.n).astype(np.int64)
        fewer = np.minimum(coloured, sizes - coloured)
        cells = int((2 * fewer if task.closed else np.minimum(2 * fewer + 1, sizes)).max())
    return cells if task.closed else max(0, cells - 1)


def counting_argument(task: LongestTask) -> str:
    """The argument of the bound `most_moves` in words."""
    graph = task.core.graph
    alternating = two_colouring(graph.n, graph.ends) is not None
    return "no vertex is visited twice" + (", and colours alternate" if alternating else "")


@dataclass(frozen=True)
class LongestStatement:
    """The claim that some walk has this many moves (`walk`), or that none has more (`at-most`)."""

    problem: LongestTask
    kind: str
    moves: int

    @property
    def text(self) -> str:
        """In words."""
        words = self.problem.graph.words
        moves = f"{self.moves:,} {words.move if self.moves == 1 else words.moves}"
        if self.kind == "walk":
            return f"an {self.problem.text} with {moves}".replace("an closed", "a closed")
        if self.problem.closed and not self.moves:
            return f"there is no {self.problem.text}"
        return f"no {self.problem.text} has more than {moves}"
