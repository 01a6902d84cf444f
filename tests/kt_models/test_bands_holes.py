"""Bounds of crossings by bands of columns on boards with holes: against all choices of moves, from both sides."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from encoders.bounds.methods.bands import METHOD
from kt_models import CertificateError, Problem, graph_of
from kt_models.kernel.certificates.bands.board import BandBoard, both_ways, fewest, set_prices
from kt_models.kernel.certificates.bands.bound import bound
from kt_models.kernel.certificates.bands.step import MOST, MOST_LEAD, UNIT
from tests.kt_models.band_boards import fewest_by_trying, moved, with_holes


def priced(width: int, height: int, holes: frozenset[int], most: int, random: np.random.Generator) -> list[BandBoard]:
    """The board and, if it is another one, the one upside down, with random prices and lead."""
    boards = both_ways(BandBoard(width, height, [2, width - 2], holes))
    *across, middle = random.integers(-most, most + 1, (len(boards) + 1, len(boards[0].moves)))
    row = random.integers(-most, most + 1, width * (height % 2))
    set_prices(boards, across, middle, row, int(random.integers(-5 * UNIT, 5 * UNIT)))
    return list(boards)


@pytest.mark.slow
def test_bands_agree_with_brute_force_on_boards_with_holes() -> None:
    """Most boards are not the same upside down, and of most sizes halves are looked at."""
    random, found = np.random.default_rng(1), Counter[tuple[int, bool]]()
    for width, height, number in [(4, 6, 2), (3, 8, 2), (4, 7, 2), (3, 9, 1), (3, 10, 2)] * 6:
        holes = with_holes(width, height, number, random)
        value = fewest_by_trying(width, height, holes)
        boards = priced(width, height, holes, 6, random)
        found[len(boards), value is not None] += 1
        assert fewest(boards, MOST if value is None else value + 2) == value
        assert value is None or fewest(boards, value - 1) is None
    assert found[2, True] > 6 and found[1, True]


@pytest.mark.slow
def test_all_2_factors_of_boards_with_holes_are_listed_from_one_of_both_sides() -> None:
    """Each of the two lists lacks some now and then, as one of both sides is granted less."""
    random, short = np.random.default_rng(2), [0, 0]
    for _ in range(40):
        holes = with_holes(3, 12, 2, random)
        boards = priced(3, 12, holes, 6, random)
        value = fewest(boards, MOST)
        if value is None or len(boards) == 1:
            continue
        board, other = boards
        lists = [
            {frozenset(map(frozenset, its)) for its in board.factors(value + 6)},
            {moved(frozenset(map(frozenset, its)), other.turned_image) for its in other.factors(value + 6)},
        ]
        plain = BandBoard(3, 12, [3], holes)
        plain.lead = MOST_LEAD  # So that no half is too much
        wanted = {frozenset(map(frozenset, its)) for its in plain.factors(value + 6)}
        assert lists[0] | lists[1] == wanted
        short = [number + (found < wanted) for number, found in zip(short, lists, strict=True)]
    assert all(short)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "fewest", "tour"), [("aztec:3", 22, 23), ("5x7-a1", 42, 43), ("6x6-a1,e2", 43, 43)])
def test_certificates_of_boards_with_holes(name: str, fewest: int, tour: int) -> None:
    for connectivity, value in (("any", fewest), ("cycle", tour)):
        problem = Problem(graph_of(name), connectivity, "crossings")
        certificate = METHOD.certify(problem, rounds=8)
        assert certificate is not None and certificate.bound == value
        certificate.check()
        more = {**certificate.data, "at_least": value + 1}
        with pytest.raises(CertificateError, match="there is a"):
            bound(problem, more)
        for key in certificate.data:
            with pytest.raises(CertificateError):
                bound(problem, {k: v for k, v in certificate.data.items() if k != key})
