"""A lower bound on turns for all rectangles at once: one dual solution that repeats along the sides (`proof.md`).

Lemma 1 (numbers cancel) defines V, L and M and the tables `side`, `left` and `corner`. Lemma 2 (what a cell sees) and
Lemma 3 (sums repeat) say why finitely many boards are enough. Nothing is assumed about the origin of the tables; wrong
numbers only show a weaker bound.

The file
--------
`denominator` d divides all numbers a; `period` is p, 1 if absent. A claim is about closed or open tours of w x h, both
sides at least `least`. If it names remainders of the sides modulo p, only these boards are added up; otherwise boards
of all remainders. `borders` describes `border`, `concentric_rings` describes `rings`, and `interior_data` describes
`interior`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import ceil, floor, lcm
from typing import Any, NamedTuple

from kt_models.errors import CertificateError
from kt_models.json_values import integer, integers, rows
from kt_models.leaper import KNIGHT, Leaper
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem
from theorems.statement import Boards, Bound, FamilyStatement, claims_of, document_of
from theorems.turns.borders import Border, BorderSweep, read_border, sides_to_sweep
from theorems.turns.concentric_rings import ConcentricRing, check_ring, most_ring_turns, read_rings
from theorems.turns.interior_data import SIMILAR_MODULUS, Interior, read_interior
from theorems.turns.sweeps import PairExcesses

KIND = "turns-family"
MAX_REACH = 16
"""Largest reach: checking all boards up to twice its size takes seconds."""
MAX_PERIOD = 8
"""Largest period, and largest modulus of claims with a border. A border is swept on boards with longer sides than
that."""
# Limits on files: numbers up to 2**40 keep all sums of a board far inside 64 bits.
MAX_ROWS = 2_000
MAX_NUMBER = 2**40
MAX_SIDE = 10_000
"""Largest side of squares that are evaluated for a claim about a quarter turn."""

Displacement = tuple[int, int]
Numbers = dict[tuple[int, int], dict[Displacement, int]]
"""For each cell, its moves on the board and their numbers there, multiplied by the denominator."""


@dataclass(frozen=True)
class TurnFamily:
    """The tables of a file (see `proof.md`)."""

    leaper: Leaper
    denominator: int
    side: tuple[tuple[int, ...], ...]
    corner: tuple[tuple[int, ...], ...]
    left: tuple[tuple[int, ...], ...] | None = None
    period: int = 1
    border: Border | None = None
    interior: Interior | None = None
    rings: tuple[ConcentricRing, ...] = ()

    @property
    def reach(self) -> int:
        """R: from 2 R on, a longer side of the board only repeats columns."""
        depths = [depth + inward for depth, _, inward, *_ in (*self.side, *(self.left or ()))]
        corners = [max(x, y, x + dx, y + dy) for x, y, dx, dy, _ in self.corner]
        # A board needs room for the moves of the piece even if the tables are shallow
        return max(self.leaper.b, 1 + max([*depths, *corners], default=0))

    @property
    def moves(self) -> list[Displacement]:
        """Moves of the leaper, both ways."""
        half = [(int(dx), int(dy)) for dx, dy in self.leaper.half_moves(2)]
        return half + [(-dx, -dy) for dx, dy in half]


# -- what the tables show --------------------------------------------------------------------------------------------


def numbers(family: TurnFamily, width: int, height: int) -> Numbers:
    """Numbers of all moves at both ends on a board, multiplied by the denominator."""
    cells, moves = [(x, y) for x in range(width) for y in range(height)], family.moves
    result: Numbers = {
        (x, y): {(dx, dy): 0 for dx, dy in moves if 0 <= x + dx < width and 0 <= y + dy < height} for x, y in cells
    }

    def add(x: int, y: int, dx: int, dy: int, number: int) -> None:
        if (dx, dy) in result.get((x, y), ()):
            result[x, y][dx, dy] += number
            # Antisymmetric: the two ends of a move cancel in the sum over a tour
            result[x + dx, y + dy][-dx, -dy] -= number

    def add_images(x: int, y: int, dx: int, dy: int, number: int) -> None:
        # The four images under the reflections of a rectangle
        for x_here, dx_here in ((x, dx), (width - 1 - x, -dx)):
            add(x_here, y, dx_here, dy, number)
            add(x_here, height - 1 - y, dx_here, -dy, number)

    for depth, across, inward, position, number in family.side:
        for x in range(position, width, family.period):
            add_images(x, depth, across, inward, number)
    for depth, across, inward, position, number in family.side if family.left is None else family.left:
        for y in range(position, height, family.period):
            add_images(depth, y, inward, across, number)
    for x, y, dx, dy, number in family.corner:
        add_images(x, y, dx, dy, number)
        if family.left is None:
            add_images(y, x, dy, dx, number)
    return result


class Totals(NamedTuple):
    """V, L and M of a board (see `proof.md`), multiplied by the denominator."""

    total: int
    loss: int
    most: int

    def less(self, ends: int, holes: int) -> int:
        """The part of V that remains with a number of free ends, or of missing cells."""
        return self.total - ends * self.loss - holes * self.most


def value(family: TurnFamily, width: int, height: int) -> Totals:
    """V, L and M of a board, added up cell by cell.

    Raises
    ------
    CertificateError
        If a cell has fewer than two moves: the board has no closed tour and is too small for this method.
    """
    total, loss, most = 0, 0, 0
    for at_cell in numbers(family, width, height).values():
        if len(at_cell) < 2:
            raise CertificateError(f"turns: the board {width}x{height} is too small")
        straight = [a + at_cell[-dx, -dy] for (dx, dy), a in at_cell.items() if (-dx, -dy) in at_cell]
        first, second = sorted(at_cell.values())[:2]
        # If the two least moves are opposite, this turn does not exist, but then going straight is cheaper anyway
        least = min([family.denominator + first + second, *straight])
        total += least
        # An end has one move instead of two; a missing cell loses its whole least value
        loss, most = max(loss, least - first), max(most, least)
    return Totals(total, loss, most)


def excesses(family: TurnFamily, width: int, height: int) -> dict[tuple[int, int], PairExcesses]:
    """Excess of each pair of moves at each cell over the least pair there, multiplied by the denominator."""
    table = {}
    for cell, at_cell in numbers(family, width, height).items():
        if len(at_cell) < 2:
            raise CertificateError(f"turns: the board {width}x{height} is too small")
        pairs = [
            (a + b + (0 if first == (-second[0], -second[1]) else family.denominator), first, second)
            for (first, a), (second, b) in combinations(at_cell.items(), 2)
        ]
        least = min(total for total, *_ in pairs)
        table[cell] = [(total - least, first, second) for total, first, second in pairs]
    return table


def gain(family: TurnFamily, claim: FamilyStatement) -> int:
    """Amount that the file adds to V on all boards of a claim, multiplied by the denominator; 0 without one."""
    boards, border = claim.boards, family.border
    if border is None or not claim.closed or boards.holes or boards.least < 2 * family.reach:
        return 0
    if family.interior and boards.shape == "squares" and boards.least >= family.interior.least + 2 * border.rows:
        return family.interior.excess
    # The sweep of a border needs sides of known remainders
    repeats = boards.sides and boards.modulus % family.period == 0 and boards.modulus <= MAX_PERIOD
    return border.gain if repeats else 0


def check_gain(family: TurnFamily, claim: FamilyStatement, limits: Limits = NO_LIMITS) -> None:
    """Check the amount that `gain` adds.

    Raises
    ------
    CertificateError
        If the border or the interior does not have the excess that the file gives.
    """
    boards, border = claim.boards, family.border
    if border is None or not gain(family, claim):
        return
    if boards.sides:
        _check_border(family, border, boards.sides, boards.least, boards.modulus, limits)
    elif family.interior:
        _check_interior(family, border, family.interior, boards, limits)


def _check_border(
    family: TurnFamily, border: Border, sides: Sequence[int], least: int, modulus: int, limits: Limits
) -> None:
    """Check a border on boards whose sides leave given remainders and are at least `least`, itself at least 2 R."""
    lengths = [sides_to_sweep(side, modulus, 2 * family.reach, family.leaper.b, least) for side in sides]
    for width, height in product(*lengths):
        options = excesses(family, width, height)
        sweep = BorderSweep(border, options, (width, height), family.moves, family.reach, modulus, limits)
        (sweep.transposed() if border.along else sweep).check()


def _check_interior(family: TurnFamily, border: Border, interior: Interior, boards: Boards, limits: Limits) -> None:
    """Check the interior of all squares of a class (see `interiors`, which is loaded only here)."""
    from theorems.turns.circuits import InteriorSweep
    from theorems.turns.interiors import check_interior

    if family.leaper != KNIGHT or family.left is not None or boards.remainders(2) != {0}:
        raise CertificateError(
            "turns: an interior needs a knight, squares of even side, and equal tables for all four sides"
        )
    # Many sweeps ask for the same few squares
    options = cache(lambda side: excesses(family, side, side))
    sweep = InteriorSweep(interior.excess, interior.turns, options, border.rows, family.reach, family.period, limits)
    for remainder in sorted(boards.remainders(family.period)):
        sweep.check_turns_inside(remainder, border.gain)
        _check_border(family, border, (remainder, remainder), boards.least, family.period, limits)
    check_interior(sweep, boards, interior.connected)


def turns_at_least(family: TurnFamily, width: int, height: int, ends: int = 0, holes: int = 0) -> Fraction:
    """Lower bound on the turns of a board of any size, from boards with sides below 2 R + 2 p."""
    full, period = 2 * family.reach, family.period
    # Longer sides repeat columns, whose sum is known from one more period
    w, h = (side if side < full + period else full + (side - full) % period for side in (width, height))
    total = value(family, w, h).total
    wider = value(family, w + period, h).total - total if width > w else 0
    higher = value(family, w, h + period).total - total if height > h else 0
    total += (width - w) // period * wider + (height - h) // period * higher
    if ends or holes:
        total = value(family, min(width, w + period), min(height, h + period))._replace(total=total).less(ends, holes)
    return Fraction(total, family.denominator)


def check(data: Any, limits: Limits = NO_LIMITS) -> tuple[FamilyStatement, ...]:
    """Check the claims of a file, each for all its boards at once (see `proof.md`).

    Raises
    ------
    CertificateError
        If the tables do not show a claim, or are malformed.
    Stopped
        If a limit is reached.
    """
    data = document_of(data, KIND)
    claims = claims_of(data, KIND)
    for claim in claims:
        _check_claim(data, claim, limits)
    for leaper in {claim.leaper for claim in claims if claim.symmetry}:
        _check_rings(read(data, leaper), limits)
    return claims


def _check_claim(data: dict[str, Any], claim: FamilyStatement, limits: Limits) -> Bound:
    """Check a claim and return its bound, in terms of w + h even for squares."""
    bound = claim.half_perimeter_bound("turns")
    family = read(data, claim.leaper)
    if claim.symmetry == "rot90" and family.rings:
        _check_quarter_turn(family, claim, bound, limits)
        return bound
    for residues in _classes(family.period, claim.boards):
        _check_class(family, residues, claim, bound, gain(family, claim), limits)
    check_gain(family, claim, limits)
    return bound


def _classes(period: int, boards: Boards) -> list[tuple[int, int]]:
    """Remainders modulo the period that the two sides of a claim's boards may leave, either way up."""
    if boards.modulus == period and boards.sides:
        return [(boards.sides[0], boards.sides[1])]
    if boards.modulus % period == 0 and boards.shape == "squares":
        return [(r, r) for r in sorted({residue % period for residue in boards.residues})]
    return [(a, b) for a in range(period) for b in range(period)]


