"""What there is to call: commands with their options, and the names of `import kt` with their signatures."""

from __future__ import annotations

import dataclasses
import enum
import inspect
import os
import tempfile
from collections.abc import Callable, Iterator
from typing import Any

import click

import kt
from cli.main import main
from cli.status import EXIT_STATUSES

KEYWORDS = (
    "cells", "edges", "adjacency", "minimize", "open", "start", "end", "symmetry", "require", "forbid", "leaper",
    "engine", "encoding", "solver", "hint", "time_limit", "workers", "memory", "seed", "stop", "method", "at_least",
    "on_progress", "value", "up_to_symmetry", "numbers", "turns", "crossings", "direction", "names", "style",
    "size", "effort", "diagonals", "quartes", "halves", "uncrossed", "heel", "cut", "tie_break", "weights",
    "number", "clues", "proof", "board", "to", "nonsense",
)  # fmt: skip
"""Arguments that are tried by name where a function takes any."""


def commands(_: str = "") -> str:
    """Every exit status, and every command with its arguments, options, defaults and help."""
    statuses = [f"exit {status.number}  {status.every}; of kt check: {status.check}" for status in EXIT_STATUSES]
    return "\n\n".join("\n".join(lines) for lines in [statuses, *_commands("kt", main)]) + "\n"


def _commands(name: str, command: click.Command) -> Iterator[list[str]]:
    lines = [f"{name}  {command.get_short_help_str(300)}"]
    for parameter in sorted(command.params, key=lambda p: (not isinstance(p, click.Argument), sorted(p.opts))):
        lines.append("  " + _parameter(parameter))
    yield lines
    if isinstance(command, click.Group):
        context = click.Context(command)
        for inner in sorted(command.list_commands(context)):
            found = command.get_command(context, inner)
            assert found is not None
            yield from _commands(f"{name} {inner}", found)


def _parameter(parameter: click.Parameter) -> str:
    told = parameter.to_info_dict()
    kind = {key: value for key, value in sorted(told["type"].items()) if key not in ("param_type", "name")}
    words = [", ".join([*parameter.opts, *parameter.secondary_opts]), told["type"]["name"]]
    words += [f"{key}={value}" for key, value in kind.items() if value not in (None, False, [])]
    words += [name for name in ("required", "multiple", "is_flag", "hidden") if told.get(name)]
    if parameter.nargs != 1:
        words.append(f"nargs={parameter.nargs}")
    default = told.get("default")
    if default not in (None, False, ()) and "Sentinel" not in repr(default) and not callable(default):
        words.append(f"default={default!r}")
    if parameter.metavar:
        words.append(f"metavar={parameter.metavar}")
    words.append(getattr(parameter, "help", None) or "")
    return "  ".join(str(word) for word in words if word)


def names(_: str = "") -> str:
    """Every public name of `kt`: signatures of functions, attributes and signatures of classes."""
    blocks = [f"__all__  {' '.join(sorted(kt.__all__))}"]
    for name in sorted(kt.__all__):
        value = getattr(kt, name)
        if inspect.isclass(value):
            blocks.append("\n".join([f"class {name}({', '.join(_bases(value))})", *_attributes(value)]))
        elif callable(value):
            blocks.append("\n".join([f"{name}{_signature(value)}", *_keywords(name, value)]))
        else:
            blocks.append(f"{name}: {type(value).__name__}")
    return "\n\n".join(blocks) + "\n"


def _bases(value: type) -> list[str]:
    return [base.__name__ for base in value.__bases__ if base is not object]


def _signature(value: Callable[..., Any]) -> str:
    """The parameters with their defaults; an object's default is shown by its kind, as its text may hold an address."""
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return "(...)"
    parameters = []
    for parameter in signature.parameters.values():
        default = parameter.default
        if callable(default) and not inspect.isclass(default):
            default = f"<{getattr(default, '__name__', type(default).__name__)}>"
        elif default is not parameter.empty and not isinstance(default, str | int | float | bool | tuple | None):
            default = f"<{type(default).__name__}>"
        parameters.append(parameter.replace(default=default))
    return str(signature.replace(parameters=parameters)).replace("'<", "<").replace(">'", ">")


def _attributes(value: type) -> Iterator[str]:
    if dataclasses.is_dataclass(value) or issubclass(value, enum.Enum):
        yield f"  {_signature(value)}"
    for name in sorted(vars(value).keys() | {n for base in value.__mro__[1:-1] for n in vars(base)}):
        if name.startswith("_") and name not in ("__iter__", "__len__", "__getitem__", "__eq__", "__hash__", "__or__",
                                                 "__and__", "__contains__", "__call__"):  # fmt: skip
            continue
        owner = next(base for base in value.__mro__ if name in vars(base))
        if owner.__module__.split(".")[0] in ("builtins", "enum", "abc", "typing", "collections"):
            continue
        member = vars(owner)[name]
        if isinstance(member, property) or type(member).__name__ == "cached_property":
            yield f"  {name}: property"
        elif isinstance(member, classmethod | staticmethod):
            yield f"  {name}{_signature(member.__func__)}  {type(member).__name__}"
        elif callable(member):
            yield f"  {name}{_signature(member)}"
        else:
            yield f"  {name}"


def _keywords(name: str, function: Callable[..., Any]) -> Iterator[str]:
    """Which arguments are taken by name, by asking for each with a value that makes no sense."""
    parameters = inspect.signature(function).parameters.values()
    gathered = [p.name for p in parameters if p.kind is p.VAR_KEYWORD]
    if gathered:
        with tempfile.TemporaryDirectory() as folder:
            before = os.getcwd()
            os.chdir(folder)
            try:
                taken = [word for word in KEYWORDS if _takes(name, function, word)]
            finally:
                os.chdir(before)
        yield f"  {gathered[0]}: {' '.join(sorted(taken))}"


def _takes(name: str, function: Callable[..., Any], keyword: str) -> bool:
    """Whether a function takes an argument of this name, whatever it says of the value."""
    tour = kt.solve("3x4", open=True).tour if name == "check" else None
    subject = {"check": tour, "compare": "3x4", "improve": "missing.json"}.get(name, "3x4")
    others = ["turns"] if name == "improve" and keyword != "minimize" else []
    try:
        answer = function(subject, *others, **{keyword: object()})
        if inspect.isgenerator(answer):
            next(answer, None)
    except Exception as error:
        return not any(words in str(error) for words in ("unknown argument", "unexpected keyword"))
    return True
