"""`kt best`: the best known tours and bounds, which come with the package."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from cli.command import Command
from cli.error_messages import complain
from cli.files import output_suffix, say, written_first
from cli.live import limits_of, live_progress
from cli.options import (
    LimitOptions,
    Output,
    cells_option,
    check_stated_option,
    formed,
    graph_argument,
    leaper_option,
    limit_options,
    output_options,
    print_json,
    print_rows,
    problem_rows,
)
from cli.output import check_output, save_after
from cli.problem import problem_of, problem_options
from cli.status import UNANSWERED
from cli.tables import print_table
from kt_models import KTError
from kt_models.files.graph_forms.form import NO_CHOICES
from kt_models.files.suffixes import RESULT_FILES
from kt_models.files.workbook import SUFFIX
from kt_models.metrics import BOARD_METRICS
from kt_models.writing import write_atomic

if TYPE_CHECKING:
    from encoders.best import Best
    from encoders.table import BoardRow


@click.command("best", cls=Command)
@click.argument("boards", nargs=-1, required=True, metavar="BOARD..")
@leaper_option
@cells_option
@problem_options
@click.option("--minimize", metavar="turns|crossings", help="Show only this metric; -o needs it.")
@check_stated_option
@limit_options()
@output_options(f"{' '.join(RESULT_FILES)}, or {SUFFIX} with all rows", "result", "tour")
def command(
    boards: tuple[str, ...],
    leaper: str | None,
    cells: str | None,
    minimize: str | None,
    check_stated: bool,
    limit_values: LimitOptions,
    out: Output,
    **problem_values: Any,
) -> int:
    """Show the best known tour of each BOARD for each measure, the best bound, and where they come from.

    The files of the package come first, then the constructions for all sizes; where these have no tour, one is looked
    for. Tours are verified and certificates checked before they are shown. A check that takes more than a minute is
    left out, unless --time-limit or --check-stated allows it. A bound that a file only states is shown as stated, and
    never used.

    \b
    kt best 18x18
    kt best 5x6..8x8                    several boards, one row each
    kt best 10x10 --symmetry rot90
    kt best 100x100 --minimize turns -o tour.json
    kt best 6x6 --open --json

    Unless --no-best is given, kt solve --minimize and kt improve start from these tours.
    """
    from encoders.best import best
    from encoders.table import LEFT, BoardRow, boards_of, lines

    with limits_of(limit_values, as_json=out.as_json) as limits, live_progress("looking"):
        graphs = limits.run(
            lambda: [graph_argument(formed(board, NO_CHOICES, cells), leaper) for board in boards_of(boards)]
        )
        metrics = [minimize] if minimize else list(BOARD_METRICS)
        asked = [(graph, name) for graph in graphs for name in metrics]
        tabled = out.output is not None and out.output.lower().endswith(SUFFIX)
        if tabled:
            output_suffix(out.output, (SUFFIX,))
        elif out.output:
            check_output(out, graphs[0])
            if len(metrics) > 1:
                raise KTError("-o: name the tour to write with --minimize turns or --minimize crossings")
            if len(graphs) > 1:
                raise KTError(f"-o writes one tour: name one board, or a {SUFFIX} file for the rows of all")
        known, rows = [], []
        for number, (graph, name) in enumerate(asked):
            started = limits.elapsed
            problem = problem_of(graph, name, **problem_values)
            known.append(best(problem, limits=limits.part(1 / (len(asked) - number)), check_stated=check_stated))
            rows.append(BoardRow(known[-1].result, limits.elapsed - started, known[-1].complete))
    from heuristics.known_counts import SOURCE, known_count

    count = known_count(known[0].result.problem) if len(graphs) == 1 else None
    with written_first(partial(_write_rows, str(out.output), rows)) if tabled else save_after(out, known[0].result):
        if out.as_json:
            names: dict[str, Any] = (
                {"board": graphs[0].name} if len(graphs) == 1 else {"boards": [graph.name for graph in graphs]}
            )
            names |= {} if count is None else {"count": count}
            print_json({"kind": "best", **names, "best": [answer.to_json() for answer in known]})
        else:
            if len(graphs) == 1:
                print_rows(problem_rows(known[0].result.problem))
                if count is not None:
                    print_rows([("tours", f"{count:,} ({SOURCE})")])
            print_table(lines(rows), left=LEFT)
            for answer in known if len(graphs) == 1 else ():
                print_rows(_sources(answer))
    if out.output and not tabled and known[0].result.tour is None and out.output.lower().endswith(".json"):
        say(f"{out.output}: it has no tour, as none is known; it holds the rest of the answer")
    complete = sum(row.complete for row in rows)
    if complete < len(rows):
        complain(f"stopped: {complete} of {len(rows)} rows are complete")
    return 0 if complete == len(rows) and all(row.result.status != "unknown" for row in known) else UNANSWERED


def _write_rows(path: str, rows: list[BoardRow]) -> None:
    from encoders.table import sheet

    write_atomic(path, sheet(rows))


def _sources(answer: Best) -> list[tuple[str, str]]:
    """Where a tour and a bound are from, and what checks them."""
    sources = [("tour", answer.tour_source), ("bound", answer.bound_source)]
    if answer.result.stated is not None:
        sources.append(("stated", f"{answer.result.stated.text} (--check-stated)"))
    if answer.result.left_out:
        sources.append(("left out", ", ".join(answer.result.left_out)))
    sources += [("check", command) for command in answer.checks]
    told = [(name, words) for name, words in sources if words]
    return (
        [(str(answer.result.problem.objective_name), ""), *((f"  {name}", words) for name, words in told)]
        if told
        else []
    )
