"""`kt completion`: the script that lets a shell complete commands, options, and their values."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

import click
from click.shell_completion import CompletionItem, get_completion_class

from cli.command import COMPLETION, Command
from kt_models.errors import KTError
from kt_models.storage import standard_output

SHELLS = ("bash", "zsh", "fish")
BOARDS = ("6x6", "10x10", "5x6", "3x10", "8x8-a1,h8")
"""Examples beside those of `kt_models.shapes`."""


@click.command("completion", cls=Command)
@click.argument("shell", type=click.Choice(SHELLS), default=lambda: _current_shell())
def command(shell: str) -> int:
    """Print the completion script for SHELL: bash, zsh or fish (default: the current shell).

    \b
    eval "$(kt completion bash)"                                      for this session; in ~/.bashrc for all
    eval "$(kt completion zsh)"                                       in ~/.zshrc, after compinit
    kt completion fish > ~/.config/fish/completions/kt.fish

    It completes commands, options, file names, and the values of options and arguments: boards, methods, engines,
    encodings, solvers, metrics, symmetries, leapers.
    """
    kt = click.get_current_context().find_root().command
    script = get_completion_class(shell)
    if script is None:
        raise KTError(f"shell {shell}: click does not support its completion")
    click.echo(script(kt, {}, "kt", COMPLETION).source(), file=standard_output())
    return 0


def _current_shell() -> str:
    name = os.path.basename(os.environ.get("SHELL", "bash"))
    return name if name in SHELLS else "bash"


def complete_values(command: click.Command) -> click.Command:
    """Make the options and arguments of a command complete their values: from a table by name, or from the metavar."""
    if isinstance(command, click.Group):
        for name in list(command.commands):
            complete_values(command.commands[name])
    for parameter in command.params:
        # Other types, such as choices, complete themselves.
        if isinstance(parameter.type, click.types.StringParamType):
            parameter.type = _Words(parameter)
    return command


class _Words(click.types.StringParamType):
    """A text that completes to the words of a parameter."""

    def __init__(self, parameter: click.Parameter) -> None:
        self._metavar = parameter.metavar or ""

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
        name = param.name or ""
        metavar = self._metavar
        if metavar in ("FILE", "DIR") or name in ("file", "files", "folder", "source", "target"):
            return [CompletionItem(incomplete, type="dir" if metavar == "DIR" else "file")]
        words = words_of(ctx.info_name or "", param, ctx.params)
        # A path, rather than the name of a board.
        if name in ("board", "region") and re.search(r"[./@]", incomplete):
            return [CompletionItem(incomplete, type="file")]
        return [CompletionItem(word) for word in words if word.startswith(incomplete)]


def _alternatives(metavar: str) -> list[str]:
    """The alternatives of a metavar such as `turns|crossings|SUM`; a word in capitals stands for others."""
    if not re.fullmatch(r"[a-z0-9:-]+(\|[a-zA-Z0-9:-]+)+", metavar):
        return []
    return [word for word in metavar.split("|") if not word.isupper()]


def words_of(command: str, parameter: click.Parameter, values: Mapping[str, Any] = MappingProxyType({})) -> list[str]:
    """The words that complete a parameter of a command: all values, or examples.

    Parameters
    ----------
    given
        Values of other parameters by name, on which the words may depend.
    """
    if parameter.name in _EXAMPLES:
        return list(_EXAMPLES[parameter.name](values))
    return choices_of(command, parameter)


def choices_of(command: str, parameter: click.Parameter) -> list[str]:
    """All values of a parameter of a command; none if there are others."""
    if parameter.name in _CHOICES:
        return list(_CHOICES[parameter.name](command))
    return _alternatives(getattr(parameter, "metavar", None) or "")


def _methods(command: str) -> Iterable[str]:
    if command == "bound":
        from encoders.bounds.methods import summaries

        return tuple(summaries())
    from encoders.find import METHODS

    return METHODS


def _encodings(command: str) -> Iterable[str]:
    if command == "solve":
        from encoders.engines import encodings_of

        return encodings_of("auto")
    from encoders.sat.encodings import encodings

    return encodings()


def _engines(command: str) -> Iterable[str]:
    if command == "enumerate":
        from encoders.enumeration import ENGINES

        return ENGINES
    from encoders.engines import engine_names

    return engine_names()


def _solvers(command: str) -> Iterable[str]:
    from encoders.sat.oracle import SOLVERS

    return SOLVERS


def _parameters(values: Mapping[str, Any]) -> Iterable[str]:
    from encoders.find import METHODS

    parameters = METHODS[values["method"]].parameters if values.get("method") in METHODS else {}
    for parameter in parameters.values():
        yield from [f"{parameter.name}={value}" for value in parameter.choices] or [f"{parameter.name}="]


def _symmetries(values: Mapping[str, Any]) -> Iterable[str]:
    from kt_models.symmetry import NAMES

    return list(NAMES)[1:]


def _boards(values: Mapping[str, Any]) -> Iterable[str]:
    from kt_models.shapes import shapes

    return [example for shape in shapes() for example in shape.example.split(", ")] + list(BOARDS)


_CHOICES: dict[str, Callable[[str], Iterable[str]]] = {
    "method": _methods,
    "engine": _engines,
    "encoding": _encodings,
    "solver": _solvers,
}
"""All values of parameters, by name and command; imported only when needed."""
_EXAMPLES: dict[str, Callable[[Mapping[str, Any]], Iterable[str]]] = {
    "board": _boards,
    "region": _boards,
    "settings": _parameters,
    "symmetry": _symmetries,
    "leaper": lambda values: ("1,2", "1,3", "1,4", "2,3", "0,1", "1,1", "0,1+1,1", "king", "camel", "zebra", "wazir"),
    "heel": lambda values: ("turns", "crossings", "plain"),
    "radii": lambda values: ("1..20", "5"),
}
"""Examples of values of parameters, by name."""
