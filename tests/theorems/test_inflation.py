"""Inflation beside boards that are followed cell by cell: how many cycles there are, of families that were changed."""

from __future__ import annotations

import copy
import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from kt_models.errors import CertificateError
from kt_models.kernel.certificates.integers import Ints
from research.strands.slab_search import _places, find_slabs
from tests.effort import part_of
from tests.theorems.direct import board_rows, cycles, exchanged
from theorems.growing_tours.bundles import BOTH, Slabs
from theorems.growing_tours.inflation import REST, InflatedBoard, Inflation, Labels, Nodes, Truths, inflate
from theorems.growing_tours.lines import fits_zones
from theorems.growing_tours.rectangles import RectangleBoard
from theorems.growing_tours.strands import check_one_cycle
from theorems.growing_tours.tangle import Tangle
from theorems.growing_tours.zones import LINES, TourFamily, Zone, sources

GADGETS = Path(__file__).parents[2] / "heuristics" / "gadgets"
Entry = dict[str, Any]


def entries(name: str) -> list[Entry]:
    """The families of a file."""
    found: list[Entry] = json.loads((GADGETS / f"{name}.json").read_text())["families"]
    return found


def outside(entry: Entry, axis: str, size: int) -> list[int]:
    """The columns (rows) of a seed that are in no zone, nor the two before one."""
    return [at for at in range(size) if not any(start - 2 <= at < start + period for start, period in entry[axis])]


def with_other_moves(entry: Entry, random: Random) -> Entry:
    """A family with some moves exchanged near corners of the seed."""
    seed = entry["seed"]
    corners = outside(entry, "columns", len(seed[0])), outside(entry, "rows", len(seed))
    for _ in range(random.choice((1, 1, 2))):
        seed = exchanged(seed, random, *corners)
    return {**entry, "seed": seed}


def with_other_slabs(entry: Entry, random: Random) -> Entry:
    """A family with a bundle moved, turned round, left out, or widened; or a slab moved."""
    found = copy.deepcopy(entry)
    slab = random.choice(found["slabs"])
    bundle = random.choice(slab)
    change = random.randrange(5)
    if change == 0:
        bundle[1] += random.choice((-8, -4, -2, -1, 1, 2, 4, 8))
    elif change == 1:
        by = random.choice((-6, -4, -2, 2, 4, 6))
        for row in slab:
            row[1] += by
    elif change == 2:
        bundle[2] = -bundle[2]
    elif change == 3 and len(slab) > 1:
        slab.remove(bundle)
    else:
        for row in slab:
            row[2] += 4 if row[2] > 0 else -4
    return found


@pytest.mark.slow
def test_chains_with_other_moves_or_slabs() -> None:
    """What is judged has on each board the cycles that it says; and of the delivered files nothing is refused."""
    random, count = Random(1), Counter[str]()
    delivered = [entry for name in ("strands-both-squares", "strands-crossings") for entry in entries(name)]
    for number in range(part_of(60)):
        entry = random.choice(delivered)
        changed = (with_other_moves, with_other_slabs)[number % 3 == 0](entry, random)
        try:
            family = TourFamily.from_json(changed)
            inflation = RectangleBoard(family, family.inflations[0]).inflation()
        except CertificateError:
            count["refused"] += 1
            continue
        predicted = [inflation.cycles(n) for n in (1, 2, 4)]
        ks = [changed["steps"] - 1 + n for n in (1, 2, 4)]
        assert predicted == [cycles(board_rows(changed, (k, k))) for k in ks]
        count["one" if {*predicted} == {1} else "several"] += 1
    assert min(count["refused"], count["one"], count["several"]) >= part_of(3), count


def with_another_side(entry: Entry, random: Random) -> Entry:
    """A family whose zone of columns has other moves near the bottom or the top: a new pattern of a side."""
    rows = board_rows(entry, (2, 2))
    columns, lines = (range(start + period, start + 2 * period) for (start, period) in zones(entry))
    inside = [*columns][:6]  # The last two columns of a zone stay like those before it
    outside = [y for y in range(len(rows)) if not lines.start - 8 <= y < lines.stop + 8]
    for _ in range(random.choice((1, 2))):
        rows = exchanged(rows, random, inside, outside)
    return {**entry, "seed": rows, "columns": [[columns.start, len(columns)]], "rows": [[lines.start, len(lines)]]}


def zones(entry: Entry) -> tuple[tuple[int, int], tuple[int, int]]:
    """The zone of columns and the zone of rows of a family that has one of each."""
    (columns,), (rows,) = entry["columns"], entry["rows"]
    return tuple(columns), tuple(rows)


