"""JSON objects with long arrays of integers, read and written in blocks: as lists they take thirty times the memory."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from kt_models.errors import KTError, about
from kt_models.storage import parse_json, read_bytes, read_text

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

MAX_PLAIN_TEXT = 1 << 20
"""Longest text that is parsed or written at once, and the length of the blocks of longer texts."""
ROWS_AT_ONCE = 1 << 15
"""Rows of an array that are turned into text together."""
ARRAYS = ("tour", "moves")
"""Keys of long arrays."""


def read_tour_json(path: str | os.PathLike[str], memory: int | None = None) -> Any:
    """Read the JSON value of a file like `read_json`, with long `ARRAYS` of a tour or result as NumPy arrays.

    As lists they would take thirty times as much memory.
    """
    with about(path):
        data = read_bytes(path, memory)
        if len(data) > MAX_PLAIN_TEXT:
            document = _with_arrays(data)
            if document is not None:
                return document
        del data
        return parse_json(read_text(path, memory))


def _with_arrays(data: bytes) -> dict[str, Any] | None:
    """A JSON object whose arrays are cut out of its text and put back as NumPy arrays; `None` if that is impossible.

    An array is parsed by blocks, each as its own JSON array, and only if all its entries are lists of equally many
    integers. So the values are those that `json` reads, and nothing that `json` refuses is accepted.
    """
    arrays: dict[str, tuple[str, npt.NDArray[np.int64]]] = {}
    for key in ARRAYS:
        first = re.search(rb'"%s"\s*:\s*(\[)\s*\[' % key.encode(), data)
        last = first and re.compile(rb"\]\s*\]").search(data, first.end())
        if first is None or last is None or last.end() - first.start(1) < MAX_PLAIN_TEXT:
            continue
        rows = _rows_of(memoryview(data)[first.start(1) + 1 : last.end() - 1])
        place = os.urandom(16).hex()  # Random, so that no file can contain it
        if rows is None:
            return None
        arrays[key] = place, rows
        data = data[: first.start(1)] + json.dumps(place).encode() + data[last.end() :]
    try:
        document = parse_json(data.decode("utf-8-sig"))
    except (KTError, UnicodeDecodeError):
        return None  # The whole text is parsed again, for an accurate error message
    if not arrays or not isinstance(document, dict) or document.get("kind") not in ("tour", "result"):
        return None
    if any(document.get(key) != place for key, (place, _) in arrays.items()):
        return None
    return document | {key: rows for key, (_, rows) in arrays.items()}


def _rows_of(text: memoryview) -> npt.NDArray[np.int64] | None:
    """Entries of a JSON array, from the text between its brackets, if they are equally long lists of integers."""
    import numpy as np

    blocks: list[npt.NDArray[np.int64]] = []
    begin = 0
    while begin < len(text):
        block = bytes(text[begin : begin + MAX_PLAIN_TEXT])
        end = len(block)
        if begin + end < len(text):
            cuts = list(re.finditer(rb"\]\s*,", block))
            if not cuts:
                return None
            end = cuts[-1].end()
            block = block[: end - 1]
        try:
            rows = json.loads(b"[" + block + b"]")
            width = blocks[0].shape[1] if blocks else len(rows[0])
            if not width or not all(type(row) is list and len(row) == width for row in rows):
                return None
            if not all(type(number) is int for row in rows for number in row):
                return None
            blocks.append(np.array(rows, dtype=np.int64))
        except (ValueError, OverflowError, IndexError, TypeError, RecursionError):
            return None
        begin += end
    return np.concatenate(blocks) if blocks else None


def json_pieces(data: dict[str, Any]) -> Iterator[str]:
    """Text of a JSON object, as `json.dumps` writes it, in pieces; values may be NumPy arrays."""
    held, size = ["{"], 0
    for number, (key, value) in enumerate(data.items()):
        held.append(f"{', ' if number else ''}{json.dumps(key)}: ")
        for piece in _array_pieces(value) if hasattr(value, "tolist") else (json.dumps(value),):
            held.append(piece)
            size += len(piece)
            if size > MAX_PLAIN_TEXT:
                yield "".join(held)
                held, size = [], 0
    yield "".join(held) + "}"


def _array_pieces(array: npt.NDArray[Any]) -> Iterator[str]:
    yield "["
    for first in range(0, len(array), ROWS_AT_ONCE):
        yield (", " if first else "") + json.dumps(array[first : first + ROWS_AT_ONCE].tolist())[1:-1]
    yield "]"


def with_lists(data: dict[str, Any]) -> dict[str, Any]:
    """A JSON object with lists in place of NumPy arrays."""
    return {key: value.tolist() if hasattr(value, "tolist") else value for key, value in data.items()}
