"""Families of squares that a quarter turn maps to themselves, with (26n + O(1))/3 turns.

`theorems.growing_tours.radial_data` has what the interior looks like: straight lines, and bent ones. Along
the third of a side that is next to its left corner, three classes of five have the direction (2, 1), and elsewhere two.
A side follows simple closed walks of `research.strands.walks`, which have 2 turns per unit:

- in that third one that joins lines of both directions;
- from there to the middle, and in the last quarter, one that joins lines of the same direction only;
- in the quarter between, another one that joins lines of both directions.

So lines form chains that end, and where these chains are joined, at a side, they move along it and do not close. The
numbers of cycles do not grow with the square. (Other walks were tried: with most of them chains close.)

Within some cells of the corners, and of the places where a side changes, moves are free. A mixed-integer program gives
them as few turns as can be, and small costs at random lead to other ways to fill one of these *windows* with as few.
These are combined at random, and kept if there are fewer cycles, until the first two squares of a family have one.

`python -m research.strands.radial FILE` finds a family for each remainder of n = 2 modulo 4 modulo 480, and
writes them; half an hour on one core.
"""

from __future__ import annotations

import itertools
import random
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import numpy as np

from heuristics.searches.sides.data import SIDE_ROWS as PATTERN_DEPTH
from kt_models.errors import CertificateError, KTError
from research.strands.claims import save_claims
from research.strands.quarter import DEPTH, FREE, QuarterSquare
from research.strands.squares import cycles
from research.strands.walks import walks
from theorems.growing_tours.bundles import Bundle, Bundles
from theorems.growing_tours.codes import REACH, Codes, turns
from theorems.growing_tours.radial import check_radial
from theorems.growing_tours.radial_data import KIND, RadialFamily, bends, lines
from theorems.growing_tours.zones import Zone
from theorems.statement import Boards, Bound, FamilyStatement, claim_to_json

LEAST, STEP, TOGETHER = 126, 240, 60
"""The least side of a family; such steps are looked at; sides that differ by this get the same windows."""
TWICE = 2
"""A family grows by twice as much: the strands of a chain change places with a step."""
CLASSES = 5


Windows = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Stretch:
    """A part of a side.

    Parameters
    ----------
    end
        How far along the side it ends.
    first
        The classes of cells by 2x + y that have the direction (2, 1), counted from the class of the centre.
    walk
        The number of its closed walk.
    """

    end: Fraction
    first: frozenset[int]
    walk: int

    @cached_property
    def columns(self) -> Codes:
        """The moves of one period, from a column whose number is a multiple of 5 on."""
        side = walks(self.first)
        cycle = side.cycles[self.walk]
        begin = side.nodes[next(iter(cycle))][0] + 1
        return np.roll(np.array([side.steps[u][v] for u, v in cycle.items()], dtype=np.uint8), begin, axis=0)


THREE, TWO = frozenset({0, 1, 4}), frozenset({1, 4})
STRETCHES = (
    Stretch(Fraction(1, 3), THREE, 3),
    Stretch(Fraction(1, 2), TWO, 3),
    Stretch(Fraction(3, 4), TWO, 0),
    Stretch(Fraction(1), TWO, 3),
)
WINDOWS = (
    ((0, 11), (-6, 8), (-5, 5), (-5, 5), (-12, -1)),
    ((0, 22), (-20, 8), (-5, 5), (-5, 5), (-14, -1)),
    ((0, 24), (-14, 16), (-12, 12), (-12, 12), (-24, -1)),
)
"""From where to where, beside the ends of stretches, moves are free: small windows, and larger ones where these leave
too little choice."""
CHAINS = (
    ((Fraction(11, 6), Fraction(1, 3)), (Fraction(19, 12), Fraction(-1, 6))),
    ((Fraction(1, 2), Fraction(1)), (Fraction(9, 4), Fraction(-1, 2)), (Fraction(11, 8), Fraction(1, 4))),
    ((Fraction(11, 4), Fraction(1, 2)), (Fraction(9, 8), Fraction(-1, 4))),
)
"""Lines that grow together: the number of one in the middle of each bundle, by that of the line to a corner, and how
many are put in, by p."""
DRAWS, NOISE, MORE_NOISE = 60, 0.02, 0.5
"""How often a way to fill a window is drawn, and the largest random cost; more if there is a turn to spare."""
LESS = {2: (52, 40), 6: (48, 36), 10: (44, 32)}
"""By n modulo 12: three times the turns are to be 26n less this, or fewer; where nothing is found, the next number."""
SEEDS = 3
CELLS, WARMTH = 6 * 10**7, 1.5
"""Cells of all squares that are looked at, and how many more cycles are let in at first, on average."""
MOST_STEPS = 6


