"""Weights of edges and of pairs of edges: one table, in every form that people write it."""

from __future__ import annotations

import json
import pickle
import re
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

import networkx as nx
import numpy as np
import pytest

import kt
from kt_models import KTError, MoveGraph, Problem, Weights, graph_of
from kt_models.files.graphs import read_graph
from kt_models.kernel.certificates import Statement
from kt_models.result import Result
from kt_models.result_rows import measure_rows
from kt_models.tour import tour_from_json, tour_to_json
from tests.command import kt as command
from tests.command import one_line_refusal
from tests.effort import part_of

TRIANGLE = [("a", "b"), ("b", "c"), ("c", "a")]


def sum_of(weights: Weights, chosen: set[int]) -> int:
    """What a set of edges weighs, row by row."""
    rows = zip(weights.first.tolist(), weights.second.tolist(), weights.weight.tolist(), strict=True)
    return sum(weight for e, f, weight in rows if {e, f} <= chosen)


def random_weights(random: Random, m: int) -> Weights:
    rows = random.randint(0, 12)
    pairs = [
        (random.randrange(m), random.randrange(m)) if random.random() < 0.6 else (e := random.randrange(m), e)
        for _ in range(rows)
    ]
    first, second = zip(*pairs, strict=True) if pairs else ((), ())
    return Weights(first, second, [random.randint(-9, 9) for _ in pairs])  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(part_of(60)))
def test_sums_and_multiples_weigh_what_their_parts_do(seed: int) -> None:
    random = Random(seed)
    m = random.randint(1, 8)
    first, second, times = random_weights(random, m), random_weights(random, m), random.randint(-4, 4)
    for _ in range(10):
        chosen = {e for e in range(m) if random.random() < 0.6}
        edges = sorted(chosen)
        a, b = sum_of(first, chosen), sum_of(second, chosen)
        assert (first.value(edges), second.value(edges)) == (a, b)
        assert (first + second).value(edges) == a + b
        assert (first - second).value(edges) == a - b
        assert (times * first).value(edges) == (first * times).value(edges) == times * a
        assert (-first).value(edges) == -a
    assert first + second == second + first and hash(first + second) == hash(second + first)
    assert first - first == Weights.of_edges([0] * m)
    assert first == pickle.loads(pickle.dumps(first))
    assert (first == second) == (first.canonical() == second.canonical())
    assert first != "turns"


@pytest.mark.parametrize("largest", [3, 2**31, 2**61, 2**62 + 2**61])
def test_tables_are_exact_where_their_sums_do_not_fit_into_64_bits(largest: int) -> None:
    """Against dictionaries of Python's integers: totals of repeated pairs, sums, differences, multiples, extremes."""
    random = Random(largest)

    def rows() -> list[tuple[int, int, int]]:
        return [
            (random.randrange(3), random.choice([0, 1, 2**31 - 1]), random.randint(-largest, largest)) for _ in range(6)
        ]

    def total(*parts: tuple[int, list[tuple[int, int, int]]]) -> list[tuple[int, int, int]] | None:
        sums: dict[tuple[int, int], int] = {}
        for times, part in parts:
            for e, f, weight in part:
                pair = (min(e, f), max(e, f))
                sums[pair] = sums.get(pair, 0) + times * weight
        fits = all(-(2**63) <= weight < 2**63 for weight in sums.values())
        return [(e, f, weight) for (e, f), weight in sorted(sums.items()) if weight] if fits else None

    def canonical(made: Any) -> list[tuple[int, int, int]] | None:
        try:
            return made().canonical()  # type: ignore[no-any-return]
        except KTError:
            return None

    for _ in range(part_of(300)):
        first, second, times = rows(), rows(), random.choice([-3, -1, 2, 7])
        a, b = (Weights(*zip(*part, strict=True)) for part in (first, second))  # type: ignore[arg-type]
        alone = total((1, first))
        if alone is not None:
            assert a.canonical() == alone and (a == Weights(*zip(*alone, strict=True))) is True  # type: ignore[arg-type]
        assert a.magnitude == sum(abs(weight) for *_, weight in first)
        assert a.least == sum(min(weight, 0) for *_, weight in first)
        assert canonical(lambda a=a, b=b: a + b) == total((1, first), (1, second))
        assert canonical(lambda a=a, b=b: a - b) == total((1, first), (-1, second))
        assert canonical(lambda a=a, times=times: times * a) == total((times, first))
        assert canonical(a.to_maximise) == total((-1, first))


