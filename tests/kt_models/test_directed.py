"""Directed graphs: the split graph against brute force, names, files, values, and what is refused."""

from __future__ import annotations

import pickle
import random
import re
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

from kt_models import InvalidTour, KTError, MoveGraph, Problem, Result, Tour, read_graph, verify
from kt_models.directed import DirectedGraph, SplitGraph
from kt_models.errors import CertificateError
from kt_models.files.check import check_result
from kt_models.files.edge_lists import graph_to_edge_list
from kt_models.files.given import tour_given
from kt_models.files.graph_forms.dimacs import graph_to_dimacs
from kt_models.files.graph_forms.table import parse_graph
from kt_models.files.graph_forms.tsplib import graph_to_hcp
from kt_models.files.problems import problem_from
from kt_models.files.tours import parse_tour, tour_to_tsplib
from kt_models.kernel.certificates import Certificate, Statement
from kt_models.problem import solution_edges
from kt_models.tour import tour_from_json, tour_to_json
from tests.brute_directed import Arc, all_digraphs, up_to_isomorphism, walks
from tests.effort import part_of

TRIANGLE = [(0, 1), (1, 2), (2, 0), (1, 0)]


def numbered(n: int, arcs: list[Arc], name: str = "graph") -> DirectedGraph:
    """A directed graph whose vertices are called 1, 2, ..., as those of a TSPLIB file."""
    return DirectedGraph.from_arcs(n, arcs, name, range(1, n + 1))


def undirected_walks(graph: SplitGraph, required: frozenset[int]) -> set[frozenset[int]]:
    """The Hamiltonian cycles of a split graph, or its paths from start to end, as sets of edges, by depth-first search.

    It reads nothing of the split graph but its edges.
    """
    near: dict[int, list[tuple[int, int]]] = {v: [] for v in range(graph.n)}
    for edge, (u, v) in enumerate(graph.ends.tolist()):
        near[u].append((v, edge))
        near[v].append((u, edge))
    found = set()

    def extend(vertex: int, visited: frozenset[int], edges: frozenset[int]) -> None:
        for other, edge in near[vertex]:
            if len(visited) == graph.n and other == 0 and edge not in edges and not graph.is_open:
                found.add(edges | {edge})
            if other not in visited and (len(visited) == graph.n - 1) >= (
                graph.is_open and other == graph.terminals[1]
            ):
                extend(other, visited | {other}, edges | {edge})
        if graph.is_open and len(visited) == graph.n and vertex == graph.terminals[1]:
            found.add(edges)

    first = graph.terminals[0] if graph.is_open else 0
    extend(first, frozenset([first]), frozenset())
    return {edges for edges in found if required <= edges}


@pytest.mark.parametrize("closed", [True, False], ids=["cycles", "paths"])
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_the_split_graph_has_each_directed_cycle_and_path_once(n: int, closed: bool) -> None:
    """The whole of the argument: no walk is lost, none is new, and each stands for one."""
    for arcs in all_digraphs(n) if n < 4 else up_to_isomorphism(n):
        graph = DirectedGraph.from_arcs(n, sorted(arcs)).split(open=not closed)
        expected = walks(n, arcs, closed)
        split = {frozenset(Tour.of(graph, walk, closed).edges.tolist()) for walk in expected}
        assert len(split) == len(expected)
        assert undirected_walks(graph, frozenset()) == split


def test_given_ends_are_required_edges() -> None:
    for arcs in random.Random(1).sample(all_digraphs(4), 40):
        for start in (None, 0, 2):
            for end in (None, 3):
                graph = DirectedGraph.from_arcs(4, sorted(arcs)).split(open=True)
                required = graph.edges_at_ends(start, end)
                assert graph.ends_of(required) == (start, end)
                assert len(undirected_walks(graph, required)) == len(walks(4, arcs, False, start, end))


