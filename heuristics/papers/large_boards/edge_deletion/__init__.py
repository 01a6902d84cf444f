"""Depth-first search with edge deletion (Okuno and Miyano), for Hamiltonian cycles and paths of any graph.

A path grows in a fixed visit order, one order of moves for all cells or a random one for each. Edges that it can no
longer use are deleted, with all consequences (`deletion`). Islands, bridges and toughness (`islands`) and a 2-factor
that is maintained (`witness`) reveal dead ends early. `walk` is one search, and `search` runs several with different
orders side by side.
"""

from __future__ import annotations

from heuristics.method import Method
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem
from kt_models.recording import Recording
from kt_models.result import Result


def edge_deletion(
    problem: Problem,
    *,
    limits: Limits = NO_LIMITS,
    watch: Recording | None = None,
    order: str = "mixed",
    orders: int = 1,
    patience: float = 1.5,
    sequential: float = 0.0,
    origin: str = "",
    without: str = "",
    island_limit: int = 300,
    toughness: int = 1,
) -> Result:
    """Find a tour by depth-first search with edge deletion, or prove that there is none (Okuno and Miyano).

    Parameters
    ----------
    problem
        A problem of connectivity `cycle` or `path`. Symmetry is ignored.
    limits
        Workers are threads, and with more than one there are at least as many orders. The same seed gives the same
        tour with one worker, unless the other limits come first; and with any number where the first order has the
        answer in a moment.
    watch
        Where the moves of the search are recorded, if somebody watches; then one order is searched at a time.
    order
        `mixed`: one order of moves for all cells, a good one, and if it fails for each cell another, at random;
        `random`: for each cell another from the first on; `uniform`: one order for all cells, a good one first and
        then random ones; or the moves themselves, such as `1,2 2,1 2,-1`, for that order alone.
    orders
        Number of orders that are searched at the same time, in turn (P in the paper).
    patience
        An order is replaced after `patience` times as many steps as there are cells, times the terms of Luby's
        sequence, which grow without bound; 0 for never.
    sequential
        The share of the cells (0 to 1) that one search visits first, before the orders part.
    origin
        For a closed tour, the cell where the search begins; the first of the board if it is not given.
    without
        Rules to switch off, names of `RULES` with commas between; the answer stays right without any of them.
    island_limit
        Islands of more cells are not looked at.
    toughness
        1: no vertex may leave two components; 2: nor two vertices three (the rule `pairs`), which takes a linear time
        for each vertex.

    Returns
    -------
    Result
        `exhausted` if a search came to its end. Statistics: `orders` begun, and the sum over all searches of
        `COUNTERS`: moves made (`nodes`), moves that were a choice (`choices`), `backtracks`, `deletions`, heads
        without a move (`stuck`), `islands` looked at, and how often each rule fired.

    Raises
    ------
    KTError
        If a parameter is out of range, or the problem has another connectivity.
    """
    from heuristics.papers.large_boards.edge_deletion.search import searched

    return searched(
        problem,
        limits,
        watch,
        order=order,
        orders=orders,
        patience=patience,
        sequential=sequential,
        origin=origin,
        without=without,
        island_limit=island_limit,
        toughness=toughness,
    )


METHOD = Method(
    edge_deletion, "Depth-first search with forced and deleted edges, complete (Okuno, Miyano).", complete=True
)
