"""kt beside other programs: what they write is read or named, and what they do otherwise than expected is guarded.

The texts were written by the programs named, on small input of ours; findings/README.md tells what was surprising.
"""

from __future__ import annotations

import json
import re
from itertools import combinations
from pathlib import Path

import networkx as nx
import pytest

import encoders
import kt
from encoders.pb import clauses
from encoders.pb.models import map_text, to_opb
from encoders.sat.oracle import SOLVERS, Oracle, check_solver
from kt_models import KTError
from kt_models.files.graph_forms.table import parse_graph
from kt_models.files.graph_forms.unread import unread_form, unread_form_of_tools
from kt_models.files.graph_forms.write import graph_to_gml
from kt_models.files.tour_forms.scan import lines_with_tour
from tests.command import kt as run
from tests.command import one_line_refusal
from tests.pb_reader import refuted

# -- geometry and weights ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", ["1e-05", "1E-05", "1.E-05", "1.0E-05"])
def test_gml_of_igraph_and_of_networkx_has_the_same_small_numbers(number: str) -> None:
    """igraph 1.0.0 writes the first, networkx 3.6.1 the third, and neither reads the other's."""
    nodes = f" node [ id 0 x {number} y 0 ]\n node [ id 1 x 1 y 0 ]\n node [ id 2 x 0 y 1 ]\n"
    text = f"graph [\n{nodes} edge [ source 0 target 1 ]\n edge [ source 1 target 2 ]\n edge [ source 2 target 0 ]\n]\n"
    graph = parse_graph(text, ".gml", "g")
    assert graph.positions is not None and graph.positions.floats[0].tolist() == [1e-05, 0.0]


def test_numbers_in_gml_have_a_digit_before_the_exponent() -> None:
    """igraph refuses `1.E-05`; names that look like such numbers stay as they are."""
    graph = kt.graph(
        edges=[("1.E-05", "b"), ("b", "c"), ("c", "1.E-05")],
        pos={"1.E-05": (1e-05, -2e20), "b": (1.5e-07, 0.0), "c": (1.0, 1.0)},
    )
    text = graph_to_gml(graph)
    assert "x 1.0E-05\n" in text and "y -2.0E+20\n" in text and "x 1.5E-07\n" in text
    assert 'label "1.E-05"\n' in text and not re.search(r"\d\.E", text.replace('"1.E-05"', ""))
    assert {tuple(place.values()) for _, place in nx.parse_gml(text).nodes(data=True)} == {
        (1e-05, -2e20),
        (1.5e-07, 0.0),
        (1.0, 1.0),
    }
    again = parse_graph(text, ".gml", "g")
    assert again.positions is not None and graph.positions is not None
    assert again.positions.floats.tolist() == graph.positions.floats.tolist()


def test_gexf_of_graphology_keeps_its_positions() -> None:
    """graphology-gexf 0.13.2 gives `viz` a namespace that networkx does not know."""
    text = (
        '<?xml version="1.0" encoding="UTF-8"?>\n<gexf version="1.2" xmlns="http://www.gexf.net/1.2draft" '
        'xmlns:viz="http:///www.gexf.net/1.1draft/viz">\n  <graph defaultedgetype="undirected">\n    <nodes>\n'
        '      <node id="a" label="A">\n        <viz:position x="1.5" y="-2"/>\n      </node>\n'
        '      <node id="b">\n        <viz:position x="1e-7" y="4"/>\n      </node>\n    </nodes>\n    <edges>\n'
        '      <edge id="geid_63_0" source="a" target="b" weight="2"/>\n    </edges>\n  </graph>\n</gexf>'
    )
    graph = parse_graph(text, ".gexf", "g")
    assert graph.positions is not None and graph.positions.floats.tolist() == [[1.5, -2.0], [1e-07, 4.0]]
    assert graph.weights_in_unit() == [2]


