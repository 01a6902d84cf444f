"""Closed tours of Aztec diamonds of all radii, symmetric under a turn: rings around cores, and a finite check.

The *frame* of radius n and width w is what the Aztec diamond of radius n - w leaves of the one of radius n, both about
the same centre.  A *ring* covers a frame by paths: one from a to b, and its images under half turns (then there are
two) or quarter turns (four).  One ring, of radius R, is grown to every radius n >= R.  Its paths are spliced into a
tour of radius n - w that is symmetric under the turn: the path takes the place of a move c-d, which becomes c-a, path,
b-d, and so do their images.  That is one tour again, and symmetric, of radius n.  So tours of radii from R - w to R - 1
(the *cores*) lead to tours of all larger radii that are the same modulo w.  The data are the path, the move c-d, and
the cores; `check_rings` proves from them alone, by exact finite work, that this never fails.

The geometry.  Cells are in *centred* coordinates, those of the board of radius n less n: diamonds of all radii lie
concentric, and a quarter turn, clockwise, takes (x, y) to (y, -1 - x).  Side 0 of a frame is its cells with x, y >= 0;
side q is side 0 turned q times.  On a side, a cell has a *row* 0 .. w - 1 (on side 0, row i is x + y = n - w + i) and a
*column* (on side 0, its x).  Whether a change of row and column is a knight's move depends on nothing else: neither on
the place nor on n.

How a ring grows.  The cut of each side before column t
divides the frame into four *parts*, part q about the tip between the sides q - 1 and q.  To grow the ring by 1, every
part is moved outwards by 1, as it is.  Each side then has one new column at its cut, and its moves are as follows.  A
*pattern* is a set of moves on an endless side, the same at each column, that has two moves at every cell; the moves of
the ring across a cut are asked to be those of a pattern across one.  After growing, the moves at the new column are the
pattern's, and so are again those across the cut, before the new column or behind it: the step can be repeated.  There
are two moves at each cell, always, and one at a, at b and at their images.

Why the ring still consists of such paths.  The moves of a part, with those across its two cuts, make paths that join
its *ports*, the moves across its cuts, and those of a, b and their images that are in it; which of them are joined is
the part's *linkage*.  Once every cell of a part is on such a path, the four linkages say what paths the ring consists
of.  Of a ring of radius n, part q is taken with the n - R new columns of side q.  The linkage of a part with one more
column depends on the part by its linkage alone.  So if the four linkages are for one radius what they were for a
smaller one, everything repeats from there on.  The check adds columns until that is so.

Why the splicing works for ever.  The cells a, b, c, d are in the part about the upper tip.  So whatever its radius, a
ring has them at the same places under its tip, and c-d is a move of it.  Inside it lies c-d of the next smaller ring,
or of a core at that place, and a-c, b-d are moves.  The images go the same way about other tips.  (No turn takes c-d to
itself: the ends of a move that a half turn exchanges would differ by two odd numbers.  So that many moves are given up
for as many paths.)

Which radii.  A radius n >= R is reached if the core of the radius between R - w and R - 1 that is n modulo w is there.
That is periodic, and so is a claim; so it is enough to look at the radii up to R, and one common period of both.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence, Set
from dataclasses import dataclass
from itertools import pairwise
from math import lcm
from typing import Any

import numpy as np

from kt_models.board import Board
from kt_models.certificates.families.statement import FamilyStatement, claims_of
from kt_models.certificates.integers import integer, integers, rows
from kt_models.errors import CertificateError, KTError
from kt_models.graph import MoveGraph
from kt_models.leaper import KNIGHT
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem, solution_edges
from kt_models.reading import is_integer
from kt_models.symmetry import Symmetry
from kt_models.tour import Tour
from kt_models.walks import walks_of

KIND = "rings"
Cell = tuple[int, int]
Move = tuple[Cell, Cell]
Kind = tuple[int, int, int]
"""A move of a pattern: from row i to row j > i, and by how much it changes the column."""
Place = tuple[int, int, int, int]
"""A move on a side: row and column of its one end, row and column of the other, the lower row first."""
Port = tuple[int, int, int, int, int]
"""A move across a cut: the side, then its place there with columns counted from the cut."""
Linkage = frozenset[frozenset[Any]]
"""Pairs of ports and of ends of the ring's paths."""
MAX_RADIUS = 60
"""Greatest radius of a ring or a core that is read: the data are small."""
MAX_RINGS = 8
MAX_COLUMNS = 60
"""Most columns that the check adds: how the ports are joined repeats sooner where the pattern has few strands."""


