"""Lists of graphs, whole commands, start-up included: kt beside a former version of it, and beside a plain Python loop.

    python -m benchmarks.lists
    python -m benchmarks.lists --older FOLDER --ten

The lists are those of nauty's geng, which has to be installed: connected graphs of 8 and 9 vertices, cubic graphs of 16
and 18. With `--ten` come the 11,716,571 connected graphs of 10 vertices, through a pipe. `FOLDER` is a checkout of the
former version; it and the loop get a sample of a list only, and both have their rates. Given are wall-clock and
processor seconds, the latter with the reading of the pipe, and graphs a second of processor time. Wall-clock seconds
mean something only on a machine without other work. `--once` is for machines without the loops in their cache: by
default the first command, which fills it, is not measured.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

LISTS = {
    "8 vertices": ("-c", "8"),
    "9 vertices": ("-c", "9"),
    "cubic, 16": ("-c", "-d3", "-D3", "16"),
    "cubic, 18": ("-c", "-d3", "-D3", "18"),
}
"""Arguments of geng."""
TARGETS = {"9 vertices": 1.5, "cubic, 18": 1.5, "10 vertices": 40.0}
"""Seconds that issue 72 asks for, for status lines."""
FEW = 2000
"""About so many graphs of a list, at equal distances in it, do the former version and the loop get."""
LOOP = """
import sys

def cycle(n, near):
    if n < 3 or min(map(len, near)) < 2:
        return None
    path, left = [0], [iter(near[0])]
    seen = 1
    while path:
        for v in left[-1]:
            if not seen >> v & 1:
                path.append(v)
                left.append(iter(near[v]))
                seen |= 1 << v
                break
        else:
            seen ^= 1 << path.pop()
            left.pop()
            continue
        if len(path) == n:
            if 0 in near[v]:
                return path
            seen ^= 1 << path.pop()
            left.pop()

for line in open(sys.argv[1], "rb"):
    n, near, bits = line[0] - 63, [], ((line[1 + k // 6] - 63) >> 5 - k % 6 & 1 for k in range(10**6))
    near = [[] for _ in range(n)]
    for j in range(1, n):
        for i in range(j):
            if next(bits):
                near[i].append(j)
                near[j].append(i)
    print("feasible" if cycle(n, near) else "infeasible")
"""
"""Backtracking in plain Python, without any pruning but degrees."""


def geng() -> str:
    """The program of nauty."""
    found = shutil.which("geng") or shutil.which("nauty-geng")
    if found is None:
        sys.exit("geng of nauty is not installed: apt install nauty")
    return found


def seconds(command: list[str], where: Path | None = None, before: list[str] | None = None) -> tuple[float, float, str]:
    """Wall-clock and processor seconds of a command, behind a pipe from another one, and the last line of its words."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    if where is not None:
        environment["PYTHONPATH"] = str(where)
    used, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    source = None if before is None else subprocess.Popen(before, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    done = subprocess.run(
        command,
        cwd=where,
        env=environment,
        stdin=subprocess.DEVNULL if source is None else source.stdout,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    if source is not None:
        source.wait()
    wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - used.ru_utime - used.ru_stime
    return wall, processor, (done.stderr.strip().splitlines() or [""])[-1]


def row(name: str, way: str, graphs: int, measured: tuple[float, float, str], target: float | None = None) -> None:
    wall, processor, words = measured
    rate = graphs / max(processor, 1e-9)
    asked = "" if target is None else f"  (asked: {target:g} s)"
    print(
        f"{name:<12} {way:<22} {graphs:>10,} {wall:>8.2f} {processor:>8.2f} {rate:>11,.0f}  {words}{asked}", flush=True
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--older", type=Path, help="a checkout of a former version")
    parser.add_argument("--ten", action="store_true", help="also all connected graphs of ten vertices")
    parser.add_argument("--once", action="store_true", help="measure the first command, too")
    options = parser.parse_args()
    kt = [sys.executable, "-m", "kt", "solve"]
    print(f"{'list':<12} {'by':<22} {'graphs':>10} {'wall':>8} {'cpu':>8} {'graphs/s':>11}")
    with tempfile.TemporaryDirectory() as folder:
        for name, arguments in LISTS.items():
            path, few = Path(folder) / "list.g6", Path(folder) / "few.g6"
            with path.open("wb") as stream:
                subprocess.run([geng(), "-q", *arguments], stdout=stream, check=True)
            lines = path.read_bytes().splitlines(keepends=True)
            few.write_bytes(b"".join(lines[:: -(-len(lines) // FEW)]))
            ways = {
                "kt": [],
                "kt --json": ["--json"],
                "kt --only, graph6": ["--only", "infeasible", "--as", "graph6"],
                "kt --open": ["--open"],
            }
            for way, words in ways.items():
                if not options.once:
                    seconds([*kt, str(few), *words])
                row(
                    name,
                    way,
                    len(lines),
                    seconds([*kt, str(path), *words]),
                    TARGETS.get(name) if way == "kt" else None,
                )
            (Path(folder) / "loop.py").write_text(LOOP)
            start = len(few.read_bytes().splitlines())
            row(name, "plain Python", start, seconds([sys.executable, str(Path(folder) / "loop.py"), str(few)]))
            if options.older is not None:
                row(name, "former kt", start, seconds([*kt, str(few)], options.older))
        if options.ten:
            measured = seconds([*kt, "-"], before=[geng(), "-q", "-c", "10"])
            row("10 vertices", "geng | kt, and geng", 11_716_571, measured, TARGETS["10 vertices"])


if __name__ == "__main__":
    main()
