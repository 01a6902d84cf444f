"""Move graphs: their edges against the definition, their files, and stranger's graphs."""

from __future__ import annotations

import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kt_models import Board, KTError, Leaper, MoveGraph, Problem, graph_of, read_graph
from kt_models.errors import TooLarge
from kt_models.files.edge_lists import graph_to_edge_list
from kt_models.files.graph_forms.dimacs import graph_to_dimacs
from kt_models.files.graph_forms.tsplib import graph_to_hcp
from kt_models.files.problems import parse_edges
from kt_models.graph import MAX_EDGES, distinct_pairs
from tests.strategies import boards, leapers, small_graphs


@given(boards(), leapers)
def test_edges_are_the_moves_by_definition(board: Board, leaper: Leaper) -> None:
    graph = MoveGraph.of(board, leaper)
    cells = [tuple(c) for c in board.cells.tolist()]
    number = {c: i for i, c in enumerate(cells)}
    expected = []
    for move in leaper.half_moves(board.dimension).tolist():
        for tail, cell in enumerate(cells):
            head = tuple(
                (c + m) % s if w else c + m for c, m, s, w in zip(cell, move, board.shape, board.wraps, strict=True)
            )
            if head in number and number[head] != tail:
                expected.append((tail, number[head], tuple(move)))
    moves = [tuple(m) for m in graph.moves.tolist()]
    actual = [
        (u, v, moves[k])
        for u, v, k in zip(graph.tails.tolist(), graph.heads.tolist(), graph.edge_move.tolist(), strict=True)
    ]
    assert sorted(actual) == sorted(expected)
    assert [(u, moves.index(m)) for u, _, m in actual] == sorted((u, moves.index(m)) for u, _, m in actual)


@given(boards(), leapers)
def test_csr_lists_each_edge_at_both_ends(board: Board, leaper: Leaper) -> None:
    graph = MoveGraph.of(board, leaper)
    listed = []
    for v in range(graph.n):
        run = slice(graph.indptr[v], graph.indptr[v + 1])
        for e, u in zip(graph.incident[run].tolist(), graph.neighbours[run].tolist(), strict=True):
            assert {v, u} == {int(graph.tails[e]), int(graph.heads[e])}
            listed.append(e)
    assert sorted(listed) == sorted([*range(graph.m), *range(graph.m)])


@given(boards(), leapers)
def test_symmetries_act_on_edges_as_on_cells(board: Board, leaper: Leaper) -> None:
    graph = MoveGraph.of(board, leaper)
    for symmetry in graph.symmetries():
        image, vertex = graph.edge_permutation(symmetry), symmetry.permutation(board)
        assert sorted(image.tolist()) == list(range(graph.m))
        ends = np.sort(vertex[graph.ends], axis=1)
        assert np.array_equal(ends, np.sort(graph.ends[image], axis=1))


def test_a_narrow_torus_has_parallel_moves() -> None:
    graph = graph_of("torus:4x4")
    u, v = int(graph.tails[0]), int(graph.heads[0])
    assert len(graph.edges_between(u, v)) == 2
    assert len(parse_edges(graph, [graph.edge_name(0)])) == 2


@given(small_graphs())
def test_files_give_the_graph_back(tmp_path_factory, graph: MoveGraph) -> None:
    folder = tmp_path_factory.mktemp("graphs")
    for suffix, text in ((".hcp", graph_to_hcp(graph)), (".col", graph_to_dimacs(graph))):
        path = folder / f"g{suffix}"
        path.write_text(text)
        assert read_graph(path) == graph
    assert MoveGraph.from_json(graph.to_json()) == graph
    if graph.degrees.max() == 1 == graph.degrees.min() and graph.m > 1:
        with pytest.raises(KTError, match="a header"):
            graph_to_edge_list(graph)
    elif graph.degrees.min() > 0:
        path = folder / "g.edges"
        path.write_text(graph_to_edge_list(graph))
        assert read_graph(path) == graph
        assert networkx.read_edgelist(path, nodetype=int).number_of_edges() == graph.m
    else:
        with pytest.raises(KTError, match="would lose it"):
            graph_to_edge_list(graph)
    back, nodes = MoveGraph.from_networkx(graph.to_networkx())
    assert back == graph
    assert nodes == list(range(graph.n))


def test_edges_beside_a_board_are_its_moves_or_refused() -> None:
    graph = graph_of("4x5")
    moves = [[v, u] for u, v in graph.ends.tolist()]
    assert MoveGraph.from_json({"board": "4x5", "edges": moves[::-1]}) == graph
    others: list[object] = [moves[1:], [*moves[1:], moves[1]], [*moves[1:], [0, 1]], [], {"0": 1}, None]
    for edges in others:
        with pytest.raises(KTError, match="not the moves of 4x5"):
            MoveGraph.from_json({"board": "4x5", "edges": edges})
    with pytest.raises(KTError, match="not a list of 2 integers"):
        MoveGraph.from_json({"board": "4x5", "edges": [[False, *moves[0][1:]], *moves[1:]]})
    with pytest.raises(KTError, match="not the moves of 4x5"):
        Problem.from_json({"board": "4x5", "connectivity": "cycle", "edges": [[0, 1], [1, 2], [0, 2]]})


def test_networkx_nodes_are_cells_and_edges_carry_moves() -> None:
    graph = graph_of("5x5").to_networkx()
    assert graph.edges[(0, 0), (1, 2)]["move"] == (1, 2)
    assert networkx.is_bipartite(graph)
    assert graph_of("torus:4x4").to_networkx().number_of_edges() == 64


