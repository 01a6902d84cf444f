"""Families of squares with lines at a right angle: what is accepted, and that nothing stronger is."""

import copy
import itertools
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from kt_models.errors import CertificateError
from tests.effort import slow
from theorems.growing_tours import strands
from theorems.growing_tours.bundles import BOTH, Bundle, Bundles, Slabs
from theorems.growing_tours.codes import MOVES, PAIRS
from theorems.growing_tours.rectangles import RectangleBoard
from theorems.growing_tours.strands import check, check_squares
from theorems.growing_tours.zones import TourFamily

FOLDER = Path(__file__).parents[2] / "heuristics" / "gadgets"
DATA, LONGER = (json.loads((FOLDER / f"strands-turns-chains{which}.json").read_text()) for which in ("", "-14"))
FAMILIES, OTHERS = ([TourFamily.from_json(entry) for entry in data["families"]] for data in (DATA, LONGER))


def steps_of(family: TourFamily) -> int:
    """K."""
    return family.inflations[0].times[0]


def slabs_of(family: TourFamily) -> tuple[Bundles, ...]:
    """The slabs of D(K)."""
    return family.inflations[0].bundles


def with_slabs(family: TourFamily, steps: int, slabs: tuple[Bundles, ...]) -> TourFamily:
    """A family with other slabs."""
    return replace(family, inflations=(Slabs((steps, steps), slabs, (BOTH,) * len(slabs)),))


def board(family: TourFamily) -> RectangleBoard:
    """D(K)."""
    return RectangleBoard(family, family.inflations[0])


LEAST = {2: 21, 6: 21, 18: 21, 22: 21, 34: 21, 42: 22, 50: 21}
"""By the remainder modulo 60: by how much its families have less than 8n turns."""
SOME = [4, *slow({*range(len(FAMILIES))} - {4})]


@pytest.mark.slow
def test_the_delivered_claim_is_checked() -> None:
    assert [claim.text for claim in check(DATA)] == [
        "every board n x n with n >= 86 and n = 6 (mod 20) has a closed knight's tour with at most 8 n - 20 turns"
    ]


@pytest.mark.slow
def test_the_other_delivered_claim() -> None:
    assert [claim.text for claim in check(LONGER)] == [
        "every board n x n with n >= 94 and n = 14 or 34 or 54 or 74 or 94 or 114 or 154 (mod 160) has a closed "
        "knight's tour with at most 8 n - 19 turns"
    ]


def followed(family: TourFamily, k: int) -> tuple[int, int]:
    """Cells of the cycle through the bottom left one, and its turns: cell by cell, with no code of the checker."""
    codes = family.board_codes((k, k))
    start = x, y = 0, 0
    into, cells, turns = PAIRS[codes[0, 0]][1], 0, 0
    into = (into + 4) % 8
    while True:
        first, second = PAIRS[codes[x, y]]
        move = second if first == (into + 4) % 8 else first
        assert (into + 4) % 8 in (first, second)
        cells, turns = cells + 1, turns + (move != into)
        x, y, into = x + MOVES[move][0], y + MOVES[move][1], move
        if (x, y) == start:
            return cells, turns


@pytest.mark.parametrize("number", SOME)
def test_squares_that_were_not_followed(number: int) -> None:
    family = FAMILIES[number]
    k = steps_of(family) + 3
    side = family.grown((k, k))[0]
    assert followed(family, k) == (side * side, 8 * side - 20)


def moved(family: TourFamily) -> TourFamily:
    """The family with its slabs where a step puts them: behind the lines that it puts in below them."""
    bundles = [bundle for slab in slabs_of(family) for bundle in slab]

    def grown(bundle: Bundle) -> int:
        begins = -2 * family.added_side if bundle.direction == 0 else 0
        below = sum(
            abs(before.lines)
            for before in bundles
            if before.direction == bundle.direction and before.edge <= bundle.first
        )
        return begins + below

    slabs = tuple(
        tuple(replace(bundle, first=bundle.first + grown(bundle)) for bundle in slab) for slab in slabs_of(family)
    )
    return with_slabs(family, steps_of(family) + 1, slabs)


