"""The rules that say what a clause of a proof's formula means: whatever they accept, every solution satisfies."""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from encoders import solve
from encoders.proof.formula import ProofFormula
from kt_models import CertificateError, Problem, Symmetry, graph_of
from kt_models.kernel.certificates.proofs.manifest import Counter, Group, Manifest, Node
from kt_models.kernel.certificates.proofs.meaning import CounterTree, Meaning
from kt_models.limits import Limits
from tests.effort import part_of
from tests.proof_tools import TOUR, altered_clauses, solutions


@st.composite
def trees(draw: st.DrawFn) -> tuple[dict[int, int], Counter, int]:
    """Inputs with weights, any nodes above them (also wrong ones), and a limit."""
    weights = draw(st.lists(st.integers(1, 3), min_size=1, max_size=4))
    nodes, free = [], len(weights) + 1
    for _ in range(draw(st.integers(0, 3))):
        below = st.integers(0, len(weights) + len(nodes) - 1)
        thresholds = tuple(sorted(draw(st.sets(st.integers(1, 6), max_size=3))))
        nodes.append(Node(draw(below), draw(below), free, thresholds))
        free += len(thresholds)
    inputs = {i + 1: weight for i, weight in enumerate(weights)}
    return inputs, Counter("objective", None, tuple(nodes)), draw(st.integers(-1, 8))


@given(trees(), st.data())
@settings(max_examples=part_of(900), deadline=None)
def test_clauses_of_counters_are_true(tree: tuple[dict[int, int], Counter, int], data: st.DataObject) -> None:
    inputs, counter, limit = tree
    try:
        found = CounterTree(counter, inputs, limit)
    except CertificateError:
        return
    top = max(found.place)
    literals = st.integers(1, top).flatmap(lambda v: st.sampled_from([-v, -v, v]))
    below: list[set[int]] = [{i} for i in range(len(inputs))]  # The inputs under each item
    for node in counter.nodes:
        below.append(below[node.left] | below[node.right])
    clauses = [c for c in data.draw(st.lists(st.lists(literals, max_size=3), max_size=12)) if found.implies(c)]
    for chosen in product([False, True], repeat=len(inputs)):
        weight = {i: w if chosen[i] else 0 for i, w in enumerate(inputs.values())}
        if sum(weight.values()) > limit:
            continue
        true = {v for v, (item, threshold) in found.place.items() if sum(weight[i] for i in below[item]) >= threshold}
        for clause in clauses:
            assert any((literal in true) if literal > 0 else (-literal not in true) for literal in clause), clause


TREE = Counter("objective", None, (Node(0, 1, 4, (1, 2)), Node(3, 2, 6, (1, 2, 3))))
"""4: one of inputs 1 and 2, 5: both; 6, 7, 8: one, two, three of 1, 2 and 3."""


@pytest.mark.parametrize(
    ("clause", "accepted"),
    [([-1, 4], True), ([-1, -2, 5], True), ([-4, 6], True), ([-4, -3, 7], True), ([-5, -3, 8], True), ([-8], True),
     ([-1, 5], False), ([-4, -5, 8], False), ([-6, -7], False), ([-7], False), ([-7, -4], False), ([-3, 4], False),
     ([-1, -2, -3], False), ([-5, -3, -1, 8], False), ([4, 6, -1], False), ([-9], False), ([4], False), ([], False)],
)  # fmt: skip
def test_a_counter_implies_its_clauses_and_no_others(clause: list[int], accepted: bool) -> None:
    assert CounterTree(TREE, {1: 1, 2: 1, 3: 1}, 2).implies(clause) == accepted


@pytest.mark.parametrize("below", [[(0, 1), (0, 2)], [(0, 0)], [(0, 2)], [(0, 3), (1, 2)], [(0, 1), (3, 3)]])
def test_counters_are_trees(below: list[tuple[int, int]]) -> None:
    nodes = tuple(Node(left, right, 10 + i, (1,)) for i, (left, right) in enumerate(below))
    with pytest.raises(CertificateError):
        CounterTree(Counter("objective", None, nodes), dict.fromkeys(range(1, 3 if below == [(0, 2)] else 4), 1), 2)


RULED = [
    Problem(graph_of("3x4"), "path"),
    Problem(graph_of("3x4"), "path", None, (0,), frozenset({1}), frozenset({2, 7})),
    Problem(graph_of("3x4"), "path", None, (0, 11)),
    Problem(graph_of("5x6"), required=frozenset(TOUR[:2]), forbidden=frozenset(range(9)) - set(TOUR)),
    Problem(graph_of("6x6"), "cycle", symmetry=(Symmetry.parse("rot180"),)),
]


