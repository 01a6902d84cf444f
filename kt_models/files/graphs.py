"""Reading of graphs from files, in every form of `kt_models.files.graph_forms.table`."""

from __future__ import annotations

import os

from kt_models.board import Board
from kt_models.errors import KTError, about, excerpt
from kt_models.files.graph_forms.form import NO_CHOICES, FormChoices
from kt_models.files.suffixes import graph_suffix, is_path
from kt_models.graph import MoveGraph
from kt_models.leaper import Leaper, Rider, usual_leaper
from kt_models.storage import STANDARD


def graph_of(
    text: str, leaper: Leaper | Rider | None = None, choices: FormChoices = NO_CHOICES, cells: str | None = None
) -> MoveGraph:
    """The graph of a command line's BOARD: a board's text, or a file of a graph.

    Parameters
    ----------
    choices
        What the user says about the file.
    cells
        The signs of cells, if the board is a mask.

    Raises
    ------
    KTError
        If the text is neither, or a graph with its own moves is requested for another piece.
    """
    if cells is None and (is_path(text) or (choices != NO_CHOICES and os.path.isfile(text))):
        return with_moves(read_graph(text, choices), leaper)
    if choices != NO_CHOICES:
        name = next(key for key in ("form", "directed", "missing", "edges") if getattr(choices, key) is not None)
        raise KTError(f"{name}: it says how a file has a graph, and {excerpt(text)} is not a file")
    return with_moves(Board.parse(text, cells=cells), leaper)


def with_moves(place: Board | MoveGraph, leaper: Leaper | Rider | None) -> MoveGraph:
    """The graph of a board and a piece, by default the knight; a graph already has moves, and accepts only its own
    piece."""
    if isinstance(leaper, Rider):
        board = place if isinstance(place, Board) else place.board
        if board is None:
            raise KTError(f"leaper {leaper}: the moves of {place.name} are the edges it was given with")
        leaper = leaper.on(board)
    if isinstance(place, Board):
        return MoveGraph.of(place, leaper or usual_leaper(place))
    if leaper is not None and leaper != place.leaper:
        moves = f"those of the leaper {place.leaper}" if place.leaper else "the edges it was given with"
        raise KTError(f"leaper {leaper}: the moves of {place.name} are {moves}")
    return place


def read_graph(path: str | os.PathLike[str], choices: FormChoices | str | None = None) -> MoveGraph:
    """Read a graph from a file in any form of `kt_models.files.graph_forms.table`.

    Parameters
    ----------
    choices
        What the user says about the file, or only the name of its form, if suffix and content do not tell it.

    Raises
    ------
    KTError
        If the file cannot be read as a graph; the message names the file, and says what can be read.
    """
    from kt_models.files.graph_forms.table import form_named, parse_graph
    from kt_models.files.graph_forms.text import graph_text, read_graph_bytes
    from kt_models.files.graph_lists.bytes import STREAM_FORMS, stream_form

    with about(path):
        data = read_graph_bytes(path)
        suffix = "" if os.fspath(path) == STANDARD else graph_suffix(path)
        name = os.path.basename(str(path))
        options = choices if isinstance(choices, FormChoices) else FormChoices(choices)
        streamed = options.form or stream_form(data[:1000], suffix)
        if streamed in STREAM_FORMS:
            form = form_named(streamed)
            return form.read(data.decode("latin-1"), name, **options.for_form(form))
        return parse_graph(graph_text(data), suffix, name, options)
