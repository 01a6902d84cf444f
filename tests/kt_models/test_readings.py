"""What people paste, read as it is meant or asked about: counts, points, matrices, lists of nauty, names."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from itertools import pairwise, permutations
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st

import kt
from kt_models import KTError, MoveGraph
from kt_models.directed import SplitGraph
from kt_models.files.graph_forms.described import NAME_KEYS
from kt_models.files.graph_forms.form import FormChoices
from kt_models.files.graph_forms.table import parse_graph
from tests.command import kt as run
from tests.command import kt_json, one_line_refusal

Facts = tuple[bool, set[str], dict[Any, Any]]


def facts(graph: MoveGraph) -> Facts:
    """Whether a graph is directed, the names of its vertices, and what its edges or arcs weigh."""
    directed = isinstance(graph, SplitGraph)
    place: Any = graph.directed if isinstance(graph, SplitGraph) else graph
    ends = place.arcs if directed else place.ends
    weights = graph.weights_in_unit() if graph.weights is not None else [None] * len(ends)
    pair: Callable[..., Any] = (lambda u, v: (u, v)) if directed else lambda *uv: frozenset(uv)
    names = [place.name_of(vertex) for vertex in range(place.n)]
    edges = {pair(names[u], names[v]): weight for (u, v), weight in zip(ends.tolist(), weights, strict=True)}
    return directed, set(names), edges


def undirected(*edges: str, alone: str = "") -> Facts:
    """Edges such as `ab`, and vertices without one."""
    return False, {*"".join(edges), *alone}, {frozenset(edge): None for edge in edges}


def arcs(*pairs: str) -> Facts:
    """Arcs such as `ab`."""
    return True, {*"".join(pairs)}, {(pair[0], pair[1]): None for pair in pairs}


def heavy(**weights: float) -> Facts:
    """Edges such as `e12=3`."""
    return False, {*"".join(name[1:] for name in weights)}, {frozenset(name[1:]): w for name, w in weights.items()}


TRIANGLE = undirected("01", "12", "02")
SQUARE = undirected("12", "23", "34", "14")
DIRECTED, UNDIRECTED = FormChoices(directed=True), FormChoices(directed=False)
WITHOUT = [FormChoices(missing=frozenset({number})) for number in (0.0, float("inf"), None, -1.0)]

READ: dict[str, tuple[str, Facts, FormChoices | None]] = {
    # A number of vertices above the edges
    "a count from 0": ("3\n0 1\n1 2\n2 0\n", TRIANGLE, None),
    "a count from 1": ("4\n1 2\n2 3\n3 4\n4 1\n", SQUARE, None),
    "a count of other numbers": ("3\n7 8\n8 9\n9 7\n", undirected("78", "89", "79"), None),
    "a count of names": ("3\na b\nb c\nc a\n", undirected("ab", "bc", "ac"), None),
    "a count with a vertex alone": ("4\n0 1\n1 2\n2 0\n3\n", undirected("01", "12", "02", alone="3"), None),
    "a count of more vertices than are named": ("5\n0 1\n1 4\n4 0\n", undirected("01", "14", "04", alone="23"), None),
    "a count of more vertices, from 1": ("4\n1 2\n2 4\n4 1\n", undirected("12", "24", "14", alone="3"), None),
    "a count below comments": ("# graph\n\n3\n0 1\n1 2\n2 0\n", TRIANGLE, None),
    "a count and weights": ("3\n1 2 5\n2 3 6\n3 1 7\n", heavy(e12=5, e23=6, e13=7), None),
    "a count with commas": ("3\n0,1\n1,2\n2,0\n", TRIANGLE, None),
    "a vertex alone below": ("a b\nb c\nd\nc a\n", undirected("ab", "bc", "ac", alone="d"), None),
    # Edges that are no points
    "edges": ("1 2\n2 3\n3 4\n4 1\n", SQUARE, None),
    "edges from both ends, one vertex after the other": (
        "1 2\n1 4\n2 1\n2 3\n3 2\n3 4\n4 1\n4 3\n", SQUARE, None
    ),
    "edges with loops, by --form": ("0 0\n0 1\n1 2\n2 0\n", TRIANGLE, FormChoices("edges")),
    "points as edges, by --form": ("0 0\n2 0\n2 1\n0 1\n", TRIANGLE, FormChoices("edges")),
    "arcs": ("0 1\n1 2\n2 0\n1 0\n", arcs("01", "12", "20", "10"), DIRECTED),
    "arcs as edges": ("0 1\n1 2\n2 0\n1 0\n", TRIANGLE, UNDIRECTED),
    # Matrices
    "a matrix": ("0 1 0 1\n1 0 1 0\n0 1 0 1\n1 0 1 0\n", SQUARE, None),
    "a matrix with commas": ("0,1,0,1\n1,0,1,0\n0,1,0,1\n1,0,1,0\n", SQUARE, None),
    "a matrix without blanks": ("0101\n1010\n0101\n1010\n", SQUARE, None),
    "a matrix with its size": ("4\n0 1 0 1\n1 0 1 0\n0 1 0 1\n1 0 1 0\n", SQUARE, None),
    "a matrix with its sizes": ("4 4\n0101\n1010\n0101\n1010\n", SQUARE, None),
    "a matrix with decimal points": ("0.0 1.0 0 1e0\n1 0 1 0\n0 1. 0 1\n1 .0 1 0\n", SQUARE, None),
    "a matrix with tabs": ("0\t1\t0\t1\n1\t0\t1\t0\n0\t1\t0\t1\n1\t0\t1\t0\n", SQUARE, None),
    "a matrix with semicolons": ("0;1;0;1\n1;0;1;0\n0;1;0;1\n1;0;1;0\n", SQUARE, None),
    "NumPy": ("[[0 1 0 1]\n [1 0 1 0]\n [0 1 0 1]\n [1 0 1 0]]\n", SQUARE, None),
    "NumPy's repr": (
        "array([[0, 1, 0, 1],\n      [1, 0, 1, 0],\n      [0, 1, 0, 1],\n      [1, 0, 1, 0]], dtype=int8)", SQUARE, None
    ),
    "Python": ("m = [[0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0]]\n", SQUARE, None),
    "Sage": ("[0 1 0 1]\n[1 0 1 0]\n[0 1 0 1]\n[1 0 1 0]\n", SQUARE, None),
    "Matlab": ("A = [0 1 0 1; 1 0 1 0; 0 1 0 1; 1 0 1 0];\n", SQUARE, None),
    "Matlab's answer": ("A =\n\n     0     1     0     1\n     1     0     1     0\n 0 1 0 1\n1 0 1 0\n", SQUARE, None),
    "Mathematica": ("{{0, 1, 0, 1}, {1, 0, 1, 0}, {0, 1, 0, 1}, {1, 0, 1, 0}}\n", SQUARE, None),
    "Maple, as nauty-listg -W writes it": (
        "f1 := Matrix(4,4,[\n[0,1,0,1],\n[1,0,1,0],\n[0,1,0,1],\n[1,0,1,0]]);\n", SQUARE, None
    ),
    "Maple, three rows": ("f1 := Matrix(3,3,[\n[0,1,1],\n[1,0,1],\n[1,1,0]]);\n", undirected("12", "23", "13"), None),
    "nauty-showg -a": ("\nGraph 1, order 4.\n0101\n1010\n0101\n1010\n",
                       undirected("01", "12", "23", "03"), None),
    "nauty-showg -A": ("\nGraph 1, order 3.\n0 1 1\n1 0 1\n1 1 0\n", TRIANGLE, None),
    "three rows, by --form": ("0 1 1\n1 0 1\n1 1 0\n", undirected("12", "23", "13"), FormChoices("matrix")),
    "a matrix with loops, by --form": ("1 1 1\n1 1 1\n1 1 1\n", undirected("12", "23", "13"), FormChoices("matrix")),
    "distances": ("0 3 1 4\n3 0 5 2\n1 5 0 6\n4 2 6 0\n", heavy(e12=3, e13=1, e14=4, e23=5, e24=2, e34=6), None),
    "distances with dashes": ("- 3 1 4\n3 - 5 2\n1 5 - 6\n4 2 6 -\n",
                              heavy(e12=3, e13=1, e14=4, e23=5, e24=2, e34=6), None),
    "distances with names": (
        "\ta\tb\tc\na\t0\t2\t3\nb\t2\t0\t4\nc\t3\t4\t0\n", heavy(eab=2, eac=3, ebc=4), None
    ),
    "pandas": ("   a  b  c\na  0  2  3\nb  2  0  4\nc  3  4  0\n", heavy(eab=2, eac=3, ebc=4), None),
    "pandas, a CSV file": (",7,8,9\n7,0,2,3\n8,2,0,4\n9,3,4,0\n", heavy(e78=2, e79=3, e89=4), None),
    "a directed matrix": ("0 1 0 0\n0 0 1 0\n0 0 0 1\n1 0 0 0\n", arcs("12", "23", "34", "41"), None),
    "a triangular matrix": ("0 1 1 1\n0 0 1 0\n0 0 0 1\n0 0 0 0\n", arcs("12", "13", "14", "23", "34"), DIRECTED),
    "0 is no edge": ("0 3 0 4\n3 0 5 0\n0 5 0 6\n4 0 6 0\n", heavy(e12=3, e23=5, e34=6, e14=4), WITHOUT[0]),
    "inf is no edge": ("0 3 inf 4\n3 0 5 inf\ninf 5 0 6\n4 inf 6 0\n", heavy(e12=3, e23=5, e34=6, e14=4), WITHOUT[1]),
    "nan is no edge": ("0 3 - 4\n3 0 5 -\n- 5 0 6\n4 - 6 0\n", heavy(e12=3, e23=5, e34=6, e14=4), WITHOUT[2]),
    "-1 is no edge": ("0 3 -1 4\n3 0 5 -1\n-1 5 0 6\n4 -1 6 0\n", heavy(e12=3, e23=5, e34=6, e14=4), WITHOUT[3]),
    # Lists of nauty
    "nauty-showg": ("\nGraph 1, order 3.\n  0 : 1 2;\n  1 : 0 2;\n  2 : 0 1;\n", TRIANGLE, None),
    "nauty-showg, directed": ("\nGraph 1, order 3.\n  0 : 1;\n  1 : 2;\n  2 : 0;\n", arcs("01", "12", "20"), None),
    "nauty-showg, directed and both ways": (
        "\nGraph 1, order 3.\n  0 : 1 2;\n  1 : 0 2;\n  2 : ;\n", arcs("01", "02", "10", "12"), None
    ),
    "nauty-showg -q": ("3\n  0 : 1;\n  1 : 2;\n  2 : 0;\n", arcs("01", "12", "20"), None),
    "nauty-showg -o1 -q": ("3\n  1 : 2 3;\n  2 : 1 3;\n  3 : 1 2;\n", undirected("12", "23", "13"), None),
    "nauty-showg -o1 -e": ("\nGraph 1, order 4.\n4 3\n2 3  3 4  4 2\n",
                           (True, {*"1234"}, arcs("23", "34", "42")[2]), None),
    "nauty-showg -e": ("\nGraph 1, order 3.\n3 3\n0 1  1 2  2 0\n", arcs("01", "12", "20"), None),
    "nauty-showg -e, undirected": ("\nGraph 1, order 3.\n3 3\n0 1  0 2  1 2\n", TRIANGLE, UNDIRECTED),
    "nauty-showg -t": ("\nGraph 1, order 3.\n  0 : 1 2;\n  1 : 2;\n  2 : ;\n", TRIANGLE, UNDIRECTED),
    "an acyclic graph": ("\nGraph 1, order 3.\n  0 : 1 2;\n  1 : 2;\n  2 : ;\n", arcs("01", "02", "12"), DIRECTED),
    "dreadnaut": ("0: 1 2;\n1: 2;\n2: .\n", TRIANGLE, None),
    "neighbours below a count": (
        "5\n0 1 2 3 4\n1 0 2 3 4\n2 0 1 3\n3 0 1 2\n4 0 1\n",
        undirected("01", "02", "03", "04", "12", "13", "14", "23"), None
    ),
    "a triangle's neighbours in turn": ("1 2\n2 0\n0 1\n", TRIANGLE, None),
    "directed lists": ("a: b\nb: c\nc: a\n", arcs("ab", "bc", "ca"), DIRECTED),
    "neighbours of networkx, directed": (
        "# x\n0 1\n1 2 3\n2 0\n3 1\n", arcs("01", "12", "13", "20", "31"), FormChoices("neighbours", directed=True)
    ),
}  # fmt: skip

POINTS = "points"
REFUSED: dict[str, tuple[str, tuple[str, ...]]] = {
    "a number that is no count": ("6\n0 1\n1 2\n2 0\n", ("6 may be the number of vertices", "3 different names")),
    "a count of edges": ("5\n0 1\n1 2\n2 3\n3 0\n0 2\n", ("number of vertices", "without edges")),
    "a count from neither 0 nor 1": ("9\n7 8\n8 9\n9 7\n", ("9 may be the number of vertices",)),
    "two counts": ("4\n5\n0 1\n1 2\n2 3\n3 0\n0 2\n", ("line 2",)),
    "a word above edges": ("graph\n0 1\n1 2\n2 0\n", ("graph may be a title, or a vertex without edges",)),
    "a count and points": ("4\n0 0\n2 0\n2 1\n0 1\n", ("number of vertices, or of points",)),
    "an end": ("1 2\n2 3\n3 1\n-1\n", ("may end the list",)),
    "an end of two numbers": ("1 2\n2 3\n3 1\n0 0\n", ("may end the list",)),
    "a word at the end": ("1 2\n2 3\n3 1\nEOF\n", ("one word, EOF",)),
    "a rectangle": ("0 0\n2 0\n2 1\n0 1\n", ("--form edges", POINTS)),
    "a rectangle with commas": ("0, 0\n2, 0\n2, 1\n0, 1\n", ("--form edges", POINTS)),
    "an octagon": ("1 0\n2 0\n3 1\n3 2\n2 3\n1 3\n0 2\n0 1\n", ("reverse", "--form edges", POINTS)),
    "far points": ("1 2\n2 9\n5 7\n", ("line 3", POINTS)),
    "decimals": ("0.5 1.5\n2.5 1.0\n3.0 2.0\n", (POINTS,)),
    "signs": ("-1 0\n0 1\n1 0\n0 -1\n", (POINTS,)),
    "exponents": ("1e0 2\n2 3\n3 1e0\n", (POINTS,)),
    "equal numbers": ("1.0 2\n2 3\n3 1\n", ("may be one vertex", POINTS)),
    "points in space": ("0 0 0\n1 0 0\n1 1 0\n0 1 1\n", (POINTS,)),
    "points and their numbers": ("1 5 7\n2 3 4\n3 8 1\n4 2 2\n", (POINTS,)),
    "a weighted edge or a point": ("0 1 2.5\n3 4 1.5\n", (POINTS,)),
    "arcs": ("0 1\n1 2\n2 0\n1 0\n", ("--directed or --undirected",)),
    "arcs of SNAP": ("# Directed graph: x\n0 1\n1 2\n2 0\n", ("--directed or --undirected",)),
    "arcs of KONECT": ("% asym unweighted\n1 2\n2 3\n3 1\n", ("--directed or --undirected",)),
    "TGF": ("1 First\n2 Second\n#\n1 2\n", ("TGF",)),
    "LGL": ("# a\nb 1\nc 2\n# b\nc 3\n", ("LGL",)),
    "neighbours in turn": ("1 3\n0 2\n1 3\n0 2\n", ("neighbours of one vertex", "--form edges")),
    "neighbours in turn below a count": ("4\n2 4\n1 3\n2 4\n1 3\n", ("neighbours of one vertex",)),
    "three neighbours in turn": (
        "1 4 5\n0 2 6\n1 3 7\n2 4 8\n0 3 9\n0 7 8\n1 8 9\n2 5 9\n3 5 6\n4 6 7\n",
        ("neighbours of one vertex",),
    ),
    "a table of pandas": (",source,target\n0,1,2\n1,2,3\n2,3,1\n", ("line 1",)),
    "a table": ("anna 3\nbert 4\ncarl 3\ndora 3\n", ("as tables have", "--form edges")),
    "neighbours or a matrix": ("1 2 3 4\n2 1 3 4\n3 1 2 4\n4 1 2 3\n", ("--form matrix or neighbours",)),
    "neighbours from 0 or a matrix": ("0 1 2 3\n1 0 2 3\n2 0 1 3\n3 0 1 2\n", ("--form matrix or neighbours",)),
    "a matrix, weights or points": ("0 2 3\n2 0 4\n3 4 0\n", ("--form matrix, edges or points",)),
    "a matrix with another diagonal": ("1 0 0 1\n1 1 0 0\n0 1 1 0\n0 0 1 1\n", ("--form matrix", "diagonal")),
    "half a matrix": ("0 1 0 1\n0 0 1 0\n0 0 0 1\n0 0 0 0\n", ("half of a symmetric matrix", "--directed")),
    "0 among distances": ("0 3 0 4\n3 0 5 1\n0 5 0 6\n4 1 6 0\n", ("(1, 3) is 0", "--missing 0")),
    "inf among distances": ("0 3 inf 4\n3 0 5 1\ninf 5 0 6\n4 1 6 0\n", ("(1, 3) is inf", "--missing inf")),
    "a dash among distances": ("0 3 - 4\n3 0 5 1\n- 5 0 6\n4 1 6 0\n", ("(1, 3) is nan", "--missing nan")),
    "-1 among distances": ("0 3 -1 4\n3 0 5 1\n-1 5 0 6\n4 1 6 0\n", ("(1, 3) is -1", "--missing -1")),
    "a row too short": ("0 1 0 1\n1 0 1\n0 1 0 1\n1 0 1 0\n", ("read are",)),
    "an empty row": ("()\n(2,0)\n(2,1)\n(0,1)\n", ("not the name",)),
    "a word in a matrix": ("0 1 0 1\n1 0 one 0\n0 1 0 1\n1 0 1 0\n", ("read are",)),
    "names that differ": (",a,b,c\na,0,1,1\nc,1,0,1\nb,1,1,0\n", ("read are",)),
    "half of nauty-showg -t": ("\nGraph 1, order 3.\n  0 : 1 2;\n  1 : 2;\n  2 : ;\n", ("half", "--directed")),
    "nauty-showg -e": ("\nGraph 1, order 3.\n3 3\n0 1  0 2  1 2\n", ("--directed or --undirected",)),
    "nauty-showg -e, cut off": ("\nGraph 1, order 3.\n3 3\n0 1  0 2  1\n", ("3 edges are declared",)),
    "nauty-showg -q, cut off": ("3\n  0 : 1;\n  1 : 0;\n", ("2 vertices", "says 3")),
    "directed lists": ("a: b\nb: c\nc: a\n", ("--directed or --undirected",)),
    "distances in words": ("London to Dublin = 464\nLondon to Belfast = 518\n", ("distances such as", "not read")),
    "facts of a logic program": ("n(4).\nnode(1..4).\nedge(1, 2).\nedge(2, 3).\n", ("facts of a logic program",)),
    "facts on one line": ("% a triangle\nedge(a,b). edge(b,c). edge(c,a).\n", ("facts of a logic program",)),
    "facts with weights": ("cost(1,2,3).\ncost(2,3,4).\n", ("facts of a logic program",)),
    "a logic program": ("{in(X,Y)} :- edge(X,Y).\nedge(1,2).\n", ("facts of a logic program",)),
    "terms": ("edge(1,2)\nedge(2,3)\nedge(3,1)\n", ("terms such as 'edge(1,2)'",)),
    "a dictionary of Python": ("{0: [1, 2], 1: [0, 2], 2: [0, 1]}\n", ("as Python prints them",)),
    "a dictionary of names": ("{'a': ['b', 'c'], 'b': ['a', 'c'], 'c': ['a', 'b']}\n", ("as Python prints them",)),
    "a list of pairs": ("[(0, 1), (1, 2), (2, 0)]\n", ("as Python prints them",)),
    "edges of networkx": ("EdgeView([(0, 1), (0, 2), (1, 2)])\n", ("as Python prints them",)),
    "Mermaid": ("graph TD\nA-->B\nB-->C\nC-->A\n", ("a chart of Mermaid",)),
    "a header with weights": ("source,target,weight\na,b,1\nb,c,2\nc,a,3\n", ("line 1 may be a header",)),
    "a header that begins with weights": ("weight,source,target\n1,a,b\n2,b,c\n3,c,a\n", ("line 1 may be a header",)),
    "arcs of nauty-listg -H": (
        "NAME : G1\nTYPE : HCP\nDIMENSION : 3\nEDGE_DATA_FORMAT : EDGE_LIST\n"
        "EDGE_DATA_SECTION\n1 2\n2 3\n3 1\n-1\nEOF\n",
        ("nauty-listg", "--directed or --undirected"),
    ),
}


@pytest.mark.parametrize("name", READ)
def test_pasted_graphs_are_read(name: str) -> None:
    text, wanted, choices = READ[name]
    assert facts(parse_graph(text, ".txt", "g", choices)) == wanted
    for end in ("\r\n", "\r"):
        assert facts(parse_graph(text.replace("\n", end), "", "g", choices)) == wanted


@pytest.mark.parametrize("name", REFUSED)
def test_ambiguous_texts_are_asked_about(name: str, tmp_path: Path) -> None:
    text, words = REFUSED[name]
    (tmp_path / "g.txt").write_text(text)
    one_line_refusal(run("solve", tmp_path / "g.txt"), *words)


@pytest.mark.parametrize(
    ("text", "count"),
    [("x y\n1 2\n2 3\n3 1\n", 3), ("city,lat,lon\nUlm,48,10\nBonn,50,7\nKiel,54,10\n", 3), ("x,y\n0,0\n2,0\n", 2)],
)
def test_a_header_of_coordinates_makes_points(text: str, count: int) -> None:
    graph = parse_graph(text, ".txt", "g")
    assert graph.n == count and graph.positions is not None
    with pytest.raises(KTError, match="names coordinates"):
        parse_graph(text, ".edges", "g")


@pytest.mark.parametrize("name", ["a rectangle", "an octagon", "far points", "decimals", "signs"])
def test_the_form_decides_about_points(name: str) -> None:
    text, _ = REFUSED[name]
    graph = parse_graph(text, ".txt", "g", "points")
    assert graph.n == len(text.splitlines()) and graph.positions is not None


def cycles(graph: Facts) -> int:
    """How many Hamiltonian cycles there are, one order after the other."""
    directed, names, edges = graph
    first, *others = sorted(names)
    joined = {tuple(pair) for pair in edges} if directed else {pair for edge in edges for pair in permutations(edge, 2)}
    orders = ((first, *order, first) for order in permutations(others))
    count = sum(all(step in joined for step in pairwise(order)) for order in orders)
    return count if directed else count // 2


@pytest.mark.parametrize("name", [name for name, (_, graph, _) in READ.items() if len(graph[1]) > 2])
def test_answers_are_those_of_a_plain_count(name: str) -> None:
    text, graph, choices = READ[name]
    assert kt.count(parse_graph(text, "", "g", choices)) == cycles(graph)


@pytest.mark.parametrize(
    ("text", "words", "status"),
    [
        ("3\n0 1\n1 2\n2 0\n", (), "feasible"),
        ("0 1 1\n1 0 1\n1 1 0\n", ("--form", "matrix"), "feasible"),
        ("0 0\n2 0\n2 1\n0 1\n", ("--form", "edges"), "feasible"),
        ("0 1\n1 2\n0 2\n1 0\n", ("--directed",), "infeasible"),
        ("0 1\n1 2\n0 2\n1 0\n", ("--undirected",), "feasible"),
        ("0 3 0 4\n3 0 5 0\n0 5 0 6\n4 0 6 0\n", ("--missing", "0", "--minimize", "weight"), "optimal"),
        ("0 3 inf 4\n3 0 5 nan\ninf 5 0 6\n4 nan 6 0\n", ("--missing", "inf,nan"), "feasible"),
        ("0 3 0 4\n3 0 5 0\n0 5 0 6\n4 0 6 0\n", ("--missing", "none", "--minimize", "weight"), "optimal"),
    ],
)
def test_options_decide(text: str, words: tuple[str, ...], status: str, tmp_path: Path) -> None:
    (tmp_path / "g.txt").write_text(text)
    assert kt_json("solve", tmp_path / "g.txt", *words)["status"] == status


def test_adjacency_may_mean_a_matrix_or_lists_of_neighbours(tmp_path: Path) -> None:
    """The former name of `neighbours`."""
    path = tmp_path / "g.txt"
    for name in ("a matrix", "distances", "a matrix with its size"):
        path.write_text(READ[name][0])
        one_line_refusal(run("solve", path, "--form", "adjacency"), "--form matrix or neighbours")
        one_line_refusal(run("solve", path, "--form", "neighbours"), "")
    path.write_text("1 2 3 4\n2 1 3 4\n3 1 2 4\n4 1 2 3\n")
    one_line_refusal(run("solve", path, "--form", "adjacency"), "--form matrix or neighbours")
    assert kt_json("solve", path, "--form", "neighbours")["status"] == "feasible"
    path.write_text("1 2 3\n2 3\n3\n")
    assert kt_json("solve", path, "--form", "adjacency")["status"] == "feasible"


def test_options_that_say_nothing_are_refused(tmp_path: Path) -> None:
    (tmp_path / "g.gml").write_text("graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ] ]")
    one_line_refusal(run("solve", tmp_path / "g.gml", "--directed"), "it decides nothing about GML")
    one_line_refusal(run("solve", tmp_path / "g.gml", "--missing", "0"), "it decides nothing about GML")
    one_line_refusal(run("solve", tmp_path / "g.gml", "--missing", "few"), "missing 'few'")
    one_line_refusal(run("solve", "6x6", "--directed"), "no effect")
    with pytest.raises(KTError, match="it says what edges="):
        kt.graph("6x6", directed=True)
    with pytest.raises(KTError, match="missing: it says"):
        kt.graph("6x6", missing=0)
    with pytest.raises(KTError, match="a dictionary has none"):
        kt.graph(adjacency={0: [1], 1: [0]}, missing=0)


# -- matrices in Python ------------------------------------------------------------------------------------------------

INF, NAN = float("inf"), float("nan")
ROADS = [[0, 3, 1, 4], [3, 0, 5, 2], [1, 5, 0, 6], [4, 2, 6, 0]]
SPARSE_ROADS = scipy.sparse.csr_array(np.array([[0, 3, 0, 4], [3, 0, 5, 0], [0, 5, 0, 6], [4, 0, 6, 0]]))
RING = (False, {*"0123"}, {frozenset("01"): 3, frozenset("12"): 5, frozenset("23"): 6, frozenset("03"): 4})


@pytest.mark.parametrize("kind", [list, tuple, np.array, np.float32, scipy.sparse.csr_array])
def test_a_matrix_has_weights_in_every_function(kind: Any) -> None:
    matrix = kind(ROADS) if kind is not scipy.sparse.csr_array else kind(np.array(ROADS))
    assert kt.solve(adjacency=matrix, minimize="weight").value == 12
    assert kt.count(adjacency=matrix) == 3 == len(list(kt.tours(adjacency=matrix)))
    assert kt.find(adjacency=matrix).status == "feasible"
    assert kt.graph(adjacency=matrix).weights.tolist() == [3, 1, 4, 5, 2, 6]  # type: ignore[union-attr]


def without(entry: Any) -> list[list[Any]]:
    """Distances of a ring, with an entry where there is no road."""
    return [[0, 3, entry, 4], [3, 0, 5, entry], [entry, 5, 0, 6], [4, entry, 6, 0]]


@pytest.mark.parametrize(
    ("entry", "missing"), [(0, 0), (INF, INF), (NAN, NAN), (-1, -1), (0, [0, INF]), (NAN, (NAN, 0))]
)
def test_missing_says_which_entries_are_no_edges(entry: float, missing: Any) -> None:
    for matrix in (without(entry), np.array(without(entry))):
        with pytest.raises(KTError, match="missing="):
            kt.graph(adjacency=matrix)
        assert facts(kt.graph(adjacency=matrix, missing=missing)) == RING


def test_entries_that_a_sparse_matrix_does_not_store_are_no_edges() -> None:
    assert facts(kt.graph(adjacency=SPARSE_ROADS)) == facts(kt.graph(SPARSE_ROADS)) == RING
    stored = scipy.sparse.coo_array(([0, 0, 3, 3], ([0, 1, 1, 2], [1, 0, 2, 1])), shape=(3, 3))
    with pytest.raises(KTError, match="missing=0"):
        kt.graph(adjacency=stored)
    assert facts(kt.graph(adjacency=stored, missing=())) == (False, {*"012"}, {frozenset("01"): 0, frozenset("12"): 3})
    assert (
        facts(kt.graph(stored, missing=0))
        == facts(kt.graph(adjacency=stored, missing=0))
        == (False, {*"012"}, {frozenset("12"): 3})
    )


def test_none_in_a_matrix_is_no_edge() -> None:
    assert facts(kt.graph(adjacency=without(None))) == RING


def test_zeros_and_ones_are_edges_unless_the_user_says_that_they_weigh() -> None:
    matrix = nx.to_numpy_array(nx.cycle_graph(4), dtype=int)
    assert kt.graph(adjacency=matrix).weights is None
    graph = kt.graph(adjacency=matrix, missing=())
    assert graph.m == 6 and sorted(graph.weights.tolist()) == [0, 0, 1, 1, 1, 1]  # type: ignore[union-attr]


@given(st.integers(2, 6), st.data())
def test_a_matrix_that_is_not_symmetric_is_directed(n: int, data: st.DataObject) -> None:
    rows = data.draw(st.lists(st.lists(st.integers(2, 9), min_size=n, max_size=n), min_size=n, max_size=n))
    matrix = np.array(rows)
    directed, names, weights = facts(kt.graph(adjacency=matrix))
    off = {(u, v): int(matrix[u, v]) for u in range(n) for v in range(n) if u != v}
    assert directed == any(off[u, v] != off[v, u] for u, v in off) and len(names) == n
    for (u, v), weight in off.items():
        assert weights[(str(u), str(v)) if directed else frozenset((str(u), str(v)))] == weight
    if directed:
        with pytest.raises(KTError, match="differ"):
            kt.graph(adjacency=matrix, directed=False)


@pytest.mark.parametrize(
    ("matrix", "words"),
    [
        ([[0, 2], [2, 0], [1, 1]], "square"),
        ([[0, "a"], ["a", 0]], "neither"),
        (np.zeros((2, 2), dtype=complex), "neither"),
        ([[0, 2, 3], [0, 0, 4], [0, 0, 0]], "missing=0"),
        (np.zeros((0, 0)), "square"),
    ],
)
def test_other_data_are_no_matrix(matrix: Any, words: str) -> None:
    with pytest.raises(KTError, match=words):
        kt.graph(adjacency=matrix)
    with pytest.raises(KTError, match="half of a symmetric matrix"):
        kt.graph(adjacency=[[0, 2, 3], [0, 0, 4], [0, 0, 0]], missing=0)


@pytest.mark.parametrize("missing", ["0", True, [None, "x"], {1: 2}, list(range(30))])
def test_missing_is_a_number_or_several(missing: Any) -> None:
    with pytest.raises(KTError, match="missing"):
        kt.graph(adjacency=without(0), missing=missing)


# -- properties --------------------------------------------------------------------------------------------------------


@given(st.integers(3, 9), st.integers(0, 1), st.integers(0, 999))
def test_a_count_above_edges_changes_no_graph(n: int, first: int, seed: int) -> None:
    """A path through all vertices and more edges: no edge is alone, and all vertices are named."""
    network = nx.compose(nx.path_graph(n), nx.gnp_random_graph(n, 0.3, seed))
    edges = [(u + first, v + first) for u, v in network.edges()]
    text = "".join(f"{u} {v}\n" for u, v in edges)
    wanted = False, {*map(str, range(first, first + n))}, {frozenset(map(str, edge)): None for edge in edges}
    assert facts(parse_graph(f"{n}\n{text}", "", "g")) == wanted
    for other in (n - 1, n + 1, 10 * n):
        with pytest.raises(KTError, match="number of vertices"):
            parse_graph(f"{other}\n{text}", "", "g")


@given(
    st.sets(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=3, max_size=40), st.sampled_from([" ", ",", "\t"])
)
def test_points_on_a_grid_are_edges_only_where_they_can_be(points: set[tuple[int, int]], between: str) -> None:
    text = "".join(f"{x}{between}{y}\n" for x, y in points)
    try:
        graph = facts(parse_graph(text, ".txt", "g"))
    except KTError:
        return
    assert not graph[0] and graph[2].keys() == {frozenset(map(str, point)) for point in points}
    assert all(x != y for x, y in points)


@given(st.integers(1, 12), st.data())
def test_points_with_decimals_are_never_edges(count: int, data: st.DataObject) -> None:
    number = st.floats(-99, 99).map(lambda x: f"{x:.2f}")
    points = data.draw(st.lists(st.tuples(number, number), min_size=count, max_size=count))
    text = "".join(f"{x} {y}\n" for x, y in points)
    for choices in (None, FormChoices("edges"), UNDIRECTED):
        with pytest.raises(KTError, match=r"points|matri"):
            parse_graph(text, ".txt", "g", choices)


def saved(matrix: Any) -> str:
    """What NumPy writes to a file."""
    stream = io.StringIO()
    np.savetxt(stream, matrix)
    return stream.getvalue()


NOTATIONS: dict[str, Callable[[Any], str]] = {
    "blanks": lambda m: "".join(" ".join(map(str, row)) + "\n" for row in m.tolist()),
    "commas": lambda m: "".join(",".join(map(str, row)) + "\n" for row in m.tolist()),
    "NumPy": lambda m: str(m),
    "repr": lambda m: repr(m),
    "list": lambda m: str(m.tolist()),
    "Mathematica": lambda m: str(m.tolist()).replace("[", "{").replace("]", "}"),
    "Matlab": lambda m: "[" + ";".join(" ".join(map(str, row)) for row in m.tolist()) + "]",
    "size": lambda m: f"{len(m)}\n" + NOTATIONS["blanks"](m),
    "savetxt": lambda m: saved(m),
}


@given(
    st.sampled_from([*NOTATIONS]), st.integers(4, 8), st.integers(0, 999), st.sampled_from(["01", "weights", "arcs"])
)
def test_matrices_are_read_in_every_notation(notation: str, n: int, seed: int, kind: str) -> None:
    random = np.random.default_rng(seed)
    matrix = random.integers(0, 2, (n, n)) if kind == "01" else random.integers(1, 99, (n, n))
    if kind != "arcs":
        matrix = np.triu(matrix, 1) + np.triu(matrix, 1).T
    np.fill_diagonal(matrix, 0)
    text = NOTATIONS[notation](matrix)
    graph = facts(parse_graph(text, ".txt", "g"))
    assert graph == facts(parse_graph(text, ".mtx", "g")) == facts(parse_graph(text, "", "g", "matrix"))
    names = range(1, n + 1)
    wanted = {(str(u), str(v)): matrix[u - 1, v - 1] for u in names for v in names if matrix[u - 1, v - 1]}
    assert graph[1] == {*map(str, names)} and graph[0] == (not np.array_equal(matrix, matrix.T))
    if graph[0]:
        assert graph[2] == wanted
    else:
        assert graph[2] == {frozenset(pair): None if kind == "01" else weight for pair, weight in wanted.items()}


@given(st.integers(2, 7), st.data())
def test_lists_below_the_heading_of_nauty_keep_their_directions(n: int, data: st.DataObject) -> None:
    pairs = data.draw(st.sets(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)).filter(lambda p: p[0] != p[1])))
    rows = "".join(f"  {u} : {' '.join(str(v) for v in range(n) if (u, v) in pairs)};\n" for u in range(n))
    mutual = all((v, u) in pairs for u, v in pairs)
    upper = bool(pairs) and all(u < v for u, v in pairs)
    for head in ("\nGraph 1, order {}.\n", "{}\n"):
        text = head.format(n) + rows
        if upper:
            with pytest.raises(KTError, match="--directed"):
                parse_graph(text, "", "g")
        else:
            assert facts(parse_graph(text, "", "g"))[0] == (not mutual)
        directed = facts(parse_graph(text, "", "g", DIRECTED))
        assert directed[2].keys() == {(str(u), str(v)) for u, v in pairs} and directed[0]


TEXTS = [*(text for text, *_ in READ.values()), *(text for text, _ in REFUSED.values())]


@given(
    st.sampled_from(TEXTS),
    st.data(),
    st.sampled_from([None, "matrix", "edges", "neighbours", "lists"]),
    st.sampled_from([None, True, False]),
    st.sampled_from([None, frozenset(), frozenset({0.0}), frozenset({None, INF})]),
)
def test_damage_is_one_line_or_a_graph(
    text: str, data: st.DataObject, form: str | None, directed: bool | None, missing: Any
) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 4)))
    damaged = text[:start] + data.draw(st.text("0123456789 \n\t,;:[](){}#%.-+einfax", max_size=4)) + text[end:]
    ending = data.draw(st.sampled_from(["", ".txt", ".edges", ".mtx", ".adjlist", ".lst", ".hcp"]))
    try:
        assert isinstance(parse_graph(damaged, ending, "g", FormChoices(form, directed, missing)), MoveGraph)
    except KTError as error:
        assert "\n" not in str(error)  # noqa: PT017


def test_the_name_of_a_graph_says_nothing_about_directions(tmp_path: Path) -> None:
    (tmp_path / "directed.hcp").write_text("TYPE : HCP\nDIMENSION : 3\nEDGE_DATA_SECTION\n1 2\n2 3\n3 1\n-1\nEOF\n")
    assert run("convert", tmp_path / "directed.hcp", tmp_path / "g.edges").exit_code == 0
    assert "# kt directed" in (tmp_path / "g.edges").read_text()
    assert facts(kt.graph(tmp_path / "g.edges")) == undirected("12", "23", "13")


# -- names of nodes ----------------------------------------------------------------------------------------------------


def gml(keys: tuple[str, ...]) -> str:
    rows = [" ".join(f'{key} "{key}{v}"' for key in keys if key != "id") for v in range(3)]
    nodes = "".join(f"node [ id {v} {row} ]\n" for v, row in enumerate(rows))
    return f"graph [ {nodes} edge [ source 0 target 1 ] ]"


def graphml(keys: tuple[str, ...]) -> str:
    declared = "".join(f'<key id="k{key}" for="node" attr.name="{key}" attr.type="string"/>' for key in keys)
    rows = ["".join(f'<data key="k{key}">{key}{v}</data>' for key in keys) for v in range(3)]
    nodes = "".join(f'<node id="n{v}">{row}</node>' for v, row in enumerate(rows))
    edge = '<edge source="n0" target="n1"/>'
    return f'<graphml>{declared}<graph edgedefault="undirected">{nodes}{edge}</graph></graphml>'


def dot(keys: tuple[str, ...]) -> str:
    rows = [", ".join(f"{key}={key}{v}" for key in keys) for v in range(3)]
    return f"graph {{ {''.join(f'n{v} [{row}]; ' for v, row in enumerate(rows))} n0 -- n1 }}"


def node_link(keys: tuple[str, ...]) -> str:
    nodes = [{"id": f"n{v}", **{key: f"{key}{v}" for key in keys if key != "id"}} for v in range(3)]
    return json.dumps({"nodes": nodes, "links": [{"source": "n0", "target": "n1"}]})


def gexf(keys: tuple[str, ...]) -> str:
    declared = "".join(f'<attribute id="{key}" title="{key}" type="string"/>' for key in keys if key != "label")
    rows = []
    for v in range(3):
        label = f' label="label{v}"' if "label" in keys else ""
        values = "".join(f'<attvalue for="{key}" value="{key}{v}"/>' for key in keys if key != "label")
        rows.append(f'<node id="n{v}"{label}><attvalues>{values}</attvalues></node>')
    attributes = f'<attributes class="node">{declared}</attributes>'
    return (
        f"<gexf><graph>{attributes}<nodes>{''.join(rows)}</nodes>"
        '<edges><edge source="n0" target="n1"/></edges></graph></gexf>'
    )


NAMED: dict[str, tuple[str, Callable[[tuple[str, ...]], str]]] = {
    "GML": (".gml", gml), "GraphML": (".graphml", graphml), "GEXF": (".gexf", gexf), "DOT": (".dot", dot),
    "node-link": (".json", node_link),
}  # fmt: skip


@pytest.mark.parametrize("form", NAMED)
@pytest.mark.parametrize("keys", [("name",), ("label", "name"), ("id", "name"), ("label", "name", "id"), ("id",), ()])
def test_names_of_nodes_come_from_one_table(form: str, keys: tuple[str, ...]) -> None:
    ending, write = NAMED[form]
    graph = parse_graph(write(keys), ending, "g")
    key = next((key for key in NAME_KEYS if key in keys), None)
    names = {graph.name_of(vertex) for vertex in range(graph.n)}
    if key is not None and not (key == "id" and form in ("GML", "node-link")):  # Where the id is that of the node
        assert names == {f"{key}{v}" for v in range(3)}
    else:
        assert names == ({*"012"} if form == "GML" else {"n0", "n1", "n2"})


@pytest.mark.parametrize("form", NAMED)
def test_a_name_that_occurs_twice_names_no_node(form: str) -> None:
    ending, write = NAMED[form]
    graph = parse_graph(write(("label", "name")).replace("label1", "label0"), ending, "g")
    assert {graph.name_of(vertex) for vertex in range(graph.n)} == {"name0", "name1", "name2"}


# -- what programs write -----------------------------------------------------------------------------------------------

IGRAPH_GML = """Creator "igraph version 1.0.0 Sat Nov 28 18:12:54 2026"
Version 1
graph
[
  directed 0
  node
  [
    id 0
    name "anna"
  ]
  node
  [
    id 1
    name "bert"
  ]
  node
  [
    id 2
    name "carl"
  ]
  edge
  [
    source 1
    target 0
    weight 2
  ]
  edge
  [
    source 2
    target 1
    weight 3
  ]
  edge
  [
    source 2
    target 0
    weight 4
  ]
]
"""
IGRAPH_GRAPHML = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns"
         xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
         xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns
         http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">
<!-- Created by igraph -->
  <key id="v_name" for="node" attr.name="name" attr.type="string"/>
  <key id="e_weight" for="edge" attr.name="weight" attr.type="double"/>
  <graph id="G" edgedefault="undirected">
    <node id="n0">
      <data key="v_name">anna</data>
    </node>
    <node id="n1">
      <data key="v_name">bert</data>
    </node>
    <node id="n2">
      <data key="v_name">carl</data>
    </node>
    <edge source="n0" target="n1">
      <data key="e_weight">2</data>
    </edge>
    <edge source="n1" target="n2">
      <data key="e_weight">3</data>
    </edge>
    <edge source="n0" target="n2">
      <data key="e_weight">4</data>
    </edge>
  </graph>
</graphml>
"""
IGRAPH_DOT = """/* Created by igraph 1.0.0 */
graph {
  0 [
    name=anna
  ];
  1 [
    name=bert
  ];
  2 [
    name=carl
  ];

  1 -- 0 [
    weight=2
  ];
  2 -- 1 [
    weight=3
  ];
  2 -- 0 [
    weight=4
  ];
}
"""
TRIO = (
    False, {"anna", "bert", "carl"},
    {frozenset(("anna", "bert")): 2, frozenset(("bert", "carl")): 3, frozenset(("anna", "carl")): 4},
)  # fmt: skip


