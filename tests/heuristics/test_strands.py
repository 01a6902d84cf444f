"""Tours grown from small ones: each is a tour, its turns are counted, the proof holds and refuses what is wrong."""

from __future__ import annotations

import itertools
import json
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from cli.main import main
from encoders.gadgets.strands_across import AcrossSearch, Cycles, Joiner, patterns, with_exchange
from encoders.gadgets.strands_chains import KINDS, entry
from encoders.gadgets.strands_least import (
    ACROSS,
    PaintedSquare,
    TightSteps,
    WalkAnnealing,
    ends_with_one_more,
    first_walks,
    tight_steps,
    walks_apart_from,
)
from encoders.gadgets.strands_pairs import forced_pairs
from encoders.gadgets.strands_spirals import KINDS as SPIRALS
from encoders.gadgets.strands_spirals import ExchangeWalk
from encoders.gadgets.strands_spirals import entry as spirals_entry
from encoders.gadgets.strands_two import CLASSES_SERVED, two_families
from encoders.gadgets.strands_walked import WalkedSquares
from encoders.gadgets.strands_walks import Column, walks
from heuristics.constructions.strands import best_member, strands
from heuristics.constructions.strands.data import FOLDER, Member, load_families, members
from heuristics.constructions.strands.picture import regimes_of
from heuristics.constructions.strands.walk import cycle_of
from heuristics.find import find
from heuristics.searches.sides.views import view
from kt_models import Board, KTError, Problem, Tour, graph_of, verify
from kt_models.certificates.families.codes import MOVES, PAIRS, Codes, check_codes, count, read_codes
from kt_models.certificates.families.spirals import SpiralProver
from kt_models.certificates.families.strands import FamilyCounts, Grown, check_one_cycle
from kt_models.certificates.families.zones import LINES, Growth, TourFamily, Zone
from kt_models.errors import CertificateError
from kt_models.limits import NO_LIMITS
from kt_models.storage import read_json
from tests.effort import part_of, slow

SMALLEST = 10
"""Of the even squares; from 12 on they have at most 8n - 18 turns, and 10x10 has one more."""


def tour_of(width: int, height: int) -> Tour:
    tour = find(Problem(graph_of(f"{width}x{height}")), "strands").tour
    assert tour is not None
    return tour


# -- tours -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [*range(SMALLEST, 61, 2), 78, 82, 86, 102, 122, 94, 126, 134, 162, 192, 198, 242, 254])
def test_every_even_square(n: int) -> None:
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


@pytest.mark.parametrize("n", [12, 14, 24, 26, 46, 62])
def test_few_turns_and_crossings(n: int) -> None:
    problem = Problem(graph_of(f"{n}x{n}"))
    tour = find(problem, "strands", few="both").tour
    fewest = strands(replace(problem, objective="crossings")).tour  # as it is constructed, before exchanges of moves
    assert tour is not None and fewest is not None
    assert tour.measure("turns") <= 8 * n - 13 and tour.measure("crossings") <= 9.25 * n + 3
    assert fewest.measure("crossings") <= tour.measure("crossings")


@pytest.mark.slow
@pytest.mark.parametrize("n", range(62, 501, 2))
def test_every_even_square_up_to_500(n: int) -> None:
    test_every_even_square(n)


@pytest.mark.slow
@pytest.mark.parametrize("n", [1000, 1998, 3002, 3998, 4996, 5000])
def test_large_squares(n: int) -> None:
    test_every_even_square(n)


def test_cycles_of_lines_at_a_right_angle_are_joined() -> None:
    """A choice of four patterns with 8n - 19 turns on 26x26 is several cycles; exchanges make it one."""
    codes = AcrossSearch(26, frozenset((1, 4))).board((1, 3, 1, 7))
    before, joiner, own = codes.copy(), Joiner(8 * 26 - 19, NO_LIMITS, random.Random(1)), Cycles.of(codes)
    for exchange in joiner.exchanges(codes, own):
        _, k, x, other = exchange
        after = len(Cycles.of(with_exchange(codes, exchange)).lengths)
        assert own.rotate(k).change(view(codes, k), x, other) == after - len(own.lengths)
    joined = joiner.join(codes)
    assert joined is not None and np.array_equal(codes, before)
    for board, cycles in ((codes, False), (joined[0], True)):
        check_codes(board)
        assert count(board, "turns") == 8 * 26 - 19 and (len(cycle_of(board)) == board.size) == cycles