def test_arcs_are_the_last_edges_in_order() -> None:
    directed = numbered(4, [(3, 0), (0, 1), (0, 1), (2, 2), (1, 0), (1, 3)])
    assert directed.arcs.tolist() == [[0, 1], [1, 0], [1, 3], [3, 0]]
    for is_open in (False, True):
        graph = directed.split(open=is_open)
        assert graph.ends.tolist() == sorted(map(sorted, graph.ends.tolist()))
        assert (graph.n, graph.m) == ((14, 20) if is_open else (12, 12))
        names = [graph.edge_name(e) for e in range(graph.m)]
        assert names[graph.first_arc :] == ["1->2", "2->1", "2->4", "4->1"]
        assert names[:3] == ["out(1)", "in(1)", "out(2)"]
        assert len(set(names)) == graph.m
        parts = [graph.vertex_of(v) for v in range(graph.n)]
        assert [parts.count(v) for v in range(4)] == [3] * 4 and parts.count(None) == 2 * is_open
        named = {"1", "2", "3", "4"} | ({"the first vertex", "the last vertex"} if is_open else set())
        assert {graph.name_of(v) for v in range(graph.n)} == named
        for (u, v), name in zip(graph.ends.tolist(), names, strict=True):
            if name.startswith(("in", "out", "start", "end")):
                assert name[:-1].split("(")[1] == graph.name_of(u if name.startswith(("in", "out")) else v)
        assert [graph.find_edge(text) for text in ("1->2", "1-2", "2 -> 1", "4-1")] == [
            graph.first_arc + arc for arc in (0, 0, 1, 3)
        ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1-3", "1->3 is not an arc of graph: 1 leads to 2"),
        ("4->2", "4->2 is not an arc of graph: 4 leads to 1"),
        ("1-5", "numbered from 1 to 4"),
        ("1", "an edge is written"),
    ],
)
def test_an_arc_that_is_not_there_is_refused(text: str, words: str) -> None:
    graph = numbered(4, [(3, 0), (0, 1), (1, 0), (1, 3)]).split()
    with pytest.raises(KTError, match=words):
        graph.find_edge(text)


def tour_of(vertices: list[int], closed: bool = True, arcs: list[Arc] | None = None) -> Tour:
    graph = numbered(3, TRIANGLE if arcs is None else arcs).split()
    return Tour.of(graph, vertices, closed)


@pytest.mark.parametrize(
    ("vertices", "closed", "words"),
    [
        ([0, 2, 1], True, "step 1: 1->3 is not an arc"),
        ([0, 1], True, "3 is not visited: the cycle has 2 of 3 vertices"),
        ([0, 1, 1], True, "2 is visited twice, at positions 2 and 3"),
        ([0, 1, 2, 0], True, "1 is visited twice, at positions 1 and 4"),
        ([2, 1, 0], False, "step 1: 3->2 is not an arc"),
    ],
)
def test_a_wrong_walk_is_refused_in_words_of_the_directed_graph(vertices: list[int], closed: bool, words: str) -> None:
    with pytest.raises(InvalidTour, match=words):
        verify(tour_of(vertices, closed))


def test_a_cycle_that_does_not_close_and_one_of_one_vertex() -> None:
    with pytest.raises(InvalidTour, match=r"does not close: 3->1 is not an arc"):
        verify(tour_of([0, 1, 2], arcs=[(0, 1), (1, 2)]))
    with pytest.raises(InvalidTour, match="does not close"):
        verify(Tour.of(DirectedGraph.from_arcs(1, []).split(), [0], True))
    verify(Tour.of(DirectedGraph.from_arcs(1, []).split(), [0], False))
    verify(Tour.of(DirectedGraph.from_arcs(2, [(0, 1), (1, 0)]).split(), [1, 0], True))
    with pytest.raises(InvalidTour, match="position 3 is not a vertex"):
        tour_of([0, 1, 3])


