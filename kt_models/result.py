"""`Result`: the answer of an engine, checked by its constructor."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, cast

from kt_models.arguments import (
    require,
    require_items,
    require_number,
    require_text,
    require_wholes,
)
from kt_models.board import IntArray, sealed_copy
from kt_models.display import html, save, svg
from kt_models.errors import CertificateError, KTError, excerpt, unknown
from kt_models.fields import VISITED
from kt_models.json_version import FORMAT_VERSION
from kt_models.kernel.certificates import Certificate, Checked, Statement
from kt_models.limits import Report, spoken_seconds
from kt_models.long_arrays import with_lists
from kt_models.metrics import BOARD_METRICS
from kt_models.metrics.cells import CELLS
from kt_models.problem import Problem, numbered, ordered, ordered_walk, solution_edges, verify_edges
from kt_models.quantities import measure_of
from kt_models.tour import Tour, from_start_or_to_end, order_to_json, tour_keys
from kt_models.walks import Walk

Status = Literal["optimal", "feasible", "infeasible", "unknown"]
STATUSES = ("optimal", "feasible", "infeasible", "unknown")
NOT_CERTIFIED = "bound not certified"
"""Words for a bound without a certificate."""
SEARCH_SAYS = "the search, not certified"
"""Words for an answer of a complete search without a solver."""
SOLVER_SAYS = "solver's answer, not certified"
"""Words for "no solution" without a certificate."""
REMARKS = ("not improved: ", "no certificate: ")
"""Beginnings of reasons that claim nothing, beside a tour: why the answer is not better."""
PROOF_WRITTEN = "proof written"
"""Words, instead of `Result.how`, for a claim that a proof folder shows, and how to check it."""


def proof_written(folder: object) -> str:
    """The words for the proof in a folder."""
    return f"{PROOF_WRITTEN}, check with kt check {folder}"


@dataclass(frozen=True)
class WarmStart:
    """The solution that a search started from: its value and its source."""

    value: int | float | None
    engine: str

    @property
    def text(self) -> str:
        """Value and source in words."""
        return self.engine if self.value is None else f"{self.value}, {self.engine}"


@dataclass(frozen=True)
class Stated:
    """A bound that a delivered file states, unchecked.

    Parameters
    ----------
    bound
        The bound.
    file
        The name of the file: `results/crossings-8x8.json`.
    seconds
        Measured processor seconds of the check of its certificate; infinity if not measured.
    """

    bound: int
    file: str
    seconds: float = 0.0

    @property
    def text(self) -> str:
        """The bound and its source in words."""
        if not self.seconds:
            return f"at least {self.bound}, in {self.file}"
        return f"at least {self.bound}, in {self.file}, whose check takes {spoken_seconds(self.seconds)}"


@dataclass(frozen=True, eq=False)
class Result:
    """An answer to a problem. A wrong tour, or numbers that disagree with it, cannot be constructed.

    Parameters
    ----------
    problem
        The problem.
    status
        `optimal` (a proved least value), `feasible` (found, without a proof or without an objective), `infeasible`
        (proved that none exists) or `unknown`.
    tour
        The tour, for one cycle or path.
    edges
        The chosen edges, for the other connectivities (derived from the tour if there is one).
    bound
        Proved lower bound of the objective, or upper bound if it is maximised, as users see it.
    engine, seconds
        The engine that answered, and its time.
    certificate
        The certificate of the bound or of the impossibility; without one the engine is trusted. It is checked here,
        unless it is `Checked`.
    reason
        Why there is no solution, none was found, or an objective was ignored.
    statistics
        Counts and measures of the search: under names that a heuristic chooses, or `cpsat/circuit conflicts`.
    warm_start
        The solution that the engine started from, if any.
    history
        Reports of better values and bounds, if a listener was given.
    stated
        A bound that a delivered file states, if its check would have taken too long. It is dropped unless it is better
        than `bound`.
    left_out
        Steps that the time limit had no room for, in words: they may bring a better answer.

    Attributes
    ----------
    value
        Value of the solution, as users see it.
    evidence
        How an answer without a certificate is known, if more is to be said than that a solver gave it.
    cost, cost_bound
        Value and bound as the integers that are minimised (`Problem.unit`).

    Raises
    ------
    InvalidTour
        If the tour does not solve the problem.
    CertificateError
        If the certificate does not show what it claims.
    KTError
        If status, bound and value are inconsistent.
    """

    problem: Problem
    status: Status
    tour: Tour | None = None
    edges: IntArray | None = None
    bound: int | float | None = None
    engine: str = ""
    seconds: float = 0.0
    certificate: Certificate | None = None
    walks: tuple[Walk, ...] = field(default=(), init=False)
    value: int | float | None = field(default=None, init=False)
    cost: int | None = field(default=None, init=False, repr=False)
    cost_bound: int | None = field(default=None, init=False, repr=False)
    reason: str = ""
    statistics: Mapping[str, int | float] = field(default_factory=dict)
    warm_start: WarmStart | None = None
    history: tuple[Report, ...] = ()
    stated: Stated | None = None
    left_out: tuple[str, ...] = ()
    evidence: str = field(default="", init=False)

    def __post_init__(self) -> None:
        self._check_kinds()
        problem = self.problem
        if self.tour is not None:
            self._set(edges=solution_edges(problem, self.tour))
        elif self.edges is not None:
            self._set(edges=sealed_copy(self.edges))
            walks = verify_edges(problem, self.edges)
            if problem.in_order and problem.optional:
                walks = [ordered_walk(problem, walk) for walk in walks]
            self._set(walks=tuple(walks))
            if problem.connectivity in ("cycle", "path"):
                self._set(tour=_tour_of_walk(problem, walks[0]))
        if self.tour is not None and problem.numbers is not None:
            self._set(tour=numbered(problem, self.tour))
        if self.tour is not None and problem.in_order:
            self._set(tour=ordered(problem, self.tour))
        self._check_claim()

    def _check_claim(self) -> None:
        """Refuse a status, bound or certificate that does not fit the solution."""
        problem, has_solution = self.problem, self.edges is not None
        cost = problem.cost(self.edges) if self.edges is not None else None
        cost_bound = problem.unit.cost(self.bound, "bound")
        # Converted back, so that equal numbers are of one type
        self._set(cost=cost, value=problem.unit.value(cost))
        self._set(cost_bound=cost_bound, bound=problem.unit.value(cost_bound))
        if has_solution != (self.status in ("optimal", "feasible")):
            raise KTError(f"status {self.status!r} {'with' if has_solution else 'without'} a solution")
        if self.status == "optimal" and (problem.objective is None or self.bound != self.value):
            raise KTError(f"status 'optimal' with value {self.value} and bound {self.bound}")
        if cost is not None and cost_bound is not None and cost_bound > cost:
            side = "below" if problem.unit.maximised else "above"
            raise KTError(f"the bound {self.bound} is {side} the value {self.value} of a tour")
        if self.bound is not None and (problem.objective is None or self.status == "infeasible"):
            why = "a problem without an objective" if problem.objective is None else "one that has no solution"
            raise KTError(f"a bound, {self.bound}, of {why}")
        if self.certificate is not None:
            # A certificate of a weaker bound would leave the stated one unproved
            if self.certificate.statement != self.absence:
                raise CertificateError(f"the certificate is about another claim: {self.certificate.statement}")
            checked = self.certificate
            # A checked certificate is not checked twice: some take hours
            checked = checked if isinstance(checked, Checked) else checked.checked()
            self._set(certificate=checked, reason=checked.reason)

    def _check_kinds(self) -> None:
        require(self.problem, "problem", Problem, "a Problem")
        require(self.tour, "tour", (Tour, type(None)), "a Tour")
        require(self.certificate, "certificate", (Certificate, type(None)), "a Certificate")
        if require_text(self.status, "status") not in STATUSES:
            raise unknown("status", self.status, STATUSES)
        if self.edges is not None:
            self._set(edges=require_wholes(self.edges, "edges").astype(self.problem.graph.edge_type))
        if self.bound is not None:
            require_number(self.bound, "bound")
        self._check_notes()

    def _check_notes(self) -> None:
        require_text(self.engine, "engine")
        require_text(self.evidence, "evidence")
        require_text(self.reason, "reason")
        require_number(self.seconds, "seconds")
        require(self.warm_start, "warm_start", (WarmStart, type(None)), "a WarmStart")
        require(self.statistics, "statistics", Mapping, "numbers by name")
        for name, number in self.statistics.items():
            require_text(name, "name of a statistic")
            require_number(number, f"statistic {excerpt(name)}")
        self._set(history=tuple(require_items(self.history, "history", "a list of Report")))
        for now in self.history:
            require(now, "history", Report, "a list of Report")
        require(self.stated, "stated", (Stated, type(None)), "a Stated")
        steps = require_items(self.left_out, "left_out", "a list of texts")
        self._set(left_out=tuple(require_text(step, "left_out") for step in steps))
        # A known theorem is mentioned only where it says more
        if self.stated is not None and self.stated.bound <= (self.problem.unit.cost(self.bound) or 0):
            self._set(stated=None)

    def with_notes(
        self,
        *,
        engine: str | None = None,
        seconds: float | None = None,
        reason: str | None = None,
        warm_start: WarmStart | None = None,
        statistics: Mapping[str, int | float] | None = None,
        history: tuple[Report, ...] | None = None,
        stated: Stated | None = None,
        left_out: tuple[str, ...] | None = None,
        evidence: str | None = None,
    ) -> Result:
        """The same answer with other words about its source; it is not checked again."""
        # `replace` would verify the solution and the certificate again
        noted = copy(self)
        words: dict[str, Any] = {"engine": engine, "seconds": seconds, "reason": reason, "warm_start": warm_start}
        words |= {"statistics": statistics, "history": history, "stated": stated, "left_out": left_out}
        words |= {"evidence": evidence}
        noted._set(**{name: value for name, value in words.items() if value is not None})
        noted._check_notes()
        return noted

    def with_bound(self, status: Status, bound: float | None, certificate: Certificate | None = None) -> Result:
        """The same solution, which is not verified again, with another bound, which is checked.

        Raises
        ------
        CertificateError
            If the certificate does not show what it claims.
        KTError
            If status, bound and value are inconsistent.
        """
        result = copy(self)
        result._set(status=status, bound=bound, certificate=certificate)
        result._check_kinds()
        result._check_claim()
        return result

    def starting_at(self, start: int | None, end: int | None = None) -> Result:
        """The same answer with its tour written from a vertex, or towards one; it is not checked again."""
        if self.problem.numbers is not None:  # A tour with given numbers begins at the cell with 1
            return self
        tour = None if self.tour is None else from_start_or_to_end(self.tour, start, end)
        if tour is self.tour:
            return self
        result = copy(self)
        result._set(tour=tour)
        return result

    def _set(self, **values: Any) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @property
    def absence(self) -> Statement | None:
        """The statement to be proved besides the tour: that no solution exists, or none below the bound."""
        if self.status == "infeasible":
            return Statement(self.problem, "infeasible")
        return None if self.cost_bound is None else Statement(self.problem, "at-least", self.cost_bound)

    @property
    def statements(self) -> tuple[Statement, ...]:
        """All claims: about the tour, and about what does not exist."""
        claims = []
        if self.status == "optimal":
            return (Statement(self.problem, "optimum", self.cost),)
        if self.edges is not None:
            claims.append(Statement(self.problem, "tour", self.cost))
        if self.absence is not None:
            claims.append(self.absence)
        return tuple(claims)

    @property
    def answered(self) -> bool:
        """Whether the question is answered: found without an objective, optimal, or infeasible."""
        return self.status in ("optimal", "infeasible") or (
            self.status == "feasible" and self.problem.objective is None
        )

    def is_optimal(self) -> bool:
        """Whether the solution is proved to be the best one."""
        return self.status == "optimal"

    def is_feasible(self) -> bool:
        """Whether there is a solution, proved to be the best one or not."""
        return self.edges is not None

    @property
    def gap(self) -> int | float | None:
        """How far value and bound are apart."""
        if self.cost is None or self.cost_bound is None:
            return None
        return cast("int | float", self.problem.unit.gap(self.cost, self.cost_bound))

    @property
    def turns(self) -> int | None:
        """Turns of the tour, whatever the objective; `None` without a tour or a board."""
        return self._measured("turns")

    @property
    def crossings(self) -> int | None:
        """Crossings of the tour, whatever the objective; `None` without a tour or a board."""
        return self._measured("crossings")

    @property
    def cells(self) -> int | None:
        """Number of cells that are visited; `None` without a solution."""
        return None if self.edges is None else len(self.tour or [v for walk in self.walks for v in walk.vertices])

    def _measured(self, metric: str) -> int | None:
        return self.measures.get(metric)

    @property
    def measures(self) -> dict[str, Any]:
        """Metrics of the tour, or of a cycle, path or paths that may leave cells out; empty without a solution."""
        if self.tour is not None:
            return {metric: self.tour.measure(metric) for metric in self.tour.metrics}
        return self.walk_measures if self.problem.optional else {}

    @property
    def walk_measures(self) -> dict[str, Any]:
        """Metrics of the chosen edges, whether or not they are one tour."""
        graph = self.problem.graph
        if self.edges is None or graph.merged:
            return {}
        names = BOARD_METRICS if graph.board is not None else ("length",) * (graph.positions is not None)
        return {metric: measure_of(graph, metric, self.edges) for metric in names} | {CELLS: self.cells}

    @property
    def how(self) -> str:
        """How the claim is known."""
        if self.status == "infeasible":
            if self.certificate is None:
                return SOLVER_SAYS
            return "published theorem" if self.certificate.method == "theorem" else "certificate checked"
        parts = ["tour verified"] if self.edges is not None else []
        if self.certificate is not None:
            parts.append(f"certificate of the bound checked ({self.certificate.method})")
        elif self.bound or self.status == "optimal":
            parts.append(NOT_CERTIFIED)
        return "; ".join(parts)

    @property
    def known_by(self) -> str:
        """How the claim is known, and by whom if that is not kt."""
        if self.certificate is not None or not self.evidence:
            return self.how
        return "; ".join(filter(None, ["tour verified" if self.edges is not None else "", self.evidence]))

    def to_json(self) -> dict[str, Any]:
        """The keys of docs/use/format.md."""
        return with_lists(self.to_document())

    def to_document(self) -> dict[str, Any]:
        """The same keys, with the tour as a NumPy array, which `kt_models.long_arrays.json_pieces` writes."""
        data: dict[str, Any] = {"version": FORMAT_VERSION, "kind": "result", "status": self.status}
        if self.value is not None:
            data["value"] = self.value
        if self.bound is not None:
            data["bound"] = self.bound
        data.update(self.problem.to_json())
        data["closed"] = self.problem.closed
        if self.tour is not None:
            data.update(tour_keys(self.tour))
        elif self.edges is not None:
            graph = self.problem.graph
            data["paths"] = [order_to_json(graph, walk.vertices) for walk in self.walks if not walk.closed]
            data["cycles"] = [order_to_json(graph, walk.vertices) for walk in self.walks if walk.closed]
            data["chosen"] = sorted(int(e) for e in self.edges)
            data |= {VISITED if name == CELLS else name: value for name, value in self.measures.items()}
        data.update(engine=self.engine, seconds=round(self.seconds, 3), how=self.how)
        if claims := [statement.text for statement in self.statements if statement.kind != "tour"]:
            data["claims"] = claims
        if self.reason:
            data["reason"] = self.reason
        if self.evidence:
            data["evidence"] = self.evidence
        if self.warm_start is not None:
            data["warm_start"] = asdict(self.warm_start)
        if self.stated is not None:
            data |= {"stated": self.stated.bound, "stated_in": self.stated.file}
        if self.left_out:
            data["left_out"] = list(self.left_out)
        if self.statistics:
            data["statistics"] = dict(self.statistics)
        if self.certificate is not None:
            data["certificate"] = self.certificate.to_json()
        return data

    def __str__(self) -> str:
        lines = [f"status     {self.status}"]
        if self.problem.objective is not None:
            words = self.problem.unit.words
            value, bound = (_or_dash(cost, words) for cost in (self.cost, self.cost_bound))
            lines.append(f"{self.problem.objective_name:<10} {value}   bound {bound}")
        if self.reason:
            lines.append(f"reason     {self.reason}")
        lines.append(f"evidence   {self.known_by or '-'}")
        if self.stated is not None:
            lines.append(f"stated     {self.stated.text}")
        if self.left_out:
            lines.append(f"left out   {', '.join(self.left_out)}")
        lines.append(f"engine     {self.engine}, {self.seconds:.2f} s")
        return "\n".join(lines)

    def summary(self) -> str:
        """A few lines for people: the answer, how it came about, and the counts of the search."""
        lines = [str(self)]
        for name in ("value", "bound"):
            steps = [now for i, now in enumerate(self.history) if self._is_step(i, name)]
            if steps:
                steps_words = f", step {len(steps)}" if len(steps) > 1 else ""
                lines.append(f"{name:<10} {getattr(steps[-1], name)} after {steps[-1].seconds:.2f} s{steps_words}")
        lines += [f"{name.replace('_', ' '):<10} {number:,}" for name, number in self.statistics.items()]
        return "\n".join(lines)

    def _is_step(self, index: int, name: str) -> bool:
        """Whether the history has an earlier entry with this value or bound."""
        before = getattr(self.history[index - 1], name) if index else None
        return getattr(self.history[index], name) not in (before, None)

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write the result to a file by its suffix: `.json`, or the tour alone as a picture (`Tour.save`)."""
        save(self, path, force=force)

    def __repr__(self) -> str:
        words = [self.status, *(f"{name} {number}" for name, number in self._numbers)]
        return f"Result({self.problem.graph.name!r}, {', '.join(words)})"

    @property
    def _numbers(self) -> list[tuple[str, int | float]]:
        name = self.problem.objective_name or "value"
        return [(word, number) for word, number in ((name, self.value), ("bound", self.bound)) if number is not None]

    def _repr_html_(self) -> str | None:
        return html(self)

    def _repr_svg_(self) -> str | None:
        graph = self.problem.graph
        if self.tour is not None:
            return svg(self.tour)
        return svg(graph, self.walks) if graph.board is not None else None


def _or_dash(cost: int | None, words: Callable[[int], str]) -> str:
    return "-" if cost is None else words(cost)


def _tour_of_walk(problem: Problem, walk: Walk) -> Tour:
    vertices, edges = walk.vertices, walk.edges
    if problem.connectivity == "path" and problem.terminals and vertices[0] != problem.terminals[0]:
        vertices, edges = vertices[::-1], edges[::-1]
    return Tour.along(problem.graph, vertices, edges, walk.closed)
