"""Files of graphs as people and programs write them: read as they are meant, or refused in one line."""

from __future__ import annotations

import json
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import kt
from kt_models import KTError, MoveGraph, Problem, Tour, read_graph, verify
from kt_models.directed import DirectedGraph, SplitGraph
from kt_models.errors import InvalidTour
from kt_models.files.edge_lists import graph_to_edge_list, parse_edge_list
from kt_models.files.graph_forms.documents import JSON_KEYS, graph_of_json
from kt_models.files.graph_forms.table import parse_graph
from kt_models.files.graph_forms.tsplib import graph_to_hcp, parse_hcp
from kt_models.files.graph_forms.write import WRITERS
from kt_models.files.tsplib import KEYWORDS
from kt_models.labels import label_names, labels_from_json, labels_to_json
from kt_models.tour import tour_from_json, tour_to_json
from tests.command import answered, kt_json

CASES = Path(__file__).parent / "cases"
TRIANGLE = [[0, 1], [0, 2], [1, 2]]
ADJ_LIST = "EDGE_DATA_FORMAT : ADJ_LIST"


def hcp(*lines: str, edges: str = "EDGE_DATA_SECTION\n1 2\n2 3\n3 1\n-1") -> MoveGraph:
    """The graph of a TSPLIB text: a triangle with further lines before its edges."""
    return parse_hcp("\n".join(["NAME : t", "TYPE : HCP", "DIMENSION : 3", *lines, edges]) + "\n", "t")


# -- TSPLIB ------------------------------------------------------------------------------------------------------------


def test_fixed_edges_are_required_wherever_they_stand() -> None:
    before, after = read_graph(CASES / "k4.hcp"), read_graph(CASES / "fixed-after.hcp")
    assert [before.edge_name(e) for e in before.fixed] == ["1-2"]
    assert [after.edge_name(e) for e in after.fixed] == ["1-4"]
    assert Problem(before).required == before.fixed
    assert Problem(before, required=frozenset({3})).required == before.fixed | {3}


def test_fixed_edges_hold_in_every_command(tmp_path: Path) -> None:
    """Three fixed edges at a vertex leave no cycle; one leaves two of the three."""
    k4, k4b = str(CASES / "k4.hcp"), str(CASES / "k4b.hcp")
    assert kt_json("enumerate", k4b, "--count")["count"] == 0 == kt.count(k4b)
    assert kt_json("enumerate", k4, "--count")["count"] == 2 == kt.count(k4)
    assert kt_json("solve", k4b)["status"] == "infeasible"
    assert kt_json("solve", CASES / "fixed-after.hcp")["status"] == "infeasible"
    found = kt_json("find", k4)
    assert found["required"] == [0] and found["labels"] == [1, 2, 3, 4]
    assert "with the edge 1-2" in kt.check(kt.solve(k4)).shown[0].text
    for suffix in (".json", ".hcp"):
        other = tmp_path / f"g{suffix}"
        assert answered("convert", k4b, other)[0] == 0
        assert kt.count(str(other)) == 0
    for suffix in (".col", ".edges"):
        code, _, err = answered("convert", k4b, tmp_path / f"g{suffix}")
        assert code == 2 and "fixed" in err
    assert answered("convert", k4b, tmp_path / "m.cnf")[0] == 0
    assert json.loads((tmp_path / "m.cnf.map").read_text())["problem"]["required"] == [0, 1, 2]
    code, _, err = answered("longest", k4)
    assert code == 2 and "fixed" in err
    (tmp_path / "t.tour").write_text("TYPE : TOUR\nDIMENSION : 4\nTOUR_SECTION\n1\n3\n2\n4\n-1\n")
    code, out, err = answered("check", tmp_path / "t.tour", "--board", k4)
    assert code == 1 and "the required edge 1-2 is not used" in out + err
    with pytest.raises(InvalidTour, match="1-2"):
        verify(Tour(read_graph(k4), np.array([0, 2, 1, 3]), True))


