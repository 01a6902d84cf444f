"""Facing sides of single squares, by a program of its own: no two lines that are joined both below and above.

`StripSquare` shares no code with the checker. It finds by dynamic programming round the square which moves the cells
outside of a plane may choose at all. It asks CP-SAT for a choice that joins no
two lines both at the bottom and at the top.
"""

import copy
import json
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import product
from math import atan2
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from kt_models.errors import CertificateError
from tests.effort import slow
from tests.theorems.squares import MOVES, Cell, Pair, Square, back, plus
from theorems.turns.theorem import check

Words = npt.NDArray[np.uint64]
Costs = npt.NDArray[np.int64]
Steps = list[tuple[np.uint64, list[tuple[int, int, np.uint64, np.uint64]]]]
RESULTS = Path(__file__).parents[2] / "heuristics" / "delivered" / "results"
FILES = {name: json.loads((RESULTS / f"turns-facing-{name}.json").read_text()) for name in ("2-mod-20", "2-mod-4")}
FILES["0-mod-4"] = json.loads((RESULTS / "turns-many-0-mod-4.json").read_text())
RIGHT, FLAT = ((1, 2), (2, -1)), ((1, 2), (2, 1))
DEPTH, BITS, CORNER = 7, 64, 16
CORNER_CELLS = [(0, 0), (1, 0), (0, 1), (2, 0), (0, 2), (3, 0), (0, 3), (1, 1)]


