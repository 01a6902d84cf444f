"""Claims about boards of all sizes.  Each checker reads one kind of file, and shows all that the file claims."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from kt_models.certificates.families.statement import FamilyStatement
from kt_models.certificates.verdict import Assertion
from kt_models.limits import NO_LIMITS, Limits

_MODULES = {
    "turns-family": "turns",
    "crossings-family": "crossings",
    "strands": "strands",
    "strands-squares": "loops",
    "strands-chains": "chains",
    "strands-spirals": "spirals",
    "radial": "radial",
    "octants": "octants",
    "rings": "rings",
    "strips": "strips",
}


def _checker(module: str) -> Callable[[Any, Limits], tuple[Assertion, ...]]:
    def check(data: Any, limits: Limits = NO_LIMITS) -> tuple[Assertion, ...]:
        statements: tuple[Assertion, ...] = import_module(f"{__name__}.{module}").check(data, limits)
        return statements

    return check


CHECKS: Mapping[str, Callable[[Any, Limits], tuple[Assertion, ...]]] = {
    kind: _checker(module) for kind, module in _MODULES.items()
}
"""By the kind of a file: what checks it.  All claims of a file are shown, or `CertificateError` is raised."""

__all__ = ["CHECKS", "FamilyStatement"]
