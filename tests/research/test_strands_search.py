"""The search for families of strands tours."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

from heuristics.constructions.strands.data import load_families
from heuristics.constructions.strands.walk import cycle_of
from kt_models import KTError
from kt_models.errors import CertificateError
from kt_models.limits import NO_LIMITS, Limits
from research.strands.corner import Block, fewest_turns
from research.strands.families import StrandsCandidate, StrandsSearch, search_strands
from research.strands.sides import Patterns
from research.strands.slab_search import find_slabs
from research.strands.two import two_families
from theorems.growing_tours.codes import MOVES
from theorems.growing_tours.strands import check_one_cycle


@pytest.fixture(scope="module")
def patterns() -> Patterns:
    return Patterns.search()


def test_all_side_patterns(patterns: Patterns) -> None:
    assert len(patterns.bottoms) == 32 and len(patterns.lefts) == 16
    for steps in (*patterns.bottom_steps, *patterns.left_steps):
        assert all(steps[(c + steps[c]) % 8] == -steps[c] for c in range(8))
    for bottom in range(32):
        assert patterns.bottom_shifted(patterns.bottom_shifted(bottom, 3), 5) == bottom


@pytest.mark.parametrize("corner", [(0, 0), (9, 9), (0, 14), (20, 0)])
def test_fewest_turns_against_every_subset(corner: tuple[int, int]) -> None:
    codes = next(family for family in load_families("turns") if family.one_direction).board_codes((1, 1))
    columns, rows = 4, 3
    block = Block.of(codes, (*corner, columns, rows))
    found = fewest_turns(block, 1000, NO_LIMITS)
    cells = list(block.ports)
    edges = [
        (u, v, MOVES.index((v[0] - u[0], v[1] - u[1])))
        for u, v in itertools.permutations(cells, 2)
        if (v[0] - u[0], v[1] - u[1]) in MOVES[:4]
    ]
    best: dict[int, int] = {}
    for chosen in itertools.product((False, True), repeat=len(edges)):
        moves = {cell: list(block.ports[cell]) for cell in cells}
        for (u, v, move), used in zip(edges, chosen, strict=True):
            if used:
                moves[u].append(move)
                moves[v].append(move + 4)
        if all(len(steps) == 2 for steps in moves.values()):
            turns = sum(abs(a - b) != 4 for a, b in moves.values())
            best[turns] = best.get(turns, 0) + 1
    assert found is not None and (found[0], len(found[1])) == min(best.items())


@pytest.mark.slow
def test_the_search_finds_a_family() -> None:
    found = search_strands([(4, 3)], compare=1)
    assert len(found) == 1 and found[0].turns == -14
    check_one_cycle(found[0].family)
    assert StrandsCandidate.of(found[0].family).crossings == found[0].crossings
    assert search_strands([(4, 3)], limits=Limits(0.01)) == ()


@pytest.mark.slow
def test_candidates_are_proved_only_if_larger_boards_have_one_cycle(patterns: Patterns) -> None:
    search = StrandsSearch(5, patterns)
    w, h = search._seed_size(6, 2)
    outcomes = set()
    for sides in search._best_sides(w, h)[:24]:
        four = [fillings for _, fillings in search._four(w, h, sides) or []]
        for blocks in itertools.islice(itertools.product(*four), 30):
            codes = search._board(w, h, sides, blocks)
            if len(cycle_of(codes)) < codes.size:
                continue
            family = search._family(codes)
            larger = [family.board_codes((i, j)) for i, j in itertools.product(range(6), range(6))]
            single = all(len(cycle_of(codes)) == codes.size for codes in larger)
            try:
                check_one_cycle(family)
                outcomes.add("proved")
                assert single
            except CertificateError as error:
                outcomes.add("several" if "several" in str(error) else "no slabs")
    assert "several" in outcomes and len(outcomes) > 1


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), [(0, 0), (0, 1), (0, 2), (0, 3), (2, 1), (4, 2), (6, 3)])
def test_what_the_search_for_two_directions_finds_stays_one_cycle(width: int, height: int) -> None:
    for family in itertools.islice(two_families(width, height), 3 if width == 4 else 6):
        family = replace(family, inflations=find_slabs(family))
        check_one_cycle(family)
        times = family.inflations[0].times
        for more in itertools.product((0, 1, 2, 5, 9), repeat=2):
            codes = family.board_codes((times[0] + more[0], times[1] + more[1]))
            assert len(cycle_of(codes)) == codes.size


def test_the_search_refuses_what_makes_no_sense() -> None:
    with pytest.raises(KTError, match="odd sides"):
        search_strands([(1, 1)])
    with pytest.raises(KTError, match="side from"):
        search_strands([(0, 0)], corner=20)
