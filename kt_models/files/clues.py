"""Clues: given numbers as people write them: `a1=49,64`, `c3=20-30`, a grid, sums of rows and columns."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kt_models.arguments import require_path, require_text, require_whole
from kt_models.board import Board
from kt_models.directed import SplitGraph
from kt_models.errors import MAX_PATH, KTError, TooLarge, about, excerpt, saying, unknown
from kt_models.files.walls import GridPlace, drawn_walls
from kt_models.graph import MoveGraph, not_for_directed
from kt_models.json_version import read_document
from kt_models.leaper import Leaper
from kt_models.numbers import GivenNumbers, board_lines
from kt_models.signs import BLANK, SIGNS, free_signs, sign_of, without_size
from kt_models.storage import STANDARD, lines_of, parse_json, read_text
from kt_models.turn_shape import TurnShape

FREE, HOLE = 0, -1
WAZIR = Leaper(0, 1)
ClueEntry = int | str
"""A number, or a sign that `kt_models.signs` has."""
MAX_ENTRIES = 1_000_000
"""Most entries of a grid, holes included, or characters of its text."""
LINES = ("rows", "columns", "diagonals")
FORM = "a grid of clues has a number where one is given, '.', '0', '_' or '?' at free cells and '#' at holes"

_PAIR = re.compile(r"[^\W_)]\s*-\s*[^\W_(]|\)\s*-\s*\(")
"""Two names with a hyphen between them."""


@dataclass(frozen=True, eq=False)
class Clues:
    """A grid of clues.

    Parameters
    ----------
    board
        The board: the cells of the grid.
    numbers
        The number of each cell of the board, 0 where none is given, shape (n,).
    walls
        Pairs of cells with a wall between them.
    """

    board: Board
    numbers: tuple[int, ...]
    walls: tuple[tuple[tuple[int, int], tuple[int, int]], ...] = ()

    @property
    def text(self) -> str:
        """The grid as a text that `clues_from` reads: with the walls drawn, if there are some."""
        width, height = self.board.shape
        size = max(1, *(len(str(number)) for number in self.numbers))
        words = np.full((width, height), "#", dtype=object)
        free = " " if self.walls else "."
        for (x, y), number in zip(self.board.cells.tolist(), self.numbers, strict=True):
            words[x, y] = str(number) if number != FREE else free
        rows = range(height - 1, -1, -1)
        if not self.walls:
            return "".join(" ".join(f"{words[x, y]:>{size}}" for x in range(width)) + "\n" for y in rows)
        apart = {frozenset(wall) for wall in self.walls}
        rule = "+" + ("-" * (size + 2) + "+") * width
        lines = [rule]
        for y in rows:
            line = "|"
            for x in range(width):
                last = x == width - 1
                line += f" {words[x, y]:>{size}} " + ("|" if last or {(x, y), (x + 1, y)} in apart else " ")
            below = [y == 0 or {(x, y), (x, y - 1)} in apart for x in range(width)]
            lines += [line, "+" + "".join(("-" if wall else " ") * (size + 2) + "+" for wall in below)]
        return "".join(line + "\n" for line in lines)

    @property
    def first_numbers(self) -> int:
        """K, if the given numbers are 1, 2, ..., K and some cell has none; else 0."""
        clues = sorted(number for number in self.numbers if number != FREE)
        return len(clues) if clues == [*range(1, len(clues) + 1)] and 1 < len(clues) < len(self.numbers) else 0

    def require_place(self, graph: MoveGraph) -> None:
        """Refuse a graph that is not of the board of the grid.

        Raises
        ------
        KTError
            If it has another shape, or other holes.
        """
        if graph.board is None or graph.board.shape != self.board.shape:
            raise KTError(f"clues: the grid is {self.board.text}, and the board {graph.name}")
        if graph.board != self.board and (graph.board.mask is not None or self.board.mask is not None):
            raise KTError(f"clues: the holes of the grid are not those of {graph.name}")

    def stops(self, graph: MoveGraph) -> list[int]:
        """The vertices with the numbers 1, 2, 3, ..., in this order.

        Raises
        ------
        KTError
            If a number is missing or given twice, or the graph is not of this grid.
        """
        self.require_place(graph)
        clues = sorted((number, vertex) for vertex, number in enumerate(self.numbers) if number != FREE)
        for wanted, (number, vertex) in enumerate(clues, start=1):
            if number != wanted:
                fault = f"{number} stands twice" if number < wanted else f"{wanted} is missing"
                raise KTError(f"waypoints: {fault} (see {graph.name_of(vertex)}); the stops are numbered 1, 2, 3, ...")
        if not clues:
            raise KTError("waypoints: the grid has no number; the stops are numbered 1, 2, 3, ...")
        return [vertex for _, vertex in clues]

    def pairs(self, graph: MoveGraph) -> list[tuple[int, int]]:
        """The two vertices with each number, in order of the numbers.

        Raises
        ------
        KTError
            If a number does not stand twice, or the graph is not of this grid.
        """
        self.require_place(graph)
        found: dict[int, list[int]] = {}
        for vertex, number in enumerate(self.numbers):
            if number != FREE:
                found.setdefault(number, []).append(vertex)
        for number, vertices in sorted(found.items()):
            if len(vertices) != 2:
                times = "once" if len(vertices) == 1 else f"{len(vertices)} times"
                raise KTError(
                    f"paths: {number} stands {times} (see {graph.name_of(vertices[0])}); each number stands twice"
                )
        if not found:
            raise KTError("paths: the grid has no number; the two ends of each path have its number")
        return [(vertices[0], vertices[1]) for _, vertices in sorted(found.items())]

    def walled(self, graph: MoveGraph) -> frozenset[int]:
        """The edges that the walls forbid.

        Raises
        ------
        KTError
            If there are walls, and the piece is not the wazir.
        """
        if not self.walls:
            return frozenset()
        self.require_place(graph)
        if graph.leaper != WAZIR:
            raise KTError(
                f"walls between cells are for --leaper wazir, not for the leaper {graph.leaper}: --forbid "
                "names the moves of other pieces"
            )
        assert graph.board is not None
        pairs = [[graph.board.number(cell) for cell in pair] for pair in self.walls]
        return frozenset(edge for u, v in pairs for edge in graph.edges_between(u, v))


def is_pairs(paths: Any) -> bool:
    """Whether the ends of paths are given pair by pair, `a1-h8,b2-c7`, and not by a grid or the path of its file."""
    if isinstance(paths, str):
        return "\n" not in paths and bool(_PAIR.search(paths)) and not os.path.exists(paths)
    return isinstance(paths, Sequence) and all(isinstance(pair, str | tuple) for pair in paths)


def clues_from(clues: Any, cells: str | None = None, *, stops: bool = False) -> Clues:
    """Clues of a text, of a file, of a nested list or of an array; the first row is the top one.

    In a text whose rows are one word each, every character is a cell.

    Parameters
    ----------
    cells
        The signs of free cells; all others are holes.
    stops
        Whether the numbers are stops, of which a grid need not have as many as cells.

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
                return clues_of_text(read_text(text), cells, stops=stops)
        return clues_of_text(text, cells, stops=stops)
    if isinstance(clues, np.ndarray):
        # Before `tolist`, which would need much more memory
        _require_few(clues.size)
    rows = clues.tolist() if isinstance(clues, np.ndarray) else clues
    if not isinstance(rows, list | tuple):
        raise KTError(f"clues {excerpt(clues)}: {FORM}")
    _require_few(len(rows))
    if not all(isinstance(row, list | tuple) for row in rows):
        raise KTError(f"clues {excerpt(clues)}: {FORM}")
    _require_few(sum(map(len, rows)))
    return _clues_of([[_entry(word) for word in row] for row in rows], cells, stops)


