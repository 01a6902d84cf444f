"""SAT searches in processes of their own.

PySAT's solvers hold Python's lock while they search, and CaDiCaL cannot be interrupted; in a child both do no harm: the
parent hears signals and clocks, several children use several cores, and a child that is no longer wanted is killed.

A child is `python -c` with this module's `main`; parent and child exchange JSON, one object a line.  The first line
tells the child its task; what others find or prove follows; the child reports incumbents, bounds and its answer.  It
has no other tie to the parent: the end of its input, however the parent ended, is the end of the child, which looks up
between two slices of a search (`encoders.sat.oracle`).
"""

from __future__ import annotations

import atexit
import json
import os
import queue
import signal
import subprocess
import sys
import threading
from dataclasses import asdict
from typing import IO, Any

import numpy as np

from encoders.run import Answer, Progress, Run
from encoders.sat.options import Options
from kt_models.errors import KTError, TooLarge
from kt_models.limits import Limits, Stopped
from kt_models.machine import child_python
from kt_models.problem import Problem

POLL = 0.05
"""Seconds between two looks at what others have reported."""
_alive: set[Child] = set()


class Child:
    """An engine (see `encoders.run.Engine`) that has a SAT search done in a child process.

    Parameters
    ----------
    seed
        Added to the run's seed.
    """

    def __init__(self, problem: Problem, options: Options, seed: int = 0) -> None:
        self.name = options.name
        self._problem, self._options, self._seed = problem, options, seed
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._stopped = False

    def interrupt(self) -> None:
        """Kill the process, or keep it from being started."""
        with self._lock:
            self._stopped = True
            if self._process is not None:
                self._process.kill()

    def work(self, run: Run) -> Answer:
        """Start the child, pass reports on in both directions until it answers, and see it gone."""
        with self._lock:
            if self._stopped:
                raise Stopped
            process = self._process = _start()
            _alive.add(self)
        try:
            return self._converse(run, process)
        finally:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                _close(pipe)
            with self._lock:
                self._process = None
            _alive.discard(self)

    def _converse(self, run: Run, process: subprocess.Popen[str]) -> Answer:
        seed = (run.limits.seed + self._seed) % 2**31
        _send(process, {"problem": self._problem.to_json(), "options": self._options.to_json(), "seed": seed})
        lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        threading.Thread(target=_read, args=(process.stdout, lines), name="kt-child", daemon=True).start()
        told: tuple[int | None, int | None, bool] = (None, None, False)
        while True:
            now = (run.value, run.bound, run.edges is not None)
            if now != told:
                edges = None if run.edges is None or now[::2] == told[::2] else run.edges.tolist()
                _send(process, {"edges": edges, "value": run.value, "bound": run.bound})
                told = now
            try:
                line = lines.get(timeout=POLL)
            except queue.Empty:
                continue
            if not line:
                if self._stopped:
                    raise Stopped
                raise RuntimeError(f"the process of {self.name} ended without an answer (exit {process.wait()})")
            message = json.loads(line)
            if "fault" in message:
                raise (TooLarge if message["kind"] == "TooLarge" else KTError)(message["fault"])
            if message.get("edges") is not None:
                message["edges"] = np.array(message["edges"], dtype=np.int32)
            if "status" in message:
                return Answer(**message)
            run.report(self.name, **message)


def _start() -> subprocess.Popen[str]:
    command, environment = child_python()
    return subprocess.Popen(
        [*command, "-c", "from encoders.child import main; main()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
        start_new_session=True,  # Ctrl-C is for the parent, which decides what becomes of its children
    )


def _send(process: subprocess.Popen[str], message: dict[str, Any]) -> None:
    assert process.stdin is not None
    try:
        process.stdin.write(json.dumps(message) + "\n")
        process.stdin.flush()
    except (BrokenPipeError, ValueError):
        pass  # it has ended: what it wrote last says why


def _read(pipe: IO[str] | None, lines: queue.SimpleQueue[str]) -> None:
    """Queue a pipe's lines; an empty one when it ends."""
    assert pipe is not None
    try:
        for line in pipe:
            lines.put(line)
    except ValueError:
        pass  # closed: nobody is listening any more
    lines.put("")


def _close(pipe: IO[str] | None) -> None:
    try:
        if pipe is not None:
            pipe.close()
    except OSError:
        pass  # text that a killed child never read


@atexit.register
def _kill_all() -> None:
    for child in list(_alive):
        child.interrupt()


# -- the child's side ----------------------------------------------------------------------------------------------


def main() -> None:
    """Do the task that stands on the first line of the input."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    task = json.loads(sys.stdin.readline() or "null")
    if task is None:
        return
    run = Run(Limits(seed=task["seed"]), minimises="objective" in task["problem"])
    out = sys.stdout
    sys.stdout = sys.stderr  # nothing but messages in the pipe
    lock = threading.Lock()

    def say(message: dict[str, Any]) -> None:
        with lock:
            out.write(json.dumps(message) + "\n")
            out.flush()

    told: dict[str, int | None] = {"value": None, "bound": None}

    def on_progress(progress: Progress) -> None:
        # what came from the parent is not sent back: only this thread's reports are
        if threading.current_thread() is not threading.main_thread():
            return
        message: dict[str, Any] = {}
        if run.edges is not None and (told["value"] != progress.value or progress.value is None):
            message.update(edges=run.edges.tolist(), value=progress.value)
        if progress.bound != told["bound"]:
            message["bound"] = progress.bound
        told.update(value=progress.value, bound=progress.bound)
        say(message)

    run.on_progress = on_progress
    threading.Thread(target=_listen, args=(run,), daemon=True).start()
    try:
        from encoders.sat.engine import answer

        problem, options = Problem.from_json(task["problem"]), Options(**task["options"])
        say(_answer_to_json(answer(problem, run, options)))
    except KTError as error:
        say({"fault": str(error), "kind": type(error).__name__})
    out.flush()
    os._exit(0)  # without waiting for the listening thread, or for a large formula to be freed


def _answer_to_json(answer: Answer) -> dict[str, Any]:
    data = asdict(answer)
    data["edges"] = None if answer.edges is None else np.asarray(answer.edges).tolist()
    return data


def _listen(run: Run) -> None:
    """Take in what other engines report; end with the parent."""
    for line in sys.stdin:
        message = json.loads(line)
        if message.get("edges") is not None:
            message["edges"] = np.array(message["edges"], dtype=np.int32)
        run.report("", **message)
    os._exit(1)
