"""The lower bounds of Besa et al. (2022) on n x n boards beside ours, as the table of docs/theory/bounds.md.

python benchmarks/paper_bounds.py
"""

from __future__ import annotations

import json
from pathlib import Path

from encoders import certify_lower_bound
from heuristics.paper_bounds import central, crown, edge, triplet
from kt_models import Problem, graph_of
from kt_models.certificates.families.turns import fewest, read
from kt_models.leaper import KNIGHT

SIZES = (8, 50, 100, 1_000, 10_000, 100_000)


def row_of(n: int) -> str:
    """Fewest turns of a closed tour by `edge`, `central`, `crown` and the linear relaxation; crossings by `triplet`."""
    values = edge.count_in_box((n, n), KNIGHT), central.breaks_in_box((n, n), KNIGHT), crown.breaks_in_box(n, n)
    row = " | ".join(f"{value:,}" for value in values)
    crossings = triplet.of_sides((triplet.box_side(n, n),) * 4, n, n)
    return f"| {n:,} | {row} | {values[-1] / n:.3f} | {linear(n):,} | {linear(n) / n:.3f} | {crossings:,} |"


def linear(n: int) -> int:
    """The bound of the linear relaxation: of this board below 12, of all boards from there on."""
    if n < 12:
        return certify_lower_bound(Problem(graph_of(f"{n}x{n}"), objective="turns"), method="relaxation").bound or 0
    family = json.loads((Path(__file__).parent.parent / "docs" / "results" / "turns-all-n.json").read_text())
    return fewest(read(family, KNIGHT), n, n)


def main() -> None:
    print("| n | `edge` | `central` | `crown` | `crown` / n | linear | linear / n | `triplet` |")
    print("|" + " ---: |" * 8)
    for n in SIZES:
        print(row_of(n))


if __name__ == "__main__":
    main()
