"""Cycles of two lines that no walks along the bottom and the top avoid.

Squares as in `research.strands.walked`. Lines of the direction (1, -2) join the right half of the bottom with
the left half of the top. If both sides join the same two lines, these are a cycle. Whether walks can avoid that is a
question of two small graphs: of what the bottom joins, what the top joins where the same lines end, and what may follow
on either side. So the fewest such pairs are found by dynamic programming, column by column, for each two nodes where
the walks end at the corners. Pairs that a corner block has a part in are not counted.
"""

from __future__ import annotations

import itertools
import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property

from research.strands.across import CLASSES, DEPTH, RUNS
from research.strands.walked import WalkedSquares
from research.strands.walks import Column, Walks
from theorems.growing_tours.codes import MOVES, PAIRS

WINDOW = 20
"""Steps of a piece of a walk: more than the cells need that join two lines."""

LinePair = tuple[int, int]
"""The numbers 2x + y of two lines of the direction (1, -2), from the first column of a piece on."""


@dataclass(frozen=True, eq=False)
class Pieces:
    """All pieces of `WINDOW` steps of a side's walks.

    Parameters
    ----------
    nodes
        Of each piece.
    begin
        The number of its first column modulo 5.
    pairs
        The lines that it joins, the lesser number first.
    after
        The pieces one step later.
    """

    nodes: list[tuple[int, ...]]
    begin: list[int]
    pairs: list[frozenset[LinePair]]
    after: list[list[int]]

    @classmethod
    @cache
    def of(cls, side: Walks) -> Pieces:
        """Pieces of a side."""
        nodes: list[tuple[int, ...]] = [(node,) for node in side.steps]
        for _ in range(WINDOW):
            nodes = [(*piece, node) for piece in nodes for node in side.steps[piece[-1]]]
        begin = [side.nodes[piece[1]][0] for piece in nodes]
        columns = [[side.steps[u][v] for u, v in itertools.pairwise(piece)] for piece in nodes]
        pairs = [frozenset(_pairs(*place, side.first)) for place in zip(columns, begin, strict=True)]
        starting = defaultdict(list)
        for number, piece in enumerate(nodes):
            starting[piece[:-1]].append(number)
        return cls(nodes, begin, pairs, [starting[piece[1:]] for piece in nodes])

    @cached_property
    def before(self) -> list[list[int]]:
        """The pieces one step earlier."""
        found: list[list[int]] = [[] for _ in self.nodes]
        for number, after in enumerate(self.after):
            for piece in after:
                found[piece].append(number)
        return found


def _pairs(columns: list[Column], begin: int, first: frozenset[int]) -> Iterator[LinePair]:
    """The lines that these columns of a bottom side join, where none of it leads out of them."""

    def code(x: int, y: int) -> int:
        return columns[x][y] if y < DEPTH else RUNS[(2 * (x + begin) + y) % CLASSES not in first]

    down = max(PAIRS[RUNS[1]], key=lambda move: -MOVES[move][1])
    for start in itertools.product(range(len(columns)), (DEPTH, DEPTH + 1)):
        (x, y), move = start, down
        if code(x, y) != RUNS[1] or y + MOVES[move][1] >= DEPTH:
            continue
        while True:
            x, y = x + MOVES[move][0], y + MOVES[move][1]
            if not 0 <= x < len(columns) or y >= DEPTH:
                break
            forth, back = PAIRS[code(x, y)]
            move = back if forth == (move + 4) % 8 else forth
        number, stop = 2 * start[0] + start[1], 2 * x + y
        if 0 <= x < len(columns) and number < stop and code(x, y) == RUNS[1]:
            yield number, stop


def forced_pairs(squares: WalkedSquares, side: int) -> dict[tuple[int, int], int]:
    """The fewest pairs of lines that the bottom and the top both join.

    Returns
    -------
    By the nodes where the bottom ends at the right and the top at the left.
    """
    bottom, top = Pieces.of(squares.walks[0]), Pieces.of(squares.walks[2])
    total = 2 * WINDOW + 1  # A line has numbers with this sum in two pieces that face each other
    last = side - squares.corner - WINDOW
    first = (3 * (side - 1) - total) // 2 - last
    before = top.before

    @cache
    def common(i: int, j: int) -> frozenset[LinePair]:
        return bottom.pairs[i] & {(total - b, total - a) for a, b in top.pairs[j]}

    found: dict[tuple[int, int], int] = {}
    for stop in sorted({nodes[-1] for nodes in top.nodes}):
        ends = [j for j, nodes in enumerate(top.nodes) if nodes[-1] == stop and top.begin[j] == last % CLASSES]
        begins = [i for i, begin in enumerate(bottom.begin) if begin == first % CLASSES]
        layer = {(i, j): len(common(i, j)) for i in begins for j in ends}
        for _ in range(first, last):
            following: dict[tuple[int, int], int] = {}
            for (i, j), pairs in layer.items():
                counted = {(a - 2, b - 2) for a, b in common(i, j)}
                for step in itertools.product(bottom.after[i], before[j]):
                    more = pairs + len(common(*step) - counted)
                    following[step] = min(more, following.get(step, more))
            layer = following
        for (i, _), pairs in layer.items():
            key = bottom.nodes[i][-1], stop
            found[key] = min(pairs, found.get(key, pairs))
    return found


def walks_apart(
    squares: WalkedSquares, side: int, stops: tuple[int, int], luck: random.Random
) -> tuple[list[int], list[int]] | None:
    """The last nodes of the bottom and of the top, at random, so that no two lines are joined by both.

    Parameters
    ----------
    stops
        The nodes where the bottom ends at the right and the top at the left.

    Returns
    -------
    As many nodes of either as face each other; None if there are no such walks.
    """
    bottom, top = Pieces.of(squares.walks[0]), Pieces.of(squares.walks[2])
    total = 2 * WINDOW + 1
    last = side - squares.corner - WINDOW
    first = (3 * (side - 1) - total) // 2 - last
    before = top.before
    facing = [frozenset((total - b, total - a) for a, b in pairs) for pairs in top.pairs]

    def following(i: int, j: int) -> list[tuple[int, int]]:
        every = itertools.product(bottom.after[i], before[j])
        return [(a, b) for a, b in every if not bottom.pairs[a] & facing[b]]

    layers = [
        {
            (i, j)
            for i, j in itertools.product(range(len(bottom.nodes)), range(len(top.nodes)))
            if (bottom.begin[i], top.begin[j], top.nodes[j][-1]) == (first % CLASSES, last % CLASSES, stops[1])
            and not bottom.pairs[i] & facing[j]
        }
    ]
    for _ in range(first, last):
        layers.append({after for state in layers[-1] for after in following(*state)})
    layers[-1] = {state for state in layers[-1] if bottom.nodes[state[0]][-1] == stops[0]}
    for k in range(len(layers) - 2, -1, -1):
        layers[k] = {state for state in layers[k] if not layers[k + 1].isdisjoint(following(*state))}
    if not layers[0]:
        return None
    path = [luck.choice(sorted(layers[0]))]
    for layer in layers[1:]:
        path.append(luck.choice([state for state in following(*path[-1]) if state in layer]))
    ahead = [*bottom.nodes[path[0][0]], *(bottom.nodes[i][-1] for i, _ in path[1:])]
    return ahead, [*(top.nodes[j][0] for _, j in path[:0:-1]), *top.nodes[path[0][1]]]
