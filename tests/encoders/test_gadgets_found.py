"""Searches for gadgets are complete: brute force that shares no code agrees."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from encoders.gadgets import Wanted, frames, search
from kt_models import KTError, Leaper
from kt_models.gadgets.frame import Frame, Port
from kt_models.gadgets.gadget import Gadget
from tests import brute
from tests.effort import part_of

KNIGHT = [(dx, dy) for dx in (-2, -1, 1, 2) for dy in (-2, -1, 1, 2) if abs(dx) != abs(dy)]
SOME = settings(max_examples=part_of(40), deadline=None, suppress_health_check=list(HealthCheck))


def covers(frame: Frame):
    """Every set of moves within a plane region that gives each cell two moves with those outside, without a cycle."""
    cells = sorted(frame.cells)
    need = {cell: 2 - sum(port.cell == cell for port in frame.ports) for cell in cells}

    def choose(k: int, need: dict, moves: tuple):
        if k == len(cells):
            yield moves
            return
        x, y = cells[k]
        later = [c for dx, dy in KNIGHT if (c := (x + dx, y + dy)) > (x, y) and need.get(c, 0) > 0]
        for chosen in itertools.combinations(later, need[x, y]) if need[x, y] >= 0 else ():
            yield from choose(
                k + 1, need | {c: need[c] - 1 for c in chosen}, moves + tuple(((x, y), c) for c in chosen)
            )

    for moves in choose(0, need, ()):
        parent = {cell: cell for cell in cells}

        def root(cell, parent=parent):
            while parent[cell] != cell:
                cell = parent[cell]
            return cell

        acyclic = True
        for a, b in moves:
            acyclic = acyclic and root(a) != root(b)
            parent[root(a)] = root(b)
        if acyclic:
            yield moves


def outside(frame: Frame):
    return [pair for port in frame.ports for pair in itertools.pairwise((port.cell, *port.line))]


def turns_of(segments) -> int:
    at: dict = {}
    for a, b in segments:
        at.setdefault(a, []).append((b[0] - a[0], b[1] - a[1]))
        at.setdefault(b, []).append((a[0] - b[0], a[1] - b[1]))
    return sum(len(v) == 2 and v[0] != (-v[1][0], -v[1][1]) for v in at.values())


def crossings_of(segments) -> int:
    """Pairs of open segments that meet."""
    return sum(brute._meet(*first, *second) for first, second in itertools.combinations(segments, 2))


@st.composite
def plane_frames(draw) -> Frame:
    width, height = draw(st.sampled_from([(3, 3), (3, 4), (4, 4), (5, 3), (3, 5), (4, 5)]))
    cells = [(x, y) for x in range(width) for y in range(height)]
    removed = draw(st.sets(st.sampled_from(cells), max_size=3))
    region = [cell for cell in cells if cell not in removed]
    ways = [
        (c, move) for c in region for move in KNIGHT if (c[0] + move[0], c[1] + move[1]) not in region
    ]  # Also into a hole
    ports: list[Port] = []
    for cell, move in draw(st.lists(st.sampled_from(ways), min_size=2, max_size=8, unique=True)):
        try:
            Frame(tuple(region), (*ports, Port(cell, move)))
        except KTError:
            continue
        ports.append(Port(cell, move))
    assume(len(ports) >= 2)  # Two lines that meet outside leave one
    return Frame(tuple(region), tuple(ports[: len(ports) // 2 * 2]))


@SOME
@given(plane_frames())
def test_every_gadget_is_found_and_measured_as_by_brute_force(frame: Frame) -> None:
    known = Counter()
    for moves in covers(frame):
        segments = [*moves, *outside(frame)]
        known[turns_of(segments), crossings_of(segments)] += 1
    found = search(frame)
    assert found.complete
    assert found.infeasible == (not known)
    assert Counter((g.turns, g.crossings) for g in found.gadgets) == known
    assert len(set(found.gadgets)) == len(found.gadgets)
    for k, metric in enumerate(("turns", "crossings")):
        best = search(frame, minimize=metric)
        if known:
            least = min(key[k] for key in known)
            assert best.value == best.bound == least
            assert Counter((g.turns, g.crossings) for g in best.gadgets) == {
                key: n for key, n in known.items() if key[k] == least
            }
            near = search(frame, minimize=metric, at_most=least + 1)
            assert len(near.gadgets) == sum(n for key, n in known.items() if key[k] <= least + 1)
        else:
            assert best.infeasible


@pytest.mark.slow
@SOME
@given(plane_frames(), st.randoms(use_true_random=False))
def test_conditions_on_the_pairing_choose_among_all_gadgets(frame: Frame, random) -> None:
    every = search(frame).gadgets
    count = len(frame.ports)
    a, b = random.sample(range(count), 2)
    joined = search(frame, wanted=Wanted(joined=((a, b),)))
    assert set(joined.gadgets) == {g for g in every if frozenset((a, b)) in g.pairing}
    order = random.sample(range(count), count)
    links = tuple(zip(order[::2], order[1::2], strict=True))
    cyclic = search(frame, wanted=Wanted(linked=links))
    assert set(cyclic.gadgets) == {g for g in every if one_cycle(g, links)}


def one_cycle(gadget: Gadget, links) -> bool:
    import networkx as nx

    graph = nx.MultiGraph([tuple(pair) for pair in gadget.pairing] + list(links))
    return nx.number_connected_components(graph) == 1


@pytest.mark.parametrize(
    ("side", "period", "depth", "leaper"),
    [
        ("bottom", 2, 3, Leaper(1, 2)),
        ("left", 1, 3, Leaper(1, 2)),
        ("top", 4, 3, Leaper(1, 2)),
        ("right", 2, 2, Leaper(1, 2)),
        ("bottom", 6, 6, Leaper(2, 3)),
        ("left", 4, 6, Leaper(1, 4)),
    ],
)
def test_what_a_period_of_a_strip_has_is_what_each_more_period_adds(
    side: str, period: int, depth: int, leaper: Leaper
) -> None:
    most = 20 if leaper == Leaper(1, 2) else 1  # The others have larger strips
    gadgets = search(frames.strip(side, period, depth, (-leaper.b, leaper.a), leaper), most=most).gadgets
    assert gadgets
    for gadget in gadgets:
        counts = []
        for copies in (9, 10):
            segments = set()
            for k in range(copies):
                dx, dy = (k * c for c in gadget.frame.period)
                segments |= {
                    tuple(sorted([(ax + dx, ay + dy), (bx + dx, by + dy)]))
                    for (ax, ay), (bx, by) in [
                        *(pair for path in gadget.paths for pair in itertools.pairwise(path.cells)),
                        *outside(gadget.frame),
                    ]
                }
            counts.append((turns_of(segments), crossings_of(segments)))
        assert (gadget.turns, gadget.crossings) == tuple(b - a for a, b in zip(*counts, strict=True))
