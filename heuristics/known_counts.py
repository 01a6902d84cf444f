"""Numbers of tours that are known: `delivered/counts.json` has what docs/data/counts.md says, counted by sweeps."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from kt_models.leaper import KNIGHT
from kt_models.problem import Problem

COUNTS = Path(__file__).parent / "delivered" / "counts.json"
SOURCE = "a sweep, docs/data/counts.md"


@cache
def known_counts() -> dict[str, int]:
    """All known numbers, by board, piece and kind of tour: `6x6 closed`, `8x8/0,1 open`."""
    return {name: int(count) for name, count in json.loads(COUNTS.read_text(encoding="utf-8"))["counts"].items()}


def known_count(problem: Problem) -> int | None:
    """The number of all tours of a board, if it is known; None under any condition."""
    graph = problem.graph
    plain = problem.connectivity in ("cycle", "path") and not (
        problem.symmetry or problem.required or problem.forbidden or problem.terminals or problem.is_constrained
    )
    if not plain or graph.board is None or graph.leaper is None or problem.numbers is not None:
        return None
    board = graph.board
    sides = sorted(board.shape) if board.is_box and not any(board.wraps) else []
    name = "x".join(map(str, sides)) if sides else board.text
    piece = "" if graph.leaper == KNIGHT else f"/{graph.leaper}"
    return known_counts().get(f"{name}{piece} {'closed' if problem.closed else 'open'}")
