"""Joins: which lines of one direction, mostly (1, 2), the cells with known moves connect."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from kt_models.cells import Cell
from kt_models.errors import CertificateError

STEEP = (1, 2)
"""Direction of the lines."""

Filling = Mapping[Cell, tuple[Cell, Cell]]
"""The two moves of each cell."""
Leads = Callable[[Cell], bool]
"""Whether a cell of S is on a line of direction `STEEP`; not called for cells whose moves are known."""
LinePairs = frozenset[tuple[int, int]]
"""Pairs of joined lines by their numbers 2 x - y, the smaller number first."""
PathEnd = tuple[Cell, Cell] | int
"""The number of a line, or the last cell and the move that leads on."""
CellPath = frozenset[PathEnd]
"""The two ends of a path."""
FarEnd = tuple[Cell, Cell] | int | None
"""A later cell and its move to the path, the number of a line, or `None` for an end that does not matter."""
OpenPaths = frozenset[tuple[tuple[Cell, Cell], FarEnd]]
"""For each path that leads on to a later cell: this cell, its move, and the other end."""


def paths(known: Filling, leads: Leads, matters: Callable[[PathEnd], bool]) -> frozenset[CellPath]:
    """Ends of each path of known cells both of whose ends matter.

    Raises
    ------
    CertificateError
        If the moves do not fit together.
    """
    path_ends, known_ends = set(), set()
    for (x, y), pair in known.items():
        for dx, dy in pair:
            if (x + dx, y + dy) in known or ((x, y), (dx, dy)) in known_ends:
                continue
            start = _end((x, y), (dx, dy), leads)
            if matters(start):
                # Each path once
                known_ends.add(last := _followed(known, (x, y), (dx, dy)))
                end = _end(*last, leads)
                if matters(end):
                    path_ends.add(frozenset((start, end)))
    return frozenset(path_ends)


def joined_lines(known: Filling, leads: Leads, direction: Cell = STEEP) -> LinePairs:
    """Lines that known cells join; a line of direction (a, b) has the number b x - a y.

    Checks Lemma 28 (joined lines).

    Raises
    ------
    CertificateError
        If the moves do not fit together.
    """
    joined = set()
    for cell, pair in known.items():
        # Start only at ends of paths that leave along the direction, so each join is found from both ends
        if direction in pair and (cell[0] + direction[0], cell[1] + direction[1]) not in known:
            number = _end(cell, direction, leads, direction)
            if isinstance(number, int):
                far_number = _end(*_followed(known, cell, direction), leads, direction)
                # Each join once
                if isinstance(far_number, int) and number < far_number:
                    joined.add((number, far_number))
    return frozenset(joined)


def lengthened(
    ends: OpenPaths, x: int, column: Sequence[tuple[Cell, Cell]], leads: Leads
) -> tuple[OpenPaths, LinePairs]:
    """Extend the open paths of some columns by the next column, number `x`, and find the lines that it joins.

    The column lists the moves of its cells from the bottom up.
    """
    known, joined = dict(ends), set()

    def end(cell: Cell, move: Cell) -> FarEnd:
        """The end of the path from a cell along one of its moves."""
        following = cell[0] + move[0], cell[1] + move[1]
        if following[1] >= len(column):
            return 2 * cell[0] - cell[1] if move == STEEP and leads(following) else None
        return (following, (-move[0], -move[1])) if move[0] > 0 else known.pop((cell, move), None)

    for y, pair in enumerate(column):
        first_end, second_end = (end((x, y), move) for move in pair)
        # Both moves of the cell belong to one closed path
        if first_end == ((x, y), pair[1]):
            continue  # A cycle
        if isinstance(first_end, int) and isinstance(second_end, int):
            joined.add((min(first_end, second_end), max(first_end, second_end)))
        known |= {
            this: that for this, that in ((first_end, second_end), (second_end, first_end)) if isinstance(this, tuple)
        }
    return OpenPaths(known.items()), frozenset(joined)


def _followed(known: Filling, cell: Cell, move: Cell) -> tuple[Cell, Cell]:
    """The last cell of the path that enters a cell against one of its moves, and the move that leads on."""
    x, y = cell
    while True:
        first, second = known[x, y]
        move = second if first == move else first
        following = x + move[0], y + move[1]
        if following not in known:
            return (x, y), move
        move = -move[0], -move[1]
        if move not in known[following]:
            raise CertificateError("turns: the moves of some cells do not fit together")
        x, y = following


def _end(cell: Cell, move: Cell, leads: Leads, direction: Cell = STEEP) -> PathEnd:
    if move == direction and leads((cell[0] + move[0], cell[1] + move[1])):
        return direction[1] * cell[0] - direction[0] * cell[1]
    return cell, move
