"""No clause that the rules of a manifest accept cuts off a solution, whatever the manifest says."""

from __future__ import annotations

import copy
import json
import sys
from collections import Counter
from dataclasses import replace
from itertools import combinations
from random import Random
from typing import Any

import numpy as np
import pytest

from encoders.proof.formula import ProofFormula
from encoders.sat.formula import VertexSet
from kt_models import CertificateError, KTError, Leaper, MoveGraph, Problem, Weights, graph_of
from kt_models.conditions import EdgeSum, EdgeSums, Straight, Triples, Turning
from kt_models.constraints import Constraint
from kt_models.kernel.certificates.proofs.manifest import Group, Manifest
from kt_models.kernel.certificates.proofs.meaning import RULES, Meaning
from tests.effort import part_of
from tests.small_problems import leaving_out, orbits, random_problem, solutions, value

Clauses = list[list[int]]
MOST = 12
"""Edges of a problem."""


class Truth:
    """What the variables of a manifest are for a solution, worked out from the docstring of `manifest` alone."""

    def __init__(self, data: dict[str, Any], problem: Problem, clauses: Clauses) -> None:
        self.data, self.problem = data, problem
        number: dict[int, int] = {}
        self.edge = [number.setdefault(orbit, len(number) + 1) for orbit in orbits(problem)]
        free = problem.connectivity in ("path", "subpath") and len(problem.terminals) < 2
        others = [v for v in range(problem.graph.n) if v not in problem.terminals] if free else []
        self.end = {v: len(number) + 1 + i for i, v in enumerate(others)}
        first = len(number) + 1 + len(others)
        self.left_out = {v: first + i for i, v in enumerate(sorted(problem.optional))}
        self.pairs: dict[int, list[list[int]]] = {}
        self.missing: dict[int, list[int]] = {}
        at = 0
        for group in data["groups"]:
            for clause in clauses[at : at + group["clauses"]]:
                if group["rule"] == "pair":
                    self.pairs.setdefault(max(clause), []).append([-x for x in clause if x < 0])
                elif group["rule"] == "missing":
                    self.missing.setdefault(max(clause), []).append(min(clause))
            at += group["clauses"]

    def of(self, edges: frozenset[int]) -> set[int]:
        """The variables that are true."""
        graph = self.problem.graph
        degree = Counter(v for e in edges for v in graph.ends[e].tolist())
        true = {self.edge[e] for e in edges} | {x for v, x in self.end.items() if degree[v] == 1}
        true |= {x for v, x in self.left_out.items() if not degree[v]}
        counted = {c for c, pairs in self.pairs.items() if any(all(x in true for x in pair) for pair in pairs)}
        true |= counted | {c for c, chosen in self.missing.items() if any(x not in true for x in chosen)}
        for counter in self.data["counters"]:
            sums = [weight if x in true else 0 for x, weight in self._inputs(counter)]
            for left, right, first, thresholds in counter["nodes"]:
                sums.append(sums[left] + sums[right])
                true |= {first + i for i, threshold in enumerate(thresholds) if sums[-1] >= threshold}
        return true

    def _inputs(self, counter: dict[str, Any]) -> list[tuple[int, int]]:
        if counter["of"] == "objective":
            return [tuple(row) for row in self.data["counted"]]
        if counter["of"] == "constraint":
            return [tuple(row) for row in self.data["constrained"][counter["constraint"]]]
        if counter["of"] == "ends":
            return [(x, 1) for x in sorted(self.end.values())]
        vertex = counter["vertex"]
        at = Counter(self.edge[e] for e, ends in enumerate(self.problem.graph.ends.tolist()) if vertex in ends)
        if vertex in self.end:
            at[self.end[vertex]] += 1
        if vertex in self.left_out:
            at[self.left_out[vertex]] += 2
        if self.problem.connectivity == "path" and self.problem.graph.n == 1:
            return []
        return sorted(at.items())


