"""Open blocks of a board whose other cells have given moves: filled in anyhow, annealed, and cycles merged.

Filling in with the fewest crossings at once takes CP-SAT minutes. Any filling takes it a moment, and annealing, which
need not care for cycles, brings it close to the fewest in less than a second. Then cycles are merged by exchanges of
two moves for two others, the cheapest first. What is few is a sum of turns and crossings, with weights.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import TypeVar

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from heuristics.orbit_search import improve_orbits
from kt_models import MoveGraph, Problem, graph_of, pair_weights
from kt_models import Weights as Table
from kt_models.board import IntArray
from kt_models.errors import KTError
from kt_models.limits import Limits
from kt_models.tour import Tour
from research.few_crossings.regimes import Cell, Move
from theorems.growing_tours.codes import MOVES, PAIRS, Codes, count

Chosen = npt.NDArray[np.bool_]
Pair = tuple[int, int]
Exchange = tuple[Pair, Pair]
"""Two moves, and the two others between the same cells."""
Costs = dict[int, dict[int, int]]
"""By two moves, what both together cost."""
Found = TypeVar("Found")
Weights = tuple[int, int]
"""What a turn and a crossing cost."""
CROSSINGS: Weights = (1, 4)
"""Few crossings above all."""
OPEN = 255
"""The code of a cell that is not filled yet."""
EXCHANGES = 20_000
"""For each cell of a block that is annealed."""
SECONDS = 20.0
"""For any filling of a block."""
KICKS, SAMPLE = 3, 50
"""Exchanges that a try of merging begins with, at most, each the cheapest of so many."""
TRIES = 8
"""Tries of merging."""


def cost(codes: Codes, weights: Weights = CROSSINGS) -> int:
    """Weighted sum of all turns and crossings of a table."""
    return weights[0] * count(codes, "turns") + weights[1] * count(codes, "crossings")


@cache
def objective(graph: MoveGraph, weights: Weights) -> Table:
    """The same as weights of pairs of moves."""
    return weights[0] * pair_weights(graph, "turns") + weights[1] * pair_weights(graph, "crossings")


@cache
def costs_of(graph: MoveGraph, weights: Weights = CROSSINGS) -> Costs:
    """The same by moves."""
    pairs, found = objective(graph, weights), defaultdict[int, dict[int, int]](dict)
    for a, b, weight in zip(pairs.first.tolist(), pairs.second.tolist(), pairs.weight.tolist(), strict=True):
        for first, second in ((a, b), (b, a)):
            found[first][second] = found[first].get(second, 0) + weight
    return dict(found)


@cache
def board(width: int, height: int) -> MoveGraph:
    """The graph of a rectangle."""
    return graph_of(f"{width}x{height}")


# -- tables and moves ----------------------------------------------------------------------------------------------


def code(*moves: Cell) -> int:
    """Code of a cell with two moves."""
    first, second = sorted(map(MOVES.index, moves))
    return PAIRS.index((first, second))


def codes_of(size: tuple[int, int], moves: Iterable[Move]) -> Codes:
    """The moves of a tour as a table of codes."""
    kinds: dict[Cell, list[int]] = defaultdict(list)
    for (x, y), (u, v) in moves:
        kind = MOVES.index((u - x, v - y))
        kinds[x, y].append(kind)
        kinds[u, v].append((kind + 4) % 8)
    table = [[PAIRS.index(tuple(sorted(kinds[x, y]))) for y in range(size[1])] for x in range(size[0])]
    return np.array(table, dtype=np.uint8)


def codes_of_tour(tour: Tour) -> Codes:
    """The two moves at each cell of a tour of a rectangle."""
    cells = tour.coordinates.astype(np.int64)
    kind = np.full((5, 5), -1)
    for k, (u, v) in enumerate(MOVES):
        kind[u, v] = k
    ahead = np.roll(cells, -1, axis=0) - cells
    first = kind[ahead[:, 0], ahead[:, 1]]
    pair = np.zeros((8, 8), dtype=np.uint8)
    for code, (a, b) in enumerate(PAIRS):
        pair[a, b] = pair[b, a] = code
    codes = np.empty(tour.graph.geometry[0].shape, dtype=np.uint8)
    codes[cells[:, 0], cells[:, 1]] = pair[first, (np.roll(first, 1) + 4) % 8]
    return codes


def fixed_moves(codes: Codes) -> set[Move]:
    """The moves at the cells that are filled.

    Raises
    ------
    KTError
        If they do not fit together.
    """
    found = set()
    for x, y in np.argwhere(codes != OPEN).tolist():
        for way in PAIRS[codes[x, y]]:
            u, v = x + MOVES[way][0], y + MOVES[way][1]
            if not (0 <= u < codes.shape[0] and 0 <= v < codes.shape[1]):
                raise KTError("a move leads off the board")
            if codes[u, v] != OPEN and (way + 4) % 8 not in PAIRS[codes[u, v]]:
                raise KTError("the moves that repeat do not fit together")
            found.add((min((x, y), (u, v)), max((x, y), (u, v))))
    return found


@cache
def numbers(graph: MoveGraph) -> dict[tuple[int, ...], int]:
    """The moves of a graph by their two vertices, the lower one first."""
    return {pair: k for k, pair in enumerate(map(tuple, np.sort(graph.ends, axis=1).tolist()))}


def made_moves(codes: Codes, graph: MoveGraph) -> Chosen:
    """Which moves of a graph a table has."""
    height, number = codes.shape[1], numbers(graph)
    made = np.zeros(graph.m, dtype=np.bool_)
    made[[number[a * height + b, c * height + d] for (a, b), (c, d) in fixed_moves(codes)]] = True
    return made


def named(graph: MoveGraph, moves: Iterable[int]) -> set[Move]:
    """Moves of a rectangle by their cells."""
    height = graph.geometry[0].shape[1]
    ends = (sorted(divmod(int(v), height) for v in graph.ends[move]) for move in moves)
    return {(a, b) for a, b in ends}


def within(cells: Iterable[Cell], graph: MoveGraph) -> Chosen:
    """Which moves of a rectangle join two of some cells."""
    inside = np.zeros(graph.geometry[0].shape, dtype=np.bool_)
    inside[tuple(np.array(sorted(cells)).T)] = True
    both: Chosen = inside.reshape(-1)[graph.ends[:, 0]] & inside.reshape(-1)[graph.ends[:, 1]]
    return both


# -- filling in ----------------------------------------------------------------------------------------------------


def filled(codes: Codes, blocks: Iterable[set[Cell]]) -> Codes | None:
    """A table whose open cells in some blocks, which do not touch, are filled in anyhow; None if one of them cannot be.

    Raises
    ------
    KTError
        If the moves that are given do not fit together.
    """
    found = codes.copy()
    for block in blocks:
        free, fixed = {cell for cell in block if codes[cell] == OPEN}, fixed_moves(found)
        moves = any_moves(fixed, free)
        if moves is None:
            return None
        steps: dict[Cell, list[Cell]] = defaultdict(list)
        for source, target in fixed | moves:
            for (x, y), (u, v) in ((source, target), (target, source)):
                steps[x, y].append((u - x, v - y))
        for cell in free:
            found[cell] = code(*steps[cell])
    return found


def any_moves(fixed: set[Move], free: set[Cell], seconds: float = SECONDS) -> set[Move] | None:
    """Moves among free cells so that each has two; None if none were found in time."""
    from ortools.sat.python import cp_model

    lacks = dict.fromkeys(free, 2)
    for cell in (cell for move in fixed for cell in move if cell in free):
        lacks[cell] -= 1
    if sum(more * (-1) ** sum(cell) for cell, more in lacks.items()):
        return None  # Every move joins cells of both colours; solvers are slow to see it
    model = cp_model.CpModel()
    ways = [((x, y), (x + u, y + v)) for x, y in sorted(free) for u, v in MOVES if (u, v) > (0, 0)]
    some = {move: model.new_bool_var("") for move in ways if move[1] in free}
    for cell, more in lacks.items():
        model.add(sum(variable for move, variable in some.items() if cell in move) == more)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers, solver.parameters.max_time_in_seconds = 1, seconds
    if solver.solve(model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    return {move for move, variable in some.items() if solver.value(variable)}


def annealed(
    codes: Codes, cells: Iterable[Cell], seed: int, exchanges: int = EXCHANGES, weights: Weights = CROSSINGS
) -> Codes:
    """The same at less cost, by other moves among some cells, whatever cycles come of it."""
    graph, cells = board(*codes.shape), set(cells)
    made, free = made_moves(codes, graph), within(cells, graph)
    locked, forbidden = (frozenset(np.flatnonzero(~free & which).tolist()) for which in (made, ~made))
    problem = Problem(graph, "any", objective(graph, weights), required=locked, forbidden=forbidden)
    start = np.flatnonzero(made).astype(np.int32)
    found = improve_orbits(problem, start, max_steps=exchanges * len(cells), limits=Limits(seed=seed))
    return codes_of(codes.shape, named(graph, found.tolist()))


# -- one cycle -----------------------------------------------------------------------------------------------------


def merged(
    codes: Codes,
    free: Chosen,
    whole: Callable[[Codes], Found | None],
    seed: int,
    tries: int = TRIES,
    weights: Weights = CROSSINGS,
) -> Found | None:
    """What `whole` makes of a table with one cycle, by exchanges among free moves; None if it comes to none.

    The cheapest come first. If `whole` refuses a table, other tries begin with a few exchanges that join nothing and
    cost next to nothing.
    """
    graph, rng = board(*codes.shape), np.random.default_rng(seed)
    start, anywhere = made_moves(codes, graph), np.arange(graph.n, dtype=np.int32)
    for trial in range(tries):
        made = start.copy()
        kicks = int(rng.integers(1, KICKS + 1)) if trial else 0
        while (labels := cycles(graph, made)).any() or kicks:
            exchanges = list(exchanges_of(graph, made & free, free & ~made, anywhere if kicks else labels))
            if not exchanges:
                break
            if kicks:
                exchanges = [exchanges[k] for k in rng.integers(len(exchanges), size=SAMPLE)]
                kicks -= 1
            now = set(np.flatnonzero(made).tolist())
            dearer = np.array([_dearer(costs_of(graph, weights), exchange, now) for exchange in exchanges])
            old, new = exchanges[int(rng.choice(np.flatnonzero(dearer == dearer.min())))]
            made[list(old)], made[list(new)] = False, True
        else:
            found = whole(codes_of(codes.shape, named(graph, np.flatnonzero(made).tolist())))
            if found is not None:
                return found
    return None


def cycles(graph: MoveGraph, made: Chosen) -> IntArray:
    """Number of the cycle of each vertex, from 0."""
    tails, heads = graph.ends[made].T
    joined = coo_array((np.ones(len(tails)), (tails, heads)), shape=(graph.n, graph.n))
    return connected_components(joined, directed=False)[1]


def exchanges_of(graph: MoveGraph, made: Chosen, other: Chosen, labels: IntArray) -> Iterator[Exchange]:
    """Two moves of cycles with different labels, and two others between the same cells."""
    beside, along = ([dict[int, int]() for _ in range(graph.n)] for _ in range(2))
    for which, table in ((other, beside), (made, along)):
        for move in np.flatnonzero(which).tolist():
            u, v = graph.ends[move].tolist()
            table[u][v] = table[v][u] = move
    for u, v in [*graph.ends[made].tolist(), *graph.ends[made][:, ::-1].tolist()]:
        for x, new in beside[u].items():
            if labels[u] < labels[x]:
                for y, old in along[x].items():
                    if y in beside[v]:
                        yield (along[u][v], old), (new, beside[v][y])


def _dearer(costs: Costs, exchange: Exchange, now: set[int]) -> int:
    """What an exchange adds to the cost of the moves there are."""
    old, new = exchange
    before = sum(weight for move in old for other, weight in costs.get(move, {}).items() if other in now)
    before -= costs.get(old[0], {}).get(old[1], 0)
    left = now.difference(old)
    after = sum(weight for move in new for other, weight in costs.get(move, {}).items() if other in left)
    return after + costs.get(new[0], {}).get(new[1], 0) - before
