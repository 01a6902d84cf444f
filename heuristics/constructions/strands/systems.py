"""Which cells of a strands tour belong to lines of which direction: for drawings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kt_models.kernel.certificates.integers import Ints
from theorems.growing_tours.codes import REACH, checked_cycle
from theorems.growing_tours.zones import LINE, LINES, TourFamily


@dataclass(frozen=True, eq=False)
class LineSystems:
    """A board of a family, with one cycle, as two *systems* of cells: one for each direction of lines."""

    family: TourFamily
    times: tuple[int, ...]

    @cached_property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return self.family.grown(self.times)

    @cached_property
    def order(self) -> Ints:
        """Cells of the cycle through the bottom left cell, shape (k, 2)."""
        return checked_cycle(self.family.board_codes(self.times))

    @cached_property
    def systems(self) -> Ints:
        """System of each cell of the cycle, as the code of its runs."""
        left, right, low, high = self.family.zoned
        (x, y), (width, height) = self.order.T, self.size
        runs = (left - REACH <= x) & (x < right + width - self.family.size[0])
        runs &= (low <= y) & (y < high + height - self.family.size[1])
        codes = self.family.codes_at(self.times, self.order).astype(np.int64)
        for line in LINES:
            along = codes == line
            # Three line cells in a row are a run; single ones may belong to a margin
            middle = along & np.roll(along, 1) & np.roll(along, -1)
            runs |= middle | np.roll(middle, 1) | np.roll(middle, -1)
        places = np.flatnonzero(runs)
        if not len(places):
            return np.full(len(x), LINE)
        # Nearest run before and behind each cell of the cycle
        behind = np.searchsorted(places, np.arange(len(x)), side="right") - 1  # -1 is the last run: the tour is cyclic
        ahead = np.searchsorted(places, np.arange(len(x))) % len(places)
        before, after = codes[places[behind]], codes[places[ahead]]
        # A cell between runs of two systems belongs to the first one
        return np.where(before == after, before, LINE)

    @cached_property
    def system(self) -> Ints:
        """Systems by x and y."""
        table = np.empty(self.size, dtype=np.int64)
        table[tuple(self.order.T)] = self.systems
        return table

    def copies(self, axis: int) -> Iterator[tuple[int, int]]:
        """First column (row) of the copies of each zone along an axis, and the one behind the last."""
        zones = (self.family.columns, self.family.rows)[axis]
        shift = 0
        for zone, more in zip(zones, self.family.added(self.times)[axis], strict=True):
            yield zone.start + shift, zone.end + shift + more
            shift += more
