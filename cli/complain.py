"""How every fault is told: one line on stderr, of a length that can be read."""

from __future__ import annotations

import contextlib
import logging
import os
import threading
import warnings
from collections.abc import Iterator
from typing import Any

import click

from kt_models.errors import KTWarning, out_of_threads

MAX_LINE = 400
"""Characters."""


def complain(message: str) -> None:
    """Tell of a fault on stderr."""
    click.echo(one_line(f"kt: {message}"), err=True)


@contextlib.contextmanager
def warnings_in_one_line() -> Iterator[None]:
    """While this is open, warnings, also those of libraries, are lines on stderr like faults, without a place in it."""
    ordinary, last = warnings.showwarning, logging.lastResort

    def show(message: Warning | str, category: type[Warning], *where: Any, **more: Any) -> None:
        if issubclass(category, UserWarning | RuntimeWarning):
            warn(str(message))
        else:  # for programmers
            ordinary(message, category, *where, **more)

    with warnings.catch_warnings():
        warnings.simplefilter("always", KTWarning)
        warnings.showwarning = show
        logging.lastResort = _Lines(logging.WARNING)
        try:
            yield
        finally:
            logging.lastResort = last


@contextlib.contextmanager
def faults_of_threads_in_one_line() -> Iterator[None]:
    """While this is open, what ends a thread, also one of a library, is told in a line; `KT_DEBUG` shows where."""
    ordinary = threading.excepthook

    def tell(fault: threading.ExceptHookArgs) -> None:
        error = fault.exc_value
        if os.environ.get("KT_DEBUG") or not isinstance(error, Exception):
            ordinary(fault)
        else:
            complain(out_of_threads(error) or f"internal error in a thread: {type(error).__name__}: {error}")

    threading.excepthook = tell
    try:
        yield
    finally:
        threading.excepthook = ordinary


class _Lines(logging.Handler):
    """Where libraries log what nobody asked for."""

    def emit(self, record: logging.LogRecord) -> None:
        warn(record.getMessage())


def warn(message: str) -> None:
    """Tell of something on stderr that works less well; of what a library says, the first line."""
    first = message.strip().split("\n")[0]
    click.echo(one_line(f"kt: warning: {first}"), err=True)


def printable(text: str) -> str:
    """A text that a terminal shows as it is: control characters, lone surrogates and the like stand escaped.

    A file may hold any text, and what is told of it must not look like another line.
    """
    if text.isprintable():
        return text
    return "".join(
        mark if mark.isprintable() else mark.encode("unicode_escape", "surrogatepass").decode() for mark in text
    )


def one_line(message: str) -> str:
    """A message on one line of at most `MAX_LINE` characters.

    A longer one loses its middle, as what was typed and what is wrong with it stand at either end.
    """
    line = printable(" ".join(message.split()))
    half = (MAX_LINE - len(" ... ")) // 2
    return line if len(line) <= MAX_LINE else f"{line[:half]} ... {line[-half:]}"
