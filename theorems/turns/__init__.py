"""Turns: lower bounds for boards of all sizes, from one dual solution that is sharpened side by side."""

from collections.abc import Mapping
from typing import Any

from kt_models.kernel.certificates.methods import Argument, Lemmas, Theorem

SUM = Lemmas(("numbers cancel", "what a cell sees", "sums repeat"), ("all sizes from small boards",))
BORDER = Lemmas(("excess of a border", "borders of all sizes"), ("least excess of a border",))
RINGS = Lemmas(("quarters of a ring", "rings of all sizes"), ("turns of a ring", "squares with a quarter turn"))
PLANES = Lemmas(
    (
        "classes of two directions",
        "the middle looks like a plane",
        "broken and empty lines",
        "empty lines are near corners",
        "wrong runs are near corners",
        "corners without turns",
        "disturbed ends",
        "sets off the plane",
    ),
    ("essential nodes",),
)
ONE_TURN = Lemmas(
    ("one turn concerns one corner", "corner cells and turning cells"), ("the circuit", "long sides have a tight place")
)
FACING = Lemmas(("facing windows",), ("windows that are apart", "joined lines"))
STRIP = Lemmas((), ("tight sides", "fillings of a corner", "the strip"))
MANY_TURNS = Lemmas(
    ("tight quarters",),
    (
        "from tight place to tight place",
        "facing sides with turns",
        "a tight right or left side",
        "cycles at three sides",
    ),
)


def lemmas(data: Mapping[str, Any]) -> Lemmas:
    """Lemmas on which the claims of a file rest, by the parts that the file has."""
    rests_on = SUM
    if "border" in data:
        rests_on += BORDER
    if "rings" in data:
        rests_on += RINGS
    if "interior" in data:
        interior = data["interior"]
        rests_on += PLANES + (MANY_TURNS if interior["turns"] > 1 else ONE_TURN)
        if interior["connected"]:
            rests_on += FACING + (Lemmas() if interior["turns"] > 1 else STRIP)
    return rests_on


THEOREM = Theorem(
    "turns",
    files={"turns-family": f"{__package__}.theorem"},
    lemmas=lemmas,
    methods={
        "family": Argument(
            f"{__package__}.theorem",
            "bound",
            "at-least",
            "one dual solution for all sizes of a board",
            by_formula=True,
        ),
    },
)
