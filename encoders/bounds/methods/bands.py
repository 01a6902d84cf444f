"""`bands`: prices with which the bands of a rectangle show nearly all of its crossings, and a bound that they prove.

A band alone saves at a cut, where another band would have to pay.  So a price is raised where a cheapest solution of
the left band has a move that one of the right band lacks, and lowered the other way round; across the middle a move and
its image upside down are made alike in the same way.  Each step begins at the best prices so far and goes in the mean
direction of the latest steps, as in the volume algorithm (Barahona and Anbil 2000).  Any prices give true bounds
(`kt_models.certificates.bands`), good ones nearly close the gap, so that few states are left in the sweep.

Then sweeps that drop nothing ask for 2-factors with a few crossings more each time, until there is one or there are too
many states.  For closed tours all 2-factors with so few crossings are listed, then those with one more, and so on,
until one of them is a tour.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from math import ceil
from typing import Any

import numpy as np
import numpy.typing as npt

from encoders.bounds.methods import BoundMethod
from kt_models.certificates.bands.board import HALVED, BandBoard, is_one_cycle, least_of
from kt_models.certificates.bands.bound import applies, sides_of
from kt_models.certificates.bands.step import (
    EMPTY,
    FAR,
    MOST,
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
from kt_models.certificates.integers import Ints
from kt_models.errors import TooLarge
from kt_models.jit import kernel
from kt_models.limits import NO_LIMITS, Limits, Listener, Report, Stopped, silent
from kt_models.problem import Problem

CutPrices = npt.NDArray[np.float64]
"""Of shape (2, moves): across cuts, and in the middle."""
ROUNDS, RECENT = 300, 0.1
"""Steps at most, and the weight of the latest one in their mean direction."""
BEYOND, PATIENCE, CLOSER, CLOSE = 0.2, 5, 0.7, 1.0
"""A step is as long as if it led to a bound that is better by so much, first a share of the first bound.  After so many
steps without a better bound this becomes less; so few crossings are the end."""
ROUNDED = 0.6
"""What the largest price of a step changes by at least, so that not all are as before when they are rounded."""
STRIDE = 3
"""By how much a bound is raised for the next sweep."""
END = 4
"""Most columns of the bands at the sides; those between have two, but for one."""
WIDE, LARGE = 9, 256
"""The shorter side from which on a sweep of tours takes much longer, and the cells up to which this takes minutes."""
SHARE, LEARNING = 0.6, 0.5
"""Of the time: the rest is for the check, which does the last sweep again; and of that share, what prices may take."""


def make(
    problem: Problem, *, limits: Limits = NO_LIMITS, on_progress: Listener = silent, rounds: int = ROUNDS
) -> dict[str, Any]:
    """The data of a certificate of the fewest crossings of a 2-factor or a tour, or of fewer if time or room is short.

    Raises
    ------
    KTError
        If the problem is another one, or the board too wide.
    """
    width, height = sides_of(problem)
    search = limits.part(SHARE)
    board = BandBoard(width, height, widths_of(width))
    at_least = 0
    for shown in learn(board, rounds, search.part(LEARNING)):
        if height >= HALVED:
            at_least = min(MOST, max(0, ceil(shown)))
        on_progress(Report(words=f"at least {shown:.1f}, by bands alone"))
    with suppress(Stopped):
        for better in raised(board, at_least, search, on_progress):
            at_least = better
            on_progress(Report(words=f"at least {at_least}"))
        while problem.closed and at_least < MOST and not _has_tour(board, at_least, search):
            at_least += 1
            on_progress(Report(words=f"at least {at_least} if there is one cycle"))
    across, middle = board.across.tolist(), (board.middle // 2).tolist()
    upside_down = board.images[1].tolist()
    middle = [price if i < upside_down[i] else 0 for i, price in enumerate(middle)]
    return {"at_least": at_least, "bands": list(board.widths), "across": across, "middle": middle}


def raised(board: BandBoard, at_least: int, limits: Limits, on_progress: Listener = silent) -> Iterator[int]:
    """Better and better bounds of the crossings of a 2-factor; the last is the fewest, or what can be shown."""
    stride = STRIDE
    while stride and at_least < MOST:
        try:
            found = board.fewest(min(MOST, at_least + stride - 1), limits, on_progress)
        except TooLarge:
            stride -= 1
            continue
        at_least = min(MOST, at_least + stride) if found.value is None else found.value
        yield at_least
        if found.value is not None:
            return


def _has_tour(board: BandBoard, at_most: int, limits: Limits) -> bool:
    """Whether there is a closed tour with so few crossings, as far as can be told."""
    try:
        return any(is_one_cycle(moves, board.cells) for moves in board.factors(at_most, limits))
    except TooLarge:
        return True


def learn(board: BandBoard, rounds: int = ROUNDS, limits: Limits = NO_LIMITS) -> Iterator[float]:
    """Set prices for which the bands together pay much in the lower half; after each round a lower bound.

    The bands are the same from left to right and from right to left.
    """
    mirrored, upside_down = board.images
    moves, bands = np.arange(len(board.moves)), len(board.widths)
    left, right = np.array([(its[0], its[-1]) for its in board.bands]).T
    kept, mean = np.zeros((2, 2, len(moves)))
    best, beyond, tired = -FAR * bands, np.inf, 0
    for _ in range(rounds):
        if limits.over or 2 * beyond < CLOSE * UNIT:
            break
        prices = step_from(kept, mean, beyond)
        set_rounded(board, prices)
        total, has = 0, np.zeros((bands, len(moves)))
        try:
            for band in range((bands + 1) // 2):  # the others are their images in a mirror
                rest = board.rest(band, True, limits)
                has[band] = trace(board, band, rest)
                has[bands - 1 - band] = has[band][mirrored]
                total += least_of(rest[0]) * (1 if 2 * band + 1 == bands else 2)
        except Stopped:
            break
        except TooLarge:  # the prices are; or a band is, whatever they are
            if beyond == np.inf:
                break
            beyond *= CLOSER
            continue
        across = has[left, moves] - has[right, moves]
        middle = board.through_middle * (has[left, moves] + has[right, moves]) / 2
        middle -= middle[upside_down]
        slope = np.stack([across - across[mirrored], middle + middle[mirrored]]) / 2
        if beyond == np.inf:
            mean, beyond = slope, BEYOND * total
        mean = (1 - RECENT) * mean + RECENT * slope
        tired += 1
        if total > best:
            best, kept, tired = total, prices, 0
        elif tired == PATIENCE:
            beyond, tired = CLOSER * beyond, 0
        yield 2 * best / UNIT
    set_rounded(board, kept)


def step_from(prices: CutPrices, mean: CutPrices, beyond: float) -> CutPrices:
    """Prices a step further, as long as if the bound grew by so much and were linear, and long enough for integers."""
    length = max(beyond / float((mean**2).sum()), ROUNDED / float(np.abs(mean).max())) if mean.any() else 0.0
    return prices + length * mean


def set_rounded(board: BandBoard, prices: CutPrices) -> None:
    """Give a board prices across cuts and in the middle, of which the latter are even."""
    across, middle = prices
    board.across, board.middle = np.rint(across).astype(np.int64), 2 * np.rint(middle / 2).astype(np.int64)


def trace(board: BandBoard, band: int, rest: list[StateTable]) -> Ints:
    """The moves of a cheapest solution of the lower half of a band, as zeros and ones."""
    tables, found = board.tables(band, True), np.zeros(len(board.moves), dtype=np.int64)
    low = high = np.uint64(0)
    for t in range(len(rest) - 1):
        low, high, chosen = _choice(tables, t, np.uint64(low), np.uint64(high), *rest[t + 1])
        up = [i for i in board.up[t] if band in board.bands[i]]
        found[[i for k, i in enumerate(up) if chosen >> k & 1]] = 1
    return found


@kernel(f"Tuple((uint64, uint64, int64))({TABLES}, int64, uint64, uint64, {STATES})")
def _choice(
    tables: BandTables, t: int, low: Any, high: Any, rest: StateWords, least: StateValues
) -> tuple[Any, Any, int]:
    """A cheapest way on from a state: the one after it, and the moves chosen."""
    best, way, after, costs = FAR, 0, np.empty((16, 2), dtype=np.uint64), np.empty((16, 2), dtype=np.int64)
    for b in range(children(tables, t, low, high, after, costs)):
        at = place(rest, 0, len(rest), after[b, 0], after[b, 1])
        if rest[at, 0] != EMPTY and least[at] + costs[b, 0] < best:
            best, way = least[at] + costs[b, 0], b
    return after[way, 0], after[way, 1], costs[way, 1]


def widths_of(width: int) -> list[int]:
    """The bands of a board so wide."""
    end = min(END, width // 2)
    pairs, odd = divmod(width - 2 * end, 4)
    return [end, *[2] * pairs, *[odd] * (odd > 0), *[2] * pairs, end]


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
