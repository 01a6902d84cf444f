"""Formation tours measured: turns and crossings over the side of the board, and the time that 10⁸ cells take.

    python benchmarks/formation.py measure [--largest 400] [-o FILE]
    python benchmarks/formation.py families -o heuristics/gadgets/formation_families.json
    python benchmarks/formation.py time [--side 10000] [--repeat 5]
    python benchmarks/formation.py processors [--sides 4000,8000,12000] [--look-ups 1000,2000] [--repeat 20]

`measure` counts turns and crossings of square boards of every even side from 16 on, for every heel and both kinds of
junction, and gives for every residue modulo 8 the line through them, with the least side from which it is exact.
`families` writes the same lines as claims about squares of all sizes, each with the family of tours that shows it to
`kt check`: the least board of its residue in which 8 columns and 4 rows may be repeated.
`time` writes the tour of a board (int32 cell numbers in the order of the visit) and, in turn with it, a constant and a
counted sequence into an array of the same kind; the least of the repetitions of each is given.
`processors` measures how the construction scales over the processors of this machine (Theorem 4 of Besa et al. 2022),
in two ways. The tour is written by threads, from a layout that one of them makes in time linear in the side; the
processor time is that of all. Then every index is looked up by itself (Lemma 3) in processes, each with a share of
the indices; the processor time is that of the longest share, so it says what as many processors would take as there
are shares. Numbers of shares take turns, and the least time of each is given. On a busy machine, give it priority
(`chrt -f 1`).
"""

from __future__ import annotations

import argparse
import itertools
import json
import multiprocessing
import os
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import get_args

import numpy as np

from heuristics.papers.taming.formation.construct import Circuit
from heuristics.papers.taming.formation.gadgets import STYLES
from heuristics.papers.taming.formation.plane import Corner, locator, plane_circuits
from kt_models import Board, MoveGraph, Tour, verify
from kt_models.errors import CertificateError
from kt_models.jit import kernel
from kt_models.json_version import FORMAT_VERSION
from kt_models.machine import usable_cores
from kt_models.writing import write_atomic
from research.few_crossings.blocks import codes_of_tour
from research.strands.claims import write_families
from research.strands.slab_search import find_slabs
from theorems.growing_tours.codes import REACH, crossings, turns
from theorems.growing_tours.zones import KIND, Growth, TourFamily, Zone
from theorems.statement import Boards, Bound, FamilyStatement, claim_to_json

CHUNK = 1_000_000
"""Indices that are looked up at a time, so that they need little memory."""


def line(values: dict[int, int]) -> dict:
    """The line through the last two of `value[side]`, and the least side from which it is exact."""
    sides = sorted(values)
    a, b = sides[-2:]
    slope = Fraction(values[b] - values[a], b - a)
    constant = values[b] - slope * b
    exact = b
    for side in reversed(sides):
        if values[side] != slope * side + constant:
            break
        exact = side
    return {"slope": float(slope), "constant": float(constant), "from": exact}


def lines_of(make: Callable[[int], Tour | None], sides: Iterable[int], title: str = "") -> dict:
    """Map of each metric and residue modulo 8 to the line through the tours of squares, each checked."""
    counts: dict[str, dict[int, int]] = {"turns": {}, "crossings": {}}
    for side in sides:
        if (tour := make(side)) is not None:
            verify(tour)
            for metric, values in counts.items():
                values[side] = tour.measure(metric)
    entry = {}
    for metric, values in counts.items():
        by_residue = {r: {s: v for s, v in values.items() if s % 8 == r} for r in (0, 2, 4, 6)}
        entry[metric] = {str(r): line(part) for r, part in by_residue.items()}
        lines = (f"{e['slope']:g}n {e['constant']:+g} (n ≡ {r}, from {e['from']})" for r, e in entry[metric].items())
        print(f"{title}{metric:<10} {', '.join(lines)}", flush=True)
    return entry


