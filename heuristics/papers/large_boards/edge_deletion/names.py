"""Shared names of the search: states of an edge, rules, counters, and places in shared arrays."""

from __future__ import annotations

from typing import Any, NamedTuple

from kt_models.jit import kernel

part = kernel("", counts=False)
"""A part of the loop of the search."""

FREE, KEPT, GONE = 0, 1, 2

RULES = (
    "deletion",
    "closing",
    "terminal",
    "three-way",
    "loop",
    "parity",
    "bridgeless",
    "balance",
    "two-factor",
    "toughness",
    "pairs",
)
"""Rules that can be switched off. `deletion`: a vertex with two kept edges loses the others. `closing`: the edge
between the ends of a kept path is deleted. Dead ends: `terminal`, a vertex with one edge; `three-way`, one with three
kept edges; `loop`, a cycle of kept edges that is too short. The others are in `islands.py` and `witness.py`; `pairs` is
a part of `toughness`, and off unless it is asked for."""
DELETION, CLOSING, TERMINAL, THREE_WAY, LOOP, PARITY, BRIDGELESS, BALANCE, TWO_FACTOR, TOUGHNESS, PAIRS = range(
    len(RULES)
)

NODES, CHOICES, BACKTRACKS, DELETED, STUCK, ISLANDS, FIRED = range(7)
"""Places of the counters; from FIRED on, how often each of RULES fired."""
COUNTERS = ("nodes", "choices", "backtracks", "deletions", "stuck", "islands", *RULES)

TOP, VISITED, DEPTH, STAMP, QUEUED, WORK, DIRTY, DEAD = range(8)
"""Places in `box`: length of the trail, vertices on the path, choices made, clock of the breadth-first searches, edges
whose consequences are not yet drawn, edges changed since the last look at the whole graph, vertices at which the
witness is to be repaired, and whether the search was left at a dead end."""


class Fixed(NamedTuple):
    """The constant data of a search.

    Parameters
    ----------
    indptr, neighbours, incident, ends
        The graph.
    visit, colour, limit
        As of `DeletionSearch`; the colour is -1 everywhere where there is none.
    on
        For each rule whether it is on.
    """

    indptr: Any
    neighbours: Any
    incident: Any
    ends: Any
    visit: Any
    colour: Any
    on: Any
    limit: int


class Moving(NamedTuple):
    """The changing data of a search.

    Parameters
    ----------
    state, trail, queue
        See `deletion`.
    box
        See above.
    path, place
        The vertices of the path, and the place of each vertex there, or -1.
    choices
        For each choice: length of the trail and of the path before it, and its edge.
    stamp, scratch
        Scratch space of the breadth-first and depth-first searches.
    used, cover, dirty, is_dirty
        See `witness`: by edge whether it is in the witness, by vertex how many of its edges are; and the vertices to be
        repaired.
    counts
        By counter.
    """

    state: Any
    trail: Any
    queue: Any
    box: Any
    path: Any
    place: Any
    choices: Any
    stamp: Any
    scratch: Any
    used: Any
    cover: Any
    dirty: Any
    is_dirty: Any
    counts: Any
