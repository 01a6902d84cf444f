"""The quotient of a board by its symmetries stands for all symmetric tours, at the same value: against brute force."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from kt_models import CertificateError, Leaper, Problem, Symmetry, Weights, graph_of
from kt_models.kernel.certificates import Certificate, Checked, Statement
from kt_models.kernel.certificates.quotient import quotient_of
from tests import brute

CASES = [
    ("4x4", "0,1", ("rot90",)), ("6x6", "0,1", ("rot90",)), ("6x4", "0,1", ("rot180",)),
    ("aztec:2", "1,2", ("rot180",)), ("torus:4x4", "0,1", ("rot180",)), ("cylinder:4x4", "0,1", ("rot180",)),
    ("2x2x4", "0,1", ("(-x,-y,-z)",)),
]  # fmt: skip


def of(board: str, leaper: str, symmetry: tuple[str, ...], **asked: object) -> Problem:
    graph = graph_of(board, Leaper.parse(leaper))
    return Problem(graph, symmetry=tuple(Symmetry.parse(s, graph.geometry[0].dimension) for s in symmetry), **asked)


def symmetric_tours(problem: Problem) -> list[frozenset[int]]:
    """The edges of every closed tour that every symmetry maps to itself, and that the problem allows."""
    graph = problem.graph
    images = [graph.edge_permutation(symmetry) for symmetry in problem.group]
    tours = {brute.edge_set(graph, order, True) for order in brute.cycles(graph)}
    return [
        tour
        for tour in tours
        if all(frozenset(image[list(tour)].tolist()) == tour for image in images)
        and problem.required <= tour and not problem.forbidden & tour
    ]  # fmt: skip


def random_weights(problem: Problem, rng: Random) -> Weights:
    pairs = np.array([rng.choices(range(problem.graph.m), k=2) for _ in range(200)], dtype=np.int32)
    weight = np.array([rng.randrange(4) for _ in pairs], dtype=np.int64)
    return Weights(pairs[:, 0], pairs[:, 1], weight)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_symmetric_tour_is_a_tour_of_the_quotient(case: tuple[str, str, tuple[str, ...]]) -> None:
    rng = Random(str(case))
    plain = of(*case, objective="turns")
    tours = symmetric_tours(plain)
    some = sorted(rng.choice(tours)) if tours else []
    for problem in (
        plain,
        replace(plain, objective="crossings") if plain.graph.board.dimension == 2 else plain,
        replace(plain, objective=random_weights(plain, rng)),
        replace(plain, required=frozenset(some[:1]), forbidden=frozenset({rng.randrange(plain.graph.m)}) - set(some)),
    ):
        quotient = quotient_of(problem)
        assert quotient is not None
        rows, edge = np.unique(problem.edge_orbits, return_inverse=True)
        cell = np.unique([min(s.permutation(problem.graph.board)[v] for s in problem.group)
                          for v in range(problem.graph.n)], return_inverse=True)[1]  # fmt: skip
        ends = cell[problem.graph.ends[rows]]
        kept = np.flatnonzero(ends[:, 0] != ends[:, 1]).tolist()
        orders = set()
        for tour in symmetric_tours(problem):
            chosen = [kept.index(orbit) for orbit in {int(edge[e]) for e in tour}]
            orders.add(frozenset(chosen))
            assert quotient.weights.value(np.array(chosen)) == problem.weights.value(np.array(sorted(tour)))
            assert quotient.required <= set(chosen) and not quotient.forbidden & set(chosen)
            assert_cycle(quotient.graph.n, quotient.graph.ends[chosen].tolist())
        values = [quotient.weights.value(np.array(sorted(chosen))) for chosen in orders]
        if values:
            least = Checked.of_bound("quotient", problem, {"at_least": min(values) + 1}).bound
            assert least is not None and least <= min(values)


def assert_cycle(n: int, ends: list[list[int]]) -> None:
    """One cycle through all vertices, parallel edges told apart."""
    assert len(ends) == n and sorted(v for pair in ends for v in pair) == sorted([*range(n)] * 2)
    reached, grown = {0}, True
    while grown:
        more = {v for pair in ends if reached & set(pair) for v in pair}
        grown, reached = not more <= reached, reached | more
    assert len(reached) == n


def test_the_known_least_values() -> None:
    for board, symmetry, metric, least in (
        ("6x6", "rot90", "crossings", 52), ("6x6", "rot90", "turns", 32), ("6x6", "rot180", "crossings", 50),
    ):  # fmt: skip
        problem = of(board, "1,2", (symmetry,), objective=metric)
        certificate = Checked.of_bound("quotient", problem, {"at_least": 60})
        assert certificate.bound == least and Certificate.from_json(certificate.to_json()).check()
        with pytest.raises(CertificateError):
            Certificate("quotient", Statement(problem, "at-least", least + 1), {"at_least": least + 1}).check()


@pytest.mark.parametrize(
    "problem",
    [
        of("6x6", "1,2", (), objective="turns"),  # No symmetry
        of("6x5", "1,2", ("rot180",), objective="turns"),  # Moves through the middle stay
        of("5x5", "0,1", ("rot90",), objective="turns"),  # The middle cell stays
        of("6x6", "1,2", ("rot180",), objective="turns", connectivity="path"),
        of("2x2", "0,1", ("rot90",), objective="turns"),  # One orbit
        of("6x4", "0,1", ("rot180", "mirror-x"), objective="turns", connectivity="any"),
    ],
    ids=range(6),
)
def test_where_there_is_none(problem: Problem) -> None:
    assert quotient_of(problem) is None
    with pytest.raises(CertificateError):
        Certificate("quotient", Statement(problem, "at-least", 0), {}).check()
