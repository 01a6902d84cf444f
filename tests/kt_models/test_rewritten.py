"""Objectives in other words: of the same value for every solution, and certificates that go with them."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import networkx as nx
import pytest

import kt
from kt_models import CertificateError, KTError, Problem, Weights, graph_of
from kt_models.kernel.certificates import Certificate, Checked, Statement
from kt_models.kernel.certificates.rewritten import MAX_WEIGHT, without_gains_apart
from tests.effort import part_of
from tests.small_problems import random_problem, solutions, value


def apart(problem: Problem) -> list[tuple[int, int]]:
    """Pairs of edges without a common vertex that weigh less than 0."""
    assert isinstance(problem.objective, Weights)
    ends = problem.graph.ends.tolist()
    return [(e, f) for e, f, weight in problem.objective.canonical() if weight < 0 and not {*ends[e]} & {*ends[f]}]


def weighed(random: Random, problem: Problem) -> Problem:
    """A problem with random weights of edges and of pairs of edges, of either sign."""
    m = problem.graph.m
    pairs = [(random.randrange(m), random.randrange(m)) for _ in range(random.randint(1, 9))] if m else []
    columns = zip(*[(e, f, random.randint(-9, 5)) for e, f in pairs], strict=True) if pairs else ((), (), ())
    return replace(problem, objective=Weights(*columns))  # type: ignore[arg-type]


def test_the_value_of_every_solution_is_the_same() -> None:
    """Solutions are cycles, paths with given or free ends, linkages and 2-factors, on boards, tori and graphs."""
    random, kinds, none = Random(6), set(), 0
    while len(kinds) < 5 or none < 3:
        problem = weighed(random, random_problem(random))
        other = without_gains_apart(problem)
        if not apart(problem):
            assert other is None
            continue
        if other is None:
            assert problem.connectivity == "path" and len(problem.terminals) < 2
            none += 1
            continue
        assert not apart(other) and not other.gains_apart and without_gains_apart(other) is None
        assert replace(other, objective=problem.objective) == problem
        found = solutions(problem)
        assert [value(other, chosen) for chosen in found] == [value(problem, chosen) for chosen in found]
        if found:
            kinds.add(problem.connectivity)


def test_problems_with_arcs_are_rewritten_too() -> None:
    graph = nx.complete_graph(4, create_using=nx.DiGraph)
    moves = kt.graph(graph)
    arcs = moves.directed.m  # type: ignore[attr-defined]
    for closed in (True, False):
        random = Random(closed)
        total = Weights(*zip(*[(*random.sample(range(arcs), 2), random.randint(-9, 2)) for _ in range(8)], strict=True))  # type: ignore[arg-type]
        problem = kt.problem(graph, minimize=total, open=not closed)
        other = without_gains_apart(problem)
        assert other is not None
        for tour in kt.tours(replace(problem, objective=None)):
            assert problem.value(tour.edges) == other.value(tour.edges)
        result = kt.solve(problem)
        assert result.certificate is not None and result.certificate.method == "rewritten"


def certificate_of(problem: Problem, inner: Certificate, bound: int) -> Certificate:
    return Certificate("rewritten", Statement(problem, "at-least", bound), {"certificate": inner.to_json()})


@pytest.mark.parametrize("seed", range(part_of(6)))
def test_rewritten_certificates_show_the_bound_of_the_inner_one(seed: int) -> None:
    random = Random(seed)
    problem = Problem(kt.graph(nx.complete_graph(6)))
    while not apart(problem := weighed(random, problem)):
        pass
    other = without_gains_apart(problem)
    assert other is not None
    least = min(value(problem, chosen) or 0 for chosen in solutions(problem))
    inner = Checked.of_bound("frontier", other, {"at_least": least})
    assert certificate_of(problem, inner, least).check() and kt.bound(problem, least).bound == least
    heavier = replace(problem, objective=problem.objective + Weights([0], [0], [1]))  # type: ignore[operator]
    for certificate in (
        certificate_of(problem, inner, least + 1),
        certificate_of(other, inner, least),
        certificate_of(heavier, inner, least),
        certificate_of(replace(problem, required=frozenset({0})), inner, least),
        certificate_of(
            problem, Certificate("frontier", Statement(other, "at-least", least + 1), {"at_least": least + 1}), least
        ),
        certificate_of(problem, certificate_of(problem, inner, least), least),
    ):
        with pytest.raises(CertificateError):
            Certificate.from_json(certificate.to_json()).check()
    with pytest.raises(KTError, match="not a certificate"):
        Certificate("rewritten", Statement(problem, "at-least", least), {}).check()


def test_other_objectives_are_not_rewritten() -> None:
    graph = graph_of("3x4")
    far = next(f for f in range(graph.m) if not {*graph.ends[0].tolist()} & {*graph.ends[f].tolist()})
    gain = Problem(graph, "path", Weights([0], [far], [-1]))
    assert without_gains_apart(gain) is None and without_gains_apart(replace(gain, objective="turns")) is None
    end = int(graph.ends[far][1])
    other = without_gains_apart(replace(gain, terminals=(end,)))
    assert other is not None and other.value(range(graph.m)) == -1 + len(graph.edges_of(end)) - 1
    for weight in (-MAX_WEIGHT, -(2**63)):
        assert without_gains_apart(Problem(graph, "cycle", Weights([0], [far], [weight]))) is None
