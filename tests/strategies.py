"""Hypothesis strategies: boards, graphs and tours of every kind."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from kt_models import Board, Leaper, MoveGraph, Tour
from tests import brute

SMALL_TOURS = [("5x6", True), ("3x10", True), ("6x5", True), ("3x4", False), ("4x5", False), ("5x5", False)]


@st.composite
def boards(draw: st.DrawFn) -> Board:
    """Rectangles, boxes, diamonds, tori, cylinders, with and without holes, of up to about 60 cells."""
    kinds = ["box", "box3", "aztec", "torus", "cylinder", "holes", "torus-holes", "cylinder-holes"]
    kind = draw(st.sampled_from(kinds))
    side = st.integers(1, 7)
    if kind == "box3":
        return Board.box(*(draw(st.integers(1, 4)) for _ in range(3)))
    if kind == "aztec":
        return Board.aztec(draw(st.integers(1, 4)))
    width, height = draw(side), draw(side)
    board = Board.box(width, height)
    if kind.startswith("torus"):
        board = Board.torus(width, height)
    if kind.startswith("cylinder"):
        board = Board.cylinder(width, height)
    if kind.endswith("holes") and board.n > 1:
        holes = draw(st.sets(st.integers(0, board.n - 1), max_size=board.n - 1))
        return board.without(tuple(int(c) for c in board.cells[hole]) for hole in holes)
    return board


leapers = st.sampled_from([Leaper(1, 2), Leaper(0, 1), Leaper(1, 1), Leaper(1, 3), Leaper(2, 3), Leaper(1, 4)])


@st.composite
def small_graphs(draw: st.DrawFn, most: int = 7) -> MoveGraph:
    """Any simple graph of up to `most` vertices."""
    n = draw(st.integers(1, most))
    pairs = [(u, v) for u in range(n) for v in range(u)]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    return MoveGraph.from_edges(n, np.array(chosen, dtype=np.int64).reshape(-1, 2))


@st.composite
def tours(draw: st.DrawFn) -> Tour:
    """One of all tours of some small board."""
    board, closed = draw(st.sampled_from(SMALL_TOURS))
    known = brute.tours(board, closed)
    order = known[draw(st.integers(0, len(known) - 1))]
    return Tour(MoveGraph.of(Board.parse(board)), np.array(order), closed)
