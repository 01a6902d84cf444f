"""The base of every command of kt: strict options, help in groups, exit statuses, `--quiet` and `--help-all`."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import click

from cli.files import quiet_option
from cli.help import NamingGroup, epilog
from cli.option_errors import require_read, strict_parser

COMPLETION = "_KT_COMPLETE"
"""The environment variable by which a shell asks for completions."""
ANSWER = "Answer"
# fmt: off
SECTIONS = {
    "Conditions": frozenset({
        "--board", "--cell-at", "--clues", "--diagonals", "--enter", "--forbid", "--from", "--index-of", "--leaper",
        "--leave", "--line", "--line-out", "--link", "--number", "--one-cycle", "--open", "--region", "--require",
        "--side", "--sums", "--symmetry", "--through", "--to", "--uncrossed",
    }),
    "Limits": frozenset({
        "--cube-time", "--cubes", "--graph-time", "--max", "--memory", "--part", "--port", "--radius-time", "--resume",
        "--run", "--scheduler", "--seconds", "--seed", "--state", "--time-limit", "--workers",
    }),
    "Output": frozenset({
        "--certificate", "--csv", "--folder", "--force", "--json", "--ledger", "--log", "--output", "--plot",
        "--proof", "--quiet", "--table", "--tours",
    }),
}
"""Options by section of the help; all others describe the problem, or how to answer it."""
EXPERT = frozenset({
    "--any-pairing", "--argument", "--bound", "--cell-at", "--cube-time", "--cubes", "--direction", "--encoding",
    "--engine", "--family", "--forecast", "--halves", "--hint", "--index-of", "--infeasible", "--join", "--log",
    "--matching", "--memory", "--no-anneal", "--no-best", "--no-hint", "--no-presolve", "--no-proofs", "--pick",
    "--quartes", "--quartet", "--radius-time", "--sample", "--scheduler", "--small", "--solver", "--state", "--variant",
    "--warm",
})
# fmt: on
"""Options that most people never need: `--help-all` shows them."""


def _show_all(context: click.Context, parameter: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        context.meta[_ALL] = True
        click.echo(context.get_help(), color=context.color)
        context.exit()


_ALL = f"{__name__}.all"


class _Ended(click.Command):
    """A command whose help ends with the forms of a board, the exit statuses, and related commands."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the end of the help."""
        # The help of `kt search heel` ends as that of `kt search` does.
        named = ctx.parent if ctx.parent and ctx.parent.parent else ctx
        self.epilog = epilog(named.info_name or "", self.params)
        super().format_epilog(ctx, formatter)


class Command(_Ended):
    """A command of kt."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.params.append(quiet_option)

    @cached_property
    def _help_all(self) -> list[click.Parameter]:
        """`--help-all`, if there are hidden options."""
        more = len(hidden(self))
        words = f"Show {more} more option{'s' * (more > 1)}."
        option = click.Option(
            ["--help-all"], is_flag=True, is_eager=True, expose_value=False, callback=_show_all, help=words
        )
        return [option] if more else []

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        return [*super().get_params(ctx), *self._help_all]

    def make_parser(self, ctx: click.Context) -> Any:
        return strict_parser(ctx, super().make_parser(ctx))

    def invoke(self, ctx: click.Context) -> Any:
        require_read(ctx)
        return super().invoke(ctx)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, section by section."""
        for name, options in _sections(self.get_params(ctx), ctx.meta.get(_ALL, False)).items():
            rows = [row for option in options if (row := option.get_help_record(ctx))]
            if rows:
                with formatter.section(name):
                    formatter.write_dl(rows)


class CommandGroup(_Ended, NamingGroup):
    """A command of kt that has commands of its own."""

    command_class = Command


def _name(option: click.Parameter) -> str:
    """The longest name of an option, such as `--time-limit`."""
    return max(option.opts, key=len)


def hidden(command: click.Command) -> list[str]:
    """The options that `--help` leaves out."""
    return [name for option in command.params if (name := _name(option)) in EXPERT]


def _sections(parameters: list[click.Parameter], everything: bool) -> dict[str, list[click.Option]]:
    """The options of a command by section."""
    sections: dict[str, list[click.Option]] = {name: [] for name in (ANSWER, *SECTIONS, "Help")}
    for option in parameters:
        name = _name(option)
        if not isinstance(option, click.Option) or (name in EXPERT and not everything):
            continue
        if name in ("--help", "--help-all"):
            section = "Help"
        else:
            section = next((key for key, names in SECTIONS.items() if name in names), ANSWER)
        sections[section].append(option)
    return sections
