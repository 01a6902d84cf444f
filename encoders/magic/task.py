"""The kind of magic tour to search for, and the answer."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from heuristics.numbering import neighbours_of
from kt_models.board import Board
from kt_models.display import html
from kt_models.errors import KTError, TooLarge
from kt_models.line_sums import LineSums
from kt_models.numbers import GivenNumbers, board_lines
from kt_models.problem import Problem, require_unconstrained
from kt_models.result import SEARCH_SAYS, SOLVER_SAYS, Result
from kt_models.symmetry import Symmetry

QUARTER_SIDE = 4
"""Side of the quarters of `quartes` and `halves`, and cells of a quarte."""
MAX_CELLS = 400
"""Most cells: 20x20 has 160,000 variables."""


@dataclass(frozen=True)
class MagicTask:
    """The kind of tour to search for.

    Parameters
    ----------
    problem
        A closed or open tour of a full rectangle, without an objective; its symmetry is none or `rot180`.
    diagonals
        Whether the long diagonals of a square have the sum too.
    start, finish
        The cells with the first and the last number, if they are given.
    quartes, halves
        See `encoders.magic`.

    Raises
    ------
    KTError
        If these are inconsistent.
    """

    problem: Problem
    diagonals: bool = False
    start: int | None = None
    finish: int | None = None
    quartes: bool = False
    halves: bool = False

    def __post_init__(self) -> None:
        problem, board = self.problem, self.problem.graph.board
        require_unconstrained(problem, "the search for magic sums")
        if board is None or board.dimension != 2 or not board.is_box:
            raise KTError(f"magic sums need a full rectangle, not {problem.graph.name}")
        if problem.connectivity not in ("cycle", "path"):
            raise KTError("magic sums are of one tour, and cannot be combined with paths or cycles")
        if problem.objective is not None:
            raise KTError("magic sums cannot be combined with an objective")
        if self.diagonals and board.shape[0] != board.shape[1]:
            raise KTError(f"magic sums: {board.text} is not a square, so it has no main diagonals")
        if (self.quartes or self.halves) and any(side % QUARTER_SIDE for side in board.shape):
            raise KTError(
                f"quarters of {QUARTER_SIDE}x{QUARTER_SIDE}: the sides of {board.text} are not "
                f"multiples of {QUARTER_SIDE}"
            )
        if problem.symmetry and problem.group != (Symmetry.identity(2), Symmetry.parse("rot180", 2)):
            raise KTError("magic sums: the only supported symmetry is rot180")
        if problem.symmetry and problem.closed and any(side % 2 for side in board.shape):
            raise KTError("magic sums: closed tours symmetric under rot180 need two even sides")
        if board.n > MAX_CELLS:
            raise TooLarge(f"magic sums of {board.text}: over the limit of {MAX_CELLS} cells")

    @property
    def board(self) -> Board:
        """The rectangle."""
        return self.problem.graph.geometry[0]

    @property
    def total(self) -> int:
        """The sum of all numbers."""
        return self.board.n * (self.board.n + 1) // 2

    @property
    def lines(self) -> list[tuple[int, ...]]:
        """The sets of cells with prescribed sums."""
        every = board_lines(self.board)
        lines = [*every["rows"], *every["columns"]]
        if self.halves:
            lines = [line[at : at + QUARTER_SIDE] for line in lines for at in range(0, len(line), QUARTER_SIDE)]
        return lines + (every["diagonals"] if self.diagonals else [])

    @cached_property
    def numbered(self) -> Problem:
        """The problem with these sums, and with the cells of the first and the last number.

        Raises
        ------
        KTError
            If a line would need half a number, or given numbers leave a cell none.
        """
        conditions = self.problem.numbers or GivenNumbers()
        if conditions.shape is not None:
            raise KTError("given shape: the search for magic sums does not support it; kt solve and kt enumerate do")
        allowed = {vertex: set(numbers) for vertex, numbers in conditions.allowed}
        for vertex, number in ((self.start, 1), (self.finish, self.board.n)):
            if vertex is not None:
                allowed[vertex] = allowed.get(vertex, {number}) & {number}
        if any(len(line) * self.total % self.board.n for line in self.lines):
            raise KTError("the lines cannot have equal sums: the total of all numbers is not divisible")
        sums = [*conditions.sums, *((line, len(line) * self.total // self.board.n) for line in self.lines)]
        # The end cells have their numbers, so they are no longer free terminals.
        terminals = tuple(v for v in self.problem.terminals if v not in (self.start, self.finish))
        numbers = GivenNumbers.of(self.board.n, allowed.items(), sums)
        return replace(self.problem, terminals=terminals, numbers=numbers)

    @cached_property
    def paths(self) -> list[tuple[int, ...]]:
        """The paths that a quarte may have."""
        near, degrees = neighbours_of(self.problem)
        x, y = self.board.cells.T.tolist()
        paths: list[tuple[int, ...]] = [(v,) for v in range(self.board.n)]
        for _ in range(QUARTER_SIDE - 1):
            paths = [
                (*path, v)
                for path in paths
                for v in near[path[-1], : degrees[path[-1]]].tolist()
                if (x[v] // QUARTER_SIDE, y[v] // QUARTER_SIDE)
                == (x[path[0]] // QUARTER_SIDE, y[path[0]] // QUARTER_SIDE)
                and all(x[v] != x[u] and y[v] != y[u] for u in path)
            ]
        return paths


@dataclass(frozen=True)
class MagicResult:
    """The outcome of a search: `feasible` with a verified tour and its sums, `infeasible` or `unknown`.

    Parameters
    ----------
    reason
        Why no tour exists, if arithmetic says so.
    engine
        What searched last.
    """

    task: MagicTask
    status: str
    result: Result | None = None
    sums: LineSums | None = None
    reason: str = ""
    seconds: float = 0.0
    engine: str = "cpsat/numbers"

    def _repr_html_(self) -> str | None:
        return html(self.task.problem if self.result is None else self.result)

    @property
    def how(self) -> str:
        """How the answer is known; empty if it is not, or if the reason is the proof."""
        if self.result is not None:
            return self.result.how
        if self.status != "infeasible" or self.reason:
            return ""
        return SEARCH_SAYS if self.engine.startswith("search") else SOLVER_SAYS
