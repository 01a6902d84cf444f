"""Squares that a quarter turn maps to themselves with (26n + O(1))/3 turns: tours of single squares.

The interior is that of `theorems.growing_tours.radial_data`. The diagonals on which lines are bent have the
directions (1, 3) and (3, -1), so each has a turn in every third row or column: these are 2n/3 turns in all, besides the
8n + O(1) of the sides. `research.strands.radial` finds families.

The cells near the sides are free, or those of them that are not fixed. A mixed-integer program (HiGHS) gives them
moves with the fewest turns, with one variable for each two moves of a cell. Small costs at random lead from one
solution to others, with fewer cycles.

`python -m research.strands.quarter N FILE` looks for a tour of the NxN board, n = 2 modulo 4.
"""

from __future__ import annotations

import itertools
import sys
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from drawing.save import save
from heuristics.constructions.strands.walk import cycle_of
from heuristics.searches.sides.views import view
from kt_models import Problem, Result, Tour, graph_of
from kt_models.errors import KTError
from kt_models.symmetry import Symmetry
from research.strands.sides import CODE_OF
from research.strands.squares import cycles
from theorems.growing_tours.codes import MOVES, PAIRS, Codes, turns
from theorems.growing_tours.radial_data import lines

DEPTH = 6
"""Rows and columns at the sides whose cells are free."""
TRIES, WINDOW = 400, 24
"""How often solutions are drawn, and how many columns or rows the random costs are in."""
KEPT, NOISE = 0.01, 0.006
"""What it costs to change two moves elsewhere, and the largest random cost."""
FREE = 255
"""Stands for a cell whose moves are not fixed."""


@dataclass(frozen=True, eq=False)
class QuarterSquare:
    """The ways to give moves to the cells near the sides of a square.

    Parameters
    ----------
    fixed
        The moves of the cells of the bottom, but for the last columns, or `FREE`; by default all are free.
    """

    side: int
    fixed: Codes | None = None

    @cached_property
    def lines(self) -> Codes:
        """Codes of the cells that are not free, and of the others without sides."""
        return lines(self.side, *np.indices((self.side, self.side)))

    @cached_property
    def options(self) -> list[tuple[int, int, int]]:
        """Each two moves of a free cell of one quarter: x, y and the code."""
        found = []
        for x, y in itertools.product(range(self.side - DEPTH), range(DEPTH)):
            if self.fixed is not None and self.fixed[x, y] != FREE:
                found.append((x, y, int(self.fixed[x, y])))
                continue
            able, needed = [], set()
            for move in range(len(MOVES)):
                u, v = x + MOVES[move][0], y + MOVES[move][1]
                if self._inside(u, v):
                    needed |= {move} if (move + 4) % 8 in PAIRS[self.lines[u, v]] else set()
                elif 0 <= min(u, v) and max(u, v) < self.side:
                    able.append(move)
            pairs = itertools.combinations(sorted({*able, *needed}), 2)
            found += [(x, y, CODE_OF[pair]) for pair in pairs if needed <= {*pair}]
        return found

    def _inside(self, x: int, y: int) -> bool:
        return DEPTH <= min(x, y) and max(x, y) < self.side - DEPTH

    def _folded(self, x: int, y: int, move: int) -> tuple[int, int, int]:
        """A move of a free cell, turned into the quarter of the bottom."""
        while not (x < self.side - DEPTH and y < DEPTH):
            x, y, move = y, self.side - 1 - x, (move + 2) % 8
        return x, y, move

    @cached_property
    def equations(self) -> tuple[Any, npt.NDArray[np.float64]]:
        """One option for each cell, and each move at both of its ends or at neither."""
        from scipy.sparse import coo_array

        chosen, at = defaultdict(list), defaultdict(list)
        for number, (x, y, code) in enumerate(self.options):
            chosen[x, y].append(number)
            for move in PAIRS[code]:
                if not self._inside(x + MOVES[move][0], y + MOVES[move][1]):
                    at[x, y, move].append(number)
        rows = [(numbers, [1] * len(numbers), 1) for numbers in chosen.values()]
        for (x, y, move), numbers in at.items():
            back = at.get(self._folded(x + MOVES[move][0], y + MOVES[move][1], (move + 4) % 8), [])
            rows.append((numbers + back, [1] * len(numbers) + [-1] * len(back), 0))
        entries = [
            (row, number, sign)
            for row, (numbers, signs, _) in enumerate(rows)
            for number, sign in zip(numbers, signs, strict=True)
        ]
        row, column, value = np.array(entries).T
        table = coo_array((value, (row, column)), shape=(len(rows), len(self.options))).tocsr()
        return table, np.array([bound for _, _, bound in rows], dtype=np.float64)

    def solve(self, costs: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
        """The options with the least turns and costs."""
        from scipy.optimize import Bounds, LinearConstraint, milp

        table, values = self.equations
        turned = np.array([PAIRS[code][1] - PAIRS[code][0] != 4 for _, _, code in self.options])
        found = milp(
            turned + costs,
            constraints=LinearConstraint(table, values, values),
            integrality=np.ones(len(costs)),
            bounds=Bounds(0, 1),
        )
        if found.x is None:
            raise KTError(f"{self.side}x{self.side}: the cells near the sides get no moves: {found.message}")
        return np.array(found.x > 0.5)

    def board(self, chosen: npt.NDArray[np.bool_]) -> Codes:
        """The moves at all cells."""
        codes = self.lines
        for _ in range(4):
            codes = codes.copy()
            for k in np.flatnonzero(chosen):
                x, y, code = self.options[k]
                codes[x, y] = code
            codes = view(codes)
        return codes

    def tour(self, seed: int = 0) -> Codes | None:
        """A board of one cycle with as few turns as a choice of two moves at each cell has, if one is found."""
        luck = np.random.default_rng(seed)
        chosen = self.solve(np.zeros(len(self.options)))
        codes = self.board(chosen)
        fewest, number = turns(codes), cycles(codes)[0]
        places = np.array([x if y < DEPTH else 0 for x, y, _ in self.options])
        for _ in range(TRIES):
            if number == 1:
                return codes
            near = abs(places - luck.integers(self.side - DEPTH)) <= WINDOW // 2
            other = self.solve(np.where(near, NOISE * luck.random(len(places)), -KEPT * chosen))
            after = self.board(other)
            if turns(after) == fewest and (count := cycles(after)[0]) <= number:
                chosen, codes, number = other, after, count
        return None


def main(arguments: list[str]) -> None:
    """The command line `python -m research.strands.quarter N FILE`."""
    if len(arguments) != 2 or not arguments[0].isdecimal() or int(arguments[0]) % 4 != 2 or int(arguments[0]) < 18:
        usage = f"usage: python -m {__package__}.quarter N FILE, N = 2 modulo 4, from 18 on"
        raise SystemExit(str(KTError(usage)))
    side = int(arguments[0])
    codes = QuarterSquare(side).tour()
    if codes is None:
        raise SystemExit(str(KTError(f"{side}x{side}: no tour was found")))
    problem = Problem(graph_of(f"{side}x{side}"), objective="turns", symmetry=(Symmetry.parse("rot90"),))
    result = Result(problem, "feasible", Tour(problem.graph, cycle_of(codes), True), engine="strands_quarter")
    save(result, arguments[1])


if __name__ == "__main__":
    main(sys.argv[1:])
