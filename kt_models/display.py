"""How an object shows itself in a notebook: drawing is above every type that is drawn, so it says here what shows them.

`kt_models.drawing.notebook` does when the package is imported; nothing in `kt_models` imports upward.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_WAYS: dict[str, Callable[..., Any]] = {}


def register(*, svg: Callable[..., str | None], html: Callable[[Any], str]) -> None:
    """Say what draws an object, and what writes the rows of a problem, a result or a certificate."""
    _WAYS.update(svg=svg, html=html)


def svg(subject: Any, *details: Any) -> str | None:
    """A drawing, or None where there is nothing to draw."""
    drawing: str | None = _WAYS["svg"](subject, *details)
    return drawing


def html(subject: Any) -> str:
    """A table of rows in words."""
    table: str = _WAYS["html"](subject)
    return table
