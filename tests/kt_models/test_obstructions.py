"""What is answered at sight: every certificate is right, and altered ones do not pass."""

from __future__ import annotations

import json

import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heuristics.graph_searches import cut_vertex
from heuristics.obstruction import find_obstruction
from kt_models import Certificate, CertificateError, KTError, Leaper, Problem, Symmetry, check, graph_of
from kt_models.kernel.certificates import Statement
from kt_models.kernel.certificates.obstructions import refute_by_theorem
from tests import brute
from tests.effort import part_of, slow
from tests.strategies import small_graphs


def obstruction(board: str, connectivity: str = "cycle", leaper: str = "1,2", symmetry: str | None = None):
    graph = graph_of(board, Leaper.parse(leaper))
    generators = (Symmetry.parse(symmetry, graph.board.dimension),) if symmetry else ()
    return find_obstruction(Problem(graph, connectivity, symmetry=generators))


@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize("height", range(1, 7))
@pytest.mark.parametrize("width", range(1, 6))
def test_no_obstruction_where_there_is_a_tour_and_the_theorems_are_right(width: int, height: int, closed: bool) -> None:
    board = f"{width}x{height}"
    problem = Problem(graph_of(board), "cycle" if closed else "path")
    exists = brute.has_tour(board, closed)
    certificate = find_obstruction(problem)
    assert certificate is None or not exists
    try:
        refute_by_theorem(problem, {})
        assert not exists
    except CertificateError:
        assert exists  # The theorems are complete
    assert exists or certificate is not None


@given(small_graphs(), st.booleans())
@settings(max_examples=part_of(300), deadline=None)
def test_obstructions_of_any_graph_are_right(graph, closed: bool) -> None:
    problem = Problem(graph, "cycle" if closed else "path")
    certificate = find_obstruction(problem)
    if certificate is not None:
        check(certificate)
        assert not (brute.cycles(graph) if closed else brute.paths(graph))


@given(small_graphs(), st.booleans(), st.data())
@settings(max_examples=part_of(300), deadline=None)
def test_obstructions_under_constraints_are_right(graph, closed: bool, data: st.DataObject) -> None:
    if graph.m == 0:
        return
    edges = st.sets(st.integers(0, graph.m - 1), max_size=2)
    required, forbidden = data.draw(edges), data.draw(edges)
    terminals = () if closed else tuple(data.draw(st.sets(st.integers(0, graph.n - 1), max_size=2)))
    problem = Problem(graph, "cycle" if closed else "path", None, terminals, frozenset(required), frozenset(forbidden))
    if find_obstruction(problem) is None:
        return
    for order in brute.cycles(graph) if closed else brute.paths(graph):
        used = brute.edge_set(graph, order, closed)
        assert not (required <= used and not forbidden & used and set(terminals) <= {order[0], order[-1]})


@pytest.mark.parametrize(
    ("board", "connectivity", "leaper", "symmetry", "method", "words"),
    [
        ("1x1", "cycle", "1,2", None, "small", "at least 3 cells"),
        ("1x2", "cycle", "1,2", None, "small", "at least 3 cells"),
        ("5x5", "cycle", "1,2", None, "cut", "13 and 12"),
        ("4x6", "cycle", "1,2", None, "cut", "7 parts; a closed tour allows at most 6"),
        ("4x20", "cycle", "1,2", None, "cut", "parts"),
        ("3x4", "cycle", "1,2", None, "cut", "parts"),
        ("8x8", "cycle", "1,3", None, "cut", "cannot reach every cell"),
        ("3x3", "path", "1,2", None, "cut", "cannot reach every cell"),
        ("aztec:1", "path", "1,2", None, "cut", "4 separate parts"),
        ("2x2x5", "cycle", "1,2", None, "cut", "separate parts"),
        ("8x8-a1", "cycle", "1,2", None, "cut", "32 and 31"),
        ("8x8-a1,c1,e1", "path", "1,2", None, "cut", "32 parts"),
        ("3x8", "cycle", "1,2", None, "theorem", "Schwenk"),
        ("4x4", "path", "1,2", None, "theorem", "Chia"),
        ("1001x1001", "cycle", "1,2", None, "theorem", "1,002,001 cells are odd"),
        ("4x100000", "cycle", "1,2", None, "theorem", "Schwenk"),
        ("8x8", "cycle", "1,2", "rot90", "symmetry", "odd multiple of 16 moves"),
        ("6x6", "cycle", "1,2", "mirror-x", "symmetry", "changes the colour"),
        ("6x6", "cycle", "1,2", "diagonal", "symmetry", "fixes 6 cells"),
        ("5x5", "path", "1,2", "rot90", "symmetry", "reversal"),
    ],
)
def test_obstructions_name_their_reason(board, connectivity, leaper, symmetry, method, words) -> None:
    certificate = obstruction(board, connectivity, leaper, symmetry)
    assert certificate.method == method
    assert words in check(certificate)
    back = Certificate.from_json(json.loads(json.dumps(certificate.to_json())))
    assert check(back) == check(certificate)


