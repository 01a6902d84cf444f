"""Strands with few crossings: squares with 10n turns and 43n/6 crossings, or 8n and 9n; how blocks are filled."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heuristics.constructions.strands import strands
from kt_models import Problem, graph_of
from kt_models.errors import CertificateError
from kt_models.tour import verify
from research.few_crossings.blocks import (
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
from research.few_crossings.one_direction import LAYOUTS, Square, family
from tests.effort import slow_rows
from theorems.growing_tours.codes import MOVES, PAIRS, Codes, check_codes, count
from theorems.growing_tours.strands import check, check_squares
from theorems.growing_tours.zones import TourFamily

FOLDER = Path(__file__).parents[2] / "heuristics" / "gadgets"
FEW, BOTH = (json.loads((FOLDER / f"strands-{name}.json").read_text()) for name in ("crossings", "both-squares"))
ADDED = {FEW["command"]: [240, 172], BOTH["command"]: [192, 216]}
"""Turns and crossings that 24 more columns and rows add, by the command that found the families."""


# -- families ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("side", [*range(20, 58, 2), 100, 122])
def test_tours_are_verified_and_have_few_of_both(side: int) -> None:
    tour = strands(Problem(graph_of(f"{side}x{side}"), objective="crossings")).tour
    assert tour is not None
    verify(tour)
    assert tour.measure("crossings") <= Fraction(43 * side, 6) + (28 if side >= 24 else 32)
    assert tour.measure("turns") <= 10 * side - (20 if side >= 24 else 19)


def test_large_squares_have_8n_turns_and_9n_crossings() -> None:
    tour = strands(Problem(graph_of("200x200")), few="both").tour
    assert tour is not None
    verify(tour)
    assert tour.measure("crossings") <= 9 * 200 + 10
    assert tour.measure("turns") <= 8 * 200 - 3


SEEDS = [(len(entry["seed"]), data, entry) for data in (FEW, BOTH) for entry in data["families"]]


@pytest.mark.parametrize(
    ("data", "entry"),
    [
        pytest.param(
            data,
            entry,
            id=f"{data['command'][-9:]}-{side}",
            marks=[] if side == 42 and data is BOTH else pytest.mark.slow,
        )
        for side, data, entry in SEEDS
    ],
)
def test_squares_that_were_not_followed(data: Any, entry: Any) -> None:
    """Counted by networkx and on the tour's edges, with no code of the checker."""
    family = TourFamily.from_json(entry)
    counts = []
    for k in (entry["steps"] + 3, entry["steps"] + 4):
        codes = family.board_codes((k, k))
        graph = board(*codes.shape)
        edges = np.flatnonzero(made_moves(codes, graph)).astype(np.int32)
        walk = nx.Graph(graph.ends[edges].tolist())
        assert nx.is_connected(walk) and {degree for _, degree in walk.degree} == {2}
        counts.append([Problem(graph, "any", metric).value(edges) for metric in ("turns", "crossings")])
    assert [b - a for a, b in zip(*counts, strict=True)] == ADDED[data["command"]]  # type: ignore[operator]


@pytest.mark.parametrize("data", [pytest.param(FEW, marks=pytest.mark.slow), BOTH], ids=["crossings", "both"])
def test_nothing_stronger_is_accepted(data: Any) -> None:
    for claim, metric in itertools.product(range(len(data["claims"])), (0, 1)):
        stronger = json.loads(json.dumps(data))
        stronger["claims"][claim]["bounds"][metric]["constant"][0] -= 1
        with pytest.raises(CertificateError):
            check(stronger)
        steeper = json.loads(json.dumps(data))
        slope, whole = steeper["claims"][claim]["bounds"][metric]["slope"]
        steeper["claims"][claim]["bounds"][metric]["slope"] = [6 * slope - whole, 6 * whole]
        with pytest.raises(CertificateError):
            check(steeper)
    for claim in range(len(data["claims"])):
        smaller = json.loads(json.dumps(data))
        smaller["claims"][claim]["boards"]["least"] -= 2
        with pytest.raises(CertificateError):
            check(smaller)
    fewer = json.loads(json.dumps(data))
    del fewer["families"][3]
    with pytest.raises(CertificateError):
        check(fewer)


def moved_slab(entry: dict[str, Any], which: int, by: int) -> dict[str, Any]:
    slabs = [[list(bundle) for bundle in slab] for slab in entry["slabs"]]
    slabs[which][0][1] += by
    return {**entry, "slabs": slabs}


def test_a_family_needs_its_slabs_and_its_growth() -> None:
    entry = FEW["families"][0]
    check_squares(TourFamily.from_json(entry))
    for which in range(3):
        with pytest.raises(CertificateError):
            check_squares(
                TourFamily.from_json({**entry, "slabs": entry["slabs"][:which] + entry["slabs"][which + 1 :]})
            )
        with pytest.raises(CertificateError):
            check_squares(TourFamily.from_json(moved_slab(entry, which, 300)))
    grows = [{"columns": [12], "rows": [0, 0]}, {"columns": [0], "rows": [6, 6]}]
    slabs = [[[2, first, 12]] for ((_, first, _),) in entry["slabs"]]
    with pytest.raises(CertificateError):  # Lines drift by 12 and by 8: 12 more do not join what there was
        check_squares(TourFamily.from_json({**entry, "growths": grows, "slabs": slabs}))


@pytest.mark.parametrize(("name", "many"), [("strands-crossings", 6), *slow_rows([("strands-both", 22)])])
def test_patterns_at_the_bottom(name: str, many: int) -> None:
    layout = LAYOUTS[name]
    patterns = {codes.tobytes() for codes in layout.bottoms}
    assert len(patterns) == many
    assert {np.roll(layout.bottoms[0], k, axis=0).tobytes() for k in range(layout.period)} <= patterns


@pytest.mark.parametrize("name", LAYOUTS)
def test_what_repeats_fits_together_and_leaves_open_blocks(name: str) -> None:
    square = Square(LAYOUTS[name], 50, 0, 2)
    codes = square.paint()
    fixed_moves(codes)
    assert (codes == OPEN).sum() == sum(map(len, square.blocks)) == 4 * 49 + 36
    small = Square(LAYOUTS[name], 20, 0, 2)
    assert (small.paint() == OPEN).sum() == sum(map(len, small.blocks)) == 4 * 25 + 24


@pytest.mark.slow
def test_a_square_starts_where_no_lines_close() -> None:
    """At the bottom only every second place of the pattern leaves as many cells of both colours in the corners."""
    layout = LAYOUTS["strands-crossings"]
    assert [Square(layout, 40, k, k).start is not None for k in range(3)] == [True, False, True]
    plain = replace(layout, left=layout.right[:1] * 2)
    assert all(Square(plain, 40, k, k).start is None for k in range(2))


@pytest.mark.slow
def test_a_family_is_found_again() -> None:
    entry = family(LAYOUTS["strands-crossings"], 40, 2)
    found = TourFamily.from_json(entry)
    assert check_squares(found) > 0
    assert count(found.codes, "crossings") <= 43 * 40 / 6 + 28 and count(found.codes, "turns") <= 10 * 40 - 20


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
    joined = merged(codes, np.ones(graph.m, dtype=bool), lambda table: table, seed)
    assert joined is not None
    check_codes(joined)
    assert not cycles(graph, made_moves(joined, graph)).any()


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
