"""Slabs: one cycle in squares of all sizes, by pumping slabs of lines, as in Lemma 13 (slabs and copies)."""

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
"""An end of a run: its cell, and a number that tells the direction of the line and the move into the interior."""
WalkedCycle = tuple[list[list[tuple[int, int]]], list[int], int]
# Limits on files: far above the families that kt delivers, and small enough to be checked in minutes.
MAX_STEPS, MAX_SLABS, MAX_BUNDLES, MAX_NUMBER = 40, 40, 20, 2**20
MAX_MARGINS = 20_000_000
"""Most margin cells that are followed for one file."""


@dataclass(frozen=True)
class Bundle:
    """Consecutive lines of a direction from `first` on, downwards if `lines` is negative; the second copy follows."""

    direction: int
    first: int
    lines: int

    @property
    def span(self) -> tuple[int, int, int]:
        """The direction, the least number in both copies, and the number behind the greatest."""
        ends = sorted((self.first + (self.lines < 0), self.first + 2 * self.lines + (self.lines < 0)))
        return self.direction, ends[0], ends[1]

    def __len__(self) -> int:
        return abs(self.lines)


Bundles = tuple[Bundle, ...]


def read_slabs(data: Any, directions: int) -> tuple[Bundles, ...]:
    """Read the slabs of a file: three numbers for each bundle, the first of them below the number of directions.

    Raises
    ------
    CertificateError
        If the data are malformed.
    """
    if type(data) is not list or len(data) > MAX_SLABS:
        raise CertificateError(f"'slabs' is not a list of at most {MAX_SLABS} slabs")
    return tuple(tuple(_bundles(slab, directions)) for slab in data)


def _bundles(data: Any, directions: int) -> Iterator[Bundle]:
    bundle_rows = rows(data, "a slab", 3)
    if len(bundle_rows) > MAX_BUNDLES:
        raise CertificateError(f"a slab has more than {MAX_BUNDLES} bundles")
    for row in bundle_rows:
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
        """The paths, the move of the run behind each, and the number of cells of the cycle."""

    @cached_property
    @abstractmethod
    def direction(self) -> Ints:
        """Direction of the run behind each path."""

    @cached_property
    @abstractmethod
    def number(self) -> Ints:
        """Number of the line of the run behind each path."""

    @property
    @abstractmethod
    def side(self) -> int:
        """Side of the square."""

    @property
    @abstractmethod
    def margins(self) -> int:
        """Number of cells of the margins."""

    @property
    def cells(self) -> int:
        """Number of cells of the cycle."""
        return self._walk[2]

    def check_one_cycle(self, most: int) -> int:
        """Check that the cycle has all cells of the square.

        Returns
        -------
        Number of cells of the margins.

        Raises
        ------
        CertificateError
            If the cycle misses a cell, or the margins have more than `most` cells.
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
        """Cells of all paths, shape (c, 2), and the path that each belongs to."""
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
        """Growth of the number of the line of each run in a step."""

    @cached_property
    def ways(self) -> Ints:
        """For both ends of each path, shape (m, 2): the direction of the run and the move that leads into it.

        The direction tells the move, unless lines are bent.
        """
        return at_ends(self.direction)

    @abstractmethod
    def vectors(self, growth: Ints) -> Ints:
        """Vectors by which the two ends of each path move if the numbers grow by `growth`, shape (m, 2, 2).

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
        """For each run: its slab or -1, its copy (0, 1) or -1, and the lines of its bundle or 0."""
        spans = sorted(bundle.span for slab in self.bundles for bundle in slab)
        if any(bundle[0] == following[0] and bundle[2] > following[1] for bundle, following in pairwise(spans)):
            raise CertificateError("two bundles have a line in common")
        slab, copy, lines = (np.full(len(self.number), value) for value in (-1, -1, 0))
        for which, bundles in enumerate(self.bundles):
            for bundle in bundles:
                # distance from the first line in the direction of the bundle
                at = (self.number - bundle.first) * (1 if bundle.lines > 0 else -1)
                mask = (self.direction == bundle.direction) & (at >= 0) & (at < 2 * len(bundle))
                slab[mask], copy[mask], lines[mask] = which, at[mask] // len(bundle), bundle.lines
        return slab, copy, lines

    @property
    def put_in(self) -> Ints:
        """Number of lines inserted below the line of each run."""
        added = np.zeros(len(self.number), dtype=np.int64)
        for bundle in (bundle for slab in self.bundles for bundle in slab):
            # lines behind both copies move by a further copy
            edge = bundle.first + 2 * bundle.lines + (bundle.lines < 0)
            added += np.where((self.direction == bundle.direction) & (self.number >= edge), len(bundle), 0)
        return added

    def check_pumping(self) -> None:
        """Check conditions 1 to 5 of Lemma 13 (slabs and copies).

        Raises
        ------
        CertificateError
            Naming the first that does not hold.
        """
        slab, copy, lines = self.slabs
        slabs, copies = at_ends(slab), at_ends(copy)
        # condition 1
        if ((slabs[:, 0] != slabs[:, 1]) & (slabs >= 0).all(axis=1)).any():
            raise CertificateError("a path joins two slabs")
        vector, further = self.vectors(self.growth), self.vectors(self.growth + lines)
        agree, further_agree = (np.array(of[:, 0] == of[:, 1]).all(axis=1) for of in (vector, further))
        # paths at the second copy move further, by one more slab
        second = (copies == 1).any(axis=1)
        # paths from the second copy to the rest move with it
        out = second & (copies == -1).any(axis=1)
        if not np.where(out, further_agree, agree & (further_agree | ~second)).all():
            raise CertificateError("the two ends of a path move by different vectors")
        moves_by = np.where(out[:, None], further[:, 0], vector[:, 0])
        if not (self.fits(moves_by) & (self.fits(further[:, 0]) | ~second[self.margin[1]])).all():
            raise CertificateError("a path moves to cells with other moves")
        moved, other_copies = self.ends + further - vector, copies[:, ::-1]
        leads = (copies == 0) & (other_copies == 1)
        # the ports between the copies must match those behind the second copy
        if self._places(moved, vector, leads) != self._places(self.ends, vector, (copies == 1) & (other_copies == -1)):
            raise CertificateError("the copies of a slab lead on in different ways")
        ends = np.where(leads[:, :, None], moved, self.ends)
        for which in range(len(self.bundles)):
            # S S = S: two copies link the same ports as one
            once = self.linkage((slab == which) & (copy == 0), ends)
            if not once or once != self.linkage(slab == which, self.ends):
                raise CertificateError("two copies of a slab do not join the same ends as one copy")

    def _places(self, ends: Ints, vectors: Ints, which: Truths) -> set[tuple[int, ...]]:
        """The cell, the way and the vector of some ends."""
        return set(map(tuple, np.concatenate([ends, self.ways[:, :, None], vectors], axis=2)[which].tolist()))

    def linkage(self, within: Truths, ends: Ints) -> frozenset[frozenset[RunEnd]]:
        """Pairs of ends that some runs, and the paths among them, join; `ends` says where the ends lie."""
        # maximal stretches of the cyclic sequence within the given runs
        enters, leaves = (np.flatnonzero(within & ~np.roll(within, shift)) for shift in (1, -1))
        # the first stretch began before the start of the sequence
        if len(leaves) and leaves[0] < enters[0]:
            leaves = np.roll(leaves, -1)
        before = (leaves + 1) % len(ends)
        begins, stops, ways = ends[enters, 1].tolist(), ends[before, 0].tolist(), self.ways
        ports = zip(begins, ways[enters, 1].tolist(), stops, ways[before, 0].tolist(), strict=True)
        return frozenset(frozenset(((*start, a), (*stop, b))) for start, a, stop, b in ports)


