"""Printing and writing of results and tours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext

import click
import numpy as np

from cli.error_messages import complain
from cli.files import leaves_alone, written_first
from cli.options import Output, print_rows, problem_rows
from kt_models import KTError, MoveGraph, Result, Tour
from kt_models.cells import layer_name
from kt_models.errors import about
from kt_models.file_kinds import json_kind_of
from kt_models.files.given import holds_json, may_replace
from kt_models.files.suffixes import TOUR_TEXTS
from kt_models.files.vertices import cell_named, vertex_from
from kt_models.result_rows import measure_rows
from kt_models.storage import STANDARD, parse_json, read_text
from kt_models.writing import replacing, require_writable

MAX_GRID_WIDTH = 150
"""Longest line of numbers that is printed, in characters: wider grids wrap on most terminals."""
MAX_LIST_WIDTH = 400
"""Most cells that are printed as a list of names: a screen or two."""


def check_output(out: Output, graph: MoveGraph) -> None:
    """Refuse an invalid output file before the work is done."""
    path = out.output
    if path is None:
        if out.as_format is not None:
            raise KTError("--format has no effect here: it is the format of the file of -o")
        return
    from drawing.page import require_dimensions
    from drawing.save import suffix_for
    from kt_models.files.tour_forms.write import require_place

    suffix = suffix_for(path, out.as_format)
    if suffix in TOUR_TEXTS:
        require_place(graph, suffix)
        with replacing(may_replace(path, graph)):
            require_writable(path)
        return
    if suffix not in (".json", ".tour"):
        if graph.board is None and graph.positions is None:
            why = graph.unplaced or "a graph without a board or positions cannot be drawn; --positions FILE gives them"
            raise KTError(f"{path}: {why}")
        if graph.board is not None:
            require_dimensions(graph.board, page=suffix == ".html")
    require_writable(path)


def save_after(out: Output, result: Result) -> AbstractContextManager[None]:
    """Write a result's file, if one was requested, before the result is printed (`written_first`)."""
    return written_first(lambda: write_result(out, result)) if out.output else nullcontext()


def write_result(out: Output, result: Result) -> None:
    """Write a result in the format of the file's suffix, or of `--format`; an empty answer replaces no file."""
    from drawing.save import save, suffix_for

    path = str(out.output)
    says_nothing = result.tour is None and result.bound is None and result.status == "unknown"
    if leaves_alone(path, says_nothing=says_nothing):
        return
    suffix = suffix_for(path, out.as_format)
    drawn = bool(result.walks) and suffix not in (".tour", *TOUR_TEXTS)
    if result.tour is None and suffix != ".json" and not drawn:  # The answer was given all the same
        complain(
            f"{path}: not written, as there is no {result.problem.graph.words.tour}; a .json file would hold the answer"
        )
    else:
        save(result, path, name=out.as_format)


def print_result(result: Result, proof: str | None = None) -> None:
    """Print a result: the answer, how it is known (with the proof folder, if there is one), and the tour."""
    problem = result.problem
    board, *symmetry = problem_rows(problem)
    rows = [board, ("status", result.status), *symmetry]
    if result.reason and result.status == "infeasible":
        rows.append(("reason", result.reason))
    rows += measure_rows(result)
    # A bound of 0 is trivial.
    claims = [
        statement
        for statement in result.statements
        if statement.kind != "tour" and (statement.kind, statement.value) != ("at-least", 0)
    ]
    rows += [("claim", statement.text) for statement in claims]
    evidence = proved_words(result, proof) if proof else result.known_by
    if evidence:
        rows.append(("evidence", evidence))
    if result.stated is not None:
        rows.append(("stated", f"{result.stated.text} (--check-stated)"))
    if result.left_out:
        rows.append(("left out", ", ".join(result.left_out)))
    if result.warm_start is not None and result.warm_start.engine != result.engine:
        rows.append(("start", result.warm_start.text))
    rows.append(("engine", f"{result.engine}, {result.seconds:.2f} s"))
    print_rows(rows)
    if result.tour is not None:
        click.echo()
        click.echo(tour_text(result.tour))
    elif result.walks:
        click.echo()
        click.echo(paths_text(result))


def walks_in(path: str) -> Result | None:
    """The walks in the file of a result without a tour, verified; None if the file holds something else.

    Raises
    ------
    InvalidTour
        If they break a rule of the problem in the file.
    """
    from kt_models.files.check import result_from_json

    # A long tour is read by a reader of its own
    if path == STANDARD or json_kind_of(path) == "tour" or not holds_json(path):
        return None
    with about(path):
        data = parse_json(read_text(path))
        if not isinstance(data, dict) or data.get("kind") != "result" or "chosen" not in data or "tour" in data:
            return None
        return result_from_json(data)


def walk_rows(result: Result) -> list[tuple[str, str]]:
    """Rows about several paths or cycles, or a walk that leaves cells out: their number, sizes and measures."""
    words, walks = result.problem.graph.words, result.walks
    sizes = ", ".join(str(len(walk.vertices)) for walk in walks)
    rows = [problem_rows(result.problem)[0], ("walks", f"{len(walks):,}, of {sizes} {words.places}")]
    return rows + [(metric, f"{value:,}") for metric, value in result.walk_measures.items()]


