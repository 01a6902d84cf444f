"""`kt find`: a tour by a named algorithm, without a solver."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import click

from cli.command import Command
from cli.error_messages import complain
from cli.files import written_first
from cli.live import limits_of, live_progress
from cli.log import log_option, log_to
from cli.option_errors import read_when
from cli.options import (
    MEMORY,
    LimitOptions,
    Output,
    board_options,
    grouped,
    limit_options,
    listing_option,
    output_options,
    print_json,
    print_rows,
)
from cli.output import check_output, print_result, rotate_result, save_after
from cli.problem import PROBLEM, objective_options, place_of, problem_of, problem_options
from cli.status import UNANSWERED
from kt_models import KTError, Result
from kt_models.expressions import Greatest
from kt_models.files.suffixes import RESULT_FILES, allowed_suffix
from kt_models.graph import MoveGraph
from kt_models.json_version import FORMAT_VERSION
from kt_models.limits import Report
from kt_models.recording import Recording
from kt_models.writing import require_writable, write_atomic, write_json


def _methods() -> Iterator[tuple[str, str]]:
    from encoders.find import METHODS

    for name, method in METHODS.items():
        yield name, method.summary
        yield from (("", f"  --set {parameter.text}") for parameter in method.parameters.values())


@dataclass(frozen=True)
class MethodOptions:
    """The algorithm and its parameters."""

    method: str | None = None
    settings: tuple[str, ...] = ()
    heel: str | None = None
    cell_at: tuple[int, ...] = ()
    index_of: tuple[str, ...] = ()


@click.command("find", cls=Command)
@click.argument("board", required=False)
@board_options
@problem_options
@grouped(
    "options",
    MethodOptions,
    click.option("--method", metavar="NAME", help="Algorithm; --methods lists them (default: the most suitable)."),
    listing_option("--methods", "List the algorithms and their parameters.", _methods),
    click.option(
        "--set", "settings", multiple=True, metavar="KEY=VALUE", help="Parameter of the algorithm (repeatable)."
    ),
    click.option("--heel", metavar="NAME", help="Heel of formation tours: turns, crossings, both or plain."),
    click.option(
        "--cell-at",
        type=int,
        multiple=True,
        metavar="INDEX",
        help="Print only this cell of the formation tour, at any size.",
    ),
    click.option(
        "--index-of", multiple=True, metavar="X,Y", help="Print the index, from 0, of a cell of the formation tour."
    ),
)
@objective_options("Then reduce this objective for a while, without a proof.", "The same, but increase it.")
@limit_options(workers="Threads of edge-deletion and of --minimize", memory=MEMORY, seed="answer, on one worker")
@click.option("--statistics", is_flag=True, help="Also print statistics of the search.")
@click.option(
    "--steps",
    "is_watched",
    is_flag=True,
    help="Write what the algorithm does, step by step, in place of the tour: -o x.html, .svg, .png, .pdf, .tex, .gif, "
    ".json.",
)
@log_option
@output_options(" ".join(RESULT_FILES), "result", "tour", "steps", beside=("log_file",))
@read_when(
    *("leaper", *PROBLEM, "minimize", "statistics", "is_watched", "log_file"),
    when=lambda values: not (values["cell_at"] or values["index_of"]),
    why="where a tour is made, and --cell-at and --index-of make none",
)
def command(
    board: str | None,
    leaper: str | None,
    options: MethodOptions,
    minimize: str | Greatest | None,
    limit_values: LimitOptions,
    statistics: bool,
    is_watched: bool,
    log_file: str | None,
    out: Output,
    **problem_values: Any,
) -> int:
    """Find a tour of BOARD by a named algorithm, without a solver.

    \b
    kt find --methods                                  list the algorithms
    kt find 1000x1000 -o tour.json                     the most suitable algorithm
    kt find aztec:100 --method path-conversion --set cut=fewest
    kt find 8x8 --method euler --minimize turns
    kt find 1000000000x1000000000 --cell-at 123456789   one cell of its formation tour, at once
    kt find 46x46 --symmetry rot90                     a tour symmetric under a quarter turn
    kt find 200x120 --method formation --heel turns
    """
    from encoders.find import find

    method = options.method or ("formation" if options.heel else None)
    settings = (*options.settings, f"heel={options.heel}") if options.heel else options.settings
    # Check the method's parameters before the board is built, which can take long.
    parameters = parameters_of(method, settings)
    if limit_values.seed < 0:
        raise KTError("--seed: must be at least 0")
    if options.cell_at or options.index_of:
        if board is None:
            raise KTError("BOARD is missing")
        return _look_up(board, options, parameters, out)
    tried: list[str] = []
    with limits_of(limit_values, as_json=out.as_json, watched=True) as limits, live_progress("searching") as show:

        def hear(now: Report) -> None:
            if (name := now.engine.removeprefix("find/")) not in tried:
                tried.append(name)
            show(now)

        graph = limits.run(lambda: place_of(board, leaper, problem_values))
        problem = limits.run(lambda: problem_of(graph, minimize, written=True, **problem_values))
        if is_watched:
            steps = steps_of(graph, method, out)
        else:
            check_output(out, graph)
            steps = None
        with log_to(log_file, problem, limits) as log:
            result = find(problem, method, limits=limits, watch=steps, on_progress=log.beside(hear), **parameters)
            log.end(result)
    if result.tour is not None and result.reason:
        complain(result.reason)
    # Only the written tour starts at --from; the method knows nothing of it.
    result = rotate_result(result, problem_values["start"], problem_values["finish"])
    with save_after(out, result) if steps is None else written_first(lambda: write_steps(out, steps)):
        if out.as_json:
            print_json(find_keys(result, tried))
        else:
            # Without its bound; a result is verified anew for another problem, which takes long on large boards
            if result.tour is not None and problem.objective is not None:
                print_result(replace(result, problem=replace(problem, objective=None)))
            else:
                print_result(result)
            if result.status == "unknown":
                complain(result.reason)
            if statistics:
                click.echo()
                print_rows((name.replace("_", " "), f"{value:,}") for name, value in result.statistics.items())
    return UNANSWERED if result.status == "unknown" or (minimize and (limits.stopped or limits.unfinished)) else 0


def steps_of(graph: MoveGraph, method: str | None, out: Output) -> Recording:
    """The record of the steps that `-o` will write; what cannot be written is refused before the work."""
    from drawing.steps import PICTURES, require_drawn
    from heuristics.find import steps_for

    if out.output is None or out.as_format is not None:
        raise KTError("--steps: name their file by -o, such as -o steps.html")
    if method is None:
        raise KTError("--steps: name the --method whose steps they are")
    steps = steps_for(graph, method)
    suffix = allowed_suffix(out.output, (".json", *PICTURES))
    if suffix != ".json":
        require_drawn(graph)
    require_writable(out.output, *(["steps"] if suffix == ".json" else []))
    return steps


def write_steps(out: Output, steps: Recording) -> None:
    """Write the steps in the format of the file's suffix."""
    from drawing.steps import PICTURES, draw_steps

    path = str(out.output)
    suffix = allowed_suffix(path, (".json", *PICTURES))
    if suffix == ".json":
        write_json(path, {"version": FORMAT_VERSION, **steps.to_json()})
    else:
        write_atomic(path, draw_steps(steps, suffix))


