"""CP-SAT models of magic tours."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from encoders.magic.structures import Structure, asked_structure
from encoders.magic.task import QUARTER_SIDE, MagicTask
from encoders.numbering.clauses import limited_table
from encoders.numbering.model import NumberModel
from heuristics.numbering import NumberTable, neighbours_of
from kt_models.limits import Limits
from kt_models.numbers import Order
from kt_models.problem import Problem


def magic_model(task: MagicTask, limits: Limits, structure: Structure = ()) -> NumberModel:
    """The model of a task, and of a structure that its numbers may have."""
    # The model imposes symmetries on numbers, and needs no variables for edges then.
    plain = replace(task.numbered, symmetry=())
    table = magic_table(task, limits)
    if task.quartes:
        return QuarteModel(task, plain, limits, table)
    model = NumberModel(plain, limits, table)
    for part in (*asked_structure(task), *structure):
        for (k, v), x in model.at.items():
            mate = model.at.get((part.number(k), part.image[v]))
            model.cp.add(x == (0 if mate is None else mate))
    return model


def magic_table(task: MagicTask, limits: Limits) -> NumberTable:
    """The numbers that each cell may have."""
    return _one_colour(task, limited_table(replace(task.numbered, symmetry=()), limits))


def _one_colour(task: MagicTask, table: NumberTable) -> NumberTable:
    """The table with the first number on one colour only, if a mirror exchanges the colours."""
    problem = task.numbered
    changes = set((problem.graph.geometry[1].sum(axis=1) % 2).tolist())
    conditions = (
        problem.required or problem.forbidden or problem.terminals or (problem.numbers and problem.numbers.allowed)
    )
    sums = task.problem.numbers is not None and task.problem.numbers.sums
    # Colours can be exchanged only if nothing else distinguishes them.
    if conditions or sums or changes != {1} or all(side % 2 for side in task.board.shape):
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
        (half_turn,), closed = asked_structure(self.task), self.problem.closed
        image = half_turn.image
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
                for blocks, neighbours in ((ends[k, v], [begins[after, u] for u in around]),
                                    (begins[after, v], [ends[k, u] for u in around])):  # fmt: skip
                    if blocks:
                        self.cp.add(sum(blocks) <= sum(x for literals in neighbours for x in literals))
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
