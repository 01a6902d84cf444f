"""Tours of squares of all sizes with lines of up to three directions: one cycle, by pumping chains of lines.

A family as in `strands`, of squares alone: a seed, zones of columns and of rows, and line cells of three kinds in the
interior.  The cells that are not in the interior are the *margins*.  D(k) is the square of side n + kp of the family:
p more columns and rows with each step.

A tour is made of *runs* along lines through the interior, and of *paths* of margin cells between one run and the next.
Direction 0 is (2, 1), and its lines are numbered by x - 2y; direction 1 is (1, -2), and its lines are numbered by
2x + y; direction 2 is (-2, 1), and its lines are numbered by x + 2y.  The interior is convex, so a line has one run at
most.  Lines that meet at a side of the board form chains, or closed loops, whose distances halve, stay or double from
side to side; so some sets of lines at different sides have to grow together.

*Slabs.*  A *bundle* is w consecutive numbers of one direction.  A *slab* is some bundles, each followed by a second
*copy* of itself: the next w numbers, or the w numbers before (chains that go along opposite sides need both).  For a
board D(K) slabs are given, no two with a line in common.  The lines of no slab are the *rest*.

*Moving.*  The board D(k + 1) shall be D(k) with a third copy of each slab, behind the second one as this is behind the
first.  So the number of a line grows by that of all lines put in below it.  (The numbers x - 2y begin in the top left
corner, which is 2p lower, and not at cell (0, 0).)  An end of a run is at one side of the board, and thereby the number
tells by which vector it *moves*: along the side, and p away from the bottom or the left if it is at the top or at the
right.  The end of a run of a slab has a *further* vector as well, to where it is if the copy comes next that it belongs
to: by w numbers more, or fewer.  A vector *fits* a cell if each of its coordinates agrees with the column or row: among
the copies of a zone it is at least what all zones before grow by, at most this and what the zone grows by, and differs
from either by whole periods; elsewhere it is what all zones before grow by.  Then the cell that is moved has the moves
it had, in D(k + 1) and by the same vector again in D(k + 2), and so on.

*What is checked of D(K).*  Each path joins the ends of two runs.

1. If they belong to slabs, it is to the same one.
2. If one is of the second copy and the other of the rest, their further vectors agree (the rest has but one vector).
   Otherwise their vectors agree, and if one is of the second copy, so do their further ones.
3. The vectors that agree fit all cells of the path.
4. The ends of the first copy whose paths lead to the second one, moved by the difference of their two vectors, are the
   ends of the second copy whose paths lead to the rest; and they have the same vectors.
5. The *linkage* of the first copy says which of its ends, whose paths lead out of it, are joined by its runs and the
   paths within it.  It is the same as that of both copies, if the ends whose paths lead to the second copy are moved as
   in 4; and it is not empty.

*What follows.*  Take these runs and paths: those of D(k) moved by their vectors, but for the paths between second
copies and the rest; the runs and paths of the second copy, the paths from it to the rest, and those between the first
copy and the second, moved by the further vectors.  The paths are there in D(k + 1), by 3.  A run is there because its
ends still lie on one line (its number is theirs), in the margins, with the interior between them: a cell behind an end
moves by 0 to p along each axis, so it stays in the interior, and as a line cell it leads on along its own line, even if
lines of other directions cross there.  The ends of second copies are met by the moved paths of 4.  So what has been
taken leads on at each end of a run, and is some cycles of D(k + 1).  (None is taken twice, as each of its runs would
be: numbers of a direction stay different, and the least is taken once.)  In it the second copy is between the first and
a third one, and what was said of D(k) holds again; that of the rest is said of the third copy too.  By 5 the first two
copies join in it what the first one joined in D(k), and what is around them is what was around the first one.  So it is
one cycle if D(k) is; slab after slab.

The cycle that is so made of D(k) has N(k) cells.  The lengths of its paths do not change, those of its runs are linear
in k and in the number of the copy, and the number of copies is k - K + 2.  So N is a polynomial of degree two at most.
The squares D(0), D(1), ..., D(K + 2) are followed, and each is one cycle of all its cells.  So N(k) is the number of
cells of D(k) for three k, hence for all k >= K: every D(k) is one cycle.

Turns are counted as in `strands`, and the boards served are told as there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from kt_models.certificates.families.codes import MOVES, PAIRS
from kt_models.certificates.families.loops import Truths
from kt_models.certificates.families.statement import FamilyKind, FamilyStatement, sharing
from kt_models.certificates.families.strands import MAX_FAMILIES, keeps, serves
from kt_models.certificates.families.zones import ACROSS, CHAINS_KIND, LINES, TourFamily
from kt_models.certificates.integers import Ints
from kt_models.errors import CertificateError
from kt_models.limits import NO_LIMITS, Limits
from kt_models.reading import integer, integers, rows

RunEnd = tuple[int, ...]
"""An end of a run: its cell and its direction."""
DIRECTION = {1: 0, 5: 0, 3: 1, 7: 1, 2: 2, 6: 2}
"""By the moves along lines."""
NUMBERS = np.array([(1, -2), (2, 1), (1, 2)])
"""By direction: a and b of the numbers ax + by of its lines."""
MAX_STEPS, MAX_SLABS, MAX_BUNDLES, MAX_NUMBER = 40, 40, 20, 2**20
MAX_MARGINS = 20_000_000
"""Cells of margins that are followed for one file."""


@dataclass(frozen=True)
class Bundle:
    """So many lines of a direction from a number on, downwards if they are negative; the second copy is behind them."""

    direction: int
    first: int
    lines: int

    @property
    def span(self) -> tuple[int, int, int]:
        """The direction, the least number of both copies, and the one after the last."""
        ends = sorted((self.first + (self.lines < 0), self.first + 2 * self.lines + (self.lines < 0)))
        return self.direction, ends[0], ends[1]


@dataclass(frozen=True, eq=False)
class ChainFamily(TourFamily):
    """A family with slabs of one of its squares.

    Parameters
    ----------
    steps
        K.
    slabs
        Of D(K).
    """

    steps: int
    slabs: tuple[tuple[Bundle, ...], ...]

    @classmethod
    def from_json(cls, data: Any) -> ChainFamily:
        """The family of a JSON object, which has `steps` and `slabs`: the three numbers of each bundle.

        Raises
        ------
        CertificateError
            If it is none.
        """
        family = TourFamily.from_json(data)
        slabs = data.get("slabs")
        if type(slabs) is not list or len(slabs) > MAX_SLABS:
            raise CertificateError(f"'slabs' is no list of at most {MAX_SLABS} slabs")
        return cls(
            **{field.name: getattr(family, field.name) for field in fields(TourFamily)},
            steps=integer(data.get("steps"), "steps", 0, MAX_STEPS),
            slabs=tuple(tuple(_bundles(slab)) for slab in slabs),
        )


def _bundles(data: Any) -> Iterator[Bundle]:
    found = rows(data, "a slab", 3)
    if len(found) > MAX_BUNDLES:
        raise CertificateError(f"a slab has more than {MAX_BUNDLES} bundles")
    for row in found:
        direction, first, lines = integers(row, "a bundle", -MAX_NUMBER, MAX_NUMBER)
        if not 0 <= direction < len(NUMBERS) or not lines:
            raise CertificateError("a bundle is a direction, 0 to 2, a number, and how many lines, not none")
        yield Bundle(direction, first, lines)


@dataclass(frozen=True, eq=False)
class SquareBoard:
    """D(k) as the runs and paths of the cycle through the bottom left cell."""

    family: TourFamily
    k: int

    @property
    def box(self) -> tuple[int, int, int, int]:
        """Of the interior: first column and the one after the last; the same of rows."""
        left, right, low, high = self.family.zoned
        more = self.k * self.family.added_side
        return left, right + more, low, high + more

    @cached_property
    def _walk(self) -> tuple[list[list[tuple[int, int]]], list[int], int]:
        """The paths; the move of the run behind each; how many cells the cycle has."""
        left, right, low, high = self.box
        columns, rows_ = (side.tolist() for side in self.family.sources((self.k, self.k)))
        codes = self.family.codes.tolist()
        x, y, move, cells = 0, 0, PAIRS[codes[0][0]][0], 0
        paths: list[list[tuple[int, int]]] = [[(0, 0)]]
        moves: list[int] = []
        while True:
            dx, dy = MOVES[move]
            x, y, cells = x + dx, y + dy, cells + 1
            if left <= x < right and low <= y < high:
                across = ((right - 1 - x) if dx > 0 else (x - left)) // abs(dx)
                along = ((high - 1 - y) if dy > 0 else (y - low)) // abs(dy)
                run = min(across, along) + 1
                x, y, cells = x + run * dx, y + run * dy, cells + run
                moves.append(move)
                paths.append([])
            if x == y == 0:
                break
            paths[-1].append((x, y))
            one, other = PAIRS[codes[columns[x]][rows_[y]]]
            move = other if one == (move + 4) % 8 else one
        last = paths.pop()
        return ([last + paths[0], *paths[1:]] if moves else [last]), moves, cells

    @property
    def cells(self) -> int:
        """How many cells the cycle has."""
        return self._walk[2]

    def check_one_cycle(self, most: int) -> int:
        """Check that the cycle has all cells of the square.

        Returns
        -------
        How many cells the margins have.

        Raises
        ------
        CertificateError
            If it has not, or these are more than `most`.
        """
        (left, right, low, high), side = self.box, self.family.size[0] + self.k * self.family.added_side
        margins = side * side - (right - left) * (high - low)
        if margins > most:
            raise CertificateError("the squares of the family are too large to be followed")
        if self.cells < side * side:
            raise CertificateError(f"a square of the family has several cycles: {side}x{side}")
        return margins

    @cached_property
    def direction(self) -> Ints:
        """Of the run behind each path."""
        return np.array([DIRECTION[move] for move in self._walk[1]])

    @cached_property
    def ends(self) -> Ints:
        """First and last cell of each path, shape (m, 2, 2); the run behind path i leads to path i + 1."""
        return np.array([(path[0], path[-1]) for path in self._walk[0]])

    @cached_property
    def margin(self) -> tuple[Ints, Ints]:
        """The cells of all paths, shape (c, 2), and to which path each belongs."""
        paths = self._walk[0]
        return np.concatenate([np.array(path) for path in paths]), np.repeat(np.arange(len(paths)), [*map(len, paths)])

    @cached_property
    def number(self) -> Ints:
        """Of the line of each run."""
        return (self.ends[:, 1] * NUMBERS[self.direction]).sum(axis=1)


@dataclass(frozen=True, eq=False)
class ChainBoard(SquareBoard):
    """D(k) with slabs."""

    family: ChainFamily

    @cached_property
    def slabs(self) -> tuple[Ints, Ints, Ints]:
        """The slab of each run, or -1; which copy, 0 or 1, or -1; the lines of the bundle, or 0."""
        spans = sorted(one.span for bundles in self.family.slabs for one in bundles)
        if any(one[0] == other[0] and one[2] > other[1] for one, other in pairwise(spans)):
            raise CertificateError("two bundles have a line in common")
        slab, copy, lines = (np.full(len(self.number), value) for value in (-1, -1, 0))
        for which, bundles in enumerate(self.family.slabs):
            for one in bundles:
                at = (self.number - one.first) * (1 if one.lines > 0 else -1)
                own = (self.direction == one.direction) & (at >= 0) & (at < 2 * abs(one.lines))
                slab[own], copy[own], lines[own] = which, at[own] // abs(one.lines), one.lines
        return slab, copy, lines

    @cached_property
    def growth(self) -> Ints:
        """By how much the number of the line of each run grows with a step."""
        grown = np.minimum(NUMBERS, 0).sum(axis=1)[self.direction] * self.family.added_side
        for one in (bundle for slab in self.family.slabs for bundle in slab):
            edge = one.first + 2 * one.lines + (one.lines < 0)
            grown += np.where((self.direction == one.direction) & (self.number >= edge), abs(one.lines), 0)
        return grown

    def vectors(self, growth: Ints) -> Ints:
        """By which vectors the two ends of each path move if the numbers grow so, shape (m, 2, 2)."""
        (left, _, low, high), more = self.box, self.family.added_side
        x, y = self.ends[:, :, 0], self.ends[:, :, 1]
        horizontal = (y < low) | (y >= high)
        a, b = NUMBERS[at_ends(self.direction)].transpose(2, 0, 1)
        dy = np.where(y < low, 0, more)
        dx = np.where(x < left, 0, more)
        along, half = np.divmod(at_ends(growth) - np.where(horizontal, b * dy, a * dx), np.where(horizontal, a, b))
        if half.any():
            raise CertificateError("an end of a run moves by half a cell")
        return np.stack([np.where(horizontal, along, dx), np.where(horizontal, dy, along)], axis=2)

    def fits(self, vectors: Ints) -> Truths:
        """Whether a vector for each path fits its cells, cell by cell."""
        cells, path = self.margin
        good = np.ones(len(cells), dtype=bool)
        added = self.family.added((self.k, self.k))
        step = self.family.added((1, 1))
        for axis, zones in enumerate((self.family.columns, self.family.rows)):
            at, vector = cells[:, axis], vectors[path, axis]
            least, most, period, begun = (np.full(len(at), value) for value in (0, 0, 1, 0))
            for zone, more, grows in zip(zones, added[axis], step[axis], strict=True):
                within = (at >= zone.start + begun) & (at < zone.end + begun + more)
                most, period = np.where(within, least + grows, most), np.where(within, zone.period, period)
                behind = at >= zone.end + begun + more
                least, most = np.where(behind, least + grows, least), np.where(behind, least + grows, most)
                begun += more
            good &= (least <= vector) & (vector <= most) & ((vector - least) % period == 0)
        return good

    def pumps(self) -> None:
        """Check conditions 1 to 5.

        Raises
        ------
        CertificateError
            Naming the first that does not hold.
        """
        slab, copy, lines = self.slabs
        slabs, copies = at_ends(slab), at_ends(copy)
        if ((slabs[:, 0] != slabs[:, 1]) & (slabs >= 0).all(axis=1)).any():
            raise CertificateError("a path joins two slabs")
        vector, further = self.vectors(self.growth), self.vectors(self.growth + lines)
        agree, further_agree = (np.array(of[:, 0] == of[:, 1]).all(axis=1) for of in (vector, further))
        second = (copies == 1).any(axis=1)
        out = second & (copies == -1).any(axis=1)
        if not np.where(out, further_agree, agree & (further_agree | ~second)).all():
            raise CertificateError("the two ends of a path move by different vectors")
        own = np.where(out[:, None], further[:, 0], vector[:, 0])
        if not (self.fits(own) & (self.fits(further[:, 0]) | ~second[self.margin[1]])).all():
            raise CertificateError("a path moves to where the moves differ")
        moved, other = self.ends + further - vector, copies[:, ::-1]
        leads = (copies == 0) & (other == 1)
        if self._places(moved, vector, leads) != self._places(self.ends, vector, (copies == 1) & (other == -1)):
            raise CertificateError("the second copy of a slab does not lead to the rest as the first leads to it")
        ends = np.where(leads[:, :, None], moved, self.ends)
        for which in range(len(self.family.slabs)):
            once = self.linkage((slab == which) & (copy == 0), ends)
            if not once or once != self.linkage(slab == which, self.ends):
                raise CertificateError("two copies of a slab do not join what one does")

    def _places(self, ends: Ints, vectors: Ints, which: Truths) -> set[tuple[int, ...]]:
        """Of some ends: the cell, the direction and the vector."""
        directions = at_ends(self.direction)[:, :, None]
        return set(map(tuple, np.concatenate([ends, directions, vectors], axis=2)[which].tolist()))

    def linkage(self, within: Truths, ends: Ints) -> frozenset[frozenset[RunEnd]]:
        """Which ends of some runs are joined by these runs and the paths among them; where the ends are is given."""
        enters, leaves = (np.flatnonzero(within & ~np.roll(within, shift)) for shift in (1, -1))
        if len(leaves) and leaves[0] < enters[0]:
            leaves = np.roll(leaves, -1)
        begins, stops = ends[enters, 1].tolist(), ends[(leaves + 1) % len(ends), 0].tolist()
        ports = zip(begins, self.direction[enters].tolist(), stops, self.direction[leaves].tolist(), strict=True)
        return frozenset(frozenset(((*one, a), (*other, b))) for one, a, other, b in ports)


def at_ends(values: Ints) -> Ints:
    """Values of runs, for the two ends of each path: of the run before it and of the run behind it."""
    return np.stack([np.roll(values, 1), values], axis=1)


def check_chains(family: ChainFamily, limits: Limits = NO_LIMITS, cells: int = MAX_MARGINS) -> int:
    """Check that every square of a family has one cycle, by the argument of this module.

    Returns
    -------
    How many cells of margins were followed.

    Raises
    ------
    CertificateError
        If the argument does not hold for the family, or more than `cells` have to be followed.
    Stopped
        If the limits do not suffice.
    """
    check_grows(family, (*LINES, *ACROSS))
    followed = 0
    for k in range(family.steps + 3):
        limits.check()
        board = ChainBoard(family, k)
        followed += board.check_one_cycle(cells - followed)
        if k == family.steps:
            board.pumps()
    return followed


def check_grows(family: TourFamily, lines: Sequence[int]) -> None:
    """Check that the interior has line cells alone, and that there are larger and larger squares, from the seed on.

    Parameters
    ----------
    lines
        The codes of line cells.

    Raises
    ------
    CertificateError
        If this is not so.
    """
    left, right, low, high = family.zoned
    if not np.isin(family.codes[left:right, low:high], lines).all():
        raise CertificateError("a cell of the interior is not a line cell")
    (width, height), p = family.size, family.added_side
    if width != height or [growth.step for growth in family.growths] != [(p, 0), (0, p)]:
        raise CertificateError("the family is not one of squares that grow by columns and by as many rows")
    if any(growth.least for growth in family.growths):
        raise CertificateError("the squares of the family begin with its seed")


def check(data: Any, limits: Limits = NO_LIMITS) -> tuple[FamilyStatement, ...]:
    """Check the claims of a file of kind `strands-chains`; errors are those of `FamilyKind.check`."""
    prove = sharing(MAX_MARGINS, check_chains)
    return FamilyKind(
        CHAINS_KIND, "families", MAX_FAMILIES, ("squares",), ChainFamily.from_json, prove, keeps, serves, True
    ).check(data, limits)
