"""Windows at the corners: 13n/3 + 8 crossings (`theorems.crossings.corner_cuts`)."""

from __future__ import annotations

import json
from collections import defaultdict
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from encoders.bounds.methods import belt as files
from kt_models import Problem, graph_of
from kt_models.errors import CertificateError
from kt_models.kernel.certificates import states
from kt_models.leaper import KNIGHT, Leaper
from kt_models.limits import NO_LIMITS, Limits, Stopped
from kt_models.tour import Tour
from tests.effort import slow_rows
from theorems.crossings import corner_cuts
from theorems.crossings import theorem as crossings
from theorems.crossings.belts import Belt, BeltSweep, StationaryBelt, start_values
from theorems.crossings.corner_cuts import CornerCuts, CutWindow, fluxes
from theorems.crossings.theorem import LargeBoards
from theorems.statement import Bound

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / "heuristics" / "delivered" / "results" / "crossings-cuts.json"
Move = tuple[tuple[int, int], tuple[int, int]]


def delivered() -> Any:
    return json.loads(FILE.read_text())


def file(**changed: Any) -> Any:
    return {**delivered(), **changed}


@cache
def belt() -> StationaryBelt:
    """V of the belt of one row in the middle of a side."""
    belt, memory = Belt(KNIGHT, True, 1, 14, 1, 0), states.Memory(NO_LIMITS)
    board = BeltSweep(belt, 14, 14)
    lap = board.lap(start_values(board, memory)[0], memory)
    (side, *_) = (side for side in lap.stationary if side)
    return side


SHOWN = LargeBoards(14, 72, 2, CornerCuts(6, 9))
"""What the delivered file shows (the first test computes it)."""
CLAIM = "every closed knight's tour of a board n x n with n >= 14 has at least 13/3 n + 8 crossings"


@pytest.mark.slow
def test_every_closed_tour_of_a_square() -> None:
    (claim,) = crossings.check(delivered())
    assert claim.text == CLAIM


@pytest.mark.slow
def test_windows_are_swept_until_their_states_repeat(monkeypatch: pytest.MonkeyPatch) -> None:
    swept = []

    def four_rows(window: CutWindow, *arguments: Any) -> tuple[set[int], bool]:
        """Whether they repeat of windows with fewer states, and the flux of those with six rows."""
        swept.append(window.cut)
        return {0}, fluxes(CutWindow(KNIGHT, 4, window.cut - 1), *arguments)[1]

    monkeypatch.setattr(corner_cuts, "fluxes", four_rows)
    (claim,) = crossings.check(delivered())
    assert claim.text == CLAIM
    assert swept == [9, 15, 21]


def test_the_bound_of_one_board(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corner_cuts, "check", lambda *_: None)  # Which the tests above have seen to pass
    problem = Problem(graph_of("1000x100"), objective="crossings")
    assert crossings.bound(problem, delivered()) == SHOWN.at(100, 1000) == 2244


@pytest.mark.parametrize(("slope", "constant"), [((13, 3), (25, 3)), ((22, 5), (0, 1)), ((14, 3), (-100, 1))])
def test_nothing_more_is_claimed(slope: tuple[int, int], constant: tuple[int, int]) -> None:
    bound = Bound("at-least", "crossings", Fraction(*slope) / 2, Fraction(*constant))
    with pytest.raises(CertificateError, match=r"only|as much"):
        crossings.require_squares(SHOWN, 14, bound)


def test_no_less_than_the_claim_is_shown_of_any_square() -> None:
    gap = [SHOWN.at(n, n) - Fraction(13, 3) * n for n in range(14, 2000)]
    assert min(gap) == 8 and max(gap) < 16


