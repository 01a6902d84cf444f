"""Constraints: what every engine, count and model says of them, beside the list of all tours."""

from __future__ import annotations

import itertools
import json
import random
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pysat.solvers import Solver

import kt
from encoders.counting.several_sums import count_jointly
from encoders.pb.clauses import refute_by_clauses
from encoders.pb.linear import linear_model
from encoders.proof import prove
from encoders.sat.encodings import encode
from encoders.sat.totalizer import at_least, clauses_of_at_least
from kt_models import CertificateError, KTError, Problem, TooLarge, Tour, Weights, graph_of
from kt_models.constraints import Constraint
from kt_models.kernel.certificates import Certificate, Statement
from kt_models.kernel.certificates.proofs.check_folder import check_folder
from tests import brute
from tests.command import kt as run
from tests.command import one_line_refusal
from tests.effort import part_of, slow_rows
from tests.pb_reader import WrongProof, refuted
from tests.small_problems import random_problem, solutions

Limits = dict[str, int]
BOARDS = (("6x6", False), ("5x6", False), ("5x5", True))


@cache
def values_of(board: str, is_open: bool) -> dict[tuple[int, int], int]:
    """How many tours have which turns and crossings, by a list of all tours."""
    graph = graph_of(board)
    if board == "6x6":
        listed = list(kt.tours(board))
    else:
        listed = [Tour(graph, np.array(order), not is_open) for order in brute.tours(board, not is_open)]
    return Counter((tour.measure("turns"), tour.measure("crossings")) for tour in listed)


def holds(turns: int, crossings: int, at_most: Limits, at_least: Limits) -> bool:
    sums = {"turns": turns, "crossings": crossings, "2*turns + crossings": 2 * turns + crossings}
    return all(sums[k] <= n for k, n in at_most.items()) and all(sums[k] >= n for k, n in at_least.items())


def cases(board: str, is_open: bool, number: int) -> list[tuple[Limits, Limits]]:
    """Constraints near the values of some tours, a few of which no tour keeps."""
    chance, drawn = random.Random(board), []
    for turn in range(number):
        turns, crossings = chance.choice(sorted(values_of(board, is_open)))
        turns, crossings = turns + chance.randint(-2, 1), crossings + chance.randint(-3, 3)
        both = 2 * turns + crossings
        drawn.append(
            [
                ({"turns": turns}, {"crossings": crossings}),
                ({"crossings": crossings}, {"turns": turns}),
                ({"2*turns + crossings": both}, {}),
                ({"turns": turns, "crossings": crossings}, {"2*turns + crossings": both - 3}),
            ][turn % 4]
        )
    return drawn


@pytest.mark.slow
def test_the_two_tours_of_six_by_six() -> None:
    assert kt.solve("6x6", minimize="crossings", at_most={"turns": 33}).value == 54
    result = kt.solve("6x6", at_most={"turns": 31})
    assert result.status == "infeasible"
    assert [statement.text for statement in result.statements] == [
        "there is no closed knight's tour of 6x6, with at most 31 turns"
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("board", "is_open"), BOARDS)
def test_counts_under_constraints_are_those_of_the_list(board: str, is_open: bool) -> None:
    values = values_of(board, is_open)
    for at_most, least in cases(board, is_open, 2 if board == "6x6" else 4):
        asked: dict[str, Any] = {"open": is_open, "at_most": at_most, "at_least": least}
        wanted = sum(count for pair, count in values.items() if holds(*pair, at_most, least))
        assert kt.count(board, **asked) == wanted, asked
        if wanted < 40 and board != "6x6":
            listed = [frozenset(tour.edges.tolist()) for tour in kt.tours(board, **asked)]
            assert len(set(listed)) == len(listed) == wanted, asked