@pytest.mark.slow
def test_a_square_of_longer_chains_that_was_not_followed() -> None:
    k = steps_of(OTHERS[2]) + 3
    side = OTHERS[2].grown((k, k))[0]
    assert followed(OTHERS[2], k) == (side * side, 8 * side - 19)


@pytest.mark.parametrize("residue", [38, *slow([2, 10, 18])])
def test_squares_whose_sides_are_walks(residue: int) -> None:
    data = json.loads((FOLDER / f"strands-turns-walks-{residue}.json").read_text())
    families = [TourFamily.from_json(entry) for entry in data["families"]]
    modulus = 40 if residue in (18, 38) else 20
    least = min(family.size[0] for family in families)
    assert least % modulus == residue and len(families) == 160 // modulus
    assert [claim.text for claim in check(data)] == [
        f"every board n x n with n >= {least} and n = {residue} (mod {modulus}) has a closed knight's tour with at "
        "most 8 n - 20 turns"
    ]
    for family in () if residue == 38 else families:
        check_squares(moved(moved(family)))
        k = steps_of(family) + 3
        side = family.grown((k, k))[0]
        assert followed(family, k) == (side * side, 8 * side - 20)


@pytest.mark.parametrize("residue", slow([2, 6, 18, 22, 34, 42, 50]))
def test_squares_with_the_fewest_turns_known(residue: int) -> None:
    data = json.loads((FOLDER / f"strands-turns-least-{residue}.json").read_text())
    families = [TourFamily.from_json(entry) for entry in data["families"]]
    least, less = min(family.size[0] for family in families), LEAST[residue]
    assert least % 60 == residue and len(families) == 240 // 60
    assert [claim.text for claim in check(data)] == [
        f"every board n x n with n >= {least} and n = {residue} (mod 60) has a closed knight's tour with at "
        f"most 8 n - {less} turns"
    ]
    family = min(families, key=steps_of)
    k = steps_of(family) + 3
    side = family.grown((k, k))[0]
    assert followed(family, k) == (side * side, 8 * side - less)


@pytest.mark.parametrize("number", SOME)
def test_the_next_square_can_be_pumped_as_well(number: int) -> None:
    """What the induction says."""
    check_squares(moved(moved(FAMILIES[number])))
    check_squares(moved(moved(OTHERS[number])))


@pytest.mark.slow
def test_slabs_that_do_not_fit() -> None:
    """Less of a slab, or more; other places; another square: none of these can be pumped."""
    family, steps = FAMILIES[0], steps_of(FAMILIES[0])
    right, known = board(family), slabs_of(family)
    right.inflation()
    for which, slab in enumerate(known):
        changed = [slab[:-1], (), *(replaced(slab, lines=lines) for lines in (-40, -10, 1, 40)), *moves(slab)]
        for other in changed:
            slabs = (*known[:which], *([other] if other else []), *known[which + 1 :])
            wrong = board(with_slabs(family, steps, slabs))
            wrong.__dict__["walk"] = right.walk  # The cycle is the same whatever is said of it
            with pytest.raises(CertificateError):
                wrong.inflation()
    for other_steps in (0, steps - 1, steps + 1):
        with pytest.raises(CertificateError):
            board(with_slabs(family, other_steps, known)).inflation()
    with pytest.raises(CertificateError, match="in common"):
        board(with_slabs(family, steps, (*known, known[0]))).inflation()


def replaced(slab: tuple[Bundle, ...], lines: int) -> tuple[Bundle, ...]:
    return (replace(slab[0], lines=slab[0].lines + lines), *slab[1:])


def moves(slab: tuple[Bundle, ...]) -> list[tuple[Bundle, ...]]:
    """One bundle of several is moved away from the others, or all to where no lines are."""
    far = [(replace(slab[0], first=slab[0].first + by), *slab[1:]) for by in (-300, 300) if len(slab) > 1]
    return [*far, tuple(replace(bundle, first=bundle.first + 100_000) for bundle in slab)]


