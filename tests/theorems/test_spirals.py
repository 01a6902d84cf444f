"""Families of squares whose chains of lines do not end: what is accepted, and that nothing stronger is."""

import copy
import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from kt_models.errors import CertificateError
from research.strands.squares import cycles
from tests.effort import part_of, slow
from tests.theorems.direct import exchanged
from tests.theorems.test_chains import FORGED_SQUARES, Change, followed, stronger
from theorems.growing_tours import spirals
from theorems.growing_tours.codes import MOVES, PAIRS, read_codes, write_codes
from theorems.growing_tours.spiral_shapes import (
    FAR,
    INNER,
    MAX_PARTNER_DISTANCE,
    MIN_PERIOD,
    NEAR,
    LinePort,
    RouteStretch,
    Spiral,
    SpiralShape,
    SpiralSides,
)
from theorems.growing_tours.spirals import (
    KnownShapes,
    SpiralBoard,
    SpiralFamily,
    check,
    check_larger,
    least_size,
)

FOLDER = Path(__file__).parents[2] / "heuristics" / "gadgets"
DATA = json.loads((FOLDER / "strands-turns-spirals.json").read_text())
FAMILIES = [SpiralFamily.from_json(entry) for entry in DATA["families"]]
Ends = dict[LinePort, LinePort]
FIRST = 20
"""A step of the families from which on all squares are large enough for the argument."""
NUMBERS = [0, *slow(range(1, len(FAMILIES)))]


@pytest.mark.slow
def test_the_delivered_claims_are_checked() -> None:
    others = [json.loads((FOLDER / f"strands-turns-spirals-{which}.json").read_text()) for which in (2, 14)]
    assert [claim.text for data in (DATA, *others) for claim in check(data)] == [
        "every board n x n with n >= 58 and n = 18 (mod 20) has a closed knight's tour with at most 8 n - 19 turns",
        "every board n x n with n >= 82 and n = 2 (mod 20) has a closed knight's tour with at most 8 n - 19 turns",
        "every board n x n with n >= 134 and n = 14 (mod 20) has a closed knight's tour with at most 8 n - 20 turns",
    ]


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("k", [0, 9, *slow([FIRST + 7, 61])])
def test_squares_that_were_not_followed(number: int, k: int) -> None:
    side = FAMILIES[number].grown((k, k))[0]
    assert followed(FAMILIES[number], k) == (side * side, 8 * side - 19)


# -- steps -------------------------------------------------------------------------------------------------------------