@pytest.mark.parametrize("decimals", [0, 1, 22])
@pytest.mark.parametrize("weight", [0, 1, 2**62])
def test_sums_with_nothing_are_the_other_table(weight: int, decimals: int) -> None:
    some, nothing = Weights([0], [0], [weight], decimals=decimals), Weights([], [], [])  # type: ignore[arg-type]
    assert some + nothing == nothing + some == some - nothing == some
    assert -(nothing - some) == some and 3 * nothing == nothing == nothing.to_maximise().to_minimise()


def test_names_say_what_was_added() -> None:
    length, detour = Weights.of_edges([1, 2], "length"), Weights([0], [1], [1], "detour")
    assert (2 * length + detour).name == "2*length + detour"
    assert (3 * (length - detour)).name == "3*(length - detour)"
    assert repr(length + detour) == "Weights('length + detour', 2 edges, 1 pairs)"
    assert Weights.of_edges([1], "two\nlines").name == "two lines"


@pytest.mark.parametrize(
    ("first", "second", "weight"),
    [
        ([0], [1], [1.5]),
        ([0], [1], [True]),
        ([0], [1], [2**63]),
        ([0], [1], ["1"]),
        ([0], [1, 2], [1]),
        ([-1], [0], [1]),
        ([2**31], [0], [1]),
        ([0], [[1]], [1]),
        (0, 1, 2),
        ([0.5], [1], [1]),
        ([0], [1], [Fraction(1, 2)]),
    ],
    ids=str,
)
def test_a_table_holds_integers(first: object, second: object, weight: object) -> None:
    with pytest.raises(KTError):
        Weights(first, second, weight)  # type: ignore[arg-type]


def test_a_table_cannot_be_written_to() -> None:
    numbers = np.array([1, 2, 3])
    weights = Weights.of_edges(numbers)
    numbers[0] = 99
    assert weights.value([0]) == 1
    for array in (weights.first, weights.second, weights.weight):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 5


def test_overflow_is_refused_and_not_wrapped() -> None:
    heavy = Weights.of_edges([2**62])
    assert heavy.value([0]) == 2**62
    assert Weights([0, 0], [0, 0], [2**62, 2**62]).value([0]) == 2**63
    with pytest.raises(KTError):
        _ = heavy * 4
    with pytest.raises(KTError):
        _ = heavy + heavy
    with pytest.raises(KTError):
        _ = heavy * 1.5
    for wrong in (True, "2", None):
        with pytest.raises(TypeError):
            _ = heavy * wrong


# -- every form that people write -------------------------------------------------------------------------------------


def complete(n: int, random: Random) -> nx.Graph:
    graph = nx.complete_graph(n)
    for u, v in graph.edges:
        graph.edges[u, v]["weight"] = random.randint(-5, 20)
    return graph


def same_problem(*minimised: object) -> None:
    """All of these ask the same of a triangle."""
    problems = [kt.problem(TRIANGLE, minimize=quantity) for quantity in minimised]
    assert len({problem.digest for problem in problems}) == 1
    assert len({Statement(problem, "at-least", 1).text for problem in problems}) == 1


