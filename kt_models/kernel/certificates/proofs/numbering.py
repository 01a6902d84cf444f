"""Proofs about given numbers: a formula derived again from the problem, and an LRAT proof that it has no model.

The variable of number k and vertex v, for each that may have it, says that v has the number k. The clauses say:

- each number has a vertex, and each vertex a number; no number has two vertices, and no vertex two numbers;
- the vertex of a number is joined to that of the next one, and of the one before; of a closed tour the last number is
  before the first;
- a closed tour has at least three vertices (the empty clause, if there are fewer);
- where the shape has `S`, the vertices before and after lie straight on; where it has `T`, they do not;
- a required edge joins two numbers that follow each other, and a forbidden one is left out;
- for the claim that a numbering is the only one, one clause says that some vertex has another number.

By the meaning of the variables, a numbering that solves the problem is a model. So if the formula is unsatisfiable, no
such numbering exists. The folder explains no clauses: `formula_of` writes them, and the file has to be the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from kt_models.errors import CertificateError, KTError, TooLarge
from kt_models.fields import require_derived, require_fields
from kt_models.json_values import are_integers
from kt_models.json_version import FORMAT_VERSION, read_document
from kt_models.kernel.certificates.proofs.dimacs import open_file, proof_steps, read_formula
from kt_models.kernel.certificates.proofs.lrat import replay
from kt_models.kernel.certificates.proofs.manifest import FORMULA, MANIFEST, PROOF
from kt_models.kernel.certificates.statement import Statement
from kt_models.limits import NO_LIMITS, Limits, Listener, silent
from kt_models.numbers import GivenNumbers
from kt_models.problem import Problem, solution_edges
from kt_models.storage import read_json
from kt_models.tour import Tour

KIND = "numbering-proof"
MAX_VERTICES = 144
"""Most vertices of a problem with such a proof: its formula has about a million clauses."""


class NumberingProof(NamedTuple):
    """Outcome of a check: the statement, the number of clauses, and the steps that were replayed."""

    statement: Statement
    clauses: int
    steps: int

    @property
    def how(self) -> str:
        """The outcome in words."""
        return (
            f"checked: all {self.clauses:,} clauses made again from the problem; the LRAT proof, {self.steps:,} steps"
        )


def _served(problem: Problem) -> GivenNumbers:
    """Given numbers of a problem without other conditions.

    Raises
    ------
    KTError
        If the problem has other conditions, or too many vertices.
    """
    graph, numbers = problem.graph, problem.numbers
    if problem.connectivity not in ("cycle", "path") or problem.symmetry or graph.directed is not None:
        raise KTError("a proof by numbers covers closed and open tours without a symmetry")
    if numbers is None or numbers.sums:
        raise KTError("a proof by numbers covers given numbers, and not sums")
    if graph.n > MAX_VERTICES:
        raise TooLarge(f"a proof by numbers covers at most {MAX_VERTICES} vertices")
    return numbers


def variables_of(problem: Problem) -> dict[tuple[int, int], int]:
    """Variable of each number, from 0, and vertex that may have it.

    Raises
    ------
    KTError
        If the problem has more conditions than given numbers.
    """
    graph, numbers = problem.graph, _served(problem)
    free = frozenset(range(1, graph.n + 1))
    ends = (1, graph.n)
    variables: dict[tuple[int, int], int] = {}
    for k in range(graph.n):
        for v in range(graph.n):
            may = k + 1 in numbers.of_vertex.get(v, free)
            if v in problem.terminals and k + 1 not in ends:
                may = False
            if may:
                variables[k, v] = len(variables) + 1
    return variables


def formula_of(problem: Problem, excluded: Sequence[int] | None = None) -> Iterator[list[int]]:
    """Clauses of the formula (see the module).

    Parameters
    ----------
    excluded
        The vertices of a known numbering, in the order of their numbers; the proof is that there is no other one.
    """
    variables, graph, n = variables_of(problem), problem.graph, problem.graph.n
    if problem.closed and n < 3:
        yield []
    at_number: list[list[int]] = [[] for _ in range(n)]
    at_vertex: list[list[int]] = [[] for _ in range(n)]
    for (k, v), x in variables.items():
        at_number[k].append(x)
        at_vertex[v].append(x)
    for literals in (*at_number, *at_vertex):
        yield literals
        for x, y in combinations(literals, 2):
            yield [-x, -y]
    near: list[set[int]] = [set() for _ in range(n)]
    for edge, (u, v) in enumerate(graph.ends.tolist()):
        if edge not in problem.forbidden and u != v:
            near[u].add(v)
            near[v].add(u)
    for (k, v), x in variables.items():
        for step in (1, -1):
            after = k + step
            if problem.closed:
                after %= n
            if 0 <= after < n:
                yield [-x, *(variables[after, u] for u in sorted(near[v]) if (after, u) in variables)]
    yield from _shape_clauses(problem, variables, near)
    for edge in sorted(problem.required):
        u, v = graph.ends[edge].tolist()
        for (k, w), x in variables.items():
            if w == u:
                beside = [(k + step) % n if problem.closed else k + step for step in (1, -1)]
                yield [-x, *(variables[j, v] for j in sorted(set(beside)) if (j, v) in variables)]
    if excluded is not None:
        yield [-variables[k, v] for k, v in enumerate(excluded)]


def _shape_clauses(
    problem: Problem, variables: dict[tuple[int, int], int], near: Sequence[set[int]]
) -> Iterator[list[int]]:
    """Clauses of the shape: of each vertex v at a place, each neighbour u before it, and what then is after it."""
    shape, n = None if problem.numbers is None else problem.numbers.shape, problem.graph.n
    for place, letter in enumerate("" if shape is None else shape.letters):
        before, after = (place - 1) % n, (place + 1) % n
        for v in range(n) if letter in "ST" else ():
            for u in sorted(near[v]):
                if (before, u) not in variables or (place, v) not in variables:
                    continue
                two = [-variables[before, u], -variables[place, v]]
                lies_on = [w for w in sorted(near[v]) if (u, v, w) in shape.straight]  # type: ignore[union-attr]
                straight = [variables[after, w] for w in lies_on if (after, w) in variables]
                if letter == "S":
                    yield two + straight
                else:
                    yield from ([*two, -x] for x in straight)


def manifest_of(problem: Problem, excluded: Sequence[int] | None) -> dict[str, Any]:
    """The object in the folder's manifest: the problem, and its only numbering if there is one."""
    only = {} if excluded is None else {"only": list(excluded)}
    return {"version": FORMAT_VERSION, "kind": KIND, "problem": problem.to_json(), **only}


