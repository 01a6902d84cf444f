"""Families of squares with few turns, for some n modulo 20, whose lines have the directions (2, 1) and (1, -2).

`research.strands.across` finds tours of single squares, and exchanges of moves that serve several squares.
Here the exchanges are within a few cells of the corners and of the middles of the sides, so that what is between can be
repeated. Which sets of lines have to grow together is found by following lines through the unit square: the chains.
`theorems.growing_tours.strands` checks each family.

`python -m research.strands.chains 6 FILE` finds families for n = 6 modulo 20, and writes them; 14 likewise.
What is claimed leaves out the remainders of n modulo 160 for which none are found.
"""

from __future__ import annotations

import itertools
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from kt_models.errors import CertificateError, KTError
from kt_models.limits import NO_LIMITS, Limits
from research.strands.across import PERIOD, AcrossSearch, Choice, Joiner
from research.strands.claims import save_squares
from theorems.growing_tours.codes import REACH, Codes
from theorems.growing_tours.strands import check_squares
from theorems.growing_tours.zones import CHAINS_KIND, Growth, TourFamily, Zone


@dataclass(frozen=True)
class Squares:
    """Squares whose side leaves the same remainder as the least one.

    Parameters
    ----------
    least
        The least side.
    less
        The turns are 8n less this.
    step
        By how much a family grows.
    first
        The classes of cells in direction (2, 1).
    choices
        Of the four patterns.
    turning
        The sides that join no line with one of the other direction.
    period
        Of the columns and rows that are repeated.
    """

    least: int
    less: int
    step: int
    first: frozenset[int]
    choices: tuple[Choice, ...]
    turning: frozenset[str]
    period: int = PERIOD


MODULUS, TOGETHER = 20, 160
"""Modulus of the sides that are served; the difference of squares that get the same exchanges."""
KINDS = {
    6: Squares(86, 20, 160, frozenset((2, 3)), ((7, 15, 7, 15),), frozenset(("right", "left"))),
    14: Squares(
        94,
        19,
        320,
        frozenset((0, 2)),
        ((4, 6, 0, 3), (4, 5, 1, 0), (4, 5, 1, 12), (4, 5, 0, 3)),
        frozenset(("bottom",)),
    ),
}
NEAR = 20
"""How far exchanges are from a corner or from the middle of a side."""
DEPTH = 8
"""Depth of exchanges in the corners."""
SAMPLES = 64
"""Into so many parts a side is divided to find the chains; these meet in places that are multiples of it."""
TRIES = 12
"""Random choices of exchanges for each side."""
MOST = 12
"""Steps of a family after which it is given up."""

OnSide = tuple[str, Fraction]
"""A side of the unit square, and how far along it."""
UnitLine = tuple[int, Fraction]
"""The direction and the number of a line."""
Chain = tuple[OnSide, int, list[Fraction]]
"""Lines of a square of side 1 that go along together: the middle of where they begin, the direction in which they do,
and how many numbers they have, of one direction after the other."""


def across(place: OnSide, direction: int) -> tuple[Fraction, OnSide]:
    """The number of the line through a place of the unit square's border, and where else it meets the border."""
    side, at = place
    zero, unit = Fraction(0), Fraction(1)
    x, y = {"bottom": (at, zero), "top": (at, unit), "left": (zero, at), "right": (unit, at)}[side]
    if direction == 0:
        c = x - 2 * y
        ends = {"bottom": c, "top": c + 2, "left": -c / 2, "right": (1 - c) / 2}
    else:
        c = 2 * x + y
        ends = {"bottom": c / 2, "top": (c - 1) / 2, "left": c, "right": c - 2}
    other = next((name, end) for name, end in ends.items() if name != side and 0 <= end <= 1)
    return c, other


def follow(place: OnSide, direction: int, turning: frozenset[str]) -> tuple[list[UnitLine], list[tuple[str, bool]]]:
    """The lines from a place of a turning side to the next such side, and in which halves of sides they end."""
    lines: list[UnitLine] = []
    halves = [(place[0], place[1] < Fraction(1, 2))]
    while True:
        number, place = across(place, direction)
        lines.append((direction, number))
        halves.append((place[0], place[1] < Fraction(1, 2)))
        if place[0] in turning:
            return lines, halves
        direction = 1 - direction


def chains(turning: frozenset[str]) -> Iterator[Chain]:
    """The chains of the unit square, each once."""
    for side, direction in itertools.product(sorted(turning), (0, 1)):
        places = [Fraction(2 * i + 1, 2 * SAMPLES) for i in range(SAMPLES)]
        seen = [(follow((side, at), direction, turning), at) for at in places]
        for halves, group in itertools.groupby(seen, key=lambda sample: sample[0][1]):
            if halves < halves[::-1] or (halves == halves[::-1] and direction == 0):
                samples = list(group)
                (lines, _), at = samples[0]
                nearby = follow((side, at + Fraction(1, 4 * SAMPLES)), direction, turning)[0]
                slopes = [(b - a) * 4 * SAMPLES for (_, a), (_, b) in zip(lines, nearby, strict=True)]
                length = Fraction(len(samples), SAMPLES) * (1 if slopes[0] > 0 else -1)
                yield (
                    (side, at + (abs(length) - Fraction(1, SAMPLES)) / 2),
                    direction,
                    [slope * length for slope in slopes],
                )


