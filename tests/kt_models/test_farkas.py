"""Trees of cases without an objective: what they rule out does not exist, whatever is done to their data."""

from __future__ import annotations

import contextlib
import copy
import json
import random
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

from benchmarks.peers.not_tough import CORES
from encoders.lp.farkas import by_cases
from kt_models import MoveGraph, Problem, Weights
from kt_models.directed import DirectedGraph
from kt_models.errors import CertificateError
from kt_models.kernel.certificates import Certificate, Statement
from kt_models.kernel.certificates.certificate import canonical
from kt_models.kernel.certificates.tree import refute
from kt_models.limits import NO_LIMITS
from kt_models.problem import Connectivity
from tests.brute_directed import walks
from tests.effort import part_of

Data = dict[str, Any]
CASES = Path(__file__).parent.parent / "golden/samples/certificate-farkas-cases.json"
SHOWN = "degrees and cuts contradict each other"


def solvable(n: int, pairs: list[tuple[int, int]], connectivity: Connectivity, ends: tuple[int, ...]) -> bool:
    """By brute force: whether some edges have the right degrees and join what they should."""
    for chosen in combinations(pairs, n - (len(ends) // 2 if connectivity != "path" else 1)):
        if connectivity in ("cycle", "any") and len(ends) % 2:
            return False
        graph = nx.Graph(list(chosen))
        graph.add_nodes_from(range(n))
        degrees = sorted(d for _, d in graph.degree)
        alone = {v for v, d in graph.degree if d == 1}
        if connectivity == "path":
            fits = degrees == [1, 1] + [2] * (n - 2) and set(ends) <= alone and nx.is_connected(graph)
        else:
            fits = degrees == [1] * len(ends) + [2] * (n - len(ends)) and alone == set(ends)
            if connectivity in ("cycle", "linkage", "paths"):
                pieces = list(nx.connected_components(graph))
                fits = fits and len(pieces) == max(1, len(ends) // 2)
            if connectivity == "linkage":
                fits = fits and all(nx.has_path(graph, s, t) for s, t in zip(ends[::2], ends[1::2], strict=True))
        if fits:
            return True
    return False


def drawn(rng: random.Random) -> tuple[int, list[tuple[int, int]], Connectivity, tuple[int, ...]]:
    """A small graph and what is asked of it; it has a solution about as often as not."""
    n = rng.randint(4, 6)
    every = list(combinations(range(n), 2))
    pairs = sorted(rng.sample(every, min(len(every), rng.randint(n, n + 5))))
    kinds: list[Connectivity] = ["cycle", "cycle", "path", "linkage", "paths", "any"]
    kind = rng.choice(kinds)
    most = {"cycle": 0, "path": 2, "linkage": 4, "paths": 4, "any": 3}[kind]
    count = rng.randint(0, most)
    if kind in ("linkage", "paths"):
        count = max(2, count // 2 * 2)
    return n, pairs, kind, tuple(rng.sample(range(n), count))


def is_proved(problem: Problem, data: Data) -> bool:
    """Whether data show that there is no solution; anything but a clear refusal is an error."""
    with contextlib.suppress(CertificateError):
        return refute(problem, json.loads(json.dumps(data))).startswith(SHOWN)
    return False


@pytest.mark.parametrize("seed", range(part_of(180)))
def test_a_certificate_exists_exactly_if_brute_force_finds_nothing(seed: int) -> None:
    rng = random.Random(seed)
    n, pairs, kind, ends = drawn(rng)
    problem = Problem(MoveGraph.from_edges(n, pairs, "drawn"), kind, terminals=ends)
    true = not solvable(n, pairs, kind, ends)
    certificate = by_cases(problem, NO_LIMITS, 10_000)
    isolated = n > 2 * len(pairs)
    assert (certificate is not None) == true or isolated
    if certificate is None:
        return
    # The same data for a graph with one more edge, which may have a solution.
    for u, v in combinations(range(n), 2):
        more = sorted({*pairs, (u, v)})
        if len(more) > len(pairs) and rng.random() < 0.2:
            other = Problem(MoveGraph.from_edges(n, more, "more"), kind, terminals=ends)
            data = renumbered(certificate.data, problem, other)
            assert not (is_proved(other, data) and solvable(n, more, kind, ends))


def renumbered(data: Mapping[str, Any], old: Problem, new: Problem) -> Data:
    """Data with the edge numbers of a graph that has more edges."""
    number = [int(new.graph.edges_between(u, v)[0]) for u, v in old.graph.ends.tolist()]
    shift = new.graph.m - old.graph.m

    def multiplier(i: int) -> int:
        return number[i] if i < len(number) else i + shift

    nodes = []
    for node in data.get("nodes", [[0]]):
        head = 1 if node[0] == 0 else 2 if node[0] < 3 else 3
        subject = [number[node[1]]] if node[0] in (1, 2) else node[1:head]
        changes = [multiplier(x) if not i % 2 else x for i, x in enumerate(node[head:])]
        nodes.append([node[0], *subject, *changes])
    cuts = [[vertices, [number[e] for e in teeth]] for vertices, teeth in data.get("cuts", [])]
    multipliers = [[multiplier(i), amount] for i, amount in data.get("multipliers", [])]
    return {**data, "cuts": cuts, "nodes": nodes, "multipliers": multipliers}


RARE = (221, 965, 2673, 2897)[: max(2, part_of(4))]
"""Of a thousand random graphs, one or two are such: these seeds draw them."""


@cache
def targets() -> list[tuple[Problem, Data]]:
    """Graphs with a Hamiltonian cycle, each with the data of a graph that lacks two of its edges and has none."""
    found: list[tuple[Problem, Data]] = []
    for seed in RARE:
        rng = random.Random(seed)
        n = rng.randint(6, 9)
        graph = nx.gnm_random_graph(n, n + rng.randint(3, 6), seed=rng.randrange(10**9))
        pairs = sorted(graph.edges)
        more = sorted({*pairs, *rng.sample(sorted(nx.non_edges(graph)), 2)})
        problem = Problem(MoveGraph.from_edges(n, pairs, "less"))
        other = Problem(MoveGraph.from_edges(n, more, "more"))
        certificate = by_cases(problem, NO_LIMITS, 1000)
        assert certificate is not None and certificate.data["nodes"]
        assert by_cases(other, NO_LIMITS, 1000) is None  # A cycle was met.
        assert solvable(n, more, "cycle", ())
        found.append((other, renumbered(certificate.data, problem, other)))
    return found


def forge(rng: random.Random, data: Data) -> None:
    """Change something as somebody would who wants it to be accepted."""
    nodes, cuts = data["nodes"], data["cuts"]
    kind = rng.choice(["drop", "double", "number", "number", "cut", "side", "tooth", "leaf", "scale", "multiplier"])
    if kind == "drop":
        nodes.pop(rng.randrange(len(nodes)))
    elif kind == "double":
        nodes.append(copy.deepcopy(rng.choice(nodes)))
    elif kind == "number":
        node = rng.choice(nodes)
        node[rng.randrange(len(node))] += rng.choice([-(2**40), -1, 1, 2, 100, 2**40, 2**63])
    elif kind == "cut":
        cuts.append([rng.choice([[], [0], list(range(20)), [0, 0], [1, 2]]), []])
    elif kind == "side" and cuts:
        cut = rng.choice(cuts)
        cut[0] = sorted(set(cut[0]) ^ {rng.randrange(10)})
    elif kind == "tooth" and cuts:
        rng.choice(cuts)[1] = rng.sample(range(12), rng.choice([1, 2, 3]))
    elif kind == "leaf":
        nodes[rng.randrange(len(nodes))] = [0]
    elif kind == "scale":
        data["denominator"] = rng.choice([0, -1, 1, 2, 2**40, 2**70, 10**400])
    else:
        amount = rng.choice([-5, -1, 1, 7, 2**40, 2**62])
        data["multipliers"] = [*data.get("multipliers", []), [rng.randrange(30), amount]]


@pytest.mark.parametrize("seed", range(part_of(60)))
def test_no_forgery_rules_a_cycle_out(seed: int) -> None:
    rng = random.Random(seed)
    for problem, data in targets():
        for _ in range(5):
            forged = copy.deepcopy(data)
            for _ in range(rng.randint(0, 3)):
                if forged["nodes"]:
                    with contextlib.suppress(ValueError):  # Nothing to draw from
                        forge(rng, forged)
            assert not is_proved(problem, forged)


@cache
def fractional() -> tuple[Problem, str]:
    """The first core, and data with fractions."""
    from encoders.lp.farkas import of_dual
    from encoders.lp.toughness import Dual, too_many_pieces

    pairs = [tuple(map(int, pair.split("-"))) for pair in CORES[0][2].split()]
    problem = Problem(MoveGraph.from_edges(10, pairs, "core"))
    dual = too_many_pieces(10, problem.graph.ends.astype(np.int64), NO_LIMITS)
    assert isinstance(dual, Dual)
    certificate = of_dual(problem, dual, NO_LIMITS)
    assert certificate is not None and certificate.data["denominator"] == 2
    return problem, canonical(certificate.data)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"multipliers": []}, "no contradiction"),
        ({"cuts": []}, "an integer from 0 to"),
        ({"denominator": 0}, "denominator"),
        ({"denominator": 10**400}, "denominator"),
        ({"cuts": [[[], []]] * 3}, "none, all"),
        ({"cuts": [[list(range(10)), []]] * 3}, "none, all"),
        ({"cuts": [[[0, 0], []]] * 3}, "not distinct"),
        ({"cuts": [[[0, 10], []]] * 3}, "a cut's vertices"),
        ({"cuts": [[[0, 9], [21]]] * 3}, "that leave it"),
        ({"nodes": []}, "breaks off"),
        ({"nodes": [[0], [0]]}, "does not end there"),
        ({"nodes": [[1, 0], [0], [0]]}, "already decided"),
        ({"nodes": [[1, 1], [0]]}, "complete after 1 nodes"),
        ({"nodes": [[1, 22], [0], [0]]}, "subject"),
        ({"nodes": [[0, 25, -2]]}, "negative"),
        ({"nodes": [[0, 22, 1]]}, None),
        ({"nodes": {}}, "not a list"),
        ({"symmetry": ["rot90"]}, "no geometric symmetry"),
    ],
)
def test_data_that_show_nothing(change: Data, message: str | None) -> None:
    problem, text = fractional()
    data = json.loads(text)
    assert refute(problem, data) == SHOWN
    if message is None:  # There are no free ends, so their price is never paid.
        assert refute(problem, {**data, **change}) == SHOWN
        return
    with pytest.raises(CertificateError, match=message):
        refute(problem, {**data, **change})