def test_graphml_of_networkit_is_read_though_its_namespace_is_misspelled() -> None:
    """NetworKit 11.3 writes `xmlnsi` for `xmlns`."""
    text = (
        "<?xml version='1.0' encoding='utf-8'?>\n<graphml xmlnsi=\"http://graphml.graphdrawing.org/xmlns\">"
        '<key for="edge" id="d1" attr.name="weight" attr.type="double" /><graph edgedefault="undirected">'
        '<node id="0" /><node id="1" /><node id="2" />'
        '<edge directed="false" target="0" source="1" id="e0"><data key="d1">1.5</data></edge>'
        '<edge directed="false" target="0" source="2" id="e1"><data key="d1">2.5</data></edge>'
        '<edge directed="false" target="1" source="2" id="e2"><data key="d1">3.5</data></edge></graph></graphml>'
    )
    graph = parse_graph(text, ".graphml", "g")
    assert graph.ends.tolist() == [[0, 1], [0, 2], [1, 2]] and graph.weights_in_unit() == [1.5, 2.5, 3.5]


def test_weights_of_metis_may_be_decimals() -> None:
    """NetworKit 11.3 writes the first; METIS itself has integers only, of vertices always."""
    graph = parse_graph("3 3 1\n2 1.5 3 2.25 \n1 1.5 3 10 \n1 2.25 2 10 \n", ".graph", "g")
    assert graph.ends.tolist() == [[0, 1], [0, 2], [1, 2]] and graph.weights_in_unit() == [1.5, 2.25, 10]
    for text, words in (
        ("3 3 1\n2.0 1.5 3 2.25\n1 1.5 3 10\n1 2.25 2 10\n", "'2.0' is not a number of METIS"),
        ("3 3 1\n2 x 3 2.25\n1 1.5 3 10\n1 2.25 2 10\n", "'x' is not a weight of METIS"),
        ("3 3 11\n1.5 2 1 3 1\n1 1 1 3 1\n1 1 1 2 1\n", "'1.5' is not a number of METIS"),
        ("3 3 1\n2 1.5 3 2.25\n1 1.25 3 10\n1 2.25 2 10\n", "two weights|different"),
    ):
        with pytest.raises(KTError, match=words):
            parse_graph(text, ".graph", "g")


def test_attributes_in_json_of_rustworkx_are_kept() -> None:
    """rustworkx 0.18.1 has them in `data`, as texts."""
    nodes = [{"id": v, "data": {"label": label, "x": f"{v}.5", "y": "1"}} for v, label in enumerate("abc")]
    ends = ((0, 1, "1.5"), (1, 2, "2"), (2, 0, "3"))
    links = [{"source": u, "target": v, "id": e, "data": {"weight": w}} for e, (u, v, w) in enumerate(ends)]
    data = {"directed": False, "multigraph": True, "attrs": None, "nodes": nodes, "links": links}
    graph = parse_graph(json.dumps(data), ".json", "g")
    assert list(graph.labels or ()) == ["a", "b", "c"] and graph.weights_in_unit() == [1.5, 3, 2]
    assert graph.positions is not None and graph.positions.floats.tolist() == [[0.5, 1], [1.5, 1], [2.5, 1]]
    data["links"] = [{**row, "weight": 4} for row in links]
    with pytest.raises(KTError, match="'weight'"):
        parse_graph(json.dumps(data), ".json", "g")
    bare = {"nodes": [{"id": v, "data": None} for v in range(3)], "links": [{"source": 0, "target": 1, "data": None}]}
    assert parse_graph(json.dumps(bare), ".json", "g").weights is None


@pytest.mark.parametrize(
    ("kind", "flags"),
    [
        ("directed", (False, False)),
        ("undirected", (True, True)),
        *(("mixed", flags) for flags in ((False, False), (True, True), (True, False))),
    ],
)
def test_json_of_graphology_is_read(kind: str, flags: tuple[bool, bool]) -> None:
    """graphology 0.26 calls ids `key`; an undirected edge of a mixed graph, its default, has a flag."""
    nodes = [{"key": name, "attributes": {"x": v, "y": v * v}} for v, name in enumerate("abc")]
    edges = [
        {"key": f"e{e}", "source": "abc"[e], "target": "abc"[e + 1], "attributes": {"weight": e + 2}}
        | ({"undirected": True} if flag and kind == "mixed" else {})
        for e, flag in enumerate(flags)
    ]
    text = json.dumps({"attributes": {}, "options": {"type": kind, "multi": False}, "nodes": nodes, "edges": edges})
    if len(set(flags)) > 1:
        with pytest.raises(KTError, match="some of its edges are directed"):
            parse_graph(text, ".json", "g")
        return
    graph = parse_graph(text, ".json", "g")
    assert (graph.directed is None) == flags[0] and graph.weights_in_unit() == [2, 3]
    assert graph.positions is not None and graph.positions.floats[:3].tolist() == [[0, 0], [1, 1], [2, 4]]


