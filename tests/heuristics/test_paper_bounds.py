"""The lower bounds of Besa et al. (2022): at most the truth, the paper's constants, and the steps of each argument."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations, permutations, product
from math import prod
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks import paper_bounds
from encoders.bounds.methods import methods
from heuristics.find import find
from heuristics.papers.taming.bounds import central, crown, edge, triplet
from heuristics.papers.taming.bounds.picture import bound_parts
from heuristics.papers.taming.lemmas import crossings_per_triplet, crowns_of, most_clean_cells, triplet_weights
from kt_models import Board, Leaper, MoveGraph, Problem, Tour, graph_of
from kt_models.board import named_box
from kt_models.errors import KTError, TooLarge
from kt_models.kernel.certificates import Certificate, Checked, check
from kt_models.kernel.certificates.certificate import digest
from kt_models.leaper import KNIGHT
from tests import brute
from tests.command import kt, kt_json, one_line_refusal
from tests.effort import part_of, slow_rows

TURNS = {"5x6": 28, "3x10": 26, "6x6": 32, "6x7": 35, "6x8": 39, "8x8": 45, "10x10": 62, "12x12": 77}
CROSSINGS = {"5x6": 49, "3x10": 55, "6x6": 52, "6x7": 56, "6x8": 59, "7x8": 65, "8x8": 69}
TOURED = [("5x6", True), ("3x10", True), ("3x4", False), ("4x5", False), ("5x5", False), ("3x7", False)]
HOLED = [("5x5-a1", False), ("5x5-a1,c1", False), ("6x6-b2,b5,e2,e5", True), ("aztec:3", True)]
MADE_OF = dict.fromkeys(("5x6", "8x8", "9x14", "aztec:4"), "tree") | {"20x20": "family"}
TURN_BOUNDS = (edge.bound, central.bound, crown.bound)


def problem(board: str, objective: str = "turns", **rest) -> Problem:
    return Problem(graph_of(board), objective=objective, **rest)


# -- every bound is at most the truth --------------------------------------------------------------------------------


@pytest.mark.parametrize("board", TURNS)
def test_turns_are_at_most_the_fewest(board: str) -> None:
    for turned in (board, "x".join(board.split("x")[::-1])):
        assert all(bound(problem(turned)) <= TURNS[board] for bound in TURN_BOUNDS)


@pytest.mark.parametrize("board", CROSSINGS)
def test_crossings_are_at_most_the_fewest(board: str) -> None:
    for turned in (board, "x".join(board.split("x")[::-1])):
        assert triplet.bound(problem(turned, "crossings")) <= CROSSINGS[board]


@given(st.data())
@settings(deadline=None, max_examples=part_of(80))
def test_no_tour_is_below_a_bound_whatever_it_is_required_or_forbidden_to_do(data: st.DataObject) -> None:
    board, closed = data.draw(st.sampled_from(TOURED + HOLED))
    known = brute.tours(board, closed)
    graph = graph_of(board)
    tour = Tour(graph, np.array(known[data.draw(st.integers(0, len(known) - 1))]), closed)
    used = set(tour.edges.tolist())
    ends = [] if closed else data.draw(st.sets(st.sampled_from([int(tour.order[0]), int(tour.order[-1])])))
    some = st.sets(st.integers(0, graph.m - 1), max_size=graph.m)
    rest = {
        "connectivity": "cycle" if closed else "path",
        "terminals": tuple(ends),
        "required": frozenset(data.draw(some) & used),
        "forbidden": frozenset(data.draw(some) - used),
    }
    for bound in TURN_BOUNDS:
        assert bound(problem(board, **rest)) <= tour.measure("turns")
    assert triplet.bound(problem(board, "crossings", **rest)) <= tour.measure("crossings")


# -- edge ------------------------------------------------------------------------------------------------------------


leapers = st.sampled_from([Leaper(1, 2), Leaper(0, 1), Leaper(1, 1), Leaper(1, 3), Leaper(2, 3), Leaper(1, 4)])


@given(st.lists(st.integers(1, 9), min_size=2, max_size=3), leapers)
@settings(deadline=None)
def test_forced_turns_are_the_cells_without_a_straight_pair(shape: list[int], leaper: Leaper) -> None:
    cells = set(product(*map(range, shape)))
    steps = {
        move
        for place in permutations(range(len(shape)), 2)
        for signs in product((1, -1), repeat=2)
        for move in [tuple(dict(zip(place, (leaper.a * signs[0], leaper.b * signs[1]), strict=True)).get(i, 0)
                           for i in range(len(shape)))]
    }  # fmt: skip

    def straight(cell: tuple[int, ...]) -> bool:
        return any(
            {tuple(c + s * d for c, d in zip(cell, step, strict=True)) for s in (1, -1)} <= cells for step in steps
        )

    expected = [not straight(cell) for cell in sorted(cells)]
    assert edge.count_in_box(tuple(shape), leaper) == sum(expected)
    if prod(shape) > 1:
        graph = MoveGraph.of(Board.box(*shape), leaper)
        assert edge.forced_turns(Problem(graph, objective="turns")).tolist() == expected


@pytest.mark.parametrize("n", [4, 5, 8, 31, 1000])
def test_the_edge_and_four_cells_more_are_turns(n: int) -> None:
    assert edge.bound(problem(f"{n}x{n}")) == 4 * n - 4 + 4


def test_an_end_that_is_given_or_free_is_no_turn() -> None:
    graph = graph_of("8x8")
    corner, middle = graph.find("a1"), graph.find("d4")

    def ends(*cells: int) -> int:
        return edge.bound(problem("8x8", connectivity="path", terminals=cells))

    assert [ends(), ends(corner), ends(middle), ends(corner, middle)] == [30, 30, 31, 31]


def test_forbidden_and_required_moves_force_turns() -> None:
    graph = graph_of("8x8")
    at = {int(e) for e in graph.edges_of(graph.find("d4"))}
    assert edge.bound(problem("8x8", forbidden=frozenset(at))) >= 33
    bent = frozenset({graph.find_edge("d4-e6"), graph.find_edge("d4-f5")})
    assert edge.bound(problem("8x8", required=bent)) == 33


def test_a_torus_has_no_edge() -> None:
    assert edge.bound(problem("torus:8x8")) == 0


# -- central ---------------------------------------------------------------------------------------------------------


@given(st.integers(1, 17), st.integers(1, 17), st.sampled_from([Leaper(1, 2), Leaper(1, 4), Leaper(2, 3)]))
@settings(deadline=None)
def test_red_cells_of_a_rectangle_are_those_found_on_any_board(width: int, height: int, leaper: Leaper) -> None:
    p = Problem(MoveGraph.of(Board.box(width, height), leaper), objective="turns")
    cells = p.graph.board.cells.astype(np.int64)
    by_arithmetic = central._red_in_box(cells, (width, height), leaper).reshape(width, height)
    assert np.array_equal(by_arithmetic, central.red_cells(p, edge.forced_turns(p)))


@pytest.mark.parametrize("n", [40, 100, 1000, 10_000])
def test_central_is_four_and_a_quarter(n: int) -> None:
    assert abs(central.breaks_in_box((n, n), KNIGHT) - Fraction(17, 4) * n) <= 4


# -- crown -----------------------------------------------------------------------------------------------------------


def crown_cells(low: int, high: int) -> set[tuple[int, int]]:
    """Cells (distance from the side, place along it) of a crown, by the paper's definition."""
    length = high - low
    return {
        (x, y)
        for x in range(length + 1)
        for y in range(low - length, high + length + 1)
        if (2 * y <= 2 * high + x and y >= low + 2 * x)
        or (2 * y <= 2 * high - x and 2 * y >= 2 * low + x)
        or (y <= high - 2 * x and 2 * y >= 2 * low - x)
    }


