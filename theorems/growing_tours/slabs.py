"""One cycle in squares of all sizes, by pumping slabs of lines: Lemma 13 (slabs and copies)."""

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
    """D(K) with slabs.

    Checks Lemma 13 (slabs and copies).
    """

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

    Checks Lemma 15 (what chains fit).

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
