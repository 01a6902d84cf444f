"""Families of squares with few turns whose lines have the directions (2, 1) and (1, -2), where chains do not end.

As in `research.strands.chains`, exchanges of moves near the corners and the middles of the sides join the
cycles of a choice of four patterns. Here they are found by a walk at random: an exchange is made if the squares have
no more cycles with it, all together, and sometimes if they have one or two more. Several squares of a family get the
same exchanges. `theorems.growing_tours.spirals` shows that all others are one cycle then as well.

`python -m research.strands.spirals 18 FILE` finds families for n = 18 modulo 20, and writes them; 2 and 14
likewise. Where sides follow FILE, it does so for the families that begin with them.
"""

from __future__ import annotations

import random
import sys
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from heuristics.searches.sides.views import QUARTER, quarter_turns
from kt_models.errors import CertificateError, KTError
from kt_models.limits import NO_LIMITS, Limits
from research.strands.across import (
    AcrossSearch,
    Choice,
    Cycles,
    Exchange,
    moved,
    with_exchange,
)
from research.strands.chains import family_of
from research.strands.claims import save_squares
from research.strands.corner import Block, fillings
from theorems.growing_tours.codes import REACH, Codes, turns
from theorems.growing_tours.spirals import SpiralFamily, SpiralProver
from theorems.growing_tours.zones import SPIRALS_KIND


@dataclass(frozen=True)
class SpiralSquares:
    """Squares whose side leaves the same remainder modulo 20 as the least one.

    Parameters
    ----------
    least
        The least side.
    step
        By how much a family grows.
    first
        The classes of cells in direction (2, 1).
    block
        The side of the corner blocks.
    chosen
        The four patterns.
    period
        The P of `spirals`.
    near
        How far from a corner, or from the middle of a side, exchanges are at most.
    """

    least: int
    step: int
    first: frozenset[int]
    block: int
    chosen: Choice
    period: int
    near: int


KINDS = {
    2: SpiralSquares(82, 80, frozenset((0, 1)), 7, (6, 12, 1, 2), 10, 6),
    14: SpiralSquares(134, 160, frozenset((0, 4)), 7, (1, 14, 1, 15), 20, 6),
    18: SpiralSquares(58, 40, frozenset((2, 3)), 5, (1, 6, 2, 9), 10, 6),
}
MODULUS = 20
SIDE_BOXES = ((10, 4), (8, 5), (14, 5), (12, 6), (18, 5))
CORNER_BOXES = ((7, 7), (8, 8), (9, 9), (10, 10))
"""Columns and rows of the blocks in which moves are exchanged."""
CORNERS, UPHILL = 0.25, 0.03
"""How often a block is in a corner, and an exchange is made that leaves more cycles."""
OTHERS = 400
"""Most ways to fill such a block that are looked at."""
TOGETHER = 4
"""Squares that get the same exchanges."""
TRIES, DRAWS = 12, 20_000
"""Walks, and exchanges that are drawn in each."""


