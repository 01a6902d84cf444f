"""Several paths through all cells, against brute force of its own: engines, counts, bounds, models, files, refusals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

import kt
from encoders.enumeration import sweep
from encoders.enumeration.blocking import task_formula
from encoders.sat.encodings import encode, encodings
from encoders.solve import solve
from kt_models import KTError, Problem
from kt_models.conditions import Straight, Triples, Turning
from kt_models.runs.tour_task import TourTask
from tests.command import kt as run
from tests.command import kt_json, one_line_refusal
from tests.effort import part_of

ENGINES = [("cpsat", "circuit"), ("cpsat", "cut-set"), ("sat", "cut-set"), *(("sat", name) for name in encodings())]
GRID = "1 . 2 . 5\n. . 3 . 4\n. . . . .\n. 2 . 5 .\n. 1 3 4 .\n"
Paths = tuple[tuple[int, ...], ...]


def coverings(near: dict[int, set[int]], pairs: list[tuple[int, int]]) -> Iterator[Paths]:
    """All sets of paths that join the pairs, one after the other, and visit every vertex once."""
    stack: list[tuple[list[tuple[int, ...]], tuple[int, ...]]] = [([], (pairs[0][0],))]
    ends = {v for pair in pairs for v in pair}
    while stack:
        done, path = stack.pop()
        used = {v for walk in (*done, path) for v in walk}
        target = pairs[len(done)][1]
        if path[-1] == target:
            if len(done) + 1 == len(pairs):
                if len(used) == len(near):
                    yield (*done, path)
            else:
                stack.append(([*done, path], (pairs[len(done) + 1][0],)))
            continue
        stack += [(done, (*path, w)) for w in near[path[-1]] if w not in used and (w == target or w not in ends)]


def near_of(problem: Problem) -> dict[int, set[int]]:
    near: dict[int, set[int]] = {v: set() for v in range(problem.graph.n)}
    for u, v in problem.graph.ends.tolist():
        near[u].add(v)
        near[v].add(u)
    return near


def turns_of(problem: Problem, paths: Paths) -> int:
    cells = problem.graph.board.cells.tolist()  # type: ignore[union-attr]
    count = 0
    for path in paths:
        for a, b, c in zip(path, path[1:], path[2:], strict=False):
            (x, y), (u, v), (s, t) = cells[a], cells[b], cells[c]
            count += (u - x) * (t - v) != (v - y) * (s - u) or (u - x) * (s - u) + (v - y) * (t - v) < 0
    return count


BOARDS = [("2x3", "wazir"), ("3x3", "wazir"), ("3x3", "king"), ("3x4", "1,2"), ("4x3", "wazir"), ("3x3-b2", "wazir")]


def test_engines_and_counts_agree_with_brute_force() -> None:
    random = Random(3)
    for board, leaper in BOARDS:
        plain = kt.problem(board, leaper=leaper)
        near, n = near_of(plain), plain.graph.n
        for _ in range(part_of(12)):
            ends = random.sample(range(n), 2 * random.choice([2, 2, 3]))
            pairs = list(zip(ends[::2], ends[1::2], strict=True))
            names = [tuple(map(plain.graph.name_of, pair)) for pair in pairs]
            problem = kt.problem(board, leaper=leaper, paths=names)
            assert problem == kt.problem(board, leaper=leaper, paths=",".join(map("-".join, names)))
            found = list(coverings(near, pairs))
            assert kt.count(problem) == len(found), (board, names)
            engine, encoding = random.choice(ENGINES)
            for result in (kt.solve(problem), solve(problem, engine=engine, encoding=encoding)):
                assert (result.edges is not None) == bool(found), (board, names, engine, encoding)
            least = kt.solve(replace(problem, objective="turns"))
            assert least.value == min((turns_of(plain, paths) for paths in found), default=None)
            assert Problem.from_json(problem.to_json()) == problem


def test_conditions_on_paths_are_counted_by_listing() -> None:
    random = Random(5)
    board = kt.problem("3x4", leaper="king")
    near, cells = near_of(board), board.graph.board.cells.tolist()  # type: ignore[union-attr]
    for _ in range(part_of(12)):
        pairs = [(0, 11), (3, 8)]
        vertex = random.choice([1, 2, 4, 5, 6, 7, 9, 10])
        straight = random.random() < 0.5
        edges = random.sample(range(board.graph.m), 3)
        moves = [frozenset(pair) for pair in board.graph.ends[edges].tolist()]
        problem = replace(
            board,
            connectivity="linkage",
            terminals=(0, 11, 3, 8),
            conditions=((Straight if straight else Turning)((vertex,)), Triples((tuple(edges),))),
        )

        def keeps(paths: Paths, vertex: int = vertex, straight: bool = straight, moves: list[Any] = moves) -> bool:
            made = {frozenset(step) for path in paths for step in pairwise(path)}
            (path,) = (path for path in paths if vertex in path)
            k = path.index(vertex)
            (x, y), (u, v), (s, t) = (cells[w] for w in path[k - 1 : k + 2])
            on = (u - x, v - y) == (s - u, t - v)
            return on == straight and not set(moves) <= made

        assert sweep(TourTask(problem, counting=True)) is None
        assert kt.count(problem) == sum(map(keeps, coverings(near, pairs)))


def test_graphs_models_and_proofs(tmp_path: Path) -> None:
    from pysat.solvers import Solver

    edges = [*combinations(range(5), 2), (4, 5)]
    problem = kt.problem(edges=edges, paths=[(0, 5), (1, 2)])
    expected = len(list(coverings(near_of(problem), [(0, 5), (1, 2)])))
    assert kt.count(problem) == expected > 0
    for name in encodings():
        formula = encode(problem, name)
        with Solver("cadical153", bootstrap_with=formula.clauses) as solver:
            found = set()
            while solver.solve():
                chosen = formula.edges_of(solver.get_model())
                found.add(tuple(chosen.tolist()))
                solver.add_clause([-formula.edge[e] for e in chosen.tolist()])
        assert len(found) == expected, name
    assert task_formula(TourTask(problem, counting=True), kt.Limits()).clauses
    answer = kt_json("solve", "3x3", "--leaper", "wazir", "--paths", "a1-b1,c3-c2", "--proof", tmp_path / "p")
    assert answer["status"] == "infeasible"
    assert run("check", tmp_path / "p").exit_code == 0


def test_one_pair_is_an_open_tour() -> None:
    assert kt.problem("3x4", paths="a1-c4") == kt.problem("3x4", open=True, start="a1", end="c4")


def test_a_grid_of_numbers(tmp_path: Path) -> None:
    problem = kt.problem(paths=GRID, leaper="wazir")
    assert problem == kt.problem("5x5", leaper="wazir", paths="a5-b1,c5-b2,c4-c1,e4-d1,e5-d2")
    assert kt.count(problem) == 1
    (tmp_path / "flow.txt").write_text(GRID)
    answer = kt_json("solve", "--paths", tmp_path / "flow.txt", "--leaper", "wazir")
    assert sorted(map(len, answer["paths"])) == [4, 5, 5, 5, 6] and answer["cycles"] == []
    assert kt_json("enumerate", "--paths", tmp_path / "flow.txt", "--leaper", "wazir", "--count")["count"] == 1
    text = run("solve", "--paths", tmp_path / "flow.txt", "--leaper", "wazir", "-o", tmp_path / "r.json").stdout
    assert "1 2 2 5 5\n1 2 3 5 4" in text and "c1 c2 c3 c4" in text
    assert run("check", tmp_path / "r.json").exit_code == 0
    data = (tmp_path / "r.json").read_text()
    (tmp_path / "wrong.json").write_text(data.replace('"terminals": [', '"terminals": [24, ', 1))
    assert run("check", tmp_path / "wrong.json").exit_code != 0
    assert kt.problem(paths=[[1, 0, 2], [1, 0, 2]], leaper="wazir").terminals == (0, 1, 4, 5)


WRONG = [
    ("solve 4x4 --paths a1-a1,b2-b3", "a1 is given twice"),
    ("solve 4x4 --paths a1-b2,b2-b3", "b2 is given twice"),
    ("solve 4x4 --paths a1-z9", "z9"),
    ("solve 4x4 --paths a1-b2,c3-d4 --open", "leave out --open"),
    ("solve 4x4 --paths a1-b2,c3-d4 --number a1=1", "one tour"),
    ("solve 4x4 --paths a1-b2,c3-d4 --in-order a1,b2", "one tour"),
    ("solve 4x4 --paths a1-b2,c3-d4 --shape SSTT", "one tour"),
    ("enumerate 4x4 --paths a1-b2,c3-d4 --up-to-symmetry --count", "several paths"),
    ("enumerate 4x4 --paths a1-b2,c3-d4 --count --by turns", "several paths"),
    ("enumerate 4x4 --paths a1-b2,c3-d4 --at-least 2", "several paths"),
    ("find 4x4 --paths a1-b2,c3-d4", "several paths"),
    ("pareto 4x4 --paths a1-b2,c3-d4", "open tours"),
    ("magic 4x4 --paths a1-b2,c3-d4", "magic"),
    ("improve t.json --minimize turns --paths a1-b2,c3-d4", "linkage"),
]


@pytest.mark.parametrize(("words", "says"), WRONG)
def test_senseless_paths_are_refused(words: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    if "t.json" in words:
        run("find", "6x6", "-o", "t.json")
    one_line_refusal(run(*words.split()), says)


DAMAGED = [("1 . 2\n1 . .\n", "2 stands once"), ("1 1\n1 .\n", "3 times"), (". .\n. .\n", "no number")]


@pytest.mark.parametrize(("grid", "says"), DAMAGED)
def test_damaged_grids_of_paths_are_refused(grid: str, says: str) -> None:
    with pytest.raises(KTError, match=says):
        kt.problem(paths=grid, leaper="wazir")


def test_directed_graphs_have_no_paths() -> None:
    with pytest.raises(KTError, match="paths"):
        kt.problem(edges=[(0, 1), (1, 2), (2, 3), (3, 0)], directed=True, paths=[(0, 1), (2, 3)])
