"""Given numbers: whoever solves, lists, counts or refutes says what brute force says, on all boards to 5x5."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from random import Random

import numpy as np
import pytest

import kt
from encoders import solve
from encoders.enumeration import enumerate_tours, numbering
from encoders.proof.numbering import prove_numbering
from heuristics.find import find
from heuristics.numbering import counted_as_tours
from kt_models import InvalidTour, KTError, MoveGraph, Problem, Result, Tour, graph_of
from kt_models.kernel.certificates import Statement
from kt_models.kernel.certificates.proofs.numbering import check_numbering
from kt_models.limits import Limits
from kt_models.numbers import GivenNumbers
from kt_models.runs.tour_task import TourTask
from tests.brute import cycles, paths
from tests.effort import part_of

SIDES = range(1, 6)
PLACES = [
    *((f"{width}x{height}", "1,2") for width in SIDES for height in SIDES),
    *((f"{width}x{height}", "0,1") for width in SIDES for height in SIDES),
    *((f"{width}x{height}", "king") for width in range(1, 4) for height in range(1, 4)),
    ("3x4-b2", "1,2"),
    ("aztec:2", "1,2"),
    ("4x4-a1,d4", "0,1"),
    ("3x4-b2", "king"),
]
CASES_OF_PLACE = 24

Numbering = tuple[int, ...]


@lru_cache(maxsize=128)
def all_numberings(board: str, leaper: str, closed: bool) -> tuple[Numbering, ...]:
    """Every order of the vertices that a tour can be numbered in."""
    graph = graph_of(board, kt.Leaper.parse(leaper))
    orders = []
    for tour in cycles(graph) if closed else paths(graph):
        ways = {tuple(tour), tuple(reversed(tour))}
        orders += [way[k:] + way[:k] for way in ways for k in range(len(tour) if closed else 1)]
    return tuple(orders)


def random_problem(random: Random, graph: MoveGraph, closed: bool, known: tuple[Numbering, ...]) -> Problem:
    """Given numbers, sums, moves and ends, more often than not those of a numbering that there is."""
    n, real = graph.n, bool(known) and random.random() < 0.8
    order = list(random.choice(known)) if real else random.sample(range(n), n)
    place = {vertex: number for number, vertex in enumerate(order, start=1)}
    allowed: dict[int, set[int]] = {}
    for vertex in random.sample(range(n), random.randint(0, min(n, random.choice((2, 4, n))))):
        kind = random.random()
        low, other = random.randint(1, place[vertex]), random.randint(place[vertex], n)
        several = {place[vertex], random.randint(1, n)} if kind < 0.8 else set(range(low, other + 1))
        allowed[vertex] = {place[vertex]} if kind < 0.5 else several
    board = graph.board
    assert board is not None
    lines = [[v for v in line.tolist() if v >= 0] for grid in (board.grid, board.grid.T) for line in grid]
    lines = [line for line in lines if line]
    chosen = random.sample(lines, random.choice((0, 0, 0, 1, len(lines))))
    sums = [(line, sum(place[v] for v in line)) for line in chosen]
    walked = {frozenset(step) for step in [*pairwise(order), (order[-1], order[0])]}
    used = [e for e, ends in enumerate(graph.ends.tolist()) if frozenset(ends) in walked] if real else range(graph.m)
    unused = [e for e in range(graph.m) if not (real and e in used)]
    required = frozenset(random.sample(used, min(len(used), random.choice((0, 0, 0, 1, 2)))))
    forbidden = frozenset(random.sample(unused, min(len(unused), random.choice((0, 0, 0, 1, 3)))))
    ends = random.sample([order[0], order[-1]] if real else range(n), min(n, random.choice((0, 0, 1, 2))))
    return Problem(
        graph,
        "cycle" if closed else "path",
        terminals=() if closed else tuple(dict.fromkeys(ends)),
        required=required,
        forbidden=forbidden - required,
        numbers=GivenNumbers.of(n, allowed.items(), sums),
    )


def fits(order: Numbering, problem: Problem) -> bool:
    """Whether a numbering is one of a problem, by the meaning of the words."""
    assert problem.numbers is not None
    place = {vertex: number for number, vertex in enumerate(order, start=1)}
    steps = {frozenset(step) for step in pairwise(order)} | (
        {frozenset((order[0], order[-1]))} if problem.closed else set()
    )
    ends = problem.graph.ends.tolist()
    return (
        all(place[vertex] in numbers for vertex, numbers in problem.numbers.allowed)
        and all(sum(place[v] for v in line) == total for line, total in problem.numbers.sums)
        and all(frozenset(ends[e]) in steps for e in problem.required)
        and all(frozenset(ends[e]) not in steps for e in problem.forbidden)
        and (problem.closed or all(end in (order[0], order[-1]) for end in problem.terminals))
    )


@cache
def cases() -> list[tuple[Problem, tuple[Numbering, ...], Random]]:
    """Random problems on every board, and their numberings."""
    return list(_cases())


def _cases() -> Iterator[tuple[Problem, tuple[Numbering, ...], Random]]:
    for index, (board, leaper) in enumerate(PLACES):
        graph = graph_of(board, kt.Leaper.parse(leaper))
        for closed in (True, False):
            known = all_numberings(board, leaper, closed)
            for seed in range(part_of(CASES_OF_PLACE) if known else 1):
                random = Random(index * 1000 + seed * 2 + closed)
                problem = random_problem(random, graph, closed, known)
                yield problem, tuple(order for order in known if fits(order, problem)), random


def test_the_random_cases_are_of_every_kind() -> None:
    """Some have no numbering, some one and some many; closed and open, with sums and without."""
    counts = [len(known) for _, known, _ in cases()]
    assert counts.count(0) > 50 and counts.count(1) > 20 and sum(count > 1 for count in counts) > 50
    for closed in (True, False):
        for sums in (True, False):
            some = [known for p, known, _ in cases() if p.closed == closed and bool(p.numbers.sums) == sums]
            assert any(some) and not all(some)


@pytest.mark.parametrize("first_steps", [numbering.FIRST_STEPS, 0])
def test_every_numbering_is_listed_once(first_steps: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the search at once, and by solvers and what follows them."""
    monkeypatch.setattr(numbering, "FIRST_STEPS", first_steps)
    monkeypatch.setattr(numbering, "MAX_SOLVER_NUMBERINGS", 2)
    for problem, known, random in cases():
        if first_steps or random.random() < (0.05 if problem.numbers.sums else 0.3):
            orders = [tuple(order.tolist()) for order in numbering.every_numbering(problem)]
            assert len(orders) == len(set(orders)), problem.numbers
            assert set(orders) == set(known), problem.numbers


