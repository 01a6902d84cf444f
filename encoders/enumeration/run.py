"""Work on a run: its open cubes go to a pool of workers, and their outcomes into the ledger.

Every cube is one transaction, so a run can be killed at any moment: what is in the ledger is done, and the rest is done
again. Several processes on one machine may work on a run. Each claims the cubes that it works on, and takes over those
of a process that ends. A cube that runs out of time or memory, or that kills its worker, is cut into
`PARTS_OF_A_CUBE` parts that take its place. A cube that cannot be cut, or that is the result of `MAX_LEVELS` cuts, is
recorded as failed.
"""

from __future__ import annotations

import json
import os
import time
from collections import deque
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from encoders.enumeration import is_swept, why_none
from encoders.enumeration.job import solve_cube
from encoders.enumeration.split import Splitter
from encoders.work.pool import DaskPool, LocalPool
from kt_models.errors import KTError
from kt_models.kernel.certificates.proofs.manifest import FORMULA, Manifest
from kt_models.limits import NO_LIMITS, Limits, Listener, Report, Stopped, silent
from kt_models.locks import Claims
from kt_models.machine import Pool, usable_cores
from kt_models.problem import require_unnumbered
from kt_models.runs.bound_task import BoundTask
from kt_models.runs.cubes import Cube
from kt_models.runs.folder import (
    CLAIMS,
    DONE,
    FAILED,
    SPLIT,
    CubeRecord,
    RunStatus,
    Solution,
    locked,
    task_and_digest,
    write_proof,
)
from kt_models.runs.ledger import Ledger, create, require_new
from kt_models.runs.parts import RunPart
from kt_models.runs.task import Task
from kt_models.runs.tour_task import TourTask

FIRST_CUBES = {"tours": 256, "gadgets": 256, "bound": 64, "count": 32}
"""Cubes at the start of a run, by the kind of its task; fewer if a cube repeats work of the one before it."""
PARTS_OF_A_CUBE = 8
MAX_LEVELS = 8
CUBE_SECONDS = 300.0
GRACE_SECONDS = 60.0
"""Seconds beyond twice its time after which a worker that does not look at the clock is killed."""
POLL_SECONDS = 0.2
LOOK_SECONDS = 1.0
"""Seconds between two looks for cubes that other processes have left or split."""
CRASHES = ("BrokenProcessPool", "KilledWorker", "MemoryError")
"""Errors that a smaller cube may avoid."""
MAX_CRASHES = 20
"""Workers that may die in a row, without a finished cube in between, before the run stops."""
MAX_LOST = 5
"""How often a cluster may lose a cube (because its scheduler restarted, say) before the run stops."""


@dataclass(frozen=True)
class RunSettings:
    """The resources of a run.

    Parameters
    ----------
    workers
        Processes on this machine; None for one for each core.
    seconds
        Time for a cube.
    memory
        Bytes for a worker; None for a share of the free memory.
    engine
        As for `enumerate_tours`.
    scheduler
        Address of a Dask scheduler that gets the cubes.
    """

    workers: int | None = None
    seconds: float = CUBE_SECONDS
    memory: int | None = None
    engine: str = "auto"
    scheduler: str | None = None

    def __post_init__(self) -> None:
        if not 0 < self.seconds < 1e9:
            raise KTError(f"time for a cube {self.seconds}: must be a number of seconds above 0")

    def pool(self) -> Pool:
        if self.scheduler:
            return DaskPool(self.scheduler)
        return LocalPool(self.workers or usable_cores(), self.memory)


def begin(
    folder: str | os.PathLike[str],
    task: Task,
    cubes: int | None = None,
    limits: Limits = NO_LIMITS,
    command: str = "",
) -> None:
    """Cut a task into cubes (by default `FIRST_CUBES`) and write them into a new run.

    `command` is the command line that began it, for people to read.

    Raises
    ------
    Stopped
        If the limits are reached before all cubes exist; then there is no run.
    KTError
        If the folder holds a run already, or another process works there.
    """
    if isinstance(task, TourTask):
        require_unnumbered(task.problem, "a run")
        if reason := why_none(task.problem):
            raise KTError(
                f"{task.problem.graph.name}: {reason}; a run has nothing to do, and the command answers without it"
            )
    kind = "count" if isinstance(task, TourTask) and is_swept(task) else task.kind
    cubes = FIRST_CUBES[kind] if cubes is None else cubes
    if not 1 <= cubes <= 10_000_000:
        raise KTError(f"cubes {cubes}: must be a number from 1 to 10,000,000")
    require_new(folder)  # Lock nothing in a folder of another kind.
    with locked(folder):
        require_new(folder)
        files, first = limits.run(lambda: _cut(task, cubes, limits))
        create(folder, task, first, files, command)


