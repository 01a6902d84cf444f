"""A sweep that decides narrow graphs: exact, and linear in the number of vertices.

Vertices come one after another, each with its edges to earlier vertices, and leave when their last neighbour has come;
those in between are the frontier. A state tells for each vertex of the frontier whether it has no edge, two edges, or
one, and then where the path that ends there has its other end; nothing else matters. All states are kept, each with its
origin.

It stays apart from `kt_models.kernel.sweeps`, whose machine code takes 0.3 s of processor time to load: this sweep asks
for numpy alone, and decides narrow graphs in milliseconds.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from encoders.presolve.subgraph import Subgraph

Packed = npt.NDArray[np.uint64]

Origins = npt.NDArray[np.int64]
"""For each state a state of the step before, and in the lowest bits the edges that were added."""
MAX_FRONTIER = 15
"""Most vertices of a frontier: four bits of a 64-bit state tell for each where its path ends."""
SATURATED = 15
"""The entry for a vertex with two edges, and for a free place."""
MAX_STATES = 20_000
"""Most states at a time; a graph with more is not narrow."""
MAX_STATES_IN_ALL = 30_000_000
"""Most states of a whole sweep: 150 MB."""


class TooWide(Exception):
    """The graph is not narrow enough."""


def sweep(part: Subgraph, check: Callable[[], None]) -> set[int] | None:
    """The edges of a Hamiltonian cycle of a part of three vertices or more, or None if there is none.

    Raises
    ------
    TooWide
        If the frontier or the number of states gets too large.
    """
    order = narrow_order(part, check)
    at, required = part.at, part.required
    place = {v: i for i, v in enumerate(order)}
    leaving: list[list[int]] = [[] for _ in order]
    for v in order:
        # A vertex leaves once its last neighbour has come; before that it needs its place in the frontier.
        leaving[max(place[w] for w in (v, *at[v].values()))].append(v)
    free = list(range(MAX_FRONTIER))
    slot: dict[int, int] = {}
    # All places are free, which the value 15 of each of the 16 nibbles stands for.
    states: Packed = np.array([2**64 - 1], dtype=np.uint64)
    steps: list[tuple[list[int], Origins]] = []
    total = 0
    for number, v in enumerate(order):
        if not number % 64:
            check()
        slot[v] = free.pop()
        # A new vertex is a path of its own: its mate is itself.
        states = states & ~_at(SATURATED, slot[v]) | _at(slot[v], slot[v])
        # The origin of a state is its number in the step before, shifted left by the bits for the edges taken.
        origins = np.arange(len(states)) << MAX_FRONTIER
        came = [edge for edge, w in at[v].items() if place[w] < number]
        for bit, edge in enumerate(came):
            a, b = slot[at[v][edge]], slot[v]
            # The last edge may close the cycle, if no required edge would be left out.
            if number == len(order) - 1 and not any(later in required for later in came[bit + 1 :]):
                # All vertices but the two ends have two edges, and the two ends belong to one path.
                closing = np.flatnonzero(
                    (states | _at(SATURATED, a) | _at(SATURATED, b) == 2**64 - 1) & (_mate(states, a) == b)
                )
                if len(closing):
                    return _traced([*steps, (came, origins[closing] | 1 << bit)])
            able, more = _joined(states, a, b)
            more_origins = origins[able] | 1 << bit
            states = more if edge in required else np.concatenate([states, more])
            origins = more_origins if edge in required else np.concatenate([origins, more_origins])
        # A vertex that leaves must have its two edges.
        for u in leaving[number]:
            full = _mate(states, slot[u]) == SATURATED
            states, origins = states[full], origins[full]
            free.append(slot.pop(u))
        # Equal states lead to the same future, so one of each is enough for the decision.
        states, first = np.unique(states, return_index=True)
        total += len(states)
        if not len(states):
            return None
        if len(states) > MAX_STATES or total > MAX_STATES_IN_ALL:
            raise TooWide
        steps.append((came, origins[first]))
    return None


def _at(value: int, slot: int) -> np.uint64:
    return np.uint64(value << 4 * slot)


def _mate(states: Packed, slot: int) -> Packed:
    return (states >> np.uint64(4 * slot)) & np.uint64(SATURATED)


def _joined(states: Packed, a: int, b: int) -> tuple[npt.NDArray[np.bool_], Packed]:
    """The states that can add an edge between two places without closing a cycle, and their successors."""
    x, y = _mate(states, a), _mate(states, b)
    # x == b means that the two ends belong to one path, which the edge would close.
    able = (x != SATURATED) & (y != SATURATED) & (x != b)
    x, y, more = x[able], y[able], states[able]
    # An end that was an end already has two edges now.
    more |= np.where(x != a, _at(SATURATED, a), np.uint64(0)) | np.where(y != b, _at(SATURATED, b), np.uint64(0))
    four, full = np.uint64(4), np.uint64(SATURATED)
    for end, far_end in ((x, y), (y, x)):  # The ends of the new path.
        # The far ends of the two paths become each other's mates.
        more = more & ~(full << four * end) | far_end << four * end
    return able, more


def _traced(steps: list[tuple[list[int], Origins]]) -> set[int]:
    """The edges added on the way to the first state of the last step."""
    cycle: set[int] = set()
    state = 0
    for came, origins in reversed(steps):
        origin = int(origins[state])
        cycle.update(edge for bit, edge in enumerate(came) if origin >> bit & 1)
        # Dropping the edge bits gives the number of the state before.
        state = origin >> MAX_FRONTIER
    return cycle


def narrow_order(part: Subgraph, check: Callable[[], None], widest: int = MAX_FRONTIER) -> list[int]:
    """An order of the vertices with a small frontier: the next one adds least, and among equals is near the oldest.

    Raises
    ------
    TooWide
        If the frontier gets too large.
    """
    at = part.at
    left = {v: len(edges) for v, edges in at.items()}  # Neighbours that have not come yet.
    order: list[int] = []
    frontier: dict[int, None] = {}
    there: set[int] = set()

    def come(v: int) -> None:
        order.append(v)
        there.add(v)
        frontier[v] = None
        for w in at[v].values():
            left[w] -= 1
        for w in (v, *at[v].values()):
            if not left[w]:
                frontier.pop(w, None)

    def gain(v: int) -> int:
        """The number of vertices that leave with this one."""
        return sum(left[w] == 1 and w in there for w in at[v].values()) + (not left[v])

    come(min(at, key=left.__getitem__))
    while len(order) < len(at):
        if not len(order) % 1024:
            check()
        if len(frontier) >= widest:
            raise TooWide
        near = dict.fromkeys(w for u in frontier for w in at[u].values() if w not in there)
        come(max(near or (at.keys() - there), key=gain))
    return order
