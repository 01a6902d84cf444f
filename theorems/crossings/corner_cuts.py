"""Crossings that colour forces around the corners: a cut from side to side that no crossing is near has a wrong flux.

Lemma 6 (what a tour pays) says why windows add up, and Lemma 8 (windows of all cuts) which of them are enough.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from kt_models.board import Board
from kt_models.cells import Cell
from kt_models.certificates import states
from kt_models.certificates.integers import Ints
from kt_models.certificates.states import COST_BITS, LAYER_BIT, MAX_LIVE, CellStep, States
from kt_models.errors import CertificateError
from kt_models.graph import MoveGraph
from kt_models.leaper import Leaper
from kt_models.limits import Limits
from kt_models.pairs import pair_weights
from kt_models.reading import integer
from theorems.crossings.belts import SteadyBelt

NEVER = 1 << 30
"""When the other half decides."""
MAX_ROWS, MAX_CUT = 8, 60
AT_ONCE = 100_000
"""States that take a step together."""
_COSTS = np.uint64((1 << COST_BITS) - 1)


@dataclass(frozen=True)
class CornerCuts:
    """What is claimed: the windows about the cut `first`, and about each cut `rows` farther, have an excess."""

    rows: int
    first: int

    def added(self, side: int) -> int:
        """What all windows of a board add whose lesser side has so many cells."""
        last = (side - 1) // 2 - self.rows // 2  # the highest level, doubled, is less than the side
        return 4 * max(0, (last - self.first) // self.rows + 1)


def read(data: Any) -> CornerCuts:
    """The object of a file.

    Raises
    ------
    CertificateError
        If it is none.
    """
    if type(data) is not dict or {*data} != {"rows", "first"}:
        raise CertificateError("crossings: 'cuts' is an object with 'rows' and 'first'")
    rows = integer(data["rows"], "rows", 4, MAX_ROWS)
    if rows % 2:
        raise CertificateError("crossings: a window has an even number of rows")
    return CornerCuts(rows, integer(data["first"], "first", 1, MAX_CUT))


def check(cuts: CornerCuts, leaper: Leaper, belt: SteadyBelt, limits: Limits) -> None:
    """Check what is claimed of windows, on all boards where V is this in the middle of each side.

    Checks Lemma 7 (windows pay).

    Raises
    ------
    CertificateError
        If it is not shown.
    Stopped
        If the limits do not suffice.
    """
    if not (leaper.a + leaper.b) % 2:
        raise CertificateError("crossings: the colours of cells are for leapers whose moves change them")
    settled, cut = False, cuts.first
    while not settled:
        window = CutWindow(leaper, cuts.rows, cut)
        if window.lowest <= max(belt.first, window.view):
            raise CertificateError(f"crossings: the cut {cut} is too near to the corner")
        if cut > MAX_CUT:
            raise CertificateError(f"crossings: the states about the cut {cut} are not seen to repeat")
        found, settled = fluxes(window, belt, limits)
        if window.wanted in found:
            raise CertificateError(f"crossings: the window about the cut {cut} may have no excess")
        cut += cuts.rows


@dataclass(frozen=True, eq=False)
class CutWindow:
    """The window about a cut, at the corner of a board with room for it."""

    leaper: Leaper
    rows: int
    cut: int

    @property
    def lowest(self) -> int:
        """The lowest level."""
        return self.cut - self.rows // 2

    @property
    def highest(self) -> int:
        """The highest level."""
        return self.lowest + self.rows

    @property
    def view(self) -> int:
        """How many columns away a step looks."""
        return 2 * self.leaper.b - 1

    @cached_property
    def graph(self) -> MoveGraph:
        """The moves near the corner."""
        side = self.highest + 2 * self.view
        return MoveGraph.of(Board.box(side, side), self.leaper)

    @cached_property
    def ends(self) -> list[tuple[Cell, Cell]]:
        """The cells of each move."""
        graph = self.graph
        assert graph.board is not None
        return [((a, b), (c, d)) for (a, b), (c, d) in graph.board.cells[graph.ends].tolist()]

    @cached_property
    def moves(self) -> dict[Cell, list[int]]:
        """The moves at each cell."""
        found: dict[Cell, list[int]] = {}
        for e, cells in enumerate(self.ends):
            for cell in cells:
                found.setdefault(cell, []).append(e)
        return found

    @cached_property
    def crossing(self) -> dict[int, list[int]]:
        """The moves that cross a move."""
        found: dict[int, list[int]] = {}
        for e, f, _ in pair_weights(self.graph, "crossings").canonical():
            found.setdefault(e, []).append(f)
            found.setdefault(f, []).append(e)
        return found

    def at_side(self, e: int) -> bool:
        """Whether a move has an end at a side."""
        return min(map(min, self.ends[e])) == 0

    def owns(self, e: int, f: int) -> bool:
        """Whether the crossing of two moves belongs to the window, and not to the belt."""
        level = sum(max(cell) for g in (e, f) for cell in self.ends[g])
        return 4 * self.lowest <= level < 4 * self.highest and not (self.at_side(e) and self.at_side(f))

    def flux(self, e: int) -> int:
        """What a move adds to the flux modulo 3, if the corner is white."""
        inside = [sum(cell) for cell in self.ends[e] if max(cell) < self.cut]
        return (1, 2)[inside[0] % 2] if len(inside) == 1 else 0

    @property
    def wanted(self) -> int:
        """The flux of 2-factors modulo 3."""
        return 2 * (self.cut % 2)


class HalfStates(NamedTuple):
    """A half that was swept: the moves of its states, and these; whether they were seen to repeat before the corner."""

    live: list[int]
    words: States
    settled: bool


@dataclass(frozen=True, eq=False)
class WindowHalf:
    """The part of a window at one side.

    Parameters
    ----------
    window
        The window.
    belt
        V in the middle of a side.
    towards
        Whether the lap goes towards the corner there.  This half has the cells between both, too.
    """

    window: CutWindow
    belt: SteadyBelt
    towards: bool

    def place(self, along: int, deep: int) -> Cell:
        """A cell by its distances from the corner and from the side: the halves are those at x = 0 and at y = 0."""
        return (deep, along) if self.towards else (along, deep)

    @cached_property
    def names(self) -> list[list[int]]:
        """The moves of the states of the belt, in their order: before the window, after one of its columns, ..."""
        window, sign = self.window, -1 if self.towards else 1
        found = {frozenset(cells): e for e, cells in enumerate(window.ends)}
        before = window.highest if self.towards else window.lowest - 1
        return [
            [found[frozenset(self.place(before + sign * (done + a), d) for a, d in name)] for name in self.belt.names]
            for done in range(window.rows + 1)
        ]

    @cached_property
    def columns(self) -> list[list[Cell]]:
        """The cells column by column, as seen from the side; the belt first, in the order of the lap."""
        low, high = self.window.lowest, self.window.highest
        along = range(high - 1, low - 1, -1) if self.towards else range(low, high)
        columns = [[self.place(y, x) for y in range(high, low - 1, -1)] for x in range(1, low)]
        corner = [(x, y) for x in range(low, high + 1) for y in range(low, high + 1)] if self.towards else []
        corner.sort(key=lambda cell: (cell[0] - cell[1], cell[0]))
        return [[self.place(y, 0) for y in along], *columns, corner]

    @cached_property
    def cells(self) -> list[Cell]:
        """All cells in order."""
        return [cell for column in self.columns for cell in column]

    @cached_property
    def others(self) -> set[int]:
        """The moves that the other half decides, too."""
        rest = WindowHalf(self.window, self.belt, not self.towards)
        return {e for cell in rest.cells for e in self.window.moves[cell]}

    @cached_property
    def decided(self) -> dict[int, int]:
        """The step at which a move is decided; -1 before the window, `NEVER` by the other half alone."""
        found = dict.fromkeys(self.names[0], -1)
        for i, cell in enumerate(self.cells):
            for e in self.window.moves[cell]:
                found.setdefault(e, i)
        return found | {e: NEVER for e in self.others if e not in found}

    def counts(self, e: int, f: int) -> bool:
        """Whether a crossing is paid for here: by the belt in the window, or by the window itself."""
        window = self.window
        if window.at_side(e) and window.at_side(f):
            return self.decided[e] < window.rows and self.decided[f] < window.rows
        return window.owns(e, f)

    @cached_property
    def until(self) -> dict[int, int]:
        """The first step after which a move is not needed: by its other cell, for a crossing, or for V."""
        window, decided = self.window, self.decided
        found = {e: i for i, cell in enumerate(self.cells) for e in window.moves[cell]}
        found = {e: NEVER if e in self.others else found.get(e, -1) for e in decided}
        for e, first in decided.items():
            for f in window.crossing.get(e, ()):
                if found[e] < decided.get(f, -1) and first < decided[f] and self.counts(e, f):
                    found[e] = decided[f]
        for done, names in enumerate(self.names):
            for e in names:
                found[e] = max(found[e], done)
        return found

    def step(self, i: int, live: list[int]) -> tuple[CellStep, list[int]]:
        """What happens at a cell, and the moves of the states after it."""
        window, decided = self.window, self.decided
        at = {e: k for k, e in enumerate(live)}
        moves = window.moves[self.cells[i]]
        new = [e for e in moves if decided[e] == i]
        crossed = [{f for f in window.crossing.get(e, ()) if (f in at or f in new) and self.counts(e, f)} for e in new]
        needed = {e for e in (*live, *new) if self.until[e] > i}
        stay, enter = [e for e in live if e in needed], [e for e in new if e in needed]
        if len(stay) + len(enter) > MAX_LIVE:
            raise CertificateError(f"crossings: more than {MAX_LIVE} moves of a window are to be remembered")
        step = CellStep(
            2,
            0,
            tuple(at[e] for e in moves if e in at),
            (0,) * len(new),
            (False,) * len(new),
            tuple(tuple((at[f], 1) for f in sorted(over) if f in at) for over in crossed),
            tuple((k, m, 1) for m, over in enumerate(crossed) for k in range(m) if new[k] in over),
            tuple(at[e] for e in stay),
            tuple(e in needed for e in new),
            tuple(window.flux(e) if self.towards or e not in self.others else 0 for e in new),
        )
        return step, stay + enter

    def value(self, words: States, live: list[int], done: int) -> Ints:
        """V of states after so many columns of the belt."""
        key = packed(words, live, self.names[done])
        known = self.belt.front.states >> np.uint64(COST_BITS)
        place = np.minimum(np.searchsorted(known, key), len(known) - 1)
        if not (known[place] == key).all():
            raise CertificateError("crossings: a state of the belt is not one of V")
        return (self.belt.front.states[place] & _COSTS).astype(np.int64)

    def sweep(self, limits: Limits) -> HalfStates:
        """The states without excess where it meets the other half.

        Raises
        ------
        CertificateError
            If a step has too many states.
        Stopped
            If the limits do not suffice.
        """
        window, rows = self.window, self.window.rows
        live, i = self.names[0], 0
        words = self.belt.front.states & ~_COSTS
        for k, e in enumerate(live):
            chosen = (words >> np.uint64(COST_BITS + k)) & np.uint64(1)
            words = states.charged(words, chosen * np.uint64(window.flux(e)))
        seen: list[tuple[list[frozenset[Cell]], bytes]] = []
        settled = False
        for x, column in enumerate(self.columns):
            for _ in column:
                if i < rows:
                    words = words + self.value(words, live, i).astype(np.uint64)
                step, live = self.step(i, live)
                i += 1
                words = states.least_costs(list(self.following(words, step, live, i, limits)))
            moved = [frozenset(self.seen_from(x, cell) for cell in window.ends[e]) for e in live]
            seen.append((moved, words.tobytes()))
            inner = x - 1 > window.leaper.b and x + window.view < window.lowest
            settled = settled or (inner and seen[-1] == seen[-3])
        return HalfStates(live, words, settled)

    def following(self, words: States, step: CellStep, live: list[int], done: int, limits: Limits) -> Iterator[States]:
        """The continuations of states that have no excess, with cost 0."""
        for start in range(0, len(words), AT_ONCE):
            for part in step.apply(words[start : start + AT_ONCE], limits)[0]:
                excess = (part & _COSTS).astype(np.int64)
                if done <= self.window.rows:
                    excess -= self.value(part, live, done) + self.belt.more
                yield part[excess == 0] & ~_COSTS

    def seen_from(self, column: int, cell: Cell) -> Cell:
        """A cell as it lies from a column at its cut."""
        along, deep = (cell[1], cell[0]) if self.towards else cell
        return along - self.window.cut, deep - column


def packed(words: States, live: list[int], moves: list[int]) -> States:
    """Which of some live moves states have, the first one in the lowest bit."""
    place = {e: COST_BITS + k for k, e in enumerate(live)}
    bits = (((words >> np.uint64(place[e])) & np.uint64(1)) << np.uint64(k) for k, e in enumerate(moves))
    return sum(bits, np.zeros(len(words), dtype=np.uint64))


def fluxes(window: CutWindow, belt: SteadyBelt, limits: Limits) -> tuple[set[int], bool]:
    """The fluxes modulo 3 of states without excess; and whether both halves were seen to repeat.

    Raises
    ------
    CertificateError
        If a step has too many states.
    Stopped
        If the limits do not suffice.
    """
    here, there = (WindowHalf(window, belt, towards) for towards in (True, False))
    a, b = here.sweep(limits), there.sweep(limits)
    shared = sorted(here.others & there.others)
    own_a, own_b = ([e for e in ended.live if e not in shared] for ended in (a, b))
    crossed = [[f in window.crossing.get(e, ()) and window.owns(e, f) for f in own_b] for e in own_a]
    over = np.array(crossed, dtype=np.int64).reshape(len(own_a), len(own_b))
    groups_a, groups_b = _grouped(a, shared, own_a), _grouped(b, shared, own_b)
    found: set[int] = set()
    for key in groups_a.keys() & groups_b.keys():
        limits.check()
        (bits_a, flux_a), (bits_b, flux_b) = groups_a[key], groups_b[key]
        free = bits_a @ over @ bits_b.T == 0
        found.update(np.unique(((flux_a[:, None] + flux_b[None, :]) % 3)[free]).tolist())
    return found, a.settled and b.settled


def _grouped(ended: HalfStates, shared: list[int], own: list[int]) -> dict[int, tuple[Ints, Ints]]:
    """States by what they say of the shared moves: which of their own moves they have, and their fluxes."""
    keys = packed(ended.words, ended.live, shared)
    order = np.argsort(keys, kind="stable")
    chosen = [packed(ended.words, ended.live, [e]) for e in own]
    has = np.array(chosen, dtype=np.int64).reshape(len(own), len(keys)).T[order]
    keys, flux = keys[order], (ended.words[order] >> np.uint64(LAYER_BIT)).astype(np.int64)
    starts = np.flatnonzero(np.r_[True, keys[1:] != keys[:-1]][: len(keys)]).tolist()
    parts = [slice(*ends) for ends in pairwise([*starts, len(keys)])]
    return {int(keys[part.start]): (has[part], flux[part]) for part in parts}
