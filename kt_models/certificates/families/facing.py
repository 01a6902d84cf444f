"""Facing sides: cycles of two lines that the bottom and the top of a square force together.

Take a 2-factor of a square of even side n as in `interiors`: but for one turn, and a few cells near the corners, all
cells of S, the square without the outer D rows, have the direction that a plane K has there.  Let K have a direction d
= (e, 2), e = 1 or -1.  Number the lines of direction d by c = 2 x - e y.  Some lead from the bottom to the top.  If
the cells outside of S join the ends of the lines c and c' both at the bottom and at the top, these are a cycle of two
lines, and there is no tour.

Walks
-----
The D cells of a column of the bottom choose two moves each.  If all have the excess 0, the choices of many columns
that follow one another are a *walk*.  What may be chosen depends on the column modulo P, which is a multiple of the
period of the numbers and of the number of classes, and even; `sweeps` finds the states before a column, to start with
after 0, 1, 2, ... columns whatever was before.  After P columns more there are no other states than before, as those
are what is left if nothing is asked of the first P columns.  So from some number of columns on these sets repeat, and
the states that are in them and can be led on for ever are found by leaving out, again and again, those that no column
leads on. Call them *nodes*.  A walk of `before` + `WINDOW` + `after` columns has nodes at both ends of the `WINDOW`
columns behind the first `before` ones.  (P - 1 of these are to come to a column that is a multiple of P.)

The top is the bottom after a half turn.  Line c has the number (2 - e)(n - 1) - c then.  The columns X to X + W - 1 of
the bottom *face* the columns X' to X' + W - 1 of the top, as seen after the half turn, if
X + X' + W = ((2 - e)(n - 1) + e D) / 2.

Colour
------
Colour the cell (x, y) 1 or -1 as x + y is even or odd.  Take any set L of cells, and add up the colours of the cells
in L at which moves lead out of L, once for each move.  This is twice the sum of the colours of L, as moves within L
add 0. Let L be what is to the left of a cut through the middles of two windows that face each other, along the lines
between them.  The moves across the cut between cells of S, and between those and others, are those of K.  So this sum
depends on the two nodes in the middles of the windows, on K, n and X.  It does not change if X grows by P, as L grows
by an even number of cells in each row, and the moves across are the same.  If n grows by 2 P, the part of the cut
through S grows by 2 P rows, which repeat: what that adds is the same each time; and to the sum of L likewise.  So if
there is no change from one n to n + 2 P, there is none from there on.

What is checked
---------------
For each X modulo P and each two walks of `WINDOW` columns from node to node, one at the bottom from X on and one at
the top that faces it, whose colours add up to what they have to: some two lines are joined by both within these
columns.

How large squares have to be
----------------------------
Let the excesses of the square be E - 1 at most.  In the middle of a side no positive one is less than some g.  So at
most (E - 1) / g places, and the turn, are in the way.  Take windows that face each other, as many columns before and
behind them as the greater of `before` and `after`, at the bottom and at the top, and all the lines between these, with
some more to either side (`MARGIN`), as far as moves lead across.  If there are more such things, with no cell in
common, than what may be in the way, one is free of it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from math import lcm

from kt_models.cells import Cell
from kt_models.certificates.families.planes import KNIGHT_MOVES, Plane, direction_of
from kt_models.certificates.families.sweeps import MOVES, START, CellSweep, PairExcesses
from kt_models.errors import CertificateError
from kt_models.limits import Limits

WINDOW = 20
"""Columns in which lines are joined."""
MARGIN = 10
"""More columns than the lines of a window and the moves across them spread to either side."""
AHEAD = 4
"""A state is left out if a cell of the next two columns has no pair left of those whose moves are in pairs of others,
which are up to two columns farther on: so many columns ahead are looked at."""
MAX_WALKS, MAX_COLUMNS, MAX_NODES = 10_000, 2_000, 100_000

OpenMoves = frozenset[tuple[int, int, Cell]]
"""A state: how many columns ahead, the row, and the move that leads back."""
Node = tuple[int, OpenMoves]
"""A column modulo P, and the state before it."""
Pairs = tuple[tuple[Cell, Cell], ...]
"""The moves of the cells of a column, from the lowest on."""
LinePairs = frozenset[tuple[int, int]]
"""Numbers of lines that are joined, less 2 for each column before the window."""


def colour(x: int, y: int) -> int:
    """1 or -1."""
    return 1 - 2 * ((x + y) % 2)


@dataclass(frozen=True)
class Walk:
    """A walk of `WINDOW` columns from a column X on, the node in its middle, and what it joins."""

    first: int
    middle: OpenMoves
    joined: LinePairs


@dataclass(frozen=True, eq=False)
class BottomWalks:
    """The walks of a bottom side under a plane.

    Parameters
    ----------
    plane
        As seen from the bottom left corner.
    options
        Of the cells of some square in which the columns from `edge` on are those of the middle for P + 8 columns.
    rows
        D.
    period
        P.
    """

    plane: Plane
    options: Mapping[Cell, PairExcesses]
    rows: int
    edge: int
    period: int
    limits: Limits

    @cached_property
    def _start(self) -> int:
        """The first column of the middle that is a multiple of P."""
        return self.edge + -self.edge % self.period

    @cache  # noqa: B019 -- one for each side that is looked at
    def pairs(self, x: int, y: int) -> PairExcesses:
        """Those of a cell with just the moves to S that the plane has; the column is counted modulo P."""
        place = self._start + x % self.period
        inner = {(dx, dy) for dx, dy in KNIGHT_MOVES if y + dy >= self.rows}
        wanted = {m for m in inner if self.plane.direction(place + m[0], y + m[1]) == direction_of(*m)}
        return [pair for pair in self.options[place, y] if {*pair[1:]} & inner == wanted]

    @cached_property
    def least_excess(self) -> int:
        """The least that is more than 0 of a cell."""
        every = {pair[0] for x in range(self.period) for y in range(self.rows) for pair in self.pairs(x, y)}
        if every <= {0}:
            raise CertificateError("turns: no cell of a side has an excess")
        return min(every - {0})

    @cached_property
    def _lasting(self) -> tuple[int, list[set[OpenMoves]]]:
        """After how many columns the states repeat, and these, by column modulo P."""
        cells = [(x, y) for x in range(2 * self.period + 4) for y in range(self.rows)]
        options = {(x, y): [pair for pair in self.pairs(x, y) if not pair[0]] for x, y in cells}
        sweep = CellSweep(cells, options, 1, KNIGHT_MOVES, self.limits)
        period = self.period * self.rows
        if sweep.open_moves(period) != sweep.open_moves(2 * period):
            raise CertificateError("turns: the columns of the middle of a side do not repeat")
        states, number = sweep.advance(START, 0, period, 1), 1
        while True:
            following = sweep.advance(states, period, 2 * period, 1)
            if len(following) == len(states) and not len(following - states):
                break
            states, number = following, number + 1
            if number * self.period > MAX_COLUMNS:
                raise CertificateError("turns: the states of a side do not repeat")
        found = []
        for x in range(self.period):
            place = period + x * self.rows
            moves = [(divmod(move, MOVES), k) for k, move in enumerate(sweep.open_moves(place))]
            named = [((later // self.rows, later % self.rows, KNIGHT_MOVES[move]), k) for (later, move), k in moves]
            bits = [(name, states.bits(k, 1)) for name, k in named]
            if len(states) + sum(map(len, found)) > MAX_NODES:
                raise CertificateError(f"turns: a side has more than {MAX_NODES:,} states")
            found.append({frozenset(name for name, bit in bits if bit[i]) for i in range(len(states))})
            states = sweep.advance(states, place, place + self.rows, 1)
        return number * self.period, found

    def _led_on(self, x: int, state: OpenMoves) -> Iterator[tuple[OpenMoves, Pairs]]:
        """The states after a column, and what it chooses."""
        later = [(ahead - 1, y, move) for ahead, y, move in state if ahead]
        ways: list[tuple[list[tuple[int, int, Cell]], Pairs]] = [([], ())]
        for y in range(self.rows):
            back = {move for ahead, row, move in state if not ahead and row == y}
            fitting = []
            for excess, *pair in self.pairs(x, y):
                if not excess and back == {m for m in pair if m[0] < 0 and 0 <= y + m[1] < self.rows}:
                    inside = [m for m in pair if m[0] > 0 and 0 <= y + m[1] < self.rows]
                    fitting.append(([(m[0] - 1, y + m[1], (-m[0], -m[1])) for m in inside], (pair[0], pair[1])))
            ways = [(new + own, (*chosen, pair)) for new, chosen in ways for own, pair in fitting]
            if len(ways) > MAX_WALKS:
                raise CertificateError(f"turns: a column of a side has more than {MAX_WALKS:,} choices")
        for new, chosen in ways:
            yield frozenset(later + new), chosen

    @cached_property
    def _graph(self) -> tuple[int, dict[Node, list[tuple[Node, Pairs]]]]:
        """Within how many columns a state that is no node is led on no more, and what follows each node."""
        every = {(x, state) for x, states in enumerate(self._lasting[1]) for state in states}
        steps = {
            (x, state): [(((x + 1) % self.period, new), chosen) for new, chosen in self._led_on(x, state)]
            for x, state in every
        }
        number = 0
        while True:
            steps = {node: [step for step in own if step[0] in steps] for node, own in steps.items()}
            left = {node: own for node, own in steps.items() if own}
            if len(left) == len(steps):
                return number, steps
            steps, number = left, number + 1

    @property
    def before(self) -> int:
        """Columns before a window."""
        return self._lasting[0] + self.period - 1

    @property
    def after(self) -> int:
        """Columns behind it."""
        return self._graph[0] + AHEAD

    def walks(self, direction: Cell) -> list[Walk] | None:
        """All walks of a window, and the lines of a direction that each joins; None if there are too many."""
        steps = self._graph[1]
        found: list[tuple[list[Node], list[Pairs]]] = [([node], []) for node in steps]
        for _ in range(WINDOW):
            self.limits.check()
            found = [([*nodes, new], [*columns, own]) for nodes, columns in found for new, own in steps[nodes[-1]]]
            if len(found) > MAX_WALKS:
                return None
        return [
            Walk(nodes[0][0], nodes[WINDOW // 2][1], frozenset(self._joined(nodes[0][0], columns, direction)))
            for nodes, columns in found
        ]

    def _joined(self, first: int, columns: list[Pairs], direction: Cell) -> Iterator[tuple[int, int]]:
        """The lines of a direction that these columns join, from the column `first` on."""
        dx, dy = direction
        for start in range(WINDOW * self.rows):
            x, y = divmod(start, self.rows)
            if not self._leads(first, x, y, direction) or (dx, dy) not in columns[x][y]:
                continue
            number, move = 2 * x - dx * y, (dx, dy)
            while True:
                one, other = columns[x][y]
                move = other if one == move else one
                x, y = x + move[0], y + move[1]
                if y >= self.rows or not 0 <= x < WINDOW:
                    break
                move = -move[0], -move[1]
            if y >= self.rows and move == direction and number < 2 * x - dx * y:
                yield number, 2 * x - dx * y

    def _leads(self, first: int, x: int, y: int, direction: Cell) -> bool:
        """Whether the move of this direction leads from a cell to a line of the plane."""
        other = first + x + direction[0], y + direction[1]
        return other[1] >= self.rows and self.plane.direction(*other) == direction_of(*direction)


@dataclass(frozen=True, eq=False)
class Facing:
    """The bottom and the top of the squares whose side leaves a remainder modulo twice P.

    Parameters
    ----------
    options
        Of the cells of a square of so many cells a side.
    numbers
        The period of these.
    """

    plane: Plane
    remainder: int
    options: Callable[[int], Mapping[Cell, PairExcesses]]
    rows: int
    edge: int
    numbers: int
    limits: Limits

    @cached_property
    def period(self) -> int:
        """P."""
        return lcm(self.numbers, self.plane.classes, 2)

    @cached_property
    def _sides(self) -> tuple[BottomWalks, BottomWalks]:
        """The bottom, and the top as seen after the half turn."""
        shortest = 2 * self.edge + 2 * self.period + 8
        options = self.options(shortest + (self.remainder - shortest) % self.numbers)
        planes = self.plane, self.plane.half_turn(self.remainder)
        bottom, top = (BottomWalks(own, options, self.rows, self.edge, self.period, self.limits) for own in planes)
        return bottom, top

    def closes(self, excess: int, turns: int, least: int) -> bool:
        """Whether squares of at least so many cells a side have cycles, if they have no more than this."""
        steep = {(e, 2) for e in (1, -1)} & {(dx, dy) for own in self._directions for dx, dy in (own, _back(own))}
        return any(self._large(excess, turns, least) and self._joins(own) for own in sorted(steep))

    @property
    def _directions(self) -> tuple[Cell, Cell]:
        return self.plane.first, self.plane.second

    def _large(self, excess: int, turns: int, least: int) -> bool:
        """Whether some windows are free of what is in the way."""
        bottom, top = self._sides
        apart = WINDOW + 2 * MARGIN + 2 * max(bottom.before, top.before, bottom.after, top.after)
        places = excess // min(bottom.least_excess, top.least_excess) + turns
        return least // 2 - 2 * self.edge - apart >= places * apart

    def _joins(self, direction: Cell) -> bool:
        """Whether any two walks that face each other join two lines of this direction."""
        low, high = (side.walks(direction) for side in self._sides)
        facing = defaultdict(list)
        for walk in high or ():
            facing[walk.first].append(walk)
        return (
            low is not None
            and high is not None
            and all(
                walk.joined & self._turned(other, direction)
                for walk in low
                for other in facing[(self._sum(direction, self.remainder) - WINDOW - walk.first) % self.period]
                if self._balanced(walk, other, direction)
            )
        )

    def _sum(self, direction: Cell, side: int) -> int:
        """Of the first columns of windows that face each other, and `WINDOW`."""
        e = direction[0]
        return ((2 - e) * (side - 1) + e * self.rows) // 2

    def _turned(self, walk: Walk, direction: Cell) -> LinePairs:
        """The lines that a walk of the top joins, by their numbers at the bottom."""
        # of a line, both numbers come to (2 - e)(n - 1), and from each the first column is taken away, doubled
        both = (2 - direction[0]) * (self.remainder - 1) - 2 * (self._sum(direction, self.remainder) - WINDOW)
        return frozenset((both - b, both - a) for a, b in walk.joined)

    def _balanced(self, walk: Walk, other: Walk, direction: Cell) -> bool:
        """Whether the colours of the moves across the cut come to what they have to."""
        place = WINDOW // 2
        own = sum(colour(walk.first + place + x + dx, y + dy) for x, y, (dx, dy) in walk.middle)
        first = (self._sum(direction, self.remainder) - WINDOW - walk.first) % self.period
        # after the half turn of a square of even side the colours are the same
        facing = sum(colour(first + place + x, y) for x, y, _ in other.middle)
        return own + facing + self._missing(direction, walk.first % self.period) == 0

    @cache  # noqa: B019 -- a few for each plane
    def _missing(self, direction: Cell, first: int) -> int:
        """The colours of the moves of the plane across the cut, less twice those of what is to the left of it.

        Raises
        ------
        CertificateError
            If that changes from square to square.
        """
        side = 12 * self.period + (self.remainder - 12 * self.period) % (2 * self.period)
        one, two = (self._colours(direction, first, side + 2 * k * self.period) for k in range(2))
        if one != two:
            raise CertificateError("turns: the colours of two facing sides do not fit")
        return one

    def _colours(self, direction: Cell, first: int, side: int) -> int:
        """The same, of one square, for a window near the middle of where lines lead from the bottom to the top."""
        e, inside = direction[0], range(self.rows, side - self.rows)
        middle = side // 4 if e == 1 else 3 * side // 4
        low = middle + (first - middle) % self.period
        high = self._sum(direction, side) - WINDOW - low
        bottom, top = low + WINDOW // 2, side - high - WINDOW // 2

        def ends(y: int) -> int:
            """How many cells of a row are to the left."""
            if y not in inside:
                return bottom if y < self.rows else top
            return bottom - (e * (self.rows - y)) // 2  # 2 x - e y is less than at the cut

        total = sum(-2 * (ends(y) % 2) * colour(0, y) for y in range(side))
        for y in inside:
            for x in range(ends(y) - 8, ends(y) + 8):
                dx, dy = self.plane.direction(x, y)
                for u, v in ((x + dx, y + dy), (x - dx, y - dy)):
                    here, there = x < ends(y), u < ends(v)
                    # a move within S is met from both of its ends
                    if here and not there:
                        total += colour(x, y)
                    elif there and not here and v not in inside:
                        total += colour(u, v)
        return total


def _back(move: Cell) -> Cell:
    return -move[0], -move[1]
