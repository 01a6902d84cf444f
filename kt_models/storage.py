"""Reading files and standard input, with a limit; `kt_models.writing` writes."""

from __future__ import annotations

import itertools
import json
import os
import re
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any, NoReturn

from kt_models.errors import KTError, TooLarge, about, nearest, reason_of

if TYPE_CHECKING:
    pass

MAX_FILE_BYTES = 400_000_000
"""Largest file that is read (a tour of 10⁷ cells as JSON is about 150 MB)."""
CHUNK_BYTES = 1 << 18
"""Most bytes that are read at once from a list of graphs."""
MAX_EXPANSION = 50
"""Most memory of a JSON value as a multiple of its file's size: nested empty lists take 47 times."""
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
"""Half of a surrogate pair, escaped; the other half has to follow."""
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
"""The fault in words, by the beginning of the message of Python's parser."""


def _why_no_json(error: json.JSONDecodeError) -> str:
    if not error.doc[error.pos :].strip() or error.msg.startswith("Unterminated"):
        return "it is empty" if not error.doc.strip() else "it ends too early"
    return next((words for start, words in _JSON_FAULTS.items() if error.msg.startswith(start)), "it is damaged")
