"""Why every board of a family has one cycle: a finite check, by pumping.

Number the lines of the interior, which run in direction (-2, 1), by c = x + 2y; the number of a cell is that of its
line.  A *line cell* has the moves (2, -1) and (-2, 1), and stays on its line.  Let the first zones of columns and rows
begin at column a and row b of the seed.  The *margins* of a board are its first a columns, its first b rows, and as
many columns and rows at the other ends as the seed has behind its last zones; the rectangle left is the *interior*.  It
is checked that all its cells are line cells.  So the tour is made of moves among margin cells, and of runs along lines
through the interior, each of which joins two margin cells on one line.  How long the runs are does not matter.

*Cuts.*  A cut at t parts the cells below, c < t, from those above.  No run crosses it: only moves among margin cells
do, at two places, the *ends* of the cut.  As t grows, the ends move along the bottom and the left side (while t < w),
along the left and the right (w < t < 2h), along the right and the top (2h < t): three *regimes*.  The *linkage* below
t says which of the moves across the cut are joined by the tour below it.

*Slabs.*  A growth adds p columns and q rows.  It inserts *slabs*, each of s consecutive lines: at a cut t of each
regime, the cells from t on move away, by s columns (s/2 rows) at an end of the cut on a horizontal (vertical) side,
and the cells that fill the gap carry what those carry that moved away from it.  There s is p in the first
and in the third regime and 2q - p in the second, as follows from what the four sides grow by.  That repeating zones
does just this is so if the lines from t - 5 to t + s + 4 meet the margins, at either end, only in columns (rows) that
are copies of one zone, s (s/2) is a multiple of its period, and the slabs whose cuts end in a zone on a side add up to
what the growth adds to the zone: within the copies everything repeats, so that the place at which some are inserted
does not matter.  (5 is how far a move can go across lines.  It also keeps the cuts away from the two corners at which
the margins on both sides of a cut meet.)  The ends of a run through the interior move by the same number of lines, and
nothing comes to lie between them.  All this is as true once more copies have been inserted.

*Pumping.*  Let a cut at t be such that the linkages below t and below t + s are the same, the moves across the one cut
being those across the other moved by a slab.  With the slab inserted, the tour consists of what was below t + s and
of what was above t.  The former joins the latter as what was below t did: so there is one cycle again.  The linkages
below t and t + s are still what they were, and those below all cuts farther up are, as what lies below t + s in them
does the same as what lay below t.  So the slabs of a growth can be inserted one after the other, and again and again.

*The check.*  With growths g and h, let D(i, j) be the board with i times g and j times h, from (i0, j0) on, where there
is one.  For some I and J: D(i, j) has one cycle for i0 <= i <= I and j0 <= j <= J (followed cell by cell); there is
D(I, j) for each such j, and g can be pumped in it; there is D(i, J) for each such i, and h can be pumped in it.  Then
every D(i, j) has one cycle.  For i <= I that has been seen, or is so by pumping h in D(i, J).  For i > I it is so by
pumping g in D(I, j) if j <= J; otherwise h has been pumped in D(I, J) first, which leaves it true that g can be pumped.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from heuristics.strands.family import LINE, Family, Growth, Ints, Zone
from heuristics.strands.walk import cycle_order
from kt_models.errors import CertificateError

ACROSS = 5
"""Over how many lines a move goes at most."""
MOST = 16
"""How many steps of a growth are tried before pumping is given up."""

Cell = tuple[int, int]
Port = tuple[Cell, Cell]
Linkage = frozenset[frozenset[Port]]


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
class Shown:
    """What a check has shown: every board of the family has one cycle.

    Parameters
    ----------
    followed
        How many boards were followed cell by cell.
    times
        The greatest number of steps of each growth among them.
    """

    followed: int
    times: tuple[int, ...]


REGIMES = (("bottom", "left"), ("right", "left"), ("right", "top"))


@dataclass(frozen=True, eq=False)
class Grown:
    """A board of a family, with one cycle, and its copies of zones."""

    family: Family
    times: tuple[int, ...]

    @cached_property
    def size(self) -> tuple[int, int]:
        return self.family.grown(self.times)

    @cached_property
    def order(self) -> Ints:
        """Cells of the cycle through the bottom left one, shape (k, 2)."""
        flat = cycle_order(self.family, self.times).astype(np.int64)
        return np.stack(np.divmod(flat, self.size[1]), axis=1)

    @property
    def one_cycle(self) -> bool:
        return len(self.order) == self.size[0] * self.size[1]

    @cached_property
    def lines(self) -> Ints:
        """The number of the line of each cell of the cycle."""
        return self.order @ np.array([1, 2])

    def linkage(self, t: int) -> Linkage:
        """Which moves across a cut are joined below it; each as the cell below and the cell above."""
        below = self.lines < t
        crossing = np.flatnonzero(below != np.roll(below, -1))
        following = np.roll(self.order, -1, axis=0)
        first = int(np.argmax(below[crossing])) if len(crossing) else 0  # this one leads out: arcs begin at the next
        crossing = np.roll(crossing, -first - 1)
        ports: list[Port] = []
        for step in crossing.tolist():
            cells = tuple(self.order[step].tolist()), tuple(following[step].tolist())
            ports.append(cells if below[step] else cells[::-1])
        return frozenset(frozenset(pair) for pair in zip(ports[::2], ports[1::2], strict=True))

    def copies(self, axis: int) -> Iterator[tuple[int, int]]:
        """Of the copies of each zone of an axis: the first column (row), and the one after them."""
        zones = (self.family.columns, self.family.rows)[axis]
        shift = 0
        for zone, more in zip(zones, self.family.added(self.times)[axis], strict=True):
            yield zone.start + shift, zone.end + shift + more
            shift += more


def check_strands(family: Family) -> Shown:
    """Check that every board of a family has one cycle, by the argument of this module.

    Raises
    ------
    CertificateError
        If the argument does not hold for the family.
    """
    _check_interior(family)
    least = tuple(growth.least for growth in family.growths)
    for more in range(1, MOST):
        most = tuple(k + more for k in least)
        steps = list(itertools.product(*(range(a, b + 1) for a, b in zip(least, most, strict=True))))
        boards = {times: Grown(family, times) for times in steps if family.times(*family.grown(times)) == times}
        for board in boards.values():
            if not board.one_cycle:
                raise CertificateError(f"a board of the family has several cycles: {board.size[0]}x{board.size[1]}")
        pumped = [(times, i) for times in steps for i in range(len(least)) if times[i] == most[i]]
        if all(times in boards and pumps(boards[times], family.growths[i]) for times, i in pumped):
            return Shown(len(boards), most)
    raise CertificateError("a growth of the family cannot be pumped")


def _check_interior(family: Family) -> None:
    left, right, low, high = family.zoned
    if not (family.codes[left:right, low:high] == LINE).all():
        raise CertificateError("a cell of the interior is not a line cell")


def pumps(board: Grown, growth: Growth) -> bool:
    """Whether a growth can be pumped in a board: there are slabs whose linkages agree and that make up the growth."""
    p, q = sum(growth.columns), sum(growth.rows)
    sizes = p, 2 * q - p, p
    if min(sizes) < 0:
        return False
    choices = []
    for regime, lines in enumerate(sizes):
        if lines:
            found: dict[tuple[End, End], Slab] = {}
            for slab in slabs(board, regime, lines):
                if slab.ends not in found and _same_below(board, slab):
                    found[slab.ends] = slab
            choices.append(list(found.values()))
    return any(_adds_up(board.family, growth, chosen) for chosen in itertools.product(*choices))


def slabs(board: Grown, regime: int, lines: int) -> Iterator[Slab]:
    """The slabs of so many lines that may be inserted in a regime."""
    width, height = board.size
    for t in range(ACROSS, width + 2 * height - lines):
        ends = [_end(board, side, t, lines) for side in REGIMES[regime]]
        if ends[0] is not None and ends[1] is not None:
            yield Slab(t, lines, (ends[0], ends[1]))


def _end(board: Grown, side: str, t: int, lines: int) -> End | None:
    """The end of a cut on a side, if the lines about it meet the margin in copies of one zone alone."""
    family, (width, height) = board.family, board.size
    first, last = t - ACROSS, t + lines + ACROSS - 1
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
        fits = begin <= low and high < end
        if fits and step % along[number].period == 0 and lines == step * (1 if along is family.columns else 2):
            return End(side, number)
    return None


def _size(family: Family, side: str) -> int:
    return family.size[0] if side in ("left", "right") else family.size[1]


def _same_below(board: Grown, slab: Slab) -> bool:
    """Whether the linkages below a slab and with it are the same."""
    height = board.size[1]
    depth = board.family.rows[0].start
    top = board.family.size[1] - board.family.rows[-1].end

    def moved(port: Port) -> Port:
        y = port[0][1]
        horizontal = ("bottom" in _sides(slab) and y < depth) or ("top" in _sides(slab) and y >= height - top)
        dx, dy = (slab.lines, 0) if horizontal else (0, slab.lines // 2)
        return tuple((x + dx, y + dy) for x, y in port)  # type: ignore[return-value]

    before = frozenset(frozenset(moved(port) for port in pair) for pair in board.linkage(slab.t))
    return before == board.linkage(slab.t + slab.lines)


def _sides(slab: Slab) -> set[str]:
    return {end.side for end in slab.ends}


def _adds_up(family: Family, growth: Growth, chosen: tuple[Slab, ...]) -> bool:
    """Whether slabs add to every zone, on both sides of the board, what the growth adds to it."""

    def added(zones: tuple[Zone, ...], side: str, share: int) -> tuple[int, ...]:
        return tuple(
            sum(slab.lines // share for slab in chosen for end in slab.ends if end == End(side, number))
            for number in range(len(zones))
        )

    return all(added(family.columns, side, 1) == growth.columns for side in ("bottom", "top")) and all(
        added(family.rows, side, 2) == growth.rows for side in ("left", "right")
    )
