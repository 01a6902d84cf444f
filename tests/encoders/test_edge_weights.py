"""Small travelling salesmen: the least sum of weights of edges and pairs of edges, by every engine and every checker.

The truth is found by trying every order of the vertices.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from itertools import pairwise, permutations
from pathlib import Path
from random import Random
from typing import NamedTuple

import networkx as nx
import pytest

import kt
from encoders import solve
from encoders.bounds import certify_lower_bound
from encoders.bounds.methods.branching import make
from encoders.counting.values import count_values_by_halves
from encoders.pb.sweep import refute_by_sweep
from encoders.pb.write import prove_by_cutting_planes
from encoders.proof import write_folder
from encoders.stages.certify import UNCERTIFIED
from heuristics.local_search import improve
from kt_models import CertificateError, KTError, Problem, Symmetry, Weights, graph_of
from kt_models.kernel.certificates import Certificate, Statement
from kt_models.kernel.certificates.frontier import count_solutions, least_value
from kt_models.kernel.certificates.proofs.check_folder import check_folder
from kt_models.kernel.certificates.rewritten import without_gains_apart
from kt_models.limits import Limits
from kt_models.tour import Tour
from tests.command import kt as command
from tests.effort import part_of
from tests.engines import MINIMISERS, answers
from tests.pb_reader import refuted
from tests.small_problems import solutions

SIGNS = {"positive": (1, 30), "zero": (0, 3), "signed": (-9, 9), "negative": (-20, -1), "even": (0, 8)}


class Salesman(NamedTuple):
    """A problem, and the value of each of its tours, by its edges."""

    problem: Problem
    values: dict[frozenset[int], int]

    @property
    def least(self) -> int | None:
        return min(self.values.values(), default=None)


def salesman(seed: int, most: int = 7) -> Salesman:
    """A complete or sparse graph whose edges, and sometimes pairs of them, have weights."""
    random = Random(seed)
    n = random.randint(4, most)
    graph = (
        nx.complete_graph(n) if random.random() < 0.6 else nx.gnm_random_graph(n, min(2 * n, n * (n - 1) // 2), seed)
    )
    low, high = SIGNS[random.choice(list(SIGNS))]
    for u, v in graph.edges:
        graph.edges[u, v]["weight"] = random.randint(low, high) * (2 if high == 8 else 1)
    moves, nodes = kt.graph(graph), list(graph.nodes)
    total = kt.edge_weights(moves)
    rows: dict[tuple[int, int], int] = {}
    if random.random() < 0.4 and moves.m > 1:
        for _ in range(random.randint(1, 6)):
            e, f = random.sample(range(moves.m), 2)
            rows[min(e, f), max(e, f)] = random.randint(low, high)
        first, second = zip(*rows, strict=True)
        total = total + Weights(first, second, list(rows.values()))  # type: ignore[arg-type]
    closed = random.random() < 0.6
    ends = () if closed else tuple(random.sample(range(n), random.choice((0, 0, 1, 2))))
    required = frozenset(random.sample(range(moves.m), min(moves.m, random.choice((0, 0, 0, 1)))))
    forbidden = frozenset(random.sample(range(moves.m), min(moves.m, random.choice((0, 0, 0, 1, 2))))) - required
    problem = Problem(moves, "cycle" if closed else "path", total, ends, required, forbidden)
    return Salesman(problem, values_of(problem, graph, nodes, rows))


def values_of(
    problem: Problem, graph: nx.Graph, nodes: list[int], rows: dict[tuple[int, int], int]
) -> dict[frozenset[int], int]:
    """Each tour that the problem allows, by its edges, and what it weighs by the attributes of the graph."""
    number = {frozenset((nodes[u], nodes[v])): e for e, (u, v) in enumerate(problem.graph.ends.tolist())}
    values = {}
    for order in permutations(nodes):
        steps = list(zip(order, order[1:] + order[: problem.closed], strict=False))
        if any(frozenset(step) not in number for step in steps):
            continue
        edges = frozenset(number[frozenset(step)] for step in steps)
        ends = {nodes.index(order[0]), nodes.index(order[-1])}
        if problem.required <= edges and not problem.forbidden & edges and set(problem.terminals) <= ends:
            values[edges] = sum(graph.edges[step]["weight"] for step in steps) + sum(
                weight for pair, weight in rows.items() if edges.issuperset(pair)
            )
    return values


SEEDS = pytest.mark.parametrize("seed", range(part_of(60)))


@SEEDS
def test_the_least_weight_with_a_certificate(seed: int) -> None:
    problem, values = case = salesman(seed)
    result = solve(problem)
    if not values:
        assert result.status == "infeasible"
        return
    assert (result.status, result.value) == ("optimal", case.least)
    assert result.edges is not None and values[frozenset(result.edges.tolist())] == case.least
    if problem.gains_apart and without_gains_apart(problem) is None:  # A path with an end that is not given
        assert result.certificate is None and result.reason == UNCERTIFIED and problem.free_ends
        return
    assert result.certificate is not None
    again = Certificate.from_json(json.loads(json.dumps(result.certificate.to_json())))
    assert again.check() and again.statement == Statement(problem, "at-least", case.least)
    raised = replace(again, statement=replace(again.statement, value=(case.least or 0) + 1))
    with pytest.raises(CertificateError):
        raised.check()


@pytest.mark.parametrize("seed", range(part_of(25)))
def test_every_engine_finds_the_least_weight(seed: int) -> None:
    case = salesman(100 + seed, most=6)
    for who, result in answers(case.problem, MINIMISERS):
        expected = "infeasible" if case.least is None else "optimal"
        assert (result.status, result.value) == (expected, case.least), who


@SEEDS
def test_sweeps_count_and_bound(seed: int) -> None:
    problem, values = case = salesman(200 + seed)
    assert problem.weights is not None
    if problem.gains_apart:
        with pytest.raises(KTError, match="negative"):
            least_value(problem)
        return
    assert least_value(problem).value == case.least
    by_value: dict[int, int] = {}
    for worth in values.values():
        by_value[worth] = by_value.get(worth, 0) + 1
    assert count_solutions(problem, by_value=True).by_value == by_value
    for bound in range((case.least or 0) - 2, (case.least or 0) + 3):
        certificate = Certificate("frontier", Statement(problem, "at-least", bound), {"at_least": bound})
        if case.least is not None and bound <= case.least:
            assert certificate.check()
        elif case.least is not None:
            with pytest.raises(CertificateError):
                certificate.check()


@SEEDS
def test_bounds_are_bounds(seed: int) -> None:
    problem, _ = case = salesman(300 + seed)
    if case.least is None:
        return
    for method in ("relaxation", "regions", "auto"):
        try:
            certificate = certify_lower_bound(problem, method=method, limits=Limits(seconds=10))
        except KTError:
            continue
        assert certificate.bound is not None and certificate.bound <= case.least


@pytest.mark.parametrize("seed", range(part_of(30)))
def test_proofs_about_weights_show_the_least_weight(seed: int, tmp_path: Path) -> None:
    problem, _ = case = salesman(400 + seed, most=6)
    assert problem.weights is not None
    least, negative = case.least, int(problem.weights.weight.min()) < 0
    if least is None:
        return
    if problem.closed and not negative:
        proved = refute_by_sweep(problem, least)
        refuted(proved.model.opb(), proved.proof)
        with pytest.raises(KTError, match="there is a solution"):
            refute_by_sweep(problem, least + 20)
    try:
        data = make(problem, at_least=least)
    except CertificateError:  # Pairs of edges that do not meet
        data = None
    if data is not None:
        proved = prove_by_cutting_planes(Certificate("tree", Statement(problem, "at-least", least), data))
        refuted(proved.model.opb(), proved.proof)
    if not negative:
        write_folder(problem, least - 1, tmp_path)
        assert check_folder(tmp_path).statement == Statement(problem, "at-least", least)


@pytest.mark.slow
@SEEDS
def test_exchanges_never_make_it_worse_and_often_best(seed: int) -> None:
    problem, values = case = salesman(500 + seed)
    if not values:
        return
    (first, worth) = max(values.items(), key=lambda item: item[1])
    tour = solve(replace(problem, objective=None, required=first), hint=False).tour
    assert tour is not None and problem.value(tour.edges) == worth
    better = improve(tour, problem, max_steps=4000)
    value = values[frozenset(better.edges.tolist())]
    assert (case.least or 0) <= value <= worth
    if seed % 6:
        return
    found = kt.find(problem, time_limit=0.2)
    assert found.edges is None or values[frozenset(found.edges.tolist())] == found.value


@pytest.mark.parametrize("seed", range(part_of(20)))
def test_tours_of_the_least_weight_are_listed(seed: int) -> None:
    problem, values = case = salesman(600 + seed, most=6)
    if case.least is None:
        return
    best = {edges for edges, worth in values.items() if worth == case.least}
    listed = [frozenset(tour.edges.tolist()) for tour in kt.tours(problem, value=case.least)]
    assert len(listed) == len(set(listed)) and set(listed) == best
    assert kt.count(problem, value=case.least) == len(best)


@pytest.mark.parametrize("seed", range(max(4, part_of(8))))  # Two graphs, cycles and paths
def test_all_values_of_eight_vertices(seed: int) -> None:
    """Up to 2,520 cycles or 20,160 paths have weights of either sign on edges and on pairs that meet or do not."""
    random = Random(700 + seed)
    graph = nx.complete_graph(8) if seed % 2 else nx.circulant_graph(8, [1, 2, 3])
    for u, v in graph.edges:
        graph.edges[u, v]["weight"] = random.randint(-3, 6)
    moves = kt.graph(graph)
    rows = {tuple(sorted(random.sample(range(moves.m), 2))): random.randint(-9, 6) for _ in range(12)}
    first, second = zip(*rows, strict=True)
    total = kt.edge_weights(moves) + Weights(first, second, list(rows.values()))  # type: ignore[arg-type]
    ends = () if seed % 4 < 2 else tuple(random.sample(range(8), 2))
    problem = Problem(moves, "path" if ends else "cycle", total, ends)
    values = values_of(problem, graph, list(graph.nodes), rows)  # type: ignore[arg-type]
    least = min(values.values())
    result = solve(problem)
    assert (result.status, result.value) == ("optimal", least) and result.certificate is not None
    assert Certificate.from_json(result.certificate.to_json()).check()
    for value in (least - 1, least, least + 1, least + 5):
        assert kt.count(problem, value=value) == sum(worth == value for worth in values.values()), value
    plain = replace(problem, objective=kt.edge_weights(moves))
    by_value = count_solutions(plain, by_value=True).by_value
    lengths = [sum(graph.edges[moves.ends[e].tolist()]["weight"] for e in tour) for tour in values]
    assert by_value == {length: lengths.count(length) for length in lengths}


@pytest.mark.parametrize("seed", range(part_of(12)))
@pytest.mark.parametrize(("board", "symmetry"), [("5x6", "mirror-y"), ("6x6", "rot180"), ("3x10", None), ("3x4", None)])
def test_weights_of_moves_on_boards_with_symmetry_and_turns(board: str, symmetry: str | None, seed: int) -> None:
    random = Random(seed)
    graph = graph_of(board)
    lengths = Weights.of_edges([random.choice((0, 0, 1, 3, -2)) for _ in range(graph.m)])
    total = lengths + random.randint(0, 2) * kt.pair_weights(graph, "turns")
    group = (Symmetry.parse(symmetry),) if symmetry else ()
    problem = Problem(graph, "path" if board == "3x4" else "cycle", total, symmetry=group)
    if board == "6x6":  # Few enough to be listed
        problem = replace(problem, required=frozenset(solve(replace(problem, objective=None)).edges.tolist()[:18]))
    worth = {chosen: total.value(sorted(chosen)) for chosen in solutions(problem)} if graph.m < 50 else None
    result = solve(problem)
    if worth is not None:
        assert result.value == min(worth.values(), default=None)
    assert result.status == "optimal" and result.certificate is not None
    assert result.certificate.statement == Statement(problem, "at-least", result.value)


def test_by_value_with_two_halves() -> None:
    """The count that joins two halves of a board knows weights of moves as well."""
    graph = graph_of("5x6")
    weights = Weights.of_edges([e % 3 for e in range(graph.m)]) + kt.pair_weights(graph, "turns")
    problem = Problem(graph, "cycle", weights)
    counted = count_values_by_halves(problem).by_value
    listed: dict[int, int] = {}
    for tour in kt.tours("5x6"):
        worth = weights.value(tour.edges)
        listed[worth] = listed.get(worth, 0) + 1
    assert counted == listed


def test_a_tour_around_the_world(tmp_path: Path) -> None:
    """At the terminal: solved, checked, bounded, proved, listed."""
    random = Random(7)
    path = tmp_path / "roads.edges"
    places = {name: (random.randint(0, 99), random.randint(0, 99)) for name in "ABCDEFGH"}
    rows = [(u, v, abs(a - c) + abs(b - d)) for u, (a, b) in places.items() for v, (c, d) in places.items() if u < v]
    path.write_text("".join(f"{u} {v} {w}\n" for u, v, w in rows))
    length = {frozenset((u, v)): w for u, v, w in rows}
    best = min(
        sum(length[frozenset(step)] for step in zip(order, (*order[1:], order[0]), strict=True))
        for order in ((*"A", *rest) for rest in permutations("BCDEFGH"))
    )
    answer = tmp_path / "r.json"
    assert command("solve", path, "--minimize", "weight", "-o", answer).exit_code == 0
    assert json.loads(answer.read_text())["value"] == best
    checked = command("check", answer)
    assert checked.exit_code == 0 and f"{best:,} is the least weight of any Hamiltonian cycle" in checked.stdout
    bounded = command("bound", path, "--minimize", "weight", "--at-least", best, "--certificate", tmp_path / "c.json")
    assert bounded.exit_code == 0 and command("check", tmp_path / "c.json").exit_code == 0
    listed = command("enumerate", path, "--minimize", "weight", "--count", "--json")
    assert listed.exit_code == 0 and json.loads(listed.stdout)["count"] >= 1
    found = command("find", path, "--minimize", "weight", "--json", "--time-limit", 1)
    assert json.loads(found.stdout)["value"] >= best
    tour = kt.read(answer)
    assert isinstance(tour, Tour) and tour.measure("weight") == best
    assert kt.improve(tour, "weight", time_limit=0.5).value == best


@pytest.mark.parametrize("size", [10**3, 10**7, 10**9, 10**14])
@pytest.mark.parametrize("directed", [False, True])
def test_tours_are_counted_by_value_whatever_their_edges_weigh(size: int, directed: bool) -> None:
    """Weights beyond what a sweep adds up are those of tours that are listed."""
    rng = Random(size)
    pairs = [(u, v) for u in range(4) for v in range(4) if (u != v if directed else u < v)]
    weight = {pair: rng.randrange(size) for pair in pairs}
    edges = [(*pair, w) for pair, w in weight.items()]

    def length(order: tuple[int, ...]) -> int:
        return sum(weight[step if step in weight else step[::-1]] for step in pairwise((0, *order, 0)))

    lengths = Counter(length(order) for order in permutations((1, 2, 3)) if directed or order[0] < order[-1])
    assert kt.count(edges=edges, minimize="weight", directed=directed) == lengths[min(lengths)]
    for value in (*lengths, min(lengths) + 1):
        assert kt.count(edges=edges, by="weight", value=value, directed=directed) == lengths[value]


def test_a_function_of_two_moves() -> None:
    """Moves that are at right angles, by a function, beside a list of all tours; and turns as such a function."""

    def turned(first: tuple[tuple[int, int], ...], second: tuple[tuple[int, int], ...]) -> int:
        if not set(first) & set(second):
            return 0
        (a, b), (c, d) = ((q[0] - p[0], q[1] - p[1]) for p, q in (first, second))
        return int(a * d != b * c)

    assert kt.pair_weights("5x6", turned) == kt.pair_weights("5x6", "turns")
    assert kt.solve("5x6", minimize=turned).value == 28

    def crosswise(first: tuple[tuple[int, int], ...], second: tuple[tuple[int, int], ...]) -> int:
        (a, b), (c, d) = ((q[0] - p[0], q[1] - p[1]) for p, q in (first, second))
        return int(a * c + b * d == 0) - int(first[0] == (0, 0))

    weights = kt.pair_weights("4x5", crosswise)
    values = [weights.value(tour.edges) for tour in kt.tours("4x5", open=True)]
    assert kt.solve("4x5", open=True, minimize=crosswise).value == min(values)
    assert kt.solve("4x5", open=True, maximize=crosswise).value == max(values)
    limit = sorted(values)[10]
    assert kt.count("4x5", open=True, at_most={crosswise: limit}) == sum(value <= limit for value in values)
    roads = [("Ulm", "Bonn"), ("Bonn", "Kiel"), ("Kiel", "Ulm")]
    assert kt.pair_weights(roads, lambda first, second: len({*first, *second})).value([0, 1, 2]) == 9
    for wrong in (lambda first: 1, lambda first, second: 1j, lambda first, second: "many", int):
        with pytest.raises(KTError):
            kt.problem("5x5", open=True, minimize=wrong)
    with pytest.raises(KTError, match="pairs"):
        kt.pair_weights("60x60", lambda first, second: 1)
