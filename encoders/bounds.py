"""`certify_lower_bound`: a number that no solution of a problem can go below, and a certificate of it.

The certificate is checked by `kt_models` before it is returned.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from encoders.paper import certify_paper_bound, is_large_rectangle
from heuristics.obstruction import find_obstruction
from heuristics.paper_bounds import METHODS as PAPER
from kt_models.certificates import Certificate, Statement
from kt_models.errors import CertificateError, KTError, TooLarge, unknown
from kt_models.limits import NO_LIMITS, Limits, Stopped
from kt_models.pairs import METRICS
from kt_models.problem import Problem
from kt_models.result import Result

MADE = {"relaxation": "tree", "regions": "regions", "family": "family", "belt": "belt"}
"""Methods that give the best bound they find, and the kind of certificate that each makes."""
AIMED = {"branching": "tree", "frontier": "frontier"}
"""Methods that show a bound that is asked for, in a time that grows quickly with the board."""
SOLVED_CELLS = 2500
"""Up to so many cells a rectangle's own relaxation is solved besides."""
RELAXATION_SECONDS = 300.0
GRACE = 0.5
"""Seconds that a method is given to come back with what it has once the limits are reached."""
Words = Callable[[str], None]
BOUND_METHODS = {
    "auto": "relaxations, then whatever it takes to show the bound asked for",
    **PAPER,
    "relaxation": "a dual solution of the linear relaxation",
    "regions": "the least that the moves of belts of cells can weigh, swept exactly",
    "family": "one dual solution for all sizes of a board",
    "belt": "the least that a belt of cells can weigh, for all sizes of a board",
    "branching": "a tree of cases with a dual solution in each leaf",
    "frontier": "every partial solution that could stay below, cell by cell",
}
"""How a bound can be asked for, in words."""


class NotShown(KTError):
    """The bound asked for could not be shown.

    Attributes
    ----------
    best
        The certificate of the best bound that was, or None.
    """

    def __init__(self, message: str, best: Certificate | None) -> None:
        super().__init__(message)
        self.best = best


def certify_lower_bound(
    problem: Problem,
    at_least: int | None = None,
    *,
    method: str = "auto",
    time_limit: float | None = None,
    limits: Limits = NO_LIMITS,
    on_progress: Words | None = None,
    state: str | Path | None = None,
) -> Certificate:
    """Show a lower bound of a problem's objective.

    Parameters
    ----------
    problem
        One with an objective.
    at_least
        The bound to be shown; None for the best that a relaxation gives.
    method
        One of `BOUND_METHODS`; `auto`: relaxations, then, where `at_least` is above what they show, an
        exhaustive method.
    time_limit, limits
        When to end; the seconds are besides the limits.
    on_progress
        Called with a few words now and then.
    state
        A file in which branch and bound keeps what it has done, and from which it goes on.

    Returns
    -------
    Certificate
        Checked.  Its `bound` is `at_least`, or the best there is without it; for a problem that is seen to have no
        solution it claims that instead.

    Raises
    ------
    NotShown
        If `at_least` was not reached in time; it carries the best certificate.
    KTError
        If the problem has no objective, or the method is unknown or does not apply.

    Examples
    --------
    >>> from kt_models import Problem, check, graph_of
    >>> certificate = certify_lower_bound(Problem(graph_of("6x6"), objective="turns"))
    >>> certificate.bound
    32
    >>> check(certificate)
    'a tree of cases with a dual solution in each leaf'
    """
    if problem.objective is None:
        raise KTError("a bound needs an objective")
    if method not in BOUND_METHODS:
        raise unknown("method", method, BOUND_METHODS)
    limits = limits.with_options(time_limit)
    if method in AIMED and at_least is None:
        raise KTError(f"method {method}: it shows a bound that is given; say which one")
    if method == "auto" and (impossible := find_obstruction(problem, limits)):
        return impossible
    say = on_progress or (lambda words: None)
    best: Certificate | None = None
    failures: list[str] = []
    for name in (method,) if method != "auto" else _candidates(problem, at_least):
        if limits.over:
            break
        say(name)
        try:
            made = limits.run(partial(_made, name, problem, at_least, limits, say, state), GRACE)
        except Stopped:
            break
        except (CertificateError, TooLarge) as error:
            if method != "auto":
                raise KTError(f"method {name}: {error}") from None
            failures.append(str(error))
            continue
        if made is not None and made.bound is not None and (best is None or made.bound > (best.bound or 0)):
            best = made
            say(f"{name}: {best.statement}")
        if best is not None and at_least is not None and (best.bound or 0) >= at_least:
            return best if best.bound == at_least else best.claiming(at_least)
    if best is None or at_least is not None:
        reached = f"; shown is: {best.statement}" if best is not None else ""
        why = f" ({failures[-1]})" if failures and best is None else ""
        raise NotShown(f"{problem.objective_name} >= {at_least or '...'} was not shown{why}{reached}", best)
    return best


def certified(
    result: Result,
    *,
    limits: Limits = NO_LIMITS,
    on_progress: Words | None = None,
) -> Result:
    """A result with a certificate of its bound where one can be made; the same result otherwise."""
    if result.certificate is not None or result.status != "optimal" or result.bound is None:
        return result
    try:
        made = certify_lower_bound(result.problem, result.bound, limits=limits, on_progress=on_progress)
    except KTError:
        return result
    return replace(result, certificate=made)


def _candidates(problem: Problem, at_least: int | None) -> Iterator[str]:
    """Methods in the order in which they are worth a try: each better than those before it, and slower."""
    if problem.objective == "crossings":
        yield "triplet"
        yield "belt" if is_large_rectangle(problem) and problem.graph.n > SOLVED_CELLS else "regions"
        if at_least is not None:
            yield "frontier"
        return
    if problem.objective in METRICS:
        yield "edge"
        if is_large_rectangle(problem):
            yield "family"
    if not is_large_rectangle(problem) or problem.graph.n <= SOLVED_CELLS or at_least is not None:
        yield "relaxation"
    if at_least is not None:
        yield from AIMED


def _made(
    name: str,
    problem: Problem,
    at_least: int | None,
    limits: Limits,
    say: Words,
    state: str | Path | None,
) -> Certificate | None:
    """A checked certificate by one method."""
    data: dict[str, Any] | None
    if name in PAPER:
        try:
            return certify_paper_bound(problem, name, limits).certificate
        except Stopped:
            raise
        except KTError as error:
            raise CertificateError(str(error)) from None
    if name in MADE:
        limits = limits.within(RELAXATION_SECONDS) if at_least is not None else limits
        data = _maker(name)(problem, limits=limits)
    else:
        kept = {"state": state} if name == "branching" else {}
        data = _maker(name)(problem, at_least, limits=limits, on_progress=say, **kept)
    if data is None:
        return None
    if name in AIMED:
        made = Certificate(AIMED[name], Statement(problem, "at-least", at_least), data)
        made.check(limits)
        return made
    return Certificate.of_bound(MADE[name], problem, data, limits)


def _maker(name: str) -> Callable[..., dict[str, Any] | None]:
    maker: Callable[..., dict[str, Any] | None] = importlib.import_module(f"encoders.{name}").make
    return maker
