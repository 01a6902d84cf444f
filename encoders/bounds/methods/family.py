"""`family`: the tables of `theorems.turns.theorem` that show the most turns of a board.

Those for knights come with kt, in `heuristics/delivered/results`; `python -m research.turn_families` makes them. For
other pieces they are made here, by linear programming, exact at the end.

The unknowns are the entries of the tables. On any board the number of a move is a sum of unknowns. The least pair of
moves of a cell is a minimum of linear functions, so it has a variable m that is below each of them. The program
optimises in this order:

1. the slope: the sum of m over a period of middle rows of a large board and of columns is as large as possible;
2. the constant: with that slope, the sum of m over the least board that larger ones repeat;
3. the ends: with both, as little as possible is lost where an open tour ends (or, for open tours: the sum less that of
   two ends, at once);
4. with all of this, the entries are small (least sum of absolute values, which also makes them few).

The tables often prove the same for some smaller boards, where the sides overlap. So the least side is lowered as long
as the check succeeds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from math import ceil, lcm
from typing import Any

import numpy as np

from encoders.bounds.methods import BoundMethod, is_large_rectangle, lacks_few_cells
from encoders.lp.duals import DENOMINATORS, simple_fraction
from encoders.lp.turn_tables import Program, UnknownTables, added
from heuristics.best_known import DELIVERED
from kt_models.errors import CertificateError, KTError
from kt_models.json_version import FORMAT_VERSION
from kt_models.leaper import KNIGHT, Leaper
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem
from kt_models.storage import read_json
from theorems.statement import Boards, Bound, FamilyStatement, claim_to_json, claims_of
from theorems.turns.theorem import KIND, MAX_PERIOD, MAX_REACH, check, read, value

HERE = f"{__package__}.family"
PERIOD = 4
BORDER_CONSTANT = -22
"""Turns of squares that the files with a border show beyond 8 n, if the side is even."""
INTERIORS = ("interior-2-mod-4", "interior-0-mod-4", "facing-2-mod-4", "facing-2-mod-20", "many-0-mod-4")
"""Files about large squares with few turns inside, the weakest first."""


def best_tables(
    leaper: Leaper,
    depth: int,
    corner: int,
    limits: Limits = NO_LIMITS,
    period: int = 1,
    sides: tuple[int, int] = (0, 0),
    closed: bool | None = None,
) -> UnknownTables:
    """Tables whose linear program holds the best slope and constant, as `make_family` explains them."""
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
    return tables


def make_family(
    leaper: Leaper = KNIGHT,
    depth: int = 6,
    corner: int = 9,
    limits: Limits = NO_LIMITS,
    period: int = 1,
    sides: tuple[int, int] = (0, 0),
    closed: bool | None = None,
) -> dict[str, Any]:
    """Make and check a family certificate with the best slope, and for it the best constant, of tables of a size.

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

    Raises
    ------
    Stopped
        If the limits were reached first.
    KTError
        If there are no such tables: they would be too large, or the number of turns has no bound, as there is no tour.
    """
    tables = best_tables(leaper, depth, corner, limits, period, sides, closed)
    program = tables.program
    sizes = {program.variable(("size", name)): program.index[name] for name in tables.entries}
    for size, i in sizes.items():
        program.rows += [({size: 1.0, i: 1.0}, 0.0), ({size: 1.0, i: -1.0}, 0.0)]
    data = exact(tables, program.most(dict.fromkeys(sizes, -1.0))[1])
    options = f", period={period}, sides={sides}" if period > 1 else ""
    options += f", closed={closed}" if closed is not None else ""
    made_by = f"{HERE}.make_family(Leaper({leaper.a}, {leaper.b}), {depth}, {corner}{options})"
    data |= {"claims": table_claims(tables, data, CLAIMED[closed]), "made_by": made_by}
    check(data, limits)
    return with_smaller_boards(data)


def exact(tables: UnknownTables, solution: np.ndarray) -> dict[str, Any]:
    """The certificate of tables without its claims; if the vertex is not a simple one, slightly below the optimum."""
    entries = {name: float(solution[tables.program.index[name]]) for name in tables.entries}
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


def delivered(name: str) -> dict[str, Any]:
    """The file `turns-NAME.json` that comes with kt; an empty one if there is none."""
    path = DELIVERED / "results" / f"turns-{name}.json"
    return dict(read_json(path)) if path.exists() else {}


def make(problem: Problem, *, limits: Limits = NO_LIMITS, enough: int | None = None) -> Iterator[dict[str, Any]]:
    """The data of certificates for a problem, the quickest first: files for knights, or new tables of another piece.

    The check of a file about few turns inside a large square takes some seconds to minutes. Such a file is used if the
    border leaves a gap.

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
    limits.check()
    if leaper != KNIGHT:
        yield make_family(leaper, 2 * leaper.b, 3 * leaper.b, limits)
        return
    yield for_all_sizes(problem)
    for data in map(delivered, _names(problem) if board.is_box and is_large_rectangle(problem) else ()):
        if not data or not any(claim.boards.includes(*board.shape) for claim in claims_of(data, KIND)):
            continue
        interior = data.get("interior")
        if interior and not problem.closed and interior["connected"]:
            continue
        if not interior or leaves_gap(board.shape[0], enough):
            yield data


def for_all_sizes(problem: Problem) -> dict[str, Any]:
    """The file about all rectangles, or about those that lack some cells: its check takes hundredths of a second."""
    board = problem.graph.board
    return delivered("open-all-n" if board is not None and not board.is_box else "all-n")


def _names(problem: Problem) -> list[str]:
    """The names of the files that may be about a large board, those with the quickest checks first."""
    a, b = sorted(side % PERIOD for side in problem.graph.geometry[0].shape)
    if problem.terminals or problem.free_ends:
        return ["open-all-n"]
    if (a, b) == (2, 2) and "rot90" in (symmetry.name for symmetry in problem.group):
        return ["quarter"]
    return [f"all-n-{'-'.join(map(str, sorted({a, b})))}-mod-4", f"border-{a}-{b}-mod-4", *INTERIORS]


def leaves_gap(side: int, enough: int | None) -> bool:
    """Whether a border proves less than is sufficient for an even square: by default the turns of a known tour."""
    if enough is None:
        from heuristics.constructions.strands.boards import best_member

        enough = best_member(side, side, "turns").count("turns")
    return 8 * side + BORDER_CONSTANT < enough


METHOD = BoundMethod(
    "family",
    "one dual solution for all sizes of a board",
    make,
    kind="family",
    rank=1,
    by_formula=True,
    worth=lambda problem, at_least: (
        problem.objective == "turns" and (is_large_rectangle(problem) or lacks_few_cells(problem))
    ),
)
