"""Runs on a real Dask cluster: workers and schedulers that are killed in mid-run, and results equal to a local run's.

Two kinds of cluster: a `LocalCluster` of several processes, and what one starts by hand on several machines, `dask
scheduler` and `dask worker`, here all on this one.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from encoders.enumeration.run import RunSettings, begin, resume
from encoders.work.pool import DaskPool
from kt_models import KTError, Problem, graph_of
from kt_models.runs.audit import audit
from kt_models.runs.folder import CubeRecord, RunStatus
from kt_models.runs.ledger import Ledger
from kt_models.runs.tour_task import TourTask
from tests.chaos.dask import HOST, Processes, free_port
from tests.command import kt
from tests.processes import PATIENCE, until

distributed = pytest.importorskip("distributed")

CUBES = 30


def asked() -> TourTask:
    """1816 tours, some seconds of work."""
    return TourTask(Problem(graph_of("6x6"), "cycle", "turns"), value=34)


def counted() -> TourTask:
    """How many of the 9862 tours have how many turns, by a sweep for each cube."""
    return TourTask(Problem(graph_of("6x6"), "cycle", "turns"), counting=True, by_value=True)


Content = tuple[list[tuple[str, str, int, Any, str]], list[tuple[str, tuple[int, ...]]]]


def content(folder: Path) -> Content:
    """All that has to be equal: what came of each cube, and every tour."""

    def row(record: CubeRecord) -> tuple[str, str, int, Any, str]:
        return record.cube, record.state, record.count, record.by_value, record.digest

    with Ledger.read(folder) as ledger:
        return sorted(map(row, ledger.records())), [tuple(solution) for solution in ledger.solutions()]


@cache
def local(task: Callable[[], TourTask] = asked) -> Content:
    """The same run in processes of this machine, without Dask."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        run = Path(folder) / "run"
        begin(run, task(), CUBES)
        assert resume(run, RunSettings(workers=1)).complete
        return content(run)


def worked_on(
    folder: Path, address: str, disturb: Callable[[], None], task: Callable[[], TourTask] = asked
) -> RunStatus:
    """Do the run on a cluster, and disturb it once when some cubes are done and some are not."""
    begin(folder, task(), CUBES)
    seen: list[RunStatus] = []

    def watch() -> None:
        while not seen:
            time.sleep(0.01)
            with Ledger.read(folder) as ledger:
                if (status := ledger.status()).done:
                    disturb()
                    seen.append(status)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    status = resume(folder, RunSettings(scheduler=address))
    watcher.join(PATIENCE)
    assert seen and seen[0].open
    return status


@contextmanager
def local_cluster(workers: int = 2) -> Iterator[Any]:
    with distributed.LocalCluster(
        n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        yield cluster


@pytest.mark.slow
def test_a_worker_is_killed(tmp_path: Path) -> None:
    with local_cluster() as cluster:
        first = {worker.pid for worker in cluster.workers.values()}
        address = cluster.scheduler_address
        status = worked_on(tmp_path / "run", address, lambda: os.kill(min(first), signal.SIGKILL), counted)
        assert {worker.pid for worker in cluster.workers.values()} != first
    assert status.complete and status.count == 9862 and not status.splits
    assert content(tmp_path / "run") == local(counted)
    assert "9,862" in audit(tmp_path / "run").text


def test_a_scheduler_that_does_not_answer_is_one_line() -> None:
    with pytest.raises(KTError, match="no answer"):
        DaskPool(f"tcp://{HOST}:{free_port()}", timeout=0.5)


# -- schedulers that are killed ----------------------------------------------------------------------------------------


@pytest.fixture
def processes(tmp_path: Path) -> Iterator[Processes]:
    started = Processes(tmp_path)
    yield started
    started.end()


def restarted(process: subprocess.Popen[bytes], start: Callable[[], Any], pause: float = 1.0) -> None:
    """Kill a process with all of its group, and start it again a little later."""
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    timer = threading.Timer(pause, start)
    timer.daemon = True
    timer.start()


@pytest.mark.slow
def test_a_local_cluster_is_killed_and_started_again(tmp_path: Path, processes: Processes) -> None:
    """Scheduler and workers die together, and come back at the same address."""
    port = free_port()

    def start() -> subprocess.Popen[bytes]:
        return processes.serve(port)

    first = start()
    status = worked_on(tmp_path / "run", f"tcp://{HOST}:{port}", lambda: restarted(first, start))
    assert status.complete and content(tmp_path / "run") == local()


@pytest.mark.slow
def test_the_scheduler_is_killed_and_started_again(tmp_path: Path, processes: Processes) -> None:
    """As docs/use/runs.md has it: a worker that has lost its scheduler ends, and is started again by its loop."""
    port = str(free_port())
    dask = (sys.executable, "-m", "dask")
    quiet = ("--no-dashboard", "--dashboard-address", f"{HOST}:0")

    def start() -> subprocess.Popen[bytes]:
        return processes.start(*dask, "scheduler", "--host", HOST, "--port", port, *quiet)

    first = start()
    loop = ("sh", "-c", 'while :; do "$@"; sleep 0.2; done', "sh")
    for _ in range(2):
        processes.start(*loop, *dask, "worker", f"tcp://{HOST}:{port}", "--nthreads", "1", "--nworkers", "1", *quiet)
    status = worked_on(tmp_path / "run", f"tcp://{HOST}:{port}", lambda: restarted(first, start))
    assert status.complete and content(tmp_path / "run") == local()
    assert "1,816" in audit(tmp_path / "run").text


@pytest.mark.slow
def test_a_scheduler_that_does_not_come_back(tmp_path: Path, processes: Processes) -> None:
    """The command ends with one line, what was done is kept, and the run goes on elsewhere."""
    folder, port = tmp_path / "run", free_port()
    server = processes.serve(port)
    command = [sys.executable, "-m", "kt", "enumerate", "6x6", "--by", "turns", "--value", "34"]
    words = ["--cubes", str(CUBES), "--run", str(folder), "--scheduler", f"tcp://{HOST}:{port}"]
    with subprocess.Popen([*command, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as client:
        until(lambda: _done(folder))
        os.killpg(server.pid, signal.SIGKILL)
        _, errors = client.communicate(timeout=PATIENCE)
    last = errors.strip().splitlines()[-1]
    assert client.returncode == 2 and last.startswith("kt: ") and "--resume goes on" in last
    assert "encoders" not in errors  # Dask may have logged what happened to it, but no error of ours went unexplained
    with Ledger.read(folder) as ledger:
        status = ledger.status()
    assert 0 < status.done < CUBES
    resumed = kt("enumerate", "--run", folder, "--resume", "--workers", 1, "--json")
    assert resumed.exit_code == 0 and json.loads(resumed.stdout)["count"] == 1816
    assert content(folder) == local()


def _done(folder: Path) -> int:
    with suppress(KTError), Ledger.read(folder) as ledger:
        return ledger.status().done
    return 0
