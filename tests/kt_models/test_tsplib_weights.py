"""Travelling salesmen of TSPLIB: matrices in every layout, distances in every metric, and published optima."""

from __future__ import annotations

from itertools import combinations, permutations
from math import ceil, floor, sqrt
from pathlib import Path
from random import Random

import numpy as np
import pytest

import kt
from kt_models import KTError, TooLarge
from kt_models.complete_graph import CompleteGraph
from kt_models.files.graph_forms.form import FormChoices
from kt_models.files.graph_forms.table import parse_graph
from kt_models.files.graphs import read_graph
from kt_models.files.suffixes import suffix_of_text
from kt_models.files.tsplib_weights import FORMATS, MAX_COMPLETE
from tests.command import kt as command
from tests.command import one_line_refusal

BURMA14 = """NAME: burma14
TYPE: TSP
COMMENT: 14-Staedte in Burma (Zaw Win)
DIMENSION: 14
EDGE_WEIGHT_TYPE: GEO
EDGE_WEIGHT_FORMAT: FUNCTION
DISPLAY_DATA_TYPE: COORD_DISPLAY
NODE_COORD_SECTION
   1  16.47       96.10
   2  16.47       94.44
   3  20.09       92.54
   4  22.39       93.37
   5  25.23       97.24
   6  22.00       96.05
   7  20.47       97.02
   8  17.20       96.29
   9  16.30       97.38
  10  14.05       98.12
  11  16.53       97.38
  12  21.52       95.59
  13  19.41       97.13
  14  20.09       94.55
EOF
"""
GR17 = """NAME: gr17
TYPE: TSP
COMMENT: 17-city problem (Groetschel)
DIMENSION: 17
EDGE_WEIGHT_TYPE: EXPLICIT
EDGE_WEIGHT_FORMAT: LOWER_DIAG_ROW
EDGE_WEIGHT_SECTION
 0 633 0 257 390 0 91 661 228 0 412 227 169 383 0 150 488 112 120 267 0 80 572 196 77 351 63 0 134 530 154 105 309 34
 29 0 259 555 372 175 338 264 232 249 0 505 289 262 476 196 360 444 402 495 0 353 282 110 324 61 208 292 250 352 154 0
 324 638 437 240 421 329 297 314 95 578 435 0 70 567 191 27 346 83 47 68 189 439 287 254 0 211 466 74 182 243 105 150
 108 326 336 184 391 145 0 268 420 53 239 199 123 207 165 383 240 140 448 202 57 0 246 745 472 237 528 364 332 349 202
 685 542 157 289 426 483 0 121 518 142 84 297 35 29 36 236 390 238 301 55 96 153 336 0
EOF
"""


def written(layout: str, matrix: np.ndarray, kind: str = "TSP") -> str:
    """A file with a matrix, laid out entry by entry as the name of the layout says."""
    n = len(matrix)
    by_row = [(u, v) for u in range(n) for v in range(n)]
    order = by_row if layout.endswith("ROW") or layout == "FULL_MATRIX" else [(v, u) for u, v in by_row]
    if layout != "FULL_MATRIX":
        order = [(u, v) for u, v in order if (u < v) == layout.startswith("UPPER") or u == v]
        order = order if "DIAG" in layout else [(u, v) for u, v in order if u != v]
    numbers = " ".join(str(matrix[u][v]) for u, v in order)
    head = f"TYPE : {kind}\nDIMENSION : {n}\nEDGE_WEIGHT_TYPE : EXPLICIT\nEDGE_WEIGHT_FORMAT : {layout}\n"
    return f"{head}EDGE_WEIGHT_SECTION\n{numbers}\nEOF\n"


def symmetric(n: int, seed: int) -> np.ndarray:
    matrix = np.random.default_rng(seed).integers(-5, 60, (n, n))
    return matrix + matrix.T


def weights_of(text: str) -> dict[tuple[int, int], int]:
    graph = parse_graph(text, ".tsp", "x.tsp")
    assert graph.weights is not None
    return {(u, v): w for (u, v), w in zip(graph.ends.tolist(), graph.weights.tolist(), strict=True)}


@pytest.mark.parametrize("layout", FORMATS)
@pytest.mark.parametrize("n", [3, 4, 7])
def test_layouts_of_a_matrix(layout: str, n: int) -> None:
    matrix = symmetric(n, n)
    assert weights_of(written(layout, matrix)) == {(u, v): matrix[u][v] for u, v in combinations(range(n), 2)}


