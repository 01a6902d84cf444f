"""The version of kt's JSON files (docs/use/format.md), and the upgrades from older versions.

Every reader of a document calls `read_document` before it looks at a key. When the layout of a kind changes,
`FORMAT_VERSION` grows by one and `UPGRADES` gets a function that makes the new layout of the old one; the readers know
only the new layout.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kt_models.errors import KTError
from kt_models.json_values import is_integer

Document = dict[str, Any]

FORMAT_VERSION = 2
OLDEST_VERSION = 2
"""Oldest version that is read."""
UPGRADES: dict[tuple[str, int], Callable[[Document], Document]] = {}
"""Functions, by kind and version, that turn a document into one of the next version.

A kind without an entry kept its layout. A function receives untrusted documents: it changes none in place and raises
only `KTError`. A document within a document, such as the certificate in a result, is left to its own reader.
"""


def read_document(data: Document, kind: str) -> Document:
    """A JSON object upgraded to `FORMAT_VERSION`.

    Parameters
    ----------
    kind
        The kind to read it as; a result can also be read as a tour.

    Raises
    ------
    KTError
        If the version is too new or too old, or missing.
    """
    version = data.get("version")
    if not is_integer(version) or not OLDEST_VERSION <= version <= FORMAT_VERSION:
        words = f"{kind} version {repr(version)[:20]}: this program reads version {FORMAT_VERSION}"
        raise KTError(f"{words}; a newer kt wrote it" if is_integer(version) and version > FORMAT_VERSION else words)
    for older in range(version, FORMAT_VERSION):
        data = UPGRADES.get((kind, older), dict)(data)
    return data if version == FORMAT_VERSION else data | {"version": FORMAT_VERSION}
