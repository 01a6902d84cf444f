"""Tours of the (1, 4)-leaper, the giraffe, on boards of 4m by 8l + m + 1 cells (Besa et al. 2022, section 5.4).

Sixteen giraffes in a 4×4 square move as one. The layout is that of the quartet, twice as large: a diagonal move goes 4
to the right and 1 down, the constant of a diagonal is c on the points (x, c - x/4), the heel is 32 wide. On boards
of these sizes, and junctions of the right height, heels and edges fit without a special corner; the paper's are 20 wide
and 11 high, for 32k + 20 by 8l + 14. Every transition exchanges
first with second and third with fourth column; there is an even number of them, so all giraffes arrive as they started.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from heuristics.papers.taming.formation.construct import Circuit
from heuristics.papers.taming.formation.gadgets import Junction, load, read_paths
from heuristics.papers.taming.formation.layout import Layout, Transition
from heuristics.papers.taming.formation.quartet import Point, march, square
from kt_models.leaper import Leaper

GIRAFFE = Leaper(1, 4)
SIDE = 4
HEIGHTS = range(9, 17)
"""Heights of junctions, one for each remainder modulo 8; the search finds none of 7 and 8."""
MIN_ROWS_ABOVE = 11
"""Least number of rows above the corner."""
HEEL_WIDTH = 32
HEEL = (
    "DDDDDD" + "RRRR" + "UUUUU" + "a" + "DDDD" + "RRRR" + "UUU" + "a" + "DD" + "RRRR" + "U" + "a" + "RRRR" + "UUU" + "b"
)
EDGE = "UUUU"
ROW = 6
"""The row at which a heel begins."""


def giraffe_region(tall: int) -> frozenset[Point]:
    """The cells of a junction of a height: below the first diagonal, left of the first heel."""
    return frozenset(
        Point(x, y) for part in range(tall - ROW) for x in range(4 * part, 4 * part + 4) for y in range(tall - part)
    )


@cache
def giraffe_junctions(tall: int) -> tuple[tuple[tuple[Point, ...], ...], ...]:
    """The eight paths of the junctions of a height, at the bottom left and, before rotation, at the top right.

    Raises
    ------
    ValueError
        If they do not fill the corner, or their matchings do not make one cycle.
    """
    data, region = load("giraffe")[str(tall)], giraffe_region(tall)
    pairs = tuple(read_paths(data[name]["paths"], (1, 4)) for name in ("bottom left", "top right"))
    ends = {Point(p.x, p.y + tall) for p in square(SIDE)}
    for paths in pairs:
        inner = [cell for path in paths for cell in path[1:-1]]
        if len(inner) != len(region) or set(inner) != region:
            raise ValueError("giraffe junction: it does not fill its corner")
        if {cell for path in paths for cell in (path[0], path[-1])} != ends or len(paths) != 8:
            raise ValueError("giraffe junction: it does not end at the formation")
    return pairs


def giraffe_height(width: int, height: int) -> int | None:
    """The height of the junctions on this board; None if the construction does not cover it.

    The last heel ends at the edge, and an even number of diagonals lies between two junctions of that height.
    """
    tall = HEIGHTS.start + (width // 4 + ROW - HEIGHTS.start) % 8
    fits = width % 4 == 0 and width >= 4 * (tall - ROW) + HEEL_WIDTH
    return tall if fits and height % 8 == (tall + 3) % 8 and height >= tall + MIN_ROWS_ABOVE else None


def giraffe_transitions(width: int, height: int, tall: int) -> list[Transition]:
    """The transitions in order."""
    heel, edge = march(HEEL, "heel", SIDE), march(EDGE, "edge", SIDE)
    rotated = {gadget.name: gadget.rotate180() for gadget in (heel, edge)}
    pairs = ((width - 4) // 4 + height - 4 - 2 * tall) // 8
    lower = []
    for number in range(pairs):
        c = tall + 8 * number
        x = 4 * (c - ROW)
        at_heel = x + HEEL_WIDTH <= width
        place = Point(x, ROW) if at_heel else Point(width - 4, c - (width - 4) // 4)
        lower.append(Transition(heel if at_heel else edge, place))
    upper = []
    for transition in reversed(lower):
        upper.append(
            Transition(
                rotated[transition.gadget.name], Point(width - 4 - transition.exit.x, height - 4 - transition.exit.y)
            )
        )
    return [part for pair in zip(lower, upper, strict=True) for part in pair]


def giraffe_order(width: int, height: int) -> npt.NDArray[np.int32]:
    """The numbers of the cells in the order of the tour; raises as `giraffe_circuit`."""
    return giraffe_circuit(width, height).order((height, 1))


def giraffe_circuit(width: int, height: int) -> Circuit:
    """The tour of a board.

    Raises
    ------
    ValueError
        If the construction does not cover the board.
    """
    tall = giraffe_height(width, height)
    if tall is None:
        raise ValueError(f"{width}x{height} is not 4m by 8l + m + 1, or too small")
    plan = Layout(width, height, tall, tall, tuple(giraffe_transitions(width, height, tall)), side=SIDE)
    low, high = (Junction(Point(0, tall), "", paths) for paths in giraffe_junctions(tall))
    return Circuit(plan, low, high)
