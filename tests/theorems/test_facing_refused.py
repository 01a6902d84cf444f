"""Facing sides: forged files are refused, and so is what is too small or of no use."""

import copy
from collections.abc import Iterator
from random import Random

import pytest

from kt_models.errors import CertificateError, KTError
from kt_models.limits import NO_LIMITS
from tests.effort import part_of, slow
from tests.theorems.facing_sides import FILE, FILES, RIGHT, ROWS, delivered, sides, swept
from theorems.statement import Boards
from theorems.turns.borders import BorderSweep
from theorems.turns.circuits import InteriorSweep, SquareCircuit
from theorems.turns.facing import Facing, FacingEnd, facing_sum
from theorems.turns.interiors import check_interior
from theorems.turns.planes import Plane
from theorems.turns.side_walks import WINDOW
from theorems.turns.theorem import check


class Swept(Exception):
    """A file was refused by nothing that is faster than a sweep."""


def entries(data: object, path: tuple = ()) -> Iterator[tuple]:
    """The places of everything in a file."""
    yield path
    for key in data if type(data) is dict else range(len(data) if type(data) is list else 0):
        yield from entries(data[key], (*path, key))


def changed(data: dict, path: tuple, entry: object) -> dict:
    data = copy.deepcopy(data)
    place = data
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = entry
    return data


