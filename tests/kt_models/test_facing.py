"""Facing sides: the walks of single squares, and 2-factors round planes by CP-SAT, agree with what is checked.

`Square` and `ring` share no code with the checker: they read the numbers of the file by themselves.
"""

import copy
import json
from collections import defaultdict
from collections.abc import Iterator, Set
from functools import cache
from itertools import combinations
from pathlib import Path
from random import Random

import pytest

from heuristics.find import find
from kt_models import Problem, graph_of
from kt_models.certificates.families import facing
from kt_models.certificates.families.borders import BorderSweep
from kt_models.certificates.families.facing import WINDOW, Facing, Walk
from kt_models.certificates.families.interiors import InteriorSweep
from kt_models.certificates.families.planes import Plane
from kt_models.certificates.families.statement import Boards
from kt_models.certificates.families.turns import check, excesses, read
from kt_models.errors import CertificateError, KTError
from kt_models.leaper import KNIGHT
from kt_models.limits import NO_LIMITS
from tests.effort import slow
from tests.kt_models.test_family_period import STEPS

Cell = tuple[int, int]
State = frozenset[tuple[Cell, Cell]]
RESULTS = Path(__file__).parents[2] / "docs" / "results"
FILE = json.loads((RESULTS / "turns-facing-0-0-mod-4.json").read_text())
ROWS = 7
RIGHT, FLAT = ((1, 2), (2, -1)), ((1, 2), (2, 1))
"""The directions of the planes that sweeps leave over."""


def colour(x: int, y: int) -> int:
    return 1 if (x + y) % 2 == 0 else -1


