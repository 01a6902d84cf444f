"""`Frame`: a region of cells, and the ports where paths enter and leave it; the question of a gadget search.

A port is a cell where a path passes from inside to outside, with the straight line that the path follows there.

The lines outside are cells and moves of one larger board on which they are required, so that turns at the ports and
crossings with the lines outside are counted by the same pair weights as everything else. A frame may be periodic along
one axis; then its paths are those of one period, and a path that is joined to its own translate (a strand) is infinite.

Quartets and matchings are those of Besa et al. 2022, section 3.1: four ports whose cells are the top left, top right,
bottom left and bottom right of a 2x2 square; H, V and X pair them horizontally, vertically and crosswise.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_models.board import Board, IntArray, integer_rows
from kt_models.cells import Cell, cell_name
from kt_models.errors import KTError, TooLarge, excerpt
from kt_models.fields import require_only
from kt_models.graph import MoveGraph
from kt_models.json_values import is_boolean, is_integer
from kt_models.leaper import KNIGHT, Leaper
from kt_models.metrics import BOARD_METRICS
from kt_models.problem import Problem
from kt_models.weights import Weights

MAX_CELLS = 10_000
"""Most cells of a region with its lines outside."""
MAX_COORDINATE = 1_000_000
"""Bound of coordinates, moves and lengths of lines: sums of a few of them fit into 32 bits."""

MATCHINGS = {
    "H": frozenset({frozenset({0, 1}), frozenset({2, 3})}),
    "V": frozenset({frozenset({0, 2}), frozenset({1, 3})}),
    "X": frozenset({frozenset({0, 3}), frozenset({1, 2})}),
}
"""Joined pairs among the positions 0 (top left), 1 (top right), 2 (bottom left), 3 (bottom right)."""


@dataclass(frozen=True)
class Port:
    """A place where a path passes between the region and the outside.

    Parameters
    ----------
    cell
        A cell of the region.
    move
        The move from that cell to the first one outside.
    steps
        The number of times that this move is made: the length of the line outside that can be crossed.
    leaves
        Whether the port is meant as a way out; its meaning is up to the search.
    """

    cell: Cell
    move: Cell
    steps: int = 1
    leaves: bool = False

    @property
    def line(self) -> tuple[Cell, ...]:
        """Cells of the line outside, the nearest first."""
        (x, y), (dx, dy) = self.cell, self.move
        return tuple((x + k * dx, y + k * dy) for k in range(1, self.steps + 1))

    def __str__(self) -> str:
        times = f"x{self.steps}" if self.steps > 1 else ""
        return f"{name_of(self.cell)}:{self.move[0]},{self.move[1]}{times}"


@dataclass(frozen=True)
class Frame:
    """A region, and the ports where paths enter and leave it.

    Parameters
    ----------
    cells
        The region; kept sorted.
    ports
        The ports, in the order of their numbers from 0.
    period
        `(p, 0)` or `(0, p)` if the region repeats along an axis, otherwise `(0, 0)`.
    leaper
        The piece that moves.

    Raises
    ------
    KTError
        If these are inconsistent; the message names the port or cell.
    """

    cells: tuple[Cell, ...]
    ports: tuple[Port, ...]
    period: Cell = (0, 0)
    leaper: Leaper = KNIGHT

    def __post_init__(self) -> None:
        if len(self.ports) > MAX_CELLS or len(self.cells) + sum(port.steps for port in self.ports) > MAX_CELLS:
            raise TooLarge(f"a region with its lines outside has at most {MAX_CELLS:,} cells")
        object.__setattr__(self, "cells", tuple(sorted(set(self.cells))))
        object.__setattr__(self, "ports", tuple(self.ports))
        numbers = [c for cell in (*self.cells, self.period) for c in cell]
        numbers += [c for port in self.ports for c in (*port.cell, *port.move, port.steps)]
        if not self.cells or any(abs(c) >= MAX_COORDINATE for c in numbers):
            raise KTError(f"a region has at least one cell, and coordinates below {MAX_COORDINATE:,}")
        if min(self.period) < 0 or all(self.period):
            raise KTError(f"period {self.period}: it is (p, 0), (0, p), or (0, 0) for none")
        if not self.ports and not self.periodic:
            raise KTError("a region without a port has no path that enters it")
        self._check_ports()

    def _check_ports(self) -> None:
        moves = {tuple(m) for half in self.leaper.half_moves(2).tolist() for m in (half, [-c for c in half])}
        # A move by one period alone would join a cell to itself on the board
        if any(self.folded(move) == (0, 0) for move in moves):
            raise KTError(f"period {self.period}: some {self.leaper} move leads from a cell to its translate")
        taken = {self.folded(cell): "the region" for cell in self.cells}
        if len(taken) < len(self.cells):
            raise KTError("two cells of the region are translates of one another")
        seen: dict[Cell, int] = {}
        for port in self.ports:
            if port.cell not in self.cells:
                raise KTError(f"port {port}: its cell is not in the region")
            if port.move not in moves or port.steps < 1:
                raise KTError(f"port {port}: it is not a {self.leaper} move, once or more")
            seen[port.cell] = seen.get(port.cell, 0) + 1
            if seen[port.cell] > 2:
                raise KTError(f"port {port}: more than two moves of one cell lead outside")
            for cell in port.line:
                if self.folded(cell) in taken:
                    raise KTError(f"port {port}: its line outside meets {taken[self.folded(cell)]}")
                taken[self.folded(cell)] = f"that of port {port}"

    def folded(self, cell: Cell) -> Cell:
        """Translate of a cell whose coordinate along the period is in range."""
        return tuple(c % p if p else c for c, p in zip(cell, self.period, strict=True))  # type: ignore[return-value]

    @property
    def periodic(self) -> bool:
        """Whether the frame repeats along a period."""
        return any(self.period)

    # -- as a problem ----------------------------------------------------------------------------------------------

    @cached_property
    def across(self) -> bool:
        """Whether axes are exchanged on the board, whose period is along x."""
        return bool(self.period[1])

    @cached_property
    def graph(self) -> MoveGraph:
        """Moves among the region and the lines outside, shifted to non-negative coordinates."""
        everything = np.array(sorted({*self.cells, *(c for port in self.ports for c in port.line)}), dtype=np.int64)
        places = self._places(everything)
        shape = tuple(int(c) + 1 for c in places.max(axis=0))
        if self.periodic:
            shape = (max(self.period), shape[1])
        # Cells far apart would make a huge box
        if shape[0] * shape[1] > 1000 * MAX_CELLS:
            raise TooLarge("the region is too wide for its number of cells")
        if not self.periodic:
            return MoveGraph.of(Board.from_cells(places), self.leaper)
        mask = np.zeros(shape, dtype=bool)
        mask[tuple(places.T)] = True
        return MoveGraph.of(Board(shape, None if mask.all() else mask, (True, False)), self.leaper)

    @cached_property
    def corner(self) -> Cell:
        """The cell at (0, 0) of the board."""
        everything = [*self.cells, *(c for port in self.ports for c in port.line)]
        low = [min(c[axis] for c in everything) for axis in (0, 1)]
        return 0 if self.period[0] else low[0], 0 if self.period[1] else low[1]

    def _places(self, cells: npt.ArrayLike) -> npt.NDArray[np.int64]:
        """Positions of cells on the board, shape (k, 2)."""
        places = np.asarray(cells, dtype=np.int64).reshape(-1, 2) - self.corner
        for axis in (0, 1):
            if self.period[axis]:
                places[:, axis] %= self.period[axis]
        # Boards wrap along the first axis, so a region with a vertical period is transposed
        return places[:, ::-1] if self.across else places

    def vertices(self, cells: npt.ArrayLike) -> IntArray:
        """Numbers of cells on the board; -1 if there is none."""
        board, _ = self.graph.geometry
        return board.numbers(self._places(cells))

    def edge(self, cell: Cell, move: Cell) -> int:
        """The edge by which a move leaves a cell; -1 if there is none."""
        return self._edges.get((self.folded(cell), move), -1)

    @cached_property
    def _edges(self) -> dict[tuple[Cell, Cell], int]:
        """Edges by cell and move."""
        # Undoes the transposition: keys are moves of the region, not of the board
        graph, (left, low), flip = self.graph, self.corner, -1 if self.across else 1
        board, half_moves = graph.geometry
        cells = [(x + left, y + low) for x, y in (cell[::flip] for cell in board.cells.tolist())]
        moves = [(dx, dy) for dx, dy in (move[::flip] for move in half_moves.tolist())]
        table = {}
        for e, (tail, head, k) in enumerate(zip(graph.tails, graph.heads, graph.edge_move, strict=True)):
            dx, dy = moves[k]
            # An edge is found from both of its ends
            table[cells[tail], (dx, dy)] = table[cells[head], (-dx, -dy)] = e
        return table

    @cached_property
    def outside(self) -> tuple[int, ...]:
        """Edges of the lines outside."""
        return tuple(self.edge(c, port.move) for port in self.ports for c in (port.cell, *port.line[:-1]))

    @cached_property
    def ends(self) -> tuple[int, ...]:
        """Vertex at the end of each port's line."""
        return tuple(self.vertices([port.line[-1] for port in self.ports]).tolist()) if self.ports else ()

    def problem(self, objective: str | Weights | None = None) -> Problem:
        """The gadgets of this frame as solutions of a `Problem`; those of a periodic frame include closed cycles.

        Raises
        ------
        KTError
            If the objective is a text, and neither `turns` nor `crossings`: claims about gadgets know no other.
        """
        if isinstance(objective, str) and objective not in BOARD_METRICS:
            raise KTError(f"objective {excerpt(objective)}: gadgets have {' and '.join(BOARD_METRICS)} only")
        return _problem(self, objective)

    # -- quartets --------------------------------------------------------------------------------------------------

    @cached_property
    def quartets(self) -> tuple[tuple[int, int, int, int], ...]:
        """The ports in fours, if each four in turn is a quartet in the order tl, tr, bl, br; otherwise nothing."""
        fours = [tuple(range(k, k + 4)) for k in range(0, len(self.ports), 4)]
        return tuple(fours) if all(self._is_quartet(four) for four in fours) else ()  # type: ignore[arg-type]

    def _is_quartet(self, numbers: tuple[int, ...]) -> bool:
        if len(self.ports) % 4:
            return False
        x, y = self.ports[numbers[0]].cell
        return [self.ports[k].cell for k in numbers] == [(x, y), (x + 1, y), (x, y - 1), (x + 1, y - 1)]

    # -- files -----------------------------------------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        """The keys `region`, `ports`, `leaper` and, if there is one, `period`."""
        ports = [
            {
                "cell": list(p.cell),
                "move": list(p.move),
                **({"steps": p.steps} if p.steps > 1 else {}),
                **({"leaves": True} if p.leaves else {}),
            }
            for p in self.ports
        ]
        data: dict[str, Any] = {"leaper": str(self.leaper), "region": [list(c) for c in self.cells], "ports": ports}
        return {**data, "period": list(self.period)} if self.periodic else data

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Frame:
        """Read the frame of a JSON object that `to_json` wrote.

        Raises
        ------
        KTError
            If a key is missing or of the wrong type, or they are inconsistent.
        """
        ports = data.get("ports")
        if not isinstance(ports, list) or not all(isinstance(p, dict) for p in ports):
            raise KTError("'ports' is missing or is not a list of objects")
        made = []
        for port in ports:
            require_only(port, ("cell", "move", "steps", "leaves"), "a port")
            steps, leaves = port.get("steps", 1), port.get("leaves", False)
            if not is_integer(steps) or not is_boolean(leaves):
                raise KTError("'steps' or 'leaves' of a port has the wrong type")
            (cell,), (move,) = cells_of_json([port.get("cell")], "cell"), cells_of_json([port.get("move")], "move")
            made.append(Port(cell, move, steps, leaves))
        (period,) = cells_of_json([data.get("period", [0, 0])], "period")
        leaper = data.get("leaper", "1,2")
        if not isinstance(leaper, str):
            raise KTError("'leaper' is not a text")
        return _shared(cls(cells_of_json(data.get("region"), "region"), tuple(made), period, Leaper.parse(leaper)))


