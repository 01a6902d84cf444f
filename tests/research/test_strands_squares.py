"""The searches for seeds of squares: patterns as walks, joins of cycles, and the families that squares give."""

from __future__ import annotations

import itertools
import random
from collections import Counter

import numpy as np
import pytest

from heuristics.constructions.strands.data import FOLDER
from heuristics.constructions.strands.walk import cycle_of
from heuristics.searches.sides.views import view
from kt_models.limits import NO_LIMITS
from kt_models.storage import read_json
from research.strands.across import AcrossSearch, Cycles, Joiner, patterns, with_exchange
from research.strands.chains import KINDS, entry
from research.strands.least import (
    ACROSS,
    PaintedSquare,
    TightSteps,
    WalkAnnealing,
    ends_with_one_more,
    first_walks,
    tight_steps,
    walks_apart_from,
)
from research.strands.pairs import forced_pairs
from research.strands.spirals import KINDS as SPIRALS
from research.strands.spirals import ExchangeWalk
from research.strands.spirals import entry as spirals_entry
from research.strands.walked import WalkedSquares
from research.strands.walks import Column, walks
from tests.effort import slow
from theorems.growing_tours.codes import PAIRS, Codes, check_codes, count
from theorems.growing_tours.spirals import SpiralProver
from theorems.growing_tours.zones import TourFamily


@pytest.mark.slow
def test_cycles_of_lines_at_a_right_angle_are_joined() -> None:
    """A choice of four patterns with 8n - 19 turns on 26x26 is several cycles; exchanges make it one."""
    codes = AcrossSearch(26, frozenset((1, 4))).board((1, 3, 1, 7))
    before, joiner, labelled = codes.copy(), Joiner(8 * 26 - 19, NO_LIMITS, random.Random(1)), Cycles.of(codes)
    for exchange in joiner.exchanges(codes, labelled):
        _, k, x, other = exchange
        after = len(Cycles.of(with_exchange(codes, exchange)).lengths)
        assert labelled.rotate(k).change(view(codes, k), x, other) == after - len(labelled.lengths)
    joined = joiner.join(codes)
    assert joined is not None and np.array_equal(codes, before)
    for board, cycles in ((codes, False), (joined[0], True)):
        check_codes(board)
        assert count(board, "turns") == 8 * 26 - 19 and (len(cycle_of(board)) == board.size) == cycles


@pytest.mark.parametrize("first", [(0, 2), *slow([(0, 1), (0, 1, 2), (0, 1, 3)])])
def test_closed_walks_of_ten_steps_are_the_patterns_of_period_ten(first: tuple[int, ...]) -> None:
    side_walks = walks(frozenset(first))
    found = set()
    for start in side_walks.at(-1):
        ways: list[tuple[int, tuple[Column, ...]]] = [(start, ())]
        for _ in range(10):
            ways = [(v, (*columns, column)) for u, columns in ways for v, column in side_walks.steps[u].items()]
        found |= {np.array(columns, dtype=np.uint8).tobytes() for end, columns in ways if end == start}
    assert found == {codes.tobytes() for codes in patterns(frozenset(first))}


@pytest.mark.slow
def test_detours_along_the_sides_cost_no_turns() -> None:
    squares = WalkedSquares(50, frozenset((2, 3)), 7)
    luck, seen = random.Random(1), set()
    for ends in luck.sample(squares.ends(20), 12):
        numbers = tuple(luck.randrange(len(side_walks.cycles)) for side_walks in squares.walks)
        for seeds in ((0,) * 4, tuple(luck.randrange(1, 99) for _ in range(4))):
            codes = squares.board(110, ends, numbers, seeds)
            if codes is not None:
                check_codes(codes)
                assert count(codes, "turns") == 8 * 110 - 20
                seen.add(codes.tobytes())
    assert len(seen) > 5


@pytest.mark.parametrize("side", [102, *slow([126, 138, 154])])
def test_pieces_of_walks_that_are_drawn_anew_cost_no_turns(side: int) -> None:
    """However they are drawn, the squares fit together, and their cycles are counted right."""
    corner = 7 if side == 126 else 5
    less, luck = 22 if side % 20 == 2 else 21, random.Random(1)
    squares = WalkedSquares(40 + side % 20, ACROSS, corner)
    walks = first_walks(squares, side, luck.choice(squares.ends(less)), luck)
    assert walks is not None
    found = WalkAnnealing(squares, side, walks, luck, (0, 3))
    seen = set()
    for _ in range(3):
        for _ in range(60):
            found.draw(100.0)
        for board, number, copies in zip(found.boards, found.numbers, found.copies, strict=True):
            check_codes(board.codes)
            assert np.array_equal(board.codes, found.codes(copies))
            assert count(board.codes, "turns") == 8 * len(board.codes) - less
            assert len(Cycles.of(board.codes).lengths) == number
        seen.add(found.boards[0].codes.tobytes())
    assert len(seen) == 3


FORCED = {62: 4, 74: 4, 78: 0}
"""By the side of a square: the fewest pairs of lines that the bottom and the top both join, no corner joins any."""


