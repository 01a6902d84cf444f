"""The cell at an index of the tour, in constant time (Besa et al. 2022, Lemma 3).

A track is cut where the kinds of transitions before, at and after a diagonal change: a bounded number of *regimes*,
found by arithmetic from the layout's two corners. In a regime the quartet goes down and up again and again. The length
of the run grows by a constant from one such block to the next, and the positions repeat after at most four blocks. So
the number of cells up to a block is a quadratic polynomial, which is inverted.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from heuristics.papers.taming.formation.construct import Section, gadget_tables, sections
from heuristics.papers.taming.formation.gadgets import Junction
from heuristics.papers.taming.formation.layout import Plan, Transition
from heuristics.papers.taming.formation.quartet import POSITIONS, FormationGadget, Point
from kt_models.kernel.certificates.integers import Ints

SEARCH_RADIUS = 8
"""Blocks and places on either side of the estimate that are tried for a cell."""
CORNER_RADIUS = 3
"""Diagonals on either side of a corner that have their own transitions."""


@dataclass(frozen=True)
class Line:
    """A quantity that grows by a constant from block to block of a regime."""

    at: Any
    grows: Any

    @classmethod
    def through(cls, first: Any, second: Any) -> Line:
        """The line through its values at blocks 0 and 1."""
        return cls(np.array(first), np.array(second) - np.array(first))


@dataclass(frozen=True)
class Regime:
    """Blocks `begin` to `end` of the walk: down, a transition, up, a transition, with the same kinds in each.

    Parameters
    ----------
    kinds
        Numbers of the two gadgets.
    place
        Places of the quartet at the start of a block: displacements (2,) by block.
    entries
        Places where it enters the two transitions.
    runs
        Numbers of diagonal moves down and up.
    """

    begin: int
    end: int
    kinds: tuple[int, int]
    place: Line
    entries: tuple[Line, Line]
    runs: tuple[Line, Line]


@dataclass(frozen=True, eq=False)
class Locator:
    """The tour of a plan between two junctions, cell by cell, in constant time."""

    plan: Plan
    bottom_left: Junction
    top_right: Junction

    @cached_property
    def _gadgets(self) -> list[FormationGadget]:
        return self.plan.gadgets_in_use()

    @cached_property
    def _tables(self) -> tuple[Ints, Ints, Ints]:
        return gadget_tables(self._gadgets)

    @cached_property
    def regimes(self) -> list[Regime]:
        pairs, plan = self.plan.pairs, self.plan
        # Near the corners of the board the transitions change from diagonal to diagonal, so each has a regime of its
        # own there.
        corner = (plan.width - 2 * (plan.low - 2)) // 8
        far_corner = pairs - 1 - (plan.width - 2 * (plan.high - 2)) // 8
        cuts = {0, 1, pairs} | {c + d for c in (corner, far_corner) for d in range(-CORNER_RADIUS, CORNER_RADIUS + 1)}
        bounds = sorted(cut for cut in cuts if 0 <= cut <= pairs)
        return [self._regime(a, b) for a, b in itertools.pairwise(bounds)]

    def _regime(self, begin: int, end: int) -> Regime:
        def block(number: int) -> tuple[Point, Transition, Transition]:
            place = self.plan.transition(2 * number - 1).exit if number else self.plan.start
            return place, self.plan.transition(2 * number), self.plan.transition(2 * number + 1)

        # All quantities are linear in the block, so the first two blocks determine a regime.
        first = block(begin)
        second = block(begin + 1) if end > begin + 1 else first
        lines = []
        for place, down, up in (first, second):
            runs = (down.entry.x - place.x) // 2, (down.exit.x - up.entry.x) // 2
            lines.append((place, down.entry, up.entry, *runs))
        at, entry_a, entry_b, run_a, run_b = (Line.through(a, b) for a, b in zip(*lines, strict=True))
        kinds = self._gadgets.index(first[1].gadget), self._gadgets.index(first[2].gadget)
        return Regime(begin, end, kinds, at, (entry_a, entry_b), (run_a, run_b))

    @cached_property
    def _walks(self) -> list[list[_Stretch]]:
        """Stretch of each track in every regime."""
        _, lengths, permutations = self._tables
        walks = []
        for knight in range(4):
            at, start = knight, 1
            stretches = []
            for regime in self.regimes:
                # The permutations of two transitions repeat after the length of their cycle.
                a, b = regime.kinds
                cycle = [at]
                while (after := int(permutations[b][permutations[a][cycle[-1]]])) != at:
                    cycle.append(after)
                rail_lengths = [int(lengths[a][p] + lengths[b][permutations[a][p]]) for p in cycle]
                base = int(regime.runs[0].at + regime.runs[1].at)
                grows = int(regime.runs[0].grows + regime.runs[1].grows)
                stretch = _Stretch(start, tuple(cycle), tuple(rail_lengths), base, grows)
                stretches.append(stretch)
                blocks = regime.end - regime.begin
                start += stretch.cells(blocks)
                at = cycle[blocks % len(cycle)]
            last = self._last_run
            stretches.append(_Stretch(start, (at,), (0,), last, 0))
            walks.append(stretches)
        return walks

    @cached_property
    def _last_place(self) -> Point:
        return self.plan.transition(2 * self.plan.pairs - 1).exit if self.plan.pairs else self.plan.start

    @property
    def _last_run(self) -> int:
        return (self.plan.finish.x - self._last_place.x) // 2

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """The cycle from the bottom left cell on (see `construct.sections`)."""
        ends = [walk[-1].cycle[0] for walk in self._walks]
        sizes = [walk[-1].start + self._last_run for walk in self._walks]
        return sections(ends, sizes, self.bottom_left, self.top_right, self.plan.width, self.plan.height)

    def cell(self, index: int) -> Point:
        """The cell at an index of the tour, the bottom left one at 0 (Lemma 3)."""
        return Point(*self.cells(np.array([index]))[0].tolist())

    def index(self, cell: Sequence[int]) -> int:
        """The index in the tour of a cell, the inverse of `cell`, also in constant time.

        In a regime a cell lies near only one block, which a line finds; the possible places there are tried.

        Raises
        ------
        ValueError
            If the cell is none of the board.
        """
        goal = np.array([int(part) for part in cell])
        places_of_sections: list[Ints] = []
        for section in self.sections:
            if section.corner:
                places_of_sections.append(section.start + np.arange(len(section.cells)))
                continue
            places = np.unique(np.concatenate([*self._near(section.track, goal), np.zeros(1, dtype=np.int64)]))
            places = places[(places >= 0) & (places < section.length)]
            # A section walked backward counts its cells from its end.
            places_of_sections.append(section.start + (places if section.forward else section.length - 1 - places))
        candidates = np.concatenate(places_of_sections)
        # The candidates are only near the cell; the exact one is found by computing their cells.
        hits = candidates[(self.cells(candidates) == goal).all(axis=1)]
        if len(hits) != 1:
            raise ValueError(f"({goal[0]}, {goal[1]}) is not a cell of {self.plan.width}x{self.plan.height}")
        return int(hits[0])

    def _near(self, track: int, goal: Ints) -> Iterator[Ints]:
        """A bounded number of places on a track that might be a cell."""
        _, lengths, _ = self._tables
        diagonal, around = np.array([2, -1]), np.arange(-SEARCH_RADIUS, SEARCH_RADIUS + 1)
        walk = self._walks[track]
        for regime, stretch in zip(self.regimes, walk, strict=False):
            # Solve for the block whose start lies on the diagonal of the cell.
            away, grows = goal - regime.place.at, regime.place.grows
            across = int(grows[0] * diagonal[1] - grows[1] * diagonal[0])
            at = (away[0] * diagonal[1] - away[1] * diagonal[0]) // across if across else 0
            block = np.clip(at + around, 0, max(0, regime.end - regime.begin - 1))
            first = stretch.start + stretch.cells(block)
            for kind, entry, run in zip(regime.kinds, regime.entries, regime.runs, strict=True):
                length = run.at + block * run.grows
                # Moves to the end of the run.
                left = np.abs(entry.at + block[:, None] * entry.grows - goal)[:, :1] // 2
                yield (first[:, None] + np.clip(length[:, None] - left + around, 0, length[:, None])).reshape(-1)
                gadget = np.arange(-SEARCH_RADIUS, int(lengths[kind].max()) + SEARCH_RADIUS)
                first = first + length
                yield (first[:, None] + gadget).reshape(-1)
                first = first + int(lengths[kind].min())
        steps = (goal[0] - self._last_place.x) // 2 + around
        yield walk[-1].start + np.clip(steps, 0, max(0, self._last_run))

    def cells(self, indices: npt.ArrayLike) -> Ints:
        """The cells at indices of the tour, shape (m, 2)."""
        index = np.asarray(indices, dtype=np.int64)
        starts = np.array([section.start for section in self.sections])
        where = np.searchsorted(starts, index, side="right") - 1
        cells = np.zeros((len(index), 2), dtype=np.int64)
        for number, section in enumerate(self.sections):
            mine = where == number
            offset = index[mine] - section.start
            if section.corner:
                cells[mine] = np.array(section.cells)[offset]
            else:
                cells[mine] = self._on_track(section.track, offset if section.forward else section.length - 1 - offset)
        return cells

    def _on_track(self, track: int, index: Ints) -> Ints:
        walk = self._walks[track]
        cells = np.empty((len(index), 2), dtype=np.int64)
        cells[index == 0] = np.array(self.plan.start) + np.array(POSITIONS[track])
        which = np.searchsorted([stretch.start for stretch in walk], index, side="right") - 1
        for number, stretch in enumerate(walk):
            mine = (which == number) & (index > 0)
            offset = index[mine] - stretch.start
            if number == len(self.regimes):
                steps = (offset + 1)[:, None] * np.array([2, -1])
                cells[mine] = np.array(self._last_place) + steps + np.array(POSITIONS[stretch.cycle[0]])
            else:
                cells[mine] = self._in_regime(self.regimes[number], stretch, offset)
        return cells

    def _in_regime(self, regime: Regime, stretch: _Stretch, offset: Ints) -> Ints:
        paths, lengths, permutations = self._tables
        block, rest = stretch.block_of(offset)
        position = np.array(stretch.cycle)[block % len(stretch.cycle)]
        cells = np.zeros((len(offset), 2), dtype=np.int64)
        undone = np.ones(len(offset), dtype=bool)
        place = regime.place.at + block[:, None] * regime.place.grows
        # Each cell lies in one of the four parts of a block. `rest` is what remains of its place after the parts
        # before.
        for kind, entry, run, down in zip(regime.kinds, regime.entries, regime.runs, (1, -1), strict=True):
            length = run.at + block * run.grows
            placed = undone & (rest < length)
            steps = (rest + 1)[:, None] * np.array([2, -1]) * down
            cells[placed] = (place + steps + np.array(POSITIONS)[position])[placed]
            undone &= ~placed
            rest = np.where(undone, rest - length, rest)
            placed = undone & (rest < lengths[kind][position])
            place = entry.at + block[:, None] * entry.grows
            inside = np.minimum(rest + 1, paths.shape[2] - 1)
            cells[placed] = (place + paths[kind, position, np.maximum(inside, 0)])[placed]
            undone &= ~placed
            rest = np.where(undone, rest - lengths[kind][position], rest)
            place = place + np.array(self._gadgets[kind].exit)
            position = permutations[kind][position]
        return cells


@dataclass(frozen=True)
class _Stretch:
    """One track in one regime: block u has `base + u·grows + steps[u mod r]` cells, r the length of the cycle.

    Parameters
    ----------
    start
        Index on the track of its first cell.
    cycle
        Positions at which the knight begins the blocks, repeating.
    steps
        Cells of the two transitions, by place in the cycle.
    """

    start: int
    cycle: tuple[int, ...]
    steps: tuple[int, ...]
    base: int
    grows: int

    def cells(self, blocks: Any) -> Any:
        """Cells of the first blocks."""
        full, part = blocks // len(self.steps), blocks % len(self.steps)
        partial = np.concatenate([[0], np.cumsum(self.steps)])[part]
        total = blocks * self.base + blocks * (blocks - 1) // 2 * self.grows + full * sum(self.steps) + partial
        return int(total) if isinstance(blocks, int) else total

    def block_of(self, offset: Ints) -> tuple[Ints, Ints]:
        """The block that contains a cell of the stretch, and the cell's place in the block."""
        # A quadratic in the block: its cells grow linearly from block to block.
        mean = self.base + sum(self.steps) / len(self.steps) - self.grows / 2
        if self.grows:  # Grows/2 · u² + mean · u = offset, the lesser root
            root = np.sqrt(np.maximum(mean * mean + 2.0 * self.grows * offset, 0.0))
            # This form of the root loses no digits when `mean` is much larger than the growth.
            guess = 2.0 * offset / (mean + root)
        else:
            guess = offset / mean
        block = np.maximum(guess.astype(np.int64), 0)
        # A block has more cells than its own part differs from the mean: the guess is at most a few blocks off
        for _ in range(3 * len(self.steps)):
            block = np.where(self.cells(block) > offset, block - 1, block)
        for _ in range(6 * len(self.steps)):
            block = np.where(self.cells(block + 1) <= offset, block + 1, block)
        return block, offset - self.cells(block)
