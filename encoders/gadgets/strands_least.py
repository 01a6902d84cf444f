"""Families of squares with as few turns as 2-factors have: 8n - 22 or 8n - 21, for some n modulo 60.

As in `encoders.gadgets.strands_walked` a side is a walk through a graph of patterns, but only one class of cells modulo
5 has the direction (2, 1).  Then blocks of 5x5 at the corners suffice for 8n - 22 turns if n = 2 modulo 10, and for
8n - 21 else.  The walks of the bottom and the top are made of closed walks of 10, 20 and 30 steps, and the periods that
they need are longer than those of simple closed walks.

So each half of a side repeats some closed walk of `PERIOD` steps, whichever it is.  At the left and at the right these
join lines of the same direction only, so that chains end there.  Near the corners and the middle of a side the walk is
free.  All walks with given ends have equally many turns.  So pieces of the walks are drawn anew at random, and are kept
if there are fewer cycles, on squares with no, one and some more copies of the periods at once (simulated annealing).
`kt_models.certificates.families.chains` checks each family.

`python -m encoders.gadgets.strands_least RESIDUE FILE` finds families for n = RESIDUE modulo 60, and writes them.
"""

from __future__ import annotations

import itertools
import math
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from encoders.gadgets.strands_across import DEPTH, FIRST, STEPS, Cycles
from encoders.gadgets.strands_chains import Squares, entry
from encoders.gadgets.strands_claims import save_squares
from encoders.gadgets.strands_walked import MODULUS as CYCLE
from encoders.gadgets.strands_walked import SIDES, Ends, WalkedSquares
from encoders.gadgets.strands_walks import Walks
from heuristics.constructions.strands.walk import FOLLOW
from heuristics.searches.sides.views import QUARTER, quarter_turns, view
from kt_models.certificates.families.codes import PAIRS, Codes
from kt_models.certificates.families.zones import CHAINS_KIND
from kt_models.certificates.integers import Ints
from kt_models.errors import CertificateError, KTError
from kt_models.jit import kernel
from kt_models.limits import NO_LIMITS, Limits

ACROSS = frozenset((4,))
"""The classes of cells by 2x + y in direction (2, 1)."""
CORNER, PERIOD, STEP, MODULUS = 5, 30, 240, 60
"""Sides of the corner blocks; steps of a closed walk; by how much a family grows; of the sides of squares."""
KINDS = {18: (138, 21, 8), 42: (102, 22, 1)}
"""By the remainder modulo 60: a square whose walks have each period once, by how much it has less than 8n turns, and a
seed with which families are soon found."""
TURNING = frozenset(("left", "right"))
COPIES = (0, 1, 9)
"""So many more copies of the periods the squares have whose cycles are counted."""
MOST_COPIES = 9
SWEEPS, HOT, COLD = 60, 2.0, 0.05
"""Pieces of walks that are drawn anew, for each unit of the side; the first and the last temperature."""
LONGEST = 24
"""TightSteps of such a piece."""
SHIFTED = 0.25
"""How often a period is drawn anew as a whole."""
IDLE_MOVES, VARIANTS = 60, 6
"""Pieces drawn between squares with one cycle that are tried; how many of these."""

SideWalk = list[int]
"""Nodes, one more than steps."""
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
        (low, high), one = self.begins, PERIOD
        more = [walk[begin : begin + one] * copies for begin in (low, high)]
        return walk[:low] + more[0] + walk[low:high] + more[1] + walk[high:]


@dataclass(frozen=True, eq=False)
class TightSteps:
    """The tight steps of a side as matrices, all of them and those that a period may have.

    Parameters
    ----------
    nodes
        In the order of rows and columns.
    """

    nodes: tuple[int, ...]
    every: StepMatrix
    periodic: StepMatrix

    @classmethod
    def of(cls, own: Walks, turning: bool) -> TightSteps:
        """Of a side whose periods join lines of the same direction only, or any lines."""
        nodes = tuple(sorted(own.steps))
        place = {node: k for k, node in enumerate(nodes)}
        every, same = np.zeros((2, len(nodes), len(nodes)))
        for node, after in own.steps.items():
            every[place[node], [place[one] for one in after]] = 1
        for cycle in itertools.compress(own.cycles, own.turning):
            for node, after_ in cycle.items():
                same[place[node], place[after_]] = 1
        return cls(nodes, every, same if turning else every)

    @cached_property
    def place(self) -> dict[int, int]:
        """The number of each node."""
        return {node: k for k, node in enumerate(self.nodes)}

    def draw(self, start: int, stop: int, periodic: Sequence[bool], luck: random.Random) -> SideWalk | None:
        """A walk between two nodes at random; for each step it is given whether it is one of a period."""
        ways = np.zeros(len(self.nodes))
        ways[self.place[stop]] = 1
        onward = [ways]
        for own in reversed(periodic):
            ways = (self.periodic if own else self.every) @ ways
            if not ways.any():
                return None
            ways = ways / ways.max()
            onward.append(ways)
        at = self.place[start]
        if not onward[-1][at]:
            return None
        walk = [start]
        for own, ways in zip(periodic, onward[-2::-1], strict=True):
            shares = np.cumsum((self.periodic if own else self.every)[at] * ways)
            at = int(np.searchsorted(shares, luck.random() * shares[-1], side="right"))
            walk.append(self.nodes[at])
        return walk