@pytest.mark.parametrize("shape", [(52, 52), (61, 61), (100, 100), (131, 77), (40, 160), (200, 200)])
def test_crowns_are_disjoint_and_clear_of_the_other_edges(shape: tuple[int, int]) -> None:
    width, height = shape
    seen: set[tuple[int, int]] = set()
    outside = set(zip(*(axis.tolist() for axis in crown._outside_sectors(width, height)), strict=True))
    for side, depth, place in (
        (height, width, lambda x, y: (x, y)),
        (height, width, lambda x, y: (width - 1 - x, y)),
        (width, height, lambda x, y: (y, x)),
        (width, height, lambda x, y: (y, height - 1 - x)),
    ):
        for low, high in crown.crowns(side, depth):
            cells = {place(x, y) for x, y in crown_cells(low, high)}
            assert not cells & seen
            assert all(0 <= x < width and 0 <= y < height for x, y in cells)
            off_base = cells - {place(0, y) for y in range(low, high + 1)}
            assert not off_base & outside  # Neither edge cells nor b2 and its images, which are counted already
            seen |= cells
    assert seen


def test_legs_meet_inside_the_crown_at_multiples_of_the_moduli() -> None:
    """Remark 1, and the distances in the proof of Lemma 6: all legs of a base of 21 cells, cell by cell."""
    directions = ((1, 2), (2, 1), (2, -1), (1, -2))  # D1 to D4: away from the side, and along it
    length, met = 20, set()
    inside = crown_cells(0, length)

    def leg(place: int, which: int) -> set[tuple[int, int]]:
        x, y = directions[which - 1]
        return {(k * x, place + k * y) for k in range(1, 4 * length)}

    for low, high in combinations(range(length + 1), 2):
        for below, above in product(range(1, 5), repeat=2):
            common = leg(low, below) & leg(high, above)
            assert common <= inside
            if common:
                met.add((below, above, high - low))
    assert met == {(i, j, gap) for (i, j), modulus in crown.MODULUS.items() for gap in range(modulus, 21, modulus)}


