"""Storage: reading with a limit; writing whole files or none, never over a file of another kind."""

from __future__ import annotations

import errno
import itertools
import json
import os
import re
import stat
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, redirect_stdout, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from typing import IO, TYPE_CHECKING, Any, NoReturn

from kt_models.errors import CannotWrite, KTError, TooLarge, about, nearest, reason_of
from kt_models.file_kinds import holds_another, json_kind, suffix_in

if TYPE_CHECKING:
    from pathlib import Path

MAX_FILE_BYTES = 400_000_000
"""Largest file that is read (a tour of 10⁷ cells as JSON is about 150 MB)."""
CHUNK_BYTES = 1 << 18
"""Most bytes that are read at once from a list of graphs."""
MAX_EXPANSION = 50
"""Most memory of a JSON value as a multiple of its file's size: nested empty lists take 47 times."""
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
"""Half of a surrogate pair, escaped; the other half has to follow."""
READER_SECONDS = 10
"""Seconds that a pipe may be without a reader."""
MAX_NAMES = 5000
"""Most files of a folder among which the name nearest to a missing one is searched."""


STANDARD = "-"
"""A file name that stands for standard input in reading and for standard output in writing."""


@dataclass
class _StandardStreams:
    """The target of standard output while a command's text goes elsewhere, and what was read from standard input.

    What was read counts only for the `sys.stdin` that it was read from, which a program may replace.
    """

    output: IO[str] | None = None
    whole: IO[str] | None = None
    """The input that was read to its end."""
    data: bytes = b""
    """All of it."""
    begun: IO[str] | None = None
    """The input that was read in part."""
    beginning: bytes = b""
    """This part."""
    by_chunks: IO[str] | None = None
    """The input that one reader takes in chunks."""


_STREAMS = _StandardStreams()


@contextmanager
def words_apart(aside: IO[str] | None = None) -> Iterator[None]:
    """Redirect printed text, by default to standard error, because standard output carries files or nothing.

    If nested, the outer redirection counts, unless the inner one names a stream.
    """
    outer = _STREAMS.output
    # A nested call must not take the redirected stream for the real one
    if outer is not None and aside is None:
        yield
        return
    _STREAMS.output = outer or sys.stdout
    try:
        with redirect_stdout(aside or sys.stderr):
            yield
    finally:
        _STREAMS.output = outer


def standard_output() -> IO[str]:
    """The stream for data, wherever text goes."""
    return _STREAMS.output or sys.stdout


def await_standard_input() -> None:
    """Read standard input to its end, for all later readers, unless it is read in chunks."""
    if _STREAMS.by_chunks is not sys.stdin:
        _standard_input(MAX_FILE_BYTES)


def _standard_input(most: int) -> bytes:
    """All of standard input, however often it is requested."""
    if _STREAMS.whole is not sys.stdin:
        begun = _begun()
        # One byte over the limit is enough to see that the limit is exceeded
        _STREAMS.data = begun + sys.stdin.buffer.read(most + 1 - len(begun))
        _STREAMS.whole = sys.stdin
    return _STREAMS.data


def _begun() -> bytes:
    """The part of standard input that was read before the rest."""
    return _STREAMS.beginning if _STREAMS.begun is sys.stdin else b""


def standard_input_begins(enough: Callable[[bytes], bool]) -> bytes:
    """The beginning of standard input, as long as it has to be; later readers get it, too."""
    if _STREAMS.whole is sys.stdin:
        return _STREAMS.data
    begun, more = _begun(), b"more"
    stream: Any = sys.stdin.buffer
    while more and len(begun) <= MAX_FILE_BYTES and not enough(begun):
        more = stream.read1(CHUNK_BYTES)
        begun += more
    _STREAMS.begun, _STREAMS.beginning = sys.stdin, begun
    return begun


def standard_input_is_empty() -> bool:
    """Whether standard input has nothing but empty lines."""
    return not standard_input_begins(lambda begun: bool(begun.strip())).strip()


