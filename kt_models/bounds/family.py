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

The file
--------
`denominator` d divides all the numbers a.  `claim` says, with fractions as [numerator, denominator]: in every tour of
`leaper` on a w x h board, w and h at least `least_side`, there are at least

    slope * (w + h) - constant - per_end * (ends of the tour: 0 if closed, 2 if open)    turns.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from kt_models.errors import CertificateError, KTError
from kt_models.graph import Leaper
from kt_models.problem import Problem

FORMAT_VERSION = 1
MAX_REACH = 16
"""Largest reach: checking all boards up to the double of it takes some seconds."""
MAX_ROWS = 2_000
MAX_NUMBER = 2**40

Move = tuple[int, int]
Numbers = dict[tuple[int, int], dict[Move, int]]
"""For each cell the moves that stay on the board and their numbers there, times the denominator."""


@dataclass(frozen=True)
class Family:
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
    def moves(self) -> list[Move]:
        """The moves of the leaper, both ways."""
        half = [(int(dx), int(dy)) for dx, dy in self.leaper.half_moves(2)]
        return half + [(-dx, -dy) for dx, dy in half]


@dataclass(frozen=True)
class Claim:
    """Turns >= slope (w + h) - constant - per_end * ends, for all w, h >= least_side."""

    least_side: int
    slope: Fraction
    constant: Fraction
    per_end: Fraction


# -- what the tables show --------------------------------------------------------------------------------------------


def numbers(family: Family, width: int, height: int) -> Numbers:
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


def value(family: Family, width: int, height: int) -> tuple[int, int]:
    """V and L of a board (see the module), times the denominator, added up cell by cell.

    Raises
    ------
    CertificateError
        If a cell has fewer than two moves: the board has no closed tour, and is too small for this method.
    """
    total, loss = 0, 0
    for at_cell in numbers(family, width, height).values():
        if len(at_cell) < 2:
            raise CertificateError(f"family: the board {width}x{height} is too small")
        straight = [a + at_cell[-dx, -dy] for (dx, dy), a in at_cell.items() if (-dx, -dy) in at_cell]
        first, second = sorted(at_cell.values())[:2]
        # should the two least be opposite moves, a turn is claimed too cheap here, but going straight is cheaper still
        least = min([family.denominator + first + second, *straight])
        total += least
        loss = max(loss, least - first)
    return total, loss


def shown(family: Family, width: int, height: int, ends: int = 0) -> Fraction:
    """The lower bound of the turns on a board of any size, from boards up to (2 R + 1) x (2 R + 1)."""
    full = 2 * family.reach
    w, h = min(width, full), min(height, full)
    total, _ = value(family, w, h)
    wider = value(family, w + 1, h)[0] - total if width > w else 0
    higher = value(family, w, h + 1)[0] - total if height > h else 0
    _, loss = value(family, min(width, full + 1), min(height, full + 1)) if ends else (0, 0)
    return Fraction(total + (width - w) * wider + (height - h) * higher - ends * loss, family.denominator)


def check_family(data: object) -> str:
    """Check the claim of a family certificate, for all boards at once.

    By the module's docstring, with w <= h as the tables are symmetric: if h <= 2 R, the board itself is added up; if
    w <= 2 R < h, then V(w, h) = V(w, 2 R) + (h - 2 R) (V(w, 2 R + 1) - V(w, 2 R)); and if 2 R < w, the two differences
    are those of w = 2 R.  So it is enough that V is as large as claimed for w, h <= 2 R, and that each difference is at
    least the slope.  What the cells of larger boards see is seen on boards up to 2 R x (2 R + 1) or the same turned,
    but for cells R away from all sides, where an end loses nothing.

    Returns
    -------
    str
        The theorem in words.

    Raises
    ------
    CertificateError
        If the tables do not show the claim, or are no tables.
    """
    family, claim = read(data)
    full, scale = 2 * family.reach, family.denominator
    for width in range(min(claim.least_side, full), full + 1):
        total = 0
        for height in range(width, full + 2):
            before = total
            total, loss = value(family, width, height)
            if loss > claim.per_end * scale:
                raise CertificateError(f"family: an end costs {Fraction(loss, scale)} turns on {width}x{height}")
            if height <= full and total < (claim.slope * (width + height) - claim.constant) * scale:
                raise CertificateError(f"family: only {Fraction(total, scale)} turns are shown on {width}x{height}")
        if total - before < claim.slope * scale:
            row = Fraction(total - before, scale)
            raise CertificateError(f"family: only {row} turns per row are shown on boards {width} wide")
    return in_words(family, claim)


def in_words(family: Family, claim: Claim) -> str:
    """The claim of a family certificate."""
    piece = "knight's tour" if family.leaper == Leaper(1, 2) else f"{family.leaper}-leaper's tour"
    opened = claim.constant + 2 * claim.per_end
    return (
        f"every closed {piece} of a board w x h, both at least {claim.least_side}, has at least "
        f"{claim.slope} (w + h) - {claim.constant} turns ({2 * claim.slope} n - {claim.constant} on n x n), "
        f"every open one at least {claim.slope} (w + h) - {opened}"
    )


