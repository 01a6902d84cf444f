"""The frozen sweep beside brute force where that ends, and the toolkit's sweep beside the frozen one where it does not.

An engine that replaces the sweep is judged by the second half: `toolkit_count` and `toolkit_least` ask it.  By default
the frozen sweep runs in plain Python, on small problems: to compile it takes longer than they do.
"""

from __future__ import annotations

import ast
import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

import numpy as np
import pytest
from numba.core.dispatcher import Dispatcher

from kt_models import Problem, graph_of
from kt_models.kernel.certificates.frontier import count_solutions, least_value
from tests import brute
from tests.effort import part_of
from tests.oracle import frozen_sweep
from tests.oracle.problems import problem
from tests.oracle.truth import Case, TooMany, case_of

RESULTS = Path(__file__).parents[2] / "heuristics" / "delivered" / "results"


def slow(*cases: tuple[str, str | int | None]) -> list[Any]:
    return [pytest.param(*case, marks=pytest.mark.slow) for case in cases]


@pytest.fixture(autouse=True)
def plain(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[bool]:
    """Whether the frozen sweep runs in plain Python."""
    if request.node.get_closest_marker("slow"):
        yield False
        return
    for name, loop in list(vars(frozen_sweep).items()):
        if isinstance(loop, Dispatcher):
            monkeypatch.setattr(frozen_sweep, name, loop.py_func)
    with np.errstate(over="ignore"):  # Hashes wrap around on purpose
        yield True


def toolkit_count(posed: Problem, at_most: int | None = None) -> dict[int, int]:
    counts = count_solutions(posed, by_value=at_most is not None, at_most=at_most)
    return {0: counts.total} if counts.by_value is None else counts.by_value


def toolkit_least(posed: Problem, at_most: int, inner: tuple[int, ...] = ()) -> int | None:
    return least_value(posed, at_most=at_most, inner=inner).value


def board_problem(board: str, objective: str | None, connectivity: str = "cycle") -> Problem:
    return Problem(graph_of(board), connectivity, objective)  # type: ignore[arg-type]


# -- beside brute force ----------------------------------------------------------------------------------------------


def test_the_frozen_sweep_depends_on_no_code_of_kt() -> None:
    """Standard library, numpy and numba; for types only, the oracle's case."""
    tree = ast.parse(Path(frozen_sweep.__file__).read_text())
    names = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    names |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    others = {name for name in names if name.partition(".")[0] not in sys.stdlib_module_names}
    assert others == {"numba", "numpy", "numpy.typing", "tests.oracle.truth"}


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_every_kind_of_problem(seed: int, plain: bool) -> None:
    """Counts and least values, in any order of the vertices, with any potentials, inner vertices and few states."""
    rng, seen = Random(seed), Counter[str]()
    while sum(seen.values()) < part_of(300):
        _, posed = problem(rng)
        case = replace(case_of(posed), generators=())
        if plain and len(case.edges) > 11:
            continue
        if case.directed or not case.n or any(not 0 <= weight < 2**20 for *_, weight in case.weights):
            continue  # It refuses some of these
        try:
            known = dict(sorted(Counter(map(case.value, case.solutions)).items()))
        except TooMany:
            continue
        seen[case.connectivity] += 1
        order = rng.sample(range(case.n), case.n)
        assert frozen_sweep.count(case, order=order) == ({0: sum(known.values())} if known else {})
        assert frozen_sweep.has_solution(case) is bool(known)
        if case.objective is None:
            continue
        assert frozen_sweep.count(case, by_value=True, order=order) == known
        compare_least(rng, case, known, order)
    assert len(seen) == 5


def compare_least(rng: Random, case: Case, known: dict[int, int], order: list[int]) -> None:
    """The least value, with caps at it and below it, however the sweep is helped."""
    values = tuple(rng.randint(-6, 6) for _ in case.edges)
    potentials = rng.choice((None, frozen_sweep.Potentials(values, rng.randint(1, 4))))
    inner = rng.sample(range(case.n), rng.randint(0, case.n))
    with mock.patch.object(frozen_sweep, "FIRST_STATES", rng.choice((1, 10, 100_000))):
        assert frozen_sweep.least(case, potentials=potentials, order=order) == min(known, default=None)
        if known:
            least = min(known)
            few = {value: number for value, number in known.items() if value <= least + 1}
            assert frozen_sweep.count(case, at_most=least + 1) == few
            assert frozen_sweep.least(case, potentials=potentials, inner=inner, at_most=least) == least
            assert frozen_sweep.least(case, potentials=potentials, inner=inner, at_most=least - 1) is None
            relaxed = frozen_sweep.least(case, potentials=potentials, relaxed=True)
            assert relaxed is not None and relaxed <= least


def test_walks_round_a_periodic_board() -> None:
    """With gains on the edges, told again from their definition: cycles and paths are followed one by one."""
    rng, seen = Random(3), 0
    while seen < part_of(300):
        _, posed = problem(rng)
        case = replace(case_of(posed), generators=(), objective=None)
        if case.connectivity not in ("any", "linkage") or not case.n:
            continue
        degrees = replace(case, connectivity="any")  # Cycles beside the paths are for the gains to allow
        gain = [rng.choice((-1, 0, 0, 1)) for _ in case.edges]
        strands = rng.random() < 0.5
        try:
            number = sum(_leads_as_asked(case, chosen, gain, strands) for chosen in degrees.solutions)
        except TooMany:
            continue
        winding = frozen_sweep.Winding(np.array(gain, dtype=np.int64), strands)
        assert frozen_sweep.count(case, winding=winding) == ({0: number} if number else {})
        seen += 1


def _leads_as_asked(case: Case, chosen: int, gain: list[int], strands: bool) -> bool:
    """Whether every cycle leads round where that is allowed, and paths join the terminals that they should."""
    at: dict[int, list[tuple[int, int, int]]] = {v: [] for v in range(case.n)}
    for e, (u, v) in enumerate(case.edges):
        if chosen >> e & 1:
            at[u].append((e, v, gain[e]))
            at[v].append((e, u, -gain[e]))
    seen: set[int] = set()
    for start in [*case.terminals, *range(case.n)]:
        if start in seen:
            continue
        vertex, used, total = start, -1, 0
        seen.add(start)
        while steps := [step for step in at[vertex] if step[0] != used]:
            used, vertex, more = steps[0]
            total += more
            if vertex == start:
                break
            seen.add(vertex)
        if start in case.terminals:
            mate = case.terminals.index(start) ^ 1
            joined = case.connectivity != "linkage" or case.terminals[mate] == vertex
            if not joined or (total and not strands):
                return False
        elif not strands or total == 0:
            return False
    return True


@pytest.mark.parametrize(
    ("board", "connectivity"),
    [
        ("3x4", "path"),
        *slow(("5x6", "cycle"), ("3x10", "cycle"), ("4x5", "path"), ("5x5", "path"), ("6x6", "cycle")),
    ],
)
def test_counts_by_value_agree_with_brute_force(board: str, connectivity: str) -> None:
    """As many of each number of turns and of crossings as a search without any sweep finds."""
    for metric in ("turns", "crossings"):
        known = Counter(brute.values(board, connectivity == "cycle", metric))
        case = case_of(board_problem(board, metric, connectivity))
        assert frozen_sweep.count(case, by_value=True) == dict(known)
        assert frozen_sweep.least(case) == min(known)


# -- beside the toolkit, where brute force ends ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("board", "count"),
    [("3x10", 16), *slow(("3x40", None), ("5x10", None), ("6x7", 1_067_638), ("6x8", 55_488_142))],
)
def test_the_toolkit_counts_as_it_does(board: str, count: int | None) -> None:
    """The numbers that are given were published."""
    posed = board_problem(board, None)
    (number,) = frozen_sweep.count(case_of(posed)).values()
    assert toolkit_count(posed) == {0: number}
    assert count in (None, number)


