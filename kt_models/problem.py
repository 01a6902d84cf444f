"""`Problem`: the edges of a graph that may be chosen, how they are connected, and what is minimised.

Everything the toolkit decides has this shape: choose edges so that every vertex has its degree (2; 1 at a terminal),
the chosen edges are connected as required, and a sum of weights of chosen edges and of pairs of them is minimal.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod
from typing import Any, Literal, cast

import numpy as np
import numpy.typing as npt

from kt_models.arguments import require, require_items, require_wholes
from kt_models.board import IntArray, sealed
from kt_models.conditions import CONDITIONS, Condition, InOrder
from kt_models.constraints import Constraint, constraint_words, constraints_from_json, constraints_on
from kt_models.decimals import MAX_WEIGHT, PLAIN, Unit
from kt_models.directed import SplitGraph
from kt_models.display import html
from kt_models.errors import InvalidTour, KTError, TooLarge, unknown
from kt_models.expressions import Expression, UnlistedWeights, expression_from_objective
from kt_models.graph import MoveGraph, has_parallel_edges, not_for_directed
from kt_models.graph_kinds import graph_from_json
from kt_models.json_values import are_integers
from kt_models.metrics import METRICS
from kt_models.metrics.cells import CELLS
from kt_models.numbers import GivenNumbers
from kt_models.quantities import (
    Quantity,
    quantity_cost,
    quantity_from_json,
    quantity_name,
    quantity_on,
    quantity_to_json,
    quantity_weights,
)
from kt_models.shapes import MAX_CELLS
from kt_models.symmetry import Symmetry, generate, orbits
from kt_models.tour import Tour, verify
from kt_models.walks import Walk, walks_of
from kt_models.weights import WEIGHT, Weights

Connectivity = Literal["cycle", "path", "linkage", "paths", "any", "subcycle", "subpath", "sublinkage"]
CONNECTIVITIES = ("cycle", "path", "linkage", "paths", "any", "subcycle", "subpath", "sublinkage")
PARTIAL: dict[str, Connectivity] = {"cycle": "subcycle", "path": "subpath", "linkage": "sublinkage"}
"""The connectivity whose solutions may leave vertices out, for each that has one. It is another connectivity, and no
condition: whoever knows only solutions through every vertex does not take it for a relaxation."""
MIN_CYCLE = 3
"""Fewest vertices of a cycle that may leave others out."""
LEFT_OUT = "cells that may be left out"
"""Optional vertices in words, for refusals."""
MAX_GENERATORS, MAX_SYMMETRIC = 16, 25_000_000
"""Most symmetries of a problem, and most cells of a board with symmetries: orbits take memory for each cell."""


@dataclass(frozen=True, eq=False)
class Problem:
    """Choose edges of a graph.

    Parameters
    ----------
    graph
        The graph of the edges.
    connectivity
        `cycle`: one cycle through every vertex; `path`: one path; `linkage`: disjoint paths joining the given pairs of
        terminals; `paths`: disjoint paths between the terminals in any pairing; `any`: only the degrees. In the last
        three every vertex is covered, and `linkage` and `paths` allow no closed cycle. `subcycle`, `subpath` and
        `sublinkage` are one cycle of at least three vertices, one path of at least one edge, or a linkage, which may
        leave the vertices out that are `optional`.
    objective
        The name of a metric, such as `turns`, `crossings` or `weight`, any `Weights`, or None for any solution.
    terminals
        Vertices of degree 1. For `path`: none, one or both ends (the others are free). For `linkage` the pairs
        are consecutive: (s1, t1, s2, t2, ...).
    required, forbidden
        Edge numbers. Fixed edges of the graph are required, too.
    symmetry
        Generators of the group under which the set of chosen edges must be invariant.
    numbers
        The numbers that cells may have, and sums of lines, for a `cycle` or `path` numbered from 1; of a directed graph
        those of its split graph (`GivenNumbers.in_split`).
    constraints
        Bounds on other sums.
    conditions
        Other conditions, such as `InOrder`, at most one of each kind (`kt_models.conditions`); vertices of a directed
        graph as users number them.
    optional
        Vertices that a solution may leave out, with the connectivities that allow it.

    Raises
    ------
    KTError
        If these are inconsistent.
    """

    graph: MoveGraph
    connectivity: Connectivity = "cycle"
    objective: str | Weights | None = None
    terminals: tuple[int, ...] = ()
    required: frozenset[int] = frozenset()
    forbidden: frozenset[int] = frozenset()
    symmetry: tuple[Symmetry, ...] = ()
    numbers: GivenNumbers | None = None
    constraints: tuple[Constraint, ...] = ()
    conditions: tuple[Condition, ...] = ()
    optional: frozenset[int] = frozenset()

    def __post_init__(self) -> None:
        require(self.graph, "graph", MoveGraph, "a MoveGraph (kt.graph makes one)")
        require(self.numbers, "numbers", (GivenNumbers, type(None)), "GivenNumbers (kt.problem makes them)")
        require(self.objective, "objective", (str, Weights, type(None)), "'turns', 'crossings' or Weights")
        # The class is frozen: fields are normalised through `object.__setattr__`
        for name in ("required", "forbidden", "optional"):
            object.__setattr__(self, name, frozenset(require_wholes(getattr(self, name), name).tolist()))
        object.__setattr__(self, "terminals", tuple(require_wholes(self.terminals, "terminals").tolist()))
        object.__setattr__(self, "symmetry", tuple(require_items(self.symmetry, "symmetry", "a list of Symmetry")))
        for symmetry in self.symmetry:
            require(symmetry, "symmetry", Symmetry, "a list of Symmetry")
        object.__setattr__(self, "constraints", tuple(require_items(self.constraints, "constraints", "a list")))
        for constraint in self.constraints:
            require(constraint, "constraints", Constraint, "a list of Constraint")
        object.__setattr__(self, "conditions", tuple(require_items(self.conditions, "conditions", "a list")))
        for condition in self.conditions:
            require(condition, "conditions", Condition, "a list of Condition")
        if isinstance(self.graph, SplitGraph):
            self._complete(self.graph)
        # Edges that the file of the graph fixes are required in each problem about it
        object.__setattr__(self, "required", self.required | self.graph.fixed)
        if self.objective is not None:
            object.__setattr__(self, "objective", quantity_on(self.graph, self.objective, "objective"))
            self._require_exact_values()
        if self.constraints:
            object.__setattr__(self, "constraints", constraints_on(self.graph, self.constraints))
        self._check()
        self._count_cells()

    def _complete(self, graph: SplitGraph) -> None:
        """Make the start and the end of a split graph the terminals, and refuse anything but one cycle or path."""
        if self.connectivity not in ("cycle", "path"):
            raise KTError(f"connectivity {self.connectivity!r} of a directed graph: it has one cycle or one path")
        if self.terminals not in ((), graph.terminals):
            raise KTError(
                "terminals of a directed graph: its split graph has them, and requires where paths begin or end"
            )
        quantities = [self.objective, *(constraint.quantity for constraint in self.constraints)]
        placed = graph.positions is not None
        measures = [name for name in quantities if isinstance(name, str) and name != WEIGHT and not placed]
        for feature in [*measures, *(["symmetries"] if self.symmetry else [])]:
            not_for_directed(graph, feature)
        # The split graph of a path has two more vertices, so edge numbers given for the other do not fit
        if graph.is_open != (self.connectivity == "path"):
            weighed = any(isinstance(weights, Weights) for weights in quantities)
            if self.required or self.forbidden or weighed or self.numbers is not None:
                kind = "path" if graph.is_open else "cycle"
                raise KTError(f"required, forbidden or weighed arcs, or given numbers: they are numbered for a {kind}")
            graph = graph.split(open=not graph.is_open)
        object.__setattr__(self, "graph", graph)
        object.__setattr__(self, "terminals", graph.terminals)

    def _require_exact_values(self) -> None:
        """Refuse decimals whose sums may have more digits than a float, in which users get values."""
        weights = self.objective
        if not isinstance(weights, Weights) or isinstance(weights, UnlistedWeights):
            return
        if not weights.decimals or weights.magnitude <= MAX_WEIGHT:
            return
        sizes, alone = np.abs(weights.weight), weights.first == weights.second
        # A solution has at most n edges, and each edge meets two others
        most = self.graph.n * int(sizes[alone].max(initial=0))
        most += min(sum(sizes[~alone].tolist()), self.graph.n**2 * int(sizes[~alone].max(initial=0)))
        if most > MAX_WEIGHT:
            spare = len(str(most // MAX_WEIGHT))
            raise TooLarge(
                f"weights {weights.name!r} have {weights.decimals} decimals, and their sums may have over 15 digits; "
                f"round them to {max(0, weights.decimals - spare)} decimals"
            )

    def _count_cells(self) -> None:
        """Let sums with `cells` have one more for each path, whose moves are one less than its cells."""
        paths = {"path": 1, "subpath": 1, "linkage": len(self.terminals) // 2, "sublinkage": len(self.terminals) // 2}
        each = paths.get(self.connectivity, 0)

        def counted(quantity: Quantity) -> Quantity:
            if not isinstance(quantity, Weights) or CELLS not in quantity.name:
                return quantity
            expression = expression_from_objective(self.graph, quantity)
            factor = 0 if expression is None else {name: f for f, name in expression.terms}.get(CELLS, 0)
            more = each * (-factor if quantity.maximised else factor)
            return quantity if quantity.offset == more else replace(quantity, offset=more)

        if self.objective is not None:
            object.__setattr__(self, "objective", counted(self.objective))
        limited = tuple(replace(constraint, quantity=counted(constraint.quantity)) for constraint in self.constraints)
        object.__setattr__(self, "constraints", limited)

    def _check(self) -> None:
        if not isinstance(self.connectivity, str) or self.connectivity not in CONNECTIVITIES:
            raise unknown("connectivity", self.connectivity, CONNECTIVITIES)
        if len(set(self.terminals)) < len(self.terminals):
            raise KTError("a terminal is given twice")
        if any(not 0 <= t < self.graph.n for t in self.terminals):
            raise KTError("a terminal is not a vertex of the graph")
        most = {"cycle": 0, "path": 2, "subcycle": 0, "subpath": 2}.get(self.connectivity, self.graph.n)
        if len(self.terminals) > most:
            raise KTError(f"a {self.connectivity} has at most {most} terminals, {len(self.terminals)} are given")
        if self.connectivity in ("linkage", "paths", "sublinkage") and (len(self.terminals) % 2 or not self.terminals):
            raise KTError(f"connectivity {self.connectivity!r} needs an even number of terminals, at least 2")
        if (self.required or self.forbidden) and not all(0 <= e < self.graph.m for e in self.required | self.forbidden):
            raise KTError("a required or forbidden edge is not an edge of the graph")
        if self.numbers is not None:
            if self.constraints:
                raise KTError(f"given numbers, and {constraint_words(self.constraints)}: no engine serves both")
            if self.connectivity not in ("cycle", "path"):
                raise KTError("given numbers belong to closed and open tours")
            if isinstance(self.graph, SplitGraph) and self.numbers.sums:
                not_for_directed(self.graph, "given sums")
            if has_parallel_edges(self.graph):
                raise KTError(f"given numbers: two moves of {self.graph.name} join the same two cells")
            shape = self.numbers.shape and self.numbers.shape.on(self.graph, self.closed)
            numbers = GivenNumbers.of(self.graph.n, self.numbers.allowed, self.numbers.sums, shape)
            object.__setattr__(self, "numbers", numbers)
        if self.graph.merged and (self.objective is not None or self.constraints):
            raise KTError(
                f"{self.graph.name}: two moves join the same two cells, and a sum depends on which of them is made; "
                "distinguish them"
            )
        self._check_optional()
        self._check_conditions()
        if self.symmetry:
            board = self.graph.board
            if board is None:
                raise KTError(f"graph {self.graph.name} has no board: it has no geometric symmetry")
            if len(self.symmetry) > MAX_GENERATORS or prod(board.shape) > MAX_SYMMETRIC:
                raise TooLarge(
                    f"symmetry: at most {MAX_GENERATORS} symmetries, of a board of {MAX_SYMMETRIC:,} cells to the box"
                )
            object.__setattr__(self, "symmetry", tuple(symmetry.on(board) for symmetry in self.symmetry))
            for symmetry in self.symmetry:
                permutation = symmetry.permutation(board)
                ends = set(self.terminals)
                # A symmetry may map one end of a path to the other, which need not be a terminal
                if {int(permutation[t]) for t in ends} != ends and self.connectivity not in ("path", "subpath"):
                    raise KTError(f"symmetry {symmetry.name}: it does not map the terminals to themselves")

    def _check_optional(self) -> None:
        """Refuse optional vertices beside what is about every vertex."""
        if self.connectivity not in PARTIAL.values():
            if self.optional:
                raise KTError(f"connectivity {self.connectivity!r}: it leaves no vertex out")
            return
        if not self.optional:
            raise KTError(f"connectivity {self.connectivity!r}: no vertex is optional")
        if not all(0 <= v < self.graph.n for v in self.optional):
            raise KTError("an optional vertex is not a vertex of the graph")
        if self.optional.intersection(self.terminals):
            raise KTError("a terminal is optional")
        if self.numbers is not None:
            raise KTError(f"given numbers, and {LEFT_OUT}: no engine serves both")
        for condition in self.conditions:
            if twice := self.optional.intersection(condition.visited):
                raise KTError(f"{condition.title}: {self.graph.name_of(min(twice))} is visited, and cannot be left out")

    def _check_conditions(self) -> None:
        kinds = [condition.name for condition in self.conditions]
        if len(set(kinds)) < len(kinds):
            raise KTError(f"conditions: two of the kind {min(kinds, key=kinds.count)!r}")
        for condition in self.conditions:
            if self.connectivity not in condition.connectivities:
                raise KTError(f"{condition.title}: a problem of connectivity {self.connectivity!r} cannot have them")
            if self.numbers is not None:
                raise KTError(f"given numbers, and {condition.title}: no engine serves both")
            if condition.of_moves and self.graph.merged:
                raise KTError(
                    f"{self.graph.name}: two moves join the same two cells, and {condition.title} depend on which of "
                    "them is made; distinguish them"
                )
        found = {condition.name: condition.on(self.graph) for condition in self.conditions}
        object.__setattr__(self, "conditions", tuple(found[name] for name in CONDITIONS if name in found))

    # -- what follows from it --------------------------------------------------------------------------------------

    @property
    def closed(self) -> bool:
        """Whether the problem asks for one cycle."""
        return self.connectivity in ("cycle", "subcycle")

    @property
    def free_ends(self) -> int:
        """Number of ends of a path that are not given."""
        return 2 - len(self.terminals) if self.connectivity in ("path", "subpath") else 0

    @cached_property
    def group(self) -> tuple[Symmetry, ...]:
        """The group that `symmetry` generates, the identity first."""
        board = self.graph.board
        return (Symmetry.identity(2),) if board is None else tuple(generate(self.symmetry, board))

    @cached_property
    def edge_orbits(self) -> IntArray:
        """Least edge of each edge's orbit, shape (m,)."""
        return sealed(orbits((self.graph.edge_permutation(symmetry) for symmetry in self.symmetry), self.graph.m))

    @cached_property
    def weights(self) -> Weights | None:
        """Weights of the objective, as a table of edges and pairs of edges."""
        return None if self.objective is None else quantity_weights(self.graph, self.objective)

    @property
    def is_constrained(self) -> bool:
        """Whether it has constraints, other conditions, or optional vertices, which few methods know."""
        return bool(self.constraints or self.conditions or self.optional)

    @cached_property
    def unconstrained(self) -> Problem:
        """The problem without its constraints and conditions, which has all solutions of this one and perhaps more.

        Optional vertices stay optional.
        """
        return replace(self, constraints=(), conditions=()) if self.constraints or self.conditions else self

    @property
    def in_order(self) -> tuple[int, ...]:
        """The stops of the tour."""
        return next((condition.stops for condition in self.conditions if isinstance(condition, InOrder)), ())

    @cached_property
    def by_cells(self) -> Problem:
        """The problem whose tours are orders of cells: moves between the same two cells are one edge.

        With an objective, constraints or conditions that depend on the moves, it is this problem itself.
        """
        graph = graph_by_cells(self.graph, self.closed)
        depends = self.objective is not None or self.constraints or any(c.of_moves for c in self.conditions)
        if graph is self.graph or depends:
            return self
        edge = graph.edges_by(self.graph.tails, self.graph.edge_move)
        required = Counter(edge[sorted(self.required)].tolist())
        # Two cells are not joined if no move between them is allowed, and a tour has one move between them.
        allowed = np.delete(edge, sorted(self.forbidden)).tolist()
        broken = {e for e, times in required.items() if times > 1} | set(edge[sorted(self.required & self.forbidden)])
        forbidden = frozenset(range(graph.m)).difference(allowed) | broken
        return replace(self, graph=graph, required=frozenset(required), forbidden=forbidden)

    @cached_property
    def pairs_meet(self) -> bool:
        """Whether all pairs of the objective share a vertex, as turns do: relaxations are then nearly tight."""
        if self.weights is None:
            return False
        a, b = self.graph.ends[self.weights.first], self.graph.ends[self.weights.second]
        # Compares both ends of one edge with both ends of the other, for all pairs at once
        return bool((a[:, :, None] == b[:, None, :]).any(axis=(1, 2)).all())

    @property
    def weighs_edges(self) -> bool:
        """Whether the objective is a sum over single edges, as lengths are."""
        if isinstance(self.objective, str):
            return METRICS[self.objective].weighs == "edges"
        return self.objective is not None and bool((self.objective.first == self.objective.second).all())

    @property
    def counts_apart(self) -> bool:
        """Whether the objective is a metric of boards that counts pairs which need not meet, as crossings do.

        Relaxations of such a metric are weak, and sweeps of belts and borders are strong.
        """
        return isinstance(self.objective, str) and METRICS[self.objective].weighs == "pairs"

    @property
    def counts_at_vertices(self) -> bool:
        """Whether the objective is a metric that counts pairs which meet, as turns do, on a board or another graph."""
        name = self.objective_name
        if name not in METRICS or METRICS[name].weighs != "pairs that meet" or not METRICS[name].counts:
            return False
        return isinstance(self.objective, str) or not self.objective.maximised  # type: ignore[union-attr]

    @cached_property
    def gains_apart(self) -> bool:
        """Whether a pair of edges that do not meet has a negative weight, which sweeps do not support."""
        weights = self.objective
        # Metrics that are named count pairs, and have no negative weights
        if not isinstance(weights, Weights) or not (weights.weight < 0).any():
            return False
        pairs = [(e, f) for e, f, weight in weights.canonical() if weight < 0]
        first, second = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
        a, b = self.graph.ends[first], self.graph.ends[second]
        return not (a[:, :, None] == b[:, None, :]).any(axis=(1, 2)).all()

    @cached_property
    def expression(self) -> Expression | None:
        """The objective as a sum of multiples of measures; `None` if it is not such a sum, or there is no objective."""
        return expression_from_objective(self.graph, self.objective)

    @property
    def objective_name(self) -> str | None:
        """The name of the metric or of the weights, which is that of a metric only if they are it; None without an
        objective."""
        return None if self.objective is None else quantity_name(self.objective)

    @cached_property
    def unit(self) -> Unit:
        """How costs, which kt minimises, and values, which users see, are converted into each other."""
        return self.objective.unit if isinstance(self.objective, Weights) else PLAIN

    def value(self, edges: Iterable[int] | IntArray) -> int | float | None:
        """Objective value of a set of edges, as users see it; `None` without an objective."""
        return cast("int | float | None", self.unit.value(self.cost(edges)))

    def cost(self, edges: Iterable[int] | IntArray) -> int | None:
        """Cost of a set of edges: the integer that is minimised; `None` without an objective."""
        if self.objective is None:
            return None
        return quantity_cost(self.graph, self.objective, edges)

    # -- identity --------------------------------------------------------------------------------------------------

    @cached_property
    def digest(self) -> str:
        """SHA-256 of everything that defines this problem, in hexadecimal; names do not count."""
        board, graph = self.graph.board, self.graph
        if board is not None and graph.leaper is not None:
            # A board is identified by its geometry, not by its edges, which may be a hundred million
            mask = None if board.mask is None else _digest(np.packbits(board.mask).tobytes())
            place: list[Any] = ["board", board.shape, board.wraps, mask, graph.leaper.parts]
            # The digest of a single leaper is older than sums of leapers, and stays the same
            if len(graph.leaper.parts) == 1:
                place[-1] = graph.leaper.offsets
            if graph.merged:
                place.append("one edge for two cells")
        elif graph.is_implicit:
            place = ["complete graph", graph.n]
        else:
            kind = "graph" if graph.directed is None else "split graph"
            # Little-endian, so that the digest is the same on all machines
            if isinstance(graph, SplitGraph) and graph.is_sparse:  # Nothing is made for its vertices without an arc
                kind, ends_told = "sparse split graph", graph.directed.arcs
            else:
                ends_told = graph.ends
            place = [kind, graph.n, graph.m, _digest(ends_told.astype("<i8").tobytes())]
        ends = list(self.terminals)
        if self.connectivity in ("linkage", "sublinkage"):
            # The pairs of a linkage and the ends of a pair have no order
            pairs = sorted(sorted(pair) for pair in zip(ends[::2], ends[1::2], strict=True))
            ends = [end for pair in pairs for end in pair]
        weights = self.objective.content if isinstance(self.objective, Weights) else self.objective
        # The group, not its generators: different generators ask for the same tours
        group = sorted(map(str, self.group[1:]))
        content: list[Any] = [
            place,
            self.connectivity,
            ends if self.connectivity in ("linkage", "sublinkage") else sorted(ends),
            sorted(self.required),
            sorted(self.forbidden),
            group,
            weights,
        ]
        if self.numbers is not None:
            content.append(self.numbers.content)
        if self.constraints:
            content.append(sorted((c.content(self.graph) for c in self.constraints), key=json.dumps))
        content += [{c.name: c.content(self.graph, self.closed)} for c in self.conditions]
        if self.optional:
            content.append({"optional": sorted(self.optional)})
        return _digest(json.dumps(content, separators=(",", ":")).encode())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Problem) and (self is other or self.digest == other.digest)

    def __hash__(self) -> int:
        return hash(self.digest)

    def _repr_html_(self) -> str | None:
        return html(self)

    # -- files -----------------------------------------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        """The graph's keys, and all differences from a plain closed tour."""
        data = {**self.graph.to_json(), "connectivity": self.connectivity}
        if self.objective is not None:
            data |= quantity_to_json(self.graph, self.objective, "objective")
        if isinstance(self.graph, SplitGraph):
            data |= self.graph.conditions_to_json(self.required, self.forbidden)
        else:
            names = ("terminals", "required", "forbidden", "optional")
            conditions = (list(self.terminals), *map(sorted, (self.required, self.forbidden, self.optional)))
            data |= {name: values for name, values in zip(names, conditions, strict=True) if values}
        if self.symmetry:
            data["symmetry"] = [str(s) for s in self.symmetry]
        if self.constraints:
            data["constraints"] = [constraint.to_json(self.graph) for constraint in self.constraints]
        data |= {condition.name: condition.to_json(self.graph) for condition in self.conditions}
        if self.numbers is None:
            return data
        numbers = self.numbers.of_split(self.graph) if isinstance(self.graph, SplitGraph) else self.numbers
        return data | numbers.to_json()

    @classmethod
    def from_json(cls, data: dict[str, Any], most: int = MAX_CELLS) -> Problem:
        """Read the problem of a JSON object that `to_json` wrote; `most` is as for `Board.parse`.

        Raises
        ------
        KTError
            If a key is missing or of the wrong type.
        """
        require(data, "data", dict, "a JSON object")
        graph = graph_from_json(data, most)
        connectivity, objective = data.get("connectivity"), data.get("objective")
        if not isinstance(connectivity, str) or not isinstance(objective, str | None):
            raise KTError("'connectivity' or 'objective' is missing or is not a text")
        lists = {name: data.get(name, []) for name in ("terminals", "required", "forbidden", "optional")}
        for name, values in lists.items():
            if not are_integers(values):
                raise KTError(f"{name!r} is not a list of integers")
        if isinstance(graph, SplitGraph):
            lists["required"], lists["forbidden"] = graph.conditions_from_json(data)
        symmetry = data.get("symmetry", [])
        if not isinstance(symmetry, list) or not all(isinstance(s, str) for s in symmetry):
            raise KTError("'symmetry' is not a list of texts")
        if len(symmetry) > MAX_GENERATORS:
            raise TooLarge(f"symmetry: at most {MAX_GENERATORS} symmetries")
        asked = objective is not None or "weights" in data
        weights = quantity_from_json(graph, data, "objective") if asked else None
        dimension = graph.board.dimension if graph.board else 2
        return cls(
            graph,
            connectivity,  # type: ignore[arg-type]
            weights,
            tuple(lists["terminals"]),
            frozenset(lists["required"]),
            frozenset(lists["forbidden"]),
            tuple(Symmetry.parse(s, dimension) for s in symmetry),
            _numbers_from_json(graph, data),
            constraints_from_json(graph, data["constraints"]) if "constraints" in data else (),
            tuple(kind.from_json(graph, data[name]) for name, kind in CONDITIONS.items() if data.get(name, []) != []),
            frozenset(lists["optional"]),
        )


