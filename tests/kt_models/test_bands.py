"""Bounds of crossings by bands of columns: against other sweeps and all tours, and whatever stands in the data."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from contextlib import suppress
from math import ceil
from pathlib import Path

import numpy as np
import pytest

from encoders.bounds.methods.bands import learn, no_prices, parts_of, raised, widths_of
from kt_models import CertificateError
from kt_models.errors import TooLarge
from kt_models.kernel.certificates.bands.board import HALVED, BandBoard, both_ways, least_of, set_prices
from kt_models.kernel.certificates.bands.bound import bound
from kt_models.kernel.certificates.bands.step import FAR, MOST, MOST_LEAD, MOST_PRICES, UNIT, least
from kt_models.limits import NO_LIMITS, Limits
from tests import brute
from tests.kt_models.band_boards import (
    FEWEST,
    fewest_by_trying,
    give,
    greatest,
    moved,
    prices_of,
    problem_of,
    with_holes,
)

RECORDS = Path(__file__).parents[2] / "heuristics" / "delivered" / "records"
NUMBERS = {
    (3, 12): {52: 2, 53: 2, 54: 2, 56: 8, 57: 12, 58: 6, 59: 16, 60: 60},
    (4, 9): {48: 2, 50: 4, 51: 4, 52: 21, 53: 60},
    (5, 6): {44: 2, 45: 4, 46: 10, 47: 46, 48: 90},
    (5, 8): {54: 14, 55: 58},
    (6, 6): {50: 4, 51: 16},
    (6, 7): {55: 2, 56: 34},
}
"""2-factors by crossings, as a sweep found them that drops nothing and has another representation of its states."""


# -- against what shares no code with it -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("width", "height"),
    [(3, 4), (3, 6), (4, 4), (4, 5), (3, 8), (3, 10), (4, 6), pytest.param(5, 6, marks=pytest.mark.slow)],
)
def test_bands_agree_with_brute_force(width: int, height: int) -> None:
    fewest = fewest_by_trying(width, height)
    if fewest is None:
        assert bound(problem_of(width, height), {**prices_of(width, height), "at_least": MOST}) == MOST
        return
    for seed, most in enumerate((0, 3, 12)):
        assert greatest(width, height, prices_of(width, height, most, seed), fewest) == fewest


@pytest.mark.parametrize("board", ["5x6", "3x10", pytest.param("6x6", marks=pytest.mark.slow)])
def test_no_tour_has_fewer(board: str) -> None:
    width, height = map(int, board.split("x"))
    values = brute.values(board, True, "crossings")
    for seed, most in enumerate((0, 4)):
        data = prices_of(width, height, most, seed)
        assert bound(problem_of(width, height), {**data, "at_least": min(values)}) == min(values)
        with pytest.raises(CertificateError, match="there is a closed tour"):
            bound(problem_of(width, height), {**data, "at_least": min(values) + 1})


@pytest.mark.parametrize(("width", "height"), [(5, 6), (3, 10)])
def test_all_tours_are_listed_or_their_images(width: int, height: int) -> None:
    """The oracle's cells are numbered column by column: those of the board with its sides exchanged fit."""
    tours, values = (f(f"{height}x{width}", True, *m) for f, m in ((brute.tours, ()), (brute.values, ("crossings",))))
    few = min(values) + 2
    steps = [
        zip(tour, tour[1:] + tour[:1], strict=True) for tour, value in zip(tours, values, strict=True) if value <= few
    ]
    wanted = {frozenset(map(frozenset, moves)) for moves in steps}
    data, sweep = prices_of(width, height, 3), BandBoard(width, height, widths_of(width))
    give(sweep, data)
    every = [frozenset(map(frozenset, moves)) for moves in sweep.factors(few)]
    assert len(set(every)) == len(every)
    found = {its for its in every if sweep.is_one_cycle([tuple(move) for move in its])}
    n = width * height
    turned = {frozenset(frozenset(n - width - c + 2 * (c % width) for c in move) for move in its) for its in found}
    assert found and found <= wanted and found | turned == wanted


