"""`kt show`: a tour in the terminal."""

from __future__ import annotations

import shutil
import sys

import click

from cli.command import Command
from cli.options import TourOptions, print_rows, tour_options, tour_rules
from cli.output import paths_text, tour_rows, tour_text, walk_rows, walks_in
from kt_models.files.given import holds_json

MAX_DRAWN = 20_000
"""Most cells of a tour that is drawn: more never fit into a terminal."""


@click.command("show", cls=Command)
@click.argument("file")
@tour_options()
@tour_rules(lambda values: holds_json(values["file"]))
def command(file: str, written: TourOptions) -> int:
    """Show the tour in FILE in the terminal: its measures, the numbers of its cells, and a picture.

    \b
    kt show tour.json
    kt show tour.txt                 a grid of numbers, squares, coordinates: whatever kt check reads
    kt show -                        from standard input, behind kt solve 6x6 -o -

    The picture is drawn with braille signs, eight dots to each cell, or fewer where the terminal is narrow. Several
    paths or cycles, and walks that leave cells out, are shown without it.
    """
    from drawing.draw import draw_in_terminal
    from drawing.page import MOST_DRAWN

    if (result := walks_in(file)) is not None:
        print_rows(walk_rows(result))
        click.echo(f"\n{paths_text(result)}")
        return 0
    tour = written.read_valid(file)
    graph = tour.graph
    print_rows(tour_rows(tour, {metric: tour.measure(metric) for metric in tour.metrics}))
    click.echo(f"\n{tour_text(tour, 'kt draw FILE -o tour.html shows them')}")
    is_placed = graph.positions is not None if graph.board is None else graph.board.dimension <= MOST_DRAWN
    drawn = is_placed and len(tour) <= MAX_DRAWN
    picture = draw_in_terminal(tour, shutil.get_terminal_size().columns) if drawn else None
    if picture is not None and _is_writable(picture):
        click.echo(f"\n{picture}")
    return 0


def _is_writable(text: str) -> bool:
    """Whether standard output has all signs of a text."""
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "ascii")
    except UnicodeEncodeError:
        return False
    return True
