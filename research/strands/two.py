"""Families of strands tours whose lines have two directions: fewer turns on boards of an even width.

The interior is filled with lines of the directions (-2, 1) and (2, 1). Two lines of these cross in a cell only if
their numbers x + 2y and x - 2y are the same modulo 4; so each class of cells by x + 2y modulo 4 may choose its
direction. Here the classes 0 and 1 have the direction (2, 1). The sides have as few turns as with lines of one
direction, 2 per unit. Those patterns are taken that join no two lines of different directions: so there are two
systems of strands, for each of which is true what `research.strands.families` says of one. The corners join them.

More than two directions cannot fill the plane periodically. To see this, write the set of the lines used of one
direction as a sum of waves. A wave that is not constant has to cancel against one of another direction, so its period
divides 3, 4 or 5, the number of classes of cells for the two directions. Waves of two of these kinds would have a sum
of more than two values. Besides (2, 1) with (-2, 1) this leaves (2, 1) with (1, 2) and with (1, -2).

Twelve classes of boards, by width modulo 8 and height modulo 4, have fewer turns so than with lines of one direction.
If the width leaves 4, the fewest turns were never seen to make fewer than three cycles of large boards. One more turn,
near a corner at the right, makes one cycle.

`python -m research.strands.two FILE` finds the families of these classes. It writes them beside the families
of the other classes, which `python -m research.strands` found, with what all show of rectangles, and of squares.
"""

from __future__ import annotations

import itertools
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import lcm

import numpy as np

from encoders.gadgets import frames
from encoders.gadgets.search import search
from heuristics.constructions.strands.data import load_families
from heuristics.constructions.strands.walk import cycle_of
from kt_models.cells import Cell
from kt_models.errors import CertificateError, KTError
from kt_models.gadgets.frame import Frame
from kt_models.gadgets.gadget import Gadget
from kt_models.limits import NO_LIMITS, Limits
from research.strands.claims import rectangles_claim, save_claims, squares_claim
from research.strands.corner import CORNERS, Block, fewest_turns, fillings, with_corners
from research.strands.families import FILLINGS
from research.strands.sides import (
    BOTTOM_DEPTH,
    BOTTOM_PERIOD,
    LEFT_DEPTH,
    LEFT_PERIOD,
    codes_of_period,
    painted,
)
from research.strands.slab_search import find_slabs
from theorems.growing_tours.codes import REACH, Codes, turns
from theorems.growing_tours.strands import check_one_cycle
from theorems.growing_tours.zones import KIND, LINES, Growth, TourFamily, Zone

DIRECTIONS = ((-2, 1), (2, 1))
CLASSES = 4
SECOND = frozenset((0, 1))
"""Which cells are on lines of the second direction, by x + 2y modulo 4."""
CORNER = 6
"""Side of the corner blocks."""
CLASSES_SERVED = tuple((w, h) for w in (0, 2, 4, 6) for h in range(LEFT_PERIOD) if w % 4 == 0 or h % 2)
"""Width modulo 8 and height modulo 4 of the boards that these families serve best."""
SPARE = frozenset((4,))
"""Widths modulo 8 of the boards that have one turn more than the fewest."""
LEAST = 13
"""The least side of the rectangles that are spoken of."""
TRIES, MANY = 400, 1000
"""Where there is one more turn: ways that are tried for each choice of patterns; those to fill a block with it."""
REGIMES = (
    (("bottom", "left"), ("right", "left"), ("right", "top")),
    (("bottom", "right"), ("right", "left"), ("left", "top")),
)
"""The sides between which lines of either direction run."""
LineSteps = tuple[dict[int, int], dict[int, int]]
"""For lines of either direction, by number: how many on is the line that a side joins it to."""


@dataclass(frozen=True, eq=False)
class TwoSide:
    """A side pattern: the moves at the cells of a period, and how it joins lines; seen from a corner of the board."""

    codes: Codes
    steps: LineSteps


def two_lines(width: int, height: int, second: frozenset[int]) -> Codes:
    """A board of lines, those of the second direction through the cells of some classes."""
    x, y = np.indices((width, height))
    return np.where(np.isin((x + 2 * y) % CLASSES, list(second)), LINES[1], LINES[0]).astype(np.uint8)


