"""Which lines of one direction, mostly (1, 2), are joined by some cells whose moves are known."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from kt_models.cells import Cell
from kt_models.errors import CertificateError

STEEP = (1, 2)
"""The direction of the lines."""

Filling = Mapping[Cell, tuple[Cell, Cell]]
"""The two moves of each cell."""
Leads = Callable[[Cell], bool]
"""Whether a cell is one of S on a line of direction `STEEP`; it is not asked about cells whose moves are known."""
LinePairs = frozenset[tuple[int, int]]
"""Numbers 2 x - y of two lines that are joined, the lesser first."""
PathEnd = tuple[Cell, Cell] | int
"""The number of a line, or the last cell and the move that leads on."""
CellPath = frozenset[PathEnd]
"""Its two ends."""
FarEnd = tuple[Cell, Cell] | int | None
"""A cell that is taken later and its move to a path, or the number of a line, or another end that does not matter."""
OpenPaths = frozenset[tuple[tuple[Cell, Cell], FarEnd]]
"""For each path that leads on to a later cell: this cell and its move, and the other end."""


def paths(known: Filling, leads: Leads) -> frozenset[CellPath]:
    """The ends of each path of known cells.

    Raises
    ------
    CertificateError
        If the moves do not fit.
    """
    found = set()
    for (x, y), pair in known.items():
        for dx, dy in pair:
            if (x + dx, y + dy) not in known:
                start, end = _end((x, y), (dx, dy), leads), _end(*_followed(known, (x, y), (dx, dy)), leads)
                found.add(frozenset((start, end)))
    return frozenset(found)


def joined_lines(known: Filling, leads: Leads, direction: Cell = STEEP) -> LinePairs:
    """The lines that known cells join; lines of another direction (a, b) have the numbers b x - a y.

    Checks Lemma 28 (joined lines).

    Raises
    ------
    CertificateError
        If the moves do not fit.
    """
    found = set()
    for cell, pair in known.items():
        if direction in pair and (cell[0] + direction[0], cell[1] + direction[1]) not in known:
            number = _end(cell, direction, leads, direction)
            if isinstance(number, int):
                other = _end(*_followed(known, cell, direction), leads, direction)
                if isinstance(other, int) and number < other:
                    found.add((number, other))
    return frozenset(found)


def lengthened(
    ends: OpenPaths, x: int, column: Sequence[tuple[Cell, Cell]], leads: Leads
) -> tuple[OpenPaths, LinePairs]:
    """What becomes of the paths of some columns with the next one, whose number is `x`, and the lines that it joins.

    The column has the moves of its cells, from the lowest on.
    """
    known, joined = dict(ends), set()

    def end(cell: Cell, move: Cell) -> FarEnd:
        """Where the path from a cell along one of its moves ends."""
        other = cell[0] + move[0], cell[1] + move[1]
        if other[1] >= len(column):
            return 2 * cell[0] - cell[1] if move == STEEP and leads(other) else None
        return (other, (-move[0], -move[1])) if move[0] > 0 else known.pop((cell, move), None)

    for y, pair in enumerate(column):
        one, other = (end((x, y), move) for move in pair)
        if one == ((x, y), pair[1]):
            continue  # a cycle
        if isinstance(one, int) and isinstance(other, int):
            joined.add((min(one, other), max(one, other)))
        known |= {this: that for this, that in ((one, other), (other, one)) if isinstance(this, tuple)}
    return OpenPaths(known.items()), frozenset(joined)


def _followed(known: Filling, cell: Cell, move: Cell) -> tuple[Cell, Cell]:
    """The last cell of the path that comes to a cell against a move of it, and the move that leads on."""
    x, y = cell
    while True:
        one, other = known[x, y]
        move = other if one == move else one
        following = x + move[0], y + move[1]
        if following not in known:
            return (x, y), move
        move = -move[0], -move[1]
        if move not in known[following]:
            raise CertificateError("turns: the moves of some cells do not fit")
        x, y = following


def _end(cell: Cell, move: Cell, leads: Leads, direction: Cell = STEEP) -> PathEnd:
    if move == direction and leads((cell[0] + move[0], cell[1] + move[1])):
        return direction[1] * cell[0] - direction[0] * cell[1]
    return cell, move
