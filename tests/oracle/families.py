"""Whether claims about boards of all sizes are true, as far as that is known.

They are held against all tours of small boards, against tours that are delivered or that grow from delivered seeds
(built and counted by `tests.family_oracle`), and, on large boards, against theorems in the other direction.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from kt_models import KTError, MoveGraph, Problem
from kt_models.leaper import KNIGHT
from kt_models.tour import tour_from_json
from tests import family_oracle
from tests.oracle.problems import signed
from tests.oracle.truth import Case, TooMany, case_of
from theorems.statement import FamilyStatement

ROOT = Path(__file__).parents[2]
GADGETS, RESULTS = ROOT / "heuristics" / "gadgets", ROOT / "heuristics" / "delivered" / "results"
MOST_CELLS = 20
"""Most cells of a board whose tours are all looked at."""
LARGE = 10**9
"""A side at which only the slope of a bound matters."""
TURNED = {"rot180": "(-x,-y)", "rot90": "(-y,x)"}

Size = tuple[int, ...]


def first_family(name: str) -> Any:
    """A delivered file of families cut down to its first one; its claims are as they were."""
    data = json.loads((GADGETS / name).read_text())
    return data | {"families": data["families"][:1]}


@cache
def known(metric: str) -> list[tuple[int, int, bool, int]]:
    """Turns or crossings of knight's tours: delivered ones, and those of families; an open tour has no more."""
    tours = []
    for path in RESULTS.glob("*.json"):
        data = json.loads(path.read_text())
        if "tour" not in data:
            continue
        tour = tour_from_json(data)
        if tour.graph.board is not None and tour.graph.board.is_box:
            tours.append((*tour.graph.board.shape, tour.closed, tour.measure(metric)))
    for data, members in (
        (first_family("strands-both.json"), family_oracle.strands_members),
        (first_family("octants-crossings.json"), family_oracle.octants_members),
    ):
        tours += [(w, h, True, getattr(family_oracle, metric)(cells)) for w, h, cells in members(data, 68)]
    return tours + [(w, h, False, many) for w, h, closed, many in tours if closed]


def fewest(metric: str, w: int, h: int, closed: bool) -> int:
    """Every knight's tour of a rectangle has at least so many (docs/theory)."""
    by_period = min(w, h) >= 15 and (w % 2 or h % 2 or w % 4 == h % 4 == 2)
    least, constant = {
        ("turns", True): (12, -23 if by_period else -24),
        ("turns", False): (12, -28 if min(w, h) >= 13 else -29),
        ("crossings", True): (9, 36),
        ("crossings", False): (8, 24),
    }[metric, closed]
    return (4 if metric == "turns" else 2) * (w + h) + constant if min(w, h) >= least else 0


def attained(metric: str, w: int, h: int) -> Fraction | float:
    """Some closed tour of a rectangle, and so some open one, has at most so many (docs/constructions/strands.md)."""
    if metric == "turns":
        return 4 * (w + h) - 13 if min(w, h) >= 12 and w * h % 2 == 0 else float("inf")
    return Fraction(19 * w, 3) + 86 if w == h >= 52 and w % 2 == 0 else float("inf")


def tourable(w: int, h: int) -> bool:
    """Whether a rectangle has a closed knight's tour (Schwenk 1991)."""
    w, h = sorted((w, h))
    return not (w * h % 2 or w in (1, 2, 4) or (w == 3 and h in (4, 6, 8)))


PAIRS = ("rectangles", "long rectangles")
"""Shapes of boards that have two sides."""


def truth_of_family(claim: FamilyStatement) -> bool | None:
    """False if a claim is known to be false; None otherwise: a proof of it is not known here."""
    if any(_refutes(claim, size, case) for size, case in _small(claim)):
        return False
    if claim.leaper != KNIGHT or claim.boards.shape == "aztec diamonds":
        return None
    single = claim.boards.shape == "squares"
    if not claim.exists and not claim.symmetry:
        for w, h, closed, many in known(claim.bounds[0].metric):
            size = (w,) if single else (w, h)
            meant = closed == claim.closed and (not single or w == h) and claim.boards.includes(*size)
            if meant and many < claim.bounds[0].at(sum(size)):
                return False
    for size in _sizes(claim):
        w, h = size * 2 if single else size
        if claim.exists and claim.closed and not tourable(w, h):
            return False
        for bound in claim.bounds:
            value = bound.at(sum(size))
            if claim.exists and value < fewest(bound.metric, w, h, claim.closed):
                return False
            if not claim.exists and not claim.symmetry and value > attained(bound.metric, w, h):
                return False
    return None


def _sizes(claim: FamilyStatement) -> Iterator[Size]:
    """Sizes of boards that are meant: the least of each residue, and huge ones."""
    boards = claim.boards
    for start in (boards.least, 3 * boards.least, max(boards.least, LARGE)):
        near = range(start, start + 2 * min(boards.modulus, 12) + 2)
        for w in near:
            for h in near if boards.shape in PAIRS else [w]:
                size = (w, h) if boards.shape in PAIRS else (w,)
                if boards.includes(*size):
                    yield size


def _small(claim: FamilyStatement) -> Iterator[tuple[Size, Case]]:
    """Boards that are meant and small enough for all of their tours."""
    boards = claim.boards
    for w in range(boards.least, MOST_CELLS + 1):
        for h in range(w, MOST_CELLS // w + 1) if boards.shape in PAIRS else [w]:
            size = (w, h) if boards.shape in PAIRS else (w,)
            cells = 2 * w * (w + 1) if boards.shape == "aztec diamonds" else w * h
            if cells > MOST_CELLS or not boards.includes(*size):
                continue
            name = f"aztec:{w}" if boards.shape == "aztec diamonds" else f"{w}x{h}"
            try:
                yield size, _case(name, str(claim.leaper), claim.closed, claim.symmetry)
            except KTError:
                continue


@cache
def _case(board: str, leaper: str, closed: bool, symmetry: str) -> Case:
    case = case_of(Problem(MoveGraph.from_json({"board": board, "leaper": leaper}), "cycle" if closed else "path"))
    return replace(case, generators=(signed(TURNED[symmetry]),)) if symmetry else case


def _refutes(claim: FamilyStatement, size: Size, case: Case) -> bool:
    """Whether all tours of one board show that a claim is false."""
    try:
        solutions = case.solutions
    except TooMany:
        return False
    bounds = [(case.asks(bound.metric), bound.at(sum(size))) for bound in claim.bounds]
    if claim.exists:
        return not any(all(asked.value(s) <= value for asked, value in bounds) for s in solutions)
    return any(asked.value(s) < value for asked, value in bounds for s in solutions)
