"""Names of cells, in both directions: `a1` is (0, 0) in the plane, coordinates such as `0,3,2` in other dimensions.

`Vocabulary` has the terms for a tour, a cell and a move, on a board or in a graph.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from kt_models.errors import KTError, excerpt

Cell = tuple[int, int]
"""A cell of the plane."""

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
    """Text of a cell: algebraic in two dimensions; coordinates in others, and if one of them is negative."""
    if len(cell) == 2 and min(cell) >= 0:
        return f"{column_name(int(cell[0]))}{int(cell[1]) + 1}"
    return ",".join(str(int(c)) for c in cell)


def parse_cell(text: str) -> tuple[int, ...]:
    """Coordinates of a named cell: `a1`, `aa12`, `0,3,2` or `(0,3,2)`.

    Raises
    ------
    KTError
        If the text has neither form.
    """
    stripped = text.strip()
    if match := _ALGEBRAIC.fullmatch(stripped.lower()):
        column = 0
        for letter in match[1]:
            column = column * 26 + ord(letter) - ord("a") + 1
        row = int(match[2])
        if row == 0:
            raise KTError(f"cell {excerpt(text)}: rows are numbered from 1")
        return column - 1, row - 1
    if match := _COORDINATES.fullmatch(stripped):
        return tuple(int(part) for part in match[1].split(","))
    raise KTError(f"cell {excerpt(text)}: neither a name such as 'a1' nor coordinates such as '0,3,2'")


def layer_name(place: Sequence[int]) -> str:
    """The name of a layer of a board in three or four dimensions: `z = 1` or `z = 1, w = 2`."""
    return ", ".join(f"{axis} = {at}" for axis, at in zip("zw", place, strict=False))


class Vocabulary(NamedTuple):
    """Words for the parts of a problem."""

    cycle: str
    path: str
    place: str
    places: str
    move: str

    @property
    def moves(self) -> str:
        """The plural of a move."""
        return f"{self.move}s"

    @property
    def a_move(self) -> str:
        """The move with its article."""
        return f"{'an' if self.move[0] in 'ae' else 'a'} {self.move}"

    @property
    def tour(self) -> str:
        """A closed or an open tour."""
        return self.cycle.rpartition(" ")[2]

    @property
    def a_cycle(self) -> str:
        """The closed tour with its article."""
        return f"a {self.cycle}"

    @property
    def a_path(self) -> str:
        """The open tour with its article."""
        return f"{'an' if self.path.startswith('o') else 'a'} {self.path}"

    def walk(self, closed: bool) -> str:
        """A closed or an open tour that may leave places out."""
        return (self.cycle if closed else self.path).replace("tour", "walk").removeprefix("Hamiltonian ")


BOARD_WORDS = Vocabulary("closed tour", "open tour", "cell", "cells", "move")
GRAPH_WORDS = Vocabulary("Hamiltonian cycle", "Hamiltonian path", "vertex", "vertices", "edge")
DIRECTED_WORDS = GRAPH_WORDS._replace(move="arc")
