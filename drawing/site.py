"""Galleries: a static folder with a table of boards, each with a picture and a page that plays it."""

from __future__ import annotations

import html
import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from drawing.caption import plural
from drawing.draw import draw_page, draw_svg
from drawing.page_data import caption_of
from drawing.page_entries import PageEntry, counts_of
from drawing.page_html import digest, web_text
from kt_models.errors import KTError
from kt_models.files.suffixes import file_suffix
from kt_models.storage import read_text
from kt_models.writing import write_atomic, writing

INDEX = "index.html"
THUMBNAIL = 160
"""Pixels of the longer side of a picture in the table."""
MARK = '<meta name="generator" content="kt gallery">'
"""Mark of an index that kt wrote."""
COLUMNS = ("picture", "name", "board", "cells", "tour", "turns", "crossings", "claim")
NUMERIC = ("cells", "turns", "crossings")


class GalleryRow(NamedTuple):
    """A row of the table: the entry, its file, and its name without a suffix."""

    entry: PageEntry
    source: str
    name: str


def write_gallery(
    folder: str | os.PathLike[str],
    entries: Iterable[tuple[PageEntry, str]],
    title: str = "",
    *,
    leave_out: Callable[[str, KTError], None] | None = None,
    on_page: Callable[[int], None] = lambda number: None,
) -> None:
    """Write a page for each entry, and the table of them all, into a folder that `require_site` accepted.

    Parameters
    ----------
    entries
        Each entry with its file, which is copied beside its page.
    leave_out
        Called with a source that cannot be shown; without it the first such source ends the work.
    on_page
        Called with the number of pages written.

    Raises
    ------
    KTError
        If an entry cannot be shown, or a file cannot be written.
    """
    pages: list[GalleryRow] = []
    for number, row in enumerate(rows_of(entries)):
        on_page(number)
        try:
            write_board(folder, row)
            pages.append(row)
        except KTError as error:
            if leave_out is None:
                raise
            leave_out(row.source, error)
    write_index(folder, pages, title)


def require_site(folder: str | os.PathLike[str], force: bool = False) -> None:
    """Refuse a folder with files that are not a gallery's, as some might be replaced; create it if it is missing.

    Raises
    ------
    KTError
        If the folder cannot be used.
    """
    path = Path(folder)
    with writing(path):
        path.mkdir(parents=True, exist_ok=True)
        is_site = (path / INDEX).is_file() and MARK in read_text(path / INDEX)
        if not is_site and not force and any(path.iterdir()):
            raise KTError(f"{folder}: it has files that are not a gallery's; --force writes there anyway")


def rows_of(entries: Iterable[tuple[PageEntry, str]]) -> list[GalleryRow]:
    """Entries and their sources as rows with distinct names."""
    rows: list[GalleryRow] = []
    taken = {"index"}
    for entry, source in entries:
        stem = "".join(c if c.isalnum() or c in "-_." else "-" for c in Path(entry.name).stem) or "board"
        name = next(n for n in (stem, *(f"{stem}-{i}" for i in range(2, 10**6))) if n.casefold() not in taken)
        taken.add(name.casefold())
        rows.append(GalleryRow(entry, source, name))
    return rows


def write_board(folder: str | os.PathLike[str], row: GalleryRow) -> None:
    """The picture and the page of a row, and the file that they show."""
    path, entry = Path(folder), row.entry
    write_atomic(path / f"{row.name}.svg", _thumbnail(entry))
    write_atomic(path / f"{row.name}.html", draw_page([entry]))
    if os.path.isfile(row.source):
        # The folder is a gallery
        write_atomic(path / f"{row.name}{file_suffix(row.source)}", read_text(row.source), force=True)


def _thumbnail(entry: PageEntry) -> str:
    """The tour or the walks; otherwise the argument of the certificate, if it can be drawn."""
    small: dict[str, Any] = {"names": False, "turns": False, "crossings": False, "size": THUMBNAIL}
    small |= {"theme": "auto", "caption": ""}
    if entry.certificate is not None and not entry.tours:
        with suppress(KTError):
            return draw_svg(entry.certificate, **small)
    if entry.walks or len(entry.tours) != 1:
        return draw_svg(entry.graph, entry.walks or None, **small)
    return draw_svg(entry.tours[0], **small)


def write_index(folder: str | os.PathLike[str], rows: Sequence[GalleryRow], title: str = "") -> None:
    """The table of all rows, which become cards on a narrow screen; the default title is their number."""
    head = "".join(_head(column) for column in COLUMNS)
    lines = "\n".join(_row(row) for row in rows)
    style, script = web_text("site.css"), web_text("site.js")
    allowed = f"style-src 'sha256-{digest(style)}'; script-src 'sha256-{digest(script)}'"
    count = plural(len(rows), "board")
    heading = html.escape(title or count)
    below = f"<p>{count}</p>\n" if title else ""
    text = f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src 'self'; {allowed}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
{MARK}
<title>{heading}</title>
<style>{style}</style>
</head>
<body>
<main>
<h1>{heading}</h1>
{below}<table id="table" role="table"><thead role="rowgroup"><tr role="row">{head}</tr></thead>
<tbody role="rowgroup">
{lines}
</tbody></table>
</main>
<script>{script}</script>
</body>
</html>
"""
    write_atomic(Path(folder) / INDEX, text)


def _head(column: str) -> str:
    named = f'<th role="columnheader" scope="col" class="{_class(column)}">'
    return f"{named}{column}</th>" if column == "picture" else f'{named}<button type="button">{column}</button></th>'


def _class(column: str) -> str:
    return "number" if column in NUMERIC else column


def _row(row: GalleryRow) -> str:
    entry, name = row.entry, html.escape(row.name)
    tour = "" if len(entry.tours) != 1 else "closed" if entry.tours[0].closed else "open"
    claim = html.escape(entry.claim.text) if entry.claim else ""
    known = f" <small>{html.escape(entry.claim.known)}</small>" if entry.claim and entry.claim.known else ""
    seen = html.escape(f"{entry.graph.name}: {caption_of(entry)}")
    numbers = {"cells": entry.graph.n} | counts_of(entry.tours)
    texts = {
        "picture": f'<a href="{name}.html"><img src="{name}.svg" alt="{seen}" loading="lazy"></a>',
        "board": html.escape(entry.graph.name),
        "tour": tour,
        "claim": claim + known,
    } | {column: f"{numbers[column]:,}" if column in numbers else "" for column in NUMERIC}
    first = f'<th role="rowheader" scope="row" class="name"><a href="{name}.html">{html.escape(entry.name)}</a></th>'
    cells = [first if column == "name" else _cell(column, texts[column]) for column in COLUMNS]
    return f'<tr role="row">{"".join(cells)}</tr>'


def _cell(column: str, text: str) -> str:
    return f'<td role="cell" class="{_class(column)}" data-label="{column}">{text}</td>'
