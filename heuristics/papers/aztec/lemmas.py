"""Lemmas 1 to 3 of Davies, Xue and Yerger (Involve 10, 2017), checked by computation for one radius at a time.

The lemmas are about all Aztec diamonds. For one radius each is a finite question, which is answered here from the
board, without the argument of the paper.

1. A closed tour has even length: the moves change colour, so every cycle has even length, that of a part of the board
   too.
2. No dissection into smaller Aztec diamonds: an exact cover problem, searched completely.
3. A quadrant has no closed tour: a certificate. (Nor an open one, beyond radius 1: of its two colours one has too many
   cells.)  And no dissection into four closed tours of the same length where the
   quarter of the cells is odd in number, by 1. Where it is even, which the paper leaves open, four such tours are
   looked for (`four_tours`).

Observations of the paper are measured, too: the degrees of the cells on the border (Lemma 2), and whether the tips of a
quadrant have degree 1 (Lemma 3).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from heuristics.obstruction import find_obstruction
from heuristics.papers.aztec.four_tours import four_equal_tours
from kt_models.board import Board, shifted
from kt_models.errors import CertificateError, KTError, TooLarge
from kt_models.graph import MoveGraph
from kt_models.kernel.certificates import Certificate
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem

MAX_LEMMA_RADIUS = 300
"""The exact cover tries every smaller radius, which takes some seconds at 300."""


@dataclass(frozen=True)
class RadiusLemmas:
    """The findings for one radius.

    Parameters
    ----------
    colours
        Lemma 1: the number of cells of each colour of the chessboard; every move changes the colour.
    placements
        Lemma 2: the number of smaller diamonds that the complete search for a dissection placed before it failed.
    quadrant, quadrant_open
        Lemma 3: certificates that a quadrant has no closed tour, and no open tour either; only the quadrant of radius
        1, a single cell, has an open tour.
    quarter
        Lemma 3: a quarter of the number of cells.
    four_tours
        Four closed tours of equal length that cover the diamond, as cells in the order of the visit, if they were
        found: the half of Lemma 3 that the paper leaves open.
    border_degrees
        The numbers of moves of the cells on the border.
    tip_degree
        The number of moves of the cell at the tip of a quadrant, inside the quadrant.
    """

    radius: int
    colours: tuple[int, int]
    placements: int
    quadrant: Certificate
    quadrant_open: Certificate | None
    quarter: int
    border_degrees: tuple[int, ...]
    tip_degree: int
    four_tours: tuple[tuple[int, ...], ...] | None = None

    @property
    def four_equal_tours(self) -> bool | None:
        """Whether there are four closed tours of equal length: not if that length is odd (Lemma 3); None: unknown."""
        if self.quarter % 2:
            return False
        return None if self.four_tours is None else True

    def to_json(self) -> dict[str, Any]:
        """The findings with their certificates."""
        return {
            "radius": self.radius,
            "colours": list(self.colours),
            "dissection": {"exists": False, "placements": self.placements},
            "quadrant": self.quadrant.to_json(),
            "quadrant_open": self.quadrant_open.to_json() if self.quadrant_open else None,
            "quarter": self.quarter,
            "four_equal_tours": self.four_equal_tours,
            **self._four_tours_to_json(),
            "border_degrees": list(self.border_degrees),
            "tip_degree": self.tip_degree,
        }

    def _four_tours_to_json(self) -> dict[str, Any]:
        """The tours as cells, under the key `four_tours`."""
        if self.four_tours is None:
            return {}
        cells = Board.aztec(self.radius).cells
        return {"four_tours": [cells[list(tour)].tolist() for tour in self.four_tours]}


def check_lemmas(radius: int, limits: Limits = NO_LIMITS) -> RadiusLemmas:
    """Check Lemmas 1, 2 and 3 for the Aztec diamond of a radius.

    Raises
    ------
    CertificateError
        If a lemma does not hold.
    Stopped
        If the limits were reached before the start.
    TooLarge
        Above `MAX_LEMMA_RADIUS`.
    """
    if radius > MAX_LEMMA_RADIUS:
        raise TooLarge(f"the lemmas are checked up to radius {MAX_LEMMA_RADIUS}, not {str(radius)[:20]}")
    limits.check()
    board = Board.aztec(radius)
    graph = MoveGraph.of(board)
    colour = board.cells.sum(axis=1) % 2
    if (colour[graph.tails] == colour[graph.heads]).any():
        raise CertificateError(f"radius {radius}: Lemma 1 fails: a move keeps the colour")
    dissected, placements = dissect(board, [Board.aztec(smaller) for smaller in range(1, radius)])
    if dissected is not None:
        raise CertificateError(f"radius {radius}: Lemma 2 fails: there is a dissection into {len(dissected)} diamonds")
    piece = MoveGraph.of(quadrant(radius))
    closed, opened = find_obstruction(Problem(piece)), find_obstruction(Problem(piece, "path"))
    if closed is None or (opened is None and radius > 1):
        raise CertificateError(f"radius {radius}: Lemma 3: no certificate that a quadrant has no tour was found")
    degrees = np.unique(graph.degrees[board.grid[border(board.grid >= 0)]])
    tip = piece.board.number((0, radius - 1)) if piece.board else 0
    white = int((colour == 0).sum())
    tours = four_equal_tours(radius, limits)
    return RadiusLemmas(
        radius,
        (white, board.n - white),
        placements,
        closed,
        opened,
        board.n // 4,
        tuple(degrees.tolist()),
        int(piece.degrees[tip]),
        None if tours is None else tuple(map(tuple, tours)),
    )


def quadrant(radius: int) -> Board:
    """The cells of an Aztec diamond whose centres lie in the first quadrant: a staircase of n(n+1)/2 cells."""
    if radius < 1:
        raise KTError(f"quadrant of aztec:{radius}: the radius is at least 1")
    return Board.from_cells(np.argwhere(np.add.outer(np.arange(radius), np.arange(radius)) < radius))


def border(mask: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """The cells with a side that no other cell shares (Lemma 2)."""
    inner = mask.copy()
    for offset in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        inner &= shifted(mask, offset, (False, False), False)
    return mask & ~inner


def dissect(board: Board, pieces: list[Board]) -> tuple[list[tuple[int, tuple[int, int]]] | None, int]:
    """Cover a plane board exactly by shifted copies of pieces, each used any number of times; the search is complete.

    The least uncovered cell (by x first) must be the least cell of the piece that covers it. So each piece can cover it
    in one way only.

    Returns
    -------
    dissection
        For each placed piece its index and its shift; None if there is no dissection.
    placements
        Number of pieces placed during the search.
    """
    free = np.pad(board.grid >= 0, ((0, max((p.shape[0] for p in pieces), default=0)),) * 2)
    masks = [piece.grid >= 0 for piece in pieces]
    anchors = [piece.cells[0] for piece in pieces]
    down: list[tuple[int, tuple[int, int]]] = []
    placements, begin = 0, 0  # `begin`: the piece to try next
    while free.any():
        x, y = (int(c) for c in np.unravel_index(int(np.argmax(free)), free.shape))
        for index in range(begin, len(pieces)):
            left, low = x - int(anchors[index][0]), y - int(anchors[index][1])
            mask = masks[index]
            if left < 0 or low < 0:
                continue
            window = free[left : left + mask.shape[0], low : low + mask.shape[1]]
            if window.shape == mask.shape and not (mask & ~window).any():
                window &= ~mask
                down.append((index, (left, low)))
                placements, begin = placements + 1, 0
                break
        else:
            if not down:
                return None, placements
            index, (left, low) = down.pop()
            free[left : left + masks[index].shape[0], low : low + masks[index].shape[1]] |= masks[index]
            begin = index + 1
    return down, placements
