"""`Certificate`: what a sceptic needs to believe a bound or an impossibility without believing a solver.

A certificate names its method, carries the whole problem, the claim, and the data of that method.  `check` replays it
with code in `kt_models` that shares nothing with whatever made it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from kt_models import obstructions
from kt_models.errors import CertificateError, KTError
from kt_models.problem import Problem

FORMAT_VERSION = 1

CHECKERS: dict[str, Callable[[Problem, dict[str, Any]], str]] = {
    "small": obstructions.check_small,
    "cut": obstructions.check_cut,
    "forced": obstructions.check_forced,
    "symmetry": obstructions.check_symmetry,
    "theorem": obstructions.check_theorem,
}
"""For each method, a function that returns the reason in words or raises `CertificateError`."""


@dataclass(frozen=True)
class Certificate:
    """A claim about a problem, and what shows it.

    Parameters
    ----------
    method
        One of `CHECKERS`.
    problem
        What the claim is about.
    status
        The claim: `infeasible`.
    data
        What the method's checker reads, as JSON values.
    """

    method: str
    problem: Problem
    status: str = "infeasible"
    data: dict[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        return {
            "version": FORMAT_VERSION,
            "kind": "certificate",
            "method": self.method,
            "status": self.status,
            "problem": self.problem.to_json(),
            "data": self.data,
        }

    @classmethod
    def from_json(cls, data: Any) -> Certificate:
        """The certificate of a JSON object; it may be wrong: `check` tells.

        Raises
        ------
        KTError
            If a key is missing or of the wrong type.
        """
        if not isinstance(data, dict) or data.get("kind") != "certificate":
            raise KTError("not a certificate")
        if data.get("version") != FORMAT_VERSION or type(data["version"]) is not int:
            raise KTError(f"certificate version {data.get('version')!r}: this program reads version {FORMAT_VERSION}")
        method, status, body = data.get("method"), data.get("status"), data.get("data", {})
        if not isinstance(method, str) or status != "infeasible" or not isinstance(body, dict):
            raise KTError("certificate: 'method', 'status' or 'data' is missing or of the wrong type")
        if not isinstance(data.get("problem"), dict):
            raise KTError("certificate: 'problem' is missing")
        return cls(method, Problem.from_json(data["problem"]), status, body)


def check(certificate: Certificate) -> str:
    """Replay a certificate.

    Returns
    -------
    str
        The reason in words.

    Raises
    ------
    CertificateError
        If it does not show what it claims.
    """
    checker = CHECKERS.get(certificate.method)
    if checker is None:
        raise CertificateError(f"unknown certificate method {certificate.method!r}; known are {', '.join(CHECKERS)}")
    return checker(certificate.problem, certificate.data)
