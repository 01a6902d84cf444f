"""Frames for common searches: the sweep of a formation, a rectangle with a quartet, one period of a side.

A quartet is four knights on a 2x2 square that move as one (`heuristics.papers.taming.formation.quartet`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from heuristics.papers.taming.formation import quartet
from kt_models.cells import Cell
from kt_models.errors import KTError, unknown
from kt_models.gadgets.frame import Frame, Port
from kt_models.gadgets.gadget import Gadget, Path
from kt_models.leaper import KNIGHT, Leaper

STRAIGHT = {"N": (0, 1), "S": (0, -1), "E": (1, 0), "W": (-1, 0)}
HEEL = "a3 S S E E N 2,-1 E E N"
"""The heel of Besa et al. 2022: the moves of Lemma 1, with the only diagonal move with which heels 8 columns apart, and
the diagonals between them, cover everything above the edge."""
GIRAFFE_HEEL = "a7 S S S S S S E E E E N N N N N 4,-1 S S S S E E E E N N N 4,-1 S S E E E E N 4,-1 E E E E N N N"
"""The same for sixteen giraffes (section 5.4), 32 columns apart."""
SIDES = {"bottom": (1, 1), "top": (1, -1), "left": (0, 1), "right": (0, -1)}
"""The axis across the side, and the direction into the board along it."""


def side_of(leaper: Leaper) -> int:
    """Side of a square of pieces that can move straight by one cell: two in a quartet.

    The pieces in the last row jump over the others and land as far ahead as the square is wide, changing places in
    pairs (Besa et al. 2022, section 5.4). If the square is as wide as one leg of the leap, the other leg is the
    distance in a pair.

    Raises
    ------
    KTError
        If there is no such square: a row of b falls into pairs that are a apart only if 2a divides b, and a and b have
        no common divisor but 1.
    """
    if leaper.a != 1 or leaper.b % 2:
        raise KTError(f"leaper {leaper}: only (1, b)-leapers, b even, move straight in a square formation")
    return leaper.b


def quartet_ports(corner: Cell, move: Cell, steps: int = 1, leaves: bool = False, side: int = 2) -> tuple[Port, ...]:
    """Ports of the four cells of a quartet, or of a larger square, with parallel lines outside."""
    x, y = corner
    return tuple(Port((x + p.x, y + p.y), move, steps, leaves) for p in quartet.square(side))


def formation(
    corner: Cell,
    moves: Sequence[Cell],
    line: Cell = (-2, 1),
    steps: int = 1,
    period: Cell = (0, 0),
    line_out: Cell | None = None,
    leaper: Leaper = KNIGHT,
) -> Gadget:
    """The region that a quartet sweeps from `corner` by king-like and knight-like moves.

    Parameters
    ----------
    moves
        Straight moves by one cell, or moves of all pieces at once.
    line, steps
        The move from the start and from the end to the outside, and how often it is made.
    period
        Distance of neighbouring sweeps.
    line_out
        The move from the end to the outside, if it differs.
    leaper
        For another (1, b)-leaper, b² pieces move as one, in a square.

    Raises
    ------
    KTError
        If a move is neither, or the quartet visits a cell twice.
    """
    side = side_of(leaper)
    letters: dict[Cell, str] = {vector: letter for letter, vector in quartet.STRAIGHT.items()}
    letters |= {quartet.widened(vector, side): letter for letter, vector in quartet.DIAGONAL.items()}
    for move in moves:
        if move not in letters:
            raise KTError(
                f"formation move {move[0]},{move[1]}: a formation moves straight by one cell, or by a {leaper} move"
            )
    swept = quartet.march([letters[move] for move in moves], side=side)
    x, y = corner
    paths = [tuple((x + cell.x, y + cell.y) for cell in path) for path in swept.paths]
    # A repeated cell would be visited twice by the tour.
    cells = tuple(cell for path in paths for cell in path)
    if len(set(cells)) < len(cells):
        raise KTError("formation: the quartet visits a cell twice")
    end = x + swept.exit.x, y + swept.exit.y
    ports = quartet_ports(corner, line, steps, side=side)
    ports += quartet_ports(end, line_out or line, steps, leaves=True, side=side)
    out = {port.cell: k for k, port in enumerate(ports) if port.leaves}
    gadget_paths = tuple(Path(path, k, out[path[-1]]) for k, path in enumerate(paths))
    return Gadget(Frame(cells, ports, period, leaper), gadget_paths)


def parse_formation(text: str) -> tuple[Cell, list[Cell]]:
    """Read the bottom left corner and the moves of a text such as `a3 S S E E N 2,-1 E E N`.

    Raises
    ------
    KTError
        If a word is neither a compass letter nor a move.
    """
    from kt_models.cells import parse_cell

    words = text.split()
    if not words:
        raise KTError("write a formation as a cell and moves, such as: a3 S S E E N 2,-1 E E N")
    corner, moves = parse_cell(words[0]), []
    if len(corner) != 2:
        raise KTError(f"cell {words[0]!r}: a formation moves in the plane")
    for word in words[1:]:
        match = re.fullmatch(r"(-?[0-9]{1,4}),(-?[0-9]{1,4})", word)
        if match:
            moves.append((int(match[1]), int(match[2])))
        elif word.upper() in STRAIGHT:
            moves.append(STRAIGHT[word.upper()])
        else:
            raise KTError(f"formation move {word!r}: use N, S, E, W or a knight's move such as 2,-1")
    return (corner[0], corner[1]), moves


def line_ports(cells: Sequence[Cell], direction: Cell, sides: Sequence[str]) -> list[Port]:
    """Ports to parallel lines, wherever one leaves the region by a side beyond which the board continues.

    Parameters
    ----------
    cells
        The region.
    direction
        Direction of the lines.
    sides
        Sides of the region's box beyond which the board continues; at the others it ends.
    """
    if strange := [side for side in sides if side not in SIDES]:
        raise unknown("side", strange[0], SIDES)
    region = set(cells)
    (left, bottom), (right, top) = (tuple(f(c[k] for c in region) for k in (0, 1)) for f in (min, max))
    walls = {"left": (0, left, -1), "right": (0, right, 1), "bottom": (1, bottom, -1), "top": (1, top, 1)}
    closed = [wall for side, wall in walls.items() if side not in sides]
    ports = []
    for cell in sorted(region):
        for sign in (1, -1):
            move = sign * direction[0], sign * direction[1]
            target = cell[0] + move[0], cell[1] + move[1]
            if target not in region and all((target[axis] - at) * way <= 0 for axis, at, way in closed):
                ports.append(Port(cell, move))
    return ports


def strip(side: str, period: int, depth: int, direction: Cell = (-2, 1), leaper: Leaper = KNIGHT) -> Frame:
    """One period of a side of a board whose interior is filled with parallel lines.

    Parameters
    ----------
    side
        `bottom`, `top`, `left` or `right`.
    period
        Period along the side.
    depth
        Rows (columns) at the side in which moves are free.
    direction
        Direction of the interior lines.
    leaper
        The piece.

    Raises
    ------
    KTError
        If these do not define a strip.
    """
    if side not in SIDES:
        raise unknown("side", side, SIDES)
    if sorted(map(abs, direction)) != [leaper.a, leaper.b] or not all(direction):
        raise KTError(f"direction {direction[0]},{direction[1]}: it is not a slanted {leaper} move")
    if not 1 <= period <= 1000 or not leaper.b <= depth <= 1000:
        raise KTError(f"period {period}, depth {depth}: from 1 and from {leaper.b} to 1000")
    axis, inwards = SIDES[side]
    move = direction if direction[axis] * inwards > 0 else (-direction[0], -direction[1])
    across = range(depth)
    cells = [(a, b) if axis else (b, a) for b in across for a in range(period)]
    beyond = [cell for cell in cells if cell[axis] + move[axis] not in across]
    ports = tuple(Port(cell, move) for cell in beyond)
    return Frame(tuple(cells), ports, (period, 0) if axis else (0, period), leaper)
