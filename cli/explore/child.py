"""The process of a job: a child (`encoders.work.child`) with limited memory and processor time.

Its task is a job or a drawing; any further message requests the best answer so far. Each message of the child is an
object with one key: `live` (a better value or bound, with the tour as a verified result), `words`, `result`, `file`,
`base64` (a file that is no text) or `fault`.
"""

from __future__ import annotations

import os
import threading
import time
from base64 import b64encode
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from encoders.work.child import Message, serve
from kt_models.errors import KTError
from kt_models.limits import Limits
from kt_models.long_arrays import with_lists

if TYPE_CHECKING:
    from cli.explore.job import Job
    from kt_models import Problem
    from kt_models.limits import Report

Say = Callable[..., None]
PAUSE_SECONDS = 0.1
"""Least seconds between two live messages: a search may improve a thousand times a second, which nobody could see."""


class Reporter:
    """A thread that verifies what a run reports and passes it on."""

    def __init__(self, problem: Problem, say: Say) -> None:
        self._problem, self._say = problem, say
        self._news = threading.Event()
        self._latest: Report | None = None
        threading.Thread(target=self._work, daemon=True).start()

    def hear(self, now: Report) -> None:
        """Keep a report; the thread passes the last one on as soon as it has time."""
        self._latest = now
        self._news.set()

    def _work(self) -> None:
        from cli.explore.picture import describe
        from kt_models import Result

        reported = None
        while self._news.wait():
            self._news.clear()
            now = self._latest
            assert now is not None
            value, bound, edges = now.value, now.bound, now.edges
            live: dict[str, Any] = {
                "seconds": round(now.seconds, 3),
                "value": value,
                "bound": bound,
                "engine": now.engine,
            }
            if edges is not None and edges is not reported:
                reported = edges
                known = bound if now.cost is None or now.cost_bound is None or now.cost_bound <= now.cost else None
                result = Result(
                    self._problem, "feasible", edges=edges, bound=known, engine=now.engine, seconds=now.seconds
                )
                live |= describe(result.to_json(), result.tour)
            self._say(live=live)
            time.sleep(PAUSE_SECONDS)


class _Job:
    def __init__(self, task: Message, say: Say) -> None:
        if hasattr(os, "nice"):
            os.nice(5)  # The page must stay quick.
        self._task, self._say = task, say
        self._stop = threading.Event()

    def hear(self, message: Message) -> None:
        """Stop on a message of the parent."""
        self._stop.set()

    def work(self) -> Message:
        """Draw, or do the job."""
        if "draw" in self._task:
            from cli.explore.picture import draw_file

            contents = draw_file(self._task["draw"], self._task["result"])
            if isinstance(contents, str):
                return {"file": contents}
            return {"base64": b64encode(contents).decode("ascii")}
        try:
            return _answer(self._task, self._stop, self._say)
        except KTError:
            if self._stop.is_set():  # A job that was stopped before it had an answer says nothing.
                return {}
            raise


def main() -> None:
    """Do the task on the first line of the input."""
    serve(_Job)


def _answer(task: Message, stop: threading.Event, say: Say) -> dict[str, Any]:
    from cli.explore.job import Job

    job = Job.from_json(task["job"])
    limits = Limits(job["time_limit"], stop, job["workers"] or task["workers"], seed=job["seed"] or 0)
    problem = limits.run(job.problem)
    return {"solve": _solve, "find": _find, "bound": _bound}[job.task](job, problem, limits, say)


def _solve(job: Job, problem: Problem, limits: Limits, say: Say) -> dict[str, Any]:
    from cli.explore.picture import describe
    from cli.output import rotate_result
    from encoders import solve

    options = job.method_options
    presolve = not options.pop("no_presolve", False)
    hear = Reporter(problem, say).hear
    result = solve(problem, hint="best", presolve=presolve, limits=limits, on_progress=hear, **options)
    result = rotate_result(result, job["start"], job["finish"])
    return describe(result.to_json(), result.tour, result.certificate)


def _find(job: Job, problem: Problem, limits: Limits, say: Say) -> dict[str, Any]:
    from cli.explore.picture import describe
    from cli.find import find_keys, parameters_of
    from cli.output import rotate_result
    from encoders.find import find

    tried: list[str] = []
    reporter = Reporter(problem, say)

    def hear(now: Report) -> None:
        if (name := now.engine.removeprefix("find/")) not in tried:
            tried.append(name)
        say(words=name if now.edges is None else f"{name}, then fewer {problem.objective_name}")
        if now.edges is not None:
            reporter.hear(now)

    settings = parameters_of(job["method"], job["settings"])
    result = find(problem, job["method"] or None, limits=limits, on_progress=hear, **settings)
    result = rotate_result(result, job["start"], job["finish"])
    return describe(with_lists(find_keys(result, tried)), result.tour, result.certificate)


def _bound(job: Job, problem: Problem, limits: Limits, say: Say) -> dict[str, Any]:
    from cli.bound_output import of_certificate
    from cli.explore.picture import describe
    from cli.options import problem_json
    from encoders.bounds import NotShown, certify_lower_bound

    began = time.monotonic()
    unshown = ""
    try:
        best = certify_lower_bound(
            problem,
            job["at_least"],
            method=job["method"],
            limits=limits,
            on_progress=lambda now: say(words=now.words),
        )
    except NotShown as error:
        if error.best is None:
            reason = str(error) if job["at_least"] is not None else "no bound was shown"
            raise KTError(f"{reason}, in {time.monotonic() - began:.0f} s") from None
        best, unshown = error.best, str(error)
    outcome = of_certificate(problem, best, None)
    data = problem_json("bound", problem, outcome.status) | outcome.keys
    data |= {"reason": best.words, "unshown": unshown, "seconds": round(time.monotonic() - began, 3)}
    return describe(data | {"certificate": best.to_json()}, None, best)
