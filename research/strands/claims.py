"""What families of strands tours show of boards of all sizes, as claims for their file.

The constants are the least that the checker agrees to: nothing here has to be right.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from kt_models.errors import CertificateError, KTError
from kt_models.json_version import FORMAT_VERSION
from kt_models.writing import write_atomic
from theorems.growing_tours.strands import check_covered, satisfies
from theorems.growing_tours.zones import TourFamily
from theorems.statement import Boards, Bound, FamilyStatement, claim_to_json

LEAST = 12
"""The least side of the boards."""
TURNS = {"rectangles": Fraction(4), "squares": Fraction(8)}
SQUARE_TURNS = {"turns": TURNS["squares"]}
CROSSINGS = Fraction(37, 4)
"""Crossings of squares, for each unit of the side, of the families found with `--prefer crossings`."""
CONSTANTS = range(-24, 40)
MOST = 400
"""The least square of a class is smaller."""


def claims_of_families(families: Sequence[TourFamily], prefer: str) -> list[dict[str, Any]]:
    """The claims on turns of rectangles and squares, and where crossings were preferred, of both at once."""
    boards = [Boards("rectangles", LEAST, 2, (0,)), *(Boards("squares", LEAST, 8, (r,)) for r in (2, 6))]
    if prefer == "crossings":
        boards = [boards[0], Boards("squares", LEAST, 2, (0,))]
    found = []
    for which in boards:
        claim = FamilyStatement(which)
        metrics = [("turns", TURNS[which.shape])]
        if prefer == "crossings" and which.shape == "squares":
            metrics.append(("crossings", CROSSINGS))
        for metric, slope in metrics:
            added = (
                FamilyStatement(which, bounds=(*claim.bounds, Bound("at-most", metric, slope, Fraction(constant))))
                for constant in CONSTANTS
            )
            claim = next((more for more in added if _holds(families, more)), claim)
        if claim.bounds:
            found.append(claim_to_json(claim))
    return found


def _holds(families: Sequence[TourFamily], claim: FamilyStatement) -> bool:
    try:
        check_covered([family for family in families if satisfies(family, claim)], claim)
    except CertificateError:
        return False
    return True


def squares_claim(
    families: Sequence[TourFamily],
    modulus: int,
    residues: Sequence[int] = (0,),
    symmetry: str = "",
    slopes: Mapping[str, Fraction] = SQUARE_TURNS,
    least: int = 0,
) -> list[dict[str, Any]]:
    """The claim on squares whose side leaves one of some remainders, from the least that is served.

    Parameters
    ----------
    slopes
        Of what is claimed, by side.
    least
        The least side that is looked at.
    """
    sizes = (n for n in range(least, MOST) if n % modulus in residues)
    side = min(n for n in sizes if any(family.times(n, n) is not None for family in families))
    claim = FamilyStatement(Boards("squares", side, modulus, tuple(residues)), symmetry=symmetry)
    for metric, slope in slopes.items():
        bounds = (Bound("at-most", metric, slope, Fraction(constant)) for constant in CONSTANTS)
        more = (replace(claim, bounds=(*claim.bounds, bound)) for bound in bounds)
        claim = next(candidate for candidate in more if _holds(families, candidate))
    return [claim_to_json(claim)]


def rectangles_claim(families: Sequence[TourFamily], least: int) -> list[dict[str, Any]]:
    """The claim on turns of all rectangles with an even side, from a least side on."""
    claims = (
        FamilyStatement(
            Boards("rectangles", least, 2, (0,)),
            bounds=(Bound("at-most", "turns", TURNS["rectangles"], Fraction(constant)),),
        )
        for constant in CONSTANTS
    )
    return [claim_to_json(next(claim for claim in claims if _holds(families, claim)))]


def write_families(path: str, data: dict[str, Any]) -> None:
    """Write families, each on a line of its own."""
    write_atomic(path, json.dumps(data).replace('{"seed"', '\n{"seed"') + "\n")


def save_squares(
    path: str, kind: str, command: str, entries: list[dict[str, Any]], modulus: int, residues: Sequence[int] = (0,)
) -> None:
    """Write families of squares, as JSON objects, with their claim."""
    claims = squares_claim([TourFamily.from_json(entry) for entry in entries], modulus, residues)
    save_claims(path, kind, command, claims, entries)


def save_claims(
    path: str, kind: str, command: str, claims: list[dict[str, Any]], entries: list[dict[str, Any]]
) -> None:
    """Write families and claims, as JSON objects."""
    data = {"version": FORMAT_VERSION, "kind": kind, "command": command}
    write_families(path, data | {"claims": claims, "families": entries})


def write_squares(module: str, kind: str, find: Callable[[], Sequence[TourFamily]], modulus: int) -> None:
    """The command line `python -m MODULE FILE`: find families of squares, and write them with their claim."""
    command = f"python -m {module}"
    if len(sys.argv) != 2:
        raise SystemExit(str(KTError(f"usage: {command} FILE")))
    save_squares(sys.argv[1], kind, command, [family.to_json() for family in find()], modulus)
