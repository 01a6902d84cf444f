"""The files that a command reads and writes: no file is lost silently, and the user learns what was written."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import wraps
from typing import IO, Any

import click

from cli.error_messages import complain, one_line
from cli.status import REFUTED, UNUSABLE
from kt_models.errors import KTError
from kt_models.file_kinds import MARKS, suffix_in
from kt_models.files.suffixes import allowed_suffix
from kt_models.locks import going_on_with
from kt_models.storage import STANDARD, await_standard_input, words_apart
from kt_models.writing import holds_something, replacing, require_replaceable, require_writable, writing

_FORCE, _QUIET, _OUTPUTS, _FAULTS = (f"{__name__}.{name}" for name in ("force", "quiet", "outputs", "faults"))
"""Keys of a command's context."""


def keep_words_apart(context: click.Context, aside: IO[str] | None = None) -> None:
    """Hold printed text back until the end; click does not close a command's context if its command line is wrong."""
    context.find_root().with_resource(words_apart(aside))


def _remember(name: str) -> Callable[[click.Context, click.Parameter, bool], None]:
    def callback(context: click.Context, parameter: click.Parameter, value: bool) -> None:
        context.meta[name] = value
        if value and name == _QUIET and not context.resilient_parsing:
            keep_words_apart(context, io.StringIO())
        if value and name == _FORCE and not context.resilient_parsing:
            context.find_root().with_resource(replacing())

    return callback


quiet_option = click.Option(
    ["-q", "--quiet"],
    is_flag=True,
    expose_value=False,
    callback=_remember(_QUIET),
    help="Print only errors; files and JSON are still written.",
)
"""Every command has it."""
_force_option = click.option(
    "--force",
    is_flag=True,
    expose_value=False,
    callback=_remember(_FORCE),
    help="Overwrite a file even if it is an input or holds something else.",
)


def is_quiet() -> bool:
    """Whether to report only faults."""
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.meta.get(_QUIET))


def is_forced() -> bool:
    """Whether to replace files that are read, or that hold another kind of data."""
    return bool(click.get_current_context().meta.get(_FORCE))


def say(message: str) -> None:
    """Print a message on stderr, beside the answer."""
    if not is_quiet():
        click.echo(one_line(message), err=True)


def tell_fault(message: str, path: str | None = None) -> None:
    """Report beside the answer that a file could not be written; the exit status reflects it too.

    Parameters
    ----------
    path
        A file that was written in part.
    """
    complain(message)
    context = click.get_current_context()
    context.meta[_FAULTS] = (*context.meta.get(_FAULTS, ()), path)


def output_suffix(path: str | None, allowed: tuple[str, ...], *kinds: str) -> str:
    """The suffix of an output file that is an allowed one and can be written; empty without a file.

    Parameters
    ----------
    kinds
        Kinds of JSON that may be replaced.
    """
    if not path:
        return ""
    suffix = allowed_suffix(path, allowed)
    if suffix == ".xlsx":
        from kt_models.files.workbook import require_workbooks

        require_workbooks()
    require_writable(path, *(kinds if suffix in (".json", ".jsonl") else ()))
    return suffix


@contextmanager
def written_first(write: Callable[[], object]) -> Iterator[None]:
    """Write a file before the answer is printed, and report a fault of the disk after it.

    So a full disk does not lose the printed answer, and a reader of the pipe that goes away, as `head` does, does not
    lose the file.
    """
    # Keep the fault until the answer is printed.
    fault = None
    try:
        write()
    except (KTError, OSError) as error:
        fault = error
    yield
    if fault is not None:
        raise fault


def leaves_alone(path: str, *, says_nothing: bool) -> bool:
    """Whether to leave a file as it is because the answer would be empty; this is reported."""
    if not (says_nothing and holds_something(path)):
        return False
    complain(f"{path}: left unchanged, as nothing was found")
    return True