def slabs_of(family: TourFamily, random: Random) -> RectangleBoard | None:
    """A board of a family with slabs somewhere in its zones, if they are accepted; one cycle or several."""
    times = (family.growths[0].least + 4, family.growths[1].least + 5)
    if not family.has(*times):
        return None
    choices = [(growth, places) for growth in (0, 1) for places in _places(family, times, growth)]
    for _ in range(8 if all(places for _, places in choices) else 0):
        bundles = tuple((random.choice(places),) for _, places in choices)
        board = RectangleBoard(family, Slabs(times, bundles, tuple(growth for growth, _ in choices)))
        try:
            board.inflation()
        except CertificateError:
            continue
        return board
    return None


def test_rectangles_with_other_moves_or_sides() -> None:
    """What is judged has on each board the cycles that it says, with any copies of the slabs of either growth."""
    random, count = Random(3), Counter[str]()
    delivered = [entry for name in ("strands-turns", "strands-both", "strands-turns-two") for entry in entries(name)]
    for number in range(part_of(150)):
        entry = random.choice(delivered)
        changed = (with_other_moves, with_another_side, with_another_side)[number % 3](entry, random)
        try:
            family = TourFamily.from_json(changed)
        except CertificateError:
            count["no family"] += 1
            continue
        left, right, low, high = family.zoned
        if not np.isin(family.codes[left:right, low:high], LINES).all() or not (board := slabs_of(family, random)):
            count["refused"] += 1
            continue
        inflation, (i, j) = board.inflation(), board.times
        single = True
        for m, n in ((1, 1), (2, 1), (1, 2), (3, 2), (2, 4)):
            predicted = inflation.cycles(m, n)
            assert predicted == cycles(board_rows(changed, (i - 1 + m, j - 1 + n))), (number, m, n)
            single &= predicted == 1
        count["one" if single else "several"] += 1
    assert count["one"] >= part_of(6) and count["several"] >= part_of(6), count


def test_families_with_too_few_slabs() -> None:
    """Each board with few steps of a growth needs slabs of the other one, and some board slabs of both."""
    entry = entries("strands-both")[3]
    family = TourFamily.from_json(entry)
    check_one_cycle(family)
    for which in range(len(family.inflations)):
        fewer = family.inflations[:which] + family.inflations[which + 1 :]
        with pytest.raises(CertificateError, match=r"grows in both ways|no slabs of the other"):
            check_one_cycle(replace(family, inflations=fewer))
    with pytest.raises(CertificateError, match="too large"):
        check_one_cycle(family, cells=1000)
    both, *others = family.inflations
    for wrong in (
        replace(both, growths=both.growths[::-1]),
        replace(both, bundles=both.bundles[::-1]),
        replace(both, times=(both.times[0], both.times[1] + 3)),
        replace(both, times=(-5, 5)),
        replace(both, bundles=both.bundles[:-1], growths=both.growths[:-1]),
        replace(both, bundles=(both.bundles[0], both.bundles[0], both.bundles[2])),
        replace(both, growths=tuple(BOTH if growth else 0 for growth in both.growths)),
        replace(both, growths=(BOTH,) * len(both.growths)),
        replace(both, along_sides=True),
    ):
        with pytest.raises(CertificateError):
            check_one_cycle(replace(family, inflations=(wrong, *others)))


def test_slabs_are_written_and_read_and_searched_for() -> None:
    entry = entries("strands-both")[3]
    family = TourFamily.from_json(entry)
    assert family.to_json() == {**entry}
    bare = TourFamily.from_json({key: value for key, value in entry.items() if key != "inflations"})
    assert find_slabs(bare) == family.inflations
    with pytest.raises(CertificateError, match="not exactly one board"):
        check_one_cycle(bare)


@pytest.mark.parametrize(
    "change",
    [
        lambda inflations: inflations.clear(),
        lambda inflations: inflations.extend(inflations * 20),
        lambda inflations: inflations.append(7),
        lambda inflations: inflations[0].pop("at"),
        lambda inflations: inflations[0].update(at=[1]),
        lambda inflations: inflations[0].update(at=[1, 10**6]),
        lambda inflations: inflations[0].update(slabs=[]),
        lambda inflations: inflations[0].update(slabs=[3]),
        lambda inflations: inflations[0]["slabs"][0].update(growth=2),
        lambda inflations: inflations[0]["slabs"][0].update(growth=True),
        lambda inflations: inflations[0]["slabs"][0].update(lines=[]),
        lambda inflations: inflations[0]["slabs"][0].update(lines=[[3, 1, 8]]),
        lambda inflations: inflations[0]["slabs"][0].update(lines=[[2, 1, 0]]),
        lambda inflations: inflations[0]["slabs"][0].update(lines=[[2, 10**7, 8]]),
        lambda inflations: inflations[0]["slabs"][0].pop("lines"),
        lambda inflations: inflations[0]["slabs"][0].update(places=[[2, 1, 8]]),
    ],
)
def test_forged_slabs_are_refused(change: Callable[[Any], object]) -> None:
    entry = copy.deepcopy(entries("strands-both")[3])
    change(entry["inflations"])
    with pytest.raises(CertificateError):
        check_one_cycle(TourFamily.from_json(entry))


