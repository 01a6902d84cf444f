"""Rings and cores of Aztec diamonds: the contents of files of kind `rings`, and the positions of their cells.

These are definitions, so the programs that search for rings and make tours of them import them too. `proof.md`
explains the terms. Cells are in *centred* coordinates, those of the board of radius n less n: diamonds of all radii
are concentric.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from kt_models.board import Board
from kt_models.cells import Cell
from kt_models.errors import CertificateError, KTError
from kt_models.graph import MoveGraph
from kt_models.json_values import integer, integers, is_integer, rows
from kt_models.problem import Problem, solution_edges
from kt_models.symmetry import Symmetry
from kt_models.tour import Tour

KIND = "rings"
Move = tuple[Cell, Cell]
RingKind = tuple[int, int, int]
"""A move of a pattern: its two rows i < j, and the change of the column."""
RingPlace = tuple[int, int, int, int]
"""A move on a side: row and column of each end, the lower row first."""
MAX_RADIUS = 60
"""Greatest radius of a ring or a core in a file: larger ones are not needed."""


@dataclass(frozen=True)
class RingFamily:
    """A ring, the places where it is cut and spliced, and its cores, all in centred coordinates.

    Parameters
    ----------
    radius, width
        Radius and width of the frame that the ring covers.
    cut
        The column t before which each side is cut.
    turn
        Quarter turns between the images of the path: 2 (two paths) or 1 (four).
    path
        Cells in order, from a to b. The path and its images cover the frame: they are the ring.
    outward
        The move c-d of the ring, as seen from outside; a-c and b-d are moves once c-d is moved inwards by the width.
    cores
        Closed tours, symmetric under the turn, of some radii from `radius - width` to `radius - 1`.

    Raises
    ------
    CertificateError
        If the numbers are inconsistent, the paths do not cover the frame, or a core is not a symmetric tour of its
        diamond.
    """

    radius: int
    width: int
    cut: int
    turn: int
    path: tuple[Cell, ...]
    outward: Move
    cores: dict[int, tuple[Cell, ...]]

    def __post_init__(self) -> None:
        if any(not is_integer(value) for value in (self.radius, self.width, self.cut, self.turn)):
            raise CertificateError("rings: radius, width, cut and turn are not integers")
        if not 1 <= self.width < self.radius <= MAX_RADIUS or not 1 <= self.cut <= self.radius - self.width + 1:
            raise CertificateError(
                f"rings: radius {self.radius}, width {self.width}, cut {self.cut} do not fit together"
            )
        if self.turn not in (1, 2):
            raise CertificateError(f"rings: turn {self.turn} is neither 1 nor 2")
        if not self.cores or not set(self.cores) <= set(range(self.radius - self.width, self.radius)):
            raise CertificateError(f"rings: cores have radius {self.radius - self.width} to {self.radius - 1}")
        cells = [turned_cell(cell, quarter) for quarter in self.turns for cell in self.path]
        board = frame(self.radius, self.width)
        # Every cell of the frame exactly once
        if sorted(board.numbers(np.array(cells) + self.radius).tolist()) != list(range(board.n)):
            raise CertificateError("rings: the paths do not cover the frame")
        if not all(is_move(a, b) for a, b in pairwise(self.path)):
            raise CertificateError("rings: a step of the path is not a move")
        for radius, core in self.cores.items():
            graph = MoveGraph.of(Board.aztec(radius))
            try:
                tour = Tour(graph, Board.aztec(radius).numbers(np.array(core, dtype=np.int64) + radius), True)
                solution_edges(
                    Problem(graph, symmetry=(Symmetry.parse("rot90" if self.turn == 1 else "rot180"),)), tour
                )
            except KTError as error:
                raise CertificateError(f"rings: core of radius {radius}: {error}") from None

    @property
    def turns(self) -> range:
        """Numbers of quarter turns that make the images of the path, the path itself first."""
        return range(0, 4, self.turn)

    @property
    def ends(self) -> Move:
        """Ends a, b of the path."""
        return self.path[0], self.path[-1]

    @property
    def moves(self) -> list[Move]:
        """Moves of all paths."""
        steps = list(pairwise(self.path))
        return [(turned_cell(a, q), turned_cell(b, q)) for q in self.turns for a, b in steps]

    def covers(self, radius: int) -> bool:
        """Whether there is a core of this radius, or a ring around one."""
        return radius in self.cores or (radius >= self.radius and self.core_of(radius) in self.cores)

    def core_of(self, radius: int) -> int:
        """Radius of the core inside the rings up to a radius."""
        least = self.radius - self.width
        return radius if radius < self.radius else least + (radius - least) % self.width

    def row(self, cell: Cell) -> int:
        """Row of a cell of the ring, counted from 0 inside."""
        return depth(cell) - (self.radius - self.width) - 1

    def part(self, cell: Cell) -> int:
        """Part of the frame that contains a cell of the ring."""
        return part_of(cell, self.cut)

    def at_tip(self, cell: Cell, radius: int) -> Cell:
        """The cell in the same position under the upper tip of another diamond."""
        return cell[0], cell[1] - self.radius + radius


# -- patterns ----------------------------------------------------------------------------------------------------------


def pattern(rings: RingFamily, side: int) -> frozenset[RingKind]:
    """Pattern whose moves across a cut are those of the ring across the cut of a side.

    Raises
    ------
    CertificateError
        If there is none, or a move joins two parts elsewhere.
    """
    crossing = set()
    for a, b in rings.moves:
        if rings.part(a) == rings.part(b):
            continue
        if side_of(a) != side_of(b):
            raise CertificateError(f"rings: a move of the ring joins parts {rings.part(a)} and {rings.part(b)}")
        if side_of(a) == side:
            (i, x), (j, z) = sorted((rings.row(c), column(c)) for c in (a, b))
            crossing.add((i, x, j, z))
    kinds = frozenset((i, j, z - x) for i, x, j, z in crossing)
    if across(kinds, rings.cut) != crossing:
        raise CertificateError(f"rings: the moves across the cut of side {side} are not those of a pattern")
    for row in range(rings.width):
        if sum((row == i) + (row == j) for i, j, _ in kinds) != 2:
            raise CertificateError(f"rings: the pattern of side {side} does not have two moves at row {row}")
    return kinds


def across(kinds: Iterable[RingKind], cut: int) -> set[RingPlace]:
    """Moves of a pattern across a cut."""
    # A move crosses the cut if its ends are on different sides of it
    return {place for place in near(kinds, cut, cut) if (place[1] < cut) != (place[3] < cut)}


def near(kinds: Iterable[RingKind], first: int, last: int) -> list[RingPlace]:
    """Moves of a pattern near some columns, including all that cross a cut before one of them."""
    return [(i, x, j, x + change) for i, j, change in kinds for x in range(first - 2, last + 3)]


# -- geometry ------------------------------------------------------------------------------------------------------


def rotate_vector(vector: Cell, quarters: int) -> Cell:
    """A vector turned clockwise about the origin."""
    x, y = vector
    for _ in range(quarters % 4):
        x, y = y, -x
    return x, y


def turned_cell(cell: Cell, quarters: int) -> Cell:
    """A cell, in centred coordinates, turned clockwise about the centre of the diamond."""
    x, y = rotate_vector((2 * cell[0] + 1, 2 * cell[1] + 1), quarters)
    return (x - 1) // 2, (y - 1) // 2


def side_of(cell: Cell) -> int:
    """Quadrant of a cell: 0 where x, y >= 0, then clockwise."""
    x, y = cell
    return (0 if y >= 0 else 1) if x >= 0 else (2 if y < 0 else 3)


def column(cell: Cell) -> int:
    """Column of a cell on its side."""
    return turned_cell(cell, -side_of(cell))[0]


def cell_on(side: int, x: int, radius: int) -> Cell:
    """The cell in a column of a side, on the edge of the diamond of a radius."""
    return turned_cell((x, radius - 1 - x), side)


def part_of(cell: Cell, cut: int) -> int:
    """Part of its frame that contains a cell, when each side is cut before a column."""
    side = side_of(cell)
    return side if column(cell) < cut else (side + 1) % 4


def depth(cell: Cell) -> int:
    """Radius of the smallest diamond that contains the cell."""
    return sum(c if c >= 0 else -1 - c for c in cell) + 1


def is_move(a: Cell, b: Cell) -> bool:
    """Whether two cells are a knight's move apart."""
    return sorted((abs(a[0] - b[0]), abs(a[1] - b[1]))) == [1, 2]


