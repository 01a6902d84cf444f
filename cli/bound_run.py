"""`kt bound --run`: a proof of a bound, cube by cube."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from cli.bound_output import of_run
from cli.error_messages import complain
from cli.run_options import RunOptions, task_of, work
from cli.status import REFUTED, UNANSWERED
from kt_models import Problem
from kt_models.limits import Limits


def by_cubes(
    problem: Callable[[], Problem],
    at_least: Any,
    proving: bool,
    run_values: RunOptions,
    limits: Limits,
    as_json: bool,
) -> int:
    """Begin or continue a run that proves a bound (None: that there is no tour), and print the outcome."""
    from kt_models.runs.audit import account
    from kt_models.runs.bound_task import BoundTask
    from kt_models.runs.ledger import Ledger

    started = time.monotonic()
    if run_values.resume:
        task = task_of(run_values.required_folder, BoundTask, "kt bound")
    else:
        about = limits.run(problem)
        task = BoundTask(about, about.unit.cost(at_least, "--at-least"), proving)
    status = work(run_values, None if run_values.resume else task, limits=limits)
    if status is None:
        return UNANSWERED
    with Ledger.read(run_values.required_folder) as ledger:
        against = next(ledger.verified(), None)
    done = against is None and status.complete and account(run_values.required_folder, verify=False).complete
    of_run(task, status, done, against, run_values.required_folder).print(time.monotonic() - started, as_json)
    if not done and against is None and not as_json:
        complain(
            f"{run_values.required_folder}: not complete; kt bound --run {run_values.required_folder} --resume goes on"
        )
    return REFUTED if against is not None else 0 if done else UNANSWERED
