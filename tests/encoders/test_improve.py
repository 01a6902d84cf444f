"""`kt improve`: windows are exact, what comes back is never worse and always a tour."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from encoders.improve import improve
from encoders.improve.choice import Chooser
from encoders.improve.search import WindowSearch
from encoders.improve.window import Ground, Window, chosen_edges, contract, search
from encoders.work.run import Run
from heuristics.find import find
from heuristics.searches.merge import merge
from kt_models import InvalidTour, Problem, Result, Symmetry, Tour, graph_of, read_tour, verify, write_tour
from kt_models.files.check import check_file
from kt_models.limits import Limits
from kt_models.problem import verify_edges
from kt_models.walks import walks_of
from kt_models.weights import Weights
from tests.brute import tours
from tests.command import kt
from tests.processes import PATIENCE

BOARDS = [
    ("6x6", "cycle", "turns"),
    ("8x8", "cycle", "crossings"),
    ("7x6", "path", "crossings"),
    ("5x5", "path", "turns"),
    ("aztec:4", "cycle", "crossings"),
    ("8x8-a1,h1", "path", "turns"),
    ("3x4x4", "cycle", "turns"),
    ("torus:4x6", "path", "crossings"),
]


def start(board: str, connectivity: str, metric: str, seed: int = 0, **asked: object) -> tuple[WindowSearch, Problem]:
    """A search that stands at a random tour."""
    problem = Problem(graph_of(board), connectivity, metric, **asked)  # type: ignore[arg-type]
    tour = merge(problem, limits=Limits(seed=seed)).tour
    assert tour is not None
    return WindowSearch(Result(problem, "feasible", tour), Run(Limits(600, workers=1)), None), problem


def windows_of(state: WindowSearch, seed: int, count: int) -> list[Window]:
    rng = np.random.default_rng(seed)
    chooser = Chooser(state.problem.graph, len(state.problem.group), rng)
    found = []
    for _ in range(count):
        _, vertices = chooser.draw(np.ones(state.problem.graph.n))
        inside = state.ground.closure(vertices)
        window = contract(state.ground, state.order, state.edges, inside, rng)
        if window is not None:
            found.append(window)
    return found


def replaced(state: WindowSearch, window: Window, found: np.ndarray) -> np.ndarray:
    """The edges of the whole with a window's choice in place of what it had."""
    chosen = state.chosen.copy()
    chosen[chosen_edges(window, window.now)] = False
    chosen[chosen_edges(window, found)] = True
    edges = np.flatnonzero(chosen)
    return edges[edges < state.problem.graph.m]


@pytest.mark.parametrize(
    ("board", "connectivity", "metric"),
    [
        pytest.param(*case, marks=pytest.mark.slow if case[0] in ("7x6", "torus:4x6", "aztec:4") else ())
        for case in BOARDS
    ],
)
def test_a_tour_saves_what_its_window_saves(board: str, connectivity: str, metric: str) -> None:
    """The difference between two choices of a window is the difference between the whole tours, to the unit."""
    state, problem = start(board, connectivity, metric, seed=3)
    changed = 0
    for number, window in enumerate(windows_of(state, 2, 3)):
        verify_edges(window.problem, window.now)  # What is there is a solution of the window
        assert (window.edges[window.required] < 0).all()
        found = search(window, number, 0.3, 200.0)
        if found.edges is None:
            continue
        edges = replaced(state, window, found.edges)
        verify_edges(problem, edges)
        before, after = window.problem.value(window.now), window.problem.value(found.edges)
        assert before is not None and after is not None
        whole = problem.value(edges)
        assert whole is not None
        assert whole - state.value == after - before <= 0
        changed += set(found.edges.tolist()) != set(window.now.tolist())
    assert changed


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(BOARDS))
def test_a_choice_is_one_cycle_here_exactly_when_it_is_one_there(seed: int, case: tuple[str, str, str]) -> None:
    """Any exchange of two free edges: the contracted graph and the whole one fall into as many cycles."""
    state, _ = start(*case, seed=seed % 3)
    for window in windows_of(state, seed, 2):
        free = [e for e in window.now.tolist() if window.edges[e] >= 0]
        rng = np.random.default_rng(seed)
        first, second = rng.choice(free, 2, replace=False).tolist()
        (a, b), (c, d) = window.ends[first].tolist(), window.ends[second].tolist()
        number = {tuple(pair): e for e, pair in enumerate(window.ends.tolist())}
        new = [number.get((min(p), max(p))) for p in ((a, c), (b, d))]
        if None in new or len({a, b, c, d}) < 4 or set(new) & set(window.now.tolist()):
            continue
        found = np.array(sorted((set(window.now.tolist()) - {first, second}) | set(new)))
        window_walks = walks_of(window.n, window.ends[found])
        chosen = state.chosen.copy()
        chosen[chosen_edges(window, window.now)] = False
        chosen[chosen_edges(window, found)] = True
        there = walks_of(state.ground.n, state.ground.ends[chosen])
        assert len(window_walks) == len(there)