@dataclass(eq=False)
class PaintedSquare:
    """A square with walks along its sides, which can be exchanged."""

    squares: WalkedSquares
    walks: list[SideWalk]
    codes: Codes
    seen: Ints
    stamp: int = 0

    @classmethod
    def of(cls, squares: WalkedSquares, walks: list[SideWalk]) -> PaintedSquare:
        """The square with these walks, whose ends are some for which the corners can be filled."""
        side = len(walks[0]) - 1 + 2 * CORNER
        chosen = {
            k: np.array([own.steps[u][v] for u, v in itertools.pairwise(walk)], dtype=np.uint8)
            for k, (own, walk) in enumerate(zip(squares.walks, walks, strict=True))
        }
        codes = squares.paint(side, chosen)
        for k in range(4):
            block = squares.corner_block(side, k, chosen[(k - 1) % 4], chosen[k])
            assert block is not None
            codes[:CORNER, :CORNER] = block[1]
            codes = view(codes)
        return cls(squares, walks, codes, np.zeros(codes.shape, dtype=np.int64))

    @cached_property
    def _places(self) -> list[tuple[Ints, Codes]]:
        """Of each view: where its lowest rows are on the board, and what each code there is on the board."""
        cells, code = np.arange(self.codes.size).reshape(self.codes.shape), np.arange(len(PAIRS), dtype=np.uint8)
        found = []
        for k in range(4):
            found.append((quarter_turns(cells, k)[:, :DEPTH].copy(), code))
            code = np.argsort(QUARTER)[code].astype(np.uint8)
        return found

    def exchange(self, k: int, walk: SideWalk) -> None:
        """Give a side another walk."""
        old, steps, (cells, codes) = self.walks[k], self.squares.walks[k].steps, self._places[k]
        flat = self.codes.reshape(-1)
        changed = np.flatnonzero(np.array(old) != np.array(walk)).tolist()
        for x in {*changed, *(x - 1 for x in changed)}:  # the first and the last node never change
            flat[cells[CORNER + x]] = codes[list(steps[walk[x]][walk[x + 1]])]
        self.walks[k] = walk

    def cycles(self) -> int:
        """How many cycles there are."""
        self.stamp += 1
        return int(_cycles(self.codes, FOLLOW, STEPS, FIRST, CORNER, self.stamp, self.seen))


@kernel("int64(uint8[:, ::1], int8[:, ::1], int64[:, ::1], int64[::1], int64, int64, int64[:, ::1])")
def _cycles(
    codes: Codes, follow: npt.NDArray[np.int8], steps: Ints, first: Ints, margin: int, stamp: int, seen: Ints
) -> int:
    """How many cycles there are, if all cells so far from the sides are on lines; cells that were met get the stamp."""
    side, number = codes.shape[0], 0
    far = side - margin
    for a in range(side):
        for b in range(side):
            if (margin <= a < far and margin <= b < far) or seen[a, b] == stamp:
                continue
            number += 1
            x, y, move = a, b, first[codes[a, b]]
            while seen[x, y] != stamp:
                seen[x, y] = stamp
                dx, dy = steps[move, 0], steps[move, 1]
                x, y = x + dx, y + dy
                if margin <= x < far and margin <= y < far:
                    across = (far - 1 - x) // dx if dx > 0 else (x - margin) // -dx
                    along = (far - 1 - y) // dy if dy > 0 else (y - margin) // -dy
                    run = min(across, along) + 1
                    x, y = x + run * dx, y + run * dy
                move = follow[codes[x, y], move]
    return number