# -- TSPLIB ------------------------------------------------------------------------------------------------------------


def test_a_list_of_edges_that_tsplib95_saved_is_named(tmp_path: Path) -> None:
    """tsplib95 0.7.1 reads an EDGE_LIST as one list of neighbours, and writes it on one line with a second -1."""
    head = "NAME: h\nTYPE: HCP\nDIMENSION: 4\nEDGE_DATA_FORMAT: EDGE_LIST\nEDGE_DATA_SECTION:\n"
    path = tmp_path / "saved.hcp"
    path.write_text(head + "1 2 2 3 3 4 4 1 -1\n-1\nEOF\n")
    one_line_refusal(run("solve", path), "tsplib95", "each edge on a line of its own")
    path.write_text(head + "1 2\n2 3\n3 4\n4 1\n-1\nEOF\n")  # Made in Python, it saves a list as TSPLIB has it
    assert run("solve", path).exit_code == 0
    path.write_text(head + "1 2\n2 3\n3 4\n4 1\n-1\n-1\nEOF\n")
    assert run("solve", path).exit_code == 0
    path.write_text(head + "1 2\n-1\n2 3\n-1\nEOF\n")
    one_line_refusal(run("solve", path), "numbers stand after the -1")


def test_other_files_of_tsplib95_are_read() -> None:
    """Keywords with colons, lists of neighbours, fixed edges, matrices, places with exponents."""
    head = "NAME: x\nTYPE: {}\nDIMENSION: 3\n"
    lists = head.format("HCP") + "EDGE_DATA_FORMAT: ADJ_LIST\nEDGE_DATA_SECTION:\n1 2 3 -1\n2 3 -1\n-1\nEOF\n"
    edges = head.format("HCP") + (
        "EDGE_DATA_FORMAT: EDGE_LIST\nEDGE_DATA_SECTION:\n1 2\n2 3\n1 3\n-1\nFIXED_EDGES_SECTION:\n1 2\n-1\nEOF\n"
    )
    matrix = head.format("TSP") + (
        "EDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: UPPER_ROW\nEDGE_WEIGHT_SECTION:\n3 5\n4\nEOF\n"
    )
    points = head.format("TSP") + "EDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION:\n1 0 0\n2 1 2\n3 3.5 1e-05\nEOF\n"
    for text in (lists, edges, matrix, points):
        assert parse_graph(text, ".tsp", "x").ends.tolist() == [[0, 1], [0, 2], [1, 2]]
    assert parse_graph(edges, ".hcp", "x").fixed == frozenset({0})
    assert parse_graph(matrix, ".tsp", "x").weights_in_unit() == [3, 5, 4]  # Vertices from 1: tsplib95 has them from 0
    assert parse_graph(points, ".tsp", "x").weights_in_unit() == [2, 4, 3]


# -- forms of generators that are not read -----------------------------------------------------------------------------

