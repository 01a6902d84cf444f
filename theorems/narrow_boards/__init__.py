"""Narrow boards: least values and existence for all lengths, since the costs of a sweep by columns repeat."""

from kt_models.certificates.methods import Argument, Theorem

THEOREM = Theorem(
    "narrow-boards",
    files={"strips": f"{__package__}.strips"},
    methods={
        "strip": Argument(
            f"{__package__}.strips",
            "bound",
            "at-least",
            "every partial solution, column by column, until costs repeat",
        ),
    },
)
