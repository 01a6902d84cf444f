"""A list of graphs, answered one line a graph, for `kt solve` and `kt enumerate --at-least`."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import click

from cli.error_messages import complain
from cli.files import say
from cli.live import live_progress
from cli.output import MAX_LIST_WIDTH, names_text
from cli.problem import NUMBER_OPTIONS
from cli.status import UNANSWERED, UNUSABLE
from kt_models.errors import KTError
from kt_models.json_version import FORMAT_VERSION
from kt_models.limits import Limits, Report, Stopped, check_seconds
from kt_models.long_arrays import json_pieces
from kt_models.storage import standard_output

if TYPE_CHECKING:
    from encoders.many import Answer, Question
    from kt_models.files.graph_forms.several import GraphList


def list_in(board: str | None) -> GraphList | None:
    """The graphs of BOARD, if it is a file of several."""
    from kt_models.files.suffixes import is_path

    if board is None or not is_path(board):
        return None
    from kt_models.files.graph_forms.several import graph_list

    return graph_list(board, getattr(board, "form", None))


def refuse(options: dict[str, Any], graphs: GraphList) -> None:
    """Refuse options that do not apply to a graph of a list; `options` maps each to its given value."""
    for option, value in options.items():
        if value:
            raise KTError(f"{option}: {graphs.name} holds several graphs, which are answered one line each, without it")


def conditions_of(problem_values: dict[str, Any], graphs: GraphList) -> tuple[tuple[str, Any], ...]:
    """The conditions on each tour, as `encoders.many.Question` takes them."""
    refused = ("symmetry", *NUMBER_OPTIONS, "at_most", "at_least")
    refuse({f"--{name.replace('_', '-')}": problem_values.get(name) for name in refused}, graphs)
    if not problem_values["is_open"]:
        refuse({"--from": problem_values["start"], "--to": problem_values["finish"]}, graphs)
    named = {"open": problem_values["is_open"], "start": problem_values["start"], "end": problem_values["finish"]}
    named |= {"require": problem_values["require"], "forbid": problem_values["forbid"]}
    return tuple((name, value) for name, value in named.items() if value)


def answer_graphs(graphs: GraphList, question: Question, limits: Limits, as_json: bool) -> int:
    """Print a line for each graph, and a summary on stderr.

    The exit status is 2 if a graph could not be read, 3 if one was not answered or the list was not read to its end.
    """
    from encoders.many import UNREADABLE, answer_list

    require_seconds(question.seconds)
    statuses: Counter[str] = Counter()
    first_fault: list[int] = []

    with live_progress("reading") as on_progress:

        def tell(answer: Answer) -> None:
            statuses[answer.status] += 1
            if answer.status == UNREADABLE and not first_fault:
                first_fault.append(answer.line)
            stream = standard_output()
            try:
                if as_json:
                    for piece in json_pieces({"version": FORMAT_VERSION, **(answer.data or {})}):
                        stream.write(piece)
                    stream.write("\n")
                else:
                    stream.write(f"{answer.number:>6}  {answer.status:<10}  {_words(answer)}".rstrip() + "\n")
                stream.flush()
            except BrokenPipeError:  # The reader of the pipe went away, as `head` does.
                raise Stopped("the reader of the output has gone") from None
            on_progress(Report(words=f"{statuses.total():,} answered"))

        count, complete = answer_list(graphs, question, limits, tell)
    counts = ", ".join(f"{number:,} {status}" for status, number in sorted(statuses.items()))
    say(f"{graphs.name}: {count:,} graph{'' if count == 1 else 's'}: {counts or 'none'}")
    if first_fault:
        complain(f"{graphs.name}: {statuses[UNREADABLE]:,} could not be read, the first at line {first_fault[0]:,}")
    if not complete:
        complain(f"{graphs.name}: stopped after {count:,} graphs; those after them were not looked at")
    if first_fault:
        return UNUSABLE
    return UNANSWERED if not complete or statuses["unknown"] else 0


def _words(answer: Answer) -> str:
    if not answer.names:
        return answer.words
    if len(answer.names) > MAX_LIST_WIDTH:
        return f"({len(answer.names):,} vertices: --json has them)"
    return names_text(answer.names)


def require_seconds(graph_time: float | None) -> None:
    """Refuse an invalid number of seconds."""
    try:
        check_seconds(graph_time)
    except KTError as error:
        raise KTError(f"--graph-time: {error}") from None


def require_list(graph_time: float | None) -> None:
    """Refuse `--graph-time` without a list."""
    if graph_time is not None:
        raise KTError("--graph-time: BOARD holds one graph or board; give --time-limit")


graph_time_option = click.option("--graph-time", type=float, metavar="S", help="Seconds for each graph of a list.")
