"""Splitting: at 2-edge cuts a graph falls into smaller ones, and at 3-edge cuts a small side becomes a vertex.

A cycle crosses an edge cut an even number of times. So it uses both edges of a cut of two, and an edge that replaces
the other side is required: the sides become independent. It uses two edges of a cut of three. If one side is small, all
its ways are tried, at most three. The side then becomes a vertex: an edge that every way uses is required there, and an
edge that no way uses is removed.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from itertools import combinations
from math import inf

from encoders.presolve.decide import decide
from encoders.presolve.edge_cuts import rings, triples
from encoders.presolve.subgraph import Contradiction, Subgraph
from encoders.presolve.sweep import TooWide

CutEdges = tuple[int, ...]
Triple = tuple[int, int, int]
SIDE_LIMITS = (4, 8, 16, 32, 64, 128)
"""Most vertices of a side that becomes a vertex, in successive rounds: small sides within large ones come first."""

MAX_SHARE_LEFT = 0.99
"""Share of its vertices to which a part must shrink before its 3-edge cuts are searched again."""


def split(part: Subgraph, check: Callable[[], None]) -> tuple[list[Subgraph], set[int]]:
    """Reduce a part as far as possible.

    Parameters
    ----------
    check
        Called now and then; it raises when the time is up.

    Returns
    -------
    parts, cycles
        The remaining parts, and the edges of the cycles of parts that were reduced to nothing.

    Raises
    ------
    Contradiction
        If there is no Hamiltonian cycle.
    """
    left: list[Subgraph] = []
    cycles: set[int] = set()
    todo: list[tuple[Subgraph, float]] = [(part, inf)]
    while todo:
        check()
        piece, enough = todo.pop()
        if (cycle := piece.settle(True, check)) is not None:
            cycles |= cycle
        elif smaller := _at_pairs(piece, check):
            todo += [(each, inf) for each in smaller]
        elif (size := len(piece.at)) < enough and _at_triples(piece, check):
            todo.append((piece, MAX_SHARE_LEFT * size))
        else:
            left.append(piece)
    return left, cycles


# -- cuts of two edges -------------------------------------------------------------------------------------------------


def _at_pairs(part: Subgraph, check: Callable[[], None]) -> list[Subgraph]:
    """The parts that 2-edge cuts leave; empty if there is no such cut."""
    parts: dict[int, Subgraph] = {0: part}
    home = dict.fromkeys(part.at, 0)
    ends = part.ends
    for ring in rings(part):
        check()
        number = home[ends[ring[0]][0]]
        at = parts[number].at
        if not all(edge in at.get(ends[edge][0], ()) for edge in ring):
            continue  # An edge was removed since.
        pieces = pieces_between(parts[number], ring, ends)
        for piece in pieces:
            fresh = next(part.fresh)
            home.update(dict.fromkeys(piece.at, fresh))
            parts[fresh] = piece
        if pieces:
            del parts[number]
    return [] if 0 in parts else list(parts.values())


def pieces_between(part: Subgraph, ring: list[int], ends: dict[int, tuple[int, int]]) -> list[Subgraph]:
    """The parts between the edges of a ring, each with an edge in place of the rest; empty if it is no ring."""
    at, cut = part.at, set(ring)
    piece_of: dict[int, int] = {}
    pieces: list[list[int]] = []
    poles: list[list[int]] = []
    for pole in (v for edge in ring for v in ends[edge]):
        if pole not in piece_of:
            piece_of[pole] = len(pieces)
            piece = [pole]
            for u in piece:  # The list grows during the loop.
                for edge, v in at[u].items():
                    if edge not in cut and v not in piece_of:
                        piece_of[v] = len(pieces)
                        piece.append(v)
            pieces.append(piece)
            poles.append([])
        poles[piece_of[pole]].append(pole)
    if len(pieces) != len(ring) or any(len(pair) != 2 for pair in poles) or len(piece_of) < len(at):
        return []
    parts, joints = [], set()
    for piece, (first, last) in zip(pieces, poles, strict=True):
        if len(piece) == 1:  # A cycle passes through this vertex.
            continue
        if first == last:  # A cycle would have to pass the rest of the piece twice.
            raise Contradiction(piece)
        inner = {u: {edge: v for edge, v in at[u].items() if edge not in cut} for u in piece}
        required = {edge for edges in inner.values() for edge in edges if edge in part.required}
        parts.append(Subgraph(inner, required, part.fresh, part.undo))
        joints.add(parts[-1].join(first, last))

    def undo(cycle: set[int]) -> None:
        cycle -= joints
        cycle |= cut

    part.undo.append(undo)
    return parts


# -- cuts of three edges -----------------------------------------------------------------------------------------------


def _at_triples(part: Subgraph, check: Callable[[], None]) -> bool:
    """Turn small sides of 3-edge cuts into vertices; return whether there was one."""
    cuts = triples(part)
    ends = part.ends
    changed = False
    for size in SIDE_LIMITS:
        later = []
        for cut in cuts:
            check()
            if not all(edge in part.at.get(ends[edge][0], ()) for edge in cut):
                continue  # An edge was removed since.
            side = side_of(part, cut, ends, size)
            if side is None:
                later.append(cut)
            elif len(side) > 1:
                with suppress(TooWide):
                    _contract(part, cut, side, ends, check)
                    changed = True
        cuts = later
    return changed


def side_of(part: Subgraph, cut: CutEdges, ends: dict[int, tuple[int, int]], size: int) -> set[int] | None:
    """The smaller side of a cut; None if both have more than `size` vertices, empty if it is no cut."""
    sides = [[v] for v in ends[cut[0]]]
    seen = [set(side) for side in sides]
    for place in range(size):
        for side, inside in zip(sides, seen, strict=True):
            if place == len(side):
                whole = all((u in inside) != (v in inside) for u, v in (ends[edge] for edge in cut))
                return inside if whole else set()
            for edge, v in part.at[side[place]].items():
                if edge not in cut and v not in inside:
                    inside.add(v)
                    side.append(v)
    return None


def _contract(
    part: Subgraph, cut: Triple, side: set[int], ends: dict[int, tuple[int, int]], check: Callable[[], None]
) -> None:
    """Turn a side into a vertex."""
    at, hub = part.at, next(part.fresh)
    inner = {u: {edge: v for edge, v in at[u].items() if v in side} for u in side}
    near = {edge: u if u in side else v for edge in cut for u, v in [ends[edge]]}
    far = {edge: v if u in side else u for edge in cut for u, v in [ends[edge]]}
    alone = len(at) == len(side) + 1
    ways: dict[frozenset[int], set[int]] = {}
    for pair in combinations(cut, 2):
        (omitted,) = set(cut) - set(pair)
        first, second = pair
        if omitted in part.required or near[first] == near[second] or (far[first] == far[second] and not alone):
            continue
        way = {u: dict(edges) for u, edges in inner.items()}
        way[hub] = {edge: near[edge] for edge in pair}
        for edge in pair:
            way[near[edge]][edge] = hub
        required = {edge for edges in way.values() for edge in edges if edge in part.required}
        cycle = decide(Subgraph(way, required, part.fresh), check)
        if cycle is not None:
            ways[frozenset(pair)] = cycle - set(pair)

    for first, second in combinations(cut, 2):
        if far[first] == far[second] and not alone:  # Of two parallel edges one is enough.
            worse = second if any(first in pair for pair in ways) else first
            ways = {pair: way for pair, way in ways.items() if worse not in pair}
    if not ways:
        raise Contradiction

    def undo(cycle: set[int]) -> None:
        cycle |= ways[frozenset(edge for edge in cut if edge in cycle)]

    part.undo.append(undo)
    for u in side:
        for edge in at.pop(u):
            if edge not in cut:
                part.required.discard(edge)
    at[hub] = far
    for edge, v in far.items():
        at[v][edge] = hub
        ends[edge] = (hub, v)
    for edge in cut:
        taken = [edge in pair for pair in ways]
        if not any(taken):
            part.drop(edge, hub)
        elif all(taken):
            part.require(edge, hub)
