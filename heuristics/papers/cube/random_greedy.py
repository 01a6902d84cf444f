"""Miller's search (2018): random moves to unvisited cells from a random start; when stuck, begin again.

Her program (for the 4x4x4 board) tries 1000 times before it gives up a run. Nothing in it depends on that board or on
three dimensions, so here it takes any graph. The walks are those of `heuristics.searches.warnsdorff` without a rule:
required and forbidden moves and given ends are respected. `prune` abandons a walk as soon as it cannot be completed,
which loses no tour (`prune=no` is the original program).

The chance of one walk falls exponentially with the size of the board: about one in 300 on 4x4x4, hopeless on 8x8.
"""

from __future__ import annotations

import numpy as np

from heuristics.compiled_helpers import below
from heuristics.method import Method
from heuristics.searches.warnsdorff import GRAPH, RULE, Walker, walk_by_rule
from heuristics.simple_graph import SimpleGraph, simple_graph_or_result
from kt_models.errors import KTError
from kt_models.jit import kernel
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem
from kt_models.result import Result

SLICE_WALKS = 20_000
"""Walks between two looks at the clock: about a tenth of a second on 64 cells."""


def random_greedy(
    problem: Problem,
    *,
    limits: Limits = NO_LIMITS,
    tries: int = 100_000,
    prune: bool = True,
    origin: str = "",
) -> Result:
    """Walk at random until a walk is a tour.

    Parameters
    ----------
    tries
        Most walks; 0 for no limit. The paper's run is 1000.
    prune
        Whether to abandon a walk as soon as it is certain to get stuck.
    origin
        The only vertex to start from, by name; by default a random one each time.

    Returns
    -------
    Result
        Statistics: `walks` made, and how many of them were `open_tours`.
    """
    if tries < 0:
        raise KTError("parameter tries is not negative")
    instance = simple_graph_or_result(problem)
    if isinstance(instance, Result):
        return instance
    walks = RandomWalks(instance, np.random.default_rng(limits.seed), prune=prune, start=origin)
    full = 0
    while not limits.over and (not tries or walks.made < tries):
        if not walks.run(min(SLICE_WALKS, tries - walks.made) if tries else SLICE_WALKS):
            continue
        full += 1
        if walks.closes():
            return Result(
                problem, "feasible", instance.lift(walks.path), statistics={"walks": walks.made, "open_tours": full}
            )
    return Result(problem, "unknown", statistics={"walks": walks.made, "open_tours": full})


class RandomWalks(Walker):
    """Random walks on the graph of an instance, one complete one after the other.

    Attributes
    ----------
    made
        Number of walks so far.
    """

    def __init__(self, instance: SimpleGraph, rng: np.random.Generator, *, prune: bool = True, start: str = "") -> None:
        super().__init__(instance, "none", rng, start=start)
        self._choice = np.array(self.openings)
        self._prune = prune
        self.made = 0

    def run(self, tries: int) -> bool:
        """Make up to `tries` walks; return whether the last one, then in `path`, reached every vertex."""
        made, self.length = _until_complete(
            self._graph, self._rule, self._choice, self._free, self.path, self._prune, tries
        )
        self.made += int(made)
        return bool(self.length == len(self.path))


@kernel(f"UniTuple(int64, 2)({GRAPH}, {RULE}, int32[:, ::1], int32[::1], int32[::1], boolean, int64)")
def _until_complete(graph, breaks, openings, free, path, prune, tries):  # type: ignore[no-untyped-def]
    """Walk at random until every vertex is reached; return the number of walks and the last one's length."""
    length = 0
    for made in range(1, tries + 1):
        opening = openings[below(breaks[-1], len(openings))]
        length = walk_by_rule(graph, breaks, opening, free, path, prune)
        if length == len(path):
            return made, length
    return tries, length


METHOD = Method(random_greedy, "Repeated random walks (Miller 2018); for open tours up to 6x6, tours of 4x4x4.")
