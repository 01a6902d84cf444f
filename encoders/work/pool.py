"""Where many calls are worked on: processes here, or a Dask cluster; both behind `concurrent.futures`.

Here every worker is an executor of one process, so that when a process dies it is known which call killed it, the
others are not disturbed, and a call that does not look at the clock can be ended.  A worker ends with its parent,
however that ends, and takes no more memory than it may.
"""

from __future__ import annotations

import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from types import ModuleType
from typing import Any

from kt_models.errors import KTError, install_command, reason_of
from kt_models.limits import Stopped
from kt_models.machine import begin_worker, usable_memory, without_interrupts

LEAST_MEMORY = 256_000_000
"""Bytes: with much less a worker does not even start."""
SHARE = 0.8
"""Of the memory that is free at the start, what all workers together may take."""
GRACE = 2.0
"""Seconds that the threads of processes which were ended are waited for."""
RECOUNT = 1.0
"""Seconds between two questions to a cluster how many threads it has; each costs as much as a cube that has no work."""


MAX_TRIES = 3
"""How often a call is given to a worker before it counts as one that kills its worker."""
HUSH = "ignore:resource_tracker:UserWarning"
"""An option `-W` of Python."""


class _Job:
    """A call, the worker that it is given to, how often it was given to one, and what the caller waits for."""

    def __init__(self, function: Callable[..., Any], args: tuple[Any, ...]) -> None:
        self.function, self.args, self.tries = function, args, 0
        self.lane: ProcessPoolExecutor | None = None
        self.outcome: Future[Any] = Future()


class LocalPool:
    """Processes on this machine.

    A call whose process dies is tried again in a new one, `MAX_TRIES` times in all: whoever kills a process, or the
    system where memory is short, does not decide what comes of a long search.

    Parameters
    ----------
    size
        How many.
    memory
        Bytes that each may allocate; None: an equal share of what is free.
    """

    def __init__(self, size: int, memory: int | None = None) -> None:
        if memory is not None and memory < LEAST_MEMORY:
            raise KTError(f"memory of a worker: {memory:,} bytes are not enough, at least {LEAST_MEMORY:,} are needed")
        self.size = size
        self.memory = memory or max(LEAST_MEMORY, int(SHARE * usable_memory() / size))
        self._idle: list[ProcessPoolExecutor] = []
        self._jobs: dict[Future[Any], _Job] = {}
        self._closed = False
        self._lock = threading.RLock()  # jobs end in the threads of the executors

    def submit(self, function: Callable[..., Any], *args: Any) -> Future[Any]:
        job = _Job(function, args)
        with self._lock:
            self._jobs[job.outcome] = job
            try:
                self._start(job)
            except BaseException:
                del self._jobs[job.outcome]
                raise
        return job.outcome

    def end(self, future: Future[Any]) -> None:
        with self._lock:
            job = self._jobs.get(future)
            if job is not None:
                job.tries = MAX_TRIES
                if job.lane is not None:
                    _kill(job.lane)

    def close(self) -> None:
        with self._lock:
            self._closed = True
            lanes = [*self._idle, *(job.lane for job in self._jobs.values() if job.lane is not None)]
        threads: list[Any] = [lane._executor_manager_thread for lane in lanes]
        for lane in lanes:
            _kill(lane)
            lane.shutdown(wait=False, cancel_futures=True)
        for thread in filter(None, threads):  # Python's clean-up at exit stumbles over one that is just ending
            thread.join(GRACE)

    def _start(self, job: _Job) -> None:
        """Give a job to an idle worker, or to a new one; a worker may have died while it was idle."""
        inner: Future[Any] | None = None
        while inner is None:
            lane = self._idle.pop() if self._idle else self._lane()
            try:
                with _no_main(), without_interrupts():
                    inner = lane.submit(job.function, *job.args)
            except _broken():
                lane.shutdown(wait=False)
            except BaseException:  # no thread for the lane: its process would wait for work, and Python's exit for it
                _kill(lane)
                lane.shutdown(wait=False)
                raise
        job.lane = lane
        job.tries += 1
        inner.add_done_callback(lambda inner: self._ended(job, inner))

    def _ended(self, job: _Job, inner: Future[Any]) -> None:
        """Pass on what came of a job; where its worker was lost, try it again in a new one."""
        error: BaseException | None = CancelledError() if inner.cancelled() else inner.exception()
        with self._lock:
            lost = isinstance(error, _broken())
            lane, job.lane = job.lane, None
            if lane is not None and (lost or self._closed):
                lane.shutdown(wait=False)
            elif lane is not None:
                self._idle.append(lane)
            if lost and job.tries < MAX_TRIES and not self._closed:
                try:
                    self._start(job)
                    return
                except Exception as fault:  # the system starts no more processes
                    error = fault
            del self._jobs[job.outcome]
        if isinstance(error, CancelledError):
            job.outcome.cancel()
            job.outcome.set_running_or_notify_cancel()
        elif error is None:
            job.outcome.set_result(inner.result())
        else:
            job.outcome.set_exception(error)

    def _lane(self) -> ProcessPoolExecutor:
        import multiprocessing

        _hush_resource_tracker()
        context = multiprocessing.get_context("spawn")  # a fork would hold the run's lock, and threads of the parent
        try:
            return ProcessPoolExecutor(1, context, begin_worker, (self.memory,))
        except OSError as error:  # it makes a file for a semaphore
            raise KTError(f"no worker can be started: {reason_of(error)}") from None