def test_all_forms_of_a_mapping_say_the_same() -> None:
    graph = kt.graph(TRIANGLE)
    rows = {graph.find_edge(f"{u}-{v}"): w for (u, v), w in zip(TRIANGLE, (3, 4, 5), strict=True)}
    same_problem(
        {("a", "b"): 3, ("b", "c"): 4, ("c", "a"): 5},
        {("b", "a"): 3, ("c", "b"): 4, ("a", "c"): 5.0},
        {"a-b": 3, "c-b": 4, "a-c": np.int64(5)},
        {"a-b": 3, ("a", "b"): 3, "b-c": 4, "c-a": 5},
        kt.edge_weights(TRIANGLE, {"a-b": 3, "b-c": 4, "c-a": 5}),
        kt.edge_weights(graph, lambda u, v: {"ab": 3, "bc": 4, "ac": 5}["".join(sorted(u + v))]),
        Weights.of_edges([rows[e] for e in range(3)], "another name"),
        Weights(list(rows), list(rows), list(rows.values())),  # type: ignore[arg-type]
    )


def test_a_graph_that_has_weights(tmp_path: Path) -> None:
    graph = nx.Graph()
    graph.add_weighted_edges_from([("a", "b", 3), ("b", "c", 4.0), ("c", "a", 5), ("c", "d", 1), ("d", "a", 2)])
    result = kt.solve(graph, minimize="weight")
    assert (result.status, result.value) == ("optimal", 3 + 4 + 1 + 2)
    assert result.tour is not None and result.tour.measure("weight") == 10
    assert kt.check(result).shown
    plain = kt.solve(graph)  # Nothing is to be least, and the weights are still there
    assert plain.value is None and plain.tour is not None and plain.tour.metrics == ("weight",)
    assert plain.tour.measure("weight") == 10
    path = tmp_path / "result.json"
    result.save(path)
    data = json.loads(path.read_text())
    assert (data["value"], data["weight"], data["objective"]) == (10, 10, "weight")
    again = kt.read(path)
    assert again == result.tour and again.measure("weight") == 10
    assert kt.check(path).shown == kt.check(result).shown
    data["weight"] = 9
    path.write_text(json.dumps(data))
    with pytest.raises(kt.InvalidTour, match="'weight' says 9, but it is 10"):
        kt.check(path)
    data["weight"], data["edge_weights"] = 10, data["edge_weights"][:-1]
    path.write_text(json.dumps(data))
    with pytest.raises(KTError, match="edge_weights"):
        kt.check(path)


def test_weights_of_files_of_edges(tmp_path: Path) -> None:
    path = tmp_path / "g.edges"
    path.write_text("10 20 3\n20 30 4\n30 10 5\n")
    graph = read_graph(path)
    assert graph.weights is not None and sorted(graph.weights.tolist()) == [3, 4, 5]
    solved = command("solve", path, "--minimize", "weight", "-o", tmp_path / "r.json")
    assert solved.exit_code == 0
    assert "weight" in solved.stdout and "12 (least, proved)" in solved.stdout
    assert command("check", tmp_path / "r.json").exit_code == 0
    measured = command("measure", tmp_path / "r.json", "--json")
    assert json.loads(measured.stdout)["weight"] == 12
    without = tmp_path / "h.edges"
    without.write_text("10 20\n20 30\n30 10\n")
    one_line_refusal(command("solve", without, "--minimize", "weight"), "weight", "h.edges")
    one_line_refusal(command("solve", "8x8", "--minimize", "weight"), "weight", "8x8")
    converted = tmp_path / "again.edges"
    assert command("convert", path, converted).exit_code == 0
    assert read_graph(converted).weights.tolist() == graph.weights.tolist()  # type: ignore[union-attr]
    as_json = tmp_path / "again.json"
    assert command("convert", path, as_json).exit_code == 0
    assert read_graph(as_json).weights.tolist() == graph.weights.tolist()  # type: ignore[union-attr]


