"""Planes without turns: all cells lie on lines of moves, and the lines have one or two directions.

Lemma 12 (classes of two directions) and Lemma 13 (the middle looks like a plane) say why there are no others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import lcm

from kt_models.cells import Cell
from theorems.statement import Boards

DIRECTIONS = ((1, 2), (2, 1), (2, -1), (1, -2))
KNIGHT_MOVES = (*DIRECTIONS, *((-dx, -dy) for dx, dy in DIRECTIONS))
Turn = Callable[[int, int], Cell]
"""A map of cells, or of moves."""


def cross(a: Cell, b: Cell) -> int:
    """Determinant of two vectors."""
    return a[0] * b[1] - a[1] * b[0]


@dataclass(frozen=True)
class Plane:
    """A plane without turns: the cells of some classes have the direction `second`, all others `first`.

    A plane of one direction has `first` equal to `second` and no classes in `seconds`. Of two directions, `first`
    comes first in `DIRECTIONS`.
    """

    first: Cell
    second: Cell
    seconds: frozenset[int] = frozenset()

    @cached_property
    def classes(self) -> int:
        """Number of classes, which is also a period of the plane along columns and along rows."""
        return abs(cross(self.first, self.second)) or 1

    def direction(self, x: int, y: int) -> Cell:
        """Direction of the line through a cell."""
        return self.second if cross(self.first, (x, y)) % self.classes in self.seconds else self.first

    def share(self, direction: Cell) -> int:
        """Number of classes with a direction."""
        seconds = len(self.seconds)
        return seconds * (direction == self.second) + (self.classes - seconds) * (direction == self.first)

    @property
    def sort_key(self) -> tuple[Cell, Cell, list[int]]:
        """A key for an order that does not depend on hashing."""
        return self.first, self.second, sorted(self.seconds)

    def image(self, cell: Turn, move: Turn) -> Plane:
        """Image under a map of cells; `move` is the same map on differences of cells, and so on moves."""
        first, second = sorted(
            (direction_of(*move(*direction)) for direction in (self.first, self.second)), key=DIRECTIONS.index
        )
        cells = [(x, y) for x in range(self.classes) for y in range(self.classes)]
        seconds = [cell(*c) for c in cells if first != second == direction_of(*move(*self.direction(*c)))]
        return Plane(first, second, frozenset(cross(first, c) % self.classes for c in seconds))

    def quarter_turn(self, side: int) -> Plane:
        """Image under the quarter turn of a square that maps its right side to the bottom."""
        return self.image(lambda x, y: (y, side - 1 - x), lambda dx, dy: (dy, -dx))

    def half_turn(self, side: int) -> Plane:
        """Image under the half turn of a square."""
        return self.quarter_turn(side).quarter_turn(side)

    def images(self, side: int) -> set[Plane]:
        """Images under the symmetries of a square."""
        rotations = [self]
        # Quarter turns, then their mirror images: the eight symmetries of the square
        for _ in range(3):
            rotations.append(rotations[-1].quarter_turn(side))
        return {*rotations, *(plane.image(lambda x, y: (y, x), lambda dx, dy: (dy, dx)) for plane in rotations)}

    def images_by_share(self, side: int, direction: Cell) -> list[Plane]:
        """Images under the symmetries of a square with a line of a direction, those with most classes of it first.

        A half turn keeps directions. Of two images that it maps to each other only one is returned.
        """
        kept: list[Plane] = []
        for image in sorted(self.images(side), key=lambda image: (-image.share(direction), image.sort_key)):
            if image.share(direction) and image.half_turn(side) not in kept:
                kept.append(image)
        return kept


def direction_of(dx: int, dy: int) -> Cell:
    """Direction of a move."""
    return (dx, dy) if dx > 0 else (-dx, -dy)


def planes() -> Iterator[Plane]:
    """All planes without turns."""
    for direction in DIRECTIONS:
        yield Plane(direction, direction)
    for first, second in combinations(DIRECTIONS, 2):
        classes = abs(cross(first, second))
        for size in range(1, classes):
            yield from (Plane(first, second, frozenset(some)) for some in combinations(range(classes), size))


def plane_classes(period: int, boards: Boards) -> Iterator[tuple[Plane, int, int]]:
    """One plane of each orbit under the symmetries of squares, for the squares of a claim.

    Each comes with a period, the least common multiple of `period` and its own, and a remainder of sides modulo that.
    """
    periods = {plane: lcm(period, plane.classes) for plane in planes()}
    for plane_period in sorted(set(periods.values())):
        for remainder in sorted(boards.remainders(plane_period)):
            left = {plane for plane, number in periods.items() if number == plane_period}
            while left:
                plane = min(left, key=lambda candidate: candidate.sort_key)
                left -= plane.images(remainder)
                yield plane, plane_period, remainder
