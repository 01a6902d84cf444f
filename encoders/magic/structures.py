"""Symmetries of the numbers that published tours have, and that the search assumes in turn.

If a reflection maps each number k to n + 1 - k, the rows that it maps to themselves have the same sum. Many magic tours
of kings and of two-pattern leapers are found with such a reflection, and another one half a tour later. A structure
that a task cannot have is left out here as far as the edges of the graph show; the solver refutes others quickly.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from kt_models.board import Board
from kt_models.problem import Problem
from kt_models.symmetry import Symmetry

if TYPE_CHECKING:
    from encoders.magic.task import MagicTask


@dataclass(frozen=True)
class NumberSymmetry:
    """The cell of the number k, from 0, is mapped to that of `factor` k + `shift`, modulo the number of cells.

    Parameters
    ----------
    factor
        1, or -1 if the tour is reversed.
    """

    board: Board
    symmetry: Symmetry
    factor: int
    shift: int

    @cached_property
    def image(self) -> list[int]:
        """The image of each cell."""
        image: list[int] = self.symmetry.permutation(self.board).tolist()
        return image

    def number(self, k: int) -> int:
        """The number of the image of the cell with a number."""
        return (self.factor * k + self.shift) % self.board.n

    def fits(self, problem: Problem) -> bool:
        """Whether no cell is its own image, and the middle of a reversed tour can be a move between images."""
        if any(self.image[v] == v for v in range(self.board.n)):
            return False
        if self.factor == 1:
            return problem.closed
        # An open tour is reversed as a whole: the image of its first cell is the last.
        if not problem.closed and self.shift != self.board.n - 1:
            return False
        ends = (pair for e, pair in enumerate(problem.graph.ends.tolist()) if e not in problem.forbidden)
        return sum(self.image[u] == v for u, v in ends) > problem.closed


Structure = tuple[NumberSymmetry, ...]


def asked_structure(task: MagicTask) -> Structure:
    """The structure that the symmetry of the problem means: a half turn, or nothing."""
    if not task.problem.symmetry:
        return ()
    n, half_turn = task.board.n, Symmetry.parse("rot180", 2)
    # A half turn maps number k to k + n/2 of a closed tour, and reverses an open one.
    return (NumberSymmetry(task.board, half_turn, *((1, n // 2) if task.problem.closed else (-1, n - 1))),)


def structures(task: MagicTask) -> list[Structure]:
    """Structures to assume, those with most symmetries first."""
    board, n = task.board, task.board.n
    if n % 2:
        return []
    across, up, half_turn = (Symmetry.parse(name, 2) for name in ("mirror-x", "mirror-y", "rot180"))
    kinds = {"reversed": (-1, n - 1), "half": (1, n // 2)} | ({} if n % 4 else {"quarter": (-1, n // 2 - 1)})

    def of(symmetry: Symmetry, kind: str) -> NumberSymmetry:
        return NumberSymmetry(board, symmetry, *kinds[kind])

    some: list[Structure] = []
    if n % 4 == 0 and task.problem.closed:
        some += [(of(across, "reversed"), of(up, "quarter")), (of(across, "quarter"), of(up, "reversed"))]
    some += [(of(half_turn, kind),) for kind in ("half", "reversed")]
    some += [
        (of(mirror, kind),) for mirror in (across, up) for kind in kinds if kind != "quarter" or task.problem.closed
    ]
    return [structure for structure in some if all(part.fits(task.problem) for part in structure)]
