"""Squares with lines of one direction, few crossings and few turns at once: families that `strands` checks.

The lines (-2, 1) cost a side least where it is flat to them, at the left and at the right: 2 turns and 1 crossing for
each row (`PLAIN`), or 2 crossings (`DEAR`). There are two *layouts*.

- With few crossings, the bottom and the top have a pattern of 6 columns with 18 turns and 11 crossings, the fewest
  crossings there are. It joins three lines that follow each other with the next three. It closes lines with the plain
  pattern, but none with the dear one. So the left side is dear, and so is the upper half of the right side. That is
  10n turns and 43n/6 crossings.
- With few of both, they have a pattern of 8 columns with 16 turns, the fewest there are, and 26 crossings. Some of
  these close no line with the plain pattern. That is 8n turns and 9n crossings. (A pattern with 24 crossings closes
  none either, but then the corners would need more cells of one colour than of the other.)

Lines between left and right do not close where one end is plain and the other dear. So in both layouts the lower half
of the right side is not like the left side.

Open are the corners and the place at the right where the pattern changes. They are filled in anyhow and annealed, and
cycles are merged (`blocks`), with different weights of turns and crossings; the best of some annealings is taken. A
family grows by 24: lines drift by 12 or 8 between the bottom and the left, and between right and top, and by 8 between
left and right.
"""

from __future__ import annotations

import itertools
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np

from encoders.gadgets import frames
from encoders.gadgets.search import search
from heuristics.constructions.strands.walk import cycle_of
from kt_models.errors import CertificateError, KTError
from research.few_crossings.blocks import (
    CROSSINGS,
    OPEN,
    Weights,
    annealed,
    board,
    code,
    cost,
    cycles,
    filled,
    made_moves,
    merged,
    within,
)
from research.few_crossings.regimes import Cell
from research.few_crossings.squares import DEAR, PLAIN
from research.strands.claims import save_claims, squares_claim
from research.strands.sides import codes_of_period, half_turn
from theorems.growing_tours.codes import Codes, count, read_codes, turns
from theorems.growing_tours.strands import check_squares
from theorems.growing_tours.zones import CHAINS_KIND, LINE, Growth, TourFamily, Zone

Pattern = tuple[tuple[Cell, Cell], ...]
"""The two moves at each depth of a side."""


@dataclass(frozen=True)
class Layout:
    """Patterns of the sides.

    Parameters
    ----------
    period, depth, turns, crossings
        Of the patterns at the bottom and at the top.
    left, right
        In the lower and in the upper half.
    weights
        Of what there is to be little of, to be tried one after the other.
    slopes, aims
        Turns and crossings by side, and what may come to that without regret.
    least
        The least sides of the boards of each claim.
    """

    period: int
    depth: int
    turns: int
    crossings: int
    left: tuple[Pattern, Pattern]
    right: tuple[Pattern, Pattern]
    weights: tuple[Weights, ...]
    slopes: tuple[Fraction, Fraction]
    aims: tuple[int, int]
    least: tuple[int, ...]

    @cached_property
    def bottoms(self) -> tuple[Codes, ...]:
        """The patterns at the bottom with so few crossings and turns."""
        frame = frames.strip("bottom", self.period, self.depth)
        found = search(frame, minimize="crossings", at_most=self.crossings).gadgets
        patterns = (codes_of_period(gadget, (self.period, self.depth)) for gadget in found)
        return tuple(codes for codes in patterns if turns(codes) == self.turns)


LAYOUTS = {
    "strands-crossings": Layout(
        period=6,
        depth=4,
        turns=18,
        crossings=11,
        left=(DEAR, DEAR),
        right=(PLAIN, DEAR),
        weights=(CROSSINGS, (1, 3), (1, 2)),
        slopes=(Fraction(10), Fraction(43, 6)),
        aims=(-20, 25),
        least=(20, 24),
    ),
    "strands-both": Layout(
        period=8,
        depth=3,
        turns=16,
        crossings=26,
        left=(PLAIN, PLAIN),
        right=(DEAR, PLAIN),
        weights=((1, 1), (2, 1), (1, 2)),
        slopes=(Fraction(8), Fraction(9)),
        aims=(-2, 6),
        least=(24,),
    ),
}
CORNER, WIDE, HIGH = 7, 6, 3
"""Most rows of the blocks in the corners; columns of the block at the right, and most rows on both sides of its middle.
"""
ROOM = 3
"""Rows between the two, of which one is repeated."""
METRICS = ("turns", "crossings")
STEP = 24
"""By how much the side grows."""
END = 48
"""The sides of the seeds are smaller: the last ones are better than the first ones of which they are larger boards."""
MOST = 12
"""Steps after which a family is given up."""


