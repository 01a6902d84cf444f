"""The sweep of a board whose columns are cut into bands, kept small by a lower bound for each band.

The sweep takes the cells row by row and decides the moves up from each cell. A crossing is charged to the later of its
two moves. A state records how many moves each cell ahead has, and which moves may still be crossed. The rest of the
sweep depends on nothing else, so only the cheapest way to each state is kept. A state is dropped if its cost plus a
lower bound on the rest exceeds a cap.

*Bands.*  The bounds come from bands of columns, each swept alone. A band requires two moves at each of its own cells.
Other cells may have up to two moves up, and only moves with an end in the band count. A crossing that two bands see is
charged to both in equal parts. So the moves of a 2-factor that are still to come cost all bands together no more than
they cost the board. The part of a board's state that concerns a band is a state of the band. The least cost of the
band from that state on is found by a backward pass. It is at most what these moves cost the band.

*Prices.*  A move that two bands see costs a price in the left band, and minus that price in the right band. The sum
does not change, so the prices may be any integers.

*Halves.*  Turned upside down, a 2-factor becomes a 2-factor of the board upside down, its *image*, with as many
crossings. A crossing belongs to the half of the board where it is. If its four ends are on average in the middle, it
belongs to both halves in equal parts. Turned upside down, it belongs to the other half, or again to both. So the
costs of a 2-factor and of its image, each in its lower half, add up to the cost of the whole 2-factor, and one of the
two is at most half of that. If there is a 2-factor within the cap, then this board or the other one has a 2-factor
within the cap that costs at most half the cap in the lower half. Both sweeps look only for such 2-factors: a state is
also dropped if its cost in the lower half plus the lower bound of the bands there, taken twice, exceeds the cap.

If the two boards are the same, one sweep is enough. If they differ, one of them may be granted more, and the other
less by the same amount (the *lead*): if a sum is divided into two shares, two numbers with that sum cannot both exceed
their shares. None of this requires an even height, because the ends of a crossing, not the cells, determine where it
belongs. A move from below the middle to above it may have a price in the lower half as well, if its image has the
opposite price: for a 2-factor and its image, these prices add up to 0. In a middle row, if there is one, each cell has
two moves from below in a 2-factor and its image together. So all such moves to a cell may have a price, if each of the
two lower halves is granted that price.

The sweep of a half ends after `height // 2` rows. A later move leads from a row r, which is not below the middle, to
row r + 1 or r + 2. A move that it crosses leads from row r - 1 or higher to row r + 1 or higher. So their four ends
are on average above the middle, and the crossing belongs to the upper half. The prices of later moves at cuts are left
out in both bands. In all of these rows except the last two, everything decided so far belongs to the lower half, and
no decided move has a price across the middle. So the cost of a state is its cost in the lower half, and the cheapest
way to it is also the cheapest there. Halves are considered only in those rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from kt_models.errors import TooLarge
from kt_models.kernel.certificates.bands.step import (
    EMPTY,
    FAR,
    MOST_LEAD,
    MOST_PRICES,
    UNIT,
    BandTables,
    StateTable,
    StateWords,
    back,
    children,
    least,
    step,
    table,
)
from kt_models.kernel.certificates.integers import Ints
from kt_models.limits import NO_LIMITS, Limits, Listener, Report, silent
from kt_models.metrics.crossings import segments_cross
from kt_models.walks import walks_of

UP = ((-2, 1), (-1, 2), (1, 2), (2, 1))
HALVED = 6
"""The least height at which halves are considered; in lower boards no row is low enough."""
MOST_STATES = 4_000_000
"""Most states of the board after a cell; each takes a few hundred bytes."""
MEMORY, PER_ROW, PER_STATE = 2 << 30, 18, 250
"""Most bytes of the tables of the bands, and of a step; bytes per row of a band's table, and per state of a step."""
MOST_LISTED = 100_000
"""Most 2-factors that are listed."""

START: StateTable = (np.zeros((1, 2), dtype=np.uint64), np.zeros(1, dtype=np.int16))
NO_BOUNDS = (*START, np.zeros((0, 2), dtype=np.uint64), np.zeros((0, 3), dtype=np.int64))
Visit = Callable[[StateTable], object]
"""A step that takes the states after a cell."""


