"""Octant families: what of a seed does not repeat, and how cycles in it are merged.

A part at a corner has to join the same lines within a cut and farther out, as every board of the family does.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from functools import partial

import numpy as np
from scipy.ndimage import label

from heuristics.constructions.strands.walk import cycle_of
from kt_models import MoveGraph
from kt_models.errors import CertificateError
from research.few_crossings.blocks import Chosen, annealed, board, cost, fixed_moves, merged
from research.few_crossings.regimes import Cell, Move
from theorems.growing_tours.codes import Codes
from theorems.growing_tours.octant_data import DIAGONAL, Octants
from theorems.growing_tours.octants import check_one_cycle

CUT = 28
"""A cut around a corner, in numbers of lines, that holds the block there."""
FEW = tuple(itertools.product((-1, 0, 1, 2, 3), (0, 1, 2)))
"""Steps, and steps of the band, to the boards that are looked at first."""
MOST = 400
"""Cells of a part that is annealed; the centre has more, as all of the middle columns are on every board."""


def free_moves(family: Octants, graph: MoveGraph) -> Chosen:
    """The moves of the seed, made or not, that are on every board of the family once and in one place."""
    free, place = np.ones(graph.m, dtype=np.bool_), graph.geometry[0].cells
    for steps, bands in itertools.product((-1, 0, 1, 2), (0, 1, 2) if family.height_zone else (0,)):
        _, u, v = family.places(steps, bands)
        origin = u * family.codes.shape[1] + v
        at = np.zeros((graph.n, 2), dtype=np.int64)
        at[origin.reshape(-1)] = np.argwhere(origin >= 0)
        once = np.bincount(origin.reshape(-1), minlength=graph.n) == 1
        tails, heads = graph.ends.T
        as_before = (at[heads] - at[tails] == place[heads] - place[tails]).all(axis=1)
        free &= once[tails] & once[heads] & as_before
    return free


def parts_of(family: Octants) -> list[set[Cell]]:
    """The cells that are on every board once and in one place, in parts that touch; those of the centre left out."""
    graph = board(*family.codes.shape)
    free = np.zeros(graph.n, dtype=np.bool_)
    free[graph.ends[free_moves(family, graph)]] = True
    numbers, many = label(free.reshape(family.codes.shape), structure=np.ones((3, 3)))
    parts = ({(x, y) for x, y in np.argwhere(numbers == k).tolist()} for k in range(1, many + 1))
    return [part for part in parts if len(part) <= MOST]


def anew(family: Octants, seed: int = 0, tries: int = 1) -> Octants:
    """The family at less cost, its parts annealed and its cycles merged; as it was if that comes to nothing.

    Where the cycles of some boards cannot be merged, the last part that was annealed is given up, and so on.

    Parameters
    ----------
    seed, tries
        Of each part, so many annealings from this seed on.
    """
    found = [family]
    for part in parts_of(family):
        other = part_anew(found[-1], part, range(seed, seed + tries))
        if other is not found[-1]:
            found.append(other)
    whole = (merged_family(other, seed) for other in reversed(found[1:]))
    return fewest(family, next(filter(None, whole), None)) or family


def part_anew(family: Octants, part: set[Cell], seeds: Iterable[int]) -> Octants:
    """The family with a part annealed, by the best of some seeds, whatever cycles come of it; or itself."""
    ways = (replace(family, codes=annealed(family.codes, part, seed)) for seed in seeds)
    dear = cost(family.codes)
    better = [other for other in ways if cost(other.codes) < dear and stays(other)]
    return min(better, key=lambda other: cost(other.codes), default=family)


def fewest(*families: Octants | None) -> Octants | None:
    """The family with the least cost, if there is any."""
    found = [family for family in families if family is not None]
    return min(found, key=lambda family: cost(family.codes), default=None)


def merged_family(family: Octants, seed: int) -> Octants | None:
    """The family with one cycle on each board, by exchanges where nothing repeats; None if it comes to none."""
    free = free_moves(family, board(*family.codes.shape))
    return merged(family.codes, free, partial(_one_cycle, family), seed)


def _one_cycle(family: Octants, codes: Codes) -> Octants | None:
    """The family with another seed, if each of its boards has one cycle."""
    with suppress(CertificateError):
        found = replace(family, codes=codes)
        if all(single(found.board_codes(*steps)) for steps in FEW if family.height_zone or not steps[1]):
            check_one_cycle(found)
            return found
    return None


def single(codes: Codes) -> bool:
    """Whether a table is one cycle."""
    return len(cycle_of(codes)) == codes.size


def stays(family: Octants) -> bool:
    """Whether a family joins the same lines around each corner with a step more."""
    codes = family.board_codes(family.max_steps[0] - 1)
    moves, size = fixed_moves(codes), (codes.shape[0] - family.odd, codes.shape[1])
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
