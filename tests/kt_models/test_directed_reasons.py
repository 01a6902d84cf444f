"""Reasons about directed graphs speak of the user's vertices and arcs, and of nothing else that kt makes of them."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from itertools import pairwise, permutations
from typing import Any

import networkx as nx
import pytest

import kt
from kt_models import KTError
from kt_models.errors import CertificateError
from kt_models.kernel.certificates import Certificate, Statement
from tests.effort import part_of

INSIDE = re.compile(
    r"\b(entry|entries|exit|exits|middle|middles|split|edge|edges)\b|\b(start|end|in|out)\(|the start\b|the end\b"
)
"""Words for parts of the undirected graph that is made of a directed one."""
NAME = re.compile(r"\bv[0-9]+\b")


def asked(seed: int) -> tuple[nx.DiGraph, dict[str, Any]]:
    """A random directed graph, mostly without a cycle or path, and conditions."""
    chance = random.Random(seed)
    n = chance.randint(2, 7)
    graph = nx.relabel_nodes(
        nx.gnp_random_graph(n, chance.choice((0.15, 0.3, 0.45)), seed=seed, directed=True), lambda v: f"v{v}"
    )
    conditions: dict[str, Any] = {"open": chance.random() < 0.5}
    for name, share in (("require", 0.3), ("forbid", 0.3)):
        if graph.edges and chance.random() < share:
            conditions[name] = [chance.choice(list(graph.edges))]
    for name in ("start", "end"):
        if conditions["open"] and chance.random() < 0.35:
            conditions[name] = f"v{chance.randrange(n)}"
    if chance.random() < 0.4:
        for u, v in graph.edges:
            graph.edges[u, v]["weight"] = chance.randint(0, 9)
        conditions["minimize"] = "weight"
    return graph, conditions


def texts_of(result: kt.Result) -> list[str]:
    texts = [str(result), result.reason, *(statement.text for statement in result.statements)]
    texts += [] if result.certificate is None else [result.certificate.words, result.certificate.statement.text]
    return [*texts, str(kt.check(result))]


@pytest.mark.parametrize("seed", range(part_of(240)))
def test_no_text_names_a_part_of_a_vertex(seed: int) -> None:
    graph, conditions = asked(seed)
    try:
        problem = kt.problem(graph, **conditions)
    except KTError:
        return
    result = kt.solve(problem)
    texts = texts_of(result)
    # Each checker by itself, also with data that no search would come to
    chance, size = random.Random(seed), problem.graph.n
    forms: list[tuple[str, dict[str, Any]]] = [("forced", {}), ("sweep", {"order": chance.sample(range(size), size)})]
    for _ in range(20):
        removed = chance.sample(range(size), chance.randint(0, size - 1))
        moves = chance.sample(range(problem.graph.m), chance.choice((0, 0, 1)))
        forms.append(("cut", {"removed": removed, "moves": moves}))
        forms.append(("parts", {"steps": [{chance.choice(("take", "keep")): removed}]}))
    absent = Statement(replace(problem, objective=None), "infeasible")
    for method, data in forms:
        try:
            texts.append(Certificate(method, absent, data).check())
        except CertificateError:
            continue
    for text in texts:
        text = re.sub(r"engine +.*|Result\(.*|\(edge-tree\)", "", text)
        assert not INSIDE.search(text), text
        assert set(NAME.findall(text)) <= set(graph.nodes)


@pytest.mark.parametrize("seed", range(part_of(240)))
def test_what_has_no_predecessor_or_successor_is_named_and_has_none(seed: int) -> None:
    graph, conditions = asked(seed)
    try:
        problem = kt.problem(graph, **{k: v for k, v in conditions.items() if k != "minimize"})
    except KTError:
        return
    reason = kt.solve(problem).reason
    match = re.match(r"(.*?) (?:have|has) no (predecessor|successor)( by an allowed arc)?", reason)
    if match is None:
        return
    forbidden = {tuple(arc) for arc in conditions.get("forbid", [])}
    assert bool(match[3]) == bool(forbidden)
    for name in NAME.findall(match[1]):
        arcs = graph.in_edges(name) if match[2] == "predecessor" else graph.out_edges(name)
        assert {*arcs} <= forbidden
    # And there is indeed no cycle or path
    assert not any(
        all(graph.has_edge(*step) and step not in forbidden for step in pairwise(order))
        and (conditions["open"] or (graph.has_edge(order[-1], order[0]) and (order[-1], order[0]) not in forbidden))
        and conditions.get("start", order[0]) == order[0]
        and conditions.get("end", order[-1]) == order[-1]
        and {tuple(arc) for arc in conditions.get("require", [])} <= {*zip(order, (*order[1:], order[0]), strict=True)}
        for order in permutations(graph.nodes)
    )


def test_two_vertices_without_predecessors_are_named() -> None:
    graph = nx.DiGraph([(0, 1), (1, 2), (2, 3), (4, 1), (3, 1)])
    assert kt.solve(graph).reason == "0 and 4 have no predecessor"
    assert kt.solve(graph, open=True).reason == (
        "0 and 4 have no predecessor, and only the first vertex of a path may have none"
    )
    single = nx.DiGraph([(0, 1), (1, 2), (2, 1)])
    assert kt.solve(single).reason == "no arc leads to 0"
    assert kt.solve(single, open=True, start=1).reason == "0 has no predecessor, and the path begins at 1"
    text = Statement(kt.problem(single), "infeasible").text
    assert text.startswith("there is no Hamiltonian cycle of the directed graph (3 vertices, 3 arcs, SHA-256 ")
