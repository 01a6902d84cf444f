"""A square round a plane, with the numbers of a file. It shares no code with the checker: it reads them by itself."""

from collections import defaultdict
from collections.abc import Set
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from typing import Any

Cell = tuple[int, int]
Pair = tuple[Cell, Cell]
MOVES = [(a * s, b * t) for a, b in ((1, 2), (2, 1)) for s in (1, -1) for t in (1, -1)]


def plus(cell: Cell, move: Cell) -> Cell:
    return cell[0] + move[0], cell[1] + move[1]


def back(move: Cell) -> Cell:
    return -move[0], -move[1]


@dataclass(frozen=True, eq=False)
class Square:
    """A square whose middle has the directions of a plane; `seconds` are its lines of the second direction."""

    side: int
    directions: tuple[Cell, Cell]
    seconds: Set[int]
    data: dict[str, Any]

    def on(self, cell: Cell) -> bool:
        return 0 <= min(cell) and max(cell) < self.side

    def way(self, cell: Cell) -> Cell:
        (a, b), (c, d) = self.directions
        return self.directions[(a * cell[1] - b * cell[0]) % abs(a * d - b * c) in self.seconds]

    def moves(self, cell: Cell) -> list[Cell]:
        return [move for move in MOVES if self.on(plus(cell, move))]

    @cached_property
    def numbers(self) -> dict[tuple[Cell, Cell], int]:
        """The number of each move from a cell; those of the two ends cancel."""
        last = self.side - 1
        found: dict[tuple[Cell, Cell], int] = defaultdict(int)

        def put(cell: Cell, move: Cell, number: int) -> None:
            if self.on(cell) and self.on(other := plus(cell, move)):
                found[cell, move] += number
                found[other, back(move)] -= number

        def images(x: int, y: int, dx: int, dy: int, number: int) -> None:
            for right, up in product((False, True), repeat=2):
                cell = last - x if right else x, last - y if up else y
                move = -dx if right else dx, -dy if up else dy
                put(cell, move, number)
                put(cell[::-1], move[::-1], number)

        for depth, across, inward, position, number in self.data["side"]:
            for x in range(position, self.side, self.data["period"]):
                images(x, depth, across, inward, number)
        for row in self.data["corner"]:
            images(*row)
        return found

    def costs_of(self, cell: Cell) -> tuple[dict[Pair, int], int]:
        """The excess of each pair of a cell, and the least that a pair costs, times the denominator."""
        turn, numbers = int(self.data["denominator"]), self.numbers
        costs = {
            (a, b): numbers[cell, a] + numbers[cell, b] + turn * (a != back(b))
            for a, b in combinations(self.moves(cell), 2)
        }
        least = min(costs.values())
        return {pair: cost - least for pair, cost in costs.items()}, least
