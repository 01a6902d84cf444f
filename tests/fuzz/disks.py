"""Full disks and read-only folders: one clear line, nothing half written, nothing lost that was there before."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.fuzz.watch import ENTRY

WRITERS = [
    ["solve", "6x6", "-o", "{}/out.json"],
    ["solve", "6x6", "-o", "{}/out.tour"],
    ["solve", "6x6", "--minimize", "turns", "--proof", "{}/proof"],
    ["find", "60x60", "-o", "{}/out.json"],
    ["bound", "20x20", "--metric", "turns", "--method", "relaxation", "--certificate", "{}/out.json"],
    ["bound", "10x10", "--metric", "turns", "--at-least", "60", "--state", "{}/state.json"],
    ["enumerate", "6x6", "-o", "{}/out.jsonl"],
    ["enumerate", "6x6", "--run", "{}/run"],
    ["search", "heel", "--minimize", "turns", "-o", "{}/heel.json"],
    ["aztec", "1..6", "--ledger", "{}/ledger.json"],
    ["experiment", "random-graphs", "--graphs", "3", "--table", "1", "--rows", "3", "--state", "{}/state.json"],
    ["draw", "8x8", "-o", "{}/out.svg"],
    ["draw", "8x8", "-o", "{}/out.png"],
    ["convert", "8x8", "{}/out.cnf"],
    ["convert", "8x8", "{}/out.hcp"],
]
"""A command line or more for each command that writes; `{}` is the folder."""


@contextmanager
def mounted(folder: Path, options: str) -> Iterator[Path]:
    """A file system of its own in memory, with these mount options; needs root.

    Raises
    ------
    PermissionError
        Where mounting is not allowed.
    """
    folder.mkdir(exist_ok=True)
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", options, "kt-fuzz", str(folder)], capture_output=True, text=True
    )
    if made.returncode:
        raise PermissionError(made.stderr.strip())
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def written_to(folder: Path, line: list[str]) -> str:
    """Run a command that writes into a folder that takes no more, and judge how it ended.

    Returns
    -------
    str
        `refused` or, where everything found room, `fitted`.
    """
    words = [word.replace("{}", str(folder)) for word in line]
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run(
        [sys.executable, "-c", ENTRY, *words], capture_output=True, text=True, timeout=120, env=environment
    )
    what = " ".join(line)
    assert "Traceback" not in done.stderr and "internal error" not in done.stderr, f"{what}: {done.stderr}"
    assert done.returncode in (0, 2, 3), f"{what}: exit status {done.returncode}: {done.stderr}"
    for path in folder.rglob("*.json"):
        json.loads(path.read_text())
    if done.returncode == 2:
        assert done.stderr.strip().split("\n")[-1].startswith("kt: "), f"{what}: {done.stderr}"
        return "refused"
    return "fitted"


def disks(folder: Path) -> dict[str, Counter[str]]:
    """Every writer into a read-only folder, a full disk, and one with very little room."""
    endings: dict[str, Counter[str]] = {}
    for name, options in (
        ("read-only", "ro"),
        ("full", "size=4k,nr_inodes=4"),
        ("nearly full", "size=24k,nr_inodes=40"),
    ):
        for line in WRITERS:
            with mounted(folder / "disk", options) as place:
                ending = written_to(place, line)
                assert name != "read-only" or ending == "refused", f"{' '.join(line)}: wrote to a read-only folder?"
                endings.setdefault(name, Counter())[ending] += 1
    return endings
