"""`Certificate`: what a sceptic needs to verify a statement without trusting a solver.

A certificate proves one `Statement`: that a problem has no solution, or a lower bound on the value of every solution.
It names its method and contains the whole problem and the data of that method. `check` replays it with only the checker
of that method, in exact integers.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import InitVar, dataclass, field, replace
from typing import Any, Self, cast, overload

from kt_models.arguments import require, require_text
from kt_models.display import html, save
from kt_models.errors import CertificateError, KTError
from kt_models.fields import require_derived, require_fields
from kt_models.json_values import is_number
from kt_models.json_version import FORMAT_VERSION, read_document
from kt_models.kernel.certificates.statement import Statement
from kt_models.limits import NO_LIMITS, Limits, Listener, Report, silent
from kt_models.problem import Problem


class _Json:
    """An attribute that is kept as canonical JSON text.

    Each read parses the text anew, so changes to a value that was read, or to the original, have no effect.
    """

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = f"_{name}_text"

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...

    @overload
    def __get__(self, instance: object, owner: type) -> dict[str, Any]: ...

    def __get__(self, instance: object | None, owner: type) -> Self | dict[str, Any]:
        if instance is None:
            raise AttributeError("no default")  # Without a default, the dataclass requires a value
        value: dict[str, Any] = json.loads(instance.__dict__[self._name])
        return value

    def __set__(self, instance: object, value: Mapping[str, Any]) -> None:
        if not isinstance(value, Mapping):
            raise KTError("the data of a certificate are an object, from names to values")
        try:
            instance.__dict__[self._name] = canonical(dict(value))
        except (TypeError, ValueError, LookupError, RecursionError):
            raise KTError("the data of a certificate are JSON values") from None


@dataclass(frozen=True, eq=False)
class Certificate:
    """A statement and the data that prove it. It is immutable, and may be wrong until it is checked.

    Parameters
    ----------
    method
        One of `kt_models.kernel.certificates.methods`.
    statement
        A statement of the kind `infeasible` or `at-least`.
    data
        What the method's checker reads, as JSON values. Each access makes a new copy.
    """

    method: str
    statement: Statement
    data: _Json = _Json()

    def __post_init__(self) -> None:
        self._require_parts()

    def _require_parts(self) -> None:
        require_text(self.method, "method")
        require(self.statement, "statement", Statement, "a Statement")
        if self.statement.kind not in ("infeasible", "at-least"):
            raise KTError("a certificate shows that there is no solution, or a lower bound")

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.method!r}, {str(self.statement)!r})"

    @property
    def _content(self) -> tuple[str, Statement, str]:
        return self.method, self.statement, self.__dict__["_data_text"]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Certificate) and self._content == other._content

    def __hash__(self) -> int:
        return hash(self._content)

    @property
    def problem(self) -> Problem:
        """The problem of the statement."""
        return self.statement.problem

    @property
    def bound(self) -> int | float | None:
        """The bound that the certificate shows, if it shows one, as users see it."""
        return cast("int | float | None", self.problem.unit.value(self.statement.value))

    @property
    def cost_bound(self) -> int | None:
        """The same as the integer that is minimised."""
        return self.statement.value

    def check(self, limits: Limits = NO_LIMITS, on_progress: Listener = silent) -> str:
        """Replay the certificate, even if it was checked before, and return in words what it rests on.

        Parameters
        ----------
        limits
            Limits of the check.
        on_progress
            Receives a forecast of the seconds before the check begins, and then reports of sweeps.

        Raises
        ------
        CertificateError
            If the certificate does not show its statement.
        Stopped
            If the check did not end within the limits.
        """
        from kt_models.kernel.certificates.methods import argument_of, words_of  # Most answers have no certificate.

        require(limits, "limits", Limits, "Limits")
        self._require_parts()  # Again, as object.__setattr__ can break any frozen object
        statement = self.statement
        method = argument_of(self.method, statement.kind)
        data = self.data
        if on_progress is not silent:
            from kt_models.kernel.check_forecast import seconds_to_check

            seconds = seconds_to_check(self.method, statement.problem, data)
            on_progress(Report(words=f"the certificate, by {self.method}", expected=seconds))
        outcome = method.call(statement.problem, data, limits, on_progress)
        if statement.value is None:
            return str(outcome)
        if outcome < statement.value:
            shows = statement.problem.unit.words(outcome)
            raise CertificateError(f"it claims {statement}, but shows only {shows}")
        return words_of(self.method, method, self.data)

    @property
    def words(self) -> str:
        """The evidence of the certificate; unless it is `Checked`, this checks it and raises the errors of `check`."""
        return self.check()

    def checked(self, limits: Limits = NO_LIMITS, on_progress: Listener = silent) -> Checked:
        """Check the certificate, and return it with the outcome; raises the errors of `check`."""
        return Checked(self.method, self.statement, self.data, limits, on_progress)

    def _repr_html_(self) -> str | None:
        return html(self)

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write the certificate to a `.json` file; `force` replaces a file of another kind."""
        save(self, path, force=force)

    def to_json(self) -> dict[str, Any]:
        """The keys of docs/use/format.md, with a digest of all the others."""
        self._require_parts()
        bound = self.bound
        data = {
            "version": FORMAT_VERSION,
            "kind": "certificate",
            "method": self.method,
            **({"status": "infeasible"} if bound is None else {"bound": bound}),
            "problem": self.problem.to_json(),
            "data": self.data,
        }
        return {**data, "sha256": digest(data)}

    @classmethod
    def from_json(cls, data: Any) -> Certificate:
        """Read the certificate of a JSON object, without checking it.

        Raises
        ------
        KTError
            If a key is missing or of the wrong type.
        CertificateError
            If the digest does not match, because the file was altered.
        """
        if not isinstance(data, dict) or data.get("kind") != "certificate":
            raise KTError("not a certificate")
        # Before an upgrade changes the document
        digested = data.get("sha256") == digest({k: v for k, v in data.items() if k != "sha256"})
        data = read_document(data, "certificate")
        method, status, bound, body = (data.get(key) for key in ("method", "status", "bound", "data"))
        if not isinstance(method, str) or not isinstance(body, dict) or not isinstance(data.get("problem"), dict):
            raise KTError("certificate: 'method', 'problem' or 'data' is missing or of the wrong type")
        if not (status == "infeasible" and bound is None) and not (status is None and is_number(bound)):
            raise KTError('certificate: it claims neither "status": "infeasible" nor a number as \'bound\'')
        if not digested:
            raise CertificateError("certificate: it was altered: its digest does not match")
        from kt_models.kernel.certificates.methods import max_cells_of

        problem = Problem.from_json(data["problem"], max_cells_of(method))
        again = {"status": status, "bound": bound, "method": method, "problem": problem.to_json()}
        require_fields(data, "certificate")
        require_derived(data, again, "certificate", ("sha256",), CertificateError)
        cost = problem.unit.cost(bound, "certificate: 'bound'")
        return cls(method, Statement(problem, "infeasible" if cost is None else "at-least", cost), body)


