"""The options that describe a problem, shared by several commands, and the `Problem` that they mean."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import click

from cli.files import say
from cli.options import graph_argument
from kt_models import KTError, MoveGraph, Problem, Tour
from kt_models.errors import excerpt
from kt_models.expressions import Expression, Greatest
from kt_models.files.graphs import with_moves
from kt_models.files.problems import problem_from
from kt_models.files.vertices import cell_named, vertex_from
from kt_models.leaper import parse_piece
from kt_models.metrics import METRICS

if TYPE_CHECKING:
    from kt_models.files.clues import Clues


@dataclass(frozen=True)
class GivenOptions:
    """The options for given numbers, and for stops in order."""

    number: tuple[str, ...] = ()
    clues: str | Clues | None = None
    sums: tuple[str, ...] = ()
    in_order: str | None = None
    waypoints: str | Clues | None = None
    straight: str | None = None
    turn: str | None = None
    white_pearls: str | None = None
    black_pearls: str | None = None
    forbid_triples: tuple[str, ...] = ()
    shape: str | None = None

    @property
    def has_conditions(self) -> bool:
        """Whether there are conditions besides given numbers."""
        return any(getattr(self, name) for name in CONDITION_OPTIONS)

    @property
    def grid(self) -> Clues | None:
        """The grid of clues or stops, if it was read."""
        grid = self.clues or self.waypoints
        return None if isinstance(grid, str) else grid


@dataclass(frozen=True)
class ProblemOptions(GivenOptions):
    """The options for conditions on a tour."""

    is_open: bool = False
    start: str | None = None
    finish: str | None = None
    symmetry: tuple[str, ...] = ()
    require: tuple[str, ...] = ()
    forbid: tuple[str, ...] = ()
    paths: str | Clues | None = None
    cycles: int | None = None
    equal: bool = False
    optional: str | None = None
    visit: str | None = None
    sum_of_edges: tuple[str, ...] = ()


@dataclass(frozen=True)
class ConstrainedOptions(ProblemOptions):
    """The conditions on a tour, with limits of sums."""

    at_most: tuple[str, ...] = ()
    at_least: tuple[str, ...] = ()


GIVEN_OPTIONS = [
    click.option(
        "--number",
        multiple=True,
        metavar="CELL=N",
        help="Numbers a cell may have: a1=1, h8=49,64, c3=20-30 (repeatable).",
    ),
    click.option("--clues", metavar="GRID", help="A grid of given numbers; . 0 _ ? are free cells, # holes."),
    click.option(
        "--sums",
        multiple=True,
        metavar="LINES=S",
        help="Sums of lines (repeatable): rows=260, columns=260, diagonals=260.",
    ),
    click.option(
        "--in-order",
        metavar="CELLS",
        help="Visit cells in this order: a1,b3,c2; open tours from the first to the last.",
    ),
    click.option("--waypoints", metavar="GRID", help="A grid of stops 1, 2, 3, ...; walls may be drawn in it."),
    click.option("--straight", metavar="CELLS", help="Go straight on at these cells: a2,c3."),
    click.option("--turn", metavar="CELLS", help="Turn at these cells: b2,d4."),
    click.option(
        "--white-pearls", metavar="CELLS", help="Masyu: go straight on at these cells, and turn just before or after."
    ),
    click.option(
        "--black-pearls", metavar="CELLS", help="Masyu: turn at these cells, and go straight on just before and after."
    ),
    click.option(
        "--forbid-triples",
        multiple=True,
        metavar="celtic|MOVES",
        help="Not all three of these moves: a1-b3,b3-c5,c5-d7 (repeatable); celtic: no smallest triangles.",
    ),
    click.option(
        "--shape",
        metavar="TEXT",
        help="Place by place S straight on, T a turn, . either; or lengths of pieces: 3,2,2.",
    ),
]
_OPTIONS = [
    click.option("--open", "is_open", is_flag=True, help="An open tour: the ends need not be a move apart."),
    click.option("--from", "start", metavar="CELL", help="First cell."),
    click.option("--to", "finish", metavar="CELL", help="Last cell (open tours)."),
    click.option(
        "--symmetry",
        multiple=True,
        metavar="S",
        help="The tour is symmetric under S: rot180, rot90, mirror-x, (-y,x), on tori (x+2,y), ...",
    ),
    click.option(
        "--require",
        multiple=True,
        metavar="MOVE",
        help="Require a move, or a chain such as a1-b3-c5 (repeatable).",
    ),
    click.option(
        "--forbid",
        multiple=True,
        metavar="MOVE",
        help="Forbid a move, or the moves of a chain (repeatable).",
    ),
    *GIVEN_OPTIONS,
    click.option(
        "--paths", metavar="ENDS|GRID", help="Several paths through all cells: a1-h8,b2-c7, or a grid of their numbers."
    ),
    click.option("--cycles", type=click.IntRange(1), metavar="K", help="K closed tours that together visit all cells."),
    click.option("--equal", is_flag=True, help="With --cycles: of equal length."),
    click.option("--optional", metavar="CELLS|all", help="Cells that may be left out: c3,d4; or all."),
    click.option("--visit", metavar="CELLS", help="Visit at least these cells; all others may be left out."),
    click.option(
        "--sum-of-edges",
        multiple=True,
        metavar="MOVES=N",
        help="How many of these moves are made: a1-b1-b2-a2-a1=3, a1-b1,c1-c2=0..1 (repeatable).",
    ),
]
WALK_OPTIONS = ("paths", "cycles", "equal", "optional", "visit", "sum_of_edges")
"""Names of the options for several paths or cycles, and for those that may leave cells out."""
CONDITION_OPTIONS = ("in_order", "waypoints", "straight", "turn", "white_pearls", "black_pearls", "forbid_triples")
"""Names of the options for stops, and other conditions on cells and moves."""
NUMBER_OPTIONS = ("number", "clues", "sums", "shape", *CONDITION_OPTIONS)
"""Names of the options that give numbers, and of those for conditions."""
MEASURES = "|".join([*METRICS, "SUM"])
"""Placeholder of options that name an objective; a sum is `2*turns + crossings` or similar."""
CONSTRAINED = tuple(field.name for field in fields(ConstrainedOptions))
"""Names of the options for conditions on a tour, with limits of sums."""
PROBLEM = tuple(field.name for field in fields(ProblemOptions))
"""Names of the options that describe a problem."""


def problem_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that `problem_of` takes (decorator)."""
    # In reverse, because each decorator puts its option before those that are there.
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def constraint_options(command: Any, *, least: bool = True) -> Any:
    """Decorator: `--at-most` and `--at-least`, which `problem_of` takes.

    Parameters
    ----------
    least
        Whether the latter is among them: a command may have an option of that name that takes numbers of tours too.
    """
    for name in ("least", "most") if least else ("most",):
        words = f"Only tours whose SUM is at {name} N: turns=34, '2*turns + crossings=90' (repeatable)."
        command = click.option(f"--at-{name}", multiple=True, metavar="SUM=N", help=words)(command)
    return command


