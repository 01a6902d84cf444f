"""`Weights`: weights of chosen edges and of pairs of chosen edges; their sum can be minimised.

One table holds both: a row is a pair of edges and an integer, and a pair of an edge with itself weighs that edge alone.
Turns and crossings are such a table (`pairs`), the lengths of a travelling salesman's roads are one, and so is any sum
or multiple of tables. Weights are integers in a unit that is a power of ten, so that everything that is claimed of
their sums is exact.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from kt_models.arguments import require, require_text, require_whole, require_wholes
from kt_models.board import IntArray, sealed
from kt_models.decimals import MAX_DECIMALS, Unit, is_decimal, scaled
from kt_models.errors import KTError
from kt_models.graph import MoveGraph

WEIGHT = "weight"
"""Name of the sum of the weights that a graph comes with."""
MAX_NAME = 80
"""Most characters of a name; a longer one is cut."""

WeightRow = tuple[int, int, int]
"""Two edges, or one edge twice, and a weight."""
WeightColumns = tuple[IntArray, IntArray, npt.NDArray[Any]]
"""Columns of such rows; the weights are integers of 64 bits, or Python's where one might not fit."""


@dataclass(frozen=True, eq=False)
class Weights:
    """A sum of weights over chosen edges and over pairs of chosen edges.

    Tables can be added, subtracted and multiplied by numbers. Two are equal if they weigh the same.

    Parameters
    ----------
    first, second
        Edge numbers, shape (p,); a pair of an edge with itself weighs that edge alone.
    weight
        Integer weight of each pair, in units of `10**-decimals`, shape (p,).
    name
        Name of the sum; comparisons ignore it.
    graph
        The graph of the edges, if it is known; other graphs are then refused.
    decimals
        Number of decimals of the weights that users see (`kt_models.decimals`). If all weights have fewer, they are
        divided by a power of ten, so that equal weights are equal tables.
    maximised
        Whether the sum is to be maximised: the table then has the negatives of the weights that users see, as kt
        minimises its sum. `to_maximise` makes such a table.
    offset
        What the value that users see has beside the sum, in units of `10**-decimals`; a `Problem` sets it for `cells`.

    Raises
    ------
    KTError
        If the arrays are not of one length, or a number is not an integer of 64 bits.

    Examples
    --------
    >>> lengths, detour = Weights.of_edges([3, 5, 4], "length"), Weights([0], [1], [10], "detour")
    >>> total = 2 * lengths + detour
    >>> total.name, total.value([0, 1])
    ('2*length + detour', 26)
    """

    first: IntArray
    second: IntArray
    weight: npt.NDArray[np.int64]
    name: str = WEIGHT
    graph: MoveGraph | None = field(default=None, repr=False)
    decimals: int = 0
    maximised: bool = False
    offset: int = 0

    def __post_init__(self) -> None:
        for name, kind in (("first", np.int32), ("second", np.int32), ("weight", np.int64)):
            numbers = require_wholes(getattr(self, name), f"weights: {name!r}")
            if kind == np.int32 and len(numbers) and not 0 <= numbers.min() <= numbers.max() < 2**31:
                raise KTError(f"weights: {name!r} has a number that no edge has")
            object.__setattr__(self, name, sealed(numbers.astype(kind)))
        if not len(self.first) == len(self.second) == len(self.weight):
            raise KTError("weights: 'first', 'second' and 'weight' are not of one length")
        object.__setattr__(self, "offset", require_whole(self.offset, "weights: 'offset'", -(2**31), 2**31))
        self._reduce(require_whole(self.decimals, "weights: 'decimals'", 0, MAX_DECIMALS))
        object.__setattr__(self, "name", " ".join(require_text(self.name, "weights: 'name'").split())[:MAX_NAME])

    def _reduce(self, decimals: int) -> None:
        """Set the least number of decimals that the weights have, and divide them accordingly."""
        weight = self.weight
        while decimals and not (weight % 10).any():
            weight, decimals = weight // 10, decimals - 1
        object.__setattr__(self, "weight", sealed(weight))
        object.__setattr__(self, "decimals", decimals)

    @classmethod
    def of_edges(cls, weight: npt.ArrayLike, name: str = WEIGHT, decimals: int = 0) -> Weights:
        """Weights of single edges, one for each edge of a graph, in the order of their numbers."""
        numbers = require_wholes(weight, "weights")
        edges = np.flatnonzero(numbers)
        return cls(edges, edges, numbers[edges], name, decimals=decimals)  # type: ignore[arg-type]

    def require_edges(self, graph: MoveGraph) -> None:
        """Refuse weights of edges that a graph does not have."""
        require(graph, "graph", MoveGraph, "a MoveGraph (kt.graph makes one)")
        self.require_graph(graph)
        if len(self.first) and max(int(self.first.max()), int(self.second.max())) >= graph.m:
            raise KTError(f"weights: {graph.name} has {graph.m:,} {graph.words.moves}, and others have a weight")

    def require_graph(self, graph: MoveGraph) -> None:
        """Refuse weights that were made for another graph, in which the numbers mean other edges."""
        require(graph, "graph", MoveGraph, "a MoveGraph (kt.graph makes one)")
        if self.graph is not None and not _same(self.graph, graph):
            raise KTError(f"weights {self.name!r}: they are of {_named(self.graph)}, and not of {_named(graph)}")

    @property
    def unit(self) -> Unit:
        """How the integers of the table and the values that users see are converted."""
        return Unit(self.decimals, self.maximised, self.offset)

    def value(self, edges: npt.ArrayLike) -> int | float:
        """Sum of the weights of a set of edges and of the pairs within it, as users see it."""
        return cast("int | float", self.unit.value(self.cost(edges)))

    def cost(self, edges: npt.ArrayLike) -> int:
        """The same sum of the integers in the table, which kt minimises."""
        numbers = require_wholes(edges, "edges")
        if len(numbers) and numbers.min() < 0:
            raise KTError("edges must be numbers of edges, from 0")
        size = 1 + max((int(a.max()) for a in (self.first, self.second, numbers) if len(a)), default=0)
        chosen = np.zeros(size, dtype=bool)
        chosen[numbers] = True
        return _total(self.weight[chosen[self.first] & chosen[self.second]])

    @property
    def costs(self) -> Weights:
        """The integers of the table as weights without decimals, to be minimised.

        Sums and multiples of weights are those that users see; sums and multiples of costs are made of these.
        """
        return replace(self, decimals=0, maximised=False)

    @property
    def magnitude(self) -> int:
        """Sum of the absolute values of all weights: no value is farther from 0."""
        return _total(np.maximum(self.weight, 0)) - _total(np.minimum(self.weight, 0))

    @property
    def least(self) -> int | None:
        """The sum of all negative weights: no set of edges has less."""
        return _total(np.minimum(self.weight, 0))

    def canonical(self) -> list[WeightRow]:
        """Edges and pairs with weights other than 0, the smaller edge first, each once with its total, sorted."""
        first, second, weight = self._table
        return list(zip(first.tolist(), second.tolist(), weight.tolist(), strict=True))

    @cached_property
    def _table(self) -> WeightColumns:
        """The columns of `canonical`."""
        return _collected(self.first, self.second, self.weight)

    @property
    def content(self) -> list[Any]:
        """The sum that is minimised, for a digest; names do not count, and the sign that users see does not."""
        rows: list[Any] = self.canonical()
        return [self.decimals, rows] if self.decimals else rows

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Weights):
            return False
        if self is other:
            return True
        return self.decimals == other.decimals and all(map(np.array_equal, self._table, other._table))

    def __hash__(self) -> int:
        return hash((self.decimals, *(column.tobytes() for column in self._table[:2]), *self._table[2].tolist()))

    def __repr__(self) -> str:
        alone = sum((self.first == self.second).tolist())
        return f"Weights({self.name!r}, {alone:,} edges, {len(self.first) - alone:,} pairs)"

    # -- sums and multiples ----------------------------------------------------------------------------------------

    def to_maximise(self) -> Weights:
        """The table whose sum is least where the sum of this one is greatest; users see this one."""
        return _of_table(self._seen(-1), self.name, self.graph, self.decimals, True)

    def to_minimise(self) -> Weights:
        """This table, to be minimised: the one that users see."""
        return _of_table(self._seen(), self.name, self.graph, self.decimals)

    def _seen(self, times: int = 1, decimals: int | None = None) -> WeightColumns:
        """The rows that users see, multiplied, as integers in a unit that is at most as large."""
        first, second, weight = self._table
        times *= -1 if self.maximised else 1
        if decimals is not None:
            times *= 10 ** (decimals - self.decimals)
        return first, second, _wide(weight, abs(times)) * times

    def _sum(self, other: Weights, sign: int, name: str) -> Weights:
        decimals = max(self.decimals, other.decimals)
        columns = zip(self._seen(1, decimals), other._seen(sign, decimals), strict=True)
        first, second, weight = (np.concatenate(pair) for pair in columns)
        return _of_table((first, second, weight), name, _common(self, other), decimals)

    def __add__(self, other: Weights) -> Weights:
        if not isinstance(other, Weights):
            return NotImplemented
        return self._sum(other, 1, f"{self.name} + {other.name}")

    def __sub__(self, other: Weights) -> Weights:
        if not isinstance(other, Weights):
            return NotImplemented
        return self._sum(other, -1, f"{self.name} - {_factor(other.name)}")

    def __mul__(self, times: int | float) -> Weights:
        if not is_decimal(times):
            return NotImplemented
        factor, decimals = scaled([times], "the factor {}".format)
        rows = self._seen(int(factor[0]))
        return _of_table(rows, f"{times}*{_factor(self.name)}", self.graph, self.decimals + decimals)

    __rmul__ = __mul__

    def __neg__(self) -> Weights:
        return -1 * self


