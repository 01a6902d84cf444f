"""Boards whose interior is filled with lines: their nodes, and labels made of bundles.

The file of a family names the bundles. The labels made of them need not be right: `inflation` checks them.
"""

from __future__ import annotations

from abc import abstractmethod
from array import array
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from kt_models.errors import CertificateError
from kt_models.kernel.certificates.integers import Ints
from kt_models.limits import Limits
from theorems.growing_tours.bundles import Bundles
from theorems.growing_tours.codes import MOVES, PAIRS
from theorems.growing_tours.inflation import REST, InflatedBoard, Inflation, Labels, Nodes, Truths, agree, inflate
from theorems.growing_tours.zones import Zone

MAX_MARGINS = 20_000_000
"""Most margin cells that are followed for one file."""
VECTORS, MOVES_OF = np.array(MOVES), np.array(PAIRS)
"""The moves, and the two moves of each code."""


class BoardWalk(NamedTuple):
    """All cycles of a board: their nodes, and the moves with which the runs begin and end."""

    nodes: Nodes
    into: Ints
    out: Ints


class LineBoard(InflatedBoard):
    """The board D(k), k steps grown from the seed, whose slabs are bundles of lines."""

    @property
    @abstractmethod
    def size(self) -> tuple[int, int]:
        """Width and height."""

    @property
    @abstractmethod
    def box(self) -> tuple[int, int, int, int]:
        """First column of the interior and the one after the last; the same of rows."""

    @abstractmethod
    def moves_at(self, cells: Ints) -> Ints:
        """The two moves at cells of the margins, shape (m, 2)."""

    @abstractmethod
    def line(self, cells: Ints, moves: Ints) -> tuple[Ints, Ints]:
        """The direction and the number of the lines that moves from cells of the margins lead along."""

    @abstractmethod
    def line_of(self, direction: Ints, cells: Ints) -> tuple[Ints, Ints]:
        """The direction and the number of cells of the margins themselves.

        Parameters
        ----------
        direction
            Of the lines at both ends of the path of each cell, or `REST` if they differ.
        """

    @property
    @abstractmethod
    def bundles(self) -> Sequence[Bundles]:
        """The slabs."""

    @property
    @abstractmethod
    def repeated(self) -> tuple[int, ...]:
        """Number of the growth (a way to grow) that repeats each slab."""

    @abstractmethod
    def moved(self, growth: int, direction: Ints, number: Ints, more: Ints, cells: Ints) -> Ints:
        """Vectors by which a step of a growth shifts cells of the margins, given the ends of lines beside them.

        Parameters
        ----------
        more
            The number of lines inserted below each.

        Raises
        ------
        CertificateError
            If one moves by a part of a cell.
        """

    def run_ends(self, cells: Ints, moves: Ints) -> tuple[Ints, Ints]:
        """The last cells of runs, and the moves with which they end; these are straight.

        Parameters
        ----------
        cells, moves
            The first cells of runs, and the moves with which they begin.
        """
        left, right, low, high = self.box
        steps = VECTORS[moves]
        most = np.where(steps > 0, [right - 1, high - 1] - cells, cells - [left, low]) // np.abs(steps)
        return cells + most.min(axis=1)[:, None] * steps, moves

    @property
    def margins(self) -> int:
        """Number of cells of the margins."""
        left, right, low, high = self.box
        return self.size[0] * self.size[1] - (right - left) * (high - low)

    @cached_property
    def walk(self) -> BoardWalk:
        """All cycles; those with runs begin behind one, and come first."""
        (width, height), (left, right, low, high) = self.size, self.box
        every, outer = np.arange(height), np.r_[:low, high:height]
        blocks = (np.arange(left), every), (np.arange(left, right), outer), (np.arange(right, width), every)
        x, y = (np.concatenate(of) for of in zip(*(_product(*block) for block in blocks), strict=True))
        # Arc 2i + s leaves cell i by its move s, along the run that begins there if there is one
        moves = self.moves_at(np.stack([x, y], axis=1))
        u, v = x[:, None] + VECTORS[moves, 0], y[:, None] + VECTORS[moves, 1]
        runs = (u >= left) & (u < right) & (v >= low) & (v < high)
        first = np.stack([u[runs], v[runs]], axis=1)
        last, out = self.run_ends(first, moves[runs])
        back = (moves + 4) % 8
        back[runs] = (out + 4) % 8
        u[runs], v[runs] = (last + VECTORS[out]).T
        # The number of a cell of the margins: there are fewer in a column that meets the interior
        less = high - low
        passed = np.clip(u - left, 0, right - left)
        cell = u * height + v - less * (passed + ((v >= high) & (u >= left) & (u < right)))
        cell = np.clip(cell, 0, len(x) - 1)
        by_first = moves[cell, 0] == back
        if not ((x[cell] == u) & (y[cell] == v) & (by_first | (moves[cell, 1] == back))).all():
            raise CertificateError("a move leads to no cell with the reverse move")
        # Compact, as the walk jumps about in it
        following = array("q", (2 * cell + by_first).tobytes())
        arcs = array("q")
        starts: list[int] = []
        seen = np.zeros(len(x), dtype=bool)
        for start in (*(np.flatnonzero(runs) ^ 1).tolist(), *range(0, 2 * len(x), 2)):
            if seen[start >> 1]:
                continue
            starts.append(len(arcs))
            arc = start
            for _ in range(len(x) - len(arcs)):
                arcs.append(arc)
                if (arc := following[arc]) == start:
                    break
            else:
                raise CertificateError("moves do not close cycles")
            seen[np.array(arcs[starts[-1] :]) >> 1] = True
            if len(arcs) == len(x):
                break
        order = np.array(arcs)
        run = runs.reshape(-1)[order]
        at = np.arange(len(order)) + 2 * (np.cumsum(run) - run)
        begins, chosen = at[run] + 1, (np.cumsum(runs) - 1)[order[run]]
        nodes = np.empty((len(order) + 2 * len(begins), 2), dtype=np.int64)
        nodes[at, 0], nodes[at, 1] = x[order >> 1], y[order >> 1]
        nodes[begins], nodes[begins + 1] = first[chosen], last[chosen]
        is_run = np.zeros(len(nodes), dtype=bool)
        is_run[begins] = True
        return BoardWalk(
            Nodes(nodes, at[starts], is_run, is_run | np.roll(is_run, 1)), moves[runs][chosen], out[chosen]
        )

    @property
    def nodes(self) -> Nodes:
        return self.walk.nodes

    @cached_property
    def first(self) -> Ints:
        """The first nodes of all runs; the last one of a run is the next node."""
        return np.flatnonzero(self.nodes.runs)

    @cached_property
    def beside(self) -> Ints:
        """The node of the margins beside each end of a run; others themselves."""
        beside = np.arange(len(self.nodes.cells))
        beside[self.first] -= 1
        beside[self.first + 1] = self.nodes.ahead[self.first + 1]
        return beside

    @cached_property
    def path(self) -> Ints:
        """By node: to which path it belongs, numbered by the run behind it; cycles without runs are one path more."""
        return np.cumsum(self.nodes.runs) - self.nodes.runs

    def check_one_cycle(self, most: int) -> int:
        """Check that the cells of the board are on one cycle.

        Returns
        -------
        Number of cells of the margins.

        Raises
        ------
        CertificateError
            If there are several, or the margins have more than `most` cells.
        """
        if self.margins > most:
            raise CertificateError("the boards of the family are too large to be followed")
        cells, first = self.nodes.cells, self.first
        inside = int((self.run_moves(cells[first + 1] - cells[first]) + 1).sum())
        width, height = self.size
        if len(self.nodes.starts) > 1 or self.margins + inside < width * height:
            raise CertificateError(f"a board of the family has several cycles: {width}x{height}")
        return self.margins

    def labels(self) -> Labels:
        """The ends of runs by the numbers of their lines; paths as a run at one of their ends, or else cell by cell.

        Raises
        ------
        CertificateError
            If bundles have a line in common, or something would move by a part of a cell.
        """
        every = sorted((bundle.direction, bundle.first, bundle.end) for slab in self.bundles for bundle in slab)
        if any(bundle[0] == following[0] and bundle[2] > following[1] for bundle, following in pairwise(every)):
            raise CertificateError("two bundles have a line in common")
        nodes, first, path = self.nodes, self.first, self.path
        if not len(first):
            return self._labels(*self.line_of(np.full(len(path), REST), nodes.cells), nodes.cells)
        ends = np.sort(np.append(first, first + 1))
        direction, number = (np.repeat(of, 2) for of in self.line(nodes.cells[first - 1], self.walk.into))
        labels = self._labels(direction, number, nodes.cells[self.beside[ends]])
        # The ends before and behind each path
        before, behind = 2 * self._run_before + 1, 2 * np.arange(len(first))
        whole = agree(labels, before, behind)
        # A path before a slab belongs to it, and one behind it to the rest, as to the next copy
        enters = np.array(labels.vectors[:, before] == labels.vectors[:, behind]).all(axis=(0, 2))
        like = np.where((labels.slabs[before] > labels.slabs[behind]) == enters, before, behind)
        like = np.append(like, 0)[path]
        like[ends] = np.arange(len(ends))
        found = labels.at(like)
        fits = [self.fits(k, of) for both in (found.vectors, found.further) for k, of in enumerate(both)]
        wrong = ~np.logical_and.reduce(fits)
        wrong[ends] = False
        whole = np.append(whole & (np.bincount(path, wrong, len(first) + 1)[: len(first)] == 0), False)
        apart = ~whole[path]
        apart[ends] = False
        if apart.any():
            same = np.append(np.where(direction[before] == direction[behind], direction[behind], REST), REST)
            cells = nodes.cells[apart]
            found.put(apart, self._labels(*self.line_of(same[path[apart]], cells), cells))
        return found

    @property
    def _run_before(self) -> Ints:
        """Number of the run before each run on its cycle."""
        begins = np.searchsorted(self.first, self.nodes.starts)
        before = np.arange(len(self.first)) - 1
        before[begins[begins < len(before)]] = np.append(begins[1:], len(before))[begins < len(before)] - 1
        return before

    def inflation(self) -> Inflation:
        """The slabs as tangles.

        Raises
        ------
        CertificateError
            If the larger boards do not follow from this one.
        """
        return inflate(self, self.labels())

    def _labels(self, direction: Ints, number: Ints, cells: Ints) -> Labels:
        """The slab of the line that ends beside each cell, and the vectors by which the cell moves."""
        slab, growths = np.full(len(number), REST), range(max(self.repeated, default=0) + 1)
        more, lines = np.zeros((2, len(growths), len(number)), dtype=np.int64)
        for which, (bundles, growth) in enumerate(zip(self.bundles, self.repeated, strict=True)):
            for bundle in bundles:
                along = direction == bundle.direction
                mask = along & (number >= bundle.first) & (number < bundle.end)
                slab[mask], lines[growth, mask] = which, bundle.lines
                more[growth] += np.where(along & (number >= bundle.edge), len(bundle), 0)
        vectors, further = (
            np.stack([self.moved(growth, direction, number, of[growth], cells) for growth in growths])
            for of in (more, more + lines)
        )
        return Labels(slab, self.repeated, vectors, further)


def _product(columns: Ints, rows: Ints) -> tuple[Ints, Ints]:
    return np.repeat(columns, len(rows)), np.tile(rows, len(columns))


def follow(boards: Iterable[LineBoard], limits: Limits, cells: int) -> int:
    """Check that each of D(0), ..., D(K) is one cycle, and that all larger boards follow from D(K).

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
    for board in boards:
        limits.check()
        followed += board.check_one_cycle(cells - followed)
    board.inflation().check_one_cycle(limits)
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
    # Allowed movement of each column: an interval, and a step within zones
    least, most, period, begun = (np.full(len(at), value) for value in (0, 0, 1, 0))
    for zone, more, grown in zip(zones, added, grows, strict=True):
        within = (at >= zone.start + begun) & (at < zone.end + begun + more)
        most, period = np.where(within, least + grown, most), np.where(within, zone.period, period)
        behind = at >= zone.end + begun + more
        least, most = np.where(behind, least + grown, least), np.where(behind, least + grown, most)
        begun += more
    good: Truths = (least <= vector) & (vector <= most) & ((vector - least) % period == 0)
    return good
