"""A list of graphs, answered one line a graph, for `kt solve` and `kt enumerate`."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from cli.error_messages import complain
from cli.files import say, writes
from cli.live import live_progress, make_way
from cli.options import choices_of, grouped
from cli.output import MAX_LIST_WIDTH, names_text
from cli.problem import NUMBER_OPTIONS, WALK_OPTIONS
from cli.status import UNANSWERED, UNUSABLE
from kt_models.errors import KTError, unknown
from kt_models.json_version import FORMAT_VERSION
from kt_models.limits import Limits, Listener, Report, Stopped, check_seconds
from kt_models.long_arrays import json_pieces
from kt_models.storage import STANDARD, standard_input_is_empty, standard_output

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from encoders.many import Answer, Filter, Outcome, Question
    from kt_models.files.graph_forms.several import GraphList
    from kt_models.files.graph_lists.block import Bytes, GraphBlock
    from kt_models.runs.graph_list_ledger import BlockAnswers

CODE_FORMS = ("graph6", "sparse6", "digraph6")
"""Forms in which `--as` prints graphs."""
PROGRESS_SECONDS = 1.0
"""Seconds before progress is shown."""


@dataclass(frozen=True)
class ListOptions:
    """The options for each graph of a list."""

    graph_time: float | None = None
    only: str | None = None
    as_form: str | None = None
    certificates: bool = False
    histogram: bool = False
    property_name: str | None = None
    folder: str | None = None
    scheduler: str | None = None

    def __post_init__(self) -> None:
        try:
            check_seconds(self.graph_time)
        except KTError as error:
            raise KTError(f"--graph-time: {error}") from None
        if self.as_form is not None and self.as_form not in CODE_FORMS:
            raise unknown("form", self.as_form, CODE_FORMS, {"g6": "graph6", "s6": "sparse6", "d6": "digraph6"})
        if self.as_form and not self.only:
            raise KTError("--as: it prints the graphs that --only chooses; give --only, or use kt convert")
        if self.scheduler and not self.folder:
            raise KTError("--scheduler is for runs: give --run DIR")

    def require_list(self) -> None:
        """Refuse the options where there is no list."""
        if self.graph_time is not None:
            raise KTError("--graph-time: BOARD holds one graph or board; give --time-limit")
        values = {"--only": self.only, "--certificates": self.certificates, "--histogram": self.histogram}
        values |= {"--property": self.property_name, "--run": self.folder, "--scheduler": self.scheduler}
        for option, value in values.items():
            if value:
                raise KTError(f"{option}: BOARD holds one graph or board, and it is for lists")


def list_options(command: Callable[..., Any], *, solves: bool = False) -> Callable[..., Any]:
    """Add the options for each graph of a list; the command gets them as `each` (decorator).

    Parameters
    ----------
    solves
        Whether there are the options of `kt solve`, instead of those of `kt enumerate`.
    """
    options = [
        click.option("--graph-time", type=float, metavar="S", help="Seconds for each graph of a list."),
        click.option("--only", metavar="STATUS", help="Of a list: only graphs with this answer."),
        click.option("--as", "as_form", metavar="FORM", help="With --only: print the graphs themselves, as graph6."),
    ]
    if solves:
        options += [
            click.option(
                "--property",
                "property_name",
                metavar="NAME",
                help="Of a list: whether each graph is traceable, pancyclic, ...",
            ),
            click.option(
                "--run", "folder", metavar="DIR", help="Of a list: keep the answers in DIR; the same command continues."
            ),
            click.option("--scheduler", metavar="ADDR", help="With --run: the Dask cluster at tcp://HOST:PORT."),
            click.option("--certificates", is_flag=True, help="Of a list: a certificate of each infeasible graph."),
        ]
    else:
        options.append(
            click.option("--histogram", is_flag=True, help="Of a list: how many graphs have how many tours.")
        )
    decorated: Callable[..., Any] = grouped("each", ListOptions, *options)(command)
    return writes(going_on=("folder",))(decorated) if solves else decorated


def list_in(board: str | None, each: ListOptions) -> GraphList | None:
    """The graphs of BOARD, if it is a file of several; with an option for lists, standard input may hold none."""
    from kt_models.files.suffixes import is_path

    if board is None or not is_path(board):
        return None
    from kt_models.files.graph_forms.several import GraphList, graph_list

    if board == STANDARD and each != ListOptions() and standard_input_is_empty():
        return GraphList(STANDARD, "graph6", iter(()))
    return graph_list(board, choices_of(board))


def refuse(options: dict[str, Any], graphs: GraphList) -> None:
    """Refuse options that do not apply to a graph of a list; `options` maps each to its given value."""
    for option, value in options.items():
        if value:
            raise KTError(f"{option}: {graphs.name} holds several graphs, which are answered one line each, without it")


def conditions_of(problem_values: dict[str, Any], graphs: GraphList) -> tuple[tuple[str, Any], ...]:
    """The conditions on each tour, as `encoders.many.Question` takes them."""
    refused = ("symmetry", *WALK_OPTIONS, *NUMBER_OPTIONS, "at_most", "at_least")
    refuse({f"--{name.replace('_', '-')}": problem_values.get(name) for name in refused}, graphs)
    if not problem_values["is_open"]:
        refuse({"--from": problem_values["start"], "--to": problem_values["finish"]}, graphs)
    named = {"open": problem_values["is_open"], "start": problem_values["start"], "end": problem_values["finish"]}
    named |= {"require": problem_values["require"], "forbid": problem_values["forbid"]}
    return tuple((name, value) for name, value in named.items() if value)


def answer_graphs(
    graphs: GraphList, question: Question, limits: Limits, as_json: bool, each: ListOptions | None = None
) -> int:
    """Print a line for each graph, and a summary on stderr.

    The exit status is 2 if a graph could not be read, 3 if one was not answered or the list was not read to its end.
    """
    from encoders.many import UNREADABLE, Filter, answer_list

    each = each or ListOptions()
    chosen = None if each.only is None else Filter.of(each.only, question)
    if chosen is not None and question.counting:
        question = replace(question, enough=chosen.enough)
    began = time.monotonic()
    fault: KTError | None = None
    with live_progress("reading", PROGRESS_SECONDS) as on_progress:
        lines = _Lines(
            graphs.name, graphs.form, question, each, chosen, as_json, on_progress=on_progress, size=graphs.size
        )
        try:
            if each.folder is None:
                count, complete = answer_list(graphs, question, limits, lines)
            else:
                complete = _answer_in_folder(graphs, limits, lines)
                count = lines.statuses.total()
        except KTError as error:
            count, complete, fault = lines.statuses.total(), False, error
    if lines.lost:  # The reader of the pipe went away, as `head` does.
        return UNANSWERED
    if fault is not None and not count:
        raise type(fault)(f"{graphs.name}: {fault}")
    if each.histogram:
        lines.print_histogram()
    rate = count / max(time.monotonic() - began, 1e-9)
    counts = ", ".join(f"{number:,} {status}" for status, number in sorted(lines.statuses.items()))
    say(f"{graphs.name}: {count:,} graph{'' if count == 1 else 's'}: {counts or 'none'}; {rate:,.0f} a second")
    if lines.first_fault:
        unread = lines.statuses[UNREADABLE]
        complain(f"{graphs.name}: {unread:,} could not be read, the first at {lines.first_fault}")
    if fault is not None:
        raise type(fault)(f"{graphs.name}: {fault}")
    if not complete:
        complain(f"{graphs.name}: stopped after {count:,} graphs; those after them were not looked at")
    if lines.first_fault:
        return UNUSABLE
    return UNANSWERED if not complete or lines.statuses["unknown"] else 0


def _answer_in_folder(graphs: GraphList, limits: Limits, lines: _Lines) -> bool:
    """Answer a list as a run; return whether it was read to its end."""
    from dataclasses import asdict

    from encoders.many.run import answer_run

    each = lines.each
    assert each.folder is not None
    printed = {"only": each.only, "as": each.as_form, "json": lines.as_json, "histogram": each.histogram}
    about = {"list": graphs.name, "form": graphs.form, "question": asdict(lines.question), "printed": printed}
    arguments = (graphs.name, graphs.form, lines.question, each, lines.chosen, lines.as_json)
    return answer_run(graphs, each.folder, about, answers_of_block, arguments, limits, lines.tell_block, each.scheduler)


def answers_of_block(block: GraphBlock, *asked: Any) -> BlockAnswers:
    """The answers of a block of a run, in a process of its own; `_Lines` begins with the arguments `asked`."""
    from encoders.many import answer_list
    from kt_models.files.graph_forms.several import GraphList
    from kt_models.limits import silent
    from kt_models.runs.graph_list_ledger import BlockAnswers

    written: list[bytes] = []
    lines = _Lines(*asked, on_progress=silent, write=written.append)
    answer_list(GraphList(lines.name, lines.form, iter((block,))), lines.question, Limits(workers=1), lines)
    summary = {
        "statuses": dict(lines.statuses),
        "histogram": sorted(lines.histogram.items()),
        "first_fault": lines.first_fault,
    }
    return BlockAnswers(b"".join(written), summary)


class _Lines:
    """Prints the answers of a list (an `encoders.many.ListReport`)."""

    def __init__(
        self,
        name: str,
        form: str,
        question: Question,
        each: ListOptions,
        chosen: Filter | None,
        as_json: bool,
        *,
        on_progress: Listener,
        write: Callable[[bytes], None] | None = None,
        size: int | None = None,
    ) -> None:
        self.name, self.form = name, form
        self.question, self.each, self.chosen, self.as_json = question, each, chosen, as_json
        self._output = write or _print_bytes
        self.histogram: Counter[int] = Counter()
        """How many graphs have how many tours, if they are counted."""
        self._on_progress = on_progress
        self._began = time.monotonic()
        self._size, self._position = size, 0
        self.statuses: Counter[str] = Counter()
        self.first_fault = ""
        """Where the first unreadable graph begins."""
        self.lost = False
        """Whether the reader of the output went away."""

    def prepare(self, block: GraphBlock, outcome: Outcome) -> tuple[Bytes, npt.NDArray[np.int64]]:
        """The lines of a block, and where each ends."""
        import numpy as np

        from cli.list_lines import json_lines, same_lines, status_lines
        from encoders.many.outcome import UNKNOWN

        yes, no = self.question.statuses
        if self.each.histogram:
            return np.empty(0, dtype=np.uint8), np.zeros(len(block), dtype=np.int64)
        if self.chosen is not None:
            wanted = self.chosen.rows(self.question, outcome)
            if self.each.as_form is not None:
                return same_lines(block, wanted) if self._has_form(block) else self._converted(block, wanted)
            outcome = replace(outcome, statuses=np.where(wanted, outcome.statuses, UNKNOWN).astype(np.uint8))
        if outcome.counts is not None or self.question.property_name is not None:
            lines = [
                self._line(block, outcome, row) if status != UNKNOWN else b""
                for row, status in enumerate(outcome.statuses)
            ]
            return np.frombuffer(b"".join(lines), dtype=np.uint8), np.cumsum([len(line) for line in lines])
        if self.as_json:
            return json_lines(block, outcome, yes, no, self.name, closed=self.question.closed)
        return status_lines(block, outcome, yes, no, "exhaustive")

    def _line(self, block: GraphBlock, outcome: Outcome, row: int) -> bytes:
        """The line of a count or a property."""
        from cli.list_lines import row_json
        from encoders.many.answering import words_of_row

        if self.as_json:
            return row_json(block, outcome, row, self.question, self.name)
        status = self.question.statuses[1 - outcome.statuses[row]]
        words = words_of_row(block, outcome, row, self.question)
        return f"{block.first + row:>6}  {status:<10}  {words}".rstrip().encode() + b"\n"

    def _has_form(self, block: GraphBlock) -> bool:
        """Whether the lines of a block have the form that `--as` names."""
        import numpy as np

        from kt_models.files.graph_lists.block import BEGIN

        if not block.coded:
            return False
        marks = block.data[block.records[:, BEGIN]]
        if self.each.as_form == "graph6":
            return not np.isin(marks, np.frombuffer(b":;&>", dtype=np.uint8)).any()
        return bool((marks == ord(":" if self.each.as_form == "sparse6" else "&")).all())

    def _converted(self, block: GraphBlock, wanted: npt.NDArray[np.bool_]) -> tuple[Bytes, npt.NDArray[np.int64]]:
        """Lines of chosen graphs in another form."""
        import numpy as np

        parts = [self._graph(block, row) if chosen else b"" for row, chosen in enumerate(wanted.tolist())]
        return np.frombuffer(b"".join(parts), dtype=np.uint8), np.cumsum([len(part) for part in parts])

    def _graph(self, block: GraphBlock, row: int) -> bytes:
        """The line of one graph, unchanged if it has the form that `--as` names."""
        from kt_models.files.graph_forms.several import graph_of_piece
        from kt_models.files.graph_forms.write import graph_to_digraph6, graph_to_graph6, graph_to_sparse6
        from kt_models.files.graph_lists.block import one_row

        if self._has_form(one_row(block, row)):
            return block.original(row) + b"\n"
        graph = graph_of_piece(block.piece(row), self.form, self.name)
        write = {"graph6": graph_to_graph6, "sparse6": graph_to_sparse6, "digraph6": graph_to_digraph6}
        line = write[self.each.as_form or "graph6"](graph)
        return line.removeprefix(f">>{self.each.as_form}<<").encode()

    def tell_rows(
        self, block: GraphBlock, outcome: Outcome, prepared: tuple[Bytes, npt.NDArray[np.int64]], begin: int, end: int
    ) -> None:
        """Print the lines of some graphs."""
        import numpy as np

        text, ends = prepared
        self._position = block.position(end - 1)
        numbers = np.bincount(outcome.statuses[begin:end], minlength=2).tolist()
        for code, status in zip((1, 0), self.question.statuses, strict=True):
            if numbers[code]:
                self.statuses[status] += numbers[code]
        if self.each.histogram and outcome.counts is not None:
            for count, times in zip(*np.unique(outcome.counts[begin:end], return_counts=True), strict=True):
                self.histogram[int(count)] += int(times)
        self._write(text[ends[begin - 1] if begin else 0 : ends[end - 1]].tobytes())

    def tell(self, answer: Answer, block: GraphBlock, row: int) -> None:
        """Print the line of a graph that the ordinary engines answered."""
        from encoders.many import UNREADABLE

        self.statuses[answer.status] += 1
        self._position = block.position(row)
        if answer.status == UNREADABLE and not self.first_fault:
            self.first_fault = f"{'line' if block.in_lines else 'byte'} {answer.line:,}"
        if self.each.histogram:
            if answer.status == "counted":
                self.histogram[(answer.data or {})["count"]] += 1
            self._write(b"")
            return
        if self.chosen is not None and not self.chosen.accepts(answer):
            self._write(b"")
            return
        if self.each.as_form is not None:
            self._write(self._graph(block, row))
        elif self.as_json:
            place = "line" if block.in_lines else "byte"
            data = {place if key == "line" else key: value for key, value in (answer.data or {}).items()}
            self._write(b"".join(piece.encode() for piece in json_pieces({"version": FORMAT_VERSION, **data})) + b"\n")
        else:
            self._write(f"{answer.number:>6}  {answer.status:<10}  {_words(answer)}".rstrip().encode() + b"\n")

    def tell_block(self, block: GraphBlock, answers: BlockAnswers) -> None:
        """Print the lines of a block of a run."""
        self.statuses.update(answers.summary["statuses"])
        for count, times in answers.summary["histogram"]:
            self.histogram[count] += times
        self.first_fault = self.first_fault or answers.summary["first_fault"]
        self._position = block.position(-1)
        self._write(answers.lines)

    def print_histogram(self) -> None:
        """Print how many graphs have how many tours."""
        rows = sorted(self.histogram.items())
        if self.as_json:
            data = {"version": FORMAT_VERSION, "kind": "histogram", "board": self.name, "histogram": rows}
            text = json.dumps(data)
        else:
            words = "paths" if not self.question.closed else "cycles"
            text = "\n".join([f"{words:>10}  {'graphs':>10}", *(f"{count:>10}  {times:>10}" for count, times in rows)])
        self._write(text.encode() + b"\n")

    def _write(self, text: bytes) -> None:
        if text:
            try:
                self._output(text)
            except BrokenPipeError:
                self.lost = True
                raise Stopped("the reader of the output has gone") from None
        count = self.statuses.total()
        rate = count / max(time.monotonic() - self._began, 1e-9)
        share = min(1.0, max(0.0, self._position / self._size)) if self._size else None
        self._on_progress(Report(words=f"{count:,} answered, {rate:,.0f} a second", share=share))


def _print_bytes(text: bytes) -> None:
    stream: Any = standard_output()
    make_way()
    stream.flush()
    stream.buffer.write(text)
    stream.buffer.flush()


def _words(answer: Answer) -> str:
    if not answer.names:
        return answer.words
    if len(answer.names) > MAX_LIST_WIDTH:
        return f"({len(answer.names):,} vertices: --json has them)"
    return names_text(answer.names)
