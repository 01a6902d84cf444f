"""What kt has after 1, 2, 5, 10 and 20 s: this checkout beside an older kt.

    python -m benchmarks.anytime kt-0.1.0-py3-none-any.whl -o anytime.json
    python -m benchmarks.anytime v0.1.0 --only bound --only magic --rounds 1 -o anytime.json

Each command is run by both, by turns, with each time limit; problems are solved without the delivered tours. A run has
a gap, from 0 to 1. Of a problem it is how far the certified bound is below the value, as a share of the value; of a
bound, how far it is below the wanted one; of a gadget, how far its turns are above the fewest known; and of a magic
tour, 1 until there is one. Without an answer it is 1. The area under the curve of a command is the mean of the medians
of its gaps over the limits. What was measured is kept in the file: stop it with Ctrl-C, and run it again to go on.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.against import Side, sides_of
from kt_models.writing import write_atomic

LIMITS = (1, 2, 5, 10, 20)
ROUNDS = 3
TOLERANCE = 0.03
"""By how much the area of one command may grow."""
GRACE = 60
"""Seconds after its time limit when a run is given up."""
SOLVED = (
    *(f"{board} --minimize crossings" for board in ("7x8", "8x8", "9x10", "10x12", "12x12", "14x14", "16x16", "20x20")),
    *(f"{board} --minimize crossings" for board in ("30x30", "8x8 --open", "10x10 --open", "9x9-e5", "aztec:6")),
    *(f"{board} --minimize crossings" for board in ("10x10 --symmetry rot90", "14x14 --symmetry rot180")),
    *(f"{board} --minimize turns" for board in ("8x8", "10x12", "14x14", "15x16", "20x20", "30x30", "100x100")),
    *(f"{board} --minimize turns" for board in ("8x8 --open", "9x9 --open", "12x13 --open", "11x11-a1", "aztec:8")),
    *(f"{board} --minimize turns" for board in ("14x14 --symmetry rot90", "20x20 --symmetry rot180", "torus:8x8")),
)
WANTED = {
    "bound 300x300 --metric turns": 2379,
    "bound 1000x1000 --metric turns": 7982,
    "bound 2000x2000 --metric turns": 15_982,
    "bound 600x600 --metric crossings": 2608,
    "search heel --leaper 1,4 --minimize turns": 163,
}
"""The bounds that a minute shows, and the turns of the best gadget of 40 s."""
PROBLEMS = (
    *WANTED,
    "compare 8x8 --metric crossings",
    "magic 8x8 --open --quartes --halves",
    "magic 8x8 --leaper 0,5+3,4",
    "magic 8x8 --leaper king --diagonals",
    *(f"solve {words} --no-best" for words in SOLVED),
)

SIDES: tuple[Side, ...] = ("old", "new")
Gaps = dict[str, list[float]]
"""By side, problem and limit, as `key` writes them: the gap of each round."""


def key(side: Side, problem: str, limit: int) -> str:
    """The name of some runs."""
    return f"{side} {limit} {problem}"


def gap_of(problem: str, data: dict[str, Any]) -> float:
    """The gap of the answer to a command, from the keys of its JSON."""
    if problem.startswith("magic"):
        return float(not data.get("tour"))
    if problem.startswith("compare"):
        data = (data.get("rows") or [{}])[0]
        data = {"value": data.get("best_known"), **data}
    if problem in WANTED:
        reached, wanted = data.get("bound" if problem.startswith("bound") else "value"), WANTED[problem]
        if not reached:
            return 1.0
        return max(0.0, 1 - reached / wanted if problem.startswith("bound") else 1 - wanted / reached)
    if data.get("status") == "infeasible":
        return 0.0
    value, bound = data.get("value"), data.get("bound")
    if value is None or bound is None or not data.get("certificate"):
        return 1.0
    return (value - bound) / value if value else 0.0


def area(gaps: Gaps, side: Side, problem: str, limits: tuple[int, ...]) -> float:
    """The area under the curve of a problem."""
    return sum(median(gaps[key(side, problem, limit)]) for limit in limits) / len(limits)


def runs(limits: tuple[int, ...], rounds: int, only: Sequence[str] = ()) -> Iterator[tuple[Side, str, int, int]]:
    """Side, problem, limit and round of every run, in the order in which they are made."""
    for number in range(rounds):
        for problem in PROBLEMS:
            if only and not any(word in problem for word in only):
                continue
            for limit in limits:
                for side in SIDES:
                    yield side, problem, limit, number


def measure(
    gaps: Gaps,
    limits: tuple[int, ...],
    rounds: int,
    once: Callable[[Side, str, int], float],
    keep: Callable[[], object],
    only: Sequence[str] = (),
) -> None:
    """Make the runs that are missing."""
    for side, problem, limit, number in runs(limits, rounds, only):
        done = gaps.setdefault(key(side, problem, limit), [])
        if len(done) <= number:
            done.append(round(once(side, problem, limit), 4))
            keep()


def table(gaps: Gaps, limits: tuple[int, ...]) -> str:
    """The areas and gaps as Markdown: the problems that both were given with each limit."""
    measured = [p for p in PROBLEMS if all(gaps.get(key(side, p, limit)) for side in SIDES for limit in limits)]
    heads = " | ".join(f"{limit} s" for limit in limits)
    lines = [f"| problem | {heads} | area, old | new |", f"| --- |{' ---: |' * (len(limits) + 2)}"]
    sums = [0.0, 0.0]
    for problem in measured:
        cells = [" → ".join(f"{median(gaps[key(side, problem, limit)]):.3f}" for side in SIDES) for limit in limits]
        areas = [area(gaps, side, problem, limits) for side in SIDES]
        sums = [a + b for a, b in zip(sums, areas, strict=True)]
        mark = " **worse**" if areas[1] > (1 + TOLERANCE) * areas[0] else ""
        lines.append(f"| `{problem}` | {' | '.join(cells)} | {areas[0]:.3f} | {areas[1]:.3f}{mark} |")
    lines.append(f"| sum of {len(measured)} |{' |' * len(limits)} {sums[0]:.3f} | {sums[1]:.3f} |")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0], allow_abbrev=False)
    parser.add_argument("old", metavar="OLD", help="a wheel, or a revision of git")
    parser.add_argument("--limits", default=",".join(map(str, LIMITS)), metavar="S,S", help="time limits in seconds")
    parser.add_argument("--rounds", type=int, default=ROUNDS, metavar="N", help=f"runs of each (default {ROUNDS})")
    parser.add_argument("--only", action="append", default=[], metavar="WORDS", help="commands with these words")
    parser.add_argument("-o", dest="output", required=True, metavar="FILE", help="where the gaps are kept, as JSON")
    options = parser.parse_args()
    limits, output = tuple(int(text) for text in options.limits.split(",")), Path(options.output)
    gaps: Gaps = json.loads(output.read_text()) if output.exists() else {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        environments = sides_of(options.old, folder)

        def once(side: Side, problem: str, limit: int) -> float:
            program = str(environments[side] / "bin" / "kt")
            words = [program, *problem.split(), "--time-limit", str(limit), "--json"]
            try:
                done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=limit + GRACE)
                data = json.loads(done.stdout)
            except (subprocess.TimeoutExpired, ValueError):
                data = {}
            gap = gap_of(problem, data)
            figures = f"{data.get('value')}, bound {data.get('bound')}"
            print(f"{side} {limit:>3} s {problem}: {figures}, gap {gap:.3f}", file=sys.stderr, flush=True)
            return gap

        def keep() -> None:
            write_atomic(output, json.dumps(gaps, indent=0) + "\n", force=True)

        try:
            measure(gaps, limits, options.rounds, once, keep, options.only)
        except KeyboardInterrupt:
            print("stopped; run it again to go on", file=sys.stderr)
    print(table(gaps, limits))
    return 0


if __name__ == "__main__":
    sys.exit(main())
