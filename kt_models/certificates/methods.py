"""The kinds of arguments that certificates and files of claims name, and which module checks each.

Arguments about one board or graph are checked in this folder.  Those about boards of all sizes are theorems, and have a
room of their own, `theorems`, which nothing here imports.  Each of its folders declares a `Theorem`, and its checkers
are loaded when a file or a certificate names them.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal

from kt_models.certificates.verdict import Assertion
from kt_models.errors import CertificateError, unknown
from kt_models.limits import NO_LIMITS, Limits, Listener, silent
from kt_models.problem import Problem
from kt_models.registry import room, rows


@dataclass(frozen=True)
class Argument:
    """A kind of argument.

    Parameters
    ----------
    module, function
        Its checker.  For `at-least` it returns the greatest bound that the data shows; for `infeasible` the reason in
        words.  Either raises `CertificateError` where the data shows nothing.
    kind
        Of the statements that it shows.
    words
        What a bound rests on.
    swept
        Whether it takes long enough for the checker to report on the way.
    """

    module: str
    function: str
    kind: Literal["infeasible", "at-least"]
    words: str = ""
    swept: bool = False

    def call(self, problem: Problem, data: dict[str, Any], limits: Limits, on_progress: Listener = silent) -> Any:
        """What the checker returns."""
        checker = getattr(importlib.import_module(self.module), self.function)
        return checker(problem, data, limits, *([on_progress] if self.swept else []))


METHODS = {
    "small": Argument(f"{__package__}.obstructions", "refute_small", "infeasible"),
    "cut": Argument(f"{__package__}.obstructions", "refute_by_cut", "infeasible"),
    "forced": Argument(f"{__package__}.obstructions", "refute_by_force", "infeasible"),
    "symmetry": Argument(f"{__package__}.obstructions", "refute_by_symmetry", "infeasible"),
    "theorem": Argument(f"{__package__}.obstructions", "refute_by_theorem", "infeasible"),
    "sweep": Argument(f"{__package__}.frontier.bound", "refute", "infeasible"),
    "tree": Argument(f"{__package__}.tree", "bound", "at-least", "a tree of cases with a dual solution in each leaf"),
    "regions": Argument(
        f"{__package__}.regions", "bound", "at-least", "the least that belts of cells weigh, swept exactly"
    ),
    "frontier": Argument(
        f"{__package__}.frontier.bound",
        "bound",
        "at-least",
        "every partial solution that could stay below, cell by cell",
        True,
    ),
    "quotient": Argument(
        f"{__package__}.quotient",
        "bound",
        "at-least",
        "every symmetric tour that could stay below, orbit by orbit",
        True,
    ),
    "straight": Argument(
        f"{__package__}.straight", "bound", "at-least", "every way to make a tour of fewer straight lines"
    ),
    "bands": Argument(
        f"{__package__}.bands.bound",
        "bound",
        "at-least",
        "every choice of two moves at each cell that could stay below, by bands of columns",
        True,
    ),
    "turned": Argument(f"{__package__}.turned", "bound", "at-least", "the same board with its sides exchanged"),
    "rewritten": Argument(
        f"{__package__}.rewritten", "bound", "at-least", "the same objective, rewritten by the degrees"
    ),
}
"""The kinds of arguments about one board or graph, by name.  `methods` has those of theorems too."""


@dataclass(frozen=True)
class Theorem:
    """What a folder of `theorems` declares.

    Parameters
    ----------
    name
        As its folder.
    files
        The kinds of files whose claims it shows, each with the module whose `check` does so.
    methods
        What it shows about one board, by the name of the certificate's method.
    """

    name: str
    files: Mapping[str, str]
    methods: Mapping[str, Argument] = field(default_factory=dict)


@cache
def theorems() -> dict[str, Theorem]:
    """The theorems, by name; their checkers are not loaded yet."""
    return rows(room("theorems"), Theorem)


def methods() -> dict[str, Argument]:
    """Every kind of argument, by name."""
    return METHODS | {name: method for theorem in theorems().values() for name, method in theorem.methods.items()}


def argument_of(name: str, kind: str) -> Argument:
    """The argument that a certificate names.

    Raises
    ------
    CertificateError
        If there is none of this name, or it shows another kind of statement.
    """
    method = METHODS.get(name) or methods().get(name)
    if method is None:
        raise CertificateError(str(unknown("certificate method", name, methods())))
    if method.kind != kind:
        shows = "a lower bound" if method.kind == "at-least" else "that there is no solution"
        raise CertificateError(f"{name}: this method shows {shows}, and something else is claimed")
    return method


Claims = tuple[Assertion, ...]


def kinds_of_theorems() -> dict[str, str]:
    """The kinds of files that claim something about boards of all sizes, each with the module that checks them."""
    return {kind: module for theorem in theorems().values() for kind, module in theorem.files.items()}


def check_theorem(kind: str, data: Any, limits: Limits = NO_LIMITS) -> Claims:
    """The claims of a file about boards of all sizes, all of which were shown.

    Raises
    ------
    CertificateError
        If one is not.
    Stopped
        If the limits do not suffice.
    """
    claims: Claims = importlib.import_module(kinds_of_theorems()[kind]).check(data, limits)
    return claims
