"""Squares with several turns inside: tight places, quarters between them, and three sides that force a cycle."""

import copy
import json
from contextlib import nullcontext
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from kt_models.errors import CertificateError
from kt_models.leaper import KNIGHT
from kt_models.limits import NO_LIMITS
from tests.effort import slow, slow_rows
from tests.theorems.squares import MOVES, back, plus
from tests.theorems.test_strips_apart import FILES, StripSquare
from theorems.statement import Boards
from theorems.turns import three_sides
from theorems.turns.circuits import InteriorSweep, SquareCircuit
from theorems.turns.planes import Plane, plane_classes, planes
from theorems.turns.side_walks import TightWalks, WalkNode
from theorems.turns.sweeps import START
from theorems.turns.theorem import check, excesses, read
from theorems.turns.three_sides import FixedWalk, ThreeSides
from theorems.turns.tight_circuits import TightCircuit

Cell = tuple[int, int]
FILE = json.loads(
    (Path(__file__).parents[2] / "heuristics" / "delivered" / "results" / "turns-many-0-mod-4.json").read_text()
)
FAMILY = read(FILE, KNIGHT)
CHEVRONS = Plane((1, 2), (1, -2), frozenset({2, 3}))
"""The one plane that the circuit leaves."""
ROWS, PERIOD, COLUMNS = 7, 4, 28
NESTED, PLAIN = {3: 5, 0: -5, 4: 3, 7: -3}, {0: 3, 3: -3, 4: 3, 7: -3}
"""How two of the fixed walks join lines."""


def swept(excess: int) -> InteriorSweep:
    options = cache(lambda side: excesses(FAMILY, side, side))
    return InteriorSweep(excess, 0, options, ROWS, FAMILY.reach, PERIOD, NO_LIMITS)


CIRCUIT = SquareCircuit(swept(11), CHEVRONS, 0, PERIOD)


@cache
def fixed(side: int) -> list[FixedWalk]:
    walks = CIRCUIT.walks[side]
    return [
        FixedWalk(walks, node) for node in sorted(walks.essential, key=str) if node[0] == CIRCUIT.repeat_start % PERIOD
    ]


# -- three sides, cell by cell ---------------------------------------------------------------------------------------


def known_cells(side: int, low: FixedWalk, high: FixedWalk) -> dict[Cell, tuple[Cell, Cell]]:
    """The moves of a square: inside, and in the middle of the bottom and the top."""
    found = {}
    for x, y in product(range(ROWS, side - ROWS), repeat=2):
        direction = CHEVRONS.direction(x, y)
        found[x, y] = direction, back(direction)
    for x in range(20, side - 20):
        for y in range(ROWS):
            found[x, y] = low.columns[x % PERIOD][y]
            first, second = high.columns[x % PERIOD][y]
            found[side - 1 - x, side - 1 - y] = back(first), back(second)
    return found


def returns(known: dict[Cell, tuple[Cell, Cell]], start: Cell) -> bool:
    """Whether the path through a cell closes among known cells."""
    cell, move = start, known[start][0]
    while True:
        cell = plus(cell, move)
        if cell == start:
            return True
        if cell not in known:
            return False
        first, second = known[cell]
        assert back(move) in (first, second)
        move = second if first == back(move) else first


def goes_on(side: int, low: FixedWalk, high: FixedWalk, right: TightWalks, node: WalkNode, columns: int) -> bool:
    """Whether some walk of the right side from a node on, of so many columns, has no cycle."""
    known = known_cells(side, low, high)
    first = side // 4 // PERIOD * PERIOD + node[0]

    def follow(number: int, node: WalkNode) -> bool:
        if number == columns:
            return True
        for new, chosen in right.steps(node):
            if new in right.essential:
                cells = [(side - 1 - row, first + number) for row in range(ROWS)]
                for cell, ((a, b), (c, d)) in zip(cells, chosen, strict=True):
                    known[cell] = (-b, a), (-d, c)
                if not any(returns(known, cell) for cell in cells) and follow(number + 1, new):
                    return True
                for cell in cells:
                    del known[cell]
        return False

    return follow(0, node)