def at_ends(values: Ints) -> Ints:
    """Values of runs at both ends of each path: of the run before it, and of the run behind it."""
    return np.stack([np.roll(values, 1), values], axis=1)


def follow(board: Callable[[int], SlabBoard], steps: int, limits: Limits, cells: int) -> int:
    """Check that each of D(0), ..., D(K + 2) is one cycle, and the conditions on D(K).

    Parameters
    ----------
    board
        D(k).
    steps
        K.

    Returns
    -------
    Number of margin cells that were followed.

    Raises
    ------
    CertificateError
        If a check fails, or more than `cells` cells have to be followed.
    Stopped
        If a limit is reached.
    """
    followed = 0
    # D(K + 1) and D(K + 2) confirm the number of cells, a quadratic polynomial in k
    for k in range(steps + 3):
        limits.check()
        square = board(k)
        followed += square.check_one_cycle(cells - followed)
        if k == steps:
            square.check_pumping()
    return followed


def fits_zones(at: Ints, vector: Ints, zones: Sequence[Zone], added: Sequence[int], grows: Sequence[int]) -> Truths:
    """Whether columns may move by `vector`: whole periods within a zone, elsewhere by what all zones before it grow.

    Checks Lemma 15 (what chains fit).

    Parameters
    ----------
    at
        The columns, of a board.
    added, grows
        Columns of each zone that the board has more than the seed, and that a step adds.
    """
    # allowed movement of each column: an interval, and a step within zones
    least, most, period, begun = (np.full(len(at), value) for value in (0, 0, 1, 0))
    for zone, more, grown in zip(zones, added, grows, strict=True):
        within = (at >= zone.start + begun) & (at < zone.end + begun + more)
        most, period = np.where(within, least + grown, most), np.where(within, zone.period, period)
        behind = at >= zone.end + begun + more
        least, most = np.where(behind, least + grown, least), np.where(behind, least + grown, most)
        begun += more
    good: Truths = (least <= vector) & (vector <= most) & ((vector - least) % period == 0)
    return good