def check_numbering(
    folder: Path,
    *,
    limits: Limits = NO_LIMITS,
    on_progress: Listener = silent,
) -> NumberingProof:
    """Check a folder: its formula is that of the problem, and its proof shows that the formula has no model.

    Raises
    ------
    CertificateError
        If the proof does not show what it claims.
    KTError
        If a file cannot be read; `Stopped` if a limit is reached.
    """
    data = read_document(read_json(folder / MANIFEST), KIND)
    if not isinstance(data.get("problem"), dict):
        raise KTError(f"{folder}: 'problem' is missing")
    problem, excluded = Problem.from_json(data["problem"]), data.get("only")
    try:
        require_fields(data, KIND)
        require_derived(data, {"problem": problem.to_json()}, KIND, fault=CertificateError)
        numbers = _served(problem)
        if problem.objective is not None:
            raise CertificateError("a proof by numbers says nothing about values")
        if excluded is not None:
            if not are_integers(excluded, 0, problem.graph.n - 1) or sorted(excluded) != list(range(problem.graph.n)):
                raise CertificateError("'only' is not an order of all vertices")
            tour = Tour(problem.graph, np.array(excluded, dtype=np.int32), problem.closed)
            solution_edges(problem, tour)
            if (fault := numbers.fault(tour.order, problem.graph.name_of)) is not None:
                raise CertificateError(f"the only numbering is invalid: {fault}")
    except KTError as error:
        raise type(error)(f"{folder}: {error}") from None
    clauses = read_formula(folder / FORMULA, limits)
    try:
        expected = formula_of(problem, excluded)
        for number, clause in enumerate(clauses, start=1):
            if clause != next(expected, None):
                raise CertificateError(f"clause {number:,} is not that of the problem")
            if number % 4096 == 0:
                limits.check()
        if next(expected, None) is not None:
            raise CertificateError("the formula lacks clauses of the problem")
        with open_file(folder / PROOF) as stream:
            steps = replay(clauses, proof_steps(stream, folder / PROOF, limits), limits, on_progress)
    except CertificateError as error:
        raise CertificateError(f"{folder}: {error}") from None
    claim = Statement(problem, "infeasible") if excluded is None else Statement(problem, "count", 1)
    return NumberingProof(claim, len(clauses), steps)
