"""`octants` as a method: the tour of a board whose shorter side is 65 or more, with about 19/6 (w + h) crossings."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import numpy as np

from heuristics.constructions.images import image_that_fits, whole_rectangle
from heuristics.constructions.strands.walk import cycle_of
from heuristics.method import Method
from kt_models.errors import KTError
from kt_models.format import read_document
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem
from kt_models.result import Result
from kt_models.tour import Tour
from theorems.growing_tours.codes import Codes
from theorems.growing_tours.octant_data import KIND, Octants

SERVED = "boards whose shorter side is 65 or more, of an even number of cells, and squares from 52 on"
LEAST = 52
"""The least side of a board that is served: for a smaller one no file is read."""
FILES = ("octants-crossings.json", "octants-rectangles.json", "octants-odd.json")


@cache
def load_octants(file: str = FILES[0]) -> tuple[Octants, ...]:
    """The families of a file: one for each even side modulo 12; for each even width, and for even and odd heights; for
    each odd width modulo 24, and for even heights modulo 4.

    Raises
    ------
    KTError
        If the file is not such a list, or a family in it is none.
    """
    data = json.loads((Path(__file__).parents[2] / "gadgets" / file).read_text())
    if data.get("kind") != KIND:
        raise KTError(f"{file}: not a file of octant tours")
    data = read_document(data, KIND)
    return tuple(Octants.from_json(entry) for entry in data["families"])


def octant_codes(width: int, height: int) -> Codes | None:
    """The two moves at each cell of a board, as indices into `families.codes.PAIRS`; None if not served."""
    for file in FILES if min(width, height) >= LEAST else ():
        for family in load_octants(file):
            if (steps := family.steps(width, height)) is not None:
                return family.board_codes(*steps)
    return None


def octants(problem: Problem, *, limits: Limits = NO_LIMITS) -> Result:
    """The tour of a board, in time linear in its cells.

    Raises
    ------
    KTError
        If no family serves the board.
    """
    if limits.over:
        return Result(problem, "unknown")
    width, height = whole_rectangle(problem, "octants")
    codes = octant_codes(min(width, height), max(width, height))
    if codes is None:
        raise KTError(f"method octants does not serve {width}x{height}: {SERVED}")
    order = cycle_of(codes)
    if width > height:
        x, y = np.divmod(order, width)
        order = (y * height + x).astype(np.int32)
    return image_that_fits(problem, Tour(problem.graph, order, True), limits)


METHOD = Method(
    octants,
    f"{SERVED}; about 19/6 (w + h) crossings, 19/5 (w + h) if it is odd: small tours stretched, linear.",
    few=True,
    fewest=("crossings",),
)
