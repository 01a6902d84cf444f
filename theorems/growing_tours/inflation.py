"""Inflation: one board D(K) with slabs that may be repeated, from which the tours of all larger boards follow.

Lemma 3 (inflation) is the argument: D(K - 1 + n) is D(K) with n copies of each slab, so the number of its cycles is
that of the rest of D(K) with powers of tangles plugged in. An `InflatedBoard` describes a class of boards, and tells
which vectors fit it.
"""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import lcm, prod

import numpy as np
import numpy.typing as npt

from kt_models.errors import CertificateError
from kt_models.kernel.certificates.integers import Ints
from kt_models.limits import NO_LIMITS, Limits
from theorems.growing_tours.tangle import Joint, Powers, Tangle, count_cycles, powers

Truths = npt.NDArray[np.bool_]
REST = -1
"""The label of nodes that belong to no slab."""
MAX_COMBINATIONS = 20_000
"""Numbers of copies that are tried before the powers of all slabs have to repeat."""
SAMPLES = {1: ((1,), (2,), (3,)), 2: ((1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (3, 1))}
"""By the number of growths: copies for which two polynomials of degree two agree only if they are equal."""


@dataclass(frozen=True, eq=False)
class Nodes:
    """The margin cells of a board and both ends of each run, one cycle after the other.

    Parameters
    ----------
    cells
        Shape (N, 2).
    starts
        Which node each cycle begins with.
    runs
        Whether a run leads to the next node.
    inner
        Whether a node is the first or the last cell of a run.
    """

    cells: Ints
    starts: Ints
    runs: Truths
    inner: Truths

    @cached_property
    def ahead(self) -> Ints:
        """The next node of each along its cycle."""
        found = np.arange(1, len(self.cells) + 1)
        found[np.append(self.starts[1:], len(self.cells)) - 1] = self.starts
        return found


@dataclass(frozen=True, eq=False)
class Labels:
    """Which slab each node is in, and how it moves with a step of each growth.

    Parameters
    ----------
    slabs
        The slab of each node, or `REST`.
    growths
        The growth that repeats each slab.
    vectors
        How the nodes move that are before the new copy: shape (growths, N, 2).
    further
        How those move that are behind it; only nodes of slabs that this growth repeats may move differently.
    """

    slabs: Ints
    growths: tuple[int, ...]
    vectors: Ints
    further: Ints

    def at(self, nodes: Ints) -> Labels:
        """Labels of some nodes."""
        return Labels(self.slabs[nodes], self.growths, self.vectors[:, nodes], self.further[:, nodes])

    def put(self, nodes: Truths, labels: Labels) -> None:
        """Replace those of some nodes."""
        self.slabs[nodes], self.vectors[:, nodes], self.further[:, nodes] = labels.slabs, labels.vectors, labels.further


def agree(labels: Labels, nodes: Ints, others: Ints) -> Truths:
    """Whether moves may join nodes to others: of one label, or of the rest and before or behind a slab."""
    of, to = labels.at(nodes), labels.at(others)
    before, behind = (
        np.array(ways == others_ways).all(axis=(0, 2))
        for ways, others_ways in ((of.vectors, to.vectors), (of.further, to.further))
    )
    to_rest = (of.slabs == REST) | (to.slabs == REST)
    good: Truths = np.where(of.slabs == to.slabs, before & behind, to_rest & (before | behind))
    return good


class InflatedBoard(ABC):
    """D(K) of a family with one or two growths."""

    @property
    @abstractmethod
    def nodes(self) -> Nodes:
        """The cells of the margins and the ends of runs, of all cycles."""

    @abstractmethod
    def fits(self, growth: int, vectors: Ints) -> Truths:
        """Whether each node may move by a vector, on D(K) and on all larger boards, whatever else it moves by."""

    @abstractmethod
    def run_moves(self, ways: Ints) -> Ints:
        """Number of additional moves of each run whose last cell moves farther than its first one by a vector.

        Parameters
        ----------
        ways
            A vector for each run, in the order of the nodes.

        Raises
        ------
        CertificateError
            If it would leave its line.
        """

    @abstractmethod
    def area(self, copies: Sequence[int]) -> int:
        """Number of cells of the board with the given numbers of copies of the slabs of each growth."""


@dataclass(frozen=True)
class Inflation:
    """The slabs of a board as tangles, and how the rest joins them.

    Parameters
    ----------
    slabs, growths
        The tangles, and which growth repeats each.
    rest
        Pairs of ports that the rest joins; ports of a slab are numbered behind those of the slabs before it.
    loops
        Number of cycles of the rest that meet no slab.
    """

    slabs: tuple[Tangle, ...]
    growths: tuple[int, ...]
    rest: tuple[Joint, ...]
    loops: int

    @cached_property
    def powers(self) -> tuple[Powers, ...]:
        """Powers of the tangle of each slab."""
        return tuple(map(powers, self.slabs))

    def cycles(self, *copies: int) -> int:
        """Number of cycles with the given numbers of copies, at least one, of the slabs of each growth."""
        tangles = [slab.power(copies[growth]) for slab, growth in zip(self.powers, self.growths, strict=True)]
        return self.loops + count_cycles(self.rest, tangles)

    def check_one_cycle(self, limits: Limits = NO_LIMITS) -> None:
        """Check that there is one cycle for all numbers of copies.

        Checks Lemma 4 (any number of copies).

        Raises
        ------
        CertificateError
            If there are several for some, or too many numbers would have to be tried.
        Stopped
            If a limit is reached.
        """
        limits.check()
        if any(slab.more for slab in self.powers):
            raise CertificateError("copies of a slab close cycles of their own")
        by_growth: defaultdict[int, list[Powers]] = defaultdict(list)
        for slab, growth in zip(self.powers, self.growths, strict=True):
            by_growth[growth].append(slab)
        repeated = [by_growth[growth] for growth in range(max(self.growths, default=-1) + 1)]
        last = [max((slab.start for slab in of), default=0) + lcm(*(slab.period for slab in of)) for of in repeated]
        if prod(last) > MAX_COMBINATIONS:
            raise CertificateError("what the slabs join repeats too late")
        for copies in itertools.product(*(range(1, most + 1) for most in last)):
            limits.check()
            if (cycles := self.cycles(*copies)) != 1:
                raise CertificateError(f"there are {cycles} cycles with {copies} copies of the slabs of each growth")


def inflate(board: InflatedBoard, labels: Labels) -> Inflation:
    """Read the slabs of a board as tangles, if the larger boards are this one with more copies of them.

    Checks Lemma 3 (inflation).

    Raises
    ------
    CertificateError
        If a condition does not hold.
    """
    nodes = board.nodes
    _check_vectors(board, labels)
    runs, ahead = nodes.runs, nodes.ahead
    same = labels.slabs == labels.slabs[ahead]
    if (runs & ~same).any():
        raise CertificateError("the two ends of a run belong to different slabs")
    if not (runs | agree(labels, np.arange(len(ahead)), ahead)).all():
        raise CertificateError("a move joins cells that move by different vectors")
    _check_cells(board, labels)
    return _tangles(nodes, labels, np.flatnonzero(~runs & ~same).tolist())


def _check_vectors(board: InflatedBoard, labels: Labels) -> None:
    """Check that vectors fit, and that cell (0, 0) is met once."""
    nodes = board.nodes
    if sorted({*labels.slabs.tolist()} - {REST}) != [*range(len(labels.growths))]:
        raise CertificateError("a slab has no cells")
    for growth, (vectors, further) in enumerate(zip(labels.vectors, labels.further, strict=True)):
        moving = np.append(np.array(labels.growths) == growth, False)[labels.slabs]  # The last one is that of the rest
        if (vectors < 0).any() or (further < 0).any() or (vectors != further)[~moving].any():
            raise CertificateError("a vector of a node points away from the board, or is not one")
        if not (board.fits(growth, vectors) & (board.fits(growth, further) | ~moving)).all():
            raise CertificateError("a cell moves to a cell with other moves")
    corner = (nodes.cells == 0).all(axis=1)
    if corner.sum() != 1 or labels.slabs[corner] != REST or labels.vectors[:, corner].any():
        raise CertificateError("the bottom left cell moves, or belongs to a slab")


def _check_cells(board: InflatedBoard, labels: Labels) -> None:
    """Check that runs stay on their lines, and that there are as many cells as the larger boards have."""
    nodes = board.nodes
    first = np.flatnonzero(nodes.runs)
    last = nodes.ahead[first]
    length = board.run_moves(nodes.cells[last] - nodes.cells[first]) + 1
    more, further = (
        [board.run_moves(of[last] - of[first]) for of in vectors] for vectors in (labels.vectors, labels.further)
    )
    margin = ~nodes.inner
    for copies in SAMPLES[len(labels.vectors)]:
        total = 0
        for slab, repeated in [(REST, None), *enumerate(labels.growths)]:
            count = 1 if repeated is None else copies[repeated]
            inside = labels.slabs[first] == slab
            total += count * int((margin & (labels.slabs == slab)).sum() + length[inside].sum())
            for growth, number in enumerate(copies):
                if growth == repeated:  # Copy c moves by n - 1 - c times the one vector and c times the other
                    total += number * (number - 1) // 2 * int((more[growth][inside] + further[growth][inside]).sum())
                else:
                    total += count * (number - 1) * int(more[growth][inside].sum())
        if total != board.area(copies):
            raise CertificateError(f"with {copies} copies of the slabs there are {total} cells, not those of the board")


def _ports(nodes: Nodes, labels: Labels, across: Sequence[int]) -> tuple[dict[int, tuple[int, int]], list[int]]:
    """By the moves between slabs and the rest: the slab, and the port of its tangle; and how many lead into each slab.

    A move out of a slab is the move into it in the next copy, and both have one number.
    """
    matched: list[defaultdict[tuple[object, ...], dict[bool, int]]] = [defaultdict(dict) for _ in labels.growths]
    for move in across:
        ends = move, int(nodes.ahead[move])
        inner, outer = ends if labels.slabs[ends[0]] != REST else ends[::-1]
        slab = int(labels.slabs[inner])
        growth = labels.growths[slab]
        vectors, further, opposite = (
            tuple(map(tuple, of.tolist()))
            for of in (labels.vectors[:, inner], labels.further[:, inner], labels.vectors[:, outer])
        )
        leaves = opposite == further  # Otherwise it equals the other one, so the two differ
        by = (0, 0) if leaves else np.subtract(further[growth], vectors[growth])
        near, far = (inner, outer) if leaves else (outer, inner)
        places = [(*(nodes.cells[node] + by).tolist(), bool(nodes.inner[node])) for node in (near, far)]
        both = matched[slab][(*places, vectors, further)]
        if leaves in both:
            raise CertificateError("two moves of a slab are in one place")
        both[leaves] = move
    port: dict[int, tuple[int, int]] = {}
    for slab, of in enumerate(matched):
        if not of or any(len(both) < 2 for both in of.values()):
            raise CertificateError("a copy of a slab does not lead to the next one as the rest leads to it")
        for number, both in enumerate(of.values()):
            port[both[False]], port[both[True]] = (slab, number), (slab, len(of) + number)
    return port, [*map(len, matched)]


def _tangles(nodes: Nodes, labels: Labels, across: Sequence[int]) -> Inflation:
    """The joins that the stretches between ports make, of all cycles."""
    ports, widths = _ports(nodes, labels, across)
    begins = [0, *itertools.accumulate(2 * width for width in widths)]
    partner = [[-1] * (2 * width) for width in widths]
    rest: list[Joint] = []
    loops = [0] * (len(labels.growths) + 1)  # Those of the rest come last
    bounds = np.searchsorted(across, np.append(nodes.starts, len(nodes.cells))).tolist()
    for start, (begin, end) in zip(nodes.starts.tolist(), itertools.pairwise(bounds), strict=True):
        moves = across[begin:end]
        if not moves:
            loops[labels.slabs[start]] += 1
        for move, following in zip(moves, [*moves[1:], *moves[:1]], strict=True):
            (slab, p), (other, q) = ports[move], ports[following]
            if labels.slabs[nodes.ahead[move]] == REST:
                rest.append((begins[slab] + p, begins[other] + q))
            else:
                partner[slab][p], partner[slab][q] = q, p
    slabs = tuple(Tangle(tuple(pairs), more) for pairs, more in zip(partner, loops, strict=False))
    return Inflation(slabs, labels.growths, tuple(rest), loops[-1])