@pytest.mark.parametrize(
    ("lines", "edges"),
    [
        ((), "edge_data_section\n1 2\n2 3\n3 1"),
        ((), "EDGE_DATA_SECTION :\n1 2\n2 3\n3 1\n-1\nEOF"),
        ((), "Edge_Data_Section : 1 2\n2 3\n3 1 -1\n eof"),
        (("edge_data_format: adj_list",), "EDGE_DATA_SECTION\n1 2 3 -1\n2 3 -1\n-1"),
        (("EDGE_DATA_FORMAT : ADJ_LIST",), "EDGE_DATA_SECTION\n1 2 3 -1\n2 3 -1"),
        (("EDGE_DATA_FORMAT : ADJ_LIST",), "EDGE_DATA_SECTION\n1 2 3 -1\n2 3"),
        (("EDGE_DATA_FORMAT : ADJ_LIST",), "EDGE_DATA_SECTION\n1 2 3 -1 2 3\n-1\n-1"),
        (
            ("COMMENT : EDGE_DATA_SECTION", "COMMENT FIXED_EDGES_SECTION DIMENSION : 7"),
            "EDGE_DATA_SECTION\n1 2\n2 3\n1 3",
        ),
        (("COMMENT : EOF", "COMMENT :"), "EDGE_DATA_SECTION\n1 2\n2 3\n1 3"),
        (("EDGE_DATA_FORMAT : EDGE_LIST",), "\tEDGE_DATA_SECTION \n1 2\n2 3\n1 3\n\n-1\n\n"),
    ],
)
def test_keywords_are_read_in_every_form(lines: tuple[str, ...], edges: str) -> None:
    assert hcp(*lines, edges=edges).ends.tolist() == TRIANGLE
    fixed = hcp(*lines, "FIXED_EDGES_SECTION\n2 3", edges=edges)
    assert [fixed.edge_name(e) for e in fixed.fixed] == ["2-3"]


def test_a_keyword_in_a_name_is_part_of_the_name() -> None:
    text = "NAME : EDGE_DATA_SECTION\nCOMMENT : FIXED_EDGES_SECTION\nTYPE : HCP\nDIMENSION : 3\n"
    graph = parse_hcp(f"{text}EDGE_DATA_SECTION\n1 2\n2 3\n3 1\n-1\nEOF\n", "x")
    assert graph.ends.tolist() == TRIANGLE and not graph.fixed


@pytest.mark.parametrize(
    ("lines", "edges", "words"),
    [
        (("FIXED_EDGES_SECTION\n1 4\n-1",), "EDGE_DATA_SECTION\n1 2", "fixed edge 1 4 is not an edge"),
        (("FIXED_EDGES_SECTION\n1 2 3",), "EDGE_DATA_SECTION\n1 2", "two numbers, but 3"),
        (("FIXED_EDGES_SECTION\n1 2 2 3",), "EDGE_DATA_SECTION\n1 2\n2 3", "two numbers, but 4"),
        ((), "EDGE_DATA_SECTION\n1 2 2 3\n3 1", "two numbers, but 4"),
        ((), "EDGE_DATA_SECTION\n1 2 2 3 3 1 -1", "two numbers, but 6"),
        (("FIXED_EDGES_SECTION\n-1\n1 2",), "EDGE_DATA_SECTION\n1 2", "after the -1"),
        (("FIXED_EDGES_SECTION\n1 two",), "EDGE_DATA_SECTION\n1 2", "'two'"),
        (("FIXED_EDGE_SECTION\n1 2",), "EDGE_DATA_SECTION\n1 2", "'FIXED_EDGE_SECTION' is not a keyword"),
        (("DEPOT_SECTION\n1",), "EDGE_DATA_SECTION\n1 2", "not a keyword"),
        (("EDGE_WEIGHT_TYPE : EXPLICIT",), "EDGE_DATA_SECTION\n1 2", "no EDGE_WEIGHT_SECTION"),
        (("DIMENSION : 4",), "EDGE_DATA_SECTION\n1 2", "DIMENSION occurs twice"),
        (("1 2",), "EDGE_DATA_SECTION\n1 2", "neither a keyword nor"),
        ((), "EDGE_DATA_SECTION\n1 2\n-1\n2 3\n-1", "after the -1"),
        ((), "EDGE_DATA_SECTION\n1 2\n-1\nEOF\n2 3", "after EOF"),
        ((), "EDGE_DATA_SECTION\n1 2\nEDGE_DATA_SECTION\n2 3", "twice"),
        ((), "EDGE_DATA_SECTION\n1 2 3", "two numbers, but 3"),
        ((), "EDGE_DATA_SECTION\n0 1", "outside 1..3"),
        (("EDGE_DATA_FORMAT : MATRIX",), "EDGE_DATA_SECTION\n1 2", "EDGE_LIST or ADJ_LIST"),
        ((), "EDGE_DATA_SECTION\n1 2 1\n2 3 1\n3 1 1\n1 3 1\n-1", "line 5 .* two numbers, but 3: an edge"),
        ((), "EDGE_DATA_SECTION\n1 2 2\n3 3 1\n-1", "two numbers, but 3"),
        ((), "EDGE_DATA_SECTION\n1\n2\n2\n3", "two numbers, but 1"),
        (("FIXED_EDGES_SECTION\n1 2 9\n2 3 9\n-1",), "EDGE_DATA_SECTION\n1 2\n2 3", "FIXED_EDGES_SECTION .* but 3"),
        ((ADJ_LIST,), "EDGE_DATA_SECTION\n1 2 3\n2 1 3\n3 1 2\n-1", "list of vertex 1 has no -1"),
        ((ADJ_LIST,), "EDGE_DATA_SECTION\n1 2 3 -1\n2 1\n3 1 2 -1\n-1", "list of vertex 2 has no -1"),
        ((ADJ_LIST,), "EDGE_DATA_SECTION\n1 2\n3 -1\n-1", "list of vertex 1 has no -1"),
        ((ADJ_LIST,), "EDGE_DATA_SECTION\n1 2 3 2 3 -1\n-1", "vertex 1 has 2 twice"),
        ((ADJ_LIST,), "EDGE_DATA_SECTION\n1 2 1 3 -1\n-1", "vertex 1 has itself"),
        (("EDGE_DATA_FORMAT : ADJ_LIST (arcs)",), "EDGE_DATA_SECTION\n1 2 -1", "EDGE_LIST or ADJ_LIST"),
    ],
)
def test_files_without_a_graph_are_refused(lines: tuple[str, ...], edges: str, words: str) -> None:
    with pytest.raises(KTError, match=words):
        hcp(*lines, edges=edges)