def honest(random: Random, problem: Problem, bound: int | None) -> tuple[dict[str, Any], Clauses]:
    """A manifest and its clauses as the encoder makes them, with counters of ends and degrees in it."""
    formula = ProofFormula(problem, None if bound is None else bound - 1)
    n = problem.graph.n
    for v in range(n):
        at = [formula.edge[e] for e in problem.graph.edges_of(v).tolist()]
        at += [formula.end[v]] if problem.free_ends and n > 1 and formula.end[v] else []
        at += [formula.left_out[v]] * 2 if formula.left_out[v] else []
        if random.random() < 0.3 and at:
            formula.count("degree", sorted(Counter(at).items()), random.choice([1, 2, 2]), v)
    if problem.free_ends and random.random() < 0.5:
        formula.count("ends", [(x, 1) for x in formula.end if x], 2, None)
    for _ in range(8):
        some = random.sample(range(n), random.randint(0, n))
        visited = random.sample(range(n), random.randint(0, min(n, 3))) if problem.optional else []
        formula.add_cut_sets([VertexSet(some, visited)])
    formula.group("nonempty", [sorted(set(formula.edge)), [1], []])
    formula.group("short", [[-x, -y] for x, y in combinations(sorted(set(formula.edge)), 2)] + [[-1], []])
    formula.group("degree", [[], [-1], [1]], vertex=random.randrange(n))
    for condition in problem.conditions:
        formula.group("condition", [[], [-1], [-1, -2], [1]], of=condition.name)
    manifest = Manifest(
        problem, bound, {}, tuple(formula.counted), tuple(formula.counters), tuple(formula.groups), "",
        tuple(map(tuple, formula.constrained)),
    )  # fmt: skip
    return json.loads(json.dumps(manifest.to_json())), [list(c) for c in formula.clauses]


def forge(random: Random, data: dict[str, Any], clauses: Clauses) -> None:
    """Change numbers of the manifest and literals of the clauses."""
    top = max([1, *(abs(x) for clause in clauses for x in clause)])
    for _ in range(random.choice([0, 0, 1, 1, 2, 3])):
        target = random.choice(
            ["counted", "threshold", "child", "first", "vertex", "of", "rule", "sets", "double", "kind"]
        )
        nodes = [node for counter in data["counters"] for node in counter["nodes"]]
        counted = [pair for pairs in (data["counted"], *data.get("constrained", [])) for pair in pairs]
        if target == "counted" and counted:
            random.choice(counted)[random.randrange(2)] += random.choice([-2, -1, 1, 2, 2**30])
        elif target == "threshold" and nodes and (values := random.choice(nodes)[3]):
            values[random.randrange(len(values))] += random.choice([-2, -1, 1, 2])
        elif target in ("child", "first") and nodes:
            random.choice(nodes)[random.randrange(2) if target == "child" else 2] += random.choice([-2, -1, 1, 2])
        elif target in ("vertex", "of") and data["counters"]:
            counter = random.choice(data["counters"])
            counter["of"] = random.choice(["objective", "constraint", "ends", "degree"])
            counter["vertex"] = random.randrange(8)
            counter["constraint"] = random.randrange(3)
        elif target == "rule" and data["groups"]:
            random.choice(data["groups"])["rule"] = random.choice(list(RULES))
        elif target == "kind" and data["groups"]:
            random.choice(data["groups"])["of"] = random.choice(
                [kind.name for kind in (Triples, Straight, Turning, EdgeSums)]
            )
        elif target == "sets":
            for group in data["groups"]:
                for vertices in group.get("sets", []):
                    vertices[:] = [v for v in vertices if random.random() < 0.8]
        elif target == "double" and data["counters"]:
            data["counters"].append(copy.deepcopy(random.choice(data["counters"])))
    for clause in clauses:
        if random.random() < 0.5:
            change = random.choice(["drop", "drop", "flip", "add", "swap"])
            if change in ("drop", "flip", "swap") and clause:
                i = random.randrange(len(clause))
                clause[i : i + 1] = {"drop": [], "flip": [-clause[i]], "swap": [_literal(random, top)]}[change]
            elif change == "add":
                clause.append(_literal(random, top))


def _literal(random: Random, top: int) -> int:
    return random.choice([-1, -1, 1]) * random.randint(1, top)


def accepted(random: Random, data: dict[str, Any], clauses: Clauses) -> tuple[dict[str, Any], Clauses] | None:
    """What is left of a manifest when each clause that its rule does not accept is left out; None if it all falls."""
    try:
        manifest = Manifest.from_json({**data, "sha256": {"formula.cnf": "", "proof.lrat": ""}})
        meaning = Meaning(manifest)
    except KTError:
        return None
    groups: list[dict[str, Any]] = []
    left: Clauses = []
    at = 0
    for group, row in zip(manifest.groups, data["groups"], strict=True):
        part = clauses[at : at + group.clauses]
        at += group.clauses
        good = []
        for i, clause in enumerate(part):
            try:
                if RULES[group.rule](meaning, group)(i, clause):
                    good.append((i, clause))
            except CertificateError:
                pass
        if group.rule in ("pair", "missing"):  # Together they may weigh too much: leave some out
            good = [pair for pair in good if random.random() < random.choice([1, 1, 0.7, 0.3])]
        sets = {"sets": [row["sets"][i] for i, _ in good]} if "sets" in row and group.rule == "cut-set" else {}
        groups.append({**row, "clauses": len(good), **sets})
        left += [clause for _, clause in good]
    data = {**data, "groups": groups}
    try:
        Meaning(manifest).check([_group(row) for row in groups], left)
    except CertificateError:
        return None
    return data, left


