"""The gadgets beyond formation moves: read from `heuristics/gadgets/formation_*.json` and checked.

Each file names the command that finds it again. The check covers what a layout relies on: a gadget covers its region
once by knight's moves and joins the right ends.
"""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from heuristics.papers.taming.formation.layout import formation_gadgets
from heuristics.papers.taming.formation.quartet import MATCHINGS, POSITIONS, FormationGadget, Point, march, plus

FOLDER = Path(__file__).parents[3] / "gadgets"
STYLES = ("plain", "turns", "crossings", "both")
LONG = "heel-long-1"
"""The heel with the fewest crossings if one more step of the incoming diagonal is free; it has few turns as well."""


@dataclass(frozen=True)
class Junction:
    """Two knight's paths that fill the bottom left corner of a board; their ends form a quartet.

    Parameters
    ----------
    place
        Place of that quartet.
    matching
        The pairs of joined positions of the quartet: H, V or X.
    paths
        Cells of each path, including the two ends, which belong to the quartet.
    """

    place: Point
    matching: str
    paths: tuple[tuple[Point, ...], ...]


def junction_region(height: int) -> frozenset[Point]:
    """The cells below a diagonal of constant `height`, left of the heel that begins where it meets row 2."""
    return frozenset(
        Point(x, y) for pair in range(height - 2) for x in (2 * pair, 2 * pair + 1) for y in range(height - pair)
    )


@cache
def load(name: str) -> Any:
    """The gadgets of one file."""
    return json.loads((FOLDER / f"formation_{name}.json").read_text())["gadgets"]


def read_gadget(name: str, data: Any, shape: FormationGadget | None = None) -> FormationGadget:
    """A gadget from a file.

    Raises
    ------
    ValueError
        If its paths are not knight's paths from a quartet to a quartet, or do not cover the cells of `shape` once.
    """
    paths = {path[0]: path for path in read_paths(data["paths"])}
    gadget = FormationGadget(
        name, tuple(paths.get(position, (position,)) for position in POSITIONS), Point(*data["exit"])
    )
    cells = [cell for path in gadget.paths for cell in path]
    whole = len(data["paths"]) == 4 and set(paths) == set(POSITIONS)
    if not whole or sorted(gadget.permutation) != [0, 1, 2, 3] or len(set(cells)) < len(cells):
        raise ValueError(f"gadget {name}: not four disjoint paths from a quartet to a quartet")
    if shape and set(cells) != {cell for path in shape.paths for cell in path}:
        raise ValueError(f"gadget {name}: it does not cover its region")
    return gadget


def read_paths(data: Any, leaper: tuple[int, int] = (1, 2)) -> tuple[tuple[Point, ...], ...]:
    """Paths of a leaper from a file.

    Raises
    ------
    ValueError
        If a step is not a move of the leaper.
    """
    paths = tuple(tuple(Point(*cell) for cell in path) for path in data)
    for path in paths:
        for a, b in itertools.pairwise(path):
            if tuple(sorted((abs(a.x - b.x), abs(a.y - b.y)))) != leaper:
                raise ValueError(f"{tuple(a)} to {tuple(b)} is not a move")
    return paths


@cache
def load_heels() -> dict[str, FormationGadget]:
    """The heels by style."""
    plain = formation_gadgets()["heel"]
    heels = {style: read_gadget("heel", data, plain) for style, data in load("heels").items()}
    return {"plain": plain, **heels, "both": _long_heel()}


def _long_heel() -> FormationGadget:
    """The heel that begins one diagonal move earlier than the others, from a file of `kt search heel`."""
    data = json.loads((FOLDER / f"{LONG}.json").read_text())
    # The bottom left cell of either quartet.
    entry, end = (Point(*data["ports"][first + 2]["cell"]) for first in (0, 4))
    paths = [[[x - entry.x, y - entry.y] for x, y in path["cells"]] for path in data["paths"]]
    marched = march("aDDRRUaRRU", "heel")
    heel = read_gadget("heel", {"paths": paths, "exit": (end.x - entry.x, end.y - entry.y)}, marched)
    if heel.exit != marched.exit:
        raise ValueError(f"gadget {LONG}: it does not end where the formation does")
    return replace(heel, lead=Point(-2, 1))


def metric_of(style: str) -> str:
    """The objective of a style's corner pieces: its own metric, or turns if it names none."""
    return "crossings" if style == "crossings" else "turns"


@cache
def transitions(style: str) -> dict[str, FormationGadget]:
    """The transitions of a style by name."""
    gadgets = formation_gadgets()
    if style != "plain":
        gadgets["heel"] = load_heels()[style]
        for name, data in load("corners")[metric_of(style)].items():
            gadgets[name] = read_gadget(name, data, gadgets[name])
        gadgets["short"] = replace(gadgets["corner 6"], name="short")
    return gadgets


def read_junction(key: str, data: Any, region: frozenset[Point] | None = None) -> Junction:
    """A junction from a file; its key is its height and matching.

    Raises
    ------
    ValueError
        If its paths do not match its name, or do not cover the region once.
    """
    place, matching = Point(0, int(key[:-1])), key[-1]
    paths = read_paths(data["paths"])
    cells = [cell for path in paths for cell in path[1:-1]]
    if len(set(cells)) < len(cells) or (region and set(cells) != region) or not joins(paths, place, matching):
        raise ValueError(f"junction {key}: it does not fill its corner, or joins other ends")
    return Junction(place, matching, paths)


def joins(paths: tuple[tuple[Point, ...], ...], place: Point, matching: str) -> bool:
    """Whether paths join the positions of a quartet according to a matching."""
    quartet = [plus(place, p) for p in POSITIONS]
    ends = [{path[0], path[-1]} for path in paths]
    return len(paths) == 2 and all({quartet[a], quartet[b]} in ends for a, b in MATCHINGS[matching])


@cache
def junctions(style: str) -> dict[tuple[int, str], Junction]:
    """The junctions of a style by height and matching."""
    candidates = (
        read_junction(key, data, junction_region(int(key[:-1])))
        for key, data in load("junctions")[metric_of(style)].items()
    )
    return {(junction.place.y, junction.matching): junction for junction in candidates}
