"""`best`: the best tour and bound known of a problem, where they are from, and what checks them.

The files delivered with the package come first (`heuristics.best_known`).  Where they have nothing the constructions
for all sizes are asked, and a bound is shown that takes a moment.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass, replace
from typing import Any

from encoders.stages.relaxation import quick_certificate
from heuristics.best_known import best_known, shown_path
from heuristics.find import construct, method_named
from heuristics.obstruction import find_obstruction
from kt_models.errors import KTError
from kt_models.leaper import KNIGHT
from kt_models.limits import NO_LIMITS, Limits, Stopped
from kt_models.problem import Problem
from kt_models.result import Result


@dataclass(frozen=True)
class Best:
    """The best that is known of a problem.

    Parameters
    ----------
    result
        The tour and the bound that were verified; `unknown` where no tour is known, perhaps with a bound.
    tour_source, bound_source
        Where they are from, in words; empty for none.
    checks
        Commands that check them, or make them again.
    """

    result: Result
    tour_source: str = ""
    bound_source: str = ""
    checks: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The result's keys, and where it is from."""
        sources = {"tour_source": self.tour_source, "bound_source": self.bound_source, "checks": list(self.checks)}
        return self.result.to_json() | sources


def best(problem: Problem, *, limits: Limits = NO_LIMITS, check_stated: bool = False) -> Best:
    """The best tour and bound known.

    Parameters
    ----------
    problem
        With turns or crossings to be fewest.
    limits
        When to end, with what is there by then.
    check_stated
        Whether certificates are checked that take long (see `heuristics.best_known`).

    Raises
    ------
    KTError
        If there is no objective.
    """
    if not isinstance(problem.objective, str):
        raise KTError("the best known is asked for turns or for crossings")
    if certificate := find_obstruction(problem, limits):
        return Best(Result(problem, "infeasible", engine="obstruction", certificate=certificate))
    known = best_known(problem, limits.part(0.5), check_stated=check_stated)
    if known is None:
        outcome = Best(Result(problem, "unknown"))
    else:
        sources = dict.fromkeys((known.tour_file, known.bound_file, known.stated_file))
        files = [shown_path(path) for path in sources if path is not None]
        outcome = Best(
            known.result.with_notes(stated=known.stated),
            f"{shown_path(known.tour_file)}: {known.source}",
            shown_path(known.bound_file) if known.bound_file else "",
            tuple(f"kt check {shlex.quote(name)}" for name in files),
        )
    if not outcome.result.answered:
        outcome = _with_construction(outcome, limits)
    if outcome.result.bound is None:
        outcome = _with_bound(outcome, limits)
    return outcome


def _with_construction(outcome: Best, limits: Limits) -> Best:
    """The same with the tour of a construction, if that is better."""
    result = outcome.result
    try:
        made = construct(result.problem, limits)
    except Stopped:
        return outcome
    if made is None or made.value is None or (result.value is not None and made.value >= result.value):
        return outcome
    row = method_named(made.engine.removeprefix("find/"))
    own = [f"--set {name}={value}" for name, value in row.parameters_for(result.problem).items()]
    again = " ".join(["kt find", _words(result.problem), "--method", row.name, *own])
    return replace(
        outcome,
        result=replace(made, bound=result.bound, certificate=result.certificate, stated=result.stated),
        tour_source=f"construction {row.name}",
        checks=(again, *outcome.checks),
    )


def _with_bound(outcome: Best, limits: Limits) -> Best:
    """The same with a bound that is shown in a moment, if there is one."""
    problem = outcome.result.problem
    try:
        made = quick_certificate(problem, limits)
    except Stopped:
        return outcome
    if made is None or made.bound is None:
        return outcome
    status: Any = "optimal" if made.bound == outcome.result.value else outcome.result.status
    again = f"kt bound {_words(problem)} --metric {problem.objective_name}"
    return replace(
        outcome,
        result=replace(outcome.result, status=status, bound=made.bound, certificate=made),
        bound_source=f"shown now ({made.method})",
        checks=(*outcome.checks, again),
    )


def _words(problem: Problem) -> str:
    """A problem as the command line has it."""
    graph = problem.graph
    words = [graph.board.text if graph.board else graph.name]
    if graph.leaper != KNIGHT:
        words.append(f"--leaper {graph.leaper}")
    if not problem.closed:
        words.append("--open")
    words += [
        f"{option} {graph.name_of(cell)}" for option, cell in zip(("--from", "--to"), problem.terminals, strict=False)
    ]
    words += [f"--symmetry {symmetry.name}" for symmetry in problem.symmetry]
    for option, edges in (("--require", problem.required), ("--forbid", problem.forbidden)):
        words += [f"{option} {graph.edge_name(edge)}" for edge in sorted(edges)]
    return " ".join(words)
