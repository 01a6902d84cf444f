"""`BoundTask`: a run that proves cube by cube that no tour is below a bound, or that no tour exists.

A solution of this task is a tour that refutes the claim. If every cube is done and none has one, the statement holds:
by the proofs of the cubes if they were written, and otherwise according to the solver.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from kt_models.errors import CertificateError, InvalidTour, KTError
from kt_models.json_values import is_boolean, is_number
from kt_models.kernel.certificates.statement import Statement
from kt_models.problem import Problem
from kt_models.result import Result
from kt_models.runs.task import Edges, Task, problem_of_json
from kt_models.tour import Tour


@dataclass(frozen=True)
class BoundTask(Task):
    """A lower bound, or the claim that there is no tour.

    Parameters
    ----------
    problem
        A problem of connectivity `cycle` or `path`; the bound is on its objective.
    at_least
        The bound, as the integer that is minimised; None for the claim that there is no tour.
    proving
        Whether each cube needs a proof.

    Raises
    ------
    KTError
        If these are inconsistent.
    """

    kind: ClassVar[str] = "bound"
    problem: Problem
    at_least: int | None = None
    proving: bool = True

    def __post_init__(self) -> None:
        if self.problem.connectivity not in ("cycle", "path"):
            raise KTError(f"connectivity {self.problem.connectivity!r}: bounds are shown for closed and open tours")
        if (self.at_least is None) != (self.problem.objective is None):
            raise KTError("a bound needs an objective, and an objective a bound")

    @property
    def at_most(self) -> int | None:  # type: ignore[override]
        """Greatest value that refutes the bound."""
        return None if self.at_least is None else self.at_least - 1

    def solution(self, edges: Edges) -> Tour:
        """The tour of a set of edges, verified to refute the statement.

        Raises
        ------
        InvalidTour
            If the tour does not refute the bound.
        """
        result = Result(self.problem, "feasible", edges=np.sort(np.asarray(edges, dtype=np.int32)))
        if self.at_least is not None and (result.cost is None or result.cost >= self.at_least):
            raise InvalidTour(f"it has {result.value} {self.problem.objective_name}, which does not refute the bound")
        assert result.tour is not None
        return result.tour

    @property
    def statement(self) -> Statement:
        """The statement to be shown."""
        return Statement(self.problem, "infeasible" if self.at_least is None else "at-least", self.at_least)

    @property
    def text(self) -> str:
        """The statement in words: `at least 45 turns in every closed knight's tour of 8x8`."""
        return self.statement.text

    def conclusion(self, count: int, by_value: Mapping[int, int]) -> tuple[Statement, ...]:
        """The statement, unless a tour refutes it."""
        if count:
            raise CertificateError(f"refuted by a tour in its ledger, verified: {self.text}")
        return (self.statement,)

    def to_json(self) -> dict[str, Any]:
        """The keys `kind`, `problem`, `proving`, and `at_least` if there is a bound."""
        data = {"kind": self.kind, "problem": self.problem.to_json(), "proving": self.proving}
        return data if self.at_least is None else {**data, "at_least": self.problem.unit.value(self.at_least)}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> BoundTask:
        at_least, proving = data.get("at_least"), data.get("proving")
        if not (at_least is None or is_number(at_least)) or not is_boolean(proving):
            raise KTError("'at_least' or 'proving' is missing or of the wrong type")
        problem = problem_of_json(data)
        return cls(problem, problem.unit.cost(at_least), proving)
