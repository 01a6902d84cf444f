"""Bounds of crossings by bands of columns: against other sweeps and all tours, and whatever stands in the data."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from benchmarks.few_crossings.two_factors import show_fewest
from cli.main import main
from encoders.bounds.methods.bands import METHOD, learn, raised, widths_of
from kt_models import Certificate, CertificateError, KTError, Leaper, MoveGraph, Problem, Symmetry, graph_of
from kt_models.certificates.bands.board import HALVED, BandBoard, both_ways, fewest, least_of, set_prices
from kt_models.certificates.bands.bound import bound
from kt_models.certificates.bands.step import FAR, MOST, MOST_LEAD, MOST_PRICES, UNIT, least
from kt_models.certificates.certificate import digest
from kt_models.errors import TooLarge
from kt_models.limits import NO_LIMITS, Limits, Stopped
from tests import brute

RECORDS = Path(__file__).parents[2] / "docs" / "records"
FEWEST = {(5, 6): 44, (6, 6): 50, (6, 7): 55, (6, 8): 58}
"""Fewest crossings of 2-factors."""
NUMBERS = {
    (3, 12): {52: 2, 53: 2, 54: 2, 56: 8, 57: 12, 58: 6, 59: 16, 60: 60},
    (4, 9): {48: 2, 50: 4, 51: 4, 52: 21, 53: 60},
    (5, 6): {44: 2, 45: 4, 46: 10, 47: 46, 48: 90},
    (5, 8): {54: 14, 55: 58},
    (6, 6): {50: 4, 51: 16},
    (6, 7): {55: 2, 56: 34},
}
"""2-factors by crossings, as a sweep found them that drops nothing and has another representation of its states."""


def fewest_by_trying(width: int, height: int, holes: frozenset[int] = frozenset()) -> int | None:
    """The fewest crossings of a 2-factor: the moves of one cell after the other, each way with two at each cell."""
    cells = [(x, y) for x, y in itertools.product(range(width), range(height)) if y * width + x not in holes]
    moves = [(a, b) for a, b in itertools.combinations(cells, 2) if {abs(a[0] - b[0]), abs(a[1] - b[1])} == {1, 2}]
    at = {c: [i for i, move in enumerate(moves) if c in move] for c in cells}
    cross = [[brute._meet(*first, *second) for second in moves] for first in moves]
    cells.sort(key=lambda c: (c[1], c[0]) if width < height else c)
    best: list[int] = []

    def go_on(k: int, chosen: list[int], decided: frozenset[int], value: int) -> None:
        if best and value >= best[-1]:
            return
        if k == len(cells):
            best.append(value)
            return
        missing = 2 - sum(cells[k] in moves[i] for i in chosen)
        new = [i for i in at[cells[k]] if i not in decided]
        for some in itertools.combinations(new, missing) if missing >= 0 else ():
            more = [cross[i][j] for i in some for j in chosen]
            go_on(k + 1, [*chosen, *some], decided | set(new), value + sum(more))

    go_on(0, [], frozenset(), 0)
    return best[-1] if best else None


def problem_of(width: int, height: int, connectivity: Any = "cycle") -> Problem:
    return Problem(graph_of(f"{width}x{height}"), connectivity, "crossings")


def prices_of(width: int, height: int, most: int = 0, seed: int = 0, widths: list[int] | None = None) -> dict[str, Any]:
    """Data with random prices."""
    width, height = sorted((width, height))
    number = len(BandBoard(width, height, [width]).moves)
    random = np.random.default_rng(seed)
    across, middle = random.integers(-most, most + 1, (2, number)).tolist()
    row = {"row": random.integers(-most, most + 1, width).tolist()} if height % 2 else {}
    return {"bands": widths or widths_of(width), "across": across, "middle": middle, **row}


def give(board: BandBoard, data: dict[str, Any]) -> None:
    """Set the prices of a board that is the same upside down."""
    across, middle, row = (np.array(data.get(name, []), dtype=np.int64) for name in ("across", "middle", "row"))
    set_prices([board], [across], middle, row)


def is_shown(width: int, height: int, data: dict[str, Any], at_least: int) -> bool:
    try:
        return bound(problem_of(width, height, "any"), {**data, "at_least": at_least}) == at_least
    except CertificateError:
        return False


def greatest(width: int, height: int, data: dict[str, Any], top: int) -> int:
    """The greatest bound that is shown, of those next to a value."""
    shown = [at_least for at_least in (top - 1, top, top + 1) if is_shown(width, height, data, at_least)]
    assert shown in ([], [top - 1], [top - 1, top], [top - 1, top, top + 1])
    return shown[-1]


# -- against what shares no code with it -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("width", "height"),
    [(3, 4), (3, 6), (4, 4), (4, 5), (3, 8), (3, 10), (4, 6), pytest.param(5, 6, marks=pytest.mark.slow)],
)
def test_what_trying_everything_finds(width: int, height: int) -> None:
    fewest = fewest_by_trying(width, height)
    if fewest is None:
        assert bound(problem_of(width, height), {**prices_of(width, height), "at_least": MOST}) == MOST
        return
    for seed, most in enumerate((0, 3, 12)):
        assert greatest(width, height, prices_of(width, height, most, seed), fewest) == fewest


@pytest.mark.parametrize("board", ["5x6", "3x10", pytest.param("6x6", marks=pytest.mark.slow)])
def test_no_tour_has_fewer(board: str) -> None:
    width, height = map(int, board.split("x"))
    values = brute.values(board, True, "crossings")
    for seed, most in enumerate((0, 4)):
        data = prices_of(width, height, most, seed)
        assert bound(problem_of(width, height), {**data, "at_least": min(values)}) == min(values)
        with pytest.raises(CertificateError, match="there is a closed tour"):
            bound(problem_of(width, height), {**data, "at_least": min(values) + 1})


@pytest.mark.parametrize(("width", "height"), [(5, 6), (3, 10)])
def test_all_tours_are_listed_or_their_images(width: int, height: int) -> None:
    """The oracle's cells are numbered column by column: those of the board with its sides exchanged fit."""
    tours, values = (f(f"{height}x{width}", True, *m) for f, m in ((brute.tours, ()), (brute.values, ("crossings",))))
    few = min(values) + 2
    steps = [
        zip(tour, tour[1:] + tour[:1], strict=True) for tour, value in zip(tours, values, strict=True) if value <= few
    ]
    wanted = {frozenset(map(frozenset, moves)) for moves in steps}
    data, sweep = prices_of(width, height, 3), BandBoard(width, height, widths_of(width))
    give(sweep, data)
    every = [frozenset(map(frozenset, moves)) for moves in sweep.factors(few)]
    assert len(set(every)) == len(every)
    found = {its for its in every if sweep.is_one_cycle([tuple(move) for move in its])}
    n = width * height
    turned = {frozenset(frozenset(n - width - c + 2 * (c % width) for c in move) for move in its) for its in found}
    assert found and found <= wanted and found | turned == wanted


