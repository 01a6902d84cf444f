"""`octants` as a method: the tour of a square of even side, 68 or more, with about 19n/3 crossings."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from heuristics.constructions.images import image_that_fits, whole_rectangle
from heuristics.constructions.strands.walk import cycle_of
from heuristics.method import Method
from kt_models.certificates.families.codes import Codes
from kt_models.certificates.families.octant_data import KIND, STEP, Octants
from kt_models.errors import KTError
from kt_models.format import FORMAT_VERSION
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem
from kt_models.result import Result
from kt_models.tour import Tour

FILE = Path(__file__).parents[2] / "gadgets" / "octants-crossings.json"


@cache
def load_octants() -> tuple[Octants, ...]:
    """The families that are known, one for each even side modulo 12.

    Raises
    ------
    KTError
        If the file is not such a list, or a family in it is none.
    """
    data = json.loads(FILE.read_text())
    if data.get("version") != FORMAT_VERSION or data.get("kind") != KIND:
        raise KTError(f"{FILE.name}: not a file of octant tours, version {FORMAT_VERSION}")
    return tuple(Octants.from_json(entry) for entry in data["families"])


def octant_codes(side: int) -> Codes | None:
    """The two moves at each cell of a square, as indices into `families.codes.PAIRS`; None if not served."""
    for family in load_octants():
        if (steps := family.steps(side)) is not None:
            return family.board_codes(steps)
    return None


def octants(problem: Problem, *, limits: Limits = NO_LIMITS) -> Result:
    """The tour of a square of even side, in time linear in its cells.

    Raises
    ------
    KTError
        If no family serves the board.
    """
    if limits.over:
        return Result(problem, "unknown")
    width, height = whole_rectangle(problem, "octants")
    codes = octant_codes(width) if width == height else None
    if codes is None:
        least = min(family.side + 2 * STEP * family.least for family in load_octants())
        raise KTError(f"method octants does not serve {width}x{height}: squares of even side, {least} or more")
    tour = Tour(problem.graph, cycle_of(codes), True)
    return image_that_fits(problem, tour, limits)


METHOD = Method(
    octants, "Squares of even side, 68 or more, in about 19n/3 crossings: small tours stretched, linear.", few=True
)
