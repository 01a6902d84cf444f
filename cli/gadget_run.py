"""`kt search ... --run`: a search for gadgets, cube by cube."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from cli.error_messages import complain
from cli.live import limits_of, live_progress
from cli.options import LimitOptions
from cli.run_options import RunOptions, task_of, work
from kt_models.errors import KTError
from kt_models.limits import Limits
from kt_models.runs.gadget_task import GadgetTask

if TYPE_CHECKING:
    from encoders.gadgets import GadgetResult
    from kt_models.gadgets.frame import Frame
    from kt_models.gadgets.wanted import Wanted


def search_by_cubes(
    frame: Frame,
    wanted: Wanted,
    minimize: str | None,
    at_most: int | None,
    time_limit: float | None,
    run_values: RunOptions,
) -> GadgetResult:
    """Find every gadget of a frame by a run: all, those with the fewest turns or crossings, or those within a limit."""
    from encoders.gadgets import GadgetResult
    from encoders.gadgets.search import counted_again
    from kt_models.runs.audit import account
    from kt_models.runs.ledger import Ledger

    started = time.monotonic()
    with limits_of(LimitOptions(time_limit)) as limits:
        if run_values.resume:
            task = task_of(run_values.required_folder, GadgetTask, "kt search")
            differs = (frame, wanted, minimize) != (task.frame, task.wanted, task.minimize)
            if differs or at_most != (None if task.least else task.at_most):
                raise KTError(f"{run_values.folder}: this run searches for other gadgets; kt runs resume continues it")
        else:
            least = minimize is not None and at_most is None
            if least:
                first = _least(frame, wanted, str(minimize), limits)
                if not first.optimal:
                    return first
                at_most = first.value
            task = GadgetTask(frame, wanted, minimize, at_most, least)
        status = work(run_values, None if run_values.resume else task, limits=limits)
    if status is None:
        return GadgetResult(frame, (), minimize)
    with Ledger.read(run_values.required_folder) as ledger:
        gadgets = sorted(ledger.verified(), key=lambda gadget: [path.cells for path in gadget.paths])
    complete = status.complete and account(run_values.required_folder, verify=False).complete
    value = min((gadget.measure(minimize) for gadget in gadgets), default=None) if task.least and minimize else None
    bound = value if complete else None
    none = complete and not gadgets
    seconds, most = time.monotonic() - started, None if task.least else at_most
    result = GadgetResult(frame, tuple(gadgets), minimize, value, bound, complete, none, seconds, wanted, most)
    return counted_again(result, limits)


def _least(frame: Frame, wanted: Wanted, minimize: str, limits: Limits) -> GadgetResult:
    """A gadget with the fewest turns or crossings, or the answer that there is none."""
    from encoders.gadgets import search

    with live_progress() as on_progress:
        result = search(frame, minimize=minimize, wanted=wanted, most=1, limits=limits, on_progress=on_progress)
    if not result.optimal and not result.infeasible:
        complain(f"no run was begun: the fewest {minimize} could not be determined in time")
    return result