def _check_class(
    family: TurnFamily, residues: tuple[int, int], claim: FamilyStatement, bound: Bound, more: int, limits: Limits
) -> None:
    """Check a claim on all boards whose sides leave two remainders modulo the period; `more` is added to V.

    Checks Lemma 4 (all sizes from small boards).
    """
    full, period, ends = 2 * family.reach, family.period, 0 if claim.closed else 2
    least = min(claim.boards.least, full)
    widths, heights = (range(least + (r - least) % period, full + 2 * period, period) for r in residues)
    alike = family.left is None and residues[0] == residues[1]
    totals: dict[tuple[int, int], int] = {}
    for w in widths:
        for h in heights:
            limits.check()
            # Equal tables for all sides: the transposed board has the same sum
            if alike and h < w:
                totals[w, h] = totals[h, w]
                continue
            totals[w, h] = (sums := value(family, w, h)).total
            only = Fraction(sums.less(ends, claim.boards.holes) + more, family.denominator)
            # The number of turns is an integer, so a fraction may be rounded up
            if (bound.slope * period).denominator == 1:
                only = Fraction(ceil(only))
            if only < bound.at(w + h):
                raise CertificateError(f"turns: only {only} turns are shown on {w}x{h}")
    steps = [(widths[-1], h, widths[-2], h) for h in heights] + [(w, heights[-1], w, heights[-2]) for w in widths]
    # Beyond 2 R each further period adds the same, so the last two rows and columns decide for ever
    for *larger, w, h in steps:
        step = Fraction(totals[larger[0], larger[1]] - totals[w, h], family.denominator)
        if step < bound.slope * period:
            raise CertificateError(f"turns: only {step} turns per {period} are shown beyond {w}x{h}")