@pytest.mark.parametrize(
    "kind", ["HCP (directed)", "HCP (M. Braun)", "TSP (directed)", "TSP (one-way)", "HCP DIRECTED"]
)
def test_a_type_with_further_words_is_refused(kind: str) -> None:
    with pytest.raises(KTError, match="TYPE is"):
        parse_hcp(f"TYPE : {kind}\nDIMENSION : 3\nEDGE_DATA_SECTION\n1 2\n2 3\n3 1\n", "t")


def test_a_type_may_name_an_author() -> None:
    """As files of TSPLIB do."""
    text = "TYPE : TSP (M.~Hofmeister)\nDIMENSION : 3\nEDGE_WEIGHT_TYPE : EXPLICIT\nEDGE_WEIGHT_FORMAT : UPPER_ROW\n"
    assert parse_hcp(f"{text}EDGE_WEIGHT_SECTION\n1 2 3\nEOF\n", "t").ends.tolist() == TRIANGLE


def test_every_keyword_may_be_written_small() -> None:
    text = graph_to_hcp(read_graph(CASES / "k4.hcp"))
    for keyword in KEYWORDS:
        text = text.replace(keyword, keyword.lower())
    small = parse_hcp(text, "k4")
    assert small == read_graph(CASES / "k4.hcp") and small.fixed == frozenset({0})


# -- edge lists --------------------------------------------------------------------------------------------------------


def edges_of(text: str) -> list[tuple[object, object]]:
    """The edges of an edge list by the labels of their ends."""
    graph = parse_edge_list(text, "x")
    assert graph.labels is not None
    return [(graph.labels[u], graph.labels[v]) for u, v in graph.ends.tolist()]


