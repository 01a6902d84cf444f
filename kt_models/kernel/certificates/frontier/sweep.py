"""A sweep over all vertices of a problem, from its plan to its result: a count or a least value.

The future depends on the past only through the state. It records whether each vertex on the frontier is untouched, has
its degree, or is the end of a path, and of which path. It also records the chosen edges among those that may still form
a weighted pair with an undecided edge. So two partial solutions with the same state after the same step have the same
completions at the same further cost, and one of them, or their number, is enough (`kt_models.kernel.sweeps`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from kt_models.errors import TooLarge
from kt_models.kernel.certificates.frontier.objective import Costs
from kt_models.kernel.sweeps.bits import Ints, Words
from kt_models.kernel.sweeps.bounds import (
    ENDS_WORD,
    FULL_WORD,
    INNER_SHIFT,
    LABEL_WORD,
    MAX_CAP,
    UNREACHED,
    Marks,
    MarkTable,
    TablesByStep,
    drop_above_cap,
    lower_by_mark,
)
from kt_models.kernel.sweeps.costs import Remembered, as_words, memory, with_costs
from kt_models.kernel.sweeps.forms import Form, edges_form, form_of
from kt_models.kernel.sweeps.net import Net, loose
from kt_models.kernel.sweeps.plan import SweepPlan, whole_plan
from kt_models.kernel.sweeps.run import Layer, SweepEngine
from kt_models.kernel.sweeps.values import label_of, least, limbs
from kt_models.limits import NO_LIMITS, Limits, silent

MAX_WORDS = 12
"""Words of a state and its label."""
MAX_MARK_NUMBER = 1 << 24
"""Upper limit of the numbers that marks sum up."""

Watch = Callable[[int, Layer], Layer | None]


@dataclass(frozen=True, eq=False)
class WholeSweep:
    """The data of a sweep over all vertices besides its states.

    Parameters
    ----------
    order
        The vertices as they are taken, the hub last.
    form
        How its states are written.
    remembered
        The edges that it remembers.
    labels, cost_at
        Words of a label, and where the cost begins in the last one.
    crossing
        For a sweep from the other end, the edges that marks are read from, and for each the step that takes its other
        end; None where marks are read from degrees.
    """

    net: Net
    order: list[int]
    plan: SweepPlan
    form: Form
    remembered: Remembered
    labels: int
    cost_at: int
    crossing: dict[int, int] | None

    @property
    def steps(self) -> int:
        """Number of steps, one of them for the hub."""
        return len(self.order)

    @property
    def key(self) -> int:
        """Words of a state and its label."""
        return self.form.words + self.labels

    def of_degrees(self) -> WholeSweep:
        """The same without connectivity: it charges the same at each step, and ignores closed cycles."""
        net = loose(self.net)
        return replace(self, net=net, form=form_of(net, self.plan.slots))

    @cached_property
    def numbers(self) -> list[int]:
        """Number of each vertex in marks; 0 for the hub, and for vertices of any degree."""
        net = self.net
        numbers = np.random.default_rng(net.n).integers(MAX_MARK_NUMBER, size=net.n)
        numbers <<= np.where(net.inner, INNER_SHIFT, 0)
        numbers[(net.target == 0) | (np.arange(net.n) == net.hub)] = 0
        return [int(number) for number in numbers]

    def marks(self, number: int) -> Marks:
        """How to read the mark of a state after a step."""
        numbers = self.numbers
        weights: dict[tuple[int, int], int] = {}
        constant = 0
        if self.crossing is None:
            for v, slot in self.plan.steps[number].held:
                weights[FULL_WORD, slot], weights[ENDS_WORD, slot] = 2 * numbers[v], numbers[v]
                constant -= numbers[v] * (2 - int(self.net.target[v]))  # A vertex of degree 1 is born as an end
            return Marks.of(weights, constant)
        for e in self._across[number]:
            word, bit = divmod(self.remembered.bits[e], 64)
            weights[LABEL_WORD + word, bit] = numbers[self.order[self.remembered.decided[e]]]
        return Marks.of(weights)

    @cached_property
    def _across(self) -> list[list[int]]:
        """Edges that lead across after each step."""
        across: list[list[int]] = [[] for _ in self.order]
        for e, taken in (self.crossing or {}).items():
            for number in range(self.remembered.decided[e], taken):
                across[number].append(e)
        return across

    def costs(self, rows: Words) -> Ints:
        """The cost of each state of a table."""
        if not self.labels:
            return np.zeros(len(rows), dtype=np.int64)
        return (rows[:, self.key - 1] >> np.uint64(self.cost_at)).astype(np.int64)

    def below(self, layer: Layer, cost: int) -> Layer:
        """The states that cost less."""
        return Layer([rows[self.costs(rows) < cost] for rows in layer.parts])

    def least_by_mark(self, number: int, layer: Layer, size: int) -> MarkTable:
        """The least cost of a state after a step by mark; the size of the table is a power of two."""
        table, marks = np.full(size, UNREACHED, dtype=np.int32), self.marks(number)
        for rows in layer.parts:
            masks = np.empty((len(rows) if self.crossing is None else 0, 2), dtype=np.uint64)
            if self.crossing is None:
                assert self.form.masks is not None, "only degrees are asked for"
                self.form.masks(rows, self.form.layout(number), np.zeros(1, dtype=np.int64), masks)
            lower_by_mark(rows, masks, self.form.words, self.key - 1, self.cost_at, marks.where, marks.table, table)
        return table


def whole_sweep(
    net: Net, order: Ints, costs: Costs | None, cut: Ints | None = None, *, largest: int | None = None
) -> WholeSweep:
    """Prepare a sweep.

    After every step an edge between a vertex taken and one that is not leads *across*. The mark of a state is the sum,
    over the chosen edges that lead across, of a number of one of their ends: the one not taken, of which the state
    knows the degree, or, with `cut`, the one taken, for which such edges are remembered.

    Parameters
    ----------
    order
        The vertices in the order they are taken, without the hub.
    costs
        None: nothing is charged, and no state has a cost.
    cut
        For a sweep from the other end: for every pair of `costs` the step before whose end it is not to be charged.
        None: as soon as both edges are decided.
    largest
        The greatest cost of a state; None: the sum of all weights, which no state exceeds.

    Raises
    ------
    TooLarge
        If the states would be too wide.
    """
    plan = whole_plan(net, order)
    taken_order = [*order.tolist(), *([net.hub] if net.hub >= 0 else [])]
    form = form_of(net, plan.slots)
    if costs is None:
        _require_narrow(plan, form, 0, 0)
        return WholeSweep(net, taken_order, plan, form, memory(plan, [], None, {}), 0, 64, None)
    due = None if cut is None else cut.tolist()
    crossing = None if cut is None else _crossing(net, plan, taken_order)
    in_label = crossing is not None and net.free and net.hub < 0 and not (net.target == 1).any()
    pairs = list(zip(costs.first.tolist(), costs.second.tolist(), costs.weight.tolist(), strict=True))
    remembered = memory(plan, pairs, due, crossing or {}, int(in_label))
    labels, cost_at = label_of(remembered.size, int(costs.weight.sum()) if largest is None else largest)
    if in_label:
        form = edges_form(plan.slots, _leading(net, plan, remembered, labels))
    _require_narrow(plan, form, remembered.size, labels)
    plan = with_costs(net, plan, pairs, remembered, labels, due, forgets=cut is None)
    return WholeSweep(net, taken_order, plan, form, remembered, labels, cost_at, crossing)


def _require_narrow(plan: SweepPlan, form: Form, edges: int, labels: int) -> None:
    if form.words + labels > MAX_WORDS:
        raise TooLarge(
            f"a frontier of {plan.slots} vertices{f' and {edges} edges' if edges else ''} is too wide for a sweep: "
            f"{form.words + labels} words to a state, the limit is {MAX_WORDS}"
        )


def _crossing(net: Net, plan: SweepPlan, order: list[int]) -> dict[int, int]:
    """Step that takes the other end of each edge that leads across after some step, except those of the hub."""
    taken = {v: number for number, v in enumerate(order)}
    found = {}
    for number, step in enumerate(plan.steps):
        for e in step.names:
            u, v = net.ends[e].tolist()
            last = taken[v if u == order[number] else u]
            if net.hub not in (u, v) and last > number:
                found[e] = last
    return found


def _leading(net: Net, plan: SweepPlan, remembered: Remembered, labels: int) -> list[list[Words]]:
    """Bits of the edges to the vertex of each slot, by step, that a sweep from the other end remembers."""
    leading = []
    masks: dict[int, int] = {}  # By vertex
    for number in range(len(plan.steps)):
        held = dict(plan.steps[number - 1].held) if number else {}
        row = {slot: masks.get(v, 0) for v, slot in held.items()}
        leading.append(list(as_words([row.get(slot, 0) for slot in range(plan.slots)], labels)))
        for e in plan.steps[number].names:
            for v in net.ends[e].tolist():
                masks[v] = masks.get(v, 0) | 1 << remembered.bits[e] if e in remembered.bits else masks.get(v, 0)
    return leading


@dataclass
class Sweep:
    """The outcome of a sweep.

    Attributes
    ----------
    layer
        The last layer: at most one state for each value.
    peak_states, peak_bytes
        The largest layer, and the most memory the tables took.
    dropped
        New states dropped because of the cap.
    states
        Size of the layer after each step.
    """

    whole: WholeSweep
    layer: Layer
    peak_states: int = 0
    peak_bytes: int = 0
    dropped: int = 0
    states: list[int] = field(default_factory=list)

    @property
    def least(self) -> int | None:
        """The least cost of a state of the last layer; None if there is none."""
        return min((int(self.whole.costs(rows).min()) for rows in self.layer.parts if len(rows)), default=None)

    def counts(self) -> dict[int, int]:
        """Map of each cost to the number of solutions that the states of the last layer represent."""
        return {
            cost: sum(limb << (64 * k) for k, limb in enumerate(row))
            for rows in self.layer.parts
            for cost, row in zip(self.whole.costs(rows).tolist(), rows[:, self.whole.key :].tolist(), strict=True)
        }


def run(
    whole: WholeSweep,
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
    """Take every vertex.

    Parameters
    ----------
    counting
        Count the solutions of each cost; otherwise keep the least cost.
    cap
        Drop what costs more.
    rest, border
        Tables of lower bounds of what is still to be charged after each step, by the mark of the state, and by the part
        of it that is of the border.
    watch
        Called with each step and its layer; may return a layer to continue with, or None to end the sweep.
    begin, layer
        The first step, and the states before it, which the sweep consumes; by default all steps from the initial state.

    Raises
    ------
    TooLarge
        If the tables would take more memory than they may.
    Stopped
        If the limits end it.
    """
    value = limbs(whole.labels, whole.cost_at) if counting else least(whole.labels, whole.cost_at, whole.form.words)
    dropping = None if cap is None else _Dropping(whole, min(cap, MAX_CAP), rest, border)
    engine = SweepEngine(whole.form, value, limits, silent, drop=dropping)
    layer = engine.start() if layer is None else layer
    sweep = Sweep(whole, layer)
    for number in range(begin, whole.steps):
        if dropping:
            dropping.begin(number)
        layer = engine.advance(whole.plan, number, layer, f"step {number + 1} of {whole.steps}")
        sweep.states.append(len(layer))
        sweep.layer = layer
        if watch is not None:
            followed = watch(number, layer)
            if followed is None:
                break
            sweep.layer = layer = followed
    sweep.peak_states, sweep.peak_bytes, sweep.dropped = engine.peak_states, engine.peak_bytes, engine.dropped
    return sweep


class _Dropping:
    """Drops what costs too much."""

    def __init__(self, whole: WholeSweep, cap: int, rest: TablesByStep | None, border: TablesByStep | None) -> None:
        self.whole, self.cap = whole, cap
        nothing = np.zeros(1, dtype=np.int32)
        self.rest, self.border = ([nothing] * whole.steps if by is None else by for by in (rest, border))

    def begin(self, number: int) -> None:
        """Read the tables of a step."""
        self.tables = self.rest[number], self.border[number]
        needed = any(len(table) > 1 for table in self.tables)
        self.marks = self.whole.marks(number) if needed else Marks.of({})

    def __call__(self, number: int, fresh: Words, origins: Words, filled: int) -> int:
        whole, marks = self.whole, self.marks
        label = whole.form.words, whole.key - 1, whole.cost_at
        return int(drop_above_cap(fresh, origins, filled, *label, self.cap, marks.where, marks.table, *self.tables))
