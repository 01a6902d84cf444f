"""2-factors of squares with few turns: two moves at each cell, in any number of cycles.

`python -m research.two_factors 22 154 FILE` looks for one of the 22x22 board with at most 154 turns that a half turn
maps to itself, and writes it; `--any` looks among all.

A mixed-integer program (HiGHS) has a variable for each move, and one for each two moves of a cell that go straight on,
which is at most either of them. The cells that go straight on are to be as many as are no turns.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import numpy as np

from drawing.save import save
from kt_models import MoveGraph, Problem, Result, graph_of
from kt_models.errors import KTError
from theorems.turns.planes import DIRECTIONS


def straight_pairs(graph: MoveGraph, side: int) -> Iterator[tuple[int, int]]:
    """The edges of each two moves of a cell that continue each other."""
    edges = {pair: edge for edge, (u, v) in enumerate(graph.ends.tolist()) for pair in ((u, v), (v, u))}
    for v, (x, y) in enumerate(np.ndindex(side, side)):
        for dx, dy in DIRECTIONS:
            if min(x - dx, y - dy, x + dx, y + dy) >= 0 and max(x - dx, y - dy, x + dx, y + dy) < side:
                ahead, behind = ((x + sign * dx) * side + y + sign * dy for sign in (1, -1))
                yield edges[v, ahead], edges[v, behind]


def two_factor(side: int, turns: int, *, symmetric: bool = True, seconds: float = 3600) -> Result:
    """A 2-factor of a square board with at most so many turns.

    Raises
    ------
    KTError
        If there is none, or none was found in time.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import coo_array

    graph = graph_of(f"{side}x{side}")
    names = np.arange(graph.m)
    if symmetric:  # A move and its image are one variable; cell v becomes n - 1 - v
        image = np.sort(graph.n - 1 - graph.ends, axis=1)
        numbers = {tuple(pair): edge for edge, pair in enumerate(np.sort(graph.ends, axis=1).tolist())}
        names = np.minimum(names, [numbers[tuple(pair)] for pair in image.tolist()])
    pairs = np.array(list(straight_pairs(graph, side)))
    count, straight = len(pairs), graph.m + np.arange(len(pairs))
    entries = [(v, names[edge], 1) for edge, ends in enumerate(graph.ends.tolist()) for v in ends]
    row = graph.n
    for column in range(2):  # A pair goes straight on only if both of its moves are chosen
        for k, edge in enumerate(pairs[:, column].tolist()):
            entries += [(row + k, straight[k], 1), (row + k, names[edge], -1)]
        row += count
    entries += [(row, variable, 1) for variable in straight.tolist()]
    rows, columns, values = np.array(entries).T
    lower = np.concatenate([np.full(graph.n, 2), np.full(2 * count, -np.inf), [graph.n - turns]])
    upper = np.concatenate([np.full(graph.n, 2), np.zeros(2 * count), [np.inf]])
    matrix = coo_array((values.astype(float), (rows, columns)), shape=(row + 1, graph.m + count)).tocsr()
    found = milp(
        np.zeros(graph.m + count),
        constraints=LinearConstraint(matrix, lower, upper),
        integrality=np.repeat([1, 0], [graph.m, count]),
        bounds=Bounds(0, 1),
        options={"time_limit": seconds},
    )
    if found.x is None:
        raise KTError(f"{side}x{side}: no 2-factor with at most {turns} turns: {found.message}")
    chosen = np.flatnonzero(np.round(found.x[: graph.m][names])).astype(np.int32)
    result = Result(Problem(graph, "any", objective="turns"), "feasible", edges=chosen, engine="HiGHS")
    if result.value is None or result.value > turns:
        raise KTError(f"{side}x{side}: the solver's answer has {result.value} turns, more than {turns}")
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("side", type=int)
    parser.add_argument("turns", type=int)
    parser.add_argument("file")
    parser.add_argument("--any", action="store_true", help="not only those that a half turn maps to themselves")
    options = parser.parse_args()
    result = two_factor(options.side, options.turns, symmetric=not options.any)
    save(result, options.file)
    print(f"{options.file}: {result.value} turns in {len(result.walks)} cycles")


if __name__ == "__main__":
    main()
