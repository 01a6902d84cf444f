"""Octant tours: squares of even side with 19/3 crossings per cell of the side and a constant; the searches behind
them."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import itertools
import json
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heuristics.constructions.octants import octants
from heuristics.constructions.octants.boards import load_octants, octant_codes
from heuristics.constructions.strands.walk import cycle_of
from kt_models import Leaper, Problem, graph_of
from kt_models.errors import CertificateError, KTError
from kt_models.tour import verify
from research.few_crossings.blocks import OPEN, codes_of, cost, fixed_moves
from research.few_crossings.parts import MOST, anew, free_moves, merged_family, parts_of, repeats, stays
from research.few_crossings.rectangles import larger, unmerged_rectangle
from research.few_crossings.regimes import Join, Regime, bend, bottom, chevron, left, seam, search, turned_seam
from research.few_crossings.sides import FLAT, STEEP, side_graph
from research.few_crossings.squares import PLAIN, Square, axis_patterns, axis_turns
from theorems.growing_tours.codes import MOVES, count
from theorems.growing_tours.octant_data import Octants
from theorems.growing_tours.octants import _height_cut, check_one_cycle
from theorems.growing_tours.zones import Zone

FAMILIES = load_octants()
GAP, CONSTANT = 1, 96
"""Gap and constant of the claim about rectangles."""
RECTANGLES = load_octants("octants-rectangles.json")
ODD_GAP, ODD_CONSTANT = 1, 95
odd = functools.partial(load_octants, "octants-odd.json")
"""They take two seconds to read: not when tests are collected, in each process."""


def crossings(family: Octants, steps: int) -> int:
    return count(family.board_codes(steps), "crossings")


def test_every_even_side_from_52_on_is_served_once() -> None:
    assert sorted(family.width % 12 for family in FAMILIES) == [0, 2, 4, 6, 8, 10]
    assert sorted(family.width + 12 * family.least for family in FAMILIES) == list(range(52, 64, 2))
    assert octant_codes(50, 50) is None
    assert octant_codes(81, 81) is None


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: str(family.width))
def test_every_board_of_a_family_has_one_cycle(family: Octants) -> None:
    assert check_one_cycle(family).sizes[0] == (family.width - 12,) * 2


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: str(family.width))
def test_twelve_more_cells_cost_76_crossings_and_152_turns(family: Octants) -> None:
    """19/3 and 38/3 per cell of the side; `docs/constructions/few-crossings.md` says what each part of it is for."""
    for metric, slope, constant in (("crossings", 76, 86), ("turns", 152, 15)):
        counts = [count(family.board_codes(steps), metric) for steps in (-1, 0, 1, 2)]
        assert [b - a for a, b in itertools.pairwise(counts)] == [slope] * 3
        assert counts[1] <= slope * family.width / 12 + constant


@settings(max_examples=8, deadline=None)
@given(st.integers(26, 120))
def test_tours_are_verified_and_beat_the_formation(half: int) -> None:
    problem = Problem(graph_of(f"{2 * half}x{2 * half}"))
    tour = octants(problem).tour
    assert tour is not None
    verify(tour)
    assert tour.measure("crossings") <= 19 * 2 * half / 3 + 86 < 12 * 2 * half - 26


@pytest.mark.slow
def test_all_even_sides_up_to_500() -> None:
    for side in range(52, 501, 2):
        codes = octant_codes(side, side)
        assert codes is not None
        assert len(cycle_of(codes)) == side**2
        assert count(codes, "crossings") <= 19 * side / 3 + 86


def test_every_even_width_and_every_height_are_served_once() -> None:
    for width, longer in itertools.product(range(66, 92, 2), range(GAP, GAP + 4)):
        assert sum(family.steps(width, width + longer) is not None for family in RECTANGLES) == 1
    assert octant_codes(52, 52 + GAP) is None


@pytest.mark.parametrize("family", RECTANGLES, ids=lambda family: "{}x{}".format(*family.codes.shape))
def test_two_more_rows_cost_6_crossings(family: Octants) -> None:
    most = family.max_steps[1]
    counts = [[count(family.board_codes(i, j), "crossings") for j in (0, 1, most, most + 1)] for i in (0, 6, 7)]
    assert all(second - first == last - most == 6 for first, second, most, last in counts)
    assert [b - a for a, b in zip(counts[1], counts[2], strict=True)] == [76] * 4


@pytest.mark.parametrize(
    "family",
    [pytest.param(family, marks=[pytest.mark.slow] * (k != 7)) for k, family in enumerate(RECTANGLES)],
)
def test_every_rectangle_of_a_family_has_one_cycle(family: Octants) -> None:
    evidence = check_one_cycle(family)
    steps, bands = family.max_steps
    assert len(evidence.height_cuts) == steps - family.least + 1
    assert len(evidence.sizes) == len(evidence.height_cuts) * (bands + 1)


def test_every_odd_width_and_every_even_height_are_served_once() -> None:
    for width, height in itertools.product(range(65, 93, 2), range(66, 110, 2)):
        served = sum(family.steps(width, height) is not None for family in odd())
        assert served <= 1
        assert served or height < width + ODD_GAP
    assert octant_codes(51, 80) is None


@pytest.mark.parametrize("number", range(0, 24, 8))
def test_steps_of_odd_boards_cost_7_for_2_rows_and_182_for_24_columns_and_rows(number: int) -> None:
    family = odd()[number]
    counts = [[count(family.board_codes(i, j), "crossings") for j in (0, 1)] for i in (-1, 0, 1)]
    assert all(second - first == 14 for first, second in counts)
    assert [b - a for a, b in itertools.pairwise(first for first, _ in counts)] == [182, 182]


def test_every_odd_board_of_a_family_has_one_cycle() -> None:
    evidence = check_one_cycle(odd()[3])
    assert len(evidence.height_cuts) == 6
    assert len(evidence.sizes) == 54


@pytest.mark.parametrize(("families", "number"), [(lambda: RECTANGLES, 0), (lambda: RECTANGLES, 5), (odd, 5)])
def test_a_step_of_the_band_inserts_a_slab(families: Callable[[], tuple[Octants, ...]], number: int) -> None:
    """What the argument says of it, cell by cell: below the slab nothing changes, above it all moves up."""
    family = families()[number]
    t = _height_cut(family, 1)
    most, rows = family.max_steps[1], family.rows
    small, large = family.board_codes(1, most), family.board_codes(1, most + 1)
    for (x, y), code in np.ndenumerate(large):
        if x + 2 * y < t + 2 * rows:
            assert code == small[x, y]
        if x + 2 * y >= t + 2 * rows:
            assert code == small[x, y - rows]


@settings(max_examples=6, deadline=None)
@given(st.integers(34, 60), st.integers(GAP, 60), st.booleans())
def test_tours_of_rectangles_are_verified(half: int, longer: int, turned: bool) -> None:
    size = (2 * half, 2 * half + longer)
    problem = Problem(graph_of("{}x{}".format(*(size[::-1] if turned else size))))
    tour = octants(problem).tour
    assert tour is not None
    verify(tour)
    assert tour.measure("crossings") <= Fraction(19, 6) * sum(size) + CONSTANT


@settings(max_examples=4, deadline=None)
@given(st.integers(34, 60), st.integers(0, 40), st.booleans())
def test_tours_of_odd_rectangles_are_verified(half: int, longer: int, turned: bool) -> None:
    size = (2 * half + 1, 2 * (half + ODD_GAP // 2 + 1 + longer))
    tour = octants(Problem(graph_of("{}x{}".format(*(size[::-1] if turned else size))))).tour
    assert tour is not None
    verify(tour)
    assert tour.measure("crossings") <= Fraction(91, 24) * sum(size) + ODD_CONSTANT


def test_a_part_of_the_band_in_the_wrong_place_is_refused() -> None:
    family = RECTANGLES[0]
    for band in ((), (Zone(30, 2),), (Zone(family.height_zone[0].start, 4),), (Zone(family.codes.shape[1] - 12, 2),)):
        with pytest.raises(CertificateError):
            check_one_cycle(dataclasses.replace(family, height_zone=band))


def test_boards_that_are_not_served() -> None:
    for text in ("50x50", "81x81", "51x92", "81x93", "50x83", "80x80-a1"):
        with pytest.raises(KTError):
            octants(Problem(graph_of(text)))
    with pytest.raises(KTError):
        octants(Problem(graph_of("80x80", Leaper(1, 4))))


def test_free_moves_are_not_those_that_repeat() -> None:
    family = FAMILIES[0]
    graph = graph_of(f"{family.width}x{family.width}")
    free = np.unique(graph.ends[free_moves(family, graph)])
    assert not {(x, 2) for x in range(family.bottom[0].start, family.bottom[0].end)} & {
        divmod(v, family.width) for v in free.tolist()
    }


@pytest.mark.slow
def test_a_seed_made_better_stays_a_family() -> None:
    """Annealing changes what every board has in one place, and cycles are merged."""
    family = FAMILIES[0]
    better = anew(family, 5)
    check_one_cycle(better)
    assert cost(better.codes) <= cost(family.codes)


def test_a_file_of_a_family_is_read_back() -> None:
    family = FAMILIES[0]
    again = Octants.from_json(json.loads(json.dumps(family.to_json())))
    assert np.array_equal(again.codes, family.codes)
    assert again.left == family.left
    with pytest.raises(KTError):
        Octants.from_json({**family.to_json(), "left": [[11, 3]]})


def test_a_seed_with_a_wrong_move_is_no_family() -> None:
    codes = FAMILIES[0].codes.copy()
    codes[30, 12] = (codes[30, 12] + 1) % 28
    with pytest.raises(KTError):
        dataclasses.replace(FAMILIES[0], codes=codes)


def test_the_proof_refuses_two_cycles() -> None:
    """Moves u-v and w-x of the tour, in this order, exchanged for u-x and w-v: the tour splits."""
    family = FAMILIES[0]
    order = [divmod(cell, family.width) for cell in cycle_of(family.codes).tolist()]
    place = {cell: k for k, cell in enumerate(order)}

    def beside(cell: tuple[int, int]) -> set[tuple[int, int]]:
        return {(cell[0] + dx, cell[1] + dy) for dx, dy in MOVES} & set(place)

    for u, v in itertools.pairwise(order):
        for x in beside(u) - {v}:
            w = order[place[x] - 1]
            old, new = {(u, v), (w, x)}, {(u, x), (w, v)}
            if w in beside(v) and x != order[place[u] - 1] and v != order[place[w] - 1]:
                moves = fixed_moves(family.codes) - {(min(m), max(m)) for m in old}
                codes = codes_of((family.width, family.width), moves | {(min(m), max(m)) for m in new})
                with contextlib.suppress(KTError):  # A move that is repeated elsewhere
                    other = dataclasses.replace(family, codes=codes)
                    with pytest.raises(CertificateError, match="several cycles"):
                        check_one_cycle(other)
                    return
    pytest.fail("no such exchange was found")


def test_the_proof_needs_long_zones() -> None:
    family = FAMILIES[0]
    with pytest.raises((CertificateError, KTError)):
        check_one_cycle(dataclasses.replace(family, diagonal=(Zone(24, 6),)))


@pytest.mark.slow
def test_halves_of_a_square_moved_apart_are_a_family_of_several_cycles() -> None:
    square = next(family for family in FAMILIES if family.width == 66)
    for half, longer in ((square, 10), (larger(square), 9)):
        family = unmerged_rectangle(half, longer)
        assert family is not None and family.codes.shape == (half.width, half.width + 2 - longer % 2)
        assert stays(family)
        with pytest.raises(CertificateError, match="several cycles"):
            check_one_cycle(family)


@pytest.mark.slow
def test_halves_of_a_square_moved_apart_are_merged() -> None:
    square = next(family for family in FAMILIES if family.width == 66)
    start = unmerged_rectangle(square, 10)
    assert start is not None
    family = merged_family(start, 0)
    assert family is not None and len(check_one_cycle(family).height_cuts) == 8


@pytest.mark.slow
def test_lines_around_corners_repeat() -> None:
    for family in (FAMILIES[4], RECTANGLES[11], odd()[8]):
        assert stays(family), family.size(0)


def test_lines_joined_in_another_way_between_two_cuts_do_not_repeat() -> None:
    """Two moves u-v and x-y exchanged for u-x and v-y, on the left side between the cuts."""
    family = odd()[8]
    moves = fixed_moves(family.board_codes(3))
    side = sorted(move for move in moves if all(x < 4 and 17 <= y < 22 for x, y in move))
    seen = set()
    for (u, v), (x, y) in itertools.combinations(side, 2):
        for a, b in ((x, y), (y, x)):
            new = {(min(move), max(move)) for move in ((u, a), (v, b))}
            if all(sorted(map(abs, np.subtract(*move).tolist())) == [1, 2] for move in new) and not new & moves:
                seen.add(repeats((moves - {(u, v), (x, y)}) | new, family.step))
    assert False in seen


def test_parts_lie_apart_and_have_nothing_that_repeats() -> None:
    family = odd()[8]
    parts = parts_of(family)
    assert all(0 < len(part) <= MOST for part in parts)
    cells = [cell for part in parts for cell in part]
    assert len(cells) == len(set(cells))
    _, u, v = family.places(2, 2)
    times = np.zeros(family.codes.shape, dtype=int)
    np.add.at(times, (u, v), 1)
    assert {times[cell] for cell in cells} == {1}


# -- regimes ---------------------------------------------------------------------------------------------------


def two_sides(rows: int, sign: int, offset: int, depth: int = 3) -> Regime:
    return Regime((left(rows, depth), left(rows, depth)), (Join(0, 0, 1, 0, sign, offset),))


@pytest.mark.parametrize("rows", [1, 2, 3])
@pytest.mark.parametrize(("sign", "offset"), [(1, 0), (-1, 1)])
def test_two_sides_cost_three_per_row(rows: int, sign: int, offset: int) -> None:
    answer = search(two_sides(rows, sign, offset))
    assert (answer.status, answer.value) == ("optimal", 3 * rows)
    assert 0 not in answer.drifts


def test_an_odd_number_of_moves_never_crosses_a_cut() -> None:
    assert search(two_sides(1, 1, 1)).status == "infeasible"
    assert search(two_sides(2, 1, 1)).value == 7


def test_bends_cost_more_than_nine() -> None:
    side = left(3, 3)
    regime = Regime((bend(2, 3), side, side), (Join(0, 0, 1, 0), Join(0, 1, 2, 0)))
    assert search(regime, at_most=10).status == "infeasible"
    assert search(regime, at_most=11).value == 11


def chevrons() -> Regime:
    side = left(3, 2)
    return Regime((chevron(6, 2), side, side), (Join(0, 0, 1, 0, -1), Join(0, 1, 2, 0, -1)))


def test_one_pattern_of_a_side_alone_has_one_crossing_per_row() -> None:
    graph = side_graph(3, FLAT)
    [(tail, head)] = graph.tight(Fraction(1))
    plain = {(x, dx, dy) for x, moves in enumerate(PLAIN) for dx, dy in moves if dy > 0}
    assert tail == head
    assert graph.states[tail] == (plain | {(2, -2, 1)},) * 2
    assert search(Regime((left(4, 3),), ())).value == 4


def test_steep_lines_cost_a_side_more() -> None:
    graph = side_graph(3, STEEP)
    assert graph.potentials(Fraction(5, 2)) is not None
    with pytest.raises(KTError, match="not shown"):
        graph.tight(Fraction(17, 6))
    assert search(Regime((bottom(4, 3),), ())).value == 12


@pytest.mark.slow
def test_chevrons_close_lines_between_plain_sides() -> None:
    assert search(chevrons(), at_most=8).status == "infeasible"
    answer = search(chevrons(), at_most=10)
    assert answer.value in (9, 10)
    assert 0 not in answer.drifts


def test_seams_cost_three_per_five_lines() -> None:
    assert search(Regime((seam(1, 10),), ())).value == 3


@pytest.mark.slow
def test_seams_need_no_dearer_side() -> None:
    answer = search(turned_seam(2, 11), at_most=16)
    assert answer.value == 16
    assert 0 not in answer.drifts


@pytest.mark.slow
def test_patterns_of_the_diagonal_fit_the_layout() -> None:
    assert len(axis_patterns()) == 6
    for pattern in axis_patterns():
        assert axis_turns(pattern) == 8
        codes = Square(64, pattern).paint()
        assert len(fixed_moves(codes)) > (codes != OPEN).sum()  # Some lead to open cells
        assert (codes == OPEN).sum() == 4 * (100 + 48 + 150) + 400