def after_two_steps(number: int) -> tuple[SpiralSides, SpiralShape]:
    """The shape from which on all bits are tried."""
    board = SpiralBoard.of(FAMILIES[number], FIRST)
    first, second, width = FAMILIES[number].windows
    spiral = board.start(10, first)
    shape = spiral.shape()
    for bit, window, narrower in ((board.last // 10 % 2, first, second), ((board.last + 1) // 20 % 2, second, width)):
        shape = shape.spiral(spiral.sides, bit, least_size(10, window), window).step(narrower).shape()
    return spiral.sides, shape


@pytest.mark.parametrize("number", NUMBERS)
def test_larger_spirals_of_a_shape_lead_to_the_same_shape(number: int) -> None:
    """What the argument says, in spirals that the checker does not look at."""
    sides, shape = after_two_steps(number)
    random, width = Random(number), FAMILIES[0].windows[-1]
    for _ in range(part_of(30)):
        bit = random.randrange(2)
        spirals = [
            shape.spiral(sides, bit, least_size(10, width) + 20 * more, width) for more in (0, random.randrange(1, 30))
        ]
        after = [spiral.step(width) for spiral in spirals]
        assert [each.cycles for each in (*spirals, *after)] == [1] * 4
        assert after[0].shape() == after[1].shape()
        shape = after[1].shape()


def taken_away(spiral: Spiral) -> Spiral:
    """The step with no code of the checker, line by line; no cycle is lost."""
    joined = dict(spiral.pairs)
    (low, high), last = sorted(spiral.cuts[:2]), spiral.last
    for side, steep, at in spiral.pairs:
        if not steep and low <= at // 2 < high:
            end = (side + 1) % 4, 1, last - at // 2
            first, second = joined.pop((side, 0, at)), joined.pop(end)
            assert first != end
            joined[first], joined[second] = second, first
    _, near, inner, following = spiral.cuts
    return replace(spiral, cuts=(inner, following, near, (last - following) // 2), pairs=joined)


def with_other_partners(spiral: Spiral, random: Random) -> Spiral:
    """Ports in windows, mostly near each other, exchange their partners, which are in windows too."""
    pairs = dict(spiral.pairs)
    inside = [
        port for port, other in pairs.items() if {spiral.cut_of(port), spiral.cut_of(other)} <= {FAR, NEAR, INNER}
    ]
    for _ in range(random.randrange(1, 5)):
        port_in, reach = random.choice(inside), random.choice((20, 80, 10**4))
        other = random.choice([port for port in inside if port[0] == port_in[0] and abs(port[2] - port_in[2]) <= reach])
        first, second = pairs[port_in], pairs[other]
        if other not in (port_in, first):
            pairs |= {port_in: other, other: port_in, first: second, second: first}
    return replace(spiral, pairs=pairs)


@pytest.mark.parametrize("seed", [0, *slow(range(1, 20))])
def test_accepted_partners_in_windows_hold_for_larger_spirals(seed: int) -> None:
    """If the checker accepts a step, larger spirals of the shape do the same, or else it refuses it."""
    random, accepted = Random(seed), 0
    sides, shape = after_two_steps(seed % len(FAMILIES))
    width = FAMILIES[0].windows[-1]
    least = least_size(10, width)
    for _ in range(seed % 9):
        shape = shape.spiral(sides, random.randrange(2), least, width).step(width).next_shape()
    for _ in range(8):
        try:
            changed = with_other_partners(shape.spiral(sides, 0, least, width), random).shape()
            after = changed.spiral(sides, 0, least, width).step(width).next_shape()
        except CertificateError:
            continue
        accepted += 1
        for more in (1, 2, 7):
            assert taken_away(changed.spiral(sides, 0, least + 20 * more, width)).next_shape() == after
    assert accepted


def test_steps_that_lose_a_cycle_or_are_not_the_same_for_all_sizes() -> None:
    sides, shape = after_two_steps(0)
    width = FAMILIES[0].windows[-1]
    spiral = shape.spiral(sides, 0, least_size(10, width), width)
    start = next(port for port in spiral.pairs if spiral.goes(port))
    other = (start[0] + 1) % 4, 1, spiral.last - start[2] // 2
    pairs = {**spiral.pairs, spiral.pairs[start]: spiral.pairs[other], spiral.pairs[other]: spiral.pairs[start]}
    with pytest.raises(CertificateError, match="lost"):
        replace(spiral, pairs=pairs | {start: other, other: start}).step(width)
    flat = sorted(port for port in spiral.pairs if not port[1] and spiral.zoned(port[2] // 2) and port[0] == 0)
    for a, b in ((flat[len(flat) // 2], flat[0]), (flat[len(flat) // 2], flat[-1])):
        c, d = spiral.pairs[a], spiral.pairs[b]
        if c != b:
            changed = replace(spiral, pairs={**spiral.pairs, a: b, b: a, c: d, d: c})
            with pytest.raises(CertificateError):
                changed.shape()


def test_windows_are_farther_apart_than_usual_partners() -> None:
    assert 5 * MIN_PERIOD - 1 > MAX_PARTNER_DISTANCE
    entry = {**DATA["families"][0], "period": MIN_PERIOD - 1}
    with pytest.raises(CertificateError, match=f"from {MIN_PERIOD} to"):
        SpiralFamily.from_json(entry)


PLAIN = Spiral(SpiralSides((), 10, 10), 5000, (-1000, 1000, 3000, 2000), {}, {}, 24)
"""The zone is from -1000 to 1000, the next zone from 2000 to 3000."""
AT_NEXT, AT_INNER = (0, 1, 4020), (0, 1, 5980)
"""Ports in windows."""
FLAT, BEYOND, BETWEEN = (0, 0, 4200), (0, 0, 5800), (0, 0, 3000)
"""Ports in none: nearer to the next cut, nearer to the inner one, and between the near and the next cut."""
MOVES_BY_0, MOVES_ON = [(AT_NEXT, 0), (FLAT, 0)], [(AT_INNER, 0), (BEYOND, 0)]


@pytest.mark.parametrize(
    ("fault", "stretches"),
    [
        ("move apart", [MOVES_BY_0[::-1], MOVES_ON]),
        ("move apart", [MOVES_BY_0[::-1], [(AT_NEXT, 0), ((2, 0, 4200), 0)]]),
        ("between", [MOVES_BY_0[::-1], [(AT_NEXT, 0), (BETWEEN, 0)]]),
        ("other half", [[(BEYOND, 0), (AT_NEXT, 0)], MOVES_BY_0]),
        ("other half", [MOVES_BY_0[::-1], [(AT_INNER, 1), (BEYOND, 0)], MOVES_BY_0]),
        ("and back", [MOVES_BY_0[::-1], [(AT_NEXT, 0), (AT_INNER, 0), (AT_NEXT, 0)], MOVES_BY_0]),
        ("without repeating", [[*MOVES_BY_0[::-1], *MOVES_ON]]),
        ("overlaps a window", [[(FLAT, 0), (AT_NEXT, 0), ((0, 1, 4500), 0), (AT_INNER, 0), ((0, 1, 4520), 0)]]),
    ],
)
def test_routes_that_are_not_the_same_in_larger_spirals(fault: str, stretches: list[RouteStretch]) -> None:
    PLAIN._moves([MOVES_BY_0[::-1], MOVES_BY_0])
    PLAIN._moves([MOVES_ON[::-1], MOVES_ON])
    with pytest.raises(CertificateError, match=fault):
        PLAIN._moves(stretches)


def test_a_route_that_goes_on_along_a_zone() -> None:
    """What it repeats has an even number of ports: at a port and at its copy it is about to do the same."""
    even = [((0, steep, at + 20 * more), 0) for more in range(4) for steep, at in ((1, 4500), (1, 4510))]
    assert PLAIN._repeated(even, 0) == (0, len(even))
    with pytest.raises(CertificateError, match="without repeating"):
        PLAIN._repeated(even[::2], 0)


# -- squares -----------------------------------------------------------------------------------------------------------


@cache
def shapes(number: int) -> KnownShapes:
    return check_larger(SpiralBoard.of(FAMILIES[number], FIRST))


def ends_of_runs(family: SpiralFamily, k: int) -> Iterator[tuple[LinePort, LinePort, LinePort, LinePort]]:
    """By each path of margin cells: its two ports, and the other ends of their lines; with no code of the checker."""
    columns, rows = (of.tolist() for of in family.sources((k, k)))
    seed = family.codes.tolist()
    side, (left, right, low, high) = len(columns), family.zoned
    more = side - family.size[0]

    def inside(x: int, y: int) -> bool:
        return left <= x < right + more and low <= y < high + more

    def ports(x: int, y: int, move: int) -> tuple[LinePort, LinePort]:
        """This end and the other one of the line that leads to the interior, after turning the board if need be."""
        turned = move in (3, 7)
        if turned:
            x, y, move = y, side - 1 - x, (move + 2) % 8
        c = x - 2 * y
        below = (0, 0, 2 * c) if c >= 0 else (3, 1, 2 * side - 2 + c)
        above = (1, 1, side - 1 - c) if c > 1 - side else (2, 0, 2 * (1 - side - c))
        near, far = [((end[0] + turned) % 4, *end[1:]) for end in ((below, above) if move == 1 else (above, below))]
        return near, far  # type: ignore[return-value]

    edge = [*range(max(left, low)), *range(side - max(family.size[0] - right, family.size[1] - high), side)]
    for x, y in {(x, y) for first in edge for at in range(side) for x, y in ((first, at), (at, first))}:
        for move in PAIRS[seed[columns[x]][rows[y]]]:
            if not inside(x, y) and inside(x + MOVES[move][0], y + MOVES[move][1]):
                a, b, into = x, y, move
                while True:
                    way = next(way for way in PAIRS[seed[columns[a]][rows[b]]] if way != into)
                    u, v = a + MOVES[way][0], b + MOVES[way][1]
                    if inside(u, v):
                        break
                    a, b, into = u, v, (way + 4) % 8
                (edge_cell, along), (second, beyond) = ports(x, y, move), ports(a, b, way)
                yield edge_cell, second, along, beyond


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(FAMILIES)))
def test_the_spirals_of_other_squares(number: int) -> None:
    """Shapes, when lines are taken away one by one, are among those that the checker finds from one square."""
    family, met = FAMILIES[number], set()
    for k in Random(number).sample(range(FIRST, 200), 12):
        found = [*ends_of_runs(family, k)]
        joined, along = {a: b for a, b, _, _ in found}, {a: c for a, _, c, _ in found}
        last = family.grown((k, k))[0] - 1
        sides = SpiralBoard.of(family, k).start(10, family.windows[0]).sides

        def take(
            ports: list[LinePort], joined: dict[LinePort, LinePort] = joined, along: dict[LinePort, LinePort] = along
        ) -> None:
            for port in ports:
                if port in joined:
                    first, second = joined.pop(port), joined.pop(along[port])
                    assert first != along[port]
                    joined[first], joined[second] = second, first

        take([port for port in joined if port[1] and port[2] > last])
        cuts = [last, 0]
        for m in range(8):
            cuts += [(last - cuts[-1]) // 2]
            ends = min(cuts[m], cuts[m + 2]), max(cuts[m] + (m == 0), cuts[m + 2])
            if m > 0 and abs(3 * cuts[m + 2] - last) >= 110:
                four = cuts[m], cuts[m + 2], cuts[m + 1], (last - cuts[m + 2]) // 2
                met.add((sides, Spiral(sides, last, four, joined, {}, family.windows[-1]).shape()))
            take([port for port in joined if not port[1] and ends[0] <= port[2] // 2 < ends[1]])
    assert met <= shapes(number)
    assert len(met) >= 10


@pytest.mark.slow
@pytest.mark.parametrize("number", range(8))
def test_accepted_moves_in_a_corner_keep_one_cycle(number: int) -> None:
    """If there is one cycle, all larger squares have one as well, or else the checker refuses the family."""
    random, accepted = Random(number), 0
    family = FAMILIES[number % 2]
    for _ in range(12):
        seed, size = write_codes(family.codes), len(family.codes)
        corner = [*range(8), *range(size - 8, size)]
        for _ in range(random.randrange(1, 4)):
            seed = exchanged(seed, random, corner, corner)
        other = replace(family, codes=read_codes(seed))
        board = SpiralBoard.of(other, FIRST)
        try:
            board.check_one_cycle(10**7)
            check_larger(board)
        except CertificateError:
            continue
        accepted += 1
        assert all(cycles(other.board_codes((k, k)))[0] == 1 for k in range(FIRST, FIRST + 9))
    assert accepted < 12


def test_paths_that_are_not_in_one_place_as_the_family_grows() -> None:
    board, (zone, _) = SpiralBoard.of(FAMILIES[0], FIRST), FAMILIES[0].columns
    start, end = zone.start, zone.end + FIRST * FAMILIES[0].growths[0].columns[0]
    middle = (start + end - zone.period) // 2
    behind = middle + zone.period
    for columns in ((0, middle - 1), (start, end - 1), (middle, behind - 1), (behind, end)):
        _paths(board, columns, middle - 10)
    for columns in ((middle - 1, end), (start - 1, behind), (start - 1, middle), (behind - 1, end)):
        with pytest.raises(CertificateError, match="not stay in one place"):
            _paths(board, columns, 0)
    with pytest.raises(CertificateError, match="not stay in one place"):
        _paths(board, (0, 1), middle)


def _paths(board: SpiralBoard, columns: tuple[int, int], slack: int) -> None:
    """Check the paths of a board, if it has but one, at the bottom, from column to column."""
    other = replace(board)
    other.__dict__["margin"] = np.array([(x, 0) for x in columns]), np.zeros(2, dtype=int)
    other._check_paths(slack)


def test_zones_that_do_not_grow_by_as_much() -> None:
    first, second = FAMILIES[0].growths
    uneven = replace(first, columns=(10, 30))
    with pytest.raises(CertificateError, match="by the same amount"):
        SpiralBoard.of(replace(FAMILIES[0], growths=(uneven, second)), FIRST)._check_paths(0)


@pytest.mark.parametrize("number", range(len(FAMILIES)))
def test_the_square_of_the_first_step_is_large_enough(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """In each of the first steps its spiral has the size that is asked for; and all smaller squares are followed."""
    followed: list[int] = []
    found: list[SpiralBoard] = []
    monkeypatch.setattr(SpiralBoard, "check_one_cycle", lambda board, _: followed.append(board.times[0]) or 0)
    monkeypatch.setattr(spirals, "check_larger", lambda board, *_: found.append(board))
    family = FAMILIES[number]
    spirals.SpiralProver().check(family)
    (board,) = found
    assert followed == [*range(board.times[0] + 1)]
    near = 0
    for window in family.windows[:-1]:
        assert abs(3 * near - board.last) >= least_size(10, window)
        near = (board.last - near) // 2


def test_smaller_steps_of_growth_are_refused() -> None:
    """By 20: between the squares of a family there are others with two cycles; and the first steps differ."""
    family = FAMILIES[0]
    first, second = (
        replace(growth, columns=tuple(n // 2 for n in growth.columns), rows=tuple(n // 2 for n in growth.rows))
        for growth in family.growths
    )
    smaller = replace(family, growths=(first, second))
    with pytest.raises(CertificateError, match="several cycles"):
        SpiralBoard.of(smaller, 1).check_one_cycle(10**6)
    with pytest.raises(CertificateError, match="first steps"):
        check_larger(SpiralBoard.of(smaller, 2 * FIRST))


# -- files -------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("change", stronger(DATA), ids=str)
def test_claims_that_are_too_strong(change: dict[str, Any]) -> None:
    data = copy.deepcopy(DATA)
    data["claims"][0] |= change
    with pytest.raises(CertificateError):
        check(data)


FORGED: list[Change] = [
    lambda family: family.pop("period"),
    lambda family: family.update(period=0),
    lambda family: family.update(period=10.0),
    lambda family: family.update(period=10**6),
    lambda family: family.update(period=15),
    lambda family: family.update(period=20),
    *FORGED_SQUARES,
]


@pytest.mark.parametrize("number", range(len(FORGED)))
def test_forged_files_are_refused(number: int) -> None:
    data = copy.deepcopy(DATA)
    FORGED[number](data["families"][0])
    with pytest.raises(CertificateError):
        check(data)


def test_what_is_not_a_line_near_a_side_stays_there() -> None:
    """A referee's file, whose squares have 3 to 14 cycles: rows repeat cells that are in no line, into the interior."""
    data = json.loads((Path(__file__).parent / "spirals_margin.json").read_text())
    with pytest.raises(CertificateError, match="near a side that are on no line"):
        check(data)


def test_no_end_is_told_by_a_cut_with_which_it_does_not_move() -> None:
    """The referee's spiral: the shape after a step would have a port at the next cut, and others of its shape not."""
    start = SpiralBoard.of(FAMILIES[0], 20).start(10, 160)
    spiral = start.shape().spiral(start.sides, SpiralBoard.of(FAMILIES[0], 20).last // 10 % 2, 740, 160)
    near, far = (0, 0, 222), (0, 0, 228)
    first, second = spiral.pairs[near], spiral.pairs[far]
    changed = {near: far, far: near, first: second, second: first}
    after = replace(spiral, pairs={**spiral.pairs, **changed}).step(80)
    assert after.shape() and spiral.step(80).next_shape()
    with pytest.raises(CertificateError, match="near the next cut"):
        after.next_shape()