def tour_of(side: int, heel: str, corner: Corner = "heights") -> Tour | None:
    """The formation tour of a square."""
    circuit = next(plane_circuits(side, side, heel, corner), None)
    return None if circuit is None else Tour(MoveGraph.of(Board.box(side, side)), circuit.order((side, 1)), True)


def measure(largest: int) -> dict:
    sides = range(16, largest + 1, 2)
    found: dict = {}
    for corner in get_args(Corner):
        for heel in STYLES:
            make = partial(tour_of, heel=heel, corner=corner)
            found.setdefault(corner, {})[heel] = lines_of(make, sides, f"{corner:<8} {heel:<10} ")
    return found


def seed_of(residue: int, heel: str) -> TourFamily:
    """The family of the least square of a residue modulo 8 that has one, its zones as far down and left as may be."""
    for side in range(16 + residue, 128, 8):
        tour = tour_of(side, heel)
        assert tour is not None
        codes = codes_of_tour(tour)
        for x in range(REACH, side - REACH - 8):
            for y in range(REACH, side - REACH - 4):
                try:
                    return TourFamily(codes, (Zone(x, 8),), (Zone(y, 4),), (Growth((8,), (4,)), Growth((0,), (4,))))
                except CertificateError:
                    continue
    raise RuntimeError(f"no square of a side {residue} modulo 8 repeats")


def families() -> dict:
    """The file that `kt check` reads."""
    seeds, claims = [], []
    for heel in ("both", "crossings"):
        for residue in (0, 2, 4, 6):
            family = seed_of(residue, heel)
            least, _ = family.size
            sizes = [family.board_codes(at) for at in ((0, 0), (1, 1))]
            bounds = []
            for metric, count in (("turns", turns), ("crossings", crossings)):
                first, second = map(count, sizes)
                slope = Fraction(second - first, 8)
                bounds.append(Bound("at-most", metric, slope, first - slope * least))
            seeds.append(replace(family, inflations=find_slabs(family)).to_json())
            claims.append(claim_to_json(FamilyStatement(Boards("squares", least, 8, (residue,)), bounds=tuple(bounds))))
    command = "python benchmarks/formation.py families -o FILE"
    return {"version": FORMAT_VERSION, "kind": KIND, "command": command, "claims": claims, "families": seeds}


@kernel("void(int32[::1], int64, int64)")
def _constant(array: np.ndarray, low: int, high: int) -> None:
    for i in range(low, high):
        array[i] = 7


@kernel("void(int32[::1], int64, int64)")
def _counted(array: np.ndarray, low: int, high: int) -> None:
    for i in range(low, high):
        array[i] = i


def written(write: object, size: int) -> float:
    """Seconds to make an array of cell numbers and write it, by all processors."""
    began = time.perf_counter()
    array = np.empty(size, dtype=np.int32)
    workers = os.cpu_count() or 1
    cuts = [size * i // workers for i in range(workers + 1)]
    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(lambda i: write(array, cuts[i], cuts[i + 1]), range(workers)))  # type: ignore[operator]
    return time.perf_counter() - began


def timed(make: Callable[[], object], side: int, repeat: int) -> None:
    """The time of a construction, which is compiled already, beside that of writing an array of its size."""
    written(_constant, 1000)
    written(_counted, 1000)
    best = {"constant": np.inf, "counted": np.inf, "tour": np.inf}
    for _ in range(repeat):
        for name, write in (("constant", _constant), ("counted", _counted)):
            best[name] = min(best[name], written(write, side * side))
        began = time.perf_counter()
        make()
        best["tour"] = min(best["tour"], time.perf_counter() - began)
    for name, seconds in best.items():
        print(f"{name:<10} {seconds:.3f} s   {side * side / seconds / 1e6:.0f} million cells/s")
    print(f"the tour takes {best['tour'] / best['constant']:.1f} times as long as writing a constant")


