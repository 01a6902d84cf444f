"""`Puzzle`: a grid of clues with exactly one solution, and the files of puzzles."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from kt_models.arguments import require, require_boolean, require_items, require_wholes
from kt_models.conditions import InOrder
from kt_models.display import save, svg
from kt_models.errors import InvalidTour, KTError, excerpt, unknown
from kt_models.files.clues import FREE, Clues, clues_from
from kt_models.graph import MoveGraph
from kt_models.graph_kinds import graph_from_json
from kt_models.json_values import is_boolean, is_integer
from kt_models.json_version import FORMAT_VERSION, read_document
from kt_models.kernel.certificates import Verdict
from kt_models.numbers import GivenNumbers
from kt_models.problem import Connectivity, Problem, solution_edges, verify_edges
from kt_models.tour import Tour
from kt_models.walks import Walk

KINDS = {
    "numbers": "some cells have their number in the tour (Hidato, Numbrix)",
    "waypoints": "a tour visits 1, 2, 3, ... in this order; walls may stand between cells (Zip)",
    "paths": "each two equal numbers are joined by a path, and the paths visit all cells (Numberlink)",
}
"""Kinds of puzzles: what their numbers mean."""
GRIDS = {"numbers": "clues", "waypoints": "waypoints", "paths": "paths"}
"""The argument of `kt.problem`, and the option, that takes the grid of each kind."""
DIFFICULTIES = ("easy", "medium", "hard")
Wall = tuple[tuple[int, int], tuple[int, int]]
Route = tuple[int, ...]
"""Vertices in the order in which a tour or a path visits them."""


@dataclass(frozen=True)
class Puzzle:
    """A puzzle on a board in the plane, with its solution.

    `kt.puzzle` and `kt.puzzles` make puzzles whose solution is the only one. A notebook draws a puzzle without its
    solution.

    Parameters
    ----------
    kind
        What the numbers mean: a key of `KINDS`.
    graph
        The cells and the moves.
    closed
        Whether the tour is closed; several paths are open.
    numbers
        The number of each cell, 0 where none is given, shape (n,).
    walls
        Pairs of cells with a wall between them.
    ways
        The solution: one tour, from the cell with the first number, or the path between each pair.
    difficulty
        What it takes to solve it: one of `DIFFICULTIES`.

    Raises
    ------
    KTError
        If the kind or the difficulty does not exist, or the grid does not fit the graph.
    InvalidTour
        If the solution does not solve it.
    """

    kind: str
    graph: MoveGraph
    closed: bool
    numbers: tuple[int, ...]
    ways: tuple[Route, ...]
    walls: tuple[Wall, ...] = ()
    difficulty: str = "hard"

    json_kind: ClassVar[str] = "puzzle"

    def __post_init__(self) -> None:
        require(self.graph, "graph", MoveGraph, "a MoveGraph (kt.graph makes one)")
        if not isinstance(self.kind, str) or self.kind not in KINDS:
            raise unknown("kind of puzzles,", self.kind, KINDS)
        if not isinstance(self.difficulty, str) or self.difficulty not in DIFFICULTIES:
            raise unknown("difficulty", self.difficulty, DIFFICULTIES)
        require_grid(self.graph)
        if require_boolean(self.closed, "closed") and self.kind == "paths":
            raise KTError("closed: the paths of a puzzle are open")
        object.__setattr__(self, "walls", self._walls())
        numbers = require_wholes(self.numbers, "numbers").tolist()
        object.__setattr__(self, "numbers", tuple(numbers))
        routes = require_items(self.ways, "ways", "a list of routes")
        object.__setattr__(self, "ways", tuple(tuple(require_wholes(way, "ways").tolist()) for way in routes))
        if any(not 0 <= vertex < self.graph.n for way in self.ways for vertex in way):
            raise KTError("ways: a vertex is not one of the graph")
        if len(self.numbers) != self.graph.n:
            raise KTError(f"numbers: {len(self.numbers)} are given, and {self.graph.name} has {self.graph.n} cells")
        self._verify()

    def _walls(self) -> tuple[Wall, ...]:
        """The walls in one order, each between two neighbouring cells of the board."""
        found = []
        for wall in require_items(self.walls, "walls", "a list of pairs of cells"):
            cells = [require_wholes(cell, "walls").tolist() for cell in require_items(wall, "walls", "two cells")]
            apart = [abs(a - b) for a, b in zip(cells[0], cells[-1], strict=False)]
            if len(cells) != 2 or any(len(cell) != 2 for cell in cells) or sum(apart) != 1:
                raise KTError(f"walls {excerpt(wall)}: a wall stands between two neighbouring cells")
            for cell in cells:
                self.graph.geometry[0].number(cell)
            first, second = sorted((x, y) for x, y in cells)
            found.append((first, second))
        return tuple(sorted(set(found)))

    def _verify(self) -> None:
        """Refuse ways that do not solve the problem of the clues."""
        if self.kind == "paths":
            edges = [edge for way in self.ways for edge in _edges_along(self.graph, way)]
            verify_edges(self.problem, np.array(edges, dtype=np.int64))
            return
        if len(self.ways) != 1:
            raise InvalidTour(f"a puzzle of {self.kind} has one tour as its solution, not {len(self.ways)}")
        tour = self.tour
        assert tour is not None
        solution_edges(self.problem, tour)
        if self.problem.numbers is not None and (fault := self.problem.numbers.fault(tour.order, self.graph.name_of)):
            raise InvalidTour(fault)

    @cached_property
    def clues(self) -> Clues:
        """The grid: its cells, numbers and walls; its `text` can be written and read again."""
        board = self.graph.board
        assert board is not None
        return Clues(board, self.numbers, self.walls)

    @cached_property
    def problem(self) -> Problem:
        """The problem that other functions take: `kt.solve(puzzle.problem)`, `kt.count(puzzle.problem)`."""
        graph, walls = self.graph, self.clues.walled(self.graph)
        if self.kind == "paths":
            ends = tuple(end for pair in self.clues.pairs(graph) for end in pair)
            return Problem(graph, "linkage" if len(ends) > 2 else "path", None, ends, forbidden=walls)
        if self.kind == "waypoints":
            stops = tuple(self.clues.stops(graph))
            ends = () if self.closed else tuple(dict.fromkeys((stops[0], stops[-1])))
            condition = InOrder(stops)
            return Problem(graph, self._connectivity, None, ends, forbidden=walls, conditions=(condition,))
        allowed = [(vertex, [number]) for vertex, number in enumerate(self.numbers) if number != FREE]
        return Problem(graph, self._connectivity, forbidden=walls, numbers=GivenNumbers.of(graph.n, allowed))

    @property
    def _connectivity(self) -> Connectivity:
        return "cycle" if self.closed else "path"

    @property
    def count(self) -> int:
        """How many clues there are: given numbers, stops, or pairs."""
        clues = sum(number != FREE for number in self.numbers)
        return clues // 2 if self.kind == "paths" else clues

    @property
    def tour(self) -> Tour | None:
        """The solution, numbered from 1; None if it is several paths."""
        if self.kind == "paths":
            return None
        return Tour(self.graph, np.array(self.ways[0], dtype=np.int32), self.closed)

    @property
    def walks(self) -> list[Walk]:
        """The solution as walks, for drawings."""
        walks = []
        for way in self.ways:
            edges = _edges_along(self.graph, (*way, way[0]) if self.closed else way)
            walks.append(Walk(way, tuple(edges), self.closed))
        return walks

    def to_json(self) -> dict[str, Any]:
        """The JSON object of a puzzle (docs/use/format.md)."""
        board = self.graph.board
        assert board is not None
        cells = [[board.cells[vertex].tolist() for vertex in way] for way in self.ways]
        return {
            "version": FORMAT_VERSION,
            "kind": self.json_kind,
            **self.graph.to_json(),
            "puzzle": self.kind,
            "closed": self.closed,
            "clues": self.clues.text,
            "difficulty": self.difficulty,
            **({"ways": cells} if self.kind == "paths" else {"tour": cells[0]}),
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Puzzle:
        """Read a puzzle, and verify its solution.

        Raises
        ------
        KTError
            If a key is missing or of the wrong type.
        InvalidTour
            If the solution does not solve it.
        """
        require(data, "data", dict, "a JSON object")
        data = read_document(data, cls.json_kind)
        kind, text = data.get("puzzle"), data.get("clues")
        if not isinstance(kind, str) or not isinstance(text, str) or not is_boolean(data.get("closed")):
            raise KTError("'puzzle', 'clues' or 'closed' is missing or of the wrong type")
        if kind not in KINDS:
            raise unknown("kind of puzzles,", kind, KINDS)
        key = "ways" if kind == "paths" else "tour"
        graph = graph_from_json(data)
        require_grid(graph)
        grid = clues_from(_as_text(text), stops=kind != "numbers")
        grid.require_place(graph)
        ways = data.get(key)
        if not isinstance(ways, list):
            raise KTError(f"{key!r} is missing or is not a list")
        found = tuple(_way(graph, way, key) for way in (ways if kind == "paths" else [ways]))
        return cls(kind, graph, data["closed"], grid.numbers, found, grid.walls, data.get("difficulty", "hard"))

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write the puzzle to a file: `.json`, or a drawing or page by the suffix.

        Raises
        ------
        KTError
            If the suffix is unknown, or the file cannot be written.
        """
        save(self, path, force=force)

    def _repr_svg_(self) -> str | None:
        return svg(self)

    def __str__(self) -> str:
        return self.clues.text