@pytest.mark.parametrize(
    "changed",
    [
        {"cuts": {"rows": 4, "first": 9}},
        {"cuts": {"rows": 5, "first": 9}},
        {"cuts": {"rows": 6, "first": 8}},
        {"cuts": {"rows": 6, "first": 61}},
        {"cuts": {"rows": 6, "first": True}},
        {"cuts": {"rows": 6}},
        {"cuts": {"rows": 6, "first": 9, "excess": 2}},
        {"cuts": []},
        {"cuts": None},
        {"rows": 2},
    ],
)
def test_other_windows_show_nothing(changed: dict[str, Any]) -> None:
    with pytest.raises(CertificateError):
        crossings.check(file(**changed))


@pytest.mark.parametrize("side", [14, 24, 25, 36, 37, 84, 85, 100, 101])
def test_windows_have_room(side: int) -> None:
    cuts = [cut for cut in range(9, side, 6) if 2 * (cut + 3) < side]  # No level of a window reaches the middle
    assert CornerCuts(6, 9).added(side) == 4 * len(cuts)


def test_windows_are_used_from_where_they_show_more_than_a_wider_belt() -> None:
    bound = Bound("at-least", "crossings", Fraction(2), Fraction(36))  # Of `crossings-all-n.json`
    least = next(side for side in range(14, 200) if SHOWN.at(side, side) > bound.at(2 * side))
    assert least == files.MIN_CUT_SIDE


def test_a_half_without_any_state_is_no_error() -> None:
    nothing = corner_cuts.HalfStates([3], np.zeros(0, dtype=np.uint64), True)
    assert corner_cuts._grouped(nothing, [3], []) == {}


@pytest.mark.parametrize(
    "changed",
    [
        {"closed": False},
        {"leaper": "2,3"},
        {"leaper": "0,1"},
        {"leaper": "1,3"},
        {"boards": {"shape": "rectangles", "least": 14}},
        {"boards": {"shape": "squares", "least": 13}},
        {"boards": {"shape": "aztec diamonds", "least": 14}},
    ],
)
def test_the_claim_is_about_closed_tours_of_squares(changed: dict[str, Any]) -> None:
    data = delivered()
    data["claims"][0] |= changed
    with pytest.raises(CertificateError):
        crossings.check(data)


def test_limits_are_kept() -> None:
    with pytest.raises(Stopped):
        crossings.check(delivered(), Limits(seconds=0.2))


def test_windows_add_to_rectangles_as_many_as_the_shorter_side_has_room_for() -> None:
    for size, more in (((14, 30), 0), ((24, 24), 0), ((25, 60), 4), ((36, 99), 4), ((37, 37), 8), ((100, 1000), 28)):
        assert SHOWN.at(*size) == 2 * sum(size) + 16 + more


def test_small_boards_get_what_their_own_belt_shows() -> None:
    problem = Problem(graph_of("10x13"), objective="crossings")
    assert crossings.bound(problem, delivered()) == 2 * 23 + 16


# -- what windows pay, without the sweep -------------------------------------------------------------------------------


def moves_of(tour: Tour) -> list[Move]:
    board = tour.graph.board
    assert board is not None
    return [tuple(map(tuple, move)) for move in board.cells[tour.graph.ends[tour.edges]].tolist()]


def cross(first: Move, second: Move) -> bool:
    """Whether two segments meet between their ends, by the sides on which the ends lie."""
    if {*first} & {*second}:
        return False

    def side(a: Any, b: Any, c: Any) -> int:
        return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

    (a, b), (c, d) = first, second
    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0


def excess(moves: list[Move], cut: int, rows: int = 6) -> int:
    """Excess of the window about a cut at the corner (0, 0), whose side x = 0 the lap takes towards the corner."""
    low = cut - rows // 2
    near = [
        move for move in moves if max(max(c) for c in move) >= low - 4 and min(max(c) for c in move) < low + rows + 4
    ]
    begun = defaultdict(list)
    for move in near:
        begun[move[0]].append(move)
    around = list(product(range(-4, 5), repeat=2))  # Moves that cross begin so near to each other
    pairs = [(e, f) for e in near for a, b in around for f in begun.get((e[0][0] + a, e[0][1] + b), ()) if e < f]
    pairs = [(e, f) for e, f in pairs if cross(e, f)]

    def at_side(move: Move) -> bool:
        return min(map(min, move)) == 0

    inside = sum(
        4 * low <= sum(max(c) for move in pair for c in move) < 4 * (low + rows)
        for pair in pairs
        if not all(map(at_side, pair))
    )
    return inside + sum(belt_excess(moves, pairs, low, rows, towards) for towards in (True, False))


