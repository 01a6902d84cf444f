"""Finding the rings and cores of `theorems.aztec_rings.rings`, with few crossings.

For one cut, all patterns of the sides and all cells a, b, c, d are gone through. Each choice is a `Problem`: a linkage
of a with b, and of their images, that covers the frame, has the move c-d, crosses the cuts just as the patterns do, and
is symmetric under the turn. One with the fewest crossings is taken (or the first that comes), and counts if
`check_rings` agrees, as it may fall apart when it grows.

    python -m research.rings > heuristics/gadgets/rings.json
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from itertools import combinations, product
from typing import Any

from encoders.solve import solve
from kt_models.board import Board
from kt_models.cells import Cell
from kt_models.errors import CertificateError, KTError
from kt_models.graph import MoveGraph
from kt_models.json_version import FORMAT_VERSION
from kt_models.limits import Limits
from kt_models.problem import Problem
from kt_models.symmetry import Symmetry
from theorems.aztec_rings.ring_data import (
    KIND,
    Move,
    RingFamily,
    RingKind,
    across,
    cell_on,
    depth,
    frame,
    is_move,
    part_of,
    turned_cell,
)
from theorems.aztec_rings.rings import check_rings
from theorems.statement import Boards, FamilyStatement, claim_to_json

WIDTH = 4
COMMAND = "python -m research.rings > heuristics/gadgets/rings.json"
TURNS = {2: (Symmetry.parse("rot180"),), 1: (Symmetry.parse("rot90"),)}
Four = tuple[Cell, Cell, Cell, Cell]


def search_rings(
    radius: int, cores: Sequence[int], turn: int, strands: Set[int], cut: int, *, first: bool = False
) -> RingFamily | None:
    """The best of the rings that the choices lead to, with cores of the fewest turns; None if they lead to none.

    Parameters
    ----------
    radius
        Of the frame that the ring covers, of width 4.
    cores
        Radii of the cores.
    turn
        2 for a half turn, 1 for a quarter turn.
    strands
        How many strands the patterns may have.
    cut
        The column before which each side is cut.
    first
        Take the first ring that comes, whatever its crossings.
    """
    graph = MoveGraph.of(frame(radius, WIDTH))
    patterns = [kinds for kinds in all_patterns(WIDTH) if strands_of(kinds) in strands]
    fours = splices(radius, cut)
    simple = {move: _cores(radius, cores, turn, move, None) for move in sorted({four[2:] for four in fours})}
    fours = [four for four in fours if simple[four[2:]]]
    best: tuple[int, RingFamily] | None = None
    for problem in patterned(graph, radius, cut, patterns, turn):
        for four in fours:
            tried = _spliced(problem, radius, turn, four)
            if tried is None:
                continue
            result = solve(tried, engine="cpsat", hint=False, limits=Limits(workers=1))
            if result.edges is not None and not first:
                result = solve(
                    replace(tried, objective="crossings"), engine="cpsat", hint=False, limits=Limits(workers=1)
                )
            value = result.cost or 0
            if result.edges is None or (best is not None and value >= best[0]):
                continue
            path = list(next(walk.vertices for walk in result.walks if tried.terminals[0] in walk.vertices))
            if path[0] != tried.terminals[0]:
                path.reverse()
            cells = _centred(graph, path, radius)
            ring = RingFamily(radius, WIDTH, cut, turn, cells, four[2:], simple[four[2:]] or {})
            try:
                check_rings(ring)
            except CertificateError:
                continue
            best = value, ring
            if first:
                return _finished(ring)
    return None if best is None else _finished(best[1])


def _finished(ring: RingFamily) -> RingFamily:
    """The same ring with the cores that have the fewest turns."""
    radii = sorted(ring.cores)
    return replace(ring, cores=_cores(ring.radius, radii, ring.turn, ring.outward, "turns") or {})


def all_patterns(width: int) -> list[frozenset[RingKind]]:
    """All patterns on a side of a width: two moves at each row, the same at each column."""
    kinds = [
        (i, i + rise, change)
        for rise, changes in ((1, (2, -1)), (3, (1, 2)))
        for i in range(width - rise)
        for change in changes
    ]
    return [
        frozenset(chosen)
        for chosen in combinations(kinds, width)
        if all(sum(row in kind[:2] for kind in chosen) == 2 for row in range(width))
    ]


def strands_of(kinds: frozenset[RingKind]) -> int:
    """Number of endless paths of a pattern: each cycle of rows that leads k columns further gives k of them."""
    left, strands = sorted(kinds), 0
    while left:
        row, along = left[0][0], 0
        while (kind := next((kind for kind in left if row in kind[:2]), None)) is not None:
            left.remove(kind)
            along += kind[2] if kind[0] == row else -kind[2]
            row = kind[0] + kind[1] - row
        strands += abs(along)
    return strands


def patterned(
    graph: MoveGraph, radius: int, cut: int, patterns: Sequence[frozenset[RingKind]], turn: int
) -> Iterator[Problem]:
    """Symmetric sets of moves of the frame that cross the cuts just as a choice of patterns does."""
    cells = graph.board.cells.tolist() if graph.board else []
    part = [part_of((x - radius, y - radius), cut) for x, y in cells]
    between = frozenset(e for e, (u, v) in enumerate(graph.ends.tolist()) if part[u] != part[v])
    for chosen in product(patterns, repeat=turn):
        moves = [
            tuple(cell_on(side, at, radius - WIDTH + row + 1) for row, at in (place[:2], place[2:]))
            for side in range(4)
            for place in across(chosen[side % turn], cut)
        ]
        try:
            needed = frozenset(_edge(graph, (a, b), radius) for a, b in moves)
        except KTError:
            continue  # A move leads off the frame
        if needed <= between:
            yield Problem(graph, "any", required=needed, forbidden=between - needed, symmetry=TURNS[turn])


def splices(radius: int, cut: int) -> list[Four]:
    """The cells a, b, c, d of the upper part such that c-d is a move and, with it moved inwards, a-c and b-d are."""
    square = [(x, y) for x in range(-radius, radius) for y in range(-radius, radius)]
    cells = [c for c in square if radius - WIDTH < depth(c) <= radius and part_of(c, cut) == 0]
    moves = [(c, d) for c in cells for d in cells if c < d and is_move(c, d)]
    return [
        (a, b, c, d)
        for c, d in moves
        for a in cells
        for b in cells
        if a != b and is_move(a, (c[0], c[1] - WIDTH)) and is_move(b, (d[0], d[1] - WIDTH))
    ]


def _spliced(problem: Problem, radius: int, turn: int, four: Four) -> Problem | None:
    """The linkages of a with b, and of their images, that have the move c-d; None where that is forbidden."""
    a, b, c, d = four
    board = problem.graph.board
    assert board is not None
    quarters = range(0, 4, turn)
    move = {_edge(problem.graph, (turned_cell(c, q), turned_cell(d, q)), radius) for q in quarters}
    if move & problem.forbidden:
        return None
    ends = [turned_cell(cell, q) for q in quarters for cell in (a, b)]
    terminals = tuple(board.number((x + radius, y + radius)) for x, y in ends)
    return replace(problem, connectivity="linkage", terminals=terminals, required=problem.required | move)


def _cores(
    radius: int, radii: Sequence[int], turn: int, outward: Move, objective: str | None
) -> dict[int, tuple[Cell, ...]] | None:
    """Symmetric tours of diamonds with the move c-d and its images; None if one has none."""
    cores = {}
    for r in radii:
        graph = MoveGraph.of(Board.aztec(r))
        c, d = ((x, y - radius + r) for x, y in outward)
        try:
            needed = {_edge(graph, (turned_cell(c, q), turned_cell(d, q)), r) for q in range(0, 4, turn)}
        except KTError:
            return None
        problem = Problem(graph, "cycle", objective, required=frozenset(needed), symmetry=TURNS[turn])
        tour = solve(problem, engine="cpsat", hint=False, limits=Limits(workers=1)).tour
        if tour is None:
            return None
        cores[r] = _centred(graph, tour.normalised().order.tolist(), r)
    return cores


def _edge(graph: MoveGraph, move: Move, radius: int) -> int:
    """The number of a move given by its cells in centred coordinates."""
    assert graph.board is not None
    u, v = (graph.board.number((x + radius, y + radius)) for x, y in move)
    return graph.edges_between(u, v)[0]


def _centred(graph: MoveGraph, vertices: Sequence[int], radius: int) -> tuple[Cell, ...]:
    assert graph.board is not None
    return tuple((x - radius, y - radius) for x, y in graph.board.cells[list(vertices)].tolist())


def to_json(rings: RingFamily) -> dict[str, Any]:
    """As `read_rings` reads it."""

    def cells(centred: Sequence[Cell], radius: int) -> list[list[int]]:
        return [[x + radius, y + radius] for x, y in centred]

    return {
        **{name: getattr(rings, name) for name in ("radius", "width", "cut", "turn")},
        "path": cells(rings.path, rings.radius),
        "outward": cells(rings.outward, rings.radius),
        "cores": {str(r): cells(core, r) for r, core in rings.cores.items()},
    }


def file_of(half: RingFamily, quarter: RingFamily) -> dict[str, Any]:
    """The file of two rings, with what they show."""
    claims = (
        FamilyStatement(Boards("aztec diamonds", min(half.cores)), symmetry="rot180"),
        FamilyStatement(
            Boards("aztec diamonds", min(quarter.cores), WIDTH, tuple(sorted(core % WIDTH for core in quarter.cores))),
            symmetry="rot90",
        ),
    )
    head = {
        "version": FORMAT_VERSION,
        "kind": KIND,
        "command": COMMAND,
        "claims": [claim_to_json(claim) for claim in claims],
    }
    return {**head, "rings": [to_json(half), to_json(quarter)]}


def main() -> None:
    """Print the rings and cores of `heuristics/gadgets/rings.json`, found anew."""
    half = search_rings(6, (2, 3, 4, 5), 2, {2}, 2)
    quarter = search_rings(9, (5, 6), 1, {4, 6}, 3, first=True)
    assert half is not None and quarter is not None
    print(json.dumps(file_of(half, quarter)))


if __name__ == "__main__":
    main()