def test_forged_orders_of_the_split_graph_are_refused() -> None:
    """The vertices of an order may look right where the walk between them is not one."""
    graph = DirectedGraph.from_arcs(3, TRIANGLE).split()
    good = Tour.of(graph, [0, 1, 2], True)
    assert good.vertices.tolist() == [0, 1, 2]
    for seed in range(200):
        order = good.order.copy()
        rng = np.random.default_rng(seed)
        i, j = rng.choice(len(order), 2, replace=False)
        order[[i, j]] = order[[j, i]] if seed % 2 else order[i]
        with pytest.raises(InvalidTour):
            verify(Tour(graph, order, True))


def test_tours_are_values_and_have_one_direction() -> None:
    arcs = [*TRIANGLE, (2, 1), (0, 2)]
    graph = DirectedGraph.from_arcs(3, arcs).split()
    tours = {tuple(v): Tour.of(graph, v, True) for v in ([0, 1, 2], [1, 2, 0], [0, 2, 1], [2, 1, 0])}
    assert tours[0, 1, 2] == tours[1, 2, 0] and tours[0, 2, 1] == tours[2, 1, 0]
    assert tours[0, 1, 2] != tours[0, 2, 1] and len(set(tours.values())) == 2
    tour = tours[1, 2, 0]
    assert list(tour) == [1, 2, 0] and tour[0] == 1 and tour[1:] == [2, 0] and len(tour) == 3
    assert tour.moves == [(1, 2), (2, 0), (0, 1)]
    assert pickle.loads(pickle.dumps(tour)) == tour
    assert tour.canonical() == tour and tour.normalised() == tour
    with pytest.raises(KTError, match="reversals"):
        tour.reversed()
    backwards = Tour(tour.graph, tour.order[::-1], True)  # The same moves of the split graph
    assert backwards == tour and sorted(backwards.moves) == sorted(tour.moves)
    plain = Tour(MoveGraph.from_edges(3, arcs), np.array([0, 1, 2]), True)
    assert plain != tour and plain.graph != tour.graph and tour.graph != plain.graph


def test_problems_differ_from_those_of_the_undirected_graph_and_survive_json() -> None:
    directed = DirectedGraph.from_arcs(3, TRIANGLE)
    undirected = MoveGraph.from_edges(3, TRIANGLE)
    split = directed.split()
    imitation = MoveGraph.from_edges(split.n, split.ends)
    problems = [
        problem_from(undirected),
        problem_from(imitation),
        problem_from(split),
        problem_from(split, open=True),
        problem_from(split, open=True, start=1),
        problem_from(split, open=True, end=1),
        problem_from(split, open=True, start=1, end=0),
        problem_from(split, require="0-1"),
        problem_from(split, require="1->0"),
        problem_from(split, forbid=[(1, 0)]),
        problem_from(split, open=True, start=0, require=[(0, 1)], forbid=["1-0"]),
        problem_from(DirectedGraph.from_arcs(3, [(v, u) for u, v in TRIANGLE]).split()),
    ]
    assert len({p.digest for p in problems}) == len(problems)
    for problem in problems:
        again = Problem.from_json(problem.to_json())
        assert again == problem and again.graph == problem.graph and again.required == problem.required
    data = problems[-2].to_json()
    assert {key: data[key] for key in ("vertices", "arcs", "connectivity", "start", "required", "forbidden")} == {
        "vertices": 3,
        "arcs": [[0, 1], [1, 0], [1, 2], [2, 0]],
        "connectivity": "path",
        "start": 0,
        "required": [0],
        "forbidden": [1],
    }


@pytest.mark.parametrize("seed", range(part_of(30)))
def test_any_condition_on_the_split_graph_survives_json(seed: int) -> None:
    """Cubes of a run require and forbid edges that are no arcs."""
    rng = np.random.default_rng(seed)
    graph = DirectedGraph.from_arcs(4, rng.integers(0, 4, (8, 2))).split(open=bool(seed % 2))
    sets = [frozenset(np.flatnonzero(rng.random(graph.m) < 0.2).tolist()) for _ in range(2)]
    problem = Problem(graph, "path" if seed % 2 else "cycle", required=sets[0], forbidden=sets[1])
    again = Problem.from_json(problem.to_json())
    assert (again.required, again.forbidden, again) == (*sets, problem)


