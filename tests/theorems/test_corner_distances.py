"""Squares with few turns inside: what is said of lines and turns, of squares that a solver makes, and the numbers."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import product
from random import Random

import pytest

from tests.effort import slow
from theorems.turns.corner_distances import MAX_INTERIOR_TURNS, corner_square, least_side, set_span, turn_reach
from theorems.turns.planes import DIRECTIONS, KNIGHT_MOVES, Plane, cross, planes

Cell = tuple[int, int]
Moves = dict[Cell, list[Cell]]
SIDE, MIDDLE, CORNER = 24, range(8, 16), 6


def plus(cell: Cell, move: Cell) -> Cell:
    return cell[0] + move[0], cell[1] + move[1]


def with_turns(plane: Plane, turns: int, seed: int) -> Moves | None:
    """The moves of a square that looks like a plane in the middle and has some cells off it, far from the corners.

    Moves may lead out of it.
    """
    from ortools.sat.python import cp_model

    model, uses, cells = cp_model.CpModel(), {}, [*product(range(SIDE), repeat=2)]
    for cell, move in product(cells, KNIGHT_MOVES):
        back = plus(cell, move), (-move[0], -move[1])
        uses[cell, move] = uses[back] if back in uses else model.new_bool_var("")
    off = []
    turn = {cell: model.new_bool_var("") for cell in cells}
    for cell in cells:
        straight = {direction: model.new_bool_var("") for direction in DIRECTIONS}
        model.add_exactly_one([turn[cell], *straight.values()])
        model.add(sum(uses[cell, move] for move in KNIGHT_MOVES) == 2)
        for (x, y), goes_on in straight.items():
            both = [uses[cell, (x, y)], uses[cell, (-x, -y)]]
            model.add_bool_and(both).only_enforce_if(goes_on)
            model.add_bool_or([goes_on, *(use.negated() for use in both)])
        right = straight[plane.direction(*cell)]
        if cell[0] in MIDDLE and cell[1] in MIDDLE:
            model.add(right == 1)
        elif not near_corner(cell):
            off.append(right.negated())
        else:
            model.add(turn[cell] == 0)
    model.add(sum(turn.values()) <= turns)
    model.add(sum(off) >= turns)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = seed
    solver.parameters.max_deterministic_time = 5
    if solver.solve(model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    return {cell: [move for move in KNIGHT_MOVES if solver.value(uses[cell, move])] for cell in cells}


def near_corner(cell: Cell) -> bool:
    return all(min(x, SIDE - 1 - x) < CORNER for x in cell)


def components(cells: set[Cell], plane: Plane, moves: Moves) -> Iterator[set[Cell]]:
    """Cells that hang together by moves, or along lines of the plane."""
    left = set(cells)
    while left:
        found, todo = set(), [left.pop()]
        while todo:
            cell = todo.pop()
            found.add(cell)
            x, y = plane.direction(*cell)
            others = {plus(cell, move) for move in [*moves[cell], (x, y), (-x, -y)]} & left
            left -= others
            todo += others
        yield found


@pytest.mark.parametrize("seed", [*range(2), *slow(range(2, 40))])
def test_turns_break_only_cells_near_a_corner(seed: int) -> None:
    turns, plane = 1 + seed % MAX_INTERIOR_TURNS, Random(seed).choice([*planes()])
    moves = with_turns(plane, turns, seed)
    if moves is None:
        pytest.skip("the solver found no such square in time")
    right = {cell for cell in moves if {*moves[cell]} == {(a := plane.direction(*cell)), (-a[0], -a[1])}}
    turning = {cell for cell, ((a, b), other) in moves.items() if other != (-a, -b)}
    lines = defaultdict(list)
    for cell in moves:
        direction = plane.direction(*cell)
        lines[direction, cross(direction, cell)].append(cell)
    broken = [line for line in lines.values() if {*line} & right and {*line} - right]
    assert len(moves) > len(right) and len(turning) <= turns
    # Each has a turn of its own, next to a right cell
    assert all(any(cell in turning for cell in line) for line in broken) and len(broken) <= turns
    empty = {cell for line in lines.values() if not {*line} & right for cell in line}
    for some in components(set(moves) - right - empty, plane, moves):
        assert max(max(x) - min(x) for x in zip(*some, strict=True)) <= set_span(turns)
        outer = [cell for cell in some if min(*cell, SIDE - 1 - max(cell)) < 2]
        assert all(min(max(abs(a - x), abs(b - y)) for a, b in turning) <= turn_reach(turns) for x, y in outer)


@pytest.mark.parametrize("more", range(8))
@pytest.mark.parametrize("turns", range(MAX_INTERIOR_TURNS + 1))
def test_numbers_of_the_middle(turns: int, more: int) -> None:
    """Chords of a square in the middle, counted one by one; those of all directions are as many."""
    side = least_side(turns) + more + more // 6 * 200
    middle = (side + 4) // 5
    counts = Counter(2 * x - y for x, y in product(range(middle), repeat=2))
    assert 5 * middle >= side
    long = sorted(number for number, cells in counts.items() if cells >= 5 * (3 * turns + 1))
    assert long == [*range(long[0], long[-1] + 1)]
    assert 3 * (len(long) // 60) > 2 * turns
    # Numbers of the whole square, from the corner on
    reach = max(number for number, cells in counts.items() if cells > 3 * turns) + (side - middle) // 2
    assert reach >= 0.765 * side and 20 * (turns + 1) <= 0.125 * side
    assert 0.08 * side - 4 > 6 * turns and corner_square(turns) < 0.4 * side


def test_numbers_of_a_corner() -> None:
    """Lines of a corner are counted by the number of turns: enough cells are high enough, chord for chord."""
    for turns in range(MAX_INTERIOR_TURNS + 1):
        corner = corner_square(turns)
        for distance in range(corner, 4 * corner):
            heights = [y for y in range(5 * (turns + 1), distance + 1) if (distance - y) % 2 == 0]
            assert len(heights) > 3 * turns
            assert all(len(range(distance + 15, distance + 3 * y + 1, 15)) > turns for y in heights)
