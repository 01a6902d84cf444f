"""Seeds of octant families that begin with smaller boards and have fewer crossings, put together from those of others.

What is near the corners and the centre is taken from an earlier seed, as lines meet there in the same way; a change of
the pattern and a middle of a side are filled in with fewest crossings, whatever cycles come of it, and turned into all
quarters.  Then cycles are merged by exchanges that cost least.  As the zones are what they were, a single cycle most
often makes a family.
"""

from __future__ import annotations

import contextlib
import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from benchmarks.few_crossings.octants import DEAR, PLAIN, Plan, codes_of, fill, free_moves, moves_of
from benchmarks.few_crossings.rectangles import OPEN, code, fixed_moves
from benchmarks.few_crossings.regimes import Cell, Move
from heuristics.constructions.strands.walk import cycle_of
from heuristics.orbit_search import improve_orbits
from kt_models import MoveGraph, Problem, graph_of
from kt_models.board import IntArray
from kt_models.certificates.families.codes import MOVES, PAIRS, Codes, count
from kt_models.certificates.families.octant_data import BAND, CORNER, DIAGONAL, SIDE, STEP, Octants
from kt_models.certificates.families.octants import check_one_cycle
from kt_models.certificates.families.zones import Zone
from kt_models.errors import CertificateError, KTError
from kt_models.limits import Limits

Chosen = npt.NDArray[np.bool_]
Pair = tuple[int, int]
Sides = dict[Cell, int]
"""The codes of cells at a change and a middle of the left side, in rows from its middle."""
NEAR, FAR = 22, 11
"""Where the zones of a side begin, back from its middle."""
SLANTED, ALONG = 14, 12
"""Where those of the diagonal and of the middle line begin."""
OWN = range(16, 8, -1)
"""So near the centre, along both axes, an earlier seed may be kept."""
DEPTH = 6
"""Of the blocks that are filled in."""
DEEPER = 10
"""Of the part of a middle that is annealed, and where a middle of a rectangle is taken from a square."""
EXCHANGES = 300_000
"""For each cell of such a part."""
KICKS, SAMPLE = 3, 50
"""Exchanges that a try begins with, at most, each the cheapest of so many."""
FEW = tuple(itertools.product((-1, 0, 1, 2, 3), (0, 1, 2)))
"""Steps, and steps of the band, to the boards that are looked at first."""
ROUNDS = 3
"""Annealings of each, of which the best is taken."""
TRIES = 20
"""Of merging."""
SECONDS = 15.0
"""For cells that are filled in again where what is kept does not fit."""


def turned(own: int, turns: int) -> int:
    """A code after so many quarter turns."""
    moves = [MOVES[way] for way in PAIRS[own]]
    for _ in range(turns % 4):
        moves = [(-b, a) for a, b in moves]
    return code(*moves)


def mirrored(codes: Codes) -> Codes:
    """A table with left and right exchanged."""
    table = np.array([code(*((-MOVES[way][0], MOVES[way][1]) for way in pair)) for pair in PAIRS], dtype=np.uint8)
    return table[codes[::-1]]


def blocks_of(half: int) -> list[set[Cell]]:
    """The change and the middle of the left side of a square, as deep as a side has its own moves."""
    change, middle = range(half - NEAR + 3, half - FAR), range(half - FAR + 3, half + FAR - 3)
    return [set(itertools.product(range(SIDE), change)), set(itertools.product(range(DEEPER), middle))]


def square_of(old: Octants, side: int, corner: int, own: int) -> Codes:
    """A square of another side, the same modulo 2 `STEP`, with open cells at changes and middles.

    Parameters
    ----------
    old
        What is kept of it is near its centre and in one of its corners.
    corner
        By how many quarter turns from the bottom left.
    own
        How near, one of `OWN`.
    """
    plan, was, half = Plan(side, ()), Plan(old.width, ()), side // 2
    by, zone = (old.width - side) // 2, old.diagonal[0].start
    codes = np.empty((side, side), dtype=np.uint8)
    for cell in plan.board:
        (x, y), turns = plan.quarter(cell)
        low, high, mean = min(x, y), max(x, y), (x + y) // 2
        if low >= half - own:
            codes[cell] = old.codes[was.turned((x + by, y + by), turns)]
        elif high < SLANTED and not (low < SIDE and high >= CORNER):
            codes[cell] = turned(int(old.codes[was.turned((x, y), corner)]), turns - corner)
        elif abs(y - x) <= DIAGONAL:
            more = zone + (mean - zone) % STEP - mean
            codes[cell] = turned(int(old.codes[x + more, y + more]), turns)
        elif y == half - 1:
            codes[cell] = turned(code((-2, 1), (-2, -1)), turns)
        else:
            pattern = DEAR if y > x and y >= half - NEAR + 3 else PLAIN
            line = pattern[low] if low < len(pattern) else ((2, -1), (-2, 1))
            codes[cell] = turned(code(*((a, -b) if y > x else (-b, a) for a, b in line)), turns)
    for (x, y), turns in itertools.product(set[Cell]().union(*blocks_of(half)), range(4)):
        if x < DEPTH:
            codes[plan.turned((x, y), turns)] = OPEN
    return codes


