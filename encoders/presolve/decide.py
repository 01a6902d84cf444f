"""Whether a part has a Hamiltonian cycle: by trying edges if it is small, by a sweep if it is narrow."""

from __future__ import annotations

from collections.abc import Callable

from encoders.presolve.subgraph import Contradiction, Subgraph
from encoders.presolve.sweep import sweep

MAX_TRIED_VERTICES = 12
"""Most vertices of a part whose edges are tried one by one, with their consequences; the time is exponential."""
MAX_TRIED_CUBIC_VERTICES = 20
"""The same, if no vertex has more than three edges: then each choice forces others."""


def decide(part: Subgraph, check: Callable[[], None]) -> set[int] | None:
    """The edges of a Hamiltonian cycle of a part, or None if there is none; the part is consumed.

    Raises
    ------
    TooWide
        If the part is neither small nor narrow.
    """
    try:
        cycle = part.settle(True, check)
        if cycle is None:
            cycle = _tried(part) if _is_small(part) else sweep(part, check)
    except Contradiction:
        return None
    return None if cycle is None else part.lift(cycle)


def _is_small(part: Subgraph) -> bool:
    size = len(part.at)
    cubic = size <= MAX_TRIED_CUBIC_VERTICES and all(len(edges) <= 3 for edges in part.at.values())
    return cubic or size <= MAX_TRIED_VERTICES


def _tried(part: Subgraph) -> set[int] | None:
    """Try an edge with all that it forces, then try without it."""
    v = min(part.at, key=lambda u: len(part.at[u]))
    edge = next(edge for edge in part.at[v] if edge not in part.required)
    for change in (Subgraph.require, Subgraph.drop):
        trial = part.copy()
        try:
            change(trial, edge, v)
            cycle = trial.settle()
            if cycle is None:
                cycle = _tried(trial)
        except Contradiction:
            continue
        if cycle is not None:
            return trial.lift(cycle)
    return None
