"""The text below the help of every command, and the error for an unknown command, with a suggestion.

The texts are kept here rather than in the commands, so that `kt --help` and a mistyped name import no command, and so
that all commands use the same words.
"""

from __future__ import annotations

from collections.abc import Iterable

import click

from kt_models.errors import nearest

_OTHER_WORDS = {
    "solve": "optimise optimize minimise minimize prove tour run path cycle hamiltonian hamilton",
    "find": "search-tour heuristic construct generate random make",
    "bound": "lower-bound certify",
    "enumerate": "count list all",
    "check": "verify validate test",
    "draw": "plot view render gallery drawing svg png picture html page gif mp4 animate",
    "measure": "turns crossings info stats canonical",
    "show": "print cat display",
    "convert": "export import",
    "search": "gadget gadgets heel junction",
    "runs": "status progress",
    "doctor": "versions diagnose selftest env",
    "completion": "complete completions bash zsh fish",
    "puzzle": "puzzles hidato numbrix zip numberlink flow waypoints sheet worksheet play",
    "explore": "ui gui browse serve web",
    "improve": "better polish",
    "best": "records record known best-known",
    "compare": "versus vs gap gaps",
    "pareto": "front frontier tradeoff multiobjective",
}
SYNONYMS = {word: command for command, words in _OTHER_WORDS.items() for word in words.split()}
"""Other words for what a command does, with the command."""

_LIMITED = "3  stopped by a limit or a signal, with the best so far"
_USAGE = "2  bad usage, or a file that cannot be read or written"
_ANSWERED = {
    "solve": "0  found (with --minimize: and proved optimal), or proved that no tour exists",
    "find": "0  found, or proved that no tour exists",
    "enumerate": "0  the list or the count is complete, or the answer is yes or no",
    "runs": "0  the run is complete",
    "aztec": "0  every radius is settled",
    "search": "0  the search is complete",
    "experiment": "0  the experiment is complete",
    "improve": "0  the given tour is known to be optimal",
    "best": "0  a tour is known for every measure",
    "compare": "0  every board is done",
    "table": "0  every row is done",
    "pareto": "0  the whole front is proved, or that no tour exists",
    "longest": "0  the walk is proved longest",
    "puzzle": "0  all puzzles were made",
    "magic": "0  found, or the solver reports that there is none",
}
_OTHERWISE = {
    "check": ("0  every claim holds", "1  a tour is invalid, or a certificate or proof does not show its claim"),
    "bound": ("0  the bound is shown, with a certificate", "1  a tour below the bound was found", _LIMITED),
    "doctor": ("0  everything that is needed works", "1  something that is needed is missing or fails"),
}
_SEE_ALSO = {
    "solve": "find (without a proof), bound (a proof alone), enumerate (all tours), check, draw",
    "find": "solve (with proofs), measure, draw",
    "bound": "solve, check",
    "best": "improve, solve, check",
    "compare": "table, find, bound, best",
    "table": "best, compare, solve",
    "pareto": "solve, enumerate, check",
    "longest": "solve, check, draw",
    "magic": "measure, find, check",
    "puzzle": "solve, enumerate, draw",
    "enumerate": "runs, solve",
    "runs": "enumerate",
    "aztec": "find, check",
    "search": "find (formation), draw, check",
    "check": "measure, solve, bound",
    "measure": "show, check, draw",
    "show": "measure, draw",
    "experiment": "find, aztec",
    "draw": "show, convert, measure",
    "convert": "draw, check",
    "improve": "best, solve, find, measure",
    "explore": "draw, solve",
    "doctor": "completion",
    "completion": "doctor",
}


def _boards() -> str:
    """The forms of a board."""
    from kt_models.shapes import shapes

    rows = [(shape.example, shape.words) for shape in sorted(shapes(), key=lambda shape: shape.name)]
    rows += [
        ("8x8-a1,h8", "cells removed"),
        ("8x8-c3..f6", "a box of cells removed"),
        ("@mask.txt", "drawn in a file: # is a cell, . is a hole"),
        ("graph.hcp", "a graph: .hcp .col .g6 .gml .graphml .mtx .dot .edges .json ..."),
    ]
    return "\n".join(["\b", "BOARD", *(f"  {example:15} {words}" for example, words in rows)])


def epilog(name: str, parameters: Iterable[click.Parameter] = ()) -> str:
    """The text below the options of a command: forms of a board, exit statuses, and related commands."""
    if name in _OTHERWISE:
        statuses = [*_OTHERWISE[name], _USAGE]
    elif name in _ANSWERED:
        statuses = [_ANSWERED[name], _LIMITED, _USAGE]
    else:
        statuses = ["0  done", _USAGE]
    takes_board = any(isinstance(p, click.Argument) and p.name == "board" for p in parameters)
    parts = [_boards()] if takes_board else []
    parts.append("\b\nExit status\n" + "\n".join(f"  {line}" for line in statuses))
    if name in _SEE_ALSO:
        parts.append(f"\b\nSee also\n  {_SEE_ALSO[name]}")
    return "\n\n".join(parts)


class NamingGroup(click.Group):
    """A group that suggests the command that was probably meant."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        known = self.list_commands(ctx)
        if args[0] not in known and not args[0].startswith("-") and not ctx.resilient_parsing:
            # Click's own error has no suggestion.
            raise no_such_command(ctx, args[0], known)
        return super().resolve_command(ctx, args)


def no_such_command(ctx: click.Context, name: str, known: list[str]) -> click.UsageError:
    """The error for an unknown command: it suggests a command, or `solve` if the word looks like a board."""
    guess = nearest(name, known, SYNONYMS)
    if guess and name != "help":
        return click.UsageError(f"no such command {name[:60]!r}, did you mean '{ctx.command_path} {guess}'?", ctx)
    hint = f"{ctx.command_path} --help lists them"
    if name == "help":
        hint = f"try '{ctx.command_path} --help', or '{ctx.command_path} COMMAND --help'"
    # A word that begins with a digit looks like a board.
    if "solve" in known and name[:1].isdigit():
        hint = f"to solve a board, type '{ctx.command_path} solve {name[:60]}'"
    return click.UsageError(f"no such command {name[:60]!r}; {hint}", ctx)
