"""Errors about options: unknown (with a suggestion), given twice, empty, or without effect for a command.

A command declares which options it reads only together with others, as an `OptionRule` for each (`rules`). One check
applies all rules before the command begins. Options that never change an answer are exempt: `--seed`, `--workers`,
limits, verbosity, and where the answer is written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import click
from click.core import ParameterSource

from kt_models.errors import KTError, excerpt, nearest

OptionValues = Mapping[str, Any]
"""The parameters of a command by name, including defaults."""


@dataclass(frozen=True)
class OptionRule:
    """The condition under which a command reads some options.

    Parameters
    ----------
    options
        Names of parameters.
    when
        Whether a command with these parameters reads the options.
    why
        The condition in words: `only with --run DIR`.
    """

    options: tuple[str, ...]
    when: Callable[[OptionValues], Any]
    why: str


def read_when(*options: str, when: Callable[[OptionValues], Any], why: str) -> Callable[[Any], Any]:
    """Add an `OptionRule` to a command (decorator)."""

    def decorate(command: Any) -> Any:
        command.__kt_rules__ = (OptionRule(options, when, why), *getattr(command, "__kt_rules__", ()))
        return command

    return decorate


def rules(command: click.Command) -> tuple[OptionRule, ...]:
    """The rules of a command."""
    return getattr(command.callback, "__kt_rules__", ())


def strict_parser(context: click.Context, parser: Any) -> Any:
    """Make the parser of a command refuse options that are given twice or empty, and read `SYNONYMS`."""
    for parameter in context.command.params:
        for word in SYNONYMS.get(str(parameter.name), ()):
            parser.add_option(parameter, [word], dest=parameter.name, action="store", nargs=1)
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


SYNONYMS = {"minimize": ("--metric",)}
"""Options that are read and not shown, by the parameter that they stand for."""
PARAMETERS = {"open": "is_open", "end": "finish", "numbers": "number", "on_progress": "log_file"}
"""Parameters of commands, by the names that the same arguments have in Python."""
OPTION_WORDS = {"output": ("out", "save", "file", "write"), "as_format": ("type", "fmt"), "quiet": ("silent",)}
"""Other words for options that have no argument in Python, by parameter."""

ELSEWHERE = {
    "--forecast": "kt enumerate --forecast predicts counts and lists; kt runs status DIR, the rest of a --run DIR",
}
"""Options that are looked for where they are not, and what there is instead."""


def no_such_option(context: click.Context, error: click.NoSuchOption) -> click.UsageError:
    """The error for an unknown option, with the option that was probably meant."""
    from kt_models.files.calls import WORDS

    if error.option_name in ELSEWHERE:
        return click.UsageError(f"no {error.option_name} here: {ELSEWHERE[error.option_name]}", context)
    visible = [p for p in context.command.params if isinstance(p, click.Option) and not p.hidden]
    option = {str(p.name): p.opts[-1] for p in visible}
    synonyms: dict[str, str] = {}
    for name, words in (*WORDS.items(), *OPTION_WORDS.items()):
        if right := option.get(PARAMETERS.get(name, name)):
            synonyms |= dict.fromkeys((name, *words), right)
    guess = nearest(error.option_name, option.values(), synonyms) if error.option_name.startswith("--") else ""
    advice = f"did you mean {guess}?" if guess else f"{context.command_path} --help lists them"
    return click.UsageError(f"no such option {excerpt(error.option_name)}, {advice}", context)


CLICK_WORDS = (
    (r"is not a valid float( range)?\.$", "is not a number"),
    (r"is not a valid integer( range)?\.$", "is not an integer"),
    (r"is not in the range (\S+)<=x<=(\S+)\.$", r"is not from \1 to \2"),
    (r"is not in the range x>=(\S+)\.$", r"is less than \1"),
    (r"is not in the range x<=(\S+)\.$", r"is more than \1"),
    (r"\.$", ""),
)
"""Messages of click about a value, as patterns, and the same in the words of kt's other errors."""


def usage_text(error: click.ClickException) -> str:
    """One line for an error that click raises, in the words of kt's other errors."""
    if isinstance(error, click.BadOptionUsage) and not isinstance(error, click.NoSuchOption):
        takes_value = "requires" in error.message or "expected" in error.message
        return f"{error.option_name} {'needs a value' if takes_value else 'takes no value'}"
    parameter = getattr(error, "param", None)
    if not isinstance(error, click.BadParameter) or parameter is None:
        extra = re.search(r"unexpected extra arguments? \((.*)\)", error.format_message())
        if extra:
            return f"unexpected argument {excerpt(extra[1])}; a name with spaces needs quotes"
        return error.format_message()
    option = isinstance(parameter, click.Option)
    name = parameter.opts[-1] if option else str(parameter.name).upper()
    metavar = parameter.metavar or ""
    if isinstance(error, click.MissingParameter):
        return f"{name} {metavar}".strip() + " is missing" if option else f"{metavar.strip('.') or name} is missing"
    text = error.message
    for pattern, words in CLICK_WORDS:
        text, changed = re.subn(pattern, words, text)
        if changed:
            break
    return f"{name}: {text}"


def _require_once(order: list[click.Parameter]) -> None:
    for parameter in order:
        if isinstance(parameter, click.Option) and not (parameter.multiple or parameter.is_flag or parameter.count):
            times = order.count(parameter)
            if times > 1:
                objective = parameter.name in ("minimize", "maximize")
                advice = ": write a sum, such as 'turns + crossings', or use kt pareto" if objective else ""
                raise KTError(f"{parameter.opts[-1]} is given {times} times, but may be given once{advice}")
    if {"minimize", "maximize"} <= {str(parameter.name) for parameter in order}:
        raise KTError(
            "--minimize and --maximize cannot be combined: minimize a difference, such as 'turns - crossings'"
        )


def _require_values(order: list[click.Parameter], options: OptionValues) -> None:
    for parameter in order:
        value = options.get(str(parameter.name))
        if isinstance(parameter, click.Option) and "" in (value if isinstance(value, list | tuple) else (value,)):
            raise KTError(f"{parameter.opts[-1]} '': the value is empty")


def require_read(context: click.Context) -> None:
    """Refuse options that the command would not read according to its rules."""
    stated = {
        name: option
        for option in context.command.params
        if isinstance(option, click.Option)
        and (name := str(option.name))
        and context.get_parameter_source(name) is ParameterSource.COMMANDLINE
    }
    for rule in rules(context.command):
        for name in rule.options:
            if name in stated and not rule.when(context.params):
                raise KTError(f"{stated[name].opts[-1]} has no effect here: kt reads it {rule.why}")
