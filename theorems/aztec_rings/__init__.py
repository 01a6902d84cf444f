"""Aztec rings: tours of Aztec diamonds of all radii, which grow ring by ring."""

from kt_models.certificates.methods import Theorem

THEOREM = Theorem(
    "aztec-rings",
    files={"rings": f"{__package__}.rings"},
)
