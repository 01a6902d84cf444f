"""Seeds of octant families made better: each part that does not repeat is annealed, whatever cycles come of it.

Then the cycles are merged.  A part at a corner has to join the same lines within a cut and farther out, as every board
of the family does; that is looked at before another part is annealed.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

import numpy as np
from scipy.ndimage import label

from benchmarks.few_crossings.octants import free_moves, moves_of
from benchmarks.few_crossings.regimes import Cell, Move
from benchmarks.few_crossings.smaller import annealed, fewest, merged
from kt_models import graph_of
from kt_models.certificates.families.codes import count
from kt_models.certificates.families.octant_data import DIAGONAL, Octants

CUT = 28
"""A cut around a corner, in numbers of lines, that holds the block there."""
TRIES = 6
"""Of merging."""
MOST = 400
"""Cells of a part that is annealed; the centre has more, as all of the middle columns are on every board."""


def parts_of(family: Octants) -> list[set[Cell]]:
    """The cells that are on every board once and in one place, in parts that touch; those of the centre left out."""
    graph = graph_of("{}x{}".format(*family.codes.shape))
    free = np.zeros(graph.n, dtype=np.bool_)
    free[graph.ends[free_moves(family, graph)]] = True
    numbers, many = label(free.reshape(family.codes.shape), structure=np.ones((3, 3)))
    parts = ({(x, y) for x, y in np.argwhere(numbers == k).tolist()} for k in range(1, many + 1))
    return [part for part in parts if len(part) <= MOST]


def anew(family: Octants, seed: int = 0) -> Octants:
    """The family with fewer crossings, its parts annealed and its cycles merged; as it was if that comes to nothing.

    Where the cycles of some boards cannot be merged, the last part that was annealed is given up, and so on.
    """
    found = [family]
    for part in parts_of(family):
        other = replace(found[-1], codes=annealed(found[-1].codes, part, seed))
        if count(other.codes, "crossings") < count(found[-1].codes, "crossings") and stays(other):
            found.append(other)
    ways = (merged(other, seed, TRIES) for other in reversed(found[1:]))
    return fewest([family, next(filter(None, ways), None)]) or family


def stays(family: Octants) -> bool:
    """Whether a family joins the same lines around each corner with a step more."""
    codes = family.board_codes(family.most[0] - 1)
    moves, size = moves_of(codes), (codes.shape[0] - family.odd, codes.shape[1])
    for turn in range(4):
        if not repeats(moves, family.step):
            return False
        far = size[turn % 2] - 1
        moves = {((y, far - x), (v, far - u)) for (x, y), (u, v) in moves}
    return True


def repeats(moves: set[Move], step: int) -> bool:
    """Whether moves join the same lines around the corner at the bottom left within a cut and `step` lines farther."""
    beside: dict[Cell, list[Cell]] = defaultdict(list)
    for a, b in moves:
        beside[a].append(b)
        beside[b].append(a)

    def joined(t: int, by: int) -> set[frozenset[tuple[Cell, ...]]]:
        def inner(cell: Cell) -> bool:
            return max(2 * cell[1] - cell[0], 2 * cell[0] - cell[1]) < t

        def farther(cells: tuple[Cell, Cell]) -> tuple[Cell, ...]:
            (x, y), k = cells[0], by // 2
            dx, dy = (by, by) if abs(x - y) <= DIAGONAL else (k, 0) if y < x else (0, k)
            return tuple((u + dx, v + dy) for u, v in cells)

        found = set()
        for start in filter(inner, beside):
            for outer in beside[start]:
                if inner(outer):
                    continue
                before, at = outer, start
                while inner(at):
                    before, at = at, next(cell for cell in beside[at] if cell != before)
                found.add(frozenset((farther((start, outer)), farther((before, at)))))
        return found

    return joined(CUT, step) == joined(CUT + step, 0)
