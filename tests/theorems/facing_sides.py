"""What the tests of facing sides share: the delivered files, and the checker's sides of one plane."""

import json
from functools import cache
from pathlib import Path

from kt_models.leaper import KNIGHT
from kt_models.limits import NO_LIMITS
from theorems.turns.circuits import InteriorSweep
from theorems.turns.facing import Facing, FacingEnd
from theorems.turns.planes import Plane
from theorems.turns.side_walks import WINDOW, WalkWindow
from theorems.turns.theorem import excesses, read

Cell = tuple[int, int]
RESULTS = Path(__file__).parents[2] / "heuristics" / "delivered" / "results"
NAMES = {0: "turns-many-0-mod-4", 10: "turns-facing-2-mod-4", 2: "turns-facing-2-mod-20"}
FILES = {residue: json.loads((RESULTS / f"{name}.json").read_text()) for residue, name in NAMES.items()}
# Of the same numbers: what facing sides show if there is one turn inside
FILES[0]["interior"] = {"excess": 31, "turns": 1, "connected": True}
FILES[0]["border"] |= {"excess": 13, "rest": 7}
FILES[0]["claims"][0]["boards"]["least"] = 1514
FILES[0]["claims"][0]["bounds"][0]["constant"] = [-20, 1]
FILE = FILES[0]
ROWS = 7
RIGHT, FLAT = ((1, 2), (2, -1)), ((1, 2), (2, 1))
"""The directions of the planes that sweeps leave over."""


@cache
def delivered(side: int) -> dict:
    return excesses(read(FILE, KNIGHT), side, side)


def numbers_of(data: dict):
    """The excesses that a file says, of a square of any side."""
    return delivered if data is FILE else cache(lambda side: excesses(read(data, KNIGHT), side, side))


def swept(data: dict, rows: int = ROWS, period: int = 4) -> InteriorSweep:
    interior, reach = data["interior"], read(data, KNIGHT).reach
    return InteriorSweep(interior["excess"], interior["turns"], numbers_of(data), rows, reach, period, NO_LIMITS)


def sides(directions: tuple[Cell, Cell], seconds: set[int], side: int, rows: int = ROWS, data: dict = FILE) -> Facing:
    plane = Plane(*directions, frozenset(seconds))
    checked = Facing(swept(data, rows), plane, side)
    return Facing(checked.sweep, plane, side % checked.period)


def left_end(checked: Facing, side: int) -> FacingEnd:
    return checked._ends(side % (2 * checked.period))[0]


def window(first: int, state: frozenset) -> WalkWindow:
    """A window of which only its column and the state in its middle are known."""
    return WalkWindow(((first, state),) * (WINDOW + 1), ())
