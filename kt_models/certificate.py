"""`Certificate`: what a sceptic needs to believe a bound or an impossibility without believing a solver.

A certificate names its method, carries the whole problem, the claim, and the data of that method.  `check` replays it
with code in `kt_models` that shares nothing with whatever made it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from kt_models import bounds, obstructions
from kt_models.errors import CertificateError, KTError
from kt_models.format import FORMAT_VERSION, require_version
from kt_models.problem import Problem

CHECKERS: dict[str, Callable[[Problem, dict[str, Any]], str]] = {
    "small": obstructions.check_small,
    "cut": obstructions.check_cut,
    "forced": obstructions.check_forced,
    "symmetry": obstructions.check_symmetry,
    "theorem": obstructions.check_theorem,
}
"""Methods that show an impossibility: functions that return the reason in words or raise `CertificateError`.  Those
that show a bound are `kt_models.bounds.METHODS`."""


@dataclass(frozen=True)
class Certificate:
    """A claim about a problem, and what shows it.

    Parameters
    ----------
    method
        One of `CHECKERS` for a status, of `kt_models.bounds.METHODS` for a bound.
    problem
        What the claim is about.
    status, bound
        The claim, one of the two: `infeasible`, or that no solution has an objective below an integer.
    data
        What the method's checker reads, as JSON values.
    """

    method: str
    problem: Problem
    status: str | None = None
    bound: int | None = None
    data: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if (self.status is None) == (self.bound is None) or self.status not in (None, "infeasible"):
            raise KTError("a certificate claims either the status 'infeasible' or a bound")

    @classmethod
    def showing(cls, method: str, problem: Problem, data: dict[str, Any]) -> Certificate:
        """The certificate of all that some data shows of a bound; working that out is its check.

        Raises
        ------
        CertificateError
            If it shows nothing.
        """
        made = cls(method, problem, bound=bounds.recompute(method, problem, data), data=data)
        made.__dict__["reason"] = bounds.METHODS[method]
        return made

    @cached_property
    def reason(self) -> str:
        """What `check` returns; a certificate that was checked is not checked again."""
        return check(self)

    def checked(self, stop: Callable[[], bool] | None = None) -> Certificate:
        """Itself, after `check` (which see)."""
        self.__dict__["reason"] = check(self, stop)
        return self

    @property
    def claim(self) -> str:
        """In words: `infeasible`, or `turns >= 45`."""
        return self.status or f"{self.problem.objective_name or 'value'} >= {self.bound}"

    def _repr_html_(self) -> str:
        from kt_models.notebook import certificate_card

        return certificate_card(self)

    def to_json(self) -> dict[str, Any]:
        """The keys of docs/format.md, with a digest of all the others."""
        data = {
            "version": FORMAT_VERSION,
            "kind": "certificate",
            "method": self.method,
            **({"status": self.status} if self.status else {"bound": self.bound}),
            "problem": self.problem.to_json(),
            "data": self.data,
        }
        return {**data, "sha256": digest(data)}

    @classmethod
    def from_json(cls, data: Any) -> Certificate:
        """The certificate of a JSON object; it may be wrong: `check` tells.

        Raises
        ------
        KTError
            If a key is missing or of the wrong type.
        CertificateError
            If it was altered since it was written: its digest is another.
        """
        if not isinstance(data, dict) or data.get("kind") != "certificate":
            raise KTError("not a certificate")
        require_version(data, "certificate")
        method, status, bound, body = (data.get(key) for key in ("method", "status", "bound", "data"))
        if not isinstance(method, str) or not isinstance(body, dict) or not isinstance(data.get("problem"), dict):
            raise KTError("certificate: 'method', 'problem' or 'data' is missing or of the wrong type")
        if not (status == "infeasible" and bound is None) and not (status is None and type(bound) is int):
            raise KTError('certificate: it claims neither "status": "infeasible" nor a whole number as \'bound\'')
        if "sha256" in data and data["sha256"] != digest({k: v for k, v in data.items() if k != "sha256"}):
            raise CertificateError("certificate: it was altered, its digest does not fit")
        return cls(method, Problem.from_json(data["problem"]), status, bound, body)


def digest(data: dict[str, Any]) -> str:
    """SHA-256 of a JSON object with sorted keys and no spaces, in hexadecimal: finds accidents, not forgery."""
    return hashlib.sha256(json.dumps(data, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def check(certificate: Certificate, stop: Callable[[], bool] | None = None) -> str:
    """Replay a certificate.

    Parameters
    ----------
    stop
        Asked now and then by methods that take long; when it says so, `kt_models.frontier.Stopped` is raised.

    Returns
    -------
    str
        The reason in words.

    Raises
    ------
    CertificateError
        If it does not show what it claims.
    """
    if certificate.bound is not None:
        shown = bounds.recompute(certificate.method, certificate.problem, certificate.data, stop)
        if shown < certificate.bound:
            raise CertificateError(f"it claims {certificate.claim}, and shows {shown} only")
        return bounds.METHODS[certificate.method]
    checker = CHECKERS.get(certificate.method)
    if checker is None:
        raise CertificateError(f"unknown certificate method {certificate.method!r}; known are {', '.join(CHECKERS)}")
    return checker(certificate.problem, certificate.data)
