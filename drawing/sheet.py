"""Sheets: several drawings side by side and row by row, with a title above and a caption below them all."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from drawing.canvas import Canvas
from drawing.options import MAX_SIZE, DrawOptions
from drawing.page import TITLE, Page, fitting
from drawing.themes import in_theme
from kt_models.errors import TooLarge

GAP = 12
"""Pixels between two drawings."""
TEXT = 15.0
"""Height of the caption, in pixels."""


@dataclass(frozen=True, eq=False)
class Panel:
    """A drawing on a sheet, its description, and the position of its upper left corner, in pixels."""

    canvas: Canvas
    title: str
    x: int = 0
    y: int = 0


@dataclass(frozen=True, eq=False)
class Sheet:
    """Drawings of one theme on one page."""

    panels: tuple[Panel, ...]
    width: int
    height: int

    @property
    def theme(self) -> str:
        return self.panels[0].canvas.theme

    @property
    def raster(self) -> bool:
        """Whether some drawing is an image except for its text."""
        return any(panel.canvas.raster for panel in self.panels)

    def require_size(self, kind: str, most: int = MAX_SIZE) -> None:
        """Refuse a sheet whose image, which is held in memory as a whole, would be too large.

        Raises
        ------
        TooLarge
            If the sheet is too large; the message names its size.
        """
        if max(self.width, self.height) > most:
            size = f"{self.width:,} by {self.height:,} pixels"
            raise TooLarge(f"a sheet of {size}: a {kind} has at most {most:,} along a side; make each drawing smaller")


def single(canvas: Canvas, title: str) -> Sheet:
    """The sheet of one drawing."""
    return Sheet((Panel(canvas, title),), canvas.page.width, canvas.page.height)


def sheet_of(drawings: Sequence[tuple[Canvas, str]], options: DrawOptions) -> Sheet:
    """The sheet of drawings, without its title and caption.

    Raises
    ------
    KTError
        If the title or the caption does not fit.
    """
    across = math.ceil(math.sqrt(len(drawings)))
    rows = [drawings[i : i + across] for i in range(0, len(drawings), across)]
    pages = [[canvas.page for canvas, _ in row] for row in rows]
    columns = [max(row[i].width for row in pages if i < len(row)) for i in range(across)]
    width = sum(columns) + GAP * (across - 1)
    panels: list[Panel] = []
    y = 0
    if heading := _line(options.title, "title", TITLE * TEXT, width, options.theme, bold=True):
        panels.append(Panel(heading, options.title))
        y += heading.page.height
    for row in rows:
        for i, (canvas, title) in enumerate(row):
            panels.append(Panel(canvas, title, sum(columns[:i]) + GAP * i, y))
        y += max(canvas.page.height for canvas, _ in row) + GAP
    y -= GAP
    if footer := _line(options.caption or "", "caption", TEXT, width, options.theme):
        panels.append(Panel(footer, options.caption or "", 0, y))
        y += footer.page.height
    return Sheet(tuple(panels), width, y)


def _line(text: str, name: str, height: float, width: int, theme: str, *, bold: bool = False) -> Canvas | None:
    """A strip with a line of text in its middle; `None` without text."""
    if not text:
        return None
    height = fitting(text, height, width - GAP, name)
    tall = round(2.2 * height)
    page = Page(np.zeros((0, 0), np.int8), np.zeros((1, 2), np.int64), 1.0, 0, 0, 0, 0, 0, width, tall)
    canvas = Canvas(page)
    canvas.write((canvas.left + canvas.right) / 2, canvas.bottom + tall / 2, text, height, name=name, bold=bold)
    return in_theme(canvas, theme)
