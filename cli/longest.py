"""`kt longest`: the longest walks, which may leave cells out."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click

from cli.command import Command
from cli.files import written_first
from cli.live import limits_of, live_progress
from cli.options import (
    LimitOptions,
    Output,
    board_options,
    graph_argument,
    limit_options,
    output_options,
    print_json,
    print_rows,
)
from cli.output import check_output, names_text
from cli.status import UNANSWERED
from kt_models.files.suffixes import allowed_suffix

if TYPE_CHECKING:
    from kt_models.kernel.certificates.longest.answer import Longest
    from kt_models.kernel.certificates.longest.task import LongestTask

PICTURED = (".json", ".svg", ".png", ".pdf", ".tex")
"""Suffixes for a walk; a walk is no tour, so the page that steps through tours is not among them."""


@click.command("longest", cls=Command)
@click.argument("board")
@board_options
@click.option("--open", "is_open", is_flag=True, help="An open walk: the ends need not be a move apart.")
@click.option("--uncrossed", is_flag=True, help="No two moves of the walk may cross (boards in the plane).")
@limit_options(memory="Memory limit for tables (default: 4).")
@output_options(" ".join(PICTURED), "longest-walk", tours=False)
def command(
    board: str, leaper: str | None, is_open: bool, uncrossed: bool, limit_values: LimitOptions, out: Output
) -> int:
    """Find the longest walk on BOARD that visits no cell twice; it may leave cells out.

    \b
    kt longest 6x6 --uncrossed                 a closed walk that does not cross itself: 12 moves
    kt longest 7x7 --uncrossed --open          24 moves
    kt longest 8x8 --uncrossed -o walk.svg     32 moves
    kt longest 4x4 --open                      15 of 16 cells, as there is no tour
    kt check walk.json                         sweep again to confirm that none is longer

    A tour of all cells is the longest walk. Otherwise kt follows every partial walk that could become the longest, cell
    by cell, while exchanges and CP-SAT look for long walks; you need not trust a solver. If time or memory run out, the
    answer is the longest walk so far, and a bound from counting cells.
    """
    from drawing.save import save
    from encoders.longest import longest
    from kt_models.kernel.certificates.longest.task import LongestTask

    began = time.monotonic()
    with limits_of(limit_values, as_json=out.as_json) as limits:
        graph = limits.run(lambda: graph_argument(board, leaper))
        task = LongestTask(graph, not is_open, uncrossed)
        if out.output:
            allowed_suffix(out.output, PICTURED)
        check_output(out, graph)
        with live_progress():
            answer = limits.run(lambda: longest(task, limits=limits), 1.0)
    with written_first(lambda: save(answer, out.output) if out.output else None):
        _print(answer, task, out, time.monotonic() - began)
    return 0 if answer.status in ("optimal", "infeasible") else UNANSWERED


def _print(answer: Longest, task: LongestTask, out: Output, seconds: float) -> None:
    graph = task.graph
    if out.as_json:
        data = answer.to_json() | ({"reason": answer.reason} if answer.reason else {})
        print_json(data, seconds)
        return
    from kt_models.kernel.certificates.longest.task import LongestStatement, counting_argument, most_moves

    piece = f", leaper {graph.leaper}" if graph.leaper else ""
    words = graph.words
    rows = [("board" if graph.board else "graph", f"{graph.name}{piece}"), ("status", answer.status)]
    if answer.walk is not None:
        rows += [(words.moves, f"{answer.moves:,}"), (words.places, f"{len(answer.walk.vertices):,} of {graph.n:,}")]
    if answer.bound is not None:
        rows.append(("claim", LongestStatement(task, "at-most", answer.bound).text))
        followed = f"every partial walk followed, {answer.states:,} side by side at most"
        rows.append(("evidence", counting_argument(task) if answer.bound >= most_moves(task) else followed))
    if answer.reason and answer.status == "feasible":
        rows.append(("not longest", answer.reason))
    print_rows([*rows, ("seconds", f"{seconds:.2f}")])
    if answer.walk is not None:
        click.echo(f"\n{names_text([graph.name_of(v) for v in answer.walk.vertices])}")
