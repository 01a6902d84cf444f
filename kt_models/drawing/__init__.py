"""Drawings: the parts that `draw` puts together and `notebook` shows.

`way` is what is walked and in which colours, `caption` the line that says it; `page` is where everything goes, `lines`
where moves and edges of squares run on it, and `canvas` the figure they are put on.  `parts` are colours, frames and
arrows that explain a drawing.
"""

from __future__ import annotations

from typing import Any

from kt_models.display import register


def _svg(*given: Any) -> Any:
    from kt_models.drawing.notebook import svg

    return svg(*given)


def _html(subject: Any) -> str:
    from kt_models.drawing.notebook import html

    return html(subject)


def _save(subject: Any, path: Any, *, force: bool = False) -> None:
    from kt_models.drawing.save import save

    save(subject, path, force=force)


register(svg=_svg, html=_html, save=_save)  # which are loaded when somebody asks for them