@pytest.mark.parametrize("side", slow([128, 132]))
def test_three_sides_have_a_cycle_where_all_walks_have_one(side: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The checker keeps the ends of paths; here whole squares are followed cell by cell."""
    monkeypatch.setattr(three_sides, "SIDE_COLUMNS", COLUMNS)
    right, verdicts = CIRCUIT.walks[1], []
    nodes = sorted((node for node in right.essential if node[0] == CIRCUIT.repeat_start % PERIOD), key=str)
    for number, (low, high) in enumerate(product(fixed(0)[::4], fixed(2)[::5])):
        node = nodes[number % len(nodes)]
        verdicts.append(goes_on(side, low, high, right, node, COLUMNS))
        with pytest.raises(CertificateError, match="may have no cycle") if verdicts[-1] else nullcontext():
            ThreeSides(right, low, high, side % (2 * PERIOD)).check(node)
    assert len(verdicts) > 12 and {*verdicts} == {True, False}


def test_fixed_walks_join_all_lines_of_a_direction() -> None:
    found = [walk.partners((1, 2)) for walk in fixed(0)]
    assert all(len(partners) == PERIOD and sum(partners.values()) == 0 for partners in found)
    assert NESTED in found and PLAIN in found
    with pytest.raises(CertificateError, match="not fixed"):
        _ = fixed(1)[0].columns


def test_three_sides_are_for_lines_to_the_bottom_and_the_top() -> None:
    straight = SquareCircuit(swept(21), Plane((1, 2), (1, 2)), 0, PERIOD)
    walks = straight.walks[0]
    node = next(node for node in walks.essential if node[0] == 0)
    with pytest.raises(CertificateError, match="directions"):
        ThreeSides(straight.walks[1], FixedWalk(walks, node), FixedWalk(walks, node), 0).check(node)


# -- the circuit -------------------------------------------------------------------------------------------------------


def least_excess(side: int, plane: Plane, most: int) -> int | None:
    """The least excess of a 2-factor of a square with all lines inside as in a plane, by CP-SAT."""
    from ortools.sat.python import cp_model

    # A plane of one direction is one of two, of which no class has the second
    second = plane.second if plane.seconds else (2, 1)
    square = StripSquare(side, (plane.first, second), plane.seconds, FILES["0-mod-4"])
    model, choices = cp_model.CpModel(), square.choices
    uses = {
        (cell, k): model.new_bool_var("")
        for cell, pairs in choices.items()
        for k, (cost, _) in enumerate(pairs)
        if cost <= most
    }
    for cell, pairs in choices.items():
        model.add_exactly_one(uses[cell, k] for k in range(len(pairs)) if (cell, k) in uses)
        for move in MOVES:
            other = plus(cell, move)
            if cell < other and square.may_differ(cell, move):
                leaving, entering = (
                    [uses[end, k] for k, (_, pair) in enumerate(choices[end]) if along in pair and (end, k) in uses]
                    for end, along in ((cell, move), (other, back(move)))
                )
                model.add(sum(leaving) == sum(entering))
    excess = sum(choices[cell][k][0] * use for (cell, k), use in uses.items())
    model.add(excess <= most)
    model.minimize(excess)
    solver = cp_model.CpSolver()
    status = solver.solve(model)
    assert status in (cp_model.OPTIMAL, cp_model.INFEASIBLE)
    return round(solver.objective_value) if status == cp_model.OPTIMAL else None


LEFT = [plane for plane, period, _ in plane_classes(PERIOD, Boards("squares", 200, 4, (0,))) if period == PERIOD]


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("plane", LEFT, ids=str)
def test_the_way_round_of_a_square_by_a_solver(plane: Plane) -> None:
    """CP-SAT, which knows of no tight places, finds no less either; for one plane there are 2-factors with 8n - 20."""
    assert least_excess(32, plane, 50) == (40 if plane == CHEVRONS else None)


@pytest.mark.slow
def test_what_is_known_of_the_inside_adds_to_a_quarter() -> None:
    """Without it no quarter has more; and a table does not change what is below its limit."""
    checked = TightCircuit(CIRCUIT, 11, 9)
    for side in range(2):
        some = range(0, len(checked.nodes(side)), 2), range(len(checked.nodes(side + 1)))
        known, unknown = (
            checked._table(side, 9, *some, open_interior=open_interior) for open_interior in (False, True)
        )
        assert (unknown <= known).all() and known.min() < 9
        assert (checked._table(side, 4, *some, open_interior=False) == known.clip(max=4)).all()


@pytest.mark.parametrize(
    ("side", "open_interior"),
    [pytest.param(0, True, marks=pytest.mark.slow), (1, False), *slow_rows([(0, False), (1, True)])],
)
def test_quarters_are_the_same_both_ways(side: int, open_interior: bool) -> None:
    """Swept from one end alone, from the other end alone, or from both as far as to the middle of the corner."""
    checked, below = TightCircuit(CIRCUIT, 11, 9), 9
    begin, end = checked.nodes(side), checked.nodes(side + 1)
    forth, back = (checked._pair(side, open_interior=open_interior, back=back) for back in (False, True))
    known = checked._forth(forth, begin, end, below, below)
    assert (known < below).any()
    assert (checked._back(back, begin, end, below, below).T == known).all()
    table = checked._table(side, below, range(len(begin)), range(len(end)), open_interior=open_interior)
    assert (table == known.clip(max=below)).all()
    # What is more in one part is not found from its end
    assert (checked._forth(forth, begin, end, 0, below) >= below).all()


def test_corners_are_swept_from_both_ends() -> None:
    """What a sweep from one end finds."""
    edge = CIRCUIT.sweep.middle_start
    for below in (1, 2, 4, 9):
        for side in range(2):
            quarter = CIRCUIT.quarter(side, below, CIRCUIT.side - edge, edge)
            states = quarter.sweep.advance(START, 0, quarter.row(edge), below)
            assert CIRCUIT._corner_excess_below(side, below) == states.least


def test_ways_round_with_little_excess() -> None:
    """No circuit is closed with a turn more than the numbers say."""
    circuit = TightCircuit(CIRCUIT, 7, 9)
    circuit.check()
    assert not list(circuit.left())


@pytest.mark.parametrize(("excess", "turn"), slow_rows([(6, 9), (7, 3)]))
def test_quarters_are_known_as_far_as_ways_round_need_it(excess: int, turn: int) -> None:
    """Against tables that are swept to the end."""
    circuit, numbers = TightCircuit(CIRCUIT, excess, turn), range(4)
    known = []
    for side in numbers:
        some = range(len(circuit.nodes(side))), range(len(circuit.nodes((side + 1) % 4)))
        inside = circuit._table(side, excess, *some, open_interior=False)
        unknown = circuit._table(side, max(excess - turn, 1), *some, open_interior=True)
        known.append(np.minimum(inside, unknown + turn))
    for side in numbers:
        assert (circuit._quarters[side] <= known[side]).all()
    first, second, third, fourth = known
    wanted = {
        (b, r, t)
        for b, r, t in product(*(range(len(circuit.nodes(side))) for side in range(3)))
        if first[b, r] + second[r, t] + (third[t] + fourth[:, b]).min() < excess
    }
    names = [circuit.nodes(side) for side in numbers]
    assert {*circuit.left()} == {(names[0][b], names[1][r], names[2][t]) for b, r, t in wanted}


def test_a_side_without_a_tight_place_leaves_nothing_to_be_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    nodes = TightCircuit(CIRCUIT, 7, 9).nodes
    for side in range(4):
        circuit = TightCircuit(CIRCUIT, 7, 9)
        monkeypatch.setattr(TightCircuit, "nodes", lambda _, number, side=side: [] if number == side else nodes(number))
        circuit.check()
        assert not list(circuit.left())


def test_each_plane_comes_once_for_each_remainder() -> None:
    """With all images, each plane comes once for each remainder."""
    boards = Boards("squares", 200, 2, (0,))
    seen = [
        (image, period, remainder)
        for plane, period, remainder in plane_classes(4, boards)
        for image in plane.images(remainder)
    ]
    assert len(seen) == len({*seen})
    assert {*seen} == {
        (plane, period, remainder)
        for plane in planes()
        for period in [{1: 4, 3: 12, 4: 4, 5: 20}[plane.classes]]
        for remainder in range(0, period, 2)
    }


# -- the file --------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_the_delivered_file_proves_its_claim() -> None:
    (claim,) = check(FILE)
    assert claim.boards == Boards("squares", 1000, 4, (0,)) and claim.bounds[0].at(1004) == 8 * 1004 - 18


@pytest.mark.parametrize(
    ("interior", "least", "constant", "message"),
    [
        ({}, 838, -18, "are shown"),
        ({}, 1000, -17, "are shown"),
        ({"turns": 3}, 1000, -18, "a turn inside"),
        ({"excess": 50}, 1000, -18, "are shown"),
        ({"turns": 1}, 1514, -18, "a turn inside"),
        ({"excess": 61, "turns": 6}, 1000, -17, "turns of an interior"),
    ],
    ids=str,
)
def test_forged_claims_are_refused(interior: dict, least: int, constant: int, message: str) -> None:
    """Forged claims are refused before anything is swept."""
    with pytest.raises(CertificateError, match=message):
        check(forged(interior, least, constant))


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(
    ("interior", "residue"), [({"connected": False}, 0), ({"excess": 61, "turns": 5}, 0), ({}, 2)], ids=str
)
def test_forged_claims_that_are_swept(interior: dict, residue: int) -> None:
    """There are such tours, or 2-factors."""
    data = forged(interior, 40_000, -17 if "excess" in interior else -18)
    data["claims"][0]["boards"]["residues"] = [residue]
    with pytest.raises(CertificateError, match=r"may|too small|shown"):
        check(data)


def forged(interior: dict, least: int, constant: int) -> dict:
    data = copy.deepcopy(FILE)
    data["interior"] |= interior
    data["claims"][0]["boards"]["least"] = least
    data["claims"][0]["bounds"][0]["constant"] = [constant, 1]
    return data
