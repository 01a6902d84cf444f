"""The question for each graph of a list, and the answer for one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kt_models.errors import unknown

UNREADABLE = "unreadable"


@dataclass(frozen=True)
class Question:
    """The question for each graph.

    Parameters
    ----------
    at_least
        Whether the graph has at least this many tours; None to find a tour, or the reason why there is none.
    conditions
        Keywords of `problem_from` besides the graph.
    engine, encoding, solver, hint
        As of `encoders.solve`.
    seconds
        Time for each graph.
    seed
        The same seed gives the same answers, unless a limit comes first.
    certificates
        Whether to look for a certificate that a graph has no tour, instead of only searching exhaustively.
    """

    at_least: int | None = None
    conditions: tuple[tuple[str, Any], ...] = ()
    engine: str = "auto"
    encoding: str = ""
    solver: str = ""
    hint: bool = True
    seconds: float | None = None
    seed: int = 0
    certificates: bool = False

    @property
    def closed(self) -> bool:
        """Whether it is about cycles."""
        return not dict(self.conditions).get("open")

    @property
    def statuses(self) -> tuple[str, str]:
        """The statuses of a graph with and without what is asked for."""
        return ("feasible", "infeasible") if self.at_least is None else ("yes", "no")

    def require_status(self, name: str | None) -> None:
        """Refuse what is no status of an answer.

        Raises
        ------
        KTError
            If no answer has this status.
        """
        if name is not None and name not in (*self.statuses, "unknown"):
            raise unknown("status", name, (*self.statuses, "unknown"))

    def code_of(self, status: str) -> int:
        """The code of a status in an `Outcome`."""
        return 1 - self.statuses.index(status) if status in self.statuses else 2


@dataclass(frozen=True)
class Answer:
    """The answer for one graph.

    Parameters
    ----------
    number, line
        Number of the graph in its file, and the line where it begins, from 1.
    status
        `feasible`, `infeasible`, `unknown`, `yes`, `no`, or `unreadable`.
    words
        How the answer is known, why there is no tour, or why the graph cannot be read.
    names
        The vertices of the tour.
    data
        The JSON object of the answer.
    """

    number: int
    line: int
    status: str
    words: str
    names: tuple[str, ...] = ()
    data: dict[str, Any] | None = None

    @property
    def lacks(self) -> bool:
        """Whether more time could add to it: an answer, or the certificate that there is no tour."""
        return self.status == "unknown" or (self.status == "infeasible" and "certificate" not in (self.data or {}))
