"""Cell names, both ways: `a1` is (0, 0) in the plane, `0,3,2` in higher dimensions."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kt_models.errors import KTError

Cell = tuple[int, int]
"""Of the plane."""

_ALGEBRAIC = re.compile(r"([a-z]{1,7})([0-9]{1,9})")
_COORDINATES = re.compile(r"\(?\s*(-?[0-9]{1,9}(?:\s*,\s*-?[0-9]{1,9})+)\s*\)?")


def column_name(x: int) -> str:
    """Letters of column `x`: 0 is `a`, 25 is `z`, 26 is `aa`."""
    letters = ""
    x += 1
    while x > 0:
        x, digit = divmod(x - 1, 26)
        letters = chr(ord("a") + digit) + letters
    return letters


def cell_name(cell: Sequence[int]) -> str:
    """Text of a cell: algebraic in two dimensions, coordinates otherwise."""
    if len(cell) == 2:
        return f"{column_name(int(cell[0]))}{int(cell[1]) + 1}"
    return ",".join(str(int(c)) for c in cell)


def parse_cell(text: str) -> tuple[int, ...]:
    """Coordinates of a named cell: `a1`, `aa12`, `0,3,2` or `(0,3,2)`.

    Raises
    ------
    KTError
        If the text is neither.
    """
    stripped = text.strip()
    if match := _ALGEBRAIC.fullmatch(stripped.lower()):
        column = 0
        for letter in match[1]:
            column = column * 26 + ord(letter) - ord("a") + 1
        row = int(match[2])
        if row == 0:
            raise KTError(f"cell {text!r}: rows are numbered from 1")
        return column - 1, row - 1
    if match := _COORDINATES.fullmatch(stripped):
        return tuple(int(part) for part in match[1].split(","))
    raise KTError(f"cell {text!r}: neither a name such as 'a1' nor coordinates such as '0,3,2'")