def test_arcs_have_a_full_matrix() -> None:
    matrix = np.random.default_rng(3).integers(0, 90, (5, 5))
    graph = parse_graph(written("FULL_MATRIX", matrix, "ATSP"), ".atsp", "x")
    result = kt.solve(graph, minimize="weight")
    best = min(
        sum(int(matrix[a][b]) for a, b in zip((0, *rest), (*rest, 0), strict=True))
        for rest in permutations(range(1, 5))
    )
    assert (result.status, result.value) == ("optimal", best)
    with pytest.raises(KTError, match="symmetric"):
        parse_graph(written("FULL_MATRIX", matrix), ".tsp", "x")
    with pytest.raises(KTError, match="FULL_MATRIX"):
        parse_graph(written("UPPER_ROW", matrix, "ATSP"), ".tsp", "x")


def nearest(x: float) -> int:
    return floor(x + 0.5)


DISTANCES = {
    "EUC_2D": lambda *d: nearest(sqrt(sum(x * x for x in d))),
    "EUC_3D": lambda *d: nearest(sqrt(sum(x * x for x in d))),
    "CEIL_2D": lambda *d: ceil(sqrt(sum(x * x for x in d))),
    "CEIL_3D": lambda *d: ceil(sqrt(sum(x * x for x in d))),
    "FLOOR_2D": lambda *d: floor(sqrt(sum(x * x for x in d))),
    "FLOOR_3D": lambda *d: floor(sqrt(sum(x * x for x in d))),
    "MAN_2D": lambda *d: nearest(sum(map(abs, d))),
    "MAN_3D": lambda *d: nearest(sum(map(abs, d))),
    "MAX_2D": lambda *d: max(nearest(abs(x)) for x in d),
    "MAX_3D": lambda *d: max(nearest(abs(x)) for x in d),
    "ATT": lambda *d: (lambda r: nearest(r) + (nearest(r) < r))(sqrt(sum(x * x for x in d) / 10)),
}


@pytest.mark.parametrize("metric", DISTANCES)
@pytest.mark.parametrize("seed", range(3))
def test_distances_are_those_of_the_metric(metric: str, seed: int) -> None:
    random = Random(seed)
    width, n = 3 if metric.endswith("3D") else 2, 9
    points = [
        [random.choice((random.randint(-50, 50), round(random.uniform(-9, 9), 2))) for _ in range(width)]
        for _ in range(n)
    ]
    lines = [f"{v + 1} {' '.join(map(str, point))}" for v, point in enumerate(points)]
    random.shuffle(lines)
    text = f"NAME: x\nTYPE: TSP\nDIMENSION: {n}\nEDGE_WEIGHT_TYPE: {metric}\nNODE_COORD_SECTION\n" + "\n".join(lines)
    for end in ("", "\nEOF\n", "\n-1\nEOF\n"):
        expected = {
            (u, v): DISTANCES[metric](*(a - b for a, b in zip(points[u], points[v], strict=True)))
            for u, v in combinations(range(n), 2)
        }
        assert weights_of(text + end) == expected


@pytest.mark.parametrize(("text", "best"), [(BURMA14, 3323), (GR17, 2085)], ids=["burma14", "gr17"])
def test_published_optima_are_found_and_proved(text: str, best: int, tmp_path: Path) -> None:
    path = tmp_path / "salesman.tsp"
    path.write_text(text)
    result = kt.solve(str(path), minimize="weight")
    assert (result.status, result.value) == ("optimal", best)
    assert result.certificate is not None
    assert kt.solve(str(path)).status == "feasible"


def test_edges_with_coordinates_and_fixed_edges(tmp_path: Path) -> None:
    """Only the edges that are listed are there, and their lengths follow from the coordinates."""
    path = tmp_path / "square.hcp"
    path.write_text(
        "TYPE: TSP\nDIMENSION: 4\nEDGE_WEIGHT_TYPE: EUC_2D\nEDGE_DATA_FORMAT: EDGE_LIST\n"
        "NODE_COORD_SECTION\n1 0 0\n2 3 4\n3 6 0\n4 3 -4\nEDGE_DATA_SECTION\n1 2\n2 3\n3 4\n4 1\n1 3\n2 4\n-1\n"
        "FIXED_EDGES_SECTION\n1 3\n-1\nEOF\n"
    )
    graph = read_graph(path)
    assert graph.weights is not None and sorted(graph.weights.tolist()) == [5, 5, 5, 5, 6, 8]
    result = kt.solve(graph, minimize="weight")
    assert result.value == 6 + 8 + 5 + 5


