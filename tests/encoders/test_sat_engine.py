"""The SAT engine: what it answers quickly, what merges components, limits, and that no process is left."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading

import numpy as np
import pytest

from encoders import solve
from encoders.sat import portfolio
from encoders.sat.formula import Formula
from encoders.sat.merging import Merger, merger_of
from encoders.sat.optimise import solve as search_here
from encoders.sat.options import SatOptions
from encoders.sat.oracle import Oracle
from encoders.sat.process import SatProcess
from encoders.work.child import alive
from encoders.work.run import Run
from heuristics.searches.merge import merge
from kt_models import KTError, MoveGraph, Problem, TooLarge, graph_of, verify_edges
from kt_models.limits import NO_LIMITS, Limits, Report, Stopped
from tests.engines import FINDERS, by_sat, problem_of
from tests.processes import PATIENCE, environment, running, until


def petersen() -> MoveGraph:
    ring, spokes = [(i, (i + 1) % 5) for i in range(5)], [(i, i + 5) for i in range(5)]
    return MoveGraph.from_edges(10, np.array(ring + spokes + [(5 + i, 5 + (i + 2) % 5) for i in range(5)]))


def test_the_petersen_graph_has_a_path_and_no_cycle() -> None:
    for options in FINDERS:
        assert by_sat(Problem(petersen()), options).status == "infeasible"
        assert by_sat(Problem(petersen(), "path"), options).status == "feasible"


@pytest.mark.parametrize("symmetry", ["rot90", "rot180"])
def test_symmetric_tours_of_10x10(symmetry: str) -> None:
    for options in FINDERS:
        assert by_sat(problem_of("10x10", True, symmetry=symmetry), options).status == "feasible"


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
    with Oracle("glucose4", formula.clauses) as oracle:
        assert oracle.solve()
        edges = formula.edges_of(oracle.model())
    for merged in (merger.merge(edges, NO_LIMITS), merger.begin_anew(NO_LIMITS)):
        assert merged is not None
        if merged.components == 1:
            verify_edges(problem, merged.edges)


def test_open_tour_from_a_corner_and_linkages() -> None:
    for options in FINDERS:
        assert by_sat(Problem(graph_of("5x5"), "path", terminals=(0,)), options).status == "feasible"
        graph = graph_of("6x6")
        corners = tuple(graph.find(cell) for cell in ("a1", "f6", "a6", "f1"))
        for connectivity in ("linkage", "paths"):
            assert by_sat(Problem(graph, connectivity, terminals=corners), options).status == "feasible"


@pytest.mark.parametrize("seed", range(3))
def test_a_seed_gives_one_answer(seed: int) -> None:
    problem = problem_of("12x12", True, symmetry="rot180")
    for options in FINDERS:
        first, second = (by_sat(problem, options, seed) for _ in range(2))
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
        assert result.engine.startswith("sat/") and result.statistics[f"{result.engine.partition('+')[0]} searches"] > 0
    assert no_children()


@pytest.mark.slow
def test_solver_and_encoding_are_named() -> None:
    for solver in ("cadical195", "maplechrono", "minisat22"):
        result = solve(problem_of("8x8", True), engine="sat", solver=solver, hint=False, limits=Limits(workers=1))
        assert result.engine == f"sat/cut-set {solver}"
    result = solve(
        problem_of("6x6", True), encoding="relative", solver="glucose4", hint=False, limits=Limits(workers=1)
    )
    assert result.engine == "sat/relative glucose4"


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
        search_here(problem_of("8x8", True), run, SatOptions())
    engine = SatProcess(problem_of("8x8", True), SatOptions())
    engine.interrupt()
    with pytest.raises(Stopped):
        engine.work(run)
    assert no_children()


def test_a_search_that_is_stopped_while_its_process_works_says_so() -> None:
    """The process that ends is no fault of the search: at a time limit the answer would be one."""
    engine = SatProcess(problem_of("8x8", True), SatOptions())
    ends: list[BaseException] = []

    def work() -> None:
        try:
            engine.work(Run(Limits(600)))
        except BaseException as error:
            ends.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    until(lambda: bool(alive) or not thread.is_alive())  # It is still loading modules
    engine.interrupt()
    thread.join()
    assert [type(error) for error in ends] == [Stopped] and no_children()


@pytest.mark.parametrize(
    "number", [pytest.param(signal.SIGTERM, marks=pytest.mark.slow), signal.SIGINT, signal.SIGKILL]
)
def test_children_end_with_their_parent(number: int) -> None:
    """Whatever way the parent goes, also one that leaves it no time."""
    program = (
        "from encoders import solve\n"
        "from encoders.work.child import alive\n"
        "import signal, threading, time\n"
        "from kt_models import Problem, graph_of\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # A shell's background jobs ignore it
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


def test_faults_of_a_child_reach_the_parent() -> None:
    too_large = graph_of("360x360")
    with pytest.raises(TooLarge):
        solve(Problem(too_large), engine="sat", hint=False, limits=Limits(workers=1))
    with pytest.raises(KTError):
        portfolio.engines(problem_of("6x6", True), 2, "x")
    with pytest.raises(KTError):
        SatOptions(mode="x")
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