def _look_up(board: str, options: MethodOptions, parameters: dict[str, Any], out: Output) -> int:
    """Print cells of a formation tour without making the tour."""
    from heuristics.papers.taming.formation.lookup import TourLookup

    if options.method not in (None, "formation") or set(parameters) - {"heel"} or out.output:
        raise KTError("--cell-at and --index-of are for formation tours, and combine only with --heel")
    keywords = {"heel": "turns"} | parameters
    tour = TourLookup.of(board, **keywords)
    pairs = [(index, tour.cell(index)) for index in options.cell_at]
    for text in options.index_of:
        x, comma, y = text.partition(",")
        if not (comma and x.isdecimal() and y.isdecimal() and len(text) <= 40):
            raise KTError(f"--index-of {text[:40]}: write a cell as X,Y, from 0,0 at the bottom left")
        pairs.append((tour.index(int(x), int(y)), (int(x), int(y))))
    if out.as_json:
        print_json(
            {"kind": "cells", "board": board, **keywords, "cells": [{"index": i, "cell": [*c]} for i, c in pairs]}
        )
    else:
        print_rows([(f"{index:,}", f"{x},{y}") for index, (x, y) in pairs], width=28)
    return 0


def find_keys(result: Result, tried: list[str]) -> dict[str, Any]:
    """The JSON keys of a result, of the method that found it, and of the methods that were tried."""
    method = result.engine.removeprefix("find/")
    return result.to_document() | {"method": method, "tried": tried or [method]}


def parameters_of(method: str | None, settings: tuple[str, ...]) -> dict[str, Any]:
    """Read the parameters of a method from texts KEY=VALUE."""
    from encoders.find import method_named

    if not method:
        if settings:
            raise KTError("--set: name the --method that has the parameter")
        return {}
    texts_of: dict[str, str] = {}
    for text in settings:
        name, sign, value = text.partition("=")
        if not sign:
            raise KTError(f"--set {text}: write a parameter as KEY=VALUE")
        if name in texts_of:
            raise KTError(f"--set {name}: given twice")
        texts_of[name] = value
    return method_named(method).checked_parameters(texts_of)
