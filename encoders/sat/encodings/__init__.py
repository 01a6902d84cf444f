"""The complete encodings of connectivity: a formula whose models are exactly the solutions, for any SAT solver.

Every module here declares one, as an `Encoding`. A new encoding is a new module (docs/use/extending.md); its name is
written nowhere else. Its clauses must be complete for the arcs `inner` only, and `require_room` refuses what is too
large before any clause is made.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import comb

from encoders.sat.arcs import MAX_CLAUSES, Arcs, most_clauses
from encoders.sat.formula import MAX_DIRECT_DEGREE, Formula, require_few_vertices
from encoders.sat.partial import add_connectivity
from kt_models.errors import KTError, TooLarge, row_named
from kt_models.problem import LEFT_OUT, Problem
from kt_models.registry import rows


@dataclass(frozen=True)
class Encoding:
    """A way to express that no directed cycle avoids the root.

    Parameters
    ----------
    name
        The name for `--encoding`.
    add
        Adds the clauses of connectivity to a formula of degrees, or raises `TooLarge`.
    size
        Most variables and clauses beyond those of `Arcs`, for a closed tour.
    rank
        The default is the encoding with the lowest rank.
    """

    name: str
    add: Callable[[Formula], None]
    size: Callable[[Arcs], tuple[int, int]]
    rank: int = 9


def encodings() -> dict[str, Encoding]:
    """Every encoding, sorted by name."""
    return rows(__name__, Encoding)


def default_encoding() -> str:
    """The encoding that measured best."""
    return min(encodings().values(), key=lambda row: row.rank).name


def encode(problem: Problem, name: str = "") -> Formula:
    """A formula whose models, restricted to the edge variables, are exactly the solutions of a problem.

    The objective is not part of it.

    Parameters
    ----------
    name
        Name of the encoding; by default the best.

    Raises
    ------
    KTError
        If there is no such encoding.
    TooLarge
        If the formula would have more than `MAX_CLAUSES` clauses, as far as that is known in advance.
    """
    encoding = row_named(name or default_encoding(), encodings(), "encoding")
    if problem.optional and encoding.name != default_encoding():
        raise KTError(f"encoding {encoding.name}: {LEFT_OUT} are served by {default_encoding()} only")
    require_few_vertices(problem.graph)
    degrees = problem.graph.degrees.tolist()
    clauses = sum(comb(d, 3) + d if d <= MAX_DIRECT_DEGREE else 6 * d for d in degrees)
    if problem.connectivity != "any":
        clauses += most_clauses(problem)
    if clauses > MAX_CLAUSES:
        raise TooLarge(f"{problem.graph.name}: {clauses:,} clauses or more, over the limit of {MAX_CLAUSES:,}")
    formula = Formula(problem)
    if problem.optional:
        add_connectivity(formula)
    else:
        encoding.add(formula)
    return formula
