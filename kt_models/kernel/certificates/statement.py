"""`Statement`: a problem and a claim about it, comparable and in words.

Certificates, results, proof folders and runs show statements, and kt compares and prints them. The text of a statement
is made from it alone, and ignores what a file calls its board, graph or weights. If a name is not enough, the text
writes out the object or, if that is long, its SHA-256.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from kt_models.board import is_board
from kt_models.directed import SplitGraph
from kt_models.errors import KTError
from kt_models.expressions import expression_from_objective
from kt_models.graph import MoveGraph, has_parallel_edges
from kt_models.labels import MAX_LISTED_NUMBERS, labels_to_json
from kt_models.metrics import METRICS
from kt_models.numbers import GivenNumbers, board_lines, spoken
from kt_models.problem import Problem
from kt_models.quantities import COUNTED, amount, measures_in, shown_name
from kt_models.symmetry import board_group
from kt_models.weights import Weights

Kind = Literal["infeasible", "at-least", "optimum", "count", "complete", "tour"]
STATEMENT_KINDS = ("infeasible", "at-least", "optimum", "count", "complete", "tour")
MAX_LISTED = 24
"""Most cells, moves or pairs that are written out; beyond that, a digest stands for them."""
MAX_SHAPE = 125
"""Longest shape of a tour that is written out."""
DIGEST_DIGITS = 32
"""Hexadecimal digits of a digest in a text: 128 bits, so that nobody finds two problems with one text."""


@dataclass(frozen=True)
class Statement:
    """A claim about a problem.

    Parameters
    ----------
    problem
        Has an objective if the claim is about values.
    kind
        `infeasible`: it has no solution. `at-least`: every solution has at least this value. `optimum`: this is the
        least value of a solution. `count`: it has exactly `value` solutions. `complete`: the `value` solutions
        listed are all solutions. `tour`: it has a solution (of this value).
    value
        The integer of the claim, of the objective the one that is minimised (`Problem.unit`); None for `infeasible`,
        and for a `tour` of a problem without an objective.
    of_value
        With `count` and `complete`: the claim is about solutions with this value only.
    classes
        With `count` and `complete`: one solution stands for its class under the symmetries of the board.

    Raises
    ------
    KTError
        If these are inconsistent.
    """

    problem: Problem
    kind: Kind
    value: int | None = None
    of_value: int | None = None
    classes: bool = False

    def __post_init__(self) -> None:
        if self.kind not in STATEMENT_KINDS:
            raise KTError(f"unknown kind of statement {self.kind!r}")
        if self.kind == "infeasible" or (self.kind in ("count", "complete") and self.of_value is None):
            # Equal claims are equal, whatever the objective: these say nothing about values
            object.__setattr__(self, "problem", replace(self.problem, objective=None))
        valued = self.kind in ("at-least", "optimum", "tour") or self.of_value is not None
        if (self.value is None) != (self.kind == "infeasible" or (self.kind == "tour" and not self._has_objective)):
            raise KTError(f"a statement of kind {self.kind!r} {'without' if self.value is None else 'with'} a value")
        if valued and self.kind != "tour" and not self._has_objective:
            raise KTError("a statement about values of a problem without an objective")

    def __repr__(self) -> str:
        return f"Statement({str(self)!r})"

    @property
    def _has_objective(self) -> bool:
        return self.problem.objective is not None

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the statement, in hexadecimal."""
        from hashlib import sha256  # Not every command needs it.

        board = self.problem.graph.board
        # Translations came to the symmetries later, so their number tells the claims of periodic boards apart
        periodic = self.classes and board is not None and any(board.wraps)
        classes = symmetries_of(self.problem.graph) if periodic else self.classes
        content = (self.problem.digest, self.kind, self.value, self.of_value, classes)
        return sha256(repr(content).encode()).hexdigest()

    def implies(self, other: Statement) -> bool:
        """Whether this statement implies another, as far as can be told at a glance."""
        if self == other:
            return True
        if self.kind == "infeasible":
            about = replace(other.problem, objective=None)
            return other.kind in ("infeasible", "at-least") and self.problem in (about, about.unconstrained)
        if (
            self.problem not in (other.problem, other.problem.unconstrained)
            or self.value is None
            or other.value is None
        ):
            return False
        return self.kind in ("at-least", "optimum") and other.kind == "at-least" and self.value >= other.value

    @cached_property
    def text(self) -> str:
        """The statement in words: `at least 45 turns in every closed knight's tour of 8x8`."""
        noun, nouns = (description(self.problem, plural) for plural in (False, True))
        if self.kind == "infeasible":
            return f"there is no {noun}"
        if self.kind == "at-least":
            return f"{self._valued(least=True)} in every {noun}"
        if self.kind == "optimum":
            return self._optimum(noun)
        if self.kind == "tour":
            return f"a{'n' if noun[0] in 'aeio' else ''} {noun}" + (
                "" if self.value is None else f" with {self._valued()}"
            )
        single = self.kind == "count" and self.value == 1
        which = noun if single and not self.classes else nouns
        if self.problem.numbers is not None:
            which = f"numbering{'' if single else 's'} of {nouns}{'' if self.of_value is None else ','}"
        which += "" if self.of_value is None else f" with {self._valued(value=self.of_value)}"
        told = convention(self.problem, single)
        which += told
        if self.classes:
            which = classes_of(self.problem, which, plural=not single)
        if self.kind == "count":
            return f"there {'is' if single else 'are'} exactly {self.value:,} {which}"
        return f"there are no other {which}{told and ','} than the {self.value:,} listed"

    def _valued(self, least: bool = False, value: int | None = None) -> str:
        """A value of the objective, or a bound of it, in words: `45 turns`, `a weight of at least 60`."""
        number = self.value if value is None else value
        assert number is not None
        side = "" if not least else "at most " if self.problem.unit.maximised else "at least "
        return valued(self.problem, number, side)

    def _optimum(self, noun: str) -> str:
        """The claim that a value is the best one of any solution."""
        problem, number = self.problem, self.value
        assert number is not None
        words, name, maximised = (
            problem.unit.words(number),
            shown_name(problem.graph, problem.objective),
            problem.unit.maximised,
        )
        best = "greatest" if maximised else "least"
        if name in COUNTED:
            if words == "1":
                return f"1 is the {best} number of {name} of any {noun}"
            return f"{words} {name} are the {'most' if maximised else 'fewest'} of any {noun}"
        if name.isidentifier():
            return f"{words} is the {best} {name} of any {noun}"
        return f"a value of {words} for {name} is the {best} of any {noun}"

    def __str__(self) -> str:
        return self.text


