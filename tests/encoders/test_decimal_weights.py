"""Decimal weights, minimised and maximised, beside brute force in fractions that shares no code with the product."""

from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

import networkx as nx
import numpy as np
import pytest

import kt
from kt_models import KTError
from tests.command import kt as command
from tests.command import one_line_refusal
from tests.effort import part_of

Weighed = dict[tuple[int, int], str]
"""Edges or arcs, with decimals as texts."""


def random_weights(random: Random, n: int, directed: bool) -> Weighed:
    places = random.randint(1, 3)
    return {
        (u, v): f"{random.choice(('', '', '-'))}{random.randint(0, 20)}.{random.randint(0, 10**places - 1):0{places}}"
        for u in range(n)
        for v in range(n)
        if (u != v if directed else u < v) and random.random() < 0.8
    }


def values(weights: Weighed, n: int, *, directed: bool, open: bool) -> list[Fraction]:
    """Values of all cycles or paths, each once."""
    known = {step: Fraction(text) for step, text in weights.items()}
    if not directed:
        known |= {(v, u): weight for (u, v), weight in known.items()}
    found = []
    for order in permutations(range(n)):
        if order[0] and not open:
            continue
        if not directed and order[-1] < order[0 if open else 1]:
            continue
        steps = list(zip(order, order[1:] if open else (*order[1:], order[0]), strict=not open))
        if all(step in known for step in steps):
            found.append(sum((known[step] for step in steps), Fraction(0)))
    return found


def graph_of(weights: Weighed, n: int, directed: bool) -> Any:
    graph = nx.DiGraph() if directed else nx.Graph()
    graph.add_nodes_from(range(n))
    graph.add_weighted_edges_from((u, v, float(text)) for (u, v), text in weights.items())
    return graph


def number(value: Any) -> Fraction:
    """The decimal that a value is: its shortest text."""
    return Fraction(str(value))


@pytest.mark.parametrize("engine", ["auto", "cpsat", "sat", "branching", "sweep"])
@pytest.mark.parametrize("sense", ["minimize", "maximize"])
@pytest.mark.parametrize("seed", range(part_of(36)))
def test_the_best_value_is_that_of_brute_force(engine: str, sense: str, seed: int) -> None:
    random = Random(seed)
    directed, open, n = random.random() < 0.5, random.random() < 0.4, random.randint(3, 6)
    weights = random_weights(random, n, directed)
    all_values = values(weights, n, directed=directed, open=open)
    asked: dict[str, Any] = {sense: "weight", "open": open, "engine": engine}
    try:
        result = kt.solve(graph_of(weights, n, directed), **asked)
    except KTError:
        assert engine != "auto"  # An engine may not serve the problem
        return
    if not all_values:
        assert result.status == "infeasible"
        return
    best = (max if sense == "maximize" else min)(all_values)
    assert result.tour is not None and result.value is not None and result.bound is not None
    assert number(result.value) == number(result.tour.measure("weight")) == best
    if result.status == "optimal":
        assert number(result.bound) == best and result.gap == 0
    else:
        assert number(result.bound) >= best if sense == "maximize" else number(result.bound) <= best
    again = json.loads(json.dumps(result.to_json()))
    assert again["value"] == result.value and again["bound"] == result.bound
    verdict = kt.check(again)
    word = {"minimize": "least", "maximize": "greatest"}[sense]
    if verdict.shown and result.status == "optimal" and result.certificate is not None:
        assert verdict.shown[0].text.startswith(f"{result.value} is the {word} weight of any Hamiltonian ")
    forged = again | {"value": result.value + 1}
    with pytest.raises(KTError):
        kt.check(forged)


@pytest.mark.parametrize("seed", range(part_of(36)))
def test_counts_by_value_limits_and_bounds_are_those_of_brute_force(seed: int) -> None:
    random = Random(seed)
    directed, n = random.random() < 0.5, random.randint(4, 6)
    weights = random_weights(random, n, directed)
    all_values = sorted(values(weights, n, directed=directed, open=False))
    graph = graph_of(weights, n, directed)
    limit = Fraction(random.randint(-300, 600), 10)
    assert kt.count(graph, at_most={"weight": float(limit)}) == sum(value <= limit for value in all_values)
    assert kt.count(graph, at_least={"weight": float(limit)}) == sum(value >= limit for value in all_values)
    # A finer limit than the weights have decimals
    finer = Decimal(limit.numerator) / limit.denominator + Decimal("0.00005")
    assert kt.count(graph, at_most={"weight": finer}) == sum(value <= limit for value in all_values)
    if all_values:
        chosen_value = random.choice(all_values)
        assert kt.count(graph, by="weight", value=float(chosen_value)) == all_values.count(chosen_value)
        certificate = kt.bound(graph, minimize="weight")
        assert certificate.bound is not None and number(certificate.bound) <= all_values[0]
        upper = kt.bound(graph, maximize="weight")
        assert upper.bound is not None and number(upper.bound) >= all_values[-1]
        assert "at most" in upper.statement.text
        back = kt.Certificate.from_json(json.loads(json.dumps(upper.to_json())))
        assert back == upper and back.bound == upper.bound and back.check()


