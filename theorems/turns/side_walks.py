"""Walks: the moves of the cells near a long side that have no excess, where all lines inside are known.

Lemma 23 (essential nodes) defines the terms. A walk of `WINDOW` columns is called a *window*.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import cycle
from typing import Any, NamedTuple

from kt_models.cells import Cell
from kt_models.errors import CertificateError
from kt_models.limits import Limits
from theorems.repetition import Repetition
from theorems.turns.cached_methods import cached_method
from theorems.turns.joins import STEEP, LinePairs, joined_lines, lengthened
from theorems.turns.planes import KNIGHT_MOVES, Plane, direction_of
from theorems.turns.sweeps import MOVES, START, CellSweep, PairExcesses, SweepStates

WINDOW = 20
CLEAR_AFTER = 2
"""Columns behind the first column of the middle of a side from which all open moves come from the middle."""
LOOKAHEAD = 4
"""Columns that are swept ahead of a state. A state is dropped if a cell of the next two columns has no pair whose
moves are in pairs of their other cells, which lie up to two columns farther on.
"""
TRIAL_COLUMNS = 16
"""Columns after which usually only states that repeat are left. A first trial with so few columns saves the long
sweep."""
# Guards against files whose sides have very many states.
MAX_COLUMNS, MAX_NODES, MAX_CHOICES, MAX_WINDOWS = 2_000, 100_000, 10_000, 20_000

OpenMoves = frozenset[tuple[int, int, Cell]]
"""A state: for each open move the columns ahead, the row, and the move that leads back."""
WalkNode = tuple[int, OpenMoves]
"""A column modulo P, and the state before it."""
ColumnPairs = tuple[tuple[Cell, Cell], ...]
"""Moves of the cells of a column, from the bottom up."""


class WalkWindow(NamedTuple):
    """`WINDOW` columns of a walk, and the nodes before, between and behind them."""

    nodes: tuple[WalkNode, ...]
    columns: tuple[ColumnPairs, ...]

    @property
    def middle(self) -> OpenMoves:
        """State in the middle of the window."""
        return self.nodes[WINDOW // 2][1]


class WalkSpan(NamedTuple):
    """The parts of a window that matter once its first column is known."""

    middle: OpenMoves
    """State in the middle of the window."""
    joined: LinePairs
    """Lines that the window joins; columns are counted from its first one."""


@dataclass(frozen=True, eq=False)
class TightWalks:
    """Walks along the bottom under a plane, without excess.

    Checks Lemma 23 (essential nodes).

    Parameters
    ----------
    plane
        The plane as seen from the bottom left corner.
    options
        Excesses of pairs in a square whose columns from `middle_start` on are those of the middle for 2 P + 8 columns.
    rows
        D.
    period
        P.
    """

    plane: Plane
    options: Mapping[Cell, PairExcesses]
    rows: int
    middle_start: int
    period: int
    limits: Limits

    @cached_property
    def _start(self) -> int:
        """First column of the middle that is a multiple of P."""
        return self.middle_start + -self.middle_start % self.period

    @cached_method
    def pairs(self, x: int, y: int) -> PairExcesses:
        """Pairs of a cell whose moves to S are exactly those of the plane; the column is counted modulo P."""
        place = self._start + x % self.period
        inner = {(dx, dy) for dx, dy in KNIGHT_MOVES if y + dy >= self.rows}
        # A move into S must agree with the plane there
        wanted = {m for m in inner if self.plane.direction(place + m[0], y + m[1]) == direction_of(*m)}
        return [pair for pair in self.options[place, y] if {*pair[1:]} & inner == wanted]

    @cached_property
    def least_excess(self) -> int:
        """Least positive excess of a cell."""
        every = {pair[0] for x in range(self.period) for y in range(self.rows) for pair in self.pairs(x, y)}
        # Without any excess the counting arguments have no unit
        if every <= {0}:
            raise CertificateError("turns: no cell of a side has an excess")
        return min(every - {0})

    def _named(self, sweep: CellSweep, place: int, states: SweepStates) -> set[OpenMoves]:
        """States before the first cell of a column."""
        if len(states) > MAX_NODES:
            raise CertificateError(f"turns: a side has more than {MAX_NODES:,} states")
        moves = [(divmod(move, MOVES), k) for k, move in enumerate(sweep.open_moves(place))]
        named = [((later // self.rows, later % self.rows, KNIGHT_MOVES[move]), k) for (later, move), k in moves]
        bits = [(name, states.bits(k, 1)) for name, k in named]
        return {frozenset(name for name, bit in bits if bit[i]) for i in range(len(states))}

    @cached_property
    def _repeating(self) -> tuple[int, set[WalkNode]]:
        """Number of columns after which the sets of states repeat, and the nodes from there on."""
        # Two periods, and the columns that their moves reach
        cells = [(x, y) for x in range(2 * self.period + 4) for y in range(self.rows)]
        sweep = CellSweep(cells, self._options(cells), 1, KNIGHT_MOVES, self.limits)
        places = [(self.period + x) * self.rows for x in range(self.period + 1)]
        # The bits of a state must mean the same one period later
        if sweep.open_moves(places[0]) != sweep.open_moves(places[-1]):
            raise CertificateError("turns: the columns in the middle of a side do not repeat")

        def columns() -> Iterator[tuple[int, frozenset[OpenMoves]]]:
            states = sweep.advance(START, 0, places[0], 1)
            for x in cycle(range(self.period)):
                yield x, frozenset(self._named(sweep, places[x], states))
                states = sweep.advance(states, places[x], places[x + 1], 1)

        found = Repetition.of(columns(), MAX_COLUMNS, "turns: the states of a side do not repeat", self.limits)
        nodes = {(x, state) for x, states in found.terms[found.start :] for state in states}
        return self.period + found.start, nodes

    @cached_method
    def steps(self, node: WalkNode) -> list[tuple[WalkNode, ColumnPairs]]:
        """Nodes after a column, and the pairs that the column chooses."""
        self.limits.check()
        x, state = node
        later = [(ahead - 1, y, move) for ahead, y, move in state if ahead]
        ways: list[tuple[list[tuple[int, int, Cell]], ColumnPairs]] = [([], ())]
        for y in range(self.rows):
            back = {move for ahead, row, move in state if not ahead and row == y}
            fitting = []
            for excess, *pair in self.pairs(x % self.period, y):
                if not excess and back == {m for m in pair if m[0] < 0 and 0 <= y + m[1] < self.rows}:
                    inside = [m for m in pair if m[0] > 0 and 0 <= y + m[1] < self.rows]
                    fitting.append(([(m[0] - 1, y + m[1], (-m[0], -m[1])) for m in inside], (pair[0], pair[1])))
            # The product over the cells of the column; later cells may not contradict earlier ones
            ways = [(new + opened, (*chosen, pair)) for new, chosen in ways for opened, pair in fitting]
            if len(ways) > MAX_CHOICES:
                raise CertificateError(f"turns: a column of a side has more than {MAX_CHOICES:,} choices")
        return [(((x + 1) % self.period, frozenset(later + new)), chosen) for new, chosen in ways]

    @cached_property
    def _essential(self) -> tuple[int, frozenset[WalkNode]]:
        """Number of columns within which an inessential node comes to an end, and the essential nodes."""
        left, number = self._repeating[1], 0
        while True:
            # Remove nodes without a successor until none is left: the rest can be continued for ever
            kept = {node for node in left if any(new in left for new, _ in self.steps(node))}
            if len(kept) == len(left):
                return number, frozenset(left)
            left, number = kept, number + 1

    @property
    def essential(self) -> frozenset[WalkNode]:
        """Essential nodes: those that can be continued for ever in both directions."""
        return self._essential[1]

    @cached_property
    def before(self) -> int:
        """Columns of the middle that are needed before an essential node."""
        most = number = 0
        for first in reversed(range(self.period)):
            number += 1  # The states from the next column on include these
            if number > most:
                number = self._columns_until_repeat(first)
                most = max(most, number)
        return most

    def _columns_until_repeat(self, first: int) -> int:
        """Number of columns, from one on, after which only states that repeat are left."""
        # The certain bound; usually far fewer columns are enough
        longest, rows = self._repeating[0] + self.period, self.rows
        cells = [(x, y) for x in range(first, first + min(longest, TRIAL_COLUMNS) + LOOKAHEAD) for y in range(rows)]
        sweep, states = CellSweep(cells, self._options(cells), 1, KNIGHT_MOVES, self.limits), START
        for number in range(1, len(cells) // rows - LOOKAHEAD + 1):
            states = sweep.advance(states, rows * (number - 1), rows * number, 1)
            x = (first + number) % self.period
            if all((x, state) in self._repeating[1] for state in self._named(sweep, rows * number, states)):
                return number
        # Up to P - 1 more columns lead to a multiple of P
        return longest - 1

    def _options(self, cells: Iterable[Cell]) -> dict[Cell, PairExcesses]:
        """Pairs of some cells that have no excess."""
        return {(x, y): [pair for pair in self.pairs(x % self.period, y) if not pair[0]] for x, y in cells}

    @property
    def after(self) -> int:
        """Columns of the middle that are needed behind an essential node."""
        return self._essential[0] + LOOKAHEAD

    @cached_method
    def essential_spans(self, first: int) -> frozenset[WalkSpan]:
        """Spans of all windows of essential nodes that begin at a column modulo P."""
        none: frozenset[Any] = frozenset()
        ways = {(node, WalkSpan(none, none), none) for node in self.essential if node[0] == first}
        for x in range(WINDOW):
            self.limits.check()
            # Remember the state in the middle, where the cut is
            if x == WINDOW // 2:
                ways = {(node, span._replace(middle=node[1]), ends) for node, span, ends in ways}
            following = set()
            for node, span, ends in ways:
                for new, chosen in self.steps(node):
                    if new in self.essential:
                        left, joined = lengthened(ends, x, chosen, partial(self._leads, first))
                        following.add((new, span._replace(joined=span.joined | joined), left))
            ways = following
            if len(ways) > MAX_WINDOWS:
                raise CertificateError(f"turns: a side has more than {MAX_WINDOWS:,} windows")
        return frozenset(span for _, span, _ in ways)

    @cached_property
    def essential_windows(self) -> list[WalkWindow]:
        """All windows of essential nodes."""
        return self._windows(self.essential, self.essential)

    def windows(self, starts: Iterable[WalkNode]) -> list[WalkWindow]:
        """All windows that begin at some nodes."""
        return self._windows(starts, None)

    def longer(self, window: WalkWindow, number: int) -> list[tuple[ColumnPairs, ...]]:
        """Columns of a window and of every continuation by a number of columns to essential nodes."""
        ways = [(window.nodes[-1], window.columns)]
        for _ in range(number):
            ways = [
                (new, (*columns, chosen))
                for node, columns in ways
                for new, chosen in self.steps(node)
                if new in self.essential
            ]
        return [columns for _, columns in ways]

    def _windows(self, starts: Iterable[WalkNode], among: frozenset[WalkNode] | None) -> list[WalkWindow]:
        windows = [WalkWindow((node,), ()) for node in starts]
        for _ in range(WINDOW):
            windows = [longer for window in windows for longer in self._longer(window, among)]
            if len(windows) > MAX_WINDOWS:
                raise CertificateError(f"turns: a side has more than {MAX_WINDOWS:,} windows")
        return windows

    def _longer(self, window: WalkWindow, among: frozenset[WalkNode] | None) -> Iterator[WalkWindow]:
        for node, chosen in self.steps(window.nodes[-1]):
            if among is None or node in among:
                yield WalkWindow((*window.nodes, node), (*window.columns, chosen))

    def following(self, window: WalkWindow) -> Iterator[WalkWindow]:
        """Windows that begin one column later."""
        for longer in self._longer(window, None):
            yield WalkWindow(longer.nodes[1:], longer.columns[1:])

    @cached_method
    def joined(self, window: WalkWindow) -> LinePairs:
        """Lines that a window joins; columns are counted from its first one."""
        return self.joined_by(window.nodes[0][0], window.columns)

    def joined_by(self, first: int, columns: Sequence[ColumnPairs]) -> LinePairs:
        """Lines that some columns join, from a column modulo P on."""
        known = {(x, y): pair for x, column in enumerate(columns) for y, pair in enumerate(column)}
        return joined_lines(known, partial(self._leads, first))

    def _leads(self, first: int, cell: Cell) -> bool:
        """Whether a cell of S is on a line of direction `STEEP`; its column is counted from `first`."""
        return cell[1] >= self.rows and self.plane.direction(first + cell[0], cell[1]) == STEEP
