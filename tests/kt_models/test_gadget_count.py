"""Gadgets counted by a sweep: against brute force, and what check does with files that say too much."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from encoders.gadgets import Wanted, frames, search
from kt_models import CertificateError, InvalidTour, KTError, Leaper
from kt_models.cells import Cell
from kt_models.files.check import check_file
from kt_models.gadgets.count import count_gadgets
from kt_models.gadgets.frame import Frame, Port
from tests.command import kt
from tests.encoders.test_gadgets import FOLDER
from tests.encoders.test_gadgets_found import KNIGHT, covers, crossings_of, outside, turns_of

CELLS = tuple((x, y) for x in range(4) for y in range(4))
TWELVE = Frame(CELLS, (Port((0, 3), (-2, -1)), Port((3, 0), (2, 1)), Port((3, 1), (2, 1)), Port((0, 0), (-2, -1))))
FOUR = Frame(CELLS, (Port((2, 3), (-2, 1)), Port((3, 1), (-1, -2)), Port((3, 0), (1, 2)), Port((0, 0), (-2, 1))))


@pytest.mark.parametrize("frame", [TWELVE, FOUR])
def test_counts_are_those_of_brute_force(frame: Frame) -> None:
    values = [(turns_of(s), crossings_of(s)) for s in ([*moves, *outside(frame)] for moves in covers(frame))]
    assert len(values) == (12 if frame is TWELVE else 4)
    assert count_gadgets(frame, Wanted()) == {0: len(values)}
    for k, metric in enumerate(("turns", "crossings")):
        known = Counter(value[k] for value in values)
        for most in range(min(known) - 1, max(known) + 1):
            assert count_gadgets(frame, Wanted(), metric, most) == {v: known[v] for v in known if v <= most}
    pairings = Wanted().pairings(frame)
    each = [count_gadgets(frame, Wanted(joined=tuple(tuple(sorted(p)) for p in pairing))) for pairing in pairings]
    assert len(each) == 3 and sum(sum(counts.values()) for counts in each) == len(values)


def around(frame: Frame) -> Iterator[tuple[int, frozenset[frozenset[int]], set[int | None]]]:
    """Turns, pairing and drifts (None: a strand) of every gadget of a periodic frame, in plain Python."""
    axis, period = (0, frame.period[0]) if frame.period[0] else (1, frame.period[1])

    def fold(cell: Cell) -> Cell:
        return (cell[0] % period, cell[1]) if axis == 0 else (cell[0], cell[1] % period)

    cells = [fold(cell) for cell in frame.cells]
    edges = [
        (u, v, m) for u in cells for m in KNIGHT if m > (0, 0) and (v := fold((u[0] + m[0], u[1] + m[1]))) in cells
    ]
    ports = {cell: [port for port in frame.ports if fold(port.cell) == cell] for cell in cells}

    def choose(k: int, open_edges: list[int], chosen: list[int]) -> Iterator[list[int]]:
        if k == len(cells):
            yield chosen
            return
        incident = [e for e in open_edges if cells[k] in edges[e][:2]]
        need = 2 - len(ports[cells[k]]) - sum(cells[k] in edges[e][:2] for e in chosen)
        for some in itertools.combinations(incident, need) if need >= 0 else ():
            yield from choose(k + 1, [e for e in open_edges if e not in incident], [*chosen, *some])

    def follow(place: Cell, ways: dict, used: set[int]) -> Cell:
        while way := next((w for w in ways[fold(place)] if w[0] not in used), None):
            used.add(way[0])
            place = place[0] + way[1][0], place[1] + way[1][1]
        return place

    for chosen in choose(0, list(range(len(edges))), []):
        ways: dict = {cell: [] for cell in cells}
        for e in chosen:
            u, v, (dx, dy) = edges[e]
            ways[u].append((e, (dx, dy)))
            ways[v].append((e, (-dx, -dy)))
        away = [[*(m for _, m in ways[cell]), *(port.move for port in ports[cell])] for cell in cells]
        turns = sum(a != (-b[0], -b[1]) for a, b in away)
        used: set[int] = set()
        pairing, drifts = set(), set()
        for k, port in enumerate(frame.ports):
            if any(k in pair for pair in pairing):
                continue
            end = follow(port.cell, ways, used)
            (other,) = (j for j, p in enumerate(frame.ports) if fold(p.cell) == fold(end) and j != k)
            pairing.add(frozenset((k, other)))
            drifts.add((end[axis] - frame.ports[other].cell[axis]) // period)
        closed = False
        for e in chosen:
            if e not in used:
                closed = closed or follow(edges[e][0], ways, used) == edges[e][0]
                drifts.add(None)
        if not closed:
            yield turns, frozenset(pairing), drifts


@pytest.mark.parametrize(
    "frame",
    [
        frames.strip("left", 1, 4),
        frames.strip("bottom", 2, 3),
        Frame(CELLS[:8], (Port((0, 0), (-2, -1)), Port((1, 3), (2, 1))), (0, 4)),
        Frame(
            tuple((x, y) for x in range(5) for y in range(2)), (Port((3, 1), (-1, 2)), Port((0, 0), (1, -2))), (5, 0)
        ),
        Frame(tuple((x, y) for x in range(2) for y in range(4)), (), (2, 0)),
    ],
)
def test_periodic_gadgets_are_counted_as_by_brute_force(frame: Frame) -> None:
    known = list(around(frame))
    assert count_gadgets(frame, Wanted(), "turns", 100) == Counter(turns for turns, _, _ in known)
    for drift in range(-2, 3):
        assert total(frame, Wanted(drift=drift)) == sum(drifts == {drift} for _, _, drifts in known)
    for pairing in Wanted().pairings(frame) if frame.ports else ():
        wanted = Wanted(joined=tuple((min(pair), max(pair)) for pair in pairing))
        assert total(frame, wanted) == sum(joined == pairing for _, joined, _ in known)


def test_periods_and_drifts_that_a_sweep_could_not_follow() -> None:
    """A move by a whole period makes a strand, but it is no edge of the board: both of these cells have one."""
    with pytest.raises(KTError, match="translate"):
        Frame(CELLS[:2], (), (1, 0), Leaper(0, 1))
    assert total(Frame(((0, 0), (1, 0)), (), (2, 0), Leaper(0, 1)), Wanted()) == 1
    for drift in (2**60, -(10**30)):
        with pytest.raises(KTError, match="drift"):
            search(frames.strip("left", 1, 4), wanted=Wanted(drift=drift))


def total(frame: Frame, wanted: Wanted) -> int:
    return sum(count_gadgets(frame, wanted).values())


def test_a_search_says_that_a_sweep_counts_as_many() -> None:
    assert search(FOUR, minimize="turns").counted and search(FOUR, minimize="crossings", most=1).counted
    assert search(frames.strip("left", 1, 4, (-2, 1)), minimize="turns").counted


def test_check_counts_again(tmp_path: Path) -> None:
    """The paper's heel: two have 21 turns, and none has fewer."""
    file = tmp_path / "g.json"
    text = kt("search", "heel", "--minimize", "turns", "--all", "-o", file).stdout
    assert "that there are no others, or none better, is counted by an exact sweep" in text
    good = json.loads(file.read_text())
    verdict = check_file(file)
    assert not verdict.stated and "no gadget has fewer than 21 turns" in verdict.text
    assert "each path from a port that is not marked out to one that is" in verdict.text
    single = good | {"gadgets": good["gadgets"][:1], "count": 1}
    for change, error in (
        (single, CertificateError),  # There are two
        (good | {"wanted": {**good["wanted"], "joined": [[0, 1]]}}, InvalidTour),  # Neither joins these
        (good | {"wanted": {**good["wanted"], "matchings": ["A>B"]}}, KTError),
        (good | {"wanted": []}, KTError),
        (good | {"wanted": {**good["wanted"], "drift": 0}}, KTError),  # There is no period
        (good | {"at_most": 22}, CertificateError),  # There are six
        (good | {"at_most": "many"}, KTError),
    ):
        file.write_text(json.dumps(change))
        with pytest.raises(error):
            check_file(file)
    file.write_text(json.dumps({key: value for key, value in good.items() if key != "wanted"}))
    assert check_file(file).stated  # Nobody knows of which gadgets


def test_files_with_a_period_are_counted_again() -> None:
    for name in ("strip-left-turns", "strip-bottom-turns"):
        assert not check_file(FOLDER / f"{name}.json").stated


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted(FOLDER.glob("heel-sharing-*.json")), ids=lambda path: path.stem)
def test_heels_that_share_cells_are_counted_again(path: Path) -> None:
    assert not check_file(path).stated
