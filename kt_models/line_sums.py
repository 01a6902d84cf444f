"""Sums of a tour's numbers along rows, columns and diagonals: semi-magic and magic tours.

The cells of a tour are numbered from 1 in the order of the visit. A square tour is semi-magic if all rows and all
columns have the same sum, as in Beverley's tour of 1848. It is magic if both long diagonals have this sum, too, which
no knight's tour of 8x8 has (Stertenbrink, Meyrignac, Mackay 2003). A tour of a rectangle is semi-magic if all rows have
one sum and all columns another.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kt_models.tour import Tour


@dataclass(frozen=True)
class LineSums:
    """The sums of rows (from the top) and columns (from the left), and on a square of the two long diagonals."""

    rows: tuple[int, ...]
    columns: tuple[int, ...]
    diagonals: tuple[int, ...] = ()

    @property
    def magic(self) -> str:
        """`magic`, `semi-magic` or `no`."""
        if len(set(self.rows)) > 1 or len(set(self.columns)) > 1:
            return "no"
        return "magic" if self.diagonals and set(self.diagonals) <= set(self.rows) else "semi-magic"

    @property
    def text(self) -> str:
        """The sums in words."""
        parts = [f"rows {_spread(self.rows)}", f"columns {_spread(self.columns)}"]
        if self.diagonals:
            parts.append(f"diagonals {_spread(self.diagonals)}")
        return ", ".join(parts) + (f": {self.magic}" if self.magic != "no" else "")


def line_sums(tour: Tour) -> LineSums | None:
    """The sums of a tour's numbers, from its first cell; None unless the board is a full rectangle."""
    board = tour.graph.board
    if board is None or board.dimension != 2 or not board.is_box:
        return None
    visit = np.empty(board.n, dtype=np.int64)
    visit[tour.order] = np.arange(1, board.n + 1)
    square = visit[board.grid]
    diagonals = () if board.shape[0] != board.shape[1] else (int(np.trace(square)), int(np.trace(square[:, ::-1])))
    return LineSums(tuple(square.sum(axis=0)[::-1].tolist()), tuple(square.sum(axis=1).tolist()), diagonals)


def _spread(sums: tuple[int, ...]) -> str:
    low, high = min(sums), max(sums)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"
