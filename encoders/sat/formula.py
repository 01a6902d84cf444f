"""`Formula`: the clauses of a `Problem` without its connectivity, and the variables that every encoding shares.

Variables 1..k are the orbits of edges under the problem's symmetry, in order of their least edge (without symmetry edge
e is variable e + 1). For a path with free ends the next n tell at which vertices it ends, and for each vertex that may
be left out the next tells whether it is. The variables of an encoding come after them.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from encoders.cutsets import short_cycles
from encoders.sat.totalizer import Clause as Clause
from kt_models.board import IntArray
from kt_models.conditions import Condition
from kt_models.errors import TooLarge
from kt_models.problem import Problem, require_unnumbered

if TYPE_CHECKING:
    from kt_models.graph import MoveGraph
    from kt_models.kernel.certificates.proofs.manifest import Group

MAX_DIRECT_DEGREE = 12
"""Greatest degree that is written out without new variables.

For 2 of 8 that takes 64 clauses; PySAT's sequential counter takes 48 and 24 variables, its totalizer 106 and 48. With
CaDiCaL 1.5.3, three encodings of connectivity and closed tours of 12x12 to 20x20, writing out was faster than the
counter in 6 cases of 8, than the totalizer in 7 and than a cardinality network in 4.
"""


MAX_VERTICES = 2_000_000
"""Most vertices of a formula or model: each has clauses, even without an edge."""


def require_few_vertices(graph: MoveGraph) -> None:
    """Refuse a graph with more than `MAX_VERTICES` vertices before anything is made for each of them."""
    if graph.n > MAX_VERTICES:
        raise TooLarge(f"{graph.name}: {graph.n:,} vertices, over the limit of {MAX_VERTICES:,} for clauses")


class VertexSet(list[int]):
    """The vertices of a cut-set, sorted, and those inside and outside that have to be visited for it to hold."""

    def __init__(self, vertices: Iterable[int], visited: Iterable[int] = ()) -> None:
        super().__init__(sorted(vertices))
        self.visited = tuple(visited)


class Formula:
    """Clauses over edge variables.

    Attributes
    ----------
    edge
        The variable of each edge (shared within an orbit), shape (m,).
    end
        For each vertex the variable "a path ends here"; 0 if no path can (or no end is free).
    left_out
        For each vertex the variable "it is left out", which counts as two edges there; 0 if it is visited in any case.
    clauses
        The clauses so far.
    explained
        Rule, number and data of clauses with one meaning, from the first clause on.
    top
        The greatest variable in use.
    """

    def __init__(self, problem: Problem) -> None:
        require_unnumbered(problem, "a formula of moves")
        self.problem = problem
        graph = problem.graph
        require_few_vertices(graph)
        representatives, orbit = np.unique(problem.edge_orbits, return_inverse=True)
        self.edge: list[int] = (orbit + 1).tolist()
        self.top = len(representatives)
        self.clauses: list[Clause] = []
        self.explained: list[tuple[str, int, dict[str, object]]] = []
        self.end = [0] * graph.n
        terminals = set(problem.terminals)
        if problem.free_ends:
            self.end = [0 if v in terminals else self.new() for v in range(graph.n)]
        self.left_out = [self.new() if v in problem.optional else 0 for v in range(graph.n)]
        if problem.free_ends and (graph.n > 1 or problem.optional):
            self.exactly([v for v in self.end if v], problem.free_ends, "ends")
        self._fixed("required", problem.required, 1)
        self._fixed("forbidden", problem.forbidden, -1)
        if problem.connectivity == "path" and graph.n == 1:  # Its only vertex has no edge
            self._fixed("degree", range(graph.m), -1, vertex=0)
            self._constrain()
            return
        for v in range(graph.n):
            at = [self.edge[e] for e in graph.edges_of(v).tolist()]
            at += [self.end[v]] if self.end[v] else []
            at += [self.left_out[v]] * 2 if self.left_out[v] else []
            self.exactly(at, 1 if v in terminals else 2, "degree", vertex=v)
        if problem.connectivity == "subcycle":
            self._require_three()
        self._constrain()

    def _require_three(self) -> None:
        """Exclude no edges at all, and cycles of one or two vertices."""
        self.group("nonempty", [sorted(set(self.edge))])
        if short := [sorted({-self.edge[e], -self.edge[f]}) for e, f in short_cycles(self.problem.graph)]:
            self.group("short", short)

    def _constrain(self) -> None:
        """Clauses that keep the problem's conditions, and the bounds of its constraints."""
        for condition in self.problem.conditions:
            self._keep_condition(condition)
        if not self.problem.constraints:
            return
        from encoders.sat.objective import add_at_most

        for constraint in self.problem.constraints:
            add_at_most(self, *constraint.upper(self.problem.graph))

    def _keep_condition(self, condition: Condition) -> None:
        from encoders.conditions import Variables, clauses_of

        variables = Variables(self.edge, lambda v: [self.end[v]] if self.end[v] else [], self.new)
        if clauses := clauses_of(self.problem, condition, variables):
            self.group("condition", clauses, of=condition.name)

    @property
    def groups(self) -> list[Group]:
        """The groups of clauses as the manifest of a proof has them."""
        from kt_models.kernel.certificates.proofs.manifest import Group

        return [Group(rule, clauses, data) for rule, clauses, data in self.explained]

    def new(self) -> int:
        """A new variable."""
        self.top += 1
        return self.top

    def add(self, clause: Iterable[int]) -> None:
        """Add a clause."""
        self.clauses.append(list(clause))

    def group(self, rule: str, clauses: list[Clause], **data: object) -> None:
        """Add clauses with one explanation (`kt_models.kernel.certificates.proofs.meaning`)."""
        self.clauses += clauses
        self.explained.append((rule, len(clauses), data))

    def _fixed(self, rule: str, edges: Iterable[int], sign: int, **data: object) -> None:
        variables = sorted({self.edge[e] for e in edges})
        if variables:
            self.group(rule, [[sign * x] for x in variables], **data)

    def exactly(self, literals: list[int], count: int, rule: str = "", **data: int) -> None:
        """Require exactly `count` (0, 1 or 2) of the literals; a literal that occurs twice counts twice."""
        if len(literals) > MAX_DIRECT_DEGREE and count:
            self._counted(literals, count, rule, **data)
        else:
            self.group(rule, at_most(literals, count) + at_least(literals, count), **data)

    def _counted(self, literals: list[int], count: int, rule: str, **data: int) -> None:
        """The same with new variables, for many literals."""
        from pysat.card import CardEnc, EncType

        if len(set(literals)) < len(literals):
            literals = self._told_apart(literals)
        card = CardEnc.equals(lits=literals, bound=count, top_id=self.top, encoding=EncType.seqcounter)
        self.top = max(self.top, card.nv)
        self.group(rule, card.clauses, **data)

    def _told_apart(self, literals: list[int]) -> list[int]:
        """The literals with another one, which is equivalent, for each that occurs again."""
        apart: list[int] = []
        for x in literals:
            if x in apart:
                self.clauses += [[-x, self.new()], [x, -self.top]]
            apart.append(self.top if x in apart else x)
        return apart

    def cut_set(self, vertices: Iterable[int]) -> Clause:
        """Require an edge out of a vertex set that is neither empty nor everything, if its `visited` are visited.

        The degrees make the number of such edges, plus the ends inside, even; so with their clauses one is as good as
        two.
        """
        graph = self.problem.graph
        inside = np.zeros(graph.n, dtype=bool)
        inside[list(vertices)] = True
        leaving = np.flatnonzero(inside[graph.tails] != inside[graph.heads])
        visited = vertices.visited if isinstance(vertices, VertexSet) else ()
        return sorted({self.edge[e] for e in leaving.tolist()} | {self.left_out[v] for v in visited} - {0})

    def edges_of(self, model: Iterable[int]) -> IntArray:
        """The chosen edges in a solver's model (its true literals, in any order)."""
        true = np.zeros(self.top + 1, dtype=bool)
        for literal in model:
            if 0 < literal <= self.top:
                true[literal] = True
        return np.flatnonzero(true[self.edge]).astype(np.int32)


def at_most(literals: list[int], count: int) -> list[Clause]:
    """Clauses for at most `count` of the literals, written out."""
    return [list(dict.fromkeys(-x for x in some)) for some in combinations(literals, count + 1)]


def at_least(literals: list[int], count: int) -> list[Clause]:
    """Clauses for at least `count` of the literals, written out."""
    if len(literals) < count:
        return [[]]
    return [list(dict.fromkeys(some)) for some in combinations(literals, len(literals) - count + 1)]
