"""The finite checks behind the bound on turns of symmetric tours in docs/theory/theorem-turns.md; no solver."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from pathlib import Path

from kt_models.certificates.families.turns import read, turns_at_least
from kt_models.leaper import KNIGHT

DIRECTIONS = ((2, 1), (1, 2), (-1, 2), (-2, 1))
SQUARE, CENTRE = 8, 6
"""Sides of a square without turns and of the square in its middle."""
CLASSES = {(0, 1): (1, 1, 3), (0, 2): (2, 1, 5), (0, 3): (1, 2, 4), (1, 2): (2, 1, 4), (1, 3): (1, 2, 5), (2, 3): (1, 2, 3)}
"""For two directions p, q, m: lines of the two meet in a cell if p x + q y is the same modulo m on both."""
REACH = 10
"""Of the numbers of the file for sides 2, 2 modulo 4."""
RESULTS = Path(__file__).parents[2] / "docs" / "results"

Filling = tuple[int, ...]
"""The directions of the cells of a square, by x and y."""


def plane_patterns() -> Iterator[tuple[tuple[int, int, int], tuple[int, ...]]]:
    """p, q, m and, for each class of cells by p x + q y modulo m, the direction of its lines; each pattern once."""
    for i in range(4):
        yield (0, 0, 1), (i,)
    for pair, form in CLASSES.items():
        for chosen in itertools.product(pair, repeat=form[2]):
            if len({*chosen}) == 2:
                yield form, chosen


def window(form: tuple[int, int, int], chosen: tuple[int, ...], columns: int, rows: int) -> Filling:
    p, q, m = form
    return tuple(chosen[(p * x + q * y) % m] for x in range(columns) for y in range(rows))


def lines(side: int) -> list[tuple[int, int]]:
    """The lines through a square, as their directions and the sets of their cells there."""
    found: dict[tuple[int, int], int] = {}
    for i, (dx, dy) in enumerate(DIRECTIONS):
        for x, y in itertools.product(range(side), repeat=2):
            number = i, dx * y - dy * x
            found[number] = found.get(number, 0) | 1 << x * side + y
    return [(i, cells) for (i, _), cells in found.items()]


def test_a_square_without_turns_has_a_plane_pattern_in_the_middle() -> None:
    """All ways to part the cells of 8x8 into lines: the 6x6 in the middle is always one of 104 patterns."""
    middle = range((SQUARE - CENTRE) // 2, (SQUARE + CENTRE) // 2)
    centre = [x * SQUARE + y for x in middle for y in middle]
    through = [[line for line in lines(SQUARE) if line[1] >> cell & 1] for cell in range(SQUARE**2)]
    known = {window(form, chosen, CENTRE, CENTRE) for form, chosen in plane_patterns()}
    shifted = {
        window(form, tuple(chosen[(k + form[0] + form[1]) % form[2]] for k in range(form[2])), CENTRE, CENTRE)
        for form, chosen in plane_patterns()
    }
    assert len(known) == 104 and shifted == known  # in whichever cell the square begins
    strange = []

    def cover(covered: int, direction: dict[int, int], cells: list[int]) -> bool:
        """Whether the lines chosen can be completed to all `cells`; fillings of the middle are looked at on the way."""
        left = [cell for cell in cells if not covered >> cell & 1]
        if not left:
            if cells is centre:
                filling = tuple(direction[cell] for cell in centre)
                if filling not in known and cover(covered, direction, list(range(SQUARE**2))):
                    strange.append(filling)
                return False  # go on to the others
            return True
        options = {cell: [one for one in through[cell] if not one[1] & covered] for cell in left}
        cell = min(left, key=lambda cell: len(options[cell]))
        for i, line in options[cell]:
            more = {one: i for one in range(SQUARE**2) if line >> one & 1}
            if cover(covered | line, direction | more, cells):
                return True
        return False

    assert not cover(0, {}, centre)
    assert not strange


def test_plane_patterns_that_agree_on_neighbouring_middles_are_the_same() -> None:
    for columns, rows in ((CENTRE, CENTRE - 1), (CENTRE - 1, CENTRE)):
        assert len({window(form, chosen, columns, rows) for form, chosen in plane_patterns()}) == 104


def test_no_plane_pattern_is_its_own_quarter_turn() -> None:
    """About the centre of n x n, n even: (x, y) goes to (y, n - 1 - x)."""
    image = [DIRECTIONS.index((-y, x) if x > 0 else (y, -x)) for x, y in DIRECTIONS]  # the way along a line is open
    for form, chosen in plane_patterns():
        p, q, m = form
        for n in range(0, 2 * m, 2):
            cells = itertools.product(range(m), repeat=2)
            assert any(
                image[chosen[(p * x + q * y) % m]] != chosen[(p * y + q * (n - 1 - x)) % m] for x, y in cells
            ), (form, chosen, n)


def test_what_the_bound_takes_from_the_file() -> None:
    """Numbers end 10 cells from the sides; turns are a multiple of 4; so 8 n - 20, and 4 more for each ring."""
    family = read(json.loads((RESULTS / "turns-all-n-2-mod-4.json").read_text()), KNIGHT)
    assert family.reach == REACH
    for n in (14, 18, 22):
        assert 8 * n - 24 < turns_at_least(family, n, n) <= 8 * n - 20
    for path in (RESULTS.parent / "records").glob("turns-*-rot90.json"):
        n = int(path.stem.split("-")[1].split("x")[0])
        value = json.loads(path.read_text())["value"]
        assert n < 14 or value >= 8 * n - 20 + 4 * max(0, (n // 2 - REACH) // SQUARE)
