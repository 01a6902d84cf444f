"""Scanning of text: the lines above a tour, rows of a grid, numbers, algebraic squares, nested lists."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from kt_models.board import Board
from kt_models.cells import parse_cell
from kt_models.errors import InvalidTour, KTError, excerpt
from kt_models.files.tour_forms.reading import Wholes
from kt_models.leaper import Leaper
from kt_models.storage import lines_of

MAX_DEPTH = 4
"""Most levels of nested brackets of a list."""
_HEADER = re.compile(
    r"#?\s*(board|graph)\s+(\S.*?)(?:, leaper (\S+?))?(?:, [0-9]+ vert\w+)?(?:, directed)?, (closed|open)"
)
_ROW = re.compile(r"(?=.{10} )[a-z][a-z _-]{0,9} +\S.*|[a-z][a-z -]{9,} \S.*")
"""A row that commands print above a tour: a name in ten columns, and words."""
_LAYER = re.compile(r"z = ([0-9]{1,6})")
_BORDER = re.compile(r"[\s+|=_:─-╿-]*(?:--|==|__|\+|[─━═┬┴┼╤╧╪])[\s+|=_:─-╿-]*")
_VERTICAL = re.compile("[│┃║╎╏┆┇┊┋]")
HOLE = re.compile(r"[.#*_·•■□█]+|[xX×-]{1,3}|None|nan|NaN|-1(\.0*)?")
"""Signs of a hole in a grid, besides an empty place; also 0, unless the numbers begin with it."""
_NUMBER = re.compile(r"[+]?([0-9]{1,12})(\.0*)?")
_WORDS = r"\b(?:(?:np|numpy)\.)?(?:array|tuple|list|int64|int32|None)\b|,?\s*dtype=[\w.']+"
_PIECE = re.compile(r"\b[KQRBNSH♘♞]?([a-z]{1,3}[0-9]{1,4})\b")
_MOVE = re.compile(r"[KQRBNSH♘♞]?([a-z]{1,3}[0-9]{1,4})\s*(?:-|–|—|→|->|x|:)?\s*[KQRBNSH♘♞]?([a-z]{1,3}[0-9]{1,4})")
_ONE_OR_TWO = re.compile(r"[KQRBNSH♘♞]?[A-Za-z]{1,3}[0-9]{1,4}(?:x?[KQRBNSH♘♞]?[a-z]{1,3}[0-9]{1,4})?")
_TOKENS = re.compile(r"\s*(?:([\[({])|([\])}])|([,;])|(-?[0-9]+(?:\.0*)?)|'([^']*)'|\"([^\"]*)\")")


_SIZE = re.compile(r"\s*([0-9]{1,4})[x\s,]\s*([0-9]{1,4})\s*")
"""The size of a grid, above it."""


@dataclass
class TourLines:
    """Lines of a text that hold a tour, and facts from the lines above.

    Parameters
    ----------
    rows
        Numbers of lines, from 1, and the lines.
    board, leaper, closed
        From the row `board` that kt prints.
    """

    rows: list[tuple[int, str]] = field(default_factory=list)
    board: Board | None = None
    leaper: Leaper | None = None
    closed: bool | None = None

    @property
    def text(self) -> str:
        """The remaining lines."""
        return "\n".join(line for _, line in self.rows)


def lines_with_tour(text: str) -> TourLines:
    """Remove comments, and the rows that kt prints above a tour; the row `board` is read."""
    tour_lines = TourLines()
    for number, line in enumerate(lines_of(text), start=1):
        stripped = line.strip()
        if match := _HEADER.fullmatch(stripped):
            tour_lines.closed = match[4] == "closed"
            if match[1] == "board":
                tour_lines.leaper = Leaper.parse(match[3]) if match[3] else None
                if not match[2].startswith(("@", "cells:", "mask")):
                    tour_lines.board = Board.parse(match[2])
        elif not (_is_remark(stripped) or (not tour_lines.rows and _ROW.fullmatch(line) and not _starts_a_tour(line))):
            tour_lines.rows.append((number, line))
    if len(tour_lines.rows) == 1:
        tour_lines.rows = _rows_of_line(*tour_lines.rows[0])
    tour_lines.rows = _without_size(tour_lines.rows)
    if tour_lines.closed is not None and not tour_lines.rows:
        raise KTError("there is no tour in it")
    return tour_lines


def _rows_of_line(number: int, line: str) -> list[tuple[int, str]]:
    """The rows of a grid in one line, `1 2 3; 4 5 6`, as Matlab writes them; otherwise the line."""
    rows = [row.strip() for row in line.strip().removeprefix("[").rstrip("];").split(";")]
    widths = {len(row.split()) for row in rows}
    grid = len(rows) > 1 and len(widths) == 1 and min(widths) > 1
    return [(number, row) for row in rows] if grid and re.fullmatch(r"[0-9.\s;-]+", "".join(rows)) else [(number, line)]


def _without_size(rows: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Rows without a first one that gives the size of a whole grid below, as programs for puzzles print it.

    Where the grid has all numbers once and more than two columns, the first line cannot be a row or anything else.
    """
    match = _SIZE.fullmatch(rows[0][1]) if len(rows) > 1 else None
    if match is None or not all(re.fullmatch(r"[0-9\s,]+", line) for _, line in rows[1:]):
        return rows
    grid = [re.findall("[0-9]+", line) for _, line in rows[1:]]
    sides = sorted((len(grid), len(grid[0])))
    if len(grid[0]) < 3 or {*map(len, grid)} != {len(grid[0])} or sorted(map(int, match.groups())) != sides:
        return rows
    words = [word for row in grid for word in row]
    numbers = sorted(map(int, words)) if max(map(len, words)) < 10 else []
    whole = numbers[:1] in ([0], [1]) and numbers == [*range(numbers[0], numbers[0] + len(numbers))]
    return rows[1:] if whole else rows


