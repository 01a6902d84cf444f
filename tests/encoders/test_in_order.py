"""Stops in order, against brute force of its own: engines, counts, models for other solvers, files and words."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

import kt
from encoders.enumeration import enumerate_tours
from encoders.pb.linear import DEGREES, linear_model
from encoders.sat.encodings import encode, encodings
from encoders.solve import solve
from kt_models import KTError, Problem
from kt_models.conditions import InOrder
from kt_models.files.walls import drawn_walls
from kt_models.kernel.certificates import Statement
from kt_models.runs.tour_task import TourTask
from tests.command import answered, kt_json, one_line_refusal
from tests.command import kt as run
from tests.effort import part_of, slow_rows

ENGINES = [("cpsat", "circuit"), ("cpsat", "cut-set"), ("sat", "cut-set"), *(("sat", name) for name in encodings())]
ZIP = """\
+---+---+---+---+
|         3   2 |
+   +---+---+   +
|             1 |
+   +   +   +   +
|     4 |       |
+---+---+---+   +
| 5             |
+---+---+---+---+
"""
WAYPOINTS = "1 . .\n. 2 3\n"


def visits(neighbours: dict[Any, list[Any]], closed: bool) -> Iterator[tuple[Any, ...]]:
    """All orders of all vertices along edges, from every vertex in every direction."""
    walks = [(v,) for v in neighbours]
    while walks:
        walk = walks.pop()
        if len(walk) < len(neighbours):
            walks += [(*walk, w) for w in neighbours[walk[-1]] if w not in walk]
        elif not closed or (len(walk) > 2 and walk[0] in neighbours[walk[-1]]):
            yield walk


def meets(walk: tuple[Any, ...], stops: list[Any]) -> bool:
    places = [walk.index(stop) for stop in stops]
    return places == sorted(places)


def wanted(
    neighbours: dict[Any, list[Any]], stops: list[Any], closed: bool, ends: tuple[Any, Any] | None, directed: bool
) -> int:
    """The number of tours through the stops; `ends` are those of an open tour, each None if it is free."""
    found = set()
    for walk in visits(neighbours, closed):
        if closed and walk[0] != stops[0]:
            continue
        if ends is not None and any(end not in (None, walk[k]) for end, k in zip(ends, (0, -1), strict=True)):
            continue
        if meets(walk, stops):
            ways = [walk] if directed else [walk, (walk[0], *walk[:0:-1]) if closed else walk[::-1]]
            found.add(min(ways))
    return len(found)


def listed(problem: Problem, engine: str) -> int:
    return len(list(enumerate_tours(TourTask(problem), engine=engine)))


def neighbours_of(problem: Problem) -> dict[int, list[int]]:
    graph = problem.graph
    near: dict[int, list[int]] = {v: [] for v in range(graph.vertex_count)}
    if graph.directed is not None:
        for u, v in graph.directed.arcs.tolist():
            near[u].append(v)
        return near
    for u, v in graph.ends.tolist():
        near[u].append(v)
        near[v].append(u)
    return near


BOARDS = [("3x3", "wazir"), ("2x4", "wazir"), ("3x2", "king"), ("3x4", "1,2"), ("3x3-b2", "1,2"), ("2x3", "rook")]
CASES = [(board, leaper, closed) for board, leaper in BOARDS for closed in (True, False)]
ROWS = [*CASES[::4], *slow_rows(row for row in CASES if row not in CASES[::4])]


@pytest.mark.parametrize(("board", "leaper", "closed"), ROWS)
def test_counts_agree_with_brute_force(board: str, leaper: str, closed: bool) -> None:
    """With one to all cells as stops, and for open tours with free ends, one end and two."""
    plain = kt.problem(board, leaper=leaper, open=not closed)
    near, source = neighbours_of(plain), random.Random(f"{board} {leaper} {closed}")
    for _ in range(part_of(60)):
        stops = source.sample(range(len(near)), source.randint(1, len(near)))
        names = [plain.graph.name_of(v) for v in stops]
        if closed:
            problem, ends = kt.problem(board, leaper=leaper, in_order=names), None
        elif source.random() < 0.5:
            problem = kt.problem(board, leaper=leaper, open=True, in_order=names)
            ends = (stops[0], stops[-1] if len(stops) > 1 else None)
        else:  # `kt.problem` always gives the ends
            problem, ends = replace(plain, conditions=(InOrder(tuple(stops)),)), (None, None)
        expected = wanted(near, stops, closed, ends, directed=False)
        if ends == (None, None) and not closed:  # Either direction will do
            assert problem.terminals == ()
        for engine in ("sat", "search"):
            assert listed(problem, engine) == expected, (names, engine)
        engine, encoding = source.choice(ENGINES)
        assert (solve(problem, engine=engine, encoding=encoding).tour is not None) == (expected > 0)
        assert (kt.solve(problem).tour is not None) == (expected > 0)


@pytest.mark.parametrize("closed", [True, False])
def test_counts_of_directed_graphs_agree_with_brute_force(closed: bool) -> None:
    source = random.Random(closed)
    for _ in range(part_of(60)):
        n = source.randint(3, 6)
        arcs = [pair for pair in permutations(range(n), 2) if source.random() < 0.6]
        if len({v for arc in arcs for v in arc}) < n:
            continue
        stops = source.sample(range(n), source.randint(1, n))
        problem = kt.problem(edges=arcs, directed=True, open=not closed, in_order=stops)
        near: dict[Any, list[Any]] = {v: [w for u, w in arcs if u == v] for v in range(n)}
        if closed and n < 3:
            continue
        ends = None if closed else (stops[0], stops[-1] if len(stops) > 1 else None)
        expected = wanted(near, stops, closed, ends, directed=True)
        assert listed(problem, "sat") == expected, (arcs, stops)
        assert listed(problem, "search") == expected
        engine, encoding = source.choice(ENGINES)
        assert (solve(problem, engine=engine, encoding=encoding).tour is not None) == (expected > 0)


def test_models_for_other_solvers_have_the_same_solutions() -> None:
    """Each tour is one model of the clauses, and of the linear model."""
    from pysat.solvers import Solver

    problem = kt.problem("3x3", leaper="king", open=True, in_order=["a1", "c2", "b2", "a3"])
    expected = kt.count(problem)
    assert expected > 0
    for name in encodings():
        formula = encode(problem, name)
        with Solver("cadical153", bootstrap_with=formula.clauses) as solver:
            found = set()
            while solver.solve():
                chosen = formula.edges_of(solver.get_model())
                found.add(tuple(chosen.tolist()))
                solver.add_clause([-formula.edge[e] for e in chosen.tolist()])
        assert len(found) == expected, name


@pytest.mark.parametrize("encoding", ["", "flow"])
def test_linear_models_have_the_same_solutions(encoding: str) -> None:
    """With `degrees` alone a solution may fall apart, but the clauses of the order are in it."""
    from ortools.sat.python import cp_model

    problem = kt.problem("2x3", leaper="king", open=True, in_order=["a1", "b2", "b1", "a3"])
    model = linear_model(problem, encoding)
    cp = cp_model.CpModel()
    # Flows are numbers, so only the variables of edges tell solutions apart.
    at = {x: cp.new_bool_var(f"x{x}") for x in range(1, model.top + 1)}
    for row in model.rows:
        total = sum(c * at[x] for c, x in row.terms)
        cp.add(total == row.right if row.equal else total >= row.right)
    found = set()
    solver = cp_model.CpSolver()
    while solver.solve(cp) == cp_model.OPTIMAL:
        chosen = [x for x in model.edge if solver.boolean_value(at[x])]
        found.add(tuple(chosen))
        cp.add_bool_or([~at[x] for x in chosen])
    assert len(found) == kt.count(problem) > 0
    assert len(linear_model(problem, DEGREES).rows) > len(linear_model(problem.unconstrained, DEGREES).rows)


def test_words_digest_and_files() -> None:
    stops = ["a1", "c3", "b2", "a3"]
    problem = kt.problem("4x4", leaper="king", in_order=stops)
    assert "through a1, c3, b2, a3 in this order" in Statement(problem, "infeasible").text
    around = kt.problem("4x4", leaper="king", in_order=["b2", "c3", "a1", "a3"])
    assert problem == around != kt.problem("4x4", leaper="king", in_order=["a1", "b2", "c3", "a3"])
    assert problem != problem.unconstrained == kt.problem("4x4", leaper="king")
    assert Problem.from_json(problem.to_json()) == problem
    result = kt.solve(problem)
    assert result.tour is not None
    names = [problem.graph.name_of(v) for v in result.tour.order.tolist()]
    assert names[0] == "a1" and meets(tuple(names), stops)


def test_an_open_tour_goes_from_the_first_stop_to_the_last() -> None:
    tour = kt.solve("4x4", leaper="king", open=True, in_order=["a1", "d4", "b2"]).tour
    assert tour is not None and (tour[0], tour[-1]) == ((0, 0), (1, 1))
    tour = kt.solve("4x4", leaper="king", open=True, in_order=["d4", "b2"], start="a1", end="c1").tour
    assert tour is not None and (tour[0], tour[-1]) == ((0, 0), (2, 0))
    assert list(tour).index((3, 3)) < list(tour).index((1, 1))
    for end in ({"start": "b2"}, {"end": "d4"}):
        with pytest.raises(KTError, match="visited at another time"):
            kt.problem("4x4", leaper="king", open=True, in_order=["d4", "b2"], **end)


# -- grids of stops ----------------------------------------------------------------------------------------------------


def test_a_grid_of_stops() -> None:
    problem = kt.problem(waypoints=WAYPOINTS, leaper="wazir", open=True)
    assert problem == kt.problem("3x2", leaper="wazir", open=True, in_order=["a2", "b1", "c1"])
    (tour,) = kt.tours(problem)
    assert [problem.graph.name_of(v) for v in tour.order.tolist()] == ["a2", "a1", "b1", "b2", "c2", "c1"]
    assert problem == kt.problem(waypoints=[[1, 0, 0], [0, 2, 3]], leaper="wazir", open=True)
    assert problem == kt.problem(waypoints=[[1, -1, -1], [-1, 2, 3]], leaper="wazir", open=True)


def test_walls_are_drawn_in_a_grid() -> None:
    problem = kt.problem(waypoints=ZIP, leaper="wazir", open=True)
    walls = ["b4-b3", "c4-c3", "b2-c2", "a2-a1", "b2-b1", "c2-c1"]
    stops = ["d3", "d4", "c4", "b2", "a1"]
    assert problem == kt.problem("4x4", leaper="wazir", open=True, forbid=walls, in_order=stops)
    heavy = ZIP.translate(str.maketrans("+-|", "╋━┃"))
    assert kt.problem(waypoints=heavy, leaper="wazir", open=True) == problem
    # A table with all of its lines has no walls
    table = "+---+---+\n| 1 |   |\n+---+---+\n|   | 2 |\n+---+---+\n"
    assert drawn_walls(table.split("\n")) is None
    assert kt.problem(waypoints=table, leaper="wazir").forbidden == frozenset()
    # Clues may have walls as well
    clued = kt.problem(
        clues=ZIP.replace("5", " ").replace("4", " ").replace("3", " ").replace("2", " "), leaper="wazir"
    )
    assert clued.forbidden == problem.forbidden


BOX = """\
┌───────┬───┐
│ 1     │ 4 │
│   ┌───┘   │
│   │     3 │
│   │       │
│         2 │
└───────────┘
"""


def test_box_drawing_has_posts_only_where_lines_meet() -> None:
    problem = kt.problem(waypoints=BOX, leaper="wazir", open=True)
    walls = ["b3-c3", "b3-b2", "a2-b2"]
    assert problem == kt.problem("3x3", leaper="wazir", open=True, forbid=walls, in_order=["a3", "c1", "c2", "c3"])
    with pytest.raises(KTError, match="a row of free cells or stand between two rows"):
        kt.problem(waypoints="┌─┬─┐\n│1│ │\n│ │ │\n│2│ │\n└─┴─┘\n", leaper="wazir", open=True)
    # In ASCII a post is always drawn
    assert kt.problem(waypoints="+-+-+\n|1| |\n| | |\n|2| |\n+-+-+\n", leaper="wazir").graph.n == 6


WRONG_GRIDS = [
    (ZIP.replace("2", "6"), "2 is missing"),
    (ZIP.replace("5", "4"), "4 stands twice"),
    (ZIP.replace("+---+---+---+   +", "+-- +---+---+   +"), "wall with a gap"),
    (ZIP.replace("4 |", "4 :"), "between two cells"),
    (ZIP.replace("3", "Q"), "clue 'Q'"),
    (ZIP.replace("2 |", "2 | 7"), "goes on beyond"),
    (". .\n. .\n", "has no number"),
]


@pytest.mark.parametrize(("grid", "says"), WRONG_GRIDS)
def test_damaged_grids_of_stops_are_refused(grid: str, says: str, tmp_path: Path) -> None:
    (tmp_path / "grid.txt").write_text(grid)
    one_line_refusal(run("solve", "--waypoints", tmp_path / "grid.txt", "--leaper", "wazir", "--open"), says)
    with pytest.raises(KTError, match=says):
        kt.problem(waypoints=grid, leaper="wazir", open=True)


def test_the_command_line_solves_lists_and_checks(tmp_path: Path) -> None:
    (tmp_path / "zip.txt").write_text(ZIP)
    words = ["--waypoints", tmp_path / "zip.txt", "--leaper", "wazir", "--open"]
    assert kt_json("enumerate", *words, "--count")["count"] == 1
    answer = kt_json("solve", *words)
    assert answer["tour"][0] == [3, 2] and answer["tour"][-1] == [0, 0]
    (tmp_path / "grid.txt").write_text(WAYPOINTS)
    assert "in order   3 stops" in answered("solve", "--waypoints", WAYPOINTS, "--leaper", "wazir", "--open")[1]
    solution = "a2 a1 b1 b2 c2 c1"
    assert run("check", solution, "--waypoints", WAYPOINTS, "--leaper", "wazir").exit_code == 0
    assert run("check", solution, "--board", "3x2", "--leaper", "wazir", "--in-order", "a2,b2,c1").exit_code == 0
    wrong = run("check", solution, "--board", "3x2", "--leaper", "wazir", "--in-order", "a2,c2,b1,c1")
    assert wrong.exit_code == 1 and "are visited in this order, not" in wrong.stdout
    assert kt.check(solution, leaper="wazir", waypoints=WAYPOINTS).shown
    assert kt.check(solution, "3x2", leaper="wazir", in_order=["a2", "b1", "c1"]).shown
    with pytest.raises(KTError, match="no engine serves both"):
        kt.check(solution, "3x2", leaper="wazir", in_order=["a2", "b1", "c1"], numbers={"a2": 1})
    holed = "1 . x\nx 2 3\n"
    assert kt.check("a2 b2 b1 c1", leaper="wazir", waypoints=holed, cells=".").shown
    with pytest.raises(KTError, match="may be free cells or holes"):
        kt.check("a2 b2 b1 c1", leaper="wazir", waypoints=holed)
    words = ["check", "a2 b2 b1 c1", "--leaper", "wazir", "--waypoints", holed]
    assert run(*words, "--cells", ".").exit_code == 0
    one_line_refusal(run("check", solution, "--cells", "."), "--cells has no effect")
    cube = kt_json("solve", "2x2x2", "--leaper", "wazir", "--in-order", "(0,0,0),(1,1,1),(0,1,0),(1,0,0)")
    assert cube["in_order"] == [0, 7, 2, 4]


WRONG = [
    ("6x6 --in-order a1,a1", "twice"),
    ("6x6 --in-order a1,z9", "z9"),
    ("6x6 --in-order ,", "write the cells as"),
    ("6x6 --in-order a1,b2 --number a1=1", "no engine serves both"),
    ("--clues g --waypoints g", "not both"),
    ("--waypoints g --in-order a1 --leaper wazir", "given in one way"),
    ("4x4 --waypoints g --leaper wazir", "the grid is"),
    ("--waypoints z", "for --leaper wazir"),
    ("6x6 --open --in-order a1,b2 --from b2", "visited at another time"),
]


@pytest.mark.parametrize(("words", "says"), WRONG)
def test_senseless_stops_are_refused(words: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("g").write_text(WAYPOINTS)
    Path("z").write_text(ZIP)
    one_line_refusal(run("solve", *words.split()), says)


@pytest.mark.parametrize(
    "words", ["find 6x6", "bound 6x6 --minimize turns", "improve t.json --minimize turns", "magic 4x4"]
)
def test_commands_that_do_not_serve_stops_say_so(words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run("find", "6x6", "-o", "t.json")
    one_line_refusal(run(*words.split(), "--in-order", "a1,b2,c3,d4"), "stops in order")


def test_the_reading_of_clues_names_the_other_reading(tmp_path: Path) -> None:
    message = run("solve", "--clues", WAYPOINTS, "--leaper", "wazir", "--open").stderr
    assert "the numbers are places in the path; for cells to be visited in this order use --in-order" in message
    assert "--in-order" not in run("solve", "--clues", "1 . .\n. 9 .\n. . .\n", "--leaper", "wazir", "--open").stderr


def test_a_list_of_graphs_has_no_stops(tmp_path: Path) -> None:
    (tmp_path / "two.g6").write_text("C~\nC~\n")
    one_line_refusal(run("solve", tmp_path / "two.g6", "--in-order", "0,1"), "--in-order")


def test_a_few_stops_are_met_without_an_engine() -> None:
    """On a board that takes a solver minutes."""
    result = kt.solve("30x30", in_order=["a1", "z20", "a20", "t1"])
    assert result.status == "feasible" and result.engine in ("find/stops", "sat/linked")
