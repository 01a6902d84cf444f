"""Reading with a limit, writing whole or not at all."""

from __future__ import annotations

import itertools
import json
import os
import re
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import IO, Any, NoReturn

from kt_models.errors import KTError, TooLarge, about, nearest

MAX_FILE_BYTES = 400_000_000
"""Largest file read (a tour of 10⁷ cells as JSON is about 150 MB)."""
SWELLING = 50
"""How many times as large as its file a JSON value may be: lists in lists in lists with nothing in them take 47."""
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
"""Half of a character, escaped; the other half has to follow."""
LISTED = 5000
"""Most files of a folder among which a name nearest to a missing one is looked for."""


STANDARD = "-"
"""As the name of a file: standard input where it is read, standard output where it is written."""
_streams: dict[str, Any] = {}
"""Where standard output leads while the words of a command go elsewhere, and what was read from standard input."""


@contextmanager
def words_apart(aside: IO[str] | None = None) -> Iterator[None]:
    """What is printed goes aside, to standard error by default, as standard output is for files or for nothing.

    Of two such wishes the outer one counts, unless the inner one says where.
    """
    outer = _streams.get("output")
    if outer is not None and aside is None:
        yield
        return
    _streams["output"] = outer or sys.stdout
    try:
        with redirect_stdout(aside or sys.stderr):
            yield
    finally:
        _streams["output"] = outer


def standard_output() -> IO[str]:
    """Where data go, wherever words do."""
    return _streams.get("output") or sys.stdout


def await_standard_input() -> None:
    """Read standard input to its end now, for all who ask for it later."""
    _standard_input(MAX_FILE_BYTES)


def _standard_input(most: int) -> bytes:
    """All of it, however often it is asked for."""
    if _streams.get("input") is not sys.stdin:
        _streams.update(input=sys.stdin, data=sys.stdin.buffer.read(most + 1))
    data: bytes = _streams["data"]
    return data


def read_text(path: str | os.PathLike[str], memory: int | None = None) -> str:
    """The text of a file, refused above `MAX_FILE_BYTES`.

    Parameters
    ----------
    memory
        Bytes that what is read may take; files of more than a `SWELLING`th of it are refused.

    Raises
    ------
    KTError
        If the file cannot be opened, is too large, or is not UTF-8 text.
    """
    most = MAX_FILE_BYTES if memory is None else min(MAX_FILE_BYTES, memory // SWELLING)
    try:
        if os.fspath(path) == STANDARD:
            data = _standard_input(most)
        elif stat.S_ISFIFO(os.stat(path).st_mode) and not str(path).startswith(("/dev/", "/proc/")):
            raise KTError(f"{path}: cannot read: it is a pipe, and opening it might wait for ever")
        else:
            with open(path, "rb") as stream:
                data = stream.read(most + 1)
    except (OSError, ValueError) as error:
        raise KTError(f"{path or repr(path)}: cannot read: {_reason(error)}{_meant(path, error)}") from None
    if len(data) > most:
        why = f", as it may take {SWELLING} times as much memory" if most < MAX_FILE_BYTES else ""
        raise TooLarge(f"{path}: larger than {most:,} bytes, the most that is read{why}")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise KTError(f"{path}: not a text file (UTF-8)") from None


def _meant(path: str | os.PathLike[str], error: Exception) -> str:
    """The file beside one that is not there whose name is nearest to it, as a question."""
    if not isinstance(error, FileNotFoundError):
        return ""
    folder, name = os.path.split(path)
    try:
        with os.scandir(folder or ".") as entries:
            names = [entry.name for entry in itertools.islice(entries, LISTED)]
    except OSError:
        return ""
    stem, ending = os.path.splitext(name)
    alike = {os.path.splitext(other)[0]: other for other in names if os.path.splitext(other)[1] == ending}
    guess = alike.get(nearest(stem, alike), "") or nearest(name, sorted(set(names) - set(alike.values())))
    return f", did you mean {os.path.join(folder, guess)!r}?" if guess else ""


def read_json(path: str | os.PathLike[str], memory: int | None = None) -> Any:
    """The JSON value in a file, read as `read_text` and `parse_json` do."""
    with about(path):
        return parse_json(read_text(path, memory))


def parse_json(text: str) -> Any:
    """The JSON value of a text; NaN, infinities, absurd nesting, and a key that stands there twice are refused."""

    def constant(name: str) -> NoReturn:
        raise KTError(f"not valid JSON: {name} is not a number")

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(value := dict(pairs)) < len(pairs):
            raise KTError("not valid JSON: a key stands there twice")
        return value

    try:
        value = json.loads(text, parse_constant=constant, object_pairs_hook=members)
        if _SURROGATE.search(text):
            json.dumps(value, ensure_ascii=False).encode()
        return value
    except UnicodeEncodeError:
        raise KTError("not valid JSON: a text in it has half of a character") from None
    except json.JSONDecodeError as error:
        raise KTError(f"not valid JSON: {error.msg} (line {error.lineno}, column {error.colno})") from None
    except RecursionError:
        raise KTError("not valid JSON: nested too deeply") from None
    except ValueError:
        raise KTError("not valid JSON: an integer of thousands of digits") from None


@contextmanager
def writing(path: str | os.PathLike[str]) -> Iterator[None]:
    """A fault of the disk within is a `KTError` that says what cannot be written."""
    try:
        yield
    except (OSError, ValueError) as error:
        raise KTError(f"{path}: cannot write: {_reason(error)}") from None


def write_atomic(path: str | os.PathLike[str], data: str | bytes) -> None:
    """Write a file under a temporary name, then rename it: a reader sees the old file or the whole new one.

    Raises
    ------
    KTError
        If the folder does not exist or cannot be written.
    """
    target = Path(path)
    if isinstance(data, str):
        data = data.encode("utf-8")
    if str(path) == STANDARD:
        stream: Any = standard_output()
        stream.flush()
        stream.buffer.write(data)
        stream.flush()
        return
    if os.path.isdir(target):
        raise KTError(f"{path}: cannot write: it is a folder")
    if os.path.exists(target) and not os.path.isfile(target):
        with writing(path):  # a device or a pipe, such as /dev/stdout, cannot be renamed over
            target.write_bytes(data)
        return
    with writing(path):
        descriptor, temporary = _beside(target)
        try:
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            os.chmod(temporary, 0o666 & ~_umask())
            os.replace(temporary, target)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise


def require_writable(path: str | os.PathLike[str]) -> None:
    """Fail now rather than after the work: is there a folder to put this file in, and may we write there?"""
    target = Path(path)
    if not target.name:
        raise KTError(f"{str(path)!r}: cannot write: it names no file")
    if os.path.isdir(target):
        raise KTError(f"{path}: cannot write: it is a folder")
    if str(path) == STANDARD or (os.path.exists(target) and not os.path.isfile(target)):
        return
    if len(os.fsencode(target.name)) > 255:
        raise KTError(f"{str(path)[:60]}...: cannot write: the name is too long")
    with writing(path):
        descriptor, temporary = _beside(target)
        os.close(descriptor)
        os.unlink(temporary)


def _beside(target: Path) -> tuple[int, str]:
    """A new file with a temporary name in the same folder."""
    from tempfile import mkstemp

    return mkstemp(prefix=f".{target.name[:100]}.", dir=target.parent)


def _umask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask


def _reason(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    return str(error)
