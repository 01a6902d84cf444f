"""Squares with up to T turns inside: if they are large enough, their excess is at least E.

The excess is at most E - 1, so turns and slack cells are few, and can be in the way of few places. Lemma 31 (tight
quarters) describes the circuit.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import combinations
from math import lcm

from kt_models.errors import CertificateError
from theorems.statement import Boards
from theorems.turns.alternatives import check_any
from theorems.turns.circuits import InteriorSweep, SquareCircuit
from theorems.turns.corner_distances import corner_square, corner_zone, set_span, turn_reach
from theorems.turns.facing import WINDOW_MARGIN, Facing, facing_sum
from theorems.turns.joins import STEEP
from theorems.turns.planes import plane_classes
from theorems.turns.side_walks import WINDOW
from theorems.turns.three_sides import FALLING, SIDE_COLUMNS, FixedWalk, ThreeSides
from theorems.turns.tight_circuits import TightCircuit

JOIN_MARGIN = 8
"""Columns of the bottom on either side of those where lines from the right side end: a line is joined to another so
near."""
END_COLUMNS = 6
"""Columns of the cells outside S from which the outer cells of an end of a line can be seen."""
CORNERS_BESIDE_FACING = (1, 3)
"""Corners at the ends of the strip between facing sides: the top right and the bottom left."""


def corner_distance(rows: int, turns: int) -> int:
    """Distance from the corners beyond which no end of a line has its turn in a corner zone."""
    return rows + corner_zone(turns) + turn_reach(turns)


@dataclass(frozen=True, eq=False)
class LargeSquares:
    """Large squares with at most `turns` turns inside that have less than E under a plane.

    Parameters
    ----------
    circuit
        Circuits round the squares.
    least
        Least side of the squares.
    """

    circuit: SquareCircuit
    least: int
    turns: int

    @cached_property
    def least_excess_of_turn(self) -> int:
        """Least excess of a turn in S."""
        return self.circuit.sweep.least_excess_of_turn(self.circuit.remainder)

    def check_tight_places(self) -> None:
        """Check that every side has tight places.

        Raises
        ------
        CertificateError
            If turns and slack cells may be in the way of all of them.
        """
        circuit = self.circuit
        # Columns of one tight place
        columns = max(side.before + side.after for side in circuit.walks) + circuit.period
        # More turns leave less excess for slack cells, so each number is checked by itself
        for turns in range(self.turns + 1):
            places = self.least - 2 * corner_distance(circuit.sweep.rows, turns) - columns
            self._check_places(places, turns * (columns + END_COLUMNS) + self._max_slack_cells(turns) * columns)

    def check_facing(self) -> None:
        """Check that some facing windows consist of essential nodes.

        Raises
        ------
        CertificateError
            If turns and slack cells may be in the way of all of them.
        """
        circuit, sides = self.circuit, self.circuit.walks[::2]
        before = max(side.before for side in sides)
        columns = before + WINDOW + max(side.after for side in sides)
        places = facing_sum(self.least, circuit.sweep.rows) - 2 * (circuit.sweep.middle_start + before)
        corners = SquareCircuit(
            replace(circuit.sweep, excess=4 * self.least_excess_of_turn),
            circuit.plane,
            circuit.remainder,
            circuit.period,
        ).corner_excesses
        # A set off the plane could lie between two windows
        if columns <= set_span(self.turns):
            raise CertificateError("turns: windows are shorter than sets off the plane")
        for sides_with_turn in (some for number in range(self.turns + 1) for some in combinations(range(4), number)):
            near, least = (
                len({*sides_with_turn} & {*CORNERS_BESIDE_FACING}),
                sum(corners[k] for k in range(4) if k not in sides_with_turn),
            )
            for turns in range(len(sides_with_turn), self.turns + 1):
                left = circuit.sweep.excess - 1 - least - turns * self.least_excess_of_turn
                if left >= 0:
                    by_turns = near * corner_square(turns) + (near + turns - len(sides_with_turn)) * (
                        columns + WINDOW_MARGIN
                    )
                    self._check_places(places, by_turns + left // circuit.least_excess_in_middle * columns)

    def check_three(self, turns: int) -> None:
        """Check that, with this number of turns, the right or left side has rows that go with tight places.

        Checks Lemma 34 (a tight right or left side).

        Raises
        ------
        CertificateError
            If turns and slack cells may be in the way of all of them.
        """
        circuit, rows = self.circuit, SIDE_COLUMNS + 2 * self.circuit.period
        before, after = max(side.before for side in circuit.walks), max(side.after for side in circuit.walks)
        # Lines are steep: two rows of the right side go with one column of the bottom or the top
        beside = corner_distance(circuit.sweep.rows, turns) + JOIN_MARGIN + before + after + circuit.period
        by_spot = rows + 2 * (2 * JOIN_MARGIN + before + after + circuit.period)
        taken = turns * (by_spot + 2 * END_COLUMNS) + self._max_slack_cells(turns) * by_spot
        self._check_places(self.least - 4 * beside - rows, taken // 2)

    def _max_slack_cells(self, turns: int) -> int:
        """Largest number of slack cells beside a number of turns."""
        return (
            self.circuit.sweep.excess - 1 - turns * self.least_excess_of_turn
        ) // self.circuit.least_excess_in_middle

    def _check_places(self, places: int, taken: int) -> None:
        if places <= taken:
            raise CertificateError(f"turns: {self.least}x{self.least} is too small for turns inside")


def check_many(sweep: InteriorSweep, boards: Boards, connected: bool) -> None:
    """Check that no square of a claim has less excess than E, with at most T turns inside.

    Checks Lemma 33 (facing sides with turns).

    Parameters
    ----------
    connected
        Whether the claim is about single cycles only.

    Raises
    ------
    CertificateError
        If some square may have less, or there are too many states.
    """
    # Turns are counted by hand here, so the sweeps see none
    without_turns = replace(sweep, turns=0, known_corner_excesses={})
    for plane, period, remainder in plane_classes(lcm(without_turns.period, 2), boards):
        # A side has the fewest walks where most lines have its direction
        images = plane.images_by_share(remainder, STEEP)
        # Two arguments share the tables of a plane
        squares = {
            image: LargeSquares(SquareCircuit(without_turns, image, remainder, period), boards.least, sweep.turns)
            for image in {plane, *images}
        }
        circuits = {
            image: TightCircuit(square.circuit, without_turns.excess, square.least_excess_of_turn)
            for image, square in squares.items()
        }
        arguments = [partial(_check_round, squares[plane], circuits[plane])]
        if connected:
            facing = [partial(_check_joined, squares[image], boards) for image in images]
            steep = [image for image in images if {image.first, image.second} == {STEEP, FALLING}]
            three = [partial(_check_three, squares[image], circuits[image], boards) for image in steep]
            arguments = [*facing, *arguments, *three]
        check_any(arguments)


def _check_round(squares: LargeSquares, tight: TightCircuit) -> None:
    """Check that every circuit has an excess of at least E."""
    squares.check_tight_places()
    tight.check()


def _check_joined(squares: LargeSquares, boards: Boards) -> None:
    """Check that facing windows of essential nodes always have a pair of lines that both join."""
    circuit = squares.circuit
    facing = Facing(circuit.sweep, circuit.plane, circuit.remainder)
    if facing.apart(boards):
        raise CertificateError("turns: facing sides may have no pair of lines that both join")
    replace(squares, circuit=facing.circuit).check_facing()


def _check_three(squares: LargeSquares, tight: TightCircuit, boards: Boards) -> None:
    """Check that the right side has a cycle, under lines (1, 2) and (1, -2), on all circuits with less than E."""
    circuit = squares.circuit
    squares.check_tight_places()
    TightCircuit(circuit, circuit.sweep.excess - 2 * squares.least_excess_of_turn, 0).check()
    # The circuit check left at most one turn
    for turns in range(2):
        squares.check_three(turns)
    if circuit.plane.half_turn(circuit.remainder) != circuit.plane:
        raise CertificateError("turns: the left side differs from the right one")
    (bottom, right, top, _), period = circuit.walks, circuit.period
    first = circuit.repeat_start % period
    for below, beside, above in tight.left():
        low, high = FixedWalk(bottom, (first, below)), FixedWalk(top, (first, above))
        # The walks depend on n modulo P only, the joins on n modulo 2 P
        for square_remainder in boards.remainders(2 * period):
            if square_remainder % period == circuit.remainder:
                ThreeSides(right, low, high, square_remainder).check((first, beside))
