"""`kt pareto`: the exact front of two sums, such as turns and crossings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cli.command import Command
from cli.error_messages import complain
from cli.files import output_suffix, writes, written_first
from cli.live import limits_of, live_progress
from cli.options import (
    MEMORY,
    LimitOptions,
    Output,
    board_options,
    limit_options,
    output_options,
    print_json,
    print_rows,
    problem_rows,
)
from cli.problem import constraint_options, place_of, problem_of, problem_options
from cli.proof import check_proof_option, proof_option
from cli.status import UNANSWERED
from cli.tables import print_table
from kt_models import KTError
from kt_models.writing import write_atomic, write_json

if TYPE_CHECKING:
    from kt_models.pareto_front import ParetoFront


@click.command("pareto", cls=Command)
@click.argument("board", required=False)
@board_options
@problem_options
@constraint_options
@click.option(
    "--minimize",
    default="turns,crossings",
    show_default=True,
    metavar="SUM,SUM",
    help="The two sums to minimize: turns, crossings, weight, '2*turns + crossings', -crossings.",
)
@click.option("--run", "folder", metavar="DIR", help="Keep the results in DIR; the same command continues there.")
@proof_option
@limit_options(workers="Threads", memory=MEMORY, seed="tours, on one worker")
@output_options(".svg .json .xlsx", "front", beside=("proof",), tours=False)
@writes(going_on=("folder",))
def command(
    board: str | None,
    leaper: str | None,
    minimize: str,
    folder: str | None,
    proof: str | None,
    limit_values: LimitOptions,
    out: Output,
    **problem_values: Any,
) -> int:
    """Find the Pareto front of two sums over the tours of BOARD, and prove that it is complete.

    \b
    kt pareto 6x6                          turns and crossings: (32, 54) and (34, 52)
    kt pareto 6x6 -o front.svg --json
    kt pareto 6x6 --proof DIR              an LRAT proof for each gap in the front
    kt pareto 6x6 --minimize turns,-crossings
    kt pareto 7x8 --time-limit 600 --run DIR            run it again to continue

    Each tour is verified. A limit ends the search with the tours so far, and with the ranges in which others may be
    missing.
    """
    from encoders.pareto import pareto, plot, prove_absences, sheet
    from kt_models.expressions import objective_from_expression

    check_proof_option(proof)
    suffix = output_suffix(out.output, (".svg", ".json", ".xlsx"), "front")
    names = [name.strip() for name in minimize.split(",")]
    if len(names) != 2:
        raise KTError(f"--minimize {minimize[:80]}: name two sums, such as turns,crossings")
    with limits_of(limit_values, as_json=out.as_json) as limits:
        graph = limits.run(lambda: place_of(board, leaper, problem_values))
        problem = problem_of(graph, **problem_values)
        quantities = [objective_from_expression(problem.graph, name) for name in names]
        with live_progress("searching") as on_progress:
            front = pareto(problem, quantities, folder=folder, limits=limits, on_progress=on_progress)
            finished = not proof or (front.complete and prove_absences(front, proof, limits, on_progress))
    document = front.to_json() | {"seconds": round(limits.elapsed, 3)}

    def write() -> None:
        if out.output and suffix != ".json":
            write_atomic(out.output, plot(front) if suffix == ".svg" else sheet(front))
        elif out.output:
            write_json(out.output, document)

    with written_first(write):
        if out.as_json:
            print_json({key: value for key, value in document.items() if key != "version"})
        else:
            print_rows([*problem_rows(front.problem), ("status", front.status)])
            _print(front, document["missing"])
    if proof and not finished:
        complain(f"{proof}: not every proof was written: the front is not complete, or the time was over")
    return 0 if front.complete and finished else UNANSWERED


def _print(front: ParetoFront, missing: list[dict[str, tuple[int | None, int | None]]]) -> None:
    """Print the tours as a table, and the areas that may have others."""
    if front.infeasible:
        print_rows([("claim", statement.text) for statement in (*front.shown, *front.stated)])
    elif front.tours:
        click.echo()
        rows = [[str(n) for n in point.values] + [point.how or "perhaps beaten by another"] for point in front.points]
        print_table([[*front.names, "evidence"], *rows], left=(2,))
    for area in missing:
        click.echo("perhaps missing: " + ", ".join(f"{name} {_range(*ends)}" for name, ends in area.items()))


def _range(low: int | None, high: int | None) -> str:
    if low is None:
        return "any" if high is None else f"up to {high}"
    return f"from {low}" if high is None else f"{low} to {high}" if low != high else str(low)
