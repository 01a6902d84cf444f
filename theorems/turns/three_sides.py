"""Cycles that the right side of a square forces together with the bottom and the top.

Lemma 35 (cycles at three sides) says which ends are kept.  Lines to the bottom have the number 2 x - y there and
X + 2 Y at the right side, those to the top 2 x + y and X - 2 Y.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from kt_models.cells import Cell
from kt_models.errors import CertificateError
from theorems.turns.joins import STEEP, joined_lines
from theorems.turns.side_walks import CalmNode, CalmWalks, ColumnPairs

LENGTH = 28
"""Columns of the right side that are looked at."""
MAX_WAYS = 100_000
FALLING = (1, -2)
TO_BOTTOM, TO_TOP = (-2, 1), (2, 1)
"""Moves along the lines, into the square, as seen from the right side."""

OpenEnd = tuple[int, int, Cell]
"""The column and the row of a cell that is taken later, and its move to the path; or a number, -1, and the move to a
line that comes there."""


@dataclass(frozen=True, eq=False)
class FixedWalk:
    """A walk that goes on in one way only, from a node on."""

    walks: CalmWalks
    node: CalmNode

    @cached_property
    def columns(self) -> list[ColumnPairs]:
        """What the columns 0, 1, ..., P - 1, modulo P, choose.

        Raises
        ------
        CertificateError
            If there are more ways to go on.
        """
        found: dict[int, ColumnPairs] = {}
        node = self.node
        for _ in range(self.walks.period):
            ways = [(new, chosen) for new, chosen in self.walks.steps(node) if new in self.walks.lasting]
            if len(ways) != 1:
                raise CertificateError("turns: the walk of a side is not fixed")
            found[node[0]] = ways[0][1]
            node = ways[0][0]
        if node != self.node:
            raise CertificateError("turns: the walk of a side does not repeat")
        return [found[x] for x in range(self.walks.period)]

    def partners(self, direction: Cell) -> dict[int, int]:
        """By how much the number of the line that a line is joined to exceeds its own, by that modulo 2 P."""
        rows, period = self.walks.rows, self.walks.period
        known = {(x, y): pair for x in range(12 * period) for y, pair in enumerate(self.columns[x % period])}
        found: dict[int, int] = {}
        for one, other in joined_lines(known, lambda cell: cell[1] >= rows, direction):
            if 8 * period <= one < 16 * period:
                found |= {one % (2 * period): other - one, other % (2 * period): one - other}
        return found


@dataclass(frozen=True, eq=False)
class ThreeSides:
    """The right side with the bottom and the top, for n of one remainder modulo 2 P.

    Parameters
    ----------
    right
        The walks of the right side.
    bottom, top
        Walks, as seen from these sides.
    """

    right: CalmWalks
    bottom: FixedWalk
    top: FixedWalk
    remainder: int

    @cached_property
    def _partners(self) -> dict[Cell, tuple[int, dict[int, int]]]:
        """What the numbers of a line at the right side and at the other come to, and the partners there."""
        return {
            TO_BOTTOM: (2 * (self.remainder - 1), self.bottom.partners(STEEP)),
            TO_TOP: (self.remainder - 1, self.top.partners((-FALLING[0], -FALLING[1]))),
        }

    def check(self, node: CalmNode) -> None:
        """Check that all ways to go on from a node of the right side have a cycle.

        Checks Lemma 35 (cycles at three sides).

        Raises
        ------
        CertificateError
            If one may have none, or there are too many ways.
        """
        if {self.bottom.walks.plane.first, self.bottom.walks.plane.second} != {STEEP, FALLING}:
            raise CertificateError("turns: three sides are for lines of the directions (1, 2) and (1, -2)")
        ways: set[tuple[CalmNode, frozenset[tuple[OpenEnd, OpenEnd]]]] = {(node, frozenset())}
        for column in range(node[0], node[0] + LENGTH):
            following = set()
            for before, ends in ways:
                for new, chosen in self.right.steps(before):
                    if new in self.right.lasting:
                        kept = self._after(dict(ends), column, chosen)
                        if kept is not None:
                            following.add((new, frozenset(kept.items())))
            if not following:
                return
            ways = following
            if len(ways) > MAX_WAYS:
                raise CertificateError(f"turns: three sides go on in more than {MAX_WAYS:,} ways")
        raise CertificateError("turns: three sides may have no cycle")

    def _after(self, ends: dict[OpenEnd, OpenEnd], column: int, chosen: ColumnPairs) -> dict[OpenEnd, OpenEnd] | None:
        """The other end of each path both ends of which are known, after a column, or None if there is a cycle."""
        for row, (one, other) in enumerate(chosen):
            first, second = (self._met(column, row, move) for move in (one, other))
            begin = self._taken(ends, first, (column, row, one))
            if begin is not None and begin == second:
                return None
            end = self._taken(ends, second, (column, row, other))
            if begin is not None and end is not None:
                ends[begin], ends[end] = end, begin
        return {one: other for one, other in ends.items() if self._comes(one, column) and self._comes(other, column)}

    def _met(self, column: int, row: int, move: Cell) -> OpenEnd | None:
        """The end that a move of a cell takes up, if it leads to a cell taken before or along a line."""
        if row + move[1] >= self.right.rows:
            if move not in self._partners:
                raise CertificateError("turns: a line from the right side leads elsewhere")
            return move[1] * column - move[0] * row, -1, move
        return (column, row, move) if move[0] < 0 else None

    def _taken(self, ends: dict[OpenEnd, OpenEnd], met: OpenEnd | None, own: tuple[int, int, Cell]) -> OpenEnd | None:
        """Where the path from a cell along one of its moves ends, if that is known; what is met is no end any more."""
        column, row, (dx, dy) = own
        if met is None:
            return column + dx, row + dy, (-dx, -dy)
        if met in ends:
            other = ends.pop(met)
            del ends[other]
            return other
        if met[1] >= 0:
            return None
        number, _, move = met
        both, partners = self._partners[move]
        far = both - number
        if far % (2 * self.right.period) not in partners:
            raise CertificateError("turns: a line is joined to none")
        return number - partners[far % (2 * self.right.period)], -1, move

    def _comes(self, end: OpenEnd, column: int) -> bool:
        """Whether the cell of an end may be behind a column."""
        number, row, move = end
        if row >= 0:
            return True
        return number + (2 * (self.right.rows - 1) if move == TO_TOP else 0) > column
