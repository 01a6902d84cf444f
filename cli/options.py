"""Options that several commands share, and how their texts become objects."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from typing import Any

import click

from kt_models import KTError, Leaper, MoveGraph, graph_of
from kt_models.errors import nearest

leaper_option = click.option(
    "--leaper", default="1,2", show_default=True, metavar="A,B[,C]", help="The piece that moves."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")


def graph_argument(board: str, leaper: str) -> MoveGraph:
    """The graph that BOARD and --leaper mean."""
    return graph_of(board, Leaper.parse(leaper))


def output_option(suffixes: str) -> Callable[[Any], Any]:
    """`-o FILE`, with the kinds of file it can be."""
    return click.option("-o", "--output", metavar="FILE", help=f"Write to FILE ({suffixes}).")


def print_json(data: dict[str, Any]) -> None:
    """One JSON object on a line of its own."""
    click.echo(json.dumps(data))


def print_rows(rows: Iterable[tuple[str, str]]) -> None:
    """Names and words in two columns."""
    for name, words in rows:
        click.echo(f"{name:<10} {words}")


def suffix_of(path: str, allowed: tuple[str, ...]) -> str:
    """The file name's ending, if it is one of those allowed.

    Raises
    ------
    KTError
        Naming the file and the endings that would do.
    """
    lowered = path.lower()
    for suffix in allowed:
        if lowered.endswith(suffix):
            return suffix
    stem, ending = os.path.splitext(path)
    guess = nearest(ending, allowed) if ending else ""
    meant = f", did you mean {stem + guess!r}? The" if guess else ": the"
    raise KTError(f"{path or repr(path)}{meant} name has to end in one of {', '.join(allowed)}")
