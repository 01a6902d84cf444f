"""A census of random tours: the number of closed ones, of types, and of inequivalent tours.

Miller (2018) finds tours of the 4x4x4 cube by random moves and counts types (`heuristics.papers.cube.tour_types`). Here
two tours are also called equivalent if a symmetry of the board maps one to the other, possibly reversed and, if closed,
from another start. The paper leaves this for the future.

Her program reads the position of a cell from a 4x4x4 array by a function that is wrong if the second index is 4: then
the third one is too large by one (4 becomes 1). This affects the types, and the test whether a tour is closed.
`misread` does the same, to show the effect. (The types themselves are no worse for it: in that slice the codes of 16
cells change places.)
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from heuristics.papers.cube.random_greedy import SLICE_WALKS, RandomWalks
from heuristics.papers.cube.tour_types import least_sequence, location_codes
from heuristics.papers.statistics import Rate, wilson
from heuristics.simple_graph import SimpleGraph, simple_graph_of
from kt_models.board import Board
from kt_models.errors import KTError
from kt_models.graph import MoveGraph
from kt_models.limits import NO_LIMITS, Limits, Listener, Report, Stopped, silent
from kt_models.problem import Problem
from kt_models.symmetry import board_group
from kt_models.tour import Tour, verify

PAPER: dict[str, Any] = {
    "board": "4x4x4",
    "tours": 1000,
    "open": {"tours": 831, "types": 463},
    "closed": {"tours": 123, "types": 123},
    "runs": 1031,
    "failed_percent": 0.051,
    "cells": {3: 8, 2: 14, 1: 24, 0: 8},
}
"""Figures of the paper. The sum of 831 and 123 is 954, not 1000; its cells add up to 54, not 64."""
MAX_TOURS = 1_000_000


@dataclass
class Classes:
    """Tours of one kind, open or closed, and their classes.

    Attributes
    ----------
    types
        Number of tours of each type by location, without regard to reversal and, for closed tours, to rotation.
    paper_types
        The same for the paper's program: positions are misread, and closed tours are compared by rotation only.
    distinct, inequivalent
        Number of times that each tour occurs, as a set of moves, and up to the symmetries of the board.
    symmetric
        Tours that a symmetry of the board, other than the identity, maps to themselves.
    """

    tours: int = 0
    types: Counter[bytes] = field(default_factory=Counter)
    paper_types: Counter[bytes] = field(default_factory=Counter)
    paper_tours: int = 0
    distinct: Counter[bytes] = field(default_factory=Counter)
    inequivalent: Counter[bytes] = field(default_factory=Counter)
    symmetric: int = 0

    def to_json(self) -> dict[str, Any]:
        """Counts of tours, types, and classes."""
        return {
            "tours": self.tours,
            "types": len(self.types),
            "types_by_count": _by_count(self.types),
            "distinct": len(self.distinct),
            "inequivalent": len(self.inequivalent),
            "symmetric": self.symmetric,
            "as_the_paper_counts": {"tours": self.paper_tours, "types": len(self.paper_types)},
        }


@dataclass
class Census:
    """The findings of a census.

    Attributes
    ----------
    walks
        Number of all random walks.
    runs, failed
        Runs of up to `tries` walks, each ended by its first tour, and the runs without a tour.
    """

    graph: MoveGraph
    wanted: int
    tries: int
    open: Classes = field(default_factory=Classes)
    closed: Classes = field(default_factory=Classes)
    walks: int = 0
    runs: int = 0
    failed: int = 0

    @property
    def tours(self) -> int:
        """Tours found, open and closed."""
        return self.open.tours + self.closed.tours

    @property
    def complete(self) -> bool:
        """Whether the wanted number of tours was found."""
        return self.tours >= self.wanted

    @property
    def cells(self) -> dict[int, int]:
        """The number of cells with each location code, the greatest code first."""
        assert self.graph.board is not None
        counts = Counter(location_codes(self.graph.board).tolist())
        return dict(sorted(counts.items(), reverse=True))

    @property
    def closed_share(self) -> Rate:
        """Share of the tours that are closed."""
        return wilson(self.closed.tours, self.tours)

    @property
    def success(self) -> Rate:
        """Share of the walks that are tours."""
        return wilson(self.tours, self.walks)

    @property
    def failing(self) -> Rate:
        """Share of the runs without a tour."""
        return wilson(self.failed, self.runs)

    def to_json(self) -> dict[str, Any]:
        """The census, including the rates and their intervals."""
        return {
            "board": self.graph.name,
            "leaper": str(self.graph.leaper),
            "tours": self.tours,
            "complete": self.complete,
            "cells_by_code": {str(code): count for code, count in self.cells.items()},
            "symmetries": board_group(self.graph.geometry[0]).order,
            "walks": self.walks,
            "tours_per_walk": self.success.to_json(),
            "runs": self.runs,
            "tries": self.tries,
            "failed_runs": self.failed,
            "failed_share": self.failing.to_json(),
            "closed_share": self.closed_share.to_json(),
            "open": self.open.to_json(),
            "closed": self.closed.to_json(),
            "paper": PAPER if self.graph.name == PAPER["board"] and str(self.graph.leaper) == "1,2" else None,
        }


MAX_RUNS_IN_VAIN = 300
"""Runs without a single tour after which a census ends: 4x4 has no tour, and no short proof of that."""


def census(
    graph: MoveGraph,
    *,
    tours: int = 1000,
    tries: int = 1000,
    limits: Limits = NO_LIMITS,
    on_progress: Listener = silent,
) -> Census:
    """Find open and closed tours by random walks, until there are enough.

    Parameters
    ----------
    tours
        Number of tours.
    tries
        Walks for each run; only the number of failed runs depends on it.
    on_progress
        Called with the number of tours, in words.

    Raises
    ------
    KTError
        If the graph has no board, a number is out of range, or the board has no open tour for a simple reason.
    """
    if graph.board is None:
        raise KTError(f"graph {graph.name} has no board: its vertices have no location")
    if not 1 <= tours <= MAX_TOURS or tries < 1:
        raise KTError(f"between 1 and {MAX_TOURS:,} tours, and at least 1 try")
    result = Census(graph, tours, tries)

    # In a function, because building the graph's reduction does not look at the clock.
    def begun() -> tuple[SimpleGraph, _Kinds, RandomWalks]:
        instance = simple_graph_of(Problem(graph, "path")) if graph.n > 2 else None
        if instance is None:
            raise KTError(f"{graph.name}: it has no open tour, or too few cells to make one")
        return instance, _Kinds(graph), RandomWalks(instance, np.random.default_rng(limits.seed))

    try:
        instance, kinds, walks = limits.run(begun)
    except Stopped:
        return result
    left = tries
    # A board without a single tour after many runs probably has none, and its census would not end.
    while not result.complete and not limits.over and (result.tours or result.runs < MAX_RUNS_IN_VAIN):
        before = walks.made
        success = walks.run(min(SLICE_WALKS, left))
        left -= walks.made - before
        if success or not left:
            result.runs += 1
            result.failed += not success
            left = tries
        if success:
            kinds.enter(result, instance.lift(walks.path))
            on_progress(Report(words=f"{result.tours:,} of {tours:,} tours"))
        result.walks = walks.made
    return result


class _Kinds:
    """The classes under which tours are counted."""

    def __init__(self, graph: MoveGraph) -> None:
        board, _ = graph.geometry
        self._graph = graph
        self._codes = location_codes(board)
        self._misread = misread(board) if board.dimension == 3 and board.mask is None else None

    def enter(self, result: Census, tour: Tour) -> None:
        order = tour.order
        # A random walk is closed if its ends happen to be adjacent.
        joined = bool(len(self._graph.edges_between(int(order[0]), int(order[-1]))))
        tour = Tour(self._graph, order, joined)
        verify(tour)
        kind = result.closed if joined else result.open
        kind.tours += 1
        kind.types[least_sequence(self._codes[order], rotate=joined)] += 1
        normal, canonical = tour.normalised().order, tour.canonical().order
        kind.distinct[normal.tobytes()] += 1
        kind.inequivalent[canonical.tobytes()] += 1
        kind.symmetric += len(tour.symmetries()) > 1
        if self._misread is not None:
            read = self._misread[order]
            closes = bool(len(self._graph.edges_between(int(read[0]), int(read[-1]))))
            theirs = result.closed if closes else result.open
            theirs.paper_tours += 1
            theirs.paper_types[least_sequence(self._codes[read], rotate=closes, reverse=not closes)] += 1


def misread(board: Board) -> npt.NDArray[np.int64]:
    """The position that the paper's `find_index` computes for each cell of a box, shape (n,)."""
    cells = board.cells.astype(np.int64).copy()
    last = cells[:, 1] == board.shape[1] - 1
    cells[last, 2] = (cells[last, 2] + 1) % board.shape[2]
    return board.numbers(cells).astype(np.int64)


def _by_count(classes: Counter[bytes]) -> dict[str, int]:
    """The number of classes with 1, 2, ... members."""
    return {str(size): count for size, count in sorted(Counter(classes.values()).items())}
