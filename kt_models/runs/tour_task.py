"""`TourTask`: a run that finds all tours of a problem, and when two of them count as one.

A solution is a set of moves, so tours are counted without direction. Its *key* is a digest: of the moves, or, where
one tour per class under the board's symmetries is wanted, of the canonical form. Equal keys are one solution,
whichever process found it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from kt_models.arguments import require_boolean, require_whole
from kt_models.board import IntArray
from kt_models.errors import InvalidTour, KTError, excerpt
from kt_models.graph import MoveGraph, has_parallel_edges, not_for_directed
from kt_models.json_values import is_boolean, is_number
from kt_models.kernel.certificates.statement import (
    Kind,
    Statement,
    classes_of,
    convention,
    description,
    symmetries_of,
    valued,
)
from kt_models.problem import LEFT_OUT, PARTIAL, Problem, require_unnumbered
from kt_models.result import Result
from kt_models.runs.task import Edges, Task, key_of, problem_of_json
from kt_models.symmetry import board_group
from kt_models.tour import Tour


@dataclass(frozen=True)
class TourTask(Task):
    """All tours of a problem.

    Parameters
    ----------
    problem
        The problem; `value` is that of its objective. Classes and numbers by value are of single tours through every
        vertex.
    value
        Only tours of this value; None for all tours.
    up_to_symmetry
        One tour for each class under the symmetries of the board.
    counting
        Whether tours are only counted, and not listed.
    by_value
        With `counting`: whether to count the tours of each value.

    Raises
    ------
    KTError
        If these are inconsistent.
    """

    kind: ClassVar[str] = "tours"
    problem: Problem
    value: int | None = None
    up_to_symmetry: bool = False
    counting: bool = False
    by_value: bool = False

    def __post_init__(self) -> None:
        graph = self.problem.graph
        if not self.lists_tours:
            if self.problem.connectivity not in ("linkage", "any", *PARTIAL.values()):
                raise KTError(f"connectivity {self.problem.connectivity!r}: closed and open tours are enumerated")
            if self.up_to_symmetry or self.by_value:
                topic = LEFT_OUT if self.problem.optional else "several paths or cycles"
                raise KTError(f"{topic}: kt lists and counts them, but neither by value nor in classes")
        if self.value is not None:
            object.__setattr__(self, "value", require_whole(self.value, "value"))
        for name in ("up_to_symmetry", "counting", "by_value"):
            require_boolean(getattr(self, name), name)
        if self.value is not None and self.problem.objective is None:
            raise KTError("a value needs an objective: turns or crossings")
        if self.by_value and (self.problem.objective is None or self.value is not None or not self.counting):
            raise KTError("numbers by value need a count, turns or crossings, and all values")
        if self.up_to_symmetry:
            not_for_directed(graph, "classes under symmetries")
            if graph.board is None:
                raise KTError(f"{graph.name}: classes are those under the symmetries of a board, and a graph has none")
            board_group(graph.board)  # Refuses boards whose symmetries are not found
        if self.problem.numbers is not None and (self.up_to_symmetry or self.by_value):
            raise KTError(
                "given numbers: numberings are listed or counted; classes and numbers by value are not supported"
            )
        if self.up_to_symmetry and self.counting:
            raise KTError("classes are counted by listing them: the same one can turn up in two cubes")

    @property
    def lists_tours(self) -> bool:
        """Whether its solutions are single tours through every vertex."""
        return self.problem.connectivity in ("cycle", "path")

    @cached_property
    def distinguishes_moves(self) -> bool:
        """Whether two tours may visit the cells in the same order."""
        return has_parallel_edges(self.problem.graph)

    def solution(self, edges: Edges) -> Tour:
        """The tour of a set of edges, verified to be one of the task.

        Raises
        ------
        InvalidTour
            If it is not a tour of the task.
        """
        result = Result(self.problem, "feasible", edges=np.sort(np.asarray(edges, dtype=np.int32)))
        if self.value is not None and result.cost != self.value:
            wanted = self.problem.unit.words(self.value)
            raise InvalidTour(f"it has {result.value} {self.problem.objective_name}, not {wanted}")
        assert result.tour is not None
        return result.tour

    @property
    def without_sums(self) -> TourTask:
        """The task of all tours, whatever their value and the sums that constraints limit."""
        problem = replace(self.problem, objective=None, constraints=())
        return replace(self, problem=problem, value=None, by_value=False)

    def has_sums(self, edges: IntArray) -> bool:
        """Whether a set of edges has the value, and the sums that constraints limit."""
        problem = self.problem
        if any(constraint.fault(problem.graph, edges) for constraint in problem.constraints):
            return False
        return self.value is None or problem.cost(edges) == self.value

    @property
    def text(self) -> str:
        problem = self.problem if self.value is not None else replace(self.problem, objective=None)
        text = description(problem, plural=True)
        if self.value is not None:
            text += f" with {valued(problem, self.value)}"
        text += convention(problem)
        return classes_of(self.problem, text, plural=True) if self.up_to_symmetry else text

    def conclusion(self, count: int, by_value: Mapping[int, int]) -> tuple[Statement, ...]:
        """Claims that a list is complete, or that a count, perhaps by value, is correct."""
        kind: Kind = "count" if self.counting else "complete"
        whole = Statement(self.problem, kind, count, self.value, self.up_to_symmetry)
        return (whole, *(Statement(self.problem, "count", n, value) for value, n in sorted(by_value.items())))

    def key(self, solution: Tour) -> str:
        if not self.up_to_symmetry:
            return super().key(solution)
        return key_of(self._least(solution) if self.distinguishes_moves else solution.canonical().order)

    def _least(self, tour: Tour) -> Edges:
        """The edges of the least image of a tour that is told apart by its moves."""
        images = np.sort(tour.graph.move_symmetries[:, tour.edges], axis=1)
        return images[np.lexsort(images.T[::-1])[0]]

    def images(self, edges: Edges) -> Iterator[Edges]:
        """The tour itself, or its images under the board's symmetries if one tour of each class is wanted."""
        graph = self.problem.graph
        if not self.up_to_symmetry or graph.board is None:
            yield edges
            return
        if self.distinguishes_moves:
            yield from graph.move_symmetries[:, edges]
            return
        for symmetry in graph.symmetries():
            yield graph.edge_permutation(symmetry)[edges]

    def representative(self, tour: Tour) -> Tour:
        """The tour that represents the class of a tour.

        It is the canonical form of the class, or the tour itself if that form violates a condition (a move, an end, a
        symmetry).
        """
        if not self.up_to_symmetry:
            return tour
        canonical = None if self.distinguishes_moves else tour.canonical()
        try:
            least = self.solution(self._least(tour) if canonical is None else canonical.edges)
        except InvalidTour:
            return tour
        return least if canonical is None else canonical

    def to_json(self) -> dict[str, Any]:
        """Keys `kind`, `problem`, `up_to_symmetry`, `counting`; if set, `value`, `by_value`, `distinguish_moves`.

        With `up_to_symmetry` on a periodic board also `symmetries`, their number.
        """
        require_unnumbered(self.problem, "a run")
        if not (self.lists_tours or self.counting):
            raise KTError("a run lists single tours; of several paths or cycles, and of walks, it counts (--count)")
        data: dict[str, Any] = {"kind": self.kind, "problem": self.problem.to_json()}
        data |= {"up_to_symmetry": self.up_to_symmetry, "counting": self.counting}
        if self.by_value:
            data["by_value"] = True
        if (order := _translating_order(self.problem, self.up_to_symmetry)) is not None:
            data["symmetries"] = order
        if self.distinguishes_moves:
            data["distinguish_moves"] = True
        return data if self.value is None else {**data, "value": self.problem.unit.value(self.value)}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> TourTask:
        problem, value = problem_of_json(data), data.get("value")
        require_unnumbered(problem, "a run")
        flags = [data.get("up_to_symmetry"), data.get("counting"), data.get("by_value", False)]
        if not (value is None or is_number(value)) or not all(map(is_boolean, flags)):
            raise KTError("'value', 'up_to_symmetry', 'counting' or 'by_value' is missing or of the wrong type")
        order = _translating_order(problem, flags[0])
        if data.get("symmetries") != order:
            words = "no number of symmetries belongs here" if order is None else f"the board has {order:,}"
            raise KTError(f"'symmetries' is {excerpt(data.get('symmetries'))}, and {words}")
        task = cls(problem, problem.unit.cost(value), *flags)
        if data.get("distinguish_moves", False) is not task.distinguishes_moves:
            raise KTError(
                f"{problem.graph.name}: two moves join the same two cells, and 'distinguish_moves' does not say "
                "whether tours are told apart by their moves; begin again, with or without --distinguish-moves"
            )
        return task


def _translating_order(problem: Problem, up_to_symmetry: Any) -> int | None:
    """The number of symmetries behind classes on a periodic board, which had no translations once; otherwise None."""
    board = problem.graph.board
    return symmetries_of(problem.graph) if up_to_symmetry and board is not None and any(board.wraps) else None


def require_periodic(graph: MoveGraph, name: str, *, asked: bool = True) -> None:
    """Refuse an argument that distinguishes moves where a move is determined by its cells.

    Raises
    ------
    KTError
        If it is given, and the graph is no periodic board.
    """
    if asked and (graph.board is None or not any(graph.board.wraps)):
        raise KTError(f"{name}: only on a torus or a cylinder can two moves join the same two cells; leave it out")
