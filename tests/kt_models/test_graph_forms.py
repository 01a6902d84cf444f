"""Every form of graphs: what networkx and SciPy write is read, what kt writes they read, and damage is refused."""

from __future__ import annotations

import io
import json
import re
import string
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import networkx as nx
import numpy as np
import pytest
import scipy.io
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st

import kt
from kt_models import KTError, MoveGraph, read_graph
from kt_models.directed import DirectedGraph
from kt_models.files.graph_forms.codes import read_code, sparse6_of
from kt_models.files.graph_forms.lists import row_pieces
from kt_models.files.graph_forms.table import GRAPH_FORMS, forms_text, likely_forms, parse_graph
from kt_models.files.graph_forms.write import NUMBERED, WRITERS, left_out
from kt_models.files.graph_lists.bytes import STREAM_FORMS
from kt_models.files.suffixes import GRAPH_SUFFIXES, SIGNS, suffix_of_text
from tests.command import answered, kt_json, one_line_refusal
from tests.command import kt as run

names = st.text(string.ascii_letters + string.digits + "_é", min_size=1, max_size=6).filter(
    lambda name: name[0].isalpha() and name not in ("c", "e", "p")  # Which begin lines of DIMACS
)


@st.composite
def networks(draw: st.DrawFn, *, directed: bool | None = None, weighted: bool | None = None) -> nx.Graph:
    """A graph of up to 9 named vertices, none of them alone, with weights or without."""
    nodes = draw(st.lists(names, min_size=2, max_size=9, unique_by=str.casefold))
    kind = nx.DiGraph if (draw(st.booleans()) if directed is None else directed) else nx.Graph
    graph = kind()
    graph.add_nodes_from(nodes)
    heavy = draw(st.booleans()) if weighted is None else weighted
    for place, node in enumerate(nodes):
        for other in draw(st.sets(st.sampled_from(nodes))) | {nodes[place - 1]}:
            if other != node:
                graph.add_edge(node, other, **({"weight": draw(st.integers(2, 99))} if heavy else {}))
    return graph


def facts(graph: nx.Graph) -> tuple[bool, set[str], dict[Any, int | None]]:
    """Whether a graph is directed, its nodes, and what its edges weigh."""
    pair: Callable[..., Any] = (
        (lambda u, v: (str(u), str(v))) if graph.is_directed() else (lambda *uv: frozenset(map(str, uv)))
    )
    return (
        graph.is_directed(),
        set(map(str, graph)),
        {pair(u, v): d.get("weight") for u, v, d in graph.edges(data=True)},
    )


def renamed(graph: nx.Graph, ending: str) -> nx.Graph:
    """The graph, with numbers as nodes where a form has no names."""
    first = NUMBERED.get(ending)
    return graph if first is None else nx.relabel_nodes(graph, {v: first + i for i, v in enumerate(graph)})


def symmetric(graph: nx.Graph) -> bool:
    """Whether each arc has an opposite of the same weight."""
    return all(graph.get_edge_data(v, u) == data for u, v, data in graph.edges(data=True))


# -- what kt writes ----------------------------------------------------------------------------------------------------

FOR_DIRECTED = (".hcp", ".json", ".d6", ".gml", ".graphml", ".gexf", ".net", ".dot", ".gv", ".mtx")
WITH_WEIGHTS = (".edges", ".json", ".gml", ".graphml", ".gexf", ".net", ".dot", ".gv", ".graph", ".mtx")


@settings(max_examples=2 * settings().max_examples)
@given(st.sampled_from([*WRITERS]), st.data())
def test_written_graphs_are_read_as_the_same_graph(ending: str, data: st.DataObject) -> None:
    directed = ending == ".d6" or (ending in FOR_DIRECTED and data.draw(st.booleans()))
    network = data.draw(networks(directed=directed, weighted=None if ending in WITH_WEIGHTS else False))
    graph = kt.graph(network)
    if ending == ".mtx" and directed and symmetric(network):
        with pytest.raises(KTError, match="undirected"):
            WRITERS[ending](graph)
        return
    text = WRITERS[ending](graph)
    assert facts(parse_graph(text, ending, "g").to_networkx()) == facts(renamed(network, ending))
    assert bool(left_out(graph, ending)) == (ending in NUMBERED)
    if ending not in (".edges", ".adjlist"):  # The content of others says what they are
        assert facts(parse_graph(text, "", "g").to_networkx()) == facts(renamed(network, ending))


@pytest.mark.parametrize("ending", WRITERS)
def test_a_form_refuses_what_it_has_no_place_for(ending: str) -> None:
    directed, heavy = (
        kt.graph(nx.DiGraph(["ab", "bc", "ca"])),
        kt.graph(edges=[("a", "b", 2), ("b", "c", 3), ("c", "a", 4)]),
    )
    fixed = kt.graph(nx.cycle_graph("abc")).having(fixed=frozenset({0}))
    for graph, able in ((directed, FOR_DIRECTED), (heavy, WITH_WEIGHTS), (fixed, (".hcp", ".json"))):
        if ending in able:
            WRITERS[ending](graph)
        else:
            with pytest.raises(KTError):
                WRITERS[ending](graph)