def classes_of(problem: Problem, tours: str, *, plural: bool) -> str:
    """Classes of some tours in words: `classes, under the 8 symmetries of the board, of ...`."""
    board = problem.graph.board
    group = "the symmetries of the board" if board is None else board_group(board).words
    if has_parallel_edges(problem.graph):
        order = symmetries_of(problem.graph)
        group = f"the {order:,} symmetries of the board's moves" if order > 1 else "the identity"
    return f"{'classes' if plural else 'class'}, under {group}, of {tours}"


def symmetries_of(graph: MoveGraph) -> int:
    """The number of symmetries of a board behind classes of tours: maps of its cells, or of moves told apart."""
    return len(graph.move_symmetries) if has_parallel_edges(graph) else board_group(graph.geometry[0]).order


def valued(problem: Problem, cost: int, side: str = "") -> str:
    """A value of the objective in words, from its cost; with `side`, such as `at least `, a bound."""
    return amount(shown_name(problem.graph, problem.objective), problem.unit.words(cost), side)


def description(problem: Problem, plural: bool = False) -> str:
    """A solution of a problem in words: `closed knight's tour of 8x8, symmetric under rot180`."""
    graph, words = problem.graph, problem.graph.words
    if isinstance(graph, SplitGraph):
        return _directed_description(problem, graph, plural)
    ends = [graph.name_of(t) for t in problem.terminals]
    if problem.connectivity == "cycle":
        text = _with_piece(graph, words.cycle, plural)
    elif problem.connectivity == "path":
        text = _with_piece(graph, words.path, plural) + _ends(ends, plural)
    elif problem.connectivity in ("subcycle", "subpath"):
        text = _with_piece(graph, words.walk(problem.closed), plural) + _ends(ends, plural)
    elif problem.connectivity == "any":
        text = f"choice{'s' if plural else ''} of {_piece(graph)}{words.moves}, two at each {words.place}"
        text += f" but one at {_listing(ends)}," if ends else ","
    elif problem.connectivity in ("linkage", "sublinkage"):
        pairs = [f"{s} to {t}" for s, t in zip(ends[::2], ends[1::2], strict=True)]
        through = "" if problem.optional else f" through all {words.places}"
        text = f"set{'s' if plural else ''} of {_piece(graph)}paths{through}, {_listing(pairs)},"
    else:
        text = (
            f"set{'s' if plural else ''} of {_piece(graph)}paths through all {words.places} between {_listing(ends)},"
        )
    parts = [f"{text} of {place(graph, _tables(problem))}", *_conditions(graph, problem.required, problem.forbidden)]
    if problem.optional:
        parts.insert(1, _visited(problem))
    if len(problem.group) > 1:
        # A symmetry may exchange two moves between the same cells, and keep the order of cells only
        told = ", move by move" if has_parallel_edges(graph) else ""
        parts.append(f"symmetric under {' and '.join(s.name for s in problem.symmetry)}{told}")
    if problem.numbers is not None:
        parts.append(_numbers(graph, problem.numbers))
    parts += [*_told(problem), *_constraints(problem), *_roundings(problem)]
    return ", ".join(parts)


