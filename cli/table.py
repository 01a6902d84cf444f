"""`kt table`: boards by measures, with values, bounds and how they are known."""

from __future__ import annotations

from contextlib import suppress
from functools import partial

import click

from cli.command import Command
from cli.error_messages import complain
from cli.files import output_suffix, writes, written_first
from cli.live import limits_of, live_view
from cli.options import (
    MEMORY,
    LimitOptions,
    Output,
    cells_option,
    leaper_option,
    limit_options,
    no_best_option,
    output_options,
    print_json,
)
from cli.status import UNANSWERED
from cli.tables import print_table
from kt_models import KTError
from kt_models.json_version import FORMAT_VERSION
from kt_models.leaper import parse_piece
from kt_models.writing import replacing, write_atomic, write_json


@click.command("table", cls=Command)
@click.argument("boards", nargs=-1, required=True, metavar="BOARD..")
@click.option(
    "--minimize",
    default="turns,crossings",
    show_default=True,
    metavar="SUM,...",
    help="Sums to minimize: turns, crossings, weight, '2*turns + crossings', -crossings.",
)
@leaper_option
@cells_option
@click.option("--open", "is_open", is_flag=True, help="Use open tours.")
@click.option(
    "--seconds",
    type=float,
    default=10.0,
    show_default=True,
    metavar="S",
    help="Seconds to prove each row; 0 skips this.",
)
@no_best_option
@click.option("--run", "folder", metavar="DIR", help="Keep the rows in DIR; the same command continues there.")
@click.option("--csv", "as_csv", metavar="FILE", help="Write the rows as comma-separated values.")
@limit_options(workers="Threads", memory=MEMORY, seed="answer, on one worker")
@output_options(".svg .json .xlsx", "table", beside=("as_csv",), tours=False)
@writes(going_on=("folder",))
def command(
    boards: tuple[str, ...],
    minimize: str,
    leaper: str | None,
    cells: str | None,
    is_open: bool,
    seconds: float,
    no_best: bool,
    folder: str | None,
    as_csv: str | None,
    limit_values: LimitOptions,
    out: Output,
) -> int:
    """Tabulate boards and measures: the best value, the bound, how they are known, and the seconds.

    \b
    kt table 5x6..8x8                                   all rectangles with sides from 5 to 8 and from 6 to 8
    kt table 5x6 6x6..8x8 --minimize crossings          a range counts up
    kt table 5x6..8x8 --minimize turns,crossings --csv t.csv -o t.svg --run DIR
    kt table aztec:2..aztec:6 --open --seconds 0

    A row begins with the best known (kt best) and then has --seconds to be proved. Whatever stops the command, it
    continues from the rows in DIR.
    """
    from cli.compare import growing
    from encoders.table import LEFT, BoardRow, BoardTable, csv_text, lines, plot, problems_of, sheet

    suffix = output_suffix(out.output, (".svg", ".json", ".xlsx"), "table")
    with replacing(as_csv is not None and _is_table(as_csv)):
        output_suffix(as_csv, (".csv",))
    measures = [name.strip() for name in minimize.split(",")]
    if len(set(measures)) < len(measures):
        raise KTError(f"--minimize {minimize[:80]}: a sum is named twice")
    done: list[BoardRow] = []
    with limits_of(limit_values, as_json=out.as_json) as limits, live_view(partial(growing, lines, done)) as hear:
        piece = None if leaper is None else parse_piece(leaper)
        problems = limits.run(lambda: problems_of(boards, measures, closed=not is_open, leaper=piece, cells=cells))
        table = BoardTable(problems, seconds, best=not no_best, folder=folder)
        table.fill(limits, hear, done.append)
    data = table.to_json()

    def write() -> None:
        if as_csv:
            write_atomic(as_csv, csv_text(done), force=_is_table(as_csv))
        if out.output and suffix != ".json":
            write_atomic(out.output, plot(done) if suffix == ".svg" else sheet(done))
        elif out.output:
            write_json(out.output, {"version": FORMAT_VERSION, **data})

    with written_first(write):
        if out.as_json:
            print_json(data, limits.elapsed)
        else:
            print_table(lines(done), left=LEFT)
    if not table.complete:
        complete = sum(row.complete for row in done)
        complain(f"stopped: {complete} of {len(problems)} rows are complete")
    return 0 if table.complete else UNANSWERED


def _is_table(path: str) -> bool:
    """Whether a file holds rows of this command."""
    from encoders.table import CSV_COLUMNS

    head = ",".join(CSV_COLUMNS) + "\n"
    with suppress(OSError, ValueError), open(path, encoding="utf-8") as stream:
        return stream.read(len(head)) == head
    return False
