"""The options of every kind of `kt search`, and their conversion to regions, ports and pairs of ports."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from cli.files import output_suffix
from cli.options import grouped, json_option, output_option, time_limit_option
from cli.run_options import run_options
from kt_models.errors import KTError

if TYPE_CHECKING:
    from kt_models.cells import Cell

SUFFIXES = (".json", ".svg", ".png")


@dataclass(frozen=True)
class GadgetOptions:
    """The gadgets to search for in a frame."""

    minimize: str | None = None
    at_most: int | None = None
    join: tuple[str, ...] = ()
    every: bool = False
    most: int | None = None
    pick: int | None = None
    time_limit: float | None = None
    output: str | None = None
    as_json: bool = False

    def __post_init__(self) -> None:
        for name, value in (("pick", self.pick), ("max", self.most)):
            if value and not self.every:
                raise KTError(f"--{name} is for all gadgets: it needs --all")
        output_suffix(self.output, SUFFIXES)

    @property
    def joined(self) -> tuple[tuple[int, int], ...]:
        """The ports that are joined."""
        return pairs_of(self.join, "join")


def search_options(function: Callable[..., int]) -> Callable[..., int]:
    """Add the options of every kind of search, which the command gets as `search` and `how` (decorator)."""
    decorate = grouped(
        "search",
        GadgetOptions,
        click.option("--minimize", metavar="turns|crossings", help="Only gadgets with the fewest."),
        click.option("--at-most", type=int, metavar="K", help="With --minimize: gadgets with at most K."),
        click.option("--join", multiple=True, metavar="A-B", help="Ports to join, by number from 1 (repeatable)."),
        click.option("--all", "every", is_flag=True, help="Find every gadget, not just one."),
        click.option(
            "--max", "most", type=click.IntRange(min=1), metavar="N", help="With --all: stop after N gadgets."
        ),
        click.option(
            "--pick", type=click.IntRange(min=1), metavar="K", help="Only the K-th of all gadgets (needs --all)."
        ),
        time_limit_option(),
        output_option(" ".join(SUFFIXES), "gadgets", "gadget"),
        json_option,
    )
    decorated: Callable[..., int] = decorate(run_options(function))
    return decorated


def move_of(text: str) -> Cell:
    """A move, written DX,DY."""
    match = re.fullmatch(r"\s*(-?[0-9]{1,4})\s*,\s*(-?[0-9]{1,4})\s*", text)
    if not match:
        raise KTError(f"move {text!r}: write a move as DX,DY such as -2,1")
    return int(match[1]), int(match[2])


def port_of(text: str) -> tuple[Cell, Cell, int]:
    """Cell, move and steps of `a3:-2,1` or `a3:-2,1x4`."""
    from kt_models.cells import parse_cell

    match = re.fullmatch(r"(.+?):([^:x]+)(?:x([0-9]{1,4}))?", text.strip())
    if not match:
        raise KTError(f"port {text!r}: write a port as CELL:DX,DY such as a3:-2,1")
    cell = parse_cell(match[1])
    if len(cell) != 2:
        raise KTError(f"port {text!r}: gadgets are plane")
    return (cell[0], cell[1]), move_of(match[2]), int(match[3] or 1)


def region_of(text: str) -> tuple[Cell, ...]:
    """The cells of a region."""
    from encoders.gadgets.search import MAX_SEARCHED_CELLS
    from kt_models import Board
    from kt_models.errors import TooLarge

    board = Board.parse(text)
    if board.dimension != 2 or any(board.wraps):
        raise KTError(f"region {text}: a region must be a plane board, such as 6x6 or @mask.txt")
    if board.n > MAX_SEARCHED_CELLS:
        raise TooLarge(f"region {text}: {board.n:,} cells, over the limit of {MAX_SEARCHED_CELLS:,}")
    return tuple((x, y) for x, y in board.cells.tolist())


def pairs_of(texts: tuple[str, ...], name: str) -> tuple[tuple[int, int], ...]:
    """Pairs of port numbers, from 0, from texts such as `1-5`."""
    pairs = []
    for text in texts:
        match = re.fullmatch(r"([0-9]{1,6})-([0-9]{1,6})", text.strip())
        if not match:
            raise KTError(f"{name} {text!r}: name ports by number, such as 1-5")
        pairs.append((int(match[1]) - 1, int(match[2]) - 1))
    return tuple(pairs)
