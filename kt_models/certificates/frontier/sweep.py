"""Taking the vertices one by one: the tables of states, their growth, the limit on memory.

Counts are exact: they are kept in as many 64-bit limbs as the sum of all counts of the step before, times the greatest
number of continuations of a state, can need.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_models.certificates.frontier.plan import SweepPlan, Words
from kt_models.errors import TooLarge
from kt_models.limits import NO_LIMITS, Limits

GIB = 1 << 30
DEFAULT_MEMORY = 4 * GIB
"""Bytes the tables of states may take, unless the limits say otherwise."""
UNREACHED = np.int32((1 << 31) - 1)
"""A lower bound where there is no completion at all: above every cap."""
SLICE = 4_000_000
"""Most continuations of states between two looks at the clock, a few tenths of a second."""
FIRST_ROWS = 1024
"""Rows that a table of states has room for at first."""
MOST_ROWS = 1 << 30


@dataclass
class Layer:
    """The states after some step: a row each."""

    keys: Words
    costs: npt.NDArray[np.int32]
    limbs: Words
    count: int

    @property
    def bytes_per_row(self) -> int:
        """Memory that a state takes."""
        return 8 * self.keys.shape[1] + 4 + 8 * self.limbs.shape[1]

    def view(self) -> tuple[Words, npt.NDArray[np.int32], Words]:
        """Keys, costs and counts of the rows in use."""
        return self.keys[: self.count], self.costs[: self.count], self.limbs[: self.count]

    def total(self) -> int:
        """The sum of the counts."""
        limbs = self.limbs[: self.count]
        low = (limbs & np.uint64(0xFFFFFFFF)).sum(axis=0, dtype=np.uint64)
        high = (limbs >> np.uint64(32)).sum(axis=0, dtype=np.uint64)
        return sum((int(a) + (int(b) << 32)) << (64 * k) for k, (a, b) in enumerate(zip(low, high, strict=True)))


@dataclass
class Sweep:
    """What a sweep did.

    Attributes
    ----------
    layer
        The last layer: at most one state with cost and count for each value.
    peak_states, peak_bytes
        The largest layer, and the most memory the tables took.
    dropped
        New states dropped because of the cap.
    states
        Size of the layer after each step.
    """

    layer: Layer
    peak_states: int = 0
    peak_bytes: int = 0
    dropped: int = 0
    states: list[int] = field(default_factory=list)


TablesByStep = Sequence[npt.NDArray[np.int32]] | npt.NDArray[np.int32]
"""By step, tables whose lengths are powers of two."""
Watch = Callable[[int, Layer], Layer | None]


def run(
    plan: SweepPlan,
    *,
    counting: bool,
    cap: int | None = None,
    rest: TablesByStep | None = None,
    border: TablesByStep | None = None,
    limits: Limits = NO_LIMITS,
    watch: Watch | None = None,
    begin: int = 0,
    layer: Layer | None = None,
) -> Sweep:
    """Take every vertex of a plan.

    Parameters
    ----------
    counting
        Count the solutions of each cost; otherwise keep the least cost.
    cap
        Leave out what costs more.
    rest, border
        Tables of lower bounds of what is still to be charged after each step, by the mark of the state, and by the part
        of it that is of the border.
    watch
        Called with each step and its layer; may return a layer to go on with, or None to end the sweep.
    begin, layer
        The first step, and the states before it; the one before all steps by default.

    Raises
    ------
    TooLarge
        If the tables would take more memory than they may.
    Stopped
        If the limits end it.
    """
    limit = int(UNREACHED) - 1 if cap is None else cap
    nothing = [np.zeros(1, dtype=np.int32)] * plan.steps
    rests, borders = nothing if rest is None else rest, nothing if border is None else border
    if layer is None:
        layer = _empty(plan.words, 1 if counting else 0, 1)
        layer.keys[0], layer.costs[0], layer.limbs[0], layer.count = 0, 0, 1, 1
    sweep, memory = Sweep(layer), limits.room(DEFAULT_MEMORY)
    for step in range(begin, plan.steps):
        layer = _advance(plan, step, layer, limit, (rests[step], borders[step]), counting, limits, memory, sweep)
        sweep.states.append(layer.count)
        sweep.peak_states = max(sweep.peak_states, layer.count)
        sweep.layer = layer
        if watch is not None:
            followed = watch(step, layer)
            if followed is None:
                break
            sweep.layer = layer = followed
    return sweep


def _advance(
    plan: SweepPlan,
    step: int,
    old: Layer,
    limit: int,
    bounds: tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]],
    counting: bool,
    limits: Limits,
    memory: int,
    sweep: Sweep,
) -> Layer:
    from kt_models.certificates.frontier.step import reindex, take

    children = plan.children(step)
    limbs = -(-max(1, (old.total() * children).bit_length()) // 64) if counting else 0
    new = _empty(plan.words, limbs, max(FIRST_ROWS, children + 1, old.count + old.count // 2))
    index = _index(len(new.keys))
    scratch = [np.empty(plan.words, dtype=np.uint64) for _ in range(3)]
    tally = np.zeros(1, dtype=np.int64)
    done = 0
    some = max(1, SLICE // children)

    def require_room(copied: int = 0) -> None:
        # rows not yet filled take no memory; the table of row numbers does, and rows copied to a larger table
        room = len(new.keys) if new.count > len(new.keys) // 2 else new.count
        used = old.count * old.bytes_per_row + (room + copied) * new.bytes_per_row + index.nbytes
        sweep.peak_bytes = max(sweep.peak_bytes, used)
        if used > memory or len(new.keys) > MOST_ROWS:
            raise TooLarge(
                f"a sweep of {plan.steps} vertices, at most {plan.widest} on the frontier, has {new.count:,} states at "
                f"vertex {step + 1}: its tables would take more than the limit of {memory / GIB:.2g} GiB"
            )

    limits.check()
    while done < old.count:
        require_room()
        done, new.count = take(
            plan.tables, plan.sizes, step, limit, *bounds, not counting,
            *old.view(), done, min(old.count, done + some),
            new.keys, new.costs, new.limbs, index, new.count, children, tally, *scratch,
        )  # fmt: skip
        limits.check()
        if new.count > min(len(new.keys), len(index) // 3 * 2) - children:
            require_room(copied=new.count)
            new = _grown(new)
            index = _index(0)  # the old one goes before the next one comes
            index = _index(len(new.keys))
            reindex(new.keys, new.costs, new.count, not counting, index)
    require_room()
    sweep.dropped += int(tally[0])
    return new


def _empty(words: int, limbs: int, rows: int) -> Layer:
    return Layer(
        np.empty((rows, words), dtype=np.uint64), np.empty(rows, dtype=np.int32),
        np.empty((rows, limbs), dtype=np.uint64), 0,
    )  # fmt: skip


def _grown(layer: Layer) -> Layer:
    """The same rows with room for twice as many."""
    grown = _empty(layer.keys.shape[1], layer.limbs.shape[1], 2 * len(layer.keys))
    grown.keys[: layer.count], grown.costs[: layer.count], grown.limbs[: layer.count] = layer.view()
    grown.count = layer.count
    return grown


def _index(rows: int) -> npt.NDArray[np.int32]:
    """An empty hash table for that many rows, at most two thirds full."""
    return np.full(1 << (rows * 3 // 2).bit_length(), -1, dtype=np.int32)


def select(layer: Layer, rows: npt.NDArray[Any]) -> Layer:
    """Some rows of a layer."""
    keys, costs, limbs = (part[rows] for part in layer.view())
    return Layer(keys, costs, limbs, len(costs))
