"""Controls of the paper's lemmas: with one hypothesis removed, the checker refuses, or the statement is false.

A checker that accepts everything would pass every test of what is true. Each case names the lemma of
`theorems/turns/proof.md` (A) or `theorems/growing_tours/proof.md` (B) and the hypothesis. `ELSEWHERE` names the
controls that stand beside other tests of the same part of the checker.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from math import lcm
from pathlib import Path
from random import Random
from typing import Any

import pytest

from kt_models import graph_of
from kt_models.errors import CertificateError
from kt_models.files.check import check_file
from tests.house import ROOT
from tests.theorems.facing_sides import FILES, RIGHT, numbers_of, sides, swept
from theorems.statement import Boards
from theorems.turns.circuits import SquareCircuit
from theorems.turns.facing import FacingEnd
from theorems.turns.joins import joined_lines
from theorems.turns.many_turns import LargeSquares
from theorems.turns.planes import DIRECTIONS, Plane, planes
from theorems.turns.theorem import check
from theorems.turns.tight_circuits import TightCircuit

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


@pytest.mark.parametrize(
    ("lemma", "name", "place", "value", "words"),
    [pytest.param(*case, id=case[0], marks=pytest.mark.slow if case[0].startswith("A9") else ()) for case in REFUSED],
)
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


CHEVRONS = Plane((1, 2), (1, -2), frozenset({2, 3}))
"""The plane whose circuit needs the three sides."""


def circuit_of(plane: Plane, remainder: int, data: Any = FILES[0], **changes: Any) -> SquareCircuit:
    """The circuits round the squares of a file, without turns inside, with some of its sweep's data changed."""
    sweep = replace(swept(data), turns=0, known_corner_excesses={}, **changes)
    return SquareCircuit(sweep, plane, remainder, lcm(sweep.period, plane.classes, 2))


def test_a_side_without_excess_has_no_unit() -> None:
    """A23, A24: some cell of a side has an excess. Without any, no excess is too much for tight places."""

    def plain(side: int) -> Any:
        return {cell: [(0, *pair) for _, *pair in pairs] for cell, pairs in numbers_of(FILES[0])(side).items()}

    with pytest.raises(CertificateError, match="no cell of a side has an excess"):
        _ = circuit_of(CHEVRONS, 0, options=plain).least_excess_in_middle


def test_short_sides_may_have_no_tight_place() -> None:
    """A24: the sides are long."""
    with pytest.raises(CertificateError, match="40x40 is too small for a circuit"):
        circuit_of(CHEVRONS, 0).check_long_sides(40)


def test_facing_windows_of_small_squares_may_have_something_in_their_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """A26: there are more places for windows than turns and excesses can be in the way of."""
    monkeypatch.setattr(FacingEnd, "may_be_apart", lambda _: False)
    with pytest.raises(CertificateError, match="40x40 is too small for facing sides"):
        sides(RIGHT, {1}, 0).check(Boards("squares", 40, 40, (0,)))


@pytest.mark.slow
def test_sides_may_have_an_excess_if_little_is_needed_elsewhere() -> None:
    """A27: without the middle of a side the circuit has E - g or more. It does not have E."""
    checked = sides(RIGHT, {2}, 42, data=FILES[2])
    tight, excess = SquareCircuit(checked.sweep, checked.plane, checked.remainder, checked.period), checked.sweep.excess
    tight.check_without_middle(excess - checked.circuit.least_excess_in_middle)
    with pytest.raises(CertificateError, match="an interior may have an excess of 22, not 25"):
        tight.check_without_middle(excess)


def test_moves_that_do_not_fit_join_nothing() -> None:
    """A28: a move is a move of both of its cells."""
    known = {(0, 0): ((1, 2), (2, 1)), (2, 1): ((-1, 2), (1, 2))}
    with pytest.raises(CertificateError, match="do not fit together"):
        joined_lines(known, lambda _: True)


@pytest.mark.slow
def test_fillings_with_more_excess_are_more() -> None:
    """A29: the other corners have their least excesses. Otherwise there are fillings that are not listed."""
    corners = sides(RIGHT, {2}, 42, data=FILES[2])._corners
    some, more = (replace(corners._choices(3, tight=True), below=below) for below in (8, 25))
    number = [sum(1 for index in range(len(chosen.last)) for _ in chosen.ways(index)) for chosen in (some, more)]
    assert number[0] < number[1]


