"""The files on the turns of knights that `encoders.bounds.methods.family` reads.

    python -m research.turn_families > turns-all-n.json
    python -m research.turn_families --open > turns-open-all-n.json
    python -m research.turn_families --sides 2,2 > turns-all-n-2-mod-4.json
    python -m research.turn_families --border --sides 0,1 > turns-border-0-1-mod-4.json
    python -m research.turn_families --interior 6 > turns-interior-2-mod-4.json
    python -m research.turn_families --facing 10 > turns-facing-2-mod-4.json
    python -m research.turn_families --many 0 > turns-many-0-mod-4.json
    python -m research.turn_families --quarter > turns-quarter.json

The files are in `heuristics/delivered/results`.

With the best slope and constant, the tables are those with the smallest entries (`make_family`); or, where a border is
to add something, as many pairs as possible make clearly more than the least; and, where there is to be no turn in the
interior, all turns there make much more.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import ceil
from typing import Any

from encoders.bounds.methods.family import BORDER_CONSTANT, PERIOD, best_tables, exact, make_family
from encoders.lp.turn_tables import Linear, UnknownTables, added
from kt_models.leaper import KNIGHT
from theorems.statement import Boards, Bound, FamilyStatement, claim_to_json, claims_of
from theorems.turns.borders import Border
from theorems.turns.theorem import KIND, MAX_REACH, TurnFamily, check, read, value

HERE = "research.turn_families"
"""The name of this module, also when it runs as a program."""
LOOSE, LOOSE_INSIDE = 1 / 4, 1 / 2
"""Amounts above the least that count as clearly more: for a border alone, and for few turns inside."""
BORDER_ROWS = 7
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


def make_better(sides: tuple[int, int]) -> dict[str, Any]:
    """Make the tables of period 4 that are best for closed tours of boards with these remainders modulo 4."""
    return make_family(depth=8, period=PERIOD, sides=sides, closed=True)


def make_bordered(sides: tuple[int, int]) -> dict[str, Any]:
    """Make the tables with a border for boards with these remainders modulo 4."""
    tables, data = _loose_tables(sides, BORDERED[sides][0])
    return data | border_and_claim(tables, data) | {"made_by": f"{HERE}.make_bordered({sides})"}


def _loose_tables(
    sides: tuple[int, int], corner: int, inside: Fraction | None = None
) -> tuple[UnknownTables, dict[str, Any]]:
    """Tables without a claim of which many pairs make clearly more than the least, and turns inside much more."""
    tables = best_tables(KNIGHT, 8, corner, period=PERIOD, sides=sides, closed=True)
    if inside is not None:
        avoid_turns(tables, inside)
    return tables, exact(tables, tables.program.most(loosened(tables, LOOSE if inside is None else LOOSE_INSIDE))[1])


def make_inside(claim: InsideClaim) -> dict[str, Any]:
    """Make tables with an interior of few turns, the border that excludes more, and the resulting claim."""
    _, inside, rest = FEW_TURNS[claim.sides]
    data = _few_turns(claim.sides)
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


@cache
def _few_turns(sides: tuple[int, int]) -> dict[str, Any]:
    """The tables alone."""
    corner, inside, _ = FEW_TURNS[sides]
    return _loose_tables(sides, corner, inside)[1]


def make_turned() -> dict[str, Any]:
    """Make the tables for sides 2, 2 with rings, for tours that a quarter turn maps to themselves."""
    data = make_better((2, 2))
    least = claims_of(data, KIND)[0].boards.least
    claims = []
    for (modulus, residue), (slope, constant) in TURNED.items():
        bound = Bound("at-least", "turns", slope, constant)
        boards = Boards("squares", least, modulus, (residue,))
        claims.append(claim_to_json(FamilyStatement(boards, bounds=(bound,), symmetry="rot90")))
    return data | {"claims": claims, "rings": RINGS, "made_by": f"{HERE}.make_turned()"}


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
    options = arguments.parse_args()
    sides = (int(options.sides[0]), int(options.sides[2])) if options.sides else None
    if options.quarter:
        data = make_turned()
    elif inside := [
        claim
        for claims, residue in ((MANY, options.many), (FACING, options.facing), (INTERIORS, options.interior))
        for claim in claims
        if residue in claim.residues
    ]:
        data = make_inside(inside[0])
    elif options.border:
        data = make_bordered(sides or (0, 0))
    elif sides:
        data = make_better(sides)
    else:
        data = make_family(depth=8, closed=False) if options.open else make_family()
    check(data)
    print(json.dumps(data))


if __name__ == "__main__":
    main()
