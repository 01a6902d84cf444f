"""Printing of errors and warnings: each is one line on stderr, short enough to read."""

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
"""Characters: room for a path and a reason on a few lines of a terminal."""


def complain(message: str) -> None:
    """Report a fault on stderr."""
    click.echo(one_line(f"kt: {message}"), err=True)


@contextlib.contextmanager
def warnings_in_one_line() -> Iterator[None]:
    """Within this context, warnings of kt and of libraries are single lines on stderr, without a source location."""
    ordinary, last = warnings.showwarning, logging.lastResort

    def show(message: Warning | str, category: type[Warning], *where: Any, **more: Any) -> None:
        if issubclass(category, UserWarning | RuntimeWarning):
            warn(str(message))
        else:  # Other warnings are for programmers.
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
    """Within this context, an error that ends a thread is one line; `KT_DEBUG` adds the traceback."""
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
    """A log handler for what libraries log unasked."""

    def emit(self, record: logging.LogRecord) -> None:
        warn(record.getMessage())


def warn(message: str) -> None:
    """Warn on stderr that something works less well; of a library's message, keep the first line."""
    first = message.strip().split("\n")[0]
    click.echo(one_line(f"kt: warning: {first}"), err=True)


def printable(text: str) -> str:
    """Escape what a terminal would not show as it is: control characters, lone surrogates and the like.

    A file may hold any text, and its message must not look like another line of output.
    """
    if text.isprintable():
        return text
    return "".join(
        mark if mark.isprintable() else mark.encode("unicode_escape", "surrogatepass").decode() for mark in text
    )


def one_line(message: str) -> str:
    """Shorten a message to one line of at most `MAX_LINE` characters.

    A longer message loses its middle, because its two ends name the input and what is wrong with it.
    """
    line = printable(" ".join(message.split()))
    half = (MAX_LINE - len(" ... ")) // 2
    return line if len(line) <= MAX_LINE else f"{line[:half]} ... {line[-half:]}"