def counted_by_hand(tour: Tour, low: int, high: int) -> tuple[int, int, int]:
    """Edge cells, clean cells and turns of a crown at the left side, by walks along the legs."""
    cells = [tuple(map(int, cell)) for cell in tour]
    n = len(cells)

    def step(i: int) -> tuple[int, int]:
        (x, y), (u, v) = cells[i % n], cells[(i + 1) % n]
        return u - x, v - y

    def is_inside(cell: tuple[int, int]) -> bool:
        x, y = cell
        rays = {1: (lambda base: base + 2 * x), 2: (lambda base: base + x / 2)}
        rays |= {3: (lambda base: base - x / 2), 4: (lambda base: base - 2 * x)}
        return any(rays[i](low) <= y <= rays[i + 1](high) for i in (1, 2, 3))

    def end(i: int, way: int) -> tuple[int, int]:
        j = i + way
        while step(j - 1) == step(j):
            j += way
        return cells[j % n]

    base = [i for i, (x, y) in enumerate(cells) if x == 0 and low <= y <= high]
    clean = sum(not is_inside(end(i, 1)) and not is_inside(end(i, -1)) for i in base)
    return len(base), clean, sum(step(i - 1) != step(i) and is_inside(cells[i]) for i in range(n))


WALKED = [("64x70", "formation"), *slow_rows([("60x60", "merge"), ("100x100", "formation")])]


@pytest.mark.parametrize(("board", "method"), WALKED)
def test_crowns_of_tours_have_the_turns_of_the_lemma(board: str, method: str) -> None:
    tour = find(problem(board), method).tour
    assert tour is not None
    found = crowns_of(tour)
    width, height = tour.graph.board.shape
    sides = {"left": (height, width), "right": (height, width), "bottom": (width, height), "top": (width, height)}
    assert len(found) == sum(len(crown.crowns(*size)) for size in sides.values())
    assert all(count.turns >= count.least for count in found)
    left = [count for count in found if count.side == "left"]
    for count, (low, high) in zip(left, crown.crowns(height, width), strict=True):
        assert (count.cells, count.clean, count.turns) == counted_by_hand(tour, low, high)


def test_crowns_are_of_closed_tours_of_rectangles() -> None:
    for board, is_open in (("8x8", True), ("aztec:4", False), ("torus:6x6", False)):
        tour = find(Problem(graph_of(board), "path" if is_open else "cycle")).tour
        assert tour is not None
        with pytest.raises(KTError, match="closed knight's tour of a rectangle"):
            crowns_of(tour)


@pytest.mark.slow
def test_at_most_sixteen_cells_are_clean() -> None:
    assert most_clean_cells() == crown.MAX_CLEAN_CELLS == 16


def test_the_crowns_of_the_paper_and_the_first_boards_they_help() -> None:
    assert max(high - low for low, high in crown.crowns(3001, 3001)) == 999  # A third of the side
    rising = [crown.breaks_in_box(n, n) / n for n in (100, 1_000, 10_000, 100_000, 1_000_000)]
    assert rising == sorted(rising) and 5.95 < rising[-1] < 6
    assert crown.breaks_in_box(50, 50) == 200 and crown.breaks_in_box(51, 51) > 204


