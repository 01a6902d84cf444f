"""`certify_lower_bound`: a number that no solution of a problem can go below, and a certificate of it.

The certificate is checked by `kt_models` before it is returned.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from encoders.bounds.methods import BoundMethod, method_named, methods
from heuristics.best_known import best_known
from heuristics.obstruction import find_obstruction
from kt_models.certificates import Checked
from kt_models.certificates.rewritten import METHOD, without_gains_apart
from kt_models.errors import CertificateError, KTError, TooLarge
from kt_models.limits import NO_LIMITS, Limits, Listener, Report, Stopped, silent
from kt_models.problem import Problem, require_plain
from kt_models.result import Result

BEST_SECONDS = 300.0
"""Longest time for the best bound of a method where a bound is asked for, which others may show."""
GRACE_SECONDS = 0.5
"""Seconds that a method is given to come back with what it has once the limits are reached."""


class NotShown(KTError):
    """The bound asked for could not be shown.

    Attributes
    ----------
    best
        The certificate of the best bound that was, or None.
    """

    def __init__(self, message: str, best: Checked | None) -> None:
        super().__init__(message)
        self.best = best


def certify_lower_bound(
    problem: Problem,
    at_least: int | None = None,
    *,
    method: str = "auto",
    time_limit: float | None = None,
    limits: Limits = NO_LIMITS,
    on_progress: Listener = silent,
    state: str | Path | None = None,
    small: bool = False,
    known: bool = True,
    on_certificate: Callable[[Checked], object] | None = None,
) -> Checked:
    """Show a lower bound of a problem's objective.

    Parameters
    ----------
    problem
        One with an objective.
    at_least
        The bound to be shown; None for the best that a relaxation gives.
    method
        One of `encoders.bounds.methods.methods`; `auto`: relaxations, then, where `at_least` is above what they show,
        an exhaustive method.
    time_limit, limits
        When to end; the seconds are besides the limits.
    on_progress
        Called with a report now and then.
    state
        A file in which branch and bound, or bands, keep what they have done, and from which they go on.
    small
        Whether a tree of branch and bound is grown a second time, with what was learnt, for a smaller certificate.
    known
        Whether `auto` begins with the certificate that comes with kt, if there is one (`heuristics.best_known`).
    on_certificate
        Called with each certificate that is better than those before.

    Returns
    -------
    Checked
        Its `bound` is `at_least`, or the best there is without it; for a problem that is seen to have no
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
    require_plain(problem, "a bound")
    if problem.objective is None:
        raise KTError("a bound needs an objective")
    named = None if method == "auto" else method_named(method)
    able = [named] if named is not None else _candidates(problem, at_least)
    for option, given in (("state", state is not None), ("small", small)):
        if given and not any(option in row.parameters for row in able):
            readers = [name for name, row in methods().items() if option in row.parameters]
            verb = "reads" if len(readers) == 1 else "read"
            raise KTError(f"{option}: only the method {' or '.join(readers)} {verb} it")
    limits = limits.with_time_limit(time_limit)
    if named is not None and named.aims and at_least is None:
        raise KTError(f"method {method}: it shows a bound that is given; say which one")
    if named is None and (impossible := find_obstruction(problem, limits)):
        return impossible
    if (equivalent := without_gains_apart(problem)) is not None:
        shown = partial(rewritten, problem)
        keywords: Any = {"limits": limits, "on_progress": on_progress, "state": state, "small": small, "known": known}
        if on_certificate is not None:  # it is checked once more in these words
            keywords["on_certificate"] = lambda better: on_certificate(shown(better))
        try:
            return shown(certify_lower_bound(equivalent, at_least, method=method, **keywords))
        except NotShown as error:
            raise NotShown(str(error), error.best and shown(error.best)) from None
    best: Checked | None = None
    failures: list[str] = []

    def tell(source: str, certificate: Checked) -> None:
        if on_certificate is not None:
            on_certificate(certificate)
        on_progress(Report(words=f"{source}: {certificate.statement}"))

    def reached(certificate: Checked | None) -> bool:
        return certificate is not None and at_least is not None and (certificate.bound or 0) >= at_least

    if named is None and known and not (small or state) and (best := known_certificate(problem, limits)):
        tell("known", best)
    for row in able:
        if reached(best):
            break
        if limits.over:
            limits.leave(row.name)
            continue
        on_progress(Report(words=row.name))
        part = limits if at_least is None or row.aims else limits.within(BEST_SECONDS)
        try:
            made = limits.run(
                partial(row.certify, problem, at_least, part, on_progress=on_progress, state=state, small=small),
                GRACE_SECONDS,
            )
        except Stopped:
            limits.leave(row.name)
            continue
        except KTError as error:
            if row.number is None and not isinstance(error, CertificateError | TooLarge):
                raise  # an argument of a paper may be about other boards
            if named is not None:
                why = str(error).removeprefix(f"{row.kind}: ")  # checkers name themselves
                raise KTError(f"method {row.name}: {why}") from None
            failures.append(str(error))
            continue
        if made is None and limits.over:
            limits.leave(row.name)
        if made is not None and made.bound is not None and (best is None or made.bound > (best.bound or 0)):
            best = made
            tell(row.name, best)
    if best is not None and at_least is not None and reached(best):
        return best if best.bound == at_least else best.claiming(at_least)
    if best is None or at_least is not None:
        instead = f"; shown is: {best.statement}" if best is not None else ""
        why = f" ({failures[-1]})" if failures and best is None else ""
        metric = problem.objective_name
        unshown = f"no bound on {metric} was shown" if at_least is None else f"{metric} >= {at_least} was not shown"
        raise NotShown(f"{unshown}{why}{instead}", best)
    return best


def known_certificate(problem: Problem, limits: Limits) -> Checked | None:
    """The best certificate of a bound that comes with kt and whose check takes no longer than is allowed."""
    delivered = best_known(problem, limits.part(0.5))
    certificate = None if delivered is None else delivered.result.certificate
    return certificate if isinstance(certificate, Checked) else None


def rewritten(problem: Problem, shown: Checked) -> Checked:
    """The certificate of a problem by that of the same one in other words."""
    return Checked.of_bound(METHOD, problem, {"certificate": shown.to_json()})


def certified(
    result: Result,
    *,
    limits: Limits = NO_LIMITS,
    on_progress: Listener = silent,
    small: bool = False,
    known: bool = True,
) -> Result:
    """A result with a certificate of its bound where one can be made; the same result otherwise."""
    if result.certificate is not None or result.status != "optimal" or result.bound is None:
        return result
    try:
        made = certify_lower_bound(
            result.problem, result.bound, limits=limits, on_progress=on_progress, small=small, known=known
        )
    except KTError:
        return result
    return replace(result, certificate=made)


def _candidates(problem: Problem, at_least: int | None) -> list[BoundMethod]:
    """Methods in the order in which they are worth a try: each better than those before it, and slower."""
    able = [row for row in methods().values() if row.rank is not None and (at_least is not None or not row.aims)]
    return [row for row in able if row.worth(problem, at_least)]
