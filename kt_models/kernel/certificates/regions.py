"""Regions: the least weight of the moves at some cells, over all their choices together.

A *region* is a list of cells, swept in that order. At each cell the sweep decides the cell's moves that are not yet
decided, so that the cell gets its degree, and it counts the pairs of the objective that are then complete. It
remembers only the *state*: the chosen moves that some later cell or pair still needs. For each state it keeps the
least cost of reaching it. This is exact for the region; cells outside it may get any degree. The regions' minima add
up to a lower bound, as every pair is counted in the first region that sees it.

A strip along a side loses only at its ends. So a region may be *closed*: a belt around the board, whose last
cell is followed by its first. Let V(s) be the least cost of reaching state s after whole laps, W(s) that after one lap
more. A solution that is in state s at both times pays at least W(s) - V(s) for the lap between, whatever the function
V is: so the least of these differences is a bound, and no state has to be guessed. (V is a dual solution: potentials
of the states in the shortest path problem that the lap is. It is computed here, from the board alone; a certificate
says which cells, in which order, and no more.)

All numbers are integers. A step that differs from an earlier one only in the names of cells and moves, from the same
states, is looked up (`states`). So long sides take hardly longer than short ones.

If ends of an open tour are free, a region may contain any number of them, and its minimum is computed for each number.
Regions without a cell in common share the ends among them, so the least sum over all ways to share is a bound. A
region that has a cell in common with an earlier one may see the same end again: its least minimum is added.

The bound of Besa et al. 2022, Theorem 9, is an example: there the cells of each side are a region.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_models.errors import CertificateError, TooLarge
from kt_models.json_values import integer, integers, is_boolean
from kt_models.kernel.certificates.states import (
    INFINITE,
    MAX_LIVE,
    CellStep,
    Memory,
    differences,
    reduce_states,
    without_ends,
)
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem

MAX_CELLS, MAX_REGIONS = 100_000, 2000
MAX_LAPS = 8
# These limits only bound the work on hostile data; delivered certificates stay far below them.
MAX_PENALTY = 1000


@dataclass(frozen=True)
class Region:
    """Cells in the order of the sweep; `closed` if the last cell is followed by the first."""

    cells: tuple[int, ...]
    closed: bool


def bound(problem: Problem, data: dict[str, Any], limits: Limits = NO_LIMITS) -> int:
    """The lower bound that regions show.

    Parameters
    ----------
    problem
        Its objective has no negative weights: crossings, turns, or `Weights`. Connectivity and symmetry are
        ignored.
    data
        `regions`: a list of objects with `cells` (cell numbers) and `closed`; `laps`: how often closed ones are walked
        before the lap that counts; `penalty`: what an end of an open tour adds to V.

    Raises
    ------
    CertificateError
        If the data are malformed, or the sweep would be too large.
    Stopped
        If a limit is reached.
    """
    regions = _regions(problem, data.get("regions"))
    laps = integer(data.get("laps", 1), "regions: 'laps'", 1, MAX_LAPS)
    penalty = integer(data.get("penalty", 0), "regions: 'penalty'", 0, MAX_PENALTY)
    try:
        weights = problem.weights
    except TooLarge as error:
        raise CertificateError(f"regions: {error}") from None
    if weights is None or (len(weights.weight) and int(weights.weight.min()) < 0):
        raise CertificateError("regions: this method needs an objective without negative weights")
    graph = problem.graph
    wanted = np.full(graph.n, 2)
    wanted[list(problem.terminals)] = 1
    free = problem.free_ends
    if graph.n == 1 and problem.connectivity == "path":
        wanted[0], free = 0, 0
    counted = np.zeros(len(weights.first), dtype=bool)
    covered = np.zeros(graph.n, dtype=bool)
    total = [0] + [INFINITE] * free  # Least cost so far, by the number of ends met in regions without common cells
    memory = Memory(limits)
    for region in regions:
        limits.check()
        at = np.zeros(graph.n, dtype=bool)
        at[list(region.cells)] = True
        seen = at[graph.tails] | at[graph.heads]
        seen[list(problem.forbidden)] = False
        mine = seen[weights.first] & seen[weights.second] & ~counted
        counted |= mine
        pairs = [a[mine].tolist() for a in (weights.first, weights.second, weights.weight)]
        sweep = _Sweep(problem, region, list(zip(*pairs, strict=True)), limits)
        least = sweep.least(wanted, free, laps, penalty, memory)
        # The region may see an end that was counted already: take its least over all numbers
        if (covered & at).any():
            total = [cost + min(least) for cost in total]
        else:
            # A min-plus convolution: all ways to share the free ends
            total = [min(total[i] + least[k - i] for i in range(k + 1)) for k in range(free + 1)]
            covered |= at
    if min(total) >= INFINITE:
        raise CertificateError("regions: a cell cannot get its degree: the problem has no solution")
    return min(total)


def _regions(problem: Problem, entries: Any) -> list[Region]:
    if type(entries) is not list or not all(type(region) is dict for region in entries):
        raise CertificateError("regions: 'regions' is not a list of objects")
    if len(entries) > MAX_REGIONS:
        raise CertificateError(f"regions: more than {MAX_REGIONS:,} regions")
    regions, size = [], 0
    for region in entries:
        cells, closed = region.get("cells"), region.get("closed", False)
        if type(cells) is not list or not cells or not is_boolean(closed):
            raise CertificateError(
                "regions: a region has 'cells', a list that is not empty, and 'closed', true or false"
            )
        size += len(cells)
        if size > MAX_CELLS:
            raise CertificateError(f"regions: more than {MAX_CELLS:,} cells")
        integers(cells, "regions: a cell", 0, problem.graph.n - 1, distinct=True)
        regions.append(Region(tuple(cells), closed))
    return regions


class _Sweep:
    """Steps along a region, lap after lap.

    Every move at the region has a time at which it is decided and one at which it is forgotten, both counted from the
    beginning of a lap. A move between two cells of a belt is decided at the one from which the way to the other is
    shorter; a pair is counted when the later of its moves is decided, again by the shorter way. Where the sweep begins
    these moves and pairs are cut; from the second lap on they are not.
    """

    def __init__(self, problem: Problem, region: Region, pairs: list[tuple[int, int, int]], limits: Limits) -> None:
        self.problem, self.region = problem, region
        graph = problem.graph
        # An open region is never walked round: a long period keeps "the shorter way" forward
        self.period = len(region.cells) if region.closed else 4 * len(region.cells)
        position = {v: i for i, v in enumerate(region.cells)}
        self.moves: list[list[int]] = []
        for v in region.cells:
            limits.check()
            self.moves.append([e for e in graph.edges_of(v).tolist() if e not in problem.forbidden])
        self.decided: dict[int, int] = {}
        self.closing: dict[int, int] = {}  # Steps from a move's first cell to its second
        for e in {e for moves in self.moves for e in moves}:
            at = [position[v] for v in graph.ends[e].tolist() if v in position]
            self.decided[e], self.closing[e] = self._shorter(at[0], at[-1])
        self.span = dict(self.closing)
        self.edge_weights: dict[int, int] = {}
        self.earlier: dict[int, list[tuple[int, int]]] = {e: [] for e in self.decided}
        self.together: dict[int, list[tuple[int, int]]] = {e: [] for e in self.decided}
        for number, (e, f, w) in enumerate(pairs):
            if number % 10_000 == 0:
                limits.check()
            if e == f:
                self.edge_weights[e] = self.edge_weights.get(e, 0) + w
                continue
            first, steps = self._shorter(self.decided[e], self.decided[f])
            # Both moves are decided in the same step
            if steps == 0:
                self.together[e].append((f, w))
                continue
            e, f = (e, f) if first == self.decided[e] else (f, e)
            self.earlier[f].append((e, w))
            self.span[e] = max(self.span[e], steps)
        for moves in self.moves:  # Ordered by their future, so that equal steps look equal and are looked up
            moves.sort(key=lambda e: (self.closing[e], self.span[e], self._shape(e), e))

    def _shorter(self, i: int, j: int) -> tuple[int, int]:
        """The earlier of two positions, and the steps from it to the other, the shorter way around."""
        there, back = (j - i) % self.period, (i - j) % self.period
        return (i, there) if there <= back else (j, back)

    def _shape(self, e: int) -> list[tuple[int, int]]:
        """Times at which the moves paired with e were decided, relative to its own, with the weights."""
        return sorted(((self.decided[e] - self.decided[f]) % self.period, w) for f, w in self.earlier[e])

    def least(self, wanted: npt.NDArray[Any], free: int, laps: int, penalty: int, memory: Memory) -> list[int]:
        """Least cost of the region (of one lap) with 0, 1, ..., `free` ends of the path in it."""
        cells = self.region.cells
        front = reduce_states([np.zeros(1, dtype=np.uint64)])[0]
        live: dict[int, int] = {}
        best = [0 if self.region.closed else INFINITE] * (free + 1)
        for lap in range(laps + 1 if self.region.closed else 1):
            before, cost = front, 0
            names = list(live)
            for i, v in enumerate(cells):
                step, live = self._step(i, lap * len(cells) + i, live, int(wanted[v]), free)
                front, more = memory.apply(step, front)
                cost += more
            # The lap counts once its states begin and end with the same moves
            if not self.region.closed or (lap and list(live) == names):
                gains = differences(before.states, front.states, cost, free)
                best = [max(pair) for pair in zip(best, gains, strict=True)] if self.region.closed else gains
            front = without_ends(front, penalty)
        return best

    def _step(self, i: int, time: int, live: dict[int, int], degree: int, free: int) -> tuple[CellStep, dict[int, int]]:
        """The step at position i; `live` gives, in the order of the state, until when each move is needed."""
        place = {e: k for k, e in enumerate(live)}
        new = [e for e in self.moves[i] if e not in place]
        rank = {e: k for k, e in enumerate(new)}
        until = {e: time + self.span[e] - (self.closing[e] if self.decided[e] != i else 0) for e in new}
        stay = [e for e, last in live.items() if last > time]
        enter = [e for e in new if until[e] > time]
        if len(stay) + len(enter) > MAX_LIVE:
            raise CertificateError(f"regions: more than {MAX_LIVE} moves to remember at once")
        step = CellStep(
            degree,
            free,
            tuple(place[e] for e in self.moves[i] if e in place),
            tuple(self.edge_weights.get(e, 0) for e in new),
            tuple(e in self.problem.required for e in new),
            tuple(tuple(sorted((place[f], w) for f, w in self.earlier[e] if f in place)) for e in new),
            tuple(sorted((rank[e], rank[f], w) for e in new for f, w in self.together[e] if f in rank)),
            tuple(place[e] for e in stay),
            tuple(until[e] > time for e in new),
        )
        return step, {**{e: live[e] for e in stay}, **{e: until[e] for e in enter}}
