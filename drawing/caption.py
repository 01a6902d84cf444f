"""Captions: a drawing in one line of words."""

from __future__ import annotations

from drawing.drawn_moves import Way
from kt_models.board import Board
from kt_models.cells import cell_name
from kt_models.errors import KTError
from kt_models.graph import MoveGraph
from kt_models.leaper import KNIGHT
from kt_models.tour import Tour


def caption_of(board: Board, way: Way | None) -> str:
    """`8x8, closed, 38 turns, 62 crossings`."""
    name = shortened(board.text)
    if way is None:
        return f"{name}, {plural(board.n, 'cell')}"
    leaper = way.tours[0].graph.leaper
    parts = [name] if leaper == KNIGHT else [name, leaper.piece]
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


def shortened(text: str, most: int = 40) -> str:
    """The text of a board in one short line that any file can carry."""
    line = "".join(c if c.isprintable() else "?" for c in text)
    return line if len(line) <= most else line[: most - 1] + "…"
