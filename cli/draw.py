"""`kt draw`: tours, results, certificates and boards as pictures, pages and animations."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from cli.options import graph_argument, grouped, leaper_option, output_option
from kt_models import KTError
from kt_models.board import is_path
from kt_models.files.endings import suffix_of
from kt_models.storage import require_writable, write_atomic

if TYPE_CHECKING:
    from kt_models.drawing.parts import Parts
    from kt_models.drawing.sides import Side

SUFFIXES = (".svg", ".png", ".pdf", ".tex", ".html", ".gif", ".mp4")
MOST_RECOGNISED = 40_000
"""Most cells of a tour that a page asks, unasked, whether it is a formation tour: trying takes about a second."""


@dataclass(frozen=True)
class Look:
    """What is marked in a picture."""

    numbers: bool = False
    turns: bool = True
    crossings: bool = True


@click.command("draw")
@click.argument("files", metavar="FILE [FILE]", nargs=-1, required=True)
@output_option(" ".join(SUFFIXES), required=True)
@click.option("--board", help="The board of a .tour file that does not say it itself.")
@leaper_option
@grouped(
    "look",
    Look,
    click.option("--numbers", is_flag=True, help="Write the number of its visit in each cell."),
    click.option("--turns/--no-turns", default=True, show_default=True, help="Mark the turns."),
    click.option("--crossings/--no-crossings", default=True, show_default=True, help="Mark the crossings."),
)
@click.option("--strands", is_flag=True, help="Explain a formation tour or, of a board, how the quartet moves.")
@click.option("--size", type=click.IntRange(50, 10_000), help="Pixels along the longer side.")
@click.option("--seconds", type=click.FloatRange(0.5, 600), default=15.0, show_default=True, help="Of an animation.")
def command(
    files: tuple[str, ...], output: str, look: Look, strands: bool, size: int | None, seconds: float, **given: Any
) -> int:
    """Draw what is in FILE: a tour, a result or a certificate; or a board given by its text.

    \b
    .svg .png   a picture; .pdf and .tex (TikZ) for a paper
    .html       a page to step through, zoom and turn, in one file; of two FILEs side by side
    .gif .mp4   an animation, the latter where ffmpeg is installed

    \b
    kt draw tour.json -o tour.svg --numbers
    kt draw aztec:6 -o board.png
    kt draw formation.json -o strands.svg --strands
    kt draw before.json after.json -o compare.html
    kt draw tour.json -o tour.gif --seconds 10
    """
    suffix = suffix_of(output, SUFFIXES)
    require_writable(output)
    if len(files) > (2 if suffix == ".html" else 1):
        raise KTError(f"{len(files)} files: one is drawn, or two side by side as .html")
    if suffix in (".gif", ".mp4"):
        from kt_models.drawing.animation import require_encoder

        require_encoder(suffix)
    sides = [_side(file, **given) for file in files]
    if suffix == ".html":
        from kt_models.drawing.draw import draw_page

        sides = [replace(side, parts=_parts(side, strands)) for side in sides]
        write_atomic(output, draw_page(sides, show=asdict(look)))
        return 0
    (side,) = sides
    parts = _parts(side, strands) if strands else None
    if suffix in (".gif", ".mp4"):
        from kt_models.drawing.animation import animation

        write_atomic(output, animation(side, suffix, seconds=seconds, size=size, turns=look.turns, parts=parts))
        return 0
    from kt_models.drawing.draw import PICTURES

    if side.claim and not side.tours:
        raise KTError(f"{files[0]}: there is no tour in it; -o FILE.html shows what it claims")
    subject = side.tours[0] if len(side.tours) == 1 else side.graph
    draw = PICTURES[suffix]
    write_atomic(output, draw(subject, side.walks or None, **asdict(look), size=size, parts=parts))
    return 0


def _side(file: str, board: str | None, leaper: str) -> Side:
    from kt_models.drawing.sides import Side, read_side

    if not os.path.exists(file) and not is_path(file) and not file.lower().endswith(".tour"):
        graph = graph_argument(file, leaper)
        return Side(graph.name, graph)
    return read_side(file, graph_argument(board, leaper) if board else None)


def _parts(side: Side, asked: bool) -> Parts | None:
    """What explains a tour, or a board, of some method: if it is asked for, or a page's tour happens to be one."""
    if asked:
        if side.graph.board is None:
            raise KTError(f"graph {side.graph.name} has no board: it cannot be drawn")
        if len(side.tours) > 1:
            raise KTError("--strands: it is not one tour")
    elif len(side.tours) != 1 or len(side.tours[0]) > MOST_RECOGNISED:
        return None
    from heuristics.find import METHODS

    subject = side.tours[0] if side.tours else side.graph.geometry[0]
    faults = []
    for method in METHODS.values():
        if method.explain is not None:
            try:
                return method.explain(subject)
            except KTError as error:
                faults.append(str(error))
    if asked:
        raise KTError(f"--strands: {'; '.join(faults)}")
    return None
