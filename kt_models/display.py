"""How an object shows itself in a notebook: drawing is above every type that is drawn, so it is looked up when asked.

This is the one place where something of `kt_models` reaches upward; by name, so that no import does.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any


def svg(subject: Any, *details: Any) -> str | None:
    """A drawing as `kt_models.drawing.notebook.svg` makes it, or None where there is nothing to draw."""
    drawing: str | None = import_module("kt_models.drawing.notebook").svg(subject, *details)
    return drawing


def html(subject: Any) -> str:
    """The rows that `kt_models.drawing.notebook.html` writes of a problem, a result or a certificate."""
    table: str = import_module("kt_models.drawing.notebook").html(subject)
    return table
