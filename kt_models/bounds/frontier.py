"""The bound that an exact sweep shows: every partial solution that could stay below the claim is followed to its end.

The sweep (`kt_models.frontier`) is done again from the problem alone.  The data only says how far to look and how to
look fast; whatever it says, the bound that comes out holds:

- `at_least`: look only for solutions below this integer.  If there is none, the bound is `at_least`; otherwise, and
  without it, the bound is the least value;
- `potentials` ([edge, number at its tail] of edges, others have 0), their `denominator`, and `symmetry`, as for the
  method `relaxation`: the objective is rewritten with them (`kt_models.frontier.objective`), which costs no truth and
  makes the sweep smaller;
- `order`: the vertices in the order they are taken;
- `relaxed`: true to ask for the degrees alone.

A symmetry that the problem asks for is used only to round the bound up to a value the objective can have.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from kt_models.bounds.relaxation import edge_images, integer, lifted, numbers, potentials
from kt_models.errors import CertificateError, KTError, TooLarge
from kt_models.problem import Problem

if TYPE_CHECKING:
    from kt_models.frontier import Potentials

MEMORY = 8 << 30
"""Bytes that the tables of states may take."""


def bound(
    problem: Problem,
    data: dict[str, Any],
    *,
    memory: int = MEMORY,
    stop: Callable[[], bool] | None = None,
    on_progress: Callable[[str], None] | None = None,
) -> int:
    """The bound that a sweep shows (see the module).

    Parameters
    ----------
    memory
        Bytes that the tables of states may take.
    stop
        Asked several times a second; when it says so, `Stopped` is raised.
    on_progress
        Called with a line on each sweep.

    Raises
    ------
    CertificateError
        If the data is wrong, the objective has a negative weight, or the problem has no solution at all.
    TooLarge
        If the sweep would take more than `memory` bytes.
    """
    from kt_models.frontier import Stopped, least_value

    at_least = integer(data["at_least"], "at_least", -(1 << 40)) if "at_least" in data else None
    relaxed = data.get("relaxed", False)
    if type(relaxed) is not bool:
        raise CertificateError("'relaxed' is neither true nor false")
    order = numbers(data["order"], "order", problem.graph.n) if "order" in data else None
    if order is not None and len(order) != problem.graph.n:
        raise CertificateError("'order' does not name every vertex")
    try:
        least = least_value(
            problem,
            at_most=None if at_least is None else at_least - 1,
            potentials=potentials_of(problem, data),
            relaxed=relaxed,
            order=order,
            memory=memory,
            stop=stop,
            on_progress=on_progress,
        )
    except (TooLarge, Stopped):
        raise
    except KTError as error:
        raise CertificateError(f"frontier: {error}") from None
    value = at_least if least.value is None else least.value
    if value is None:
        raise CertificateError("frontier: the problem has no solution, so its objective has no bound")
    return lifted(problem, value, 1)


def potentials_of(problem: Problem, data: dict[str, Any]) -> Potentials | None:
    """The potentials that `data` gives, if it gives any."""
    from kt_models.frontier import Potentials

    if "potentials" not in data:
        return None
    images = edge_images(problem, data.get("symmetry", []))
    ends = potentials(problem, data["potentials"], images, np.zeros(problem.graph.m, dtype=np.int64))
    return Potentials(tuple(ends[::2].tolist()), integer(data.get("denominator", 1), "denominator", 1))