@dataclass(eq=False)
class ExchangeWalk:
    """Squares of a family with the same exchanges; all have the same moves about the corners and the middles."""

    boards: list[Codes]
    near: int
    random: random.Random
    limits: Limits = NO_LIMITS
    _others: dict[Any, tuple[Codes, ...]] = field(default_factory=dict)

    def join(self) -> bool:
        """Make exchanges until each square is one cycle; whether this comes to pass."""
        cycles = [Cycles.of(codes) for codes in self.boards]
        most = sum(len(board.lengths) for board in cycles) + 2
        for _ in range(DRAWS):
            self.limits.check()
            number = sum(len(board.lengths) for board in cycles)
            if number == len(cycles):
                return True
            if not (exchanges := self._drawn()):
                continue
            more = sum(
                board.rotate(k).change(strip(codes, k, len(other[0])), x, other)
                for board, codes, (_, k, x, other) in zip(cycles, self.boards, exchanges, strict=True)
            )
            if more <= 0 or (more <= 2 and number + more <= most and self.random.random() < UPHILL):
                self.boards = [with_exchange(*both) for both in zip(self.boards, exchanges, strict=True)]
                cycles = [Cycles.of(codes) for codes in self.boards]
        return False

    def _drawn(self) -> list[Exchange]:
        """An exchange that costs no turn, in each square; nothing if there is none in the place that was drawn."""
        k, side, x = self.random.randrange(4), len(self.boards[0]), 0
        if self.random.random() < CORNERS:
            columns, rows = self.random.choice(CORNER_BOXES)
        else:
            columns, rows = self.random.choice(SIDE_BOXES)
            away = self.random.randint(-self.near, self.near)
            x = self.random.choice((abs(away), (side - columns) // 2 + away, side - columns - abs(away)))
        seen = strip(self.boards[0], k, rows + REACH)
        now = seen[x : x + columns, :rows]
        others = [codes for codes in self._ways(seen, (x, 0, columns, rows)) if not np.array_equal(codes, now)]
        if not others:
            return []
        exchange = 0, k, x, self.random.choice(others)
        found = [moved(exchange, side, len(codes)) for codes in self.boards]
        places = (strip(codes, k, rows)[place[2] :] for codes, place in zip(self.boards, found, strict=True))
        return found if all(np.array_equal(place[:columns], now) for place in places) else []

    def _ways(self, seen: Codes, box: tuple[int, int, int, int]) -> tuple[Codes, ...]:
        block = Block.of(seen, box)
        left, low, columns, rows = box
        most = turns(seen[left : left + columns, low : low + rows])
        key = most, columns, rows, tuple((x - left, y, moves) for (x, y), moves in block.ports.items())
        if key not in self._others:
            self._others[key] = fillings(block, most, OTHERS, self.limits)
        return self._others[key]


def strip(codes: Codes, k: int, rows: int) -> Codes:
    """The lowest rows of a view of a board."""
    found = quarter_turns(codes, k)[:, :rows]
    for _ in range(k):
        found = QUARTER[found]
    return found


def entry(codes: Codes, kind: SpiralSquares, prover: SpiralProver) -> dict[str, Any]:
    """The family of a square, as the checker accepts it.

    Raises
    ------
    CertificateError
        If it does not.
    """
    family, copies = family_of(codes, kind.step)
    data = {**family.to_json(), "copies": copies, "period": kind.period}
    prover.check(SpiralFamily.from_json(data))
    return data


def family_from(side: int, kind: SpiralSquares, prover: SpiralProver, limits: Limits = NO_LIMITS) -> dict[str, Any]:
    """The family that begins with a square.

    Raises
    ------
    KTError
        If there was none.
    """
    boards = [
        AcrossSearch(side + kind.step * k, kind.first, limits, kind.block).board(kind.chosen) for k in range(TOGETHER)
    ]
    for number in range(TRIES):
        walk = ExchangeWalk(boards, kind.near, random.Random(number), limits)
        if walk.join():
            try:
                return entry(walk.boards[0], kind, prover)
            except CertificateError:
                continue
    raise KTError(f"{side}x{side}: no exchanges were found that join the cycles of all squares of a family")


def main(arguments: list[str]) -> None:
    """The command line `python -m research.strands.spirals RESIDUE FILE [SIDE ...]`."""
    command = f"python -m {__package__}.spirals"
    if len(arguments) < 2 or arguments[0] not in map(str, KINDS) or not all(map(str.isdecimal, arguments[2:])):
        raise SystemExit(str(KTError(f"usage: {command} {'|'.join(map(str, KINDS))} FILE [SIDE ...]")))
    residue = int(arguments[0])
    kind, prover = KINDS[residue], SpiralProver()
    every = range(kind.least, kind.least + kind.step, MODULUS)
    sides = [int(text) for text in arguments[2:]] or [*every]
    save(arguments[1], residue, sides, [family_from(side, kind, prover) for side in sides])


def save(path: str, residue: int, sides: list[int], entries: list[dict[str, Any]]) -> None:
    """Write the families that begin with some sides, with their claim."""
    kind = KINDS[residue]
    whole = len(sides) == kind.step // MODULUS
    classes = (MODULUS, [residue]) if whole else (kind.step, sorted(side % kind.step for side in sides))
    which = "" if whole else " [FILE] " + " ".join(map(str, sides))
    command = f"python -m {__package__}.spirals {residue}{which}"
    save_squares(path, SPIRALS_KIND, command, entries, *classes)


if __name__ == "__main__":
    main(sys.argv[1:])
