"""Families of tours that a half turn maps to themselves: what is accepted as such, and that nothing else is."""

import copy
import itertools
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kt_models.errors import CertificateError, KTError
from tests import family_oracle as oracle
from theorems.growing_tours.codes import MOVES, PAIRS, Codes
from theorems.growing_tours.strands import check, satisfies
from theorems.growing_tours.zones import Growth, TourFamily, Zone

FOLDER = Path(__file__).parents[2] / "heuristics" / "gadgets"
DATA = json.loads((FOLDER / "strands-turns-symmetric.json").read_text())
FAMILIES = [TourFamily.from_json(entry) for entry in DATA["families"]]


def turned(codes: Codes) -> bool:
    """Whether a half turn maps the moves of a board to themselves: cell by cell, with no code of the checker."""
    width, height = codes.shape
    for x, y in itertools.product(range(width), range(height)):
        moves = {MOVES[move] for move in PAIRS[codes[x, y]]}
        there = {MOVES[move] for move in PAIRS[codes[width - 1 - x, height - 1 - y]]}
        if moves != {(-dx, -dy) for dx, dy in there}:
            return False
    return True


def one_family(number: int) -> dict[str, Any]:
    """A file of one family, with a claim on its squares alone."""
    data = copy.deepcopy(DATA)
    entry, claim = data["families"][number], data["claims"][0]
    side = len(entry["seed"])
    claim["boards"] = {"shape": "squares", "least": side, "modulus": 16, "residues": [side % 16]}
    return {**data, "claims": [claim], "families": [entry]}


@pytest.mark.parametrize("number", range(8))
def test_squares_in_plain_python(number: int) -> None:
    seen = 0
    for n, height, cells in oracle.strands_members({"families": [DATA["families"][number]]}, 110):
        if n == height:
            seen += 1
            assert oracle.is_tour(cells)
            assert oracle.turns(cells) <= 8 * n - {0: 16, 4: 12}.get(n % 8, 18)
            for (x, y), moves in cells.items():
                assert {*moves} == {(-dx, -dy) for dx, dy in cells[n - 1 - x, n - 1 - y]}
    assert seen > 1


@pytest.mark.parametrize("family", FAMILIES[:2])
def test_boards_of_a_symmetric_family_are_symmetric(family: TourFamily) -> None:
    assert family.half_turned and all(turned(family.board_codes(times)) for times in ((0, 0), (1, 2), (3, 0)))


