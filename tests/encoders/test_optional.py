"""Cells that may be left out, against brute force of its own: engines, counts, values, models, proofs, refusals."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random

import numpy as np
import pytest

import kt
from encoders.enumeration import walks_of_task
from encoders.pb.models import linear_model
from encoders.sat.encodings import encode
from encoders.solve import solve
from kt_models import Certificate, CertificateError, KTError, Problem
from kt_models.conditions import InOrder
from kt_models.errors import InvalidTour
from kt_models.kernel.certificates import Statement
from kt_models.kernel.certificates.methods import METHODS
from kt_models.kernel.certificates.nodes import Instance
from kt_models.kernel.certificates.proofs.zero_one import edge_variables
from kt_models.kernel.sweeps.net import net_of
from kt_models.limits import Limits
from kt_models.problem import PARTIAL, verify_edges
from kt_models.runs.tour_task import TourTask
from tests.command import answered, kt_json, one_line_refusal
from tests.command import kt as run
from tests.effort import part_of, slow_rows
from tests.small_problems import leaving_out, random_problem, solutions, value

ENGINES = [("cpsat", "circuit"), ("sat", "cut-set"), ("sat", "binary")]
Walk = tuple[int, ...]


def near_of(problem: Problem) -> dict[int, set[int]]:
    near: dict[int, set[int]] = {v: set() for v in range(problem.graph.n)}
    for u, v in problem.graph.ends.tolist():
        near[u].add(v)
        near[v].add(u)
    return near


def paths_from(near: dict[int, set[int]], path: Walk) -> Iterator[Walk]:
    """All paths that go on from one."""
    yield path
    for w in near[path[-1]] - set(path):
        yield from paths_from(near, (*path, w))


def cycles(near: dict[int, set[int]]) -> list[Walk]:
    """All cycles of at least three vertices, each once, from its least vertex."""
    return [
        path
        for v in near
        for path in paths_from(near, (v,))
        if len(path) > 2 and v == min(path) and v in near[path[-1]] and path[1] < path[-1]
    ]


def paths(near: dict[int, set[int]]) -> list[Walk]:
    """All paths of at least one edge, each once."""
    return [path for v in near for path in paths_from(near, (v,)) if len(path) > 1 and v < path[-1]]


def moves_of(walk: Walk, closed: bool) -> set[frozenset[int]]:
    return {frozenset(step) for step in pairwise((*walk, walk[0]) if closed else walk)}


def turns_of(problem: Problem, walk: Walk, closed: bool) -> int:
    cells = problem.graph.board.cells.tolist()  # type: ignore[union-attr]
    around = (*walk, *walk[:2]) if closed else walk
    count = 0
    for a, b, c in zip(around, around[1:], around[2:], strict=False):
        (x, y), (u, v), (s, t) = cells[a], cells[b], cells[c]
        count += (u - x) * (t - v) != (v - y) * (s - u) or (u - x) * (s - u) + (v - y) * (t - v) < 0
    return count


BOARDS = [("3x3", "wazir"), ("3x4", "wazir"), ("3x3", "king"), ("3x4", "1,2"), ("4x3-b2", "wazir"), ("2x3", "king")]
ROWS = [*BOARDS[::3], *slow_rows(row for row in BOARDS if row not in BOARDS[::3])]


@pytest.mark.parametrize(("board", "leaper"), ROWS)
@pytest.mark.parametrize("closed", [True, False])
def test_engines_counts_and_values_agree_with_brute_force(board: str, leaper: str, closed: bool) -> None:
    plain = kt.problem(board, leaper=leaper, open=not closed)
    near, n = near_of(plain), plain.graph.n
    every = cycles(near) if closed else paths(near)
    random = Random(f"{board} {closed}")
    for _ in range(part_of(6)):
        optional = set(random.sample(range(n), random.choice([1, n // 2, n - 1, n])))
        visited = sorted(set(range(n)) - optional)
        ends = random.sample(visited, 0 if closed else min(random.choice([0, 1, 2]), len(visited)))
        problem = kt.problem(
            board, leaper=leaper, open=not closed, optional=[plain.graph.name_of(v) for v in sorted(optional)],
            start=plain.graph.name_of(ends[0]) if ends else None,
            end=plain.graph.name_of(ends[1]) if len(ends) > 1 else None,
        )  # fmt: skip
        found = [w for w in every if set(range(n)) - optional <= set(w) and set(ends) <= {w[0], w[-1]}]
        if len(found) <= 300:
            assert kt.count(problem) == len(found), (optional, ends)
        for name in ("turns", "cells"):
            values = [turns_of(plain, w, closed) if name == "turns" else len(w) for w in found]
            engine, encoding = random.choice(ENGINES)
            for sign in (1, -1):
                wanted = {"minimize": name} if sign > 0 else {"maximize": name}
                objective = kt.problem(board, leaper=leaper, open=not closed, optional="all", **wanted).objective
                asked = replace(problem, objective=objective)
                best = min((sign * number for number in values), default=None)
                for result in (kt.solve(asked), solve(asked, engine=engine, encoding=encoding)):
                    assert result.status == ("optimal" if found else "infeasible"), (optional, ends, wanted)
                    assert result.value == (None if best is None else sign * best), (optional, ends, wanted)
        assert Problem.from_json(problem.to_json()) == problem


def test_random_problems_agree_with_brute_force() -> None:
    """Boards, tori, graphs, symmetries, required moves, linkages, weights: products of what the tests above vary."""
    random = Random(11)
    tried: Counter[str] = Counter()
    while min(tried[name] for name in PARTIAL.values()) < part_of(24):
        problem = leaving_out(random, random_problem(random, objective=True, most=14))
        if not problem.optional:
            continue
        name = problem.connectivity
        if tried[name] > 2 * part_of(60):
            continue
        tried[name] += 1
        found = solutions(problem)
        plain = replace(problem, objective=None)
        listed = [frozenset(walk.edges.tolist()) for walk in walks_of_task(TourTask(plain))]
        assert len(listed) == len(found) and set(listed) == set(found), problem.to_json()
        best = min((value(problem, edges) for edges in found), default=None) if problem.objective is not None else None
        engine, encoding = random.choice(ENGINES)
        for result in (kt.solve(problem), solve(problem, engine=engine, encoding=encoding)):
            assert (result.status == "infeasible") == (not found), (problem.to_json(), engine, encoding)
            if result.edges is not None:
                assert frozenset(result.edges.tolist()) in found
                assert result.cost == best
        assert Problem.from_json(problem.to_json()) == problem


def test_models_for_other_solvers_have_exactly_the_solutions() -> None:
    from pysat.solvers import Solver

    random = Random(2)
    tried: Counter[str] = Counter()
    while min(tried[name] for name in PARTIAL.values()) < part_of(18):
        problem = leaving_out(random, random_problem(random, most=12))
        if not problem.optional or tried[problem.connectivity] > 2 * part_of(18):
            continue
        tried[problem.connectivity] += 1
        formula, found = encode(problem), set()
        with Solver("cadical153", bootstrap_with=formula.clauses) as solver:
            while solver.solve():
                chosen = formula.edges_of(solver.get_model())
                found.add(frozenset(chosen.tolist()))
                solver.add_clause([-x if x in solver.get_model() else x for x in sorted(set(formula.edge))])
        assert found == set(solutions(problem)), problem.to_json()
        if problem.graph.n >= 3:
            assert found == set(_solutions_of_rows(problem)), problem.to_json()


def _solutions_of_rows(problem: Problem) -> Iterator[frozenset[int]]:
    """The choices of edges that a linear model allows, found by CP-SAT as a solver of its rows."""
    from ortools.sat.python import cp_model

    model = linear_model(problem)
    rows = cp_model.CpModel()
    variables = [None, *(rows.new_bool_var(f"x{x}") for x in range(1, model.top + 1))]
    for row in model.rows:
        total = sum(weight * variables[x] for weight, x in row.terms)  # type: ignore[operator]
        rows.add(total == row.right) if row.equal else rows.add(total >= row.right)
    edge = edge_variables(problem)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    while solver.solve(rows) in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        true = {x for x in set(edge) if solver.boolean_value(variables[x])}  # type: ignore[arg-type]
        yield frozenset(e for e, x in enumerate(edge) if x in true)
        rows.add_bool_or([~variables[x] if x in true else variables[x] for x in set(edge)])  # type: ignore[operator, misc]


def test_limits_conditions_and_sums_of_edges() -> None:
    plain = kt.problem("3x4", leaper="king", optional="all")
    near = near_of(plain)
    every = [(w, moves_of(w, True)) for w in cycles(near)]
    name = plain.graph.name_of
    edges = [frozenset(pair) for pair in plain.graph.ends.tolist()]
    random = Random(4)
    for _ in range(part_of(18)):
        cells = random.sample(range(12), 2)
        face = random.sample(range(plain.graph.m), 4)
        least, most = random.choice([(0, 1), (1, 1), (2, 3), (2, 4)])
        turns, size = random.choice([4, 5, 6]), random.choice([4, 6, 9])
        found = [
            walk
            for walk, moves in every
            if set(cells) <= set(walk)
            and least <= sum(edges[e] in moves for e in face) <= most
            and turns_of(plain, walk, True) <= turns
            and len(walk) >= size
        ]
        sums = {tuple(plain.graph.edge_name(e) for e in face): (least, most)}
        problem = kt.problem(
            "3x4", leaper="king", visit=list(map(name, cells)), sum_of_edges=sums,
            at_most={"turns": turns}, at_least={"cells": size},
        )  # fmt: skip
        assert kt.count(problem) == len(found)
        assert kt.solve(replace(problem, objective="crossings")).value == min(_crossings(plain, found), default=None)
    straight = kt.problem("3x4", leaper="wazir", optional="all", straight=["b2"])
    assert kt.count(straight) == sum(_straight(straight, walk, 4) for walk in cycles(near_of(straight)))
    with pytest.raises(KTError, match="cannot be left out"):
        kt.problem("3x4", leaper="wazir", optional=["b2"], straight=["b2"])


def _crossings(problem: Problem, walks: list[Walk]) -> Iterator[int]:
    """How many pairs of moves of each cycle cross inside a square: for the king both diagonals of it."""
    cells = problem.graph.board.cells.tolist()  # type: ignore[union-attr]
    for walk in walks:
        middles = Counter(
            (cells[u][0] + cells[v][0], cells[u][1] + cells[v][1])
            for u, v in map(tuple, moves_of(walk, True))
            if cells[u][0] != cells[v][0] and cells[u][1] != cells[v][1]
        )
        yield sum(count == 2 for count in middles.values())


def _straight(problem: Problem, walk: Walk, vertex: int) -> bool:
    if vertex not in walk:
        return False
    k, cells = walk.index(vertex), problem.graph.board.cells.tolist()  # type: ignore[union-attr]
    (x, y), (u, v), (s, t) = (cells[w] for w in (walk[k - 1], vertex, walk[(k + 1) % len(walk)]))
    return (u - x, v - y) == (s - u, t - v)


def test_known_counts() -> None:
    """Cycles and paths of grids (A140517, A288518), and of the 3x3 board of the king."""
    assert [kt.count(f"{n}x{n}", leaper="wazir", optional="all") for n in (2, 3, 4)] == [1, 13, 213]
    assert [kt.count(f"{n}x{n}", leaper="wazir", optional="all", open=True) for n in (2, 3)] == [12, 322]


def test_the_most_cells_are_those_of_longest_walks(tmp_path: Path) -> None:
    for board, closed in (("4x4", False), ("5x5", True), ("3x5", True), ("3x3", False)):
        longest = kt.longest(board, open=not closed)
        most = kt.solve(board, optional="all", open=not closed, maximize="cells")
        assert most.status == "optimal" and most.value == longest.moves + (not closed) == most.cells
        assert most.certificate is not None and most.certificate.method == "longest"
        most.save(tmp_path / "r.json", force=True)
        assert run("check", tmp_path / "r.json").exit_code == 0
        data = json.loads((tmp_path / "r.json").read_text())
        fewer = replace(most.certificate.statement, value=most.certificate.statement.value + 1)  # type: ignore[operator]
        with pytest.raises(CertificateError, match="longest"):
            Certificate("longest", fewer, {"moves": data["value"] - 1 - (not closed)}).check()
    other = kt.solve("4x4", optional="all", open=True, maximize="cells", start="a1")
    with pytest.raises(CertificateError, match="most cells"):
        Certificate("longest", Statement(other.problem, "at-least", -99), {"moves": 99}).check()


def test_no_other_method_shows_anything_of_walks_that_leave_cells_out() -> None:
    problem = kt.problem("6x6", optional=["a1"], minimize="turns")
    for argument in METHODS.values():
        if not argument.partial:
            with pytest.raises(CertificateError, match="left out"):
                argument.call(problem, {}, kt.Limits())
    assert not problem.unconstrained.conditions and problem.unconstrained.is_constrained
    for model in (net_of, Instance):
        with pytest.raises(KTError, match="left out"):
            model(problem)


def test_proofs_and_answers_of_other_solvers(tmp_path: Path) -> None:
    words = ["4x4", "--optional", "all", "--minimize", "turns"]
    assert kt_json("solve", *words, "--at-least", "cells=8", "--proof", tmp_path / "p")["status"] == "optimal"
    checked = run("check", tmp_path / "p")
    assert checked.exit_code == 0 and "visiting any of the cells" in checked.stdout
    no = ["3x3", "--leaper", "wazir", "--visit", "a1,c3", "--at-most", "cells=6", "--forbid", "a1-b1"]
    assert kt_json("solve", *no, "--proof", tmp_path / "q")["status"] == "infeasible"
    assert run("check", tmp_path / "q").exit_code == 0
    manifest = json.loads((tmp_path / "q" / "manifest.json").read_text())
    manifest["problem"]["optional"].remove(4)
    (tmp_path / "q" / "manifest.json").write_text(json.dumps(manifest))
    assert run("check", tmp_path / "q").exit_code == 1
    for suffix in (".cnf", ".opb"):
        model = tmp_path / f"m{suffix}"
        assert run("convert", "3x3", model, "--leaper", "wazir", "--visit", "a1").exit_code == 0
        names = json.loads((tmp_path / f"m{suffix}.map").read_text())["variables"]
        face = {"a1-a2", "a1-b1", "a2-b2", "b1-b2"}
        signs = " ".join(f"{'' if name in face else '-'}x{k}" for k, name in enumerate(names, 1))
        (tmp_path / "answer.txt").write_text(f"v {signs}\n")
        assert run("convert", tmp_path / "answer.txt", tmp_path / "a.json", "--model", model).exit_code == 0
        assert run("check", tmp_path / "a.json").exit_code == 0
        (tmp_path / "answer.txt").write_text(f"v {signs.replace('-x', 'x', 1)}\n")
        assert run("convert", tmp_path / "answer.txt", tmp_path / "b.json", "--model", model).exit_code != 0


def test_files_are_verified(tmp_path: Path) -> None:
    run("solve", "4x4", "--leaper", "wazir", "--visit", "a1,b2", "--minimize", "cells", "-o", tmp_path / "r.json")
    good = json.loads((tmp_path / "r.json").read_text())
    claims = run("check", tmp_path / "r.json")
    assert claims.exit_code == 3 and "claimed" in claims.stdout and good["visited"] == 4  # No certificate
    graph = kt.graph("4x4", leaper="wazir")
    square = sorted(graph.find_edge(name) for name in ("b2-c2", "c2-c3", "b3-c3", "b2-b3"))
    for change, says in (
        ({"chosen": square}, "a1 has 0 moves"),
        ({"optional": good["optional"][:-1], "claims": []}, "d4 has 0 moves"),
        ({"chosen": good["chosen"][1:]}, "has 1 move"),
        ({"visited": 5}, "'visited'"),
        ({"connectivity": "cycle"}, "leaves no vertex out"),
        ({"connectivity": "subpath"}, ""),
        ({"optional": []}, "no vertex is optional"),
        ({"optional": [99]}, "not a vertex"),
        ({"value": 3, "bound": 3}, "value 4"),
    ):
        (tmp_path / "w.json").write_text(json.dumps(good | change))
        wrong = run("check", tmp_path / "w.json")
        assert wrong.exit_code in (1, 2) and says in wrong.stdout + wrong.stderr, (change, wrong.stdout, wrong.stderr)
    for suffix in ("svg", "html"):
        assert run("draw", tmp_path / "r.json", "-o", tmp_path / f"r.{suffix}").exit_code == 0
    listed = run("enumerate", "3x3", "--leaper", "wazir", "--optional", "all", "-o", tmp_path / "l.jsonl")
    assert "13 walks" in listed.stdout
    assert "13 different" in run("check", tmp_path / "l.jsonl").stdout
    lines = (tmp_path / "l.jsonl").read_text()
    (tmp_path / "twice.jsonl").write_text(lines + lines.splitlines()[4] + "\n")
    assert "occurs twice" in run("check", tmp_path / "twice.jsonl").stdout


def test_python() -> None:
    problem = kt.problem("4x4", leaper="wazir", visit=["a1", "b2"])
    assert problem == kt.problem(
        "4x4", leaper="wazir", optional=[c for c in problem_cells("4x4") if c not in ("a1", "b2")]
    )
    assert kt.problem("3x4", open=True, visit=problem_cells("3x4")) == kt.problem("3x4", open=True)
    assert {walk.cells for walk in kt.walks("3x3", leaper="wazir", optional="all")} == {4, 6, 8}
    for function, keywords, says in ((kt.tours, {"optional": "all"}, "kt.walks"), (kt.walks, {}, "kt.tours")):
        with pytest.raises(KTError, match=says):
            function("3x3", leaper="wazir", **keywords)
    prizes = {"a1": 5, "d4": 5, "b2": 1}
    result = kt.solve("4x4", leaper="wazir", optional="all", maximize=kt.cell_weights("4x4", prizes, leaper="wazir"))
    assert result.value == 11
    others = [kt.problem("4x4", open=True, visit=["a1"]), kt.problem("4x4", paths="a1-b2,c3-d4", optional="all")]
    for subject in (problem, *others):
        assert "optional" in (kt.solve(subject)._repr_html_() or "") and "optional" in (subject._repr_html_() or "")
    odd = kt.cell_weights("4x4", lambda cell: sum(cell), leaper="wazir")
    assert odd.value(result.edges) == sum(sum(map(int, graph_cell("4x4", v))) for w in result.walks for v in w.vertices)


def problem_cells(board: str) -> list[str]:
    graph = kt.graph(board)
    return [graph.name_of(v) for v in range(graph.n)]


def graph_cell(board: str, vertex: int) -> list[int]:
    return kt.graph(board).board.cells[vertex].tolist()  # type: ignore[union-attr]


WRONG = [
    ("solve 4x4 --optional a1 --visit a1", "in both"),
    ("solve 4x4 --optional a1 --visit b2", "either"),
    ("solve 4x4 --optional zz9", "zz9"),
    ("solve 4x4 --optional ,", "write the cells"),
    ("solve 4x4 --optional all --number a1=1", "given numbers"),
    ("solve 4x4 --optional a1 --in-order a1,b2", "visited in any case"),
    ("solve 4x4 --optional all --cycles 2", "several closed tours"),
    ("solve 4x4 --open --from a1 --optional a1", "cannot be left out"),
    ("solve 4x4 --maximize cells", "say which"),
    ("solve 4x4 --at-least cells=3", "say which"),
    ("solve 4x4 --optional all --engine cpsat --encoding cut-set", "circuit only"),
    ("solve 4x4 --optional all --encoding lfsr", "binary only"),
    ("solve 4x4 --sum-of-edges a1-b3", "write moves"),
    ("solve 4x4 --sum-of-edges a1-b2=1", "a1-b2"),
    ("solve 4x4 --sum-of-edges a1-b3=3", "impossible"),
    ("find 4x4 --optional all", "left out"),
    ("bound 4x4 --optional all --minimize turns", "left out"),
    ("best 4x4 --optional all --minimize turns", "left out"),
    ("magic 4x4 --optional all", "magic"),
    ("pareto 4x4 --optional all", "open tours"),
    ("improve t.json --minimize turns --optional all", "left out"),
    ("enumerate 4x4 --optional all --up-to-symmetry", "nor in classes"),
    ("enumerate 4x4 --optional all --count --by turns", "by value"),
    ("enumerate 4x4 --optional all --at-least 2", "count"),
    ("enumerate 4x4 --optional all --run r", "single tours"),
    ("enumerate 4x4 --optional all --engine search", "leave it out"),
    ("convert 4x4 o.opb --optional all --encoding flow", "binary"),
    ("convert 4x4 o.cnf --optional all --encoding relative", "binary"),
]


@pytest.mark.parametrize(("words", "says"), WRONG)
def test_what_makes_no_sense_is_refused(words: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    if "t.json" in words:
        run("find", "6x6", "-o", "t.json")
    one_line_refusal(run(*words.split()), says)


def test_directed_graphs_leave_nothing_out() -> None:
    with pytest.raises(KTError, match="directed"):
        kt.problem(edges=[(0, 1), (1, 2), (2, 0)], directed=True, optional=[1])


def test_two_cells_joined_twice_are_no_cycle() -> None:
    """On a narrow torus two moves join the same two cells."""
    free = kt.problem("torus:4x4", optional="all")
    assert free.graph.m > free.graph.simple.m
    ends = free.graph.ends.tolist()
    twice = next(pair for pair in ends if ends.count(pair) > 1)
    with pytest.raises(InvalidTour, match="cycle of 2"):
        verify_edges(free, np.flatnonzero([pair == twice for pair in ends]))
    assert len(kt.solve(replace(free, objective="cells")).walks[0].vertices) > 2


@pytest.mark.parametrize("suffix", [".cnf", ".wcnf", ".opb", ".lp", ".mps", ".pb.txt", ".smt2", ".mzn", ".xml"])
def test_every_form_of_a_model_is_written_or_refused_in_one_line(suffix: str, tmp_path: Path) -> None:
    objective = () if suffix == ".cnf" else ("--minimize", "turns")
    arguments = ("convert", "3x3", tmp_path / f"m{suffix}", "--leaper", "wazir", "--optional", "all", *objective)
    status, _, words = answered(*arguments)
    assert (status, words.count("\n")) in ((0, 1), (2, 1)) and "internal error" not in words
    assert (status == 0) == (suffix not in (".mzn", ".xml"))


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_any_number_of_workers_serves_walks(workers: int) -> None:
    """With several workers the engine `sat` ran an encoding that refuses cells that may be left out."""
    for engine in ("sat", "auto"):
        problem = kt.problem("4x4", leaper="wazir", optional="all", straight=["a1"])
        assert solve(problem, engine=engine, limits=Limits(workers=workers)).status == "infeasible"


def keeps_order(walk: list[int], stops: list[int], closed: bool) -> bool:
    """Whether a walk passes all stops in their order, in one of its directions."""
    if not set(stops) <= set(walk):
        return False
    for way in (walk, walk[::-1]):
        met = [v for v in way if v in stops]
        turned = [met[k:] + met[:k] for k in range(len(met) if closed else 1)]
        if stops in turned:
            return True
    return False


@pytest.mark.parametrize(("board", "leaper"), [("3x3", "wazir"), ("3x4", "wazir"), ("2x4", "king"), ("3x3", "king")])
@pytest.mark.parametrize("closed", [True, False])
def test_walks_through_stops_in_order_agree_with_brute_force(board: str, leaper: str, closed: bool) -> None:
    plain = kt.problem(board, leaper=leaper, open=not closed)
    near, n = near_of(plain), plain.graph.n
    every = [list(walk) for walk in (cycles(near) if closed else paths(near))]
    random = Random(f"{board} {closed} stops")
    for number in range(part_of(24)):
        stops = random.sample(range(n), random.choice([2, 3, 4, 5]))
        if number % 2:
            walk = random.choice(every)
            stops = sorted(random.sample(walk, min(len(walk), 4)), key=walk.index)
        free = set(random.sample(range(n), random.choice([n // 2, n]))) - set(stops)
        # The ends of an open walk are free, which no argument of `kt.problem` says beside stops.
        problem = replace(
            plain, connectivity="subcycle" if closed else "subpath", optional=frozenset(free),
            conditions=(InOrder(tuple(stops)),),
        ) if free else replace(plain, conditions=(InOrder(tuple(stops)),))  # fmt: skip
        found = [w for w in every if set(range(n)) - free <= set(w) and keeps_order(w, stops, closed)]
        assert kt.count(problem) == len(found), (stops, free)
        for engine, encoding in ENGINES:
            result = solve(problem, engine=engine, encoding=encoding)
            assert result.status == ("feasible" if found else "infeasible"), (stops, free, engine)
            for answer in result.walks if found and free else ():
                met = [v for v in answer.vertices if v in stops]
                assert met == stops and (not closed or answer.vertices[0] == stops[0])
                around = [*answer.vertices, answer.vertices[0]] if closed else answer.vertices
                ends = [frozenset(plain.graph.ends[e].tolist()) for e in answer.edges]
                assert ends == [frozenset(step) for step in pairwise(around)]
        assert Problem.from_json(problem.to_json()) == problem


def test_stops_in_order_leave_cells_out_at_the_command_line(tmp_path: Path) -> None:
    words = ["5x5", "--leaper", "wazir", "--open", "--in-order", "a1,c3,a3,e5", "--optional", "all"]
    answer = kt_json("solve", *words, "--minimize", "cells")
    assert answer["value"] == 13 and answer["in_order"] == [0, 12, 2, 24]
    assert any("through a1, c3, a3, e5 in this order" in claim for claim in answer["claims"])
    assert run("solve", *words, "-o", str(tmp_path / "walk.json")).exit_code == 0
    assert run("check", str(tmp_path / "walk.json")).exit_code == 0
    assert run("convert", *words, str(tmp_path / "walk.cnf")).exit_code == 0
    none = run("solve", "3x3", "--leaper", "wazir", "--in-order", "a1,c3,c1,a3", "--optional", "all", "--proof",
               str(tmp_path / "proof"))  # fmt: skip
    assert none.exit_code == 3 and "stops in order: no proof is written" in none.stderr


@pytest.mark.parametrize(("words", "sizes", "measures"), [
    (["3x3", "--leaper", "wazir", "--optional", "b2", "--maximize", "cells"], [8], {"turns": 4}),
    (["2x4", "--leaper", "wazir", "--cycles", "2"], [4, 4], {"turns": 8, "cells": 8}),
    (["2x3", "--leaper", "wazir", "--paths", "a1-b1,a3-b3"], [2, 4], {"turns": 2, "crossings": 0}),
])  # fmt: skip
def test_walks_are_measured_and_shown(
    words: list[str], sizes: list[int], measures: dict[str, int], tmp_path: Path
) -> None:
    path = tmp_path / "walk.json"
    kt_json("solve", *words, "-o", str(path))
    text = run("measure", str(path)).stdout
    row = next(line for line in text.splitlines() if line.startswith("walks"))
    assert sorted(map(int, row.partition(" of ")[2].removesuffix(" cells").split(", "))) == sizes
    data = kt_json("measure", str(path))
    assert data["kind"] == "measure" and {name: data[name] for name in measures} == measures
    picture = run("show", str(path))
    assert picture.exit_code == 0 and "walks" in picture.stdout and "a1" in picture.stdout
    wrong = json.loads(path.read_text())
    path.write_text(json.dumps(wrong | {"chosen": wrong["chosen"][1:]}))
    for command in ("measure", "show"):
        one_line_refusal(run(command, str(path)), "walk.json")
