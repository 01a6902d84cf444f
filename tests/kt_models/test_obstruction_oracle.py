"""No short proof of an impossibility is accepted where brute force finds a solution, whatever its data."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from heuristics.obstruction import find_obstruction
from kt_models import CertificateError, KTError, Problem, Symmetry, graph_of
from kt_models.kernel.certificates.obstructions import (
    refute_by_cut,
    refute_by_force,
    refute_by_symmetry,
    refute_by_theorem,
    refute_small,
)
from tests.effort import part_of
from tests.small_problems import random_problem, solutions

REFUTERS = {
    "small": refute_small,
    "cut": refute_by_cut,
    "forced": refute_by_force,
    "symmetry": refute_by_symmetry,
    "theorem": refute_by_theorem,
}
JUNK: list[Any] = [None, [], "all", [0, 0], [-1], [True], [1.0], [10**9], [2**63], [[0]], {}, 3]


def data_for(random: Random, problem: Problem) -> Iterator[dict[str, Any]]:
    """Data for cuts: random cells and moves, a colour class, neighbours of a set, and nonsense."""
    n, graph = problem.graph.n, problem.graph
    yield {"removed": []}
    for _ in range(3):
        removed = random.sample(range(n), random.randint(0, n))
        moves = random.sample(sorted(problem.required), random.randint(0, len(problem.required)))
        yield {"removed": removed, "moves": moves}
        moves = random.sample(range(graph.m), random.randint(0, min(graph.m, 3)))  # Required or not
        yield {"removed": removed[:2], "moves": moves}
        inner = random.sample(range(n), random.randint(1, n))
        yield {
            "removed": sorted({int(u) for v in inner for u in graph.neighbours[graph.indptr[v] : graph.indptr[v + 1]]})
        }
    yield {"removed": random.choice(JUNK), "moves": random.choice([[], *JUNK, random.sample(range(graph.m), graph.m)])}


def attack(seed: int, count: int) -> Counter[str]:
    """How often each method was accepted, of so many problems; fails where one refutes what has a solution."""
    random = Random(seed)
    figures: Counter[str] = Counter()
    for _ in range(count):
        problem = random_problem(random)
        answers = solutions(problem)
        figures["problems"] += 1
        figures["feasible"] += bool(answers)
        for method, refute in REFUTERS.items():
            for data in data_for(random, problem) if method == "cut" else [{}]:
                figures["certificates"] += 1
                try:
                    refute(problem, data)
                except (CertificateError, KTError):
                    continue
                figures[f"{method} {problem.connectivity}"] += 1
                assert not answers, (method, problem.to_json(), data, answers[0])
        if problem.connectivity in ("cycle", "path"):
            figures["obstructions made"] += find_obstruction(problem) is not None
    return figures


def test_nothing_that_has_a_solution_is_refuted() -> None:
    figures = attack(1, part_of(1500))
    for method in (
        "small cycle",
        "cut linkage",
        "cut paths",
        "forced path",
        "symmetry cycle",
        "symmetry path",
        "theorem path",
    ):
        assert figures[method], figures


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 12))
def test_nothing_that_has_a_solution_is_refuted_at_length(seed: int) -> None:
    attack(seed, 10_000)


@pytest.mark.parametrize("method", sorted(REFUTERS))
@pytest.mark.parametrize("terminals", [(), (0,)])
def test_a_single_cell_is_an_open_tour(method: str, terminals: tuple[int, ...]) -> None:
    problem = Problem(graph_of("1x1"), "path", None, terminals)
    for removed in ([], [0]):
        with pytest.raises(CertificateError):
            REFUTERS[method](problem, {"removed": removed})


@pytest.mark.parametrize("connectivity", ["any", "linkage", "paths"])
def test_symmetries_of_several_cycles_or_paths_are_not_counted(connectivity: str) -> None:
    """On 3x3 without its centre two moves meet in every cell: under a half-turn that choice is one."""
    ends = () if connectivity == "any" else (0, 7)
    problem = Problem(graph_of("3x3-b2"), connectivity, None, ends, symmetry=(Symmetry.parse("rot180"),))
    with pytest.raises(CertificateError, match="this method needs"):
        refute_by_symmetry(problem, {})
    with pytest.raises(CertificateError):
        refute_by_force(problem, {})


def test_cuts_of_linkages() -> None:
    """Four paths in all; the middle column of 3x3 taken by wazirs leaves what three paths cannot cover."""
    problem = Problem(graph_of("3x3"), "linkage", None, (0, 1))
    assert "separate parts" in refute_by_cut(problem, {"removed": []})
    with pytest.raises(CertificateError, match="degrees alone"):
        refute_by_cut(Problem(graph_of("3x3"), "any"), {"removed": []})


if __name__ == "__main__":
    print(attack(int(sys.argv[1]), int(sys.argv[2])))