def writes(
    *outputs: str, kinds: tuple[str, ...] = (), going_on: tuple[str, ...] = (), shared: bool = False
) -> Callable[..., Any]:
    """Declare that a command writes files or folders (decorator).

    Parameters
    ----------
    outputs
        Parameters that name an output. A file that the command also reads is replaced only with `--force`.
    kinds
        Kinds of JSON that the command writes. A file of another kind is replaced only with `--force`
        (`kt_models.file_kinds`).
    going_on
        Parameters that name a file or a folder from which the command continues, while no other process does.
    shared
        Whether other processes may continue from there at the same time.
    """

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def wrapped(*args: Any, **keywords: Any) -> Any:
            context = click.get_current_context()
            values = context.params
            every = (*outputs, *going_on)
            context.meta[_OUTPUTS] = (*context.meta.get(_OUTPUTS, ()), *every)
            paths = [values[name] for name in every if values.get(name)]
            # Two outputs on one stream could not be told apart.
            if paths.count(STANDARD) + bool(values.get("as_json")) > 1 and STANDARD in paths:
                raise KTError("- and --json, or - twice: both would write to standard output")
            _require_apart(context)
            if not context.meta.get(_FORCE):
                for name in outputs:
                    if values.get(name):
                        _require_unread(values[name], list(_inputs(values, every)))
                        _require_replaceable(values[name], name, kinds)
            with _reported(paths), ExitStack() as alone:
                # A set: two parameters may name the same folder, which is locked once.
                for path in {values[name] for name in going_on if values.get(name)}:
                    alone.enter_context(going_on_with(path, shared=shared))
                status = command(*args, **keywords)
            # A fault of a file changes the exit status, except that of a refuted claim, which matters more.
            return UNUSABLE if context.meta.get(_FAULTS) and status != REFUTED else status

        # A command with several outputs gets `--force` once.
        has_it = any(parameter.name == "force" for parameter in getattr(command, "__click_params__", ()))
        return wrapped if has_it else _force_option(wrapped)

    return decorate


def _require_apart(context: click.Context) -> None:
    """Refuse two options that name one file, as one output would overwrite the other."""
    places: dict[str, str] = {}
    for name in context.meta[_OUTPUTS]:
        path = context.params.get(name)
        if not path or path == STANDARD:
            continue
        option = next(parameter.opts[0] for parameter in context.command.params if parameter.name == name)
        with writing(path):
            # Links may give one file two names.
            place = os.path.realpath(path)
        if places.setdefault(place, option) != option:
            raise KTError(f"{places[place]} and {option} name one file, {path}")


def _inputs(values: dict[str, Any], outputs: tuple[str, ...]) -> Iterator[str]:
    """Every word that names a file, except the outputs."""
    for name, value in values.items():
        for word in value if isinstance(value, tuple) else (value,):
            if name not in outputs and isinstance(word, str) and word:
                yield word.removeprefix("@")


OTHER_KINDS = {"log_file": ("log",)}
"""Kinds of what a command writes to the files that these parameters name, beside its main output."""


def _require_replaceable(path: str, name: str, kinds: tuple[str, ...]) -> None:
    """Refuse a file known to be of another kind; the command itself refuses a folder or a wrong suffix."""
    suffix = suffix_in(path)
    if name in OTHER_KINDS:
        require_replaceable(path, *OTHER_KINDS[name])
    elif not os.path.isdir(path) and (suffix in MARKS or (kinds and suffix in (".json", ".jsonl"))):
        require_replaceable(path, *(() if suffix in MARKS else kinds))


def _require_unread(path: str, inputs: list[str]) -> None:
    if os.path.isfile(path) and any(os.path.isfile(source) and os.path.samefile(source, path) for source in inputs):
        raise KTError(f"{path}: the command reads this file too; --force replaces it")


@contextmanager
def _reported(paths: list[str]) -> Iterator[None]:
    """Report at the end which of these files or folders were written; faults are reported elsewhere."""
    before = [_state(path) for path in paths]
    yield
    faulty = click.get_current_context().meta.get(_FAULTS, ())
    for path, old in zip(paths, before, strict=True):
        if path not in faulty and _state(path) not in (old, None):
            say(f"written {path}")


def _state(path: str) -> tuple[int, ...] | None:
    """Values that change when a file is written; None for a device or a pipe."""
    try:
        seen = os.stat(path)
    except (OSError, ValueError):
        return None
    return (seen.st_ino, seen.st_mtime_ns, seen.st_size) if os.path.isfile(path) or os.path.isdir(path) else None


def await_input() -> None:
    """Wait for standard input, if the command reads it, before any clock starts."""
    context = click.get_current_context(silent=True)
    if context is None:
        return
    for name, value in context.params.items():
        # A file named `-` is an input unless the parameter is an output.
        names = value if isinstance(value, tuple) else (value,)
        if STANDARD in names and name not in context.meta.get(_OUTPUTS, ()):
            await_standard_input()
