"""The canvas: a figure that measures in cells, and what can be put on it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_models.drawing.page import DIGIT, Page
from kt_models.drawing.way import FloatArray

PIXELS_PER_INCH = 96  # the pixel of CSS: on a page an SVG of 640 pixels is as wide as a PNG of 640
POINTS_PER_PIXEL = 72 / PIXELS_PER_INCH

PAPER, INK, SOFT_INK = "#ffffff", "#22262b", "#6b7076"
LIGHT, DARK, BORDER = "#f7f5f0", "#ebe7dd", "#b9b3a4"


class Canvas:
    """A figure whose one pair of axes measures in cells, and the few kinds of things that are put on it."""

    def __init__(self, page: Page, raster: bool) -> None:
        from matplotlib.figure import Figure

        self.page = page
        self.raster = raster
        pixels = np.array([page.width, page.height]) + 1e-7  # never a pixel less by rounding
        self.figure = Figure(figsize=tuple(pixels / PIXELS_PER_INCH), dpi=PIXELS_PER_INCH, facecolor=PAPER)
        self.axes = self.figure.add_axes((0, 0, 1, 1))
        self.axes.set_axis_off()
        self.axes.set_autoscale_on(False)
        left, bottom = -0.5 - page.left / page.cell, -0.5 - page.bottom / page.cell
        self.axes.set_xlim(left, left + page.width / page.cell)
        self.axes.set_ylim(bottom, bottom + page.height / page.cell)
        if raster:
            self.axes.set_rasterization_zorder(5)  # all but text

    def points(self, cells: float, least: float = 0.0) -> float:
        """A length in cells, but at least so many pixels, in points."""
        return max(cells * self.page.cell, least) * POINTS_PER_PIXEL

    def fill(self, rectangles: FloatArray, colour: str, order: float, gid: str, alpha: float | None = None) -> None:
        """Rectangles (x0, y0, x1, y1) of one colour, as one path."""
        from matplotlib.patches import PathPatch
        from matplotlib.path import Path

        corners = rectangles[:, [0, 1, 2, 1, 2, 3, 0, 3, 0, 1]].reshape(-1, 2)
        codes = np.tile([Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY], len(rectangles))
        path = Path(corners, codes)
        how: dict[str, Any] = {"zorder": order, "gid": gid, "alpha": alpha, "clip_on": False}
        self.axes.add_artist(PathPatch(path, facecolor=colour, linewidth=0, **how))

    def lines(self, lines: Sequence[FloatArray], colours: Any, width: float, order: float, **how: Any) -> None:
        """Lines through points, each of one colour; `width` in points."""
        from matplotlib.collections import LineCollection

        how = {"capstyle": "round", "joinstyle": "round", "clip_on": False, **how}
        self.axes.add_artist(LineCollection(list(lines), colors=colours, linewidths=width, zorder=order, **how))

    def dots(self, points: npt.NDArray[Any], radius: float, face: Any, order: float, **how: Any) -> None:
        """Marks of one size, of one colour or of one each; `radius` in points."""
        if len(points):
            how = {"linewidths": 0, "edgecolors": "none", "clip_on": False, **how}
            self.axes.scatter(points[:, 0], points[:, 1], s=(2 * radius) ** 2, c=face, zorder=order, **how)

    def write(self, x: float, y: float, text: str, pixels: float, **how: Any) -> None:
        """Text of a height in pixels, centred unless told otherwise."""
        how = {"ha": "center", "va": "center_baseline", "color": INK, **how}
        self.axes.text(x, y, text, fontsize=pixels * POINTS_PER_PIXEL, zorder=6, parse_math=False, **how)

    def write_caption(self, text: str) -> None:
        """A line below the board, in its middle unless it is wider."""
        page = self.page
        half = DIGIT * page.caption * len(text) / 2 / page.cell
        left, right = self.axes.get_xlim()
        middle = min(max((page.squares.shape[0] - 1) / 2, left + half), max(right - half, left + half))
        low = -0.5 - (page.bottom - max(6.0, 0.7 * page.caption)) / page.cell
        self.write(middle, low, text, page.caption, va="baseline", gid="caption")
