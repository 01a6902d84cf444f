"""Marks on a drawing of the moves of a board: all of them, their number at each cell, and two classes of cells."""

from __future__ import annotations

import numpy as np

from drawing.canvas import BORDER, PAPER, SOFT_INK, TWO_COLOURS, Canvas, Dots, Lines, Rectangles
from drawing.lines import lines_of_edges, on_page
from drawing.options import DrawOptions
from kt_models.errors import KTError, TooLarge
from kt_models.graph import MoveGraph
from kt_models.kernel.certificates.obstructions import two_colouring

MOVES = frozenset({"moves", "degrees", "colours"})
"""The options of drawings that are about the moves of a board."""
MAX_MOVES = 200_000
"""Most moves that are drawn."""
DISC = 0.24
"""Radius of the disc under a number, in cells."""


def require_moves(graph: object, options: DrawOptions) -> None:
    """Refuse options about moves where there are none, or too many.

    Raises
    ------
    KTError
        If there is no board; if a board of three dimensions is asked for its moves, which lead between its layers; or
        if the cells have no two classes.
    TooLarge
        If there are more than `MAX_MOVES` moves.
    """
    asked = sorted(name for name in MOVES if getattr(options, name))
    if not asked:
        return
    if not isinstance(graph, MoveGraph) or graph.board is None:
        raise KTError(f"{asked[0]}: it is about the moves of a board")
    if options.moves and graph.board.dimension != 2:
        raise KTError(
            f"moves: the moves of {graph.name} lead from one layer to another; only those of a plane are drawn"
        )
    if graph.m > MAX_MOVES:
        raise TooLarge(f"{graph.name}: {graph.m:,} moves; at most {MAX_MOVES:,} are drawn")


def draw_moves(canvas: Canvas, graph: MoveGraph, options: DrawOptions) -> None:
    """The moves of a board, their number at each cell, and its two classes of cells, as the options ask for them."""
    board, _ = graph.geometry
    offsets = canvas.page.offsets
    places = on_page(board.cells.astype(np.int64), offsets).astype(np.float64)
    if options.colours:
        classes = two_colouring(graph.n, graph.ends)
        if classes is None:
            raise KTError(f"colours: {graph.name} has no two classes of cells such that every move joins both")
        for number, colour in enumerate(TWO_COLOURS):
            of_class = places[classes == number]
            corners = np.concatenate([of_class - 0.5, of_class + 0.5], axis=1)
            canvas.put(Rectangles(name="classes", order=0.15, corners=corners, colour=colour, opacity=0.45))
    if options.moves:
        lines, _ = lines_of_edges(graph, np.arange(graph.m), offsets)
        canvas.put(Lines(name="moves", order=0.5, points=list(lines), colours=SOFT_INK, width=canvas.pixels(0.03, 0.6)))
    if options.degrees:
        if options.moves:  # Lines would run through the numbers
            disc = canvas.pixels(DISC)
            canvas.put(Dots(name="discs", order=2.5, points=places, radius=disc, colours=PAPER, edge=BORDER, rim=1.0))
        for (x, y), degree in zip(places.tolist(), graph.degrees.tolist(), strict=True):
            canvas.write(x, y, str(degree), canvas.page.number, name="degrees")
