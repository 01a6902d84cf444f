"""Tours of families, built and counted by plain Python that shares no code with the toolkit; and damage to files."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from typing import Any

Cell = tuple[int, int]
Two = dict[Cell, list[Cell]]
"""The two displacements at each cell."""

CLOCK = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
LETTERS = {
    letter: [CLOCK[i], CLOCK[j]]
    for letter, (i, j) in zip(
        "abcdefghijklmnopqrstuvwxyzAB", [(i, j) for i in range(8) for j in range(i + 1, 8)], strict=True
    )
}


def stretched(size: int, zones: list[list[int]], added: list[int]) -> list[int]:
    """Which column of the seed stands at each column of the board."""
    found: list[int] = []
    at = 0
    for (start, period), more in zip(zones, added, strict=True):
        found += range(at, start)
        found += [start + k % period for k in range(period + more)]
        at = start + period
    return found + list(range(at, size))


def strands_members(data: Any, most: int) -> Iterator[tuple[int, int, Two]]:
    """Boards of the families of a file, with sides up to some."""
    for family in data["families"]:
        seed, growths = family["seed"], family["growths"]
        for i in range(growths[0].get("least", 0), 12):
            for j in range(growths[1].get("least", 0), 12):
                added = {
                    key: [i * a + j * b for a, b in zip(growths[0][key], growths[1][key], strict=True)]
                    for key in ("columns", "rows")
                }
                if any(
                    period + more < 0
                    for key in added
                    for (_, period), more in zip(family[key], added[key], strict=True)
                ):
                    continue
                columns = stretched(len(seed[0]), family["columns"], added["columns"])
                rows = stretched(len(seed), family["rows"], added["rows"])
                if max(len(columns), len(rows)) <= most:
                    cells = {(x, y): LETTERS[seed[v][u]] for x, u in enumerate(columns) for y, v in enumerate(rows)}
                    yield len(columns), len(rows), cells


def octants_members(data: Any, most: int) -> Iterator[tuple[int, int, Two]]:
    """Boards of the families of a file, with sides up to some."""
    for family in data["families"]:
        seed, band = family["seed"], family.get("band", [])
        w0, h0 = len(seed[0]), len(seed)
        unit = 1 + w0 % 2
        for steps in range(family["least"], (most - h0) // (12 * unit) + 1):
            for bands in range((most - h0 - 12 * unit * steps) // (2 * unit) + 1 if band else 1):
                w, h = w0 + 12 * unit * steps, h0 + 12 * unit * steps + 2 * unit * bands
                source = _octant_source(family, (w0, h0), (w, h))
                cells = {}
                for x in range(w):
                    for y in range(h):
                        u, v = source(x, y)
                        cells[x, y] = LETTERS[seed[v][u]]
                yield w, h, cells


def _octant_source(family: Any, small: Cell, large: Cell) -> Callable[[int, int], Cell]:
    """What finds the cell of the seed that has the moves of a cell of a larger board."""
    (w0, h0), (w, h) = small, large
    unit = 1 + w % 2
    w0, w = w0 - w0 % 2, w - w % 2
    m0, m, more, longer = w0 // 2, w // 2, (w - w0) // 2, h - h0 - (w - w0)

    def mirrored(size: int, zone: list[int]) -> list[int]:
        return [size - zone[0] - zone[1], zone[1]]

    def grows(zones: list[list[int]], size: int) -> list[int]:
        by = [period * (longer // 2 if period == 2 * unit else more // 6) // unit for _, period in zones]
        return stretched(size, zones, by)

    diagonal, middle = grows(family["diagonal"], m0), grows(family["middle"], m0)
    (near, far), (low, high) = family["left"], family["bottom"]
    left = grows([near, far, mirrored(w0, high), *family.get("band", []), mirrored(h0, low)], h0)
    bottom = grows([low, high, mirrored(w0, far), mirrored(w0, near)], w0)
    centre = m if family.get("band") else m + 7

    def corner(x: int, y: int) -> Cell | None:
        if y < 10 and (x < 10 or x >= w - 10):
            return (x, y) if x < 10 else (x - w + w0, y)
        return None

    def inner(x: int, y: int) -> Cell | None:
        return (x - more, y - more) if m - 8 <= x < m + 8 and m - 8 <= y <= centre else None

    def slanted(x: int, y: int) -> Cell | None:
        if x < m and y < m and abs(x - y) <= 4:
            by = (x + y) // 2 - diagonal[(x + y) // 2]
            return x - by, y - by
        if x >= m and y < m and abs(w - 1 - x - y) <= 4:
            by = (w - 1 - x + y) // 2 - diagonal[(w - 1 - x + y) // 2]
            return w0 - 1 - (w - 1 - x - by), y - by
        return None

    def halfway(x: int, y: int) -> Cell | None:
        if x < m - 8 and m - 8 <= y < m + 7:
            return x if x < 0 else middle[x], y - more
        return (x - more, middle[y]) if y < m and m - 7 <= x < m + 8 else None

    def border(x: int, y: int) -> Cell | None:
        if x < 8:
            return x, left[y]
        return (bottom[x], y) if y < 8 else None

    def source(x: int, y: int) -> Cell:
        for part in (corner, inner, slanted, halfway, border):
            if (found := part(x, y)) is not None:
                return found
            if (found := part(w - 1 - x, h - 1 - y)) is not None:
                return w0 - 1 - found[0], h0 - 1 - found[1]
        same = (x < m) == (y < m) and (y < m or y >= h - m)  # The lower left or the upper right quarter
        if min(y, h - 1 - y) < min(x, w - 1 - x):
            return (13, 8) if same else (w0 - 14, 8)
        return (8, 13) if same else (8, h0 - 14)

    return source


def is_tour(cells: Two) -> bool:
    """Whether the moves are one closed tour of all cells."""
    start = next(iter(cells))
    at, back, count = start, cells[start][1], 0
    while True:
        first, second = cells[at]
        move = second if first == back else first
        if back not in (first, second):
            return False
        at, back, count = (at[0] + move[0], at[1] + move[1]), (-move[0], -move[1]), count + 1
        if at not in cells:
            return False
        if at == start or count > len(cells):
            return count == len(cells) and back == cells[start][1]


def turns(cells: Two) -> int:
    """Cells at which the tour does not go straight on."""
    return sum(a != -c or b != -d for (a, b), (c, d) in cells.values())


def crossings(cells: Two) -> int:
    """Pairs of moves that have a point inside both."""
    moves = {(x, y, dx, dy) for (x, y), two in cells.items() for dx, dy in two if dx > 0}
    return sum((x + u, y + v, c, d) in moves for x, y, a, b in moves for u, v, c, d in _crossing(a, b))


@cache
def _crossing(a: int, b: int) -> list[tuple[int, int, int, int]]:
    """The moves, later in order, that cross the one from (0, 0) to (a, b)."""
    rightward = [(1, 2), (1, -2), (2, 1), (2, -1)]
    near = [(u, v, c, d) for u in range(-2, 3) for v in range(-4, 5) for c, d in rightward]
    return [
        move
        for move in near
        if move > (0, 0, a, b) and _cross((0, 0), (a, b), move[:2], (move[0] + move[2], move[1] + move[3]))
    ]


def _cross(a: Cell, b: Cell, c: Cell, d: Cell) -> bool:
    def side(p: Cell, q: Cell, r: Cell) -> int:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0


def refutation(data: Any, most: int) -> str:
    """Why a claim of a file of strands or octants tours is not true of its boards with sides up to some; or nothing."""
    members = strands_members if data["kind"] == "strands" else octants_members
    best: dict[tuple[int, int], list[dict[str, int]]] = {}
    for w, h, cells in members(data, most):
        if not is_tour(cells):
            return f"{w}x{h} is no tour"
        best.setdefault((min(w, h), max(w, h)), []).append({"turns": turns(cells), "crossings": crossings(cells)})
    for claim in data["claims"]:
        boards = claim["boards"]
        squares, long = boards["shape"] == "squares", boards["shape"] == "long rectangles"
        for w in range(boards["least"], most + 1):
            for h in [w] if squares else range(w + boards.get("gap", 0), most + 1):
                size = w if squares or long else w * h
                modulus, sides = boards.get("modulus", 1), boards.get("sides")
                if sides and [w % modulus, h % modulus] not in ([sides] if long else [sides, sides[::-1]]):
                    continue
                if not sides and size % modulus not in boards.get("residues", [0]):
                    continue
                length = w if squares else w + h
                bounds = [
                    (bound["metric"], Fraction(*bound["slope"]) * length + Fraction(*bound["constant"]))
                    for bound in claim["bounds"]
                ]
                if not any(all(counts[m] <= b for m, b in bounds) for counts in best.get((w, h), [])):
                    return f"no such tour of {w}x{h}"
    return ""


# -- damage ------------------------------------------------------------------------------------------------------------


def damaged(data: Any, rng: random.Random) -> Any:
    """A copy with something changed somewhere, one to three times."""
    data = copy.deepcopy(data)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        places = list(_places(data))
        weights = [5 if isinstance(parent[key], (int, str)) else 1 for parent, key in places]
        parent, key = rng.choices(places, weights)[0]
        parent[key] = _changed(parent[key], rng)
        if isinstance(parent, list) and rng.random() < 0.1:
            parent.insert(rng.randrange(len(parent) + 1), copy.deepcopy(parent[key]))
        elif rng.random() < 0.05:
            del parent[key]
    return data


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, below in items:
        yield value, key
        yield from _places(below)


def _changed(value: Any, rng: random.Random) -> Any:
    if rng.random() < 0.1:
        deep: Any = 1
        for _ in range(40):
            deep = [deep]
        return rng.choice([None, True, -1, 0, 1.5, 2**70, -(2**63), "", "x" * 300, [], {}, [[]], deep])
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + rng.choice((-12, -8, -4, -2, -1, 1, 2, 3, 4, 6, 8, 12, 10**6))
    if isinstance(value, str) and value:
        at = rng.randrange(len(value))
        return value[:at] + rng.choice("abcdefghijklmnopqrstuvwxyzAB") + value[at + 1 :]
    if isinstance(value, list) and value:
        change = rng.choice(("drop", "double", "swap", "reverse"))
        at = rng.randrange(len(value))
        if change == "drop":
            return value[:at] + value[at + 1 :]
        if change == "double":
            return [*value, copy.deepcopy(value[at])]
        if change == "reverse":
            return value[::-1]
        other = rng.randrange(len(value))
        value[at], value[other] = value[other], value[at]
    return value
