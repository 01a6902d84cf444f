"""A gallery as a folder that any host serves: a table of boards, each with a picture and a page that plays it."""

from __future__ import annotations

import html
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from kt_models.drawing.draw import draw_page, draw_svg
from kt_models.drawing.page_html import digest, web_text
from kt_models.drawing.sides import Side, counts_of
from kt_models.errors import KTError
from kt_models.files.endings import ending_of
from kt_models.storage import read_text, write_atomic, writing

INDEX = "index.html"
THUMBNAIL = 160
"""Pixels of the longer side of a picture in the table."""
MARK = '<meta name="generator" content="kt gallery">'
"""What an index has that was written here."""
COLUMNS = ("", "file", "board", "cells", "tour", "turns", "crossings", "claim")
NUMERIC = ("cells", "turns", "crossings")


class GalleryRow(NamedTuple):
    """A row of the table: the side that is shown, the file that it is from, and its name without an ending."""

    side: Side
    source: str
    name: str


def require_site(folder: str | os.PathLike[str], force: bool = False) -> None:
    """Refuse a folder that has other files than a gallery's, as some might be replaced; make it if it is not there.

    Raises
    ------
    KTError
        If it cannot be used.
    """
    path = Path(folder)
    with writing(path):
        path.mkdir(parents=True, exist_ok=True)
        own = (path / INDEX).is_file() and MARK in read_text(path / INDEX)
        if not own and not force and any(path.iterdir()):
            raise KTError(f"{folder}: it has other files than a gallery; --force writes there all the same")


def rows_of(sides: Iterable[tuple[Side, str]]) -> list[GalleryRow]:
    """Sides and their sources as rows, under names of which no two are the same."""
    entries: list[GalleryRow] = []
    taken = {"index"}
    for side, source in sides:
        stem = "".join(c if c.isalnum() or c in "-_." else "-" for c in Path(side.name).stem) or "board"
        name = next(n for n in (stem, *(f"{stem}-{i}" for i in range(2, 10**6))) if n.casefold() not in taken)
        taken.add(name.casefold())
        entries.append(GalleryRow(side, source, name))
    return entries


def write_board(folder: str | os.PathLike[str], entry: GalleryRow) -> None:
    """The picture and the page of a row, and the file that they show."""
    path, side = Path(folder), entry.side
    write_atomic(path / f"{entry.name}.svg", _thumbnail(side))
    write_atomic(path / f"{entry.name}.html", draw_page([side]))
    if os.path.isfile(entry.source):
        write_atomic(
            path / f"{entry.name}{ending_of(entry.source)}", read_text(entry.source), force=True
        )  # the folder is a gallery


def _thumbnail(side: Side) -> str:
    """The tour or the walks; where there is none the argument of the certificate, if that can be drawn."""
    small: dict[str, Any] = {"names": False, "turns": False, "crossings": False, "size": THUMBNAIL}
    if side.certificate is not None and not side.tours:
        with suppress(KTError):
            return draw_svg(side.certificate, **small)
    if side.walks or len(side.tours) != 1:
        return draw_svg(side.graph, side.walks or None, **small)
    return draw_svg(side.tours[0], **small)


def write_index(folder: str | os.PathLike[str], entries: Iterable[GalleryRow], title: str) -> None:
    """The table of all rows."""
    head = "".join(f'<th scope="col">{html.escape(column)}</th>' for column in COLUMNS)
    rows = "\n".join(_row(entry) for entry in entries)
    style, script = web_text("site.css"), web_text("site.js")
    allowed = f"style-src 'sha256-{digest(style)}'; script-src 'sha256-{digest(script)}'"
    text = f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src 'self'; {allowed}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
{MARK}
<title>{html.escape(title)}</title>
<style>{style}</style>
</head>
<body>
<h1>{html.escape(title)}</h1>
<div class="wide"><table id="table"><thead><tr>{head}</tr></thead>
<tbody>
{rows}
</tbody></table></div>
<script>{script}</script>
</body>
</html>
"""
    write_atomic(Path(folder) / INDEX, text)


def _row(entry: GalleryRow) -> str:
    side, name = entry.side, html.escape(entry.name)
    counts = counts_of(side.tours)
    tour = "" if len(side.tours) != 1 else "closed" if side.tours[0].closed else "open"
    claim = side.claim.text if side.claim else ""
    known = f" <small>{html.escape(side.claim.known)}</small>" if side.claim and side.claim.known else ""
    numbers = {"cells": side.graph.n} | counts
    cells = [
        f'<td><a href="{name}.html"><img src="{name}.svg" alt="" loading="lazy"></a></td>',
        f'<td><a href="{name}.html">{html.escape(side.name)}</a></td>',
        f"<td>{html.escape(side.graph.name)}</td>",
        *(f"<td>{text}</td>" for text in (_number(numbers, "cells"), tour)),
        *(f'<td class="number">{_number(numbers, column)}</td>' for column in NUMERIC[1:]),
        f"<td>{html.escape(claim)}{known}</td>",
    ]
    return f"<tr>{''.join(cells)}</tr>"


def _number(numbers: dict[str, int], column: str) -> str:
    return f"{numbers[column]:,}" if column in numbers else ""