def graph_by_cells(graph: MoveGraph, closed: bool) -> MoveGraph:
    """The graph whose tours are orders of cells; a closed tour of two cells needs two moves between them."""
    return graph if closed and graph.n < 3 else graph.simple


def _numbers_from_json(graph: MoveGraph, data: dict[str, Any]) -> GivenNumbers | None:
    if not data.keys() & {"numbers", "line_sums", "tour_shape"}:
        return None
    numbers = GivenNumbers.from_json(data, graph.vertex_count)
    return numbers.in_split(graph) if numbers is not None and isinstance(graph, SplitGraph) else numbers


def verify_edges(problem: Problem, edges: IntArray) -> list[Walk]:
    """Check that a set of edges solves a problem, and return the walks it consists of.

    Raises
    ------
    InvalidTour
        If a rule is broken. The message names the first one: an edge chosen twice, a wrong degree, a required or
        forbidden edge, symmetry, connectivity.
    """
    graph = problem.graph
    edges = np.asarray(edges, dtype=np.int64)
    chosen = set(edges.tolist())
    if len(chosen) < len(edges):
        raise InvalidTour(f"{graph.words.a_move} is used twice")
    # Before numpy indexes by them: a negative number would silently mean another edge
    if chosen and not (0 <= min(chosen) and max(chosen) < graph.m):
        raise InvalidTour("an edge is not an edge of the graph")
    if problem.optional and not len(edges):
        raise InvalidTour(f"no {graph.words.move} is made")
    # Degrees come first: `walks_of` follows walks only where no vertex has three edges
    _verify_degrees(problem, edges)
    verify_conditions(problem, edges)
    walks = walks_of(graph.n, graph.ends[edges], edges)
    if problem.optional:
        walks = [walk for walk in walks if walk.edges]  # The others are vertices that are left out
    _verify_connectivity(problem, walks)
    _verify_more(problem, edges, np.array(walks[0].vertices, dtype=np.int32))
    if problem.numbers is not None:
        problem.numbers.fitting(np.array(walks[0].vertices, dtype=np.int32), problem.closed)
    return walks


