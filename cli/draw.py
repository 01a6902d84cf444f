"""`kt draw`: tours and boards as pictures."""

from __future__ import annotations

import os

import click

from cli.options import graph_argument, leaper_option, suffix_of
from kt_models import Board, Tour
from kt_models.board import is_path
from kt_models.files import require_writable, write_atomic
from kt_models.tour_files import read_valid_tour


@click.command("draw")
@click.argument("file")
@click.option("-o", "--output", metavar="FILE", required=True, help="Write to FILE (.svg .png).")
@click.option("--board", help="The board of a .tour file that does not say it itself.")
@leaper_option
@click.option("--numbers", is_flag=True, help="Write the number of its visit in each cell.")
@click.option("--turns/--no-turns", default=True, show_default=True, help="Mark the turns.")
@click.option("--crossings/--no-crossings", default=True, show_default=True, help="Mark the crossings.")
@click.option("--strands", is_flag=True, help="Explain a formation tour or, of a board, how the quartet moves.")
@click.option("--size", type=click.IntRange(50, 10_000), help="Pixels along the longer side.")
def command(
    file: str,
    output: str,
    board: str | None,
    leaper: str,
    numbers: bool,
    turns: bool,
    crossings: bool,
    strands: bool,
    size: int | None,
) -> int:
    """Draw the tour in FILE, or a board given by its text, as SVG or PNG.

    \b
    kt draw tour.json -o tour.svg --numbers
    kt draw aztec:6 -o board.png
    kt draw formation.json -o strands.svg --strands
    """
    from kt_models.draw import draw_png, draw_svg

    suffix = suffix_of(output, (".svg", ".png"))
    require_writable(output)
    subject = _subject(file, board, leaper)
    draw = draw_svg if suffix == ".svg" else draw_png
    parts = None
    if strands:
        from heuristics.formation.picture import moves_of, strands_of

        parts = strands_of(subject) if isinstance(subject, Tour) else moves_of(subject)
    write_atomic(output, draw(subject, numbers=numbers, turns=turns, crossings=crossings, size=size, parts=parts))
    return 0


def _subject(file: str, board: str | None, leaper: str) -> Tour | Board:
    if not os.path.exists(file) and not is_path(file) and not file.lower().endswith(".tour"):
        return Board.parse(file)
    return read_valid_tour(file, graph_argument(board, leaper) if board else None)
