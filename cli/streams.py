"""Standard streams that may be closed, full, or gone together with a terminal."""

from __future__ import annotations

import errno
import io
import os
import sys
from typing import Any, TextIO


class LostOutput(OSError):
    """Standard output cannot be written."""


class _Stream(io.FileIO):
    """One of the standard streams for writing.

    What is written to a terminal that is gone is dropped: the signal that comes with it ends the command, and its files
    have still to be written.  Nothing can be said about faults of standard error, so they are dropped too.
    """

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except OSError as error:
            if error.errno == errno.EAGAIN:
                raise
            if error.errno == errno.EIO or self.fileno() == 2:
                return len(data)
            raise LostOutput(error.errno, error.strerror) from None


def open_streams() -> None:
    """Have all three standard streams open, and make `LostOutput` of what goes wrong with standard output.

    A stream that the caller closed becomes the null device.  Otherwise the next file that is opened would take its
    number, and what a library prints would go into that file.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # it takes the least number that is free
    if sys.stdin is None:
        sys.stdin = os.fdopen(0, closefd=False)
    sys.stdout = _writer(1, sys.stdout)
    sys.stderr = _writer(2, sys.stderr)


def _writer(number: int, before: TextIO | None) -> TextIO:
    raw = _Stream(number, "w", closefd=False)
    encoding = before.encoding if before is not None else "utf-8"
    errors = before.errors if before is not None else "replace"
    stream = io.TextIOWrapper(
        io.BufferedWriter(raw), encoding, errors, line_buffering=number == 2 or raw.isatty(), write_through=number == 2
    )
    stream.mode = "w"  # type: ignore[misc]  # as click expects of a standard stream
    return stream
