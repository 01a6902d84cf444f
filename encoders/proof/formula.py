"""The formula of a proof: a `Formula` in which a checker can explain every clause (docs/theory/proofs.md).

The edges at a vertex of high degree are counted by a totalizer, as the objective is, and not by one of PySAT's
encodings. The variables of the objective are those of pairs. The search engine's clauses for the turns at a cell
(`encoders.sat.objective`) propagate more, but follow only from these clauses and the degrees together. With these
clauses in their place descent took 1.2 to 2.3 times as long on turns, and as long on crossings.
"""

from __future__ import annotations

from collections import Counter as Multiset
from collections.abc import Sequence

from encoders.sat.formula import Clause, Formula, at_least
from encoders.sat.totalizer import Totalizer
from kt_models.conditions import EdgeSums, LocalCondition
from kt_models.errors import KTError, TooLarge
from kt_models.kernel.certificates.proofs.manifest import MAX_NUMBER, Counter
from kt_models.problem import Problem
from kt_models.weights import Weights

MAX_CLAUSES = 20_000_000


class ProofFormula(Formula):
    """Degrees, required and forbidden edges, constraints, and `value <= at_most`; cut-sets are added to it.

    Raises
    ------
    KTError
        If a sum has weights that are too large.
    TooLarge
        Above `MAX_CLAUSES` clauses.
    """

    def __init__(self, problem: Problem, at_most: int | None) -> None:
        self.counted: list[tuple[int, int]] = []
        self.constrained: list[list[tuple[int, int]]] = []
        self.counters: list[Counter] = []
        super().__init__(problem)
        if at_most is not None:
            self._objective(at_most)

    def add_cut_sets(self, sets: Sequence[Sequence[int]]) -> None:
        """Add cut-sets, one clause each."""
        if sets:
            self.group("cut-set", [self.cut_set(vertices) for vertices in sets], sets=[list(s) for s in sets])

    def group(self, rule: str, clauses: list[Clause], **data: object) -> None:
        self._check_size(len(clauses))
        super().group(rule, clauses, **data)

    def _check_size(self, more: int) -> None:
        if len(self.clauses) + more > MAX_CLAUSES:
            raise TooLarge(f"a proof of {self.problem.graph.name} needs over {MAX_CLAUSES:,} clauses")

    def _counted(self, literals: list[int], count: int, rule: str, **data: int) -> None:
        # The degrees make the number of ends even, so one end is as good as two.
        self.group(rule, at_least(literals, 1 if rule == "ends" else count), **data)
        self.count(rule, sorted(Multiset(literals).items()), count, data.get("vertex"))

    def count(
        self, of: str, inputs: Sequence[tuple[int, int]], limit: int, vertex: int | None = None,
        constraint: int | None = None,
    ) -> None:  # fmt: skip
        """Keep a sum of weighted literals within a limit."""
        clauses: list[Clause] = []
        totalizer = Totalizer(inputs, limit, self.new, lambda: self._check_size(len(clauses)), 2, clauses)
        self.counters.append(Counter(of, vertex, tuple(totalizer.nodes), constraint))
        self.group("counter", clauses + totalizer.limit(), counter=len(self.counters) - 1)

    def _objective(self, at_most: int) -> None:
        if self.problem.weights is None:
            raise KTError("a proof of a bound needs an objective")
        self.counted = self._keep(self.problem.weights, at_most, "objective")

    def _constrain(self) -> None:
        for condition in self.problem.conditions:
            before = self.top
            if isinstance(condition, LocalCondition | EdgeSums):
                self._keep_condition(condition)
            # The checker knows no variables that count the edges of a large sum.
            if not isinstance(condition, LocalCondition | EdgeSums) or self.top > before:
                raise KTError(
                    f"{condition.title}: no proof is written for them; kt check verifies tours that keep them"
                )
        for number, constraint in enumerate(self.problem.constraints):
            weights, most = constraint.upper(self.problem.graph)
            self.constrained.append(self._keep(weights, most, "constraint", number))

    def _keep(self, weights: Weights, most: int, of: str, constraint: int | None = None) -> list[tuple[int, int]]:
        """Keep a sum of weights at a limit or below: its counted variables and their weights.

        There is one for each set of pairs of a weight above 0 of which a solution has at most one, else for a pair. Of
        the pairs of edges at a vertex a solution has one; there are turns, and one variable counts them all. A pair of
        a weight below 0 is counted where it is missing.
        """
        graph, edge = self.problem.graph, self.edge
        if weights.magnitude > MAX_NUMBER:
            raise KTError(f"no proof is written for weights that sum to more than {MAX_NUMBER:,}")
        net: Multiset[tuple[int, int]] = Multiset()  # By variables, which edges of an orbit share
        rows = [(*sorted((edge[e], edge[f])), e, f, weight) for e, f, weight in weights.canonical()]
        for a, b, _, _, weight in rows:
            net[a, b] += weight
        mixed = {(a, b) for a, b, *_, weight in rows if weight * net[a, b] <= 0}
        alike: dict[tuple[int, int], Multiset[tuple[int, int]]] = {}  # By common vertex and weight
        pairs = Multiset({pair: net[pair] for pair in mixed if net[pair] > 0})
        for a, b, e, f, weight in rows:
            common = set(graph.ends[e].tolist()) & set(graph.ends[f].tolist())
            if net[a, b] <= 0 or (a, b) in mixed:
                continue
            if len(common) == 1:
                alike.setdefault((min(common), weight), Multiset())[a, b] += 1
            else:
                pairs[a, b] += weight
        # Vertices that symmetry makes alike share a variable, which weighs as much as all of them
        classes: Multiset[frozenset[tuple[int, int]]] = Multiset()
        for (_, weight), members in alike.items():
            classes[frozenset(members)] += weight
        for pair, weight in pairs.items():
            classes[frozenset([pair])] += weight
        counted: list[tuple[int, int]] = []
        clauses: list[Clause] = []
        for together, weight in classes.items():
            counted.append((self.new(), weight))
            clauses += [[*sorted({-a, -b}), self.top] for a, b in sorted(together)]
        self.group("pair", clauses)
        missing: list[Clause] = []
        for (a, b), weight in net.items():
            if weight < 0:
                counted.append((self.new(), -weight))
                missing += [[x, self.top] for x in sorted({a, b})]
        if missing:
            self.group("missing", missing)
        limit = max(-1, most - sum(min(weight, 0) for weight in net.values()))
        self.count(of, counted, limit, constraint=constraint)
        return counted