def test_a_window_of_the_whole_board_is_the_problem() -> None:
    state, problem = start("6x6", "cycle", "turns")
    inside = np.ones(36, dtype=bool)
    window = contract(state.ground, state.order, state.edges, inside, np.random.default_rng(0))
    assert window is not None
    assert len(window.required) == 0 and len(window.ends) == problem.graph.m
    found = search(window, 0, 20.0, 1000.0)
    assert found.finished and found.edges is not None
    assert problem.value(replaced(state, window, found.edges)) == 32


@pytest.mark.parametrize("symmetry", ["rot90", "rot180"])
def test_symmetric_windows_keep_the_symmetry(symmetry: str) -> None:
    problem = Problem(graph_of("6x6"), objective="turns", symmetry=(Symmetry.parse("rot90"),))
    from encoders import solve

    tour = solve(Problem(problem.graph, symmetry=problem.symmetry), limits=Limits(workers=1)).tour
    assert tour is not None
    asked = (Symmetry.parse(symmetry),)
    result = improve(tour, Problem(problem.graph, objective="turns", symmetry=asked), limits=Limits(0.3, workers=1))
    assert result.tour is not None and result.value is not None
    assert asked[0] in result.tour.symmetries()
    assert result.value <= tour.measure("turns")


@pytest.mark.slow
def test_the_least_of_6x6_is_found_and_known_by_its_bound() -> None:
    tour = find(Problem(graph_of("6x6")), "merge", limits=Limits(seed=5)).tour
    assert tour is not None
    told: list[Result] = []
    result = improve(tour, "turns", limits=Limits(600, workers=2, seed=1), anneal=False, on_improvement=told.append)
    assert (result.status, result.value, result.bound) == ("optimal", 32, 32)
    values = [better.value for better in told]
    assert result.statistics["improve windows"] >= len(values)
    assert values == sorted(values, reverse=True) and values[-1] == 32 and len(set(values)) == len(values)
    for better in told:
        assert better.tour is not None
        verify(better.tour)
        assert better.tour.measure("turns") == better.value


@pytest.mark.slow
def test_against_every_tour_of_a_board() -> None:
    graph = graph_of("5x6")
    every = sorted((Tour(graph, np.array(order), True) for order in tours("5x6", True)), key=_crossings)
    least, tour = every[0].measure("crossings"), every[-1]
    stop = threading.Event()

    def on_improvement(better: Result) -> None:
        if better.value == least:
            stop.set()

    limits = Limits(600, stop, workers=1)
    result = improve(tour, "crossings", limits=limits, bound=False, anneal=False, on_improvement=on_improvement)
    assert result.value == least
    assert result.status == "feasible" and result.bound == 0


def _crossings(tour: Tour) -> int:
    return tour.measure("crossings")


def test_required_and_forbidden_moves_are_kept() -> None:
    graph = graph_of("6x6")
    tour = find(Problem(graph), "merge", limits=Limits(seed=2)).tour
    assert tour is not None
    required = frozenset(tour.edges[:6].tolist())
    forbidden = frozenset(np.setdiff1d(np.arange(graph.m), tour.edges)[::3].tolist())
    problem = Problem(graph, objective="turns", required=required, forbidden=forbidden)
    result = improve(tour, problem, limits=Limits(0.2, workers=1))
    assert result.tour is not None
    chosen = set(result.tour.edges.tolist())
    assert required <= chosen and not forbidden & chosen


def test_weights_of_a_graph_without_a_board() -> None:
    """Any graph, with any weights: here each edge's own."""
    from kt_models import MoveGraph

    pairs = [(u, v) for u in range(12) for v in range(u)]
    graph = MoveGraph.from_edges(12, pairs)
    rng = np.random.default_rng(4)
    edges = np.arange(graph.m, dtype=np.int32)
    weights = Weights(edges, edges, rng.integers(0, 50, graph.m), "length")
    tour = merge(Problem(graph)).tour
    assert tour is not None
    stop = threading.Event()
    options = {"anneal": False, "bound": False, "on_improvement": lambda better: stop.set()}
    result = improve(tour, weights, limits=Limits(600, stop, 1), **options)
    assert result.value is not None and result.value < weights.value(tour.edges)


def test_ends_that_are_named_stay() -> None:
    graph = graph_of("5x5")
    tour = merge(Problem(graph, "path", terminals=(0,))).tour
    assert tour is not None
    result = improve(tour, Problem(graph, "path", "turns", terminals=(0,)), limits=Limits(0.2, workers=1))
    assert result.tour is not None and 0 in (result.tour.order[0], result.tour.order[-1])


