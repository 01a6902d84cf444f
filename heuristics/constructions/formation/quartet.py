"""Four knights in a 2×2 square that move as one, and what their moves do to who stands where.

Positions are numbered as everywhere, row by row from the top (`kt_models.gadgets.frame`): 0 = top left, 1 = top right,
2 = bottom left, 3 = bottom right.  A quartet is at the cell of its bottom left knight.  A *straight* move shifts the
square by one cell: two knights stay, the two behind them jump over, crossing.  A *diagonal* move shifts it by a
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
DIAGONAL = {  # of a quartet; the first two go down and up the diagonals of the board
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
    """Where the leaper at a position stands after a straight move, and whether it has jumped.

    Those in the last row jump over the others and change places in pairs: first with second, third with fourth.
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
        Cells of each path relative to the first quartet's bottom left cell, both ends included.
    exit
        Where the second quartet is, relative to the first.
    lead
        Where the first quartet is, relative to where a gadget of this name is entered as a rule (before it is turned).
    """

    name: str
    paths: tuple[tuple[Point, ...], ...]
    exit: Point
    lead: Point = HERE

    @property
    def permutation(self) -> tuple[int, ...]:
        """The position in the second quartet of the knight that comes from position p of the first."""
        side, (right, up) = self.side, self.exit
        return tuple(p[-1].x - right + side * (side - 1 - (p[-1].y - up)) for p in self.paths)

    @property
    def side(self) -> int:
        """Of the square formation."""
        return isqrt(len(self.paths))

    def reversed(self) -> FormationGadget:
        """It walked backwards."""
        back: list[tuple[Point, ...]] = [()] * len(self.paths)
        for path, end in zip(self.paths, self.permutation, strict=True):
            back[end] = tuple(Point(c.x - self.exit.x, c.y - self.exit.y) for c in reversed(path))
        return FormationGadget(self.name, tuple(back), Point(-self.exit.x, -self.exit.y), self.lead)

    def rotate180(self) -> FormationGadget:
        """It turned by 180° and walked backwards."""
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
    """The matching that a matching of the positions becomes when the knights change places."""
    pairs = {frozenset(permutation[p] for p in pair) for pair in MATCHINGS[matching]}
    return next(name for name, partners in MATCHINGS.items() if {frozenset(pair) for pair in partners} == pairs)