@lru_cache(maxsize=64)
def _shared(frame: Frame) -> Frame:
    """The first of equal frames, whose cached values serve all of them."""
    return frame


@lru_cache(maxsize=64)
def _problem(frame: Frame, objective: str | Weights | None) -> Problem:
    graph = frame.graph
    inside = np.zeros(graph.n, dtype=bool)
    inside[frame.vertices(frame.cells)] = True
    # Moves between the lines outside belong to no gadget
    beyond = np.flatnonzero(~(inside[graph.tails] & inside[graph.heads]))
    return Problem(
        graph,
        "any" if frame.periodic else "paths",
        objective,
        terminals=frame.ends,
        required=frozenset(frame.outside),
        forbidden=frozenset(beyond.tolist()) - frozenset(frame.outside),
    )


def matching_of(frame: Frame, pairing: frozenset[frozenset[int]]) -> str | None:
    """The effect of a pairing of ports on one or two quartets; see `Gadget.matching`."""
    if len(frame.quartets) == 1:
        return next((name for name, pairs in MATCHINGS.items() if pairs == pairing), None)
    if len(frame.quartets) != 2:
        return None
    # Ports 0 to 3 are the first quartet and 4 to 7 the second
    image = {min(pair): max(pair) - 4 for pair in pairing}
    if sorted(image) != [0, 1, 2, 3] or min(image.values()) < 0:
        return None  # Some path returns to its own quartet
    names = {pairs: name for name, pairs in MATCHINGS.items()}
    moved = {name: frozenset(frozenset(image[k] for k in pair) for pair in pairs) for name, pairs in MATCHINGS.items()}
    return " ".join(f"{name}>{names[pairs]}" for name, pairs in moved.items())


def name_of(cell: Cell) -> str:
    """Name of a cell; for a negative coordinate, which has no name, the coordinates."""
    return cell_name(cell) if min(cell) >= 0 else f"({cell[0]},{cell[1]})"


def cells_of_json(data: Any, name: str) -> tuple[Cell, ...]:
    """Cells of a JSON list of coordinate pairs; otherwise a `KTError` that begins with the name."""
    rows = integer_rows(data, name)
    if rows.shape[1] != 2:
        raise KTError(f"'{name}' is not made of coordinate pairs")
    return tuple((x, y) for x, y in rows.tolist())
