"""Periodic patterns of sides (regimes) with the fewest crossings in which no line closes, searched by CP-SAT.

Far from the corners of a large board with parallel lines everything repeats. A *band* is one period of a side, or of
an axis along which lines change their direction; the lines that leave it are numbered. A *regime* is a chain of
bands joined by lines: those that start at the left side of a board, say, and end at its right side. Within a regime
lines are joined to lines, again and again; if that closes, the board has as many cycles as the regime is long, and
is no tour. So wanted are bands with the fewest crossings in which every line runs on for ever.

The number of moves across a cut between a regime's two ends is even (count the ends of moves on one side of the
cut), and what the cells on one side lack of either colour has to flow through the cut: the *flux* of a band is the
number of moves that cross the cut from cells of one colour less that from the other, against the band of fewest
crossings.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from kt_models.errors import KTError
from kt_models.limits import NO_LIMITS, Limits
from kt_models.metrics.crossings import segments_cross
from theorems.growing_tours.codes import MOVES

Cell = tuple[int, int]
Move = tuple[Cell, Cell]


def crosses(a: Cell, b: Cell, c: Cell, d: Cell) -> bool:
    """Whether the open segments ab and cd cross; two different moves of a knight never overlap."""
    return segments_cross((b[0] - a[0], b[1] - a[1]), (d[0] - c[0], d[1] - c[1]), (c[0] - a[0], c[1] - a[1]))


@dataclass(frozen=True)
class Lines:
    """Parallel lines that leave a band by a move; the one through (x, y) has the number ax + by."""

    move: Cell
    number: Cell

    def of(self, cell: Cell) -> int:
        return cell[0] * self.number[0] + cell[1] * self.number[1]


@dataclass(frozen=True, eq=False)
class Band:
    """One period of a strip of cells, and the lines that leave it.

    Parameters
    ----------
    across
        The strip is where `low` <= ax + by <= `high`, for this (a, b).
    shift
        From one period to the next.
    """

    across: Cell
    low: int
    high: int
    shift: Cell
    lines: tuple[Lines, ...]

    def holds(self, cell: Cell) -> bool:
        return self.low <= cell[0] * self.across[0] + cell[1] * self.across[1] <= self.high

    def base(self, cell: Cell) -> tuple[Cell, int]:
        """The cell of the first period that looks like this one, and the period of this one."""
        along = cell[0] * self.shift[0] + cell[1] * self.shift[1]
        period = along // (self.shift[0] ** 2 + self.shift[1] ** 2)
        return (cell[0] - period * self.shift[0], cell[1] - period * self.shift[1]), period

    @cached_property
    def cells(self) -> list[Cell]:
        reach = range(-60, 61)
        return [c for c in itertools.product(reach, reach) if self.holds(c) and self.base(c)[1] == 0]

    @cached_property
    def moves(self) -> list[Move]:
        """Moves of the first period, each once."""
        found = []
        for x, y in self.cells:
            found += [((x, y), (x + u, y + v)) for u, v in MOVES if (u, v) > (0, 0) and self.holds((x + u, y + v))]
        return found

    @cached_property
    def ports(self) -> dict[Cell, int]:
        """The cells that a line leaves from, and by which of `lines`."""
        found: dict[Cell, int] = {}
        for (x, y), (k, lines) in itertools.product(self.cells, enumerate(self.lines)):
            if not self.holds((x + lines.move[0], y + lines.move[1])):
                if (x, y) in found:
                    raise KTError("a cell that two lines leave: make the band wider")
                found[x, y] = k
        return found

    def period(self, k: int) -> int:
        """By how much the numbers of lines grow in one period."""
        return self.lines[k].of(self.shift)

    @cached_property
    def index(self) -> dict[Move, int]:
        return {move: k for k, move in enumerate(self.moves)}

    def moved(self, k: int, by: Cell) -> int:
        """The move that looks like move k, moved."""
        u, v = (tuple(a + b for a, b in zip(cell, by, strict=True)) for cell in self.moves[k])
        first, period = self.base(u)  # type: ignore[arg-type]
        return self.index[first, (v[0] - period * self.shift[0], v[1] - period * self.shift[1])]

    @cached_property
    def crossings(self) -> tuple[Counter[int], Counter[tuple[int, int]]]:
        """How often a move crosses lines outside and its own translates, and how often two moves cross each other."""
        outside = []
        for (x, y), k in self.ports.items():
            u, v = self.lines[k].move
            outside += [((x + i * u, y + i * v), (x + (i + 1) * u, y + (i + 1) * v)) for i in range(3)]
        single: Counter[int] = Counter()
        pairs: Counter[tuple[int, int]] = Counter()
        every = [(move, k) for k, move in enumerate(self.moves)] + [(move, -1) for move in outside]
        for (k, (a, b)), (other, j), times in itertools.product(enumerate(self.moves), every, range(-8, 9)):
            c, d = ((x + times * self.shift[0], y + times * self.shift[1]) for x, y in other)
            near = abs(a[0] - c[0]) <= 4 and abs(a[1] - c[1]) <= 4
            if near and (j < 0 or j > k or (j == k and times > 0)) and crosses(a, b, c, d):
                if j > k:
                    pairs[k, j] += 1
                else:
                    single[k] += 1
        return single, pairs


@dataclass(frozen=True)
class Join:
    """Line n of `lines` k of one band is line `sign` * n + `offset` of those of another."""

    band: int
    lines: int
    other: int
    other_lines: int
    sign: int = 1
    offset: int = 0

    def across(self, band: int, lines: int, n: int) -> tuple[int, int, int] | None:
        if (band, lines) == (self.band, self.lines):
            return self.other, self.other_lines, self.sign * n + self.offset
        if (band, lines) == (self.other, self.other_lines):
            return self.band, self.lines, self.sign * (n - self.offset)
        return None


@dataclass(frozen=True)
class Regime:
    """Bands of one period, and how their lines are joined; without joins, lines may close."""

    bands: tuple[Band, ...]
    joins: tuple[Join, ...]

    @cached_property
    def forwards(self) -> dict[int, bool]:
        """Whether the periods of each band follow each other in the same direction as those of the first."""
        found = {0: True}
        for join in self.joins * len(self.bands):
            growths = [self.bands[k].period(n) for k, n in ((join.band, join.lines), (join.other, join.other_lines))]
            same = join.sign * growths[0] * growths[1] > 0
            if join.band in found:
                found.setdefault(join.other, found[join.band] == same)
            elif join.other in found:
                found.setdefault(join.band, found[join.other] == same)
        return found

    @property
    def parted(self) -> int:
        """How many lines run from what is before the first period in one band to what is after it in another."""

        def before(k: int, lines: int, n: int) -> bool:
            band = self.bands[k]
            for cell, port_lines in band.ports.items():
                if port_lines == lines and (n - band.lines[lines].of(cell)) % band.period(lines) == 0:
                    return ((n - band.lines[lines].of(cell)) // band.period(lines) < 0) == self.forwards[k]
            raise AssertionError("every line leaves the band somewhere")

        count = 0
        for join in self.joins:
            for n in range(-200, 200):
                other, lines, number = join.across(join.band, join.lines, n) or (0, 0, 0)
                count += before(join.band, join.lines, n) != before(other, lines, number)
        return count


def left(rows: int, depth: int) -> Band:
    """A left side with lines (2, -1), numbered x + 2y."""
    return Band((1, 0), 0, depth - 1, (0, rows), (Lines((2, -1), (1, 2)),))


def bottom(columns: int, depth: int) -> Band:
    """A bottom with lines (-2, 1), numbered x + 2y."""
    return Band((0, 1), 0, depth - 1, (columns, 0), (Lines((-2, 1), (1, 2)),))


def chevron(steps: int, width: int) -> Band:
    """The diagonal, where lines (2,1) from the left turn into lines (1,2) from below."""
    return Band((-1, 1), -width, width, (steps, steps), (Lines((-2, -1), (-1, 2)), Lines((-1, -2), (2, -1))))


def bend(steps: int, width: int) -> Band:
    """The diagonal, where lines (-2,1) from the left turn into lines (-1,2) from below."""
    return Band((-1, 1), -width, width, (steps, steps), (Lines((-2, 1), (1, 2)), Lines((1, -2), (2, 1))))


def ridge(columns: int, width: int) -> Band:
    """A row, where lines (2,1) above it turn into lines (2,-1) below."""
    return Band((0, 1), -width, width, (columns, 0), (Lines((2, 1), (-1, 2)), Lines((2, -1), (-1, -2))))


def seam(steps: int, width: int) -> Band:
    """A line along (1,3), where lines (2,1) from the left turn by a right angle into lines (-1,2) from below."""
    return Band((3, -1), 0, width - 1, (steps, 3 * steps), (Lines((-2, -1), (-1, 2)), Lines((1, -2), (2, 1))))


def turned_seam(steps: int, width: int) -> Regime:
    """A seam from the corner at the bottom left, and the two sides that meet there."""
    rows = 5 * steps // 2
    at_left = Band((1, 0), 0, 2, (0, rows), (Lines((2, 1), (-1, 2)),))
    at_bottom = Band((0, 1), 0, 2, (rows, 0), (Lines((-1, 2), (2, 1)),))
    return Regime((seam(steps, width), at_left, at_bottom), (Join(0, 0, 1, 0), Join(0, 1, 2, 0)))


@dataclass(frozen=True)
class Answer:
    """What a search came to.

    Parameters
    ----------
    status
        `optimal` (no fewer crossings), `feasible`, `infeasible` or `unknown`.
    moves
        Of each band.
    drifts
        By how many lines a line comes back to its own number modulo the period.
    flux
        Of each band, without reference to another.
    """

    status: str
    value: int | None = None
    moves: tuple[tuple[Move, ...], ...] = ()
    drifts: tuple[int, ...] = ()
    flux: tuple[int, ...] = ()


SECONDS = 60.0
"""How long a search takes where nothing limits it."""


def search(
    regime: Regime,
    *,
    at_most: int | None = None,
    flux: Sequence[int | None] = (),
    forbid: Sequence[Sequence[Sequence[Move]]] = (),
    limits: Limits = NO_LIMITS,
) -> Answer:
    """The fewest crossings per period of a regime in which no line closes.

    Parameters
    ----------
    at_most
        Ask only for a regime with at most so many crossings instead of the fewest.
    flux
        Of each band, if it is to be of a given one.
    forbid
        Answers not to be given again, as their moves.
    """
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    chosen, cost = [], []
    for k, band in enumerate(regime.bands):
        x = [model.new_bool_var("") for _ in band.moves]
        chosen.append(x)
        at: dict[Cell, list[Any]] = {cell: [] for cell in band.cells}
        for variable, (u, v) in zip(x, band.moves, strict=True):
            at[u].append(variable)
            at[band.base(v)[0]].append(variable)
        for cell, variables in at.items():
            model.add(sum(variables) == 2 - (cell in band.ports))
        single, pairs = band.crossings
        cost += [count * x[i] for i, count in single.items()]
        for (i, j), count in pairs.items():
            both = model.new_bool_var("")
            model.add_bool_or([both, ~x[i], ~x[j]])
            cost.append(count * both)
        if k < len(flux) and flux[k] is not None:
            model.add(sum(sign * x[i] for i, sign in _cut(band)) == flux[k])
    if regime.joins:
        across = sum(chosen[k][i] for k, band in enumerate(regime.bands) for i, _ in _cut(band))
        model.add(across + regime.parted == 2 * model.new_int_var(0, 1000, ""))
    for answer in forbid:
        model.add_bool_or([~chosen[k][band.index[m]] for k, band in enumerate(regime.bands) for m in answer[k]])
    if at_most is None:
        model.minimize(sum(cost))
    else:
        model.add(sum(cost) <= at_most)
    limits = limits.within(SECONDS if limits.seconds is None else None)
    while not limits.over:
        solver = cp_model.CpSolver()
        solver.parameters.num_workers, solver.parameters.max_time_in_seconds = 1, limits.left
        status = solver.solve(model)
        if status == cp_model.INFEASIBLE:
            return Answer("infeasible")
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return Answer("unknown")
        picked = [[i for i, variable in enumerate(x) if solver.value(variable)] for x in chosen]
        closed, drifts = _follow(regime, picked) if regime.joins else ([], set())
        if not closed:
            value = sum(_crossings(band, indices) for band, indices in zip(regime.bands, picked, strict=True))
            proved = at_most is None and status == cp_model.OPTIMAL
            moves = tuple(tuple(b.moves[i] for i in indices) for b, indices in zip(regime.bands, picked, strict=True))
            sums = tuple(
                sum(s for i, s in _cut(b) if i in set(indices)) for b, indices in zip(regime.bands, picked, strict=True)
            )
            return Answer("optimal" if proved else "feasible", value, moves, tuple(sorted(drifts)), sums)
        for loop in closed:
            for again in _translates(regime, loop):
                model.add_bool_or([~chosen[k][i] for k, i in again])
    return Answer("unknown")


def _crossings(band: Band, indices: list[int]) -> int:
    single, pairs = band.crossings
    has = set(indices)
    return sum(single[i] for i in indices) + sum(n for (i, j), n in pairs.items() if i in has and j in has)


def _cut(band: Band) -> Iterator[tuple[int, int]]:
    """Moves across a cut at the start of a period, one for each translate, and the colour of their cell before it."""
    for k, move in enumerate(band.moves):
        for times in range(-8, 9):
            ends = [(x + times * band.shift[0], y + times * band.shift[1]) for x, y in move]
            before = [cell for cell in ends if band.base(cell)[1] < 0]
            if len(before) == 1:
                yield k, 1 if sum(before[0]) % 2 == 0 else -1


def _follow(regime: Regime, picked: list[list[int]]) -> tuple[list[set[tuple[int, int]]], set[int]]:
    """The closed loops, as moves (band, number), and the drifts of the lines that do not close."""
    inside: dict[tuple[int, int, int], tuple[int, int, int, set[tuple[int, int]]]] = {}
    for k, (band, indices) in enumerate(zip(regime.bands, picked, strict=True)):
        beside: dict[Cell, list[tuple[int, int, Cell, int]]] = {cell: [] for cell in band.cells}
        for i in indices:
            u, v = band.moves[i]
            w, period = band.base(v)
            beside[u].append((i, 0, w, period))
            beside[w].append((i, 1, u, -period))
        for cell, lines in band.ports.items():
            at, periods, came, used = cell, 0, None, set()
            while came is None or at not in band.ports:
                i, end, to, more = next(step for step in beside[at] if step[:2] != came)
                came, at, periods = (i, 1 - end), to, periods + more
                used.add((k, i))
            out = band.ports[at]
            number = band.lines[out].of(at) + periods * band.period(out)
            inside[k, lines, band.lines[lines].of(cell) % band.period(lines)] = (
                out,
                number - band.lines[lines].of(cell),
                band.lines[lines].of(cell),
                used,
            )
    loops: list[set[tuple[int, int]]] = []
    drifts, seen = set(), set()
    for start in inside:
        if start in seen:
            continue
        (k, lines, n), moves = start, set[tuple[int, int]]()
        while True:
            seen.add((k, lines, n % regime.bands[k].period(lines)))
            out, more, _, used = inside[k, lines, n % regime.bands[k].period(lines)]
            n, lines = n + more, out
            moves |= used
            seen.add((k, lines, n % regime.bands[k].period(lines)))
            k, lines, n = next(on for join in regime.joins if (on := join.across(k, lines, n)) is not None)
            if (k, lines, n % regime.bands[k].period(lines)) == start:
                break
        if n == start[2]:
            loops.append(moves)
        else:
            drifts.add(n - start[2])
    return loops, drifts


def _translates(regime: Regime, loop: set[tuple[int, int]]) -> Iterator[frozenset[tuple[int, int]]]:
    """The loop, and where every band can be moved along by the same number of lines, what it is moved to."""
    yield frozenset(loop)
    first = regime.bands[0]
    for count in range(1, abs(first.period(0))):
        by: dict[tuple[int, int], int] = {(0, 0): count}
        shifts: dict[int, Cell] = {}
        queue = [(0, 0)]
        while queue:
            k, lines = queue.pop()
            band = regime.bands[k]
            whole = band.period(lines)
            steps = by[k, lines] * max(map(abs, band.shift))
            if steps % whole:
                break
            unit = tuple((0 if s == 0 else 1) * (steps // whole) for s in band.shift)
            shifts[k] = (unit[0], unit[1])
            for other in range(len(band.lines)):
                moved = band.lines[other].of(shifts[k])
                by[k, other] = moved
                for join in regime.joins:
                    if (to := join.across(k, other, moved)) is not None and to[:2] not in by:
                        shift = to[2] - (join.across(k, other, 0) or (0, 0, 0))[2]
                        by[to[0], to[1]] = shift
                        queue.append((to[0], to[1]))
        else:
            yield frozenset((k, regime.bands[k].moved(i, shifts[k])) for k, i in loop)
