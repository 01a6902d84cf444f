"""Corner blocks for `encoders.gadgets.strands`: all ways to fill a block with the fewest turns, amid given moves.

A block is balanced if its black and white cells need equally many ends of moves inside it.  Solvers take long to see
that an unbalanced one cannot be filled, so this is looked at first.  Closed cycles are not excluded here: the caller
counts the cycles of the whole board.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from encoders.gadgets.strands_sides import code
from kt_models.certificates.families.codes import MOVES, PAIRS, Codes

SOLVER = "cadical153"
Cell = tuple[int, int]


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

    @property
    def balanced(self) -> bool:
        """Whether black and white cells need equally many ends of moves inside."""
        return sum((2 - len(moves)) * (1 if sum(cell) % 2 else -1) for cell, moves in self.ports.items()) == 0


def fewest_turns(block: Block, most: int, check: Callable[[], None]) -> tuple[int, tuple[Codes, ...]] | None:
    """The least number of turns in a block, and the codes of all ways to fill it so, at most so many.

    Parameters
    ----------
    check
        Called between calls of the solver; it may raise to give up.

    Returns
    -------
    The number, and arrays of shape (columns, rows); None if the block cannot be filled.
    """
    if not block.balanced or any(len(moves) > 2 for moves in block.ports.values()):
        return None
    from pysat.card import ITotalizer
    from pysat.solvers import Solver

    moves = _moves(block)
    clauses, turns, settled = _clauses(block, moves)
    top = max(itertools.chain(moves.values(), turns), default=0)
    totalizer = ITotalizer(turns, ubound=len(turns), top_id=top)
    found: list[Codes] = []
    with Solver(SOLVER, bootstrap_with=clauses + totalizer.cnf.clauses) as solver:
        if not solver.solve():
            return None
        least = _turned(turns, solver.get_model())
        while least and solver.solve(_at_most(totalizer, least - 1, len(turns))):
            check()
            least = _turned(turns, solver.get_model())
        while len(found) < most and solver.solve(_at_most(totalizer, least, len(turns))):
            check()
            model = solver.get_model()
            chosen = [edge for edge, variable in moves.items() if model[variable - 1] > 0]
            found.append(_filled(block, chosen))
            solver.add_clause([-moves[edge] for edge in chosen])
        totalizer.delete()
    return least + settled, tuple(found)


def _turned(turns: list[int], model: list[int]) -> int:
    return sum(model[variable - 1] > 0 for variable in turns)


def _at_most(totalizer, count: int, whole: int) -> list[int]:  # type: ignore[no-untyped-def]
    return [-totalizer.rhs[count]] if count < whole else []


def _moves(block: Block) -> dict[tuple[Cell, int], int]:
    """A variable for each move inside the block, by its cell and one of the first four moves."""
    inside = [
        ((x, y), move)
        for x, y in block.ports
        for move in range(4)
        if (x + MOVES[move][0], y + MOVES[move][1]) in block.ports
    ]
    return {edge: number for number, edge in enumerate(inside, start=1)}


def _clauses(block: Block, moves: dict[tuple[Cell, int], int]) -> tuple[list[list[int]], list[int], int]:
    """Two moves at each cell; a variable for each cell that may be a turn; the number of those that are in any case."""
    at: dict[Cell, dict[int, int]] = {cell: {} for cell in block.ports}
    for (cell, move), variable in moves.items():
        at[cell][move] = variable
        at[cell[0] + MOVES[move][0], cell[1] + MOVES[move][1]][move + 4] = variable
    clauses: list[list[int]] = []
    turns: list[int] = []
    settled = 0
    for cell, ports in block.ports.items():
        variables, need = list(at[cell].values()), 2 - len(ports)
        # of any need + 1, one is not chosen; of all but need - 1, one is
        clauses += [[-v for v in some] for some in itertools.combinations(variables, need + 1)]
        if need:
            clauses += [list(some) for some in itertools.combinations(variables, len(variables) - need + 1)]
        else:
            settled += abs(ports[0] - ports[1]) != 4
            continue
        turn = len(moves) + len(turns) + 1
        turns.append(turn)
        known = [(move, None) for move in ports]
        for (a, va), (b, vb) in itertools.combinations([*known, *at[cell].items()], 2):
            if abs(a - b) != 4:
                clauses.append([turn, *(-v for v in (va, vb) if v is not None)])
    return clauses, turns, settled


def _filled(block: Block, chosen: list[tuple[Cell, int]]) -> Codes:
    moves = {cell: list(ports) for cell, ports in block.ports.items()}
    for cell, move in chosen:
        moves[cell].append(move)
        moves[cell[0] + MOVES[move][0], cell[1] + MOVES[move][1]].append(move + 4)
    left, low, columns, rows = block.box
    codes = np.empty((columns, rows), dtype=np.uint8)
    for (x, y), own in moves.items():
        codes[x - left, y - low] = code(own)
    return codes
