"""How every fault is told: one line on stderr, of a length that can be read."""

from __future__ import annotations

import click

LONGEST_LINE = 400
"""Characters."""


def complain(message: str) -> None:
    """Tell of a fault on stderr."""
    click.echo(one_line(f"kt: {message}"), err=True)


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
    """A message on one line of at most `LONGEST_LINE` characters.

    A longer one loses its middle, as what was typed and what is wrong with it stand at either end.
    """
    line = printable(" ".join(message.split()))
    half = (LONGEST_LINE - len(" ... ")) // 2
    return line if len(line) <= LONGEST_LINE else f"{line[:half]} ... {line[-half:]}"
