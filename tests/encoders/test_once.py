"""A solve verifies its tour once, and builds the graph and reads the board once."""

from __future__ import annotations

from collections import Counter

import pytest

import kt
from kt_models import Board, Leaper, MoveGraph, result


@pytest.mark.parametrize(
    ("board", "words"),
    [
        ("6x6", {"minimize": "turns"}),
        ("6x8", {"minimize": "turns"}),
        ("6x6", {"minimize": "crossings"}),
        ("6x6", {"minimize": "turns", "open": True}),
        ("20x20", {}),
        ("5x6", {"workers": 1, "hint": False}),
    ],
)
def test_a_solve_does_each_thing_once(board: str, words: dict, monkeypatch: pytest.MonkeyPatch) -> None:
    done: Counter[str] = Counter()

    def counted(owner: object, name: str, label: str) -> None:
        function = getattr(owner, name)

        def wrapped(*arguments, **named):
            done[label] += 1
            return function(*arguments, **named)

        monkeypatch.setattr(owner, name, wrapped)

    counted(MoveGraph, "__init__", "graphs built")
    counted(Board, "_parse_base", "boards read")
    # Each verifies a solution, of edges or of a tour.
    counted(result, "verify_edges", "verifications")
    counted(result, "solution_edges", "verifications")
    answer = kt.solve(board, **words)
    assert answer.tour is not None
    # The graph of an earlier test may still be in use.
    assert done["verifications"] == max(done.values()) == 1


def test_graphs_of_a_board_are_one_while_they_are_in_use() -> None:
    graph = MoveGraph.of(Board.parse("6x6"))
    assert MoveGraph.of(Board.parse("6x6")) is graph and Board.parse("6x6") is graph.board
    assert MoveGraph.of(Board.parse("6x6"), Leaper(1, 4)) is not graph
    # An equal board with another text is another graph, which speaks of the user's board.
    masked = Board.from_cells(graph.board.cells, "mine")
    assert masked == graph.board and MoveGraph.of(masked).name == "mine"
