"""Small limits of the system on open files, memory, processes and processor time: one clear line, or the answer."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

from tests.chaos.program import Ending, ended, whole_files

LINES = [
    ["solve", "6x6", "-o", "out.json"],
    ["solve", "8x8", "--minimize", "turns", "--no-best", "--time-limit", "20", "--json"],
    ["find", "60x60", "-o", "out.json"],
    ["bound", "8x8", "--minimize", "turns", "--json", "--certificate", "out.json"],
    ["bound", "6x6", "--at-least", "32", "--cubes", "6", "--workers", "2", "--run", "run"],
    ["enumerate", "6x6", "--count", "--by", "turns"],
    ["enumerate", "6x6", "--by", "turns", "--value", "34", "--cubes", "8", "--workers", "2", "--run", "run"],
    ["search", "heel", "--minimize", "turns"],
    ["aztec", "1..4", "--workers", "2", "--ledger", "out.json"],
    ["draw", "8x8", "-o", "out.png"],
    ["convert", "8x8", "out.cnf"],
    ["compare", "5x6", "--minimize", "turns", "--tries", "1", "--proof", "0", "--workers", "2"],
]
MEGABYTE = 2**20
SMALL: dict[str, list[int]] = {
    "NOFILE": [*range(4, 40, 3), 64],
    "AS": [size * MEGABYTE for size in (200, 300, 400, 600, 800, 1200, 2000, 4000)],
    "DATA": [size * MEGABYTE for size in (50, 100, 150, 200, 300, 400, 600, 1000)],
    "CPU": [1, 2, 3],
    "STACK": [size * 2**10 for size in (256, 1024, 4096)],
    "NPROC": [1, 2, 3, 5, 8, 20],
}
"""What `ulimit -n`, `-v`, `-d`, `-t`, `-s` and `-u` bound, and small values of it."""
AS_NOBODY = ["setpriv", "--reuid=65534", "--clear-groups"]
AS_NOBODY += [f"--{kind}-caps=+dac_override,+dac_read_search" for kind in ("inh", "ambient")]
"""Root has no limit on processes; so this is another user, who may read and write what root may."""


def limited(name: str, value: int, line: list[str], folder: Path) -> Ending:
    """Run a command whose process gets a limit before kt is loaded."""
    most = value + 20 if name == "CPU" else value  # The soft limit sends SIGXCPU; the hard one would kill
    before = f"import os, resource, sys\nresource.setrlimit(resource.RLIMIT_{name}, ({value}, {most}))\n"
    before += "os.execv(sys.executable, [sys.executable, '-m', 'kt', *sys.argv[1:]])"
    prefix = AS_NOBODY if name == "NPROC" and os.geteuid() == 0 else []
    return ended(line, folder, before=before, prefix=prefix)


def judged(ending: Ending, folder: Path) -> str:
    """Require an answer, what there was when time was up, or one clear line."""
    ending.foreseen(0, 2, 3)
    if ending.status == 2:
        ending.require(ending.err.count("kt: ") == 1, "not one line")
    whole_files(folder)
    return {0: "answered", 2: "refused", 3: "stopped"}[ending.status]


def trial(choose: Random, work: Path) -> str:
    """A random command under a random limit."""
    (folder := work / "work").mkdir()
    name = choose.choice(list(SMALL))
    value, line = choose.choice(SMALL[name]), choose.choice(LINES)
    try:
        return f"{name} {judged(limited(name, value, line, folder), folder)}"
    except AssertionError as error:
        raise AssertionError(f"RLIMIT_{name} {value}: {error}") from None
