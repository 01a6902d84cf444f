"""`family`: the tables of `kt_models.certificates.families.turns`, by linear programming, exact at the end.

The unknowns are the entries of the two tables.  On any board the number of a move is a sum of unknowns, and a cell's
least pair of moves a minimum of linear functions: a variable m of the cell, below each of them.  In this order,

1. the slope: the sum of m over a middle column of a large board, halved, is made as large as possible;
2. the constant: with that slope, the sum of m over the board of sides 2 R;
3. the ends: with both, as little as possible is lost where an open tour ends;
4. with all three, the entries are small (least sum of absolute values, which also makes them few).

The tables then show the same for some smaller boards too, where they overlap: `least_side` is lowered as long as the
check agrees.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np

from encoders.bounds.methods import BoundMethod, is_large_rectangle
from encoders.lp.duals import DENOMINATORS, simple_fraction
from encoders.lp.program import LinearProgram
from kt_models.certificates.families.statement import Boards, Bound, FamilyStatement, claim_to_json
from kt_models.certificates.families.turns import KIND, MAX_REACH, TurnFamily, check, value
from kt_models.errors import CertificateError, KTError
from kt_models.format import FORMAT_VERSION
from kt_models.leaper import KNIGHT, Leaper
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem

Linear = dict[int, float]
"""Coefficients of variables."""


@dataclass
class Program:
    """Rows `lower <= sum of coefficients * variables`, and the names of the variables."""

    limits: Limits = NO_LIMITS
    index: dict[Any, int] = field(default_factory=dict)
    rows: list[tuple[Linear, float]] = field(default_factory=list)

    def variable(self, name: Any) -> int:
        """The number of the variable with a name, a new one if need be."""
        return self.index.setdefault(name, len(self.index))

    def most(self, objective: Linear) -> tuple[float, np.ndarray]:
        """The largest value of a linear function, and a vertex where it is reached.

        Raises
        ------
        Stopped
            If the limits were reached first.
        """
        from scipy.sparse import csr_array

        indices = [i for row, _ in self.rows for i in row]
        data = [c for row, _ in self.rows for c in row.values()]
        starts = np.cumsum([0, *(len(row) for row, _ in self.rows)])
        count = len(self.index)
        matrix = csr_array((data, indices, starts), shape=(len(self.rows), count))
        cost = np.zeros(count)
        for i, c in objective.items():
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
    """The unknown tables, and the linear program over them."""

    leaper: Leaper
    depth: int
    corner: int
    program: Program = field(default_factory=Program)

    def __post_init__(self) -> None:
        half = [(int(dx), int(dy)) for dx, dy in self.leaper.half_moves(2)]
        self.moves = half + [(-dx, -dy) for dx, dy in half]
        self.reach = max(self.depth + self.leaper.b, self.corner)
        self.loss = self.program.variable("loss")

    def number(self, size: tuple[int, int], cell: tuple[int, int], move: tuple[int, int]) -> Linear:
        """The number of a move at a cell of a board, as a sum of unknowns."""
        result: Linear = defaultdict(float)
        other = (cell[0] + move[0], cell[1] + move[1])
        for axis in (0, 1):
            for flip in (False, True):
                a, b = (size[axis] - 1 - c[axis] if flip else c[axis] for c in (cell, other))
                if a != b and min(a, b) < self.depth:
                    name = ("side", min(a, b), abs(move[1 - axis]), abs(a - b))
                    result[self.program.variable(name)] += 1 if a < b else -1
        for flip_x in (False, True):
            for flip_y in (False, True):
                here, there = (
                    (size[0] - 1 - x if flip_x else x, size[1] - 1 - y if flip_y else y) for x, y in (cell, other)
                )
                if max(*here, *there) < self.corner:
                    images = (here, there), (here[::-1], there[::-1])
                    edge = min(min(image, image[::-1]) for image in images)
                    result[self.program.variable(("corner", *edge))] += 1 if edge in images else -1
        return {i: c for i, c in result.items() if c}

    def least(self, size: tuple[int, int], cell: tuple[int, int]) -> int:
        """The variable of a cell's least pair of moves; the cell's rows are added once."""
        before = len(self.program.index)
        m = self.program.variable(("least", size, cell))
        if m < before:
            return m
        here = {
            move: self.number(size, cell, move)
            for move in self.moves
            if all(0 <= c + step < side for c, step, side in zip(cell, move, size, strict=True))
        }
        for (first, a), (second, b) in combinations(here.items(), 2):
            turn = 0.0 if first == (-second[0], -second[1]) else 1.0
            self.program.rows.append((added((a, 1), (b, 1), ({m: 1.0}, -1)), -turn))
        for a in here.values():
            self.program.rows.append((added((a, 1), ({m: 1.0}, -1), ({self.loss: 1.0}, 1)), 0.0))
        return m

    def total(self, size: tuple[int, int], cells: Iterator[tuple[int, int]]) -> Linear:
        """The sum of the least pairs over cells of a board; images under its symmetries share a variable."""
        result: Linear = defaultdict(float)
        for x, y in cells:
            cell = min(x, size[0] - 1 - x), min(y, size[1] - 1 - y)
            result[self.least(size, min(cell, cell[::-1]) if size[0] == size[1] else cell)] += 1
        return result

    def board(self, width: int, height: int) -> Linear:
        """What all cells of a board add up to."""
        return self.total((width, height), ((x, y) for x in range(width) for y in range(height)))

    def middle_row(self, width: int) -> Linear:
        """What one more row adds to a high board."""
        high = 2 * self.reach + 1
        return self.total((width, high), ((x, self.reach) for x in range(width)))


def added(*terms: tuple[Linear, float]) -> Linear:
    """A sum of multiples of linear functions."""
    result: Linear = defaultdict(float)
    for linear, factor in terms:
        for i, c in linear.items():
            result[i] += factor * c
    return result


def make_family(leaper: Leaper = KNIGHT, depth: int = 6, corner: int = 9, limits: Limits = NO_LIMITS) -> dict[str, Any]:
    """A checked family certificate with the best slope, and for it the best constant, that tables of a size reach.

    Parameters
    ----------
    leaper
        The piece.
    depth
        How many rows of cells, from each side, have moves into the board with a number.
    corner
        Side of the square of cells at each corner whose moves have numbers of their own.

    Raises
    ------
    Stopped
        If the limits were reached first.
    KTError
        If there are no such tables: the tables are too large, or the least number of turns is not bounded as there is
        no tour.
    """
    tables = UnknownTables(leaper, depth, corner, Program(limits))
    program, full = tables.program, 2 * tables.reach
    if depth < 1 or corner < 0 or tables.reach > MAX_REACH:
        raise KTError(f"family: tables reach from 1 to {MAX_REACH} cells into the board")
    row = tables.middle_row(full + 1)
    slope = simple_fraction(program.most(row)[0])
    program.rows.append((row, float(slope)))
    corners = tables.board(full, full)
    constant = 2 * slope * full - simple_fraction(program.most(corners)[0])
    program.rows.append((corners, float(2 * slope * full - constant)))
    per_end = simple_fraction(-program.most({tables.loss: -1.0})[0])
    program.rows.append(({tables.loss: -1.0}, -float(per_end)))
    entries = {name: i for name, i in program.index.items() if name[0] in ("side", "corner")}
    sizes = {program.variable(("size", name)): i for name, i in entries.items()}
    for size, i in sizes.items():
        program.rows += [({size: 1.0, i: 1.0}, 0.0), ({size: 1.0, i: -1.0}, 0.0)]
    _, solution = program.most(dict.fromkeys(sizes, -1.0))
    found = {name: float(solution[i]) for name, i in entries.items()}
    # the first whose tables pass the check is taken
    candidates = (rounded(leaper, found, denominator) for denominator in DENOMINATORS)
    wanted = claims(leaper, full, slope, constant, per_end)
    data = next((data for data in candidates if data["claims"] == wanted), None)
    data = data or rounded(leaper, found, DENOMINATORS[-1])  # a little below the optimum
    made_by = f"encoders.bounds.methods.family.make_family(Leaper({leaper.a}, {leaper.b}), {depth}, {corner})"
    return with_smaller_boards({**data, "made_by": made_by})


def rounded(leaper: Leaper, entries: dict[Any, float], denominator: int) -> dict[str, Any]:
    """The certificate of tables rounded to a denominator, with the claim that they show."""
    integers = {name: round(denominator * number) for name, number in entries.items()}
    tables = table_rows({name: number for name, number in integers.items() if number})
    family = TurnFamily(leaper, denominator, *(tuple(map(tuple, tables[name])) for name in ("side", "corner")))
    full = 2 * family.reach
    total, _ = value(family, full, full)
    higher, loss = value(family, full, full + 1)
    constant, slope = Fraction(2 * full * (higher - total) - total, denominator), Fraction(higher - total, denominator)
    claimed = claims(leaper, full, slope, constant, Fraction(loss, denominator))
    return {"kind": KIND, "version": FORMAT_VERSION, "claims": claimed, "denominator": denominator, **tables}


def claims(leaper: Leaper, least: int, slope: Fraction, constant: Fraction, per_end: Fraction) -> list[dict[str, Any]]:
    """At least slope (w + h) - constant turns, and less what two ends lose in an open tour."""
    return [
        claim_to_json(
            FamilyStatement(
                Boards("rectangles", least), leaper, closed, (Bound("at-least", "turns", slope, -constant - lost),)
            )
        )
        for closed, lost in ((True, 0), (False, 2 * per_end))
    ]


def passes(data: dict[str, Any]) -> bool:
    """Whether a certificate shows its claim."""
    try:
        check(data)
    except CertificateError:
        return False
    return True


def with_smaller_boards(data: dict[str, Any]) -> dict[str, Any]:
    """The same tables, with the claim for as small boards as they show it."""
    side = data["claims"][0]["boards"]["least"]
    smaller = {
        **data,
        "claims": [{**claim, "boards": {**claim["boards"], "least": side - 1}} for claim in data["claims"]],
    }
    return with_smaller_boards(smaller) if side > 1 and passes(smaller) else data


def table_rows(entries: dict[Any, int]) -> dict[str, list[list[int]]]:
    """The rows of the two tables, sorted."""
    side = [[*name[1:], a] for name, a in entries.items() if name[0] == "side"]
    corner = [
        [x, y, u - x, v - y, a] for (kind, *ends), a in entries.items() if kind == "corner" for (x, y), (u, v) in [ends]
    ]
    return {"side": sorted(side), "corner": sorted(corner)}


_finished: dict[Leaper, dict[str, Any]] = {}
"""The tables of each piece, made once in a process."""


def make(problem: Problem, *, limits: Limits = NO_LIMITS) -> dict[str, Any]:
    """The data of a certificate of method `family` for a problem: the tables of its leaper, made in some seconds.

    Raises
    ------
    CertificateError
        If the problem is not about turns on a rectangle without holes.
    """
    leaper = problem.graph.leaper
    if leaper is None:
        raise CertificateError("family: this method is for turns on boards in the plane")
    if leaper not in _finished:
        depth, corner = (6, 9) if leaper == KNIGHT else (2 * leaper.b, 3 * leaper.b)
        _finished[leaper] = make_family(leaper, depth, corner, limits)
    return deepcopy(_finished[leaper])


METHOD = BoundMethod(
    "family",
    "one dual solution for all sizes of a board",
    make,
    kind="family",
    rank=1,
    worth=lambda problem, at_least: problem.objective == "turns" and is_large_rectangle(problem),
)