def _as_text(text: str) -> str:
    """A grid that is never taken for the path of a file."""
    return text if "\n" in text else text + "\n"


def _way(graph: MoveGraph, cells: Any, key: str) -> Route:
    """The vertices of a list of cells."""
    board = graph.board
    assert board is not None
    if not isinstance(cells, list) or not all(
        isinstance(cell, list) and len(cell) == board.dimension and all(map(is_integer, cell)) for cell in cells
    ):
        raise KTError(f"{key!r} is not a list of cells")
    return tuple(board.number(tuple(cell)) for cell in cells)


def _edges_along(graph: MoveGraph, way: Sequence[int]) -> list[int]:
    """The edges from each vertex to the next."""
    edges = []
    for u, v in pairwise(way):
        between = graph.edges_between(u, v)
        if not len(between):
            raise InvalidTour(f"{graph.name_of(u)}-{graph.name_of(v)} is not a move")
        edges.append(int(between[0]))
    return edges


def require_grid(graph: MoveGraph) -> None:
    """Refuse a graph whose puzzles no grid can hold.

    Raises
    ------
    KTError
        If it is directed, has no board in the plane, or two moves join the same two cells.
    """
    board = graph.board
    if board is None or board.dimension != 2 or graph.directed is not None:
        raise KTError(f"puzzles are drawn in a grid, and {graph.name} is not a board in the plane")
    if any(board.wraps):
        raise KTError(f"puzzles are drawn in a grid, and the edges of {graph.name} are joined")