def test_json_lists_weights_in_the_order_of_its_edges() -> None:
    graph = MoveGraph.from_json(
        {"board": "g", "vertices": 3, "edges": [[2, 1], [0, 2], [1, 0]], "edge_weights": [7, 8, 9]}
    )
    weights = {tuple(pair): w for pair, w in zip(graph.ends.tolist(), graph.weights.tolist(), strict=True)}  # type: ignore[union-attr]
    assert weights == {(1, 2): 7, (0, 2): 8, (0, 1): 9}
    assert MoveGraph.from_json(graph.to_json()).weights.tolist() == graph.weights.tolist()  # type: ignore[union-attr]
    for edges, weights_ in (([[0, 1], [1, 0]], [1, 2]), ([[0, 1]], ["1.5"]), ([[0, 1]], [1, 2]), ([[0, 1]], 3)):
        with pytest.raises(KTError):
            MoveGraph.from_json({"board": "g", "vertices": 2, "edges": edges, "edge_weights": weights_})


@pytest.mark.parametrize(
    "change",
    [{"weight": "1.5"}, {"weight": "heavy"}, {"weight": True}, {"weight": float("nan")}, {}, {"weight": 10**16}],
    ids=str,
)
def test_weights_that_are_no_numbers_are_refused_only_where_they_are_asked_for(change: dict[str, object]) -> None:
    graph = complete(4, Random(1))
    graph.edges[0, 1].clear()
    graph.edges[0, 1].update(change)
    result = kt.solve(graph)
    assert result.status == "feasible" and result.tour is not None and result.tour.metrics == ()
    with pytest.raises(KTError, match="0-1"):
        kt.solve(graph, minimize="weight")
    with pytest.raises(KTError, match="0-1"):
        result.tour.measure("weight")


def test_two_weights_of_parallel_edges_are_refused() -> None:
    graph = nx.MultiGraph()
    graph.add_weighted_edges_from([(0, 1, 3), (0, 1, 4), (1, 2, 1), (2, 0, 1)])
    with pytest.raises(KTError, match="two weights, 3 and 4"):
        kt.solve(graph, minimize="weight")
    graph.edges[0, 1, 1]["weight"] = 3
    assert kt.solve(graph, minimize="weight").value == 5


@pytest.mark.parametrize(
    ("minimize", "words"),
    [
        ({"turns": 1}, "edge"),
        ({("a", "z"): 1}, "z"),
        ({"a-b": Fraction(1, 3)}, "decimal"),
        ({"a-b": 10**16}, "at most"),
        ({("a", "b"): 1, ("b", "a"): 2}, "two weights"),
        ({3: 1}, "3"),
        ([1, 2, 3], "objective"),
        (7, "objective"),
        (True, "objective"),
        ("lenght", "weight|crossings"),
        (Weights.of_edges([1, 1, 1, 1]), "3 edges"),
        (Weights([0], [3], [1]), "3 edges"),
    ],
    ids=str,
)
def test_wrong_objectives_are_refused_in_one_line(minimize: object, words: str) -> None:
    with pytest.raises(KTError, match=words) as refusal:
        kt.solve(TRIANGLE, minimize=minimize)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("weights", [3, "turns", [1, 2], lambda u: 1, lambda u, v: "0.5"])
def test_wrong_weights_of_edges_are_refused(weights: object) -> None:
    with pytest.raises(KTError):
        kt.edge_weights(TRIANGLE, weights)  # type: ignore[arg-type]


def test_pairs_of_moves_by_name() -> None:
    board = "6x6"
    assert kt.pair_weights(board, "turns") == kt.pair_weights(graph_of(board), "turns")
    weights = kt.pair_weights(board, {("a1-b3", ((0, 0), (2, 1))): 5, ("b3-a1", "b3-d4"): -2})
    graph = graph_of(board)
    a1b3, a1c2, b3d4 = (graph.find_edge(text) for text in ("a1-b3", "a1-c2", "b3-d4"))
    assert weights.value([a1b3, a1c2]) == 5 and weights.value([a1b3, b3d4]) == -2 and weights.value([a1b3]) == 0
    for wrong in ({"a1-b3": 1}, {("a1-b3", "a1-a2"): 1}, {("a1-b3", "a1-c2"): "0.5"}, 7, "lenght"):
        with pytest.raises(KTError):
            kt.pair_weights(board, wrong)  # type: ignore[arg-type]


