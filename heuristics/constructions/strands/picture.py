"""The drawing of a strands tour: lines coloured by the sides they join, and frames around what larger boards repeat."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from drawing.explanation_parts import Outline, Parts
from heuristics.constructions.strands.data import Member, members
from heuristics.constructions.strands.systems import LineSystems
from heuristics.papers.taming.formation.picture import STRANDS
from kt_models.errors import KTError
from kt_models.kernel.certificates.integers import Ints
from kt_models.leaper import KNIGHT
from kt_models.tour import Tour
from theorems.growing_tours.codes import MOVES, PAIRS
from theorems.growing_tours.radial_data import lines, numbers
from theorems.growing_tours.zones import LINES, RIGHT_ANGLE_LINES

FRAMES = ("#6a4c9c", "#9a6b2f")
"""Colours of repeated columns and rows."""
DIRECTIONS = ("direction (2, 1)", "direction (1, -2)", "other moves")
SIDES_JOINED = ("between bottom and left", "between left and right", "between right and top")
RADIAL = (*DIRECTIONS[:2], "bent lines", DIRECTIONS[2])
RADIAL_COLOURS = (*STRANDS[:2], "#b4442f", STRANDS[2])


def lines_by_sides(tour: Tour, metric: str = "turns") -> Parts:
    """The tour coloured by the two sides between which the lines run, with one period of its zones framed.

    Raises
    ------
    KTError
        If no family has boards of this size, or the tour is not that of a family.
    """
    board = tour.graph.board
    if board is None or board.dimension != 2 or not tour.closed or tour.graph.leaper != KNIGHT:
        raise KTError("a strands tour is a closed knight's tour of a board in the plane")
    width, height = board.shape
    for member in members(width, height, metric):
        size = (height, width) if member.transposed else (width, height)
        cells = tour.coordinates.astype(np.int64)
        cells = cells[:, ::-1] if member.transposed else cells
        if not np.array_equal(_codes_of_moves(cells), member.family.codes_at(member.times, cells)):
            continue
        frames = [
            Outline(cells[:, ::-1] if member.transposed else cells, f"{period} {name}", colour)
            for cells, period, name, colour in _first_copies(member, size)
        ]
        colours = STRANDS[: len(SIDES_JOINED)]
        left, right, low, high = member.family.zoned
        if np.isin(member.family.codes[left:right, low:high], RIGHT_ANGLE_LINES).all():
            way = np.abs(np.roll(cells, -1, axis=0) - cells)[:, 0] == 1
            regular = np.isin(member.family.codes_at(member.times, cells), RIGHT_ANGLE_LINES)
            part = np.where(regular & np.roll(regular, -1), way, len(RIGHT_ANGLE_LINES))
            return Parts(
                part.astype(np.int32), colours, tuple(frames), key=tuple(zip(colours, DIRECTIONS, strict=True))
            )
        grown = LineSystems(member.family, member.times)
        second = grown.system[tuple(cells.T)] == LINES[1]  # With left and right exchanged these are like the others.
        position = np.where(second, size[0] - 1 - cells[:, 0], cells[:, 0]) + 2 * cells[:, 1]
        position = np.minimum(position, np.roll(position, -1))
        return Parts(
            np.searchsorted([size[0], 2 * size[1]], position, side="right").astype(np.int32),
            colours,
            tuple(frames),
            key=tuple(zip(colours, SIDES_JOINED, strict=True)),
        )
    raise KTError(f"the tour of {board.text} is not one of a family")


def radial_lines_by_direction(tour: Tour) -> Parts:
    """The tour coloured by the direction of its radial lines; lines that bend have a colour of their own.

    Raises
    ------
    KTError
        If half of its cells or more do not have such moves.
    """
    board = tour.graph.board
    if board is None or board.dimension != 2 or not tour.closed or tour.graph.leaper != KNIGHT:
        raise KTError("a strands tour is a closed knight's tour of a board in the plane")
    side, cells = board.shape[0], tour.coordinates.astype(np.int64)
    lined = _codes_of_moves(cells) == lines(side, *cells.T)
    if board.shape[1] != side or side % 2 or lined.mean() < 0.5:
        raise KTError(f"the tour of {board.text} does not have radial lines")
    t = numbers(side, *cells.T)[1]
    flat = np.abs(np.roll(cells, -1, axis=0) - cells)[:, 0] == 2
    kind = np.where(t % 5 == 0, 2, np.where(flat, 0, 1))
    part = np.where(lined & np.roll(lined, -1) & (kind == np.where(np.roll(t, -1) % 5, kind, 2)), kind, 3)
    return Parts(part.astype(np.int32), RADIAL_COLOURS, key=tuple(zip(RADIAL_COLOURS, RADIAL, strict=True)))


def _codes_of_moves(cells: Ints) -> Ints:
    """The code of the two moves at each cell of a closed tour."""
    numbers = np.full((5, 5), -1)
    numbers[tuple(np.array(MOVES).T)] = range(len(MOVES))  # Negative displacements count from the end.
    onward = numbers[tuple((np.roll(cells, -1, axis=0) - cells).T)]
    back = np.roll((onward + 4) % len(MOVES), 1)
    codes = np.full((len(MOVES), len(MOVES)), -1)
    codes[tuple(np.array(PAIRS).T)] = range(len(PAIRS))
    return codes[np.minimum(onward, back), np.maximum(onward, back)]


def _first_copies(member: Member, size: tuple[int, int]) -> Iterator[tuple[Ints, int, str, str]]:
    """The first copy of each zone that the board contains: its cells, its period, `columns` or `rows`, and a colour."""
    board = LineSystems(member.family, member.times)
    for axis, zones in enumerate((member.family.columns, member.family.rows)):
        for zone, (begin, end) in zip(zones, board.copies(axis), strict=True):
            ranges = [range(side) for side in size]
            ranges[axis] = range(begin, begin + zone.period)
            if end > begin:
                yield np.array(list(itertools.product(*ranges))), zone.period, ("columns", "rows")[axis], FRAMES[axis]
