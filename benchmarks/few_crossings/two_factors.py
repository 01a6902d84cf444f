"""The fewest crossings of any 2-factor of a rectangle: a sweep that drops what cannot become cheap.

The sweep takes the cells row by row, decides the moves up from each, and pays for a crossing with the later of its two
moves.  A state says how many moves each cell ahead has, and which moves may still be crossed.  It is dropped if its
cost and a lower bound of the rest come to more than a cap.  If there is no room for the others, those where they come
to most are dropped as well, and the least of these sums is what can be proved.

*Bands.*  The bounds come from bands of columns, each swept alone.  A band asks for the degrees of its own cells, other
cells may have up to two moves, and only moves that touch it count.  A crossing that two bands see is shared between
them.  So the costs of all bands add up to those of the board.  What a state of the board knows of a band is a state of
the band, and the least that the band pays from there on is found backwards.

*Prices.*  A band alone saves at a cut, where another band would have to pay.  So a move across a cut costs a price in
the band on its left, and brings as much in the other: in all nothing changes.  A price is raised where a cheapest
solution of the left band has a move that one of the right band lacks, and lowered the other way round (subgradient
steps).  Any prices give true bounds, good ones nearly close the gap.

*Halves.*  A 2-factor or its image upside down pays no more in its lower half than in the upper one.  Only these are
looked for, so twice what the lower half pays is another lower bound, a better one where there are most states.  A
crossing belongs to the half where it is, or to both in equal parts.  A move across the middle may have a price for the
lower half too, if its image upside down brings as much.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from benchmarks.few_crossings.regimes import crosses
from kt_models.errors import TooLarge
from kt_models.jit import kernel

UP = ((-2, 1), (-1, 2), (1, 2), (2, 1))
UNIT = 16
"""What a crossing costs: prices, and shares of crossings, are integers as well."""
EMPTY = np.uint64(0xFFFFFFFFFFFFFFFF)
"""No state has it: no cell has three moves."""
FAR = 15_000
"""More than any sum that is looked at: neither caps nor all prices together come to more than half of it."""
ROUNDS, STRIDE, SHORTER, INERTIA = 60, 6.0, 0.97, 0.6
"""Subgradient steps: how many, how long the first is, how much shorter each next one is, what is kept of the last."""
FEW, ROOM = 50_000, 20_000_000
"""States that are kept after a cell, for a first 2-factor and for a proof; each takes some hundred bytes."""
END = 4
"""Most columns of the bands at the sides; those between have two, but for one."""

Words = npt.NDArray[np.uint64]
Ints = npt.NDArray[np.int64]
Values = npt.NDArray[np.int16]
States = tuple[Words, Values]
"""A hash table: rows of two words (degrees of cells ahead; moves that may be crossed), and a value of each."""


class Fewest(NamedTuple):
    """The fewest crossings that were found, a lower bound, and how many states there were at most after a cell."""

    value: int | None
    bound: int
    peak: int


class Tables(NamedTuple):
    """What the kernels know of a band or of the board, by cell and by move up from it."""

    own: Words  # the mask of the slot of a cell, and its shift
    far: Words  # of a move the mask of the far cell's slot, its shift, and bits of other moves that lead there
    chosen: Words  # what a move adds to the two words
    paid: Words  # bits of moves that share with it a quarter of a crossing, a half, or all
    price: Ints
    ends: Words  # of a move that is no longer crossed its bit, and what it adds to the first word
    counts: Ints  # of a cell its moves up, its rows of `ends`, and whether it asks for two moves


TABLES = (
    "NamedTuple((uint64[:, ::1], uint64[:, :, ::1], uint64[:, :, ::1], uint64[:, :, ::1], int64[:, ::1], "
    "uint64[:, :, ::1], int64[:, ::1]), Tables)"
)
STATES = "uint64[:, ::1], int16[::1]"
bare_kernel = kernel("", counts=False)


@bare_kernel
def _ones(x: Any) -> Any:
    x = x - ((x >> np.uint64(1)) & np.uint64(0x5555555555555555))
    x = (x & np.uint64(0x3333333333333333)) + ((x >> np.uint64(2)) & np.uint64(0x3333333333333333))
    x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((x * np.uint64(0x0101010101010101)) >> np.uint64(56))


@bare_kernel
def _place(keys: Words, first: int, size: int, low: Any, high: Any) -> Any:
    """Where a state is, or would be, in the table that begins at a row and has so many, a power of two."""
    x = (low * np.uint64(0x9E3779B97F4A7C15)) ^ (high * np.uint64(0xC2B2AE3D27D4EB4F))
    x = (x ^ (x >> np.uint64(32))) * np.uint64(0x9E3779B97F4A7C15)
    at = np.int64(x >> np.uint64(29)) & (size - 1)
    while keys[first + at, 0] != EMPTY and (keys[first + at, 0] != low or keys[first + at, 1] != high):
        at = (at + 1) & (size - 1)
    return first + at


@kernel(f"Tuple(({STATES}))({STATES}, int64)")
def _table(keys: Words, values: Values, size: int) -> States:
    """The same states in a table of so many rows."""
    found, worth = np.full((size, 2), EMPTY, dtype=np.uint64), np.empty(size, dtype=np.int16)
    for a in range(len(keys)):
        if keys[a, 0] != EMPTY:
            at = _place(found, 0, size, keys[a, 0], keys[a, 1])
            found[at, 0], found[at, 1], worth[at] = keys[a, 0], keys[a, 1], values[a]
    return found, worth


@kernel(f"int64({TABLES}, int64, uint64, uint64, uint64[:, ::1], int64[:, ::1])", counts=False)
def _children(tables: Tables, t: int, low: Any, high: Any, keys: Words, costs: Ints) -> int:
    """The states after cell t, each with its cost and the moves chosen; how many there are."""
    least, most, full, number = 0, 2, 0, 0  # moves chosen at least and at most, cells with two moves
    if tables.counts[t, 2]:
        least = most = 2 - np.int64((low & tables.own[t, 0]) >> tables.own[t, 1])  # type: ignore[assignment]
        low &= ~tables.own[t, 0]
    for k in range(tables.counts[t, 0]):
        degree = np.int64((low & tables.far[t, k, 0]) >> tables.far[t, k, 1]) + _ones(high & tables.far[t, k, 2])
        full |= (degree == 2) << k
    for some in range(1 << tables.counts[t, 0]):
        size = (some & 1) + (some >> 1 & 1) + (some >> 2 & 1) + (some >> 3)
        if some & full or size < least or size > most:
            continue
        cost, degrees, bits = 0, low, high
        for k in range(tables.counts[t, 0]):
            if some >> k & 1:
                cost += tables.price[t, k]
                for share in range(3):
                    cost += _ones(high & tables.paid[t, k, share]) * (UNIT >> (2 - share))
                degrees += tables.chosen[t, k, 0]
                bits += tables.chosen[t, k, 1]
        for k in range(tables.counts[t, 1]):
            if bits & tables.ends[t, k, 0]:
                bits &= ~tables.ends[t, k, 0]
                degrees += tables.ends[t, k, 1]
        keys[number, 0], keys[number, 1], costs[number, 0], costs[number, 1] = degrees, bits, cost, some
        number += 1
    return number


@kernel(
    f"Tuple(({STATES}, int16[::1], int64))({TABLES}, int64, {STATES}, int64, {STATES}, uint64[:, ::1], int64[:, ::1])"
)
def _step(
    tables: Tables, t: int, keys: Words, values: Values, cap: int, rest: Words, least: Values, masks: Words, of: Ints
) -> tuple[Words, Values, Values, int]:
    """The states after cell t, what a solution with them costs at least if that is within the cap, and how many.

    The tables of the bounds follow each other in `rest` and `least`.  `masks` has what each knows of a state, and `of`
    where it begins, how long it is, and whether it is of the lower half; then the last one is.
    """
    found, worth = np.full((1024, 2), EMPTY, dtype=np.uint64), np.empty(1024, dtype=np.int16)
    after, costs, number = np.empty((16, 2), dtype=np.uint64), np.empty((16, 2), dtype=np.int64), 0
    bounds = worth.copy()
    for a in range(len(keys)):
        if keys[a, 0] == EMPTY:
            continue
        for b in range(_children(tables, t, keys[a, 0], keys[a, 1], after, costs)):
            cost, low, high = values[a] + costs[b, 0], after[b, 0], after[b, 1]
            whole, half = cost, cost
            for r in range(len(of)):
                at = _place(rest, of[r, 0], of[r, 1], low & masks[r, 0], high & masks[r, 1])
                more = FAR if rest[at, 0] == EMPTY else least[at]
                if of[r, 2]:
                    half += more
                else:
                    whole += more
                if more == FAR:
                    break
            bound = max(whole, 2 * half) if len(of) and of[-1, 2] else whole
            if bound > cap:
                continue
            at = _place(found, 0, len(found), low, high)
            if found[at, 0] != EMPTY and worth[at] <= cost:
                continue
            number += found[at, 0] == EMPTY
            found[at, 0], found[at, 1], worth[at], bounds[at] = low, high, cost, bound
            if 5 * number > 3 * len(found):
                bounds = _table(found, bounds, 2 * len(found))[1]
                found, worth = _table(found, worth, 2 * len(found))
    return found, worth, bounds, number


@kernel(f"Tuple(({STATES}))({TABLES}, int64, {STATES}, {STATES})")
def _back(tables: Tables, t: int, keys: Words, values: Values, rest: Words, least: Values) -> States:
    """What is paid from cell t on at least, of the states before it from which there is a way on."""
    kept, worth = keys.copy(), values.copy()
    after, costs = np.empty((16, 2), dtype=np.uint64), np.empty((16, 2), dtype=np.int64)
    for a in range(len(keys)):
        if keys[a, 0] == EMPTY:
            continue
        best = FAR
        for b in range(_children(tables, t, keys[a, 0], keys[a, 1], after, costs)):
            at = _place(rest, 0, len(rest), after[b, 0], after[b, 1])
            if rest[at, 0] != EMPTY:
                best = min(best, least[at] + costs[b, 0])
        worth[a] = best
        if best == FAR:
            kept[a, 0] = EMPTY
    return _table(kept, worth, len(keys))


@kernel(f"Tuple((uint64, uint64, int64))({TABLES}, int64, uint64, uint64, {STATES})")
def _choice(tables: Tables, t: int, low: Any, high: Any, rest: Words, least: Values) -> tuple[Any, Any, int]:
    """A cheapest way on from a state: the one after it, and the moves chosen."""
    best, way, after, costs = FAR, 0, np.empty((16, 2), dtype=np.uint64), np.empty((16, 2), dtype=np.int64)
    for b in range(_children(tables, t, low, high, after, costs)):
        at = _place(rest, 0, len(rest), after[b, 0], after[b, 1])
        if rest[at, 0] != EMPTY and least[at] + costs[b, 0] < best:
            best, way = least[at] + costs[b, 0], b
    return after[way, 0], after[way, 1], costs[way, 1]


START: States = (np.full((1, 2), 0, dtype=np.uint64), np.zeros(1, dtype=np.int16))
NO_BOUNDS = (*START, np.zeros((0, 2), dtype=np.uint64), np.zeros((0, 3), dtype=np.int64))


class Board:
    """A board, its columns cut into bands, with prices.

    Cells are numbered row by row, moves in the order in which they are decided.

    Attributes
    ----------
    moves
        Near cell and far cell of each.
    partners
        Of each move the earlier ones that cross it, and how many quarters of the crossing the lower half pays.
    last
        Of each move the last cell from which a move leads up that crosses it.
    across, middle
        Prices by move: across a cut, and across the middle (a multiple of 2).
    """

    def __init__(self, width: int, height: int, widths: Sequence[int]) -> None:
        self.width, self.height, self.cells, self.widths = width, height, width * height, widths
        ends = [
            ((x, y), (x + dx, y + dy))
            for y in range(height)
            for x in range(width)
            for dx, dy in UP
            if 0 <= x + dx < width and y + dy < height
        ]
        self.moves = [(ay * width + ax, by * width + bx) for (ax, ay), (bx, by) in ends]
        band = np.repeat(np.arange(len(widths)), widths)
        self.band = np.tile(band, height)
        self.bands = [sorted({int(band[x]) for x, _ in move}) for move in ends]
        self.partners: list[list[tuple[int, int]]] = [[] for _ in ends]
        self.last = [near for near, _ in self.moves]
        for j, late in enumerate(ends):
            for i in range(max(0, j - 8 * width), j):  # no move from three rows below crosses it
                if crosses(*ends[i], *late):
                    above = sum(y for _, y in (*ends[i], *late)) - 2 * (height - 1)
                    self.partners[j].append((i, 2 - 2 * int(np.sign(above))))
                    self.last[i] = self.moves[j][0]
        self.reached = list(range(self.cells))  # from where on the slot of a cell may tell of a move
        for (_, far), last in zip(self.moves, self.last, strict=True):
            self.reached[far] = min(self.reached[far], last)
        self.slots = max(cell - reached for cell, reached in enumerate(self.reached)) + 1
        busy, self.bit = list[int](), list[int]()
        for (near, _), last in zip(self.moves, self.last, strict=True):
            place = next((k for k, until in enumerate(busy) if until < near), len(busy))
            if last > near:
                busy[place : place + 1] = [last]
            self.bit.append(1 << place if last > near else 0)
        if max(len(busy), 2 * self.slots) > 64:
            raise TooLarge("a state does not fit into two words")
        self.across, self.middle = np.zeros((2, len(ends)), dtype=np.int64)

    @cached_property
    def images(self) -> Ints:
        """Of each move those seen in a mirror, and upside down."""
        index = {move: i for i, move in enumerate(self.moves)}
        w, n = self.width, self.cells
        mirrored = [[c + w - 1 - 2 * (c % w) for c in move] for move in self.moves]
        turned = [[n - w - c + 2 * (c % w) for c in move] for move in self.moves]
        return np.array([[index[min(m), max(m)] for m in images] for images in (mirrored, turned)])

    def masks(self, band: int) -> Words:
        """What a band knows of a state, by number of cells taken."""
        masks = np.zeros((self.cells + 1, 2), dtype=np.uint64)
        for (near, _), last, bit, bands in zip(self.moves, self.last, self.bit, self.bands, strict=True):
            if band in bands:
                masks[near + 1 : last + 1, 1] |= np.uint64(bit)
        for cell in np.flatnonzero(self.band == band).tolist():
            masks[self.reached[cell] + 1 : cell + 1, 0] |= np.uint64(3 << 2 * (cell % self.slots))
        return masks

    def tables(self, band: int = -1, half: bool = False) -> Tables:
        """Of a band, or of the whole board; with all that is paid, or what is paid in the lower half."""
        n = self.cells
        own, far, chosen, paid, ends = (np.zeros((n, *k), np.uint64) for k in ((2,), (4, 3), (4, 2), (4, 3), (12, 2)))
        price, counts = np.zeros((n, 4), dtype=np.int64), np.zeros((n, 3), dtype=np.int64)
        into: list[list[int]] = [[] for _ in range(n)]
        for i, (_, b) in enumerate(self.moves):
            into[b].append(i)
        asked = [band in (-1, its) for its in self.band.tolist()]
        shift = [2 * (cell % self.slots) for cell in range(n)]
        for cell in range(n):
            own[cell] = 3 << shift[cell] if self.reached[cell] < cell else 0, shift[cell]
            counts[cell, 2] = asked[cell]
        for i, (a, b) in enumerate(self.moves):
            if band >= 0 and band not in self.bands[i]:
                continue
            k, one = counts[a, 0], asked[b] << shift[b]
            others = sum(self.bit[j] for j in into[b] if self.moves[j][0] < a <= self.last[j]) if asked[b] else 0
            far[a, k] = 3 * one if self.reached[b] < a else 0, shift[b], others
            chosen[a, k] = 0 if self.bit[i] else one, self.bit[i]
            if band >= 0:
                price[a, k] = self._price(i, band, half)
            for j, quarters in self.partners[i]:
                shared = 1 if band < 0 else len({*self.bands[i]} & {*self.bands[j]})
                weight = (quarters if half else 4) // max(shared, 1)
                if weight and (band < 0 or band in self.bands[j]):
                    paid[a, k, weight.bit_length() - 1] |= np.uint64(self.bit[j])
            counts[a, 0] += 1
            if self.bit[i]:
                ends[self.last[i], counts[self.last[i], 1]] = self.bit[i], one
                counts[self.last[i], 1] += 1
        return Tables(own, far, chosen, paid, price, ends, counts)

    def _price(self, move: int, band: int, half: bool) -> int:
        bands, upside_down = self.bands[move], self.images[1][move]
        own = self.middle[move] // len(bands) if half else 0
        cut = self.across[move] + (0 if half else self.across[upside_down])
        return int(own + (0 if len(bands) == 1 else cut if band == bands[0] else -cut))

    def rest(self, band: int, half: bool) -> list[States]:
        """What a band still pays at least, by number of cells taken."""
        tables, steps = self.tables(band, half), self.height // 2 * self.width if half else self.cells
        if np.abs(tables.price).sum() > FAR // 2:
            raise TooLarge("the prices come to too much")
        layers: list[States] = [_table(*START, 16)]
        for t in range(steps):
            layers.append(_step(tables, t, *layers[-1], FAR, *NO_BOUNDS)[:2])
        keys, values = layers[-1]
        layers[-1] = keys, np.zeros_like(values)
        for t in reversed(range(steps)):
            layers[t] = _back(tables, t, *layers[t], *layers[t + 1])
        return layers

    def trace(self, band: int, rest: list[States]) -> Ints:
        """The moves of a cheapest solution of the lower half of a band, as zeros and ones."""
        tables, found = self.tables(band, True), np.zeros(len(self.moves), dtype=np.int64)
        up: list[list[int]] = [[] for _ in range(self.cells)]
        for i, (near, _) in enumerate(self.moves):
            if band in self.bands[i]:
                up[near].append(i)
        low = high = np.uint64(0)
        for t in range(len(rest) - 1):
            low, high, chosen = _choice(tables, t, np.uint64(low), np.uint64(high), *rest[t + 1])
            found[[i for k, i in enumerate(up[t]) if chosen >> k & 1]] = 1
        return found

    def learn(self, rounds: int = ROUNDS) -> Iterator[float]:
        """Set prices for which the bands together pay much in the lower half; after each round a lower bound."""
        mirrored, upside_down = self.images
        rows, moves, bands = np.array(self.moves) // self.width, np.arange(len(self.moves)), len(self.widths)
        in_middle = (rows[:, 0] < self.height // 2) & (rows[:, 1] >= (self.height + 1) // 2)
        left, right = np.array([(its[0], its[-1]) for its in self.bands]).T
        across, middle, pull, pull_middle = np.zeros((4, len(moves)))
        best, kept = -FAR, (self.across, self.middle)
        for k in range(rounds):
            self.across, self.middle = np.rint(across).astype(np.int64), 2 * np.rint(middle / 2).astype(np.int64)
            total, has = 0, np.zeros((bands, len(moves)))
            for band in range((bands + 1) // 2):  # the others are their images in a mirror
                rest = self.rest(band, True)
                has[band] = self.trace(band, rest)
                has[bands - 1 - band] = has[band][mirrored]
                total += least_of(rest[0]) * (1 if 2 * band + 1 == bands else 2)
            if total > best:
                best, kept = total, (self.across, self.middle)
            yield 2 * best / UNIT
            way = has[left, moves] - has[right, moves]
            pull = INERTIA * pull + (way - way[mirrored]) / 2
            way = in_middle * (has[left, moves] + has[right, moves]) / 2
            way -= way[upside_down]
            pull_middle = INERTIA * pull_middle + (way + way[mirrored]) / 2
            stride = STRIDE * SHORTER**k
            across, middle = across + stride * pull, middle + stride * pull_middle
        self.across, self.middle = kept

    def fewest(self, at_most: int = FAR // 2 // UNIT, room: int = ROOM) -> Fewest:
        """The fewest crossings of a 2-factor with no more than that.

        Parameters
        ----------
        room
            Most states after a cell: others are dropped, those with the largest bounds.
        """
        bands, bound, peak = range(len(self.widths)), at_most + 1, 0
        bounds = [(self.masks(band), self.rest(band, half), half) for half in (False, True) for band in bands]
        tables, states = self.tables(), _table(*START, 16)
        for t in range(self.cells):
            if t == (self.height // 2 - 2) * self.width:  # until here the lower half pays all, and nothing has a price
                bounds = [(masks, rest, half) for masks, rest, half in bounds if not half]
            known = [(masks[t + 1], *rest[t + 1], half) for masks, rest, half in bounds]
            masks, keys, values, halves = zip(*known, strict=True)
            sizes = np.array([len(table) for table in keys])
            of = np.stack([np.cumsum(sizes) - sizes, sizes, halves], axis=1)
            rest = np.concatenate(keys), np.concatenate(values)
            *states, least, number = _step(tables, t, *states, UNIT * at_most, *rest, np.array(masks), of)
            peak = max(peak, number)
            if number > room:
                there = states[0][:, 0] != EMPTY
                dear = int(np.partition(least[there], room)[room])
                bound = min(bound, -(-dear // UNIT))
                states[0][least >= dear] = EMPTY
                states = _table(*states, 1 << (2 * room).bit_length())
            if not number:
                return Fewest(None, bound, peak)
        found = least_of(states) // UNIT
        return Fewest(found, min(found, bound), peak)


def least_of(states: States) -> int:
    """The least value."""
    return int(states[1][states[0][:, 0] != EMPTY].min())


def widths_of(width: int) -> list[int]:
    """The bands of a board so wide."""
    end = min(END, width // 2)
    pairs, odd = divmod(width - 2 * end, 4)
    return [end, *[2] * pairs, *[odd] * (odd > 0), *[2] * pairs, end]


def show_fewest(width: int, height: int) -> None:
    """The fewest crossings of a 2-factor of a board that has one, with a line for each step on the way."""
    board, name, found = Board(width, height, widths_of(width)), f"{width}x{height}", None
    *_, bound = board.learn()
    print(f"{name}: at least {bound:.1f}, by bands alone", flush=True)
    least = board.fewest(room=FEW)
    while least.value is not None:
        found = least.value
        print(f"{name}: at most {found}", flush=True)
        least = board.fewest(found - 1)
    print(f"{name}: {found}, at least {least.bound}; {least.peak:,} states", flush=True)
