"""Families of tours with the fewest turns (`heuristics.constructions.strands`), found: side patterns and corner blocks.

The interior is filled with lines of direction (-2, 1). Each side gets a pattern with the fewest turns per unit, each
corner a square block that is free.

1. All choices of four patterns are gone through, 2^18 for each size modulo 8 and 4. Kept are those with which all four
   blocks are balanced (`corner`), and with which no line comes back to itself where lines run between bottom
   and left, left and right, right and top.
2. All ways to fill a block with the fewest turns are found once for each two patterns, by SAT. The turns of the board
   are those of the sides and of the four blocks: so the choices with the fewest are known before any tour is.
3. For these, best crossings first, ways to fill the four blocks are put together in the order of crossings, until there
   is one cycle, and `theorems.growing_tours.strands` agrees that there always will be.

A random choice among many equal ones is made with a seed.
"""

from __future__ import annotations

import contextlib
import heapq
import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from encoders.work.run import Run, in_time
from heuristics.constructions.strands.walk import cycle_of
from kt_models.errors import CertificateError, KTError
from kt_models.limits import NO_LIMITS, Limits, Listener, Report, Stopped, silent
from research.strands.corner import Block, fewest_turns
from research.strands.sides import BOTTOM_PERIOD, LEFT_PERIOD, Patterns, Sides, half_turn
from theorems.growing_tours.codes import REACH, Codes, count, turns
from theorems.growing_tours.strands import check_one_cycle
from theorems.growing_tours.zones import Growth, TourFamily, Zone

WINDOW = 32
"""Side of the board on which blocks are filled; a multiple of both periods."""
FILLINGS = 100
"""Most ways to fill a block that are looked at."""
TRIES = 2_000
"""Most ways to fill the four blocks that are put together for one choice of patterns."""
FAR = 40
"""How much larger than the seed, in both directions, the board is on which crossings are compared."""

CORNERS = range(4, 9)
"""Sides of corner blocks."""

ALL_CLASSES: Sequence[tuple[int, int]] = tuple(
    (w, h) for w in range(BOTTOM_PERIOD) for h in range(LEFT_PERIOD) if w % 2 == 0 or h % 2 == 0
)
"""Width modulo 8 and height modulo 4 of the boards with an even number of cells."""


@dataclass(frozen=True, eq=False)
class StrandsCandidate:
    """A family, and how many more than 4(w + h) turns and crossings the seed has with `FAR` more columns and rows."""

    family: TourFamily
    turns: int
    crossings: int

    @classmethod
    def of(cls, family: TourFamily) -> StrandsCandidate:
        w, h = (size + FAR for size in family.size)
        codes = family.board_codes(family.times(w, h) or ())
        turns, crossings = (count(codes, metric) - 4 * (w + h) for metric in ("turns", "crossings"))
        return cls(family, turns, crossings)