def _hush_resource_tracker() -> None:
    """Nothing is said about semaphores of workers that were killed: multiprocessing's own process removes them.

    The message is a warning in that process, which gets this process's options for warnings.
    """
    if HUSH not in sys.warnoptions:
        sys.warnoptions.append(HUSH)
        warnings.filterwarnings("ignore", "resource_tracker", UserWarning)


@contextmanager
def _no_main() -> Iterator[None]:
    """Processes that are started meanwhile do not run the main program again, which may be a script without a guard."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


class DaskPool:
    """A Dask cluster, through the executor that its client gives.

    Raises
    ------
    KTError
        If dask.distributed is not installed, or nobody answers at the address.
    """

    def __init__(self, address: str, timeout: float = 30.0) -> None:
        try:
            from distributed import Client
        except ImportError:
            raise KTError(f"--scheduler: dask.distributed is not installed ({install_command('cluster')})") from None
        try:
            self._client = Client(address, timeout=timeout, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise KTError(f"scheduler {address}: no answer: {error}") from None
        self._executor: Executor = self._client.get_executor(pure=False)
        self._threads, self._counted = 0, float("-inf")

    @property
    def size(self) -> int:
        """Two jobs for each thread of the cluster as it is now, or was a moment ago, so that none waits for the next.

        Raises
        ------
        KTError
            If the scheduler is gone and did not come back in time.
        """
        if self._client.status in ("closing", "closed"):
            raise Stopped("the scheduler is gone; --resume goes on")
        if self._client.status != "running":  # what is handed out while it looks for the scheduler may get lost
            return 0
        if time.monotonic() - self._counted > RECOUNT:
            try:
                self._threads = sum(self._client.nthreads().values())
            except OSError:  # the scheduler has just died, and the client has not noticed
                return 0
            self._counted = time.monotonic()
        return 2 * max(1, self._threads)

    def submit(self, function: Callable[..., Any], *args: Any) -> Future[Any]:
        return self._executor.submit(function, *args)

    def end(self, future: Future[Any]) -> None:
        future.cancel()

    def close(self) -> None:
        with suppress(Exception):  # the cluster may be gone already
            self._executor.shutdown(wait=False, cancel_futures=True)
        with suppress(Exception):
            self._client.close(timeout=2)


def _kill(lane: ProcessPoolExecutor) -> None:
    for process in list((lane._processes or {}).values()):
        process.kill()


def _broken() -> type[BaseException]:
    from concurrent.futures.process import BrokenProcessPool

    return BrokenProcessPool
