"""Semi-magic and magic tours: problems with given sums of rows and columns, and of the long diagonals if requested.

Two structures make the search of an 8x8 shorter. With `quartes` the numbers are cut into blocks of four; each block
stays in one 4x4 quarter of the board and has a cell in each row and each column of the quarter (Beverley's tour of 1848
consists of sixteen such blocks). With `halves` each half row and half column of a quarter has its share of the sum.
Some semi-magic tours have these structures and others do not, so with them "none" says less.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from encoders.numbering.engine import NumberEngine
from encoders.numbering.model import NumberModel, limited_table
from encoders.work.run import Run, race
from heuristics.numbering import NumberTable, neighbours_of
from kt_models.board import Board
from kt_models.errors import KTError, TooLarge
from kt_models.limits import NO_LIMITS, Limits, Listener, silent
from kt_models.line_sums import LineSums, line_sums
from kt_models.numbers import GivenNumbers, Order, board_lines
from kt_models.problem import Problem, require_unconstrained
from kt_models.result import SOLVER_SAYS, Result
from kt_models.symmetry import Symmetry
from kt_models.tour import Tour

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
        See the module.

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
        if problem.connectivity not in ("cycle", "path") or problem.objective is not None:
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
        given = self.problem.numbers or GivenNumbers()
        allowed = {vertex: set(numbers) for vertex, numbers in given.allowed}
        for vertex, number in ((self.start, 1), (self.finish, self.board.n)):
            if vertex is not None:
                allowed[vertex] = allowed.get(vertex, {number}) & {number}
        if any(len(line) * self.total % self.board.n for line in self.lines):
            raise KTError("the lines cannot have equal sums: the total of all numbers is not divisible")
        sums = [*given.sums, *((line, len(line) * self.total // self.board.n) for line in self.lines)]
        # The end cells have their numbers, so they are no longer free terminals.
        terminals = tuple(v for v in self.problem.terminals if v not in (self.start, self.finish))
        numbers = GivenNumbers.of(self.board.n, allowed.items(), sums)
        return replace(self.problem, terminals=terminals, numbers=numbers)

    @cached_property
    def half_turn(self) -> list[int]:
        """The image of each cell."""
        image: list[int] = Symmetry.parse("rot180", 2).permutation(self.board).tolist()
        return image

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
    """

    task: MagicTask
    status: str
    result: Result | None = None
    sums: LineSums | None = None
    reason: str = ""
    seconds: float = 0.0

    @property
    def how(self) -> str:
        """How the answer is known; empty if it is not, or if the reason is the proof."""
        if self.result is not None:
            return self.result.how
        return SOLVER_SAYS if self.status == "infeasible" and not self.reason else ""


def search_magic(task: MagicTask, *, limits: Limits = NO_LIMITS, on_progress: Listener = silent) -> MagicResult:
    """Search for a tour with the sums of a task.

    Raises
    ------
    Stopped
        If the limits are reached before the model is built.
    """
    # Every row has the same sum, so their number divides the total, and the same for columns. This needs no solver.
    for side, many in zip(task.board.shape, ("columns", "rows"), strict=True):
        if task.total % side:
            why = f"the numbers sum to {task.total:,}, which {side} {many} cannot share equally"
            return MagicResult(task, "infeasible", reason=why)
    if task.problem.closed and task.board.n < 3:
        return MagicResult(task, "infeasible", reason="a closed tour needs at least 3 cells")
    problem = task.numbered
    run = Run(limits, False, on_progress)
    engine = NumberEngine(problem, run.threads, _model(task, run.limits))
    report = race(run, [engine])
    if report.status == "infeasible":
        return MagicResult(task, "infeasible", seconds=run.elapsed)
    if engine.order is None:
        return MagicResult(task, "unknown", seconds=run.elapsed)
    tour = Tour(problem.graph, engine.order, problem.closed)
    result = Result(problem, "feasible", tour, engine=engine.name, seconds=run.elapsed)
    return MagicResult(task, "feasible", result, line_sums(tour), seconds=run.elapsed)


