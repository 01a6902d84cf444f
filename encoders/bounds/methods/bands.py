"""`bands`: prices with which the bands of a board show nearly all of its crossings, and a bound that they prove.

A band that is swept alone saves costs at a cut, because they fall on its neighbour. So the price of a move is raised
if a cheapest solution of the left band has the move and a cheapest solution of the right band lacks it, and lowered in
the opposite case. Prices across the middle make a move and its image upside down agree in the same way. If the board
upside down is a different board, the prices of both boards are learnt together, and the lead balances the costs of
their lower halves. Each step begins at the best prices so far and goes in the mean direction of the latest steps, as
in the volume algorithm (Barahona and Anbil 2000). Any prices give valid bounds
(`kt_models.kernel.certificates.bands`). Good prices nearly close the gap, so few states are left in the sweep.

A step with bands of at most two columns takes a tenth of the time or less, and every cut between wide bands is also a
cut between narrow ones. So prices are learnt with narrow bands first. With wide bands these prices show at least as
much, and learning continues from them.

Then sweeps without any omission look for 2-factors, with a few more crossings each time, until there is one or there
are too many states. For closed tours, all 2-factors with so few crossings are listed, then those with one more, and so
on, until one of them is a tour.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from encoders.bounds.methods import BoundMethod
from encoders.work.state import read_state, write_state
from kt_models.errors import KTError, TooLarge
from kt_models.jit import kernel
from kt_models.kernel.certificates.bands.board import HALVED, BandBoard, both_ways, fewest, least_of, set_prices
from kt_models.kernel.certificates.bands.bound import applies, board_of, rows_of, sides_of
from kt_models.kernel.certificates.bands.step import (
    EMPTY,
    FAR,
    MOST,
    MOST_LEAD,
    MOST_PRICES,
    STATES,
    TABLES,
    UNIT,
    BandTables,
    StateTable,
    StateValues,
    StateWords,
    children,
    place,
)
from kt_models.kernel.certificates.integers import Ints
from kt_models.limits import NO_LIMITS, Limits, Listener, Report, Stopped, silent
from kt_models.problem import Problem

PriceVector = npt.NDArray[np.float64]
ROUNDS, RECENT = 300, 0.1
"""Most steps, and the weight of the latest one in their mean direction."""
BEYOND, AGAIN, PATIENCE, CLOSER, CLOSE = 0.2, 2.0, 5, 0.7, 1.0
"""Each step aims at a bound that is better by some number of crossings. At first this is the share `BEYOND` of the
first bound, but at least `AGAIN` crossings; if prices were learnt before, it is `AGAIN`. After `PATIENCE` steps
without a better bound the number is multiplied by `CLOSER`. Learning ends when it is below `CLOSE`."""
ROUNDED = 0.6
"""The least change of the price that a step changes most, so that rounding does not restore all prices."""
STRIDE = 3
"""How much the bound is raised for the next sweep."""
END, ROOMY, SMALL = 4, {True: 576, False: 500}, 324
"""Most columns of the bands at the sides. Boards with more than `ROOMY` cells (by whether they are their own mirror
image) have one column less there, as there is no room for the tables. The bands between have two columns, except for
one band, or for two bands on boards with at most `SMALL` cells."""
WIDE, LARGE = 9, 256
"""The shorter side from which on a sweep of tours takes much longer, and the most cells for which it takes minutes."""
SAVE_EVERY = 10.0
"""Seconds between two writes of the state."""
SHARE, LEARNING, NARROW = 0.6, 0.5, 0.7
"""Shares of the time. `SHARE` is for this method, and the rest is for the check, which repeats the last sweep.
`LEARNING` is the part of that share for learning prices, and `NARROW` the part of `LEARNING` for narrow bands."""


def make(
    problem: Problem,
    *,
    limits: Limits = NO_LIMITS,
    on_progress: Listener = silent,
    rounds: int = ROUNDS,
    state: str | Path | None = None,
) -> dict[str, Any]:
    """The data of a certificate of the fewest crossings of a 2-factor or a tour, or of fewer if time or room is short.

    Parameters
    ----------
    state
        A file to which the prices are written while they are learnt. If it exists and is of the same problem, learning
        continues from its prices.

    Raises
    ------
    KTError
        If the method does not apply to the problem, the board is too wide, or the file is of another problem or
        damaged.
    """
    rows, search = rows_of(problem), limits.part(SHARE)
    learning = search.part(LEARNING)
    symmetric = bool((rows == rows[:, ::-1]).all())
    most, small = END - (problem.graph.n > ROOMY[symmetric]), problem.graph.n <= SMALL
    widths = widths_of(rows.shape[1], symmetric, most, small)
    boards, narrow = (both_ways(board_of(rows, its)) for its in (widths, parts_of(widths)))
    start, wide, question = no_prices(boards), False, {"problem": problem.to_json()}
    if state is not None:
        start, wide = prices_in(state, question, start)
    at_least, prices, saved = 0, BandPrices.of_floats(boards, start), time.monotonic()

    def keep() -> None:
        nonlocal saved
        if state is not None:
            write_state(state, "bands", question, {"wide": wide, "prices": prices.learnt.tolist()})
            saved = time.monotonic()

    for some, part in ((narrow, learning.part(NARROW)), (boards, learning))[wide:]:
        start = prices.learnt
        for prices in learn(some, start, rounds, part):
            at_least = max(at_least, min(MOST, ceil(prices.bound)))
            on_progress(Report(words=f"at least {prices.bound:.1f}, by bands alone"))
            if time.monotonic() > saved + SAVE_EVERY:
                keep()
        if part.over:
            limits.leave("bands")
        wide = wide or not part.over
    keep()
    prices.give(boards)
    try:
        for better in raised(boards, at_least, search, on_progress):
            at_least = better
            on_progress(Report(words=f"at least {at_least}"))
        while problem.closed and at_least < MOST and not _has_tour(boards, at_least, search):
            at_least += 1
            on_progress(Report(words=f"at least {at_least} if there is one cycle"))
    except Stopped:
        limits.leave("bands")
    return {"at_least": at_least, "bands": list(boards[0].widths), **prices.to_json()}


def prices_in(path: str | Path, question: dict[str, Any], none: PriceVector) -> tuple[PriceVector, bool]:
    """The prices in a state file, and whether only wide bands can improve them; `none` if there is no file.

    Raises
    ------
    KTError
        If the file is of another problem, or damaged.
    """
    if not Path(path).exists():
        return none, False
    data = read_state(path, "bands", question)
    try:
        prices = np.array(data.get("prices"), dtype=np.float64)
    except (TypeError, ValueError):
        prices = np.zeros(0)
    if prices.shape != none.shape or not (np.abs(prices) <= MOST_PRICES).all():
        raise KTError(f"{path}: 'prices' are no {none.shape[0]} rows of {none.shape[1]:,} prices")
    return prices, data.get("wide") is True


def raised(boards: Sequence[BandBoard], at_least: int, limits: Limits, on_progress: Listener = silent) -> Iterator[int]:
    """Increasing bounds on the crossings of a 2-factor; the last is the fewest, or the best that can be shown."""
    stride = STRIDE
    while stride and at_least < MOST:
        try:
            value = fewest(boards, min(MOST, at_least + stride - 1), limits, on_progress)
        except TooLarge:
            stride -= 1
            continue
        at_least = min(MOST, at_least + stride) if value is None else value
        yield at_least
        if value is not None:
            return


def _has_tour(boards: Sequence[BandBoard], at_most: int, limits: Limits) -> bool:
    """Whether there is a closed tour with so few crossings; True if there is no room to decide this."""
    try:
        return any(board.is_one_cycle(moves) for board in boards for moves in board.factors(at_most, limits))
    except TooLarge:
        return True


@dataclass(frozen=True)
class BandPrices:
    """Prices in the form that `set_prices` takes, and the crossings that all bands together show with them.

    `learnt` has the prices before rounding (see `of_floats`).
    """

    learnt: PriceVector
    across: tuple[Ints, ...]
    middle: Ints
    row: Ints
    lead: int = 0
    bound: float = 0.0

    @classmethod
    def of_floats(cls, boards: Sequence[BandBoard], prices: PriceVector) -> BandPrices:
        """Prices as integers; of two opposite prices of the middle, only one is kept.

        Parameters
        ----------
        prices
            A row for each board: prices across cuts by move, in the middle by move, and to the middle row by column.
        """
        moves, whole = len(boards[0].moves), np.rint(prices).astype(np.int64)
        halves = np.rint(prices[0] / 2).astype(np.int64)
        middle = halves[moves : 2 * moves]
        if len(boards) == 1:
            middle[boards[0].upside_down < np.arange(moves)] = 0
        return cls(prices, tuple(whole[:, :moves]), middle, halves[2 * moves :])

    def give(self, boards: Sequence[BandBoard]) -> None:
        """Set the prices of one or both boards."""
        set_prices(boards, self.across, self.middle, self.row, self.lead)

    def to_json(self) -> dict[str, Any]:
        """The prices in the form of a certificate."""
        data: dict[str, Any] = {"across": self.across[0].tolist(), "middle": self.middle.tolist()}
        if len(self.row):
            data["row"] = self.row.tolist()
        if len(self.across) == 2:
            data |= {"across_turned": self.across[1].tolist(), "lead": self.lead}
        return data


def learn(
    boards: Sequence[BandBoard], start: PriceVector, rounds: int = ROUNDS, limits: Limits = NO_LIMITS
) -> Iterator[BandPrices]:
    """Prices for which the bands together cost much in the lower half: the best so far, after each round.

    Parameters
    ----------
    start
        The first prices, as `BandPrices.of_floats` takes them.
    """
    learned, mean = BandPrices.of_floats(boards, start), no_prices(boards)
    best, beyond, tired = -np.inf, np.inf, 0
    if boards[0].height < HALVED:
        return
    for _ in range(rounds):
        if limits.over or 2 * beyond < CLOSE * UNIT * len(boards):
            break
        prices = step_from(learned.learnt, mean, beyond)
        now = BandPrices.of_floats(boards, prices)
        now.give(boards)
        try:
            halves = [lower_half(board, limits) for board in boards]
        except Stopped:
            break
        except TooLarge:  # The prices are too large; or a band is, whatever the prices are
            if beyond == np.inf:
                break
            beyond *= CLOSER
            continue
        total = sum(half.least for half in halves)
        slope = np.stack(
            [
                np.concatenate(
                    [upper.across, upper.middle - lower.middle[board.upside_down], (upper.row + lower.row) / 2]
                )
                for upper, lower, board in zip(halves, reversed(halves), boards, strict=True)
            ]
        )
        if beyond == np.inf:
            mean, beyond = slope, max(AGAIN * UNIT * len(boards) / 2, 0 if start.any() else BEYOND * total)
        mean = (1 - RECENT) * mean + RECENT * slope
        tired += 1
        if total > best:
            lead = max(-MOST_LEAD, min(MOST_LEAD, (halves[0].least - halves[-1].least) // 2))
            learned = replace(now, lead=lead, bound=2 * total / (len(boards) * UNIT))
            best, tired = total, 0
        elif tired == PATIENCE:
            beyond, tired = CLOSER * beyond, 0
        yield learned


class LowerHalf(NamedTuple):
    """The least cost of all bands of a board there, and how much each price should grow, by move and by column."""

    least: int
    across: PriceVector
    middle: PriceVector
    row: PriceVector


def lower_half(board: BandBoard, limits: Limits = NO_LIMITS) -> LowerHalf:
    """A cheapest solution of the lower half of each band; on a mirrored board the prices must be mirrored too.

    Raises
    ------
    TooLarge, Stopped
        As `BandBoard.rest`.
    """
    bands, total = len(board.widths), 0
    has = np.zeros((bands, len(board.moves)))
    symmetric = board.is_mirrored
    mirrored = board.in_mirror
    for band in range((bands + 1) // 2 if symmetric else bands):
        rest = board.rest(band, True, limits)
        has[band] = trace(board, band, rest)
        times = 1
        if symmetric and 2 * band + 1 != bands:
            has[bands - 1 - band], times = has[band][mirrored], 2
        lead = 0 if band else board.lead
        total += (least_of(rest[0]) + lead) * times - lead
    left, right = np.array([(its[0], its[-1]) for its in board.bands]).T
    moves = np.arange(len(board.moves))
    across = has[left, moves] - has[right, moves]
    both = (has[left, moves] + has[right, moves]) / 2
    middle = board.through_middle * both
    row = np.zeros(board.width * (board.height % 2))
    for x in range(len(row)):
        if board.height // 2 * board.width + x not in board.holes:
            row[x] = both[board.to_middle_row == x].sum() - 1
    if symmetric:
        across, middle = (across - across[mirrored]) / 2, (middle + middle[mirrored]) / 2
        row = (row + row[::-1]) / 2
    return LowerHalf(total, across, middle, row)


def no_prices(boards: Sequence[BandBoard]) -> PriceVector:
    """A row of zeros for each board, as `BandPrices.of_floats` takes them."""
    board = boards[0]
    return np.zeros((len(boards), 2 * len(board.moves) + board.width * (board.height % 2)))


def step_from(prices: PriceVector, mean: PriceVector, beyond: float) -> PriceVector:
    """Prices after a step that would raise a linear bound by `beyond`, and is long enough to change integers."""
    length = max(beyond / float((mean**2).sum()), ROUNDED / float(np.abs(mean).max())) if mean.any() else 0.0
    return prices + length * mean


def trace(board: BandBoard, band: int, rest: list[StateTable]) -> Ints:
    """The moves of a cheapest solution of the lower half of a band, as zeros and ones."""
    tables, chosen_edges = board.tables(band, True), np.zeros(len(board.moves), dtype=np.int64)
    low = high = np.uint64(0)
    for t in range(len(rest) - 1):
        low, high, chosen = _choice(tables, t, np.uint64(low), np.uint64(high), *rest[t + 1])
        up = [i for i in board.up[t] if band in board.bands[i]]
        chosen_edges[[i for k, i in enumerate(up) if chosen >> k & 1]] = 1
    return chosen_edges


@kernel(f"Tuple((uint64, uint64, int64))({TABLES}, int64, uint64, uint64, {STATES})")
def _choice(
    tables: BandTables, t: int, low: Any, high: Any, rest: StateWords, least: StateValues
) -> tuple[Any, Any, int]:
    """A cheapest continuation of a state: the next state, and the chosen moves."""
    best, way, after, costs = FAR, 0, np.empty((16, 2), dtype=np.uint64), np.empty((16, 2), dtype=np.int64)
    for b in range(children(tables, t, low, high, after, costs)):
        at = place(rest, 0, len(rest), after[b, 0], after[b, 1])
        if rest[at, 0] != EMPTY and least[at] + costs[b, 0] < best:
            best, way = least[at] + costs[b, 0], b
    return after[way, 0], after[way, 1], costs[way, 1]


def widths_of(width: int, symmetric: bool = True, most: int = END, small: bool = False) -> list[int]:
    """The widths of the bands of a board; without mirror symmetry they need not be the same from both sides."""
    end = min(most, width // 2)
    inner = width - 2 * end
    if not symmetric and inner % 2 and inner > 1:
        return [end, 3, *[2] * (inner // 2 - 1), end]
    side = [end, 3] if symmetric and small and inner >= 6 else [end]
    pairs, odd = divmod(width - 2 * sum(side), 4)
    return [*side, *[2] * pairs, *[odd] * (odd > 0), *[2] * pairs, *reversed(side)]


def parts_of(widths: Sequence[int]) -> list[int]:
    """Bands of one or two columns into which the given bands are cut."""
    return [part for width in widths for part in (*[2] * (width // 2), *[1] * (width % 2))]


def _worth(problem: Problem, at_least: int | None) -> bool:
    return at_least is not None and applies(problem) and WIDE <= min(sides_of(problem)) and problem.graph.n <= LARGE


METHOD = BoundMethod(
    "bands",
    "the fewest crossings of 2-factors of a rectangle, by bands of columns with prices",
    make,
    kind="bands",
    rank=4,
    worth=_worth,
)