def test_one_more_edge_makes_a_cycle_which_no_small_change_rules_out() -> None:
    problem, text = fractional()
    pairs = [(u, v) for u, v in problem.graph.ends.tolist()]
    cyclic = 0
    for pair in sorted(nx.non_edges(nx.Graph(pairs))):
        other = Problem(MoveGraph.from_edges(10, sorted([*pairs, pair]), "more"))
        if cyclic == 6 or by_cases(other, NO_LIMITS, 1000) is not None:
            continue
        cyclic += 1
        data = renumbered(json.loads(text), problem, other)
        assert not is_proved(other, data)
        for k in range(len(data["cuts"])):
            for v in range(10):
                changed = copy.deepcopy(data)
                changed["cuts"][k][0] = sorted(set(changed["cuts"][k][0]) ^ {v})
                assert not is_proved(other, changed)
        for i in range(len(data["multipliers"])):
            for amount in (-1, 1):
                changed = copy.deepcopy(data)
                changed["multipliers"][i][1] += amount
                assert not is_proved(other, changed)
    assert cyclic == 6


def test_the_claim_is_about_one_problem() -> None:
    problem, text = fractional()
    data = json.loads(text)
    certificate = Certificate("farkas", Statement(problem, "infeasible"), data)
    assert certificate.check() == SHOWN
    stored = certificate.to_json()
    assert Certificate.from_json(stored) == certificate
    with pytest.raises(CertificateError, match="digest"):
        Certificate.from_json({**stored, "sha256": "0" * 64})
    for other in (replace(problem, connectivity="path"), replace(problem, connectivity="any")):
        with pytest.raises(CertificateError):
            Certificate("farkas", Statement(other, "infeasible"), data).check()
    weighted = Statement(replace(problem, objective=Weights.of_edges(list(range(problem.graph.m)))), "infeasible")
    assert Certificate("farkas", weighted, data).check() == SHOWN
    with pytest.raises(CertificateError, match="no solution"):
        Certificate("farkas", Statement(Problem(MoveGraph.from_edges(10, [])), "infeasible"), {}).check()


