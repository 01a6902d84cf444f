"""The front door of this room: one table of methods, `find` by a method's name, `find_any` when none is named.

A method is a function `(problem, *, seed, limits, **own) -> Outcome`.  The table names its module and the
function, so that nothing heavy is imported before it is asked for; its own parameters, their types and defaults are
read from its signature.  A new method is one more line in `METHODS`.
"""

from __future__ import annotations

import importlib
import inspect
import math
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from heuristics.outcome import Outcome, instance_of, tiny_outcome
from heuristics.start import find_tour
from kt_models.errors import KTError, nearest, unknown
from kt_models.limits import NO_LIMITS, Limits, Stopped
from kt_models.problem import Problem, solution_edges
from kt_models.reading import is_integer


@dataclass(frozen=True)
class Parameter:
    """One parameter of a method: its name, type (one of bool, int, float, str), default, and values if they are few."""

    name: str
    type: type
    default: Any
    choices: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """As it is shown: `tie_break=ordered|random`, the default first."""
        if self.choices:
            return f"{self.name}={'|'.join(sorted(self.choices, key=lambda c: c != self.default))}"
        return f"{self.name}={_shown(self.default) or 'TEXT'}"

    def value(self, given: Any) -> Any:
        """A value for it, from a text or from a value of its type.

        Raises
        ------
        KTError
            Naming what would do.
        """
        value: Any = given
        if isinstance(given, str) and self.type is not str:
            value = _read(self.type, given)
        elif self.type is float and is_integer(given):
            value = float(given)
        if type(value) is not self.type or (isinstance(value, float) and not math.isfinite(value)):
            kind = {bool: "yes or no", int: "an integer", float: "a number", str: "a text"}[self.type]
            raise KTError(f"parameter {self.name}: {given!r} is not {kind}")
        if self.choices and value not in self.choices:
            raise unknown(f"value of the parameter {self.name}:", str(given), self.choices)
        return value


@dataclass(frozen=True)
class Method:
    """Where a method is, what it does, and which problems it takes.

    Parameters
    ----------
    module, function
        Imported when it is used.
    summary
        One line.
    serves
        Connectivities it can be asked for.
    symmetric
        Whether it finds tours with the symmetry that a problem asks for.
    """

    module: str
    function: str
    summary: str
    serves: tuple[str, ...] = ("cycle", "path")
    symmetric: bool = False

    def load(self) -> Callable[..., Outcome]:
        function: Callable[..., Outcome] = getattr(importlib.import_module(self.module), self.function)
        return function

    def parameters(self) -> dict[str, Parameter]:
        """Its own parameters by name, from its signature."""
        function = self.load()
        own = {}
        for name, parameter in inspect.signature(function).parameters.items():
            if parameter.kind is parameter.KEYWORD_ONLY and name not in ("seed", "limits"):
                annotation = parameter.annotation
                if isinstance(annotation, str):
                    annotation = eval(annotation, function.__globals__)
                choices = typing.get_args(annotation) if typing.get_origin(annotation) is typing.Literal else ()
                kind = str if choices else annotation
                own[name] = Parameter(name, kind, parameter.default, choices)
        return own


METHODS: dict[str, Method] = {
    "merge": Method("heuristics.find", "merge", "A random 2-factor, its cycles merged by exchanges; nearly linear."),
    "path-conversion": Method(
        "heuristics.path_conversion",
        "path_conversion",
        "An open tour by Warnsdorff's rule, cut into closed ones, joined (Davies, Xue, Yerger 2017).",
    ),
    "euler": Method(
        "heuristics.euler", "euler", "An open tour closed, and missed cells taken in, by turning its end (Euler 1759)."
    ),
    "warnsdorff": Method(
        "heuristics.warnsdorff", "warnsdorff", "Go where the fewest ways lead on (1823); six ways to break ties."
    ),
    "random-walk": Method(
        "heuristics.random_walk",
        "random_walk",
        "Depth-first search with two pruning rules, complete (Davies, Xue, Yerger 2017).",
    ),
    "edge-deletion": Method(
        "heuristics.edge_deletion",
        "edge_deletion",
        "Depth-first search with forced and deleted edges, complete (Okuno, Miyano).",
    ),
    "random-greedy": Method(
        "heuristics.random_greedy",
        "random_greedy",
        "Random moves until stuck, again and again (Miller 2018); for small boards.",
    ),
    "formation": Method(
        "heuristics.formation.method",
        "formation",
        "Four knights in formation along diagonals; few turns and crossings (Besa et al. 2022).",
        ("cycle",),
        symmetric=True,
    ),
    "strands": Method(
        "heuristics.strands.method",
        "strands",
        "Rectangles with an even side, sides from 12 on: 4(w + h) - 14 turns or fewer; small tours stretched, linear.",
        ("cycle", "path"),
    ),
    "octants": Method(
        "heuristics.octants.method",
        "octants",
        "Squares of even side, 68 or more, in about 19n/3 crossings: small tours stretched, linear.",
        ("cycle", "path"),
    ),
    "rings": Method(
        "heuristics.rings",
        "rings",
        "Aztec diamonds of every radius, ring by ring, no search, linear.",
        symmetric=True,
    ),
    "parberry": Method(
        "heuristics.parberry", "parberry", "n×n and n×(n+2), n even, by quadrants, no search, linear (Parberry 1997)."
    ),
    "torus": Method(
        "heuristics.torus", "torus", "Tori of any size and dimension, any leaper, line by line, no search, linear."
    ),
}
GRACE = 1.0
"""Seconds that a method is given to come back with its statistics once the limits are reached."""
AUTOMATIC = ("merge", "random-walk")
"""What is tried, in turn, when no method is named: the fastest, then one that can also show that there is no tour."""


