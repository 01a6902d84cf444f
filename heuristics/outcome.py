"""What every method of this room starts from and comes back with: a plain instance, and an `Outcome`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kt_models.certificates import Certificate
from kt_models.problem import Problem
from kt_models.tour import Tour

if TYPE_CHECKING:
    from heuristics.reduction import Instance


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a method came back with.

    Parameters
    ----------
    tour
        The tour; `heuristics.find.find` has checked it against the problem.
    exhausted
        A complete search ended without a tour: there is none.
    statistics
        Counts and measures of the search, under names that the method chooses.
    certificate
        What shows that there is none, where something short does.
    """

    tour: Tour | None = None
    exhausted: bool = False
    statistics: dict[str, int | float] = field(default_factory=dict)
    certificate: Certificate | None = None

    def _repr_html_(self) -> str:
        from kt_models.drawing.notebook import card

        found = "none: the search is complete" if self.exhausted else "none yet; that proves nothing"
        rows = [("tour", f"{len(self.tour):,} cells" if self.tour is not None else found)]
        rows += [(name.replace("_", " "), f"{value:,}") for name, value in self.statistics.items()]
        rows.append(("reason", self.certificate.check() if self.certificate is not None else ""))
        return card(rows, self.tour._repr_svg_() if self.tour is not None else None)


def tiny_outcome(problem: Problem) -> Outcome | None:
    """The outcome of a `cycle` or `path` problem on one or two vertices, for which no method is needed; else None."""
    from heuristics.reduction import tiny_tour

    if problem.graph.n >= 3 or problem.connectivity not in ("cycle", "path"):
        return None
    tour = tiny_tour(problem)
    return Outcome(tour, tour is None)


def instance_of(problem: Problem) -> Instance | Outcome:
    """The plain instance that a method works on, or the outcome where nothing is to be searched."""
    from heuristics.reduction import reduce_problem

    return tiny_outcome(problem) or reduce_problem(problem) or Outcome(exhausted=True)
