"""What a method of `heuristics.find` is: a function with a row that says what it does and which problems it takes.

A method is a module, or a folder, of `heuristics.searches` or `heuristics.constructions` that has a `METHOD`; nothing
else has to be told of it (`heuristics/searches/_template.py` is one to begin with).
"""

from __future__ import annotations

import inspect
import math
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING, Any

from kt_models.errors import KTError, excerpt, nearest, unknown
from kt_models.reading import is_integer
from kt_models.result import Result

if TYPE_CHECKING:
    from kt_models.board import Board
    from kt_models.drawing.parts import Parts
    from kt_models.problem import Problem
    from kt_models.tour import Tour


PRESET = "preset"
"""The parameter that takes the name of a preset."""


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
        words = {True: "yes", False: "no"} if self.type is bool else {}
        return f"{self.name}={words.get(self.default, str(self.default)) or 'TEXT'}"

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
            raise KTError(f"parameter {self.name} must be {kind}, got {excerpt(given)}")
        if self.choices and value not in self.choices:
            raise unknown(f"value of the parameter {self.name}:", str(given), self.choices)
        return value


@dataclass(frozen=True)
class Method:
    """A way to find a tour.

    Parameters
    ----------
    function
        `(problem, *, limits, **own) -> Result`.  Its own parameters, their types and their defaults are read from the
        signature; its name, with hyphens, is that of the method.
    summary
        One line.
    connectivities
        Connectivities it can be asked for.
    symmetric
        Whether it finds tours with the symmetry that a problem asks for.
    plain
        Whether there is a point in asking it where no symmetry is asked for.
    near_optimal
        Whether its tours have so few turns or crossings that it is asked first where a problem has an objective.
    best_for
        Objectives of which its tours have no more than those of other constructions, on most boards that it serves, the
        one for which it is best first: it is asked before them, as there may be no time for more than one.
    priority
        When it is asked where no method is named, from 1; 0: never.
    complete
        Whether it goes on until it has a tour or knows that there is none.
    quick
        Values of its parameters where a solver is ready to take over.
    presets
        Values of its parameters under a name, which the parameter `preset` takes: those of a paper.
    explain
        What `kt draw --strands` puts on a drawing of a tour that the method makes, or of a board without a tour; it
        raises a `KTError` where the method has nothing to say of either.
    """

    function: Callable[..., Result]
    summary: str
    connectivities: tuple[str, ...] = ("cycle", "path")
    symmetric: bool = False
    plain: bool = True
    near_optimal: bool = False
    best_for: tuple[str, ...] = ()
    priority: int = 0
    complete: bool = False
    quick: Mapping[str, Any] = field(default_factory=dict)
    presets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    explain: Callable[[Tour | Board], Parts] | None = None

    @property
    def name(self) -> str:
        return self.function.__name__.replace("_", "-")

    @cached_property
    def parameters(self) -> Mapping[str, Parameter]:
        """Its own parameters by name, from its signature."""
        parameters = {}
        for name, parameter in inspect.signature(self.function).parameters.items():
            if parameter.kind is parameter.KEYWORD_ONLY and name != "limits":
                annotation = parameter.annotation
                if isinstance(annotation, str):
                    annotation = eval(annotation, self.function.__globals__)
                choices = typing.get_args(annotation) if typing.get_origin(annotation) is typing.Literal else ()
                kind = str if choices else annotation
                parameters[name] = Parameter(name, kind, parameter.default, choices)
        if self.presets:
            parameters[PRESET] = Parameter(PRESET, str, "usual", ("usual", *self.presets))
        return parameters

    @property
    def constructs(self) -> bool:
        """Whether its tours follow a rule rather than chance."""
        return self.function.__module__.startswith(f"{__package__}.constructions.")

    def rank(self, metric: str | None) -> float:
        """When it is asked for an objective, of all constructions."""
        return self.best_for.index(metric) if metric in self.best_for else inf

    def applies(self, problem: Problem) -> bool:
        """Whether it is one to ask, as far as connectivity and symmetry go."""
        return problem.connectivity in self.connectivities and (self.symmetric if problem.symmetry else self.plain)

    def parameters_for(self, problem: Problem) -> dict[str, Any]:
        """Its parameters that have a value of the same name as the objective, with that value."""
        metric = problem.objective_name
        return {name: metric for name, parameter in self.parameters.items() if metric in parameter.choices}

    def checked_parameters(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Parameters by name, each of its right type; those of a preset where they are not given besides.

        Raises
        ------
        KTError
            Naming the known ones.
        """
        known = self.parameters
        for name in given:
            if name not in known:
                guess = nearest(name, known)
                meant = f", did you mean {guess!r}? It" if guess else ": it"
                texts = ", ".join(p.text for p in known.values())
                raise KTError(f"method {self.name} has no parameter {name!r}{meant} has {texts or 'none'}")
        values = {name: known[name].value(value) for name, value in given.items()}
        return {**self.presets.get(values.pop(PRESET, ""), {}), **values}


def _read(kind: type, text: str) -> Any:
    """A text as a value of a type; the text itself if it is none."""
    if kind is bool:
        return {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}.get(text.lower(), text)
    try:
        return kind(text) if len(text) <= 40 else text
    except ValueError:
        return text
