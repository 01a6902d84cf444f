"""`ParetoFront`: the tours that no other tour dominates in two sums.

The knowledge consists of verified tours and of *absences*: claims that no tour stays within given limits of both sums.
A tour is on the front if absences leave no area for a better one, and the front is complete if tours and absences leave
no area at all. The remaining areas are undecided, and show what may be missing.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import inf
from typing import Any, NamedTuple

from kt_models.constraints import Constraint
from kt_models.display import html, save
from kt_models.errors import CertificateError, KTError, excerpt
from kt_models.fields import require_derived
from kt_models.graph import not_for_directed
from kt_models.json_values import is_number
from kt_models.json_version import FORMAT_VERSION, read_document
from kt_models.kernel.certificates import Certificate, Checked, Statement
from kt_models.limits import NO_LIMITS, Limits, Listener, silent
from kt_models.problem import Problem, require_unnumbered
from kt_models.quantities import (
    Quantity,
    amount,
    quantity_cost,
    quantity_from_json,
    quantity_name,
    quantity_on,
    quantity_to_json,
    quantity_unit,
)
from kt_models.result import Result
from kt_models.tour import Tour, tour_from_json, tour_to_json

KIND = "front"


class ValuePair(NamedTuple):
    """Values of the two sums: inside a front the integers that are minimised, in its points what users see."""

    first: Any
    second: Any


class Undecided(NamedTuple):
    """Where a tour of the front may be missing: values from `least` to `most` of either sum; `inf`: no limit."""

    least: tuple[float, float]
    most: tuple[float, float]

    @property
    def size(self) -> float:
        """Number of pairs of values in it."""
        return (self.most[0] - self.least[0] + 1) * (self.most[1] - self.least[1] + 1)


@dataclass(frozen=True)
class Absence:
    """No tour has at most `first` and at most `second`.

    Parameters
    ----------
    first, second
        Values; `inf` for any.
    how
        How the bound is known.
    certificate
        The certificate, if any.
    """

    first: float
    second: float
    how: str
    certificate: Certificate | None = None

    def covers(self, first: float, second: float) -> bool:
        """Whether it implies that no tour has at most these values."""
        return self.first >= first and self.second >= second


@dataclass(frozen=True)
class FrontPoint:
    """A tour that no known tour dominates.

    Parameters
    ----------
    values
        Values of the two sums.
    tour
        A verified tour.
    proved
        Whether it is on the front.
    how
        How this is known.
    """

    values: ValuePair
    tour: Tour
    proved: bool
    how: str


class ParetoFront:
    """Known points and bounds of the front of a problem.

    Parameters
    ----------
    problem
        The problem; its objective is ignored.
    quantities
        The two sums, both to be minimised.
    """

    def __init__(self, problem: Problem, quantities: Sequence[Quantity]) -> None:
        require_unnumbered(problem, "the front of two sums")
        if len(quantities) != 2:
            raise KTError(f"a front is of two sums, got {len(quantities)}")
        if problem.connectivity not in ("cycle", "path"):
            raise KTError("a front is of closed or open tours")
        self.problem = replace(problem, objective=None)
        if problem.graph.directed is not None:
            not_for_directed(problem.graph, "a front")
        first, second = (quantity_on(problem.graph, quantity, "sum") for quantity in quantities)
        self.quantities = (first, second)
        names = (quantity_name(first), quantity_name(second))
        if first == second:
            raise KTError(f"a front is of two different sums, got {names[0]} twice")
        self.names = names if names[0] != names[1] else (names[0], f"{names[1]} (2)")
        self.tours: dict[ValuePair, Tour] = {}
        self.absences: list[Absence] = []

    # -- what is known ---------------------------------------------------------------------------------------------

    def add_tour(self, tour: Tour) -> bool:
        """Keep a tour that solves the problem, unless another one is as good; return whether it was kept."""
        pair = self._values_of(tour)
        if any(absence.covers(*pair) for absence in self.absences):
            raise RuntimeError(f"a tour has {self.words(*pair)}, and none was to have as little")
        if any(known.first <= pair.first and known.second <= pair.second for known in self.tours):
            return False
        self.tours = {
            known: other
            for known, other in self.tours.items()
            if known.first < pair.first or known.second < pair.second
        } | {pair: tour}
        return True

    def _values_of(self, tour: Tour) -> ValuePair:
        """The values of a tour that solves the problem; raises `InvalidTour` if it does not."""
        edges = Result(self.problem, "feasible", tour).edges
        assert edges is not None
        return ValuePair(*(quantity_cost(self.problem.graph, quantity, edges) for quantity in self.quantities))

    def add_absence(self, absence: Absence) -> bool:
        """Keep an absence, unless another one implies it; return whether it was kept."""
        for known in self.absences:
            if known.covers(absence.first, absence.second):
                return False
        self.absences = [known for known in self.absences if not absence.covers(known.first, known.second)]
        self.absences.append(absence)
        return True

    def absence_of(self, first: float, second: float) -> Absence | None:
        """The absence that implies that no tour has at most these values."""
        return next((known for known in self.absences if known.covers(first, second)), None)

    @property
    def infeasible(self) -> bool:
        """Whether there is no tour."""
        return self.absence_of(inf, inf) is not None

    @property
    def pairs(self) -> list[ValuePair]:
        """The values of the tours, the least of the first sum first."""
        return sorted(self.tours)

    @property
    def undecided(self) -> list[Undecided]:
        """Where tours of the front may be missing, beside those that are known."""
        undecided: list[Undecided] = []
        if self.infeasible:
            return undecided
        steps: list[tuple[float, float]] = [(-inf, inf), *self.pairs, (inf, -inf)]
        for step, (above, _) in pairwise(steps):
            first_most, second_most = above - 1, step[1] - 1
            second_least = self._least(1, first_most)
            if second_least <= second_most and second_least < inf:
                first_least = max(step[0], self._least(0, second_most))
                undecided.append(Undecided((first_least, second_least), (first_most, second_most)))
        return [area for area in undecided if area.least[0] <= area.most[0]]

    def _least(self, side: int, other: float) -> float:
        """The least possible value of a sum if the other one is at most a number."""
        sums = [(absence.first, absence.second)[:: 1 if side == 0 else -1] for absence in self.absences]
        return max((value + 1 for value, most in sums if most >= other), default=-inf)

    @property
    def complete(self) -> bool:
        """Whether the front is these tours and no others."""
        return not self.undecided

    @property
    def points(self) -> tuple[FrontPoint, ...]:
        """The tours, the least of the first sum first."""
        return tuple(self._point(pair) for pair in self.pairs)

    def _point(self, pair: ValuePair) -> FrontPoint:
        absences = [self.absence_of(pair.first - 1, pair.second), self.absence_of(pair.first, pair.second - 1)]
        known = [absence for absence in absences if absence is not None]
        evidence = "; ".join(dict.fromkeys(absence.how for absence in known)) if len(known) == 2 else ""
        return FrontPoint(self.seen(pair), self.tours[pair], len(known) == 2, evidence)

    def seen(self, costs: tuple[Any, Any]) -> ValuePair:
        """Values that users see; `None` for a limit that is infinite."""
        units = map(quantity_unit, self.quantities)
        return ValuePair(
            *(None if abs(cost) == inf else unit.value(cost) for unit, cost in zip(units, costs, strict=True))
        )

    @property
    def status(self) -> str:
        """`optimal` (the whole front, proved), `feasible` (tours of which some may not be on it), `infeasible` or
        `unknown`."""
        if self.infeasible:
            return "infeasible"
        return "optimal" if self.complete else "feasible" if self.tours else "unknown"

    @property
    def shown(self) -> tuple[Statement, ...]:
        """Checked claims: that these tours exist, and what certificates show."""
        tours = [Statement(self.limited(*pair), "tour") for pair in self.pairs]
        return (*tours, *(self._statement(absence) for absence in self._steps() if absence.certificate is not None))

    @property
    def stated(self) -> tuple[Statement, ...]:
        """Claims of a solver that no tour exists in a range."""
        return tuple(self._statement(absence) for absence in self._steps() if absence.certificate is None)

    def _statement(self, absence: Absence) -> Statement:
        return Statement(self.limited(absence.first, absence.second), "infeasible")

    def _steps(self) -> list[Absence]:
        return sorted(self.absences, key=lambda absence: absence.first)

    def limited(self, first: float, second: float) -> Problem:
        """The problem of a tour with at most these values."""
        limits = [
            Constraint(quantity, quantity_unit(quantity).value(int(limit)))
            for quantity, limit in zip(self.quantities, (first, second), strict=True)
            if limit != inf
        ]
        return replace(self.problem, constraints=(*self.problem.constraints, *limits))

    def words(self, first: float, second: float) -> str:
        """Values in words: `34 turns and 52 crossings`."""
        parts = zip((first, second), self.quantities, strict=True)
        limited = [(quantity, int(cost)) for cost, quantity in parts if cost != inf]
        return " and ".join(amount(quantity_name(of), quantity_unit(of).words(cost)) for of, cost in limited)

    def __repr__(self) -> str:
        values = ", ".join(f"({point.values.first}, {point.values.second})" for point in self.points)
        return f"ParetoFront({self.problem.graph.name!r}, {' and '.join(self.names)}, {self.status}, [{values}])"

    def _repr_html_(self) -> str | None:
        return html(self)

    # -- files -----------------------------------------------------------------------------------------------------

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write the front to a `.json` file; `force` replaces a file of another kind."""
        save(self, path, force=force)

    def to_json(self) -> dict[str, Any]:
        """The keys of docs/use/format.md."""
        graph = self.problem.graph
        return {
            "version": FORMAT_VERSION,
            "kind": KIND,
            "status": self.status,
            **self.problem.to_json(),
            "closed": self.problem.closed,
            "sums": [quantity_to_json(graph, quantity, "sum") for quantity in self.quantities],
            "front": [
                dict(zip(self.names, point.values, strict=True))
                | {key: value for key, value in tour_to_json(point.tour).items() if key in ("tour", "moves")}
                | {"proved": point.proved, "how": point.how}
                for point in self.points
            ],
            "missing": [
                {name: list(span) for name, *span in zip(self.names, *map(self.seen, area), strict=True)}
                for area in self.undecided
            ],
            "absent": [
                {"at_most": list(self.seen((absence.first, absence.second))), "how": absence.how}
                | ({} if absence.certificate is None else {"certificate": absence.certificate.to_json()})
                for absence in self._steps()
            ],
            "claims": [statement.text for statement in (*self.shown, *self.stated)],
        }

    @classmethod
    def from_json(cls, data: Any, limits: Limits = NO_LIMITS, on_progress: Listener = silent) -> ParetoFront:
        """The front of a JSON object as `to_json` writes it; its tours are verified and its certificates checked.

        Raises
        ------
        InvalidTour, CertificateError
            If a tour or a certificate is wrong.
        KTError
            If a part is missing or of the wrong type.
        """
        if not isinstance(data, dict) or data.get("kind") != KIND:
            raise KTError("not the front of two sums")
        data = read_document(data, KIND)
        problem, sums, rows, absent = Problem.from_json(data), data.get("sums"), data.get("front"), data.get("absent")
        for name, part in (("sums", sums), ("front", rows), ("absent", absent)):
            if not isinstance(part, list) or not all(isinstance(row, dict) for row in part):
                raise KTError(f"{name!r} is missing or is not a list of objects")
        front = cls(problem, [quantity_from_json(problem.graph, row, "sum") for row in sums])
        for row in absent:
            front.add_absence(front._absence_from(row, limits, on_progress))
        keys = {"version": FORMAT_VERSION, "kind": "tour", "closed": problem.closed, **front.problem.to_json()}
        for row in rows:
            moves = {key: row[key] for key in ("tour", "moves") if key in row}
            front._add_listed(tour_from_json({**keys, **moves}))
        require_derived(data, front.to_json(), KIND)
        return front

    def _add_listed(self, tour: Tour) -> None:
        """Keep a tour of a file, which may contradict the absences."""
        pair = self._values_of(tour)
        if (absence := self.absence_of(*pair)) is not None:
            limits = self.words(absence.first, absence.second) or "any values"
            raise CertificateError(f"a tour has {self.words(*pair)}, and 'absent' says that none has at most {limits}")
        self.add_tour(tour)

    def _absence_from(self, row: dict[str, Any], limits: Limits, on_progress: Listener) -> Absence:
        limit = row.get("at_most")
        if not isinstance(limit, list) or len(limit) != 2 or not all(n is None or is_number(n) for n in limit):
            raise KTError("'absent' has an object without 'at_most', two numbers or null")
        units = map(quantity_unit, self.quantities)
        first, second = (inf if n is None else unit.cost(n) for unit, n in zip(units, limit, strict=True))
        certificate = None
        if "certificate" in row:
            certificate = Certificate.from_json(row["certificate"]).checked(limits, on_progress)
            self._require_shown(first, second, certificate)
        evidence = row.get("how")
        if not isinstance(evidence, str):
            raise KTError("'how' of 'absent' is missing or is not a text")
        # A written proof is checked by itself
        if certificate is not None and evidence != known_by(certificate):
            raise CertificateError(f"'how' says {excerpt(evidence)}, but it is {known_by(certificate)!r}")
        return Absence(first, second, evidence, certificate)

    def _require_shown(self, first: float, second: float, certificate: Checked) -> None:
        """Refuse a certificate that does not prove an absence."""
        statement, problem = certificate.statement, self.problem
        if statement.implies(Statement(self.limited(first, second), "infeasible")):
            return
        limits = (first, second)
        for side in (side for side in (0, 1) if limits[side] != inf == limits[1 - side]):
            least = Statement(replace(problem, objective=self.quantities[side]), "at-least", int(limits[side]) + 1)
            if statement.implies(least):
                return
        raise CertificateError(f"the certificate is about another claim: {statement}")


def known_by(certificate: Certificate) -> str:
    """How an absence with a checked certificate is known."""
    return "published theorem" if certificate.method == "theorem" else f"certificate checked ({certificate.method})"