@dataclass(frozen=True)
class Rings:
    """A ring, where it is cut and spliced, and the cores, all in centred coordinates.

    Parameters
    ----------
    radius, width
        Of the frame that the ring covers.
    cut
        The column t before which each side is cut.
    turn
        Of how many quarter turns the images are copies: 2 (two paths) or 1 (four).
    path
        Cells in order, from a to b.  The path and its images cover the frame: they are the ring.
    outward
        The move c-d of the ring, given up to what lies outside; a-c and b-d are moves once c-d is moved inwards by
        the width.
    cores
        Closed tours, symmetric under the turn, of some radii from `radius - width` to `radius - 1`.

    Raises
    ------
    CertificateError
        If the numbers make no sense, the paths do not cover the frame, or a core is no symmetric tour of its diamond.
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
        if sorted(board.numbers(np.array(cells) + self.radius).tolist()) != list(range(board.n)):
            raise CertificateError("rings: the paths do not cover the frame")
        if not all(is_move(a, b) for a, b in pairwise(self.path)):
            raise CertificateError("rings: a step of the path is not a move")
        for radius, core in self.cores.items():
            graph = MoveGraph.of(Board.aztec(radius))
            tour = Tour(graph, Board.aztec(radius).numbers(np.array(core, dtype=np.int64) + radius), True)
            try:
                solution_edges(
                    Problem(graph, symmetry=(Symmetry.parse("rot90" if self.turn == 1 else "rot180"),)), tour
                )
            except KTError as error:
                raise CertificateError(f"rings: core of radius {radius}: {error}") from None

    @property
    def turns(self) -> range:
        """The numbers of quarter turns that make the path's images, the path itself first."""
        return range(0, 4, self.turn)

    @property
    def ends(self) -> Move:
        """The ends a, b of the path."""
        return self.path[0], self.path[-1]

    @property
    def moves(self) -> list[Move]:
        """The moves of all paths."""
        steps = list(pairwise(self.path))
        return [(turned_cell(a, q), turned_cell(b, q)) for q in self.turns for a, b in steps]

    def covers(self, radius: int) -> bool:
        """Whether a radius is that of a core or of a ring around one."""
        return radius in self.cores or (radius >= self.radius and self.core_of(radius) in self.cores)

    def core_of(self, radius: int) -> int:
        """The radius of the core around which the rings up to a radius lie."""
        least = self.radius - self.width
        return radius if radius < self.radius else least + (radius - least) % self.width

    def row(self, cell: Cell) -> int:
        """The row of a cell of the ring, 0 inside."""
        return depth(cell) - (self.radius - self.width) - 1

    def part(self, cell: Cell) -> int:
        """The part of the frame that a cell of the ring is in."""
        return part_of(cell, self.cut)

    def at_tip(self, cell: Cell, radius: int) -> Cell:
        """The cell that lies under the upper tip of another diamond as this one does under the ring's."""
        return cell[0], cell[1] - self.radius + radius


# -- the check ---------------------------------------------------------------------------------------------------------


def check(data: Any, limits: Limits = NO_LIMITS) -> tuple[FamilyStatement, ...]:
    """Check the claims of a file of kind `rings`: each is shown by one of its rings.

    Raises
    ------
    CertificateError
        If one is not shown, or it is no such file.
    Stopped
        If the limits do not suffice.
    """
    claims = claims_of(data, KIND)
    entries = data.get("rings")
    if type(entries) is not list or not 1 <= len(entries) <= MAX_RINGS:
        raise CertificateError(f"rings: 'rings' is no list of 1 to {MAX_RINGS} rings")
    known = [read_rings(entry) for entry in entries]
    for rings in known:
        check_rings(rings, limits)
    for claim in claims:
        if claim.boards.shape != "aztec diamonds" or not claim.exists or claim.bounds or not claim.closed:
            raise CertificateError("rings: a claim is that Aztec diamonds have closed tours")
        if claim.leaper != KNIGHT:
            raise CertificateError("rings: a claim is about knights")
        if not any(serves(rings, claim) for rings in known):
            raise CertificateError(f"rings: no ring has all tours of this claim: {claim}")
    return claims


def serves(rings: Rings, claim: FamilyStatement) -> bool:
    """Whether a ring leads to all diamonds of a claim, with the symmetry claimed."""
    if claim.symmetry == "rot90" and rings.turn != 1:
        return False
    least = claim.boards.least
    last = max(least, rings.radius) + lcm(rings.width, claim.boards.modulus)
    return all(rings.covers(radius) for radius in range(least, last) if claim.boards.includes(radius))