@pytest.mark.parametrize(
    ("board", "metric"),
    [
        ("3x10", "turns"),
        ("3x10", "crossings"),
        *slow(("6x7", "turns"), ("6x7", "crossings"), ("6x8", "turns"), ("6x8", "crossings"), ("7x8", "crossings")),
    ],
)
@pytest.mark.timeout(3000)
def test_the_toolkit_counts_the_best_tours_as_it_does(board: str, metric: str) -> None:
    posed = board_problem(board, metric)
    least = json.loads((RESULTS / f"{metric}-{board}.json").read_text())["value"]
    counts = frozen_sweep.count(case_of(posed), at_most=least)
    assert list(counts) == [least]
    assert toolkit_count(posed, least) == counts


@pytest.mark.parametrize(
    ("board", "metric"),
    [
        ("3x10", "turns"),
        *slow(
            ("6x7", "turns"),
            ("6x7", "crossings"),
            ("6x8", "turns"),
            ("6x8", "crossings"),
            ("7x8", "turns"),
            ("7x8", "crossings"),
            ("8x8", "crossings"),
        ),
    ],
)
@pytest.mark.timeout(3000)
def test_the_toolkit_finds_the_same_least_value(board: str, metric: str) -> None:
    """A sweep of all tours that cost at most what the results say finds nothing cheaper."""
    result = json.loads((RESULTS / f"{metric}-{board}.json").read_text())
    inner = tuple(result["certificate"]["data"].get("inner", ()))
    posed = board_problem(board, metric)
    least = frozen_sweep.least(case_of(posed), at_most=result["value"], inner=inner)
    assert toolkit_least(posed, result["value"], inner) == least == result["value"]