@given(networks(directed=False, weighted=False))
def test_networkx_reads_what_is_written(network: nx.Graph) -> None:
    graph = kt.graph(network)
    numbered = nx.convert_node_labels_to_integers(network)
    for ending, read in ((".g6", nx.from_graph6_bytes), (".s6", nx.from_sparse6_bytes)):
        back = read(WRITERS[ending](graph).strip().encode())
        assert set(map(frozenset, back.edges())) == set(map(frozenset, numbered.edges())) and len(back) == len(numbered)
    gml = nx.parse_gml(WRITERS[".gml"](graph).splitlines())
    assert facts(gml) == facts(network)
    matrix = scipy.io.mmread(io.StringIO(WRITERS[".mtx"](graph)))
    assert (matrix.toarray() == nx.to_numpy_array(network)).all()


def test_parallel_moves_have_a_place_in_multigraphs_alone(tmp_path: Path) -> None:
    for ending in (".g6", ".gml", ".graph", ".mtx"):
        one_line_refusal(run("convert", "torus:4x4", tmp_path / f"t{ending}"), "two moves")
    assert answered("convert", "torus:4x4", tmp_path / "t.s6")[0] == 0
    assert nx.read_sparse6(tmp_path / "t.s6").number_of_edges() == 64


def test_a_graph_is_replaced_by_another_and_nothing_else_is(tmp_path: Path) -> None:
    for ending in WRITERS:
        path = tmp_path / f"g{ending}"
        source = tmp_path / "d.dot"
        source.write_text("digraph { a -> b -> c -> a; b -> a }" if ending == ".d6" else "graph { a -- b -- c -- a }")
        assert answered("convert", source, path)[0] == 0
        assert answered("convert", source, path)[0] == 0, ending
        path.write_text("my notes [\n")
        one_line_refusal(run("convert", source, path), "--force")
        assert path.read_text() == "my notes [\n"
    (tmp_path / "list.g6").write_text("Bw\nBw\n")
    one_line_refusal(run("convert", source, tmp_path / "list.g6"), "--force")


# -- what other programs write -----------------------------------------------------------------------------------------


def gml(graph: nx.Graph) -> str:
    return "\n".join(nx.generate_gml(graph))


def written(write: Callable[..., Any]) -> Callable[[nx.Graph], str]:
    """What a function of networkx writes to a stream."""

    def text(graph: nx.Graph) -> str:
        stream = io.BytesIO()
        write(graph, stream)
        return stream.getvalue().decode()

    return text


FOREIGN: dict[str, tuple[str, Callable[[nx.Graph], str]]] = {
    "GML": (".gml", gml),
    "GraphML": (".graphml", written(nx.write_graphml)),
    "GEXF": (".gexf", written(nx.write_gexf)),
    "Pajek": (".net", written(nx.write_pajek)),
    "node-link": (".json", lambda graph: json.dumps(nx.node_link_data(graph, edges="links"))),
    "node-link with edges": (".json", lambda graph: json.dumps(nx.node_link_data(graph, edges="edges"))),
}


@given(st.sampled_from([*FOREIGN]), networks())
def test_files_of_networkx_are_read(form: str, network: nx.Graph) -> None:
    ending, write = FOREIGN[form]
    for suffix in (ending, ""):
        assert facts(parse_graph(write(network), suffix, "g").to_networkx()) == facts(network)


@given(networks(directed=False, weighted=False))
def test_lists_of_networkx_are_read(network: nx.Graph) -> None:
    text = "\n".join(nx.generate_adjlist(network))
    assert facts(parse_graph(text, ".adjlist", "g").to_networkx()) == facts(network)
    text = "\n".join(nx.generate_edgelist(network))
    assert facts(parse_graph(text, "", "g").to_networkx()) == facts(network)


@given(st.integers(1, 70), st.floats(0, 1), st.integers(0, 99))
def test_codes_of_networkx_are_read(n: int, share: float, seed: int) -> None:
    network = nx.gnp_random_graph(n, share, seed)
    edges = sorted(map(sorted, network.edges()))
    for encode in (nx.to_graph6_bytes, nx.to_sparse6_bytes):
        for header in (False, True):
            graph = parse_graph(encode(network, header=header).decode(), "", "g")
            assert graph.n == n and graph.ends.tolist() == edges and graph.labels is None


@given(st.integers(1, 70), st.floats(0, 1), st.integers(0, 99), st.booleans())
def test_codes_are_those_of_networkx(n: int, share: float, seed: int, sparse: bool) -> None:
    network = nx.gnp_random_graph(n, share**4 if sparse else share, seed)
    graph = MoveGraph.from_networkx(network)[0]
    assert WRITERS[".g6"](graph).encode() == nx.to_graph6_bytes(network, header=False)
    assert WRITERS[".s6"](graph).encode() == nx.to_sparse6_bytes(network, header=False)
    many = nx.MultiGraph(network)
    many.add_edges_from(list(network.edges())[::2])
    assert sparse6_of(n, np.array(list(many.edges()), dtype=np.int64).reshape(-1, 2)).encode() + b"\n" == (
        nx.to_sparse6_bytes(many, header=False)
    )


def test_graph6_that_begins_as_json_does() -> None:
    code = nx.to_graph6_bytes(nx.gnp_random_graph(60, 0.5, seed=31), header=False).decode()
    assert code.startswith("{}") and suffix_of_text(code) == ""
    assert suffix_of_text("{}") == suffix_of_text('{"kind": "tour"}') == suffix_of_text("{kind}") == ".json"


