"""The other junction of Figure 8: 6×6 cells, the same in both corners, once reflected over the line x = y.

The two paths end at the quartet at (4, 4), which that line cuts in half. So the reflection fits in the same place, with
a vertical matching for a horizontal one. The place of the first diagonal determines the number of diagonals: one of
four constants at the bottom left, the least at the top right. The quartet first fills what is *beside* the junction, up
to the end of the first heel, and, when it returns, what is *above* it.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from heuristics.papers.taming.formation.construct import Circuit, one_cycle
from heuristics.papers.taming.formation.gadgets import Junction, joins, load, read_paths, transitions
from heuristics.papers.taming.formation.layout import Layout, Transition, formation_gadgets, layout
from heuristics.papers.taming.formation.quartet import FormationGadget, Point, march, plus

PLACE = Point(4, 4)
SIDE = 6
MIN_CONSTANT = 6
"""The least constant of a first diagonal: it begins at the junction's own quartet."""


def side_region(constant: int) -> frozenset[Point]:
    """The cells beside the junction: from the first diagonal down, with the first heel."""
    x = 2 * (constant - 2)
    cells = {Point(a + i, y) for a in range(PLACE.x, x, 2) for i in (0, 1) for y in range(constant - a // 2 + 2)}
    cells |= {Point(x + c.x, 2 + c.y) for path in formation_gadgets()["heel"].paths for c in path}
    return frozenset(c for c in cells if c.x >= SIDE or c.y >= SIDE)


def above_region(constant: int) -> frozenset[Point]:
    """The cells above the junction, between the second diagonal and the third."""
    return frozenset(
        Point(x, y)
        for x, top in ((0, constant + 6), (1, constant + 6), (2, constant + 3), (3, constant + 3))
        for y in range(SIDE, top)
    )


@cache
def square_junctions() -> dict[str, Junction]:
    """The junction and its reflection by matching.

    Raises
    ------
    ValueError
        If it does not fill its square, or joins other ends.
    """
    paths = read_paths(load("square")["junction"]["paths"])
    cells = [cell for path in paths for cell in path]
    if not joins(paths, PLACE, "H"):
        raise ValueError("square junction: it joins other ends")
    if len(cells) != SIDE * SIDE or set(cells) != {Point(x, y) for x in range(SIDE) for y in range(SIDE)}:
        raise ValueError("square junction: it does not fill its square")
    reflected = tuple(tuple(Point(c.y, c.x) for c in path) for path in paths)
    return {"H": Junction(PLACE, "H", paths), "V": Junction(PLACE, "V", reflected)}


@cache
def square_gadgets(constant: int) -> tuple[FormationGadget, FormationGadget]:
    """The gadgets of the quartet beside and above a junction."""
    data = load("square")
    beside = march(data[f"beside {constant}"]["word"], f"beside {constant}")
    above = march(data[f"above {constant}"]["word"], f"above {constant}")
    for gadget, region, at in (
        (beside, side_region(constant), PLACE),
        (above, above_region(constant), Point(4, constant)),
    ):
        cells = [plus(at, cell) for path in gadget.paths for cell in path[1:]]
        if len(set(cells)) < len(cells) or set(cells) != region:
            raise ValueError(f"gadget {gadget.name}: it does not cover its region")
    return beside, above


def square_circuit(width: int, height: int, style: str) -> Circuit:
    """The tour of a board of even width between two junctions of 6×6 cells.

    Raises
    ------
    ValueError
        If the board is too small.
    """
    low = MIN_CONSTANT + (width // 2 + height - 3 - 2 * MIN_CONSTANT) % 4
    base = layout(width, height, low, MIN_CONSTANT, transitions(style))
    # The special transitions stand for a heel and an edge at either end, which must be there
    names = [t.gadget.name for t in base.transitions]
    if len(names) < 4 or [*names[:2], *names[-2:]] != ["heel", "edge", "edge", "heel"]:
        raise ValueError(f"{width}x{height} is too small for square junctions")
    first, second = square_gadgets(low)
    last, before = square_gadgets(MIN_CONSTANT)

    def turned(gadget: FormationGadget, at: Point) -> Transition:
        out = plus(at, gadget.exit)
        return Transition(gadget.rotate180(), Point(width - 2 - out.x, height - 2 - out.y))

    ordered = (
        Transition(first, PLACE),
        Transition(second, Point(4, low)),
        *base.transitions[2:-2],
        turned(before, Point(4, MIN_CONSTANT)),
        turned(last, PLACE),
    )
    finish = Point(width - 2 - PLACE.x, height - 2 - PLACE.y)
    plan: Layout = replace(base, transitions=ordered, ends=(PLACE, finish))
    plan.runs()
    js = square_junctions()
    return one_cycle(plan, js, js["V"])
