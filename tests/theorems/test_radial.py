"""Families of tours that a quarter turn maps to themselves: what is accepted as such, and that nothing else is."""

import copy
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from kt_models.errors import CertificateError
from tests.effort import part_of, slow
from theorems.growing_tours import radial
from theorems.growing_tours.bundles import Bundle
from theorems.growing_tours.codes import MOVES, PAIRS, check_codes
from theorems.growing_tours.radial import RadialBoard, check, check_moves, check_radial
from theorems.growing_tours.radial_data import RadialFamily, bends, lines, numbers

FILE = Path(__file__).parents[2] / "heuristics" / "gadgets" / "radial-turns.json"
DATA = json.loads(FILE.read_text())
FAMILIES = [RadialFamily.from_json(entry) for entry in DATA["families"]]
LEAST = 126

Cell = tuple[int, int]
Two = tuple[Cell, Cell]


def moves_of(entry: dict[str, Any], k: int) -> dict[Cell, Two]:
    """The two moves at each cell of a square, in plain Python and with none of the checker's code."""
    rows, zones = entry["seed"], entry["zones"]
    depth, columns = len(rows), list(range(len(rows[0])))
    more = [size + k * grown for size, grown in zip(entry["added"], entry["grows"], strict=True)]
    for (start, period), number in reversed(list(zip(zones, more, strict=True))):
        columns[start:start] = list(range(start, start + period)) * (number // period)
    side = len(columns) + depth
    pairs = [(MOVES[a], MOVES[b]) for a in range(8) for b in range(a + 1, 8)]
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    found: dict[Cell, Two] = {}
    for x, column in enumerate(columns):
        for y in range(depth):
            cell, two = (x, y), pairs[letters.index(rows[y][column])]
            for _ in range(4):
                found[cell] = two
                cell = side - 1 - cell[1], cell[0]
                two = (-two[0][1], two[0][0]), (-two[1][1], two[1][0])
    for x in range(depth, side - depth):
        for y in range(depth, side - depth):
            found[x, y] = inner(2 * x - side + 1, 2 * y - side + 1)
    return found


def inner(a: int, b: int) -> Two:
    """The moves at half as much to the right of the centre and above it."""
    s, t = 2 * a + b, a - 2 * b
    if t % 5 in (1, 4):
        return (2, 1), (-2, -1)
    if s % 5 in (1, 4):
        return (1, -2), (-1, 2)
    if abs(s) > abs(t):
        return (2, 1), (-2, -1)
    if abs(s) < abs(t):
        return (1, -2), (-1, 2)
    return (2, 1) if s > 0 else (-2, -1), (1, -2) if t > 0 else (-1, 2)


def followed(moves: dict[Cell, Two]) -> tuple[int, int]:
    """Cells of the cycle through the bottom left one, and its turns."""
    start = cell = (0, 0)
    move, cells, turns = moves[start][0], 0, 0
    while True:
        cell = cell[0] + move[0], cell[1] + move[1]
        first, second = moves[cell]
        back = -move[0], -move[1]
        assert back in (first, second)
        ahead = second if first == back else first
        cells, turns, move = cells + 1, turns + (ahead != move), ahead
        if cell == start:
            return cells, turns


def less(side: int) -> int:
    """What is claimed: three times the turns are 26n less this."""
    return {2: 40, 6: 36, 10: 32}[side % 12]


@pytest.mark.slow
def test_the_delivered_claims_are_checked() -> None:
    least = {r: min(n for n in range(LEAST, LEAST + 12) if n % 12 == r) for r in (2, 6, 10)}
    each = "every board n x n with n >= {} and n = {} (mod {}) has a closed knight's tour that a quarter turn maps to "
    each += "itself with at most 26/3 n - {} turns"
    assert [claim.text for claim in check(DATA)] == [
        each.format(LEAST, 2, 4, "32/3"),
        *(each.format(least[r], r, 12, {2: "40/3", 6: "12", 10: "32/3"}[r]) for r in (2, 6, 10)),
    ]


def test_the_claim_of_a_family_is_its_own() -> None:
    entries = [DATA["families"][number] for number in (0, 74)]
    claims = []
    for entry in entries:
        claim, side = copy.deepcopy(DATA["claims"][0]), RadialFamily.from_json(entry).side(0)
        claim["boards"] |= {"least": side, "modulus": 480, "residues": [side % 480]}
        claims.append(claim)
    assert len(check({**DATA, "claims": claims, "families": entries})) == len(entries)
    with pytest.raises(CertificateError):
        check({**DATA, "claims": claims, "families": entries[1:]})


MANY = [
    pytest.param(number, k, marks=pytest.mark.slow)
    for number, k in [(0, 6), *((number, 1) for number in range(1, 120))]
]


@pytest.mark.parametrize(("number", "k"), [pytest.param(0, 1, marks=pytest.mark.slow), (17, 0), *MANY])
def test_squares_cell_by_cell(number: int, k: int) -> None:
    family, entry = FAMILIES[number], DATA["families"][number]
    moves = moves_of(entry, k)
    side = family.side(k)
    cells, turns = followed(moves)
    assert cells == len(moves) == side**2 and turns == family.turns(k)
    assert 3 * turns <= 26 * side - less(side)
    for (x, y), two in moves.items():
        assert {*moves[side - 1 - y, x]} == {(-dy, dx) for dx, dy in two}
    assert family.steps_to(side) == k and family.steps < 6


def test_the_codes_of_a_square() -> None:
    family = FAMILIES[3]
    codes, moves = family.codes(0), moves_of(DATA["families"][3], 0)
    assert {(x, y): {MOVES[m] for m in PAIRS[codes[x, y]]} for x, y in moves} == {c: {*two} for c, two in moves.items()}


@pytest.mark.parametrize("side", [50, 54, 58, 88])
def test_moves_inside_fit_and_turn_at_bends(side: int) -> None:
    depth = 2
    codes = lines(side, *np.indices((side, side)))
    inside = range(depth, side - depth)
    turned = 0
    for x in inside:
        for y in inside:
            first, second = PAIRS[codes[x, y]]
            turned += second - first != 4
            for move in (first, second):
                u, v = x + MOVES[move][0], y + MOVES[move][1]
                assert u not in inside or v not in inside or (move + 4) % 8 in PAIRS[codes[u, v]]
    assert turned == bends(side, depth)


def test_numbers_of_a_turned_cell() -> None:
    s, t = numbers(60, np.array([7, 11]), np.array([11, 60 - 1 - 7]))
    assert (s[1], t[1]) == (-t[0], s[0])


def moved(family: RadialFamily) -> RadialFamily:
    """The family with its slabs where a step puts them: behind the lines that it puts in below them."""
    bundles = [bundle for slab in family.slabs for bundle in slab]

    def grown(bundle: Bundle) -> int:
        return sum(abs(before.lines) for before in bundles if before.edge <= bundle.first)

    slabs = tuple(
        tuple(replace(bundle, first=bundle.first + grown(bundle)) for bundle in slab) for slab in family.slabs
    )
    return replace(family, steps=family.steps + 1, slabs=slabs)


@pytest.mark.parametrize("number", [5, *slow(range(0, 120, 10))])
def test_the_next_square_can_be_pumped_as_well(number: int) -> None:
    """What the induction says."""
    check_radial(moved(moved(FAMILIES[number])))


@pytest.mark.slow
def test_slabs_that_do_not_fit() -> None:
    """Less of a slab, or more; other places; another square: none of these can be pumped."""
    family = FAMILIES[0]
    right = RadialBoard(family, family.steps)
    right.inflation()
    for which, slab in enumerate(family.slabs):
        changed: list[tuple[Bundle, ...]] = [
            slab[:-1],
            *((replace(slab[0], lines=slab[0].lines + more), *slab[1:]) for more in (-40, -10, 10, 40)),
            *((*slab[:-1], replace(slab[-1], first=slab[-1].first + by)) for by in (-200, 200)),
            tuple(replace(bundle, first=bundle.first + 100_000) for bundle in slab),
        ]
        for other in changed:
            board = RadialBoard(
                replace(family, slabs=(*family.slabs[:which], other, *family.slabs[which + 1 :])), right.k
            )
            board.__dict__["walk"] = right.walk  # The cycle is the same whatever is said of it
            with pytest.raises(CertificateError):
                board.inflation()
    for steps in (0, family.steps - 1, family.steps + 1):
        with pytest.raises(CertificateError):
            RadialBoard(family, steps).inflation()


def test_smaller_steps_prove_nothing() -> None:
    """With half a step the strands of some chains change places."""
    for family in FAMILIES[:3]:
        half = replace(
            family,
            grows=tuple(more // 2 for more in family.grows),
            slabs=tuple(tuple(replace(bundle, lines=bundle.lines // 2) for bundle in slab) for slab in family.slabs),
        )
        with pytest.raises(CertificateError):
            check_radial(half)


def test_lines_of_other_kinds_are_not_put_in() -> None:
    family = FAMILIES[0]
    slabs = tuple(tuple(replace(bundle, lines=bundle.lines + 5) for bundle in slab) for slab in family.slabs)
    with pytest.raises(CertificateError, match="multiples of 10"):
        check_radial(replace(family, slabs=slabs))


def first_cycle(board: RadialBoard) -> int:
    """Cells of the cycle through the bottom left one."""
    nodes = board.nodes
    (corner,) = np.flatnonzero((nodes.cells == 0).all(axis=1))
    cycle = np.searchsorted(nodes.starts, corner, side="right")
    begin, end = np.append(nodes.starts, len(nodes.cells))[cycle - 1 : cycle + 1]
    inside = board.run_moves(nodes.cells[board.first + 1] - nodes.cells[board.first]) + 1
    return int((~nodes.inner[begin:end]).sum() + inside[(begin <= board.first) & (board.first < end)].sum())


@pytest.mark.slow
def test_several_cycles_grow_as_they_should() -> None:
    """Where slabs are accepted the followed cycle has a number of cells that is a polynomial of degree two."""
    random, accepted, several = Random(1), 0, 0
    for family in FAMILIES[: part_of(9)]:
        other = replace(family, seed=exchanged(family, random))
        boards = [RadialBoard(other, family.steps + more) for more in range(5)]
        try:
            boards[0].inflation()
        except CertificateError:
            continue
        accepted += 1
        several += first_cycle(boards[0]) < boards[0].side ** 2
        assert not np.diff([first_cycle(board) for board in boards], 3).any()
    assert accepted >= several > 0


def exchanged(family: RadialFamily, random: Random) -> Any:
    """The seed with two moves of its left corner replaced by two others between the same four cells."""
    seed, corner = family.seed.copy(), 9
    while True:
        cells = [(random.randrange(corner), random.randrange(family.depth))]
        pair = random.randrange(8), random.randrange(8)
        steps = [*pair, *((move + 4) % 8 for move in pair)]
        for move in steps[:3]:  # Round a parallelogram
            cells.append((cells[-1][0] + MOVES[move][0], cells[-1][1] + MOVES[move][1]))
        if len({*cells}) < 4 or any(not (0 <= x < corner and 0 <= y < family.depth) for x, y in cells):
            continue
        made = [{*PAIRS[seed[cell]]} for cell in cells]
        behind = [(steps[k - 1] + 4) % 8 for k in range(4)]
        old, new = ([couple[k % 2][k] for k in range(4)] for couple in ((steps, behind), (behind, steps)))
        if all(old[k] in made[k] and new[k] not in made[k] for k in range(4)):
            for k, cell in enumerate(cells):
                seed[cell] = PAIRS.index(tuple(sorted(made[k] - {old[k]} | {new[k]})))
            return seed


def test_moves_fit_in_all_squares_of_what_is_accepted() -> None:
    """Zones somewhere else, and other steps: where they are accepted, moves fit in larger squares, too."""
    random, accepted, refused = Random(2), 0, 0
    for number in range(part_of(40)):
        family = FAMILIES[number % len(FAMILIES)]
        zones, grows = list(family.zones), list(family.grows)
        which = random.randrange(len(zones))
        by = random.choice((-10, -5, -1, 1, 2, 5, 10))
        if random.random() < 0.7:
            zones[which] = replace(zones[which], start=zones[which].start + by)
        if random.random() < 0.5:
            part = 30 * random.choice((1, 2, 3))
            grows = [random.choice((0, 10, part // 3)) for _ in zones]
        other = replace(family, zones=tuple(zones), grows=tuple(grows))
        try:
            check_moves(other)
        except (CertificateError, IndexError):
            refused += 1
            continue
        accepted += 1
        for k in (1, 2):
            check_codes(other.codes(k))
    assert accepted > part_of(3) and refused > part_of(10)


def stronger() -> list[dict[str, Any]]:
    """What may replace parts of the first claim."""
    boards, (bound,) = DATA["claims"][0]["boards"], DATA["claims"][0]["bounds"]
    return [
        {"boards": {**boards, "least": boards["least"] - 4}},
        {"boards": {**boards, "modulus": 2, "residues": [0]}},
        {"boards": {**boards, "shape": "rectangles", "residues": [0]}},
        {"bounds": [{**bound, "constant": [-33, 3]}]},
        {"bounds": [{**bound, "slope": [259, 30], "constant": [100, 1]}]},
        {"bounds": [{**bound, "metric": "crossings", "slope": [10000, 1], "constant": [0, 1]}]},
    ]


@pytest.fixture
def families_are_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Families count as proved: that they are in one cycle need not be shown again where a claim is to be refused."""
    monkeypatch.setattr(radial, "check_radial", lambda *_: 0)


@pytest.mark.usefixtures("families_are_proved")
@pytest.mark.parametrize("change", stronger(), ids=str)
def test_claims_that_are_too_strong(change: dict[str, Any]) -> None:
    data = copy.deepcopy(DATA)
    data["claims"][0] |= change
    with pytest.raises(CertificateError):
        check(data)


@pytest.mark.usefixtures("families_are_proved")
def test_a_missing_family_is_noticed() -> None:
    check(DATA)
    for number in (0, 50, 119):
        with pytest.raises(CertificateError, match="no family has the board"):
            check({**DATA, "families": DATA["families"][:number] + DATA["families"][number + 1 :]})


Change = Callable[[dict[str, Any]], object]
FORGED: list[Change] = [
    lambda family: family.update(slabs=[]),
    lambda family: family["slabs"][0].append([1, 1, 10]),
    lambda family: family["slabs"][0].append([0, 10**7, 10]),
    lambda family: family.update(steps=10**6),
    lambda family: family.pop("steps"),
    lambda family: family["added"].append(0),
    lambda family: family["added"].__setitem__(0, family["added"][0] + 10),
    lambda family: family["added"].__setitem__(0, family["added"][0] + 1),
    lambda family: family["added"].__setitem__(0, -10),
    lambda family: family["grows"].__setitem__(0, family["grows"][0] - 10),
    lambda family: family.update(grows=[0, 0, 0, 0]),
    lambda family: family["grows"].reverse(),
    lambda family: family["zones"].pop(),
    lambda family: family["zones"][0].__setitem__(1, 9),
    lambda family: family["zones"][0].__setitem__(0, 3),
    lambda family: family["seed"].pop(),
    lambda family: family["seed"].__setitem__(0, family["seed"][1]),
    lambda family: family.update(seed="abc"),
]


@pytest.mark.parametrize("number", range(len(FORGED)))
def test_forged_files_are_refused(number: int) -> None:
    data = copy.deepcopy(DATA)
    FORGED[number](data["families"][0])
    with pytest.raises(CertificateError):
        check(data)
