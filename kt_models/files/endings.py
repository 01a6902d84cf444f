"""What the ending of a file's name says; of standard input, `-`, what it holds does."""

from __future__ import annotations

import os
import re

from kt_models.arguments import require_path
from kt_models.errors import KTError, nearest
from kt_models.storage import STANDARD, read_text

SIGNS = {
    ending: re.compile(pattern, re.MULTILINE | re.IGNORECASE)
    for ending, pattern in {
        ".hcp": r"^\s*(EDGE_DATA(_SECTION)?|EDGE_WEIGHT_(SECTION|TYPE))\s*(:|\s|$)",
        ".tour": r"^\s*TOUR(_SECTION)?\s*(:|\s|$)",
        ".col": r"^\s*p\s+(edge|edges|col)\s",
        ".edges": r"\A(\s*([#%].*)?\n)*\s*-?[0-9]+(\s*,\s*|\s+)-?[0-9]+(\s*[,\s].*)?$",
    }.items()
}
"""Lines by which a text is known, where no file name says what it is."""


TOUR_TEXTS = (".txt", ".csv", ".moves", ".coords")
"""Endings of files of tours that have no mark of kt in them."""


def ending_of(path: str | os.PathLike[str]) -> str:
    """What a file holds, as an ending in lower case such as `.json`."""
    name = require_path(path)
    if name != STANDARD:
        return os.path.splitext(name)[1].lower()
    return ending_of_text(read_text(path))


def ending_of_text(text: str) -> str:
    """What a text holds whose file has no name, as an ending; empty if no sign of a format is in it."""
    text = text.lstrip()
    if text.startswith("{"):
        return ".jsonl" if text[: text.find("\n") + 1].rstrip().endswith("}") and "\n{" in text else ".json"
    for ending, sign in SIGNS.items():
        if sign.search(text):
            return ending
    return ""


def suffix_of(path: str | os.PathLike[str], allowed: tuple[str, ...]) -> str:
    """The file name's ending, if it is one of those allowed; standard output gets the first kind.

    Raises
    ------
    KTError
        Naming the file and the endings that would do.
    """
    path = require_path(path, "file")
    if path == STANDARD:
        return allowed[0]
    lowered = path.lower()
    for suffix in allowed:
        if lowered.endswith(suffix):
            return suffix
    stem, ending = os.path.splitext(path)
    guess = nearest(ending, allowed) if ending else ""
    meant = f", did you mean {stem + guess!r}? The" if guess else ": the"
    raise KTError(f"{path or repr(path)}{meant} name has to end in one of {', '.join(allowed)}")
