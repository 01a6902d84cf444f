"""`kt improve`: a better tour from a given one."""

from __future__ import annotations

from typing import Any

import click

from cli.live import live_progress, stop_on_signal
from cli.main import UNANSWERED
from cli.options import graph_argument, json_option, leaper_option, output_option, print_json
from cli.output import check_output, print_result, turned, write_result
from cli.problem import problem_of, problem_options
from kt_models import KTError, read_tour
from kt_models.errors import named


@click.command("improve")
@click.argument("file")
@click.option("--minimize", required=True, metavar="turns|crossings", help="What there is to be less of.")
@click.option("--board", metavar="BOARD", help="The board of a .tour file that does not say it.")
@leaper_option
@problem_options
@click.option("--time-limit", type=float, default=60.0, show_default=True, metavar="S", help="Seconds for everything.")
@click.option("--workers", type=int, metavar="N", help="Processes (default: one a core).")
@click.option(
    "--seed", type=int, default=0, show_default=True, metavar="N", help="Same seed, same answer, on one worker."
)
@click.option("--no-anneal", is_flag=True, help="Windows from the start, no annealing before.")
@output_option(".json .tour .svg .png .html")
@json_option
def command(
    file: str,
    minimize: str,
    board: str | None,
    leaper: str,
    time_limit: float,
    workers: int | None,
    seed: int,
    no_anneal: bool,
    output: str | None,
    as_json: bool,
    **asked: Any,
) -> int:
    """A better tour than the one in FILE: windows of it are freed and solved, the rest stays.

    \b
    kt improve tour.json --minimize turns --time-limit 600 -o better.json
    kt improve tour.json --minimize crossings --symmetry rot180

    An open tour stays open; its ends may move unless --from and --to name them.
    """
    with stop_on_signal() as stop:
        tour = read_tour(file, graph_argument(board, leaper) if board else None)
        if asked["is_open"] and tour.closed:
            raise KTError(f"{file}: --open: the tour in it is closed")
        problem = problem_of(tour.graph, minimize, **asked | {"is_open": not tour.closed})
        check_output(output, tour.graph)

        from encoders import improve

        with live_progress() as on_progress:
            try:
                result = improve(
                    tour,
                    minimize,
                    terminals=problem.terminals,
                    required=problem.required,
                    forbidden=problem.forbidden,
                    symmetry=problem.symmetry,
                    time_limit=time_limit,
                    workers=workers,
                    seed=seed,
                    anneal=not no_anneal,
                    stop=stop,
                    on_progress=on_progress,
                )
            except KTError as error:
                raise named(file, error) from None
        result = turned(result, asked["start"], asked["finish"])
        if as_json:
            print_json(result.to_json())
        else:
            print_result(result)
        if output:  # after printing: a fault of the disk does not lose the answer
            write_result(output, result)
    return 0 if result.answered else UNANSWERED
