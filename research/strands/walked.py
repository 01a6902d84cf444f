"""Families of squares with at most 8n - 20 turns, whose sides are walks in a graph of patterns.

Lines have the directions (2, 1) and (1, -2), as in `research.strands.across` and `research.strands.chains`. There a
side has one pattern and a corner is a block of 5x5 cells. Here a side is any walk of `research.strands.walks`,
and the corners are larger. What a corner costs depends on the nodes where the two walks end, and all walks between two
nodes cost the same. So the fewest turns are found by trying the nodes at the ends.

Two opposite sides join lines of the same direction only, so that chains end there. For patterns of four sides that
leave few cycles on three squares of a family, walks with other detours near the corners and the middles are tried at
random, and exchanges join the cycles, until `theorems.growing_tours.strands` accepts a family.

`python -m research.strands.walked RESIDUE FILE` finds families for n = RESIDUE modulo 20, and writes them.
"""

from __future__ import annotations

import itertools
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from heuristics.searches.sides.data import CornerEnds
from heuristics.searches.sides.views import view
from kt_models.errors import CertificateError, KTError
from kt_models.limits import NO_LIMITS, Limits
from research.strands.across import DEPTH, Cycles, Joiner, lines, views_of
from research.strands.chains import Squares, entry
from research.strands.claims import save_squares
from research.strands.corner import Block, fewest_turns
from research.strands.walks import Walks, walks
from theorems.growing_tours.codes import Codes
from theorems.growing_tours.zones import CHAINS_KIND

SIDES = ("bottom", "right", "top", "left")
"""Sides of the four views."""
STEP = 160
"""By how much a family grows."""
MODULUS = 20
NEAR = 14
"""How far from a corner block a side may leave its pattern."""
JOINED = 22
"""How far exchanges are from a corner or from the middle of a side."""
FEW = 16
"""Most cycles that exchanges are tried on."""
MOST = 60
"""Most cycles of a choice of patterns."""
SAMPLES, TRIES = 4, 500
"""Samples of the corners for each choice of patterns; tries of walks for each side of a square."""


@dataclass(frozen=True)
class SquareKind:
    """What is looked for: squares with one remainder modulo 20 or 40, and at most 8n turns less so many.

    Parameters
    ----------
    first
        The classes of cells in direction (2, 1).
    corner
        Cells on a side of a corner block.
    """

    first: tuple[int, int]
    corner: int = 7
    modulus: int = 20
    least: int = 160
    less: int = 20


KINDS = {
    2: SquareKind((1, 2), 9),
    10: SquareKind((2, 3)),
    18: SquareKind((0, 4), 9, 40),
    38: SquareKind((0, 1), 7, 40),
}


