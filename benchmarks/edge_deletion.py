"""Edge deletion measured: what each rule is worth, board size, uniform orders, sequential start, threads.

    python benchmarks/edge_deletion.py sizes     # the uniform order on every even n up to 304
    python benchmarks/edge_deletion.py large     # the same on 400×400 and beyond: processor seconds, memory
    python benchmarks/edge_deletion.py random    # random orders
    python benchmarks/edge_deletion.py rules     # every rule off in turn
    python benchmarks/edge_deletion.py switch    # how much is visited before the orders part
    python benchmarks/edge_deletion.py search    # uniform orders, sieved over growing boards

Seconds are of the wall; compiling is done beforehand on a small board.
"""

from __future__ import annotations

import argparse
import itertools
import resource
import statistics
import time

from heuristics.searches.edge_deletion import edge_deletion
from heuristics.searches.edge_deletion.names import RULES
from kt_models import Problem, graph_of
from kt_models.limits import Limits

MOVES = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


def run(n: int, **parameters) -> tuple[bool, int, int, float]:
    """Found or not, backtracks, orders and seconds on the n×n board."""
    problem = Problem(graph_of(f"{n}x{n}"))
    began = time.perf_counter()
    outcome = edge_deletion(problem, **parameters)
    seconds = time.perf_counter() - began
    return outcome.tour is not None, int(outcome.statistics["backtracks"]), int(outcome.statistics["orders"]), seconds


def sizes(limit: float) -> None:
    print("| n | found | backtracks | orders | seconds |\n| ---: | --- | ---: | ---: | ---: |")
    for n in range(6, 305, 2):
        found, backtracks, orders, seconds = run(n, order="uniform", limits=Limits(limit))
        print(f"| {n} | {found} | {backtracks} | {orders} | {seconds:.2f} |", flush=True)


def large(limit: float) -> None:
    print("| n | found | backtracks | seconds of processor | memory, MB |\n| ---: | --- | ---: | ---: | ---: |")
    for n in (304, 400, 600, 1000):
        began = time.process_time()
        found, backtracks, _, _ = run(n, order="uniform", limits=Limits(limit, workers=1))
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        print(f"| {n} | {found} | {backtracks} | {time.process_time() - began:.1f} | {memory} |", flush=True)


def summary(rows: list[tuple[bool, int, int, float]]) -> str:
    return (
        f"{sum(row[0] for row in rows)}/{len(rows)} | {statistics.median(row[1] for row in rows):.0f} | "
        f"{statistics.median(row[2] for row in rows):.0f} | {statistics.median(row[3] for row in rows):.2f}"
    )


def random(limit: float) -> None:
    print("| n | found | backtracks | orders | seconds (medians) |\n| ---: | --- | ---: | ---: | ---: |")
    for n in (8, 12, 16, 24, 32, 40, 48, 56, 64, 80):
        rows = [run(n, limits=Limits(limit, seed=seed, workers=1)) for seed in range(7)]
        print(f"| {n} | {summary(rows)} |", flush=True)


def rules(limit: float) -> None:
    print("| order | n | without | found | backtracks | orders | seconds (medians) |")
    print("| --- | ---: | --- | --- | ---: | ---: | ---: |")
    islands = "parity,bridgeless,balance"
    for order, n in (("random", 20), ("random", 32), ("uniform", 60)):
        for without in ("", *RULES, islands, f"{islands},two-factor", f"{islands},two-factor,toughness"):
            rows = [run(n, order=order, without=without, limits=Limits(limit, seed=s, workers=1)) for s in range(5)]
            print(f"| {order} | {n} | {without or 'none'} | {summary(rows)} |", flush=True)


def switch(limit: float) -> None:
    print("| n | workers | sequential | found | backtracks | orders | seconds (medians) |")
    print("| ---: | ---: | ---: | --- | ---: | ---: | ---: |")
    for workers in (1, 2):
        for part in (0.0, 0.25, 0.5, 0.7, 0.8, 0.9):
            rows = [run(48, sequential=part, limits=Limits(limit, seed=s, workers=workers)) for s in range(9)]
            print(f"| 48 | {workers} | {part} | {summary(rows)} |", flush=True)


def search(limit: float) -> None:
    """Keep the orders with the fewest backtracks; one of each pair that the reflection in the diagonal exchanges."""
    total = {order: 0 for order in itertools.permutations(MOVES) if order.index((1, 2)) < order.index((2, 1))}
    sieve = ((12, 3000), (16, 2000), (20, 1200), (30, 600), (44, 200), (72, 60), (120, 20), (200, 10), (304, 10))
    for n, most in sieve:
        solved = []
        for order in total:
            text = " ".join(f"{x},{y}" for x, y in order)
            found, backtracks, _, _ = run(n, order=text, limits=Limits(limit))
            if found:
                solved.append((total[order] + backtracks, order))
        zero = sum(backtracks == 0 for backtracks, _ in solved)
        print(f"{n}x{n}: {len(total)} orders, {len(solved)} solve it, {zero} without a backtrack so far", flush=True)
        total = {order: backtracks for backtracks, order in sorted(solved)[:most]}
    for order, backtracks in total.items():
        print(backtracks, order)


MEASURES = {
    "sizes": (sizes, 120.0),
    "large": (large, 3600.0),
    "random": (random, 20.0),
    "rules": (rules, 4.0),
    "switch": (switch, 20.0),
    "search": (search, 1.0),
}
"""What is measured, and the seconds for each run."""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=[*MEASURES])
    parser.add_argument("--limit", type=float, default=None, help="seconds for each run")
    options = parser.parse_args()
    run(8)
    measure, limit = MEASURES[options.what]
    measure(limit if options.limit is None else options.limit)


if __name__ == "__main__":
    main()
