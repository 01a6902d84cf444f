"""Several closed tours through all cells, against brute force of its own: engines, counts, models, files, refusals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from random import Random

import pytest

import kt
from encoders.pb.linear import DEGREES, linear_model
from encoders.sat.encodings import encode
from encoders.solve import solve
from kt_models import KTError, Problem
from kt_models.conditions import Straight
from tests.command import kt as run
from tests.command import kt_json, one_line_refusal
from tests.effort import part_of, slow_rows

ENGINES = [("cpsat", "circuit"), ("cpsat", "cut-set"), ("sat", "cut-set"), ("sat", "binary")]
Pairs = list[tuple[int, int]]


def choices(edges: Pairs, n: int) -> Iterator[frozenset[tuple[int, int]]]:
    """All choices of edges with two at each vertex."""
    degree = [0] * n

    def extend(k: int, chosen: Pairs) -> Iterator[frozenset[tuple[int, int]]]:
        if len(chosen) == n:
            yield frozenset(chosen)
        elif len(edges) - k >= n - len(chosen):
            u, v = edges[k]
            if degree[u] < 2 and degree[v] < 2:
                degree[u] += 1
                degree[v] += 1
                yield from extend(k + 1, [*chosen, edges[k]])
                degree[u] -= 1
                degree[v] -= 1
            yield from extend(k + 1, chosen)

    yield from extend(0, [])


def lengths_of(chosen: frozenset[tuple[int, int]], n: int) -> list[int]:
    part = list(range(n))
    for _ in range(n):
        for u, v in chosen:
            part[u] = part[v] = min(part[u], part[v])
    return sorted(part.count(k) for k in set(part))


BOARDS = [("3x4", "wazir"), ("4x4", "wazir"), ("3x3", "king"), ("2x4", "king"), ("3x4", "1,2"), ("3x2", "rook")]
ROWS = [*BOARDS[::3], *slow_rows(row for row in BOARDS if row not in BOARDS[::3])]


@pytest.mark.parametrize(("board", "leaper"), ROWS)
def test_engines_and_counts_agree_with_brute_force(board: str, leaper: str) -> None:
    plain = kt.problem(board, leaper=leaper)
    edges, n = [(u, v) for u, v in plain.graph.ends.tolist()], plain.graph.n
    found = [lengths_of(chosen, n) for chosen in choices(edges, n)]
    random = Random(board)
    for count in range(1, n // 3 + 1):
        for equal in (False, True):
            expected = sum(len(some) == count and (not equal or some[0] == some[-1]) for some in found)
            problem = kt.problem(board, leaper=leaper, cycles=count, equal=equal)
            if expected <= 300:
                assert kt.count(problem) == expected, (count, equal)
            engine, encoding = random.choice(ENGINES)
            for result in (kt.solve(problem), solve(problem, engine=engine, encoding=encoding)):
                assert (result.edges is not None) == (expected > 0), (count, equal, engine, encoding)
            assert Problem.from_json(problem.to_json()) == problem


def test_graphs_and_models_for_other_solvers() -> None:
    """Seven vertices, of which no two are joined twice; each choice of edges once, whatever the directions are."""
    from pysat.solvers import Solver

    random = Random(1)
    for _ in range(part_of(12)):
        edges = [pair for pair in combinations(range(7), 2) if random.random() < 0.7]
        if {v for pair in edges for v in pair} != set(range(7)):
            continue
        expected = sum(len(lengths_of(chosen, 7)) == 2 for chosen in choices(edges, 7))
        problem = kt.problem(edges=edges, cycles=2)
        assert kt.count(problem) == expected
        formula = encode(problem, "")
        with Solver("cadical153", bootstrap_with=formula.clauses) as solver:
            found = set()
            while solver.solve():
                chosen = formula.edges_of(solver.get_model())
                found.add(tuple(chosen.tolist()))
                solver.add_clause([-formula.edge[e] for e in chosen.tolist()])
        assert len(found) == expected
        assert len(linear_model(problem, DEGREES).rows) > len(linear_model(problem.unconstrained, DEGREES).rows)


def test_other_conditions_and_an_objective() -> None:
    plain = kt.problem("4x4", leaper="wazir", cycles=2)
    edges, n = [(u, v) for u, v in plain.graph.ends.tolist()], plain.graph.n
    cells = [tuple(cell) for cell in plain.graph.board.cells.tolist()]  # type: ignore[union-attr]
    found = [chosen for chosen in choices(edges, n) if len(lengths_of(chosen, n)) == 2]

    def turns(chosen: frozenset[tuple[int, int]], v: int) -> bool:
        (a, b), (c, d) = (cells[u if w == v else w] for u, w in chosen if v in (u, w))
        return a != c and b != d

    straight = replace(plain, conditions=(*plain.conditions, Straight((1,))))
    assert kt.count(straight) == sum(not turns(chosen, 1) for chosen in found)
    least = kt.solve(replace(plain, objective="turns"))
    assert least.value == min(sum(turns(chosen, v) for v in range(n)) for chosen in found)
    assert kt.count(replace(plain, required=frozenset({0, 5}))) == sum({edges[0], edges[5]} <= c for c in found)


def test_one_cycle_is_a_closed_tour() -> None:
    assert kt.problem("6x6", cycles=1) == kt.problem("6x6") == kt.problem("6x6", cycles=1, equal=True)


def test_the_command_line_and_files(tmp_path: Path) -> None:
    answer = kt_json("solve", "aztec:3", "--cycles", "4", "--equal")
    assert [len(cycle) for cycle in answer["cycles"]] == [6, 6, 6, 6] and answer["paths"] == []
    assert answer["cycle_count"] == {"count": 4, "equal": True}
    text = run("solve", "4x4", "--leaper", "wazir", "--cycles", "2", "-o", tmp_path / "r.json").stdout
    assert "in         2 cycles" in text
    checked = run("check", tmp_path / "r.json")
    assert checked.exit_code == 0 and "that make 2 cycles" in checked.stdout
    data = (tmp_path / "r.json").read_text()
    (tmp_path / "w.json").write_text(data.replace('"count": 2', '"count": 3'))
    wrong = run("check", tmp_path / "w.json")
    assert wrong.exit_code == 1 and "2 cycles, not 3" in wrong.stdout
    assert kt_json("enumerate", "4x4", "--leaper", "wazir", "--cycles", "2", "--count")["count"] == 7


WRONG = [
    ("solve 4x4 --cycles 6", "do not fit"),
    ("solve 4x4 --equal", "say how many"),
    ("solve 4x4 --cycles 2 --paths a1-b2,c3-d4", "either"),
    ("solve 4x4 --cycles 2 --open", "leave out --open"),
    ("solve 4x4 --cycles 2 --number a1=1", "one tour"),
    ("enumerate 4x4 --cycles 2 --count --up-to-symmetry", "nor in classes"),
    ("enumerate 4x4 --cycles 2 --run r", "single tours"),
    ("enumerate 4x4 --cycles 2 --at-least 2", "several paths or cycles"),
    ("find 4x4 --cycles 2", "several paths or cycles"),
    ("pareto 4x4 --cycles 2", "open tours"),
]


@pytest.mark.parametrize(("words", "says"), WRONG)
def test_senseless_numbers_of_cycles_are_refused(
    words: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    one_line_refusal(run(*words.split()), says)


def test_directed_graphs_have_one_cycle() -> None:
    with pytest.raises(KTError, match="directed"):
        kt.problem(edges=[(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)], directed=True, cycles=2)
