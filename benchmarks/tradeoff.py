"""Turns against crossings, both per cell of the side: the families of tours that grow with a square, and the bounds.

    python benchmarks/tradeoff.py -o docs/images/tradeoff.svg
    python benchmarks/tradeoff.py --between 40x40

What grows with n is measured, as the difference between two boards of one family divided by that of their sides. What
lies between few turns and few crossings is searched on one board: exchanges for a sum of both, with several weights.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from heuristics.constructions.octants import octants
from heuristics.constructions.strands import strands
from heuristics.find import find
from heuristics.local_search import HOT, LUKEWARM, improve
from kt_models import KTError, Problem, graph_of
from kt_models.tour import Tour
from research.few_crossings.blocks import objective

SIDES = (96, 192)
"""A multiple of the period of every family apart."""
WEIGHTS = ((1, 0), (4, 1), (2, 1), (1, 1), (1, 2), (1, 4), (0, 1))
"""Weights of a turn and of a crossing."""
BOUNDS = 8, 13 / 3
"""Turns and crossings of every closed tour, up to a constant (docs/theory)."""


@dataclass(frozen=True)
class Point:
    """A family: its name, and turns and crossings per cell of the side; or those of one tour."""

    name: str
    turns: float
    crossings: float


def families() -> dict[str, Callable[[Problem], Tour | None]]:
    """The families by name."""
    return {
        "formation, heel turns": lambda p: find(p, "formation", heel="turns").tour,
        "formation, heel crossings": lambda p: find(p, "formation", heel="crossings").tour,
        "strands, few of both": lambda p: strands(p, few="both").tour,
        "strands, few crossings": lambda p: strands(p, few="crossings").tour,
        "octants": lambda p: octants(p).tour,
    }


def measured() -> list[Point]:
    """What each family's tours have per cell of the side."""
    points = []
    for name, make in families().items():
        tours = [make(Problem(graph_of(f"{side}x{side}"))) for side in SIDES]
        counts = [[tour.measure(metric) for metric in ("turns", "crossings")] for tour in tours if tour is not None]
        turns, crossings = ((b - a) / (SIDES[1] - SIDES[0]) for a, b in zip(*counts, strict=True))
        points.append(Point(name, turns, crossings))
    return points


def between(board: str, exchanges: int) -> Iterator[Point]:
    """Tours of a board with few turns and crossings together, by the weights of a turn and of a crossing."""
    graph = graph_of(board)
    starts = [tour for make in families().values() if (tour := _made(make, Problem(graph))) is not None]
    for a, b in WEIGHTS:
        both = objective(graph, (a, b))
        start = min(starts, key=lambda tour: both.value(tour.edges))
        problem = Problem(graph, "cycle", both)
        any_tour = find(Problem(graph), "merge").tour
        assert any_tour is not None
        tours = [improve(start, problem, phases=LUKEWARM, max_steps=exchanges * graph.n)]
        tours.append(improve(any_tour, problem, phases=HOT, max_steps=exchanges * graph.n))
        best = min(tours, key=lambda tour: both.value(tour.edges))
        yield Point(f"{a} turns + {b} crossings", best.measure("turns"), best.measure("crossings"))


def _made(make: Callable[[Problem], Tour | None], problem: Problem) -> Tour | None:
    try:
        return make(problem)
    except KTError:  # Not every family has every board
        return None


def draw(points: list[Point], path: Path) -> None:
    """The points and the bounds as a picture."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(6.4, 4.4), layout="constrained")
    low = BOUNDS
    right, top = max(p.turns for p in points) + 1.5, max(p.crossings for p in points) + 1.5
    axes.axvspan(low[0] - 1, low[0], color="#dddddd", lw=0)
    axes.axhspan(low[1] - 1, low[1], color="#dddddd", lw=0)
    axes.annotate(
        "no closed tour: at least 8n - 22 turns, 13n/3 + 8 crossings", (low[0] + 0.1, low[1] - 0.6), color="#555555"
    )
    axes.plot([p.turns for p in points], [p.crossings for p in points], "o", color="#1f4e79")
    for point in points:
        text = f"{point.name}: {point.turns:.4g}n, {point.crossings:.4g}n"
        left_half = point.turns < (low[0] + right) / 2
        axes.annotate(
            text,
            (point.turns, point.crossings),
            xytext=(8 if left_half else -8, 4),
            textcoords="offset points",
            ha="left" if left_half else "right",
        )
    axes.set(xlim=(low[0] - 1, right), ylim=(low[1] - 1, top), xlabel="turns / n", ylabel="crossings / n")
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    figure.savefig(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", type=Path, help="a picture")
    parser.add_argument("--between", metavar="BOARD", help="tours of one board between the two")
    parser.add_argument("--exchanges", type=int, default=20_000, help="for each cell, of each search between")
    chosen = parser.parse_args()
    if chosen.between is not None:
        for point in between(chosen.between, chosen.exchanges):
            print(f"{point.name:28} {point.turns:5} turns {point.crossings:5} crossings", flush=True)
        return
    points = measured()
    for point in points:
        print(f"{point.name:28} {point.turns:8.4f} n turns {point.crossings:8.4f} n crossings")
    if chosen.o is not None:
        draw(points, chosen.o)


if __name__ == "__main__":
    main()
