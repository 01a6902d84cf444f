"""`belt`: the files on crossings of all rectangles, and of squares with windows at their corners.

    python -m encoders.bounds.methods.belt > heuristics/delivered/results/crossings-all-n.json
    python -m encoders.bounds.methods.belt --open > heuristics/delivered/results/crossings-open-all-n.json
    python -m encoders.bounds.methods.belt --cuts > heuristics/delivered/results/crossings-cuts.json

The only parameters are the numbers of rows of the belt and the windows, and the lengths of the sides at which their
sweeps have become stationary; `theorems.crossings.theorem` does everything else.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from encoders.bounds.methods import BoundMethod, is_large_rectangle
from kt_models.json_version import FORMAT_VERSION
from kt_models.leaper import KNIGHT
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem
from theorems.crossings.theorem import KIND, check
from theorems.statement import Boards, Bound, FamilyStatement, claim_to_json

COMMAND = f"python -m {__package__}.belt"
MAX_SWEPT_CELLS = 2500
"""Most cells of a rectangle whose own belts are swept."""


@dataclass(frozen=True)
class Family:
    """A file: the option that asks for it, its claim, and how wide the belt is and where it is swept."""

    option: str
    boards: Boards
    bound: Bound
    closed: bool
    belt: dict[str, Any]

    @property
    def data(self) -> dict[str, Any]:
        """The file."""
        claim = FamilyStatement(self.boards, KNIGHT, self.closed, (self.bound,))
        command = f"{COMMAND} {self.option}".strip()
        data = {"kind": KIND, "version": FORMAT_VERSION, "command": command, "claims": [claim_to_json(claim)]}
        return data | self.belt


def _bound(slope: Fraction, constant: Fraction) -> Bound:
    return Bound("at-least", "crossings", slope, constant)


CLOSED = Family(
    "",
    Boards("rectangles", 9),
    _bound(Fraction(2), Fraction(36)),
    True,
    {"rows": 3, "full": 20, "laps": 3},
)
OPEN = Family(
    "--open",
    Boards("rectangles", 8),
    _bound(Fraction(2), Fraction(24)),
    False,
    {"rows": 2, "full": 18, "laps": 3, "penalty": 0},
)
CUTS = Family(
    "--cuts",
    Boards("squares", 14),
    _bound(Fraction(13, 3), Fraction(8)),
    True,
    {"rows": 1, "full": 14, "laps": 1, "cuts": {"rows": 6, "first": 9}},
)
MIN_CUT_SIDE = 85
"""Lesser side from which on the windows prove more for each rectangle than the wider belt."""


def make_file(family: Family = CLOSED) -> dict[str, Any]:
    """Make and check the file."""
    check(family.data)
    return family.data


def make(problem: Problem, *, limits: Limits = NO_LIMITS) -> dict[str, Any]:
    """The data of a certificate for one board: the file, of which the checker uses what the board needs."""
    limits.check()
    board = problem.graph.board
    if not problem.closed or board is None:
        return OPEN.data
    return (CUTS if min(board.shape) >= MIN_CUT_SIDE and problem.graph.leaper == KNIGHT else CLOSED).data


def belt_is_better(problem: Problem) -> bool:
    """Whether the belt for all sizes proves what a belt of this board alone would, in less time."""
    return is_large_rectangle(problem) and problem.graph.n > MAX_SWEPT_CELLS


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
    family = next((family for family in (OPEN, CUTS) if family.option in sys.argv[1:]), CLOSED)
    print(json.dumps(make_file(family)))


if __name__ == "__main__":
    main()