class Square:
    """A square round a plane, cell by cell."""

    def __init__(self, side: int, directions: tuple[Cell, Cell], seconds: set[int], rows: int = ROWS) -> None:
        self.side, self.directions, self.seconds, self.rows = side, directions, seconds, rows
        self.own: dict[Cell, list[tuple[Cell, Cell]]] = {}

    def way(self, x: int, y: int) -> Cell:
        (a, b), (c, d) = self.directions
        return self.directions[(a * y - b * x) % abs(a * d - b * c) in self.seconds]

    def inside(self, x: int, y: int) -> bool:
        return self.rows <= min(x, y) and max(x, y) < self.side - self.rows

    def moves(self, x: int, y: int) -> list[Cell]:
        return [(a, b) for a, b in STEPS if 0 <= min(x + a, y + b) and max(x + a, y + b) < self.side]

    def fits(self, x: int, y: int, pair: tuple[Cell, ...]) -> bool:
        """Whether the moves of a cell to cells inside are those of the plane."""
        inner = [(a, b) for a, b in self.moves(x, y) if self.inside(x + a, y + b)]
        return all(((a, b) in pair) == (self.way(x + a, y + b) in ((a, b), (-a, -b))) for a, b in inner)

    @cache  # noqa: B019 -- a few squares
    def numbers(self) -> dict[tuple[Cell, Cell], int]:
        found: dict[tuple[Cell, Cell], int] = defaultdict(int)
        last = self.side - 1

        def put(x: int, y: int, a: int, b: int, number: int) -> None:
            for u, du in ((x, a), (last - x, -a)):
                for v, dv in ((y, b), (last - y, -b)):
                    if 0 <= min(u + du, v + dv, u, v) and max(u + du, v + dv, u, v) <= last:
                        found[(u, v), (du, dv)] += number
                        found[(u + du, v + dv), (-du, -dv)] -= number

        for depth, across, inward, position, number in FILE["side"]:
            for x in range(position, self.side, FILE["period"]):
                put(x, depth, across, inward, number)
                put(depth, x, inward, across, number)
        for x, y, a, b, number in FILE["corner"]:
            put(x, y, a, b, number)
            put(y, x, b, a, number)
        return found

    def free(self, cell: Cell) -> list[tuple[Cell, Cell]]:
        """The pairs of a cell without excess that fit."""
        if cell not in self.own:
            numbers, costs = self.numbers(), {}
            for a, b in combinations(self.moves(*cell), 2):
                turn = FILE["denominator"] * (a != (-b[0], -b[1]))
                costs[a, b] = numbers[cell, a] + numbers[cell, b] + turn
            least = min(costs.values())
            self.own[cell] = [pair for pair, cost in costs.items() if cost == least and self.fits(*cell, pair)]
        return self.own[cell]

    def walks(
        self, first: int, top: bool, before: int, behind: int, width: int
    ) -> list[tuple[dict[Cell, tuple[Cell, Cell]], State]]:
        """What the columns of a window choose, and the moves across its middle; of the top, from the right to the left.

        A column more before and behind may be chosen without excess.
        """
        sign, levels = (-1, [self.side - 1 - y for y in range(self.rows)]) if top else (1, [*range(self.rows)])

        def after(number: int, state: State, start: int) -> Iterator[tuple[dict, State]]:
            ways: list[tuple[dict, State]] = [({}, state)]
            x = first + sign * number
            for y in levels:
                new = []
                for chosen, open_moves in ways:
                    here = {item for item in open_moves if item[0] == (x, y)}
                    for pair in self.free((x, y)):
                        ring = [(a, b) for a, b in pair if y + b in levels]
                        back = {(a, b) for a, b in ring if a * sign < 0 and number - abs(a) >= start}
                        if back == {move for _, move in here}:
                            ahead = {((x + a, y + b), (-a, -b)) for a, b in ring if a * sign > 0}
                            new.append((chosen | {(x, y): pair}, open_moves - here | ahead))
                ways = new
            yield from ways

        states: set[State] = {frozenset()}
        for number in range(-before, 0):
            states = {new for state in states for _, new in after(number, state, -before)}

        @cache
        def goes_on(number: int, state: State) -> bool:
            return number == width + behind or any(goes_on(number + 1, new) for _, new in after(number, state, -before))

        found: list[tuple[dict, State, State]] = [({}, state, state) for state in states if goes_on(0, state)]
        for number in range(width):
            following = {
                state: [step for step in after(number, state, -before) if goes_on(number + 1, step[1])]
                for state in {state for _, state, _ in found}
            }
            found = [
                (chosen | own, new, state if number == width // 2 else middle)
                for chosen, state, middle in found
                for own, new in following[state]
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
                one, other = chosen[cell]
                a, b = move = other if one == move else one
                path.append((cell, move))
                cell, move = (cell[0] + a, cell[1] + b), (-a, -b)
            if self.inside(*cell) and (a, b) == lead:
                found[frozenset({name(*cell), name(start[0] + lead[0], start[1] + lead[1])})] = path
        return found

    def rest(self, bottom: int, top: int, e: int) -> int:
        """The colours of the plane's moves across a cut along lines, less twice all colours to the left of it."""

        def left(x: int, y: int) -> bool:
            if y < self.rows or y >= self.side - self.rows:
                return x < (bottom if y < self.rows else top)
            return 2 * x - e * y < 2 * bottom - e * self.rows

        cells = [(x, y) for x in range(self.side) for y in range(self.side)]
        total = -2 * sum(colour(*cell) for cell in cells if left(*cell))
        for x, y in cells:
            a, b = self.way(x, y)
            for u, v in ((x + a, y + b), (x - a, y - b)) if self.inside(x, y) else ():
                if left(x, y) and not left(u, v):
                    total += colour(x, y)
                elif left(u, v) and not left(x, y) and not self.inside(u, v):
                    total += colour(u, v)
        return total

    def facing(self, first: int, e: int, before: int = 6, behind: int = 5, width: int = WINDOW) -> tuple[int, ...]:
        """Of the windows of a column: how many walks below and above, pairs, those that join no lines, without colours.

        Fewer columns before the window than the checker wants leave no fewer walks.
        """
        reach = ((2 - e) * (self.side - 1) + e * self.rows) // 2
        high = self.side - 1 - (reach - width - first)  # the first column of the top, from the right
        below, above = (
            self.walks(column, top, before, behind, width) for column, top in ((first, False), (high, True))
        )
        rest = self.rest(first + width // 2, high - width // 2 + 1, e)
        low = [
            (sum(colour(x + a, y + b) for (x, y), (a, b) in middle), self.joined(own, (e, 2))) for own, middle in below
        ]
        top = [(sum(colour(*cell) for cell, _ in middle), self.joined(own, (-e, -2))) for own, middle in above]
        open_pairs = [one[0] + two[0] + rest for one in low for two in top if not one[1].keys() & two[1].keys()]
        balanced = sum(one[0] + two[0] + rest == 0 for one in low for two in top)
        return len(low), len(top), balanced, open_pairs.count(0), len(open_pairs)


@cache
def delivered(side: int) -> dict:
    return excesses(read(FILE, KNIGHT), side, side)


def sides(directions: tuple[Cell, Cell], seconds: set[int], remainder: int, rows: int = ROWS) -> Facing:
    return Facing(Plane(*directions, frozenset(seconds)), remainder, delivered, rows, 13, 4, NO_LIMITS)


def counts(checked: Facing, first: int, direction: Cell = (1, 2)) -> tuple[int, ...]:
    """What `Square.facing` counts, by the checker."""
    below, above = (side.walks(direction) for side in checked._sides)
    there = (checked._sum(direction, checked.remainder) - WINDOW - first) % checked.period
    low = [walk for walk in below if walk.first == first % checked.period]
    high = [walk for walk in above if walk.first == there]
    pairs = [
        (checked._balanced(one, two, direction), one.joined & checked._turned(two, direction))
        for one in low
        for two in high
    ]
    balanced = [lines for fits, lines in pairs if fits]
    return (
        len(low),
        len(high),
        len(balanced),
        sum(not lines for lines in balanced),
        sum(not lines for _, lines in pairs),
    )


WINDOWS = [(200, RIGHT, 0, x) for x in range(22, 42)] + [(184, FLAT, 0, x) for x in range(22, 34)]
WINDOWS += [(204, RIGHT, 4, 30), (208, RIGHT, 0, 30), (212, RIGHT, 2, 30), (216, RIGHT, 4, 30)]
FAST = [WINDOWS[3]]


@pytest.mark.parametrize("window", [*FAST, *slow([one for one in WINDOWS if one not in FAST])], ids=str)
def test_two_windows_of_a_square(window: tuple[int, tuple[Cell, Cell], int, int]) -> None:
    """They have as many walks as is checked.  All pairs join two lines, but not without the colours."""
    side, directions, second, first = window
    found = Square(side, directions, {second}).facing(first, 1)
    period = 20 if directions == RIGHT else 12
    assert found == counts(sides(directions, {second}, side % (2 * period)), first)
    assert found[3] == 0 < found[4] and min(found[:3]) > 0


@pytest.mark.slow
def test_columns_behind_a_window() -> None:
    """States are left out by looking ahead: so many columns more have to be without excess, too."""
    below, square = sides(RIGHT, {0}, 0)._sides[0], Square(200, RIGHT, {0})
    known = sum(walk.first == 1 for walk in below.walks((1, 2)) or ())
    found = [len(square.walks(41, False, 6, behind, WINDOW)) for behind in (below.after - facing.AHEAD, below.after)]
    assert known == found[1] < found[0]


@pytest.mark.slow
def test_short_windows_join_nothing() -> None:
    assert Square(200, RIGHT, {0}).facing(25, 1, width=8)[3] > 0


def test_which_planes_are_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert sides(RIGHT, {0}, 0).closes(120, 1, 2884)
    assert not sides(RIGHT, {0}, 0).closes(120, 1, 2883)
    assert not sides(RIGHT, {0, 1, 3, 4}, 4).closes(120, 1, 10**6)
    monkeypatch.setattr(Facing, "_balanced", lambda *_: True)
    assert not sides(RIGHT, {0}, 0).closes(120, 1, 10**6)


def test_sides_2_modulo_4_are_not_closed() -> None:
    """Under their own tables, which leave one plane over.  Under others no walk is without excess."""
    data = json.loads((RESULTS / "turns-interior-2-2-mod-4.json").read_text())
    family = read(data, KNIGHT)
    own = cache(lambda side: excesses(family, side, side))
    for side in (202, 206):
        assert all(not side.walks((1, 2)) for side in sides(RIGHT, {2}, side)._sides)
        closed = [
            Facing(Plane(*RIGHT, frozenset({second})), side % 40, own, ROWS, family.reach + 3, 4, NO_LIMITS)
            for second in range(5)
        ]
        assert not any(one.closes(120, 1, 10**6) for one in closed)


# -- 2-factors round a plane, by CP-SAT --------------------------------------------------------------------------------


def ring(square: Square, seed: int, near: Set[Cell] = frozenset()) -> dict[Cell, tuple[Cell, Cell]] | None:
    """The moves of the cells outside of S in a 2-factor that is the plane inside, by CP-SAT; None if there is none.

    The cells `near` have no excess.
    """
    from ortools.sat.python import cp_model

    model, uses = cp_model.CpModel(), {}
    cells = [(x, y) for x in range(square.side) for y in range(square.side) if not square.inside(x, y)]
    for x, y in cells:
        for a, b in square.moves(x, y):
            if square.inside(x + a, y + b):
                uses[(x, y), (a, b)] = int(square.way(x + a, y + b) in ((a, b), (-a, -b)))
            else:
                uses[(x, y), (a, b)] = uses.get(((x + a, y + b), (-a, -b)))
                if uses[(x, y), (a, b)] is None:
                    uses[(x, y), (a, b)] = model.new_bool_var("")
        model.add(sum(uses[(x, y), move] for move in square.moves(x, y)) == 2)
        if (x, y) in near:
            chosen = {pair: model.new_bool_var("") for pair in square.free((x, y))}
            model.add_exactly_one(chosen.values())
            for move in square.moves(x, y):
                model.add(sum(own for pair, own in chosen.items() if move in pair) == uses[(x, y), move])
    rng = Random(seed)
    model.maximize(sum(rng.randrange(3) * own for own in uses.values() if type(own) is not int))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers, solver.parameters.random_seed = 1, seed
    solver.parameters.stop_after_first_solution = True
    status = solver.solve(model)
    assert status in (cp_model.OPTIMAL, cp_model.FEASIBLE, cp_model.INFEASIBLE)
    if status == cp_model.INFEASIBLE:
        return None
    return {cell: tuple(move for move in square.moves(*cell) if solver.value(uses[cell, move])) for cell in cells}


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


RINGS = [(RIGHT, 1, 3), (FLAT, 1, 3), (((1, 2), (1, -2)), 1, 3), (((2, 1), (1, -2)), 2, 4), (((2, -1), (1, -2)), 1, 5)]


@pytest.mark.parametrize("case", RINGS, ids=str)
@pytest.mark.parametrize("side", [56, *slow([58, 60, 62, 64, 66, 68, 70])])
def test_colours_of_2_factors(case: tuple[tuple[Cell, Cell], int, int], side: int) -> None:
    """Wherever a 2-factor is cut along lines, the colours come to what they have to, for borders of any depth."""
    directions, size, rows = case
    tried = 0
    for seconds in combinations(range(5), size):
        square = Square(side, directions, {*seconds}, rows)
        (a, b), (c, d) = directions
        classes = abs(a * d - b * c)
        found = ring(square, sum(seconds)) if max(seconds) < classes else None
        if found is None:
            continue
        period = facing.lcm(4, classes, 2)
        checked = Facing(Plane(*directions, frozenset(seconds)), side % (2 * period), delivered, rows, 13, 4, NO_LIMITS)
        for e in (1, -1):
            if (e, 2) not in directions and (-e, -2) not in directions:
                continue
            middle = side // 4 if e == 1 else 3 * side // 4
            for cut in range(middle - 4, middle + 4):
                first = cut - WINDOW // 2
                there = checked._sum((e, 2), side) - WINDOW - first
                below = open_moves(found, side, rows, cut, False)
                above = open_moves(found, side, rows, there + WINDOW // 2, True)
                low, high = Walk(first, below, frozenset()), Walk(there, above, frozenset())
                assert checked._balanced(low, high, (e, 2))
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


def two_lines(square: Square, first: int, width: int, seed: int) -> set[frozenset[Cell]] | None:
    """The pairs of lines that two windows of a 2-factor join at both ends, by CP-SAT; None if there is none.

    They and some columns to either side have no excess.
    """
    high = square.side - 1 - ((square.side - 1 + square.rows) // 2 - width - first)
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


PLANES = [*((RIGHT, k) for k in range(5)), *((FLAT, k) for k in range(3))]


@pytest.mark.slow
@pytest.mark.parametrize(("directions", "second"), PLANES)
@pytest.mark.parametrize("seed", range(3))
def test_2_factors_of_a_square_have_cycles_of_two_lines(directions: tuple[Cell, Cell], second: int, seed: int) -> None:
    """In a square that is much smaller, whatever is beside the windows.  Short windows may join none."""
    square = Square(140, directions, {second})
    assert two_lines(square, 20, WINDOW, seed)
    assert two_lines(square, 27, 4, seed) == set()


# -- forged files ------------------------------------------------------------------------------------------------------


class Swept(Exception):
    """A file was refused by nothing that is faster than a sweep."""


def entries(data: object, path: tuple = ()) -> Iterator[tuple]:
    """The places of everything in a file."""
    yield path
    for key in data if type(data) is dict else range(len(data) if type(data) is list else 0):
        yield from entries(data[key], (*path, key))


def changed(path: tuple, entry: object) -> dict:
    data = copy.deepcopy(FILE)
    place = data
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = entry
    return data


def test_files_with_one_thing_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are refused in words, or claim no more.  But for some, this needs no sweep."""

    def swept(*_: object) -> None:
        raise Swept

    monkeypatch.setattr(BorderSweep, "check", swept)
    rng, refused = Random(1), 0
    places = [path for path in entries(FILE) if path and path[0] != "made_by"]
    weighed = [path for path in places if path[0] in ("claims", "border", "interior", "denominator", "period")]
    for path in [*weighed, *rng.sample(places, 100)]:
        old = FILE
        for key in path:
            old = old[key]
        others = [old - 1, old + 1, -old, 2**40, 10**400] if type(old) is int else [{}, [], [old, old]]
        try:
            check(changed(path, rng.choice([None, 1.5, "x", *others, *others])))
        except (KTError, Swept) as error:
            refused += type(error) is not Swept
    assert refused > 90


CLAIM = ("claims", 0, "boards")


@pytest.mark.parametrize(
    ("path", "entry", "message"),
    [
        (("claims", 0, "bounds", 0, "constant"), [-19, 1], "are shown"),
        (("claims", 0, "bounds", 0, "slope"), [9, 1], "are shown"),
        ((*CLAIM, "least"), 1513, "are shown"),
        (CLAIM, {"shape": "squares", "least": 3000, "modulus": 4, "residues": [0, 2]}, "are shown"),
        (CLAIM, {"shape": "squares", "least": 3000, "modulus": 2, "residues": [0]}, "are shown"),
        (("interior", "excess"), 120, "are shown"),
        (("interior", "excess"), 122, "a turn inside"),
        (("interior", "turns"), 0, "a turn inside"),
        (("interior", "turns"), 2, "turns of an interior"),
        (("border", "excess"), 48, "a turn inside"),
    ],
    ids=str,
)
def test_forged_files(path: tuple, entry: object, message: str) -> None:
    """They are refused before anything is swept."""
    with pytest.raises(KTError, match=message):
        check(changed(path, entry))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "entry"),
    [
        ((*CLAIM, "least"), 2880),
        ((*CLAIM, "least"), 2000),
        (("border", "excess"), 50),
        (("border", "rest"), 60),
        (("border", "rows"), 6),
    ],
    ids=str,
)
def test_forged_files_of_which_much_is_true(path: tuple, entry: object) -> None:
    with pytest.raises(KTError, match="may have an excess"):
        check(changed(path, entry))


@pytest.mark.slow
def test_large_squares() -> None:
    (claim,) = check(FILE)
    assert claim.boards.text == "board n x n with n >= 3000 and n = 0 (mod 4)"
    assert claim.text.endswith("has at least 8 n - 20 turns")


def test_squares_for_numbers_of_an_odd_period(monkeypatch: pytest.MonkeyPatch) -> None:
    """P is twice the period of a plane with five classes then, and all remainders modulo 2 P are asked for."""
    asked: set[int] = set()

    def closes(self: Facing, *_: int) -> bool:
        asked.update(range(self.remainder, 100, 2 * self.period) if self.plane.classes == 5 else ())
        return True

    def fails(*_: object) -> None:
        raise CertificateError("left over")

    monkeypatch.setattr(Facing, "closes", closes)
    monkeypatch.setattr(InteriorSweep, "check_plane", fails)
    sweep = InteriorSweep(1, 1, delivered, ROWS, 11, 1, NO_LIMITS)
    sweep.check(Boards("squares", 3000, 2, (0,)).remainders, 3000)
    assert asked >= set(range(0, 100, 2))


def test_tables_without_excess() -> None:
    """They have no least excess, and end in words."""
    plain = cache(
        lambda side: {
            (x, y): [(0, *pair) for pair in combinations(Square(side, RIGHT, {0}).moves(x, y), 2)]
            for x in range(side)
            for y in range(side)
        }
    )
    with pytest.raises(CertificateError, match="no cell of a side"):
        Facing(Plane(*RIGHT, frozenset({0})), 0, plain, 1, 13, 4, NO_LIMITS).closes(1, 1, 3000)
    assert not Facing(Plane(*RIGHT, frozenset({0})), 0, plain, 3, 13, 4, NO_LIMITS)._joins((1, 2))


@pytest.mark.parametrize("rows", [6, 7, 8])
@pytest.mark.parametrize("e", [1, -1])
def test_a_line_has_one_number(rows: int, e: int) -> None:
    """Whether it is seen from the bottom or from the top, for borders of even and odd depth."""
    side, first = 200, 60
    checked = sides(((1, 2), (1, -2)), {0}, side, rows)
    there = checked._sum((e, 2), side) - WINDOW - first
    lines = [2 * x - e * y for x, y in ((70, 5), (75, 6))]
    turned = [2 * (side - 1 - x) - e * (side - 1 - y) - 2 * there for x, y in ((75, 6), (70, 5))]
    walk = Walk(there, frozenset(), frozenset({(turned[0], turned[1])}))
    assert checked._turned(walk, (e, 2)) == {(lines[0] - 2 * first, lines[1] - 2 * first)}
