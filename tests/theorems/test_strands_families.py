"""Families of strands tours: how they grow, what the proof reads off a board, and what it refuses."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace

import numpy as np
import pytest

from heuristics.constructions.strands.data import FOLDER, load_families
from heuristics.constructions.strands.walk import cycle_of
from kt_models import KTError
from kt_models.errors import CertificateError
from research.strands.slab_search import find_slabs
from research.strands.two import CLASSES_SERVED
from theorems.growing_tours.codes import MOVES, PAIRS, cycle
from theorems.growing_tours.strands import FamilyCounts, check_one_cycle
from theorems.growing_tours.zones import Growth, TourFamily, Zone


def family() -> TourFamily:
    return next(member for member in load_families("turns") if member.one_direction)


def test_a_family_is_written_and_read() -> None:
    data = json.loads(json.dumps(family().to_json()))
    again = TourFamily.from_json(data)
    assert np.array_equal(again.codes, family().codes)
    assert (again.columns, again.rows, again.growths) == (family().columns, family().rows, family().growths)
    for key in data:
        with pytest.raises(CertificateError):
            TourFamily.from_json({**data, key: None})


def test_moves_at_a_cell_of_a_huge_board() -> None:
    for times in ((0, 0), (3, 5), family().times(*family().grown((7, 2)))):
        codes = family().board_codes(times)
        cells = np.argwhere(codes < len(PAIRS))
        assert np.array_equal(family().codes_at(times, cells), codes.reshape(-1))
    huge = (10**9, 10**9)
    width, height = family().grown(huge)
    far = np.array([[width - 1, height - 1], [0, 0], [width // 2, height // 2]])
    ends = family().codes_at(huge, far)
    assert ends[0] == family().codes[-1, -1] and ends[1] == family().codes[0, 0]
    assert PAIRS[ends[2]] == (MOVES.index((2, -1)), MOVES.index((-2, 1)))


def test_moves_that_do_not_fit_are_refused() -> None:
    codes = family().codes.copy()
    codes[9, 9] = (codes[9, 9] + 1) % len(PAIRS)
    with pytest.raises(KTError, match="the reverse move"):
        replace(family(), codes=codes)
    zone = family().columns[0]
    with pytest.raises(KTError, match="may not be repeated"):
        replace(
            family(), columns=(Zone(zone.start, zone.period - 1),), growths=(Growth((7,), (4,)), Growth((0,), (4,)))
        )
    with pytest.raises(KTError, match="not inside"):
        replace(family(), columns=(Zone(1, 8),))
    with pytest.raises(KTError, match="whole periods"):
        replace(family(), growths=(Growth((4,), (4,)), Growth((0,), (4,))))
    with pytest.raises(KTError, match="independent"):
        replace(family(), growths=(Growth((8,), (4,)), Growth((16,), (8,))))


# -- the proof ---------------------------------------------------------------------------------------------------------


def written() -> list[TourFamily]:
    """Some families of files, with their slabs."""
    files = [json.loads((FOLDER / f"strands-{name}.json").read_text()) for name in ("turns", "turns-two", "both")]
    return [TourFamily.from_json(entry) for data in files for entry in data["families"][::4]]


@pytest.mark.parametrize("member", written(), ids=lambda member: "{}x{}".format(*member.size))
def test_proved_claims_hold_far_beyond(member: TourFamily) -> None:
    """The proof of every family is a part of the check of their file (`tests.theorems.test_all_sizes`)."""
    check_one_cycle(member)
    beyond = tuple(k + 9 for k in member.inflations[0].times)
    for times in (beyond, (beyond[0], member.growths[1].least), (member.growths[0].least, beyond[1])):
        if member.times(*member.grown(times)) == times:
            codes = member.board_codes(times)
            assert len(cycle_of(codes)) == codes.size


@pytest.mark.parametrize("member", [load_families("turns")[at] for at in (0, -1)], ids=("two", "one"))
def test_growing_in_width_alone_is_not_proved(member: TourFamily) -> None:
    """No slabs make such a family, and the slabs of the family that grows in both ways are not accepted for it."""
    wrong = replace(member, growths=(Growth((8,), (0,)), Growth((0,), (4,))))
    with pytest.raises(CertificateError):
        check_one_cycle(wrong)
    with pytest.raises(CertificateError, match=r"no slabs|several cycles"):
        check_one_cycle(replace(wrong, inflations=find_slabs(replace(wrong, inflations=()))))


def test_several_cycles_are_noticed() -> None:
    member = family()
    codes = member.codes.copy()
    order = cycle(member.board_codes((0, 0)))
    place = {cell: k for k, cell in enumerate(map(tuple, order.tolist()))}
    for (x, y), k in place.items():  # Two parallel moves, walked in opposite senses, exchanged: two cycles
        for (dx, dy), (ex, ey) in itertools.permutations(MOVES, 2):
            a, b, c, d = (x, y), (x + dx, y + dy), (x + ex, y + ey), (x + dx + ex, y + dy + ey)
            if all(cell in place for cell in (b, c, d)) and place[b] == k + 1 and place[d] == place[c] - 1:
                exchanged = codes.copy()
                for cell, old, new in ((a, b, c), (c, d, a), (b, a, d), (d, c, b)):
                    moves = set(PAIRS[codes[cell]]) - {MOVES.index((old[0] - cell[0], old[1] - cell[1]))}
                    moves.add(MOVES.index((new[0] - cell[0], new[1] - cell[1])))
                    if len(moves) == 2:
                        exchanged[cell] = PAIRS.index(tuple(sorted(moves)))  # type: ignore[arg-type]
                if len(cycle_of(exchanged)) < codes.size:
                    try:
                        wrong = replace(member, codes=exchanged)
                    except KTError:  # Not periodic, or moves that do not fit
                        continue
                    with pytest.raises(CertificateError, match=r"several cycles|line cell"):
                        check_one_cycle(wrong)
                    return
    pytest.fail("no exchange was possible")


def test_lines_of_another_direction_are_not_proved() -> None:
    member = family()
    swapped = {code: {MOVES.index(MOVES[move][::-1]) for move in pair} for code, pair in enumerate(PAIRS)}
    codes = np.array([PAIRS.index(tuple(sorted(swapped[code]))) for code in range(len(PAIRS))])[member.codes]  # type: ignore[arg-type]
    growths = tuple(Growth(g.rows, g.columns, g.least) for g in member.growths)
    transposed = TourFamily(codes.T.astype(np.uint8), member.rows, member.columns, growths)
    with pytest.raises(CertificateError, match="line cell"):
        check_one_cycle(transposed)


# -- lines of two directions -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def two() -> TourFamily:
    found = [member for member in load_families("turns") if not member.one_direction]
    assert sorted((member.size[0] % 8, member.size[1] % 4) for member in found) == sorted(CLASSES_SERVED)
    return found[0]


def test_a_mirrored_family_has_the_mirrored_boards(two: TourFamily) -> None:
    for member in (two, family()):
        for times in ((0, 0), (2, 1), (0, 3)):
            codes, mirrored = member.board_codes(times), member.mirrored.board_codes(times)
            for (x, y), code in np.ndenumerate(codes):
                vectors = {(-MOVES[move][0], MOVES[move][1]) for move in PAIRS[code]}
                assert {MOVES[move] for move in PAIRS[mirrored[len(codes) - 1 - x, y]]} == vectors


def test_two_directions_claim_no_crossings(two: TourFamily) -> None:
    with pytest.raises(CertificateError, match="cross each other"):
        FamilyCounts(two, "crossings")


def test_an_exchange_in_the_copies_of_two_directions_is_not_proved(two: TourFamily) -> None:
    """Seeds with a cell of the interior that turns, or that goes another way, are refused."""
    x, y = two.columns[0].start + 2, two.rows[0].start + 1
    for code in range(len(PAIRS)):
        codes = two.codes.copy()
        codes[x, y] = code
        if code != two.codes[x, y]:
            with pytest.raises(CertificateError):
                check_one_cycle(replace(two, codes=codes))