@dataclass(frozen=True)
class Square:
    """A layout, a side, and which patterns are at the bottom and at the top, the latter turned by 180 degrees."""

    layout: Layout
    side: int
    bottom: int
    top: int

    @property
    def middle(self) -> int:
        """The row from which the right side is dear."""
        return self.side // 2

    @property
    def corner(self) -> int:
        """Rows and columns of the blocks in the corners."""
        return min(CORNER, self.middle - ROOM - 2)

    @property
    def high(self) -> int:
        """Rows of the block at the right, above and below the middle."""
        return min(HIGH, self.middle - ROOM - self.corner)

    @property
    def blocks(self) -> list[set[Cell]]:
        """The open cells."""
        near, far = range(self.corner), range(self.side - self.corner, self.side)
        rows = range(self.middle - self.high, self.middle + self.high)
        corners = itertools.product((near, far), (near, far))
        return [set(itertools.product(*box)) for box in (*corners, (range(self.side - WIDE, self.side), rows))]

    def paint(self) -> Codes:
        """The board with open blocks."""
        codes = np.full((self.side, self.side), LINE, dtype=np.uint8)
        layout = self.layout
        for low, patterns in (
            (self.bottom, layout.left),
            (self.top, layout.right[::-1]),
        ):  # The right side is upside down
            codes[:, : layout.depth] = layout.bottoms[low][np.arange(self.side) % layout.period]
            for pattern, rows in zip(patterns, (slice(self.middle), slice(self.middle, None)), strict=True):
                for depth, moves in enumerate(pattern):
                    codes[depth, rows] = code(*moves)
            codes = half_turn(codes)
        for cell in set[Cell]().union(*self.blocks):
            codes[cell] = OPEN
        return codes

    def grows(self, codes: Codes) -> TourFamily | None:
        """The family of a filled board, whatever its cycles are; None if it is none."""
        columns = Zone(self.corner + 2, self.layout.period)
        rows = Zone(self.corner + 2, 1), Zone(self.middle + self.high + 2, 1)
        half = STEP // 2, STEP // 2
        with suppress(CertificateError):
            return TourFamily(codes, (columns,), rows, (Growth((STEP,), (0, 0)), Growth((0,), half)))
        return None

    @cached_property
    def start(self) -> Codes | None:
        """The board filled in anyhow; None if it cannot be, or gets more cycles as it grows, as lines close."""
        codes = filled(self.paint(), self.blocks)
        family = self.grows(codes) if codes is not None else None
        if family is None:
            return None
        tables = [family.board_codes((k, k)) for k in (1, 3)]
        graphs = [board(*table.shape) for table in tables]
        fewest, more = (cycles(g, made_moves(table, g)).max() for table, g in zip(tables, graphs, strict=True))
        return codes if fewest == more else None

    def entry(self, codes: Codes) -> dict[str, Any] | None:
        """The family of a filled board, if the checker accepts it."""
        family = self.grows(codes)
        if family is None:
            return None
        if any(len(cycle_of(grown := family.board_codes((k, k)))) < grown.size for k in range(3)):
            return None
        for steps in range(1, MOST):
            side = self.side + STEP * steps  # The three slabs: lines from the bottom, through the middle, to the top
            slabs = [[[2, middle - STEP, STEP]] for middle in (side // 2, side + side // 2, 2 * side + side // 2)]
            data = {**family.to_json(), "steps": steps, "slabs": slabs}
            try:
                check_squares(TourFamily.from_json(data))
            except CertificateError:
                continue
            return data
        return None

    def regret(self, codes: Codes) -> tuple[Fraction, int]:
        """By how much a filled board misses the aims of its layout, and then its cost."""
        layout = self.layout
        counts = (
            count(codes, metric) - slope * self.side for metric, slope in zip(METRICS, layout.slopes, strict=True)
        )
        missed = (max(Fraction(0), constant - aim) for constant, aim in zip(counts, layout.aims, strict=True))
        return sum(missed, Fraction(0)), cost(codes, layout.weights[0])


def family(layout: Layout, side: int, tries: int) -> dict[str, Any]:
    """The family of a side with the least regret, of so many annealings for each two patterns and each weights.

    Raises
    ------
    KTError
        If there is none.
    """
    found: list[tuple[tuple[Fraction, int], dict[str, Any]]] = []
    patterns = range(len(layout.bottoms))
    drifting = [k for k in patterns if Square(layout, side, k, k).start is not None]
    for lows in itertools.product(drifting, repeat=2):
        square = Square(layout, side, *lows)
        if square.start is None:
            continue
        cells = set[Cell]().union(*square.blocks)
        free = within(cells, board(side, side))
        for weights, seed in itertools.product(layout.weights, range(tries)):
            codes = annealed(square.start, cells, seed, weights=weights)
            if found and square.regret(codes) >= found[0][0]:
                continue  # Merging costs more still
            candidate = merged(codes, free, square.entry, seed, weights=weights)
            if candidate is not None:
                regret = square.regret(read_codes(candidate["seed"]))
                found = sorted([*found, (regret, candidate)], key=itemgetter(0))[:1]
    if not found:
        raise KTError(f"no family of side {side} was found: try more seeds")
    return found[0][1]


def save(layout: Layout, path: Path, command: str, tries: int) -> None:
    """Find the families of a layout, and write them with their claims."""
    entries = []
    for side in range(layout.least[0], END, 2):
        entries.append(family(layout, side, tries))
        codes = read_codes(entries[-1]["seed"])
        print(f"side {side}: {count(codes, 'turns')} turns, {count(codes, 'crossings')} crossings", flush=True)
    families = [TourFamily.from_json(entry) for entry in entries]
    slopes = dict(zip(METRICS, layout.slopes, strict=True))
    claims = [claim for least in layout.least for claim in squares_claim(families, 2, slopes=slopes, least=least)]
    save_claims(str(path), CHAINS_KIND, command, claims, entries)
