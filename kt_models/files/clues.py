"""Clues: given numbers as people write them: `a1=49,64`, `c3=20-30`, a grid, sums of rows and columns."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kt_models.arguments import require_pairs, require_path, require_whole
from kt_models.board import Board
from kt_models.directed import not_for_directed
from kt_models.errors import MAX_PATH, KTError, TooLarge, about, excerpt, saying, unknown
from kt_models.graph import MoveGraph
from kt_models.numbers import GivenNumbers, board_lines
from kt_models.signs import BLANK, SIGNS, free_signs, sign_of, without_size
from kt_models.storage import STANDARD, lines_of, read_text

FREE, HOLE = 0, -1
ClueEntry = int | str
"""A number, or a sign that `kt_models.signs` has."""
MAX_ENTRIES = 1_000_000
"""Most entries of a grid, holes included, or characters of its text."""
LINES = ("rows", "columns", "diagonals")
FORM = "a grid of clues has a number where one is given, '.', '0', '_' or '?' at free cells and '#' at holes"


@dataclass(frozen=True, eq=False)
class Clues:
    """A grid of clues.

    Parameters
    ----------
    board
        The board: the cells of the grid.
    numbers
        The number of each cell of the board, 0 where none is given, shape (n,).
    """

    board: Board
    numbers: tuple[int, ...]

    @property
    def first_numbers(self) -> int:
        """K, if the given numbers are 1, 2, ..., K and some cell has none; else 0."""
        given = sorted(number for number in self.numbers if number != FREE)
        return len(given) if given == [*range(1, len(given) + 1)] and 1 < len(given) < len(self.numbers) else 0


def clues_from(clues: Any, cells: str | None = None) -> Clues:
    """Clues of a text, of a file, of a nested list or of an array; the first row is the top one.

    In a text whose rows are one word each, every character is a cell.

    Parameters
    ----------
    cells
        The signs of free cells; all others are holes.

    Raises
    ------
    KTError
        If the grid cannot be read, or a sign may mean a free cell or a hole.
    """
    if isinstance(clues, Clues):
        return clues
    if isinstance(clues, str | os.PathLike):
        text = require_path(clues, "clues")
        if text == STANDARD or ("\n" not in text and not _is_row(text)):
            if len(text) > MAX_PATH:
                raise KTError(f"clues {excerpt(text)}: {FORM}")
            with about(text):
                return clues_of_text(read_text(text), cells)
        return clues_of_text(text, cells)
    if isinstance(clues, np.ndarray):
        # before `tolist`, which would need much more memory
        _require_few(clues.size)
    rows = clues.tolist() if isinstance(clues, np.ndarray) else clues
    if not isinstance(rows, list | tuple):
        raise KTError(f"clues {excerpt(clues)}: {FORM}")
    _require_few(len(rows))
    if not all(isinstance(row, list | tuple) for row in rows):
        raise KTError(f"clues {excerpt(clues)}: {FORM}")
    _require_few(sum(map(len, rows)))
    return _clues_of([[_entry(word) for word in row] for row in rows], cells)


def _require_few(entries: int) -> None:
    if entries > MAX_ENTRIES:
        raise TooLarge(f"clues: {entries:,} entries, over the limit of {MAX_ENTRIES:,}")


def clues_of_text(text: str, cells: str | None = None) -> Clues:
    """Clues of a text; raises the errors of `clues_from`."""
    _require_few(len(text))
    return _clues_of(_rows_of_text(text), cells)


def _is_row(text: str) -> bool:
    return bool(re.fullmatch(r"[\s0-9.#_?xX*,;|-]+", text)) and bool(re.search(r"[\s,;|]", text.strip()))


def _entry(word: Any) -> ClueEntry:
    if word is None or (isinstance(word, float | np.floating) and np.isnan(word)):
        return BLANK
    # tables of pandas with empty entries hold their integers as floats
    if isinstance(word, float | np.floating) and float(word).is_integer():
        word = int(word)
    if isinstance(word, int | np.integer) and not isinstance(word, bool):
        return str(word) if word in (FREE, HOLE) else int(word)
    if isinstance(word, str):
        return _word(word.strip())
    raise KTError(f"clue {excerpt(word)}: {FORM}")


def _word(word: str) -> ClueEntry:
    sign = sign_of(word) or BLANK
    if sign == "1":
        sign = word
    if sign in SIGNS and sign != "1":
        return sign
    if not re.fullmatch(r"[0-9]{1,9}", sign):
        raise KTError(f"clue {excerpt(word)}: {FORM}")
    return int(sign) or "0"


def _rows_of_text(text: str) -> list[list[ClueEntry]]:
    lines = [line.strip() for line in lines_of(text) if line.strip()]
    return without_size(lines, _rows_of_lines, _may_be_numbers, "clues")


def _may_be_numbers(rows: Sequence[Sequence[ClueEntry]]) -> bool:
    """Whether the numbers of a grid are different, and none is greater than the number of its entries."""
    numbers = [entry for row in rows for entry in row if isinstance(entry, int)]
    return len(set(numbers)) == len(numbers) and max(numbers, default=0) <= sum(map(len, rows))


def _rows_of_lines(given: Sequence[str]) -> list[list[ClueEntry]]:
    from kt_models.files.forms.scan import TourLines, has_gaps, words_of

    lines = list(given)
    packed = all(re.fullmatch(r"[.#_0-9?xX*-]+", line) for line in lines)
    if packed and any(len(line) > 1 for line in lines):
        return [[_word(character) for character in line] for line in lines]
    framed = any(mark in line for line in lines for mark in "|│┃║")
    if framed:  # for example |_1_|___|: a number and a free cell
        lines = [line.replace("_", " ") if line[0] in "|│┃║" else line for line in lines]
    else:  # without a frame, a row of free cells is not a rule between rows
        lines = [re.sub(r"([_-])\1+(?=[\s,;]|$)", r"\1", line) if len(line.split()) > 1 else line for line in lines]
    numbered = TourLines([(number, line) for number, line in enumerate(lines, start=1)])
    table = words_of(numbered)
    if not framed and has_gaps(numbered) and len({len(words) for words in table}) == 1:
        raise KTError("clues: the wide blanks between its numbers may be free cells: mark these with '.'")
    return [[_word(word) for word in words] for words in table]


def _clues_of(rows: Sequence[Sequence[ClueEntry]], cells: str | None) -> Clues:
    if not rows or not rows[0]:
        raise KTError(f"clues: there is no cell; {FORM}")
    for place, row in enumerate(rows, start=1):
        if len(row) != len(rows[0]):
            raise KTError(f"clues: row {place} has {len(row)} entries, and row 1 has {len(rows[0])}")
    entries = [entry for row in rows for entry in row]
    numbers = sorted(entry for entry in entries if isinstance(entry, int))
    if numbers and numbers[0] < HOLE:
        raise KTError(f"clue {numbers[0]}: {FORM}")
    used = {entry for entry in entries if isinstance(entry, str)}
    with saying(FORM):
        free = free_signs(used, len(numbers) > 1 and numbers == [*range(1, len(numbers) + 1)], cells)
    # the last row of the text is the first rank of the board
    values = [[entry if isinstance(entry, int) else FREE if entry in free else HOLE for entry in row] for row in rows]
    grid = np.array(values, dtype=np.int64)[::-1].T
    mask = grid != HOLE
    if not mask.any():
        raise KTError(f"clues: there is no cell; {FORM}")
    holes = np.argwhere(~mask).tolist()
    whole = Board(grid.shape)
    # few holes can be named in the text of the board
    board = whole.without(holes) if len(holes) <= 20 else Board(grid.shape, np.ascontiguousarray(mask), text="mask")
    return Clues(board, tuple(grid[tuple(board.cells.T)].tolist()))


def numbers_from(
    graph: MoveGraph,
    find: Callable[[Any], int],
    numbers: Mapping[Any, int | Iterable[int]] | None,
    clues: Clues | None,
    sums: Mapping[str, int | Iterable[int]] | None,
    start: Any = None,
    end: Any = None,
    open: bool = False,
) -> GivenNumbers:
    """Given numbers of a graph.

    Parameters
    ----------
    find
        Finds the vertex of a cell.

    Raises
    ------
    KTError
        If a cell, a number or a line does not exist, or no number is left for a cell.
    """
    not_for_directed(graph, "given numbers")
    n = graph.n
    allowed: dict[int, set[int]] = {}

    def give(vertex: int, values: set[int], what: str) -> None:
        both = allowed.get(vertex, values) & values
        if not both:
            raise KTError(f"{what}: {graph.name_of(vertex)} may have no number, as others are given")
        allowed[vertex] = both

    if numbers is not None:
        if not isinstance(numbers, Mapping):
            raise KTError(f"numbers {excerpt(numbers)}: a mapping from cells to numbers, {{'a1': 1, 'h8': {{49, 64}}}}")
        for cell, value in require_pairs(numbers, "numbers"):
            values = [value] if isinstance(value, int | np.integer) else _bounded_list(value)
            words = f"number of {excerpt(cell)}"
            give(find(cell), {require_whole(v, words, 1, n) for v in values}, words)
    if clues is not None:
        if graph.board is None or graph.board.shape != clues.board.shape:
            raise KTError(f"clues: the grid is {clues.board.text}, and the board {graph.name}")
        if graph.board != clues.board and (graph.board.mask is not None or clues.board.mask is not None):
            raise KTError(f"clues: the holes of the grid are not those of {graph.name}")
        for vertex, value in enumerate(clues.numbers):
            if value != FREE:
                name = f"clue {value} at {graph.name_of(vertex)}"
                if value > n:
                    raise KTError(f"{name}: there are {n} cells")
                give(vertex, {value}, name)
    if start is not None:
        give(find(start), {1}, f"start {excerpt(start)}")
    if end is not None and open:
        give(find(end), {n}, f"end {excerpt(end)}")
    single = [(min(values), vertex) for vertex, values in allowed.items() if len(values) == 1]
    seen: dict[int, int] = {}
    for value, vertex in sorted(single):
        if value in seen:
            raise KTError(f"the number {value} is given to {graph.name_of(seen[value])} and to {graph.name_of(vertex)}")
        seen[value] = vertex
    return GivenNumbers.of(n, allowed.items(), [] if sums is None else _sums(graph, sums))


def _bounded_list(values: Any) -> list[Any]:
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise KTError(f"number {excerpt(values)}: a whole number, or a list of them")
    kept = []
    for value in values:
        kept.append(value)
        if len(kept) > 10_000:
            raise KTError("numbers: over 10,000 are given to one cell")
    return kept


def _sums(graph: MoveGraph, sums: Mapping[str, int | Iterable[int]]) -> list[tuple[tuple[int, ...], int]]:
    lines = board_lines(graph.board)
    if not lines:
        raise KTError(f"sums: {graph.name} has no rows and columns in the plane")
    if not isinstance(sums, Mapping):
        raise KTError(f"sums {excerpt(sums)}: a mapping such as {{'rows': 260}}")
    pairs: list[tuple[tuple[int, ...], int]] = []
    for name, value in require_pairs(sums, "sums"):
        if not isinstance(name, str) or name not in LINES:
            raise unknown("line", name if isinstance(name, str) else excerpt(name), LINES)
        if name not in lines:
            raise KTError(f"sums: {graph.name} is not a square, and has no main diagonals")
        here = lines[name]
        totals = [value] * len(here) if isinstance(value, int | np.integer) else _bounded_list(value)
        if len(totals) != len(here):
            raise KTError(f"sums: {graph.name} has {len(here)} {name}, and {len(totals)} sums are given")
        pairs += [(line, require_whole(total, f"sum of {name}", 0)) for line, total in zip(here, totals, strict=True)]
    return pairs


def parse_number(text: str) -> tuple[str, list[int]]:
    """The cell and the numbers of `a1=1`, `h8=49,64` or `c3=20-30`.

    Raises
    ------
    KTError
        If the text has another form.
    """
    cell, equals, rest = text.rpartition("=")
    ranges = [re.fullmatch(r"\s*([0-9]{1,9})(?:\s*-\s*([0-9]{1,9}))?\s*", part) for part in rest.split(",")]
    if not equals or not cell.strip() or not all(ranges):
        raise KTError(f"number {excerpt(text)}: write it as a1=1, h8=49,64 or c3=20-30")
    values: list[int] = []
    for match in ranges:
        assert match is not None
        first, last = int(match[1]), int(match[2] or match[1])
        if last < first or last - first > 10_000:
            raise KTError(f"number {excerpt(text)}: {match[0].strip()} is not a range")
        values += range(first, last + 1)
    return cell.strip(), values


def parse_sums(text: str) -> tuple[str, int | list[int]]:
    """Lines and sums of `rows=260`, or of `columns=30,31,29`."""
    name, equals, rest = text.partition("=")
    parts = rest.split(",")
    if not equals or not all(re.fullmatch(r"\s*[0-9]{1,12}\s*", part) for part in parts):
        raise KTError(f"sums {excerpt(text)}: write them as rows=260, columns=260 or diagonals=260")
    values = [int(part) for part in parts]
    return name.strip(), values[0] if len(values) == 1 else values
