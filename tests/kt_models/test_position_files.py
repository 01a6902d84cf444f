"""Positions in files of graphs, as programs write them, in lists of points, and in pictures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import networkx as nx
import numpy as np
import pytest

import kt
from kt_models import KTError
from kt_models.files.graph_forms.point_list import parse_points
from kt_models.files.graph_forms.xml_graphs import read_graphml
from kt_models.files.points import pairs_of
from kt_models.positions import Positions
from tests.command import kt as command
from tests.command import kt_json

POINTS = {"a": (0.5, 0), "b": (2, 1.25), "c": (3, -1), "d": (1, 3)}
EDGES = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a"), ("a", "c")]


def network(**attributes: Any) -> nx.Graph:
    """The graph, whose nodes have attributes made from their points."""
    graph = nx.Graph()
    for name, (x, y) in POINTS.items():
        graph.add_node(name, **{key: make(x, y) for key, make in attributes.items()})
    graph.add_edges_from(EDGES)
    return graph


X, Y = (lambda x, y: x), (lambda x, y: y)
YED = """<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:y="http://www.yworks.com/xml/graphml">
<key for="node" id="d0" yfiles.type="nodegraphics"/><graph edgedefault="undirected">{nodes}{edges}</graph></graphml>"""


def yed() -> str:
    """GraphML of yEd, which writes the corner of each shape."""
    nodes = "".join(
        f'<node id="{name}"><data key="d0"><y:ShapeNode><y:Geometry height="30.0" width="20.0" x="{x - 10}" '
        f'y="{y - 15}"/><y:NodeLabel>{name}</y:NodeLabel></y:ShapeNode></data></node>'
        for name, (x, y) in POINTS.items()
    )
    return YED.format(nodes=nodes, edges="".join(f'<edge source="{u}" target="{v}"/>' for u, v in EDGES))


def dot(quote: str = "") -> str:
    nodes = "".join(f'  {name} [pos="{quote}{x},{y}!{quote}"];\n' for name, (x, y) in POINTS.items())
    return "graph {\n" + nodes + "".join(f"  {u} -- {v};\n" for u, v in EDGES) + "}\n"


TSPLIB = "TYPE : HCP\nDIMENSION : 4\nEDGE_DATA_FORMAT : EDGE_LIST\nEDGE_DATA_SECTION\n1 2\n2 3\n3 4\n4 1\n1 3\n-1\n"
SECTION = "".join(f"{number} {x} {y}\n" for number, (x, y) in enumerate(POINTS.values(), start=1))


def written(path: Path) -> dict[str, Any]:
    """Files with the points, by their name."""
    to = {}
    nx.write_graphml(network(x=X, y=Y), path / "xy.graphml")
    nx.write_graphml(network(pos=lambda x, y: str((x, y))), path / "text.graphml")
    nx.write_gml(network(pos=lambda x, y: (x, y)), path / "repeated.gml")
    nx.write_gml(network(x=X, y=Y), path / "xy.gml")
    nx.write_gml(network(graphics=lambda x, y: {"x": x, "y": y}), path / "graphics.gml")
    nx.write_gexf(network(viz=lambda x, y: {"position": {"x": x, "y": y, "z": 0.0}}), path / "viz.gexf")
    nx.write_gexf(network(viz=lambda x, y: {"position": {"x": x, "y": y}}), path / "none.gexf")
    nx.write_pajek(network(x=lambda x, y: str(x), y=lambda x, y: str(y)), path / "xy.net")
    to["yed.graphml"], to["nodes.dot"], to["quotes.dot"] = yed(), dot(), dot("'")
    to["xy.json"] = json.dumps(nx.node_link_data(network(x=X, y=Y), edges="links"))
    to["pos.json"] = json.dumps(nx.node_link_data(network(pos=lambda x, y: [x, y]), edges="links"))
    to["coordinates.hcp"] = f"{TSPLIB}NODE_COORD_SECTION\n{SECTION}EOF\n"
    to["display.hcp"] = f"{TSPLIB}DISPLAY_DATA_SECTION\n{SECTION}EOF\n"
    for name, text in to.items():
        (path / name).write_text(text)
    return to


FILES = [
    "xy.graphml", "text.graphml", "yed.graphml", "repeated.gml", "xy.gml", "graphics.gml", "viz.gexf", "none.gexf",
    "xy.net", "nodes.dot", "quotes.dot", "xy.json", "pos.json", "coordinates.hcp", "display.hcp",
]  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_positions_are_read_as_programs_write_them(name: str, tmp_path: Path) -> None:
    written(tmp_path)
    graph = kt.graph(tmp_path / name)
    assert graph.positions == Positions.of(list(POINTS.values())), graph.unplaced
    # The only Hamiltonian cycle is a, b, c, d, and c-d passes between a and b.
    assert kt.solve(graph, minimize="crossings").value == 1


@pytest.mark.parametrize(
    ("arrows", "directed"),
    [(("none", "none"), False), (("none", "standard"), True), (("standard", "standard"), True), (None, True)],
)
def test_edges_of_yed_without_arrows_are_undirected(arrows: tuple[str, str] | None, directed: bool) -> None:
    """Graphs of yEd say `directed` whatever is drawn."""
    head = "" if arrows is None else '<y:Arrows source="{}" target="{}"/>'.format(*arrows)
    drawn = f'<data key="d1"><y:PolyLineEdge>{head}</y:PolyLineEdge></data></edge>'
    text = yed().replace("undirected", "directed").replace("<graph ", '<key for="edge" id="d1"/><graph ')
    for u, v in EDGES:
        link = f'<edge source="{u}" target="{v}"'
        text = text.replace(f"{link}/>", f"{link}>{drawn}")
    assert (read_graphml(text, "g").directed is not None) == directed


def test_pajek_files_without_positions_have_none(tmp_path: Path) -> None:
    nx.write_pajek(nx.relabel_nodes(nx.cycle_graph(4), str), tmp_path / "none.net")
    assert kt.graph(tmp_path / "none.net").positions is None


@pytest.mark.parametrize("suffix", [".gml", ".graphml", ".gexf", ".net", ".dot", ".json"])
def test_positions_are_written_and_read_again(suffix: str, tmp_path: Path) -> None:
    written(tmp_path)
    assert command("convert", tmp_path / "xy.gml", tmp_path / f"out{suffix}").exit_code == 0
    assert kt.graph(tmp_path / f"out{suffix}").positions == Positions.of(list(POINTS.values()))


def test_a_missing_position_is_named_when_it_is_needed() -> None:
    graph = network(x=X, y=Y)
    del graph.nodes["c"]["x"]
    assert kt.solve(graph).status == "feasible"
    with pytest.raises(KTError, match="vertex c has no position"):
        kt.solve(graph, minimize="turns")


@pytest.mark.parametrize(
    "pos",
    [POINTS, list(POINTS.values()), np.array(list(POINTS.values())), "place", [complex(*p) for p in POINTS.values()]],
)
def test_positions_in_python_have_many_forms(pos: Any) -> None:
    graph = network(place=lambda x, y: (x, y))
    assert kt.graph(graph, pos=pos).positions == Positions.of(list(POINTS.values()))


def test_cells_and_edges_together_are_a_graph_with_positions() -> None:
    cells = [(0, 0), (2, 0), (2, 1), (0, 1)]
    result = kt.solve(cells=cells, edges=list(zip(cells, cells[1:] + cells[:1], strict=True)), minimize="turns")
    assert result.value == 4 and result.tour is not None and set(result.tour) == set(cells)


@pytest.mark.parametrize(
    ("text", "names", "rows"),
    [
        ("0 0\n1 2\n", None, [["0", "0"], ["1", "2"]]),
        ("x,y\n0,0\n1,2\n", None, [["0", "0"], ["1", "2"]]),
        ("name;y;x\na;1;0\nb;2;1\n", ["a", "b"], [["0", "1"], ["1", "2"]]),
        ("# c\na\t0\t1\t2\nb\t1\t2\t3\n", ["a", "b"], [["0", "1", "2"], ["1", "2", "3"]]),
        ("Name;X;Y\r\na;0,5;-1\r\nb;1;,25\r\n", ["a", "b"], [["0.5", "-1"], ["1", ".25"]]),
        ("0,5;1e3\n1,5e-1;2\n", None, [["0.5", "1e3"], ["1.5e-1", "2"]]),
        ('id,city,x,y,z\n7,"A, B",1,2,3\n', ["A, B"], [["1", "2", "3"]]),
    ],
)
def test_lists_of_points_have_heads_and_names_or_not(text: str, names: list[str] | None, rows: list[list[str]]) -> None:
    points = parse_points(text)
    assert points.rows == rows and (points.names == names or "id" in text)


@pytest.mark.parametrize(
    ("text", "words"),
    [("", "no points"), ("x,y\n", "no points below"), ("x,y\n0,0\n1\n", "line 3 has not 2 columns"),
     ("name;x;y\na,0,0\n", "line 2 has not 3 columns"),
     ("1 0 0\n2 1 1\n", "x y z"), ("0 0\n1\n", "line 2"), ("a,b\n1,2\n", "no x and y"),
     ("x,y\n1,a\n", "no coordinate"), ("x;y\n1,5;2.5\n", "no coordinate"), ("x;y\n1.234,5;2\n", "no coordinate"),
     ("x\ty\n1,234\t2\n", "no coordinate"), ("0 0\n1 nan\n", "must be a number")],
)  # fmt: skip
def test_lists_that_are_none_are_refused_in_one_line(text: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "p.xy").write_text(text)
    answer = command("solve", tmp_path / "p.xy", "--minimize", "length")
    assert answer.exit_code == 2 and words in answer.stderr and answer.stderr.count("\n") == 1


def test_longitude_and_latitude_are_taken_as_plane_and_kt_says_so(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("name,lon,lat\na,0,0\nb,1,0\nc,1,1\n")
    answer = command("solve", tmp_path / "p.csv", "--minimize", "length")
    assert answer.exit_code == 0 and "coordinates in the plane" in answer.stderr


def test_kinds_of_edges_are_those_of_brute_force() -> None:
    rng = np.random.default_rng(1)
    rows = rng.integers(0, 9, (12, 2)).tolist()
    places = Positions.of(rows)
    squares = [[sum((a - b) ** 2 for a, b in zip(p, q, strict=True)) for q in rows] for p in rows]
    within = {(i, j) for i in range(12) for j in range(i) if squares[i][j] <= 9}
    assert {tuple(sorted(pair, reverse=True)) for pair in pairs_of(places, "within:3").tolist()} == within
    nearest = set()
    for i in range(12):
        near = sorted((squares[i][j], j) for j in range(12) if j != i)[:3]
        nearest |= {frozenset((i, j)) for _, j in near}
    assert set(map(frozenset, pairs_of(places, "nearest:3").tolist())) == nearest
    assert len(pairs_of(places, "complete")) == 66
    for wrong in ("", "near", "nearest:0", "within:", "within:-1", "complete:3"):
        with pytest.raises(KTError):
            pairs_of(places, wrong)


def test_delaunay_is_right_far_from_the_origin_and_refuses_lines() -> None:
    near = {frozenset(pair) for pair in pairs_of(Positions.of([(0, 0), (1, 0), (0, 1), (2, 2)]), "delaunay").tolist()}
    far = [(10**15 + x, 10**15 + y) for x, y in ((0, 0), (1, 0), (0, 1), (2, 2))]
    assert {frozenset(pair) for pair in pairs_of(Positions.of(far), "delaunay").tolist()} == near and len(near) == 5
    for rows in ([(0, 0), (1, 1), (2, 2)], [(0, 0), (1, 0), (0, 1), (0, 0)]):
        with pytest.raises(KTError, match="delaunay"):
            pairs_of(Positions.of(rows), "delaunay")


def test_certificates_carry_positions_and_the_check_uses_them(tmp_path: Path) -> None:
    """A changed position changes the metric that the checker derives, and the certificate no longer holds."""
    result = kt.solve(points=list(POINTS.values()), minimize="length")
    result.save(tmp_path / "r.json")
    data = json.loads((tmp_path / "r.json").read_text())
    assert "weights" not in data and data["objective"] == "length" and data["positions"]
    assert kt_json("check", tmp_path / "r.json")["files"][0]["ok"]
    data["positions"][0][0] += 1
    (tmp_path / "forged.json").write_text(json.dumps(data))
    assert command("check", tmp_path / "forged.json").exit_code == 1


def test_touchings_are_listed_and_do_not_cross(tmp_path: Path) -> None:
    kt.solve(points=[(0, 0), (2, 0), (1, 0), (1, 2)], edges=[(0, 1), (1, 2), (2, 3), (3, 0)]).save(tmp_path / "t.json")
    measured = kt_json("measure", tmp_path / "t.json")
    assert measured["touchings"] == [["0-1", "2"]] and measured["crossings"] == 1  # 1-2 overlaps 0-1


@pytest.mark.parametrize("suffix", [".svg", ".html", ".tex"])
def test_a_graph_is_drawn_by_its_positions(suffix: str, tmp_path: Path) -> None:
    written(tmp_path)
    assert command("solve", tmp_path / "xy.gml", "--minimize", "length", "-o", tmp_path / f"t{suffix}").exit_code == 0
    assert command("draw", tmp_path / "xy.gml", "-o", tmp_path / f"g{suffix}").exit_code == 0
    if suffix == ".svg":
        root = ElementTree.parse(tmp_path / "t.svg").getroot()
        words = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
        assert set(POINTS) <= set(words)


@pytest.mark.parametrize(
    ("text", "options"), [("name,x,y\na,0,0\nb,1,0\nc,0,1.5\n", []), ("0 0.5\n1 0\n1 2\n", ["--form", "points"])]
)
def test_tables_of_points_are_drawn_and_converted(text: str, options: list[str], tmp_path: Path) -> None:
    """Tables of points and tours share a suffix."""
    (tmp_path / "p.csv").write_text(text)
    assert command("draw", tmp_path / "p.csv", *options, "-o", tmp_path / "p.svg").exit_code == 0
    for out in ("p.cnf", "p.gml", "p.json"):
        answer = command("convert", tmp_path / "p.csv", tmp_path / out, *options)
        assert answer.exit_code == 0, answer.stderr
    assert kt.graph(tmp_path / "p.gml").positions == kt.graph(tmp_path / "p.json").positions is not None


def test_names_stay_on_the_page(tmp_path: Path) -> None:
    points = {"a name of many letters": (0, 0), "another one of this sort": (1, 0), "a": (0.5, 1)}
    kt.draw(kt.graph(points=points), tmp_path / "g.svg")
    root = ElementTree.parse(tmp_path / "g.svg").getroot()
    width = float(root.get("viewBox", "").split()[2])
    names = [e for e in root.iter("{http://www.w3.org/2000/svg}text") if (e.text or "")[:3] in {n[:3] for n in points}]
    assert len(names) == 3
    for element in names:
        place, long = float(element.get("x", "")), 0.5 * 7 * len(element.text or "")
        start = place - long if element.get("text-anchor") == "end" else place
        assert 0 <= start and start + long <= width, element.text


def test_a_graph_without_positions_is_not_drawn(tmp_path: Path) -> None:
    (tmp_path / "g.dot").write_text("graph { a -- b -- c -- a }")
    answer = command("draw", tmp_path / "g.dot", "-o", tmp_path / "g.svg")
    assert answer.exit_code == 2 and "no positions" in answer.stderr