def _group(row: dict[str, Any]) -> Group:
    return Group(row["rule"], row["clauses"], {k: v for k, v in row.items() if k not in ("rule", "clauses")})


def constrained(
    random: Random, problem: Problem, answers: list[frozenset[int]]
) -> tuple[Problem, list[frozenset[int]]]:
    """A problem with constraints on sums of random weights, and those of its solutions that keep them."""
    constraints = []
    for _ in range(random.choice([1, 1, 2])):
        size, m = random.randint(1, 6), problem.graph.m
        if not m:
            break
        ends = [np.array([random.randrange(m) for _ in range(size)]) for _ in range(2)]
        weights = Weights(ends[0], ends[1], np.array([random.randint(-4, 6) for _ in range(size)]))
        sums = {edges: value(replace(problem, objective=weights), edges) or 0 for edges in answers}
        at_least = random.random() < 0.5
        limit = random.choice(sorted(sums.values())) if sums else random.randint(-3, 9)
        constraints.append(Constraint(weights, limit, at_least))
        answers = [edges for edges in answers if (sums[edges] >= limit if at_least else sums[edges] <= limit)]
    return replace(problem, constraints=tuple(constraints)), answers


def conditioned(
    random: Random, problem: Problem, answers: list[frozenset[int]]
) -> tuple[Problem, list[frozenset[int]]]:
    """A problem with conditions on some cells and triples of moves, and those of its solutions that keep them."""
    graph, board = problem.graph, problem.graph.board
    conditions: list[Any] = []
    if problem.connectivity == "path" and answers and graph.n > 1 and random.random() < 0.5:
        # Given ends: no end variable then says where a path ends.
        ends = ends_of(problem, random.choice(answers))
        problem = replace(problem, terminals=ends)
        answers = [edges for edges in answers if ends_of(problem, edges) == ends]
    if graph.m >= 3:
        triples = [random.sample(range(graph.m), 3) for _ in range(random.randint(1, 4))]
        conditions.append(Triples(tuple(map(tuple, triples))))
        answers = [edges for edges in answers if not any(edges.issuperset(triple) for triple in triples)]
    if graph.m and random.random() < 0.7:
        edges = random.sample(range(graph.m), random.randint(1, min(graph.m, 5)))
        some = random.choice(answers) if answers else frozenset()
        least, most = (len(some.intersection(edges)) + random.choice(by) for by in ([-1, 0, 0], [0, 0, 1]))
        conditions.append(EdgeSums((EdgeSum(tuple(edges), max(0, least), most),)))
        answers = [chosen for chosen in answers if least <= len(chosen.intersection(edges)) <= most]
    if board is not None and not any(board.wraps) and problem.connectivity in ("cycle", "path"):
        some = random.choice(answers) if answers else frozenset()
        for kind, wanted in random.sample([(Straight, True), (Turning, False)], random.choice([1, 1, 2])):
            # Random cells alone would leave hardly any solution.
            kept = [v for v in range(graph.n) if goes_on(problem, some, v) is wanted]
            cells = random.sample(kept or range(graph.n), 1)
            conditions.append(kind(tuple(cells)))
            answers = [edges for edges in answers if all(goes_on(problem, edges, v) is wanted for v in cells)]
    return replace(problem, conditions=tuple(conditions)), answers


def ends_of(problem: Problem, edges: frozenset[int]) -> tuple[int, ...]:
    """The two ends of a path."""
    degree = Counter(v for e in edges for v in problem.graph.ends[e].tolist())
    return tuple(v for v in range(problem.graph.n) if degree[v] == 1)


def goes_on(problem: Problem, edges: frozenset[int], vertex: int) -> bool | None:
    """Whether a solution goes straight on at a vertex; None if it ends there."""
    board = problem.graph.board
    assert board is not None
    at = [pair for e in sorted(edges) if vertex in (pair := problem.graph.ends[e].tolist())]
    if len(at) < 2:
        return None
    first, second = (board.cells[a + b - vertex] - board.cells[vertex] for a, b in at)
    return bool((first == -second).all())


