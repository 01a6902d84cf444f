"""Corner blocks for `research.strands.families`: all ways to fill a block with the fewest turns, amid given moves.

A block is balanced if its black and white cells need equally many ends of moves inside it. Solvers take long to see
that an unbalanced one cannot be filled, so this is looked at first. Closed cycles are not excluded here: the caller
counts the cycles of the whole board.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kt_models.board import IntArray
from kt_models.cells import Cell
from kt_models.graph import MoveGraph
from kt_models.limits import Limits
from kt_models.problem import Problem
from kt_models.weights import Weights
from research.strands.sides import code
from theorems.growing_tours.codes import MOVES, PAIRS, Codes

if TYPE_CHECKING:
    from encoders.sat.listing import Lister

CORNERS = (("bottom", "left"), ("bottom", "right"), ("top", "left"), ("top", "right"))
"""The sides that meet at each corner."""


@dataclass(frozen=True, eq=False)
class Block:
    """Free cells of a board whose other cells have given moves.

    Parameters
    ----------
    box
        First column, first row, columns, rows.
    ports
        For each free cell, the moves from it to cells that are not free and have the move back.
    """

    box: tuple[int, int, int, int]
    ports: dict[Cell, tuple[int, ...]]

    @classmethod
    def of(cls, codes: Codes, box: tuple[int, int, int, int]) -> Block:
        width, height = codes.shape
        left, low, columns, rows = box
        ports: dict[Cell, list[int]] = {
            cell: [] for cell in itertools.product(range(left, left + columns), range(low, low + rows))
        }
        for x, y in itertools.product(
            range(max(0, left - 2), min(width, left + columns + 2)), range(max(0, low - 2), min(height, low + rows + 2))
        ):
            for move in PAIRS[codes[x, y]] if (x, y) not in ports else ():
                target = x + MOVES[move][0], y + MOVES[move][1]
                if target in ports:
                    ports[target].append((move + 4) % 8)
        return cls(box, {cell: tuple(moves) for cell, moves in ports.items()})

    @classmethod
    def at(cls, codes: Codes, corner: tuple[str, str], side: int) -> Block:
        """The square block at a corner of a board."""
        return cls.of(codes, corner_box(codes, corner, side))

    @property
    def balanced(self) -> bool:
        """Whether black and white cells need equally many ends of moves inside."""
        return sum((2 - len(moves)) * (1 if sum(cell) % 2 else -1) for cell, moves in self.ports.items()) == 0

    @property
    def fits(self) -> bool:
        """Whether nothing that is seen at once speaks against a filling."""
        return self.balanced and all(len(moves) <= 2 for moves in self.ports.values())


def corner_box(codes: Codes, corner: tuple[str, str], side: int) -> tuple[int, int, int, int]:
    """The box of the square block at a corner of a board."""
    width, height = codes.shape
    return (0 if "left" in corner else width - side), (0 if "bottom" in corner else height - side), side, side


def with_corners(codes: Codes, blocks: Sequence[Codes]) -> Codes:
    """A board with the moves of four square blocks, in the order of `CORNERS`."""
    codes = codes.copy()
    for corner, block in zip(CORNERS, blocks, strict=True):
        x, y, columns, rows = corner_box(codes, corner, len(block))
        codes[x : x + columns, y : y + rows] = block
    return codes


def fewest_turns(block: Block, most: int, limits: Limits) -> tuple[int, tuple[Codes, ...]] | None:
    """The least number of turns in a block, and the codes of all ways to fill it so, at most so many.

    Returns
    -------
    The number, and arrays of shape (columns, rows); None if the block cannot be filled.

    Raises
    ------
    Stopped
        If the limits are reached.
    """
    if not block.fits:
        return None
    with _listing(block, limits) as (problem, lister, codes):
        first = lister.least(lambda edges: None)
        if first is None:
            return None
        least = problem.cost(first)
        return least or 0, tuple(map(codes, itertools.islice(lister.all(least, first), most)))


def fillings(block: Block, at_most: int, most: int, limits: Limits) -> tuple[Codes, ...]:
    """At most `most` ways to fill a block with at most so many turns.

    Raises
    ------
    Stopped
        If the limits are reached.
    """
    if not block.fits:
        return ()
    with _listing(block, limits) as (_, lister, codes):
        return tuple(map(codes, itertools.islice(lister.all(at_most), most)))


@contextmanager
def _listing(block: Block, limits: Limits) -> Iterator[tuple[Problem, Lister, Callable[[IntArray], Codes]]]:
    """The problem of filling a block, what lists its solutions, and what makes codes of one."""
    from encoders.sat.formula import Formula
    from encoders.sat.listing import Lister

    problem, moves = _problem(block)
    with Lister(Formula(problem), limits) as lister:
        yield problem, lister, lambda edges: _filled(block, [moves[e] for e in edges.tolist() if e in moves])


def _problem(block: Block) -> tuple[Problem, dict[int, tuple[Cell, int]]]:
    """To choose moves so that each cell has two, with few turns; every port leads to an end of its own.

    With it the moves inside the block by their edges, each as its cell and one of the first four moves.
    """
    number = {cell: k for k, cell in enumerate(block.ports)}
    n = len(number)
    rows: list[tuple[int, int, Cell, int]] = []  # The ends of an edge, and its move from a cell
    for (x, y), ports in block.ports.items():
        for move in range(4):
            target = number.get((x + MOVES[move][0], y + MOVES[move][1]))
            if target is not None:
                rows.append((*sorted((number[x, y], target)), (x, y), move))  # type: ignore[arg-type]
        for move in ports:
            rows.append((number[x, y], n, (x, y), move))
            n += 1
    rows.sort()
    inner = {edge: (cell, move) for edge, (_, v, cell, move) in enumerate(rows) if v < len(number)}
    at: list[list[tuple[int, int]]] = [[] for _ in number]  # For each cell, edges and their moves from there
    for edge, (u, v, cell, move) in enumerate(rows):
        at[number[cell]].append((edge, move))
        if edge in inner:
            at[u + v - number[cell]].append((edge, move + 4))
    turns = [(e, f) for ends in at for (e, a), (f, b) in itertools.combinations(ends, 2) if abs(a - b) != 4]
    first, second = np.array(turns, dtype=np.int32).reshape(-1, 2).T
    problem = Problem(
        MoveGraph.from_edges(n, [row[:2] for row in rows]),
        "any",
        Weights(first, second, np.ones(len(turns), dtype=np.int64), "turns"),
        terminals=tuple(range(len(number), n)),
        required=frozenset(range(len(rows))) - set(inner),
    )
    return problem, inner


def _filled(block: Block, chosen: list[tuple[Cell, int]]) -> Codes:
    moves = {cell: list(ports) for cell, ports in block.ports.items()}
    for cell, move in chosen:
        moves[cell].append(move)
        moves[cell[0] + MOVES[move][0], cell[1] + MOVES[move][1]].append(move + 4)
    left, low, columns, rows = block.box
    codes = np.empty((columns, rows), dtype=np.uint8)
    for (x, y), steps in moves.items():
        codes[x - left, y - low] = code(steps)
    return codes