def looked_up(side: int, low: int, high: int) -> float:
    """Look every index of a section of the tour up by itself; the processor time that it takes."""
    began = time.process_time()
    found = locator(side, side)
    for begin in range(low, high, CHUNK):
        found.cells(np.arange(begin, min(high, begin + CHUNK)))
    return time.process_time() - began


def processors(written: Sequence[int], look_ups: Sequence[int], repeat: int) -> None:
    """How the construction scales over processors."""
    most = usable_cores()
    print("| side | what | shares | seconds | speed-up | processor seconds | speed-up |")
    print("| ---: | --- | ---: | ---: | ---: | ---: | ---: |")
    for side in written:
        circuit = next(plane_circuits(side, side, "turns"))

        def lay_out(side: int, share: int) -> float:
            began = time.process_time()
            next(plane_circuits(side, side, "turns")).sections  # noqa: B018 -- they are made
            return time.process_time() - began

        def write(side: int, share: int, circuit: Circuit = circuit) -> float:
            began = time.process_time()
            circuit.order((side, 1), threads=share)
            return time.process_time() - began

        write(side, most)  # What has to be compiled is compiled, and the layout is made
        _scaling(side, "laid out", lay_out, [1], repeat, most)
        _scaling(side, "written", write, range(1, most + 1), repeat, most)
    with ProcessPoolExecutor(most, multiprocessing.get_context("spawn")) as pool:

        def look_up(side: int, share: int) -> float:
            cuts = [side * side * i // share for i in range(share + 1)]
            return max(pool.map(partial(looked_up, side), cuts[:-1], cuts[1:]))

        for _ in range(2):  # All processes are there, and all is compiled
            look_up(500, most)
        for side in look_ups:
            _scaling(side, "looked up", look_up, sorted({*range(1, most + 1), 4, 8, 16}), max(1, repeat // 4), most)


def _scaling(
    side: int, name: str, work: Callable[[int, int], float], shares: Sequence[int], repeat: int, most: int
) -> None:
    """The least time, and the least processor time, of each number of shares; they take turns."""
    best = {share: [np.inf, np.inf] for share in shares}
    for _, share in itertools.product(range(repeat), shares):
        began = time.perf_counter()
        processor = work(side, share)
        best[share] = [min(pair) for pair in zip(best[share], (time.perf_counter() - began, processor), strict=True)]
    for share, times in best.items():
        cells = [f"{seconds:.3f} | {single / seconds:.2f}" for single, seconds in zip(best[1], times, strict=True)]
        print(
            f"| {side} | {name} | {share} | {' | '.join(cells if share <= most else [' | ', cells[1]])} |", flush=True
        )


def sides_of(text: str) -> list[int]:
    """Sides with commas between them, or none."""
    return [int(side) for side in text.split(",") if side]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("measure")
    command.add_argument("--largest", type=int, default=400)
    command.add_argument("-o", "--output")
    three = commands.add_parser("families")
    three.add_argument("-o", "--output", required=True)
    two = commands.add_parser("time")
    two.add_argument("--side", type=int, default=10_000)
    two.add_argument("--repeat", type=int, default=5)
    four = commands.add_parser("processors")
    four.add_argument("--sides", type=sides_of, default=[4000, 8000, 12000])
    four.add_argument("--look-ups", type=sides_of, default=[1000, 2000])
    four.add_argument("--repeat", type=int, default=20)
    arguments = parser.parse_args()
    if arguments.command == "processors":
        processors(arguments.sides, arguments.look_ups, arguments.repeat)
        return
    if arguments.command == "time":
        next(plane_circuits(500, 500, "turns")).order((500, 1))  # Compile
        side = arguments.side
        timed(lambda: next(plane_circuits(side, side, "turns")).order((side, 1)), side, arguments.repeat)
        return
    if arguments.command == "families":
        write_families(arguments.output, families())
        return
    found = measure(arguments.largest)
    if arguments.output:
        write_atomic(arguments.output, json.dumps({"largest": arguments.largest, "lines": found}, indent=1) + "\n")


if __name__ == "__main__":
    main()
