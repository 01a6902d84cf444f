"""Cutting a problem into cubes by look-ahead.

A cube is cut at the edge whose two decisions both force the most. Each decision is tried, and unit propagation on the
clauses of the degrees (and of the value, if there is one) shows what follows; the product of the two numbers of forced
variables is greatest (as in march: Heule and van Maaren 2009). Forced edges are not written into the cube, so its name
has decisions only; an edge of which one decision fails is forced, and is no candidate. The largest cube, the one with
the fewest known edges, is cut next. There is no randomness, so the same problem has the same cubes.

A task that a sweep counts has its largest layers in the middle of the board. So only moves of the open cell nearest to
the middle are candidates there, which makes these layers smaller.
"""

from __future__ import annotations

import heapq

from encoders.enumeration import is_swept
from encoders.enumeration.blocking import pruned_formula
from kt_models.kernel.sweeps.net import good_order
from kt_models.limits import NO_LIMITS, Limits
from kt_models.runs.cubes import Cube
from kt_models.runs.task import Task
from kt_models.runs.tour_task import TourTask

MAX_TRIED_EDGES = 24
"""Most edges tried at a cube, at cells with the fewest moves left: each costs two propagations."""


class Splitter:
    """A splitter of cubes of a task."""

    def __init__(self, task: Task, limits: Limits = NO_LIMITS) -> None:
        from pysat.solvers import Minisat22

        self._formula, _ = pruned_formula(task, limits)
        self._graph = task.problem.graph
        self._limits = limits
        self._middle = self._distances() if isinstance(task, TourTask) and is_swept(task) else []
        self._solver = Minisat22(bootstrap_with=self._formula.clauses)
        self._last = max(self._formula.edge, default=0)

    def __enter__(self) -> Splitter:
        return self

    def __exit__(self, *_: object) -> None:
        self._solver.delete()

    def split(self, cube: Cube, parts: int) -> list[Cube]:
        """The cubes that a cube consists of: `parts` of them, or fewer if it cannot be cut that often, ordered by name.

        If it cannot be cut at all, the only cube is the given one.
        """
        # The smallest first entry is the cube with the fewest known edges, which is the largest. Names break ties, so
        # the order is fixed.
        heap = [(self._known(cube), cube.name, cube)]
        done: list[Cube] = []
        while heap and len(heap) + len(done) < parts:
            self._limits.check()
            _, _, largest = heapq.heappop(heap)
            edge = self._best(largest)
            if edge is None:
                done.append(largest)
                continue
            for made in (True, False):
                child = largest.child(edge, made)
                heapq.heappush(heap, (self._known(child), child.name, child))
        return sorted(done + [cube for _, _, cube in heap], key=lambda cube: cube.name)

    def _literals(self, cube: Cube) -> list[int]:
        return [self._formula.edge[edge] * (1 if made else -1) for edge, made in cube.decisions]

    def _propagated(self, literals: list[int]) -> list[int] | None:
        """The edges that follow from literals by unit propagation; None for a contradiction."""
        consistent, forced = self._solver.propagate(assumptions=literals)
        return [x for x in forced if abs(x) <= self._last] if consistent else None

    def _known(self, cube: Cube) -> int:
        """The number of decided edges in a cube; in a cube without solutions, more than there are edges."""
        forced = self._propagated(self._literals(cube))
        # A cube without solutions counts as the smallest, so all others are cut before it.
        return self._last + 1 if forced is None else len(forced)

    def _best(self, cube: Cube) -> int | None:
        """The best edge to cut a cube at; None if there is none."""
        literals = self._literals(cube)
        forced = self._propagated(literals)
        if forced is None:
            return None
        known = {abs(x) for x in forced}
        best, most = None, 0
        for edge in self._candidates(known):
            variable = self._formula.edge[edge]
            sides = [self._propagated([*literals, sign * variable]) for sign in (1, -1)]
            gains = [len(side) - len(forced) if side is not None else 0 for side in sides]
            # The product decides, as in march; the sum breaks ties between equal products.
            score = gains[0] * gains[1] * 1024 + sum(gains)
            # A side without a gain, or with a contradiction, makes no cut: its edge is forced.
            if min(gains) > 0 and score > most:
                best, most = edge, score
        return best

    def _distances(self) -> list[int]:
        """Distinct distances of the cells from the middle of a sweep's order."""
        order = good_order(self._graph).tolist()
        distances = [0] * len(order)
        for distance, place in enumerate(sorted(range(len(order)), key=lambda i: abs(2 * i - len(order) + 1))):
            distances[order[place]] = distance
        return distances

    def _candidates(self, known: set[int]) -> list[int]:
        """Open edges to try, one of each orbit.

        They are at cells with the fewest open edges; for a task that is swept, at the open cell nearest to the middle.
        """
        graph = self._graph
        edge_of: dict[int, int] = {}
        open_at = [0] * graph.n
        for edge, (u, v) in enumerate(graph.ends.tolist()):
            if self._formula.edge[edge] not in known:
                # Edges of an orbit share a variable, and only the first of them is tried.
                edge_of.setdefault(self._formula.edge[edge], edge)
                open_at[u] += 1
                open_at[v] += 1
        rank = self._middle or open_at
        ranked = sorted((min(rank[v] for v in graph.ends[e].tolist()), e) for e in edge_of.values())
        return [e for least, e in ranked[:MAX_TRIED_EDGES] if not self._middle or least == ranked[0][0]]
