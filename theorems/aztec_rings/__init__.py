"""Aztec rings: tours of Aztec diamonds of all radii, which grow ring by ring."""

from kt_models.kernel.certificates.methods import Lemmas, Theorem

LEMMAS = Lemmas(("splicing",), ("growing a ring", "a ring stays paths", "radii"))

THEOREM = Theorem("aztec-rings", files={"rings": f"{__package__}.rings"}, lemmas=lambda data: LEMMAS)
