"""Signs of drawn grids: one table for masks and grids of clues, and how the lines of a drawing become rows of signs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

from kt_models.arguments import require_text
from kt_models.errors import KTError, excerpt

BLANK = " "
"""A blank in a drawing, or nothing between two separators."""
_Entry = TypeVar("_Entry")
Grid = list[list[_Entry]]


@dataclass(frozen=True)
class Sign:
    """The meaning of a sign, if `--cells` does not decide.

    Parameters
    ----------
    mark
        The sign. A grid of clues may repeat it to align columns.
    mask
        In a mask: a cell, or a hole; None if masks do not have it.
    clues
        In a grid of clues: a free cell, or a hole; None for a free cell unless the grid has another sign for them.
    """

    mark: str
    mask: bool | None
    clues: bool | None


SIGNS = {
    sign.mark: sign
    for sign in (
        Sign("#", True, False),
        Sign("1", True, True),
        Sign("0", False, True),
        Sign(".", False, True),
        Sign(BLANK, False, True),
        Sign("_", None, True),
        Sign("?", None, True),
        Sign("-1", None, None),
        Sign("-", None, None),
        Sign("x", None, None),
        Sign("X", None, None),
        Sign("*", None, None),
    )
}
"""All signs by their marks. In a grid of clues `1` is a number, like all others."""
MASK_ALPHABETS = ("#.", "10")
"""A cell and a hole in each alphabet of masks; a blank is a hole in both."""
MASK_WORDS = "'#' (cell) and '.' (hole), or of '1' and '0'"
_SEPARATORS = re.compile(r"[,;|\t]")
_SIZE = re.compile(r"\s*([0-9]{1,6})(?:\s*[x×,;\s]\s*([0-9]{1,6}))?\s*")


def parse_cells(text: str) -> frozenset[str]:
    """The signs of `--cells`: `#`, `.`, `_.`, `-1`.

    Raises
    ------
    KTError
        If the text has no sign.
    """
    require_text(text, "cells", "the sign of a cell, such as '#'")
    signs = re.findall(r"-1|(?s:.)", text)
    if not signs or not text.isprintable():
        raise KTError(f"cells {excerpt(text)}: the sign of a cell is needed, such as '#' or '.'")
    return frozenset(signs)


def is_drawing(text: str) -> bool:
    """Whether a text has several lines of signs and numbers only, with `#` or `.` among them."""
    lines = [line for line in text.split("\n") if line.strip()]
    return len(lines) > 1 and ("#" in text or "." in text) and bool(re.fullmatch(r"[#.0-9_?xX*,;|\s-]+", text))


# -- masks -------------------------------------------------------------------------------------------------------------


def mask_of_lines(lines: Iterable[str], name: str, cells: str | None = None) -> list[list[bool]]:
    """Rows of a drawn mask, the top one first, all of one length; True at cells.

    Parameters
    ----------
    name
        The name of the board, for errors.
    cells
        The signs of cells; all others are holes.

    Raises
    ------
    KTError
        If the drawing has an unknown sign, one of each alphabet, no cell, or lines of several lengths where holes are
        not blanks; or if it may mean two boards.
    """
    signs = None if cells is None else parse_cells(cells)
    texts = [line.rstrip(" \r\n") for line in lines]
    while texts and not texts[-1].strip():
        texts.pop()
    while texts and not texts[0].strip():
        texts.pop(0)
    known = {sign.mark for sign in SIGNS.values() if sign.mask is not None} if signs is None else signs | {*SIGNS}

    def may_be(rows: list[list[str]]) -> bool:
        return all(sign in known for row in rows for sign in row)

    rows = without_size(texts, lambda some: _mask_rows(some, name, signs), may_be, f"board {name}")
    width = max(map(len, rows), default=0)
    # A mask with marked holes has lines of one length; without them trailing blanks may be missing
    marked = any(sign not in (BLANK, "#", "1", *(signs or ())) for row in rows for sign in row)
    _require_alphabet(rows, name, signs, skipped=len(texts) - len(rows))
    for number, row in enumerate(rows, start=1 + len(texts) - len(rows)):
        if not row or (marked and len(row) < width):
            raise KTError(
                f"board {name}: line {number} has {len(row)} characters and another {width}; a mask is made of "
                f"{MASK_WORDS}, in lines of one length"
            )
    rows = [row + [BLANK] * (width - len(row)) for row in rows]
    if signs is None and (floor := _walled(rows)):
        raise KTError(
            f"board {name}: its '#' may be cells, or walls around the {floor!r}: say --cells '#' or --cells {floor!r} "
            "(in Python cells=)"
        )
    mask = [[sign in signs if signs is not None else SIGNS[sign].mask is True for sign in row] for row in rows]
    if not any(map(any, mask)):
        wanted = "'#' or '1'" if signs is None else " or ".join(map(repr, sorted(signs)))
        raise KTError(f"board {name}: the mask has no cell ({wanted})")
    return mask


def _require_alphabet(rows: list[list[str]], name: str, signs: frozenset[str] | None, skipped: int) -> None:
    """Refuse unknown signs; without `--cells`, also signs that are not of masks, or of two alphabets."""
    if signs is None:
        used = {sign for row in rows for sign in row}
        first, second = (used & set(alphabet) for alphabet in MASK_ALPHABETS)
        if first and second:
            marks = " and ".join(map(repr, (min(first), min(second))))
            raise KTError(f"board {name}: it has {marks}; a mask is made of {MASK_WORDS}, and not of both")
    for number, row in enumerate(rows, start=1 + skipped):
        for sign in row:
            if signs is None and (sign not in SIGNS or SIGNS[sign].mask is None):
                raise KTError(
                    f"board {name}: line {number} has {sign!r}; a mask is made of {MASK_WORDS}; --cells names other "
                    "signs of cells (in Python cells=)"
                )
            if signs is not None and sign not in signs and sign not in SIGNS:
                raise KTError(f"board {name}: line {number} has {sign!r}, which is neither among --cells nor a hole")


def _mask_rows(lines: Sequence[str], name: str, signs: frozenset[str] | None) -> list[list[str]]:
    """Signs of each line of a mask, with or without separators between them."""
    if any(_SEPARATORS.search(line) for line in lines):
        rows = [[part.strip() or BLANK for part in _SEPARATORS.split(line)] for line in lines]
        for column in (0, -1):  # A separator may also begin or end every line
            if rows and all(len(row) > 1 and row[column] == BLANK for row in rows):
                rows = [row[1:] if column == 0 else row[:-1] for row in rows]
        return rows
    words = [line.split() for line in lines]
    drawn = [list(line) for line in lines]
    used = {sign for row in words for word in row for sign in word}
    single = all(len(word) == 1 or word == "-1" for row in words for word in row)
    if not single or BLANK in (signs or ()) or not any(len(row) > 1 for row in words):
        inner = next((number for number, row in enumerate(words, start=1) if len(row) > 1), None)
        if inner is not None and signs is None and "0" in used:
            raise KTError(
                f"board {name}: line {inner} has '0' and a blank between digits; holes are '0', and blanks separate "
                "all signs or none"
            )
        if signs is None and used == {"1"} and _has_blank_column(drawn):
            raise _blanks_asked_about(name, "1")
        return drawn
    digits = any(sign.isdigit() for sign in used)
    spread = len({place % 2 for line in lines for place, sign in enumerate(line) if sign != BLANK}) == 1
    if not digits and not spread:
        return drawn
    if not digits and len(used) == 1:
        if signs is not None:  # A sign is not cells and separated cells at once
            return drawn
        raise _blanks_asked_about(name, min(used))
    if len({len(row) for row in words}) > 1:
        number = next(k for k, row in enumerate(words, start=1) if len(row) != len(words[0]))
        raise KTError(
            f"board {name}: line {number} has {len(words[number - 1])} signs, and line 1 has {len(words[0])}; blanks "
            "separate signs here, so a hole is '0' or '.'"
        )
    return words


def _blanks_asked_about(name: str, mark: str) -> KTError:
    return KTError(
        f"board {name}: the blanks between its {mark!r} may be holes or separators: say --cells {mark!r} for holes "
        "(in Python cells=), or leave them out"
    )


def _has_blank_column(rows: list[list[str]]) -> bool:
    """Whether a column between signs is blank in all rows, as between groups of digits."""
    drawn = {place for row in rows for place, sign in enumerate(row) if sign != BLANK}
    return any(place not in drawn for place in range(min(drawn, default=0), max(drawn, default=0)))


def _walled(rows: list[list[str]]) -> str:
    """The sign of the floor if `#` may be its walls: no floor is at the edge, or one passage has one or two doors."""
    marks = {sign for row in rows for sign in row}
    if not {"#"} < marks <= {"#", ".", BLANK}:
        return ""
    floor = "." if "." in marks else BLANK
    height, width = len(rows), len(rows[0])
    places = {(x, y) for y in range(height) for x in range(width) if rows[y][x] == floor}
    doors = {(x, y) for x, y in places if x in (0, width - 1) or y in (0, height - 1)}
    beside = {(x + 1, y) for x, y in places} | {(x - 1, y) for x, y in places}
    beside |= {(x, y + 1) for x, y in places} | {(x, y - 1) for x, y in places}
    if any(rows[y][x] not in ("#", floor) for x, y in beside if 0 <= x < width and 0 <= y < height):
        return ""  # What is outside begins beside the floor
    if doors and (len(doors) > 2 or len(places) <= 2 * len(doors) or not _is_connected(places)):
        return ""
    return floor


def _is_connected(places: set[tuple[int, int]]) -> bool:
    left, stack = set(places), [next(iter(places))]
    left.discard(stack[0])
    while stack:
        x, y = stack.pop()
        near = left & {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)}
        left -= near
        stack += near
    return not left


# -- grids of clues ----------------------------------------------------------------------------------------------------


def sign_of(word: str) -> str:
    """The sign that a word of a grid of clues repeats; the word itself if it is none."""
    return word[0] if word and len(set(word)) == 1 and word[0] in SIGNS else word


def free_signs(used: Iterable[str], complete: bool, cells: str | None = None) -> frozenset[str]:
    """Signs of a grid of clues that mean free cells; the others are holes.

    Parameters
    ----------
    used
        The signs in the grid besides its numbers.
    complete
        Whether the clues are 1, 2, ..., k for their number k.

    Raises
    ------
    KTError
        If the grid has two signs that may both be of free cells, and `cells` does not decide.
    """
    if cells is not None:
        return parse_cells(cells)
    marks = {sign for sign in used if sign in SIGNS}
    holes = {sign for sign in marks if SIGNS[sign].clues is False}
    if "-1" in marks and len(marks - holes) > 1 and marks - holes <= {"-1", "0", BLANK}:
        holes.add("-1")  # As in programs, beside 0 or nothing for free cells
    unclear = sorted(marks - holes)
    certain = all(SIGNS[sign].clues for sign in unclear)
    # Holes with a sign of their own leave only free cells to the other signs; so does a lone sign in an open puzzle
    if (certain and (holes or len(unclear) <= 1)) or (len(unclear) == 1 and (holes or not complete)):
        return frozenset(unclear)
    if len(unclear) == 1:
        raise KTError(
            f"clues: {unclear[0]!r} may be a free cell or a hole, as the numbers run from 1 to the last: say --cells "
            f"{unclear[0]!r} for free cells (in Python cells=), or write '#' for holes"
        )
    raise KTError(
        f"clues: {', '.join(map(repr, unclear[:-1]))} and {unclear[-1]!r} may be free cells or holes: --cells has the "
        f"signs of free cells, as in --cells {unclear[0]!r} (in Python cells=)"
    )


# -- the size above a grid ---------------------------------------------------------------------------------------------


def without_size(
    lines: Sequence[str],
    split: Callable[[Sequence[str]], Grid[_Entry]],
    may_be: Callable[[Grid[_Entry]], bool],
    name: str,
) -> Grid[_Entry]:
    """The rows of a grid without a first line that gives its size: `6`, `6 6`, `6x6`.

    Parameters
    ----------
    may_be
        Whether rows of one length can be a grid.

    Raises
    ------
    KTError
        If the first line may be the size or a row.
    """
    match = _SIZE.fullmatch(lines[0]) if len(lines) > 1 else None
    if match is None:
        return split(lines)
    try:
        rows = split(lines[1:])
    except KTError:
        return split(lines)
    sides = (int(match[1]), int(match[2] or match[1]))
    even = bool(rows) and all(len(first) == len(second) for first, second in pairwise(rows))
    if not even or sides not in ((len(rows), len(rows[0])), (len(rows[0]), len(rows))) or not may_be(rows):
        return split(lines)
    first = split(lines[:1])
    if len(first[0]) == len(rows[0]) and may_be(first + rows):
        raise KTError(f"{name}: line 1, {lines[0].strip()!r}, may be the size of the grid or a row: leave the size out")
    return rows
