"""The brute force that checkers are held against agrees with `verify_edges`, which shares no code with it."""

from __future__ import annotations

from itertools import combinations
from random import Random

import numpy as np

from kt_models import InvalidTour, verify_edges
from tests.small_problems import edge_images, orbits, random_problem, solutions, value


def test_solutions_are_what_verify_edges_accepts() -> None:
    random = Random(5)
    feasible = 0
    for _ in range(250):
        problem = random_problem(random, objective=True, most=9)
        accepted = set()
        for size in range(problem.graph.m + 1):
            for edges in combinations(range(problem.graph.m), size):
                try:
                    verify_edges(problem, np.array(edges, dtype=np.int64))
                except InvalidTour:
                    continue
                accepted.add(frozenset(edges))
        answers = solutions(problem)
        feasible += bool(answers)
        assert set(answers) == accepted and len(answers) == len(accepted), problem.to_json()
        for edges in answers:
            assert value(problem, edges) == problem.value(np.array(sorted(edges), dtype=np.int64))
    assert feasible > 30


def test_images_of_moves_are_those_of_the_graph() -> None:
    random = Random(6)
    for _ in range(400):
        problem = random_problem(random)
        for symmetry in problem.symmetry:
            assert edge_images(problem, symmetry) == problem.graph.edge_permutation(symmetry).tolist()
        assert orbits(problem) == problem.edge_orbits.tolist()
