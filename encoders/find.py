"""`find` with every method that has a name: those of `heuristics`, and uniform sampling, which counts tours."""

from __future__ import annotations

from typing import Any

from encoders.counting import uniform
from heuristics import find as without_counting
from heuristics.method import Method
from kt_models.errors import KTError, row_named
from kt_models.limits import NO_LIMITS, Limits, Listener, silent
from kt_models.problem import LEFT_OUT, Problem
from kt_models.recording import Recording
from kt_models.result import Result

METHODS: dict[str, Method] = dict(
    sorted(
        {**without_counting.METHODS, uniform.METHOD.name: uniform.METHOD}.items(),
        key=lambda item: (item[1].constructs, item[0]),
    )
)
"""Every method by name: searches, then constructions."""


def method_named(name: str) -> Method:
    """The method with a name (see `row_named`)."""
    return row_named(name, METHODS, "method")


def find(
    problem: Problem,
    method: str | None = None,
    *,
    limits: Limits = NO_LIMITS,
    watch: Recording | None = None,
    on_progress: Listener = silent,
    **parameters: Any,
) -> Result:
    """Find a tour, and improve it if the problem has an objective: `heuristics.find.find`, by any name in `METHODS`."""
    if problem.connectivity not in ("cycle", "path"):
        topic = LEFT_OUT if problem.optional else "several paths or cycles"
        raise KTError(f"{topic}: a search without a solver does not support them; kt solve and kt enumerate do")
    row = None if method is None else method_named(method)
    return without_counting.find(problem, row, limits=limits, watch=watch, on_progress=on_progress, **parameters)
