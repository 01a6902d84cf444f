"""Drawings in a terminal: the lines of a canvas as dots of braille signs, two across and four down in each sign."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from drawing.canvas import Canvas, Lines
from drawing.drawn_moves import FloatArray

ROUTES = frozenset({"path", "stubs"})
"""Names of the lines that are drawn: a tour, and its moves around a cylinder or torus."""
DOTS_PER_CELL, LEAST_DOTS = 8.0, 3.0
"""Dots from a cell to the next one: usually, and at least, as a drawing with fewer cannot be read."""
ACROSS, DOWN = 2, 4
"""Dots of a sign."""
BRAILLE = 0x2800
BITS = np.array([[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]])
"""The bit of each dot of a braille sign (Unicode 16, section 21.1), by row and column."""


def text_of(canvas: Canvas, columns: int = 80) -> str | None:
    """The routes on a canvas as lines of text; none if they do not fit into a width.

    Parameters
    ----------
    columns
        Most signs in a line.
    """
    routes = [item for item in canvas.items if isinstance(item, Lines) and item.name in ROUTES]
    polylines = [points for item in routes for points in item.points]
    if not polylines:
        return None
    everywhere = np.concatenate(polylines)
    low, high = everywhere.min(axis=0), everywhere.max(axis=0)
    width = float(high[0] - low[0])
    scale = min(DOTS_PER_CELL, (ACROSS * columns - 1) / width if width else math.inf)
    if scale < LEAST_DOTS:
        return None
    size = np.ceil((high - low) * scale).astype(int) + 1
    dots = np.zeros((DOWN * math.ceil(size[1] / DOWN), ACROSS * math.ceil(size[0] / ACROSS)), dtype=bool)
    for points in polylines:
        for at in _samples((np.asarray(points) - low) * scale):
            dots[size[1] - 1 - at[:, 1], at[:, 0]] = True
    return _braille(dots)


def _samples(points: FloatArray) -> list[npt.NDArray[np.int64]]:
    """The dots nearest to each segment of a polyline."""
    counts = [(a, b, 1 + math.ceil(2 * float(np.abs(b - a).max()))) for a, b in pairwise(points)]
    return [np.rint(np.linspace(a, b, count + 1)).astype(np.int64) for a, b, count in counts]


def _braille(dots: npt.NDArray[np.bool_]) -> str:
    """Rows of signs for an array of dots whose sides are multiples of those of a sign."""
    blocks = dots.reshape(dots.shape[0] // DOWN, DOWN, dots.shape[1] // ACROSS, ACROSS)
    codes = BRAILLE + (blocks * BITS[None, :, None, :]).sum(axis=(1, 3))
    return "\n".join("".join(map(chr, row)).rstrip(chr(BRAILLE)) for row in codes.tolist())
