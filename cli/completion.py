"""`kt completion`: what a shell needs to complete commands, options, and the values of options."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable

import click
from click.shell_completion import CompletionItem, get_completion_class

VARIABLE = "_KT_COMPLETE"
"""The variable of the environment in which a shell asks for completions."""
SHELLS = ("bash", "zsh", "fish")
BOARDS = ("8x8", "6x6", "10x10", "5x6", "3x10", "4x4x4", "aztec:5", "torus:8x8", "8x8-a1,h8", "strip:4x10")


@click.command("completion")
@click.argument("shell", type=click.Choice(SHELLS), default=lambda: _current_shell())
def command(shell: str) -> int:
    """Print the completion script for SHELL: bash, zsh or fish (default: the one you are in).

    \b
    eval "$(kt completion bash)"                                      for this session; in ~/.bashrc for all
    eval "$(kt completion zsh)"                                       in ~/.zshrc, after compinit
    kt completion fish > ~/.config/fish/completions/kt.fish

    Completed are commands, options, file names, and the values of options and arguments: boards, methods, engines,
    encodings, solvers, metrics, symmetries, leapers.
    """
    kt = click.get_current_context().find_root().command
    script = get_completion_class(shell)
    assert script is not None
    click.echo(script(kt, {}, "kt", VARIABLE).source())
    return 0


def _current_shell() -> str:
    name = os.path.basename(os.environ.get("SHELL", "bash"))
    return name if name in SHELLS else "bash"


def complete_values(command: click.Command) -> click.Command:
    """The command, whose options and arguments complete their values: by name, or as their metavar says."""
    if isinstance(command, click.Group):
        for name in list(command.commands):
            complete_values(command.commands[name])
    for parameter in command.params:
        if isinstance(parameter.type, click.types.StringParamType):
            parameter.type = _Words(parameter)
    return command


class _Words(click.types.StringParamType):
    """A text, completed from the words there are for a parameter."""

    def __init__(self, parameter: click.Parameter) -> None:
        self._metavar = parameter.metavar or ""

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
        name = param.name or ""
        metavar = self._metavar
        if metavar in ("FILE", "DIR") or name in ("file", "files", "folder", "source", "target"):
            return [CompletionItem(incomplete, type="dir" if metavar == "DIR" else "file")]
        words = list(_VALUES[name](ctx)) if name in _VALUES else _alternatives(metavar)
        if name in ("board", "region") and re.search(r"[./@]", incomplete):
            return [CompletionItem(incomplete, type="file")]
        return [CompletionItem(word) for word in words if word.startswith(incomplete)]


def _alternatives(metavar: str) -> list[str]:
    """The words of a metavar such as `turns|crossings`."""
    return metavar.split("|") if re.fullmatch(r"[a-z0-9-]+(\|[a-z0-9-]+)+", metavar) else []


def _methods(ctx: click.Context) -> Iterable[str]:
    if ctx.info_name == "bound":
        from encoders.bounds.methods import summaries

        return tuple(summaries())
    from heuristics.find import METHODS

    return METHODS


def _parameters(ctx: click.Context) -> Iterable[str]:
    from heuristics.find import METHODS

    own = METHODS[ctx.params["method"]].parameters() if ctx.params.get("method") in METHODS else {}
    for parameter in own.values():
        yield from [f"{parameter.name}={value}" for value in parameter.choices] or [f"{parameter.name}="]


def _engines(ctx: click.Context) -> Iterable[str]:
    if ctx.info_name != "solve":
        from encoders.enumeration import ENGINES

        return ENGINES
    from encoders.engines import engine_names

    return engine_names()


def _encodings(ctx: click.Context) -> Iterable[str]:
    if ctx.info_name == "solve":
        from encoders.engines import encodings_of

        return encodings_of("auto")
    from encoders.sat.encodings import encodings

    return encodings()


def _solvers(ctx: click.Context) -> Iterable[str]:
    from encoders.sat.oracle import SOLVERS

    return SOLVERS


def _symmetries(ctx: click.Context) -> Iterable[str]:
    from kt_models.symmetry import NAMES

    return list(NAMES)[1:]


_VALUES: dict[str, Callable[[click.Context], Iterable[str]]] = {
    "board": lambda ctx: BOARDS,
    "region": lambda ctx: BOARDS,
    "method": _methods,
    "settings": _parameters,
    "engine": _engines,
    "encoding": _encodings,
    "solver": _solvers,
    "symmetry": _symmetries,
    "leaper": lambda ctx: ("1,2", "1,3", "1,4", "2,3", "0,1", "1,1"),
    "heel": lambda ctx: ("turns", "crossings", "plain"),
    "radii": lambda ctx: ("1..20", "5"),
}
"""The words for parameters by name; imported when asked for."""
