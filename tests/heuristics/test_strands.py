"""Tours grown from small ones: each is a tour, its turns are counted, and what is asked for is kept."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.main import main
from heuristics.constructions.strands import strands
from heuristics.constructions.strands.boards import best_member
from heuristics.constructions.strands.data import FOLDER, Member, load_families, members
from heuristics.constructions.strands.picture import lines_by_sides
from heuristics.find import find
from kt_models import Board, KTError, Problem, Tour, graph_of, verify
from research.strands.__main__ import main as search_families
from theorems.growing_tours.codes import count
from theorems.growing_tours.zones import TourFamily

SMALLEST = 10
"""Of the even squares; from 12 on they have at most 8n - 18 turns, and 10x10 has one more."""


def tour_of(width: int, height: int) -> Tour:
    tour = find(Problem(graph_of(f"{width}x{height}")), "strands").tour
    assert tour is not None
    return tour


@pytest.mark.parametrize("n", [*range(SMALLEST, 61, 2), 78, 82, 86, 102, 122, 94, 126, 134, 162, 192, 198, 242, 254])
def test_even_squares_have_the_turns_that_are_claimed(n: int) -> None:
    tour = tour_of(n, n)
    verify(tour)
    least, less = {2: (82, 19), 6: (86, 20), 14: (94, 19), 18: (58, 19)}.get(n % 20, (0, 18))
    if (n >= 134 and n % 20 == 14) or (n >= 162 and n % 4 == 2):
        less = 20
    if (n % 60, n >= 162) == (42, True):
        less = 22
    if n >= {2: 242, 6: 186, 18: 198, 34: 214, 50: 230}.get(n % 60, n + 1):
        less = 21
    assert tour.measure("turns") == 8 * n - (less if n >= least else 18) + (n == SMALLEST)


@pytest.mark.parametrize("n", [pytest.param(12, marks=pytest.mark.slow), 14, 24, 26, 46, 62])
def test_few_turns_and_crossings(n: int) -> None:
    problem = Problem(graph_of(f"{n}x{n}"))
    tour = find(problem, "strands", few="both").tour
    fewest = strands(replace(problem, objective="crossings")).tour  # As it is constructed, before exchanges of moves
    assert tour is not None and fewest is not None
    assert tour.measure("turns") <= 8 * n - 13 and tour.measure("crossings") <= 9.25 * n + 3
    assert fewest.measure("crossings") <= tour.measure("crossings")


@pytest.mark.slow
@pytest.mark.parametrize("n", range(62, 501, 2))
def test_every_even_square_up_to_500(n: int) -> None:
    test_even_squares_have_the_turns_that_are_claimed(n)


@pytest.mark.slow
@pytest.mark.parametrize("n", [1000, 1998, 3002, 3998, 4996, 5000])
def test_large_squares_have_the_turns_that_are_claimed(n: int) -> None:
    test_even_squares_have_the_turns_that_are_claimed(n)


def rectangles(least: int, most: int) -> Iterator[tuple[int, int]]:
    return ((w, h) for w in range(least, most) for h in range(w + 1, most) if w * h % 2 == 0)


@pytest.mark.parametrize(("width", "height"), [(12, 13), (19, 12), (20, 41), (41, 20), (21, 46), (26, 300), (301, 26)])
def test_rectangles_have_few_turns(width: int, height: int) -> None:
    tour = tour_of(width, height)
    verify(tour)
    assert -17 <= tour.measure("turns") - 4 * (width + height) <= -14


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), list(rectangles(12, 50)))
def test_every_rectangle_has_few_turns(width: int, height: int) -> None:
    test_rectangles_have_few_turns(width, height)


@pytest.mark.parametrize("board", ["21x21", "6x6", "4x100", "20x20-a1,b1", "20x20x2", "torus:20x20"])
def test_boards_that_strands_do_not_serve_are_refused(board: str) -> None:
    with pytest.raises(KTError, match="strands"):
        strands(Problem(graph_of(board)))


def test_conditions_are_kept_by_an_image_or_there_is_no_tour() -> None:
    problem = Problem(graph_of("20x20"))
    edges = tour_of(20, 20).edges.tolist()
    assert find(replace(problem, required=frozenset(edges)), "strands").tour is not None
    other = find(replace(problem, forbidden=frozenset(edges[5:6])), "strands").tour  # A turned or mirrored one
    assert other is not None
    assert edges[5] not in other.edges
    assert find(replace(problem, connectivity="path", terminals=(0,)), "strands").tour is not None
    assert find(replace(problem, required=frozenset(edges[:5]), forbidden=frozenset(edges[5:])), "strands").tour is None


def test_every_rectangle_from_12_on_is_served() -> None:
    """From these all follow: 4 more rows, or 8 more columns and 8 more rows, are steps of the same growths."""
    for width in range(12, 20):
        for height in range(width, width + 4):
            if width * height % 2 == 0:
                assert any(not member.transposed for member in members(width, height, "turns")), (width, height)
    for family in load_families("turns"):
        assert [(sum(g.columns), sum(g.rows)) for g in family.growths] == [(8, 4), (0, 4)]
        assert family.times(*family.grown((5, 3))) == (5, 3)


def test_counts_of_large_boards_without_the_tour() -> None:
    for number, family in enumerate(load_families("turns")):
        if number % 5 == 0:
            times = (9, 10)
            codes = family.board_codes(times)
            member = Member(family, times, False)
            for metric in ("turns", "crossings"):
                assert member.count(metric) == count(codes, metric)
            assert member.count("both") == member.count("turns") + member.count("crossings")


def test_counting_by_codes_is_counting_a_tour() -> None:
    tour = tour_of(26, 26)
    member = min(members(26, 26, "turns"), key=lambda member: member.count("turns"))
    codes = member.family.board_codes(member.times)
    for metric in ("turns", "crossings"):
        assert count(codes, metric) == tour.measure(metric)


GAPS = {0: (16, 18, 12, 14), 2: (0, 16, 0, 12), 4: (12, 14, 8, 10), 6: (0, 20, 0, 16)}
"""By w modulo 8 and h modulo 4: families with lines of two directions serve w x h if 2h is at least w and so much."""


def test_the_rule_for_the_turns_of_rectangles() -> None:
    """The table of docs/constructions/strands.md and what it says of boards turned over."""

    gaps = {(width, k): gap for width, row in GAPS.items() for k, gap in enumerate(row) if gap}

    def one_way(width: int, height: int) -> int:
        if (width % 8, height % 4) in gaps and 2 * height >= width + gaps[width % 8, height % 4] and width > 12:
            return -15 if width % 8 else -16
        if height % 2 == 0:
            return {2: -17, 6: -16}.get(width % 8, -16 if width % 2 else -14)
        return -14

    for width in range(12, 41):
        for height in range(width, 41):
            if width * height % 2 == 0:
                turned_over = height <= 2 * width - 8 and (width, height) != (12, 15)
                least = min(one_way(width, height), one_way(height, width) if turned_over else 0)
                least = -18 if width == height else least
                found = best_member(width, height, "turns").count("turns")
                assert found == 4 * (width + height) + least, (width, height)


# -- commands, pictures ------------------------------------------------------------------------------------------------


def test_the_command_finds_one() -> None:
    found = CliRunner().invoke(main, ["find", "24x24", "--method", "strands", "--json"])
    assert found.exit_code == 0 and json.loads(found.output)["turns"] == 174


@pytest.mark.slow
def test_the_program_searches_for_one(tmp_path: Path) -> None:
    target = tmp_path / "families.json"
    search_families([str(target), "--class", "0,3", "--compare", "1"])
    data = json.loads(target.read_text())
    assert data["command"] == "python -m research.strands --class 0,3 --compare 1"
    assert TourFamily.from_json(data["families"][0]).size[0] % 8 == 0


def test_the_file_names_its_command() -> None:
    for path in FOLDER.glob("strands-*.json"):
        command = json.loads(path.read_text())["command"]
        assert command.startswith(("python -m research.strands", "python -m research.few_crossings strands-"))


def test_a_picture_colours_a_tour_by_its_lines() -> None:
    for width, height in ((26, 26), (24, 31), (31, 24)):
        tour = tour_of(width, height)
        parts = lines_by_sides(tour)
        parts.require_fit(Board.box(width, height), 1, len(tour))
        assert parts.steps is not None and set(parts.steps.tolist()) == {0, 1, 2} and len(parts.frames) == 2
    assert not lines_by_sides(tour_of(12, 12)).frames  # The zones are left out there
    other = find(Problem(graph_of("26x26")), "merge").tour
    assert other is not None
    with pytest.raises(KTError):
        lines_by_sides(other)