def verify_conditions(problem: Problem, edges: IntArray) -> None:
    """Check the conditions on a set of edges that do not depend on how the edges are connected.

    Raises
    ------
    InvalidTour
        If a required edge is missing, a forbidden one is present, the set is not symmetric as required, or a sum
        violates its bound.
    """
    graph = problem.graph
    for constraint in problem.constraints:
        if fault := constraint.fault(graph, edges):
            raise InvalidTour(f"the {graph.words.tour} has {fault}")
    if not (problem.required or problem.forbidden or problem.symmetry):
        return
    chosen = set(edges.tolist())
    for edge in sorted(problem.required):
        if edge not in chosen and isinstance(graph, SplitGraph) and edge in graph.edges_at_ends(*graph.ends_of({edge})):
            side, name = graph.edge_name(edge).rstrip(")").split("(", 1)
            raise InvalidTour(f"the path does not {side} at {name}")
        if edge not in chosen:
            raise InvalidTour(f"the required {graph.words.move} {graph.edge_name(edge)} is not used")
    for edge in sorted(problem.forbidden):
        if edge in chosen:
            raise InvalidTour(f"the forbidden {graph.words.move} {graph.edge_name(edge)} is used")
    for symmetry in problem.symmetry:
        # A permutation keeps the number of edges, so one inclusion suffices
        if not chosen.issuperset(graph.edge_permutation(symmetry)[edges].tolist()):
            raise InvalidTour(f"the tour is not symmetric under {symmetry.name}")


