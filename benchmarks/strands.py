"""Strands tours measured: turns and crossings over the side of the board, the proof, and the time that 10⁸ cells take.

    python benchmarks/strands.py measure [--few turns] [--largest 500] [--samples 1000,2002,3004,4006,5000] [-o FILE]
    python benchmarks/strands.py sweep [--largest 200]
    python benchmarks/strands.py sides [--largest 60]
    python benchmarks/strands.py prove
    python benchmarks/strands.py time [--side 10000] [--repeat 5]

`measure` makes the tour of every even square up to the largest, and of the samples, checks each cell by cell, and
counts its turns and crossings; it gives for every residue modulo 8 the line through them, with the least side from
which it is exact. `sweep` makes and checks the tour of every rectangle from 12 × 12 on, and compares its turns with
4(w + h) - 14, or with - 15 if no side is 12. `sides` asks the method `sides` for a tour of every rectangle, and gives
for each pair of sides modulo 4 how often each number of turns, less 4(w + h), comes out, and the processor time.
`prove` checks that every board of every family has one cycle. `time` writes the tour of a board (int32 cell numbers in
the order of the visit) and, in turn with it, a constant and a counted sequence into an array of the same kind; the
least of the repetitions of each is given.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter, defaultdict

from benchmarks.formation import lines_of, timed
from heuristics.constructions.strands.boards import board_order
from heuristics.constructions.strands.data import load_families, members
from heuristics.find import find
from heuristics.searches.sides.data import MIN_SIDE
from kt_models import Problem, Tour, graph_of, verify
from kt_models.writing import write_atomic
from theorems.growing_tours.strands import check_one_cycle

SMALLEST = 12


def measure(few: str, largest: int, samples: list[int]) -> dict:
    def tour_of(side: int) -> Tour | None:
        return find(Problem(graph_of(f"{side}x{side}")), "strands", few=few).tour

    return lines_of(tour_of, [*range(SMALLEST, largest + 1, 2), *samples])


def sweep(largest: int) -> None:
    margins: dict[int, int] = {}
    for width in range(SMALLEST, largest + 1):
        for height in range(width, largest + 1):
            if width * height % 2 == 0:
                tour = find(Problem(graph_of(f"{width}x{height}")), "strands").tour
                assert tour is not None
                verify(tour)
                more = tour.measure("turns") - 4 * (width + height)
                assert more <= (-14 if width == SMALLEST else -15)
                margins[more] = margins.get(more, 0) + 1
    print(f"{sum(margins.values())} rectangles, each tour checked; turns less 4(w + h), and how often: {margins}")


def sides(largest: int) -> None:
    found: dict[tuple[int, int], Counter[int | None]] = defaultdict(Counter)
    began, boards = time.process_time(), 0
    for width in range(MIN_SIDE, largest + 1):
        for height in range(width, largest + 1):
            if width * height % 2 == 0:
                tour = find(Problem(graph_of(f"{width}x{height}")), "sides").tour
                more = tour.measure("turns") - 4 * (width + height) if tour else None
                found[min(width % 4, height % 4), max(width % 4, height % 4)][more] += 1
                boards += 1
    for classes, counts in sorted(found.items()):
        print(classes, dict(sorted(counts.items(), key=lambda item: item[0] or 0)))
    print(f"{boards} rectangles, {(time.process_time() - began) / boards:.2f} s each")


def prove() -> None:
    for metric in ("turns", "crossings"):
        for family in load_families(metric):
            began = time.process_time()
            followed = check_one_cycle(family)
            w, h = family.size
            added = ", ".join(f"({sum(g.columns)}, {sum(g.rows)})" for g in family.growths)
            print(
                f"{metric}: {w}x{h} grown by {added}: one cycle always; {followed} cells of margins followed, "
                f"{time.process_time() - began:.2f} s"
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("measure")
    command.add_argument("--few", default="turns", choices=("turns", "crossings", "both"))
    command.add_argument("--largest", type=int, default=500)
    command.add_argument("--samples", default="1000,2002,3004,4006,5000")
    command.add_argument("-o", "--output")
    three = commands.add_parser("sweep")
    three.add_argument("--largest", type=int, default=200)
    four = commands.add_parser("sides")
    four.add_argument("--largest", type=int, default=60)
    commands.add_parser("prove")
    two = commands.add_parser("time")
    two.add_argument("--side", type=int, default=10_000)
    two.add_argument("--repeat", type=int, default=5)
    arguments = parser.parse_args()
    if arguments.command == "time":
        member = next(members(arguments.side, arguments.side, "turns"))
        board_order(next(members(24, 24, "turns")))  # Compile
        timed(lambda: board_order(member), arguments.side, arguments.repeat)
    elif arguments.command == "sweep":
        sweep(arguments.largest)
    elif arguments.command == "sides":
        sides(arguments.largest)
    elif arguments.command == "prove":
        prove()
    else:
        found = measure(arguments.few, arguments.largest, [int(side) for side in arguments.samples.split(",") if side])
        if arguments.output:
            write_atomic(
                arguments.output,
                json.dumps({"few": arguments.few, "largest": arguments.largest, "lines": found}, indent=1) + "\n",
            )


if __name__ == "__main__":
    main()
