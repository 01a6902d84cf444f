"""Families of tours that a quarter turn maps to themselves: what an adversary might hand in."""

import copy
import json
import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import groupby
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from kt_models.errors import CertificateError, KTError
from tests.effort import part_of
from tests.theorems.test_radial import first_cycle, moved
from theorems.growing_tours import radial
from theorems.growing_tours.bundles import Bundle, Bundles
from theorems.growing_tours.codes import MOVES, PAIRS
from theorems.growing_tours.radial import (
    MAX_FAMILIES,
    MAX_FIRST,
    RadialBoard,
    check,
    check_moves,
    check_radial,
)
from theorems.growing_tours.radial_data import RadialFamily

FILE = Path(__file__).parents[2] / "heuristics" / "gadgets" / "radial-turns.json"
DATA = json.loads(FILE.read_text())
FAMILIES = [RadialFamily.from_json(entry) for entry in DATA["families"]]


@cache
def pumped() -> RadialBoard:
    return RadialBoard(FAMILIES[0], FAMILIES[0].steps)


# -- ends of bent lines ------------------------------------------------------------------------------------------------


def test_runs_begin_and_end_with_the_moves_of_their_cells() -> None:
    board = pumped()
    low, high = board.family.depth, board.side - board.family.depth
    codes = board.family.codes(board.k)
    beside = (board.nodes.cells[board.beside[board.first + end]].tolist() for end in (0, 1))
    for before, after, ahead, behind in zip(*beside, *(moves.tolist() for moves in board.walk[1:]), strict=True):
        for (x, y), move in ((before, ahead), (after, (behind + 4) % 8)):
            ends = {end_move: (x + MOVES[end_move][0], y + MOVES[end_move][1]) for end_move in PAIRS[codes[x, y]]}
            assert [end_move for end_move, (u, v) in ends.items() if low <= u < high and low <= v < high] == [move]


def test_only_bent_lines_end_with_another_move() -> None:
    board = pumped()
    _, into, out = board.walk
    number = board.line(board.nodes.cells[board.first - 1], into)[1]
    assert np.array_equal(into != out, number % 5 == 0)


def test_runs_that_leave_their_lines() -> None:
    """A straight run grows by whole moves along its line; both parts of a bent one do."""
    board = pumped()
    into, out = (np.array(MOVES)[moves] for moves in board.walk[1:])
    count = np.where((into == out).all(axis=1), 3, 4)
    grown = 3 * into + np.where((into == out).all(axis=1)[:, None], 0, out)
    assert np.array_equal(board.run_moves(grown), count)
    for which in (0, -1):
        wrong = grown.copy()
        wrong[which] += (0, 1)
        with pytest.raises(CertificateError, match="leave their line"):
            board.run_moves(wrong)


# -- families that are put together from others ------------------------------------------------------------------------


def shape(family: RadialFamily) -> tuple[Any, ...]:
    return len(family.seed), *((zone.start, zone.period) for zone in family.zones)


def mixed(alike: list[RadialFamily], random: Random) -> RadialFamily:
    """One of these families, with what another one has between zones, or in both corners."""
    family = random.choice(alike)
    seed, marks = (
        family.seed.copy(),
        [0, *(at for zone in family.zones for at in (zone.start, zone.end)), len(family.seed)],
    )
    parts = list(zip(marks[::2], marks[1::2], strict=True))
    for spans in ([parts[0], parts[-1]], *([part] for part in parts[1:-1])):
        other = random.choice(alike)
        for begin, end in spans:
            seed[begin:end] = other.seed[begin:end]
    return replace(family, seed=seed)


