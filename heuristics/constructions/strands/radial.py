"""The families of squares that a quarter turn maps to themselves: read from `heuristics/gadgets/radial-turns.json`."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from kt_models.errors import KTError
from kt_models.json_version import read_document
from kt_models.storage import read_json
from theorems.growing_tours.codes import Codes
from theorems.growing_tours.radial_data import KIND, RadialFamily

FILE = Path(__file__).parents[2] / "gadgets" / "radial-turns.json"
MIN_SIDE = 126
"""Least side of a board in a family; for a smaller one no file is read."""


@cache
def load_radial() -> tuple[RadialFamily, ...]:
    """The families, one for each remainder of the side.

    Raises
    ------
    KTError
        If the file is not such a list, or contains something else.
    """
    data = read_json(FILE)
    if not isinstance(data, dict) or data.get("kind") != KIND:
        raise KTError(f"{FILE.name}: not a file of radial tours")
    data = read_document(data, KIND)
    return tuple(RadialFamily.from_json(entry) for entry in data["families"])


def radial_codes(side: int) -> Codes:
    """The two moves at each cell of a square.

    Raises
    ------
    KTError
        If no family covers the square.
    """
    for family in load_radial() if side >= MIN_SIDE else ():
        if (k := family.steps_to(side)) is not None:
            return family.codes(k)
    raise KTError(
        f"method strands does not cover the board {side}x{side} with a quarter turn: it needs a side that is 2 modulo "
        f"4, from {MIN_SIDE} on"
    )
