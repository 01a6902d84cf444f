"""`GivenNumbers`: the numbers that cells may have in a tour, and the sums of lines of cells.

An open tour is numbered from its start, a closed one from any cell in either direction. So a tour has several
numberings, and a problem with given numbers asks for one that fits; the tour is then written from the cell with 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_models.board import Board
from kt_models.directed import SplitGraph
from kt_models.errors import InvalidTour, KTError, TooLarge
from kt_models.graph import not_for_directed
from kt_models.json_values import are_integers
from kt_models.turn_shape import TurnShape

MAX_NUMBERED = 2500
"""Most vertices of a problem with given numbers: models have a Boolean for each pair of a number and a vertex."""
MAX_SUMS = 200
"""Most lines with given sums."""

Order = npt.NDArray[np.int32]


@dataclass(frozen=True)
class GivenNumbers:
    """Given numbers of a problem.

    Parameters
    ----------
    allowed
        Vertices and the numbers that each may have, from 1; other vertices may have any number.
    sums
        Lines of vertices, and what their numbers sum to.
    shape
        At which numbers the tour goes straight on, and at which it turns.
    """

    allowed: tuple[tuple[int, tuple[int, ...]], ...] = ()
    sums: tuple[tuple[tuple[int, ...], int], ...] = ()
    shape: TurnShape | None = None

    @classmethod
    def of(
        cls, n: int, allowed: Iterable[tuple[int, Iterable[int]]], sums: Iterable[tuple[Iterable[int], int]] = (),
        shape: TurnShape | None = None,
    ) -> GivenNumbers:  # fmt: skip
        """The numbers of a graph with n vertices in one order; vertices that may have any number are left out.

        Raises
        ------
        KTError
            If a vertex or a number is out of range, or a vertex may have no number.
        TooLarge
            If there are more than `MAX_NUMBERED` vertices or `MAX_SUMS` lines.
        """
        rows = []
        for vertex, numbers in sorted((vertex, tuple(sorted(set(values)))) for vertex, values in allowed):
            if not 0 <= vertex < n:
                raise KTError(f"a number is given to vertex {vertex}, and there are {n}")
            if not numbers or not 1 <= numbers[0] <= numbers[-1] <= n:
                raise KTError(f"given numbers are from 1 to {n}, got {', '.join(map(str, numbers[:5])) or 'none'}")
            if len(numbers) < n:
                rows.append((vertex, numbers))
        lines = sorted({(tuple(sorted(line)), int(total)) for line, total in sums})
        if len({vertex for vertex, _ in rows}) < len(rows):
            raise KTError("numbers are given to a vertex twice")
        if any(not line or len(set(line)) < len(line) or not 0 <= line[0] <= line[-1] < n for line, _ in lines):
            raise KTError("a line whose sum is given is not a set of vertices")
        if n > MAX_NUMBERED:
            raise TooLarge(f"given numbers: {n:,} vertices, over the limit of {MAX_NUMBERED:,}")
        if len(lines) > MAX_SUMS:
            raise TooLarge(f"given sums: {len(lines):,} lines, over the limit of {MAX_SUMS}")
        return cls(tuple(rows), tuple(lines), shape)

    def in_split(self, graph: SplitGraph) -> GivenNumbers:
        """The numbers of a directed graph's vertices as those of its split graph, whose tours are thrice as long.

        The vertex with the number k is an entry, a middle and an exit in turn. With both entries and middles in their
        places, no cycle is numbered against its arcs.
        """
        if self.shape is not None:
            not_for_directed(graph, "a shape")
        n, more = graph.directed.n, int(graph.is_open)
        every = range(1, n + 1)
        rows: list[tuple[int, Iterable[int]]] = [
            (v, [3 * k - 1 + more for k in self.of_vertex.get(v, every)]) for v in range(n)
        ]
        if graph.is_open:
            rows.append((graph.terminals[0], [1]))
        else:
            rows += [(graph.entries + v, [3 * k - 2 for k in every]) for v in range(n)]
        return GivenNumbers.of(graph.n, rows)

    def of_split(self, graph: SplitGraph) -> GivenNumbers:
        """The numbers of a directed graph's vertices that `in_split` was given."""
        n, more = graph.directed.n, int(graph.is_open)
        rows = [(v, [(number + 1 - more) // 3 for number in numbers]) for v, numbers in self.allowed if v < n]
        return GivenNumbers.of(n, rows)

    @cached_property
    def of_vertex(self) -> dict[int, frozenset[int]]:
        """The given numbers of each vertex that has some."""
        return {vertex: frozenset(numbers) for vertex, numbers in self.allowed}

    def fault(self, order: Order, name: Callable[[int], str] = str) -> str | None:
        """The conflict of the numbering 1, 2, ... of an order with the given numbers; `None` if it fits.

        Parameters
        ----------
        name
            Makes the name of a vertex.
        """
        place = np.zeros(int(order.max(initial=0)) + 1, dtype=np.int64)
        place[order] = np.arange(1, len(order) + 1)
        for vertex, numbers in self.allowed:
            if int(place[vertex]) not in self.of_vertex[vertex]:
                return f"{name(vertex)} has the number {int(place[vertex])}, not {spoken(numbers)}"
        for line, total in self.sums:
            if (actual := int(place[list(line)].sum())) != total:
                return f"the numbers from {name(line[0])} to {name(line[-1])} sum to {actual:,}, not {total:,}"
        return None if self.shape is None else self.shape.fault(order, name)

    def all_fitting(self, order: Order, closed: bool) -> Iterator[Order]:
        """All numberings of a tour that fit: it may be reversed and, if it is closed, begun elsewhere."""
        n = len(order)
        place = np.empty(n, dtype=np.int64)
        for way in (order, order[::-1])[: 1 if n == 1 else 2]:
            place[way] = np.arange(n)
            shifts = np.arange(n) if closed else np.zeros(1, dtype=np.int64)
            fits = np.ones(len(shifts), dtype=bool)
            for vertex, numbers in self.allowed:
                allowed = np.zeros(n + 1, dtype=bool)
                allowed[list(numbers)] = True
                fits &= allowed[(place[vertex] - shifts) % n + 1]
            for line, total in self.sums:
                fits &= ((place[list(line)] - shifts[:, None]) % n + 1).sum(axis=1) == total
            if self.shape is not None:
                fits &= self.shape.fitting_shifts(way, shifts)
            for shift in shifts[fits].tolist():
                yield np.roll(way, -shift)

    def fitting(self, order: Order, closed: bool) -> Order:
        """The first numbering that fits.

        Raises
        ------
        InvalidTour
            If no numbering fits.
        """
        for numbering in self.all_fitting(order, closed):
            if self.fault(numbering) is None:
                return numbering
        raise InvalidTour("no numbering of the tour has the given numbers")

    @property
    def content(self) -> list[Any]:
        """The whole content, for a digest."""
        return [*self._rows, *([] if self.shape is None else self.shape.content)]

    @property
    def _rows(self) -> tuple[list[Any], list[Any]]:
        """Numbers and sums as JSON has them."""
        return (
            [[vertex, list(numbers)] for vertex, numbers in self.allowed],
            [[list(line), total] for line, total in self.sums],
        )

    def to_json(self) -> dict[str, Any]:
        """The keys `numbers` and, if they are given, `line_sums` and `shape` of a problem."""
        numbers, sums = self._rows
        data = {"numbers": numbers} | ({"line_sums": sums} if sums else {})
        return data | ({} if self.shape is None else {"tour_shape": self.shape.letters})

    @classmethod
    def from_json(cls, data: Mapping[str, Any], n: int) -> GivenNumbers | None:
        """Read the keys of a problem; `None` if it has none of them.

        Raises
        ------
        KTError
            If they are of the wrong type, or no numbers of a graph with n vertices.
        """
        shape = data.get("tour_shape")
        if "numbers" not in data and "line_sums" not in data and shape is None:
            return None
        if not isinstance(shape, str | None):
            raise KTError("'tour_shape' is not a text")
        numbers, sums = data.get("numbers", []), data.get("line_sums", [])
        for name, rows in (("numbers", numbers), ("line_sums", sums)):
            if type(rows) is not list or not all(type(row) is list and len(row) == 2 for row in rows):
                raise KTError(f"{name!r} is not a list of pairs")
        if not all(type(vertex) is int and are_integers(values) for vertex, values in numbers):
            raise KTError("'numbers' is not a list of [vertex, [number, ...]]")
        if not all(type(total) is int and are_integers(line) for line, total in sums):
            raise KTError("'line_sums' is not a list of [[vertex, ...], sum]")
        return cls.of(n, numbers, sums, None if shape is None else TurnShape(shape))

    @property
    def digest(self) -> str:
        """SHA-256 of the content, in hexadecimal."""
        from hashlib import sha256  # Not every command needs it.

        return sha256(repr(self.content).encode()).hexdigest()


def spoken(numbers: Iterable[int]) -> str:
    """Numbers in few words: `1`, `49 or 64`, `20 to 30`."""
    ordered = sorted(numbers)
    if len(ordered) > 2 and ordered[-1] - ordered[0] == len(ordered) - 1:
        return f"{ordered[0]} to {ordered[-1]}"
    return " or ".join(map(str, ordered))


def board_lines(board: Board | None) -> dict[str, list[tuple[int, ...]]]:
    """Rows from the top, columns from the left and long diagonals of a board in the plane without holes.

    Each line has its cells in the order of their numbers. Only a square has diagonals; a line without a cell is left
    out.
    """
    if board is None or board.dimension != 2:
        return {}
    grid = board.grid
    lines = {"rows": list(grid.T[::-1]), "columns": list(grid)}
    if board.shape[0] == board.shape[1]:
        lines["diagonals"] = [np.diagonal(grid), np.diagonal(grid[:, ::-1])]
    kept = {name: [tuple(sorted(v for v in line.tolist() if v >= 0)) for line in some] for name, some in lines.items()}
    return {name: [line for line in some if line] for name, some in kept.items()}
