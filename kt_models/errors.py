"""Errors: one exception root, `KTError`. The command line turns it into one line and exit status 2."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")
MAX_SHOWN = 60
"""Most characters of a wrong value that a message repeats."""
MAX_PATH = 4096
"""Most characters of a path, the limit of Linux."""
MAX_SHOWN_AXES = 3
"""Most axes of an array that a message repeats: NumPy prints an array with many short axes in full."""


class KTError(Exception):
    """An input cannot be used; the message names it and says why."""


class InvalidTour(KTError):
    """A tour, or a set of chosen moves, breaks a rule; the message names the first one broken."""


class CertificateError(KTError):
    """A certificate does not show what it claims."""


class TooLarge(KTError):
    """Refused before memory is allocated: the message gives the size and the limit."""


class NoMemory(TooLarge):
    """Tables have outgrown the memory of the limits; a smaller part of the work may fit."""


class CannotWrite(KTError):
    """A file or a folder cannot be written; the message says which, and why."""


class KTWarning(UserWarning):
    """Something works less well than it should, such as a cache that cannot be written."""


class MissingExtra(KTError):
    """A dependency is not installed; the message gives the command."""


def reason_of(error: Exception) -> str:
    """Reason of a failure, in the operating system's words if it gives any."""
    if not isinstance(error, OSError) or not error.strerror:
        return str(error)
    return error.strerror.lower() if _is_of_the_system(error) else error.strerror


def _is_of_the_system(error: OSError) -> bool:
    """Whether the words of an error are the system's own, not a library's."""
    return error.errno is not None and error.strerror == os.strerror(error.errno)


def fault_of_system(error: OSError) -> str:
    """The refusal of the operating system: the path, if there is one, and the reason."""
    reason = reason_of(error)
    paths = " and ".join(str(path) for path in (error.filename, error.filename2) if path is not None)
    if not paths and error.errno == errno.ENOENT and _is_of_the_system(error):
        paths = "the working directory"  # Only the lookup of the working directory fails without a path
    return f"{paths}: {reason}" if paths else reason


def out_of_threads(error: Exception) -> str:
    """Message if the system starts no more threads; empty for any other error.

    Python's error for it has no type of its own.
    """
    no_more = isinstance(error, RuntimeError) and "can't start new thread" in str(error)
    return "no more threads can be started: there are too many, or too little memory (ulimit -a)" if no_more else ""


def excerpt(value: object) -> str:
    """A value for a message: on one line, cut if it is long."""
    try:
        if not isinstance(value, type) and getattr(value, "ndim", 0) > MAX_SHOWN_AXES:
            text = f"<array of shape {getattr(value, 'shape', None)}>"
        else:
            text = repr(value[:1000] if isinstance(value, str | bytes) else value)
    except Exception:  # `repr` of an object of unknown type may raise anything
        text = f"<{type(value).__name__}>"
    text = " ".join(text.split()).encode(errors="replace").decode()
    return text if len(text) <= MAX_SHOWN else f"{text[: MAX_SHOWN - 3]}..."


def shortened(text: str, most: int = 40) -> str:
    """The text of a board in one short line that any file can carry."""
    line = "".join(c if c.isprintable() else "?" for c in text)
    return line if len(line) <= most else line[: most - 1] + "…"


MAX_LISTED = 300
"""Most characters of all known words beside the one that was probably meant."""


def unknown(kind: str, word: str, known: Iterable[str], synonyms: Mapping[str, str] | None = None) -> KTError:
    """The error of an unknown word: it names the word that was probably meant, and all known words.

    >>> print(unknown("method", "warnsdorf", ("merge", "warnsdorff")))
    unknown method 'warnsdorf', did you mean 'warnsdorff'? Use merge or warnsdorff
    """
    # A caller may pass any object as a name
    words, word = (
        list(known),
        word if isinstance(word, str) else excerpt(word),
    )
    guess = nearest(word, words, synonyms)
    guess_text = f", did you mean {guess!r}?" if guess else ":"
    listed = " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))
    if guess and len(listed) > MAX_LISTED:  # The list would hide the guess
        return KTError(f"unknown {kind} {excerpt(word)}{guess_text}")
    return KTError(f"unknown {kind} {excerpt(word)}{guess_text} {'Use' if guess else 'use'} {listed}")


