"""Problems from user input: a board in any form, cells and moves by name, numbers or labels."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import combinations, pairwise, product
from math import comb
from typing import Any

import numpy as np

from kt_models.arguments import (
    require,
    require_boolean,
    require_callable,
    require_items,
    require_text,
    require_whole,
)
from kt_models.conditions import (
    BlackPearls,
    Condition,
    Cycles,
    EdgeSum,
    EdgeSums,
    InOrder,
    Straight,
    Triples,
    Turning,
    WhitePearls,
)
from kt_models.constraints import Constraint
from kt_models.decimals import exact, scaled
from kt_models.directed import SplitGraph
from kt_models.errors import KTError, TooLarge, excerpt
from kt_models.expressions import Expression, Greatest, objective_from_expression
from kt_models.files.boards import BoardLike, graph_from
from kt_models.files.given import tour_given
from kt_models.files.vertices import cell_of, vertex_from, vertices_from
from kt_models.graph import MoveGraph, not_for_directed
from kt_models.leaper import Leaper
from kt_models.metrics.cells import CELLS
from kt_models.numbers import GivenNumbers
from kt_models.pairs import pair_weights as metric_weights
from kt_models.problem import PARTIAL, Connectivity, Problem, graph_by_cells
from kt_models.quantities import measures_in, quantity_on, quantity_weights
from kt_models.symmetry import Symmetry
from kt_models.tour import verify
from kt_models.weights import Weights, own_weights

ObjectiveLike = str | Expression | Greatest | Weights | Mapping[Any, float] | Callable[[Any, Any], float]
MAX_PAIRS = 2_000_000
"""Most pairs of moves that a function is asked of."""
MAX_ASKED = 5_000_000
"""Most triples of moves that a function is asked of: 8x8 has 776,216."""
MAX_OPTIONAL = 1_000_000
"""Most vertices of a graph some of which may be left out."""
CHANGED = "moves changed"
"""Name of the objective of `near`."""
CellLike = str | Sequence[int] | Hashable
MoveLike = str | tuple[CellLike, CellLike]


def problem_from(
    board: BoardLike | None = None,
    *,
    cells: Iterable[Any] | str | None = None,
    edges: Iterable[Any] | None = None,
    adjacency: Any = None,
    directed: bool | None = None,
    points: Any = None,
    pos: Any = None,
    precision: Any = None,
    missing: Any = None,
    minimize: ObjectiveLike | None = None,
    maximize: ObjectiveLike | None = None,
    near: Any = None,
    open: bool = False,
    start: CellLike | None = None,
    end: CellLike | None = None,
    symmetry: str | Symmetry | Iterable[str | Symmetry] = (),
    require: MoveLike | Iterable[MoveLike] = (),
    forbid: MoveLike | Iterable[MoveLike] = (),
    leaper: Leaper | str | tuple[int, ...] | None = None,
    numbers: Mapping[CellLike, int | Iterable[int]] | None = None,
    clues: Any = None,
    sums: Mapping[str, int | Iterable[int]] | None = None,
    in_order: Iterable[CellLike] = (),
    waypoints: Any = None,
    straight: Iterable[CellLike] = (),
    turn: Iterable[CellLike] = (),
    white_pearls: Iterable[CellLike] = (),
    black_pearls: Iterable[CellLike] = (),
    forbid_triples: Any = (),
    shape: str | None = None,
    paths: Any = None,
    cycles: int | None = None,
    equal: bool = False,
    optional: Any = (),
    visit: Any = (),
    sum_of_edges: Any = None,
    at_most: Mapping[Any, int] | None = None,
    at_least: Mapping[Any, int] | None = None,
    distinguish_moves: bool | None = None,
) -> Problem:
    """The problem of a tour.

    Parameters
    ----------
    board, cells, edges, adjacency, points, pos, precision, directed, missing, leaper
        As `graph_from` reads them.
    minimize
        `turns`, `crossings`; `weight` for the weights that the graph comes with; a sum of multiples of these, as a text
        or as `2 * kt.turns + kt.crossings`; a mapping from edges to weights (see `edge_weights`); or any `Weights`: of
        a directed graph they are of its arcs, numbered as in `DirectedGraph.arcs`.
    maximize
        The same, but to be maximised: maximising `crossings` is minimising `-crossings`.
    near
        A tour in any form (see `kt.read`). The objective is the number of moves that differ from it.
    open
        An open tour instead of a closed one.
    start, end
        Cells that an open tour begins and ends at: `a1`, `(0, 0)`, or a node of the graph.
    symmetry
        Symmetries of the tour, one or several: `rot180`, `rot90`, `mirror-x`, ...
    require, forbid
        Moves that the tour makes, or does not make: `a1-b3`, `Na1-b3`, `a1b3`, chains `a1-b3-c5`, or pairs of cells.
    numbers
        Cells and the numbers that each may have, from 1: `{"a1": 1, "h8": {49, 64}}`. An open tour is numbered from
        its start, a closed one from any cell in either direction.
    clues
        A grid of given numbers, the top row first: a text, the path of one, a nested list or an array. `.`, `0` or `_`
        is a free cell, `#` a hole, and so is -1 beside 0; `cells` decides, as a text with the signs of free cells.
        Without a board, the grid defines the board.
    sums
        What the numbers of each line sum to: `{"rows": 260, "columns": 260, "diagonals": 260}`; a list has one sum for
        each row from the top, each column from the left, or each diagonal.
    in_order
        Stops: cells that the tour visits in this order, `["a1", "b3", "c2"]`. An open tour goes from the first to the
        last, unless `start` or `end` says otherwise; a closed one goes round in either direction.
    waypoints
        A grid of stops in the forms of `clues`, with the numbers 1, 2, 3, ..., each once. Without a board, the grid
        defines the board.
    straight, turn
        Cells where the tour goes straight on, or where it turns, as `turns` counts turns; it ends at none of them.
    white_pearls, black_pearls
        Cells of a closed tour as in Masyu: it goes straight on at a white pearl, and turns just before or just after;
        it turns at a black pearl, and goes straight on just before and just after.
    forbid_triples
        Triples of moves of which the tour does not make all three: a list of them, `[("a1-b3", "b3-c5", "c5-d7")]`; a
        function of three moves, each a pair of cells or nodes, which is called once for every three moves in one order
        and is true if they are forbidden; or `celtic`, for three moves that cross pairwise and enclose a smallest
        triangle.
    shape
        Where along the tour it goes straight on (`S`), turns (`T`), or may do either (`.`): a letter for each cell,
        or for each but the ends of an open tour, or the lengths of the straight pieces of a snake cube, `3,2,2`. The
        tour is numbered so that it fits.
    paths
        Several paths instead of one tour, which together visit every cell: pairs of ends, `"a1-h8,b2-c7"` or
        `[("a1", "h8"), ("b2", "c7")]`; or a grid in the forms of `clues` (nested lists, no tuples), where the two ends
        of each path have its number, which defines the board if that is left out.
    cycles
        Number of closed tours that together visit every cell, each of at least three cells, instead of one.
    equal
        With `cycles`: whether they have equal lengths.
    optional
        Cells that may be left out, or `all`: one cycle of at least three cells, one path of at least one move, or
        `paths`, through all others. The objective and limits may then contain `cells`, the number of cells visited.
    visit
        Cells that are visited, where all others may be left out.
    sum_of_edges
        How many of some moves are made, such as those around a face: a mapping from moves, as for `require`, to a
        number or to the least and the greatest one: `{"a1-b1-b2-a2-a1": 3, ("b1-c1", "c1-c2"): (0, 1)}`.
    at_most, at_least
        Upper or lower limits of sums: `{"turns": 34, "2*turns + crossings": 90}`. A sum is a
        measure, an expression of measures, or `Weights`.
    distinguish_moves
        On a board where two moves join the same two cells: whether a tour consists of moves. Otherwise it is an order
        of cells, and `require`, `forbid` and `symmetry` are about pairs of cells; with an objective or limits of sums,
        which depend on the moves, this has no effect. By default it consists of moves unless a symmetry or a required
        move is asked for.

    Raises
    ------
    KTError
        If an argument is not valid.
    """
    grid = None
    if paths is not None and cycles is not None:
        raise KTError("paths, cycles: either several paths or several closed tours are asked for")
    if require_boolean(equal, "equal") and cycles is None:
        raise KTError("equal: it is about the lengths of several closed tours; say how many with cycles")
    if paths is not None or cycles is not None:
        given_with = {"numbers": numbers, "clues": clues, "sums": sums, "shape": shape, "waypoints": waypoints}
        given_with |= {"open": open or None, "start": start, "end": end, "near": near, "in_order": in_order or None}
        for name, value in given_with.items():
            if value is not None:
                asked = "cycles" if paths is None else "paths"
                raise KTError(f"{name}, {asked}: {name} is about one tour, and {asked} are several")
        open = paths is not None
    path_grid = None
    if paths is not None:
        from kt_models.files.clues import clues_from, is_pairs

        if not is_pairs(paths):
            path_grid = clues_from(paths, cells if isinstance(cells, str) else None, stops=True)
            cells = None if isinstance(cells, str) else cells
            if all(place is None for place in (board, cells, edges, adjacency, points)):
                board = path_grid.board
    if clues is not None or waypoints is not None:
        from kt_models.files.clues import clues_from

        if clues is not None and waypoints is not None:
            raise KTError("clues, waypoints: the numbers of a grid are places in the tour or stops, not both")
        # The signs of a grid; they count for the board too if it is a mask
        signs = cells if isinstance(cells, str) else None
        if signs is not None and not (isinstance(board, str) and board.lstrip().startswith("@")):
            cells = None
        grid = clues_from(clues, signs) if waypoints is None else clues_from(waypoints, signs, stops=True)
        if all(place is None for place in (board, cells, edges, adjacency, points)):
            board = grid.board
    graph = graph_from(
        board,
        leaper,
        cells=cells,
        edges=edges,
        adjacency=adjacency,
        points=points,
        pos=pos,
        precision=precision,
        directed=directed,
        missing=missing,
    )
    open = require_boolean(open, "open")
    if isinstance(graph, SplitGraph):
        graph = graph.split(open=open)
    summed = any(goal is not None for goal in (minimize, maximize, near)) or _has_limits(at_most, at_least)
    local = (straight, turn, white_pearls, black_pearls, forbid_triples, sum_of_edges)
    summed |= any(map(is_given, local)) or shape is not None
    symmetries = [symmetry] if isinstance(symmetry, str | Symmetry) else _several("symmetry", symmetry)
    # Of all moves between two cells none can be singled out
    listed = _listed(graph, require)
    if distinguish_moves is None:
        distinguish_moves = not symmetries and not listed
    if not require_boolean(distinguish_moves, "distinguish_moves") and not summed:
        graph = graph_by_cells(graph, closed=not open)
    required, pairs_required = _moves_and_pairs(graph, listed)
    clued = grid if waypoints is None else None
    allowed = given_numbers(graph, numbers, clued, sums, start, end, open, shape)
    stops, start, end = _stops(graph, in_order, grid if clued is None else None, open, start, end)
    # Given numbers determine the ends: the cells with the first and the last number
    if allowed is not None and (open or end is None):
        start = end = None
    if end is not None and not open:
        raise KTError(f"end {excerpt(end)}: {graph.words.a_cycle} has no last {graph.words.place}; say open=True")
    if start is not None and not open:
        raise KTError(f"start {excerpt(start)}: {graph.words.a_cycle} has no first {graph.words.place}; say open=True")
    ends = [vertex_from(graph, cell) for cell in (start, end) if cell is not None]
    # A path of one vertex begins and ends there
    if len(ends) == 2 and ends[0] == ends[1] and graph.vertex_count > 1:
        raise KTError(f"end {excerpt(end)}: {graph.words.a_path} cannot end where it starts")
    dimension = graph.board.dimension if graph.board else 2
    objective = objective_from(graph, minimize, maximize, near, closed=not open)
    constraints = constraints_from(graph, at_most, at_least)
    terminals, at_ends = tuple(dict.fromkeys(ends)) if open else (), frozenset[int]()
    left_out = _optional(graph, optional, visit)
    if paths is not None:
        if isinstance(graph, SplitGraph):
            not_for_directed(graph, "paths")
        pairs = _pairs(graph, paths) if path_grid is None else path_grid.pairs(graph)
        terminals = tuple(vertex for pair in pairs for vertex in pair)
        grid = path_grid
    if isinstance(graph, SplitGraph):
        terminals = ()
        allowed = None if allowed is None else allowed.in_split(graph)
        if open:
            at_ends = graph.edges_at_ends(*(None if v is None else vertex_from(graph, v) for v in (start, end)))
    conditions = conditions_from(
        graph, stops, straight, turn, white_pearls, black_pearls, forbid_triples, cycles, equal, sum_of_edges
    )
    connectivity: Connectivity
    connectivity = (
        "any" if cycles not in (None, 1) else "linkage" if len(terminals) > 2 else "path" if open else "cycle"
    )
    if left_out:
        if allowed is not None or connectivity not in PARTIAL:
            topic = "given numbers" if allowed is not None else "several closed tours"
            raise KTError(f"optional, visit: {topic} are about tours through every {graph.words.place}")
        fixed = {*terminals, *(v for condition in conditions for v in condition.visited)}
        if is_given(optional) and not _is_all(optional) and (both := left_out & fixed):
            raise KTError(f"optional: {graph.name_of(min(both))} is visited in any case, and cannot be left out")
        left_out -= fixed
    if left_out:
        connectivity = PARTIAL[connectivity]
    elif any(CELLS in measures_in(graph, quantity) for quantity in (objective, *(c.quantity for c in constraints))):
        raise KTError(f"cells: all {graph.n:,} are visited; say which may be left out by optional (--optional)")
    return Problem(
        graph,
        connectivity,
        objective,
        terminals,
        required | at_ends,
        _moves(graph, forbid) | (frozenset() if grid is None else grid.walled(graph)),
        tuple(_symmetry(symmetry, dimension) for symmetry in symmetries),
        allowed,
        (*constraints, *pairs_required),
        conditions,
        left_out,
    )


def _optional(graph: MoveGraph, optional: Any, visit: Any) -> frozenset[int]:
    """The vertices that may be left out, from the cells that may and those that are visited."""
    if not (is_given(optional) or is_given(visit)):
        return frozenset()
    if isinstance(graph, SplitGraph):
        not_for_directed(graph, "vertices that may be left out")
    if graph.n > MAX_OPTIONAL or graph.is_implicit:
        raise TooLarge(f"optional, visit: {graph.name} has {graph.n:,} {graph.words.places}, over {MAX_OPTIONAL:,}")

    def numbers(cells: Any) -> frozenset[int]:
        return frozenset(vertices_from(graph, [cells] if isinstance(cells, str) else cells).tolist())

    kept = numbers(visit) if is_given(visit) else frozenset[int]()
    if _is_all(optional) or not is_given(optional):
        return frozenset(range(graph.n)) - kept
    free = numbers(optional)
    if both := free & kept:
        raise KTError(f"optional, visit: {graph.name_of(min(both))} is named in both")
    if kept:
        raise KTError("optional, visit: either the cells that may be left out are named, or those that are visited")
    return free


def _is_all(optional: Any) -> bool:
    return isinstance(optional, str) and optional == "all"


def _pairs(graph: MoveGraph, paths: Any) -> list[tuple[int, int]]:
    """The ends of paths, each pair as `a1-h8` or as two cells."""
    if isinstance(paths, str):
        paths = [part.strip() for part in re.findall(r"(?:\([^()]*\)|[^,(])+", paths)]
    pairs = []
    for pair in paths:
        if isinstance(pair, str):
            pairs.append(graph.ends_written(pair))
        elif len(pair) == 2:
            pairs.append((vertex_from(graph, pair[0]), vertex_from(graph, pair[1])))
        else:
            raise KTError(f"paths {excerpt(pair)}: the two ends of a path are needed, as 'a1-h8' or as a pair")
    ends = [vertex for pair in pairs for vertex in pair]
    if not ends:
        raise KTError("paths: no path is given; write their ends as a1-h8,b2-c7")
    if len(set(ends)) < len(ends):
        twice = next(vertex for vertex in ends if ends.count(vertex) > 1)
        raise KTError(f"paths: {graph.name_of(twice)} is given twice")
    return pairs


def is_given(several: Any) -> bool:
    """Whether an argument that takes several things holds any: what is no list has perhaps no truth value."""
    return several is not None and (not isinstance(several, tuple | list | str) or bool(several))


def conditions_from(
    graph: MoveGraph,
    stops: Sequence[int] = (),
    straight: Any = (),
    turn: Any = (),
    white_pearls: Any = (),
    black_pearls: Any = (),
    forbid_triples: Any = (),
    cycles: int | None = None,
    equal: bool = False,
    sum_of_edges: Any = None,
) -> tuple[Condition, ...]:
    """The conditions that arguments of `problem_from` mean.

    Raises
    ------
    KTError
        If one is not valid.
    """
    found: list[Condition] = [InOrder(tuple(stops))] if stops else []
    directed: tuple[tuple[Callable[[tuple[int, ...]], Condition], Any], ...]
    directed = ((Straight, straight), (Turning, turn), (WhitePearls, white_pearls), (BlackPearls, black_pearls))
    for kind, cells in directed:
        if is_given(cells):
            found.append(kind(tuple(vertices_from(graph, [cells] if isinstance(cells, str) else cells).tolist())))
    if is_given(forbid_triples):
        found.append(_triples(graph, forbid_triples))
    if cycles is not None and require_whole(cycles, "cycles", 1) > 1:
        found.append(Cycles(int(cycles), equal))
    if is_given(sum_of_edges):
        found.append(_edge_sums(graph, sum_of_edges))
    return tuple(found)


def _edge_sums(graph: MoveGraph, numbers: Any) -> EdgeSums:
    """How many of some edges are chosen, from a mapping or from pairs of moves and numbers."""
    rows = numbers.items() if isinstance(numbers, Mapping) else _several("sum_of_edges", numbers)
    sums = []
    for row in rows:
        if not isinstance(row, Sequence) or isinstance(row, str) or len(row) != 2:
            raise KTError(f"sum_of_edges {excerpt(row)}: moves and a number are needed, such as ('a1-b1-b2', 2)")
        moves, number = row
        bounds = number if isinstance(number, tuple | list) else (number, number)
        if len(bounds) != 2:
            raise KTError(f"sum_of_edges {excerpt(number)}: a number is needed, or the least and the greatest one")
        least, most = (require_whole(bound, "sum_of_edges", 0) for bound in bounds)
        edges = _moves(graph, [moves] if isinstance(moves, str) else moves)
        sums.append(EdgeSum(tuple(sorted(edges)), least, most))
    return EdgeSums(tuple(sums))


def _triples(graph: MoveGraph, forbidden: Any) -> Triples:
    """Forbidden triples of moves: a rule, several of them and of triples, or a function of three moves."""
    if callable(forbidden):
        function = require_callable(forbidden, "forbid_triples", 3, "three moves")
        first = graph.first_arc if isinstance(graph, SplitGraph) else 0
        count = graph.m - first
        if comb(count, 3) > MAX_ASKED:
            raise TooLarge(
                f"{graph.name}: a function would be called for {comb(count, 3):,} triples of moves, over the limit of "
                f"{MAX_ASKED:,}; list the triples instead"
            )
        ends = (graph.directed.arcs if isinstance(graph, SplitGraph) else graph.ends).tolist()
        moves = [(cell_of(graph, u), cell_of(graph, v)) for u, v in ends]
        made = [triple for triple in combinations(range(count), 3) if function(*(moves[e] for e in triple))]
        return Triples(tuple((e + first, f + first, g + first) for e, f, g in made))
    rules: list[str] = []
    triples: list[tuple[int, ...]] = []
    for item in [forbidden] if isinstance(forbidden, str) else _several("forbid_triples", forbidden):
        if isinstance(item, str):
            rules.append(item)
            continue
        moves = require_items(item, "forbid_triples", "three moves, such as ('a1-b3', 'b3-c5', 'c5-d7')")
        edges = [sorted(_moves(graph, [move])) for move in moves]
        if len(edges) != 3 or len({tuple(some) for some in edges}) != 3:
            raise KTError(f"forbid_triples {excerpt(item)}: three different {graph.words.moves} are needed")
        triples += product(*edges)
    return Triples(tuple(triples), tuple(rules))


def _name_of(graph: MoveGraph, vertex: int) -> str:
    """The name of a cell, or of a vertex of a directed graph itself."""
    return graph.directed.name_of(vertex) if isinstance(graph, SplitGraph) else graph.name_of(vertex)


def _stops(
    graph: MoveGraph, in_order: Any, waypoints: Any, open: bool, start: Any, end: Any
) -> tuple[tuple[int, ...], Any, Any]:
    """The stops of a tour, and the ends of an open one, which is to go from the first to the last by default."""
    stops = vertices_from(graph, [in_order] if isinstance(in_order, str) else in_order).tolist()
    if waypoints is not None:
        if stops:
            raise KTError("in_order, waypoints: the stops are given in one way")
        stops = waypoints.stops(graph)
    if len(set(stops)) < len(stops):
        twice = next(stop for stop in stops if stops.count(stop) > 1)
        raise KTError(f"in order: {_name_of(graph, twice)} is given twice")
    if not stops or not open:
        return tuple(stops), start, end
    first = stops[0] if start is None else vertex_from(graph, start)
    # One stop is the start, and the end is free.
    last = vertex_from(graph, end) if end is not None else stops[-1] if stops != [first] else None
    for vertex, place, word in ((first, 0, "start"), (last, -1, "end")):
        if vertex is not None and vertex in stops and stops[place] != vertex:
            raise KTError(f"in order: the {word} {_name_of(graph, vertex)} is a stop that is visited at another time")
    # The ends are stops as well, so that the order has a direction.
    stops = [*([] if first in stops else [first]), *stops, *([] if last is None or last in stops else [last])]
    names = [None if vertex is None else cell_of(graph, vertex) for vertex in (first, last)]
    return tuple(stops), names[0], names[1]


def _has_limits(*mappings: Any) -> bool:
    """Whether there are limits of sums: what is no mapping is refused later, and has perhaps no truth value."""
    return any(limits is not None and (not isinstance(limits, Mapping) or len(limits) > 0) for limits in mappings)


def constraints_from(
    graph: MoveGraph, at_most: Mapping[Any, int] | None, at_least: Mapping[Any, int] | None
) -> list[Constraint]:
    """Constraints of mappings from sums to limits.

    Raises
    ------
    KTError
        If a constraint is not valid.
    """
    constraints = []
    for name, limits in (("at_most", at_most), ("at_least", at_least)):
        if limits is None:
            continue
        require(limits, name, Mapping, 'a mapping from sums to integers, such as {"turns": 34}')
        for quantity, limit in limits.items():
            if not (isinstance(quantity, str | Expression | Weights) or callable(quantity)):
                raise KTError(f"{name}: {excerpt(quantity)} is no sum; write 'turns', '2*turns + crossings' or Weights")
            constraints.append(Constraint(objective_from(graph, quantity), limit, name == "at_least"))
    return constraints


def given_numbers(
    graph: MoveGraph,
    numbers: Mapping[CellLike, int | Iterable[int]] | None,
    clues: Any,
    sums: Mapping[str, int | Iterable[int]] | None,
    start: Any = None,
    end: Any = None,
    open: bool = False,
    shape: str | None = None,
) -> GivenNumbers | None:
    """Given numbers from the arguments of `problem_from`; `None` without any."""
    if numbers is None and clues is None and sums is None and shape is None:
        return None
    from kt_models.files.clues import clues_from, numbers_from

    grid = None if clues is None else clues_from(clues)
    return numbers_from(graph, partial(vertex_from, graph), numbers, grid, sums, start, end, open, shape)


def _symmetry(symmetry: Any, dimension: int) -> Symmetry:
    if isinstance(symmetry, Symmetry):
        return symmetry
    return Symmetry.parse(require_text(symmetry, "symmetry", "a text such as 'rot180'"), dimension)


def _of_arcs(graph: SplitGraph, weights: Weights) -> Weights:
    """Weights of arcs and pairs of arcs, as weights of the edges that stand for them."""
    weights.require_graph(graph)
    if max((0, *weights.first.tolist(), *weights.second.tolist())) >= max(graph.directed.m, 1):
        raise KTError(f"weights of {graph.name}: it has {graph.directed.m:,} arcs, numbered from 0")
    rows = (graph.edges_numbered(weights.first), graph.edges_numbered(weights.second))
    return Weights(*rows, weights.weight, weights.name, decimals=weights.decimals)


def objective_from(
    graph: MoveGraph, minimize: Any, maximize: Any = None, near: Any = None, closed: bool | None = None
) -> Any:
    """The objective of a `Problem`: what is minimised or maximised, or the tour to be near.

    Of a directed graph, tables are of arcs as users number them, and become tables of the edges that stand for them.

    Parameters
    ----------
    closed
        Whether the problem asks for a closed tour; so is `near`, unless its data say otherwise.
    """
    if near is not None:
        if minimize is not None or maximize is not None:
            raise KTError("near excludes minimize and maximize: it is an objective itself")
        return changed_moves(graph, near, closed)
    if isinstance(minimize, Greatest) and maximize is None:
        minimize, maximize = None, minimize.expression
    if maximize is not None:
        if minimize is not None:
            raise KTError("minimize and maximize cannot be combined: minimize a difference, say 'turns - crossings'")
        greatest = objective_from(graph, maximize)
        require(greatest, "maximize", (str, Weights), "a sum of measures, such as 'crossings', or Weights")
        return quantity_weights(graph, quantity_on(graph, greatest, "objective")).to_maximise()
    if isinstance(minimize, str | Expression):
        return objective_from_expression(graph, minimize)
    table = _weighed(graph, minimize)
    return _of_arcs(graph, table) if isinstance(graph, SplitGraph) and isinstance(table, Weights) else table


def _weighed(graph: MoveGraph, sum_: Any) -> Any:
    """A mapping from moves or a function of two moves as weights; anything else as it is."""
    if isinstance(sum_, Mapping):
        return edge_weights(graph, sum_)
    return pair_weights(graph, sum_) if callable(sum_) else sum_


def changed_moves(graph: MoveGraph, tour: Any, closed: bool | None = None) -> Weights:
    """Number of moves of a solution that a given tour lacks.

    Parameters
    ----------
    tour
        A tour of this graph, in any form.
    closed
        Whether it is closed, if its data do not say so.

    Raises
    ------
    KTError
        If it is not a tour of the graph.
    """
    if isinstance(graph, SplitGraph):
        not_for_directed(graph, "near")
    base = tour_given(tour, graph, otherwise=closed)
    verify(base)
    weight = np.ones(graph.m, dtype=np.int64)
    # Minimising the weight keeps as many moves of the given tour as possible
    weight[base.edges] = 0
    return replace(Weights.of_edges(weight, CHANGED), graph=graph)


def edge_weights(
    board: BoardLike,
    weights: Mapping[Any, float] | Callable[[Any, Any], float] | None = None,
    *,
    leaper: Leaper | str | tuple[int, ...] | None = None,
) -> Weights:
    """Weights of the edges of a graph, or of the moves on a board, such as the lengths of roads.

    Parameters
    ----------
    board, leaper
        As `graph_from` reads them.
    weights
        A mapping from edges, each `a1-b3` or a pair of cells or nodes, to numbers, also decimals; edges that it does
        not name weigh 0. Or a function of the two ends of an edge, as cells or nodes. None: the weights that the
        graph comes with. Of a directed graph they are of arcs, the tail first.

    Returns
    -------
    Weights
        Weights to minimise, or to add to others, such as `pair_weights`.

    Raises
    ------
    KTError
        If a key is not an edge, an edge has two weights, or a weight is not a decimal.

    Examples
    --------
    >>> import kt
    >>> roads = {("Ulm", "Bonn"): 3, ("Bonn", "Kiel"): 4, ("Kiel", "Ulm"): 5, ("Ulm", "Jena"): 2, ("Jena", "Kiel"): 6}
    >>> result = kt.solve(list(roads), minimize=roads, open=True)
    >>> result.value, sorted([result.tour[0], result.tour[-1]])
    (9, ['Jena', 'Kiel'])
    """
    graph = graph_from(board, leaper)
    if weights is None:
        row = own_weights(graph)[graph.first_arc if isinstance(graph, SplitGraph) else 0 :].tolist()
        return replace(Weights.of_edges(row, decimals=graph.decimals), graph=graph)
    if isinstance(weights, Mapping):
        weight_of = _weights_named(graph, weights)
    elif callable(weights):
        function = require_callable(weights, "weights", 2, "two cells")
        ends = (graph.directed.arcs if isinstance(graph, SplitGraph) else graph.ends).tolist()
        weight_of = {e: function(cell_of(graph, u), cell_of(graph, v)) for e, (u, v) in enumerate(ends)}
    else:
        raise KTError(f"weights {excerpt(weights)}: a mapping from edges to integers, or a function of two cells")
    first, count = (graph.first_arc, graph.directed.m) if isinstance(graph, SplitGraph) else (0, graph.m)
    names = [f"the weight of {graph.edge_name(first + e)}" for e in range(count)]
    row, decimals = scaled([weight_of.get(e, 0) for e in range(count)], names.__getitem__)
    return replace(Weights.of_edges(row, decimals=decimals), graph=graph)


def cell_weights(
    board: BoardLike,
    weights: Mapping[Any, float] | Callable[[Any], float],
    *,
    leaper: Leaper | str | tuple[int, ...] | None = None,
) -> Weights:
    """Weights of the cells that a closed walk visits, such as prizes, as weights of edges.

    Each edge has half of the weights of its two ends, so that a cycle has the weights of its vertices. A path has half
    of those of its ends.

    Parameters
    ----------
    board, leaper
        As `graph_from` reads them; no directed graph.
    weights
        A mapping from cells or nodes to numbers, also decimals; others weigh 0. Or a function of a cell or node.

    Raises
    ------
    KTError
        If a key is not a cell, or a weight is not a decimal.

    Examples
    --------
    >>> import kt
    >>> prizes = kt.cell_weights("4x4", {"a1": 5, "d4": 5, "b2": 1}, leaper="wazir")
    >>> result = kt.solve("4x4", leaper="wazir", optional="all", maximize=2 * prizes - kt.cell_weights(
    ...     "4x4", lambda cell: 1, leaper="wazir"))
    >>> result.value, result.cells
    (10, 12)
    """
    graph = graph_from(board, leaper)
    if isinstance(graph, SplitGraph):
        not_for_directed(graph, "weights of cells")
    if isinstance(weights, Mapping):
        numbers = vertices_from(graph, list(weights)).tolist()
        weight_of = dict.fromkeys(range(graph.n), exact(0))
        for vertex, (cell, weight) in zip(numbers, weights.items(), strict=True):
            weight_of[vertex] = exact(weight, f"the weight of {excerpt(cell)}")
    elif callable(weights):
        function = require_callable(weights, "weights", 1, "a cell")
        names = [f"the weight of {graph.name_of(v)}" for v in range(graph.n)]
        weight_of = {v: exact(function(cell_of(graph, v)), name) for v, name in enumerate(names)}
    else:
        raise KTError(f"weights {excerpt(weights)}: a mapping from cells to numbers, or a function of a cell")
    halves = [(weight_of[u] + weight_of[v]) / 2 for u, v in graph.ends.tolist()]
    row, decimals = scaled(halves, lambda e: f"the weight of {graph.edge_name(e)}")
    return replace(Weights.of_edges(row, decimals=decimals), graph=graph)


def pair_weights(
    board: BoardLike,
    pairs: str | Mapping[Any, float] | Callable[[Any, Any], float],
    *,
    leaper: Leaper | str | tuple[int, ...] | None = None,
) -> Weights:
    """Weights of pairs of chosen moves, such as turns or crossings.

    Parameters
    ----------
    board, leaper
        As `graph_from` reads them.
    pairs
        `turns` or `crossings`, where each pair weighs 1. Or a mapping from pairs of moves to integers; a move is
        `a1-b3` or a pair of cells or nodes. Or a function of two moves, each a pair of cells or nodes, which is
        called once for every two moves, in one order only.

    Raises
    ------
    KTError
        If a key is not a pair of moves, a pair has two weights, or a weight is not an integer.
    TooLarge
        If a function would be called for more than `MAX_PAIRS` pairs.

    Examples
    --------
    >>> from kt_models.files.problems import pair_weights
    >>> pair_weights("6x6", "turns") + 2 * pair_weights("6x6", {("a1-b3", "a1-c2"): 5})
    Weights('turns + 2*weight', 0 edges, 300 pairs)
    """
    graph = graph_from(board, leaper)
    if isinstance(pairs, str):
        table = metric_weights(graph, pairs)
        if isinstance(graph, SplitGraph):
            rows = (graph.numbers_of(table.first), graph.numbers_of(table.second))
            table = replace(table, first=rows[0], second=rows[1])
        return replace(table, graph=graph)
    weight_of: dict[tuple[int, int], Any] = {}
    if callable(pairs) and not isinstance(pairs, Mapping):
        weight_of, pairs = _weights_of_pairs(graph, pairs), {}
    if not isinstance(pairs, Mapping):
        kinds = "'turns', 'crossings', a mapping from pairs of moves to integers, or a function of two moves"
        raise KTError(f"pairs {excerpt(pairs)}: {kinds}")
    for pair, value in pairs.items():
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise KTError(f"pair {excerpt(pair)}: a pair of moves is needed, such as ('a1-b3', 'b3-c5')")
        first, second = (_numbers(graph, move) for move in pair)
        weight = exact(value, f"the weight of {excerpt(pair)}")
        for e in first:
            for f in second:
                if weight_of.setdefault((min(e, f), max(e, f)), weight) != weight:
                    raise KTError(f"{excerpt(pair)} has two weights, {weight_of[min(e, f), max(e, f)]} and {weight}")
    ends: Any = list(zip(*weight_of, strict=True)) or [(), ()]
    row, decimals = scaled(list(weight_of.values()), lambda index: f"the weight of pair {index + 1}")
    return Weights(ends[0], ends[1], row, graph=graph, decimals=decimals)


def _weights_of_pairs(graph: MoveGraph, function: Callable[[Any, Any], Any]) -> dict[tuple[int, int], Any]:
    """Nonzero values of a function of every two moves, by their numbers."""
    require_callable(function, "pairs", 2, "two moves")
    ends = (graph.directed.arcs if isinstance(graph, SplitGraph) else graph.ends).tolist()
    if len(ends) * (len(ends) - 1) // 2 > MAX_PAIRS:
        raise TooLarge(f"{graph.name}: {len(ends):,} {graph.words.moves}, more than {MAX_PAIRS:,} pairs of them")
    moves = [(cell_of(graph, u), cell_of(graph, v)) for u, v in ends]
    weight_of = {}
    for (e, first), (f, second) in combinations(enumerate(moves), 2):
        if weight := exact(function(first, second), f"the weight of {first} and {second}"):
            weight_of[e, f] = weight
    return weight_of


def _weights_named(graph: MoveGraph, weights: Mapping[Any, float]) -> dict[int, float]:
    """Weights by edge number, of the edges that a mapping names; for parallel moves, of each."""
    weight_of: dict[int, float] = {}
    for move, weight in weights.items():
        for edge in _numbers(graph, move):
            # Parallel moves of one pair of cells have the same name, and only different weights contradict
            if (known := weight_of.setdefault(edge, weight)) is not weight and known != weight:
                raise KTError(f"{excerpt(move)} has two weights, {excerpt(weight_of[edge])} and {excerpt(weight)}")
    return weight_of


def _numbers(graph: MoveGraph, move: Any) -> list[int]:
    """Numbers of the edges, or arcs, that a move names; for parallel moves, all."""
    edges = sorted(_moves(graph, [move]))
    return graph.numbers_of(edges).tolist() if isinstance(graph, SplitGraph) else edges


def _moves(graph: MoveGraph, moves: Any) -> frozenset[int]:
    """Edges, each by the text of a move or by its two cells; one, or several."""
    edges = [edge for move in _listed(graph, moves) for edge in _edges_of(graph, move)]
    return parallel_edges(graph, edges)


def _moves_and_pairs(graph: MoveGraph, moves: list[Any]) -> tuple[frozenset[int], list[Constraint]]:
    """Required moves; and of pairs of cells that several moves join, constraints to make one of them."""
    single, pairs = set(), {}
    for edge in (edge for move in moves for edge in _edges_of(graph, move)):
        same = frozenset(graph.edges_between(int(graph.tails[edge]), int(graph.heads[edge])))
        if len(same) == 1:
            single.add(edge)
        else:
            pairs[same] = Constraint.one_of(graph, same)
    return frozenset(single), list(pairs.values())


def _listed(graph: MoveGraph, moves: Any) -> list[Any]:
    """Moves as a list: one, or several."""
    return [moves] if isinstance(moves, str) or _is_move(graph, moves) else [*_several("moves", moves)]


def _is_move(graph: MoveGraph, pair: Any) -> bool:
    """Whether this is one move, given as two cells, rather than two moves."""
    if not isinstance(pair, tuple) or len(pair) != 2:
        return False
    try:
        return [vertex_from(graph, cell) for cell in pair] != []
    except (KTError, TypeError):
        return False


def _edges_of(graph: MoveGraph, move: Any) -> list[int]:
    """The edge of a move or, for the text of a chain, the edges of all its moves."""
    if isinstance(move, str):
        return [graph.find_edge(text) for text in moves_in(graph, move)]
    if not isinstance(move, Sequence) or len(move) != 2:
        form = "'a1-b3', or as a pair of cells" if graph.board is not None else "'1-2', or as a pair of vertices"
        raise KTError(f"move {excerpt(move)}: {graph.words.a_move} is written {form}")
    return [graph.joining(*(vertex_from(graph, cell) for cell in move))]


_BETWEEN = re.compile(r"(?<=[0-9)])\s*(?:-+>?|–|—|→)\s*(?=[A-Za-z0-9(])")
_PIECE_LETTER = re.compile(r"[KQRBN](?=[a-z]{1,7}[0-9])")
_TWO_SQUARES = re.compile(r"([A-Za-z]{1,7}[0-9]{1,9})[x:]?([A-Za-z]{1,7}[0-9]{1,9})")


def moves_in(graph: MoveGraph, text: str) -> list[str]:
    """Moves of a text, each as `MoveGraph.find_edge` reads it.

    On a board `a1-b3`, `Na1-b3` and `a1b3` are one move, and `a1-b3-c5` is a chain of two. The names of a graph's
    vertices are written as they are; a text is a chain where it is no edge.
    """
    if graph.board is None:
        try:
            graph.find_edge(text)
        except KTError:
            names = text.split("-")
            with suppress(KTError):
                # A path of three or more names; two names are tried as an edge before, as names may contain hyphens
                if len(names) > 2 and len(list(map(graph.find, names))) == len(names):
                    return [f"{u}-{v}" for u, v in pairwise(names)]
        return [text]
    # Moves in the notation of chess are accepted: "Nb1-c3", "b1xc3"
    cells = _BETWEEN.split(_PIECE_LETTER.sub("", text.strip()))
    if len(cells) == 1 and (match := _TWO_SQUARES.fullmatch(cells[0])):
        cells = [match[1], match[2]]
    return [f"{u}-{v}" for u, v in pairwise(cells)] or [text]


def parse_edges(graph: MoveGraph, texts: Sequence[str]) -> frozenset[int]:
    """Edges of moves and chains, as a set of edge numbers; see `parallel_edges`."""
    return _moves(graph, list(texts))


def parallel_edges(graph: MoveGraph, edges: Iterable[int]) -> frozenset[int]:
    """Edges given by their ends: on a periodic board all moves between two cells."""
    named: set[int] = set()
    for edge in edges:
        named.update(graph.edges_between(int(graph.tails[edge]), int(graph.heads[edge])))
    return frozenset(named)


def _several(name: str, values: Any) -> list[Any]:
    return require_items(values, name, "a text or a list of texts")