def filled(codes: Codes, seconds: float, seed: int) -> Sides | None:
    """Moves with few crossings for the open cells of such a square, alike in all quarters; None if none were found.

    Raises
    ------
    KTError
        If the moves that are given do not fit together.
    """
    half = len(codes) // 2
    plan, moves, blocks = Plan(2 * half, ()), fixed_moves(codes), blocks_of(half)
    for block in blocks:
        rows = {y for _, y in block}
        near = {move for move in moves if any(min(rows) - SIDE < y < max(rows) + SIDE for _, y in move)}
        found = fill(near, {cell for cell in block if codes[cell] == OPEN}, False, seconds, seed)
        if found is None:
            return None
        for turns in range(4):
            ends = ((plan.turned(a, turns), plan.turned(b, turns)) for a, b in found)
            moves |= {(min(move), max(move)) for move in ends}
    full = codes_of(codes.shape, moves)
    for block in blocks:
        full = min((annealed(full, block, seed + k) for k in range(ROUNDS)), key=lambda one: count(one, "crossings"))
    return {(x, y - half): int(full[x, y]) for block in blocks for x, y in block}


def with_sides(codes: Codes, sides: Sides) -> Codes:
    """A square with such moves."""
    half, codes = len(codes) // 2, codes.copy()
    plan = Plan(2 * half, ())
    for ((x, y), own), turns in itertools.product(sides.items(), range(4)):
        codes[plan.turned((x, y + half), turns)] = turned(own, turns)
    return codes


def annealed(codes: Codes, cells: set[Cell], seed: int) -> Codes:
    """The same with fewer crossings among some cells, whatever the cycles are."""
    graph = graph_of("{}x{}".format(*codes.shape))
    made = made_moves(codes, graph)
    inside = np.zeros(codes.shape, dtype=np.bool_)
    inside[tuple(np.array(sorted(cells)).T)] = True
    free = inside.reshape(-1)[graph.ends].all(axis=1)
    locked, forbidden = (frozenset(np.flatnonzero(~free & which).tolist()) for which in (made, ~made))
    problem = Problem(graph, "any", "crossings", required=locked, forbidden=forbidden)
    start = np.flatnonzero(made).astype(np.int32)
    found = improve_orbits(problem, start, max_steps=EXCHANGES * len(cells), limits=Limits(seed=seed))
    return codes_of(codes.shape, {named(graph, edge) for edge in found.tolist()})


def named(graph: MoveGraph, edge: int) -> Move:
    """A move of a rectangle by its cells."""
    height = graph.geometry[0].shape[1]
    a, b = (divmod(int(v), height) for v in graph.ends[edge])
    return min(a, b), max(a, b)


def made_moves(codes: Codes, graph: MoveGraph) -> Chosen:
    """Which moves of a graph a table has."""
    height, moves = codes.shape[1], moves_of(codes)
    number = {pair: k for k, pair in enumerate(map(tuple, np.sort(graph.ends, axis=1).tolist()))}
    made = np.zeros(graph.m, dtype=np.bool_)
    made[[number[a * height + b, c * height + d] for (a, b), (c, d) in moves]] = True
    return made


# -- one cycle -----------------------------------------------------------------------------------------------------