@dataclass(eq=False)
class WalkedSquares:
    """Squares of a side, with these classes of cells by 2x + y in direction (2, 1).

    Parameters
    ----------
    side
        Squares whose sides differ by a multiple of 20 have the same nodes at the ends of their sides.
    """

    side: int
    first: frozenset[int]
    corner: int
    limits: Limits = NO_LIMITS
    _filled: dict[Any, tuple[int, Codes] | None] = field(default_factory=dict)
    _walked: dict[Any, Codes | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.walks: list[Walks] = [walks(first) for first in views_of(self.first, self.side)]

    def paint(self, side: int, chosen: dict[int, Codes]) -> Codes:
        """Lines, and the walks of some sides; what is at the corners does not fit together."""
        codes = lines(self.first, side)
        for k in range(4):
            if k in chosen:
                codes[self.corner : side - self.corner, :DEPTH] = chosen[k]
            codes = view(codes)
        return codes

    def corner_block(self, side: int, k: int, before: Codes, codes: Codes) -> tuple[int, Codes] | None:
        """The fewest turns of the block at the bottom left of a view, and a way to have them."""
        painted = view(self.paint(side, {(k - 1) % 4: before, k: codes}), k)
        block = Block.of(painted, (0, 0, self.corner, self.corner))
        key = tuple(block.ports.items())
        if key not in self._filled:
            found = fewest_turns(block, 1, self.limits)
            self._filled[key] = found and (found[0], found[1][0])
        return self._filled[key]

    def costs(self, k: int) -> dict[tuple[int, int], int]:
        """By the nodes at the ends of two sides: the turns of the block, less 2 for each unit, and heights."""
        before, current = self.walks[k - 1], self.walks[k]
        last, begin = (
            walks.at(at) for walks, at in ((before, self.side - self.corner - 1), (current, self.corner - 1))
        )
        ending = {u: self._some(before, before.at(self.corner - 1), [u]) for u in last}
        starting = {v: self._some(current, [v], current.at(self.side - self.corner - 1)) for v in begin}
        found = {}
        for u, v in itertools.product(last, begin):
            block = self.corner_block(self.side, k, ending[u], starting[v])
            if block is not None:
                found[u, v] = block[0] - 4 * self.corner + before.height[u] - current.height[v]
        return found

    def _some(self, walks: Walks, starts: list[int], stops: list[int]) -> Codes:
        every = (walks.walk(ends, self.side, self.corner, 0) for ends in itertools.product(starts, stops))
        return next(walk for walk in every if walk is not None)

    def ends(self, less: int) -> list[CornerEnds]:
        """The nodes at all corners for at most 8n turns less so many, whether or not there are walks between them."""
        found = []
        for corners in itertools.product(*(self.costs(k).items() for k in range(4))):
            ends = tuple(nodes for nodes, _ in corners)
            if sum(cost for _, cost in corners) <= -less and all(
                self.walks[k].component[ends[k][1]] == self.walks[k].component[ends[(k + 1) % 4][0]] for k in range(4)
            ):
                found.append(ends)
        return found

    def side_walk(self, side: int, k: int, ends: CornerEnds, pattern: int, seed: int = 0) -> Codes | None:
        """The columns of a side between its corners, if there is a walk between the nodes there along a pattern."""
        walks, nodes = self.walks[k], (ends[k][1], ends[(k + 1) % 4][0])
        if walks.component[nodes[0]] != walks.component[next(iter(walks.cycles[pattern]))]:
            return None
        key = side, k, nodes, pattern, seed
        if key not in self._walked:
            self._walked[key] = walks.walk(nodes, side, self.corner, pattern, NEAR, seed)
        return self._walked[key]

    def board(
        self, side: int, ends: CornerEnds, patterns: tuple[int, ...], seeds: tuple[int, ...] = (0, 0, 0, 0)
    ) -> Codes | None:
        """A square with walks that follow these patterns where they can, if there are such walks."""
        every = [self.side_walk(side, k, ends, patterns[k], seeds[k]) for k in range(4)]
        chosen = {k: walk for k, walk in enumerate(every) if walk is not None}
        if len(chosen) < len(every):
            return None
        codes = self.paint(side, chosen)
        for k in range(4):
            found = self.corner_block(side, k, chosen[(k - 1) % 4], chosen[k])
            if found is None:
                return None
            codes[: self.corner, : self.corner] = found[1]
            codes = view(codes)
        return codes


@dataclass(frozen=True, eq=False)
class Candidate:
    """Patterns of four sides for squares, and the nodes at the corners that they may have."""

    squares: WalkedSquares
    patterns: tuple[int, ...]
    ends: tuple[CornerEnds, ...]

    @property
    def turning(self) -> frozenset[str]:
        """The sides that join lines of the same direction only."""
        sides = zip(SIDES, self.squares.walks, self.patterns, strict=True)
        return frozenset(side for side, walks, pattern in sides if walks.turning[pattern])


def candidates(squares: WalkedSquares, side: int, ends: list[CornerEnds], luck: random.Random) -> list[Candidate]:
    """Patterns that leave no more cycles on larger squares; two opposite sides join lines of the same direction only.

    Those with the fewest cycles first.
    """
    found: dict[tuple[int, ...], tuple[int, Candidate]] = {}
    for pair in ((0, 2), (1, 3)):
        numbers = [
            [number for number, turning in enumerate(side_walks.turning) if turning or k not in pair]
            for k, side_walks in enumerate(squares.walks)
        ]
        for patterns in itertools.product(*numbers):
            able = [
                pairs
                for pairs in ends
                if all(squares.side_walk(side, k, pairs, patterns[k]) is not None for k in range(4))
            ]
            for end_pairs in luck.sample(able, min(SAMPLES, len(able))):
                counts = [MOST]
                while len(counts) < 4 and counts[-1] <= counts[max(0, len(counts) - 2)]:
                    codes = squares.board(side + (len(counts) - 1) * STEP, end_pairs, patterns)
                    counts.append(MOST + 1 if codes is None else len(Cycles.of(codes).lengths))
                if counts == sorted(counts, reverse=True) and counts[1] < found.get(patterns, (MOST,))[0]:
                    found[patterns] = counts[1], Candidate(squares, patterns, tuple(able))
    return [candidate for _, candidate in sorted(found.values(), key=lambda candidate: candidate[0])]


def family(side: int, less: int, ranked: list[Candidate], limits: Limits = NO_LIMITS) -> dict[str, Any] | None:
    """A family of squares from a side on, if one is found."""
    luck = random.Random(side)
    fewest = FEW
    for _ in range(TRIES if ranked else 0):
        limits.check()
        candidate = ranked[min(int(luck.expovariate(0.5)), len(ranked) - 1)]
        ends, seeds = luck.choice(candidate.ends), tuple(luck.choice((0, luck.randrange(10**6))) for _ in range(4))
        boards = [candidate.squares.board(side + k, ends, candidate.patterns, seeds) for k in (0, STEP)]
        usable = [codes for codes in boards if codes is not None]
        number = max(len(Cycles.of(codes).lengths) for codes in usable) if len(usable) == 2 else FEW + 1
        fewest = min(fewest, number)
        if number > min(FEW, fewest + 3):
            continue
        joined = Joiner(8 * side - less, limits, random.Random(luck.random()), near=JOINED).join(*usable)
        if joined is not None:
            grown = Squares(side, less, STEP, candidate.squares.first, (), candidate.turning)
            try:
                return entry(joined[0], grown)
            except CertificateError:
                continue
    return None


def families(residue: int, limits: Limits = NO_LIMITS) -> Iterator[tuple[int, dict[str, Any] | None]]:
    """Least side for each remainder modulo 160, and a family if one is found."""
    kind = KINDS[residue]
    squares = WalkedSquares(2 * MODULUS + residue % MODULUS, frozenset(kind.first), kind.corner, limits)
    ends = squares.ends(kind.less)
    begin = kind.least + (residue - kind.least) % kind.modulus
    ranked: list[Candidate] = []
    for side in range(begin, begin + STEP, kind.modulus):
        ranked = ranked or candidates(squares, side, ends, random.Random(side))
        yield side, family(side, kind.less, ranked, limits)


def main(arguments: list[str]) -> None:
    """The command line `python -m research.strands.walked RESIDUE FILE`."""
    command = f"python -m {__package__}.walked"
    if len(arguments) != 2 or arguments[0] not in map(str, KINDS):
        raise SystemExit(str(KTError(f"usage: {command} {'|'.join(map(str, KINDS))} FILE")))
    residue = int(arguments[0])
    modulus = KINDS[residue].modulus
    each = dict(families(residue))
    found = [family for family in each.values() if family]
    served = sorted(side % STEP for side, family in each.items() if family)
    classes = (modulus, [residue]) if len(served) == len(each) else (STEP, served)
    save_squares(arguments[1], CHAINS_KIND, f"{command} {residue}", found, *classes)


if __name__ == "__main__":
    main(sys.argv[1:])