def test_every_door_shows_the_greatest_value_in_the_unit_of_the_weights(tmp_path: Path) -> None:
    path, answer, log = tmp_path / "k4.edges", tmp_path / "r.json", tmp_path / "log"
    path.write_text("A B 1.5\nB C 2.25\nC D 0.1\nD A 3\nA C 1.2\nB D 7.75\n")
    run = command("solve", path, "--maximize", "weight", "-o", answer, "--log", log)
    assert run.exit_code == 0 and "weight     14.2 (most, proved)" in run.stdout
    assert (
        "14.2 is the greatest weight of any Hamiltonian cycle of k4.edges (4 vertices, 6 edges, SHA-256" in run.stdout
    )
    data = json.loads(answer.read_text())
    assert (data["value"], data["bound"], data["weight"], data["sense"]) == (14.2, 14.2, 14.2, "maximize")
    assert data["edge_weights"] == [1.5, 1.2, 3, 2.25, 7.75, 0.1]
    assert data["certificate"]["bound"] == 14.2
    logged = [json.loads(line) for line in log.read_text().splitlines()[1:]]
    assert logged[-1]["value"] == logged[-1]["bound"] == 14.2
    assert all(line.get("value", 14.2) <= 14.2 <= line.get("bound", 14.2) for line in logged)
    checked = command("check", answer)
    assert checked.exit_code == 0 and "14.2 is the greatest weight" in checked.stdout
    heard: list[kt.Report] = []
    result = kt.solve(path, maximize="weight", on_progress=heard.append)
    assert [now.value for now in heard if now.value is not None][-1] == 14.2
    assert result.history[-1].value == 14.2 and "14.2" in result.summary() and "14.2" in repr(result)
    counts = json.loads(command("enumerate", path, "--by", "weight", "--count", "--json").stdout)
    assert counts["by_value"] == {"6.85": 1, "10.55": 1, "14.2": 1}
    front = kt.pareto(path, ("weight", "-weight"))
    assert {tuple(point.values) for point in front.points} == {(6.85, -6.85), (10.55, -10.55), (14.2, -14.2)}
    assert kt.check(json.loads(json.dumps(front.to_json()))).shown
    model = tmp_path / "m.opb"
    assert command("convert", path, model, "--maximize", "weight").exit_code == 0
    assert "* weight = -minimum / 100\n" in model.read_text()
    assert command("bound", path, "--minimize", "weight", "--at-least", "6.85").exit_code == 0
    assert command("bound", path, "--minimize", "weight", "--at-least", "6.86").exit_code != 0


def test_decimals_are_ignored_where_nothing_asks_for_weights_and_refused_in_a_line_if_they_are_too_long() -> None:
    points = np.random.default_rng(1).random((6, 2))
    graph = nx.complete_graph(6)
    for u, v in graph.edges:
        graph.edges[u, v]["weight"] = float(np.hypot(*(points[u] - points[v])))
    assert kt.solve(graph).status == "feasible"
    with pytest.raises(KTError, match="over 15 digits"):
        kt.solve(graph, minimize="weight")
    for u, v in graph.edges:
        graph.edges[u, v]["weight"] = round(graph.edges[u, v]["weight"], 9)
    assert kt.solve(graph, minimize="weight").status == "optimal"
    for odd in (float("nan"), float("inf"), 1e300):
        graph.edges[0, 1]["weight"] = odd
        assert kt.solve(graph).status == "feasible"
        with pytest.raises(KTError, match="0-1"):
            kt.solve(graph, minimize="weight")


def test_decimals_of_tsplib_files(tmp_path: Path) -> None:
    path = tmp_path / "d.tsp"
    path.write_text(
        "NAME: d\nTYPE: TSP\nDIMENSION: 4\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: UPPER_ROW\n"
        "EDGE_WEIGHT_SECTION\n1.5 2 0.25\n3.125 1\n2e0\nEOF\n"
    )
    best = min(1.5 + 3.125 + 2 + 0.25, 1.5 + 1 + 2 + 2, 2 + 3.125 + 1 + 0.25)
    assert kt.solve(path, minimize="weight").value == best
    assert kt.graph(path).weights_in_unit() == [1.5, 2, 0.25, 3.125, 1, 2]
    path.write_text(path.read_text().replace("2e0", "2e0.5"))
    one_line_refusal(command("solve", path, "--minimize", "weight"), "not a number")


def test_decimals_in_mappings_functions_and_sums() -> None:
    weights = {"a1-b3": 0.5, "a1-c2": 0.25, "b3-c1": 1}
    table = kt.edge_weights("3x4", weights)
    pairs = kt.pair_weights("3x4", lambda first, second: 0.1 if set(first) & set(second) else 0)
    both = table + 0.5 * pairs + kt.pair_weights("3x4", "turns")
    for tour in kt.tours("3x4", open=True):
        moves = {tour.graph.edge_name(int(e)) for e in tour.edges}
        alone = sum(Fraction(str(w)) for move, w in weights.items() if move in moves)
        assert number(table.value(tour.edges)) == alone
        # 11 moves of a path meet in 10 cells
        assert number(both.value(tour.edges)) == alone + Fraction(1, 20) * 10 + tour.measure("turns")
    with pytest.raises(KTError, match="finite"):
        kt.edge_weights("3x4", {"a1-b3": float("nan")})


def test_pages_and_notebooks_say_which_extreme_was_asked_for() -> None:
    from drawing.page_entries import _claim_of

    edges = [("A", "B", 1.5), ("B", "C", 2.25), ("C", "D", 0.1), ("D", "A", 3), ("A", "C", 1.2), ("B", "D", 7.75)]
    for sense, words, best in (("minimize", "least", 6.85), ("maximize", "greatest", 14.2)):
        asked: dict[str, Any] = {sense: "weight"}
        result = kt.solve(edges=edges, **asked)
        assert _claim_of(result) == f"A weight of {best}, the {words} possible"
        assert f"with the {words} weight" in result.problem._repr_html_()
    assert _claim_of(kt.solve("5x6", maximize="crossings")) == "51 crossings, the most possible"
