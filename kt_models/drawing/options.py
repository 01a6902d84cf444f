"""What can be chosen of a drawing."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal

from kt_models.arguments import require_boolean, require_whole
from kt_models.errors import KTError, unknown
from kt_models.files.boards import Form

SMALLEST, LARGEST = 50, 10_000
"""Limits of `size`, in pixels."""
STYLES = ("screen", "print")


@dataclass(frozen=True)
class DrawOptions:
    """What is drawn besides the moves, and how large.

    Parameters
    ----------
    numbers
        Whether the number of its visit, from 1, stands in every cell.
    turns, crossings
        Whether cells where the tour turns have a dot, and points where it crosses itself (in the plane) a white disc.
        They are left out where a cell has only a few pixels.
    direction
        Whether a disc marks where a tour starts, and heads of arrows the way it goes.
    names
        Whether files and ranks are named along the edges, on large boards only every few, and whether the picture of a
        certificate has words.
    style
        `screen`, or `print`: black and grey on white.
    size
        Pixels of the longer side; by default what suits the board, and in a PNG up to twice as many, to be sharp.
    """

    numbers: bool = False
    turns: bool = True
    crossings: bool = True
    direction: bool = False
    names: bool = True
    style: str = "screen"
    size: int | None = None

    def __post_init__(self) -> None:
        for name in ("numbers", "turns", "crossings", "direction", "names"):
            require_boolean(getattr(self, name), name)
        if not isinstance(self.style, str) or self.style not in STYLES:
            raise unknown("style", self.style, STYLES)
        if self.size is not None:
            object.__setattr__(self, "size", require_whole(self.size, "size"))
            if not SMALLEST <= self.size <= LARGEST:
                raise KTError(f"size {self.size}: a drawing has {SMALLEST} to {LARGEST:,} pixels")


class DrawKeywords(Form, total=False):
    """The arguments of `kt.draw`: the form of a board, and the fields of `DrawOptions`."""

    numbers: bool
    turns: bool
    crossings: bool
    direction: bool
    names: bool
    style: Literal["screen", "print"] | str
    size: int | None


DRAWN = {field.name: field.default for field in fields(DrawOptions)}
"""What they are where they are not given."""
