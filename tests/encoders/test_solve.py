"""Engines against brute force on boards: existence, least values, how many optima, symmetries; and `solve` itself."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from ortools.sat.python import cp_model

from encoders import solve
from encoders.cpsat.model import Model
from encoders.solve import begin
from encoders.stages import Request, construction
from encoders.work.child import alive
from encoders.work.run import Run
from kt_models import KTError, Leaper, MoveGraph, Problem, Symmetry, TooLarge, Tour, Weights, graph_of, verify_edges
from kt_models.kernel.certificates import Checked
from kt_models.limits import Limits
from tests import brute
from tests.effort import slow_rows
from tests.engines import BOARDS, FINDERS, MINIMISERS, WITH_TOURS, answers, problem_of
from tests.processes import until


def solutions(problem: Problem, value: int | None, encoding: str) -> set[frozenset[int]]:
    """All solutions of the model of a problem, with a given value: what an engine would enumerate."""
    model = Model(problem, encoding)
    if value is not None:
        model.cp.add(model.objective == value)
        model.cp.clear_objective()
    found: set[frozenset[int]] = set()

    class Collect(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            found.add(frozenset(e for e, x in enumerate(model.edge) if self.boolean_value(x)))

    solver = cp_model.CpSolver()
    solver.parameters.enumerate_all_solutions = True
    solver.parameters.num_workers = 1
    assert solver.solve(model.cp, Collect()) in (cp_model.OPTIMAL, cp_model.INFEASIBLE)
    return found


def optima(problem: Problem, value: int) -> int:
    """The number of solutions with a value, by forbidding each one found: quick where they are few."""
    model = Model(problem, "circuit")
    model.cp.add(model.objective == value)
    model.cp.clear_objective()
    solver = cp_model.CpSolver()
    solver.parameters.subsolvers.extend(["max_lp", "quick_restart"])
    count = 0
    while solver.solve(model.cp) != cp_model.INFEASIBLE:
        model.cp.add_bool_or(~x for x in model.edge if solver.boolean_value(x))
        count += 1
    return count


@pytest.mark.parametrize("closed", [True, False], ids=["closed", "open"])
@pytest.mark.parametrize("board", BOARDS)
def test_all_engines_agree_with_brute_force_on_existence(board: str, closed: bool) -> None:
    expected = "feasible" if brute.has_tour(board, closed) else "infeasible"
    assert (expected == "feasible") == ((board, closed) in WITH_TOURS or (board == "1x1" and not closed))
    for who, result in answers(problem_of(board, closed), FINDERS):
        assert result.status == expected, who


def test_the_open_tour_of_one_cell_begins_and_ends_there() -> None:
    for ends in ((), (0,)):
        problem = Problem(graph_of("1x1"), "path", terminals=ends, symmetry=(Symmetry.parse("rot90"),))
        assert {result.status for _, result in answers(problem, FINDERS)} == {"feasible"}


def test_fewest_turns_of_two_cells() -> None:
    graph = graph_of("1x2", Leaper(0, 1))
    assert solve(Problem(graph, "path", "turns", (0, 1))).value == 0
    edges = np.array([0], dtype=np.int32)
    assert solve(Problem(graph, "path", Weights(edges, edges, np.array([3])), (0, 1))).value == 3


LONG = [
    ("5x5", False, "turns"),
    ("3x10", True, "crossings"),
    ("4x5", False, "crossings"),
    ("5x5", False, "crossings"),
    ("5x6", False, "crossings"),
    ("6x6", True, "crossings"),
    ("5x6", False, "turns"),
    ("4x6", False, "crossings"),
    ("4x6", False, "turns"),
    ("5x6", True, "crossings"),
    ("6x6", True, "turns"),
]
"""Proofs with three encodings, and of the number of optima besides, that take long: smaller boards do as well."""


@pytest.mark.parametrize(
    ("board", "closed", "metric"),
    [
        pytest.param(*case, marks=pytest.mark.slow if case in LONG else ())
        for board in [*WITH_TOURS, ("3x10", True), ("6x6", True)]
        for case in [(*board, "turns"), (*board, "crossings")]
    ],
)
def test_least_value_and_number_of_optima(board: str, closed: bool, metric: str) -> None:
    graph = graph_of(board)
    values = brute.values(board, closed, metric)
    least = min(values)
    problem = problem_of(board, closed, metric)
    few = MINIMISERS if graph.n <= 16 or metric == "turns" else MINIMISERS[:1]
    some = few if (board, closed) in WITH_TOURS and (closed or graph.n < (30 if metric == "turns" else 24)) else []
    for who, result in answers(problem, some):
        assert (result.status, result.value, result.bound) == ("optimal", least, least), who
    count = values.count(least)
    if count <= 30:
        assert optima(problem, least) == count
    elif graph.n < 30:
        assert len(solutions(problem, least, "circuit")) == count


@pytest.mark.parametrize("symmetry", ["rot180", "mirror-x", "mirror-y"])
@pytest.mark.parametrize(
    ("board", "closed"), [*WITH_TOURS[:-1], *slow_rows([*WITH_TOURS[-1:], ("3x10", True)]), ("6x6", True)]
)
def test_symmetric_tours(board: str, closed: bool, symmetry: str) -> None:
    graph = graph_of(board)
    image = graph.edge_permutation(Symmetry.parse(symmetry))
    symmetric = [edges for edges in brute.edge_sets(board, closed) if frozenset(image[sorted(edges)].tolist()) == edges]
    by_sat = board != "6x6" and (closed or graph.n < 24)
    for who, result in answers(problem_of(board, closed, symmetry=symmetry), FINDERS if by_sat else []):
        assert result.status == ("feasible" if symmetric else "infeasible"), who
    if 0 < len(symmetric) <= 200:
        problem = problem_of(board, closed, "turns", symmetry)
        least = min(problem.value(np.array(sorted(edges))) for edges in symmetric)
        for who, result in answers(problem, MINIMISERS if by_sat else []):
            assert result.value == least, who
        count = sum(problem.value(np.array(sorted(edges))) == least for edges in symmetric)
        assert len(solutions(problem, least, "circuit")) == count


@pytest.mark.parametrize(("board", "closed", "count"), [("5x6", True, 8), ("3x10", True, 16), ("3x12", True, 176)])
def test_published_counts(board: str, closed: bool, count: int) -> None:
    assert len(brute.tours(board, closed)) == count
    assert len(solutions(problem_of(board, closed), None, "circuit")) == count


def test_published_counts_by_brute_force_alone() -> None:
    assert len(brute.tours("6x6", True)) == 9862
    assert 2 * len(brute.tours("5x5", False)) == 1728


@pytest.mark.parametrize(("board", "count"), [("6x6", 5)])
def test_rot90_tours_of_6x6(board: str, count: int) -> None:
    """The five with quaternary symmetry, as Bergholt and Jelliss count them up to reflection."""
    tours = solutions(problem_of(board, True, symmetry="rot90"), None, "circuit")
    graph = graph_of(board)
    classes = set()
    for edges in tours:
        (walk,) = verify_edges(problem_of(board, True), np.array(sorted(edges)))
        tour = Tour(graph, np.array(walk.vertices), True)
        assert len(tour.symmetries()) == 4
        classes.add(tuple(tour.canonical().order.tolist()))
    assert len(classes) == count


def test_linkages_of_three_pairs_are_not_shifted() -> None:
    """Paths that join s1-t2, s2-t3, s3-t1 would close up into one circuit through the virtual arcs t_i -> s_i+1."""
    shifted = MoveGraph.from_edges(6, [[0, 3], [2, 5], [4, 1]])
    right = MoveGraph.from_edges(6, [[0, 3], [2, 5], [4, 1], [0, 1], [2, 3], [4, 5]])
    for encoding in ("circuit", "cut-set", "race"):
        for graph, status in ((shifted, "infeasible"), (right, "feasible")):
            problem = Problem(graph, "linkage", terminals=(0, 1, 2, 3, 4, 5))
            result = solve(problem, engine="cpsat", encoding=encoding, limits=Limits(workers=2))
            assert result.status == status and any(name.startswith("cpsat/") for name in result.statistics)


def test_a_sweep_says_what_it_took() -> None:
    result = solve(Problem(graph_of("5x6"), objective="crossings"))
    assert result.value == 49 and result.statistics["frontier sweeps"] > 0 < result.statistics["frontier states"]


@pytest.mark.parametrize(
    "board",
    [
        "torus:1x4",
        "torus:2x3",
        pytest.param("torus:3x3", marks=pytest.mark.slow),
        "torus:4x3",
        "torus:4x4",
        "cylinder:4x4",
        "torus:2x1",
        "3x3x2",
    ],
)
def test_all_engines_agree_on_periodic_boards(board: str) -> None:
    """Two different moves may join the same two cells; every engine says the same, and what is found is verified."""
    problem = problem_of(board, True)
    answers = {solve(problem, engine="cpsat", encoding=e).status for e in ("circuit", "cut-set")} | {
        solve(problem).status
    }
    assert len(answers) == 1
    if answers == {"feasible"} and board != "torus:4x4":  # Its least number of turns takes a minute to prove
        minimal = problem_of(board, True, "turns")
        ways = [("circuit", False), ("cut-set", True), ("race", True)]
        assert len({solve(minimal, encoding=encoding, hint=hint).value for encoding, hint in ways}) == 1


def test_weights_that_no_floating_point_number_holds() -> None:
    """CP-SAT would round its bound; SAT solvers count in integers."""
    graph = graph_of("3x4")
    numbers = np.arange(6, dtype=np.int32)
    weights = Weights(numbers, numbers, np.arange(6) - 2**61)  # Which together do not fit into 64 bits
    problem = Problem(graph, "path", weights)
    values = [weights.value(np.array(sorted(edges))) for edges in brute.edge_sets("3x4", False)]
    result = solve(problem, limits=Limits(workers=1))
    assert (result.status, result.value) == ("optimal", min(values))
    with pytest.raises(TooLarge, match="weights"):
        solve(problem, engine="cpsat", hint=False)


def test_same_seed_same_answer_on_one_worker() -> None:
    problem = problem_of("8x8", True)
    orders = [solve(problem, limits=Limits(workers=1, seed=5)).tour.order.tolist() for _ in range(2)]
    assert orders[0] == orders[1]
    engine = [solve(problem, engine="cpsat", limits=Limits(workers=1, seed=5)).tour.order.tolist() for _ in range(2)]
    assert engine[0] == engine[1]
    assert solve(problem, limits=Limits(workers=1, seed=6)).tour.order.tolist() != orders[0]


def test_stop_ends_a_solve() -> None:
    """On a board that no machine solves: what ends it is the stop, which comes when an engine is at work."""
    stop = threading.Event()

    def stop_then() -> None:
        until(lambda: any("cpsat" in thread.name for thread in threading.enumerate()))
        stop.set()

    threading.Thread(target=stop_then).start()
    result = solve(problem_of("10x10", True, "turns"), engine="cpsat", limits=Limits(stop=stop))
    assert stop.is_set() and result.status == "feasible"
    assert result.bound < result.value


def test_progress_is_reported_and_gets_better() -> None:
    seen = []
    result = solve(problem_of("8x8", True, "turns"), limits=Limits(workers=2), on_progress=seen.append)
    assert (result.status, result.value) == ("optimal", 45)
    assert seen and seen[-1].value == result.value
    until(lambda: not alive)  # Whoever lost may take a moment
    values = [p.value for p in seen if p.value is not None]
    bounds = [p.bound for p in seen if p.bound is not None]
    assert values == sorted(values, reverse=True)
    assert bounds == sorted(bounds)


def test_bad_arguments() -> None:
    problem = problem_of("6x6", True)
    for options in (
        {"engine": "x"},
        {"time_limit": -1},
        {"engine": "cpsat", "encoding": "x"},
        {"engine": "cpsat", "solver": "cadical153"},
        {"engine": "sat", "encoding": "circuit"},
        {"engine": "sat", "solver": "x"},
    ):
        with pytest.raises(KTError):
            solve(problem, **options)
    for limits in ({"workers": -1}, {"seed": 2**40}):
        with pytest.raises(KTError):
            Limits(**limits)
    with pytest.raises(KTError):
        solve(problem, hint=Tour(graph_of("6x6"), np.arange(36), True))


@pytest.mark.parametrize(
    "options",
    [
        {"engine": "sat"},
        {"engine": "cpsat"},
        pytest.param({"encoding": "binary"}, marks=pytest.mark.slow),
        pytest.param({"solver": "glucose4"}, marks=pytest.mark.slow),
    ],
)
def test_where_any_tour_will_do_a_hint_leaves_nothing_to_an_engine(options: dict[str, Any]) -> None:
    problem = problem_of("5x6", True)
    hint = solve(problem).tour
    assert hint is not None and solve(problem, hint=hint).engine == "hint"
    with pytest.raises(KTError, match="nothing to do"):
        solve(problem, hint=hint, **options)
    assert solve(problem_of("5x6", True, "turns"), hint=hint, **options).value == 28


@pytest.mark.slow
@pytest.mark.parametrize(
    ("board", "metric", "value"), [("12x12", "turns", 77), ("8x10", "turns", 53), ("6x8", "crossings", 59)]
)
@pytest.mark.timeout(1800)
def test_optima_with_longer_proofs_are_found(board: str, metric: str, value: int) -> None:
    result = solve(problem_of(board, True, metric))
    assert (result.status, result.value) == ("optimal", value)


@pytest.mark.slow
def test_a_large_board_ends_where_the_construction_is_close_to_the_bound() -> None:
    result = solve(problem_of("66x66", True, "turns"))
    assert (result.status, result.bound) == ("feasible", 506) and (result.value or 600) <= 510
    assert isinstance(result.certificate, Checked)


@pytest.mark.parametrize(("board", "symmetry", "value"), [("150x150", "rot90", 1284), ("600x600", "rot180", 4784)])
def test_symmetric_tours_of_large_boards_start_from_a_family(board: str, symmetry: str, value: int) -> None:
    problem = Problem(graph_of(board), objective="turns", symmetry=(Symmetry.parse(symmetry),))
    run = Run.of(problem)
    construction.STAGE.work(begin(Request(problem), run))
    assert run.value == value and run.standing.source == "find/strands"


@pytest.mark.parametrize(
    ("board", "leaper", "connectivity", "metric"),
    [("4x5", "0,1", "cycle", "crossings"), ("1x4", "0,1", "path", "crossings"), ("1x1", "1,2", "path", "turns")],
)
def test_a_least_value_of_0_has_a_certificate_too(board: str, leaper: str, connectivity: str, metric: str) -> None:
    problem = Problem(graph_of(board, Leaper.parse(leaper)), connectivity, metric)  # type: ignore[arg-type]
    result = solve(problem)
    assert (result.status, result.value) == ("optimal", 0)
    assert result.certificate is not None and "certificate of the bound checked" in result.how
    assert replace(result, certificate=None).how == "tour verified; bound not certified"
