"""Whole files are written or none, never over a file of another kind."""

from __future__ import annotations

import errno
import json
import os
import stat
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from typing import IO, TYPE_CHECKING, Any

from kt_models.errors import CannotWrite, KTError, reason_of
from kt_models.file_kinds import holds_another, json_kind, suffix_in
from kt_models.storage import STANDARD, standard_output

if TYPE_CHECKING:
    from pathlib import Path

READER_SECONDS = 10
"""Seconds that a pipe may be without a reader."""


@contextmanager
def writing(path: str | os.PathLike[str]) -> Iterator[None]:
    """Turn a fault of the disk within into a `CannotWrite` that names the target."""
    try:
        yield
    except (OSError, ValueError) as error:
        raise CannotWrite(f"{path}: cannot write: {reason_of(error)}") from None


def write_atomic(path: str | os.PathLike[str], data: str | bytes, *, force: bool = False) -> None:
    """Write a file: a reader sees the old file or the whole new one, even when the disk is full.

    Parameters
    ----------
    force
        Whether the file may replace one of another kind (`kt_models.file_kinds`).

    Raises
    ------
    KTError
        If the folder does not exist or cannot be written, or a file of another kind is there.
    """
    if isinstance(data, str):
        data = data.encode("utf-8")
    kind = json_kind(data, suffix_in(path))
    with whole_file(path, *([kind] if kind else []), force=force or _is_the_same(path, data)) as stream:
        stream.write(data)


def write_json(path: str | os.PathLike[str], value: Any, force: bool = False) -> None:
    """Write a JSON value as a line of its own, like `write_atomic`."""
    write_atomic(path, json.dumps(value) + "\n", force=force)


def write_pieces(path: str | os.PathLike[str], pieces: Iterable[str], *kinds: str, force: bool = False) -> None:
    """Write a file like `write_atomic`, from pieces of its text; of these kinds, if it is JSON."""
    with whole_file(path, *kinds, force=force) as stream:
        for piece in pieces:
            stream.write(piece.encode("utf-8"))


@contextmanager
def whole_file(path: str | os.PathLike[str], *kinds: str, force: bool = False) -> Iterator[IO[bytes]]:
    """A file to be written in parts; it gets its name once it is complete, and the old file keeps it until then.

    A link is followed. Permissions stay as they are. What cannot be renamed over, such as a device or a pipe, is
    written to at once.

    Parameters
    ----------
    kinds
        Kinds of JSON, if JSON is written.
    force
        Whether the file may replace one of another kind.

    Raises
    ------
    KTError
        As in `write_atomic`; the old file remains then.
    """
    if os.fspath(path) == STANDARD:
        stream: Any = standard_output()
        stream.flush()
        yield stream.buffer
        stream.flush()
        return
    require_replaceable(path, *kinds, force=force)
    target = _target(path)
    if os.path.exists(target) and not os.path.isfile(target):
        with writing(path), os.fdopen(_open_device(target), "wb") as stream:
            yield stream
        return
    with writing(path), _draft(target) as draft:
        yield draft.stream
        draft.take_the_name()


@contextmanager
def growing_file(path: str | os.PathLike[str], first: str, *kinds: str) -> Iterator[Callable[[str], None]]:
    """A file that grows by whole lines while others read it; yields a function that adds a line.

    The old file keeps its name until the first line is on the disk. A line that cannot be written is taken back, and
    raises `OSError`.

    Raises
    ------
    KTError
        If the first line cannot be written, or a file of another kind is there.
    """
    require_replaceable(path, *kinds)
    target = _target(path)
    with ExitStack() as opened:
        with writing(path):
            if os.path.exists(target) and not os.path.isfile(target):
                add = partial(_add_line, opened.enter_context(os.fdopen(_open_device(target), "wb", 0)))
                add(first)
            else:
                draft = opened.enter_context(_draft(target))
                add = partial(_add_line, draft.stream)
                add(first)
                draft.take_the_name()
        yield add


def _open_device(target: Path) -> int:
    """Open a pipe or a device; if nobody begins to read a pipe, fail after a while."""
    if not stat.S_ISFIFO(os.stat(target).st_mode):
        return os.open(target, os.O_WRONLY)
    until = time.monotonic() + READER_SECONDS
    while True:  # Waiting within `open` would block signals
        try:
            descriptor = os.open(target, os.O_WRONLY | os.O_NONBLOCK)
        except OSError as error:
            # ENXIO says that no process reads the pipe yet
            if error.errno != errno.ENXIO:
                raise
            if time.monotonic() > until:
                raise OSError(errno.ENXIO, f"nobody has read this pipe for {READER_SECONDS} seconds") from None
            time.sleep(0.05)
        else:
            # Writes to a full pipe must wait, not fail
            os.set_blocking(descriptor, True)
            return descriptor


def _add_line(stream: IO[bytes], line: str) -> None:
    """Write a line without a buffer: all of it or, on a disk, nothing."""
    descriptor, rest = stream.fileno(), line.encode() + b"\n"
    state = os.fstat(descriptor)
    try:
        while rest:
            # A write may accept only a part
            rest = rest[os.write(descriptor, rest) :]
    except OSError:
        if stat.S_ISREG(state.st_mode):
            # Half a line would make the file unreadable, and appending would join it to the next
            os.ftruncate(descriptor, state.st_size)
            os.lseek(descriptor, state.st_size, os.SEEK_SET)
        raise


