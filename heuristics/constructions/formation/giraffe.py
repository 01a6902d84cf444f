"""Tours of the (1, 4)-leaper, the giraffe, on boards of 4m by 8l + m + 1 cells (Besa et al. 2022, section 5.4).

Sixteen giraffes in a 4×4 square move as one.  The layout is that of the quartet, twice as large: a diagonal move goes 4
to the right and 1 down, the constant of a diagonal is c on the points (x, c - x/4), the heel is 32 wide.  On boards
of these sizes, and junctions of the right height, heels and edges fit without a special corner; the paper's are 20 wide
and 11 high, for 32k + 20 by 8l + 14.  Every transition exchanges
first with second and third with fourth column; there is an even number of them, so all giraffes arrive as they started.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
import numpy.typing as npt

from heuristics.constructions.formation.gadgets import load, read_paths
from heuristics.constructions.formation.quartet import FormationGadget, Point, march, plus, square

SIDE = 4
HEIGHTS = range(9, 17)
"""Of junctions, one for each remainder modulo 8; the search finds none of 7 and 8."""
ABOVE = 11
"""Rows above the corner that a board has at least."""
HEEL_WIDTH = 32
HEEL = (
    "DDDDDD" + "RRRR" + "UUUUU" + "a" + "DDDD" + "RRRR" + "UUU" + "a" + "DD" + "RRRR" + "U" + "a" + "RRRR" + "UUU" + "b"
)
EDGE = "UUUU"
ROW = 6
"""The row at which a diagonal is left for a heel."""


def giraffe_region(tall: int) -> frozenset[Point]:
    """The cells of a junction of a height: below the first diagonal, left of the first heel."""
    return frozenset(
        Point(x, y) for part in range(tall - ROW) for x in range(4 * part, 4 * part + 4) for y in range(tall - part)
    )


@cache
def giraffe_junctions(tall: int) -> tuple[tuple[tuple[Point, ...], ...], ...]:
    """Of junctions of a height, the eight paths of that at the bottom left, and of the other, as it is when turned.

    Raises
    ------
    ValueError
        If they do not fill the corner, or their matchings do not make one cycle.
    """
    data, region = load("giraffe")[str(tall)], giraffe_region(tall)
    found = tuple(read_paths(data[name]["paths"], (1, 4)) for name in ("bottom left", "top right"))
    ends = {Point(p.x, p.y + tall) for p in square(SIDE)}
    for paths in found:
        inner = [cell for path in paths for cell in path[1:-1]]
        if len(inner) != len(region) or set(inner) != region:
            raise ValueError("giraffe junction: it does not fill its corner")
        if {cell for path in paths for cell in (path[0], path[-1])} != ends or len(paths) != 8:
            raise ValueError("giraffe junction: it does not end at the formation")
    return found


def giraffe_height(width: int, height: int) -> int | None:
    """The height of the junctions on this board; None if the construction does not serve it.

    The last heel ends at the edge, and an even number of diagonals lies between two junctions of that height.
    """
    tall = HEIGHTS.start + (width // 4 + ROW - HEIGHTS.start) % 8
    fits = width % 4 == 0 and width >= 4 * (tall - ROW) + HEEL_WIDTH
    return tall if fits and height % 8 == (tall + 3) % 8 and height >= tall + ABOVE else None


def giraffe_transitions(width: int, height: int, tall: int) -> list[tuple[FormationGadget, Point]]:
    """The transitions in order, each with the place at which the formation enters it."""
    heel, edge = march(HEEL, "heel", SIDE), march(EDGE, "edge", SIDE)
    pairs = ((width - 4) // 4 + height - 4 - 2 * tall) // 8
    lower: list[tuple[FormationGadget, Point]] = []
    for number in range(pairs):
        c = tall + 8 * number
        x = 4 * (c - ROW)
        at_heel = x + HEEL_WIDTH <= width
        lower.append((heel, Point(x, ROW)) if at_heel else (edge, Point(width - 4, c - (width - 4) // 4)))
    upper = []
    for gadget, at in reversed(lower):
        end = plus(at, gadget.exit)
        upper.append((gadget.rotate180(), Point(width - 4 - end.x, height - 4 - end.y)))
    return [part for pair in zip(lower, upper, strict=True) for part in pair]


def giraffe_order(width: int, height: int) -> npt.NDArray[np.int32]:
    """The numbers of the cells in the order of the tour.

    Raises
    ------
    ValueError
        If the board is not one of those served.
    """
    tall = giraffe_height(width, height)
    if tall is None:
        raise ValueError(f"{width}x{height} is not 4m by 8l + m + 1, or too small")
    positions = square(SIDE)
    stand = np.array([p.x * height + p.y for p in positions])
    place = Point(0, tall)
    pieces = [[np.array([place.x * height + place.y + stand[p]])] for p in range(len(positions))]
    where = list(range(len(positions)))
    transitions = giraffe_transitions(width, height, tall)
    tables: dict[int, list[npt.NDArray[np.int64]]] = {}
    finish = Point(width - 4, height - 4 - tall)
    for number in range(len(transitions) + 1):
        entry = transitions[number][1] if number < len(transitions) else finish
        down = 1 if number % 2 == 0 else -1
        run = np.arange(1, (entry.x - place.x) // 4 * down + 1) * (4 * height - 1) * down
        for track, position in enumerate(where):
            pieces[track].append(run + (place.x * height + place.y + stand[position]))
        if number == len(transitions):
            break
        gadget = transitions[number][0]
        if id(gadget) not in tables:
            tables[id(gadget)] = [np.array([c.x * height + c.y for c in path[1:]]) for path in gadget.paths]
        for track, position in enumerate(where):
            pieces[track].append(tables[id(gadget)][position] + (entry.x * height + entry.y))
        where = [gadget.permutation[position] for position in where]
        place = plus(entry, gadget.exit)
    tracks = [np.concatenate(parts) for parts in pieces]
    return _closed(tracks, where, width, height, tall)


def _closed(
    tracks: Sequence[npt.NDArray[np.int64]], ends: Sequence[int], width: int, height: int, tall: int
) -> npt.NDArray[np.int32]:
    """The tracks joined by the two junctions."""
    low, high = giraffe_junctions(tall)

    positions = square(SIDE)

    def joints(paths: Sequence[Sequence[Point]]) -> dict[int, tuple[npt.NDArray[np.int64], int]]:
        found = {}
        for path in (*paths, *(p[::-1] for p in paths)):
            a, b = (positions.index(Point(cell.x, cell.y - tall)) for cell in (path[0], path[-1]))
            found[a] = np.array([c.x * height + c.y for c in path[1:-1]], dtype=np.int64), b
        return found

    at_start, at_end = joints(low), joints(high)
    last = width * height - 1
    begin = {position: track for track, position in enumerate(ends)}
    order, track = [], 0
    while True:
        order.append(tracks[track])
        inner, other = at_end[15 - ends[track]]  # the junction is given as turned by 180°
        order.append(last - inner)
        back = begin[15 - other]
        order.append(tracks[back][::-1])
        inner, track = at_start[back]
        order.append(inner)
        if track == 0:
            break
    found = np.concatenate(order).astype(np.int32)
    if len(found) != width * height:
        raise ValueError("the two giraffe junctions do not make one cycle")
    return found
