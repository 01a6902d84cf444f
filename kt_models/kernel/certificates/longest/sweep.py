"""The sweep that finds a longest walk; its end proves that none is longer.

It is a sweep of the engine (`kt_models.kernel.sweeps`) in which vertices may be left out. An open walk is a cycle
through one more vertex, the hub. Each edge lowers the cost of a state, so the longer of two partial walks with the same
state is kept. The label of a state has the undecided edges that cross a chosen one.

A partial walk is dropped if it cannot exceed a known length. A sweep from the other end bounds what the vertices from
the i-th on can still add.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_models.errors import TooLarge
from kt_models.graph import MoveGraph
from kt_models.jit import kernel
from kt_models.kernel.certificates.integers import Ints
from kt_models.kernel.certificates.longest.answer import Longest
from kt_models.kernel.certificates.longest.task import LongestTask
from kt_models.kernel.sweeps.bits import Words, popcount
from kt_models.kernel.sweeps.costs import as_words, bits_of
from kt_models.kernel.sweeps.forms import CHOICE, CLOSED, Form, form_of, skipping
from kt_models.kernel.sweeps.net import Net
from kt_models.kernel.sweeps.plan import CostStep, SweepPlan, whole_plan
from kt_models.kernel.sweeps.run import DEFAULT_MEMORY, Layer, SweepEngine
from kt_models.kernel.sweeps.values import TRACED_BITS, TRACED_EDGE, Value, label_of, traced
from kt_models.limits import NO_LIMITS, Limits, Stopped, silent
from kt_models.pairs import pair_weights

BEAM = 2_000
"""States after each vertex in the first, quick sweep, whose walk need not be the longest."""
UNBOUNDED = 1 << 31
"""More edges than any graph has."""
WHOLE = 1
"""The first word of the state in which the walk is complete, which no other state has."""


@dataclass(frozen=True)
class _Plan:
    """The data of a sweep besides its states.

    Parameters
    ----------
    most
        The cost of a state without edges, from which each edge takes 1.
    hub
        The hub's slot as a bit, or 0.
    sets
        For each step and edge, the bits of the label that its choice sets: those of later edges that cross it.
    blocked, reached
        For each step, the bits of blocked edges, and the slots of the vertices that they lead to.
    """

    n: int
    plan: SweepPlan
    form: Form
    value: Value
    most: int
    hub: int
    sets: list[Words]
    blocked: list[Ints]
    reached: list[Words]

    @property
    def key(self) -> int:
        """Words of a state and its label."""
        return self.form.words + self.value.labels

    def start(self) -> Layer:
        """The layer with the initial state only."""
        label = as_words([self.most << self.value.cost_at + 64 * (self.value.labels - 1)], self.value.labels)[0]
        return Layer([np.array([[*self.form.start, *label.tolist(), 0]], dtype=np.uint64)])

    def edges(self, rows: Words) -> Ints:
        """Number of edges of each state."""
        return self.most - (rows[:, self.key - 1] >> np.uint64(self.value.cost_at)).astype(np.int64)


def longest(task: LongestTask, *, at_least: int = 0, limits: Limits = NO_LIMITS) -> Longest:
    """A longest walk, or only a long one if limits or memory end the sweep.

    Parameters
    ----------
    at_least
        Look only for walks of at least this many moves; if there is none, the bound is one less.

    Raises
    ------
    TooLarge
        If not even a quick sweep is possible.
    Stopped
        If the limits are reached before a walk is known.
    """
    if task.core is not task:
        return replace(longest(task.core, at_least=at_least, limits=limits), task=task)
    order = _order(task.graph)
    plan = _plan(task, order)
    ends = 0 if task.closed else 2  # Edges of the hub
    floor = max(at_least - 1, -1 if task.closed else 0)
    best = _sweep(plan, floor + ends, None, limits, beam=BEAM)
    states, reason = best.states, ""
    try:
        final = _sweep(plan, best.edges, _rest(task, order, best.edges, limits), limits)
        states = max(states, final.states)
        best = final if final.edges > best.edges else best
    except (Stopped, TooLarge) as error:
        reason = str(error)
    walk = tuple(sorted(e for e in best.walk if e < task.graph.m))
    if not walk and (best.edges != ends or at_least > 0 or task.closed):
        return Longest(task, -1, (), None if reason else max(floor, 0), states, reason)
    return Longest(task, len(walk), walk, None if reason else len(walk), states, reason)


def _rest(task: LongestTask, order: list[int], known: int, limits: Limits) -> Ints:
    """Most that a walk of more than `known` edges can add from each step on."""
    n = len(order)
    inner = _sweep(_plan(task, order[::-1]), known, None, limits, stop=n - n // 2).inner
    rest = np.full(n + 1, UNBOUNDED, dtype=np.int64)
    rest[n - np.arange(len(inner))] = inner
    for i in range(n - 1, -1, -1):  # A vertex decides two edges at most
        rest[i] = min(rest[i], rest[i + 1] + 2)
    return rest


def _order(graph: MoveGraph) -> list[int]:
    """The vertices, rank by rank along the axis that keeps the frontier narrow."""
    if graph.board is None:
        return list(range(graph.n))
    cells = graph.board.cells
    axes = sorted(range(graph.board.dimension), key=lambda axis: graph.board.shape[axis])  # type: ignore[union-attr]
    orders = [np.lexsort(cells.T[[other for other in axes if other != axis] + [axis]]) for axis in axes]

    def reach(order: npt.NDArray[Any]) -> int:
        place = np.empty(graph.n, dtype=np.int64)
        place[order] = np.arange(graph.n)
        return int(np.abs(place[graph.tails] - place[graph.heads]).max(initial=0))

    return [int(v) for v in min(orders, key=reach)]


def _plan(task: LongestTask, order: list[int]) -> _Plan:
    graph, n, m = task.graph, task.graph.n, task.graph.m
    crossing = pair_weights(graph, "crossings") if task.uncrossed else None
    pairs = [] if crossing is None else list(zip(crossing.first.tolist(), crossing.second.tolist(), strict=True))
    loops = [e for e, f in pairs if e == f]  # On a narrow periodic board a move can cross its image
    ends, total = graph.ends.astype(np.int64).reshape(-1, 2), n
    usable = ends[:, 0] != ends[:, 1]
    usable[loops] = False
    if not task.closed:
        ends = np.concatenate([ends, np.stack([np.arange(n), np.full(n, n)], axis=1)])
        usable, total = np.concatenate([usable, np.ones(n, dtype=bool)]), n + 1
    nothing, hub = np.zeros(total, dtype=np.int64), -1 if task.closed else n
    net = Net(
        total, ends, m, np.full(total, 2), nothing, 0, usable, np.zeros(len(ends), dtype=bool), hub, True, False,
        nothing > 0,
    )  # fmt: skip
    whole = whole_plan(net, np.array(order, dtype=np.int64))
    hub_bit = 0 if task.closed else 1 << dict(whole.steps[0].held)[n]
    steps = tuple(replace(step, watch=(), balance=(-1, 0, 0, 0), whole=hub_bit) for step in whole.steps[:n])
    decided = {e: number for number, step in enumerate(steps) for e in step.names}
    # By edge the later ones, or those of the same step, that cross it
    crossed: dict[int, list[int]] = defaultdict(list)
    for e, f in pairs:
        if e in decided and f in decided and e != f:
            for early, late in ((e, f), (f, e)):
                if decided[early] <= decided[late]:
                    crossed[early].append(late)
    begins: dict[int, int] = {}  # By edge the first step that may block it, in the order of these steps
    for e, late_edges in sorted(crossed.items(), key=lambda item: decided[item[0]]):
        for f in late_edges:
            if decided[f] > decided[e]:
                begins.setdefault(f, decided[e])
    # A bit belongs to an edge from the step at which it may be blocked to that which decides it
    bits = bits_of((e, begin, decided[e]) for e, begin in begins.items())
    most = total + 1
    far = 2 * most  # What a crossing costs: too much
    labels, cost_at = label_of(1 + max(bits.values(), default=-1), most + 3 * far)
    costs, sets, blocked, reached = [], [], [], []
    for number, step in enumerate(steps):
        m_step = len(step.names)
        within = np.zeros((m_step, m_step), dtype=np.int64)
        np.fill_diagonal(within, -1)
        at = {e: i for i, e in enumerate(step.names)}
        for e in step.names:
            for f in crossed[e]:
                if f in at:
                    within[at[e], at[f]] = within[at[f], at[e]] = far
        barred = [e for e in step.names if e in bits]
        live = {f: bits[f] for f in begins if begins[f] <= number < decided[f]}
        none, no_words = np.zeros(0, dtype=np.int64), np.zeros((0, labels), dtype=np.uint64)
        costs.append(
            CostStep(
                bits=np.full(m_step, -1, dtype=np.int64),
                within=within,
                charge_at=np.cumsum([0, *(e in bits for e in step.names)]),
                charge_masks=as_words([1 << bits[e] for e in barred], labels),
                charge_weights=np.full(len(barred), far, dtype=np.int64),
                due=none,
                due_at=np.zeros(1, dtype=np.int64),
                due_masks=no_words,
                due_weights=none,
                keep=as_words([sum(1 << bit for bit in live.values())], labels)[0],
                doubtful=none,
                partner_at=np.zeros(1, dtype=np.int64),
                partners=np.zeros(0, dtype=np.uint64),
            )
        )
        sets.append(as_words([sum({1 << bits[f] for f in crossed[e] if f in live}) for e in step.names], labels))
        slots = dict(step.held)
        blocked.append(np.array(list(live.values()), dtype=np.int64))
        reached.append(
            np.array([sum({1 << slots[v] for v in ends[f].tolist() if v in slots}) for f in live], dtype=np.uint64)
        )
    plan = replace(whole, steps=steps, costs=tuple(costs))
    form = skipping(form_of(net, whole.slots))
    return _Plan(n, plan, form, traced(labels, cost_at), most, hub_bit, sets, blocked, reached)


# -- the sweep ---------------------------------------------------------------------------------------------------------


@dataclass
class _Outcome:
    """The longest walk of a sweep, and for each step the most edges that a partial walk has between taken vertices."""

    edges: int
    walk: list[int]
    inner: list[int]
    states: int


def _sweep(
    plan: _Plan, known: int, rest: Ints | None, limits: Limits, *, beam: int = 0, stop: int | None = None
) -> _Outcome:
    """Take the vertices one by one; with `beam` only the best states are kept, so that the walk may not be longest."""
    sift = _Sift(plan, known)
    engine = SweepEngine(plan.form, plan.value, limits, silent, drop=sift)
    layer, room = plan.start(), limits.room(DEFAULT_MEMORY)
    history: list[Words] = []
    best, end, inner, peak = known, (-1, 0), [0], 1
    for v in range(plan.n if stop is None else stop):
        sift.begin(best, UNBOUNDED if rest is None else int(rest[v + 1]))
        place = 0
        for rows in layer.parts:
            rows[:, -1] = np.arange(place, place + len(rows), dtype=np.uint64)
            place += len(rows)
        layer = engine.advance(plan.plan, v, layer, f"vertex {v + 1} of {plan.n}")
        for i, rows in enumerate(layer.parts):
            whole = rows[:, 0] == WHOLE
            if whole.any():  # One state of all
                best = int(plan.edges(rows[whole])[0])
                end = v, int(rows[whole][0, -1])
                layer.parts[i] = rows[~whole]
        peak = max(peak, len(layer))
        if beam and len(layer) > beam:
            rows = np.concatenate(layer.parts)
            layer = Layer([rows[np.argsort(-plan.edges(rows), kind="stable")[:beam]]])
        history.append(np.concatenate([part[:, -1] for part in layer.parts]))
        room -= history[-1].nbytes
        engine.memory = min(engine.memory, room)
        inner.append(max(*sift.inner, 0, best if best > known else 0))
    return _Outcome(best, _walk(plan, history, *end), inner, peak)


def _walk(plan: _Plan, history: list[Words], v: int, word: int) -> list[int]:
    """The edges of the walk that was completed at step v, traced back from its state."""
    walk: list[int] = []
    while v >= 0:
        names = plan.plan.steps[v].names
        walk += [names[k - 1] for k in (word & TRACED_EDGE, word >> TRACED_BITS & TRACED_EDGE) if k]
        v -= 1
        word = int(history[v][word >> 2 * TRACED_BITS]) if v >= 0 else 0
    return walk


class _Sift:
    """Completes labels, marks complete walks, and drops what cannot exceed a length."""

    def __init__(self, plan: _Plan, known: int) -> None:
        self.plan = plan
        self.begin(known, UNBOUNDED)

    def begin(self, best: int, later: int) -> None:
        """Set, before a step, the length and the most that the rest can add."""
        self.best, self.later = best, later
        self.inner = [0]

    def __call__(self, number: int, fresh: Words, origins: Words, filled: int) -> int:
        plan = self.plan
        found = np.zeros(1, dtype=np.int64)
        dropped = sift(
            fresh, origins, filled, plan.form.words, plan.value.labels, plan.value.cost_at, plan.most, plan.hub,
            self.best, self.later, plan.sets[number], plan.blocked[number], plan.reached[number], found,
        )  # fmt: skip
        self.inner.append(int(found[0]))  # By threads side by side
        return int(dropped)


@kernel(
    "int64(uint64[:, ::1], uint64[:, ::1], int64, int64, int64, int64, int64, int64, int64, int64, uint64[:, ::1], "
    "int64[::1], uint64[::1], int64[::1])",
    counts=False,
)
def sift(
    fresh: Words, origins: Words, filled: int, first: int, labels: int, cost_at: int, most: int, hub: int, best: int,
    later: int, sets: Words, blocked: Ints, reached: Words, found: Ints,
) -> int:  # fmt: skip
    """Drop children that cross, or that have at most `best` edges with `later` more; return how many remain.

    Of the others that are whole the state becomes `WHOLE`. The labels get what the edges chosen block, without edges
    that lead to a full vertex. `found` gets the most edges between vertices taken.
    """
    dropped, last = 0, first + labels - 1
    for q in range(filled):
        edges = most - np.int64(fresh[q, last] >> np.uint64(cost_at))
        whole = origins[q, 1] == CLOSED
        if edges < 0 or edges + (0 if whole else later) <= best:
            fresh[q, 0] = 0
            dropped += 1
            continue
        if whole:
            for k in range(last):
                fresh[q, k] = 0
            fresh[q, 0] = WHOLE
            fresh[q, last] = np.uint64(most - edges) << np.uint64(cost_at)
            continue
        origin = np.int64(origins[q, 0])
        for choice in (origin & CHOICE, origin >> 20 & CHOICE):
            if choice > 0:
                for k in range(labels):
                    fresh[q, first + k] |= sets[choice - 1, k]
        for i in range(len(blocked)):
            if origins[q, 1] & reached[i]:
                fresh[q, first + (blocked[i] >> 6)] &= ~(np.uint64(1) << np.uint64(blocked[i] & 63))
        outside = ~np.uint64(hub)
        ahead = popcount(origins[q, 2] & outside) + 2 * popcount(origins[q, 1] & outside)
        found[0] = max(found[0], edges - ahead)
    return dropped
