"""Strands: tours of rectangles of all sizes with few turns or crossings: one cycle, counts, and coverage of all boards.

Lemma 3 (cuts of one direction) defines cuts and linkages.  Lemma 4 (slabs are what zones repeat) says what is inserted,
and Lemma 8 (windows of turns and crossings) why the counts grow linearly.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from kt_models.certificates.integers import Ints
from kt_models.errors import CertificateError
from kt_models.limits import NO_LIMITS, Limits
from theorems.growing_tours import codes as tables
from theorems.growing_tours.codes import CutMove, Linkage, checked_cycle, count, linkage_of, moves_across
from theorems.growing_tours.zones import KIND, LINE, LINES, Growth, TourFamily, Zone
from theorems.statement import FamilyKind, FamilyStatement, sharing

MAX_LINES_CROSSED = 5
"""Most lines that a move crosses."""
CROSSING_SPAN = 5
"""Most columns (rows) that two crossing moves span."""
MAX_GROWTH_STEPS = 16
"""Most steps of a growth that are tried before pumping is given up."""
MAX_FAMILIES, MAX_CELLS = 100, 20_000_000
"""Most families of one file, and most cells that are followed."""
MAX_AHEAD = 40
"""Largest difference between the steps of the two growths that lead to a square."""


@dataclass(frozen=True)
class CutEnd:
    """End of a cut: its side, and the zone among whose copies it lies."""

    side: str
    zone: int


@dataclass(frozen=True)
class Slab:
    """`lines` lines from cut `t` on, between two ends."""

    t: int
    lines: int
    ends: tuple[CutEnd, CutEnd]


@dataclass(frozen=True)
class StrandsEvidence:
    """Evidence that every board has one cycle: number of boards followed, most steps of each growth, and cells."""

    followed: int
    times: tuple[int, ...]
    cells: int


# The two sides that the lines of a regime join, in the order of the line numbers.
REGIMES = (("bottom", "left"), ("right", "left"), ("right", "top"))


@dataclass(frozen=True, eq=False)
class GrownBoard:
    """A board of a family with one cycle, and its copies of zones."""

    family: TourFamily
    times: tuple[int, ...]
    default_system: int = LINE

    @cached_property
    def size(self) -> tuple[int, int]:
        return self.family.grown(self.times)

    def view(self, family: TourFamily) -> GrownBoard:
        """The board of this family, or of its mirror image, with the same two systems of lines."""
        return self if family is self.family else GrownBoard(family, self.times, LINES[1])

    @cached_property
    def order(self) -> Ints:
        """Cells of the cycle through the bottom left cell, shape (k, 2)."""
        return checked_cycle(self.family.board_codes(self.times))

    @property
    def one_cycle(self) -> bool:
        return len(self.order) == self.size[0] * self.size[1]

    @cached_property
    def lines(self) -> Ints:
        """Number of the line of each cell of the cycle."""
        return self.order @ np.array([1, 2])

    @cached_property
    def systems(self) -> Ints:
        """System of each cell of the cycle, as the code of its runs."""
        left, right, low, high = self.family.zoned
        (x, y), (width, height) = self.order.T, self.size
        runs = (left - tables.REACH <= x) & (x < right + width - self.family.size[0])
        runs &= (low <= y) & (y < high + height - self.family.size[1])
        codes = self.family.codes_at(self.times, self.order).astype(np.int64)
        for line in LINES:
            along = codes == line
            # three line cells in a row are a run; single ones may belong to a margin
            middle = along & np.roll(along, 1) & np.roll(along, -1)
            runs |= middle | np.roll(middle, 1) | np.roll(middle, -1)
        places = np.flatnonzero(runs)
        if not len(places):
            return np.full(len(x), self.default_system)
        # nearest run before and behind each cell of the cycle
        behind = np.searchsorted(places, np.arange(len(x)), side="right") - 1  # -1 is the last run: the tour is cyclic
        ahead = np.searchsorted(places, np.arange(len(x))) % len(places)
        before, after = codes[places[behind]], codes[places[ahead]]
        # a cell between runs of two systems belongs to the default one
        return np.where(before == after, before, self.default_system)

    @cached_property
    def system(self) -> Ints:
        """Systems by x and y."""
        table = np.empty(self.size, dtype=np.int64)
        table[tuple(self.order.T)] = self.systems
        return table

    def linkage(self, t: int) -> Linkage:
        """Linkage below a cut of one system; a move is its cell below and its other cell."""
        return linkage_of(moves_across(self.order, self.lines < t))

    def linkage_of_lines(self, low: int, high: int) -> Linkage | None:
        """Linkage of the lines from `low` to `high` - 1 of the system of `LINE`; a move is its inner and its outer
        cell.

        `None` if moves lead out elsewhere than across the two cuts.
        """
        moves = moves_across(self.order, (self.systems == LINE) & (low <= self.lines) & (self.lines < high))
        if any(self.system[outer] != LINE for _, outer in moves):
            return None
        return linkage_of(moves)

    @cached_property
    def _added(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        return self.family.added(self.times)

    def copies(self, axis: int) -> Iterator[tuple[int, int]]:
        """First column (row) of the copies of each zone along an axis, and the one behind the last."""
        zones = (self.family.columns, self.family.rows)[axis]
        shift = 0
        for zone, more in zip(zones, self._added[axis], strict=True):
            yield zone.start + shift, zone.end + shift + more
            shift += more


def check_one_cycle(family: TourFamily, limits: Limits = NO_LIMITS, cells: int = MAX_CELLS) -> StrandsEvidence:
    """Check that every board of a family has one cycle, by comparing linkages.

    Checks Lemma 7 (one cycle on all boards).

    Raises
    ------
    CertificateError
        If the argument does not hold for the family, or more than `cells` have to be followed.
    Stopped
        If a limit is reached.
    """
    left, right, low, high = family.zoned
    inner = family.codes[left:right, low:high]
    if not np.isin(inner, LINES).all():
        raise CertificateError("a cell of the interior is not a line cell")
    images = [family.mirrored if mirrored else family for mirrored, line in enumerate(LINES) if (inner == line).any()]
    boards: dict[tuple[int, ...], GrownBoard] = {}
    i0, j0 = (growth.least for growth in family.growths)
    for more in range(1, MAX_GROWTH_STEPS):
        i1, j1 = i0 + more, j0 + more
        for i, j in itertools.product(range(i0, i1 + 1), range(j0, j1 + 1)):
            if (i, j) in boards or not family.has(i, j):
                continue
            limits.check()
            board = boards[i, j] = GrownBoard(family, (i, j))
            cells -= board.size[0] * board.size[1]
            if cells < 0:
                raise CertificateError("the boards of the families have too many cells to follow")
            if not board.one_cycle:
                raise CertificateError(f"a board of the family has several cycles: {board.size[0]}x{board.size[1]}")
        # at the edge of the followed rectangle of steps, each growth must be pumpable
        pumped = [((i1, j), 0) for j in range(j0, j1 + 1)] + [((i, j1), 1) for i in range(i0, i1 + 1)]
        if all(
            at in boards and all(can_pump(boards[at].view(image), image.growths[which], limits) for image in images)
            for at, which in pumped
        ):
            followed = sum(board.size[0] * board.size[1] for board in boards.values())
            return StrandsEvidence(len(boards), (i1, j1), followed)
    raise CertificateError("a growth of the family cannot be pumped")


def can_pump(board: GrownBoard, growth: Growth, limits: Limits = NO_LIMITS) -> bool:
    """Whether a growth can be pumped in the system of `LINE`: slabs with equal linkages add up to it.

    Checks Lemma 5 (pumping a slab) and Lemma 6 (lines of two directions).
    """
    p, q = sum(growth.columns), sum(growth.rows)
    # lines that a growth inserts in each regime: p columns at the bottom and top, q rows at the sides
    sizes = p, 2 * q - p, p
    if min(sizes) < 0:
        return False
    choices = []
    for regime, lines in enumerate(sizes):
        if lines:
            by_ends: dict[tuple[CutEnd, CutEnd], Slab] = {}
            for slab in slabs(board, regime, lines):
                limits.check()
                if slab.ends not in by_ends and _repeats(board, slab):
                    by_ends[slab.ends] = slab
            choices.append(list(by_ends.values()))
    return any(_adds_up(board.family, growth, chosen) for chosen in itertools.product(*choices))


def slabs(board: GrownBoard, regime: int, lines: int) -> Iterator[Slab]:
    """Slabs of a number of lines that may be inserted in a regime.

    Checks Lemma 4 (slabs are what zones repeat).
    """
    width, height = board.size
    for t in range(MAX_LINES_CROSSED, width + 2 * height - lines):
        ends = [_end(board, side, t, lines) for side in REGIMES[regime]]
        if ends[0] is not None and ends[1] is not None:
            yield Slab(t, lines, (ends[0], ends[1]))


def _end(board: GrownBoard, side: str, t: int, lines: int) -> CutEnd | None:
    """End of a cut on a side, if the lines of its slab (or of two) meet the margin only in copies of one zone."""
    family, (width, height) = board.family, board.size
    # two systems disturb each other: two copies, and a margin, are compared
    copies, within = (1, 0) if board.family.one_direction else (2, MAX_LINES_CROSSED)
    first, last = t - MAX_LINES_CROSSED, t + copies * lines + MAX_LINES_CROSSED - 1
    across, along = (family.rows, family.columns) if side in ("bottom", "top") else (family.columns, family.rows)
    depth = across[0].start if side in ("bottom", "left") else _size(family, side) - across[-1].end
    # the columns (rows) where the first line leaves the margin and the last one meets the side, or the reverse
    if side == "bottom":
        low, high = first - 2 * (depth - 1), last
    elif side == "top":
        low, high = first - 2 * (height - 1), last - 2 * (height - depth)
    elif side == "left":
        low, high = (first - depth + 1) // 2, (last + 1) // 2
    else:
        low, high = (first - width + 1) // 2, (last - width + depth + 1) // 2
    step = lines if along is family.columns else lines // 2
    for number, (begin, end) in enumerate(board.copies(0 if along is family.columns else 1)):
        fits = begin + within <= low and high < end - within
        fits = fits and (board.family.one_direction or _alike(board, side, depth, (begin, end), along[number].period))
        if fits and step % along[number].period == 0 and lines == step * (1 if along is family.columns else 2):
            return CutEnd(side, number)
    return None


def _size(family: TourFamily, side: str) -> int:
    return family.size[0] if side in ("left", "right") else family.size[1]


def _alike(board: GrownBoard, side: str, depth: int, copies: tuple[int, int], period: int) -> bool:
    """Whether the margin cells of copies of a zone, except the outermost, have repeating systems."""
    table = board.system if side in ("left", "right") else board.system.T
    margin = table[:depth] if side in ("bottom", "left") else table[-depth:]
    middle = margin[:, copies[0] + MAX_LINES_CROSSED : copies[1] - MAX_LINES_CROSSED]
    return np.array_equal(middle[:, period:], middle[:, :-period])


def _repeats(board: GrownBoard, slab: Slab) -> bool:
    """Whether the linkages with and without a slab are equal; for two systems, those of one slab and of two copies."""
    height, end = board.size[1], slab.t + slab.lines
    depth = board.family.rows[0].start
    top = board.family.size[1] - board.family.rows[-1].end

    def moved(port: CutMove) -> CutMove:
        y = port[0][1]
        horizontal = ("bottom" in _sides(slab) and y < depth) or ("top" in _sides(slab) and y >= height - top)
        dx, dy = (slab.lines, 0) if horizontal else (0, slab.lines // 2)
        return tuple((x + dx, y + dy) for x, y in port)  # type: ignore[return-value]

    if board.family.one_direction:
        before = frozenset(frozenset(moved(port) for port in pair) for pair in board.linkage(slab.t))
        return before == board.linkage(end)
    once, twice = board.linkage_of_lines(slab.t, end), board.linkage_of_lines(slab.t, end + slab.lines)
    if once is None:
        return False
    # ports at the upper cut move with it, those at the lower cut stay
    beyond = [(port, port[1][0] + 2 * port[1][1] >= end) for pair in once for port in pair]
    place = {port: moved(port) if far else port for port, far in beyond}
    return twice == frozenset(frozenset(place[port] for port in pair) for pair in once)


def _sides(slab: Slab) -> set[str]:
    return {end.side for end in slab.ends}


def _adds_up(family: TourFamily, growth: Growth, chosen: tuple[Slab, ...]) -> bool:
    """Whether slabs add to every zone, on both sides of the board, what the growth adds to it."""

    def added(zones: tuple[Zone, ...], side: str, share: int) -> tuple[int, ...]:
        return tuple(
            sum(slab.lines // share for slab in chosen for end in slab.ends if end == CutEnd(side, number))
            for number in range(len(zones))
        )

    return all(added(family.columns, side, 1) == growth.columns for side in ("bottom", "top")) and all(
        added(family.rows, side, 2) == growth.rows for side in ("left", "right")
    )


# -- how many, and on which boards -------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class FamilyCounts:
    """Turns or crossings of all boards of a family (see `proof.md`)."""

    family: TourFamily
    metric: str

    def __post_init__(self) -> None:
        if self.metric == "crossings" and not self.family.one_direction:
            raise CertificateError("strands: lines of two directions cross each other more often on larger boards")

    @cached_property
    def linear_from(self) -> tuple[int, int]:
        """I and J: the steps from which counts grow linearly."""
        steps_needed = []
        for which, growth in enumerate(self.family.growths):
            steps = [growth.least for growth in self.family.growths]
            grown = [k for k, added in enumerate(growth.columns + growth.rows) if added]
            # zones long enough that no window of crossing moves spans one
            while min(self.family.lengths(steps[0], steps[1])[k] for k in grown) < CROSSING_SPAN - 1:
                steps[which] += 1
            steps_needed.append(steps[which])
        return steps_needed[0], steps_needed[1]

    @cached_property
    def _counts(self) -> dict[tuple[int, int], int]:
        return {}

    def at(self, i: int, j: int) -> int:
        """N(i, j), counted on the board; the steps are few."""
        if (i, j) not in self._counts:
            self._counts[i, j] = count(self.family.board_codes((i, j)), self.metric)
        return self._counts[i, j]

    def rise(self, which: int, i: int, j: int) -> int:
        """Number that one more step of a growth adds."""
        return self.at(i + (which == 0), j + (which == 1)) - self.at(i, j)


def satisfies(family: TourFamily, claim: FamilyStatement) -> bool:
    """Whether all boards of a family (only squares, if the claim is about squares) satisfy a symmetry and bounds.

    Checks Lemma 9 (bounds with a slope).
    """
    if claim.symmetry and not (claim.symmetry == "rot180" and family.half_turned):
        return False
    for bound in claim.bounds:
        counts = FamilyCounts(family, bound.metric)
        i1, j1 = counts.linear_from
        i0, j0 = (growth.least for growth in family.growths)
        if claim.boards.shape == "squares":
            members = _diagonal(family, i1, j1)
            size = [family.grown(at)[0] for at in members]
            rise = counts.rise(0, i1, j1) + counts.rise(1, i1 + 1, j1)
            rises = [(rise, sum(growth.step[0] for growth in family.growths))]
        else:
            steps = itertools.product(range(i0, i1 + 1), range(j0, j1 + 1))
            members = [(i, j) for i, j in steps if family.has(i, j)]
            size = [sum(family.grown(at)) for at in members]
            first, second = (sum(growth.step) for growth in family.growths)
            rises = [(counts.rise(0, i1, j), first) for j in range(j0, j1 + 1) if family.has(i1, j)]
            rises += [(counts.rise(1, i, j1), second) for i in range(i0, i1 + 1) if family.has(i, j1)]
        if any(counts.at(*at) > bound.at(n) for at, n in zip(members, size, strict=True)):
            return False
        if any(more > bound.slope * added for more, added in rises):
            return False
    return True


def _diagonal(family: TourFamily, i1: int, j1: int) -> list[tuple[int, int]]:
    """Steps that lead to squares, up to the linear range; each further square adds one step of both growths."""
    width, height = family.size
    (a, b), (_, c) = (growth.step for growth in family.growths)
    if a != b + c or (width - height) % c:
        return []  # no step to a square, or not from square to square: `check_covered` refuses the latter
    i, ahead = family.growths[0].least, (width - height) // c
    i = max(i, family.growths[1].least - ahead)
    if max(i1, j1) + abs(ahead) > MAX_AHEAD:
        raise CertificateError("strands: the first squares of a family are too far from its seed")
    steps = []
    while i <= i1 or i + ahead <= j1:
        if family.has(i, i + ahead):
            steps.append((i, i + ahead))
        i += 1
    return steps


def check_covered(families: Sequence[TourFamily], claim: FamilyStatement) -> None:
    """Check that families cover each board of a claim, either way up.

    Checks Lemma 10 (boards served).

    Raises
    ------
    CertificateError
        Naming a board that is not.
    """
    steps = {tuple(growth.step for growth in family.growths) for family in families}
    if len(steps) != 1:
        raise CertificateError(f"strands: no family, or families with different steps, for {claim}")
    (a, b), (none, c) = steps.pop()
    modulus, least, squares = claim.boards.modulus, claim.boards.least, claim.boards.shape == "squares"
    kept = (a,) if squares else (a, b, c)
    if none or not 0 <= b <= a or c < 1 or (squares and a != b + c) or any(step % modulus for step in kept):
        raise CertificateError("strands: the steps of the families do not lead to all boards that are claimed")
    for w in range(least, least + a):
        for h in [w] if squares else range(w, w + c):
            sizes = (w,) if squares else (w, h)
            if claim.boards.includes(*sizes) and all(family.times(w, h) is None for family in families):
                raise CertificateError(f"strands: no family has the board {w}x{h} within the bounds that are claimed")


def check(data: Any, limits: Limits = NO_LIMITS) -> tuple[FamilyStatement, ...]:
    """Check the claims of a file of kind `strands`; raises the errors of `FamilyKind.check`."""
    prove = sharing(MAX_CELLS, lambda *given: check_one_cycle(*given).cells)
    shapes = ("rectangles", "squares")
    kind = FamilyKind(KIND, "families", MAX_FAMILIES, shapes, TourFamily.from_json, prove, satisfies, check_covered)
    return kind.check(data, limits)
