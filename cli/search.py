"""`kt search`: exhaustive searches for heels, junctions, corner blocks and side patterns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from cli.command import CommandGroup
from cli.gadget_options import GadgetOptions, move_of, pairs_of, port_of, region_of, search_options
from cli.gadget_output import finish
from cli.live import limits_of, live_progress
from cli.option_errors import read_when
from cli.options import (
    LimitOptions,
    grouped,
    leaper_option,
    piece_of,
)
from cli.run_options import RunOptions
from kt_models.errors import KTError
from kt_models.leaper import Leaper

if TYPE_CHECKING:
    from encoders.gadgets import Wanted
    from kt_models.gadgets.frame import Frame
    from kt_models.gadgets.gadget import Gadget


@click.group("search", cls=CommandGroup)
def command() -> None:
    """Search exhaustively for gadgets: regions covered by disjoint paths that enter and leave as given.

    \b
    kt search heel --minimize turns --all                  of the formation: 21 turns, every such heel
    kt search strip --minimize turns --period 4 --all      side patterns under lines of direction (-2,1)
    kt search junction --region 6x6 --matching H --minimize turns
    kt search corner --region 5x4 --enter a4:-2,1 --enter e4:2,1
    kt search heel --minimize turns --at-most 22 --all --run DIR     cube by cube on all cores; --resume continues

    A port is written CELL:DX,DY, a cell of the region and the move from it to the outside; CELL:DX,DYxK follows that
    line for K moves. Turns at ports and crossings with the lines outside are counted.
    """


# -- the four kinds ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Heel:
    """The region of a heel and the lines that leave it."""

    sweep: str | None = None
    line: str | None = None
    line_out: str | None = None
    steps: int = 1
    period: str | None = None


@command.command("heel")
@grouped(
    "region",
    Heel,
    click.option(
        "--sweep", metavar="TEXT", help="Region given by start and moves of a quartet.  [default: the paper's heel]"
    ),
    click.option("--line", metavar="DX,DY", help="Move from the quartets to the outside.  [default: -2,1]"),
    click.option("--line-out", metavar="DX,DY", help="Move from the last quartet to the outside, if it differs."),
    click.option(
        "--steps",
        default=1,
        show_default=True,
        type=click.IntRange(1, 1000),
        help="Moves of each line outside the region.",
    ),
    click.option("--period", metavar="P|0,P", help="Place heels P columns (0,P: rows) apart; they may share cells."),
)
@click.option(
    "--matching", multiple=True, metavar="H>V", help="What enters as H leaves as V (repeatable; all must hold)."
)
@click.option("--any-pairing", is_flag=True, help="Paths may also return to the quartet they came from.")
@click.option("--drift", type=int, metavar="K", help="With --period: all paths leave K heels further on; no strands.")
@click.option("--formation", is_flag=True, help="Show what the formation itself does, without a search.")
@leaper_option
@search_options
@read_when(
    *("matching", "any_pairing", "drift", "minimize", "at_most", "join", "every"),
    when=lambda values: not values["formation"],
    why="by a search, and --formation searches for nothing",
)
def heel(
    region: Heel,
    matching: tuple[str, ...],
    any_pairing: bool,
    drift: int | None,
    formation: bool,
    leaper: str | None,
    search: GadgetOptions,
    run_values: RunOptions,
) -> int:
    """Search for other ways to cover what a quartet of knights sweeps between two diagonals.

    \b
    kt search heel --formation                      22 turns, 32 crossings
    kt search heel --minimize crossings --all
    kt search heel --sweep "a3 S S E E N 2,-1 E E N" --minimize turns
    kt search heel --sweep "a4 2,-1 S S E E N 2,-1 E E N -2,1 -2,1" --period 8 --drift 0 --minimize turns
    kt search heel --leaper 1,4 --formation         sixteen giraffes, in a 4x4 square

    TEXT: the cell at the quartet's bottom left, then its moves: N, S, E, W by one cell, or a knight's move DX,DY.
    """
    from encoders.gadgets import GadgetResult, Wanted, frames

    piece = piece_of(leaper)
    # Giraffes move four cells at a time, so their usual heel is another region.
    usual = frames.GIRAFFE_HEEL if piece == Leaper(1, 4) else frames.HEEL
    corner, moves = frames.parse_formation(usual if region.sweep is None else region.sweep)
    line = (-piece.b, piece.a) if region.line is None else move_of(region.line)
    period = region.period
    # A single number is a number of columns.
    vector = (0, 0) if period is None else move_of(period if "," in period else f"{period},0")
    out = None if region.line_out is None else move_of(region.line_out)
    made = frames.formation(corner, moves, line, region.steps, vector, out, piece)
    if formation and run_values.folder:
        raise KTError("--run: --formation does not search")
    if formation:
        return finish(GadgetResult(made.frame, (made,), complete=True), search, searched=False)
    wanted = Wanted(not any_pairing, matching, search.joined, drift=drift)
    return _search(made.frame, wanted, search, run_values, made)


@command.command("junction")
@click.option("--region", default="6x6", show_default=True, metavar="BOARD", help="WxH, 6x6-a1,b2 or @mask.txt.")
@click.option(
    "--quartet", metavar="PORT", help="Bottom left cell and way out of the quartet.  [default: in the top right corner]"
)
@click.option("--line", metavar="DX,DY", help="Way out of the default quartet.  [default: 2,-1]")
@click.option(
    "--matching", multiple=True, metavar="H|V|X", help="Which of the four are joined (repeatable; any may hold)."
)
@leaper_option
@search_options
@read_when("line", when=lambda values: values["quartet"] is None, why="without --quartet, which says it itself")
def junction(
    region: str,
    quartet: str | None,
    line: str | None,
    matching: tuple[str, ...],
    leaper: str | None,
    search: GadgetOptions,
    run_values: RunOptions,
) -> int:
    """Search for two paths that cover a region and end at a quartet; or eight, at sixteen giraffes.

    \b
    kt search junction --region 6x6 --matching H --minimize turns
    kt search junction --region 5x6-e1 --quartet d5:2,-1 --matching V
    kt search junction --leaper 1,4 --region 10x10
    """
    from encoders.gadgets import Wanted, frames
    from kt_models.gadgets.frame import Frame

    cells, piece = region_of(region), piece_of(leaper)
    side = frames.side_of(piece)
    if quartet is None:
        corner, steps = (max(x for x, _ in cells) - side + 1, max(y for _, y in cells) - side + 1), 1
        move = (piece.b, -piece.a) if line is None else move_of(line)
    else:
        corner, move, steps = port_of(quartet)
    frame = Frame(cells, frames.quartet_ports(corner, move, steps, side=side), leaper=piece)
    return _search(frame, Wanted(False, matching, search.joined), search, run_values)


@command.command("corner")
@click.option("--region", required=True, metavar="BOARD", help="WxH, 8x8-a1,b2 or @mask.txt.")
@click.option("--enter", multiple=True, metavar="PORT", help="Port at which a path enters (repeatable).")
@click.option("--leave", multiple=True, metavar="PORT", help="Port at which a path leaves (repeatable).")
@click.option(
    "--quartet", multiple=True, metavar="PORT", help="Four ports, given by their bottom left cell (repeatable)."
)
@click.option("--lines", metavar="DX,DY", help="Ports wherever lines of this direction leave by an open side.")
@click.option(
    "--open", "sides", default="top,right", show_default=True, metavar="SIDES", help="Open sides, for --lines."
)
@click.option("--through", is_flag=True, help="Every path runs from an --enter to a --leave.")
@click.option("--one-cycle", is_flag=True, help="The paths and the --link pairs outside form one cycle.")
@click.option("--link", multiple=True, metavar="A-B", help="Ports joined outside, for --one-cycle (repeatable).")
@click.option("--matching", multiple=True, metavar="TEXT", help="H, V, X of one quartet; H>V of two (repeatable).")
@leaper_option
@search_options
@read_when("sides", when=lambda values: values["lines"] is not None, why="with --lines")
def corner(
    region: str,
    through: bool,
    one_cycle: bool,
    leaper: str | None,
    search: GadgetOptions,
    run_values: RunOptions,
    **options: Any,
) -> int:
    """Search for paths that cover any region between any ports.

    \b
    kt search corner --region 5x4 --enter a4:-2,1 --enter e4:2,1 --minimize turns
    kt search corner --region 8x8 --lines -2,1 --minimize crossings --all
    kt search corner --region @block.txt --quartet a3:-2,1 --quartet g2:-2,1 --matching "H>H"

    Ports are numbered from 1: those of --enter, --leave, --quartet and --lines, in the order given.
    """
    from encoders.gadgets import Wanted, frames
    from kt_models.gadgets.frame import Frame, Port

    cells = region_of(region)
    ports = [Port(*port_of(text)) for text in options["enter"]]
    ports += [Port(*port_of(text), leaves=True) for text in options["leave"]]
    for text in options["quartet"]:
        ports += frames.quartet_ports(*port_of(text))
    if options["lines"] is not None:
        sides = tuple(options["sides"].replace(",", " ").split())
        ports += frames.line_ports(cells, move_of(options["lines"]), sides)
    links = pairs_of(options["link"], "link")
    if links and not one_cycle:
        raise KTError("--link names paths outside the region: it needs --one-cycle")
    wanted = Wanted(through, options["matching"], search.joined, links if one_cycle else None)
    return _search(Frame(cells, tuple(ports), leaper=piece_of(leaper)), wanted, search, run_values)


@command.command("strip")
@click.option("--side", default="bottom", show_default=True, metavar="SIDE", help="bottom, top, left or right.")
@click.option("--direction", metavar="DX,DY", help="Direction of the lines in the interior.  [default: -2,1]")
@click.option("--period", default=4, show_default=True, type=int, help="Period along the side.")
@click.option("--depth", default=4, show_default=True, type=int, help="Number of rows or columns with free moves.")
@leaper_option
@search_options
def strip(
    side: str,
    direction: str | None,
    period: int,
    depth: int,
    leaper: str | None,
    search: GadgetOptions,
    run_values: RunOptions,
) -> int:
    """Search for periodic patterns at the side of a board whose interior is filled with parallel lines.

    \b
    kt search strip --minimize turns --all                          8 turns per 4 columns
    kt search strip --side left --period 1 --minimize crossings     1 crossing per row
    kt search strip --period 6 --minimize crossings --all
    kt search strip --leaper 2,3 --period 6 --depth 6 --minimize turns       under lines of direction (-3,2)

    Lines of direction (-2,1) are numbered c = x + 2y; a pattern says which lines it joins.
    """
    from encoders.gadgets import Wanted, frames

    piece = piece_of(leaper)
    lines = (-piece.b, piece.a) if direction is None else move_of(direction)
    frame = frames.strip(side, period, depth, lines, piece)
    return _search(frame, Wanted(joined=search.joined), search, run_values)


# -- searching --------------------------------------------------------------------------------------------


def _search(
    frame: Frame, wanted: Wanted, options: GadgetOptions, run_values: RunOptions, start: Gadget | None = None
) -> int:
    from encoders.gadgets import search

    # The cubes of a run are a partition of all gadgets, so a run cannot stop after a few.
    if run_values.folder and (not options.every or options.most):
        raise KTError("--run: a run searches for every gadget: give --all, and no --max")
    if run_values.folder:
        from cli.gadget_run import search_by_cubes

        return finish(
            search_by_cubes(frame, wanted, options.minimize, options.at_most, options.time_limit, run_values), options
        )
    with limits_of(LimitOptions(options.time_limit, run_values.workers)) as limits, live_progress() as on_progress:
        found = search(
            frame,
            minimize=options.minimize,
            wanted=wanted,
            most=options.most if options.every else 1,
            at_most=options.at_most,
            start=start,
            limits=limits,
            on_progress=on_progress,
        )
    return finish(found, options)