def test_statements_say_that_the_graph_is_directed() -> None:
    graph = nx.DiGraph([("a", "b"), ("b", "a")])
    texts = [
        Statement(problem_from(graph, **asked), "infeasible").text
        for asked in ({}, {"open": True}, {"open": True, "end": "a"}, {"open": True, "start": "a", "end": "b"})
    ]
    digest = texts[0].rpartition(" ")[2].rstrip(")")
    place = f"of the directed graph (2 vertices, 2 arcs, SHA-256 {digest})"
    assert re.fullmatch("[0-9a-f]{32}", digest)
    assert texts == [
        f"there is no Hamiltonian cycle {place}",
        f"there is no Hamiltonian path {place}",
        f"there is no Hamiltonian path {place}, that ends at a",
        f"there is no Hamiltonian path {place}, from a to b",
    ]
    problem = problem_from(graph, require=("a", "b"), forbid=[("b", "a")])
    assert Statement(problem, "count", 0).text.endswith(f"{place}, with the arc a->b, without the arc b->a")


def test_a_certificate_of_one_digraph_shows_nothing_of_another() -> None:
    acyclic = problem_from(nx.DiGraph([(0, 1), (1, 2), (0, 2)]))
    certificate = Certificate("cut", Statement(acyclic, "infeasible"), {"removed": [3]})
    assert certificate.check() == "no arc leads to 0"
    data = certificate.to_json()
    assert Certificate.from_json(data).check() == "no arc leads to 0"
    cyclic = problem_from(nx.DiGraph(TRIANGLE))
    for removed in range(9):
        with pytest.raises(CertificateError):
            Certificate("cut", Statement(cyclic, "infeasible"), {"removed": [removed]}).check()
    undirected = problem_from(MoveGraph.from_edges(3, [(0, 1), (1, 2), (0, 2)]))
    with pytest.raises(CertificateError):
        Result(undirected, "infeasible", certificate=certificate)


def test_files_keep_the_direction() -> None:
    directed = numbered(3, TRIANGLE, "d.hcp")
    graph = directed.split()
    again = parse_graph(graph_to_hcp(graph), ".hcp", "d.hcp")
    assert again == graph and "TYPE : HCP_DIRECTED" in graph_to_hcp(graph)
    for write in (graph_to_dimacs, graph_to_edge_list):
        with pytest.raises(KTError, match="cannot express a directed graph"):
            write(graph)
    for closed in (True, False):
        tour = Tour.of(graph, [1, 2, 0], closed)
        assert tour_from_json(tour_to_json(tour)) == tour
        assert parse_tour(tour_to_tsplib(tour), graph) == tour
        assert tour_given([2, 3, 1], graph, closed=closed) == tour == tour_given(tour, graph)
        result = Result(problem_from(graph, open=not closed), "feasible", tour)
        data = result.to_json()
        assert data["tour"] == [[1], [2], [0]] and data["closed"] is closed
        check_result(data)
        with pytest.raises(InvalidTour):
            check_result({**data, "tour": [[1], [0], [2]]})
    assert solution_edges(problem_from(graph), Tour.of(graph, [0, 1, 2], True)).max() < graph.m


@pytest.mark.parametrize("kind", ["HCP_DIRECTED", "hcp_directed", "DHCP", "ATSP"])
@pytest.mark.parametrize("layout", ["EDGE_LIST", "ADJ_LIST"])
def test_tsplib_types_that_are_directed(kind: str, layout: str) -> None:
    edges = "1 2\n2 3\n3 1\n2 1\n-1" if layout == "EDGE_LIST" else "1 2 -1\n2 3 1 -1\n3 1 -1\n-1"
    text = f"NAME : d\nTYPE : {kind}\nDIMENSION : 3\nEDGE_DATA_FORMAT : {layout}\nEDGE_DATA_SECTION\n{edges}\nEOF\n"
    assert parse_graph(text, ".hcp", "d") == DirectedGraph.from_arcs(3, TRIANGLE).split()
    plain = parse_graph(text.replace(kind, "HCP"), ".hcp", "d")
    assert plain.directed is None and plain == MoveGraph.from_edges(3, TRIANGLE)


