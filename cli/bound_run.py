"""`kt bound --run`: a bound shown cube by cube."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

import click

from cli.options import print_json
from cli.run_options import RunOptions, task_of, work
from cli.status import REFUTED, UNANSWERED
from kt_models import Problem, Tour
from kt_models.format import FORMAT_VERSION
from kt_models.limits import Limits

if TYPE_CHECKING:
    from kt_models.runs.bounds import BoundTask
    from kt_models.runs.folder import Status


def by_cubes(
    problem: Callable[[], Problem],
    at_least: int | None,
    proving: bool,
    how: RunOptions,
    limited: AbstractContextManager[Limits],
    as_json: bool,
) -> int:
    """Begin or go on with a run that shows a bound (None: that there is no tour), and print what came of it."""
    from kt_models.runs.audit import account
    from kt_models.runs.bounds import BoundTask
    from kt_models.runs.ledger import Ledger

    started = time.monotonic()
    with limited as limits:
        task = (
            task_of(how.where, BoundTask, "kt bound")
            if how.resume
            else BoundTask(limits.run(problem), at_least, proving)
        )
        begun = None if how.resume else task
        status = work(how, begun, limits=limits)
    if status is None:
        return UNANSWERED
    with Ledger.read(how.where) as ledger:
        against = next(ledger.verified(), None)
    done = against is None and status.complete and account(how.where, verify=False).complete
    _print(task, status, done, against, how.where, time.monotonic() - started, as_json)
    return REFUTED if against is not None else 0 if done else UNANSWERED


def _print(
    task: BoundTask, status: Status, shown: bool, against: Tour | None, folder: str, seconds: float, as_json: bool
) -> None:
    from kt_models.tour import tour_keys

    problem = task.problem
    known = f"proof written, check with kt check {folder}" if task.proving else "solver's word"
    if as_json:
        stated = "unknown"
        if against is not None:
            stated = "feasible"
        elif shown and task.at_least is None:
            stated = "infeasible"
        data: dict[str, Any] = {"version": FORMAT_VERSION, "kind": "bound", "status": stated, **problem.to_json()}
        data |= {"claimed": task.at_least, "shown": shown, "refuted": against is not None, "closed": problem.closed}
        if shown:
            data |= {} if task.at_least is None else {"bound": task.at_least}
            data |= {"how": known}
        if against is not None:
            data |= tour_keys(against)
        data |= {"method": "cubes", "run": folder, "cubes": status.cubes, "done": status.done}
        data["failed"] = [name for name, _ in status.failures]
        print_json({**data, "seconds": round(seconds, 3)})
        return
    rows = [("claim", task.text)]
    if against is not None:
        counts = "" if task.at_least is None else f" with {against.measure(str(problem.objective_name))} of them"
        rows.append(("status", f"refuted by a tour{counts}, verified"))
    else:
        rows.append(("status", "shown" if shown else "not shown yet"))
    if shown:
        rows.append(("known by", known))
    rows.append(("cubes", f"{status.done:,} of {status.cubes:,} done, {status.splits:,} cut finer"))
    rows.append(("seconds", f"{seconds:.2f}"))
    for name, text in rows:
        click.echo(f"{name:<10} {text}")
    if against is not None:
        click.echo(" ".join(against.graph.name_of(int(vertex)) for vertex in against.order))
    if not shown and against is None:
        click.echo(f"kt: {folder}: not complete; kt bound --run {folder} --resume goes on", err=True)
