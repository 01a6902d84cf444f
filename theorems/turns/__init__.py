"""Turns: least values that one dual solution, sharpened side by side, shows for boards of all sizes."""

from collections.abc import Mapping
from typing import Any

from kt_models.certificates.methods import Argument, Lemmas, Theorem

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
        "spoiled ends",
        "sets off the plane",
    ),
    ("lasting nodes",),
)
ONE_TURN = Lemmas(
    ("one turn concerns one corner", "strays and turners"), ("the way round", "long sides have a calm place")
)
FACING = Lemmas(("facing windows",), ("windows that are apart", "joined lines"))
STRIP = Lemmas((), ("calm sides", "fillings of a corner", "the strip"))
MANY_TURNS = Lemmas(
    ("calm quarters",),
    (
        "from calm place to calm place",
        "facing sides with turns",
        "a calm right or left side",
        "cycles at three sides",
    ),
)


def lemmas(data: Mapping[str, Any]) -> Lemmas:
    """What the claims of a file rest on, by the parts that it has."""
    found = SUM
    if "border" in data:
        found += BORDER
    if "rings" in data:
        found += RINGS
    if "interior" in data:
        interior = data["interior"]
        found += PLANES + (MANY_TURNS if interior["turns"] > 1 else ONE_TURN)
        if interior["connected"]:
            found += FACING + (Lemmas() if interior["turns"] > 1 else STRIP)
    return found


THEOREM = Theorem(
    "turns",
    files={"turns-family": f"{__package__}.theorem"},
    lemmas=lemmas,
    methods={
        "family": Argument(f"{__package__}.theorem", "bound", "at-least", "one dual solution for all sizes of a board"),
    },
)