def _ends(ends: Sequence[str], plural: bool) -> str:
    """The given ends of a path in words."""
    if len(ends) == 2:
        return f" from {ends[0]} to {ends[1]}"
    return f" that end{'' if plural else 's'} at {ends[0]}" if ends else ""


def _visited(problem: Problem) -> str:
    """Which vertices a solution visits that may leave some out: `visiting at least a1 b3`."""
    graph, words = problem.graph, problem.graph.words
    rest = sorted(set(range(graph.n)).difference(problem.optional, problem.terminals))
    if not rest:
        return f"visiting any of the {words.places}"
    if len(problem.optional) < len(rest):
        out = sorted(problem.optional)
        return f"visiting all {words.places} except perhaps {_cells(graph, out)}"
    return f"visiting at least {_cells(graph, rest)}"


def _cells(graph: MoveGraph, vertices: Sequence[int]) -> str:
    """Vertices by name, or the digest of their numbers."""
    names = [graph.name_of(v) for v in vertices] if len(vertices) <= MAX_LISTED else []
    return _listing(names, lambda: np.array(vertices, dtype="<i8").tobytes(), len(vertices))


def convention(problem: Problem, single: bool = False) -> str:
    """When two tours of a board differ, in words, if two of its moves join the same two cells; otherwise nothing."""
    if problem.graph.merged:
        return f", as {'an order' if single else 'orders'} of cells"
    return f", told apart by {'its' if single else 'their'} moves" if has_parallel_edges(problem.graph) else ""


def _numbers(graph: MoveGraph, numbers: GivenNumbers) -> str:
    """Given numbers and sums: all of them, or their number and digest."""
    name_of = graph.name_of
    if isinstance(graph, SplitGraph):
        numbers, name_of = numbers.of_split(graph), graph.directed.name_of
    rows = [f"{name_of(vertex)}: {spoken(allowed)}" for vertex, allowed in numbers.allowed]
    lines = _sums(graph, numbers)
    shape = [] if numbers.shape is None else [f"the shape {numbers.shape.letters}"]
    if shape and len(numbers.shape.letters) > MAX_SHAPE:  # type: ignore[union-attr]
        shape = [f"a shape of SHA-256 {numbers.digest[:DIGEST_DIGITS]}"]
    if len(rows) + len(lines) > MAX_LISTED:
        parts = [f"{len(allowed):,} {kind}" for allowed, kind in ((rows, "given numbers"), (lines, "sums")) if allowed]
        parts += ["a shape"] if shape else []
        return f"with {' and '.join(parts)} of SHA-256 {numbers.digest[:DIGEST_DIGITS]}"
    parts = [f"given numbers {', '.join(rows)}"] if rows else []
    parts += [f"sums of {', '.join(lines)}"] if lines else []
    parts += shape
    return f"with {' and '.join(parts)}" if parts else "numbered"


def _sums(graph: MoveGraph, numbers: GivenNumbers) -> list[str]:
    """Sums of lines: `rows 260` if all rows have one sum, otherwise the cells of each line."""
    left = dict.fromkeys(numbers.sums)
    words = []
    for name, lines in board_lines(graph.board).items():
        totals = {total for line, total in left if line in lines}
        total = min(totals, default=0)
        if len(totals) == 1 and all((line, total) in left for line in lines):
            words.append(f"{name} {total:,}")
            left = {pair: None for pair in left if pair[0] not in lines}
    return words + [f"{' '.join(map(graph.name_of, line))} {total:,}" for line, total in left]


