"""`kt draw`: tours, results, certificates and boards as pictures, pages and animations."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

import click

from cli.command import Command
from cli.complain import complain
from cli.effect import Given, read_when
from cli.files import is_forced
from cli.live import live_progress
from cli.options import TourOptions, graph_argument, grouped, output_option, tour_options, tour_rules
from kt_models import KTError
from kt_models.board import is_board
from kt_models.drawing.options import DrawOptions
from kt_models.files.endings import has_graph_ending, suffix_of
from kt_models.files.given import holds_documents, holds_json, is_text
from kt_models.limits import Report
from kt_models.storage import STANDARD, require_writable, write_atomic

if TYPE_CHECKING:
    from kt_models.drawing.draw import Subject
    from kt_models.drawing.parts import Parts
    from kt_models.drawing.sides import Side
    from kt_models.walks import Walk

MOST_DRAWINGS = 400
"""In one SVG."""
SUFFIXES = (".svg", ".png", ".pdf", ".tex", ".html", ".gif", ".mp4")
MOST_RECOGNISED = 40_000
"""Most cells of a tour that a page asks, unasked, whether it is a formation tour: trying takes about a second."""


@dataclass(frozen=True)
class About:
    """What is drawn of it."""

    argument: bool = False
    strands: bool = False


def _ending(given: Given) -> str:
    """The ending of the file that is written; none of a gallery."""
    output = str(given["output"])
    if output == STANDARD:
        return SUFFIXES[0]
    return "" if output.endswith("/") or os.path.isdir(output) else os.path.splitext(output)[1].lower()


def _is_board(file: str) -> bool:
    """Whether it is the text of a board, and not a file."""
    if os.path.exists(file) or has_graph_ending(file) or file.lower().endswith((".tour", ".csv", ".txt")):
        return False
    return is_board(file) or not is_text(file)


def _is_file(file: str) -> bool:
    return file == STANDARD or os.path.isfile(file)


@click.command("draw", cls=Command)
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@output_option(" ".join((*SUFFIXES, "or FOLDER/")), required=True)
@tour_options()
@grouped(
    "look",
    DrawOptions,
    click.option("--numbers", is_flag=True, help="Write the number of its visit in each cell."),
    click.option("--turns/--no-turns", default=True, show_default=True, help="Mark the turns."),
    click.option("--crossings/--no-crossings", default=True, show_default=True, help="Mark the crossings."),
    click.option("--direction", is_flag=True, help="Mark the start, and the way the tour goes."),
    click.option("--style", metavar="screen|print", default="screen", show_default=True, help="Colours, or black."),
    click.option("--size", type=click.IntRange(50, 10_000), help="Pixels along the longer side."),
)
@grouped(
    "about",
    About,
    click.option("--argument", is_flag=True, help="Draw the certificate of a result in place of its tour."),
    click.option("--strands", is_flag=True, help="Explain a formation tour or, of a board, how the quartet moves."),
)
@click.option("--seconds", type=click.FloatRange(0.5, 600), default=15.0, show_default=True, help="Of an animation.")
@read_when(
    *("numbers", "crossings"),
    when=lambda given: _ending(given) not in ("", ".gif", ".mp4"),
    why="in a picture or a page",
)
@read_when("turns", when=_ending, why="in a picture, a page or an animation, not in a gallery")
@read_when(
    *("direction", "style", "argument"),
    when=lambda given: _ending(given) not in ("", ".html", ".gif", ".mp4"),
    why="in a picture",
)
@read_when("size", when=lambda given: _ending(given) not in ("", ".html"), why="in a picture or an animation")
@read_when("strands", when=_ending, why="in a picture, a page or an animation, not in a gallery")
@read_when("seconds", when=lambda given: _ending(given) in (".gif", ".mp4"), why="in an animation")
@read_when("board", when=lambda given: not all(map(_is_board, given["files"])), why="with a file of a tour")
@tour_rules(
    lambda given: all(_is_board(file) or (_is_file(file) and holds_json(file)) for file in given["files"]),
    boards=lambda given: any(map(_is_board, given["files"])),
)
def command(
    files: tuple[str, ...],
    output: str,
    look: DrawOptions,
    about: About,
    seconds: float,
    written: TourOptions,
) -> int:
    """Draw what is in FILE: a tour, a result or a certificate; or a board given by its text.

    \b
    .svg .png   a picture; .pdf and .tex (TikZ) for a paper; several FILEs side by side as .svg
    .html       a page to step through, zoom and turn, in one file; of two FILEs side by side
    .gif .mp4   an animation, the latter where ffmpeg is installed
    FOLDER/     a gallery to be hosted: a table of all FILEs, with a page for each

    \b
    kt draw tour.json -o tour.svg --numbers
    kt draw tour.json -o tour.pdf --style print --direction
    kt draw aztec:6 -o board.png
    kt draw formation.json -o strands.svg --strands
    kt draw result.json -o why.svg --argument
    kt draw before.json after.json -o compare.html
    kt draw all.jsonl -o all.svg --size 200
    kt draw tour.json -o tour.gif --seconds 10
    kt draw *.json -o site/
    """
    if output.endswith("/") or os.path.isdir(output):
        return _gallery(files, output, written)
    suffix = suffix_of(output, SUFFIXES)
    require_writable(output)
    if suffix in (".gif", ".mp4"):
        from kt_models.drawing.animation import require_encoder

        require_encoder(suffix)
    most = {".html": 2, ".svg": MOST_DRAWINGS}.get(suffix, 1)
    sides = list(islice(_sides(files, written), most + 1))
    if len(sides) > most:
        raise KTError(f"more than {most} to draw: {suffix} has {most}, .html two and .svg up to {MOST_DRAWINGS}")
    if suffix == ".html":
        from kt_models.drawing.draw import draw_page

        sides = [replace(side, parts=_parts(side, about.strands)) for side in sides]
        show = {name: shown for name, shown in asdict(look).items() if name in ("numbers", "turns", "crossings")}
        write_atomic(output, draw_page(sides, show=show))
        return 0
    if about.strands and len(sides) > 1:
        raise KTError("--strands: only one tour or board at a time is explained in a picture")
    parts = _parts(sides[0], True) if about.strands else None
    if suffix in (".gif", ".mp4"):
        from kt_models.drawing.animation import animation

        write_atomic(
            output, animation(sides[0], suffix, seconds=seconds, size=look.size, turns=look.turns, parts=parts)
        )
        return 0
    from kt_models.drawing.draw import PICTURES, draw_sheet, require_effect

    subjects = [_subject(side, about.argument) for side in sides]
    require_effect(subjects, look)
    if len(subjects) > 1:
        write_atomic(output, draw_sheet(subjects, **asdict(look)))
    else:
        write_atomic(output, PICTURES[suffix](*subjects[0], **asdict(look), parts=parts))
    return 0


def _sides(files: tuple[str, ...], written: TourOptions) -> Iterator[Side]:
    """What is in the files, one after the other."""
    from kt_models.drawing.sides import Side, read_sides, side_of_tour

    for file in files:
        if _is_board(file):
            own = graph_argument(file, written.leaper)
            yield Side(own.name, own)
        elif holds_documents(file):
            yield from read_sides(file, written.graph, **written.how)
        else:
            yield side_of_tour(written.read_valid(file), "" if is_text(file) else os.path.basename(file))


def _subject(side: Side, argument: bool) -> tuple[Subject, Sequence[Walk] | None]:
    """What is drawn of a side, and the walks on it."""
    if argument and side.certificate is None:
        raise KTError(f"{side.name}: --argument: there is no certificate in it")
    if side.certificate is not None and (argument or not side.tours):
        return side.certificate, None
    if side.claim and not side.tours:
        raise KTError(f"{side.name}: there is no tour in it; -o FILE.html shows what it claims")
    return side.graph if side.walks else side.tours[0] if side.tours else side.graph, side.walks or None


def _gallery(files: tuple[str, ...], folder: str, written: TourOptions) -> int:
    """Write a gallery; a file that cannot be shown is named on stderr, and left out."""
    from kt_models.drawing.sides import NoBoard
    from kt_models.drawing.site import require_site, rows_of, write_board, write_index

    require_site(folder, is_forced())
    shown: list[tuple[Side, str]] = []
    faults = 0
    with live_progress("reading") as on_progress:
        for file in files:
            on_progress(Report(words=f"{len(shown)} read, {file}"))
            try:
                shown += [(side, file) for side in _sides((file,), written)]
            except KTError as error:
                faults += not isinstance(error, NoBoard)
                complain(f"left out: {error}")
        if not shown:
            raise KTError(f"{folder}: none of {len(files)} files can be shown")
        pages = []
        for number, entry in enumerate(rows_of(shown)):
            on_progress(Report(words=f"{number} of {len(shown)} written"))
            try:
                write_board(folder, entry)
                pages.append(entry)
            except KTError as error:
                faults += 1
                complain(f"left out: {entry.source}: {error}")
        write_index(folder, pages, f"{len(pages)} boards")
    return 2 if faults else 0


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
