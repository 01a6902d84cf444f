"""Chains: tours of squares of all sizes with lines of up to three directions, as one cycle, by inflation.

Direction 0 is (2, 1), and its lines are numbered by x - 2y; direction 1 is (1, -2), and its lines are numbered by
2x + y; direction 2 is (-2, 1), and its lines are numbered by x + 2y.  `slabs` describes the slabs that are inserted.
Turns and boards are those of `strands`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property, partial
from typing import Any

import numpy as np

from kt_models.certificates.integers import Ints
from kt_models.errors import CertificateError
from kt_models.limits import NO_LIMITS, Limits
from kt_models.reading import integer
from theorems.growing_tours.codes import MOVES, PAIRS
from theorems.growing_tours.inflation import Truths
from theorems.growing_tours.slabs import (
    MAX_MARGINS,
    MAX_STEPS,
    Bundles,
    Lines,
    SlabBoard,
    Walk,
    WalkedBoard,
    fits_zones,
    follow,
    read_slabs,
)
from theorems.growing_tours.strands import MAX_FAMILIES, check_covered, satisfies
from theorems.growing_tours.zones import CHAINS_KIND, LINES, RIGHT_ANGLE_LINES, TourFamily
from theorems.statement import FamilyKind, FamilyStatement, sharing

DIRECTIONS = np.array([-1, 0, 2, 1, -1, 0, 2, 1])
"""By the moves along lines."""
NUMBERS = np.array([(1, -2), (2, 1), (1, 2)])
"""Coefficients a and b of the numbers ax + by of lines, by direction."""


@dataclass(frozen=True, eq=False)
class ChainFamily(TourFamily):
    """A family together with slabs of one of its squares.

    Parameters
    ----------
    steps
        K.
    slabs
        Slabs of D(K).
    """

    steps: int
    slabs: tuple[Bundles, ...]

    @classmethod
    def from_json(cls, data: Any) -> ChainFamily:
        """Read the family of a JSON object with `steps` and `slabs`; a bundle is three numbers.

        Raises
        ------
        CertificateError
            If the data are malformed.
        """
        family = TourFamily.from_json(data)
        return cls(
            **{field.name: getattr(family, field.name) for field in fields(TourFamily)},
            steps=integer(data.get("steps"), "steps", 0, MAX_STEPS),
            slabs=read_slabs(data.get("slabs"), len(NUMBERS)),
        )


class ZonedBoard(WalkedBoard):
    """A board of a family with zones."""

    family: TourFamily

    @property
    @abstractmethod
    def times(self) -> tuple[int, int]:
        """How often each growth is applied."""

    @property
    def size(self) -> tuple[int, int]:
        return self.family.grown(self.times)

    @property
    def box(self) -> tuple[int, int, int, int]:
        left, right, low, high = self.family.zoned
        columns, rows = map(sum, self.family.added(self.times))
        return left, right + columns, low, high + rows

    @cached_property
    def _sources(self) -> tuple[list[int], list[int]]:
        columns, rows = self.family.sources(self.times)
        return columns.tolist(), rows.tolist()

    def walk(self, start: tuple[int, int]) -> Walk:
        left, right, low, high = self.box
        (columns, rows), codes = self._sources, self.family.codes.tolist()
        (x, y), cells = start, 0
        move = PAIRS[codes[columns[x]][rows[y]]][0]
        paths: list[list[tuple[int, int]]] = [[start]]
        moves: list[int] = []
        # runs through the interior are skipped in one jump: the work is linear in the margins
        while True:
            dx, dy = MOVES[move]
            x, y, cells = x + dx, y + dy, cells + 1
            if left <= x < right and low <= y < high:
                # steps until the run leaves the interior, by columns and by rows
                across = ((right - 1 - x) if dx > 0 else (x - left)) // abs(dx)
                along = ((high - 1 - y) if dy > 0 else (y - low)) // abs(dy)
                run = min(across, along) + 1
                x, y, cells = x + run * dx, y + run * dy, cells + run
                moves.append(move)
                paths.append([])
            if (x, y) == start:
                break
            paths[-1].append((x, y))
            one, other = PAIRS[codes[columns[x]][rows[y]]]
            move = other if one == (move + 4) % 8 else one
        last = paths.pop()
        return Walk([last + paths[0], *paths[1:]] if moves else [last], moves, moves, cells)

    def line(self, cells: Ints, moves: Ints) -> tuple[Ints, Ints]:
        direction = DIRECTIONS[moves]
        return direction, (cells * NUMBERS[direction]).sum(axis=1)


@dataclass(frozen=True, eq=False)
class SquareBoard(ZonedBoard):
    """D(k) of a family of squares."""

    family: TourFamily
    k: int

    @property
    def times(self) -> tuple[int, int]:
        return self.k, self.k


class InflatedRectangle(ZonedBoard, SlabBoard):
    """A board of a family with zones, that grows."""

    @property
    @abstractmethod
    def growths(self) -> Sequence[tuple[int, int]]:
        """How often a step applies each growth of the family; one or two kinds of steps."""

    def fits(self, growth: int, vectors: Ints) -> Truths:
        nodes, step = self.nodes, self.family.added(self.growths[growth])
        sides = zip((self.family.columns, self.family.rows), self.family.added(self.times), step, strict=True)
        good = [fits_zones(nodes.cells[:, axis], vectors[:, axis], *side) for axis, side in enumerate(sides)]
        within = (vectors >= 0) & (vectors <= [*map(sum, step)])
        return np.where(nodes.inner, within.all(axis=1), good[0] & good[1])

    def run_moves(self, ways: Ints) -> Ints:
        moves = np.array(MOVES)[self.moves[0]]
        count = (ways * moves).sum(axis=1) // 5
        if (count[:, None] * moves != ways).any():
            raise CertificateError("the two ends of a run leave their line")
        return count

    def area(self, copies: Sequence[int]) -> int:
        more = zip(*((n - 1) * np.array(step) for n, step in zip(copies, self.growths, strict=True)), strict=True)
        width, height = self.family.grown([time + int(sum(of)) for time, of in zip(self.times, more, strict=True)])
        return width * height

    def moved(self, growth: int, lines: Lines, cells: Ints) -> Ints:
        columns, rows = map(sum, self.family.added(self.growths[growth]))
        (left, _, low, high), (x, y) = self.box, cells.T
        a, b = NUMBERS[lines.direction].T
        # the numbers begin in a corner, which moves if it is not the bottom left one
        grown = np.minimum(a, 0) * columns + np.minimum(b, 0) * rows + lines.more
        horizontal = (y < low) | (y >= high)
        dx, dy = np.where(x < left, 0, columns), np.where(y < low, 0, rows)
        along, half = np.divmod(grown - np.where(horizontal, b * dy, a * dx), np.where(horizontal, a, b))
        if half.any():
            raise CertificateError("an end of a run moves by half a cell")
        return np.stack([np.where(horizontal, along, dx), np.where(horizontal, dy, along)], axis=1)


@dataclass(frozen=True, eq=False)
class ChainBoard(SquareBoard, InflatedRectangle):
    """D(k) with slabs."""

    family: ChainFamily
    growths = ((1, 1),)

    @property
    def slabs(self) -> Sequence[Bundles]:
        return self.family.slabs


def check_chains(family: ChainFamily, limits: Limits = NO_LIMITS, cells: int = MAX_MARGINS) -> int:
    """Check that every square of a family has one cycle, by inflation.

    Returns
    -------
    How many cells of margins were followed.

    Raises
    ------
    CertificateError
        If the argument does not hold for the family, or more than `cells` have to be followed.
    Stopped
        If a limit is reached.
    """
    check_grows(family, (*LINES, *RIGHT_ANGLE_LINES))
    return follow(partial(ChainBoard, family), family.steps, limits, cells)


def check_grows(family: TourFamily, lines: Sequence[int]) -> None:
    """Check that the interior has line cells only, and that the squares grow without end, from the seed on.

    Checks Lemma 15 (what chains fit).

    Parameters
    ----------
    lines
        The codes of line cells.

    Raises
    ------
    CertificateError
        If this is not so.
    """
    left, right, low, high = family.zoned
    # runs are followed by arithmetic only, so every interior cell must be on a line
    if not np.isin(family.codes[left:right, low:high], lines).all():
        raise CertificateError("a cell of the interior is not a line cell")
    (width, height), p = family.size, family.added_side
    if width != height or [growth.step for growth in family.growths] != [(p, 0), (0, p)]:
        raise CertificateError("the family is not one of squares that grow by columns and by as many rows")
    # D(0) is the seed: the numbers k of the checks count from it
    if any(growth.least for growth in family.growths):
        raise CertificateError("the squares of the family begin with its seed")


def check(data: Any, limits: Limits = NO_LIMITS) -> tuple[FamilyStatement, ...]:
    """Check the claims of a file of kind `strands-chains`; raises the errors of `FamilyKind.check`."""
    prove = sharing(MAX_MARGINS, check_chains)
    return FamilyKind(
        CHAINS_KIND,
        "families",
        MAX_FAMILIES,
        ("squares",),
        ChainFamily.from_json,
        prove,
        satisfies,
        check_covered,
        True,
    ).check(data, limits)
