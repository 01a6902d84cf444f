"""A forecast of the time and memory of a count, from narrower boards of the same length.

Two sweeps that meet in the middle of a board of width w have two rows of cells on the frontier, 2w cells. On boards of
different widths, about the same share of the conceivable states is reached. So the forecast counts narrower boards, as
wide as a moment allows, and scales their cost. By value, states also differ in the edges that they remember; the two
widest of these boards show the growth with each row or column.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from math import comb, prod
from typing import Any

from encoders.counting.count import HalvesCount, count_by_halves
from encoders.counting.values import ValueCounts, count_values_by_halves
from kt_models.board import Board
from kt_models.errors import TooLarge
from kt_models.graph import MoveGraph
from kt_models.kernel.sweeps.run import FULL
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem

NARROWEST = 4
LONG = 56
"""Cells of a board from which a count may take more than a moment."""
WRONG = 4
"""Safety factor of a forecast."""
MOMENT = 300_000
"""Most states of the largest layer of a board that is counted for a forecast."""
COUNT_ROW, VALUE_ROW = 16, 24
"""Bytes of a state, of a count and of a count by value."""
LAYERS = 2
"""Layers that memory holds: the one before, and the table of the next."""


@dataclass(frozen=True)
class Forecast:
    """The estimated cost of a count.

    Parameters
    ----------
    states
        States of the largest layer.
    total
        States of all layers.
    memory
        Bytes of the tables.
    seconds
        Seconds on this machine, with the threads that the limits allow.
    basis
        The board whose count is extrapolated.
    """

    states: float
    total: float
    memory: float
    seconds: float
    basis: str

    def to_json(self) -> dict[str, Any]:
        """The keys `states`, `all_states`, `bytes`, `expected_seconds` and `basis`."""
        sizes = {"states": self.states, "all_states": self.total, "bytes": self.memory}
        whole = sizes | {"expected_seconds": self.seconds}
        return {key: round(value) for key, value in whole.items()} | {"basis": self.basis}

    @property
    def text(self) -> str:
        """In words."""
        return (
            f"about {rounded(self.states)} states in the largest layer, {_two(self.memory / 1e9)} GB, "
            f"{spelt(self.seconds)}, by what {self.basis} took"
        )


def forecast(problem: Problem, limits: Limits = NO_LIMITS, *, by_value: bool = False) -> Forecast | None:
    """The estimated cost of counting all tours of a rectangle; None for other boards.

    Parameters
    ----------
    by_value
        Count by value of the objective.

    Raises
    ------
    Stopped
        As for counting.
    """
    graph = problem.graph
    board = graph.board
    special = problem.required or problem.forbidden or problem.terminals or problem.symmetry or problem.numbers
    if special or board is None or graph.leaper is None or not board.is_box or board.dimension != 2:
        return None
    width, length = sorted(int(side) for side in board.cells.max(axis=0) + 1)
    hub = problem.connectivity == "path"
    basis: tuple[int, HalvesCount | ValueCounts, float] | None = None
    more = 1.0
    for narrow in range(NARROWEST, width):
        if basis and basis[1].peak_states * conceivable(narrow, hub) > MOMENT * conceivable(basis[0], hub):
            break
        objective = problem.objective if by_value else None
        smaller = Problem(MoveGraph.of(Board.box(narrow, length), graph.leaper), problem.connectivity, objective)
        began = time.monotonic()
        counting = count_values_by_halves if by_value else count_by_halves
        try:
            count = counting(smaller, limits=limits)
        except TooLarge:
            break
        if count is not None:
            if basis and by_value:
                grown = count.peak_states / basis[1].peak_states
                more = max(1.0, grown * conceivable(basis[0], hub) / conceivable(narrow, hub))
            basis = (narrow, count, time.monotonic() - began)
    if basis is None:
        return None
    narrow, count, seconds = basis
    times = conceivable(width, hub) / conceivable(narrow, hub) * more ** (width - narrow)
    states = count.peak_states * times
    memory = states * LAYERS * (VALUE_ROW if by_value else COUNT_ROW) / FULL
    return Forecast(states, count.all_states * times, memory, seconds * times, f"{narrow}x{length}")


def conceivable(width: int, hub: bool) -> int:
    """The states of two rows of cells, half of them white, that have as many ends of paths on white as on black.

    Parameters
    ----------
    hub
        Whether paths may end there as well: an open tour has one end, or two.
    """
    number = 0
    for white in range(width + 1):
        for black in range(width + 1):
            ways = comb(width, white) * comb(width, black) * 2 ** (2 * width - white - black)
            used = 1 if (white + black) % 2 else 0  # Whether one path leads to the hub
            if abs(white - black) <= (1 if hub else 0):
                number += ways * prod(range(1, white + black + used, 2)) * (1 if used or not hub else 2)
    return number


def rounded(number: float) -> str:
    """With two digits, in words."""
    for size, word in ((1e12, " trillion"), (1e9, " billion"), (1e6, " million")):
        if number >= size:
            return f"{_two(number / size)}{word}"
    return _two(number)


def spelt(seconds: float) -> str:
    """A duration with two digits."""
    for size, word in ((86400, "days"), (3600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            return f"{_two(seconds / size)} {word}"
    return f"{_two(seconds)} seconds"


def _two(number: float) -> str:
    rounded = float(f"{number:.2g}")
    return f"{rounded:,.0f}" if rounded >= 10 else f"{rounded:g}"
