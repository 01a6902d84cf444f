"""`kt best`: the best known tours and bounds, which come with the package."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cli.command import Command
from cli.live import limits_of, live_progress
from cli.options import (
    LimitOptions,
    Output,
    check_stated_option,
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
from kt_models import KTError
from kt_models.drawing.save import FILES
from kt_models.pairs import METRICS

if TYPE_CHECKING:
    from encoders.best import Best


@click.command("best", cls=Command)
@click.argument("board")
@leaper_option
@problem_options
@click.option("--metric", metavar="turns|crossings", help="Only one of the two; -o needs it.")
@check_stated_option
@limit_options()
@output_options(" ".join(FILES), "result", "tour")
def command(
    board: str,
    leaper: str | None,
    metric: str | None,
    check_stated: bool,
    limited: LimitOptions,
    out: Output,
    **problem_values: Any,
) -> int:
    """Show the best known tour of BOARD for each measure, the best bound, and where they come from.

    The files of the package come first, then the constructions for all sizes.  Tours are verified and certificates
    checked before they are shown.  A check that takes more than ten seconds is left out, unless --time-limit or
    --check-stated allows it.  A bound that a file only states is shown as stated, and never used.

    \b
    kt best 18x18
    kt best 10x10 --symmetry rot90
    kt best 100x100 --metric turns -o tour.json
    kt best 6x6 --open --json

    These tours are the start of kt solve --minimize and kt improve, unless --no-best is given.
    """
    from encoders.best import best

    with limits_of(limited, as_json=out.as_json) as limits, live_progress("looking"):
        graph = limits.run(lambda: graph_argument(board, leaper))
        check_output(out, graph)
        metrics = [metric] if metric else list(METRICS)
        if out.output and len(metrics) > 1:
            raise KTError("-o: name the tour to write with --metric turns or --metric crossings")
        known = [
            best(
                problem_of(graph, name, **problem_values),
                limits=limits.part(1 / (len(metrics) - i)),
                check_stated=check_stated,
            )
            for i, name in enumerate(metrics)
        ]
    with save_after(out, known[0].result):
        if out.as_json:
            print_json({"kind": "best", "board": graph.name, "best": [row.to_json() for row in known]})
        else:
            print_rows(problem_rows(known[0].result.problem))
            for row in known:
                print_rows(_rows(row))
    return 0 if all(row.result.status != "unknown" for row in known) else UNANSWERED


def _rows(row: Best) -> list[tuple[str, str]]:
    result = row.result
    metric = result.problem.objective_name or ""
    if result.status == "infeasible":
        words = f"none: {result.reason}"
    elif result.value is None:
        words = "no tour known; kt solve or kt find looks for one"
    else:
        words = f"{result.value}{' (least, proved)' if result.status == 'optimal' else ''}"
    lines = [(metric, words)]
    if row.tour_source:
        lines.append(("  tour", row.tour_source))
    if result.bound is not None:
        how = (
            f"certificate checked ({result.certificate.method})"
            if result.certificate
            else "a solver's answer, not certified"
        )
        lines.append(("  bound", f"{result.bound}, {how}: {row.bound_source}"))
    if result.stated is not None:
        lines.append(("  stated", f"{result.stated.text} (--check-stated)"))
    return lines + [("  check" if i == 0 else "", words) for i, words in enumerate(row.checks)]
