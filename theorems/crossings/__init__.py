"""Crossings: lower bounds from a belt whose sweep becomes stationary, sharpened at the corners."""

from collections.abc import Mapping
from typing import Any

from kt_models.kernel.certificates.methods import Argument, Lemmas, Theorem

BELT = Lemmas(
    ("laps", "what a step looks at", "a column that may be repeated"), ("V is finite", "large boards from small ones")
)
CUTS = Lemmas(("what a tour pays", "windows of all cuts"), ("windows pay",))
HOLES = Lemmas((), ("columns between missing cells",))
CUTS_BESIDE_HOLES = Lemmas((), ("windows beside missing cells",))


def lemmas(data: Mapping[str, Any]) -> Lemmas:
    """The grounds of the claims of a file."""
    names = BELT + CUTS if "cuts" in data else BELT
    if data.get("holes"):
        names += HOLES + CUTS_BESIDE_HOLES if "cuts" in data else HOLES
    return names


THEOREM = Theorem(
    "crossings",
    files={"crossings-family": f"{__package__}.theorem"},
    lemmas=lemmas,
    methods={
        "belt": Argument(
            f"{__package__}.theorem", "bound", "at-least", "a belt whose sweep becomes stationary", by_formula=True
        ),
    },
)
