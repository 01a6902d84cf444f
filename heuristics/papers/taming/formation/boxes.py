"""Boxes in three and more dimensions, level by level (Besa et al. 2022, section 5.1).

A plane layout is walked on every level, rotated by 180° on every other one. Only the first level has the bottom left
junction and only the last the one at the top right. Elsewhere the quartet fills the corner on four paths, and goes to
the next level by a move that shifts it by two cells in the plane and by one level. Levels are the cells of all other
axes, in an order that changes one coordinate by 1 at a time.
"""

from __future__ import annotations

from functools import cache
from math import prod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from heuristics.papers.taming.formation.construct import Section, Tracks, sections, write_tracks
from heuristics.papers.taming.formation.gadgets import junctions, load, read_gadget
from heuristics.papers.taming.formation.layout import Layout
from heuristics.papers.taming.formation.quartet import FormationGadget, Point, plus
from kt_models.kernel.certificates.integers import Ints


@cache
def level_gadgets() -> dict[tuple[str, int], FormationGadget]:
    """The gadgets from the diagonal into the corner, by `first` or `last` and height."""
    gadgets = {}
    for key, data in load("levels").items():
        name, height = key.split()
        gadgets[name, int(height)] = read_gadget(key, data)
    return gadgets


def snake(shape: tuple[int, ...]) -> Ints:
    """The cells of a box in an order in which one coordinate changes by 1 at a time, shape (cells, dimension)."""
    cells = np.zeros((1, 0), dtype=np.int64)
    # The cells so far are walked alternately forwards and backwards, once for each value of the next coordinate.
    for side in shape:
        parts = [
            np.hstack([cells if value % 2 == 0 else cells[::-1], np.full((len(cells), 1), value)])
            for value in range(side)
        ]
        cells = np.concatenate(parts)
    return cells


class BoxWalk(NamedTuple):
    """A tour of a box in sections, and where a level is entered and left: the cells of the gadget, and the quartet.

    The cells of the gadgets are those of a level that is not rotated. Only the first level is not entered, and only the
    last one is not left.
    """

    sections: tuple[Section, ...]
    numbers: tuple[Ints, ...]
    entry: tuple[Ints, Point]
    leave: tuple[Ints, Point]

    def corners(self, level: int, levels: int) -> list[tuple[Ints, Point, bool]]:
        """The gadgets on a level: cells, quartet, and whether the level is left there."""
        entry = [(*self.entry, False)] if level > 0 else []
        return entry + ([(*self.leave, True)] if level < levels - 1 else [])

    def junction(self, corner: str, shape: tuple[int, ...]) -> Ints:
        """The cells of the junction `low` or `high` of a box with these sides."""
        chosen = [n for section, n in zip(self.sections, self.numbers, strict=True) if section.corner == corner]
        return np.stack(np.unravel_index(np.concatenate(chosen), shape), axis=1)


def box_order(plan: Layout, style: str, others: tuple[int, ...]) -> npt.NDArray[np.int32]:
    """The order of a tour of the box whose axes are x, y of the layout, then the others.

    Returns
    -------
    array
        Cell numbers as of a box of shape (width, height, *others).
    """
    return np.concatenate(box_walk(plan, style, others).numbers).astype(np.int32)


def box_walk(plan: Layout, style: str, others: tuple[int, ...]) -> BoxWalk:
    """The tour of `box_order` in sections, each with the numbers of its cells."""
    levels = snake(others)
    depth = prod(others)
    strides = np.array([plan.height * depth, depth])
    weights = np.array([prod(others[i + 1 :]) for i in range(len(others))], dtype=np.int64)
    bases = levels @ weights
    entry, leave = _corners(plan)
    first, through, last = _templates(plan, entry, leave)
    pieces: list[list[Ints]] = [[] for _ in range(4)]
    where = list(range(4))
    for number, base in enumerate(bases.tolist()):
        template = first if number == 0 else last if number == depth - 1 else through
        for knight in range(4):
            cells, end = template[where[knight]]
            if number % 2:
                cells = np.array([plan.width - 1, plan.height - 1]) - cells
            pieces[knight].append(cells @ strides + base)
            where[knight] = 3 - end  # In the view of the next level, which is rotated.
    ends = [3 - position for position in where]
    tracks = [np.concatenate(parts) for parts in pieces]
    js = junctions(style)
    top_right = js[plan.high, "V"]
    for matching in ("H", "V"):
        sizes = [len(track) for track in tracks]
        try:
            cycle = sections(ends, sizes, js[plan.low, matching], top_right, plan.width, plan.height)
            break
        except ValueError:
            if matching == "V":
                raise
    written = []
    for section in cycle:
        if section.corner:
            cells = np.array(section.cells)
            if section.corner == "high" and depth % 2 == 0:
                cells = np.array([plan.width - 1, plan.height - 1]) - cells
            written.append(cells @ strides + int(bases[0 if section.corner == "low" else -1]))
        else:
            written.append(tracks[section.track] if section.forward else tracks[section.track][::-1])
    return BoxWalk(cycle, tuple(written), _placed(*entry, entry[1]), _placed(*leave, plus(leave[1], leave[0].exit)))


def _corners(plan: Layout) -> tuple[tuple[FormationGadget, Point], tuple[FormationGadget, Point]]:
    """The gadgets into a level and out of it, each with the place of the quartet that enters it."""
    gadgets = level_gadgets()
    arrive = gadgets["first", plan.low].reversed()
    leave = gadgets["last", plan.high].reversed().rotate180()
    return (arrive, Point(plan.start.x - arrive.exit.x, plan.start.y - arrive.exit.y)), (leave, plan.finish)


def _placed(gadget: FormationGadget, at: Point, quartet: Point) -> tuple[Ints, Point]:
    return np.array([plus(at, cell) for path in gadget.paths for cell in path]), quartet


LevelRoutes = list[tuple[Ints, int]]
"""For each position at which a level is entered: the cells in order, shape (cells, 2), and the position at the end."""


def _templates(
    plan: Layout, into: tuple[FormationGadget, Point], out: tuple[FormationGadget, Point]
) -> tuple[LevelRoutes, LevelRoutes, LevelRoutes]:
    """The first level, one in between, the last one."""
    tracks = Tracks.of(plan)
    sizes = tracks.sizes
    begin = np.array([sum(sizes[:t]) for t in range(4)], dtype=np.int64)
    order = np.empty(sum(sizes), dtype=np.int32)
    write_tracks(tracks, order, begin, np.ones(4, dtype=np.int64), (plan.height, 1), 0)
    middle = [
        np.stack(np.divmod(order[b : b + n].astype(np.int64), plan.height), axis=1)
        for b, n in zip(begin, sizes, strict=True)
    ]
    (arrive, entry), (leave, _) = into, out
    first: LevelRoutes = []
    through: LevelRoutes = []
    last: LevelRoutes = []
    for position in range(4):
        cells, end = middle[position], tracks.ends[position]
        tail = np.array(leave.paths[end][1:]).reshape(-1, 2) + np.array(plan.finish)
        first.append((np.concatenate([cells, tail]), leave.permutation[end]))
    for position in range(4):
        head = np.array(arrive.paths[position][:-1]).reshape(-1, 2) + np.array(entry)
        at = arrive.permutation[position]
        through.append((np.concatenate([head, first[at][0]]), first[at][1]))
        last.append((np.concatenate([head, middle[at]]), tracks.ends[at]))
    return first, through, last
