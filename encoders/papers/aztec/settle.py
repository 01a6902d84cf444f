"""Which Aztec diamonds have an open and a closed knight's tour, with the source of each answer.

Davies, Xue and Yerger (Involve 10, 2017) end with two open problems. Is there an Aztec diamond without an open tour? Is
there one with an open but no closed tour? `settle` answers both for one radius. A closed tour answers both at once,
since it becomes an open tour without one of its moves. If there is no tour, a short certificate proves it if one
exists; otherwise an exact engine has searched everything.

The methods have names. `exact` is CP-SAT on one thread, which can also prove that there is no tour. `rings` is the
construction of `heuristics.constructions.rings`, which has a tour of every radius from 2 on, in linear time. Up to
radius `MAX_EXACT_RADIUS` the exact engine is used as well, as a check of the construction.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from kt_models import graph_of
from kt_models.errors import CertificateError, KTError, TooLarge
from kt_models.graph import MoveGraph
from kt_models.json_values import is_integer, is_number
from kt_models.kernel.certificates import Certificate, Statement, check
from kt_models.limits import NO_LIMITS, Limits, Stopped
from kt_models.problem import Problem
from kt_models.tour import Tour, verify

MAX_EXACT_RADIUS = 12
"""The exact engine needs a few seconds up to this radius (312 cells)."""
MAX_RADIUS = 2000
"""The graph of a larger diamond (8 million cells) takes more memory than most machines have."""
FROM_CLOSED = "from-closed"
CERTIFICATE = "certificate"
CONNECTIVITY_OF = {"closed": "cycle", "open": "path"}
"""The two questions with their connectivities."""


@dataclass(frozen=True)
class Existence:
    """Whether a tour of one kind exists, and the source of the answer.

    Parameters
    ----------
    exists
        None while unknown.
    method
        `exact`, `rings`, `from-closed` (a move of the closed tour left out), `certificate`; empty while unknown.
    seed, sha256
        For a tour that was found: the seed of the method, and the `digest` of the tour.
    certificate
        The certificate that there is no tour, as a JSON object.
    """

    exists: bool | None = None
    method: str = ""
    seed: int | None = None
    sha256: str | None = None
    certificate: dict[str, Any] | None = None

    def to_json(self) -> dict[str, Any]:
        """The keys with a value."""
        return {"exists": self.exists} | {
            key: value
            for key in ("method", "seed", "sha256", "certificate")
            if (value := getattr(self, key)) not in (None, "")
        }

    @classmethod
    def from_json(cls, data: Any) -> Existence:
        """Read the fact of a JSON object, if its parts fit together.

        Raises
        ------
        KTError
            If they do not.
        """
        types: dict[str, tuple[type, ...]] = {
            "exists": (bool, type(None)),
            "method": (str,),
            "seed": (int,),
            "sha256": (str,),
            "certificate": (dict,),
        }
        if not isinstance(data, dict) or "exists" not in data:
            raise KTError("it does not say whether a tour 'exists'")
        for key, value in data.items():
            if key not in types or type(value) not in types[key]:
                raise KTError(f"{key[:40]!r} is unknown or of the wrong type")
        fact = cls(**data)
        if fact.seed is not None and not 0 <= fact.seed < 2**31:
            raise KTError("'seed' is out of range")
        if fact.sha256 is not None and not re.fullmatch(r"[0-9a-f]{64}", fact.sha256):
            raise KTError("'sha256' is not 64 hexadecimal digits")
        by_search = fact.method in METHODS and fact.seed is not None and fact.sha256 is not None
        fits = {
            True: by_search or fact.method == FROM_CLOSED,
            False: fact.method == "exact" or (fact.method == CERTIFICATE and fact.certificate is not None),
            None: fact.method == "",
        }
        if not fits[fact.exists]:
            raise KTError(f"'exists' {fact.exists} and 'method' {fact.method[:40]!r} do not make a fact")
        return fact


@dataclass(frozen=True)
class Entry:
    """The answers for one radius, and the seconds for the graph, the search and the checks."""

    radius: int
    closed: Existence
    open: Existence
    seconds: float = 0.0

    @property
    def cells(self) -> int:
        """Number of cells of the diamond."""
        return 2 * self.radius * (self.radius + 1)

    @property
    def facts(self) -> dict[str, Existence]:
        """The answers to the two questions, first that about closed tours."""
        return {"closed": self.closed, "open": self.open}

    @property
    def answered(self) -> bool:
        """Whether both questions are answered."""
        return all(fact.exists is not None for fact in self.facts.values())

    def to_json(self) -> dict[str, Any]:
        """The entry as a JSON object of a ledger."""
        facts = {kind: fact.to_json() for kind, fact in self.facts.items()}
        return {"radius": self.radius, "cells": self.cells, **facts, "seconds": round(self.seconds, 3)}

    @classmethod
    def from_json(cls, data: Any) -> Entry:
        """The entry of a JSON object.

        Raises
        ------
        KTError
            If a key is missing or wrong.
        """
        if not isinstance(data, dict) or not is_integer(data.get("radius")):
            raise KTError("an entry has no 'radius'")
        radius, seconds = data["radius"], data.get("seconds")
        try:
            check_radius(radius)
            if not is_number(seconds) or not 0 <= seconds < 1e9:
                raise KTError("'seconds' is not a number of seconds")
            entry = cls(
                radius, Existence.from_json(data.get("closed")), Existence.from_json(data.get("open")), float(seconds)
            )
            if data.get("cells") != entry.cells:
                raise KTError(f"'cells' is not {entry.cells:,}")
            if entry.closed.method == FROM_CLOSED or (entry.open.method == FROM_CLOSED and not entry.closed.exists):
                raise KTError(f"{FROM_CLOSED!r} without a closed tour")
        except KTError as error:
            raise KTError(f"radius {str(radius)[:20]}: {error}") from None
        return entry


@dataclass(frozen=True, eq=False)
class RadiusResult:
    """An entry, with the tours that were found by kind."""

    entry: Entry
    tours: dict[str, Tour] = field(default_factory=dict)


def check_radius(radius: int) -> None:
    """Raise `KTError` for an impossible radius, and `TooLarge` above `MAX_RADIUS`."""
    if radius < 1:
        raise KTError(f"the radius {radius} is not at least 1")
    if radius > MAX_RADIUS:
        raise TooLarge(f"the radius {str(radius)[:20]} is over the limit of {MAX_RADIUS:,}")


def digest(tour: Tour) -> str:
    """SHA-256 of a tour.

    It is computed from the cell numbers as 4-byte little-endian integers, in the least order (`Tour.normalised`).
    """
    return hashlib.sha256(tour.normalised().order.astype("<i4").tobytes()).hexdigest()


def settle(radius: int, limits: Limits = NO_LIMITS) -> RadiusResult:
    """Decide whether the Aztec diamond of a radius has a closed and an open tour.

    Parameters
    ----------
    limits
        The same seed gives the same tours, unless another limit comes first.

    Returns
    -------
    RadiusResult
        Tours are verified and certificates checked. A question without an answer in time is unknown.

    Raises
    ------
    KTError
        If the radius is impossible or too large.
    """
    check_radius(radius)
    limits = limits.within(None)  # The clock starts here.
    try:
        graph = limits.run(lambda: graph_of(f"aztec:{radius}"))
    except Stopped:
        return RadiusResult(Entry(radius, Existence(), Existence(), limits.elapsed))
    tours: dict[str, Tour] = {}

    def fact(kind: str) -> Existence:
        existence, tour = _search(graph, kind, limits)
        if tour is not None:
            tours[kind] = tour
        return existence

    closed = fact("closed")
    if closed.exists:
        verify(without_a_move(tours["closed"]))
        opened = Existence(True, FROM_CLOSED)
    else:
        opened = fact("open")
    return RadiusResult(Entry(radius, closed, opened, limits.elapsed), tours)


def without_a_move(tour: Tour) -> Tour:
    """The open tour that is left of a closed one without its last move."""
    return Tour(tour.graph, tour.order, False)


def _search(graph: MoveGraph, kind: str, limits: Limits) -> tuple[Existence, Tour | None]:
    """Try the methods in turn, and verify the tour that one finds."""
    problem = Problem(graph, CONNECTIVITY_OF[kind])  # type: ignore[arg-type]
    for method in ("exact",) if graph.n <= 2 * MAX_EXACT_RADIUS * (MAX_EXACT_RADIUS + 1) else ("rings", "exact"):
        if limits.over:
            break
        existence, tour = METHODS[method](problem, limits)
        if existence.exists is not None:
            return existence, tour
    return Existence(), None


def _rings(problem: Problem, limits: Limits) -> tuple[Existence, Tour | None]:
    from heuristics.find import find

    tour = find(problem, "rings", limits=limits).tour
    if tour is None:
        return Existence(), None
    return Existence(True, "rings", limits.seed, digest(tour)), tour


def _exact(problem: Problem, limits: Limits) -> tuple[Existence, Tour | None]:
    from encoders.solve import solve

    try:
        result = solve(problem, engine="cpsat", hint=False, limits=replace(limits, workers=1))
    except TooLarge:  # A model of that size cannot be built, so nothing is known.
        return Existence(), None
    if result.tour is not None:
        return Existence(True, "exact", limits.seed, digest(result.tour)), result.tour
    if result.certificate is not None:
        return Existence(False, CERTIFICATE, certificate=result.certificate.to_json()), None
    return (Existence(False, "exact") if result.status == "infeasible" else Existence()), None


Attempt = Callable[[Problem, Limits], tuple[Existence, Tour | None]]
METHODS: dict[str, Attempt] = {"exact": _exact, "rings": _rings}


def recreate(entry: Entry, limits: Limits = NO_LIMITS) -> RadiusResult | None:
    """Find all answers of an entry again, from method and seed, and compare them.

    Returns
    -------
    RadiusResult or None
        The entry with its tours found again. None if the time was too short, which does not refute the entry.

    Raises
    ------
    CertificateError
        If the outcome differs: another tour, no tour, or a certificate that does not prove the answer.
    """
    limits = limits.within(None)
    if limits.over:
        return None
    graph = graph_of(f"aztec:{entry.radius}")
    tours: dict[str, Tour] = {}

    for kind, fact in entry.facts.items():
        where = f"radius {entry.radius}, {kind}"
        if fact.certificate is not None:
            _check_certificate(fact.certificate, Problem(graph, CONNECTIVITY_OF[kind]), where)  # type: ignore[arg-type]
            continue
        if fact.method not in METHODS:
            continue  # The tour comes from the closed one, or the answer is unknown.
        if limits.over:
            return None
        problem = Problem(graph, CONNECTIVITY_OF[kind])  # type: ignore[arg-type]
        again, tour = METHODS[fact.method](problem, replace(limits, seed=fact.seed or 0))
        if again.exists is None and limits.over:
            return None
        if again.exists != fact.exists and tour is None:
            raise CertificateError(f"{where}: {fact.method} with seed {fact.seed} finds no tour")
        if again.exists != fact.exists:
            raise CertificateError(f"{where}: there is a tour")
        if tour is not None:
            if again.sha256 != fact.sha256:
                raise CertificateError(
                    f"{where}: {fact.method} with seed {fact.seed} finds a tour, but not the one recorded"
                )
            tours[kind] = tour
    if entry.open.method == FROM_CLOSED:
        verify(without_a_move(tours["closed"]))
    return RadiusResult(entry, tours)


def _check_certificate(data: dict[str, Any], problem: Problem, where: str) -> None:
    try:
        certificate = Certificate.from_json(data)
        if certificate.statement != Statement(problem, "infeasible"):
            raise CertificateError("it is about something else")
        check(certificate)
    except KTError as error:
        raise CertificateError(f"{where}: the certificate does not hold: {error}") from None
