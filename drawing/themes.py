"""Themes: a drawing is made in the colours of `light`, and then recoloured for other themes.

`dark` is for dark paper, `print` black and grey on white. `auto` has the colours of both `light` and `dark`, and the
reader's colour scheme chooses; only SVG supports this.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from drawing.canvas import BORDER, DARK, INK, LIGHT, PAPER, SOFT_INK, Canvas, Item, Lines, Rectangles
from kt_models.errors import KTError

REMOVED = "#2a2d33"
"""Cells that a cut takes out: as far from the paper as they can be."""
PAINTS = {
    "dark": {
        PAPER: "#16181b",
        LIGHT: "#2b2f36",
        DARK: "#1f2228",
        INK: "#f3f0e8",
        SOFT_INK: "#a3a8b1",
        BORDER: "#545b67",
        REMOVED: "#8b929c",
    },
    "print": {
        PAPER: "#ffffff",
        LIGHT: "#ffffff",
        DARK: "#e4e4e4",
        INK: "#000000",
        SOFT_INK: "#444444",
        BORDER: "#888888",
    },
}
"""Replacements of the named colours."""
LIFT, DIM = 0.28, 0.55
"""Shares by which lines and dots approach white, and fills the paper, to be readable on dark paper."""
MAX_GREYS = 8
"""Most colours of lines that can be distinguished as greys; with more, a tour is printed black."""


def painted(colour: str, theme: str, *, fill: bool = False) -> str:
    """A colour of `light` in a theme; `fill` says whether text or lines are on it."""
    named = PAINTS.get(theme, {})
    if theme not in PAINTS or colour in named:
        return named.get(colour, colour)
    channels = [int(colour[at : at + 2], 16) for at in (1, 3, 5)]
    if theme == "print":
        return "#" + 3 * f"{round(0.3 * channels[0] + 0.59 * channels[1] + 0.11 * channels[2]):02x}"
    paper = [int(named[PAPER][at : at + 2], 16) for at in (1, 3, 5)]
    goal, share = (paper, DIM) if fill else ([255] * 3, LIFT)
    return "#" + "".join(f"{round(u + (v - u) * share):02x}" for u, v in zip(channels, goal, strict=True))


def in_theme(canvas: Canvas, theme: str) -> Canvas:
    """The canvas in the colours of a theme; of `auto` in those of `light`."""
    return replace(canvas, items=[_painted_item(item, theme) for item in canvas.items], theme=theme)


def _painted_item(item: Item, theme: str) -> Item:
    if theme not in PAINTS:
        return item

    def of_all(colours: str | list[str], paint: Callable[[str], str]) -> str | list[str]:
        return paint(colours) if isinstance(colours, str) else [paint(colour) for colour in colours]

    fill = isinstance(item, Rectangles)
    changed: dict[str, str | list[str]] = {
        name: of_all(getattr(item, name), lambda colour: painted(colour, theme, fill=fill))
        for name in ("colour", "colours", "edge")
        if hasattr(item, name)
    }
    if theme == "print" and isinstance(item, Lines) and len(set(changed["colours"])) > MAX_GREYS:
        changed["colours"] = PAINTS["print"][INK]
    return replace(item, **changed)  # type: ignore[arg-type]


def require_fixed(theme: str, output: str) -> None:
    """Refuse `auto` if nothing can follow the reader's colours.

    Raises
    ------
    KTError
        If there is no such theme; the message lists the themes.
    """
    if theme == "auto":
        raise KTError(f"theme auto: {output} cannot follow the reader's colours: use light, dark or print, or an SVG")
