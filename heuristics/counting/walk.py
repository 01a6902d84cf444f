"""Tours by number: from the middle back to both ends of the board, through the layers of states."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

import numpy as np

from heuristics.counting.count import SweptHalves
from heuristics.counting.meet import Meeting
from heuristics.counting.states import RANK_BITS
from heuristics.counting.step import CHOICE, come_from
from heuristics.counting.sweep import CHUNK
from kt_models.board import IntArray
from kt_models.certificates.frontier.plan import Words


class TourNumbers:
    """The tours of a problem, numbered from 0.

    Attributes
    ----------
    total
        How many there are.
    """

    def __init__(self, meeting: Meeting, swept: SweptHalves, edges: int) -> None:
        self.meeting, self.swept, self.edges = meeting, swept, edges
        self._rows: list[Words] = []
        for side, layer in enumerate(swept.ends):
            named = np.concatenate(layer.parts)  # a copy: the layers stay as they are
            own = ~named[:, 0]
            meeting.align(named, side)
            rows = np.stack([~named[:, 0], named[:, 1], own], axis=1)
            self._rows.append(rows[np.argsort(rows[:, 0])])
        left, right = (rows[:, 0] >> np.uint64(RANK_BITS) for rows in self._rows)
        self._patterns = np.intersect1d(left, right)
        self._worth: list[int] = []
        for pattern in self._patterns:
            one, two = (self._group(side, pattern) for side in (0, 1))
            self._worth.append(self._joined(one, two))
        self._before = [0, *accumulate(self._worth)]
        self.total = self._before[-1]

    def tour(self, number: int) -> IntArray:
        """The edges of the tour that has a number from 0 to `total` - 1."""
        at = bisect_right(self._before, number) - 1
        number -= self._before[at]
        one, two = (self._group(side, self._patterns[at]) for side in (0, 1))
        for row in one:  # of one half the state, then of the other
            worth = self._joined(row[None, :], two)
            if number < worth:
                break
            number -= worth
        for other in two:
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

    def _joined(self, one: Words, two: Words) -> int:
        desk = self.meeting.desks[0]
        desk.total[:] = 0
        self.meeting.join(np.ascontiguousarray(one[:, :2]), np.ascontiguousarray(two[:, :2]), desk)
        return int(desk.total[0]) + (int(desk.total[1]) << 64)

    def _walk(self, side: int, key: np.uint64, number: int) -> list[int]:
        """The edges of what has a number among all that leads to a state of the last layer of a half."""
        half, layers = self.swept.parts[side], self.swept.layers[side]
        tables = self.meeting.tables
        state, answer, edges = ~key, np.zeros(3, dtype=np.uint64), []
        scratch = np.zeros((CHUNK, 2), dtype=np.uint64)
        for step, layer in zip(reversed(half.steps), reversed(layers[:-1]), strict=True):
            tables.limits.check()
            told = step.arguments(half.slots)
            came = False
            for part in layer.parts:
                came = came or come_from(part, state, np.uint64(number), *told, tables.mate, scratch, answer)
                number = int(answer[2])
            assert came, "a state of a layer comes from one of the layer before"
            choice = int(answer[1])
            edges += [step.names[e - 1] for e in (choice & CHOICE, choice >> 20 & CHOICE) if e]
            state = answer[0]
        return edges
