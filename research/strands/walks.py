"""All side patterns for lines of the directions (2, 1) and (1, -2) with 2 turns per unit, as walks in a graph.

A bottom side is filled from the left to the right, column by column: the lowest `DEPTH` cells of a column are free, and
what is above them lies on lines. The moves that lead from the columns that are filled to the next two are the *state*.
A state and the number of the last column modulo 5 are a node, and filling one more column is a step. A step costs its
turns less 2; no closed walk costs less than nothing. So there are *heights* of the nodes such that each step costs at
least the difference of its ends. A step that costs no more is *tight*, and the patterns with 2 turns per unit are the
closed walks of tight steps. Those of period 10 that `research.strands.across` lists are the simple ones.

A strong component of the tight steps is small, 5 to 27 nodes, but in all components but one there are several simple
closed walks. So a side may go over from one pattern to another, wherever it likes, and that costs no turns: how many
there are depends on the nodes at the two ends of a walk alone. `Walks.walk` makes use of this near the corners and the
middle of a side; elsewhere it stays on one simple closed walk, so that what is there can be repeated.
"""

from __future__ import annotations

import itertools
import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property

import networkx as nx
import numpy as np

from heuristics.searches.sides.data import PERPENDICULAR_PLANE, lines_of
from research.strands.across import CLASSES, DEPTH, RUNS
from research.strands.sides import CODE_OF
from theorems.growing_tours.codes import MOVES, PAIRS, REACH, Codes

MIDDLE = 10
"""So far from the middle of a side a walk may leave its closed walk; near a corner this is given."""

Column = tuple[int, ...]
"""The codes of the free cells of a column."""
WaitingEnds = frozenset[tuple[int, int, int]]
"""Ends of moves that wait: how many columns ahead, in which row, and the move that leads back."""
WalkNode = tuple[int, WaitingEnds]
"""The number of the last column modulo 5, and the state."""
WeighedStep = tuple[int, int, int, Column]