@pytest.mark.parametrize("first", [(0, 2), *slow([(0, 1), (0, 1, 2), (0, 1, 3)])])
def test_closed_walks_of_ten_steps_are_the_patterns_of_period_ten(first: tuple[int, ...]) -> None:
    own = walks(frozenset(first))
    found = set()
    for start in own.at(-1):
        ways: list[tuple[int, tuple[Column, ...]]] = [(start, ())]
        for _ in range(10):
            ways = [(v, (*columns, column)) for u, columns in ways for v, column in own.steps[u].items()]
        found |= {np.array(columns, dtype=np.uint8).tobytes() for end, columns in ways if end == start}
    assert found == {codes.tobytes() for codes in patterns(frozenset(first))}


@pytest.mark.slow
def test_detours_along_the_sides_cost_no_turns() -> None:
    squares = WalkedSquares(50, frozenset((2, 3)), 7)
    luck, seen = random.Random(1), set()
    for ends in luck.sample(squares.ends(20), 12):
        numbers = tuple(luck.randrange(len(own.cycles)) for own in squares.walks)
        for seeds in ((0,) * 4, tuple(luck.randrange(1, 99) for _ in range(4))):
            codes = squares.board(110, ends, numbers, seeds)
            if codes is not None:
                check_codes(codes)
                assert count(codes, "turns") == 8 * 110 - 20
                seen.add(codes.tobytes())
    assert len(seen) > 5


@pytest.mark.parametrize("side", [102, *slow([126, 138, 154])])
def test_pieces_of_walks_that_are_drawn_anew_cost_no_turns(side: int) -> None:
    """However they are drawn, the squares fit together, and their cycles are counted right."""
    corner = 7 if side == 126 else 5
    less, luck = 22 if side % 20 == 2 else 21, random.Random(1)
    squares = WalkedSquares(40 + side % 20, ACROSS, corner)
    walks = first_walks(squares, side, luck.choice(squares.ends(less)), luck)
    assert walks is not None
    found = WalkAnnealing(squares, side, walks, luck, (0, 3))
    seen = set()
    for _ in range(3):
        for _ in range(60):
            found.draw(100.0)
        for board, number, copies in zip(found.boards, found.numbers, found.copies, strict=True):
            check_codes(board.codes)
            assert np.array_equal(board.codes, found.codes(copies))
            assert count(board.codes, "turns") == 8 * len(board.codes) - less
            assert len(Cycles.of(board.codes).lengths) == number
        seen.add(found.boards[0].codes.tobytes())
    assert len(seen) == 3


FORCED = {62: 4, 74: 4, 78: 0}
"""By the side of a square: the fewest pairs of lines that the bottom and the top both join, no corner joins any."""


def every_walk(own: TightSteps, start: int, stop: int, steps: int) -> list[list[int]]:
    walks = [[start]]
    for _ in range(steps):
        walks = [[*walk, after] for walk in walks for after in np.flatnonzero(own.matrices[0][walk[-1]]).tolist()]
    return [walk for walk in walks if walk[-1] == stop]


