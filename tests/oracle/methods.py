"""The checkers that are attacked: the one table, read from the toolkit's own."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any, NamedTuple

from kt_models.certificates import METHODS
from kt_models.limits import Limits
from kt_models.problem import Problem

SECONDS = 20.0
"""What a check may take, on problems as small as these."""


class Checker(NamedTuple):
    """A method: `refute` says whether it shows an impossibility (or else a bound)."""

    name: str
    refute: bool
    call: Callable[[Problem, dict[str, Any]], Any]


def _checker(name: str) -> Checker | None:
    method = METHODS.get(name)
    try:
        if method is None:
            return _old(name)
        getattr(importlib.import_module(method.module), method.function)
    except (ImportError, AttributeError):
        return _old(name)
    return Checker(
        name,
        method.kind == "infeasible",
        lambda problem, data: method.call(problem, data, Limits(seconds=SECONDS)),
    )


def _old(name: str) -> Checker | None:
    from kt_models import bounds
    from kt_models.certificate import CHECKERS

    if name in CHECKERS:
        return Checker(name, True, CHECKERS[name])
    if name in bounds.METHODS:
        return Checker(name, False, lambda problem, data: bounds.recompute(name, problem, data))
    return None


def _table() -> dict[str, Checker]:
    names = list(METHODS)
    try:
        from kt_models import bounds

        names += [name for name in bounds.METHODS if name not in names]
    except ImportError:
        pass
    return {name: checker for name in names if (checker := _checker(name))}


CHECKERS = _table()
