"""`belt`: the files on crossings of all rectangles, `crossings-all-n.json` and `crossings-open-all-n.json`.

    python -m encoders.bounds.methods.belt > docs/results/crossings-all-n.json
    python -m encoders.bounds.methods.belt --open > docs/results/crossings-open-all-n.json

There is nothing to be found but how many rows of cells the belt has, and how long the sides are on which its sweep has
become stationary; `kt_models.certificates.families.crossings` does all else.
"""

from __future__ import annotations

import json
import sys
from fractions import Fraction
from typing import Any

from encoders.bounds.methods import BoundMethod, is_large_rectangle
from kt_models.certificates.families.crossings import KIND, check
from kt_models.certificates.families.statement import Boards, Bound, FamilyStatement, claim_to_json
from kt_models.format import FORMAT_VERSION
from kt_models.leaper import KNIGHT
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem

COMMAND = "python -m encoders.bounds.methods.belt"
CLOSED = {"rows": 3, "full": 20, "laps": 3}
SWEPT_CELLS = 2500
"""Up to so many cells a rectangle's own belts are swept."""
OPEN = {"rows": 2, "full": 18, "laps": 3, "penalty": 0}


def make_file(closed: bool = True) -> dict[str, Any]:
    """The file, checked."""
    data = _file(closed)
    check(data)
    return data


def _file(closed: bool) -> dict[str, Any]:
    least, constant = (9, 36) if closed else (8, 24)
    bound = Bound("at-least", "crossings", Fraction(2), Fraction(constant))
    claim = FamilyStatement(Boards("rectangles", least), KNIGHT, closed, (bound,))
    command = COMMAND if closed else f"{COMMAND} --open"
    data = {"kind": KIND, "version": FORMAT_VERSION, "command": command, "claims": [claim_to_json(claim)]}
    return data | (CLOSED if closed else OPEN)


def make(problem: Problem, *, limits: Limits = NO_LIMITS) -> dict[str, Any]:
    """The data of a certificate for one board: the file, of which the checker uses what the board needs."""
    limits.check()
    return _file(problem.closed)


def belt_is_better(problem: Problem) -> bool:
    """Whether the belt for all sizes shows what one of this board alone would, and in less time."""
    return is_large_rectangle(problem) and problem.graph.n > SWEPT_CELLS


METHOD = BoundMethod(
    "belt",
    "the least that a belt of cells can weigh, for all sizes of a board",
    make,
    kind="belt",
    rank=1,
    worth=lambda problem, at_least: problem.objective == "crossings" and belt_is_better(problem),
)


def main() -> None:
    """Print a file."""
    print(json.dumps(make_file("--open" not in sys.argv[1:])))


if __name__ == "__main__":
    main()
