"""The lower bounds of Besa et al. (2022) on n x n boards, as the tables of docs/paper-bounds.md.

python benchmarks/paper_bounds.py
"""

from __future__ import annotations

from kt_models.bounds import central, crown, edge, triplet
from kt_models.graph import KNIGHT

SIZES = (8, 10, 20, 50, 100, 200, 500, 1_000, 10_000, 100_000)


def turns_row(n: int) -> str:
    """Fewest turns of a closed tour by `edge`, `central` and `crown`, and the last over n."""
    values = edge.count_in_box((n, n), KNIGHT), central.breaks_in_box((n, n), KNIGHT), crown.breaks_in_box(n, n)
    return f"| {n:,} | " + " | ".join(f"{value:,}" for value in values) + f" | {values[-1] / n:.3f} |"


def crossings_row(n: int) -> str:
    """Fewest crossings of a closed tour by `triplet`."""
    side = triplet.box_side(n, n)
    return f"| {n:,} | {triplet.of_sides((side,) * 4, n, n):,} |"


def main() -> None:
    print("| n | `edge` | `central` | `crown` | `crown` / n |\n| ---: | ---: | ---: | ---: | ---: |")
    for n in SIZES:
        print(turns_row(n))
    print("\n| n | `triplet` |\n| ---: | ---: |")
    for n in SIZES:
        print(crossings_row(n))


if __name__ == "__main__":
    main()
