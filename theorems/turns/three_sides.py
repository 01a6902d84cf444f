"""Three sides: cycles that the right side of a square forces together with the bottom and the top.

Lemma 35 (cycles at three sides) says which ends are kept. A line to the bottom has the number 2 x - y there and
X + 2 Y at the right side; a line to the top has 2 x + y and X - 2 Y.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from kt_models.cells import Cell
from kt_models.errors import CertificateError
from theorems.turns.joins import STEEP, joined_lines
from theorems.turns.side_walks import ColumnPairs, TightWalks, WalkNode

SIDE_COLUMNS = 28
"""Columns of the right side that are swept. More columns find more cycles and take longer."""
MAX_WAYS = 100_000
FALLING = (1, -2)
TO_BOTTOM, TO_TOP = (-2, 1), (2, 1)
"""Moves along the lines into the square, as seen from the right side."""

OpenEnd = tuple[int, int, Cell]
"""Column and row of a later cell and its move to the path; or the number of a line, -1, and the move to the line that
arrives there.
"""


@dataclass(frozen=True, eq=False)
class FixedWalk:
    """A walk with a single continuation from a node."""

    walks: TightWalks
    node: WalkNode

    @cached_property
    def columns(self) -> list[ColumnPairs]:
        """Pairs that the columns 0, 1, ..., P - 1, modulo P, choose.

        Raises
        ------
        CertificateError
            If there is more than one continuation.
        """
        chosen_by_column: dict[int, ColumnPairs] = {}
        node = self.node
        for _ in range(self.walks.period):
            ways = [(new, chosen) for new, chosen in self.walks.steps(node) if new in self.walks.essential]
            if len(ways) != 1:
                raise CertificateError("turns: the walk of a side is not fixed")
            chosen_by_column[node[0]] = ways[0][1]
            node = ways[0][0]
        if node != self.node:
            raise CertificateError("turns: the walk of a side does not repeat")
        return [chosen_by_column[x] for x in range(self.walks.period)]

    def partners(self, direction: Cell) -> dict[int, int]:
        """Number of the line that a line is joined to, less its own number, by its own number modulo 2 P."""
        rows, period = self.walks.rows, self.walks.period
        # Long enough that the lines of the middle third have both ends in it
        known = {(x, y): pair for x in range(12 * period) for y, pair in enumerate(self.columns[x % period])}
        partners: dict[int, int] = {}
        for line, partner in joined_lines(known, lambda cell: cell[1] >= rows, direction):
            # Lines far from both ends of the stretch: one full period of their numbers, 2 P
            if 8 * period <= line < 16 * period:
                partners |= {line % (2 * period): partner - line, partner % (2 * period): line - partner}
        return partners


@dataclass(frozen=True, eq=False)
class ThreeSides:
    """The right side with the bottom and the top, for n of one remainder modulo 2 P.

    Parameters
    ----------
    right
        Walks of the right side.
    bottom, top
        Walks as seen from these sides.
    """

    right: TightWalks
    bottom: FixedWalk
    top: FixedWalk
    remainder: int

    @cached_property
    def _partners(self) -> dict[Cell, tuple[int, dict[int, int]]]:
        """Sum of a line's numbers at the right side and at its other side, and the partners there."""
        return {
            TO_BOTTOM: (2 * (self.remainder - 1), self.bottom.partners(STEEP)),
            TO_TOP: (self.remainder - 1, self.top.partners((-FALLING[0], -FALLING[1]))),
        }

    def check(self, node: WalkNode) -> None:
        """Check that every continuation from a node of the right side has a cycle.

        Checks Lemma 35 (cycles at three sides).

        Raises
        ------
        CertificateError
            If one may have none, or there are too many.
        """
        if {self.bottom.walks.plane.first, self.bottom.walks.plane.second} != {STEEP, FALLING}:
            raise CertificateError("turns: three sides need lines of the directions (1, 2) and (1, -2)")
        ways: set[tuple[WalkNode, frozenset[tuple[OpenEnd, OpenEnd]]]] = {(node, frozenset())}
        for column in range(node[0], node[0] + SIDE_COLUMNS):
            following = set()
            for before, ends in ways:
                for new, chosen in self.right.steps(before):
                    if new in self.right.essential:
                        kept = self._after(dict(ends), column, chosen)
                        if kept is not None:
                            following.add((new, frozenset(kept.items())))
            # Every continuation has closed a cycle
            if not following:
                return
            ways = following
            if len(ways) > MAX_WAYS:
                raise CertificateError(f"turns: three sides have more than {MAX_WAYS:,} continuations")
        raise CertificateError("turns: three sides may have no cycle")

    def _after(self, ends: dict[OpenEnd, OpenEnd], column: int, chosen: ColumnPairs) -> dict[OpenEnd, OpenEnd] | None:
        """The other end of each path with two known ends, after a column; `None` if a cycle closes."""
        for row, (first_move, second_move) in enumerate(chosen):
            first, second = (self._met(column, row, move) for move in (first_move, second_move))
            begin = self._taken(ends, first, (column, row, first_move))
            # The path from this cell returns to its other move: a cycle
            if begin is not None and begin == second:
                return None
            end = self._taken(ends, second, (column, row, second_move))
            if begin is not None and end is not None:
                ends[begin], ends[end] = end, begin
        return {
            first_move: second_move
            for first_move, second_move in ends.items()
            if self._comes(first_move, column) and self._comes(second_move, column)
        }

    def _met(self, column: int, row: int, move: Cell) -> OpenEnd | None:
        """The end that a move of a cell takes up, if it leads to an earlier cell or along a line."""
        if row + move[1] >= self.right.rows:
            if move not in self._partners:
                raise CertificateError("turns: a line from the right side leads neither to the bottom nor to the top")
            return move[1] * column - move[0] * row, -1, move
        return (column, row, move) if move[0] < 0 else None

    def _taken(self, ends: dict[OpenEnd, OpenEnd], met: OpenEnd | None, step: tuple[int, int, Cell]) -> OpenEnd | None:
        """The end of the path from a cell along one of its moves, if known; `met` is removed from the ends."""
        column, row, (dx, dy) = step
        if met is None:
            return column + dx, row + dy, (-dx, -dy)
        if met in ends:
            far_end = ends.pop(met)
            del ends[far_end]
            return far_end
        if met[1] >= 0:
            return None
        number, _, move = met
        both, partners = self._partners[move]
        far = both - number
        if far % (2 * self.right.period) not in partners:
            raise CertificateError("turns: a line is not joined to any other")
        return number - partners[far % (2 * self.right.period)], -1, move

    def _comes(self, end: OpenEnd, column: int) -> bool:
        """Whether the cell of an end may be behind a column."""
        number, row, move = end
        if row >= 0:
            return True
        return number + (2 * (self.right.rows - 1) if move == TO_TOP else 0) > column
