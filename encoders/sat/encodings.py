"""The complete encodings of connectivity, by name: one formula whose models are the solutions, for any SAT solver."""

from __future__ import annotations

from collections.abc import Callable
from math import comb

from encoders.sat import binary, chinese_remainder, lfsr, relative, vertex_elimination
from encoders.sat.arcs import MAX_CLAUSES, most_clauses
from encoders.sat.formula import DIRECT, Formula
from kt_models.errors import TooLarge, unknown
from kt_models.problem import Problem

ENCODINGS: dict[str, Callable[[Formula], None]] = {
    "binary": binary.add,
    "chinese-remainder": chinese_remainder.add,
    "lfsr": lfsr.add,
    "relative": relative.add,
    "vertex-elimination": vertex_elimination.add,
}
DEFAULT = "binary"
"""The one that measured best: closed tours of 16x16 with variables and clauses in random order, 5 times each, took
CaDiCaL 1.5.3 0.1 to 1 s; `chinese-remainder` 3 s to more than 10 s.  `relative` and `lfsr` are slower from 12x12 on."""


def encode(problem: Problem, name: str = DEFAULT) -> Formula:
    """A formula whose models, seen on the edge variables, are exactly the solutions of a problem.

    The objective is not part of it.

    Raises
    ------
    KTError
        If there is no such encoding.
    TooLarge
        If the formula would have more than `MAX_CLAUSES` clauses, as far as can be told before it is made.
    """
    if name not in ENCODINGS:
        raise unknown("encoding", name, ENCODINGS)
    degrees = problem.graph.degrees.tolist()
    clauses = sum(comb(d, 3) + d if d <= DIRECT else 6 * d for d in degrees)
    if problem.connectivity != "any":
        clauses += most_clauses(problem)
    if clauses > MAX_CLAUSES:
        raise TooLarge(f"{problem.graph.name}: {clauses:,} clauses or more, over the limit of {MAX_CLAUSES:,}")
    formula = Formula(problem)
    ENCODINGS[name](formula)
    return formula