@pytest.mark.parametrize(
    ("text", "edges"),
    [
        ("10 20\n20 30\n30 10\n", [(10, 20), (10, 30), (20, 30)]),
        ("0 1\n1 2\n2 0\n", [(0, 1), (0, 2), (1, 2)]),
        ("1 2\n2 3\n3 1\n", [(1, 2), (1, 3), (2, 3)]),
        ("# 3 3\n% n m\n\n10,20\n20 , 30\n30, 10\n", [(10, 20), (10, 30), (20, 30)]),
        ("anna bert\nbert carl # friends\ncarl anna\n", [("anna", "bert"), ("anna", "carl"), ("bert", "carl")]),
        ("C# A-b\nA-b 7\n", [("7", "A-b"), ("A-b", "C#")]),
        ("e f\nf c\nc e\n", [("c", "e"), ("c", "f"), ("e", "f")]),
        ("007 08\n08 10\n", [("007", "08"), ("08", "10")]),
        ("10 20 {}\n20 30 {'colour': 'red'}\n", [(10, 20), (20, 30)]),
        ("2 9\n9 10\n", [(2, 9), (9, 10)]),
        ("3 1\n1 2\n2 3\n", [(1, 2), (1, 3), (2, 3)]),
    ],
)
def test_vertices_are_those_that_occur(text: str, edges: list[tuple[object, object]]) -> None:
    assert edges_of(text) == edges


@pytest.mark.parametrize(
    ("text", "weights"),
    [
        ("1 2 5\n2 3 -7\n", [5, -7]),
        ("a,b,5\nb,c,6\n", [5, 6]),
        ("a b 5.0\nb c 6.\n", [5, 6]),
        ("a b {'weight': 5}\nb c {'weight': 6.0, 'x': 1}\n", [5, 6]),
        ("a b 5\nb a 5\n", [5]),
    ],
)
def test_a_third_column_is_a_weight(text: str, weights: list[int]) -> None:
    graph = parse_edge_list(text, "x")
    assert graph.weights is not None and graph.weights.tolist() == weights
    again = parse_edge_list(graph_to_edge_list(graph), "x")
    assert again == graph and again.weights is not None and again.weights.tolist() == weights


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no edge"),
        ("# nothing\n", "no edge"),
        ("10\n", "one vertex"),
        ("007 7\n", "may be one vertex"),
        ("1e1 2\n2 10\n", "may be one vertex"),
        ("\uff11 2\n2 1\n", "may be one vertex"),
        ("Zu\u0308rich Bern\nBern Z\u00fcrich\n", "may be one vertex"),
        ("1 2\u200b\n2 1\n", "not the name"),
        ("1 \ufeff2\n2 1\n", "not the name"),
        ("*Vertices 3\n1 2\n2 3\n3 1\n", "may be a header"),
        ("n 3\n1 2\n2 3\n3 1\n", "may be a header"),
        ("0 1 1\n1 0 1\n1 1 0\n", "may be a matrix"),
        ("0 1 2\n1 2 3\n2 3 0\n3 0 1\n", "second neighbour or end"),
        ("0,1,2\n1,2,3\n2,3,1\n", "second neighbour or end"),
        ("01 2\n2 3\n3 1\n", "'01' and '1' may be one vertex"),
        ("1.0 2\n2 1\n", "may be one vertex"),
        ("+1 2\n2 3\n3 1\n", "may be one vertex"),
        ("0 2\n2 3\n3 -0\n", "may be one vertex"),
        ("1 2 3 4\n", "more than two vertices"),
        ("1 2 x\n", "not a weight"),
        ("1 2 nan\n", "not a weight"),
        ("-1 2\n2 3\n", "may be points"),
        ("0.5 2\n2 3\n", "may be points"),
        ("1 2e3\n2e3 3\n", "may be points"),
        ("1 2 3\n2 3\n", "no weight"),
        ("1 2 3\n2 1 4\n", "two weights"),
        ("New York,Boston\n", "commas and spaces"),
        ("1,5 2,5\n", "commas and spaces"),
        ("a,,b\n", "commas and spaces"),
        ("1 2 {'weight': }\n", "dictionary"),
        ("e 1 2\ne 2 3\n", "DIMACS"),
        ("c a graph\ne 1 2\n", "DIMACS"),
        ("1 - 2\n2 - 3\n", "not the name"),
        ("1 -- 2\n2 -- 3\n", "not the name"),
        ("1 -> 2\n2 -> 3\n", "not the name"),
        ("source,target\n1,2\n2,3\n3,1\n", "may be a header"),
        ("from to\na b\nb c\nc a\n", "may be a header"),
        ("from to weight\na b 3\nb c 4\nc a 5\n", "line 1 may be a header"),
        ("100 200\n1 2\n2 3\n3 1\n", "may be a header"),
        ("4 5\n0 1\n1 2\n2 3\n3 0\n0 2\n", "may be a header"),
        ("4 5\n1 2\n2 3\n3 4\n4 1\n1 3\n", "may be a header"),
        ("5 4\n5 1\n1 2\n2 3\n3 4\n", "may be a header"),  # A pentagon, or a path of five
        ("4 6\n0 1\n1 2\n2 3\n3 0\n0 2\n", "may be a header"),  # One edge was lost
        ("4 4 5\n1 2\n2 3\n3 4\n4 1\n1 3\n", "may be a header"),
        ("4 5\n1 2 7\n2 3 7\n3 4 7\n4 1 7\n1 3 7\n", "may be a header"),
    ],
)
def test_lists_that_may_mean_something_else_are_refused(text: str, words: str) -> None:
    with pytest.raises(KTError, match=words) as caught:
        parse_graph(text, ".edges", "x")
    assert "\n" not in str(caught.value) and "a list of edges:" in str(caught.value)


