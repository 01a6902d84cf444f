"""What the parts of the search call the same: states of an edge, rules, counters, places in shared arrays."""

from __future__ import annotations

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
"""What can be switched off.  `deletion`: a vertex with two kept edges loses the others.  `closing`: the edge between
the ends of a kept path is deleted.  Dead ends: `terminal`, a vertex with one edge; `three-way`, one with three kept
edges; `loop`, a cycle of kept edges that is too short.  The others are in `islands.py` and `witness.py`; `pairs` is a
part of `toughness`, and off unless it is asked for."""
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
