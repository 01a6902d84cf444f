"""The lower bounds of Besa et al. (2022) on n x n boards beside ours, as the table of docs/theory/bounds.md.

python benchmarks/paper_bounds.py
"""

from __future__ import annotations

import json
from math import ceil
from pathlib import Path

from heuristics.papers.taming.bounds import central, crown, edge, triplet
from kt_models.leaper import KNIGHT
from theorems.crossings import theorem as crossings
from theorems.statement import claims_of
from theorems.turns import theorem as turns

SIZES = (50, 100, 1_000, 100_000)
KINDS = {"turns": turns.KIND, "crossings": crossings.KIND}
RESULTS = Path(__file__).parent.parent / "heuristics" / "delivered" / "results"


def row_of(n: int) -> str:
    """Fewest turns of a closed tour by `edge`, `central`, `crown` and kt; fewest crossings by `triplet` and kt."""
    few = edge.count_in_box((n, n), KNIGHT), central.breaks_in_box((n, n), KNIGHT), crown.breaks_in_box(n, n)
    crossed = triplet.of_sides((triplet.box_side(n, n),) * 4, n, n)
    values = *few, claimed("turns", n), crossed, claimed("crossings", n)
    return f"| {n:,} | {' | '.join(f'{value:,}' for value in values)} |"


def claimed(metric: str, n: int) -> int:
    """The most that a file claims of n x n."""
    every = [json.loads(path.read_text()) for path in RESULTS.glob(f"{metric}-*.json")]
    claims = [claim for data in every if data["kind"] == KINDS[metric] for claim in claims_of(data, data["kind"])]
    meant = (claim for claim in claims if claim.closed and not claim.symmetry and claim.leaper == KNIGHT)
    return max(ceil(claim.half_perimeter_bound(metric).at(2 * n)) for claim in meant if claim.boards.includes(n, n))


def main() -> None:
    print("| n | `edge` | `central` | `crown` | 8n − 22 | `triplet` | 13n/3 + 8 or 4n + 36 |")
    print("|" + " ---: |" * 7)
    for n in SIZES:
        print(row_of(n))


if __name__ == "__main__":
    main()