# -- the conditions, one by one, on a board of one's own ---------------------------------------------------------------


class Ring(InflatedBoard):
    """A cycle of cells (0, 0), (1, 0), ..., (w - 1, 0), (w - 1, 1), ..., (0, 1), whose column 2 may be repeated.

    The moves are no knight's moves; the argument does not ask for that.
    """

    def __init__(self, width: int = 5) -> None:
        self.width = width
        cells = [(x, 0) for x in range(width)] + [(x, 1) for x in reversed(range(width))]
        self._nodes = Nodes(
            np.array(cells), np.array([0]), np.zeros(2 * width, dtype=bool), np.zeros(2 * width, dtype=bool)
        )

    @property
    def nodes(self) -> Nodes:
        return self._nodes

    def fits(self, growth: int, vectors: Ints) -> Truths:
        x, (dx, dy) = self.nodes.cells[:, 0], vectors.T
        good: Truths = np.where(x < 2, dx == 0, np.where(x > 2, dx == 1, (dx == 0) | (dx == 1))) & (dy == 0)
        return good

    def run_moves(self, ways: Ints) -> Ints:
        return np.abs(ways).max(axis=1)

    def area(self, copies: Sequence[int]) -> int:
        return 2 * (self.width - 1 + copies[0])

    def labels(self) -> Labels:
        x = self.nodes.cells[:, 0]
        vectors, further = np.zeros((2, 1, len(x), 2), dtype=np.int64)
        vectors[0, :, 0], further[0, :, 0] = x > 2, x >= 2
        return Labels(np.where(x == 2, 0, REST), (0,), vectors, further)


def test_a_ring_that_is_inflated_stays_one_cycle() -> None:
    board = Ring()
    found = inflate(board, board.labels())
    found.check_one_cycle()
    assert found == Inflation((Tangle((2, 3, 0, 1)),), (0,), found.rest, 0)
    assert [found.cycles(n) for n in (1, 2, 7)] == [1, 1, 1]


def changed(labels: Labels, node: int, **values: Any) -> Labels:
    """Labels with another slab, vector or further vector of one node."""
    arrays = {key: getattr(labels, key).copy() for key in ("slabs", "vectors", "further")}
    for key, value in values.items():
        arrays[key][(node,) if key == "slabs" else (0, node)] = value
    return Labels(growths=labels.growths, **arrays)


WRONG = {
    "the bottom left cell belongs to a slab": ((0, {"slabs": 0}), "bottom left"),
    "it moves away": ((0, {"vectors": (1, 0), "further": (1, 0)}), "other moves"),
    "a cell moves to the left": ((1, {"vectors": (-1, 0), "further": (-1, 0)}), "points away"),
    "a cell of the rest moves in two ways": ((4, {"further": (2, 0)}), "is not one"),
    "a cell moves to where there is none like it": ((4, {"vectors": (2, 0), "further": (2, 0)}), "other moves"),
    "a cell of the slab is in no slab": ((2, {"slabs": REST, "further": (0, 0)}), "different vectors"),
    "another cell is in the slab": ((1, {"slabs": 0}), "different vectors"),
    "all copies of a cell are in one place": ((2, {"further": (0, 0)}), "different vectors"),
}


@pytest.mark.parametrize("fault", WRONG)
def test_labels_that_prove_nothing(fault: str) -> None:
    (node, values), message = WRONG[fault]
    board = Ring()
    with pytest.raises(CertificateError, match=message):
        inflate(board, changed(board.labels(), node, **values))


