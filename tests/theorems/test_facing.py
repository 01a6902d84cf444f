"""Facing sides: the walks of single squares, and 2-factors round planes by CP-SAT, agree with what is checked.

`FacingSquare` and `ring` share no code with the checker: they read the numbers of the file by themselves.
"""

from collections import defaultdict
from collections.abc import Iterator, Set
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from random import Random

import pytest

from heuristics.find import find
from kt_models import Problem, graph_of
from research.turn_families import FACING, make_inside
from tests.effort import slow
from tests.theorems.facing_sides import FILE, FILES, FLAT, RIGHT, ROWS, Cell, left_end, sides, window
from tests.theorems.squares import Square
from theorems.turns.facing import Facing, facing_sum
from theorems.turns.side_walks import LOOKAHEAD, WINDOW
from theorems.turns.theorem import check

State = frozenset[tuple[Cell, Cell]]


def colour(x: int, y: int) -> int:
    return 1 if (x + y) % 2 == 0 else -1


@dataclass(frozen=True, eq=False)
class FacingSquare(Square):
    """A square round a plane, cell by cell."""

    data: dict = field(default_factory=lambda: FILE)
    rows: int = ROWS
    pairs: dict[Cell, list[tuple[Cell, Cell]]] = field(default_factory=dict)

    def inside(self, x: int, y: int) -> bool:
        return self.rows <= min(x, y) and max(x, y) < self.side - self.rows

    def fits(self, x: int, y: int, pair: tuple[Cell, ...]) -> bool:
        """Whether the moves of a cell to cells inside are those of the plane."""
        inner = [(a, b) for a, b in self.moves((x, y)) if self.inside(x + a, y + b)]
        return all(((a, b) in pair) == (self.way((x + a, y + b)) in ((a, b), (-a, -b))) for a, b in inner)

    def free(self, cell: Cell) -> list[tuple[Cell, Cell]]:
        """The pairs of a cell without excess that fit."""
        if cell not in self.pairs:
            self.pairs[cell] = [p for p, cost in self.costs_of(cell)[0].items() if not cost and self.fits(*cell, p)]
        return self.pairs[cell]

    def walks(
        self, first: int, top: bool, before: int, behind: int, width: int
    ) -> list[tuple[dict[Cell, tuple[Cell, Cell]], State]]:
        """What the columns of a window choose, and the moves across its middle; of the top, from the right to the left.

        A column more before and behind may be chosen without excess.
        """
        sign, levels = (-1, [self.side - 1 - y for y in range(self.rows)]) if top else (1, [*range(self.rows)])

        @cache
        def choices(x: int, y: int, farthest: int) -> dict[frozenset[Cell], list[tuple[tuple, State]]]:
            """The pairs of a cell, by the moves that lead back, and the moves that they lead on to."""
            found = defaultdict(list)
            for pair in self.free((x, y)):
                ring = [(a, b) for a, b in pair if y + b in levels]
                back = frozenset((a, b) for a, b in ring if a * sign < 0 and abs(a) <= farthest)
                ahead = frozenset(((x + a, y + b), (-a, -b)) for a, b in ring if a * sign > 0)
                found[back].append((pair, ahead))
            return found

        @cache
        def column(number: int, entering: State) -> list[tuple[dict, State]]:
            """What a column chooses where these moves lead to it, and the moves that lead on."""
            ways: list[tuple[dict, State]] = [({}, frozenset())]
            x = first + sign * number
            for y in levels:
                into = frozenset(move for cell, move in entering if cell == (x, y))
                pairs = choices(x, y, min(2, number + before)).get(into, ())
                ways = [(chosen | {(x, y): pair}, ahead | more) for chosen, ahead in ways for pair, more in pairs]
            return ways

        def after(number: int, state: State) -> Iterator[tuple[dict, State]]:
            entering = frozenset(item for item in state if item[0][0] == first + sign * number)
            for chosen, ahead in column(number, entering):
                yield chosen, state - entering | ahead

        states: set[State] = {frozenset()}
        for number in range(-before, 0):
            states = {new for state in states for _, new in after(number, state)}

        @cache
        def goes_on(number: int, state: State) -> bool:
            return number == width + behind or any(goes_on(number + 1, new) for _, new in after(number, state))

        found: list[tuple[dict, State, State]] = [({}, state, state) for state in states if goes_on(0, state)]
        for number in range(width):
            following = {
                state: [step for step in after(number, state) if goes_on(number + 1, step[1])]
                for state in {state for _, state, _ in found}
            }
            found = [
                (chosen | columns, new, state if number == width // 2 else middle)
                for chosen, state, middle in found
                for columns, new in following[state]
            ]
        return [(chosen, middle) for chosen, _, middle in found]

    def joined(self, chosen: dict[Cell, tuple[Cell, Cell]], lead: Cell) -> dict[frozenset[Cell], list]:
        """Pairs of lines that are joined, by the cells of S where they come to the top; `lead` leads to these lines.

        And the moves between them.
        """
        up = lead[1] > 0
        found = {}

        def name(x: int, y: int) -> Cell:
            while up and self.inside(x + lead[0], y + lead[1]):
                x, y = x + lead[0], y + lead[1]
            return x, y

        for start, pair in chosen.items():
            if lead not in pair or not self.inside(start[0] + lead[0], start[1] + lead[1]):
                continue
            cell, move, path = start, lead, []
            while cell in chosen:
                first, second = chosen[cell]
                a, b = move = second if first == move else first
                path.append((cell, move))
                cell, move = (cell[0] + a, cell[1] + b), (-a, -b)
            if self.inside(*cell) and (a, b) == lead:
                found[frozenset({name(*cell), name(start[0] + lead[0], start[1] + lead[1])})] = path
        return found

    def rest(self, bottom: int, top: int) -> int:
        """The colours of the plane's moves across a cut along lines, less twice all colours to the left of it."""

        def left(x: int, y: int) -> bool:
            if y < self.rows or y >= self.side - self.rows:
                return x < (bottom if y < self.rows else top)
            return 2 * x - y < 2 * bottom - self.rows

        cells = [(x, y) for x in range(self.side) for y in range(self.side)]
        total = -2 * sum(colour(*cell) for cell in cells if left(*cell))
        for x, y in cells:
            a, b = self.way((x, y))
            for u, v in ((x + a, y + b), (x - a, y - b)) if self.inside(x, y) else ():
                if left(x, y) and not left(u, v):
                    total += colour(x, y)
                elif left(u, v) and not left(x, y) and not self.inside(u, v):
                    total += colour(u, v)
        return total

    def across(self, first: int, width: int = WINDOW) -> int:
        """The first column of the top, from the right, that a window of the bottom faces."""
        return self.side - 1 - ((self.side - 1 + self.rows) // 2 - width - first)

    def facing(self, first: int, before: int = 6, behind: int = 5, width: int = WINDOW) -> tuple[int, ...]:
        """Numbers of a column's windows: walks below and above, pairs, those that join no lines, without colours.

        Fewer columns before the window than the checker wants leave no fewer walks.
        """
        high = self.across(first, width)
        below, above = (
            self.walks(column, top, before, behind, width) for column, top in ((first, False), (high, True))
        )
        rest = self.rest(first + width // 2, high - width // 2 + 1)
        low = [
            (sum(colour(x + a, y + b) for (x, y), (a, b) in middle), self.joined(walk, (1, 2)))
            for walk, middle in below
        ]
        top = [(sum(colour(*cell) for cell, _ in middle), self.joined(walk, (-1, -2))) for walk, middle in above]
        open_pairs = [
            lower[0] + upper[0] + rest for lower in low for upper in top if not lower[1].keys() & upper[1].keys()
        ]
        balanced = sum(lower[0] + upper[0] + rest == 0 for lower in low for upper in top)
        return len(low), len(top), balanced, open_pairs.count(0), len(open_pairs)


def counts(checked: Facing, side: int, first: int) -> tuple[int, ...]:
    """What `FacingSquare.facing` counts, by the checker."""
    end = left_end(checked, side)
    there = (facing_sum(side, checked.sweep.rows) - first) % checked.period
    low = [window for window in end.bottom.essential_windows if window.nodes[0][0] == first % checked.period]
    high = [window for window in end.top.essential_windows if window.nodes[0][0] == there]
    below, above = (
        [(lower, end.bottom.joined(lower)) for lower in low],
        [(upper, end._seen_from_bottom(end.top.joined(upper))) for upper in high],
    )
    pairs = [
        (end._balanced(lower, upper), lower_joined & facing) for lower, lower_joined in below for upper, facing in above
    ]
    balanced = [lines for fits, lines in pairs if fits]
    apart = sum(not lines for lines in balanced)
    assert apart == sum(
        lower.nodes[0][0] == first % checked.period for lower, _ in end._pairs(end.bottom.essential_windows)
    )
    return len(low), len(high), len(balanced), apart, sum(not lines for _, lines in pairs)


WINDOWS = [(200, RIGHT, 1, x) for x in range(22, 42)] + [(184, FLAT, 0, x) for x in range(22, 34)]
WINDOWS += [(220, RIGHT, 1, 30), (196, FLAT, 0, 30)]


@pytest.mark.parametrize("window", slow(WINDOWS), ids=str)
def test_two_windows_of_a_square(window: tuple[int, tuple[Cell, Cell], int, int]) -> None:
    """Two windows have as many walks as is checked. All pairs join two lines, but not without the colours."""
    side, directions, second, first = window
    found = FacingSquare(side, directions, {second}).facing(first)
    assert found == counts(sides(directions, {second}, side), side, first)
    assert found[3] == 0 < found[4] and min(found[:3]) > 0


@pytest.mark.parametrize(
    ("directions", "second"),
    [(RIGHT, 1), (((1, 2), (1, -2)), 0), pytest.param(((1, 2), (2, 1)), 2, marks=pytest.mark.slow)],
    ids=str,
)
def test_spans_are_what_windows_leave(directions: tuple[Cell, Cell], second: int) -> None:
    """Put together column by column, they are those of all windows."""
    walks = sides(directions, {second}, 0).circuit.walks[0]
    wanted = {(walk.nodes[0][0], walk.middle, walks.joined(walk)) for walk in walks.essential_windows}
    assert wanted == {(first, *span) for first in range(walks.period) for span in walks.essential_spans(first)}


@pytest.mark.slow
def test_columns_before_a_node() -> None:
    """Not all are counted, as later columns have the same states or more."""
    for walks in sides(RIGHT, {1}, 0).circuit.walks[:2]:
        assert walks.before == max(map(walks._columns_until_repeat, range(walks.period)))


@pytest.mark.slow
def test_columns_behind_a_window() -> None:
    """States are left out by looking ahead: so many columns more have to be without excess, too."""
    below, square = sides(RIGHT, {1}, 0).circuit.walks[0], FacingSquare(200, RIGHT, {1})
    known = sum(window.nodes[0][0] == 3 for window in below.essential_windows)
    found = [len(square.walks(43, False, 6, behind, WINDOW)) for behind in (below.after - LOOKAHEAD, below.after)]
    assert known == found[1] < found[0]


@pytest.mark.slow
def test_short_windows_join_nothing() -> None:
    assert FacingSquare(200, RIGHT, {1}).facing(25, width=8)[3] > 0


# -- 2-factors round a plane, by CP-SAT --------------------------------------------------------------------------------


def ring(square: FacingSquare, seed: int, near: Set[Cell] = frozenset()) -> dict[Cell, tuple[Cell, Cell]] | None:
    """The moves of the cells outside of S in a 2-factor that is the plane inside, by CP-SAT; None if there is none.

    The cells `near` have no excess.
    """
    from ortools.sat.python import cp_model

    model, uses = cp_model.CpModel(), {}
    cells = [(x, y) for x in range(square.side) for y in range(square.side) if not square.inside(x, y)]
    for x, y in cells:
        for a, b in square.moves((x, y)):
            if square.inside(x + a, y + b):
                uses[(x, y), (a, b)] = int(square.way((x + a, y + b)) in ((a, b), (-a, -b)))
            else:
                uses[(x, y), (a, b)] = uses.get(((x + a, y + b), (-a, -b)))
                if uses[(x, y), (a, b)] is None:
                    uses[(x, y), (a, b)] = model.new_bool_var("")
        model.add(sum(uses[(x, y), move] for move in square.moves((x, y))) == 2)
        if (x, y) in near:
            chosen = {pair: model.new_bool_var("") for pair in square.free((x, y))}
            model.add_exactly_one(chosen.values())
            for move in square.moves((x, y)):
                model.add(sum(variable for pair, variable in chosen.items() if move in pair) == uses[(x, y), move])
    rng = Random(seed)
    model.maximize(sum(rng.randrange(3) * variable for variable in uses.values() if type(variable) is not int))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers, solver.parameters.random_seed = 1, seed
    solver.parameters.stop_after_first_solution = True
    status = solver.solve(model)
    assert status in (cp_model.OPTIMAL, cp_model.FEASIBLE, cp_model.INFEASIBLE)
    if status == cp_model.INFEASIBLE:
        return None
    return {cell: tuple(move for move in square.moves(cell) if solver.value(uses[cell, move])) for cell in cells}


def open_moves(found: dict, side: int, rows: int, column: int, top: bool) -> frozenset:
    """A state as the checker has it, of a 2-factor."""
    state = set()
    for (x, y), pair in found.items():
        for a, b in pair:
            if top:
                x_here, y_here, a, b = side - 1 - x, side - 1 - y, -a, -b
            else:
                x_here, y_here = x, y
            if x_here + a < column <= x_here and 0 <= y_here < rows and 0 <= y_here + b < rows:
                state.add((x_here - column, y_here, (a, b)))
    return frozenset(state)


RINGS = [(RIGHT, 1, 3), (FLAT, 1, 3), (((1, 2), (1, -2)), 1, 3), (((2, 1), (1, -2)), 2, 5), (((2, -1), (1, -2)), 1, 5)]


@pytest.mark.parametrize("case", [RINGS[2], *slow([*RINGS[:2], *RINGS[3:]])], ids=str)
@pytest.mark.parametrize("side", [56, *slow([58, 60, 62, 64, 66, 68, 70])])
def test_colours_of_2_factors(case: tuple[tuple[Cell, Cell], int, int], side: int) -> None:
    """Wherever a 2-factor is cut along lines, the colours come to what they have to, for borders of any depth."""
    directions, size, rows = case
    tried = 0
    for seconds in combinations(range(5), size):
        square = FacingSquare(side, directions, {*seconds}, rows=rows)
        (a, b), (c, d) = directions
        classes = abs(a * d - b * c)
        found = ring(square, sum(seconds)) if max(seconds) < classes else None
        if found is None:
            continue
        checked = sides(directions, {*seconds}, side, rows)
        end = left_end(checked, side)
        for cut in range(side // 4 - 4, side // 4 + 4):
            first = cut - WINDOW // 2
            there = facing_sum(side, rows) - first
            below = open_moves(found, side, rows, cut, False)
            above = open_moves(found, side, rows, there + WINDOW // 2, True)
            assert end._balanced(window(first, below), window(there, above))
            tried += 1
    assert tried


def test_colours_at_the_edge_of_any_set() -> None:
    """What is said of a set of cells of a 2-factor, for a tour and some sets."""
    cells, rng = [(int(x), int(y)) for x, y in find(Problem(graph_of("20x20"))).tour.coordinates], Random(1)
    for _ in range(50):
        some = set(rng.sample(cells, rng.randrange(1, len(cells))))
        ends = [(a, b) for a, b in zip(cells, cells[1:] + cells[:1], strict=True)]
        ends += [(b, a) for a, b in ends]
        assert sum(colour(*a) for a, b in ends if a in some and b not in some) == 2 * sum(colour(*a) for a in some)


def two_lines(square: FacingSquare, first: int, width: int, seed: int) -> set[frozenset[Cell]] | None:
    """The pairs of lines that two windows of a 2-factor join at both ends, by CP-SAT; None if there is none.

    They and some columns to either side have no excess.
    """
    high = square.across(first, width)
    spread = (WINDOW - width) // 2 + 6
    below = {(x, y) for x in range(first - spread, first + width + spread) for y in range(square.rows)}
    last = square.side - 1
    above = {(x, last - y) for x in range(high - width + 1 - spread, high + 1 + spread) for y in range(square.rows)}
    found = ring(square, seed, below | above)
    if found is None:
        return None
    low = {cell: found[cell] for cell in below if first <= cell[0] < first + width}
    top = {cell: found[cell] for cell in above if high - width < cell[0] <= high}
    return {*square.joined(low, (1, 2))} & {*square.joined(top, (-1, -2))}


CLOSED = [(RIGHT, 1, 140), (RIGHT, 2, 152), (FLAT, 0, 136)]
"""Planes, and squares whose windows all join two lines both."""


@pytest.mark.slow
@pytest.mark.parametrize(("directions", "second", "side"), CLOSED)
@pytest.mark.parametrize("seed", range(3))
def test_2_factors_of_a_square_have_cycles_of_two_lines(
    directions: tuple[Cell, Cell], second: int, side: int, seed: int
) -> None:
    """In a square that is much smaller, whatever is beside the windows. Short windows may join none."""
    assert not left_end(sides(directions, {second}, side), side).may_be_apart()
    square = FacingSquare(side, directions, {second})
    assert two_lines(square, 20, WINDOW, seed)
    assert two_lines(square, 27, 4, seed) == set()


OPEN = [(10, 1, 6), *slow([(2, 2, 2), (10, 1, 26), (2, 2, 22)])]


@pytest.mark.parametrize("case", OPEN, ids=str)
def test_windows_that_are_apart(case: tuple[int, int, int]) -> None:
    """Windows are those of planes whose strips are followed. Seen from the other end, they are as many."""
    residue, second, remainder = case
    checked = sides(RIGHT, {second}, remainder, data=FILES[residue])
    left, right = checked._ends(remainder % (2 * checked.period))
    ways = {(low.columns, high.columns, low.nodes[0][0]) for low, high in left._pairs(left.bottom.essential_windows)}
    there = {
        (high.columns, low.columns, (facing_sum(remainder, ROWS) - low.nodes[0][0]) % checked.period)
        for low, high in right._pairs(right.bottom.essential_windows)
    }
    assert ways and ways == there


@pytest.mark.parametrize("rows", [5, 7])
def test_a_line_has_one_number(rows: int) -> None:
    """Whether it is seen from the bottom or from the top."""
    side, first = 200, 60
    end = left_end(sides(((1, 2), (1, -2)), {0}, side, rows), side)
    there = facing_sum(side, rows) - first
    lines = [2 * x - y for x, y in ((70, 5), (75, 6))]
    turned = [2 * (side - 1 - x) - (side - 1 - y) - 2 * there for x, y in ((75, 6), (70, 5))]
    assert end._seen_from_bottom(frozenset({(turned[0], turned[1])})) == {(lines[0] - 2 * first, lines[1] - 2 * first)}


EIGHT = "10 or 14 or 26 or 30 or 38 or 46 or 54 or 58"


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize(
    ("residue", "boards", "turns"),
    [
        (0, "board n x n with n >= 1514 and n = 0 (mod 4)", "8 n - 20"),
        (10, f"board n x n with n >= 344 and n = {EIGHT} (mod 60)", "8 n - 20"),
        (2, "board n x n with n >= 180 and n = 2 or 22 (mod 60)", "8 n - 21"),
    ],
)
def test_the_delivered_files_claim_what_they_show_of_large_squares(residue: int, boards: str, turns: str) -> None:
    (claim,) = check(FILES[residue])
    assert claim.boards.text == boards
    assert claim.text.endswith(f"has at least {turns} turns")
    for facing in FACING:
        if residue in facing.residues:
            assert make_inside(facing) == FILES[residue]
