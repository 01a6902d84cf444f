"""All that a side can look like with the fewest crossings: every pattern of any period, by a sweep of its rows.

A side is seen from the left, `depth` cells wide, and all that is farther in consists of parallel lines. A *row* is
the set of moves that lead up from it. Two rows that follow each other are a state: they say how many moves each cell
of the next row still needs, and which moves may still be crossed. So the patterns of a side are the closed walks in a
finite graph, and the least mean cost of a closed walk is the fewest crossings per row, whatever the period is.
"""

from __future__ import annotations

import contextlib
import itertools
from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from kt_models.errors import KTError
from research.few_crossings.regimes import Cell, crosses

Row = frozenset[tuple[int, int, int]]
"""Moves up from a row, as (x, dx, dy)."""
FLAT, STEEP = (2, -1), (1, -2)
"""Directions of lines."""
MEANS = {"flat": (FLAT, (Fraction(1),)), "steep": (STEEP, (Fraction(5, 2), Fraction(11, 6)))}
"""Crossings for each row that are tried, by the kind of lines; the first that is shown counts."""
DEEP = 1000
LISTED = 20


@dataclass(frozen=True, eq=False)
class SideGraph:
    """States of a side, and the steps between them.

    Parameters
    ----------
    states
        The last two rows.
    tails, heads, costs
        Of each step: a state, the one after the next row, and the crossings that are then complete.
    """

    states: list[tuple[Row, Row]]
    tails: npt.NDArray[np.int64]
    heads: npt.NDArray[np.int64]
    costs: npt.NDArray[np.int64]

    def potentials(self, mean: Fraction) -> npt.NDArray[np.int64] | None:
        """Numbers p with p(head) <= p(tail) + cost - mean on each step, in units of 1 / denominator.

        With them no closed walk costs less than the mean. None if they were not found: they fall below -`DEEP`.
        """
        reduced = self.costs * mean.denominator - mean.numerator
        found = np.zeros(len(self.states), dtype=np.int64)
        for _ in range(len(self.states)):
            before = found.copy()
            np.minimum.at(found, self.heads, before[self.tails] + reduced)
            if (found == before).all():
                return found
            if found.min() < -DEEP * mean.denominator:
                return None
        return None

    def tight(self, mean: Fraction) -> list[tuple[int, int]]:
        """The steps on closed walks that cost exactly the mean.

        Raises
        ------
        KTError
            If some closed walk may cost less.
        """
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components

        found = self.potentials(mean)
        if found is None:
            raise KTError(f"{mean} per row is not shown")
        slack = found[self.tails] + self.costs * mean.denominator - mean.numerator - found[self.heads]
        tails, heads = self.tails[slack == 0], self.heads[slack == 0]
        size = len(self.states)
        joined = coo_array((np.ones(len(tails)), (tails, heads)), shape=(size, size))
        label = connected_components(joined, connection="strong")[1]
        return [(a, b) for a, b in zip(tails.tolist(), heads.tolist(), strict=True) if label[a] == label[b]]


def side_graph(depth: int, line: Cell) -> SideGraph:
    """All states of a side so deep with such lines that can go on for ever."""
    kinds = [(x, dx, dy) for x in range(depth) for dx, dy in ((-2, 1), (-1, 2), (1, 2), (2, 1)) if 0 <= x + dx < depth]
    ports = [x for x in range(depth) if x + line[0] >= depth]
    by_degree: dict[tuple[int, ...], list[Row]] = defaultdict(list)
    for chosen in itertools.product(*(_some(kinds, x) for x in range(depth))):
        by_degree[tuple(map(len, chosen))].append(frozenset(itertools.chain(*chosen)))
    rows = [row for some in by_degree.values() for row in some]
    outside = [((x, y), (x + line[0], y + line[1])) for x in ports for y in range(-4, 6)]
    within, between = dict[Row, int](), dict[tuple[Row, Row], int]()
    for row in rows:
        moves = _moves(row, 0)
        within[row] = sum(crosses(*a, *b) for a, b in itertools.combinations(moves, 2))
        within[row] += sum(crosses(*a, *b) for a in moves for b in outside)
    steps = []
    states: dict[tuple[Row, Row], int] = {}
    queue: list[tuple[Row, Row]] = [(a, b) for a in rows for b in rows]
    for before, last in queue:
        need = [2 - (x in ports) for x in range(depth)]
        for x, dx, _ in (move for move in before if move[2] == 2):
            need[x + dx] -= 1
        for x, dx, _ in (move for move in last if move[2] == 1):
            need[x + dx] -= 1
        for row in by_degree.get(tuple(need), ()):
            if (last, row) not in between:
                pairs = itertools.product(_moves(last, 0), _moves(row, 1))
                between[last, row] = sum(crosses(*a, *b) for a, b in pairs)
            cost = within[row] + between[last, row]
            tail = states.setdefault((before, last), len(states))
            steps.append((tail, states.setdefault((last, row), len(states)), cost))
    tails, heads, costs = np.array(steps, dtype=np.int64).T
    return SideGraph(list(states), tails, heads, costs)


def _some(kinds: list[tuple[int, int, int]], x: int) -> list[tuple[tuple[int, int, int], ...]]:
    """At most two moves up from a cell."""
    starting = [kind for kind in kinds if kind[0] == x]
    return [some for size in range(3) for some in itertools.combinations(starting, size)]


def _moves(row: Row, y: int) -> list[tuple[Cell, Cell]]:
    return [((x, y), (x + dx, y + dy)) for x, dx, dy in sorted(row)]


def show_sides(depth: int) -> None:
    """Print the crossings per row that every pattern of flat or of steep lines has, and the patterns with no more."""
    for name, (line, means) in MEANS.items():
        graph = side_graph(depth, line)
        print(f"{name}, depth {depth}: {len(graph.states)} states, {len(graph.costs)} steps", flush=True)
        for mean in means:
            with contextlib.suppress(KTError):
                tight = graph.tight(mean)
                print(f"  at least {mean} per row; {len(tight)} steps on closed walks with that", flush=True)
                for tail, head in tight[:LISTED]:
                    print("   ", *(sorted(row) for row in (*graph.states[tail], graph.states[head][1])), flush=True)
                break