def test_parallel_moves_of_a_torus_each_weigh() -> None:
    graph = graph_of("torus:2x3")
    u, v = next((u, v) for u, v in graph.ends.tolist() if len(graph.edges_between(u, v)) > 1)
    weights = kt.edge_weights(graph, {(graph.name_of(u), graph.name_of(v)): 4})
    assert [row[:2] for row in weights.canonical()] == [(e, e) for e in sorted(graph.edges_between(u, v))]


# -- what is said -----------------------------------------------------------------------------------------------------


def test_weights_called_turns_are_not_taken_for_turns() -> None:
    graph = graph_of("5x6")
    weights = Weights.of_edges([1] * graph.m, "turns")
    problem = Problem(graph, "cycle", weights)
    assert problem.objective_name == "weight"
    tour = kt.solve("5x6").tour
    assert tour is not None
    rows = dict(measure_rows(Result(problem, "optimal", tour, bound=30)))
    assert rows == {
        "turns": str(tour.measure("turns")),
        "crossings": str(tour.measure("crossings")),
        "weight": "30 (least, proved)",
    }
    assert "turns" not in Statement(problem, "at-least", 30).text


def test_statements_of_different_weights_have_different_digests() -> None:
    graph = kt.graph(TRIANGLE)
    lengths = kt.edge_weights(graph, {"a-b": 3, "b-c": 4})
    both = lengths + kt.pair_weights(graph, {("a-b", "b-c"): 2})
    tables = [lengths, both, both - lengths, lengths - lengths, 0.1 * lengths]
    problems = [Problem(graph, "cycle", weights) for weights in tables]
    texts = [Statement(problem, "at-least", 1).text for problem in problems]
    assert len(set(texts)) == len({problem.digest for problem in problems}) == len(texts)
    form = (
        r"a weight of at least (1|0\.1) in every Hamiltonian cycle of the graph \(3 vertices, 3 edges, SHA-256 \w{32}\)"
    )
    assert all(re.fullmatch(form, text) for text in texts)
    # Weights of a board belong to the claim as well
    board = kt.graph("5x6")
    says = Statement(Problem(board, "cycle", kt.pair_weights(board, {("a1-b3", "b3-c5"): 2})), "optimum", 0).text
    assert re.fullmatch(r"0 is the least weight of any closed knight's tour of 5x6 \(weights of SHA-256 \w{32}\)", says)


def test_equal_tours_of_equal_graphs_may_weigh_differently() -> None:
    """Weights are no part of a graph, as its labels are not."""
    light, heavy = (complete(5, Random(seed)) for seed in (1, 2))
    light_tour, heavy_tour = (kt.read([0, 1, 2, 3, 4], graph) for graph in (light, heavy))
    assert light_tour == heavy_tour and light_tour.graph == heavy_tour.graph
    assert light_tour.measure("weight") != heavy_tour.measure("weight")
    back = tour_from_json(json.loads(json.dumps(tour_to_json(light_tour))))
    assert back.measure("weight") == light_tour.measure("weight")


def test_networkx_and_back() -> None:
    graph = complete(5, Random(4))
    back = kt.graph(graph).to_networkx()
    assert {frozenset(e): d["weight"] for *e, d in back.edges(data=True)} == {
        frozenset(e): d["weight"] for *e, d in graph.edges(data=True)
    }


# -- directed graphs --------------------------------------------------------------------------------------------------


