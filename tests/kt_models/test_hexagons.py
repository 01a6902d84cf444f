"""Boards of hexagonal cells, beside code of its own for the same lattice."""

import itertools

import networkx as nx
import numpy as np
import pytest

import kt
from kt_models import Board, KTError, MoveGraph
from kt_models.leaper import KNIGHT, STEP, Leaper, usual_leaper
from kt_models.symmetry import board_symmetries
from tests.command import answered

SIX = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))


def lattice(kind: str, side: int) -> nx.Graph:
    """The cells in axial coordinates, and steps between neighbours."""
    if kind == "hex":
        reach = range(1 - side, side)
        cells = {(q, r) for q in reach for r in reach if abs(q + r) < side}
    else:
        cells = {(q, r) for q in range(side) for r in range(side - q)}
    graph = nx.Graph()
    graph.add_nodes_from(cells)
    graph.add_edges_from(((q, r), (q + a, r + b)) for q, r in cells for a, b in SIX if (q + a, r + b) in cells)
    return graph


def cycles(graph: nx.Graph) -> list[tuple]:
    """All Hamiltonian cycles, from one vertex, in one direction each."""
    first = next(iter(graph))
    found = []

    def go_on(path: list, seen: set) -> None:
        if len(path) == len(graph):
            if first in graph[path[-1]] and path[1] < path[-1]:
                found.append(tuple(path))
            return
        for near in graph[path[-1]]:
            if near not in seen:
                go_on([*path, near], seen | {near})

    go_on([first], {first})
    return found


def turns(cycle: tuple) -> int:
    around = list(zip(cycle, cycle[1:] + cycle[:1], strict=True))
    vectors = [(b[0] - a[0], b[1] - a[1]) for a, b in around]
    return sum(v != w for v, w in zip(vectors, vectors[1:] + vectors[:1], strict=True))


@pytest.mark.parametrize("side", range(1, 8))
def test_cells_and_steps_are_those_of_the_lattice(side):
    for kind, count in (("hex", 3 * side * (side - 1) + 1), ("triangle", side * (side + 1) // 2)):
        board, other = Board.parse(f"{kind}:{side}"), lattice(kind, side)
        graph = MoveGraph.of(board, STEP)
        assert (graph.n, graph.m) == (count, other.number_of_edges())
        assert nx.faster_could_be_isomorphic(graph.to_networkx(), other)
        if side < 4:
            assert nx.is_isomorphic(nx.Graph(graph.to_networkx()), other)


@pytest.mark.parametrize(("text", "order"), [("hex:2", 12), ("hex:5", 12), ("triangle:3", 6), ("triangle:6", 6)])
def test_symmetries_are_signed_permutations(text, order):
    board = Board.parse(text)
    assert len(board_symmetries(board)) == order
    graph = MoveGraph.of(board, STEP)
    for symmetry in board_symmetries(board):
        assert sorted(graph.edge_permutation(symmetry).tolist()) == list(range(graph.m))


@pytest.mark.parametrize("text", ["hex:3", "triangle:5", "hex:4-(0,3,6)", "hex:4-(0,3,6),(3,3,3)"])
def test_texts_and_documents_are_read_again(text):
    board = Board.parse(text)
    assert board.text == text
    assert board.describes_itself
    assert Board.from_json(board.to_json()) == board
    assert board.is_flat
    assert usual_leaper(board) == STEP == Leaper.parse("step")


def test_other_boards_have_knights():
    for text in ("8x8", "4x4x4", "4x4x4-(0,0,0)", "torus:4x4", "aztec:3", "2x2x2x2"):
        board = Board.parse(text)
        assert not board.is_flat
        assert usual_leaper(board) == KNIGHT


def test_numbers_of_tours_are_those_of_the_lattice():
    for kind, side in (("triangle", 2), ("triangle", 3), ("triangle", 4), ("hex", 2)):
        all_cycles = cycles(lattice(kind, side))
        assert kt.count(f"{kind}:{side}") == len(all_cycles)
        best = min(map(turns, all_cycles))
        result = kt.solve(f"{kind}:{side}", minimize="turns")
        assert (result.status, result.value) == ("optimal", best)
        assert result.tour.measure("length") == pytest.approx(len(result.tour) * 2**0.5, abs=1e-4)
        assert result.crossings == 0


def test_triangles_have_the_published_numbers_of_tours():
    # OEIS A112676 (Hamiltonian cycles of a triangular grid), n = 2 to 7 as listed there on 2026-11-29.
    assert [kt.count(f"triangle:{side}") for side in range(2, 8)] == [1, 1, 3, 26, 474, 17214]


def test_classes_of_tours_are_counted():
    board = Board.parse("triangle:5")
    tours = list(kt.tours(board))
    assert len({tour.canonical().order.tobytes() for tour in tours}) == kt.count(board, up_to_symmetry=True)


@pytest.mark.parametrize("text", ["hex:0", "triangle:0"])
def test_a_side_has_a_cell(text):
    with pytest.raises(KTError, match="at least 1 cell"):
        Board.parse(text)


def test_misspelt_shapes_are_suggested():
    for text, meant in (("hexagon:5", "hex:5"), ("triangular 7", "triangle:7"), ("honeycomb:3", "hex:3")):
        with pytest.raises(KTError, match=f"did you mean '{meant}'"):
            Board.parse(text)


@pytest.mark.parametrize("suffix", [".svg", ".png", ".tex", ".html"])
def test_pictures_have_a_hexagon_for_each_cell(suffix, tmp_path):
    tour = kt.solve("hex:2").tour
    for subject in (tour, kt.graph("hex:2"), Board.parse("hex:2-(1,1,1)")):
        path = tmp_path / f"picture{suffix}"
        kt.draw(subject, path, force=True)
        if suffix == ".svg":
            hexagons = path.read_text(encoding="utf-8").split('class="hexagons"')[1].split("</g>")[0]
            assert hexagons.count("M") == (6 if isinstance(subject, Board) else 7)


def test_hexagons_are_regular_and_touch():
    from drawing.graph_picture import places_of
    from drawing.hexagonal import hexagons, placed_graph

    points, _ = places_of(placed_graph(kt.graph("hex:3")))
    gaps = np.linalg.norm(points[:, None] - points[None], axis=2)
    least = gaps[gaps > 1e-9].min()
    assert np.count_nonzero(np.isclose(gaps, least)) == 2 * kt.graph("hex:3").m
    for corners in hexagons(points, least):
        sides = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
        assert np.allclose(sides, least / 3**0.5)
    # Two neighbours share two corners.
    shared = [
        sum(np.isclose(a, b).all() for a in first for b in second)
        for first, second in itertools.combinations(hexagons(points, least), 2)
    ]
    assert shared.count(2) == kt.graph("hex:3").m


def test_the_terminal_shows_rows_of_cells():
    _, text, _ = answered("solve", "triangle:3")
    rows = [line for line in text.splitlines() if line.strip() and set(line) <= set(" 0123456789")]
    assert [len(row.split()) for row in rows] == [1, 2, 3]
    assert "leaper 1,1" in text
