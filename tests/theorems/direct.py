"""Boards of families in files, cell by cell: for tests, and with no code of the checker."""

from __future__ import annotations

import itertools
import string
from random import Random
from typing import Any

WAYS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
LETTER = dict(zip(string.ascii_letters, itertools.combinations(range(8), 2), strict=False))
CODE = {pair: letter for letter, pair in LETTER.items()}
Rows = list[str]


def board_rows(entry: dict[str, Any], times: tuple[int, int]) -> Rows:
    """The letters of a board, from the bottom up, after so many steps of both growths."""
    rows = list(entry["seed"])
    columns, across = _repeated(entry, "columns", times, len(rows[0])), entry["seed"]
    return ["".join(across[y][x] for x in columns) for y in _repeated(entry, "rows", times, len(rows))]


def _repeated(entry: dict[str, Any], axis: str, times: tuple[int, int], size: int) -> list[int]:
    """The seed's columns (rows) in a board."""
    found = list(range(size))
    for number, (start, period) in reversed(list(enumerate(entry[axis]))):
        more = sum(k * growth[axis][number] for k, growth in zip(times, entry["growths"], strict=True))
        copies = entry.get("copies", 1) + more // period
        assert more % period == 0 and copies >= 0
        found[start : start + period] = found[start : start + period] * copies
    return found


def cycles(rows: Rows) -> int:
    """How many cycles there are."""
    left = {(x, y) for y, row in enumerate(rows) for x in range(len(row))}
    number = 0
    while left:
        start = x, y = min(left)
        way, number = LETTER[rows[y][x]][0], number + 1
        while True:
            left.discard((x, y))
            x, y = x + WAYS[way][0], y + WAYS[way][1]
            first, second = LETTER[rows[y][x]]
            back = (way + 4) % 8
            assert back in (first, second)
            way = second if first == back else first
            if (x, y) == start:
                break
    return number


def exchanged(rows: Rows, random: Random, columns: list[int], lines: list[int]) -> Rows:
    """The letters with two moves among some columns and rows replaced by two others between the same four cells."""
    for _ in range(100_000):
        cells = [(random.choice(columns), random.choice(lines))]
        pair = random.randrange(8), random.randrange(8)
        steps = [*pair, *((way + 4) % 8 for way in pair)]
        for way in steps[:3]:  # Round a parallelogram
            cells.append((cells[-1][0] + WAYS[way][0], cells[-1][1] + WAYS[way][1]))
        if len({*cells}) < 4 or any(x not in columns or y not in lines for x, y in cells):
            continue
        made = [{*LETTER[rows[y][x]]} for x, y in cells]
        behind = [(steps[k - 1] + 4) % 8 for k in range(4)]
        old, new = ([of[k % 2][k] for k in range(4)] for of in ((steps, behind), (behind, steps)))
        if all(old[k] in made[k] and new[k] not in made[k] for k in range(4)):
            found = [list(row) for row in rows]
            for k, (x, y) in enumerate(cells):
                low, high = sorted(made[k] - {old[k]} | {new[k]})
                found[y][x] = CODE[low, high]
            return ["".join(row) for row in found]
    raise AssertionError("no moves can be exchanged")