@dataclass(frozen=True, eq=False)
class Walks:
    """The tight steps of a bottom side, if these classes of cells by 2x + y have the direction (2, 1).

    Parameters
    ----------
    steps
        From each node, by the node that follows: the codes of the column between.
    height
        Of each node.
    component
        To which strong component each node belongs.
    """

    first: frozenset[int]
    nodes: tuple[WalkNode, ...]
    steps: dict[int, dict[int, Column]]
    height: dict[int, int]
    component: dict[int, int]

    @cached_property
    def cycles(self) -> tuple[dict[int, int], ...]:
        """The simple closed walks: which node follows on each."""
        found = nx.simple_cycles(nx.DiGraph([(u, v) for u, after in self.steps.items() for v in after]))
        return tuple(dict(zip(cycle, cycle[1:] + cycle[:1], strict=True)) for cycle in sorted(map(_rotated, found)))

    @cached_property
    def turning(self) -> tuple[bool, ...]:
        """Whether each simple closed walk joins lines of the same direction only."""
        return tuple(all(a == b for a, b in self._joins(cycle)) for cycle in self.cycles)

    def _joins(self, cycle: dict[int, int]) -> Iterator[tuple[int, int]]:
        """The codes of the lines that are joined, for all lines that come down in a period."""
        columns = [self.steps[u][v] for u, v in cycle.items()]
        begin = self.nodes[next(iter(cycle))][0] + 1

        def code(x: int, y: int) -> int:
            line = RUNS[0] if (2 * x + y) % CLASSES in self.first else RUNS[1]
            return columns[(x - begin) % len(columns)][y] if y < DEPTH else line

        for place in itertools.product(range(len(columns)), (DEPTH, DEPTH + 1)):
            x, y = place
            move = next(move for move in PAIRS[code(x, y)] if MOVES[move][1] < 0)
            if y + MOVES[move][1] < DEPTH:
                came = code(x, y)
                x, y = x + MOVES[move][0], y + MOVES[move][1]
                while y < DEPTH:
                    first, second = PAIRS[code(x, y)]
                    move = second if first == (move + 4) % 8 else first
                    x, y = x + MOVES[move][0], y + MOVES[move][1]
                yield came, code(x, y)

    def at(self, column: int) -> list[int]:
        """The nodes behind a column."""
        return [node for node in self.steps if self.nodes[node][0] == column % CLASSES]

    def walk(
        self, ends: tuple[int, int], side: int, corner: int, cycle: int, near: int = 10**6, seed: int = 0
    ) -> Codes | None:
        """The columns of a side between two corner blocks, from one node to another; None if there is no such walk.

        Off the simple closed walk of this number they are only near a corner block or the middle; with a seed, more
        often than need be.
        """
        pattern, luck = self.cycles[cycle], random.Random(seed)
        price: defaultdict[tuple[str, int, int, int], float] = defaultdict(lambda: 1.6 * luck.random() - 0.5)
        layers: list[dict[int, tuple[float, int]]] = [{ends[0]: (0, -1)}]
        for x in range(corner, side - corner):
            places = ("low", x - corner, near), ("high", side - corner - 1 - x, near)
            middle = ("middle", x - side // 2, MIDDLE if seed else -1)
            place = next(((name, at) for name, at, most in (*places, middle) if abs(at) < most), None)
            layer: dict[int, tuple[float, int]] = {}
            for u, (cost, _) in sorted(layers[-1].items()):
                for v in sorted(self.steps[u]):
                    if pattern.get(u) != v and place is None:
                        continue
                    more = 0 if pattern.get(u) == v else price[(*(place or ("", 0)), u, v)] if seed else 1
                    if v not in layer or cost + more < layer[v][0]:
                        layer[v] = cost + more, u
            layers.append(layer)
        at, columns = ends[1], []
        if at not in layers[-1]:
            return None
        for layer in layers[:0:-1]:
            columns.append(self.steps[layer[at][1]][at])
            at = layer[at][1]
        return np.array(columns[::-1], dtype=np.uint8)


def _rotated(cycle: list[int]) -> list[int]:
    begin = cycle.index(min(cycle))
    return cycle[begin:] + cycle[:begin]


@cache
def walks(first: frozenset[int]) -> Walks:
    """The tight steps, if these classes of cells have the direction (2, 1)."""
    return walks_under(lines_of(PERPENDICULAR_PLANE, first, 3 * CLASSES, DEPTH + REACH), CLASSES, first)


def walks_under(lines: Codes, period: int, first: frozenset[int] = frozenset()) -> Walks:
    """The tight steps under these lines; the nodes have the number of the last column modulo the period.

    Of the lines the codes are given of at least three periods of columns, and of two rows above the free cells.
    """
    nodes, steps, height = _weighed(lines, period)
    tight = [step for step in steps if height[step[0]] + step[2] == height[step[1]]]
    graph = nx.DiGraph([(u, v) for u, v, _, _ in tight])
    strong = sorted((part for part in nx.strongly_connected_components(graph) if len(part) > 1), key=min)
    component = {node: number for number, part in enumerate(strong) for node in sorted(part)}
    found: dict[int, dict[int, Column]] = {node: {} for node in component}
    for u, v, _, column in tight:
        if u in component and component[u] == component.get(v):
            found[u][v] = column
    return Walks(first, nodes, found, {u: height[u] for u in component}, component)


@cache
def walks_with_one_more(first: frozenset[int]) -> Walks:
    """Walks that begin and end as those of `walks` do, and have one turn more than need be, wherever that is.

    A node has a second number, larger by the number of nodes, for where that turn is behind.
    """
    side = walks(first)
    nodes, steps, height = _weighed(lines_of(PERPENDICULAR_PLANE, first, 3 * CLASSES, DEPTH + REACH), CLASSES)
    found: dict[int, dict[int, Column]] = defaultdict(dict)
    for u, v, cost, column in steps:
        more = height[u] + cost - height[v]
        for behind in range(2 - more):
            found[u + behind * len(nodes)][v + (behind + more) * len(nodes)] = column
    graph = nx.DiGraph([(u, v) for u, after in found.items() for v in after])
    kept: set[int] = set()
    for component in set(side.component.values()):
        start = next(u for u, number in side.component.items() if number == component)
        kept |= ({start} | nx.descendants(graph, start)) & (
            {start + len(nodes)} | nx.ancestors(graph, start + len(nodes))
        )
    kept_steps = {u: {v: column for v, column in found[u].items() if v in kept} for u in sorted(kept)}
    return Walks(
        first, nodes * 2, kept_steps, {u: height[u % len(nodes)] for u in kept_steps}, dict.fromkeys(kept_steps, 0)
    )


def _weighed(lines: Codes, period: int) -> tuple[tuple[WalkNode, ...], list[WeighedStep], list[int]]:
    """All nodes; all steps, each as two nodes, what it costs, and the column; the height of each node."""
    ports = [[_ports(lines, x + period, row) for row in range(DEPTH)] for x in range(period)]
    nodes = {node: number for number, node in enumerate(_nodes(ports))}
    steps = [
        (number, nodes[after], cost, column)
        for node, number in nodes.items()
        for after, cost, column in _steps(node, ports)
        if after in nodes
    ]
    begin, end, costs = np.array([step[:3] for step in steps]).T
    height = np.zeros(len(nodes), dtype=np.int64)
    while (height[begin] + costs < height[end]).any():
        np.minimum.at(height, end, height[begin] + costs)
    return tuple(nodes), steps, height.tolist()


def _ports(lines: Codes, x: int, row: int) -> tuple[int, ...]:
    """The moves from a free cell to lines that have them back."""
    found = []
    for move, (dx, dy) in enumerate(MOVES):
        if row + dy >= DEPTH and (move + 4) % 8 in PAIRS[lines[x + dx, row + dy]]:
            found.append(move)
    return tuple(found)


def _nodes(ports: list[list[tuple[int, ...]]]) -> Iterator[WalkNode]:
    """All nodes at which no cell has more than two moves."""
    back = {1: (4, 5, 6, 7), 2: (5, 6)}
    for x in range(len(ports)):
        ways: list[list[list[tuple[int, int, int]]]] = []
        for ahead, row in itertools.product((1, 2), range(DEPTH)):
            moves = [move for move in back[ahead] if 0 <= row + MOVES[move][1] < DEPTH]
            most = 2 - len(ports[(x + ahead) % len(ports)][row])
            sets = itertools.chain.from_iterable(itertools.combinations(moves, k) for k in range(most + 1))
            ways.append([[(ahead, row, move) for move in part] for part in sets])
        for chosen in itertools.product(*ways):
            yield x, frozenset(itertools.chain.from_iterable(chosen))


def _steps(node: WalkNode, ports: list[list[tuple[int, ...]]]) -> Iterator[tuple[WalkNode, int, Column]]:
    """The nodes after the next column is filled; what that costs, and its codes."""
    x, state = (node[0] + 1) % len(ports), node[1]
    ways = []
    for row in range(DEPTH):
        moves = [*ports[x][row], *(move for ahead, at, move in state if (ahead, at) == (1, row))]
        onward = [move for move in range(4) if 0 <= row + MOVES[move][1] < DEPTH]
        ways.append([(moves, more) for more in itertools.combinations(onward, 2 - len(moves))])
    for chosen in itertools.product(*ways):
        column = tuple(CODE_OF[tuple(sorted([*moves, *more]))] for moves, more in chosen)
        later = {(1, row, move) for ahead, row, move in state if ahead == 2}
        for row, (_, more) in enumerate(chosen):
            later |= {(MOVES[move][0], row + MOVES[move][1], (move + 4) % 8) for move in more}
        cost = sum(PAIRS[code][1] - PAIRS[code][0] != 4 for code in column) - 2
        yield (x, frozenset(later)), cost, column