def test_tours_are_written_from_the_cell_with_1() -> None:
    for problem, known, random in cases():
        if known and random.random() < 0.2:
            tours = [tuple(tour.order.tolist()) for tour in enumerate_tours(TourTask(problem))]
            assert sorted(tours) == sorted(known)


def test_counts_are_those_of_numberings() -> None:
    swept = 0
    for problem, known, _ in cases():
        assert kt.count(problem) == len(known), problem.numbers
        swept += counted_as_tours(problem) is not None
    assert swept > 50


def test_whoever_solves_finds_one_if_there_is_one() -> None:
    for problem, known, random in cases():
        engines = ["auto", "cpsat", *([] if problem.numbers.sums else ["sat"])]
        results = [find(problem)]
        if random.random() < 0.15:
            results.append(solve(problem, engine=random.choice(engines), limits=Limits(workers=1)))
        for result in results:
            assert result.status == ("feasible" if known else "infeasible"), (result.engine, problem.numbers)
            assert result.tour is None or tuple(result.tour.order.tolist()) in known


def test_problems_and_answers_are_read_back(tmp_path: Path) -> None:
    for problem, known, random in cases():
        again = Problem.from_json(json.loads(json.dumps(problem.to_json())))
        assert again == problem and again.numbers == problem.numbers and hash(again) == hash(problem)
        assert problem != replace(problem, numbers=None)
        assert str(Statement(problem, "infeasible")) != str(Statement(replace(problem, numbers=None), "infeasible"))
        if known:
            order = np.array(random.choice(known), dtype=np.int32)
            tour = Tour(problem.graph, np.roll(order, 1) if problem.closed else order[::-1], problem.closed)
            result = Result(problem, "feasible", tour)
            assert tuple(result.tour.order.tolist()) in known
            (tmp_path / "result.json").write_text(json.dumps(result.to_json()))
            assert kt.check(tmp_path / "result.json").shown[0].problem == problem


