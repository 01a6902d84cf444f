"""`kt compare`: heuristics beside bounds and proved optima."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from cli.command import Command
from cli.error_messages import complain
from cli.files import leaves_alone, output_suffix, written_first
from cli.live import limits_of, live_view
from cli.options import (
    LimitOptions,
    Output,
    grouped,
    leaper_option,
    limit_options,
    no_best_option,
    output_options,
    print_json,
)
from cli.problem import MEASURES
from cli.status import UNANSWERED
from cli.tables import print_table
from kt_models import KNIGHT, KTError
from kt_models.leaper import parse_piece
from kt_models.limits import Report
from kt_models.machine import usable_cores
from kt_models.storage import standard_output
from kt_models.writing import write_atomic

if TYPE_CHECKING:
    from encoders.compare import Comparison


@dataclass(frozen=True)
class CompareOptions:
    """The effort for a board, and the kind of tours."""

    is_open: bool = False
    tries: int = 5
    seconds: float = 2.0
    proof: float = 10.0
    no_best: bool = False


@click.command("compare", cls=Command)
@click.argument("boards", nargs=-1, required=True, metavar="BOARD..")
@click.option("--minimize", required=True, metavar=MEASURES, help="Sum of measures to compare.")
@leaper_option
@grouped(
    "options",
    CompareOptions,
    click.option("--open", "is_open", is_flag=True, help="Compare open tours."),
    click.option(
        "--tries", type=int, default=5, show_default=True, metavar="N", help="Tries of each search on each board."
    ),
    click.option("--seconds", type=float, default=2.0, show_default=True, metavar="S", help="Seconds for each try."),
    click.option(
        "--proof",
        type=float,
        default=10.0,
        show_default=True,
        metavar="S",
        help="Seconds to prove the optimum of a board; 0 skips this.",
    ),
    no_best_option,
)
@limit_options(workers="Processes", seed="tours")
@click.option("--csv", "as_csv", is_flag=True, help="Print comma-separated values, one line per board and method.")
@output_options(".svg .html .xlsx")
def command(
    boards: tuple[str, ...],
    minimize: str,
    leaper: str | None,
    options: CompareOptions,
    limit_values: LimitOptions,
    as_csv: bool,
    out: Output,
) -> int:
    """Compare every algorithm of kt find on each BOARD with the proved bound and the optimum.

    \b
    kt compare 6x6..12x12 --minimize turns               squares; a range counts up
    kt compare 5x6 8x8 aztec:2..aztec:6 --minimize crossings
    kt compare 12x12 100x100 --minimize turns --tries 1 --proof 0
    kt compare points.csv --minimize "length + 2*angle"   points, all joined
    kt compare 6x6..10x10 --minimize turns -o compare.html
    kt compare 8x8 --minimize turns --csv > compare.csv

    \b
    value, bound   the best known tour and bound, as in kt table
    best, above    the best of all columns to the right, and its excess over the optimum
                   (<=: above the bound)
    others         best/median of the tries, and the processor seconds of one (median);
               - if no tour was found, blank if the method does not apply to the board

    local-search improves a tour of merge; the other searches return any tour, whatever its value.
    """
    from encoders.compare import Effort, compare
    from encoders.compare.table import csv_text, page, plot, sheet, table
    from encoders.table import LEFT
    from encoders.work.pool import local_pool

    if as_csv and out.as_json:
        raise KTError("--csv and --json cannot be combined")
    suffix = output_suffix(out.output, (".svg", ".html", ".xlsx"))
    effort = Effort(options.tries, options.seconds, options.proof, not options.no_best)
    piece = None if leaper is None else parse_piece(leaper)
    done: list[Comparison] = []
    with limits_of(limit_values, as_json=out.as_json) as limits, live_view(partial(growing, table, done)) as hear:
        with local_pool(limits.workers or usable_cores()) as pool:
            rows = compare(
                boards,
                minimize,
                closed=not options.is_open,
                leaper=piece,
                effort=effort,
                limits=limits,
                pool=pool,
                on_progress=hear,
            )
            done.extend(rows)  # The table on the terminal shows this list, and grows with it.
        stopped = limits.over

    def draw() -> None:
        if out.output and not leaves_alone(out.output, says_nothing=not done):
            drawn = sheet(done) if suffix == ".xlsx" else (plot if suffix == ".svg" else page)(done, minimize)
            write_atomic(out.output, drawn)

    with written_first(draw):
        if out.as_json:
            data = {
                "kind": "comparison",
                "metric": minimize,
                "closed": not options.is_open,
                "leaper": str(piece or KNIGHT),
            }
            data |= {"tries": options.tries, "try_seconds": options.seconds, "proof_seconds": options.proof}
            print_json(
                data | {"seed": limit_values.seed, "complete": not stopped, "rows": [row.to_json() for row in done]}
            )
        elif as_csv:
            click.echo(csv_text(done), nl=False, file=standard_output())
        else:
            print_table(table(done), left=LEFT)
    if stopped:
        complain(f"stopped: {sum(row.complete for row in done)} boards are complete")
    return UNANSWERED if stopped else 0


def growing(lines: Callable[[list[Any]], list[list[str]]], done: list[Any], latest: Report | None) -> Any:
    """A table of the rows that are done, and below it the present step, for rich."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    from encoders.table import LEFT

    head, *body = lines(list(done))
    view = Table(box=None)
    for number, title in enumerate(head):
        view.add_column(title, justify="left" if number in LEFT else "right", no_wrap=True)
    for line in body:
        view.add_row(*line)
    return Group(view, Text(latest.text if latest else "", style="dim"))
