"""Checking files of families of tours: that every board of each family, however large, has one cycle.

A family is a small tour and a rule for making it larger; the arguments stand in `strands.proof` and `octants.proof`.
Besides, how many turns or crossings the tours have is counted on the small boards of each family.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from typing import Any

from kt_models.errors import KTError
from kt_models.format import require_version


def _families(data: dict[str, Any], make: Callable[[Any], Any]) -> list[Any]:
    require_version(data)
    entries = data.get("families")
    if not isinstance(entries, list) or not entries:
        raise KTError("'families' is not a list of families")
    return [make(entry) for entry in entries]


def check_strand_families(data: dict[str, Any]) -> str:
    """Check a file of kind `strands`.

    Raises
    ------
    CertificateError
        If a board of a family has several cycles, or it is not shown that it has one.
    KTError
        If it is no such file.
    """
    from heuristics.strands.data import SETTLED, Member
    from heuristics.strands.family import Family
    from heuristics.strands.proof import check_strands

    families = _families(data, Family.from_json)
    most, followed = None, 0
    for family in families:
        followed += check_strands(family).followed
        for times in itertools.product(*(range(g.least, g.least + SETTLED + 2) for g in family.growths)):
            width, height = family.grown(times)
            if family.times(width, height) == times:
                over = Member(family, times, False).count("turns") - 4 * (width + height)
                most = over if most is None else max(most, over)
    assert most is not None
    word = f"4(w + h) {'-' if most < 0 else '+'} {abs(most)}"
    return f"{len(families)} families of strands tours: one cycle each, on all boards; at most {word} turns"


def check_octant_families(data: dict[str, Any]) -> str:
    """Check a file of kind `octants`; errors are those of `check_strand_families`."""
    from heuristics.octants.layout import STEP, Octants
    from heuristics.octants.proof import check_octants
    from heuristics.strands.data import count_codes

    families = _families(data, Octants.from_json)
    thirds = []
    for family in families:
        check_octants(family)
        for steps in range(family.least, 4):
            side = family.side + 2 * STEP * steps
            thirds.append(3 * count_codes(family.board_codes(steps), "crossings") - 19 * side)
    most = -(-max(thirds) // 3)
    return f"{len(families)} families of octant tours: one cycle each, on all boards; at most 19n/3 + {most} crossings"


CHECKS: Mapping[str, Callable[[dict[str, Any]], str]] = {
    "strands": check_strand_families,
    "octants": check_octant_families,
}
"""By the kind of the file."""