@pytest.mark.parametrize(("text", "ending"), [(IGRAPH_GML, ".gml"), (IGRAPH_GRAPHML, ".graphml"), (IGRAPH_DOT, ".dot")])
def test_names_of_igraph_are_kept(text: str, ending: str) -> None:
    for suffix in (ending, ""):
        assert facts(parse_graph(text, suffix, "g")) == TRIO


def test_gml_of_networkx_may_repeat_the_key_of_positions() -> None:
    network = nx.cycle_graph(4)
    nx.set_node_attributes(network, {v: (v * 1.5, -2.0) for v in network}, "pos")
    text = "\n".join(nx.generate_gml(network))
    assert text.count("pos") == 8
    graph = parse_graph(text, ".gml", "g")
    assert graph.n == graph.m == 4


SHOWG_LISTS = "\nGraph {}, order 3.\n  0 : {};\n  1 : {};\n  2 : {};\n"


def test_lists_of_nauty_are_answered_one_by_one(tmp_path: Path) -> None:
    """The triangle, the directed cycle, and what may be half of a triangle or a tournament."""
    texts = [("1 2", "0 2", "0 1"), ("1", "2", "0"), ("1 2", "2", "")]
    path = tmp_path / "list.txt"
    path.write_text("".join(SHOWG_LISTS.format(number, *rows) for number, rows in enumerate(texts, start=1)))
    graphs = kt.graphs(path)
    assert [facts(next(graphs))[0] for _ in range(2)] == [False, True]
    with pytest.raises(KTError, match="--directed or --undirected"):
        next(graphs)
    assert [facts(graph)[0] for graph in kt.graphs(path, directed=True)] == [True] * 3
    assert [kt.count(graph) for graph in kt.graphs(path, directed=False)] == [1, 1, 1]
    path.write_text("".join("3\n" + "".join(f"  {v} : {row};\n" for v, row in enumerate(rows)) for rows in texts[:2]))
    assert [facts(graph)[0] for graph in kt.graphs(path)] == [False, True]
    path.write_text("".join(f"\nGraph {n}, order 3.\n3 3\n0 1  1 2  2 0\n" for n in (1, 2)))
    assert [facts(graph)[2].keys() for graph in kt.graphs(path)] == [arcs("01", "12", "20")[2].keys()] * 2


