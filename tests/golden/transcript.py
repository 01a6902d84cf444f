"""Transcripts: commands and what came of them.

A line `$ kt ...` is a command, a line `# ...` a remark, everything else is what came out when the commands were run,
one after the other, in a folder that holds the files of `inputs`, and `docs` and `heuristics` of the checkout.
"""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import click
from click.testing import CliRunner

from cli.main import main
from tests.golden import normalise
from tests.golden.normalise import ROOT

HERE = Path(__file__).parent
TRANSCRIPTS = HERE / "transcripts"
INPUTS = HERE / "inputs"
SURE = frozenset({"find", "measure", "convert", "draw", "check", "aztec", "experiment", "best"})
"""Commands of which it is sure which tour they give: without a solver, the same seed gives the same tour."""


def commands_in(recorded: str) -> list[str]:
    """The command lines of a transcript, without the dollar."""
    return [line[2:] for line in recorded.splitlines() if line.startswith("$ ")]


def renewed(recorded: str) -> str:
    """The transcript with what comes out now."""
    blocks = []
    with _folder():
        for line in recorded.splitlines():
            if line.startswith("$ "):
                blocks.append("\n".join([line, *_answer(shlex.split(line[2:], comments=True))]))
            elif line.startswith("# "):
                blocks.append(line)
    return "\n\n".join(blocks) + "\n"


@contextlib.contextmanager
def _folder() -> Iterator[None]:
    """Work in a new folder with the inputs."""
    before, environment = Path.cwd(), dict(os.environ)
    with tempfile.TemporaryDirectory() as folder:
        for path in INPUTS.iterdir():
            shutil.copy(path, folder)
        for name in ("docs", "heuristics"):
            Path(folder, name).symlink_to(ROOT / name)
        os.chdir(folder)
        for name in [name for name in environment if name.startswith(("KT_", "_KT"))]:
            del os.environ[name]
        os.environ["COLUMNS"] = "100"
        try:
            yield
        finally:
            os.chdir(before)
            os.environ.clear()
            os.environ.update(environment)


def _answer(words: list[str]) -> Iterator[str]:
    """What a command answers in words, and, where it can, as JSON; and the files that it writes."""
    assert words[0] == "kt", words
    arguments = words[1:]
    tours = arguments[:1] != [] and arguments[0] in SURE
    before = _files()
    runner, as_kt = CliRunner(), {"prog_name": "kt"}
    said = runner.invoke(main, arguments, **as_kt)
    yield f"exit {said.exit_code}"
    if said.exception is not None and not isinstance(said.exception, SystemExit):
        yield f"raised {said.exception!r}"
    whole = normalise.text(said.stdout, tours)
    yield from _shown(whole, tours)
    yield from (f"! {line}" for line in normalise.text(said.stderr, tours).splitlines())
    after = _files()
    for path in sorted(after):
        if before.get(path) != after[path]:
            yield _written(path, after[path], tours)
    if "--json" not in arguments and said.exit_code != 2 and _takes_json(arguments):
        spoken = runner.invoke(main, [*arguments, "--json"], **as_kt)
        if spoken.exit_code != said.exit_code:
            yield f"exit {spoken.exit_code} with --json"
        yield from _shown(spoken.stdout, tours)
        yield from (f"! {line}" for line in normalise.text(spoken.stderr, tours).splitlines())


def _shown(output: str, tours: bool) -> Iterator[str]:
    """Lines of text as they are, and a JSON object a leaf a line."""
    objects = []
    for line in output.splitlines():
        if not line.startswith('{"'):
            yield line and f"  {line}"
            continue
        objects.append(json.loads(line))
    if len(objects) > 3:  # a list of tours, each with the same keys
        kept = [data for data in objects if data.get("kind") != "tour"]
        listed = [data for data in objects if data.get("kind") == "tour"]
        yield f"  {len(listed)} tours, each with {' '.join(sorted({key for data in listed for key in data}))}"
        objects = kept
    for data in objects:
        yield from (f"  {row}" for row in normalise.rows(data, tours))


def _takes_json(arguments: list[str]) -> bool:
    """Whether a command has an option --json, and is not asked for help."""
    command: click.Command = main
    for word in arguments:
        if not isinstance(command, click.Group):
            break
        command = command.get_command(click.Context(command), word) or click.Command(None)
    options = {option for parameter in command.params for option in parameter.opts}
    return "--json" in options and not {"--help", "-h", "--methods"} & set(arguments)


def _files() -> dict[str, bytes]:
    """What the files in the folder hold now."""
    return {
        str(path): path.read_bytes()
        for path in Path().rglob("*")
        if path.is_file() and path.parts[0] not in ("docs", "heuristics")
    }


def _written(path: str, content: bytes, tours: bool) -> str:
    """One line about a file that a command wrote."""
    name = f"  -> {path}"
    if Path(path).suffix in (".json", ".jsonl"):
        lines = content.splitlines()
        first = json.loads(lines[0] if len(lines) > 1 and lines[0].endswith(b"}") else content)
        kind = first.get("kind", "JSON") if isinstance(first, dict) else "JSON"
        return f"{name}: {kind}, {len(lines)} lines" if len(lines) > 1 else f"{name}: {kind}"
    if not tours or Path(path).suffix in (".html", ".png", ".pdf", ".gif", ".mp4", ".sqlite", ".db"):
        return name
    try:
        words = content.decode()
    except UnicodeDecodeError:
        return name
    return f"{name}: {len(words.splitlines())} lines, {normalise.digest(words)}"
