"""Boards whose slabs are bundles of parallel lines: the nodes of a board and their labels, for inflation.

The file of a family names the bundles.  The labels made of them need not be right: `inflation` checks them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from kt_models.certificates.integers import Ints
from kt_models.errors import CertificateError
from kt_models.json_values import integers, rows
from kt_models.limits import Limits
from theorems.growing_tours.codes import MOVES
from theorems.growing_tours.inflation import REST, InflatedBoard, Inflation, Labels, Nodes, Truths, inflate
from theorems.growing_tours.zones import Zone

MAX_STEPS, MAX_SLABS, MAX_BUNDLES, MAX_NUMBER = 40, 40, 20, 2**20
MAX_MARGINS = 20_000_000
"""Most margin cells that are followed for one file."""


@dataclass(frozen=True)
class Bundle:
    """Consecutive lines of a direction, of which a step inserts a copy.

    Parameters
    ----------
    direction
        Direction of the lines.
    first
        Least number of a line.
    lines
        Number of lines; negative if a step inserts their copy below them and not above.
    """

    direction: int
    first: int
    lines: int

    @classmethod
    def second(cls, direction: int, first: int, lines: int) -> Bundle:
        """The second of two copies, as some kinds of files name both: `lines` numbers from `first` on, then as many.

        Negative `lines` count downwards from `first`.
        """
        return cls(direction, first + (lines if lines > 0 else 2 * lines + 1), lines)

    @property
    def both(self) -> list[int]:
        """The three numbers from which `second` makes this bundle, for a file."""
        return [self.direction, self.first - (self.lines if self.lines > 0 else 2 * self.lines + 1), self.lines]

    @property
    def end(self) -> int:
        """The number after the last one."""
        return self.first + len(self)

    @property
    def edge(self) -> int:
        """The least number of a line that moves up when the copy is inserted."""
        return self.end if self.lines > 0 else self.first

    def __len__(self) -> int:
        return abs(self.lines)


Bundles = tuple[Bundle, ...]


def read_slabs(data: Any, directions: int) -> tuple[Bundles, ...]:
    """Read the slabs of a file that names two copies of each bundle, of which the second is meant.

    Raises
    ------
    CertificateError
        If the data are malformed.
    """
    if type(data) is not list or len(data) > MAX_SLABS:
        raise CertificateError(f"'slabs' is not a list of at most {MAX_SLABS} slabs")
    return tuple(
        tuple(Bundle.second(bundle.direction, bundle.first, bundle.lines) for bundle in read_bundles(slab, directions))
        for slab in data
    )


def read_bundles(data: Any, directions: int) -> Bundles:
    """Read a slab of a file: three numbers for each bundle, the first of them below the number of directions.

    Raises
    ------
    CertificateError
        If the data are malformed.
    """
    bundle_rows = rows(data, "a slab", 3)
    if len(bundle_rows) > MAX_BUNDLES:
        raise CertificateError(f"a slab has more than {MAX_BUNDLES} bundles")
    bundles = tuple(Bundle(*integers(row, "a bundle", -MAX_NUMBER, MAX_NUMBER)) for row in bundle_rows)
    if any(not 0 <= bundle.direction < directions or not bundle.lines for bundle in bundles):
        raise CertificateError(
            f"a bundle is a direction, 0 to {directions - 1}, a number, and how many lines, not none"
        )
    return bundles


class WalkedCycle(NamedTuple):
    """A cycle: its paths of margin cells, and the run behind each.

    Parameters
    ----------
    paths
        The cells of each path; the run behind path i leads to path i + 1.  A cycle without runs has one path.
    into, out
        The moves with which the runs begin and end, which differ if a line is bent.
    cells
        Number of cells of the cycle.
    """

    paths: list[list[tuple[int, int]]]
    into: list[int]
    out: list[int]
    cells: int


class WalkedBoard(ABC):
    """D(k), as the runs and paths of its cycles."""

    @abstractmethod
    def walk(self, start: tuple[int, int]) -> WalkedCycle:
        """The cycle through a cell of the margins."""

    @property
    @abstractmethod
    def size(self) -> tuple[int, int]:
        """Width and height."""

    @property
    @abstractmethod
    def box(self) -> tuple[int, int, int, int]:
        """Of the interior: first column and the one after the last; the same of rows."""

    @abstractmethod
    def line(self, cells: Ints, moves: Ints) -> tuple[Ints, Ints]:
        """The direction and the number of the lines that moves from cells of the margins lead along."""

    @cached_property
    def _walk(self) -> WalkedCycle:
        return self.walk((0, 0))

    @property
    def margins(self) -> int:
        """Number of cells of the margins."""
        left, right, low, high = self.box
        return self.size[0] * self.size[1] - (right - left) * (high - low)

    @property
    def cells(self) -> int:
        """Number of cells of the cycle through the bottom left cell."""
        return self._walk.cells

    def check_one_cycle(self, most: int) -> int:
        """Check that this cycle has all cells of the board.

        Returns
        -------
        Number of cells of the margins.

        Raises
        ------
        CertificateError
            If the cycle misses a cell, or the margins have more than `most` cells.
        """
        width, height = self.size
        if self.margins > most:
            raise CertificateError("the boards of the family are too large to be followed")
        if self.cells < width * height:
            raise CertificateError(f"a board of the family has several cycles: {width}x{height}")
        return self.margins

    @cached_property
    def ends(self) -> Ints:
        """First and last cell of each path of that cycle, shape (m, 2, 2)."""
        return np.array([(path[0], path[-1]) for path in self._walk.paths])

    @cached_property
    def runs(self) -> tuple[Ints, Ints]:
        """The direction and the number of the line of each run of that cycle."""
        return self.line(self.ends[:, 1], np.array(self._walk.into, dtype=np.int64))

    @cached_property
    def margin(self) -> tuple[Ints, Ints]:
        """The cells of all its paths, shape (c, 2), and to which path each belongs."""
        paths = self._walk.paths
        return np.concatenate([np.array(path) for path in paths]), np.repeat(np.arange(len(paths)), [*map(len, paths)])

    def _all_walks(self) -> Iterator[WalkedCycle]:
        yield self._walk
        (width, height), (left, right, low, high) = self.size, self.box
        if self.cells == width * height:
            return
        seen = {cell for path in self._walk.paths for cell in path}
        for x in range(width):
            for y in range(height):
                if (x, y) not in seen and not (left <= x < right and low <= y < high):
                    walk = self.walk((x, y))
                    seen.update(cell for path in walk.paths for cell in path)
                    yield walk

    @cached_property
    def walks(self) -> list[WalkedCycle]:
        """All cycles."""
        return list(self._all_walks())

    @cached_property
    def nodes(self) -> Nodes:
        cells: list[tuple[int, int]] = []
        starts: list[int] = []
        begins: list[int] = []  # of runs
        for walk in self.walks:
            starts.append(len(cells))
            if not walk.into:
                cells += walk.paths[0]
                continue
            following = [*walk.paths[1:], walk.paths[0]]
            for path, after, into, out in zip(walk.paths, following, walk.into, walk.out, strict=True):
                (x, y), (u, v) = path[-1], after[0]
                cells += path
                begins.append(len(cells))
                cells += [(x + MOVES[into][0], y + MOVES[into][1]), (u - MOVES[out][0], v - MOVES[out][1])]
        runs = np.zeros(len(cells), dtype=bool)
        runs[begins] = True
        return Nodes(np.array(cells), np.array(starts), runs, runs | np.roll(runs, 1))

    @cached_property
    def first(self) -> Ints:
        """The first nodes of all runs; the last one of a run is the next node."""
        return np.flatnonzero(self.nodes.runs)

    @cached_property
    def moves(self) -> tuple[Ints, Ints]:
        """The first and the last move of each run."""
        into, out = (
            np.array([move for moves in of for move in moves], dtype=np.int64)
            for of in zip(*((walk.into, walk.out) for walk in self.walks), strict=True)
        )
        return into, out


class LineEnds(NamedTuple):
    """Lines that end beside some cells, and the number of lines inserted below each."""

    direction: Ints
    number: Ints
    more: Ints


class SlabBoard(WalkedBoard, InflatedBoard):
    """The board D(K), K steps grown from the seed, whose slabs are bundles of lines."""

    @property
    @abstractmethod
    def slabs(self) -> Sequence[Bundles]:
        """The slabs."""

    @property
    def repeated(self) -> tuple[int, ...]:
        """For each slab the number of the growth (a way to grow) that repeats it."""
        return (0,) * len(self.slabs)

    @abstractmethod
    def moved(self, growth: int, lines: LineEnds, cells: Ints) -> Ints:
        """Vectors by which a step of a growth shifts cells of the margins, given the ends of lines beside them.

        Raises
        ------
        CertificateError
            If one moves by a part of a cell.
        """

    def lines_of_cells(self, direction: Ints, cells: Ints) -> tuple[Ints, Ints]:
        """The direction and the number of cells themselves, where a path does not move as its ends do.

        Parameters
        ----------
        direction
            Of the lines at both ends of the path of each cell, or `REST` if they differ.

        Raises
        ------
        CertificateError
            If paths have to move as wholes.
        """
        raise CertificateError("the two ends of a path move by different vectors")

    def labels(self) -> Labels:
        """The ends of runs by the numbers of their lines; paths as a run at one of their ends, or else cell by cell.

        Raises
        ------
        CertificateError
            If bundles have a line in common, or something would move by a part of a cell.
        """
        every = sorted((bundle.direction, bundle.first, bundle.end) for slab in self.slabs for bundle in slab)
        if any(bundle[0] == following[0] and bundle[2] > following[1] for bundle, following in pairwise(every)):
            raise CertificateError("two bundles have a line in common")
        nodes, first = self.nodes, self.first
        size = len(nodes.cells)
        direction, number = self.line(nodes.cells[first - 1], self.moves[0])
        directions, slabs = np.full(size, REST), np.full(size, REST)
        vectors, further = np.zeros((2, max(self.repeated, default=0) + 1, size, 2), dtype=np.int64)
        for ends, beside in ((first, first - 1), (first + 1, nodes.ahead[first + 1])):
            directions[ends] = direction
            slabs[ends], vectors[:, ends], further[:, ends] = self._at(direction, number, nodes.cells[beside])
        # where each path begins, and the ends of runs before and behind it
        cycle = np.searchsorted(nodes.starts, first, side="right")
        new = np.diff(cycle, prepend=0) > 0
        begin = np.where(new, nodes.starts[cycle - 1], np.roll(first, 1) + 2)
        before = np.where(new, np.append(nodes.starts[1:], size)[cycle - 1], begin) - 1
        path = np.repeat(np.arange(len(first)), first - begin)
        margin = np.concatenate([np.arange(b, e) for b, e in zip(begin, first, strict=True)] or [first])
        # a path between a slab and the rest belongs to the slab, if the vectors before it agree
        of_slab = np.where(slabs[before] == REST, first, before)
        other = before + first - of_slab
        alike = np.array(vectors[:, before] == vectors[:, first]).all(axis=(0, 2))
        like = np.where(alike, of_slab, other)
        same = slabs[before] == slabs[first]
        whole = np.where(same, alike & np.array(further[:, before] == further[:, first]).all(axis=(0, 2)), True)
        whole &= same | (slabs[other] == REST)
        for of in (slabs, *vectors, *further):
            of[margin] = of[like[path]]
        fits = np.logical_and.reduce([self.fits(k, of) for of in (vectors, further) for k, of in enumerate(of)])
        whole &= np.bincount(path, ~fits[margin], minlength=len(first)) == 0
        apart = np.ones(size, dtype=bool)
        apart[margin], apart[first], apart[first + 1] = ~whole[path], False, False
        if apart.any():
            directions[margin] = np.where(directions[before] == direction, direction, REST)[path]
            cells = nodes.cells[apart]
            lines = self.lines_of_cells(directions[apart], cells)
            slabs[apart], vectors[:, apart], further[:, apart] = self._at(*lines, cells)
        return Labels(slabs, self.repeated, vectors, further)

    def inflation(self) -> Inflation:
        """The slabs as tangles.

        Raises
        ------
        CertificateError
            If the larger boards do not follow from this one.
        """
        return inflate(self, self.labels())

    def _at(self, direction: Ints, number: Ints, cells: Ints) -> tuple[Ints, Ints, Ints]:
        """The slab of the line that ends beside each cell, and the vectors by which the cell moves."""
        slab, growths = np.full(len(number), REST), range(max(self.repeated, default=0) + 1)
        more, lines = np.zeros((2, len(growths), len(number)), dtype=np.int64)
        for which, (bundles, growth) in enumerate(zip(self.slabs, self.repeated, strict=True)):
            for bundle in bundles:
                along = direction == bundle.direction
                mask = along & (number >= bundle.first) & (number < bundle.end)
                slab[mask], lines[growth, mask] = which, bundle.lines
                more[growth] += np.where(along & (number >= bundle.edge), len(bundle), 0)
        vectors, further = (
            np.stack([self.moved(growth, LineEnds(direction, number, of[growth]), cells) for growth in growths])
            for of in (more, more + lines)
        )
        return slab, vectors, further


def follow(board: Callable[[int], SlabBoard], steps: int, limits: Limits, cells: int) -> int:
    """Check that each of D(0), ..., D(K) is one cycle, and that all larger boards follow from D(K).

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
    for k in range(steps + 1):
        limits.check()
        square = board(k)
        followed += square.check_one_cycle(cells - followed)
    square.inflation().check_one_cycle(limits)
    return followed


def fits_zones(at: Ints, vector: Ints, zones: Sequence[Zone], added: Sequence[int], grows: Sequence[int]) -> Truths:
    """Whether columns may move by `vector`: whole periods within a zone, elsewhere by what all zones before it grow.

    Checks Lemma 5 (what zones fit).

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