def cycles_of_two_lines(codes: Codes) -> int:
    """How many cycles are two lines of the direction (1, -2), each with one cell in the two rows in the middle."""
    own, side = Cycles.of(codes), len(codes)
    rows = np.s_[:, side // 2 - 1 : side // 2 + 1]
    met = Counter(own.labels[rows][codes[rows] == PAIRS.index((3, 7))].tolist())
    return sum(number == 2 and own.lengths[label] == side for label, number in met.items())


@pytest.mark.parametrize("side", [62, 78, *slow([74])])
def test_pairs_of_lines_that_no_walks_avoid(side: int) -> None:
    """All walks of the bottom and the top, with some walks of the other sides."""
    squares = WalkedSquares(40 + side % 20, ACROSS, 5)
    ends = squares.ends(21)[0]
    steps = tight_steps(squares)
    nodes = [[own.nodes.index(ends[at % 4][1 - at + k]) for at in (k, k + 1)] for k, own in enumerate(steps)]
    bottoms, tops = (every_walk(steps[k], *nodes[k], side - 10) for k in (0, 2))
    right, left = (steps[k].draw(*nodes[k], side - 10, False, random.Random(1)) for k in (1, 3))
    assert right is not None and left is not None
    board, found = PaintedSquare.of(squares, steps, [bottoms[0], right, tops[0], left]), []
    for bottom, top in itertools.product(bottoms, tops):
        board.exchange(0, bottom)
        board.exchange(2, top)
        found.append(cycles_of_two_lines(board.codes))
    assert min(found) == forced_pairs(squares, side)[ends[1][0], ends[3][0]] == FORCED[side]


def test_with_one_turn_more_no_two_lines_are_joined_twice() -> None:
    """For 22 modulo 60, where all other walks have four cycles of two lines or more."""
    side, luck = 142, random.Random(1)
    squares = WalkedSquares(40 + side % 20, ACROSS, 7)
    forced = forced_pairs(squares, side)
    assert {forced[ends[1][0], ends[3][0]] for ends in squares.ends(22)} == {4}
    choices, seen = ends_with_one_more(squares, 21), set()
    for _ in range(part_of(30)):
        walks = walks_apart_from(squares, side, luck.choice(choices), luck)
        if walks is not None:
            codes = PaintedSquare.of(squares, tight_steps(squares), walks).codes
            check_codes(codes)
            assert count(codes, "turns") == 8 * side - 21
            assert cycles_between_bottom_and_top(codes) == 0
            seen.add(codes.tobytes())
    assert len(seen) > 1


def cycles_between_bottom_and_top(codes: Codes) -> int:
    """Cycles of two lines, both from the right half of the bottom to the left half of the top, no corner in them."""
    own, side = Cycles.of(codes), len(codes)
    corners = {*own.labels[-7:, :7].ravel().tolist(), *own.labels[:7, -7:].ravel().tolist()}
    rows = np.s_[:, side // 2 - 1 : side // 2 + 1]
    met = Counter(own.labels[rows][codes[rows] == PAIRS.index((3, 7))].tolist())
    return sum(number == 2 and own.lengths[label] == side and label not in corners for label, number in met.items())


def rectangles(least: int, most: int) -> Iterator[tuple[int, int]]:
    return ((w, h) for w in range(least, most) for h in range(w + 1, most) if w * h % 2 == 0)


@pytest.mark.parametrize(("width", "height"), [(12, 13), (19, 12), (20, 41), (41, 20), (21, 46), (26, 300), (301, 26)])
def test_rectangles(width: int, height: int) -> None:
    tour = tour_of(width, height)
    verify(tour)
    assert -17 <= tour.measure("turns") - 4 * (width + height) <= -14


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), list(rectangles(12, 50)))
def test_every_rectangle(width: int, height: int) -> None:
    test_rectangles(width, height)


@pytest.mark.parametrize("board", ["21x21", "6x6", "4x100", "20x20-a1,b1", "20x20x2", "torus:20x20"])
def test_what_is_not_served_is_refused(board: str) -> None:
    with pytest.raises(KTError, match="strands"):
        strands(Problem(graph_of(board)))


def test_what_is_asked_for_is_kept_by_some_image_or_there_is_no_tour() -> None:
    problem = Problem(graph_of("20x20"))
    edges = tour_of(20, 20).edges.tolist()
    assert find(replace(problem, required=frozenset(edges)), "strands").tour is not None
    other = find(replace(problem, forbidden=frozenset(edges[5:6])), "strands").tour  # a turned or mirrored one
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
    for one in load_families("turns"):
        assert [(sum(g.columns), sum(g.rows)) for g in one.growths] == [(8, 4), (0, 4)]
        assert one.times(*one.grown((5, 3))) == (5, 3)


