"""Tasks of runs: all solutions of a problem; the kind of task defines solutions, and when two count as one.

A run knows nothing about tours, bounds or gadgets beyond this class. Its cubes are those of `problem`; a solution is a
set of its edges; `solution` verifies one and returns it as a tour or gadget; equal keys are one solution, whichever
process found it. The kinds are listed in `kinds`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from kt_models.errors import KTError
from kt_models.kernel.certificates.verdict import Assertion
from kt_models.limits import Limits
from kt_models.problem import Problem

Edges = npt.NDArray[np.integer[Any]]


class Task(ABC):
    """All solutions of a problem.

    Attributes
    ----------
    problem
        The problem to cut into cubes; values are those of its objective.
    value, at_most
        Only solutions of this value, or of at most this value; None for all values.
    up_to_symmetry
        One solution for each class under the symmetries of the board.
    counting
        Whether solutions are only counted, and not listed.
    by_value
        With `counting`: whether to count the solutions of each value.
    proving
        Whether a cube without solutions comes with a proof of that.
    """

    kind: ClassVar[str]
    problem: Problem
    value: int | None = None
    at_most: int | None = None
    up_to_symmetry: bool = False
    counting: bool = False
    by_value: bool = False
    proving: bool = False

    @abstractmethod
    def solution(self, edges: Edges) -> Any:
        """The solution of a set of edges, verified; it has `edges`.

        Raises
        ------
        InvalidTour
            If the data are malformed.
        """

    @property
    @abstractmethod
    def text(self) -> str:
        """The task in words, complete: `closed knight's tours of 8x8 with 45 turns`."""

    @abstractmethod
    def conclusion(self, count: int, by_value: Mapping[int, int]) -> tuple[Assertion, ...]:
        """Claims that follow from a number of solutions, and numbers by value.

        Raises
        ------
        CertificateError
            If a solution refutes the claim of the run.
        """

    def recount(self, count: int, limits: Limits) -> tuple[tuple[Assertion, ...], str]:
        """Claims that a second count, which shares nothing with the search, shows of all solutions, and how it does.

        Nothing by default: only gadgets are few enough to be counted with each audit.

        Raises
        ------
        CertificateError
            If there are not as many as the run found.
        """
        return (), ""

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """A JSON object with the key `kind`."""

    @classmethod
    @abstractmethod
    def from_json(cls, data: dict[str, Any]) -> Task:
        """Read the task of a JSON object that `to_json` wrote.

        Raises
        ------
        KTError
            If a key is missing or of the wrong type.
        """

    def key(self, solution: Any) -> str:
        """Identity of a solution: 32 hexadecimal digits, equal for two solutions that count as one."""
        return key_of(np.sort(solution.edges))

    def images(self, edges: Edges) -> Iterator[Edges]:
        """Sets of edges that count as the same solution."""
        yield edges


@dataclass(frozen=True)
class Solutions:
    """A claim that a task has at least `count` solutions; or, if `complete`, that the listed ones are all.

    Parameters
    ----------
    task
        The task of the solutions.
    count
        The number of solutions.
    """

    task: Task
    count: int
    complete: bool = False

    @property
    def problem(self) -> Problem:
        """The task of the claim."""
        return self.task.problem

    @property
    def text(self) -> str:
        """`there are at least 8 different closed knight's tours of 5x6`."""
        if self.complete:
            return f"there are no other {self.task.text} than the {self.count:,} listed"
        return f"there are at least {self.count:,} different {self.task.text}"

    def __str__(self) -> str:
        return self.text


def key_of(numbers: npt.ArrayLike) -> str:
    """Digest of integers in order: 32 hexadecimal digits."""
    return sha256(np.ascontiguousarray(numbers, dtype="<i4").tobytes()).hexdigest()[:32]


def problem_of_json(data: Any) -> Problem:
    """The problem under the key `problem`."""
    problem = data.get("problem") if isinstance(data, dict) else None
    if not isinstance(problem, dict):
        raise KTError("'problem' is missing or is not an object")
    return Problem.from_json(problem)
