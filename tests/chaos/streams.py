"""Standard streams that are closed, full, not read, or gone: files and exit status are as with open streams.

Where standard output cannot take what has to be said, a command ends with 2 (full) or 3 (nobody reads it), and its
files are what they would be.
"""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

from tests.chaos.program import NOISE, Ending, ended, program
from tests.chaos.signals import LONG, judged, prepare
from tests.processes import ENTRY, environment

LINES = [
    "solve 5x6 --workers 1 -o out.json",
    "solve 4x6 -o out.json",
    "solve 4x4x",
    "find 30x30 -o out.json",
    "find 30x30 -o out.svg",
    "improve tour.json --minimize turns --time-limit 2 --workers 1 -o out.json",
    "best 6x6 -o out.json",
    "pareto 5x6 -o out.json",
    "table 5x6 --seconds 3",
    "compare 5x6 --minimize turns --tries 1 --proof 0 --workers 1",
    "longest 5x5 --open -o out.json",
    "magic 5x5 --open",
    "puzzle 5x5 --open --leaper king --seed 1 -o out.json",
    "bound 5x6 --certificate out.json",
    "bound 6x6 --at-least 32 --method branching --state state.json",
    "enumerate 5x6",
    "enumerate 5x6 -o out.jsonl",
    "enumerate 5x6 --count --json",
    "enumerate 5x6 --cubes 4 --run run",
    "runs status run",
    "aztec 1..3 --ledger ledger.json",
    "search heel --minimize turns -o out.json",
    "check tour.json",
    "check wrong.json",
    "check -",
    "measure tour.json",
    "show tour.json",
    "experiment tour-types 6x6 --tours 20",
    "draw tour.json -o out.svg",
    "draw tour.json -o out.png",
    "convert tour.json out.tour",
    "convert 6x6 -",
    "doctor --quick",
    "completion bash",
    "solve --help",
    "--version",
    "",
]
"""A quick command line or more for each command; `explore` has none, as it runs until it is stopped."""
INPUT = ["", "<&-", "< /dev/null"]
OUTPUT = ["", ">&-", "> /dev/full"]
ERRORS = ["", "2>&-", "2> /dev/full"]
SHUT = [" ".join(filter(None, way)) for way in product(INPUT, OUTPUT, ERRORS)]
"""Every combination of redirections of a shell."""
GONE = "| :"
"""A reader that is gone before anything is written."""


def made_inputs(line: str, work: Path) -> None:
    """Write what a line reads."""
    prepare(line.split(), work)
    tour: dict[str, Any] = {"version": 2, "kind": "tour", "board": "3x3", "leaper": "1,2", "closed": True}
    (work / "wrong.json").write_text(json.dumps(tour | {"tour": [[0, 0], [1, 2], [2, 1]]}))
    if line == "runs status run":
        ended(["enumerate", "5x6", "--cubes", "4", "--workers", "1", "--run", "run"], work).foreseen(0)


def in_shell(line: str, redirections: str, work: Path) -> Ending:
    """A `kt` command in a shell that closes or redirects its streams."""
    command = f"{sys.executable} -c '{ENTRY}' {line} {redirections}"
    if redirections.startswith("|"):  # Of its status, not of the reader's
        command = f"({command.split(' |')[0]}; echo $? > ../status) {redirections}"
    done = subprocess.run(
        command, shell=True, cwd=work, env=environment(), capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    status = done.returncode
    if redirections.startswith("|"):
        status = int((work.parent / "status").read_text())
    return Ending(f"{line} {redirections}", status, done.stdout, done.stderr)


TOLD = ("kind", "status", "value", "bound", "count", "turns", "radius", "board")
"""What documents of one command have in common, however long each solver took."""


def files(work: Path) -> dict[str, object]:
    """Name of each file, and what its document says; of databases only that they are there."""
    found: dict[str, object] = {}
    for path in sorted(work.rglob("*")):
        content: object = path.is_file() and path.stat().st_size > 0
        if path.suffix == ".json" and path.is_file():
            document = json.loads(path.read_text())
            content = {key: document.get(key) for key in TOLD}
        found[str(path.relative_to(work))] = content
    return found


@cache
def as_usual(line: str) -> tuple[Ending, dict[str, object]]:
    """How a command ends with open streams, and its files."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder) / "work"
        work.mkdir()
        made_inputs(line, work)
        ending = in_shell(line, "", work)
        ending.foreseen()
        return ending, files(work)


def shut(line: str, redirections: str, work: Path) -> str:
    """Run a command with its streams redirected, and compare."""
    usual, written = as_usual(line)
    made_inputs(line, work)
    ending = in_shell(line, redirections, work)
    for word in NOISE:
        ending.require(word not in ending.err, f"{word!r} on stderr")
    printed = bool(usual.out)
    allowed = {usual.status}
    if printed and "> /dev/full" in redirections.replace("2> /dev/full", ""):
        allowed = {2}
        ending.require(
            "2>" in redirections or ending.last == "kt: standard output: cannot write: no space left on device",
            "the reason is not told",
        )
    if printed and redirections == GONE:
        allowed.add(3)
    if "<" in redirections and "check -" in line:
        allowed |= {2}
    ending.require(ending.status in allowed, f"not the exit status {usual.status}")
    if ending.status == usual.status or not {"-", "enumerate 5x6"} & {line[-1:], line}:
        ending.require(files(work) == written, f"other files than {sorted(written)}: {sorted(files(work))}")
    return "as usual" if ending.status == usual.status else "output lost"


def lost_terminal(line: list[str], work: Path, *, delay: float = 0.0, at: str = "", patience: float = 15.0) -> str:
    """The terminal closes: SIGHUP comes to all, and nothing can be written to it any more."""
    prepare(line, work)
    ours, theirs = pty.openpty()
    try:
        with program(line, work, at=at, streams={"stdin": theirs, "stdout": theirs}) as made:
            os.close(theirs)
            sent = made.pause(0 if at else delay)
            os.close(ours)
            ours = -1
            made.send(signal.SIGHUP, everyone=True)
            ending = made.wait(patience)
    finally:
        if ours >= 0:
            with suppress(OSError):
                os.close(ours)
    return judged(ending, signal.SIGHUP if sent else None, work, f"terminal lost after {delay:.2f} s")


def trial(choose: Random, work: Path) -> str:
    """A random command, and what happens to its streams."""
    work = work / "work"
    work.mkdir()
    if choose.random() < 0.15:
        lost_terminal(choose.choice(LONG), work, delay=choose.uniform(0, 6))
        return "terminal lost"
    return shut(choose.choice(LINES), choose.choice([*SHUT, GONE]), work)