def weights_of(graph: MoveGraph) -> Weights:
    """Weights that the edges of a graph come with: from a file, or from the attributes `weight` of a `networkx.Graph`.

    Raises
    ------
    KTError
        If the graph has no weights.
    """
    return Weights.of_edges(own_weights(graph), decimals=graph.decimals)


def own_weights(graph: MoveGraph) -> npt.NDArray[np.int64]:
    """The same weights by edge, as integers in the unit of the graph, shape (m,)."""
    if graph.weights is None:
        raise KTError(f"weight of {graph.name}: {graph.unweighted or f'its {graph.words.moves} have no weights'}")
    return graph.weights


def _factor(name: str) -> str:
    return f"({name})" if " " in name else name


def _wide(weight: npt.NDArray[Any], times: int) -> npt.NDArray[Any]:
    """The same integers, as Python's if so many times the largest of them might not fit into 64 bits."""
    largest = max(-int(weight.min()), int(weight.max())) if len(weight) else 1
    return weight if largest * times < 2**63 else weight.astype(object)


def _total(weight: npt.NDArray[Any]) -> int:
    """The exact sum."""
    return int(_wide(weight, len(weight)).sum())


def _collected(first: IntArray, second: IntArray, weight: npt.NDArray[Any]) -> WeightColumns:
    """Each pair once, the smaller edge first, with its total, sorted; totals of 0 are left out."""
    least, greatest = np.minimum(first, second), np.maximum(first, second)
    pairs = least.astype(np.int64) << 31 | greatest  # Numbers of edges have 31 bits
    if (np.diff(pairs) > 0).all() and (first == least).all() and (weight != 0).all():
        return first, second, weight  # As another table left them
    order = np.argsort(pairs)
    pairs, weight = pairs[order], _wide(weight, len(weight))[order]
    starts = np.flatnonzero(np.diff(pairs, prepend=-1))
    total = np.add.reduceat(weight, starts) if len(starts) else weight
    kept = np.flatnonzero(total)
    pairs = pairs[starts[kept]]
    return (pairs >> 31).astype(np.int32), (pairs & 2**31 - 1).astype(np.int32), total[kept]


def _of_table(
    rows: WeightColumns, name: str, graph: MoveGraph | None, decimals: int, maximised: bool = False
) -> Weights:
    first, second, weight = _collected(*rows)
    numbers = weight if weight.dtype == np.int64 else weight.tolist()  # Whatever does not fit is refused
    return Weights(first, second, numbers, name, graph, decimals, maximised)


def _common(weights: Weights, others: Weights) -> MoveGraph | None:
    """The graph of both, as far as it is known."""
    if weights.graph is not None and others.graph is not None and not _same(weights.graph, others.graph):
        raise KTError(f"weights are of {_named(weights.graph)} and of {_named(others.graph)}: they have no sum")
    return weights.graph if weights.graph is not None else others.graph


def _same(graph: MoveGraph, second: MoveGraph) -> bool:
    """Whether two graphs number the same edges, between vertices with the same names."""
    place: Any = graph.directed or graph
    there: Any = second.directed or second
    if place is there:
        return True
    return place == there and list(place.labels or ()) == list(there.labels or ())


def _named(graph: MoveGraph) -> str:
    place: Any = graph.directed or graph
    return f"{place.name} (leaper {graph.leaper})" if graph.leaper else place.name