def _is_remark(line: str) -> bool:
    """Whether a line is empty, a comment, or the command whose output follows."""
    return not line or line.startswith(("$ kt ", "%", "//", "```")) or bool(re.match(r"#\s*[A-Za-z]|#$", line))


def _starts_a_tour(line: str) -> bool:
    """Whether a line has squares or a head of columns, and no words."""
    return all(_PIECE.fullmatch(word.strip(",;-")) or len(word) < 2 for word in line.split())


# -- rows of numbers ---------------------------------------------------------------------------------------------------


def table_of(lines: TourLines) -> list[list[list[int | None]]]:
    """Rows of a grid, layer by layer; `None` at holes.

    Raises
    ------
    KTError
        If an entry is neither a number nor a hole.
    """
    layers: list[list[tuple[int, str]]] = []
    for number, line in lines.rows:
        if match := _LAYER.fullmatch(line.strip()):
            if int(match[1]) != len(layers):
                raise KTError(f"line {number}: layer {match[1]} stands where layer {len(layers)} should")
            layers.append([])
        elif not layers:
            layers.append([(number, line)])
        else:
            layers[-1].append((number, line))
    return [_rows_of(layer) for layer in layers]


def _rows_of(lines: list[tuple[int, str]]) -> list[list[int | None]]:
    kept = [(number, _VERTICAL.sub("|", line)) for number, line in lines if not _is_border(line)]
    files = 0
    for number, line in kept[:]:
        letters = re.findall(r"[A-Za-z]+", line)
        if len(letters) > 1 and not re.search(r"[0-9]", line):
            wanted = [chr(ord("a") + k) if k < 26 else "" for k in range(len(letters))]
            if [letter.lower() for letter in letters] == wanted:
                files = len(letters)
                kept.remove((number, line))
    split = [(number, _fields(line)) for number, line in kept]
    if not any(re.search(r"[|,;\t]", line) for _, line in kept) and not files:
        # Without separators a blank cell shows only by its column
        split = _aligned(kept) or split
    if split and all(len(words) > 1 and not words[-1] for _, words in split):  # A mark ends each row
        split = [(number, words[:-1]) for number, words in split]
    rows = [[_entry(word, number) for word in words] for number, words in split]
    return _without_ranks(rows, files) if files else rows