@given(st.integers(1, 9), st.data())
def test_digraph6_is_read(n: int, data: st.DataObject) -> None:
    """Written here character by character, as the definition of the format says it."""
    arcs = data.draw(st.sets(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1))))
    bits = "".join("1" if (u, v) in arcs else "0" for u in range(n) for v in range(n))
    bits += "0" * (-len(bits) % 6)
    code = "&" + chr(63 + n) + "".join(chr(63 + int(bits[i : i + 6], 2)) for i in range(0, len(bits), 6))
    graph = read_code(code, "g").directed
    assert isinstance(graph, DirectedGraph) and graph.n == n
    assert set(map(tuple, graph.arcs.tolist())) == {(u, v) for u, v in arcs if u != v}


@given(st.integers(2, 9), st.data())
def test_matrices_of_scipy_are_read(n: int, data: st.DataObject) -> None:
    entry = st.integers(0, 3)
    dense = np.array(data.draw(st.lists(st.lists(entry, min_size=n, max_size=n), min_size=n, max_size=n)))
    if data.draw(st.booleans()):
        dense = np.maximum(dense, dense.T)
    stream = io.BytesIO()
    scipy.io.mmwrite(stream, scipy.sparse.coo_array(dense))
    graph = parse_graph(stream.getvalue().decode(), ".mtx", "g").to_networkx()
    symmetric = bool((dense - np.diag(np.diag(dense)) == (dense - np.diag(np.diag(dense))).T).all())
    assert graph.is_directed() != symmetric
    wanted = {(u + 1, v + 1): int(dense[u, v]) for u, v in zip(*dense.nonzero(), strict=True) if u != v}
    weighed = any(value != 1 for value in wanted.values())
    if symmetric:
        wanted = {(u, v): value for (u, v), value in wanted.items() if u < v}
    assert {(u, v): d.get("weight", 1) for u, v, d in graph.edges(data=True)} == (
        wanted if weighed else dict.fromkeys(wanted, 1)
    )


