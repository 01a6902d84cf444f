"""Strands with few crossings: squares with 10n turns and 43n/6 crossings, and how blocks of a board are filled."""

from __future__ import annotations

import itertools
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.few_crossings import one_direction
from benchmarks.few_crossings.blocks import (
    OPEN,
    annealed,
    board,
    cost,
    costs_of,
    cycles,
    filled,
    fixed_moves,
    made_moves,
    merged,
    within,
)
from benchmarks.few_crossings.one_direction import Square, bottoms
from heuristics.constructions.strands import strands
from kt_models import Problem, graph_of
from kt_models.certificates.families.chains import ChainFamily, check, check_chains
from kt_models.certificates.families.codes import MOVES, PAIRS, Codes, check_codes, count
from kt_models.errors import CertificateError
from kt_models.tour import verify
from tests.effort import slow

FILE = Path(__file__).parents[2] / "heuristics" / "gadgets" / "strands-crossings.json"
DATA = json.loads(FILE.read_text())
LESS, MORE = 18, 29
"""Turns less than 10n, and crossings more than 43n/6."""


def most(side: int) -> Fraction:
    return Fraction(43 * side, 6) + MORE


# -- families ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("side", [*range(32, 58, 2), 100, 122])
def test_tours_are_verified_and_have_few_of_both(side: int) -> None:
    tour = strands(Problem(graph_of(f"{side}x{side}"), objective="crossings")).tour
    assert tour is not None
    verify(tour)
    assert tour.measure("crossings") <= most(side)
    assert tour.measure("turns") <= 10 * side - LESS


@pytest.mark.parametrize("number", [0, 5, *slow([1, 2, 3, 4, 6, 7, 8, 9, 10, 11])])
def test_squares_that_were_not_followed(number: int) -> None:
    """Counted by networkx and on the tour's edges, with no code of the checker."""
    family = ChainFamily.from_json(DATA["families"][number])
    counts = []
    for k in (family.steps + 3, family.steps + 4):
        codes = family.board_codes((k, k))
        graph = board(*codes.shape)
        edges = np.flatnonzero(made_moves(codes, graph)).astype(np.int32)
        walk = nx.Graph(graph.ends[edges].tolist())
        assert nx.is_connected(walk) and {degree for _, degree in walk.degree} == {2}
        counts.append([Problem(graph, "any", metric).value(edges) for metric in ("turns", "crossings")])
    assert [b - a for a, b in zip(*counts, strict=True)] == [240, 172]  # type: ignore[operator]


def test_nothing_stronger_is_accepted() -> None:
    for metric in (0, 1):
        data = json.loads(json.dumps(DATA))
        data["claims"][0]["bounds"][metric]["constant"][0] -= 1
        with pytest.raises(CertificateError):
            check(data)
    data = json.loads(json.dumps(DATA))
    data["claims"][0]["bounds"][1]["slope"] = [42, 6]
    with pytest.raises(CertificateError):
        check(data)
    data = json.loads(json.dumps(DATA))
    del data["families"][3]
    with pytest.raises(CertificateError):
        check(data)


def moved_slab(entry: dict[str, Any], which: int, by: int) -> dict[str, Any]:
    slabs = [[list(bundle) for bundle in slab] for slab in entry["slabs"]]
    slabs[which][0][1] += by
    return {**entry, "slabs": slabs}


def test_a_family_needs_its_slabs_and_its_growth() -> None:
    entry = DATA["families"][0]
    check_chains(ChainFamily.from_json(entry))
    for which in range(3):
        with pytest.raises(CertificateError):
            check_chains(
                ChainFamily.from_json({**entry, "slabs": entry["slabs"][:which] + entry["slabs"][which + 1 :]})
            )
        with pytest.raises(CertificateError):
            check_chains(ChainFamily.from_json(moved_slab(entry, which, 300)))
    grows = [{"columns": [12], "rows": [0, 0]}, {"columns": [0], "rows": [6, 6]}]
    slabs = [[[2, first, 12]] for ((_, first, _),) in entry["slabs"]]
    with pytest.raises(CertificateError):  # lines drift by 12 and by 8: 12 more do not join what there was
        check_chains(ChainFamily.from_json({**entry, "growths": grows, "slabs": slabs}))


