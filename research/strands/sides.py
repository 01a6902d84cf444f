"""Sides of a board whose interior is filled with lines of direction (-2, 1), for `research.strands.families`.

A line has the number c = x + 2y. A side pattern joins the lines that reach the side in pairs. With 2 turns per unit,
the fewest there are, the bottom has 32 patterns of period 8 (in columns), the left 16 of period 4 (in rows); they are
found by `encoders.gadgets.search`. The top and the right side have the same ones, turned by 180 degrees. At the
left, longer periods give nothing new: an even line is joined to the fifth after it or the third before it, and so
whatever line 0 does, line 8 has to do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from encoders.gadgets import frames
from encoders.gadgets.search import search
from kt_models.gadgets.gadget import Gadget, line_offsets
from theorems.growing_tours.codes import MOVES, PAIRS, Codes
from theorems.growing_tours.zones import HALF_TURNED, LINE

BOTTOM_PERIOD, LEFT_PERIOD = 8, 4
BOTTOM_DEPTH, LEFT_DEPTH = 3, 2
LINES = 8
"""All patterns repeat after so many lines."""
CODE_OF: dict[tuple[int, ...], int] = {pair: code for code, pair in enumerate(PAIRS)}

SideSteps = tuple[int, ...]


@dataclass(frozen=True)
class Sides:
    """Numbers of the patterns at the bottom, left, top and right; the last two are of the board turned by 180°."""

    bottom: int
    left: int
    top: int
    right: int


@dataclass(frozen=True, eq=False)
class Patterns:
    """The patterns of a bottom and of a left side, and how they join lines.

    Parameters
    ----------
    bottoms, lefts
        The moves at the cells of a period: shapes (8, 3) and (2, 4).
    bottom_steps, left_steps
        For lines 0 to 7: how many lines on is the one it is joined to.
    """

    bottoms: tuple[Codes, ...]
    lefts: tuple[Codes, ...]
    bottom_steps: tuple[SideSteps, ...]
    left_steps: tuple[SideSteps, ...]

    @classmethod
    def search(cls) -> Patterns:
        """All with the fewest turns (a few seconds)."""
        found: list[tuple[tuple[Codes, ...], tuple[SideSteps, ...]]] = []
        for side, period, depth in (("bottom", BOTTOM_PERIOD, BOTTOM_DEPTH), ("left", LEFT_PERIOD, LEFT_DEPTH)):
            gadgets = search(frames.strip(side, period, depth), minimize="turns", at_most=2 * period).gadgets
            shape = (period, depth) if side == "bottom" else (depth, period)
            steps = (line_offsets(gadget) for gadget in gadgets)
            found.append(
                (
                    tuple(codes_of_period(gadget, shape) for gadget in gadgets),
                    tuple(tuple(numbers.values()) for numbers in steps),
                )
            )
        (bottoms, bottom_steps), (lefts, left_steps) = found
        return cls(bottoms, lefts, bottom_steps, left_steps)

    @cached_property
    def _numbers(self) -> tuple[dict[bytes, int], dict[bytes, int]]:
        bottoms = {codes.tobytes(): i for i, codes in enumerate(self.bottoms)}
        return bottoms, {codes.tobytes(): i for i, codes in enumerate(self.lefts)}

    def bottom_shifted(self, bottom: int, columns: int) -> int:
        """The pattern whose column 0 is another's column `columns`."""
        return self._numbers[0][np.roll(self.bottoms[bottom], -columns, axis=0).tobytes()]

    def left_shifted(self, left: int, rows: int) -> int:
        """The pattern whose row 0 is another's row `rows`."""
        return self._numbers[1][np.roll(self.lefts[left], -rows, axis=1).tobytes()]

    def paint(self, width: int, height: int, sides: Sides) -> Codes:
        """Lines, and the patterns along the sides; what is at the corners does not fit together."""
        chosen = {"bottom": sides.bottom, "left": sides.left, "top": sides.top, "right": sides.right}
        lists = {"bottom": self.bottoms, "left": self.lefts, "top": self.bottoms, "right": self.lefts}
        lines = np.full((width, height), LINE, dtype=np.uint8)
        return painted(lines, {side: lists[side][number] for side, number in chosen.items() if number >= 0})

    def drift(self, width: int, height: int, sides: Sides) -> bool:
        """Whether no line comes back to itself, between bottom and left, left and right, right and top."""
        last = (width - 1 + 2 * (height - 1)) % LINES
        bottom, left = self.bottom_steps[sides.bottom], self.left_steps[sides.left]
        top, right = self.bottom_steps[sides.top], self.left_steps[sides.right]
        return not (
            _closes(bottom, left) or _closes(left, _turned_steps(right, last)) or _closes(top, right)
        )  # Right with top is bottom with left, half_turn


def painted(lines: Codes, patterns: Mapping[str, Codes]) -> Codes:
    """A board of lines with patterns along some sides; what is at the corners does not fit together.

    Parameters
    ----------
    lines
        The moves at each cell.
    patterns
        Those of a period, by side: bottom, left, top, right; the last two are of the board turned by 180 degrees.
    """
    codes, (width, height) = lines.copy(), lines.shape
    for low, flank in (("bottom", "left"), ("top", "right")):
        if low in patterns:
            codes[:, :BOTTOM_DEPTH] = patterns[low][np.arange(width) % BOTTOM_PERIOD]
        if flank in patterns:
            codes[:LEFT_DEPTH] = patterns[flank][:, np.arange(height) % LEFT_PERIOD]
        codes = half_turn(codes)
    return codes


def half_turn(codes: Codes) -> Codes:
    """The board turned by 180 degrees."""
    return HALF_TURNED[codes][::-1, ::-1]


def code(moves: Sequence[int]) -> int:
    """The code of two moves."""
    return CODE_OF[min(moves), max(moves)]


def codes_of_period(gadget: Gadget, shape: tuple[int, int]) -> Codes:
    """The moves at the cells of one period."""
    moves: dict[tuple[int, int], list[int]] = {}

    def note(cell: tuple[int, int], vector: tuple[int, int]) -> None:
        moves.setdefault(gadget.frame.folded(cell), []).append(MOVES.index(vector))

    for port in gadget.frame.ports:
        note(port.cell, port.move)
    for path in gadget.paths:
        for (x, y), (u, v) in zip(path.cells, path.cells[1:], strict=False):
            note((x, y), (u - x, v - y))
            note((u, v), (x - u, y - v))
    codes = np.empty(shape, dtype=np.uint8)
    for cell, steps in moves.items():
        codes[cell] = code(steps)
    return codes


@cache
def _turned_steps(steps: SideSteps, last: int) -> SideSteps:
    """The steps of a side turned by 180°, on a board whose last line is `last`."""
    return tuple(-steps[(last - c) % LINES] for c in range(LINES))


@cache
def _closes(first: SideSteps, second: SideSteps) -> bool:
    """Whether following one side's pairing and the other's in turn leads a line back to itself."""

    def returns(c: int, following: Callable[[int], int]) -> bool:
        at = following(c)
        while at % LINES != c:  # A permutation of the residues: it comes round
            at = following(at)
        return at == c

    def following(c: int) -> int:
        c += first[c % LINES]
        return c + second[c % LINES]

    return any(returns(c, following) for c in range(LINES))
