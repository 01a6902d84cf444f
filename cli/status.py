"""Exit statuses: one table of their meanings, which the help and `docs/use/how-to.md` repeat."""

from __future__ import annotations

from typing import NamedTuple

ANSWERED, REFUTED, UNUSABLE, UNANSWERED = 0, 1, 2, 3


class ExitStatus(NamedTuple):
    """The meaning of an exit status: for all commands, and for `kt check`, whose status is that of the worst file.

    The worst of several files is one that is wrong (1), then one that cannot be read (2), then one not decided (3).
    """

    number: int
    every: str
    check: str


EXIT_STATUSES = (
    ExitStatus(ANSWERED, "answered in full", "every claim of the file was checked, and holds"),
    ExitStatus(REFUTED, "a claim is wrong", "the file was read, and is wrong"),
    ExitStatus(UNUSABLE, "bad usage, or a file that cannot be read or written", "the file cannot be read"),
    ExitStatus(
        UNANSWERED,
        "stopped by a limit or a signal, with the best so far",
        "a limit or a signal came first, or the file makes no claim, or one that it does not prove",
    ),
)