@given(st.permutations([(u, v) for u in range(5) for v in range(u)]), st.integers(0, 10))
def test_a_header_is_never_an_edge(edges: list[tuple[int, int]], lost: int) -> None:
    """A list after its header is refused, in any order and wherever it was cut; without the header it is read."""
    lines = [f"{u} {v}\n" for u, v in edges]
    with pytest.raises(KTError):
        parse_edge_list("".join([f"5 {len(lines)}\n", *lines[: max(1, len(lines) - lost)]]), "x")
    assert parse_edge_list("".join(["# 5 10\n", *lines]), "x").m == 10


def test_answers_speak_of_the_vertices_of_the_file() -> None:
    ids = CASES / "ids.edges"
    data = kt_json("solve", ids)
    assert data["labels"] == [10, 20, 30] and sorted(data["tour"]) == [[0], [1], [2]]
    out = answered("solve", ids)[1]
    assert sorted(out.splitlines()[-1].split()) == ["10", "20", "30"]
    assert set(kt.solve(str(ids)).tour) == {10, 20, 30}
    code, out, err = answered("solve", CASES / "header.edges")
    assert (code, out) == (2, "") and "header" in err and err.count("\n") == 1


# -- names ------------------------------------------------------------------------------------------------------------

NAMES = st.one_of(
    st.integers(-9, 19),
    st.text("a1-'> ", max_size=3),
    st.text(max_size=4),
    st.tuples(st.integers(0, 9), st.text(max_size=2)),
)
NODES = st.one_of(
    NAMES,
    st.floats(-3, 9).map(lambda number: round(number, 1)),
    st.integers(0, 5).map(np.int64),
    st.tuples(st.integers(0, 5).map(np.int64), st.sampled_from(["a", 0.5, 1])),
    st.sampled_from(["3.5", "0.5", "frozenset({1})", frozenset([1]), b"a"]),
)


@given(st.lists(NAMES, min_size=3, max_size=6, unique=True), st.booleans())
def test_names_survive_every_file_that_numbers_vertices(labels: list[object], directed: bool) -> None:
    """Names of which two would be written alike are refused where the graph is made."""
    pairs = [[i, (i + 1) % len(labels)] for i in range(len(labels))]
    try:
        kind = DirectedGraph.from_arcs if directed else MoveGraph.from_edges
        made = kind(len(labels), pairs, "x", labels)
        graph = made.split() if isinstance(made, DirectedGraph) else made
        _ = graph.vertices_text
    except KTError:
        return
    for ending in (".hcp", *(() if directed else (".col",))):
        text = WRITERS[ending](graph)
        again = parse_graph(text, ending, "x")
        assert again == graph and list(again.labels or ()) == labels and WRITERS[ending](again) == text


def test_numbers_from_1_need_no_comments() -> None:
    for labels in (None, range(1, 4)):
        graph = MoveGraph.from_edges(3, TRIANGLE, "x", labels)
        for ending in (".hcp", ".col"):
            assert "label" not in WRITERS[ending](graph)
            assert parse_graph(WRITERS[ending](graph), ending, "x").labels == range(1, 4)


