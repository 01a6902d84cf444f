"""Crossings of rectangles that lack cells: short boards, and windows beside the missing cells."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from encoders.bounds.methods import belt as files
from encoders.bounds.methods import methods
from kt_models import Problem, graph_of
from kt_models.errors import CertificateError
from kt_models.kernel.certificates import Certificate, states
from kt_models.leaper import KNIGHT
from kt_models.limits import NO_LIMITS
from tests.effort import slow, slow_rows
from theorems.crossings import corner_cuts, holes, lemmas, theorem
from theorems.crossings.belts import Belt, StationaryBelt, start_values

LACKING = ("a1", "c1", "z2", "a20", "ad1", "a1,b1,ad30", "k1,z1,ad9")


def usual() -> StationaryBelt:
    """V in the middle of the sides of boards that lack nothing."""
    lap = theorem._stationary_lap(Belt(KNIGHT, True, 1, 14, 1, 0), NO_LIMITS)
    (side, *_) = (side for side in lap.stationary if side)
    return side


def problem(board: str, closed: bool = True) -> Problem:
    return Problem(graph_of(board), "cycle" if closed else "path", "crossings")


def data(board: str, rows: int, full: int = 14) -> dict[str, int]:
    """A certificate of belts on a board whose missing cells are listed."""
    return {"rows": rows, "full": full, "laps": 2, "holes": 1 + board.count(",")}


@pytest.mark.parametrize(
    ("cells", "closed", "rows"),
    [*product(LACKING, (True, False), (1,)), *slow_rows([*product(LACKING, (True, False), (2,))])],
)
def test_a_short_board_shows_what_the_whole_belt_shows(
    cells: str, closed: bool, rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The whole belt is swept without leaving out a column."""
    board = f"70x75-{cells}"
    bound = theorem.bound(problem(board, closed), data(board, rows))
    monkeypatch.setattr(holes, "STRETCHES", (100,))
    assert bound == theorem.bound(problem(board, closed), data(board, rows))


@pytest.mark.parametrize("cells", LACKING)
def test_each_column_adds_two_crossings(cells: str) -> None:
    first = theorem.bound(problem(f"70x75-{cells}"), data(cells, 1))
    assert theorem.bound(problem(f"170x175-{cells}"), data(cells, 1)) == first + 400


def test_a_cell_that_no_step_sees_changes_nothing() -> None:
    assert theorem.bound(problem("70x75-ad30"), data("ad30", 1)) == 2 * 145 + 16


def test_lowering_v_loses_and_never_gains() -> None:
    board = graph_of("61x61-a1").board
    sweep = holes.ShortBoard.of(board, Belt(KNIGHT, True, 1, 14, 1, 0), 28).sweep()
    memory = states.Memory(NO_LIMITS)
    front, _ = start_values(sweep, memory)
    plain, lowered = sweep.lap(front, memory), sweep.lap(front, memory, usual=usual())
    assert lowered.least <= plain.least
    for side in lowered.repeats:
        assert all(column.front.digest == usual().front.digest for column in side) and len(side) > 10


@pytest.mark.parametrize(
    ("cells", "paying"),
    [
        # 61x61 has four windows at each corner, about the cuts 9, 15, 21 and 27.
        ("ae31", 12),  # In the middle: its level is 30 at each corner, and the last windows see the level 33.
        ("a1", 12),  # The colour of the corner: the flux is one that comes without an excess.
        ("b2", 12),
        ("a2", 15),  # The other colour; V is not yet the usual one at the first window.
        ("b1", 15),
    ],
)
def test_windows_pay_where_they_see_no_missing_cell(cells: str, paying: int) -> None:
    belt = Belt(KNIGHT, True, 1, 14, 1, 0)
    short = holes.ShortBoard.of(graph_of(f"61x61-{cells}").board, belt, 28)
    memory, sweep = states.Memory(NO_LIMITS), short.sweep()
    front, _ = start_values(sweep, memory, usual())
    lap = sweep.lap(front, memory, usual=usual())
    # The fluxes without an excess: the slow tests of `corner_cuts` compute them.
    assert short.windows(lap, corner_cuts.CornerCuts(6, 9), usual(), {0}) == paying
    assert short.windows(lap, corner_cuts.CornerCuts(6, 9), usual(), {0, 1, 2}) == 0


@pytest.mark.slow
def test_the_bound_with_windows() -> None:
    for board, least in (("61x61-a1", 265), ("1501x1501-a1", 6385)):
        assert theorem.bound(problem(board), files.delivered("cuts") | {"holes": 1}) == least


@pytest.mark.parametrize(
    ("board", "closed", "least"),
    [
        ("1501x1501-a1", True, 4 * 1501 + 25),
        ("6001x6001-a1", True, 4 * 6001 + 25),
        ("451x451-c1", True, 4 * 451 + 20),
        ("451x600-a1,h8", True, 2 * 1051 + 25),
        ("451x451-a1", False, 4 * 451 + 15),
        ("451x600-a1,b1", False, 2 * 1051 + 10),
    ],
)
def test_a_large_board_that_lacks_cells_has_a_quick_bound(board: str, closed: bool, least: int) -> None:
    row = methods()["belt"]
    assert row.worth(problem(board, closed), None)
    first = next(row.certificates(problem(board, closed)))
    assert first.bound is not None and least <= first.bound <= least + 12
    again = Certificate.from_json(first.to_json())
    again.check()
    assert "columns between missing cells" in lemmas(first.data).by_program


@pytest.mark.parametrize("board", ["7x7-a1", *slow(["7x9-a1", "9x7-a7"])])
def test_no_bound_is_above_a_tour(board: str) -> None:
    """The least crossings of small boards that lack a corner, by a search that shares nothing with belts."""
    from encoders import solve

    result = solve(problem(board), time_limit=20.0)
    assert result.value is not None
    assert theorem.bound(problem(board), data(board, 1)) <= result.value


def test_wrong_numbers_of_missing_cells_are_refused() -> None:
    for wrong in ({}, {"holes": 2}, {"holes": -1}, {"holes": 10**9}):
        with pytest.raises(CertificateError, match="holes"):
            theorem.bound(problem("61x61-a1"), {"rows": 1, "full": 14, "laps": 1} | wrong)
    with pytest.raises(CertificateError, match="holes"):
        theorem.bound(problem("61x62"), {"rows": 1, "full": 14, "laps": 1, "holes": 1})


def test_random_missing_cells_keep_the_bound_of_the_whole_belt(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(70)
    for _ in range(3):
        cells = {tuple(cell) for cell in rng.integers(0, (64, 66), (6, 2)).tolist()}
        graph = graph_of("64x66")
        assert graph.board is not None
        board = "64x66-" + ",".join(graph.board.name(graph.board.number(cell)) for cell in sorted(cells))
        bounds = []
        for stretches in ((2, 3), (100,)):
            monkeypatch.setattr(holes, "STRETCHES", stretches)
            try:
                bounds.append(theorem.bound(problem(board), data(board, 1)))
            except CertificateError as error:
                bounds.append(str(error))
        assert bounds[0] == bounds[1]
