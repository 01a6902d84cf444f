"""`kt bound`: what no tour can go below, with a certificate."""

from __future__ import annotations

import json
import time
from typing import Any

import click

from cli.live import live_words, stop_on_signal
from cli.main import UNANSWERED
from cli.options import graph_argument, json_option, leaper_option, print_json, suffix_of
from cli.problem import problem_of, problem_options
from kt_models.certificate import FORMAT_VERSION, Certificate
from kt_models.files import require_writable, write_atomic


@click.command("bound")
@click.argument("board")
@leaper_option
@problem_options
@click.option("--metric", default="turns", show_default=True, metavar="turns|crossings", help="What is bounded.")
@click.option(
    "--method",
    default="auto",
    show_default=True,
    metavar="NAME",
    help="relaxation, regions, family, branching, frontier; of the paper: edge, central, crown, triplet.",
)
@click.option("--at-least", type=int, metavar="K", help="Show this bound, however long it takes.")
@click.option("--time-limit", type=float, metavar="S", help="Seconds for everything.")
@click.option("--state", metavar="FILE", help="Keep the tree of branch and bound in FILE; go on from there.")
@click.option("--certificate", metavar="FILE", help="Write the certificate to FILE (.json); kt check reads it.")
@json_option
def command(
    board: str,
    leaper: str,
    metric: str,
    method: str,
    at_least: int | None,
    time_limit: float | None,
    state: str | None,
    certificate: str | None,
    as_json: bool,
    **asked: Any,
) -> int:
    """Bound the turns or crossings of every tour of BOARD from below.

    \b
    kt bound 100x100 --metric turns --certificate c.json
    kt bound aztec:5 --open
    kt bound 8x8 --metric turns --at-least 45         by cases, until it is shown
    kt bound 14x14 --at-least 91 --method branching --state s.json
                                                      for days, if need be; begin it again and it goes on
    kt bound 1000x1000 --method crown                 what the paper's Theorem 8 gives
    """
    with stop_on_signal() as stop:
        problem = problem_of(graph_argument(board, leaper), metric, **asked)
        for path in filter(None, (certificate, state)):
            suffix_of(path, (".json",))
            require_writable(path)
        from encoders.bounds import NotShown, certify_lower_bound

        started = time.monotonic()
        unshown = ""
        best: Certificate | None
        try:
            with live_words() as say:
                best = certify_lower_bound(
                    problem, at_least, method=method, time_limit=time_limit, stop=stop, on_progress=say, state=state
                )
        except NotShown as error:
            best, unshown = error.best, str(error)
        seconds = time.monotonic() - started
        if best is not None and certificate:
            write_atomic(certificate, json.dumps(best.to_json()) + "\n")
    _print(problem, best, seconds, certificate, as_json)
    if unshown:
        click.echo(f"kt: {unshown}", err=True)
    return UNANSWERED if unshown else 0


def _print(problem: Any, best: Certificate | None, seconds: float, file: str | None, as_json: bool) -> None:
    how = "certificate checked" if best else ""
    status = best.status if best is not None and best.status else "unknown"
    if as_json:
        data = {"version": FORMAT_VERSION, "kind": "bound", "status": status, **problem.to_json()}
        if best is not None and best.bound is not None:
            data |= {"bound": best.bound}
        if best is not None:
            data |= {"method": best.method, "how": how}
        print_json(data | {"closed": problem.closed, "seconds": round(seconds, 3), "certificate": file})
        return
    graph = problem.graph
    kind = "closed" if problem.closed else "open"
    rows = [("board", f"{graph.name}{f', leaper {graph.leaper}' if graph.leaper else ''}, {kind}")]
    if best is not None:
        claim = ("status", status) if best.bound is None else (str(problem.objective_name), f"at least {best.bound}")
        rows += [claim, ("known by", f"{how}: {best.reason}"), ("method", best.method)]
    rows.append(("seconds", f"{seconds:.2f}"))
    if best is not None and file:
        rows.append(("written", f"{file}, check with kt check {file}"))
    for name, text in rows:
        click.echo(f"{name:<10} {text}")