def _require_few(entries: int) -> None:
    if entries > MAX_ENTRIES:
        raise TooLarge(f"clues: {entries:,} entries, over the limit of {MAX_ENTRIES:,}")


def clues_of_text(text: str, cells: str | None = None, *, stops: bool = False) -> Clues:
    """Clues of a text; raises the errors of `clues_from`."""
    _require_few(len(text))
    if text.lstrip().startswith("{"):
        return clues_of_text(_grid_of_puzzle(text, stops), cells, stops=stops)
    if drawing := drawn_walls(lines_of(text)):
        words, walls = drawing
        return _clues_of([[_word(word) for word in row] for row in words], cells, stops, walls)
    return _clues_of(_rows_of_text(text), cells, stops)


def _grid_of_puzzle(text: str, stops: bool) -> str:
    """The grid in the JSON of a puzzle (`kt_models.files.puzzles`)."""
    data = read_document(parse_json(text), "puzzle")
    if data.get("kind") == "puzzles":
        raise KTError("clues: the file holds several puzzles; kt puzzle -o FOLDER/ writes a file for each")
    if data.get("kind") != "puzzle" or not isinstance(data.get("clues"), str):
        raise KTError(f"clues: the JSON is not that of a puzzle; {FORM}")
    if stops != (data.get("puzzle") != "numbers"):
        raise KTError(
            f"clues: it is a puzzle of {excerpt(data.get('puzzle'))}; each kind of grid has an option of its own"
        )
    grid: str = data["clues"]
    return grid if "\n" in grid else grid + "\n"


