"""`Canvas`: everything on a page, in the order of drawing; `svg` and `figure` make files from it.

Positions are in cells, lengths in pixels. Nothing here depends on a file format or imports a large package.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import numpy.typing as npt

from drawing.drawn_moves import FloatArray
from drawing.page import DIGIT, Page

PAPER, INK, SOFT_INK = "#ffffff", "#22262b", "#6b7076"
LIGHT, DARK, BORDER = "#f7f5f0", "#ebe7dd", "#b9b3a4"
TWO_COLOURS = ("#33507a", "#f0c75e")
"""Colours of two classes of cells such that every move leads from one class to the other."""
TEXT_ORDER = 6.0

Colours = str | Sequence[str]
"""One colour for all, or one for each; as `#rrggbb`."""
Marker = Literal["disc", "square", "up", "down"]


@dataclass(frozen=True, kw_only=True)
class Item:
    """Things of one kind that lie together: `order` is their height, `name` describes them."""

    name: str
    order: float
    window: tuple[float, float, float, float] | None = None
    """The visible part, (x0, y0, x1, y1); `None` for all."""


@dataclass(frozen=True, kw_only=True)
class Rectangles(Item):
    """Rectangles of one colour, shape (k, 4): x0, y0, x1, y1."""

    corners: FloatArray
    colour: str
    opacity: float = 1.0


@dataclass(frozen=True, kw_only=True)
class Lines(Item):
    """Polylines, each of one colour; `dash` is the length of a dash and of a gap in widths, 0 for none."""

    points: list[FloatArray]
    colours: Colours
    width: float
    cap: Literal["round", "butt", "square"] = "round"
    dash: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Dots(Item):
    """Marks of one size, with a rim of one colour if `rim` is positive."""

    points: FloatArray
    radius: float
    colours: Colours
    marker: Marker = "disc"
    edge: str = INK
    rim: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Polygons(Item):
    """Polygons, each of one colour."""

    points: list[FloatArray]
    colours: Colours


@dataclass(frozen=True, kw_only=True)
class Writing(Item):
    """A line of text at a point, with its anchor, and whether it reads upwards."""

    x: float
    y: float
    text: str
    height: float
    colour: str = INK
    anchor: Literal["start", "middle", "end"] = "middle"
    level: Literal["middle", "baseline"] = "middle"
    upright: bool = False
    bold: bool = False


@dataclass
class Canvas:
    """A page and the things on it.

    Parameters
    ----------
    page
        The size of the drawing, and the places of the cells.
    raster
        Whether everything except the text becomes one image, because the board is large.
    theme
        The theme of the colours, one of `drawing.options.THEMES`.
    """

    page: Page
    raster: bool = False
    items: list[Item] = field(default_factory=list)
    theme: str = "light"

    @property
    def left(self) -> float:
        """Left edge of the page, in cells."""
        return -0.5 - self.page.left / self.page.cell

    @property
    def right(self) -> float:
        """Right edge of the page, in cells."""
        return self.left + self.page.width / self.page.cell

    @property
    def bottom(self) -> float:
        """Lower edge of the page, in cells."""
        return -0.5 - self.page.bottom / self.page.cell

    def pixels(self, cells: float, least: float = 0.0) -> float:
        """A length in cells as pixels, at least a number of pixels."""
        return max(cells * self.page.cell, least)

    def in_pixels(self, points: npt.NDArray[np.floating]) -> FloatArray:
        """Points from the page's upper left corner, y down; the last axis has x and y."""
        page = self.page
        across = page.left + (points[..., 0] + 0.5) * page.cell
        return np.stack([across, page.height - page.bottom - (points[..., 1] + 0.5) * page.cell], axis=-1)

    def put(self, item: Item) -> None:
        """Add a thing."""
        self.items.append(item)

    def in_order(self) -> list[Item]:
        """Things on the page, the lowest first."""
        return sorted(self.items, key=lambda item: item.order)

    def write(self, x: float, y: float, text: str, height: float, name: str = "words", **style: object) -> None:
        """Text of a height in pixels, centred by default (`Writing`)."""
        self.put(Writing(name=name, order=TEXT_ORDER, x=x, y=y, text=text, height=height, **style))  # type: ignore[arg-type]

    def write_title(self, text: str) -> None:
        """A line above the board, in the middle of the page."""
        page = self.page
        if page.title:
            top = max(6.0, 0.5 * page.title) + 0.5 * page.title
            high = self.bottom + (page.height - top) / page.cell
            self.write((self.left + self.right) / 2, high, text, page.title, name="title", bold=True)

    def write_caption(self, text: str) -> None:
        """A line below the board, in its middle unless it is wider."""
        page = self.page
        half = DIGIT * page.caption * len(text) / 2 / page.cell
        middle = min(max((page.squares.shape[0] - 1) / 2, self.left + half), max(self.right - half, self.left + half))
        low = -0.5 - (page.bottom - max(6.0, 0.7 * page.caption)) / page.cell
        self.write(middle, low, text, page.caption, name="caption", level="baseline")


def hexadecimal(palette: npt.NDArray[np.floating]) -> list[str]:
    """Colours of shape (k, 3), from 0 to 1, as `#rrggbb`."""
    return [f"#{r:02x}{g:02x}{b:02x}" for r, g, b in np.rint(255 * palette).astype(int).tolist()]


def colour_of_each(colours: Colours, count: int) -> Sequence[str]:
    """Colours of a number of things."""
    return [colours] * count if isinstance(colours, str) else colours


def short(value: float) -> str:
    """A number with at most two decimals, without trailing zeros."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
