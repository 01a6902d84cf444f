"""The options that say a problem, shared by the commands that take one, and the `Problem` they mean."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

import click

from kt_models import KTError, MoveGraph, Problem
from kt_models.files.problems import cell_named, problem_from, vertex_from


@dataclass(frozen=True)
class ProblemOptions:
    """What was asked of a tour."""

    is_open: bool = False
    start: str | None = None
    finish: str | None = None
    symmetry: tuple[str, ...] = ()
    require: tuple[str, ...] = ()
    forbid: tuple[str, ...] = ()


_OPTIONS = [
    click.option("--open", "is_open", is_flag=True, help="An open tour: the ends need not be a move apart."),
    click.option("--from", "start", metavar="CELL", help="First cell."),
    click.option("--to", "finish", metavar="CELL", help="Last cell (open tours)."),
    click.option(
        "--symmetry",
        multiple=True,
        metavar="S",
        help="The tour is symmetric under S: rot180, rot90, mirror-x, (-y,x), ...",
    ),
    click.option(
        "--require",
        multiple=True,
        metavar="MOVE",
        help="A move, or a chain a1-b3-c5, that the tour makes (may be repeated).",
    ),
    click.option(
        "--forbid",
        multiple=True,
        metavar="MOVE",
        help="A move that the tour does not make, or a chain (may be repeated).",
    ),
]
PROBLEM = tuple(field.name for field in fields(ProblemOptions))
"""Names of the options that say a problem."""


def problem_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Decorator: the options that `problem_of` takes."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def problem_of(graph: MoveGraph, minimize: str | None = None, *, written: bool = False, **options: Any) -> Problem:
    """The problem that the options mean: those of `ProblemOptions`.

    Parameters
    ----------
    written
        Whether `--from` may also say where a closed tour is written from, or its first number is.
    """
    asked = ProblemOptions(**options)
    if asked.start and not asked.is_open:
        if not written:
            raise KTError(f"--from: {graph.words.a_cycle} has no first {graph.words.place}; give --open")
        vertex_from(graph, cell_named(graph, asked.start))
    if asked.finish and not asked.is_open:
        raise KTError(f"--to: {graph.words.a_cycle} has no last {graph.words.place}; give --open")
    start, finish = (
        name and cell_named(graph, name) for name in (asked.start if asked.is_open else None, asked.finish)
    )
    return problem_from(
        graph,
        minimize=minimize,
        open=asked.is_open,
        start=start,
        end=finish,
        symmetry=asked.symmetry,
        require=list(asked.require),
        forbid=list(asked.forbid),
    )
