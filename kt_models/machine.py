"""The machine this process runs on: what it may use of it, and how a further Python process is started."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Protocol

from kt_models.errors import KTError, KTWarning

if TYPE_CHECKING:
    from concurrent.futures import Future


class Pool(Protocol):
    """Whoever works on many calls, here or elsewhere (`encoders.work.pool`)."""

    @property
    def size(self) -> int:
        """How many jobs there may be under way."""

    def submit(self, function: Callable[..., Any], *args: Any) -> Future[Any]:
        """Start a job; call it with fewer than `size` under way."""

    def end(self, future: Future[Any]) -> None:
        """Give a job up, and whoever works on it."""

    def close(self) -> None:
        """Give everything up."""


def usable_cores() -> int:
    """How many cores this process may run on, which may be fewer than the machine has."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def child_python() -> tuple[list[str], dict[str, str]]:
    """How to start a Python that finds the same modules as this one: the first words of its command, its environment.

    `-P` keeps the current folder out, unless this process looks there too: a user's file may be called `json.py`.

    Raises
    ------
    KTError
        If there is no interpreter to start.
    """
    if not sys.executable:
        raise KTError("there is no Python interpreter to start a process with (sys.executable is empty)")
    path = os.pathsep.join(entry or os.curdir for entry in sys.path)  # the working directory may be gone
    return [sys.executable, "-P"], {**os.environ, "PYTHONPATH": path}


def begin_worker(memory: int | None = None) -> None:
    """In a process of a pool: no Ctrl-C or warnings of its own, a limit on memory, an end when the parent ends."""
    import multiprocessing
    import warnings

    leave_stopping_to_parent()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    parent = multiprocessing.parent_process()

    def watch() -> None:
        assert parent is not None
        parent.join()
        os._exit(1)

    if parent is not None:
        threading.Thread(target=watch, daemon=True).start()
    warnings.simplefilter("ignore", KTWarning)
    limit_resources(memory)


def leave_stopping_to_parent() -> None:
    """In a child process: ignore what a terminal sends to all processes, as the parent still wants an answer."""
    for name in ("SIGINT", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)


@contextlib.contextmanager
def without_interrupts() -> Iterator[None]:
    """Ctrl-C waits meanwhile, and never reaches the processes begun meanwhile: they inherit what is blocked."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def limit_resources(memory: int | None = None, processor: int | None = None) -> None:
    """Let this process take no more than so many bytes, and seconds of processor time; it leaves no core dump then."""
    with contextlib.suppress(ImportError):  # not on every system
        import resource

        limits = ((resource.RLIMIT_DATA, memory), (resource.RLIMIT_CPU, processor))
        for kind, most in (*limits, (resource.RLIMIT_CORE, None if memory is None else 0)):
            if most is not None:
                with contextlib.suppress(OSError, ValueError):
                    resource.setrlimit(kind, (most, most))
