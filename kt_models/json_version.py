"""The version of kt's JSON files (docs/use/format.md), and the upgrades from older versions.

Every reader of a document calls `read_document` before it looks at a key.  When the layout of a kind changes,
`FORMAT_VERSION` grows by one and `UPGRADES` gets a function that makes the new layout of the old one; the readers know
only the new layout.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from kt_models.errors import KTError
from kt_models.json_values import is_integer

Document = dict[str, Any]

FORMAT_VERSION = 2
OLDEST_VERSION = 2
"""Oldest version from which files of every kind are read."""
_HARMLESS = re.compile(r"(kt |python benchmarks/|docs/|the )[\w .,:=/@+()'-]*")
"""Text in a file that may be repeated as a command: whoever copies it runs a harmless command of kt."""


def _same_layout(document: Document) -> Document:
    return document


UPGRADES: dict[tuple[str, int], Callable[[Document], Document]] = {
    ("tour", 1): _same_layout,
    ("random-graphs", 1): _same_layout,
}
"""Functions, by kind and version, that turn a document into one of the next version.

From `OLDEST_VERSION` on, a kind without an entry kept its layout; an older document is read only if its kind has an
entry. A function receives untrusted documents: it changes none in place and raises only `KTError`.  A document within a
document, such as the certificate in a result, is left to its own reader.
"""


def read_document(data: Document, kind: str, remake: str = "") -> Document:
    """A JSON object upgraded to `FORMAT_VERSION`.

    Parameters
    ----------
    kind
        The kind to read it as; a result can also be read as a tour.
    remake
        The command that makes it again if it is too old, for the message; it may come from the file.

    Raises
    ------
    KTError
        If the version is too new or too old, or missing.
    """
    version = data.get("version")
    if version == FORMAT_VERSION and is_integer(version):
        return data
    if not is_integer(version) or not _is_readable(kind, version):
        words = f"{kind} version {repr(version)[:20]}: this program reads version {FORMAT_VERSION}"
        if is_integer(version) and version > FORMAT_VERSION:
            words += "; a newer kt wrote it"
        elif is_integer(version) and remake:
            known = _HARMLESS.fullmatch(remake)
            words += f"; make it again: {remake[:300] if known else 'docs/use/format.md names the command'}"
        raise KTError(words)
    for older in range(version, FORMAT_VERSION):
        data = UPGRADES.get((kind, older), _same_layout)(data)
    return data | {"version": FORMAT_VERSION}


def _is_readable(kind: str, version: int) -> bool:
    return version <= FORMAT_VERSION and (version >= OLDEST_VERSION or (kind, version) in UPGRADES)


def solving_command(problem: Any, options: str = "-o FILE") -> str:
    """The `kt solve` that answers the question of an older file again, for its message.

    Parameters
    ----------
    problem
        The keys of a problem, as in the file; they are not trusted.
    options
        Further options of the command.
    """
    data = problem if isinstance(problem, dict) else {}
    words = ["kt solve", str(data.get("board", "BOARD"))[:80]]
    if "leaper" in data and data["leaper"] != "1,2":
        words.append(f"--leaper {str(data['leaper'])[:20]}")
    if data.get("connectivity") == "path":
        words.append("--open")
    if "objective" in data:
        words.append(f"--minimize {str(data['objective'])[:20]}")
    if data.keys() & {"terminals", "required", "forbidden", "symmetry", "weights"}:
        words.append("...")
    return " ".join([*words, options])
