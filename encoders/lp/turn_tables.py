"""The tables of `theorems.turns.theorem` as unknowns of a linear program.

The number of a move on a board is a sum of unknowns, and the least pair of moves of a cell is a variable below each of
its pairs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from encoders.lp.program import Entries, LinearProgram
from kt_models.errors import KTError
from kt_models.leaper import Leaper
from kt_models.limits import NO_LIMITS, Limits

Linear = dict[int, float]
"""Coefficients of variables."""
Pair = tuple[int, int]
"""A cell, a move, or the sides of a board."""


@dataclass
class Program:
    """Rows `lower <= sum of coefficients * variables`, and the names of the variables."""

    limits: Limits = NO_LIMITS
    index: dict[Any, int] = field(default_factory=dict)
    rows: list[tuple[Linear, float]] = field(default_factory=list)

    def variable(self, name: Any) -> int:
        """The number of the variable with a name; it is added if it is new."""
        return self.index.setdefault(name, len(self.index))

    def most(self, objective: Linear) -> tuple[float, np.ndarray]:
        """The largest value of a linear function, and a vertex at which it is attained.

        Raises
        ------
        Stopped
            If the limits were reached first.
        """
        count = len(self.index)
        entries = [(r, i, float(c)) for r, (row, _) in enumerate(self.rows) for i, c in row.items()]
        rows, columns, values = zip(*entries, strict=True)
        matrix = Entries(np.array(rows), np.array(columns), np.array(values))
        cost = np.zeros(count)
        for i, c in objective.items():
            # The solver minimises.
            cost[i] = -c
        lower = np.array([lower for _, lower in self.rows])
        self.limits.check()
        program = LinearProgram(cost, matrix, lower, np.full(len(lower), np.inf), np.ones(count, dtype=bool))
        solved = program.solve(self.limits)
        self.limits.check()
        if not solved:
            raise KTError("family: the linear program has no solution")
        return -program.value, program.variables


@dataclass
class UnknownTables:
    """The unknown tables for boards whose sides have given remainders, and the linear program over them."""

    leaper: Leaper
    depth: int
    corner: int
    period: int = 1
    sides: tuple[int, int] = (0, 0)
    program: Program = field(default_factory=Program)
    pairs: list[int] = field(default_factory=list)
    """The rows that bound a cell's least pair of moves by one of its pairs."""

    def __post_init__(self) -> None:
        half = [(int(dx), int(dy)) for dx, dy in self.leaper.half_moves(2)]
        self.moves = half + [(-dx, -dy) for dx, dy in half]
        self.reach = max(self.depth + self.leaper.b, self.corner)
        self.loss = self.program.variable("loss")
        self.alike = self.sides[0] == self.sides[1]
        full = 2 * self.reach
        width, height = self.sides
        self.size = full + (width - full) % self.period, full + (height - full) % self.period
        """The sides of the least board beyond which a longer side only repeats."""

    @property
    def entries(self) -> list[Any]:
        """The names of the entries of the tables."""
        return [name for name in self.program.index if name[0] in ("side", "left", "corner")]

    def number(self, size: Pair, cell: Pair, move: Pair) -> Linear:
        """The number of a move at a cell of a board, as a sum of unknowns."""
        result: Linear = defaultdict(float)
        target = (cell[0] + move[0], cell[1] + move[1])
        for axis in (0, 1):
            for flip in (False, True):
                a, b = (size[axis] - 1 - c[axis] if flip else c[axis] for c in (cell, target))
                if a != b and min(a, b) < self.depth:
                    # The table describes the move from the cell nearer to the edge, so a move outward counts negative.
                    outer, inner = (c[1 - axis] for c in ((cell, target) if a < b else (target, cell)))
                    last = size[1 - axis] - 1
                    # A move and its mirror image share an entry; the larger of the two names it.
                    across, position = max(
                        (inner - outer, outer % self.period), (outer - inner, (last - outer) % self.period)
                    )
                    table = "left" if axis == 0 and not self.alike else "side"
                    name = (table, min(a, b), across, abs(a - b), position)
                    result[self.program.variable(name)] += 1 if a < b else -1
        # The corners have a table of their own, which all four share.
        for flip_x in (False, True):
            for flip_y in (False, True):
                source, end = (
                    (size[0] - 1 - x if flip_x else x, size[1] - 1 - y if flip_y else y) for x, y in (cell, target)
                )
                if max(*source, *end) < self.corner:
                    images = [(source, end), (source[::-1], end[::-1])][: 2 if self.alike else 1]
                    edge = min(min(image, image[::-1]) for image in images)
                    result[self.program.variable(("corner", *edge))] += 1 if edge in images else -1
        return {i: c for i, c in result.items() if c}

    def least(self, size: Pair, cell: Pair) -> int:
        """The variable of a cell's least pair of moves; cells with the same view share it, and its rows."""
        variables = {
            move: self.number(size, cell, move)
            for move in self.moves
            if all(0 <= c + step < side for c, step, side in zip(cell, move, size, strict=True))
        }
        before = len(self.program.index)
        m = self.program.variable(("least", frozenset((move, frozenset(a.items())) for move, a in variables.items())))
        if m < before:
            return m
        for (first, a), (second, b) in combinations(variables.items(), 2):
            turn = 0.0 if first == (-second[0], -second[1]) else 1.0
            self.pairs.append(len(self.program.rows))
            self.program.rows.append((added((a, 1), (b, 1), ({m: 1.0}, -1)), -turn))
        for a in variables.values():
            self.program.rows.append((added((a, 1), ({m: 1.0}, -1), ({self.loss: 1.0}, 1)), 0.0))
        return m

    def total(self, size: Pair, cells: Iterator[Pair]) -> Linear:
        """The sum of the least pairs over cells of a board; images under its mirrors share a variable."""
        result: Linear = defaultdict(float)
        for x, y in cells:
            cell = min(x, size[0] - 1 - x), min(y, size[1] - 1 - y)
            result[self.least(size, min(cell, cell[::-1]) if size[0] == size[1] and self.alike else cell)] += 1
        return result

    def board(self) -> Linear:
        """The sum over all cells of the least board."""
        width, height = self.size
        return self.total(self.size, ((x, y) for x in range(width) for y in range(height)))

    def middle_rows(self) -> Linear:
        """Turns that one more period of rows adds to a high board."""
        width, height = self.size
        high = (width, height + self.period)
        return self.total(high, ((x, self.reach + y) for x in range(width) for y in range(self.period)))

    def middle_columns(self) -> Linear:
        """Turns that one more period of columns adds to a wide board."""
        width, height = self.size
        wide = (width + self.period, height)
        return self.total(wide, ((self.reach + x, y) for x in range(self.period) for y in range(height)))


def added(*terms: tuple[Linear, float]) -> Linear:
    """A sum of multiples of linear functions."""
    result: Linear = defaultdict(float)
    for linear, factor in terms:
        for i, c in linear.items():
            result[i] += factor * c
    return result
