"""Puzzles: one solution by brute force, no clue too many, rules that never err, grids and files that are read back.

The brute force tries every path cell by cell, and shares no code with kt.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import kt
from encoders.counting.stops import as_linkage
from encoders.linked import Linked
from encoders.puzzles.numbered import Numbered
from encoders.puzzles.rules import Person
from heuristics.random_tours import random_way
from kt_models.board import Board
from kt_models.files.clues import Clues, clues_from
from kt_models.files.puzzles import KINDS, Puzzle, puzzles_from_json, puzzles_to_json
from kt_models.limits import NO_LIMITS
from kt_models.problem import Problem
from tests.effort import part_of, slow

Cell = tuple[int, int]
Steps = dict[Cell, list[Cell]]
PIECES = {"wazir": (0, 1), "knight": (1, 2)}


def steps_of(puzzle: Puzzle) -> Steps:
    """The cells that each cell leads to, walls considered."""
    cells = [tuple(cell) for cell in puzzle.graph.board.cells.tolist()]  # type: ignore[union-attr]
    text = str(puzzle.graph.leaper)
    lengths = {tuple(sorted(map(int, part.split(",")))) for part in text.split("+")}
    walls = {frozenset(wall) for wall in puzzle.walls}
    return {
        c: [d for d in cells if tuple(sorted((abs(c[0] - d[0]), abs(c[1] - d[1])))) in lengths and {c, d} not in walls]
        for c in cells
    }


def paths_from(start: Cell, steps: Steps, used: set[Cell]) -> Iterator[list[Cell]]:
    """Every path from a cell, of any length."""
    yield [start]
    for cell in steps[start]:
        if cell not in used:
            for rest in paths_from(cell, steps, used | {cell}):
                yield [start, *rest]


def tours(steps: Steps, closed: bool) -> Iterator[list[Cell]]:
    """Every numbering: a path through all cells."""
    for start in steps:
        for path in paths_from(start, steps, {start}):
            if len(path) == len(steps) and (not closed or path[0] in steps[path[-1]]):
                yield path


def number_solutions(puzzle: Puzzle, numbers: dict[Cell, int]) -> int:
    """Numberings with given numbers."""
    every = tours(steps_of(puzzle), puzzle.closed)
    return sum(all(path[number - 1] == cell for cell, number in numbers.items()) for path in every)


def count_numberings(steps: Steps, clues: dict[int, Cell], most: int) -> int:
    """Number of open numberings, at most so many: number after number, towards the clues, without a solver."""
    n, cells = len(steps), set(clues.values())
    first = min(clues)
    numbers = [*range(first + 1, n + 1), *range(first - 1, 0, -1)]
    distance = {goal: _distances(goal, steps) for goal in cells}
    following = {k: min((g for g in clues if g > k), default=0) for k in range(n + 1)}
    place, free = {first: clues[first]}, set(steps) - {clues[first]}
    found = 0

    def is_dead(cell: Cell, heads: set[Cell]) -> bool:
        """Whether too few ways lead through a free cell, if it is no end of the tour."""
        ways = sum(other in free or other in heads for other in steps[cell])
        return ways < (1 if {1, n} - clues.keys() or cell in (clues.get(1), clues.get(n)) else 2)

    def extend(index: int) -> None:
        nonlocal found
        if index == len(numbers):
            found += 1
            return
        number = numbers[index]
        before = place[number - 1 if number > first else number + 1]
        goal = following[number] if number > first else 0
        for cell in [clues[number]] if number in clues else steps[before]:
            if cell not in free or cell not in steps[before] or (number not in clues and cell in cells):
                continue
            if goal and distance[clues[goal]][cell] > goal - number:
                continue
            place[number] = cell
            free.remove(cell)
            heads = {cell, clues[first]}
            if not any(other in free and is_dead(other, heads) for other in steps[before]):
                extend(index + 1)
            free.add(cell)
            if found >= most:
                return

    extend(0)
    return found


def _distances(goal: Cell, steps: Steps) -> dict[Cell, int]:
    """The fewest moves from each cell to a goal."""
    found, left = {goal: 0}, [goal]
    for cell in left:
        for other in steps[cell]:
            if other not in found:
                found[other] = found[cell] + 1
                left.append(other)
    return found


def stop_solutions(puzzle: Puzzle, stops: list[Cell], steps: Steps) -> int:
    """Tours through stops in order: open ones from the first to the last, closed ones from the first around."""
    found = set()
    for path in paths_from(stops[0], steps, {stops[0]}):
        if len(path) == len(steps) and [cell for cell in path if cell in stops] == stops:
            if puzzle.closed and path[0] in steps[path[-1]]:
                found.add(frozenset(frozenset(step) for step in pairwise([*path, path[0]])))
            elif not puzzle.closed and path[-1] == stops[-1]:
                found.add(frozenset(frozenset(step) for step in pairwise(path)))
    return len(found)


def path_solutions(pairs: list[tuple[Cell, Cell]], steps: Steps) -> int:
    """Sets of paths between pairs that visit every cell."""
    ends = {end for pair in pairs for end in pair}

    def ways(rest: list[tuple[Cell, Cell]], used: set[Cell]) -> int:
        if not rest:
            return len(used) == len(steps)
        start, end = rest[0]
        total = 0
        for path in paths_from(start, steps, used | (ends - {end})):
            total += path[-1] == end and ways(rest[1:], used | set(path))
        return total

    return ways(pairs, set())


def cells_of(puzzle: Puzzle) -> list[Cell]:
    return [(x, y) for x, y in puzzle.graph.board.cells.tolist()]  # type: ignore[union-attr]


def clue_numbers(puzzle: Puzzle) -> dict[Cell, int]:
    """The numbers of the grid."""
    return {cell: number for cell, number in zip(cells_of(puzzle), puzzle.numbers, strict=True) if number}


def stops_of(puzzle: Puzzle) -> list[Cell]:
    return sorted(clue_numbers(puzzle), key=clue_numbers(puzzle).__getitem__)


def pairs_of(puzzle: Puzzle) -> list[tuple[Cell, Cell]]:
    places: dict[int, list[Cell]] = {}
    for cell, number in clue_numbers(puzzle).items():
        places.setdefault(number, []).append(cell)
    return [(first, second) for first, second in places.values()]


def solutions(puzzle: Puzzle) -> int:
    """All solutions, by brute force."""
    if puzzle.kind == "numbers":
        return number_solutions(puzzle, clue_numbers(puzzle))
    if puzzle.kind == "waypoints":
        return stop_solutions(puzzle, stops_of(puzzle), steps_of(puzzle))
    return path_solutions(pairs_of(puzzle), steps_of(puzzle))


CASES = [
    ("numbers", "4x4", "wazir", False), ("numbers", "4x4", "wazir", True), ("numbers", "3x4", "knight", False),
    ("numbers", "3x3", "king", False), ("numbers", "aztec:2", "wazir", False),
    ("waypoints", "4x4", "wazir", False), ("waypoints", "4x4", "wazir", True), ("waypoints", "3x4", "knight", False),
    ("waypoints", "3x3", "king", True), ("waypoints", "4x4-a1,b1", "wazir", False),
    ("paths", "4x4", "wazir", False), ("paths", "3x4", "knight", False), ("paths", "3x3", "king", False),
]  # fmt: skip
"""Kind, board, piece, and whether the tour is closed."""


def some(case: tuple[str, str, str, bool], count: int = 3, **more: Any) -> list[Puzzle]:
    kind, board, leaper, closed = case
    return list(kt.puzzles(board, count, kind=kind, leaper=leaper, open=not closed and kind != "paths", seed=5, **more))


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_puzzle_has_one_solution_and_no_clue_too_many(case: tuple[str, str, str, bool]) -> None:
    for puzzle in some(case):
        assert solutions(puzzle) == 1
        if puzzle.kind == "numbers":
            for cell in clue_numbers(puzzle):
                fewer = {other: number for other, number in clue_numbers(puzzle).items() if other != cell}
                assert number_solutions(puzzle, fewer) > 1
        elif puzzle.kind == "waypoints":
            stops, steps = stops_of(puzzle), steps_of(puzzle)
            for stop in stops[1:] if puzzle.closed else stops[1:-1]:
                # Any three stops of a closed tour are in order.
                if len(stops) > 3 or not puzzle.closed:
                    assert stop_solutions(puzzle, [other for other in stops if other != stop], steps) > 1
            for wall_cell, neighbour in puzzle.walls:
                open_ = {**steps, wall_cell: [*steps[wall_cell], neighbour], neighbour: [*steps[neighbour], wall_cell]}
                assert stop_solutions(puzzle, stops, open_) > 1
        else:
            steps, ways = steps_of(puzzle), pairs_of(puzzle)
            for i, first in enumerate(ways):
                for second in ways[:i]:
                    rest = [pair for pair in ways if pair not in (first, second)]
                    for a, b in ((0, 0), (0, 1), (1, 0), (1, 1)):
                        if second[b] in steps[first[a]]:
                            assert path_solutions([*rest, (first[1 - a], second[1 - b])], steps) > 1


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_seed_gives_the_same_puzzles_and_another_one_others(kind: str) -> None:
    def grids(seed: int, count: int = 3) -> list[str]:
        return [str(p) for p in kt.puzzles("4x4", count, kind=kind, leaper="wazir", open=kind != "paths", seed=seed)]

    first = grids(1)
    assert first == grids(1) and first[:2] == grids(1, 2) and first != grids(2)
    assert len(set(first)) == len(first)


@pytest.mark.parametrize("redundant", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_as_many_clues_as_asked_for(kind: str, redundant: bool) -> None:
    puzzle = kt.puzzle("4x4", kind=kind, leaper="wazir", open=kind != "paths", clues=4, redundant=redundant)
    assert puzzle.count == 4 and solutions(puzzle) == 1


def test_superfluous_clues_only_when_asked_for() -> None:
    with pytest.raises(kt.KTError, match=r"no puzzle with 12 clues was found.*--redundant"):
        kt.puzzle("4x4", leaper="wazir", open=True, clues=12)
    assert kt.puzzle("4x4", leaper="wazir", open=True, clues=12, redundant=True).count == 12


@pytest.mark.parametrize("difficulty", ["easy", "medium"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_puzzle_is_as_difficult_as_asked_for(kind: str, difficulty: str) -> None:
    puzzle = kt.puzzle("5x5", kind=kind, leaper="wazir", open=kind != "paths", difficulty=difficulty, seed=1)
    assert puzzle.difficulty == difficulty == graded(puzzle)


def graded(puzzle: Puzzle) -> str:
    """The difficulty of a puzzle that is read again."""
    if puzzle.kind == "numbers":
        numbered = Numbered(Problem(puzzle.graph, "cycle" if puzzle.closed else "path"), NO_LIMITS)
        with Person(numbered) as person:
            return person.difficulty(numbered.at(k - 1, v) for v, k in enumerate(puzzle.numbers) if k)
    linkage = as_linkage(puzzle.problem)
    if puzzle.kind == "paths":
        from encoders.counting.stops import CellLinkage, allowed_pairs

        ends = puzzle.problem.terminals
        pairs = list(zip(ends[::2], ends[1::2], strict=True))
        linkage = CellLinkage.of(puzzle.graph.n, allowed_pairs(puzzle.graph), pairs)
    assert linkage is not None
    with Person(Linked(linkage)) as person:
        return person.difficulty(())


@pytest.mark.parametrize("leaper", [*PIECES, *slow(["king"])])
def test_rules_never_exclude_the_solution(leaper: str) -> None:
    """Whatever clues are given, right or too few: what the rules show holds in the solution."""
    random = Random(leaper)
    problem = kt.problem("4x5" if leaper == "wazir" else "3x4", leaper=leaper, open=True)
    numbered = Numbered(problem, NO_LIMITS)
    first = kt.find(problem).tour
    assert first is not None
    with Person(numbered) as person:
        for _ in range(part_of(120)):
            way = random_way(numbered.near, first.order.tolist(), False, random)
            assert way is not None
            true = {numbered.at(k, v) for k, v in enumerate(way)}
            true |= {numbered.move[min(step), max(step)] for step in pairwise(way)}
            known = person.known(numbered.at(k, way[k]) for k in random.sample(range(len(way)), random.randint(1, 6)))
            assert known is not None
            assert all((x in true) == (x > 0) for x in known if abs(x) in true or x > 0)


@pytest.mark.parametrize("kind", ["waypoints", "paths"])
def test_rules_of_paths_never_exclude_the_solution(kind: str) -> None:
    for seed in range(part_of(18)):
        puzzle = kt.puzzle("4x4", kind=kind, leaper="wazir", open=kind != "paths", seed=seed)
        assert graded(puzzle) in ("easy", "medium", "hard")
        # A contradiction would count as solved: without its clues a puzzle has no reason for one.
        plain = as_linkage(kt.problem("4x4", leaper="wazir", open=True, in_order=["a1", "a2", "a4"]))
        assert plain is not None
        with Person(Linked(plain)) as person:
            assert person.known(()) is not None


@pytest.mark.parametrize("closed", [False, True])
def test_linkages_of_stops_are_the_tours_through_them(closed: bool) -> None:
    random = Random(f"stops {closed}")
    graph = kt.graph("4x4", "king" if closed else "wazir") if not closed else kt.graph("3x4", "king")
    names = [graph.name_of(v) for v in range(graph.n)]
    for _ in range(part_of(36)):
        stops = random.sample(names, random.randint(3 if closed else 2, 5))
        cut = [graph.edge_name(e) for e in random.sample(range(graph.m), random.randint(0, 3))]
        problem = kt.problem(graph, open=not closed, in_order=stops, forbid=cut)
        linkage = as_linkage(problem)
        assert linkage is not None
        steps = {c: [] for c in map(tuple, graph.board.cells.tolist())}  # type: ignore[union-attr,var-annotated]
        for e, (u, v) in enumerate(graph.ends.tolist()):
            if e not in problem.forbidden:
                first, second = (tuple(graph.board.cells[w].tolist()) for w in (u, v))  # type: ignore[union-attr]
                steps[first].append(second)
                steps[second].append(first)
        places = [tuple(graph.board.cells[graph.find(stop)].tolist()) for stop in stops]  # type: ignore[union-attr]
        asked: Any = SimpleNamespace(closed=closed)
        assert kt.count(linkage.problem) == stop_solutions(asked, places, steps)


def test_grids_are_read_as_they_are_written() -> None:
    random = Random(1)
    for _ in range(part_of(300)):
        width, height = random.randint(1, 5), random.randint(2, 5)
        mask = np.array([[random.random() < 0.85 for _ in range(height)] for _ in range(width)])
        mask[0, 0] = mask[-1, -1] = True
        board = Board(mask.shape, None if mask.all() else mask)
        cells = [tuple(cell) for cell in board.cells.tolist()]
        numbers = tuple(random.choice([0, 0, 0, 1 + random.randrange(board.n)]) for _ in cells)
        sides = [(c, d) for c in cells for d in cells if c < d and abs(c[0] - d[0]) + abs(c[1] - d[1]) == 1]
        walls = tuple(sorted(random.sample(sides, random.randint(0, len(sides) // 2))))
        again = clues_from(Clues(board, numbers, walls).text, stops=True)
        assert (
            again.board == board
            and again.numbers == numbers
            and set(map(frozenset, again.walls)) == set(map(frozenset, walls))
        )


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_of_puzzles_is_read_back_and_lies_are_refused(kind: str) -> None:
    puzzles = some((kind, "4x4", "wazir", False), 2)
    assert puzzles_from_json(puzzles_to_json(puzzles)) == puzzles
    data = puzzles[0].to_json()
    assert Puzzle.from_json(data) == puzzles[0]
    key = "ways" if kind == "paths" else "tour"
    lies: list[dict[str, Any]] = [
        {key: [data[key][1], data[key][0], *data[key][2:]] if kind != "paths" else data[key][:1]},
        {key: data[key][1:]},
        {key: []},
        {key: "a1"},
        {"clues": puzzles[1].to_json()["clues"]},
        {"clues": "1 2\n3 4\n"},
        {"closed": "no"},
        {"puzzle": "sudoku"},
        {"difficulty": "trivial"},
        {"board": "torus:4x4"},
        {"leaper": "1,2"},
        {"version": 99},
    ]
    for lie in lies:
        with pytest.raises(kt.KTError):
            Puzzle.from_json({**data, **lie})


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("5x5",), "5x5 has no closed tour"),
        (("4x4x4",), "not a board in the plane"),
        (("torus:6x6",), "the edges of torus:6x6 are joined"),
        (("13x13",), "over the limit of 144"),
        (("1x3",), "at least 4 cells"),
    ],
)
def test_what_cannot_be_a_puzzle_is_refused(words: tuple[str, ...], message: str) -> None:
    with pytest.raises(kt.KTError, match=message):
        kt.puzzle(*words)


def test_makers_stop_at_a_limit() -> None:
    with pytest.raises(kt.Stopped):
        list(kt.puzzles("6x6", 500, stop=lambda: True))


@pytest.mark.parametrize(("board", "leaper"), [("6x6", "wazir"), ("5x5", "king"), ("7x7", "wazir")])
def test_a_search_without_a_solver_counts_numberings_of_usual_puzzles(board: str, leaper: str) -> None:
    """With all clues there is one numbering; without one of them as many as kt counts, up to ten."""
    for puzzle in kt.puzzles(board, part_of(2), leaper=leaper, open=True, seed=11):
        steps = steps_of(puzzle)
        clues = {number: cell for cell, number in clue_numbers(puzzle).items()}
        assert count_numberings(steps, clues, 2) == 1
        for left_out in sorted(clues)[:3] if len(clues) > 3 else ():
            fewer = {k: cell for k, cell in clues.items() if k != left_out}
            numbers = {cell: k for k, cell in fewer.items()}
            many = kt.at_least(board, 10, leaper=leaper, open=True, numbers=numbers)
            found = count_numberings(steps, fewer, 10)
            assert 2 <= found == (10 if many else kt.count(board, leaper=leaper, open=True, numbers=numbers))