def check_rings(rings: Rings, limits: Limits = NO_LIMITS) -> None:
    """Prove that all Aztec diamonds whose radii a ring covers have closed tours symmetric under its turn.

    Raises
    ------
    CertificateError
        Naming the first step that fails.
    """
    patterns = [pattern(rings, side) for side in range(4)]
    seen = set()
    for radius in range(rings.radius, rings.radius + MAX_COLUMNS):
        limits.check()
        linkages = tuple(linkage(rings, patterns, part, radius - rings.radius) for part in range(4))
        if (linkages, radius % rings.width) in seen:
            break
        seen.add((linkages, radius % rings.width))
        if rings.covers(radius) and not _joins_ends(rings, linkages):
            raise CertificateError(f"rings: the ring of radius {radius} does not consist of paths from a to b")
    else:
        raise CertificateError(f"rings: how the ports are joined does not repeat within {MAX_COLUMNS} columns")
    _check_splice(rings)


def pattern(rings: Rings, side: int) -> frozenset[Kind]:
    """The pattern whose moves across a cut are those of the ring across the cut of a side.

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
            raise CertificateError(f"rings: the pattern of side {side} has not two moves at row {row}")
    return kinds


def linkage(rings: Rings, patterns: Sequence[frozenset[Kind]], part: int, columns: int) -> Linkage:
    """Which ports and ends of a part its paths join, after columns of the pattern were added at its right cut.

    Raises
    ------
    CertificateError
        If a cell of the part is on no path between those.
    """
    left, end = (part - 1) % 4, rings.cut + columns
    edges: list[tuple[Hashable, Hashable]] = [(a, b) for a, b in rings.moves if rings.part(a) == part == rings.part(b)]
    for i, x, j, z in across(patterns[left], rings.cut):
        own = (i, x) if x >= rings.cut else (j, z)
        edges.append((_cell(rings, left, *own), (left, i, x - rings.cut, j, z - rings.cut)))
    for i, x, j, z in _near(patterns[part], rings.cut, end):
        if max(x, z) < rings.cut or min(x, z) >= end:
            continue  # of the part itself, and counted above; or beyond
        ends: list[Hashable] = [
            ("new", row, at) if at >= rings.cut else _cell(rings, part, row, at)
            for row, at in ((i, x), (j, z))
            if at < end
        ]
        edges.append((ends[0], ends[1] if len(ends) == 2 else (part, i, x - end, j, z - end)))
    ends_here = {turned_cell(cell, q) for q in rings.turns for cell in rings.ends}
    return _joined(edges, ends_here)


def across(kinds: Iterable[Kind], cut: int) -> set[Place]:
    """The moves of a pattern across a cut."""
    return {place for place in _near(kinds, cut, cut) if (place[1] < cut) != (place[3] < cut)}


def _near(kinds: Iterable[Kind], first: int, last: int) -> list[Place]:
    """The moves of a pattern that cross a cut before one of some columns, among others."""
    return [(i, x, j, x + change) for i, j, change in kinds for x in range(first - 2, last + 3)]


def _cell(rings: Rings, side: int, row: int, x: int) -> Cell:
    return cell_on(side, x, rings.radius - rings.width + row + 1)


def _joined(edges: Sequence[tuple[Hashable, Hashable]], ends: Set[Cell]) -> Linkage:
    """The pairs of ends of the paths that edges make; they are ports, or among some cells."""
    number: dict[Hashable, int] = {}
    numbered = np.array([[number.setdefault(v, len(number)) for v in edge] for edge in edges], dtype=np.int64)
    if np.bincount(numbered.reshape(-1)).max() > 2:
        raise CertificateError("rings: three moves meet at a cell")
    names = list(number)
    pairs = []
    for walk in walks_of(len(names), numbered):
        tips = names[walk.vertices[0]], names[walk.vertices[-1]]
        if walk.closed or any(not (isinstance(tip, tuple) and (len(tip) == 5 or tip in ends)) for tip in tips):
            raise CertificateError("rings: cells of a part are not on a path between its ports")
        pairs.append(frozenset(tips))
    return frozenset(pairs)


def _joins_ends(rings: Rings, linkages: Iterable[Linkage]) -> bool:
    """Whether parts with these linkages, a port belonging to two of them, make one path from a to b for each image."""
    number: dict[Port | Cell, int] = {}
    pairs = [[number.setdefault(tip, len(number)) for tip in sorted(pair)] for pairs in linkages for pair in pairs]
    names = list(number)
    walks = walks_of(len(number), np.array(pairs, dtype=np.int64))
    joined = {frozenset((names[walk.vertices[0]], names[walk.vertices[-1]])) for walk in walks if not walk.closed}
    wanted = {frozenset(turned_cell(cell, q) for cell in rings.ends) for q in rings.turns}
    return joined == wanted and len(walks) == len(wanted)


def _check_splice(rings: Rings) -> None:
    (a, b), (c, d) = rings.ends, rings.outward
    if {rings.part(cell) for cell in (a, b, c, d)} != {0}:
        raise CertificateError("rings: a, b, c, d are not in the upper part")
    if not has_move(rings.moves, (c, d)):
        raise CertificateError("rings: the ring has not the move c-d")
    inner = rings.radius - rings.width
    if not is_move(a, rings.at_tip(c, inner)) or not is_move(b, rings.at_tip(d, inner)):
        raise CertificateError("rings: a-c and b-d are not moves")
    for radius, core in rings.cores.items():
        if not has_move(pairwise((*core, core[0])), (rings.at_tip(c, radius), rings.at_tip(d, radius))):
            raise CertificateError(f"rings: the core of radius {radius} has not the move c-d")


# -- geometry ------------------------------------------------------------------------------------------------------


def turned(vector: Cell, quarters: int) -> Cell:
    """A vector turned clockwise about the origin."""
    x, y = vector
    for _ in range(quarters % 4):
        x, y = y, -x
    return x, y


def turned_cell(cell: Cell, quarters: int) -> Cell:
    """A cell, in centred coordinates, turned clockwise about the centre of the diamond."""
    x, y = turned((2 * cell[0] + 1, 2 * cell[1] + 1), quarters)
    return (x - 1) // 2, (y - 1) // 2


def side_of(cell: Cell) -> int:
    """The quadrant of a cell: 0 where x, y >= 0, then clockwise."""
    x, y = cell
    return (0 if y >= 0 else 1) if x >= 0 else (2 if y < 0 else 3)


def column(cell: Cell) -> int:
    """The column of a cell on its side."""
    return turned_cell(cell, -side_of(cell))[0]


def cell_on(side: int, x: int, radius: int) -> Cell:
    """The cell in a column of a side, on the edge of the diamond of a radius."""
    return turned_cell((x, radius - 1 - x), side)


def part_of(cell: Cell, cut: int) -> int:
    """The part of its frame that a cell is in, when each side is cut before a column."""
    side = side_of(cell)
    return side if column(cell) < cut else (side + 1) % 4


def depth(cell: Cell) -> int:
    """The radius of the least diamond that the cell is in."""
    return sum(c if c >= 0 else -1 - c for c in cell) + 1


def is_move(a: Cell, b: Cell) -> bool:
    """Whether two cells are a knight's move apart."""
    return sorted((abs(a[0] - b[0]), abs(a[1] - b[1]))) == [1, 2]


