"""`--log FILE`: the course of a run, one JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import click

from cli.files import tell_fault
from cli.options import problem_json, stand_aside
from kt_models import Problem, Result
from kt_models.criteria import History
from kt_models.json_version import FORMAT_VERSION
from kt_models.limits import Limits, Listener, Report
from kt_models.storage import STANDARD, standard_output
from kt_models.writing import growing_file, require_writable

log_option = click.option(
    "--log",
    "log_file",
    metavar="FILE",
    help="Write each better value and bound to FILE, one JSON object per line.",
    callback=stand_aside,
)


KIND = "log"


def _line(data: dict[str, Any]) -> str:
    return json.dumps({k: v for k, v in data.items() if v is not None})


class Log:
    """A listener that writes reports and the final result to a file, line by line, so that others can follow it.

    Parameters
    ----------
    write
        Writes a line; None if nothing is to be written.
    """

    def __init__(self, write: Callable[[str], object] | None, limits: Limits) -> None:
        self._write, self._limits, self._history = write, limits, History()
        self.fault = ""

    def write(self, data: dict[str, Any]) -> None:
        """Write a line; if the disk is full, write no further ones and go on with the work."""
        if self._write is None or self.fault:
            return
        try:
            self._write(_line(data))
        except OSError as error:
            self.fault = error.strerror or str(error)

    def beside(self, show: Listener) -> Listener:
        """A listener that passes reports on, and writes those that improve on earlier ones."""

        def hear(now: Report) -> None:
            if better := self._history.hear(now):
                self.write(self._line(better.value, better.bound, now.engine))
            show(now)

        return hear

    def end(self, result: Result) -> None:
        """Write the last line."""
        line = {"status": result.status} | self._line(result.value, result.bound, result.engine)
        self.write(line | {"statistics": dict(result.statistics) or None})

    def _line(self, value: float | None, bound: float | None, engine: str) -> dict[str, Any]:
        return {"seconds": round(self._limits.elapsed, 3), "value": value, "bound": bound, "engine": engine}


@contextmanager
def log_to(path: str | None, problem: Problem, limits: Limits) -> Iterator[Log]:
    """A log in a file, if one was requested; its first line describes the problem."""
    if path is None:
        yield Log(None, limits)
        return
    require_writable(path, KIND)
    head = {"version": FORMAT_VERSION} | problem_json(KIND, problem)
    if path == STANDARD:
        log = Log(partial(print, file=standard_output(), flush=True), limits)
        log.write(head)
        yield log
        return
    with growing_file(path, _line(head), KIND) as add:
        log = Log(add, limits)
        try:
            yield log
        finally:
            if log.fault:
                tell_fault(f"{path}: cannot write: {log.fault.lower()}", path)
