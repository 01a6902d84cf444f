"""What the tests of proofs share: claims judged by brute force, honest folders, and alterations of clauses."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

from encoders.proof import write_folder
from kt_models import InvalidTour, Problem, Symmetry, graph_of, verify_edges
from kt_models.kernel.certificates.proofs.dimacs import digest_of
from kt_models.kernel.certificates.proofs.manifest import FORMULA, MANIFEST, PROOF
from tests import brute

FILES = (FORMULA, PROOF, MANIFEST)

TOUR = sorted(brute.edge_set(graph_of("5x6"), brute.tours("5x6", True)[0], True))
"""The edges of a closed tour of 5x6."""

HONEST = {
    "turns": Problem(graph_of("5x6"), "cycle", "turns"),
    "4x6": Problem(graph_of("4x6")),
    "path": Problem(graph_of("3x4"), "path", "turns"),
    "linkage": Problem(graph_of("4x4"), "linkage", None, (0, 15)),
    "symmetry": Problem(graph_of("5x6"), "cycle", symmetry=(Symmetry.parse("mirror-x"),)),
}
"""Problems to prove: that nothing is below the least value, or that there is no solution where nothing is minimised."""


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
    """The least value of a solution; None where there is none."""
    return min((problem.value(np.array(edges)) for edges in solutions(problem)), default=None)


def claim_is_true(problem: Problem, bound: int | None) -> bool:
    """Whether the problem has no solution (below the bound, where there is one)."""
    return not any(bound is None or value_below(problem, edges, bound) for edges in solutions(problem))


def value_below(problem: Problem, edges: list[int], bound: int) -> bool:
    value = problem.value(np.array(edges))
    return value is not None and value < bound


def seal(folder: Path, data: dict[str, Any]) -> None:
    """Write a manifest with the digests that the files have now."""
    data["sha256"] = {name: digest_of(folder / name) for name in (FORMULA, PROOF)}
    (folder / MANIFEST).write_text(json.dumps(data))


def honest_folders(factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A folder with a proof for each of `HONEST`."""
    made = {}
    for name, problem in HONEST.items():
        made[name] = factory.mktemp(name)
        write_folder(problem, least(problem) - 1 if problem.objective else None, made[name])
    return made


def pigeons(n: int) -> list[list[int]]:
    """Clauses that put n + 1 pigeons into n holes, no two into one: they have no model."""
    at = [[p * n + h + 1 for h in range(n)] for p in range(n + 1)]
    apart = [[-at[p][h], -at[q][h]] for h in range(n) for p in range(n + 1) for q in range(p)]
    return at + apart


def altered_clauses(clauses: list[list[int]], top: int, draw: st.DataObject) -> list[list[int]]:
    """Up to three changes: a clause or a literal left out, put in, negated or moved."""
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
