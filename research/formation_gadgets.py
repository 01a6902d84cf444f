"""Find the gadgets of the formation tours: heels, corners and junctions with the fewest turns or crossings.

    python -m research.formation_gadgets heels|corners|junctions|... -o heuristics/gadgets/formation_NAME.json

A gadget is a set of disjoint knight's paths that cover a region and join given ends. CP-SAT chooses the moves; turns
and crossings are counted in the region and with the moves around it (the tour it is meant for, with the gadgets found
so far), those asked for first, the others to break ties. Every gadget is proved least for its place unless the time
limit is named in the file.
"""

from __future__ import annotations

import argparse
import itertools
import json
from collections.abc import Iterable, Sequence

from encoders.gadgets import Wanted
from encoders.gadgets import search as search_gadgets
from encoders.gadgets.frames import quartet_ports
from heuristics.papers.taming.formation.gadgets import junction_region, load_heels, transitions
from heuristics.papers.taming.formation.giraffe import HEIGHTS, SIDE, giraffe_region
from heuristics.papers.taming.formation.layout import Layout, formation_gadgets, high_of, layout
from heuristics.papers.taming.formation.quartet import (
    DIAGONAL,
    MATCHINGS,
    POSITIONS,
    STRAIGHT,
    FormationGadget,
    Point,
    matching_after,
    plus,
    square,
)
from heuristics.papers.taming.formation.square import PLACE, above_region, side_region
from kt_models import Leaper
from kt_models.gadgets.frame import Frame
from kt_models.json_version import FORMAT_VERSION
from kt_models.writing import write_atomic
from research.paths_in_place import Edge, Place, moves_of, search

PAPER_HEIGHT = 11
"""Height of the giraffes' junctions in the paper."""
METRICS = {"turns": ("turns", "crossings"), "crossings": ("crossings", "turns")}
KEEPS_H = [p for p in itertools.permutations(range(4)) if matching_after("H", p) == "H"]
"""Where the four knights may end up so that Lemma 1 (a horizontal matching stays one) still holds."""


def moves_around(plan: Layout, skip: int | None = None) -> frozenset[Edge]:
    """The moves of a layout but for those of one transition; those inside the junctions are not there."""
    found = set()
    at = plan.start
    for number, length in enumerate(plan.runs()):
        step = DIAGONAL["a" if number % 2 == 0 else "b"]
        for _ in range(length):
            found |= {frozenset((plus(at, p), plus(plus(at, step), p))) for p in POSITIONS}
            at = plus(at, step)
        if number < len(plan.transitions):
            transition = plan.transitions[number]
            if number != skip:
                found |= moves_of([plus(at, c) for c in path] for path in transition.gadget.paths)
            at = transition.exit
    return frozenset(found)


def near(moves: frozenset[Edge], cells: Iterable[Point], margin: int = 3) -> frozenset[Edge]:
    """The moves that can meet a move between the cells."""
    cells = list(cells)
    low = min(c.x for c in cells) - margin, min(c.y for c in cells) - margin
    high = max(c.x for c in cells) + margin, max(c.y for c in cells) + margin
    return frozenset(e for e in moves if all(low[0] <= c.x <= high[0] and low[1] <= c.y <= high[1] for c in e))


def least(place: Place, metrics: Sequence[str], effort: float, *name: object) -> dict:
    """The best paths of a place, and their values, as they stand in a file."""
    paths, values = search(place, metrics, effort)
    print(*name, values, flush=True)
    assert paths is not None
    return {"paths": paths, **values}


def gadget_like(
    plan: Layout,
    number: int,
    metrics: Sequence[str],
    effort: float,
    pairings: Sequence[Sequence[int]] = KEEPS_H,
    column: Iterable[Point] = (),
) -> tuple[FormationGadget, dict]:
    """The best gadget on the cells of a transition of a layout, and of a column beside them; with it its entry."""
    transition = plan.transitions[number]
    gadget, entry = transition.gadget, transition.entry
    cells = frozenset(plus(entry, c) for path in gadget.paths for c in path) | frozenset(column)
    sources, targets = ([plus(at, p) for p in POSITIONS] for at in (entry, transition.exit))
    place = Place(cells, sources, targets, pairings, near(moves_around(plan, number), cells))
    found = least(place, metrics, effort, metrics[0], gadget.name)
    paths = tuple(tuple(Point(c.x - entry.x, c.y - entry.y) for c in path) for path in found["paths"])
    return FormationGadget(gadget.name, paths, gadget.exit), found | {"paths": paths, "exit": gadget.exit}