def _cut(task: Task, cubes: int, limits: Limits) -> tuple[dict[str, str], list[Cube]]:
    files = _files(task)
    with Splitter(task, limits) as splitter:
        return files, splitter.split(Cube(), cubes)


def _files(task: Task) -> dict[str, str]:
    """The files of a run besides its cubes and its ledger."""
    if not (isinstance(task, BoundTask) and task.proving):
        return {}
    from encoders.enumeration.refute import Base

    return Base(task).files()


def resume(
    folder: str | os.PathLike[str],
    work: RunSettings | None = None,
    limits: Limits = NO_LIMITS,
    on_progress: Listener = silent,
) -> RunStatus:
    """Work on a run until it is complete, the limits are reached, or all that is left has failed.

    Parameters
    ----------
    on_progress
        Called from time to time.

    Raises
    ------
    KTError
        If the folder holds no run, another process begins or merges it, or the disk is full.
    """
    task_and_digest(folder)  # Make no folder if there is no run.
    with locked(folder, shared=True), Claims(Path(folder) / CLAIMS) as claims, Ledger(folder, writable=True) as ledger:
        session = _Session(ledger, claims, work or RunSettings(), limits, on_progress)
        session.go()
        return ledger.status()


class _Session:
    def __init__(
        self, ledger: Ledger, claims: Claims, work: RunSettings, limits: Limits, on_progress: Listener
    ) -> None:
        self._ledger, self._claims, self._work = ledger, claims, work
        self._limits, self._on_progress = limits, on_progress
        self._text = json.dumps(ledger.task.to_json(), sort_keys=True)
        proving = isinstance(ledger.task, BoundTask) and ledger.task.proving
        self._formula = Manifest.read(ledger.folder).digests[FORMULA] if proving else ""
        self._level: dict[str, int] = {}
        self._queue: deque[str] = deque()
        self._tried: set[str] = set()
        self._held = False
        self._looked = 0.0
        self._refuted = False
        self._look()
        self._lost: dict[str, int] = {}
        self._crashes = 0
        self._splitter: Splitter | None = None
        self._told = 0.0

    def _look(self) -> None:
        """Look into the ledger for cubes that are open; others may work on them, and have split some."""
        for record in self._ledger.records(SPLIT):
            self._cut(record)
        part = RunPart.of_folder(self._ledger.folder)
        share = None if part is None else part.cubes(self._ledger)
        waiting = (name for name in self._ledger.open_cubes() if share is None or name in share)
        # The order is independent of the difficulty of cubes, so that the rate is the same early and late.
        untried = sorted((name for name in waiting if name not in self._tried), key=_order)
        self._queue = deque(untried)
        self._refuted = isinstance(self._ledger.task, BoundTask) and self._ledger.count() > 0
        self._looked = time.monotonic()

    def _next(self) -> str | None:
        """A cube that is open and that no other process works on; None if there is none now."""
        while self._queue:
            name = self._queue.popleft()
            if not self._claims.take(name):
                self._held = True
                continue
            if not self._ledger.is_settled(name):
                self._tried.add(name)
                return name
            self._claims.release(name)
        return None

    def _left(self) -> bool:
        """Whether there is a cube to work on or to wait for, because another process may leave it."""
        if not self._queue and self._held and time.monotonic() - self._looked > LOOK_SECONDS:
            self._held = False
            self._look()
        return bool(self._queue) or self._held

    def go(self) -> None:
        if not self._queue or self._refuted:
            return
        pool = self._work.pool()
        flying: dict[Future[Any], tuple[str, float]] = {}
        try:
            while (self._left() or flying) and not self._limits.over and not self._refuted:
                while len(flying) < pool.size and (name := self._next()) is not None:
                    flying[self._submit(pool, name)] = name, time.monotonic()
                if not flying:  # Other processes work on all that is left
                    time.sleep(POLL_SECONDS)
                done, _ = wait(flying, timeout=POLL_SECONDS, return_when=FIRST_COMPLETED)
                for future in done:
                    name = flying.pop(future)[0]
                    self._settle(name, future)
                    self._claims.release(name)
                for future, (name, since) in list(flying.items()):
                    if time.monotonic() - since > 2 * self._work.seconds + GRACE_SECONDS:
                        pool.end(future)
                    if future.cancelled():  # A cluster cancelled it, or `end` did just now; nobody else reports that.
                        del flying[future]
                        self._forgotten(name)
                self._tell()
        finally:
            pool.close()
            if self._splitter is not None:
                self._splitter.__exit__()

    def _submit(self, pool: Pool, name: str) -> Future[Any]:
        memory = pool.memory // 2 if isinstance(pool, LocalPool) else self._work.memory
        more = () if memory is None else (memory,)
        try:
            return pool.submit(solve_cube, self._text, name, self._work.seconds, self._work.engine, *more)
        except RuntimeError as error:  # A closed client or executor raises this.
            raise Stopped(f"the workers have gone ({error}); --resume continues") from None

    def _settle(self, name: str, future: Future[Any]) -> None:
        try:
            answer = future.result()
        except CancelledError:
            self._forgotten(name)
            return
        except KTError:
            raise
        except Exception as error:
            self._died(name, error)
            return
        self._crashes = 0
        engine, seconds = str(answer["engine"]) if "engine" in answer else "", float(answer["seconds"])
        if "reason" in answer:
            self._finer(name, str(answer["reason"]), engine, seconds)
            return
        solutions = tuple(Solution(key, tuple(edges)) for key, edges in answer["solutions"])
        by_value = tuple((value, count) for value, count in answer["by_value"])
        proof = self._keep(answer["formula"], answer["proof"]) if "proof" in answer else ""
        self._ledger.record(
            CubeRecord(name, DONE, answer["count"], solutions, by_value, proof=proof, engine=engine, seconds=seconds)
        )
        self._refuted = isinstance(self._ledger.task, BoundTask) and bool(solutions)

    def _keep(self, formula: str, proof: bytes) -> str:
        """Write a proof, before its cube is recorded as done."""
        if formula != self._formula:
            raise KTError(f"{self._ledger.folder}: this program begins proofs from another formula than the run's")
        return write_proof(self._ledger.folder, proof)

    def _forgotten(self, name: str) -> None:
        """Submit a cube again that a cluster has lost."""
        self._lost[name] = self._lost.get(name, 0) + 1
        if self._lost[name] > MAX_LOST:
            raise Stopped("the workers have gone; --resume continues")
        self._claims.release(name)
        self._tried.discard(name)
        self._queue.append(name)

    def _died(self, name: str, error: Exception) -> None:
        """Handle the death of a job or its process: a smaller cube may live, unless the fault is the program's."""
        reason = f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
        if type(error).__name__ not in CRASHES:
            self._ledger.record(CubeRecord(name, FAILED, reason=reason))
            return
        self._crashes += 1
        if self._crashes > MAX_CRASHES:
            raise Stopped(f"workers die one after another ({reason}); --resume continues")
        self._finer(name, reason, "", 0.0)

    def _finer(self, name: str, reason: str, engine: str, seconds: float) -> None:
        """Cut a failed cube into parts, or record that it failed."""
        parts = []
        if self._level.get(name, 0) < MAX_LEVELS:
            if self._splitter is None:
                self._splitter = Splitter(self._ledger.task)
            parts = self._splitter.split(Cube.parse(name), PARTS_OF_A_CUBE)
        if len(parts) < 2:
            self._ledger.record(CubeRecord(name, FAILED, engine=engine, reason=reason, seconds=seconds))
            return
        names = tuple(part.name for part in parts)
        record = CubeRecord(name, SPLIT, parts=names, engine=engine, reason=reason, seconds=seconds)
        self._ledger.record(record)
        self._cut(record)
        self._queue.extendleft(reversed(names))

    def _cut(self, record: CubeRecord) -> None:
        level = self._level.get(record.cube, 0) + 1
        self._level.update(dict.fromkeys(record.parts, level))

    def _tell(self) -> None:
        if self._on_progress is not silent and time.monotonic() > self._told:
            started = time.monotonic()
            self._on_progress(Report(words=progress_line(self._ledger.status())))
            now = time.monotonic()
            # To count a million rows takes a while, so report the less often the longer it takes.
            self._told = now + 1 + 50 * (now - started)


def _order(name: str) -> bytes:
    return sha256(name.encode()).digest()


def progress_line(status: RunStatus) -> str:
    """The progress of a run, and an estimate of its remaining time."""
    left = f"  about {duration(status.open / status.rate)} left" if status.rate else ""
    failed = f"  {status.failed} failed" if status.failed else ""
    return f"{status.done:,} of {status.cubes:,} cubes  {status.count:,} found{failed}{left}"


def duration(seconds: float) -> str:
    """A duration in words."""
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"
