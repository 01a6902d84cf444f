"""A lower bound on crossings for all rectangles at once: a belt along the sides, whose sweep becomes stationary.

Lemma 1 (laps) defines V and W, and Lemma 3 (a column that may be repeated) says why finitely many boards are enough. V
is a function of sets of moves near the corner at which laps begin, where all boards look alike. So every board can
begin with the same V, that of two laps of the largest square. Nothing is assumed about it.

The file
--------
`rows` of the belt; `full`; `laps`: if a board shows too little, W replaces V for one more lap, up to this many;
`penalty`: what V is charged for an end of an open tour that was met.

Instead of `laps`, squares with larger sides may have `cuts`: what `corner_cuts` adds to one lap.
In a certificate of one board, `holes` is the number of cells that it lacks.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from math import prod
from typing import Any

from kt_models.cells import Cell
from kt_models.errors import CertificateError
from kt_models.json_values import integer
from kt_models.kernel.certificates import states
from kt_models.kernel.certificates.states import Front
from kt_models.leaper import Leaper
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem
from theorems.crossings import corner_cuts, holes
from theorems.crossings.belts import Belt, BeltSweep, Lap, StationaryBelt, require_known, start_values
from theorems.statement import Bound, FamilyStatement, claims_of, document_of

KIND = "crossings-family"
# The time of a check grows exponentially with the rows, and with the square of `full`.
MAX_ROWS, MAX_FULL, MAX_LAPS, MAX_PENALTY = 3, 40, 4, 100


def computed(
    belt: Belt, width: int, height: int, wanted: Fraction, start: tuple[Front, list[frozenset[Cell]]], memory: Any
) -> tuple[int, int, int]:
    """B(w, h) of a board up to `full`, or the first sufficient value; and the growth with one more column, and row."""
    board = BeltSweep(belt, width, height)
    front, names = start
    if board.names(board.live) != names:
        raise CertificateError("crossings: the moves at the beginning of a lap differ from those on the largest square")
    best = 0, 0, 0
    for _ in range(belt.laps):
        require_known(board, front, memory)
        lap = board.lap(front, memory)
        front = lap.front
        columns, rows = (lap.more[k] + lap.more[k + 2] if lap.more[k] and lap.more[k + 2] else 0 for k in (0, 1))
        if lap.least >= wanted or lap.least <= best[0]:
            return max(best, (lap.least, columns, rows))
        best = lap.least, columns, rows
    return best


def check(data: Any, limits: Limits = NO_LIMITS) -> tuple[FamilyStatement, ...]:
    """Check the claims of a file on crossings, each for all its boards at once (see `proof.md`).

    Raises
    ------
    CertificateError
        If a claim is not shown, or the data are malformed.
    Stopped
        If a limit is reached.
    """
    data = document_of(data, KIND)
    claims = claims_of(data, KIND)
    for claim in claims:
        belt, bound = read(data, claim)
        if "cuts" in data:
            boards = claim.boards
            if boards.shape != "squares" or boards.least < belt.full:
                raise CertificateError(f"crossings: 'cuts' are for squares with sides of at least {belt.full}")
            proved = large_boards(belt, corner_cuts.read(data["cuts"]), limits)
            require_squares(proved, boards.least, bound)
        else:
            _check_rectangles(belt, claim, bound, limits)
    return claims


def _check_rectangles(belt: Belt, claim: FamilyStatement, bound: Bound, limits: Limits) -> None:
    """Check a claim without cuts on all rectangles up to `full`.

    Checks Lemma 5 (large boards from small ones).
    """
    start = start_values(_largest(belt), states.Memory(limits))
    for width in range(claim.boards.least, belt.full + 1):
        memory = states.Memory(limits)
        for height in range(width, belt.full + 1):
            wanted = bound.at(width + height)
            fewest, columns, rows = computed(belt, width, height, wanted, start, memory)
            if fewest < wanted:
                raise CertificateError(f"crossings: only {fewest} are shown on {width}x{height}")
            seen = rows > 0 and (width < height or columns > 0)  # 0 means that no column was found to repeat
            if height == belt.full and not (
                seen and rows >= bound.slope and (width < height or columns >= bound.slope)
            ):
                raise CertificateError(f"crossings: no column of {width}x{height} repeats with the slope")


@dataclass(frozen=True)
class LargeBoards:
    """The bound that a lap and cuts show together, for boards with both sides at least `full`.

    Parameters
    ----------
    full, least
        B(full, full) is `least`.
    slope
        Growth with one more column or row.
    cuts
        The windows.
    """

    full: int
    least: int
    slope: int
    cuts: corner_cuts.CornerCuts

    def at(self, width: int, height: int) -> int:
        """The bound on a board."""
        return self.least + self.slope * (width + height - 2 * self.full) + self.cuts.added(min(width, height))


def large_boards(belt: Belt, cuts: corner_cuts.CornerCuts, limits: Limits) -> LargeBoards:
    """The bound of a file with cuts: one lap around the largest square, and the windows, with the V of this lap.

    Checks Lemma 5 (large boards from small ones).

    Raises
    ------
    CertificateError
        If V is not the same on all four sides, or the windows do not have the excess.
    Stopped
        If a limit is reached.
    """
    lap, latest, _ = windows(belt, cuts, limits)
    return LargeBoards(belt.full, lap.least, 2 * latest.more, cuts)


def windows(belt: Belt, cuts: corner_cuts.CornerCuts, limits: Limits) -> tuple[Lap, StationaryBelt, set[int]]:
    """The lap around the largest square, V in the middle of its sides, and the fluxes of windows without an excess."""
    if not belt.closed or belt.rows > 1:
        raise CertificateError("crossings: 'cuts' need closed tours and a belt of one row")
    lap = _stationary_lap(belt, limits)
    sides = {(side.more, side.front.digest, side.names) for side in lap.stationary if side}
    if None in lap.stationary or len(sides) > 1:
        raise CertificateError("crossings: V is not the same on all four sides")
    latest = max((side for side in lap.stationary if side), key=lambda side: side.first)
    return lap, latest, corner_cuts.check(cuts, belt.leaper, latest, limits)


def _stationary_lap(belt: Belt, limits: Limits) -> Lap:
    """A lap around the largest square, which begins with V; the steps that it was looked up in are forgotten."""
    memory = states.Memory(limits)
    board = _largest(belt)
    front, _ = start_values(board, memory)
    require_known(board, front, memory)
    return board.lap(front, memory)


def _largest(belt: Belt) -> BeltSweep:
    return BeltSweep(belt, belt.full, belt.full)


def require_squares(boards: LargeBoards, least: int, bound: Bound) -> None:
    """Refuse a claim, in terms of w + h, about all squares from a side on that exceeds what is shown.

    Raises
    ------
    CertificateError
        If the claim exceeds it.
    """
    period = 2 * boards.cuts.rows
    end = next(n for n in count(least) if boards.cuts.added(n))  # From there on each period adds the same
    for n in range(least, end + period):
        if boards.at(n, n) < bound.at(2 * n):
            raise CertificateError(f"crossings: only {boards.at(n, n)} are shown on {n}x{n}")
    if boards.at(end + period, end + period) - boards.at(end, end) < 2 * period * bound.slope:
        raise CertificateError("crossings: windows do not add as much as the slope says")


def bound(problem: Problem, data: dict[str, Any], limits: Limits = NO_LIMITS) -> int:
    """The bound on one board, without regard to the claims: seconds for any size.

    Raises
    ------
    CertificateError
        If the data are malformed, or the problem is not about crossings of tours of a rectangle, which may lack cells.
    """
    graph = problem.graph
    board = graph.board
    if problem.objective != "crossings" or board is None or board.dimension != 2 or any(board.wraps):
        raise CertificateError("crossings: this method needs crossings on a rectangle")
    if problem.connectivity not in ("cycle", "path") or graph.leaper is None:
        raise CertificateError("crossings: this method needs closed or open tours")
    belt = _belt(data, graph.leaper, problem.closed)
    width, height = sorted(board.shape)
    if width < belt.least:
        raise CertificateError(f"crossings: this method needs sides of at least {belt.least} cells")
    lacking = prod(board.shape) - board.n
    if integer(data.get("holes", 0), "holes", 0, holes.MAX_HOLES) != lacking:
        raise CertificateError(f"crossings: 'holes' is the number of cells that the board lacks, {lacking:,}")
    if lacking:
        cuts = corner_cuts.read(data["cuts"]) if "cuts" in data else None
        payment = None if cuts is None else (cuts, *windows(belt, cuts, limits)[1:])
        return holes.bound(board, belt, payment, limits)
    if "cuts" in data and width >= belt.full:
        return large_boards(belt, corner_cuts.read(data["cuts"]), limits).at(width, height)
    low, high = min(width, belt.full), min(height, belt.full)
    wanted, memory = Fraction(2**62), states.Memory(limits)  # One memory: a large board is swept as the largest square
    fewest, columns, rows = computed(belt, low, high, wanted, start_values(_largest(belt), memory), memory)
    if (width > low and not columns) or (height > high and not rows):
        raise CertificateError("crossings: no column repeats")
    return fewest + (width - low) * columns + (height - high) * rows


def read(data: dict[str, Any], claim: FamilyStatement) -> tuple[Belt, Bound]:
    """The belt, and the bound of a claim on crossings.

    Raises
    ------
    CertificateError
        If the data are malformed, or this method cannot show the claim.
    """
    bound = claim.half_perimeter_bound("crossings")
    belt = _belt(data, claim.leaper, claim.closed)
    if not belt.least <= claim.boards.least or ("cuts" not in data and claim.boards.least > belt.full):
        raise CertificateError(f"crossings: the least side of a claim is from {belt.least} to {belt.full}")
    return belt, bound


def _belt(data: dict[str, Any], leaper: Leaper, closed: bool) -> Belt:
    if not isinstance(data, dict):
        raise CertificateError("crossings: not an object")
    if len(leaper.offsets) != 2 or leaper.b > 4:
        raise CertificateError(f"crossings: this method does not support the leaper {leaper}")
    belt = Belt(
        leaper,
        closed,
        integer(data.get("rows"), "rows", 1, MAX_ROWS),
        integer(data.get("full"), "full", 1, MAX_FULL),
        integer(data.get("laps"), "laps", 1, MAX_LAPS),
        integer(data.get("penalty", 0), "penalty", 0, MAX_PENALTY),
    )
    if belt.full < belt.least + belt.rows + belt.view:
        raise CertificateError(f"crossings: 'full' is at least {belt.least + belt.rows + belt.view}")
    return belt