def slabs(side: int, kind: Squares) -> Iterator[list[list[int]]]:
    """A slab in the middle of each chain of a square."""
    for (name, at), direction, shares in chains(kind.turning):
        place = name, Fraction(int(at * (side - 1)), side - 1)
        lines = follow(place, direction, kind.turning)[0]
        yield [
            [way, int(number * (side - 1) // 1) - int(share * kind.step), int(share * kind.step)]
            for (way, number), share in zip(lines, shares, strict=True)
        ]


def family_of(codes: Codes, step: int, period: int = PERIOD) -> tuple[TourFamily, int]:
    """The family of a square with periodic sides, as its least seed, and how many copies of each zone there are.

    Raises
    ------
    CertificateError
        If too little of a side is periodic.
    """
    zones = [_periodic(table, period) for table in (codes, codes.T)]
    copies = min((end - begin) // period for pair in zones for begin, end in pair)
    left_out = (copies - 1) * period
    kept = [
        np.setdiff1d(np.arange(len(codes)), [*range(a, a + left_out), *range(b, b + left_out)])
        for (a, _), (b, _) in zones
    ]
    columns, rows = ((Zone(a, period), Zone(b - left_out, period)) for (a, _), (b, _) in zones)
    half = step // 2, step // 2
    growths = Growth(half, (0, 0)), Growth((0, 0), half)
    return TourFamily(codes[np.ix_(*kept)], columns, rows, growths), copies


def _periodic(table: Codes, period: int) -> list[tuple[int, int]]:
    """Where the columns of both halves of a square are periodic: from a column to another, behind two like the last."""
    size = len(table)
    same = [np.array_equal(table[x], table[x + period]) for x in range(size - period)]
    found = []
    for low, high, quarter in ((DEPTH, size // 2, size // 4), (size // 2, size - DEPTH, size - size // 4)):
        middle = quarter - period // 2
        begin = next((x + 1 for x in range(middle, low - 1, -1) if not same[x]), low)
        end = next((x for x in range(middle, high - period) if not same[x]), high - period) + period
        if not same[middle] or end - begin < period + REACH:
            raise CertificateError("too little of a side is periodic")
        found.append((begin + REACH, end))
    return found


def entry(codes: Codes, kind: Squares) -> dict[str, Any]:
    """The family of a square, as the checker accepts it.

    Raises
    ------
    CertificateError
        If it does not.
    """
    family, copies = family_of(codes, kind.step, kind.period)
    for steps in range(1, MOST):
        bundles = [*slabs(len(codes) + steps * kind.step, kind)]
        data = {**family.to_json(), "copies": copies, "steps": steps, "slabs": bundles}
        try:
            check_squares(TourFamily.from_json(data))
        except CertificateError:
            continue
        return data
    raise CertificateError("no square of the family can be pumped")


def entries(side: int, kind: Squares, limits: Limits = NO_LIMITS) -> list[dict[str, Any]]:
    """The families of a square, and of those by less than a step larger that get the same exchanges; or none."""
    more = range(0, max(kind.step, 2 * TOGETHER), TOGETHER)
    for number, choice in itertools.islice(itertools.product(range(TRIES), kind.choices), TRIES):
        limits.check()
        boards = [AcrossSearch(side + k, kind.first, limits).board(choice) for k in more]
        joiner = Joiner(8 * side - kind.less, limits, random.Random(number), near=NEAR)
        if (joined := joiner.join(*boards)) is not None:
            try:
                return [entry(codes, kind) for codes in joined[: kind.step // TOGETHER]]
            except CertificateError:
                continue
    return []


def main(arguments: list[str]) -> None:
    """The command line `python -m research.strands.chains RESIDUE FILE`."""
    command = f"python -m {__package__}.chains"
    if len(arguments) != 2 or arguments[0] not in map(str, KINDS):
        raise SystemExit(str(KTError(f"usage: {command} {'|'.join(map(str, KINDS))} FILE")))
    residue = int(arguments[0])
    kind = KINDS[residue]
    sides = range(kind.least, kind.least + TOGETHER, MODULUS)
    each = {side: entries(side, kind) for side in sides}
    found = [item for items in each.values() for item in items]
    served = sorted(side % TOGETHER for side, items in each.items() if items)
    classes = (MODULUS, [residue]) if len(served) == len(each) else (TOGETHER, served)
    save_squares(arguments[1], CHAINS_KIND, f"{command} {residue}", found, *classes)


if __name__ == "__main__":
    main(sys.argv[1:])