def solution_edges(problem: Problem, tour: Tour) -> IntArray:
    """Edges of a tour that solves a `cycle` or `path` problem.

    Raises
    ------
    InvalidTour
        If the tour does not solve the problem; the message names the first broken rule.
    """
    if tour.graph != problem.graph:
        raise InvalidTour(f"the tour is of {tour.graph.name}, not of {problem.graph.name}")
    verify(tour)
    if problem.connectivity not in ("cycle", "path") or tour.closed != problem.closed:
        words = problem.graph.words
        kind = words.a_cycle if tour.closed else words.a_path
        raise InvalidTour(f"{kind} where a {problem.connectivity} was required")
    if not tour.closed:
        ends = {int(tour.order[0]), int(tour.order[-1])}
        for terminal in problem.terminals:
            if terminal not in ends:
                words = problem.graph.words
                raise InvalidTour(f"the {words.tour} does not start or end at {problem.graph.name_of(terminal)}")
    verify_conditions(problem, tour.edges)
    _verify_more(problem, tour.edges, tour.order)
    if problem.numbers is not None:
        numbered(problem, tour)
    return tour.edges


def numbered(problem: Problem, tour: Tour) -> Tour:
    """The tour written so that the numbering 1, 2, ... of its cells fits the given numbers.

    Raises
    ------
    InvalidTour
        If no numbering of the tour fits.
    """
    if problem.numbers is None:
        return tour
    if problem.numbers.fault(tour.order) is None:
        return tour
    return Tour(tour.graph, problem.numbers.fitting(tour.order, tour.closed), tour.closed)


