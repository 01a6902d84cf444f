"""Controls of the paper's lemmas: with one hypothesis removed, the checker refuses, or the statement is false.

A checker that accepts everything would pass every test of what is true.  Each case names the lemma of
`theorems/turns/proof.md` (A) or `theorems/growing_tours/proof.md` (B) and the hypothesis.
"""

from __future__ import annotations

import copy
import json
from itertools import combinations
from random import Random
from typing import Any

import pytest

from kt_models import graph_of
from kt_models.errors import CertificateError
from kt_models.files.check import check_file
from tests.house import ROOT
from tests.theorems.facing_sides import FILES, RIGHT, sides
from theorems.statement import Boards
from theorems.turns.planes import DIRECTIONS, Plane, planes
from theorems.turns.theorem import check

RESULTS, GADGETS = ROOT / "heuristics" / "delivered" / "results", ROOT / "heuristics" / "gadgets"
LEAST, CONSTANT = ("claims", 0, "boards", "least"), ("claims", 0, "bounds", 0, "constant")


def forged(data: Any, place: tuple[Any, ...], value: Any) -> Any:
    """A copy of a file with another value at one place."""
    data = copy.deepcopy(data)
    inner = data
    for key in place[:-1]:
        inner = inner[key]
    assert inner[place[-1]] != value
    inner[place[-1]] = value
    return data


REFUSED = [
    ("A4: no small board is left out", "turns-all-n", LEAST, 11, "only 75 turns are shown on 11x14"),
    ("A4: the claim is what the small boards have", "turns-all-n", CONSTANT, [-23, 1], "are shown"),
    ("A6: the border is deep enough", "turns-border-0-1-mod-4", ("border", "rows"), 6, "may have an excess of 0"),
    ("A6: deep enough, three sides", "turns-border-2-2-mod-4", ("border", "rows"), 5, "may have an excess of 0"),
    ("A7: both sides are at least 2 R", "turns-border-2-2-mod-4", LEAST, 16, "are shown"),
    ("A9: the ring has enough rows", "turns-quarter", ("rings", 0, "rows"), 5, "may have fewer than 8 turns"),
    ("A10: the rings repeat as often as they fit", "turns-quarter", ("rings", 0, "turns"), 3, "are shown"),
    ("A11: a quarter turn maps the tour to itself", "turns-quarter", ("claims", 0, "symmetry"), "rot180", "are shown"),
    ("A22: T + 1 turns and a border come to E", "turns-interior-0-mod-4", ("border", "excess"), 11, "turn inside"),
]


@pytest.mark.parametrize(("lemma", "name", "place", "value", "words"), REFUSED, ids=[case[0] for case in REFUSED])
def test_a_lower_bound_without_a_hypothesis_is_refused(
    lemma: str, name: str, place: tuple[Any, ...], value: Any, words: str
) -> None:
    data = json.loads((RESULTS / f"{name}.json").read_text())
    with pytest.raises(CertificateError, match=words):
        check(forged(data, place, value))


@pytest.mark.slow
@pytest.mark.parametrize(("residue", "coset", "side"), [(2, 2, 42), (10, 1, 6)])
def test_the_strip_is_refused_where_there_are_tours(residue: int, coset: int, side: int) -> None:
    """A30: the phase goes with no corner. For n = 6 and n = 42 modulo 60 some phase goes with both.

    There are tours with 8n - 21 and with 8n - 22 turns, so the lemma would be false. Each takes less than a minute.
    """
    data, boards = FILES[residue], Boards("squares", 344, 60, (side,))
    with pytest.raises(CertificateError, match="may have no pair of lines that both join"):
        sides(RIGHT, {coset}, side, data=data).check(boards)


def test_an_even_number_of_rows_has_no_facing_windows() -> None:
    """A25: D is odd."""
    with pytest.raises(CertificateError, match="odd number of rows"):
        sides(RIGHT, {2}, 42, rows=6, data=FILES[2]).check(Boards("squares", 180, 60, (42,)))


def least_sum(graph: Any, numbers: dict[tuple[int, int], int]) -> int:
    """V: over all cells the least of a turn and the numbers of two moves, by all pairs."""
    cells = graph.board.cells.tolist()
    around: dict[int, list[int]] = {v: [] for v in range(graph.n)}
    for u, v in graph.ends.tolist():
        around[u].append(v)
        around[v].append(u)
    total = 0
    for v, near in around.items():
        values = []
        for a, b in combinations(near, 2):
            straight = all(p + q == 2 * r for p, q, r in zip(cells[a], cells[b], cells[v], strict=True))
            values.append((not straight) + numbers[v, a] + numbers[v, b])
        total += min(values)
    return total


def test_numbers_that_do_not_cancel_show_what_is_false() -> None:
    """A1: the two numbers of a move add up to 0. Then V is at most the fewest turns, and otherwise it may be more."""
    graph, rng = graph_of("6x6"), Random(1)
    least = 32
    assert json.loads((RESULTS / "turns-6x6.json").read_text())["value"] == least
    shown, false = [], []
    for _ in range(60):
        numbers: dict[tuple[int, int], int] = {}
        both = {}
        for u, v in graph.ends.tolist():
            a = rng.randint(-2, 2)
            numbers[u, v], numbers[v, u] = a, -a
            both[u, v] = both[v, u] = abs(a)
        shown.append(least_sum(graph, numbers))
        false.append(least_sum(graph, both))
    assert max(shown) <= least < max(false)


def test_planes_have_one_direction_in_a_class() -> None:
    """A12, A13: all cells of a class have the same direction. If one cell has another, lines meet at a cell."""

    def is_plane(direction: Any, size: int) -> bool:
        """Whether each cell lies on a line: both neighbours along its direction have the same direction."""
        return all(
            direction(x, y) == direction(x + sign * direction(x, y)[0], y + sign * direction(x, y)[1])
            for x in range(size)
            for y in range(size)
            for sign in (1, -1)
        )

    found = list(planes())
    for plane in found:
        assert is_plane(plane.direction, 2 * plane.classes)
        other = next(d for d in DIRECTIONS if d not in (plane.first, plane.second))

        def changed(x: int, y: int, plane: Plane = plane, other: tuple[int, int] = other) -> tuple[int, int]:
            return other if (x, y) == (3, 3) else plane.direction(x, y)

        assert not is_plane(changed, 8)


UPPER = [
    (
        "B8: the bound is what each member has",
        "strands-turns-symmetric",
        CONSTANT,
        [-13, 1],
        "no family has the board 76x76",
    ),
    ("B9: every board has a family", "strands-turns-symmetric", LEAST, 72, "no family has the board 72x72"),
    ("B9: of the step that it says", "strands-turns-chains", CONSTANT, [-21, 1], "no family"),
    pytest.param(
        "B9: of rectangles", "strands-turns-two", LEAST, 11, "no family has the board 11x12", marks=pytest.mark.slow
    ),
]


@pytest.mark.parametrize(("lemma", "name", "place", "value", "words"), UPPER)
def test_an_upper_bound_without_a_hypothesis_is_refused(
    lemma: str, name: str, place: tuple[Any, ...], value: Any, words: str, tmp_path: Any
) -> None:
    path = tmp_path / f"{name}.json"
    path.write_text(json.dumps(forged(json.loads((GADGETS / path.name).read_text()), place, value)))
    with pytest.raises(CertificateError, match=words):
        check_file(path)