class Number(click.ParamType):
    """An integer, or a decimal with all its digits."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number of a text."""
        if isinstance(value, str) and not _is_number(value):
            self.fail(f"{value!r} is not a valid number.", param, ctx)
        return number_of(value) if isinstance(value, str) else value


def _is_number(text: str) -> bool:
    # Eighteen digits fit into 64 bits.
    return bool(re.fullmatch(r"[+-]?[0-9]{1,18}(\.[0-9]{1,18})?", text))


def number_of(text: str) -> Any:
    """The integer or the decimal of a text."""
    from decimal import Decimal  # Few commands have decimals.

    return Decimal(text) if "." in text else int(text)


def limits_given(option: str, texts: tuple[str, ...]) -> dict[str, Any]:
    """The limits of `--at-most` or `--at-least`, by the text of their sums."""
    limits: dict[str, Any] = {}
    for text in texts:
        name, sign, number = (part.strip() for part in text.rpartition("="))
        if not sign or not _is_number(number):
            raise KTError(
                f"{option} {excerpt(text)}: write a limit as turns=34, '2*turns + crossings=90' or weight=12.5"
            )
        limit = number_of(number)
        if limits.setdefault(name, limit) != limit:
            raise KTError(f"{option} {excerpt(name)}: given twice, as {limits[name]} and as {limit}")
    return limits


