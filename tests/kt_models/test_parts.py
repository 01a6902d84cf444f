"""The method `parts` against brute force: it refutes nothing that has a tour, whatever its steps say."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Any

import networkx as nx
import numpy as np
import pytest

from benchmarks.peers.graphs import behind_a_cut, dot_product, flower_snark, meredith, necklace, petersen, tutte
from kt_models import MoveGraph, Problem, graph_of
from kt_models.errors import CertificateError, KTError, TooLarge
from kt_models.kernel.certificates import Certificate, Statement, elimination
from kt_models.kernel.certificates.elimination import FULL, MAX_COLUMNS
from kt_models.kernel.certificates.obstructions import plain_graph
from kt_models.kernel.certificates.parts import refute
from kt_models.limits import Limits, Stopped
from tests.brute import cycles, paths
from tests.effort import part_of

Steps = list[dict[str, list[int]]]


def graph_from(pairs: list[tuple[int, int]]) -> MoveGraph:
    return MoveGraph.from_edges(1 + max(map(max, pairs)), pairs)


def reason(problem: Problem, steps: Steps) -> str | None:
    """What the checker says; None if the steps show nothing."""
    try:
        return refute(problem, {"steps": steps})
    except CertificateError:
        return None


def has_tour(problem: Problem) -> bool:
    """By brute force."""
    graph = problem.graph
    number = {frozenset(ends): edge for edge, ends in enumerate(graph.ends.tolist())}
    for order in cycles(graph) if problem.closed else paths(graph):
        around = [*order, order[0]] if problem.closed else order
        edges = {number[frozenset(step)] for step in pairwise(around)}
        at_ends = set(problem.terminals) <= {order[0], order[-1]}
        if problem.required <= edges and not problem.forbidden & edges and at_ends:
            return True
    return False


def random_problem(rng: Random) -> Problem:
    """A small graph, with conditions."""
    n = rng.randint(3, 8)
    density = rng.uniform(0.3, 0.8)
    pairs = [(u, v) for u in range(n) for v in range(u) if rng.random() < density]
    graph = MoveGraph.from_edges(n, pairs)
    edges = rng.sample(range(graph.m), min(graph.m, rng.choice((0, 0, 1, 3))))
    required, forbidden = frozenset(edges[:2]), frozenset(edges[2:])
    if rng.random() < 0.6:
        return Problem(graph, required=required, forbidden=forbidden)
    terminals = tuple(rng.sample(range(n), rng.randint(0, 2)))
    return Problem(graph, "path", None, terminals, required, forbidden)


def random_steps(rng: Random, size: int) -> Steps:
    """Steps of any vertices, those that steps make among them."""
    counts = range(rng.choice((1, 1, 2, 3)))
    return [
        {rng.choice(("take", "take", "keep")): rng.sample(range(size + i), rng.randint(1, size + i))} for i in counts
    ]


def test_all_vertices_in_any_order_decide() -> None:
    rng = Random(1)
    answers = []
    for _ in range(part_of(500)):
        problem = random_problem(rng)
        size, _ = plain_graph(problem)
        order = rng.sample(range(size), size)
        answers.append(has_tour(problem))
        assert (reason(problem, [{"take": order}]) is None) == answers[-1]
    assert 0.1 < sum(answers) / len(answers) < 0.9


def test_distinct_rows_are_those_of_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    """In tables of few rows and of many, with few columns and with many."""
    rng = Random(4)
    for most in (0, 10, 1000):
        monkeypatch.setattr(elimination, "MAX_FEW_ROWS", most)
        for _ in range(part_of(300)):
            columns, rows = rng.choice((1, 2, 3, 14, 15, 16, 40)), rng.randint(1, 40)
            entries = [FULL, *range(min(columns, rng.randint(1, 4)))]
            table = np.array([rng.choices(entries, k=columns) for _ in range(rows)], dtype=np.uint8)
            found = elimination._distinct(table, 1 << 30)
            assert found.dtype == np.uint8 and found.flags.writeable
            assert found.tolist() == np.unique(table, axis=0).tolist()


def test_steps_refute_nothing_that_has_a_tour() -> None:
    rng = Random(2)
    tried = 0
    while tried < part_of(300):
        problem = random_problem(rng)
        if has_tour(problem):
            tried += 1
            size, _ = plain_graph(problem)
            steps = random_steps(rng, size)
            whole = rng.sample(range(size + len(steps)), size + len(steps))
            assert reason(problem, [*steps, {"take": whole}]) is None, (problem.to_json(), steps, whole)


def glued(rng: Random) -> tuple[nx.Graph, list[list[int]]]:
    """Two or three pieces joined by a few edges, which are mostly cuts of two to six edges; and the pieces."""
    whole, pieces = nx.Graph(), []
    for _ in range(rng.choice((2, 2, 3))):
        size = rng.randint(2, 5)
        kind = rng.random()
        if kind < 0.2 and not pieces:
            piece = nx.petersen_graph()
            piece.remove_node(0)
        elif kind < 0.6:
            piece = nx.complete_bipartite_graph(size // 2 + rng.randint(0, 1), size // 2 + 1)
        else:
            piece = nx.gnp_random_graph(size, 0.8, seed=rng.randrange(1000))
        first = whole.number_of_nodes()
        whole = nx.disjoint_union(whole, piece)
        pieces.append(list(range(first, whole.number_of_nodes())))
    for current, following in zip(pieces, pieces[1:] + pieces[:1], strict=True):
        for _ in range(rng.choice((1, 1, 2, 2, 3))):
            whole.add_edge(rng.choice(current), rng.choice(following))
    whole.remove_edges_from(list(nx.selfloop_edges(whole)))
    return whole, pieces


def test_parts_behind_small_cuts() -> None:
    """Pieces that are taken or kept, with vertices that earlier steps made, refute nothing that has a cycle."""
    rng = Random(3)
    answers, proved = [], 0
    while len(answers) < part_of(500):
        whole, pieces = glued(rng)
        n = whole.number_of_nodes()
        graph = MoveGraph.from_edges(n, list(whole.edges))
        if n > 13 or graph.degrees.min() < 2:
            continue
        steps: Steps = []
        for piece in pieces:
            made = [n + i for i in range(len(steps)) if rng.random() < 0.3]
            listed = rng.sample(piece, len(piece) - (rng.random() < 0.2 and len(piece) > 1)) + made
            others = [v for v in range(n + len(steps)) if v not in listed]
            step = rng.choice(({"take": listed}, {"take": listed}, {"keep": listed}, {"keep": others}))
            steps.append(step)
        answers.append(bool(cycles(graph)))
        why = reason(Problem(graph), steps)
        proved += why is not None
        whole_order = rng.sample(range(n + len(steps)), n + len(steps))
        if answers[-1]:
            assert why is None
            assert reason(Problem(graph), [*steps, {"take": whole_order}]) is None
    assert 0.2 < sum(answers) / len(answers) < 0.9
    assert proved


def test_few_vertices_outside_close_no_cycle() -> None:
    """A cycle all of whose edges meet a part: what lies outside is joined to it alone."""
    for parts in (range(5), range(1, 5), (0, 2, 4)):
        for graph in (nx.complete_graph(6), nx.complete_bipartite_graph(3, 3), nx.wheel_graph(6)):
            problem = Problem(MoveGraph.from_edges(6, list(graph.edges)))
            assert reason(problem, [{"take": list(parts)}]) is None


def test_nine_vertices_behind_three_edges() -> None:
    """What is outside plays no part, and is not named."""
    pairs = behind_a_cut(60)
    problem = Problem(graph_from(pairs))
    assert reason(problem, [{"take": list(range(9))}]) == (
        "9 vertices (0, 1, 2, 3, 4, 5, 6, 7, ...), behind 3 edges, cannot be passed by a Hamiltonian cycle as a whole"
    )
    assert reason(problem, [{"take": list(range(8))}]) is None
    assert reason(problem, [{"keep": list(range(9))}]) is None
    assert reason(problem, [{"keep": list(range(9))}, {"take": list(range(len(pairs) // 2))}]) is not None


def test_fragments_force_three_edges_at_a_vertex() -> None:
    """Tutte's argument: each fragment uses its corner, so that vertex 45 would have three edges; two are not enough."""
    problem = Problem(graph_from(tutte()))
    fragments: Steps = [{"take": list(range(15 * i, 15 * i + 15))} for i in range(3)]
    assert reason(problem, fragments) is not None
    assert reason(problem, fragments[:2]) is None