def changes(family: TourFamily) -> list[Callable[[], TourFamily]]:
    """Other zones and growths of the same seed, and a seed with another copy of each zone of columns."""
    (first, second), columns = family.growths, family.columns
    off = replace(columns[0], start=columns[0].start + 1)
    double = Zone(columns[0].start, columns[0].period // 2)
    grown = (columns[0].period, *(0,) * (len(columns) - 1))
    return [
        lambda: replace(family, columns=(off, *columns[1:])),
        lambda: replace(family, columns=(double, *columns[1:])),
        lambda: replace(
            family, columns=columns[1:], growths=tuple(_without_first(growth) for growth in family.growths)
        ),  # type: ignore[arg-type]
        lambda: replace(family, growths=(replace(first, columns=grown), second)),
        lambda: replace(family, codes=family.board_codes((1, 0)), columns=_moved(columns)),
    ]


def _without_first(growth: Growth) -> Growth:
    return replace(growth, columns=growth.columns[1:])


def _moved(zones: tuple[Zone, ...]) -> tuple[Zone, ...]:
    """The last zone, where it is when each zone has grown by a period; the first alone of two copies."""
    return zones[0], replace(zones[1], start=zones[1].start + zones[0].period)


@pytest.mark.parametrize("family", FAMILIES[:3])
def test_squares_called_symmetric_are_symmetric(family: TourFamily) -> None:
    """Zones off centre, growths of one side only, seeds with another copy: none of these, unless its boards are."""
    refused = 0
    for change in changes(family):
        try:
            other = change()
        except CertificateError:
            continue
        symmetric = all(turned(other.board_codes((k, k))) for k in (0, 1, 2))
        assert symmetric or not other.half_turned
        refused += not symmetric
    assert refused >= 2


def exchanged(codes: Codes) -> Codes:
    """The table with two parallel moves replaced by the two others of a parallelogram, where one is found."""
    for x, y, first, second in itertools.product(range(9), range(9), range(8), range(8)):
        (a, b), (c, d) = MOVES[first], MOVES[second]
        cells = [(x, y), (x + a, y + b), (x + a + c, y + b + d), (x + c, y + d)]
        steps = [first, second, (first + 4) % 8, (second + 4) % 8]
        if len({*cells}) < 4 or min(min(cell) for cell in cells) < 0:
            continue
        made = [{*PAIRS[codes[cell]]} for cell in cells]
        back = [(steps[k - 1] + 4) % 8 for k in range(4)]
        old, new = ([way[k % 2][k] for k in range(4)] for way in ((steps, back), (back, steps)))
        if all(old[k] in made[k] and new[k] not in made[k] for k in range(4)):
            found = codes.copy()
            for k, cell in enumerate(cells):
                found[cell] = PAIRS.index(tuple(sorted(made[k] - {old[k]} | {new[k]})))
            return found
    raise AssertionError("no parallelogram")


def test_a_seed_that_is_not_symmetric() -> None:
    family = FAMILIES[0]
    other = replace(family, codes=exchanged(family.codes))
    assert family.half_turned and not other.half_turned and not turned(other.codes)


@pytest.mark.parametrize("name", ["strands-turns-chains", "strands-turns-squares", "strands-turns"])
def test_families_without_the_symmetry_have_none(name: str) -> None:
    data = json.loads((FOLDER / f"{name}.json").read_text())
    families = [TourFamily.from_json(entry) for entry in data["families"]]
    assert not any(family.half_turned for family in families)
    assert not any(turned(family.board_codes((2, 2))) for family in families[:2])


def test_a_claim_of_another_symmetry() -> None:
    for symmetry in ("rot90", "mirror-x"):
        data = one_family(0)
        data["claims"][0]["symmetry"] = symmetry
        with pytest.raises(KTError):
            check(data)


Change = Callable[[dict[str, Any]], object]
"""Of a file."""


def fewer_turns(data: dict[str, Any]) -> None:
    data["claims"][0]["bounds"][0]["constant"][0] -= 7


def other_letters(data: dict[str, Any]) -> None:
    family = TourFamily.from_json(data["families"][0])
    data["families"][0] |= replace(family, codes=exchanged(family.codes)).to_json()


def off_centre(data: dict[str, Any]) -> None:
    for axis in ("columns", "rows"):
        for zone in data["families"][0][axis][:1]:
            zone[0] += 1


FORGED: list[Change] = [
    fewer_turns,
    other_letters,
    off_centre,
    lambda data: data["families"][0]["growths"][0].update(columns=[16, 0]),
    lambda data: data["families"][0]["slabs"].pop(),
    lambda data: data["families"][0]["slabs"][0].pop(),
    lambda data: data["families"][0]["slabs"][0][0].__setitem__(0, 3),
    lambda data: data["families"][0]["slabs"][0][0].__setitem__(0, 1),
    lambda data: data["families"][0]["slabs"][0][2].__setitem__(1, 0),
    lambda data: data["claims"][0]["boards"].update(modulus=8, residues=[2]),
]


@pytest.mark.parametrize("number", range(len(FORGED)))
def test_forged_files_are_refused(number: int) -> None:
    data = one_family(0)
    FORGED[number](data)
    with pytest.raises(CertificateError):
        check(data)


def test_a_file_of_one_family() -> None:
    (claim,) = check(one_family(0))
    assert claim.symmetry == "rot180"


def test_a_symmetric_claim_needs_a_symmetric_family() -> None:
    """The bounds of a family that cannot be told to be symmetric do not count for a symmetric claim."""
    (claim,) = check(one_family(0))
    family = FAMILIES[0]
    other = replace(family, codes=exchanged(family.codes))
    loose = replace(claim, bounds=(replace(claim.bounds[0], constant=claim.bounds[0].constant + 100),))
    assert satisfies(family, loose) and not satisfies(other, loose)
    assert satisfies(other, replace(loose, symmetry=""))
    assert not satisfies(family, replace(loose, symmetry="rot90"))


def test_three_directions_of_lines_have_their_numbers() -> None:
    """The numbers of a line are the same at all its cells."""
    from theorems.growing_tours.rectangles import DIRECTIONS, NUMBERS

    for move in (1, 2, 3, 5, 6, 7):
        assert int(np.dot(NUMBERS[DIRECTIONS[move]], MOVES[move])) == 0