@cache
def answers(number: int) -> list[set[int]]:
    """True variables of solutions: all of them, or a symmetric few."""
    problem = RULED[number]
    meaning = Meaning(Manifest(problem, None, {}, (), (), ()))
    if problem.graph.name == "6x6":
        found = [
            solve(problem, engine="cpsat", limits=Limits(workers=1, seed=seed)).edges.tolist() for seed in range(3)
        ]
    else:
        found = solutions(problem)
    made = []
    for edges in found:
        degree = np.bincount(problem.graph.ends[edges].reshape(-1), minlength=problem.graph.n)
        made.append({meaning.edge[e] for e in edges} | {x for v, x in meaning.ends.items() if degree[v] == 1})
    assert number == 1 or made
    return made


@given(st.integers(0, len(RULED) - 1), st.data())
@settings(max_examples=part_of(400), deadline=None)
def test_clauses_that_rules_accept_are_true(number: int, data: st.DataObject) -> None:
    """Right clauses, altered; whatever a rule still accepts, every solution satisfies."""
    problem = RULED[number]
    formula = ProofFormula(problem, None)
    sets = st.lists(st.integers(0, problem.graph.n - 1), unique=True, max_size=problem.graph.n)
    formula.add_cut_sets([data.draw(sets) for _ in range(3)])
    group = data.draw(st.sampled_from(formula.groups))
    if group.rule == "counter":
        return
    first = data.draw(st.integers(0, len(formula.clauses) - 1))
    clauses = altered_clauses(formula.clauses[first : first + 20], formula.top, data)
    meaning = Meaning(Manifest(problem, None, {}, (), tuple(formula.counters), ()))
    for clause in clauses:
        extra = {"sets": [data.draw(sets)]} if group.rule == "cut-set" else group.data
        try:
            meaning.check([Group(group.rule, 1, extra)], [clause])
        except CertificateError:
            continue
        for true in answers(number):
            assert any((literal in true) if literal > 0 else (-literal not in true) for literal in clause), clause


def test_given_edges_and_pairs() -> None:
    problem = Problem(graph_of("5x6"), "cycle", "turns", required=frozenset({3}), forbidden=frozenset({7}))
    meaning = Meaning(Manifest(problem, 20, {}, ((100, 1),), (), ()))
    weights = problem.weights
    e, f = int(weights.first[0]) + 1, int(weights.second[0]) + 1
    right = [("required", [4]), ("required", [4, 9]), ("forbidden", [-8]), ("pair", [-e, -f, 100])]
    wrong = [("required", [-4]), ("required", [5]), ("required", []), ("forbidden", [8]), ("forbidden", [-4])]
    wrong += [("pair", [-e, 100]), ("pair", [-e, -f]), ("pair", [100]), ("pair", [-e, -f, 9]), ("pair", [-e, -99, 100])]
    for rule, clause in right:
        meaning.check([Group(rule, 1)], [clause])
    for rule, clause in wrong:
        meaning = Meaning(Manifest(problem, 20, {}, ((100, 1),), (), ()))
        with pytest.raises(CertificateError):
            meaning.check([Group(rule, 1)], [clause])


@pytest.mark.parametrize(
    ("connectivity", "terminals", "vertices", "accepted"),
    [
        ("cycle", (), [0], True),
        ("cycle", (), [], False),
        ("cycle", (), range(16), False),
        ("cycle", (), range(15), True),
        ("path", (0,), range(16), False),
        ("path", (0,), [0], True),
        ("any", (), [0], False),
        ("paths", (0, 15), [1, 2], True),
        ("paths", (0, 15), [0, 1], False),
        ("paths", (0, 15), [0, 15], False),
        ("linkage", (0, 15), [0, 1], True),
        ("linkage", (0, 15), [0, 15], False),
        ("linkage", (0, 15, 3, 7), [0, 3], True),
        ("linkage", (0, 15, 3, 7), [3, 7], False),
        ("linkage", (0, 15, 3, 7), [4, 5], True),
    ],
)
def test_sets_that_have_to_be_left(connectivity, terminals, vertices, accepted: bool) -> None:
    problem = Problem(graph_of("4x4"), connectivity, None, terminals)
    meaning = Meaning(Manifest(problem, None, {}, (), (), ()))
    clause = ProofFormula(problem, None).cut_set(vertices)
    group = Group("cut-set", 1, {"sets": [list(vertices)]})
    if accepted:
        meaning.check([group], [clause])
        for missing in clause:
            with pytest.raises(CertificateError):
                meaning.check([group], [[x for x in clause if x != missing]])
    else:
        with pytest.raises(CertificateError):
            meaning.check([group], [clause])