@dataclass(frozen=True, eq=False, repr=False)
class Checked(Certificate):
    """A certificate that has been checked: its constructor checks it.

    Passing it on saves a second check within one command.

    Parameters
    ----------
    limits
        Limits of the check.
    on_progress
        Receives what `check` reports.
    reason
        What the bound rests on, in words.
    """

    limits: InitVar[Limits] = NO_LIMITS
    on_progress: InitVar[Listener | None] = None
    reason: str = field(init=False)

    def __post_init__(self, limits: Limits, on_progress: Listener | None) -> None:
        super().__post_init__()
        object.__setattr__(self, "reason", self.check(limits, on_progress or silent))

    @property
    def words(self) -> str:
        """The evidence in words."""
        return self.reason

    @classmethod
    def of_bound(
        cls,
        method: str,
        problem: Problem,
        data: Mapping[str, Any],
        limits: Limits = NO_LIMITS,
        on_progress: Listener = silent,
    ) -> Checked:
        """The certificate of the best bound that data prove; computing the bound is the check, and sweeps report
        progress.

        Raises
        ------
        CertificateError
            If the data show nothing.
        """
        from kt_models.kernel.certificates.methods import argument_of, words_of

        argument = argument_of(method, "at-least")
        value = argument.call(problem, json.loads(canonical(data)), limits, on_progress)
        made = Certificate(method, Statement(problem, "at-least", value), data)
        return cls._known(made, words_of(method, argument, made.data))

    def claiming(self, value: int) -> Checked:
        """The certificate of the same or a weaker bound, with the same data."""
        weaker = Certificate(self.method, replace(self.statement, value=value), self.data)
        if self.cost_bound is None or value > self.cost_bound:
            return weaker.checked()
        return self._known(weaker, self.reason)

    @classmethod
    def _known(cls, certificate: Certificate, reason: str) -> Checked:
        """A certificate that was checked in another way."""
        # Without the constructor, which would check again
        made: Checked = object.__new__(cls)
        made.__dict__.update(certificate.__dict__, reason=reason)
        return made


def check(certificate: Certificate, limits: Limits = NO_LIMITS) -> str:
    """Replay a certificate, and return in words what it rests on; raises the errors of `Certificate.check`."""
    return certificate.check(limits)


def canonical(data: Mapping[str, Any]) -> str:
    """A JSON object as text, with sorted keys and no spaces."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"))


def digest(data: Mapping[str, Any]) -> str:
    """SHA-256 of a JSON object as `canonical` writes it, in hexadecimal; detects accidents, not forgery."""
    import hashlib

    return hashlib.sha256(canonical(data).encode()).hexdigest()
