"""`DrawOptions`: the options of drawings."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal

from kt_models.arguments import require_boolean, require_whole
from kt_models.errors import KTError, excerpt, unknown
from kt_models.files.boards import BoardKeywords

MIN_SIZE, MAX_SIZE = 50, 10_000
"""Limits of `size`, in pixels."""
THEMES = ("light", "dark", "auto", "print")
MAX_CHARACTERS = 200
"""Most characters of a title or a caption: they are one line."""


@dataclass(frozen=True)
class DrawOptions:
    """Parts of a drawing besides the moves, and its size.

    Parameters
    ----------
    numbers
        Whether every cell shows the number of its visit, from 1.
    turns, crossings
        Whether cells where the tour turns have a dot, and points where it crosses itself (in the plane) a white disc.
        They are left out where a cell has only a few pixels.
    direction
        Whether a disc marks where a tour starts (numbers say it by themselves), and heads of arrows the way it goes.
    moves, degrees, colours
        Whether all moves of the board are drawn, each cell shows the number of its moves, and cells have one of two
        colours such that every move leads from one colour to the other.
    names
        Whether files and ranks are named along the edges, on large boards only every few, and whether the picture of a
        certificate has words.
    theme
        `light`, `dark`, or `print`: black and grey on white; or, of an SVG, `auto`: light or dark as the reader's
        screen is.
    title
        A line above the drawing; by default there is none.
    caption
        The line below the drawing, in place of the default; "" for none.
    size
        Pixels of the longer side; the default suits the board, and a PNG has up to twice as many, to be sharp.
    """

    numbers: bool = False
    turns: bool = True
    crossings: bool = True
    direction: bool = False
    moves: bool = False
    degrees: bool = False
    colours: bool = False
    names: bool = True
    theme: str = "light"
    title: str = ""
    caption: str | None = None
    size: int | None = None

    def __post_init__(self) -> None:
        for name in ("numbers", "turns", "crossings", "direction", "moves", "degrees", "colours", "names"):
            require_boolean(getattr(self, name), name)
        if self.numbers and self.degrees:
            raise KTError("numbers, degrees: a cell has room for one of them")
        if not isinstance(self.theme, str) or self.theme not in THEMES:
            raise unknown("theme", self.theme, THEMES)
        _require_line(self.title, "title")
        if self.caption is not None:
            _require_line(self.caption, "caption")
        if self.size is not None:
            object.__setattr__(self, "size", require_whole(self.size, "size"))
            if not MIN_SIZE <= self.size <= MAX_SIZE:
                raise KTError(f"size {self.size}: a drawing has {MIN_SIZE} to {MAX_SIZE:,} pixels")


def _require_line(text: object, name: str) -> None:
    if not isinstance(text, str):
        raise KTError(f"{name} must be a text, got {excerpt(text)}")
    if len(text) > MAX_CHARACTERS or not text.isprintable():
        raise KTError(f"{name} must be one line of at most {MAX_CHARACTERS} characters")


class DrawKeywords(BoardKeywords, total=False):
    """The arguments of `kt.draw`: the form of a board, and the fields of `DrawOptions`."""

    numbers: bool
    turns: bool
    crossings: bool
    direction: bool
    moves: bool
    degrees: bool
    colours: bool
    names: bool
    theme: Literal["light", "dark", "auto", "print"] | str
    title: str
    caption: str | None
    size: int | None


DRAWN = {field.name: field.default for field in fields(DrawOptions)}
"""Defaults of the options."""