def append(path: Path, data: Any) -> None:
    """Append bytes to a file of kt's own, on the disk on return; all of them or none."""
    with writing(path), open(path, "ab", buffering=0) as stream:
        size = os.fstat(stream.fileno()).st_size
        rest = memoryview(data).cast("B")
        try:
            while rest:
                rest = rest[stream.write(rest) :]
            os.fsync(stream.fileno())
        except OSError:
            # After a failed write the file ends where it ended before
            os.ftruncate(stream.fileno(), size)
            raise


def write_new(path: str | os.PathLike[str], data: str | bytes) -> None:
    """Write a file under a name that is free.

    Raises
    ------
    FileExistsError
        If a file has this name.
    KTError
        If the file cannot be written.
    """
    try:  # An exclusive creation takes the name first, as renaming would replace a file
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
    except FileExistsError:
        raise
    except OSError as error:
        raise KTError(f"{path}: cannot write: {reason_of(error)}") from None
    try:
        write_atomic(path, data)
    except KTError:
        with suppress(OSError):
            os.unlink(path)
        raise


def require_writable(path: str | os.PathLike[str], *kinds: str) -> None:
    """Check before the work that this file can be written, and that an existing one may be replaced."""
    from pathlib import Path

    target = _target(path)
    if not Path(path).name:
        raise KTError(f"{os.fspath(path)!r}: cannot write: it names no file")
    if os.fspath(path) == STANDARD:
        return
    require_replaceable(path, *kinds)
    if os.path.exists(target) and not os.path.isfile(target):
        return
    # The longest name on the usual file systems
    if len(os.fsencode(target.name)) > 255:
        raise KTError(f"{str(path)[:60]}...: cannot write: the name is too long")
    with writing(path):
        # Writing beside the target is the only safe test: permissions and full disks show only there
        descriptor, temporary = _beside(target)
        os.close(descriptor)
        os.unlink(temporary)


_replacing: ContextVar[bool] = ContextVar("replacing", default=False)


@contextmanager
def replacing(force: bool = True) -> Iterator[None]:
    """Allow replacing files of another kind within, as `--force` says."""
    before = _replacing.set(force or _replacing.get())
    try:
        yield
    finally:
        _replacing.reset(before)


def require_replaceable(path: str | os.PathLike[str], *kinds: str, force: bool = False) -> None:
    """Check that a file may be replaced by one of these kinds of JSON, or of the kind that its suffix says.

    Raises
    ------
    KTError
        If it holds something else, unless `force` or `replacing` allows that; if it is read-only; or if it is a folder.
    """
    if os.path.isdir(path):
        raise KTError(f"{path}: cannot write: it is a folder")
    if not os.path.isfile(path):
        return
    with writing(path):
        # Renaming replaces a read-only file, which its owner did not want; `access` alone allows root everything
        if not (os.stat(path).st_mode & 0o222 and os.access(path, os.W_OK)):
            raise KTError(f"{path}: cannot write: it is read-only")
        if force or _replacing.get():
            return
        held = holds_another(path, kinds)
    if held is not None:
        meant = f", not a {' or '.join(kinds)}" if kinds else ""
        raise KTError(f"{path}: it holds {held}{meant}; --force (in Python force=True) replaces it")


def holds_something(path: str | os.PathLike[str]) -> bool:
    """Whether there is a non-empty file."""
    return os.path.isfile(path) and os.path.getsize(path) > 0


def _target(path: str | os.PathLike[str]) -> Path:
    """The file that a path leads to; a relative path needs a working directory."""
    from pathlib import Path  # It takes milliseconds to load, and many commands write no file.

    with writing(path):
        target = Path(os.path.realpath(path))
        if target.is_symlink():  # A link to itself
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        return target


def _is_the_same(path: str | os.PathLike[str], data: bytes) -> bool:
    """Whether a file has exactly this content already."""
    from pathlib import Path

    try:
        return os.path.isfile(path) and os.path.getsize(path) == len(data) and Path(path).read_bytes() == data
    except OSError:
        return False


@dataclass(frozen=True)
class _Draft:
    """A file under a temporary name in the folder of the file that it will replace."""

    stream: IO[bytes]
    path: str
    target: Path

    def take_the_name(self) -> None:
        """Flush it to the disk under its name, with the permissions of the file that had the name."""
        self.stream.flush()
        # Without it a crash can leave the new name with empty content
        os.fsync(self.stream.fileno())
        with suppress(FileNotFoundError):
            # The new file keeps the permissions of the file it replaces
            os.chmod(self.path, stat.S_IMODE(os.stat(self.target).st_mode))
        os.replace(self.path, self.target)


@contextmanager
def _draft(target: Path) -> Iterator[_Draft]:
    """Remove it at the end unless it has taken the name."""
    descriptor, path = _beside(target)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            # `mkstemp` makes private files, and results are ordinary ones
            os.chmod(path, 0o666 & ~_umask())
            yield _Draft(stream, path, target)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(path)


def _beside(target: Path) -> tuple[int, str]:
    """A new file with a temporary name in the same folder."""
    from tempfile import mkstemp

    return mkstemp(prefix=f".{shortened_name(target.name)}.", dir=target.parent)


def shortened_name(name: str) -> str:
    """The beginning of a file's name, short enough for an addition: a name has at most 255 bytes."""
    # Leaves room for the prefix and suffix within 255 bytes
    return os.fsencode(name)[:100].decode(errors="ignore")


def _umask() -> int:
    # The mask can be read only by setting it
    mask = os.umask(0o022)
    os.umask(mask)
    return mask
