"""The families of octant tours that come with the toolkit, and the moves at the cells of a board."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from kt_models.errors import KTError
from kt_models.json_version import read_document
from theorems.growing_tours.codes import Codes
from theorems.growing_tours.octant_data import KIND, Octants

MIN_SIDE = 52
"""Least side of a board in a family; for a smaller one no file is read."""
FILES = ("octants-crossings.json", "octants-rectangles.json", "octants-odd.json")


@cache
def load_octants(file: str = FILES[0]) -> tuple[Octants, ...]:
    """The families of a file: one for each even side modulo 12; for each even width, and for even and odd heights; for
    each odd width modulo 24, and for even heights modulo 4.

    Raises
    ------
    KTError
        If the file is not such a list, or contains something else.
    """
    data = json.loads((Path(__file__).parents[2] / "gadgets" / file).read_text())
    if data.get("kind") != KIND:
        raise KTError(f"{file}: not a file of octant tours")
    data = read_document(data, KIND)
    return tuple(Octants.from_json(entry) for entry in data["families"])


def octant_codes(width: int, height: int) -> Codes | None:
    """The two moves at each cell, as indices into `theorems.growing_tours.codes.PAIRS`; None without a family."""
    for file in FILES if min(width, height) >= MIN_SIDE else ():
        for family in load_octants(file):
            if (steps := family.steps(width, height)) is not None:
                return family.board_codes(*steps)
    return None