@dataclass(frozen=True, eq=False)
class StripSquare(Square):
    """A square whose cells more than seven from the sides have the directions of a plane, but for a few at corners."""

    turns: int = 0

    def inner(self, cell: Cell) -> bool:
        """Whether it is in S."""
        return min(cell) >= DEPTH and max(cell) < self.side - DEPTH

    def from_corner(self, cell: Cell) -> Cell:
        """How far it is from the nearest corner."""
        return min(cell[0], self.side - 1 - cell[0]), min(cell[1], self.side - 1 - cell[1])

    def is_free(self, cell: Cell) -> bool:
        near = self.from_corner(cell)
        corner_cells = CORNER_CELLS if self.turns else CORNER_CELLS[:1]
        return not self.inner(cell) or (near[0] - DEPTH, near[1] - DEPTH) in corner_cells

    @cached_property
    def costs(self) -> tuple[dict[Cell, dict[Pair, int]], int]:
        """Excesses of the pairs of the outer cells, and the sum of the least costs, times the denominator."""
        cells = [cell for cell in product(range(self.side), repeat=2) if min(self.from_corner(cell)) < 2 * DEPTH]
        found = {cell: self.costs_of(cell) for cell in cells}
        return {cell: costs for cell, (costs, _) in found.items()}, sum(least for _, least in found.values())

    @cached_property
    def choices(self) -> dict[Cell, list[tuple[int, Pair]]]:
        """The pairs of the cells that may choose, with what they cost."""
        found, costs = {}, self.costs[0]
        for cell in costs if self.turns else ():
            way = self.way(cell)
            pairs = []
            for pair, cost in costs[cell].items():
                changed = {way, back(way)} ^ {*pair}
                if len(changed) <= 2 and all(self.is_free(plus(cell, move)) for move in changed):
                    pairs.append((cost, pair))
            if not self.is_free(cell) and len(pairs) > 1:
                found[cell] = pairs
        chosen = {*found, *(cell for cell in costs if self.is_free(cell))}
        for cell in chosen - {*found}:
            fixed = {move for move in MOVES if self.on(plus(cell, move)) and plus(cell, move) not in chosen}
            wanted = {move for move in fixed if self.way(plus(cell, move)) in (move, back(move))}
            found[cell] = [(cost, pair) for pair, cost in costs[cell].items() if {*pair} & fixed == wanted]
        return found

    def may_differ(self, cell: Cell, move: Cell) -> bool:
        """Whether it is chosen at its ends if the move between two cells is there."""
        other = plus(cell, move)
        return other in self.choices and (self.is_free(cell) or self.is_free(other))

    @cached_property
    def order(self) -> list[Cell]:
        """Once round, from the middle of the bottom."""
        block = DEPTH + 1 + 4 * self.turns
        inner = self.side - block - 0.5, block - 0.5
        cells = [(x, y) for x in range(block, self.side - block) for y in range(DEPTH + 2 * self.turns)]
        corner = product(range(self.side - block, self.side), range(block))
        cells += sorted(corner, key=lambda cell: (atan2(cell[0] - inner[0], inner[1] - cell[1]), cell))
        every = []
        for _ in range(4):
            every += [cell for cell in cells if cell in self.choices]
            cells = [(self.side - 1 - y, x) for x, y in cells]
        assert len(every) == len({*every}) == len(self.choices)
        place = every.index((self.side // 2, 0))
        return every[place:] + every[:place]

    def steps(self, cells: Sequence[Cell]) -> Steps:
        """Bits that fall out at each cell; and of its pairs their number and cost, and bits before and after.

        Moves across the cut, and those for which there are no bits left, are free.
        """
        place = {cell: number for number, cell in enumerate(cells)}
        wanted = {cell: {move for _, pair in self.choices[cell] for move in pair} for cell in cells}
        bits: dict[tuple[Cell, Cell], int] = {}
        unused, found = list(range(BITS)), []
        for number, cell in enumerate(cells):
            before, after, never = {}, {}, set()
            for move in sorted(wanted[cell]):
                other = plus(cell, move)
                if (
                    other in place
                    and self.may_differ(cell, move)
                    and abs(place[other] - number) < len(cells) // 2 + 200
                ):
                    if back(move) not in wanted[other]:
                        never.add(move)
                    elif (other, back(move)) in bits:
                        before[move] = bits.pop((other, back(move)))
            unused += before.values()
            for move in sorted(wanted[cell] - never):
                other = plus(cell, move)
                ahead = place.get(other, 0) - number
                if 0 < ahead < len(cells) // 2 + 200 and self.may_differ(cell, move) and unused:
                    after[move] = bits[cell, move] = unused.pop()
            pairs = [
                (
                    k,
                    cost,
                    np.uint64(sum(1 << before[m] for m in pair if m in before)),
                    np.uint64(sum(1 << after[m] for m in pair if m in after)),
                )
                for k, (cost, pair) in enumerate(self.choices[cell])
                if not never.intersection(pair)
            ]
            found.append((np.uint64(sum(1 << bit for bit in before.values())), pairs))
        return found

    def least(self, cells: Sequence[Cell], most: int) -> int:
        """What some cells cost at least, or one more than `most`."""
        for limit in (most // 4, most // 2, most):
            states, costs = np.zeros(1, np.uint64), np.zeros(1, np.int64)
            for step in self.steps(cells):
                states, costs = after(states, costs, step, limit)
            if len(states):
                return int(costs.min())
        return most + 1

    @cache  # noqa: B019 -- a few squares
    def possible(self, excess: int) -> dict[Cell, dict[int, int]]:
        """The pairs of each cell, by number, that some choice with less excess has, and the least that one has."""
        cells, ahead = self.order, np.zeros(len(self.order) + 1, np.int64)
        for right, up in product((False, True), repeat=2):
            far = self.side - 1 - CORNER
            numbers = [
                number
                for number, (x, y) in enumerate(cells)
                if (x > far if right else x < CORNER) and (y > far if up else y < CORNER)
            ]
            assert numbers == list(range(numbers[0], numbers[-1] + 1))
            ahead[: numbers[0] + 1] += self.least([cells[number] for number in numbers], excess - 1)
        steps, layers = self.steps(cells), [(np.zeros(1, np.uint64), np.zeros(1, np.int64))]
        for number, step in enumerate(steps):
            layers.append(after(*layers[-1], step, excess - 1 - int(ahead[number + 1])))
        found: dict[Cell, dict[int, int]] = {}
        states = layers.pop()[0]
        rest = np.zeros(len(states), np.int64)
        for cell, (mask, pairs) in zip(reversed(cells), reversed(steps), strict=True):
            earlier, costs = layers.pop()
            fit: dict[int, int] = {}
            best = np.full(len(earlier), 2**40)
            for k, cost, before, later in pairs:
                which = np.flatnonzero((earlier & mask) == before)
                new = earlier[which] & ~mask | later
                places = np.minimum(np.searchsorted(states, new), max(len(states) - 1, 0))
                fits = states[places] == new if len(states) else np.zeros(len(which), np.bool_)
                which, more = which[fits], rest[places[fits]] + cost if len(states) else rest
                if len(which) and (least := int((costs[which] + more).min())) < excess:
                    fit[k] = least
                np.minimum.at(best, which, more)
            found[cell] = fit
            kept = costs + best < excess
            states, rest = earlier[kept], best[kept]
        return found

    def tight(self, possible: dict[Cell, dict[int, int]], width: int = CORNER) -> bool:
        """Whether no cell outside of the corners may have an excess."""
        return all(
            max(self.from_corner(cell)) < width or not any(self.choices[cell][k][0] for k in numbers)
            for cell, numbers in possible.items()
        )

    def joined(self, chosen: dict[Cell, Pair]) -> set[frozenset[Cell]]:
        """The cycles of two lines of direction (1, 2), joined below and above: their cells that choose."""
        found = set()
        for start, pair in chosen.items():
            if (1, 2) in pair and not self.is_free(plus(start, (1, 2))):
                cell, move, path = start, (1, 2), set()
                for lead in ((-1, -2), (1, 2)):
                    # Along the line, and back to another one
                    while (cell := plus(cell, move)) not in chosen or not self.is_free(cell):
                        if move not in chosen.get(cell, (move,)):
                            break
                    while self.is_free(cell):
                        path.add(cell)
                        first, second = chosen[cell]
                        move = second if first == back(move) else first
                        if not self.is_free(plus(cell, move)):
                            break
                        cell = plus(cell, move)
                        if cell == start:
                            break
                    if move != lead:
                        break
                else:
                    if cell == start:
                        found.add(frozenset(path))
        return found

    def apart(self, excess: int) -> tuple[bool, int]:
        """Whether a choice with less excess joins no two lines both; its excess, or how many joins were forbidden."""
        chosen, forbidden = self.search(excess)
        return chosen is not None, sum(self.costs[0][cell][pair] for cell, pair in (chosen or {}).items()) or forbidden

    def search(self, excess: int) -> tuple[dict[Cell, Pair] | None, int]:
        """A choice with less excess that joins no two lines both, if there is one; how many joins were forbidden."""
        from ortools.sat.python import cp_model

        possible, model = self.possible(excess), cp_model.CpModel()
        if not all(possible.values()):
            return None, 0
        uses = {(cell, k): model.new_bool_var("") for cell, options in possible.items() for k in options}
        for cell, options in possible.items():
            model.add_exactly_one(uses[cell, k] for k in options)
            for move in MOVES:
                other = plus(cell, move)
                if cell < other and self.may_differ(cell, move):
                    leaving = sum(uses[cell, k] for k in options if move in self.choices[cell][k][1])
                    entering = sum(uses[other, k] for k in possible[other] if back(move) in self.choices[other][k][1])
                    if type(leaving) is not int or type(entering) is not int:
                        model.add(leaving == entering)
        model.add(sum(self.choices[cell][k][0] * use for (cell, k), use in uses.items()) < excess)
        turning = [
            use
            for (cell, k), use in uses.items()
            if not self.is_free(cell) and self.choices[cell][k][1][0] != back(self.choices[cell][k][1][1])
        ]
        model.add(sum(turning) <= self.turns)
        forbidden = 0
        while True:
            solver = cp_model.CpSolver()
            solver.parameters.num_workers = 1
            status = solver.solve(model)
            if status == cp_model.INFEASIBLE:
                return None, forbidden
            assert status in (cp_model.OPTIMAL, cp_model.FEASIBLE)
            numbers = {cell: k for (cell, k), use in uses.items() if solver.value(use)}
            chosen = {cell: self.choices[cell][k][1] for cell, k in numbers.items()}
            joins = self.joined(chosen)
            if not joins:
                return chosen, forbidden
            forbidden += len(joins)
            for join in joins:
                model.add_bool_or(~uses[cell, numbers[cell]] for cell in join)


def after(states: Words, costs: Costs, step: tuple, limit: int) -> tuple[Words, Costs]:
    """The states after a cell, each once and in order, and the least that each costs."""
    mask, pairs = step
    new, more = [np.zeros(0, np.uint64)], [np.zeros(0, np.int64)]
    for _, cost, before, later in pairs:
        which = ((states & mask) == before) & (costs + cost <= limit)
        new.append(states[which] & ~mask | later)
        more.append(costs[which] + cost)
    states, costs = np.concatenate(new), np.concatenate(more)
    order = np.lexsort((costs, states))
    states, costs = states[order], costs[order]
    first = np.ones(len(states), np.bool_)
    first[1:] = states[1:] != states[:-1]
    return states[first], costs[first]


LEFT_OVER = {2: 2, 6: 1, 10: 0, 14: 3, 18: 0}
"""The class with the direction (2, -1) of the plane that is left over, as it lies for the strip, by n modulo 20."""
SQUARES = [
    *(("2-mod-20", side, side % 60 == 42) for side in (142, 162, 122, 182, 202, 222, 382)),
    *(("2-mod-4", side, side % 60 in (6, 18, 34, 50)) for side in range(126, 186, 4) if side % 20 != 2),
]


@pytest.mark.parametrize("case", slow(SQUARES), ids=str)
def test_a_square_with_less_excess_joins_two_lines_twice(case: tuple[str, int, bool]) -> None:
    """If its side is one of those of the claim; the others have a choice that does not. All of their sides are tight.

    So it is in squares that are much smaller than those of the claims.
    """
    name, side, apart = case
    square = StripSquare(side, RIGHT, frozenset({LEFT_OVER[side % 20]}), FILES[name])
    excess = FILES[name]["interior"]["excess"]
    constant = Fraction(*FILES[name]["claims"][0]["bounds"][0]["constant"])
    proved = Fraction(square.costs[1] + excess - 1, FILES[name]["denominator"])
    assert proved <= 8 * side + constant - 1 < proved + Fraction(1, FILES[name]["denominator"])
    assert square.tight(square.possible(excess))
    found, number = square.apart(excess)
    assert found == apart
    assert number < excess if apart else number > 0


@pytest.mark.slow
@pytest.mark.parametrize(("side", "apart"), [(146, False), (126, True)])
def test_no_turn_inside_helps(side: int, *, apart: bool) -> None:
    """A turn in S costs too much under the plane that is left over."""
    square, excess = (
        StripSquare(side, RIGHT, frozenset({1}), FILES["2-mod-4"], 1),
        FILES["2-mod-4"]["interior"]["excess"],
    )
    possible = square.possible(excess)
    for cell, numbers in possible.items():
        turns = [k for k in numbers if square.choices[cell][k][1][0] != back(square.choices[cell][k][1][1])]
        assert square.is_free(cell) or not turns
    assert square.tight(possible)
    assert square.apart(excess)[0] == apart


FORGED: list[tuple[str, tuple[str, ...], object, str]] = [
    ("2-mod-4", ("interior", "turns"), 0, "a turn inside"),
    ("2-mod-4", ("interior", "excess"), 42, "a turn inside"),
    ("2-mod-4", ("interior", "excess"), 40, "are shown"),
    ("2-mod-4", ("claims", "boards", "least"), 343, "are shown"),
    ("2-mod-4", ("claims", "boards", "residues"), [24, 26], "are shown|may have an excess"),
    ("2-mod-4", ("claims", "bounds", "constant"), [-19, 1], "are shown"),
    ("2-mod-20", ("claims", "boards", "least"), 178, "are shown"),
    ("2-mod-20", ("claims", "bounds", "constant"), [-20, 1], "are shown"),
    ("2-mod-20", ("interior", "turns"), 1, "are shown"),
    ("2-mod-20", ("interior", "connected"), False, "may have an excess"),
]


@pytest.mark.parametrize("case", [*FORGED[:-1], *slow(FORGED[-1:])], ids=str)
def test_forged_files_of_strips(case: tuple[str, tuple[str, ...], object, str]) -> None:
    name, path, entry, message = case
    data = copy.deepcopy(FILES[name])
    place = data
    for key in path[:-1]:
        place = place[key][0] if type(place[key]) is list else place[key]
    place[path[-1]] = entry
    with pytest.raises(CertificateError, match=message):
        check(data)
