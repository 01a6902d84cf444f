"""The linear model of a problem, of which every model for other solvers is made, and the comments that name it."""

from __future__ import annotations

from dataclasses import replace

from encoders.pb.partial import PartialModel
from encoders.sat.encodings import default_encoding, encode
from encoders.sat.formula import Formula
from kt_models.conditions import LocalCondition
from kt_models.decimals import PLAIN
from kt_models.errors import KTError
from kt_models.kernel.certificates.proofs.zero_one import ZeroOneModel
from kt_models.problem import LEFT_OUT, Problem

DEGREES = "degrees"
"""The encoding without connectivity: a solution may fall apart into several cycles."""
FLOW = "flow"
"""The encoding by sums: a unit flows from the first vertex to each other one, along chosen edges."""
CIRCUIT = "circuit"
"""The encoding by CP-SAT's own constraint for circuits."""


def linear_model(problem: Problem, encoding: str = "") -> ZeroOneModel | PartialModel:
    """The linear model whose 0-1 solutions are the solutions of a problem."""
    if problem.optional:
        if encoding not in ("", DEGREES, default_encoding()):
            raise KTError(f"encoding {encoding}: {LEFT_OUT} are served by {default_encoding()} and {DEGREES} only")
        return PartialModel(problem, connected=encoding != DEGREES)
    if problem.graph.n < 3:
        raise KTError(f"{problem.graph.name}: a linear model needs at least 3 vertices")
    # Constraints, degrees and local conditions are rows; the order of stops, and connectivity, are clauses.
    others = tuple(c for c in problem.conditions if not isinstance(c, LocalCondition))
    plain = replace(problem, constraints=(), conditions=others)
    degrees = len(Formula(problem.unconstrained).clauses)
    if encoding in (DEGREES, FLOW):
        formula = Formula(plain)
        return ZeroOneModel(
            problem, clauses=formula.clauses[degrees:], top=formula.top, flow=0 if encoding == FLOW else None
        )
    formula = encode(plain, encoding)
    return ZeroOneModel(problem, clauses=formula.clauses[degrees:], top=formula.top)


def mark(problem: Problem) -> str:
    """The comment that identifies a file of kt."""
    graph = problem.graph
    return f"kt {graph.name}" + (f" leaper={graph.leaper}" if graph.leaper else "")


def unit_lines(problem: Problem) -> list[str]:
    """The comment that says what the minimised sum is of what was asked for, if it is not that itself."""
    unit = problem.unit
    if unit == PLAIN:
        return []
    divided = f" / {10**unit.decimals}" if unit.decimals else ""
    return [f"{problem.objective_name} = {'-' if unit.maximised else ''}minimum{divided}"]
