"""`kt find`: a tour by a named algorithm, without a solver."""

from __future__ import annotations

import math
import time
from dataclasses import replace
from typing import Any

import click

from cli.live import live_words, stop_on_signal
from cli.main import UNANSWERED
from cli.options import graph_argument, json_option, leaper_option, output_option, print_json
from cli.output import check_output, print_result, turned, write_result
from cli.problem import problem_of, problem_options
from kt_models import KTError, Problem, Result, Tour

IMPROVING = 5.0
"""Seconds given to --minimize where there is no time limit."""


def _show_methods(ctx: click.Context, parameter: click.Parameter, value: bool) -> None:
    if not value or ctx.resilient_parsing:
        return
    from heuristics.find import METHODS

    for name, method in METHODS.items():
        click.echo(f"{name:<16} {method.summary}")
        for own in method.parameters().values():
            click.echo(f"{'':<16}   --set {own.text}")
    ctx.exit()


@click.command("find")
@click.argument("board")
@leaper_option
@problem_options
@click.option("--method", metavar="NAME", help="The algorithm; --methods lists them. Default: what does best.")
@click.option(
    "--methods",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_methods,
    help="List the algorithms and their parameters.",
)
@click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="A parameter of the algorithm (repeat it).")
@click.option("--heel", metavar="NAME", help="For formation: turns, crossings or plain.")
@click.option("--minimize", metavar="turns|crossings", help="Then make it better for a while, without a proof.")
@click.option("--time-limit", type=float, metavar="S", help="Seconds for everything (default: none).")
@click.option("--seed", type=int, default=0, show_default=True, metavar="N", help="Same seed, same answer.")
@click.option("--statistics", is_flag=True, help="Print the counts of the search too.")
@output_option(".json .tour .svg .png")
@json_option
def command(
    board: str,
    leaper: str,
    method: str | None,
    settings: tuple[str, ...],
    heel: str | None,
    minimize: str | None,
    time_limit: float | None,
    seed: int,
    statistics: bool,
    output: str | None,
    as_json: bool,
    **asked: Any,
) -> int:
    """Find a tour of BOARD by a named algorithm, without a solver.

    \b
    kt find --methods                                  the algorithms
    kt find 1000x1000 -o tour.json                     the best choice
    kt find aztec:100 --method path-conversion --set cut=fewest
    kt find 8x8 --method euler --minimize turns
    kt find 200x120 --method formation --heel turns
    """
    from heuristics.find import checked_parameters, find, find_any

    if heel:
        settings = (*settings, f"heel={heel}")
    if settings and not method:
        raise KTError("--set: name the --method that the parameter belongs to")
    given = checked_parameters(method, _split(settings)) if method else {}
    if time_limit is not None and not 0 <= time_limit < math.inf:
        raise KTError(f"--time-limit: {time_limit} is not a number of seconds")
    if minimize and asked["symmetry"]:
        raise KTError("--minimize does not keep a --symmetry: use kt solve for both")
    seconds = math.inf if time_limit is None else time_limit
    with stop_on_signal() as stop, live_words() as say:
        began = time.monotonic()
        graph = graph_argument(board, leaper)
        problem = problem_of(graph, minimize, **asked)
        check_output(output, graph)
        if say:
            say(method or "searching")
        if method:
            tried = [method]
            outcome = find(problem, method, seed=seed, time_limit=seconds, stop=stop, **given)
        else:
            tried, outcome = find_any(problem, seed=seed, time_limit=seconds, stop=stop)
        tour = outcome.tour
        if tour is not None and minimize:
            if say:
                say(f"{tried[-1]}, then fewer {minimize}")
            left = IMPROVING if time_limit is None else max(0.0, seconds - (time.monotonic() - began))
            tour = _improved(tour, problem, seed, left, stop)
        over = "stopped" if stop.is_set() else "time limit" if time.monotonic() - began >= seconds else "gave up"
        result = Result(
            problem,
            "feasible" if tour is not None else "infeasible" if outcome.exhausted else "unknown",
            tour,
            engine=f"find/{tried[-1]}",
            seconds=time.monotonic() - began,
            certificate=outcome.certificate,
            reason=_reason(tried, outcome.exhausted, over) if tour is None else "",
        )
    result = turned(result, asked["start"], asked["finish"])
    if as_json:
        print_json(result.to_json() | {"method": tried[-1], "tried": tried, "statistics": outcome.statistics})
    else:
        print_result(replace(result, problem=replace(problem, objective=None)) if tour is not None else result)
        if result.status == "unknown":
            click.echo(f"kt: {result.reason}", err=True)
        if statistics:
            click.echo()
            for name, value in outcome.statistics.items():
                click.echo(f"{name.replace('_', ' '):<10} {value:,}")
    if output:  # after printing: a fault of the disk does not lose the answer
        write_result(output, result)
    return UNANSWERED if result.status == "unknown" or (minimize and stop.is_set()) else 0


def _split(settings: tuple[str, ...]) -> dict[str, str]:
    """The parameters written KEY=VALUE."""
    given: dict[str, str] = {}
    for text in settings:
        name, sign, value = text.partition("=")
        if not sign:
            raise KTError(f"--set {text}: a parameter is written KEY=VALUE")
        if name in given:
            raise KTError(f"--set {name}: given twice")
        given[name] = value
    return given


def _improved(tour: Tour, problem: Problem, seed: int, seconds: float, stop: Any) -> Tour:
    """The tour with a better objective, or as it was where the board is too large for that."""
    from heuristics.local_search import improve
    from kt_models.errors import TooLarge

    try:
        return improve(
            tour,
            problem.objective or "turns",
            required=problem.required,
            forbidden=problem.forbidden,
            terminals=None if problem.closed else problem.terminals,
            seed=seed,
            time_limit=seconds,
            stop=stop,
        )
    except TooLarge as error:
        click.echo(f"kt: not improved: {error}", err=True)
        return tour


def _reason(tried: list[str], exhausted: bool, over: str) -> str:
    if exhausted:
        return f"the search by {tried[-1]} is complete and found none"
    return f"not found by {', then '.join(tried)} ({over})"
