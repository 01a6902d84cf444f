"""Options that several commands share, and the conversion of their texts to objects."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from functools import wraps
from typing import Any

import click

from cli.files import is_quiet, keep_words_apart, say, writes
from cli.names import NameOption, graph_forms
from cli.option_errors import OptionValues, read_when
from kt_models import KNIGHT, KTError, Leaper, MoveGraph, Problem, Tour, graph_of
from kt_models.constraints import constraint_words
from kt_models.directed import SplitGraph
from kt_models.errors import shortened
from kt_models.files.graph_forms.form import NO_CHOICES, FormChoices
from kt_models.json_version import FORMAT_VERSION
from kt_models.leaper import parse_piece
from kt_models.long_arrays import json_pieces
from kt_models.storage import STANDARD, standard_output

leaper_option = click.option(
    "--leaper",
    show_default="1,2",
    metavar="A,B[,C]",
    help="The piece that moves: 1,2, a sum 0,1+1,1, or a name: knight, king, wazir, camel, zebra, ...",
)


FILE_OPTIONS = ("form", "directed", "missing", "edges", "positions", "precision")
"""Options that say what the file of BOARD is."""


class FormedFile(str):
    """The BOARD or the grid of a command, with what `--form`, `--directed`, `--missing` and `--cells` say about it."""

    choices: FormChoices = NO_CHOICES
    cells: str | None = None
    points: PointOptions | None = None


@dataclass(frozen=True)
class PointOptions:
    """The options about the points of a graph."""

    edges: str | None = None
    positions: str | None = None
    precision: str | None = None


NO_POINTS = PointOptions()


def formed(text: str, choices: FormChoices, cells: str | None = None, points: PointOptions = NO_POINTS) -> str:
    """The text with what is said about its file, if anything is."""
    if choices == NO_CHOICES and cells is None and points == NO_POINTS:
        return text
    file = FormedFile(text)
    file.choices, file.cells, file.points = choices, cells, points
    return file


cells_option = click.option(
    "--cells", metavar="SIGNS", help="Signs of cells in a mask or a grid of clues: '#', '.'; others are holes."
)


def _is_drawing(values: OptionValues) -> bool:
    """Whether a command is given a mask, or a grid of clues."""
    boards = [values.get("board"), values.get("source"), *(values.get("files") or ())]
    return any(map(values.get, ("clues", "waypoints", "paths"))) or any(
        str(board or "").lstrip().startswith("@") for board in boards
    )


def board_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the piece and what is said about the file of BOARD (decorator); `graph_argument` reads it."""

    @wraps(command)
    def wrapped(*args: Any, board: str | None, form: str | None, cells: str | None, **values: Any) -> Any:
        choices = choices_from(form, values)
        points = PointOptions(choices.edges, values.pop("positions"), values.pop("precision"))
        for name in ("clues", "waypoints", "paths"):
            if values.get(name) is not None:
                values[name] = formed(values[name], NO_CHOICES, cells)
        if board is not None:
            board = formed(board, choices, cells if _is_drawing({"board": board}) else None, points)
        return command(*args, board=board, **values)

    option = click.option("--form", cls=NameOption, describe=graph_forms)
    rule = read_when(*FILE_OPTIONS, when=lambda values: is_file(values["board"]), why="where BOARD is a file")
    return leaper_option(option(matrix_options(point_options(cells_option(cells_rule(rule(wrapped)))))))


EDGES_OPTION = click.option(
    "--edges", metavar="KIND", help="Edges between points: complete, delaunay, nearest:8, within:1.5."
)
POSITIONS_OPTION = click.option("--positions", metavar="FILE", help="Positions of vertices: lines 'name x y' or 'x y'.")


def point_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add what is said about the points of a graph (decorator)."""
    precision = click.option("--precision", metavar="P", help="Precision of lengths, a power of ten such as 0.001.")
    return EDGES_OPTION(POSITIONS_OPTION(precision(command)))


def matrix_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add what the file of a graph may leave open (decorator)."""
    directed = click.option(
        "--directed/--undirected",
        default=None,
        help="What a file of a graph is, if it may be either: lists, edges or a matrix.",
    )
    words = "Entries of a matrix in a file that mean no edge: 0, inf, nan, several such as 0,inf, or none."
    return directed(click.option("--missing", metavar="NUMBER", help=words)(command))