@pytest.mark.parametrize(
    ("board", "is_open", "engine"),
    [(*BOARDS[1], "cpsat"), (*BOARDS[1], "sat"), *slow_rows([(*BOARDS[2], "cpsat"), (*BOARDS[2], "sat")])],
)
def test_least_values_under_constraints_are_those_of_the_list(board: str, is_open: bool, engine: str) -> None:
    values = values_of(board, is_open)
    for at_most, least in cases(board, is_open, 3):
        kept = [pair for pair in values if holds(*pair, at_most, least)]
        result = kt.solve(
            board, open=is_open, minimize="crossings", at_most=at_most, at_least=least, engine=engine, workers=1
        )
        assert result.value == min((crossings for _, crossings in kept), default=None), (at_most, least)
        assert result.status == ("optimal" if kept else "infeasible")
        if result.tour is not None:
            assert holds(result.tour.measure("turns"), result.tour.measure("crossings"), at_most, least)


def test_tours_are_counted_by_two_measures_at_once() -> None:
    for board, is_open in BOARDS[1:]:
        problem = kt.problem(board, open=is_open)
        assert count_jointly(problem, ["turns", "crossings"]) == values_of(board, is_open)
        mirrored = count_jointly(problem, [-(1 * kt.crossings).weights(problem.graph), "turns"])
        assert mirrored == {(-c, t): count for (t, c), count in values_of(board, is_open).items()}
        few = min(turns for turns, _ in values_of(board, is_open))
        capped = count_jointly(problem, ["turns", "crossings"], at_most=few)
        assert capped == {pair: count for pair, count in values_of(board, is_open).items() if pair[0] <= few}


