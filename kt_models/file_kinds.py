"""Kinds of files, recognised by their content, so that no file is replaced by one of another kind.

A JSON file states its kind. Every other file that kt writes contains a mark: a comment, or a name in its metadata.
"""

from __future__ import annotations

import os
import re

HEAD_BYTES, TAIL_BYTES = 1 << 16, 1 << 12
"""Bytes at the beginning and at the end of a file that are searched: marks stand there."""
MARKS = {
    ".svg": rb"\s*<(\?xml|svg\b).*(\.kt-paper\b|<dc:title>kt</dc:title>)",
    ".png": rb"\x89PNG.*Software\x00kt",
    ".pdf": rb"%PDF.*/Creator \(kt\)",
    ".tex": rb"% kt: ",
    ".html": rb'<!doctype html>.*<meta name="generator" content="kt',
    ".gif": rb"GIF8.*\x21\xfe\x02kt\x00",
    ".mp4": rb".{4}ftyp.*cmt.{1,40}kt",
    ".xlsx": rb"PK\x03\x04.*<dc:creator>kt</dc:creator>",
    ".tour": rb"NAME : [^\n]*\nCOMMENT : kt [^\n]*\nTYPE : TOUR\n",
    ".hcp": rb"NAME : [^\n]*\nCOMMENT : kt [^\n]*\nTYPE : HCP(_DIRECTED)?\n",
    ".col": rb"c kt [^\n]*\n(c kt-labels?|p edge) ",
    ".dimacs": rb"c kt [^\n]*\n(c kt-labels?|p edge) ",
    ".edges": rb"# kt ",
    ".cnf": rb"c kt [^\n]*\nc ",
    ".wcnf": rb"c kt [^\n]*\nc ",
    ".opb": rb"\* #variable=[^\n]*\n\* kt ",
    ".lp": rb"\\ kt ",
    ".mps": rb"NAME kt\n",
    ".pb.txt": rb"# kt ",
    ".mzn": rb"% kt ",
    ".xml": rb"<!-- kt ",
    ".smt2": rb"; kt ",
}
"""Beginning of the content of kt's files, including the mark, by the suffix of their names."""
ALIKE = ({"result", "tour"}, {"gadget", "gadgets"}, {"puzzle", "puzzles"})
"""Kinds of JSON files that may replace one another."""
LIST = "list of tours"
_KIND = re.compile(rb'\s*\{.{0,4000}?"kind"\s*:\s*"([\w-]{1,40})"', re.DOTALL)
_VERSION = re.compile(rb'"version"\s*:\s*[12]\s*[,}]')
_MODEL = re.compile(rb'"format"\s*:\s*"([.\w]{1,10})"')


def suffix_in(path: str | os.PathLike[str]) -> str:
    """The suffix of a file's name, preferably one that has a mark."""
    name = os.path.basename(os.fspath(path)).lower()
    return next((suffix for suffix in MARKS if name.endswith(suffix)), os.path.splitext(name)[1])


def json_kind(content: bytes, suffix: str = ".json") -> str | None:
    """The kind of a JSON object of kt, or of the first of several; `None` for anything else.

    Files of other programs may also state a kind, and those of a newer kt may have unknown ones.
    """
    match = _KIND.match(content)
    if match is None or _VERSION.search(content) is None:
        return None
    kind = match[1].decode()
    if kind == "tour" and (suffix == ".jsonl" or re.search(rb"\n\{", content)):
        return LIST
    if kind == "model" and (of := _MODEL.search(content)):
        return f"model {of[1].decode()}"  # A map belongs to one model: it would misread the solutions of another
    return kind


def json_kind_of(path: str | os.PathLike[str]) -> str | None:
    """The kind of the JSON in a file; `None` also if it cannot be read."""
    try:
        return json_kind(_ends_of(path), suffix_in(path))
    except OSError:
        return None


def holds_another(path: str | os.PathLike[str], kinds: tuple[str, ...]) -> str | None:
    """The content of a file in words, if it may not be replaced by a file of these kinds; `None` if it may.

    Parameters
    ----------
    path
        Path of a file that exists.
    kinds
        Kinds of JSON to be written; without them the suffix tells the kind.
    """
    content = _ends_of(path)
    if not content.strip():
        return None
    suffix = suffix_in(path)
    held = json_kind(content, suffix)
    if kinds:
        allowed = {*kinds, *(kind for alike in ALIKE if alike & {*kinds} for kind in alike)}
        return None if held in allowed else f"JSON of kind {held!r}" if held else "something else"
    if suffix in MARKS:
        return None if re.match(MARKS[suffix], content, re.DOTALL) else "something that is not of kt"
    return None if held else "something that is not of kt"


def _ends_of(path: str | os.PathLike[str]) -> bytes:
    """The beginning and the end of a file."""
    with open(path, "rb") as stream:
        head = stream.read(HEAD_BYTES)
        size = stream.seek(0, os.SEEK_END)
        stream.seek(max(len(head), size - TAIL_BYTES))
        return head + stream.read()