def choices_from(form: str | None, values: dict[str, Any]) -> FormChoices:
    """The choices that options make for a file; `values` lose those of `matrix_options`."""
    directed, missing, edges = values.pop("directed"), values.pop("missing"), values.pop("edges", None)
    if missing is None:
        return FormChoices(form, directed, edges=edges)
    from kt_models.files.graph_forms.entries import missing_of_text

    return FormChoices(form, directed, missing_of_text(missing), edges)


def choices_of(board: str) -> FormChoices:
    """The choices that options make for the file of BOARD."""
    return getattr(board, "choices", NO_CHOICES)


def is_file(board: str | None) -> bool:
    """Whether BOARD is a file, or standard input."""
    return board is not None and (board == STANDARD or os.path.isfile(board))


cells_rule = read_when("cells", when=_is_drawing, why="where BOARD is a mask, @FILE, or with --clues or --waypoints")
no_best_option = click.option("--no-best", is_flag=True, help="Ignore the best known tours and bounds (kt best).")
check_stated_option = click.option(
    "--check-stated", is_flag=True, help="Check delivered certificates, however long it takes."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")

MEMORY = "Memory limit beyond the program itself (default: most of the free memory)."
"""Help of `--memory` for commands in which all memory counts."""


@dataclass(frozen=True)
class LimitOptions:
    """The options for limits; memory in gigabytes."""

    time_limit: float | None = None
    workers: int | None = None
    memory: float | None = None
    seed: int = 0


@dataclass(frozen=True)
class Output:
    """Where the answer goes: into a file as well, and printed as JSON or as text."""

    output: str | None = None
    as_json: bool = False
    as_format: str | None = None


@dataclass(frozen=True)
class FormOptions:
    """The form in which a tour is written."""

    form: str | None = None
    base: int | None = None
    cells: str | None = None

    @property
    def reading(self) -> dict[str, Any]:
        """The keywords of `kt_models.files.given.read_tour`."""
        return {"form": self.form, "base": self.base}


@dataclass(frozen=True)
class TourOptions(FormOptions):
    """The options that describe a tour beside its data."""

    board: str | None = None
    leaper: str | None = None

    @property
    def graph(self) -> MoveGraph | None:
        """The board or graph of the tour, if an option names it."""
        return given_graph(self.board and formed(self.board, NO_CHOICES, self.cells), self.leaper)

    @property
    def reading(self) -> dict[str, Any]:
        """The other keywords of `kt_models.files.given.read_tour`."""
        return {**super().reading, "leaper": Leaper.parse(self.leaper) if self.leaper and not self.board else None}

    def read(self, source: str, otherwise: bool | None = None) -> Tour:
        """Read the tour as `read_saying` does; `otherwise`: whether it is closed if its data do not say so."""
        return read_saying(source, self.graph, self.reading | {"otherwise": otherwise})

    def read_valid(self, source: str, otherwise: bool | None = None) -> Tour:
        """Read and verify the tour."""
        from kt_models.errors import about
        from kt_models.files.given import is_text
        from kt_models.tour import verify

        tour = self.read(source, otherwise)
        with about("tour" if is_text(source) else source):
            verify(tour)
        return tour


def grouped(name: str, kind: type[Any], *options: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Collect options into a frozen dataclass whose fields have their names (decorator)."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        others = {parameter.name for parameter in getattr(command, "__click_params__", ())}
        # Two groups may share a field; the first one gets it.
        names = [field.name for field in fields(kind) if field.name not in others]

        @wraps(command)
        def wrapped(*args: Any, **values: Any) -> Any:
            fields = {field: values.pop(field) for field in names if field in values}
            return command(*args, **values, **{name: kind(**fields)})

        # In reverse, because each decorator puts its option before those that are there.
        for option in reversed(options):
            wrapped = option(wrapped)
        return wrapped

    return decorate


def read_saying(source: str, graph: MoveGraph | None, reading: dict[str, Any]) -> Tour:
    """Read a tour, and name the convention on stderr if others would also fit."""
    from kt_models.files.given import is_text, reading_of

    tour, note = reading_of(source, graph, **reading)
    if note:
        say(f"{'tour' if is_text(source) else source}: {note}")
    return tour


def tour_rules(
    says_all: Callable[[OptionValues], bool],
    boards: Callable[[OptionValues], bool] | None = None,
    graphs: Callable[[OptionValues], bool] | None = None,
) -> Callable[[Any], Any]:
    """Refuse `--leaper`, `--form` and `--base` of a tour where a command does not read them (decorator).

    Parameters
    ----------
    says_all
        Whether the data determine everything, as kt's JSON does.
    boards
        Whether the argument may be a board, whose piece `--leaper` names.
    graphs
        Whether the argument may be a file of a graph, whose form `--form` names.
    """

    def leaper(values: OptionValues) -> bool:
        return bool(values["board"]) or not says_all(values) or (boards is not None and boards(values))

    def decorate(command: Any) -> Any:
        command = read_when("leaper", when=leaper, why="with a board, or where a tour does not say its piece")(command)
        command = cells_rule(command)
        open_to = "of a tour that is not JSON"
        either = f"{open_to}, or of a file of a graph" if graphs else open_to
        command = read_when("base", when=lambda values: not says_all(values), why=open_to)(command)
        return read_when(
            "form", when=lambda values: not says_all(values) or (graphs is not None and graphs(values)), why=either
        )(command)

    return decorate


format_option = click.option(
    "--format",
    "as_format",
    metavar="NAME",
    help="Format of the tour in FILE, whatever its suffix: json, tsplib, grid, csv, moves, coordinates.",
)


def tour_options(kind: type[FormOptions] = TourOptions) -> Callable[[Any], Any]:
    """Add the options that describe a tour beside its data; the command gets them as `written` (decorator).

    Parameters
    ----------
    kind
        `FormOptions` for a command that has its own `--board` and `--leaper`.
    """
    options = [
        click.option(
            "--form", metavar="NAME", help="How the input is written, if that is ambiguous: grid, indices, ..."
        ),
        click.option(
            "--base",
            type=click.IntRange(0, 1),
            help="Least number in the input, 0 or 1: of a visit, cell or coordinate.",
        ),
    ]
    if kind is TourOptions:
        options.insert(0, click.option("--board", help="Board of the tour, if the input does not name it."))
        options.insert(
            1, click.option("--leaper", metavar="A,B[,C]", help="Piece that moves, if the input does not name it.")
        )
    options.append(cells_option)
    return grouped("written", kind, *options)


def time_limit_option(seconds: float | None = None) -> Callable[[Any], Any]:
    """`--time-limit`, with its default."""
    words = "Seconds for the whole command."
    return click.option(
        "--time-limit", type=float, default=seconds, show_default=seconds is not None, metavar="S", help=words
    )


def limit_options(
    *, seconds: float | None = None, workers: str = "", memory: str = "", seed: str = ""
) -> Callable[[Any], Any]:
    """Add `--time-limit` and the other named limits; the command gets them as `limit_values` (decorator).

    Parameters
    ----------
    seconds
        The usual time limit.
    workers, memory
        What they limit, in words for the help.
    seed
        What stays the same for the same seed.
    """
    options = [time_limit_option(seconds)]
    if workers:
        options.append(click.option("--workers", type=int, metavar="N", help=f"{workers} (default: one per core)."))
    if memory:
        options.append(click.option("--memory", type=float, metavar="GB", help=memory))
    if seed:
        words = f"Same seed, same {seed}."
        options.append(click.option("--seed", type=int, default=0, show_default=True, metavar="N", help=words))
    return grouped("limit_values", LimitOptions, *options)


def listing_option(name: str, words: str, rows: Callable[[], Iterable[tuple[str, str]]]) -> Callable[[Any], Any]:
    """A flag that prints rows of names and words, and ends the command."""

    def show(context: click.Context, parameter: click.Parameter, value: bool) -> None:
        if value and not context.resilient_parsing:
            print_rows(rows(), width=16)
            context.exit()

    return click.option(name, is_flag=True, is_eager=True, expose_value=False, callback=show, help=words)


def piece_of(leaper: str | None) -> Leaper:
    """The piece that --leaper means where no board is; by default the knight."""
    return KNIGHT if leaper is None else Leaper.parse(leaper)


def graph_argument(board: str, leaper: str | None) -> MoveGraph:
    """The graph that BOARD and --leaper mean."""
    piece = None if leaper is None else parse_piece(leaper)
    graph = graph_of(board, piece, choices_of(board), getattr(board, "cells", None))
    points = getattr(board, "points", None) or NO_POINTS
    if points.positions is not None:
        graph = _placed_by_file(graph, points.positions)
    if points.precision is not None:
        if graph.positions is None:
            raise KTError(f"--precision: {graph.name} has no positions")
        graph = graph.having(positions=graph.positions.with_precision(points.precision))
    if graph.remark:
        say(f"{graph.name}: {graph.remark}")
    return graph


def _placed_by_file(graph: MoveGraph, path: str) -> MoveGraph:
    """The graph with the positions of a file of points."""
    from kt_models.errors import about
    from kt_models.files.graph_forms.point_list import placed_by_list
    from kt_models.storage import read_text, with_line_feeds

    with about(path):
        return placed_by_list(graph, with_line_feeds(read_text(path)))


def given_graph(board: str | None, leaper: str | None) -> MoveGraph | None:
    """The graph of `--board`, if it is given."""
    return graph_argument(board, leaper) if board else None


def output_option(
    suffixes: str, *kinds: str, beside: tuple[str, ...] = (), required: bool = False
) -> Callable[[Any], Any]:
    """`-o FILE` with the suffixes and the kinds of JSON that it may replace; and `--force`.

    The parameters `beside` name the other files that the command writes.
    """
    words = f"Write to FILE ({suffixes}; - is standard output, as {suffixes.split()[0].rstrip(',')})."
    option = click.option("-o", "--output", metavar="FILE", help=words, callback=stand_aside, required=required)
    return lambda command: option(writes("output", *beside, kinds=kinds)(command))


def stand_aside(context: click.Context, parameter: click.Parameter, output: str | None) -> str | None:
    """Print no text on standard output if a file is written to it."""
    if output == STANDARD and not context.resilient_parsing:
        keep_words_apart(context)
    return output


def output_options(
    suffixes: str, *kinds: str, beside: tuple[str, ...] = (), tours: bool = True
) -> Callable[[Any], Any]:
    """`output_option`, `--json` and, for tours, `--format`; the command gets them as `out` (decorator)."""
    more = (format_option, json_option) if tours else (json_option,)
    return grouped("out", Output, output_option(suffixes, *kinds, beside=beside), *more)


def print_json(data: dict[str, Any], seconds: float | None = None) -> None:
    """Print one JSON object on a line of its own: the version of the format, the given keys, and the time taken.

    Values may be NumPy arrays.
    """
    end = {} if seconds is None else {"seconds": round(seconds, 3)}
    for piece in json_pieces({"version": FORMAT_VERSION, **data, **end}):
        click.echo(piece, file=standard_output(), nl=False)
    click.echo(file=standard_output())


def problem_json(kind: str, problem: Problem, status: str = "") -> dict[str, Any]:
    """The first keys of a JSON object about a problem."""
    return {"kind": kind, **({"status": status} if status else {}), **problem.to_json(), "closed": problem.closed}


def print_rows(rows: Iterable[tuple[str, str]], *, width: int = 10, err: bool = False) -> None:
    """Print names and words in two columns."""
    if err and is_quiet():
        return
    for name, words in rows:
        click.echo(f"{name:<{width}} {words}".rstrip(), err=err)


MAX_NAME = 60
"""Longest name of a board in a row about it, in characters."""


def _kind(problem: Problem) -> str:
    if problem.connectivity in ("cycle", "path", "subcycle", "subpath"):
        return "closed" if problem.closed else "open"
    return f"{len(problem.terminals) // 2} paths" if problem.terminals else "several cycles"


def problem_rows(problem: Problem) -> list[tuple[str, str]]:
    """Rows that describe a problem."""
    graph = problem.graph
    count = graph.vertex_count
    piece = f", leaper {graph.leaper}" if graph.leaper else f", {count} {'vertex' if count == 1 else 'vertices'}"
    if graph.directed is not None:
        piece += ", directed"
    rows = [("board" if graph.board else "graph", f"{shortened(graph.name, MAX_NAME)}{piece}, {_kind(problem)}")]
    if problem.numbers is not None:
        numbers = problem.numbers.of_split(graph) if isinstance(graph, SplitGraph) else problem.numbers
        count = len(numbers.allowed)
        sums = bool(problem.numbers.sums)
        words = [f"{count:,} number{'s' * (count != 1)}"] if count or not (sums or problem.numbers.shape) else []
        shape = problem.numbers.shape is not None
        rows.append(("given", " and ".join([*words, *["sums"] * sums, *["a shape"] * shape])))
    if problem.optional:
        count = len(problem.optional)
        rows.append(("optional", f"{count:,} of {graph.n:,} {graph.words.places}"))
    rows += [condition.summary for condition in problem.conditions]
    if problem.constraints:
        rows.append(("with", constraint_words(problem.constraints)))
    if problem.symmetry:
        rows.append(("symmetry", " ".join(s.name for s in problem.symmetry)))
    return rows
