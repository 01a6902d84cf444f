"""`family`: the tables of `theorems.turns.theorem`, by linear programming, exact at the end.

    python -m encoders.bounds.methods.family > turns-all-n.json
    python -m encoders.bounds.methods.family --open > turns-open-all-n.json
    python -m encoders.bounds.methods.family --sides 2,2 > turns-all-n-2-mod-4.json
    python -m encoders.bounds.methods.family --border --sides 0,1 > turns-border-0-1-mod-4.json
    python -m encoders.bounds.methods.family --interior 6 > turns-interior-2-mod-4.json
    python -m encoders.bounds.methods.family --facing 10 > turns-facing-2-mod-4.json
    python -m encoders.bounds.methods.family --many 0 > turns-many-0-mod-4.json
    python -m encoders.bounds.methods.family --quarter > turns-quarter.json

The files are in `heuristics/delivered/results`.

The unknowns are the entries of the tables. On any board the number of a move is a sum of unknowns. The least pair of
moves of a cell is a minimum of linear functions, so it has a variable m that is below each of them. The program
optimises in this order:

1. the slope: the sum of m over a period of middle rows of a large board and of columns is as large as possible;
2. the constant: with that slope, the sum of m over the least board that larger ones repeat;
3. the ends: with both, as little as possible is lost where an open tour ends (or, for open tours: the sum less that of
   two ends, at once);
4. with all of this, the entries are small (least sum of absolute values, which also makes them few); or, where a border
   is to add something, as many pairs as possible make clearly more than the least; and, where there is to be no turn in
   the interior, all turns there make much more.

The tables often prove the same for some smaller boards, where the sides overlap. So the least side is lowered as long
as the check succeeds.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable
from copy import deepcopy
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from itertools import chain, combinations
from math import ceil, lcm, prod
from typing import Any

from encoders.bounds.methods import BoundMethod, is_large_rectangle
from encoders.lp.duals import DENOMINATORS, simple_fraction
from encoders.lp.turn_tables import Linear, Program, UnknownTables, added
from kt_models.errors import CertificateError, KTError
from kt_models.json_version import FORMAT_VERSION
from kt_models.leaper import KNIGHT, Leaper
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem
from theorems.statement import Boards, Bound, FamilyStatement, claim_to_json, claims_of
from theorems.turns.borders import Border
from theorems.turns.theorem import KIND, MAX_PERIOD, MAX_REACH, TurnFamily, check, read, value

HERE = f"{__package__}.family"
"""The name of this module, also when it runs as a program."""
PERIOD = 4
MIN_LARGE_CELLS = 1000
"""Cells from which on a rectangle without some cells counts as large."""
LOOSE, LOOSE_INSIDE = 1 / 4, 1 / 2
"""Amounts above the least that count as clearly more: for a border alone, and for few turns inside."""
BORDER_ROWS, BORDER_CONSTANT = 7, -22
BORDERED = {
    (0, 0): (9, Fraction(7, 8)),
    (0, 2): (9, Fraction(5, 6)),
    (2, 2): (9, Fraction(1, 2)),
    (0, 1): (9, None),
    (1, 2): (9, None),
    (0, 3): (10, None),
    (2, 3): (10, None),
}
"""Remainders of both sides modulo 4 for which borders of `BORDER_ROWS` rows prove 4 (w + h) turns and
`BORDER_CONSTANT`. The values are the side of the squares at the corners, and the excess of the last two of three sides
(as `BorderSweep.less` finds it); None if two sides are enough."""
FEW_TURNS = {(0, 0): (9, Fraction(9, 10), Fraction(3, 4)), (2, 2): (13, Fraction(7, 8), Fraction(1, 2))}
"""Squares with few turns inside, by the remainders of their sides modulo 4: the side of the squares at the corners, the
excess of a turn inside, and the excess of the last two of three sides."""


@dataclass(frozen=True)
class InsideClaim:
    """The claim of tables of `FEW_TURNS`: squares of some residues have at least 8 n turns and a constant.

    Parameters
    ----------
    turns
        Most turns inside.
    least
        The least side.
    connected
        Whether the claim is about single cycles only.
    """

    constant: int
    turns: int
    least: int
    modulus: int
    residues: tuple[int, ...]
    connected: bool = False

    @property
    def sides(self) -> tuple[int, int]:
        """Remainders of both sides modulo 4."""
        return self.residues[0] % PERIOD, self.residues[0] % PERIOD

    @property
    def boards(self) -> Boards:
        """The squares of the claim."""
        return Boards("squares", self.least, self.modulus, self.residues)


FACING = (
    InsideClaim(-20, 1, 344, 60, (10, 14, 26, 30, 38, 46, 54, 58), connected=True),
    InsideClaim(-21, 0, 180, 60, (2, 22), connected=True),
)
"""Claims about closed tours only, whose facing sides would have to join the same two lines."""
MANY = (InsideClaim(-18, 4, 1000, 4, (0,), connected=True),)
"""Claims about closed tours of large squares, also with several turns inside."""
INTERIORS = (InsideClaim(-21, 0, 180, 20, (0, 4, 8, 16)), InsideClaim(-21, 0, 180, 20, (6, 10, 14, 18)))
"""Claims about all 2-factors; for n = 2 modulo 10 some may have fewer turns."""
BETTER = ((2, 2), (0, 1), (1, 2), (0, 3), (2, 3))
"""Remainders of both sides modulo 4 for which tables of period 4 prove more than the others, for closed tours."""
RINGS = [{"rows": 6, "turns": 2}, {"rows": 4, "turns": 1}]
"""Rings that a quarter turn adds to the tables for sides 2, 2; fewer rows than 6 prove less for each."""
TURNED = {
    (4, 2): (Fraction(8), Fraction(-20)),
    (12, 2): (Fraction(26, 3), Fraction(-112, 3)),
    (12, 6): (Fraction(26, 3), Fraction(-36)),
    (12, 10): (Fraction(26, 3), Fraction(-116, 3)),
}
"""What the rings prove for n x n, by a modulus and a remainder of n: the slope and the constant."""


def make_family(
    leaper: Leaper = KNIGHT,
    depth: int = 6,
    corner: int = 9,
    limits: Limits = NO_LIMITS,
    period: int = 1,
    sides: tuple[int, int] = (0, 0),
    closed: bool | None = None,
    border: bool = False,
    inside: Fraction | None = None,
) -> dict[str, Any]:
    """Make a family certificate with the best slope, and for it the best constant, that tables of a size reach.

    It is checked, except for a border, whose check takes some seconds.

    Parameters
    ----------
    leaper
        The piece.
    depth
        Rows of cells, from each side, whose moves into the board have a number.
    corner
        Side of the square at each corner whose moves have numbers of their own.
    period
        Period of the numbers along a side.
    sides
        Remainders of the sides modulo the period, the lesser first, for which the tables are the best.
    closed
        Whether the tables are the best for closed tours, or for open ones; by default for closed tours, and then for
        open ones.
    border
        Whether a border adds to the sum, for closed tours, as much as `BORDER_CONSTANT` needs.
    inside
        With a border: the excess of turns inside, for squares with few of them; then the tables have no claim.

    Raises
    ------
    Stopped
        If the limits were reached first.
    KTError
        If there are no such tables: they would be too large, or the number of turns has no bound, as there is no tour.
    """
    tables = UnknownTables(leaper, depth, corner, period, sides, Program(limits))
    program = tables.program
    if depth < 1 or corner < 0 or tables.reach > MAX_REACH or not 1 <= period <= MAX_PERIOD:
        raise KTError(f"family: tables reach from 1 to {MAX_REACH} cells into the board, with a period to {MAX_PERIOD}")
    steps = [tables.middle_rows()] if tables.alike else [tables.middle_rows(), tables.middle_columns()]
    step = simple_fraction(program.most(steps[0])[0])
    program.rows += [(row, float(step)) for row in steps]
    total, loss = tables.board(), {tables.loss: 1.0}
    goals = [total, added((loss, -1))] if closed is None else [total if closed else added((total, 1), (loss, -2))]
    for goal in goals:
        program.rows.append((goal, float(simple_fraction(program.most(goal)[0]))))
    entries = {name: i for name, i in program.index.items() if name[0] in ("side", "left", "corner")}
    if not border:
        sizes = {program.variable(("size", name)): i for name, i in entries.items()}
        for size, i in sizes.items():
            program.rows += [({size: 1.0, i: 1.0}, 0.0), ({size: 1.0, i: -1.0}, 0.0)]
        _, solution = program.most(dict.fromkeys(sizes, -1.0))
    else:
        if inside is not None:
            avoid_turns(tables, inside)
        _, solution = program.most(loosened(tables, LOOSE if inside is None else LOOSE_INSIDE))
    data = exact(tables, {name: float(solution[i]) for name, i in entries.items()})
    given = f", period={period}, sides={sides}" if period > 1 else ""
    given += f", closed={closed}" if closed is not None else ""
    given += ", border=True" if border else ""
    given += f", inside={inside!r}" if inside else ""
    made_by = f"{HERE}.make_family(Leaper({leaper.a}, {leaper.b}), {depth}, {corner}{given})"
    if inside is not None:
        return data | {"made_by": made_by}
    if border:
        return data | border_and_claim(tables, data) | {"made_by": made_by}
    data |= {"claims": table_claims(tables, data, CLAIMED[closed]), "made_by": made_by}
    check(data, limits)
    return with_smaller_boards(data)


def avoid_turns(tables: UnknownTables, excess: Fraction) -> None:
    """Add rows that give turns this excess at all cells except those of a border."""
    program, (width, height) = tables.program, tables.size
    for w, h in ((width, height), (width, height + tables.period)):
        for x in range(BORDER_ROWS, w - BORDER_ROWS):
            for y in range(BORDER_ROWS, h - BORDER_ROWS):
                cell = min(x, w - 1 - x), min(y, h - 1 - y)
                cell = min(cell, cell[::-1]) if w == h else cell
                least = {tables.least((w, h), cell): 1.0}
                at = {move: tables.number((w, h), cell, move) for move in tables.moves}
                for (first, a), (second, b) in combinations(at.items(), 2):
                    if first != (-second[0], -second[1]):
                        program.rows.append((added((a, 1), (b, 1), (least, -1)), float(excess) - 1))


def loosened(tables: UnknownTables, most: float) -> Linear:
    """By how much pairs exceed the least, at most `most` each, added up over all different ones."""
    program = tables.program
    different = {(tuple(sorted(program.rows[k][0].items())), program.rows[k][1]): k for k in tables.pairs}
    slack = {k: program.variable(("slack", k)) for k in different.values()}
    for k, i in slack.items():
        row, lower = program.rows[k]
        program.rows[k] = {**row, i: -1.0}, lower
        program.rows += [({i: 1.0}, 0.0), ({i: -1.0}, -most)]
    return dict.fromkeys(slack.values(), 1.0)


def border_and_claim(tables: UnknownTables, data: dict[str, Any]) -> dict[str, Any]:
    """A border that adds to the claim of tables about closed tours, and the resulting claim."""
    boards = Boards("rectangles", 2 * read(data, tables.leaper).reach, PERIOD, sides=tables.sides)
    excess = missing(read(data, tables.leaper), tables.size, BORDER_CONSTANT)
    _, rest = BORDERED[tables.sides]
    border = Border(BORDER_ROWS, 2, 1, excess)
    if rest is not None:
        border = Border(BORDER_ROWS, 3, 0, excess, int(rest * data["denominator"]))
    bound = Bound("at-least", "turns", Fraction(4), Fraction(BORDER_CONSTANT))
    claim = FamilyStatement(boards, tables.leaper, True, (bound,))
    return {"border": border_to_json(border), "claims": [claim_to_json(claim)]}


def missing(family: TurnFamily, size: tuple[int, int], constant: int) -> int:
    """The excess, times the denominator, that raises the sum of least values to 4 (w + h) turns and a constant."""
    turns = 4 * sum(size) + constant
    return (turns - 1) * family.denominator - value(family, *size).total + 1


def border_to_json(border: Border) -> dict[str, int]:
    """The border as a JSON object of a file."""
    return {key: entry for key, entry in asdict(border).items() if entry or key != "rest"}


def exact(tables: UnknownTables, entries: dict[Any, float]) -> dict[str, Any]:
    """The certificate of tables without its claims; if the vertex is not a simple one, slightly below the optimum."""
    try:
        denominator = lcm(*(simple_fraction(number).denominator for number in entries.values()))
    except KTError:
        denominator = DENOMINATORS[-1]
    integers = {name: round(denominator * number) for name, number in entries.items()}
    rows = table_rows({name: number for name, number in integers.items() if number}, tables.period)
    if not tables.alike:
        rows.setdefault("left", [])
    head = {"kind": KIND, "version": FORMAT_VERSION, "claims": [], "denominator": denominator}
    return head | ({"period": tables.period} if tables.period > 1 else {}) | rows


CLAIMED = {None: ((True, 0), (False, 0)), True: ((True, 0),), False: ((False, 0), (True, 1))}
"""Claims of tables that are best for closed tours (True), for open ones, or for both: whether a claim is about closed
tours, and how many cells its boards lack. A missing cell costs about as much as two ends."""


def table_claims(
    tables: UnknownTables, data: dict[str, Any], kinds: Iterable[tuple[bool, int]]
) -> list[dict[str, Any]]:
    """The claims of tables: from the least board, and from the increase with each period."""
    family, period, (width, height) = read(data, tables.leaper), tables.period, tables.size
    total, larger = (value(family, width + more, height + more) for more in (0, period))
    step = Fraction(larger.total - total.total, 2 * family.denominator)
    boards = Boards("rectangles", min(width, height))
    if period > 1:
        boards = replace(boards, modulus=period, sides=tables.sides)
    claims = []
    for closed, holes in kinds:
        least = Fraction(larger._replace(total=total.total).less(0 if closed else 2, holes), family.denominator)
        slope = step / period
        constant = (Fraction(ceil(least)) if step.denominator == 1 else least) - slope * (width + height)
        bound = Bound("at-least", "turns", slope, constant)
        claims.append(claim_to_json(FamilyStatement(replace(boards, holes=holes), tables.leaper, closed, (bound,))))
    return claims


def passes(data: dict[str, Any]) -> bool:
    """Whether a certificate proves its claim."""
    try:
        check(data)
    except CertificateError:
        return False
    return True


def with_smaller_boards(data: dict[str, Any]) -> dict[str, Any]:
    """The same tables with the claim for the smallest boards for which they prove it."""
    boards = claims_of(data, KIND)[0].boards
    smaller = data
    for least in range(boards.least - 1, 0, -1):
        if any(replace(boards, least=least).includes(least, h) for h in range(least, least + boards.modulus)):
            claims = [{**claim, "boards": {**claim["boards"], "least": least}} for claim in data["claims"]]
            if not passes({**data, "claims": claims}):
                break
            smaller = {**data, "claims": claims}
    return smaller


def table_rows(entries: dict[Any, int], period: int) -> dict[str, list[list[int]]]:
    """The rows of the tables, sorted."""
    tables: dict[str, list[list[int]]] = {"side": [], "corner": []}
    for (table, *name), a in entries.items():
        if table == "corner":
            (x, y), (u, v) = name
            tables[table].append([x, y, u - x, v - y, a])
        else:
            tables.setdefault(table, []).append([*(name if period > 1 else name[:-1]), a])
    return {table: sorted(rows) for table, rows in tables.items()}


def make_better(sides: tuple[int, int], limits: Limits = NO_LIMITS) -> dict[str, Any]:
    """Make the tables of period 4 that are best for closed tours of boards with these remainders modulo 4."""
    return make_family(depth=8, limits=limits, period=PERIOD, sides=sides, closed=True)


def make_bordered(sides: tuple[int, int], limits: Limits = NO_LIMITS) -> dict[str, Any]:
    """Make the tables with a border for boards with these remainders modulo 4."""
    return make_family(KNIGHT, 8, BORDERED[sides][0], limits, PERIOD, sides, True, border=True)


def make_inside(claim: InsideClaim, limits: Limits = NO_LIMITS) -> dict[str, Any]:
    """Make tables with an interior of few turns, the border that excludes more, and the resulting claim."""
    _, inside, rest = FEW_TURNS[claim.sides]
    data = _made(_make_few_turns, claim.sides, limits)
    family, size = read(data, KNIGHT), (4 * MAX_REACH + claim.sides[0],) * 2
    excess, denominator = missing(family, size, claim.constant), data["denominator"]
    spent = ceil(excess - (claim.turns + 1) * inside * denominator)
    bound = Bound("at-least", "turns", Fraction(8), Fraction(claim.constant))
    return data | {
        "border": border_to_json(Border(BORDER_ROWS, 3, 0, spent, min(spent, int(rest * denominator)))),
        "interior": {"excess": excess, "turns": claim.turns, "connected": claim.connected},
        "claims": [claim_to_json(FamilyStatement(claim.boards, KNIGHT, True, (bound,)))],
        "made_by": f"{HERE}.make_inside({claim!r})",
    }


def _make_few_turns(sides: tuple[int, int], limits: Limits) -> dict[str, Any]:
    """Make the tables alone."""
    corner, inside, _ = FEW_TURNS[sides]
    return make_family(KNIGHT, 8, corner, limits, PERIOD, sides, True, border=True, inside=inside)


def make_turned(limits: Limits = NO_LIMITS) -> dict[str, Any]:
    """Make the tables for sides 2, 2 with rings, for tours that a quarter turn maps to themselves."""
    data = _made(make_better, (2, 2), limits)
    least = claims_of(data, KIND)[0].boards.least
    claims = []
    for (modulus, residue), (slope, constant) in TURNED.items():
        bound = Bound("at-least", "turns", slope, constant)
        boards = Boards("squares", least, modulus, (residue,))
        claims.append(claim_to_json(FamilyStatement(boards, bounds=(bound,), symmetry="rot90")))
    made_by = f"{HERE}.make_turned()"
    return data | {"claims": claims, "rings": RINGS, "made_by": made_by}


_finished: dict[tuple[Any, ...], dict[str, Any]] = {}
"""Tables made in this process, by function and arguments."""


def _made(make_tables: Callable[..., dict[str, Any]], *given: Any) -> dict[str, Any]:
    """The result of a function for arguments, the last of which are the limits; it is computed once in a process."""
    key = make_tables, *given[:-1]
    if key not in _finished:
        _finished[key] = make_tables(*given)
    return _finished[key]


def _make_plain(leaper: Leaper, closed: bool | None, limits: Limits) -> dict[str, Any]:
    """Make tables for all boards."""
    depth, corner = (6 if closed is None else 8, 9) if leaper == KNIGHT else (2 * leaper.b, 3 * leaper.b)
    return make_family(leaper, depth, corner, limits, closed=closed)


def make(problem: Problem, *, limits: Limits = NO_LIMITS, enough: int | None = None) -> dict[str, Any]:
    """The data of a certificate of method `family` for a problem: tables of its leaper, made in some seconds.

    Knights have better tables for open tours, and for closed tours on boards whose sides have certain remainders. On
    large squares, few turns inside take some minutes; they are examined if the border leaves a gap.

    Parameters
    ----------
    enough
        A sufficient bound; by default the turns of the best construction.

    Raises
    ------
    CertificateError
        If the problem is not about turns on a rectangle without holes.
    """
    leaper, board = problem.graph.leaper, problem.graph.board
    if leaper is None or board is None:
        raise CertificateError("family: this method is for turns on boards in the plane")
    made: Iterable[dict[str, Any]] = ()
    if leaper == KNIGHT and not board.is_box:
        return deepcopy(_made(_make_plain, leaper, False, limits))
    if leaper == KNIGHT and is_large_rectangle(problem):
        sides = tuple(sorted(side % PERIOD for side in board.shape))
        if problem.terminals or problem.free_ends:
            made = [_made(_make_plain, leaper, False, limits)]
        elif "rot90" in (symmetry.name for symmetry in problem.group) and sides == (2, 2):
            return make_turned(limits)
        else:
            claims = [claim for claim in (*MANY, *FACING, *INTERIORS) if problem.closed or not claim.connected]
            inside = [claim for claim in claims if claim.boards.includes(*board.shape)]
            if inside and leaves_gap(board.shape[0], enough):
                made = (make_inside(claim, limits) for claim in inside)
            tables = [
                make_table
                for make_table, classes in ((make_bordered, BORDERED), (make_better, BETTER))
                if sides in classes
            ]
            made = chain(made, (_made(make_tables, sides, limits) for make_tables in tables))
    for data in made:
        if any(claim.boards.includes(*board.shape) for claim in claims_of(data, KIND)):
            return deepcopy(data)
    return deepcopy(_made(_make_plain, leaper, None, limits))


def leaves_gap(side: int, enough: int | None) -> bool:
    """Whether a border proves less than is sufficient for an even square: by default the turns of a known tour."""
    if enough is None:
        from heuristics.constructions.strands.boards import best_member

        enough = best_member(side, side, "turns").count("turns")
    return 8 * side + BORDER_CONSTANT < enough


def lacks_few_cells(problem: Problem) -> bool:
    """Whether a board is a large rectangle without some cells: tables for all sizes then prove more than a tree."""
    board = problem.graph.board
    if board is None or board.dimension != 2 or any(board.wraps) or problem.graph.leaper != KNIGHT:
        return False
    return board.n > MIN_LARGE_CELLS and 0 < prod(board.shape) - board.n <= min(board.shape) // 4


METHOD = BoundMethod(
    "family",
    "one dual solution for all sizes of a board",
    make,
    kind="family",
    rank=1,
    worth=lambda problem, at_least: (
        problem.objective == "turns" and (is_large_rectangle(problem) or lacks_few_cells(problem))
    ),
)


def main() -> None:
    """Print a file."""
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--open", action="store_true", help="the best for open tours")
    arguments.add_argument("--border", action="store_true", help="with what the sides add to the sum, of closed tours")
    for option, claims, text in (
        ("--interior", INTERIORS, "for large squares, most of which then have no turn"),
        ("--facing", FACING, "for closed tours of large squares, whose facing sides join two lines"),
        ("--many", MANY, "for closed tours of large squares, also with several turns inside"),
    ):
        choices = [claim.residues[0] for claim in claims]
        arguments.add_argument(option, type=int, choices=choices, help=f"{text}; one of the remainders of their sides")
    arguments.add_argument(
        "--sides",
        choices=sorted({f"{a},{b}" for a, b in (*BETTER, *BORDERED)}),
        help="the best for closed tours, remainders modulo 4 of the sides",
    )
    arguments.add_argument("--quarter", action="store_true", help="the best for tours with a quarter turn")
    given = arguments.parse_args()
    sides = (int(given.sides[0]), int(given.sides[2])) if given.sides else None
    if given.quarter:
        data = make_turned()
    elif inside := [
        claim
        for claims, residue in ((MANY, given.many), (FACING, given.facing), (INTERIORS, given.interior))
        for claim in claims
        if residue in claim.residues
    ]:
        data = make_inside(inside[0])
    elif given.border:
        data = make_bordered(sides or (0, 0))
    elif sides:
        data = make_better(sides)
    else:
        data = make_family(depth=8, closed=False) if given.open else make_family()
    check(data)
    print(json.dumps(data))


if __name__ == "__main__":
    main()
