"""The meaning of a proof's clauses: why no clause of its formula excludes a solution.

Let x be the chosen edges of a solution whose value is at most k, the greatest that a value below the claimed bound can
be (`rounding`), or of any solution, if the claim is that there is none.
Give every variable a value:

- an edge variable (one for each orbit of edges under the problem's symmetry): whether the edges are chosen;
- an end variable: whether the path has a free end at this vertex;
- a variable of an optional vertex: whether it is left out;
- a counted variable: if it has `pair` clauses, whether both edges of one of their pairs are chosen; if it has `missing`
  clauses, whether one of their edges is not chosen;
- a counter variable: whether the inputs under its node sum to its threshold or more.

Each of these is a function of x, so x extends in one way. `Meaning.check` verifies that every clause is then true, by
the rule that its group names; no rule requires certain clauses. So if the formula is unsatisfiable, no such x exists.

The rules
---------
Each rule describes its clauses, and says why they are true.

- `degree` (key `vertex`): exactly d of the variables at the vertex are true, where d is 2, or 1 at a terminal. That it
  is left out counts as two. A positive clause leaves fewer than d others; a negative one has more than d of them.
- `ends`: the same for the end variables; 2 less the number of terminals of them are true.
- `required`, `forbidden`: the clause contains a required edge, or a forbidden one negated.
- `condition` (key `of`): the clause negates all edges of a set that the problem's condition of this kind excludes,
  and the end variable where the path would have to end. Of a sum of edges a positive clause leaves fewer others than
  the least number, and a negative one has more than the greatest.
- `cut-set` (key `sets`, one set for each clause): the clause contains every edge with one end in the set. A cycle or
  path through every vertex leaves a set that is neither empty nor everything. Disjoint paths leave a set without
  terminals, and in a `linkage` also one that parts the terminals of a pair. Where vertices are optional, one in the set
  and, of one cycle or path, one outside are not, or the clause contains that they are left out.
- `nonempty`, `short`: one cycle that may leave vertices out has an edge, and no two edges between the same two
  vertices. The clause contains all edges, or it negates two such edges.
- `pair`: two edges (or one) negated, and a counted variable. This is the definition of the variable.
- `missing`: an edge, and a counted variable. This is the definition of the variable.
- `counter` (key `counter`): each negated literal is a variable of another item below one node, and the positive literal
  is a variable of that node. Their thresholds sum to its threshold or more. Items below a node share no inputs.
  Without a positive literal, the items are below no node, and their thresholds sum to more than the limit, which no
  sum of all inputs exceeds.

The problem fixes the limit of a counter of ends or degrees. The objective is at most k, and each constraint says what
its sum is at most (`Constraint.upper`). Let w(p) be what such a sum gives a pair p of edge variables. For each pair,
the weights of the counted variables of the sum with this pair must not come to more than w(p) if they are of `pair`
clauses, and not to more than -w(p) if they are of `missing` ones. So the weights of the true counted variables come to
at most the sum of w(p) over the chosen pairs with w(p) > 0, and of -w(p) over the others with w(p) < 0. That is the
value of x less the sum of all w(p) < 0, which is the limit of the counter if the value is the most that it may be.
"""

from __future__ import annotations

from collections import Counter as Multiset
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, pairwise
from typing import Any, NamedTuple

import numpy as np

from kt_models.conditions import EdgeSums, LocalCondition
from kt_models.errors import CertificateError
from kt_models.json_values import are_integers, is_integer
from kt_models.kernel.certificates.proofs.manifest import Counter, Group, Manifest
from kt_models.kernel.certificates.rounding import ruled_out
from kt_models.limits import NO_LIMITS, Limits
from kt_models.weights import Weights

Literals = Sequence[int]
CHECK_EVERY = 64
"""Clauses between two checks of the clock: a clause may need a search of the graph."""


class Place(NamedTuple):
    """Meaning of a counter's variable: the inputs under `item` sum to at least `threshold`."""

    item: int
    threshold: int