def has_move(moves: Iterable[Move], move: Move) -> bool:
    """Whether a move is among some moves, in either direction."""
    return any(set(m) == set(move) for m in moves)


def frame(radius: int, width: int) -> Board:
    """Board of the cells in the diamond of one radius, without those in the diamond of `radius - width`."""
    mask = Board.aztec(radius).grid >= 0
    if radius > width:
        mask[width:-width, width:-width] &= Board.aztec(radius - width).grid < 0
    return Board.from_cells(np.argwhere(mask), f"frame of radius {radius} and width {width}")


# -- reading -----------------------------------------------------------------------------------------------------------


def read_rings(data: Any) -> RingFamily:
    """Read a ring and its cores from a JSON object; its cells are those of the board of the ring's, or the core's,
    radius.

    Raises
    ------
    CertificateError
        If the data are malformed.
    """
    if type(data) is not dict or type(data.get("cores")) is not dict or len(data["cores"]) > MAX_RADIUS:
        raise CertificateError("rings: a ring is an object with cores")
    radius, width, cut, turn = (
        integer(data.get(key), key, 1, MAX_RADIUS) for key in ("radius", "width", "cut", "turn")
    )
    radii = {str(r): r for r in range(1, MAX_RADIUS)}
    # Texts such as "05" or "５" are refused, not read as 5
    if not set(data["cores"]) <= set(radii):
        raise CertificateError("rings: the key of a core is not a radius")
    cores = {radii[key]: _centred(core, radii[key]) for key, core in data["cores"].items()}
    outward = _centred(data.get("outward"), radius)
    if len(outward) != 2:
        raise CertificateError("rings: 'outward' is not a move")
    return RingFamily(radius, width, cut, turn, _centred(data.get("path"), radius), (outward[0], outward[1]), cores)


def _centred(data: Any, radius: int) -> tuple[Cell, ...]:
    cells = rows(data, "cells", 2)
    if not 1 <= len(cells) <= 2 * radius * (radius + 1):
        raise CertificateError("rings: the number of cells is wrong")
    for cell in cells:
        integers(cell, "a cell", 0, 2 * radius - 1)
    return tuple((x - radius, y - radius) for x, y in cells)
