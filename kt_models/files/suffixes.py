"""Suffixes of file names and the formats that they stand for; for standard input, `-`, the content decides."""

from __future__ import annotations

import os
import re
from functools import cache

from kt_models.arguments import require_path
from kt_models.board import is_board
from kt_models.errors import KTError, nearest
from kt_models.storage import STANDARD, read_text, with_line_feeds

_CODE = "[?-~]++"
"""A line of graph6; sparse6 has a colon before it, digraph6 an ampersand."""
_SIXTY = re.compile(r"\{[?-~]{295}\s*$", re.MULTILINE)
"""graph6 of 60 vertices, which begins like JSON."""
_EMPTY = r"[ \t\r]*+"
_XML = r"\A\s*+(?:<\?xml[^>]*+>\s*+)?+(?:(?:<!--(?:[^-]|-(?!->))*+-->|<!DOCTYPE[^>\[]*+>)\s*+)*+"
_DOT_NAME = r'(?:"[^"]*+"|<[^>]*+>|[\w.-]++)?+'
_DOT_SPACE = r"(?:\s++|//.*+|\#.*+|/\*(?:[^*]|\*(?!/))*+\*/)*+"
SIGNS = {  # Every repetition is possessive, so no pattern backtracks, however long the text is
    ".hcp": rf"^{_EMPTY}(EDGE_DATA(_SECTION)?|EDGE_WEIGHT_(SECTION|TYPE))([:\s]|$)",
    ".tour": rf"^{_EMPTY}TOUR(_SECTION)?([:\s]|$)",
    ".col": rf"^{_EMPTY}p\s++(edge|edges|col)\s",
    ".g6": r"\A\s*+>>graph6<<",
    ".s6": rf"\A\s*+(>>sparse6<<|:{_CODE}{_EMPTY}$)",
    ".d6": rf"\A\s*+(>>digraph6<<|&{_CODE}{_EMPTY}$)",
    ".graphml": rf"{_XML}<graphml[\s>]",
    ".gexf": rf"{_XML}<gexf[\s>]",
    ".mtx": r"\A%%MatrixMarket\s",
    ".net": rf"\A(?:{_EMPTY}(?:%.*+|\*network\b.*+)?+\n)*+{_EMPTY}\*vertices\s",
    ".gml": r'\A(?:\s*+(?:\#.*+|(?:creator|version|comment)\s++(?:"[^"]*+"|\S++)))*+\s*+graph\s*+\[',
    ".dot": rf"\A{_DOT_SPACE}(?:strict\s{_DOT_SPACE})?(?:di)?graph\b{_DOT_SPACE}{_DOT_NAME}{_DOT_SPACE}\{{",
    ".lst": rf"\A(?:{_EMPTY}\n)*+{_EMPTY}(?:graph\s++[0-9]++,\s*+order\s++[0-9]++\."
    rf"|[0-9]++[ \t]*+:(?:[ \t]*+[0-9]++)*+[ \t]*+;?{_EMPTY}$)",
    ".edges": rf"\A(?:{_EMPTY}(?:[#%].*+)?+\n)*+{_EMPTY}-?[0-9]++(?:[ \t]*+,[ \t]*+|[ \t]++)-?[0-9]++"
    rf"(?:[ \t]*+,.*+|[ \t]++.*+)?{_EMPTY}$",
}
"""Patterns of lines that identify the format of a text without a file name."""
GRAPH_SUFFIXES: dict[str, tuple[str, ...]] = {
    ".hcp": ("tsplib",),
    ".tsp": ("tsplib",),
    ".atsp": ("tsplib",),
    ".col": ("dimacs",),
    ".edge": ("dimacs",),
    ".dimacs": ("dimacs",),
    ".edges": ("edges", "dimacs"),
    ".edgelist": ("edges", "dimacs"),
    ".json": ("json",),
    ".g6": ("graph6",),
    ".s6": ("sparse6",),
    ".d6": ("digraph6",),
    ".adjlist": ("neighbours", "lists"),
    ".adj": ("neighbours", "lists"),
    ".lst": ("lists", "rows"),
    ".graph": ("metis",),
    ".metis": ("metis",),
    ".mtx": ("matrix",),
    ".xy": ("points",),
    ".xyz": ("points",),
    ".gml": ("gml",),
    ".graphml": ("graphml",),
    ".gexf": ("gexf",),
    ".net": ("pajek",),
    ".paj": ("pajek",),
    ".dot": ("dot",),
    ".gv": ("dot",),
    ".planar_code": ("planar_code",),
    ".planarcode": ("planar_code",),
    ".plc": ("planar_code",),
    ".pc": ("planar_code",),
    ".multi_code": ("multi_code",),
    ".multicode": ("multi_code",),
    ".mc": ("multi_code",),
    ".edge_code": ("edge_code",),
    ".edgecode": ("edge_code",),
    ".ec": ("edge_code",),
    ".scd": ("scd",),
    ".plantri": ("letters",),
}
"""Forms of graphs for each suffix, by their names in `kt_models.files.graph_forms`."""
COMPRESSIONS = (".gz", ".bz2", ".xz", ".zst", ".zstd")
"""Suffixes that the name of a compressed file may have behind its own."""
_SYNONYMS = {
    **dict.fromkeys((".jpg", ".jpeg", ".bmp", ".tif", ".tiff", ".webp"), ".png"),
    **dict.fromkeys((".eps", ".ps"), ".pdf"),
    **dict.fromkeys((".avi", ".mov", ".mkv", ".webm"), ".mp4"),
    ".htm": ".html",
}
"""Suffixes of pictures, films and pages that are not written, and the suffix of the same kind that is."""
TOUR_TEXTS = (".txt", ".csv", ".moves", ".coords", ".succ")
"""Suffixes of files of tours that contain no mark of kt."""
RESULT_FILES = (".json", ".tour", *TOUR_TEXTS, ".svg", ".png", ".html", ".pdf", ".tex")
"""Suffixes of files in which results are written."""
PUZZLE_FILES = (".json", ".pdf", ".svg", ".html", ".png")
"""Suffixes of files in which puzzles are written."""