def test_bottoms_have_11_crossings_and_18_turns() -> None:
    assert len(bottoms()) == 6
    assert {np.roll(bottoms()[0], k, axis=0).tobytes() for k in range(6)} == {codes.tobytes() for codes in bottoms()}


@pytest.mark.parametrize("side", [32, 50])
def test_what_repeats_fits_together_and_leaves_open_blocks(side: int) -> None:
    square = Square(side, 0, 2)
    codes = square.paint()
    fixed_moves(codes)
    assert (codes == OPEN).sum() == sum(map(len, square.blocks)) == 4 * 81 + 48


@pytest.mark.slow
def test_a_family_is_found_again() -> None:
    entry = one_direction.family(40, 2)
    family = ChainFamily.from_json(entry)
    assert check_chains(family) > 0
    assert count(family.codes, "crossings") <= most(40) + 6


# -- blocks ------------------------------------------------------------------------------------------------------------


def some_board(width: int, height: int) -> Codes:
    codes = filled(
        np.full((width, height), OPEN, dtype=np.uint8), [set(itertools.product(range(width), range(height)))]
    )
    assert codes is not None
    return codes


@settings(max_examples=10, deadline=None)
@given(st.integers(4, 8), st.integers(3, 5).map(lambda half: 2 * half), st.integers(0, 9))
def test_annealing_costs_no_more_and_leaves_the_rest(width: int, height: int, seed: int) -> None:
    codes = some_board(width, height)
    check_codes(codes)
    cells = set(itertools.product(range(width - 1), range(height)))
    better = annealed(codes, cells, seed, 50)
    check_codes(better)
    assert cost(better) <= cost(codes)
    changed = fixed_moves(codes) ^ fixed_moves(better)
    assert all(cell in cells for move in changed for cell in move)


def test_blocks_of_unequal_colours_are_not_filled() -> None:
    assert filled(np.full((5, 5), OPEN, dtype=np.uint8), [set(itertools.product(range(5), range(5)))]) is None


def test_cells_that_are_given_are_kept() -> None:
    codes = some_board(8, 8)
    block = set(itertools.product(range(4), range(4)))
    opened = codes.copy()
    opened[:4, :4] = OPEN
    again = filled(opened, [block])
    assert again is not None
    check_codes(again)
    assert (again[4:] == codes[4:]).all() and (again[:, 4:] == codes[:, 4:]).all()


@pytest.mark.parametrize("seed", range(3))
def test_merging_makes_one_cycle(seed: int) -> None:
    codes = annealed(some_board(8, 8), set(itertools.product(range(8), range(8))), seed, 200)
    graph = board(8, 8)
    assert cycles(graph, made_moves(codes, graph)).any()
    one = merged(codes, np.ones(graph.m, dtype=bool), lambda table: table, seed)
    assert one is not None
    check_codes(one)
    assert not cycles(graph, made_moves(one, graph)).any()


def test_merging_goes_on_until_a_table_is_wanted() -> None:
    codes, graph, seen = some_board(8, 8), board(8, 8), set[bytes]()

    def third(table: Codes) -> Codes | None:
        seen.add(table.tobytes())
        return table if len(seen) == 3 else None

    assert merged(codes, np.ones(graph.m, dtype=bool), third, 0, 20) is not None
    assert merged(codes, np.zeros(graph.m, dtype=bool), lambda table: table, 0) is None


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000))
def test_costs_by_moves_are_those_of_tables(seed: int) -> None:
    """On a random 2-factor: the sum over pairs of its moves is what is counted cell by cell."""
    codes, graph = annealed(some_board(6, 6), set(itertools.product(range(6), range(6))), seed, 3), board(6, 6)
    made = np.flatnonzero(made_moves(codes, graph)).tolist()
    costs = costs_of(graph)
    assert sum(costs.get(a, {}).get(b, 0) for a, b in itertools.combinations(made, 2)) == cost(codes)


def test_moves_within_cells() -> None:
    graph = board(6, 6)
    cells = set(itertools.product(range(3), range(4)))
    free = within(cells, graph)
    inside = {(a, b) for a in cells for b in cells for u, v in MOVES if (a[0] + u, a[1] + v) == b}
    assert 2 * free.sum() == len(inside)
    assert len(PAIRS) == 28