def _is_row(text: str) -> bool:
    return bool(re.fullmatch(r"[\s0-9.#_?xX*,;|-]+", text)) and bool(re.search(r"[\s,;|]", text.strip()))


def _entry(word: Any) -> ClueEntry:
    if word is None or (isinstance(word, float | np.floating) and np.isnan(word)):
        return BLANK
    # Tables of pandas with empty entries hold their integers as floats
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
    return without_size(_lines_of_grid(text), _rows_of_lines, _may_be_numbers, "clues")


def _lines_of_grid(text: str) -> list[str]:
    """The lines of a grid; with as many tabs in each, as in spreadsheets, a row may begin or end with free cells."""
    lines = [line.strip(" ") for line in lines_of(text) if line.strip(" ")]
    rows = lines[1:] or lines  # The first may be a size
    if "\t" in text and len({line.count("\t") for line in rows}) == 1 and not any(" " in line for line in rows):
        return lines
    return [line.strip() for line in lines if line.strip()]


def _may_be_numbers(rows: Sequence[Sequence[ClueEntry]]) -> bool:
    """Whether the numbers of a grid are different, and none is greater than the number of its entries."""
    numbers = [entry for row in rows for entry in row if isinstance(entry, int)]
    return len(set(numbers)) == len(numbers) and max(numbers, default=0) <= sum(map(len, rows))


def _rows_of_lines(texts: Sequence[str]) -> list[list[ClueEntry]]:
    from kt_models.files.tour_forms.scan import TourLines, has_gaps, words_of

    lines = list(texts)
    packed = all(re.fullmatch(r"[.#_0-9?xX*-]+", line) for line in lines)
    if packed and any(len(line) > 1 for line in lines):
        return [[_word(character) for character in line] for line in lines]
    framed = any(mark in line for line in lines for mark in "|│┃║")
    if framed:  # For example |_1_|___|: a number and a free cell
        lines = [line.replace("_", " ") if line[0] in "|│┃║" else line for line in lines]
    else:  # Without a frame, a row of free cells is not a rule between rows
        lines = [re.sub(r"([_-])\1+(?=[\s,;]|$)", r"\1", line) if len(line.split()) > 1 else line for line in lines]
    numbered = TourLines([(number, line) for number, line in enumerate(lines, start=1)])
    table = words_of(numbered)
    if (
        not framed
        and not any("\t" in line for line in lines)
        and has_gaps(numbered)
        and len({len(words) for words in table}) == 1
    ):
        raise KTError("clues: the wide blanks between its numbers may be free cells: mark these with '.'")
    return [[_word(word) for word in words] for words in table]


