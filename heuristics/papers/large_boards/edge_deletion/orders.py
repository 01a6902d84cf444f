"""Visit orders: the order in which the neighbours of each vertex are tried, fixed before the search begins."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_models.errors import KTError
from kt_models.graph import MoveGraph

GOOD_ORDER = ((2, -1), (-1, 2), (1, -2), (1, 2), (-2, 1), (-2, -1), (-1, -2), (2, 1))
"""The uniform order that solves the most square boards from a corner (docs/constructions/edge-deletion.md)."""


def random_order(plain: MoveGraph, rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """An independent random order for each vertex, shape (2m,) (section 3, number 2)."""
    return np.argsort(np.repeat(np.arange(plain.n), plain.degrees) + rng.random(2 * plain.m))


def uniform_order(plain: MoveGraph, board: MoveGraph, ranking: npt.NDArray[np.integer[Any]]) -> npt.NDArray[np.int64]:
    """The same order of moves for all cells, shape (2m,) (section 3, number 1).

    Parameters
    ----------
    plain
        The graph to search; its first vertices are the cells of `board`, and further vertices are tried last.
    ranking
        The place of each signed move of `board` in the order, shape (2k,): its moves, then their opposites. Without
        a board, neighbours are in order of their numbers.
    """
    if board.board is None or board.moves is None:
        return np.arange(2 * plain.m, dtype=np.int64)
    owner = np.repeat(np.arange(plain.n), plain.degrees)
    rank = np.full(2 * plain.m, len(ranking), dtype=np.int64)
    cells = np.flatnonzero((owner < board.n) & (plain.neighbours < board.n))
    step = board.board.cells[plain.neighbours[cells]].astype(np.int64) - board.board.cells[owner[cells]]
    for place, move in zip(ranking, np.concatenate([board.moves, -board.moves]), strict=True):
        fits = np.ones(len(cells), dtype=bool)
        for axis, size in enumerate(board.board.shape):
            gap = step[:, axis] - move[axis]
            fits &= (gap % size if board.board.wraps[axis] else gap) == 0
        rank[cells[fits]] = np.minimum(rank[cells[fits]], place)
    return np.argsort(owner * (len(ranking) + 1) + rank, kind="stable")


def good_ranking(board: MoveGraph) -> npt.NDArray[np.int64]:
    """Rank the moves of an (a, b)-leaper as `GOOD_ORDER` does, with a for 1 and b for 2; leave others as they are."""
    if board.moves is None or board.moves.shape[1] != 2 or board.leaper is None or len(board.leaper.offsets) != 2:
        return np.arange(0 if board.moves is None else 2 * len(board.moves))
    size = {1: board.leaper.a, 2: board.leaper.b}
    return _ranking(board, [(int(np.sign(x)) * size[abs(x)], int(np.sign(y)) * size[abs(y)]) for x, y in GOOD_ORDER])


def parse_ranking(board: MoveGraph, text: str) -> npt.NDArray[np.int64]:
    """The ranking written as moves, `1,2 2,1 2,-1 ...`; moves that are not named come last.

    Raises
    ------
    KTError
        If the graph has no board, or a named move is not one of its moves.
    """
    if board.moves is None:
        raise KTError(f"order {text!r}: graph {board.name} has no board, its edges have no vectors")
    moves = []
    for word in re.split(r"[\s;]+", text.strip()):
        if not re.fullmatch(r"[+-]?[0-9]{1,9}(,[+-]?[0-9]{1,9})+", word):
            raise KTError(f"order {text!r}: write mixed, random, uniform, or moves such as '1,2 2,1 2,-1'")
        moves.append(tuple(int(c) for c in word.split(",")))
    known = {tuple(move) for move in np.concatenate([board.moves, -board.moves]).tolist()}
    for move in moves:
        if move not in known:
            raise KTError(f"order {text!r}: {','.join(map(str, move))} is not a {board.leaper} move of {board.name}")
    return _ranking(board, moves)


def _ranking(board: MoveGraph, moves: list[tuple[int, ...]]) -> npt.NDArray[np.int64]:
    assert board.moves is not None
    signed = [tuple(move) for move in np.concatenate([board.moves, -board.moves]).tolist()]
    return np.array([moves.index(move) if move in moves else len(signed) for move in signed], dtype=np.int64)
