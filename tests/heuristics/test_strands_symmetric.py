"""Strands tours that a half turn maps to themselves, and squares that a quarter turn does."""

import numpy as np
import pytest

from heuristics.constructions.strands import HALF_TURN
from heuristics.constructions.strands.data import FOLDER
from heuristics.constructions.strands.walk import cycle_of
from heuristics.find import find
from kt_models import KTError, Problem, graph_of, verify
from kt_models.storage import read_json
from kt_models.symmetry import Symmetry
from research.strands.across import view
from research.strands.half import HalfTurnSquare, entry, half_turn_family, meeting
from research.strands.quarter import DEPTH, QuarterSquare
from theorems.growing_tours.codes import check_codes, turns
from theorems.growing_tours.zones import TourFamily


@pytest.mark.parametrize("n", [74, 76, 80, 94])
def test_a_half_turn_keeps_the_tour_and_its_turns(n: int) -> None:
    problem = Problem(graph_of(f"{n}x{n}"), symmetry=(HALF_TURN,))
    tour = find(problem, "strands").tour
    assert tour is not None
    verify(tour)
    assert tour.measure("turns") == 8 * n - {0: 16, 4: 12}.get(n % 8, 18) and HALF_TURN in tour.symmetries()


@pytest.mark.parametrize(("board", "symmetry"), [("72x72", "rot180"), ("74x76", "rot180"), ("74x74", "rot90")])
def test_no_family_for_a_symmetry(board: str, symmetry: str) -> None:
    with pytest.raises(KTError, match="strands"):
        find(Problem(graph_of(board), symmetry=(Symmetry.parse(symmetry),)), "strands")


def test_a_half_turn_keeps_the_seeds() -> None:
    """A choice of patterns is two moves at each cell, which a half turn keeps, and has the turns of its parts."""
    square = HalfTurnSquare(78)
    chosen = (0, 1, 7, 14, 14, 7)
    ways = [square.fillings(which, pair, 2) for which, pair in enumerate(meeting(chosen))]
    blocks = [found[1][-1] for found in ways if found]
    codes = square.board(chosen, blocks)
    check_codes(codes)
    outside = np.ones(codes.shape, dtype=bool)
    for x, y, columns, rows in square.boxes:
        outside[x : x + columns, y : y + rows] = False
    outside &= outside[::-1, ::-1]
    assert half_turn_family(codes).half_turned
    assert turns(codes) == turns(codes[outside]) + 2 * sum(found[0] for found in ways if found)


@pytest.mark.slow
@pytest.mark.parametrize("number", [0, 3, 5])
def test_a_seed_gives_the_family_that_is_delivered(number: int) -> None:
    delivered = read_json(FOLDER / "strands-turns-symmetric.json")["families"][number]
    assert entry(TourFamily.from_json(delivered)) == delivered


@pytest.mark.parametrize(("n", "fewest"), [(22, 168), (34, 276)])
def test_squares_with_a_quarter_turn(n: int, fewest: int) -> None:
    """Two moves at each cell, which a quarter turn keeps; inside, a turn in every third row or column of a diagonal."""
    square = QuarterSquare(n)
    codes = square.board(square.solve(np.zeros(len(square.options))))
    check_codes(codes)
    assert turns(codes) == fewest and np.array_equal(view(codes), codes)
    inside = slice(DEPTH, -DEPTH)
    assert turns(codes[inside, inside]) == 4 * round((n / 2 - DEPTH) / 3)


@pytest.mark.slow
def test_a_tour_with_a_quarter_turn() -> None:
    codes = QuarterSquare(30).tour()
    assert codes is not None and len(cycle_of(codes)) == codes.size and turns(codes) == 240
