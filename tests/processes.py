"""Commands in processes of their own, and waiting for what they do.

A test waits for a condition. Seconds are a safety net only, many times what a slow machine needs: no outcome depends
on the clock or on what else the machine has to do.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parent.parent
KT = [sys.executable, "-m", "kt"]
PATIENCE = 250.0
"""Seconds that nothing here comes near to: a little less than pytest gives a test."""

ENTRY = "from cli import run; run()"
"""What the `kt` script does."""
WORKING = """
import importlib, sys
module, name = sys.argv.pop(1).split(":")
place = importlib.import_module(module)
work = getattr(place, name)

def announced(*arguments, **options):
    setattr(place, name, work)
    print("working", file=sys.stderr, flush=True)
    return work(*arguments, **options)

setattr(place, name, announced)
from cli import run
run()
"""
"""The same; it says so on stderr when a function, `module:name`, is called for the first time."""
HELD = "import os, signal" + WORKING.replace("return work(", "os.kill(os.getpid(), signal.SIGSTOP)\n    return work(")
"""And it stands still then, until it is told to go on."""


def until(true: Callable[[], object], seconds: float = PATIENCE) -> None:
    """Wait for a condition."""
    ends = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < ends, "it does not come"
        time.sleep(0.02)


def environment(**more: str) -> dict[str, str]:
    """The variables of this process, with this checkout as the place of its packages, wherever a command is run."""
    path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    return {**os.environ, "PYTHONPATH": path, **more}


def started(*words: object, **options: object) -> subprocess.Popen[str]:
    """A `kt` command in a process of its own, with pipes."""
    return _opened([*KT, *map(str, words)], **options)


def at_work(function: str, *words: object, **options: object) -> subprocess.Popen[str]:
    """A `kt` command in a process of its own, as soon as it calls a function (`module:name`) for the first time."""
    process = _opened([sys.executable, "-c", WORKING, function, *map(str, words)], **options)
    assert process.stderr is not None
    first = process.stderr.readline()
    assert first == "working\n", first + process.stderr.read()
    return process


def _opened(words: list[str], **options: object) -> subprocess.Popen[str]:
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "env": environment()}
    return subprocess.Popen(words, **{**pipes, **options})  # type: ignore[call-overload,no-any-return]


def running(pid: int) -> bool:
    """Whether a process is there and not a zombie."""
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True).stdout
    return bool(state.strip()) and not state.startswith("Z")


def descendants(pid: int) -> list[int]:
    """The processes that a process has started, and those that they have."""
    lines = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, text=True, check=True).stdout.splitlines()
    pairs = [tuple(map(int, line.split())) for line in lines]
    family = [pid]
    for member in family:
        family += [child for child, parent in pairs if parent == member]
    return family[1:]


class StopAfter:
    """A stop that comes when it is looked at for the n-th time, whatever the clock says."""

    def __init__(self, looks: int) -> None:
        self.looks = looks
        self.seen = 0

    def is_set(self) -> bool:
        """Whether to end."""
        self.seen += 1
        return self.seen > self.looks
