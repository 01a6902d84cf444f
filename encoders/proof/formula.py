"""The formula of a proof: a `Formula` of which a checker can tell what every clause means (docs/theory/proofs.md).

Where there are many edges at a vertex they are counted by a totalizer, as the objective is, and not by one of PySAT's
encodings.  The objective's variables are those of pairs: the clauses with which the search engine counts the turns at
a cell (`encoders.sat.objective`) propagate more, and follow from these and the degrees only together.  With these in
their place descent took 1.2 to 2.3 times as long on turns, and as long on crossings.
"""

from __future__ import annotations

from collections import Counter as Multiset
from collections.abc import Sequence

from encoders.sat.formula import Clause, Formula, at_least
from encoders.sat.totalizer import Totalizer
from kt_models.certificates.proofs.manifest import MAX_NUMBER, Counter
from kt_models.errors import KTError, TooLarge
from kt_models.problem import Problem

MAX_CLAUSES = 20_000_000


class ProofFormula(Formula):
    """Degrees, required and forbidden edges, and `value <= at_most`; cut-sets are added to it.

    Raises
    ------
    KTError
        If the objective has negative weights.
    TooLarge
        Above `MAX_CLAUSES` clauses.
    """

    def __init__(self, problem: Problem, at_most: int | None) -> None:
        self.counted: list[tuple[int, int]] = []
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
        # degrees make the number of ends even, so that one is as good as two
        self.group(rule, at_least(literals, 1 if rule == "ends" else count), **data)
        self.count(rule, sorted(Multiset(literals).items()), count, data.get("vertex"))

    def count(self, of: str, inputs: Sequence[tuple[int, int]], limit: int, vertex: int | None) -> None:
        """Keep a sum of weighted literals at a limit or below."""
        clauses: list[Clause] = []
        totalizer = Totalizer(inputs, limit, self.new, lambda: self._check_size(len(clauses)), 2, clauses)
        self.counters.append(Counter(of, vertex, tuple(totalizer.nodes)))
        self.group("counter", clauses + totalizer.limit(), counter=len(self.counters) - 1)

    def _objective(self, at_most: int) -> None:
        """Counted variables: one for each set of weighted pairs of which a solution has at most one, else for a pair.

        Of the pairs of edges at a vertex a solution has one; there are turns, and one variable counts them all.
        """
        problem, edge = self.problem, self.edge
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
        for (_, weight), members in alike.items():
            classes[frozenset(members)] += weight
        for pair, weight in pairs.items():
            classes[frozenset([pair])] += weight
        clauses: list[Clause] = []
        for together, weight in classes.items():
            self.counted.append((self.new(), weight))
            clauses += [[*sorted({-a, -b}), self.top] for a, b in sorted(together)]
        self.group("pair", clauses)
        self.count("objective", self.counted, at_most, None)