def shrunk(family: RadialFamily, by: int, steps: int) -> RadialFamily:
    """The family with a part of its step, and with slabs of another square, in the middle of the same chains."""
    small = replace(family, grows=tuple(grown // by for grown in family.grows))
    old, new = family.side(family.steps), small.side(steps)
    slabs: list[Bundles] = []
    for slab in family.slabs:
        middles = (bundle.first if bundle.lines > 0 else bundle.first - bundle.lines - 1 for bundle in slab)
        ends = (
            (middle * new // old // 20 * 20, bundle.lines // by) for bundle, middle in zip(slab, middles, strict=True)
        )
        slabs.append(tuple(Bundle(0, end if lines > 0 else end + lines + 1, lines) for end, lines in ends))
    return replace(small, steps=steps, slabs=tuple(slabs))


@pytest.mark.slow
def test_what_is_accepted_of_mixtures() -> None:
    """The followed cycle of what can be pumped grows as a polynomial, and tours that are accepted stay tours."""
    random = Random(3)
    groups = [list(group) for _, group in groupby(sorted(FAMILIES[: len(FAMILIES) // 2], key=shape), key=shape)]
    alike = [group for group in groups if len(group) > 1]
    can_be, tours = 0, 0
    for _ in range(part_of(12)):
        family = mixed(random.choice(alike), random)
        if random.random() < 0.5:
            family = shrunk(family, random.choice((2, 2, 4)), random.choice((1, 2, 3, 4)))
        try:
            check_moves(family)
            first = RadialBoard(family, family.steps)
            first.inflation()
        except CertificateError:
            continue
        sides = [family.side(family.steps + more) for more in range(5)]
        cells = [first_cycle(RadialBoard(family, family.steps + more)) for more in range(5)]
        assert not np.diff(cells, 3).any()
        can_be += 1
        try:
            check_radial(family)
        except CertificateError:
            continue
        tours += 1
        assert cells == [side**2 for side in sides]
    assert can_be >= tours > 0


# -- files -------------------------------------------------------------------------------------------------------------


def test_families_of_all_remainders_have_room() -> None:
    """The sides leave the remainder 2 modulo 4, and the steps are 480."""
    assert len(FAMILIES) <= 480 // 4 <= MAX_FAMILIES
    assert all(family.side(0) <= MAX_FIRST for family in FAMILIES)


def test_a_large_first_square_is_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looking at its cells would take long: some hundred such squares in a small file took minutes."""
    family = FAMILIES[0]
    large = replace(family, added=family.added_at(2))
    assert max(large.added) <= 400 and large.side(0) > MAX_FIRST
    RadialFamily.from_json(json.loads(json.dumps(large.to_json())))
    monkeypatch.setattr(radial, "lines", None)
    with pytest.raises(CertificateError, match="more than 1024"):
        check_moves(large)


NOTHING: list[Any] = [None, True, -1, 0, 1, 7, 10**30, 0.5, math.nan, math.inf, "", "a", [], [[]], [[[]]], {}, [0] * 9]


def spots(value: Any, depth: int = 0) -> list[Callable[[Any], tuple[Any, Any]]]:
    """Where something stands inside lists and objects: what leads to the list or the object, and the key."""
    found: list[Callable[[Any], tuple[Any, Any]]] = []
    keys = value.keys() if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        found.append(lambda top, key=key: (top, key))
        found += [lambda top, key=key, inner=inner: inner(top[key]) for inner in spots(value[key], depth + 1)]
    return found


def test_files_with_anything_in_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever stands in a file, it is either checked or refused."""
    monkeypatch.setattr(radial, "check_radial", lambda family, limits, cells: check_moves(family) or 0)
    small = {**DATA, "families": DATA["families"][:1], "claims": DATA["claims"][:1]}
    places, random, refused = spots(small), Random(4), 0
    for _ in range(part_of(1500)):
        data = copy.deepcopy(small)
        for _ in range(random.choice((1, 1, 2))):
            try:
                top, key = random.choice(places)(data)
                top[key] = random.choice((*NOTHING, random.choice(NOTHING[2:6]) * random.choice((5, 30, 400, 2**20))))
            except (KeyError, IndexError, TypeError, AttributeError):
                continue  # The place went with the first change
        try:
            check(data)
        except KTError:
            refused += 1
    assert refused > part_of(1000)


@pytest.mark.slow
def test_bundles_without_lines() -> None:
    """Behind the last line they say nothing; below the first one they would say that all lines are moved."""
    family = FAMILIES[0]
    slab, *others = family.slabs
    for more in (Bundle(0, 2**20, 40), Bundle(0, -160, 40), Bundle(0, -(2**20), -40), Bundle(0, -20, 20)):
        boards = [
            RadialBoard(replace(family, slabs=tuple(slabs)), family.steps)
            for slabs in ([*family.slabs, (more,)], [(*slab, more), *others], [*family.slabs, ()])
        ]
        for which, board in enumerate(boards):
            board.__dict__["walk"] = pumped().walk
            if more.first > 0 and which == 1:
                assert board.inflation() == pumped().inflation()
                continue
            with pytest.raises(CertificateError):
                board.inflation()


def test_a_first_copy_with_fewer_lines() -> None:
    """Where a bundle reaches below the first line: what is accepted can be pumped again in the next square."""
    family, accepted = FAMILIES[0], 0
    for which, slab in enumerate(family.slabs):
        for first in (-20, -200):
            slabs = list(family.slabs)
            slabs[which] = tuple(
                replace(bundle, first=first) if bundle.first == slab[0].first else bundle for bundle in slab
            )
            board = RadialBoard(replace(family, slabs=tuple(slabs)), family.steps)
            board.__dict__["walk"] = pumped().walk
            try:
                board.inflation()
            except CertificateError:
                continue
            accepted += 1
            check_radial(moved(board.family))
    assert accepted < 2 * len(family.slabs)