def test_random_weights_of_random_graphs() -> None:
    """A travelling salesman's constraint, beside all cycles of the graph."""
    chance = random.Random(7)
    for _ in range(3):
        graph = nx.gnp_random_graph(7, 0.75, seed=chance.randrange(10**6))
        edges = list(graph.edges)
        if not edges:
            continue
        first, second = ({edge: chance.randint(-4, 9) for edge in edges} for _ in range(2))
        cycles = [c for c in nx.simple_cycles(graph) if len(c) == 7]
        sums = []
        for cycle in cycles:
            used = [tuple(sorted(pair)) for pair in zip(cycle, cycle[1:] + cycle[:1], strict=True)]
            sums.append((sum(first[e] for e in used), sum(second[e] for e in used)))
        limit = sorted(b for _, b in sums)[len(sums) // 3] if sums else 0
        weights = kt.edge_weights(kt.graph(edges=edges), second)
        kept = [a for a, b in sums if b <= limit]
        for engine in ("cpsat", "sat"):
            asked: dict[str, Any] = {"minimize": first, "at_most": {weights: limit}, "engine": engine, "workers": 1}
            if graph.number_of_nodes() < 7 or any(graph.degree(v) == 0 for v in graph):
                continue
            assert kt.solve(edges=edges, **asked).value == min(kept, default=None)
        assert kt.count(edges=edges, at_most={weights: limit}) == len(kept)


@pytest.mark.parametrize(
    ("board", "asked", "at_most"),
    [
        ("6x6", {"at_most": {"turns": 31}}, None),
        pytest.param("5x6", {"at_most": {"turns": 28}, "at_least": {"crossings": 50}}, None, marks=pytest.mark.slow),
        pytest.param("5x6", {"at_least": {"turns": 31}}, None, marks=pytest.mark.slow),
        pytest.param("5x6", {"minimize": "crossings", "at_least": {"turns": 29}}, 49, marks=pytest.mark.slow),
        pytest.param("5x6", {"minimize": "-crossings"}, -52, marks=pytest.mark.slow),
        pytest.param("5x6", {"minimize": "turns - crossings", "at_most": {"turns": 29}}, -22, marks=pytest.mark.slow),
        ("5x5", {"open": True, "minimize": "crossings", "at_most": {"turns": 20}}, 37),
    ],
)
def test_proofs_under_constraints_show_what_is_true(
    board: str, asked: dict[str, Any], at_most: int | None, tmp_path: Path
) -> None:
    problem = kt.problem(board, **asked)
    folder = tmp_path / "proof"
    assert prove(problem, at_most, folder)
    statement = check_folder(folder).statement
    assert statement == Statement(problem, "infeasible" if at_most is None else "at-least", at_most and at_most + 1)
    manifest = json.loads((folder / "manifest.json").read_text())
    if "constraints" in manifest["problem"]:  # Of another limit nothing is shown
        manifest["problem"]["constraints"][0] |= {
            word: limit + (1 if word == "at_most" else -1)
            for word, limit in manifest["problem"]["constraints"][0].items()
            if word != "sum"
        }
        (folder / "manifest.json").write_text(json.dumps(manifest))
        with pytest.raises(KTError):
            check_folder(folder)


@pytest.mark.parametrize(
    "asked", [{"at_most": {"turns": 28}}, {"at_least": {"crossings": 51}, "at_most": {"turns": 30}}]
)
def test_models_have_exactly_the_tours(asked: dict[str, Any]) -> None:
    """Every tour of 5x6 alone: its edges complete to a model exactly if it keeps the constraints."""
    from ortools.sat.python import cp_model

    problem = kt.problem("5x6", **asked)
    formula, rows = encode(problem), linear_model(problem)
    for order in brute.tours("5x6", True):
        tour = Tour(problem.graph, np.array(order), True)
        keeps = not any(constraint.fault(problem.graph, tour.edges) for constraint in problem.constraints)
        chosen = {formula.edge[e] for e in tour.edges.tolist()}
        literals = [x if x in chosen else -x for x in sorted(set(formula.edge))]
        with Solver("cadical153", bootstrap_with=formula.clauses) as solver:
            assert solver.solve(literals) == keeps
        model = cp_model.CpModel()
        x = [model.new_bool_var("") for _ in range(rows.top)]
        for row in rows.rows:
            total = sum(c * x[v - 1] for c, v in row.terms)
            model.add(total == row.right if row.equal else total >= row.right)
        for literal in literals:
            model.add(x[abs(literal) - 1] == (literal > 0))
        assert (cp_model.CpSolver().solve(model) in (cp_model.OPTIMAL, cp_model.FEASIBLE)) == keeps


def test_a_counter_from_below() -> None:
    for weights in ((1, 1, 1), (1, 2, 3, 1), (2, 5), (1, 1, 1, 1, 4)):
        for least in range(1, sum(weights) + 2):
            top = [len(weights)]

            def new(top: list[int] = top) -> int:
                top[0] += 1
                return top[0]

            clauses = at_least([(x, w) for x, w in enumerate(weights, start=1)], least, new)
            for bits in product((False, True), repeat=len(weights)):
                total = sum(w for w, bit in zip(weights, bits, strict=True) if bit)
                literals = [x if bit else -x for x, bit in enumerate(bits, start=1)]
                with Solver("minisat22", bootstrap_with=clauses) as solver:
                    assert solver.solve(literals) == (total >= least)


@pytest.mark.slow
def test_symmetric_tours_and_classes() -> None:
    graph = graph_of("6x6")
    tours = [tour for tour in kt.tours("6x6", symmetry="rot180") if tour.measure("turns") <= 34]
    assert kt.count("6x6", symmetry="rot180", at_most={"turns": 34}) == len(tours) > 0
    least = min(tour.measure("crossings") for tour in tours)
    assert kt.solve("6x6", symmetry="rot180", minimize="crossings", at_most={"turns": 34}).value == least
    classes = {tuple(t.canonical().order.tolist()) for t in kt.tours("6x6", value=32, by="turns")}
    assert kt.count("6x6", at_most={"turns": 32}, up_to_symmetry=True) == len(classes)
    assert graph.n == 36


def test_directed_and_weighted_graphs() -> None:
    arcs = {(a, b): (3 * a + 5 * b) % 7 for a in range(5) for b in range(5) if a != b}
    least = kt.solve(edges=list(arcs), directed=True, minimize=arcs).value
    weights = kt.edge_weights(kt.graph(edges=list(arcs), directed=True), arcs)
    assert least is not None
    assert kt.solve(edges=list(arcs), directed=True, at_most={weights: least}).tour is not None
    assert kt.solve(edges=list(arcs), directed=True, at_most={weights: least - 1}).status == "infeasible"


def test_functions_that_do_not_serve_constraints_say_so() -> None:
    problem = kt.problem("6x6", minimize="turns", at_most={"crossings": 60})
    plain = replace(problem, objective=None)
    for call in (
        lambda: kt.bound(problem),
        lambda: kt.best(problem),
        lambda: kt.find(plain),
        lambda: kt.magic(plain),
        lambda: kt.improve(kt.find("6x6").tour, problem),
    ):
        with pytest.raises(KTError, match=r"constraints|60 crossings"):
            call()
    with pytest.raises(KTError, match="constraints"):
        count_solutions_of(plain)


def count_solutions_of(problem: Problem) -> None:
    from kt_models.kernel.certificates.frontier import count_solutions

    count_solutions(problem)


def test_a_certificate_of_the_problem_without_them_is_one() -> None:
    problem = Problem(graph_of("4x6"), constraints=(Constraint("turns", 20),))
    result = kt.solve(problem)
    assert result.status == "infeasible" and result.certificate is not None
    assert result.certificate.check() == result.reason


def test_a_hint_has_to_keep_them() -> None:
    tour = next(tour for tour in kt.tours("6x6") if tour.measure("turns") > 34)
    with pytest.raises(KTError, match="turns, not at most 33"):
        kt.solve("6x6", minimize="crossings", at_most={"turns": 33}, hint=tour)


def test_commands_take_constraints(tmp_path: Path) -> None:
    file = tmp_path / "result.json"
    done = run("solve", "5x6", "--minimize", "crossings", "--at-most", "turns=28", "--json", "-o", file)
    data = json.loads(done.stdout)
    assert (data["value"], data["turns"], data["status"]) == (49, 28, "optimal")
    assert data["constraints"] == [{"sum": "turns", "at_most": 28}]
    assert run("check", file).exit_code == 0
    data = json.loads(file.read_text())
    data["constraints"][0]["at_most"] = 27
    file.write_text(json.dumps(data))
    assert run("check", file).exit_code == 1
    counted = json.loads(
        run("enumerate", "5x6", "--count", "--at-least", "crossings=50", "--at-most", "turns=29", "--json").stdout
    )
    values = values_of("5x6", False)
    assert counted["count"] == sum(n for (turns, crossings), n in values.items() if turns <= 29 and crossings >= 50)
    asked = run("enumerate", "5x6", "--at-least", "3", "--at-least", "crossings=50", "--json")
    assert json.loads(asked.stdout)["status"] == "yes"
    for name, option in (("a.cnf", "turns=28"), ("b.opb", "2*turns+crossings=110"), ("c.wcnf", "turns=30")):
        more = ["--minimize", "crossings"] if name == "c.wcnf" else []
        assert run("convert", "5x6", tmp_path / name, "--at-most", option, *more).exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["solve", "6x6", "--at-most", "turns"], ["turns=34"]),
        (["solve", "6x6", "--at-most", "turns=x"], ["turns=34"]),
        (["solve", "6x6", "--at-most", "=3"], ["objective"]),
        (["solve", "6x6", "--at-most", "turns=3.5"], ["turns", "integer"]),
        (["solve", "6x6", "--at-most", "bends=3"], ["turns"]),
        (["solve", "6x6", "--at-most", "turns=34", "--at-most", "turns=33"], ["twice"]),
        (["solve", "6x6", "--at-most", "weight=3"], ["weight"]),
        (["solve", "6x6", "--number", "a1=1", "--at-most", "turns=34"], ["given numbers"]),
        (["solve", "6x6", "--minimize", "turns", "--minimize", "crossings"], ["kt pareto"]),
        (["solve", "6x6", "--minimize", "turns", "--maximize", "crossings"], ["difference"]),
        (["enumerate", "6x6", "--at-least", "3", "--at-least", "4"], ["twice"]),
        (["enumerate", "6x6", "--at-least", "0"], ["0"]),
        (["convert", "6x6", "out.hcp", "--at-most", "turns=3"], ["--at-most"]),
    ],
)
def test_senseless_constraints_are_refused(arguments: list[str], words: list[str]) -> None:
    one_line_refusal(run(*arguments), *words)


