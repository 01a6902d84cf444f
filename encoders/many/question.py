"""The question for each graph of a list, and the answer for one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from encoders.many.outcome import NO, YES, Outcome
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
    counting
        Whether to count the tours.
    enough
        A count may end with this number; 0 for all.
    property_name
        Whether the graph has this property, one of `heuristics.small_graphs.properties.PROPERTIES`.
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
    counting: bool = False
    enough: int = 0
    property_name: str | None = None

    def __post_init__(self) -> None:
        if self.property_name is not None:
            from heuristics.small_graphs.properties import PROPERTIES

            if self.property_name not in PROPERTIES:
                raise unknown("property", self.property_name, PROPERTIES)

    @property
    def closed(self) -> bool:
        """Whether it is about cycles."""
        return not dict(self.conditions).get("open")

    @property
    def statuses(self) -> tuple[str, str]:
        """The statuses of a graph with and without what is asked for."""
        if self.counting:
            return "counted", "counted"
        return ("feasible", "infeasible") if self.at_least is None and self.property_name is None else ("yes", "no")


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


@dataclass(frozen=True)
class Filter:
    """Which answers are wanted.

    Parameters
    ----------
    status
        The status of an answer.
    least, most
        For counts: the least and the greatest number of tours; None without an end.
    """

    status: str
    least: int = 0
    most: int | None = None

    @classmethod
    def of(cls, text: str, question: Question) -> Filter:
        """The filter of `--only`: a status, or `count=1`, `count=2..5`, `count=2..` for counts.

        Raises
        ------
        KTError
            If no answer of the question has this status.
        """
        if question.counting and (match := re.fullmatch(r"count=(\d{1,18})?(\.\.)?(\d{1,18})?", text)):
            first, dots, last = match.groups()
            if dots and not (first and last and int(first) > int(last)):
                return cls("counted", int(first or 0), int(last) if last else None)
            if first and not dots and not last:
                return cls("counted", int(first), int(first))
        statuses = ("unknown",) if question.counting else (*question.statuses, "unknown")
        if text not in statuses:
            raise unknown("status", text, (*(("count=1", "count=2..5") if question.counting else ()), *statuses))
        return cls(text)

    @property
    def enough(self) -> int:
        """The number with which a count may end, as it is too great; 0 for none."""
        return 0 if self.most is None else self.most + 1

    def accepts(self, answer: Answer) -> bool:
        """Whether an answer is wanted."""
        if answer.status != self.status:
            return False
        count = (answer.data or {}).get("count", 0)
        return self.status != "counted" or (self.least <= count and (self.most is None or count <= self.most))

    def rows(self, question: Question, outcome: Outcome) -> npt.NDArray[np.bool_]:
        """The rows of an outcome that are wanted."""
        if self.status == "unknown":
            # The ordinary engines have the last word on unknown rows.
            return np.zeros(len(outcome.statuses), dtype=bool)
        if outcome.counts is not None and question.counting:
            most = self.most if self.most is not None else (1 << 63) - 1
            chosen: npt.NDArray[np.bool_] = (outcome.counts >= self.least) & (outcome.counts <= most)
            return chosen & (outcome.statuses == YES)
        return outcome.statuses == (YES, NO)[question.statuses.index(self.status)]
