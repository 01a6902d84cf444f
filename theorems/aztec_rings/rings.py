"""Rings around cores: closed tours of Aztec diamonds of all radii, symmetric under a turn, by a finite check.

Lemma 1 (growing a ring) and Lemma 3 (splicing) say why it never fails.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence, Set
from itertools import count, pairwise
from math import lcm
from typing import Any

import numpy as np

from kt_models.cells import Cell
from kt_models.errors import CertificateError
from kt_models.limits import NO_LIMITS, Limits
from kt_models.walks import walks_of
from theorems.aztec_rings.ring_data import (
    KIND,
    RingFamily,
    RingKind,
    across,
    cell_on,
    has_move,
    is_move,
    near,
    pattern,
    read_rings,
    turned_cell,
)
from theorems.repetition import Repetition
from theorems.statement import FamilyKind, FamilyStatement

RingPort = tuple[int, int, int, int, int]
"""A move across a cut: the side, then its rows and columns there, columns counted from the cut."""
RingLinkage = frozenset[frozenset[Any]]
"""Pairs of ports and of ends of the ring's paths."""
MAX_RINGS = 8
MAX_COLUMNS = 60
"""Most columns that the check adds. Linkages repeat sooner, because patterns have few strands."""


# -- the check ---------------------------------------------------------------------------------------------------------


def check(data: Any, limits: Limits = NO_LIMITS) -> tuple[FamilyStatement, ...]:
    """Check the claims of a file of kind `rings`; raises the errors of `FamilyKind.check`."""
    shapes = ("aztec diamonds",)
    return FamilyKind(KIND, "rings", MAX_RINGS, shapes, read_rings, check_rings, satisfies, _check_covered, True).check(
        data, limits
    )


def _check_covered(known: Sequence[RingFamily], claim: FamilyStatement) -> None:
    if not known:
        raise CertificateError(f"rings: no ring satisfies the claim: {claim}")


def satisfies(rings: RingFamily, claim: FamilyStatement) -> bool:
    """Whether a ring leads to all diamonds of a claim, with the claimed symmetry.

    Checks Lemma 4 (radii).
    """
    if claim.bounds or (claim.symmetry == "rot90" and rings.turn != 1):
        return False
    least = claim.boards.least
    # Beyond the ring's radius coverage is periodic
    last = max(least, rings.radius) + lcm(rings.width, claim.boards.modulus)
    return all(rings.covers(radius) for radius in range(least, last) if claim.boards.includes(radius))


def check_rings(rings: RingFamily, limits: Limits = NO_LIMITS) -> None:
    """Check that all Aztec diamonds of the covered radii have closed tours symmetric under the turn of a ring.

    Checks Lemma 1 (growing a ring) and Lemma 2 (a ring stays paths).

    Raises
    ------
    CertificateError
        Naming the first step that fails.
    """
    patterns = [pattern(rings, side) for side in range(4)]
    every = (
        ((rings.radius + more) % rings.width, tuple(linkage(rings, patterns, part, more) for part in range(4)))
        for more in count()
    )
    message = f"rings: the linkages do not repeat within {MAX_COLUMNS} columns"
    for radius, (_, linkages) in enumerate(Repetition.of(every, MAX_COLUMNS, message, limits).terms, rings.radius):
        if rings.covers(radius) and not _joins_ends(rings, linkages):
            raise CertificateError(f"rings: the ring of radius {radius} does not consist of paths from a to b")
    _check_splice(rings)


def linkage(rings: RingFamily, patterns: Sequence[frozenset[RingKind]], part: int, columns: int) -> RingLinkage:
    """Linkage of a part, after some columns of the pattern were added at its right cut.

    Raises
    ------
    CertificateError
        If a cell of the part is not on a path between ports and ends.
    """
    left, end = (part - 1) % 4, rings.cut + columns
    edges: list[tuple[Hashable, Hashable]] = [(a, b) for a, b in rings.moves if rings.part(a) == part == rings.part(b)]
    for i, x, j, z in across(patterns[left], rings.cut):
        place = (i, x) if x >= rings.cut else (j, z)
        edges.append((_cell(rings, left, *place), (left, i, x - rings.cut, j, z - rings.cut)))
    for i, x, j, z in near(patterns[part], rings.cut, end):
        if max(x, z) < rings.cut or min(x, z) >= end:
            continue  # Inside the part, and counted above; or beyond the new columns
        ends: list[Hashable] = [
            ("new", row, at) if at >= rings.cut else _cell(rings, part, row, at)
            for row, at in ((i, x), (j, z))
            if at < end
        ]
        edges.append((ends[0], ends[1] if len(ends) == 2 else (part, i, x - end, j, z - end)))
    ends_here = {turned_cell(cell, q) for q in rings.turns for cell in rings.ends}
    return _joined(edges, ends_here)


def _cell(rings: RingFamily, side: int, row: int, x: int) -> Cell:
    return cell_on(side, x, rings.radius - rings.width + row + 1)


def _joined(edges: Sequence[tuple[Hashable, Hashable]], ends: Set[Cell]) -> RingLinkage:
    """Pairs of ends of the paths that edges make; each end is a port or among given cells."""
    number: dict[Hashable, int] = {}
    # Number vertices in order of appearance
    numbered = np.array([[number.setdefault(v, len(number)) for v in edge] for edge in edges], dtype=np.int64)
    if np.bincount(numbered.reshape(-1)).max() > 2:
        raise CertificateError("rings: three moves meet at a cell")
    names = list(number)
    pairs = []
    for walk in walks_of(len(names), numbered):
        tips = names[walk.vertices[0]], names[walk.vertices[-1]]
        if walk.closed or any(not (isinstance(tip, tuple) and (len(tip) == 5 or tip in ends)) for tip in tips):
            raise CertificateError("rings: cells of a part are not on a path between its ports")
        pairs.append(frozenset(tips))
    return frozenset(pairs)


def _joins_ends(rings: RingFamily, linkages: Iterable[RingLinkage]) -> bool:
    """Whether the parts with these linkages, each port in two of them, make one path from a to b for each image."""
    number: dict[RingPort | Cell, int] = {}
    pairs = [[number.setdefault(tip, len(number)) for tip in sorted(pair)] for pairs in linkages for pair in pairs]
    names = list(number)
    walks = walks_of(len(number), np.array(pairs, dtype=np.int64))
    joined = {frozenset((names[walk.vertices[0]], names[walk.vertices[-1]])) for walk in walks if not walk.closed}
    wanted = {frozenset(turned_cell(cell, q) for cell in rings.ends) for q in rings.turns}
    return joined == wanted and len(walks) == len(wanted)


def _check_splice(rings: RingFamily) -> None:
    (a, b), (c, d) = rings.ends, rings.outward
    # Growth shifts parts, but leaves the upper one in place
    if {rings.part(cell) for cell in (a, b, c, d)} != {0}:
        raise CertificateError("rings: a, b, c, d are not in the upper part")
    if not has_move(rings.moves, (c, d)):
        raise CertificateError("rings: the ring does not have the move c-d")
    inner = rings.radius - rings.width
    if not is_move(a, rings.at_tip(c, inner)) or not is_move(b, rings.at_tip(d, inner)):
        raise CertificateError("rings: a-c and b-d are not moves")
    for radius, core in rings.cores.items():
        if not has_move(pairwise((*core, core[0])), (rings.at_tip(c, radius), rings.at_tip(d, radius))):
            raise CertificateError(f"rings: the core of radius {radius} does not have the move c-d")
