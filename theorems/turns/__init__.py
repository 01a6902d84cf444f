"""Turns: least values that one dual solution, sharpened side by side, shows for boards of all sizes."""

from kt_models.certificates.methods import Argument, Theorem

THEOREM = Theorem(
    "turns",
    files={"turns-family": f"{__package__}.theorem"},
    methods={
        "family": Argument(f"{__package__}.theorem", "bound", "at-least", "one dual solution for all sizes of a board"),
    },
)
