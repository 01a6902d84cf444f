"""Families of squares whose sides join lines of two directions: 8n - 18 turns for all even sides.

As in `research.strands.two` there are lines of two directions. The cells where x + 2y is 1 or 2 modulo 4 have
the direction (2, 1) if the side is a multiple of 4, otherwise those where it is 0. A side may join a line of one
direction with one of the other. A line then leads from side to side like a ray between mirrors, which in a square
comes back after six reflections; whether it has moved on by then is seen by counting the cycles of two larger squares.
The turns of a choice of four side patterns are known from its four corner blocks, as before; those with the fewest are
tried.

`python -m research.strands.squares FILE` finds a family for each class of sides modulo 8, and writes both.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from kt_models.errors import CertificateError
from kt_models.kernel.certificates.integers import Ints
from kt_models.limits import NO_LIMITS, Limits
from research.strands.claims import write_squares
from research.strands.corner import CORNERS, Block, fewest_turns, with_corners
from research.strands.families import FILLINGS
from research.strands.sides import BOTTOM_PERIOD, LEFT_PERIOD, painted
from research.strands.slab_search import find_loop
from research.strands.two import CLASSES, two_lines, two_patterns
from theorems.growing_tours.codes import MOVES, PAIRS, REACH, Codes, turns
from theorems.growing_tours.strands import check_squares
from theorems.growing_tours.zones import SQUARES_KIND, Growth, TourFamily, Zone

SECOND = {0: frozenset((1, 2)), 2: frozenset((0,)), 4: frozenset((1, 2)), 6: frozenset((0,))}
"""Which cells are on lines of the second direction, by x + 2y modulo 4; for each side modulo 8."""
CORNER = 5
"""Side of the corner blocks."""
START = CORNER + REACH
SIDES = ("bottom", "left", "top", "right")


def cycles(codes: Codes) -> tuple[int, Ints]:
    """How many cycles the moves of a board are, and on which of them each cell is."""
    where = np.indices(codes.shape)
    number = np.arange(codes.size).reshape(codes.shape)
    ends = []
    for k in (0, 1):
        x, y = where + np.array([MOVES[pair[k]] for pair in PAIRS])[codes].transpose(2, 0, 1)
        ends.append(number[x, y].ravel())
    rows = np.tile(number.ravel(), 2)
    links = coo_array((np.ones(2 * codes.size, dtype=np.int8), (rows, np.concatenate(ends))), shape=(codes.size,) * 2)
    number_of, labels = connected_components(links, directed=False)
    return int(number_of), labels.reshape(codes.shape)


class SquareSearch:
    """Seeds of squares of a side modulo 8."""

    def __init__(self, residue: int, limits: Limits = NO_LIMITS) -> None:
        self.limits = limits
        least = 2 * START + BOTTOM_PERIOD - REACH
        self.side = least + (residue - least) % BOTTOM_PERIOD
        second = SECOND[residue]
        opposite = frozenset((3 * (self.side - 1) - c) % CLASSES for c in second)
        self.patterns = {
            side: [codes for _, codes in two_patterns("bottom" if side in ("bottom", "top") else "left", classes)]
            for side, classes in zip(SIDES, (second, second, opposite, opposite), strict=True)
        }
        self.lines = two_lines(self.side, self.side, second)
        self.filled: dict[Any, tuple[int, tuple[Codes, ...]] | None] = {}

    def paint(self, chosen: dict[str, int]) -> Codes:
        """Lines, and the patterns that are chosen."""
        return painted(self.lines, {side: self.patterns[side][number] for side, number in chosen.items()})

    def fillings(
        self, corner: tuple[str, str], chosen: dict[str, int], most: int
    ) -> tuple[int, tuple[Codes, ...]] | None:
        """The fewest turns of a block between two patterns, and ways to have them."""
        block = Block.at(self.paint({side: chosen[side] for side in corner}), corner, CORNER)
        key = tuple(block.ports.items()), most
        if key not in self.filled:
            self.filled[key] = fewest_turns(block, most, self.limits)
        return self.filled[key]

    def ranked(self) -> Iterator[dict[str, int]]:
        """Choices of four patterns, those with the fewest turns first."""
        shape = tuple(len(self.patterns[side]) for side in SIDES)
        total, middle = np.zeros(shape), slice(CORNER, -CORNER)
        for axis, side in enumerate(SIDES):
            for number in range(shape[axis]):
                codes = self.paint({side: number})
                strip = codes[middle] if side in ("bottom", "top") else codes[:, middle]
                total[tuple(number if k == axis else slice(None) for k in range(4))] += turns(strip)
        for corner in CORNERS:
            axes = [SIDES.index(side) for side in corner]
            for pair in itertools.product(*(range(shape[axis]) for axis in axes)):
                self.limits.check()
                found = self.fillings(corner, dict(zip(corner, pair, strict=True)), 1)
                where = tuple(pair[axes.index(k)] if k in axes else slice(None) for k in range(4))
                total[where] += np.inf if found is None else found[0]
        for place in np.argsort(total, axis=None, kind="stable"):
            if np.isinf(total.flat[place]):
                return
            numbers = np.unravel_index(place, shape)
            yield {side: int(number) for side, number in zip(SIDES, numbers, strict=True)}

    def families(self) -> Iterator[TourFamily]:
        """Families, those with the fewest turns first."""
        for chosen in self.ranked():
            four = [found[1] for corner in CORNERS if (found := self.fillings(corner, chosen, FILLINGS))]
            for number, blocks in enumerate(itertools.product(*four)):
                self.limits.check()
                codes = with_corners(self.paint(chosen), blocks)
                if number == 0 and cycles(grown(codes, 4))[0] < cycles(grown(codes, 7))[0]:
                    break  # A line comes back to itself
                if cycles(codes)[0] == 1 and (family := proved(codes)) is not None:
                    yield family


def grown(codes: Codes, times: int) -> Codes:
    """A square with so many periods more."""
    middle = START + np.arange(BOTTOM_PERIOD * (times + 1)) % BOTTOM_PERIOD
    places = np.concatenate([np.arange(START), middle, np.arange(START + BOTTOM_PERIOD, len(codes))])
    return codes[np.ix_(places, places)]


def proved(codes: Codes) -> TourFamily | None:
    """The family of a square if the checker agrees."""
    rows = np.delete(np.arange(len(codes)), np.s_[START + LEFT_PERIOD : START + BOTTOM_PERIOD])
    growths = Growth((BOTTOM_PERIOD,), (LEFT_PERIOD,), -1), Growth((0,), (LEFT_PERIOD,))
    try:
        family = TourFamily(codes[:, rows], (Zone(START, BOTTOM_PERIOD),), (Zone(START, LEFT_PERIOD),), growths)
        family = replace(family, inflations=find_loop(family))
        check_squares(family)
    except CertificateError:
        return None
    return family


def seeds() -> list[TourFamily]:
    """A family of each remainder."""
    return [next(SquareSearch(residue).families()) for residue in SECOND]


if __name__ == "__main__":
    write_squares(f"{__package__}.squares", SQUARES_KIND, seeds, 2)