def ordered(problem: Problem, tour: Tour) -> Tour:
    """The tour written in the direction of its stops; a closed one begins at the first."""
    if isinstance(problem.graph, SplitGraph):
        return tour
    if tour.closed:
        tour = tour.starting_at(problem.in_order[0])
    place = np.empty(problem.graph.n, dtype=np.int64)
    place[tour.order] = np.arange(len(tour.order))
    return tour if bool((np.diff(place[list(problem.in_order)]) > 0).all()) else tour.reversed()


def ordered_walk(problem: Problem, walk: Walk) -> Walk:
    """The same for a walk that leaves vertices out."""
    stops, vertices, edges = problem.in_order, walk.vertices, walk.edges
    if walk.closed:
        first = vertices.index(stops[0])
        vertices, edges = vertices[first:] + vertices[:first], edges[first:] + edges[:first]
    places = [vertices.index(stop) for stop in stops]
    if places != sorted(places):
        vertices = vertices[:1] + vertices[:0:-1] if walk.closed else vertices[::-1]
        edges = edges[::-1]
    return Walk(vertices, edges, walk.closed)


def require_plain(problem: Problem, operation: str) -> None:
    """Refuse given numbers and constraints where they would be ignored; the error names what supports them."""
    require_unnumbered(problem, operation)
    require_unconstrained(problem, operation)


