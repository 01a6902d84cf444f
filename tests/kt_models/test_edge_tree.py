"""Certificates of sums over single edges: no data show more than the least value, which brute force knows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from itertools import count, permutations
from random import Random
from typing import Any, NamedTuple

import numpy as np
import pytest

from encoders.branch_and_cut.search import BranchAndCut
from kt_models import CertificateError, Problem, Weights, graph_of
from kt_models.graph import MoveGraph
from kt_models.kernel.certificates import Certificate, Statement
from kt_models.kernel.certificates.edge_tree import CutRows, EdgeProblem, bound, bound_of, reduced, split
from kt_models.limits import Limits, Stopped
from tests.effort import part_of
from tests.oracle.forgery import perturbed, spoiled

RANGES = {"positive": (1, 30), "zero": (0, 3), "signed": (-9, 9), "even": (0, 8), "large": (10**9, 10**12)}
LEAF: list[int] = [0]


class Salesman(NamedTuple):
    problem: Problem
    values: dict[frozenset[int], int]
    """Values of all tours by their edges, by trying every order."""

    @property
    def least(self) -> int:
        return min(self.values.values())

    @property
    def best(self) -> list[frozenset[int]]:
        return [edges for edges, value in self.values.items() if value == self.least]


def _values(n: int, weight: dict[frozenset[int], int], conditions: dict[str, Any]) -> dict[frozenset[Any], int]:
    closed, terminals = conditions["connectivity"] == "cycle", set(conditions["terminals"])
    found = {}
    for order in permutations(range(n)):
        if order[0] > order[-1] or (closed and order[0]):
            continue
        if not closed and not terminals <= {order[0], order[-1]}:
            continue
        steps = [frozenset(step) for step in zip(order, order[1:] + order[: int(closed)], strict=False)]
        allowed = conditions["required"] <= set(steps) and not conditions["forbidden"] & set(steps)
        if allowed and all(step in weight for step in steps):
            found[frozenset(steps)] = sum(weight[step] for step in steps)
    return found


@cache
def salesman(seed: int, most: int = 7) -> Salesman:
    """A complete or sparse graph, a closed or open tour, with given ends or not, with required and forbidden edges."""
    random = Random(seed)
    while True:
        n = random.randint(4, most)
        density = random.choice((1.0, 0.8))
        ends = [(u, v) for u in range(n) for v in range(u + 1, n) if random.random() < density]
        name = random.choice(sorted(RANGES))
        low, high = RANGES[name]
        weight = {frozenset(pair): random.randint(low, high) * (2 if name == "even" else 1) for pair in ends}
        kind = random.randrange(4)
        few = random.sample(sorted(weight, key=sorted), random.choice((0, 0, 2)))
        conditions: dict[str, Any] = {
            "connectivity": "path" if kind else "cycle",
            "terminals": tuple(random.sample(range(n), kind - 1)) if kind > 1 else (),
            "required": set(few[:1]),
            "forbidden": set(few[1:]),
        }
        values = _values(n, weight, conditions)
        if not values:
            continue
        graph = MoveGraph.from_edges(n, ends)
        listed = [frozenset(pair) for pair in graph.ends.tolist()]
        required, forbidden = (frozenset(map(listed.index, conditions[key])) for key in ("required", "forbidden"))
        objective = Weights.of_edges([weight[pair] for pair in listed])
        problem = Problem(graph, conditions["connectivity"], objective, conditions["terminals"], required, forbidden)
        return Salesman(problem, {frozenset(map(listed.index, tour)): value for tour, value in values.items()})


def proved(problem: Problem) -> dict[str, Any]:
    tree = BranchAndCut(problem)
    while not tree.grow(nodes=50):
        pass
    data = tree.data()
    assert data is not None
    return data


SEEDS = pytest.mark.parametrize("seed", range(part_of(120)))


@SEEDS
def test_the_least_value_is_shown_and_nothing_above(seed: int) -> None:
    posed = salesman(seed)
    data = proved(posed.problem)
    assert bound(posed.problem, data) == data["at_least"] == posed.least
    with pytest.raises(CertificateError):
        bound(posed.problem, {**data, "at_least": posed.least + 1})


@SEEDS
def test_a_smaller_claim_is_shown_by_the_same_tree(seed: int) -> None:
    posed = salesman(seed)
    data = proved(posed.problem)
    for less in (1, 2, 7, 10**6):
        claim = posed.least - less
        assert bound(posed.problem, {**data, "at_least": claim}) == claim


@SEEDS
def test_an_unfinished_tree_shows_the_bound_that_it_states(seed: int) -> None:
    posed = salesman(seed)
    tree = BranchAndCut(posed.problem)
    done = False
    while not done:
        done = tree.grow(nodes=1)
        data = tree.data()
        assert data is not None and bound(posed.problem, data) == data["at_least"] <= posed.least


@SEEDS
def test_changed_data_show_no_more_than_the_least_value(seed: int) -> None:
    """Multipliers, sets, teeth, edges of splits, nodes: whatever is changed, what is accepted is true."""
    posed, random = salesman(seed), Random(seed)
    data = proved(posed.problem)
    for turn in range(40):
        made = spoiled(random, data) if turn % 8 == 0 else perturbed(random, data)
        try:
            assert bound(posed.problem, made) <= posed.least, made
        except CertificateError:
            continue


@SEEDS
def test_random_multipliers_bound_every_solution(seed: int) -> None:
    """The bound itself, and the edges that it leaves out, without a claim that was proved before."""
    posed, random = salesman(seed), Random(seed)
    about = EdgeProblem(posed.problem)
    root = about.root()
    rows = CutRows(about, np.sort(np.concatenate(root)), [])
    scale = max(1, int(abs(about.weight).max()))
    for _ in range(20):
        numbers = [random.randint(-scale, scale) for _ in range(about.n + 1)]
        dual = bound_of(about, rows, root, np.array(numbers, dtype=np.int64), 1)
        assert dual.total <= posed.least
        smaller = reduced(root, dual, posed.least)  # No solution of the least value may be lost.
        assert any(
            set(smaller.used.tolist()) <= edges <= set(smaller.used.tolist()) | set(smaller.open.tolist())
            for edges in posed.best
        )


def test_each_part_of_a_tree_is_needed() -> None:
    """Without a node, or without the multipliers of a leaf, or with a claim above, a tree shows nothing."""
    posed, data = next((posed, data) for posed, data in _trees() if len(data["nodes"]) > 2 and data["cuts"])
    for place in range(len(data["nodes"])):
        with pytest.raises(CertificateError):
            bound(posed.problem, {**data, "nodes": data["nodes"][:place] + data["nodes"][place + 1 :]})
    with pytest.raises(CertificateError, match="does not end there"):
        bound(posed.problem, {**data, "nodes": [*data["nodes"], LEAF]})
    with pytest.raises(CertificateError, match="breaks off"):
        bound(posed.problem, {**data, "nodes": data["nodes"][:-1]})
    with pytest.raises(CertificateError):
        bound(posed.problem, {**data, "cuts": []})


def _trees() -> Iterator[tuple[Salesman, dict[str, Any]]]:
    for seed in count(476):  # The first points whose tree has cuts and more than two nodes
        posed = salesman(seed, 7)
        yield posed, proved(posed.problem)


def test_a_split_by_what_is_decided_closes_only_the_case_that_contradicts() -> None:
    posed = salesman(1)
    root = EdgeProblem(posed.problem).root()
    edge = int(root.open[0])
    used, unused = split(root, edge)
    assert used is not None and unused is not None
    assert edge in used.used and edge not in used.open and edge not in unused.open and edge not in unused.used
    assert split(used, edge) == (used, None) and split(unused, edge) == (None, unused)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"at_least": None}, "at_least"),
        ({"at_least": 1.0}, "at_least"),
        ({"at_least": 10**30}, "at_least"),
        ({"denominator": 0}, "denominator"),
        ({"nodes": None}, "not a list"),
        ({"nodes": []}, "breaks off after 0 nodes"),
        ({"nodes": [[2, 0]]}, "the kind"),
        ({"nodes": [[1]]}, "the edge"),
        ({"nodes": [[1, 10**6]]}, "the edge"),
        ({"nodes": [[0, 0]]}, "pairs of a multiplier's number"),
        ({"nodes": [[0, 99, 1]]}, "pairs of a multiplier's number"),
        ({"nodes": [[0, 0, 2**61]]}, "node 0"),
        ({"nodes": [[0, 0, 2**60, 4, 2**60, 5, 2**60]], "cuts": [[[0], []]]}, "too large to be added up exactly"),
        ({"nodes": [[0, 5, -1]], "cuts": [[[0], []]]}, "is negative"),
        ({"nodes": [[0]], "cuts": [[[0, 0], []]]}, "node 0|distinct"),
        ({"nodes": [[0, 5, 1]], "cuts": [[[0, 0], []]]}, "distinct"),
        ({"nodes": [[0, 5, 1]], "cuts": [[[0, 1, 2, 3], []]]}, "none, all"),
        ({"nodes": [[0, 5, 1]], "cuts": [[[0], [0, 1]]]}, "even number"),
        ({"nodes": [[0, 5, 1]], "cuts": [[[0], [5]]]}, "leave it"),
    ],
)
def test_nonsense_is_refused_in_words(changes: dict[str, Any], message: str) -> None:
    graph = MoveGraph.from_edges(4, [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)])
    problem = Problem(graph, objective=Weights.of_edges([1, 2, 3, 3, 2, 1]))
    with pytest.raises(CertificateError, match=message):
        bound(problem, {"at_least": 6, "nodes": [[0]], **changes})


@pytest.mark.parametrize(
    ("problem", "message"),
    [
        (Problem(graph_of("4x4"), objective="turns"), "single edges"),
        (Problem(graph_of("4x4")), "an objective"),
        (Problem(graph_of("4x4"), "any", "length"), "one cycle or path"),
        (Problem(graph_of("4x4"), "linkage", "length", (0, 1)), "one cycle or path"),
    ],
)
def test_other_problems_are_refused(problem: Problem, message: str) -> None:
    with pytest.raises(CertificateError, match=message):
        bound(problem, {"at_least": 0, "nodes": [[0]]})


def test_a_certificate_of_another_problem_is_not_accepted() -> None:
    cheap, dear = salesman(3), salesman(4)
    data = proved(dear.problem)
    with suppress(CertificateError):
        assert bound(cheap.problem, data) <= cheap.least


def test_a_claim_above_what_the_data_state_is_refused() -> None:
    posed = salesman(5)
    data = proved(posed.problem)
    Certificate("edge-tree", Statement(posed.problem, "at-least", posed.least), data).check()
    with pytest.raises(CertificateError, match="shows only"):
        Certificate("edge-tree", Statement(posed.problem, "at-least", posed.least + 1), data).check()


def test_a_check_stops() -> None:
    posed = salesman(6)
    with pytest.raises(Stopped):
        bound(posed.problem, proved(posed.problem), Limits(seconds=0))