def objective_options(words: str, opposite: str) -> Callable[[Any], Any]:
    """Add `--minimize` and `--maximize` (decorator); the command takes `minimize`, a text or a `Greatest`."""

    def reverse(context: click.Context, option: click.Parameter, value: str | None) -> None:
        if value is not None:
            context.params["minimize"] = Greatest(Expression.parse(value))

    def decorate(command: Any) -> Any:
        greatest = click.option("--maximize", metavar=MEASURES, expose_value=False, callback=reverse, help=opposite)
        return click.option("--minimize", metavar=MEASURES, help=words)(greatest(command))

    return decorate


def problem_of(
    graph: MoveGraph, minimize: str | Greatest | None = None, *, near: Tour | None = None, written: bool = False,
    distinguish_moves: bool | None = None, **options: Any,
) -> Problem:  # fmt: skip
    """The problem that the options of `ConstrainedOptions` mean.

    Parameters
    ----------
    near
        A tour; the solution keeps as many of its moves as possible.
    written
        Whether `--from` may also name the cell at which a closed tour is written from, or the cell of its first number.
    distinguish_moves
        As for `problem_from`.
    """
    values = ConstrainedOptions(**options)
    numbered = bool(values.number or values.clues or values.sums or values.shape)
    if values.start and not values.is_open:
        if not (written or numbered):
            raise KTError(f"--from: {graph.words.a_cycle} has no first {graph.words.place}; give --open")
        # The cell must exist even though only the output uses it.
        vertex_from(graph, cell_named(graph, values.start))
    if values.paths is not None and (values.is_open or values.start or values.finish):
        raise KTError("--paths: several paths have their own ends; leave out --open, --from and --to")
    if values.cycles is not None and (values.is_open or values.start):
        raise KTError("--cycles: several closed tours have no first or last cell; leave out --open, --from and --to")
    if values.finish and not values.is_open:
        raise KTError(f"--to: {graph.words.a_cycle} has no last {graph.words.place}; give --open")
    start, finish = (
        name and cell_named(graph, name)
        for name in (values.start if values.is_open or numbered else None, values.finish)
    )
    return problem_from(
        graph,
        minimize=minimize,
        near=near,
        open=values.is_open,
        start=start,
        end=finish,
        symmetry=values.symmetry,
        require=list(values.require),
        forbid=list(values.forbid),
        at_most=limits_given("--at-most", values.at_most),
        at_least=limits_given("--at-least", values.at_least),
        distinguish_moves=distinguish_moves,
        paths=values.paths,
        cycles=values.cycles,
        equal=values.equal,
        optional="all" if values.optional == "all" else _cells(graph, "--optional", values.optional),
        visit=_cells(graph, "--visit", values.visit),
        sum_of_edges=[_edge_sum(text) for text in values.sum_of_edges],
        **given_options(graph, values),
        **condition_options(graph, values),
    )