# -- tours that a quarter turn maps to themselves --------------------------------------------------------------------


def quarter_turn_bound(family: TurnFamily, side: int) -> int:
    """Lower bound on the turns of a tour that a quarter turn maps to itself, with all rings.

    Raises
    ------
    CertificateError
        If the side is odd.
    """
    if side % 2:
        raise CertificateError("turns: a quarter turn needs a square of even side")
    return 4 * ceil((turns_at_least(family, side, side) + most_ring_turns(family.rings, side - 2 * family.reach)) / 4)


def _check_rings(family: TurnFamily, limits: Limits) -> None:
    for ring in family.rings:
        check_ring(ring, family.moves, limits)


def _check_quarter_turn(family: TurnFamily, claim: FamilyStatement, bound: Bound, limits: Limits) -> None:
    """Check a claim about tours that a quarter turn maps to themselves, given the rings of the file.

    Checks Lemma 11 (squares with a quarter turn).
    """
    boards, reach = claim.boards, family.reach
    if boards.shape != "squares" or not claim.closed:
        raise CertificateError("turns: rings need closed tours of squares")
    # The ring with most turns per row can be repeated inside large squares
    ring = max(family.rings, key=lambda candidate: Fraction(candidate.turns, candidate.rows))
    period = lcm(family.period, boards.modulus, 2 * ring.rows)
    repeating = max(boards.least, 2 * reach + max(0, ring.least - 2 * ring.rows))
    if repeating + period > MAX_SIDE:
        raise CertificateError("turns: a claim about a quarter turn would need boards that are too large")
    for side in filter(boards.includes, range(boards.least, repeating + period)):
        limits.check()
        fewest = quarter_turn_bound(family, side)
        if fewest < bound.at(2 * side):
            raise CertificateError(f"turns: only {fewest} turns are shown on {side}x{side}")
        if side >= repeating:
            step = turns_at_least(family, side + period, side + period) - turns_at_least(family, side, side)
            more = 4 * floor(step / 4) + 2 * ring.turns * period // ring.rows
            if more < 2 * bound.slope * period:
                raise CertificateError(f"turns: only {more} turns per {period} are shown beyond {side}x{side}")