BROKEN = {
    "a number too few": GR17.replace(" 336 0\nEOF", " 336\nEOF"),
    "a number too many": GR17.replace(" 336 0\nEOF", " 336 0 7\nEOF"),
    "too many digits": GR17.replace(" 633 ", " 633.12345678901234567 "),
    "a word": GR17.replace(" 633 ", " x "),
    "no section": GR17.partition("EDGE_WEIGHT_SECTION")[0] + "EOF\n",
    "another layout": GR17.replace("LOWER_DIAG_ROW", "FULL_MATRIX"),
    "an unknown layout": GR17.replace("LOWER_DIAG_ROW", "SPIRAL"),
    "an unknown metric": BURMA14.replace("GEO", "XRAY1"),
    "no coordinates": BURMA14.partition("NODE_COORD_SECTION")[0] + "EOF\n",
    "a point missing": BURMA14.replace("  14  20.09       94.55\n", ""),
    "a point twice": BURMA14.replace("  14  20.09", "  13  20.09"),
    "a point named 1.5": BURMA14.replace("  14  20.09", "  1.5  20.09"),
    "a coordinate missing": BURMA14.replace("  14  20.09       94.55", "  14  20.09"),
    "coordinates and a matrix": BURMA14.replace("EOF", "EDGE_WEIGHT_SECTION\n1 2 3\nEOF"),
    "another type": BURMA14.replace("TYPE: TSP", "TYPE: CVRP", 1),
    "no dimension": BURMA14.replace("DIMENSION: 14\n", ""),
    "a weight too large": GR17.replace(" 633 ", " 999999999999999 ").replace(" 661 ", " 1000000000000001 "),
}


@pytest.mark.parametrize("name", BROKEN)
def test_damaged_weights_are_refused_in_one_line(name: str, tmp_path: Path) -> None:
    path = tmp_path / "salesman.tsp"
    path.write_text(BROKEN[name])
    one_line_refusal(command("solve", path, "--minimize", "weight"), "salesman.tsp")


def test_a_complete_graph_that_is_too_large() -> None:
    n = MAX_COMPLETE + 1
    rows = "\n".join(f"{v} {v} 0" for v in range(1, n + 1))
    text = f"TYPE: TSP\nDIMENSION: {n}\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n{rows}\nEOF\n"
    graph = parse_graph(text, ".tsp", "x")
    assert isinstance(graph, CompleteGraph)
    assert (graph.n, graph.name_of(0), graph.positions.point(1)) == (n, "1", (2, 0))
    with pytest.raises(KTError, match="too many pairs to list their weights; --minimize length"):
        kt.problem(graph, minimize="weight")
    assert kt.find(graph, minimize="length", time_limit=0).status == "feasible"
    with pytest.raises(KTError, match="FIXED_EDGES_SECTION, and over 3,000 points"):
        parse_graph(text.replace("EOF", "FIXED_EDGES_SECTION\n1 2\n-1\nEOF"), ".tsp", "x")
    far = f"TYPE: TSP\nDIMENSION: {n}\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: UPPER_ROW\n"
    with pytest.raises(TooLarge, match="3,000"):
        parse_graph(f"{far}EDGE_WEIGHT_SECTION\n1\nEOF\n", ".tsp", "x")


def test_points_are_joined_as_the_user_says() -> None:
    whole = parse_graph(BURMA14, ".tsp", "x")
    for edges, most in (("nearest:3", 3 * 14), ("complete", 91), ("delaunay", 3 * 14 - 6)):
        graph = parse_graph(BURMA14, ".tsp", "x", FormChoices(edges=edges))
        assert 14 <= graph.m <= most
        weights = dict(zip(map(tuple, whole.ends.tolist()), whole.weights.tolist(), strict=True))
        assert [weights[u, v] for u, v in graph.ends.tolist()] == graph.weights.tolist()
    square = "TYPE: HCP\nDIMENSION: 4\nEDGE_DATA_SECTION\n1 2\n2 3\n3 4\n4 1\n-1\nEOF\n"
    for text, words in ((GR17, "and not of points"), (square, "it has edges already")):
        with pytest.raises(KTError, match=words):
            parse_graph(text, ".tsp", "x", FormChoices(edges="nearest:3"))


def test_standard_input_knows_a_salesman() -> None:
    for text in (BURMA14, GR17):
        assert suffix_of_text(text) == ".hcp"


def test_coordinates_without_a_metric_are_a_picture() -> None:
    points, edges = "NODE_COORD_SECTION\n1 0 0\n2 1.5 0\n3 0 1\n", "EDGE_DATA_SECTION\n1 2\n2 3\n3 1\n-1\nEOF\n"
    text = f"TYPE: HCP\nDIMENSION: 3\n{points}{edges}"
    graph = parse_graph(text, ".hcp", "x")
    assert graph.m == 3 and graph.weights is None
    with pytest.raises(KTError, match="no EDGE_DATA_SECTION"):
        parse_graph(text.partition("EDGE_DATA")[0] + "EOF\n", ".hcp", "x")
