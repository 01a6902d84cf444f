"""The fewest crossings of 2-factors, by bands of columns: against plain sweeps, and what any prices must satisfy."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.few_crossings.two_factors import UNIT, Board, least_of, widths_of
from kt_models import Problem, graph_of
from kt_models.certificates.frontier import least_value


@pytest.mark.parametrize(("width", "height", "fewest"), [(6, 6, 50), (6, 7, 55), (7, 6, 55), (6, 8, 58)])
def test_the_fewest_crossings_of_small_boards(width: int, height: int, fewest: int) -> None:
    """The rounds of prices change the number of states, and the cap what is found, if anything."""
    board = Board(width, height, widths_of(width))
    without = board.fewest(fewest + 2)
    *_, bound = board.learn(8)
    assert bound <= fewest
    assert board.fewest(fewest - 1)[:2] == (None, fewest)
    assert board.fewest(fewest + 2)[:2] == without[:2] == (fewest, fewest)
    assert board.fewest(fewest + 2).peak < without.peak


def test_with_little_room_there_are_true_bounds_on_both_sides() -> None:
    board, found = Board(6, 6, (3, 3)), []
    for room in (10, 100, 1000, 100_000):
        value, bound, _ = board.fewest(room=room)
        assert bound <= 50 <= (value or 50)
        found.append((value, bound))
    assert found[-1] == (50, 50)


@pytest.mark.parametrize(("width", "height"), [(5, 6), (6, 5), (5, 8)])
def test_a_plain_sweep_finds_the_same(width: int, height: int) -> None:
    fewest = least_value(Problem(graph_of(f"{width}x{height}"), "any", "crossings")).value
    assert fewest is not None
    assert Board(width, height, widths_of(width)).fewest()[:2] == (fewest, fewest)


def test_any_prices_give_true_bounds() -> None:
    """Across the middle a move and its image upside down have opposite prices."""
    board, random = Board(6, 6, (2, 2, 2)), np.random.default_rng(0)
    for _ in range(3):
        board.across = random.integers(-20, 20, len(board.moves))
        middle = 2 * random.integers(-5, 5, len(board.moves))
        rows = np.array(board.moves) // 6
        board.middle = ((rows[:, 0] < 3) & (rows[:, 1] >= 3)) * (middle - middle[board.images[1]])
        for half in (False, True):
            assert sum(least_of(board.rest(band, half)[0]) for band in range(3)) <= 50 * UNIT / (1 + half)
        assert board.fewest(50).value == 50


def test_bands_cover_a_board() -> None:
    assert [widths_of(width) for width in (5, 9, 14)] == [[2, 1, 2], [4, 1, 4], [4, 2, 2, 2, 4]]