@pytest.mark.parametrize("first", [-2, 0, 2])
def test_consecutive_numbers_need_one_comment(first: int) -> None:
    graph = kt.graph(edges=[(first, first + 1), (first + 1, first + 2)])
    for ending in (".hcp", ".col"):
        text = WRITERS[ending](graph)
        assert text.count("label") == 1 and f"kt-labels {first}..{first + 2}" in text
        assert parse_graph(text, ending, "x").labels == tuple(range(first, first + 3))
        for other in ("0..1", "0..3", "2..0", "a..c", f"{first}..{first + 2}\nCOMMENT : kt-label 1 2"):
            bad = text.replace(f"{first}..{first + 2}", other)
            with pytest.raises(KTError):
                parse_graph(bad if ending == ".hcp" else bad.replace("COMMENT :", "c"), ending, "x")


def test_a_name_that_is_nested_deeply_is_refused() -> None:
    deep: object = 1
    for _ in range(5000):
        deep = (deep,)
    text = "[" * 600 + "1" + "]" * 600
    data = json.loads(f'{{"vertices": 3, "edges": {TRIANGLE}, "labels": [{text}, 2, 3]}}')
    comments = f"c kt-label 1 {text}\nc kt-label 2 2\nc kt-label 3 3\np edge 3 1\ne 1 2\n"
    for read in (
        lambda: kt.graph(edges=[(deep, 2), (2, 3), (3, deep)]),
        lambda: kt.graph(nx.Graph([(deep, 2)])),
        lambda: graph_of_json(data),
        lambda: parse_graph(comments, ".col", "x"),
    ):
        with pytest.raises(KTError, match="nested more than"):
            read()


def test_numbers_of_numpy_are_numbers_in_files() -> None:
    graph = kt.graph(nx.relabel_nodes(nx.path_graph(3), {v: np.int64(7 * v) for v in range(3)}))
    assert json.loads(WRITERS[".json"](graph))["labels"] == [0, 7, 14]


@given(st.lists(NODES, min_size=3, max_size=5, unique_by=lambda label: (type(label), label)))
def test_names_are_the_same_in_a_file(labels: list[object]) -> None:
    """A claim about a graph reads the same before it is written and after, whatever its nodes are."""
    with suppress(KTError):
        data = json.loads(json.dumps(labels_to_json(labels)))
        assert label_names(labels) == label_names(labels_from_json(data, len(labels)))


def test_a_result_about_nodes_of_any_kind_is_checked() -> None:
    for nodes in ([3.5, "3.5", 1], ["1", 1, 3.5], ["1", 1, frozenset([1]), (0, 1)], [(np.int64(0), 1), "x", 0.5]):
        for edges in ([*pairwise(nodes)], [*pairwise(nodes), (nodes[-1], nodes[0])]):
            assert kt.check(kt.solve(edges=edges)).text


BREAKS = "\v\f\x1c\x1d\x1e\x85\u2028\u2029"


@pytest.mark.parametrize("sign", BREAKS, ids=lambda sign: f"{ord(sign):x}")
def test_only_line_feeds_and_carriage_returns_end_a_line(sign: str, tmp_path: Path) -> None:
    """What stands in a comment or a name is no data, whatever Unicode calls the end of a line."""
    square = [(1, 2), (2, 3), (3, 4), (4, 1)]
    lines = "".join(f"{u} {v}\n" for u, v in square)
    texts = {
        ".edges": f"# a{sign}1 3\n{lines}",
        ".col": f"c a{sign}e 1 3\np edge 4 4\n" + "".join(f"e {u} {v}\n" for u, v in square),
        ".hcp": f"NAME : a{sign}TYPE : HCP_DIRECTED\nCOMMENT : a{sign}FIXED_EDGES_SECTION\nDIMENSION : 4\n"
        f"EDGE_DATA_SECTION\n{lines}",
    }
    for ending, text in texts.items():
        graph = parse_graph(text, ending, "x")
        assert (graph.m, graph.directed, graph.fixed) == (4, None, frozenset()), ending
    mask = tmp_path / "mask.txt"
    mask.write_text(f"##{sign}##\n####\n", encoding="utf-8")
    with pytest.raises(KTError, match="a mask is made of"):
        kt.graph(f"@{mask}")
    if sign > "\x1f":  # JSON forbids control characters itself
        tours = tmp_path / "tours.jsonl"
        tour = json.dumps({**tour_to_json(kt.find("3x4", open=True).tour), "note": "a!b"}).replace("!", sign)
        tours.write_text(tour + "\n", encoding="utf-8")
        assert kt.check(tours).text