def test_a_circuit_may_have_more_than_it_has_to() -> None:
    """A32: E is at most the least excess, here 40 for the chevrons."""
    with pytest.raises(CertificateError, match="a circuit may have an excess of 40, not 41"):
        TightCircuit(circuit_of(CHEVRONS, 0, excess=41), 41, 41).check()


@pytest.mark.parametrize(
    ("lemma", "check_places"),
    [
        ("A33: tight places", LargeSquares.check_tight_places),
        ("A33: facing windows", LargeSquares.check_facing),
        ("A34: the right side", lambda squares: squares.check_three(1)),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_turns_may_be_in_the_way_in_small_squares(lemma: str, check_places: Callable[[LargeSquares], None]) -> None:
    """The squares have 1000 cells a side, or more."""
    plane = Plane(*RIGHT, frozenset({1})) if "facing" in lemma else CHEVRONS
    circuit = circuit_of(plane, 0, excess=51)
    check_places(LargeSquares(circuit, 1000, 1))
    with pytest.raises(CertificateError, match="200x200 is too small for turns inside"):
        check_places(LargeSquares(circuit, 200, 1))


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
    sums, false = [], []
    for _ in range(60):
        numbers: dict[tuple[int, int], int] = {}
        both = {}
        for u, v in graph.ends.tolist():
            a = rng.randint(-2, 2)
            numbers[u, v], numbers[v, u] = a, -a
            both[u, v] = both[v, u] = abs(a)
        sums.append(least_sum(graph, numbers))
        false.append(least_sum(graph, both))
    assert max(sums) <= least < max(false)


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


ELSEWHERE = {
    "A35": ("many_turns", "three_sides_have_a_cycle_where_all_walks_have_one"),  # In half of its cases there is none
    "B1": ("strands_families", "moves_that_do_not_fit_are_refused"),
    "B3": ("inflation", "a_corner_that_moves_is_refused_wherever_it_fits"),
    "B4": ("inflation", "one_cycle_for_all_numbers_of_copies_or_not"),
    "B5": ("chains", "slabs_that_do_not_fit"),
    "B6": ("inflation", "families_with_too_few_slabs"),
    "B10": ("loops", "a_cut_that_does_not_fit"),
    "B11": ("chains", "smaller_steps_prove_nothing"),
    "B13": ("radial_adversary", "runs_that_leave_their_lines"),
    "B14": ("radial", "slabs_that_do_not_fit"),
    "B16": ("all_sizes", "octants_with_zones_that_the_slabs_do_not_fit_are_refused"),
    "B18": ("all_sizes", "octants_with_lines_of_another_direction_are_refused"),
    "B19": ("all_sizes", "claims_that_are_too_strong"),
    "B20": ("all_sizes", "a_file_with_a_family_less_is_refused"),
    "B22": ("spirals", "steps_that_lose_a_cycle_or_are_not_the_same_for_all_sizes"),
    "B23": ("spirals", "paths_that_are_not_in_one_place_as_the_family_grows"),
    "B24": ("spirals", "smaller_steps_of_growth_are_refused"),
}


@pytest.mark.checkout  # It reads the proofs beside the code
def test_every_lemma_that_a_program_checks_has_a_control() -> None:
    for module, name in ELSEWHERE.values():
        text = (Path(__file__).parent / f"test_{module}.py").read_text()
        assert re.search(rf"^def test_{name}\(.*?pytest\.raises", text, re.M | re.S), (module, name)
    source = Path(__file__).read_text().partition("\nELSEWHERE = ")[0]
    controlled = {*re.findall(r"\b[AB]\d+\b", source), *ELSEWHERE}
    for letter, folder in (("A", "turns"), ("B", "growing_tours")):
        text = (ROOT / "theorems" / folder / "proof.md").read_text()
        checked = re.findall(r"^### Lemma (\d+) .*\n\n\*By program:", text, re.M)
        assert len(checked) > 10 and {f"{letter}{number}" for number in checked} <= controlled