class WalkAnnealing:
    """The walks of a square with each period once, and of larger ones, drawn anew for fewer cycles.

    Parameters
    ----------
    walks
        Of the four sides of the least square.
    """

    def __init__(self, squares: WalkedSquares, side: int, walks: list[SideWalk], luck: random.Random) -> None:
        self.squares, self.walks, self.luck = squares, walks, luck
        self.spans = Spans(side - 2 * CORNER)
        self.steps = _steps(squares)
        self.boards = [PaintedSquare.of(squares, self._longer(copies)) for copies in COPIES]
        self.numbers = [board.cycles() for board in self.boards]

    def _longer(self, copies: int) -> list[SideWalk]:
        return [self.spans.longer(walk, copies) for walk in self.walks]

    def codes(self, copies: int) -> Codes:
        """The square with so many more copies of the periods."""
        return PaintedSquare.of(self.squares, self._longer(copies)).codes

    @property
    def single(self) -> bool:
        """Whether each of the squares is one cycle."""
        return sum(self.numbers) == len(self.numbers)

    def run(self, pieces: int) -> bool:
        """Draw so many pieces anew, ever colder; whether one cycle is left on each square."""
        for number in range(pieces):
            if self.single:
                return True
            self.draw(HOT + (COLD - HOT) * number / pieces)
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
        for board, copies in zip(self.boards, COPIES, strict=True):
            board.exchange(k, self.spans.longer(walk, copies))
        return [board.cycles() for board in self.boards]

    def _piece(self, k: int, walk: SideWalk) -> SideWalk | None:
        low = self.luck.randrange(len(walk) - 2)
        high = min(low + self.luck.randrange(2, LONGEST), self.spans.steps)
        if self.spans.cut(low, high):
            return None
        periodic = [self.spans.repeats(step) for step in range(low, high)]
        drawn = self.steps[k].draw(walk[low], walk[high], periodic, self.luck)
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
    own: TightSteps, ends: tuple[int, int], before: int, behind: int, bases: int, luck: random.Random
) -> SideWalk | None:
    """A walk with one period in it, so many steps from its ends, which begins at one of so many nodes."""
    for node in luck.sample(own.nodes, bases):
        first = own.draw(ends[0], node, [False] * before, luck)
        period = first and own.draw(node, node, [True] * PERIOD, luck)
        last = period and own.draw(node, ends[1], [False] * behind, luck)
        if first and period and last:
            return first[:-1] + period[:-1] + last
    return None


def _steps(squares: WalkedSquares) -> list[TightSteps]:
    return [TightSteps.of(own, side in TURNING) for side, own in zip(SIDES, squares.walks, strict=True)]


def first_walk(own: TightSteps, ends: tuple[int, int], spans: Spans, luck: random.Random) -> SideWalk | None:
    """A walk between two nodes with two periods, at random; None if none was found."""
    middle, every = spans.steps // 2, len(own.nodes)
    (low, high), one = spans.begins, PERIOD
    for node in luck.sample(own.nodes, every):
        first = _around(own, (ends[0], node), low, middle - low - one, every, luck)
        last = first and _around(own, (node, ends[1]), high - middle, spans.steps - high - one, every, luck)
        if first and last:
            return first[:-1] + last
    return None


def first_walks(squares: WalkedSquares, side: int, ends: Ends, luck: random.Random) -> list[SideWalk] | None:
    """Walks of the four sides of a square; None if none were found."""
    spans = Spans(side - 2 * CORNER)
    walks = [first_walk(own, (ends[k][1], ends[(k + 1) % 4][0]), spans, luck) for k, own in enumerate(_steps(squares))]
    return [walk for walk in walks if walk] if all(walks) else None


def variants(found: WalkAnnealing) -> Iterator[Codes]:
    """Squares that are one cycle, as are those larger by `STEP` once and twice."""
    for number in range(VARIANTS):
        for _ in range(IDLE_MOVES if number else 0):
            found.draw(COLD)
        if not found.single:
            return
        boards = [found.codes(copies) for copies in range(MOST_COPIES + 1)]
        single = [len(Cycles.of(codes).lengths) == 1 for codes in boards]
        for copies in range(1, 1 + STEP // (2 * PERIOD)):
            if all(single[copies :: STEP // (2 * PERIOD)]):
                yield boards[copies]


def families(residue: int, limits: Limits = NO_LIMITS) -> dict[int, dict[str, Any]]:
    """For each remainder modulo `STEP` a family."""
    side, less, seed = KINDS[residue]
    luck = random.Random(seed)
    squares = WalkedSquares(2 * CYCLE + side % CYCLE, ACROSS, CORNER, limits)
    ends = squares.ends(less)
    found: dict[int, dict[str, Any]] = {}
    while len(found) < STEP // MODULUS:
        limits.check()
        walks = first_walks(squares, side, luck.choice(ends), luck)
        one = walks and WalkAnnealing(squares, side, walks, luck)
        if one and one.run(SWEEPS * side):
            for codes in variants(one):
                if len(codes) % STEP not in found:
                    try:
                        kind = Squares(len(codes), less, STEP, ACROSS, (), TURNING, PERIOD)
                        found[len(codes) % STEP] = entry(codes, kind)
                    except CertificateError:
                        continue
    return found


def main(arguments: list[str]) -> None:
    """The command line `python -m encoders.gadgets.strands_least RESIDUE FILE`."""
    command = "python -m encoders.gadgets.strands_least"
    if len(arguments) != 2 or arguments[0] not in map(str, KINDS):
        raise SystemExit(str(KTError(f"usage: {command} {'|'.join(map(str, KINDS))} FILE")))
    found = families(int(arguments[0]))
    entries = sorted(found.values(), key=lambda one: len(one["seed"]))
    save_squares(arguments[1], CHAINS_KIND, f"{command} {arguments[0]}", entries, MODULUS, [int(arguments[0])])


if __name__ == "__main__":
    main(sys.argv[1:])
