"""One cycle in squares of all sizes, by pumping slabs of lines.

D(0), D(1), D(2), ... are squares, the side of D(k) is n + kp, and each cell has two moves.  The *interior* of a square
is filled with lines, which have a direction and a number each.  A line passes through the interior once at most, and
this is its *run*.  The cells that are not in the interior are the *margins*.  A tour is made of runs, and of *paths* of
margin cells between one run and the next.

*Slabs.*  A *bundle* is w consecutive numbers of one direction.  A *slab* is some bundles, each followed by a second
*copy* of itself: the next w numbers, or the w numbers before (lines that go along opposite sides need both).  For a
board D(K) slabs are given, no two with a line in common.  The lines of no slab are the *rest*.

*Moving.*  The board D(k + 1) shall be D(k) with a third copy of each slab, behind the second one as this is behind the
first.  So the number of a line grows by that of all lines put in below it.  An end of a run is at one side of the
board, and thereby the number tells by which vector it *moves*.  The end of a run of a slab has a *further* vector as
well, to where it is if the copy comes next that it belongs to: by w numbers more, or fewer.

*What each kind of family shows* (`chains`, `radial`).

a. If a vector fits a cell of the margins, the cell that is moved has the moves it had, in D(k + 1) and by the same
   vector again in D(k + 2), and so on.
b. If the ends of a run are moved by the vectors that its number tells, and these fit them, they are the ends of a run
   of D(k + 1), whose number has grown as told.
c. The number of cells of a run is linear in the coordinates of its ends.

*What is checked of D(K).*  Each path joins the ends of two runs.

1. If they belong to slabs, it is to the same one.
2. If one is of the second copy and the other of the rest, their further vectors agree (the rest has but one vector).
   Otherwise their vectors agree, and if one is of the second copy, so do their further ones.
3. The vectors that agree fit all cells of the path.
4. The ends of the first copy whose paths lead to the second one, moved by the difference of their two vectors, are the
   ends of the second copy whose paths lead to the rest; and they have the same vectors, directions, and moves into the
   interior.
5. The *linkage* of the first copy says which of its ends, whose paths lead out of it, are joined by its runs and the
   paths within it.  It is the same as that of both copies, if the ends whose paths lead to the second copy are moved as
   in 4; and it is not empty.

*What follows.*  Take these runs and paths: those of D(k) moved by their vectors, but for the paths between second
copies and the rest; the runs and paths of the second copy, the paths from it to the rest, and those between the first
copy and the second, moved by the further vectors.  The paths are there in D(k + 1), by 3 and a, and the runs by b.  The
ends of second copies are met by the moved paths of 4.  So what has been taken leads on at each end of a run, and is
some cycles of D(k + 1).  (None is taken twice, as each of its runs would be: numbers of a direction stay different, and
the least is taken once.)  In it the second copy is between the first and a third one, and what was said of D(k) holds
again; that of the rest is said of the third copy too.  By 5 the first two copies join in it what the first one joined
in D(k), and what is around them is what was around the first one.  So it is one cycle if D(k) is; slab after slab.
(Nothing of this needs both copies to have as many lines: some numbers of a bundle may belong to no line.)

The cycle that is so made of D(k) has N(k) cells.  The lengths of its paths do not change, those of its runs are linear
in k and in the number of the copy, by c, and the number of copies is k - K + 2.  So N is a polynomial of degree two at
most.  The squares D(0), D(1), ..., D(K + 2) are followed, and each is one cycle of all its cells.  So N(k) is the
number of cells of D(k) for three k, hence for all k >= K: every D(k) is one cycle.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from kt_models.certificates.integers import Ints
from kt_models.errors import CertificateError
from kt_models.limits import Limits
from kt_models.reading import integers, rows
from theorems.growing_tours.loops import Truths
from theorems.growing_tours.zones import Zone

RunEnd = tuple[int, ...]
"""An end of a run: its cell and its way, which tells the direction of the line and the move into the interior."""
WalkedCycle = tuple[list[list[tuple[int, int]]], list[int], int]
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

    def __len__(self) -> int:
        return abs(self.lines)


Bundles = tuple[Bundle, ...]


def read_slabs(data: Any, directions: int) -> tuple[Bundles, ...]:
    """The slabs of a file: three numbers for each bundle, the first of them below the number of directions.

    Raises
    ------
    CertificateError
        If they are none.
    """
    if type(data) is not list or len(data) > MAX_SLABS:
        raise CertificateError(f"'slabs' is no list of at most {MAX_SLABS} slabs")
    return tuple(tuple(_bundles(slab, directions)) for slab in data)


def _bundles(data: Any, directions: int) -> Iterator[Bundle]:
    found = rows(data, "a slab", 3)
    if len(found) > MAX_BUNDLES:
        raise CertificateError(f"a slab has more than {MAX_BUNDLES} bundles")
    for row in found:
        direction, first, lines = integers(row, "a bundle", -MAX_NUMBER, MAX_NUMBER)
        if not 0 <= direction < directions or not lines:
            raise CertificateError(
                f"a bundle is a direction, 0 to {directions - 1}, a number, and how many lines, not none"
            )
        yield Bundle(direction, first, lines)


class WalkedBoard(ABC):
    """A square D(k), as the runs and paths of its cycle through the bottom left cell."""

    @cached_property
    @abstractmethod
    def _walk(self) -> WalkedCycle:
        """The paths; the move of the run behind each; how many cells the cycle has."""

    @cached_property
    @abstractmethod
    def direction(self) -> Ints:
        """Of the run behind each path."""

    @cached_property
    @abstractmethod
    def number(self) -> Ints:
        """Of the line of the run behind each path."""

    @property
    @abstractmethod
    def side(self) -> int:
        """Of the square."""

    @property
    @abstractmethod
    def margins(self) -> int:
        """How many cells the margins have."""

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
        if self.margins > most:
            raise CertificateError("the squares of the family are too large to be followed")
        if self.cells < self.side**2:
            raise CertificateError(f"a square of the family has several cycles: {self.side}x{self.side}")
        return self.margins

    @cached_property
    def ends(self) -> Ints:
        """First and last cell of each path, shape (m, 2, 2); the run behind path i leads to path i + 1."""
        return np.array([(path[0], path[-1]) for path in self._walk[0]])

    @cached_property
    def margin(self) -> tuple[Ints, Ints]:
        """The cells of all paths, shape (c, 2), and to which path each belongs."""
        paths = self._walk[0]
        return np.concatenate([np.array(path) for path in paths]), np.repeat(np.arange(len(paths)), [*map(len, paths)])


class SlabBoard(WalkedBoard):
    """D(K) with slabs."""

    @property
    @abstractmethod
    def bundles(self) -> Sequence[Bundles]:
        """The slabs."""

    @cached_property
    @abstractmethod
    def growth(self) -> Ints:
        """By how much the number of the line of each run grows with a step."""

    @cached_property
    def ways(self) -> Ints:
        """Of the two ends of each path, shape (m, 2): the direction of the run, and which move leads into it there.

        The direction tells that move, unless lines are bent.
        """
        return at_ends(self.direction)

    @abstractmethod
    def vectors(self, growth: Ints) -> Ints:
        """By which vectors the two ends of each path move if the numbers grow so, shape (m, 2, 2).

        Raises
        ------
        CertificateError
            If an end moves by a part of a cell.
        """

    @abstractmethod
    def fits(self, vectors: Ints) -> Truths:
        """Whether a vector for each path fits its cells, cell by cell."""

    @cached_property
    def slabs(self) -> tuple[Ints, Ints, Ints]:
        """The slab of each run, or -1; which copy, 0 or 1, or -1; the lines of the bundle, or 0."""
        spans = sorted(one.span for slab in self.bundles for one in slab)
        if any(one[0] == other[0] and one[2] > other[1] for one, other in pairwise(spans)):
            raise CertificateError("two bundles have a line in common")
        slab, copy, lines = (np.full(len(self.number), value) for value in (-1, -1, 0))
        for which, bundles in enumerate(self.bundles):
            for one in bundles:
                at = (self.number - one.first) * (1 if one.lines > 0 else -1)
                own = (self.direction == one.direction) & (at >= 0) & (at < 2 * len(one))
                slab[own], copy[own], lines[own] = which, at[own] // len(one), one.lines
        return slab, copy, lines

    @property
    def put_in(self) -> Ints:
        """How many lines are put in below the line of each run."""
        found = np.zeros(len(self.number), dtype=np.int64)
        for one in (bundle for slab in self.bundles for bundle in slab):
            edge = one.first + 2 * one.lines + (one.lines < 0)
            found += np.where((self.direction == one.direction) & (self.number >= edge), len(one), 0)
        return found

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
        for which in range(len(self.bundles)):
            once = self.linkage((slab == which) & (copy == 0), ends)
            if not once or once != self.linkage(slab == which, self.ends):
                raise CertificateError("two copies of a slab do not join what one does")

    def _places(self, ends: Ints, vectors: Ints, which: Truths) -> set[tuple[int, ...]]:
        """Of some ends: the cell, the way and the vector."""
        return set(map(tuple, np.concatenate([ends, self.ways[:, :, None], vectors], axis=2)[which].tolist()))

    def linkage(self, within: Truths, ends: Ints) -> frozenset[frozenset[RunEnd]]:
        """Which ends of some runs are joined by these runs and the paths among them; where the ends are is given."""
        enters, leaves = (np.flatnonzero(within & ~np.roll(within, shift)) for shift in (1, -1))
        if len(leaves) and leaves[0] < enters[0]:
            leaves = np.roll(leaves, -1)
        before = (leaves + 1) % len(ends)
        begins, stops, ways = ends[enters, 1].tolist(), ends[before, 0].tolist(), self.ways
        ports = zip(begins, ways[enters, 1].tolist(), stops, ways[before, 0].tolist(), strict=True)
        return frozenset(frozenset(((*one, a), (*other, b))) for one, a, other, b in ports)


def at_ends(values: Ints) -> Ints:
    """Values of runs, for the two ends of each path: of the run before it and of the run behind it."""
    return np.stack([np.roll(values, 1), values], axis=1)


def follow(board: Callable[[int], SlabBoard], steps: int, limits: Limits, cells: int) -> int:
    """Check that D(0) to D(K + 2) are one cycle each, and the conditions of D(K).

    Parameters
    ----------
    board
        D(k).
    steps
        K.

    Returns
    -------
    How many cells of margins were followed.

    Raises
    ------
    CertificateError
        If this is not so, or more than `cells` have to be followed.
    Stopped
        If the limits do not suffice.
    """
    followed = 0
    for k in range(steps + 3):
        limits.check()
        own = board(k)
        followed += own.check_one_cycle(cells - followed)
        if k == steps:
            own.pumps()
    return followed


def fits_zones(at: Ints, vector: Ints, zones: Sequence[Zone], added: Sequence[int], grows: Sequence[int]) -> Truths:
    """Whether columns may move so far: among the copies of a zone by whole periods, and elsewhere as all zones before.

    Parameters
    ----------
    at
        The columns, of a board.
    added, grows
        Columns of each zone that the board has more than the seed, and that a step adds.
    """
    least, most, period, begun = (np.full(len(at), value) for value in (0, 0, 1, 0))
    for zone, more, grown in zip(zones, added, grows, strict=True):
        within = (at >= zone.start + begun) & (at < zone.end + begun + more)
        most, period = np.where(within, least + grown, most), np.where(within, zone.period, period)
        behind = at >= zone.end + begun + more
        least, most = np.where(behind, least + grown, least), np.where(behind, least + grown, most)
        begun += more
    good: Truths = (least <= vector) & (vector <= most) & ((vector - least) % period == 0)
    return good
