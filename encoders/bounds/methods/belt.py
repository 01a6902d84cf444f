"""`belt`: the files on crossings of all rectangles, and of squares with windows at their corners.

They come with kt, in `heuristics/delivered/results`; `python -m research.crossing_belts` makes them.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

from encoders.bounds.methods import BoundMethod, is_large_rectangle, lacks_few_cells
from heuristics.best_known import DELIVERED
from kt_models.leaper import KNIGHT
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem
from kt_models.storage import read_json

FIRST_ROWS = 2
"""Rows of the belt that comes first: it is swept in tenths of a second, and shows hardly less than three rows."""
SECONDS = 0.5
"""Reference seconds until the first belt is swept."""
MAX_SWEPT_CELLS = 2500
"""Most cells of a rectangle whose own belts are swept."""
MIN_CUT_SIDE = 85
"""Lesser side from which on the windows prove more for each rectangle than the wider belt."""


def make(problem: Problem, *, limits: Limits = NO_LIMITS) -> Iterator[dict[str, Any]]:
    """The data of certificates for one board: the files, of which the checker uses what the board needs."""
    limits.check()
    graph, board = problem.graph, problem.graph.board
    closed = problem.closed and board is not None
    belt = delivered("all-n" if closed else "open-all-n")
    few = {key: belt[key] for key in ("full", "laps", "penalty") if key in belt} | {"rows": FIRST_ROWS}
    has_windows = board is not None and closed and min(board.shape) >= MIN_CUT_SIDE and graph.leaper == KNIGHT
    holes = {} if board is None or board.is_box else {"holes": prod(board.shape) - board.n}
    yield few | holes
    if has_windows:
        yield delivered("cuts") | holes
    # Windows add more than a third row does, unless many of them see a missing cell.
    if belt["rows"] > FIRST_ROWS and (holes or not has_windows):
        yield belt | holes


def delivered(name: str) -> dict[str, Any]:
    """The file `crossings-NAME.json` that comes with kt."""
    return dict(read_json(DELIVERED / "results" / f"crossings-{name}.json"))


def belt_is_better(problem: Problem) -> bool:
    """Whether the belt for all sizes proves what a belt of this board alone would, in less time."""
    large = is_large_rectangle(problem) and problem.graph.n > MAX_SWEPT_CELLS
    return problem.objective == "crossings" and (large or lacks_few_cells(problem))


METHOD = BoundMethod(
    "belt",
    "the least that a belt of cells can weigh, for all sizes of a board",
    make,
    kind="belt",
    rank=1,
    by_formula=True,
    worth=lambda problem, at_least: belt_is_better(problem),
    cost=lambda problem, workers: SECONDS,
)
