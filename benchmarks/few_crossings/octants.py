"""Seeds of octant families (`heuristics.constructions.octants`), searched: the moves that repeat are
given, the rest is filled in.

What repeats: the lines; the sides, whose pattern `PLAIN` has one crossing per row and `DEAR` two; and the diagonals,
with a pattern of 4 crossings per 6 steps that `regimes.search` finds. Left open are blocks of cells: the
corners, the middles of the sides, a place on each side where one pattern follows the other, the centre. The first
three are filled alike in all quarters, with few crossings and whatever paths; then the centre, so that one cycle
comes of it. Last, parts of all that does not repeat are annealed, as long as the family stays one.
"""

from __future__ import annotations

import contextlib
import itertools
import operator
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.few_crossings.regimes import Cell, Join, Move, Regime, chevron, crosses, left, search
from heuristics.constructions.strands.walk import cycle_of
from heuristics.local_search import HOT, LUKEWARM, _Arrays
from kt_models import MoveGraph, Problem, Tour, graph_of
from kt_models.certificates.families.codes import MOVES, PAIRS, Codes, count
from kt_models.certificates.families.octant_data import BAND, STEP, Octants
from kt_models.certificates.families.octants import check_one_cycle
from kt_models.certificates.families.zones import Zone
from kt_models.errors import CertificateError, KTError
from kt_models.limits import Limits

PLAIN = (((2, -1), (1, -2)), ((2, -1), (-1, 2)))
"""The two moves at each depth of a side whose lines are (2, -1), seen from the left: 1 crossing per row."""
DEAR = (((1, 2), (2, -1)), ((-1, -2), (2, -1)))
"""A pattern with 2 crossings per row, that together with the plain one closes no line."""
CORNER, MIDDLE, DEPTH, CHANGE, CENTRE = 9, 6, 6, 5, 7
"""Sizes of the open blocks."""
AXIS_WIDTH = 2
PARTS = 6, 31
"""The sides of the parts of a seed that are made better."""
ACCEPTED = 10
EXCHANGES = 1000
"""For each cell of a part of the seed that is made better."""


def axis_patterns(most: int = 100, seconds: float = 60.0) -> Iterator[tuple[Move, ...]]:
    """Patterns of the diagonal with which no line closes between two plain sides, 4 crossings per 6 steps."""
    side = left(3, 2)
    regime = Regime((chevron(6, AXIS_WIDTH), side, side), (Join(0, 0, 1, 0, -1), Join(0, 1, 2, 0, -1)))
    plain = {((0, y), (1, y - 2)) for y in range(3)}
    known: list[tuple[tuple[Move, ...], ...]] = []
    while len(known) < most:
        answer = search(regime, at_most=10, forbid=known, limits=Limits(seconds))
        if not answer.moves:
            return
        known.append(answer.moves)
        if set(answer.moves[1]) == set(answer.moves[2]) == plain:
            yield answer.moves[0]


