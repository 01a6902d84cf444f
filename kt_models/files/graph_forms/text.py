"""Text of graph files: UTF-8, or the encoding of an XML declaration."""

from __future__ import annotations

import codecs
import os
import re

from kt_models.errors import KTError
from kt_models.storage import read_bytes

_DECLARED = re.compile(rb"\A\s*<\?xml[^>]*\bencoding\s*=\s*[\"']([A-Za-z0-9._-]{1,40})[\"']")


def read_graph_text(path: str | os.PathLike[str]) -> str:
    """Text of a file; raises the errors of `kt_models.storage.read_text`."""
    data = read_bytes(path)
    declared = _DECLARED.match(data[:1000])
    encoding = declared[1].decode() if declared else "utf-8"
    try:
        utf8 = codecs.lookup(encoding).name in ("utf-8", "ascii")
        return data.decode("utf-8-sig" if utf8 else encoding)
    except (LookupError, UnicodeError):
        raise KTError(f"not a text file ({encoding.upper()}{', as it says' if declared else ''})") from None
