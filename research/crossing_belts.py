"""The files on crossings that `encoders.bounds.methods.belt` reads: of rectangles, and of squares with windows.

    python -m research.crossing_belts > heuristics/delivered/results/crossings-all-n.json
    python -m research.crossing_belts --open > heuristics/delivered/results/crossings-open-all-n.json
    python -m research.crossing_belts --cuts > heuristics/delivered/results/crossings-cuts.json

The only parameters are the numbers of rows of the belt and the windows, and the lengths of the sides at which their
sweeps have become stationary; `theorems.crossings.theorem` does everything else.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from kt_models.json_version import FORMAT_VERSION
from kt_models.leaper import KNIGHT
from theorems.crossings.theorem import KIND, check
from theorems.statement import Boards, Bound, FamilyStatement, claim_to_json

COMMAND = "python -m research.crossing_belts"


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


def make_file(family: Family = CLOSED) -> dict[str, Any]:
    """Make and check the file."""
    check(family.data)
    return family.data


def main() -> None:
    """Print a file."""
    family = next((family for family in (OPEN, CUTS) if family.option in sys.argv[1:]), CLOSED)
    print(json.dumps(make_file(family)))


if __name__ == "__main__":
    main()
