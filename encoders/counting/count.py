"""The count of all tours of a board, from the states of its two halves."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from encoders.counting.folder import CountFolder, count_folder
from encoders.counting.halves import cut_halves, from_outside, middle
from encoders.counting.meet import TALLY, Meeting
from kt_models.errors import KTError
from kt_models.kernel.sweeps.bits import Ints
from kt_models.kernel.sweeps.forms import Form, ranked_form
from kt_models.kernel.sweeps.net import Net, checked_order, net_of
from kt_models.kernel.sweeps.plan import SweepPlan, in_common
from kt_models.kernel.sweeps.run import Layer, SweepEngine, TooMany
from kt_models.kernel.sweeps.values import COUNT, SIGNED
from kt_models.limits import NO_LIMITS, Limits, Listener, Report, silent
from kt_models.problem import Problem, require_plain

FEWEST = 4
"""Vertices below which a board has no two halves."""


@dataclass(frozen=True)
class HalvesEffort:
    """The cost of a count by halves.

    Parameters
    ----------
    cut
        Vertices in the first half.
    states
        For each step of the first half, and of the second, the number of states after it.
    pairs
        Pairs of states tried one by one where the halves meet.
    peak_bytes
        Most memory of the tables.
    """

    cut: int
    states: tuple[tuple[int, ...], tuple[int, ...]]
    pairs: int
    peak_bytes: int

    @property
    def peak_states(self) -> int:
        """The largest layer."""
        return max(max(part, default=1) for part in self.states)

    @property
    def all_states(self) -> int:
        """States of all layers; those of common steps of both halves count once."""
        first, second = self.states
        return sum(first) + sum(second[in_common(first, second) :])


@dataclass(frozen=True)
class HalvesCount(HalvesEffort):
    """The number of tours, and the states, memory and joins that the count used.

    Parameters
    ----------
    total
        Number of undirected tours; if edges reverse the sign, positive tours minus negative ones.
    groups, glued, met
        For the join: groups of states that meet, groups glued, states of both halves in groups that meet.
    """

    total: int
    groups: int
    glued: int
    met: int


@dataclass
class SweptHalves:
    """Both halves swept: the steps, the layers at the cut, and, on request, all layers."""

    parts: tuple[SweepPlan, SweepPlan]
    ends: tuple[Layer, Layer]
    states: tuple[list[int], list[int]]
    layers: tuple[list[Layer], list[Layer]] = field(default_factory=lambda: ([], []))


def sweep_halves(
    parts: tuple[SweepPlan, SweepPlan], engine: SweepEngine, folder: CountFolder | None = None, *, keep: bool = False
) -> SweptHalves:
    """Sweep both halves; steps that they share, as on boards with a half turn, are swept once.

    Parameters
    ----------
    folder
        Keeps layers, so that a stopped sweep can continue; it is the store of the engine.
    keep
        Keep all layers, in memory.
    """
    first, second = parts
    common = first.common(second)
    states: tuple[list[int], list[int]] = ([], [])
    layers: tuple[list[Layer], list[Layer]] = ([], [])

    def go_on(plan: SweepPlan, begin: int, layer: Layer, name: str, sides: Sequence[int]) -> Layer:
        saved = folder.load(name) if folder else None
        counts: list[int] = []
        if saved is not None:
            counts, layer = saved[0], Layer(saved[1])
        for layer in engine.sweep(plan, begin + len(counts), layer, name.replace("-", " "), keep):  # noqa: B020
            counts.append(len(layer))
            if folder and (layer.file or folder.due or begin + len(counts) == len(plan.steps)):
                layer.parts, layer.file = folder.save(name, counts, layer.parts, layer.file), None
            if keep:
                engine.kept.append(layer)
                for side in sides:
                    layers[side].append(layer)
        for side in sides:
            states[side].extend(counts)
        return layer

    base = engine.start()
    if keep:
        for side in layers:
            side.append(base)
    base = go_on(replace(first, steps=first.steps[:common]), 0, base, "both-halves", (0, 1))
    ends: list[Layer] = []
    for number, plan in enumerate(parts):
        if not keep:
            engine.kept = [*ends, base]
        ends.append(go_on(plan, common, base, ("first-half", "second-half")[number], (number,)))
    return SweptHalves(parts, (ends[0], ends[1]), states, layers)


def form_of_halves(parts: tuple[SweepPlan, SweepPlan]) -> Form:
    """The layout of the states of two halves."""
    return ranked_form(max(plan.slots for plan in parts))


def count_net(
    net: Net, order: Ints, cut: int | None = None, turning: Collection[int] = (), *,
    folder: str | os.PathLike[str] | None = None, limits: Limits = NO_LIMITS, on_progress: Listener = silent,
) -> HalvesCount | None:  # fmt: skip
    """Count the tours of a net whose solutions are single cycles; None if this cannot.

    Parameters
    ----------
    turning
        Edges that each reverse the sign of a tour. The sum of the signs is exact if its absolute value is below 2**63,
        for example if the number of tours is.
    folder
        As of `count_by_halves`.
    """
    if cut is None and len(order) < FEWEST:  # Too few for two halves
        return None
    at, parts = cut_halves(net, order, cut, turning)
    if parts is None or len(order) < FEWEST:
        return None
    on_progress(Report(words=f"{len(order)} vertices, {len(parts[0].frontier)} on the frontier of the cut"))
    value = SIGNED if turning else COUNT
    with count_folder(folder, parts, value, sums=1 + TALLY) as kept:
        engine = SweepEngine(form_of_halves(parts), value, limits, on_progress, store=kept)
        try:
            swept = sweep_halves(parts, engine, kept)
        except TooMany:
            return None
        meeting = Meeting(engine, parts, kept)
        (total,) = meeting.totals(*swept.ends)
    if turning and total >= 1 << 63:
        total = (total & ((1 << 64) - 1)) - (((total >> 63) & 1) << 64)
    states = (tuple(swept.states[0]), tuple(swept.states[1]))
    groups, pairs, glued, met = meeting.tally
    return HalvesCount(at, states, pairs, engine.peak_bytes, total, groups, glued, met)


def count_by_halves(
    problem: Problem, *, order: Sequence[int] | None = None, cut: int | None = None,
    folder: str | os.PathLike[str] | None = None, limits: Limits = NO_LIMITS, on_progress: Listener = silent,
) -> HalvesCount | None:  # fmt: skip
    """The exact number of undirected tours of a problem; images of a tour under symmetries count separately.

    Parameters
    ----------
    order
        The vertices from one end of the board to the other; None: a good order.
    cut
        The number of vertices in the first half, less than half of all.
    folder
        Keeps layers of states: a stopped count continues there, and layers that do not fit in memory are read from
        there.
    limits
        Limits on time, and on the memory of the tables of states.

    Returns
    -------
    HalvesCount or None
        None if this cannot count: for connectivities other than `cycle` and `path`, very few vertices, frontiers of
        more than 19 vertices, and numbers of partial tours beyond 64 bits.

    Raises
    ------
    TooLarge
        If the tables would take more memory.
    Stopped
        If the limits end it.
    KTError
        If the problem has a symmetry, or the order or the cut is invalid.
    """
    swept = swept_net(problem, order)
    if swept is None:
        return None
    net, taken = swept
    inwards = from_outside(problem.graph.board) if order is None else None
    if inwards is not None and middle(net, inwards)[1] <= middle(net, taken)[1]:
        taken = inwards
    return count_net(net, taken, cut, folder=folder, limits=limits, on_progress=on_progress)


def swept_net(problem: Problem, order: Sequence[int] | None) -> tuple[Net, Ints] | None:
    """The net of a problem and the order of its vertices; None if it has no halves, or other solutions than tours."""
    require_plain(problem, "a sweep")
    if problem.symmetry:
        raise KTError("a sweep does not count symmetric solutions")
    if problem.connectivity not in ("cycle", "path") or problem.graph.n < FEWEST:
        return None
    return net_of(problem), checked_order(problem.graph, order)
