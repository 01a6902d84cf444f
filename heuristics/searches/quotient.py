"""Symmetric tours, found as tours of the board's quotient by the symmetry.

The quotient has a vertex for each orbit of cells and an edge for each orbit of moves.

A symmetry maps a tour to itself, and so either shifts it along itself or reverses it. In the first case the images of a
cell follow each other at equal distances: in the quotient the tour is a Hamiltonian cycle, passed once for each image.
Whether a cycle of the quotient returns to its start only after the last image is tested, not predicted. If it returns
too soon, another cycle is taken, or one of its moves is exchanged for one between the same orbits. In the second case,
for a group of two, half the tour is a Hamiltonian path of the quotient. It leads from a cell or move that is its own
image to another such one (or to the end of an open tour).

`merge`, which knows nothing of symmetry, finds either.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from heuristics.method import Method
from heuristics.searches.merge import merge
from heuristics.simple_graph import tiny_result
from kt_models.board import IntArray
from kt_models.errors import InvalidTour
from kt_models.graph import MoveGraph
from kt_models.kernel.certificates.integers import Ints
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem
from kt_models.result import Result
from kt_models.symmetry import orbits

MAX_ROUNDS = 24
"""Attempts to find a tour of the quotient until the search gives up."""
MAX_QUICK_ROUNDS = 2
"""Attempts if a solver is ready: if there is no tour an attempt takes a quarter of a second on 5x6."""


def quotient(problem: Problem, *, rounds: int = MAX_ROUNDS, limits: Limits = NO_LIMITS) -> Result:
    """Find a tour with the symmetry of a problem by a tour of the quotient; without a symmetry, as `merge` does.

    The search may give up before its limits, and never proves that there is no tour.

    Parameters
    ----------
    rounds
        Attempts to find a tour of the quotient until the search gives up.
    """
    if len(problem.group) == 1:
        return merge(problem, limits=limits)
    board = _Quotient.of(problem)
    if board is None:
        return Result(problem, "unknown")
    for number in range(rounds):
        if limits.over:
            break
        rng = np.random.default_rng((limits.seed, number))
        edges = board.attempt(rng, replace(limits, seed=int(rng.integers(2**31))))
        if edges is not None:
            return Result(problem, "feasible", edges=edges)
    return Result(problem, "unknown")


@dataclass(frozen=True, eq=False)
class _Quotient:
    """The orbits of cells and of moves.

    Parameters
    ----------
    size
        Number of orbits of cells.
    orbit
        Orbit of each cell.
    pairs, names
        The two orbits that an orbit of moves joins, the lower first, and its number, shape (k, 2) and (k,).
    middles
        For each orbit of cells where half of the tour may begin: the orbit of moves there that are their own images, or
        -1 for a cell that is its own image.
    fixed
        The orbits of cells that are their own images.
    """

    problem: Problem
    size: int
    orbit: Ints
    pairs: Ints
    names: Ints
    middles: dict[int, int]
    fixed: frozenset[int]

    @classmethod
    def of(cls, problem: Problem) -> _Quotient | None:
        """The quotient of a problem's board; None if cells have too many symmetries."""
        graph, order = problem.graph, len(problem.group)
        board, _ = graph.geometry
        least = orbits([symmetry.permutation(board) for symmetry in problem.symmetry], graph.n)
        _, orbit = np.unique(least, return_inverse=True)
        cells = np.bincount(orbit)
        # Cells that are their own images are possible only for a group of order 2, where the tour is reversed.
        if (2 * cells < order).any() or (order > 2 and (cells < order).any()):
            return None
        # An orbit of moves is known by its least move.
        rows, images = np.unique(problem.edge_orbits, return_counts=True)
        open_ = ~np.isin(rows, problem.edge_orbits[list(problem.forbidden)])
        rows, images = rows[open_], images[open_]
        ends = np.sort(orbit[graph.ends[rows]], axis=1)
        loop = ends[:, 0] == ends[:, 1]
        # Moves that are their own images under a half turn join a cell to its own image: half of a tour can begin
        # there.
        halves = loop & (2 * images == cells[ends[:, 0]]) & (order == 2)
        fixed = np.flatnonzero(cells < order)
        middles = dict(zip(ends[halves, 0].tolist(), rows[halves].tolist(), strict=True))
        middles |= dict.fromkeys(fixed.tolist(), -1)
        return cls(problem, len(cells), orbit, ends[~loop], rows[~loop], middles, frozenset(fixed.tolist()))

    def attempt(self, rng: np.random.Generator, limits: Limits) -> IntArray | None:
        """The moves of a symmetric tour; None if the attempt failed."""
        ends = self._ends(rng)
        if ends is None:
            return None
        choice, problem = self._choice(rng), self.problem
        closed = not ends and problem.closed
        # One number for each pair of orbits, for fast look-ups by a sorted search.
        key = self.pairs[choice] @ [self.size, 1]
        by_key = np.argsort(key)
        key, name = key[by_key], self.names[choice][by_key]
        graph = MoveGraph.from_edges(self.size, np.stack(np.divmod(key, self.size), axis=1))
        needed = np.isin(name, problem.edge_orbits[list(problem.required)])
        lines = np.sort(graph.ends, axis=1).astype(np.int64) @ [self.size, 1]
        required = frozenset(np.flatnonzero(np.isin(lines, key[needed])).tolist())
        plain = Problem(graph, "cycle" if closed else "path", terminals=ends, required=required)
        tour = (tiny_result(plain) or merge(plain, limits=limits)).tour
        if tour is None:
            return None
        order = tour.order.astype(np.int64)
        steps = np.stack([order, np.roll(order, -1)], axis=1)[: len(order) if closed else -1]
        taken = name[np.searchsorted(key, np.sort(steps, axis=1) @ [self.size, 1])]
        middles = [self.middles[end] for end in ends if self.middles.get(end, -1) >= 0]
        return self._lift(np.concatenate([taken, np.array(middles, dtype=np.int64)]))

    def _ends(self, rng: np.random.Generator) -> tuple[int, ...] | None:
        """The first and last orbit of half of the tour; none for a whole turn; None if that is impossible."""
        problem, middles = self.problem, [m for m in self.middles if m not in self.fixed]
        ends = {int(self.orbit[t]) for t in problem.terminals}
        count = (2 if problem.closed else 1) - len(self.fixed)
        # If the tour may be a whole turn or two halves, try each half of the time.
        if problem.closed and not self.fixed and (len(middles) < 2 or rng.random() < 0.5):
            return ()
        if len(problem.group) > 2 or not 0 <= count <= len(middles):
            return None
        chosen = [*self.fixed, *rng.choice(middles, size=count, replace=False).tolist()]
        return tuple(dict.fromkeys([*chosen, *ends]))

    def _choice(self, rng: np.random.Generator) -> Ints:
        """One of the orbits of moves between the same two orbits of cells, at random unless one is required."""
        order = rng.permutation(len(self.names))
        needed = np.isin(self.names[order], self.problem.edge_orbits[list(self.problem.required)])
        # The stable sort puts required moves first and keeps the random order of the others.
        order = order[np.argsort(~needed, kind="stable")]
        _, first = np.unique(self.pairs[order] @ [self.size, 1], return_index=True)
        return order[first]

    def _lift(self, taken: Ints) -> IntArray | None:
        """The moves of some orbits, if they are a tour, possibly after an exchange of two orbits of moves."""
        key = self.pairs @ [self.size, 1]
        edges = self._tour(taken)
        if edges is not None or self.problem.closed is False:
            return edges
        # A cycle of the quotient may lift to several cycles. An exchange of one orbit of moves for a parallel one
        # changes the number of times it winds around.
        place = np.searchsorted(self.names, taken)
        place = place[(place < len(self.names)) & (self.names[np.minimum(place, len(self.names) - 1)] == taken)]
        others = np.flatnonzero(np.isin(key, key[place]) & ~np.isin(self.names, taken))
        # Few exchanges are tried: each costs a check of the whole tour, and another attempt costs little more.
        for candidate in others[: 2 * len(self.problem.group)].tolist():
            mine = self.names[place[key[place] == key[candidate]]]
            edges = self._tour(np.append(taken[~np.isin(taken, mine)], self.names[candidate]))
            if edges is not None:
                return edges
        return None

    def _tour(self, taken: Ints) -> IntArray | None:
        from kt_models.problem import verify_edges

        edges = np.flatnonzero(np.isin(self.problem.edge_orbits, taken)).astype(np.int32)
        try:
            verify_edges(self.problem, edges)
        except InvalidTour:
            return None
        return edges


METHOD = Method(
    quotient,
    "Symmetric tours: a tour of the board's quotient, by merge; nearly linear.",
    symmetric=True,
    plain=False,
    priority=1,
    quick={"rounds": MAX_QUICK_ROUNDS},
)
