"""The plan of a sweep: the order of the vertices, what each decides, and what a step charges.

A sweep takes vertices in an order. A vertex that was reached and still has undecided edges is on the *frontier*, and
has a slot there. A step decides some edges of one vertex.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from heapq import heappop, heappush
from itertools import takewhile
from typing import NamedTuple

import numpy as np

from kt_models.errors import TooLarge
from kt_models.kernel.sweeps.bits import Ints, Words
from kt_models.kernel.sweeps.net import Net

MAX_SLOTS = 19
"""Most vertices on the frontier for which a state with its pairing fits into a word (`forms`)."""
MAX_WHOLE_EDGES = 360
"""Most edges that a step of a sweep over all vertices decides: one state then has at most 64,981 children."""
MAX_WIDE_SLOTS = 60
"""Most vertices on the frontier of any sweep: each has a bit of a word."""
NO_SLOT = 62
"""Stands for the slot of a vertex that has none: no state has this bit."""
Incidence = tuple[int, int]
"""An edge at a vertex, and its other end."""


@dataclass(frozen=True)
class PlanStep:
    """Decide some edges of a vertex.

    Parameters
    ----------
    vertex
        Its slot.
    edges
        For each edge, the slot of the other end (`NO_SLOT` if that may have any degree), whether it is required,
        whether it reverses the sign, and its winding to the other end (see `Winding`).
    retire
        Whether the vertex has no other edges left, so that it must have its degree now.
    watch
        Vertices that can have too few edges left after the step: slot, slots (as bits) of those on the frontier to
        which they have undecided edges, number of other undecided edges.
    names
        The edges' numbers in the net.
    balance
        What `forms.balanced` reads.
    held
        The vertices on the frontier after the step, and their slots.
    born
        The vertices of degree 1 that the step reaches: slot, and number of the linkage. Each begins as the end of a
        path whose other end is identified by that number.
    whole
        The slots that must be full where the one cycle closes, if it may close at the step; otherwise 0.
    """

    vertex: int
    edges: tuple[tuple[int, bool, bool, int], ...]
    retire: bool
    watch: tuple[tuple[int, int, int], ...]
    names: tuple[int, ...] = field(compare=False)
    balance: tuple[int, int, int, int] = field(default=(-1, 0, 0, 0), repr=False)  # A folder's key is of the others
    held: tuple[tuple[int, int], ...] = field(default=(), compare=False, repr=False)
    born: tuple[tuple[int, int], ...] = ()
    whole: int = 0

    @property
    def children(self) -> int:
        """Largest number of children of a state."""
        m = len(self.edges)
        return 1 + m + m * (m - 1) // 2

    @cached_property
    def arguments(self) -> tuple[int, Ints, bool, int, Ints, Ints, Ints, int]:
        """In the order of the compiled loop."""
        edges = np.array(self.edges, dtype=np.int64).reshape(-1, 4)
        watch = np.array(self.watch, dtype=np.int64).reshape(-1, 3)
        born = np.array(self.born, dtype=np.int64).reshape(-1, 2)
        balance = np.array(self.balance, dtype=np.int64)
        return self.vertex, edges, self.retire, int(edges[:, 1].sum()), watch, balance, born, self.whole


class CostStep(NamedTuple):
    """Charges of a step, and the edges that are remembered after it: the last arguments of `charge.charge`.

    Parameters
    ----------
    bits
        For each edge of the step, its bit, or -1.
    within
        For every two edges of the step, the weight of the pair; on the diagonal, of each edge alone.
    charge_at, charge_masks, charge_weights
        For each edge of the step (CSR), the weights with remembered edges, as masks of bits of equal weight.
    due, due_at, due_masks, due_weights
        Bits of edges, and by each (CSR) the weights of others that are charged now if both are chosen.
    keep
        The bits that are remembered after the step.
    doubtful, partner_at, partners
        Bits to be dropped if, for each partner (CSR by bit), one of these slots has its degree.
    """

    bits: Ints
    within: Ints
    charge_at: Ints
    charge_masks: Words
    charge_weights: Ints
    due: Ints
    due_at: Ints
    due_masks: Words
    due_weights: Ints
    keep: Words
    doubtful: Ints
    partner_at: Ints
    partners: Words

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CostStep) and all(np.array_equal(a, b) for a, b in zip(self, other, strict=True))

    def __ne__(self, other: object) -> bool:  # That of a tuple would compare arrays
        return not self == other

    def digest(self) -> str:
        """Digest of everything that it charges."""
        return sha256(repr([part.tolist() for part in self]).encode()).hexdigest()


@dataclass(frozen=True)
class SweepPlan:
    """The steps of a sweep, and the slots of the vertices on the frontier at its end.

    Parameters
    ----------
    costs
        For each step; empty without an objective.
    """

    steps: tuple[PlanStep, ...]
    frontier: dict[int, int]
    costs: tuple[CostStep, ...] = ()

    @property
    def slots(self) -> int:
        """Number of slots in use."""
        reached = [s for step in self.steps for s in (step.vertex, *(far for far, *_ in step.edges)) if s != NO_SLOT]
        return 1 + max([0, *self.frontier.values(), *reached])

    def common(self, other: SweepPlan) -> int:
        """Number of common initial steps of two plans."""
        if not self.costs:
            return in_common(self.steps, other.steps)
        first, second = (list(zip(plan.steps, plan.costs, strict=True)) for plan in (self, other))
        return in_common(first, second)


def in_common(first: Sequence[object], second: Sequence[object]) -> int:
    """Length of the common prefix of two sequences."""
    same = takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False))
    return sum(1 for _ in same)


def whole_plan(net: Net, order: Ints) -> SweepPlan:
    """A sweep over all vertices, with a step for each.

    The step of a vertex of target 0 does nothing: an edge to it is decided when its other end is taken.

    Parameters
    ----------
    order
        The vertices in order, without the hub, which comes last.

    Raises
    ------
    TooLarge
        If the frontier is too wide, or a step decides too many edges.
    """
    place = np.full(net.n, net.n)
    place[order] = np.arange(len(order))
    asked = net.target > 0
    met = np.where(asked, place, net.n + 1).tolist()  # A vertex of which nothing is asked decides no edge
    at = incidences(net)
    part: list[tuple[int, list[Incidence], bool]] = []
    for v in [*order.tolist(), *([net.hub] if net.hub >= 0 else [])]:
        edges = [i for i in at[v] if met[i[1]] > met[v]] if asked[v] else []
        edges.sort(key=lambda i: (int(place[i[1]]), i[0]))
        part.append((v, edges, bool(asked[v])))
    if max((len(edges) for _, edges, _ in part), default=0) > MAX_WHOLE_EDGES:
        raise TooLarge(f"a step of the sweep would decide more than {MAX_WHOLE_EDGES} edges")
    colours = colours_of(at, net.hub) if (net.target == 2).all() else None
    plan = plan_of(net, at, part, set(), colours, MAX_WIDE_SLOTS, closing=True)
    if plan is None:
        raise TooLarge(f"the frontier is too wide for a sweep: more than {MAX_WIDE_SLOTS} vertices")
    return plan


def incidences(net: Net) -> list[list[Incidence]]:
    """Usable edges of each vertex, with their other ends; no edges at all if a required edge is unusable."""
    at: list[list[Incidence]] = [[] for _ in range(net.n)]
    possible = not (net.required & ~net.usable).any()
    for e in np.flatnonzero(net.usable & possible).tolist():
        u, v = net.ends[e].tolist()
        at[u].append((e, v))
        at[v].append((e, u))
    return at


def colours_of(at: list[list[Incidence]], hub: int) -> Ints | None:
    """1 or -1 for each vertex but the hub, 0 for that, so that edges join different ones; None if that cannot be."""
    if hub < 0:
        return None
    colours = np.zeros(len(at), dtype=np.int64)
    for root in range(len(at)):
        stack = [] if root == hub or colours[root] else [root]
        colours[stack] = 1
        while stack:
            v = stack.pop()
            for _, w in at[v]:
                if w == hub:
                    continue
                if colours[w] == colours[v]:
                    return None
                if not colours[w]:
                    colours[w] = -colours[v]
                    stack.append(w)
    return colours


def plan_of(
    net: Net, at: list[list[Incidence]], part: list[tuple[int, list[Incidence], bool]], turning: set[int],
    colours: Ints | None, slots: int, *, closing: bool,
) -> SweepPlan | None:  # fmt: skip
    free = list(range(slots))
    slot: dict[int, int] = {}
    asked = (net.target > 0).tolist()
    gains = None if net.winding is None or net.free else net.winding.gain
    decided: set[int] = set()
    steps = []
    retired: set[int] = set()
    missing = sum(asked)
    excess = 0 if colours is None else 2 * int(colours.sum())

    def reach(w: int) -> bool:
        """Give a vertex a slot; False if there is none left."""
        nonlocal missing
        if w not in slot and asked[w]:
            if not free:
                return False
            slot[w] = heappop(free)
            missing -= 1
            if net.target[w] == 1:
                born.append((slot[w], int(net.label[w])))
        return True

    lonely = {v for v in range(net.n) if sum(w != net.hub for _, w in at[v]) < 2} if net.hub >= 0 else set()
    born: list[tuple[int, int]] = []
    if net.hub >= 0:
        reach(net.hub)
    for v, decides, retire in part:
        if not asked[v]:
            steps.append(PlanStep(NO_SLOT, (), False, (), (), held=tuple(slot.items())))
            continue
        if not all(map(reach, (v, *(w for _, w in decides)))):
            return None
        decided.update(e for e, _ in decides)
        edges = tuple(
            (slot.get(w, NO_SLOT), bool(net.required[e]), e in turning, 0 if gains is None else _gain(net, gains, e, v))
            for e, w in decides
        )
        vertex = slot[v]
        whole = sum(1 << s for s in slot.values()) if closing and net.connected and not missing else 0
        balance = (-1, 0, 0, 0) if colours is None else _balance(slot, net.hub, colours, excess)
        if retire and colours is not None:
            excess -= 2 * int(colours[v])
        if retire:
            heappush(free, slot.pop(v))
            retired.add(v)
        if edges or retire:
            near = {v}.union(*({w, *(u for _, u in at[w])} for _, w in decides if w != net.hub))
            if any(
                w == net.hub for _, w in decides
            ):  # It may be full now, which matters where few other edges are left
                near |= lonely.union(*({w, *(u for _, u in at[w])} for w in slot if w != net.hub))
            watched = [w for w in near - retired - {net.hub} if asked[w]]
            watch = sorted({row for w in watched if (row := _watch(net, w, at, slot, decided))[2] < 2})
            names, held = tuple(e for e, _ in decides), tuple(slot.items())
            steps.append(PlanStep(vertex, edges, retire, tuple(watch), names, balance, held, tuple(born), whole))
            born = []
    return SweepPlan(tuple(steps), slot)


def _gain(net: Net, gains: Ints, edge: int, near: int) -> int:
    """Winding of an edge from one of its ends."""
    return int(gains[edge]) if int(net.ends[edge, 0]) == near else -int(gains[edge])


def _balance(slot: dict[int, int], hub: int, colours: Ints, excess: int) -> tuple[int, int, int, int]:
    """The data of `forms.balanced`; with the colours exchanged, the same as for the board turned by 180°."""
    first, second = (sum(1 << s for v, s in slot.items() if colours[v] == colour) for colour in (1, -1))
    return min((slot[hub], first, second, excess), (slot[hub], second, first, -excess))


def _watch(
    net: Net, v: int, at: list[list[Incidence]], slot: dict[int, int], decided: set[int]
) -> tuple[int, int, int]:
    """A row of `PlanStep.watch`, for a vertex on the frontier or one that is not reached yet."""
    left = [w for e, w in at[v] if e not in decided]
    inner = {w for w in left if w in slot}
    spared = 0 if v in slot else 2 - int(net.target[v])  # Of one that is reached the state says so
    return slot.get(v, NO_SLOT), sum(1 << slot[w] for w in inner), len(left) - len(inner) + spared
