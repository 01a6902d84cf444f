"""Crossings: least values that a belt shows whose sweep becomes stationary, sharpened at the corners."""

from kt_models.certificates.methods import Argument, Theorem

THEOREM = Theorem(
    "crossings",
    files={"crossings-family": f"{__package__}.theorem"},
    methods={
        "belt": Argument(f"{__package__}.theorem", "bound", "at-least", "a belt whose sweep becomes stationary"),
    },
)