def at_base(moves: Iterable[Move]) -> dict[Cell, list[Cell]]:
    """The moves at each cell of the first period of the diagonal."""
    found: dict[Cell, list[Cell]] = defaultdict(list)
    for (x, y), (u, v) in moves:
        found[x, y].append((u - x, v - y))
        back = 6 * ((u + v) // 12)
        found[u - back, v - back].append((x - u, y - v))
    return found


@dataclass(frozen=True, eq=False)
class Plan:
    """A square, what repeats on it, and the blocks that are open."""

    side: int
    axis: tuple[Move, ...]

    @property
    def half(self) -> int:
        return self.side // 2

    @property
    def board(self) -> list[Cell]:
        return [(x, y) for x in range(self.side) for y in range(self.side)]

    @property
    def change(self) -> int:
        """The row about which the pattern of a left side changes."""
        return self.side // 4 - 1

    def quarter(self, cell: Cell) -> tuple[Cell, int]:
        """The cell of the bottom left quarter that this one is turned from, and by how many quarter turns."""
        (x, y), turns = cell, 0
        while not (x < self.half and y < self.half):
            x, y, turns = y, self.side - 1 - x, turns + 1
        return (x, y), turns

    def turned(self, cell: Cell, turns: int) -> Cell:
        x, y = cell
        for _ in range(turns):
            x, y = self.side - 1 - y, x
        return x, y

    def block(self, cell: Cell) -> str | None:
        """The open block of a cell of the bottom left quarter, if any."""
        (x, y), h = cell, self.half
        if max(x, y) < CORNER:
            return "corner"
        if min(x, y) >= h - CENTRE:
            return "centre"
        if (x < DEPTH and y >= h - 1 - MIDDLE) or (y < DEPTH and x >= h - MIDDLE):
            return "middle"
        return "change" if x < CHANGE and abs(y - self.change) <= CHANGE else None

    @cached_property
    def _axis(self) -> dict[Cell, list[Cell]]:
        return at_base(self.axis)

    def moves(self, cell: Cell) -> list[Cell]:
        """The two moves at a cell that repeats, in the bottom left quarter."""
        x, y = cell
        if y == self.half - 1:
            return [(-2, 1), (-2, -1)]
        if abs(y - x) <= AXIS_WIDTH:
            back = 6 * ((x + y) // 12)
            lines = [(-2, -1), (2, 1)] if y > x else [(-1, -2), (1, 2)] if y < x else [(-2, -1), (-1, -2)]
            return self._axis[x - back, y - back] + [m for m in lines if abs(y + m[1] - x - m[0]) > AXIS_WIDTH]
        pattern = DEAR if y > x and y > self.change else PLAIN
        depth = min(x, y)
        own = pattern[depth] if depth < len(pattern) else ((2, -1), (-2, 1))
        return [(a, -b) for a, b in own] if y > x else [(-b, a) for a, b in own]

    @cached_property
    def fixed(self) -> set[Move]:
        """The moves that repeat.

        Raises
        ------
        KTError
            If they do not fit together.
        """
        found: dict[Cell, set[Cell]] = {}
        for cell in self.board:
            base, turns = self.quarter(cell)
            if self.block(base) is None:
                own = self.moves(base)
                for _ in range(turns):
                    own = [(-b, a) for a, b in own]
                found[cell] = {(cell[0] + a, cell[1] + b) for a, b in own}
        for cell, others in found.items():
            if len(others) != 2 or any(other in found and cell not in found[other] for other in others):
                raise KTError("the moves that repeat do not fit together")
        return {(min(cell, other), max(cell, other)) for cell, others in found.items() for other in others}

    def cells(self, name: str, quarter: int | None = None) -> set[Cell]:
        """Of a block in one quarter, or of the blocks of that name in all."""
        parted = ((cell, *self.quarter(cell)) for cell in self.board)
        return {cell for cell, base, turns in parted if self.block(base) == name and quarter in (None, turns)}


def walks(moves: Iterable[Move]) -> tuple[int, list[tuple[Cell, Cell]]]:
    """How many closed cycles moves make, and the ends of the other paths."""
    beside: dict[Cell, list[Cell]] = defaultdict(list)
    for a, b in moves:
        beside[a].append(b)
        beside[b].append(a)
    seen: set[Cell] = set()
    ends, cycles = [], 0
    for start in sorted(beside, key=lambda cell: len(beside[cell])):
        if start in seen:
            continue
        before, at = None, start
        while at not in seen:
            seen.add(at)
            onwards = [cell for cell in beside[at] if cell != before]
            if onwards:
                before, at = at, onwards[0]
        if len(beside[start]) == 1:
            ends.append((start, at))
        else:
            cycles += 1
    return cycles, ends


def fill(
    fixed: set[Move], free: set[Cell], one_cycle: bool, seconds: float, seed: int = 0, few: bool = True
) -> set[Move] | None:
    """Moves among free cells so that each has two, with few crossings or any; None if none were found in time.

    If it has to be one cycle, paths that lead out of the free cells may be joined there in any way.
    """
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    degree = Counter(cell for move in fixed for cell in move)
    if sum((2 - degree[x, y]) * (-1) ** (x + y) for x, y in free):
        return None  # every move joins cells of both colours; solvers are slow to see it
    some = {
        (a, (a[0] + u, a[1] + v)): model.new_bool_var("")
        for a in free
        for u, v in MOVES
        if (u, v) > (0, 0) and (a[0] + u, a[1] + v) in free
    }
    at: dict[Cell, list[Any]] = defaultdict(list)
    for move, variable in some.items():
        for cell in move:
            at[cell].append(variable)
    for cell in free:
        model.add(sum(at[cell]) == 2 - degree[cell])
    if one_cycle:
        cycles, ends = walks(fixed)
        if cycles:
            return None
        number = {cell: k for k, cell in enumerate(sorted(cell for cell in free if degree[cell] < 2))}
        outwards = [end for pair in ends for end in pair if len({*pair} & free) == 1 and end in free]
        arcs: list[tuple[int, int, Any]] = []
        for a, b in itertools.permutations(outwards, 2):
            arcs.append((number[a], number[b], model.new_bool_var("")))
        for a, b in ends:
            if not {a, b} <= free:
                continue
            way = model.new_bool_var("")
            arcs += [(number[a], number[b], way), (number[b], number[a], ~way)]
        for (a, b), variable in some.items():
            if a in number and b in number:
                ways = model.new_bool_var(""), model.new_bool_var("")
                model.add(sum(ways) == variable)
                arcs += [(number[a], number[b], ways[0]), (number[b], number[a], ways[1])]
        model.add_circuit(arcs)
    cost = []
    close = [move for move in fixed if any((x + u, y + v) in free for x, y in move for u, v in ((0, 0), *MOVES))]
    moves = list(some)
    for k, move in enumerate(moves if few else ()):
        if count := sum(crosses(*move, *other) for other in close):
            cost.append(count * some[move])
        for other in moves[k + 1 :]:
            if crosses(*move, *other):
                both = model.new_bool_var("")
                model.add_bool_or([both, ~some[move], ~some[other]])
                cost.append(both)
    model.minimize(sum(cost))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers, solver.parameters.max_time_in_seconds = 1, seconds
    solver.parameters.random_seed = seed
    if solver.solve(model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    return {(min(m), max(m)) for m, variable in some.items() if solver.value(variable)}


def codes_of(size: tuple[int, int], moves: Iterable[Move]) -> Codes:
    """The moves of a tour as a table of codes."""
    own: dict[Cell, list[int]] = defaultdict(list)
    for (x, y), (u, v) in moves:
        kind = MOVES.index((u - x, v - y))
        own[x, y].append(kind)
        own[u, v].append((kind + 4) % 8)
    table = [[PAIRS.index(tuple(sorted(own[x, y]))) for y in range(size[1])] for x in range(size[0])]
    return np.array(table, dtype=np.uint8)


def moves_of(codes: Codes) -> set[Move]:
    """The moves of a table of codes."""
    cells = itertools.product(*map(range, codes.shape))
    ways = ((cell, MOVES[way]) for cell in cells for way in PAIRS[codes[cell]])
    return {((x, y), (x + u, y + v)) for (x, y), (u, v) in ways if (u, v) > (0, 0)}


def family_of(codes: Codes) -> Octants:
    """The family of a seed with the zones of these plans."""
    width, height = codes.shape
    side = Zone(11, 3), Zone(width // 2 - 12, 3)
    middle = (height + width // 2) // 2
    for start in range(middle - 3, middle - 7, -1):
        band = (Zone(start, BAND),) if height > width else ()
        try:
            return Octants(codes, (Zone(16, STEP),), (Zone(17, STEP),), side, side, band=band)
        except CertificateError:
            if not band or start == middle - 6:
                raise
    raise AssertionError


def seed_of(plan: Plan, seconds: float, seed: int = 0) -> Octants | None:
    """A family whose seed follows a plan, `seconds` for each block; None if this seed of the search comes to none.

    Raises
    ------
    KTError
        If what repeats in the plan does not fit together.
    """
    moves = set(plan.fixed)
    for name in ("corner", "change", "middle"):
        block = plan.cells(name)
        if name == "middle":  # that of the left side lies in two quarters
            block = {cell for cell in block if cell[0] < DEPTH}
        else:
            block = {cell for cell in block if plan.quarter(cell)[1] == 0}
        found = fill({m for m in moves if block & set(m)}, block, False, seconds, seed)
        if found is None:
            return None
        for turns in range(4):
            ends = [(plan.turned(a, turns), plan.turned(b, turns)) for a, b in found]
            moves |= {(min(m), max(m)) for m in ends}
    found = fill(moves, plan.cells("centre"), True, 10 * seconds, seed)
    if found is None:
        return None
    try:
        family = family_of(codes_of((plan.side, plan.side), moves | found))
        check_one_cycle(family)
    except (KTError, CertificateError):
        return None
    return family


def free_moves(family: Octants, graph: MoveGraph) -> npt.NDArray[np.bool_]:
    """The moves of the seed, made or not, that are on every board of the family once and in one place."""
    free, place = np.ones(graph.m, dtype=np.bool_), graph.geometry[0].cells
    for steps, bands in itertools.product((-1, 0, 1, 2), (0, 1, 2) if family.band else (0,)):
        _, u, v = family.places(steps, bands)
        origin = u * family.codes.shape[1] + v
        at = np.zeros((graph.n, 2), dtype=np.int64)
        at[origin.reshape(-1)] = np.argwhere(origin >= 0)
        once = np.bincount(origin.reshape(-1), minlength=graph.n) == 1
        tails, heads = graph.ends.T
        as_before = (at[heads] - at[tails] == place[heads] - place[tails]).all(axis=1)
        free &= once[tails] & once[heads] & as_before
    return free


def improve(family: Octants, seconds: float, seed: int = 0, about: Iterable[Cell] = ()) -> Octants:
    """The family with fewer crossings where nothing repeats: parts of the seed annealed while it stays a family.

    The parts lie about some cells, by default any.  The whole check comes after every `ACCEPTED` changes.
    """
    rng, end = np.random.default_rng(seed), time.monotonic() + seconds
    graph = graph_of("{}x{}".format(*family.codes.shape))
    free = free_moves(family, graph)
    order = cycle_of(family.codes)
    tour = Tour(graph, order, True)
    made = np.zeros(graph.m, dtype=np.bool_)
    made[tour.edges] = True
    locked, forbidden = (frozenset(np.flatnonzero(~free & which).tolist()) for which in (made, ~made))
    problem = Problem(graph, "cycle", "crossings", required=locked, forbidden=forbidden)
    value, cells, weights = problem.value(tour.edges), np.unique(graph.ends[free]), problem.weights
    if near := [x * family.codes.shape[1] + y for x, y in about]:
        cells = np.intersect1d(cells, near)
    assert value is not None and weights is not None
    arrays, passed = _Arrays(tour, problem, weights), [(family, tour, value)]
    few = list(itertools.product((-1, 0, 1, 2), (0, 1, 2) if family.band else (0,)))
    while time.monotonic() < end:
        x, y = graph.geometry[0].cells[rng.choice(cells)]
        wide, high = rng.integers(*PARTS, size=2)
        inside = np.zeros(family.codes.shape, dtype=np.bool_)
        inside[max(0, x - wide // 2) : x + wide // 2 + 1, max(0, y - high // 2) : y + high // 2 + 1] = True
        phases = LUKEWARM if rng.random() < 0.5 else HOT
        limits, steps = Limits(seed=int(rng.integers(2**31))), EXCHANGES * int(inside.sum())
        other = arrays.tour_of(*arrays.anneal(steps, phases, limits, inside.reshape(-1)))
        found = problem.value(other.edges)
        assert found is not None
        if found > value or np.array_equal(other.edges, tour.edges) or (found == value and rng.random() < 0.7):
            continue
        try:
            changed = replace(family, codes=codes_of_tour(other))
        except KTError:
            continue
        before, after = ([count(f.board_codes(*steps), "crossings") for steps in few] for f in (family, changed))
        if all(map(operator.le, after, before)) and all(_one_cycle(changed.board_codes(*steps)) for steps in few):
            family, tour, value = changed, other, found
            passed.append((family, tour, value))
            if len(passed) > ACCEPTED:
                passed = [_last_whole(passed)]
                family, tour, value = passed[0]
            arrays.order, arrays.edges = tour.order.astype(np.int32), tour.edges.astype(np.int32)
    return _last_whole(passed)[0]


def _last_whole(passed: list[tuple[Octants, Tour, int]]) -> tuple[Octants, Tour, int]:
    """The last of some families that passes the whole check; the first does."""
    for entry in reversed(passed[1:]):
        with contextlib.suppress(CertificateError):
            check_one_cycle(entry[0])
            return entry
    return passed[0]


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


def _one_cycle(codes: Codes) -> bool:
    return len(cycle_of(codes)) == codes.size
