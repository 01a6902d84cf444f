"""Lines of moves and edges of squares on the page, in units of a cell."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import numpy.typing as npt

from drawing.drawn_moves import Cells, FloatArray
from drawing.page import OVERHANG
from kt_models.board import Board, BoolArray, IntArray
from kt_models.graph import MoveGraph


def runs_of(there: BoolArray) -> FloatArray:
    """Runs of squares of each column, as rectangles (x0, y0, x1, y1)."""
    change = np.diff(np.pad(there.astype(np.int8), ((0, 0), (1, 1))), axis=1)
    x, low = np.nonzero(change == 1)
    high = np.nonzero(change == -1)[1]
    return np.stack([x - 0.5, low - 0.5, x + 0.5, high - 0.5], axis=1)


def border(there: BoolArray) -> list[FloatArray]:
    """Lines between squares and empty places, each as long as possible."""
    lines: list[FloatArray] = []
    for inside, axes in ((there, (0, 1)), (there.T, (1, 0))):
        walled = np.pad(inside, ((1, 1), (0, 0)))
        runs = runs_of(walled[1:] != walled[:-1])
        lines.extend(runs[:, [0, 1, 0, 3]].reshape(-1, 2, 2)[:, :, axes])
    return lines


def on_page(cells: Cells, offsets: Cells) -> Cells:
    """Positions of cells on the page, shape (k, 2)."""
    return cells[:, :2] + offsets[tuple(cells[:, 2:].T)]


def pieces(board: Board, starts: Cells, vectors: Cells, offsets: Cells) -> tuple[FloatArray, IntArray]:
    """Lines of moves within a layer, shape (k, 2, 2), and the move of each, shape (k,), in order.

    A move that wraps has a piece at each end, which leaves the board over the edge (and one between them, if it cuts
    a corner).
    """
    shape = np.array(board.shape[:2])
    heads = starts[:, :2] + vectors[:, :2]
    rounds = heads // shape  # 0 but for moves that wrap
    shift = on_page(starts, offsets) - starts[:, :2]
    lines, indices = [], []
    for bits in itertools.product((0, 1), repeat=2):
        use = np.flatnonzero(((rounds != 0) | (np.array(bits) == 0)).all(axis=1))
        back = rounds[use] * np.array(bits) * shape
        line = np.stack([starts[use, :2] - back, heads[use] - back], axis=1).astype(np.float64)
        wrapped = rounds[use].any(axis=1)
        seen = ~wrapped
        line[wrapped], seen[wrapped] = _clipped(line[wrapped], shape)
        lines.append((line + shift[use, None])[seen])
        indices.append(use[seen])
    index = np.concatenate(indices)
    order = np.argsort(index, kind="stable")
    return np.concatenate(lines)[order], index[order].astype(np.int32)


def lines_of_edges(graph: MoveGraph, edges: npt.NDArray[np.integer], offsets: Cells) -> tuple[FloatArray, IntArray]:
    """Lines of edges of a board's graph, as of `pieces`, and the place in `edges` of each."""
    board, vectors = graph.geometry
    starts = board.cells[graph.tails[edges]].astype(np.int64)
    return pieces(board, starts, vectors[graph.edge_move[edges]].astype(np.int64), offsets)


def _clipped(lines: FloatArray, shape: npt.NDArray[Any]) -> tuple[FloatArray, BoolArray]:
    """Part of each line on the board, or at most `OVERHANG` beyond its edge, and whether there is one."""
    vector = lines[:, 1] - lines[:, 0]

    def span(over: float) -> tuple[FloatArray, FloatArray]:
        low, high = -0.5 - over - lines[:, 0], shape - 0.5 + over - lines[:, 0]
        inside = (low < 0) & (high > 0)  # All that matters along an axis in which the line does not move
        with np.errstate(divide="ignore", invalid="ignore"):
            at_low, at_high = low / vector, high / vector
        enter = np.where(vector == 0, np.where(inside, 0.0, 2.0), np.minimum(at_low, at_high)).max(axis=1)
        leave = np.where(vector == 0, np.where(inside, 1.0, -1.0), np.maximum(at_low, at_high)).min(axis=1)
        return enter.clip(0.0), leave.clip(None, 1.0)

    enter, leave = span(0.0)
    seen = leave - enter > 1e-9
    ends = [lines[:, 0] + t[:, None] * vector for t in span(OVERHANG)]
    return np.stack(ends, axis=1), seen


def joined(segments: FloatArray, colours: IntArray) -> tuple[list[FloatArray], IntArray]:
    """Consecutive segments of one colour, joined to polylines; and the colour of each polyline."""
    if not len(segments):
        return [], colours
    breaks = (segments[1:, 0] != segments[:-1, 1]).any(axis=1) | (colours[1:] != colours[:-1])
    cuts = np.flatnonzero(breaks) + 1
    runs = np.split(segments, cuts)
    return [np.concatenate([run[:, 0], run[-1:, 1]]) for run in runs], colours[np.concatenate([[0], cuts])]


def arrowheads(at: FloatArray, along: FloatArray, size: float, width: float) -> list[FloatArray]:
    """Triangles at places, each pointing in a direction; `width` is half of theirs, in units of the size."""
    aside = width * along[:, ::-1] * (-1, 1)
    heads = np.stack([at + size * along, at - size * (along - aside), at - size * (along + aside)], axis=1)
    return list(heads)