@pytest.mark.parametrize(("width", "height"), NUMBERS)
def test_all_2_factors_are_listed_or_their_images(width: int, height: int) -> None:
    """With the images upside down the list is the same in a mirror, and on a square from any side."""
    numbers, n = NUMBERS[width, height], width * height
    for seed, widths in enumerate(([width - 2, 2], [2, 1, width - 3] if width > 3 else [3])):
        data, sweep = prices_of(width, height, 5 * seed, seed, widths), BandBoard(width, height, widths)
        give(sweep, data)
        every = [frozenset(map(frozenset, moves)) for moves in sweep.factors(max(numbers))]
        assert len(set(every)) == len(every) and not any(sweep.factors(min(numbers) - 1))
        listed = {*every, *(moved(its, lambda c: n - width - c + 2 * (c % width)) for its in every)}
        assert Counter(crossings_of(its, width) for its in listed) == numbers
        assert listed == {moved(its, lambda c: c + width - 1 - 2 * (c % width)) for its in listed}
        assert width < height or listed == {moved(its, lambda c: c % width * width + c // width) for its in listed}


@pytest.mark.slow
@pytest.mark.parametrize(("side", "number"), [(10, 34), (12, 1940)])
def test_lists_of_squares_are_the_same_from_any_side(side: int, number: int) -> None:
    """With the prices of the records; none is one cycle, by steps from cell to cell."""
    certificate = json.loads((RECORDS / f"crossings-{side}x{side}.json").read_text())["certificate"]
    data, last = certificate["data"], side - 1
    sweep = BandBoard(side, side, data["bands"])
    give(sweep, data)
    every = {frozenset(map(frozenset, moves)) for moves in sweep.factors(certificate["bound"] - 1)}
    listed = every | {moved(its, lambda c: (last - c // side) * side + c % side) for its in every}
    assert len(listed) == number
    assert listed == {moved(its, lambda c: c % side * side + c // side) for its in listed}
    for its in listed:
        assert crossings_of(its, side) < certificate["bound"]
        near: dict[int, list[int]] = {}
        for a, b in its:
            near.setdefault(a, []).append(b)
            near.setdefault(b, []).append(a)
        before, cell, steps = near[0][0], 0, 0
        while cell or not steps:
            before, cell, steps = cell, next(c for c in near[cell] if c != before), steps + 1
        assert steps < side * side


def moved(moves: frozenset[frozenset[int]], image: Callable[[int], int]) -> frozenset[frozenset[int]]:
    return frozenset(frozenset(map(image, move)) for move in moves)


def crossings_of(moves: frozenset[frozenset[int]], width: int) -> int:
    """Counted pair by pair, of what has two moves at each cell."""
    assert set(Counter(cell for move in moves for cell in move).values()) == {2}
    ends = [[(cell % width, cell // width) for cell in move] for move in moves]
    return sum(brute._meet(*first, *second) for first, second in itertools.combinations(ends, 2))


# -- boards with holes -------------------------------------------------------------------------------------------------


def with_holes(width: int, height: int, number: int, random: np.random.Generator) -> frozenset[int]:
    """So many holes, half of them of either colour; of an odd number, one more of the colour of the corners."""
    cells = random.permutation(width * height).tolist()
    black = [cell for cell in cells if (cell % width + cell // width) % 2 == 0]
    white = [cell for cell in cells if (cell % width + cell // width) % 2]
    return frozenset([*black[: (number + 1) // 2], *white[: number // 2]])


def priced(width: int, height: int, holes: frozenset[int], most: int, random: np.random.Generator) -> list[BandBoard]:
    """The board and, if it is another one, the one upside down, with random prices and lead."""
    boards = both_ways(BandBoard(width, height, [2, width - 2], holes))
    *across, middle = random.integers(-most, most + 1, (len(boards) + 1, len(boards[0].moves)))
    row = random.integers(-most, most + 1, width * (height % 2))
    set_prices(boards, across, middle, row, int(random.integers(-5 * UNIT, 5 * UNIT)))
    return list(boards)


def test_what_trying_everything_finds_on_boards_with_holes() -> None:
    """Most boards are not the same upside down, and of most sizes halves are looked at."""
    random, found = np.random.default_rng(1), Counter[tuple[int, bool]]()
    for width, height, number in [(4, 6, 2), (3, 8, 2), (4, 7, 2), (3, 9, 1), (3, 10, 2)] * 6:
        holes = with_holes(width, height, number, random)
        value = fewest_by_trying(width, height, holes)
        boards = priced(width, height, holes, 6, random)
        found[len(boards), value is not None] += 1
        assert fewest(boards, MOST if value is None else value + 2) == value
        assert value is None or fewest(boards, value - 1) is None
    assert found[2, True] > 6 and found[1, True]


def test_all_2_factors_of_boards_with_holes_are_listed_from_one_of_both_sides() -> None:
    """Each of the two lists lacks some now and then, as one of both sides is granted less."""
    random, short = np.random.default_rng(2), [0, 0]
    for _ in range(40):
        holes = with_holes(3, 12, 2, random)
        boards = priced(3, 12, holes, 6, random)
        value = fewest(boards, MOST)
        if value is None or len(boards) == 1:
            continue
        board, other = boards
        lists = [
            {frozenset(map(frozenset, its)) for its in board.factors(value + 6)},
            {moved(frozenset(map(frozenset, its)), other.turned_image) for its in other.factors(value + 6)},
        ]
        plain = BandBoard(3, 12, [3], holes)
        plain.lead = MOST_LEAD  # so that no half is too much
        wanted = {frozenset(map(frozenset, its)) for its in plain.factors(value + 6)}
        assert lists[0] | lists[1] == wanted
        short = [number + (found < wanted) for number, found in zip(short, lists, strict=True)]
    assert all(short)


@pytest.mark.parametrize(("name", "fewest", "tour"), [("aztec:3", 22, 23), ("5x7-a1", 42, 43), ("6x6-a1,e2", 43, 43)])
def test_certificates_of_boards_with_holes(name: str, fewest: int, tour: int) -> None:
    for connectivity, value in (("any", fewest), ("cycle", tour)):
        problem = Problem(graph_of(name), connectivity, "crossings")
        certificate = METHOD.certify(problem, rounds=8)
        assert certificate is not None and certificate.bound == value
        certificate.check()
        more = {**certificate.data, "at_least": value + 1}
        with pytest.raises(CertificateError, match="there is a"):
            bound(problem, more)
        for key in certificate.data:
            with pytest.raises(CertificateError):
                bound(problem, {k: v for k, v in certificate.data.items() if k != key})


# -- whatever the bands and prices are ---------------------------------------------------------------------------------


ALL = [pytest.param(*board, marks=pytest.mark.slow) if board > (6, 6) else board for board in FEWEST]


@pytest.mark.parametrize(("width", "height"), ALL)
def test_any_bands_and_prices_give_the_same(width: int, height: int) -> None:
    fewest = FEWEST[width, height]
    for seed, widths in enumerate(([1] * width, [2, 1, width - 3])):
        data = prices_of(width, height, 4 * seed, seed, widths)
        assert greatest(height, width, data, fewest) == fewest


@pytest.mark.parametrize("holes", [0, 3])
def test_random_moves_pay_in_halves_what_they_pay_in_all(holes: int) -> None:
    """Of a board of odd height too: a set of moves and its image upside down, in the lower half."""
    random = np.random.default_rng(0)
    for height in (6, 7, 8, 9):
        boards = both_ways(BandBoard(5, height, [2, 1, 2], with_holes(5, height, holes, random)))
        assert len(boards) == 1 + bool(holes)
        board, other, number = boards[0], boards[-1], len(boards[0].moves)
        *across, middle = random.integers(-9, 9, (len(boards) + 1, number))
        set_prices(boards, across, middle, row := random.integers(-9, 9, 5 * (height % 2)), 7)
        assert board.middle.any()
        for its, opposite in ((board, other), (other, board)):
            assert (its.in_all == its.in_half + opposite.in_half[its.upside_down]).all()
            assert [{its.turned_image(c) for c in move} for move in its.moves] == [
                set(opposite.moves[i]) for i in its.upside_down
            ]
        lowest = (height // 2 - 2) * 5
        for _ in range(20):
            chosen = random.random(number) < 0.3
            turned = np.zeros(number, dtype=np.bool_)
            turned[board.upside_down[chosen]] = True
            pay, whole = [], 0
            for which, its in zip((board, other), (chosen, turned), strict=True):
                assert not any(which.middle[i] for i, (near, _) in enumerate(which.moves) if near < lowest)
                pairs = [(j, i, q) for j in np.flatnonzero(its) for i, q in which.partners[j] if its[i]]
                pay.append(sum(q * UNIT // 4 for *_, q in pairs) + int(which.middle[its].sum()) - which.lead)
                whole = UNIT * len(pairs)
                assert all(q == 4 for j, _, q in pairs if which.moves[j][0] < lowest)
                assert all(q == 0 for j, _, q in pairs if which.moves[j][0] >= height // 2 * 5)
            if height % 2:  # where cells of the middle row have not two moves, they are paid for nevertheless
                start, ends = height // 2 * 5, [cell for i in np.flatnonzero(chosen) for cell in board.moves[i]]
                lacks = [2 - ends.count(start + x) for x in range(5)]
                pay.append(sum(2 * int(row[x]) * lacks[x] for x in range(5) if start + x not in board.holes))
            assert sum(pay) == whole


@pytest.mark.parametrize("height", [6, 7])
def test_the_bands_together_pay_no_more_than_the_board(height: int) -> None:
    for seed in range(3):
        data = prices_of(6, height, 5, seed)
        board = BandBoard(6, height, [2, 2, 2])
        give(board, data)
        for half in (False, True):
            paid = sum(least_of(board.rest(band, half)[0]) for band in range(3))
            assert paid <= FEWEST[6, height] * UNIT / (1 + half)


@pytest.mark.parametrize(("width", "height", "most"), [(5, 6, 47), (4, 9, 52), (3, 12, 58)])
def test_no_rest_is_more_than_what_a_band_still_pays(width: int, height: int, most: int) -> None:
    """After each cell of 2-factors: what a band pays from there on, as the argument has it, and its bound of that."""
    for seed, widths in enumerate(([1] * width, [2, width - 2], [width])):
        board, random = BandBoard(width, height, widths), np.random.default_rng(seed)
        across, middle = random.integers(-8, 9, (2, len(board.moves)))
        set_prices([board], [across], middle, random.integers(-8, 9, width * (height % 2)))
        number, upside_down = {move: i for i, move in enumerate(board.moves)}, board.upside_down
        factors = [sorted(number[move] for move in moves) for moves in board.factors(most)]
        for (band, _), half in itertools.product(enumerate(widths), (False, True)):
            rest, masks = board.rest(band, half), board.masks(band)
            for chosen in factors[:12]:
                to_pay = np.zeros(board.cells + 1)  # by the cell that pays, and then from a cell on
                for i in chosen:
                    cell, its = board.moves[i][0], board.bands[i]
                    if cell >= len(rest) - 1:
                        break
                    if band in its:
                        sign = 0 if len(its) == 1 else 1 if band == its[0] else -1
                        to_pay[cell] += sign * (across[i] + (0 if half else across[upside_down[i]]))
                        to_pay[cell] += board.middle[i] / len(its) if half else 0
                    for j, quarters in board.partners[i]:
                        both = {*its} & {*board.bands[j]}
                        if j in chosen and band in both:
                            to_pay[cell] += UNIT * (quarters / 4 if half else 1) / len(both)
                to_pay = to_pay[::-1].cumsum()[::-1] - (board.lead if half and not band else 0)
                for t, layer in enumerate(rest):
                    live = [i for i in chosen if board.moves[i][0] < t <= board.last[i]]
                    done = [board.moves[i][1] for i in chosen if board.last[i] < t <= board.moves[i][1]]
                    low, high = sum(1 << 2 * (c % board.slots) for c in done), sum(board.bit[i] for i in live)
                    known = masks[t] & np.array([low, high], dtype=np.uint64)
                    assert least(*layer, *known) <= to_pay[t]


def test_learnt_prices_leave_fewer_states() -> None:
    board = BandBoard(6, 8, widths_of(6))
    without = board.fewest(58)
    *_, prices = learn([board], 8)
    prices.give([board])
    found = board.fewest(58)
    assert without.value == found.value == 58 and found.peak < without.peak
    assert prices.shown <= 58 and board.fewest(57).value is None


def test_a_bound_is_raised_until_there_is_a_2_factor() -> None:
    board = BandBoard(6, 8, widths_of(6))
    *_, prices = learn([board], 30)
    prices.give([board])
    bounds = list(raised([board], ceil(prices.shown), NO_LIMITS))
    assert bounds == sorted(bounds) and bounds[-1] == 58
    few = list(raised([BandBoard(8, 8, widths_of(8))], 40, Limits(memory=1 << 24)))
    assert few == sorted(few) and (not few or few[-1] < 68)


def test_bands_cover_a_board() -> None:
    assert [widths_of(width, False) for width in (9, 11, 13, 15)] == [
        [4, 1, 4],
        [4, 3, 4],
        [4, 3, 2, 4],
        [4, 3, 2, 2, 4],
    ]
    assert [widths_of(width) for width in (3, 5, 9, 14)] == [[1, 1, 1], [2, 1, 2], [4, 1, 4], [4, 2, 2, 2, 4]]


# -- certificates ------------------------------------------------------------------------------------------------------


FOUND = {("5x6", "cycle"): 49, ("5x6", "any"): 44, ("7x6", "cycle"): 56, ("7x6", "any"): 55}
"""Fewest crossings of closed tours (docs/data/results.md), and of 2-factors."""


@pytest.mark.parametrize(("name", "connectivity"), FOUND)
def test_a_certificate_is_made_and_read(name: str, connectivity: str) -> None:
    problem = Problem(graph_of(name), connectivity, "crossings")
    certificate = METHOD.certify(problem, rounds=4)
    assert certificate is not None and certificate.bound == FOUND[name, connectivity]
    text = json.dumps(certificate.to_json())
    assert len(text) < 3000
    again = Certificate.from_json(json.loads(text))
    again.check()
    assert again.bound == certificate.bound


def test_a_symmetric_tour_is_a_tour() -> None:
    """Crossings of one that a quarter turn maps to itself come in fours."""
    problem = Problem(graph_of("6x6"), "cycle", "crossings", symmetry=(Symmetry.parse("rot90"),))
    assert [bound(problem, {**prices_of(6, 6), "at_least": n}) for n in (47, 48, 49, 50)] == [48, 48, 52, 52]


def test_the_command_makes_one_and_checks_it(tmp_path: Path) -> None:
    path = tmp_path / "bands.json"
    wanted = ["bound", "5x6", "--metric", "crossings", "--method", "bands"]
    result = CliRunner().invoke(main, [*wanted, "--certificate", str(path)])
    assert result.exit_code == 0 and "at least 49" in result.output
    result = CliRunner().invoke(main, ["check", str(path)])
    assert result.exit_code == 0 and "at least 49 crossings in every closed knight's tour of 5x6" in result.output
    data = json.loads(path.read_text())
    del data["sha256"]
    data["bound"] = data["data"]["at_least"] = 50
    path.write_text(json.dumps({**data, "sha256": digest(data)}))
    result = CliRunner().invoke(main, ["check", str(path)])
    assert result.exit_code == 1 and "there is a closed tour with fewer than 50 crossings" in result.output
    for refused in (["torus:6x6"], ["cylinder:6x6"], ["6x6", "--open"], ["6x6", "--leaper", "1,4"]):
        result = CliRunner().invoke(main, ["bound", *refused, *wanted[2:]])
        assert result.exit_code and "crossings of closed knight's tours" in result.output, result.output


def test_the_benchmark_says_what_it_finds(capsys: pytest.CaptureFixture[str]) -> None:
    show_fewest(5, 6)
    assert "at least 44 crossings in every choice of knight's moves" in capsys.readouterr().out.splitlines()[-1]


def test_a_check_can_be_stopped() -> None:
    stopped = Limits(stop=type("S", (), {"is_set": bool})()).until(lambda: True)
    with pytest.raises(Stopped):
        bound(problem_of(6, 6), {**prices_of(6, 6), "at_least": 50}, stopped)


# -- what is refused ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        {"at_least": None},
        {"at_least": 53},
        {"at_least": -1},
        {"at_least": True},
        {"at_least": 50.0},
        {"at_least": "50"},
        {"at_least": 401},
        {"at_least": 10**40},
        {"bands": None},
        {"bands": []},
        {"bands": [0, 6]},
        {"bands": [7, -1]},
        {"bands": [3, 4]},
        {"bands": [3, 2]},
        {"bands": [3.0, 3]},
        {"bands": [True] * 6},
        {"bands": [10**40]},
        {"bands": 6},
        {"bands": {"0": 6}},
        {"bands": [1] * 10**5},
        {"across": None},
        {"across": []},
        {"across": [0]},
        {"across": [0] * 81},
        {"across": [False] * 80},
        {"across": [0.0] * 80},
        {"across": [10**40] * 80},
        {"across": [2**63] * 80},
        {"across": [MOST_PRICES] * 80},
        {"across": [MOST_PRICES, -MOST_PRICES] * 40},
        {"across": {}},
        {"middle": [[0]] * 80},
        {"middle": ["0"] * 80},
        {"middle": [-MOST_PRICES - 1] * 80},
        {"middle": [-MOST_PRICES, MOST_PRICES, MOST_PRICES] * 26 + [0, 0]},
    ],
)
def test_other_data_is_refused(change: dict[str, Any]) -> None:
    data = {**prices_of(6, 6), "at_least": 50}
    assert len(data["across"]) == 80
    assert bound(problem_of(6, 6), data) == 50
    with pytest.raises((CertificateError, TooLarge)) as refusal:
        bound(problem_of(6, 6), {**data, **change})
    assert "\n" not in str(refusal.value) and len(str(refusal.value)) < 200
    for name in change:
        with pytest.raises(CertificateError):
            bound(problem_of(6, 6), {key: value for key, value in data.items() if key != name})


def test_large_prices_never_show_too_much() -> None:
    """Up to where they are refused; the sums stay within their 16 bits."""
    refused = 0
    for seed, most in itertools.product(range(4), (100, 200, 400)):
        data = prices_of(5, 6, most, seed, [[2, 1, 2], [3, 2], [1] * 5, [4, 1]][seed])
        try:
            shown = greatest(5, 6, data, 44)
        except TooLarge:
            refused += 1
        else:
            assert shown == 44
    assert 0 < refused < 12


def test_sums_stay_within_their_bits() -> None:
    """What is kept in 16 bits is from -`MOST_PRICES` to `FAR`, and what is dropped was not needed."""
    assert UNIT * MOST + MOST_PRICES + MOST_LEAD < FAR < 2**15 and -(2**15) < -FAR < -MOST_PRICES - MOST_LEAD


def test_a_few_extreme_prices_do_no_harm() -> None:
    random = np.random.default_rng(5)
    for _ in range(4):
        data = prices_of(5, 6)
        for name in ("across", "middle"):
            for i in random.integers(0, len(data["across"]), 2):
                data[name][i] = int(random.choice([-1, 1])) * int(random.integers(1000, 1800))
        with suppress(TooLarge):
            assert greatest(5, 6, data, 44) == 44


def test_other_problems_are_refused() -> None:
    board = graph_of("6x6")
    for problem in (
        Problem(board, "path", "crossings"),
        Problem(board, "cycle", "turns"),
        Problem(board, "cycle"),
        Problem(board, "any", "crossings", terminals=(0, 7)),
        Problem(board, "cycle", "crossings", required=frozenset([0])),
        Problem(board, "cycle", "crossings", forbidden=frozenset([0])),
        Problem(graph_of("aztec:16"), "cycle", "crossings"),
        Problem(graph_of("torus:6x6"), "cycle", "crossings"),
        Problem(graph_of("cylinder:6x6"), "cycle", "crossings"),
        Problem(graph_of("2x9"), "cycle", "crossings"),
        Problem(graph_of("3x3x4"), "cycle", "crossings"),
        Problem(graph_of("32x32"), "cycle", "crossings"),
        Problem(MoveGraph.of(board.board, Leaper.parse("1,4")), "cycle", "crossings"),
    ):
        with pytest.raises(CertificateError, match="in the plane"):
            bound(problem, {**prices_of(6, 6), "at_least": 50})
        with pytest.raises(KTError, match="in the plane"):
            METHOD.make(problem)


def test_what_has_no_room_is_refused() -> None:
    data = {**prices_of(8, 8, widths=[8]), "at_least": 60}
    with pytest.raises(TooLarge, match="states"):
        bound(problem_of(8, 8), data, Limits(memory=1 << 22))
    with pytest.raises(TooLarge, match="too many states"):
        bound(problem_of(6, 6), {**prices_of(6, 6, widths=[1] * 6), "at_least": 50}, Limits(memory=1 << 18))
    with pytest.raises(TooLarge, match="too long"):
        bound(problem_of(30, 30), {"at_least": 60, "bands": [1] * 30, "across": [], "middle": []})


def test_where_there_is_nothing_to_list_a_list_needs_no_room() -> None:
    data, limits = prices_of(6, 8, widths=[2, 2, 2]), Limits(memory=12_000_000)
    assert bound(problem_of(6, 8), {**data, "at_least": 58}, limits) == 58
    with pytest.raises(TooLarge, match="states"):
        bound(problem_of(6, 8), {**data, "at_least": 59}, limits)


def test_halves_begin_where_rows_are_low_enough() -> None:
    assert (HALVED // 2 - 2) > 0 >= (HALVED - 1) // 2 - 2
