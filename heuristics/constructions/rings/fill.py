"""The tour of an Aztec diamond, cell by cell, from its rings and its core."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt

from kt_models.board import IntArray
from kt_models.cells import Cell
from kt_models.errors import KTError
from kt_models.jit import kernel
from kt_models.json_version import read_document
from theorems.aztec_rings.ring_data import (
    KIND,
    Move,
    RingFamily,
    column,
    pattern,
    read_rings,
    rotate_vector,
    side_of,
    turned_cell,
)

FILE = Path(__file__).parents[2] / "gadgets" / "rings.json"
SLICE_STEPS = 2_000_000
"""Cells between two looks at the clock, about a fifth of a second."""
_Moves = npt.NDArray[np.int8]


@cache
def load_rings(name: str = "half-turn") -> RingFamily:
    """The ring and the cores for a symmetry that come with the toolkit (`python -m research.rings` finds them again).

    Raises
    ------
    KTError
        If the file is not such a list.
    """
    data = json.loads(FILE.read_text(encoding="utf-8"))
    if data.get("kind") != KIND:
        raise KTError("rings.json: not a file of rings")
    data = read_document(data, KIND)
    known = {("half-turn", "quarter-turn")[ring.turn == 1]: ring for ring in map(read_rings, data["rings"])}
    return known[name]


def fill_order(order: IntArray, radius: int, data: RingFamily | None = None) -> Iterator[int]:
    """Write the cells of a closed tour of an Aztec diamond, by their numbers, into an array.

    Parameters
    ----------
    order
        As long as the diamond has cells.
    data
        The ring and the cores, by default those that come with the toolkit.

    Yields
    ------
    int
        The number of cells written so far, from time to time.
    """
    rings = data or load_rings()
    core = rings.core_of(radius)
    core_moves, ring_moves = _core_moves(rings, core, core < radius), _ring_moves(rings)
    height = 2 * (radius - np.abs(2 * np.arange(2 * radius) - (2 * radius - 1)) // 2)
    base = np.cumsum(height) - height - (2 * radius - height) // 2  # The number of a cell (x, y) is base[x] + y.
    state = np.array([-1, radius - 1, 0, 0], dtype=np.int64)  # A cell at the upper tip, and the move into it.
    # Slices give the caller a chance to stop between them; `state` carries the walk from one to the next.
    for start in range(0, len(order), SLICE_STEPS):
        piece = order[start : start + SLICE_STEPS]
        _walk(piece, state, base, radius, core, core_moves, ring_moves, rings.radius, rings.width, rings.cut)
        yield start + len(piece)


def _core_moves(rings: RingFamily, radius: int, inside: bool) -> _Moves:
    """The two moves at each cell of a core, shape (2r, 2r, 2, 2); `inside` a ring some are replaced."""
    core = rings.cores[radius]
    vectors = _vectors(pairwise((*core, core[0])))
    if inside:
        _give_up(rings, vectors, radius)
    moves = np.zeros((2 * radius, 2 * radius, 2, 2), dtype=np.int8)
    for (x, y), two in vectors.items():
        moves[x + radius, y + radius] = two
    return moves


def _ring_moves(rings: RingFamily) -> _Moves:
    """The two moves at each cell of a ring, shape (2, 4, width, radius + 1, 2, 2), indexed by: inside another ring,
    side, row, column.

    The columns are those of the least ring and, at the cut, one that stands for all inserted columns.
    """
    moves = np.zeros((2, 4, rings.width, rings.radius + 1, 2, 2), dtype=np.int8)
    for inside in (0, 1):
        vectors = _vectors(rings.moves)
        inner = rings.radius - rings.width
        for end, within in zip(rings.ends, rings.outward, strict=True):
            # A tour has the same moves at all four sides, so each move at a tip is added in its four rotations.
            for q in rings.turns:
                vectors[turned_cell(end, q)].append(rotate_vector(_minus(rings.at_tip(within, inner), end), q))
        if inside:
            _give_up(rings, vectors, rings.radius)
        for cell, two in vectors.items():
            x = column(cell)
            # Columns behind the cut move up by one, which leaves room for the column of inserted cells.
            moves[inside, side_of(cell), rings.row(cell), x + (x >= rings.cut)] = two
        for side in range(4):
            at: list[list[Cell]] = [[] for _ in range(rings.width)]
            for i, j, change in pattern(rings, side):
                vector = rotate_vector((change, j - i - change), side)
                at[i].append(vector)
                at[j].append((-vector[0], -vector[1]))
            moves[inside, side, :, rings.cut] = at
    return moves


def _give_up(rings: RingFamily, vectors: dict[Cell, list[Cell]], radius: int) -> None:
    """Replace the moves c-d of a ring or core by moves to the ring around it."""
    ends = [rings.at_tip(cell, radius + rings.width) for cell in rings.ends]
    tips = [rings.at_tip(cell, radius) for cell in rings.outward]
    for cell, partner, end in zip(tips, tips[::-1], ends, strict=True):
        for q in rings.turns:
            two = vectors[turned_cell(cell, q)]
            two[two.index(rotate_vector(_minus(partner, cell), q))] = rotate_vector(_minus(end, cell), q)


def _vectors(moves: Iterable[Move]) -> dict[Cell, list[Cell]]:
    """The moves at each cell, as vectors."""
    vectors: dict[Cell, list[Cell]] = {}
    for a, b in moves:
        vectors.setdefault(a, []).append(_minus(b, a))
        vectors.setdefault(b, []).append(_minus(a, b))
    return vectors


def _minus(a: Cell, b: Cell) -> Cell:
    return a[0] - b[0], a[1] - b[1]


@kernel(
    "void(int32[::1], int64[::1], int64[::1], int64, int64, int8[:, :, :, ::1], int8[:, :, :, :, :, ::1], "
    "int64, int64, int64)"
)
def _walk(
    order: IntArray,
    state: npt.NDArray[np.int64],
    base: npt.NDArray[np.int64],
    radius: int,
    core: int,
    core_moves: _Moves,
    ring_moves: _Moves,
    ring_radius: int,
    width: int,
    cut: int,
) -> None:
    """Continue from the cell and the move in `state`, until the array is full."""
    x, y, last_x, last_y = state[0], state[1], state[2], state[3]
    for step in range(len(order)):
        order[step] = base[x + radius] + y + radius
        if x >= 0:
            # Rotate the cell into the first quarter of the diamond: u and v are its coordinates there, neither
            # negative.
            side, u, v = (0, x, y) if y >= 0 else (1, -1 - y, x)
        else:
            side, u, v = (2, -1 - x, -1 - y) if y < 0 else (3, y, -1 - x)
        # |x| + |y| decides which ring holds the cell: no table of rings is needed, so memory does not grow with the
        # board.
        if u + v < core:
            two = core_moves[x + core, y + core]
        else:
            outer = core + ((u + v - core) // width + 1) * width  # The radius of the cell's ring.
            # A larger ring repeats the column at the cut `grown` times, so all these columns share one entry.
            grown = outer - ring_radius
            if u >= cut:
                u_at = cut if u < cut + grown else u - grown + 1
            else:
                u_at = u
            two = ring_moves[int(outer < radius), side, u + v - (outer - width), u_at]
        # Each cell has two moves. Leave by the one that does not lead back.
        back = two[0, 0] == -last_x and two[0, 1] == -last_y
        last_x, last_y = (two[1, 0], two[1, 1]) if back else (two[0, 0], two[0, 1])
        x += last_x
        y += last_y
    state[0], state[1], state[2], state[3] = x, y, last_x, last_y