def merged(family: Octants, seed: int, tries: int = TRIES) -> Octants | None:
    """The family with one cycle on each board, by exchanges of two moves for two others; None if it comes to none.

    The cheapest come first.  Where some boards still have several cycles, other tries begin with a few exchanges that
    join nothing and cost next to nothing.
    """
    graph, rng = graph_of("{}x{}".format(*family.codes.shape)), np.random.default_rng(seed)
    free, start = free_moves(family, graph), made_moves(family.codes, graph)
    weights = Problem(graph, "any", "crossings").weights
    assert weights is not None
    crossing = defaultdict(set)
    for one, other in zip(weights.first.tolist(), weights.second.tolist(), strict=True):
        crossing[one].add(other)
        crossing[other].add(one)

    def dearer(exchange: tuple[Pair, Pair], now: set[int]) -> int:
        old, new = exchange
        before = sum(len(crossing[move] & now) for move in old) - (old[1] in crossing[old[0]])
        after = sum(len((crossing[move] & now) - set(old)) for move in new) + (new[1] in crossing[new[0]])
        return after - before

    for trial in range(tries):
        made = start.copy()
        kicks = int(rng.integers(1, KICKS + 1)) if trial else 0
        while (labels := cycles(graph, made)).any() or kicks:
            joins = kicks == 0
            kicks = max(0, kicks - 1)
            exchanges = list(
                exchanges_of(graph, made & free, free & ~made, labels if joins else np.arange(graph.n, dtype=np.int32))
            )
            if not joins:
                exchanges = [exchanges[k] for k in rng.integers(len(exchanges), size=SAMPLE)]
            if not exchanges:
                break
            now = set(np.flatnonzero(made).tolist())
            costs = np.array([dearer(exchange, now) for exchange in exchanges])
            old, new = exchanges[int(rng.choice(np.flatnonzero(costs == costs.min())))]
            made[list(old)], made[list(new)] = False, True
        else:
            codes = codes_of(family.codes.shape, {named(graph, move) for move in np.flatnonzero(made).tolist()})
            with contextlib.suppress(CertificateError):
                found = replace(family, codes=codes)
                if all(single(found.board_codes(*steps)) for steps in FEW if family.band or not steps[1]):
                    check_one_cycle(found)
                    return found
    return None


def single(codes: Codes) -> bool:
    """Whether a table is one cycle."""
    return len(cycle_of(codes)) == codes.size


def cycles(graph: MoveGraph, made: Chosen) -> IntArray:
    """Of each vertex, the number of its cycle, from 0."""
    tails, heads = graph.ends[made].T
    joined = coo_array((np.ones(len(tails)), (tails, heads)), shape=(graph.n, graph.n))
    return connected_components(joined, directed=False)[1]


def exchanges_of(graph: MoveGraph, made: Chosen, other: Chosen, labels: IntArray) -> Iterator[tuple[Pair, Pair]]:
    """Two moves of cycles with different labels, and two others between the same cells."""
    beside: list[dict[int, int]] = [{} for _ in range(graph.n)]
    for move in np.flatnonzero(other).tolist():
        u, v = graph.ends[move].tolist()
        beside[u][v] = beside[v][u] = move
    along: list[dict[int, int]] = [{} for _ in range(graph.n)]
    for move in np.flatnonzero(made).tolist():
        u, v = graph.ends[move].tolist()
        along[u][v] = along[v][u] = move
    for u, v in itertools.chain(graph.ends[made].tolist(), graph.ends[made][:, ::-1].tolist()):
        for x, new in beside[u].items():
            if labels[u] < labels[x]:
                for y, old in along[x].items():
                    if y in beside[v]:
                        yield (along[u][v], old), (new, beside[v][y])


# -- squares and rectangles ----------------------------------------------------------------------------------------


