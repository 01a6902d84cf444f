"""Semi-magic and magic tours by CP-SAT: rows and columns with one sum, and if asked the long diagonals too.

The numbers of the visit are cut into blocks of L consecutive numbers.  A variable says that block k is walked along
a path p of L cells; every block has one path, every cell is on one, the end of a block is a move from the beginning of
the next, and the sums are linear.  Plainly L is 1.  With `quartes` it is 4, and the paths are those that stay in one
4x4 quarter of the board and have a cell in each of its rows and of its columns (Beverley's tour of 1848 is made of
sixteen of these); so 8x8 has 192 paths, and not 64 cells.  With `halves` each half row and half column of a quarter
has its share of the sum.  Both are true of some semi-magic tours and not of all, so with them "none" says less.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from ortools.sat.python import cp_model

from encoders.cpsat.engine import CpSatEngine
from encoders.work.run import Run, race
from heuristics.experiments.magic import LineSums, line_sums
from kt_models.board import Board
from kt_models.errors import KTError, TooLarge
from kt_models.limits import NO_LIMITS, Limits, Listener, Report, silent
from kt_models.problem import Problem
from kt_models.result import Result
from kt_models.symmetry import Symmetry
from kt_models.tour import Tour

QUARTER = 4
"""Side of the quarters that `quartes` and `halves` speak of, and cells of a quarte."""
MAX_CELLS = 400
"""Most cells: 20x20 has 160,000 variables, or 120,000 with quartes."""


@dataclass(frozen=True)
class MagicTask:
    """What is searched for.

    Parameters
    ----------
    problem
        A closed or open tour of a full rectangle, without an objective; its symmetry is none or `rot180`.
    diagonals
        Whether the long diagonals of a square are to have the sum too.
    start, finish
        The cells with the first and the last number, where they are given.
    quartes, halves
        See the module.

    Raises
    ------
    KTError
        If these do not fit together.
    """

    problem: Problem
    diagonals: bool = False
    start: int | None = None
    finish: int | None = None
    quartes: bool = False
    halves: bool = False

    def __post_init__(self) -> None:
        problem, board = self.problem, self.problem.graph.board
        if board is None or board.dimension != 2 or not board.is_box:
            raise KTError(f"magic sums are of full rectangles, not of {problem.graph.name}")
        if problem.connectivity not in ("cycle", "path") or problem.objective is not None:
            raise KTError("magic sums are of tours without an objective")
        if self.diagonals and board.shape[0] != board.shape[1]:
            raise KTError(f"magic sums: {board.text} is no square, and has no long diagonals")
        if (self.quartes or self.halves) and any(side % QUARTER for side in board.shape):
            raise KTError(f"quarters of {QUARTER}x{QUARTER}: the sides of {board.text} are not multiples of {QUARTER}")
        if problem.symmetry and problem.group != (Symmetry.identity(2), Symmetry.parse("rot180", 2)):
            raise KTError("magic sums: the only symmetry that is served is rot180")
        if problem.symmetry and problem.closed and any(side % 2 for side in board.shape):
            raise KTError("magic sums: closed tours symmetric under rot180 are searched where both sides are even")
        if board.n > MAX_CELLS:
            raise TooLarge(f"magic sums of {board.text}: over the limit of {MAX_CELLS} cells")

    @property
    def board(self) -> Board:
        """The rectangle."""
        return self.problem.graph.geometry[0]

    @property
    def length(self) -> int:
        """Cells of a block."""
        return QUARTER if self.quartes else 1

    @cached_property
    def following(self) -> list[list[int]]:
        """Where one may move from each cell, by moves that are not forbidden."""
        graph = self.problem.graph
        cells: list[list[int]] = [[] for _ in range(graph.n)]
        for edge, (u, v) in enumerate(graph.ends.tolist()):
            if edge not in self.problem.forbidden:
                cells[u].append(v)
                cells[v].append(u)
        return cells

    @cached_property
    def paths(self) -> list[tuple[int, ...]]:
        """What a block may be."""
        if self.length == 1:
            return [(v,) for v in range(self.board.n)]
        x, y = self.board.cells.T.tolist()
        paths: list[tuple[int, ...]] = [(v,) for v in range(self.board.n)]
        for _ in range(QUARTER - 1):
            paths = [
                (*path, v)
                for path in paths
                for v in self.following[path[-1]]
                if (x[v] // QUARTER, y[v] // QUARTER) == (x[path[0]] // QUARTER, y[path[0]] // QUARTER)
                and all(x[v] != x[u] and y[v] != y[u] for u in path)
            ]
        return paths

    @property
    def lines(self) -> list[list[int]]:
        """The sets of cells that have sums to meet."""
        grid = self.board.grid
        lines = [row.tolist() for row in (*grid, *grid.T)]
        if self.halves:
            lines = [line[at : at + QUARTER] for line in lines for at in range(0, len(line), QUARTER)]
        if self.diagonals:
            lines += [np.diagonal(grid).tolist(), np.diagonal(grid[:, ::-1]).tolist()]
        return lines


@dataclass(frozen=True)
class MagicResult:
    """What a search came to: `feasible` with a verified tour and its sums, `infeasible` or `unknown`, and why."""

    task: MagicTask
    status: str
    result: Result | None = None
    sums: LineSums | None = None
    reason: str = ""
    seconds: float = 0.0


def search_magic(task: MagicTask, *, limits: Limits = NO_LIMITS, on_progress: Listener = silent) -> MagicResult:
    """A tour with the sums asked for.

    Raises
    ------
    Stopped
        If the limits are reached before the model is there.
    """
    total, shape = task.board.n * (task.board.n + 1) // 2, task.board.shape
    for side, many in zip(shape, ("columns", "rows"), strict=True):
        if total % side:
            why = f"the numbers sum to {total:,}, which {side} {many} cannot share equally"
            return MagicResult(task, "infeasible", reason=why)
    if task.problem.closed and task.board.n < 3:
        return MagicResult(task, "infeasible", reason="a closed tour needs at least 3 cells")
    run = Run(limits, False, on_progress)
    engine = _MagicEngine(task, run)
    report = race(run, [engine])
    if report.status == "infeasible":
        return MagicResult(task, "infeasible", reason="the solver's answer, not certified", seconds=run.elapsed)
    if engine.order is None:
        return MagicResult(task, "unknown", seconds=run.elapsed)
    tour = Tour(task.problem.graph, np.array(engine.order), task.problem.closed)
    result = Result(task.problem, "feasible", tour, engine=engine.name, seconds=run.elapsed)
    sums = line_sums(tour)
    if sums is None or sums.magic == "no" or (task.diagonals and sums.magic != "magic"):
        raise RuntimeError(f"the solver's tour of {task.board.text} has other sums than asked for")
    return MagicResult(task, "feasible", result, sums, seconds=run.elapsed)


class _MagicEngine(CpSatEngine):
    """The model of a task, and the order of the cells once there is one."""

    def __init__(self, task: MagicTask, run: Run) -> None:
        super().__init__(task.problem, "magic", run.threads)
        self.task, self.check = task, run.limits.check
        self.cp = cp_model.CpModel()
        self.order: list[int] | None = None
        self._blocks()
        self._moves()
        self._symmetry()
        self._sums()

    def work(self, run: Run) -> Report:
        """Ask once."""
        self.configure(run)
        status = self.solver.solve(self.cp)
        if status == cp_model.INFEASIBLE:
            return Report(self.name, status="infeasible", conclusive=True)
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return Report(self.name)
        chosen = sorted((k, path) for (k, path), x in self.block.items() if self.solver.boolean_value(x))
        self.order = [v for _, path in chosen for v in path]
        return Report(self.name, status="feasible", conclusive=True)

    def _blocks(self) -> None:
        """Each block has a path, and each cell is on one."""
        task, cp = self.task, self.cp
        self.count = task.board.n // task.length
        colours = self._first_colours()
        colour = (task.board.cells.sum(axis=1) % 2).tolist()
        changes = set((task.problem.graph.geometry[1].sum(axis=1) % 2).tolist())
        mixed = len(changes) > 1  # of a sum, whose moves keep the colour or change it
        change = min(changes, default=0)
        self.block: dict[tuple[int, tuple[int, ...]], Any] = {}
        self.at: list[list[Any]] = [[] for _ in range(task.board.n)]
        for k in range(self.count):
            self.check()
            row = []
            for path in task.paths:
                if mixed or (colour[path[0]] + change * k * task.length) % 2 in colours:
                    x = cp.new_bool_var(f"b{k},{path[0]}")
                    self.block[k, path] = x
                    row.append(x)
                    for v in path:
                        self.at[v].append(x)
            cp.add_exactly_one(row)
        for literals in self.at:
            cp.add_exactly_one(literals)

    def _first_colours(self) -> set[int]:
        """What colour the first cell may have: either is as good as the other where a mirror exchanges them."""
        task, problem = self.task, self.task.problem
        if task.start is not None:
            return {int(task.board.cells[task.start].sum()) % 2}
        free = not (problem.required or problem.forbidden or task.finish is not None)
        return {0} if free and not all(side % 2 for side in task.board.shape) else {0, 1}

    def _moves(self) -> None:
        """The end of a block is a move from the beginning of the next; ends and required moves are as asked."""
        task, cp = self.task, self.cp
        begins: dict[tuple[int, int], list[Any]] = defaultdict(list)
        ends: dict[tuple[int, int], list[Any]] = defaultdict(list)
        for (k, path), x in self.block.items():
            begins[k, path[0]].append(x)
            ends[k, path[-1]].append(x)
        joints = [(k, (k + 1) % self.count) for k in range(self.count - (not task.problem.closed))]
        for k, after in joints:
            self.check()
            for v, near in enumerate(task.following):
                for here, there in ((ends[k, v], [begins[after, u] for u in near]),
                                    (begins[after, v], [ends[k, u] for u in near])):  # fmt: skip
                    if here:
                        cp.add(sum(here) <= sum(x for literals in there for x in literals))
        for cell, literals in ((task.start, begins), (task.finish, ends)):
            if cell is not None:
                cp.add(sum(literals[0 if literals is begins else self.count - 1, cell]) == 1)
        for edge in task.problem.required:
            u, v = task.problem.graph.ends[edge].tolist()
            uses = [x for (_, path), x in self.block.items() if any({*pair} == {u, v} for pair in pairwise(path))]
            for k, after in joints:
                for a, b in ((u, v), (v, u)):
                    joint = cp.new_bool_var(f"j{k},{a}")
                    cp.add(joint <= sum(ends[k, a]))
                    cp.add(joint <= sum(begins[after, b]))
                    uses.append(joint)
            cp.add(sum(uses) >= 1)

    def _symmetry(self) -> None:
        """A half turn adds half of the cells to the numbers of a closed tour, and reverses an open one."""
        task = self.task
        if not task.problem.symmetry:
            return
        image = Symmetry.parse("rot180", 2).permutation(task.board).tolist()
        for (k, path), x in self.block.items():
            turned = tuple(image[v] for v in path)
            if task.problem.closed:
                other = self.block.get(((k + self.count // 2) % self.count, turned))
            else:
                other = self.block.get((self.count - 1 - k, turned[::-1]))
            self.cp.add(x == (0 if other is None else other))

    def _sums(self) -> None:
        """Each line has its share of all numbers; with both kinds of structure, block by block as well."""
        task, cp, n = self.task, self.cp, self.task.board.n
        length = task.length
        for line in task.lines:
            self.check()
            inside = set(line)
            numbers, places = [], []
            for (k, path), x in self.block.items():
                at = [j + 1 for j, v in enumerate(path) if v in inside]
                if at:
                    numbers.append(x * (k * length * len(at) + sum(at)))
                    places.append(x * sum(at))
            cp.add(sum(numbers) * n == len(line) * (n * (n + 1) // 2))
            if task.halves and task.quartes and len(line) == QUARTER:
                # a quarter has one sum in each of its lines, so its four quartes have it in their places too
                cp.add(sum(places) == QUARTER * (QUARTER + 1) // 2)
        if task.halves and task.quartes:
            x, y = (task.board.cells // QUARTER).T.tolist()
            quarters: dict[tuple[int, int], list[Any]] = defaultdict(list)
            for (k, path), literal in self.block.items():
                quarters[x[path[0]], y[path[0]]].append(literal * k)
            for terms in quarters.values():  # each quarter has four of the blocks, and its share of their numbers
                cp.add(sum(terms) * len(quarters) == self.count * (self.count - 1) // 2)
