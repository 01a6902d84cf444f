"""Octant tours: squares of even side with 19/3 crossings per cell of the side and a constant; the searches behind
them."""

from __future__ import annotations

import contextlib
import dataclasses
import itertools
import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.few_crossings.octants import Plan, axis_patterns, codes_of, free_moves, improve, moves_of
from benchmarks.few_crossings.regimes import Join, Regime, bend, chevron, left, seam, search, turned_seam
from heuristics.constructions.octants import load_octants, octant_codes, octants
from heuristics.constructions.strands.walk import cycle_of
from kt_models import Leaper, Problem, graph_of
from kt_models.certificates.families.codes import MOVES, count
from kt_models.certificates.families.octant_data import Octants
from kt_models.certificates.families.octants import check_one_cycle
from kt_models.certificates.families.zones import Zone
from kt_models.errors import CertificateError, KTError
from kt_models.tour import verify

FAMILIES = load_octants()


def crossings(family: Octants, steps: int) -> int:
    return count(family.board_codes(steps), "crossings")


def test_every_even_side_from_68_on_is_served_once() -> None:
    assert sorted(family.side % 12 for family in FAMILIES) == [0, 2, 4, 6, 8, 10]
    assert sorted(family.side + 12 * family.least for family in FAMILIES) == list(range(68, 80, 2))
    assert octant_codes(66) is None
    assert octant_codes(81) is None


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: str(family.side))
def test_every_board_of_a_family_has_one_cycle(family: Octants) -> None:
    assert check_one_cycle(family).sides[0] == family.side - 12


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: str(family.side))
def test_twelve_more_cells_cost_76_crossings(family: Octants) -> None:
    """19/3 per cell of the side; `docs/constructions/few-crossings.md` says what each part of it is for."""
    counts = [crossings(family, steps) for steps in (-1, 0, 1, 2)]
    assert [b - a for a, b in itertools.pairwise(counts)] == [76, 76, 76]
    assert counts[1] <= 19 * family.side / 3 + 106


@settings(max_examples=8, deadline=None)
@given(st.integers(34, 120))
def test_tours_are_verified_and_beat_the_formation(half: int) -> None:
    problem = Problem(graph_of(f"{2 * half}x{2 * half}"))
    tour = octants(problem).tour
    assert tour is not None
    verify(tour)
    assert tour.measure("crossings") <= 19 * 2 * half / 3 + 106 < 12 * 2 * half - 26


@pytest.mark.slow
def test_all_even_sides_up_to_500() -> None:
    for side in range(68, 501, 2):
        codes = octant_codes(side)
        assert codes is not None
        assert len(cycle_of(codes)) == side**2
        assert count(codes, "crossings") <= 19 * side / 3 + 106


def test_boards_that_are_not_served() -> None:
    for text in ("66x66", "81x81", "80x82", "80x80-a1"):
        with pytest.raises(KTError):
            octants(Problem(graph_of(text)))
    with pytest.raises(KTError):
        octants(Problem(graph_of("80x80", Leaper(1, 4))))


def test_a_seed_made_better_stays_a_family() -> None:
    """Of what is on every board in one place some is annealed; and that is not what repeats."""
    family = FAMILIES[0]
    graph = graph_of(f"{family.side}x{family.side}")
    free = np.unique(graph.ends[free_moves(family, graph)])
    assert not {(x, 2) for x in range(family.bottom[0].start, family.bottom[0].end)} & {
        divmod(v, family.side) for v in free.tolist()
    }
    better = improve(family, 0.5)
    check_one_cycle(better)
    assert all(crossings(better, steps) <= crossings(family, steps) for steps in (-1, 0, 1, 2, 3))


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
    order = [divmod(cell, family.side) for cell in cycle_of(family.codes).tolist()]
    place = {cell: k for k, cell in enumerate(order)}

    def beside(cell: tuple[int, int]) -> set[tuple[int, int]]:
        return {(cell[0] + dx, cell[1] + dy) for dx, dy in MOVES} & set(place)

    for u, v in itertools.pairwise(order):
        for x in beside(u) - {v}:
            w = order[place[x] - 1]
            old, new = {(u, v), (w, x)}, {(u, x), (w, v)}
            if w in beside(v) and x != order[place[u] - 1] and v != order[place[w] - 1]:
                moves = moves_of(family.codes) - {(min(m), max(m)) for m in old}
                codes = codes_of(family.side, moves | {(min(m), max(m)) for m in new})
                with contextlib.suppress(KTError):  # a move that is repeated elsewhere
                    other = dataclasses.replace(family, codes=codes)
                    with pytest.raises(CertificateError, match="several cycles"):
                        check_one_cycle(other)
                    return
    pytest.fail("no such exchange was found")


def test_the_proof_needs_long_zones() -> None:
    family = FAMILIES[0]
    with pytest.raises((CertificateError, KTError)):
        check_one_cycle(dataclasses.replace(family, diagonal=(Zone(24, 6),)))


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
    pattern = next(axis_patterns(30))
    assert len(Plan(80, pattern).fixed) > 5000