class CounterTree:
    """A counter whose structure has been checked: a forest in which each item has at most one parent."""

    def __init__(self, counter: Counter, inputs: dict[int, int], limit: int) -> None:
        self.limit = limit
        self.place = {variable: Place(item, weight) for item, (variable, weight) in enumerate(inputs.items())}
        self.parent: dict[int, int] = {}
        for number, node in enumerate(counter.nodes, len(inputs)):
            for child in (node.left, node.right):
                if child >= number or child in self.parent:
                    raise CertificateError(
                        f"counter of {counter.of}: item {number} has {child} below it, which is taken"
                    )
                self.parent[child] = number
            for variable, threshold in zip(node.variables, node.thresholds, strict=True):
                self.place[variable] = Place(number, threshold)

    def implies(self, clause: Literals) -> bool:
        """Whether a clause adds up parts: below one node, or at the top to more than the limit."""
        heads = {literal for literal in clause if literal > 0}
        parts = [self.place.get(-literal) for literal in set(clause) if literal < 0]
        if len(heads) > 1 or None in parts:
            return False
        known = [part for part in parts if part is not None]
        if len({part.item for part in known}) < len(known):
            return False
        total = sum(part.threshold for part in known)
        if not heads:
            return all(part.item not in self.parent for part in known) and total > self.limit
        head = self.place.get(heads.pop())
        return (
            head is not None
            and all(self.parent.get(part.item) == head.item for part in known)
            and total >= head.threshold
        )


class Sum:
    """A sum of weights that a formula keeps at a limit or below.

    Attributes
    ----------
    counted
        The counted variables and their weights.
    left
        Weights of the pairs of edge variables that no counted variable stands for yet.
    limit
        Limit of its counter.
    """

    def __init__(self, weights: Weights, edge: Sequence[int], most: int, counted: Iterable[tuple[int, int]]) -> None:
        self.counted = dict(counted)
        self.left: Multiset[tuple[int, int]] = Multiset()
        for e, f, weight in zip(weights.first.tolist(), weights.second.tolist(), weights.weight.tolist(), strict=True):
            a, b = edge[e], edge[f]
            self.left[min(a, b), max(a, b)] += weight
        self.limit = most - sum(min(weight, 0) for weight in self.left.values())

    def give(self, variable: int, pair: tuple[int, int], sign: int) -> None:
        """Give a counted variable, of `pair` clauses (1) or `missing` ones (-1), its share of a pair's weight."""
        self.left[pair] -= sign * self.counted[variable]
        if sign * self.left[pair] < 0:
            raise CertificateError(f"variables {pair[0]} and {pair[1]} are counted for more than they weigh")


