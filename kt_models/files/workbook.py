"""Workbooks of one sheet, `.xlsx`, for answers that are tables."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Sequence
from typing import Any

from kt_models.errors import TooLarge, naming_extras

SUFFIX = ".xlsx"
MAX_ROWS, MAX_TEXT = 1_048_575, 32_767
"""Most rows below the head, and most characters of a cell, of the format."""
CORE = "docProps/core.xml"
"""The part that says who made a workbook; not packed, so that kt recognises its own (`kt_models.file_kinds`)."""


def require_workbooks() -> None:
    """Load openpyxl, before any work is done.

    Raises
    ------
    KTError
        If it is not installed; the message says how to install it.
    """
    with naming_extras():
        import openpyxl  # noqa: F401


def workbook(columns: Sequence[str], rows: Iterable[Sequence[Any]], name: str) -> bytes:
    """A sheet of this name with a head; equal rows give equal bytes.

    Raises
    ------
    TooLarge
        If there are more rows than a sheet can have.
    """
    require_workbooks()
    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.styles import Font

    book = Workbook(write_only=True)
    book.properties.creator = "kt"
    sheet = book.create_sheet(name)
    sheet.freeze_panes = "A2"

    def cell(value: Any, bold: bool = False) -> Any:
        made = WriteOnlyCell(sheet, value=None if isinstance(value, str) else value)
        if isinstance(value, str):  # A text, also where it looks like a formula
            made._value, made.data_type = _text(value), "s"
        if bold:
            made.font = Font(bold=True)
        return made

    sheet.append([cell(column, True) for column in columns])
    for number, row in enumerate(rows):
        if number == MAX_ROWS:
            raise TooLarge(f"a sheet of a workbook has at most {MAX_ROWS:,} rows")
        sheet.append([cell(value) for value in row])
    raw = io.BytesIO()
    book.save(raw)
    return _reproducible(raw)


def _text(value: str) -> str:
    """A text without what XML cannot hold, cut to what a cell can."""
    line = "".join(c if c.isprintable() else "?" for c in value)
    return line if len(line) <= MAX_TEXT else f"{line[: MAX_TEXT - 1]}…"


def _reproducible(raw: io.BytesIO) -> bytes:
    """A workbook without the times at which it was made."""
    from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo  # Few commands write one

    made = io.BytesIO()
    with ZipFile(raw) as old, ZipFile(made, "w") as new:
        for name in sorted(old.namelist(), key=lambda name: name == CORE):
            content = old.read(name)
            if name == CORE:
                content = re.sub(rb"<dcterms:(created|modified)[^>]*>[^<]*</dcterms:\1>", b"", content)
            part = ZipInfo(name)
            part.compress_type = ZIP_STORED if name == CORE else ZIP_DEFLATED
            new.writestr(part, content)
    return made.getvalue()
