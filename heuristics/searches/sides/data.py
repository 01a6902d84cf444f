"""Patterns of sides and corner blocks for lines of two directions, read from `heuristics/gadgets/side-walks.json`."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from heuristics.searches.sides.views import view
from kt_models.cells import Cell
from kt_models.errors import KTError
from kt_models.json_version import read_document
from kt_models.kernel.certificates.integers import Ints
from kt_models.storage import read_json
from theorems.growing_tours.codes import LETTERS, MOVES, PAIRS, Codes

FILE = Path(__file__).parents[2] / "gadgets" / "side-walks.json"
KIND = "side-walks"
CORNER_SIDE, SIDE_ROWS = 6, 3
"""Cells along a side of a corner block, and rows of a side."""
MIN_SIDE = 18
"""The shortest side of a board."""
MAX_CHOICES = 4000
"""Most choices of corners to look at."""

CornerEnds = tuple[tuple[int, int], ...]
"""For each corner the nodes where the side before it ends and where its own side begins."""


@dataclass(frozen=True)
class LinePlane:
    """Lines of two directions; cells are in one class by a x + b y modulo a number.

    Parameters
    ----------
    normal
        a and b.
    """

    directions: tuple[Cell, Cell]
    normal: tuple[int, int]
    classes: int

    @property
    def choices(self) -> Iterator[frozenset[int]]:
        """The sets of classes with the first direction: one class, or all but one."""
        for many in (1, self.classes - 1):
            yield from map(frozenset, itertools.combinations(range(self.classes), many))


PERPENDICULAR_PLANE = LinePlane(((2, 1), (1, -2)), (2, 1), 5)
PLANES = (LinePlane(((2, 1), (1, 2)), (1, 1), 3), PERPENDICULAR_PLANE)


def lines_of(plane: LinePlane, first: frozenset[int], width: int, height: int) -> Codes:
    """A board of lines only, if these classes have the first direction."""
    x, y = np.indices((width, height))
    first_code, second_code = (
        PAIRS.index(tuple(sorted((MOVES.index((dx, dy)), MOVES.index((-dx, -dy)))))) for dx, dy in plane.directions
    )
    a, b = plane.normal
    return np.where(np.isin((a * x + b * y) % plane.classes, list(first)), first_code, second_code).astype(np.uint8)


def phase_at(plane: LinePlane, seen: Codes, column: int) -> str:
    """The phase of the lines above the columns behind one, in a view of the lines."""
    return letters_of(seen[column + 1 : column + 1 + plane.classes, SIDE_ROWS : SIDE_ROWS + 2])


def letters_of(codes: Codes) -> str:
    """Codes as text, in the order of the array; `codes_of` reads it."""
    return "".join(LETTERS[code] for code in codes.ravel())


def codes_of(letters: str) -> Codes:
    """The codes of a text."""
    return np.array([LETTERS.index(letter) for letter in letters], dtype=np.uint8)


@dataclass(frozen=True, eq=False)
class SideData:
    """The nodes of a plane, and the columns between them.

    Parameters
    ----------
    phases
        Number of each phase.
    phase
        Phase of each node.
    after
        The possible next nodes, shape (nodes, d); -1 where there are fewer.
    columns
        The columns in between, shape (nodes, d, SIDE_ROWS).
    corners
        For two nodes at a corner: the turns of the block with those of the nodes, and the block.
    """

    phases: dict[str, int]
    phase: Ints
    after: Ints
    columns: Codes
    corners: dict[tuple[int, int], tuple[int, Codes]]

    @lru_cache(maxsize=8)  # noqa: B019 -- there are as many of these as planes
    def reach(self, steps: int) -> npt.NDArray[np.bool_]:
        """Whether a number of steps leads from a node to another."""
        # Repeated squaring of the matrix of steps.
        reached, power = np.eye(len(self.phase), dtype=bool), np.zeros((len(self.phase),) * 2, dtype=bool)
        u, d = np.nonzero(self.after >= 0)
        power[u, self.after[u, d]] = True
        while steps:
            if steps % 2:
                reached = reached @ power
            power, steps = power @ power, steps // 2
        return reached


@cache
def load() -> dict[LinePlane, SideData]:
    """The data of each plane in the file.

    Raises
    ------
    KTError
        If it is not such a file.
    """
    data = read_json(FILE)
    if not isinstance(data, dict) or data.get("kind") != KIND:
        raise KTError(f"{FILE.name}: not a file of sides")
    data = read_document(data, KIND)
    return {plane: _read(entry) for plane, entry in zip(PLANES, data["planes"], strict=True)}


def _read(entry: dict[str, Any]) -> SideData:
    nodes = len(entry["phase"])
    following: list[list[tuple[int, str]]] = [[] for _ in range(nodes)]
    for u, v, column in entry["steps"]:
        following[u].append((v, column))
    after = np.full((nodes, max(map(len, following))), -1)
    columns = np.zeros((*after.shape, SIDE_ROWS), dtype=np.uint8)
    # Pad the lists of steps to a matrix for compiled code.
    for u, steps in enumerate(following):
        for d, (v, column) in enumerate(steps):
            after[u, d], columns[u, d] = v, codes_of(column)
    corners = {
        (u, v): (cost, codes_of(block).reshape(CORNER_SIDE, CORNER_SIDE)) for u, v, cost, block in entry["corners"]
    }
    phases = {phase: number for number, phase in enumerate(entry["phases"])}
    return SideData(phases, np.array(entry["phase"]), after, columns, corners)


@dataclass(frozen=True, eq=False)
class Rectangle:
    """A board of lines with the possible nodes of its sides and corners.

    Parameters
    ----------
    corners
        For the bottom left corner of each view: the cost of two nodes, and the nodes.
    reach
        For each view: the pairs of nodes between which a side can be walked.
    """

    data: SideData
    lines: Codes
    corners: tuple[tuple[tuple[int, int, int], ...], ...]
    reach: tuple[npt.NDArray[np.bool_], ...]

    @classmethod
    def of(cls, plane: LinePlane, first: frozenset[int], width: int, height: int) -> Rectangle:
        """A board of which some classes of cells have the first direction of a plane."""
        data, lines = load()[plane], lines_of(plane, first, width, height)
        # Each side is handled in a view in which it lies at the bottom.
        views = [view(lines, k) for k in range(4)]
        starts = [data.phases[phase_at(plane, seen, CORNER_SIDE - 1)] for seen in views]
        stops = [data.phases[phase_at(plane, seen, len(seen) - CORNER_SIDE - 1)] for seen in views]
        corners = tuple(
            tuple(
                sorted(
                    (cost, u, v)
                    for (u, v), (cost, _) in data.corners.items()
                    if (data.phase[u], data.phase[v]) == (stops[k - 1], starts[k])
                )
            )
            for k in range(4)
        )
        return cls(data, lines, corners, tuple(data.reach(len(seen) - 2 * CORNER_SIDE) for seen in views))

    @property
    def least(self) -> int:
        """A lower bound for the turns beyond 4 (width + height)."""
        return sum(values[0][0] if values else 0 for values in self.corners)

    def ends(self, value: int) -> Iterator[CornerEnds]:
        """The nodes at the four corners for a given number of turns beyond 4 (width + height)."""
        least = [values[0][0] if values else 0 for values in self.corners]

        def more(chosen: CornerEnds, left: int) -> Iterator[CornerEnds]:
            k = len(chosen)
            if k == 4:
                if left == 0 and self.reach[3][chosen[3][1], chosen[0][0]]:
                    yield chosen
                return
            for cost, u, v in self.corners[k]:
                # The corners are sorted by cost, so all later ones fail as well.
                if left - cost < sum(least[k + 1 :]):
                    return
                if k == 0 or self.reach[k - 1][chosen[-1][1], u]:
                    yield from more((*chosen, (u, v)), left - cost)

        yield from itertools.islice(more((), value), MAX_CHOICES)
