"""Pages: one self-contained HTML file that shows walks on a board and loads nothing else.

The file contains scripts, style and data, and needs no network. Texts of files enter as data without any `<`, and
appear on the page as text. As a second barrier, the content security policy allows only the script whose digest it
names.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

from drawing.page_data import page_data
from drawing.page_entries import PageEntry

SCRIPTS = ("colours.js", "tour.js", "paint.js", "extras.js", "space.js", "tiles.js", "view.js", "panel.js", "page.js")
"""Scripts in the order of their dependencies; `KT.view` needs all but the last two."""

_ESCAPES = {ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}


def page_html(entries: Sequence[PageEntry], show: Mapping[str, bool] | None = None, title: str = "") -> str:
    """The page of one board, or of several side by side, as the text of an HTML file.

    Raises
    ------
    KTError
        As `page_data`.
    """
    data = page_data(entries, show, title)
    script, style = script_text() + "KT.page();\n", web_text("page.css")
    return guarded_page("page.html", script, style, str(data["title"]), data)


def guarded_page(name: str, script: str, style: str, title: str, data: Any) -> str:
    """A page of `drawing/web` with its script, style and data, whose policy names the digests of the first two."""
    hashes = {"script_hash": digest(script), "style_hash": digest(style)}
    return fill(name, title=html.escape(title), style=style, script=script, data=json_block(data), **hashes)


def script_text(names: Sequence[str] = SCRIPTS) -> str:
    """Scripts, one after the other."""
    return "".join(web_text(name) for name in names)


@cache
def web_text(name: str) -> str:
    """A file of `drawing/web`."""
    return resources.files(__package__).joinpath("web", name).read_text(encoding="utf-8")


def fill(name: str, **texts: str) -> str:
    """A file of `drawing/web` with a text for each `{{mark}}` in it; marks within a text stay as they are."""
    return re.sub(r"\{\{(\w+)\}\}", lambda mark: texts[mark[1]], web_text(name))


def json_block(data: Any) -> str:
    """JSON that is safe inside a `<script>` element: nothing in it ends the element or begins another."""
    return json.dumps(data, ensure_ascii=True, separators=(",", ":")).translate(_ESCAPES)


def digest(text: str) -> str:
    """SHA-256 in the notation of a content security policy."""
    return base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