def test_holes_and_forbidden_moves_take_the_other_way_to_the_same_bound() -> None:
    plain = crown.bound(problem("64x70"))
    assert plain == crown.breaks_in_box(64, 70) == crown.breaks_in_box(70, 64) > edge.bound(problem("64x70"))
    away = frozenset({graph_of("64x70").find_edge("ac30-ad32")})
    assert crown.bound(problem("64x70", forbidden=away)) == plain
    assert crown.bound(problem("64x70-af35")) >= plain
    assert plain - 20 <= crown.bound(problem("64x70-a35,a36,a37")) <= plain + 20
    assert crown.bound(problem("64x70", connectivity="path")) == plain - 4


# -- triplet ---------------------------------------------------------------------------------------------------------


def test_the_digraph_of_triplets_is_the_papers() -> None:
    within, between = triplet_weights()
    assert within.shape == (216,) and between.shape == (216, 216)
    assert crossings_per_triplet() == 3
    loops = within + between.diagonal()
    assert loops.min() == 3  # Figure 17: one choice, again and again


@given(st.integers(3, 6), st.integers(3, 5), st.booleans(), st.booleans(), st.booleans())
@settings(deadline=None, max_examples=25)
def test_the_least_walk_along_a_side_is_the_least_of_all_choices(
    length: int, depth: int, first: bool, last: bool, opposite: bool
) -> None:
    choices = []
    for x in range(length):
        heads = [(x + i, j) for i, j in triplet.DIRECTIONS if 0 <= x + i < length and j < depth]
        choices.append([tuple(((x, 0), head) for head in pair) for pair in combinations(heads, 2)])
    yielded = [
        lambda cell: first and cell[0] == 0,
        lambda cell: last and cell[0] == length - 1,
        lambda cell: opposite and cell[1] == depth - 1,
    ]

    def counts(move, other) -> bool:
        shared = any(all(any(map(side, m)) for m in (move, other)) for side in yielded)
        return not shared and brute._meet(*move, *other)

    table = {(m, o): counts(m, o) for m, o in product(sum((p for c in choices for p in c), ()), repeat=2)}
    least = min(sum(table[pair] for pair in combinations(sum(chosen, ()), 2)) for chosen in product(*choices))
    assert triplet.side_minimum(triplet.box_side(length, depth), depth, first, last, opposite, 0) == (least,)


@pytest.mark.parametrize("shape", [(3, 4), (3, 5), (4, 4), (4, 5)])
def test_the_sides_together_count_no_crossing_twice(shape: tuple[int, int]) -> None:
    """Against the fewest crossings, over all choices at the edge cells, of two moves that share a side."""
    graph = graph_of(f"{shape[0]}x{shape[1]}")
    sides = [{tuple(c) for c in graph.board.cells.tolist() if c[k] == v} for k in (0, 1) for v in (0, shape[k] - 1)]
    edge_cells = set.union(*sides)
    cells = [tuple(c) for c in graph.board.cells.tolist()]
    moves = [(cells[u], cells[v]) for u, v in graph.ends.tolist()]
    cross = np.array(
        [
            [any(side & {*m} and side & {*o} for side in sides) and bool(brute._meet(*m, *o)) for o in moves]
            for m in moves
        ]
    )
    choices = []
    for cell in sorted(edge_cells):
        at = [e for e, move in enumerate(moves) if cell in move]
        choices.append([sum(1 << e for e in pair) for pair in combinations(at, 2)])
    unions = {0}
    for options in choices:
        unions = {chosen | option for chosen in unions for option in options}
    chosen = (np.array(sorted(unions))[:, None] >> np.arange(len(moves))) & 1
    least = int(np.einsum("ni,ni->n", chosen @ cross.astype(np.int64), chosen).min()) // 2
    assert triplet.bound(problem(f"{shape[0]}x{shape[1]}", "crossings")) <= least


@pytest.mark.parametrize(("width", "height"), [(6, 7), (8, 8), (9, 14), (30, 7), (301, 300)])
def test_a_crossing_to_an_edge_cell_and_twelve_more(width: int, height: int) -> None:
    bound = triplet.bound(problem(f"{width}x{height}", "crossings"))
    assert bound == 2 * (width + height) - 4 + 12
    level = graph_of(f"{width}x{height}").find_edge("d4-e6")
    assert triplet.bound(problem(f"{width}x{height}", "crossings", forbidden=frozenset({level}))) == bound


