"""Tours of rectangles of all sizes with few turns or crossings: one cycle, how many of each, and all boards served.

Lemma 3 (cuts of one direction) has cuts and linkages, Lemma 4 (slabs are what zones repeat) what is inserted, and
Lemma 8 (windows of turns and crossings) why the counts grow evenly.
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

ACROSS = 5
"""Over how many lines a move goes at most."""
WINDOW = 5
"""How many columns (rows) two moves that cross have at most."""
MOST = 16
"""How many steps of a growth are tried before pumping is given up."""
MAX_FAMILIES, MAX_CELLS = 100, 20_000_000
"""Of one file; cells that are followed."""
MAX_AHEAD = 40
"""How many steps of one growth more than of the other lead to a square, at most."""


@dataclass(frozen=True)
class End:
    """Where a cut ends: on which side, and among the copies of which zone."""

    side: str
    zone: int


@dataclass(frozen=True)
class Slab:
    """`lines` lines from cut `t` on, between two ends."""

    t: int
    lines: int
    ends: tuple[End, End]


@dataclass(frozen=True)
class StrandsEvidence:
    """What a check has shown, every board having one cycle: boards followed, most steps of each growth, cells."""

    followed: int
    times: tuple[int, ...]
    cells: int


REGIMES = (("bottom", "left"), ("right", "left"), ("right", "top"))


@dataclass(frozen=True, eq=False)
class Grown:
    """A board of a family, with one cycle, and its copies of zones."""

    family: TourFamily
    times: tuple[int, ...]
    strays: int = LINE

    @cached_property
    def size(self) -> tuple[int, int]:
        return self.family.grown(self.times)

    def view(self, family: TourFamily) -> Grown:
        """The board of this family, or of its image in a mirror, with the same two systems."""
        return self if family is self.family else Grown(family, self.times, LINES[1])

    @cached_property
    def order(self) -> Ints:
        """Cells of the cycle through the bottom left one, shape (k, 2)."""
        return checked_cycle(self.family.board_codes(self.times))

    @property
    def one_cycle(self) -> bool:
        return len(self.order) == self.size[0] * self.size[1]

    @cached_property
    def lines(self) -> Ints:
        """The number of the line of each cell of the cycle."""
        return self.order @ np.array([1, 2])

    @cached_property
    def systems(self) -> Ints:
        """The system of each cell of the cycle, as the code of its runs."""
        left, right, low, high = self.family.zoned
        (x, y), (width, height) = self.order.T, self.size
        runs = (left - tables.REACH <= x) & (x < right + width - self.family.size[0])
        runs &= (low <= y) & (y < high + height - self.family.size[1])
        codes = self.family.codes_at(self.times, self.order).astype(np.int64)
        for line in LINES:
            along = codes == line
            middle = along & np.roll(along, 1) & np.roll(along, -1)
            runs |= middle | np.roll(middle, 1) | np.roll(middle, -1)
        places = np.flatnonzero(runs)
        if not len(places):
            return np.full(len(x), self.strays)
        behind = np.searchsorted(places, np.arange(len(x)), side="right") - 1  # -1, the last run, before the first one
        ahead = np.searchsorted(places, np.arange(len(x))) % len(places)
        before, after = codes[places[behind]], codes[places[ahead]]
        return np.where(before == after, before, self.strays)

    @cached_property
    def system(self) -> Ints:
        """The systems by x and y."""
        table = np.empty(self.size, dtype=np.int64)
        table[tuple(self.order.T)] = self.systems
        return table

    def linkage(self, t: int) -> Linkage:
        """Which moves across a cut are joined below it, of one system; each as the cell below and the other."""
        return linkage_of(moves_across(self.order, self.lines < t))

    def linkage_of_lines(self, low: int, high: int) -> Linkage | None:
        """Which moves out of the lines from `low` on and before `high`, of the system of `LINE`, are joined inside.

        Each as its cell inside and the other one; None if there are others than those across the two cuts.
        """
        moves = moves_across(self.order, (self.systems == LINE) & (low <= self.lines) & (self.lines < high))
        if any(self.system[outer] != LINE for _, outer in moves):
            return None
        return linkage_of(moves)

    @cached_property
    def _added(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        return self.family.added(self.times)

    def copies(self, axis: int) -> Iterator[tuple[int, int]]:
        """Of the copies of each zone of an axis: the first column (row), and the one after them."""
        zones = (self.family.columns, self.family.rows)[axis]
        shift = 0
        for zone, more in zip(zones, self._added[axis], strict=True):
            yield zone.start + shift, zone.end + shift + more
            shift += more


def check_one_cycle(family: TourFamily, limits: Limits = NO_LIMITS, cells: int = MAX_CELLS) -> StrandsEvidence:
    """Check that every board of a family has one cycle, by the argument of this module.

    Checks Lemma 7 (one cycle on all boards).

    Raises
    ------
    CertificateError
        If the argument does not hold for the family, or more than `cells` have to be followed.
    Stopped
        If the limits do not suffice.
    """
    left, right, low, high = family.zoned
    inner = family.codes[left:right, low:high]
    if not np.isin(inner, LINES).all():
        raise CertificateError("a cell of the interior is not a line cell")
    images = [family.mirrored if mirrored else family for mirrored, line in enumerate(LINES) if (inner == line).any()]
    boards: dict[tuple[int, ...], Grown] = {}
    i0, j0 = (growth.least for growth in family.growths)
    for more in range(1, MOST):
        i1, j1 = i0 + more, j0 + more
        for i, j in itertools.product(range(i0, i1 + 1), range(j0, j1 + 1)):
            if (i, j) in boards or not family.has(i, j):
                continue
            limits.check()
            board = boards[i, j] = Grown(family, (i, j))
            cells -= board.size[0] * board.size[1]
            if cells < 0:
                raise CertificateError("the boards of the families are too large to be followed")
            if not board.one_cycle:
                raise CertificateError(f"a board of the family has several cycles: {board.size[0]}x{board.size[1]}")
        pumped = [((i1, j), 0) for j in range(j0, j1 + 1)] + [((i, j1), 1) for i in range(i0, i1 + 1)]
        if all(
            at in boards and all(pumps(boards[at].view(image), image.growths[which], limits) for image in images)
            for at, which in pumped
        ):
            followed = sum(board.size[0] * board.size[1] for board in boards.values())
            return StrandsEvidence(len(boards), (i1, j1), followed)
    raise CertificateError("a growth of the family cannot be pumped")


def pumps(board: Grown, growth: Growth, limits: Limits = NO_LIMITS) -> bool:
    """Whether a growth can be pumped, in the system of `LINE`: there are slabs whose linkages agree and make it up.

    Checks Lemma 5 (pumping a slab) and Lemma 6 (lines of two directions).
    """
    p, q = sum(growth.columns), sum(growth.rows)
    sizes = p, 2 * q - p, p
    if min(sizes) < 0:
        return False
    choices = []
    for regime, lines in enumerate(sizes):
        if lines:
            found: dict[tuple[End, End], Slab] = {}
            for slab in slabs(board, regime, lines):
                limits.check()
                if slab.ends not in found and _repeats(board, slab):
                    found[slab.ends] = slab
            choices.append(list(found.values()))
    return any(_adds_up(board.family, growth, chosen) for chosen in itertools.product(*choices))


def slabs(board: Grown, regime: int, lines: int) -> Iterator[Slab]:
    """The slabs of so many lines that may be inserted in a regime.

    Checks Lemma 4 (slabs are what zones repeat).
    """
    width, height = board.size
    for t in range(ACROSS, width + 2 * height - lines):
        ends = [_end(board, side, t, lines) for side in REGIMES[regime]]
        if ends[0] is not None and ends[1] is not None:
            yield Slab(t, lines, (ends[0], ends[1]))


def _end(board: Grown, side: str, t: int, lines: int) -> End | None:
    """The end of a cut on a side, if the lines about its slab (or two) meet the margin in copies of one zone alone."""
    family, (width, height) = board.family, board.size
    copies, within = (1, 0) if board.family.one_direction else (2, ACROSS)
    first, last = t - ACROSS, t + copies * lines + ACROSS - 1
    across, along = (family.rows, family.columns) if side in ("bottom", "top") else (family.columns, family.rows)
    depth = across[0].start if side in ("bottom", "left") else _size(family, side) - across[-1].end
    # the columns (rows) at which the first line leaves the margin and the last one meets the side, or the reverse
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
            return End(side, number)
    return None


def _size(family: TourFamily, side: str) -> int:
    return family.size[0] if side in ("left", "right") else family.size[1]


def _alike(board: Grown, side: str, depth: int, copies: tuple[int, int], period: int) -> bool:
    """Whether the margin cells of copies of a zone, but for the outermost, have systems that repeat."""
    table = board.system if side in ("left", "right") else board.system.T
    margin = table[:depth] if side in ("bottom", "left") else table[-depth:]
    own = margin[:, copies[0] + ACROSS : copies[1] - ACROSS]
    return np.array_equal(own[:, period:], own[:, :-period])


def _repeats(board: Grown, slab: Slab) -> bool:
    """Whether the linkages below a slab and with it are the same; of two systems, that of a slab and of two copies."""
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
    beyond = [(port, port[1][0] + 2 * port[1][1] >= end) for pair in once for port in pair]
    place = {port: moved(port) if far else port for port, far in beyond}
    return twice == frozenset(frozenset(place[port] for port in pair) for pair in once)


def _sides(slab: Slab) -> set[str]:
    return {end.side for end in slab.ends}


def _adds_up(family: TourFamily, growth: Growth, chosen: tuple[Slab, ...]) -> bool:
    """Whether slabs add to every zone, on both sides of the board, what the growth adds to it."""

    def added(zones: tuple[Zone, ...], side: str, share: int) -> tuple[int, ...]:
        return tuple(
            sum(slab.lines // share for slab in chosen for end in slab.ends if end == End(side, number))
            for number in range(len(zones))
        )

    return all(added(family.columns, side, 1) == growth.columns for side in ("bottom", "top")) and all(
        added(family.rows, side, 2) == growth.rows for side in ("left", "right")
    )


# -- how many, and on which boards -------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class FamilyCounts:
    """The turns or crossings of all boards of a family (see `proof.md`)."""

    family: TourFamily
    metric: str

    def __post_init__(self) -> None:
        if self.metric == "crossings" and not self.family.one_direction:
            raise CertificateError("strands: lines of two directions cross each other more often on larger boards")

    @cached_property
    def settled(self) -> tuple[int, int]:
        """I and J."""
        found = []
        for which, growth in enumerate(self.family.growths):
            steps = [growth.least for growth in self.family.growths]
            grown = [k for k, added in enumerate(growth.columns + growth.rows) if added]
            while min(self.family.lengths(steps[0], steps[1])[k] for k in grown) < WINDOW - 1:
                steps[which] += 1
            found.append(steps[which])
        return found[0], found[1]

    @cached_property
    def _counts(self) -> dict[tuple[int, int], int]:
        return {}

    def at(self, i: int, j: int) -> int:
        """N(i, j), counted on the board; the number of steps is small."""
        if (i, j) not in self._counts:
            self._counts[i, j] = count(self.family.board_codes((i, j)), self.metric)
        return self._counts[i, j]

    def rise(self, which: int, i: int, j: int) -> int:
        """What a further step of one growth adds."""
        return self.at(i + (which == 0), j + (which == 1)) - self.at(i, j)


def keeps(family: TourFamily, claim: FamilyStatement) -> bool:
    """Whether all boards of a family keep a symmetry and the bounds of a claim; all squares, if it is about squares.

    Checks Lemma 9 (bounds with a slope).
    """
    if claim.symmetry and not (claim.symmetry == "rot180" and family.half_turned):
        return False
    for bound in claim.bounds:
        counts = FamilyCounts(family, bound.metric)
        i1, j1 = counts.settled
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
    """Steps that lead to squares, until both numbers are settled; from there on each adds one to both."""
    width, height = family.size
    (a, b), (_, c) = (growth.step for growth in family.growths)
    if a != b + c or (width - height) % c:
        return []  # no step to a square, or not from square to square: `serves` refuses the latter
    i, ahead = family.growths[0].least, (width - height) // c
    i = max(i, family.growths[1].least - ahead)
    if max(i1, j1) + abs(ahead) > MAX_AHEAD:
        raise CertificateError("strands: the first squares of a family are too far from its seed")
    found = []
    while i <= i1 or i + ahead <= j1:
        if family.has(i, i + ahead):
            found.append((i, i + ahead))
        i += 1
    return found


def serves(families: Sequence[TourFamily], claim: FamilyStatement) -> None:
    """Check that each board of a claim, this way or turned over, is in one of some families.

    Checks Lemma 10 (boards served).

    Raises
    ------
    CertificateError
        Naming a board that is not.
    """
    steps = {tuple(growth.step for growth in family.growths) for family in families}
    if len(steps) != 1:
        raise CertificateError(f"strands: no family, or families that grow by different steps, for {claim}")
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
    """Check the claims of a file of kind `strands`; errors are those of `FamilyKind.check`."""
    prove = sharing(MAX_CELLS, lambda *given: check_one_cycle(*given).cells)
    shapes = ("rectangles", "squares")
    kind = FamilyKind(KIND, "families", MAX_FAMILIES, shapes, TourFamily.from_json, prove, keeps, serves)
    return kind.check(data, limits)
