"""Four knights in a 2×2 square that move as one, and the effect of their moves on their positions.

Positions are numbered row by row from the top (`kt_models.gadgets.frame`): 0 = top left, 1 = top right, 2 = bottom
left, 3 = bottom right. The place of a quartet is the cell of its bottom left knight. A *straight* move shifts the
square by one cell: two knights stay, and the two behind them jump over them, crossing. A *diagonal* move shifts it by a
knight's move: all four jump side by side (Besa et al. 2022, Figure 2).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isqrt
from typing import NamedTuple

from kt_models.gadgets import frame


class Point(NamedTuple):
    """A cell or a displacement."""

    x: int
    y: int


HERE = Point(0, 0)
STRAIGHT = {"U": Point(0, 1), "D": Point(0, -1), "R": Point(1, 0), "L": Point(-1, 0)}
DIAGONAL = {  # Moves of a quartet; the first two go down and up the diagonals of the board.
    "a": Point(2, -1),
    "b": Point(-2, 1),
    "c": Point(2, 1),
    "d": Point(-2, -1),
    "e": Point(1, 2),
    "f": Point(-1, -2),
    "g": Point(1, -2),
    "h": Point(-1, 2),
}
MATCHINGS = {name: sorted(tuple(sorted(pair)) for pair in pairs) for name, pairs in frame.MATCHINGS.items()}
"""The three ways to pair the positions: horizontally, vertically, crosswise (Besa et al. 2022, section 3.1)."""


def plus(a: Point, b: Point) -> Point:
    """The sum of two cells as vectors."""
    return Point(a.x + b.x, a.y + b.y)


def square(side: int) -> tuple[Point, ...]:
    """The positions of a formation of side × side leapers, row by row from the top."""
    return tuple(Point(p % side, side - 1 - p // side) for p in range(side * side))


POSITIONS = square(2)


def widened(move: Point, side: int) -> Point:
    """The move of a (1, side)-leaper in the direction of a knight's move."""
    x, y = (c * side // 2 if abs(c) == 2 else c for c in move)
    return Point(x, y)


def jump(move: str, position: Point, side: int = 2) -> tuple[Point, bool]:
    """The position of a leaper after a straight move, and whether it has jumped.

    The leapers in the last row jump over the others and change places in pairs: first with second, third with fourth.
    """
    step = STRAIGHT[move]
    stays = Point(position.x - step.x, position.y - step.y)
    if 0 <= stays.x < side and 0 <= stays.y < side:
        return stays, False
    landing = Point(stays.x % side, stays.y % side)
    return (Point(landing.x ^ 1, landing.y) if step.y else Point(landing.x, landing.y ^ 1)), True


@dataclass(frozen=True)
class FormationGadget:
    """Paths of knights from a quartet to a quartet: position p of the first starts path p.

    Or of the leapers of a larger square formation.

    Parameters
    ----------
    name
        What it is.
    paths
        Cells of each path relative to the first quartet's bottom left cell, including both ends.
    exit
        The second quartet's place relative to the first.
    lead
        The first quartet's place relative to the usual entry of a gadget of this name (before rotation).
    """

    name: str
    paths: tuple[tuple[Point, ...], ...]
    exit: Point
    lead: Point = HERE

    @property
    def permutation(self) -> tuple[int, ...]:
        """The positions in the second quartet of the knights from positions 0, 1, ... of the first."""
        side, (right, up) = self.side, self.exit
        return tuple(p[-1].x - right + side * (side - 1 - (p[-1].y - up)) for p in self.paths)

    @property
    def side(self) -> int:
        """The side of the square formation."""
        return isqrt(len(self.paths))

    def reversed(self) -> FormationGadget:
        """The gadget walked backwards."""
        back: list[tuple[Point, ...]] = [()] * len(self.paths)
        for path, end in zip(self.paths, self.permutation, strict=True):
            back[end] = tuple(Point(c.x - self.exit.x, c.y - self.exit.y) for c in reversed(path))
        return FormationGadget(self.name, tuple(back), Point(-self.exit.x, -self.exit.y), self.lead)

    def rotate180(self) -> FormationGadget:
        """The gadget rotated by 180° and walked backwards."""
        corner = plus(self.exit, Point(self.side - 1, self.side - 1))
        back: list[tuple[Point, ...]] = [()] * len(self.paths)
        for path, end in zip(self.paths, self.permutation, strict=True):
            back[-1 - end] = tuple(Point(corner.x - c.x, corner.y - c.y) for c in reversed(path))
        return FormationGadget(self.name, tuple(back), self.exit, self.lead)


def march(word: Sequence[str], name: str = "", side: int = 2) -> FormationGadget:
    """The gadget of a sequence of moves in formation; of 16 giraffes, (1, 4)-leapers, if the side is 4.

    >>> march("UU").permutation
    (1, 0, 3, 2)
    """
    at = HERE
    positions = square(side)
    paths = [[cell] for cell in positions]
    where = list(positions)
    for move in word:
        if move in STRAIGHT:
            at = plus(at, STRAIGHT[move])
            moved = [jump(move, position, side) for position in where]
        else:
            at = plus(at, widened(DIAGONAL[move], side))
            moved = [(position, True) for position in where]
        where = [position for position, _ in moved]
        for path, (position, jumped) in zip(paths, moved, strict=True):
            if jumped:
                path.append(plus(at, position))
    return FormationGadget(name, tuple(map(tuple, paths)), at)


def matching_after(matching: str, permutation: Sequence[int]) -> str:
    """The matching of the positions after the knights have changed places."""
    pairs = {frozenset(permutation[p] for p in pair) for pair in MATCHINGS[matching]}
    return next(name for name, partners in MATCHINGS.items() if {frozenset(pair) for pair in partners} == pairs)