def method_named(name: str) -> Method:
    """The method with a name.

    Raises
    ------
    KTError
        Naming the known ones.
    """
    if name not in METHODS:
        raise unknown("method", name, METHODS)
    return METHODS[name]


def find(
    problem: Problem,
    method: str,
    *,
    seed: int = 0,
    time_limit: float | None = None,
    limits: Limits = NO_LIMITS,
    **parameters: Any,
) -> Outcome:
    """Look for a tour by one method; the objective is not looked at.

    Parameters
    ----------
    method
        A name from `METHODS`.
    seed
        The same seed gives the same outcome, unless the limits come first.
    time_limit
        Seconds; in place of `limits`, or besides.
    parameters
        The method's own (see `Method.parameters`); texts are converted to the right type.

    Returns
    -------
    Outcome
        Its tour solves the problem, which has been checked.

    Raises
    ------
    KTError
        If there is no such method or parameter, a value is wrong, or the method does not take this problem.
    """
    entry = method_named(method)
    values = checked_parameters(method, parameters)
    if problem.connectivity not in entry.serves:
        raise KTError(f"method {method} does not take connectivity {problem.connectivity!r}: {', '.join(entry.serves)}")
    if problem.symmetry and not entry.symmetric:
        able = [name for name, other in METHODS.items() if other.symmetric]
        raise KTError(f"method {method} knows no symmetry" + (f": use {' or '.join(able)}" if able else ""))
    if seed < 0 or not (time_limit is None or time_limit >= 0):
        raise KTError("the seed and the time limit are not negative")
    if time_limit is not None:
        limits = limits.within(time_limit)

    def work() -> Outcome:
        outcome = tiny_outcome(problem) or entry.load()(problem, seed=seed, limits=limits, **values)
        if outcome.tour is not None:
            solution_edges(problem, outcome.tour)
        return outcome

    try:
        return limits.run(work, GRACE) if not limits.over else work()
    except Stopped:
        return Outcome()


def find_any(problem: Problem, *, seed: int = 0, limits: Limits = NO_LIMITS) -> tuple[list[str], Outcome]:
    """Look for a tour by the methods of `AUTOMATIC` in turn.

    Once the first has failed, a short proof that there is no tour is looked for (`heuristics.obstruction`).

    Returns
    -------
    tried
        Names of what was tried.
    outcome
        That of the last.
    """
    tried: list[str] = []
    outcome = Outcome()
    for name in AUTOMATIC:
        if tried and limits.over:
            break
        outcome = find(problem, name, seed=seed, limits=limits)
        tried.append(name)
        if outcome.tour is not None:
            break
        if len(tried) == 1 and not limits.over:
            from heuristics.obstruction import find_obstruction

            tried.append("obstruction")
            if certificate := find_obstruction(problem, limits):
                return tried, Outcome(None, True, outcome.statistics, certificate)
        if outcome.exhausted:
            break
    return tried, outcome


def checked_parameters(method: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters of a method by name, each of its right type.

    Raises
    ------
    KTError
        Naming the known ones.
    """
    known = method_named(method).parameters()
    for name in given:
        if name not in known:
            guess = nearest(name, known)
            meant = f", did you mean {guess!r}? It" if guess else ": it"
            texts = ", ".join(p.text for p in known.values())
            raise KTError(f"method {method} has no parameter {name!r}{meant} has {texts or 'none'}")
    return {name: known[name].value(value) for name, value in given.items()}


def merge(problem: Problem, *, seed: int = 0, limits: Limits = NO_LIMITS) -> Outcome:
    """`heuristics.start.find_tour` as a method; exhausted if there is not even a 2-factor."""
    import numpy as np

    from heuristics.two_factor import random_cover

    tour = find_tour(problem, seed=seed, limits=limits)
    if tour is not None or limits.over:
        return Outcome(tour)
    instance = instance_of(problem)
    if isinstance(instance, Outcome):
        return instance
    cover = random_cover(instance.graph, instance.colour, np.random.default_rng(seed), limits)
    return Outcome(exhausted=cover is None and not limits.over)


def _read(kind: type, text: str) -> Any:
    """A text as a value of a type; the text itself if it is none."""
    if kind is bool:
        return {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}.get(text.lower(), text)
    try:
        return kind(text) if len(text) <= 40 else text
    except ValueError:
        return text


def _shown(value: Any) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
