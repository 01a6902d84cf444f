"""A ladder of sizes under a time limit: how far each command goes beyond it, measured by hand.

`python -m tests.chaos.ladder [SECONDS [WORD ...]]` prints a row for each command that has all the words. A row has the
time on the clock, and the processor time, which a busy machine does not lengthen; commands run on one worker where they
take that option. What may be late is 10 % and 2 seconds (`allowed`).
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.processes import KT, environment

SIDES = (300, 1000, 2000, 5000)
LOADING = 1.0
"""Seconds of processor time in which the program and its libraries are loaded."""
COMMANDS = [
    *(f"solve {n}x{n} --workers 1" for n in SIDES),
    *(f"solve {n}x{n} --open --workers 1" for n in SIDES),
    *(f"solve {n}x{n} --minimize turns --workers 1" for n in (100, 300, 1000, 2000)),
    *(f"solve {n}x{n} --minimize crossings --workers 1" for n in (100, 300, 1000, 2000)),
    *(f"solve {n}x{n} --symmetry rot180 --workers 1" for n in (100, 300, 1000)),
    *(f"solve {n}x{n} --require a1-b3 --workers 1" for n in (300, 1000)),
    *(f"solve {n}x{n} --open --from a1 --workers 1" for n in (300, 1000)),
    *(f"solve {engine} --workers 1" for engine in ("200x200 --engine sat", "150x150 --engine cpsat")),
    *(f"solve {board} --workers 1" for board in ("200x200x200", "aztec:2000", "torus:2000x2000")),
    *(f"find {n}x{n} --minimize turns --workers 1" for n in (300, 1000, 2000)),
    *(f"find 1000x1000 --method {name}" for name in ("merge", "warnsdorff", "euler", "random-walk", "formation")),
    *(f"find 500x500 --method {name}" for name in ("path-conversion", "edge-deletion", "random-greedy")),
    *(f"bound {n}x{n} --minimize {metric}" for n in (50, 300, 1000) for metric in ("turns", "crossings")),
    *(f"bound 50x50 --minimize turns --method {name}" for name in ("relaxation", "family", "regions")),
    *(f"bound 14x14 --minimize crossings --method {name}" for name in ("bands", "belt", "regions")),
    *(f"longest {n}x{n}" for n in (8, 12, 30)),
    *(f"magic {n}x{n}" for n in (8, 20)),
    *(f"enumerate {words}" for words in ("8x8 --count", "20x20 --count", "8x8", "6x6 --count --by turns")),
    *(f"best {n}x{n}" for n in (40, 300)),
    "compare 40x40 --minimize turns",
    "aztec 30",
    "improve {tour} --minimize turns --workers 1 -o {folder}/better.json",
    "check {tour}",
]
"""`{tour}` is a file with a tour of 1000x1000."""


@dataclass(frozen=True)
class Rung:
    """What a command took, in seconds."""

    command: str
    status: int
    clock: float
    processor: float

    def late(self, limit: float) -> bool:
        """Whether it went further beyond the limit than it may, by processor time."""
        return self.processor > allowed(limit) + LOADING


def allowed(limit: float) -> float:
    """Seconds that a command may take."""
    return 1.1 * limit + 2


def climbed(command: str, limit: float, folder: Path) -> Rung:
    """Run a command under a limit."""
    words = [word.format(folder=folder, tour=folder / "tour.json") for word in command.split()]
    began = time.monotonic()
    process = subprocess.Popen(
        [*KT, *words, "--time-limit", str(limit)],
        env=environment(),
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, state, used = os.wait4(process.pid, 0)
    return Rung(command, os.waitstatus_to_exitcode(state), time.monotonic() - began, used.ru_utime + used.ru_stime)


def ladder(limit: float = 1.0, words: tuple[str, ...] = ()) -> Iterator[Rung]:
    """Every command that has all the words, one after the other."""
    with tempfile.TemporaryDirectory() as folder:
        chosen = [command for command in COMMANDS if all(word in command for word in words)]
        if any("{tour}" in command for command in chosen):
            subprocess.run([*KT, "find", "1000x1000", "-q", "-o", f"{folder}/tour.json"], env=environment(), check=True)
        for command in chosen:
            yield climbed(command, limit, Path(folder))


def main(limit: float = 1.0, *words: str) -> int:
    """Print the ladder as a table; the number of late commands."""
    late = 0
    print(f"| command, --time-limit {limit:g} | status | clock (s) | processor (s) | |")
    print("| --- | ---: | ---: | ---: | --- |")
    for rung in ladder(limit, words):
        late += rung.late(limit)
        mark = "late" if rung.late(limit) else ""
        print(f"| `{rung.command}` | {rung.status} | {rung.clock:.1f} | {rung.processor:.1f} | {mark} |", flush=True)
    return late


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]) if sys.argv[1:] else 1.0, *sys.argv[2:]) > 0)
