"""Narrow boards: least values and existence for all lengths, because the costs of a sweep by columns repeat."""

from kt_models.kernel.certificates.methods import Argument, Lemmas, Theorem

LEMMAS = Lemmas(
    ("a step is near", "one column after the other"),
    ("costs that repeat", "several rates", "the fewest on the first boards"),
)

THEOREM = Theorem(
    "narrow-boards",
    files={"strips": f"{__package__}.strips"},
    lemmas=lambda data: LEMMAS,
    methods={
        "strip": Argument(
            f"{__package__}.strips",
            "bound",
            "at-least",
            "every partial solution, column by column, until costs repeat",
        ),
    },
)