def require_unnumbered(problem: Problem, operation: str) -> None:
    """Refuse given numbers where they would be ignored.

    Raises
    ------
    KTError
        If the problem has such conditions; the message names the commands that support them.
    """
    if problem.numbers is not None:
        raise KTError(
            f"given numbers: {operation} does not support them; kt solve, kt find, kt enumerate and kt magic do"
        )


def require_unconstrained(problem: Problem, operation: str) -> None:
    """Refuse constraints and other conditions where they would be ignored.

    Raises
    ------
    KTError
        If the problem has such conditions; the message names the commands that support them.
    """
    if problem.constraints:
        words = constraint_words(problem.constraints)
        raise KTError(f"{words}: {operation} does not support constraints; kt solve and kt enumerate do")
    require_no_conditions(problem, operation)


def require_no_conditions(problem: Problem, operation: str) -> None:
    """Refuse conditions other than constraints and given numbers, and optional vertices, where they would be ignored.

    Raises
    ------
    KTError
        If the problem has such conditions; the message names the commands that support them.
    """
    require_no_optional(problem, operation)
    for condition in problem.conditions:
        raise KTError(f"{condition.title}: {operation} does not support them; kt solve and kt enumerate do")


def require_no_optional(problem: Problem, operation: str) -> None:
    """Refuse optional vertices where every vertex is expected to be visited.

    Raises
    ------
    KTError
        If the problem has some; the message names the commands that support them.
    """
    if problem.optional:
        raise KTError(f"{LEFT_OUT}: {operation} does not support them; kt solve and kt enumerate do")