@pytest.mark.parametrize(
    "asked",
    [
        {"at_most": 3},
        {"at_most": {"turns": 3.5}},
        {"at_most": {"turns": True}},
        {"at_most": {3: 4}},
        {"at_least": {"turns": "many"}},
        {"at_most": {"turns": 2**70}},
        {"at_most": {Weights.of_edges([1] * 500): 3}},
    ],
)
def test_senseless_constraints_are_refused_in_python(asked: dict[str, Any]) -> None:
    with pytest.raises(KTError):
        kt.problem("6x6", **asked)


@pytest.mark.parametrize("seed", range(part_of(30)))
def test_cutting_planes_refute_what_no_solution_keeps(seed: int) -> None:
    """Random problems with constraints that no solution keeps, read by a reader that shares no code."""
    chance = random.Random(seed)
    problem = random_problem(chance, objective=chance.random() < 0.5, most=10)
    if problem.graph.n < 3 or not problem.graph.m:
        return
    answers = solutions(problem)
    size = chance.randint(1, 5)
    rows = [[chance.randrange(problem.graph.m) for _ in range(size)] for _ in range(2)]
    weights = Weights(*rows, [chance.randint(-3, 5) for _ in range(size)])  # type: ignore[arg-type]
    values = [weights.value(sorted(edges)) for edges in answers]
    at_least = chance.random() < 0.5
    limit = (max(values, default=2) + 1) if at_least else (min(values, default=1) - 1)
    refuted_problem = replace(problem, constraints=(Constraint(weights, limit, at_least),))
    with suppress(TooLarge, CertificateError):  # Weights that 64 bits do not hold
        proved = refute_by_clauses(refuted_problem, None)
        refuted(proved.model.opb(), proved.proof)
    if answers:
        kept = replace(problem, constraints=(Constraint(weights, limit + (-1 if at_least else 1), at_least),))
        with pytest.raises(KTError):
            refute_by_clauses(kept, None)


