"""Where many calls are worked on: processes here, or a Dask cluster; both behind `concurrent.futures`.

Here each call has a thread, which gives it to a process and waits for the answer.  So it is known which call killed
which process, the others are not disturbed, and a call that does not look at the clock can be ended.  A process that
is gone is seen at the end of its pipe: no further thread is needed, which the system might refuse.  (Without its two
threads the executor of `concurrent.futures` waits for ever.)  A worker ends with its parent, however that ends, and
takes no more memory than it may.
"""

from __future__ import annotations

import pickle
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager, suppress
from types import ModuleType
from typing import TYPE_CHECKING, Any

from kt_models.errors import KTError, install_command, out_of_threads, reason_of
from kt_models.limits import Stopped
from kt_models.machine import begin_worker, usable_memory, without_interrupts

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

MIN_WORKER_BYTES = 256_000_000
"""Bytes: with much less a worker does not even start."""
MEMORY_SHARE = 0.8
"""Of the memory that is free at the start, what all workers together may take."""
GRACE_SECONDS = 2.0
"""Seconds that what was ended, a process or a thread, is waited for."""
RECOUNT_SECONDS = 1.0
"""Seconds between two questions to a cluster how many threads it has; each costs as much as a cube that has no work."""
MAX_TRIES = 3
"""How often a call is given to a worker before it counts as one that kills its worker."""


class _Worker:
    """A process that works on one call after the other."""

    _starting = threading.Lock()

    def __init__(self, memory: int) -> None:
        import multiprocessing

        context = multiprocessing.get_context("spawn")  # a fork would hold the run's lock, and threads of the parent
        try:
            self._pipe, end = context.Pipe()
            with end:
                self._process = context.Process(target=_work, args=(end, memory), daemon=True)
                with self._starting, _no_main(), without_interrupts():
                    self._process.start()
        except OSError as error:
            raise KTError(f"no worker can be started: {reason_of(error)}") from None

    @property
    def waits(self) -> bool:
        """Whether one that has nothing to do is still there."""
        return not self._pipe.poll()  # it says nothing unasked: all that can be read now is the end

    def answer(self, call: bytes) -> bytes | None:
        """What comes of a call; None if the process ends instead."""
        try:
            self._pipe.send_bytes(call)
            return self._pipe.recv_bytes()
        except (EOFError, OSError):
            return None

    def kill(self) -> None:
        self._process.kill()

    def join(self) -> None:
        """Wait until it has ended."""
        self._process.join(GRACE_SECONDS)
        self._pipe.close()


def _work(pipe: Connection, memory: int) -> None:
    """What the process of a worker does: it answers calls until nobody is left to make any."""
    import multiprocessing

    multiprocessing.current_process().daemon = False  # it may have workers of its own
    with suppress(EOFError, OSError, RuntimeError):  # the parent is gone; or the system gives no thread to watch it
        begin_worker(memory)
        while True:
            call = pipe.recv_bytes()
            pipe.send_bytes(_answer(call))


def _answer(call: bytes) -> bytes:
    """Whether a call returned, and what it returned or raised."""
    try:
        function, args = pickle.loads(call)
        return pickle.dumps((True, function(*args)))
    except BaseException as error:
        error.add_note(traceback.format_exc())  # the place where it was raised does not travel
        try:
            return pickle.dumps((False, error))
        except Exception:  # an error that holds what cannot be sent
            return pickle.dumps((False, RuntimeError(f"{type(error).__name__}: {error}")))


class _Job:
    """A call, the worker that it is given to, whether it was given up, and what the caller waits for."""

    def __init__(self, function: Callable[..., Any], args: tuple[Any, ...]) -> None:
        self.function, self.args = function, args
        self.worker: _Worker | None = None
        self.ended = False
        self.outcome: Future[Any] = Future()
        self.outcome.set_running_or_notify_cancel()  # a caller who gives up calls `end`


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
        if memory is not None and memory < MIN_WORKER_BYTES:
            raise KTError(
                f"memory of a worker: {memory:,} bytes are not enough, at least {MIN_WORKER_BYTES:,} are needed"
            )
        self.size = size
        self.memory = memory or max(MIN_WORKER_BYTES, int(MEMORY_SHARE * usable_memory() / size))
        self._idle: list[_Worker] = []
        self._jobs: dict[Future[Any], _Job] = {}
        self._threads: set[threading.Thread] = set()
        self._closed = False
        self._lock = threading.Lock()
        self._places = threading.Semaphore(size)

    def submit(self, function: Callable[..., Any], *args: Any) -> Future[Any]:
        job = _Job(function, args)
        thread = threading.Thread(target=self._settle, args=(job,), name="kt-pool", daemon=True)
        with self._lock:
            self._jobs[job.outcome] = job
            self._threads.add(thread)
        try:
            thread.start()
        except RuntimeError as error:
            with self._lock:
                self._forget(job, thread)
            raise KTError(out_of_threads(error) or str(error)) from None
        return job.outcome

    def end(self, future: Future[Any]) -> None:
        with self._lock:
            if future in self._jobs:
                self._end(self._jobs[future])

    def close(self) -> None:
        with self._lock:
            self._closed = True
            for job in self._jobs.values():
                self._end(job)
            idle, threads = self._idle, list(self._threads)
            self._idle = []
        for worker in idle:
            worker.kill()
        for worker in idle:
            worker.join()
        for thread in threads:  # each sees its worker to its end
            thread.join(GRACE_SECONDS)

    def _end(self, job: _Job) -> None:
        job.ended = True
        if job.worker is not None:
            job.worker.kill()

    def _forget(self, job: _Job, thread: threading.Thread) -> None:
        del self._jobs[job.outcome]
        self._threads.discard(thread)

    def _settle(self, job: _Job) -> None:
        """In a thread of its own: see to it that a call has an outcome."""
        try:
            with self._places:
                answer, error = self._call(job), None
        except BaseException as fault:
            answer, error = None, fault
        with self._lock:
            self._forget(job, threading.current_thread())
        if error is None:
            job.outcome.set_result(answer)
        else:
            job.outcome.set_exception(error)

    def _call(self, job: _Job) -> Any:
        """Give a call to a worker, and where that is lost to another."""
        from concurrent.futures.process import BrokenProcessPool

        call = pickle.dumps((job.function, job.args))
        for _ in range(MAX_TRIES):
            if job.ended:
                break
            worker = self._worker()
            with self._lock:
                job.worker = worker
                if job.ended:
                    worker.kill()
            answer = worker.answer(call)
            with self._lock:
                job.worker = None
                kept = answer is not None and not self._closed
                if kept:
                    self._idle.append(worker)
            if not kept:
                worker.kill()
                worker.join()
            if answer is not None:
                returned, outcome = pickle.loads(answer)
                if returned:
                    return outcome
                raise outcome
        raise BrokenProcessPool("a worker process ended without an answer")

    def _worker(self) -> _Worker:
        """An idle worker, or a new one; a worker may have died while it was idle."""
        while True:
            with self._lock:
                if not self._idle:
                    break
                worker = self._idle.pop()
            if worker.waits:
                return worker
            worker.join()
        return _Worker(self.memory)


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
        if time.monotonic() - self._counted > RECOUNT_SECONDS:
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
