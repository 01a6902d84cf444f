"""Families of squares with 8n - 22 or 8n - 21 turns, for some n modulo 60.

2-factors have no fewer, but for n = 2 and 22 modulo 60, where they have 8n - 22.

As in `research.strands.walked` a side is a walk through a graph of patterns, but only one class of cells modulo
5 has the direction (2, 1). Then blocks of 5x5 at the corners suffice for 8n - 22 turns if n = 2 modulo 10, and for
8n - 21 else. The walks of the bottom and the top are made of closed walks of 10, 20 and 30 steps, and the periods that
they need are longer than those of simple closed walks.

With larger blocks the walks may end at other nodes, and for more n they can avoid cycles of two lines there
(`research.strands.pairs`).

For n = 22 modulo 60 they cannot, unless the bottom has one turn more than it needs. There the walks begin with a right
half of the bottom and a left half of the top that join no two lines both, and they are changed more gently.

Each half of a side repeats some closed walk of `PERIOD` steps, whichever it is. At the left and at the right these
join lines of the same direction only, so that chains end there. Near the corners and the middle of a side the walk is
free. All walks with given ends have equally many turns. So pieces of the walks are drawn anew at random, and are kept
if there are fewer cycles, on two squares of a family at once (simulated annealing).
`theorems.growing_tours.strands` checks each family.

`python -m research.strands.least RESIDUE FILE` finds families for n = RESIDUE modulo 60, and writes them.
"""

from __future__ import annotations

import itertools
import math
import random
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from heuristics.constructions.strands.walk import FIRST, FOLLOW, STEPS
from heuristics.searches.sides.data import CornerEnds
from heuristics.searches.sides.views import QUARTER, quarter_turns, view
from kt_models.errors import CertificateError, KTError
from kt_models.jit import kernel
from kt_models.kernel.certificates.integers import Ints
from kt_models.limits import NO_LIMITS, Limits
from research.strands.across import DEPTH
from research.strands.chains import Squares, entry
from research.strands.claims import save_squares
from research.strands.pairs import forced_pairs, walks_apart
from research.strands.walked import MODULUS as CYCLE
from research.strands.walked import SIDES, WalkedSquares
from research.strands.walks import Walks, walks_with_one_more
from theorems.growing_tours.codes import PAIRS, Codes
from theorems.growing_tours.zones import CHAINS_KIND

ACROSS = frozenset((4,))
"""The classes of cells by 2x + y in direction (2, 1)."""
PERIOD, STEP, MODULUS = 30, 240, 60
"""Steps of a closed walk; by how much a family grows; of the sides of squares."""
KINDS = {
    2: (182, 21, 8, 1),
    6: (126, 21, 7, 1),
    18: (138, 21, 5, 1),
    22: (142, 21, 7, 1),
    34: (154, 21, 5, 1),
    42: (102, 22, 5, 1),
    50: (170, 21, 7, 1),
}
"""By the remainder modulo 60: a square whose walks have each period once, by how much it has less than 8n turns, the
side of its corner blocks, and a seed of random numbers."""
MORE = frozenset((22,))
"""The remainders for which the bottom has one turn more than it needs."""
TURNING = frozenset(("left", "right"))
LATER = 2
"""So many steps of a family are between the two squares whose cycles are counted."""
DRAWS, HOT, WARM, COLD = 30_000, 2.0, 0.5, 0.05
"""Pieces of walks that are drawn anew; the first temperature, that where no two lines are joined twice, the last."""
LONGEST = 24
"""Steps of such a piece."""
SHIFTED = 0.25
"""How often a period is drawn anew as a whole."""

