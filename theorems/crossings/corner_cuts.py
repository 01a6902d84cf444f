"""Corner cuts: crossings that colours force around the corners.

The flux across a cut from side to side is wrong if no crossing is near the cut. Lemma 6 (what a tour pays) says why
windows add up, and Lemma 8 (windows of all cuts) which of them are enough.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from kt_models.board import Board
from kt_models.cells import Cell
from kt_models.errors import CertificateError
from kt_models.graph import MoveGraph
from kt_models.json_values import integer
from kt_models.kernel.certificates import states
from kt_models.kernel.certificates.integers import Ints
from kt_models.kernel.certificates.states import COST_BITS, LAYER_BIT, MAX_LIVE, CellStep, States
from kt_models.leaper import Leaper
from kt_models.limits import Limits
from kt_models.pairs import pair_weights
from theorems.crossings.belts import StationaryBelt

OTHER_HALF = 1 << 30
"""Stands for a step after all steps: the other half decides the move."""
# Limits on files: a state has `MAX_LIVE` bits, and the sweep about a far cut takes long.
MAX_ROWS, MAX_CUT = 8, 60
BLOCK_STATES = 100_000
"""States that take a step together: enough to keep numpy busy, few enough to bound the memory of their
continuations."""
_COSTS = np.uint64((1 << COST_BITS) - 1)


@dataclass(frozen=True)
class CornerCuts:
    """A claim that the windows about the cut `first`, and about every cut `rows` farther, have an excess."""

    rows: int
    first: int

    def added(self, side: int) -> int:
        """Sum of the excesses of all windows of a board, by its shorter side."""
        return 4 * len(self.of_side(side))

    def of_side(self, side: int) -> range:
        """Cuts of the windows at a corner of a board, by its shorter side."""
        last = (side - 1) // 2 - self.rows // 2  # Twice the highest level is less than the side
        return range(self.first, last + 1, self.rows)


def read(data: Any) -> CornerCuts:
    """Read the cuts of a file.

    Raises
    ------
    CertificateError
        If the data are malformed.
    """
    if type(data) is not dict or {*data} != {"rows", "first"}:
        raise CertificateError("crossings: 'cuts' is an object with 'rows' and 'first'")
    rows = integer(data["rows"], "rows", 4, MAX_ROWS)
    if rows % 2:
        raise CertificateError("crossings: a window has an even number of rows")
    return CornerCuts(rows, integer(data["first"], "first", 1, MAX_CUT))


def check(cuts: CornerCuts, leaper: Leaper, belt: StationaryBelt, limits: Limits) -> set[int]:
    """Check the claim about windows, on all boards where V is `belt` in the middle of each side.

    Checks Lemma 7 (windows pay).

    Returns
    -------
    set of int
        Fluxes modulo 3 that windows without an excess have.

    Raises
    ------
    CertificateError
        If the data do not show the claim.
    Stopped
        If a limit is reached.
    """
    if not (leaper.a + leaper.b) % 2:
        raise CertificateError("crossings: cuts need a leaper whose moves change the colour")
    repeats, cut, free = False, cuts.first, set[int]()
    while not repeats:
        window = CutWindow(leaper, cuts.rows, cut)
        if window.lowest <= max(belt.first, window.view):
            raise CertificateError(f"crossings: the cut {cut} is too near to the corner")
        if cut > MAX_CUT:
            raise CertificateError(f"crossings: the states about the cut {cut} do not repeat")
        reached, repeats = fluxes(window, belt, limits)
        if window.wanted in reached:
            raise CertificateError(f"crossings: the window about the cut {cut} may have no excess")
        free |= reached
        cut += cuts.rows
    return free


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
        """Most columns that a step looks away."""
        return 2 * self.leaper.b - 1

    @cached_property
    def graph(self) -> MoveGraph:
        """Graph of the moves near the corner."""
        # Room for everything that a step at the window may see
        side = self.highest + 2 * self.view
        return MoveGraph.of(Board.box(side, side), self.leaper)

    @cached_property
    def ends(self) -> list[tuple[Cell, Cell]]:
        """Cells of each move."""
        graph = self.graph
        assert graph.board is not None
        return [((a, b), (c, d)) for (a, b), (c, d) in graph.board.cells[graph.ends].tolist()]

    @cached_property
    def moves(self) -> dict[Cell, list[int]]:
        """Moves at each cell."""
        at_cell: dict[Cell, list[int]] = {}
        for e, cells in enumerate(self.ends):
            for cell in cells:
                at_cell.setdefault(cell, []).append(e)
        return at_cell

    @cached_property
    def crossing(self) -> dict[int, list[int]]:
        """Moves that cross each move."""
        crossed_by: dict[int, list[int]] = {}
        for e, f, _ in pair_weights(self.graph, "crossings").canonical():
            crossed_by.setdefault(e, []).append(f)
            crossed_by.setdefault(f, []).append(e)
        return crossed_by

    def at_side(self, e: int) -> bool:
        """Whether a move has an end at a side."""
        return min(map(min, self.ends[e])) == 0

    def owns(self, e: int, f: int) -> bool:
        """Whether the crossing of two moves belongs to the window rather than to the belt."""
        level = sum(max(cell) for g in (e, f) for cell in self.ends[g])
        return 4 * self.lowest <= level < 4 * self.highest and not (self.at_side(e) and self.at_side(f))

    def flux(self, e: int) -> int:
        """Contribution of a move to the flux modulo 3, if the corner is white."""
        inside = [sum(cell) for cell in self.ends[e] if max(cell) < self.cut]
        # Colours count 1 and 2 modulo 3, so a difference of colours becomes a flux
        return (1, 2)[inside[0] % 2] if len(inside) == 1 else 0

    @property
    def wanted(self) -> int:
        """Flux of 2-factors modulo 3."""
        return 2 * (self.cut % 2)


class HalfStates(NamedTuple):
    """A swept half: the moves of its states, the states, and whether they repeat before the corner."""

    live: list[int]
    words: States
    repeats: bool


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
        Whether the lap goes towards the corner there. This half contains the cells between both halves, too.
    """

    window: CutWindow
    belt: StationaryBelt
    towards: bool

    def place(self, along: int, deep: int) -> Cell:
        """A cell by its distances from the corner and from the side: the halves are those at x = 0 and at y = 0."""
        return (deep, along) if self.towards else (along, deep)

    @cached_property
    def names(self) -> list[list[int]]:
        """Moves of the states of the belt, in order: before the window, behind one of its columns, and so on."""
        window, sign = self.window, -1 if self.towards else 1
        number_of = {frozenset(cells): e for e, cells in enumerate(window.ends)}
        before = window.highest if self.towards else window.lowest - 1
        return [
            [
                number_of[frozenset(self.place(before + sign * (done + a), d) for a, d in name)]
                for name in self.belt.names
            ]
            for done in range(window.rows + 1)
        ]

    @cached_property
    def columns(self) -> list[list[Cell]]:
        """Cells column by column, as seen from the side; the belt comes first, in the order of the lap."""
        low, high = self.window.lowest, self.window.highest
        along = range(high - 1, low - 1, -1) if self.towards else range(low, high)
        columns = [[self.place(y, x) for y in range(high, low - 1, -1)] for x in range(1, low)]
        corner = [(x, y) for x in range(low, high + 1) for y in range(low, high + 1)] if self.towards else []
        # By diagonals, which keeps few moves open between the halves
        corner.sort(key=lambda cell: (cell[0] - cell[1], cell[0]))
        return [[self.place(y, 0) for y in along], *columns, corner]

    @cached_property
    def cells(self) -> list[Cell]:
        """All cells in order."""
        return [cell for column in self.columns for cell in column]

    @cached_property
    def others(self) -> set[int]:
        """Moves that the other half decides, too."""
        rest = WindowHalf(self.window, self.belt, not self.towards)
        return {e for cell in rest.cells for e in self.window.moves[cell]}

    @cached_property
    def decided(self) -> dict[int, int]:
        """Step at which each move is decided; -1 before the window, `OTHER_HALF` if only the other half decides it."""
        steps = dict.fromkeys(self.names[0], -1)
        for i, cell in enumerate(self.cells):
            for e in self.window.moves[cell]:
                steps.setdefault(e, i)
        return steps | {e: OTHER_HALF for e in self.others if e not in steps}

    def counts(self, e: int, f: int) -> bool:
        """Whether this half pays for a crossing, through the belt in the window or through the window itself."""
        window = self.window
        if window.at_side(e) and window.at_side(f):
            return self.decided[e] < window.rows and self.decided[f] < window.rows
        return window.owns(e, f)

    @cached_property
    def until(self) -> dict[int, int]:
        """First step after which each move is not needed: by its other cell, for a crossing, or for V."""
        window, decided = self.window, self.decided
        last_step = {e: i for i, cell in enumerate(self.cells) for e in window.moves[cell]}
        last_step = {e: OTHER_HALF if e in self.others else last_step.get(e, -1) for e in decided}
        for e, first in decided.items():
            for f in window.crossing.get(e, ()):
                if last_step[e] < decided.get(f, -1) and first < decided[f] and self.counts(e, f):
                    last_step[e] = decided[f]
        for done, names in enumerate(self.names):
            for e in names:
                last_step[e] = max(last_step[e], done)
        return last_step

    def step(self, i: int, live: list[int]) -> tuple[CellStep, list[int]]:
        """The step at a cell, and the moves of the states after it."""
        window, decided = self.window, self.decided
        at = {e: k for k, e in enumerate(live)}
        moves = window.moves[self.cells[i]]
        new = [e for e in moves if decided[e] == i]
        crossed = [{f for f in window.crossing.get(e, ()) if (f in at or f in new) and self.counts(e, f)} for e in new]
        needed = {e for e in (*live, *new) if self.until[e] > i}
        stay, enter = [e for e in live if e in needed], [e for e in new if e in needed]
        if len(stay) + len(enter) > MAX_LIVE:
            raise CertificateError(f"crossings: a window has more than {MAX_LIVE} moves to remember")
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
        """V of states behind a number of columns of the belt."""
        # The belt's states are sorted, so bisection finds the value of each
        key = packed(words, live, self.names[done])
        known = self.belt.front.states >> np.uint64(COST_BITS)
        place = np.minimum(np.searchsorted(known, key), len(known) - 1)
        if not (known[place] == key).all():
            raise CertificateError("crossings: a state of the belt is not one of V")
        return (self.belt.front.states[place] & _COSTS).astype(np.int64)

    def sweep(self, limits: Limits) -> HalfStates:
        """States without excess where this half meets the other one.

        Raises
        ------
        CertificateError
            If a step has too many states.
        Stopped
            If a limit is reached.
        """
        window, rows = self.window, self.window.rows
        live, i = self.names[0], 0
        # Start from every state of the belt, without its cost
        words = self.belt.front.states & ~_COSTS
        for k, e in enumerate(live):
            chosen = (words >> np.uint64(COST_BITS + k)) & np.uint64(1)
            words = states.charged(words, chosen * np.uint64(window.flux(e)))
        seen: list[tuple[list[frozenset[Cell]], bytes]] = []
        repeats = False
        for x, column in enumerate(self.columns):
            for _ in column:
                if i < rows:
                    words = words + self.value(words, live, i).astype(np.uint64)
                step, live = self.step(i, live)
                i += 1
                words = states.least_costs(self.following(words, step, live, i, limits))
            moved = [frozenset(self.seen_from(x, cell) for cell in window.ends[e]) for e in live]
            seen.append((moved, sha256(words.tobytes()).digest()))
            inner = x - 1 > window.leaper.b and x + window.view < window.lowest
            repeats = repeats or (inner and seen[-1] == seen[-3])
        return HalfStates(live, words, repeats)

    def following(self, words: States, step: CellStep, live: list[int], done: int, limits: Limits) -> Iterator[States]:
        """Continuations of states without excess, with cost 0."""
        for start in range(0, len(words), BLOCK_STATES):
            for part in step.apply(words[start : start + BLOCK_STATES], limits)[0]:
                excess = (part & _COSTS).astype(np.int64)
                if done <= self.window.rows:
                    excess -= self.value(part, live, done) + self.belt.more
                yield part[excess == 0] & ~_COSTS

    def seen_from(self, column: int, cell: Cell) -> Cell:
        """A cell relative to a column at its cut."""
        along, deep = (cell[1], cell[0]) if self.towards else cell
        return along - self.window.cut, deep - column