def test_lists_of_nauty_may_have_three_lines() -> None:
    network = nx.complete_graph(70)
    text = "\nGraph 1, order 70.\n" + "".join(_broken(v, sorted(network[v])) for v in network)
    assert parse_graph(text, "", "g").m == 2415
    with pytest.raises(KTError, match="no ';' ends it"):
        parse_graph(text.replace(";", "", 1), "", "g")


def _broken(vertex: int, others: list[int]) -> str:
    parts = [others[:25], others[25:50], others[50:]]
    return f"  {vertex} : " + "\n  ".join(" ".join(map(str, part)) for part in parts) + ";\n"


@pytest.mark.parametrize("section", ["1 2 3 -1\n-1", "1 2 3 -1 -1", "1\n2\n3\n-1\n-1", "1 2 3\n-1", "1 2 3"])
def test_tours_with_two_closing_marks_are_read(section: str, tmp_path: Path) -> None:
    """tsplib95 writes the -1 of the tour and that of the section."""
    (tmp_path / "g.edges").write_text("1 2\n2 3\n3 1\n")
    (tmp_path / "t.tour").write_text(f"NAME: t\nTYPE: TOUR\nDIMENSION: 3\nTOUR_SECTION:\n{section}\nEOF\n")
    result = run("check", tmp_path / "t.tour", "--board", tmp_path / "g.edges")
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize(
    ("section", "words"),
    [
        ("1 2 3 -1\n1 3 2 -1\n-1", "several tours"),
        ("1 2 3 -1\n-1\n-1", "after the -1"),
        ("1 2 -1 3 -1", "after the -1"),
        ("-1\n-1", "DIMENSION is 3"),
    ],
)
def test_other_closing_marks_are_refused(section: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "g.edges").write_text("1 2\n2 3\n3 1\n")
    (tmp_path / "t.tour").write_text(f"NAME: t\nTYPE: TOUR\nDIMENSION: 3\nTOUR_SECTION:\n{section}\nEOF\n")
    one_line = run("check", tmp_path / "t.tour", "--board", tmp_path / "g.edges")
    assert one_line.exit_code in (1, 2) and words in one_line.output and "Traceback" not in one_line.output


class Table:
    """What kt asks of a table of pandas."""

    def __init__(self, rows: list[list[int]], index: list[str], columns: list[str]) -> None:
        self.rows, self.index, self.columns = np.array(rows), index, columns

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return self.rows


def test_a_table_with_names_is_a_matrix_with_names() -> None:
    names = ["ulm", "bonn", "kiel", "köln"]
    graph = kt.graph(adjacency=Table(ROADS, names, names))
    assert graph.labels == tuple(names) and graph.weights.tolist() == [3, 1, 4, 5, 2, 6]  # type: ignore[union-attr]
    for columns in (names[::-1], ["ulm"] * 4, names[:3]):
        with pytest.raises(KTError, match="same names"):
            kt.graph(adjacency=Table(ROADS, names, columns))
    with pytest.raises(KTError, match="hidden entries"):
        kt.graph(adjacency=np.ma.masked_equal(np.array(ROADS), 3))