def has_move(moves: Iterable[Move], move: Move) -> bool:
    """Whether a move is among some, in either direction."""
    return any(set(m) == set(move) for m in moves)


def frame(radius: int, width: int) -> Board:
    """The board of the cells that are in the diamond of one radius and not in that of `radius - width`."""
    mask = Board.aztec(radius).grid >= 0
    if radius > width:
        mask[width:-width, width:-width] &= Board.aztec(radius - width).grid < 0
    return Board.from_cells(np.argwhere(mask), f"frame of radius {radius} and width {width}")


# -- reading -----------------------------------------------------------------------------------------------------------


def read_rings(data: Any) -> Rings:
    """A ring and its cores from a JSON object; cells in it are those of the board of the ring's, or the core's, radius.

    Raises
    ------
    CertificateError
        If it is not such an object, or `Rings` does not take it.
    """
    if type(data) is not dict or type(data.get("cores")) is not dict or len(data["cores"]) > MAX_RADIUS:
        raise CertificateError("rings: a ring is an object with cores")
    radius, width, cut, turn = (
        integer(data.get(key), key, 1, MAX_RADIUS) for key in ("radius", "width", "cut", "turn")
    )
    radii = {str(r): r for r in range(1, MAX_RADIUS)}
    if not set(data["cores"]) <= set(radii):
        raise CertificateError("rings: the key of a core is no radius")
    cores = {radii[key]: _centred(core, radii[key]) for key, core in data["cores"].items()}
    outward = _centred(data.get("outward"), radius)
    if len(outward) != 2:
        raise CertificateError("rings: 'outward' is no move")
    return Rings(radius, width, cut, turn, _centred(data.get("path"), radius), (outward[0], outward[1]), cores)


def _centred(data: Any, radius: int) -> tuple[Cell, ...]:
    cells = rows(data, "cells", 2)
    if not 1 <= len(cells) <= 2 * radius * (radius + 1):
        raise CertificateError("rings: too few cells, or more than there are")
    for cell in cells:
        integers(cell, "a cell", 0, 2 * radius - 1)
    return tuple((x - radius, y - radius) for x, y in cells)