@dataclass(eq=False)
class StrandsSearch:
    """What is found for one size of blocks, which are shared by all sizes of boards.

    Parameters
    ----------
    corner
        Side of the corner blocks.
    patterns
        Of the sides.
    prefer
        `turns`: only choices of patterns with the fewest turns; `crossings`: all, as each has 4(w + h) + O(1) turns.
    limits
        `Stopped` is raised once they are reached; their seed is of the order in which equals are tried.
    """

    corner: int
    patterns: Patterns
    prefer: str = "turns"
    limits: Limits = NO_LIMITS
    _fillings: dict[tuple[bool, int, int], tuple[int, tuple[Codes, ...]] | None] = field(default_factory=dict)

    def families(self, width: int, height: int) -> Iterator[StrandsCandidate]:
        """Families of boards of a width modulo 8 and a height modulo 4, few crossings first."""
        w, h = self._seed_size(width, height)
        best = self._best_sides(w, h)
        random.Random(self.limits.seed).shuffle(best)
        ranked = sorted((self._crossings_of(w, h, sides), number) for number, sides in enumerate(best))
        for _, number in ranked:
            found = self._joined(w, h, best[number])
            if found is not None:
                yield found

    # -- step 1 --------------------------------------------------------------------------------------------------------

    def _seed_size(self, width: int, height: int) -> tuple[int, int]:
        """The least size with two blocks on each side, a period between them, and what is needed to repeat it."""
        w, h = (2 * self.corner + REACH + period for period in (BOTTOM_PERIOD, LEFT_PERIOD))
        return w + (width - w) % BOTTOM_PERIOD, h + (height - h) % LEFT_PERIOD

    def _best_sides(self, w: int, h: int) -> list[Sides]:
        """The choices of patterns, those with the fewest turns alone if that is preferred."""
        best: list[Sides] = []
        least = None
        for sides in self._balanced(w, h):
            self.limits.check()
            if not self.patterns.drift(w, h, sides) or (fillings := self._four(w, h, sides)) is None:
                continue
            turns = sum(number for number, _ in fillings) + self._turns_outside(w, h, sides)
            if self.prefer == "turns" and (least is None or turns < least):
                best, least = [], turns
            if self.prefer != "turns" or turns == least:
                best.append(sides)
        return best

    def _balanced(self, w: int, h: int) -> Iterator[Sides]:
        bottoms, lefts = range(len(self.patterns.bottoms)), range(len(self.patterns.lefts))
        near = {pair for pair in itertools.product(bottoms, lefts) if self._block(False, *pair)[1].balanced}
        far = {pair for pair in itertools.product(bottoms, lefts) if self._block(True, *pair)[1].balanced}
        wide = {b: self.patterns.bottom_shifted(b, w - WINDOW) for b in bottoms}
        high = {left: self.patterns.left_shifted(left, h - WINDOW) for left in lefts}
        for (bottom, left), (top, right) in itertools.product(sorted(near), sorted(near)):
            if (wide[bottom], high[right]) in far and (wide[top], high[left]) in far:
                yield Sides(bottom, left, top, right)

    # -- step 2 --------------------------------------------------------------------------------------------------------

    def _block(self, right: bool, bottom: int, flank: int) -> tuple[Codes, Block]:
        """The block between a bottom and a left or a right side, and the board about it."""
        sides = Sides(bottom, -1, -1, flank) if right else Sides(bottom, flank, -1, -1)
        codes = self.patterns.paint(WINDOW, WINDOW, sides)
        return codes, Block.of(codes, (WINDOW - self.corner if right else 0, 0, self.corner, self.corner))

    def _filled(self, right: bool, bottom: int, flank: int) -> tuple[int, tuple[Codes, ...]] | None:
        """The fewest turns in a block and the ways to have them, few crossings first."""
        key = right, bottom, flank
        if key not in self._fillings:
            codes, block = self._block(*key)
            found = fewest_turns(block, FILLINGS, self.limits)
            if found is not None:
                left = block.box[0]
                near = slice(max(0, left - 8), left + self.corner + 8), slice(0, self.corner + 8)

                def crossings(filling: Codes) -> int:
                    codes[left : left + self.corner, : self.corner] = filling
                    return count(codes[near], "crossings")

                found = found[0], tuple(sorted(found[1], key=crossings))
            self._fillings[key] = found
        return self._fillings[key]

    def _four(self, w: int, h: int, sides: Sides) -> list[tuple[int, tuple[Codes, ...]]] | None:
        """Bottom left, bottom right, top left, top right; the last two turned by 180 degrees."""
        wide = [self.patterns.bottom_shifted(b, w - WINDOW) for b in (sides.bottom, sides.top)]
        high = [self.patterns.left_shifted(flank, h - WINDOW) for flank in (sides.right, sides.left)]
        four = [
            self._filled(False, sides.bottom, sides.left),
            self._filled(True, wide[0], high[0]),
            self._filled(True, wide[1], high[1]),
            self._filled(False, sides.top, sides.right),
        ]
        return None if any(part is None for part in four) else four  # type: ignore[return-value]

    def _turns_outside(self, w: int, h: int, sides: Sides) -> int:
        outside = np.ones((w, h), dtype=bool)
        for box in self._boxes(w, h):
            outside[box] = False
        return turns(self.patterns.paint(w, h, sides)[outside])

    def _boxes(self, w: int, h: int) -> list[tuple[slice, slice]]:
        s = self.corner
        return [np.s_[x : x + s, y : y + s] for y in (0, h - s) for x in (0, w - s)]

    # -- step 3 --------------------------------------------------------------------------------------------------------

    def _board(self, w: int, h: int, sides: Sides, blocks: Sequence[Codes]) -> Codes:
        codes = self.patterns.paint(w, h, sides)
        for number, (box, block) in enumerate(zip(self._boxes(w, h), blocks, strict=True)):
            codes[box] = block if number < 2 else half_turn(block)
        return codes

    def _crossings_of(self, w: int, h: int, sides: Sides) -> int:
        """On a large board, with the blocks that have the fewest."""
        self.limits.check()
        four = self._four(w, h, sides) or []
        blocks = [fillings[0] for _, fillings in four]
        return count(self._board(w + FAR, h + FAR, sides, blocks), "crossings")

    def _joined(self, w: int, h: int, sides: Sides) -> StrandsCandidate | None:
        """The first way to fill the blocks, by crossings, that makes one cycle for ever."""
        four = [fillings for _, fillings in self._four(w, h, sides) or []]
        for places in itertools.islice(_in_order([len(fillings) for fillings in four]), TRIES):
            self.limits.check()
            blocks = [fillings[place] for fillings, place in zip(four, places, strict=True)]
            codes = self._board(w, h, sides, blocks)
            if len(cycle_of(codes)) < w * h:
                continue
            family = self._family(codes)
            try:
                check_one_cycle(family)
            except CertificateError:
                continue
            return StrandsCandidate.of(family)
        return None

    def _family(self, codes: Codes) -> TourFamily:
        w, h = codes.shape
        start = self.corner + REACH
        # 2h - w, the number of lines between left and right, is at least 8
        least = -((2 * h - w - 8) // (2 * LEFT_PERIOD))
        return TourFamily(
            codes,
            (Zone(start, BOTTOM_PERIOD),),
            (Zone(start, LEFT_PERIOD),),
            (Growth((BOTTOM_PERIOD,), (LEFT_PERIOD,), -1), Growth((0,), (LEFT_PERIOD,), least)),
        )


def _in_order(sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """All choices of one place in each list, those near the beginnings first."""
    heap = [(0, (0,) * len(sizes))]
    seen = {heap[0][1]}
    while heap:
        total, places = heapq.heappop(heap)
        yield places
        for i, size in enumerate(sizes):
            after = (*places[:i], places[i] + 1, *places[i + 1 :])
            if after[i] < size and after not in seen:
                seen.add(after)
                heapq.heappush(heap, (total + 1, after))


def search_strands(
    classes: Sequence[tuple[int, int]] = ALL_CLASSES,
    *,
    prefer: str = "turns",
    corner: int = CORNERS[0],
    compare: int = 8,
    limits: Limits = NO_LIMITS,
    on_progress: Listener = silent,
) -> tuple[StrandsCandidate, ...]:
    """A family for each class of boards, with the fewest turns, or with few crossings and 4(w + h) + O(1) turns.

    Parameters
    ----------
    classes
        Width modulo 8 and height modulo 4.
    prefer
        `turns`, then few crossings; or `crossings`, then few turns.
    corner
        Side of the corner blocks; larger ones, up to 8, are taken where these do not serve a class.
    compare
        How many families of a class are compared by crossings.
    limits
        They end it with what was found.
    on_progress
        Called with a report now and then.

    Returns
    -------
    Fewer families than classes if the time was over.

    Raises
    ------
    KTError
        If a class has no family, or the arguments make no sense.
    """
    if corner not in CORNERS or compare < 1:
        raise KTError(f"corner blocks have a side from {CORNERS[0]} to {CORNERS[-1]}; at least one family is looked at")
    if prefer not in ("turns", "crossings"):
        raise KTError(f"{prefer!r} is not preferred: turns or crossings")
    for width, height in classes:
        if (width % BOTTOM_PERIOD, height % LEFT_PERIOD) not in ALL_CLASSES:
            raise KTError(f"class {width},{height}: boards of two odd sides have no closed tour")
    run = Run(limits)
    found: list[StrandsCandidate] = []

    def work() -> None:
        patterns = Patterns.search()
        searches = [StrandsSearch(side, patterns, prefer, run.limits) for side in CORNERS if side >= corner]
        for width, height in classes:
            on_progress(Report(words=f"class {width},{height}: {len(found)} of {len(classes)} found"))
            some = ([*itertools.islice(search.families(width, height), compare)] for search in searches)
            best = min(next(filter(None, some), []), key=lambda family: (family.crossings, family.turns), default=None)
            if best is None:
                raise KTError(f"no family of boards of width {width} modulo 8 and height {height} modulo 4 was found")
            found.append(best)

    with contextlib.suppress(Stopped):
        in_time(run, work)  # In a thread, so that signals are seen meanwhile
    return tuple(found)