@cache
def sign_of(suffix: str) -> re.Pattern[str]:
    """The compiled sign of a suffix; most commands ask for none."""
    return re.compile(SIGNS[suffix], re.MULTILINE | re.IGNORECASE)


def file_suffix(path: str | os.PathLike[str]) -> str:
    """The suffix that describes a file's content, in lower case, such as `.json`."""
    name = require_path(path)
    if name != STANDARD:
        return os.path.splitext(name)[1].lower()
    return suffix_of_text(read_text(path))


def graph_suffix(path: str | os.PathLike[str]) -> str:
    """The suffix that describes the graphs of a file, which may be compressed: `.g6` for `list.g6.gz`."""
    stem, suffix = os.path.splitext(os.fspath(path).lower())
    return os.path.splitext(stem)[1] if suffix in COMPRESSIONS else suffix


def suffix_of_text(text: str) -> str:
    """The suffix that describes a text without a file name; empty if no format is recognised."""
    text = with_line_feeds(text).lstrip()
    if text.startswith("{") and not _SIXTY.match(text):
        return ".jsonl" if text[: text.find("\n") + 1].rstrip().endswith("}") and "\n{" in text else ".json"
    for suffix in SIGNS:
        if sign_of(suffix).search(text):
            return suffix
    return ""


def is_path(text: str) -> bool:
    """Whether a board text names a file with a graph or a board; `-` is standard input.

    It does if its suffix says so; with any other suffix, if there is such a file, and no board of that name. Folders
    and devices count as files: whoever reads them says what they are.
    """
    return has_graph_suffix(text) or (bool(text) and os.path.exists(text) and not is_board(text))


def has_graph_suffix(text: str) -> bool:
    """Whether a text is the name of a file of a graph, whether or not the file exists."""
    return text == STANDARD or graph_suffix(text) in GRAPH_SUFFIXES


def allowed_suffix(path: str | os.PathLike[str], allowed: tuple[str, ...]) -> str:
    """The suffix of a file's name, if it is an allowed one; standard output gets the first kind.

    Raises
    ------
    KTError
        If the suffix is another one; the message names the file and the suffixes that are possible.
    """
    path = require_path(path, "file")
    if path == STANDARD:
        return allowed[0]
    lowered = path.lower()
    for suffix in allowed:
        if lowered.endswith(suffix):
            return suffix
    stem, suffix = os.path.splitext(path)
    guess = nearest(suffix, allowed, _SYNONYMS) if suffix else ""
    meant = f", did you mean {stem + guess!r}? The" if guess else ": the"
    raise KTError(f"{path or repr(path)}{meant} name has to end in one of {', '.join(allowed)}")
