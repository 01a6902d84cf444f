"""`Expression`: a sum of multiples of measures, such as `2*turns + crossings`, without a graph.

On a graph it is a table of weights (`kt_models.weights`), like every measure. An expression is minimised; maximising
`crossings` means minimising `-crossings`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from operator import add
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from kt_models.complete_graph import CompleteGraph
from kt_models.decimals import MAX_WEIGHT
from kt_models.errors import KTError, TooLarge, excerpt, unknown
from kt_models.graph import MoveGraph
from kt_models.metrics import METRICS, SYNONYMS
from kt_models.pairs import has_patterns, pair_weights
from kt_models.weights import MAX_NAME, Weights

if TYPE_CHECKING:
    from kt_models.positions import Positions

MAX_TEXT = 1000
"""Most characters of an expression."""
_TERM = re.compile(r"\s*([+-]?)\s*(?:(\d{1,12})\s*\*?\s*)?([a-z]+(?::[a-z]+)?)(?:\s*\*\s*(\d{1,12}))?\s*", re.ASCII)


@dataclass(frozen=True)
class Expression:
    """A sum of multiples of measures.

    Parameters
    ----------
    terms
        Factors, none of them 0, each with the name of a measure, each measure once.

    Examples
    --------
    >>> turns, crossings = Expression.parse("turns"), Expression.parse("crossings")
    >>> 2 * turns + crossings
    Expression('2*turns + crossings')
    >>> Expression.parse("2*turns + crossings - turns") == turns + crossings
    True
    """

    terms: tuple[tuple[int, str], ...]

    @classmethod
    def parse(cls, text: str) -> Expression:
        """Parse an expression.

        Raises
        ------
        KTError
            If the text is not an expression, or names an unknown measure.
        """
        if len(text) > MAX_TEXT:
            raise KTError(f"objective: a text of {len(text):,} characters; at most {MAX_TEXT:,} are read")
        terms: list[tuple[int, str]] = []
        at = 0
        while at < len(text) or not terms:
            term = _TERM.match(text, at)
            if term is None or (terms and not term[1]) or (term[2] and term[4]):
                raise KTError(f"objective {excerpt(text)}: write a sum of measures, such as '2*turns + crossings'")
            sign, first, name, second = term.groups()
            if name not in METRICS:
                raise unknown("objective", name, METRICS, SYNONYMS)
            terms.append((int(f"{sign}{first or second or 1}"), name))
            at = term.end()
        expression = cls._from_terms(terms)
        if not expression.terms:
            raise KTError(f"objective {excerpt(text)}: all its terms cancel")
        return expression

    @classmethod
    def _from_terms(cls, terms: list[tuple[int, str]]) -> Expression:
        """The sum of terms, in which a measure may occur several times."""
        total: dict[str, int] = {}
        for factor, name in terms:
            total[name] = total.get(name, 0) + factor
        if max(map(abs, total.values()), default=0) > MAX_WEIGHT:
            raise KTError(f"objective: a factor is over {MAX_WEIGHT:,}")
        return cls(tuple((factor, name) for name, factor in total.items() if factor))

    @property
    def metric(self) -> str | None:
        """The name of the measure, if the expression is one measure with the factor 1; otherwise `None`."""
        return self.terms[0][1] if len(self.terms) == 1 and self.terms[0][0] == 1 else None

    @property
    def is_cached(self) -> bool:
        """Whether equal graphs give equal weights: names, and the weights a graph comes with, are no part of it."""
        return all(METRICS[name].needs != "weights" for _, name in self.terms)

    @property
    def is_reversed(self) -> bool:
        """Whether the first factor is negative: messages then say that the opposite sum is maximised."""
        return bool(self.terms) and self.terms[0][0] < 0

    def weights(self, graph: MoveGraph) -> Weights:
        """Weights of the expression on a graph.

        Raises
        ------
        KTError
            If the graph does not have one of the measures, or the expression is empty.
        """
        if not self.terms:
            raise KTError("objective: all terms of the sum cancel")
        if not self.is_cached or graph.is_implicit:
            return _weights_of(self, graph)
        table = _cached_weights_of(self, graph, graph.positions)
        # Equal graphs may have vertices with other names.
        return table if table.graph is graph else replace(table, graph=graph)

    def __add__(self, other: Any) -> Any:
        if isinstance(other, Weights):
            return self._weights_on_graph_of(other) + other
        return self._from_terms([*self.terms, *other.terms]) if isinstance(other, Expression) else NotImplemented

    def __radd__(self, other: Any) -> Any:
        return other + self._weights_on_graph_of(other) if isinstance(other, Weights) else NotImplemented

    def __sub__(self, other: Any) -> Any:
        if isinstance(other, Weights):
            return self._weights_on_graph_of(other) - other
        return self + -other if isinstance(other, Expression) else NotImplemented

    def __rsub__(self, other: Any) -> Any:
        return other - self._weights_on_graph_of(other) if isinstance(other, Weights) else NotImplemented

    def __mul__(self, times: int) -> Expression:
        if isinstance(times, bool) or not isinstance(times, int | np.integer):
            return NotImplemented
        return self._from_terms([(factor * int(times), name) for factor, name in self.terms])

    __rmul__ = __mul__

    def __neg__(self) -> Expression:
        return -1 * self

    def _weights_on_graph_of(self, weights: Weights) -> Weights:
        """The weights of this expression on the graph of other weights, to which they are added."""
        if weights.graph is None:
            raise KTError(f"{self} and weights {weights.name!r}: the weights do not name their graph")
        if weights.graph.directed is not None:
            raise KTError(
                f"{self} and weights {weights.name!r}: weights of arcs are added to other weights of arcs only"
            )
        return self.weights(weights.graph)

    def __str__(self) -> str:
        words = [f"{'-' if factor < 0 else '+'} {'' if abs(factor) == 1 else f'{abs(factor)}*'}{name}"
                 for factor, name in self.terms]  # fmt: skip
        text = " ".join(words) or "0"
        return f"-{text[2:]}" if self.is_reversed else text.removeprefix("+ ")

    def __repr__(self) -> str:
        return f"Expression({str(self)!r})"


class UnlistedWeights(Weights):
    """An expression on a graph that does not list its edges: sums are computed from the edges of a solution.

    Whatever needs the table raises `TooLarge`.

    Parameters
    ----------
    expression
        The sum that users see.
    graph
        The graph.
    decimals
        Most decimals of the weights.
    maximised
        As of other weights.
    """

    expression: Expression
    graph: CompleteGraph

    def __init__(self, expression: Expression, graph: CompleteGraph, decimals: int, maximised: bool = False) -> None:
        values = {"expression": expression, "name": str(expression)[:MAX_NAME], "graph": graph}
        for name, value in (values | {"decimals": decimals, "maximised": maximised}).items():
            object.__setattr__(self, name, value)

    @property
    def _table(self) -> Any:
        return self.graph.ends  # It raises an error that says what to do.

    first = second = weight = magnitude = _table

    @property
    def least(self) -> int | None:
        """Nothing is known without the table."""
        return None

    def cost(self, edges: npt.ArrayLike) -> int:
        """The sum over a set of edges, in units of `10**-decimals`."""
        table = self.expression.weights(self.graph.part(edges))
        total = sum(table.weight.tolist()) * 10 ** (self.decimals - table.decimals)
        if abs(total) > MAX_WEIGHT:
            raise TooLarge(f"{self.name} of {self.graph.name}: a sum has over 15 digits; give a coarser precision")
        return -total if self.maximised else total

    def require_edges(self, graph: MoveGraph) -> None:
        """Refuse another graph."""
        self.require_graph(graph)

    @property
    def _minimised(self) -> Expression:
        """The sum that is minimised."""
        return -self.expression if self.maximised else self.expression

    @property
    def content(self) -> list[Any]:
        """The sum that is minimised, for a digest."""
        places = None if self.graph.positions is None else self.graph.positions.to_json()
        return [str(self._minimised), places]

    def to_maximise(self) -> Weights:
        """The same to be maximised."""
        return UnlistedWeights(self.expression, self.graph, self.decimals, True)

    def to_minimise(self) -> Weights:
        """The same to be minimised."""
        return UnlistedWeights(self.expression, self.graph, self.decimals)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, UnlistedWeights):
            return False
        same = (self._minimised, self.graph) == (other._minimised, other.graph)
        return same and self.graph.positions == other.graph.positions

    def __hash__(self) -> int:
        return hash((self._minimised, self.graph))

    def __repr__(self) -> str:
        return f"UnlistedWeights({self.name!r}, {self.graph!r})"


@dataclass(frozen=True)
class Greatest:
    """An expression as an objective that is to be maximised."""

    expression: Expression


def _weights_of(expression: Expression, graph: MoveGraph) -> Weights:
    """The weights of an expression on a graph."""
    if isinstance(graph, CompleteGraph):
        # The empty part tells what the graph lacks.
        _weights_of(expression, graph.part([]))
        decimals = max(METRICS[name].decimals(graph) for _, name in expression.terms)
        return UnlistedWeights(expression, graph, decimals)
    tables = [
        pair_weights(graph, name) if factor == 1 else factor * pair_weights(graph, name)
        for factor, name in expression.terms
    ]
    return replace(reduce(add, tables), name=str(expression), graph=graph)


@lru_cache(maxsize=4)
def _cached_weights_of(expression: Expression, graph: MoveGraph, positions: Positions | None) -> Weights:
    """The same of metrics that the graph determines: problems often compare weights with the sum in their name."""
    return _weights_of(expression, graph)


TURNS, CROSSINGS = (Expression(((1, metric),)) for metric in ("turns", "crossings"))


def objective_from_expression(graph: MoveGraph, objective: str | Expression) -> str | Weights:
    """Convert an expression, or its text, to an objective: the name of a single measure, or a table of weights."""
    if isinstance(objective, str) and objective.isalpha():
        return objective  # The problem refuses it and lists what it accepts
    expression = Expression.parse(objective) if isinstance(objective, str) else objective
    return expression.metric or expression.weights(graph)


def expression_from_objective(graph: MoveGraph, objective: str | Weights | None) -> Expression | None:
    """Convert an objective back to the expression that it equals; `None` if it equals none, whatever its name says.

    The expression is minimised: it is `-crossings` if crossings are maximised. The weights of a graph are not part of
    its name, so an expression in them is a table.
    """
    if isinstance(objective, str):
        return Expression(((1, objective),))
    if objective is None:
        return None
    try:
        expression = Expression.parse(objective.name)
        if objective.maximised:
            expression = -expression
        # A metric that the graph has patterns of is known by its name, unless it is maximised
        named = not objective.maximised and expression.metric is not None and has_patterns(graph, expression.metric)
        if not expression.is_cached or named:
            return None
        return expression if expression.weights(graph) == objective else None
    except KTError:
        return None
