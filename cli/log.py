"""`--log FILE`: how a run went, a JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

import click

from cli.complain import complain
from cli.options import problem_json, stand_aside
from kt_models import Problem, Result
from kt_models.format import FORMAT_VERSION
from kt_models.limits import History, Limits, Listener, Report
from kt_models.storage import STANDARD, require_writable, standard_output, writing

log_option = click.option(
    "--log",
    "log_file",
    metavar="FILE",
    help="Write each better value and bound to FILE as it comes, a JSON object a line.",
    callback=stand_aside,
)


class Log:
    """A file that hears what is reported, and the result at the end; whoever reads along sees each line at once.

    Parameters
    ----------
    stream
        None writes nothing.
    """

    def __init__(self, stream: IO[str] | None, limits: Limits) -> None:
        self._stream, self._limits, self._history = stream, limits, History()
        self.fault = ""

    def write(self, data: dict[str, Any]) -> None:
        """A line; once the disk takes no more there are no further ones, and the work goes on."""
        if self._stream is None or self.fault:
            return
        try:
            print(json.dumps({k: v for k, v in data.items() if v is not None}), file=self._stream, flush=True)
        except OSError as error:
            self.fault = error.strerror or str(error)

    def beside(self, show: Listener) -> Listener:
        """A listener that passes on what it hears, and writes what is better than before."""

        def hear(now: Report) -> None:
            if better := self._history.hear(now):
                self.write(self._line(better.value, better.bound, now.engine))
            show(now)

        return hear

    def end(self, result: Result) -> None:
        """The last line."""
        line = {"status": result.status} | self._line(result.value, result.bound, result.engine)
        self.write(line | {"statistics": dict(result.statistics) or None})

    def _line(self, value: int | None, bound: int | None, engine: str) -> dict[str, Any]:
        return {"seconds": round(self._limits.elapsed, 3), "value": value, "bound": bound, "engine": engine}


@contextmanager
def log_to(path: str | None, problem: Problem, limits: Limits) -> Iterator[Log]:
    """A log in a file, if there is to be one; its first line says the problem."""
    if path is None:
        yield Log(None, limits)
        return
    require_writable(path)
    with writing(path):
        stream = standard_output() if path == STANDARD else open(path, "w", encoding="utf-8")  # noqa: SIM115
    log = Log(stream, limits)
    log.write({"version": FORMAT_VERSION} | problem_json("log", problem))
    try:
        yield log
    finally:
        if path != STANDARD:
            stream.close()
        if log.fault:
            complain(f"{path}: cannot write: {log.fault.lower()}")