def two_patterns(side: str, second: frozenset[int]) -> Iterator[tuple[Gadget, Codes]]:
    """The bottom or left patterns with the fewest turns, whichever lines they join."""
    period, depth = (BOTTOM_PERIOD, BOTTOM_DEPTH) if side == "bottom" else (LEFT_PERIOD, LEFT_DEPTH)
    rising, falling = (frames.strip(side, period, depth, direction) for direction in DIRECTIONS)
    ports = [port for port in rising.ports if _class(port.cell) not in second]
    ports += [port for port in falling.ports if _class(port.cell) in second]
    frame = Frame(rising.cells, tuple(ports), rising.period)
    for gadget in search(frame, minimize="turns", at_most=2 * period).gadgets:
        yield gadget, codes_of_period(gadget, (period, depth) if side == "bottom" else (depth, period))


def two_sides(side: str, second: frozenset[int]) -> list[TwoSide]:
    """Patterns of a side that join lines of one direction only."""
    found = ((codes, _steps(gadget)) for gadget, codes in two_patterns(side, second))
    return [TwoSide(codes, steps) for codes, steps in found if steps is not None]


def _class(cell: Cell) -> int:
    return (cell[0] + 2 * cell[1]) % CLASSES


def _number(which: int, cell: Cell) -> int:
    """Number of the line of a direction through a cell."""
    return cell[0] + (2 if which == 0 else -2) * cell[1]


def _steps(gadget: Gadget) -> LineSteps | None:
    steps: LineSteps = {}, {}
    for path in gadget.paths:
        if path.start is None or path.end is None:
            continue  # A strand along the side
        which, other = (DIRECTIONS.index(_upwards(gadget.frame.ports[port].move)) for port in (path.start, path.end))
        if which != other:
            return None
        first, last = (_number(which, path.cells[at]) for at in (0, -1))
        period = abs(_number(which, gadget.frame.period))
        steps[which][first % period], steps[which][last % period] = last - first, first - last
    return steps


def _upwards(move: Cell) -> Cell:
    return move if move[1] > 0 else (-move[0], -move[1])


def opposite_steps(steps: LineSteps, width: int, height: int) -> LineSteps:
    """The steps of a pattern seen from the opposite corner."""
    last = width - 1, height - 1
    return tuple(
        {(_number(which, last) - c) % 8: -step for c, step in _by_eight(columns).items()}
        for which, columns in enumerate(steps)
    )  # type: ignore[return-value]


def _by_eight(steps: dict[int, int]) -> dict[int, int]:
    """With all numbers modulo 8, which all periods divide."""
    period = max(steps) // CLASSES * CLASSES + CLASSES
    return {c + k: step for c, step in steps.items() for k in range(0, lcm(8, period), period)}


def drifts(first: dict[int, int], second: dict[int, int]) -> bool:
    """Whether following the pairings of two sides in turn leads no line back to itself."""
    for c in first:
        at = c + first[c]
        at += second[at % 8]
        while (at - c) % 8:
            at += first[at % 8]
            at += second[at % 8]
        if at == c:
            return False
    return True


@dataclass(frozen=True, eq=False)
class TwoBoard:
    """A seed in the making: its size, which is that of its class, and the patterns that fit its four sides."""

    width: int
    height: int
    sides: dict[str, list[TwoSide]]

    @classmethod
    def of(cls, width: int, height: int) -> TwoBoard:
        """The least seed with a width modulo 8 and a height modulo 4."""
        w, h = (2 * CORNER + REACH + period for period in (BOTTOM_PERIOD, LEFT_PERIOD))
        w, h = w + (width - w) % BOTTOM_PERIOD, h + (height - h) % LEFT_PERIOD
        opposite = frozenset((_class((w - 1, h - 1)) - c) % CLASSES for c in SECOND)
        sides = {"bottom": ("bottom", SECOND), "left": ("left", SECOND), "top": ("bottom", opposite)}
        return cls(w, h, {name: two_sides(*seen) for name, seen in (sides | {"right": ("left", opposite)}).items()})

    def steps(self, side: str) -> list[LineSteps]:
        """Steps of all patterns of a side, by the numbers of lines on the board."""
        pairs = [pattern.steps for pattern in self.sides[side]]
        if side in ("top", "right"):
            return [opposite_steps(steps, self.width, self.height) for steps in pairs]
        return [(_by_eight(first), _by_eight(second)) for first, second in pairs]

    def paint(self, **chosen: int) -> Codes:
        """Lines, and the patterns that are chosen along sides."""
        lines = two_lines(self.width, self.height, SECOND)
        return painted(lines, {side: self.sides[side][number].codes for side, number in chosen.items()})

    def block(self, corner: tuple[str, str], chosen: dict[str, int]) -> Block:
        """The block at a corner, between two patterns."""
        return Block.at(self.paint(**{side: chosen[side] for side in corner}), corner, CORNER)

    def drifting(self) -> Iterator[dict[str, int]]:
        """Choices of four patterns with which no line comes back to itself."""
        steps = {side: self.steps(side) for side in self.sides}
        fits: dict[tuple[str, str], set[tuple[int, int]]] = {}
        for which, regimes in enumerate(REGIMES):
            for a, b in regimes:
                pairs = itertools.product(enumerate(steps[a]), enumerate(steps[b]))
                good = {(i, j) for (i, pattern), (j, opposite) in pairs if drifts(pattern[which], opposite[which])}
                fits[a, b] = fits.get((a, b), good) & good
        for numbers in itertools.product(*(range(len(patterns)) for patterns in self.sides.values())):
            chosen = dict(zip(self.sides, numbers, strict=True))
            if all((chosen[a], chosen[b]) in good for (a, b), good in fits.items()):
                yield chosen