def belt_excess(moves: list[Move], pairs: list[tuple[Move, Move]], low: int, rows: int, towards: bool) -> int:
    """What the columns of the belt at one side pay, with V before them, less V after them, less 1 for each."""
    value = {int(word) >> states.COST_BITS: int(word) & (1 << states.COST_BITS) - 1 for word in belt().front.states}

    def turned(cell: tuple[int, int]) -> tuple[int, int]:  # Along the lap, and the distance from the side
        return (-cell[1], cell[0]) if towards else cell

    mine = {frozenset(map(turned, move)) for move in moves}
    first, last = (-(low + rows - 1), -low) if towards else (low, low + rows - 1)

    def v(column: int) -> int:
        names = [frozenset((a + column, d) for a, d in name) for name in belt().names]
        return value[sum((name in mine) << k for k, name in enumerate(names))]

    def decided(move: Move) -> int | None:
        at = [along for along, deep in map(turned, move) if deep == 0]
        return min(at) if at else None

    paid = 0
    for e, f in pairs:
        at = decided(e), decided(f)
        if None not in at and first <= max(at) <= last:  # type: ignore[type-var]
            paid += 1
    return paid + v(first - 1) - v(last) - rows


def corners(moves: list[Move], width: int, height: int) -> list[list[Move]]:
    """The same moves seen from each corner, turned (the lap is turned, too)."""
    found = []
    for _ in range(4):
        found.append(moves)
        moves = [tuple((y, width - 1 - x) for x, y in move) for move in moves]
        width, height = height, width
    return found


def tours() -> list[Tour]:
    from heuristics.constructions.octants import octants
    from heuristics.find import find

    made = [octants(Problem(graph_of(board), objective="crossings")).tour for board in ("52x52", "68x91")]
    made += [find(Problem(graph_of("44x50")), "formation").tour, find(Problem(graph_of("37x40")), "merge").tour]
    return [tour for tour in made if tour is not None]


@pytest.mark.slow
def test_windows_of_tours_have_an_excess_and_what_they_have_adds_up() -> None:
    cuts = CornerCuts(6, 9)
    for tour in tours():
        board = tour.graph.board
        assert board is not None
        width, height = board.shape
        moves, count = moves_of(tour), cuts.added(min(width, height)) // 4
        assert count >= 2
        total = 0
        for seen in corners(moves, width, height):
            for k in range(count):
                added = excess(seen, cuts.first + k * cuts.rows)
                assert added >= 1, (tour.graph.name, k)
                total += added
        assert 2 * (width + height) + 16 + total <= tour.measure("crossings")


@pytest.mark.parametrize(
    ("rows", "cut", "fluxes_without", "wanted"),
    [(4, 16, {0, 1, 2}, 0), *slow_rows([(6, 9, {0}, 2), (6, 12, {1}, 0)])],
)
def test_a_window_has_an_excess_only_because_of_the_flux(
    rows: int, cut: int, fluxes_without: set[int], wanted: int
) -> None:
    """Without excess the flux through six rows is 1 or 0, for even and odd cuts; through four rows it is any.

    The first window of the delivered file is one of these; the others, with more states, are swept with it.
    """
    window = CutWindow(KNIGHT, rows, cut)
    assert fluxes(window, belt(), NO_LIMITS)[0] == fluxes_without and window.wanted == wanted


def test_leapers_that_keep_the_colour_are_refused() -> None:
    """A leaper that keeps the colour of its cell has no flux."""
    with pytest.raises(CertificateError, match="change the colour"):
        corner_cuts.check(CornerCuts(6, 9), Leaper(1, 3), belt(), NO_LIMITS)