class Meaning:
    """Variables of a formula, derived again from the problem of its manifest.

    Raises
    ------
    CertificateError
        If a variable is defined twice, or is that of an edge or an end.
    """

    def __init__(self, manifest: Manifest) -> None:
        problem = manifest.problem
        if manifest.bound is not None and problem.objective is None:
            raise CertificateError("the claim is a bound, but the problem has no objective")
        self.problem, self.limit = problem, ruled_out(manifest.statement)
        graph = problem.graph
        if graph.m and bool((graph.tails == graph.heads).any()):
            raise CertificateError(f"{graph.name}: an edge joins a vertex to itself")
        number: dict[int, int] = {}
        self.edge = [number.setdefault(orbit, len(number) + 1) for orbit in problem.edge_orbits.tolist()]
        self.top = len(number)
        self.ends: dict[int, int] = {}
        if problem.free_ends:
            for vertex in range(graph.n):
                if vertex not in problem.terminals:
                    self.top += 1
                    self.ends[vertex] = self.top
        self.left_out: dict[int, int] = {}
        for vertex in sorted(problem.optional):
            self.top += 1
            self.left_out[vertex] = self.top
        self.objective = self._objective(manifest)
        if manifest.constrained and len(manifest.constrained) != len(problem.constraints):
            raise CertificateError("'constrained' does not have one list for each constraint")
        self.constraints = [
            Sum(weights, self.edge, most, counted)
            for (weights, most), counted in zip(
                (constraint.upper(graph) for constraint in problem.constraints), manifest.constrained, strict=False
            )
        ]
        sums = [*filter(None, [self.objective]), *self.constraints]
        self.owner = {variable: sum_ for sum_ in sums for variable in sum_.counted}
        self.pairs: dict[int, set[tuple[int, int]]] = {variable: set() for variable in self.owner}
        self.missing: dict[int, set[int]] = {variable: set() for variable in self.owner}
        self._define(manifest)
        self.trees = [self._tree(counter) for counter in manifest.counters]

    def _objective(self, manifest: Manifest) -> Sum | None:
        """The sum that is the objective; `None` if the claim is not a bound."""
        weights = self.problem.weights
        if manifest.counted and weights is None:
            raise CertificateError("pairs are counted, but the problem has no objective")
        if weights is None:
            return None
        return Sum(weights, self.edge, 0 if self.limit is None else self.limit, manifest.counted)

    def _define(self, manifest: Manifest) -> None:
        """Check that auxiliary variables are new, and that each is defined once."""
        counted = [pair for pairs in (manifest.counted, *manifest.constrained) for pair in pairs]
        ranges = [range(variable, variable + 1) for variable, _ in counted]
        ranges += [node.variables for counter in manifest.counters for node in counter.nodes if node.thresholds]
        ranges.sort(key=lambda run: run.start)
        if ranges and ranges[0].start <= self.top:
            raise CertificateError(f"variable {ranges[0].start} is an edge's or an end's, and is defined once more")
        for before, after in pairwise(ranges):
            if before.stop > after.start:
                raise CertificateError(f"variable {after.start} is defined twice")
        self.top = max([self.top, *(run.stop - 1 for run in ranges)])

    def _tree(self, counter: Counter) -> CounterTree:
        if counter.of == "objective":
            if self.limit is None or self.objective is None:
                raise CertificateError("the objective is counted, but the claim is not a bound")
            return CounterTree(counter, self.objective.counted, self.objective.limit)
        if counter.of == "constraint" and counter.constraint is not None:
            if counter.constraint >= len(self.constraints):
                raise CertificateError(f"a counter of constraint {counter.constraint}: no constraint has that number")
            constraint = self.constraints[counter.constraint]
            return CounterTree(counter, constraint.counted, constraint.limit)
        if counter.of == "ends":
            slots, count = self._ends()
            return CounterTree(counter, slots, count)
        if counter.of == "degree" and counter.vertex is not None:
            slots, count = self._degree(counter.vertex)
            return CounterTree(counter, slots, count)
        raise CertificateError(f"a counter of {counter.of[:40]!r}: there is no such thing to count")

    # -- sums that the problem fixes ---------------------------------------------------------------------------------

    def _degree(self, vertex: Any) -> tuple[dict[int, int], int]:
        """The variables that add up to the degree at a vertex, with their multiplicities, and the degree."""
        problem = self.problem
        if not is_integer(vertex) or not 0 <= vertex < problem.graph.n:
            raise CertificateError(f"degree: {str(vertex)[:40]} is not a vertex")
        slots = Multiset(self.edge[e] for e in problem.graph.edges_of(vertex).tolist())
        if problem.connectivity == "path" and problem.graph.n == 1:
            return {}, 0
        if vertex in problem.terminals:
            return dict(sorted(slots.items())), 1
        if vertex in self.ends:
            slots[self.ends[vertex]] += 1
        if vertex in self.left_out:
            slots[self.left_out[vertex]] += 2
        return dict(sorted(slots.items())), 2

    def _ends(self) -> tuple[dict[int, int], int]:
        if not self.problem.free_ends or self.problem.graph.n == 1:
            raise CertificateError("ends are counted where none is free")
        return dict.fromkeys(sorted(self.ends.values()), 1), self.problem.free_ends

    # -- rules -------------------------------------------------------------------------------------------------------

    def check(self, groups: Iterable[Group], clauses: Sequence[Literals], limits: Limits = NO_LIMITS) -> dict[str, int]:
        """Check that every clause follows from the problem by the rule that its group names.

        Returns
        -------
        dict
            The number of clauses that each rule explains.

        Raises
        ------
        CertificateError
            If a clause does not follow (the message names the first one), or groups and clauses do not match in number.
        Stopped
            If a limit is reached.
        """
        explained: Multiset[str] = Multiset()
        at = 0
        for group in groups:
            rule = RULES.get(group.rule)
            if rule is None:
                raise CertificateError(f"unknown rule {group.rule[:40]!r}; known are {', '.join(RULES)}")
            if at + group.clauses > len(clauses):
                raise CertificateError(f"the groups explain more than the {len(clauses):,} clauses of the formula")
            limits.check()
            follows = rule(self, group)
            for i in range(group.clauses):
                if not i % CHECK_EVERY:
                    limits.check()
                if not follows(i, clauses[at + i]):
                    text = " ".join(map(str, clauses[at + i][:12]))
                    raise CertificateError(
                        f"clause {at + i + 1:,} ({text[:80]} 0) does not follow by rule {group.rule!r}"
                    )
            at += group.clauses
            explained[group.rule] += group.clauses
        if at < len(clauses):
            raise CertificateError(f"clause {at + 1:,} is explained by no group")
        self._check_weights()
        return dict(explained)

    def _exactly(self, slots: dict[int, int], count: int) -> Callable[[int, Literals], bool]:
        total = sum(slots.values())

        def follows(_: int, clause: Literals) -> bool:
            literals = set(clause)
            if all(literal > 0 for literal in literals):  # If all of these are false, too few edges are left
                return total - sum(slots.get(literal, 0) for literal in literals) < count
            if all(literal < 0 for literal in literals):  # If all of these are true, there are too many edges
                return sum(slots.get(-literal, 0) for literal in literals) > count
            return False

        return follows

    def rule_degree(self, group: Group) -> Callable[[int, Literals], bool]:
        """Rule: the edges at `vertex`, with its end, are 2; at a terminal 1."""
        return self._exactly(*self._degree(group.data.get("vertex")))

    def rule_ends(self, group: Group) -> Callable[[int, Literals], bool]:
        """Rule: a given number of ends of the path are free."""
        return self._exactly(*self._ends())

    def rule_required(self, group: Group) -> Callable[[int, Literals], bool]:
        """Rule: a required edge is chosen."""
        chosen = {self.edge[e] for e in self.problem.required}
        return lambda _, clause: not chosen.isdisjoint(clause)

    def rule_forbidden(self, group: Group) -> Callable[[int, Literals], bool]:
        """Rule: a forbidden edge is not chosen."""
        out = {-self.edge[e] for e in self.problem.forbidden}
        return lambda _, clause: not out.isdisjoint(clause)

    def rule_condition(self, group: Group) -> Callable[[int, Literals], bool]:
        """Rule: not all edges of a set that the condition `of` excludes are chosen while a path ends at its vertex."""
        problem = self.problem
        condition = next((c for c in problem.conditions if c.name == group.data.get("of")), None)
        if isinstance(condition, EdgeSums):
            sums = [(Multiset(self.edge[e] for e in edges), least, most) for edges, least, most in condition.sums]
            kept = [(self._exactly(slots, least), self._exactly(slots, most)) for slots, least, most in sums]
            return lambda i, clause: any(
                (below if all(x > 0 for x in clause) else above)(i, clause) for below, above in kept
            )
        if not isinstance(condition, LocalCondition):
            raise CertificateError(f"condition: the problem has none of the kind {str(group.data.get('of'))[:40]!r}")
        excluded = set()
        for edges, end in condition.exclusions(problem.graph):
            literals = {-self.edge[e] for e in edges}
            if end in self.ends and problem.graph.n > 1:
                excluded.add(frozenset(literals | {-self.ends[end]}))
            elif end is None or end in problem.terminals or (problem.connectivity == "path" and problem.graph.n == 1):
                excluded.add(frozenset(literals))
        return lambda _, clause: frozenset(clause) in excluded

    def rule_cut_set(self, group: Group) -> Callable[[int, Literals], bool]:
        """Rule: an edge leaves each of the vertex sets `sets`, as the solution is connected."""
        graph, edge = self.problem.graph, np.array(self.edge, dtype=np.int64)
        sets = group.data.get("sets")
        if not isinstance(sets, list) or len(sets) != group.clauses:
            raise CertificateError("cut-set: 'sets' does not have one vertex set for each clause")

        def follows(i: int, clause: Literals) -> bool:
            vertices = sets[i]
            if not are_integers(vertices, 0, graph.n - 1):
                raise CertificateError("cut-set: a set is not a list of vertices")
            if not self._must_be_left(set(vertices), set(clause)):
                return False
            inside = np.zeros(graph.n, dtype=bool)
            inside[vertices] = True
            leaving = edge[inside[graph.tails] != inside[graph.heads]]
            return set(leaving.tolist()) <= set(clause)

        return follows

    def _must_be_left(self, vertices: set[int], clause: set[int]) -> bool:
        """Whether every solution has an edge between a vertex set and its complement, or satisfies the clause."""
        problem = self.problem

        def visited(some: set[int]) -> bool:
            """Whether one of some vertices is visited, unless the clause is true."""
            return any(v not in self.left_out or self.left_out[v] in clause for v in some)

        if not visited(vertices):
            return False
        if problem.connectivity in ("cycle", "path", "subcycle", "subpath"):
            return visited(set(range(problem.graph.n)) - vertices)
        if problem.connectivity not in ("paths", "linkage", "sublinkage"):
            return False
        # No path begins in the set, and no cycle stays in it, so the visited vertex would be missed
        if vertices.isdisjoint(problem.terminals):
            return True
        pairs = zip(problem.terminals[::2], problem.terminals[1::2], strict=True)
        return problem.connectivity != "paths" and any((s in vertices) != (t in vertices) for s, t in pairs)

    def rule_nonempty(self, group: Group) -> Callable[[int, Literals], bool]:
        """Rule: a cycle has an edge."""
        chosen = set(self.edge)
        return lambda _, clause: self.problem.connectivity == "subcycle" and chosen <= set(clause)

    def rule_short(self, group: Group) -> Callable[[int, Literals], bool]:
        """Rule: a cycle of three or more vertices has at most one edge between two of them."""
        alike: dict[frozenset[int], list[int]] = {}
        for e, ends in enumerate(self.problem.graph.ends.tolist()):
            alike.setdefault(frozenset(ends), []).append(self.edge[e])
        out = {frozenset({-x, -y}) for edges in alike.values() for x, y in combinations(edges, 2)}
        return lambda _, clause: self.problem.connectivity == "subcycle" and frozenset(clause) in out

    def rule_pair(self, group: Group) -> Callable[[int, Literals], bool]:
        """Rule: two edges (or one by itself) make their counted variable true; `_check_weights` does the rest."""
        edges = len(set(self.edge))

        def follows(_: int, clause: Literals) -> bool:
            heads = [literal for literal in clause if literal > 0]
            pair = sorted({-literal for literal in clause if literal < 0})
            if len(heads) != 1 or heads[0] not in self.pairs or not 1 <= len(pair) <= 2 or pair[-1] > edges:
                return False
            self.pairs[heads[0]].add((pair[0], pair[-1]))
            return True

        return follows

    def rule_missing(self, group: Group) -> Callable[[int, Literals], bool]:
        """Rule: an edge that is not chosen makes the counted variable true; `_check_weights` does the rest."""
        edges = len(set(self.edge))

        def follows(_: int, clause: Literals) -> bool:
            literals = sorted(set(clause))
            if len(literals) != 2 or not 1 <= literals[0] <= edges or literals[1] not in self.missing:
                return False
            self.missing[literals[1]].add(literals[0])
            return True

        return follows

    def _check_weights(self) -> None:
        """Check that the counted variables of a pair weigh at most its share of the sum."""
        for variable, pairs in self.pairs.items():
            for pair in pairs:
                self.owner[variable].give(variable, pair, 1)
        for variable, edges in self.missing.items():
            if len(edges) > 2 or (edges and self.pairs[variable]):
                raise CertificateError(f"variable {variable} is defined by inconsistent clauses")
            if edges:
                self.owner[variable].give(variable, (min(edges), max(edges)), -1)

    def rule_counter(self, group: Group) -> Callable[[int, Literals], bool]:
        """Rule: parts of counter number `counter` add up."""
        number = group.data.get("counter")
        if not is_integer(number) or not 0 <= number < len(self.trees):
            raise CertificateError(f"counter: no counter has number {str(number)[:40]}")
        tree = self.trees[number]
        return lambda _, clause: tree.implies(clause)


RULES: dict[str, Callable[[Meaning, Group], Callable[[int, Literals], bool]]] = {
    "degree": Meaning.rule_degree,
    "ends": Meaning.rule_ends,
    "required": Meaning.rule_required,
    "forbidden": Meaning.rule_forbidden,
    "condition": Meaning.rule_condition,
    "cut-set": Meaning.rule_cut_set,
    "nonempty": Meaning.rule_nonempty,
    "short": Meaning.rule_short,
    "pair": Meaning.rule_pair,
    "missing": Meaning.rule_missing,
    "counter": Meaning.rule_counter,
}
"""For each rule, a function that returns the test of the group's i-th clause."""
