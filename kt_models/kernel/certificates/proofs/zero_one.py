"""`ZeroOneModel`: a problem as linear constraints on 0-1 variables, the formula of a cutting-planes proof.

Variables, in this order: one for each orbit of edges under the problem's symmetry (without symmetry edge e is variable
e + 1), one for each vertex where a path may end that need not, whatever an encoding of connectivity adds, one for each
option of a vertex (`nodes`), one for each pair of edges that weighs something without meeting, in the objective and
then in each constraint, and those of a flow, if that is asked for. Constraints:

- each vertex takes one of its options;
- an edge is used if an option with it is taken, at each of its ends; a path ends where an option with a single edge is;
- the number of free ends is that of the problem;
- a pair of edges apart is chosen if both are (only the direction that the sign of its weight requires);
- cuts, which are derived from the problem (`cuts`);
- a flow (`flow`): each vertex except the source consumes one unit, and flow runs only along chosen edges;
- if a greatest value is given, the value is at most that;
- each constraint of the problem;
- of each set of edges that a condition of the problem excludes, not all are chosen.

Every solution of the problem (of at most that value) satisfies all of them, if each variable has the value of its
meaning. So a refutation shows that no solution exists. With a flow the converse holds as well: edges that satisfy them
have the right degrees and join every vertex to the source, so they are one cycle, or one path.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from kt_models.conditions import LocalCondition
from kt_models.errors import KTError, TooLarge
from kt_models.kernel.certificates.cut_inequalities import Cut, inequality
from kt_models.kernel.certificates.nodes import MAX_OPTIONS, NOTHING, Instance
from kt_models.problem import Problem
from kt_models.weights import Weights


class LinearConstraint(NamedTuple):
    """A constraint: `terms`, each a coefficient and a variable, sum to `right` (if `equal`), or to at least that."""

    terms: tuple[tuple[int, int], ...]
    right: int
    equal: bool = False

    @property
    def text(self) -> str:
        """The constraint in OPB format."""
        return f"{_sum(self.terms)}{'=' if self.equal else '>='} {self.right} ;"


def edge_variables(problem: Problem) -> list[int]:
    """Variable of each edge: the same for all edges of an orbit under the problem's symmetry."""
    _, orbit = np.unique(problem.edge_orbits, return_inverse=True)
    # OPB numbers variables from 1
    return (orbit + 1).tolist()


