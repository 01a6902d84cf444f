"""The output of `kt bound`, from a certificate, the argument of a paper, or a run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import click

from cli.evidence import evidence
from cli.options import print_json, print_rows, problem_json, problem_rows
from cli.output import names_text
from kt_models import Problem, Result, Tour
from kt_models.kernel.certificates import Certificate, Statement
from kt_models.long_arrays import with_lists
from kt_models.tour import tour_keys

if TYPE_CHECKING:
    from kt_models.runs.bound_task import BoundTask
    from kt_models.runs.folder import RunStatus


@dataclass(frozen=True)
class BoundOutput:
    """An answer as `keys` of a JSON object and as `rows` of names and words, with a tour that refutes it, if any."""

    problem: Problem
    status: str
    keys: dict[str, Any]
    rows: list[tuple[str, str]]
    checks: list[tuple[str, str]] = field(default_factory=list)
    against: Tour | None = None

    def print(self, seconds: float, as_json: bool, verbose: bool = False) -> None:
        """Print the answer as JSON or as rows, with the names of lemmas if `verbose`."""
        if as_json:
            print_json(problem_json("bound", self.problem, self.status) | self.keys, seconds)
            return
        rows = [(name, evidence(words, verbose)) for name, words in self.rows]
        print_rows([*rows, ("seconds", f"{seconds:.2f}"), *self.checks])
        if self.against is not None:
            click.echo(names_text(self.against.names))


def of_certificate(
    problem: Problem, best: Certificate | None, file: str | None, argument: tuple[str, str, int] | None = None
) -> BoundOutput:
    """The bound of a certificate, if there is one.

    Parameters
    ----------
    file
        The file to which the certificate is written.
    argument
        An argument of a paper: its name, its description, and the number that it gives, with a certificate or without.
    """
    rows = problem_rows(problem)
    keys: dict[str, Any] = {"certificate": file}
    if argument is not None:
        method, words, number = argument
        statement = Statement(problem, "at-least", number)
        evidence = f"the paper's argument alone, without a certificate: {words}"
        if best is not None:
            evidence = f"certificate checked: {best.words}"
        else:
            keys["certificate"] = file = None
        keys |= {"bound" if best is not None else "stated": number, "method": method, "how": evidence}
        known = [("evidence", evidence), ("method", f"{method}, {words}" if best is not None else method)]
    elif best is not None:
        statement = best.statement
        keys |= {} if best.bound is None else {"bound": best.bound}
        keys |= {"method": best.method, "how": "certificate checked"}
        known = [("evidence", f"certificate checked: {best.words}"), ("method", best.method)]
    else:
        return BoundOutput(problem, "unknown", keys, rows)
    side = "at most" if problem.unit.maximised else "at least"
    claim = (
        ("status", statement.kind)
        if statement.value is None
        else (str(problem.objective_name), f"{side} {problem.unit.words(statement.value)}")
    )
    rows += [claim, ("claim", statement.text), *known]
    checks = [("check with", f"kt check {file}")] if file else []
    status = "infeasible" if statement.value is None else "unknown"
    return BoundOutput(problem, status, keys | {"claims": [statement.text]}, rows, checks)


def of_result(result: Result, claimed: float) -> BoundOutput:
    """The answer of an outside program to a claimed bound."""
    problem, rows = result.problem, problem_rows(result.problem)
    keys: dict[str, Any] = {"claimed": claimed, "refuted": result.edges is not None, "method": result.engine}
    if result.edges is not None:
        tour = result.tour
        keys |= {"value": result.value} | ({} if tour is None else with_lists(tour_keys(tour)))
        rows.append(("status", f"refuted by a tour of {problem.objective_name} {result.value}, verified"))
        return BoundOutput(problem, "feasible", keys, [*rows, ("method", result.engine)], against=tour)
    claims = [statement.text for statement in result.statements]
    keys |= {"bound": result.bound, "how": result.how, "evidence": result.evidence, "claims": claims}
    rows += [("claim", text) for text in claims]
    rows += [("evidence", result.known_by), ("method", result.engine)]
    return BoundOutput(problem, "unknown", keys, rows)


def of_run(task: BoundTask, status: RunStatus, proved: bool, against: Tour | None, folder: str) -> BoundOutput:
    """The outcome of a run that proves a bound, or that there is no tour, cube by cube."""
    from kt_models.kernel.certificates.statement import valued
    from kt_models.result import SOLVER_SAYS, proof_written

    known = proof_written(folder) if task.proving else SOLVER_SAYS
    stated = "feasible" if against is not None else "infeasible" if proved and task.at_least is None else "unknown"
    claimed = task.problem.unit.value(task.at_least)
    keys: dict[str, Any] = {"claimed": claimed, "shown": proved, "refuted": against is not None}
    rows = [("claim", task.text)]
    if against is not None:
        worth = task.problem.cost(against.edges)
        counts = "" if task.at_least is None or worth is None else f" with {valued(task.problem, worth)}"
        rows.append(("status", f"refuted by a tour{counts}, verified"))
        keys |= with_lists(tour_keys(against))
    else:
        rows.append(("status", "shown" if proved else "not shown yet"))
    if proved:
        keys |= {"how": known} if task.at_least is None else {"bound": claimed, "how": known}
        rows.append(("evidence", known))
    keys |= {"method": "cubes", "run": folder, "cubes": status.cubes, "done": status.done}
    keys["failed"] = [name for name, _ in status.failures]
    rows.append(("cubes", f"{status.done:,} of {status.cubes:,} done, {status.splits:,} cut finer"))
    return BoundOutput(task.problem, stated, keys, rows, against=against)
