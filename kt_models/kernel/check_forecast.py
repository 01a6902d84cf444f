"""A forecast of the seconds that a check takes: only its announcement rests on it, and no verdict.

It is made of the sizes at hand, and is right by the order of magnitude only. What a sweep costs depends above all on
how many partial solutions could stay below the bound, which nobody knows before; the constants are those of the slower
of the delivered certificates on one processor.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kt_models.graph import MoveGraph
    from kt_models.problem import Problem

BAND_CELLS = 140.0
"""Cells on the frontier, summed over all steps, that a sweep of bands follows in a second."""
WEIGHED_STATES, PLAIN_STATES, ORBIT_STATES = 8e3, 1e6, 2.6e3
"""Conceivable states (the square root of all choices of frontier vertices) in a second of a sweep with an objective,
of all choices in a sweep without one, and of a sweep of orbits."""
TREE_SECONDS = 6e-7
"""Seconds for each character of a tree of cases or of dual multipliers."""
TREE_NODE_SECONDS = 2e-6
"""Seconds for each edge in each case of a tree."""
TOUR_SECONDS = 3e-6
"""Seconds for each character of a list of tours."""
PROOF_SECONDS = 4e-7
"""Seconds for each byte of an LRAT proof and of its formula."""
LEDGER_SECONDS, PACKED_SECONDS = 1.2e-6, 3e-6
"""Seconds for each byte of the ledger of a run, whose solutions are verified, and of its packed proofs."""
LONGEST = 1e12
"""Seconds of the longest forecast."""


def seconds_to_check(method: str, problem: Problem, data: Mapping[str, Any]) -> float:
    """Seconds that the check of a certificate takes; 0 if nothing forecasts them.

    The data were not checked: they may be anything.
    """
    inner = data.get("certificate")
    while isinstance(inner, Mapping) and isinstance(inner.get("data"), Mapping):
        method, data = str(inner.get("method")), inner["data"]
        inner = data.get("certificate")
    graph = problem.graph
    if method in ("tree", "farkas", "edge-tree"):
        nodes = data.get("nodes")
        cases = len(nodes) if isinstance(nodes, list) else 1
        return TREE_SECONDS * len(repr(data)) + TREE_NODE_SECONDS * cases * graph.m
    if method == "bands":
        return _frontier(graph)[1] / BAND_CELLS
    if method == "frontier":
        return _states(graph, 2) / WEIGHED_STATES
    if method == "sweep":
        return seconds_to_sweep(graph)
    if method == "quotient":
        order = len(problem.group)
        return _states(graph, max(2, order)) / order / ORBIT_STATES
    return 0.0


def seconds_to_sweep(graph: MoveGraph) -> float:
    """Seconds of a sweep without an objective."""
    return _states(graph, 1) / PLAIN_STATES


def seconds_to_read(characters: int) -> float:
    """Seconds for a list of tours."""
    return TOUR_SECONDS * characters


def seconds_to_replay(size: int) -> float:
    """Seconds for an LRAT proof and its formula of so many bytes."""
    return PROOF_SECONDS * size


def seconds_to_audit(ledger: int, proofs: int) -> float:
    """Seconds for a run with a ledger, and with proofs, of so many bytes."""
    return LEDGER_SECONDS * ledger + PACKED_SECONDS * proofs


def _states(graph: MoveGraph, root: int) -> float:
    """Choices of vertices of the widest frontier, to a root, for each vertex of each frontier."""
    width, total = _frontier(graph)
    return min(total * math.exp2(min(width / root, 64)), LONGEST)


def _frontier(graph: MoveGraph) -> tuple[int, int]:
    from kt_models.kernel.sweeps.net import frontier_width, good_order  # Most certificates have no sweep.

    return frontier_width(graph, good_order(graph))