K4 = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]
TEXTS: dict[str, tuple[str, list[str]]] = {
    "House of Graphs": ("1: 2 3 4\n2: 1 3 4\n3: 1 2 4\n4: 1 2 3\n\nGirth: 3\nGroup Size: 24\n", list("1234")),
    "showg": ("\nGraph 1, order 4.\n  0 : 1 2 3;\n  1 : 0 2 3;\n  2 : 0 1 3;\n  3 : 0 1 2;\n", list("0123")),
    "dreadnaut": ("0: 1 2 3;\n1: 2 3;\n2: 3.\n", list("0123")),
    "named lists": ("a: b, c, d\nb: a, c, d\nc: a, b, d\nd: a, b, c\n", list("abcd")),
    "snarks": ("{ one }\n1\n1\n{ two } \n4\n1 2 3\n0 2 3\n0 1 3\n0 1 2\n", list("0123")),
    "METIS": ("% no\n4 6\n2 3 4\n1 3 4\n1 2 4\n1 2 3\n", list("1234")),
    "adjacency list": ("# no\na b c d\nb c d\nc d\nd\n", list("abcd")),
    "edges with names": ("a b\na c\na d\nb c\nb d\nc d\n", list("abcd")),
    "DIMACS with weights of vertices": (
        "c x\np edge 4 6\nn 1 7\nn 4 2\ne 1 2\ne 1 3\ne 1 4\ne 2 3\ne 2 4\ne 3 4\n", list("1234")
    ),
    "DOT": ('strict graph "x" { /* c */ a -- {b c d} // e\n b -- c -- d; b:n -- "d"; node [shape=box] }', list("abcd")),
    "DOT with names": (
        'graph { "a b" [label=x]; "a b" -- "c\\"d" -- -1.5 -- "a b" ; <<b>x</b>> -- {"a b" "c\\"d" -1.5}}',
        ["a b", 'c"d', "-1.5", "<<b>x</b>>"],
    ),
    "Pajek without names": ("*Vertices 4\n*Edges\n1 2\n1 3\n1 4\n2 3\n2 4\n3 4\n", list("1234")),
    "GML of ids": (
        "Creator \"x\"\ngraph\n[\n" + "".join(f"node [ id {v} label \"same\" ]\n" for v in range(4))
        + "".join(f"edge [ source {u} target {v} ]\n" for u, v in K4) + "]\n", list("0123"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("form", TEXTS)
def test_forms_are_known_by_their_content(form: str, tmp_path: Path) -> None:
    """The complete graph on four vertices in every form."""
    text, vertices = TEXTS[form]
    (tmp_path / "file.unknown").write_text(text)
    graph = read_graph(tmp_path / "file.unknown")
    assert graph.ends.tolist() == K4
    assert [graph.name_of(v) for v in range(4)] == vertices
    named = next(name for name in likely_forms(text, "") if GRAPH_FORMS[name].fits(text))
    assert read_graph(tmp_path / "file.unknown", named) == graph
    result = kt_json("solve", tmp_path / "file.unknown")
    assert result["status"] == "feasible" and result["exit"] == 0


def test_words_of_gml_need_no_quotes_where_they_name_nodes() -> None:
    text = "graph [ node [ id A label a_b ] node [ id B ] node [ id 7 ] edge [ source B target A ] ]"
    graph = parse_graph(text, ".gml", "g")
    assert (graph.n, graph.m) == (3, 1)
    assert [set(pair) for pair in facts(graph.to_networkx())[2]] == [{"A", "B"}]


def test_an_encoding_that_xml_declares_is_read(tmp_path: Path) -> None:
    for ending, write in ((".graphml", nx.write_graphml), (".gexf", nx.write_gexf)):
        path = tmp_path / f"g{ending}"
        write(nx.cycle_graph(["Zürich", "Genève", "Köln"]), path)
        text = path.read_text().replace("utf-8", "ISO-8859-1", 1)
        path.write_bytes(text.encode("latin-1"))
        assert sorted(read_graph(path).labels or ()) == ["Genève", "Köln", "Zürich"]
        path.write_bytes(text.replace("ISO-8859-1", "martian", 1).encode("latin-1"))
        one_line_refusal(run("solve", path), "MARTIAN")


@pytest.mark.parametrize(
    ("ending", "text", "words"),
    [
        (".g6", "~~~~~~~~", "68,719,476,735 vertices"),
        (".s6", ":~~~~~~~~", "68,719,476,735 vertices"),
        (".g6", "?", "no vertices"),
        (".g6", "~?", "number of its vertices"),
        (".g6", "D?", "2 characters"),
        (".g6", "Bw Bw", "character"),
        (".g6", "B\x07", "character"),
        (".g6", "B@", "beyond the last pair"),
        (".s6", ":Dbbb~aaa", "character is wrong"),
        (".g6", ";Dab", "incremental"),
        (".g6", ">>planar_code<<abc", "from byte 16 on, is damaged"),
        (".d6", "&BP", "characters"),
        (".gml", "graph [ node [ id 0 ]", "GML"),
        (".gml", "graph [ node [ id 0 ] ]\ngraph [ node [ id 1 ] ]", "GML"),
        (".graphml", "<graphml><graph edgedefault='undirected'></graphml>", "GraphML"),
        (".graphml", "<graphml xmlns='http://graphml.graphdrawing.org/xmlns'></graphml>", "no graph"),
        (".gexf", "<gexf></gexf>", "GEXF"),
        (".net", "*Vertices 2\n1 a\n2 a\n*Edges\n1 2\n", "one name"),
        (".net", "*Vertices 999999999\n*Edges\n1 2\n", "over the limit"),
        (".net", "*Vertices 3\n*Edges\n1 2\n*Arcs\n2 3\n", "undirected or directed"),
        (".net", "*Vertices 3\n*Edges\n1 4\n", "outside 1..3"),
        *(
            (".net", f"{head}*Vertices 3\n{names}{edges}", words)
            for head, names, edges, words in (
                ("junk\n", "", "*Edges\n1 2\n", "outside of every section"),
                ("", "1 a\nx b\n3 c\n", "*Edges\n1 2\n", "begin with a number"),
                ("", "1 a\n1 b\n3 c\n", "*Edges\n1 2\n", "one number"),
                ("", "1 a\n4 b\n3 c\n", "*Edges\n1 3\n", "1..3"),
                ("", "", "*Edges\n1 2\n23\n", "no edge"),
                ("", "", "*Edges\n1 2\n2 x\n", "no edge"),
                ("", "1 a\n2 b\n3 c\n", "*Edges\n1 b\n", "no edge"),
                ("", "", "*Edges\n1 2 x\n", "not a number"),
                ("", "", "*Edges\n1 2 nan\n", "not a number"),
                ("", "", "*Edges 1 2\n2 3\n", "a word alone"),
            )
        ),
        (".net", "*Vertices 3\n*Matrix\n0 1 1\n", "*matrix is not read"),
        (".mtx", "%%MatrixMarket matrix coordinate pattern general\n2 3 1\n1 2\n", "square"),
        (".mtx", "%%MatrixMarket matrix coordinate complex general\n2 2 1\n1 2 1 1\n", "complex"),
        (".mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 nan\n", "NaN"),
        (".mtx", "%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 2 0\n", "weight 0, or none"),
        (".mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 9999999999\n1 2\n", "declared"),
        (".mtx", "%%MatrixMarket matrix array real general\n99999 99999\n1\n", "declared"),
        (".mtx", "%%MatrixMarket matrix coordinate pattern general\n999999999 999999999 0\n", "limit"),
        (".graph", "99999999999 3\n", "declared"),
        (".graph", "3 3\n2 3\n1 3\n1\n", "declared"),
        (".graph", "3 2\n2 x\n\n\n", "not a number of METIS"),
        (".adjlist", "a b c\nb a\nc\nd a\na d\n", "damaged, or those of a directed"),
        (".lst", "1: 2\n1: 3\n", "two lists"),
        (".lst", "Graph 1, order 4.\n1: 2 3\n2: 3\n", "its first line says 4"),
        (".lst", "1\n1\n3\n1 2\n0 2\n0 3\n", "vertex 3 of 3"),
        (".dot", "graph { a -> b }", "undirected"),
        (".dot", "digraph { a -- b }", "digraph"),
        (".dot", "graph { a -- }", "missing"),
        (".dot", "graph { a", "ends before"),
        (".dot", "graph { a -- b } graph { c }", "more than one"),
        (".dot", "graph {" + "{" * 5000 + "}" * 5000 + "}", "nested"),
        (".dot", "graph { }", "no vertices"),
        (".json", '{"nodes": [{"id": 1}], "links": [{"source": 1, "target": 2}]}', "which is not there"),
        (".json", '{"nodes": [{"id": "a"}], "links": [{"source": "", "target": "a"}]}', "which is not there"),
        (".json", '{"nodes": [{"id": 1}, {"id": 1}], "links": []}', "one id"),
        (".json", '{"nodes": [{"name": 1}], "links": []}', "id None"),
        (".col", "p edge 2 1\nn 5 1\ne 1 2\n", "DIMACS"),
        # Found by mutation: each was read as another graph than the form says, or ended the process
        *((ending, text, "number of its vertices" if text[-1] == "?" else "") for ending, text in (
            (".g6", "~"), (".s6", ":~"), (".d6", "&~"), (".g6", "~?"),
        )),
        (".g6", ">>graph6h6<<Bw", "'>' is not a character"),
        (".g6", ">>sparse6<<Bw", "its header says sparse6"),
        (".col", "e 1 2\np edge 2 1\n", "above the line"),
        (".graph", "3 3\n1 3\n1 3\n1 2\n", "from both ends"),
        (".graph", "3 3\n2 3\n1 3 3\n1 2\n", "from both ends"),
        (".graph", "3 3 1 1\n2 1 3 3\n1 1 3 2\n1 3 2 2\n", "number of weights"),
        (".lst", "0\n1\n3\n1 2\n0 2\n0 1\n", "says 0 graphs"),
        (".lst", "0: ?1 2 3;\n1: 2 3;\n2: 3.\n", "'?1' is no number"),
        (".lst", "0: -1 2;\n1: 2;\n", "'-1' is no number"),
        (".lst", "0: 1 2;;\n1: 2;\n", "not the name"),
        (".lst", "1: 2\n:2: 1\n", "is not a vertex, a colon"),
        (".lst", "0: 12\n1: 0:2\n", "'0:2' is not the name"),
        (".lst", "0: 1,, 2\n1: 2\n", "missing before a comma"),
        (".lst", "0: 1 2\nann: bob, eve\n", "is no number"),
        (".lst", "0: 1 2\n   3\n1: 2\n", "no ';' ends it"),
        (".lst", "Graph 1, order 2.\nGraph 1, order 2.\n0: 1;\n1: 0;\n", "within a graph"),
        (".mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 1.5\n", "vertex outside"),
        (".mtx", "%%MatrixMarket matrix coordinate integer general\n3 3 2\n2 1 1x\n3 1 1\n", "no number"),
        (".mtx", "%%MatrixMarket matrix coordinate integer general\n3 3 2\n2 1 1\n2 1 1\n", "occurs twice"),
        (".mtx", "%%MatrixMarket matrix coordinate integer symmetric\n3 3 2\n2 1 1\n1 2 2\n", "occurs twice"),
        (".mtx", "%%MatrixMarket matrix array real symmetric\n3 3\n0\n1\n2\n0\n3\n", "6 entries are declared, and 5"),
        (".mtx", "%%MatrixMarket matrix array pattern general\n2 2\n1\n1\n1\n1\n", "pattern"),
        (".mtx", "%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n1 1 3\n", "diagonal"),
        (".net", "*Vertices 3\n1 \"a\"b\n2 c\n3 d\n*Edges\n1 2\n", "quote"),
        (".net", "*Vertices 3\n1 a\"b\"\n2 c\n3 d\n*Edges\n1 2\n", "quote"),
        (".dot", "graph { a -- b; node; c }", "'[' is missing"),
        (".gml", "graph [ node [ id 0 node [ id 1 ] ] ]", "wrong place"),
        (".gml", "graph [ directed 1 directed 0 node [ id 1 ] ]", "directed twice"),
        (".gml", "graph [ directed 2 node [ id 1 ] ]", "neither 0 nor 1"),
        (".gml", "graph [ node [ id 0 label \"a\" label \"b\" ] ]", "label twice"),
        (".gml", "graph [ node [ id 0 ] edge [ source 0 target 1 ] ]", "the node 1, which is not there"),
        (".gml", "graph [ directed 11node [ id 0 ] ]", "value of directed"),
        (".gml", "graph [ node [ id 0 label \"a ] ]", "is not GML"),
        (".gml", "graph [ node [ id label \"a\" ] ]", "stands where a key should"),
        (".gml", "graph [ node [ id 1.5 ] ]", "neither an integer nor a word"),
        (".json", '{"nodes": [{"id": 1}], "links": [{"source": 0, "target": 1}]}', "the node 0, which is not there"),
        *((".graphml", f"<graphml>{text}</graphml>", words) for text, words in (
            ("<graph edgedefault='undirected'><node id='a'/><edge source='a' target='b'/></graph>", "which is not"),
            ("<graph edgedefault='undirected'><node id='a'/><edge source='a'/></graph>", "no attribute 'target'"),
            ("<graph edgedefault='undirected'><node id='a'/><node id='a'/></graph>", "two nodes have one id"),
            ("<graph edgedefault='up'><node id='a'/></graph>", "edgedefault"),
            ("<graph edgedefault='directed'><node id='a'/><edge source='a' target='a'/>"
             "<edge source='a' target='a' directed='false'/></graph>", "undirected or directed"),
            ("<graph edgedefault='directed'><node id='a'/><ede source='a' target='a'/></graph>", "an element ede"),
            ("<graph edgedefault='directed'><node id='a'><graph/></node></graph>", "an element graph within"),
            ("<graph edgedefault='directed'><hyperedge/></graph>", "an element hyperedge"),
            ("<graph edgedefault='directed'><node id='a'/>", "not XML: mismatched tag"),
        )),
        *((".gexf", f"<gexf><graph {kind}>{text}</graph></gexf>", words) for kind, text, words in (
            ("", "<nodes><node id='a'/></nodes><edges><edge source='a' target='b'/></edges>", "'b', which is not"),
            ("", "<nodes><node id='a'/></nodes><edge source='a' target='a'/>", "an element edge within"),
            ("", "<nodes><node id='a'/><node id='a'/></nodes>", "two nodes have one id"),
            ("defaultedgetype='undirecte3d'", "<nodes><node id='a'/></nodes>", "the type of its edges"),
        )),
        (".hxp", "hello\n", "read are JSON"),
        (".hxp", "", "it is empty"),
    ],
)  # fmt: skip
def test_faults_of_files_are_one_line(ending: str, text: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / f"g{ending}"
    path.write_text(text)
    one_line_refusal(run("solve", path), words)


@pytest.mark.parametrize("data", [bytes(range(256)) * 3, "graph [ é ]".encode("latin-1"), "a b".encode("utf-16")])
def test_binary_files_are_refused(data: bytes, tmp_path: Path) -> None:
    for ending in GRAPH_SUFFIXES:
        (tmp_path / f"g{ending}").write_bytes(data)
        words = f"g{ending}" if GRAPH_SUFFIXES[ending][0] in STREAM_FORMS else "UTF-8"
        one_line_refusal(run("solve", tmp_path / f"g{ending}"), words)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"vertices": 4, "edges": [[0', "ends too early"),
        ('{"vertices": 4, "edges": [[0, 1] [1, 2]]}', "comma"),
        ('{"vertices" 4}', "colon"),
        ('{"vertices": }', "value is missing"),
        ('{"vertices": 4, }', "bracket|key"),
        ('{"vertices": "\\q"}', "escape"),
        ('{"vertices": 4}}', "more follows"),
    ],
)
def test_damaged_json_is_described_in_words_of_our_own(text: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "g.json").write_text(text)
    with pytest.raises(KTError, match=words) as caught:
        read_graph(tmp_path / "g.json")
    assert "xpecting" not in str(caught.value)


def test_folders_and_devices_are_called_so(tmp_path: Path) -> None:
    one_line_refusal(run("solve", tmp_path), "it is a folder")
    one_line_refusal(run("solve", f"@{tmp_path}"), "it is a folder")
    if Path("/dev/zero").exists():
        one_line_refusal(run("solve", "/dev/zero"), "it is a device")
        one_line_refusal(run("solve", "/dev/null"), "it is empty")
    (tmp_path / "g.dot").write_text("graph { a -- b -- c -- a }")
    one_line_refusal(run("draw", tmp_path / "g.dot", "-o", tmp_path / "g.svg"), "no positions")
    one_line_refusal(run("draw", "8x8", "-o", tmp_path / "g.bmp"), "g.png")


SAMPLES = [
    *(text for text, _ in TEXTS.values()),
    *(write(kt.graph(nx.petersen_graph())) for ending, write in WRITERS.items() if ending != ".d6"),
]


@given(st.sampled_from(SAMPLES), st.sampled_from(["", *GRAPH_SUFFIXES]), st.data())
def test_damage_is_refused_or_read_and_nothing_else(text: str, ending: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 9)))
    damaged = text[:start] + data.draw(st.text("0123456789 \n:[]{}<>~?-\"'*%x\x00é", max_size=6)) + text[end:]
    with suppress(KTError):
        assert isinstance(parse_graph(damaged, ending, "g"), MoveGraph)


def rows_of(text: str, skipped: int) -> list[list[str]]:
    return [line.split() for line in text.splitlines()[skipped:]]


PLAIN: dict[str, tuple[Callable[[list[list[int]]], str], Callable[[str], list[tuple[str, str]]]]] = {
    ".graph": (
        lambda near: f"{len(near)} {sum(map(len, near)) // 2}\n"
        + "".join(" ".join(str(v + 1) for v in row) + "\n" for row in near),
        lambda text: [(str(u), str(int(v))) for u, row in enumerate(rows_of(text, 1), start=1) for v in row],
    ),
    ".lst": (
        lambda near: "".join(f"{u} : {' '.join(map(str, row))};\n" for u, row in enumerate(near)),
        lambda text: [(row[0], v) for row in rows_of(text.replace(";", "").replace(":", " : "), 0) for v in row[2:]],
    ),
    ".mtx": (
        lambda near: "%%MatrixMarket matrix coordinate pattern general\n"
        f"{len(near)} {len(near)} {sum(map(len, near))}\n"
        + "".join(f"{u + 1} {v + 1}\n" for u, row in enumerate(near) for v in row),
        lambda text: [(row[0], row[1]) for row in rows_of(text, 2)],
    ),
    ".net": (
        lambda near: f"*Vertices {len(near)}\n*Edges\n"
        + "".join(f"{u + 1} {v + 1}\n" for u, row in enumerate(near) for v in row if u < v),
        lambda text: [(row[0], row[1]) for row in rows_of(text, 2)],
    ),
    ".gml": (
        lambda near: "graph [\n" + "".join(f"node [ id {v} ]\n" for v in range(len(near)))
        + "".join(f"edge [ source {u} target {v} ]\n" for u, row in enumerate(near) for v in row if u < v) + "]\n",
        lambda text: [  # Other keys are ignored
            (str(int(u)), str(int(v))) for u, v in re.findall(r"(?<!\S)edge \[ source (\S+) target (\S+)", text)
        ],
    ),
}  # fmt: skip
"""Writers of lists of neighbours, and readers that take every word as it is."""


@settings(max_examples=3 * settings().max_examples)
@given(st.sampled_from([*PLAIN]), st.integers(2, 6), st.data())
def test_a_changed_word_is_refused_or_read_as_it_is(ending: str, n: int, data: st.DataObject) -> None:
    network = nx.gnp_random_graph(n, 0.6, data.draw(st.integers(0, 99)))
    write, read = PLAIN[ending]
    words = re.split(r"(\s+)", write([sorted(network[v]) for v in range(n)]))
    place = data.draw(st.integers(0, (len(words) - 1) // 2)) * 2
    word = data.draw(
        st.sampled_from([*map(str, range(n + 2)), "", "-1", "1.5", "01", "x", "?1", ":", "1e400", "[", '"'])
    )
    words[place] = data.draw(st.sampled_from([word, words[place] + word, word + words[place]]))
    text = "".join(words)
    try:
        graph = parse_graph(text, ending, "g")
    except KTError:
        return
    wanted = {frozenset(pair) for pair in read(text) if pair[0] != pair[1]}
    arcs = facts(graph.to_networkx())[2]
    assert {frozenset(pair) for pair in arcs} == wanted


@pytest.mark.parametrize(
    "part", [" ", "\n", " \n", "# \n", "%\n", "{", "<!-", "/*", "//\n", "graph ", "1 ", "1:", "~", '"', ":", "a "]
)
def test_long_texts_are_looked_at_once(part: str) -> None:
    """A pattern that tried each way to cut them would not come to an end."""
    text = part * (10_000 // len(part)) + "!"
    for ending in ("", *GRAPH_SUFFIXES):
        with suppress(KTError):
            parse_graph(text, ending, "g")


def test_the_table_is_whole() -> None:
    assert {name for named in GRAPH_SUFFIXES.values() for name in named} == set(GRAPH_FORMS)
    assert set(SIGNS) <= {*GRAPH_SUFFIXES, ".tour"}
    assert set(WRITERS) <= set(GRAPH_SUFFIXES)
    assert len(forms_text()) < 330  # One line of an error has room for the rest


def test_the_page_has_every_form_and_ending() -> None:
    page = (Path(__file__).parents[2] / "docs/use/graph-files.md").read_text()
    table = page.partition("\n- ")[0]
    lines = [line for line in table.splitlines() if line.startswith("| `")]
    _, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in lines)
    assert [row[0].strip("`") for row in rows] == [*GRAPH_FORMS]
    for name, endings, _, _, several, out in rows:
        form = name.strip("`")
        assert set(re.findall(r"`(\.\w+)`", endings)) == {e for e, names in GRAPH_SUFFIXES.items() if form in names}
        assert (several == "-") == (GRAPH_FORMS[form].pieces is None and form not in STREAM_FORMS)
        assert set(re.findall(r"`(\.\w+)`", out)) == {e for e in WRITERS if GRAPH_SUFFIXES[e][0] == form}


# -- which form --------------------------------------------------------------------------------------------------------


def test_an_option_decides(tmp_path: Path) -> None:
    path = tmp_path / "g.txt"
    path.write_text("a b c\nb c a\nc a b\n")  # As edges 'c' would be a weight
    one_line_refusal(run("solve", path), "weight")
    assert kt_json("solve", path, "--form", "neighbours")["status"] == "feasible"
    assert kt.graph(str(path), form="neighbours").m == kt.graph(str(path), form="adjacency").m == 3
    one_line_refusal(run("solve", path, "--form", "adjacent"), "did you mean 'neighbours'")
    one_line_refusal(run("solve", "6x6", "--form", "edges"), "no effect")
    with pytest.raises(KTError, match="how a file has a graph"):
        kt.graph("6x6", form="edges")
    assert answered("convert", path, tmp_path / "g.g6", "--form", "neighbours")[0] == 0
    assert (tmp_path / "g.g6").read_text() == "Bw\n"


def test_two_readings_that_differ_are_refused() -> None:
    text = "3 1\n2\n1\n\n"  # METIS with a vertex that has no neighbour, or an adjacency list
    with pytest.raises(KTError, match=r"--form metis or neighbours"):
        parse_graph(text, "", "g")
    as_metis = parse_graph(text, ".graph", "g")
    assert as_metis.ends.tolist() == parse_graph(text, "", "g", "metis").ends.tolist() == [[0, 1]]
    assert parse_graph(text, "", "g", "neighbours").ends.tolist() == [[0, 2]]


@pytest.mark.parametrize(
    "text",
    [
        "5 6 0\n1 2 \n 5\n",  # METIS, cut off
        "*ertices 3\n1 ann 0.0 2.0\n2 Bob 0.0 0.0\n3 c3 0.0 0.0\n*edges\n1 2 1.0\n1 3 1.0\n",
        "c x\np1 edge 3 3\nn 1 4\ne 1 2\ne 1 3\ne 2 3\n",
        "1\n6\n1 -12 4\n0 2 3 5\n1 2 4\n0 1 3 4 5\n",
    ],
)
def test_damaged_files_are_no_adjacency_lists(text: str) -> None:
    """An adjacency list has names, too, and one line for each."""
    with pytest.raises(KTError, match="read are JSON"):
        parse_graph(text, "", "g")


@pytest.mark.parametrize("form", TEXTS)
def test_lines_may_end_in_carriage_returns(form: str) -> None:
    text, _ = TEXTS[form]
    for end in ("\r", "\r\n"):
        graph = parse_graph(text.replace("\n", end), "", "g")
        assert graph.ends.tolist() == K4 and graph.labels == parse_graph(text, "", "g").labels


# -- lists of snarks ---------------------------------------------------------------------------------------------------


def test_a_damaged_graph_of_a_list_does_not_end_the_others() -> None:
    k4 = "4\n1 2 3\n0 2 3\n0 1 3\n0 1 2\n"
    text = f"4\n1\n{k4}2\n4\n1 2 3\n0 two 3\n0 1 3\n0 1 2\n3\n{k4}4\n4\n1 2 3\n0 2 3\n"
    pieces = list(row_pieces(text.splitlines()))
    assert [piece.number for piece in pieces] == [1, 2, 3, 4]
    assert [bool(piece.fault) for piece in pieces] == [False, True, False, True]
    assert pieces[2].text.splitlines() == k4.splitlines()


def test_graphs_of_a_file_are_read_one_by_one(tmp_path: Path) -> None:
    """A damaged line is an error of its own; the graphs after it are read."""
    path = tmp_path / "list.g6"
    path.write_bytes(b">>graph6<<Bw\nB\xffw\n\nC~\nCC\x00\nBg\n")
    graphs, sizes, faults = kt.graphs(path), [], []
    while True:
        try:
            sizes.append((graph := next(graphs)).n)
        except StopIteration:
            break
        except KTError as error:
            faults.append(str(error))
    assert sizes == [3, 4, 3] and graph.name == "list.g6 (5)"
    assert [fault.partition(":")[0] for fault in faults] == ["list.g6 (2)", "list.g6 (4)"]
    assert next(kt.graphs(path, form="graph6")).n == 3
    (tmp_path / "one.gml").write_text("graph [ node [ id 1 ] ]")
    assert [graph.n for graph in kt.graphs(tmp_path / "one.gml")] == [1]
    text = "1: 2 3\n2: 1 3\n3: 1 2\n\n1: 2\n2: 1\n\nGirth: 3\n\nGraph 3, order 2.\n0: 1;\n1: 0;\n"
    (tmp_path / "lists.txt").write_text(text)
    assert [graph.n for graph in kt.graphs(tmp_path / "lists.txt")] == [3, 2, 2]


# -- Python ------------------------------------------------------------------------------------------------------------


class Attributes(dict):  # type: ignore[type-arg]
    """The `vs` or `es` of igraph."""

    def attributes(self) -> list[str]:
        return list(self)


def igraph(graph: nx.Graph, *, named: bool = True) -> Any:
    """What kt asks of an `igraph.Graph`."""
    nodes = list(graph)
    weights = [d.get("weight") for *_, d in graph.edges(data=True)]
    return SimpleNamespace(
        vcount=lambda: len(nodes),
        get_edgelist=lambda: [(nodes.index(u), nodes.index(v)) for u, v in graph.edges()],
        is_directed=graph.is_directed,
        vs=Attributes({"name": nodes} if named else {}),
        es=Attributes({"weight": weights} if any(weights) else {}),
    )


@given(networks())
def test_graphs_of_igraph_are_read(network: nx.Graph) -> None:
    assert facts(kt.graph(igraph(network)).to_networkx()) == facts(network)
    numbered = nx.convert_node_labels_to_integers(network)
    assert facts(kt.graph(igraph(network, named=False)).to_networkx()) == facts(numbered)


@pytest.mark.parametrize("kind", ["array", "matrix"])
@pytest.mark.parametrize("layout", ["csr", "csc", "coo", "lil", "dok", "dia", "bsr"])
def test_sparse_matrices_are_graphs_wherever_one_is_taken(kind: str, layout: str) -> None:
    network = nx.petersen_graph()
    matrix = getattr(scipy.sparse, f"{layout}_{kind}")(nx.to_scipy_sparse_array(network))
    assert kt.graph(matrix) == kt.graph(network) == kt.graph(adjacency=matrix)
    assert kt.graph(adjacency=nx.to_numpy_array(network)) == kt.graph(network)


@pytest.mark.parametrize(
    ("matrix", "words"),
    [
        (scipy.sparse.coo_array((2, 3)), "square"),
        (scipy.sparse.coo_array(np.array([[0, 1j], [1j, 0]])), "0 and 1"),
        (scipy.sparse.csr_array((np.array([0.0, 2.0]), (np.array([0, 1]), np.array([1, 0])))), "missing=0"),
        (scipy.sparse.coo_array((0, 0)), "square"),
    ],
)
def test_other_matrices_are_refused(matrix: Any, words: str) -> None:
    with pytest.raises(KTError, match=words):
        kt.graph(matrix)


def test_answers_speak_of_the_names_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "g.gml"
    nx.write_gml(nx.cycle_graph(["Köln", "Bonn", "Ulm", "Kiel"]), path)
    code, out, _ = answered("solve", path, "--from", "Ulm")
    assert code == 0 and out.splitlines()[-1].split(", ")[0].split()[0] == "Ulm"
    assert sorted(kt.solve(str(path)).tour.names) == ["Bonn", "Kiel", "Köln", "Ulm"]
