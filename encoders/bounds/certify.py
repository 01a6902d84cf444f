"""`certify_lower_bound`: a lower bound for all solutions of a problem, with a certificate.

The certificate is checked by `kt_models` before it is returned.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from encoders.bounds.methods import BoundMethod, method_named, methods
from heuristics.best_known import best_known
from heuristics.obstruction import find_obstruction
from kt_models.board import NamedBox
from kt_models.errors import CertificateError, KTError, TooLarge
from kt_models.kernel.certificates import Checked
from kt_models.kernel.certificates.rewritten import METHOD, without_gains_apart
from kt_models.limits import NO_LIMITS, Limits, Listener, Report, Stopped, silent
from kt_models.machine import usable_cores
from kt_models.problem import Problem, require_plain
from kt_models.result import Result
from kt_models.shapes import MAX_CELLS
from kt_models.speed import expected, fits

BEST_SECONDS = 300.0
"""Longest time for the best bound of a method, if a bound is claimed that other methods may prove."""
MIN_RELAXED = 3
"""Least number of vertices of a relaxation; below it there is a tour or two, so that the best bound is known."""
GRACE_SECONDS = 0.5
"""Seconds that a method has to return its best answer once the limits are reached."""


class NotShown(KTError):
    """The claimed bound could not be proved.

    Attributes
    ----------
    best
        The certificate of the best proved bound, or None.
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
    """Prove a lower bound of a problem's objective.

    Parameters
    ----------
    problem
        A problem with an objective.
    at_least
        The bound to prove; None for the best that a relaxation gives.
    method
        One of `encoders.bounds.methods.methods`; `auto` takes relaxations, and then an exhaustive method if `at_least`
        is above their bounds.
    time_limit, limits
        When to end; `time_limit` applies besides the limits.
    on_progress
        Called with a report now and then.
    state
        A file in which branch and bound, or bands, keep their progress, and from which they continue.
    small
        Whether to grow a tree of branch and bound a second time, with what was learnt, for a smaller certificate.
    known
        Whether `auto` starts with the certificate that comes with kt, if there is one (`heuristics.best_known`).
    on_certificate
        Called with each certificate that is better than the ones before.

    Returns
    -------
    Checked
        A certificate whose `bound` is `at_least`, or the best one without it; if the problem obviously has no solution,
        it claims that instead.

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
    has_cells = not isinstance(problem.graph.board, NamedBox)
    if not has_cells and named is not None and not named.by_formula:
        formulas = [name for name, row in methods().items() if row.by_formula]
        raise TooLarge(
            f"{problem.graph.name}: method {method} lists its {problem.graph.n:,} cells, over the limit of "
            f"{MAX_CELLS:,}; {', '.join(formulas)} do not"
        )
    if named is None and at_least is None and problem.graph.n < MIN_RELAXED:
        at_least = _least_value(problem)
    able = [named] if named is not None else _candidates(problem, at_least)
    _require_readers(able, {"state": state is not None, "small": small})
    if named is not None and named.aims and at_least is None:
        raise KTError(f"method {method}: it proves a bound that you name; give at_least")
    limits = limits.with_time_limit(time_limit)
    if named is None and has_cells and (impossible := find_obstruction(problem, limits)):
        return impossible
    if (equivalent := without_gains_apart(problem)) is not None:
        translated = partial(rewritten, problem)
        keywords: Any = {"limits": limits, "on_progress": on_progress, "state": state, "small": small, "known": known}
        if on_certificate is not None:  # The certificate is checked again in these words.
            keywords["on_certificate"] = lambda better: on_certificate(translated(better))
        try:
            return translated(certify_lower_bound(equivalent, at_least, method=method, **keywords))
        except NotShown as error:
            raise NotShown(str(error), error.best and translated(error.best)) from None
    climb = _Climb(problem, at_least, limits, on_progress, on_certificate)
    if named is None and known and has_cells and not (small or state):
        # The check of a known certificate may take long: whoever stops it has the bound of a formula.
        if at_least is None and able and able[0].by_formula:
            climb.take(able.pop(0), required=False)
        climb.accept("known", known_certificate(problem, limits), or_equal=True)
    for row in able:
        if climb.reached:
            break
        climb.take(row, required=named is not None, state=state, small=small)
    return climb.answer()


class _Climb:
    """The best certificate so far, from one method after the other.

    Parameters
    ----------
    problem, at_least, limits, on_progress, on_certificate
        As for `certify_lower_bound`.
    """

    def __init__(
        self,
        problem: Problem,
        at_least: int | None,
        limits: Limits,
        on_progress: Listener,
        on_certificate: Callable[[Checked], object] | None,
    ) -> None:
        self.problem, self.at_least, self.limits = problem, at_least, limits
        self.on_progress, self.on_certificate = on_progress, on_certificate
        self.best: Checked | None = None
        self.failures: list[str] = []
        self._late: set[str] = set()

    @property
    def reached(self) -> bool:
        """Whether the bound that was asked for is proved."""
        return self.best is not None and self.at_least is not None and (self.best.cost_bound or 0) >= self.at_least

    def accept(self, source: str, certificate: Checked | None, *, or_equal: bool = False) -> None:
        """Keep a certificate if it is the best, or `or_equal` to the best."""
        if certificate is None or certificate.cost_bound is None or source in self._late:
            return
        if self.best is not None and certificate.cost_bound + or_equal <= (self.best.cost_bound or 0):
            return
        self.best = certificate
        if self.on_certificate is not None:
            self.on_certificate(certificate)
        self.on_progress(Report(words=f"{source}: {certificate.statement}"))

    def take(self, row: BoundMethod, *, required: bool, **options: Any) -> None:
        """Take the certificates of a method; a required one is tried whatever it costs, and raises its errors."""
        if self.limits.over:
            self.limits.leave(row.name)
            return
        cost = None if required else row.cost(self.problem, self.limits.workers or usable_cores())
        if cost is not None and not fits(cost, self.limits):
            self.limits.leave(expected(row.name, cost))
            return
        self.on_progress(Report(words=row.name))
        part = self.limits if self.at_least is None or row.aims else self.limits.within(BEST_SECONDS)

        def work() -> None:
            made = row.certificates(self.problem, self.at_least, part, on_progress=self.on_progress, **options)
            for certificate in made:
                self.accept(row.name, certificate)
                if self.reached or row.name in self._late:
                    return

        before = self.best
        try:
            self.limits.run(work, GRACE_SECONDS)
        except Stopped:
            self._late.add(row.name)  # Its thread may go on for a while.
            self.limits.leave(row.name)
        except KTError as error:
            if row.number is None and not isinstance(error, CertificateError | TooLarge):
                raise  # The argument of a paper may be about other boards.
            if required:
                why = str(error).removeprefix(f"{row.kind}: ")  # Checkers name themselves.
                raise KTError(f"method {row.name}: {why}") from None
            self.failures.append(str(error))
        else:
            if self.best is before and self.limits.over:
                self.limits.leave(row.name)

    def answer(self) -> Checked:
        """The certificate of the bound that was asked for, or the best one.

        Raises
        ------
        NotShown
            If there is no such certificate.
        """
        best, at_least = self.best, self.at_least
        if best is not None and at_least is not None and self.reached:
            return best if best.cost_bound == at_least else best.claiming(at_least)
        if best is not None and at_least is None:
            return best
        instead = f"; shown is: {best.statement}" if best is not None else ""
        why = f" ({self.failures[-1]})" if self.failures and best is None else ""
        metric, unit = self.problem.objective_name, self.problem.unit
        unshown = f"no bound on {metric} was shown"
        if at_least is not None:
            unshown = f"{metric} {'<=' if unit.maximised else '>='} {unit.words(at_least)} was not shown"
        raise NotShown(f"{unshown}{why}{instead}", best)


def _least_value(problem: Problem) -> int | None:
    """The least value of a problem with so few vertices that every choice of moves can be looked at."""
    graph = problem.graph
    choices = combinations(range(graph.m), graph.n - 1)
    return min((problem.cost(np.array(choice, dtype=np.int32)) or 0 for choice in choices), default=None)


def _require_readers(able: list[BoundMethod], options: dict[str, bool]) -> None:
    """Refuse an option that none of some methods reads."""
    for option in (name for name, is_given in options.items() if is_given):
        if not any(option in row.parameters for row in able):
            readers = [name for name, row in methods().items() if option in row.parameters]
            verb = "reads" if len(readers) == 1 else "read"
            raise KTError(f"{option}: only the method {' or '.join(readers)} {verb} it")


def known_certificate(problem: Problem, limits: Limits) -> Checked | None:
    """The best certificate of a bound that comes with kt, if its check is quick enough."""
    delivered = best_known(problem, limits.part(0.5))
    certificate = None if delivered is None else delivered.result.certificate
    return certificate if isinstance(certificate, Checked) else None


def rewritten(problem: Problem, certificate: Checked) -> Checked:
    """The certificate of a problem, from that of an equivalent problem."""
    return Checked.of_bound(METHOD, problem, {"certificate": certificate.to_json()})


def certified(
    result: Result,
    *,
    limits: Limits = NO_LIMITS,
    on_progress: Listener = silent,
    small: bool = False,
    known: bool = True,
) -> Result:
    """A result with a certificate of its bound, if one can be made; otherwise the same result."""
    if result.certificate is not None or result.status != "optimal" or result.cost_bound is None:
        return result
    try:
        made = certify_lower_bound(
            result.problem, result.cost_bound, limits=limits, on_progress=on_progress, small=small, known=known
        )
    except KTError:
        return result
    return result.with_bound(result.status, result.bound, made)


def _candidates(problem: Problem, at_least: int | None) -> list[BoundMethod]:
    """The methods worth a try, in order: each is better and slower than those before it."""
    able = [row for row in methods().values() if row.rank is not None and (at_least is not None or not row.aims)]
    if isinstance(problem.graph.board, NamedBox):
        able = [row for row in able if row.by_formula]
    return [row for row in able if row.worth(problem, at_least)]