def row_named(name: str, table: Mapping[str, T], kind: str, others: Iterable[str] = ()) -> T:
    """The row of a table with a name.

    Parameters
    ----------
    kind, others
        For the error: what it is a name of, and further names that are known.

    Raises
    ------
    KTError
        If the name is unknown; the message has the most similar known name, and all others.
    """
    if not isinstance(name, str) or name not in table:
        raise unknown(kind, name, (*others, *table))
    return table[name]


def nearest(name: str, known: Iterable[str], synonyms: Mapping[str, str] | None = None) -> str:
    """The known word that was probably meant, or an empty text.

    A synonym takes precedence over a word of similar spelling, and that over the only word that contains the given
    text.
    """
    import difflib

    words, name = list(known), name[:MAX_SHOWN]
    folded = {_folded(word): word for word in words}
    meant = {_folded(word): right for word, right in (synonyms or {}).items() if right in words}
    wanted = _folded(name)
    if wanted in folded or wanted in meant:
        return folded.get(wanted) or meant[wanted]
    alike = difflib.get_close_matches(wanted, [*folded, *meant], n=1, cutoff=0.6)
    if alike:
        return folded.get(alike[0]) or meant[alike[0]]
    holding = [word for fold, word in folded.items() if len(wanted) >= 2 and wanted in fold]
    return holding[0] if len(holding) == 1 else ""


def _folded(word: str) -> str:
    """A word without case, hyphens and spaces, which people write in different ways."""
    return "".join(mark for mark in word.casefold() if mark.isalnum()) or word


@contextmanager
def about(path: str | os.PathLike[str]) -> Iterator[None]:
    """Prefix a `KTError` raised within with the file's name, unless the name is there already."""
    try:
        yield
    except KTError as error:
        name = str(path) if len(str(path)) <= MAX_PATH else excerpt(path)
        raise error if str(error).startswith(name) else type(error)(f"{name}: {error}") from None


@contextmanager
def saying(form: str, *as_it_is: type[KTError]) -> Iterator[None]:
    """Append the readable forms to a `KTError` raised within, except `TooLarge` and others that are named."""
    try:
        yield
    except KTError as error:
        if isinstance(error, (TooLarge, *as_it_is)):
            raise
        raise type(error)(f"{error} ({form})") from None


# -- packages that may be missing: checking and drawing need none -----------------------------------------------------

DISTRIBUTION = "knights-tours"
"""Name of the package on the index, where `kt` is another package."""
SOLVE = ""
"""Stands for the package itself among the extras: what solves comes with it, unless it is installed alone."""
EXTRAS = {
    SOLVE: ("highspy", "networkx", "numba", "ortools", "pysat", "rich", "scipy"),
    "pictures": ("matplotlib", "PIL"),
    "explore": ("starlette", "uvicorn"),
    "sheets": ("openpyxl",),
}
"""Modules of each extra, as they are imported; those that solve are of none."""


def install_command(extra: str) -> str:
    """Command that installs the package with an extra."""
    return f"pip install '{DISTRIBUTION}[{extra}]'" if extra else f"pip install {DISTRIBUTION}"


@contextmanager
def naming_extras() -> Iterator[None]:
    """Explain, if a module of an extra is missing within, how to install it."""
    try:
        yield
    except ModuleNotFoundError as error:
        module = (error.name or "").partition(".")[0]
        for extra, modules in EXTRAS.items():
            if module in modules:
                raise MissingExtra(f"this needs {module}, which is not installed: {install_command(extra)}") from None
        raise