def every_walk(tight: TightSteps, start: int, stop: int, steps: int) -> list[list[int]]:
    walks = [[start]]
    for _ in range(steps):
        walks = [[*walk, after] for walk in walks for after in np.flatnonzero(tight.matrices[0][walk[-1]]).tolist()]
    return [walk for walk in walks if walk[-1] == stop]


def cycles_of_two_lines(codes: Codes) -> int:
    """How many cycles are two lines of the direction (1, -2), each with one cell in the two rows in the middle."""
    labelled, side = Cycles.of(codes), len(codes)
    rows = np.s_[:, side // 2 - 1 : side // 2 + 1]
    met = Counter(labelled.labels[rows][codes[rows] == PAIRS.index((3, 7))].tolist())
    return sum(number == 2 and labelled.lengths[label] == side for label, number in met.items())


@pytest.mark.slow
@pytest.mark.parametrize("side", [62, 78, *slow([74])])
def test_pairs_of_lines_that_no_walks_avoid(side: int) -> None:
    """All walks of the bottom and the top, with some walks of the other sides."""
    squares = WalkedSquares(40 + side % 20, ACROSS, 5)
    ends = squares.ends(21)[0]
    steps = tight_steps(squares)
    nodes = [[tight.nodes.index(ends[at % 4][1 - at + k]) for at in (k, k + 1)] for k, tight in enumerate(steps)]
    bottoms, tops = (every_walk(steps[k], *nodes[k], side - 10) for k in (0, 2))
    right, left = (steps[k].draw(*nodes[k], side - 10, False, random.Random(1)) for k in (1, 3))
    assert right is not None and left is not None
    board, found = PaintedSquare.of(squares, steps, [bottoms[0], right, tops[0], left]), []
    for bottom, top in itertools.product(bottoms, tops):
        board.exchange(0, bottom)
        board.exchange(2, top)
        found.append(cycles_of_two_lines(board.codes))
    assert min(found) == forced_pairs(squares, side)[ends[1][0], ends[3][0]] == FORCED[side]


@pytest.mark.slow
def test_with_one_turn_more_no_two_lines_are_joined_twice() -> None:
    """Sides of 22 modulo 60 are tried, where all other walks have four cycles of two lines or more."""
    side, luck = 142, random.Random(1)
    squares = WalkedSquares(40 + side % 20, ACROSS, 7)
    forced = forced_pairs(squares, side)
    assert {forced[ends[1][0], ends[3][0]] for ends in squares.ends(22)} == {4}
    choices, seen = ends_with_one_more(squares, 21), set()
    for _ in range(15):
        walks = walks_apart_from(squares, side, luck.choice(choices), luck)
        if walks is not None:
            codes = PaintedSquare.of(squares, tight_steps(squares), walks).codes
            check_codes(codes)
            assert count(codes, "turns") == 8 * side - 21
            assert cycles_between_bottom_and_top(codes) == 0
            seen.add(codes.tobytes())
    assert len(seen) > 1


def cycles_between_bottom_and_top(codes: Codes) -> int:
    """Cycles of two lines, both from the right half of the bottom to the left half of the top, no corner in them."""
    labelled, side = Cycles.of(codes), len(codes)
    corners = {*labelled.labels[-7:, :7].ravel().tolist(), *labelled.labels[:7, -7:].ravel().tolist()}
    rows = np.s_[:, side // 2 - 1 : side // 2 + 1]
    met = Counter(labelled.labels[rows][codes[rows] == PAIRS.index((3, 7))].tolist())
    return sum(
        number == 2 and labelled.lengths[label] == side and label not in corners for label, number in met.items()
    )


# -- families from squares ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("residue", "which"), [(6, ""), (14, "-14")])
def test_a_square_gives_the_family_that_is_delivered(residue: int, which: str) -> None:
    delivered = read_json(FOLDER / f"strands-turns-chains{which}.json")["families"][1]
    square = TourFamily.from_json(delivered).board_codes((0, 0))
    assert entry(square, KINDS[residue]) == delivered


@pytest.mark.slow
def test_a_walk_joins_the_cycles_of_two_squares_by_the_same_exchanges() -> None:
    boards = [AcrossSearch(n, frozenset((2, 3))).board((1, 6, 2, 9)) for n in (78, 118)]
    assert [len(Cycles.of(codes).lengths) for codes in boards] == [2, 2]
    walk = ExchangeWalk(boards, 6, random.Random(0))
    assert walk.join()
    for codes in walk.boards:
        check_codes(codes)
        assert count(codes, "turns") == 8 * len(codes) - 19 and len(cycle_of(codes)) == codes.size


@pytest.mark.slow
@pytest.mark.parametrize(("residue", "which"), [(18, ""), (2, "-2"), (14, "-14")])
def test_a_square_gives_the_family_of_spirals_that_is_delivered(residue: int, which: str) -> None:
    delivered = read_json(FOLDER / f"strands-turns-spirals{which}.json")["families"][1]
    square = TourFamily.from_json(delivered).board_codes((0, 0))
    assert spirals_entry(square, SPIRALS[residue], SpiralProver()) == delivered
