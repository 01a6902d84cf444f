"""Drawings: the parts that `draw` assembles and `notebook` shows.

`drawn_moves` has the walks and their colours, and `caption` describes them. `page` places everything, `lines` has the
lines of moves and the edges of squares, and `canvas` collects them. `explanation_parts` has colours, frames and arrows
that explain a drawing.
"""

from __future__ import annotations

from typing import Any

from kt_models.display import DISPLAY


def _svg(*arguments: Any) -> Any:
    from drawing.notebook import svg

    return svg(*arguments)


def _html(subject: Any) -> str:
    from drawing.notebook import html

    return html(subject)


def _save(subject: Any, path: Any, *, force: bool = False) -> None:
    from drawing.save import save

    save(subject, path, force=force)


DISPLAY.svg, DISPLAY.html, DISPLAY.save = _svg, _html, _save  # Which load the rest when somebody asks for them