def junction(
    plan: Layout, region: frozenset[Point], matching: str, metrics: Sequence[str], effort: float, *required: Edge
) -> dict:
    """Two paths that fill a corner and end at the quartet, joining it by a matching."""
    (a, b), (c, d) = MATCHINGS[matching]
    at = [plus(plan.start, p) for p in POSITIONS]
    place = Place(region, [at[a], at[c]], [at[b], at[d]], [(0, 1)], near(moves_around(plan), region), required=required)
    return least(place, metrics, effort, metrics[0], matching)


def search_heels(effort: float) -> dict:
    """The heels of Figure 11, amid diagonals and heels of the plain kind, which changes nothing here."""
    found = {}
    for metric, order in METRICS.items():
        plan = layout(70, 52, 5, high_of(70, 52), formation_gadgets())
        middle = 8
        assert plan.transitions[middle].gadget.name == "heel"
        _, found[metric] = gadget_like(plan, middle, order, effort)
    return found


def search_corners(effort: float) -> dict:
    """Best corners for each heel, amid that heel."""
    found: dict = {}
    for metric, order in METRICS.items():
        gadgets = formation_gadgets() | {"heel": load_heels()[metric]}
        names = found.setdefault(metric, {})
        for name, width in (("corner 4", 42), ("corner 6", 44), ("corner 2", 40)):
            plan = layout(width, 60, 5, high_of(width, 60), gadgets)
            number = next(i for i, t in enumerate(plan.transitions) if t.gadget.name == name and i % 2 == 0)
            gadgets[name], names[name] = gadget_like(plan, number, order, effort)
    return found


def search_junctions(effort: float) -> dict:
    """Two paths that fill a corner, for every height and matching, amid each heel."""
    found: dict = {}
    for metric, order in METRICS.items():
        gadgets = formation_gadgets() | {"heel": load_heels()[metric]}
        names = found.setdefault(metric, {})
        for height in range(5, 9):
            plan = layout(62, 60 + height % 4, height, high_of(62, 60 + height % 4, height), gadgets)
            for matching in ("H", "V"):
                names[f"{height}{matching}"] = junction(plan, junction_region(height), matching, order, effort)
    return found


