"""The count of tours by the value of one sum, such as turns, from the states of both halves of a board."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from encoders.counting.count import HalvesEffort, form_of_halves, sweep_halves, swept_net
from encoders.counting.folder import CountFolder, count_folder
from encoders.counting.halves import Across, cost_halves, cut_halves, pair_weights
from encoders.counting.meet import TALLY, Desk, Meeting
from encoders.counting.value_join import join_by_value
from kt_models.errors import KTError
from kt_models.kernel.sweeps.bits import Words
from kt_models.kernel.sweeps.forms import RANK_BITS
from kt_models.kernel.sweeps.plan import SweepPlan
from kt_models.kernel.sweeps.run import SweepEngine, TooMany
from kt_models.kernel.sweeps.values import BY_VALUE, EDGES
from kt_models.limits import NO_LIMITS, Limits, Listener, silent
from kt_models.problem import Problem

LARGEST_VALUE = 1 << 14
"""A sum of weights without their signs is below: it has to fit above the remembered edges."""
VECTOR_BYTES = 1 << 26
"""Limit of the vectors that are glued."""


@dataclass(frozen=True)
class ValueCounts(HalvesEffort):
    """The number of tours of each value, and the states and memory that the count used.

    Parameters
    ----------
    by_value
        The number of tours with each value of the objective.
    """

    by_value: dict[int, int]

    @property
    def total(self) -> int:
        """All tours."""
        return sum(self.by_value.values())


def count_values_by_halves(
    problem: Problem, *, order: Sequence[int] | None = None, cut: int | None = None,
    folder: str | os.PathLike[str] | None = None, limits: Limits = NO_LIMITS, on_progress: Listener = silent,
) -> ValueCounts | None:  # fmt: skip
    """The exact number of undirected tours with each value of the objective; images under symmetries count separately.

    Parameters
    ----------
    order, cut, folder
        As for `count_by_halves`.

    Returns
    -------
    ValueCounts or None
        None if this cannot count: as for `count_by_halves`, and if values are large or there are too few bits for the
        remembered edges.

    Raises
    ------
    TooLarge
        If the tables would take more memory.
    Stopped
        If the limits end it.
    KTError
        If the problem has a symmetry or no objective, or the order or the cut is invalid.
    """
    prepared, weights = swept_net(problem, order), problem.weights
    if weights is None:
        raise KTError("counting by value needs an objective")
    if prepared is None:
        return None
    net, taken = prepared
    constant, both = pair_weights(net, weights)
    offset = sum(abs(w) for row in both.values() for w in row.values())
    if offset >= LARGEST_VALUE:
        return None
    at, parts = cut_halves(net, taken, cut)
    if parts is None:
        return None
    planned = cost_halves(net, parts, both)
    if planned is None:
        return None
    parts, across = planned
    with count_folder(folder, parts, BY_VALUE, sums=2 * offset + 1 + TALLY) as kept:
        engine = SweepEngine(form_of_halves(parts), BY_VALUE, limits, on_progress, store=kept)
        try:
            swept = sweep_halves(parts, engine, kept)
        except TooMany:
            return None
        meeting = ValueMeeting(engine, parts, kept, across, offset)
        numbers = meeting.totals(*swept.ends)
    by_value = {constant - offset + v: number for v, number in enumerate(numbers) if number}
    states = (tuple(swept.states[0]), tuple(swept.states[1]))
    return ValueCounts(at, states, meeting.tally[1], engine.peak_bytes, by_value)


class ValueMeeting(Meeting):
    """The meeting of two halves by value: it joins their states and adds up the tours of each value.

    Parameters
    ----------
    across
        Weights of the pairs of edges of which each half decides one.
    offset
        Totals are of the values from `-offset` to `offset`.
    """

    def __init__(
        self,
        engine: SweepEngine,
        parts: tuple[SweepPlan, SweepPlan],
        folder: CountFolder | None,
        across: Across,
        offset: int,
    ) -> None:
        self.across, self.offset = across, offset
        super().__init__(engine, parts, folder)

    def _desk(self) -> Desk:
        """Scratch space for a thread, with a total for each value."""
        totals = np.zeros((2 * self.offset + 1, 2), dtype=np.uint64)
        return Desk(np.zeros(0, dtype=np.uint64), np.zeros(VECTOR_BYTES // 8, dtype=np.uint64), totals)

    def sorted(self, rows: Words) -> Words:
        """The rows of a block by degrees, remembered edges, and pairing."""
        return rows[np.lexsort([rows[:, 0], rows[:, 1] & np.uint64(EDGES), rows[:, 0] >> np.uint64(RANK_BITS)])]

    def join(self, first: Words, second: Words, desk: Desk) -> None:
        """Add the numbers of pairs of sorted rows that are one cycle, each to the total of its value."""
        if len(desk.columns) < len(second):
            desk.columns = np.zeros(len(second), dtype=np.int64)
        desk.tally[1] += join_by_value(
            first, second, self.across.at, self.across.masks, self.across.weights, self.images, self.at,
            desk.g, desk.ends, desk.columns, desk.base, self.offset, desk.totals,
        )  # fmt: skip
