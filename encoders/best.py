"""`best`: the best known tour and bound of a problem, where they come from, and how to check them.

They come from the cheap stages of `solve`: the delivered files (`heuristics.best_known`), the constructions for all
sizes, and a bound by theorem or relaxation. Where these have no tour, the other stages follow for some seconds.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import Any

from encoders.find import method_named
from encoders.solve import begin
from encoders.stages import Request, answer
from encoders.work.run import Run
from heuristics.best_known import shown_path
from kt_models.display import html
from kt_models.errors import KTError
from kt_models.leaper import KNIGHT
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem, require_plain
from kt_models.result import Result

SEARCH_SECONDS = 10.0
"""Seconds in which a tour is looked for that is not known."""


@dataclass(frozen=True)
class Best:
    """The best known tour and bound of a problem.

    Parameters
    ----------
    result
        The verified tour and bound; `unknown` if no tour is known, perhaps with a bound.
    tour_source, bound_source
        Where they come from, in words; empty for none.
    checks
        Commands that check them, or make them again.
    complete
        Whether the limits left time for everything, or the answer is optimal.
    """

    result: Result
    tour_source: str = ""
    bound_source: str = ""
    checks: tuple[str, ...] = ()
    complete: bool = True

    def _repr_html_(self) -> str | None:
        return html(self.result)

    def to_json(self) -> dict[str, Any]:
        """The result's keys, and the sources."""
        sources = {"tour_source": self.tour_source, "bound_source": self.bound_source, "checks": list(self.checks)}
        return self.result.to_json() | sources | {"complete": self.complete}


def best(problem: Problem, *, limits: Limits = NO_LIMITS, check_stated: bool = False) -> Best:
    """The best known tour and bound.

    Parameters
    ----------
    problem
        A problem with turns or crossings as its objective.
    limits
        When to end, with the best answer so far.
    check_stated
        Whether to check certificates however long it takes (see `heuristics.best_known`).

    Raises
    ------
    KTError
        If there is no objective.
    """
    require_plain(problem, "the best known")
    if not isinstance(problem.objective, str):
        raise KTError("best tours are known for turns and for crossings only")
    request = Request(problem, hint="best", check_stated=check_stated, cheap_only=True)
    solving = begin(request, Run.of(problem, limits))
    result = quick = answer(solving)
    if not quick.answered and quick.tour is None:
        result = solving.go_on(quick, limits.within(SEARCH_SECONDS))
    # Report no bound without a certificate; 0 is a bound of everything.
    if result.certificate is None and result.bound:
        status = "feasible" if result.status == "optimal" else result.status
        result = result.with_bound(status, quick.bound if quick.certificate else None, quick.certificate)
    if result.status == "infeasible":
        return Best(result)
    known = solving.known
    checks = [] if known is None else [f"kt check {shlex.quote(shown_path(path))}" for path in known.files]
    tour_source, bound_source = "", ""
    if result is not quick and result.tour is not None:
        tour_source = f"found now ({result.engine})"
        checks.append(f"kt solve {_words(problem)} --minimize {problem.objective_name}")
    elif result.engine.startswith("find/"):
        row = method_named(result.engine.removeprefix("find/"))
        tour_source = f"construction {row.name}"
        parameters = [f"--set {name}={value}" for name, value in row.parameters_for(problem).items()]
        checks.insert(0, " ".join(["kt find", _words(problem), "--method", row.name, *parameters]))
    elif known is not None:
        tour_source = f"{shown_path(known.tour_file)}: {known.source}"
    if result.certificate is not None:
        if known is not None and known.bound_file is not None and result.certificate == known.result.certificate:
            bound_source = shown_path(known.bound_file)
        else:
            bound_source = f"shown now ({result.certificate.method})"
            checks.append(f"kt bound {_words(problem)} --minimize {problem.objective_name}")
    return Best(result, tour_source, bound_source, tuple(checks), result.answered or not limits.over)


def _words(problem: Problem) -> str:
    """The options of a problem on the command line."""
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