def test_counts_of_large_boards_without_the_tour() -> None:
    for number, one in enumerate(load_families("turns")):
        if number % 5 == 0:
            times = (9, 10)
            codes = one.board_codes(times)
            member = Member(one, times, False)
            for metric in ("turns", "crossings"):
                assert member.count(metric) == count(codes, metric)
            assert member.count("both") == member.count("turns") + member.count("crossings")


# -- families ----------------------------------------------------------------------------------------------------------


def family() -> TourFamily:
    return next(one for one in load_families("turns") if one.one_direction)


def test_a_family_is_written_and_read() -> None:
    data = json.loads(json.dumps(family().to_json()))
    again = TourFamily.from_json(data)
    assert np.array_equal(again.codes, family().codes)
    assert (again.columns, again.rows, again.growths) == (family().columns, family().rows, family().growths)
    for key in data:
        with pytest.raises(CertificateError):
            TourFamily.from_json({**data, key: None})


def test_moves_at_a_cell_of_a_huge_board() -> None:
    for times in ((0, 0), (3, 5), family().times(*family().grown((7, 2)))):
        codes = family().board_codes(times)
        cells = np.argwhere(codes < len(PAIRS))
        assert np.array_equal(family().codes_at(times, cells), codes.reshape(-1))
    huge = (10**9, 10**9)
    width, height = family().grown(huge)
    far = np.array([[width - 1, height - 1], [0, 0], [width // 2, height // 2]])
    ends = family().codes_at(huge, far)
    assert ends[0] == family().codes[-1, -1] and ends[1] == family().codes[0, 0]
    assert PAIRS[ends[2]] == (MOVES.index((2, -1)), MOVES.index((-2, 1)))


def test_moves_that_do_not_fit_are_refused() -> None:
    codes = family().codes.copy()
    codes[9, 9] = (codes[9, 9] + 1) % len(PAIRS)
    with pytest.raises(KTError, match="has it back"):
        replace(family(), codes=codes)
    zone = family().columns[0]
    with pytest.raises(KTError, match="may not be repeated"):
        replace(
            family(), columns=(Zone(zone.start, zone.period - 1),), growths=(Growth((7,), (4,)), Growth((0,), (4,)))
        )
    with pytest.raises(KTError, match="not inside"):
        replace(family(), columns=(Zone(1, 8),))
    with pytest.raises(KTError, match="whole periods"):
        replace(family(), growths=(Growth((4,), (4,)), Growth((0,), (4,))))
    with pytest.raises(KTError, match="independent"):
        replace(family(), growths=(Growth((8,), (4,)), Growth((16,), (8,))))


def test_counting_by_codes_is_counting_a_tour() -> None:
    tour = tour_of(26, 26)
    member = min(members(26, 26, "turns"), key=lambda member: member.count("turns"))
    codes = member.family.board_codes(member.times)
    for metric in ("turns", "crossings"):
        assert count(codes, metric) == tour.measure(metric)


# -- the proof ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("one", load_families("both")[::4], ids=lambda one: "{}x{}".format(*one.size))
def test_what_is_proved_is_true_far_beyond(one: TourFamily) -> None:
    """That every family is proved is a part of the check of their file (`tests.kt_models.test_all_sizes`)."""
    shown = check_one_cycle(one)
    beyond = tuple(k + 9 for k in shown.times)
    for times in (beyond, (beyond[0], one.growths[1].least), (one.growths[0].least, beyond[1])):
        if one.times(*one.grown(times)) == times:
            codes = one.board_codes(times)
            assert len(cycle_of(codes)) == codes.size


def test_the_linkage_is_that_of_the_paths_below_a_cut() -> None:
    board = Grown(family(), (1, 1))
    codes = family().board_codes((1, 1))
    for t in (30, 31, 60):
        neighbours = {
            (x, y): [(x + MOVES[m][0], y + MOVES[m][1]) for m in PAIRS[codes[x, y]]]
            for x, y in np.ndindex(*codes.shape)
        }

        def below(cell: tuple[int, int], t: int = t) -> bool:
            return cell[0] + 2 * cell[1] < t

        ports = [(u, v) for u, around in neighbours.items() for v in around if below(u) and not below(v)]
        linkage = set()
        for u, v in ports:
            before, at = v, u
            while below(at):
                a, b = neighbours[at]
                before, at = at, b if a == before else a
            linkage.add(frozenset([(u, v), (before, at)]))
        assert board.linkage(t) == linkage and len(linkage) == len(ports) // 2


@pytest.mark.parametrize("one", [load_families("turns")[at] for at in (0, -1)], ids=("two", "one"))
def test_growing_in_width_alone_is_not_proved(one: TourFamily) -> None:
    wrong = replace(one, growths=(Growth((8,), (0,)), Growth((0,), (4,))))
    with pytest.raises(CertificateError, match=r"pumped|several cycles"):
        check_one_cycle(wrong)


# -- lines of two directions -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def two() -> TourFamily:
    found = [one for one in load_families("turns") if not one.one_direction]
    assert sorted((one.size[0] % 8, one.size[1] % 4) for one in found) == sorted(CLASSES_SERVED)
    return found[0]


def test_a_mirrored_family_has_the_mirrored_boards(two: TourFamily) -> None:
    for one in (two, family()):
        for times in ((0, 0), (2, 1), (0, 3)):
            codes, mirrored = one.board_codes(times), one.mirrored.board_codes(times)
            for (x, y), code in np.ndenumerate(codes):
                vectors = {(-MOVES[move][0], MOVES[move][1]) for move in PAIRS[code]}
                assert {MOVES[move] for move in PAIRS[mirrored[len(codes) - 1 - x, y]]} == vectors


def test_the_linkage_of_a_slab_is_that_of_the_paths_inside_it(two: TourFamily) -> None:
    board = Grown(two, (5, 6))
    codes = two.board_codes((5, 6))
    for low, high in ((40, 48), (40, 56), (90, 98)):

        def inside(cell: tuple[int, int], low: int = low, high: int = high) -> bool:
            return board.system[cell] == LINES[0] and low <= cell[0] + 2 * cell[1] < high

        linkage = set()
        for (x, y), code in np.ndenumerate(codes):
            for move in PAIRS[code] if inside((x, y)) else ():
                before, at = (x + MOVES[move][0], y + MOVES[move][1]), (x, y)
                if inside(before):
                    continue
                first = at, before
                while inside(at):
                    around = [(at[0] + MOVES[m][0], at[1] + MOVES[m][1]) for m in PAIRS[codes[at]]]
                    before, at = at, next(cell for cell in around if cell != before)
                linkage.add(frozenset([first, (before, at)]))
        assert board.linkage_of_lines(low, high) == linkage and linkage


def test_systems_that_mix_have_no_linkage(two: TourFamily) -> None:
    board = Grown(two, (5, 6))
    last = board.size[0] + 2 * board.size[1]
    assert board.linkage_of_lines(0, last) is None, "the whole first system leads to the second at the corners"


MIXED = (  # from the bottom up: a line cell left of the interior, and near its top, follows no other along the tour
    "amlBalflallBalflallBalflallBalfB brkppqkpqpkppqkpqpkppqkpqpkppqeA ijvqkjqxkjuqkjqxkjuqkjqxkjuqkdux "
    "coekqqkkqqkkqqkkqqkkqqkkqqkkqqty aiqqakqqkkqqkkqqkkqqkkqqkkqqkkxB bokwqqkkqqkkqqkkqqkkqqkkqqkkqqtA "
    "ajqqkjqqkkqqkkqqkkqqkkqqkkqqkkuB boekqqkkqqkkqqkkqqkkqqkkqqkkqqtA ajqqakqqkkqqkkqqkkqqkkqqkkqqkkuB "
    "bokwqqkkqqkkqqkkqqkkqqkkqqkkqqtA ajqqkjqqkkqqkkqqkkqqkkqqkkqqkkuB boekqqkkqqkkqqkkqqkkqqkkqqkkqqtA "
    "ajqqakqqkkqqkkqqkkqqkkqqkkqqkkuB bokwqqkkqqkkqqkkqqkkqqkkqqkkqqtA ajqqkjqqkkqqkkqqkkqqkkqqkkqqkkuB "
    "boekqqkkqqkkqqkkqqkkqqkkqqkkqqtA ajqqakqqkAqqkkqqkAqqkkqqkkqqkkuB bokwqqkkqqkmqqkkqqkmqqkkqqkkqqtA "
    "ajqqkyqqtkqqkAqqtkqqkAqqkkqqkkuB boekqqkmqqikqqkmqqikqqkmqqkkqqtA ajqqckqqkkqqtkqqkkqqtkqqkkqqkkuB "
    "bokwqqikqqkkqqikqqkkqqikqqkkqqtA ajqbkjqqkkqqkkqqkkqqkkqqkkqqkkuB bdzkqqkkqqkkqqkkqqkkqqkkqqkkqqtA "
    "byqbdkqrkAbqekqrkAbqekqrkAbqAkcB hjxlqllklqklqllklqklqllklqkllhuz noppownptppopwnptppopwnptppspptw "
)


def test_both_directions_are_pumped_with_the_same_two_systems() -> None:
    growths = Growth((8,), (4,)), Growth((0,), (4,))
    one = TourFamily(read_codes(MIXED.split()), (Zone(8, 8),), (Zone(12, 4),), growths)
    board = Grown(one, (0, 0))
    systems, mirrored = (
        {tuple(cell): system for cell, system in zip(seen.order.tolist(), seen.systems.tolist(), strict=True)}
        for seen in (board, board.view(one.mirrored))
    )
    other = dict(zip(LINES, LINES[::-1], strict=True))
    assert systems == {(one.size[0] - 1 - x, y): other[system] for (x, y), system in mirrored.items()}
    assert set(systems.values()) == set(LINES)


def test_two_directions_claim_no_crossings(two: TourFamily) -> None:
    with pytest.raises(CertificateError, match="cross each other"):
        FamilyCounts(two, "crossings")


def test_an_exchange_in_the_copies_of_two_directions_is_not_proved(two: TourFamily) -> None:
    """Seeds with a cell of the interior that turns, or that goes another way, are refused."""
    x, y = two.columns[0].start + 2, two.rows[0].start + 1
    for code in range(len(PAIRS)):
        codes = two.codes.copy()
        codes[x, y] = code
        if code != two.codes[x, y]:
            with pytest.raises(CertificateError):
                check_one_cycle(replace(two, codes=codes))


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), [(0, 0), (0, 1), (0, 2), (0, 3), (2, 1), (4, 2), (6, 3)])
def test_what_the_search_for_two_directions_finds_stays_one_cycle(width: int, height: int) -> None:
    for one in itertools.islice(two_families(width, height), 3 if width == 4 else 6):
        times = check_one_cycle(one).times
        for more in itertools.product((0, 1, 2, 5, 9), repeat=2):
            codes = one.board_codes((times[0] + more[0], times[1] + more[1]))
            assert len(cycle_of(codes)) == codes.size


def test_several_cycles_are_noticed() -> None:
    one = family()
    codes = one.codes.copy()
    order = Grown(one, (0, 0)).order
    place = {cell: k for k, cell in enumerate(map(tuple, order.tolist()))}
    for (x, y), k in place.items():  # two parallel moves, walked in opposite senses, exchanged: two cycles
        for (dx, dy), (ex, ey) in itertools.permutations(MOVES, 2):
            a, b, c, d = (x, y), (x + dx, y + dy), (x + ex, y + ey), (x + dx + ex, y + dy + ey)
            if all(cell in place for cell in (b, c, d)) and place[b] == k + 1 and place[d] == place[c] - 1:
                exchanged = codes.copy()
                for cell, old, new in ((a, b, c), (c, d, a), (b, a, d), (d, c, b)):
                    moves = set(PAIRS[codes[cell]]) - {MOVES.index((old[0] - cell[0], old[1] - cell[1]))}
                    moves.add(MOVES.index((new[0] - cell[0], new[1] - cell[1])))
                    if len(moves) == 2:
                        exchanged[cell] = PAIRS.index(tuple(sorted(moves)))  # type: ignore[arg-type]
                if len(cycle_of(exchanged)) < codes.size:
                    try:
                        wrong = replace(one, codes=exchanged)
                    except KTError:  # not periodic, or moves that do not fit
                        continue
                    with pytest.raises(CertificateError, match=r"several cycles|line cell"):
                        check_one_cycle(wrong)
                    return
    pytest.fail("no exchange was possible")


def test_lines_of_another_direction_are_not_proved() -> None:
    one = family()
    swapped = {code: {MOVES.index(MOVES[move][::-1]) for move in pair} for code, pair in enumerate(PAIRS)}
    codes = np.array([PAIRS.index(tuple(sorted(swapped[code]))) for code in range(len(PAIRS))])[one.codes]  # type: ignore[arg-type]
    growths = tuple(Growth(g.rows, g.columns, g.least) for g in one.growths)
    transposed = TourFamily(codes.T.astype(np.uint8), one.rows, one.columns, growths)
    with pytest.raises(CertificateError, match="line cell"):
        check_one_cycle(transposed)


# -- commands, pictures ------------------------------------------------------------------------------------------------


def test_commands(tmp_path: Path) -> None:
    runner = CliRunner()
    found = runner.invoke(main, ["find", "24x24", "--method", "strands", "--json"])
    assert found.exit_code == 0 and json.loads(found.output)["turns"] == 174
    target = tmp_path / "families.json"
    assert (
        runner.invoke(main, ["search", "strands", "--class", "0,3", "--compare", "1", "-o", str(target)]).exit_code == 0
    )
    data = json.loads(target.read_text())
    assert data["command"] == "kt search strands --class 0,3 --compare 1"
    assert TourFamily.from_json(data["families"][0]).size[0] % 8 == 0
    assert runner.invoke(main, ["search", "strands", "--class", "odd"]).exit_code == 2


def test_the_file_names_its_command() -> None:
    for path in FOLDER.glob("strands-*.json"):
        command = json.loads(path.read_text())["command"]
        assert command.startswith(
            ("kt search strands", "python -m encoders.gadgets.strands_", "python -m benchmarks.few_crossings strands-")
        )


def test_a_picture_colours_a_tour_by_its_lines() -> None:
    for width, height in ((26, 26), (24, 31), (31, 24)):
        tour = tour_of(width, height)
        parts = regimes_of(tour)
        parts.require_fit(Board.box(width, height), 1, len(tour))
        assert parts.steps is not None and set(parts.steps.tolist()) == {0, 1, 2} and len(parts.frames) == 2
    assert not regimes_of(tour_of(12, 12)).frames  # the zones are left out there
    other = find(Problem(graph_of("26x26")), "merge").tour
    assert other is not None
    with pytest.raises(KTError):
        regimes_of(other)


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


@pytest.mark.parametrize(("residue", "which"), [(6, ""), (14, "-14")])
def test_a_square_gives_the_family_that_is_delivered(residue: int, which: str) -> None:
    delivered = read_json(FOLDER / f"strands-turns-chains{which}.json")["families"][1]
    square = TourFamily.from_json(delivered).board_codes((0, 0))
    assert entry(square, KINDS[residue]) == delivered


@pytest.mark.slow
def test_a_walk_joins_the_cycles_of_two_squares_by_the_same_exchanges() -> None:
    boards = [AcrossSearch(n, frozenset((2, 3))).board((1, 6, 2, 9)) for n in (78, 118)]
    assert [len(Cycles.of(codes).lengths) for codes in boards] == [2, 2]
    walk = ExchangeWalk(boards, 6, random.Random(0))
    assert walk.join()
    for codes in walk.boards:
        check_codes(codes)
        assert count(codes, "turns") == 8 * len(codes) - 19 and len(cycle_of(codes)) == codes.size


@pytest.mark.slow
@pytest.mark.parametrize(("residue", "which"), [(18, ""), (2, "-2"), (14, "-14")])
def test_a_square_gives_the_family_of_spirals_that_is_delivered(residue: int, which: str) -> None:
    delivered = read_json(FOLDER / f"strands-turns-spirals{which}.json")["families"][1]
    square = TourFamily.from_json(delivered).board_codes((0, 0))
    assert spirals_entry(square, SPIRALS[residue], SpiralProver()) == delivered
