"""What is known of c where the fewest turns of a closed tour of w x h are 4(w + h) - c, beside the theorems.

python benchmarks/turns_constant.py [--rectangles 16] [--squares 40]

A rectangle's entry is exact if a file of `heuristics/delivered/results` shows that it is. Otherwise it is a range: from
what the best tour known has, of a file or a construction, to what the theorems for all sizes show.
"""

from __future__ import annotations

import argparse
import json
from functools import cache
from pathlib import Path

from heuristics.best_known import best_known
from heuristics.constructions.strands.boards import best_member
from kt_models import Problem, graph_of
from kt_models.errors import KTError
from kt_models.existence import closed_tour_exists
from theorems.statement import FamilyStatement, claims_of
from theorems.turns.theorem import KIND

RESULTS = Path(__file__).parent.parent / "heuristics" / "delivered" / "results"
FIRST = 10


@cache
def theorems() -> list[FamilyStatement]:
    """What the files show of all closed tours; `kt check heuristics/delivered/results/turns-*.json` checks it."""
    data = [json.loads(path.read_text()) for path in sorted(RESULTS.glob("turns-*.json"))]
    claims = (claim for entry in data if entry["kind"] == KIND for claim in claims_of(entry, KIND))
    return [claim for claim in claims if claim.closed and not claim.symmetry]


def most(w: int, h: int) -> int | None:
    """The least c that the theorems from below leave."""
    bounds = [claim.half_perimeter_bound("turns").at(w + h) for claim in theorems() if claim.boards.includes(w, h)]
    return None if not bounds else int(4 * (w + h) - max(bounds))


def built(w: int, h: int) -> int | None:
    """The c of the construction for all sizes."""
    try:
        return 4 * (w + h) - best_member(w, h, "turns").count("turns")
    except KTError:
        return None


def known(w: int, h: int) -> tuple[int | None, bool]:
    """The c of the best tour of a file, and whether that file shows that there is no better one."""
    best = best_known(Problem(graph_of(f"{w}x{h}"), objective="turns"))
    if best is None or best.result.cost is None:
        return None, False
    return 4 * (w + h) - best.result.cost, best.result.value == best.result.bound


def entry(w: int, h: int) -> str:
    if not closed_tour_exists((w, h)):
        return ""
    best, exact = known(w, h)
    if exact:
        return f"**{best}**"
    low = max(c for c in (best, built(w, h)) if c is not None)
    return f"{low} to {most(w, h)}"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    arguments.add_argument("--rectangles", type=int, default=16)
    arguments.add_argument("--squares", type=int, default=40)
    options = arguments.parse_args()
    sides = range(FIRST, options.rectangles + 1)
    print("| | " + " | ".join(map(str, sides)) + " |\n|" + " ---: |" * (len(sides) + 1))
    for w in sides:
        print(f"| **{w}** | " + " | ".join(entry(w, h) if h >= w else "" for h in sides) + " |")
    squares = range(FIRST, options.squares + 1, 2)
    print("\n| n | " + " | ".join(map(str, squares)) + " |\n" + "| --- |" + " ---: |" * len(squares))
    for name, of in (("theorem, some tour", built), ("fewest known", best_of), ("theorem, all tours", most)):
        print(f"| {name} | " + " | ".join(str(of(n, n) or "–") for n in squares) + " |")


def best_of(w: int, h: int) -> str:
    c, exact = known(w, h)
    return f"**{c}**" if exact else str(max(found for found in (c, built(w, h)) if found is not None))


if __name__ == "__main__":
    main()