@pytest.mark.parametrize("board", ["6x6", "3x10", "5x6", "8x8", "aztec:2", "aztec:10", "4x4x4", "10x10", "torus:5x5"])
def test_boards_with_tours_have_no_obstruction(board: str) -> None:
    assert obstruction(board) is None


@pytest.mark.parametrize("symmetry", ["rot180", "mirror-x", "mirror-y"])
@pytest.mark.parametrize("board", ["5x6", "6x5", "3x10", *slow(["6x6"])])
def test_symmetric_obstructions_agree_with_all_tours(board: str, symmetry: str) -> None:
    graph = graph_of(board)
    element = Symmetry.parse(symmetry)
    image = graph.edge_permutation(element)
    sets = brute.edge_sets(board, True)
    exists = any(frozenset(image[sorted(edges)].tolist()) == edges for edges in sets)
    assert obstruction(board, symmetry=symmetry) is None or not exists


@given(st.sampled_from(["6x6", "5x6", "3x10", "aztec:2"]), st.lists(st.integers(0, 40), max_size=12, unique=True))
def test_no_cut_is_accepted_on_a_board_with_a_tour(board: str, removed: list[int]) -> None:
    problem = Problem(graph_of(board))
    with pytest.raises(CertificateError):
        check(Certificate("cut", Statement(problem, "infeasible"), {"removed": removed}))


def test_certificates_of_one_board_do_not_serve_another() -> None:
    certificate = obstruction("4x6")
    for method in ("small", "forced", "symmetry", "theorem", "cut"):
        with pytest.raises(CertificateError):
            check(Certificate(method, Statement(Problem(graph_of("6x6")), "infeasible"), certificate.data))


@pytest.mark.parametrize(
    "change",
    [
        {"method": "faith"},
        {"method": 3},
        {"status": "optimal"},
        {"version": 1},
        {"version": 3},
        {"kind": "tour"},
        {"data": {"removed": "all"}},
        {"data": {"removed": [0, 0]}},
        {"data": {"removed": [-1]}},
        {"data": {"removed": [True]}},
        {"data": {"removed": [10**9]}},
        {"data": []},
        {"problem": None},
        {"problem": {"board": "6x6", "leaper": "1,2", "connectivity": "cycle"}},
        {"problem": {"board": "4x6", "leaper": "1,2", "connectivity": "any"}},
    ],
)
def test_altered_certificates_fail(change) -> None:
    data = obstruction("4x6").to_json()
    with pytest.raises(KTError):
        check(Certificate.from_json({**data, **change}))


@given(small_graphs())
@settings(max_examples=part_of(300), deadline=None)
def test_cut_vertices_are_found(graph) -> None:
    plain: networkx.Graph = networkx.Graph(graph.ends.tolist())
    plain.add_nodes_from(range(graph.n))
    if graph.n == 0 or not networkx.is_connected(plain):
        return
    neighbours = [list(plain[v]) for v in range(graph.n)]
    vertex, known = cut_vertex(neighbours), set(networkx.articulation_points(plain))
    assert vertex in known if known else vertex == -1
