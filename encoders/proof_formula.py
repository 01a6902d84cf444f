"""The formula of a proof, every clause with the rule that explains it.

Edge and end variables are those of `Formula`.  What is written out there with PySAT's encodings is written here so that
a checker can tell what it means (docs/proofs.md): degrees directly, or by a counter where there are many edges; the
objective by counted variables and a counter from which the values above the bound are struck out.
"""

from __future__ import annotations

from collections import Counter as Multiset
from collections.abc import Iterable, Sequence
from itertools import combinations

from encoders.sat.formula import Clause, Formula
from kt_models.certificates.proofs.manifest import MAX_NUMBER, Counter, Group, Node
from kt_models.errors import KTError, TooLarge
from kt_models.problem import Problem

DIRECT = 14
"""Up to this many variables, `at most` is written out without new ones."""
MAX_CLAUSES = 20_000_000


class ProofFormula:
    """Degrees, required and forbidden edges, and `value <= at_most`; cut-sets are added to it.

    Raises
    ------
    KTError
        If the objective has negative weights.
    TooLarge
        Above `MAX_CLAUSES` clauses.
    """

    def __init__(self, problem: Problem, at_most: int | None) -> None:
        self.problem = problem
        self.shared = Formula(problem)
        self.clauses: list[Clause] = []
        self.groups: list[Group] = []
        self.counted: list[tuple[int, int]] = []
        self.counters: list[Counter] = []
        self.top = max([0, *self.shared.edge, *self.shared.end])
        self._degrees()
        self._given("required", problem.required, 1)
        self._given("forbidden", problem.forbidden, -1)
        if at_most is not None:
            self._objective(at_most)

    def cut_set(self, vertices: Iterable[int]) -> Clause:
        """The clause of a vertex set that every solution leaves: an edge does, wherever a path ends."""
        edges = set(self.shared.edge)
        return [literal for literal in self.shared.cut_set(vertices) if literal in edges]

    def add_cut_sets(self, sets: Sequence[Sequence[int]]) -> None:
        """Add cut-sets, one clause each."""
        if sets:
            self._group("cut-set", [self.cut_set(vertices) for vertices in sets], sets=[list(s) for s in sets])

    def _group(self, rule: str, clauses: list[Clause], **data: object) -> None:
        if len(self.clauses) + len(clauses) > MAX_CLAUSES:
            raise TooLarge(f"a proof of {self.problem.graph.name} needs over {MAX_CLAUSES:,} clauses")
        self.clauses += clauses
        self.groups.append(Group(rule, len(clauses), dict(data)))

    # -- degrees and given edges --------------------------------------------------------------------------------------

    def _degrees(self) -> None:
        problem, graph = self.problem, self.problem.graph
        ends = [variable for variable in self.shared.end if variable]
        if graph.n == 1:
            ends = []
        if ends:
            self._exactly("ends", ends, problem.free_ends)
        for v in range(graph.n):
            at = [self.shared.edge[e] for e in graph.edges_of(v).tolist()]
            at += [self.shared.end[v]] if ends and self.shared.end[v] else []
            wanted = 1 if v in problem.terminals else 2
            if problem.connectivity == "path" and graph.n == 1:
                continue
            self._exactly("degree", at, wanted, vertex=v)

    def _exactly(self, rule: str, slots: list[int], count: int, **data: int) -> None:
        if rule == "ends":  # degrees make the number of ends even, so that one is as good as two
            clauses = [slots]
        else:
            clauses = (
                [sorted(set(c)) for c in combinations(slots, len(slots) - count + 1)] if len(slots) >= count else [[]]
            )
        if len(slots) <= DIRECT:
            clauses += [sorted({-x for x in c}) for c in combinations(slots, count + 1)]
            self._group(rule, clauses, **data)
            return
        self._group(rule, clauses, **data)
        self._counter(rule, sorted(Multiset(slots).items()), count, data.get("vertex"))

    def _given(self, rule: str, edges: Iterable[int], sign: int) -> None:
        variables = sorted({self.shared.edge[e] for e in edges})
        if variables:
            self._group(rule, [[sign * x] for x in variables])

    # -- the objective ------------------------------------------------------------------------------------------------

    def _objective(self, at_most: int) -> None:
        """Counted variables: one for each set of weighted pairs of which a solution has at most one, else for a pair.

        Of the pairs of edges at a vertex a solution has one; there are turns, and one variable counts them all.
        """
        problem, edge = self.problem, self.shared.edge
        weights = problem.weights
        if weights is None:
            raise KTError("a proof of a bound needs an objective")
        if len(weights.weight) and int(weights.weight.min()) < 0:
            raise KTError("no proof is written for an objective with negative weights")
        if sum(weights.weight.tolist()) > MAX_NUMBER:
            raise KTError(f"no proof is written for weights that sum to more than {MAX_NUMBER:,}")
        graph = problem.graph
        alike: dict[tuple[int, int], Multiset[tuple[int, int]]] = {}  # by common vertex and weight
        pairs: Multiset[tuple[int, int]] = Multiset()
        total: Multiset[tuple[int, int]] = Multiset()
        for e, f, weight in zip(weights.first.tolist(), weights.second.tolist(), weights.weight.tolist(), strict=True):
            total[min(e, f), max(e, f)] += weight
        for (e, f), weight in total.items():
            a, b = sorted((edge[e], edge[f]))
            common = set(graph.ends[e].tolist()) & set(graph.ends[f].tolist())
            if len(common) == 1 and weight:
                alike.setdefault((min(common), weight), Multiset())[a, b] += 1
            elif weight:
                pairs[a, b] += weight
        # vertices that symmetry makes alike share a variable, which weighs as much as all of them
        classes: Multiset[frozenset[tuple[int, int]]] = Multiset()
        for (_, weight), found in alike.items():
            classes[frozenset(found)] += weight
        for pair, weight in pairs.items():
            classes[frozenset([pair])] += weight
        clauses: list[Clause] = []
        for members, weight in classes.items():
            self.top += 1
            self.counted.append((self.top, weight))
            clauses += [[*sorted({-a, -b}), self.top] for a, b in sorted(members)]
        self._group("pair", clauses)
        self._counter("objective", self.counted, at_most, None)

    # -- counters -----------------------------------------------------------------------------------------------------

    def _counter(self, of: str, inputs: Sequence[tuple[int, int]], limit: int, vertex: int | None) -> None:
        """A totalizer (Bailleux and Boufkhad 2003; with weights, Joshi et al. 2015), from inputs to sums only.

        Sums above the limit are one sum; the two halves at the top are not added up but may not exceed the limit.
        """
        clauses: list[Clause] = []
        nodes: list[Node] = []
        items: list[dict[int, int]] = [{weight: variable} for variable, weight in inputs]
        level = list(range(len(items)))
        while len(level) > 2:
            above = []
            for left, right in zip(level[::2], level[1::2], strict=False):
                sums: dict[int, list[Clause]] = {}
                for a, x in [(0, 0), *items[left].items()]:
                    for b, y in [(0, 0), *items[right].items()]:
                        if a + b:
                            sums.setdefault(min(a + b, limit + 1), []).append([-z for z in (x, y) if z])
                thresholds = tuple(sorted(s for s in sums if s > 0))
                nodes.append(Node(left, right, self.top + 1, thresholds))
                output = {s: self.top + 1 + i for i, s in enumerate(thresholds)}
                self.top += len(thresholds)
                clauses += [[*clause, variable] for s, variable in output.items() for clause in sums[s]]
                if len(clauses) > MAX_CLAUSES:
                    raise TooLarge(f"a proof of {self.problem.graph.name} needs over {MAX_CLAUSES:,} clauses")
                items.append(output)
                above.append(len(items) - 1)
            level = above + level[len(level) - len(level) % 2 :]
        halves = [[(0, 0), *items[item].items()] for item in level] + [[(0, 0)]] * (2 - len(level))
        clauses += [[-z for z in (x, y) if z] for a, x in halves[0] for b, y in halves[1] if a + b > limit]
        self.counters.append(Counter(of, vertex, tuple(nodes)))
        self._group("counter", clauses, counter=len(self.counters) - 1)
