"""Grids drawn with walls between their cells, as mazes and Zip puzzles are.

    +---+---+---+
    | 1     |   |
    +   +---+   +
    |     2   3 |
    +---+---+---+

Between two posts (`+`, or a corner or a junction of box drawing) stands a wall or nothing, and so between two cells.
A grid with all of its inner walls is a table: its lines only separate the cells.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import reduce
from math import gcd

from kt_models.errors import KTError

GridPlace = tuple[int, int]
"""Column and row of a drawn cell, from the left and from the top."""
POSTS = "+┌┐└┘├┤┬┴┼┏┓┗┛┣┫┳┻╋╔╗╚╝╠╣╦╩╬╭╮╯╰"
ACROSS = "-─━═"
UPRIGHT = "|│┃║"
_POST_LINE = re.compile(rf"[\s{re.escape(POSTS + ACROSS + UPRIGHT)}]*")


def drawn_walls(lines: Sequence[str]) -> tuple[list[list[str]], list[tuple[GridPlace, GridPlace]]] | None:
    """The words of the cells, row by row from the top, and the pairs of cells with a wall between them.

    None if the lines do not alternate between posts and cells, or all inner walls are drawn.

    Raises
    ------
    KTError
        If a line of such a drawing has something else between two cells or two posts.
    """
    kept = [line.rstrip() for line in lines]
    while kept and not kept[0]:
        del kept[0]
    while kept and not kept[-1]:
        kept.pop()
    margin = min((len(line) - len(line.lstrip()) for line in kept if line), default=0)
    kept = [line[margin:] for line in kept]
    if len(kept) < 3 or len(kept) % 2 == 0 or any(map(_is_rule, kept[1::2])):
        return None
    between = kept[2:-1:2]
    if not (_is_post_line(kept[0]) and _is_post_line(kept[-1])):
        return None
    if not all(map(_is_post_line, between)):
        if not all(_is_post_line(line) or _is_upright(line) for line in between):
            return None
        if not any(map(_is_post_line, between)):
            raise KTError(
                f"line 3 of the grid, {kept[2]!r}, may be a row of free cells or stand between two rows: draw the grid "
                "with '+' at the corners of its cells, or mark free cells with '.'"
            )
    places = sorted({place for line in kept[::2] for place, sign in enumerate(line) if sign in POSTS})
    pitch = reduce(gcd, (place - places[0] for place in places), 0) if places else 0
    if pitch < 2 or places[0] != 0:
        return None
    columns, rows = places[-1] // pitch, len(kept) // 2
    kept = [line.ljust(places[-1] + 1) for line in kept]
    words, walls, open_ = [], [], 0
    for y in range(rows):
        line = kept[2 * y + 1]
        if len(line) > places[-1] + 1:
            raise KTError(f"line {2 * y + 2} of the grid goes on beyond its last post")
        words.append([line[pitch * x + 1 : pitch * (x + 1)].strip() for x in range(columns)])
        for x in range(1, columns):
            sign = line[pitch * x]
            if sign != " " and sign not in UPRIGHT:
                raise KTError(
                    f"line {2 * y + 2} of the grid has {sign!r} between two cells: '|' is a wall, a blank none"
                )
            walls += [((x - 1, y), (x, y))] * (sign != " ")
            open_ += sign == " "
    for y in range(1, rows):
        for x in range(columns):
            signs = set(kept[2 * y][pitch * x + 1 : pitch * (x + 1)])
            if signs != {" "} and not signs <= set(ACROSS):
                raise KTError(f"line {2 * y + 1} of the grid has a wall with a gap: '---' is a wall, blanks none")
            walls += [((x, y - 1), (x, y))] * (signs != {" "})
            open_ += signs == {" "}
    return (words, walls) if open_ else None


def _is_post_line(line: str) -> bool:
    return bool(_POST_LINE.fullmatch(line)) and any(sign in POSTS for sign in line)


def _is_upright(line: str) -> bool:
    """Whether a line may stand between two rows of box drawing, where uprights run through posts."""
    return bool(line.strip()) and set(line) <= {" ", *UPRIGHT.removeprefix("|")}


def _is_rule(line: str) -> bool:
    return any(sign in POSTS for sign in line)