def condition_options(graph: MoveGraph, conditions: GivenOptions) -> dict[str, Any]:
    """Stops, straight and turning cells, and triples of moves in the form that `problem_from` takes."""
    rules = [text for text in conditions.forbid_triples if "-" not in text]
    triples = [[text.strip() for text in _parts(text)] for text in conditions.forbid_triples if "-" in text]
    return {
        "in_order": _cells(graph, "--in-order", conditions.in_order),
        "waypoints": conditions.waypoints,
        "straight": _cells(graph, "--straight", conditions.straight),
        "turn": _cells(graph, "--turn", conditions.turn),
        "white_pearls": _cells(graph, "--white-pearls", conditions.white_pearls),
        "black_pearls": _cells(graph, "--black-pearls", conditions.black_pearls),
        "forbid_triples": [*rules, *triples],
    }


def _edge_sum(text: str) -> tuple[list[str], tuple[int, int]]:
    """The moves and bounds of `--sum-of-edges`, such as `a1-b1-b2-a2-a1=3`."""
    moves, sign, number = text.rpartition("=")
    if not sign or not (match := re.fullmatch(r"\s*(\d{1,9})(?:\.\.(\d{1,9}))?\s*", number)):
        raise KTError(f"--sum-of-edges {excerpt(text)}: write moves and their number as a1-b1-b2=2 or a1-b1,b1-c1=0..1")
    return [part.strip() for part in _parts(moves)], (int(match[1]), int(match[2] or match[1]))


def _parts(text: str) -> list[str]:
    """A text divided at commas that are not within parentheses."""
    return re.findall(r"(?:\([^()]*\)|[^,(])+", text)


def _cells(graph: MoveGraph, option: str, text: str | None) -> list[Any]:
    """The cells of an option's text, `a1,b3,c2`."""
    names = [] if text is None else [name.strip() for name in _parts(text)]
    if text is not None and not any(names):
        raise KTError(f"{option} {excerpt(text)}: write the cells as a1,b3,c2")
    return [cell_named(graph, name) for name in names]


def given_options(graph: MoveGraph, conditions: GivenOptions) -> dict[str, Any]:
    """Given numbers in the form that `problem_from` takes."""
    if not (conditions.number or conditions.clues or conditions.sums or conditions.shape is not None):
        return {}
    from kt_models.files.clues import parse_number, parse_sums

    numbers: dict[Any, list[int]] = {}
    for text in conditions.number:
        cell, values = parse_number(text)
        vertex = cell_named(graph, cell)
        if vertex in numbers:
            raise KTError(f"--number {text}: numbers of {cell} are given twice")
        numbers[vertex] = values
    sums: dict[str, Any] = {}
    for text in conditions.sums:
        name, total = parse_sums(text)
        if name in sums:
            raise KTError(f"--sums {text}: sums of {name} are given twice")
        sums[name] = total
    return {"numbers": numbers or None, "clues": conditions.clues, "sums": sums or None, "shape": conditions.shape}


def place_of(board: str | None, leaper: str | None, problem_values: dict[str, Any]) -> MoveGraph:
    """The graph of BOARD, or of the grid of clues or stops if BOARD is left out.

    The grid is read only once, here, because it may come from standard input.
    """
    grid = None
    for name in ("clues", "waypoints", "paths"):
        if problem_values[name] is not None:
            from kt_models.files.clues import clues_from, is_pairs

            text = problem_values[name]
            if name == "paths" and is_pairs(text):
                continue
            grid = clues_from(text, getattr(text, "cells", None), stops=name != "clues")
            problem_values[name] = grid
    if grid is not None and problem_values["waypoints"] is None and problem_values["paths"] is None:
        _tell_reading(grid)
    if board is not None:
        return graph_argument(board, leaper)
    if grid is None:
        raise KTError("BOARD is missing")
    return with_moves(grid.board, None if leaper is None else parse_piece(leaper))


def _tell_reading(clues: Clues) -> None:
    """Say on stderr what the clues 1, 2, ..., K were taken for: stops to be visited in order look the same."""
    if count := clues.first_numbers:
        say(
            f"clues 1 to {count}: the numbers are places in the path; for cells to be visited in this order "
            "use --in-order"
        )
