"""Methods: the kinds of arguments that certificates and files of claims name, and their checkers.

Arguments about one board or graph are checked in this folder. Those about boards of all sizes are in the package
`theorems`, which nothing here imports. Each of its folders declares a `Theorem`, whose checkers are loaded when a file
or a certificate names them.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal

from kt_models.errors import CertificateError, unknown
from kt_models.kernel.certificates.verdict import Assertion, Verdict
from kt_models.limits import NO_LIMITS, Limits, Listener, Report, silent
from kt_models.problem import LEFT_OUT, Problem
from kt_models.registry import room, rows
from kt_models.shapes import MAX_CELLS, MAX_NAMED_CELLS


@dataclass(frozen=True)
class Argument:
    """A kind of argument.

    Parameters
    ----------
    module, function
        The checker. For `at-least` it returns the greatest bound that the data shows; for `infeasible` the reason in
        words. It raises `CertificateError` if the data shows nothing.
    kind
        The kinds of statements that it shows.
    words
        What a bound rests on.
    swept
        Whether checks are long, so that the checker reports progress.
    constrained
        Whether the checker uses the constraints of a problem. Otherwise it checks the problem without them, which
        has all of its solutions.
    partial
        Whether the checker knows solutions that leave vertices out. Otherwise it shows nothing about them.
    by_formula
        Whether the checker needs the sides of a box and none of its cells.
    """

    module: str
    function: str
    kind: Literal["infeasible", "at-least"]
    words: str = ""
    swept: bool = False
    constrained: bool = False
    partial: bool = False
    by_formula: bool = False

    def call(self, problem: Problem, data: dict[str, Any], limits: Limits, on_progress: Listener = silent) -> Any:
        """The checker's answer.

        Raises
        ------
        CertificateError
            If the data shows nothing, or solutions may leave vertices out and the checker does not know that.
        """
        if problem.optional and not self.partial:
            raise CertificateError(f"{LEFT_OUT}: this method is about solutions that visit every vertex")
        checker = getattr(importlib.import_module(self.module), self.function)
        about = problem if self.constrained else problem.unconstrained
        return checker(about, data, limits, *([on_progress] if self.swept else []))


METHODS = {
    "small": Argument(f"{__package__}.obstructions", "refute_small", "infeasible"),
    "isolated": Argument(f"{__package__}.obstructions", "refute_isolated", "infeasible"),
    "cut": Argument(f"{__package__}.obstructions", "refute_by_cut", "infeasible"),
    "forced": Argument(f"{__package__}.obstructions", "refute_by_force", "infeasible"),
    "symmetry": Argument(f"{__package__}.obstructions", "refute_by_symmetry", "infeasible"),
    "theorem": Argument(f"{__package__}.obstructions", "refute_by_theorem", "infeasible"),
    "parts": Argument(f"{__package__}.parts", "refute", "infeasible"),
    "limited": Argument(f"{__package__}.unsatisfiable_constraint", "refute", "infeasible", constrained=True),
    "sweep": Argument(f"{__package__}.frontier.bound", "refute", "infeasible"),
    "farkas": Argument(f"{__package__}.tree", "refute", "infeasible"),
    "tree": Argument(f"{__package__}.tree", "bound", "at-least", "a tree of cases with a dual solution in each leaf"),
    "edge-tree": Argument(
        f"{__package__}.edge_tree",
        "bound",
        "at-least",
        "a tree of cases with multipliers of degrees and cuts in each leaf",
    ),
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
        f"{__package__}.torus_lines", "bound", "at-least", "every way to make a tour of fewer straight lines"
    ),
    "bands": Argument(
        f"{__package__}.bands.bound",
        "bound",
        "at-least",
        "every choice of two moves at each cell that could stay below, by bands of columns",
        True,
    ),
    "turned": Argument(f"{__package__}.transposed", "bound", "at-least", "the same board with its sides exchanged"),
    "longest": Argument(
        f"{__package__}.longest.bound", "bound", "at-least", "every partial walk that could become longer", partial=True
    ),
    "rewritten": Argument(
        f"{__package__}.rewritten", "bound", "at-least", "the same objective, rewritten by the degrees"
    ),
}
"""Kinds of arguments about one board or graph, by name; `methods` adds those of theorems."""


@dataclass(frozen=True)
class Lemmas:
    """Lemmas of a theorem's `proof.md` on which a claim rests, by name.

    Parameters
    ----------
    by_hand
        The statements that are proved there and nowhere else.
    by_program
        The lemmas whose conditions a program checks for the data of a file.
    """

    by_hand: tuple[str, ...] = ()
    by_program: tuple[str, ...] = ()

    def __add__(self, other: Lemmas) -> Lemmas:
        """The union of both, each lemma once."""
        return Lemmas(
            tuple(dict.fromkeys(self.by_hand + other.by_hand)), tuple(dict.fromkeys(self.by_program + other.by_program))
        )


@dataclass(frozen=True)
class Theorem:
    """Declaration of a folder of `theorems`.

    Parameters
    ----------
    name
        The name of its folder.
    files
        The kinds of files whose claims it shows, each with the module whose `check` does so.
    lemmas
        What the claims of a file rest on, whose JSON object is given; it was checked.
    methods
        The bound that it shows for one board, by the name of the certificate's method.
    """

    name: str
    files: Mapping[str, str]
    lemmas: Callable[[Mapping[str, Any]], Lemmas]
    methods: Mapping[str, Argument] = field(default_factory=dict)

    def words(self, data: Mapping[str, Any]) -> str:
        """Lemmas on which the claims of a file rest, in words."""
        lemmas = self.lemmas(data)
        return (
            f"checked by program: {', '.join(lemmas.by_program)}; "
            f"proved by hand in theorems/{self.name.replace('-', '_')}/proof.md: {', '.join(lemmas.by_hand)}"
        )


@cache
def theorems() -> dict[str, Theorem]:
    """Theorems by name; their checkers are not loaded yet."""
    return rows(room("theorems"), Theorem)


def methods() -> dict[str, Argument]:
    """All kinds of arguments, by name."""
    return METHODS | {name: method for theorem in theorems().values() for name, method in theorem.methods.items()}


def argument_of(name: str, kind: str) -> Argument:
    """The argument that a certificate names.

    Raises
    ------
    CertificateError
        If no method has this name, or the method shows another kind of statement.
    """
    method = METHODS.get(name) or methods().get(name)
    if method is None:
        raise CertificateError(str(unknown("certificate method", name, methods())))
    if method.kind != kind:
        shows = "a lower bound" if method.kind == "at-least" else "that there is no solution"
        raise CertificateError(f"{name}: this method shows {shows}, but the claim is of another kind")
    return method


def max_cells_of(name: str) -> int:
    """The most cells of a board in a certificate of a method."""
    method = methods().get(name)
    return MAX_NAMED_CELLS if method is not None and method.by_formula else MAX_CELLS


def words_of(name: str, argument: Argument, data: Mapping[str, Any]) -> str:
    """The argument behind a bound in words, with the lemmas of a theorem.

    The data is that of a certificate that was checked, or holds another one that was.
    """
    words = argument.words
    # A certificate of the same problem, transposed or rewritten
    while name in METHODS and isinstance(data.get("certificate"), dict):
        name, data = data["certificate"]["method"], data["certificate"]["data"]
    theorem = None if name in METHODS else next(t for t in theorems().values() if name in t.methods)
    return words if theorem is None else f"{words}; {theorem.words(data)}"


def theorem_of(kind: str) -> Theorem | None:
    """The theorem that shows the claims of files of a kind."""
    return next((theorem for theorem in theorems().values() if kind in theorem.files), None)


def check_theorem(data: Mapping[str, Any], limits: Limits = NO_LIMITS, on_progress: Listener = silent) -> Verdict:
    """Check all claims of a file about boards of all sizes; return them and what they rest on.

    Raises
    ------
    CertificateError
        If a claim is not shown, or no theorem covers files of this kind.
    Stopped
        If a limit is reached.
    """
    theorem = theorem_of(data["kind"])
    if on_progress is not silent:
        from kt_models.kernel.check_forecast import seconds_to_prove

        on_progress(Report(words="boards of all sizes", expected=seconds_to_prove(data)))
    if theorem is None:
        raise CertificateError(f"no theorem covers files of kind {data['kind']!r}")
    claims: tuple[Assertion, ...] = importlib.import_module(theorem.files[data["kind"]]).check(data, limits)
    return Verdict(claims, how=theorem.words(data))