def test_four_edges_around_a_vertex() -> None:
    """Each seven vertices of Meredith's graph can be passed once, so that Petersen's graph is left."""
    sevens: Steps = [{"take": list(range(7 * v, 7 * v + 7))} for v in range(10)]
    problem = Problem(graph_from(meredith()))
    assert reason(problem, sevens) is None
    assert reason(problem, [*sevens, {"take": list(range(70, 80))}]) is not None


def test_four_edges_that_become_two() -> None:
    """The second factor of a dot product with Petersen's graph becomes the two edges that were taken out."""
    rng = Random(4)
    answers = []
    for seed in range(60):
        n = rng.choice((6, 8, 10))
        first = list(nx.random_regular_graph(3, n, seed=seed).edges)[rng.randint(0, 2) :]
        product = Problem(graph_from(dot_product(first, petersen(5), rng)))
        answers.append(bool(cycles(graph_from(first))))
        eight: Steps = [{"take": list(range(n, n + 8))}]
        why = reason(product, [*eight, {"take": list(range(n))}])
        assert (why is None) == answers[-1]
        assert why is None or not cycles(product.graph)
    assert 0 < sum(answers) < 60


def test_two_edges_or_four_are_crossed_as_often_as_they_have_to_be() -> None:
    """What is kept or becomes less of a graph with a cycle has one."""
    ring = Problem(graph_from(necklace(3, petersen(3))))
    for first in (0, 6, 12):
        assert reason(ring, [{"keep": list(range(first, first + 6))}, {"take": list(range(19))}]) is None
    inner = [(4 * i + a, 4 * i + b) for i in range(4) for b in range(4) for a in range(b)]
    four = Problem(graph_from([*inner, (0, 8), (1, 12), (4, 9), (5, 13)]))  # A cycle crosses all four edges
    for kind in ("take", "keep"):
        assert reason(four, [{kind: list(range(8))}, {"take": list(range(17))}]) is None
    closed = {0: 8, 1: 8}  # Two adjacent vertices of Petersen's graph are one
    pairs = [(closed.get(u, u - 2), closed.get(v, v - 2)) for u, v in petersen(5) if {u, v} != {0, 1}]
    assert reason(Problem(graph_from(pairs)), [{"take": list(range(8))}, {"take": list(range(10))}]) is None


