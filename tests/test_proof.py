"""Proofs: every one written checks, and nothing that an adversary does to one makes a false claim pass."""

from __future__ import annotations

import copy
import json
import shutil
import threading
from collections.abc import Iterable
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from encoders.proof import prove, require_proof_directory, write_folder, write_formula
from encoders.proof_formula import ProofFormula
from encoders.proof_log import PROVERS, log_proof
from kt_models import CertificateError, InvalidTour, KTError, PairWeights, Problem, Symmetry, graph_of, verify_edges
from kt_models.proofs import check_folder, drat
from kt_models.proofs.dimacs import digest_of, read_formula
from kt_models.proofs.drat import Clock, replay
from kt_models.proofs.manifest import FORMULA, MANIFEST, PROOF, Counter, Group, Manifest, Node
from kt_models.proofs.meaning import Meaning, Tree
from tests import brute
from tests.strategies import small_graphs
from tests.test_cli import kt, kt_json, one_line_refusal

FILES = (FORMULA, PROOF, MANIFEST)


def solutions(problem: Problem) -> list[list[int]]:
    """Every solution of a cycle or path problem, by brute force."""
    graph = problem.graph
    if graph.board is not None:
        orders: Iterable[tuple[int, ...]] = brute.tours(graph.name, problem.closed)
    else:
        orders = brute.cycles(graph) if problem.closed else brute.paths(graph)
    found = []
    for order in orders:
        edges = sorted(brute.edge_set(graph, order, problem.closed))
        try:
            verify_edges(problem, np.array(edges, dtype=np.int32))
        except InvalidTour:
            continue
        found.append(edges)
    return found


def least(problem: Problem) -> int | None:
    return min((problem.value(np.array(edges)) for edges in solutions(problem)), default=None)


def claim_is_true(problem: Problem, bound: int | None) -> bool:
    values = solutions(problem) if bound is None else [e for e in solutions(problem) if value_below(problem, e, bound)]
    return not values


def value_below(problem: Problem, edges: list[int], bound: int) -> bool:
    value = problem.value(np.array(edges))
    return value is not None and value < bound


def seal(folder: Path, data: dict[str, Any]) -> None:
    """Write a manifest with the digests that the files have now."""
    data["sha256"] = {name: digest_of(folder / name) for name in (FORMULA, PROOF)}
    (folder / MANIFEST).write_text(json.dumps(data))


# -- true claims are proved -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize("height", range(1, 7))
@pytest.mark.parametrize("width", range(1, 6))
def test_every_infeasible_board_up_to_5x6_has_a_proof(width: int, height: int, closed: bool, tmp_path: Path) -> None:
    board = f"{width}x{height}"
    problem = Problem(graph_of(board), "cycle" if closed else "path")
    if brute.tours(board, closed):
        with pytest.raises(KTError, match="there is a solution"):
            write_folder(problem, None, tmp_path)
        return
    write_folder(problem, None, tmp_path)
    for engine in ("native", "python"):
        checked = check_folder(tmp_path, engine=engine)
        assert checked.bound is None
        assert f"no {'closed' if closed else 'open'} tour of {board}" in str(checked)


