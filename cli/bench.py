"""`kt bench`: a comparison of kt with other solvers on this machine."""

from __future__ import annotations

import click

from cli.command import Command
from cli.live import limits_of, live_progress
from cli.options import LimitOptions, json_option, limit_options, print_json
from cli.status import UNANSWERED
from kt_models import KTError
from kt_models.errors import install_command
from kt_models.limits import Report


@click.command("bench", cls=Command)
@click.option("--only", default="", metavar="TEXT", help="Only graphs whose names contain TEXT.")
@click.option("--all", "large", is_flag=True, help="Include the large graphs, which takes about an hour.")
@click.option(
    "--seconds", type=float, default=5.0, show_default=True, metavar="S", help="Processor time for each solve."
)
@limit_options()
@json_option
def command(only: str, large: bool, seconds: float, limit_values: LimitOptions, as_json: bool) -> int:
    """Find Hamiltonian cycles beside other solvers, one graph after the other; each solve has one process and one
    thread.

    CP-SAT and HiGHS always take part; clingo and LKH (elkai) do after pip install 'knights-tours[peers]'. The table
    shows processor seconds, and their ratio to those of kt solve.

    \b
    kt bench                       the small graphs, some minutes
    kt bench --only GP             generalized Petersen graphs
    kt bench --json > bench.json
    """
    if not 0 < seconds < 1e6:
        raise KTError(f"--seconds: must be a number of seconds above 0, got {seconds:g}")
    from encoders.bench.contestants import PEERS, contestants
    from encoders.bench.graphs import SMALL, instances
    from encoders.bench.measure import time_all
    from encoders.bench.table import rows_to_json, table

    everybody = [contestants()[name] for name in PEERS]
    solvers = [row for row in everybody if row.is_there]
    absent = [row for row in everybody if not row.is_there]
    graphs = [graph for graph in instances() if only in graph.name and (large or graph.name in SMALL)]
    if not graphs:
        raise KTError(f"--only {only!r}: no graph's name contains it" + ("" if large else ", or it needs --all"))
    with limits_of(limit_values, as_json=as_json) as limits:
        with live_progress("measuring") as on_progress:

            def say(words: str) -> None:
                on_progress(Report(words=words))

            rows = list(time_all(graphs, solvers, seconds, limits, on_start=say))
        complete = len(rows) == len(graphs) and not limits.over
        if as_json:
            print_json(rows_to_json(rows, seconds) | {"complete": complete, "absent": [row.name for row in absent]})
        else:
            for line in table(rows, [solver.name for solver in solvers], seconds, markdown=False):
                click.echo(line)
            if absent:
                click.echo(f"not installed: {', '.join(row.name for row in absent)} ({install_command('peers')})")
            if not complete:
                click.echo(f"stopped after {len(rows)} of {len(graphs)} graphs")
    return 0 if complete else UNANSWERED
