"""Moves, degrees and the two classes of cells in a drawing are those of the graph."""

from __future__ import annotations

import networkx
import pytest

import kt
from drawing.draw import draw_svg
from kt_models import KTError, graph_of
from kt_models.leaper import Leaper
from tests.command import kt as command
from tests.command import one_line_refusal
from tests.drawing.test_draw import group, strokes, texts

BOARDS = [("3x4", "1,2"), ("5x5", "0,1"), ("8x8", "1,2"), ("aztec:3", "1,2"), ("6x6", "1,4"), ("ring:8x8/2", "2,3")]


@pytest.mark.parametrize(("board", "leaper"), BOARDS)
def test_each_move_is_a_line_and_each_cell_has_its_degree(board: str, leaper: str) -> None:
    graph = graph_of(board, Leaper.parse(leaper))
    svg = draw_svg(graph, moves=True, degrees=True, names=False, caption="")
    assert len(strokes(svg, "moves")) == graph.m
    degrees = sorted(degree for _, degree in graph.to_networkx().degree())
    assert sorted(map(int, texts(svg))) == degrees


@pytest.mark.parametrize(("board", "leaper"), [*BOARDS, ("torus:6x6", "1,2"), ("4x4x4", "1,2")])
def test_the_two_colours_are_those_of_a_bipartite_graph(board: str, leaper: str) -> None:
    graph = graph_of(board, Leaper.parse(leaper))
    assert networkx.is_bipartite(graph.to_networkx())
    svg = draw_svg(graph, colours=True)
    classes = group(svg, "classes")
    assert classes is not None
    squares = [path.get("d", "").count("M") for path in classes]
    colour = networkx.bipartite.color(networkx.Graph(graph.to_networkx()))
    if networkx.is_connected(graph.to_networkx()):
        assert sorted(squares) == sorted([sum(colour.values()), len(colour) - sum(colour.values())])


def test_what_cannot_be_shown_is_refused_in_one_line() -> None:
    for words, board in (
        (["--colours", "--leaper", "king"], "3x3"),
        (["--colours"], "torus:5x5"),
        (["--moves"], "4x4x4"),
    ):
        one_line_refusal(command("draw", board, "-o", "-", *words), board)
    one_line_refusal(command("draw", "6x6", "-o", "-", "--numbers", "--degrees"), "")
    with pytest.raises(KTError, match="moves of a board"):
        kt.draw(kt.graph(points=[(0, 0), (1, 0), (0, 1)]), moves=True)
