"""The cell at an index of a board's formation tour, and the index of a cell, without building board or tour."""

from __future__ import annotations

import re
from dataclasses import dataclass

from heuristics.papers.taming.formation.locate import Locator
from heuristics.papers.taming.formation.plane import SAFE_DISTANCE, locator
from heuristics.papers.taming.formation.styles import Style
from kt_models.errors import KTError

MAX_SIDE = 10**9
"""Longest side, so that all computed numbers fit into 64 bits."""


@dataclass(frozen=True)
class TourLookup:
    """The formation tour of a board, cell by cell (Besa et al. 2022, Lemma 3).

    Parameters
    ----------
    width, height
        Sides of the board.
    locator
        The tour of that board, or of the board with x and y exchanged.
    turned
        Whether they are exchanged.
    """

    width: int
    height: int
    locator: Locator
    turned: bool

    @classmethod
    def of(cls, text: str, heel: Style = "turns") -> TourLookup:
        """The tour that `formation` makes of a rectangle written WxH.

        Raises
        ------
        KTError
            If it is not a rectangle, too large, or not one of those that always have a formation tour.
        """
        match = re.fullmatch(r"([0-9]{1,40})x([0-9]{1,40})", text)
        width, height = map(int, match.groups()) if match else (0, 0)
        if max(width, height) > MAX_SIDE:
            raise KTError(f"board {text}: sides are at most {MAX_SIDE:,}")
        for swapped in (False, True):
            w, h = (height, width) if swapped else (width, height)
            if w % 2 == 0 and w >= SAFE_DISTANCE[0] and h >= SAFE_DISTANCE[1]:
                return cls(width, height, locator(w, h, heel), swapped)
        raise KTError(
            f"board {text}: cells are looked up on rectangles with an even side >= {SAFE_DISTANCE[0]}, "
            f"another >= {SAFE_DISTANCE[1]}"
        )

    def cell(self, index: int) -> tuple[int, int]:
        """The cell at an index of the tour, from 0.

        Raises
        ------
        KTError
            If there is no such cell.
        """
        if not 0 <= index < self.width * self.height:
            raise KTError(f"index {index:,}: the tour has {self.width * self.height:,} cells, from 0")
        x, y = self.locator.cell(index)
        return (y, x) if self.turned else (x, y)

    def index(self, x: int, y: int) -> int:
        """The index of a cell in the tour.

        Raises
        ------
        KTError
            If the cell is not on the board.
        """
        if not (0 <= x < self.width and 0 <= y < self.height):
            raise KTError(f"cell {x},{y}: not on {self.width}x{self.height}")
        return self.locator.index((y, x) if self.turned else (x, y))
