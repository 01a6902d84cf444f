"""How an object shows and saves itself: drawing and files are above every type, so they say here what does it.

`kt_models.drawing.notebook` does when the package is imported; nothing in `kt_models` imports upward.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

_WAYS: dict[str, Callable[..., Any]] = {}


def register(**ways: Callable[..., Any]) -> None:
    """Say what draws an object (`svg`), writes rows about it (`html`), and writes it to a file (`save`)."""
    _WAYS.update(ways)


def svg(subject: Any, *details: Any) -> str | None:
    """A drawing, or None where there is nothing to draw."""
    drawing: str | None = _WAYS["svg"](subject, *details)
    return drawing


def html(subject: Any) -> str:
    """A table of rows in words."""
    table: str = _WAYS["html"](subject)
    return table


def save(subject: Any, path: str | os.PathLike[str]) -> None:
    """Write a tour, a result or a certificate to a file, as its ending says."""
    _WAYS["save"](subject, path)
