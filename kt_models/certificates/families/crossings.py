"""A lower bound on crossings for all rectangles at once: a belt along the sides, whose sweep becomes stationary.

The sweep is that of `regions`: the cells of the first rows from each side are a closed belt, which is swept once
around, a *lap*.  The *state* is the set of those chosen moves that later cells or crossings need.  Let V be any
function of the states at the beginning of a lap, finite for every state that a tour can be in there, and W(s) the
least of V and the cost of a lap that ends in the state s.  A tour is in the same state where a lap begins and where it
ends, so it has at least the minimum of W - V crossings.  (An open tour: the minimum over the numbers of its ends that
are met, 0, 1 or 2; V knows nothing of ends.)

Why finitely many boards show it for all
----------------------------------------
A lap goes along the four sides, column by column of each, with the corner at its end; V becomes a function of the
states at each place that the sweep has reached, and these are sets of moves near that place.

1. *What a step looks at is near.*  At a cell the step decides its moves, and counts the crossings of these with moves
   that were decided before.  Let b be the longer leg of the leaper.  A move at the cell goes at most b columns away.
   One that crosses it does so between their ends, so both its ends are within 2 b - 1 columns of the cell.  When a
   move is decided, and until when it is needed, is said by which of these cells are in the belt, and by their order.
   So a step depends on which cells within 2 b - 1 columns (and rows) there are, which are in the belt, and on their
   order. Sides have at least 2 rows + 2 b - 1 cells.  So moves at opposite sides do not cross, and where the order
   goes around a corner, such cells are at most rows + 2 (2 b - 1) columns from each other, less than half of a lap:
   the sweep, which takes the shorter way around, takes this one.
2. *A column that may be repeated.*  Let x be a column of a side such that none from x - (2 b - 1) to x + (2 b - 1)
   belongs to the belts at the two ends of the side, and let V before the column and V after it be the same function of
   the states, moved by a column, but for a constant s.  On a board with one more such column the sweep does the same up
   to x; at the new column it does the same as at x, and V is once more the same, moved, and larger by s; then it goes
   on as it did.  So W is the same but for s.  The column can be repeated again.
3. *V is finite where it has to be.*  A state at the beginning of a lap is made by the cells before it.  Some last
   columns of a lap, swept from nothing, give a set of states that has every state of a tour of any board on which these
   columns look alike.  It is checked to lie in the domain of V.  As many are taken as the last side of the least board
   has.  Where that side has `full` cells, the first of them is too far from its other end to see it; so on all longer
   boards they do look alike.

So let B(w, h) be the minimum of W - V on a board.  It is computed for `least` <= w <= h <= `full`.  Sides of `full`
cells are checked to have such a column, with the slope that is claimed for it or more; then B(w, h) grows by the
slope, at least, with each column and each row from there on.  That is all boards w x h with both sides at least
`least`, as the board turned over has the same tours.

V is read as a function of sets of moves near the corner at which laps begin, where all boards look alike.  Therefore
every board can begin with the same one, that which two laps of the largest square leave.  Nothing is assumed of it.

The file
--------
`rows` of the belt; `full`; `laps`: if a board shows too little, W takes the place of V for one more lap, so often;
`penalty`: what V is charged for an end of an open tour that was met.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from kt_models.board import Board
from kt_models.cells import Cell
from kt_models.certificates import regions, states
from kt_models.certificates.families.statement import Bound, FamilyStatement, claims_of
from kt_models.certificates.states import Front
from kt_models.errors import CertificateError
from kt_models.graph import MoveGraph
from kt_models.leaper import Leaper
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem
from kt_models.reading import integer

KIND = "crossings-family"
MAX_ROWS, MAX_FULL, MAX_LAPS, MAX_PENALTY = 3, 40, 4, 100
SETTLING = 2
"""Laps of the largest square that V is taken from."""


@dataclass(frozen=True)
class Belt:
    """How a bound is to be computed (see the module)."""

    leaper: Leaper
    closed: bool
    rows: int
    full: int
    laps: int
    penalty: int

    @property
    def ends(self) -> int:
        """How many ends a tour has."""
        return 0 if self.closed else 2

    @property
    def view(self) -> int:
        """How many columns away a step looks."""
        return 2 * self.leaper.b - 1

    @property
    def least(self) -> int:
        """The least side of a board to which the argument applies."""
        return 2 * self.rows + self.view

    def cells(self, width: int, height: int) -> list[Cell]:
        """The cells of the belt in order: counterclockwise, each side with the corner at its end."""
        sides = (
            (width, lambda at, deep: (at, deep)),
            (height, lambda at, deep: (width - 1 - deep, at)),
            (width, lambda at, deep: (width - 1 - at, height - 1 - deep)),
            (height, lambda at, deep: (deep, height - 1 - at)),
        )
        return [place(at, d) for length, place in sides for at in range(self.rows, length) for d in range(self.rows)]


@dataclass(frozen=True)
class Lap:
    """One lap around a board: what V is after it, the minimum of W - V, and what each side adds for one more column.

    `more` has 0 for a side without a column that may be repeated.
    """

    front: Front
    least: int
    more: tuple[int, int, int, int]


@dataclass(frozen=True, eq=False)
class Around:
    """The sweep around one board."""

    belt: Belt
    width: int
    height: int

    @cached_property
    def cells(self) -> list[Cell]:
        """Of the belt, in order."""
        return self.belt.cells(self.width, self.height)

    @cached_property
    def problem(self) -> Problem:
        """Tours of the board with few crossings."""
        graph = MoveGraph.of(Board.box(self.width, self.height), self.belt.leaper)
        return Problem(graph, "cycle" if self.belt.closed else "path", "crossings")

    @cached_property
    def sweep(self) -> Any:
        """The steps of `regions`."""
        graph, weights = self.problem.graph, self.problem.weights
        assert graph.board is not None and weights is not None
        numbers = graph.board.numbers(np.array(self.cells))
        inside = np.zeros(graph.n, dtype=bool)
        inside[numbers] = True
        seen = inside[graph.tails] | inside[graph.heads]
        mine = seen[weights.first] & seen[weights.second]
        pairs = [a[mine].tolist() for a in (weights.first, weights.second, weights.weight)]
        region = regions.Region(tuple(numbers.tolist()), True)
        return regions._Sweep(self.problem, region, list(zip(*pairs, strict=True)), NO_LIMITS)

    @cached_property
    def lengths(self) -> list[int]:
        """Columns of each side, the corner at its end among them, that at its beginning not."""
        return [length - self.belt.rows for length in (self.width, self.height) * 2]

    @cached_property
    def live(self) -> dict[int, int]:
        """The moves of a state where a lap begins, and until when each is needed: from a lap without any state."""
        live: dict[int, int] = {}
        for i in range(len(self.cells)):
            _, live = self.sweep._step(i, i, live, 2, self.belt.ends)
        return live

    def names(self, live: dict[int, int], side: int = 0, column: int = 0) -> list[frozenset[Cell]]:
        """The moves of a state, in its order, by their ends seen from a column of a side, where x leads along it."""
        graph = self.problem.graph
        assert graph.board is not None
        found = []
        for e in live:
            ends = []
            for x, y in graph.board.cells[graph.ends[e]].tolist():
                turned = [(x, y), (y, self.width - 1 - x), (self.width - 1 - x, self.height - 1 - y)]
                along, deep = [*turned, (self.height - 1 - y, x)][side]
                ends.append((along - column, deep))
            found.append(frozenset(ends))
        return found

    def tail(self, memory: states.Memory, columns: int) -> Front:
        """The states that the last columns of a lap allow, swept from nothing; ends are forgotten."""
        belt, count = self.belt, len(self.cells)
        front, live = _nothing(), dict[int, int]()
        for i in range(count - columns * belt.rows, count):
            step, live = self.sweep._step(i, i, live, 2, belt.ends)
            front, _ = memory.apply(step, front)
        if list(live) != list(self.live):
            raise CertificateError("crossings: the columns before a lap begins are too few")
        return states.without_ends(front, 0)

    def lap(self, front: Front, memory: states.Memory, *, first: bool = False) -> Lap:
        """One lap that begins with a function V; the first one begins with nothing, and shows nothing."""
        belt, rows, count = self.belt, self.belt.rows, len(self.cells)
        before, live, cost, start = front, {} if first else self.live, 0, 0 if first else count
        more, i = [0, 0, 0, 0], 0
        for side, length in enumerate(self.lengths):
            last: tuple[bytes, list[frozenset[Cell]]] | None = None
            for x in range(rows, rows + length):
                added = 0
                for _ in range(rows):
                    step, live = self.sweep._step(i, start + i, live, 2, belt.ends)
                    front, extra = memory.apply(step, front)
                    added += extra
                    i += 1
                cost += added
                now = front.digest, self.names(live, side, x)
                if now == last and x - belt.view >= rows and x + belt.view < length:
                    more[side] = added
                last = now
        if not first and list(live) != list(self.live):
            raise CertificateError("crossings: the states at the end of a lap are others than at its beginning")
        found = states.differences(before.states, front.states, cost, belt.ends)
        return Lap(states.without_ends(front, belt.penalty), min(found), (more[0], more[1], more[2], more[3]))


def _nothing() -> Front:
    return states.reduce_states([np.zeros(1, dtype=np.uint64)])[0]


def settle(belt: Belt, memory: states.Memory) -> tuple[Front, list[frozenset[Cell]]]:
    """V that laps of the largest square leave, and the moves that its states are sets of."""
    board = Around(belt, belt.full, belt.full)
    front = board.lap(_nothing(), memory, first=True).front
    for _ in range(SETTLING - 1):
        front = board.lap(front, memory).front
    return front, board.names(board.live)


def computed(
    belt: Belt, width: int, height: int, wanted: Fraction, start: tuple[Front, list[frozenset[Cell]]], memory: Any
) -> tuple[int, int, int]:
    """B(w, h) of a board up to `full`, or the first that is enough; what one more column adds, and one more row."""
    board = Around(belt, width, height)
    front, names = start
    if board.names(board.live) != names:
        raise CertificateError("crossings: the moves at the beginning of a lap are others than on the largest square")
    needed = board.tail(memory, belt.least - belt.rows).states >> np.uint64(states.COST_BITS)
    best = 0, 0, 0
    for _ in range(belt.laps):
        if not np.isin(needed, front.states >> np.uint64(states.COST_BITS), assume_unique=True).all():
            raise CertificateError("crossings: V is not known for all states")
        lap = board.lap(front, memory)
        front = lap.front
        columns, rows = (lap.more[k] + lap.more[k + 2] if lap.more[k] and lap.more[k + 2] else 0 for k in (0, 1))
        if lap.least >= wanted or lap.least <= best[0]:
            return max(best, (lap.least, columns, rows))
        best = lap.least, columns, rows
    return best


def check(data: Any, limits: Limits = NO_LIMITS) -> tuple[FamilyStatement, ...]:
    """Check the claims of a file on crossings, each for all its boards at once (see the module).

    Raises
    ------
    CertificateError
        If a claim is not shown, or it is no such file.
    Stopped
        If the limits do not suffice.
    """
    claims = claims_of(data, KIND)
    for claim in claims:
        belt, bound = read(data, claim)
        start = settle(belt, states.Memory(limits))
        for width in range(claim.boards.least, belt.full + 1):
            memory = states.Memory(limits)
            for height in range(width, belt.full + 1):
                wanted = bound.at(width + height)
                shown, columns, rows = computed(belt, width, height, wanted, start, memory)
                if shown < wanted:
                    raise CertificateError(f"crossings: only {shown} are shown on {width}x{height}")
                seen = rows > 0 and (width < height or columns > 0)  # 0 says that nothing was seen to repeat
                if height == belt.full and not (
                    seen and rows >= bound.slope and (width < height or columns >= bound.slope)
                ):
                    raise CertificateError(f"crossings: no column of {width}x{height} is seen to repeat with the slope")
    return claims


def bound(problem: Problem, data: dict[str, Any], limits: Limits = NO_LIMITS) -> int:
    """The bound on one board, the claims aside: seconds for any size.

    Raises
    ------
    CertificateError
        If the data is no such file, or the problem is not about crossings of tours of a rectangle without holes.
    """
    graph = problem.graph
    board = graph.board
    if problem.objective != "crossings" or board is None or board.dimension != 2 or not board.is_box:
        raise CertificateError("crossings: this method is for crossings on rectangles without holes")
    if problem.connectivity not in ("cycle", "path") or graph.leaper is None:
        raise CertificateError("crossings: this method is for closed and open tours")
    belt = _belt(data, graph.leaper, problem.closed)
    width, height = sorted(board.shape)
    if width < belt.least:
        raise CertificateError(f"crossings: this method is for boards with sides of at least {belt.least} cells")
    low, high = min(width, belt.full), min(height, belt.full)
    wanted, memory = Fraction(2**62), states.Memory(limits)  # one memory: a large board is swept as the largest square
    shown, columns, rows = computed(belt, low, high, wanted, settle(belt, memory), memory)
    if (width > low and not columns) or (height > high and not rows):
        raise CertificateError("crossings: no column is seen to repeat")
    return shown + (width - low) * columns + (height - high) * rows


def read(data: dict[str, Any], claim: FamilyStatement) -> tuple[Belt, Bound]:
    """The belt, and the bound of a claim on crossings.

    Raises
    ------
    CertificateError
        If this is no such file, or the claim is none that it could show.
    """
    if claim.boards.shape not in ("rectangles", "squares") or claim.exists or len(claim.bounds) != 1:
        raise CertificateError("crossings: a claim is 'at-least' on rectangles or squares")
    bound = claim.bounds[0]
    if bound.metric != "crossings":
        raise CertificateError("crossings: the claim is on another metric")
    if claim.boards.shape == "squares":  # 2 n for w + h
        bound = Bound(bound.relation, bound.metric, bound.slope / 2, bound.constant)
    belt = _belt(data, claim.leaper, claim.closed)
    if not belt.least <= claim.boards.least <= belt.full:
        raise CertificateError(f"crossings: the least side of a claim is from {belt.least} to {belt.full}")
    return belt, bound


def _belt(data: dict[str, Any], leaper: Leaper, closed: bool) -> Belt:
    if not isinstance(data, dict):
        raise CertificateError("crossings: no object")
    if len(leaper.offsets) != 2 or leaper.b > 4:
        raise CertificateError(f"crossings: this method is not for the leaper {leaper}")
    belt = Belt(
        leaper,
        closed,
        integer(data.get("rows"), "rows", 1, MAX_ROWS),
        integer(data.get("full"), "full", 1, MAX_FULL),
        integer(data.get("laps"), "laps", 1, MAX_LAPS),
        integer(data.get("penalty", 0), "penalty", 0, MAX_PENALTY),
    )
    if belt.full < belt.least + belt.rows + belt.view:
        raise CertificateError(f"crossings: 'full' is at least {belt.least + belt.rows + belt.view}")
    return belt