SideWalk = list[int]
"""Nodes, by their places in `TightSteps.nodes`; one more than steps."""
StepMatrix = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Spans:
    """Where the two periods of a side are, counted in steps from its first corner block."""

    steps: int

    @property
    def begins(self) -> tuple[int, int]:
        begin = (self.steps // 2 - PERIOD) // 2
        return begin, self.steps - begin - PERIOD

    def repeats(self, step: int) -> bool:
        """Whether a step is one of a period."""
        return any(begin <= step < begin + PERIOD for begin in self.begins)

    def cut(self, low: int, high: int) -> bool:
        """Whether a period begins or ends between two nodes."""
        return any(low < begin + k < high for begin in self.begins for k in (0, PERIOD))

    def longer(self, walk: SideWalk, copies: int) -> SideWalk:
        """The walk with so many more copies of either period."""
        (low, high), period = self.begins, PERIOD
        more = [walk[begin : begin + period] * copies for begin in (low, high)]
        return walk[:low] + more[0] + walk[low:high] + more[1] + walk[high:]


@dataclass(frozen=True, eq=False)
class TightSteps:
    """The tight steps of a side as matrices, all of them and those that a period may have.

    Parameters
    ----------
    nodes
        In the order of rows and columns.
    matrices
        All steps, and those of periods.
    columns
        By the two places of a step: the codes of its column.
    """

    nodes: tuple[int, ...]
    matrices: tuple[StepMatrix, StepMatrix]
    columns: Codes

    @classmethod
    @cache
    def of(cls, side: Walks, turning: bool) -> TightSteps:
        """Steps of a side whose periods join lines of the same direction only, or any lines."""
        nodes = tuple(sorted(side.steps))
        place = {node: k for k, node in enumerate(nodes)}
        every, same = np.zeros((2, len(nodes), len(nodes)))
        columns = np.zeros((len(nodes), len(nodes), DEPTH), dtype=np.uint8)
        for node, after in side.steps.items():
            for target, column in after.items():
                every[place[node], place[target]] = 1
                columns[place[node], place[target]] = column
        for cycle in itertools.compress(side.cycles, side.turning):
            for node, after_ in cycle.items():
                same[place[node], place[after_]] = 1
        return cls(nodes, (every, same if turning else every), columns)

    @cached_property
    def _powers(self) -> tuple[list[StepMatrix], list[StepMatrix]]:
        return [np.eye(len(self.nodes))], [np.eye(len(self.nodes))]

    @cached_property
    def _after(self) -> list[list[list[int]]]:
        """What can follow each node, in all steps and in those of periods."""
        return [[np.flatnonzero(row).tolist() for row in matrix] for matrix in self.matrices]

    def draw(self, start: int, stop: int, steps: int, periodic: bool, luck: random.Random) -> SideWalk | None:
        """A walk between two nodes at random, all of it in a period or outside of periods."""
        powers, after, walk = self._powers[periodic], self._after[periodic], [start]
        while len(powers) <= steps:
            powers.append(self.matrices[periodic] @ powers[-1])
        if not powers[steps][start, stop]:
            return None
        for left in range(steps - 1, -1, -1):
            ways = after[walk[-1]]
            walk += luck.choices(ways, powers[left][ways, stop].tolist()) if len(ways) > 1 else ways
        return walk


@dataclass(eq=False)
class PaintedSquare:
    """A square with walks along its sides, which can be exchanged.

    Parameters
    ----------
    filled
        The square with some walks, whose ends are the same.
    """

    filled: Codes
    sides: list[TightSteps]
    corner: int
    stamp: int = 0

    @classmethod
    def of(cls, squares: WalkedSquares, sides: list[TightSteps], walks: list[SideWalk]) -> PaintedSquare:
        """The square with these walks, whose ends are some for which the corners can be filled."""
        corner = squares.corner
        side = len(walks[0]) - 1 + 2 * corner
        chosen = {
            k: tight.columns[walk[:-1], walk[1:]] for k, (tight, walk) in enumerate(zip(sides, walks, strict=True))
        }
        codes = squares.paint(side, chosen)
        for k in range(4):
            block = squares.corner_block(side, k, chosen[(k - 1) % 4], chosen[k])
            assert block is not None
            codes[:corner, :corner] = block[1]
            codes = view(codes)
        return cls(codes, sides, corner)

    @cached_property
    def margin(self) -> Ints:
        """The number of each cell that is free, in the corners and at the sides; -1 elsewhere."""
        side = len(self.filled)
        depth = np.minimum(np.arange(side), np.arange(side)[::-1])
        free = np.minimum.outer(depth, depth) < DEPTH
        free |= np.maximum.outer(depth, depth) < self.corner
        return np.where(free, np.cumsum(free).reshape(free.shape) - 1, -1)

    @cached_property
    def _onward(self) -> Ints:
        """From each free cell by each move, and then along the line: the next one."""
        side, found = len(self.filled), np.zeros((self.margin.max() + 1, len(STEPS)), dtype=np.int64)
        for k, step in enumerate(STEPS):
            at = np.argwhere(self.margin >= 0) + step
            while True:
                inside = ((at >= 0) & (at < side)).all(axis=1)
                found[:, k] = np.where(inside, self.margin[tuple(np.where(inside, at.T, 0))], 0)
                if (found[:, k] >= 0).all():
                    break
                at[found[:, k] < 0] += step
        return found

    @cached_property
    def _free(self) -> Codes:
        return self.filled[self.margin >= 0]

    @cached_property
    def _seen(self) -> Ints:
        return np.zeros(len(self._free), dtype=np.int64)

    @cached_property
    def _places(self) -> list[tuple[Ints, Codes]]:
        """Free cells of the columns of each side, and by the two places of a step their codes on the board."""
        code, begin, stop = np.arange(len(PAIRS), dtype=np.uint8), self.corner, len(self.filled) - self.corner
        found = []
        for k, side in enumerate(self.sides):
            found.append((quarter_turns(self.margin, k)[begin:stop, :DEPTH].copy(), code[side.columns]))
            code = np.argsort(QUARTER)[code].astype(np.uint8)
        return found

    @property
    def codes(self) -> Codes:
        """Codes of all cells."""
        found = self.filled.copy()
        found[self.margin >= 0] = self._free
        return found

    def exchange(self, k: int, walk: SideWalk) -> None:
        """Give a side another walk with the same ends."""
        cells, columns = self._places[k]
        self._free[cells] = columns[walk[:-1], walk[1:]]

    def cycles(self) -> int:
        """How many cycles there are."""
        self.stamp += 1
        return int(_cycles(self._free, FOLLOW, self._onward, FIRST, self.stamp, self._seen))


@kernel("int64(uint8[::1], int8[:, ::1], int64[:, ::1], int64[::1], int64, int64[::1])")
def _cycles(codes: Codes, follow: npt.NDArray[np.int8], onward: Ints, first: Ints, stamp: int, seen: Ints) -> int:
    """How many cycles there are through these cells; those that were met get the stamp."""
    number = 0
    for start in range(len(codes)):
        if seen[start] != stamp:
            number += 1
            at, move = start, first[codes[start]]
            while seen[at] != stamp:
                seen[at] = stamp
                at = onward[at, move]
                move = follow[codes[at], move]
    return number


class WalkAnnealing:
    """The walks of a square with each period once, and of larger ones, drawn anew for fewer cycles.

    Parameters
    ----------
    walks
        Of the four sides of the least square.
    copies
        So many more copies of the periods the squares have whose cycles are counted.
    """

    def __init__(
        self, squares: WalkedSquares, side: int, walks: list[SideWalk], luck: random.Random, copies: Sequence[int]
    ) -> None:
        self.squares, self.walks, self.luck, self.copies = squares, walks, luck, copies
        self.spans = Spans(side - 2 * squares.corner)
        self.steps = tight_steps(squares)
        self.boards = [PaintedSquare.of(squares, self.steps, self._longer(number)) for number in copies]
        self.numbers = [board.cycles() for board in self.boards]

    def _longer(self, copies: int) -> list[SideWalk]:
        return [self.spans.longer(walk, copies) for walk in self.walks]

    def codes(self, copies: int) -> Codes:
        """The square with so many more copies of the periods."""
        return PaintedSquare.of(self.squares, self.steps, self._longer(copies)).codes

    @property
    def single(self) -> bool:
        """Whether each of the squares is one cycle."""
        return sum(self.numbers) == len(self.numbers)

    def run(self, pieces: int, hot: float = HOT) -> bool:
        """Draw so many pieces anew, ever colder; whether one cycle is left on each square."""
        for number in range(pieces):
            if self.single:
                return True
            self.draw(hot * (COLD / hot) ** (number / pieces))
        return self.single

    def draw(self, temperature: float) -> None:
        """Draw a piece of a walk anew, and keep it if that is as good, or else by chance."""
        k = self.luck.randrange(4)
        old = self.walks[k]
        new = self._shifted(k, old) if self.luck.random() < SHIFTED else self._piece(k, old)
        if new is None or new == old:
            return
        numbers = self._exchange(k, new)
        worse = sum(numbers) - sum(self.numbers)
        if worse <= 0 or self.luck.random() < math.exp(-worse / temperature):
            self.numbers = numbers
        else:
            self._exchange(k, old)

    def _exchange(self, k: int, walk: SideWalk) -> list[int]:
        self.walks[k] = walk
        for board, copies in zip(self.boards, self.copies, strict=True):
            board.exchange(k, self.spans.longer(walk, copies))
        return [board.cycles() for board in self.boards]

    def _piece(self, k: int, walk: SideWalk) -> SideWalk | None:
        low = self.luck.randrange(len(walk) - 2)
        high = min(low + self.luck.randrange(2, LONGEST), self.spans.steps)
        if self.spans.cut(low, high):
            return None
        drawn = self.steps[k].draw(walk[low], walk[high], high - low, self.spans.repeats(low), self.luck)
        return drawn and walk[:low] + drawn + walk[high + 1 :]

    def _shifted(self, k: int, walk: SideWalk) -> SideWalk | None:
        """A walk with another node at the beginning of a period."""
        begin = self.luck.choice(self.spans.begins)
        low, high = begin - self.luck.randrange(1, LONGEST), begin + PERIOD + self.luck.randrange(1, LONGEST)
        low, high = max(low, 0), min(high, self.spans.steps)
        if self.spans.cut(low, begin) or self.spans.cut(begin + PERIOD, high):
            return None
        drawn = _around(self.steps[k], (walk[low], walk[high]), begin - low, high - begin - PERIOD, 1, self.luck)
        return drawn and walk[:low] + drawn + walk[high + 1 :]


def _around(
    side: TightSteps, ends: tuple[int, int], before: int, behind: int, bases: int, luck: random.Random
) -> SideWalk | None:
    """A walk with one period in it, so many steps from its ends, which begins at one of so many nodes."""
    for node in luck.sample(range(len(side.nodes)), bases):
        first = side.draw(ends[0], node, before, False, luck)
        period = first and side.draw(node, node, PERIOD, True, luck)
        last = period and side.draw(node, ends[1], behind, False, luck)
        if first and period and last:
            return first[:-1] + period[:-1] + last
    return None


def tight_steps(squares: WalkedSquares) -> list[TightSteps]:
    """Tight steps of the four sides."""
    return [TightSteps.of(side_walks, side in TURNING) for side, side_walks in zip(SIDES, squares.walks, strict=True)]


def first_walk(side: TightSteps, ends: tuple[int, int], spans: Spans, luck: random.Random) -> SideWalk | None:
    """A walk between two nodes with two periods, at random; None if none was found."""
    middle, every = spans.steps // 2, len(side.nodes)
    start, stop = (side.nodes.index(end) for end in ends)
    (low, high), period = spans.begins, PERIOD
    for node in luck.sample(range(every), every):
        first = _around(side, (start, node), low, middle - low - period, every, luck)
        last = first and _around(side, (node, stop), high - middle, spans.steps - high - period, every, luck)
        if first and last:
            return first[:-1] + last
    return None


def first_walks(squares: WalkedSquares, side: int, ends: CornerEnds, luck: random.Random) -> list[SideWalk] | None:
    """Walks of the four sides of a square; None if none were found."""
    spans, steps = Spans(side - 2 * squares.corner), tight_steps(squares)
    walks = [first_walk(tight, (ends[k][1], ends[(k + 1) % 4][0]), spans, luck) for k, tight in enumerate(steps)]
    return [walk for walk in walks if walk] if all(walks) else None


def walks_apart_from(squares: WalkedSquares, side: int, ends: CornerEnds, luck: random.Random) -> list[SideWalk] | None:
    """Walks of the four sides such that the bottom and the top join no two lines both; None if none were found."""
    spans, steps = Spans(side - 2 * squares.corner), tight_steps(squares)
    halves = walks_apart(squares, side, (ends[1][0], ends[3][0]), luck)
    if halves is None:
        return None
    found: list[SideWalk | None] = []
    for k, tight in enumerate(steps):
        start, stop = ends[k][1], ends[(k + 1) % 4][0]
        if k % 2:
            found.append(first_walk(tight, (start, stop), spans, luck))
            continue
        half = [tight.nodes.index(node) for node in halves[k // 2]][-(spans.steps - spans.steps // 2 + 1) :]
        begin, free = spans.begins[0], spans.steps - len(half) + 1
        first = _around(
            tight, (tight.nodes.index(start), half[0]), begin, free - begin - PERIOD, len(tight.nodes), luck
        )
        walk = first and first[:-1] + half
        found.append(walk if walk and walk[spans.begins[1]] == walk[spans.begins[1] + PERIOD] else None)
    walks = [walk for walk in found if walk]
    return walks if len(walks) == len(found) else None


def ends_with_one_more(squares: WalkedSquares, less: int) -> list[CornerEnds]:
    """The nodes at the corners where the bottom has one turn more than it needs; it has such walks from now on."""
    ends, fewest = squares.ends(less + 1), squares.walks[0]
    squares.walks[0] = walks_with_one_more(fewest.first)
    return [(own_ends[0], (own_ends[1][0] + len(fewest.nodes), own_ends[1][1]), *own_ends[2:]) for own_ends in ends]


def good_ends(squares: WalkedSquares, side: int, less: int) -> list[CornerEnds]:
    """The nodes at the corners for at most 8n turns less so many, between which walks can avoid cycles of two lines."""
    pairs = forced_pairs(squares, side)
    return [ends for ends in squares.ends(less) if not pairs[ends[1][0], ends[3][0]]]


def family(
    squares: WalkedSquares, side: int, less: int, copies: int, ends: list[CornerEnds], luck: random.Random, more: bool
) -> dict[str, Any]:
    """A family of squares, from the one on whose walks have so many more copies of each period."""
    smallest = Squares(side + 2 * PERIOD * copies, less, STEP, ACROSS, (), TURNING, PERIOD)
    while True:
        squares.limits.check()
        walks = (walks_apart_from if more else first_walks)(squares, side, luck.choice(ends), luck)
        annealing = walks and WalkAnnealing(squares, side, walks, luck, (copies, copies + LATER * STEP // (2 * PERIOD)))
        if annealing and annealing.run(DRAWS, WARM if more else HOT):
            with suppress(CertificateError):
                return entry(annealing.codes(copies), smallest)


def families(residue: int, limits: Limits = NO_LIMITS) -> Iterator[dict[str, Any]]:
    """A family for each remainder modulo `STEP`."""
    side, less, corner, seed = KINDS[residue]
    luck = random.Random(seed)
    squares = WalkedSquares(2 * CYCLE + side % CYCLE, ACROSS, corner, limits)
    more = residue in MORE
    ends = ends_with_one_more(squares, less) if more else good_ends(squares, side, less)
    for copies in range(1, 1 + STEP // MODULUS):
        yield family(squares, side, less, copies, ends, luck, more)


def main(arguments: list[str]) -> None:
    """The command line `python -m research.strands.least RESIDUE FILE`."""
    command = f"python -m {__package__}.least"
    if len(arguments) != 2 or arguments[0] not in map(str, KINDS):
        raise SystemExit(str(KTError(f"usage: {command} {'|'.join(map(str, KINDS))} FILE")))
    found = list(families(int(arguments[0])))
    save_squares(arguments[1], CHAINS_KIND, f"{command} {arguments[0]}", found, MODULUS, [int(arguments[0])])


if __name__ == "__main__":
    main(sys.argv[1:])