@pytest.mark.parametrize("residue", [0, *slow([10, 2])])
def test_files_with_one_thing_changed(residue: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Changed files are refused in words, or claim no more. But for some, this needs no sweep."""

    def swept(*_: object) -> None:
        raise Swept

    monkeypatch.setattr(BorderSweep, "check", swept)
    data, rng, refused = FILES[residue], Random(1), 0
    places = [path for path in entries(data) if path and path[0] != "made_by"]
    weighed = [path for path in places if path[0] in ("claims", "border", "interior", "denominator", "period")]
    for path in [*weighed, *rng.sample(places, 100)]:
        old = data
        for key in path:
            old = old[key]
        others = [old - 1, old + 1, -old, 2**40, 10**400] if type(old) is int else [{}, [], [old, old]]
        try:
            check(changed(data, path, rng.choice([None, 1.5, "x", *others, *others])))
        except (KTError, Swept) as error:
            refused += type(error) is not Swept
    assert refused > 90


CLAIM, CONSTANT = ("claims", 0, "boards"), ("claims", 0, "bounds", 0, "constant")


@pytest.mark.parametrize(
    ("residue", "path", "entry", "message"),
    [
        (0, CONSTANT, [-19, 1], "are shown"),
        (10, CONSTANT, [-19, 1], "are shown"),
        (2, CONSTANT, [-20, 1], "are shown"),
        (0, ("claims", 0, "bounds", 0, "slope"), [9, 1], "are shown"),
        (0, (*CLAIM, "least"), 343, "are shown"),
        (10, (*CLAIM, "least"), 343, "are shown"),
        (2, (*CLAIM, "least"), 178, "are shown"),
        (0, CLAIM, {"shape": "squares", "least": 3000, "modulus": 4, "residues": [0, 1]}, "even side"),
        (0, CLAIM, {"shape": "squares", "least": 3000, "modulus": 1, "residues": [0]}, "are shown|even side"),
        (0, ("interior", "excess"), 30, "are shown"),
        (0, ("interior", "excess"), 32, "a turn inside"),
        (10, ("interior", "excess"), 40, "are shown"),
        (10, ("interior", "excess"), 42, "a turn inside"),
        (2, ("interior", "excess"), 24, "are shown"),
        (2, ("interior", "excess"), 26, "a turn inside"),
        (2, ("interior", "turns"), 1, "are shown"),
        (0, ("interior", "turns"), 0, "a turn inside"),
        (10, ("interior", "turns"), 0, "a turn inside"),
        (0, ("interior", "turns"), 9, "turns of an interior"),
        (0, ("interior", "connected"), 1, "an interior is an object"),
        (0, ("border", "excess"), 12, "a turn inside"),
    ],
    ids=str,
)
def test_forged_files_are_refused(residue: int, path: tuple, entry: object, message: str) -> None:
    """Forged files are refused before anything is swept."""
    with pytest.raises(KTError, match=message):
        check(changed(FILES[residue], path, entry))


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize(
    ("residue", "path", "entry", "message"),
    [
        (10, (*CLAIM, "residues"), [6], "may have no pair of lines that both join"),
        (
            10,
            CLAIM,
            {"shape": "squares", "least": 344, "modulus": 20, "residues": [6]},
            "may have no pair of lines that both join",
        ),
        (10, (*CLAIM, "residues"), [18], "may have no pair of lines that both join"),
        (10, (*CLAIM, "residues"), [34], "may have no pair of lines that both join"),
        (10, (*CLAIM, "residues"), [50], "may have no pair of lines that both join"),
        (2, (*CLAIM, "residues"), [42], "may have no pair of lines that both join"),
        (0, CLAIM, {"shape": "squares", "least": 3000, "modulus": 2, "residues": [0]}, "more than 8,000,000 states"),
        (0, ("interior", "connected"), False, "a circuit may have less excess than 31"),
        (10, ("interior", "connected"), False, "a circuit may have less excess than 41"),
        (2, ("interior", "connected"), False, "a circuit may have less excess than 25"),
        (0, ("border", "excess"), 15, "may have an excess"),
        (0, ("border", "rest"), 8, "may have an excess"),
        (0, ("border", "rows"), 6, "may have an excess"),
    ],
    ids=str,
)
def test_forged_files_of_which_much_is_true(residue: int, path: tuple, entry: object, message: str) -> None:
    with pytest.raises(KTError, match=message):
        check(changed(FILES[residue], path, entry))


def test_squares_for_numbers_of_an_odd_period(monkeypatch: pytest.MonkeyPatch) -> None:
    """P is twice the period of a plane with five classes then, and all even remainders modulo P are asked for."""
    asked: set[int] = set()

    def passes(self: Facing, boards: Boards) -> None:
        assert boards.least == 3000
        asked.update(range(self.remainder, 100, self.period) if self.plane.classes == 5 else ())

    def fails(*_: object) -> None:
        raise CertificateError("left over")

    monkeypatch.setattr(Facing, "check", passes)
    monkeypatch.setattr(SquareCircuit, "check", fails)
    monkeypatch.setattr(SquareCircuit, "check_long_sides", fails)
    boards = Boards("squares", 3000, 2, (0,))
    check_interior(swept(FILE, period=1), boards, True)
    assert asked == set(range(0, 100, 2))
    with pytest.raises(CertificateError, match="left over"):
        check_interior(swept(FILE, period=1), boards, False)


def test_all_images_of_a_plane_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """First those with most lines that are looked at; if none passes, the message has the reason of each."""
    tried: list[Plane] = []
    left = Plane((1, 2), (2, -1), frozenset({1, 2, 3}))

    def fails(self: Facing | SquareCircuit, *_: object) -> None:
        if isinstance(self, Facing):
            tried.append(self.plane)
            raise CertificateError(f"image {len(tried)}")
        if self.plane in left.images(20):
            raise CertificateError("left over")

    monkeypatch.setattr(Facing, "check", fails)
    monkeypatch.setattr(SquareCircuit, "check", fails)
    monkeypatch.setattr(SquareCircuit, "check_long_sides", fails)
    with pytest.raises(CertificateError) as refused:
        check_interior(swept(FILE), Boards("squares", 1514, 40, (20,)), True)
    assert str(refused.value) == "turns: left over; image 1; image 2"
    # A half turn keeps directions, and planes without lines of the direction have nothing to look at
    steep = {image for image in left.images(20) if (1, 2) in (image.first, image.second)}
    assert {*tried, *(image.half_turn(20) for image in tried)} == steep and len(tried) == 2
    shares = [5 - len(image.seconds) if image.first == (1, 2) else 0 for image in tried]
    assert shares == sorted(shares, reverse=True) and len({*shares}) > 1


@pytest.mark.parametrize(("least", "large"), [pytest.param(2000, True, marks=pytest.mark.slow), (20, False)])
def test_how_large_squares_have_to_be(least: int, large: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where all windows that face each other join two lines both, there need only be some without excess."""
    monkeypatch.setattr(FacingEnd, "may_be_apart", lambda _: False)
    checked = sides(RIGHT, {1}, 0)
    assert checked._has_room(least) is large
    if large:
        checked.check(Boards("squares", least, 40, (0,)))
    else:
        with pytest.raises(CertificateError, match="20x20 is too small for facing sides"):
            checked.check(Boards("squares", least, 40, (0,)))


def test_an_excess_at_each_place_where_windows_may_be() -> None:
    """In the least squares that have room, so many places as an excess may have leave some windows free of it."""
    checked = sides(RIGHT, {1}, 0)
    walks, edge, rng = checked.circuit.walks, checked.sweep.middle_start, Random(1)
    before, after = max(walk.before for walk in walks[::2]), max(walk.after for walk in walks[::2])
    number = (checked.sweep.excess - 1) // checked.circuit.least_excess_in_middle
    least = next(side for side in range(40, 10**4, 40) if checked._has_room(side))
    begin, end = edge + before, facing_sum(least, ROWS) - edge - before
    assert not checked._has_room(least - 40) and end - begin > 0 < number
    spread = before + after + WINDOW
    evenly = [begin - before + spread * (k + 1) - 1 for k in range(number)]
    for places in [evenly, *(rng.choices(range(begin, end), k=number) for _ in range(part_of(200)))]:
        for turned in (set(range(number)), set(), set(rng.sample(range(number), number // 2))):
            free = [
                first
                for first in range(begin, end + 1)
                if not any(
                    start - before <= place < start + WINDOW + after
                    for k, place in enumerate(places)
                    for start in [facing_sum(least, ROWS) - first if k in turned else first]
                )
            ]
            assert free


@pytest.mark.slow
def test_tables_without_excess() -> None:
    """Such tables have no least excess, or too many walks, and end in words."""

    def plain(side: int) -> dict:
        return {cell: [(0, *pair) for _, *pair in pairs] for cell, pairs in delivered(side).items()}

    boards, plane = Boards("squares", 3000, 40, (0,)), Plane(*RIGHT, frozenset({0}))
    first, three = (Facing(InteriorSweep(1, 1, plain, rows, 13, 4, NO_LIMITS), plane, 0) for rows in (1, 3))
    with pytest.raises(CertificateError, match="no cell of a side"):
        _ = first.circuit.walks[0].least_excess
    for checked in (first, three):
        with pytest.raises(CertificateError, match=r"no cell of a side|more than .* windows"):
            checked.check(boards)


@pytest.mark.parametrize("rows", [6, 8])
def test_borders_of_even_depth_are_refused(rows: int) -> None:
    with pytest.raises(CertificateError, match="an odd number of rows"):
        sides(RIGHT, {0}, 0, rows).check(Boards("squares", 3000, 40, (0,)))