@pytest.mark.slow
def test_a_tour_without_such_a_numbering_is_refused() -> None:
    refused = 0
    for problem, known, random in cases():
        every = all_numberings(problem.graph.board.text, str(problem.graph.leaper), problem.closed)
        free = replace(problem, numbers=None)
        edges_of = {frozenset(Tour(problem.graph, np.array(order), problem.closed).edges.tolist()) for order in known}
        for order in random.sample(every, min(len(every), 3)):
            tour = Tour(problem.graph, np.array(order), problem.closed)
            try:
                Result(free, "feasible", tour)
            except InvalidTour:
                continue
            if frozenset(tour.edges.tolist()) in edges_of:
                assert Result(problem, "feasible", tour).tour == tour
            else:
                refused += 1
                for solution in ({"tour": tour}, {"edges": tour.edges}):
                    with pytest.raises(InvalidTour, match="given numbers"):
                        Result(problem, "feasible", **solution)
    assert refused > 50


@pytest.mark.parametrize("symmetry", [(), ("mirror-y",)])
def test_with_an_objective_and_a_symmetry(symmetry: tuple[str, ...]) -> None:
    """The fewest turns of a numbering, and how many numberings have them."""
    graph = graph_of("5x6")
    everyone = [Tour(graph, np.array(order), True) for order in all_numberings("5x6", "1,2", True)]
    fitting = [t for t in everyone if t.order[0] == 0 and 29 in (t.order[13], t.order[17])]
    fitting = [t for t in fitting if {*symmetry} <= {s.name for s in t.symmetries()}]
    problem = kt.problem("5x6", minimize="turns", numbers={"a1": 1, "e6": {14, 18}}, symmetry=symmetry)
    turns = [tour.measure("turns") for tour in fitting]
    least = min(turns)
    result = solve(problem, limits=Limits(workers=1))
    assert (result.status, result.value) == ("optimal", least)
    assert kt.count(problem) == turns.count(least) < len(turns)
    assert kt.count(problem, value=least + 1) == turns.count(least + 1)
    counted = Statement(problem, "count", turns.count(least), of_value=least)
    assert f"with given numbers a1: 1, e6: 14 or 18, with {least} turns" in counted.text


@pytest.mark.slow
def test_proofs_of_none_and_of_no_other(tmp_path: Path) -> None:
    """A folder is written exactly where there is none, or one; its claim is about this problem."""
    written = 0
    for index, (problem, known, random) in enumerate(cases()):
        if problem.numbers.sums or random.random() < 0.6:
            continue
        folder = tmp_path / str(index)
        only = list(known[0]) if known else None
        if len(known) > 1:
            with pytest.raises(KTError, match="there is another solution"):
                prove_numbering(problem, folder, only)
            assert not folder.exists()
            continue
        prove_numbering(problem, folder, only)
        written += 1
        claim = check_numbering(folder).statement
        assert claim == (Statement(problem, "count", 1) if known else Statement(problem, "infeasible"))
    assert written > 30
