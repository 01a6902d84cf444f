"""How every fault is told: one line on stderr, of a length that can be read."""

from __future__ import annotations

import click

LONGEST_LINE = 400
"""Characters."""


def complain(message: str) -> None:
    """Tell of a fault on stderr."""
    click.echo(one_line(f"kt: {message}"), err=True)


def one_line(message: str) -> str:
    """A message on one line of at most `LONGEST_LINE` characters.

    A longer one loses its middle, as what was typed and what is wrong with it stand at either end.
    """
    line = " ".join(message.split())
    half = (LONGEST_LINE - len(" ... ")) // 2
    return line if len(line) <= LONGEST_LINE else f"{line[:half]} ... {line[-half:]}"