def _directed_description(problem: Problem, graph: SplitGraph, plural: bool) -> str:
    """The same for directed graphs: `Hamiltonian path of the directed graph of ..., from 1 to 3, with the arc 1->2`."""
    kind = graph.words.cycle if problem.closed else graph.words.path
    parts = [f"{kind}{'s' if plural else ''} of {place(graph, _tables(problem))}"]
    ends = graph.ends_of(problem.required)
    names = [graph.directed.name_of(v) for v in ends if v is not None]
    if len(names) == 2:
        parts.append(f"from {names[0]} to {names[1]}")
    elif names:
        parts.append(f"that {'begin' if ends[0] is not None else 'end'}{'' if plural else 's'} at {names[0]}")
    parts += _conditions(graph, problem.required - graph.edges_at_ends(*ends), problem.forbidden)
    if problem.numbers is not None:
        parts.append(_numbers(graph, problem.numbers))
    parts += [*_told(problem), *_constraints(problem), *_roundings(problem)]
    return ", ".join(parts)


def _told(problem: Problem) -> Iterator[str]:
    """The other conditions: `through a1, b3, c2 in this order`; a digest stands for many cells."""
    for condition in problem.conditions:
        if condition.size <= MAX_LISTED:
            names = condition.names(problem.graph)
        else:
            content = np.array(condition.numbers, dtype="<i8").tobytes()
            names = [_listing([], lambda: content, condition.size)]  # noqa: B023
        yield condition.told(problem.graph, names)


def _roundings(problem: Problem) -> Iterator[str]:
    """How metrics of the problem are rounded, each way once."""
    quantities = [problem.objective, *(constraint.quantity for constraint in problem.constraints)]
    rounded = [METRICS[name].rounding for sum_ in quantities for name in measures_in(problem.graph, sum_)]
    yield from dict.fromkeys(words(problem.graph) for words in rounded if words is not None)


def _constraints(problem: Problem) -> Iterator[str]:
    """All constraints: `with at most 34 turns`."""
    if problem.constraints:
        graph = problem.graph
        words = [
            c.text if c.requires_pair(graph) else c.told(shown_name(graph, c.quantity)) for c in problem.constraints
        ]
        yield f"with {' and '.join(words)}"


def _tables(problem: Problem) -> list[Weights]:
    """Weights in the objective and in constraints that are more than sums of measures of the board."""
    told = [constraint for constraint in problem.constraints if not constraint.requires_pair(problem.graph)]
    quantities = [problem.objective, *(constraint.quantity for constraint in told)]
    tables = [quantity for quantity in quantities if isinstance(quantity, Weights)]
    return [table for table in tables if expression_from_objective(problem.graph, table) is None]


def _conditions(graph: MoveGraph, required: frozenset[int], forbidden: frozenset[int]) -> Iterator[str]:
    for name, edges in (("with", required), ("without", forbidden)):
        if edges:
            chosen = sorted(edges)
            moves = [move_name(graph, e) for e in chosen] if len(chosen) <= MAX_LISTED else []
            listed = _listing(moves, lambda: np.array(chosen, dtype="<i8").tobytes(), len(chosen))  # noqa: B023
            yield f"{name} the {graph.words.moves if len(chosen) > 1 else graph.words.move} {listed}"


def place(graph: MoveGraph, tables: Sequence[Weights] = ()) -> str:
    """A board or graph in words that leave nothing out; a name alone only if it says everything.

    The words of a graph, and of a board with weights, have a digest: of the edges, the names of vertices, and the
    `tables` of weights that a claim is about.
    """
    board = graph.board
    if board is None:
        size = f"{_counted(graph.vertex_count, 'vertex', 'vertices')}, {_counted(_size(graph), graph.words.move)}"
        kind = "the graph" if graph.directed is None else "the directed graph"
        return f"{_label(graph.name) or kind} ({size}, SHA-256 {_graph_digest(graph, tables)})"
    if not board.describes_itself:
        names = [graph.name_of(v) for v in range(board.n)] if board.n <= MAX_LISTED else []
        listed = _listing(names, lambda: board.cells.astype("<i8").tobytes(), board.n)
        periodic = [axis for axis, wraps in zip("xyzwvuts", board.wraps, strict=False) if wraps]
        around = f", periodic along {' and '.join(periodic)}," if periodic else ""
        box = "x".join(map(str, board.shape))
        text = f"the board of {board.n:,} cells {listed} in a box of {box}{around}{_called(board.text)}"
    else:
        text = board.text
    return f"{text} (weights of SHA-256 {_graph_digest(graph, tables)})" if tables else text