def places(side: int, windows: Windows) -> list[range]:
    """The columns of the windows."""
    found = []
    for at, (first, last) in zip((Fraction(0), *(stretch.end for stretch in STRETCHES)), windows, strict=True):
        begin = -int(-(at * side) // 1) + first
        found.append(range(max(begin, 0), min(begin + last - first + 1, side - DEPTH)))
    return found


def fit(columns: list[range]) -> bool:
    """Whether there is room between windows for two columns and a period."""
    between = zip(STRETCHES, columns, columns[1:], strict=False)
    return all(other.start - place.stop >= REACH + len(stretch.columns) for stretch, place, other in between)


def pattern(side: int, phase: int) -> Codes:
    """A side without its windows, whose first stretch begins so many columns farther in its period."""
    depth = DEPTH
    found = lines(side, *np.meshgrid(np.arange(side - depth), np.arange(depth), indexing="ij"))
    # 2x + y + side - 1 counts classes from that of the centre
    shift = next(k for k in range(CLASSES) if (2 * k - side + 1) % CLASSES == 0)
    begin = 0
    for number, stretch in enumerate(STRETCHES):
        end = min(-int(-(stretch.end * side) // 1), side - depth)
        columns = np.arange(begin, end) + shift + (0 if number else phase)
        found[begin:end, :PATTERN_DEPTH] = stretch.columns[columns % len(stretch.columns)]
        begin = end
    return found


class RadialSearch:
    """Ways to fill the windows of the squares whose sides leave a remainder modulo `TOGETHER`.

    Parameters
    ----------
    least
        Of the sides.
    less
        Three times the turns are to be 26n less this, or fewer.

    Attributes
    ----------
    side
        The least one where all windows have something between them that may be repeated.
    """

    def __init__(self, least: int, windows: Windows, less: int, seed: int) -> None:
        self.less = less
        self.side = next(side for side in range(least, 10 * least, TOGETHER) if fit(places(side, windows)))
        self.places = places(self.side, windows)
        self.costs, self.luck = np.random.default_rng(seed), random.Random(seed)

    @cached_property
    def filled(self) -> Codes:
        """A side with as few turns as can be.

        Raises
        ------
        KTError
            If the windows cannot be filled.
        """
        for phase in (0, CLASSES):
            fixed = pattern(self.side, phase)
            for columns in self.places:
                fixed[columns] = FREE
            with suppress(KTError):  # Moves from white to black cells do not come out even
                return self._solved(QuarterSquare(self.side, fixed), 0)
        raise KTError(f"{self.side}x{self.side}: no way to fill the windows")

    def _solved(self, square: QuarterSquare, noise: float) -> Codes:
        chosen = square.solve(noise * self.costs.random(len(square.options)))
        return square.board(chosen)[: self.side - DEPTH, :DEPTH]

    @cached_property
    def spare(self) -> int:
        """How many turns more each side may have than it has to."""
        return (26 * self.side - self.less - 12 * turns(self.filled) - 3 * bends(self.side, DEPTH)) // 12

    @cached_property
    def ways(self) -> list[list[tuple[Codes, int]]]:
        """Ways to fill each window that were drawn, and how many turns each has more than it has to.

        Both corners are one window.
        """
        found = []
        for window in self.windows:
            fixed = self.filled.copy()
            fixed[window] = FREE
            square, fewest = QuarterSquare(self.side, fixed), turns(self.filled[window])
            noises = [NOISE] * DRAWS + [MORE_NOISE] * (DRAWS if self.spare else 0)
            drawn = (self._solved(square, noise)[window] for noise in noises)
            ways = {codes.tobytes(): (codes, turns(codes) - fewest) for codes in drawn}
            found.append([way for way in ways.values() if way[1] <= self.spare])
        return found

    @cached_property
    def windows(self) -> list[list[int]]:
        """The columns of each."""
        first, *others, last = self.places
        return [[*first, *last], *map(list, others)]

    def family(self, filled: Codes, more: int) -> RadialFamily:
        """The family of a square that is larger by a multiple of `TOGETHER`, without slabs."""
        kept, zones, added = [], [], []
        for stretch, place, other in zip(STRETCHES, self.places, self.places[1:], strict=False):
            period = len(stretch.columns)
            kept += list(place)
            # Two columns before a zone are like its last two
            beside = range(place.stop, other.start)
            copies = (len(beside) - REACH) // period - 1
            zones.append(Zone(len(kept) + REACH, period))
            added.append(copies * period)
            kept += list(beside[: len(beside) - copies * period])
        kept += list(self.places[-1])
        share = [Fraction(1, 3), Fraction(1, 6), Fraction(1, 4), Fraction(1, 4)]
        return RadialFamily(
            filled[kept],
            tuple(zones),
            tuple(side_lines + int(part * more) for side_lines, part in zip(added, share, strict=True)),
            tuple(int(part * STEP) for part in share),
            0,
            (),
        )

    def tour(self, more: int) -> RadialFamily | None:
        """A family whose first two squares are one cycle each, if one is found."""
        filled, over = self.filled, [0] * len(self.windows)
        number = self._cycles(filled, more)
        tries = CELLS // (self.side + more) ** 2
        for left in range(tries, 0, -1):
            if number == 1:
                return self.family(filled, more)
            which = self.luck.randrange(len(self.windows))
            other, (way, extra) = filled.copy(), self.luck.choice(self.ways[which])
            if sum(over) - over[which] + extra > self.spare:
                continue
            other[self.windows[which]] = way
            count = self._cycles(other, more)
            if count <= number + self.luck.expovariate(tries / (WARMTH * left)):
                filled, number, over[which] = other, count, extra
        return None

    def _cycles(self, filled: Codes, more: int) -> int:
        """How many cycles the first square has, or the second one if it is one cycle."""
        family = self.family(filled, more)
        number = cycles(family.codes(0))[0]
        return number if number > 1 else cycles(family.codes(1))[0]


def slabs(side: int, step: int) -> Iterator[Bundles]:
    """Slabs in the middle of each chain of a square."""
    for chain in CHAINS:
        places = ((int(at * side) // 20 * 20, int(share * step)) for at, share in chain)
        yield tuple(Bundle(0, middle if lines > 0 else middle + lines + 1, lines) for middle, lines in places)


def with_slabs(family: RadialFamily) -> RadialFamily | None:
    """The family with slabs of its first square that the checker accepts."""
    for steps in range(1, MOST_STEPS):
        found = replace(family, steps=steps, slabs=tuple(slabs(family.side(steps), family.step)))
        try:
            check_radial(found)
        except CertificateError:
            continue
        return found
    return None


def longer(family: RadialFamily) -> list[RadialFamily]:
    """The families that grow by twice as much, from the first square and from the second one; none if one fails."""
    grows = tuple(TWICE * grown for grown in family.grows)
    both = [with_slabs(replace(family, added=family.added_at(k), grows=grows)) for k in range(TWICE)]
    return [grown for grown in both if grown is not None] if None not in both else []


def families(residue: int) -> Iterator[RadialFamily]:
    """A family for each remainder modulo `TWICE * STEP` that goes with one modulo `TOGETHER`."""
    least = LEAST + (residue - LEAST) % TOGETHER
    ways = itertools.product(LESS[least % 12], WINDOWS, range(SEEDS))
    searches = [RadialSearch(least, windows, less, seed) for less, windows, seed in ways]
    for side in range(least, least + STEP, TOGETHER):
        tours = (search.tour(side - search.side) for search in searches if search.side <= side)
        found = next((both for tour in tours if tour is not None and (both := longer(tour))), None)
        if found is None:
            raise KTError(f"no family of {side}x{side} was found")
        yield from found


def claims(found: Sequence[RadialFamily]) -> Iterator[FamilyStatement]:
    """The turns of squares by the remainder modulo 12, and of all of them."""
    for modulus, residues in ((4, (2,)), (12, (2,)), (12, (6,)), (12, (10,))):
        members = [member for member in found if member.side(0) % modulus in residues]
        constant = max(member.turns(0) - Fraction(26, 3) * member.side(0) for member in members)
        least = min(member.side(0) for member in members)
        yield FamilyStatement(
            Boards("squares", least, modulus, residues),
            bounds=(Bound("at-most", "turns", Fraction(26, 3), constant),),
            symmetry="rot90",
        )


def main(arguments: list[str]) -> None:
    """The command line `python -m research.strands.radial FILE`."""
    command = f"python -m {__package__}.radial"
    if len(arguments) != 1:
        raise SystemExit(str(KTError(f"usage: {command} FILE")))
    found = [family for residue in range(2, TOGETHER, 4) for family in families(residue)]
    found.sort(key=lambda family: family.side(0))
    entries = [family.to_json() for family in found]
    save_claims(arguments[0], KIND, command, [claim_to_json(claim) for claim in claims(found)], entries)


if __name__ == "__main__":
    main(sys.argv[1:])
