"""`kt longest`: walks that may leave cells out, and are as long as can be."""

from __future__ import annotations

import json
import time

import click

from cli.live import limits_of, live_progress
from cli.options import (
    Output,
    graph_argument,
    leaper_option,
    output_options,
    print_json,
    print_rows,
    time_limit_option,
)
from cli.output import check_output
from cli.status import UNANSWERED
from kt_models.drawing.save import FILES
from kt_models.errors import KTError
from kt_models.files.endings import suffix_of
from kt_models.storage import write_atomic

PICTURED = tuple(suffix for suffix in FILES if suffix not in (".tour", ".html"))
"""What a walk can be written to: it is no tour, and a page steps through tours."""


@click.command("longest")
@click.argument("board")
@leaper_option
@click.option("--open", "is_open", is_flag=True, help="An open walk: the ends need not be a move apart.")
@click.option("--uncrossed", is_flag=True, help="No two moves of the walk may cross (boards in the plane).")
@time_limit_option
@click.option("--memory", type=float, metavar="GIB", help="Most memory for tables, in GiB.  [default: 4]")
@output_options(" ".join(PICTURED))
def command(
    board: str, leaper: str, is_open: bool, uncrossed: bool, time_limit: float | None, memory: float | None, out: Output
) -> int:
    """The longest walk on BOARD that visits no cell twice; it may leave cells out.

    \b
    kt longest 6x6 --uncrossed                 a closed walk that does not cross itself: 12 moves
    kt longest 7x7 --uncrossed --open          24 moves
    kt longest 8x8 --uncrossed -o walk.svg     32 moves
    kt longest 4x4 --open                      15 cells of 16, as there is no tour
    kt check walk.json                         sweeps again, and says that none is longer

    Every partial walk that could become the longest is followed, cell by cell; no solver has to be believed.  Where
    time or memory end that, the longest walk so far is given, without a bound.
    """
    from kt_models.certificates.longest.check import longest_to_json
    from kt_models.certificates.longest.sweep import longest
    from kt_models.certificates.longest.task import LongestStatement, LongestTask

    began = time.monotonic()
    with limits_of(time_limit, memory=memory, as_json=out.as_json) as limits:
        graph = limits.run(lambda: graph_argument(board, leaper))
        task = LongestTask(graph, not is_open, uncrossed)
        if out.output:
            suffix_of(out.output, PICTURED)
        check_output(out.output, graph)
        with live_progress():
            answer = limits.run(lambda: longest(task, limits=limits), 1.0)
    none = answer.bound is not None and answer.moves < 0
    status = "infeasible" if none else "unknown" if answer.moves < 0 else "feasible"
    status = "optimal" if status == "feasible" and answer.bound is not None else status
    data = longest_to_json(task, answer) | {"status": status}
    walk = task.verify(task.edges_of(list(answer.edges))) if answer.moves >= 0 else None
    if out.output and walk is None and suffix_of(out.output, PICTURED) != ".json":
        raise KTError(f"{out.output}: not written, as there is no walk")
    if out.output:
        suffix = suffix_of(out.output, PICTURED)
        if suffix == ".json":
            write_atomic(out.output, json.dumps(data) + "\n")
        else:
            from kt_models.drawing.draw import PICTURES

            write_atomic(out.output, PICTURES[suffix](graph, [walk] if walk else None))
    if out.as_json:
        print_json(data | ({"reason": answer.reason} if answer.reason else {}), time.monotonic() - began)
        return UNANSWERED if answer.bound is None else 0
    rows = [("board", f"{graph.name}{f', leaper {graph.leaper}' if graph.leaper else ''}"), ("status", status)]
    if walk is not None:
        rows += [("moves", f"{answer.moves:,}"), ("cells", f"{len(walk.vertices):,} of {graph.n:,}")]
    if answer.bound is not None:
        rows.append(("claim", LongestStatement(task, "at-most", answer.bound).text))
        rows.append(("known by", f"every partial walk followed, {answer.states:,} side by side at most"))
    else:
        rows.append(("bound", f"none: {answer.reason}"))
    print_rows([*rows, ("seconds", f"{time.monotonic() - began:.2f}")])
    if walk is not None:
        click.echo("\n" + " ".join(graph.name_of(v) for v in walk.vertices))
    return UNANSWERED if answer.bound is None else 0