OF_TOOLS = {
    "directg -T": ("4 5 0 2 0 3 1 2 1 3 2 3\n4 6 0 2 0 3 1 2 1 3 2 3 3 2\n", "T-code"),
    "watercluster2 T": ("4 5 2 0 2 1 2 3 3 0 3 1\n", "watercluster2 with Z"),
    "vcolg -T": ("4 6 1 0 0 0  0 1 0 2 0 3 1 2 1 3 2 3\n", "vcolg -o"),
    "multig -T": ("4 3  0 3 2 1 3 1 2 3 1\n4 3  0 3 2 1 3 2 2 3 1\n", "T-code"),
    "gentourng": ("111111\n111101\n101111\n", "gentourng -z"),
    "dreadnaut": ("n=4 g 0:1 2 3;1:2;2:3.", "dretog -g"),
    "plantri -T": ("5 ABCD AEFG DHE CIFH IBG 6 AGB BIC CHD DEA EHF FIG\n", "plantri without -T"),
    "GDF": ("nodedef>name VARCHAR,x DOUBLE\na,1\nb,2\nedgedef>node1 VARCHAR,node2 VARCHAR\na,b\n", "GDF"),
    "Gephi, table": ("Source,Target,Type,Id,Label,Weight\na,b,Undirected,0,,1.0\nb,c,Undirected,1,,2.0\n", "Gephi"),
    "UCINET": ("dl n=3 format=edgelist1\nlabels:\na,b,c\ndata:\n1 2\n2 3\n3 1\n", "UCINET"),
    "VNA": ("*node data\nID x y\na 0 0\nb 1 0\n*tie data\nfrom to strength\na b 1\n", "VNA"),
    "igraph, LEDA": ("LEDA.GRAPH\nvoid\nvoid\n-2\n# Vertices\n2\n|{}|\n|{}|\n# Edges\n1\n1 2 0 |{}|\n", "LEDA"),
    "Graphviz, plain": (
        "graph 1 1.3889e+06 1.5\nnode a 0.375 0.25 0.75 0.5 a solid ellipse black lightgrey\nstop\n",
        "-Tdot is read",
    ),
    "Graphviz, JSON": ('{"name": "G", "_subgraph_cnt": 0, "objects": [{"_gvid": 0, "name": "a"}]}', "-Tdot is read"),
    "Cytoscape": ('{"data": [], "elements": {"nodes": [{"data": {"id": "0"}}], "edges": []}}', "Cytoscape"),
    "adjacency_data": ('{"nodes": [{"id": 0}, {"id": 1}], "adjacency": [[{"id": 1}], [{"id": 0}]]}', "node_link_data"),
    "libpysal, GAL": ("5\n0 2\n1 4\n1 2\n0 2\n2 2\n1 3\n3 2\n2 4\n4 2\n0 3\n", "PySAL"),
    "libpysal, GAL with an island": ("4\n0 2\n1 2\n1 2\n0 2\n2 2\n0 1\n3 0\n\n", "PySAL"),
    "libpysal, GWT": ("0 3 Unknown Unknown\n0 1 0.3333333\n0 2 2.5000000\n1 0 0.3333333\n2 0 2.5000000\n", "PySAL"),
    "NetworKit, SNAP": ("p 4 4 u u 0\n0 1\n1 2\n2 3\n3 0\n", "SNAP"),
}


@pytest.mark.parametrize("tool", OF_TOOLS)
def test_a_form_of_a_tool_that_is_not_read_is_named(tool: str, tmp_path: Path) -> None:
    """nauty 2.9.3, plantri 5.5, libpysal 4.14.1 and NetworKit 11.3 wrote them."""
    text, words = OF_TOOLS[tool]
    path = tmp_path / "written.txt"
    path.write_text(text)
    one_line_refusal(run("solve", path), words, "read")


@pytest.mark.parametrize(
    "text",
    ["5 5 5 5 5\n", "4 5 0 2 0 3 1 2 1 3 2 9\n", "1111\n11\n", "g 1 2\n", "3 ABC AB BC CA\n", "3\n0 1\n1 2\n2 0\n"],
)
def test_what_no_tool_wrote_is_not_named_so(text: str) -> None:
    assert unread_form_of_tools(text) == unread_form(text) == ""


# -- solvers -----------------------------------------------------------------------------------------------------------


def test_solutions_by_cpsat_are_counted_once_whatever_the_number_of_workers() -> None:
    """CP-SAT repeats solutions when it enumerates with several workers, so kt does not let it enumerate."""
    sources = [*Path(encoders.__file__).parent.rglob("*.py")]
    assert len(sources) > 50
    assert not [path.name for path in sources if "enumerate_all_solutions" in path.read_text()]
    edges = list(combinations(range(5), 2))
    for workers in (1, 2):
        tours = list(kt.tours(edges=edges, workers=workers))
        assert len(tours) == len({frozenset(map(frozenset, _moves(tour))) for tour in tours}) == 12


