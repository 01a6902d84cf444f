"""A method that is asked by name does, without further settings, what its page says it does.

Each row is a claim: of docs/use/finding.md, of the method's page under docs/constructions, or of `kt find --methods`.
Work is counted in steps, not seconds; the limit of time only ends a search that fails.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import kt
from encoders.find import METHODS, find
from heuristics.find import construct
from kt_models import Result
from kt_models.limits import NO_LIMITS, Limits

Check = Callable[[Result], bool]
PATIENCE = 300.0
"""Seconds after which a search has failed."""
POINTS = kt.graph(points=np.random.default_rng(1).random((300, 2)))
"""Points in the unit square; a tour of n of them has a length near 0.7124 * sqrt(n), and more near the border."""


def steps(name: str, most: int) -> Check:
    """Whether a search has counted at most so many."""
    return lambda result: result.statistics[name] <= most


def turns(most: int) -> Check:
    """Whether the tour has at most so many."""
    return lambda result: result.turns is not None and result.turns <= most


def crossings(most: int) -> Check:
    """Whether the tour has at most so many."""
    return lambda result: result.crossings is not None and result.crossings <= most


def any_tour(result: Result) -> bool:
    """Nothing is claimed but that there is a tour."""
    return True


CLAIMS: dict[str, list[tuple[Any, dict[str, Any], Check]]] = {
    "merge": [("8x8", {}, any_tour), ("100x100", {}, any_tour), ("aztec:20", {"open": True}, any_tour)],
    "quotient": [("46x46", {"symmetry": "rot90"}, any_tour), ("200x202", {"symmetry": "rot180"}, any_tour)],
    "path-conversion": [(f"aztec:{n}", {}, any_tour) for n in (2, 5, 20, 40)],
    "random-walk": [(f"aztec:{n}", {}, steps("steps", 2_000_000)) for n in (2, 5, 9, 14)],
    "euler": [("8x8", {}, any_tour), ("200x200", {}, steps("tries", 1))],
    "warnsdorff": [("8x8", {}, any_tour), ("50x50", {"open": True}, steps("walks", 20))],
    "uniform": [("5x6", {}, any_tour), ("6x6", {}, any_tour)],
    "random-greedy": [
        *((board, {"open": True}, any_tour) for board in ("5x6", "6x6", "4x4x4")),
        ("4x4x4", {}, any_tour),
    ],
    "edge-deletion": [
        *((f"{n}x{n}", {}, steps("backtracks", 5)) for n in (6, 10, 22, 24, 48, 64, 100)),
        ("7x7", {"open": True}, any_tour),
    ],
    "strands": [
        *((f"{w}x{h}", {}, turns(4 * (w + h) - 15)) for w, h in ((13, 14), (14, 14), (20, 31), (102, 102))),
        ("102x102", {"symmetry": "rot180"}, turns(8 * 102 - 18)),
        ("126x126", {"symmetry": "rot90"}, turns((26 * 126 - 32) // 3)),
    ],
    "sides": [("20x24", {}, turns(4 * 44 - 17)), ("30x31", {}, turns(4 * 61 - 17))],
    "octants": [
        ("52x52", {}, crossings(19 * 52 // 3 + 86)),
        ("66x68", {}, crossings(19 * 134 // 6 + 96)),
    ],
    "formation": [("16x12", {}, any_tour), ("6x10", {}, any_tour), ("64x64", {}, any_tour)],
    "rings": [(f"aztec:{n}", {}, any_tour) for n in range(2, 20)],
    "parberry": [
        *((f"{w}x{h}", {}, any_tour) for w, h in ((6, 6), (8, 10), (9, 10), (50, 51))),
        ("9x9-a1", {}, any_tour),
        ("46x46", {"symmetry": "rot90"}, any_tour),
    ],
    "torus": [
        *((f"torus:{w}x{h}", {}, any_tour) for w, h in ((3, 3), (6, 9), (20, 30))),
        ("torus:7x8", {}, turns(0)),
        ("torus:3x4x5", {}, any_tour),
        ("torus:7x9", {"leaper": (1, 4)}, any_tour),
    ],
    "or-opt": [
        (POINTS, {"minimize": "length"}, lambda result: result.value <= 0.78 * math.sqrt(POINTS.n)),
        (POINTS, {"minimize": "length", "open": True}, lambda result: result.value <= 0.78 * math.sqrt(POINTS.n)),
    ],
    "uncrossed": [(f"torus:{w}x{h}", {}, crossings(0)) for w, h in ((4, 4), (7, 8), (10, 12), (30, 31))],
}  # fmt: skip
SLOW: dict[str, list[tuple[Any, dict[str, Any], Check]]] = {
    "merge": [("1000x1000", {}, any_tour)],
    "random-walk": [(f"aztec:{n}", {}, steps("steps", 30_000_000)) for n in range(2, 23)],
    "path-conversion": [("aztec:100", {}, any_tour), ("aztec:98", {}, any_tour)],
    "uniform": [("7x8", {}, any_tour)],
    "edge-deletion": [
        *((f"{n}x{n}", {}, steps("backtracks", 5)) for n in range(6, 305, 2)),
        ("304x304", {}, steps("nodes", 304 * 304)),
    ],
    "octants": [("65x68", {}, crossings(91 * 133 // 24 + 95))],
    "rings": [(f"aztec:{n}", {}, any_tour) for n in (100, 200, 300)],
}


def rows(claims: dict[str, list[tuple[Any, dict[str, Any], Check]]]) -> list[Any]:
    """The claims as parameters of a test."""
    return [
        pytest.param(
            method, board, asked, check, id=" ".join([method, getattr(board, "name", board), *map(str, asked.values())])
        )
        for method, some in claims.items()
        for board, asked, check in some
    ]


def test_every_method_has_a_claim() -> None:
    assert set(CLAIMS) == set(METHODS)


def keeps(method: str, board: Any, asked: dict[str, Any], check: Check) -> None:
    # All the time that is given is used by a method that goes on as long as it may.
    limits = NO_LIMITS if METHODS[method].improves else Limits(PATIENCE, workers=1)
    result = find(kt.problem(board, **asked), method, limits=limits)
    assert result.tour is not None, result.reason
    assert check(result), (dict(result.statistics), result.turns, result.crossings)


@pytest.mark.parametrize(("method", "board", "asked", "check"), rows(CLAIMS))
def test_a_method_does_by_itself_what_its_page_says(
    method: str, board: Any, asked: dict[str, Any], check: Check
) -> None:
    keeps(method, board, asked, check)


@pytest.mark.slow
@pytest.mark.parametrize(("method", "board", "asked", "check"), rows(SLOW))
def test_default_methods_keep_conditions_on_large_boards(
    method: str, board: str, asked: dict[str, Any], check: Check
) -> None:
    keeps(method, board, asked, check)


def test_few_turns_under_a_half_turn_need_no_method() -> None:
    """The construction that is best is asked first, so there is a tour even where the time is short."""
    problem = kt.problem("102x102", symmetry="rot180", minimize="turns")
    asked: list[str] = []
    result = construct(problem, on_progress=lambda now: asked.append(now.engine))
    assert result is not None and result.value == 8 * 102 - 18 and asked[0] == "find/strands"
