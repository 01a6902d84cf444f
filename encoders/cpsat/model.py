"""A `Problem` as a CP-SAT model: edge variables and degrees, connectivity, objective.

- **Edges**: one Boolean for each orbit of edges under the problem's symmetry (one each without symmetry); an end
  variable at each vertex where a path may end; one at each vertex that may be left out; at each vertex, chosen edges
  plus ends make 2, or it is left out.
- **Connectivity** by `circuit`: two arcs to an edge and `AddCircuit` (with a node that joins the ends of paths), or by
  `cut-set`: nothing here, the solve loop adds the cut-sets that an answer breaks. Either way it speaks of the whole
  graph, so a symmetric tour that closes only after going round the group needs no special case.
- **Objective**, and each constraint: pair weights at a common vertex by choosing at most one light pair there; other
  pairs by a product variable each, strengthened by the degrees. If there are over `MAX_PAIRS` of these, those that only
  make a sum greater are left out at first, and added when an answer has both edges (`Model.add_pairs`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from ortools.sat.python import cp_model

from encoders.cutsets import short_cycles
from kt_models.board import IntArray
from kt_models.problem import MIN_CYCLE, Problem
from kt_models.weights import Weights

MAX_PAIRS = 12_000
"""Most pairs of edges that do not meet with which a model begins. After 40 s on a busy machine the bound is 7 with
8,598 pairs and 0 without them; of 18,507 pairs it is 0 with them and 9 without."""


@dataclass
class LazySum:
    """A sum that lacks pairs of edges until answers have them.

    Attributes
    ----------
    first, second, weight
        Edges and positive weights of all of these pairs.
    lacking
        Whether the model still lacks a pair.
    expression
        The sum of what the model has.
    most
        The limit of the sum; None for the objective.
    """

    first: IntArray
    second: IntArray
    weight: npt.NDArray[np.int64]
    lacking: npt.NDArray[np.bool_]
    expression: Any = 0
    most: int | None = None

    def among(self, chosen: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
        """Places of the pairs that the model lacks, and that an answer has."""
        return np.flatnonzero(chosen[self.first] & chosen[self.second] & self.lacking)


class Model:
    """The CP-SAT model of a problem.

    Attributes
    ----------
    edge
        The variable of each edge (shared within an orbit).
    ends
        For a path with free ends, the expression that counts the path's ends at each vertex; empty otherwise.
    left_out
        The variable of each optional vertex, which is true if it is left out.
    """

    def __init__(self, problem: Problem, encoding: str, check: Callable[[], None] = lambda: None) -> None:
        self.problem = problem
        self.check = check  # Raises when the time is up.
        self.cp = cp_model.CpModel()
        self.arcs: list[tuple[int, int, Any, int]] = []  # Tail, head, literal, edge
        self.products: list[tuple[Any, int, int]] = []  # Literal, the two edges
        self.lazy: list[LazySum] = []
        # The only vertex begins and ends the path.
        self.trivial = problem.connectivity == "path" and problem.graph.n == 1
        self._edges()
        self._degrees()
        if encoding == "circuit":
            self._circuit()
        self._conditions()
        self._constraints()
        self._objective()

    # -- edges and degrees -----------------------------------------------------------------------------------------

    def _edges(self) -> None:
        problem = self.problem
        orbit = problem.edge_orbits.tolist()
        required = {orbit[e] for e in problem.required}
        forbidden = {orbit[e] for e in problem.forbidden}
        variable: dict[int, Any] = {}
        # One variable for each orbit makes every answer symmetric, without further constraints.
        for edge in sorted(set(orbit)):
            x = self.cp.new_bool_var(f"x{edge}")
            variable[edge] = x
            if edge in required:
                self.cp.add_bool_or(x)
            if edge in forbidden:
                self.cp.add_bool_or(~x)
        self.edge = [variable[representative] for representative in orbit]

    def _degrees(self) -> None:
        problem, graph = self.problem, self.problem.graph
        self.start: list[Any] = []
        self.finish: list[Any] = []
        self.ends: list[Any] = []
        self.left_out = {v: self.cp.new_bool_var(f"out{v}") for v in sorted(problem.optional)}
        if self.trivial:
            self.cp.add(sum(self.edge) == 0)
            return
        if problem.free_ends:
            ends = set(problem.terminals)
            # A path that has one given end has only its finish free. Two free ends are told apart as start and finish,
            # because a circuit has directions.
            self.finish = [0 if v in ends else self.cp.new_bool_var(f"end{v}") for v in range(graph.n)]
            self.cp.add(sum(self.finish) == 1)
            if problem.free_ends == 2:
                self.start = [self.cp.new_bool_var(f"start{v}") for v in range(graph.n)]
                self.cp.add(sum(self.start) == 1)
            self.ends = [(self.start[v] if self.start else 0) + self.finish[v] for v in range(graph.n)]
        terminals = set(problem.terminals)
        for v in range(graph.n):
            self.check()
            wanted = 1 if v in terminals else 2
            incident = sum(self.edge[e] for e in graph.edges_of(v).tolist())
            self.cp.add(incident + (self.ends[v] if self.ends else 0) + 2 * self.left_out.get(v, 0) == wanted)
            if self.left_out and self.start:  # A path has a move.
                self.cp.add(self.start[v] + self.finish[v] <= 1)
        if problem.connectivity == "subcycle":
            self.cp.add(sum(self.edge) >= MIN_CYCLE) if not problem.symmetry else self.cp.add_bool_or(self.edge)
            for e, f in short_cycles(graph):
                self.cp.add_bool_or(~self.edge[e], ~self.edge[f])

    # -- connectivity ----------------------------------------------------------------------------------------------

    def _circuit(self) -> None:
        problem, graph = self.problem, self.problem.graph
        if problem.connectivity == "any" or self.trivial:
            return
        kept = np.setdiff1d(np.arange(graph.m), list(problem.forbidden))
        if graph.n > 1 and len(np.unique(graph.ends[kept])) < graph.n and not problem.optional:
            return  # A vertex without edges is refuted by its degree, and AddMultipleCircuit takes no such node.
        for edge, (u, v) in enumerate(graph.ends.tolist()):
            # Ask for the time in all long loops: a model of a large board takes seconds.
            self.check()
            if edge in problem.forbidden:
                continue
            # A circuit constraint needs directed arcs, so each edge has two, and an edge is chosen when one of them is.
            there, back = self.cp.new_bool_var(f"a{edge}"), self.cp.new_bool_var(f"b{edge}")
            self.cp.add(there + back == self.edge[edge])
            self.arcs += [(u, v, there, edge), (v, u, back, edge)]
        joint = graph.n  # The node that joins the ends of paths.
        extra: list[tuple[int, int, Any]] = []
        extra += [(v, v, literal) for v, literal in self.left_out.items()]
        if problem.connectivity in ("path", "subpath"):
            # The joint closes the path to a circuit: it leads to the start, and the finish leads to it.
            fixed = list(problem.terminals)
            extra += [(joint, v, literal) for v, literal in enumerate(self.start)]
            extra += [(v, joint, literal) for v, literal in enumerate(self.finish) if not isinstance(literal, int)]
            if fixed:
                extra.append((joint, fixed[0], True))
            if len(fixed) == 2:
                extra.append((fixed[1], joint, True))
        elif problem.connectivity in ("linkage", "sublinkage"):
            pairs = list(zip(problem.terminals[::2], problem.terminals[1::2], strict=True))
            # A linkage becomes one circuit: from the end of each path a fixed arc leads to the begin of the next.
            extra += [(pairs[i - 1][1], pairs[i][0], True) for i in range(len(pairs))]
        elif problem.connectivity == "paths":
            for t in problem.terminals:
                # Which of two terminals begins their path is left open, because it is not given how they are paired.
                first = self.cp.new_bool_var(f"first{t}")
                extra += [(joint, t, first), (t, joint, ~first)]
        arcs = [(u, v, literal) for u, v, literal, _ in self.arcs] + extra
        if problem.connectivity == "paths":
            # AddMultipleCircuit wants its depot to be node 0
            self.cp.add_multiple_circuit(
                [((u + 1) % (joint + 1), (v + 1) % (joint + 1), literal) for u, v, literal in arcs]
            )
        else:
            self.cp.add_circuit(arcs)

    def add_cut(self, vertices: IntArray, edges: Any, demand: int) -> None:
        """Require at least `demand` of the edges, or of the path's ends among the vertices."""
        ends = sum(self.ends[v] for v in vertices.tolist()) if self.ends else 0
        if self.problem.connectivity == "path":
            ends += len(set(self.problem.terminals) & set(vertices.tolist()))
        self.cp.add(sum(self.edge[e] for e in edges.tolist()) + ends >= demand)

    # -- objective -------------------------------------------------------------------------------------------------

    def _objective(self) -> None:
        if self.problem.weights is not None:
            self.objective = self._sum(self.problem.weights, None)
            self.cp.minimize(self.objective)

    def _conditions(self) -> None:
        """Keep the conditions that are clauses, such as the order of stops."""
        if not self.problem.conditions:
            return
        from encoders.conditions import Variables, all_clauses

        variables: list[Any] = [None]

        def number(variable: Any) -> int:
            variables.append(variable)
            return len(variables) - 1

        edge = [number(x) for x in self.edge]
        ends = [
            [number(side[v]) for side in (self.start, self.finish) if side and not isinstance(side[v], int)]
            for v in range(self.problem.graph.n)
        ]
        known = Variables(
            edge, ends.__getitem__, lambda: number(self.cp.new_bool_var(f"s{len(variables)}")), self.check
        )
        for clause in all_clauses(self.problem, known):
            self.cp.add_bool_or([variables[x] if x > 0 else ~variables[-x] for x in clause])

    def _constraints(self) -> None:
        for constraint in self.problem.constraints:
            weights, most = constraint.upper(self.problem.graph)
            self.cp.add(self._sum(weights, most) <= most)

    def add_pairs(self, edges: IntArray) -> bool:
        """Add the pairs of edges that the sums lack, and that an answer has; return whether there are any."""
        chosen = np.zeros(self.problem.graph.m, dtype=bool)
        chosen[edges] = True
        added = False
        for total in self.lazy:
            places = total.among(chosen)
            total.lacking[places] = False
            added = added or len(places) > 0
            for place in places.tolist():
                e, f, w = int(total.first[place]), int(total.second[place]), int(total.weight[place])
                total.expression += w * self._product(e, f, at_most=False, at_least=True)
            if len(places) and total.most is not None:
                self.cp.add(total.expression <= total.most)
            elif len(places):
                self.objective = total.expression
                self.cp.minimize(self.objective)
        return added

    def lacks(self, edges: IntArray) -> bool:
        """Whether an answer has pairs of edges that the sums lack."""
        chosen = np.zeros(self.problem.graph.m, dtype=bool)
        chosen[edges] = True
        return any(len(total.among(chosen)) for total in self.lazy)

    def _sum(self, weights: Weights, most: int | None) -> Any:
        """An expression that is the sum of weights once it is as small as the model allows, without lazy pairs.

        Parameters
        ----------
        most
            The limit of the sum; None for the objective.
        """
        graph = self.problem.graph
        at_vertex: dict[int, dict[tuple[int, int], int]] = defaultdict(dict)
        apart: list[tuple[int, int, int]] = []
        single: dict[int, int] = defaultdict(int)
        tails, heads = graph.tails.tolist(), graph.heads.tolist()
        for e, f, w in zip(weights.first.tolist(), weights.second.tolist(), weights.weight.tolist(), strict=True):
            if e == f:
                single[e] += w
                continue
            e, f = min(e, f), max(e, f)
            # Pairs at a common vertex are cheap, since only one pair is chosen there. Two edges between the same two
            # vertices meet at both, and count as apart.
            common = {tails[e], heads[e]} & {tails[f], heads[f]}
            if len(common) == 1:
                (v,) = common
                at_vertex[v][e, f] = at_vertex[v].get((e, f), 0) + w
            else:
                apart.append((e, f, w))
        terms: list[Any] = [w * self.edge[e] for e, w in single.items()]
        for v in sorted(at_vertex):
            self.check()
            terms.append(self._vertex_cost(v, at_vertex[v]))
        later: list[tuple[int, int, int]] = []
        if len(apart) > MAX_PAIRS:
            later = [row for row in apart if row[2] > 0]
            apart = [row for row in apart if row[2] <= 0]
        terms += self._product_cost(apart)
        expression = sum(terms)
        if later:
            first, second, weight = np.array(later, dtype=np.int64).T
            lacking = np.ones(len(later), dtype=bool)
            self.lazy.append(LazySum(first, second, weight, lacking, expression, most))
        return expression

    def _vertex_cost(self, v: int, weight: dict[tuple[int, int], int]) -> Any:
        """The weight of the pair of edges chosen at a vertex.

        Exactly one pair is chosen at a vertex of degree 2. So the cost is a base (the most common weight) plus, for
        each pair of another weight, the difference if that pair is chosen: for turns, 1 less the straight pairs.
        """
        graph, problem = self.problem.graph, self.problem
        at = sorted(graph.edges_of(v).tolist())
        if v in problem.terminals:
            return 0  # One edge has no pair.
        pairs = [(e, f) for i, e in enumerate(at) for f in at[i + 1 :]]
        costs = [weight.get(pair, 0) for pair in pairs]
        # The most common weight needs no literals. Sorting makes the choice among equally common ones reproducible.
        base = max(sorted(set(costs)), key=costs.count)
        # The end of a free path, and a vertex that is left out, have no pair of edges and so no cost.
        cost = base * (1 - (self.ends[v] if self.ends else 0) - self.left_out.get(v, 0))
        chosen = []
        for (e, f), c in zip(pairs, costs, strict=True):
            if c != base:
                literal = self._product(e, f, at_most=c < base, at_least=c > base)
                chosen.append(literal)
                cost += (c - base) * literal
        if len(chosen) > 1:
            # A redundant constraint, which strengthens the linear relaxation.
            self.cp.add_at_most_one(chosen)
        return cost

    def _product(self, e: int, f: int, at_most: bool, at_least: bool) -> Any:
        """A literal for "both edges are chosen", constrained in the directions in which the objective pulls it."""
        self.check()
        x, y = self.edge[e], self.edge[f]
        literal = self.cp.new_bool_var(f"p{e},{f}")
        if at_most:
            self.cp.add_implication(literal, x)
            self.cp.add_implication(literal, y)
        if at_least:
            self.cp.add_bool_or(literal, ~x, ~y)
        self.products.append((literal, e, f))
        return literal

    def _product_cost(self, pairs: list[tuple[int, int, int]]) -> list[Any]:
        """The weights of pairs of edges that do not meet, by a product variable each.

        With `product >= x_e + x_f - 1` alone, a relaxation can make all products 0. But a vertex has only two edges. So
        with F the edges at a vertex that pair with e, `sum of products over F >= sum of x over F + 2 x_e - 2` holds as
        well.
        """
        literal = {(e, f): self._product(e, f, at_most=True, at_least=True) for e, f, _ in pairs}
        self._group_products({pair: literal[pair] for pair, w in (((e, f), w) for e, f, w in pairs) if w > 0})
        return [w * literal[e, f] for e, f, w in pairs]

    def _group_products(self, literal: dict[tuple[int, int], Any]) -> None:
        graph, terminals = self.problem.graph, set(self.problem.terminals)
        groups: dict[tuple[int, int], list[tuple[int, Any]]] = defaultdict(list)
        for (e, f), product in literal.items():
            for first, second in ((e, f), (f, e)):
                for v in (int(graph.tails[second]), int(graph.heads[second])):
                    groups[first, v].append((second, product))
        for (e, v), members in groups.items():
            self.check()
            degree = 1 if v in terminals else 2
            if len(members) > 1:
                chosen = sum(self.edge[f] for f, _ in members)
                self.cp.add(sum(p for _, p in members) >= chosen + degree * self.edge[e] - degree)

    # -- hints and answers -----------------------------------------------------------------------------------------

    def hint(self, edges: IntArray) -> None:
        """Suggest a solution with a value for every variable, so that the solver need not complete it."""
        chosen = np.zeros(self.problem.graph.m, dtype=bool)
        chosen[edges] = True
        self.cp.clear_hints()
        seen = set()
        for edge, x in enumerate(self.edge):
            if x.index not in seen:
                seen.add(x.index)
                self.cp.add_hint(x, bool(chosen[edge]))
        for literal, e, f in self.products:
            self.cp.add_hint(literal, bool(chosen[e] and chosen[f]))
        self._hint_directions(edges)

    def _hint_directions(self, edges: IntArray) -> None:
        from kt_models.walks import walks_of

        problem = self.problem
        if problem.connectivity not in ("cycle", "path"):
            return
        (walk, *others) = walks_of(problem.graph.n, problem.graph.ends[edges], np.asarray(edges))
        if others:
            return
        vertices, along = walk.vertices, walk.edges
        if problem.terminals and vertices[0] != problem.terminals[0]:
            vertices, along = vertices[::-1], along[::-1]
        leaves = dict(zip(along, vertices, strict=False))
        for tail, _, literal, edge in self.arcs:
            self.cp.add_hint(literal, leaves.get(edge) == tail)
        for variables, vertex in ((self.start, vertices[0]), (self.finish, vertices[-1])):
            for v, literal in enumerate(variables):
                if not isinstance(literal, int):
                    self.cp.add_hint(literal, v == vertex)
