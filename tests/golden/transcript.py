"""Transcripts: commands and what came of them.

A line `$ kt ...` is a command, a line `# ...` a remark, everything else is what came out when the commands were run,
one after the other, in a folder that holds the files of `inputs`, and `docs` and `heuristics` of the checkout.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import re
import shlex
import shutil
import sqlite3
import tempfile
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from click.testing import CliRunner

from cli.main import main
from tests.golden import normalise
from tests.golden.normalise import ROOT

HERE = Path(__file__).parent
TRANSCRIPTS = HERE / "transcripts"
INPUTS = HERE / "inputs"
SAMPLES = HERE / "samples"
LINKED = {"docs": "docs", "heuristics": "heuristics", "results": "heuristics/delivered/results"}
"""Folders of the checkout that commands read."""
SURE = frozenset({"find", "measure", "convert", "draw", "check", "aztec", "experiment", "best"})
"""Commands of which it is sure which tour they give: without a solver, the same seed gives the same tour."""
RACES = frozenset({"solve", "improve", "magic", "pareto"})
"""Commands in which engines run beside each other."""
PAGE_DATA = re.compile(rb'<script type="application/json" id="data">(.*?)</script>', re.DOTALL)
"""What a page shows, in a page."""
FOLD = textwrap.TextWrapper(118, "  ", "   ", break_long_words=False, break_on_hyphens=False)
"""How a JSON object is written in several lines."""


def commands_in(recorded: str) -> list[str]:
    """The command lines of a transcript, without the dollar."""
    return [line[2:] for line in recorded.splitlines() if line.startswith("$ ")]


def renewed(recorded: str) -> str:
    """The transcript with what comes out now.

    A command with `?` below it is left as it is: it takes hours, or nobody has waited for it yet.
    """
    blocks = []
    with in_folder():
        lines = recorded.splitlines()
        for line, below in zip(lines, [*lines[1:], ""], strict=True):
            if line.startswith("$ ") and below == "?":
                blocks.append(f"{line}\n?")
            elif line.startswith("$ "):
                blocks.append("\n".join([line, *_answer(shlex.split(line[2:], comments=True))]))
            elif line.startswith("# "):
                blocks.append(line)
    return "\n\n".join(blocks) + "\n"


@contextlib.contextmanager
def in_folder() -> Iterator[None]:
    """Work in a new folder with the inputs."""
    before, environment = Path.cwd(), dict(os.environ)
    with tempfile.TemporaryDirectory() as folder:
        for path in INPUTS.iterdir():
            shutil.copy(path, folder)
        for name, to in LINKED.items():
            Path(folder, name).symlink_to(ROOT / to)
        Path(folder, "images", "gallery").mkdir(parents=True)
        _place_samples(Path(folder, "samples"))
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


def _place_samples(folder: Path) -> None:
    """Copy the samples; databases and binary files are stored as text."""
    shutil.copytree(SAMPLES, folder)
    for script in folder.glob("*/ledger.sql"):
        with contextlib.closing(sqlite3.connect(script.with_name("ledger.sqlite"))) as ledger:
            ledger.executescript(script.read_text())
        script.unlink()
    for encoded in folder.rglob("*.base64"):
        encoded.with_suffix("").write_bytes(base64.b64decode(encoded.read_text()))
        encoded.unlink()


def _answer(words: list[str]) -> Iterator[str]:
    """What a command answers in words, and, where it can, as JSON; and the files that it writes."""
    assert words[0] == "kt", words
    arguments = words[1:]
    tours = arguments[:1] != [] and arguments[0] in SURE
    chance = arguments[:1] != [] and arguments[0] in RACES
    before = _files()
    runner, as_kt = CliRunner(), {"prog_name": "kt"}
    answer = runner.invoke(main, arguments, **as_kt)
    yield f"exit {answer.exit_code}"
    if answer.exception is not None and not isinstance(answer.exception, SystemExit):
        yield f"raised {answer.exception!r}"
    spoken, objects = _parted(answer.stdout)
    lines = normalise.text(spoken, tours, chance)
    yield from (line and f"  {line}" for line in lines.splitlines())
    yield from _lines(objects, tours, chance=chance)
    yield from (f"! {line}" for line in normalise.text(answer.stderr, tours).splitlines())
    after = _files()
    for path in sorted(after):
        if before.get(path) != after[path]:
            yield _written(path, after[path], tours)
    if "--json" not in arguments and answer.exit_code != 2 and _takes_json(arguments):
        again = runner.invoke(main, [*arguments, "--json"], **as_kt)
        if again.exit_code != answer.exit_code:
            yield f"exit {again.exit_code} with --json"
        yield from _lines(_parted(again.stdout)[1], tours, lines, chance)
        if again.stderr != answer.stderr:
            yield from (f"! {line}" for line in normalise.text(again.stderr, tours).splitlines())


def _parted(output: str) -> tuple[str, list[dict[str, Any]]]:
    """The lines of text, and the JSON objects."""
    lines = output.splitlines()
    words = [line for line in lines if not line.startswith('{"')]
    return "\n".join(words), [json.loads(line) for line in lines if line.startswith('{"')]


def _lines(objects: list[dict[str, Any]], tours: bool, above: str = "", chance: bool = False) -> Iterator[str]:
    """JSON objects without what varies."""
    if len(objects) > 3:  # A list of tours, each with the same keys
        kept = [data for data in objects if data.get("kind") != "tour"]
        listed = [data for data in objects if data.get("kind") == "tour"]
        yield f"  {len(listed)} tours, each with {' '.join(sorted({key for data in listed for key in data}))}"
        objects = kept
    for data in objects:
        line = json.dumps(normalise.normal(data, tours, above, chance=chance), ensure_ascii=False, sort_keys=True)
        yield from FOLD.wrap(line)


def unfolded(recorded: str) -> Iterator[str | dict[str, Any]]:
    """The lines of a transcript, and its JSON objects."""
    folded = ""
    for line in recorded.splitlines():
        folded = f"{folded} {line.strip()}".strip() if folded or line.startswith('  {"') else ""
        try:
            yield json.loads(folded) if folded else line
        except ValueError:
            continue
        folded = ""


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
        if path.is_file() and path.parts[0] not in LINKED and not path.name.endswith(("-shm", "-wal"))
    }


def _written(path: str, content: bytes, tours: bool) -> str:
    """One line about a file that a command wrote."""
    name = f"  -> {path}"
    if Path(path).suffix in (".json", ".jsonl"):
        lines = content.splitlines()
        first = json.loads(lines[0] if len(lines) > 1 and lines[0].endswith(b"}") else content)
        kind = first.get("kind", "JSON") if isinstance(first, dict) else "JSON"
        return f"{name}: {kind}, {len(lines)} lines" if len(lines) > 1 else f"{name}: {kind}"
    if tours and (page := PAGE_DATA.search(content)):
        return f"{name}: page, {normalise.digest(page[1].decode())}"
    if not tours or Path(path).suffix in (".html", ".png", ".pdf", ".gif", ".mp4", ".sqlite", ".db"):
        return name
    try:
        words = content.decode()
    except UnicodeDecodeError:
        return name
    return f"{name}: {len(words.splitlines())} lines, {normalise.digest(words)}"