def _moves(tour: kt.Tour) -> list[tuple[int, int]]:
    order = [int(v) for v in tour.vertices]
    return [(order[place - 1], v) for place, v in enumerate(order)]


@pytest.mark.parametrize("name", ["kissat404", "kissat"])
def test_a_solver_that_drops_assumptions_is_refused(name: str) -> None:
    """kissat of PySAT answers as if the assumptions were not there, and only warns."""
    with pytest.raises(KTError, match="kissat"):
        check_solver(name)
    one_line_refusal(run("solve", "6x6", "--engine", "sat", "--solver", name), "kissat")


@pytest.mark.parametrize("name", SOLVERS)
def test_every_solver_that_kt_takes_heeds_assumptions(name: str) -> None:
    with Oracle(name, [[1, 2], [-1, 3]]) as oracle:
        assert not oracle.solve([-2, -3])
        assert oracle.solve([-2, 3])
        assert oracle.solve()


def test_a_log_without_the_empty_clause_still_gives_a_whole_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    """The log of maplecm may end before the empty clause: kt derives it itself, and checks that."""
    from pysat.solvers import Solver

    with Solver("maplecm", bootstrap_with=[[1, 2], [1, -2], [-1, 2], [-1, -2]], with_proof=True) as solver:
        assert not solver.solve()
        log = solver.get_proof()
    assert "0" not in log  # Else the guard is tested with nothing
    monkeypatch.setattr(clauses, "SOLVER", "maplecm")
    proved = clauses.refute_by_clauses(kt.problem("3x4", open=True, at_most={"turns": 9}), None)
    refuted(proved.model.opb(), proved.proof)


def test_a_solution_that_misses_a_limit_by_a_ten_millionth_is_refused(tmp_path: Path) -> None:
    """SCIP counts a constraint as satisfied if a millionth of its right side is missing."""
    weights = dict.fromkeys(combinations(range(4), 2), 10**7)
    for limit, status in ((4 * 10**7, 0), (4 * 10**7 - 1, 2)):
        problem = kt.problem(edges=[(*pair, weight) for pair, weight in weights.items()], at_most={"weight": limit})
        text = to_opb(problem, "flow")
        (tmp_path / "m.opb").write_text(text)
        (tmp_path / "m.opb.map").write_text(map_text(problem, "flow", ".opb", text))
        names = {pair: f"x{number + 1}" for number, pair in enumerate(map(tuple, problem.graph.ends.tolist()))}
        chosen = [names[pair] for pair in ((0, 1), (1, 2), (2, 3), (0, 3))]
        (tmp_path / "s.txt").write_text(f"v {' '.join(chosen)}\n")
        answer = run("convert", tmp_path / "s.txt", tmp_path / "t.json", "--model", tmp_path / "m.opb", "--force")
        assert answer.exit_code == status, answer.output
        assert status == 0 or "39,999,999" in answer.stderr or "39999999" in answer.stderr


# -- solutions of puzzles ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", ["3 4", "4 3", "3x4", "3, 4"])
def test_a_grid_below_its_size_is_read(size: str, tmp_path: Path) -> None:
    """puzzlekit 0.3.4 prints the size of a solution above it."""
    path = tmp_path / "solution.txt"
    grid = "1 2 3 4\n8 7 6 5\n9 10 11 12\n"
    for text in (f"{size}\n{grid}", grid):
        path.write_text(text)
        answer = run("check", path, "--leaper", "king")
        assert answer.exit_code == 0 and "4x3" in answer.stdout, answer.output
    path.write_text(f"{size}\n{grid.replace('7', '5')}")
    assert run("check", path, "--leaper", "king").exit_code in (1, 2)


@pytest.mark.parametrize(
    "text", ["2 2\n1 2\n4 3\n", "1 2\n2 3\n3 1\n", "3 3\n1 2 3\n6 5 4\n", "1 3\n1 2 " + "9" * 5000]
)
def test_two_numbers_above_other_lines_are_no_size(text: str, tmp_path: Path) -> None:
    assert [line for _, line in lines_with_tour(text).rows] == text.splitlines()
