"""Gadgets by plain Python: whether paths cover a region as they should, and their turns and crossings."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

from tests.oracle.truth import Case

Cell = tuple[int, int]
Frame = tuple[Any, ...]


def frame_of(data: Any) -> Frame:
    """Region, ports, period and piece of a JSON object, in a form that can be compared."""
    ports = tuple(
        (tuple(p["cell"]), tuple(p["move"]), p.get("steps", 1), bool(p.get("leaves", False))) for p in data["ports"]
    )
    region = tuple(sorted({(x, y) for x, y in data["region"]}))
    piece = tuple(sorted(int(leg) for leg in data.get("leaper", "1,2").split(",")))
    return region, ports, tuple(data.get("period", (0, 0))), piece


def judged(data: Any) -> tuple[frozenset[Any], int, int] | str:
    """The moves, the turns and the crossings of a gadget; or why it is none."""
    region, ports, period, piece = frame_of(data)
    inside = {_folded(cell, period) for cell in region}
    if len(inside) < len(region):
        return "the region meets its translates"
    steps, visits, met = [], Counter[Cell](), Counter[int]()
    for path in data["paths"]:
        cells = [(x, y) for x, y in path["cells"]]
        ends = [path[key] for key in ("from", "to") if path.get(key) is not None]
        strand = not ends
        if len(ends) not in (0, 2):
            return "a path has one end"
        for number, cell in zip(ends, (cells[0], cells[-1]), strict=strand is False):
            met[number] += 1
            if _folded(cell, period) != _folded(ports[number][0], period):
                return "a path does not end at its port"
        if strand and (cells[0] == cells[-1] or _folded(cells[0], period) != _folded(cells[-1], period)):
            return "a strand does not lead to a translate of itself"
        visits.update(_folded(cell, period) for cell in (cells[:-1] if strand else cells))
        steps += [(a, (b[0] - a[0], b[1] - a[1])) for a, b in pairwise(cells)]
    if any(tuple(sorted(map(abs, move))) != piece for _, move in steps):
        return "a step is no move"
    if visits != Counter(dict.fromkeys(inside, 1)):
        return "the region is not covered once"
    if met != Counter(dict.fromkeys(range(len(ports)), 1)):
        return "a port is not met once"
    lines: list[Cell] = []
    for (x, y), (dx, dy), times, _ in ports:
        if tuple(sorted((abs(dx), abs(dy)))) != piece:
            return "a port does not lead on by a move"
        steps += [((x + k * dx, y + k * dy), (dx, dy)) for k in range(times)]
        lines += [_folded((x + k * dx, y + k * dy), period) for k in range(1, times + 1)]
    if len(set(lines) | inside) < len(lines) + len(inside):
        return "lines outside meet"
    moves = frozenset(_move(tail, move, period) for tail, move in steps)
    if len(moves) < len(steps):
        return "a move is used twice"
    return moves, *_counts(sorted(moves), period)


def _folded(cell: Cell, period: Any) -> Cell:
    x, y = (c % p if p else c for c, p in zip(cell, period, strict=True))
    return x, y


def _move(tail: Cell, move: Cell, period: Any) -> tuple[Cell, Cell]:
    """A move, whichever way it is made."""
    back = (-move[0], -move[1])
    head = (tail[0] + move[0], tail[1] + move[1])
    return min((_folded(tail, period), move), (_folded(head, period), back))


def _counts(moves: list[tuple[Cell, Cell]], period: Any) -> tuple[int, int]:
    heads = [_folded((x + dx, y + dy), period) for (x, y), (dx, dy) in moves]
    cells = sorted({*heads, *(tail for tail, _ in moves)})
    number = {cell: v for v, cell in enumerate(cells)}
    case = Case(
        len(cells),
        tuple((number[tail], number[head]) for (tail, _), head in zip(moves, heads, strict=True)),
        "any",
        vectors=tuple(move for _, move in moves),
        cells=tuple(cells),
        shape=tuple(p or 1 for p in period),
        wraps=tuple(p > 0 for p in period),
    )
    every = (1 << len(moves)) - 1
    return case.asks("turns").value(every), case.asks("crossings").value(every)