def smaller_square(old: Octants, side: int, sides: Sides, seed: int = 0) -> Octants | None:
    """A family of squares whose seed has another side, put together from an earlier one; None if it comes to none.

    Raises
    ------
    KTError
        If the sides do not differ by a multiple of 12.
    """
    if (side - old.width) % (2 * STEP):
        raise KTError("the sides of two squares differ by a multiple of 12")
    half, found = side // 2, []
    left, bottom = ((Zone(near, STEP // 2), Zone(half - FAR, STEP // 2)) for near in (half - NEAR, CORNER))
    for corner, own in itertools.product(range(4), OWN):
        with contextlib.suppress(CertificateError):
            codes = with_sides(square_of(old, side, corner, own), sides)
            found.append(merged(Octants(codes, (Zone(SLANTED, STEP),), (Zone(ALONG, STEP),), bottom, left), seed))
    return fewest(found)


def fewest(families: Iterable[Octants | None]) -> Octants | None:
    """The family with the fewest crossings, if there is any."""
    return min(filter(None, families), key=lambda family: count(family.codes, "crossings"), default=None)


def smaller_rectangle(square: Octants, old: Octants, seed: int = 0) -> Octants | None:
    """A family of rectangles as wide as a square and higher by what an earlier one is; None if it comes to none."""
    family = unmerged_rectangle(square, old)
    return None if family is None else merged(family, seed)


def unmerged_rectangle(square: Octants, old: Octants) -> Octants | None:
    """Such a family whose boards may have several cycles.

    Raises
    ------
    KTError
        If the widths do not differ by a multiple of 12.
    """
    if (square.width - old.width) % (2 * STEP):
        raise KTError("the widths of the square and of the rectangle differ by a multiple of 12")
    zones, half = (square.diagonal, square.middle, square.bottom, square.left), square.width // 2
    about = (square.width + old.longer + half) // 2
    for own, start in itertools.product(OWN, range(about - 3, about - 8, -1)):
        with contextlib.suppress(KTError):
            codes = mended(rectangle_of(square, old, own), SECONDS)
            return Octants(codes, *zones, band=(Zone(start, BAND),))
    return None


def rectangle_of(square: Octants, old: Octants, own: int) -> Codes:
    """A rectangle of a square's width, with the centres of another one, so far around them, and as much higher.

    The rows between the halves are lines from the left side to the right side, where `DEAR` keeps them from closing.
    So the right side is the left one of the square, with left and right exchanged, and as many rows more of `DEAR`.
    """
    side, longer = square.width, old.longer
    half, height = side // 2, side + longer
    middle, reach, (near, far) = half + longer, half - square.left[1].end, square.left
    falling = code((2, -1), (-2, 1))
    codes = np.full((side, height), falling, dtype=np.uint8)
    codes[:, :half], codes[:, middle:] = square.codes[:, :half], square.codes[:, half:]
    plain = np.array([code(*moves) for moves in PLAIN] + [falling] * (DEEPER - len(PLAIN)), dtype=np.uint8)
    left = np.empty((DEEPER, height), dtype=np.uint8)
    left[:, : half + reach] = square.codes[:DEEPER, : half + reach]
    left[:, half + reach :] = plain[:, None]
    codes[:DEEPER, half : middle + reach] = left[:, half : middle + reach]
    lower = near.start - square.bottom[0].start  # the change begins, to have room for the zone of the band
    left[:, near.start - lower : far.start - lower] = left[:, near.start : far.start].copy()
    left[:, far.start - lower : middle + 1 - reach] = square.codes[:DEEPER, far.start, None]
    left[:, middle + 1 - reach : middle + 1 + reach] = square.codes[:DEEPER, half - reach : half + reach]
    left[:, middle + 1 + reach :] = plain[:, None]
    right = mirrored(left)
    whole, about = slice(near.start - lower, height - near.start), slice(middle + 1 - reach, middle + 1 + reach)
    for rows, depth in ((whole, SIDE), (about, DEEPER)):
        codes[side - depth :, rows] = right[DEEPER - depth :, rows]
    by = (old.width - side) // 2
    inside = slice(half - own, half + own), slice(half - own, middle + own)
    codes[inside] = old.codes[tuple(slice(one.start + by, one.stop + by) for one in inside)]
    return codes


def mended(codes: Codes, seconds: float) -> Codes:
    """A table whose moves fit together, as it was but near cells where they do not.

    Raises
    ------
    KTError
        If it cannot be mended.
    """
    open_cells = np.zeros(codes.shape, dtype=np.bool_)
    for x, y in wrong_cells(codes):
        open_cells[max(0, x - 2) : x + 3, max(0, y - 2) : y + 3] = True
    if not open_cells.any():
        return codes
    moves = fixed_moves(np.where(open_cells, OPEN, codes).astype(np.uint8))
    found = fill(moves, {(x, y) for x, y in np.argwhere(open_cells).tolist()}, False, seconds)
    if found is None:
        raise KTError("the moves that are kept do not fit together")
    return codes_of(codes.shape, moves | found)


def wrong_cells(codes: Codes) -> Iterator[Cell]:
    """Cells with a move that leads to no cell that has it back, nor to an open one."""
    for x, y in np.argwhere(codes != OPEN).tolist():
        for way in PAIRS[codes[x, y]]:
            u, v = x + MOVES[way][0], y + MOVES[way][1]
            inside = 0 <= u < codes.shape[0] and 0 <= v < codes.shape[1]
            if not inside or (codes[u, v] != OPEN and (way + 4) % 8 not in PAIRS[codes[u, v]]):
                yield x, y
