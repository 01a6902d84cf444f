"""Captions: a drawing in one line of words."""

from __future__ import annotations

from drawing.drawn_moves import Way
from kt_models.board import Board
from kt_models.cells import cell_name
from kt_models.errors import KTError, shortened
from kt_models.graph import MoveGraph
from kt_models.leaper import KNIGHT
from kt_models.tour import Tour


def caption_of(board: Board, way: Way | None) -> str:
    """`8x8, closed, 38 turns, 62 crossings`."""
    name = shortened(board.text)
    if way is None:
        return f"{name}, {plural(board.n, 'cell')}"
    parts = [name, *piece_words(way.tours[0].graph)]
    if len(way.tours) == 1:
        parts.append(_described(way.tours[0], board))
    else:
        cycles = sum(tour.closed for tour in way.tours)
        parts += [plural(k, noun) for k, noun in ((cycles, "cycle"), (len(way.tours) - cycles, "path")) if k]
    if len(way.cells) != board.n:
        parts.append(f"{len(way.cells)} of {plural(board.n, 'cell')}")
    parts.append(plural(len(way.turns), "turn"))
    if way.crossings is not None:
        parts.append(plural(len(way.crossings), "crossing"))
    return ", ".join(parts)


def piece_words(graph: MoveGraph) -> list[str]:
    """The piece, unless it is a knight."""
    return [] if graph.leaper is None or graph.leaper == KNIGHT else [graph.leaper.piece]


def _described(tour: Tour, board: Board) -> str:
    if tour.closed:
        return "closed"
    names = [cell_name(cell) for cell in tour.coordinates[[0, -1]].tolist()]
    return "open from {} to {}".format(*(name if board.dimension == 2 else f"({name})" for name in names))


def plural(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def board_of(graph: MoveGraph) -> Board:
    """The board of a graph that is drawn.

    Raises
    ------
    KTError
        If the graph has no board.
    """
    if graph.board is None or graph.moves is None:
        raise KTError(f"graph {shortened(graph.name)} has no board: it cannot be drawn")
    return graph.board
