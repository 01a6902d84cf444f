"""Tours by their numbers: from the middle back to both ends of the board, through the layers of states."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

import numpy as np

from encoders.counting.count import SweptHalves
from encoders.counting.meet import Meeting
from kt_models.board import IntArray
from kt_models.kernel.sweeps.bits import Words
from kt_models.kernel.sweeps.forms import CHOICE, PARENT_AT, RANK_BITS
from kt_models.kernel.sweeps.plan import PlanStep
from kt_models.kernel.sweeps.run import CHUNK, Layer


class TourNumbers:
    """The tours of a problem, numbered from 0.

    Attributes
    ----------
    total
        Number of tours.
    """

    def __init__(self, meeting: Meeting, swept: SweptHalves, edges: int) -> None:
        self.meeting, self.swept, self.edges = meeting, swept, edges
        self._rows: list[Words] = []
        self._scratch = meeting.engine.new_scratch()
        for side, layer in enumerate(swept.ends):
            named = np.concatenate(layer.parts)  # A copy: the layers stay as they are
            keys = ~named[:, 0]
            meeting.align(named, side)
            rows = np.stack([~named[:, 0], named[:, 1], keys], axis=1)
            self._rows.append(rows[np.argsort(rows[:, 0])])
        left, right = (rows[:, 0] >> np.uint64(RANK_BITS) for rows in self._rows)
        self._patterns = np.intersect1d(left, right)
        self._worth: list[int] = []
        for pattern in self._patterns:
            first, second = (self._group(side, pattern) for side in (0, 1))
            self._worth.append(self._joined(first, second))
        self._before = [0, *accumulate(self._worth)]
        self.total = self._before[-1]

    def tour(self, number: int) -> IntArray:
        """The edges of the tour with a number from 0 to `total` - 1."""
        at = bisect_right(self._before, number) - 1
        number -= self._before[at]
        first_rows, second_rows = (self._group(side, self._patterns[at]) for side in (0, 1))
        for row in first_rows:  # Of one half the state, then of the other
            worth = self._joined(row[None, :], second_rows)
            if number < worth:
                break
            number -= worth
        for other in second_rows:
            worth = self._joined(row[None, :], other[None, :])
            if number < worth:
                break
            number -= worth
        first, second = divmod(number, int(other[1]))
        chosen = [*self._walk(0, row[2], first), *self._walk(1, other[2], second)]
        return np.array(sorted(e for e in chosen if e < self.edges), dtype=np.int32)

    def _group(self, side: int, pattern: np.uint64) -> Words:
        rows = self._rows[side]
        bounds = np.array([pattern, pattern + np.uint64(1)]) << np.uint64(RANK_BITS)
        low, high = np.searchsorted(rows[:, 0], bounds)
        return rows[low:high]

    def _joined(self, first: Words, second: Words) -> int:
        desk = self.meeting.desks[0]
        desk.totals[:] = 0
        self.meeting.join(np.ascontiguousarray(first[:, :2]), np.ascontiguousarray(second[:, :2]), desk)
        return int(desk.totals[0, 0]) + (int(desk.totals[0, 1]) << 64)

    def _walk(self, side: int, key: np.uint64, number: int) -> list[int]:
        """The edges of what has a number among all that leads to a state of the last layer of a half."""
        plan, layers, edges = self.swept.parts[side], self.swept.layers[side], []
        state = ~key
        for step, layer in zip(reversed(plan.steps), reversed(layers[:-1]), strict=True):
            self.meeting.engine.limits.check()
            state, choice, number = self._come_from(step, layer, state, number)
            edges += [step.names[e - 1] for e in (choice & CHOICE, choice >> 20 & CHOICE) if e]
        return edges

    def _come_from(self, step: PlanStep, layer: Layer, state: np.uint64, number: int) -> tuple[np.uint64, int, int]:
        """The predecessor of a state with a number, from 0 in the order of the old rows.

        Returns
        -------
        tuple
            The old state, the origin of the new one, and the number among what leads to the old state.
        """
        engine, scratch = self.meeting.engine, self._scratch
        size = CHUNK // step.children
        for part in layer.parts:
            for begin in range(0, len(part), size):
                stop = min(begin + size, len(part))
                filled = engine.branch(step, part, begin, stop, scratch)
                for q in np.flatnonzero(scratch.fresh[:filled, 0] == state).tolist():
                    origin = int(scratch.origins[q, 0])
                    parent = part[begin + (origin >> PARENT_AT)]
                    if number < int(parent[1]):
                        return parent[0], origin, number
                    number -= int(parent[1])
        raise AssertionError("a state of a layer comes from one of the layer before")