@pytest.mark.slow
def test_cutting_planes_of_bounds() -> None:
    for asked in ({"at_most": {"turns": 9}}, {"at_least": {"turns": 11}}):
        proved = refute_by_clauses(kt.problem("3x4", open=True, **asked), None)
        refuted(proved.model.opb(), proved.proof)
    problem = kt.problem("3x4", open=True, minimize="crossings", at_most={"turns": 10})
    best = kt.solve(problem).value
    assert best is not None
    proved = refute_by_clauses(problem, best)
    refuted(proved.model.opb(), proved.proof)
    with pytest.raises(KTError, match="there is a solution"):
        refute_by_clauses(problem, best + 1)
    lines = proved.proof.splitlines()
    red = next(number for number, line in enumerate(lines) if line.startswith("red "))
    lines[red] = lines[red].replace(">= ", ">= 9", 1)
    with pytest.raises(WrongProof):
        refuted(proved.model.opb(), "\n".join(lines))


def test_a_folder_has_both_proofs(tmp_path: Path) -> None:
    folder = tmp_path / "proof"
    assert run("solve", "3x4", "--open", "--at-most", "turns=9", "--proof", folder).exit_code == 0
    assert {path.name for path in folder.iterdir()} >= {"formula.opb", "proof.pbp", "proof.lrat"}
    assert run("check", folder).exit_code == 0
    refuted((folder / "formula.opb").read_text(), (folder / "proof.pbp").read_text())


