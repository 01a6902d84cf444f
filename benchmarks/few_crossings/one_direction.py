"""Squares with lines of one direction, few crossings and few turns at once: families that `chains` checks.

The lines (-2, 1) cost a side least where it is flat to them, at the left and at the right: 2 turns and 1 crossing for
each row (`PLAIN`), or 2 crossings (`DEAR`).  At the bottom and at the top a pattern of 6 columns has 18 turns and 11
crossings, the fewest crossings there are.  It joins three lines that follow each other with the next three, and closes
lines with the plain pattern, but none with the dear one.  Nor do lines close that run from the dear pattern at the left
to the plain one at the right.  So the right side is plain in its lower half and dear in its upper half, and the left
side is dear all along.  That is 10n turns and 43n/6 crossings.

Open are the corners and the place at the right where the pattern changes.  They are filled in anyhow and annealed, and
cycles are merged (`blocks`); the best of some annealings is taken.  A family grows by 24: lines drift by 12 between the
bottom and the left, by 8 between left and right, and by 12 between right and top.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.few_crossings.blocks import OPEN, annealed, board, code, cost, filled, merged, within
from benchmarks.few_crossings.regimes import Cell
from benchmarks.few_crossings.squares import DEAR, PLAIN
from encoders.gadgets import frames
from encoders.gadgets.search import search
from encoders.gadgets.strands_claims import save_claims, squares_claim
from encoders.gadgets.strands_sides import codes_of_period, half_turn
from heuristics.constructions.strands.walk import cycle_of
from kt_models.certificates.families.chains import ChainFamily, check_chains
from kt_models.certificates.families.codes import Codes, read_codes, turns
from kt_models.certificates.families.zones import CHAINS_KIND, LINE, Growth, TourFamily, Zone
from kt_models.errors import CertificateError, KTError

PERIOD, DEPTH, CROSSINGS, TURNS = 6, 4, 11, 18
"""Of the patterns at the bottom."""
CORNER, WIDE, HIGH = 9, 6, 8
"""Sides of the blocks in the corners; sides of the block at the right."""
STEP = 24
"""By how much the side grows."""
SIDES = range(32, 56, 2)
"""Of the seeds."""
SLOPES = {"turns": Fraction(10), "crossings": Fraction(43, 6)}
MOST = 12
"""Steps after which a family is given up."""


@cache
def bottoms() -> tuple[Codes, ...]:
    """The patterns at the bottom with the fewest crossings, and of these the fewest turns."""
    found = search(frames.strip("bottom", PERIOD, DEPTH), minimize="crossings", at_most=CROSSINGS).gadgets
    patterns = (codes_of_period(gadget, (PERIOD, DEPTH)) for gadget in found)
    return tuple(codes for codes in patterns if turns(codes) == TURNS)


@dataclass(frozen=True)
class Square:
    """A side, and which patterns are at the bottom and at the top, the latter turned by 180 degrees."""

    side: int
    bottom: int
    top: int

    @property
    def middle(self) -> int:
        """The row from which the right side is dear."""
        return self.side // 2

    @property
    def blocks(self) -> list[set[Cell]]:
        """The open cells."""
        near, far = range(CORNER), range(self.side - CORNER, self.side)
        rows = range(self.middle - HIGH // 2, self.middle + HIGH // 2)
        corners = itertools.product((near, far), (near, far))
        return [set(itertools.product(*box)) for box in (*corners, (range(self.side - WIDE, self.side), rows))]

    def paint(self) -> Codes:
        """The board with open blocks."""
        codes = np.full((self.side, self.side), LINE, dtype=np.uint8)
        for low, patterns in ((self.bottom, (DEAR, DEAR)), (self.top, (DEAR, PLAIN))):
            codes[:, :DEPTH] = bottoms()[low][np.arange(self.side) % PERIOD]
            for pattern, rows in zip(patterns, (slice(self.middle), slice(self.middle, None)), strict=True):
                for depth, moves in enumerate(pattern):
                    codes[depth, rows] = code(*moves)
            codes = half_turn(codes)
        for cell in set[Cell]().union(*self.blocks):
            codes[cell] = OPEN
        return codes

    def entry(self, codes: Codes) -> dict[str, Any] | None:
        """The family of a filled board, if the checker accepts it."""
        columns, rows = Zone(CORNER + 2, PERIOD), (Zone(CORNER + 2, 1), Zone(self.middle + HIGH // 2 + 2, 1))
        half = STEP // 2, STEP // 2
        try:
            family = TourFamily(codes, (columns,), rows, (Growth((STEP,), (0, 0)), Growth((0,), half)))
        except CertificateError:
            return None
        if any(len(cycle_of(grown := family.board_codes((k, k)))) < grown.size for k in range(3)):
            return None
        for steps in range(1, MOST):
            side = self.side + STEP * steps  # the three slabs: lines from the bottom, through the middle, to the top
            slabs = [[[2, middle - STEP, STEP]] for middle in (side // 2, side + side // 2, 2 * side + side // 2)]
            data = {**family.to_json(), "steps": steps, "slabs": slabs}
            try:
                check_chains(ChainFamily.from_json(data))
            except CertificateError:
                continue
            return data
        return None


def family(side: int, tries: int) -> dict[str, Any]:
    """The family of a side with the least cost, of so many annealings for each two patterns.

    Raises
    ------
    KTError
        If there is none.
    """
    found: list[tuple[int, dict[str, Any]]] = []
    for bottom, top in itertools.product(range(PERIOD), range(PERIOD)):
        square = Square(side, bottom, top)
        blocks = square.blocks
        start, free = filled(square.paint(), blocks), within(set[Cell]().union(*blocks), board(side, side))
        for seed in range(tries if start is not None else 0):
            assert start is not None
            codes = annealed(start, set[Cell]().union(*blocks), seed)
            if found and cost(codes) >= found[0][0]:
                continue  # merging costs more still
            one = merged(codes, free, square.entry, seed)
            if one is not None:
                found = sorted([*found, (cost(read_codes(one["seed"])), one)], key=lambda each: each[0])[:1]
    if not found:
        raise KTError(f"no family of side {side} was found: try more seeds")
    return found[0][1]


def save(path: Path, command: str, tries: int) -> None:
    """Find the families, and write them with their claim.

    Raises
    ------
    KTError
        If some side has none.
    """
    entries = [family(side, tries) for side in SIDES]
    write(path, command, entries)


def write(path: Path, command: str, entries: list[dict[str, Any]]) -> None:
    """Write families with their claim."""
    families = [TourFamily.from_json(entry) for entry in entries]
    save_claims(str(path), CHAINS_KIND, command, squares_claim(families, 2, slopes=SLOPES), entries)
