"""The commands that README and pages show, and whether each can be read as it stands."""

from __future__ import annotations

import importlib.util
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click

import cli
from cli.main import main
from tests.house import ROOMS

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
PROGRAMS = ("kt", "python", "pytest")


def command_lines(page: Path) -> Iterator[list[str]]:
    """The words of every command in the blocks of a page."""
    for language, block in re.findall(r"^```(\w*)\n(.*?)^```$", page.read_text(), flags=re.MULTILINE | re.DOTALL):
        if language not in ("", "console", "sh"):
            continue
        for line in block.splitlines():
            yield from _words(re.split(r" {2,}", line.strip().removeprefix("$ "))[0])


def mentioned(page: Path) -> Iterator[list[str]]:
    """The words of every command in the running text, which may end before what its last option is to be."""
    prose = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    for code in re.findall(r"`([^`]+)`", prose):
        yield from _words(" ".join(code.split()))


def _words(line: str) -> Iterator[list[str]]:
    """Each command of a line that is one of ours, without what the shell makes of it."""
    if line.split(" ")[0].strip("`") not in PROGRAMS or line.startswith("kt: ") or "..." in line:
        return
    for part in re.split(r" (?:\||&&) ", line):
        words = shlex.split(part, comments=True)
        words = words[: words.index(">")] if ">" in words else words
        if words and words[0] in PROGRAMS:
            yield words


def fault_of(words: list[str]) -> str:
    """Why a command cannot be read, or nothing. A word in capitals stands for what a reader puts there."""
    program, *arguments = words
    if program == "kt":
        return _usage(arguments)
    if program == "python" and arguments[:1] == ["-m"]:
        inside = cli.__name__.removesuffix("cli") if arguments[1].partition(".")[0] in ROOMS else ""  # `kt.` in a wheel
        return "" if importlib.util.find_spec(inside + arguments[1]) is not None else "no such module"
    if program == "python" and arguments[0].endswith(".py"):
        return "" if any((folder / arguments[0]).exists() for folder in (ROOT, ROOT / "docs")) else "no such file"
    return ""


def _usage(arguments: list[str]) -> str:
    command: click.Command = main
    name = "kt"
    try:
        while isinstance(command, click.Group) and arguments and not arguments[0].startswith("-"):
            name, *arguments = arguments
            found = command.get_command(click.Context(command), name)
            if found is None:
                return "" if name.isupper() else f"no command {name}"
            command = found
        if arguments and not any(word.isupper() and len(word) > 1 for word in arguments):
            with click.Context(main) as root:  # Closing it puts standard output back, also after a wrong line
                command.make_context(name, list(arguments), parent=root)
    except click.UsageError as error:
        return error.format_message()
    except click.exceptions.Exit:
        pass
    return ""