@given(st.lists(NAMES, min_size=3, max_size=5, unique=True), st.booleans())
@example([0, "", "''"], False)
@example([1, "1", 2], False)
def test_a_name_is_never_taken_for_another(labels: list[object], directed: bool) -> None:
    """What is printed of a vertex or an edge is read as this one, or refused."""
    n = len(labels)
    arcs = DirectedGraph.from_arcs(n, [(u, v) for u in range(n) for v in range(n)], "x", labels)
    try:
        graph = arcs.split() if directed else MoveGraph.from_edges(n, arcs.arcs, "x", labels)
        _ = graph.vertices_text
    except KTError:
        return
    names = arcs.names if directed else [graph.name_of(v) for v in range(n)]
    for vertex in range(n):
        quoted = repr(names[vertex])  # Which may be how another one is written, as '1' is beside 1
        for text in (str(names[vertex]), str(labels[vertex]), *([] if quoted in names else [quoted])):
            with suppress(KTError):
                assert graph.find(text) == vertex
    for edge in range(graph.first_arc if isinstance(graph, SplitGraph) else 0, graph.m):
        with suppress(KTError):
            assert graph.find_edge(graph.edge_name(edge)) == edge


@pytest.mark.parametrize(
    "comments",
    [
        '1 "a"',
        '1 "a"\n2 "b"\n3 "b"',
        '1 "a"\n2 "b"\n4 "c"',
        '1 "a"\n2 "b"\n3 c',
        '1 "a"\n2 "b"\n3 1.5',
        "1 1\n2 2\n3 3\n3 3",
    ],
)
def test_names_of_some_vertices_are_refused(comments: str) -> None:
    lines = [f"kt-label {line}" for line in comments.splitlines()]
    with pytest.raises(KTError):
        hcp(*(f"COMMENT : {line}" for line in lines))
    with pytest.raises(KTError):
        parse_graph("\n".join([*(f"c {line}" for line in lines), "p edge 3 1", "e 1 2"]), ".col", "x")


ALIKE = {"vertices": 4, "edges": [[0, 1], [0, 3], [1, 2], [2, 3]], "labels": ["1", 1, "a", "2"]}


@pytest.mark.parametrize(
    ("words", "first"),
    [
        ("--open --from 1", None),
        ("--open --from '1'", "1"),
        ("--open --to 1", None),
        ("--from 1", None),
        ("--from '1'", "1"),
        ("--from 2", "2"),
        ("--from 'a'", "a"),
        ("--from a", "a"),
        ("--require 1-a", None),
        ("--forbid 2-1", None),
        ("--from 2 --require a-2", "2"),
        ("--from 2 --require '1'-2", "2"),
        ("--from b", None),
    ],
)
def test_a_name_that_two_vertices_have_is_refused(words: str, first: str | None, tmp_path: Path) -> None:
    (tmp_path / "g.json").write_text(json.dumps(ALIKE))
    if first is None:
        code, out, err = answered("solve", tmp_path / "g.json", *words.split())
        assert code == 2 and out == "" and err.count("\n") == 1
        assert "may be '1' or 1" in err or "--from b" in words
    else:
        data = kt_json("solve", tmp_path / "g.json", *words.split())
        assert data["labels"][data["tour"][0][0]] == first


def test_python_takes_the_label_itself() -> None:
    square = [("1", 1), (1, "a"), ("a", "2"), ("2", "1")]
    for start in ("1", 1, "a", "2"):
        tour = kt.solve(edges=square, open=True, start=start).tour
        assert tour is not None and tour[0] == start and type(tour[0]) is type(start)
    assert kt.count(edges=square, require=[("1", 1)]) == kt.count(edges=square, require="'1'-2") == 1
    for wrong in (True, "b", 1.5, None):
        with pytest.raises(KTError):
            kt.verify([1, wrong, "a", "2"], nx.Graph(square))
    with pytest.raises(KTError, match="may be '1' or 1"):
        kt.count(edges=square, require="1-a")


# -- JSON --------------------------------------------------------------------------------------------------------------

