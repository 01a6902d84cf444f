"""Families of squares with few turns that a half turn maps to themselves, for all even sides.

As in `research.strands.squares`, lines have the directions (-2, 1) and (2, 1), and the four classes of cells by
x + 2y choose among these, here so that a half turn keeps them. Only the bottom, the left side and two corners are
chosen; the half turn makes the others. Between equal sides lines would come back to themselves if n is a multiple of
4. So a side may change its pattern in the middle, and the left one at its quarters too. Blocks of free cells in the
corners and where patterns change get the fewest turns by SAT. The turns of a choice of patterns are known from its
blocks; those with the fewest are tried.

A loop of six lines, reflected at the sides, comes back to where it begins, as in
`research.strands.slab_search`, and so does its image under the half turn.
`theorems.growing_tours.strands` checks that a slab along each of both can be put in again and again.

`python -m research.strands.half FILE` finds a family for each even n modulo 16, and writes them.
"""

from __future__ import annotations

import itertools
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from kt_models.errors import CertificateError, KTError
from kt_models.limits import NO_LIMITS, Limits
from research.strands.claims import save_claims, squares_claim
from research.strands.corner import Block, fewest_turns, fillings
from research.strands.sides import BOTTOM_DEPTH, BOTTOM_PERIOD, LEFT_DEPTH, LEFT_PERIOD, half_turn
from research.strands.squares import cycles
from research.strands.two import two_lines, two_patterns
from theorems.growing_tours.codes import REACH, Codes, turns
from theorems.growing_tours.rectangles import RectangleBoard
from theorems.growing_tours.strands import check_squares
from theorems.growing_tours.zones import CHAINS_KIND, Growth, TourFamily, Zone

SECOND = {0: frozenset((0, 1)), 2: frozenset((0, 3)), 4: frozenset((0, 1)), 6: frozenset((0, 3))}
"""Which cells are on lines of the direction (2, 1), by x + 2y modulo 4; for each side modulo 8."""
CORNER, CHANGE = 7, 12
"""Sides of the corner blocks; length of the blocks where patterns change."""
BOTTOM_ROWS, LEFT_COLUMNS = 4, 5
"""Depths of these blocks."""
MODULUS, LEAST = 16, 74
"""By how much a family grows; the least side for which the zones have room."""
START = CORNER + REACH
UP = START + LEFT_PERIOD + CHANGE + REACH
"""Where the first zone of columns and of rows begins, and the second one of rows."""

KINDS = {0: (18, 1), 2: (18, 0), 4: (14, 1), 6: (18, 0)}
"""For each side modulo 8: by how much the turns of a choice are fewer than 8n, at least, and how many more the blocks
that are chosen may have in all, so that there is one cycle."""
CLAIMS = (2, 0), (4, 2), (8, 0)
"""A modulus and a remainder of the sides that a claim is about."""
FILLINGS, TRIES = 400, 400
"""Most ways to fill a block that are looked at; how often one is exchanged."""
COUNTED = (1, 4)
"""Steps of the family to the squares whose cycles are counted."""
STEPS, SLACK = 8, 4
"""Steps of a family that are tried, and places for a slab."""

Halves = tuple[int, ...]
"""The numbers of the patterns: of the two halves of the bottom, and of the four quarters of the left side."""
MEET = ((0, 2), (1, 5), (0, 1), (2, 3), (3, 4), (4, 5))
"""Which of them meet in each block: in two corners, at the bottom and at the left; the sides are turned."""


