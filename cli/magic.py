"""`kt magic`: tours whose rows, and whose columns, have one sum."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import click

from cli.command import Command
from cli.error_messages import complain
from cli.live import limits_of, live_progress
from cli.options import (
    LimitOptions,
    Output,
    board_options,
    limit_options,
    output_options,
    print_json,
    print_rows,
    problem_json,
    problem_rows,
)
from cli.output import check_output, save_after, tour_text
from cli.problem import place_of, problem_of, problem_options
from cli.status import UNANSWERED
from kt_models.files.suffixes import RESULT_FILES


@click.command("magic", cls=Command)
@click.argument("board", required=False)
@board_options
@problem_options
@click.option("--diagonals", is_flag=True, help="The main diagonals of a square have the sum too: fully magic.")
@click.option("--quartes", is_flag=True, help="Each of 1-4, 5-8, ... in one 4x4 quarter, in all its rows and columns.")
@click.option("--halves", is_flag=True, help="Each half row and half column of a 4x4 quarter has its share of the sum.")
@limit_options(workers="Threads", seed="answer, on one worker")
@output_options(" ".join(RESULT_FILES), "result")
def command(
    board: str | None, leaper: str | None, limit_values: LimitOptions, out: Output, **problem_values: Any
) -> int:
    """Find a semi-magic tour of BOARD: the numbers of the visit have one sum in all rows and one sum in all columns.

    \b
    kt magic 8x8 --open --quartes --halves         of the type of Beverley's (1848)
    kt magic 5x5 --open                            none, according to the solver
    kt magic 8x8 --symmetry rot180                 a tour symmetric under a half turn
    kt magic 8x8 --leaper king --diagonals         fully magic
    kt magic 8x8 --open --diagonals                fully magic; 8x8 is known to have none

    --from and --to are the cells of the first and the last number. Without a structure (--quartes, --halves,
    --symmetry) 8x8 takes long. An answer "none" means: none with that structure.
    """
    from encoders.magic import MagicTask, search_magic

    structure = {name: problem_values.pop(name) for name in ("diagonals", "quartes", "halves")}
    with limits_of(limit_values, as_json=out.as_json) as limits:
        graph = limits.run(lambda: place_of(board, leaper, problem_values))
        problem = problem_of(graph, written=True, **problem_values)
        start, finish = (
            None if name is None else graph.find(name) for name in (problem_values["start"], problem_values["finish"])
        )
        task = MagicTask(problem, start=start, finish=finish, **structure)
        check_output(out, graph)
        with live_progress("searching") as on_progress:
            answer = search_magic(task, limits=limits, on_progress=on_progress)
        result, sums = answer.result, answer.sums
        wanted = [name for name, asked in structure.items() if asked]
        if result is None or sums is None:
            if out.as_json:
                known = {"how": answer.how, "reason": answer.reason}
                more = {name: words for name, words in known.items() if words}
                data = problem_json("magic", problem, answer.status) | {"structure": wanted} | more
                print_json(data, answer.seconds)
            else:
                rows = [*problem_rows(problem), ("status", answer.status)]
                rows += [("structure", " ".join(wanted))] if wanted else []
                rows += [("reason", answer.reason)] if answer.reason else []
                rows += [("evidence", answer.how)] if answer.how else []
                print_rows([*rows, ("engine", f"{answer.engine}, {answer.seconds:.2f} s")])
            if out.output:
                complain(f"{out.output}: not written, as there is no tour")
            return UNANSWERED if answer.status == "unknown" else 0
        with save_after(out, result):
            if out.as_json:
                print_json(result.to_json() | {"sums": asdict(sums) | {"magic": sums.magic}, "structure": wanted})
            else:
                rows = [*problem_rows(result.problem), ("status", answer.status), ("sums", sums.text)]
                rows += [("evidence", result.how), ("engine", f"{result.engine}, {result.seconds:.2f} s")]
                print_rows(rows)
                if result.tour is not None:
                    click.echo(f"\n{tour_text(result.tour)}")
    return 0
