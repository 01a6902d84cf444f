"""Tables at the terminal: columns that fit it, and 80 characters where there is none."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Container, Iterator, Sequence
from itertools import zip_longest

import click

MIN_WORDS = 24
"""Narrowest column of words that is wrapped, in characters."""
GAP = 2


def print_table(rows: Sequence[Sequence[str]], left: Container[int]) -> None:
    """Print columns, aligned to the right except those named."""
    for line in table_lines(rows, left, shutil.get_terminal_size((80, 24)).columns):
        click.echo(line)


def table_lines(rows: Sequence[Sequence[str]], left: Container[int], room: int) -> Iterator[str]:
    """The lines of a table with so many characters each.

    Words of the columns to the left are wrapped. Columns for which there is still no room follow below the others,
    after the first column again; only a word or a number that is longer than the room exceeds it.
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for index in sorted(range(1, len(widths)), key=lambda index: -widths[index]):
        excess = sum(widths) + GAP * (len(widths) - 1) - room
        if index in left and excess > 0 and widths[index] > MIN_WORDS:
            narrow = max(MIN_WORDS, widths[index] - excess)
            rows = [[*row[:index], "\n".join(textwrap.wrap(row[index], narrow)), *row[index + 1 :]] for row in rows]
            widths[index] = max(len(line) for row in rows for line in row[index].split("\n"))
    blocks = [[0]]
    for index in range(1, len(widths)):
        if len(blocks[-1]) > 1 and sum(widths[k] + GAP for k in blocks[-1]) + widths[index] > room:
            blocks.append([0])
        blocks[-1].append(index)
    for block in blocks:
        if block is not blocks[0]:
            yield ""
        for row in rows:
            for line in zip_longest(*(row[index].split("\n") for index in block), fillvalue=""):
                texts = (
                    text.ljust(widths[index]) if index in left else text.rjust(widths[index])
                    for index, text in zip(block, line, strict=True)
                )
                yield (" " * GAP).join(texts).rstrip()