def _size(graph: MoveGraph) -> int:
    """Number of edges or arcs, as users count them."""
    return graph.directed.m if isinstance(graph, SplitGraph) else graph.m


def _counted(number: int, single: str, several: str = "") -> str:
    return f"{number:,} {single if number == 1 else several or f'{single}s'}"


def _graph_digest(graph: MoveGraph, tables: Sequence[Weights]) -> str:
    """Digest of a graph, with names and positions of its vertices, and of tables; of a board, of the tables alone."""
    from hashlib import sha256

    named: Any = None
    if isinstance(graph.labels, range) and len(graph.labels) > MAX_LISTED_NUMBERS:
        named = labels_to_json(graph.labels)  # Nothing is made for each of so many vertices
    elif graph.labels is not None:
        place_of_names = graph.directed if isinstance(graph, SplitGraph) else graph
        named = [place_of_names.name_of(v) for v in range(graph.vertex_count)]
    place = [] if graph.board is not None else [graph.directed is not None, graph.vertex_count, named]
    seen = []  # Each table once, and with the signs that users see, so that claims of one file have one digest
    for rows in (_rows(graph, table) for table in tables):
        if rows not in seen:
            seen.append(rows)
    content = sha256(json.dumps([place, seen]).encode())
    if graph.board is None:
        if graph.is_implicit:
            content.update(b"all pairs")
        else:
            ends = graph.directed.arcs if isinstance(graph, SplitGraph) else graph.ends
            content.update(ends.astype("<i8").tobytes())
        if graph.positions is not None:
            content.update(json.dumps(graph.positions.to_json()).encode())
    return content.hexdigest()[:DIGEST_DIGITS]


def _rows(graph: MoveGraph, table: Weights) -> list[Any]:
    """A table for a digest, the same for cycles and for paths of a directed graph."""
    if graph.is_implicit:  # The positions determine the weights
        return [table.decimals, str(expression_from_objective(graph, table.to_minimise()))]
    first = graph.first_arc if isinstance(graph, SplitGraph) else 0
    return [table.decimals, [(e - first, f - first, weight) for e, f, weight in table.to_minimise().canonical()]]


def move_name(graph: MoveGraph, edge: int) -> str:
    """A move, `a1-b3`; with its displacement if two moves join the same cells."""
    name = graph.edge_name(edge)
    u, v = (int(x) for x in graph.ends[edge])
    if graph.moves is None or len(graph.edges_between(u, v)) == 1:
        return name
    return f"{name} by ({','.join(map(str, graph.moves[graph.edge_move[edge]].tolist()))})"


def _with_piece(graph: MoveGraph, noun: str, plural: bool) -> str:
    """A kind of tour with the piece before its last word, `closed knight's tour`."""
    kind, _, tour = noun.rpartition(" ")
    return f"{kind} {_piece(graph)}{tour}{'s' if plural else ''}".lstrip()


def _piece(graph: MoveGraph) -> str:
    return "" if graph.leaper is None else f"{graph.leaper.piece}'s "


def _listing(names: Sequence[str], content: Callable[[], bytes] | None = None, count: int | None = None) -> str:
    """Names in a row; for many of them, the digest of what they stand for (by default of all names)."""
    if (len(names) if count is None else count) <= MAX_LISTED:
        return " ".join(names) if names else "(none)"
    from hashlib import sha256

    return f"of SHA-256 {sha256(content() if content else _lines(names)).hexdigest()[:DIGEST_DIGITS]}"


def _lines(names: Iterable[str]) -> bytes:
    return "\n".join(names).encode()


def _called(name: str) -> str:
    """The name that a file gives, which describes nothing; the name of a board would mislead."""
    label = _label(name)
    return f" (its file calls it {name[:40]!r})" if label else ""


def _label(name: str) -> str:
    """The name of a graph, a label only; empty if it has none, or one that would mislead."""
    if not name or name.startswith(("cells:", "graph")) or is_board(name):
        return ""
    return name if re.fullmatch(r"[\w.+-]{1,40}", name) else repr(name[:40])
