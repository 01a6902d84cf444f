"""The machine of this process: the cores and the memory it may use, and how it starts further Python processes."""

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
    from pathlib import Path

UNKNOWN_MEMORY = 4 * 1024**3
"""Bytes assumed to be usable if the system does not report them."""


class Pool(Protocol):
    """Workers for many calls, here or elsewhere (`encoders.work.pool`)."""

    @property
    def size(self) -> int:
        """Most jobs under way at a time."""

    def submit(self, function: Callable[..., Any], *args: Any) -> Future[Any]:
        """Start a job; at most `size` may be under way."""

    def end(self, future: Future[Any]) -> None:
        """Abandon a job, with its worker."""

    def close(self) -> None:
        """Abandon all jobs."""


def usable_cores(root: str | os.PathLike[str] = "/") -> int:
    """Number of cores that this process may keep busy: those it is bound to, within the quota of its control groups.

    Parameters
    ----------
    root
        The folder that holds `proc` and `sys`.
    """
    bound = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    quotas = []
    for folder in _control_groups("cpu", root):
        quota, period = [*_words(folder / "cpu.max"), "", ""][:2]  # Version 2 of control groups has both in one file
        if not quota:
            quota, period = "".join(_words(folder / "cpu.cfs_quota_us")), "".join(_words(folder / "cpu.cfs_period_us"))
        if quota.isdigit() and period.isdigit() and int(period):  # "max" or -1 means no quota
            quotas.append(max(1, -(-int(quota) // int(period))))
    return min([bound, *quotas])


def usable_memory(root: str | os.PathLike[str] = "/") -> int:
    """Bytes that this process may still take: the free memory, within its control groups and its resource limits.

    The file cache of a control group counts as free, because the system drops it first.

    Parameters
    ----------
    root
        The folder that holds `proc` and `sys`.
    """
    from pathlib import Path

    rooms = [_room_of_system(Path(root)), *_rooms_of_process(Path(root))]
    for folder in _control_groups("memory", root):
        for most, used, files in (
            ("memory.max", "memory.current", "inactive_file"),
            ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
        ):
            limit, taken = _words(folder / most)[:1], _words(folder / used)[:1]
            if limit and limit[0].isdigit():  # "max" means no limit
                held = int(taken[0]) if taken and taken[0].isdigit() else 0
                rooms.append(int(limit[0]) - max(0, held - _table(folder / "memory.stat").get(files, 0)))
    return max(0, min(rooms))


def _room_of_system(root: Path) -> int:
    available = _table(root / "proc" / "meminfo").get("MemAvailable")
    if available is not None:
        return available * 1024
    try:
        # macOS does not say how much is free: assume half
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    except (ValueError, OSError, AttributeError):
        return UNKNOWN_MEMORY


def _rooms_of_process(root: Path) -> list[int]:
    try:
        import resource
    except ImportError:  # Windows has no such module
        return []
    status, rooms = _table(root / "proc" / "self" / "status"), []
    for kind, taken in ((resource.RLIMIT_AS, "VmSize"), (resource.RLIMIT_DATA, "VmData")):
        most = resource.getrlimit(kind)[0]
        if most != resource.RLIM_INFINITY:
            rooms.append(most - status.get(taken, 0) * 1024)
    return rooms


def _control_groups(controller: str, root: str | os.PathLike[str]) -> list[Path]:
    """Folders of the control groups of this process, the innermost first; each may limit it.

    In a container the system may report an outside path: only its existing folders count.
    """
    from pathlib import Path

    mount, folders = Path(root) / "sys" / "fs" / "cgroup", []
    for line in _lines(Path(root) / "proc" / "self" / "cgroup"):
        number, names, path = [*line.split(":", 2), "", ""][:3]
        if number == "0" and not names:
            top = mount
        elif controller in names.split(","):
            top = mount / controller if (mount / controller).is_dir() else mount / names
        else:
            continue
        inner = [part for part in path.split("/") if part not in ("", ".", "..")]
        folders += [top.joinpath(*inner[:depth]) for depth in range(len(inner), -1, -1)]
    return folders


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []


def _words(path: Path) -> list[str]:
    return " ".join(_lines(path)).split()


def _table(path: Path) -> dict[str, int]:
    """Numbers in a file that has a name and a number in each line."""
    rows = (line.replace(":", " ").split() for line in _lines(path))
    return {row[0]: int(row[1]) for row in rows if len(row) >= 2 and row[1].isdigit()}


children: set[int] = set()
"""Numbers of child processes that this process has started and not yet seen to their end."""


def resident_memory() -> int:
    """Bytes of memory that this process and its workers hold; 0 if the system does not say.

    Shared pages count for each process, which overestimates the total.
    """
    import multiprocessing

    workers = [child.pid for child in multiprocessing.active_children()]
    return sum(map(_resident, ("self", *workers, *children)))


def _resident(process: str | int | None) -> int:
    from pathlib import Path

    pages = _words(Path(f"/proc/{process}/statm"))
    return int(pages[1]) * os.sysconf("SC_PAGE_SIZE") if len(pages) > 1 else 0


def child_python() -> tuple[list[str], dict[str, str]]:
    """Command and environment of a Python that finds the same modules as this one.

    `-P` keeps the current folder out, unless this process looks there too: a user's file may be called `json.py`.

    Raises
    ------
    KTError
        If there is no interpreter to start.
    """
    if not sys.executable:
        raise KTError("there is no Python interpreter to start a process with (sys.executable is empty)")
    # An empty entry is the working directory, which may be gone
    path = os.pathsep.join(entry or os.curdir for entry in sys.path)
    return [sys.executable, "-P"], {**os.environ, "PYTHONPATH": path}


def begin_worker(memory: int | None = None) -> None:
    """Set up a process of a pool: no Ctrl-C or warnings of its own, a memory limit, an end when the parent ends."""
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
    """In a child process, ignore the signals of the terminal, because the parent still wants an answer."""
    for name in ("SIGINT", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)


@contextlib.contextmanager
def without_interrupts() -> Iterator[None]:
    """Delay Ctrl-C, and hide it from processes that are started meanwhile: they inherit the blocked signals."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def limit_resources(memory: int | None = None, processor: int | None = None) -> None:
    """Limit the memory and the processor seconds of this process; it then leaves no core dump."""
    with contextlib.suppress(ImportError):  # Windows has no such module
        import resource

        limits = ((resource.RLIMIT_DATA, memory), (resource.RLIMIT_CPU, processor))
        for kind, most in (*limits, (resource.RLIMIT_CORE, None if memory is None else 0)):
            if most is not None:
                with contextlib.suppress(OSError, ValueError):
                    resource.setrlimit(kind, (most, most))
