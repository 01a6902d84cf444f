"""No option without effect: what is given twice, or empty, or what a command would not read, is an error.

Which options a command reads only together with others is declared at the command, as an `OptionRule` for each
(`rules`).  One check looks at all of them before the command begins.  Exempt is what never changes an answer: `--seed`,
`--workers`, limits, how much is said, and where it is written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import click
from click.core import ParameterSource

from kt_models.errors import KTError, excerpt, nearest

Given = Mapping[str, Any]
"""The parameters of a command by name, those too that have their defaults."""


@dataclass(frozen=True)
class OptionRule:
    """When some options are read.

    Parameters
    ----------
    options
        Names of parameters.
    when
        Whether a command with these parameters reads them.
    why
        What is needed for that, in words: `only with --run DIR`.
    """

    options: tuple[str, ...]
    when: Callable[[Given], Any]
    why: str


def read_when(*options: str, when: Callable[[Given], Any], why: str) -> Callable[[Any], Any]:
    """Decorator: an `OptionRule` of a command."""

    def decorate(command: Any) -> Any:
        command.__kt_rules__ = (OptionRule(options, when, why), *getattr(command, "__kt_rules__", ()))
        return command

    return decorate


def rules(command: click.Command) -> tuple[OptionRule, ...]:
    """What was declared at a command."""
    return getattr(command.callback, "__kt_rules__", ())


def strict_parser(context: click.Context, parser: Any) -> Any:
    """Let the parser of a command refuse options that are given twice or empty."""
    parse = parser.parse_args

    def parse_args(args: list[str]) -> tuple[dict[str, Any], list[str], list[click.Parameter]]:
        try:
            options, left, order = parse(args)
        except click.NoSuchOption as error:
            raise no_such_option(context, error) from None
        if not context.resilient_parsing:
            _require_once(order)
            _require_values(order, options)
        return options, left, order

    vars(parser).update(parse_args=parse_args)
    return parser


PARAMETERS = {"open": "is_open", "end": "finish", "numbers": "number", "on_progress": "log_file"}
"""What the parameters of commands are called that arguments in Python call otherwise."""
OPTION_WORDS = {"output": ("out", "save", "file", "write"), "as_format": ("type", "fmt"), "quiet": ("silent",)}
"""Other words for options that Python has no arguments for, by parameters."""


def no_such_option(context: click.Context, error: click.NoSuchOption) -> click.UsageError:
    """The error of an option that there is not: the one that was probably meant."""
    from kt_models.files.calls import WORDS

    shown = [p for p in context.command.params if isinstance(p, click.Option) and not p.hidden]
    option = {str(p.name): p.opts[-1] for p in shown}
    synonyms: dict[str, str] = {}
    for name, words in (*WORDS.items(), *OPTION_WORDS.items()):
        if right := option.get(PARAMETERS.get(name, name)):
            synonyms |= dict.fromkeys((name, *words), right)
    guess = nearest(error.option_name, option.values(), synonyms) if error.option_name.startswith("--") else ""
    advice = f"did you mean {guess}?" if guess else f"{context.command_path} --help lists them"
    return click.UsageError(f"no such option {excerpt(error.option_name)}, {advice}", context)


def _require_once(order: list[click.Parameter]) -> None:
    for parameter in order:
        if isinstance(parameter, click.Option) and not (parameter.multiple or parameter.is_flag or parameter.count):
            times = order.count(parameter)
            if times > 1:
                advice = ": write a sum, such as 'turns + crossings'" if parameter.name == "minimize" else ""
                raise KTError(f"{parameter.opts[-1]} is given {times} times, and only one can be meant{advice}")
    if {"minimize", "maximize"} <= {str(parameter.name) for parameter in order}:
        raise KTError(
            "--minimize and --maximize exclude each other: minimize a difference, such as 'turns - crossings'"
        )


def _require_values(order: list[click.Parameter], options: Given) -> None:
    for parameter in order:
        value = options.get(str(parameter.name))
        if isinstance(parameter, click.Option) and "" in (value if isinstance(value, list | tuple) else (value,)):
            raise KTError(f"{parameter.opts[-1]} '': the value is empty")


def require_read(context: click.Context) -> None:
    """Refuse options that the rules of a command say it would not read."""
    given = {
        name: option
        for option in context.command.params
        if isinstance(option, click.Option)
        and (name := str(option.name))
        and context.get_parameter_source(name) is ParameterSource.COMMANDLINE
    }
    for rule in rules(context.command):
        for name in rule.options:
            if name in given and not rule.when(context.params):
                raise KTError(f"{given[name].opts[-1]} has no effect here: it is read {rule.why}")