# -- certificates ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("connectivity", ["cycle", "path"])
@pytest.mark.parametrize("board", ["5x6", "8x8", pytest.param("9x14", marks=pytest.mark.slow), "aztec:4"])
def test_general_checkers_show_the_numbers_of_the_paper(board: str, connectivity: str) -> None:
    arguments = {name: row for name, row in methods().items() if row.number is not None}
    assert sorted(arguments) == ["central", "crown", "edge", "triplet"]
    for name, row in arguments.items():
        asked = problem(board, "crossings" if name == "triplet" else "turns", connectivity=connectivity)
        certificate = row.certify(asked)
        assert isinstance(certificate, Checked) and certificate.bound == row.number(asked)
        assert certificate.method == ("regions" if name == "triplet" else MADE_OF[board])


def test_a_number_that_no_checker_shows_is_the_papers_argument_and_no_more() -> None:
    narrow = problem("3x10", "crossings", connectivity="path")
    assert methods()["triplet"].certify(narrow) is None
    large = kt("bound", "11x100000", "--minimize", "crossings", "--method", "triplet")
    assert large.exit_code == 0 and "200,030" in large.stdout and "without a certificate" in large.stdout
    data = kt_json("bound", "11x100000", "--minimize", "crossings", "--method", "triplet")
    assert data["stated"] == 200_030 and "bound" not in data and data["exit"] == 0


@pytest.mark.slow
def test_the_command_says_what_showed_a_number(tmp_path: Path) -> None:
    file = tmp_path / "c.json"
    answer = kt("bound", "64x64", "--method", "crown", "--certificate", file)
    assert answer.exit_code == 0 and "certificate checked" in answer.stdout and "Theorem 8" in answer.stdout
    assert kt("check", file).exit_code == 0
    assert kt("bound", "64x64", "--method", "crown", "--at-least", 9999).exit_code == 3
    assert kt("bound", "8x8", "--minimize", "crossings", "--method", "crown").exit_code == 2


# -- refusals --------------------------------------------------------------------------------------------------------


def test_problems_to_which_an_argument_does_not_apply_are_refused() -> None:
    giraffe = Problem(MoveGraph.of(Board.box(8, 8), Leaper(1, 4)), objective="turns")
    wazir = Problem(MoveGraph.of(Board.box(8, 8), Leaper(0, 1)), objective="turns")
    abstract = Problem(MoveGraph.from_edges(3, [[0, 1], [1, 2], [0, 2]]))
    refused = [
        (edge, problem("8x8", "crossings"), "about turns"),
        (edge, abstract, "about turns"),
        (central, wazir, "stay in its column"),
        (central, problem("torus:8x8"), "periodic"),
        (crown, giraffe, "about the knight"),
        (crown, problem("cylinder:8x8"), "periodic"),
        (crown, problem("4x4x4"), "in the plane"),
        (triplet, problem("8x8"), "about crossings"),
        (triplet, problem("torus:8x8", "crossings"), "periodic"),
        (triplet, problem("5x5-b3", "crossings"), "too few moves"),
    ]
    for module, wrong, message in refused:
        with pytest.raises(KTError, match=message):
            module.bound(wrong)
    assert edge.bound(giraffe) > 28 and central.bound(giraffe) >= edge.bound(giraffe)


def test_a_single_cell_has_an_open_tour_with_nothing_to_count() -> None:
    for module, objective in ((edge, "turns"), (central, "turns"), (crown, "turns"), (triplet, "crossings")):
        assert module.bound(problem("1x1", objective, connectivity="path")) == 0


# -- the tables ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "n", [pytest.param(n, marks=[pytest.mark.slow] if n > 10_000 else []) for n in paper_bounds.SIZES]
)
def test_the_table_of_the_documentation_is_computed(n: int) -> None:
    lines = (Path(__file__).parents[2] / "docs" / "theory" / "bounds.md").read_text().splitlines()
    assert paper_bounds.row_of(n) in lines


