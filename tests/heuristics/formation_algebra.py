"""What sequences of quartet moves do to the three matchings of the positions: the symmetric group of degree 3.

Table 1, Table 2, Lemma 1 and Theorem 2 of Besa et al. (2022), generated from the moves themselves. In a
product the left move is made first: so Table 1 is to be read, although the text defines S(M) as s₁ ∘ ... ∘ s_k (M).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from heuristics.papers.taming.formation.quartet import MATCHINGS, FormationGadget, march, matching_after

ATOMS = {"V": "U", "H": "R"}
ELEMENTS = ("", "V", "H", "VH", "HV", "VHV")
"""A product of vertical (V) and horizontal (H) straight moves for each permutation of the matchings; "" is neutral."""

Permutation = tuple[str, str, str]
"""Images of the matchings H, V, X, in that order."""


def action(gadget: FormationGadget) -> Permutation:
    """What a gadget does to the three matchings."""
    h, v, x = (matching_after(matching, gadget.permutation) for matching in MATCHINGS)
    return h, v, x


def compose(first: Permutation, then: Permutation) -> Permutation:
    """One permutation after the other."""
    names = tuple(MATCHINGS)
    h, v, x = (then[names.index(image)] for image in first)
    return h, v, x


def element_of(permutation: Permutation) -> str:
    """The element of `ELEMENTS` that is this permutation."""
    return next(element for element in ELEMENTS if element_action(element) == permutation)


@cache
def element_action(element: str) -> Permutation:
    """What an element does, its left move first."""
    return action(march([ATOMS[move] for move in element]))


def table1() -> dict[str, dict[str, str]]:
    """Table 1: the image of each matching under each of the six elements."""
    return {element: dict(zip(MATCHINGS, element_action(element), strict=True)) for element in ELEMENTS}


def table2() -> dict[str, dict[str, str]]:
    """Table 2, the Cayley table: `table2()[s][t]` is the element `st`, first s and then t."""
    return {s: {t: element_of(compose(element_action(s), element_action(t))) for t in ELEMENTS} for s in ELEMENTS}


def total_action(gadgets: Iterable[FormationGadget]) -> Permutation:
    """What gadgets do one after the other; diagonal moves between them change nothing."""
    total = action(march(""))
    for gadget in gadgets:
        total = compose(total, action(gadget))
    return total
