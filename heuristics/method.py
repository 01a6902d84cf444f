"""The methods of `heuristics.find`: a function, with a row that describes it and the problems to which it applies.

A method is a module, or a folder, of `heuristics.searches` or `heuristics.constructions` with a `METHOD`, or one of a
paper's in `heuristics.papers`; its name is written nowhere else (`heuristics/searches/_template.py` is a template).
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
from kt_models.json_values import is_integer
from kt_models.result import Result

if TYPE_CHECKING:
    from drawing.explanation_parts import Parts
    from kt_models.graph import MoveGraph
    from kt_models.problem import Problem
    from kt_models.tour import Tour


PRESET = "preset"
"""The parameter that takes the name of a preset."""
LIMITS, WATCH = "limits", "watch"
"""Keywords of a method's function that are no parameters of the method."""


@dataclass(frozen=True)
class Parameter:
    """A parameter of a method: its name, type (one of bool, int, float, str), default, and values if they are few."""

    name: str
    type: type
    default: Any
    choices: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The parameter for display, with the default first: `tie_break=ordered|random`."""
        if self.choices:
            return f"{self.name}={'|'.join(sorted(self.choices, key=lambda c: c != self.default))}"
        words = {True: "yes", False: "no"} if self.type is bool else {}
        return f"{self.name}={words.get(self.default, str(self.default)) or 'TEXT'}"

    def value(self, argument: Any) -> Any:
        """Convert a text, or check a value of the right type.

        Raises
        ------
        KTError
            Naming the possible values.
        """
        value: Any = argument
        if isinstance(argument, str) and self.type is not str:
            value = _read(self.type, argument)
        elif self.type is float and is_integer(argument):
            value = float(argument)
        if type(value) is not self.type or (isinstance(value, float) and not math.isfinite(value)):
            kind = {bool: "yes or no", int: "an integer", float: "a number", str: "a text"}[self.type]
            raise KTError(f"parameter {self.name} must be {kind}, got {excerpt(argument)}")
        if self.choices and value not in self.choices:
            raise unknown(f"value of the parameter {self.name}:", str(argument), self.choices)
        return value


@dataclass(frozen=True)
class Method:
    """A way to find a tour.

    Parameters
    ----------
    function
        `(problem, *, limits, **parameters) -> Result`. Its parameters, their types and their defaults are read from the
        signature. Its name, with hyphens, is the name of the method. One that can be watched also takes `watch`, a
        `kt_models.recording.Recording` in which it records what it does, or None.
    summary
        One line.
    connectivities
        The connectivities that it supports.
    symmetric
        Whether it supports symmetries.
    plain
        Whether it is of use without a symmetry.
    constructs
        Whether its tours follow a rule rather than chance.
    near_optimal
        Whether its tours have few turns or crossings, so that it comes first if there is an objective.
    improves
        Whether it goes on to reduce the objective until the limits come, so that exchanges need not follow.
    best_for
        Objectives for which its tours are at least as good as those of other constructions on most boards that it
        covers, the best one first. For these it comes before the others, because there may be no time for more than
        one.
    priority
        Its place among the methods that are tried if none is named, from 1; 0 for never.
    complete
        Whether it continues until it has a tour or a proof that there is none.
    quick
        Values of its parameters if a solver is ready to take over.
    presets
        Named sets of parameters, which the parameter `preset` selects: those of a paper.
    explain
        The explanation that `kt draw --strands` adds to a tour of the method, or to a board without a tour; it raises a
        `KTError` if there is none.
    """

    function: Callable[..., Result]
    summary: str
    connectivities: tuple[str, ...] = ("cycle", "path")
    symmetric: bool = False
    plain: bool = True
    constructs: bool = False
    near_optimal: bool = False
    improves: bool = False
    best_for: tuple[str, ...] = ()
    priority: int = 0
    complete: bool = False
    quick: Mapping[str, Any] = field(default_factory=dict)
    presets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    explain: Callable[[Tour | MoveGraph], Parts] | None = None

    @property
    def name(self) -> str:
        return self.function.__name__.replace("_", "-")

    @cached_property
    def parameters(self) -> Mapping[str, Parameter]:
        """The parameters by name, from the signature."""
        parameters = {}
        for name, parameter in inspect.signature(self.function).parameters.items():
            if parameter.kind is parameter.KEYWORD_ONLY and name not in (LIMITS, WATCH):
                annotation = parameter.annotation
                if isinstance(annotation, str):
                    # Annotations are texts in modules with `from __future__ import annotations`.
                    annotation = eval(annotation, self.function.__globals__)
                choices = typing.get_args(annotation) if typing.get_origin(annotation) is typing.Literal else ()
                kind = str if choices else annotation
                parameters[name] = Parameter(name, kind, parameter.default, choices)
        if self.presets:
            parameters[PRESET] = Parameter(PRESET, str, "usual", ("usual", *self.presets))
        return parameters

    @cached_property
    def is_watched(self) -> bool:
        """Whether it records its steps."""
        return WATCH in inspect.signature(self.function).parameters

    def rank(self, metric: str | None) -> float:
        """Place of the method among the constructions for an objective."""
        return self.best_for.index(metric) if metric in self.best_for else inf

    def applies(self, problem: Problem) -> bool:
        """Whether it supports the connectivity and the symmetry of a problem."""
        return problem.connectivity in self.connectivities and (self.symmetric if problem.symmetry else self.plain)

    def parameters_for(self, problem: Problem) -> dict[str, Any]:
        """Parameters that have a value with the name of the objective, with that value."""
        metric = problem.objective_name
        return {name: metric for name, parameter in self.parameters.items() if metric in parameter.choices}

    def checked_parameters(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Parameters by name, each of its right type; a preset supplies those that are not given.

        Raises
        ------
        KTError
            Naming the known ones.
        """
        known = self.parameters
        for name in arguments:
            if name not in known:
                guess = nearest(name, known)
                meant = f", did you mean {guess!r}? It" if guess else ": it"
                texts = ", ".join(p.text for p in known.values())
                raise KTError(f"method {self.name} has no parameter {name!r}{meant} has {texts or 'none'}")
        values = {name: known[name].value(value) for name, value in arguments.items()}
        return {**self.presets.get(values.pop(PRESET, ""), {}), **values}


def _read(kind: type, text: str) -> Any:
    """A text as a value of a type; the text itself if it is not one."""
    if kind is bool:
        return {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}.get(text.lower(), text)
    try:
        # No number needs more than 40 characters, and Python takes long to convert a very long one.
        return kind(text) if len(text) <= 40 else text
    except ValueError:
        return text