def test_a_tree_needs_each_of_its_nodes() -> None:
    certificate = Certificate.from_json(json.loads(CASES.read_text()))
    assert certificate.check() == f"{SHOWN} in each leaf of a tree of 29 nodes"
    data = certificate.data
    assert sum(node[0] == 0 for node in data["nodes"]) > 3
    for place in range(len(data["nodes"])):
        left = [node for i, node in enumerate(data["nodes"]) if i != place]
        with pytest.raises(CertificateError):
            refute(certificate.problem, {**data, "nodes": left})
    bare = [node[:1] if node[0] == 0 else node for node in data["nodes"]]
    with pytest.raises(CertificateError, match="no contradiction"):
        refute(certificate.problem, {**data, "nodes": bare})


@pytest.mark.parametrize("seed", range(part_of(60)))
def test_directed_graphs(seed: int) -> None:
    """The split graph has a certificate exactly if the directed graph has no walk."""
    rng = random.Random(seed)
    n = rng.randint(3, 5)
    arcs = sorted((u, v) for u in range(n) for v in range(n) if u != v and rng.random() < 0.45)
    closed = rng.random() < 0.5
    if not arcs:
        return
    problem = Problem(DirectedGraph.from_arcs(n, arcs).split(open=not closed), "cycle" if closed else "path")
    certificate = by_cases(problem, NO_LIMITS, 1000)
    assert (certificate is None) == bool(walks(n, set(arcs), closed))