def test_a_corner_that_moves_is_refused_wherever_it_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cycle around another one would be as large as the board, if nothing told where it begins."""
    board = Ring()
    monkeypatch.setattr(board, "fits", lambda growth, vectors: np.ones(len(vectors), dtype=bool))
    labels = board.labels()
    with pytest.raises(CertificateError, match="bottom left"):
        inflate(board, Labels(labels.slabs, (0,), labels.vectors + 1, labels.further + 1))


def test_slabs_without_cells_and_slabs_side_by_side(monkeypatch: pytest.MonkeyPatch) -> None:
    board = Ring(6)
    labels = board.labels()
    with pytest.raises(CertificateError, match="has no cells"):
        inflate(board, Labels(labels.slabs, (0, 0), labels.vectors, labels.further))
    slabs = np.where(board.nodes.cells[:, 0] == 3, 1, labels.slabs)
    monkeypatch.setattr(board, "area", lambda copies: 12 + 4 * (copies[0] - 1))
    with pytest.raises(CertificateError, match="different vectors"):
        inflate(board, Labels(slabs, (0, 0), labels.vectors, labels.further))


def test_boards_of_another_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cells that no cycle of D(K) has are missing on all boards."""
    board = Ring()
    for area in (lambda copies: 12, lambda copies: 10 + 2 * (copies[0] - 1) ** 2, lambda copies: 11 + 2 * copies[0]):
        monkeypatch.setattr(board, "area", area)
        with pytest.raises(CertificateError, match="not those of the board"):
            inflate(board, board.labels())


# -- all numbers of copies ---------------------------------------------------------------------------------------------


def test_one_cycle_for_all_numbers_of_copies_or_not() -> None:
    """A slab that closes the cycle for the first numbers of copies need not do so for others."""
    random, refused, accepted = Random(5), 0, 0
    for _ in range(part_of(600)):
        width = random.randint(1, 4)
        ports = random.sample(range(2 * width), 2 * width)
        partner = [0] * (2 * width)
        for p, q in zip(ports[::2], ports[1::2], strict=True):
            partner[p], partner[q] = q, p
        outer = random.sample(range(2 * width), 2 * width)
        slab = Tangle(tuple(partner))
        found = Inflation((slab,), (0,), tuple(zip(outer[::2], outer[1::2], strict=True)), 0)
        good = all(found.cycles(n) == 1 for n in range(1, 60))
        try:
            found.check_one_cycle()
        except CertificateError:
            assert not good
            refused += 1
        else:
            assert good
            accepted += 1
    assert accepted and refused


def test_two_growths_are_tried_together() -> None:
    """Each alone leaves one cycle, and both do not."""
    random, together = Random(6), 0
    for _ in range(part_of(3000)):
        tangles = []
        for _ in range(2):
            ports = random.sample(range(4), 4)
            partner = [0] * 4
            for p, q in zip(ports[::2], ports[1::2], strict=True):
                partner[p], partner[q] = q, p
            tangles.append(Tangle(tuple(partner)))
        outer = random.sample(range(8), 8)
        found = Inflation((tangles[0], tangles[1]), (0, 1), tuple(zip(outer[::2], outer[1::2], strict=True)), 0)
        alone = all(found.cycles(n, 1) == 1 == found.cycles(1, n) for n in range(1, 10))
        both = all(found.cycles(m, n) == 1 for m in range(1, 10) for n in range(1, 10))
        together += alone and not both
        if both:
            found.check_one_cycle()
        else:
            with pytest.raises(CertificateError):
                found.check_one_cycle()
    assert together


# -- zones -------------------------------------------------------------------------------------------------------------


def test_vectors_that_fit_once_fit_again() -> None:
    """A column that moves as it may is the same column of the seed, and may move by any such vector from there on."""
    random = Random(7)
    for _ in range(part_of(200)):
        zones, at = [], 2
        for _ in range(random.randint(1, 3)):
            at += random.randint(0, 3)
            zones.append(Zone(at, random.randint(1, 4), random.randint(1, 2)))
            at = zones[-1].end
        size = at + random.randint(2, 4)
        added = [zone.period * random.randint(0, 2) for zone in zones]
        grows = [zone.period * random.randint(0, 3) for zone in zones]
        columns, vectors = (of.ravel() for of in np.meshgrid(np.arange(size + sum(added)), np.arange(sum(grows) + 2)))
        fits = fits_zones(columns, vectors, zones, added, grows)
        columns, vectors = columns[fits], vectors[fits]
        assert {*columns.tolist()} == {*range(size + sum(added))}
        more = [a + g for a, g in zip(added, grows, strict=True)]
        assert np.array_equal(sources(columns, zones, added), sources(columns + vectors, zones, more))
        for again in {*vectors.tolist()}:
            mine = fits_zones(columns, np.full(len(columns), again), zones, added, grows)
            then = fits_zones(columns + vectors, np.full(len(columns), again), zones, more, grows)
            assert np.array_equal(mine, then)
