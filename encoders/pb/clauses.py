"""A refutation by a SAT solver as a cutting-planes proof, where a problem has constraints.

The formula's rows become clauses. Most rows are clauses already, or say that few literals are false, which is written
out. A long sum is counted by a totalizer: each of its variables z is defined to be true exactly where a part of the
sum is at least s, by two lines `red`. That two parts add up is then a sum of three definitions, and that the whole
keeps its limit is a sum of two and the row. What the solver learns is a line `rup` each.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np

from encoders.cutsets import violated
from encoders.pb.proof import CuttingPlanes, Derivation, literal
from encoders.sat.oracle import solve_in_slices
from encoders.sat.totalizer import Totalizer
from kt_models.errors import KTError, TooLarge
from kt_models.kernel.certificates.cut_inequalities import Cut
from kt_models.kernel.certificates.proofs.zero_one import LinearConstraint
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem

SOLVER = "glucose4"
"""The solver, which logs what it learns."""
MAX_WRITTEN_OUT = 20_000
"""Most clauses of a row that are written out; a longer one is counted."""
MAX_LINES = 500_000
"""Most lines of a proof."""


class _Sum(NamedTuple):
    """`terms`, each a coefficient above 0 and a literal, come to `least` or more."""

    terms: list[tuple[int, int]]
    least: int


def refute_by_clauses(problem: Problem, bound: int | None, limits: Limits = NO_LIMITS) -> CuttingPlanes:
    """The formula and the refutation that there is a solution below a bound, or any (None).

    Raises
    ------
    KTError
        If there is one.
    TooLarge
        If the proof has more than `MAX_LINES` lines.
    Stopped
        If the limits are reached.
    """
    from pysat.solvers import Solver

    cuts: list[Cut] = []
    draft = _Writer(Derivation(problem, bound, ()), limits)
    with Solver(SOLVER, bootstrap_with=draft.clauses) as solver:
        while solve_in_slices(solver, (), limits.check):
            true = {x for x in solver.get_model() or () if x > 0}
            edges = np.array([e for e, x in enumerate(draft.proof.model.edge) if x in true], dtype=np.int32)
            broken = violated(problem, edges)[1]
            if not broken:
                raise KTError("there is a solution")
            for cut in broken:
                vertices = tuple(sorted(int(v) for v in cut.vertices))
                if all(vertices != known.vertices for known in cuts):
                    cuts.append(Cut(vertices, ()))
                    solver.append_formula(_clauses_of_row(_cut_row(problem, bound, cuts[-1])) or [])
    writer = _Writer(Derivation(problem, bound, cuts), limits)
    with Solver(SOLVER, bootstrap_with=writer.clauses, with_proof=True) as solver:
        if solve_in_slices(solver, (), limits.check):
            raise KTError("the cut-sets do not rule out what they should")
        return writer.conclude(solver.get_proof() or [])


def _cut_row(problem: Problem, bound: int | None, cut: Cut) -> _Sum:
    model = Derivation(problem, bound, [cut]).model
    return next(iter(_sums(model.rows[model.cut_row])))


def _sums(row: LinearConstraint) -> list[_Sum]:
    """A row with coefficients above 0; of an equation both halves."""
    sums = []
    for sign in (1, -1) if row.equal else (1,):
        total: dict[int, int] = {}
        for c, x in row.terms:
            total[x] = total.get(x, 0) + sign * c
        least = sign * row.right - sum(min(c, 0) for c in total.values())
        sums.append(_Sum([(abs(c), x if c > 0 else -x) for x, c in total.items() if c], least))
    return sums


def _clauses_of_row(row: _Sum) -> list[list[int]] | None:
    """The clauses equivalent to a sum; None if they are too many, or different weights prevent it."""
    weights = {c for c, _ in row.terms}
    literals = [x for _, x in row.terms]
    if row.least <= 0:
        return []
    if all(c >= row.least for c in weights):
        return [literals]
    if len(weights) > 1:
        return None
    false = len(literals) - -(-row.least // min(weights))  # So many may be false
    if false < 0:
        return [[]]
    if comb(len(literals), false + 1) > MAX_WRITTEN_OUT:
        return None
    return [list(some) for some in combinations(literals, false + 1)]


class _Writer:
    """Writes the clauses of a formula, each of which follows from lines of the proof."""

    def __init__(self, proof: Derivation, limits: Limits) -> None:
        self.proof, self.limits = proof, limits
        self.top = proof.model.top
        self.clauses: list[list[int]] = []
        for number, row in enumerate(proof.model.rows):
            limits.check()
            for half, part in enumerate(_sums(row)):
                clauses = _clauses_of_row(part)
                if clauses is None:
                    self._count(part, proof.numbers[number] + half)
                else:
                    self.clauses += clauses
        if len(proof.lines) > MAX_LINES:
            raise TooLarge(f"{proof.model.problem.graph.name}: a proof of more than {MAX_LINES:,} lines")

    def _new(self) -> int:
        self.top += 1
        return self.top

    def _count(self, part: _Sum, line: int) -> None:
        """Count what is false of a sum, which is a line of the proof, and keep that within its limit."""
        inputs = [(-x, c) for c, x in part.terms]
        most = sum(c for c, _ in part.terms) - part.least
        if most < 0:
            self.clauses.append([])
            return
        totalizer = Totalizer(inputs, most, self._new, self.limits.check, parts=2)
        terms: list[list[tuple[int, int]]] = [[(c, x)] for x, c in inputs]
        tables: list[dict[int, tuple[int, str]]] = [{c: (x, "")} for x, c in inputs]  # Threshold, variable, definition
        taken = set()
        for node in totalizer.nodes:
            taken |= {node.left, node.right}
            joined = terms[node.left] + terms[node.right]
            table, above = {}, {}
            for threshold, variable in zip(node.thresholds, node.variables, strict=True):
                first, second = self._define(variable, joined, threshold)
                table[threshold], above[threshold] = (variable, str(first)), (variable, str(second))
            for a, x, first_line in _entries(tables[node.left]):
                for b, y, second_line in _entries(tables[node.right]):
                    if a + b:
                        z, definition = above[min(a + b, most + 1)]
                        self._derive([first_line, second_line, definition], [x, y], z)
            terms.append(joined)
            tables.append(table)
        tops = [table for item, table in enumerate(tables) if item not in taken]
        left, right = [*tops, {}, {}][:2]
        for a, x, first_line in _entries(left):
            for b, y, second_line in _entries(right):
                if a + b > most:
                    self._derive([first_line, second_line, str(line)], [x, y], 0)

    def _define(self, variable: int, terms: Sequence[tuple[int, int]], least: int) -> tuple[int, int]:
        """Define that a variable is true exactly where a sum is at least a number: the lines that say each half."""
        total = sum(c for c, _ in terms)
        words = "".join(f"{c} {literal(x)} " for c, x in terms)
        negated = "".join(f"{c} {literal(-x)} " for c, x in terms)
        room = total - least + 1
        return (
            self.proof.line(f"red {words}{least} ~x{variable} >= {least} ; x{variable} -> 0"),
            self.proof.line(f"red {negated}{room} x{variable} >= {room} ; x{variable} -> 1"),
        )

    def _derive(self, lines: list[str], parts: list[int], head: int) -> None:
        """Add up lines to what a clause follows from: not all of the parts, or the head."""
        self.proof.pol([line for line in lines if line], " s")
        self.clauses.append([*(-x for x in parts if x), *([head] if head else [])])

    def conclude(self, learned: Sequence[str]) -> CuttingPlanes:
        """The proof, with what a solver has learned."""
        if len(self.proof.lines) + len(learned) > MAX_LINES:
            raise TooLarge(f"{self.proof.model.problem.graph.name}: a proof of more than {MAX_LINES:,} lines")
        for text in learned:
            if not text.startswith("d"):
                clause = [int(word) for word in text.split()][:-1]
                if not clause:
                    break
                self.proof.rup(clause)
        return self.proof.conclude(self.proof.rup())


def _entries(table: dict[int, tuple[int, str]]) -> list[tuple[int, int, str]]:
    """Thresholds, their variables and definitions, and that nothing is asked of a part."""
    return [(0, 0, ""), *((threshold, variable, line) for threshold, (variable, line) in table.items())]
