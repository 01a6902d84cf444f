"""The SAT engine against brute force: existence, least value, symmetric variants, limits, and no process left."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from encoders import solve
from encoders.sat import portfolio
from encoders.sat.engine import solve as solve_here
from encoders.sat.formula import Formula
from encoders.sat.lazy import clauses_broken_by
from encoders.sat.merging import Merger, merger_of
from encoders.sat.options import SatOptions
from encoders.sat.process import SatProcess
from encoders.work.child import alive
from encoders.work.run import Run
from heuristics.searches.merge import merge
from kt_models import (
    InvalidTour,
    KTError,
    MoveGraph,
    PairWeights,
    Problem,
    Result,
    Symmetry,
    TooLarge,
    graph_of,
    verify_edges,
)
from kt_models.limits import NO_LIMITS, Limits, Report, Stopped
from tests import brute
from tests.effort import part_of
from tests.encoders.test_solve import BOARDS, WITH_TOURS, problem_of
from tests.processes import PATIENCE, environment, running, until
from tests.strategies import small_graphs

FINDERS = [
    SatOptions(),
    SatOptions(merge=False),
    SatOptions(solver="glucose4"),
    SatOptions(solver="cadical195", merge=False),
]
MINIMISERS = [
    SatOptions(mode=mode, solver=solver) for mode in ("descent", "core") for solver in ("cadical153", "glucose4")
]


def result_of(problem: Problem, options: SatOptions, seed: int = 0) -> Result:
    """What a search in this process answers, verified."""
    run = Run(Limits(600, seed=seed))
    found = solve_here(problem, run, options)
    assert found.conclusive
    bound = found.bound if problem.objective is not None else None
    return Result(problem, found.status, edges=found.edges, bound=bound, engine=found.engine)


def petersen() -> MoveGraph:
    ring, spokes = [(i, (i + 1) % 5) for i in range(5)], [(i, i + 5) for i in range(5)]
    return MoveGraph.from_edges(10, np.array(ring + spokes + [(5 + i, 5 + (i + 2) % 5) for i in range(5)]))


@pytest.mark.parametrize("closed", [True, False], ids=["closed", "open"])
@pytest.mark.parametrize("board", BOARDS)
def test_existence(board: str, closed: bool) -> None:
    expected = "feasible" if brute.tours(board, closed) else "infeasible"
    for options in FINDERS:
        assert result_of(problem_of(board, closed), options).status == expected, options


@pytest.mark.parametrize("board", ["4x6", "3x8", "4x8"])
def test_no_closed_tour(board: str) -> None:
    for options in FINDERS:
        assert result_of(problem_of(board, True), options).status == "infeasible"


def test_petersen_graph() -> None:
    for options in FINDERS:
        assert result_of(Problem(petersen()), options).status == "infeasible"
        assert result_of(Problem(petersen(), "path"), options).status == "feasible"


MEASURED = [
    (board, closed, metric)
    for board, closed in WITH_TOURS
    for metric in ("turns", "crossings")
    if closed or graph_of(board).n < (30 if metric == "turns" else 24)
]


@pytest.mark.parametrize(("board", "closed", "metric"), MEASURED)
def test_least_value(board: str, closed: bool, metric: str) -> None:
    graph = graph_of(board)
    least = min(brute.values(board, closed, metric))
    for options in MINIMISERS if graph.n <= 16 or metric == "turns" else MINIMISERS[:1]:
        result = result_of(problem_of(board, closed, metric), options)
        assert (result.status, result.value, result.bound) == ("optimal", least, least), options


@pytest.mark.parametrize("symmetry", ["rot180", "mirror-x", "mirror-y"])
@pytest.mark.parametrize(
    ("board", "closed"), [("3x10", True), *((b, c) for b, c in WITH_TOURS if c or graph_of(b).n < 24)]
)
def test_symmetric_tours(board: str, closed: bool, symmetry: str) -> None:
    graph = graph_of(board)
    image = graph.edge_permutation(Symmetry.parse(symmetry))
    sets = brute.edge_sets(board, closed)
    symmetric = [edges for edges in sets if frozenset(image[sorted(edges)].tolist()) == edges]
    for options in FINDERS:
        found = result_of(problem_of(board, closed, symmetry=symmetry), options)
        assert found.status == ("feasible" if symmetric else "infeasible"), options
    if symmetric:
        problem = problem_of(board, closed, "turns", symmetry)
        least = min(problem.value(np.array(sorted(edges))) for edges in symmetric)
        for options in MINIMISERS:
            assert result_of(problem, options).value == least, options


@pytest.mark.parametrize("symmetry", ["rot90", "rot180"])
def test_symmetric_tours_of_10x10(symmetry: str) -> None:
    for options in FINDERS:
        assert result_of(problem_of("10x10", True, symmetry=symmetry), options).status == "feasible"


@given(small_graphs(), st.booleans())
@settings(max_examples=part_of(60), deadline=None)
def test_any_graph(graph: MoveGraph, closed: bool) -> None:
    known = {brute.edge_set(graph, o, closed) for o in (brute.cycles(graph) if closed else brute.paths(graph))}
    for options in FINDERS:
        result = result_of(Problem(graph, "cycle" if closed else "path"), options)
        assert result.status == ("feasible" if known else "infeasible")
        assert result.edges is None or frozenset(result.edges.tolist()) in known


@st.composite
def problems(draw: st.DrawFn, weighted: bool) -> Problem | None:
    """Any connectivity, terminals, required and forbidden edges, weights of either sign."""
    graph = draw(small_graphs(6))
    if not 0 < graph.m <= 12:
        return None
    connectivity = draw(st.sampled_from(["cycle", "path", "linkage", "paths", "any"]))
    most = {"cycle": 0, "path": 2, "any": graph.n}.get(connectivity, graph.n // 2 * 2)
    terminals = draw(st.lists(st.integers(0, graph.n - 1), unique=True, max_size=most))
    if connectivity in ("linkage", "paths"):
        terminals = terminals[: len(terminals) // 2 * 2]
        if not terminals:
            return None
    edge = st.integers(0, graph.m - 1)
    weights = None
    if weighted:
        some = draw(st.lists(st.tuples(edge, edge, st.integers(-3, 3)), max_size=8))
        rows = np.array(some, dtype=np.int64).reshape(-1, 3)
        weights = PairWeights(rows[:, 0].astype(np.int32), rows[:, 1].astype(np.int32), rows[:, 2])
    required, forbidden = draw(st.sets(edge, max_size=1)), draw(st.sets(edge, max_size=1))
    return Problem(graph, connectivity, weights, tuple(terminals), frozenset(required), frozenset(forbidden))


def solutions(problem: Problem) -> list[np.ndarray]:
    """Every solution, from all subsets of edges."""
    found = []
    for size in range(problem.graph.m + 1):
        for chosen in combinations(range(problem.graph.m), size):
            edges = np.array(chosen, dtype=np.int64)
            try:
                verify_edges(problem, edges)
            except InvalidTour:
                continue
            found.append(edges)
    return found


@given(problems(weighted=False))
@settings(max_examples=part_of(80), deadline=None)
def test_every_connectivity(problem: Problem | None) -> None:
    if problem is None:
        return
    expected = "feasible" if solutions(problem) else "infeasible"
    for options in FINDERS:
        assert result_of(problem, options).status == expected, options


@given(problems(weighted=True))
@settings(max_examples=part_of(80), deadline=None)
def test_any_weights(problem: Problem | None) -> None:
    if problem is None:
        return
    values = [problem.value(edges) for edges in solutions(problem)]
    for options in MINIMISERS:
        result = result_of(problem, options)
        if values:
            assert (result.status, result.value) == ("optimal", min(values)), options
        else:
            assert result.status == "infeasible", options


@given(problems(weighted=False), st.integers(0, 5))
@settings(max_examples=part_of(150), deadline=None)
def test_clauses_cut_off_no_solution(problem: Problem | None, seed: int) -> None:
    """Whatever edges with the right degrees are given, their clauses hold in every solution, and not in them."""
    if problem is None:
        return
    formula = Formula(problem)
    relaxed = Problem(problem.graph, "any", None, problem.terminals, problem.required, problem.forbidden)
    covers = solutions(relaxed) if not problem.free_ends else []
    if not covers:
        return
    cover = covers[seed % len(covers)]
    _, clauses = clauses_broken_by(formula, cover)
    for edges in [*solutions(problem), cover]:
        true = {formula.edge[e] for e in edges.tolist()}
        holds = [any(literal in true for literal in clause) for clause in clauses]
        assert all(holds) if edges is not cover else not clauses or not all(holds)


@pytest.mark.parametrize(
    "problem",
    [
        problem_of("8x8", True),
        problem_of("5x5", False),
        problem_of("5x6", False),
        Problem(graph_of("5x5"), "path", terminals=(0,)),
        Problem(graph_of("5x5"), "path", terminals=(0, 24)),
        Problem(graph_of("6x6"), "path", terminals=(3,)),
        Problem(graph_of("8x8"), required=frozenset({20, 101}), forbidden=frozenset({30})),
        Problem(graph_of("8x8"), "path", required=frozenset({20, 101}), forbidden=frozenset({30})),
        Problem(petersen(), "path"),
        problem_of("torus:5x5", True),
    ],
)
def test_merging_reads_covers_and_writes_tours(problem: Problem) -> None:
    merger = merger_of(problem, seed=0)
    assert isinstance(merger, Merger)
    formula = Formula(problem)
    from encoders.sat.oracle import Oracle

    with Oracle("glucose4", formula.clauses) as oracle:
        assert oracle.solve()
        edges = formula.edges_of(oracle.model())
    for merged in (merger.merge(edges, NO_LIMITS), merger.begin_anew(NO_LIMITS)):
        assert merged is not None
        if merged.components == 1:
            verify_edges(problem, merged.edges)


def test_open_tour_from_a_corner_and_linkages() -> None:
    for options in FINDERS:
        assert result_of(Problem(graph_of("5x5"), "path", terminals=(0,)), options).status == "feasible"
        graph = graph_of("6x6")
        corners = tuple(graph.find(cell) for cell in ("a1", "f6", "a6", "f1"))
        for connectivity in ("linkage", "paths"):
            assert result_of(Problem(graph, connectivity, terminals=corners), options).status == "feasible"


@pytest.mark.parametrize("seed", range(3))
def test_seeds(seed: int) -> None:
    problem = problem_of("12x12", True, symmetry="rot180")
    for options in FINDERS:
        first, second = (result_of(problem, options, seed) for _ in range(2))
        assert first.edges is not None and first.edges.tolist() == second.edges.tolist()


# -- through child processes -----------------------------------------------------------------------------------------


def test_children_answer_and_leave() -> None:
    for problem, expected in (
        (problem_of("8x8", True), "feasible"),
        (Problem(petersen()), "infeasible"),
        (problem_of("6x6", True, "turns"), "optimal"),
    ):
        result = solve(problem, engine="sat", hint=False, limits=Limits(workers=2))
        assert result.status == expected
        assert result.engine.startswith("sat/")
    assert solve(problem_of("6x6", True, "turns"), engine="sat").value == 32
    assert no_children()


def test_solver_and_encoding_are_named() -> None:
    for solver in ("cadical195", "maplechrono", "minisat22"):
        result = solve(problem_of("8x8", True), engine="sat", solver=solver, hint=False, limits=Limits(workers=1))
        assert result.engine == f"sat/cut-set {solver}"
    result = solve(
        problem_of("6x6", True), encoding="relative", solver="glucose4", hint=False, limits=Limits(workers=1)
    )
    assert result.engine == "sat/relative glucose4"


def test_both_engines_race() -> None:
    result = solve(problem_of("8x8", True, "turns"), limits=Limits(workers=2))
    assert (result.status, result.value) == ("optimal", 45)
    assert no_children()


def test_time_limit_and_stop_are_kept() -> None:
    """On a board that SAT does not solve: what ends it is the limit, and then the stop, which comes with some news."""
    problem = problem_of("12x12", True, "turns")
    hint = merge(Problem(problem.graph)).tour
    result = solve(problem, engine="sat", time_limit=0.5, hint=hint)
    assert result.status == "feasible"
    stop = threading.Event()

    def on_progress(progress: Report) -> None:
        if progress.engine.startswith("sat/"):
            stop.set()

    assert (
        solve(problem, engine="sat", hint=hint, limits=Limits(stop=stop), on_progress=on_progress).status == "feasible"
    )
    assert stop.is_set() and no_children()


def test_a_stopped_search_says_so() -> None:
    run = Run(Limits(600))
    run.end()
    with pytest.raises(Stopped):
        solve_here(problem_of("8x8", True), run, SatOptions())
    engine = SatProcess(problem_of("8x8", True), SatOptions())
    engine.interrupt()
    with pytest.raises(Stopped):
        engine.work(run)
    assert no_children()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_children_end_with_their_parent(number: int) -> None:
    """Whatever way the parent goes, also one that leaves it no time."""
    program = (
        "from encoders import solve\n"
        "from encoders.work.child import alive\n"
        "import signal, threading, time\n"
        "from kt_models import Problem, graph_of\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # a shell's background jobs ignore it
        "def show():\n"
        "    while not (pids := [child.pid for child in list(alive)]): time.sleep(0.05)\n"
        "    print(*pids, flush=True)\n"
        "threading.Thread(target=show, daemon=True).start()\n"
        "solve(Problem(graph_of('6x8'), objective='crossings'), engine='sat', hint=False)\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, env=environment())
    assert parent.stdout is not None
    with parent:
        pids = [int(word) for word in parent.stdout.readline().split()]
        assert pids
        parent.send_signal(number)
        parent.wait(PATIENCE)
        until(lambda: not any(map(running, pids)))


def test_bad_arguments() -> None:
    problem = problem_of("6x6", True)
    for options in (
        {"engine": "sat", "encoding": "x"},
        {"engine": "sat", "encoding": "circuit"},
        {"engine": "sat", "solver": "x"},
        {"engine": "cpsat", "solver": "cadical153"},
    ):
        with pytest.raises(KTError):
            solve(problem, hint=False, **options)
    with pytest.raises(KTError):
        SatOptions(mode="x")


def test_faults_of_a_child_reach_the_parent() -> None:
    too_large = graph_of("360x360")
    with pytest.raises(TooLarge):
        solve(Problem(too_large), engine="sat", hint=False, limits=Limits(workers=1))
    with pytest.raises(KTError):
        portfolio.engines(problem_of("6x6", True), 2, "x")
    assert no_children()


def test_bounds_and_incumbents_reach_a_child() -> None:
    problem = problem_of("6x6", True, "turns")
    best = solve(problem, limits=Limits(workers=1))
    run = Run(Limits(600))
    run.report("other", edges=best.edges, value=best.value, bound=best.value - 1)
    found = SatProcess(problem, SatOptions(mode="descent")).work(run)
    assert isinstance(found, Report)
    assert (found.status, found.bound) == ("optimal", 32)


def no_children() -> bool:
    """Whether every child process was seen to its end (losers may take a moment)."""
    until(lambda: not alive)
    return True