@pytest.mark.parametrize("pairs", [petersen(5), petersen(11), flower_snark(5), meredith()])
def test_graphs_without_a_cycle_are_refuted(pairs: list[tuple[int, int]]) -> None:
    graph = graph_from(pairs)
    assert reason(Problem(graph), [{"take": list(range(graph.n))}]) is not None
    more = Problem(graph, "path")  # Petersen's graph has an open tour
    if graph.n == 10:
        assert reason(more, [{"take": list(range(11))}]) is None


def test_boards_without_a_tour_are_refuted_and_no_others() -> None:
    """4x5 has no closed tour, and open ones; 3x4 has open ones, none from b1."""
    problem = Problem(graph_of("4x5"))
    assert reason(problem, [{"take": list(range(20))}]) is not None
    assert reason(Problem(graph_of("4x5"), "path"), [{"take": list(range(21))}]) is None
    for cell in range(12):
        problem = Problem(graph_of("3x4"), "path", terminals=(cell,))
        size, _ = plain_graph(problem)
        assert (reason(problem, [{"take": list(range(size))}]) is None) == has_tour(problem)


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"steps": None},
        {"steps": {}},
        {"steps": [[0, 1]]},
        {"steps": [{}]},
        {"steps": [{"take": [0], "keep": [1]}]},
        {"steps": [{"drop": [0]}]},
        {"steps": [{"take": [0, 0]}]},
        {"steps": [{"take": [-1]}]},
        {"steps": [{"take": [46]}]},
        {"steps": [{"take": [46.0]}]},
        {"steps": [{"take": [True]}]},
        {"steps": [], "more": 1},
        {"steps": [{"keep": [0]}]},
        {"steps": [{"take": []}, {"keep": []}, {"take": [0]}]},
    ],
)
def test_malformed_data_are_refused(data: dict[str, Any]) -> None:
    with pytest.raises(CertificateError):
        refute(Problem(graph_from(tutte())), data)


def test_other_questions_are_refused() -> None:
    graph = graph_from(tutte())
    for problem in (Problem(graph, "any"), Problem(graph, "linkage", terminals=(0, 1)), Problem(graph_of("1x2"))):
        with pytest.raises(KTError):
            refute(problem, {"steps": []})


def test_steps_for_another_graph_show_nothing() -> None:
    """The right steps for another graph, or less of them, show nothing."""
    graph = graph_from(tutte())
    steps = [{"take": list(range(15 * i, 15 * i + 15))} for i in range(3)]
    certificate = Certificate("parts", Statement(Problem(graph), "infeasible"), {"steps": steps})
    assert Certificate.from_json(certificate.to_json()).check()
    easier = graph_from([*tutte(), (3, 20)])
    assert has_cycle(easier)
    for fault in (
        Certificate("parts", Statement(Problem(easier), "infeasible"), {"steps": steps}),
        Certificate("parts", Statement(Problem(graph), "infeasible"), {"steps": steps[1:]}),
    ):
        with pytest.raises(CertificateError):
            fault.check()


def has_cycle(graph: MoveGraph) -> bool:
    """Whether a graph has a Hamiltonian cycle, by CP-SAT, whose cycle is verified."""
    from encoders.solve import solve

    return solve(Problem(graph), engine="cpsat").status == "feasible"


@pytest.mark.slow
def test_limits_of_memory_are_kept() -> None:
    complete = Problem(MoveGraph.from_edges(40, [(u, v) for u in range(40) for v in range(u)]))
    with pytest.raises(TooLarge):
        refute(complete, {"steps": [{"take": list(range(40))}]}, Limits(memory=1 << 20))
    wide = Problem(MoveGraph.from_edges(400, [(u, v) for u in range(400) for v in range(u)]))
    with pytest.raises(TooLarge, match=str(MAX_COLUMNS)):
        refute(wide, {"steps": [{"take": list(range(400))}]})
    with pytest.raises(Stopped):
        refute(complete, {"steps": [{"take": list(range(40))}]}, Limits().until(lambda: True))
