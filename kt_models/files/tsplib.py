"""TSPLIB files: keywords with values, and sections of numbers; `graph_forms.tsplib` makes graphs of them.

A keyword begins a line, in upper or lower case. Its value extends to the next keyword: a text (the lines of `NAME` and
`COMMENT` contain no keywords), a word, or numbers. A section may end in -1, as the format requires, or with the next
keyword or the text; many programs omit the -1.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from kt_models.decimals import number_in, scaled
from kt_models.errors import KTError
from kt_models.storage import lines_of

Content = Literal["text", "word", "numbers", "reals", "end"]
KEYWORDS: dict[str, Content] = {
    "NAME": "text",
    "COMMENT": "text",
    "TYPE": "word",
    "DIMENSION": "word",
    "EDGE_DATA_FORMAT": "word",
    "EDGE_DATA_SECTION": "numbers",
    "FIXED_EDGES_SECTION": "numbers",
    "EDGE_WEIGHT_TYPE": "word",
    "EDGE_WEIGHT_FORMAT": "word",
    "EDGE_WEIGHT_SECTION": "numbers",
    "NODE_COORD_TYPE": "word",
    "NODE_COORD_SECTION": "reals",
    "DISPLAY_DATA_TYPE": "word",
    "DISPLAY_DATA_SECTION": "reals",
    "TOUR_SECTION": "numbers",
    "EOF": "end",
}
"""Keywords that are read, and the type of their values. `_SECTION` may be omitted."""
_KEYWORD = re.compile(r"\s*([A-Za-z][A-Za-z_]*)\s*(?::|\s|$)\s*(.*?)\s*")
_NUMBER = re.compile(r"[-+]?[0-9]{1,15}")
_REAL = re.compile(r"[-+]?([0-9]{1,18}(\.[0-9]{0,30})?|\.[0-9]{1,30})([eE][-+]?[0-9]{1,2})?")
_REMARK = re.compile(r"(?<=^TSP)\s*\((?!.*(direct|arc|asym|orient|way))[^()]*\)$", re.IGNORECASE)
"""A remark after a TYPE without a meaning: files of TSPLIB have the name of an author there."""
END = -1
"""Ends a section."""


@dataclass(frozen=True)
class Tsplib:
    """Content of a TSPLIB text.

    Parameters
    ----------
    values
        The words by keyword, in capitals.
    texts
        The lines of `NAME` and `COMMENT`.
    sections
        The numbers by keyword, with every -1.
    lines
        The line of each of these numbers.
    decimals
        How many decimals the numbers of the `EDGE_WEIGHT_SECTION` have, which are integers in units of
        `10**-decimals`.
    """

    values: dict[str, str]
    texts: list[str]
    sections: dict[str, npt.NDArray[Any]]
    lines: dict[str, list[int]]
    decimals: int = 0

    @property
    def dimension(self) -> int:
        """Number of vertices.

        Raises
        ------
        KTError
            If the text does not have it.
        """
        if not re.fullmatch(r"[0-9]{1,9}", self.values.get("DIMENSION", "")):
            raise KTError("DIMENSION is missing or is not a number")
        return int(self.values["DIMENSION"])


def parse_tsplib(text: str) -> Tsplib:
    """Parse the keywords and numbers of a TSPLIB text.

    Raises
    ------
    KTError
        If a line is neither a known keyword nor numbers of a section, or a keyword is repeated.
    """
    content, section = Tsplib({}, [], {}, {}), ""
    words: dict[str, list[str]] = {}
    ended = False
    for number, line in enumerate(lines_of(text), start=1):
        if not line.strip():
            continue
        if ended:
            raise KTError(f"line {number}: {line.strip()[:40]!r} stands after EOF")
        match = _KEYWORD.fullmatch(line)
        if match is None:
            if not section:
                raise KTError(f"line {number}: {line.strip()[:40]!r} is neither a keyword nor part of a section")
            words[section] += line.split()
            # The lines are kept because errors and one-line lists need them
            content.lines[section] += [number] * len(line.split())
            continue
        keyword = _keyword(match[1], number)
        kind, value = KEYWORDS[keyword], match[2]
        section = ""
        if kind == "text":
            content.texts.append(value)
        elif keyword in content.values or keyword in words:
            raise KTError(f"line {number}: {keyword} occurs twice")
        elif kind == "word":
            content.values[keyword] = _REMARK.sub("", value).upper() if keyword == "TYPE" else value.upper()
        elif kind in ("numbers", "reals"):
            section, words[keyword] = keyword, value.split()
            content.lines[keyword] = [number] * len(words[keyword])
        else:
            ended = True
    decimals = 0
    weights = words.get("EDGE_WEIGHT_SECTION", [])
    if not all(map(_NUMBER.fullmatch, weights)) and all(map(_REAL.fullmatch, weights)):
        integers, decimals = scaled(list(map(number_in, words.pop("EDGE_WEIGHT_SECTION"))), "weight {}".format)
        content.sections["EDGE_WEIGHT_SECTION"] = integers
    content.sections.update({keyword: _numbers(keyword, numbers) for keyword, numbers in words.items()})
    return replace(content, decimals=decimals)


def _keyword(word: str, number: int) -> str:
    """A keyword in the spelling of `KEYWORDS`."""
    upper = word.upper()
    # Some programs leave out "_SECTION"
    for keyword in (upper, f"{upper}_SECTION"):
        if keyword in KEYWORDS:
            return keyword
    raise KTError(f"line {number}: {word[:40]!r} is not a keyword that is read; these are {', '.join(KEYWORDS)}")


def _numbers(keyword: str, words: list[str]) -> npt.NDArray[Any]:
    reals = KEYWORDS[keyword] == "reals"
    for word in words:
        if not (_REAL if reals else _NUMBER).fullmatch(word):
            kind = "number" if reals or keyword == "EDGE_WEIGHT_SECTION" else "vertex number"
            raise KTError(f"{word[:20]!r} in the {keyword} is not a {kind}")
    return np.array(words, dtype=np.float64 if reals else np.int64)