def _clues_of(
    rows: Sequence[Sequence[ClueEntry]],
    cells: str | None,
    stops: bool = False,
    walls: Iterable[tuple[GridPlace, GridPlace]] = (),
) -> Clues:
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
        free = free_signs(used, not stops and len(numbers) > 1 and numbers == [*range(1, len(numbers) + 1)], cells)
    # The last row of the text is the first rank of the board
    values = [[entry if isinstance(entry, int) else FREE if entry in free else HOLE for entry in row] for row in rows]
    grid = np.array(values, dtype=np.int64)[::-1].T
    mask = grid != HOLE
    if not mask.any():
        raise KTError(f"clues: there is no cell; {FORM}")
    holes = np.argwhere(~mask).tolist()
    whole = Board(grid.shape)
    # Few holes can be named in the text of the board
    board = whole.without(holes) if len(holes) <= 20 else Board(grid.shape, np.ascontiguousarray(mask), text="mask")
    # A wall beside a hole stops nothing.
    apart = [tuple((x, len(rows) - 1 - y) for x, y in wall) for wall in walls]
    kept = tuple((first, second) for first, second in apart if mask[first] and mask[second])
    return Clues(board, tuple(grid[tuple(board.cells.T)].tolist()), kept)


def numbers_from(
    graph: MoveGraph,
    find: Callable[[Any], int],
    numbers: Mapping[Any, int | Iterable[int]] | None,
    clues: Clues | None,
    sums: Mapping[str, int | Iterable[int]] | None,
    start: Any = None,
    end: Any = None,
    open: bool = False,
    shape: str | None = None,
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
    if sums is not None:
        not_for_directed(graph, "given sums")
    n = graph.vertex_count
    name_of = graph.directed.name_of if isinstance(graph, SplitGraph) else graph.name_of
    allowed: dict[int, set[int]] = {}

    def give(vertex: int, values: set[int], reason: str) -> None:
        both = allowed.get(vertex, values) & values
        if not both:
            raise KTError(f"{reason}: {name_of(vertex)} may have no number, as others are given")
        allowed[vertex] = both

    if numbers is not None:
        if not isinstance(numbers, Mapping):
            raise KTError(f"numbers {excerpt(numbers)}: a mapping from cells to numbers, {{'a1': 1, 'h8': {{49, 64}}}}")
        for cell, value in numbers.items():
            values = [value] if isinstance(value, int | np.integer) else _bounded_list(value)
            words = f"number of {excerpt(cell)}"
            give(find(cell), {require_whole(v, words, 1, n) for v in values}, words)
    if clues is not None:
        clues.require_place(graph)
        for vertex, value in enumerate(clues.numbers):
            if value != FREE:
                name = f"clue {value} at {name_of(vertex)}"
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
            raise KTError(f"the number {value} is given to {name_of(seen[value])} and to {name_of(vertex)}")
        seen[value] = vertex
    formed = None if shape is None else TurnShape(require_text(shape, "shape")).on(graph, closed=not open)
    return GivenNumbers.of(n, allowed.items(), [] if sums is None else _sums(graph, sums), formed)


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
    for name, value in sums.items():
        if not isinstance(name, str) or name not in LINES:
            raise unknown("line", name if isinstance(name, str) else excerpt(name), LINES)
        if name not in lines:
            raise KTError(f"sums: {graph.name} is not a square, and has no main diagonals")
        group = lines[name]
        totals = [value] * len(group) if isinstance(value, int | np.integer) else _bounded_list(value)
        if len(totals) != len(group):
            raise KTError(f"sums: {graph.name} has {len(group)} {name}, and {len(totals)} sums are given")
        pairs += [(line, require_whole(total, f"sum of {name}", 0)) for line, total in zip(group, totals, strict=True)]
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