def tournament(n: int, seed: int) -> nx.DiGraph:
    random = Random(seed)
    graph = nx.DiGraph()
    graph.add_nodes_from(random.sample("abcdefgh", n))
    for u, v in permutations(list(graph.nodes), 2):
        if random.random() < 0.8:
            graph.add_edge(u, v, weight=random.randint(-4, 12))
    return graph


def orders_of(graph: nx.DiGraph, closed: bool) -> list[int]:
    """What each cycle or path weighs, by the attributes alone."""
    found = []
    for order in permutations(graph.nodes):
        if closed and order[0] != next(iter(graph.nodes)):
            continue
        steps = list(zip(order, order[1:] + order[: int(closed)], strict=False))
        if all(graph.has_edge(*step) for step in steps):
            found.append(sum(graph.edges[step]["weight"] for step in steps))
    return found


@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize("seed", range(part_of(24)))
def test_weights_of_arcs(seed: int, closed: bool, tmp_path: Path) -> None:
    graph = tournament(5, seed)
    values = orders_of(graph, closed)
    result = kt.solve(graph, minimize="weight", open=not closed)
    if not values:
        assert result.status == "infeasible"
        return
    assert (result.status, result.value) == ("optimal", min(values))
    assert result.tour is not None and result.tour.measure("weight") == min(values)
    length = {(u, v): weight for u, v, weight in graph.edges(data="weight")}
    assert kt.problem(graph, minimize=length, open=not closed) == result.problem
    assert kt.problem(graph, minimize=kt.edge_weights(graph), open=not closed) == result.problem
    assert (
        kt.problem(graph, minimize=kt.edge_weights(graph, lambda u, v: length[u, v]), open=not closed) == result.problem
    )
    path = tmp_path / "r.json"
    result.save(path)
    assert kt.check(path).shown == kt.check(result).shown
    assert kt.read(path).measure("weight") == min(values)
    back = kt.graph(graph).to_networkx()
    assert {(u, v): w for u, v, w in back.edges(data="weight")} == length


def test_weights_of_arcs_that_are_not_integers() -> None:
    graph = nx.DiGraph([("a", "b"), ("b", "c"), ("c", "a")])
    graph.edges["a", "b"]["weight"] = 0.5
    assert kt.solve(graph).status == "feasible"
    with pytest.raises(KTError, match="b->c"):
        kt.solve(graph, minimize="weight")
    with pytest.raises(KTError, match="numbered for a"):
        Problem(kt.graph(graph), "path", Weights.of_edges([1] * 9))


@pytest.mark.parametrize(
    ("make", "board"),
    [
        (lambda: kt.pair_weights("5x6", "turns", leaper="0,1"), "5x6"),
        (lambda: kt.pair_weights("5x6", "turns"), "6x6"),
        (lambda: kt.edge_weights("5x6", {"a1-b3": 3}), "8x8"),
        (lambda: kt.edge_weights(nx.Graph([("a", "b"), ("b", "c"), ("c", "a")]), {("a", "b"): 3}), nx.cycle_graph(3)),
        (lambda: kt.edge_weights(nx.DiGraph([(0, 1), (1, 0)]), {(0, 1): 3}), nx.DiGraph([(0, 1), (1, 2), (2, 0)])),
        (lambda: 2 * kt.pair_weights("5x6", "turns") + kt.edge_weights("5x6", {"a1-b3": 1}), "6x6"),
    ],
)
def test_weights_of_one_graph_are_not_taken_for_those_of_another(make: Any, board: Any) -> None:
    with pytest.raises(kt.KTError, match=r"they are of .*, and not of"):
        kt.problem(board, minimize=make())


def test_weights_of_two_graphs_have_no_sum() -> None:
    with pytest.raises(kt.KTError, match="no sum"):
        kt.pair_weights("5x6", "turns") + kt.pair_weights("6x6", "turns")
    assert kt.solve("5x6", minimize=2 * kt.pair_weights("5x6", "turns")).value == 56