# -- boxes of which no cell is listed ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("box", "method", "objective", "least"),
    [
        ("100000x100000", "crown", "turns", 590_608),
        ("100000x200000", "edge", "turns", 600_000),
        ("100000x100000", "central", "turns", 424_999),
        ("100000x100000", "family", "turns", 799_976),
        *slow_rows([("1000000x1000000", "triplet", "crossings", 4_000_008)]),
    ],
)
def test_a_bound_by_formula_needs_no_cells(box: str, method: str, objective: str, least: int) -> None:
    board = named_box(box)
    assert board is not None
    row = methods()[method]
    about = Problem(MoveGraph.of(board), objective=objective)
    if row.number is not None:
        assert row.number(about) == least
    certificate = next(row.certificates(about))
    assert certificate.bound == least
    data = json.loads(json.dumps(certificate.to_json()))
    assert len(json.dumps(data)) < 5000
    assert check(Certificate.from_json(data))
    assert str(certificate.statement) == f"at least {least:,} {objective} in every closed knight's tour of {box}"


def test_only_bounds_by_formula_accept_a_box_without_cells() -> None:
    board = named_box("100000x100000")
    assert board is not None and board.n == 10**10
    for use in (lambda: board.cells, lambda: board.grid, lambda: board.numbers([(0, 0)]), lambda: board.name(0)):
        with pytest.raises(TooLarge, match="10,000,000,000 cells"):
            use()
    for text in ("8x8", "torus:100000x100000", "100000x100000-a1"):
        assert named_box(text) is None
    data = methods()["crown"].certify(Problem(MoveGraph.of(board), objective="turns"))
    assert data is not None
    forged = data.to_json() | {"method": "tree"}
    forged["sha256"] = digest({key: value for key, value in forged.items() if key != "sha256"})
    with pytest.raises(TooLarge, match="over the limit of 200,000,000"):
        Certificate.from_json(forged)
    for arguments in (
        ("find", board.text),
        ("solve", board.text),
        ("bound", board.text, "--method", "relaxation"),
        ("bound", board.text, "--open", "--from", "a1"),
        ("bound", board.text, "--symmetry", "rot180"),
        ("bound", f"torus:{board.text}"),
    ):
        one_line_refusal(kt(*arguments), "cells")


# -- pictures of the arguments -----------------------------------------------------------------------------------------


def test_pictures_of_bounds_show_what_the_bounds_count() -> None:
    forced = bound_parts(graph_of("20x24"), "edge")
    assert len(forced.frames[0].cells) == edge.bound(problem("20x24"))
    middle = bound_parts(graph_of("40x40"), "central")
    assert len(middle.frames[0].cells) + (len(middle.marks) + 1) // 2 == central.bound(problem("40x40"))
    crowns = bound_parts(graph_of("150x100"), "crown")
    cells = np.concatenate([frame.cells for frame in crowns.frames])
    assert len(np.unique(cells, axis=0)) == len(cells)  # Crowns are disjoint
    base = [((frame.cells == 0) | (frame.cells == (149, 99))).any(axis=1).sum() for frame in crowns.frames]
    gained = sum((int(count) - crown.MAX_CLEAN_CELLS + 1) // 2 for count in base)
    assert len(forced.frames) == 1 and edge.bound(problem("150x100")) + gained == crown.bound(problem("150x100"))
    pattern = bound_parts(graph_of("18x21"), "triplet")
    # 4 and 5 triplets on a side, three crossings each, less the one beyond the last cell
    assert len(pattern.arrows) == 2 * 3 * 2 * (4 + 5) and len(pattern.marks) == 2 * (3 * 4 - 1) + 2 * (3 * 5 - 1)
    legs = bound_parts(graph_of("24x24"), "legs")
    assert len([arrow for arrow in legs.arrows if not arrow.head]) == 4 and len(legs.marks) >= 4 + 2


@pytest.mark.parametrize(
    ("board", "name", "words"),
    [
        ("aztec:5", "edge", "rectangles"),
        ("20x20x3", "crown", "rectangles"),
        ("40x40", "crown", "too small"),
        ("8x8", "triplet", "9 cells"),
        ("4x4", "legs", "6 columns"),
        ("3x3", "central", "nothing to draw"),
        ("1000x1000", "edge", "at most 250,000"),
    ],
)
def test_pictures_of_bounds_that_there_are_not_are_refused(board: str, name: str, words: str) -> None:
    with pytest.raises(KTError, match=words):
        bound_parts(graph_of(board), name)
