"""`kt search`: exhaustive searches for heels, junctions, corner blocks and side patterns."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from cli.live import limits_of, live_words
from cli.options import json_option, output_option, print_json, print_rows, suffix_of
from cli.run_options import command_line, run_options
from cli.status import UNANSWERED
from kt_models.errors import KTError
from kt_models.format import FORMAT_VERSION
from kt_models.storage import require_writable, write_atomic

if TYPE_CHECKING:
    from encoders.gadgets import Found, Wanted
    from kt_models.gadgets.frame import Cell, Frame
    from kt_models.gadgets.gadget import Gadget

SUFFIXES = (".json", ".svg", ".png")
LISTED = 40
"""Most gadgets that are listed on a screen."""


@click.group("search")
def command() -> None:
    """Search exhaustively for gadgets: regions covered by disjoint paths that enter and leave as given.

    \b
    kt search heel --minimize turns --all                  of the formation: 21 turns, every such heel
    kt search strip --minimize turns --period 4 --all      side patterns under lines of direction (-2,1)
    kt search junction --region 6x6 --matching H --minimize turns
    kt search corner --region 5x4 --enter a4:-2,1 --enter e4:2,1
    kt search heel --minimize turns --at-most 22 --all --run DIR     cube by cube on all cores; --resume goes on

    A port is written CELL:DX,DY, a cell of the region and the move from it to the outside; CELL:DX,DYxK follows that
    line for K moves.  Turns at ports and crossings with the lines outside are counted.
    """


def shared(function: Callable[..., int]) -> Callable[..., int]:
    """The options of every kind of search."""
    options = [
        click.option("--minimize", metavar="turns|crossings", help="Only gadgets with the fewest."),
        click.option("--at-most", type=int, metavar="K", help="With --minimize: all gadgets with K or fewer."),
        click.option(
            "--join", multiple=True, metavar="A-B", help="Ports that are joined, by number from 1 (repeatable)."
        ),
        click.option("--all", "every", is_flag=True, help="Every gadget, not just one."),
        click.option(
            "--max", "most", type=click.IntRange(min=1), metavar="N", help="With --all: stop after N gadgets."
        ),
        click.option(
            "--pick", type=click.IntRange(min=1), metavar="K", help="Of all gadgets, the K-th alone (needs --all)."
        ),
        click.option("--time-limit", type=float, metavar="S", help="Seconds for everything."),
        output_option(" ".join(SUFFIXES)),
        json_option,
    ]
    function = run_options(function)
    for option in reversed(options):
        function = option(function)
    return function


# -- the four kinds ----------------------------------------------------------------------------------------------------


@command.command("heel")
@click.option("--sweep", metavar="TEXT", help="Region: start and moves of a quartet.  [default: the paper's heel]")
@click.option("--line", default="-2,1", show_default=True, metavar="DX,DY", help="From the quartets to the outside.")
@click.option("--line-out", metavar="DX,DY", help="From the last quartet to the outside, if it is another move.")
@click.option("--steps", default=1, show_default=True, type=click.IntRange(1, 1000), help="Moves of each line outside.")
@click.option(
    "--matching", multiple=True, metavar="H>V", help="What enters as H leaves as V (repeatable: all of them hold)."
)
@click.option("--any-pairing", is_flag=True, help="Paths may also return to the quartet they came from.")
@click.option(
    "--period", metavar="P|0,P", help="Heels stand side by side, P columns (0,P: rows) apart, and may share cells."
)
@click.option("--drift", type=int, metavar="K", help="With --period: all paths leave K heels on; no strands.")
@click.option("--formation", is_flag=True, help="No search: what the formation itself does.")
@shared
def heel(
    sweep: str | None,
    line: str,
    line_out: str | None,
    steps: int,
    any_pairing: bool,
    period: str | None,
    drift: int | None,
    formation: bool,
    **asked: Any,
) -> int:
    """Other ways to cover what a quartet of knights sweeps between two diagonals.

    \b
    kt search heel --formation                      22 turns, 32 crossings
    kt search heel --minimize crossings --all
    kt search heel --sweep "a3 S S E E N 2,-1 E E N" --minimize turns
    kt search heel --sweep "a4 2,-1 S S E E N 2,-1 E E N -2,1 -2,1" --period 8 --drift 0 --minimize turns

    TEXT: the cell at the quartet's bottom left, then its moves: N, S, E, W by one cell, or a knight's move DX,DY.
    """
    from encoders.gadgets import Found, Wanted, frames

    corner, moves = frames.parse_formation(frames.HEEL if sweep is None else sweep)
    vector = (0, 0) if period is None else _move(period if "," in period else f"{period},0")
    made = frames.formation(corner, moves, _move(line), steps, vector, None if line_out is None else _move(line_out))
    if formation:
        _check(asked)
        found = Found(made.frame, (made,), complete=True)
        return _finish(found, asked, searched=False)
    return _search(made.frame, Wanted(not any_pairing, asked.pop("matching"), _joins(asked), drift=drift), asked)


@command.command("junction")
@click.option("--region", default="6x6", show_default=True, metavar="BOARD", help="WxH, 6x6-a1,b2 or @mask.txt.")
@click.option("--quartet", metavar="PORT", help="Its bottom left cell and way out.  [default: in the top right corner]")
@click.option("--line", default="2,-1", show_default=True, metavar="DX,DY", help="The way out of the default quartet.")
@click.option(
    "--matching", multiple=True, metavar="H|V|X", help="Which of the four are joined (repeatable: any of these)."
)
@shared
def junction(region: str, quartet: str | None, line: str, **asked: Any) -> int:
    """Two paths that cover a region and end at a quartet.

    \b
    kt search junction --region 6x6 --matching H --minimize turns
    kt search junction --region 5x6-e1 --quartet d5:2,-1 --matching V
    """
    from encoders.gadgets import Wanted, frames
    from kt_models.gadgets.frame import Frame

    cells = _region(region)
    if quartet is None:
        corner, move, steps = (max(x for x, _ in cells) - 1, max(y for _, y in cells) - 1), _move(line), 1
    else:
        corner, move, steps = _port(quartet)
    frame = Frame(cells, frames.quartet_ports(corner, move, steps))
    return _search(frame, Wanted(False, asked.pop("matching"), _joins(asked)), asked)


@command.command("corner")
@click.option("--region", required=True, metavar="BOARD", help="WxH, 8x8-a1,b2 or @mask.txt.")
@click.option("--enter", multiple=True, metavar="PORT", help="A port (repeatable).")
@click.option("--leave", multiple=True, metavar="PORT", help="A port at which a path leaves (repeatable).")
@click.option("--quartet", multiple=True, metavar="PORT", help="Four ports: their bottom left cell (repeatable).")
@click.option("--lines", metavar="DX,DY", help="Ports to lines of this direction wherever they leave by an open side.")
@click.option(
    "--open", "sides", default="top,right", show_default=True, metavar="SIDES", help="Open sides, for --lines."
)
@click.option("--through", is_flag=True, help="Every path runs from an --enter to a --leave.")
@click.option("--one-cycle", is_flag=True, help="With the --link pairs outside, all make one cycle.")
@click.option("--link", multiple=True, metavar="A-B", help="Ports joined outside, for --one-cycle (repeatable).")
@click.option("--matching", multiple=True, metavar="TEXT", help="H, V, X of one quartet; H>V of two (repeatable).")
@shared
def corner(region: str, through: bool, one_cycle: bool, **asked: Any) -> int:
    """Paths that cover any region between any ports.

    \b
    kt search corner --region 5x4 --enter a4:-2,1 --enter e4:2,1 --minimize turns
    kt search corner --region 8x8 --lines -2,1 --minimize crossings --all
    kt search corner --region @block.txt --quartet a3:-2,1 --quartet g2:-2,1 --matching "H>H"

    Ports are numbered from 1: those of --enter, --leave, --quartet and --lines, each as given.
    """
    from encoders.gadgets import Wanted, frames
    from kt_models.gadgets.frame import Frame, Port

    cells = _region(region)
    ports = [Port(*_port(text)) for text in asked.pop("enter")]
    ports += [Port(*_port(text), leaves=True) for text in asked.pop("leave")]
    for text in asked.pop("quartet"):
        ports += frames.quartet_ports(*_port(text))
    lines, sides = asked.pop("lines"), asked.pop("sides")
    if lines is not None:
        ports += frames.line_ports(cells, _move(lines), tuple(sides.replace(",", " ").split()))
    links = _pairs(asked.pop("link"), "link")
    if links and not one_cycle:
        raise KTError("--link says what is joined outside: it needs --one-cycle")
    wanted = Wanted(through, asked.pop("matching"), _joins(asked), links if one_cycle else None)
    return _search(Frame(cells, tuple(ports)), wanted, asked)


@command.command("strip")
@click.option("--side", default="bottom", show_default=True, metavar="SIDE", help="bottom, top, left or right.")
@click.option("--direction", default="-2,1", show_default=True, metavar="DX,DY", help="Of the lines in the interior.")
@click.option("--period", default=4, show_default=True, type=int, help="Along the side.")
@click.option("--depth", default=4, show_default=True, type=int, help="Rows or columns in which moves are free.")
@shared
def strip(side: str, direction: str, period: int, depth: int, **asked: Any) -> int:
    """Periodic patterns at the side of a board whose interior is filled with parallel lines.

    \b
    kt search strip --minimize turns --all                          8 turns per 4 columns
    kt search strip --side left --period 1 --minimize crossings     1 crossing per row
    kt search strip --period 6 --minimize crossings --all

    Lines of direction (-2,1) are numbered c = x + 2y; a pattern says which lines it joins.
    """
    from encoders.gadgets import Wanted, frames

    frame = frames.strip(side, period, depth, _move(direction))
    return _search(frame, Wanted(joined=_joins(asked)), asked)


@command.command("strands")
@click.option(
    "--class",
    "classes",
    multiple=True,
    metavar="W,H",
    help="Width modulo 8, height modulo 4 (repeatable).  [default: all]",
)
@click.option(
    "--prefer", default="turns", show_default=True, metavar="turns|crossings", help="What is to be few first."
)
@click.option("--corner", default=4, show_default=True, type=click.IntRange(4, 8), help="Least side of a corner block.")
@click.option("--compare", default=8, show_default=True, type=click.IntRange(1, 1000), help="Families, by crossings.")
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0, 2**31 - 1), help="Order of equals.")
@click.option("--time-limit", type=float, metavar="S", help="Seconds for everything.")
@output_option(".json")
@json_option
def strands(classes: tuple[str, ...], as_json: bool, output: str | None, **asked: Any) -> int:
    """Families of closed tours with few turns or crossings, from which method `strands` makes a tour of any size.

    \b
    kt search strands -o strands-turns.json      all classes of sizes
    kt search strands --class 2,2 --compare 50   width 2 modulo 8, height 2 modulo 4
    kt search strands --class 0,0 --prefer crossings --compare 4

    Turns and crossings are given as 4(w + h) and what is added to it.
    """
    from encoders.gadgets.strands import ALL_CLASSES, search_strands
    from encoders.gadgets.strands_claims import claims_of_families

    if output:
        suffix_of(output, (".json",))
        require_writable(output)
    wanted = tuple(_move(text) for text in classes) or ALL_CLASSES
    with limits_of(asked.pop("time_limit"), seed=asked.pop("seed")) as limits, live_words() as tell:
        found = search_strands(wanted, limits=limits, on_progress=tell, **asked)
    families = [one.family for one in found]
    facts = {
        "prefer": asked["prefer"],
        "command": command_line(),
        "claims": claims_of_families(families, asked["prefer"]),
    }
    data = {
        "version": FORMAT_VERSION,
        "kind": "strands",
        **facts,
        "families": [family.to_json() for family in families],
    }
    if as_json:
        print_json(data)
    else:
        for (width, height), one in zip(wanted, found, strict=False):
            size = "{}x{}".format(*one.family.size)
            click.echo(f"class {width},{height}   seed {size}   turns {one.turns:+d}   crossings {one.crossings:+d}")
    if output:
        write_atomic(output, json.dumps(data).replace('{"seed"', '\n{"seed"') + "\n")
    return 0 if len(found) == len(wanted) else UNANSWERED


# -- from texts --------------------------------------------------------------------------------------------------------


def _move(text: str) -> Cell:
    match = re.fullmatch(r"\s*(-?[0-9]{1,4})\s*,\s*(-?[0-9]{1,4})\s*", text)
    if not match:
        raise KTError(f"move {text!r}: a move is written DX,DY such as -2,1")
    return int(match[1]), int(match[2])


def _port(text: str) -> tuple[Cell, Cell, int]:
    """Cell, move and steps of `a3:-2,1` or `a3:-2,1x4`."""
    from kt_models.cells import parse_cell

    match = re.fullmatch(r"(.+?):([^:x]+)(?:x([0-9]{1,4}))?", text.strip())
    if not match:
        raise KTError(f"port {text!r}: a port is written CELL:DX,DY such as a3:-2,1")
    cell = parse_cell(match[1])
    if len(cell) != 2:
        raise KTError(f"port {text!r}: gadgets are in the plane")
    return (cell[0], cell[1]), _move(match[2]), int(match[3] or 1)


def _region(text: str) -> tuple[Cell, ...]:
    from encoders.gadgets.search import MAX_SEARCHED
    from kt_models import Board
    from kt_models.errors import TooLarge

    board = Board.parse(text)
    if board.dimension != 2 or any(board.wraps):
        raise KTError(f"region {text}: a region is a plane board, such as 6x6 or @mask.txt")
    if board.n > MAX_SEARCHED:
        raise TooLarge(f"region {text}: {board.n:,} cells, over the limit of {MAX_SEARCHED:,}")
    return tuple((x, y) for x, y in board.cells.tolist())


def _joins(asked: dict[str, Any]) -> tuple[tuple[int, int], ...]:
    return _pairs(asked.pop("join"), "join")


def _pairs(texts: tuple[str, ...], what: str) -> tuple[tuple[int, int], ...]:
    """Pairs of port numbers, from 0, of texts such as `1-5`."""
    pairs = []
    for text in texts:
        match = re.fullmatch(r"([0-9]{1,6})-([0-9]{1,6})", text.strip())
        if not match:
            raise KTError(f"{what} {text!r}: ports are joined by number, such as 1-5")
        pairs.append((int(match[1]) - 1, int(match[2]) - 1))
    return tuple(pairs)


# -- searching and printing --------------------------------------------------------------------------------------------


def _search(frame: Frame, wanted: Wanted, asked: dict[str, Any]) -> int:
    from encoders.gadgets import search

    _check(asked)
    how = asked["how"]
    if how.folder:
        from cli.gadget_run import search_by_cubes

        least = asked["minimize"], asked["at_most"], asked["time_limit"]
        return _finish(search_by_cubes(frame, wanted, *least, how), asked)
    with limits_of(asked["time_limit"]) as limits, live_words() as tell:
        found = search(
            frame,
            minimize=asked["minimize"],
            wanted=wanted,
            most=asked["most"] if asked["every"] else 1,
            at_most=asked["at_most"],
            limits=limits,
            on_progress=tell,
        )
    return _finish(found, asked)


def _check(asked: dict[str, Any]) -> None:
    """Refuse before the work is done rather than after."""
    for name in ("pick", "most"):
        if asked[name] and not asked["every"]:
            raise KTError(f"--{'max' if name == 'most' else name} is about all gadgets: it needs --all")
    if asked["how"].folder and (not asked["every"] or asked["most"]):
        raise KTError("--run: a run searches for every gadget: give --all, and no --max")
    if asked["output"]:
        suffix_of(asked["output"], SUFFIXES)
        require_writable(asked["output"])


def _finish(found: Found, asked: dict[str, Any], searched: bool = True) -> int:
    gadgets = found.gadgets
    pick = asked["pick"]
    if pick and pick > len(gadgets) and found.complete:
        raise KTError(f"--pick {pick}: {len(gadgets)} found")
    chosen = gadgets[pick - 1 : pick] if pick else gadgets
    answered = found.complete or (not asked["every"] and bool(gadgets) and (not found.minimize or found.optimal))
    answered = answered or (asked["at_most"] is not None and not asked["every"] and bool(gadgets))
    data = _json(found, chosen, asked["every"])
    if asked["as_json"]:
        print_json(data)
    else:
        _print(found, chosen, asked["every"], searched)
        if not answered:
            click.echo("kt: stopped before everything was searched", err=True)
    if asked["output"]:
        _write(asked["output"], data, chosen)
    return 0 if answered else UNANSWERED


def _json(found: Found, chosen: tuple[Gadget, ...], every: bool) -> dict[str, Any]:
    """One gadget as a gadget, several or none as a list of them."""
    facts = {
        "status": found.status,
        **({"minimize": found.minimize} if found.minimize else {}),
        **({"value": found.value} if found.value is not None else {}),
        **({"bound": found.bound} if found.bound is not None else {}),
        **({"count": len(found.gadgets), "complete": found.complete} if every else {}),
        "seconds": round(found.seconds, 3),
        "command": command_line(),
    }
    if len(chosen) == 1:
        return {**chosen[0].to_json(), **facts}
    return {"version": FORMAT_VERSION, "kind": "gadgets", **facts, "gadgets": [gadget.to_json() for gadget in chosen]}


def _print(found: Found, chosen: tuple[Gadget, ...], every: bool, searched: bool) -> None:
    from kt_models.gadgets.gadget import line_offsets

    frame = found.frame
    period = f", period {max(frame.period)}" if frame.periodic else ""
    rows = [("region", f"{len(frame.cells)} cells, {len(frame.ports)} ports{period}")]
    if searched:
        rows.append(("status", found.status))
    if found.value is not None:
        proved = " (least, proved)" if found.optimal else f" (bound {found.bound or 0})"
        rows.append((found.minimize or "value", f"{found.value}{proved}"))
    if every:
        rows.append(("count", f"{len(found.gadgets)}{'' if found.complete else ' or more'}"))
    if searched:
        rest = "that there are none" if found.infeasible else "that there are no others, or none better,"
        known = f"{'gadgets verified; ' if found.gadgets else ''}{rest} is the solver's word"
        rows += [("known by", known), ("seconds", f"{found.seconds:.2f}")]
    print_rows(rows)
    for number, gadget in enumerate(chosen[:LISTED], start=1):
        if len(found.gadgets) > 1 and len(chosen) > 1:
            click.echo(f"\ngadget {number}")
        else:
            click.echo()
        facts = [f"{gadget.turns} turns, {gadget.crossings} crossings"]
        if gadget.matching:
            facts.append(gadget.matching)
        if offsets := line_offsets(gadget):
            facts.append("lines " + " ".join(f"{c}:{step:+d}" for c, step in offsets.items()))
        click.echo("  " + "; ".join(facts))
        for path in gadget.paths:
            ends = "strand" if path.start is None or path.end is None else f"{path.start + 1}-{path.end + 1}"
            click.echo(f"  {ends:<6} " + " ".join(_cell(cell) for cell in path.cells))
    if len(chosen) > LISTED:
        click.echo(f"\n({len(chosen) - LISTED} more; -o FILE.json writes all)")


def _cell(cell: Cell) -> str:
    from kt_models.gadgets.frame import name_of

    return name_of(cell)


def _write(path: str, data: dict[str, Any], chosen: tuple[Gadget, ...]) -> None:
    suffix = suffix_of(path, SUFFIXES)
    if suffix == ".json":
        write_atomic(path, json.dumps(data) + "\n")
    elif not chosen:
        click.echo(f"kt: {path}: not written, as there is no gadget; a .json file would hold the answer", err=True)
    else:
        from kt_models.drawing.gadget import gadget_png, gadget_svg

        if len(chosen) > 1:
            click.echo(f"kt: {path}: the first of {len(chosen)} gadgets; --pick K draws another", err=True)
        write_atomic(path, gadget_svg(chosen[0]) if suffix == ".svg" else gadget_png(chosen[0]))
