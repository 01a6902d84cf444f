"""The plain SAT search in this process: right, in steps that are counted, and asked before anything that takes long."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise

import networkx as nx
import numpy as np
import pytest

from benchmarks.peers.graphs import (
    Pairs,
    flower_snark,
    meredith,
    necklace,
    petersen,
    planted,
    relabelled,
    snark_and_edge,
)
from encoders.plan import plan
from encoders.sat.plain import BUDGETS, Budget, PlainSearch
from encoders.solve import begin, solve
from encoders.stages import Request
from encoders.work.run import Run
from heuristics.searches.merge import merged_quickly
from kt_models import MoveGraph, Problem, graph_of
from kt_models.limits import Limits, Stopped
from kt_models.problem import verify_edges
from tests.brute import cycles, paths
from tests.effort import part_of

PLENTY = Budget(10**9, 10**12)


def search_of(problem: Problem, counts: Counter[str] | None = None) -> PlainSearch:
    heard: Counter[str] = Counter() if counts is None else counts
    return PlainSearch(problem, lambda: None, heard.update)


def random_problem(rng: random.Random) -> Problem:
    """A small graph, with conditions."""
    n = rng.randint(3, 8)
    pairs = [(u, v) for u in range(n) for v in range(u) if rng.random() < rng.choice((0.4, 0.7))]
    graph = MoveGraph.from_edges(n, pairs)
    edges = rng.sample(range(graph.m), min(graph.m, rng.choice((0, 1, 3))))
    required, forbidden = frozenset(edges[:1]), frozenset(edges[1:])
    if rng.random() < 0.5:
        return Problem(graph, required=required, forbidden=forbidden)
    return Problem(graph, "path", None, tuple(rng.sample(range(n), rng.randint(0, 2))), required, forbidden)


def test_the_plain_search_agrees_with_brute_force() -> None:
    rng = random.Random(1)
    answers = []
    for _ in range(part_of(400)):
        problem = random_problem(rng)
        graph = problem.graph
        number = {frozenset(ends): edge for edge, ends in enumerate(graph.ends.tolist())}
        solved = False
        for order in cycles(graph) if problem.closed else paths(graph):
            around = [*order, order[0]] if problem.closed else order
            edges = {number[frozenset(step)] for step in pairwise(around)}
            at_ends = set(problem.terminals) <= {order[0], order[-1]}
            solved |= problem.required <= edges and not problem.forbidden & edges and at_ends
        found = search_of(problem).work(PLENTY)
        assert found is not None
        assert (found is not False) == solved
        if found is not False:
            verify_edges(problem, np.asarray(found))
        answers.append(solved)
    assert 0.1 < sum(answers) / len(answers) < 0.9


def test_a_budget_is_kept_and_the_search_goes_on_from_where_it_was() -> None:
    problem = Problem(relabelled(flower_snark(9), "a snark"))
    counts: Counter[str] = Counter()
    search = search_of(problem, counts)
    parts = 0
    while (found := search.work(Budget(300, 10**12))) is None:
        parts += 1
        assert counts["conflicts"] <= 500 * parts  # A solver ends a little after its budget
    assert found is False and parts > 1
    again: Counter[str] = Counter()
    assert search_of(problem, again).work(Budget(10**9, 1)) is None  # One answer, and all edges were looked at
    assert again["searches"] == 1
    search.close()
    search.close()


def test_limits_end_the_plain_search() -> None:
    def stop() -> None:
        raise Stopped

    with pytest.raises(Stopped):
        PlainSearch(Problem(relabelled(petersen(20), "a graph")), stop, lambda counts: None).work(PLENTY)
    result = solve(Problem(relabelled(flower_snark(31), "a snark")), time_limit=0)
    assert result.status == "unknown"


EASY: list[tuple[str, Pairs]] = [
    ("planted", planted(300)),
    ("snark and edge", snark_and_edge(25)),
    ("cubic", list(nx.random_regular_graph(3, 300, seed=2).edges)),
    ("4-regular", list(nx.random_regular_graph(4, 300, seed=2).edges)),
]


@pytest.mark.parametrize(("name", "pairs"), EASY, ids=[name for name, _ in EASY])
def test_easy_graphs_are_answered_before_anything_is_loaded(name: str, pairs: Pairs) -> None:
    result = solve(Problem(relabelled(pairs, name)), limits=Limits(workers=1))
    assert result.status == "feasible" and result.engine == PlainSearch.name


def test_plain_search_comes_early_and_again_with_more() -> None:
    order = [stage.name for stage in plan()]
    assert order[:4] == ["many points", "isolated", "closure", "plain"]
    assert order.index("reduction") < order.index("more plain") < order.index("late plain") < order.index("engines")
    assert all(a.conflicts < b.conflicts and a.looks < b.looks for a, b in pairwise(BUDGETS))


def test_none_gets_a_certificate_afterwards() -> None:
    result = solve(Problem(relabelled(meredith(), "Meredith's graph")))
    assert result.status == "infeasible" and f"{PlainSearch.name} conflicts" in result.statistics
    assert result.certificate is not None and result.certificate.check()


def test_parts_of_a_reduction_are_searched_at_once() -> None:
    """A ring of cubic graphs falls into pieces, each of which has a tour that is found without an engine."""
    problem = Problem(relabelled(necklace(4, list(nx.random_regular_graph(3, 60, seed=4).edges)), "a ring"))
    run = Run.of(problem, Limits(workers=1))
    solving = begin(Request(problem), run)
    for stage in plan():
        if stage.name == "reduction":
            stage.work(solving)
    assert run.standing.edges is not None
    assert run.standing.result().engine in ("presolve", f"presolve+{PlainSearch.name}")


def test_merging_finds_cycles_only_where_there_are_some() -> None:
    """Where the budget of conflicts does not do, a few beginnings of the heuristic may; in no graph without a cycle."""
    assert merged_quickly(Problem(graph_of("8x8"))) is not None
    assert merged_quickly(Problem(relabelled(petersen(11), "none"))) is None