@pytest.mark.parametrize(
    ("width", "height"),
    [pytest.param(*size, marks=pytest.mark.slow if size in ((5, 8), (6, 6), (6, 7)) else ()) for size in NUMBERS],
)
def test_all_2_factors_are_listed_or_their_images(width: int, height: int) -> None:
    """With the images upside down the list is the same in a mirror, and on a square from any side."""
    numbers, n = NUMBERS[width, height], width * height
    for seed, widths in enumerate(([width - 2, 2], [2, 1, width - 3] if width > 3 else [3])):
        data, sweep = prices_of(width, height, 5 * seed, seed, widths), BandBoard(width, height, widths)
        give(sweep, data)
        every = [frozenset(map(frozenset, moves)) for moves in sweep.factors(max(numbers))]
        assert len(set(every)) == len(every) and not any(sweep.factors(min(numbers) - 1))
        listed = {*every, *(moved(its, lambda c: n - width - c + 2 * (c % width)) for its in every)}
        assert Counter(crossings_of(its, width) for its in listed) == numbers
        assert listed == {moved(its, lambda c: c + width - 1 - 2 * (c % width)) for its in listed}
        assert width < height or listed == {moved(its, lambda c: c % width * width + c // width) for its in listed}


@pytest.mark.slow
@pytest.mark.parametrize(("side", "number"), [(10, 34), (12, 1940)])
def test_lists_of_squares_are_the_same_from_any_side(side: int, number: int) -> None:
    """With the prices of the records; none is one cycle, by steps from cell to cell."""
    certificate = json.loads((RECORDS / f"crossings-{side}x{side}.json").read_text())["certificate"]
    data, last = certificate["data"], side - 1
    sweep = BandBoard(side, side, data["bands"])
    give(sweep, data)
    every = {frozenset(map(frozenset, moves)) for moves in sweep.factors(certificate["bound"] - 1)}
    listed = every | {moved(its, lambda c: (last - c // side) * side + c % side) for its in every}
    assert len(listed) == number
    assert listed == {moved(its, lambda c: c % side * side + c // side) for its in listed}
    for its in listed:
        assert crossings_of(its, side) < certificate["bound"]
        near: dict[int, list[int]] = {}
        for a, b in its:
            near.setdefault(a, []).append(b)
            near.setdefault(b, []).append(a)
        before, cell, steps = near[0][0], 0, 0
        while cell or not steps:
            before, cell, steps = cell, next(c for c in near[cell] if c != before), steps + 1
        assert steps < side * side


def crossings_of(moves: frozenset[frozenset[int]], width: int) -> int:
    """Counted pair by pair, of what has two moves at each cell."""
    assert set(Counter(cell for move in moves for cell in move).values()) == {2}
    ends = [[(cell % width, cell // width) for cell in move] for move in moves]
    return sum(brute._meet(*first, *second) for first, second in itertools.combinations(ends, 2))


# -- whatever the bands and prices are ---------------------------------------------------------------------------------


ALL = [pytest.param(*board, marks=pytest.mark.slow) if board > (6, 6) else board for board in FEWEST]


@pytest.mark.parametrize(("width", "height"), ALL)
def test_any_bands_and_prices_give_the_same(width: int, height: int) -> None:
    fewest = FEWEST[width, height]
    for seed, widths in enumerate(([1] * width, [2, 1, width - 3])):
        data = prices_of(width, height, 4 * seed, seed, widths)
        assert greatest(height, width, data, fewest) == fewest


@pytest.mark.parametrize("holes", [0, 3])
def test_random_moves_pay_in_halves_what_they_pay_in_all(holes: int) -> None:
    """Boards of odd height are among them: a set of moves and its image upside down, in the lower half."""
    random = np.random.default_rng(0)
    for height in (6, 7, 8, 9):
        boards = both_ways(BandBoard(5, height, [2, 1, 2], with_holes(5, height, holes, random)))
        assert len(boards) == 1 + bool(holes)
        board, other, number = boards[0], boards[-1], len(boards[0].moves)
        *across, middle = random.integers(-9, 9, (len(boards) + 1, number))
        set_prices(boards, across, middle, row := random.integers(-9, 9, 5 * (height % 2)), 7)
        assert board.middle.any()
        for its, opposite in ((board, other), (other, board)):
            assert (its.in_all == its.in_half + opposite.in_half[its.upside_down]).all()
            assert [{its.turned_image(c) for c in move} for move in its.moves] == [
                set(opposite.moves[i]) for i in its.upside_down
            ]
        lowest = (height // 2 - 2) * 5
        for _ in range(20):
            chosen = random.random(number) < 0.3
            turned = np.zeros(number, dtype=np.bool_)
            turned[board.upside_down[chosen]] = True
            pay, whole = [], 0
            for which, its in zip((board, other), (chosen, turned), strict=True):
                assert not any(which.middle[i] for i, (near, _) in enumerate(which.moves) if near < lowest)
                pairs = [(j, i, q) for j in np.flatnonzero(its) for i, q in which.partners[j] if its[i]]
                pay.append(sum(q * UNIT // 4 for *_, q in pairs) + int(which.middle[its].sum()) - which.lead)
                whole = UNIT * len(pairs)
                assert all(q == 4 for j, _, q in pairs if which.moves[j][0] < lowest)
                assert all(q == 0 for j, _, q in pairs if which.moves[j][0] >= height // 2 * 5)
            if height % 2:  # Where cells of the middle row have not two moves, they are paid for nevertheless
                start, ends = height // 2 * 5, [cell for i in np.flatnonzero(chosen) for cell in board.moves[i]]
                lacks = [2 - ends.count(start + x) for x in range(5)]
                pay.append(sum(2 * int(row[x]) * lacks[x] for x in range(5) if start + x not in board.holes))
            assert sum(pay) == whole


@pytest.mark.parametrize("height", [6, 7])
def test_the_bands_together_pay_no_more_than_the_board(height: int) -> None:
    for seed in range(3):
        data = prices_of(6, height, 5, seed)
        board = BandBoard(6, height, [2, 2, 2])
        give(board, data)
        for half in (False, True):
            paid = sum(least_of(board.rest(band, half)[0]) for band in range(3))
            assert paid <= FEWEST[6, height] * UNIT / (1 + half)


@pytest.mark.parametrize(("width", "height", "most"), [(5, 6, 47), (4, 9, 52), (3, 12, 58)])
def test_no_rest_is_more_than_what_a_band_still_pays(width: int, height: int, most: int) -> None:
    """After each cell of 2-factors: what a band pays from there on, as the argument has it, and its bound of that."""
    for seed, widths in enumerate(([1] * width, [2, width - 2], [width])):
        board, random = BandBoard(width, height, widths), np.random.default_rng(seed)
        across, middle = random.integers(-8, 9, (2, len(board.moves)))
        set_prices([board], [across], middle, random.integers(-8, 9, width * (height % 2)))
        number, upside_down = {move: i for i, move in enumerate(board.moves)}, board.upside_down
        factors = [sorted(number[move] for move in moves) for moves in board.factors(most)]
        for (band, _), half in itertools.product(enumerate(widths), (False, True)):
            rest, masks = board.rest(band, half), board.masks(band)
            for chosen in factors[:12]:
                to_pay = np.zeros(board.cells + 1)  # By the cell that pays, and then from a cell on
                for i in chosen:
                    cell, its = board.moves[i][0], board.bands[i]
                    if cell >= len(rest) - 1:
                        break
                    if band in its:
                        sign = 0 if len(its) == 1 else 1 if band == its[0] else -1
                        to_pay[cell] += sign * (across[i] + (0 if half else across[upside_down[i]]))
                        to_pay[cell] += board.middle[i] / len(its) if half else 0
                    for j, quarters in board.partners[i]:
                        both = {*its} & {*board.bands[j]}
                        if j in chosen and band in both:
                            to_pay[cell] += UNIT * (quarters / 4 if half else 1) / len(both)
                to_pay = to_pay[::-1].cumsum()[::-1] - (board.lead if half and not band else 0)
                for t, layer in enumerate(rest):
                    live = [i for i in chosen if board.moves[i][0] < t <= board.last[i]]
                    done = [board.moves[i][1] for i in chosen if board.last[i] < t <= board.moves[i][1]]
                    low, high = sum(1 << 2 * (c % board.slots) for c in done), sum(board.bit[i] for i in live)
                    known = masks[t] & np.array([low, high], dtype=np.uint64)
                    assert least(*layer, *known) <= to_pay[t]


@pytest.mark.slow
def test_learnt_prices_leave_fewer_states() -> None:
    board = BandBoard(6, 8, widths_of(6))
    without = board.fewest(58)
    *_, prices = learn([board], no_prices([board]), 8)
    prices.give([board])
    found = board.fewest(58)
    assert without.value == found.value == 58 and found.peak < without.peak
    assert prices.bound <= 58 and board.fewest(57).value is None


@pytest.mark.slow
@pytest.mark.parametrize("holes", [frozenset[int](), frozenset({47})])
def test_prices_learnt_with_narrow_bands_show_as_much_with_wide_ones(holes: frozenset[int]) -> None:
    widths = [4, 4] if not holes else [3, 1, 4]
    narrow, wide = (both_ways(BandBoard(8, 6, its, holes)) for its in (parts_of(widths), widths))
    *_, learnt = learn(narrow, no_prices(narrow), 12)
    first = next(learn(wide, learnt.learnt, 1))
    assert first.bound >= learnt.bound > 0
    *_, better = learn(wide, learnt.learnt, 12)
    assert better.bound >= first.bound and learnt.learnt.any()


@pytest.mark.slow
def test_a_bound_is_raised_until_there_is_a_2_factor() -> None:
    board = BandBoard(6, 8, widths_of(6))
    *_, prices = learn([board], no_prices([board]), 30)
    prices.give([board])
    bounds = list(raised([board], ceil(prices.bound), NO_LIMITS))
    assert bounds == sorted(bounds) and bounds[-1] == 58
    few = list(raised([BandBoard(8, 8, widths_of(8))], 40, Limits(memory=1 << 24)))
    assert few == sorted(few) and (not few or few[-1] < 68)


def test_bands_cover_a_board() -> None:
    assert [widths_of(width, small=True) for width in (13, 14, 15, 16, 18)] == [
        [4, 2, 1, 2, 4],
        [4, 3, 3, 4],
        [4, 3, 1, 3, 4],
        [4, 3, 2, 3, 4],
        [4, 3, 2, 2, 3, 4],
    ]
    assert widths_of(20, True, 3) == [3, 2, 2, 2, 2, 2, 2, 2, 3]
    assert parts_of([4, 3, 1, 2]) == [2, 2, 2, 1, 1, 2]
    assert [widths_of(width, False) for width in (9, 11, 13, 15)] == [
        [4, 1, 4],
        [4, 3, 4],
        [4, 3, 2, 4],
        [4, 3, 2, 2, 4],
    ]
    assert [widths_of(width) for width in (3, 5, 9, 14)] == [[1, 1, 1], [2, 1, 2], [4, 1, 4], [4, 2, 2, 2, 4]]


@pytest.mark.slow
def test_large_prices_never_show_too_much() -> None:
    """Up to where they are refused; the sums stay within their 16 bits."""
    refused = 0
    for seed, most in itertools.product(range(4), (100, 200, 400)):
        data = prices_of(5, 6, most, seed, [[2, 1, 2], [3, 2], [1] * 5, [4, 1]][seed])
        try:
            value = greatest(5, 6, data, 44)
        except TooLarge:
            refused += 1
        else:
            assert value == 44
    assert 0 < refused < 12


def test_sums_stay_within_their_bits() -> None:
    """What is kept in 16 bits is from -`MOST_PRICES` to `FAR`, and what is dropped was not needed."""
    assert UNIT * MOST + MOST_PRICES + MOST_LEAD < FAR < 2**15 and -(2**15) < -FAR < -MOST_PRICES - MOST_LEAD


def test_a_few_extreme_prices_do_no_harm() -> None:
    random = np.random.default_rng(5)
    for _ in range(4):
        data = prices_of(5, 6)
        for name in ("across", "middle"):
            for i in random.integers(0, len(data["across"]), 2):
                data[name][i] = int(random.choice([-1, 1])) * int(random.integers(1000, 1800))
        with suppress(TooLarge):
            assert greatest(5, 6, data, 44) == 44


def test_halves_begin_where_rows_are_low_enough() -> None:
    assert (HALVED // 2 - 2) > 0 >= (HALVED - 1) // 2 - 2
