"""The transitions of the quartet between the diagonals of a board (Besa et al. 2022, Algorithm 1).

The quartet goes down right and up left, in turn, along diagonals D_0, D_1, ..., D_2m. On the diagonal with *constant*
c it stands at the points (x, c - x/2), x even. The constant of D_0 is the height of the junction in the bottom left
corner, that of D_k+1 is 2 greater than that of D_k, and turned by 180° the constant of D_2m is the height of the
junction in the top right corner. So (w/2 + h - 3) - (sum of the two heights) is 4m.

At its lower right end a diagonal is left by a *heel* on the bottom edge, two moves up on the right edge, or what the
corner asks for. The transitions at the upper left end are those of the same board turned by 180°, walked backwards.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from heuristics.papers.taming.formation.quartet import FormationGadget, Point, march, plus

WORDS = {
    "heel": "DDRRUaRRUbb",
    "edge": "UU",
    "corner 2": "DDDRRUUUUb",
    "corner 4": "DDRRUUUb",
    "corner 6": "DDRRUaUUbb",
    "short": "DDRRUaUUbb",
}
"""Transitions in formation, each from the quartet's place on a diagonal (section 3).

`heel` ends one diagonal move later than it has to, so that its 32 cells are those of Figure 11. `corner r` is used
when the last heel ends r columns from the edge; for r = 2 that heel is cut short to `short`, shaped as `corner 6`.
"""


@dataclass(frozen=True)
class Transition:
    """A gadget placed on the board: the quartet enters it at (x, y)."""

    gadget: FormationGadget
    entry: Point

    @property
    def exit(self) -> Point:
        """Where the quartet leaves it."""
        return plus(self.entry, self.gadget.exit)


@dataclass(frozen=True)
class Layout:
    """The way of the quartet over a board of even width.

    Parameters
    ----------
    width, height
        Sides of the board.
    low, high
        Heights of the junctions: the quartet starts at (0, low), and ends at (width - 2, height - 2 - high).
    transitions
        Transitions in the order of the walk; runs of diagonal moves lie before, between and after them.
    ends
        Start and end of the quartet, if they differ from the usual ones.
    side
        Side of the formation: 2, or 4 for giraffes.
    """

    width: int
    height: int
    low: int
    high: int
    transitions: tuple[Transition, ...]
    ends: tuple[Point, Point] | None = None
    side: int = 2

    @property
    def start(self) -> Point:
        return self.ends[0] if self.ends else Point(0, self.low)

    @property
    def finish(self) -> Point:
        side = self.side
        return self.ends[1] if self.ends else Point(self.width - side, self.height - side - self.high)

    def runs(self) -> list[int]:
        """Number of diagonal moves before, between and after the transitions.

        Raises
        ------
        ValueError
            If the transitions overlap: the board is too small.
        """
        ends = [self.start, *(t.exit for t in self.transitions)]
        starts = [*(t.entry for t in self.transitions), self.finish]
        runs = []
        for number, (a, b) in enumerate(zip(ends, starts, strict=True)):
            # Runs go down and up in turn.
            down = 1 if number % 2 == 0 else -1
            length = (b.x - a.x) // self.side * down
            if length < 0 or b != Point(a.x + self.side * length * down, a.y - length * down):
                raise ValueError(f"{self.width}x{self.height} is too small for this layout")
            runs.append(length)
        return runs


def high_of(width: int, height: int, low: int = 5) -> int:
    """The height, 5 to 8, of the junction at the top right, given the one at the bottom left (Algorithm 1)."""
    return 5 + (width // 2 + height - low) % 4


def lower_right(width: int, constant: int, number: int) -> tuple[str, Point]:
    """Name and entry of the transition at the lower right end of D_2·number, where D_0 has the given constant."""
    c = constant + 4 * number
    x = 2 * (c - 2)  # The quartet meets row 2 here.
    left = width - x
    if left >= 8 and left != 10:
        return "heel", Point(x, 2)
    if left == 10:
        return "short", Point(x, 2)
    if left == 6:
        return "corner 6", Point(x, 2)
    if left == 4:
        return "corner 4", Point(x, 2)
    if left == 2:
        return "corner 2", Point(x - 2, 3)
    return "edge", Point(width - 2, c - (width - 2) // 2)


@dataclass(frozen=True)
class Plan:
    """A layout whose transitions are computed on demand, in constant time each."""

    width: int
    height: int
    low: int
    high: int
    gadgets: Mapping[str, FormationGadget]
    upper: Mapping[str, FormationGadget] | None = None

    @cached_property
    def _turned(self) -> dict[str, FormationGadget]:
        return {name: gadget.rotate180() for name, gadget in (self.upper or self.gadgets).items()}

    def gadgets_in_use(self) -> list[FormationGadget]:
        """All gadgets that may occur in a transition."""
        return [*self.gadgets.values(), *self._turned.values()]

    @property
    def start(self) -> Point:
        return Point(0, self.low)

    @property
    def finish(self) -> Point:
        return Point(self.width - 2, self.height - 2 - self.high)

    @property
    def pairs(self) -> int:
        """Half the number of transitions."""
        return (self.width // 2 + self.height - 3 - self.low - self.high) // 4

    def transition(self, number: int) -> Transition:
        """The transition from D_number to the next diagonal."""
        if number % 2 == 0:
            name, at = lower_right(self.width, self.low, number // 2)
            gadget = self.gadgets[name]
            return Transition(gadget, plus(at, gadget.lead))
        name, at = lower_right(self.width, self.high, self.pairs - 1 - number // 2)
        gadget = self._turned[name]
        end = plus(plus(at, gadget.lead), gadget.exit)
        return Transition(gadget, Point(self.width - 2 - end.x, self.height - 2 - end.y))


def layout(
    width: int,
    height: int,
    low: int,
    high: int,
    gadgets: Mapping[str, FormationGadget],
    upper: Mapping[str, FormationGadget] | None = None,
) -> Layout:
    """The layout of a board of even width between junctions of the given heights.

    `upper` are the gadgets for the upper left ends, as rotated by 180°, if they differ.

    Raises
    ------
    ValueError
        If these heights do not fit the board.
    """
    # The number of diagonals between the two junctions must be a multiple of four: half of it transitions.
    between = width // 2 + height - 3 - low - high
    if between % 4 or between < 0:
        raise ValueError(f"junctions of heights {low} and {high} do not fit {width}x{height}")
    plan = Plan(width, height, low, high, gadgets, upper)
    return Layout(width, height, low, high, tuple(plan.transition(k) for k in range(between // 2)))


def formation_gadgets() -> dict[str, FormationGadget]:
    """The transitions in formation."""
    return {name: march(word, name) for name, word in WORDS.items()}
