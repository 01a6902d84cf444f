"""The two halves of a problem, as steps that take the vertices from each end towards the middle.

The first half decides every edge of its vertices. The second half, from the other end, decides the edges of vertices
that have none to the first. Vertices of the second half with edges to the first are the *frontier* of the cut, and
with a hub (see `Net`) that is a part of it. The edges among these are divided between the halves. If the net is the
same from its other end, both halves then have the same steps and one sweep serves both.

If each half decides one edge of a pair, the pair is charged where the halves meet, so both edges are remembered to the
end. At every vertex one number may be subtracted from the weights of all pairs, because exactly one pair of its edges
is chosen. The weight that most pairs have is subtracted: turns then become straight lines of weight -1, and few edges
are remembered.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from kt_models.board import Board
from kt_models.errors import KTError
from kt_models.kernel.sweeps.bits import Ints, Words
from kt_models.kernel.sweeps.costs import as_words, masks_of_bits, memory, with_costs
from kt_models.kernel.sweeps.net import Net
from kt_models.kernel.sweeps.plan import MAX_SLOTS, Incidence, SweepPlan, colours_of, incidences, plan_of
from kt_models.kernel.sweeps.values import LABEL_BITS
from kt_models.weights import Weights

MAX_EDGES = 180
"""Edges that a step decides, parallel edges included: one state then has at most 16,291 children."""
PartnerWeights = dict[int, dict[int, int]]
"""For each edge, its partners and the weights of the pairs, both ways; an edge alone is its own partner."""


@dataclass(frozen=True)
class Across:
    """Charges of each bit of the first half (CSR) with bits of the second where the halves meet."""

    at: Ints
    masks: Words
    weights: Ints


def pair_weights(net: Net, weights: Weights) -> tuple[int, PartnerWeights]:
    """A constant, and the remaining weights."""
    table: dict[tuple[int, int], int] = defaultdict(int)
    for e, f, w in zip(weights.first.tolist(), weights.second.tolist(), weights.weight.tolist(), strict=True):
        if net.usable[e] and net.usable[f]:
            table[min(e, f), max(e, f)] += w
    constant = 0
    at: list[list[int]] = [[] for _ in range(net.n)]
    for e in np.flatnonzero(net.usable).tolist():
        for v in net.ends[e].tolist():
            at[v].append(e)
    for v, edges in enumerate(at):
        pairs = list(combinations(edges, 2)) if v != net.hub else []
        common = Counter(table.get(pair, 0) for pair in pairs).most_common(1)
        if common and (most := common[0][0]):
            constant += most
            for pair in pairs:
                table[pair] -= most
    both: PartnerWeights = defaultdict(dict)
    for (e, f), w in table.items():
        if w:
            both[e][f] = both[f][e] = w
    return constant, both


def cut_halves(
    net: Net, order: Ints, cut: int | None, turning: Collection[int] = ()
) -> tuple[int, tuple[SweepPlan, SweepPlan] | None]:
    """The cut, a good one unless it is given, and the `halves` there.

    Raises
    ------
    KTError
        If a cut leaves all edges of some tour in the first half, or nothing there.
    """
    at = middle(net, order)[0] if cut is None else cut
    if not 0 < 2 * at < len(order):
        raise KTError(f"cut {at}: it is above 0 and less than half of the {len(order)} vertices")
    return at, halves(net, order, at, turning)


def halves(net: Net, order: Ints, cut: int, turning: Collection[int] = ()) -> tuple[SweepPlan, SweepPlan] | None:
    """The halves before and after a number of vertices; None if they are too wide for a state.

    Parameters
    ----------
    turning
        Edges each of which reverses the sign of a tour.
    """
    place = np.full(net.n, net.n)
    place[order] = np.arange(len(order))
    at = incidences(net)
    frontier = [v for v in order[cut:].tolist() if any(place[w] < cut for _, w in at[v])]
    shared = _shared(net, order, cut, frontier, at)
    first = [(v, [i for i in at[v] if place[i[1]] > place[v]], True) for v in order[:cut].tolist()]
    first += [(v, [i for i in at[v] if i[0] in shared and place[i[1]] > place[v]], False) for v in frontier]
    second = []
    for v in order[cut:][::-1].tolist():
        edges = [i for i in at[v] if (place[i[1]] == net.n or cut <= place[i[1]] < place[v]) and i[0] not in shared]
        second.append((v, edges, all(place[w] >= cut for _, w in at[v])))
    for v, edges, _ in first + second:
        edges.sort(key=lambda i: (i[1] == net.hub, abs(int(place[i[1]] - place[v])), i[0]))
    if max((len(edges) for _, edges, _ in first + second), default=0) > MAX_EDGES:
        return None
    colours = colours_of(at, net.hub)
    made = [plan_of(net, at, part, set(turning), colours, MAX_SLOTS, closing=False) for part in (first, second)]
    return (made[0], made[1]) if made[0] and made[1] else None


def _shared(net: Net, order: Ints, cut: int, frontier: list[int], at: list[list[Incidence]]) -> set[int]:
    """The edges among the vertices of the frontier that the first half decides."""
    n = len(order)
    place = {int(v): i for i, v in enumerate(order.tolist())}
    ends = [tuple(sorted(place.get(v, n) for v in pair)) for pair in net.ends.tolist()]
    used = np.flatnonzero(net.usable).tolist()
    kinds = {e: (ends[e], bool(net.required[e])) for e in used}
    turned = {e: tuple(sorted(p if p == n else n - 1 - p for p in ends[e])) for e in used}
    same = sorted(kinds.values()) == sorted((turned[e], bool(net.required[e])) for e in used)
    inside = {*frontier, net.hub}
    middle = [e for v in frontier for e, w in at[v] if w in inside and place[v] < place.get(w, n)]
    decided = [sum(min(ends[e]) < cut for e in used), sum(min(ends[e]) >= cut for e in used) - len(middle)]
    most = min(len(middle), max(0, (decided[1] + len(middle) - decided[0]) // 2))
    shared: set[int] = set()
    images: set[tuple[int, ...]] = set()
    for e in middle:
        if len(shared) < most and not (same and (ends[e] in images or turned[e] == ends[e])):
            shared.add(e)
            images.add(turned[e])
    return shared


def from_outside(board: Board | None) -> Ints | None:
    """The cells of a rectangle line by line, each line from both of its ends inwards; None for other boards.

    The other half is the first one after a half turn. Two cells that are mirror images leave fewer kinds of partial
    tours than two neighbours do: 0.7 of the states on 6x10.
    """
    if board is None or not board.is_box or board.dimension != 2:
        return None
    along = 0 if board.shape[0] >= board.shape[1] else 1
    lines, places = board.shape[along], board.shape[1 - along]
    inwards = sorted(range(places), key=lambda place: min(place, places - 1 - place))
    cells = [(line, place) for line in range((lines + 1) // 2) for place in inwards]
    turned = [(lines - 1 - line, places - 1 - place) for line, place in cells if 2 * line + 1 < lines]
    ordered = np.array([*cells, *reversed(turned)])
    return board.numbers(ordered[:, [along, 1 - along]]).astype(np.int64)


def middle(net: Net, order: Ints) -> tuple[int, int]:
    """A good cut near the middle, and the number of vertices on its frontier, which is small.

    Less than half of the vertices are before it, so that no tour has all its edges in the first half.
    """
    n = len(order)
    place = np.full(net.n, n)
    place[order] = np.arange(n)
    low, high = np.sort(place[net.ends[net.usable]].reshape(-1, 2), axis=1).T
    low, high = low[high < n], high[high < n]
    best = (n, n, 1)
    for cut in range(1, (n + 1) // 2):
        width = len(np.unique(high[(low < cut) & (high >= cut)]))
        off = abs(n - width - 2 * cut)
        if off <= width:
            best = min(best, (width, off, cut))
    return best[2], best[0] + (net.hub >= 0)


def cost_halves(
    net: Net, parts: tuple[SweepPlan, SweepPlan], weights: PartnerWeights
) -> tuple[tuple[SweepPlan, SweepPlan], Across] | None:
    """Two halves with their costs; None if more edges are to be remembered than a label has bits."""
    pairs = [(e, f, w) for e, row in weights.items() for f, w in row.items() if e <= f]
    first, second = (memory(plan, pairs, None, {}) for plan in parts)
    if max(first.size, second.size) > LABEL_BITS:
        return None
    made = [with_costs(net, plan, pairs, memory_of, 1) for plan, memory_of in zip(parts, (first, second), strict=True)]
    rows = []
    for e, bit in sorted(first.bits.items(), key=lambda item: item[1]):
        last = {second.bits[f]: w for f, w in weights[e].items() if f in second.decided}
        rows += [(bit, mask, w) for mask, w in masks_of_bits(last)]
    across = np.array([bit for bit, _, _ in rows], dtype=np.int64)
    order = np.argsort(across, kind="stable")
    at = np.searchsorted(across[order], np.arange(LABEL_BITS + 1))
    masks = as_words([rows[i][1] for i in order], 1)
    return (made[0], made[1]), Across(at, masks, np.array([rows[i][2] for i in order], dtype=np.int64))