# -- one board -------------------------------------------------------------------------------------------------------


def family_bound(data: object, width: int, height: int, ends: int = 0) -> int:
    """Fewest turns that a family certificate shows on one board, its claim aside; instant for any size.

    Parameters
    ----------
    data
        The JSON object of the certificate.
    width, height
        Of the board.
    ends
        How many cells have one move instead of two: 0 for a closed tour, 2 for an open one.

    Raises
    ------
    CertificateError
        If the data is no family certificate, or the board is too small.
    """
    bound = shown(read(data)[0], width, height, ends)
    return max(0, -(-bound.numerator // bound.denominator))


def bound(problem: Problem, data: dict[str, Any]) -> int:
    """The bound that a family certificate shows for a problem: turns on a rectangle without holes, any connectivity.

    Raises
    ------
    CertificateError
        If the data is no family certificate, or the problem is none of these.
    """
    graph, (family, _) = problem.graph, read(data)
    board = graph.board
    if problem.objective != "turns" or board is None or board.dimension != 2:
        raise CertificateError("family: this method is for turns on boards in the plane")
    if not board.is_box:
        raise CertificateError("family: this method is for rectangles without holes")
    if graph.leaper != family.leaper:
        raise CertificateError(f"family: the certificate is for the leaper {family.leaper}, not {graph.leaper}")
    width, height = board.shape
    return family_bound(data, width, height, len(problem.terminals) + problem.free_ends)


# -- reading ---------------------------------------------------------------------------------------------------------


def read(data: object) -> tuple[Family, Claim]:
    """The tables and the claim of a JSON object.

    Raises
    ------
    CertificateError
        If a key is missing, of the wrong type, or out of range.
    """
    if not isinstance(data, dict) or data.get("kind") != "family-certificate":
        raise CertificateError("not a family certificate")
    if data.get("version") != FORMAT_VERSION or type(data["version"]) is not int:
        raise CertificateError(f"family: this program reads version {FORMAT_VERSION}")
    claim = data.get("claim")
    if not isinstance(claim, dict) or claim.get("metric") != "turns" or not isinstance(claim.get("leaper"), str):
        raise CertificateError("family: 'claim' is missing, is not on turns, or names no leaper")
    try:
        leaper = Leaper.parse(claim["leaper"])
    except KTError as error:
        raise CertificateError(f"family: {error}") from None
    if leaper.b > MAX_REACH:
        raise CertificateError(f"family: the leaper {leaper} goes farther than {MAX_REACH}")
    family = Family(
        leaper,
        _integer(data.get("denominator"), "denominator", 1, MAX_NUMBER),
        tuple(_rows(data.get("side"), "side", 4)),
        tuple(_rows(data.get("corner"), "corner", 5)),
    )
    legs = {leaper.a, leaper.b}
    for depth, across, inward, _ in family.side:
        if not (depth >= 0 and across >= 0 and inward > 0 and {across, inward} == legs):
            raise CertificateError(f"family: a row of 'side' begins with {[depth, across, inward]}")
    for x, y, dx, dy, _ in family.corner:
        if min(x, y, x + dx, y + dy) < 0 or {abs(dx), abs(dy)} != legs:
            raise CertificateError(f"family: a row of 'corner' begins with {[x, y, dx, dy]}")
    if len({row[:-1] for row in (*family.side, *family.corner)}) < len(family.side) + len(family.corner):
        raise CertificateError("family: a row is given twice")
    if family.reach > MAX_REACH:
        raise CertificateError(f"family: the tables reach {family.reach} cells into the board, over {MAX_REACH}")
    fractions = [_fraction(claim.get(name), name) for name in ("slope", "constant", "per_end")]
    return family, Claim(_integer(claim.get("least_side"), "least_side", 1, MAX_NUMBER), *fractions)


def _integer(number: Any, name: str, least: int, most: int) -> int:
    if type(number) is not int or not least <= number <= most:
        raise CertificateError(f"family: {name!r} is not an integer between {least} and {most}")
    return number


def _fraction(pair: Any, name: str) -> Fraction:
    if not isinstance(pair, list) or len(pair) != 2:
        raise CertificateError(f"family: {name!r} is not [numerator, denominator]")
    return Fraction(_integer(pair[0], name, -MAX_NUMBER, MAX_NUMBER), _integer(pair[1], name, 1, MAX_NUMBER))


def _rows(rows: Any, name: str, width: int) -> Iterator[tuple[int, ...]]:
    if not isinstance(rows, list) or len(rows) > MAX_ROWS:
        raise CertificateError(f"family: {name!r} is not a list of at most {MAX_ROWS:,} rows")
    for row in rows:
        if not isinstance(row, list) or len(row) != width:
            raise CertificateError(f"family: a row of {name!r} is not a list of {width} integers")
        places = (_integer(place, name, -MAX_REACH, MAX_REACH) for place in row[:-1])
        yield (*places, _integer(row[-1], name, -MAX_NUMBER, MAX_NUMBER))
