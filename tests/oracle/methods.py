"""The checkers that are attacked: the one table, read from the toolkit's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from kt_models.kernel.certificates.methods import methods
from kt_models.limits import Limits
from kt_models.problem import Problem

SECONDS = 6.0
"""What a check may take, on problems as small as these."""


class Checker(NamedTuple):
    """A method: `refute` says whether it shows an impossibility (or else a bound)."""

    name: str
    refute: bool
    call: Callable[[Problem, dict[str, Any]], Any]


def _checker(name: str) -> Checker:
    method = methods()[name]
    return Checker(
        name, method.kind == "infeasible", lambda problem, data: method.call(problem, data, Limits(seconds=SECONDS))
    )


CHECKERS = {name: _checker(name) for name in methods()}
