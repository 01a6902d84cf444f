"""A Dask cluster whose scheduler or workers are killed at random moments; the run goes on, there or here."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from random import Random

from kt_models.runs.folder import is_run
from tests.chaos.kills import RUNS, Task, compare, done
from tests.chaos.program import Ending, ended, family, program
from tests.processes import environment, until

HOST = "127.0.0.1"
SERVE = """
import sys, threading
from distributed import LocalCluster
if __name__ == "__main__":
    cluster = LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, host=sys.argv[1], scheduler_port=int(sys.argv[2]),
        dashboard_address=None,
    )
    print("serving", flush=True)
    threading.Event().wait()
"""
"""A scheduler in this process, and two workers in processes of their own, which it starts again."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


class Processes:
    """Processes that are started in groups of their own, and are all gone in the end."""

    def __init__(self, folder: Path) -> None:
        self._started: list[subprocess.Popen[bytes]] = []
        self._log = open(folder / "log", "ab")  # noqa: SIM115

    def start(self, *words: str) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(words, stdout=self._log, stderr=self._log, start_new_session=True, env=environment())
        self._started.append(process)
        return process

    def serve(self, port: int) -> subprocess.Popen[bytes]:
        """Start a cluster at this port."""
        return self.start(sys.executable, "-c", SERVE, HOST, str(port))

    def end(self) -> None:
        for process in self._started:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        self._log.close()


def answers(port: int) -> bool:
    """Whether anybody listens there."""
    with socket.socket() as probe:
        return probe.connect_ex((HOST, port)) == 0


def on_cluster(task: Task, port: int) -> tuple[str, ...]:
    """The words that do a run on a cluster."""
    at = task.words.index("--workers")
    return (*task.words[:at], *task.words[at + 2 :], "--scheduler", f"tcp://{HOST}:{port}")


def a_worker(process: subprocess.Popen[bytes], choose: Random) -> None:
    """Kill a worker of a cluster; its nanny starts another."""
    workers = [pid for pid, words in family(process.pid) if "spawn_main" in words]
    if workers:
        with suppress(ProcessLookupError):
            os.kill(choose.choice(workers), signal.SIGKILL)


def trial(choose: Random, work: Path) -> str:
    """Kill workers, or the whole cluster, which comes back or does not."""
    (folder := work / "work").mkdir()
    task = choose.choice([task for task in RUNS if task.words[0] != "search"])
    port = free_port()
    processes = Processes(work)
    try:
        cluster = processes.serve(port)
        until(lambda: answers(port))
        fault = choose.choice(["worker", "worker", "cluster killed and back", "cluster killed for good"])
        with program(on_cluster(task, port), folder) as made:
            for _ in range(choose.randint(1, 4) if fault == "worker" else 1):
                if not made.pause(choose.uniform(0.2, 3)):
                    break
                if fault == "worker":
                    a_worker(cluster, choose)
                    continue
                os.killpg(cluster.pid, signal.SIGKILL)
                cluster.wait()
                if fault.endswith("back"):
                    made.pause(choose.uniform(0, 3))
                    processes.serve(port)
            ending = made.wait()
        return judged(task, ending, folder, fault)
    finally:
        processes.end()


def judged(task: Task, ending: Ending, folder: Path, fault: str) -> str:
    """Dask may log what happened to it; nothing else may come, and what was done is kept."""
    ending.require(ending.status in (0, 2, 3), fault)
    ending.require("encoders" not in ending.err and "internal error" not in ending.err, fault)
    if ending.status == 0:
        compare(task, folder, ending)
        return f"{fault}: completed"
    ending.require(ending.last.startswith("kt: "), fault)
    before = done(folder / "run")
    ending = ended(task.resumed if is_run(folder / "run") else task.words, folder)
    ending.foreseen(0)
    assert done(folder / "run") >= before
    compare(task, folder, ending)
    return f"{fault}: completed here"