@pytest.mark.parametrize(
    "damage",
    [
        {"edges": []},
        {"arcs": [[1, 0], [0, 1]]},
        {"arcs": [[0, 1], [0, 1]]},
        {"arcs": [[0, 0]]},
        {"arcs": [[0, 3]]},
        {"arcs": [[0, 1, 2]]},
        {"arcs": 3},
        {"vertices": "3"},
        {"start": 0},
        {"terminals": [0]},
        {"required": [4000]},
        {"forbidden": [-1]},
        {"connectivity": "any"},
        {"objective": "turns"},
        {"symmetry": ["rot180"]},
    ],
    ids=str,
)
def test_a_damaged_file_is_refused(damage: dict[str, object]) -> None:
    data = problem_from(nx.DiGraph(TRIANGLE)).to_json()
    with pytest.raises(KTError):
        Problem.from_json({**data, **damage})


def test_networkx_conventions() -> None:
    """Loops and parallel arcs are dropped, isolated nodes stay, and labels come back."""
    many = nx.MultiDiGraph([("x", "y"), ("x", "y"), ("y", "x"), ("y", "y")])
    graph = problem_from(many).graph
    assert isinstance(graph, SplitGraph) and graph.directed.m == 2 and graph.labels == ("x", "y")
    many.add_node("z")
    assert problem_from(many).graph.vertex_count == 3
    assert sorted(graph.directed.to_networkx().edges) == [("x", "y"), ("y", "x")]
    with pytest.raises(KTError, match="no vertices"):
        problem_from(nx.DiGraph())
    with pytest.raises(KTError, match="directed"):
        MoveGraph.from_networkx(many)


def test_a_path_that_begins_or_ends_elsewhere_is_refused() -> None:
    graph = numbered(3, TRIANGLE).split()
    for asked, words in (({"start": 1}, "does not start at 1"), ({"end": "3"}, "does not end at 3")):
        problem = problem_from(graph, open=True, **asked)
        with pytest.raises(InvalidTour, match=words):
            solution_edges(problem, Tour.of(graph, [1, 2, 0], False))


@pytest.mark.parametrize("asked", [{"minimize": "turns"}, {"minimize": "crossings"}, {"symmetry": "rot180"}], ids=str)
def test_functions_that_do_not_serve_directed_graphs_say_so(asked: dict[str, str]) -> None:
    with pytest.raises(KTError, match="of directed graphs are not supported"):
        problem_from(nx.DiGraph(TRIANGLE), **asked)


def test_conditions_are_numbered_for_cycles_or_for_paths() -> None:
    graph = DirectedGraph.from_arcs(3, TRIANGLE).split()
    with pytest.raises(KTError, match="numbered for a cycle"):
        Problem(graph, "path", required=frozenset([graph.first_arc]))
    assert Problem(graph, "path").graph == graph.split(open=True)
    with pytest.raises(KTError, match="terminals"):
        Problem(graph, "path", terminals=(0,))


def test_a_file_of_a_directed_type_is_read(tmp_path: Path) -> None:
    head = "NAME : d\nTYPE : HCP_DIRECTED\nDIMENSION : 3\nEDGE_DATA_FORMAT : EDGE_LIST\nEDGE_DATA_SECTION\n"
    (tmp_path / "acyclic.hcp").write_text(f"{head}1 2\n2 3\n1 3\n-1\nEOF\n")
    graph = read_graph(tmp_path / "acyclic.hcp")
    assert isinstance(graph, SplitGraph) and graph.directed == DirectedGraph.from_arcs(3, [(0, 1), (1, 2), (0, 2)])