WORDS = st.text(st.characters(categories=["L"]), max_size=9).filter(lambda word: word not in JSON_KEYS["result"])
PLACES = [{"board": "5x6"}, {"board": "x", "cells": [[0, 0], [1, 2]]}, {"vertices": 3, "edges": TRIANGLE}]
PLACES += [{"vertices": 3, "arcs": [[0, 1], [1, 2], [2, 0]]}]


@given(st.sampled_from(PLACES), WORDS, st.one_of(st.none(), st.booleans(), st.integers(), st.text(), st.just([0])))
def test_an_unknown_key_is_refused(place: dict[str, object], key: str, value: object) -> None:
    assert graph_of_json(place).vertex_count
    with pytest.raises(KTError, match="unknown key"):
        graph_of_json(place | {key: value})


@pytest.mark.parametrize("kind", JSON_KEYS)
@pytest.mark.parametrize(
    ("place", "key", "value"),
    [
        (0, "shape", [5, 6]),
        (0, "wraps", [True, True]),
        (0, "labels", ["a"]),
        (0, "edge_weights", [1]),
        (1, "labels", ["a", "b"]),
        *(
            (graph, key, value)
            for graph in (2, 3)
            for key, value in (("shape", [3]), ("wraps", [True]), ("cells", [[0, 0]]))
        ),
    ],
)
def test_a_key_that_another_contradicts_is_refused(kind: str, place: int, key: str, value: object) -> None:
    """In a file of any kind, and where its problem or its tour is read."""
    data = PLACES[place] | {"version": 2, "kind": kind, "connectivity": "cycle", "closed": True, key: value}
    for read in (graph_of_json, Problem.from_json, lambda data: tour_from_json(data | {"tour": [[0, 0]]})):
        with pytest.raises(KTError, match=f"it has '{key}'|connectivity|closed"):
            read(data)


@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=9),
    st.sampled_from([range(6), range(1, 7), [*"abcdef"]]),
)
def test_a_list_of_edges_that_is_written_is_read_again(rows: list[tuple[int, int, int]], labels: list[object]) -> None:
    """With small weights, which look like vertices."""
    graph = MoveGraph.from_edges(6, [row[:2] for row in rows], "x", labels)
    weights = {tuple(sorted(row[:2])): row[2] for row in rows}
    graph = graph.having(weights=np.array([weights[u, v] for u, v in graph.ends.tolist()], dtype=np.int64))
    try:
        text = graph_to_edge_list(graph)
    except KTError:
        assert graph.degrees.min() == 0 or graph.degrees.max() == 1
        return
    again = parse_edge_list(text, "x")
    assert again == graph and again.weights is not None and again.weights.tolist() == graph.weights.tolist()


# -- what a file cannot hold -------------------------------------------------------------------------------------------


def test_a_file_that_cannot_hold_a_graph_is_not_written() -> None:
    weighted = parse_edge_list("1 2 3\n2 3 4\n", "x")
    again = graph_of_json(json.loads(WRITERS[".json"](weighted)))
    assert again == weighted and again.weights is not None and again.weights.tolist() == [3, 4]
    for suffix in (".hcp", ".col"):
        with pytest.raises(KTError, match="weigh"):
            WRITERS[suffix](weighted)
    spaced = MoveGraph.from_edges(2, [[0, 1]], labels=("New York", "Boston"))
    with pytest.raises(KTError, match="New York"):
        graph_to_edge_list(spaced)
    with pytest.raises(KTError, match="1 has no edge"):
        graph_to_edge_list(MoveGraph.from_edges(3, [[0, 2]]))


@pytest.mark.parametrize("edges", [[[1, 2], [0, 1], [0, 2]], [[1, 0], [0, 2], [1, 2]], [[0, 1], *TRIANGLE]])
def test_numbers_of_edges_need_their_order(edges: list[list[int]]) -> None:
    """Edge 0 of the file would be another one of the graph, whose edges are in ascending order."""
    plain = {"vertices": 3, "edges": edges}
    assert graph_of_json(plain).ends.tolist() == TRIANGLE
    for key, value in (("required", [0]), ("weights", [[0, 0, 5]]), ("forbidden", [1]), ("chosen", [0])):
        data = plain | {"connectivity": "cycle", key: value}
        for read in (graph_of_json, Problem.from_json):
            with pytest.raises(KTError, match=f"ascending order|it has '{key}'|unknown key"):
                read(data)