def paths_text(result: Result) -> str:
    """Several paths or cycles: on a board in the plane a grid of their numbers, and then the cells of each.

    One that leaves cells out is a grid of visit numbers.
    """
    graph = result.problem.graph
    ends = {frozenset(pair): k for k, pair in enumerate(zip(*[iter(result.problem.terminals)] * 2, strict=True), 1)}
    numbers = [ends.get(frozenset((walk.vertices[0], walk.vertices[-1])), k) for k, walk in enumerate(result.walks, 1)]
    walks = sorted(zip(numbers, result.walks, strict=True), key=lambda pair: pair[0])
    lines = []
    several = len(walks) > 1
    board, width = graph.board, len(str(len(walks) if several else len(walks[0][1].vertices)))
    if board is not None and board.dimension == 2 and board.shape[0] * (width + 1) <= MAX_GRID_WIDTH:
        marks = np.full(board.shape, " " * width, dtype=object)
        marks[board.grid >= 0] = f"{'.' if result.problem.optional else '':>{width}}"
        for number, walk in walks:
            for place, (x, y) in enumerate(board.cells[list(walk.vertices)].tolist(), 1):
                marks[x, y] = f"{number if several else place:>{width}}"
        lines += [_grid(marks), ""]
    return "\n".join([*lines, *(names_text([graph.name_of(v) for v in walk.vertices]) for _, walk in walks)])


def proved_words(result: Result, proof: str) -> str:
    """Words for a written proof: that there is no tour, none better, or no other with the given numbers."""
    words = "" if result.problem.numbers is None or result.tour is None else "of no other numbering "
    return f"proof {words}written, check with kt check {proof}"


def tour_rows(tour: Tour, measures: Mapping[str, int | float]) -> list[tuple[str, str]]:
    """Rows about a tour: its board or graph, its form and size, and its measures."""
    graph = tour.graph
    piece = f", leaper {graph.leaper}" if graph.leaper else ""
    return [
        ("board" if graph.board else "graph", f"{graph.name}{piece}"),
        (graph.words.tour, f"{'closed' if tour.closed else 'open'}, {len(tour):,} {graph.words.places}"),
        *((metric, f"{value:,}") for metric, value in measures.items()),
    ]


def tour_text(tour: Tour, elsewhere: str = "-o FILE writes them") -> str:
    """A tour of a board as a grid of visit numbers, layer by layer up to four dimensions; otherwise a list of names.

    Parameters
    ----------
    elsewhere
        What to do about a tour that is too long for a terminal.
    """
    board = tour.graph.board
    width = len(str(len(tour)))
    if (
        board is not None
        and board.dimension <= 4
        and board.shape[0] * (width + 1) <= MAX_GRID_WIDTH
        and len(tour) <= 10_000
    ):
        visit = np.zeros(board.n, dtype=np.int64)
        visit[tour.order] = np.arange(1, len(tour) + 1)
        if board.is_flat:
            return _staggered(board.cells, visit, width)
        marks = np.full(board.shape, " " * width, dtype=object)
        marks[board.grid >= 0] = [f"{v:>{width}}" for v in visit.tolist()]
        if board.dimension == 2:
            return _grid(marks)
        layers = (f"{layer_name(layer)}\n{_grid(marks[:, :, *layer])}" for layer in np.ndindex(board.shape[2:]))
        return "\n\n".join(layers)
    if len(tour) <= MAX_LIST_WIDTH:
        return names_text(tour.names)
    return f"({len(tour):,} {tour.graph.words.places}: {elsewhere})"


def names_text(names: Sequence[str]) -> str:
    """Names of vertices in a line, with commas between them if one has a space."""
    return (", " if any(" " in name for name in names) else " ").join(names)


def _staggered(cells: np.ndarray, visit: np.ndarray, width: int) -> str:
    """Rows of hexagonal cells, as a picture has them: z goes up, and each row begins half a cell beside the next."""
    step = (width + 2) // 2
    column = cells[:, 0].astype(np.int64) - cells[:, 1]
    column = (column - column.min()) * step
    rows = []
    for z in range(int(cells[:, 2].max()), int(cells[:, 2].min()) - 1, -1):
        line = ""
        for place in sorted(np.flatnonzero(cells[:, 2] == z).tolist(), key=column.__getitem__):
            line = f"{line:<{column[place]}}{visit[place]:>{width}}"
        rows.append(line)
    return "\n".join(rows)


def _grid(marks: np.ndarray) -> str:
    return "\n".join(" ".join(marks[:, y]).rstrip() for y in range(marks.shape[1] - 1, -1, -1))


def rotate_result(result: Result, start: str | None, finish: str | None) -> Result:
    """Rotate a tour so that it begins at the given cell."""
    graph = result.problem.graph
    ends = (None if name is None else vertex_from(graph, cell_named(graph, name)) for name in (start, finish))
    return result.starting_at(*ends)
