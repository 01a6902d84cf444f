"""Families of squares that are pumped round a closed loop: what is accepted, and that nothing stronger is."""

import copy
import itertools
import json
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from heuristics.constructions.strands.data import load_families, members
from kt_models.errors import CertificateError
from research.strands.slab_search import SlabPlaces, _loops, find_loop, loop_slab
from tests.effort import part_of
from tests.theorems.direct import board_rows, cycles, exchanged
from theorems.growing_tours import strands
from theorems.growing_tours.bundles import Slabs
from theorems.growing_tours.codes import cycle, turns
from theorems.growing_tours.rectangles import RectangleBoard
from theorems.growing_tours.strands import check, check_squares
from theorems.growing_tours.zones import SQUARES_KIND, TourFamily

DATA = json.loads((Path(__file__).parents[2] / "heuristics" / "gadgets" / "strands-turns-squares.json").read_text())
FAMILIES = [TourFamily.from_json(entry) for entry in DATA["families"]]


def test_the_delivered_claim_is_checked() -> None:
    assert [claim.text for claim in check(DATA)] == [
        "every board n x n with n >= 12 and n = 0 (mod 2) has a closed knight's tour with at most 8 n - 18 turns"
    ]


def test_squares_that_were_not_followed() -> None:
    for n in (*range(12, 61, 2), 100, 102):
        (codes,) = (family.board_codes(times) for family in FAMILIES if (times := family.times(n, n)) is not None)
        assert len(cycle(codes)) == codes.size == n * n
        assert turns(codes) == 8 * n - 18


def test_only_squares_are_taken() -> None:
    assert [m.count("turns") for m in members(20, 20, "turns")].count(142) == 1
    assert min(m.count("turns") for m in members(96, 96, "turns")) == 8 * 96 - 18
    squares = load_families("turns", (SQUARES_KIND,))
    assert len(squares) == 4
    assert not any(m.family is family for m in members(20, 24, "turns") for family in squares)


def test_seeds_with_other_moves() -> None:
    """Two cells of a corner exchange their moves: they do not fit, or there is another number of cycles."""
    for number, family in itertools.product(range(6), FAMILIES):
        codes = family.codes.copy()
        a, b = Random(number).sample([(x, y) for x in range(5) for y in range(5)], 2)
        codes[a], codes[b] = codes[b], codes[a]
        if (codes != family.codes).any():
            with pytest.raises(CertificateError):
                check_squares(replace(family, codes=codes))


def test_a_cut_that_does_not_fit() -> None:
    """Other places than those that are found, or only some of them moved, cut no slab that may be repeated."""
    boards = (RectangleBoard(FAMILIES[0], Slabs((k, k + 1))) for k in range(1, 10))
    board, cut = next((board, cut) for board in boards for cut in _loops(board) if accepted(board, cut))
    left, right, low, _ = board.box
    others = [(0, left - 3), (3, right + 3), (1, low - 3), (5, cut[5] + 7), (0, cut[0] + 1)]
    for wrong in (*((*cut[:k], place, *cut[k + 1 :]) for k, place in others), tuple(place + 1 for place in cut)):
        assert not accepted(board, wrong)


def slabbed(board: RectangleBoard, cut: SlabPlaces) -> RectangleBoard:
    """The board with the slab between a cut and the next one."""
    return RectangleBoard(board.family, loop_slab(board.times, cut))


def accepted(board: RectangleBoard, cut: SlabPlaces) -> bool:
    """Whether the slab of a cut is one."""
    try:
        slabbed(board, cut).inflation()
    except CertificateError:
        return False
    return True


def test_slabs_are_written_and_read() -> None:
    """A search finds the places along the sides that a file names."""
    for entry, found in zip(DATA["families"], FAMILIES, strict=True):
        assert found.to_json() == entry
        bare = TourFamily.from_json({key: value for key, value in entry.items() if key != "inflations"})
        assert find_loop(bare) == found.inflations
        (slabs,) = found.inflations
        for wrong in (
            replace(slabs, growths=(0,)),
            replace(slabs, along_sides=False),
            replace(slabs, times=(slabs.times[0] + 1, slabs.times[1])),
            replace(slabs, bundles=(slabs.bundles[0][:-1],)),
            replace(slabs, bundles=(slabs.bundles[0], slabs.bundles[0]), growths=slabs.growths * 2),
        ):
            with pytest.raises(CertificateError):
                check_squares(replace(found, inflations=(wrong,)))
        with pytest.raises(CertificateError, match="not exactly one square"):
            check_squares(replace(found, inflations=(slabs, slabs)))


def test_cycles_of_squares_with_other_moves() -> None:
    """What is accepted has on larger squares as many cycles as its tangle says, whether it is one or several."""
    random, single, several = Random(4), 0, 0
    for _ in range(part_of(36)):
        entry = random.choice(DATA["families"])
        seed = entry["seed"]
        corners = [[*range(6), *range(size - 6, size)] for size in (len(seed[0]), len(seed))]
        for _ in range(random.choice((0, 1, 1))):
            seed = exchanged(seed, random, *corners)
        changed = {**entry, "seed": seed}
        try:
            family = TourFamily.from_json(changed)
        except CertificateError:
            continue
        ahead = (family.size[0] - family.size[1]) // 4
        for k in range(4, 6):
            board = RectangleBoard(family, Slabs((k, k + ahead)))
            cut = next((cut for cut in itertools.islice(_loops(board), 60) if accepted(board, cut)), None)
            if cut is None:
                continue
            inflation = slabbed(board, cut).inflation()
            predicted = [inflation.cycles(n) for n in (1, 2, 4)]
            assert predicted == [cycles(board_rows(changed, (k - 1 + n, k - 1 + n + ahead))) for n in (1, 2, 4)]
            single, several = single + ({*predicted} == {1}), several + ({*predicted} != {1})
            break
    assert single and several, (single, several)


CLAIMS = [
    {"boards": {"shape": "squares", "least": 8, "modulus": 2, "residues": [0]}},
    {"boards": {"shape": "squares", "least": 12, "modulus": 1, "residues": [0]}},
    {"boards": {"shape": "rectangles", "least": 12, "modulus": 2, "residues": [0]}},
    {"bounds": [{"relation": "at-most", "metric": "turns", "slope": [8, 1], "constant": [-19, 1]}]},
    {"bounds": [{"relation": "at-most", "metric": "turns", "slope": [79, 10], "constant": [100, 1]}]},
    {"bounds": [{"relation": "at-most", "metric": "crossings", "slope": [100, 1], "constant": [0, 1]}]},
]


@pytest.mark.parametrize("change", CLAIMS, ids=str)
def test_claims_that_are_too_strong(change: dict, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the families are, of which nothing has to be shown again."""
    monkeypatch.setattr(strands, "check_squares", lambda *_: 0)
    data = copy.deepcopy(DATA)
    data["claims"][0] |= change
    with pytest.raises(CertificateError):
        check(data)


def test_a_family_less_or_other_growths() -> None:
    with pytest.raises(CertificateError):
        check({**DATA, "families": DATA["families"][:3]})
    for growths in ([[8], [8]], [[0], [4]]), ([[16], [8]], [[0], [8]]):
        data = copy.deepcopy(DATA)
        for family in data["families"]:
            family["growths"] = [{"columns": columns, "rows": rows} for columns, rows in growths]
        with pytest.raises(CertificateError):
            check(data)
    assert [family.size[0] % 8 for family in FAMILIES] == [0, 2, 4, 6]