# -- one board -------------------------------------------------------------------------------------------------------


def bound(problem: Problem, data: dict[str, Any], limits: Limits = NO_LIMITS) -> int:
    """The bound of a file on the turns of one board: a rectangle, possibly without some cells.

    It is the sum V, whatever the file claims. Unless cells are missing, it includes the border's claim about the
    board, and the rings' share if a quarter turn maps the tours to themselves. If a turn maps the tours to themselves
    and no cell to itself, turns come in twos or fours, and the bound is rounded up. Any connectivity and any ends will
    do; only a claim with a connected interior is about single cycles.

    Raises
    ------
    CertificateError
        If the data are malformed, or the problem is not of this kind.
    Stopped
        If a limit is reached.
    """
    graph = problem.graph
    board = graph.board
    if problem.objective != "turns" or board is None or board.dimension != 2 or any(board.wraps) or not graph.leaper:
        raise CertificateError(
            "turns: this method needs the objective 'turns' on a rectangle, possibly without some cells"
        )
    data = document_of(data, KIND)
    claims = claims_of(data, KIND)
    if (leapers := {claim.leaper for claim in claims}) != {graph.leaper}:
        raise CertificateError(f"turns: the tables are for the leaper {leapers.pop()}, not {graph.leaper}")
    (width, height), family = board.shape, read(data, graph.leaper)
    ends, holes = len(problem.terminals) + problem.free_ends, width * height - board.n
    best = max(0, *(ceil(turns_at_least(family, *size, ends, holes)) for size in ((width, height), (height, width))))
    if holes and not best:
        raise CertificateError("turns: too many cells are missing for this method")
    if holes:
        return best
    turns = {"rot90", "rot180"}.intersection(symmetry.name for symmetry in problem.group)
    if family.rings and "rot90" in turns and not ends and width % 2 == 0:
        _check_rings(family, limits)
        best = max(best, quarter_turn_bound(family, width))
    of_several = problem.connectivity != "cycle"
    for claim in () if family.interior and family.interior.connected and of_several else claims:
        if family.border and claim.closed and not claim.symmetry and not ends and claim.boards.includes(width, height):
            if gain(family, claim) and claim.boards.shape == "squares" and SIMILAR_MODULUS % claim.boards.modulus == 0:
                # Checking the squares that are like this one is enough
                claim = replace(
                    claim, boards=replace(claim.boards, modulus=SIMILAR_MODULUS, residues=(width % SIMILAR_MODULUS,))
                )
            best = max(best, ceil(_check_claim(data, claim, limits).at(width + height)))
    # A half turn pairs turns, a quarter turn groups them in fours, unless a cell is fixed
    step = 2 ** len(turns) if width * height % 2 == 0 else 1
    return -(-best // step) * step


# -- reading ---------------------------------------------------------------------------------------------------------


def read(data: dict[str, Any], leaper: Leaper) -> TurnFamily:
    """Read the tables of a JSON object, for a leaper.

    Raises
    ------
    CertificateError
        If a key is missing, of the wrong type, or out of range.
    """
    if len(leaper.offsets) != 2 or leaper.b > MAX_REACH:
        raise CertificateError(f"turns: the leaper {leaper} goes farther than {MAX_REACH}, or not in the plane")
    period = integer(data.get("period", 1), "period", 1, MAX_PERIOD)
    family = TurnFamily(
        leaper,
        integer(data.get("denominator"), "denominator", 1, MAX_NUMBER),
        tuple(_side_rows(data, "side", period, leaper)),
        tuple(_rows(data.get("corner"), "corner", 5)),
        tuple(_side_rows(data, "left", period, leaper)) if "left" in data else None,
        period,
        read_border(data["border"]) if "border" in data else None,
        read_interior(data["interior"]) if "interior" in data else None,
        read_rings(data["rings"], leaper.b) if "rings" in data else (),
    )
    legs = {leaper.a, leaper.b}
    for x, y, dx, dy, _ in family.corner:
        if min(x, y, x + dx, y + dy) < 0 or {abs(dx), abs(dy)} != legs:
            raise CertificateError(f"turns: a row of 'corner' begins with {[x, y, dx, dy]}")
    for table in (family.side, family.corner, family.left or ()):
        if len({row[:-1] for row in table}) < len(table):
            raise CertificateError("turns: a row is given twice")
    if family.reach > MAX_REACH:
        raise CertificateError(f"turns: the tables reach {family.reach} cells into the board, over {MAX_REACH}")
    return family


def _side_rows(data: dict[str, Any], name: str, period: int, leaper: Leaper) -> Iterator[tuple[int, ...]]:
    """Rows of a side; the position is 0 if the period is 1."""
    for row in _rows(data.get(name), name, 4 if period == 1 else 5):
        depth, across, inward, position, number = row if period > 1 else (*row[:3], 0, row[3])
        if not (depth >= 0 and across >= 0 < inward and {across, inward} == {leaper.a, leaper.b}):
            raise CertificateError(f"turns: a row of {name!r} begins with {[depth, across, inward]}")
        if not 0 <= position < period:
            raise CertificateError(f"turns: a row of {name!r} has the position {position}")
        yield depth, across, inward, position, number


def _rows(data: Any, name: str, width: int) -> Iterator[tuple[int, ...]]:
    table = rows(data, f"turns: {name!r}", width)
    if len(table) > MAX_ROWS:
        raise CertificateError(f"turns: {name!r} has more than {MAX_ROWS:,} rows")
    for row in table:
        integers(row[:-1], f"turns: {name!r}", -MAX_REACH, MAX_REACH)
        yield (*row[:-1], integer(row[-1], f"turns: {name!r}", -MAX_NUMBER, MAX_NUMBER))