def search_odd(effort: float) -> dict:
    """What covers one more column on the left, but for its bottom cell (section 5.2), with the fewest turns.

    Transitions are given as at the lower right end, before they are turned by 180°: the column is on their right.
    """
    found: dict = {}
    for style, order in METRICS.items():
        gadgets = transitions(style)
        names, upper = found.setdefault(style, {}), dict(gadgets)
        for name, width, rows in (("edge", 42, (0, 4)), ("corner 6", 44, (-2, 2)), ("corner 2", 40, (-3, 3))):
            plan = layout(width, 60, 5, high_of(width, 60), upper)
            numbers = [i for i, t in enumerate(plan.transitions) if t.gadget.name == name and i % 2 == 0]
            number = numbers[len(numbers) // 2]
            column = (Point(width, plan.transitions[number].entry.y + y) for y in range(*rows))
            every = list(itertools.permutations(range(4)))
            upper[name], names[name] = gadget_like(plan, number, order, effort, every, column)
        plan = layout(44, 60, 5, high_of(44, 60), gadgets)
        region = junction_region(5) | {Point(-1, y) for y in range(1, 7)}
        for matching in ("H", "V"):
            names[f"5{matching}"] = junction(
                plan, region, matching, order, effort, frozenset((Point(0, 0), Point(-1, 2)))
            )
    return found


def search_levels(effort: float) -> dict:
    """Four paths that fill a corner, from its diagonal to where the quartet changes levels."""
    found: dict = {}
    for height in range(5, 9):
        plan = layout(62, 60 + height % 4, height, high_of(62, 60 + height % 4, height), transitions("turns"))
        region = junction_region(height)
        sources = [plus(plan.start, p) for p in POSITIONS]
        for name, at in (("first", Point(0, 0)), ("last", Point(2, 0))):
            every, targets = list(itertools.permutations(range(4))), [plus(at, p) for p in POSITIONS]
            place = Place(region, sources, targets, every, near(moves_around(plan), region))
            gadget = least(place, ("turns",), effort, height, name)
            relative = [[Point(c.x, c.y - height) for c in path] for path in gadget["paths"]]
            found[f"{name} {height}"] = gadget | {"paths": relative, "exit": Point(at.x, at.y - height)}
    return found


def search_giraffe(effort: float) -> dict:
    """Two junctions of sixteen giraffes of each height, whose matchings together are one cycle (section 5.4)."""
    found = {}
    for tall in HEIGHTS:
        print("height", tall, flush=True)
        found[str(tall)] = _paper_giraffe(effort) if tall == PAPER_HEIGHT else _any_giraffe(tall)
    return found


def _any_giraffe(tall: int) -> dict:
    """The first two junctions that are found: one with any pairing, and one that makes one cycle with it."""
    ends = [Point(p.x, p.y + tall) for p in square(SIDE)]
    ports = quartet_ports((0, tall), (4, -1), side=SIDE)
    frame = Frame((*giraffe_region(tall), *ends), ports, leaper=Leaper(1, 4))
    (low,) = search_gadgets(frame, most=1).gadgets
    links = tuple((15 - a, 15 - b) for a, b in map(sorted, low.pairing))  # Port k is met by port 15 - k of the other
    (high,) = search_gadgets(frame, most=1, wanted=Wanted(linked=links)).gadgets
    return {
        name: {"paths": [p.cells for p in gadget.paths]} for name, gadget in (("bottom left", low), ("top right", high))
    }


def _paper_giraffe(effort: float) -> dict:
    """Junctions as high as the paper's, with few turns; any pairing of the ends will do.

    The first is the one with the fewest turns found; others are tried until one fits.
    """
    tall = PAPER_HEIGHT
    ends = [Point(p.x, p.y + tall) for p in square(SIDE)]
    place = Place(giraffe_region(tall), ends, leaper=Leaper(1, 4))
    low, _ = search(place, ("turns",), effort)
    for seed in itertools.count(1):
        high, _ = search(place, ("turns",), effort, seed)
        assert low is not None and high is not None
        joined: dict[Point, list[Point]] = {end: [] for end in ends}
        for paths, turn in ((low, False), (high, True)):
            for path in paths:
                a, b = (ends[15 - ends.index(c)] if turn else c for c in (path[0], path[-1]))
                joined[a].append(b)
                joined[b].append(a)
        at, length = ends[0], 0
        while length == 0 or at != ends[0]:  # Along low and high in turn
            at, length = joined[at][length % 2], length + 1
        print("giraffe", seed, length, flush=True)
        if length == 16:
            return {"bottom left": {"paths": low}, "top right": {"paths": high}}
    raise AssertionError


def search_square(effort: float) -> dict:
    """The 6×6 junction of Figure 8, and the moves of the quartet around it for every constant of the first diagonal."""
    quartet = [plus(PLACE, p) for p in POSITIONS]
    box = frozenset(Point(x, y) for x in range(6) for y in range(6))
    place = Place(box - set(quartet), [quartet[0], quartet[2]], [quartet[1], quartet[3]], [(0, 1)])
    found: dict = {"junction": least(place, METRICS["turns"], effort, "junction")}
    for constant in range(6, 10):
        beside, above = side_region(constant), above_region(constant)
        x = 2 * (constant - 2)
        found[f"beside {constant}"] = {"word": fewest_straight(PLACE, Point(x + 2, 3), beside)}
        found[f"above {constant}"] = {"word": fewest_straight(Point(4, constant), Point(0, constant + 4), above)}
        print(constant, found[f"beside {constant}"], found[f"above {constant}"], flush=True)
    return found


def fewest_straight(start: Point, goal: Point, region: frozenset[Point], limit: int = 2_000_000) -> str:
    """The moves of a quartet that cover a region once, with few straight ones: a depth-first search, cut short."""
    moves = {**STRAIGHT, **DIAGONAL}
    best, steps = "", 0

    def walk(at: Point, left: frozenset[Point], word: str, straight: int) -> None:
        nonlocal best, steps
        steps += 1
        if steps > limit or (best and straight >= sum(m in STRAIGHT for m in best)):
            return
        if not left:
            if at == goal:
                best = word
            return
        old = {plus(at, p) for p in POSITIONS}
        for name, move in moves.items():
            to = plus(at, move)
            new = {plus(to, p) for p in POSITIONS} - old
            if new <= left:
                walk(to, left - new, word + name, straight + (name in STRAIGHT))

    walk(start, region, "", 0)
    return best


SEARCHES = {
    "heels": search_heels,
    "corners": search_corners,
    "junctions": search_junctions,
    "odd": search_odd,
    "levels": search_levels,
    "giraffe": search_giraffe,
    "square": search_square,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=SEARCHES)
    parser.add_argument(
        "--effort",
        type=float,
        default=120.0,
        help="work for each gadget, in CP-SAT's deterministic units, about seconds",
    )
    parser.add_argument("-o", "--output", required=True)
    arguments = parser.parse_args()
    found = {
        "version": FORMAT_VERSION,
        "command": f"python -m research.formation_gadgets {arguments.what} --effort {arguments.effort:g} -o FILE",
        "gadgets": SEARCHES[arguments.what](arguments.effort),
    }
    write_atomic(arguments.output, json.dumps(found) + "\n")


if __name__ == "__main__":
    main()
