"""Chains: tours of squares of all sizes with lines of up to three directions, as one cycle, by pumping chains of lines.

Direction 0 is (2, 1), and its lines are numbered by x - 2y; direction 1 is (1, -2), and its lines are numbered by
2x + y; direction 2 is (-2, 1), and its lines are numbered by x + 2y.  `slabs` describes the slabs that are inserted.
Turns and boards are those of `strands`.
"""

from __future__ import annotations

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
from theorems.growing_tours.loops import Truths
from theorems.growing_tours.slabs import (
    MAX_MARGINS,
    MAX_STEPS,
    Bundles,
    SlabBoard,
    WalkedBoard,
    WalkedCycle,
    at_ends,
    fits_zones,
    follow,
    read_slabs,
)
from theorems.growing_tours.strands import MAX_FAMILIES, check_covered, satisfies
from theorems.growing_tours.zones import CHAINS_KIND, LINES, RIGHT_ANGLE_LINES, TourFamily
from theorems.statement import FamilyKind, FamilyStatement, sharing

DIRECTION = {1: 0, 5: 0, 3: 1, 7: 1, 2: 2, 6: 2}
"""Direction of a line, by the move along it."""
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


@dataclass(frozen=True, eq=False)
class SquareBoard(WalkedBoard):
    """The square D(k) of a family with zones."""

    family: TourFamily
    k: int

    @property
    def box(self) -> tuple[int, int, int, int]:
        """The interior: its first column and the one behind its last; the same of rows."""
        left, right, low, high = self.family.zoned
        more = self.k * self.family.added_side
        return left, right + more, low, high + more

    @cached_property
    def _walk(self) -> WalkedCycle:
        left, right, low, high = self.box
        columns, rows_ = (side.tolist() for side in self.family.sources((self.k, self.k)))
        codes = self.family.codes.tolist()
        x, y, move, cells = 0, 0, PAIRS[codes[0][0]][0], 0
        paths: list[list[tuple[int, int]]] = [[(0, 0)]]
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
            if x == y == 0:
                break
            paths[-1].append((x, y))
            first, second = PAIRS[codes[columns[x]][rows_[y]]]
            move = second if first == (move + 4) % 8 else first
        # the walk began in the middle of a path: join its two parts
        last = paths.pop()
        return ([last + paths[0], *paths[1:]] if moves else [last]), moves, cells

    @property
    def side(self) -> int:
        return self.family.size[0] + self.k * self.family.added_side

    @property
    def margins(self) -> int:
        left, right, low, high = self.box
        return self.side**2 - (right - left) * (high - low)

    @cached_property
    def direction(self) -> Ints:
        return np.array([DIRECTION[move] for move in self._walk[1]])

    @cached_property
    def number(self) -> Ints:
        return (self.ends[:, 1] * NUMBERS[self.direction]).sum(axis=1)


@dataclass(frozen=True, eq=False)
class ChainBoard(SquareBoard, SlabBoard):
    """The square D(K) with slabs."""

    family: ChainFamily

    @property
    def bundles(self) -> Sequence[Bundles]:
        return self.family.slabs

    @cached_property
    def growth(self) -> Ints:
        return np.minimum(NUMBERS, 0).sum(axis=1)[self.direction] * self.family.added_side + self.put_in

    def vectors(self, growth: Ints) -> Ints:
        (left, _, low, high), more = self.box, self.family.added_side
        x, y = self.ends[:, :, 0], self.ends[:, :, 1]
        horizontal = (y < low) | (y >= high)
        a, b = NUMBERS[at_ends(self.direction)].transpose(2, 0, 1)
        dy = np.where(y < low, 0, more)
        dx = np.where(x < left, 0, more)
        # an end moves along its side so that its line gets the new number
        along, half = np.divmod(at_ends(growth) - np.where(horizontal, b * dy, a * dx), np.where(horizontal, a, b))
        if half.any():
            raise CertificateError("an end of a run moves by half a cell")
        return np.stack([np.where(horizontal, along, dx), np.where(horizontal, dy, along)], axis=2)

    def fits(self, vectors: Ints) -> Truths:
        cells, path = self.margin
        added, step = self.family.added((self.k, self.k)), self.family.added((1, 1))
        sides = zip((self.family.columns, self.family.rows), added, step, strict=True)
        # columns and rows are independent: a vector fits if it fits along both axes
        return np.logical_and.reduce(
            [fits_zones(cells[:, axis], vectors[path, axis], *side) for axis, side in enumerate(sides)]
        )


def check_chains(family: ChainFamily, limits: Limits = NO_LIMITS, cells: int = MAX_MARGINS) -> int:
    """Check that every square of a family has one cycle, by pumping its slabs.

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

    Checks Lemma 14 (counting cells).

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
