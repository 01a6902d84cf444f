"""A SAT search as an engine in a child process, which hears what other engines find or prove.

The child reads messages between two slices of a search (`encoders.sat.oracle`), and reports incumbents, bounds and
finally its answer.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from encoders.sat.options import SatOptions
from encoders.work.child import Child, ChildEnded, Message, serve
from encoders.work.run import Run
from kt_models.limits import Limits, Report, Stopped
from kt_models.problem import Problem

POLL_SECONDS = 0.05
"""Seconds between two looks at the reports of other engines."""


class SatProcess:
    """An engine (see `encoders.work.run.Engine`) whose SAT search runs in a child process.

    Parameters
    ----------
    seed
        Added to the run's seed.
    """

    def __init__(self, problem: Problem, options: SatOptions, seed: int = 0) -> None:
        self.name = options.name
        self._problem, self._options, self._seed = problem, options, seed
        self._lock = threading.Lock()
        self._child: Child | None = None
        self._stopped = False

    def interrupt(self) -> None:
        """Kill the process, or prevent its start."""
        with self._lock:
            self._stopped = True
            if self._child is not None:
                self._child.kill()

    def work(self, run: Run) -> Report:
        """Start the child, pass reports on in both directions until its last one, and wait for its end."""
        seed = (run.limits.seed + self._seed) % 2**31
        task = {"problem": self._problem.to_json(), "options": self._options.to_json(), "seed": seed}
        with self._lock:
            if self._stopped:
                raise Stopped
            child = self._child = Child(__name__, task)
        try:
            with child:
                return self._converse(run, child)
        except (RuntimeError, ChildEnded):
            if self._stopped:
                raise Stopped from None
            raise
        finally:
            with self._lock:
                self._child = None

    def _converse(self, run: Run, child: Child) -> Report:
        sent = Report()
        while True:
            now = run.summary(self.name)
            if (now.value, now.bound, now.edges is None) != (sent.value, sent.bound, sent.edges is None):
                child.send(_to_json(now, with_edges=now.edges is not sent.edges))
                sent = now
            if (message := child.receive(POLL_SECONDS)) is None:
                continue
            data = _from_json(message)
            if "counts" in data:
                run.count(self.name, data["counts"])
            elif "status" in data:
                return Report(**data)
            else:
                run.report(self.name, **data)


def _to_json(report: Report, with_edges: bool = True) -> Message:
    edges = np.asarray(report.edges).tolist() if with_edges and report.edges is not None else None
    return {"value": report.value, "bound": report.bound, "edges": edges}


def _from_json(message: Message) -> dict[str, Any]:
    if message.get("edges") is not None:
        message["edges"] = np.array(message["edges"], dtype=np.int32)
    return message


# -- the child's side ----------------------------------------------------------------------------------------------


class _ChildRun(Run):
    """A run that sends its counts to the parent."""

    say: Callable[..., None]

    def count(self, engine: str, counts: Mapping[str, int]) -> None:
        self.say(counts=counts)


class _SatWorker:
    def __init__(self, task: Message, say: Callable[..., None]) -> None:
        self._task, self._say = task, say
        self._sent = Report()
        self._run = _ChildRun(Limits(seed=task["seed"]), "objective" in task["problem"], self._pass_on)
        self._run.say = say

    def hear(self, message: Message) -> None:
        """Take the report of another engine."""
        self._run.report("", **_from_json(message))

    def work(self) -> Message:
        """Solve, and report the outcome."""
        from encoders.sat.optimise import solve

        problem, options = Problem.from_json(self._task["problem"]), SatOptions(**self._task["options"])
        report = solve(problem, self._run, options)
        head = {"engine": report.engine, "status": report.status, "conclusive": report.conclusive}
        return _to_json(report) | head

    def _pass_on(self, now: Report) -> None:
        # Only reports of this thread go to the parent, not those that came from it.
        if threading.current_thread() is threading.main_thread():
            better = now.edges is not None and (now.value is None or now.value != self._sent.value)
            self._say(**_to_json(now if better else replace(now, value=None), with_edges=better))
            self._sent = now


def main() -> None:
    """Do the task on the first line of the input."""
    serve(_SatWorker)