def puzzles_to_json(puzzles: Sequence[Puzzle]) -> dict[str, Any]:
    """The JSON object of one puzzle, or of several."""
    if len(puzzles) == 1:
        return puzzles[0].to_json()
    rows = [{name: value for name, value in puzzle.to_json().items() if name != "version"} for puzzle in puzzles]
    return {"version": FORMAT_VERSION, "kind": "puzzles", "puzzles": rows}


def puzzles_from_json(data: Any) -> list[Puzzle]:
    """Read what `puzzles_to_json` wrote.

    Raises
    ------
    KTError
        If it is something else.
    """
    if not isinstance(data, dict) or data.get("kind") not in ("puzzle", "puzzles"):
        raise KTError(f"it holds no puzzle: {excerpt(data)}")
    if data["kind"] == "puzzle":
        return [Puzzle.from_json(data)]
    rows = read_document(data, "puzzles").get("puzzles")
    if not isinstance(rows, list) or not rows or not all(isinstance(row, dict) for row in rows):
        raise KTError("'puzzles' is not a list of puzzles")
    return [Puzzle.from_json({"version": FORMAT_VERSION, **row}) for row in rows]


@dataclass(frozen=True)
class PuzzleClaim:
    """That a puzzle has a solution, which a check shows."""

    problem: Problem
    text: str


def verdict_of_puzzles(data: Any) -> Verdict:
    """Verify that the solution of each puzzle fits its clues; that it is the only one stays a claim.

    Raises
    ------
    InvalidTour
        If a solution does not fit.
    KTError
        If the file cannot be read.
    """
    puzzles = puzzles_from_json(data)
    words = "its solution fits the clues" if len(puzzles) == 1 else f"the solutions of {len(puzzles)} puzzles fit"
    claims = [PuzzleClaim(puzzle.problem, f"{puzzle.graph.name}: {words}") for puzzle in puzzles[:1]]
    stated = PuzzleClaim(puzzles[0].problem, "there is no other solution (kt enumerate --count counts them)")
    return Verdict(tuple(claims), (stated,), "each move verified")
