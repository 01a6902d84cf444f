"""`Formula`: the clauses of a `Problem` without its connectivity, and the variables that every encoding shares.

Variables 1..k are the orbits of edges under the problem's symmetry, in order of their least edge (without symmetry
edge e is variable e + 1).  For a path with free ends the next n say at which vertices it ends.  Whatever an encoding
adds comes after.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

import numpy as np

from kt_models.board import IntArray
from kt_models.problem import Problem

Clause = list[int]
DIRECT_DEGREE = 12
"""Up to this many edges at a vertex, its degree is written out without new variables.

For 2 of 8 that is 64 clauses; PySAT's sequential counter takes 48 and 24 variables, its totalizer 106 and 48.  With
CaDiCaL 1.5.3, three encodings of connectivity and closed tours of 12x12 to 20x20, writing out was faster than the
counter in 6 cases of 8, than the totalizer in 7 and than a cardinality network in 4.
"""


class Formula:
    """Clauses over edge variables.

    Attributes
    ----------
    edge
        The variable of each edge (shared within an orbit), shape (m,).
    end
        The variable of each vertex that says that a path ends there; 0 where it cannot (or nothing is free).
    clauses
        What has to hold so far.
    top
        The greatest variable in use.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        graph = problem.graph
        representatives, orbit = np.unique(problem.edge_orbits, return_inverse=True)
        self.edge: list[int] = (orbit + 1).tolist()
        self.top = len(representatives)
        self.clauses: list[Clause] = []
        self.end = [0] * graph.n
        if problem.free_ends:
            given = set(problem.terminals)
            self.end = [self.new() if v not in given else 0 for v in range(graph.n)]
            possible = [v for v in self.end if v]
            # both ends may be the only vertex of a graph of one vertex; larger graphs need two vertices
            self.exactly(possible, problem.free_ends if graph.n > 1 else len(possible))
        for edge in sorted(problem.required):
            self.add([self.edge[edge]])
        for edge in sorted(problem.forbidden):
            self.add([-self.edge[edge]])
        terminals = set(problem.terminals)
        for v in range(graph.n):
            at = [self.edge[e] for e in graph.edges_of(v).tolist()]
            if self.end[v] and graph.n > 1:
                at.append(self.end[v])
            wanted = 0 if problem.connectivity == "path" and graph.n == 1 else 1 if v in terminals else 2
            self.exactly(at, wanted)

    def new(self) -> int:
        """A new variable."""
        self.top += 1
        return self.top

    def add(self, clause: Iterable[int]) -> None:
        """Add a clause."""
        self.clauses.append(list(clause))

    def exactly(self, literals: Sequence[int], count: int) -> None:
        """Exactly `count` of the literals (0, 1 or 2), a literal that stands twice counting twice."""
        if len(literals) < count:
            self.add([])
            return
        if len(set(literals)) == len(literals) and len(literals) > DIRECT_DEGREE and count:
            self._exactly_by_counter(literals, count)
            return
        for group in combinations(literals, count + 1):
            self.add(dict.fromkeys(-x for x in group))
        for group in combinations(literals, len(literals) - count + 1):
            self.add(dict.fromkeys(group))

    def _exactly_by_counter(self, literals: Sequence[int], count: int) -> None:
        from pysat.card import CardEnc, EncType

        card = CardEnc.equals(lits=list(literals), bound=count, top_id=self.top, encoding=EncType.seqcounter)
        self.top = max(self.top, card.nv)
        self.clauses.extend(card.clauses)

    def cut_set(self, vertices: Iterable[int]) -> Clause:
        """At least one edge leaves a vertex set, or the path ends inside.

        Degrees make the number of such edges and ends even (or as odd as the given terminals inside make it), so with
        the degree clauses one is as good as two.
        """
        graph = self.problem.graph
        inside = np.zeros(graph.n, dtype=bool)
        members = list(vertices)
        inside[members] = True
        leaving = np.flatnonzero(inside[graph.tails] != inside[graph.heads])
        literals = {self.edge[e] for e in leaving.tolist()} | {self.end[v] for v in members if self.end[v]}
        return sorted(literals)

    def edges_of(self, model: Iterable[int]) -> IntArray:
        """The chosen edges in a solver's model (its true literals, in any order)."""
        true = np.zeros(self.top + 1, dtype=bool)
        for literal in model:
            if 0 < literal <= self.top:
                true[literal] = True
        return np.flatnonzero(true[self.edge]).astype(np.int32)
