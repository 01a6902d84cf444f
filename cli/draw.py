"""`kt draw`: tours, results, certificates and boards as pictures, pages and animations."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

import click

from cli.command import Command
from cli.error_messages import complain
from cli.files import is_forced, output_suffix
from cli.live import live_progress
from cli.option_errors import OptionValues, read_when
from cli.options import (
    EDGES_OPTION,
    POSITIONS_OPTION,
    PointOptions,
    TourOptions,
    formed,
    graph_argument,
    grouped,
    is_file,
    output_option,
    tour_options,
    tour_rules,
)
from drawing.options import DRAWN, THEMES, DrawOptions
from drawing.save import DRAWN_AS as SUFFIXES
from drawing.save import is_gallery
from kt_models import KTError, MoveGraph
from kt_models.board import is_board
from kt_models.file_kinds import json_kind_of
from kt_models.files.clues import clues_from, is_pairs
from kt_models.files.edge_lists import POINTS_FORM
from kt_models.files.given import GRAPHS, has_points, holds_documents, holds_json, is_text
from kt_models.files.graph_forms.form import NO_CHOICES, FormChoices
from kt_models.files.graphs import with_moves
from kt_models.files.puzzles import GRIDS
from kt_models.files.suffixes import PUZZLE_FILES, allowed_suffix, has_graph_suffix
from kt_models.leaper import parse_piece
from kt_models.limits import Report
from kt_models.storage import STANDARD
from kt_models.writing import write_atomic

if TYPE_CHECKING:
    from drawing.page_entries import PageEntry
    from kt_models.files.puzzles import Puzzle

BOUNDS = ("edge", "central", "crown", "legs", "triplet")
"""Bounds whose argument is drawn (`heuristics.papers.taming.bounds.picture`)."""
PUZZLE_KINDS = ("puzzle", "puzzles")
"""Kinds of JSON files that hold puzzles."""


@dataclass(frozen=True)
class About:
    """Options for the parts of a drawing."""

    argument: bool = False
    strands: bool = False
    bound: str | None = None


@dataclass(frozen=True)
class Grids:
    """A grid of clues that is drawn without a tour."""

    clues: str | None = None
    waypoints: str | None = None
    paths: str | None = None

    @property
    def grid(self) -> tuple[str, str] | None:
        """The option that is given, and its text."""
        grids = [(name, text) for name in GRIDS.values() if (text := getattr(self, name)) is not None]
        if len(grids) > 1:
            raise KTError(f"--{grids[0][0]}, --{grids[1][0]}: one grid at a time is drawn")
        return grids[0] if grids else None


GRID_OPTIONS = [
    click.option("--clues", metavar="GRID", help="Draw a grid of given numbers."),
    click.option("--waypoints", metavar="GRID", help="Draw a grid of stops."),
    click.option("--paths", metavar="ENDS|GRID", help="Draw the ends of several paths."),
]


def _ending(values: OptionValues) -> str:
    """The suffix of the output file; empty for a gallery."""
    output = str(values["output"])
    if output == STANDARD:
        return SUFFIXES[0]
    return "" if is_gallery(output) else os.path.splitext(output)[1].lower()


def _is_board(file: str) -> bool:
    """Whether a text is that of a board, and not the name of a file."""
    if os.path.exists(file) or has_graph_suffix(file) or file.lower().endswith((".tour", ".csv", ".txt")):
        return False
    return is_board(file) or not is_text(file)


@click.command("draw", cls=Command)
@click.argument("files", metavar="FILE...", nargs=-1)
@output_option(" ".join((*SUFFIXES, "or FOLDER/")), required=True)
@tour_options()
@grouped(
    "look",
    DrawOptions,
    click.option("--numbers", is_flag=True, help="Write in each cell its place in the tour."),
    click.option("--turns/--no-turns", default=True, show_default=True, help="Mark the turns."),
    click.option("--crossings/--no-crossings", default=True, show_default=True, help="Mark the crossings."),
    click.option("--direction", is_flag=True, help="Mark the start and the direction of the tour."),
    click.option("--moves", is_flag=True, help="Draw all moves of the board."),
    click.option("--degrees", is_flag=True, help="Write in each cell the number of its moves."),
    click.option("--colours", is_flag=True, help="Colour the cells by two classes; every move joins both."),
    click.option("--theme", metavar="|".join(THEMES), default="light", show_default=True, help="Colours."),
    click.option("--title", default="", help="Line above the drawing, or title of a page or gallery."),
    click.option("--caption", help="Line below the drawing, in place of the usual one."),
    click.option("--size", type=click.IntRange(50, 10_000), help="Pixels along the longer side."),
)
@grouped(
    "about",
    About,
    click.option("--argument", is_flag=True, help="Draw the certificate of a result instead of its tour."),
    click.option("--strands", is_flag=True, help="Explain a formation tour or, for a board, how the quartet moves."),
    click.option("--bound", type=click.Choice(BOUNDS), help="Draw the argument of a bound of Besa et al. on a board."),
)
@grouped("points", PointOptions, EDGES_OPTION, POSITIONS_OPTION)
@grouped("grids", Grids, *GRID_OPTIONS)
@click.option(
    "--seconds",
    type=click.FloatRange(0.5, 600),
    default=15.0,
    show_default=True,
    help="Length of an animation in seconds.",
)
@read_when(
    *("numbers", "crossings"),
    when=lambda values: _ending(values) not in ("", ".gif", ".mp4"),
    why="in a picture or a page",
)
@read_when("turns", when=_ending, why="in a picture, a page or an animation, not in a gallery")
@read_when(
    *("direction", "argument", "moves", "degrees", "colours"),
    when=lambda values: _ending(values) not in ("", ".html", ".gif", ".mp4"),
    why="in a picture",
)
@read_when(
    *("theme", "caption"),
    when=lambda values: _ending(values) not in ("", ".html"),
    why="in a picture or an animation",
)
@read_when("size", when=lambda values: _ending(values) not in ("", ".html"), why="in a picture or an animation")
@read_when("strands", "bound", when=_ending, why="in a picture, a page or an animation, not in a gallery")
@read_when(
    *("edges", "positions"),
    when=lambda values: any(_is_graph(file, values["form"]) for file in values["files"]),
    why="with a file of a graph",
)
@read_when("seconds", when=lambda values: _ending(values) in (".gif", ".mp4"), why="in an animation")
@read_when("board", when=lambda values: not all(map(_is_board, values["files"])), why="with a file of a tour")
@tour_rules(
    lambda values: all(_is_board(file) or (is_file(file) and holds_json(file)) for file in values["files"]),
    boards=lambda values: any(map(_is_board, values["files"])),
)
def command(
    files: tuple[str, ...],
    output: str,
    look: DrawOptions,
    about: About,
    seconds: float,
    written: TourOptions,
    points: PointOptions,
    grids: Grids,
) -> int:
    """Draw the tour, result or certificate in FILE, or a board, or a graph whose vertices have positions.

    \b
    .svg .png   a picture; .pdf and .tex (TikZ) for a paper
    .html       a page to step through, zoom and turn, in one file
    .gif .mp4   an animation; .mp4 needs ffmpeg
    FOLDER/     a gallery for a web server: a table of all FILEs, with a page for each
    Several FILEs make one sheet, in every format; a page compares two tours of one board.

    \b
    kt draw tour.json -o tour.svg --numbers
    kt draw tour.json -o tour.pdf --theme print --direction
    kt draw tour.json -o tour.svg --theme auto --title "The fewest turns"
    kt draw aztec:6 -o board.png
    kt draw 8x8 -o moves.svg --moves       its moves; --degrees their numbers, --colours the two classes of cells
    kt draw --clues hidato.txt -o clues.pdf  given numbers without a tour; --waypoints, --paths
    kt draw roads.graphml -o roads.svg
    kt draw points.csv --form points --edges delaunay -o points.png
    kt draw formation.json -o strands.svg --strands
    kt draw result.json -o why.svg --argument
    kt draw 100x100 -o crowns.svg --bound crown    edge, central, crown, legs, triplet: the arguments of a paper
    kt draw before.json after.json -o compare.html
    kt draw all.jsonl -o all.png --size 200
    kt draw tour.json -o tour.gif --seconds 10
    kt draw *.json -o site/ --title "My tours"
    """
    from drawing.save import MAX_ENTRIES, draw_entries, require_drawing
    from heuristics.explain import parts_of, parts_of_bound

    if puzzles := _puzzles_in(files):
        return _draw_puzzles(puzzles, output, look)
    if grids.grid is not None:
        files_of_grid = [_entry_of_grid(files, written, grids)]
    elif not files:
        raise click.UsageError("Missing argument 'FILE...'.")
    if is_gallery(output):
        if grids.grid is not None:
            raise KTError(f"{output}: a gallery shows tours, and a grid of clues has none")
        return _gallery(files, output, written, points, look.title)
    suffix = output_suffix(output, SUFFIXES)
    require_drawing(suffix, look)
    most = MAX_ENTRIES[suffix]
    entries = files_of_grid if grids.grid is not None else list(islice(_entries(files, written, points), most + 1))
    if len(entries) > most:
        raise KTError(f"more than {most} to draw: a {suffix} file has at most {most}; -o FOLDER/ has all")
    if about.strands and about.bound:
        raise KTError("--strands, --bound: one explanation at a time is drawn")
    asked = "--strands" if about.strands else "--bound" if about.bound else ""
    if asked and suffix != ".html" and len(entries) > 1:
        raise KTError(f"{asked}: only one tour or board at a time is explained in a picture")
    if about.bound:
        entries = [replace(entry, parts=parts_of_bound(entry, about.bound)) for entry in entries]
    elif about.strands or suffix == ".html":
        entries = [replace(entry, parts=parts_of(entry, about.strands)) for entry in entries]
    write_atomic(output, draw_entries(entries, suffix, look, argument=about.argument, seconds=seconds))
    return 0


def _entry_of_grid(files: tuple[str, ...], written: TourOptions, grids: Grids) -> PageEntry:
    """The board with the clues of a grid."""
    from drawing.page_entries import entry_of_problem
    from kt_models.files.problems import problem_from

    assert grids.grid is not None
    name, text = grids.grid
    if len(files) > 1:
        raise KTError(f"--{name}: clues are drawn on one board, and {len(files)} are given")
    grid = clues_from(text, written.cells, stops=name != "clues") if not (name == "paths" and is_pairs(text)) else text
    if files:
        graph: MoveGraph | None = graph_argument(formed(files[0], NO_CHOICES, written.cells), written.leaper)
    elif isinstance(grid, str):
        raise KTError("BOARD is missing: only a grid says what the board is")
    else:
        # Walls stand between the cells of the wazir; the piece of other clues does not show.
        piece = "wazir" if written.leaper is None and grid.walls else written.leaper
        graph = with_moves(grid.board, None if piece is None else parse_piece(piece))
    keywords: dict[str, Any] = {name: grid} | ({} if name == "paths" else {"open": True})
    return entry_of_problem(problem_from(graph, **keywords))


def _puzzles_in(files: tuple[str, ...]) -> list[Puzzle]:
    """The puzzles of files that hold some; empty if the files hold something else."""
    from kt_models.files.puzzles import puzzles_from_json
    from kt_models.storage import read_json

    if not files or not all(os.path.isfile(file) and json_kind_of(file) in PUZZLE_KINDS for file in files):
        return []
    return [puzzle for file in files for puzzle in puzzles_from_json(read_json(file))]


def _draw_puzzles(puzzles: list[Puzzle], output: str, look: DrawOptions) -> int:
    """Draw puzzles as `kt puzzle -o` does."""
    from drawing.save import picture

    settings = {name: getattr(look, name) for name, usual in DRAWN.items() if getattr(look, name) != usual}
    allowed_suffix(output, PUZZLE_FILES[1:])
    picture(puzzles, output, settings, force=is_forced())
    return 0


def _is_graph(file: str, form: str | None) -> bool:
    """Whether a file has a graph, by its suffix; a list of points also by its heads or `--form points`."""
    suffix = os.path.splitext(file)[1].lower()
    return (os.path.isfile(file) and (suffix in GRAPHS or form == POINTS_FORM)) or has_points(file)


def _with_points(file: str, form: str | None, points: PointOptions) -> str:
    """The file with what the options say about its points."""
    return formed(file, FormChoices(POINTS_FORM if form == POINTS_FORM else None, edges=points.edges), points=points)


def _entries(files: tuple[str, ...], written: TourOptions, points: PointOptions) -> Iterator[PageEntry]:
    """The contents of the files, one after the other."""
    from drawing.page_entries import PageEntry, entry_of_tour, read_entries

    for file in files:
        if _is_graph(file, written.form):
            graph = graph_argument(_with_points(file, written.form, points), written.leaper)
            if graph.positions is None:
                raise KTError(
                    f"{file}: {graph.unplaced or 'its vertices have no positions'}; --positions FILE gives them, and "
                    "kt convert writes .dot files, which Graphviz lays out"
                )
            yield PageEntry(graph.name, graph)
            continue
        if _is_board(file):
            graph = graph_argument(formed(file, NO_CHOICES, written.cells), written.leaper)
            yield PageEntry(graph.name, graph)
        elif holds_documents(file):
            yield from read_entries(file, written.graph, **written.reading)
        else:
            yield entry_of_tour(written.read_valid(file), "" if is_text(file) else os.path.basename(file))


def _gallery(files: tuple[str, ...], folder: str, written: TourOptions, points: PointOptions, title: str) -> int:
    """Write a gallery; name files that cannot be shown on stderr, and leave them out."""
    from drawing.page_entries import NoBoard
    from drawing.site import require_site, write_gallery

    require_site(folder, is_forced())
    entries: list[tuple[PageEntry, str]] = []
    faults = 0

    def leave_out(source: str, error: KTError) -> None:
        nonlocal faults
        faults += not isinstance(error, NoBoard)
        complain(f"left out: {source}: {error}" if source else f"left out: {error}")

    with live_progress("reading") as on_progress:
        for file in files:
            on_progress(Report(words=f"{len(entries)} read, {file}"))
            try:
                entries += [(entry, file) for entry in _entries((file,), written, points)]
            except KTError as error:
                leave_out("", error)  # The error names the file.
        if not entries:
            raise KTError(f"{folder}: none of {len(files)} files can be shown")
        count = len(entries)
        write_gallery(
            folder, entries, title, leave_out=leave_out,
            on_page=lambda number: on_progress(Report(words=f"{number} of {count} written")),
        )  # fmt: skip
    return 2 if faults else 0