def attack(seed: int, count: int) -> Counter[str]:
    """How many clauses were accepted, by rule; fails where one cuts off a solution."""
    random = Random(seed)
    figures: Counter[str] = Counter()
    while figures["problems"] < count:
        problem = random_problem(random, objective=True, most=MOST, positive=random.random() < 0.7)
        if random.random() < 0.4:
            problem = leaving_out(random, problem)
        answers = solutions(problem)
        if random.random() < 0.5:
            problem, answers = constrained(random, problem, answers)
        if random.random() < 0.5:
            try:
                problem, answers = conditioned(random, problem, answers)
            except KTError:  # A symmetry that they do not have
                continue
        if not answers and random.random() < 0.9:
            continue
        values = sorted({v for edges in answers if (v := value(problem, edges)) is not None})
        bound = None
        if problem.objective is not None:
            bound = (random.choice(values) if values else 0) + random.choice([0, 1, 1, 1, 2, -1])
        if bound is not None and abs(bound) > 2**30:
            bound = None
        try:
            data, clauses = honest(random, problem, bound)
        except KTError:  # Weights that are too large: as if they were not
            assert isinstance(problem.objective, Weights)
            weight = np.clip(problem.objective.weight, 0, 2**20)
            data, clauses = honest(random, replace(problem, objective=replace(problem.objective, weight=weight)), bound)
            data["problem"] = problem.to_json()
        figures["problems"] += 1
        for _ in range(3):
            forged, changed = copy.deepcopy(data), copy.deepcopy(clauses)
            forge(random, forged, changed)
            outcome = accepted(random, forged, changed)
            figures["manifests"] += 1
            if outcome is None:
                continue
            figures["manifests accepted"] += 1
            forged, changed = outcome
            _compare(problem, bound if "bound" in forged["claim"] else None, forged, changed, answers, figures)
    return figures


def _compare(
    problem: Problem,
    bound: int | None,
    data: dict[str, Any],
    clauses: Clauses,
    answers: list[frozenset[int]],
    figures: Counter[str],
) -> None:
    truth = Truth(data, problem, clauses)
    for group in data["groups"]:
        figures[group["rule"]] += group["clauses"]
    for edges in answers:
        weight = value(problem, edges)
        if bound is not None and weight is not None and weight >= bound:
            continue
        figures["solutions"] += 1
        true = truth.of(edges)
        for clause in clauses:
            assert any((x > 0) == (abs(x) in true) for x in clause), (problem.to_json(), data, clause, edges)


RARE = {"short": 10, "missing": 10}
"""Fewest clauses of rules that few problems need."""


def test_no_clause_that_is_accepted_cuts_off_a_solution() -> None:
    figures = attack(1, part_of(1_200))
    assert all(figures[rule] > part_of(RARE.get(rule, 70)) for rule in RULES if rule != "ends"), figures
    assert figures["solutions"] > part_of(500), figures


def test_a_cell_that_is_no_end_says_nothing_of_a_path_with_given_ends() -> None:
    """The path from a1 to c3 goes straight on in the middle: a rule that let it end there accepted the empty clause."""
    graph = graph_of("3x3", Leaper(0, 1))
    for terminals, refuted in (((0, 8), False), ((0, 4), True), ((4,), True)):
        problem = Problem(graph, "path", None, terminals, conditions=(Straight((4,)),))
        data = Manifest(problem, None, {}, (), (), ()).to_json()
        data |= {"groups": [{"rule": "condition", "of": "straight", "clauses": 1}]}
        manifest = Manifest.from_json({**data, "sha256": {"formula.cnf": "", "proof.lrat": ""}})
        if refuted:
            Meaning(manifest).check(manifest.groups, [[]])
        else:
            with pytest.raises(CertificateError):
                Meaning(manifest).check(manifest.groups, [[]])


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 7))
def test_no_clause_that_is_accepted_cuts_off_a_solution_at_length(seed: int) -> None:
    attack(seed, 4_000)


@pytest.mark.parametrize(("bound", "accepted"), [(-5, True), (0, True), (1, False)], ids=["below 0", "0", "1"])
def test_bounds_of_0_and_below_are_clear(bound: int, accepted: bool) -> None:
    """Weights are 0 or more: that no value is below 0 needs no more than the empty clause."""
    graph = MoveGraph.from_edges(3, [[0, 1], [1, 2], [0, 2]])
    problem = Problem(graph, "cycle", Weights(np.array([0]), np.array([1]), np.array([0])))
    data = Manifest(problem, bound, {}, (), (), ()).to_json()
    data |= {
        "counters": [{"of": "objective", "nodes": []}],
        "groups": [{"rule": "counter", "counter": 0, "clauses": 1}],
    }
    manifest = Manifest.from_json({**data, "sha256": {"formula.cnf": "", "proof.lrat": ""}})
    if accepted:
        Meaning(manifest).check(manifest.groups, [[]])
    else:
        with pytest.raises(CertificateError):
            Meaning(manifest).check(manifest.groups, [[]])
    negative = replace(problem, objective=Weights(np.array([0]), np.array([1]), np.array([-1])))
    if bound == 0:  # A value is -1 or 0 there
        with pytest.raises(CertificateError):
            Meaning(replace(manifest, problem=negative)).check(manifest.groups, [[]])


if __name__ == "__main__":
    print(attack(int(sys.argv[1]), int(sys.argv[2])))
