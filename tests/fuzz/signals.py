"""Signals at random moments of every long command, through the real process.

After SIGINT, SIGTERM, SIGHUP or SIGXCPU a command ends within `PATIENCE` seconds, exit status 0 or 3, no traceback,
and with `--json` one whole object on stdout (or none, where the signal came before the program had started).  After
SIGKILL nothing it wrote is half written.
"""

from __future__ import annotations

import json
import random
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

from tests.fuzz.watch import ENTRY
from tests.processes import WORKING, environment, until

PATIENCE = 15.0
SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGXCPU, signal.SIGKILL]
LATEST = 6.0
"""Seconds after which the signal has come."""
LONG = [
    ["solve", "10x10", "--minimize", "crossings", "--json", "-o", "out.json"],
    ["solve", "12x12", "--minimize", "turns", "--no-best", "--json"],
    ["solve", "8x8", "--minimize", "turns", "--no-best", "--json", "--proof", "proof"],
    ["solve", "14x14", "--symmetry", "rot90", "--json", "--engine", "sat"],
    ["find", "300x300", "--json", "-o", "out.json"],
    ["find", "60x60", "--method", "path-conversion", "--json"],
    ["bound", "40x40", "--metric", "turns", "--method", "relaxation", "--json", "--certificate", "out.json"],
    ["bound", "12x12", "--metric", "turns", "--at-least", "77", "--json"],
    ["enumerate", "6x8", "--json", "-o", "out.jsonl"],
    ["enumerate", "8x8", "--minimize", "turns", "--run", "run", "--json"],
    ["enumerate", "7x8", "--count", "--json"],
    ["search", "heel", "--minimize", "turns", "--at-most", "24", "--all", "--json"],
    ["search", "strip", "--minimize", "crossings", "--json"],
    ["aztec", "1..12", "--json", "--ledger", "out.json"],
    ["bench", "--json"],
    ["longest", "9x9", "--open", "--uncrossed", "--json", "-o", "out.json"],
    ["magic", "8x8", "--open", "--json", "-o", "out.json"],
    ["compare", "8x8..12x12", "--metric", "turns", "--workers", "1", "--json"],
    ["experiment", "tour-types", "6x6", "--tours", "1000", "--json"],
]
"""One command line or more for each command that may take long."""


def one(
    line: list[str], number: signal.Signals, delay: float, folder: Path, at: str = "", patience: float = PATIENCE
) -> str:
    """Start a command in an empty folder, send it a signal, and judge how it ended.

    Parameters
    ----------
    delay
        Seconds from the start to the signal.
    at
        A function, `module:name`: the signal is sent as soon as it is called, whatever the delay.
    patience
        Seconds in which it has to end.

    Returns
    -------
    str
        `finished` before the signal, `stopped` with an answer, `unstarted` or `killed`.

    Raises
    ------
    AssertionError
        If it did not end as it should.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    what = f"{' '.join(line)} after {delay:.2f} s of {number.name}"
    said, wrong = folder / "stdout", folder / "stderr"  # files, as a pipe that nobody reads would hold it up
    with said.open("w") as stdout, wrong.open("w") as stderr:
        program = [WORKING, at] if at else [ENTRY]
        process = subprocess.Popen(
            [sys.executable, "-c", *program, *line], cwd=folder, env=environment(), stdout=stdout, stderr=stderr
        )
        if at:
            until(lambda: process.poll() is not None or wrong.stat().st_size)
        else:
            with suppress(subprocess.TimeoutExpired):
                process.wait(delay)
        sent = process.poll() is None
        if sent:
            process.send_signal(number)
        try:
            process.wait(patience)
        except subprocess.TimeoutExpired:
            process.kill()
            raise AssertionError(f"{what}: still there {patience} s later") from None
    output, errors = said.read_text(), wrong.read_text()
    if sent and "Traceback" in errors and ", in run\n" not in errors:
        return "unstarted"  # `run` had not been called yet
    assert "Traceback" not in errors, f"{what}: {errors}"
    for path in folder.rglob("*.json"):
        json.loads(path.read_text())
    if sent and number == signal.SIGKILL:
        return "killed"
    # before the program has started and after it has answered, the signal does what it does to any process
    assert process.returncode in (0, 3) or (sent and process.returncode == -number), (
        f"{what}: exit status {process.returncode}: {errors}"
    )
    if output:
        assert output.count("\n") == 1, f"{what}: {output!r}"
        json.loads(output)
    return "finished" if not sent else "stopped" if output else "unstarted"


def signals(folder: Path, rounds: int, seed: int = 0) -> Counter[str]:
    """So many random commands, signals and moments.

    Returns
    -------
    Counter
        How they ended.
    """
    choose = random.Random(seed)
    endings: Counter[str] = Counter()
    started = time.monotonic()
    for turn in range(rounds):
        number = choose.choice(SIGNALS)
        endings[one(choose.choice(LONG), number, choose.uniform(0, LATEST), folder / "work")] += 1
        if turn % 20 == 19:
            print(
                f"{turn + 1} rounds in {time.monotonic() - started:.0f} s: {dict(endings)}", file=sys.stderr, flush=True
            )
    return endings
