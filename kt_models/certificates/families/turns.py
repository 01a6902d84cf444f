"""A lower bound on turns for all rectangles at once: one dual solution that repeats along the sides.

Give each move {u, v} a *number* at each of its ends, a at u and -a at v.  Added up over the moves of a closed tour they
cancel.  So the turns of a tour are the sum, over its cells, of

    (1 if the tour turns there, 0 if it goes straight on) + the numbers, at this cell, of the two moves used there,

and are at least V, the sum over all cells of the least that any two moves of the cell can make of this.  An open tour
uses one move only at each of two cells, its ends: it has at least V - 2 L turns, where L is the most, over all cells,
that the least over pairs of moves exceeds the least number of a single move.

The numbers come from two small tables, so that they make sense on every board w x h:

- `side`, rows [depth, across, inward, a]: a move that leads `inward` (> 0) rows into the board, and `across` columns to
  either side, from any cell with `depth` rows between it and the side.  Its number at that cell gets a added (at its
  other end -a).  So for all four sides, wherever both ends are on the board.
- `corner`, rows [x, y, dx, dy, a]: the same for the move (dx, dy) from the cell (x, y), counted from a corner; and for
  its images at all four corners, and with x and y exchanged.

Why finitely many boards show it for all
----------------------------------------
Let the *reach* R exceed every coordinate of both ends of every row (for a side: their depths), and be no less than
the longer leg of the leaper.  Compare boards of height h and widths w >= 2 R.  What a cell sees is which of its moves
stay on the board, and their numbers.

1. A cell in the first R columns sees nothing of the right side: rows of the right side and corners speak of moves that
   begin and end in the last R columns, and a move from the first R columns stays left of column 2 R.  So it sees the
   same for all w.  The same of the last R columns.
2. A cell in a middle column, R <= x < w - R, has no move that leaves the board to the left or right, and is in no row
   of the left and right sides and the corners.  What it sees depends on y only, for all w: one more column, whatever
   w, adds the same.

Hence V(w + 1, h) - V(w, h) is the same for all w >= 2 R, and V(w, h + 1) - V(w, h) for all h >= 2 R; for both at least
2 R the two are equal constants, since a cell R away from all sides has all numbers 0, and adds 0.  Every w x h board
follows from those up to (2 R + 1) x (2 R + 1), where V is added up cell by cell: `value`.  Nothing is assumed of the
tables' origin; wrong numbers only show less.

Ends lose the most that they do on one of these boards or on 2 R x (2 R + 1): of larger boards, what a cell sees is
seen there or on the board turned over, but for cells R away from all sides; there the least pair is a straight one of
numbers 0, and an end loses nothing.

The file
--------
`denominator` d divides all the numbers a.  A claim is about closed or open tours of w x h, both sides at least `least`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from kt_models.certificates.families.statement import Bound, FamilyStatement, claims_of
from kt_models.certificates.integers import integer, integers, rows
from kt_models.errors import CertificateError
from kt_models.leaper import Leaper
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem

KIND = "turns-family"
MAX_REACH = 16
"""Largest reach: checking all boards up to the double of it takes some seconds."""
MAX_ROWS = 2_000
MAX_NUMBER = 2**40

Displacement = tuple[int, int]
Numbers = dict[tuple[int, int], dict[Displacement, int]]
"""For each cell the moves that stay on the board and their numbers there, times the denominator."""


@dataclass(frozen=True)
class TurnFamily:
    """The two tables (see the module)."""

    leaper: Leaper
    denominator: int
    side: tuple[tuple[int, ...], ...]
    corner: tuple[tuple[int, ...], ...]

    @property
    def reach(self) -> int:
        """R: from 2 R on, a longer side of the board only repeats what is there."""
        depths = [depth + inward for depth, _, inward, _ in self.side]
        corners = [max(x, y, x + dx, y + dy) for x, y, dx, dy, _ in self.corner]
        return max(self.leaper.b, 1 + max([*depths, *corners], default=0))

    @property
    def moves(self) -> list[Displacement]:
        """The moves of the leaper, both ways."""
        half = [(int(dx), int(dy)) for dx, dy in self.leaper.half_moves(2)]
        return half + [(-dx, -dy) for dx, dy in half]


# -- what the tables show --------------------------------------------------------------------------------------------


def numbers(family: TurnFamily, width: int, height: int) -> Numbers:
    """The numbers of all moves at both ends on a board, times the denominator."""
    cells = [(x, y) for x in range(width) for y in range(height)]
    result: Numbers = {
        (x, y): {(dx, dy): 0 for dx, dy in family.moves if 0 <= x + dx < width and 0 <= y + dy < height}
        for x, y in cells
    }

    def add(x: int, y: int, dx: int, dy: int, number: int) -> None:
        if (dx, dy) in result.get((x, y), ()):
            result[x, y][dx, dy] += number
            result[x + dx, y + dy][-dx, -dy] -= number

    for depth, across, inward, number in family.side:
        for step in {across, -across}:
            for x in range(width):
                add(x, depth, step, inward, number)
                add(x, height - 1 - depth, step, -inward, number)
            for y in range(height):
                add(depth, y, inward, step, number)
                add(width - 1 - depth, y, -inward, step, number)
    for row in family.corner:
        number = row[4]
        for x, y, dx, dy in (row[:4], (row[1], row[0], row[3], row[2])):
            for x_here, dx_here in ((x, dx), (width - 1 - x, -dx)):
                add(x_here, y, dx_here, dy, number)
                add(x_here, height - 1 - y, dx_here, -dy, number)
    return result


def value(family: TurnFamily, width: int, height: int) -> tuple[int, int]:
    """V and L of a board (see the module), times the denominator, added up cell by cell.

    Raises
    ------
    CertificateError
        If a cell has fewer than two moves: the board has no closed tour, and is too small for this method.
    """
    total, loss = 0, 0
    for at_cell in numbers(family, width, height).values():
        if len(at_cell) < 2:
            raise CertificateError(f"turns: the board {width}x{height} is too small")
        straight = [a + at_cell[-dx, -dy] for (dx, dy), a in at_cell.items() if (-dx, -dy) in at_cell]
        first, second = sorted(at_cell.values())[:2]
        # should the two least be opposite moves, a turn is claimed too cheap here, but going straight is cheaper still
        least = min([family.denominator + first + second, *straight])
        total += least
        loss = max(loss, least - first)
    return total, loss


def turns_at_least(family: TurnFamily, width: int, height: int, ends: int = 0) -> Fraction:
    """The lower bound of the turns on a board of any size, from boards up to (2 R + 1) x (2 R + 1)."""
    full = 2 * family.reach
    w, h = min(width, full), min(height, full)
    total, _ = value(family, w, h)
    wider = value(family, w + 1, h)[0] - total if width > w else 0
    higher = value(family, w, h + 1)[0] - total if height > h else 0
    _, loss = value(family, min(width, full + 1), min(height, full + 1)) if ends else (0, 0)
    return Fraction(total + (width - w) * wider + (height - h) * higher - ends * loss, family.denominator)


def check(data: Any, limits: Limits = NO_LIMITS) -> tuple[FamilyStatement, ...]:
    """Check the claims of a file, each for all its boards at once.

    By the module's docstring, with w <= h as the tables are symmetric: if h <= 2 R, the board itself is added up; if
    w <= 2 R < h, then V(w, h) = V(w, 2 R) + (h - 2 R) (V(w, 2 R + 1) - V(w, 2 R)); and if 2 R < w, the two differences
    are those of w = 2 R.  So it is enough that V, less what ends lose, is as large as claimed for w <= 2 R and h <= 2 R
    + 1, and that each difference is at least the slope.

    Raises
    ------
    CertificateError
        If the tables do not show a claim, or are no tables.
    Stopped
        If the limits do not suffice.
    """
    claims = claims_of(data, KIND)
    for claim in claims:
        family, bound = _read_claim(data, claim)
        full, scale, ends = 2 * family.reach, family.denominator, 0 if claim.closed else 2
        for width in range(min(claim.boards.least, full), full + 1):
            total = 0
            for height in range(width, full + 2):
                limits.check()
                before = total
                total, loss = value(family, width, height)
                if total - ends * loss < bound.at(width + height) * scale:
                    only = Fraction(total - ends * loss, scale)
                    raise CertificateError(f"turns: only {only} turns are shown on {width}x{height}")
            if total - before < bound.slope * scale:
                row = Fraction(total - before, scale)
                raise CertificateError(f"turns: only {row} turns per row are shown on boards {width} wide")
    return claims


# -- one board -------------------------------------------------------------------------------------------------------


def fewest(family: TurnFamily, width: int, height: int, ends: int = 0) -> int:
    """Fewest turns that the tables show on one board; instant for any size.

    Parameters
    ----------
    ends
        How many cells have one move instead of two: 0 for a closed tour, 2 for an open one.

    Raises
    ------
    CertificateError
        If the board is too small.
    """
    bound = turns_at_least(family, width, height, ends)
    return max(0, -(-bound.numerator // bound.denominator))


def bound(problem: Problem, data: dict[str, Any], limits: Limits = NO_LIMITS) -> int:
    """The bound that a file shows for a problem, its claims aside: turns on a rectangle without holes.

    Any connectivity will do, and any ends.

    Raises
    ------
    CertificateError
        If the data is no such file, or the problem is none of these.
    """
    graph = problem.graph
    board = graph.board
    if problem.objective != "turns" or board is None or board.dimension != 2:
        raise CertificateError("turns: this method is for turns on boards in the plane")
    if not board.is_box or graph.leaper is None:
        raise CertificateError("turns: this method is for rectangles without holes")
    limits.check()
    claims = {claim.leaper for claim in claims_of(data, KIND)}
    if claims != {graph.leaper}:
        raise CertificateError(f"turns: the tables are for the leaper {claims.pop()}, not {graph.leaper}")
    width, height = board.shape
    return fewest(read(data, graph.leaper), width, height, len(problem.terminals) + problem.free_ends)


# -- reading ---------------------------------------------------------------------------------------------------------


def _read_claim(data: dict[str, Any], claim: FamilyStatement) -> tuple[TurnFamily, Bound]:
    """The tables, and the bound of a claim on turns of rectangles (of squares: 2 n for w + h)."""
    if claim.boards.shape not in ("rectangles", "squares") or claim.exists or len(claim.bounds) != 1:
        raise CertificateError("turns: a claim is 'at-least' on rectangles or squares")
    bound = claim.bounds[0]
    if bound.metric != "turns":
        raise CertificateError("turns: the claim is on another metric")
    if claim.boards.shape == "squares":
        bound = Bound(bound.relation, bound.metric, bound.slope / 2, bound.constant)
    return read(data, claim.leaper), bound


def read(data: dict[str, Any], leaper: Leaper) -> TurnFamily:
    """The tables of a JSON object, for a leaper.

    Raises
    ------
    CertificateError
        If a key is missing, of the wrong type, or out of range.
    """
    if len(leaper.offsets) != 2 or leaper.b > MAX_REACH:
        raise CertificateError(f"turns: the leaper {leaper} goes farther than {MAX_REACH}, or not in the plane")
    family = TurnFamily(
        leaper,
        integer(data.get("denominator"), "denominator", 1, MAX_NUMBER),
        tuple(_rows(data.get("side"), "side", 4)),
        tuple(_rows(data.get("corner"), "corner", 5)),
    )
    legs = {leaper.a, leaper.b}
    for depth, across, inward, _ in family.side:
        if not (depth >= 0 and across >= 0 and inward > 0 and {across, inward} == legs):
            raise CertificateError(f"turns: a row of 'side' begins with {[depth, across, inward]}")
    for x, y, dx, dy, _ in family.corner:
        if min(x, y, x + dx, y + dy) < 0 or {abs(dx), abs(dy)} != legs:
            raise CertificateError(f"turns: a row of 'corner' begins with {[x, y, dx, dy]}")
    if len({row[:-1] for row in (*family.side, *family.corner)}) < len(family.side) + len(family.corner):
        raise CertificateError("turns: a row is given twice")
    if family.reach > MAX_REACH:
        raise CertificateError(f"turns: the tables reach {family.reach} cells into the board, over {MAX_REACH}")
    return family


def _rows(data: Any, name: str, width: int) -> Iterator[tuple[int, ...]]:
    table = rows(data, f"turns: {name!r}", width)
    if len(table) > MAX_ROWS:
        raise CertificateError(f"turns: {name!r} has more than {MAX_ROWS:,} rows")
    for row in table:
        integers(row[:-1], f"turns: {name!r}", -MAX_REACH, MAX_REACH)
        yield (*row[:-1], integer(row[-1], f"turns: {name!r}", -MAX_NUMBER, MAX_NUMBER))