def _digest(data: bytes) -> str:
    from hashlib import sha256  # Not every command needs it.

    return sha256(data).hexdigest()


def _verify_degrees(problem: Problem, edges: npt.NDArray[np.integer[Any]]) -> None:
    graph = problem.graph
    degree = np.bincount(graph.ends[edges].reshape(-1), minlength=graph.n)
    wanted = np.full(graph.n, 2)
    wanted[list(problem.terminals)] = 1
    # A path of one vertex has no moves
    if problem.connectivity == "path" and graph.n == 1:
        wanted[:] = 0
    wanted[[v for v in problem.optional if not degree[v]]] = 0
    off = np.flatnonzero(degree != wanted)
    if problem.free_ends and graph.n > 1:
        # The ends of an open tour are not known beforehand: exactly two vertices may have degree one
        ends = off[degree[off] == 1]
        if len(ends) == len(off) == problem.free_ends:
            return
    if len(off):
        vertex = int(off[0])
        if isinstance(graph, SplitGraph):
            raise InvalidTour(f"the arcs do not pass {graph.name_of(vertex)} once")
        raise InvalidTour(f"{graph.name_of(vertex)} has {degree[vertex]} {graph.words.moves}, not {wanted[vertex]}")
    if problem.free_ends and graph.n > 1:
        raise InvalidTour(f"{graph.words.a_cycle} where {graph.words.a_path} was required")


