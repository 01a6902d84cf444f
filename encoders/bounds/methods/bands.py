"""`bands`: prices with which the bands of a rectangle show nearly all of its crossings, and a bound that they prove.

A band alone saves at a cut, where another band would have to pay.  So a price is raised where a cheapest solution of
the left band has a move that one of the right band lacks, and lowered the other way round (subgradient steps); across
the middle a move and its image upside down are made alike in the same way.  Any prices give true bounds
(`kt_models.certificates.bands`), good ones nearly close the gap, so that few states are left in the sweep.

Then some 2-factor is found by a sweep that drops all but the most promising states, and sweeps that drop nothing find
better ones, until there is none.  For closed tours all 2-factors with so few crossings are listed, then those with one
more, and so on, until one of them is a tour.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from math import ceil
from typing import Any

import numpy as np

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
    table,
)
from kt_models.certificates.integers import Ints
from kt_models.errors import TooLarge
from kt_models.jit import kernel
from kt_models.limits import NO_LIMITS, Limits, Listener, Report, Stopped, silent
from kt_models.problem import Problem

ROUNDS, STRIDE, SHORTER, INERTIA = 60, 6.0, 0.97, 0.6
"""Subgradient steps: how many, how long the first is, how much shorter each next one is, what is kept of the last."""
FEW = 50_000
"""States that are kept after a cell, for a first 2-factor."""
END = 4
"""Most columns of the bands at the sides; those between have two, but for one."""
WIDE, LARGE = 9, 256
"""The shorter side from which on a sweep of tours takes much longer, and the cells up to which this takes minutes."""
SHARE = 0.6
"""Of the time: the rest is for the check, which does the last sweep again."""


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
    for shown in learn(board, rounds, search):
        if height >= HALVED:
            at_least = min(MOST, max(0, ceil(shown)))
        on_progress(Report(words=f"at least {shown:.1f}, by bands alone"))
    with suppress(Stopped):
        at_least = _least(board, at_least, search, on_progress)
        while problem.closed and at_least < MOST and not _has_tour(board, at_least, search):
            at_least += 1
            on_progress(Report(words=f"at least {at_least} if there is one cycle"))
    across, middle = board.across.tolist(), (board.middle // 2).tolist()
    upside_down = board.images[1].tolist()
    middle = [price if i < upside_down[i] else 0 for i, price in enumerate(middle)]
    return {"at_least": at_least, "bands": list(board.widths), "across": across, "middle": middle}


def _least(board: BandBoard, at_least: int, limits: Limits, on_progress: Listener) -> int:
    """The fewest crossings, or the most that can be shown."""
    wanted = MOST
    while wanted > at_least:
        first = wanted == MOST
        try:
            thinned = (_thin,) if first else ()
            found = board.fewest(wanted - 1, limits, on_progress, *thinned)
        except TooLarge:
            wanted -= 1
            continue
        if found.value is None:
            return at_least if first else wanted
        wanted = found.value
        on_progress(Report(words=f"a 2-factor with {wanted}"))
    return at_least


def _has_tour(board: BandBoard, at_most: int, limits: Limits) -> bool:
    """Whether there is a closed tour with so few crossings, as far as can be told."""
    try:
        return any(is_one_cycle(moves, board.cells) for moves in board.factors(at_most, limits))
    except TooLarge:
        return True


def _thin(states: StateTable, sums: StateValues, number: int) -> StateTable:
    """The states with the least sums."""
    if number <= FEW:
        return states
    keys, values = states
    dear = int(np.partition(sums[keys[:, 0] != EMPTY], FEW)[FEW])
    keys[(keys[:, 0] != EMPTY) & (sums >= dear)] = EMPTY
    return table(keys, values, 1 << (2 * FEW).bit_length())


def learn(board: BandBoard, rounds: int = ROUNDS, limits: Limits = NO_LIMITS) -> Iterator[float]:
    """Set prices for which the bands together pay much in the lower half; after each round a lower bound.

    The bands are the same from left to right and from right to left.
    """
    mirrored, upside_down = board.images
    moves, bands = np.arange(len(board.moves)), len(board.widths)
    left, right = np.array([(its[0], its[-1]) for its in board.bands]).T
    across, middle, pull, pull_middle = np.zeros((4, len(moves)))
    best, kept = -FAR * bands, (board.across, board.middle)
    for k in range(rounds):
        if limits.over:
            break
        board.across, board.middle = np.rint(across).astype(np.int64), 2 * np.rint(middle / 2).astype(np.int64)
        total, has = 0, np.zeros((bands, len(moves)))
        try:
            for band in range((bands + 1) // 2):  # the others are their images in a mirror
                rest = board.rest(band, True, limits)
                has[band] = trace(board, band, rest)
                has[bands - 1 - band] = has[band][mirrored]
                total += least_of(rest[0]) * (1 if 2 * band + 1 == bands else 2)
        except (Stopped, TooLarge):
            break
        if total > best:
            best, kept = total, (board.across, board.middle)
        yield 2 * best / UNIT
        way = has[left, moves] - has[right, moves]
        pull = INERTIA * pull + (way - way[mirrored]) / 2
        way = board.through_middle * (has[left, moves] + has[right, moves]) / 2
        way -= way[upside_down]
        pull_middle = INERTIA * pull_middle + (way + way[mirrored]) / 2
        stride = STRIDE * SHORTER**k
        across, middle = across + stride * pull, middle + stride * pull_middle
    board.across, board.middle = kept


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
