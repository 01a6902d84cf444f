"""`Board`: an immutable finite set of integer cells, numbered in one fixed order.

A board is a box of integer cells `[0, shape)`, perhaps with holes (`mask`), perhaps periodic along some axes (`wraps`).
Cells are numbered 0..n-1 in lexicographic order of their coordinates. A board without holes holds no array until one
is needed, so naming a board of 10⁸ cells costs nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from typing import Any, ClassVar, TypeVar
from weakref import WeakValueDictionary

import numpy as np
import numpy.typing as npt

from kt_models.arguments import (
    array_of,
    require,
    require_boolean,
    require_items,
    require_text,
    require_whole,
    require_wholes,
)
from kt_models.cells import cell_name, parse_cell
from kt_models.display import svg
from kt_models.errors import KTError, TooLarge, excerpt
from kt_models.json_values import are_integers, is_boolean
from kt_models.shapes import BOX, MAX_CELLS, MAX_NAMED_CELLS, Extent, aztec, cylinder, shapes, torus
from kt_models.storage import lines_of, read_text

MAX_DIMENSION = 8

IntArray = npt.NDArray[np.int32]
BoolArray = npt.NDArray[np.bool_]
Array = TypeVar("Array", bound="npt.NDArray[Any]")

_in_use: WeakValueDictionary[str, Any] = WeakValueDictionary()
"""Boards by their texts: files name the board of a command again and again."""
_CELL = r"(?:\([^()]{0,200}\)|[A-Za-z]{1,7}[0-9]{1,9})"
_REMOVED = re.compile(rf"{_CELL}(?:\.\.{_CELL})?")


@dataclass(frozen=True, eq=False)
class Board:
    """A finite set of integer cells in two or more dimensions.

    Parameters
    ----------
    shape
        Extent of the bounding box along each axis, x first.
    mask
        Boolean array of that shape, False at holes; always None if there are no holes.
    wraps
        Along which axes the board is periodic.
    text
        The text of the board on the command line and in files.
    """

    shape: tuple[int, ...]
    mask: BoolArray | None = field(default=None, repr=False)
    wraps: tuple[bool, ...] = ()
    text: str = ""
    _max_cells: ClassVar[int] = MAX_CELLS

    def __post_init__(self) -> None:
        shape = require_wholes(self.shape, "shape", wanted="the sides of the board's box, such as (8, 8)")
        object.__setattr__(self, "shape", tuple(shape.tolist()))
        require_text(self.text, "text")
        name = self.text[:60] or "x".join(map(str, self.shape))
        if not 2 <= len(self.shape) <= MAX_DIMENSION:
            raise KTError(f"board {name}: a board has 2 to {MAX_DIMENSION} dimensions")
        if min(self.shape) < 1:
            raise KTError(f"board {name}: every side is at least 1")
        if prod(self.shape) > self._max_cells:
            raise TooLarge(f"board {name}: {prod(self.shape):,} cells, over the limit of {self._max_cells:,}")
        values = require_items(self.wraps, "wraps", "True or False for each axis")
        wraps = tuple(require_boolean(wrap, "wraps") for wrap in values) or (False,) * len(self.shape)
        if len(wraps) != len(self.shape):
            raise KTError(f"board {name}: wraps must be True or False for each of {len(self.shape)} axes")
        object.__setattr__(self, "wraps", wraps)
        if self.mask is not None:
            if not isinstance(self.mask, np.ndarray) or self.mask.dtype != np.bool_:
                raise KTError(f"board {name}: mask must be an array of Booleans, got {excerpt(self.mask)}")
            if self.mask.shape != self.shape:
                box = "x".join(map(str, self.mask.shape))
                raise KTError(f"board {name}: its mask has the shape {box}, not that of the board")
            if not self.mask.any():
                raise KTError(f"board {name}: no cells are left")
            if self.mask.all():
                # One form for each set of cells, so that equal boards compare equal
                object.__setattr__(self, "mask", None)
            else:
                object.__setattr__(self, "mask", sealed_copy(self.mask))
        if not self.text:
            object.__setattr__(self, "text", self._default_text())

    # -- making boards ---------------------------------------------------------------------------------------------

    @classmethod
    def box(cls, *shape: int) -> Board:
        """A full rectangle or box, `Board.box(8, 8)`."""
        return cls(tuple(shape))

    @classmethod
    def torus(cls, *shape: int) -> Board:
        """A box that is periodic along every axis."""
        return cls._of(torus.layout(*(require_whole(side, "side") for side in shape)))

    @classmethod
    def cylinder(cls, around: int, *rest: int) -> Board:
        """A box that is periodic along x only, with `around` cells around."""
        return cls._of(
            cylinder.layout(require_whole(around, "around"), *(require_whole(side, "side") for side in rest))
        )

    @classmethod
    def aztec(cls, radius: int) -> Board:
        """The Aztec diamond of a radius: 2n(n+1) cells (Davies, Xue and Yerger 2017, section 1)."""
        return cls._of(aztec.layout(require_whole(radius, "radius")))

    @classmethod
    def _of(cls, extent: Extent, most: int = MAX_CELLS) -> Board:
        if MAX_CELLS < prod(extent.shape) <= most and extent.mask is None and not any(extent.wraps):
            return NamedBox(extent.shape)
        if prod(extent.shape) > min(most, MAX_CELLS):
            most = min(most, MAX_CELLS)
            name = extent.text or "x".join(map(str, extent.shape))
            raise TooLarge(f"board {name[:60]}: {prod(extent.shape):,} cells to the box, over the limit of {most:,}")
        return cls(extent.shape, extent.mask and extent.mask(), extent.wraps, extent.text)

    @classmethod
    def from_cells(cls, cells: npt.ArrayLike, text: str = "") -> Board:
        """The board of given cells (rows of non-negative coordinates).

        Raises
        ------
        KTError
            If they are not rows of coordinates, or a cell is given twice.
        """
        require_text(text, "text")
        try:
            array = array_of(cells, "cells")
        except (TypeError, ValueError):  # Lists of different lengths
            array = np.zeros(0)
        if array.ndim != 2 or array.shape[0] == 0 or array.dtype.kind not in "iu":
            raise KTError(f"board {text or 'cells'}: a list of coordinate lists is needed, all of one length")
        if array.min() < 0 or array.max() > MAX_CELLS:
            raise KTError(f"board {text or 'cells'}: coordinates run from 0 to {MAX_CELLS:,}")
        shape = tuple(int(c) + 1 for c in array.max(axis=0))
        _require_fill(shape, len(array), text)
        cls(shape, text=text or "cells")  # Refuses a huge bounding box before the mask is allocated
        mask = np.zeros(shape, dtype=bool)
        mask[tuple(array.T)] = True
        if np.count_nonzero(mask) < len(array):
            _, first = np.unique(array, axis=0, return_index=True)
            twice = array[np.setdiff1d(np.arange(len(array)), first)[0]]
            raise KTError(f"board {text or 'cells'}: the cell {cell_name(twice)} is given twice")
        return cls(shape, mask, text=text)

    @classmethod
    def from_mask(cls, lines: Iterable[str], text: str, cells: str | None = None) -> Board:
        """The board drawn by lines of `#` (a cell) and `.` or a space (a hole), or `1` and `0`; row 1 is the last.

        Separators between the signs, and a first line with the size, are skipped.

        Parameters
        ----------
        cells
            The signs of cells, such as `.` in a map whose walls are `#`; all others are holes.

        Raises
        ------
        KTError
            If there is another character, or one of each alphabet; an empty line between others, no cell, or lines of
            several lengths where holes are not spaces; or if the drawing may mean two boards.
        """
        require_text(text, "text")
        texts = require_items(lines, "lines", "lines of '#' and '.'")
        drawing = [require_text(line, "line of the mask") for line in texts]
        width = max((len(line) for line in drawing), default=0)
        if width * len(drawing) > MAX_CELLS:
            raise TooLarge(f"board {text}: {width * len(drawing):,} cells to the box, over the limit of {MAX_CELLS:,}")
        from kt_models.signs import mask_of_lines  # Most boards are not drawn.

        # The last line of the text is the first rank, as on a printed board
        mask = np.array(mask_of_lines(drawing, text, cells)[::-1], dtype=bool).T
        return cls(mask.shape, np.ascontiguousarray(mask), text=text)

    @classmethod
    def parse(cls, text: str, most: int = MAX_CELLS, cells: str | None = None) -> Board:
        """The board written as `8x8`, `4x4x4`, `aztec:5`, `ring:8x8/2`, `8x8-a1,h8`, `8x8-c3..f6`, `torus:8x8`,
        `cylinder:6x8` or `@mask.txt`.

        A named board or box with more than `most` cells, including holes, is refused before memory is allocated. Beyond
        `MAX_CELLS` there are boxes only, as `NamedBox`.
        `cells` has the signs of cells in a mask (see `from_mask`).

        Raises
        ------
        KTError
            If the text has no known form, removes a cell that is not on the board, or names a board that is too large.
        """
        require_text(text, "board", "a text such as '8x8'")
        most = require_whole(most, "most cells")
        stripped = text.strip().replace("×", "x")
        if stripped.startswith("@"):
            return cls.from_mask(lines_of(read_text(stripped[1:])), stripped, cells)
        if cells is not None:
            raise KTError(f"cells {excerpt(cells)}: it says how a drawing marks its cells, and {excerpt(text)} is none")
        board = _in_use.get(stripped)
        if board is None or prod(board.shape) > most:
            base, dash, removed = stripped.partition("-")
            board = cls._parse_base(base.lower(), text, most)
            board = board._without_boxes(_parse_removed(removed, board, text)) if dash else board
            _in_use[stripped] = board
        return board

    @classmethod
    def _parse_base(cls, base: str, text: str, most: int) -> Board:
        kind, colon, rest = base.rpartition(":")
        for shape in shapes():
            if kind == shape.name and bool(kind) == bool(colon) and (extent := shape.read(rest)):
                return cls._of(extent, most)
        raise _unknown_board(
            text,
            f"boards are written {', '.join(shape.example for shape in shapes())}, 8x8-a1,h8, @mask.txt, or as a file "
            "of a graph, such as .hcp, .g6, .gml, .mtx, .dot or .json",
        )

    def without(self, cells: Iterable[Sequence[int]]) -> Board:
        """This board with some cells removed.

        Raises
        ------
        KTError
            If a cell is not on the board, or is given twice.
        """
        places = require_items(cells, "cells", "a list of cells, such as [(0, 0)]")
        removed = sorted(self._coordinates(cell) for cell in places)
        return self._without_boxes([(cell, cell) for cell in removed])

    def _without_boxes(self, boxes: Sequence[tuple[Sequence[int], Sequence[int]]]) -> Board:
        """This board without the cells of some boxes, each given by its least and its greatest cell."""
        mask = np.ones(self.shape, dtype=bool) if self.mask is None else self.mask.copy()
        names = []
        for low, high in boxes:
            for corner in (low, high):
                self.number(corner)
            inside = tuple(slice(a, b + 1) for a, b in zip(low, high, strict=True))
            if not mask[inside].all():
                cell = [a + int(c) for a, c in zip(low, np.argwhere(~mask[inside])[0], strict=True)]
                self.number(cell)
                raise KTError(f"board {self.text}: the cell {cell_name(cell)} is removed twice")
            mask[inside] = False
            corners = [low] if low == high else [low, high]
            names.append("..".join(cell_name(c) if len(c) == 2 else f"({cell_name(c)})" for c in corners))
        # The text of the result is parsed again, so it keeps the syntax 8x8-a1,h8
        joint = "," if "-" in self.text else "-"
        return Board(self.shape, mask, self.wraps, f"{self.text}{joint}{','.join(names)}" if names else self.text)

    # -- cells -----------------------------------------------------------------------------------------------------

    @property
    def dimension(self) -> int:
        """Number of axes."""
        return len(self.shape)

    @property
    def is_box(self) -> bool:
        """Whether the board is a whole rectangle or box: no holes, and not periodic."""
        return self.mask is None and not any(self.wraps)

    @cached_property
    def is_flat(self) -> bool:
        """Whether it has three axes, and its cells have one sum of coordinates: those of a hexagonal lattice."""
        if self.dimension != 3 or self.mask is None or any(self.wraps):
            return False
        sums = self.cells.sum(axis=1)
        return bool((sums == sums[0]).all())

    @cached_property
    def n(self) -> int:
        """Number of cells."""
        return prod(self.shape) if self.mask is None else int(np.count_nonzero(self.mask))

    def __len__(self) -> int:
        return self.n

    @cached_property
    def grid(self) -> IntArray:
        """Cell numbers laid out in space, shape `self.shape`; -1 at holes."""
        if self.mask is None:
            grid = np.arange(self.n, dtype=np.int32).reshape(self.shape)
        else:
            grid = np.full(self.shape, -1, dtype=np.int32)
            grid[self.mask] = np.arange(self.n, dtype=np.int32)
        return sealed(grid)

    @cached_property
    def cells(self) -> IntArray:
        """Coordinates of every cell, shape (n, dimension), in the order of their numbers."""
        flat = np.arange(self.n) if self.mask is None else np.flatnonzero(self.mask)
        cells = np.stack(np.unravel_index(flat, self.shape), axis=1).astype(np.int32)
        return sealed(cells)

    def numbers(self, cells: npt.ArrayLike) -> IntArray:
        """Numbers of the cells with the given coordinates, shape (m, dimension); -1 where there is no cell."""
        cells = require_wholes(cells, "cells", self.dimension)
        shape = np.array(self.shape)
        inside = ((cells >= 0) & (cells < shape)).all(axis=1)
        numbers = np.full(len(cells), -1, dtype=np.int32)
        if self.mask is None:
            numbers[inside] = np.ravel_multi_index(tuple(cells[inside].T), self.shape)
        else:
            numbers[inside] = self.grid[tuple(cells[inside].T)]
        return numbers

    def number(self, cell: Sequence[int]) -> int:
        """Number of one cell.

        Raises
        ------
        KTError
            If it is not a cell of this board.
        """
        cell = self._coordinates(cell)
        number = int(self.numbers([cell])[0])
        if number < 0:
            raise KTError(f"cell {cell_name(cell)} is not on the board {self.text}{self._range_hint(cell)}")
        return number

    def _coordinates(self, cell: Any) -> tuple[int, ...]:
        wanted = f"coordinates, such as {(0,) * self.dimension}"
        coordinates = tuple(require_whole(c, "coordinate") for c in require_items(cell, "cell", wanted))
        if len(coordinates) != self.dimension:
            raise KTError(f"cell {excerpt(coordinates)}: the board {self.text} has {self.dimension} dimensions")
        return coordinates

    def _range_hint(self, cell: Sequence[int]) -> str:
        """Hint at the range of cells, for a cell that does not exist."""
        if any(not 0 <= c < side for c, side in zip(cell, self.shape, strict=True)):
            first, last = cell_name((0,) * self.dimension), cell_name([side - 1 for side in self.shape])
            return f": its box runs from {first} to {last}"
        # Cells are compared by the distance along the axes, which also works in three dimensions
        distances = np.abs(self.cells - np.array(cell)).sum(axis=1)
        return f", it is a hole; the nearest cell is {self.name(int(np.argmin(distances)))}"

    def name(self, number: int) -> str:
        """Name of the cell with a number, `a1` or `0,3,2`."""
        number = require_whole(number, "number of a cell", 0, self.n - 1)
        if self.mask is None:
            return cell_name([int(c) for c in np.unravel_index(number, self.shape)])
        return cell_name(self.cells[number])

    def find(self, name: str) -> int:
        """Number of the cell with a name."""
        require_text(name, "name of a cell")
        cell = parse_cell(name)
        if len(cell) != self.dimension:
            raise KTError(f"cell {excerpt(name)}: the board {self.text} has {self.dimension} dimensions")
        return self.number(cell)

    # -- identity --------------------------------------------------------------------------------------------------

    def _key(self) -> tuple[Any, ...]:
        # Packed bits take an eighth of the memory of a mask, and boards are keys of dictionaries
        mask = b"" if self.mask is None else np.packbits(self.mask).tobytes()
        return self.shape, self.wraps, mask

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _default_text(self) -> str:
        box = "x".join(map(str, self.shape))
        if self.mask is not None:
            return f"cells:{self.n}"
        if not any(self.wraps):
            return box
        if all(self.wraps):
            return f"torus:{box}"
        return f"cylinder:{box}" if self.wraps[0] and not any(self.wraps[1:]) else f"cells:{self.n}"

    @cached_property
    def describes_itself(self) -> bool:
        """Whether the text alone determines the board: its cells, its box and its periodic axes."""
        if self.text.startswith(("@", "cells:")):
            return False
        if self.is_box and self.text == self._default_text():
            return True
        try:
            return Board.parse(self.text) == self
        except KTError:
            return False

    def to_json(self) -> dict[str, Any]:
        """The keys `board` (its text) and, unless the text alone suffices, `cells`, `shape` and `wraps`."""
        data: dict[str, Any] = {"board": self.text}
        if not self.describes_itself:
            data |= {"cells": self.cells.tolist(), "shape": list(self.shape), "wraps": list(self.wraps)}
        return data

    @classmethod
    def from_json(cls, data: dict[str, Any], most: int = MAX_CELLS) -> Board:
        """Read the board of a JSON object; `cells` takes precedence over `board`, so no mask file is needed.

        `most` is as for `parse`.

        Raises
        ------
        KTError
            If the object does not describe a board.
        """
        require(data, "data", dict, "a JSON object")
        most = require_whole(most, "most cells")
        text = data.get("board")
        if not isinstance(text, str):
            raise KTError("'board' is missing or is not a text")
        if not text.isprintable():
            raise KTError("'board' is not a text that can be printed")
        if "cells" in data:
            # A text that means another board must not name this one
            board = cls._of_cells(data, text)
            if board.describes_itself or not is_board(text):
                return board
            return cls(board.shape, board.mask, board.wraps, f"cells:{board.n}")  # Another board has this name
        if odd := next((key for key in ("shape", "wraps") if key in data), None):
            raise KTError(f"it has {odd!r} and no 'cells': the text of 'board' alone describes the board")
        if text.startswith("@"):
            raise KTError(f"board {text}: the file carries no 'cells'")
        return cls.parse(text, most)

    @classmethod
    def _of_cells(cls, data: dict[str, Any], text: str) -> Board:
        """The board of the keys `cells`, `shape` (by default the box of the cells) and `wraps`."""
        board = cls.from_cells(integer_rows(data["cells"], "cells"), text)
        shape, wraps = data.get("shape", list(board.shape)), data.get("wraps", list(board.wraps))
        if type(wraps) is not list or len(wraps) != board.dimension or not all(map(is_boolean, wraps)):
            raise KTError("'wraps' is not true or false for each axis")
        (sides,) = integer_rows([shape], "shape").tolist()
        # The box may be larger than the cells need: wrapping depends on it
        if len(sides) != board.dimension or any(a < b for a, b in zip(sides, board.shape, strict=True)):
            raise KTError(f"'shape' is not a box around the cells, which need {'x'.join(map(str, board.shape))}")
        _require_fill(tuple(sides), len(board.cells), text)
        box = cls(tuple(sides), wraps=tuple(wraps), text=text)
        mask = np.zeros(box.shape, dtype=bool)
        mask[tuple(slice(side) for side in board.shape)] = board.grid >= 0
        return cls(box.shape, mask, box.wraps, text)

    def _repr_svg_(self) -> str | None:
        return svg(self)


class NamedBox(Board):
    """A box with too many cells for arrays, for claims that need its sides only: bounds by a formula."""

    _max_cells: ClassVar[int] = MAX_NAMED_CELLS

    def _refuse(self, *_: Any) -> Any:
        raise TooLarge(f"board {self.text}: {self.n:,} cells to the box, over the limit of {MAX_CELLS:,}")

    grid = cells = property(_refuse)
    numbers = name = _refuse  # type: ignore[assignment]

    @property
    def describes_itself(self) -> bool:
        """Whether its text is that of its sides: it is."""
        return True


def named_box(text: str) -> Board | None:
    """The box that a text names, if it is one with more than `MAX_CELLS` cells."""
    box = Board.parse(text, MAX_NAMED_CELLS) if re.fullmatch(BOX, text) else None
    return box if isinstance(box, NamedBox) else None


MAX_SPARSE, SPARSE = 20_000_000, 100
"""Most places of a box that has fewer cells than one in this many places: its arrays are for all places."""


def _require_fill(shape: Sequence[int], cells: int, text: str) -> None:
    """Refuse a box that is large for its few cells."""
    if prod(shape) > max(MAX_SPARSE, SPARSE * cells):
        raise TooLarge(
            f"board {text or 'cells'}: a box of {prod(shape):,} places around {cells:,} cells; at most {MAX_SPARSE:,} "
            "places for so few"
        )


def sealed(array: Array) -> Array:
    """Make an array read-only for good, without a copy: nobody else holds it, so no one can write to it."""
    root = array if array.base is None else array.copy()
    root.setflags(write=False)
    return root.view()  # A view of bytes: its flag cannot be set back, unlike that of an array that owns its memory


def sealed_copy(array: Array) -> Array:
    """The same for an array that somebody else may hold: a copy, unless it is sealed already."""
    root: Any = array
    while isinstance(root, np.ndarray) and not root.flags.writeable and root.base is not None:
        root = root.base
    is_sealed = array.base is not None and isinstance(root, np.ndarray) and not root.flags.writeable
    return array if is_sealed else sealed(np.array(array))  # type: ignore[return-value]


def integer_rows(data: Any, name: str) -> npt.NDArray[np.int64]:
    """A JSON list of equally long lists of integers as an array; the error names the first entry that is not.

    Booleans and floats are not integers here. An array is one that `kt_models.long_arrays` has read.
    """
    if isinstance(data, np.ndarray):
        return data
    if not isinstance(data, list) or not data:
        raise KTError(f"'{name}' is not a list of coordinate lists")
    # numpy alone would accept fractions, Booleans and rows of different lengths
    width = next((len(row) for row in data if type(row) is list and row), 1)
    for index, row in enumerate(data):
        if not are_integers(row) or len(row) != width or not row:
            raise KTError(f"'{name}' entry {index} is {str(row)[:40]!r}, not a list of {width} integers")
    try:
        return np.array(data, dtype=np.int64)
    except OverflowError:
        raise KTError(f"'{name}' has a coordinate that is too large") from None


def coordinates_of(board: Board, numbers: IntArray) -> IntArray:
    """Coordinates of the cells with given numbers, shape (m, dimension); without holes it makes no table of all."""
    if board.mask is not None or "cells" in vars(board):
        return board.cells[numbers]
    coordinates = np.empty((len(numbers), board.dimension), dtype=np.int32)
    for axis in range(board.dimension - 1, 0, -1):
        numbers, coordinates[:, axis] = np.divmod(numbers, board.shape[axis])
    coordinates[:, 0] = numbers
    return coordinates


def shifted(
    array: npt.NDArray[Any], offset: Sequence[int], wraps: Sequence[bool], fill: Any, rows: range | None = None
) -> npt.NDArray[Any]:
    """The array `r` with `r[p] = array[p + offset]`; `fill` if `p + offset` is outside and the axis does not wrap.

    Only the given rows (places on the first axis) of `r`, if any are given.
    """
    result = array
    if rows is not None:
        at = np.arange(rows.start, rows.stop) + offset[0]
        result = array.take(at, axis=0, mode="wrap" if wraps[0] else "clip")
        if not wraps[0]:
            result[(at < 0) | (at >= len(array))] = fill
        offset = (0, *offset[1:])
    for axis, (step, wrap) in enumerate(zip(offset, wraps, strict=True)):
        if step == 0:
            continue
        # `np.roll` is right on wrapped axes only; elsewhere cells that leave the box become `fill`
        if wrap:
            result = np.roll(result, -step, axis=axis)
            continue
        extent = array.shape[axis]
        moved = np.full_like(result, fill)
        if abs(step) < extent:
            to, source = [slice(None)] * array.ndim, [slice(None)] * array.ndim
            to[axis] = slice(max(0, -step), extent - max(0, step))
            source[axis] = slice(max(0, step), extent + min(0, step))
            moved[tuple(to)] = result[tuple(source)]
        result = moved
    return result


def _unknown_board(text: str, hint: str) -> KTError:
    from kt_models.shapes._meant import meant_board

    guess = meant_board(text)
    return KTError(
        f"unknown board {excerpt(text)}{f', did you mean {guess!r}? {hint.capitalize()}' if guess else f': {hint}'}"
    )


def _parse_removed(text: str, board: Board, whole: str) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Boxes of cells of a board, in order: `a1,h8`, `c3..f6` or `(0,0,0),(1,1,1)..(2,2,2)`."""
    compact = re.sub(r"\s+", "", text)
    tokens = [match[0] for match in _REMOVED.finditer(compact)]
    if not tokens or ",".join(tokens) != compact:
        raise _unknown_board(whole, "removed cells are written 8x8-a1,h8, 8x8-c3..f6 or 4x4x4-(0,0,0)")
    boxes = []
    for token in tokens:
        first, last = (board._coordinates(parse_cell(cell)) for cell in (token.split("..") * 2)[:2])
        pairs = list(zip(first, last, strict=True))
        boxes.append((tuple(map(min, pairs)), tuple(map(max, pairs))))
    return sorted(boxes)


def is_board(text: str) -> bool:
    """Whether a text names a board; the name of a mask file does not, as the file is not read."""
    if text.strip().startswith("@"):
        return False
    try:
        Board.parse(text)
    except TooLarge:
        return True
    except KTError:
        return False
    return True