@dataclass(eq=False)
class HalfTurnSquare:
    """The seeds of a side."""

    side: int
    limits: Limits = NO_LIMITS
    _filled: dict[Any, tuple[int, tuple[Codes, ...]] | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.second = SECOND[self.side % 8]
        self.bottoms, self.lefts = (
            [
                codes
                for gadget, codes in two_patterns(side, self.second)
                if all(path.start is not None and path.end is not None for path in gadget.paths)
            ]
            for side in ("bottom", "left")
        )

    @property
    def boxes(self) -> list[tuple[int, int, int, int]]:
        """The free blocks: first column and row, columns and rows."""
        n, middle, first = self.side, (self.side - CHANGE) // 2, START + LEFT_PERIOD
        return [
            (0, 0, CORNER, CORNER),
            (n - CORNER, 0, CORNER, CORNER),
            (middle, 0, CHANGE, BOTTOM_ROWS),
            *((0, y, LEFT_COLUMNS, CHANGE) for y in (first, middle, n - first - CHANGE)),
        ]

    def paint(self, chosen: Halves) -> Codes:
        """Lines and patterns; what is in the blocks does not fit together."""
        codes, at = two_lines(self.side, self.side, self.second), np.arange(self.side)
        bottoms, lefts = [self.bottoms[k] for k in chosen[:2]], [self.lefts[k] for k in chosen[2:]]
        ends = [y + CHANGE // 2 for _, y, _, _ in self.boxes[3:]]
        for _ in range(2):
            for x in at.tolist():
                codes[x, :BOTTOM_DEPTH] = bottoms[2 * x >= self.side][x % BOTTOM_PERIOD]
            for y in at.tolist():
                codes[:LEFT_DEPTH, y] = lefts[int(np.searchsorted(ends, y, "right"))][:, y % LEFT_PERIOD]
            codes = half_turn(codes)
        return codes

    def fillings(self, which: int, pair: tuple[int, int], most: int) -> tuple[int, tuple[Codes, ...]] | None:
        """The fewest turns of a block between two patterns, and ways to have them."""
        chosen = [0] * 6
        chosen[MEET[which][0]], chosen[MEET[which][1]] = pair
        block = Block.of(self.paint(tuple(chosen)), self.boxes[which])
        key = which, tuple(block.ports.items()), most
        if key not in self._filled:
            self._filled[key] = fewest_turns(block, most, self.limits)
        return self._filled[key]

    def ranked(self, most: int) -> list[tuple[int, Halves]]:
        """Choices with at most so many turns, the fewest first, with their turns."""
        sizes = [len(self.bottoms)] * 2 + [len(self.lefts)] * 4
        outside = np.ones((self.side, self.side), dtype=bool)
        for x, y, columns, rows in self.boxes:
            outside[x : x + columns, y : y + rows] = False
        outside &= outside[::-1, ::-1]
        base = turns(self.paint((0,) * 6)[outside])
        total = np.full([1] * 6, float(base))
        for slot, size in enumerate(sizes):
            costs = [turns(self.paint(tuple(k * (slot == at) for at in range(6)))[outside]) - base for k in range(size)]
            total = total + np.expand_dims(costs, [axis for axis in range(6) if axis != slot])
        for which, (first, second) in enumerate(MEET):
            cost = np.full((sizes[first], sizes[second]), np.inf)
            for pair in np.ndindex(*cost.shape):
                self.limits.check()
                if (found := self.fillings(which, pair, 1)) is not None:
                    cost[pair] = 2 * found[0]
            total = total + np.expand_dims(cost, [axis for axis in range(6) if axis not in (first, second)])
        places = sorted((total[tuple(at)], tuple(at.tolist())) for at in np.argwhere(total <= most))
        return [(int(value), place) for value, place in places]

    def board(self, chosen: Halves, blocks: list[Codes]) -> Codes:
        """A square with patterns and blocks, and their images."""
        codes = self.paint(chosen)
        for _ in range(2):
            for (x, y, columns, rows), block in zip(self.boxes, blocks, strict=True):
                codes[x : x + columns, y : y + rows] = block
            codes = half_turn(codes)
        return codes

    def families(self, most: int, spare: int) -> Iterator[dict[str, Any]]:
        """Families of one cycle; with at most so many turns, or so many more in the blocks and as many in their images.

        Those with the fewest turns first.
        """
        luck = random.Random(self.side)
        for _, chosen in self.ranked(most):
            least = [self.fillings(which, pair, 1) for which, pair in enumerate(meeting(chosen))]
            blocks = [found[1][0] for found in least if found]
            number = cycle_numbers(self.board(chosen, blocks))
            if number[0] >= number[-1]:  # Otherwise a line comes back to itself
                joined = self.joined(chosen, blocks, spare, luck)
                if joined is not None and (data := entry(joined)) is not None:
                    yield data

    def joined(self, chosen: Halves, blocks: list[Codes], spare: int, luck: random.Random) -> TourFamily | None:
        """A family of one cycle, if other ways to fill some blocks lead to it, with at most so many more turns."""
        codes = self.board(chosen, blocks)
        least, number = [turns(block) for block in blocks], sum(cycle_numbers(codes))
        painted = self.paint(chosen)
        ways = [
            fillings(Block.of(painted, box), turns(block) + spare, FILLINGS, self.limits)
            for box, block in zip(self.boxes, blocks, strict=True)
        ]
        for _ in range(TRIES):
            if number == len(COUNTED):
                return half_turn_family(codes)
            self.limits.check()
            which = luck.randrange(len(ways))
            other = [*blocks[:which], luck.choice(ways[which]), *blocks[which + 1 :]]
            if sum(map(turns, other)) <= sum(least) + spare:
                after = sum(cycle_numbers(self.board(chosen, other)))
                if after <= number:
                    blocks, codes, number = other, self.board(chosen, other), after
        return None


def meeting(chosen: Halves) -> list[tuple[int, int]]:
    """The two patterns that meet in each block."""
    return [(chosen[first], chosen[second]) for first, second in MEET]


def cycle_numbers(codes: Codes) -> list[int]:
    """How many cycles some squares of the family of a seed have."""
    growing = half_turn_family(codes)
    return [cycles(growing.board_codes((k, k)))[0] for k in COUNTED]


def half_turn_family(codes: Codes) -> TourFamily:
    """The family of a seed, which grows by `MODULUS`."""
    far = len(codes) + REACH
    columns = Zone(START, BOTTOM_PERIOD), Zone(far - START - BOTTOM_PERIOD, BOTTOM_PERIOD)
    low = [Zone(at, LEFT_PERIOD) for at in (START, UP)]
    rows = *low, *(Zone(far - zone.end, LEFT_PERIOD) for zone in reversed(low))
    wide, high = Growth((BOTTOM_PERIOD,) * 2, (0,) * 4), Growth((0, 0), (LEFT_PERIOD,) * 4)
    return TourFamily(codes, columns, rows, (wide, high))


def slab(side: int, place: int, lines: int) -> list[list[int]]:
    """The six lines of a loop from a place at the bottom, so many of each; the next loop is to the right of it."""
    far = 2 * (side - 1)
    return [
        [2, place, lines],
        [0, -place, -lines],
        [2, far + place, lines],
        [0, place - far, lines],
        [2, far - place, -lines],
        [0, place, lines],
    ]


def entry(growing: TourFamily) -> dict[str, Any] | None:
    """A family as the checker accepts it, or None."""
    for steps in range(1, STEPS):
        side, lines = growing.grown((steps, steps))[0], growing.added_side // 2
        for left, right in itertools.product(range(-SLACK, SLACK), repeat=2):
            places = side // 4 - lines + left, 3 * side // 4 - lines + right
            data = {**growing.to_json(), "steps": steps, "slabs": [slab(side, place, lines) for place in places]}
            try:
                made = TourFamily.from_json(data)
                RectangleBoard(made, made.inflations[0]).inflation()
                check_squares(made)
            except CertificateError:
                continue
            return data
    return None


def main(arguments: list[str]) -> None:
    """The command line `python -m research.strands.half FILE`."""
    command = f"python -m {__package__}.half"
    if len(arguments) != 1:
        raise SystemExit(str(KTError(f"usage: {command} FILE")))
    entries = []
    for side in range(LEAST, LEAST + MODULUS, 2):
        less, spare = KINDS[side % 8]
        entries.append(next(HalfTurnSquare(side).families(8 * side - less, spare)))
    found = [TourFamily.from_json(data) for data in entries]
    claims = [claim for modulus, rest in CLAIMS for claim in squares_claim(found, modulus, (rest,), "rot180")]
    save_claims(arguments[0], CHAINS_KIND, command, claims, entries)


if __name__ == "__main__":
    main(sys.argv[1:])