def two_families(width: int, height: int, limits: Limits = NO_LIMITS) -> Iterator[TourFamily]:
    """Families of boards of a width modulo 8 and a height modulo 4, with the fewest turns that were found."""
    board = TwoBoard.of(width, height)
    filled: dict[tuple[tuple[str, str], int, int], tuple[int, tuple[Codes, ...]] | None] = {}
    ranked: list[tuple[int, int, dict[str, int], list[tuple[Codes, ...]]]] = []
    for chosen in board.drifting():
        four = []
        for corner in CORNERS:
            key = corner, chosen[corner[0]], chosen[corner[1]]
            if key not in filled:
                filled[key] = fewest_turns(board.block(corner, chosen), FILLINGS, limits)
            four.append(filled[key])
        if all(four):
            codes = with_corners(board.paint(**chosen), [part[1][0] for part in four if part])
            ranked.append((turns(codes), len(ranked), chosen, [part[1] for part in four if part]))
    for _, _, chosen, blocks in sorted(ranked, key=lambda choice: choice[:2]):
        every = (with_corners(board.paint(**chosen), some) for some in itertools.product(*blocks))
        for codes in _with_more(board, chosen, blocks, limits) if width in SPARE else every:
            limits.check()
            if len(cycle_of(codes)) == codes.size and (family := _proved(codes)) is not None:
                yield family


def _with_more(
    board: TwoBoard, chosen: dict[str, int], blocks: Sequence[tuple[Codes, ...]], limits: Limits
) -> Iterator[Codes]:
    """Boards with one turn more in the cells of the margins at the right, of the bottom or the top, at random."""
    luck, begin = random.Random(0), CORNER + REACH + BOTTOM_PERIOD
    first = with_corners(board.paint(**chosen), [fill[0] for fill in blocks])
    ways = []
    for y in (0, board.height - CORNER):
        box = np.s_[begin:, y : y + CORNER]
        block = Block.of(first, (begin, y, board.width - begin, CORNER))
        ways.append((box, fillings(block, turns(first[box]) + 1, MANY, limits)))
    for _ in range(TRIES):
        codes = with_corners(board.paint(**chosen), [luck.choice(fill) for fill in blocks])
        box, choices = luck.choice(ways)
        codes[box] = luck.choice(choices)
        yield codes


def _proved(codes: Codes) -> TourFamily | None:
    """The family of a seed if it is one, with the least boards that belong to it."""
    start = CORNER + REACH
    for least in (-1, 0):
        growths = Growth((BOTTOM_PERIOD,), (LEFT_PERIOD,), least), Growth((0,), (LEFT_PERIOD,))
        try:
            family = TourFamily(codes, (Zone(start, BOTTOM_PERIOD),), (Zone(start, LEFT_PERIOD),), growths)
            check_one_cycle(family)
        except CertificateError:
            continue
        return family
    return None


def seeds() -> list[TourFamily]:
    """A family of each class that is served."""
    return [next(two_families(*classes)) for classes in CLASSES_SERVED]


def others() -> list[TourFamily]:
    """Families of the other classes, with lines of one direction."""
    families = [family for family in load_families("turns") if family.one_direction]
    return [
        family
        for family in families
        if (family.size[0] % BOTTOM_PERIOD, family.size[1] % LEFT_PERIOD) not in CLASSES_SERVED
    ]


def main(arguments: list[str]) -> None:
    """The command line `python -m research.strands.two FILE`."""
    command = f"python -m {__package__}.two"
    if len(arguments) != 1:
        raise SystemExit(str(KTError(f"usage: {command} FILE")))
    first = seeds()
    every = first + others()
    claims = rectangles_claim(every, LEAST) + squares_claim(first, BOTTOM_PERIOD)
    slabs = [replace(family, inflations=find_slabs(family)) for family in every]
    save_claims(arguments[0], KIND, command, claims, [family.to_json() for family in slabs])


if __name__ == "__main__":
    main(sys.argv[1:])
