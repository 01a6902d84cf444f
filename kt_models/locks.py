"""Locks between processes: only one process at a time continues a file or a folder, or several share its tasks.

The system releases a lock when the process that holds it ends, in any way.
"""

from __future__ import annotations

import contextlib
import os
import re
import stat
from collections.abc import Iterator
from typing import TYPE_CHECKING

from kt_models.errors import KTError, reason_of
from kt_models.writing import shortened_name, writing

if TYPE_CHECKING:
    from pathlib import Path


@contextlib.contextmanager
def exclusive(
    lock: Path, subject: str | os.PathLike[str], *, remove: bool = False, shared: bool = False
) -> Iterator[None]:
    """Hold a lock file that contains the number of this process.

    Parameters
    ----------
    lock
        The lock file; it is created if it does not exist.
    subject
        What the lock protects, in the user's words.
    remove
        Whether to remove the lock file in the end.
    shared
        Whether others may share the lock, and only those that want it alone are refused.

    Raises
    ------
    KTError
        If another process holds the lock, or the file cannot be made.
    """
    try:
        import fcntl
    except ImportError:  # Windows has no fcntl
        yield
        return
    while True:
        try:
            descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK, 0o666)
        except OSError as error:
            raise KTError(f"{subject}: cannot write: {lock}: {reason_of(error)}") from None
        if not _is_lock(descriptor):
            os.close(descriptor)
            raise KTError(f"{subject}: cannot write: {lock} exists and is not a lock of kt")
        try:
            fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except OSError:
            holder = os.pread(descriptor, 20, 0).decode(errors="replace").strip()
            os.close(descriptor)
            raise KTError(f"{subject}: another process ({holder or 'unknown'}) works on it") from None
        if _is_there(lock, descriptor):
            break
        os.close(descriptor)  # Its holder removed it between the opening and the locking
    try:
        with contextlib.suppress(OSError):  # The disk may be full: the number is only informative
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
        yield
    finally:
        if remove and (not shared or _is_last(descriptor)):
            with contextlib.suppress(OSError):
                os.unlink(lock)
        os.close(descriptor)


def _is_last(descriptor: int) -> bool:
    """Whether no other process shares a lock."""
    import fcntl

    with contextlib.suppress(OSError):
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    return False


class Claims:
    """Tasks that this process has taken from among those that several processes share on one machine.

    A claim is a lock on one byte of a file, at a place that the name of the task determines. The system releases it
    when the process ends in any way, so that the tasks of a killed process are free again. Without `fcntl`, as on
    Windows, where kt keeps no locks, every claim is granted.

    Parameters
    ----------
    path
        A file, which is made if there is none, and stays empty.

    Raises
    ------
    KTError
        If the file cannot be made.
    """

    def __init__(self, path: Path) -> None:
        try:
            self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o666)
        except OSError as error:
            raise KTError(f"{path}: cannot write: {reason_of(error)}") from None

    def __enter__(self) -> Claims:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._descriptor)

    def take(self, task: str) -> bool:
        """Claim a task; return whether no other process has it."""
        try:
            import fcntl
        except ImportError:
            return True
        try:
            fcntl.lockf(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, _place_of(task))
        except (BlockingIOError, PermissionError):
            return False
        return True

    def release(self, task: str) -> None:
        """Give a task back."""
        with contextlib.suppress(ImportError):
            import fcntl

            fcntl.lockf(self._descriptor, fcntl.LOCK_UN, 1, _place_of(task))


def _place_of(task: str) -> int:
    """A place in a file, far apart for different tasks: two at one place would wait for each other, and no more."""
    from hashlib import sha256  # Few commands share tasks

    return int.from_bytes(sha256(task.encode()).digest()[:7], "big")


def _is_lock(descriptor: int) -> bool:
    """Whether a file is a lock of kt: empty, or the number of a process."""
    try:
        regular = stat.S_ISREG(os.fstat(descriptor).st_mode)
        return regular and re.fullmatch(rb"\d{0,10}\n?", os.pread(descriptor, 20, 0)) is not None
    except OSError:
        return False


def _is_there(lock: Path, descriptor: int) -> bool:
    """Whether the name still refers to the opened file."""
    try:
        return os.path.samestat(os.stat(lock), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def going_on_with(path: str | os.PathLike[str], *, shared: bool = False) -> contextlib.AbstractContextManager[None]:
    """Continue a file or a folder, alone or with others; the hidden lock file beside it is removed at the end.

    Raises
    ------
    KTError
        If another process holds the lock.
    """
    from pathlib import Path

    with writing(path):
        target = Path(os.path.realpath(path))  # A folder may be called `.`
    if not target.name:
        raise KTError(f"{path}: cannot write: it is the root of all folders")
    return exclusive(target.with_name(f".{shortened_name(target.name)}.lock"), path, remove=True, shared=shared)