def _model(task: MagicTask, limits: Limits) -> NumberModel:
    # The model imposes the symmetry on numbers, and needs no variables for edges then.
    plain = replace(task.numbered, symmetry=())
    table = _one_colour(task, limited_table(plain, limits))
    if task.quartes:
        return QuarteModel(task, plain, limits, table)
    model = NumberModel(plain, limits, table)
    if task.problem.symmetry:
        n, image = task.board.n, task.half_turn
        # A half turn maps number k to k + n/2 of a closed tour, and reverses an open one.
        for (k, v), x in model.at.items():
            mate = model.at.get(((k + n // 2) % n if plain.closed else n - 1 - k, image[v]))
            model.cp.add(x == (0 if mate is None else mate))
    return model


def _one_colour(task: MagicTask, table: NumberTable) -> NumberTable:
    """The table with the first number on one colour only, if a mirror exchanges the colours."""
    problem = task.numbered
    changes = set((problem.graph.geometry[1].sum(axis=1) % 2).tolist())
    given = problem.required or problem.forbidden or problem.terminals or (problem.numbers and problem.numbers.allowed)
    sums = task.problem.numbers is not None and task.problem.numbers.sums
    # Colours can be exchanged only if nothing else distinguishes them.
    if given or sums or changes != {1} or all(side % 2 for side in task.board.shape):
        return table
    colours = task.board.cells.sum(axis=1) % 2
    return table & ((colours + np.arange(task.board.n)[:, None]) % 2 == 0)


class QuarteModel(NumberModel):
    """The same problem with a variable for each block of four numbers and each path that it may follow."""

    def __init__(self, task: MagicTask, plain: Problem, limits: Limits, table: NumberTable) -> None:
        self.task = task
        self.count = task.board.n // QUARTER_SIDE
        self.block: dict[tuple[int, tuple[int, ...]], Any] = {}
        super().__init__(plain, limits, table)

    def _places(self) -> None:
        """Give each block a path, and each cell one path."""
        through: dict[int, list[Any]] = {v: [] for v in range(self.task.board.n)}
        for k in range(self.count):
            self.check()
            row = []
            for path in self.task.paths:
                if all(self.table[QUARTER_SIDE * k + j, v] for j, v in enumerate(path)):
                    x = self.cp.new_bool_var(f"b{k},{path}")
                    self.block[k, path] = x
                    row.append(x)
                    for v in path:
                        through[v].append(x)
            self.cp.add_exactly_one(row)
        for literals in through.values():
            self.cp.add_exactly_one(literals)
        if self.task.problem.symmetry:
            self._half_turn()

    def _half_turn(self) -> None:
        image, closed = self.task.half_turn, self.problem.closed
        for (k, path), x in self.block.items():
            image_path = tuple(image[v] for v in path)
            # The image of a block is a block half a tour later; in an open tour it is traversed in reverse.
            place = (
                ((k + self.count // 2) % self.count, image_path) if closed else (self.count - 1 - k, image_path[::-1])
            )
            mate = self.block.get(place)
            self.cp.add(x == (0 if mate is None else mate))

    def _steps(self) -> None:
        """Join the end of a block to the beginning of the next by a move; make the required moves."""
        begins: dict[tuple[int, int], list[Any]] = defaultdict(list)
        ends: dict[tuple[int, int], list[Any]] = defaultdict(list)
        for (k, path), x in self.block.items():
            begins[k, path[0]].append(x)
            ends[k, path[-1]].append(x)
        near, degrees = neighbours_of(self.problem)
        joints = [(k, (k + 1) % self.count) for k in range(self.count - (not self.problem.closed))]
        for k, after in joints:
            self.check()
            for v in range(self.task.board.n):
                around = near[v, : degrees[v]].tolist()
                # A block that ends at v needs a next block that begins beside v, and the other way round.
                for here, there in ((ends[k, v], [begins[after, u] for u in around]),
                                    (begins[after, v], [ends[k, u] for u in around])):  # fmt: skip
                    if here:
                        self.cp.add(sum(here) <= sum(x for literals in there for x in literals))
        for edge in self.problem.required:
            u, v = self.problem.graph.ends[edge].tolist()
            # A required move lies within a block, or joins two blocks.
            uses = [x for (_, path), x in self.block.items() if any({*pair} == {u, v} for pair in pairwise(path))]
            for k, after in joints:
                for a, b in ((u, v), (v, u)):
                    joint = self.cp.new_bool_var(f"j{k},{a}")
                    self.cp.add(joint <= sum(ends[k, a]))
                    self.cp.add(joint <= sum(begins[after, b]))
                    uses.append(joint)
            self.cp.add(sum(uses) >= 1)

    def _sums(self) -> None:
        """Give each line its sum; with both structures, block by block as well."""
        numbers = self.problem.numbers
        for line, total in () if numbers is None else numbers.sums:
            self.check()
            inside = set(line)
            places = [(k, [j + 1 for j, v in enumerate(path) if v in inside], x) for (k, path), x in self.block.items()]
            self.cp.add(sum(x * (QUARTER_SIDE * k * len(at) + sum(at)) for k, at, x in places if at) == total)
            if self.task.halves and len(line) == QUARTER_SIDE and line in self.task.lines:
                # All lines of a quarter have one sum, so its four quartes also have it in their places.
                self.cp.add(sum(x * sum(at) for _, at, x in places if at) == QUARTER_SIDE * (QUARTER_SIDE + 1) // 2)
        if self.task.halves:
            x, y = (self.task.board.cells // QUARTER_SIDE).T.tolist()
            quarters: dict[tuple[int, int], list[Any]] = defaultdict(list)
            for (k, path), literal in self.block.items():
                quarters[x[path[0]], y[path[0]]].append(literal * k)
            for terms in quarters.values():  # Each quarter has four of the blocks, and its share of their numbers.
                self.cp.add(sum(terms) * len(quarters) == self.count * (self.count - 1) // 2)

    def order(self, holds: Callable[[Any], bool]) -> Order:
        """The cells of a solution, in the order of their numbers."""
        chosen = sorted(place for place, x in self.block.items() if holds(x))
        return np.array([v for _, path in chosen for v in path], dtype=np.int32)