def words_of(lines: TourLines) -> list[list[str]]:
    """Words of each row of a table without borders; empty between two marks with nothing between them."""
    kept = [_VERTICAL.sub("|", line) for _, line in lines.rows if not _is_border(line)]
    split = [_fields(line) for line in kept]
    if split and all(len(words) > 1 and not words[-1] for words in split) and any("," in line for line in kept):
        split = [words[:-1] for words in split]
    return split


def has_gaps(lines: TourLines) -> bool:
    """Whether words end in columns that lie one width apart, and some column is empty in some line."""
    aligned = _aligned(lines.rows)
    return aligned is not None and any(not word for _, words in aligned for word in words)


def _is_border(line: str) -> bool:
    return bool(_BORDER.fullmatch(line)) and not re.fullmatch(r"\s*(-|_)(\s+[-_])*\s*", line)


def _fields(line: str) -> list[str]:
    if "|" in line:
        inner = line.strip().removeprefix("|").removesuffix("|").split("|")
        if all(len(part.split()) <= 1 for part in inner) and len(inner) > 1:
            return [part.strip() for part in inner]
        line = line.replace("|", " ")
    for mark in (",", ";", "\t"):
        if mark in line:
            parts = [part.strip().strip("\"'") for part in line.strip(" \r").split(mark)]
            if any(len(part.split()) > 1 for part in parts):
                return line.replace(mark, " ").split()
            return parts
    return line.split()


def _entry(word: str, number: int) -> int | None:
    if not word or HOLE.fullmatch(word):
        return None
    match = _NUMBER.fullmatch(word)
    if not match:
        raise KTError(f"line {number}: {excerpt(word)} is neither a number nor a hole")
    return int(match[1])


