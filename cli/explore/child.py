"""A job's own process: limited in memory and processor time, told what to do in JSON, and heard of in JSON.

The first line of the input is the task.  `stop` on a further line asks for the best answer so far, and the end of the
input, however the server ended, is the end of the process.  Each line of the output is an object with one key: `live`
(a better value or bound, with the tour as a verified result), `words`, `result`, `file` or `fault`.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

from kt_models.limits import Limits

if TYPE_CHECKING:
    from cli.explore.job import Job
    from encoders.run import Progress
    from kt_models import Problem

PAUSE = 0.1
"""Least seconds between two live messages: a search may improve a thousand times a second, and nobody sees that."""


class Voice:
    """Messages to the server, one a line."""

    def __init__(self) -> None:
        self._out = sys.stdout
        self._lock = threading.Lock()
        sys.stdout = sys.stderr  # nothing but messages in the pipe

    def say(self, **message: Any) -> None:
        """Send a message."""
        with self._lock:
            self._out.write(json.dumps(message) + "\n")
            self._out.flush()

    def words(self, text: str) -> None:
        """Say what is being done."""
        self.say(words=text)


class Reporter:
    """Passes on what a run has found and proved, verified, from a thread of its own."""

    def __init__(self, problem: Problem, voice: Voice) -> None:
        self._problem, self._voice = problem, voice
        self._news = threading.Event()
        self._latest: Progress | None = None
        threading.Thread(target=self._work, daemon=True).start()

    def hear(self, now: Progress) -> None:
        """Take a report in; the last one is passed on as soon as there is time."""
        self._latest = now
        self._news.set()

    def _work(self) -> None:
        from cli.explore.picture import shown
        from kt_models import Result

        told = None
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
            if edges is not None and edges is not told:
                told = edges
                known = bound if bound is not None and (value is None or bound <= value) else None
                found = Result(
                    self._problem, "feasible", edges=edges, bound=known, engine=now.engine, seconds=now.seconds
                )
                live |= shown(found.to_json(), found.tour)
            self._voice.say(live=live)
            time.sleep(PAUSE)


def main() -> None:
    """Do the task that stands on the first line of the input."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    task = json.loads(sys.stdin.readline() or "null")
    if task is None:
        return
    _limit(task["memory"], task["processor"])
    voice = Voice()
    stop = threading.Event()
    threading.Thread(target=_listen, args=(stop,), daemon=True).start()
    from kt_models import KTError

    try:
        if "draw" in task:
            from cli.explore.picture import drawn

            voice.say(file=drawn(task["draw"], task["result"]))
        else:
            voice.say(**_answer(task["job"], stop, voice))
    except KTError as error:
        if not stop.is_set():  # one that was stopped before it had anything to say says nothing
            voice.say(fault=" ".join(str(error).split()))
    except MemoryError:
        voice.say(fault="not enough memory")
    except Exception as error:
        voice.say(fault=f"internal error: {type(error).__name__}: {error}"[:300])
    os._exit(0)  # without waiting for threads that are late


def _limit(memory: int, processor: int) -> None:
    """Give up what is not needed: memory above a limit, processor time, core dumps, precedence."""
    with contextlib.suppress(ImportError):  # not on every system
        import resource

        for kind, most in (("RLIMIT_DATA", memory), ("RLIMIT_CPU", processor), ("RLIMIT_CORE", 0)):
            with contextlib.suppress(OSError, ValueError):
                resource.setrlimit(getattr(resource, kind), (most, most))
        os.nice(5)  # the page is to stay quick


def _listen(stop: threading.Event) -> None:
    for line in sys.stdin:
        if line.strip() == "stop":
            stop.set()
    os._exit(1)


def _answer(asked: dict[str, Any], stop: threading.Event, voice: Voice) -> dict[str, Any]:
    from cli.explore.job import Job

    job = Job.from_json(asked)
    limits = Limits(job.time_limit, stop, job.workers, seed=job.seed)
    problem = limits.run(job.problem)
    return {"solve": _solve, "find": _find, "bound": _bound}[job.task](job, problem, limits, voice)


def _solve(job: Job, problem: Problem, limits: Limits, voice: Voice) -> dict[str, Any]:
    from cli.explore.picture import shown
    from cli.output import turned
    from encoders import solve

    result = solve(
        problem,
        engine=job.engine,
        encoding=job.encoding,
        solver=job.solver,
        limits=limits,
        on_progress=Reporter(problem, voice).hear,
    )
    result = turned(result, job.start or None, job.finish or None)
    return shown(result.to_json(), result.tour, result.certificate)


def _find(job: Job, problem: Problem, limits: Limits, voice: Voice) -> dict[str, Any]:
    from cli.explore.picture import shown
    from cli.output import turned
    from heuristics.answer import answer
    from kt_models import Result

    def first(result: Result) -> None:
        live = {"seconds": round(result.seconds, 3), "value": result.value, "bound": None, "engine": result.engine}
        voice.say(live=live | shown(result.to_json(), result.tour))

    found = answer(
        problem,
        job.method,
        job.settings,
        seed=job.seed,
        limits=limits,
        on_words=voice.words,
        on_result=first,
    )
    result = turned(found.result, job.start or None, job.finish or None)
    more = {"method": found.tried[-1], "tried": found.tried, "statistics": found.statistics}
    return shown(result.to_json() | more, result.tour, result.certificate)


def _bound(job: Job, problem: Problem, limits: Limits, voice: Voice) -> dict[str, Any]:
    from cli.explore.picture import shown
    from encoders.bounds import NotShown, certify_lower_bound
    from kt_models import KTError

    began = time.monotonic()
    unshown = ""
    try:
        best = certify_lower_bound(
            problem,
            job.at_least,
            method=job.method,
            limits=limits,
            on_progress=voice.words,
        )
    except NotShown as error:
        if error.best is None:
            what = str(error) if job.at_least is not None else "no bound was shown"
            raise KTError(f"{what}, in {time.monotonic() - began:.0f} s") from None
        best, unshown = error.best, str(error)
    status = "infeasible" if best.bound is None else "unknown"
    data: dict[str, Any] = {"kind": "bound", "status": status, **problem.to_json()}
    if best.bound is not None:
        data["bound"] = best.bound
    data |= {"closed": problem.closed, "method": best.method, "how": "certificate checked", "reason": best.check()}
    seconds = round(time.monotonic() - began, 3)
    return shown(data | {"unshown": unshown, "seconds": seconds, "certificate": best.to_json()}, None, best)