@pytest.mark.slow
def test_a_bound_on_a_constrained_sum_shows_that_no_tour_exists() -> None:
    few = kt.solve("6x6", at_most={"turns": 31})
    assert few.status == "infeasible" and few.certificate is not None and few.certificate.method == "limited"
    assert few.reason.startswith("at least 32 turns in every closed knight's tour of 6x6 (")
    assert few.certificate.check() == few.reason
    read = Certificate.from_json(json.loads(json.dumps(few.certificate.to_json())))
    assert read.check() == few.reason
    for data in (
        {},
        {"certificate": 3},
        {"certificate": few.certificate.to_json()},
        {"certificate": kt.bound("6x6", minimize="crossings").to_json()},
        {"certificate": kt.bound("5x6").to_json()},
        {"certificate": kt.bound("6x6", open=True).to_json()},
    ):
        with pytest.raises(KTError):
            Certificate("limited", few.certificate.statement, data).check()
    weaker = Statement(kt.problem("6x6", at_most={"turns": 32}), "infeasible")
    with pytest.raises(CertificateError):
        Certificate("limited", weaker, few.certificate.data).check()
    least = kt.solve("5x6", minimize="crossings", at_most={"turns": 28})
    assert least.status == "optimal" and least.certificate is not None and least.certificate.bound == 49
    many = kt.solve("3x4", open=True, at_least={"turns": 11})
    assert many.status == "infeasible"


def test_a_count_is_not_that_of_the_problem_without_them() -> None:
    """A bound without constraints holds with them; nothing else does."""
    problem = kt.problem("5x6", minimize="crossings", at_most={"turns": 28})
    statement = Statement(problem, "at-least", 49)
    plain = kt.bound("5x6", 49, minimize="crossings")
    assert Certificate(plain.method, statement, plain.data).check()
    with pytest.raises(CertificateError):
        Certificate(plain.method, Statement(problem, "at-least", 50), plain.data).check()


@given(st.lists(st.integers(1, 9), min_size=1, max_size=9), st.data())
def test_clauses_of_a_limit_are_counted_before_they_are_written(weights: list[int], data: st.DataObject) -> None:
    least = data.draw(st.integers(1, sum(weights)))
    fresh = itertools.count(len(weights) + 1)
    clauses = at_least(list(enumerate(weights, start=1)), least, lambda: next(fresh))
    assert len(clauses) <= clauses_of_at_least(weights, least) + 1


def test_a_limit_of_heavy_weights_is_met_without_clauses_for_every_sum() -> None:
    """Each sum of eleven weights of thousands was once written out in unary, in 13 GB."""
    edges = [(u, v) for u in range(6) for v in range(u)]
    weights = [1999 - 137 * k for k in range(len(edges))]
    graph = kt.graph(edges=[(u, v, weight / 1000) for (u, v), weight in zip(edges, weights, strict=True)])
    values = sorted(tour.measure("weight") for tour in kt.tours(graph))
    limit = values[len(values) // 2]
    assert kt.count(graph, at_least={"weight": limit}) == sum(value >= limit for value in values)
    asked = {"at_least": {"weight": limit}, "maximize": "weight"}
    assert kt.count(graph, **asked) == len(list(kt.tours(graph, **asked))) == values.count(values[-1])


def test_a_sum_that_no_clauses_hold_is_looked_at_in_each_tour(monkeypatch: pytest.MonkeyPatch) -> None:
    from encoders.sat import objective

    def refuse(*_: object) -> None:
        raise TooLarge("too many clauses")

    monkeypatch.setattr(objective, "at_least", refuse)
    monkeypatch.setattr(objective, "Totalizer", refuse)
    asked = {"leaper": "0,1", "open": True, "at_least": {"turns": 7}, "require": "d4-c4", "up_to_symmetry": True}
    tours = list(kt.tours("4x4-a1", **asked))
    monkeypatch.undo()
    again = list(kt.tours("4x4-a1", **asked))
    assert {tour.canonical() for tour in tours} == {tour.canonical() for tour in again} and len(tours) == len(again) > 1