def _verify_more(problem: Problem, edges: IntArray, order: IntArray) -> None:
    """Check the conditions on a solution; the order is that of the graph's vertices, if it is one tour."""
    graph = problem.graph
    if isinstance(graph, SplitGraph) and problem.conditions:
        order = graph.contracted(order, problem.closed)
    sequence = order if problem.connectivity in ("cycle", "path", "subcycle", "subpath") else None
    for condition in problem.conditions:
        if fault := condition.fault(graph, edges, sequence, problem.closed):
            raise InvalidTour(fault)


def _verify_connectivity(problem: Problem, walks: list[Walk]) -> None:
    words = problem.graph.words
    if problem.connectivity == "any":
        return
    if problem.connectivity in ("subcycle", "subpath"):
        if len(walks) != 1:
            raise InvalidTour(f"the {words.moves} make {len(walks)} separate parts, not one {problem.connectivity[3:]}")
        if problem.closed and len(walks[0].vertices) < MIN_CYCLE:
            raise InvalidTour(f"the {words.moves} make a cycle of {len(walks[0].vertices)} {words.places}")
        return
    if problem.connectivity in ("cycle", "path"):
        if len(walks) != 1:
            raise InvalidTour(f"the {words.moves} make {len(walks)} separate parts, not one {problem.connectivity}")
        return
    if any(walk.closed for walk in walks):
        raise InvalidTour(f"the {words.moves} close a cycle apart from the terminals")
    if problem.connectivity in ("linkage", "sublinkage"):
        joined = {frozenset((walk.vertices[0], walk.vertices[-1])) for walk in walks}
        for s, t in zip(problem.terminals[::2], problem.terminals[1::2], strict=True):
            if frozenset((s, t)) not in joined:
                raise InvalidTour(f"{problem.graph.name_of(s)} and {problem.graph.name_of(t)} are not joined by a path")