def chunks_of_standard_input() -> Iterator[bytes]:
    """Bytes of standard input as they arrive; afterwards nothing else can read it."""
    if _STREAMS.whole is sys.stdin:
        return iter((_STREAMS.data,))
    begun = _begun()
    stream: Any = sys.stdin.buffer
    _STREAMS.by_chunks = sys.stdin
    return itertools.chain((begun,) if begun else (), iter(lambda: stream.read1(CHUNK_BYTES), b""))


def read_text(path: str | os.PathLike[str], memory: int | None = None) -> str:
    """Text of a file, refused above `MAX_FILE_BYTES`.

    Parameters
    ----------
    memory
        Bytes that the content may take in memory; larger files than a `MAX_EXPANSION`th of it are refused.

    Raises
    ------
    KTError
        If the file cannot be opened, is too large, or is not UTF-8 text.
    """
    try:
        # The byte order mark of editors on Windows is no part of the text
        return read_bytes(path, memory).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise KTError(f"{path}: not a text file (UTF-8)") from None


def with_line_feeds(text: str) -> str:
    """A text whose lines end in a line feed, and not in a carriage return or in both."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def lines_of(text: str) -> list[str]:
    """Lines of a text, ended by a line feed, a carriage return, or both.

    `str.splitlines` breaks at other characters too, such as U+2028: what follows one in a comment would be data.
    """
    # `splitlines` would also split at form feeds and other characters inside a line
    lines = with_line_feeds(text).split("\n")
    return lines if lines[-1] else lines[:-1]


def read_bytes(path: str | os.PathLike[str], memory: int | None = None) -> bytes:
    """Bytes of a file; raises the errors of `read_text`."""
    most = MAX_FILE_BYTES if memory is None else min(MAX_FILE_BYTES, memory // MAX_EXPANSION)
    try:
        if os.fspath(path) == STANDARD:
            data = _standard_input(most)
        else:
            _require_ending(path)
            with open(path, "rb") as stream:
                # A buffer for what is there: one for the most that is read would take as much for each small file
                size = os.fstat(stream.fileno()).st_size
                data = stream.read(min(size, most) + 1)
                if len(data) > size:  # It has grown, or it is a pipe
                    data += stream.read(max(0, most + 1 - len(data)))
    except (OSError, ValueError) as error:
        raise KTError(f"{path or repr(path)}: cannot read: {reason_of(error)}{_meant(path, error)}") from None
    if len(data) > most:
        why = f", as it may take {MAX_EXPANSION} times as much memory" if most < MAX_FILE_BYTES else ""
        raise TooLarge(f"{path}: larger than {most:,} bytes, the most that is read{why}")
    return data


def _require_ending(path: str | os.PathLike[str]) -> None:
    """Refuse what is no file, and may have no end."""
    mode = os.stat(path).st_mode
    if stat.S_ISDIR(mode):
        raise KTError(f"{path}: cannot read: it is a folder")
    # Pipes of the shell, as in `<(command)`, stand in /dev and /proc and do have a writer
    if stat.S_ISFIFO(mode) and not str(path).startswith(("/dev/", "/proc/")):
        raise KTError(f"{path}: cannot read: it is a pipe, and opening it might wait for ever")
    # /dev/null is empty, and /dev/stdin may be a terminal; others, such as /dev/zero, have no end
    endless = stat.S_ISCHR(mode) and not os.path.samefile(path, os.devnull) and os.path.realpath(path) != _terminal()
    if endless or stat.S_ISBLK(mode):
        raise KTError(f"{path}: cannot read: it is a device")


def _terminal() -> str:
    """Path of the terminal that standard input is, if it is one."""
    with suppress(OSError, ValueError, AttributeError):
        return os.ttyname(sys.__stdin__.fileno()) if sys.__stdin__ is not None else ""
    return ""


def _meant(path: str | os.PathLike[str], error: Exception) -> str:
    """A question that suggests the file with the name nearest to a missing one."""
    if not isinstance(error, FileNotFoundError):
        return ""
    folder, name = os.path.split(path)
    try:
        with os.scandir(folder or ".") as entries:
            names = [entry.name for entry in itertools.islice(entries, MAX_NAMES)]
    except OSError:
        return ""
    stem, suffix = os.path.splitext(name)
    # The file meant more likely has the same suffix, so stems are compared first
    alike = {
        os.path.splitext(candidate)[0]: candidate for candidate in names if os.path.splitext(candidate)[1] == suffix
    }
    guess = alike.get(nearest(stem, alike), "") or nearest(name, sorted(set(names) - set(alike.values())))
    return f", did you mean {os.path.join(folder, guess)!r}?" if guess else ""


def read_json(path: str | os.PathLike[str], memory: int | None = None) -> Any:
    """The JSON value in a file, with the checks of `read_text` and `parse_json`."""
    with about(path):
        return parse_json(read_text(path, memory))


def parse_json(text: str) -> Any:
    """The JSON value of a text; NaN, infinities, absurd nesting and repeated keys are refused."""

    def constant(name: str) -> NoReturn:
        raise KTError(f"not valid JSON: {name} is not a number")

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        # `json` keeps the last of equal keys, so a reader and a checker might disagree
        if len(value := dict(pairs)) < len(pairs):
            raise KTError("not valid JSON: a key occurs twice")
        return value

    try:
        value = json.loads(text, parse_constant=constant, object_pairs_hook=members)
        # Only these escapes can make a text that no file can hold, so others need no second pass
        if _SURROGATE.search(text):
            json.dumps(value, ensure_ascii=False).encode()
        return value
    except UnicodeEncodeError:
        raise KTError("not valid JSON: a text in it has half of a character") from None
    except json.JSONDecodeError as error:
        raise KTError(f"not valid JSON: {_why_no_json(error)} (line {error.lineno}, column {error.colno})") from None
    except RecursionError:
        raise KTError("not valid JSON: nested too deeply") from None
    except ValueError:
        raise KTError("not valid JSON: an integer of thousands of digits") from None


_JSON_FAULTS = {
    "Expecting value": "a value is missing",
    "Expecting ',' delimiter": "a comma or a closing bracket is missing",
    "Expecting ':' delimiter": "a colon is missing after a key",
    "Expecting property name": "a key in double quotes is missing",
    "Illegal trailing comma": "a comma stands before a closing bracket",
    "Unterminated string": "a text has no closing quote",
    "Invalid control character": "a text has a control character in it",
    "Invalid \\": "a text has an unknown escape in it",
    "Extra data": "more follows the value",
    "Unexpected UTF-8 BOM": "a byte order mark stands in it twice",
}
"""What is wrong, by how the messages of Python's parser begin."""


def _why_no_json(error: json.JSONDecodeError) -> str:
    if not error.doc[error.pos :].strip() or error.msg.startswith("Unterminated"):
        return "it is empty" if not error.doc.strip() else "it ends too early"
    return next((words for start, words in _JSON_FAULTS.items() if error.msg.startswith(start)), "it is damaged")


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


def write_json(path: str | os.PathLike[str], value: Any) -> None:
    """Write a JSON value as a line of its own, like `write_atomic`."""
    write_atomic(path, json.dumps(value) + "\n")


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

    return mkstemp(prefix=f".{shortened(target.name)}.", dir=target.parent)


def shortened(name: str) -> str:
    """The beginning of a file's name, short enough for an addition: a name has at most 255 bytes."""
    # Leaves room for the prefix and suffix within 255 bytes
    return os.fsencode(name)[:100].decode(errors="ignore")


def _umask() -> int:
    # The mask can be read only by setting it
    mask = os.umask(0o022)
    os.umask(mask)
    return mask