def _aligned(lines: list[tuple[int, str]]) -> list[tuple[int, list[str]]] | None:
    """Words of lines in columns whose ends are one width apart, as kt prints them; empty places are holes."""
    spans = [[(m.end(), m[0]) for m in re.finditer(r"\S+", line)] for _, line in lines]
    ends = [end for row in spans for end, _ in row]
    # Numbers are aligned to the right, so their ends lie one pitch apart
    pitch = 1 + max((len(word) for row in spans for _, word in row), default=0)
    if not ends or pitch < 2 or len({end % pitch for end in ends}) > 1:
        return None
    first, last = min(ends), max(ends)
    table = []
    for (number, _), row in zip(lines, spans, strict=True):
        words = [""] * ((last - first) // pitch + 1)
        for end, word in row:
            words[(end - first) // pitch] = word
        table.append((number, words))
    return table


def _without_ranks(rows: list[list[int | None]], files: int) -> list[list[int | None]]:
    """Rows without the rank numbers at their sides, if the files have letters."""
    ranks = range(len(rows), 0, -1)
    if all(len(row) == files for row in rows):
        return rows
    # The numbers of ranks stand at the left, at the right, or on both sides of a board
    if all(len(row) == files + 1 and row[0] == rank for row, rank in zip(rows, ranks, strict=True)):
        return [row[1:] for row in rows]
    if all(len(row) == files + 1 and row[-1] == rank for row, rank in zip(rows, ranks, strict=True)):
        return [row[:-1] for row in rows]
    if all(len(row) == files + 2 and row[0] == row[-1] == rank for row, rank in zip(rows, ranks, strict=True)):
        return [row[1:-1] for row in rows]
    raise KTError(f"{files} files have letters, and the rows have other numbers of cells")


# -- squares -----------------------------------------------------------------------------------------------------------


def squares_of(text: str) -> Wholes:
    """The cells of algebraic squares, or of moves such as `1. Na1-b3`, in the order of the visit; shape (n, 2).

    Raises
    ------
    KTError
        If a word is not a square.
    InvalidTour
        If a move does not begin where the one before it ended.
    """
    text = re.sub(r"\b[0-9]{1,9}\s*[.)]+", " ", text)
    text = re.sub(r"\b[A-Z]{1,2}[0-9]{1,4}\b", lambda match: match[0].lower(), text)
    words = [word for word in re.split(r"[\s,;\"']+", re.sub(r"\s*(?:-+>?|–|—|→|⇒)\s*", "-", text)) if word.strip("-")]
    moves = [_MOVE.fullmatch(word) for word in words]
    if words and all(moves) and len(words) > 1:
        ends = [(match[1], match[2]) for match in moves if match]
        for place, ((_, end), (start, _)) in enumerate(pairwise(ends), start=2):
            if start != end:
                raise InvalidTour(f"move {place} begins at {start}, and move {place - 1} ended at {end}")
        names = [ends[0][0], *(end for _, end in ends)]
    else:
        names = []
        for word in words:
            for part in filter(None, word.split("-")):
                match = _PIECE.fullmatch(part)
                if not match:
                    raise KTError(f"{excerpt(part)} is not a square, which is written a1")
                names.append(match[1])
    if not names:
        raise KTError("there is no square in it")
    return np.array([parse_cell(name) for name in names], dtype=np.int64)


def looks_like_squares(text: str) -> bool:
    """Whether a text has only squares, piece letters, numbers of moves and separators."""
    words = _words_of_squares(text)
    return bool(words) and all(_ONE_OR_TWO.fullmatch(word) for word in words)


def most_are_squares(text: str) -> bool:
    """Whether most words of a text are squares or moves."""
    words = _words_of_squares(text)
    return sum(_ONE_OR_TWO.fullmatch(word) is not None for word in words) * 2 > len(words)


def _words_of_squares(text: str) -> list[str]:
    rest = re.sub(r"\b[0-9]{1,9}\s*[.)]+", " ", text)
    return [word for word in re.split(r"[\s,;:\"'→⇒–—>-]+", rest) if word]


# -- lists within lists ------------------------------------------------------------------------------------------------


def literal_of(text: str) -> Any:
    """Nested lists of integers and texts, as JSON, Python and NumPy print them.

    Raises
    ------
    KTError
        If the text is not a list.
    """
    wrapped = bool(re.match(r"\s*(?:np\.|numpy\.)?(?:array|tuple|list)\s*\(", text))
    text = re.sub(_WORDS, lambda match: "-1" if match[0] == "None" else " ", text)
    if "..." in text:
        raise KTError("it has '...' where entries were left out; NumPy prints all with threshold=sys.maxsize")
    stack: list[list[Any]] = [[]]
    place = 0
    text = text.strip().rstrip(";")
    # A reader of its own: `ast.literal_eval` would refuse what numpy prints, and needs a stack as deep as the text is
    # nested
    while place < len(text):
        match = _TOKENS.match(text, place)
        if not match:
            if not text[place:].strip():
                break
            raise KTError(f"{excerpt(text[place : place + 20])} stands where a list has a number, a text or a bracket")
        place = match.end()
        opened, closed, _, number, single, double = match.groups()
        if opened:
            if len(stack) > MAX_DEPTH:
                raise KTError(f"lists are nested over {MAX_DEPTH} deep")
            stack.append([])
        elif closed:
            if len(stack) == 1:
                raise KTError("a bracket is closed that was not opened")
            inner = stack.pop()
            stack[-1].append(inner)
        elif number is not None:
            if len(number) > 18:
                raise KTError(f"{excerpt(number)} is too large")
            stack[-1].append(int(number.partition(".")[0]))
        elif single is not None or double is not None:
            stack[-1].append(single if single is not None else double)
    if len(stack) > 1:
        raise KTError("truncated: a bracket is not closed")
    value = stack[0]
    # The outer list is that of the reader, and `array(...)` adds another
    for _ in range(1 + wrapped):
        if len(value) == 1 and isinstance(value[0], list):
            value = value[0]
    return value


def looks_like_list(text: str) -> bool:
    """Whether a text is made of brackets, numbers and quoted texts alone."""
    if not re.search(r"[\[(]", text):
        return False
    return not re.sub(rf"{_WORDS}|'[^']*'|\"[^\"]*\"|[\[\](){{}}\s,;0-9.+-]", "", text)