def packed(words: States, live: list[int], moves: list[int]) -> States:
    """Bits of some live moves in each state, the first move in the lowest bit."""
    place = {e: COST_BITS + k for k, e in enumerate(live)}
    bits = (((words >> np.uint64(place[e])) & np.uint64(1)) << np.uint64(k) for k, e in enumerate(moves))
    return sum(bits, np.zeros(len(words), dtype=np.uint64))


def fluxes(window: CutWindow, belt: StationaryBelt, limits: Limits) -> tuple[set[int], bool]:
    """Fluxes modulo 3 of states without excess, and whether both halves repeat.

    Raises
    ------
    CertificateError
        If a step has too many states.
    Stopped
        If a limit is reached.
    """
    first, second = (WindowHalf(window, belt, towards) for towards in (True, False))
    a, b = first.sweep(limits), second.sweep(limits)
    # Moves that both halves decide must agree
    shared = sorted(first.others & second.others)
    own_a, own_b = ([e for e in ended.live if e not in shared] for ended in (a, b))
    crossed = [[f in window.crossing.get(e, ()) and window.owns(e, f) for f in own_b] for e in own_a]
    over = np.array(crossed, dtype=np.int64).reshape(len(own_a), len(own_b))
    groups_a, groups_b = _grouped(a, shared, own_a), _grouped(b, shared, own_b)
    reached: set[int] = set()
    for key in groups_a.keys() & groups_b.keys():
        limits.check()
        (bits_a, flux_a), (bits_b, flux_b) = groups_a[key], groups_b[key]
        # No move of one half crosses a move of the other
        free = bits_a @ over @ bits_b.T == 0
        reached.update(np.unique(((flux_a[:, None] + flux_b[None, :]) % 3)[free]).tolist())
    return reached, a.repeats and b.repeats


def _grouped(ended: HalfStates, shared: list[int], own_moves: list[int]) -> dict[int, tuple[Ints, Ints]]:
    """States grouped by the shared moves: the remaining moves of each state, and its flux."""
    keys = packed(ended.words, ended.live, shared)
    order = np.argsort(keys, kind="stable")
    chosen = [packed(ended.words, ended.live, [e]) for e in own_moves]
    has = np.array(chosen, dtype=np.int64).reshape(len(own_moves), len(keys)).T[order]
    keys, flux = keys[order], (ended.words[order] >> np.uint64(LAYER_BIT)).astype(np.int64)
    starts = np.flatnonzero(np.r_[True, keys[1:] != keys[:-1]][: len(keys)]).tolist()
    parts = [slice(*ends) for ends in pairwise([*starts, len(keys)])]
    return {int(keys[part.start]): (has[part], flux[part]) for part in parts}
