"""The outcome of the compiled searches for a block of small graphs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kt_models.files.graph_lists.block import ROW, SIZE, GraphBlock

NO, YES, UNKNOWN = 0, 1, 2
"""Statuses of an `Outcome`; unknown ones are left to the ordinary engines."""


@dataclass(frozen=True)
class Outcome:
    """The outcome of the compiled searches for the graphs of a block.

    Parameters
    ----------
    statuses
        `NO`, `YES` or `UNKNOWN` for each graph; a graph whose tours were counted has `YES`.
    done
        How many graphs were looked at before the search was told to stop.
    seconds
        Time for the block.
    orders
        The vertices of a verified tour of each graph that has one, shape (count, 64), if tours were looked for.
    counts
        The number of tours of each graph, if tours were counted.
    marks
        The edges that a property names, as sets of neighbours in the order of the block's rows.
    """

    statuses: npt.NDArray[np.uint8]
    done: int
    seconds: float = 0.0
    orders: npt.NDArray[np.uint8] | None = None
    counts: npt.NDArray[np.int64] | None = None
    marks: npt.NDArray[np.uint64] | None = None

    def edges(self, block: GraphBlock, row: int, *, directed: bool) -> list[tuple[int, int]]:
        """The edges that a property names of a graph; none if it names none."""
        if self.marks is None:
            return []
        start, n = int(block.records[row, ROW]), int(block.records[row, SIZE])
        near = [int(word) for word in self.marks[start : start + n]]
        return [(u, v) for u in range(n) for v in range(0 if directed else u + 1, n) if near[u] >> v & 1]
