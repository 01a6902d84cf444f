"""Shapes that the text of a board can name, as in `aztec:5`: one module each, found without a list.

A module declares a `BoardKind`; a plain `8x8` is the one without a name. Suggestions for misspelt texts, the help of
the commands and shell completions also come from these rows.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from kt_models.registry import rows

MAX_CELLS = 200_000_000
"""Most cells of a board, holes included: the arrays of a board this large take gigabytes."""
MAX_NAMED_CELLS = 10**18
"""Most cells of a box that is only named: no array has its cells (`kt_models.board.NamedBox`)."""
BOX = r"[0-9]{1,40}(?:x[0-9]{1,40})+"
"""Sides of a box in text."""


@dataclass(frozen=True)
class Extent:
    """A board before memory is allocated for it: the arguments of `Board`, and a function that makes the mask."""

    shape: tuple[int, ...]
    mask: Callable[[], npt.NDArray[np.bool_]] | None = None
    wraps: tuple[bool, ...] = ()
    text: str = ""


@dataclass(frozen=True)
class BoardKind:
    """A kind of board.

    Attributes
    ----------
    name
        The word before the colon.
    pattern
        Regular expression of the text behind the colon: numbers with signs between them, such as `8x8/2`.
    layout
        Makes the board from these numbers.
    example, words
        An example and a description, for the help.
    aliases
        Other words that people use for it.
    """

    name: str
    pattern: str
    layout: Callable[..., Extent]
    example: str
    words: str
    aliases: tuple[str, ...] = ()

    def read(self, text: str) -> Extent | None:
        """The board of the text behind the colon; `None` if the text has another form."""
        return self.layout(*map(int, re.findall("[0-9]+", text))) if re.fullmatch(self.pattern, text) else None


@cache
def shapes() -> tuple[BoardKind, ...]:
    """All kinds of boards."""
    return tuple(rows(__name__, BoardKind).values())
