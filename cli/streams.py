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

    Text for a terminal that is gone is dropped: the signal that comes with it ends the command, and its files have
    still to be written. Faults of standard error are dropped too, because there is no place to report them.
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
    """Open all three standard streams, and turn faults of standard output into `LostOutput`.

    A stream that the caller closed becomes the null device. Otherwise the next file to be opened would get its number,
    and the output of a library would go into that file.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            # The system assigns the least free number, which is the closed stream's.
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)
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