def test_adjacency_list_hcp(tmp_path) -> None:
    path = tmp_path / "square.hcp"
    header = "NAME: square\nTYPE: HCP\nDIMENSION: 4\nEDGE_DATA_FORMAT: ADJ_LIST\n"
    path.write_text(f"{header}EDGE_DATA_SECTION\n1 2 4 -1\n3 2 4 -1\n-1\nEOF\n")
    assert read_graph(path).ends.tolist() == [[0, 1], [0, 3], [1, 2], [2, 3]]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.hcp", ""),
        ("a.hcp", "TYPE : TSP\nDIMENSION : 3\nEDGE_DATA_SECTION\n1 2\n-1\n"),
        ("a.hcp", "DIMENSION : x\nEDGE_DATA_SECTION\n1 2\n-1\n"),
        ("a.hcp", "DIMENSION : 3\nEDGE_DATA_SECTION\n1 2 3\n-1\n"),
        ("a.hcp", "DIMENSION : 3\nEDGE_DATA_SECTION\n1 4\n-1\n"),
        ("a.hcp", "DIMENSION : 3\nEDGE_DATA_SECTION\n1 two\n-1\n"),
        ("a.hcp", "DIMENSION : 0\nEDGE_DATA_SECTION\n-1\n"),
        ("a.hcp", "DIMENSION : 999999999\nEDGE_DATA_SECTION\n-1\n"),
        ("a.hcp", "DIMENSION : 3\nEDGE_DATA_FORMAT : FOO\nEDGE_DATA_SECTION\n-1\n"),
        ("a.col", "e 1 2\n"),
        ("a.col", "p edge 2 1\ne 1 3\n"),
        ("a.col", "hello\n"),
        ("a.json", "[]"),
        ("a.json", '{"board": 3}'),
        ("a.json", '{"vertices": 3, "edges": [[0, 1.5]]}'),
        ("a.json", '{"vertices": true, "edges": []}'),
        ("a.json", '{"board": "8x8", "leaper": "0,0"}'),
    ],
)
def test_bad_graph_files_are_named_in_one_line(tmp_path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(KTError) as caught:
        read_graph(path)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


def test_leapers_have_their_moves_and_wrong_ones_are_refused() -> None:
    assert len(Leaper(1, 2).half_moves(2)) == 4
    assert len(Leaper(1, 2).half_moves(3)) == 12
    assert len(Leaper(0, 1).half_moves(2)) == 2
    assert Leaper.parse("2,1") == Leaper(1, 2)
    for text in ("0,0", "1", "1,2,", "-1,2", "a,b", "", "1.5,2", "99999999,1"):
        with pytest.raises(KTError):
            Leaper.parse(text)


def test_moves_by_name() -> None:
    graph = graph_of("8x8")
    assert graph.edge_name(graph.find_edge("b3-a1")) == "a1-b3"
    cube = graph_of("4x4x4")
    assert cube.find_edge("0,0,0-1,2,0") == cube.find_edge("(1,2,0)-(0,0,0)")
    for text in ("a1-a2", "a1", "a1-b3-c5", "a1-z9", "", "-"):
        with pytest.raises(KTError):
            graph.find_edge(text)


def test_graphs_too_large_for_edges_are_refused() -> None:
    with pytest.raises(TooLarge):
        _ = graph_of("10000x10000").m


@pytest.mark.parametrize("board", ["5x6", "8x8-c3,d4", "aztec:4", "torus:5x6", "torus:2x4", "cylinder:4x5", "3x4x4"])
@pytest.mark.parametrize("leaper", ["1,2", "0,1", "1,3"])
def test_edges_are_counted_as_the_table_has_them(board: str, leaper: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """On large boards rows and edges are worked out without the table of all moves; here both are."""
    monkeypatch.setattr("kt_models.graph.MAX_TABLE_VERTICES", 0)
    lean, plain = (MoveGraph(Board.parse(board), Leaper.parse(leaper)) for _ in range(2))  # Not one shared object
    table = plain.edge_at
    tails, kinds = (places.reshape(-1) for places in np.indices(table.shape))
    assert (lean.edges_by(tails, kinds) == table.reshape(-1)).all()
    assert lean.m == len(plain.ends)
    ends = plain.ends[plain.incident]
    owner = np.repeat(np.arange(plain.n), plain.degrees)
    assert (ends.sum(axis=1) - owner == lean.neighbours).all()
    assert "edge_at" not in vars(lean) and "_ends" not in vars(lean)


def test_the_number_of_edges_is_an_integer_of_python() -> None:
    """Masks of options are shifted by numbers of edges, and a NumPy integer would run over."""
    for listed in (False, True):
        graph = graph_of("5x6")
        if listed:
            assert len(graph.ends) == graph.m
        assert type(graph.m) is int


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=40), st.sampled_from([np.int32, np.int64]))
def test_distinct_pairs_are_those_of_numpy(rows: list[tuple[int, int]], kind: type) -> None:
    pairs = np.array(rows, dtype=kind).reshape(-1, 2)
    assert np.array_equal(distinct_pairs(pairs, 7), np.unique(pairs, axis=0))


def test_distinct_pairs_of_the_greatest_numbers() -> None:
    pairs = np.array([[MAX_EDGES - 1, 0], [MAX_EDGES - 1, MAX_EDGES - 1], [0, MAX_EDGES - 1]], dtype=np.int32)
    assert np.array_equal(distinct_pairs(pairs, MAX_EDGES), pairs[[2, 0, 1]])
