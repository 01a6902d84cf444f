"""A graph that shrinks while forced edges are followed, with the way back from a cycle of the remainder.

Vertices and edges keep their numbers; an edge that stands for several gets a new one. Every step is undone by an
`Undo`, the last one first, on the set of edges of a Hamiltonian cycle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import count

Undo = Callable[[set[int]], None]


class Contradiction(Exception):
    """There is no Hamiltonian cycle.

    Parameters
    ----------
    piece
        Vertices that show it alone: only one edge leads to them, or none, or two edges with a common vertex.
    """

    def __init__(self, piece: Iterable[int] = ()) -> None:
        super().__init__()
        self.piece = sorted(piece)


@dataclass
class Subgraph:
    """A graph without parallel edges (except for a graph of two vertices), some of whose edges a cycle must use.

    Parameters
    ----------
    at
        For each vertex its edges, with their other ends.
    required
        Edges that must be used.
    fresh
        Numbers for new edges.
    undo
        The steps so far, for all parts of a graph.
    """

    at: dict[int, dict[int, int]]
    required: set[int] = field(default_factory=set)
    fresh: Iterator[int] = field(default_factory=count)
    undo: list[Undo] = field(default_factory=list)
    _todo: list[int] = field(default_factory=list)

    @classmethod
    def of(cls, n: int, ends: Iterable[Iterable[int]]) -> Subgraph:
        """A graph whose edges are numbered in the given order."""
        at: dict[int, dict[int, int]] = {v: {} for v in range(n)}
        edge = -1
        for edge, (u, v) in enumerate(ends):
            at[u][edge], at[v][edge] = v, u
        return cls(at, fresh=count(edge + 1))

    def copy(self) -> Subgraph:
        """A copy to continue from independently, with its own steps."""
        at = {v: dict(edges) for v, edges in self.at.items()}
        return Subgraph(at, set(self.required), self.fresh, [], list(self._todo))

    @property
    def ends(self) -> dict[int, tuple[int, int]]:
        """The ends of every edge."""
        return {edge: (u, v) for u, edges in self.at.items() for edge, v in edges.items() if u < v}

    def drop(self, edge: int, u: int) -> None:
        """Remove an edge at a vertex.

        Raises
        ------
        Contradiction
            If it is required.
        """
        if edge in self.required:
            raise Contradiction
        v = self.at[u].pop(edge)
        del self.at[v][edge]
        self._todo += (u, v)

    def require(self, edge: int, u: int) -> None:
        """Require an edge at a vertex."""
        if edge not in self.required:
            self.required.add(edge)
            self._todo += (u, self.at[u][edge])

    def join(self, u: int, v: int) -> int:
        """Add a new required edge, in place of any edge between the two vertices."""
        edge = next(self.fresh)
        # A cycle of more than two vertices cannot use a parallel edge beside the required one.
        if len(self.at) > 2:
            for parallel in [e for e, w in self.at[u].items() if w == v]:
                self.drop(parallel, u)
        self.at[u][edge], self.at[v][edge] = v, u
        self.required.add(edge)
        self._todo += (u, v)
        return edge

    def touch(self, vertices: Iterable[int]) -> None:
        """Let `settle` look at some vertices."""
        self._todo += vertices

    def settle(self, everywhere: bool = False, check: Callable[[], None] = lambda: None) -> set[int] | None:
        """Follow forced edges to the end, and contract chains.

        A vertex with two edges uses both. A vertex with two required edges loses the others. A chain acts as one edge,
        and excludes the edge between its ends, which would close a cycle too early.

        Parameters
        ----------
        everywhere
            Whether to look at all vertices, rather than only those near a change.

        Returns
        -------
        set of int or None
            The edges of a Hamiltonian cycle, if only two vertices are left.

        Raises
        ------
        Contradiction
            If there is none.
        """
        at, required = self.at, self.required
        todo = self._todo
        if everywhere:
            todo += at
        looks = 0
        while todo:
            looks += 1
            # Reading the clock at each vertex would take as long as the work.
            if not looks % 4096:
                check()
            v = todo.pop()
            if v not in at or len(at) == 2:
                continue
            edges = at[v]
            if len(edges) < 2:
                raise Contradiction
            # A vertex of degree 2 needs no choice: it goes to the contraction.
            if len(edges) > 2:
                used = [edge for edge in edges if edge in required] if required else ()
                if len(used) < 2:
                    continue
                if len(used) > 2:
                    raise Contradiction
                for edge in [edge for edge in edges if edge not in required]:
                    self.drop(edge, v)
            self._contract(v)
        if len(at) > 2:
            return None
        # Two vertices and some edges between them: any two edges are a cycle, and required ones come first.
        u, _ = at
        chosen = sorted(at[u], key=lambda edge: edge not in required)[:2]
        if len(chosen) < 2 or len(required & at[u].keys()) > 2:
            raise Contradiction
        return set(chosen)

    def _contract(self, v: int) -> None:
        # Neighbours of the vertex lie on its chain, so the vertex itself is no longer needed.
        """Replace the two edges at a vertex by one."""
        (first, u), (second, w) = self.at.pop(v).items()
        del self.at[u][first], self.at[w][second]
        self.required -= {first, second}
        edge = self.join(u, w)

        def undo(cycle: set[int]) -> None:
            cycle.remove(edge)
            cycle.update((first, second))

        self.undo.append(undo)

    def lift(self, cycle: set[int]) -> set[int]:
        """The edges of a cycle of the original graph, from those of a cycle of each remaining part."""
        # In reverse order: each step undoes what was contracted last.
        while self.undo:
            self.undo.pop()(cycle)
        return cycle
