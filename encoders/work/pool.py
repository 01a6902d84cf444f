"""Pools that work on many calls: processes on this machine, or a Dask cluster; both behind `concurrent.futures`.

In the local pool each call has a thread, which gives it to a process and waits for the answer. So the pool knows which
call killed which process, does not disturb the others, and can end a call that does not look at the clock. The end of a
process shows at the end of its pipe and needs no further thread, which the system might refuse. (Without its two
threads the executor of `concurrent.futures` waits for ever.) A worker ends with its parent, however that ends, and
keeps to its limit of memory.
"""

from __future__ import annotations

import pickle
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext, suppress
from types import ModuleType
from typing import TYPE_CHECKING, Any

from kt_models.errors import KTError, install_command, out_of_threads, reason_of
from kt_models.limits import Stopped
from kt_models.machine import begin_worker, usable_memory, without_interrupts

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

MIN_WORKER_BYTES = 256_000_000
"""Bytes; with much less a worker does not even start."""
MEMORY_SHARE = 0.8
"""Share of the memory free at the start that all workers together may take; the rest is for this process and others."""
GRACE_SECONDS = 2.0
"""Seconds to wait for a process or thread that was told to end."""
RECOUNT_SECONDS = 1.0
"""Seconds between two requests for a cluster's number of threads; a request costs as much as a trivial cube."""
MAX_TRIES = 3
"""How often a call is given to a worker before the call counts as one that kills workers."""


class _Worker:
    """A process that works on one call after the other."""

    _starting = threading.Lock()

    def __init__(self, memory: int) -> None:
        import multiprocessing

        # A fork would hold the run's lock, and copies of the parent's threads.
        context = multiprocessing.get_context("spawn")
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
        """Whether an idle worker is still alive."""
        return not self._pipe.poll()  # A worker sends nothing unasked, so anything to read is the end of its pipe.

    def answer(self, call: bytes) -> bytes | None:
        """The outcome of a call; None if the process ends instead."""
        try:
            self._pipe.send_bytes(call)
            return self._pipe.recv_bytes()
        except (EOFError, OSError):
            return None

    def kill(self) -> None:
        self._process.kill()

    def join(self) -> None:
        """Wait until the worker has ended."""
        self._process.join(GRACE_SECONDS)
        self._pipe.close()


def _work(pipe: Connection, memory: int) -> None:
    """Answer calls in the process of a worker until nobody is left to make any."""
    import multiprocessing

    multiprocessing.current_process().daemon = False  # A worker may have workers of its own, which daemons may not.
    with suppress(EOFError, OSError, RuntimeError):  # The parent is gone, or the system gives no thread to watch it.
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
        error.add_note(traceback.format_exc())  # Pickle drops the traceback of an exception.
        try:
            return pickle.dumps((False, error))
        except Exception:  # The error may hold something that cannot be pickled.
            return pickle.dumps((False, RuntimeError(f"{type(error).__name__}: {error}")))


class _Job:
    """A call, its worker, whether the caller gave it up, and the future that the caller waits for."""

    def __init__(self, function: Callable[..., Any], args: tuple[Any, ...]) -> None:
        self.function, self.args = function, args
        self.worker: _Worker | None = None
        self.ended = False
        self.outcome: Future[Any] = Future()
        # A caller who gives up calls `end`; a future that runs cannot be cancelled.
        self.outcome.set_running_or_notify_cancel()


def local_pool(workers: int) -> AbstractContextManager[LocalPool | None]:
    """The processes of some workers; none for one worker, whose work is done in this process."""
    return closing(LocalPool(workers)) if workers > 1 else nullcontext()


class LocalPool:
    """Processes on this machine.

    If its process dies, a call is tried again in a new one, `MAX_TRIES` times in all: neither a `kill` nor a shortage
    of memory decides the outcome of a long search.

    Parameters
    ----------
    size
        Number of processes.
    memory
        Bytes that each may allocate; None for an equal share of the free memory.
    """

    def __init__(self, size: int, memory: int | None = None) -> None:
        if memory is not None and memory < MIN_WORKER_BYTES:
            raise KTError(f"memory of a worker must be at least {MIN_WORKER_BYTES:,} bytes, got {memory:,}")
        self.size = size
        # Each worker may take an equal share, but never less than it needs to start.
        self.memory = memory or max(MIN_WORKER_BYTES, int(MEMORY_SHARE * usable_memory() / size))
        self._idle: list[_Worker] = []
        self._jobs: dict[Future[Any], _Job] = {}
        self._threads: set[threading.Thread] = set()
        self._closed = False
        # The lock guards the three collections above; the semaphore lets at most `size` calls work at a time.
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
        # Kill all before the first join, so that the workers end at the same time.
        for worker in idle:
            worker.kill()
        for worker in idle:
            worker.join()
        for thread in threads:  # Each thread waits for its worker.
            thread.join(GRACE_SECONDS)

    def _end(self, job: _Job) -> None:
        job.ended = True
        if job.worker is not None:
            job.worker.kill()

    def _forget(self, job: _Job, thread: threading.Thread) -> None:
        del self._jobs[job.outcome]
        self._threads.discard(thread)

    def _settle(self, job: _Job) -> None:
        """Bring a call to an outcome, in a thread of its own."""
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
        """Give a call to a worker, and to another one if that is lost."""
        from concurrent.futures.process import BrokenProcessPool

        # Pickle once: a further try sends the same bytes.
        call = pickle.dumps((job.function, job.args))
        for _ in range(MAX_TRIES):
            if job.ended:
                break
            worker = self._worker()
            with self._lock:
                job.worker = worker
                # The caller may have given up between the check above and the start of the worker.
                if job.ended:
                    worker.kill()
            answer = worker.answer(call)
            with self._lock:
                job.worker = None
                # A closed pool keeps no worker, for nobody would end it.
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
                    # Leave the lock before a worker is started, which takes long.
                    break
                worker = self._idle.pop()
            if worker.waits:
                return worker
            worker.join()
        return _Worker(self.memory)


@contextmanager
def _no_main() -> Iterator[None]:
    """Keep processes that start meanwhile from running the main program, which may be a script without a guard."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


class DaskPool:
    """A Dask cluster, through the executor of its client.

    Raises
    ------
    KTError
        If dask.distributed is not installed, or no scheduler answers at the address.
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
        """Two jobs for each thread of the cluster, now or a moment ago, so that no thread waits for its next job.

        Raises
        ------
        KTError
            If the scheduler has gone and did not come back in time.
        """
        if self._client.status in ("closing", "closed"):
            raise Stopped("the scheduler has gone; --resume continues")
        if self._client.status != "running":  # Work handed out while the client looks for the scheduler may get lost.
            return 0
        if time.monotonic() - self._counted > RECOUNT_SECONDS:
            try:
                self._threads = sum(self._client.nthreads().values())
            except OSError:  # The scheduler has just died, and the client has not noticed.
                return 0
            self._counted = time.monotonic()
        return 2 * max(1, self._threads)

    def submit(self, function: Callable[..., Any], *args: Any) -> Future[Any]:
        return self._executor.submit(function, *args)

    def end(self, future: Future[Any]) -> None:
        future.cancel()

    def close(self) -> None:
        with suppress(Exception):  # The cluster may be gone already.
            self._executor.shutdown(wait=False, cancel_futures=True)
        with suppress(Exception):
            self._client.close(timeout=2)
