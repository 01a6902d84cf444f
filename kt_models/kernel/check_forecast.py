"""A forecast of the seconds that a check takes: only its announcement rests on it, and no verdict.

It is made of the sizes at hand, and is right by the order of magnitude only. What a sweep costs depends above all on
how many partial solutions could stay below the bound, which nobody knows before; the constants are those of the slower
of the delivered certificates on one processor.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from kt_models.errors import TooLarge
from kt_models.json_values import are_integers, is_integer

if TYPE_CHECKING:
    from kt_models.graph import MoveGraph
    from kt_models.problem import Problem

BAND_CELLS = 140.0
"""Cells on the frontier, summed over all steps, that a sweep of bands follows in a second."""
WEIGHED_STATES, PLAIN_STATES, ORBIT_STATES = 8e3, 1e6, 2.6e3
"""Conceivable states (the square root of all choices of frontier vertices) in a second of a sweep with an objective,
of all choices in a sweep without one, and of a sweep of orbits."""
REGION_SECONDS, REGION_GROWTH, REGION_MOVES = 1.2, 1.54, 26
"""Seconds of a sweep of a region whose states remember at most `REGION_MOVES` moves, and the factor for each further
one: belts of knights and zebras, of one to three rows."""
MAX_REGIONS = 8
"""Most regions that are looked at, the largest ones."""
GADGET_SECONDS, GADGET_GROWTH, GADGET_WIDTH = 0.3, 6.0, 14
"""Seconds of a count of gadgets with a frontier of `GADGET_WIDTH` vertices, and the factor for each further one."""
STRIP_SECONDS, STRIP_GROWTH, STRIP_WIDTH = 1560.0, 20.0, 6
"""Seconds for a claim about boards of the width `STRIP_WIDTH` and every length, and the factor for a wider one."""
BELT_SECONDS, BELT_GROWTH, BELT_ROWS = 30.0, 7.0, 3
"""Seconds for a belt of `BELT_ROWS` rows around boards of all sizes, and the factor for each further row."""
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
    if method == "regions":
        return _seconds_of_regions(problem, data.get("regions"))
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


def seconds_to_count_gadgets(graph: MoveGraph) -> float:
    """Seconds of a count of gadgets on the graph of their frame."""
    return _growing(GADGET_SECONDS, GADGET_GROWTH, _frontier(graph)[0] - GADGET_WIDTH)


def seconds_to_prove(data: Mapping[str, Any]) -> float:
    """Seconds for the claims of a file about boards of all sizes; 0 if it is expected to be short.

    The data were not checked: they may be anything.
    """
    strips, rows = data.get("strips"), data.get("rows")
    if data.get("kind") == "strips" and isinstance(strips, list):
        claims = [strip.get("claim") for strip in strips if isinstance(strip, Mapping)]
        widths = [claim.get("width") for claim in claims if isinstance(claim, Mapping)]
        return sum(_growing(STRIP_SECONDS, STRIP_GROWTH, width - STRIP_WIDTH) for width in widths if is_integer(width))
    if data.get("kind") == "crossings-family" and is_integer(rows):
        return _growing(BELT_SECONDS, BELT_GROWTH, rows - BELT_ROWS)
    return 0.0


def _seconds_of_regions(problem: Problem, regions: Any) -> float:
    """Seconds of the sweeps of regions, by the most moves that a state remembers."""
    found: list[tuple[list[int], bool]] = []
    for region in regions if isinstance(regions, list) else []:
        cells = region.get("cells") if isinstance(region, Mapping) else None
        if cells and are_integers(cells, 0, problem.graph.n - 1):
            found.append((cells, region.get("closed") is True))
    found.sort(key=lambda region: -len(region[0]))
    try:
        most = [_remembered(problem, cells, closed) for cells, closed in found[:MAX_REGIONS]]
    except TooLarge:  # The check says so
        return 0.0
    return min(sum(_growing(REGION_SECONDS, REGION_GROWTH, moves - REGION_MOVES) for moves in most), LONGEST)


def _remembered(problem: Problem, cells: list[int], closed: bool) -> int:
    """The most moves at cells in order that a later cell, or a move that is paired with them, still needs."""
    import numpy as np

    graph, size = problem.graph, len(cells)
    period = size if closed else 4 * size
    place = np.full(graph.n, -1)
    place[cells] = np.arange(size)
    places = place[graph.ends]
    begin = np.where(places >= 0, places, places[:, ::-1])  # Of a move that leaves the region, its one place twice

    def shorter(i: Any, j: Any) -> tuple[Any, Any]:
        there, back = (j - i) % period, (i - j) % period
        return np.where(there <= back, i, j), np.minimum(there, back)

    first, span = shorter(begin[:, 0], begin[:, 1])
    weights = problem.weights
    if weights is not None:
        edge, partner = weights.first.astype(np.int64), weights.second.astype(np.int64)
        both = (first[edge] >= 0) & (first[partner] >= 0)
        edge, partner = edge[both], partner[both]
        earlier, steps = shorter(first[edge], first[partner])
        np.maximum.at(span, np.where(earlier == first[edge], edge, partner), steps)
    first, span = first[first >= 0], span[first >= 0]
    last = first + span + 1
    changes = np.bincount(first, minlength=2 * size + 2)[: 2 * size + 2].astype(np.int64)
    np.subtract.at(changes, np.minimum(last, 2 * size + 1), 1)
    remembered = np.cumsum(changes)[: 2 * size]
    return int((remembered[:size] + remembered[size:] if closed else remembered).max(initial=0))


def _growing(seconds: float, factor: float, more: int) -> float:
    """Seconds that are multiplied by a factor for each further row, vertex or move."""
    return min(seconds * factor ** max(-40, min(more, 40)), LONGEST)


def _states(graph: MoveGraph, root: int) -> float:
    """Choices of vertices of the widest frontier, to a root, for each vertex of each frontier."""
    width, total = _frontier(graph)
    return min(total * math.exp2(min(width / root, 64)), LONGEST)


def _frontier(graph: MoveGraph) -> tuple[int, int]:
    from kt_models.kernel.sweeps.net import frontier_width, good_order  # Most certificates have no sweep.

    return frontier_width(graph, good_order(graph))