def test_seeds_with_other_moves() -> None:
    """Two cells of a corner exchange their moves: they do not fit, or there is another number of cycles."""
    for number, family in itertools.product(range(2), FAMILIES):
        codes = family.codes.copy()
        a, b = Random(number).sample([(x, y) for x in range(5) for y in range(5)], 2)
        codes[a], codes[b] = codes[b], codes[a]
        if (codes != family.codes).any():
            with pytest.raises(CertificateError):
                check_squares(replace(family, codes=codes))


def test_smaller_steps_prove_nothing() -> None:
    """With steps of 40 not all squares of these families are one cycle, and where they are the slabs do not fit."""
    for family in FAMILIES[:3]:
        first, second = (
            replace(growth, columns=tuple(n // 4 for n in growth.columns), rows=tuple(n // 4 for n in growth.rows))
            for growth in family.growths
        )
        with pytest.raises(CertificateError):
            check_squares(replace(family, growths=(first, second)))


def stronger(data: dict[str, Any]) -> list[dict[str, Any]]:
    """What may replace parts of a claim about squares that is as strong as its families allow."""
    boards, (bound,) = data["claims"][0]["boards"], data["claims"][0]["bounds"]
    (slope, _), (constant, _) = bound["slope"], bound["constant"]
    return [
        {"boards": {**boards, "least": boards["least"] - boards["modulus"]}},
        {"boards": {**boards, "modulus": 10, "residues": [boards["residues"][0] % 10]}},
        {"boards": {**boards, "shape": "rectangles", "residues": [boards["residues"][0] ** 2 % boards["modulus"]]}},
        {"bounds": [{**bound, "constant": [constant - 1, 1]}]},
        {"bounds": [{**bound, "slope": [10 * slope - 1, 10], "constant": [100, 1]}]},
        {"bounds": [{**bound, "metric": "crossings", "slope": [10000, 1], "constant": [0, 1]}]},
    ]


@pytest.fixture
def families_are_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Families count as proved: that they are in one cycle need not be shown again where a claim is to be refused."""
    monkeypatch.setattr(strands, "check_squares", lambda *_: 0)


@pytest.mark.usefixtures("families_are_proved")
@pytest.mark.parametrize("change", stronger(DATA), ids=str)
def test_claims_that_are_too_strong(change: dict[str, Any]) -> None:
    data = copy.deepcopy(DATA)
    data["claims"][0] |= change
    with pytest.raises(CertificateError):
        check(data)


def move_growth(added: list[int]) -> None:
    """From the first of two zones to the second one."""
    added[0] -= 10
    added[1] += 10


Change = Callable[[dict[str, Any]], object]
"""Of a family in a file."""
FORGED_SQUARES: list[Change] = [
    lambda family: family.update(copies=0),
    lambda family: family.update(copies=family["copies"] + 1),
    lambda family: move_growth(family["growths"][0]["columns"]),
    lambda family: family["growths"][0].update(least=-1),
    lambda family: family["growths"].reverse(),
    lambda family: family["columns"].pop(),
    lambda family: family["columns"][0].append(1),
    lambda family: family["columns"][0].__setitem__(1, 9),
]
"""Changes that leave no family of squares with lines at a right angle, or one with a square in several cycles."""


FORGED: list[Change] = [
    lambda family: family.update(slabs=[]),
    lambda family: family.update(slabs={}),
    lambda family: family["slabs"][0].append([0, 1]),
    lambda family: family["slabs"][0].append([3, 1, 10]),
    lambda family: family["slabs"][0].append([0, 10**7, 10]),
    lambda family: family["slabs"][0].append([0, 1, 0]),
    lambda family: family["slabs"][0].append([0, 1.5, 10]),
    lambda family: family.update(steps=-1),
    lambda family: family.update(steps=10**6),
    lambda family: family.pop("steps"),
    *FORGED_SQUARES,
]


@pytest.mark.parametrize("number", range(len(FORGED)))
def test_forged_files_are_refused(number: int) -> None:
    data = copy.deepcopy(DATA)
    FORGED[number](data["families"][0])
    with pytest.raises(CertificateError):
        check(data)


@pytest.mark.usefixtures("families_are_proved")
def test_a_missing_family_is_noticed() -> None:
    with pytest.raises(CertificateError):
        check({**DATA, "families": DATA["families"][:-1]})
