"""Formation tours of boards with two odd sides less a corner, and symmetric ones of squares of side 4k + 2.

A (w - 1) × h layout gets one more column on its left, without the bottom cell: the transitions at the left edge, the
top left corner and the bottom left junction are others (Besa et al. 2022, section 5.2). Four such tours are joined
about the missing cells (section 5.3).
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from heuristics.papers.taming.formation.construct import Circuit, one_cycle
from heuristics.papers.taming.formation.gadgets import (
    Junction,
    junctions,
    load,
    metric_of,
    read_gadget,
    read_junction,
    transitions,
)
from heuristics.papers.taming.formation.layout import high_of, layout
from heuristics.papers.taming.formation.quartet import FormationGadget
from heuristics.quarters import four_quarters

LOW_HEIGHT = 5
"""Height of the junction at the bottom left."""


@cache
def odd_gadgets(style: str) -> tuple[dict[str, FormationGadget], dict[str, Junction]]:
    """The gadgets for the extra column: transitions by name, and bottom left junctions by matching."""
    data = load("odd")[metric_of(style)]
    gadgets = dict(transitions(style))
    for name in ("edge", "corner 2", "corner 6"):
        gadgets[name] = read_gadget(name, data[name])
    return gadgets, {
        matching: read_junction(f"{LOW_HEIGHT}{matching}", data[f"{LOW_HEIGHT}{matching}"]) for matching in ("H", "V")
    }


def odd_circuit(width: int, height: int, style: str) -> Circuit:
    """The tour of a board of two odd sides without its cell (0, 0), whose column x is column x - 1 of the circuit.

    Raises
    ------
    ValueError
        If the board is too small or a side is even.
    """
    if width % 2 == 0 or height % 2 == 0:
        raise ValueError("both sides have to be odd")
    upper, low = odd_gadgets(style)
    high = high_of(width - 1, height, LOW_HEIGHT)
    plan = layout(width - 1, height, LOW_HEIGHT, high, transitions(style), upper)
    plan.runs()  # Refuses what is too small
    return one_cycle(plan, low, junctions(style)[high, "V"])


def odd_order(width: int, height: int, style: str) -> npt.NDArray[np.int32]:
    """The numbers of the cells of the board `{width}x{height}-a1` in the order of the tour."""
    return odd_circuit(width, height, style).order((height, 1), height - 1)


def symmetric_order(side: int, style: str) -> npt.NDArray[np.int32]:
    """The numbers of the cells of a square board of side 4k + 2 in the order of a tour that a quarter turn preserves.

    Raises
    ------
    ValueError
        If the side is not 4k + 2 or is too small.
    """
    if side % 4 != 2:
        raise ValueError("the side has to be 4k + 2")
    return four_quarters(odd_order(side // 2, side // 2, style), side // 2)