@pytest.mark.parametrize(
    ("board", "closed", "metric", "value"),
    [
        ("5x6", True, "turns", 28),
        ("5x6", True, "crossings", 49),
        ("6x6", True, "turns", 32),
        ("6x6", True, "crossings", 52),
        ("3x10", True, "turns", None),
        ("3x10", True, "crossings", None),
        ("3x4", False, "turns", None),
        ("3x4", False, "crossings", None),
        ("4x5", False, "turns", None),
        ("5x5", False, "turns", None),
    ],
)
def test_optima_are_certified_from_below(board, closed, metric, value, tmp_path: Path) -> None:
    problem = Problem(graph_of(board), "cycle" if closed else "path", metric)
    if board != "6x6":
        assert value in (None, least(problem))
        value = least(problem)
    assert write_folder(problem, value - 1, tmp_path)["solver"] == PROVERS[0]
    checked = check_folder(tmp_path)
    assert checked.bound == value
    assert f"at least {value} {metric}" in str(checked)
    if board != "6x6":
        with pytest.raises(KTError, match=f"solution of value {value}"):
            write_folder(problem, value, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(("board", "metric", "value"), [("8x8", "turns", 45), ("4x20", None, None)])
def test_larger_proofs(board: str, metric: str | None, value: int | None, tmp_path: Path) -> None:
    write_folder(Problem(graph_of(board), "cycle", metric), None if value is None else value - 1, tmp_path)
    assert check_folder(tmp_path).bound == value


@given(small_graphs(), st.booleans(), st.data())
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_graph_any_weights(tmp_path: Path, graph, closed: bool, data: st.DataObject) -> None:
    few = st.sets(st.integers(0, graph.m - 1), max_size=2) if graph.m else st.just(set())
    terminals = () if closed else tuple(data.draw(st.sets(st.integers(0, graph.n - 1), max_size=min(2, graph.n - 1))))
    rows = st.tuples(st.integers(0, max(0, graph.m - 1)), st.integers(0, max(0, graph.m - 1)), st.integers(0, 5))
    pairs = np.array(data.draw(st.lists(rows, max_size=12)) if graph.m else [], dtype=np.int64).reshape(-1, 3)
    weights = PairWeights(pairs[:, 0].astype(np.int32), pairs[:, 1].astype(np.int32), pairs[:, 2])
    problem = Problem(
        graph, "cycle" if closed else "path", weights, terminals, frozenset(data.draw(few)), frozenset(data.draw(few))
    )
    best = least(problem)
    write_folder(problem, None if best is None else best - 1, tmp_path)
    assert check_folder(tmp_path).bound == best
    if best is not None:
        with pytest.raises(KTError, match="there is a solution"):
            write_folder(problem, best, tmp_path)


@pytest.mark.parametrize(
    ("board", "symmetry", "metric"),
    [("5x6", "mirror-x", None), ("6x6", "rot90", "turns"), ("6x6", "rot180", "turns"), ("6x6", "rot180", "crossings")],
)
def test_symmetric_tours(board: str, symmetry: str, metric: str | None, tmp_path: Path) -> None:
    problem = Problem(graph_of(board), "cycle", metric, symmetry=(Symmetry.parse(symmetry),))
    if metric is None:
        assert not solutions(problem)
        write_folder(problem, None, tmp_path)
    else:
        from encoders import solve

        result = solve(problem, workers=2, engine="cpsat")
        assert result.status == "optimal"
        write_folder(problem, result.value - 1, tmp_path)
    assert "symmetric under" in str(check_folder(tmp_path))


@pytest.mark.parametrize(
    ("board", "connectivity", "terminals"),
    [("3x3", "paths", (0, 1)), ("3x3", "linkage", (0, 1)), ("5x5", "any", ()), ("4x4", "linkage", (0, 15)),
     ("3x3", "any", (4,)), ("4x4", "paths", (0, 15))],
)  # fmt: skip
def test_other_connectivities(board: str, connectivity: str, terminals: tuple[int, ...], tmp_path: Path) -> None:
    problem = Problem(graph_of(board), connectivity, None, terminals)
    write_folder(problem, None, tmp_path)
    check_folder(tmp_path)


@given(st.sampled_from(["paths", "linkage"]), st.sets(st.integers(0, 11), min_size=2, max_size=4), st.data())
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_linkages_agree_with_the_solver(tmp_path: Path, connectivity: str, ends: set[int], data: st.DataObject) -> None:
    from encoders import solve

    assume(len(ends) % 2 == 0)
    terminals = tuple(data.draw(st.permutations(sorted(ends))))
    problem = Problem(graph_of("3x4"), connectivity, None, terminals)
    if solve(problem, workers=1, engine="cpsat").status == "infeasible":
        write_folder(problem, None, tmp_path)
        check_folder(tmp_path)
    else:
        with pytest.raises(KTError, match="there is a solution"):
            write_folder(problem, None, tmp_path)


def test_negative_weights_are_refused(tmp_path: Path) -> None:
    weights = PairWeights(np.array([0]), np.array([1]), np.array([-3]))
    problem = Problem(graph_of("5x6"), "cycle", weights)
    with pytest.raises(KTError, match="negative"):
        write_folder(problem, -1, tmp_path)
    write_formula(3, [[]], tmp_path / FORMULA)  # a hand-made claim that no value is below 0
    (tmp_path / PROOF).write_text("0\n")
    manifest = Manifest(problem, 0, {}, (), (), ()).to_json()
    manifest["counters"] = [{"of": "objective", "nodes": []}]
    manifest["groups"] = [{"rule": "counter", "counter": 0, "clauses": 1}]
    seal(tmp_path, manifest)
    with pytest.raises(CertificateError, match="negative"):
        check_folder(tmp_path)


# -- solvers ----------------------------------------------------------------------------------------------------------


def pigeons(n: int) -> list[list[int]]:
    """n + 1 pigeons, n holes."""
    at = [[p * n + h + 1 for h in range(n)] for p in range(n + 1)]
    apart = [[-at[p][h], -at[q][h]] for h in range(n) for p in range(n + 1) for q in range(p)]
    return at + apart


@pytest.mark.parametrize("solver", [*PROVERS, "cadical103", "cadical300", "glucose3", "glucose4", "gluecard4", "ergo"])
@pytest.mark.parametrize("clauses", [pigeons(1), pigeons(5), [[1], [-1]], [[1, 2], []]], ids=str)
def test_proofs_of_several_solvers(solver: str, clauses: list[list[int]], tmp_path: Path) -> None:
    path = tmp_path / PROOF
    whole = log_proof(solver, clauses, path)
    if not solver.startswith("cadical") and len(clauses) < 4 and [] not in clauses:
        assert not whole  # units suffice, and the log is empty
        return
    assert whole
    from kt_models.proofs.dimacs import proof_steps

    for engine in ("native", "python"):
        assert replay(40, clauses, lambda: proof_steps(path, 40), engine, Clock()).steps


@pytest.mark.parametrize("solver", ["maplecm", "maplesat"])
def test_solvers_with_wrong_or_short_proofs_are_noticed(solver: str, tmp_path: Path) -> None:
    from kt_models.proofs.dimacs import proof_steps

    path, fine = tmp_path / PROOF, []
    for n in (1, 2, 5):
        whole = log_proof(solver, pigeons(n), path)
        try:
            replay(40, pigeons(n), lambda: proof_steps(path, 40), "native", Clock())
            fine.append(whole)
        except KTError:
            continue
    assert all(fine) and len(fine) < 3


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # of a Minisat that was never made
@pytest.mark.parametrize("solver", ["minisat22", "mergesat3"])
def test_solvers_without_proofs_are_refused(solver: str, tmp_path: Path) -> None:
    with pytest.raises(KTError, match="it logs no proofs"):
        log_proof(solver, pigeons(2), tmp_path / PROOF)


# -- replaying --------------------------------------------------------------------------------------------------------


def steps_of(text: str) -> list[tuple[bool, tuple[int, ...]]]:
    steps = []
    for line in text.splitlines():
        words = line.split()
        literals = [int(w) for w in words if w != "d"][:-1]
        steps.append((words[0] == "d", tuple(2 * (abs(x) - 1) + (x < 0) for x in literals)))
    return steps


def rat_proof(folder: Path) -> tuple[list[list[int]], str]:
    """Four pigeons, three holes; a proof that begins with a new variable 13, 1 and 2 together, and deletes clauses."""
    assert log_proof("cadical153", pigeons(3), folder / "log")
    return pigeons(3), "-13 1 0\n-13 2 0\n13 -1 -2 0\n" + (folder / "log").read_text()


def run_replay(clauses: list[list[int]], text: str, engine: str = "native") -> drat.Replay:
    return replay(13, clauses, lambda: steps_of(text), engine, Clock())


@pytest.mark.parametrize("engine", ["native", "python"])
def test_replaying(engine: str, tmp_path: Path) -> None:
    square = [[1, 2], [-1, 2], [1, -2], [-1, -2]]
    assert run_replay(square, "2 0\n0\n", engine).rat_steps == 0
    clauses, text = rat_proof(tmp_path)
    assert run_replay(clauses, text, engine).rat_steps == 2
    for text in ("2 0\n", "", "d 1 2 0\nd -1 2 0\n0\n"):
        with pytest.raises(CertificateError):
            run_replay(square, text, engine)
    with pytest.raises(CertificateError, match="step 1"):
        run_replay([[1, 2]], "0\n", engine)


@pytest.mark.parametrize("engine", ["native", "python"])
def test_deletions_do_not_help_rat_steps(engine: str) -> None:
    """What dratify alone (0.1.10) accepts: a refutation of a formula that has a model."""
    with pytest.raises(CertificateError):
        run_replay([[1], [-1, 2]], "d -1 2 0\n-2 0\n0\n", engine)


@pytest.mark.parametrize("size", [1, 3, 7, 100])
def test_blocks_do_not_matter(size: int, folders, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drat, "BLOCK_STEPS", size)
    for name in ("turns", "4x6", "path"):
        assert check_folder(folders[name]).replay.steps > 3
    assert run_replay(*rat_proof(tmp_path)).rat_steps == 2
    with pytest.raises(CertificateError):
        run_replay([[1], [-1, 2]], "d -1 2 0\n-2 0\n0\n")
    lines = (folders["turns"] / PROOF).read_text().splitlines(keepends=True)
    for cut in (0, 1, len(lines) // 2, len(lines) - 1):
        data = json.loads((folders["turns"] / MANIFEST).read_text())
        shutil.copy(folders["turns"] / FORMULA, tmp_path)
        (tmp_path / PROOF).write_text("".join(lines[:cut]))
        seal(tmp_path, data)
        with pytest.raises(CertificateError, match="cut short"):
            check_folder(tmp_path)


# -- the rules, against their meaning ---------------------------------------------------------------------------------


@st.composite
def trees(draw: st.DrawFn) -> tuple[dict[int, int], Counter, int]:
    """Inputs with weights, any nodes above them (also wrong ones), and a limit."""
    weights = draw(st.lists(st.integers(1, 3), min_size=1, max_size=4))
    nodes, free = [], len(weights) + 1
    for _ in range(draw(st.integers(0, 3))):
        below = st.integers(0, len(weights) + len(nodes) - 1)
        thresholds = tuple(sorted(draw(st.sets(st.integers(1, 6), max_size=3))))
        nodes.append(Node(draw(below), draw(below), free, thresholds))
        free += len(thresholds)
    inputs = {i + 1: weight for i, weight in enumerate(weights)}
    return inputs, Counter("objective", None, tuple(nodes)), draw(st.integers(-1, 8))


@given(trees(), st.data())
@settings(max_examples=1500, deadline=None)
def test_what_counters_imply_is_true(tree: tuple[dict[int, int], Counter, int], data: st.DataObject) -> None:
    inputs, counter, limit = tree
    try:
        found = Tree(counter, inputs, limit)
    except CertificateError:
        return
    top = max(found.place)
    literals = st.integers(1, top).flatmap(lambda v: st.sampled_from([-v, -v, v]))
    below: list[set[int]] = [{i} for i in range(len(inputs))]  # the inputs under each item
    for node in counter.nodes:
        below.append(below[node.left] | below[node.right])
    clauses = [c for c in data.draw(st.lists(st.lists(literals, max_size=3), max_size=12)) if found.implies(c)]
    for chosen in product([False, True], repeat=len(inputs)):
        weight = {i: w if chosen[i] else 0 for i, w in enumerate(inputs.values())}
        if sum(weight.values()) > limit:
            continue
        true = {v for v, (item, threshold) in found.place.items() if sum(weight[i] for i in below[item]) >= threshold}
        for clause in clauses:
            assert any((literal in true) if literal > 0 else (-literal not in true) for literal in clause), clause


TOUR = sorted(brute.edge_set(graph_of("5x6"), brute.tours("5x6", True)[0], True))
TREE = Counter("objective", None, (Node(0, 1, 4, (1, 2)), Node(3, 2, 6, (1, 2, 3))))
"""4: one of inputs 1 and 2, 5: both; 6, 7, 8: one, two, three of 1, 2 and 3."""


@pytest.mark.parametrize(
    ("clause", "accepted"),
    [([-1, 4], True), ([-1, -2, 5], True), ([-4, 6], True), ([-4, -3, 7], True), ([-5, -3, 8], True), ([-8], True),
     ([-1, 5], False), ([-4, -5, 8], False), ([-6, -7], False), ([-7], False), ([-7, -4], False), ([-3, 4], False),
     ([-1, -2, -3], False), ([-5, -3, -1, 8], False), ([4, 6, -1], False), ([-9], False), ([4], False), ([], False)],
)  # fmt: skip
def test_counters(clause: list[int], accepted: bool) -> None:
    assert Tree(TREE, {1: 1, 2: 1, 3: 1}, 2).implies(clause) == accepted


@pytest.mark.parametrize("below", [[(0, 1), (0, 2)], [(0, 0)], [(0, 2)], [(0, 3), (1, 2)], [(0, 1), (3, 3)]])
def test_counters_are_trees(below: list[tuple[int, int]]) -> None:
    nodes = tuple(Node(left, right, 10 + i, (1,)) for i, (left, right) in enumerate(below))
    with pytest.raises(CertificateError):
        Tree(Counter("objective", None, nodes), dict.fromkeys(range(1, 3 if below == [(0, 2)] else 4), 1), 2)


RULED = [
    Problem(graph_of("3x4"), "path"),
    Problem(graph_of("3x4"), "path", None, (0,), frozenset({1}), frozenset({2, 7})),
    Problem(graph_of("3x4"), "path", None, (0, 11)),
    Problem(graph_of("5x6"), required=frozenset(TOUR[:2]), forbidden=frozenset(range(9)) - set(TOUR)),
    Problem(graph_of("6x6"), "cycle", symmetry=(Symmetry.parse("rot180"),)),
]


@cache
def answers(number: int) -> list[set[int]]:
    """True variables of solutions: all of them, or a symmetric few."""
    problem = RULED[number]
    meaning = Meaning(Manifest(problem, None, {}, (), (), ()))
    if problem.graph.name == "6x6":
        from encoders import solve

        found = [solve(problem, seed=seed, workers=1, engine="cpsat").edges.tolist() for seed in range(3)]
    else:
        found = solutions(problem)
    made = []
    for edges in found:
        degree = np.bincount(problem.graph.ends[edges].reshape(-1), minlength=problem.graph.n)
        made.append({meaning.edge[e] for e in edges} | {x for v, x in meaning.ends.items() if degree[v] == 1})
    assert number == 1 or made
    return made


@given(st.integers(0, len(RULED) - 1), st.data())
@settings(max_examples=400, deadline=None)
def test_what_rules_accept_is_true(number: int, data: st.DataObject) -> None:
    """Right clauses, altered; whatever a rule still accepts, every solution satisfies."""
    problem = RULED[number]
    formula = ProofFormula(problem, None)
    sets = st.lists(st.integers(0, problem.graph.n - 1), unique=True, max_size=problem.graph.n)
    formula.add_cut_sets([data.draw(sets) for _ in range(3)])
    group = data.draw(st.sampled_from(formula.groups))
    if group.rule == "counter":
        return
    first = data.draw(st.integers(0, len(formula.clauses) - 1))
    clauses = altered_clauses(formula.clauses[first : first + 20], formula.top, data)
    meaning = Meaning(Manifest(problem, None, {}, (), tuple(formula.counters), ()))
    for clause in clauses:
        extra = {"sets": [data.draw(sets)]} if group.rule == "cut-set" else group.data
        try:
            meaning.check([Group(group.rule, 1, extra)], [clause])
        except CertificateError:
            continue
        for true in answers(number):
            assert any((literal in true) if literal > 0 else (-literal not in true) for literal in clause), clause


def test_given_edges_and_pairs() -> None:
    problem = Problem(graph_of("5x6"), "cycle", "turns", required=frozenset({3}), forbidden=frozenset({7}))
    meaning = Meaning(Manifest(problem, 20, {}, ((100, 1),), (), ()))
    weights = problem.weights
    e, f = int(weights.first[0]) + 1, int(weights.second[0]) + 1
    right = [("required", [4]), ("required", [4, 9]), ("forbidden", [-8]), ("pair", [-e, -f, 100])]
    wrong = [("required", [-4]), ("required", [5]), ("required", []), ("forbidden", [8]), ("forbidden", [-4])]
    wrong += [("pair", [-e, 100]), ("pair", [-e, -f]), ("pair", [100]), ("pair", [-e, -f, 9]), ("pair", [-e, -99, 100])]
    for rule, clause in right:
        meaning.check([Group(rule, 1)], [clause])
    for rule, clause in wrong:
        meaning = Meaning(Manifest(problem, 20, {}, ((100, 1),), (), ()))
        with pytest.raises(CertificateError):
            meaning.check([Group(rule, 1)], [clause])


@pytest.mark.parametrize(
    ("connectivity", "terminals", "vertices", "accepted"),
    [
        ("cycle", (), [0], True),
        ("cycle", (), [], False),
        ("cycle", (), range(16), False),
        ("cycle", (), range(15), True),
        ("path", (0,), range(16), False),
        ("path", (0,), [0], True),
        ("any", (), [0], False),
        ("paths", (0, 15), [1, 2], True),
        ("paths", (0, 15), [0, 1], False),
        ("paths", (0, 15), [0, 15], False),
        ("linkage", (0, 15), [0, 1], True),
        ("linkage", (0, 15), [0, 15], False),
        ("linkage", (0, 15, 3, 7), [0, 3], True),
        ("linkage", (0, 15, 3, 7), [3, 7], False),
        ("linkage", (0, 15, 3, 7), [4, 5], True),
    ],
)
def test_sets_that_have_to_be_left(connectivity, terminals, vertices, accepted: bool) -> None:
    problem = Problem(graph_of("4x4"), connectivity, None, terminals)
    meaning = Meaning(Manifest(problem, None, {}, (), (), ()))
    clause = ProofFormula(problem, None).cut_set(vertices)
    group = Group("cut-set", 1, {"sets": [list(vertices)]})
    if accepted:
        meaning.check([group], [clause])
        for missing in clause:
            with pytest.raises(CertificateError):
                meaning.check([group], [[x for x in clause if x != missing]])
    else:
        with pytest.raises(CertificateError):
            meaning.check([group], [clause])


# -- adversaries ------------------------------------------------------------------------------------------------------

HONEST = {
    "turns": (Problem(graph_of("5x6"), "cycle", "turns"), 27),
    "4x6": (Problem(graph_of("4x6")), None),
    "path": (Problem(graph_of("3x4"), "path", "turns"), 7),
    "linkage": (Problem(graph_of("4x4"), "linkage", None, (0, 15)), None),
    "symmetry": (Problem(graph_of("5x6"), "cycle", symmetry=(Symmetry.parse("mirror-x"),)), None),
}


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    made = {}
    for name, (problem, at_most) in HONEST.items():
        made[name] = tmp_path_factory.mktemp(name)
        if name == "path":
            at_most = least(problem) - 1
        write_folder(problem, at_most, made[name])
    return made


@given(st.sampled_from(["turns", "4x6", "path"]), st.sampled_from([FORMULA, PROOF]), st.data())
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_digests_catch_any_alteration(folders, tmp_path: Path, name: str, file: str, data: st.DataObject) -> None:
    for copied in FILES:
        shutil.copy(folders[name] / copied, tmp_path)
    content = bytearray((tmp_path / file).read_bytes())
    place = data.draw(st.integers(0, len(content) - 1))
    content[place] ^= data.draw(st.integers(1, 255))
    (tmp_path / file).write_bytes(bytes(content))
    with pytest.raises(CertificateError, match=f"{file} is not the file"):
        check_folder(tmp_path)


def numbers_in(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where the numbers and texts of a JSON value are."""
    if isinstance(data, dict):
        return [p for key, value in data.items() for p in numbers_in(value, (*path, key))]
    if isinstance(data, list):
        return [path, *(p for i, value in enumerate(data) for p in numbers_in(value, (*path, i)))]
    return [path]


def put(data: Any, path: tuple[Any, ...], value: Any) -> None:
    for key in path[:-1]:
        data = data[key]
    data[path[-1]] = value


def get(data: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        data = data[key]
    return data


BOARDS = ["5x6", "3x10", "3x4", "4x5", "4x6", "4x4", "6x5"]


def altered_manifest(data: dict[str, Any], draw: st.DataObject) -> dict[str, Any]:
    """One or two changes anywhere: a number off, a list shorter or longer, another board, claim or rule."""
    data = copy.deepcopy(data)
    for _ in range(draw.draw(st.integers(1, 2))):
        path = draw.draw(
            st.sampled_from([p for p in numbers_in(data) if p and p[0] not in ("sha256", "version", "kind")])
        )
        value = get(data, path)
        if path == ("problem", "board"):
            put(data, path, draw.draw(st.sampled_from(BOARDS)))
        elif isinstance(value, bool) or not isinstance(value, int | list):
            put(
                data,
                path,
                draw.draw(st.sampled_from(["turns", "crossings", "cycle", "path", "degree", "counter", None])),
            )
        elif isinstance(value, int):
            near = st.integers(value - 3, value + 3) | st.integers(0, 60)
            put(data, path, draw.draw(near | st.sampled_from([-1, 10**12, 1.5, True, "1", None])))
        elif value:
            i = draw.draw(st.integers(0, len(value) - 1))
            change = draw.draw(st.sampled_from(["drop", "double", "reverse", "empty"]))
            new = {
                "drop": value[:i] + value[i + 1 :],
                "double": [*value, value[i]],
                "reverse": value[::-1],
                "empty": [],
            }
            put(data, path, new[change])
    return data


def altered_clauses(clauses: list[list[int]], top: int, draw: st.DataObject) -> list[list[int]]:
    clauses = [list(clause) for clause in clauses]
    literal = st.integers(1, top).flatmap(lambda v: st.sampled_from([v, -v]))
    for _ in range(draw.draw(st.integers(0, 3))):
        i = draw.draw(st.integers(0, len(clauses) - 1))
        change = draw.draw(
            st.sampled_from(["drop", "flip", "shorten", "lengthen", "replace", "swap", "insert", "empty"])
        )
        if change == "drop" and len(clauses) > 1:
            del clauses[i]
        elif change == "flip" and clauses[i]:
            j = draw.draw(st.integers(0, len(clauses[i]) - 1))
            clauses[i][j] *= -1
        elif change == "shorten" and clauses[i]:
            clauses[i].pop(draw.draw(st.integers(0, len(clauses[i]) - 1)))
        elif change == "lengthen":
            clauses[i].append(draw.draw(literal))
        elif change in ("replace", "insert"):
            new = draw.draw(st.lists(literal, min_size=1, max_size=2))
            clauses[i : i + (change == "replace")] = [new]
        elif change == "swap":
            j = draw.draw(st.integers(0, len(clauses) - 1))
            clauses[i], clauses[j] = clauses[j], clauses[i]
        elif change == "empty":
            clauses[i] = []
    return clauses


def accepted_claim_is_true(folder: Path) -> bool:
    """Check a folder; False only if a false claim passes."""
    try:
        checked = check_folder(folder)
    except KTError:
        return True
    return claim_is_true(checked.problem, checked.bound)


FUZZ = settings(
    max_examples=250, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


@given(st.sampled_from(["turns", "4x6", "path", "symmetry"]), st.data())
@FUZZ
def test_no_alteration_of_an_honest_proof_shows_what_is_false(
    folders, tmp_path, name: str, draw: st.DataObject
) -> None:
    """Manifest, formula and proof changed at will, digests made anew."""
    for copied in FILES:
        shutil.copy(folders[name] / copied, tmp_path)
    data = json.loads((tmp_path / MANIFEST).read_text())
    top, clauses = read_formula(tmp_path / FORMULA)
    if draw.draw(st.booleans()):
        data = altered_manifest(data, draw)
    if draw.draw(st.booleans()):
        write_formula(top, altered_clauses(clauses, top, draw), tmp_path / FORMULA)
    lines = (tmp_path / PROOF).read_text().splitlines()
    change = draw.draw(st.sampled_from(["", "", "cut", "shuffle", "drop", "early", "delete"]))
    i = draw.draw(st.integers(0, len(lines) - 1))
    lines = {
        "": lines,
        "cut": lines[:i],
        "shuffle": lines[i:] + lines[:i],
        "drop": lines[:i] + lines[i + 1 :],
        "early": [*lines[:i], "0"],
        "delete": [*(f"d {' '.join(map(str, c))} 0" for c in clauses[: i + 1]), *lines],
    }[change]
    (tmp_path / PROOF).write_text("".join(f"{line}\n" for line in lines))
    seal(tmp_path, data)
    assert accepted_claim_is_true(tmp_path)


FALSE = {
    "turns": (Problem(graph_of("5x6"), "cycle", "turns"), 28),
    "crossings": (Problem(graph_of("3x4"), "path", "crossings"), None),
    "path": (Problem(graph_of("3x4"), "path", "turns"), None),
    "ends": (Problem(graph_of("4x5"), "path"), None),
    "given": (
        Problem(graph_of("5x6"), required=frozenset(TOUR[:3]), forbidden=frozenset(range(20)) - set(TOUR)),
        None,
    ),
}
"""Problems with a solution (of at most the number)."""


@pytest.fixture(scope="module")
def false_claims() -> dict[str, tuple[dict[str, Any], int, list[list[int]]]]:
    """Manifest, number of variables and clauses of false claims, everything right but that there is no proof."""
    made = {}
    for name, (problem, at_most) in FALSE.items():
        at_most = least(problem) if problem.objective else at_most
        assert not claim_is_true(problem, None if at_most is None else at_most + 1)
        formula = ProofFormula(problem, at_most)
        n = problem.graph.n
        formula.add_cut_sets([list(range(k)) for k in (1, 2, n // 2)])
        bound = None if at_most is None else at_most + 1
        manifest = Manifest(
            problem, bound, {}, tuple(formula.counted), tuple(formula.counters), tuple(formula.groups), "an adversary"
        )
        made[name] = json.loads(json.dumps(manifest.to_json())), formula.top, formula.clauses
    return made


@given(st.sampled_from(sorted(FALSE)), st.data())
@FUZZ
def test_no_false_claim_is_explained(false_claims, tmp_path: Path, name: str, draw: st.DataObject) -> None:
    """An adversary changes clauses until there is no model, has a solver write a perfect proof, and explains away."""
    data, top, clauses = false_claims[name]
    if draw.draw(st.booleans()):
        data = altered_manifest(data, draw)
    data, clauses = copy.deepcopy(data), altered_clauses(clauses, top, draw)
    missing = len(clauses) - sum(g["clauses"] for g in data["groups"] if type(g.get("clauses")) is int)
    if missing and data["groups"]:  # have the groups explain as many clauses as there are
        group = draw.draw(st.sampled_from(data["groups"]))
        if type(group.get("clauses")) is int:
            group["clauses"] += missing
    write_formula(top, clauses, tmp_path / FORMULA)
    try:
        log_proof("cadical153", clauses, tmp_path / PROOF)
    except KTError:  # it still has a model
        (tmp_path / PROOF).write_text("0\n")
    seal(tmp_path, data)
    assert accepted_claim_is_true(tmp_path)


def cheat_smaller_limit(data, clauses):
    """The clauses of a smaller, true bound."""
    formula = ProofFormula(FALSE["turns"][0], 27)
    true = Manifest(formula.problem, 28, {}, tuple(formula.counted), tuple(formula.counters), tuple(formula.groups))
    return {**data, **{k: true.to_json()[k] for k in ("counted", "counters", "groups")}}, formula.clauses


def cheat_heavier(data, clauses):
    """Each turn counts for two."""
    formula = ProofFormula(FALSE["turns"][0], 28)
    heavier = ProofFormula.__new__(ProofFormula)
    heavier.__dict__.update(formula.__dict__)
    pairs = next(i for i, g in enumerate(formula.groups) if g.rule == "pair")
    kept = sum(g.clauses for g in formula.groups[: pairs + 1])
    heavier.groups, heavier.clauses = formula.groups[: pairs + 1], formula.clauses[:kept]
    heavier.counted, heavier.counters = [(v, 2) for v, _ in formula.counted], []
    heavier.top = max(v for v, _ in formula.counted)
    heavier._counter("objective", heavier.counted, 28, None)
    parts = Manifest(
        formula.problem, 29, {}, tuple(heavier.counted), tuple(heavier.counters), tuple(heavier.groups)
    ).to_json()
    return {**data, **{k: parts[k] for k in ("counted", "counters", "groups")}}, heavier.clauses


def cheat_twice_below(data, clauses):
    """An item is added to itself."""
    nodes = data["counters"][0]["nodes"]
    for node in nodes:
        node[1] = node[0]
    return data, clauses


def cheat_edge_is_counted(data, clauses):
    """A counted variable that is an edge's: it would have to be chosen with any turn."""
    old = data["counted"][0][0]
    data["counted"][0][0] = 1
    return data, [[1 if x == old else -1 if x == -old else x for x in clause] for clause in clauses]


def cheat_empty_clause(data, clauses):
    data["groups"].append({"rule": "counter", "counter": 0, "clauses": 1})
    return data, [*clauses, []]


def cheat_whole_board(data, clauses):
    """A vertex set that nothing has to leave."""
    data["groups"].append({"rule": "cut-set", "sets": [list(range(30))], "clauses": 1})
    return data, [*clauses, []]


def cheat_no_set(data, clauses):
    data["groups"].append({"rule": "cut-set", "sets": [[]], "clauses": 1})
    return data, [*clauses, []]


def cheat_trailing_clause(data, clauses):
    return data, [*clauses, []]


def cheat_two_definitions(data, clauses):
    data["counted"].append(list(data["counted"][0]))
    return data, [*clauses]


def cheat_required(data, clauses):
    data["groups"] += [{"rule": "required", "clauses": 1}, {"rule": "forbidden", "clauses": 1}]
    return data, [*clauses, [1], [-1]]


CHEATS = [
    cheat_smaller_limit, cheat_heavier, cheat_twice_below, cheat_edge_is_counted, cheat_empty_clause,
    cheat_whole_board, cheat_no_set, cheat_trailing_clause, cheat_two_definitions, cheat_required,
]  # fmt: skip


@pytest.mark.parametrize("cheat", CHEATS)
def test_cheats(cheat, false_claims, tmp_path: Path) -> None:
    """Each would make 29 turns on 5x6 (which has a tour with 28) a bound, were it not looked for."""
    data, top, clauses = false_claims["turns"]
    data, clauses = cheat(copy.deepcopy(data), copy.deepcopy(clauses))
    write_formula(max([top, *(abs(x) for clause in clauses for x in clause)]), clauses, tmp_path / FORMULA)
    try:
        log_proof("cadical153", clauses, tmp_path / PROOF)
    except KTError:
        assert cheat in (cheat_twice_below, cheat_two_definitions, cheat_edge_is_counted)
        (tmp_path / PROOF).write_text("0\n")
    seal(tmp_path, data)
    with pytest.raises(CertificateError) as refusal:
        check_folder(tmp_path)
    assert "step" not in str(refusal.value)  # the meaning was refused, not the proof


@pytest.mark.parametrize(
    ("file", "text"),
    [
        (FORMULA, "p cnf 10 2\n1 0\n"),
        (FORMULA, "p cnf 1 1\n1 2 0\n"),
        (FORMULA, "1 0\n"),
        (FORMULA, "p cnf 1 1\n1\n"),
        (FORMULA, "p cnf 1 1\np cnf 1 1\n1 0\n"),
        (FORMULA, "p cnf 99999999999 0\n"),
        (FORMULA, "p cnf x y\n"),
        (FORMULA, "%\n"),
        (FORMULA, "\0" * 20),
        (PROOF, "1 2\n"),
        (PROOF, "d\n"),
        (PROOF, "1e3 0\n"),
        (PROOF, "99999999 0\n"),
        (PROOF, "0 0\n"),
        (PROOF, "a\0\0"),
        (PROOF, "1 0 2 0\n"),
        (MANIFEST, "[]"),
        (MANIFEST, "{"),
        (MANIFEST, '{"version": 1, "kind": "proof"}'),
        (MANIFEST, '{"version": 2, "kind": "proof"}'),
    ],
)
def test_unreadable_files(folders, tmp_path: Path, file: str, text: str) -> None:
    for copied in FILES:
        shutil.copy(folders["4x6"] / copied, tmp_path)
    data = json.loads((tmp_path / MANIFEST).read_text())
    (tmp_path / file).write_text(text)
    if file != MANIFEST:
        seal(tmp_path, data)
    one_line_refusal(kt("check", str(tmp_path)))
    (tmp_path / file).unlink()
    one_line_refusal(kt("check", str(tmp_path)))


@pytest.mark.parametrize("names", [["../formula.cnf", PROOF], [FORMULA], [FORMULA, PROOF, "/etc/passwd"]])
def test_only_the_two_files_are_named(folders, tmp_path: Path, names: list[str]) -> None:
    for copied in FILES:
        shutil.copy(folders["4x6"] / copied, tmp_path)
    data = json.loads((tmp_path / MANIFEST).read_text())
    (tmp_path / MANIFEST).write_text(json.dumps({**data, "sha256": dict.fromkeys(names, "0")}))
    one_line_refusal(kt("check", str(tmp_path)), "sha256")


@pytest.mark.parametrize(
    "change",
    [
        {"vertices": 4, "edges": [[0, 1], [1, 2], [1, 3]]},
        {"cells": [[0, 0], [1, 2], [2, 0], [4, 4]]},
        {"objective": "turns", "weights": [[0, 1, 9]]},
    ],
    ids=str,
)
def test_names_are_not_believed(change: dict[str, Any], tmp_path: Path) -> None:
    """A graph, a board or weights of one's own are not called by the name that the manifest gives them."""
    problem = Problem.from_json({"board": "5x6", "leaper": "1,2", "connectivity": "cycle", **change})
    write_folder(problem, -1 if "weights" in change else None, tmp_path)
    data = json.loads((tmp_path / MANIFEST).read_text())
    seal(tmp_path, {**data, "problem": {**data["problem"], **change}})
    text = check_folder(tmp_path).claim
    assert "in the manifest" in text
    assert "turns" not in text
    assert "weights" in change or "of 5x6" not in text


# -- the process and the command line ---------------------------------------------------------------------------------


def test_prove_writes_and_gives_up_cleanly(tmp_path: Path) -> None:
    problem = Problem(graph_of("6x6"), "cycle", "turns")
    folder = tmp_path / "proof"
    words: list[str] = []
    proof = prove(problem, 31, folder, on_progress=words.append)
    assert proof is not None and proof.bound == 32 and words
    assert sorted(p.name for p in folder.iterdir()) == sorted(FILES)
    check_folder(folder, on_progress=words.append)
    with pytest.raises(KTError, match="not empty"):
        prove(problem, 31, folder)
    hard = Problem(graph_of("12x12"), "cycle", "crossings")
    assert prove(hard, 300, tmp_path / "late", seconds=1.0) is None
    stop = threading.Event()
    threading.Timer(0.7, stop.set).start()
    empty = tmp_path / "empty"
    empty.mkdir()
    assert prove(hard, 300, empty, stop=stop) is None
    assert sorted(p.name for p in tmp_path.iterdir()) == ["empty", "proof"] and not list(empty.iterdir())
    with pytest.raises(KTError, match="there is a solution of value"):
        prove(problem, 40, tmp_path / "false")
    with pytest.raises(KTError, match="cannot write"):
        require_proof_directory(tmp_path / "no" / "folder")
    (tmp_path / "file").write_text("")
    with pytest.raises(KTError, match="not a folder"):
        require_proof_directory(tmp_path / "file")
    with pytest.raises(KTError, match="not checked to the end"):
        check_folder(folder, seconds=-1)


def test_cut_sets_of_the_caller_are_used(tmp_path: Path) -> None:
    problem = Problem(graph_of("3x8"))
    first = prove(problem, None, tmp_path / "one", solver="glucose4")
    assert first is not None and first.cut_sets and first.solver == "glucose4"
    sets = Manifest.read(tmp_path / "one").groups[-1].data["sets"]
    second = prove(problem, None, tmp_path / "two", cut_sets=sets)
    assert second is not None and second.cut_sets == first.cut_sets


def test_command_line(tmp_path: Path) -> None:
    folder = str(tmp_path / "proof")
    data = kt_json("solve", "6x6", "--minimize", "turns", "--proof", folder)
    assert data["exit"] == 0 and data["proof"] == folder and "kt check" in data["how"]
    result = kt("check", folder)
    assert result.exit_code == 0 and "at least 32 turns in any closed tour of 6x6" in result.stdout
    assert "pure Python" in kt("check", folder, "--pure").stdout
    one_line_refusal(kt("solve", "4x8", "--proof", folder), "not empty")
    result = kt("solve", "4x8", "--proof", str(tmp_path / "none"))
    assert result.exit_code == 0 and "kt check" in result.stdout
    assert "no closed tour of 4x8" in kt("check", str(tmp_path / "none")).stdout
    (tmp_path / "none" / PROOF).write_text("0\n")
    result = kt("check", str(tmp_path / "none"))
    assert result.exit_code == 1 and "WRONG" in result.stdout
    result = kt("solve", "6x6", "--proof", str(tmp_path / "tour"))
    assert result.exit_code == 0 and "a tour is its own proof" in result.stderr
    one_line_refusal(kt("check", str(tmp_path)), "not a proof folder")
