"""Alternating sweeps from both ends of a board: the costs of one bound the states that the other has to keep.

A sweep in the opposite order, after it has taken the last vertices, has decided exactly the edges that touch them. It
charges a pair of those edges as soon as one of the two has both ends among the taken vertices. So what it has charged
when all but the first s vertices are taken is a part of what the forward sweep charges after s vertices. The least such
charge bounds the remaining cost from there, and with it the forward sweep drops states that cannot stay within a cap.
What the forward sweep has charged after s vertices does the same for the backward sweep.

Both sweeps know how many of the chosen edges between the two parts of the board each later vertex has. The forward
sweep has these degrees in its slots, and the backward sweep remembers the edges. The *mark* is the sum over these edges
of a number of the later vertex. For one solution both sweeps compute the same mark, whatever the numbers are. So there
is a bound for each mark modulo the size of the table; marks that coincide share the least of their bounds.

Both sweeps ignore connectivity. This relaxation has far fewer states, and its bounds hold for every solution. A sweep
with too many states drops the most expensive ones. Weights are nonnegative, so what was dropped never costs less than
the cheapest dropped state, and the bounds hold if they are cut at that cost. The sweeps alternate, with more and more
states, until a backward sweep drops only what exceeds the cap, or a forward sweep has few states anyway. Then one
forward sweep of the problem itself, which also drops nothing else, is the proof.

*The border.* If most of the cost lies in one part of the graph, as crossings lie near the border of a board, the other
vertices may be declared *inner*. A backward sweep of the border uses only the degrees of its vertices and the edges
that have an end there, and charges pairs of these. An edge to an inner vertex is decided when its other end is taken,
so nothing is charged before the sweep of the whole problem charges it. So the least cost is again a bound on the
remaining cost. This sweep drops nothing and has many states; with its bounds the others have few. Its marks are sums
over the vertices of the border, which are parts of the marks of the other sweeps.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from kt_models.errors import NoMemory
from kt_models.kernel.certificates.frontier.objective import Costs
from kt_models.kernel.certificates.frontier.sweep import Sweep, WholeSweep, run, whole_sweep
from kt_models.kernel.sweeps.bits import Ints
from kt_models.kernel.sweeps.bounds import UNREACHED, TablesByStep, folded
from kt_models.kernel.sweeps.net import Net, border_of, loose
from kt_models.kernel.sweeps.run import DEFAULT_MEMORY, Layer
from kt_models.limits import NO_LIMITS, Limits, Listener, Report, silent

FIRST_STATES = 100_000
"""States that the first backward sweep may keep at a step."""
GROWTH = 4
"""Factor by which the following forward sweep may keep more, and the backward sweep after that."""
FEW_STATES = 20_000
"""With so few a forward sweep tells that the sweep of the problem itself will be small, without better bounds."""
MOST_BOUNDS = 1 << 24
"""Most entries of a table of bounds."""
MOST_BITS = 22
"""A table of the border has at most two to this power."""

Bounds = npt.NDArray[np.int32]
"""Lower bounds by number of vertices taken and mark, shape (vertices + 1, a power of two)."""


@dataclass
class BothEnds:
    """The two sweeps of a problem.

    Attributes
    ----------
    before, rest
        Lower bounds on what the forward sweep charges up to, and after, a number of vertices, for every solution within
        the cap.
    peak_states, peak_bytes
        Over all sweeps.
    """

    net: Net
    order: Ints
    costs: Costs
    limits: Limits = NO_LIMITS
    on_progress: Listener = silent
    before: Bounds = field(init=False)
    rest: Bounds = field(init=False)
    peak_states: int = 0
    peak_bytes: int = 0

    def __post_init__(self) -> None:
        n = len(self.order)
        self.whole = whole_sweep(self.net, self.order, self.costs)
        self.forward = self.whole.of_degrees()
        self.backward = self._backward(loose(self.net), self.costs)
        degrees = 4**self.forward.plan.slots  # More than there are choices of degrees on the frontier
        width = 1 << max(0, min(MOST_BOUNDS // (n + 1), degrees).bit_length() - 1)
        self.before = np.zeros((n + 1, width), dtype=np.int32)
        self.rest = np.zeros((n + 1, width), dtype=np.int32)

    def lower_bound(self) -> int:
        """A lower bound on the cost of every solution, from one short backward sweep."""
        self._thinned(self.backward, self.rest[::-1], self.before[::-1], int(UNREACHED) - 1, FIRST_STATES)
        return int(self.rest[0].min())

    @cached_property
    def border(self) -> TablesByStep:
        """Bounds on the rest by number of vertices taken, from the backward sweep of the border."""
        n, net, costs = len(self.order), border_of(self.net), self.costs
        tables = [np.zeros(1, dtype=np.int32)] * (n + 1)
        if not self.net.inner.any():
            return tables
        both = net.usable[costs.first] & net.usable[costs.second]
        costs = replace(costs, first=costs.first[both], second=costs.second[both], weight=costs.weight[both])
        plan = self._backward(net, costs)
        room = self.limits.room(DEFAULT_MEMORY)  # The tables of all steps are kept

        def watch(step: int, layer: Layer) -> Layer:
            nonlocal room
            if step < n:
                bits = min(MOST_BITS, len(layer).bit_length())
                table = folded(plan.least_by_mark(step, layer, 1 << bits))
                room -= table.nbytes
                if room < 0:
                    raise NoMemory("the bounds of the border would take more than the limit of memory")
                tables[n - step - 1] = table
            return layer

        sweep = self._noted(run(plan, counting=False, limits=self.limits, watch=watch))
        self.on_progress(Report(words=f"border, at most {sweep.peak_states:,} states", states=sweep.peak_states))
        return tables

    def _backward(self, net: Net, costs: Costs) -> WholeSweep:
        """The plan of a sweep from the other end: a pair is due when the first end of one of its edges is taken."""
        n = len(self.order)
        position = np.full(net.n, n)
        position[self.order] = np.arange(n)
        first_end = position[net.ends].reshape(-1, 2).min(axis=1, initial=n)
        return whole_sweep(
            net, self.order[::-1], costs, n - 1 - np.maximum(first_end[costs.first], first_end[costs.second])
        )

    def within(self, cap: int | None) -> tuple[Sweep, TablesByStep]:
        """The exact forward sweep of all solutions that cost at most `cap`: its last layer has the least cost.

        Returns
        -------
        tuple
            The sweep, and for `run` the bounds of the rest that hold for solutions within the cap.
        """
        rest = self.rest.copy()
        if cap is not None:
            before, states, exact = self.before.copy(), FIRST_STATES, False
            while not exact:
                exact, _ = self._thinned(self.backward, rest[::-1], before[::-1], cap, states)
                if not exact:
                    exact, sweep = self._thinned(self.forward, before, rest, cap, GROWTH * states)
                    if exact and not len(sweep.layer):  # There is no solution within the cap, of which all is true
                        rest[1:] = UNREACHED
                    exact = exact and sweep.peak_states <= FEW_STATES
                    states *= GROWTH
        after = self._after(self.whole, rest)
        border = None if cap is None else self._after(self.whole, self.border)
        sweep = run(self.whole, counting=False, cap=cap, rest=after, border=border, limits=self.limits)
        self.on_progress(Report(words=f"whole, at most {sweep.peak_states:,} states", states=sweep.peak_states))
        return self._noted(sweep), after

    def _thinned(self, plan: WholeSweep, found: Bounds, other: Bounds, cap: int, states: int) -> tuple[bool, Sweep]:
        """Sweep one way with a limit on the states at a step; raise the bounds `found`.

        Parameters
        ----------
        found, other
            By number of vertices taken this way: what is charged up to there (raised), and what is charged after.

        Returns
        -------
        tuple
            Whether states were dropped only because of the cap, and the sweep.
        """
        n = len(self.order)
        floor = int(UNREACHED)

        def watch(step: int, layer: Layer) -> Layer | None:
            nonlocal floor
            taken = step + 1
            if taken > n:  # The hub
                return layer
            least = plan.least_by_mark(step, layer, found.shape[1])
            np.maximum(found[taken], np.minimum(least, floor), out=found[taken])
            if len(layer) > states:
                costs = np.concatenate([plan.costs(rows) for rows in layer.parts])
                dear = int(np.partition(costs, states)[states])
                floor = min(floor, dear)
                layer = plan.below(layer, dear)
            if not len(layer):
                np.maximum(found[taken + 1 :], floor, out=found[taken + 1 :])
                return None
            return layer

        after, border = self._after(plan, other), self._after(plan, self.border) if plan is self.forward else None
        sweep = run(plan, counting=False, cap=cap, rest=after, border=border, limits=self.limits, watch=watch)
        way, whole = "forward" if plan is self.forward else "backward", " (all)" if floor == UNREACHED else ""
        self.on_progress(Report(words=f"{way}, at most {sweep.peak_states:,} states{whole}", states=sweep.peak_states))
        return floor == UNREACHED, self._noted(sweep)

    def _after(self, plan: WholeSweep, bounds: TablesByStep) -> TablesByStep:
        """Bounds by step, from bounds by number of vertices taken; after the last vertex nothing is charged."""
        return [*bounds[1:], *[np.zeros(1, dtype=np.int32)] * (plan.steps - len(self.order))]

    def _noted(self, sweep: Sweep) -> Sweep:
        """Record the peaks of a sweep, and return it."""
        self.peak_states = max(self.peak_states, sweep.peak_states)
        self.peak_bytes = max(self.peak_bytes, sweep.peak_bytes)
        return sweep