class ZeroOneModel:
    """A problem as linear constraints.

    Parameters
    ----------
    problem
        The problem.
    cuts
        Further constraints; they alone express connectivity.
    at_most
        The greatest value of interest.
    clauses, top
        Clauses of an encoding over the variables of edges and ends and more, up to `top`. (A proof has none.)
    flow
        If given, constraints state connectivity in full: one unit flows from this vertex to every other one.

    Attributes
    ----------
    edge, end
        The variable of each edge, shape (m,), and of each vertex where a path may end, else 0, shape (n,).
    option
        The variable of the first option; the others follow.
    rows
        The constraints.
    vertex_row, edge_rows, end_row, ends_row, cut_row, value_row, constraint_row
        Places of rows: of the first vertex; of tail and head of the edges, shape (m, 2); of the ends, shape (n,), of
        their number; of the first cut; of the value; of the first constraint.
    objective
        Coefficients and variables.
    """

    def __init__(
        self,
        problem: Problem,
        cuts: Sequence[Cut] = (),
        at_most: int | None = None,
        clauses: Iterable[Sequence[int]] = (),
        top: int = 0,
        flow: int | None = None,
    ) -> None:
        if problem.weights is None:
            problem = replace(problem, objective=NOTHING)
        self.problem, self.cuts, self.instance = problem, cuts, Instance(problem)
        self.edge = edge_variables(problem)
        last = max(self.edge, default=0)
        self.end = [0] * problem.graph.n
        for v in np.flatnonzero(self.instance.free).tolist():
            self.end[v] = last = last + 1
        # Variables of an encoding lie between the edges and the options
        self.option = max(last, top) + 1
        self.top = self.option + len(self.instance.options.first) - 1
        self.rows: list[LinearConstraint] = []
        self._add_vertices()
        assert problem.weights is not None
        self.objective = self._terms(self.instance, problem.weights)
        limits = [
            (self._terms(Instance(replace(problem.unconstrained, objective=weights)), weights), most)
            for weights, most in (constraint.upper(problem.graph) for constraint in problem.constraints)
        ]
        self.flow_row, self.flow, self.source = len(self.rows), self.top + 1, flow
        if flow is not None:
            self._add_flow(flow)
        self.cut_row = len(self.rows)
        self.rows += [self._cut(cut) for cut in cuts]
        self.rows += [
            # A clause as an inequality: negated literals count 1 - x
            LinearConstraint(tuple((1 if x > 0 else -1, abs(x)) for x in c), 1 - sum(x < 0 for x in c))
            for c in map(dict.fromkeys, clauses)  # Edges of one orbit are one variable, which some readers take once
        ]
        self.value_row = len(self.rows)
        if at_most is not None:
            self.rows.append(_at_most(self.objective, at_most))
        self.constraint_row = len(self.rows)
        self.rows += [_at_most(terms, most) for terms, most in limits]
        for condition in problem.conditions:
            # The order of stops has no rows: without it a proof that there is nothing shows more
            if isinstance(condition, LocalCondition):
                self.rows += self._excluding(condition)

    def _excluding(self, condition: LocalCondition) -> Iterator[LinearConstraint]:
        """Rows that exclude what a condition excludes."""
        for edges, end in condition.exclusions(self.problem.graph):
            chosen = {self.edge[e] for e in edges}
            if end is not None and self.end[end]:
                chosen.add(self.end[end])
            elif end is not None and self.problem.connectivity == "cycle":
                continue  # It has no ends
            elif end is not None and end not in self.problem.terminals:
                continue
            yield LinearConstraint(tuple((-1, x) for x in sorted(chosen)), 1 - len(chosen))

    def _add_vertices(self) -> None:
        options, graph = self.instance.options, self.problem.graph
        start, second = options.start.tolist(), options.second.tolist()
        with_edge: list[dict[int, list[int]]] = [{} for _ in range(graph.n)]
        for v in range(graph.n):
            for k in range(start[v], start[v + 1]):
                for e in {int(options.first[k]), second[k]}:
                    with_edge[v].setdefault(e, []).append(self.option + k)
        self.vertex_row = 0
        self.rows += [
            # Exactly one option at each vertex
            LinearConstraint(_unit_terms(range(self.option + a, self.option + b)), 1, True)
            for a, b in pairwise(start)
        ]
        self.edge_rows = np.arange(2 * graph.m).reshape(-1, 2) + len(self.rows)
        for e, ends in enumerate(self.instance.ends):
            for v in ends:
                self.rows.append(LinearConstraint((*_unit_terms(with_edge[v].get(e, ())), (-1, self.edge[e])), 0, True))
        self.end_row = np.full(graph.n, -1)
        for v in np.flatnonzero(self.instance.free).tolist():
            self.end_row[v] = len(self.rows)
            self.rows.append(LinearConstraint((*_unit_terms(with_edge[v].get(-1, ())), (-1, self.end[v])), 0, True))
        self.ends_row = len(self.rows)
        if self.instance.free_ends:
            self.rows.append(LinearConstraint(_unit_terms(filter(None, self.end)), self.instance.free_ends, True))

    def _terms(self, instance: Instance, weights: Weights) -> list[tuple[int, int]]:
        """Terms of a sum of weights; a pair of edges that do not meet gets a variable."""
        ends = self.instance.ends
        costs = instance.options.cost.tolist()
        terms = [(weight, self.option + k) for k, weight in enumerate(costs) if weight]
        both = self.top + 1
        for e, f, weight in weights.canonical():
            if e == f or set(ends[e]) & set(ends[f]):
                continue
            x, y = self.edge[e], self.edge[f]
            if x == y:
                terms.append((weight, x))
                continue
            if weight > 0:
                # A positive weight only needs the variable to be at least x + y - 1
                self.rows.append(LinearConstraint(((1, both), (-1, x), (-1, y)), -1))
            else:
                # A negative weight only needs it to be at most x and y
                self.rows += [LinearConstraint(((1, z), (-1, both)), 0) for z in (x, y)]
            terms.append((weight, both))
            both += 1
        self.top = both - 1
        return terms

    def _add_flow(self, source: int) -> None:
        """A flow of one unit from the source to each other vertex (Gavish and Graves 1978), with amounts in binary."""
        graph, most = self.problem.graph, self.problem.graph.n - 1
        if self.problem.connectivity not in ("cycle", "path"):
            raise KTError("a flow is for one closed or open tour")
        self.flow_bits = most.bit_length()
        if 2 * graph.m * self.flow_bits > MAX_OPTIONS:
            raise TooLarge(f"{graph.name}: a flow takes more than {MAX_OPTIONS:,} variables")
        balance: list[list[tuple[int, int]]] = [[] for _ in range(graph.n)]
        capacity = []
        for e, ends in enumerate(self.instance.ends):
            both = [(-c, x) for side in (0, 1) for c, x in self.flow_terms(e, side)]
            # No flow along an edge that is not chosen
            capacity.append(LinearConstraint(((most, self.edge[e]), *both), 0))
            for side, v in enumerate(ends):  # The flow that leaves one end arrives at the other
                balance[v] += [(-c, x) for c, x in self.flow_terms(e, side)] + self.flow_terms(e, 1 - side)
        self.rows += [LinearConstraint(tuple(terms), 1, True) for v, terms in enumerate(balance) if v != source]
        self.rows += capacity
        self.top += 2 * graph.m * self.flow_bits

    def balance_row(self, vertex: int) -> int:
        """Index of the row for what a vertex keeps of the flow."""
        assert self.source is not None
        return self.flow_row + vertex - (vertex > self.source)

    def capacity_row(self, edge: int) -> int:
        """Index of the row that allows a flow along an edge only if it is chosen."""
        return self.flow_row + self.problem.graph.n - 1 + edge

    def flow_terms(self, edge: int, side: int) -> list[tuple[int, int]]:
        """Terms of the flow along an edge from its tail (0) or its head (1) to its other end."""
        # Layout: edge by edge, both directions, lowest bit first
        first = self.flow + (2 * edge + side) * self.flow_bits
        return [(1 << bit, first + bit) for bit in range(self.flow_bits)]

    def _cut(self, cut: Cut) -> LinearConstraint:
        says = inequality(self.problem, cut)
        terms: dict[int, int] = {}
        for e, sign in zip(says.edges.tolist(), says.signs.tolist(), strict=True):
            terms[self.edge[e]] = terms.get(self.edge[e], 0) + sign
        terms |= {self.end[v]: 1 for v in says.vertices.tolist()}
        return LinearConstraint(tuple((c, x) for x, c in terms.items()), says.least)

    @cached_property
    def names(self) -> list[str]:
        """Meaning of each variable, in order; empty for variables of an encoding.

        Vertices of a graph without a board are counted from 1, whatever their labels: the formula does not depend on
        them, and they cannot add lines to it.
        """
        graph, options = self.problem.graph, self.instance.options
        vertex = [graph.board.name(v) if graph.board else str(v + 1) for v in range(graph.n)]
        edge = [f"{vertex[u]}-{vertex[v]}" for u, v in self.instance.ends]
        names = [""] * self.top
        for e, x in enumerate(self.edge):
            names[x - 1] += f" {edge[e]}" if names[x - 1] else edge[e]
        for v, x in enumerate(self.end):
            if x:
                names[x - 1] = f"end {vertex[v]}"
        owner = np.repeat(np.arange(graph.n), np.diff(options.start)).tolist()
        for k, (v, e, f) in enumerate(zip(owner, options.first.tolist(), options.second.tolist(), strict=True)):
            moves = edge[e] + (f" {edge[f]}" if f >= 0 else "")
            names[self.option - 1 + k] = f"at {vertex[v]} {moves}"
        for x in range(self.flow, self.top + 1):
            e, side = divmod((x - self.flow) // self.flow_bits, 2)
            begin, end = (vertex[v] for v in self.instance.ends[e][:: -1 if side else 1])
            names[x - 1] = f"flow {begin} {end} {1 << (x - self.flow) % self.flow_bits}"
        return names

    @property
    def inequalities(self) -> int:
        """Number of rows, equations counted twice."""
        return len(self.rows) + sum(row.equal for row in self.rows)

    def opb(self, *, minimize: bool = False) -> str:
        """Text of an `.opb` file."""
        return opb_text(self.top, self.names, self.rows, self.objective if minimize else None)


def opb_text(
    top: int,
    names: Iterable[str],
    rows: Sequence[LinearConstraint],
    objective: Iterable[tuple[int, int]] | None = None,
) -> str:
    """Text of an `.opb` file: variables up to `top` with their names, rows, and a sum to be minimised."""
    lines = [f"* #variable= {top} #constraint= {len(rows)}"]
    lines += [f"* x{x} {name}" for x, name in enumerate(names, start=1) if name]
    if objective is not None:
        lines.append(f"min: {_sum(objective)};")
    return "\n".join([*lines, *(row.text for row in rows)]) + "\n"


def _at_most(terms: Iterable[tuple[int, int]], most: int) -> LinearConstraint:
    return LinearConstraint(tuple((-weight, x) for weight, x in terms), -most)


def _unit_terms(variables: Iterable[int]) -> tuple[tuple[int, int], ...]:
    return tuple((1, x) for x in variables)


def _sum(terms: Iterable[tuple[int, int]]) -> str:
    return "".join(f"{c:+d} x{x} " for c, x in terms)