def test_one_worker_and_one_seed_give_one_answer() -> None:
    """As long as no clock cuts in: the first better tours are the same."""

    def first_values() -> list[list[int]]:
        tour = find(Problem(graph_of("6x6")), "merge", limits=Limits(seed=1)).tour
        assert tour is not None
        stop, told = threading.Event(), []

        def on_improvement(better: Result) -> None:
            assert better.tour is not None
            told.append(better.tour.normalised().order.tolist())
            if len(told) == 2:
                stop.set()

        options = {"anneal": False, "bound": False, "on_improvement": on_improvement}
        improve(tour, "turns", limits=Limits(600, stop, 1, seed=7), **options)
        return told[:2]

    assert first_values() == first_values()


def test_windows_of_a_ball_and_of_a_box_are_of_the_size_asked_for() -> None:
    rng = np.random.default_rng(0)
    for board in ("20x20", "4x50", "6x6x6", "torus:8x8"):
        graph = graph_of(board)
        chooser = Chooser(graph, 1, rng)
        for _ in range(20):
            kind, vertices = chooser.draw(np.zeros(graph.n))
            assert 0.3 * kind.size <= len(vertices) <= 1.8 * kind.size
            assert len(np.unique(vertices)) == len(vertices) and vertices.max() < graph.n
    plain = graph_of("20x20").ends
    from kt_models import MoveGraph

    ball = Chooser(MoveGraph.from_edges(400, plain), 1, rng)._ball(17, 30)
    assert len(ball) == 30 and ball[0] == 17


def test_ground_knows_where_the_objective_is_paid() -> None:
    state, problem = start("8x8", "cycle", "turns")
    costs = Ground(problem).costs(state.chosen)
    assert costs.shape == (64,) and costs.sum() == 4 * state.value  # Each turn at two ends of each of two moves


@pytest.fixture
def tour_file(tmp_path):  # type: ignore[no-untyped-def]
    tour = find(Problem(graph_of("6x6")), "merge", limits=Limits(seed=3)).tour
    assert tour is not None
    write_tour(tmp_path / "tour.json", tour)
    return str(tmp_path / "tour.json")


def test_kt_improve_writes_the_optimum(tour_file: str, tmp_path) -> None:  # type: ignore[no-untyped-def]
    out = str(tmp_path / "better.json")
    run = kt("improve", tour_file, "--minimize", "turns", "--time-limit", 600, "--json", "-o", out)
    assert run.exit_code == 0, run.output
    data = json.loads(run.stdout)
    assert data["value"] == data["turns"] == data["bound"] == 32 and data["status"] == "optimal"
    assert "32 turns" in check_file(out).text
    short = kt("improve", tour_file, "--minimize", "crossings", "--time-limit", 1, "--workers", 1, "-o", out)
    assert short.exit_code == (0 if "least, proved" in short.stdout else 3) and "crossings" in short.stdout
    assert read_tour(out).measure("crossings") <= read_tour(tour_file).measure("crossings")


@pytest.mark.parametrize(
    "words",
    [
        ["--minimize", "beauty"],
        ["--minimize", "turns", "--time-limit", "-1"],
        ["--minimize", "turns", "--workers", "0"],
        ["--minimize", "turns", "--seed", "-1"],
        ["--minimize", "turns", "--open"],
        ["--minimize", "turns", "--symmetry", "rot90"],
        ["--minimize", "turns", "--to", "a1"],
        ["--minimize", "turns", "-o", "x.bmp"],
        [],
    ],
)
def test_bad_usage_is_one_line(tour_file: str, words: list[str]) -> None:
    run = kt("improve", tour_file, *words)
    assert run.exit_code == 2
    assert run.stderr.startswith("kt: ") and run.stderr.count("\n") <= 2 and not run.stdout


def test_a_wrong_tour_is_refused() -> None:
    graph = graph_of("6x6")
    tour = find(Problem(graph), "merge").tour
    assert tour is not None
    with pytest.raises(InvalidTour):
        improve(Tour(graph, np.roll(tour.order, 1)[:-1], True), "turns")


@pytest.mark.slow
def test_a_script_without_a_guard_can_call_it(tour_file: str, tmp_path) -> None:  # type: ignore[no-untyped-def]
    """The processes must not run the caller's script again."""
    script = (
        "from encoders.improve import improve\nfrom kt_models import read_tour\n"
        f"print('once', improve(read_tour({tour_file!r}), 'turns', time_limit=600, anneal=False).value)\n"
    )
    (tmp_path / "script.py").write_text(script)
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    for words, text in (([str(tmp_path / "script.py")], None), (["-"], script)):
        run = subprocess.run(
            [sys.executable, *words], input=text, capture_output=True, text=True, env=environment, timeout=PATIENCE
        )
        assert (run.stdout, run.stderr) == ("once 32\n", "")