class Fewest(NamedTuple):
    """The fewest crossings found, if any, and the largest number of states after a cell."""

    value: int | None
    peak: int


class BandBoard:
    """A rectangle, perhaps with holes, whose columns are cut into bands with prices.

    Cells, including holes, are numbered row by row. Moves are numbered in the order in which they are decided.

    Attributes
    ----------
    moves
        For each move, its near cell and its far cell.
    partners
        For each move, the earlier moves that cross it, and how many quarters of the crossing belong to the lower half.
    last
        For each move, the last cell with a move up that crosses it.
    in_half, in_all, middle
        Prices by move. The first two are prices across a cut, in the lower half and on the whole board. The third are
        prices across the middle, or to a middle row from below (a multiple of 2).
    lead
        How much more than half the cap the lower half may cost.
    """

    def __init__(self, width: int, height: int, widths: Sequence[int], holes: Iterable[int] = ()) -> None:
        self.width, self.height, self.cells, self.widths = width, height, width * height, widths
        self.holes = frozenset(holes)
        ends = [
            ((x, y), (x + dx, y + dy))
            for y in range(height)
            for x in range(width)
            for dx, dy in UP
            if 0 <= x + dx < width and y + dy < height and not self.holes & {y * width + x, (y + dy) * width + x + dx}
        ]
        self.moves = [(ay * width + ax, by * width + bx) for (ax, ay), (bx, by) in ends]
        band = np.repeat(np.arange(len(widths)), widths)
        self.band = np.tile(band, height)
        self.bands = [sorted({int(band[x]) for x, _ in move}) for move in ends]
        self.partners: list[list[tuple[int, int]]] = [[] for _ in ends]
        self.last = [near for near, _ in self.moves]
        for j, (c, d) in enumerate(ends):
            for i in range(max(0, j - 8 * width), j):  # No move from two rows below crosses it
                a, b = ends[i]
                if segments_cross((b[0] - a[0], b[1] - a[1]), (d[0] - c[0], d[1] - c[1]), (c[0] - a[0], c[1] - a[1])):
                    above = a[1] + b[1] + c[1] + d[1] - 2 * (height - 1)
                    self.partners[j].append((i, 2 - 2 * int(np.sign(above))))
                    self.last[i] = self.moves[j][0]
        self.reached = list(range(self.cells))  # The cell from which on the slot of a cell may count a move
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
            raise TooLarge(f"bands: a row of {width} cells is too long for the states")
        self.in_half, self.in_all, self.middle = np.zeros((3, len(ends)), dtype=np.int64)
        self.lead = 0

    def mirror_image(self, cell: int) -> int:
        """The image of a cell in a mirror."""
        return cell + self.width - 1 - 2 * (cell % self.width)

    @property
    def is_mirrored(self) -> bool:
        """Whether the board is its own mirror image."""
        return frozenset(map(self.mirror_image, self.holes)) == self.holes

    def turned_image(self, cell: int) -> int:
        """The image of a cell on the board upside down."""
        return self.cells - self.width - cell + 2 * (cell % self.width)

    def images(self, image: Callable[[int], int]) -> Ints:
        """Number of the image of each move; `image` is one of the two maps above, and gives the new board."""
        moves = [sorted(map(image, move)) for move in self.moves]
        steps = [far - near for near, far in moves]
        order = [dx + dy * self.width for dx, dy in UP]
        images = np.empty(len(moves), dtype=np.int64)
        images[sorted(range(len(moves)), key=lambda i: (moves[i][0], order.index(steps[i])))] = np.arange(len(moves))
        return images

    @cached_property
    def in_mirror(self) -> Ints:
        """Number of each move's image in a mirror."""
        return self.images(self.mirror_image)

    @cached_property
    def upside_down(self) -> Ints:
        """Number of each move's image on the board upside down."""
        return self.images(self.turned_image)

    @cached_property
    def through_middle(self) -> Ints:
        """1 for each move that leads from below the middle to above it, and 0 for the others."""
        rows = np.array(self.moves, dtype=np.int64).reshape(-1, 2) // self.width
        through = (rows[:, 0] < self.height // 2) & (rows[:, 1] >= (self.height + 1) // 2)
        return through.astype(np.int64)

    @cached_property
    def to_middle_row(self) -> Ints:
        """Column of the cell for each move from below to the middle row; -1 for other moves."""
        row, columns = np.divmod(np.array(self.moves, dtype=np.int64).reshape(-1, 2)[:, 1], self.width)
        return np.where(2 * row + 1 == self.height, columns, -1)

    def masks(self, band: int) -> StateWords:
        """Masks of the part of a state that concerns a band, by number of cells taken."""
        masks = np.zeros((self.cells + 1, 2), dtype=np.uint64)
        for (near, _), last, bit, bands in zip(self.moves, self.last, self.bit, self.bands, strict=True):
            if band in bands:
                masks[near + 1 : last + 1, 1] |= np.uint64(bit)
        for cell in np.flatnonzero(self.band == band).tolist():
            masks[self.reached[cell] + 1 : cell + 1, 0] |= np.uint64(3 << 2 * (cell % self.slots))
        return masks

    def tables(self, band: int = -1, half: bool = False) -> BandTables:
        """The tables of a band, or of the whole board, with all costs or only the costs in the lower half."""
        n = self.cells
        slots, far, chosen, paid, ends = (np.zeros((n, *k), np.uint64) for k in ((2,), (4, 3), (4, 2), (4, 3), (12, 2)))
        price, counts = np.zeros((n, 4), dtype=np.int64), np.zeros((n, 3), dtype=np.int64)
        into: list[list[int]] = [[] for _ in range(n)]
        for i, (_, b) in enumerate(self.moves):
            into[b].append(i)
        asked = [band in (-1, its) and cell not in self.holes for cell, its in enumerate(self.band.tolist())]
        shift = [2 * (cell % self.slots) for cell in range(n)]
        for cell in range(n):
            slots[cell] = 3 << shift[cell] if self.reached[cell] < cell else 0, shift[cell]
            counts[cell, 2] = asked[cell]
        for i, (a, b) in enumerate(self.moves):
            if band >= 0 and band not in self.bands[i]:
                continue
            k, bit = counts[a, 0], asked[b] << shift[b]
            others = sum(self.bit[j] for j in into[b] if self.moves[j][0] < a <= self.last[j]) if asked[b] else 0
            far[a, k] = 3 * bit if self.reached[b] < a else 0, shift[b], others
            chosen[a, k] = 0 if self.bit[i] else bit, self.bit[i]
            if band >= 0:
                price[a, k] = self._price(i, band, half)
            for j, quarters in self.partners[i]:
                shared = 1 if band < 0 else len({*self.bands[i]} & {*self.bands[j]})
                weight = (quarters if half else 4) // max(shared, 1)
                if weight and (band < 0 or band in self.bands[j]):
                    paid[a, k, weight.bit_length() - 1] |= np.uint64(self.bit[j])
            counts[a, 0] += 1
            if self.bit[i]:
                ends[self.last[i], counts[self.last[i], 1]] = self.bit[i], bit
                counts[self.last[i], 1] += 1
        return BandTables(slots, far, chosen, paid, price, ends, counts)

    def _price(self, move: int, band: int, half: bool) -> int:
        bands = self.bands[move]
        middle = self.middle[move] // len(bands) if half else 0
        cut = (self.in_half if half else self.in_all)[move]
        return int(middle + (0 if len(bands) == 1 else cut if band == bands[0] else -cut))

    def rest(
        self, band: int, half: bool, limits: Limits = NO_LIMITS, room: int = MEMORY // PER_ROW
    ) -> list[StateTable]:
        """The least cost of a band from each state on, by number of cells taken.

        Raises
        ------
        TooLarge
            If the prices add up to more than `MOST_PRICES`, or the tables take more rows than there is room for.
        """
        tables, steps = self.tables(band, half), self.height // 2 * self.width if half else self.cells
        if int(np.abs(tables.price).sum()) > MOST_PRICES:
            raise TooLarge(f"bands: the prices of a band come to more than {MOST_PRICES:,}")
        if abs(self.lead) > MOST_LEAD:
            raise TooLarge(f"bands: the lead comes to more than {MOST_LEAD:,}")
        layers: list[StateTable] = [table(*START, 16)]
        for t in range(steps):
            limits.check()
            room -= len(layers[-1][0])
            most = max(0, min(MOST_STATES, room))
            *states, number = step(tables, t, *layers[-1], FAR, most, *NO_BOUNDS)
            if number > most:
                raise TooLarge(f"bands: a band of {self.widths[band]} columns has too many states")
            layers.append((states[0], states[1]))
        keys, values = layers[-1]
        layers[-1] = keys, np.full_like(values, -self.lead if half and not band else 0)
        for t in reversed(range(steps)):
            limits.check()
            layers[t] = back(tables, t, *layers[t], *layers[t + 1])
        return layers

    def fewest(
        self,
        at_most: int,
        limits: Limits = NO_LIMITS,
        on_progress: Listener = silent,
        visit: Visit = lambda states: None,
    ) -> Fewest:
        """The fewest crossings of a 2-factor, if they are within `at_most` and the sweep finds it or its image.

        Parameters
        ----------
        at_most
            Is at most `MOST`.
        visit
            Receives the states after each cell.

        Raises
        ------
        TooLarge
            If there are too many states, or the prices add up to too much.
        Stopped
            If the limits end the sweep.
        """
        memory = limits.room(MEMORY)
        most, room, bounds = min(MOST_STATES, memory // PER_STATE), memory // PER_ROW, []
        for half in (False, True) if self.height >= HALVED else (False,):
            for band in range(len(self.widths)):
                rest = self.rest(band, half, limits, room)
                room -= sum(len(keys) for keys, _ in rest)
                bounds.append((self.masks(band), rest, half))
        tables, states, peak = self.tables(), table(*START, 16), 0
        for t in range(self.cells):
            limits.check()
            if t >= (self.height // 2 - 2) * self.width:
                bounds = [(masks, rest, half) for masks, rest, half in bounds if not half]
            known = [(masks[t + 1], *rest[t + 1], half) for masks, rest, half in bounds]
            masks, keys, values, halves = zip(*known, strict=True)
            sizes = np.array([len(its) for its in keys])
            of = np.stack([np.cumsum(sizes) - sizes, sizes, halves], axis=1).astype(np.int64)
            rests = np.concatenate(keys), np.concatenate(values)
            *found, number = step(tables, t, *states, UNIT * at_most, most, *rests, np.array(masks), of)
            if number > most:
                raise TooLarge(f"bands: more than {most:,} states after a cell")
            if not number:
                return Fewest(None, peak)
            peak = max(peak, number)
            states = found[0], found[1]
            visit(states)
            if (t + 1) % self.width == 0:
                on_progress(Report(words=f"row {(t + 1) // self.width} of {self.height}: {number:,} states"))
        return Fewest(least_of(states) // UNIT, peak)

    def factors(
        self, at_most: int, limits: Limits = NO_LIMITS, on_progress: Listener = silent
    ) -> Iterator[list[tuple[int, int]]]:
        """All 2-factors with at most so many crossings, as moves, except some whose images upside down are found.

        The states of a sweep are kept, with the least cost from each on. So all ways through them that stay within the
        cap are followed, and each leads to a 2-factor. If a 2-factor costs at most half the cap (plus the lead) in the
        lower half, all its states are kept, because the cheapest way to a state costs no more than the way of the
        2-factor. For any other 2-factor this holds for its image.

        Raises
        ------
        TooLarge, Stopped
            As `fewest`; and if there are such 2-factors but no room for the states, or more than `MOST_LISTED` of them.
        """
        layers, most = [table(*START, 16)], limits.room(MEMORY) // PER_ROW

        def keep(states: StateTable) -> None:
            if sum(len(keys) for keys, _ in [*layers, states]) <= most:
                layers.append(states)  # If there is nothing to list, the states left out are not needed

        if self.fewest(at_most, limits, on_progress, keep).value is None:
            return
        if len(layers) != self.cells + 1:
            raise TooLarge("bands: too many states to list 2-factors")
        tables, cap = self.tables(), UNIT * at_most
        layers[-1] = layers[-1][0], np.zeros_like(layers[-1][1])
        for t in reversed(range(self.cells)):
            limits.check()
            layers[t] = back(tables, t, *layers[t], *layers[t + 1])
        after, costs = np.empty((16, 2), dtype=np.uint64), np.empty((16, 2), dtype=np.int64)
        ways: list[tuple[int, tuple[int, int], int, Any]] = [(0, (0, 0), 0, None)]
        listed = 0
        while ways:
            t, (low, high), cost, chosen = ways.pop()
            if t == self.cells:
                limits.check()
                listed += 1
                if listed > MOST_LISTED:
                    raise TooLarge(f"bands: more than {MOST_LISTED:,} 2-factors with {at_most} crossings or fewer")
                yield self._moves(chosen)
                continue
            for b in range(children(tables, t, np.uint64(low), np.uint64(high), after, costs)):
                state, paid = (int(after[b, 0]), int(after[b, 1])), cost + int(costs[b, 0])
                if paid + least(*layers[t + 1], after[b, 0], after[b, 1]) <= cap:
                    ways.append((t + 1, state, paid, (t, int(costs[b, 1]), chosen)))

    def _moves(self, chosen: Any) -> list[tuple[int, int]]:
        """The moves of a way, given as a cell, the chosen ones of its moves up, and the way before it."""
        moves = []
        while chosen is not None:
            cell, some, chosen = chosen
            moves += [self.moves[i] for k, i in enumerate(self.up[cell]) if some >> k & 1]
        return moves

    @cached_property
    def up(self) -> list[list[int]]:
        """Moves up from each cell."""
        up: list[list[int]] = [[] for _ in range(self.cells)]
        for i, (near, _) in enumerate(self.moves):
            up[near].append(i)
        return up

    def is_one_cycle(self, moves: list[tuple[int, int]]) -> bool:
        """Whether moves, two at each cell, form one cycle through all cells."""
        return len(walks_of(self.cells, np.array(moves))) == 1 + len(self.holes)


def both_ways(board: BandBoard) -> tuple[BandBoard, ...]:
    """The board, and the board upside down if it differs and halves are considered."""
    holes = frozenset(map(board.turned_image, board.holes))
    if holes == board.holes or board.height < HALVED:
        return (board,)
    return board, BandBoard(board.width, board.height, board.widths, holes)


def set_prices(boards: Sequence[BandBoard], across: Sequence[Ints], middle: Ints, row: Ints, lead: int = 0) -> None:
    """Set the prices of one or both boards, to any integers that are not large.

    Parameters
    ----------
    across
        For each board, prices across cuts in the lower half.
    middle, lead
        Those of the first board. Prices of moves that do not lead through the middle are ignored. If there is only
        one board, the price of a move is its own minus that of its image upside down.
    row
        For odd heights, prices by column, for moves to the middle row from below; for even heights, empty.
    """
    board, other = boards[0], boards[-1]
    for part, its, opposite in zip(boards, across, reversed(across), strict=True):
        part.in_half, part.in_all = its, its + opposite[part.upside_down]
    if board is other:
        board.middle, board.lead = 2 * board.through_middle * (middle - middle[board.upside_down]), 0
    else:
        board.middle, board.lead = 2 * board.through_middle * middle, lead
        other.middle, other.lead = -board.middle[other.upside_down], -lead
    for part in boards if len(row) else ():
        cells = [column for column in range(part.width) if part.height // 2 * part.width + column not in part.holes]
        part.middle = np.where(part.to_middle_row < 0, part.middle, 2 * row[part.to_middle_row])
        part.lead += 2 * int(row[cells].sum())


def fewest(
    boards: Sequence[BandBoard], at_most: int, limits: Limits = NO_LIMITS, on_progress: Listener = silent
) -> int | None:
    """The fewest crossings of a 2-factor, by sweeps of one or both boards; None if all have more than `at_most`.

    Raises
    ------
    TooLarge, Stopped
        As `BandBoard.fewest`.
    """
    found = [board.fewest(at_most, limits, on_progress).value for board in boards]
    return min((value for value in found if value is not None), default=None)


def least_of(states: StateTable) -> int:
    """The least value of the states; `FAR` if there are none."""
    return int(states[1][states[0][:, 0] != EMPTY].min(initial=FAR))
