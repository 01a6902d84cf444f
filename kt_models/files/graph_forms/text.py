"""Text of graph files: UTF-8, or the encoding of an XML declaration."""

from __future__ import annotations

import codecs
import os
import re

from kt_models.errors import KTError, TooLarge
from kt_models.files.graph_lists.compressed import compression_of, decompressed
from kt_models.storage import MAX_FILE_BYTES, read_bytes

FREE_BYTES, MAX_RATIO = 16_000_000, 100
"""Bytes to which any compressed file may unpack, and how many times its own size a larger one. Lists of edges shrink to
a third or a tenth; what shrinks more is a file of a few bytes that would fill the memory."""
_DECLARED = re.compile(rb"\A\s*<\?xml[^>]*\bencoding\s*=\s*[\"']([A-Za-z0-9._-]{1,40})[\"']")


def read_graph_bytes(path: str | os.PathLike[str]) -> bytes:
    """Bytes of a file, unpacked if it is compressed; raises the errors of `kt_models.storage.read_bytes`."""
    data = read_bytes(path)
    if compression_of(data) is None:
        return data
    most = min(MAX_FILE_BYTES, max(FREE_BYTES, MAX_RATIO * len(data)))
    pieces, size = [], 0
    for piece in decompressed([data]):
        pieces.append(piece)
        size += len(piece)
        if size > most:
            if most < MAX_FILE_BYTES:
                raise TooLarge(f"its {len(data):,} bytes unpack to more than {most:,}; unpack it yourself")
            raise TooLarge(f"it has more than {MAX_FILE_BYTES:,} bytes when unpacked, the most that is read")
    return b"".join(pieces)


def graph_text(data: bytes) -> str:
    """Text of the bytes of a file.

    Raises
    ------
    KTError
        If it is not UTF-8, or what an XML declaration says.
    """
    declared = _DECLARED.match(data[:1000])
    encoding = declared[1].decode() if declared else "utf-8"
    try:
        utf8 = codecs.lookup(encoding).name in ("utf-8", "ascii")
        return data.decode("utf-8-sig" if utf8 else encoding)
    except (LookupError, UnicodeError):
        raise KTError(f"not a text file ({encoding.upper()}{', as it says' if declared else ''})") from None
