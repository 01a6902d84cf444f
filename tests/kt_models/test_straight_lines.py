"""The finite checks behind the bound on turns of symmetric tours in docs/theory/theorem-turns.md; no solver."""

from __future__ import annotations

import itertools
import json
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest

from kt_models.certificates.families.turns import read, turns_at_least
from kt_models.leaper import KNIGHT

DIRECTIONS = ((2, 1), (1, 2), (-1, 2), (-2, 1))
CLASSES = {
    (0, 1): (1, 1, 3),
    (0, 2): (2, 1, 5),
    (0, 3): (1, 2, 4),
    (1, 2): (2, 1, 4),
    (1, 3): (1, 2, 5),
    (2, 3): (1, 2, 3),
}
"""For two directions p, q, m: lines of the two meet in a cell if p x + q y is the same modulo m on both."""
WIDTH, ARM = 6, 12
"""How wide a ring is, and how far a corner of it goes."""
REACH = 9
"""Of the numbers of the file for sides 2, 2 modulo 4."""
RESULTS = Path(__file__).parents[2] / "docs" / "results"

Cell = tuple[int, int]
Pattern = tuple[tuple[int, int, int], tuple[int, ...]]
"""p, q, m and, for each class of cells by p x + q y modulo m, the direction of its lines."""


def plane_patterns() -> Iterator[Pattern]:
    """Each once."""
    for i in range(len(DIRECTIONS)):
        yield (0, 0, 1), (i,)
    for pair, form in CLASSES.items():
        for chosen in itertools.product(pair, repeat=form[2]):
            if len({*chosen}) == 2:
                yield form, chosen


def seen(pattern: Pattern, cells: Collection[Cell]) -> tuple[int, ...]:
    (p, q, m), chosen = pattern
    return tuple(chosen[(p * x + q * y) % m] for x, y in cells)


def box(left: int, low: int, columns: int, rows: int) -> list[Cell]:
    return list(itertools.product(range(left, left + columns), range(low, low + rows)))


def lines(region: Collection[Cell]) -> Iterator[tuple[int, frozenset[Cell]]]:
    """The cells that follow one another in a direction, as far as they are in a region."""
    for i, (dx, dy) in enumerate(DIRECTIONS):
        for x, y in region:
            if (x - dx, y - dy) not in region:
                line = []
                while (x, y) in region:
                    line.append((x, y))
                    x, y = x + dx, y + dy
                yield i, frozenset(line)


def fillings(region: Collection[Cell], part: Collection[Cell]) -> set[tuple[int, ...]]:
    """The directions that the cells of a part can have, where a region is parted into lines."""
    through: dict[Cell, list[tuple[int, frozenset[Cell]]]] = {cell: [] for cell in region}
    for line in lines(region):
        for cell in line[1]:
            through[cell].append(line)
    found: set[tuple[int, ...]] = set()

    def cover(direction: dict[Cell, int], cells: Collection[Cell]) -> bool:
        """Whether lines can be added until all `cells` have one; of the part, all ways are gone through."""
        left = [cell for cell in cells if cell not in direction]
        if left:
            options = [[one for one in through[cell] if not one[1] & direction.keys()] for cell in left]
            return any(cover(direction | dict.fromkeys(line, i), cells) for i, line in min(options, key=len))
        if cells is region:
            return True
        own = tuple(direction[cell] for cell in part)
        if own not in found and cover(direction, region):
            found.add(own)
        return False

    cover({}, part)
    return found


CORNER = {(x, y) for x, y in box(0, 0, ARM, ARM) if min(x, y) < WIDTH}
REGIONS = {
    "strip": ({*box(0, 0, 10, WIDTH)}, box(3, 0, 4, WIDTH)),
    "corner": (CORNER, [*box(WIDTH, 0, 4, WIDTH), *box(0, WIDTH, WIDTH, 4)]),
}


@pytest.mark.parametrize("name", REGIONS)
def test_where_nothing_turns_there_is_a_plane_pattern(name: str) -> None:
    """In the middle of 10x6 cells, and in both arms of a corner the same one."""
    region, part = REGIONS[name]
    assert fillings(region, part) == {seen(pattern, part) for pattern in plane_patterns()}


def test_plane_patterns_that_agree_on_3x6_cells_are_the_same() -> None:
    assert len({seen(pattern, box(0, 0, 3, WIDTH)) for pattern in plane_patterns()}) == 104
    assert len({seen(pattern, box(0, 0, WIDTH, 3)) for pattern in plane_patterns()}) == 104


def test_no_plane_pattern_is_its_own_quarter_turn() -> None:
    """About the centre of n x n, n even: (x, y) goes to (y, n - 1 - x)."""
    image = [DIRECTIONS.index((-y, x) if x > 0 else (y, -x)) for x, y in DIRECTIONS]  # the way along a line is open
    for pattern in plane_patterns():
        m = pattern[0][2]
        for n in range(0, 2 * m, 2):
            cells = box(0, 0, m, m)
            there = seen(pattern, [(y, n - 1 - x) for x, y in cells])
            assert tuple(image[i] for i in seen(pattern, cells)) != there


def test_what_the_bound_takes_from_the_file() -> None:
    """8 n - 20, as turns are a multiple of 4, and 4 more for each ring of cells at which all numbers are 0."""
    family = read(json.loads((RESULTS / "turns-all-n-2-mod-4.json").read_text()), KNIGHT)
    assert family.reach == REACH
    for n in (14, 18, 22):
        assert 8 * n - 24 < turns_at_least(family, n, n) <= 8 * n - 20
    for path in (RESULTS.parent / "records").glob("turns-*-rot90.json"):
        n = int(path.stem.split("-")[1].split("x")[0])
        value = json.loads(path.read_text())["value"]
        assert n < 14 or value >= 8 * n - 20 + 4 * max(0, (n // 2 - REACH) // WIDTH)
