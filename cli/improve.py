"""`kt improve`: a better tour from a given one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from cli.command import Command
from cli.live import limits_of, live_progress
from cli.log import log_option, log_to
from cli.options import (
    MEMORY,
    LimitOptions,
    Output,
    TourOptions,
    limit_options,
    no_best_option,
    output_options,
    print_json,
    tour_options,
    tour_rules,
)
from cli.output import check_output, print_result, rotate_result, save_after
from cli.problem import objective_options, problem_of, problem_options
from cli.status import UNANSWERED
from kt_models import Certificate, KTError, Problem, Result
from kt_models.errors import about
from kt_models.expressions import Greatest
from kt_models.files.given import holds_json
from kt_models.files.suffixes import RESULT_FILES
from kt_models.limits import Report
from kt_models.long_arrays import read_tour_json
from kt_models.problem import require_plain
from kt_models.result import WarmStart
from kt_models.tour import of_board


@click.command("improve", cls=Command)
@click.argument("file")
@objective_options("Objective to minimize.", "Objective to maximize.")
@tour_options()
@problem_options
@limit_options(seconds=60.0, workers="Processes", memory=MEMORY, seed="answer, on one worker")
@click.option("--no-anneal", is_flag=True, help="Start with windows, without annealing first.")
@no_best_option
@log_option
@output_options(" ".join(RESULT_FILES), "result", "tour", beside=("log_file",))
@tour_rules(lambda values: holds_json(values["file"]))
def command(
    file: str,
    minimize: str | Greatest | None,
    written: TourOptions,
    limit_values: LimitOptions,
    no_anneal: bool,
    no_best: bool,
    log_file: str | None,
    out: Output,
    **problem_values: Any,
) -> int:
    """Improve the tour in FILE by solving windows of it exactly, with the rest fixed.

    \b
    kt improve tour.json --minimize turns --time-limit 600 -o better.json
    kt improve tour.json --minimize crossings --symmetry rot180
    kt improve tour.json --minimize turns --no-best     from this tour only

    If a better tour is known (kt best), kt says so and starts from that one. An open tour stays open; its ends may
    move unless --from and --to name them.
    """
    if minimize is None:
        raise KTError("name the objective with --minimize or --maximize")
    with limits_of(limit_values, as_json=out.as_json, watched=True) as limits:
        tour = limits.run(lambda: written.read_valid(file, False if problem_values["is_open"] else None))
        if problem_values["is_open"] and tour.closed:
            raise KTError(f"{file}: --open: the tour in it is closed")
        # Sums depend on the moves
        tour = of_board(tour)
        problem = limits.run(
            lambda: problem_of(tour.graph, minimize, written=True, **problem_values | {"is_open": not tour.closed})
        )
        require_plain(problem, "improving a tour")
        check_output(out, tour.graph)

        from encoders.improve import improve
        from heuristics.best_known import best_known

        known = [_known(file, problem)]
        with log_to(log_file, problem, limits) as log, live_progress("searching") as show, about(file):
            on_progress = log.beside(show)
            result = Result(problem, "feasible", tour, engine="given")
            if not no_best and (best := best_known(problem, limits.part(0.5))):
                known.append(best.result.certificate)
                if (best.result.cost or 0) < (result.cost or 0):
                    result = replace(best.result, status="feasible", bound=None, certificate=None)
            start = WarmStart(result.value, result.engine)
            result = _with(known, result)
            on_progress(Report(result.engine, result.value, result.bound, unit=problem.unit))
            if not result.answered and result.tour is not None:
                result = improve(result.tour, problem, limits=limits, anneal=not no_anneal, on_progress=on_progress)
            log.end(result)
        result = rotate_result(_with(known, result), problem_values["start"], problem_values["finish"]).with_notes(
            warm_start=start
        )
        with save_after(out, result):
            if out.as_json:
                print_json(result.to_document())
            else:
                print_result(result)
    return 0 if result.answered else UNANSWERED


def _known(file: str, problem: Problem) -> Certificate | None:
    """The certificate of a bound in a result file, if it is about this very problem."""
    if not holds_json(file):
        return None
    data = read_tour_json(file)
    if not isinstance(data, dict) or not isinstance(data.get("certificate"), dict):
        return None
    certificate = Certificate.from_json(data["certificate"])
    return certificate if certificate.cost_bound is not None and certificate.problem == problem else None


def _with(known: list[Certificate | None], result: Result) -> Result:
    """Add the bound of the best certificate to a result, if it is better; the bound is checked as any other."""
    best = max(filter(None, known), key=lambda certificate: certificate.cost_bound or 0, default=None)
    if best is None or best.cost_bound is None:
        return result
    if result.cost_bound is not None and best.cost_bound <= result.cost_bound:
        return result
    status = "optimal" if best.cost_bound == result.cost else result.status
    return replace(result, status=status, bound=best.bound, certificate=best)
